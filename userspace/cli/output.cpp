// SPDX-License-Identifier: GPL-2.0 OR MIT
// Output: data to stdout, complaints to stderr.
#include "cli.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "libmacstats/names.hpp"

namespace macstats::cli {

// Whether all of it got out is looked at once, at the end.
void print(std::string_view text) {
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_json(const nlohmann::ordered_json& json) {
    // Names of interfaces may hold any octets.
    constexpr int indent = 2;
    print(json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void complain(std::string_view text) {
    const std::string line = fmt::format("macstats: {}\n", text);
    (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

void hint_if_none(std::size_t ports) {
    if (ports == 0)
        complain("there are no ports here; `macstats emu add MODEL` makes emulated ones");
}

void add_json_flag(CLI::App& command, bool& flag) {
    command.add_flag("--json", flag, "Print JSON");
}

Example example() {
    const macstats_model& model = *all_models().front();
    const macstats_counter& counter = model.counters[0];
    const bool two_words = macstats_words(&model, &counter) == 2;

    Example example{
        .model = model.name,
        .counter = counter.name,
        .reg = "REGISTER",
        .low = fmt::format("{}{}", counter.reg, two_words ? "_LO" : "")};
    for (const macstats_bit& scratch : model.scratch)
        if (const int index = macstats_register_at(&model, scratch.offset);
            scratch.mask && index >= 0)
            example.reg = model.registers[index].name;
    return example;
}

} // namespace macstats::cli
