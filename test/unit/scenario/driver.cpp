// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Scenarios on a driver of the bench, and the check without scenarios. The driver here is a few
// lines above a device of this process, with the defects that a test gives it.
#include "boost_test.hpp"
#include "effort.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <macstats/fault.h>
#include <macstats/frame.h>
#include <macstats/schema.h>
#include <macstats/standard.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/device/standard.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "libmacstats/scenario/driver_check.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"

BOOST_AUTO_TEST_SUITE(unit_driver)

namespace {

using namespace std::chrono_literals;

using macstats::BenchReaders;
using macstats::CounterIndex;
using macstats::DriverTrial;
using macstats::DriverVerdict;
using macstats::DriverView;
using macstats::FaultRequest;
using macstats::Observation;
using macstats::Outcome;
using macstats::Report;
using macstats::Result;
using macstats::StandardValue;
using macstats::WentBack;

constexpr macstats::PortIndex only_port{0};

// What a driver does, and what happens to it.
struct World {
    std::chrono::milliseconds now{0};
    std::chrono::milliseconds period{0}; // of the driver's timer; 0: each look reads the hardware
    std::function<std::uint64_t(const std::string& name, std::uint64_t value)> shown =
        [](const std::string&, std::uint64_t value) { return value; };
    std::vector<std::string> not_reported{};
    bool strings_show_cache = false; // a read of `ethtool -S` reads no hardware
    bool loses_at_down = false;
    std::uint32_t high_of = 127; // the highest length of the bucket that ends with 127
    std::vector<WentBack> torn{};
    bool has_strings = false;                     // one for each counter, of the same name
    std::map<std::string, std::string> strings{}; // that scenarios compare
    std::optional<Observation> macstats{};
    unsigned int restarts = 0;
    bool readers_fail = false;
    std::vector<macstats::RegisterSetting> registers{};
    unsigned int faults = 0;
    bool up = true;
    bool carrier = true;
    unsigned int times_up = 0;
    std::function<void()> timer = [] {};
};

// Its hardware clears counters on read, and it adds what it reads.
class FakePort final : public macstats::BenchPort {
public:
    FakePort(World& world, const std::string& model)
        : world_(world),
          device_(*macstats::find_model(model), setup_of(model)),
          end_{.name = "mac", .interface = "eth0", .model = &device_.model(), .kind = ""} {
        end_.emulated = device_.model().default_options;
        for (const auto& [counter, name] : world.strings)
            end_.strings[*macstats::find_counter(device_.model(), counter)] = name;
        world_.timer = [this] { (void)observe(false); };
    }
    ~FakePort() override {
        world_.timer = [] {};
    }

    [[nodiscard]] const macstats::WireEnd& end() const override { return end_; }
    Result<void> inject(const macstats_frame& frame, std::uint64_t count) override {
        return device_.send(only_port, frame, count);
    }
    Result<void> preset(CounterIndex counter, std::uint64_t value) override {
        // Whatever the accumulator makes of it, a driver counts it.
        counted_[counter.value()] += value;
        return device_.preset(only_port, counter, value);
    }
    Result<void> count(CounterIndex counter, std::uint64_t more) override {
        counted_[counter.value()] += more;
        return {};
    }
    Result<void> fault(const FaultRequest& request) override {
        world_.faults =
            request.active ? world_.faults | request.faults : world_.faults & ~request.faults;
        return device_.fault(only_port, request);
    }
    Result<void> restart() override {
        world_.restarts++;
        return device_.fault(only_port, {.faults = MACSTATS_FAULT_RESET});
    }
    Result<std::optional<Observation>> macstats() override { return world_.macstats; }
    Result<void> set_up(bool up, macstats::WireClock&) override {
        if (up && !world_.carrier)
            return macstats::Error{ENETDOWN, "the interface has no carrier"};
        world_.times_up += up && !world_.up;
        world_.up = up;
        if (world_.loses_at_down && !up)
            for (std::uint32_t i = 0; i < device_.model().n_counters; i++)
                if (const auto at =
                        macstats::find_place(device_.model(), device_.model().counters[i].name))
                    (void)device_.read(only_port, *at); // clears
        return {};
    }
    Result<std::vector<macstats::RegisterSetting>> registers() override { return world_.registers; }
    Result<DriverView> observe(bool with_strings) override {
        if ((with_strings && !world_.strings_show_cache) || world_.now >= next_) {
            (void)device_.poll(
                only_port, static_cast<std::uint64_t>(world_.now.count()) * 1'000'000);
            next_ = world_.now + world_.period;
            read();
        }
        return seen_;
    }
    Result<std::unique_ptr<BenchReaders>> read_all_the_time() override {
        if (world_.torn.empty() && !world_.readers_fail)
            return std::unique_ptr<BenchReaders>();
        return std::unique_ptr<BenchReaders>(std::make_unique<Readers>(world_));
    }

private:
    class Readers final : public BenchReaders {
    public:
        explicit Readers(const World& world) : world_(world) {}
        Result<std::vector<WentBack>> went_back() override {
            if (world_.readers_fail)
                return macstats::Error{ENODEV, "there is no such interface"};
            return world_.torn;
        }

    private:
        const World& world_;
    };

    // It takes no counter that a reset has cleared for one that has wrapped.
    static macstats::DeviceSetup setup_of(const std::string& model) {
        return {.options = macstats::find_model(model)->default_options, .line_rate_bound = true};
    }

    void read() {
        auto totals = device_.totals(only_port);
        for (const auto& [counter, value] : counted_)
            totals[counter] += value;
        // Sums of 64 bits, which no driver keeps from wrapping.
        auto sums = macstats::standard_of_totals(
            device_.model(), std::vector<std::uint64_t>(totals.size()));
        for (StandardValue& sum : sums)
            for (std::size_t i = 0; i < totals.size(); i++)
                for (const macstats_term& term : device_.model().counters[i].standard)
                    if (term.id == sum.id)
                        sum.value += totals[i] * static_cast<std::uint64_t>(term.factor);
        seen_.standard =
            macstats::standard_values(sums, macstats::buckets_of(device_.model()), totals);
        std::erase_if(seen_.standard, [this](const StandardValue& value) {
            return std::count(world_.not_reported.begin(), world_.not_reported.end(), value.name());
        });
        for (StandardValue& value : seen_.standard) {
            value.value = world_.shown(value.name(), value.value);
            if (value.high == 127)
                value.high = world_.high_of;
        }
        seen_.strings.clear();
        for (std::size_t i = 0; world_.has_strings && i < totals.size(); i++) {
            const std::string name = device_.model().counters[i].name;
            seen_.strings.push_back({name, world_.shown(name, totals[i])});
        }
    }

    World& world_;
    macstats::Device device_;
    macstats::WireEnd end_;
    std::map<std::uint32_t, std::uint64_t> counted_{}; // without frames
    std::chrono::milliseconds next_{0};
    DriverView seen_{};
};

class FakeClock final : public macstats::WireClock {
public:
    explicit FakeClock(World& world) : world_(world) {}

    TimePoint now() override { return TimePoint(world_.now); }
    Result<void> sleep(std::chrono::milliseconds duration) override {
        for (; duration.count() > 0; duration -= std::min(duration, second)) {
            world_.now += std::min(duration, second);
            world_.timer();
        }
        return {};
    }

private:
    static constexpr std::chrono::milliseconds second{1000};

    World& world_;
};

std::unique_ptr<macstats::DriverBackend> backend(World& world, const std::string& model = "e1000") {
    return macstats::driver_backend(
        std::make_unique<FakePort>(world, model), std::make_unique<FakeClock>(world));
}

Report run(World& world, const std::string& steps, const std::string& device = "") {
    const auto scenario = macstats::parse_scenario(
        R"({"name": "a name", "devices": {"mac": {"model": "e1000")" + device +
            R"(}}, "steps": [)" + steps + "]}",
        "a.json");
    BOOST_REQUIRE_MESSAGE(scenario, (scenario ? "" : scenario.error().message));
    return run_scenario(*scenario, *backend(world));
}

std::string first_failure(const Report& report) {
    BOOST_TEST(report.reason == "");
    return report.failures.empty() ? "" : failure_text(report.failures[0]);
}

const std::string bad = R"({"send": {"port": "mac", "direction": "rx", "errors": ["fcs"],
                                     "count": 3}})";
const std::string is_shown =
    R"({"expect": {"port": "mac", "standard": {"rtnl": {"rx_crc_errors": 3}}}})";

BOOST_AUTO_TEST_SUITE(scenarios)

BOOST_AUTO_TEST_CASE(frames_of_any_class_are_counted) {
    World world;
    BOOST_TEST(first_failure(run(world, bad + "," + is_shown)) == "");
}

BOOST_AUTO_TEST_CASE(a_wrong_value_fails) {
    World world;
    world.shown = [](const std::string&, std::uint64_t value) { return value / 3; };
    BOOST_TEST(
        first_failure(run(world, bad + "," + is_shown)) ==
        "/steps/1 (expect), mac: rtnl/rx_crc_errors: expected 3, actual 1");
}

BOOST_AUTO_TEST_CASE(a_driver_that_reads_by_a_timer_is_awaited) {
    World world;
    world.period = 2000ms;
    BOOST_TEST(first_failure(run(world, bad + "," + is_shown)) == "");
}

// The timer shows the right value, and adds it again the next time.
BOOST_AUTO_TEST_CASE(what_comes_after_the_right_value_fails) {
    World world;
    world.period = 1000ms;
    world.strings_show_cache = true;
    world.shown = [&world](const std::string&, std::uint64_t value) {
        return world.now < 3500ms ? value : 2 * value;
    };
    BOOST_TEST(
        first_failure(run(world, bad + "," + is_shown)) ==
        "/steps/1 (expect), mac: rtnl/rx_crc_errors: expected 3, actual 6");
}

// CRCERRS has 32 bits, and stays at its maximum until it is read.
BOOST_AUTO_TEST_CASE(what_a_preset_adds_is_no_difference) {
    World world;
    const std::string preset = R"({"preset": {"port": "mac", "counters": {"CRCERRS": 4294967295}}},
                                  {"poll": {"port": "mac"}})";
    BOOST_TEST(first_failure(run(world, preset + "," + bad + "," + is_shown)) == "");
    world.shown = [](const std::string&, std::uint64_t value) { return value % (1ULL << 32); };
    BOOST_TEST(
        first_failure(run(world, preset + "," + bad + "," + is_shown)) ==
        "/steps/3 (expect), mac: rtnl/rx_crc_errors: expected 3, actual 18446744069414584323; "
        "eth-mac/FrameCheckSequenceErrors went from 4294967295 to 2, "
        "rtnl/rx_errors went from 4294967295 to 2, "
        "rtnl/rx_crc_errors went from 4294967295 to 2");
}

BOOST_AUTO_TEST_CASE(what_a_preset_adds_to_a_string_is_no_difference) {
    World world;
    world.has_strings = true;
    world.strings = {{"CRCERRS", "rx_crc_errors"}};
    const std::string preset =
        R"({"preset": {"port": "mac", "counters": {"CRCERRS": 4294967290}}}, )";
    const std::string expected = R"(, {"expect": {"port": "mac", "totals": {"CRCERRS": 3}}})";
    BOOST_TEST(first_failure(run(world, preset + bad + expected)) == "");
}

BOOST_AUTO_TEST_CASE(a_suspended_port_is_down_and_counts_nothing) {
    World world;
    const auto suspend = [](const char* active) {
        return std::string(R"({"fault": {"port": "mac", "name": "suspend", "active": )") + active +
               "}}";
    };
    BOOST_TEST(
        first_failure(
            run(world, bad + "," + suspend("true") + "," + bad + "," + suspend("false") + "," +
                           is_shown)) == "");
    BOOST_TEST(world.up);
    BOOST_TEST(first_failure(run(world, suspend("true"))) == "");
    BOOST_TEST(world.up); // in the end
}

BOOST_AUTO_TEST_CASE(faults_end_with_the_scenario) {
    World world;
    BOOST_TEST(first_failure(run(world, R"({"fault": {"port": "mac", "name": "unplug"}})")) == "");
    BOOST_TEST(world.faults == 0U);
}

BOOST_AUTO_TEST_CASE(the_driver_sets_its_registers_again_after_a_reset) {
    World world;
    BOOST_TEST(first_failure(run(world, R"({"fault": {"port": "mac", "name": "reset"}})")) == "");
    BOOST_TEST(world.times_up == 1U);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_fault_has_time_to_show) {
    World world;
    const auto opened = backend(world);
    const auto scenario = [](const std::string& steps) {
        const auto made = macstats::parse_scenario(
            R"({"name": "a name", "devices": {"mac": {"model": "e1000"}}, "steps": [)" + steps +
                "]}",
            "a.json");
        return *made;
    };
    (void)run_scenario(
        scenario(R"({"fault": {"port": "mac", "name": "unplug"}}, {"advance": {"seconds": 60}})"),
        *opened);
    const auto before = world.now;
    (void)run_scenario(scenario(bad), *opened);
    BOOST_CHECK(world.now - before >= 2500ms);
}

BOOST_AUTO_TEST_CASE(a_port_that_does_not_come_up_again_is_a_failure) {
    World world;
    world.timer = [] {};
    const auto opened = backend(world);
    const auto scenario = macstats::parse_scenario(
        R"({"name": "a name", "devices": {"mac": {"model": "e1000"}}, "steps": [
            {"fault": {"port": "mac", "name": "suspend"}}, {"advance": {"seconds": 60}}]})",
        "a.json");
    world.timer = [&world] { world.carrier = world.now < 30s; };
    const Report report = run_scenario(*scenario, *opened);
    world.timer = [] {};
    BOOST_CHECK(report.outcome == Outcome::failed);
    BOOST_REQUIRE(!report.failures.empty());
    BOOST_TEST(report.failures[0].explanation == "eth0: the interface has no carrier");
}

BOOST_AUTO_TEST_CASE(a_port_without_carrier_is_an_error) {
    World world;
    world.carrier = false;
    const Report report = run(world, bad);
    BOOST_CHECK(report.outcome == Outcome::failed);
    BOOST_REQUIRE(!report.failures.empty());
    BOOST_TEST(report.failures[0].explanation == "eth0: the interface has no carrier");
}

BOOST_AUTO_TEST_CASE(time_passes_for_the_driver) {
    World world;
    (void)run(world, R"({"advance": {"seconds": 3600}})");
    BOOST_CHECK(world.now >= 3600s);
}

// RCTL.LPE, bit 5: frames are too long from 16385 octets on, not from 1523.
BOOST_AUTO_TEST_CASE(a_scenario_that_does_not_hold_with_the_registers_of_the_driver_is_skipped) {
    World world;
    const std::string frames = R"({"send": {"port": "mac", "direction": "rx", "length": 2000}})";
    const std::string too_long =
        frames + R"(,{"expect": {"port": "mac", "standard": {"rtnl": {"rx_length_errors": 1}}}})";
    const std::string long_packets = R"(, "registers": {"RCTL": 32})";
    BOOST_TEST(first_failure(run(world, too_long)) == "");
    const auto place = macstats::find_place(*macstats::find_model("e1000"), "RCTL");
    world.registers = {{.name = "RCTL", .place = *place, .value = 32}};
    BOOST_TEST(
        run(world, too_long).reason ==
        "the driver of eth0 has set registers with which it does not hold: /steps/1 (expect), mac: "
        "rtnl/rx_length_errors: expected 1, actual 0");
    BOOST_CHECK(run(world, frames, long_packets).outcome == Outcome::passed);
}

BOOST_AUTO_TEST_CASE(packets_that_are_0_may_be_those_of_memory) {
    World world;
    world.shown = [](const std::string& name, std::uint64_t value) {
        return name == "rx_packets" ? 0 : value;
    };
    const Report report = run(
        world, bad + R"(,{"send": {"port": "mac", "direction": "rx"}}, {"expect": {"port": "mac",
               "standard": {"rtnl": {"rx_packets": 1, "rx_crc_errors": 3}}}})");
    BOOST_TEST(first_failure(report) == "");
    BOOST_TEST(
        report.not_compared ==
            std::vector<std::string>{
                "eth0 reports 0 and may count frames in memory: rtnl/rx_packets"},
        boost::test_tools::per_element());
}

// 3 frames with a bad FCS are an error each, and rx_length_errors stays 0.
BOOST_AUTO_TEST_CASE(what_is_compared_does_not_depend_on_what_was_before) {
    World world;
    world.shown = [](const std::string& name, std::uint64_t value) {
        return name == "rx_errors" ? value / 3 : value;
    };
    const auto scenario = macstats::parse_scenario(
        R"({"name": "a name", "devices": {"mac": {"model": "e1000"}}, "steps": [)" + bad +
            R"(, {"expect": {"port": "mac", "totals": {"CRCERRS": 3, "TOR": 192, "TPR": 3},
                "others": "zero"}}]})",
        "a.json");
    BOOST_REQUIRE_MESSAGE(scenario, (scenario ? "" : scenario.error().message));
    const auto opened = backend(world);
    for (int i = 0; i < 2; i++)
        BOOST_TEST(
            first_failure(run_scenario(*scenario, *opened)) ==
            "/steps/1 (expect), mac: rtnl/rx_errors: expected 3, actual 1");
}

BOOST_AUTO_TEST_CASE(an_expected_0_is_compared) {
    World world;
    world.shown = [&world](const std::string& name, std::uint64_t value) {
        return name == "rx_missed_errors" && world.now > 2500ms ? value + 1 : value;
    };
    BOOST_TEST(
        first_failure(run(world, bad + R"(, {"expect": {"port": "mac", "others": "zero", "totals":
                               {"CRCERRS": 3, "TOR": 192, "TPR": 3}}})")) ==
        "/steps/1 (expect), mac: rtnl/rx_missed_errors: expected 0, actual 1");
}

// 3 frames of 64 octets are 192 octets in TOR, and 3 in TPR.
BOOST_AUTO_TEST_CASE(strings_that_show_a_counter_are_compared_with_its_total) {
    World world;
    world.has_strings = true;
    world.strings = {{"CRCERRS", "no such string"}};
    const std::string name = "rx_total_octets";
    world.strings["TOR"] = name;
    const std::string expected =
        bad + R"(, {"expect": {"port": "mac", "totals": {"TOR": 192, "TPR": 3}}})";
    const Report right = run(world, expected);
    BOOST_TEST(first_failure(right) == "");
    BOOST_TEST(
        right.not_compared ==
            std::vector<std::string>{"no standard statistic of eth0 shows: rx_total_frames"},
        boost::test_tools::per_element());
    world.shown = [&name](const std::string& of, std::uint64_t value) {
        return of == name ? value / 2 : value;
    };
    BOOST_TEST(
        first_failure(run(world, expected)) ==
        "/steps/1 (expect), mac: " + name + ": expected 192, actual 96");
}

BOOST_AUTO_TEST_CASE(a_scenario_of_which_nothing_is_compared_is_skipped) {
    World world;
    world.shown = [](const std::string&, std::uint64_t) { return std::uint64_t{0}; };
    const Report report =
        run(world, R"({"send": {"port": "mac", "direction": "rx"}}, {"expect": {"port": "mac",
                       "standard": {"rtnl": {"rx_packets": 1}}}})");
    BOOST_CHECK(report.outcome == Outcome::skipped);
    BOOST_TEST(
        report.reason == "nothing of what it expects can be compared: eth0 reports 0 and may count "
                         "frames in memory: rtnl/rx_packets");
}

BOOST_AUTO_TEST_CASE(what_belongs_to_the_driver_or_the_provider_is_a_reason) {
    World world;
    const auto reason = [&world](const std::string& steps, const std::string& device = "") {
        const Report report = run(world, steps, device);
        BOOST_CHECK(report.outcome == Outcome::skipped);
        return report.reason;
    };
    BOOST_TEST(
        reason(R"({"read": {"port": "mac", "register": "GPRC"}})") ==
        "its step 0 (read) reads a register");
    BOOST_TEST(
        reason(R"({"fault": {"port": "mac", "name": "reset", "announced": true}})") ==
        "its step 0 (fault) has the driver announce a reset");
    BOOST_TEST(
        reason(R"({"advance": {"seconds": 86401}})") ==
        "its step 0 (advance) lets more than a day pass");
    BOOST_TEST(
        reason(bad, R"(, "options": {"duplex": "half"})") ==
        "mac has other options than the hardware of eth0: duplex=half");
    BOOST_TEST(
        reason(bad, R"(, "options": {"line_rate_bound": true})") ==
        "mac has a bound that no driver has: line_rate_bound");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(check)

// {"group/name": verdict}
std::map<std::string, std::string> verdicts(World& world, const std::string& model = "e1000") {
    const auto opened = backend(world, model);
    const auto report = macstats::check_driver(*opened);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : report.error().message));
    BOOST_TEST(report->failed.empty());
    std::map<std::string, std::string> found;
    for (const auto& one : report->statistics)
        found[std::string(one.statistic.group()) + "/" + one.statistic.name()] =
            macstats::verdict_name(one.verdict);
    return found;
}

// What the check makes of one of them.
const auto& judged(const auto& report, std::string_view name) {
    const auto one = std::ranges::find_if(
        report->statistics, [&](const auto& each) { return each.statistic.name() == name; });
    BOOST_REQUIRE((one != report->statistics.end()));
    return *one;
}

BOOST_AUTO_TEST_CASE(a_right_driver_is_right_for_each_model_whose_reads_clear) {
    for (const char* model : {"e1000", "e1000e", "gem"}) {
        World world;
        for (const auto& [name, verdict] : verdicts(world, model))
            BOOST_TEST_CONTEXT(model << " " << name)
        // Of counters that another revision has
        BOOST_TEST((verdict == "right" || verdict == "untried" || verdict == "unjudged"));
    }
}

// Statistics that the checks of a trial tell, other than 0, in full and in half duplex.
std::map<DriverTrial, std::set<std::string>> told(const macstats_model& model) {
    std::map<DriverTrial, std::set<std::string>> names;
    for (const unsigned int duplex : {0U, unsigned{MACSTATS_OPT_HALF_DUPLEX}}) {
        const auto made = macstats::driver_checks(
            model, static_cast<std::uint16_t>(model.default_options ^ duplex), {});
        if (!made) {
            BOOST_TEST(duplex != 0U); // the MAC has one of them only
            continue;
        }
        for (const std::string& failed : made->failed)
            BOOST_ERROR(model.name << ": " << failed);
        for (const auto& check : made->checks)
            for (const StandardValue& right : check.right)
                if (right.value)
                    names[check.trial].insert(std::string(right.group()) + "/" + right.name());
    }
    return names;
}

// Whether some counter that feeds the statistic is a register.
bool is_in_registers(const macstats_model& model, const StandardValue& statistic) {
    for (std::uint32_t i = 0; i < model.n_counters; i++) {
        const macstats_counter& row = model.counters[i];
        if (!macstats_is_software_counter(&row) &&
            (std::count(statistic.counters.begin(), statistic.counters.end(), CounterIndex(i)) ||
             std::any_of(
                 std::begin(row.standard), std::end(row.standard),
                 [&statistic](const macstats_term& term) { return term.id == statistic.id; })))
            return true;
    }
    return false;
}

// Of frames of several classes, nothing is right. ixf1104 counts runts when a good frame follows;
// the octets of ll40g_agilex5 lack frames of which it subtracts the FCS.
const std::set<std::pair<std::string, std::string>> depends_on_other_frames{
    {"ixf1104", "rtnl/rx_errors"},
    {"ll40g_agilex5", "rtnl/rx_bytes"},
    {"ll40g_agilex5", "rtnl/tx_bytes"},
};

// Of one in three models, unless the run is long: others with each seed.
BOOST_AUTO_TEST_CASE(each_trial_tells_right_values_of_each_statistic) {
    std::uint64_t number = macstats::test::run_seed();
    for (const macstats_model* model : macstats::all_models()) {
        if (number++ % 3 && !macstats::test::is_long())
            continue;
        const auto made = macstats::driver_checks(*model, model->default_options, {});
        BOOST_TEST(made->statistics.size() >= 10U);
        auto names = told(*model);
        for (const StandardValue& statistic : made->statistics) {
            const std::string name = std::string(statistic.group()) + "/" + statistic.name();
            BOOST_TEST_CONTEXT(model->name << " " << name) {
                if (!names[DriverTrial::frames].contains(name)) {
                    BOOST_TEST(names[DriverTrial::counters].contains(name));
                    continue;
                }
                if (depends_on_other_frames.contains({model->name, name}))
                    continue;
                for (const auto trial :
                     {DriverTrial::open, DriverTrial::down_up, DriverTrial::readers,
                      DriverTrial::reset})
                    BOOST_TEST(names[trial].contains(name), macstats::trial_name(trial));
                if (is_in_registers(*model, statistic))
                    BOOST_TEST(names[DriverTrial::wrap].contains(name));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(each_defect_has_its_verdict) {
    World world;
    world.not_reported = {"rx_length_errors"};
    world.shown = [](const std::string& name, std::uint64_t value) -> std::uint64_t {
        if (name == "collisions" || name == "rx_missed_errors")
            return 0;
        if (name == "tx_bytes")
            return value % (1ULL << 32);
        return name == "rx_packets" ? value + value / 3 : value;
    };
    auto found = verdicts(world);
    BOOST_TEST(found["rtnl/rx_length_errors"] == "missing");
    BOOST_TEST(found["rtnl/rx_missed_errors"] == "uncounted");
    BOOST_TEST(found["rtnl/rx_packets"] == "wrong");
    BOOST_TEST(found["rtnl/tx_bytes"] == "wrong");
    BOOST_TEST(found["rtnl/tx_packets"] == "right");
}

// It counts to 10, then shows 0, in the end, too.
BOOST_AUTO_TEST_CASE(a_value_that_is_0_in_the_end_was_counted) {
    World world;
    world.shown = [](const std::string& name, std::uint64_t value) -> std::uint64_t {
        if (name == "rx_missed_errors" || name == "FramesLostDueToIntMACRcvError")
            return std::uint64_t{0};
        return name == "rx_crc_errors" && value > 10 ? 0 : value;
    };
    const auto opened = backend(world);
    const auto report = macstats::check_driver(*opened, {DriverTrial::wrap});
    BOOST_TEST(verdict_name(judged(report, "rx_crc_errors").verdict) == "wrong");
    BOOST_TEST(verdict_name(judged(report, "rx_missed_errors").verdict) == "uncounted");
    BOOST_TEST(!judged(report, "rx_missed_errors").findings.empty());
}

// The kernel reports every member of the group rtnl; of others, those that the driver fills in.
BOOST_AUTO_TEST_CASE(a_0_of_another_group_is_wrong) {
    World world;
    world.shown = [](const std::string& name, std::uint64_t value) {
        return name == "FrameCheckSequenceErrors" ? 0 : value;
    };
    BOOST_TEST(verdicts(world)["eth-mac/FrameCheckSequenceErrors"] == "wrong");
}

// Buckets of other lengths
BOOST_AUTO_TEST_CASE(what_is_not_compared_is_missing) {
    World world;
    world.high_of = 999;
    auto found = verdicts(world, "lan743x");
    BOOST_TEST(found["rmon/rx-pkts65to999"] == "unjudged");
    BOOST_TEST(found["rmon/rx-pkts65to127"] == "missing");
    BOOST_TEST(found["rmon/tx-pkts65to127"] == "missing");
    BOOST_TEST(found["rmon/rx-pkts128to255"] != "missing");
}

BOOST_AUTO_TEST_CASE(a_loss_at_down_is_lost) {
    World world;
    world.period = 60'000ms;
    world.loses_at_down = true;
    auto found = verdicts(world);
    BOOST_TEST(found["rtnl/rx_packets"] == "lost");
}

// The counters of errors have 10 bits: 512 frames, three times.
BOOST_AUTO_TEST_CASE(a_loss_while_nobody_reads_is_lost) {
    World world;
    world.period = 60'000ms;
    const auto opened = backend(world, "gem");
    const auto report = macstats::check_driver(*opened);
    const auto& lost = judged(report, "rx_crc_errors");
    BOOST_TEST(verdict_name(lost.verdict) == "lost");
    BOOST_REQUIRE(!lost.findings.empty());
    BOOST_CHECK(lost.findings[0].trial == DriverTrial::silence);
    BOOST_TEST(*lost.findings[0].expected == 1536U);
    BOOST_TEST(lost.findings[0].actual < 1536U);
}

BOOST_AUTO_TEST_CASE(a_value_that_comes_with_a_timer_is_late) {
    World world;
    world.period = 2000ms;
    auto found = verdicts(world);
    BOOST_TEST(found["rtnl/rx_packets"] == "late");
}

BOOST_AUTO_TEST_CASE(a_value_that_goes_back_while_others_read_is_torn) {
    World world;
    world.torn = {{.from = {.id = macstats::standard_id("rtnl", "rx_bytes"), .value = 9}, .to = 7}};
    const auto opened = backend(world);
    const auto report = macstats::check_driver(*opened, {DriverTrial::readers});
    BOOST_TEST(verdict_name(judged(report, "tx_bytes").verdict) == "right");
    const auto& torn = judged(report, "rx_bytes");
    BOOST_TEST(verdict_name(torn.verdict) == "torn");
    BOOST_REQUIRE(torn.findings.size() == 1U);
    BOOST_TEST(torn.findings[0].went_back);
    BOOST_TEST(*torn.findings[0].expected == 9U);
    BOOST_TEST(torn.findings[0].actual == 7U);
}

// Whatever the model says of it
BOOST_AUTO_TEST_CASE(a_value_that_no_counter_is_may_be_torn_too) {
    World world;
    world.high_of = 999;
    world.torn = {
        {.from = {.id = MACSTATS_STD_HIST_RX, .value = 9, .low = 65, .high = 999}, .to = 7}};
    BOOST_TEST(verdicts(world, "lan743x")["rmon/rx-pkts65to999"] == "torn");
}

// Frames that come alone show what the driver makes of them.
BOOST_AUTO_TEST_CASE(what_is_wrong_alone_is_not_lost) {
    World world;
    world.shown = [](const std::string& name, std::uint64_t value) {
        return name == "multicast" ? 2 * value : value;
    };
    const auto opened = backend(world);
    const auto report = macstats::check_driver(*opened, {DriverTrial::down_up});
    const auto& wrong = judged(report, "multicast");
    BOOST_TEST(verdict_name(wrong.verdict) == "wrong");
    for (const auto& finding : wrong.findings)
        BOOST_CHECK(finding.trial == DriverTrial::frames);
}

BOOST_AUTO_TEST_CASE(readers_that_fail_are_a_failed_trial) {
    World world;
    world.readers_fail = true;
    const auto opened = backend(world);
    const auto report = macstats::check_driver(*opened);
    BOOST_TEST(
        report->failed == std::vector<std::string>{"readers: there is no such interface"},
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_finding_has_its_frames_and_values) {
    World world;
    world.shown = [](const std::string& name, std::uint64_t value) {
        return name == "rx_crc_errors" ? 0 : value + (name == "multicast" ? value : 0);
    };
    const auto opened = backend(world);
    const auto report = macstats::check_driver(*opened);
    const auto& finding = judged(report, "multicast").findings.at(0);
    BOOST_CHECK(finding.trial == DriverTrial::frames);
    BOOST_TEST(finding.count == 3U);
    BOOST_TEST(int{finding.frame.destination} == int{MACSTATS_MULTICAST});
    BOOST_TEST(*finding.expected == 3U);
    BOOST_TEST(finding.actual == 6U);
    BOOST_TEST(!finding.more);
}

// COLC, and its statistic
BOOST_AUTO_TEST_CASE(what_counts_in_half_duplex_is_untried_in_full_duplex) {
    World world;
    const auto opened = backend(world);
    const auto report =
        macstats::check_driver(*opened, {DriverTrial::frames, DriverTrial::counters});
    const auto why = std::find_if(
        report->not_tried.begin(), report->not_tried.end(), [](const std::string& line) {
            return line.find("tx_collisions") != std::string::npos &&
                   line.ends_with("in half duplex only");
        });
    BOOST_CHECK(why != report->not_tried.end());
    BOOST_TEST(verdict_name(judged(report, "SingleCollisionFrames").verdict) == "untried");
}

// CRCERRS
BOOST_AUTO_TEST_CASE(a_string_that_grows_as_a_counter_does_is_compared_in_the_other_trials) {
    World world;
    world.has_strings = true;
    world.shown = [](const std::string& name, std::uint64_t value) {
        return name == "rx_crc_errors" ? value % 1'000'000 : value;
    };
    const auto opened = backend(world);
    const auto report = macstats::check_driver(
        *opened, {DriverTrial::frames, DriverTrial::counters, DriverTrial::wrap});
    bool is_there = false;
    for (const auto& one : report->strings) {
        if (one.name != "rx_crc_errors") {
            BOOST_TEST(one.findings.empty());
            continue;
        }
        is_there = true;
        BOOST_REQUIRE(!one.findings.empty());
        BOOST_CHECK(one.findings[0].trial == DriverTrial::wrap);
        BOOST_TEST(*one.findings[0].expected == 3ULL << 31);
    }
    BOOST_TEST(is_there);
}

// It stands still.
BOOST_AUTO_TEST_CASE(wrong_values_of_macstats_are_a_failed_trial) {
    World world;
    world.macstats.emplace();
    world.macstats->standard = {{.id = MACSTATS_STD_RTNL_RX_CRC_ERRORS}};
    const auto opened = backend(world);
    const auto report = macstats::check_driver(*opened, {DriverTrial::frames});
    BOOST_REQUIRE(!report->failed.empty());
    BOOST_TEST(report->failed[0] == "frames: macstats has 0 of rtnl/rx_crc_errors, not 3");
}

BOOST_AUTO_TEST_CASE(a_reset_leaves_the_port_up) {
    World world;
    const auto opened = backend(world);
    const auto report = macstats::check_driver(*opened, {DriverTrial::reset});
    BOOST_REQUIRE(report);
    BOOST_TEST(world.restarts == 1U);
    BOOST_TEST(world.times_up == 0U);
    BOOST_TEST(opened->lateness().empty());
}

BOOST_AUTO_TEST_CASE(an_interruption_ends_the_check) {
    World world;
    const auto opened = backend(world);
    BOOST_TEST(macstats::check_driver(*opened, {}, [] { return true; }).error().errnum == EINTR);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace

BOOST_AUTO_TEST_SUITE_END()
