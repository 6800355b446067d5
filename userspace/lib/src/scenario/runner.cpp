// SPDX-License-Identifier: GPL-2.0 OR MIT
// Runs the steps of a scenario in order on the devices of a backend.
#include "libmacstats/scenario/runner.hpp"

#include <array>
#include <macstats/lengths.h>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model.hpp"
#include "libmacstats/core/names.hpp"
#include "scenario/lookup.hpp"

namespace macstats {

namespace {

// How often a scenario that was disturbed (see DeviceSet) is run, at most.
constexpr unsigned int most_attempts = 3;

std::string row_text(const macstats_counter& counter) {
    return fmt::format("{}: {}", counter.reg, counter.help);
}

// The datasheet's description of a place.
std::string place_text(const macstats_model& model, const Place& place) {
    unsigned int word = 0;
    if (place.counter)
        return row_text(*place.counter);
    if (const int i = macstats_counter_at(&model, place.address, &word); i >= 0)
        return row_text(model.counters[i]);
    if (const int i = macstats_register_at(&model, place.address); i >= 0)
        return fmt::format("{}: {}", model.registers[i].name, model.registers[i].help);
    return "";
}

// The counters of which a standard statistic is the sum.
std::string standard_text(const macstats_model& model, const ExpectedStandard& wanted) {
    std::string text;
    for (const auto& counter : std::span(model.counters, model.n_counters))
        for (const macstats_term& term : counter.standard) {
            const StandardName name = standard_name(term.id);
            if (name.group != wanted.group || name.name != wanted.name)
                continue;
            if (wanted.low && macstats_sizes_low(&model, counter.when[0].size) != *wanted.low)
                continue;
            if (!text.empty())
                text += " + ";
            text += term.factor == 1 ? std::string(counter.reg)
                                     : fmt::format("{} * {}", int{term.factor}, counter.reg);
        }
    return text;
}

std::string number_or_absent(const std::optional<std::uint64_t>& value) {
    return value ? fmt::format("{}", *value) : "absent";
}

class Stopwatch {
public:
    [[nodiscard]] std::chrono::nanoseconds elapsed() const { return Clock::now() - start_; }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

Report new_report(const Scenario& scenario) {
    Report report;
    report.file = scenario.file;
    report.name = scenario.name;
    report.reference = scenario.reference;
    return report;
}

void add_failure(Report& report, Failure failure) {
    report.outcome = Outcome::failed;
    report.failures.push_back(std::move(failure));
}

// A step failed, or the backend does not support it.
void add_error(Report& report, const Error& error, Failure where) {
    if (error.errnum == DeviceSet::unsupported) {
        report.outcome = Outcome::skipped;
        report.reason = error.message;
        return;
    }
    const bool is_whole =
        error.errnum == DeviceSet::disturbed || error.errnum == DeviceSet::frames_lost;
    where.actual = is_whole ? error.message : errno_text(error.errnum);
    where.explanation = is_whole ? "" : error.message;
    add_failure(report, std::move(where));
}

class Run {
public:
    Run(const Scenario& scenario, DeviceSet& set, Report& report)
        : scenario_(scenario),
          devices_(set),
          report_(report) {}

    void steps() {
        for (step_ = 0; step_ < scenario_.steps.size() && report_.outcome == Outcome::passed;
             step_++) {
            const Stopwatch stopwatch;
            std::visit(*this, scenario_.steps[step_]);
            report_.steps.push_back(stopwatch.elapsed());
        }
        for (const auto& [why, left_out] : left_out_)
            report_.not_compared.push_back(fmt::format("{}: {}", why, fmt::join(left_out, ", ")));
        if (report_.outcome != Outcome::passed || left_out_.empty() || compared_)
            return;
        report_.outcome = Outcome::skipped;
        report_.reason = fmt::format(
            "nothing of what it expects can be compared: {}",
            fmt::join(report_.not_compared, "; "));
    }

    void operator()(const SendStep& step) {
        check(devices_.send(step.port, step.frame, step.count), "send", step.port);
    }

    void operator()(const ReadStep& step) {
        const auto value = devices_.read(step.port, step.place);
        if (!value)
            fail(value.error(), "read", step.port, step.name);
        else if (step.expect && *value != *step.expect)
            differ(
                {.kind = "read",
                 .port = port_text(step.port),
                 .subject = step.name,
                 .expected = fmt::format("{}", *step.expect),
                 .actual = fmt::format("{}", *value),
                 .datasheet = place_text(model(step.port), step.place)});
    }

    void operator()(const WriteStep& step) {
        check(devices_.write(step.port, step.place, step.value), "write", step.port, step.name);
    }

    void operator()(const PresetStep& step) {
        for (const auto& [counter, value] : step.counters)
            if (!check(
                    devices_.preset(step.port, counter, value), "preset", step.port,
                    row(step.port, counter).name))
                return;
    }

    void operator()(const FaultStep& step) {
        check(
            devices_.fault(step.port, step.request), "fault", step.port,
            name_of(fault_names, step.request.faults));
    }

    void operator()(const PollStep& step) { check(devices_.poll(step.port), "poll", step.port); }

    void operator()(const AdvanceStep& step) {
        if (const auto done = devices_.advance(step.nanoseconds); !done)
            fail(done.error(), {.kind = "advance"});
    }

    void operator()(const ExpectStep& step) {
        if (step.fresh && !check(devices_.poll(step.port), "expect", step.port))
            return;
        const auto seen = devices_.await(
            step.port, !step.standard.empty(), [this, &step](const Observation& observed) {
                Report trial;
                Run(scenario_, devices_, trial).compare(step, observed);
                return trial.failures.empty();
            });
        if (seen)
            compare(step, *seen);
        else
            fail(seen.error(), "expect", step.port);
    }

    /// Something else disturbed the devices: the scenario should run again.
    [[nodiscard]] bool disturbed() const { return disturbed_; }

private:
    [[nodiscard]] const macstats_model& model(ScenarioPort port) const {
        return *scenario_.devices.at(port.device).model;
    }

    [[nodiscard]] const macstats_counter& row(ScenarioPort port, CounterIndex counter) const {
        return counter_at(model(port), counter);
    }

    // "none" or the names, in the order of the counters.
    [[nodiscard]] std::string
    counter_list(ScenarioPort port, const std::vector<CounterIndex>& counters) const {
        std::string text;
        for (const CounterIndex counter : counters)
            text += fmt::format("{}{}", text.empty() ? "" : ", ", row(port, counter).name);
        return text.empty() ? "none" : text;
    }

    [[nodiscard]] std::string port_text(ScenarioPort port) const {
        return port_name(scenario_.devices.at(port.device), port.index);
    }

    void differ(Failure failure) {
        failure.step = step_;
        add_failure(report_, std::move(failure));
    }

    void fail(const Error& error, Failure where) {
        where.step = step_;
        disturbed_ = error.errnum == DeviceSet::disturbed;
        add_error(report_, error, std::move(where));
    }

    void fail(
        const Error& error, std::string_view kind, ScenarioPort port,
        std::string_view subject = "") {
        fail(
            error,
            {.kind = std::string(kind), .port = port_text(port), .subject = std::string(subject)});
    }

    bool check(
        const Result<void>& result, std::string_view kind, ScenarioPort port,
        std::string_view subject = "") {
        if (!result)
            fail(result.error(), kind, port, subject);
        return result.has_value();
    }

    void compare(
        ScenarioPort port, std::string subject, std::string expected, std::string actual,
        std::string datasheet = "") {
        if (expected != actual)
            differ(
                {.kind = "expect",
                 .port = port_text(port),
                 .subject = std::move(subject),
                 .expected = std::move(expected),
                 .actual = std::move(actual),
                 .datasheet = std::move(datasheet)});
    }

    void compare_total(
        ScenarioPort port, CounterIndex counter, const std::optional<std::uint64_t>& expected,
        const std::optional<std::uint64_t>& actual) {
        if (actual == expected)
            return;
        const macstats_counter& counted = row(port, counter);
        compare(
            port, counted.name, number_or_absent(expected), number_or_absent(actual),
            row_text(counted));
    }

    static std::optional<std::uint64_t> total_of(const Observation& seen, CounterIndex counter) {
        if (counter.value() >= seen.totals.size() || is_absent(seen.absent, counter))
            return std::nullopt;
        return seen.totals[counter.value()];
    }

    // The named counters in the order of the scenario, then the others that exist.
    void compare_totals(const ExpectStep& step, const Observation& seen) {
        std::vector<bool> named(seen.totals.size());
        for (const auto& [counter, value] : step.totals) {
            if (counter.value() < named.size())
                named[counter.value()] = true;
            compare_total(step.port, counter, value, total_of(seen, counter));
        }
        if (step.others != Others::zero)
            return;
        for (std::uint32_t i = 0; i < seen.totals.size(); i++)
            if (const auto total = total_of(seen, CounterIndex(i)); !named[i] && total)
                compare_total(step.port, CounterIndex(i), 0, total);
    }

    void compare_standard(
        ScenarioPort port, const ExpectedStandard& wanted,
        std::span<const StandardValue> standard) {
        const StandardValue* found = find_expected(standard, wanted);
        const auto actual = found ? std::optional(found->value) : std::nullopt;
        if (actual == wanted.value)
            return;
        std::string subject = fmt::format("{}/{}", wanted.group, wanted.name);
        if (wanted.low)
            subject += fmt::format(", low {}", *wanted.low);
        if (wanted.high)
            subject += fmt::format(", high {}", *wanted.high);
        compare(
            port, subject, number_or_absent(wanted.value), number_or_absent(actual),
            standard_text(model(port), wanted));
    }

    void compare(const ExpectStep& step, const Observation& seen) {
        compare_totals(step, seen);
        compared_ |= !step.totals.empty();
        for (const ExpectedStandard& wanted : step.standard)
            if (wanted.if_uncounted.empty() || !wanted.value.value_or(0) ||
                !find_expected(seen.uncounted, wanted)) {
                compare_standard(step.port, wanted, seen.standard);
                compared_ = true;
            } else {
                left_out_[wanted.if_uncounted].insert(
                    fmt::format("{}/{}", wanted.group, wanted.name));
            }
        compare_state(step, seen);
        for (Failure& failure : report_.failures)
            failure.remark = seen.remark;
    }

    template <typename T>
    void compare_state(
        ScenarioPort port, std::string_view name, const std::optional<T>& expected, T actual) {
        if (expected)
            compare(
                port, fmt::format("state/{}", name), fmt::format("{}", *expected),
                fmt::format("{}", actual));
    }

    void compare_state(const ExpectStep& step, const Observation& seen) {
        compare_state(step.port, "stale", step.state.stale, seen.stale);
        compare_state(step.port, "possible_loss", step.state.possible_loss, seen.possible_loss);
        compare_state(
            step.port, "discontinuities", step.state.discontinuities, seen.discontinuities);
        if (step.state.saturated)
            compare(
                step.port, "state/saturated", counter_list(step.port, *step.state.saturated),
                counter_list(step.port, seen.saturated));
    }

    const Scenario& scenario_;
    DeviceSet& devices_;
    Report& report_;
    std::size_t step_ = 0;
    bool disturbed_ = false;
    std::map<std::string, std::set<std::string>> left_out_{}; // and why
    bool compared_ = false;                                   // a total or a statistic
};

// One attempt. Returns whether the devices were disturbed.
bool run_once(
    const AdaptedScenario& adapted, const Scenario& as_written, Backend& backend, Report& report) {
    const Scenario& scenario = adapted.scenario ? *adapted.scenario : as_written;
    report = new_report(as_written);
    report.not_compared = adapted.not_compared;
    const auto set = backend.set_up(scenario.devices);
    if (!set) {
        add_error(report, set.error(), {.kind = "devices"});
        return set.error().errnum == DeviceSet::disturbed;
    }
    Run run(scenario, **set, report);
    run.steps();
    if (const auto done = (*set)->finish(); !done)
        add_error(report, done.error(), {.kind = "devices"});
    return run.disturbed();
}

} // namespace

std::string_view outcome_name(Outcome outcome) {
    constexpr auto names = std::to_array<std::string_view>({"passed", "failed", "skipped"});
    return names.at(static_cast<std::size_t>(outcome));
}

std::string failure_text(const Failure& failure) {
    const bool worked = !failure.expected.empty();
    std::string text = failure.kind == "devices"
                           ? "/devices"
                           : fmt::format("/steps/{} ({})", failure.step, failure.kind);
    if (!failure.port.empty())
        text += ", " + failure.port;
    if (!failure.subject.empty())
        text += fmt::format(": {}", failure.subject);
    text += worked ? fmt::format(": expected {}, actual {}", failure.expected, failure.actual)
                   : fmt::format(": {}", failure.actual);
    if (!failure.remark.empty())
        text += "; " + failure.remark;
    return text;
}

Report run_steps(const Scenario& scenario, DeviceSet& set) {
    const Stopwatch stopwatch;
    Report report = new_report(scenario);
    Run(scenario, set, report).steps();
    report.duration = stopwatch.elapsed();
    return report;
}

Report run_scenario(const Scenario& scenario, Backend& backend) {
    const Stopwatch stopwatch;
    Report report = new_report(scenario);
    if (const auto adapted = backend.adapt(scenario)) {
        unsigned int attempts = 1;
        while (run_once(*adapted, scenario, backend, report) && attempts < most_attempts)
            attempts++;
    } else {
        add_error(report, adapted.error(), {.kind = "devices"});
    }
    report.duration = stopwatch.elapsed();
    return report;
}

} // namespace macstats
