// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Numbers of interfaces, devices, ports and counters.
#include "boost_test.hpp"

#include <cstdint>
#include <type_traits>

#include "libmacstats/core/index.hpp"

BOOST_AUTO_TEST_SUITE(unit_index)

using namespace macstats;

BOOST_AUTO_TEST_CASE(a_number_does_not_become_an_index_by_itself) {
    BOOST_TEST((!std::is_convertible_v<std::uint32_t, PortIndex>));
    BOOST_TEST((!std::is_convertible_v<PortIndex, std::uint32_t>));
    BOOST_TEST((!std::is_convertible_v<int, IfIndex>));
    BOOST_TEST(PortIndex(7).value() == 7U);
    BOOST_TEST(PortIndex().value() == 0U);
}

BOOST_AUTO_TEST_CASE(an_index_of_one_kind_is_none_of_another) {
    BOOST_TEST((!std::is_constructible_v<CounterIndex, PortIndex>));
    BOOST_TEST((!std::is_constructible_v<IfIndex, PortIndex>));
    BOOST_TEST((!std::is_constructible_v<DeviceId, IfIndex>));
    BOOST_TEST((!std::is_convertible_v<PortIndex, IfIndex>));
}

BOOST_AUTO_TEST_CASE(indices_are_in_the_order_of_their_numbers) {
    BOOST_TEST((CounterIndex(2) < CounterIndex(10)));
    BOOST_TEST((CounterIndex(2) != CounterIndex(10)));
    BOOST_TEST((CounterIndex(10) == CounterIndex(10)));
}

BOOST_AUTO_TEST_SUITE_END()
