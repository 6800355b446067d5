// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/scenario/driver_check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <macstats/fault.h>
#include <macstats/standard.h>

#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "scenario/lookup.hpp"

namespace macstats {

namespace {

constexpr ScenarioPort only_port{};
constexpr std::uint64_t second_ns = 1'000'000'000;

// Received and transmitted frames, simple ones first: of each size class, address and kind, and
// with each error, short, legal and long.
std::vector<FrameRequest> candidates() {
    constexpr std::uint32_t lengths[] = {64,   65,   128,  256,  512,  1024, 1518, 1519,
                                         1523, 1537, 2048, 4096, 9018, 60,   40};
    constexpr std::uint32_t lengths_of_errors[] = {100, 40, 2048, 9018};
    std::vector<FrameRequest> frames;
    for (const std::uint32_t direction : {MACSTATS_RX, MACSTATS_TX}) {
        for (const std::uint32_t length : lengths)
            frames.push_back({.direction = direction, .length = length});
        for (const std::uint32_t destination : {MACSTATS_MULTICAST, MACSTATS_BROADCAST})
            frames.push_back({.direction = direction, .destination = destination});
        frames.push_back({.direction = direction, .length = 1522, .vlan_tags = 1});
        for (const std::uint32_t kind : {MACSTATS_PAUSE, MACSTATS_PFC, MACSTATS_CONTROL})
            for (const std::uint32_t origin : {MACSTATS_BY_SOFTWARE, MACSTATS_BY_MAC})
                frames.push_back(
                    {.direction = direction,
                     .destination = MACSTATS_MULTICAST,
                     .kind = kind,
                     .origin = origin});
        for (const Name& error : error_names)
            for (const std::uint32_t length : lengths_of_errors)
                frames.push_back({.direction = direction, .length = length, .errors = error.value});
    }
    for (const std::uint32_t collisions : {1U, 2U, 16U})
        frames.push_back({.collisions = collisions});
    frames.push_back({.deferred = true});
    return frames;
}

class Generator {
public:
    Generator(
        const macstats_model& model, std::uint16_t options,
        const std::vector<RegisterSetting>& registers)
        : device_{.name = "mac", .model = &model, .options = options},
          registers_(registers) {
        device_.line_rate_bound = true; // a counter that a reset has cleared has not wrapped
    }

    Result<DriverChecks> make() {
        MACSTATS_TRY(const auto nothing, outcome({}));
        if (nothing)
            for (const StandardValue& value : nothing->standard)
                made_.statistics.push_back({.id = value.id, .low = value.low, .high = value.high});
        MACSTATS_CHECK(choose_frames());
        for (const macstats_frame& frame : frames_)
            MACSTATS_CHECK(add(DriverTrial::frames, {send(frame, 3)}));
        if (nothing)
            add_counters(*nothing);
        for (const macstats_frame& frame : frames_)
            MACSTATS_CHECK(add_wrap(frame));
        for (const std::uint32_t direction : {MACSTATS_RX, MACSTATS_TX}) {
            MACSTATS_TRY(
                const auto frame,
                frame_of({.direction = direction, .length = octets_length}, model()));
            MACSTATS_CHECK(add_thrice(DriverTrial::octets, frame, octets_count));
            MACSTATS_CHECK(add_thrice(DriverTrial::silence, frame, octets_count));
        }
        for (const macstats_frame& frame : frames_)
            MACSTATS_CHECK(add_narrow(frame));
        const auto five = with(with(all(2), {poll}), all(3));
        const FaultStep off{only_port, {.faults = MACSTATS_FAULT_SUSPEND}};
        const FaultStep on{only_port, {.faults = MACSTATS_FAULT_SUSPEND, .active = false}};
        MACSTATS_CHECK(add(DriverTrial::down_up, with(five, {off, on})));
        std::vector<Step> many;
        for (unsigned int i = 0; i < 30; i++)
            many = with(many, all(1));
        MACSTATS_CHECK(add(DriverTrial::readers, many));
        // The last one: the driver has not set the registers that it leaves.
        MACSTATS_CHECK(add_reset());
        return std::move(made_);
    }

private:
    using Steps = std::vector<Step>;

    inline static const Step poll = PollStep{only_port};

    static Step send(const macstats_frame& frame, std::uint64_t count) {
        return SendStep{.port = only_port, .frame = frame, .count = count};
    }

    static Steps with(Steps steps, const Steps& more) {
        steps.insert(steps.end(), more.begin(), more.end());
        return steps;
    }

    // This number of each of the frames.
    static Steps each(std::span<const macstats_frame> frames, std::uint64_t count) {
        Steps steps;
        for (const macstats_frame& frame : frames)
            steps.push_back(send(frame, count));
        return steps;
    }
    [[nodiscard]] Steps all(std::uint64_t count) const { return each(frames_, count); }

    [[nodiscard]] const macstats_model& model() const { return *device_.model; }

    // What the provider makes of the steps; nullopt if the hardware cannot do them.
    Result<std::optional<Observation>> outcome(const Steps& steps) const {
        const auto backend = builtin_backend();
        Scenario scenario{
            .file = "", .name = "", .reference = "", .devices = {device_}, .steps = steps};
        scenario.devices[0].registers = registers_;
        MACSTATS_TRY(const auto set, backend->set_up(scenario.devices));
        if (run_steps(scenario, *set).outcome != Outcome::passed)
            return std::optional<Observation>();
        MACSTATS_CHECK(set->poll(only_port));
        MACSTATS_TRY(auto seen, set->observe(only_port, true));
        return std::optional(std::move(seen));
    }

    // The first candidate that increments each counter.
    Result<void> choose_frames() {
        std::vector<bool> reached(model().n_counters);
        for (const FrameRequest& candidate : candidates()) {
            const auto frame = frame_of(candidate, model());
            if (!frame)
                continue;
            MACSTATS_TRY(const auto seen, outcome({send(*frame, 1)}));
            if (!seen)
                continue;
            bool is_new = false;
            for (std::uint32_t i = 0; i < seen->totals.size(); i++)
                if (seen->totals[i] && !is_absent(seen->absent, CounterIndex(i)) && !reached[i])
                    is_new = reached[i] = true;
            if (is_new)
                frames_.push_back(*frame);
        }
        for (std::uint32_t i = 0; i < reached.size(); i++)
            if (!reached[i])
                unreached_.emplace_back(i);
        return {};
    }

    // The steps, and an expectation of all that the provider makes of them.
    Result<void> add(DriverTrial trial, const Steps& steps) {
        MACSTATS_TRY(const auto seen, outcome(steps));
        if (seen)
            add(trial, steps, seen->standard);
        else
            made_.undecided.push_back(trial);
        return {};
    }

    void add(DriverTrial trial, Steps steps, std::span<const StandardValue> right) {
        ExpectStep expected{.port = only_port};
        for (const StandardValue& value : right) {
            if (value.bound != Bound::exact || value.stale)
                continue;
            const auto [group, name] = standard_name(value.id);
            const bool is_bucket = macstats_is_histogram(value.id);
            expected.standard.push_back(
                {.group = std::string(group),
                 .name = std::string(name),
                 .low = is_bucket ? std::optional(value.low) : std::nullopt,
                 .value = value.value,
                 .high = is_bucket ? std::optional(value.high) : std::nullopt});
        }
        steps.emplace_back(std::move(expected));
        made_.checks.push_back(
            {trial,
             {.file = "",
              .name = fmt::format("{} {}", trial_name(trial), made_.checks.size() + 1),
              .reference = model().datasheet,
              .devices = {device_},
              .steps = std::move(steps)}});
    }

    // Statistics of which a counter is subtracted mean nothing where it counts alone.
    void add_counters(const Observation& nothing) {
        constexpr std::uint64_t more = 5;
        for (const CounterIndex counter : unreached_) {
            const macstats_counter& row = model().counters[counter.value()];
            if (nothing.totals.empty() || is_absent(nothing.absent, counter) ||
                macstats_is_software_counter(&row))
                continue;
            std::vector<StandardValue> right = nothing.standard;
            for (StandardValue& value : right) {
                value.value = 0;
                for (const macstats_term& term : row.standard)
                    if (term.id == value.id && !macstats_is_histogram(value.id)) {
                        if (term.factor < 0)
                            value.bound = Bound::unknown;
                        value.value += more * static_cast<std::uint64_t>(term.factor);
                    }
                if (std::count(value.counters.begin(), value.counters.end(), counter))
                    value.value = more;
            }
            add(DriverTrial::counters, {PresetStep{only_port, {{counter, more}}}}, right);
        }
    }

    // Frames that count alike with the registers of the driver and after a reset. The right value
    // is known if the provider loses nothing.
    Result<void> add_reset() {
        const Step reset = FaultStep{only_port, {.faults = MACSTATS_FAULT_RESET}};
        const auto are_alike = [this](const Steps& some, const Steps& others) -> Result<bool> {
            MACSTATS_TRY(const auto one, outcome(some));
            MACSTATS_TRY(const auto other, outcome(others));
            return one && other && one->totals == other->totals;
        };
        std::vector<macstats_frame> frames;
        for (const macstats_frame& frame : frames_) {
            MACSTATS_TRY(
                const bool same, are_alike({send(frame, 1)}, {poll, reset, poll, send(frame, 1)}));
            if (same)
                frames.push_back(frame);
        }
        const Steps steps = with(with(each(frames, 2), {poll, reset, poll}), each(frames, 3));
        MACSTATS_TRY(const bool loses_nothing, are_alike(each(frames, 5), steps));
        if (loses_nothing && !frames.empty())
            return add(DriverTrial::reset, steps);
        made_.undecided.push_back(DriverTrial::reset);
        return {};
    }

    // The counters that a frame increments hold their highest values, or have one word full.
    Result<void> add_wrap(const macstats_frame& frame) {
        MACSTATS_TRY(const auto seen, outcome({send(frame, 1)}));
        PresetStep full{.port = only_port, .counters = {}};
        for (std::uint32_t i = 0; i < seen->totals.size(); i++) {
            const macstats_counter& row = model().counters[i];
            if (!seen->totals[i] || is_absent(seen->absent, CounterIndex(i)) ||
                macstats_is_software_counter(&row))
                continue;
            const bool is_long = row.bits > 48;
            full.counters.push_back(
                {CounterIndex(i), is_long ? UINT32_MAX : macstats_bits_mask(row.bits)});
        }
        if (full.counters.empty())
            return {};
        return add(DriverTrial::wrap, {full, poll, send(frame, 3)});
    }

    // 2^31 octets
    static constexpr std::uint32_t octets_length = 1024;
    static constexpr std::uint64_t octets_count = (1ULL << 31) / octets_length;

    // In the trial silence nobody but the driver reads, for as long as the frames take on a line
    // of 1 Gb/s, in whole seconds.
    Result<void> add_thrice(DriverTrial trial, const macstats_frame& frame, std::uint64_t count) {
        const Step some = send(frame, count);
        const Steps read{some, poll, some, poll, some};
        MACSTATS_TRY(const auto one, outcome({send(frame, 1)}));
        MACSTATS_TRY(const auto right, outcome(read));
        bool is_right = one && right;
        for (std::uint32_t i = 0; is_right && i < one->totals.size(); i++)
            is_right = right->totals[i] == 3 * count * one->totals[i] ||
                       is_absent(one->absent, CounterIndex(i));
        if (!is_right) { // a counter is too short
            if (!std::count(made_.undecided.begin(), made_.undecided.end(), trial))
                made_.undecided.push_back(trial);
            return {};
        }
        constexpr std::uint64_t ns_per_octet = 8;
        constexpr std::uint64_t gap = 20; // and preamble
        const std::uint64_t line = count * (frame.length + gap) * ns_per_octet;
        const Step silence = AdvanceStep{(line / second_ns + 1) * second_ns};
        add(trial,
            trial == DriverTrial::silence ? Steps{some, silence, some, silence, some, silence}
                                          : read,
            right->standard);
        return {};
    }

    // Three times half of what the shortest counter of a frame holds.
    Result<void> add_narrow(const macstats_frame& frame) {
        MACSTATS_TRY(const auto seen, outcome({send(frame, 1)}));
        unsigned int bits = 32;
        for (std::uint32_t i = 0; i < seen->totals.size(); i++) {
            const macstats_counter& row = model().counters[i];
            if (seen->totals[i] == 1 && !is_absent(seen->absent, CounterIndex(i)) &&
                !macstats_is_software_counter(&row))
                bits = std::min<unsigned int>(bits, row.bits);
        }
        if (bits == 32)
            return {};
        return add_thrice(DriverTrial::silence, frame, std::uint64_t{1} << (bits - 1));
    }

    ScenarioDevice device_;
    const std::vector<RegisterSetting>& registers_;
    std::vector<macstats_frame> frames_;
    std::vector<CounterIndex> unreached_; // by these
    DriverChecks made_;
};

// The statistics while the trials go on.
class Verdicts {
public:
    explicit Verdicts(std::span<const StandardValue> statistics) {
        for (const StandardValue& statistic : statistics)
            tried_.push_back({.statistic = statistic});
    }

    // @check: as far as it was compared
    void add(const DriverCheck& check, const Report& report) {
        const auto& expected = std::get<ExpectStep>(check.scenario.steps.back());
        for (const ExpectedStandard& wanted : expected.standard) {
            Tried& tried = of(wanted);
            tried.is_counted |= *wanted.value != 0;
            for (const Failure& failure : report.failures)
                if (failure.subject == subject(wanted))
                    tried.findings.push_back(finding(check, *wanted.value, number(failure.actual)));
        }
    }

    void add_torn(std::span<const StandardValue> went_back) {
        for (Tried& tried : tried_)
            tried.is_torn |= find_same(went_back, tried.statistic) != nullptr;
    }

    [[nodiscard]] std::vector<CheckedStatistic>
    all(const Observation& reported, const DriverBackend& backend) const {
        std::vector<CheckedStatistic> statistics;
        for (const Tried& tried : tried_) {
            CheckedStatistic one{
                .statistic = tried.statistic, .findings = without_repetitions(tried.findings)};
            const DriverBackend::Key key(tried.statistic.id, tried.statistic.low);
            const auto late = backend.lateness().find(key);
            if (late != backend.lateness().end() && late->second >= shortest_delay)
                one.late = late->second;
            one.verdict = !is_reported(tried.statistic, reported)
                              ? DriverVerdict::missing
                              : verdict(tried, backend.counted().contains(key), one.late);
            statistics.push_back(std::move(one));
        }
        return statistics;
    }

private:
    struct Tried {
        StandardValue statistic;
        bool is_counted = false; // some frames should increment it
        bool is_torn = false;
        std::vector<DriverFinding> findings{};
    };

    // A wrong value of frames shows again in the trials that have the same frames.
    static std::vector<DriverFinding> without_repetitions(std::vector<DriverFinding> findings) {
        const std::vector<DriverFinding> all = findings;
        std::erase_if(findings, [&all](const DriverFinding& finding) {
            return std::any_of(all.begin(), all.end(), [&finding](const DriverFinding& other) {
                if (other.trial != DriverTrial::frames)
                    return false;
                return finding.trial >= DriverTrial::silence ||
                       (finding.trial == DriverTrial::wrap &&
                        request_of(finding.frame) == request_of(other.frame) &&
                        finding.actual == other.actual);
            });
        });
        return findings;
    }

    static std::string subject(const ExpectedStandard& wanted) {
        std::string text = fmt::format("{}/{}", wanted.group, wanted.name);
        if (wanted.low)
            text += fmt::format(", low {}, high {}", *wanted.low, wanted.high.value_or(0));
        return text;
    }

    static std::uint64_t number(const std::string& text) {
        std::uint64_t value = 0;
        (void)std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    }

    static bool is_reported(const StandardValue& statistic, const Observation& reported) {
        const StandardValue* found = find_same(reported.standard, statistic);
        return found && found->high == statistic.high;
    }

    Tried& of(const ExpectedStandard& wanted) {
        const StandardValue statistic{
            .id = standard_id(wanted.group, wanted.name),
            .low = wanted.low.value_or(0),
            .high = wanted.high.value_or(0)};
        const auto found = std::find_if(tried_.begin(), tried_.end(), [&](const Tried& tried) {
            return tried.statistic == statistic;
        });
        return found != tried_.end() ? *found : tried_.emplace_back(Tried{.statistic = statistic});
    }

    static DriverFinding
    finding(const DriverCheck& check, std::uint64_t expected, std::uint64_t actual) {
        DriverFinding found{.trial = check.trial, .expected = expected, .actual = actual};
        if (check.trial == DriverTrial::counters)
            found.counter =
                std::get<PresetStep>(check.scenario.steps.front()).counters.at(0).counter;
        for (const Step& step : check.scenario.steps)
            if (const auto* send = std::get_if<SendStep>(&step)) {
                const bool is_same =
                    !found.count || request_of(send->frame) == request_of(found.frame);
                found.more |= !is_same;
                if (!found.count)
                    found.frame = send->frame;
                if (is_same)
                    found.count += send->count;
            }
        return found;
    }

    // The kernel reports all members of the group rtnl, whatever the driver counts.
    static DriverVerdict
    verdict(const Tried& tried, bool was_counted, std::optional<std::chrono::milliseconds> late) {
        if (tried.is_counted && !was_counted && tried.statistic.group() == "rtnl")
            return DriverVerdict::uncounted;
        const auto any = [&tried](std::initializer_list<DriverTrial> trials) {
            return std::any_of(
                tried.findings.begin(), tried.findings.end(), [trials](const DriverFinding& found) {
                    return std::find(trials.begin(), trials.end(), found.trial) != trials.end();
                });
        };
        if (any(
                {DriverTrial::frames, DriverTrial::counters, DriverTrial::wrap,
                 DriverTrial::octets}))
            return DriverVerdict::wrong;
        if (any({DriverTrial::silence, DriverTrial::down_up, DriverTrial::reset}))
            return DriverVerdict::lost;
        if (tried.is_torn || any({DriverTrial::readers}))
            return DriverVerdict::torn;
        if (!tried.is_counted)
            return DriverVerdict::untried;
        return late ? DriverVerdict::late : DriverVerdict::right;
    }

    // What a timer of the driver causes, not a busy machine.
    static constexpr std::chrono::milliseconds shortest_delay{100};

    std::vector<Tried> tried_;
};

// Without what the driver does not report.
DriverCheck as_reported(DriverCheck check, const Observation& reported) {
    std::erase_if(
        std::get<ExpectStep>(check.scenario.steps.back()).standard,
        [&reported](const ExpectedStandard& wanted) {
            return !find_expected(reported.standard, wanted);
        });
    return check;
}

} // namespace

std::string_view trial_name(DriverTrial trial) {
    constexpr auto names = std::to_array<std::string_view>(
        {"frames", "counters", "wrap", "octets", "silence", "down-up", "readers", "reset"});
    return names.at(static_cast<std::size_t>(trial));
}

std::string_view verdict_name(DriverVerdict verdict) {
    constexpr auto names = std::to_array<std::string_view>(
        {"right", "late", "untried", "missing", "uncounted", "torn", "lost", "wrong"});
    return names.at(static_cast<std::size_t>(verdict));
}

Result<DriverChecks> driver_checks(
    const macstats_model& model, std::uint16_t options,
    const std::vector<RegisterSetting>& registers) {
    return Generator(model, options, registers).make();
}

Result<DriverReport>
check_driver(DriverBackend& backend, const std::function<bool()>& interrupted) {
    BenchPort& port = backend.port();
    const WireEnd& end = port.end();
    MACSTATS_TRY(const auto registers, in_context(end.interface, port.registers()));
    MACSTATS_TRY(const auto checks, driver_checks(*end.model, end.emulated.value_or(0), registers));
    MACSTATS_TRY(const auto before, in_context(end.interface, port.observe(true)));
    DriverReport made;
    for (const DriverTrial trial : checks.undecided)
        made.not_tried.push_back(
            fmt::format("{}: the model tells no right value", trial_name(trial)));
    Verdicts verdicts(checks.statistics);
    for (const DriverCheck& whole : checks.checks) {
        const DriverCheck check = as_reported(whole, before);
        std::unique_ptr<BenchReaders> readers;
        if (check.trial == DriverTrial::readers) {
            MACSTATS_TRY(readers, in_context(end.interface, port.read_all_the_time()));
            if (!readers) {
                made.not_tried.push_back(fmt::format(
                    "{}: nobody interrupts a reader on this kernel", trial_name(check.trial)));
                continue;
            }
        }
        backend.count_presets(check.trial == DriverTrial::counters);
        MACSTATS_TRY(const auto set, backend.set_up(check.scenario.devices));
        const Report report = run_steps(check.scenario, *set);
        backend.count_presets(false);
        if (interrupted && interrupted())
            return Error{EINTR, "interrupted"};
        if (readers) {
            const auto back = readers->went_back();
            if (!back) {
                made.failed.push_back(
                    fmt::format("{}: {}", trial_name(check.trial), back.error().message));
                continue;
            }
            verdicts.add_torn(*back);
        }
        if (!report.failures.empty() && report.failures[0].expected.empty())
            made.failed.push_back(
                fmt::format("{}: {}", trial_name(check.trial), failure_text(report.failures[0])));
        else
            verdicts.add(check, report);
    }
    made.statistics = verdicts.all(before, backend);
    for (const StandardValue& value : before.standard)
        if (const StandardValue* same = find_same(checks.statistics, value);
            (!same || same->high != value.high) &&
            (value.group() != "rtnl" || backend.counted().contains({value.id, value.low})))
            made.others.push_back({.id = value.id, .low = value.low, .high = value.high});
    return made;
}

} // namespace macstats
