// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/scenario/driver_check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/fault.h>
#include <macstats/standard.h>

#include "core/error.hpp"
#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "scenario/lookup.hpp"

namespace macstats {

namespace {

using Steps = std::vector<Step>;
using Totals = std::vector<std::optional<std::uint64_t>>;

constexpr ScenarioPort only_port{};
constexpr std::uint64_t second_ns = 1'000'000'000;

constexpr auto trial_names = std::to_array<std::string_view>(
    {"open", "frames", "counters", "wrap", "silence", "down-up", "readers", "reset"});

// Received and transmitted frames, simple ones first: of each size class, address and kind, and
// with each error, short, legal and long.
std::vector<FrameRequest> candidates() {
    constexpr std::uint32_t lengths[] = {1024, 64,   65,   128,  256,  512,   1518, 1519,
                                         1523, 1537, 2048, 4096, 9018, 20000, 60,   40};
    constexpr std::uint32_t lengths_of_errors[] = {100, 40, 2048, 9018, 20000};
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

bool is_same(const macstats_frame& one, const macstats_frame& other) {
    return request_of(one) == request_of(other);
}

// IEEE 802.3 30.3.1.1.8 and .14: octets of data and padding. Not set where that depends on what is
// in the frame, or on what the MAC takes for good.
std::optional<std::uint64_t> octets_ok(const macstats_frame& frame) {
    constexpr std::uint32_t longest = 1518;
    constexpr unsigned int bad = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE;
    if (frame.kind != MACSTATS_DATA || frame.vlan_tags || frame.collisions || frame.errors & ~bad ||
        frame.length < MACSTATS_FRAME_MIN || frame.length > longest)
        return std::nullopt;
    return frame.errors ? 0 : frame.length - MACSTATS_HEADER_LEN - MACSTATS_FCS_LEN;
}

class Generator {
public:
    Generator(
        const macstats_model& model, std::uint16_t options,
        const std::vector<RegisterSetting>& registers)
        : device_{.name = "mac", .model = &model, .options = options, .registers = registers} {
        device_.line_rate_bound = true; // a counter that a reset has cleared has not wrapped
    }

    Result<DriverChecks> make() {
        MACSTATS_TRY(const auto nothing, outcome({}, device_.options));
        if (nothing)
            for (const StandardValue& value : nothing->standard)
                made_.statistics.push_back(
                    {.id = value.id,
                     .low = value.low,
                     .high = value.high,
                     .counters = value.counters});
        for (const std::uint32_t id :
             {MACSTATS_STD_OCTETS_RECEIVED_OK, MACSTATS_STD_OCTETS_TRANSMITTED_OK})
            if (!find_same(made_.statistics, {.id = id}))
                made_.of_frames.push_back({.id = id});
        MACSTATS_CHECK(choose_frames());
        // At first, as the counters are when the driver is bound, if a test has preset them.
        if (nothing)
            MACSTATS_CHECK(
                add(DriverTrial::open,
                    with({down, PresetStep{only_port, nearly_full(*nothing)}, up}, all(3)), true));
        for (const Counted& one : frames_)
            MACSTATS_CHECK(add(DriverTrial::frames, {send(one.frame, 3)}));
        if (nothing)
            add_counters(*nothing);
        const auto five = with(with(all(2), {read}), all(3));
        MACSTATS_CHECK(add(DriverTrial::down_up, with(five, {down, up})));
        Steps many;
        for (unsigned int i = 0; i < 30; i++)
            many = with(many, all(1));
        MACSTATS_CHECK(add(DriverTrial::readers, many));
        MACSTATS_CHECK(add(
            DriverTrial::reset,
            with(
                with(all(2), {read, FaultStep{only_port, {.faults = MACSTATS_FAULT_RESET}}, read}),
                all(3))));
        MACSTATS_CHECK(add_octets());
        MACSTATS_CHECK(add_wraps());
        return std::move(made_);
    }

private:
    // What one frame increments.
    struct Counted {
        macstats_frame frame;
        std::vector<StandardValue> standard;
        Totals totals;
        std::set<std::uint32_t> below_0{}; // statistics of which it takes more than it adds
    };

    inline static const Step read = PollStep{only_port};
    inline static const Step down = FaultStep{only_port, {.faults = MACSTATS_FAULT_SUSPEND}};
    inline static const Step up =
        FaultStep{only_port, {.faults = MACSTATS_FAULT_SUSPEND, .active = false}};

    static Step send(const macstats_frame& frame, std::uint64_t count) {
        return SendStep{.port = only_port, .frame = frame, .count = count};
    }

    static Steps with(Steps steps, const Steps& more) {
        steps.insert(steps.end(), more.begin(), more.end());
        return steps;
    }

    // This number of each of the frames.
    [[nodiscard]] Steps all(std::uint64_t count) const {
        Steps steps;
        for (const Counted& one : frames_)
            steps.push_back(send(one.frame, count));
        return steps;
    }

    [[nodiscard]] const macstats_model& model() const { return *device_.model; }

    [[nodiscard]] bool is_in_register(std::size_t counter) const {
        return !macstats_is_software_counter(&model().counters[counter]);
    }

    [[nodiscard]] bool counts_octets(std::size_t counter) const {
        const auto unit = model().counters[counter].unit;
        return unit == MACSTATS_OCTETS || unit == MACSTATS_PAYLOAD || unit == MACSTATS_WIRE_OCTETS;
    }

    // Counters of frames, and the value one below their maximum.
    [[nodiscard]] std::vector<PresetStep::Value> nearly_full(const Observation& nothing) const {
        std::vector<PresetStep::Value> values;
        for (std::uint32_t i = 0; i < nothing.totals.size(); i++) {
            const macstats_counter& row = model().counters[i];
            if (row.bits <= word && row.unit == MACSTATS_FRAMES && is_in_register(i) &&
                !is_absent(nothing.absent, CounterIndex(i)))
                values.push_back({CounterIndex(i), macstats_bits_mask(row.bits) - 1});
        }
        return values;
    }

    // What the builtin backend does in place of a step: it polls as a twin does. @opens: a preset
    // is among them; it takes no power.
    void add_steps(const Step& step, bool opens, std::vector<Step>& steps) const {
        const auto* fault = std::get_if<FaultStep>(&step);
        const bool is_reset = fault && fault->request.faults == MACSTATS_FAULT_RESET;
        if (fault && !is_reset) {
            if (!opens)
                steps.push_back(step);
            return;
        }
        if (!std::holds_alternative<PollStep>(step) && !std::holds_alternative<AdvanceStep>(step))
            steps.push_back(step);
        steps.push_back(read);
        if (is_reset)
            for (const RegisterSetting& setting : device_.registers)
                steps.emplace_back(
                    WriteStep{only_port, setting.name, setting.place, setting.value});
    }

    // What the provider makes of the steps; nullopt if the hardware cannot do them.
    Result<std::optional<Observation>> outcome(const Steps& steps, std::uint16_t options) const {
        const auto backend = builtin_backend();
        Scenario scenario{
            .file = "", .name = "", .reference = "", .devices = {device_}, .steps = {}};
        scenario.devices[0].options = options;
        const bool opens = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
            return std::holds_alternative<PresetStep>(step);
        });
        for (const Step& step : steps)
            add_steps(step, opens, scenario.steps);
        MACSTATS_TRY(const auto set, backend->set_up(scenario.devices));
        if (run_steps(scenario, *set).outcome != Outcome::passed)
            return std::optional<Observation>();
        MACSTATS_CHECK(set->poll(only_port));
        MACSTATS_TRY(auto seen, set->observe(only_port, true));
        return std::optional(std::move(seen));
    }

    static Totals totals_of(const Observation& seen) {
        Totals totals(seen.totals.begin(), seen.totals.end());
        for (const CounterIndex absent : seen.absent)
            totals.at(absent.value()).reset();
        return totals;
    }

    // The first candidate of each set of counters that one increments.
    Result<void> choose_frames() {
        std::set<std::vector<bool>> chosen;
        std::vector<bool> reached(model().n_counters);
        for (const FrameRequest& candidate : candidates()) {
            const auto frame = frame_of(candidate, model());
            if (!frame)
                continue;
            MACSTATS_TRY(const auto seen, outcome({send(*frame, 1)}, device_.options));
            if (!seen)
                continue;
            Counted one{*frame, seen->standard, totals_of(*seen)};
            std::vector<bool> counters(model().n_counters);
            for (std::size_t i = 0; i < one.totals.size(); i++)
                counters[i] = one.totals[i].value_or(0) != 0;
            if (!std::count(counters.begin(), counters.end(), true) ||
                !chosen.insert(counters).second)
                continue;
            for (std::size_t i = 0; i < counters.size(); i++)
                reached[i] = reached[i] || counters[i];
            for (const StandardValue& each : made_.of_frames)
                if (const auto octets = octets_ok(one.frame))
                    one.standard.push_back(
                        {.id = each.id, .value = is_counted_by(each, one.frame) ? *octets : 0});
            one.below_0 = below_0(one);
            frames_.push_back(std::move(one));
        }
        for (std::uint32_t i = 0; i < reached.size(); i++)
            if (!reached[i])
                unreached_.emplace_back(i);
        return set_half_duplex_apart();
    }

    [[nodiscard]] std::set<std::uint32_t> below_0(const Counted& one) const {
        std::map<std::uint32_t, std::int64_t> sums;
        for (std::size_t i = 0; i < one.totals.size(); i++)
            for (const macstats_term& term : model().counters[i].standard)
                sums[term.id] += term.factor * static_cast<std::int64_t>(one.totals[i].value_or(0));
        std::set<std::uint32_t> below;
        for (const auto& [id, sum] : sums)
            if (sum < 0)
                below.insert(id);
        return below;
    }

    static bool is_counted_by(const StandardValue& octets, const macstats_frame& frame) {
        return (octets.id == MACSTATS_STD_OCTETS_RECEIVED_OK) == (frame.direction == MACSTATS_RX);
    }

    // In full duplex, no counter of half duplex counts, and the reverse.
    Result<void> set_half_duplex_apart() {
        const auto other = static_cast<std::uint16_t>(device_.options ^ MACSTATS_OPT_HALF_DUPLEX);
        std::vector<std::string> names;
        for (const FrameRequest& candidate : candidates()) {
            const auto frame = frame_of(candidate, model());
            if (!frame)
                continue;
            const auto seen = outcome({send(*frame, 1)}, other);
            if (!seen) // the MAC has one of them only
                break;
            if (!*seen)
                continue;
            const Totals totals = totals_of(**seen);
            std::erase_if(unreached_, [this, &totals, &names](CounterIndex counter) {
                const bool is_reached =
                    counter.value() < totals.size() && totals[counter.value()].value_or(0);
                if (is_reached)
                    names.emplace_back(model().counters[counter.value()].name);
                return is_reached;
            });
        }
        if (!names.empty())
            made_.not_tried.push_back(fmt::format(
                "{}: {}: in {} duplex only", trial_name(DriverTrial::counters),
                fmt::join(names, ", "), other & MACSTATS_OPT_HALF_DUPLEX ? "half" : "full"));
        return {};
    }

    // The steps, and what is right after them: of each frame what it increments alone.
    Result<void> add(DriverTrial trial, const Steps& steps, bool is_optional = false) {
        MACSTATS_TRY(const auto seen, outcome(steps, device_.options));
        DriverCheck check{.trial = trial, .steps = steps};
        if (seen) {
            const Totals reached = totals_of(*seen);
            const auto unknown = lost_count(steps, *seen);
            for (std::uint32_t i = 0; i < reached.size(); i++) {
                const auto sum = sum_of(steps, [i](const Counted& one) { return one.totals[i]; });
                const bool is_known = !unknown.contains(CounterIndex(i));
                check.totals.push_back(is_known ? sum : std::nullopt);
                if (is_known && sum && reached[i] != sum)
                    add_failure(trial, reached[i], model().counters[i].name, *sum);
            }
            for (const auto* statistics : {&made_.statistics, &made_.of_frames})
                for (StandardValue statistic : *statistics) {
                    const auto sum = sum_of(steps, [&](const Counted& one) {
                        const auto* found = find_same(one.standard, statistic);
                        const bool is_added =
                            trial == DriverTrial::frames || !one.below_0.contains(statistic.id);
                        return found && is_added ? std::optional(found->value) : std::nullopt;
                    });
                    const StandardValue* same = find_same(seen->standard, statistic);
                    if (!sum || is_fed_by(statistic, unknown))
                        continue;
                    if (same && same->value != *sum)
                        add_failure(
                            trial, same->value,
                            fmt::format("{}/{}", statistic.group(), statistic.name()), *sum);
                    statistic.value = *sum;
                    check.right.push_back(statistic);
                }
        }
        const bool is_told =
            std::any_of(
                check.right.begin(), check.right.end(),
                [](const auto& value) { return value.value != 0; }) ||
            std::any_of(check.totals.begin(), check.totals.end(), [](const auto& total) {
                return total.value_or(0) != 0;
            });
        if (is_told)
            made_.checks.push_back(std::move(check));
        else if (!is_optional)
            made_.not_tried.push_back(
                fmt::format("{}: the model tells no right value", trial_name(trial)));
        return {};
    }

    void add_failure(
        DriverTrial trial, std::optional<std::uint64_t> actual, std::string_view name,
        std::uint64_t right) {
        made_.failed.push_back(fmt::format(
            "{}: the builtin backend has {} of {}, not {}", trial_name(trial), actual.value_or(0),
            name, right));
    }

    // The counters of which no reads tell how much they have counted: those that may have gone
    // round, or stood at their maximum, after some of the frames, and those that show it later.
    [[nodiscard]] std::set<CounterIndex>
    lost_count(const Steps& steps, const Observation& seen) const {
        std::set<CounterIndex> lost(seen.saturated.begin(), seen.saturated.end());
        for (std::uint32_t i = 0; i < seen.totals.size(); i++) {
            if (model().counters[i].good_frames && steps.size() > 1)
                lost.emplace(i);
            for (const Step& step : steps) {
                const auto* sent = std::get_if<SendStep>(&step);
                const Counted* one = sent ? counted(sent->frame) : nullptr;
                const std::uint64_t each = one ? one->totals[i].value_or(0) : 0;
                if (each && is_in_register(i) &&
                    sent->count >= macstats_bits_mask(model().counters[i].bits) / each)
                    lost.emplace(i);
            }
        }
        return lost;
    }

    [[nodiscard]] bool
    is_fed_by(const StandardValue& statistic, const std::set<CounterIndex>& counters) const {
        return std::any_of(counters.begin(), counters.end(), [&](CounterIndex counter) {
            const auto& terms = model().counters[counter.value()].standard;
            return macstats_is_histogram(statistic.id)
                       ? std::count(statistic.counters.begin(), statistic.counters.end(), counter)
                       : std::any_of(std::begin(terms), std::end(terms), [&](const auto& term) {
                             return term.id == statistic.id;
                         });
        });
    }

    // nullptr for other frames
    [[nodiscard]] const Counted* counted(const macstats_frame& frame) const {
        const auto one = std::find_if(frames_.begin(), frames_.end(), [&frame](const auto& each) {
            return is_same(each.frame, frame);
        });
        return one == frames_.end() ? nullptr : &*one;
    }

    // Of all frames; nullopt if it is not known of one of them.
    template <typename Of>
    [[nodiscard]] std::optional<std::uint64_t> sum_of(const Steps& steps, const Of& of) const {
        std::uint64_t sum = 0;
        for (const Step& step : steps) {
            const auto* sent = std::get_if<SendStep>(&step);
            if (!sent)
                continue;
            const Counted* one = counted(sent->frame);
            const auto value = one ? of(*one) : std::nullopt;
            if (!value)
                return std::nullopt;
            sum += sent->count * *value;
        }
        return sum;
    }

    // Statistics of which a counter is subtracted mean nothing where it counts alone, and whether
    // what it counts is an error is a matter of the mapping.
    void add_counters(const Observation& nothing) {
        constexpr std::uint64_t more = 5;
        for (const CounterIndex counter : unreached_) {
            const macstats_counter& row = model().counters[counter.value()];
            if (nothing.totals.empty() || is_absent(nothing.absent, counter) ||
                macstats_is_software_counter(&row))
                continue;
            DriverCheck check{
                .trial = DriverTrial::counters,
                .steps = {},
                .alone = PresetStep::Value{counter, more},
                .totals = totals_of(nothing)};
            check.totals.at(counter.value()) = more;
            for (StandardValue value : nothing.standard) {
                value.value = 0;
                bool is_known = value.id != MACSTATS_STD_RTNL_RX_ERRORS &&
                                value.id != MACSTATS_STD_RTNL_TX_ERRORS;
                for (const macstats_term& term : row.standard)
                    if (term.id == value.id && !macstats_is_histogram(value.id)) {
                        is_known = term.factor >= 0;
                        value.value += more * static_cast<std::uint64_t>(term.factor);
                    }
                if (std::count(value.counters.begin(), value.counters.end(), counter))
                    value.value = more;
                if (is_known)
                    check.right.push_back(std::move(value));
            }
            made_.checks.push_back(std::move(check));
        }
    }

    static constexpr unsigned int word = 32;

    // @with_silence: as well as with nobody but the driver reading, for as long as the frames take
    // on a line of 1 Gb/s, in whole seconds.
    Result<void> add_thrice(const macstats_frame& frame, std::uint64_t count, bool with_silence) {
        const Step some = send(frame, count);
        MACSTATS_CHECK(add(DriverTrial::wrap, {some, read, some, read, some}, true));
        if (!with_silence)
            return {};
        constexpr std::uint64_t ns_per_octet = 8;
        const std::uint64_t line = count * (frame.length + MACSTATS_GAP_LEN) * ns_per_octet;
        const Step silence = AdvanceStep{(line / second_ns + 1) * second_ns};
        return add(DriverTrial::silence, {some, silence, some, silence, some, silence}, true);
    }

    // 2^31 octets, once for each counter of octets and in each direction
    Result<void> add_octets() {
        constexpr std::uint64_t octets = 1ULL << (word - 1);
        std::vector<bool> done(model().n_counters);
        std::set<std::uint32_t> directions;
        for (const Counted& one : frames_) {
            if (one.frame.kind != MACSTATS_DATA)
                continue;
            bool is_new = directions.insert(one.frame.direction).second;
            for (std::size_t i = 0; i < one.totals.size(); i++)
                if (one.totals[i].value_or(0) && counts_octets(i) && is_in_register(i) && !done[i])
                    is_new = done[i] = true;
            if (is_new)
                MACSTATS_CHECK(add_thrice(one.frame, octets / one.frame.length, true));
        }
        return {};
    }

    // Frames that fill half of a counter, or of its low word, once for each counter.
    Result<void> add_wraps() {
        std::vector<bool> done(model().n_counters);
        for (const Counted& one : frames_) {
            std::set<unsigned int> widths;
            for (std::size_t i = 0; i < one.totals.size(); i++) {
                if (one.totals[i] != 1 || done[i] || !is_in_register(i))
                    continue;
                done[i] = true;
                widths.insert(std::min<unsigned int>(model().counters[i].bits, word));
            }
            for (const unsigned int width : widths)
                MACSTATS_CHECK(
                    add_thrice(one.frame, std::uint64_t{1} << (width - 1), width < word));
        }
        return {};
    }

    ScenarioDevice device_;
    std::vector<Counted> frames_;
    std::vector<CounterIndex> unreached_; // by these
    DriverChecks made_;
};

} // namespace

std::string_view trial_name(DriverTrial trial) {
    return trial_names.at(static_cast<std::size_t>(trial));
}

Result<DriverTrial> trial_called(std::string_view name) {
    const auto* const found = std::find(trial_names.begin(), trial_names.end(), name);
    if (found == trial_names.end())
        return invalid("no trial `{}`; there are: {}", name, fmt::join(trial_names, ", "));
    return static_cast<DriverTrial>(found - trial_names.begin());
}

Result<DriverChecks> driver_checks(
    const macstats_model& model, std::uint16_t options,
    const std::vector<RegisterSetting>& registers) {
    return Generator(model, options, registers).make();
}

} // namespace macstats
