// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/scenario/driver_check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <macstats/fault.h>

#include "core/error.hpp"
#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "scenario/lookup.hpp"

namespace macstats {

namespace {

using Totals = std::vector<std::optional<std::uint64_t>>;

constexpr ScenarioPort checked_port{};

// A trial that ended.
struct Done {
    const DriverCheck* check;
    DriverGrowth grown;
    std::vector<WentBack> went_back{};
};

// What all trials tell.
class Verdicts {
public:
    Verdicts(const DriverChecks& checks, const DriverView& reported, const std::vector<Done>& done)
        : checks_(checks),
          reported_(reported),
          done_(done) {}

    [[nodiscard]] std::vector<CheckedStatistic> statistics(const DriverBackend& backend) const {
        std::vector<CheckedStatistic> all;
        for (const StandardValue& statistic : checks_.statistics)
            all.push_back(checked(statistic, backend));
        for (const StandardValue& value : reported_.standard) {
            const StandardValue statistic{.id = value.id, .low = value.low, .high = value.high};
            if (is_of(checks_.of_frames, statistic))
                all.push_back(checked(statistic, backend));
            else if (
                !is_of(checks_.statistics, statistic) &&
                (value.group() != "rtnl" || backend.counted().contains({value.id, value.low}))) {
                auto found = findings(statistic);
                const bool is_torn = std::any_of(
                    found.begin(), found.end(), [](const auto& one) { return one.went_back; });
                all.push_back(
                    {.statistic = statistic,
                     .verdict = is_torn ? DriverVerdict::torn : DriverVerdict::unjudged,
                     .findings = std::move(found)});
            }
        }
        return all;
    }

    [[nodiscard]] std::vector<CheckedString> strings() const {
        std::vector<CheckedString> all;
        for (std::size_t i = 0; i < reported_.strings.size(); i++) {
            const auto counter = counter_of(i);
            if (!counter)
                continue;
            CheckedString one{.name = reported_.strings[i].name, .counter = *counter};
            for (const Done& trial : done_) {
                const auto expected = value_at(trial.check->totals, counter->value());
                const auto actual = string_of(trial, i);
                if (expected && actual && *expected != *actual)
                    one.findings.push_back(finding(
                        trial, expected, *actual, macstats_total(trial, *counter),
                        i < trial.grown.before.strings.size()
                            ? std::optional(trial.grown.before.strings[i].value)
                            : std::nullopt));
            }
            all.push_back(std::move(one));
        }
        return all;
    }

    // Where macstats has not the right values.
    [[nodiscard]] std::vector<std::string> wrong_of_macstats() const {
        std::vector<std::string> all;
        for (const Done& trial : done_)
            if (trial.grown.macstats && trial.check->trial != DriverTrial::counters)
                for (const StandardValue& right : trial.check->right)
                    if (const auto* same = find_same(trial.grown.macstats->standard, right);
                        same && same->value != right.value)
                        all.push_back(fmt::format(
                            "{}: macstats has {} of {}/{}, not {}", trial_name(trial.check->trial),
                            same->value, right.group(), right.name(), right.value));
        return all;
    }

private:
    static bool is_of(std::span<const StandardValue> all, const StandardValue& statistic) {
        const StandardValue* same = find_same(all, statistic);
        return same && same->high == statistic.high;
    }

    static bool is_alone(const Done& trial) {
        return trial.check->trial == DriverTrial::frames ||
               trial.check->trial == DriverTrial::counters;
    }

    static std::optional<std::uint64_t> value_at(const Totals& totals, std::size_t i) {
        return i < totals.size() ? totals[i] : std::nullopt;
    }

    [[nodiscard]] std::optional<std::uint64_t> string_of(const Done& trial, std::size_t i) const {
        const auto& strings = trial.grown.strings;
        return i < strings.size() && strings[i].name == reported_.strings[i].name
                   ? std::optional(strings[i].value)
                   : std::nullopt;
    }

    static std::optional<std::uint64_t> macstats_total(const Done& trial, CounterIndex counter) {
        const auto& seen = trial.grown.macstats;
        if (!seen || trial.check->trial == DriverTrial::counters ||
            counter.value() >= seen->totals.size())
            return std::nullopt;
        return seen->totals[counter.value()];
    }

    // The counter as which string @i grows.
    [[nodiscard]] std::optional<CounterIndex> counter_of(std::size_t i) const {
        std::size_t counters = 0;
        for (const Done& trial : done_)
            counters = std::max(counters, trial.check->totals.size());
        for (std::uint32_t counter = 0; counter < counters; counter++) {
            bool has_grown = false;
            const bool is_same = std::all_of(done_.begin(), done_.end(), [&](const Done& trial) {
                const auto total = value_at(trial.check->totals, counter);
                has_grown |= is_alone(trial) && total.value_or(0);
                return !is_alone(trial) || (total && total == string_of(trial, i));
            });
            if (is_same && has_grown)
                return CounterIndex(counter);
        }
        return std::nullopt;
    }

    // What the driver makes of the frames if it counts those of each class as it does alone.
    [[nodiscard]] std::optional<std::uint64_t>
    predicted(const DriverCheck& check, const StandardValue& statistic) const {
        std::uint64_t sum = 0;
        for (const Step& step : check.steps) {
            const auto* sent = std::get_if<SendStep>(&step);
            if (!sent)
                continue;
            const auto alone = std::find_if(done_.begin(), done_.end(), [sent](const Done& trial) {
                return trial.check->trial == DriverTrial::frames &&
                       request_of(frames_of(trial).frame) == request_of(sent->frame);
            });
            if (alone == done_.end())
                return std::nullopt;
            const StandardValue* value = find_same(alone->grown.standard, statistic);
            const std::uint64_t count = frames_of(*alone).count;
            if (!value || value->value % count)
                return std::nullopt;
            sum += value->value / count * sent->count;
        }
        return sum;
    }

    // Of a trial of frames of one class
    static const SendStep& frames_of(const Done& trial) {
        return std::get<SendStep>(trial.check->steps.at(0));
    }

    // Where frames or counters come alone, the model tells what is right. Elsewhere a driver is
    // right if it counts as it does then, or as the model tells.
    [[nodiscard]] std::vector<DriverFinding> findings(const StandardValue& statistic) const {
        std::vector<DriverFinding> found;
        const bool is_of_frames = is_of(checks_.of_frames, statistic);
        const bool is_judged = is_of_frames || is_of(checks_.statistics, statistic);
        for (const Done& trial : done_) {
            const StandardValue* actual = find_same(trial.grown.standard, statistic);
            for (const WentBack& back : trial.went_back)
                if (back.from.id == statistic.id && back.from.low == statistic.low) {
                    found.push_back(
                        finding(trial, back.from.value, back.to, std::nullopt, std::nullopt));
                    found.back().went_back = true;
                    break;
                }
            if (!actual || (!is_judged && !is_alone(trial)))
                continue;
            const StandardValue* right = find_same(trial.check->right, statistic);
            auto expected = right ? std::optional(right->value) : std::nullopt;
            auto wanted = expected;
            if (!is_judged)
                wanted = 0;
            else if (!is_alone(trial) && (right || is_of_frames)) {
                const auto same = predicted(*trial.check, statistic);
                if (!same && differs_alone(statistic))
                    continue;
                wanted = same ? same : wanted;
                expected = expected ? expected : same;
            }
            if (!wanted || actual->value == *wanted || actual->value == expected)
                continue;
            const StandardValue* before = find_same(trial.grown.before.standard, statistic);
            found.push_back(finding(
                trial, expected, actual->value, macstats(trial, *actual),
                before ? std::optional(before->value) : std::nullopt));
        }
        return found;
    }

    // Of frames of some class
    [[nodiscard]] bool differs_alone(const StandardValue& statistic) const {
        return std::any_of(done_.begin(), done_.end(), [&statistic](const Done& trial) {
            const StandardValue* right = find_same(trial.check->right, statistic);
            const StandardValue* actual = find_same(trial.grown.standard, statistic);
            return trial.check->trial == DriverTrial::frames && right && actual &&
                   right->value != actual->value;
        });
    }

    static std::optional<std::uint64_t>
    macstats(const Done& trial, const StandardValue& statistic) {
        if (!trial.grown.macstats || trial.check->trial == DriverTrial::counters)
            return std::nullopt;
        const StandardValue* found = find_same(trial.grown.macstats->standard, statistic);
        return found ? std::optional(found->value) : std::nullopt;
    }

    static DriverFinding finding(
        const Done& trial, std::optional<std::uint64_t> expected, std::uint64_t actual,
        std::optional<std::uint64_t> macstats, std::optional<std::uint64_t> before) {
        DriverFinding found{
            .trial = trial.check->trial,
            .expected = expected,
            .macstats = macstats,
            .actual = actual,
            .before = before};
        if (trial.check->alone)
            found.counter = trial.check->alone->counter;
        for (const Step& step : trial.check->steps) {
            const auto* sent = std::get_if<SendStep>(&step);
            if (!sent)
                continue;
            if (!found.count)
                found.frame = sent->frame;
            if (request_of(sent->frame) == request_of(found.frame))
                found.count += sent->count;
            else
                found.more = true;
        }
        return found;
    }

    [[nodiscard]] CheckedStatistic
    checked(const StandardValue& statistic, const DriverBackend& backend) const {
        CheckedStatistic one{.statistic = statistic, .findings = findings(statistic)};
        const DriverBackend::Key key(statistic.id, statistic.low);
        const auto late = backend.lateness().find(key);
        if (late != backend.lateness().end() && late->second >= shortest_delay)
            one.late = late->second;
        one.verdict = is_of(reported_.standard, statistic)
                          ? verdict(one, backend.counted().contains(key))
                          : DriverVerdict::missing;
        return one;
    }

    // The kernel reports all members of the group rtnl, whatever the driver counts.
    [[nodiscard]] DriverVerdict verdict(const CheckedStatistic& one, bool was_counted) const {
        const bool is_counted = std::any_of(done_.begin(), done_.end(), [&one](const Done& trial) {
            const StandardValue* right = find_same(trial.check->right, one.statistic);
            return right && right->value;
        });
        if (is_counted && !was_counted && one.statistic.group() == "rtnl")
            return DriverVerdict::uncounted;
        const auto any = [&one](std::initializer_list<DriverTrial> trials) {
            return std::any_of(
                one.findings.begin(), one.findings.end(), [trials](const DriverFinding& found) {
                    return std::find(trials.begin(), trials.end(), found.trial) != trials.end();
                });
        };
        if (any({DriverTrial::open, DriverTrial::frames, DriverTrial::counters, DriverTrial::wrap}))
            return DriverVerdict::wrong;
        if (any({DriverTrial::silence, DriverTrial::down_up, DriverTrial::reset}))
            return DriverVerdict::lost;
        if (any({DriverTrial::readers}))
            return DriverVerdict::torn;
        if (!is_counted)
            return DriverVerdict::untried;
        return one.late ? DriverVerdict::late : DriverVerdict::right;
    }

    // What a timer of the driver causes, not a busy machine.
    static constexpr std::chrono::milliseconds shortest_delay{100};

    const DriverChecks& checks_;
    const DriverView& reported_;
    const std::vector<Done>& done_;
};

Result<void> carry_out(const Step& step, DriverDevices& devices, bool opens) {
    if (const auto* sent = std::get_if<SendStep>(&step))
        return devices.send(checked_port, sent->frame, sent->count);
    if (std::holds_alternative<PollStep>(step))
        return devices.poll(checked_port);
    if (const auto* wait = std::get_if<AdvanceStep>(&step))
        return devices.advance(wait->nanoseconds);
    if (const auto* preset = std::get_if<PresetStep>(&step)) {
        for (const auto& [counter, value] : preset->counters)
            MACSTATS_CHECK(devices.preset(checked_port, counter, value));
        return {};
    }
    const FaultRequest& request = std::get<FaultStep>(step).request;
    if (request.faults == MACSTATS_FAULT_RESET)
        return devices.restart();
    MACSTATS_CHECK(devices.fault(checked_port, request));
    return opens && !request.active ? devices.begin() : Result<void>();
}

Result<DriverGrowth>
growth_of(const DriverCheck& check, DriverDevices& devices, const DriverView& reported) {
    if (check.alone)
        MACSTATS_CHECK(devices.count(check.alone->counter, check.alone->value));
    for (const Step& step : check.steps)
        MACSTATS_CHECK(carry_out(step, devices, check.trial == DriverTrial::open));
    MACSTATS_CHECK(devices.await(checked_port, true, [&](const Observation& seen) {
        return std::all_of(check.right.begin(), check.right.end(), [&](const auto& right) {
            const StandardValue* same = find_same(seen.standard, right);
            return !same || same->value == right.value || !find_same(reported.standard, right);
        });
    }));
    MACSTATS_TRY(auto grown, devices.growth());
    MACSTATS_CHECK(devices.finish());
    return grown;
}

} // namespace

std::optional<std::uint64_t> DriverFinding::fall() const {
    return before && *before + actual < *before ? std::optional(0 - actual) : std::nullopt;
}

std::string_view verdict_name(DriverVerdict verdict) {
    constexpr auto names = std::to_array<std::string_view>(
        {"right", "late", "untried", "unjudged", "missing", "uncounted", "torn", "lost", "wrong"});
    return names.at(static_cast<std::size_t>(verdict));
}

Result<DriverReport> check_driver(
    DriverBackend& backend, const std::set<DriverTrial>& trials,
    const std::function<bool()>& interrupted) {
    BenchPort& port = backend.port();
    const WireEnd& end = port.end();
    MACSTATS_TRY(const auto registers, in_context(end.interface, port.registers()));
    MACSTATS_TRY(const auto checks, driver_checks(*end.model, end.emulated.value_or(0), registers));
    MACSTATS_TRY(const auto before, in_context(end.interface, port.observe(true)));
    DriverReport made;
    made.not_tried = checks.not_tried;
    made.failed = checks.failed;
    const auto tells_what_is_right = [](DriverTrial trial) {
        return trial == DriverTrial::frames || trial == DriverTrial::counters;
    };
    const bool needs_frames =
        std::find_if_not(trials.begin(), trials.end(), tells_what_is_right) != trials.end();
    std::vector<Done> done;
    for (const DriverCheck& check : checks.checks) {
        if (!trials.empty() && !trials.contains(check.trial) &&
            !(needs_frames && check.trial == DriverTrial::frames))
            continue;
        MACSTATS_TRY(const auto set, backend.start());
        std::unique_ptr<BenchReaders> readers;
        if (check.trial == DriverTrial::readers) {
            MACSTATS_TRY(readers, in_context(end.interface, port.read_all_the_time()));
            if (!readers) {
                made.not_tried.push_back(fmt::format(
                    "{}: nobody interrupts a reader on this kernel", trial_name(check.trial)));
                continue;
            }
        }
        auto grown = growth_of(check, *set, before);
        if (interrupted && interrupted())
            return Error{EINTR, "interrupted"};
        auto back = readers ? readers->went_back() : std::vector<WentBack>();
        if (grown && back)
            done.push_back({&check, std::move(*grown), std::move(*back)});
        else
            made.failed.push_back(fmt::format(
                "{}: {}", trial_name(check.trial),
                grown ? back.error().message : grown.error().message));
    }
    const Verdicts verdicts(checks, before, done);
    made.statistics = verdicts.statistics(backend);
    made.strings = verdicts.strings();
    for (std::string& wrong : verdicts.wrong_of_macstats())
        made.failed.push_back(std::move(wrong));
    return made;
}

} // namespace macstats
