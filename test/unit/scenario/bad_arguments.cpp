// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Bad arguments of the library's functions become Errors, or an exception where a function returns
// no Result: result.hpp has the rule.
#include "boost_test.hpp"

#include <cerrno>
#include <cstdint>
#include <utility>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"

BOOST_AUTO_TEST_SUITE(unit_bad_arguments)

using namespace macstats;

BOOST_AUTO_TEST_CASE(a_value_with_more_bits_than_its_place_is_not_written) {
    // A register of 32 bits, and the lower word of a counter of 64.
    for (const auto& [model, name] :
         {std::pair("cpsw", "STAT_PORT_EN"), std::pair("ll40g", "CNTR_TX_64B_LO")}) {
        Device device(*find_model(model), {});
        const Place place = *find_place(device.model(), name);
        const std::uint64_t before = *device.read(PortIndex(0), place);
        const auto written = device.write(PortIndex(0), place, 0x1'0000'0005);
        BOOST_REQUIRE(!written.has_value());
        BOOST_TEST(written.error().errnum == ERANGE);
        BOOST_TEST(written.error().message == "value is not in 0 to 4294967295");
        BOOST_TEST(*device.read(PortIndex(0), place) == before);
    }
}

BOOST_AUTO_TEST_SUITE_END()
