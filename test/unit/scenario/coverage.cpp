// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The rules, counters and registers that scenarios reach.
#include "boost_test.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "scenario/coverage.hpp"

BOOST_AUTO_TEST_SUITE(unit_coverage)

using namespace macstats;

namespace {

struct Covering {
    Coverage coverage;

    void add(const std::string& device, const std::string& steps, std::size_t count = SIZE_MAX) {
        const auto scenario = parse_scenario(
            R"({"name": "n", "devices": {"mac": )" + device + R"(}, "steps": [)" + steps + "]}",
            "a.json");
        BOOST_REQUIRE_MESSAGE(scenario, (scenario ? "" : scenario.error().message));
        coverage.add(*scenario, count);
    }

    [[nodiscard]] const CounterCoverage& counter(std::string_view name) const {
        const ModelCoverage& model = coverage.models().front();
        return model.counters.at(find_counter(*model.model, name)->value());
    }

    [[nodiscard]] bool reaches(std::string_view name) const {
        for (const bool rule : counter(name).rules)
            if (rule)
                return true;
        return false;
    }

    [[nodiscard]] bool accesses(std::string_view name) const {
        const ModelCoverage& model = coverage.models().front();
        for (std::size_t i = 0; i < model.registers.size(); i++)
            if (model.model->registers[i].name == name)
                return model.registers[i];
        throw std::invalid_argument("no such register");
    }
};

const std::string cpsw = R"({"model": "cpsw"})";
const std::string pause_frame =
    R"({"send": {"port": "mac", "direction": "rx", "kind": "pause", "destination": "multicast"}})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(coverage_of_scenarios, Covering)

BOOST_AUTO_TEST_CASE(a_rule_is_reached_by_frames_that_match_it_as_the_registers_are_set) {
    add(R"({"model": "cpsw", "registers": {"MACCONTROL": 0}})", pause_frame);
    BOOST_TEST(reaches("rx_multicast_frames"));
    BOOST_TEST(!reaches("rx_broadcast_frames"));
    BOOST_TEST(!reaches("rx_pause_frames"));
    // TX_FLOW_EN
    add(R"({"model": "cpsw", "registers": {"MACCONTROL": 16}})", pause_frame);
    BOOST_TEST(reaches("rx_pause_frames"));
    BOOST_TEST(coverage.models().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_counter_is_compared_if_an_expectation_is_about_it) {
    add(cpsw, R"({"expect": {"port": "mac", "totals": {"rx_pause_frames": 0}}},
                 {"read": {"port": "mac", "register": "Broadcast Rx Frames", "expect": 0}},
                 {"read": {"port": "mac", "register": "Good Rx Frames"}})");
    BOOST_TEST(counter("rx_pause_frames").compared);
    BOOST_TEST(counter("rx_broadcast_frames").compared);
    BOOST_TEST(!counter("rx_good_frames").compared);
    BOOST_TEST(!counter("rx_multicast_frames").compared);
    add(cpsw, R"({"expect": {"port": "mac", "others": "zero"}})");
    BOOST_TEST(counter("rx_multicast_frames").compared);
}

BOOST_AUTO_TEST_CASE(steps_that_did_not_run_reach_nothing) {
    add(cpsw, pause_frame + R"(, {"write": {"port": "mac", "register": "RX_MAXLEN", "value": 100}},
                 {"expect": {"port": "mac", "others": "zero"}})",
        1);
    BOOST_TEST(reaches("rx_multicast_frames"));
    BOOST_TEST(!accesses("RX_MAXLEN"));
    BOOST_TEST(!counter("rx_good_frames").compared);
}

BOOST_AUTO_TEST_CASE(an_expectation_that_other_devices_meet_hides_no_later_frame) {
    add(cpsw,
        R"({"expect": {"port": "mac", "totals": {"rx_pause_frames": 77}}},
           {"read": {"port": "mac", "register": "RX_MAXLEN", "expect": 77}}, )" +
            pause_frame);
    BOOST_TEST(reaches("rx_multicast_frames"));
}

BOOST_AUTO_TEST_CASE(registers_are_reached_by_settings_writes_and_reads) {
    add(R"({"model": "cpsw", "registers": {"RX_MAXLEN": 1000}})",
        R"({"write": {"port": "mac", "register": "MACCONTROL", "value": 0}})");
    BOOST_TEST(accesses("RX_MAXLEN"));
    BOOST_TEST(accesses("MACCONTROL"));
    BOOST_TEST(!accesses("STAT_PORT_EN"));
    add(cpsw, R"({"read": {"port": "mac", "register": "STAT_PORT_EN"}})");
    BOOST_TEST(accesses("STAT_PORT_EN"));
}

BOOST_AUTO_TEST_CASE(each_model_has_its_own) {
    add(cpsw, pause_frame);
    add(R"({"model": "ll40g"})", "");
    BOOST_REQUIRE(coverage.models().size() == 2U);
    BOOST_TEST(coverage.models()[1].model->name == std::string("ll40g"));
    for (const CounterCoverage& each : coverage.models()[1].counters)
        for (const bool rule : each.rules)
            BOOST_TEST(!rule);
}

BOOST_AUTO_TEST_SUITE_END()

// matching_rules() against what the emulator counts, on new devices.
BOOST_AUTO_TEST_CASE(a_rule_matches_if_and_only_if_its_counter_counts_the_frame) {
    std::size_t seen = 0;
    for (const macstats_model* model : all_models())
        for (const auto direction : {MACSTATS_RX, MACSTATS_TX})
            for (const auto destination : {MACSTATS_UNICAST, MACSTATS_MULTICAST})
                for (const std::uint32_t length : {60U, 64U, 1000U, 9700U})
                    for (const unsigned int errors : {0U, unsigned{MACSTATS_ERR_FCS}}) {
                        macstats_frame frame{};
                        frame.direction = static_cast<__u8>(direction);
                        frame.destination = static_cast<__u8>(destination);
                        frame.kind = MACSTATS_DATA;
                        frame.origin = MACSTATS_BY_SOFTWARE;
                        frame.length = length;
                        frame.errors = static_cast<__u16>(errors);
                        Device device(*model);
                        BOOST_REQUIRE(device.poll(PortIndex(0), 1).has_value());
                        std::vector<bool> matched(model->n_counters);
                        for (const CounterRule& rule : device.matching_rules(PortIndex(0), frame))
                            matched.at(rule.counter.value()) = true;
                        BOOST_REQUIRE(device.send(PortIndex(0), frame).has_value());
                        BOOST_REQUIRE(device.poll(PortIndex(0), 1'000'000'000).has_value());
                        const auto totals = device.totals(PortIndex(0));
                        const auto absent = device.absent(PortIndex(0));
                        for (std::uint32_t i = 0; i < model->n_counters; i++) {
                            const macstats_counter& counter = model->counters[i];
                            // Others add 0 for some frames, or later.
                            if (counter.unit != MACSTATS_FRAMES || counter.good_frames)
                                continue;
                            BOOST_TEST(
                                matched[i] ==
                                    (totals[i] > 0 && !is_absent(absent, CounterIndex(i))),
                                model->name << ": " << counter.name << ", " << length << " octets");
                            seen += matched[i];
                        }
                    }
    BOOST_TEST(seen > 100U);
}

BOOST_AUTO_TEST_CASE(a_frame_that_is_rejected_matches_nothing) {
    const Device device(*find_model("cpsw"));
    BOOST_TEST(device.matching_rules(PortIndex(0), macstats_frame{}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
