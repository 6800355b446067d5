// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The steps of a search: each thing that can happen to a port and its accumulator.
#ifndef MACSTATS_TEST_EVERY_STATE_STEP_HPP
#define MACSTATS_TEST_EVERY_STATE_STEP_HPP

#include <string>

#include "fixture.hpp"

namespace macstats::test::every_state {

// A comment states what a step does, where its name does not show it.
#define MACSTATS_TEST_ACTS(ACT)                                                              \
    ACT(nothing)                                                                             \
    ACT(events) /* of counter `which`, `number` of them, as fast as the line carries them */ \
    ACT(late)   /* so much time passes that any counter may have wrapped */                  \
    ACT(poll)                                                                                \
    ACT(suspend) /* by the driver, which takes the power away */                             \
    ACT(resume)                                                                              \
    ACT(announced_reset)                                                                     \
    /* Below: also in the middle of a poll. */                                               \
    ACT(reset)           /* nobody announces it; the counters begin from `number` */         \
    ACT(access_fails)    /* one access, in the middle of a poll */                           \
    ACT(begin)           /* fault `number` */                                                \
    ACT(end)             /* all faults */                                                    \
    ACT(foreign_read)    /* of counter `which` */                                            \
    ACT(foreign_clear)   /* by the command */                                                \
    ACT(foreign_gate)    /* closes it, or opens it with `number` */                          \
    ACT(closing_gate)    /* somebody closes it, `number` events after the access before */   \
    ACT(foreign_request) /* of a snapshot */                                                 \
    ACT(foreign_release) /* and `number` events before the next access */                    \
    ACT(foreign_switch)  /* turns the bit: 1 clear on read, 2 saturate, 4 freeze */          \
    ACT(parity_error)

enum class Act : u8 {
#define MACSTATS_TEST_ACT(name) name,
    MACSTATS_TEST_ACTS(MACSTATS_TEST_ACT)
#undef MACSTATS_TEST_ACT
};

inline const char* name(Act act) {
    static constexpr const char* names[] = {
#define MACSTATS_TEST_ACT(name) #name,
        MACSTATS_TEST_ACTS(MACSTATS_TEST_ACT)
#undef MACSTATS_TEST_ACT
    };

    return names[static_cast<int>(act)];
}

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
    std::string out = name(step.act);

    if (step.at >= 0)
        out +=
            std::string(" with ") + name(step.during) + " before access " + std::to_string(step.at);
    return out + " " + std::to_string(step.number) + "/" + std::to_string(step.which);
}

} // namespace macstats::test::every_state

#endif
