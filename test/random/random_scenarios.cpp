// SPDX-License-Identifier: GPL-2.0 OR MIT
//
//     random_scenarios [--backend builtin|kernel] [--first I] [--count N] [--seed S] [--model M]...
//
// Runs random scenarios of each model, whose expectations come from the slow reference,
// and prints TAP: of those that a seed gives, number I (0) and the following ones. Of a
// failure it prints the shortest scenario file that shows it.
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../unit/support/effort.hpp"
#include "../unit/support/options.hpp"
#include "scenarios.hpp"

using namespace macstats;
using namespace macstats::test;

namespace {

struct Request {
    std::string backend = "builtin";
    std::uint64_t first = 0;
    std::uint64_t count = 300;
    std::uint64_t seed = run_seed();
    std::vector<std::string> models;
};

void comment(const std::string& text) {
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos && begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        fmt::print("# {}\n", text.substr(begin, end - begin));
    }
}

// What @backend has to read.
Scenario told_to(const Backend& backend, const Scenario& outline) {
    return foretold(outline, backend.name() != "builtin");
}

// Why it fails, or "" if it does not.
std::string failure_of(const Scenario& outline, Backend& backend) {
    const Report report = run_scenario(told_to(backend, outline), backend);
    if (report.outcome == Outcome::passed)
        return "";
    return report.failures.empty() ? report.reason : failure_text(report.failures.front());
}

// Does no scenario of the model fail?
bool all_pass(const macstats_model& model, const Request& request, Backend& backend) {
    for (std::uint64_t i = request.first; i < request.first + request.count; i++) {
        const std::uint64_t seed = request.seed * 1'000'003 + i;
        const Scenario outline = Generator(model, seed).generate();
        const std::string failure = failure_of(outline, backend);
        if (failure.empty())
            continue;
        // Now: what fails once may pass when it is repeated.
        comment(fmt::format("scenario {} of seed {}: {}", i, request.seed, failure));
        std::fflush(stdout);
        const Scenario shortest = shrunk(outline, [&](const Scenario& shorter) {
            return !failure_of(shorter, backend).empty();
        });
        comment(fmt::format("the shortest one that fails: {}", failure_of(shortest, backend)));
        comment(scenario_text(told_to(backend, shortest)));
        return false;
    }
    return true;
}

int run(const Request& request) {
    const auto backend = open_backend(request.backend);
    if (!backend) {
        fmt::print(stderr, "{}\n", backend.error().message);
        return 2;
    }
    fmt::print("TAP version 13\n1..{}\n", request.models.size());
    bool good = true;
    for (std::size_t i = 0; i < request.models.size(); i++) {
        const auto model = model_called(request.models[i]);
        if (!model) {
            fmt::print(stderr, "{}\n", model.error().message);
            return 2;
        }
        const bool passed = all_pass(**model, request, **backend);
        fmt::print(
            "{} {} - {}: {} random scenarios from {} on, {}, seed {}\n", passed ? "ok" : "not ok",
            i + 1, request.models[i], request.count, request.first, request.backend, request.seed);
        std::fflush(stdout);
        good = good && passed;
    }
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    try {
        Request request;
        const auto rest = read_options(
            argc, argv,
            {{"backend", [&](const std::string& value) { request.backend = value; }},
             {"first", into(request.first)},
             {"count", into(request.count)},
             {"seed", into(request.seed)},
             {"model", [&](const std::string& value) { request.models.push_back(value); }}});
        if (!rest.empty())
            throw std::invalid_argument("no such argument: " + rest[0]);
        if (request.models.empty()) {
            for (const macstats_model* model : all_models()) {
                if (reference::has_reference(model->name))
                    request.models.emplace_back(model->name);
                else
                    comment(reference::missing_reference(model->name));
            }
        }
        return run(request);
    } catch (const std::exception& error) {
        fmt::print("Bail out! {}\n", error.what());
        return 1;
    }
}
