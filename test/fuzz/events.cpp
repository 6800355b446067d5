// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// With any notifications from the kernel, the stream of events ends each wait with an event,
// none, or an Error, and an event is one line of text for people and JSON for programs, with the
// names of the counters that the kernel knows.
//
// Datagrams, each with its length in front (16 bits, little-endian); the two greatest lengths
// are failures of the socket.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <macstats/netlink.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/events.hpp"
#include "netlink_fake.hpp"
#include "present/events.hpp"
#include "require.hpp"

using namespace macstats;
using namespace macstats::test;

namespace {

using Answers = std::deque<Result<Datagram>>;

constexpr unsigned int interrupted = 0xffff, overrun = 0xfffe;
// 2026, in the time that a system has been up.
constexpr std::chrono::nanoseconds boot = std::chrono::seconds(1'770'000'000);

// The only model whose counters are known. The corpus has events of it.
constexpr ModelId known_number(7);
constexpr std::array<std::string_view, 2> known_counters = {"tx_a", "rx_b"};

Answers answers_from(std::span<const std::uint8_t> bytes) {
    Answers answers;
    while (bytes.size() >= 2) {
        const unsigned int size = bytes[0] | unsigned{bytes[1]} << 8;
        bytes = bytes.subspan(2);
        if (size == interrupted || size == overrun) {
            answers.push_back(Error{size == overrun ? ENOBUFS : EINTR, "receiving failed"});
            continue;
        }
        const auto datagram = std::as_bytes(bytes.first(std::min<std::size_t>(size, bytes.size())));
        answers.push_back(Datagram(datagram.begin(), datagram.end()));
        bytes = bytes.subspan(datagram.size());
    }
    return answers;
}

class ScriptedListener final : public Listener {
public:
    explicit ScriptedListener(Answers answers) : answers_(std::move(answers)) {}

    Result<Datagram> receive(std::optional<std::chrono::milliseconds>) override {
        if (answers_.empty())
            return Error{ETIMEDOUT, "no answer"};
        auto answer = std::move(answers_.front());
        answers_.pop_front();
        return answer;
    }

    Result<void> join(std::uint32_t /*group*/) override { return {}; }

    [[nodiscard]] int fd() const override { return -1; }

private:
    Answers answers_;
};

// Finds the family.
class Controller final : public Transport {
public:
    Result<void> send(std::span<const std::byte> datagram) override {
        answer_family(*script_, family);
        return kernel_.send(datagram);
    }

    Result<Datagram> receive() override { return kernel_.receive(); }

private:
    std::shared_ptr<Script> script_ = std::make_shared<Script>();
    FakeKernel kernel_{script_};
};

// The name of a counter of the event's port, if the kernel knows it.
std::optional<std::string> known_name(const Event& event, CounterIndex index) {
    if (event.port.model_id != known_number || index.value() >= known_counters.size())
        return std::nullopt;
    return std::string(known_counters.at(index.value()));
}

// @counter and @value of @json: of an event about a counter, and of no other.
void check_counter(const nlohmann::json& json, const Event& event) {
    const auto suspect = event.kind == EventKind::discontinuity ? event.port.suspect : std::nullopt;
    require(json.contains("counter") == suspect.has_value(), "JSON has the counter");
    require(json.contains("value") == suspect.has_value(), "JSON has the value");
    if (!suspect)
        return;
    const auto name = known_name(event, suspect->counter);
    require(
        json.at("counter") == (name ? nlohmann::json(*name) : nlohmann::json()),
        "JSON has the name of the counter, or null");
    require(json.at("value") == suspect->value, "JSON has the exact value");
}

// The reads that found saturating counters at their maximum.
void check_saturated(const nlohmann::json& json, const Event& event) {
    require(
        json.contains("at_least") == !event.port.saturated.empty(),
        "JSON has the saturated counters");
    nlohmann::json expected = nlohmann::json::object();
    for (const Saturation& one : event.port.saturated) {
        const std::string number = "counter " + std::to_string(one.counter.value());
        expected[known_name(event, one.counter).value_or(number)] = {{"times", one.times}};
    }
    require(
        event.port.saturated.empty() || json.at("at_least") == expected,
        "JSON has each saturated counter: " + expected.dump());
}

void check(const Event& event) {
    const std::string line = event_text(event, boot);
    require(line.ends_with('\n'), "text is a line");
    const std::string text = line.substr(0, line.size() - 1);
    require(printable(text) == text, "text has no control characters: " + line);

    const auto json = nlohmann::json::parse(json_text(event_json(event)));
    require(json.at("event") == event_name(event.kind), "JSON has the kind of the event");
    if (!event.has_port())
        return;
    require(json.at("ifindex") == event.port.ifindex.value(), "JSON has the index");
    require(
        json.at("port") == json_string(event.port.name), "JSON has the name: " + event.port.name);
    if (event.time_ns)
        require(json.at("time_ns") == *event.time_ns, "JSON has the exact time");
    require(
        json.contains("reason") == (event.kind == EventKind::stale),
        "JSON has a reason exactly if a port is stale");
    if (event.kind == EventKind::stale)
        require(
            json.at("reason") == json_string(event.port.stale_reason),
            "JSON has the reason: " + event.port.stale_reason);
    check_counter(json, event);
    check_saturated(json, event);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Answers answers = answers_from({data, size});
    EventStream stream(
        GenericNetlink(std::make_unique<Controller>()), std::make_unique<ScriptedListener>(answers),
        family);
    const CounterInfos infos = std::vector<CounterInfo>{{.name = "tx_a"}, {.name = "rx_b"}};
    // An error ends at most one datagram, and an event that was lost is one, too.
    for (std::size_t errors = 0;;) {
        auto event = stream.next(std::chrono::milliseconds(0));
        if (event && !*event)
            return 0;
        if (event && (*event)->port.model_id == known_number)
            (*event)->infos = infos;
        if (event)
            check(**event);
        else
            require(++errors <= answers.size(), "the stream ends");
    }
}
