// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The scenarios of a model notice every change of every rule of its rows that makes
// a difference; and every counter is seen to count, and not to count.
#include "boost_test.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <macstats/rules.h>

#include "effort.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "mutant.hpp"

BOOST_AUTO_TEST_SUITE(unit_scenario_mutations)

using namespace macstats;
using namespace macstats::test;

namespace {

// Written by hand, and made by the build. None for a model without a folder of them.
std::vector<std::filesystem::path> files_of(const std::string& model) {
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path folder : {MACSTATS_SCENARIOS, MACSTATS_SWEEPS}) {
        std::error_code missing;
        for (const auto& entry : std::filesystem::directory_iterator(folder / model, missing))
            if (entry.path().extension() == ".json")
                files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// The scenarios of a model, on a model that somebody may change.
std::vector<Scenario> scenarios_of(const macstats_model& model) {
    const ModelLookup models = [&](std::string_view name) {
        return name == model.name ? &model : find_model(name);
    };
    std::vector<Scenario> scenarios;
    for (const auto& file : files_of(model.name)) {
        auto scenario = load_scenario(file.string(), models);
        if (!scenario)
            throw std::runtime_error(scenario.error().message);
        scenarios.push_back(std::move(*scenario));
    }
    return scenarios;
}

// Runs scenarios until one fails. Those which noticed something come first the next
// time: changes that are visited one after the other are like each other.
class Jury {
public:
    explicit Jury(std::vector<Scenario> scenarios) : scenarios_(std::move(scenarios)) {}

    bool notices_something() {
        for (auto scenario = scenarios_.begin(); scenario != scenarios_.end(); ++scenario)
            if (!passes(*scenario)) {
                std::rotate(scenarios_.begin(), scenario, scenario + 1);
                return true;
            }
        return false;
    }

    [[nodiscard]] std::size_t size() const { return scenarios_.size(); }

private:
    // A model may be so wrong that no device can be made of it.
    bool passes(const Scenario& scenario) {
        try {
            return run_scenario(scenario, *backend_).outcome == Outcome::passed;
        } catch (const std::logic_error&) {
            return false;
        }
    }

    std::vector<Scenario> scenarios_;
    std::unique_ptr<Backend> backend_ = builtin_backend();
};

struct Survey {
    unsigned int changes = 0;
    unsigned int rejected = 0; // by the compile-time checks
    unsigned int without_difference = 0;
    std::vector<std::string> survivors;
};

// Does a change that nobody noticed make no difference?
bool is_no_change(const Subject& subject, About about, std::size_t row) {
    const macstats_counter& right = subject.original.counters[row];
    switch (about) {
    case About::counting:
        return !differ(subject.original, right, subject.counters[row]);
    case About::standard:
    case About::beyond:
        return !can_count(subject.original, right);
    case About::described:
        return !rows_differ(subject.original, subject.changed);
    case About::descriptors:
        return !descriptors_differ(subject.original, subject.changed);
    case About::model:
        return !models_differ(subject.original, subject.changed) &&
               !descriptors_differ(subject.original, subject.changed);
    default:
        return false;
    }
}

// @every: look at each so-manieth change only.
Survey survey(const macstats_model& model, unsigned int every) {
    Subject subject(model);
    Jury jury(scenarios_of(subject.changed));
    Survey result;
    std::uint64_t number = run_seed();

    Mutations(subject, [&](const std::string& what, About about, std::size_t row) {
        if (number++ % every)
            return;
        result.changes++;
        if (macstats__find_violation(&subject.changed).rule)
            result.rejected++;
        else if (jury.notices_something())
            return;
        else if (is_no_change(subject, about, row))
            result.without_difference++;
        else
            result.survivors.push_back(what);
    }).all();
    return result;
}

// All of them take many minutes.
unsigned int stride() {
    return is_full() ? 1 : is_long() ? 13 : 149;
}

// Every model of models.h that has scenarios.
std::vector<const macstats_model*> models_with_scenarios() {
    std::vector<const macstats_model*> all;
    for (const macstats_model* model : all_models())
        if (!files_of(model->name).empty())
            all.push_back(model);
    return all;
}

const std::vector<const macstats_model*> models = models_with_scenarios();

struct Seen {
    bool counts = false;
    bool does_not_count = false;
};

// Collects for each counter whether a scenario expects a total above 0, and whether it
// expects an unchanged total although frames crossed the wire of that port.
void look_at(const Scenario& scenario, std::vector<Seen>& seen) {
    std::map<std::pair<unsigned int, PortIndex>, bool> sent;
    for (const Step& step : scenario.steps) {
        if (const auto* send = std::get_if<SendStep>(&step))
            sent[{send->port.device, send->port.index}] = true;
        const auto* expect = std::get_if<ExpectStep>(&step);
        if (!expect || !sent[{expect->port.device, expect->port.index}])
            continue;
        std::vector<bool> named(seen.size());
        for (const auto& total : expect->totals) {
            const std::uint32_t index = total.counter.value();
            named.at(index) = true;
            if (total.value)
                (*total.value ? seen[index].counts : seen[index].does_not_count) = true;
        }
        for (std::size_t i = 0; i < seen.size() && expect->others == Others::zero; i++)
            if (!named[i])
                seen[i].does_not_count = true;
    }
}

} // namespace

// The other tests skip a model without scenarios; this one fails and lists what to add.
BOOST_AUTO_TEST_CASE(every_model_has_scenarios) {
    for (const macstats_model* model : all_models())
        BOOST_TEST(
            !files_of(model->name).empty(),
            "no scenario of " << model->name << ": add JSON files to test/scenario/" << model->name
                              << "/ until no test of unit.scenario_mutations fails");
}

BOOST_AUTO_TEST_CASE(every_scenario_passes) {
    std::size_t by_hand = 0;
    std::size_t sweeps = 0;
    for (const macstats_model* model : models) {
        const auto backend = builtin_backend();
        for (const Scenario& scenario : scenarios_of(*model)) {
            const Report report = run_scenario(scenario, *backend);
            BOOST_TEST((report.outcome == Outcome::passed), scenario.file);
            BOOST_TEST(!scenario.reference.empty(), scenario.file << " has no reference");
            (scenario.file.starts_with(MACSTATS_SWEEPS) ? sweeps : by_hand)++;
        }
    }
    BOOST_TEST(by_hand >= 80U);
    BOOST_TEST(sweeps >= 80U);
}

BOOST_AUTO_TEST_CASE(every_counter_is_seen_to_count_and_not_to_count) {
    for (const macstats_model* model : models) {
        std::vector<Seen> seen(model->n_counters);
        for (const Scenario& scenario : scenarios_of(*model))
            look_at(scenario, seen);
        for (unsigned int i = 0; i < model->n_counters; i++) {
            const macstats_counter& row = model->counters[i];
            // Writes alone raise those of frames that the emulation does not have.
            BOOST_TEST(
                (seen[i].counts == can_count(*model, row) || row.mac == MACSTATS_MAC_PREEMPTIBLE),
                model->name << " " << row.name << ": no scenario in which it counts");
            BOOST_TEST(
                seen[i].does_not_count,
                model->name << " " << row.name << ": no scenario in which it does not count");
        }
    }
}

BOOST_AUTO_TEST_CASE(every_change_of_a_rule_fails_a_scenario) {
    for (const macstats_model* model : models) {
        if (!is_wanted(model->name))
            continue;
        const Survey result = survey(*model, stride());
        BOOST_TEST_MESSAGE(
            model->name << ": " << result.changes << " changes, of which "
                        << result.without_difference << " make no difference and "
                        << result.rejected << " would not compile");
        for (const std::string& what : result.survivors)
            BOOST_TEST(false, model->name << ": nothing fails with " << what);
        BOOST_TEST(result.changes * stride() > 20U * 71U);
    }
}

// The test is itself tested: one scenario alone does not notice everything.
BOOST_AUTO_TEST_CASE(a_collection_with_a_gap_has_survivors) {
    Subject subject(*models.front());
    auto scenarios = scenarios_of(subject.changed);
    BOOST_REQUIRE(!scenarios.empty());
    scenarios.resize(1);
    Jury jury(std::move(scenarios));
    BOOST_TEST(!jury.notices_something());
    unsigned int noticed = 0;
    unsigned int missed = 0;
    unsigned int number = 0;
    Mutations(subject, [&](const std::string&, About, std::size_t) {
        if (number++ % 101 == 0)
            (jury.notices_something() ? noticed : missed)++;
    }).all();
    BOOST_TEST(missed > 0U);
}

// And so is what tells a difference from none.
BOOST_AUTO_TEST_CASE(rows_that_count_the_same_do_not_differ) {
    macstats_model model = *find_model("ll40g");
    macstats_counter row = model.counters[0];
    row.unit = MACSTATS_FRAMES;
    row.when[0] = {};
    row.when[1] = {};
    row.when[0].direction = MACSTATS_RX;
    macstats_counter other = row;
    BOOST_TEST(!differ(model, row, other));
    other.when[0].destination = MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST;
    BOOST_TEST(!differ(model, row, other));
    other.when[0].destination = MACSTATS_UNICAST;
    BOOST_TEST(differ(model, row, other));
    other = row;
    other.when[0].no_errors = MACSTATS_ERR_CODE;
    BOOST_TEST(differ(model, row, other));
    // Transmitted frames have at least 64 octets.
    row.when[0].direction = other.when[0].direction = MACSTATS_TX;
    row.when[0].size = MACSTATS_SIZE_64;
    other = row;
    other.when[0].size = MACSTATS_SIZE_64 | MACSTATS_SIZE_UNDER_64;
    BOOST_TEST(!differ(model, row, other));
    other.when[0].size = MACSTATS_SIZE_64 | MACSTATS_SIZE_65_TO_127;
    BOOST_TEST(differ(model, row, other));
}

BOOST_AUTO_TEST_SUITE_END()
