// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A port, its counters and its statistics, as attributes of the family "macstats".
#ifndef MACSTATS_TEST_NETLINK_ATTRIBUTES_HPP
#define MACSTATS_TEST_NETLINK_ATTRIBUTES_HPP

#include <cstdint>
#include <initializer_list>

#include <macstats/netlink.h>
#include <macstats/schema.h>

#include "netlink_fake.hpp"

namespace macstats::test {

inline Datagram
port_attributes(std::uint32_t ifindex = 9, const char* name = "mac0", std::uint32_t model = 7) {
    return joined(
        {u32(MACSTATS_A_PORT_IFINDEX, ifindex), text(MACSTATS_A_PORT_NAME, name),
         text(MACSTATS_A_PORT_MODEL, "some_mac"), u32(MACSTATS_A_PORT_MODEL_ID, model),
         u32(MACSTATS_A_PORT_INDEX, 3), u32(MACSTATS_A_PORT_DISCONTINUITIES, 2),
         u32(MACSTATS_A_PORT_PARITY_ERRORS, 1), u32(MACSTATS_A_PORT_POLL_USECS, 1'000'000),
         u32(MACSTATS_A_PORT_POLL_CEILING_USECS, 30'000'000),
         u64(MACSTATS_A_PORT_POLL_TIME, 5'000'000'000), u64(MACSTATS_A_PORT_TIME, 6'000'000'000)});
}

inline Datagram statistics_attributes(std::initializer_list<std::uint64_t> values) {
    return joined(
        {u32(MACSTATS_A_STATS_IFINDEX, 9), text(MACSTATS_A_STATS_MODEL, "some_mac"),
         u32(MACSTATS_A_STATS_MODEL_ID, 7), u64(MACSTATS_A_STATS_GENERATION, 5),
         u64(MACSTATS_A_STATS_TIME, 123), u32(MACSTATS_A_STATS_DISCONTINUITIES, 0),
         u64s(MACSTATS_A_STATS_VALUES, values)});
}

inline Datagram counter_attributes(std::uint32_t id, const char* name) {
    return joined(
        {text(MACSTATS_A_COUNTER_MODEL, "some_mac"), u32(MACSTATS_A_COUNTER_MODEL_ID, 7),
         u32(MACSTATS_A_COUNTER_ID, id), text(MACSTATS_A_COUNTER_NAME, name),
         text(MACSTATS_A_COUNTER_REGISTER, "REG"),
         text(MACSTATS_A_COUNTER_DESCRIPTION, "what it counts"),
         u32(MACSTATS_A_COUNTER_UNIT, MACSTATS_FRAMES), u32(MACSTATS_A_COUNTER_OFFSET, 0x800),
         u32(MACSTATS_A_COUNTER_BITS, 32), u32(MACSTATS_A_COUNTER_ONREAD, MACSTATS_ONREAD_RCLR),
         u32(MACSTATS_A_COUNTER_ONWRITE, MACSTATS_ONWRITE_NONE),
         u32(MACSTATS_A_COUNTER_OVERFLOW, MACSTATS_ROLLOVER),
         u32(MACSTATS_A_COUNTER_DIRECTION, MACSTATS_TX),
         text(MACSTATS_A_COUNTER_STANDARD, "tx_packets"),
         text(MACSTATS_A_COUNTER_STANDARD, "tx_bytes")});
}

// One that was found at its maximum.
inline Datagram
saturated(std::uint32_t counter, std::uint64_t times, int type = MACSTATS_A_PORT_SATURATED) {
    return nest(
        type, joined(
                  {u32(MACSTATS_A_SATURATED_COUNTER, counter),
                   u64(MACSTATS_A_SATURATED_TIMES, times), u64(MACSTATS_A_SATURATED_TIME, 99)}));
}

} // namespace macstats::test

#endif // MACSTATS_TEST_NETLINK_ATTRIBUTES_HPP
