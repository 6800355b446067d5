// SPDX-License-Identifier: GPL-2.0
//
// A small specification for the tests of the fuzzer of netlink requests.
#ifndef MACSTATS_TEST_NETLINK_TABLE_OF_TESTS_HPP
#define MACSTATS_TEST_NETLINK_TABLE_OF_TESTS_HPP

#include <cstdint>
#include <sstream>

#include "../../random/netlink/table.hpp"

namespace macstats::test::netlink {

inline constexpr std::uint16_t specified_family = 32;
inline constexpr std::uint8_t add_command = 5, remove_command = 2;

// Set 0: 1 ifindex, 2 name, 3 big, 4 pad, 5 list, 6 free, 7 nest, 8 in no reply, 9 small,
// 10 repeated, 11 flag, 12 small list, 13 free name. Set 1, of the nest: 1 big.
inline const Table& specified() {
    static const Table table = [] {
        std::istringstream text(R"(family other 31 2 0
family test 32 1 3
attribute 0 1 u32 -1 0 0 port 0 0
attribute 0 2 string -1 0 0 name 0 0
attribute 0 3 u64 -1 0 0 any 0 0
attribute 0 4 pad -1 0 0 any 0 0
attribute 0 5 u64s -1 0 0 any 0 0
attribute 0 6 u64 -1 0 1 any 0 0
attribute 0 7 nest 1 0 0 any 0 0
attribute 0 8 u32 -1 0 0 any 0 0
attribute 0 9 u8 -1 0 0 any 0 0
attribute 0 10 u32 -1 1 0 any 0 0
attribute 0 11 flag -1 0 0 any 0 0
attribute 0 12 u32s -1 0 0 any 0 0
attribute 0 13 string -1 0 1 name 0 0
attribute 1 1 u64 -1 0 0 any 0 0
operation get 1 1 do 0 none 0 1 1,2,3,5,6,7,9,10,11,12,13
operation get 1 1 dump 0 list 0 - 1
operation del 1 2 do 1 remove 0 1 -
operation read 1 4 do 1 none 0 1 1
operation new 1 5 do 1 add 0 2 1
operation ntf 1 3 event 0 none 0 - 1
number 1
address 1
model m
name n
)");
        return read_table(text);
    }();
    return table;
}

} // namespace macstats::test::netlink

#endif // MACSTATS_TEST_NETLINK_TABLE_OF_TESTS_HPP
