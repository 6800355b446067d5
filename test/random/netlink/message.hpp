// SPDX-License-Identifier: GPL-2.0
//
// Requests as the kernel reads them, and requests without damage.
#ifndef MACSTATS_TEST_NETLINK_MESSAGE_HPP
#define MACSTATS_TEST_NETLINK_MESSAGE_HPP

#include <linux/netlink.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bytes.hpp"
#include "table.hpp"

namespace macstats::test::netlink {

struct Message {
    std::size_t at;
    nlmsghdr header;
    int command; // -1: none
};

// The messages of a datagram, until one has an impossible length.
std::vector<Message> messages_in(View data);

struct Sent {
    explicit Sent(Bytes datagram) : data(std::move(datagram)), messages(messages_in(data)) {}

    Bytes data;
    std::vector<Message> messages;
};

// Sequence numbers of the fuzzer's own requests, which are not damaged.
inline constexpr std::uint32_t first_own_sequence = 0x40000000, last_own_sequence = 0x7fffffff;

inline bool is_own(std::uint32_t sequence) {
    return sequence >= first_own_sequence && sequence <= last_own_sequence;
}

using Value = std::variant<std::uint64_t, std::string>;

// A request without damage; its attributes are those of the operation with these roles.
Bytes request(
    const Table& table, const Operation& operation, std::uint32_t sequence,
    const std::vector<std::pair<Role, Value>>& values = {});

} // namespace macstats::test::netlink

#endif // MACSTATS_TEST_NETLINK_MESSAGE_HPP
