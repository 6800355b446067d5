// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// With any datagrams from the kernel, the library answers every question with a value
// or an Error. It never reads beyond the end of one, and every conversation ends.
//
// The first octet chooses the question. Datagrams follow, each with its length in
// front (16 bits, little-endian); the two greatest lengths are failures of the socket.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"
#include "netlink_fake.hpp"

using namespace macstats;
using namespace macstats::test;

namespace {

using Bytes = std::span<const std::uint8_t>;

Bytes take(Bytes& bytes, std::size_t size) {
    const Bytes part = bytes.first(std::min(size, bytes.size()));
    bytes = bytes.subspan(part.size());
    return part;
}

std::shared_ptr<Script> script_from(Bytes bytes) {
    constexpr unsigned int interrupted = 0xffff;
    constexpr unsigned int overrun = 0xfffe;

    auto script = std::make_shared<Script>();
    while (bytes.size() >= 2) {
        const Bytes length = take(bytes, 2);
        const unsigned int size = length[0] | unsigned{length[1]} << 8;
        if (size == interrupted) {
            script->fail(EINTR);
        } else if (size == overrun) {
            script->fail(ENOBUFS);
        } else {
            const auto datagram = std::as_bytes(take(bytes, size));
            script->answers.push_back(Datagram(datagram.begin(), datagram.end()));
        }
    }
    return script;
}

template <typename T>
void take_answer(const Result<T>& result) {
    if (!result)
        static_cast<void>(result.error().message.size());
}

using Question = void (*)(Client&, Emulator&);

constexpr auto questions = std::to_array<Question>({
    [](Client& client, Emulator&) { take_answer(client.ports()); },
    [](Client& client, Emulator&) { take_answer(client.port(IfIndex(9))); },
    [](Client& client, Emulator&) { take_answer(client.port("mac0")); },
    [](Client& client, Emulator&) { take_answer(client.statistics()); },
    [](Client& client, Emulator&) { take_answer(client.statistics(IfIndex(9))); },
    [](Client& client, Emulator&) { take_answer(client.models()); },
    [](Client& client, Emulator&) { take_answer(client.counters(ModelId(7))); },
    [](Client&, Emulator& emulator) { take_answer(emulator.devices()); },
    [](Client&, Emulator& emulator) { take_answer(emulator.add({.model = "some_mac"})); },
    [](Client&, Emulator& emulator) { take_answer(emulator.read(IfIndex(9), 0x800)); },
    [](Client&, Emulator& emulator) { take_answer(emulator.link(IfIndex(9), IfIndex(10))); },
});

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!size)
        return 0;
    const auto script = script_from(Bytes(data + 1, size - 1));
    Client client(conversation(script), family);
    Emulator emulator(conversation(script), family);
    questions[data[0] % questions.size()](client, emulator);
    return 0;
}
