// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Every state that an emulated port and its accumulator can reach together, with counters so
// narrow that they can all be visited. At each state the search tries everything that can
// happen: events, polls, faults, and any of these in the middle of a poll. It keeps its own
// account of the events that no total has yet.
//
// * An incident is a fault, a reset, or an access by somebody else. One search has any number of
//   them, in any order; wider counters have one to three on each way, at any access of any poll.
//   Events, polls, suspends and the end of a fault are always free.
// * Two counters are there for what one does to the other: a block that was cleared.
//
// every_state/ has the parts: the hardware and its kinds, the steps, the world that takes them,
// the judge of what is promised, the search, and wrong accumulators.
#include "boost_test.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "every_state/kinds.hpp"
#include "every_state/search.hpp"
#include "every_state/wrong.hpp"

BOOST_AUTO_TEST_SUITE(unit_every_state)

using namespace macstats::test;
using namespace macstats::test::every_state;

namespace {

const Mutation none{};

// The texts that headers pass to macstats__note_loss().
std::set<std::string> reasons_for_a_loss() {
    std::string source;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(MACSTATS_HEADERS)) {
        if (!entry.is_regular_file())
            continue;
        std::ifstream file(entry.path());
        source.append(std::istreambuf_iterator<char>(file), {});
    }
    const std::regex call("\\bmacstats__note_loss\\(acc,\\s*\"([^\"]*)\"");
    const std::regex any("\\bmacstats__note_loss\\(");
    std::set<std::string> reasons;
    std::ptrdiff_t calls = 0;

    for (std::sregex_iterator at(source.begin(), source.end(), call), end; at != end; ++at) {
        reasons.insert((*at)[1]);
        calls++;
    }
    // All calls, and the definition.
    BOOST_TEST(
        std::distance(std::sregex_iterator(source.begin(), source.end(), any), {}) == calls + 1);
    return reasons;
}

// 0: short, 1: long, 2: full.
int effort() {
    return is_full() ? 2 : is_long() ? 1 : 0;
}

// On each way, for counters of so many bits; 0: there is no search of them.
unsigned int most_incidents(const Kind& kind, unsigned int bits) {
    if (bits <= (is_full() ? kind.full : kind.quick))
        return any_number;
    if (bits > kind.widest[effort()])
        return 0;
    return bits == 2 ? kind.incidents[effort()] : 1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(every_state)

BOOST_AUTO_TEST_CASE(no_count_is_lost_without_a_report_and_no_total_goes_back) {
    Outcome all;

    for (const Kind& kind : kinds)
        for (unsigned int bits = 1; most_incidents(kind, bits); bits++) {
            const unsigned int most = most_incidents(kind, bits);
            const Outcome outcome = Search(kind, bits, none, most).run();

            BOOST_TEST((outcome.broken == Promise::none), outcome.violation);
            std::cout << kind.name << ", " << bits << " bits, "
                      << (most == any_number ? "any" : std::to_string(most))
                      << " incidents: " << outcome.states << " states, " << outcome.steps
                      << " transitions" << std::endl;
            all.states += outcome.states;
            all.steps += outcome.steps;
        }
    std::cout << "all: " << all.states << " states, " << all.steps << " transitions\n";
}

// The search finds each of these accumulators, so it can fail.
BOOST_AUTO_TEST_CASE(wrong_accumulators_are_found) {
    std::size_t steps = 0;

    for (const Wrong& one : wrong) {
        const Outcome outcome =
            Search(kind_of(one.kind), one.bits, one.mutation, one.incidents).run();

        BOOST_TEST(
            (outcome.broken != Promise::none),
            one.kind << ": " << one.mutation.name << " is not found");
        BOOST_TEST(
            (outcome.broken == one.breaks),
            one.kind << ": " << one.mutation.name
                     << " breaks another promise: " << outcome.violation);
        BOOST_TEST_MESSAGE(
            one.kind << ": " << one.mutation.name << " is found after " << outcome.steps
                     << " transitions: " << outcome.violation);
        steps += outcome.steps;
    }
    std::cout << "wrong accumulators: " << steps << " transitions\n";
}

BOOST_AUTO_TEST_CASE(each_kind_has_a_wrong_accumulator) {
    for (const Kind& kind : kinds)
        BOOST_TEST(
            std::any_of(
                std::begin(wrong), std::end(wrong),
                [&](const Wrong& one) { return one.kind == kind.name; }),
            kind.name);
}

BOOST_AUTO_TEST_CASE(each_reason_for_a_possible_loss_has_a_row_or_a_cause_to_have_none) {
    std::multiset<std::string> listed;

    for (const WithoutRow& one : without_row)
        listed.insert(one.loss);
    std::set<std::string> hidden;
    for (const Wrong& one : wrong)
        if (!one.mutation.hidden_loss.empty())
            hidden.insert(one.mutation.hidden_loss);
    listed.insert(hidden.begin(), hidden.end());

    const std::set<std::string> reasons = reasons_for_a_loss();
    BOOST_TEST(
        listed == std::multiset<std::string>(reasons.begin(), reasons.end()),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_wrong_accumulator_breaks_each_promise) {
    for (int promise = 1; promise <= static_cast<int>(Promise::last); promise++)
        BOOST_TEST(
            std::any_of(
                std::begin(wrong), std::end(wrong),
                [&](const Wrong& one) { return static_cast<int>(one.breaks) == promise; }),
            "no row breaks promise " << promise);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
