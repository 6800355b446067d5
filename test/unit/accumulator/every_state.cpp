// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Every state that an emulated port and its accumulator can reach together, with counters so
// narrow that they can all be visited. At each state the search tries everything that can
// happen: events, polls, faults, and any of these in the middle of a poll. It keeps its own
// account of the events that no total has yet.
//
// * An incident is a fault, a reset, or an access by somebody else. One search has any number of
//   them, in any order; wider counters have one on each way, at any access of any poll. Events,
//   polls, suspends and the end of a fault are always free.
// * Two counters are there for what one does to the other: a block that was cleared.
//
// every_state/ has the parts: the hardware and its kinds, the steps, the world that takes them,
// the judge of what is promised, and the search.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "every_state/kinds.hpp"
#include "every_state/search.hpp"

using namespace macstats::test;
using namespace macstats::test::every_state;

namespace {

const Mutation none{};

} // namespace

BOOST_AUTO_TEST_SUITE(every_state)

// 0: short, 1: long, 2: full.
int effort() {
    return is_full() ? 2 : is_long() ? 1 : 0;
}

BOOST_AUTO_TEST_CASE(no_count_is_lost_without_a_report_and_no_total_goes_back) {
    Outcome all;

    for (const Kind& kind : kinds) {
        const unsigned int any = effort() ? kind.longer : kind.quick;

        for (unsigned int bits = 1; bits <= std::max(any, kind.one_incident[effort()]); bits++) {
            const Outcome outcome = Search(kind, bits, none, bits <= any ? any_number : 1).run();
            BOOST_TEST(outcome.violation == "");
            std::cout << kind.name << ", " << bits << " bits, "
                      << (bits <= any ? "any incidents: " : "one incident: ") << outcome.states
                      << " states, " << outcome.steps << " transitions" << std::endl;
            all.states += outcome.states;
            all.steps += outcome.steps;
        }
    }
    std::cout << "all: " << all.states << " states, " << all.steps << " transitions\n";
}

// The search finds each of these accumulators, so it can fail.
BOOST_AUTO_TEST_CASE(wrong_accumulators_are_found) {
    const auto kind = [](const char* name) -> const Kind& {
        return *std::find_if(
            std::begin(kinds), std::end(kinds), [&](const Kind& one) { return one.name == name; });
    };
    const struct {
        const char* kind;
        Mutation mutation;
    } wrong[] = {
        {"free-running", {"a gap is no loss", nullptr, nullptr, MACSTATS_EVENT_POSSIBLE_LOSS}},
        {"free-running",
         {"a wrap takes twice as long", nullptr,
          [](macstats_accumulator& acc) {
              acc.max_gap_usecs = 2 * macstats_max_gap_usecs(acc.model, acc.model->line_rate_bps);
          }}},
        {"free-running",
         {"each poll reports a loss", nullptr,
          [](macstats_accumulator& acc) { acc.max_gap_usecs = 0; }}},
        {"free-running",
         {"reads clear", [](Hardware& model) { model.rows[0].onread = MACSTATS_ONREAD_RCLR; }}},
        {"free-running, bound", {"one bit more", [](Hardware& model) { model.rows[0].bits++; }}},
        {"free-running",
         {"each poll forgets its last value", nullptr,
          [](macstats_accumulator& acc) { acc.old[0] = 0; }}},
        {"free-running, bound",
         {"no bound", nullptr, [](macstats_accumulator& acc) { acc.line_rate_bound = false; }}},
        {"free-running, saturating",
         {"it rolls over", [](Hardware& model) { model.rows[0].overflow = MACSTATS_ROLLOVER; }}},
        {"free-running, saturating",
         {"a clear is not reported", nullptr, nullptr, MACSTATS_EVENT_DISCONTINUITY}},
        {"cleared by reads",
         {"reads clear nothing",
          [](Hardware& model) { model.rows[0].onread = MACSTATS_ONREAD_NONE; }}},
        {"cleared by reads", {"always ready", [](Hardware& model) { model.model.busy.mask = 0; }}},
        {"cleared by reads",
         {"discarded values are not reported", nullptr, nullptr, MACSTATS_EVENT_POSSIBLE_LOSS}},
        {"decremented", {"no gate", [](Hardware& model) { model.model.gate.mask = 0; }}},
        {"snapshot",
         {"no snapshot",
          [](Hardware& model) {
              model.model.blocks[0].snapshot_request.mask = 0;
              model.model.blocks[0].snapshot_granted.mask = 0;
          }}},
        {"snapshot",
         {"parity errors are not reported", nullptr, nullptr,
          MACSTATS_EVENT_PARITY_ERROR | MACSTATS_EVENT_DISCONTINUITY}},
    };

    for (const auto& one : wrong) {
        const Outcome outcome = Search(kind(one.kind), 2, one.mutation, 1).run();

        BOOST_TEST(outcome.violation != "", one.mutation.name << " is not found");
        BOOST_TEST_MESSAGE(
            one.mutation.name << " is found after " << outcome.steps
                              << " transitions: " << outcome.violation);
    }
}

BOOST_AUTO_TEST_SUITE_END()
