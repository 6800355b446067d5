// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// With any notifications from the kernel, the stream of events ends each wait with an event,
// none, or an Error, and an event is one line of text for people and JSON for programs.
//
// Datagrams, each with its length in front (16 bits, little-endian); the two greatest lengths
// are failures of the socket.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

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
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Answers answers = answers_from({data, size});
    EventStream stream(std::make_unique<ScriptedListener>(answers), family);
    // Names of counters come from the kernel, too: here it knows none.
    Client client(conversation(std::make_shared<Script>()), family);
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
