// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Statistics as JSON and as text, of made up ports and of in-process devices.
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE format_show
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "libmacstats/device.hpp"
#include "libmacstats/model.hpp"
#include "libmacstats/names.hpp"
#include "libmacstats/show.hpp"

using namespace macstats;
using nlohmann::ordered_json;

namespace {

const macstats_model& ll40g = *find_model("ll40g");

std::vector<CounterInfo> counters_of(const macstats_model& model) {
    std::vector<CounterInfo> counters(model.n_counters);
    for (std::size_t i = 0; i < counters.size(); i++) {
        counters[i].name = model.counters[i].name;
        counters[i].description = model.counters[i].help;
        counters[i].unit = model.counters[i].unit;
    }
    return counters;
}

// A port on which nothing has happened yet.
struct Port {
    std::vector<CounterInfo> counters = counters_of(ll40g);
    PortView view;
    ShowOptions options;

    Port() {
        view.name = "mac0";
        view.counters = counters;
        view.statistics.ifindex = 7;
        view.statistics.model = "ll40g";
        view.statistics.generation = 5;
        view.statistics.time_ns = 123;
        view.statistics.values.resize(counters.size());
    }

    std::uint64_t& total(std::string_view name) {
        return view.statistics.values.at(*find_counter(ll40g, name));
    }

    [[nodiscard]] ordered_json json() const { return show_json(view, options); }
    [[nodiscard]] std::string text() const { return show_text(view, options); }
};

macstats_frame frame(macstats_direction direction, std::uint32_t length) {
    macstats_frame frame{};
    frame.direction = static_cast<__u8>(direction);
    frame.destination = MACSTATS_UNICAST;
    frame.kind = MACSTATS_DATA;
    frame.origin = MACSTATS_BY_SOFTWARE;
    frame.length = length;
    return frame;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(json_of_a_port, Port)

BOOST_AUTO_TEST_CASE(a_port_has_the_members_that_the_format_names) {
    const auto json = this->json();
    BOOST_TEST(json.at("port") == "mac0");
    BOOST_TEST(json.at("ifindex") == 7);
    BOOST_TEST(json.at("model") == "ll40g");
    BOOST_TEST(json.at("time_ns") == 123);
    BOOST_TEST(json.at("generation") == 5);
    BOOST_TEST(
        json.at("state") ==
        ordered_json({{"stale", false}, {"possible_loss", false}, {"discontinuities", 0}}));
    BOOST_TEST(json.at("totals").size() == 58U);
    BOOST_TEST(json.at("standard").contains("rmon"));
    BOOST_TEST(json.at("standard").contains("eth-mac"));
    std::vector<std::string> members;
    for (const auto& [name, value] : json.items())
        members.push_back(name);
    BOOST_TEST(
        members == std::vector<std::string>(
                       {"port", "ifindex", "model", "time_ns", "generation", "state", "totals",
                        "standard"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(totals_come_in_the_order_of_the_registers) {
    const auto totals = json().at("totals");
    auto it = totals.begin();
    for (const auto& counter : counters)
        BOOST_TEST((it++).key() == counter.name);
}

BOOST_AUTO_TEST_CASE(large_integers_are_exact) {
    total("tx_64b") = (1ULL << 53) + 1;
    total("rx_64b") = UINT64_MAX;
    const std::string text = json().dump();
    BOOST_TEST(text.find("\"tx_64b\":9007199254740993") != std::string::npos);
    BOOST_TEST(text.find("\"rx_64b\":18446744073709551615") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(integers_can_be_strings_everywhere) {
    total("rx_64b") = UINT64_MAX;
    const auto json = integers_as_strings(this->json());
    BOOST_TEST(json.at("totals").at("rx_64b") == "18446744073709551615");
    BOOST_TEST(json.at("totals").at("tx_64b") == "0");
    BOOST_TEST(json.at("time_ns") == "123");
    BOOST_TEST(
        json.at("standard").at("rmon").at("rx-pktsNtoM").at(0).at("val") == "18446744073709551615");
    BOOST_TEST(json.at("state").at("stale") == false);
    BOOST_TEST(json.at("port") == "mac0");
}

BOOST_AUTO_TEST_CASE(the_state_is_shown_with_its_reason) {
    view.statistics.stale = true;
    view.statistics.possible_loss = true;
    view.statistics.discontinuities = 3;
    view.stale_reason = "no snapshot";
    const auto json = this->json();
    BOOST_TEST(
        json.at("state") ==
        ordered_json({{"stale", true}, {"possible_loss", true}, {"discontinuities", 3}}));
    BOOST_TEST(
        text().find("stale (no snapshot), possible loss, 3 discontinuities") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(totals_of_0_can_be_left_out) {
    options.nonzero = true;
    total("rx_pause") = 2;
    BOOST_TEST(json().at("totals") == ordered_json({{"rx_pause", 2}}));
}

BOOST_AUTO_TEST_CASE(groups_are_all_that_there_is_if_they_are_asked_for) {
    options.groups = {"rmon", "pause"};
    const auto json = this->json();
    BOOST_TEST(json.at("totals") == ordered_json::object());
    BOOST_TEST(json.at("standard").size() == 2U);
    BOOST_TEST(json.at("standard").contains("pause"));
    BOOST_TEST(
        standard_groups() ==
            std::vector<std::string>({"eth-mac", "eth-ctrl", "rmon", "pause", "rtnl"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rates_are_a_member_of_their_own_and_null_where_they_are_not_known) {
    total("tx_64b") = 5;
    Statistics before = view.statistics;
    before.values.assign(before.values.size(), 0);
    view.statistics.generation++;
    view.statistics.time_ns += 2'000'000'000;
    view.rate = difference(before, view.statistics);
    auto rate = json().at("rate");
    BOOST_TEST(rate.at("continuity") == "whole");
    BOOST_TEST(rate.at("reason").is_null());
    BOOST_TEST(rate.at("seconds") == 2.0);
    BOOST_TEST(rate.at("per_second").at("tx_64b") == 2.5);
    BOOST_TEST(rate.at("per_second").at("rx_64b") == 0.0);

    view.rate = difference(view.statistics, view.statistics);
    rate = json().at("rate");
    BOOST_TEST(rate.at("continuity") == "not_read");
    BOOST_TEST(rate.at("per_second").at("tx_64b").is_null());
}

BOOST_AUTO_TEST_CASE(totals_and_standard_statistics_since_a_tag_are_differences) {
    total("tx_64b") = 5;
    total("tx_ucast_data_ok") = 5;
    Statistics before = view.statistics;
    before.values.at(*find_counter(ll40g, "tx_64b")) = 3;
    before.values.at(*find_counter(ll40g, "tx_ucast_data_ok")) = 3;
    view.statistics.generation++;
    view.since = difference(before, view.statistics);
    options.since = "before";
    const auto json = this->json();
    BOOST_TEST(json.at("totals").at("tx_64b") == 2);
    BOOST_TEST(json.at("standard").at("eth-mac").at("FramesTransmittedOK") == 2);
    BOOST_TEST(json.at("standard").at("rmon").at("tx-pktsNtoM").at(0).at("val") == 2);
    BOOST_TEST(json.at("since").at("tag") == "before");
    BOOST_TEST(json.at("since").at("continuity") == "whole");
}

BOOST_AUTO_TEST_CASE(units_and_descriptions_come_on_request) {
    options.descriptions = true;
    const auto counter = json().at("counters").at("tx_octets_ok");
    BOOST_TEST(counter.at("unit") == "octets");
    BOOST_TEST(counter.at("description").get<std::string>().starts_with("Payload"));
}

BOOST_AUTO_TEST_CASE(a_port_without_counters_has_no_totals_rather_than_zeros) {
    view.statistics.values.clear();
    const auto json = this->json();
    BOOST_TEST(json.at("totals") == ordered_json::object());
    BOOST_TEST(json.at("standard") == ordered_json::object());
    BOOST_TEST(text().find("built without counters") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_model_that_only_the_kernel_knows_has_totals_but_no_standard_statistics) {
    view.statistics.model = "from_the_future";
    BOOST_TEST(json().at("totals").size() == 58U);
    BOOST_TEST(json().at("standard") == ordered_json::object());
}

BOOST_AUTO_TEST_CASE(counters_that_are_not_those_of_the_library_are_not_added_up) {
    counters[0].name = "tx_something_else";
    BOOST_TEST(json().at("totals").contains("tx_something_else"));
    BOOST_TEST(json().at("standard") == ordered_json::object());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(standard_statistics, Port)

BOOST_AUTO_TEST_CASE(groups_have_the_names_that_ethtool_prints) {
    total("tx_mcast_ctrl") = 3;
    total("tx_pause") = 2;
    const auto standard = json().at("standard");
    BOOST_TEST(standard.at("eth-ctrl").at("MACControlFramesTransmitted") == 3);
    BOOST_TEST(standard.at("eth-mac").at("MulticastFramesXmittedOK") == 3);
    BOOST_TEST(standard.at("pause").at("tx_pause_frames") == 2);
    BOOST_TEST(standard.at("rtnl").at("tx_packets") == 3);
}

BOOST_AUTO_TEST_CASE(a_statistic_that_the_mac_does_not_have_is_left_out) {
    const auto standard = json().at("standard");
    BOOST_TEST(!standard.at("eth-mac").contains("LateCollisions"));
    BOOST_TEST(!standard.at("rtnl").contains("rx_missed_errors"));
    BOOST_TEST(standard.at("eth-mac").contains("FramesTransmittedOK"));
}

BOOST_AUTO_TEST_CASE(the_histogram_has_the_size_classes_and_ends_at_the_maximum_frame_length) {
    total("rx_64b") = 1;
    total("rx_65to127b") = 2;
    total("rx_1519tomaxb") = 7;
    const ordered_json expected = ordered_json::array({
        {{"low", 64}, {"high", 64}, {"val", 1}},
        {{"low", 65}, {"high", 127}, {"val", 2}},
        {{"low", 128}, {"high", 255}, {"val", 0}},
        {{"low", 256}, {"high", 511}, {"val", 0}},
        {{"low", 512}, {"high", 1023}, {"val", 0}},
        {{"low", 1024}, {"high", 1518}, {"val", 0}},
        {{"low", 1519}, {"high", 9600}, {"val", 7}},
    });
    BOOST_TEST(json().at("standard").at("rmon").at("rx-pktsNtoM") == expected);
    BOOST_TEST(json().at("standard").at("rmon").at("tx-pktsNtoM").at(0).at("val") == 0);
}

BOOST_AUTO_TEST_CASE(the_histogram_ends_at_the_maximum_that_is_set_now) {
    view.statistics.max_frame = 2000;
    BOOST_TEST(json().at("standard").at("rmon").at("rx-pktsNtoM").at(6).at("high") == 2000);
    // Below the last class there is only its first length left.
    view.statistics.max_frame = 1000;
    BOOST_TEST(json().at("standard").at("rmon").at("rx-pktsNtoM").at(6).at("high") == 1519);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(text_of_a_port, Port)

BOOST_AUTO_TEST_CASE(values_are_right_aligned_behind_the_names) {
    total("tx_64b") = 5;
    total("rx_64b") = 1234;
    options.nonzero = true;
    // The longest name, tx_mcast_data_err, has 17 characters.
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  tx_64b                5 frames\n"
                  "  rx_64b             1234 frames\n");
}

BOOST_AUTO_TEST_CASE(octets_are_called_so) {
    total("tx_octets_ok") = 46;
    total("tx_64b") = 1;
    options.nonzero = true;
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  tx_64b              1 frames\n"
                  "  tx_octets_ok       46 octets\n");
}

BOOST_AUTO_TEST_CASE(groups_come_instead_of_the_totals) {
    total("rx_65to127b") = 3;
    total("rx_oversize") = 1;
    options.groups = {"rmon"};
    options.nonzero = true;
    // The longest name, etherStatsUndersizePkts, has 23 characters.
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  rmon\n"
                  "    etherStatsOversizePkts   1 frames\n"
                  "    rx-pkts65to127           3 frames\n");
}

BOOST_AUTO_TEST_CASE(rates_are_a_column_behind_the_units) {
    total("tx_64b") = 5;
    total("tx_octets_ok") = 230;
    options.nonzero = true;
    Statistics before = view.statistics;
    before.values.assign(before.values.size(), 0);
    view.statistics.generation++;
    view.statistics.time_ns += 2'000'000'000;
    view.rate = difference(before, view.statistics);
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  tx_64b               5 frames  2.500 frames/s\n"
                  "  tx_octets_ok       230 octets       920 bit/s\n");
    options.groups = {"eth-mac"};
    BOOST_TEST(
        text().find("OctetsTransmittedOK        230 octets   920 bit/s") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_rate_that_is_not_known_is_a_hyphen_with_the_reason_above) {
    total("tx_64b") = 5;
    options.nonzero = true;
    view.statistics.stale = true;
    view.rate = difference(view.statistics, view.statistics);
    BOOST_TEST(
        text() == "mac0: ll40g, stale, no rates: the counters cannot be read\n"
                  "  tx_64b             5 frames  -\n");
}

BOOST_AUTO_TEST_CASE(what_was_counted_since_a_tag_comes_instead_of_the_totals) {
    total("tx_64b") = 5;
    options.nonzero = true;
    options.since = "before";
    Statistics before = view.statistics;
    before.values.at(*find_counter(ll40g, "tx_64b")) = 3;
    view.statistics.generation++;
    view.statistics.time_ns += 2'000'000'000;
    view.since = difference(before, view.statistics);
    BOOST_TEST(
        text() == "mac0: ll40g, fresh, since \"before\" (2.000 s)\n"
                  "  tx_64b             2 frames\n");
    view.since = since_start(view.statistics, "the port was made anew");
    BOOST_TEST(text().starts_with(
        "mac0: ll40g, fresh, not since \"before\" but since it began anew: the port was made anew\n"
        "  tx_64b             5 frames\n"));
}

BOOST_AUTO_TEST_CASE(descriptions_are_a_third_column) {
    total("tx_64b") = 5;
    options.nonzero = true;
    options.descriptions = true;
    BOOST_TEST(text().find("  5 frames  Transmitted frames of 64 octets") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(in_process_device)

BOOST_AUTO_TEST_CASE(frames_that_were_sent_are_totals_after_the_next_poll) {
    Device device(ll40g);
    const auto total = [&device](std::string_view name) {
        return device.totals(0).at(*find_counter(ll40g, name));
    };
    BOOST_TEST(device.send(0, frame(MACSTATS_TX, 64), 3).has_value());
    BOOST_TEST(total("tx_64b") == 0U);
    BOOST_TEST(device.poll(0, 1'000'000'000).has_value());
    BOOST_TEST(total("tx_64b") == 3U);
    BOOST_TEST(total("tx_ucast_data_ok") == 3U);
    BOOST_TEST(total("tx_octets_ok") == 3U * (64 - 18));
    BOOST_TEST(total("rx_64b") == 0U);
}

BOOST_AUTO_TEST_CASE(standard_statistics_follow_from_the_frames) {
    Device device(ll40g);
    auto bad = frame(MACSTATS_RX, 100);
    bad.errors = MACSTATS_ERR_FCS;
    BOOST_TEST(device.send(0, frame(MACSTATS_RX, 100), 10).has_value());
    BOOST_TEST(device.send(0, bad, 2).has_value());
    BOOST_TEST(device.poll(0, 1).has_value());
    const auto json =
        standard_json(ll40g, device.standard(0), device.totals(0), device.max_frame(0));
    BOOST_TEST(json.at("eth-mac").at("FramesReceivedOK") == 10);
    BOOST_TEST(json.at("eth-mac").at("FrameCheckSequenceErrors") == 2);
    BOOST_TEST(json.at("rtnl").at("rx_packets") == 10);
    BOOST_TEST(json.at("rtnl").at("rx_bytes") == 10 * 96);
    BOOST_TEST(json.at("rmon").at("rx-pktsNtoM").at(1).at("val") == 12);
    BOOST_TEST(json == standard_json(ll40g, device.totals(0)));
}

BOOST_AUTO_TEST_CASE(registers_are_read_and_written_with_their_side_effects) {
    Device device(ll40g);
    BOOST_TEST(*device.read(0, 0x841) == 0x08U);
    BOOST_TEST(*device.read(0, 0x941) == 0x09U);
    BOOST_TEST(device.write(0, 0x841, 0xcafe).has_value());
    BOOST_TEST(*device.read(0, 0x841) == 0xcafeU);
    BOOST_TEST(device.send(0, frame(MACSTATS_TX, 64), 3).has_value());
    BOOST_TEST(*device.read(0, 0x816) == 3U);
    BOOST_TEST(device.write(0, 0x845, 1).has_value());
    BOOST_TEST(*device.read(0, 0x816) == 0U);
}

BOOST_AUTO_TEST_CASE(a_preset_counter_shows_its_value_and_counts_on_from_there) {
    Device device(ll40g);
    const unsigned int counter = *find_counter(ll40g, "rx_64b");
    BOOST_TEST(device.send(0, frame(MACSTATS_RX, 64), 5).has_value());
    BOOST_TEST(device.preset(0, counter, 0xffffffff).has_value());
    BOOST_TEST(device.totals(0).at(counter) == 5U);
    BOOST_TEST(*device.read(0, 0x916) == 0xffffffffU);
    BOOST_TEST(device.send(0, frame(MACSTATS_RX, 64), 1).has_value());
    BOOST_TEST(*device.read(0, 0x916) == 0U);
    BOOST_TEST(*device.read(0, 0x917) == 1U);
    BOOST_TEST(device.poll(0, 2).has_value());
    BOOST_TEST(device.totals(0).at(counter) == 6U);
}

BOOST_AUTO_TEST_CASE(a_stuck_snapshot_makes_the_port_stale_until_it_is_gone) {
    Device device(ll40g);
    BOOST_TEST(device.send(0, frame(MACSTATS_RX, 64), 5).has_value());
    BOOST_TEST(device.fault(0, MACSTATS_FAULT_SNAPSHOT_STUCK, true).has_value());
    const auto failed = device.poll(0, 1);
    BOOST_REQUIRE(!failed.has_value());
    BOOST_TEST(failed.error().errnum == ETIMEDOUT);
    BOOST_TEST(device.accumulator(0).stale);
    BOOST_TEST(device.fault(0, MACSTATS_FAULT_SNAPSHOT_STUCK, false).has_value());
    const auto events = device.poll(0, 2);
    BOOST_REQUIRE(events.has_value());
    BOOST_TEST((*events & MACSTATS_EVENT_RECOVERED) != 0U);
    BOOST_TEST(device.totals(0).at(*find_counter(ll40g, "rx_64b")) == 5U);
}

BOOST_AUTO_TEST_CASE(after_a_random_power_up_the_totals_start_at_0) {
    DeviceSetup setup;
    setup.random_power_up = true;
    setup.seed = 7;
    Device device(ll40g, setup);
    BOOST_TEST(device.poll(0, 1).has_value());
    for (const std::uint64_t total : device.totals(0))
        BOOST_TEST(total == 0U);
}

BOOST_AUTO_TEST_CASE(a_device_without_counters_has_no_totals) {
    DeviceSetup setup;
    setup.options = MACSTATS_OPT_VLAN_DETECTION;
    Device device(ll40g, setup);
    BOOST_TEST(device.totals(0).empty());
    BOOST_TEST(device.accumulator(0).absent);
    BOOST_TEST(*device.read(0, 0x842) == 0U);
    const auto preset = device.preset(0, 0, 1);
    BOOST_REQUIRE(!preset.has_value());
    BOOST_TEST(preset.error().errnum == EOPNOTSUPP);
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_is_refused_and_counts_nothing) {
    Device device(ll40g);
    const auto errnum = [](const auto& result) { return result ? 0 : result.error().errnum; };
    BOOST_TEST(errnum(device.send(0, frame(MACSTATS_RX, 0))) == ERANGE);
    BOOST_TEST(errnum(device.send(0, frame(MACSTATS_RX, 65536))) == ERANGE);
    BOOST_TEST(errnum(device.send(0, frame(MACSTATS_RX, 64), 0)) == ERANGE);
    BOOST_TEST(errnum(device.send(0, frame(MACSTATS_RX, 64), 1ULL << 63)) == ERANGE);
    auto twice = frame(MACSTATS_RX, 64);
    twice.direction = MACSTATS_RX | MACSTATS_TX;
    BOOST_TEST(errnum(device.send(0, twice)) == EINVAL);
    BOOST_TEST(errnum(device.write(0, 0x841, 1ULL << 32)) == ERANGE);
    BOOST_TEST(errnum(device.read(0, 0x700)) == ENXIO);
    BOOST_TEST(errnum(device.fault(0, MACSTATS_FAULT_CLOCK_STOPPED, true)) == EINVAL);
    BOOST_CHECK_THROW((void)device.read(1, 0x800), std::out_of_range);
    BOOST_CHECK_THROW((void)device.preset(0, 58, 0), std::out_of_range);
    BOOST_TEST(device.poll(0, 1).has_value());
    for (const std::uint64_t total : device.totals(0))
        BOOST_TEST(total == 0U);
}

BOOST_AUTO_TEST_CASE(a_bus_error_is_an_error_of_the_access) {
    Device device(ll40g);
    BOOST_TEST(device.fault(0, MACSTATS_FAULT_BUS_ERROR, true).has_value());
    BOOST_REQUIRE(!device.read(0, 0x800).has_value());
    BOOST_TEST(device.read(0, 0x800).error().errnum == EIO);
}

BOOST_AUTO_TEST_CASE(a_moved_device_goes_on_counting) {
    Device first(ll40g);
    BOOST_TEST(first.send(0, frame(MACSTATS_TX, 64), 3).has_value());
    Device second(std::move(first));
    BOOST_TEST(second.send(0, frame(MACSTATS_TX, 64), 4).has_value());
    BOOST_TEST(second.poll(0, 1).has_value());
    BOOST_TEST(second.totals(0).at(*find_counter(ll40g, "tx_64b")) == 7U);
}

BOOST_AUTO_TEST_CASE(the_histogram_ends_where_the_register_now_says) {
    Device device(ll40g);
    BOOST_TEST(device.write(0, 0x506, 2000).has_value());
    BOOST_TEST(device.max_frame(0) == 2000U);
    const auto json =
        standard_json(ll40g, device.standard(0), device.totals(0), device.max_frame(0));
    BOOST_TEST(json.at("rmon").at("rx-pktsNtoM").at(6).at("high") == 2000);
}

BOOST_AUTO_TEST_SUITE_END()
