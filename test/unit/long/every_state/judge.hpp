// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The promises, and the judge of whether an accumulator keeps them.
#ifndef MACSTATS_TEST_EVERY_STATE_JUDGE_HPP
#define MACSTATS_TEST_EVERY_STATE_JUDGE_HPP

#include <cerrno>
#include <string>

#include "world.hpp"

namespace macstats::test::every_state {

// The last two are those of good polls that report no discontinuity, possible loss, parity error
// or saturated counter.
enum class Promise {
    none,
    no_total_goes_back,
    no_total_has_too_much,    // counts that never were
    no_total_passes_bound,    // of the line
    no_report_without_reason, // where nothing disturbs a poll
    cleared_block_adds_nothing,
    reset_is_found, // one that closes the gate
    parity_error_is_reported,
    freeze_is_reported,
    clear_is_reported,   // of a counter that cannot roll over
    no_event_is_lost,    // none from before a good poll
    next_poll_adds_rest, // what the counter shows then is what no total has yet
    last = next_poll_adds_rest,
};

struct Verdict {
    Promise broken = Promise::none;
    std::string text{}; // what is wrong

    bool is_good() const { return broken == Promise::none; }
};

// Judges the answer to the step that a World has just taken.
class Judge {
public:
    explicit Judge(World& world) : world_(world), account_(world.account) {}

    // Brings the account up to date.
    Verdict verdict(const Answer& answer) {
        Verdict found = wrong_totals();

        if (found.is_good())
            found = report_without_reason(answer);
        if (found.is_good())
            found = addition_of_cleared_block(answer);
        if (found.is_good())
            found = reset_not_found();
        if (found.is_good())
            found = parity_error_not_reported(answer);
        if (found.is_good())
            found = freeze_not_reported(answer);
        if (!found.is_good())
            return found;
        const bool reported = (answer.events & losses) || (answer.err && world_.saturated());
        account_.excuses.reported = account_.excuses.reported || reported;
        account_.excuses.tampered = account_.excuses.tampered || world_.excuses.tampered;
        account_.excuses.disturbed = account_.excuses.disturbed || world_.excuses.disturbed;
        if (answer.err)
            return {};
        for (unsigned int i = 0; i < world_.kind.counters; i++) {
            found = settle(i);
            if (!found.is_good())
                return found;
            // Of events in the middle of a poll it is unknown whether the poll read them.
            account_.shown[i] = world_.excuses.tampered ? 0
                                : world_.during[i]      ? world_.before[i]
                                                        : world_.live(i);
        }
        account_.excuses = world_.excuses;
        account_.excuses.reported = false;
        return {};
    }

private:
    static constexpr unsigned int losses =
        MACSTATS_EVENT_DISCONTINUITY | MACSTATS_EVENT_POSSIBLE_LOSS | MACSTATS_EVENT_PARITY_ERROR;

    Verdict wrong_totals() {
        const bool tampered = account_.excuses.tampered || world_.excuses.tampered;

        for (unsigned int i = 0; i < world_.kind.counters; i++) {
            const s64 added = static_cast<s64>(world_.acc.counters[i].total);

            if (added < 0)
                return {Promise::no_total_goes_back, "the total went back"};
            account_.owed[i] -= added;
            if (!tampered && account_.owed[i] < 0)
                return {
                    Promise::no_total_has_too_much,
                    "the total has " + std::to_string(-account_.owed[i]) + " too many"};
            if (world_.kind.bound && added > most())
                return {
                    Promise::no_total_passes_bound, "the total jumped by " + std::to_string(added)};
        }
        return {};
    }

    Verdict report_without_reason(const Answer& answer) const {
        const Excuses& since = account_.excuses;
        const Excuses& now = world_.excuses;
        const unsigned int unwanted = losses | MACSTATS_EVENT_MISFIT |
                                      (world_.step.act == Act::suspend ? 0 : MACSTATS_EVENT_STALE);

        if (since.reported || since.tampered || since.disturbed || now.tampered || now.disturbed ||
            overdue() || !(answer.err || (answer.events & unwanted)))
            return {};
        return {
            Promise::no_report_without_reason,
            "a report without a reason: " + std::to_string(answer.events) + ", error " +
                std::to_string(answer.err) + ", " + world_.acc.state.reason +
                world_.acc.state.loss};
    }

    Verdict addition_of_cleared_block(const Answer& answer) const {
        if (!world_.kind.free_running() || !(answer.events & MACSTATS_EVENT_DISCONTINUITY) ||
            (answer.events & MACSTATS_EVENT_PARITY_ERROR))
            return {};
        for (unsigned int i = 0; i < world_.kind.counters; i++)
            if (world_.acc.counters[i].total)
                return {
                    Promise::cleared_block_adds_nothing,
                    "a counter whose block was cleared added " +
                        std::to_string(world_.acc.counters[i].total)};
        return {};
    }

    Verdict reset_not_found() const {
        if (shows_reset())
            return {Promise::reset_is_found, "a reset that closed the gate is not found"};
        return {};
    }

    Verdict parity_error_not_reported(const Answer& answer) const {
        if (world_.damaged && !answer.err && !world_.fired && !takes_baseline() &&
            !(answer.events & MACSTATS_EVENT_PARITY_ERROR))
            return {Promise::parity_error_is_reported, "a parity error is not reported"};
        return {};
    }

    Verdict freeze_not_reported(const Answer& answer) const {
        if (world_.is_frozen() && !answer.err && !world_.fired)
            return {Promise::freeze_is_reported, "frozen counters are taken for silent ones"};
        return {};
    }

    // Did the step take a new baseline, which clears parity errors?
    bool takes_baseline() const {
        return world_.step.act == Act::resume || world_.step.act == Act::announced_reset;
    }

    // Do the gate, still closed, and the counter show that the hardware was reset?
    bool shows_reset() const {
        return world_.kind.gate && world_.step.act == Act::poll && !world_.fired &&
               !world_.emu.faults && !macstats__gate_is_open(&world_.emu) && world_.last_read[0] &&
               !world_.live(0);
    }

    // Settles the account of a counter after a good poll. Where a report, a saturated counter or a
    // changed register excuses missing events, writes them off: then the counter owes what the
    // next poll will find.
    Verdict settle(unsigned int i) {
        const Excuses& excuses = account_.excuses;
        const s64 rest = residue(i);
        s64& owed = account_.owed[i];

        if (excuses.reported || world_.saturated(i)) {
            owed = rest;
        } else if (excuses.tampered) {
            if (went_back(i))
                return {
                    Promise::clear_is_reported,
                    "a counter that cannot roll over went back, which nothing reports"};
            owed = rest;
        } else if (owed > world_.during[i]) {
            return {
                Promise::no_event_is_lost,
                std::to_string(owed - world_.during[i]) + " events are lost"};
        } else if (world_.acc.counters[i].unknown) {
            // The next poll reports that.
        } else if (!world_.kind.saturates() && (owed - rest) % world_.span) {
            return {
                Promise::next_poll_adds_rest, std::to_string(owed) + " events are owed, but " +
                                                  std::to_string(rest) + " will be added"};
        }
        return {};
    }

    bool went_back(unsigned int i) const {
        return world_.kind.free_running() && world_.kind.saturates() && !world_.fired &&
               world_.live(i) < account_.shown[i];
    }

    // Is there reason to report a possible loss: can a counter have wrapped since the last good
    // poll, by a clock that may be an eighth slow?
    bool overdue() const {
        return world_.unpolled_ns() >= static_cast<u64>(world_.span - world_.span / 8) * event_ns;
    }

    // The events that the accumulator will find, if nothing else happens.
    s64 residue(unsigned int i) const {
        return static_cast<s64>((world_.live(i) - world_.acc.counters[i].old) & world_.mask());
    }

    // By how much a total may advance: by the events of the time since the last good poll, and
    // by one more for the frame, the millisecond and the fast clock that the bound adds.
    s64 most() const { return static_cast<s64>(world_.unpolled_ns() / event_ns + 2); }

    World& world_;
    Account& account_;
};

} // namespace macstats::test::every_state

#endif
