// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend on a driver of the bench: waiting and differences. The port itself is in
// driver_port.cpp.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/fault.h>

#include "core/error.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "scenario/lookup.hpp"
#include "scenario/wire_plan.hpp"

namespace macstats {

namespace {

using std::chrono::milliseconds;

constexpr struct {
    milliseconds first{10};    // until the second reading; doubles with each
    milliseconds timers{2500}; // longer than any period of a driver's timers
    milliseconds strings{50};  // for what a read of `ethtool -S` starts
} bench_limits;

// Faults that end by themselves.
constexpr std::uint32_t momentary = MACSTATS_FAULT_RESET | MACSTATS_FAULT_PARITY_ERROR;

// Shared by the device sets of a backend.
struct Bench {
    std::unique_ptr<BenchPort> port;
    std::unique_ptr<WireClock> clock;
    DriverBackend::Lateness lateness{};
    DriverBackend::Counted counted{};
    /// When something last happened to the hardware.
    WireClock::TimePoint disturbed = clock->now();
};

std::optional<std::uint64_t>
string_value(std::span<const NamedValue> among, const std::string& name) {
    const auto found = std::ranges::find(among, name, &NamedValue::name);
    return found == among.end() ? std::nullopt : std::optional(found->value);
}

// What the strings show of the counters. @baseline: to subtract
void add_totals(
    const WireEnd& end, const DriverView& view, const DriverView& baseline, Observation& seen) {
    if (end.strings.empty())
        return;
    seen.totals.resize(end.model->n_counters);
    for (std::uint32_t i = 0; i < end.model->n_counters; i++) {
        const auto string = end.strings.find(CounterIndex(i));
        const auto value =
            string == end.strings.end() ? std::nullopt : string_value(view.strings, string->second);
        if (value)
            seen.totals[i] = *value - string_value(baseline.strings, string->second).value_or(0);
        else
            seen.absent.emplace_back(i);
    }
}

// The port as a scenario sees it: all of its devices' ports but one skip the scenario.
class BenchDevices final : public DriverDevices {
public:
    explicit BenchDevices(Bench& bench) : bench_(bench) {}

    ~BenchDevices() override { (void)finish(); }

    Result<void> finish() override {
        const std::uint32_t faults = std::exchange(faults_, 0);
        const bool was_reset = std::exchange(reset_, false);
        const bool was_down = std::exchange(down_, false);
        if (!faults && !was_reset && !was_down)
            return {};
        bench_.disturbed = bench_.clock->now();
        Result<void> done;
        const auto try_to = [&done](Result<void> result) {
            if (done)
                done = std::move(result);
        };
        for (const Name& fault : fault_names)
            if (faults & fault.value)
                try_to(port().fault({.faults = fault.value, .active = false}));
        // After a reset, the driver sets its registers again.
        if (was_reset && !was_down)
            try_to(port().set_up(false, *bench_.clock));
        if (was_reset || was_down)
            try_to(port().set_up(true, *bench_.clock));
        bench_.disturbed = bench_.clock->now();
        return in_context(port().end().interface, std::move(done));
    }

    Result<void> begin() override {
        MACSTATS_CHECK(in_context(port().end().interface, port().set_up(true, *bench_.clock)));
        MACSTATS_TRY(baseline_, settled());
        last_ = baseline_;
        MACSTATS_TRY(macstats_, in_context(port().end().interface, port().macstats()));
        return {};
    }

    Result<void> send(ScenarioPort, const macstats_frame& frame, std::uint64_t count) override {
        MACSTATS_CHECK(catch_up());
        if (down_) // as the fault has it: nothing counts
            return {};
        MACSTATS_CHECK(port().inject(frame, count));
        sent_ = bench_.disturbed = bench_.clock->now();
        return {};
    }

    // The plan skips scenarios with these.
    Result<std::uint64_t> read(ScenarioPort, const Place&) override { return not_possible(); }
    Result<void> write(ScenarioPort, const Place&, std::uint64_t) override {
        return not_possible();
    }

    Result<void> count(CounterIndex counter, std::uint64_t more) override {
        MACSTATS_CHECK(catch_up());
        MACSTATS_CHECK(port().count(counter, more));
        sent_ = bench_.disturbed = bench_.clock->now();
        return {};
    }

    Result<void> restart() override {
        MACSTATS_CHECK(catch_up());
        disturb();
        return port().restart();
    }

    Result<void> preset(ScenarioPort, CounterIndex counter, std::uint64_t value) override {
        if (!before_preset_) {
            MACSTATS_TRY(before_preset_, settled());
        }
        bench_.disturbed = bench_.clock->now();
        return port().preset(counter, value);
    }

    Result<void> fault(ScenarioPort, const FaultRequest& request) override {
        MACSTATS_CHECK(catch_up());
        if (request.faults == MACSTATS_FAULT_SUSPEND) {
            MACSTATS_CHECK(port().set_up(!request.active, *bench_.clock));
            down_ = request.active;
        } else {
            MACSTATS_CHECK(port().fault(request));
            faults_ &= ~request.faults;
            if (request.active)
                faults_ |= request.faults & ~momentary;
            reset_ |= request.faults == MACSTATS_FAULT_RESET;
        }
        disturb();
        return {};
    }

    // An expectation that follows reads more, and only then `ethtool -S`.
    Result<void> poll(ScenarioPort) override {
        poll_ = true;
        return {};
    }

    Result<void> advance(std::uint64_t nanoseconds) override {
        MACSTATS_CHECK(catch_up());
        return bench_.clock->sleep(std::chrono::ceil<milliseconds>(
            std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds))));
    }

    Result<Observation> observe(ScenarioPort, bool) override {
        MACSTATS_CHECK(catch_up());
        return difference(true);
    }

    Result<Observation> await(ScenarioPort, bool, const AsExpected& as_expected) override {
        poll_ = false;
        MACSTATS_CHECK(catch_up());
        // What does not come by itself is not yet wrong; what comes after the right value is.
        MACSTATS_CHECK(wait(false, as_expected, until_quiet()));
        return wait(true, as_expected, bench_limits.strings);
    }

    Result<DriverGrowth> growth() override {
        MACSTATS_CHECK(catch_up());
        MACSTATS_TRY(auto seen, difference(true));
        DriverGrowth grown{
            .standard = std::move(seen.standard),
            .strings = last_.strings,
            .before = baseline_,
            .macstats = {}};
        for (std::size_t i = 0; i < grown.strings.size(); i++)
            if (i < baseline_.strings.size() && baseline_.strings[i].name == grown.strings[i].name)
                grown.strings[i].value -= baseline_.strings[i].value;
        MACSTATS_TRY(grown.macstats, in_context(port().end().interface, port().macstats()));
        if (!grown.macstats || !macstats_)
            return grown;
        for (std::size_t i = 0;
             i < std::min(grown.macstats->totals.size(), macstats_->totals.size()); i++)
            grown.macstats->totals[i] -= macstats_->totals[i];
        for (StandardValue& value : grown.macstats->standard)
            value.value -= value_of(macstats_->standard, value);
        return grown;
    }

private:
    [[nodiscard]] BenchPort& port() const { return *bench_.port; }

    // What changes from now on is not that of frames that came before.
    void disturb() {
        bench_.disturbed = bench_.clock->now();
        sent_.reset();
    }

    static Error not_possible() { return {unsupported, "registers belong to the driver"}; }

    Result<DriverView> look(bool with_strings) {
        const auto now = bench_.clock->now();
        MACSTATS_TRY(auto seen, in_context(port().end().interface, port().observe(with_strings)));
        note_lateness(seen);
        for (const StandardValue& value : seen.standard)
            if (value.value)
                bench_.counted.emplace(value.id, value.low);
        last_ = seen;
        last_time_ = now;
        return seen;
    }

    // What is new in @seen was not there at the time of the last reading.
    void note_lateness(const DriverView& seen) {
        if (!sent_ || last_time_ <= *sent_)
            return;
        for (const StandardValue& value : seen.standard) {
            const StandardValue* old = find_same(last_.standard, value);
            if (!old || old->value == value.value)
                continue;
            auto& late = bench_.lateness[{value.id, value.low}];
            late = std::max(late, std::chrono::floor<milliseconds>(last_time_ - *sent_));
        }
    }

    // What the driver reports once it has read the hardware.
    Result<DriverView> settled() {
        if (const milliseconds left = until_quiet(); left.count() > 0)
            MACSTATS_CHECK(bench_.clock->sleep(left));
        return look(true);
    }

    // Until the timers of the driver have run; not above 0 if they have.
    [[nodiscard]] milliseconds until_quiet() const {
        return std::chrono::ceil<milliseconds>(
            bench_.disturbed + bench_limits.timers - bench_.clock->now());
    }

    // End the presets, and make a poll happen, before something else does.
    Result<void> catch_up() {
        if (before_preset_) {
            MACSTATS_TRY(const auto after, settled());
            for (StandardValue& value : baseline_.standard)
                value.value +=
                    value_of(after.standard, value) - value_of(before_preset_->standard, value);
            for (NamedValue& value : baseline_.strings)
                value.value += string_value(after.strings, value.name).value_or(0) -
                               string_value(before_preset_->strings, value.name).value_or(0);
            before_preset_.reset();
        } else if (poll_) {
            MACSTATS_CHECK(settled());
        }
        poll_ = false;
        return {};
    }

    static std::uint64_t
    value_of(std::span<const StandardValue> among, const StandardValue& wanted) {
        const StandardValue* found = find_same(among, wanted);
        return found ? found->value : 0;
    }

    Result<Observation> difference(bool with_strings) {
        MACSTATS_TRY(auto view, look(with_strings));
        Observation seen;
        seen.standard = std::move(view.standard);
        add_totals(port().end(), view, baseline_, seen);
        std::vector<std::string> back;
        std::erase_if(seen.standard, [this](const StandardValue& value) {
            return !find_same(baseline_.standard, value);
        });
        for (StandardValue& value : seen.standard) {
            const std::uint64_t before = value_of(baseline_.standard, value);
            if (!before && !value.value)
                seen.uncounted.push_back(value);
            if (value.value < before)
                back.push_back(fmt::format(
                    "{}/{} went from {} to {}", value.group(), value.name(), before, value.value));
            value.value -= before;
        }
        seen.remark = fmt::format("{}", fmt::join(back, ", "));
        return seen;
    }

    // Read until @as_expected accepts it, and again at the limit: it must stay so.
    Result<Observation> wait(bool with_strings, const AsExpected& as_expected, milliseconds limit) {
        for (milliseconds pause = bench_limits.first;; pause *= 2) {
            MACSTATS_TRY(auto seen, difference(with_strings));
            if (limit.count() <= 0)
                return seen;
            pause = as_expected(seen) ? limit : std::min(pause, limit);
            MACSTATS_CHECK(bench_.clock->sleep(pause));
            limit -= pause;
        }
    }

    Bench& bench_;
    DriverView baseline_;
    std::optional<Observation> macstats_;     // then
    std::optional<DriverView> before_preset_; // while presets go on
    bool poll_ = false;                       // one is due
    bool down_ = false;
    bool reset_ = false;
    std::uint32_t faults_ = 0;                 // that are active
    std::optional<WireClock::TimePoint> sent_; // the last frames
    DriverView last_;                          // reading
    WireClock::TimePoint last_time_{};
};

class DriverBackendOnPort final : public DriverBackend {
public:
    explicit DriverBackendOnPort(Bench bench) : bench_(std::move(bench)) {}

    [[nodiscard]] std::string_view name() const override { return "driver"; }
    [[nodiscard]] BenchPort& port() override { return *bench_.port; }
    [[nodiscard]] const Lateness& lateness() const override { return bench_.lateness; }
    [[nodiscard]] const Counted& counted() const override { return bench_.counted; }

    // By the statistics that the driver reports now.
    Result<AdaptedScenario> adapt(const Scenario& scenario) override {
        WireEnd end = port().end();
        MACSTATS_TRY(const auto reported, in_context(end.interface, port().observe(true)));
        end.reported.standard = reported.standard;
        add_totals(end, reported, {}, end.reported);
        MACSTATS_TRY(auto adapted, plan_for_wire(scenario, {&end, 1}));
        MACSTATS_CHECK(check_registers(scenario));
        return adapted;
    }

    Result<std::unique_ptr<DeviceSet>> set_up(const std::vector<ScenarioDevice>&) override {
        MACSTATS_TRY(auto set, start());
        return std::unique_ptr<DeviceSet>(std::move(set));
    }

    Result<std::unique_ptr<DriverDevices>> start() override {
        auto set = std::make_unique<BenchDevices>(bench_);
        MACSTATS_CHECK(set->begin());
        return std::unique_ptr<DriverDevices>(std::move(set));
    }

private:
    // The MAC counts what the scenario expects with the registers that the driver has set, too.
    Result<void> check_registers(Scenario scenario) {
        const WireEnd& end = port().end();
        for (ScenarioDevice& device : scenario.devices)
            if (device.name == end.name || end.name.starts_with(device.name + "/")) {
                MACSTATS_TRY(device.registers, in_context(end.interface, port().registers()));
            }
        const Report report = run_scenario(scenario, *builtin_backend());
        if (report.outcome == Outcome::passed)
            return {};
        return Error{
            DeviceSet::unsupported,
            fmt::format(
                "the driver of {} has set registers with which it does not hold: {}", end.interface,
                report.failures.empty() ? report.reason : failure_text(report.failures[0]))};
    }

    Bench bench_;
};

} // namespace

std::unique_ptr<DriverBackend>
driver_backend(std::unique_ptr<BenchPort> port, std::unique_ptr<WireClock> clock) {
    return std::make_unique<DriverBackendOnPort>(
        Bench{.port = std::move(port), .clock = std::move(clock)});
}

} // namespace macstats
