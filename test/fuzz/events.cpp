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

// The only model that the kernel knows, and its counters. The corpus has events of it.
constexpr std::string_view known_model = "some_mac";
constexpr std::array<std::string_view, 2> known_counters = {"tx_a", "rx_b"};

Datagram counter_reply(std::uint32_t index) {
    return reply(
        MACSTATS_CMD_COUNTER_GET,
        joined(
            {text(MACSTATS_A_COUNTER_MODEL, known_model), u32(MACSTATS_A_COUNTER_ID, index),
             text(MACSTATS_A_COUNTER_NAME, known_counters.at(index)),
             text(MACSTATS_A_COUNTER_REGISTER, "REG"),
             text(MACSTATS_A_COUNTER_DESCRIPTION, "what it counts"),
             u32(MACSTATS_A_COUNTER_UNIT, 0), u32(MACSTATS_A_COUNTER_OFFSET, 0),
             u32(MACSTATS_A_COUNTER_BITS, 32), u32(MACSTATS_A_COUNTER_ONREAD, 0),
             u32(MACSTATS_A_COUNTER_ONWRITE, 0), u32(MACSTATS_A_COUNTER_OVERFLOW, 0),
             u32(MACSTATS_A_COUNTER_DIRECTION, 1)}),
        NLM_F_MULTI);
}

// A client that keeps the counters of the model. The kernel answers no further query.
Client client_of_one_model() {
    const auto script = std::make_shared<Script>();
    script->answer({counter_reply(0), counter_reply(1), done()});
    Client client(conversation(script), family);
    const auto counters = client.counters(std::string(known_model));
    require(counters && counters->size() == known_counters.size(), "the client has the counters");
    return client;
}

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

    [[nodiscard]] int fd() const override { return -1; }

private:
    Answers answers_;
};

// The name of a counter of the event's port, if the kernel knows it.
std::optional<std::string> known_name(const Event& event, CounterIndex index) {
    if (event.port.model != known_model || index.value() >= known_counters.size())
        return std::nullopt;
    return std::string(known_counters.at(index.value()));
}

// @counter and @value of @json: of an event about a counter, and of no other.
void check_counter(const nlohmann::json& json, const Event& event) {
    std::optional<CounterIndex> counter;
    std::uint64_t value = 0;
    if (event.kind == EventKind::threshold) {
        counter = event.threshold.value().counter;
        value = event.threshold->value;
    } else if (event.kind == EventKind::discontinuity && event.port.suspect) {
        counter = event.port.suspect->counter;
        value = event.port.suspect->value;
    }
    require(json.contains("counter") == counter.has_value(), "JSON has the counter");
    require(json.contains("value") == counter.has_value(), "JSON has the value");
    if (!counter)
        return;
    const auto name = known_name(event, *counter);
    require(
        json.at("counter") == (name ? nlohmann::json(*name) : nlohmann::json()),
        "JSON has the name of the counter, or null");
    require(json.at("value") == value, "JSON has the exact value");
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

void check(Client& client, const Event& event) {
    const std::string line = event_text(client, event, boot);
    require(line.ends_with('\n'), "text is a line");
    const std::string text = line.substr(0, line.size() - 1);
    require(printable(text) == text, "text has no control characters: " + line);

    const auto json = nlohmann::json::parse(json_text(event_json(client, event)));
    require(json.at("event") == event_name(event.kind), "JSON has the kind of the event");
    if (event.kind == EventKind::lost)
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
    EventStream stream(std::make_unique<ScriptedListener>(answers), family);
    Client client = client_of_one_model();
    // An error ends at most one datagram, and an event that was lost is one, too.
    for (std::size_t errors = 0;;) {
        const auto event = stream.next(std::chrono::milliseconds(0));
        if (event && !*event)
            return 0;
        if (event)
            check(client, **event);
        else
            require(++errors <= answers.size(), "the stream ends");
    }
}
