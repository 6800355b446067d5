// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Bad arguments of the library's functions become Errors, or an exception where a function returns
// no Result: result.hpp has the rule.
#include "boost_test.hpp"

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include <sys/resource.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/device/registers.hpp"

BOOST_AUTO_TEST_SUITE(unit_bad_arguments)

using namespace macstats;
using namespace std::string_literals;

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

// Cut at 15 characters, or at a NUL character, these would be other interfaces.
BOOST_AUTO_TEST_CASE(a_name_that_no_interface_can_have_has_no_dump) {
    for (const std::string& name :
         {"lo\0x"s, "lo\0"s, std::string(16, 'x'), std::string(300, 'x')}) {
        const auto dump = read_dump(name);
        BOOST_REQUIRE(!dump.has_value());
        BOOST_TEST(dump.error().errnum == ENODEV);
        BOOST_TEST(dump.error().message.ends_with(": cannot read the registers: No such device"));
        BOOST_TEST(dump.error().message.find('\0') == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(without_a_file_descriptor_no_dump_is_read) {
    rlimit before{};
    BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
    BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
    const auto dump = read_dump("lo");
    BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
    BOOST_REQUIRE(!dump.has_value());
    BOOST_TEST(dump.error().errnum == EMFILE);
}

BOOST_AUTO_TEST_SUITE_END()
