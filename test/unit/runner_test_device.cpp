// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Devices in test programs of others: what is as it should be is silent, and
// everything else is an exception that says what it is.
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE runner_test_device
#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

#include "libmacstats/test_device.hpp"

namespace {

using macstats::TestDevice;

std::string failure_of(const std::function<void()>& what) {
    try {
        what();
    } catch (const macstats::TestFailure& failure) {
        return failure.what();
    }
    return "none";
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

struct Fixture {
    TestDevice mac{"builtin", "ixf1104"};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(device, Fixture)

// IXF1104 table 93: RxOctetsTotalOK counts octets with the CRC.
BOOST_AUTO_TEST_CASE(counters_and_standard_statistics_are_as_expected) {
    mac.send({.length = 100}, 5);
    mac.expect("RxOctetsTotalOK", 500);
    mac.expect("rx_uc_pkts", 5);
    mac.expect("rtnl/rx_packets", 5);
    mac.send({.direction = MACSTATS_TX, .length = 64});
    mac.expect("TxUCPkts", 1);
    mac.expect("RxOctetsTotalOK", 500);
}

BOOST_AUTO_TEST_CASE(each_port_counts_for_itself) {
    mac.send({.length = 100}, 5, 3);
    mac.expect("RxUCPkts", 5, 3);
    mac.expect("RxUCPkts", 0, 0);
}

BOOST_AUTO_TEST_CASE(what_is_not_as_expected_says_what_it_is) {
    mac.send({.length = 100}, 5);
    const std::string counter = failure_of([this] { mac.expect("RxUCPkts", 6); });
    BOOST_TEST(contains(counter, "ixf1104: rx_uc_pkts: expected 6, actual 5 (RxUCPkts: "), counter);
    const std::string standard = failure_of([this] { mac.expect("rtnl/rx_packets", 6); });
    BOOST_TEST(contains(standard, "rtnl/rx_packets: expected 6, actual 5 ("), standard);
    BOOST_TEST(contains(
        failure_of([this] { mac.expect("eth-mac/CarrierSenseErrors", 0); }),
        "eth-mac/CarrierSenseErrors: expected 0, actual absent"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_done_says_why) {
    BOOST_TEST(contains(failure_of([] { TestDevice("builtin", "nosuch"); }), "no model"));
    BOOST_TEST(contains(failure_of([] { TestDevice("nosuch", "cpsw"); }), "builtin, kernel"));
    BOOST_TEST(contains(failure_of([this] { mac.expect("nosuch", 1); }), "no counter \"nosuch\""));
    BOOST_TEST(contains(failure_of([this] { mac.send({}, 1, 4); }), "4 ports"));
    BOOST_TEST(contains(failure_of([this] { mac.send({.length = 70000}); }), "1 to 65535"));
    BOOST_TEST(contains(failure_of([this] { mac.send({.vlan_tags = 256}); }), "too much"));
    BOOST_TEST(contains(failure_of([this] { mac.send({}, 0); }), "count"));
}

BOOST_AUTO_TEST_CASE(backends_are_opened_by_name) {
    const auto builtin = macstats::open_backend("builtin");
    BOOST_REQUIRE(builtin.has_value());
    BOOST_TEST((*builtin)->name() == "builtin");
    BOOST_TEST(
        macstats::open_backend("other").error().message ==
        "backend: \"other\" is none of builtin, kernel");
}

BOOST_AUTO_TEST_SUITE_END()
