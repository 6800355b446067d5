// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Wrong accumulators: each breaks one rule, for one kind of port. The search must find them all.
#ifndef MACSTATS_TEST_EVERY_STATE_WRONG_HPP
#define MACSTATS_TEST_EVERY_STATE_WRONG_HPP

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "judge.hpp"
#include "kinds.hpp"
#include "world.hpp"

namespace macstats::test::every_state {

struct Wrong {
    std::string kind;
    unsigned int bits; // latches and snapshots have words of two
    Promise breaks;    // by the shortest way
    Mutation mutation;
    unsigned int incidents = 1;
};

inline const Kind& kind_of(const std::string& name) {
    const auto* found = std::find_if(
        std::begin(kinds), std::end(kinds), [&](const Kind& one) { return one.name == name; });

    if (found == std::end(kinds))
        throw std::runtime_error("no kind " + name);
    return *found;
}

// A counter that is believed to have one bit more.
inline void wraps_as_ever(macstats_accumulator& acc) {
    acc.max_gap_usecs = macstats__max_gap_usecs(&acc) / 2;
}

// Mutations that several kinds have.

inline const Mutation no_bound{
    .name = "no bound", .before = [](macstats_accumulator& acc) { acc.line_rate_bound = false; }};

inline const Mutation high_word_first{.name = "the high word is first", .exchanges_words = true};

// A saturating counter has no wrap time.
inline const Mutation it_rolls_over{
    .name = "it rolls over",
    .model = [](Hardware& believed) { believed.rows[0].overflow = MACSTATS_ROLLOVER; },
    .before = [](macstats_accumulator& acc) { acc.max_gap_usecs = ~u64{0}; }};

inline Mutation does_not_report(const std::string& loss) {
    return {.name = "it does not report: " + loss, .hidden_loss = loss};
}

inline const Wrong wrong[] = {
    // Wrap times and bounds
    {"free-running",
     2,
     Promise::no_event_is_lost,
     {.name = "a gap is no loss", .hidden = MACSTATS_EVENT_POSSIBLE_LOSS}},
    {"free-running",
     2,
     Promise::no_event_is_lost,
     {.name = "a wrap takes twice as long",
      .before =
          [](macstats_accumulator& acc) {
              acc.max_gap_usecs = 2 * macstats__max_gap_usecs(&acc);
          }}},
    {"free-running",
     2,
     Promise::no_report_without_reason,
     {.name = "each poll reports a loss",
      .before = [](macstats_accumulator& acc) { acc.max_gap_usecs = 0; }}},
    {"free-running, bound", 2, Promise::no_total_passes_bound, no_bound},
    {"cleared by reads, bound", 2, Promise::no_total_passes_bound, no_bound},
    {"snapshot, bound", 2, Promise::no_total_passes_bound, no_bound},

    // Reads and writes of a counter
    {"free-running",
     2,
     Promise::no_total_goes_back,
     {.name = "each poll takes one event back",
      .before = [](macstats_accumulator& acc) { acc.counters[0].total--; }}},
    {"free-running",
     2,
     Promise::no_total_has_too_much,
     {.name = "reads clear",
      .model = [](Hardware& believed) { believed.rows[0].onread = MACSTATS_ONREAD_RCLR; }}},
    {"free-running, bound",
     2,
     Promise::no_total_has_too_much,
     {.name = "one bit more",
      .model = [](Hardware& believed) { believed.rows[0].bits++; },
      .before = wraps_as_ever}},
    {"free-running",
     2,
     Promise::no_total_has_too_much,
     {.name = "each poll forgets its last value",
      .before = [](macstats_accumulator& acc) { acc.counters[0].old = 0; }}},
    {"free-running, latch", 3, Promise::no_total_has_too_much, high_word_first},
    {"free-running, reread",
     3,
     Promise::no_total_has_too_much,
     {.name = "each word is read once",
      .model = [](Hardware& believed) { believed.rows[0].reread = false; }}},
    {"cleared by reads, latch", 3, Promise::no_total_has_too_much, high_word_first},
    {"cleared by reads",
     2,
     Promise::next_poll_adds_rest,
     {.name = "reads clear nothing",
      .model = [](Hardware& believed) { believed.rows[0].onread = MACSTATS_ONREAD_NONE; }}},
    {"two cleared by reads",
     1,
     Promise::no_event_is_lost,
     {.name = "the second counter is not read",
      .model = [](Hardware& believed) { believed.model.n_counters = 1; }}},
    {"two in a word, cleared by reads",
     1,
     Promise::no_total_has_too_much,
     {.name = "both begin at bit 0",
      .model = [](Hardware& believed) { believed.rows[1].lsb = 0; }}},

    // Counters that saturate
    {"free-running, saturating", 2, Promise::no_event_is_lost, it_rolls_over},
    {"cleared by reads, saturating", 2, Promise::no_event_is_lost, it_rolls_over},
    {"cleared by reads, latch, saturating", 3, Promise::no_event_is_lost, it_rolls_over},
    {"snapshot, saturating", 2, Promise::no_event_is_lost, it_rolls_over},

    // Resets and clears
    {"free-running, saturating",
     2,
     Promise::clear_is_reported,
     {.name = "a clear is not reported",
      .hidden = MACSTATS_EVENT_DISCONTINUITY,
      .hidden_after = Act::poll}},
    {"snapshot",
     2,
     Promise::no_event_is_lost,
     {.name = "an announced reset is not reported",
      .hidden = MACSTATS_EVENT_DISCONTINUITY,
      .hidden_after = Act::announced_reset}},
    {"two free-running, saturating",
     1,
     Promise::cleared_block_adds_nothing,
     {.name = "the counters are no block",
      .model =
          [](Hardware& believed) {
              believed.rows[1].block = 1;
              believed.model.n_blocks = 2;
          }}},
    {"free-running, gate",
     1,
     Promise::reset_is_found,
     {.name = "cleared counters show no reset",
      .before =
          [](macstats_accumulator& acc) {
              World& world = *static_cast<World*>(acc.bus.context);

              if (!world.live(0) && !macstats__gate_is_open(&world.emu))
                  acc.counters[0].old = 0;
          }}},

    // Bits that somebody else switches
    {"switched to clear and freeze",
     2,
     Promise::next_poll_adds_rest,
     {.name = "no bit lets reads clear",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_CLEAR_ON_READ); }}},
    {"switched to clear, reread",
     3,
     Promise::next_poll_adds_rest,
     {.name = "no bit lets reads clear",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_CLEAR_ON_READ); }}},
    {"switched to clear, words read at once",
     3,
     Promise::next_poll_adds_rest,
     {.name = "no bit lets reads clear",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_CLEAR_ON_READ); }}},
    {"switched to clear and freeze",
     2,
     Promise::freeze_is_reported,
     {.name = "no bit freezes",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_FREEZE); }}},
    {"switched to clear and freeze",
     2,
     Promise::no_event_is_lost,
     {.name = "a switch during a read is not reported", .hidden = MACSTATS_EVENT_DISCONTINUITY}},
    {"switched to clear and saturate",
     2,
     Promise::no_event_is_lost,
     {.name = "no bit lets counters saturate",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_SATURATE); },
      .before = [](macstats_accumulator& acc) { acc.max_gap_usecs = ~u64{0}; }}},

    // Checks of whether the counters can be read
    {"free-running",
     2,
     Promise::no_total_has_too_much,
     {.name = "it takes absence for values",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_IDENTITY); }}},
    {"cleared by reads",
     2,
     Promise::no_total_has_too_much,
     {.name = "always ready",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_BUSY); }}},
    {"cleared by reads, bound",
     2,
     Promise::no_total_has_too_much,
     {.name = "the clocks always run",
      .before = [](macstats_accumulator& acc) { acc.bus.clocks_run = nullptr; }}},
    {"free-running, gate",
     2,
     Promise::reset_is_found,
     {.name = "it takes a closed gate for open", .always_set = {control, 1}}},
    {"snapshot",
     3,
     Promise::no_total_has_too_much,
     {.name = "no snapshot",
      .model =
          [](Hardware& believed) {
              believed.drop(MACSTATS_ROLE_SNAPSHOT_REQUEST | MACSTATS_ROLE_SNAPSHOT_GRANTED);
          }}},
    {"snapshot",
     3,
     Promise::no_total_has_too_much,
     {.name = "a snapshot is never checked",
      .model = [](Hardware& believed) { believed.drop(MACSTATS_ROLE_SNAPSHOT_GRANTED); }}},
    {"snapshot",
     2,
     Promise::parity_error_is_reported,
     {.name = "parity errors are not reported", .hidden = MACSTATS_EVENT_PARITY_ERROR}},

    // Each reason for a possible loss, but for those in without_row
    {"free-running", 2, Promise::no_event_is_lost,
     does_not_report("not polled within the wrap time")},
    {"cleared by reads", 2, Promise::no_event_is_lost,
     does_not_report("what a read has cleared was not usable")},
    {"two cleared by reads", 1, Promise::no_event_is_lost,
     does_not_report("what a read has cleared was not usable")},
    {"cleared by reads, latch", 3, Promise::no_event_is_lost,
     does_not_report("the bus failed in the middle of a counter")},
    {"free-running", 2, Promise::no_event_is_lost,
     does_not_report("the last read before the suspend failed")},
    {"free-running", 2, Promise::next_poll_adds_rest,
     does_not_report("the counters could not be read at the resume")},
    {"switched to clear and saturate", 2, Promise::no_event_is_lost,
     does_not_report("a counter may have been full before it rolled over"), 2},
};

// Reasons for a possible loss that no row can hide so that the search finds it.
struct WithoutRow {
    std::string loss;
    std::string why;
};

inline const WithoutRow without_row[] = {
    {"more passed on the line than a counter shows",
     "the search has a clock, whose time is late first; traffic.cpp checks the report"},
    {"frames may have had more octets than a counter shows",
     "the search has no octets; traffic.cpp checks the report"},
    {"the counters were frozen by a bit of a register",
     "frames that come meanwhile are no events of the search; polled_modes.cpp checks the report"},
    {"the device is gone",
     "no poll follows macstats_gone(), so the judge never settles the account; foul_weather.cpp "
     "checks the report"},
};

} // namespace macstats::test::every_state

#endif
