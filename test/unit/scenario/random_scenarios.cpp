// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Random scenarios: the same seed gives the same one, a difference is found, and what
// is printed of it is short.
#include "boost_test.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>

#include "../../random/scenarios.hpp"
#include "effort.hpp"
#include "mutant.hpp"

BOOST_AUTO_TEST_SUITE(unit_random_scenarios)

using namespace macstats;
using namespace macstats::test;

namespace {

const macstats_model& first = *all_models().front();

std::vector<const macstats_model*> models_with_reference() {
    std::vector<const macstats_model*> all;
    for (const macstats_model* model : all_models())
        if (reference::has_reference(model->name))
            all.push_back(model);
    return all;
}

// Decides whether a scenario fails on a device with one wrong rule.
struct Search {
    explicit Search(const macstats_model& wrong) : wrong_(wrong) {}

    bool fails(const Scenario& outline) {
        Scenario told = foretold(outline);
        for (ScenarioDevice& device : told.devices)
            device.model = &wrong_;
        return run_scenario(told, *backend_).outcome == Outcome::failed;
    }

    const macstats_model& wrong_;
    std::unique_ptr<Backend> backend_ = builtin_backend();
};

} // namespace

BOOST_AUTO_TEST_CASE(a_seed_gives_one_scenario) {
    for (const macstats_model* model : models_with_reference()) {
        const auto text = [&](std::uint64_t seed) {
            return scenario_text(foretold(Generator(*model, seed).generate()));
        };
        BOOST_TEST(text(5) == text(5));
        BOOST_TEST(text(5) != text(6));
    }
}

// As a failure prints it, to be repeated by --seed and --first alone.
BOOST_AUTO_TEST_CASE(the_scenario_of_a_seed_is_the_same_in_each_run) {
    const auto text = [] { return scenario_text(foretold(Generator(first, 5).generate())); };
    const std::string run = std::to_string(run_seed());
    const std::string before = text();
    setenv("MACSTATS_SEED", std::to_string(run_seed() + 1).c_str(), 1);
    BOOST_TEST(text() == before);
    setenv("MACSTATS_SEED", run.c_str(), 1);
}

BOOST_AUTO_TEST_CASE(what_is_printed_is_a_scenario_file_that_gives_the_same) {
    const auto backend = builtin_backend();
    for (const macstats_model* model : models_with_reference())
        for (std::uint64_t number = 0; number < 20; number++) {
            const Scenario outline = Generator(*model, seed_of(number)).generate();
            const auto read = parse_scenario(scenario_text(foretold(outline)), "");
            BOOST_TEST((run_scenario(*read, *backend).outcome == Outcome::passed));
        }
}

BOOST_AUTO_TEST_CASE(a_wrong_rule_is_found_and_shown_by_one_frame) {
    Subject subject(first);
    // Fragments of 64 octets, too.
    macstats_counter& row = subject.counters.at(find_counter(first, "rx_fragments")->value());
    row.when[0].size |= MACSTATS_SIZE_64;
    Search search(subject.changed);
    for (std::uint64_t seed = 0; seed < 1000; seed++) {
        const Scenario outline = Generator(first, seed).generate();
        if (!search.fails(outline))
            continue;
        const Scenario shortest =
            shrunk(outline, [&](const Scenario& shorter) { return search.fails(shorter); });
        BOOST_TEST(search.fails(shortest));
        BOOST_TEST(shortest.steps.size() == 2U);
        BOOST_TEST(std::holds_alternative<SendStep>(shortest.steps.front()));
        return;
    }
    BOOST_FAIL("not found");
}

BOOST_AUTO_TEST_SUITE_END()
