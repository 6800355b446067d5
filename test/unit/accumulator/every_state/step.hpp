// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The steps of a search: each thing that can happen to a port and its accumulator.
#ifndef MACSTATS_TEST_EVERY_STATE_STEP_HPP
#define MACSTATS_TEST_EVERY_STATE_STEP_HPP

#include <string>

#include "fixture.hpp"

namespace macstats::test::every_state {

enum class Act : u8 {
    nothing,
    events,          // of counter `which`, `number` of them, as fast as the line carries them
    late,            // so much time passes that any counter may have wrapped
    poll,            //
    masked_poll,     // with the half-full interrupt masked, as the interrupt handler polls
    suspend,         // by the driver, which takes the power away
    resume,          //
    announced_reset, //
    // Below: also in the middle of a poll.
    reset,           // nobody announces it; the counters begin from `number`
    access_fails,    // one access, in the middle of a poll
    begin,           // fault `number`
    end,             // all faults
    foreign_read,    // of counter `which`
    foreign_clear,   // by the command
    foreign_gate,    // closes it, or opens it with `number`
    closing_gate,    // somebody closes it, `number` events after the access before
    foreign_request, // of a snapshot
    foreign_release, // and `number` events before the next access
    parity_error,    //
};

struct Step {
    Step() = default;

    Step(Act act_, unsigned int number_ = 0, unsigned int which_ = 0, Act during_ = Act::nothing)
        : act(act_),
          during(during_),
          number(static_cast<u16>(number_)),
          which(static_cast<u8>(which_)) {}

    // An incident is a fault, a reset, or an access by somebody else.
    bool is_incident() const {
        const Act what = during == Act::nothing ? act : during;

        return what == Act::announced_reset || (what >= Act::reset && what != Act::end);
    }

    Act act = Act::nothing;
    Act during = Act::nothing;
    u16 number = 0;
    u8 which = 0;
    __s16 at = -1; // the access before which `during` happens
};

inline std::string text(const Step& step) {
    static const char* const names[] = {
        "nothing",         "events",          "late",         "poll",
        "masked_poll",     "suspend",         "resume",       "announced_reset",
        "reset",           "access_fails",    "begin",        "end",
        "foreign_read",    "foreign_clear",   "foreign_gate", "closing_gate",
        "foreign_request", "foreign_release", "parity_error"};
    std::string out = names[static_cast<int>(step.act)];

    if (step.at >= 0)
        out += " with " + std::string(names[static_cast<int>(step.during)]) + " before access " +
               std::to_string(step.at);
    return out + " " + std::to_string(step.number) + "/" + std::to_string(step.which);
}

} // namespace macstats::test::every_state

#endif
