// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/model.hpp"

#include <macstats/fault.h>
#include <macstats/interval.h>
#include <macstats/option.h>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"
#include "present/frame_rules.hpp"
#include "present/model_words.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

// A duration in the largest unit that it reaches.
std::string duration_text(double seconds) {
    struct Unit {
        double below;
        double seconds;
        std::string_view name;
    };
    constexpr double day = 24 * 3600;
    constexpr double year = 365.25 * day;
    for (const Unit& unit :
         {Unit{1, 1e-3, "ms"}, Unit{120, 1, "s"}, Unit{3600, 60, "min"}, Unit{2 * day, 3600, "h"},
          Unit{year, day, "days"}})
        if (seconds < unit.below)
            return fmt::format("{:.3g} {}", seconds / unit.seconds, unit.name);
    return fmt::format("{:.0f} years", seconds / year);
}

std::string usecs_text(std::uint64_t usecs) {
    return duration_text(static_cast<double>(usecs) / 1e6);
}

std::string line_rate_text(std::uint64_t bits_per_second) {
    const auto rate = static_cast<double>(bits_per_second);
    return rate >= 1e9 ? fmt::format("{:g} Gb/s", rate / 1e9)
                       : fmt::format("{:g} Mb/s", rate / 1e6);
}

// "duplex=full|half", for each option that a model does not fix.
std::vector<std::string> option_texts(const macstats_model& model) {
    std::vector<std::string> texts;
    for (const DeviceOption& option : options_of(model))
        if (option.values.size() > 1)
            texts.push_back(
                fmt::format("{}={}", option.name, fmt::join(default_first(model, option), "|")));
    return texts;
}

std::string range_text(std::uint32_t first, std::uint32_t last) {
    return first == last ? fmt::format("{:#x}", first) : fmt::format("{:#x}-{:#x}", first, last);
}

std::string wrap_text(const macstats_model& model, const macstats_counter& counter) {
    if (const auto fill = fill_seconds(model, counter))
        return "fills in " + duration_text(*fill);
    const auto wrap = wrap_seconds(model, counter);
    return wrap ? duration_text(*wrap) : "never";
}

// The effect of the poll interval on saturating counters.
std::string saturation_text(const macstats_model& model, bool unicode) {
    constexpr double shortest_poll = static_cast<double>(MACSTATS_POLL_MIN_USECS) / 1e6;
    std::vector<std::string_view> too_fast;
    bool saturates = false;
    for (const auto& counter : counters_of(model))
        if (const auto fill = fill_seconds(model, counter)) {
            saturates = true;
            if (*fill < shortest_poll)
                too_fast.emplace_back(counter.name);
        }
    if (!saturates)
        return "";
    std::string text = fmt::format(
        "\nA counter that \"fills\" stays at its maximum. A poll that finds it there adds the\n"
        "maximum and marks the total as a lower bound, shown as \"{}\" and \"at_least\".\n",
        unicode ? "≥" : ">=");
    if (!too_fast.empty())
        text += fmt::format(
            "At line rate no poll interval is short enough (the shortest is {}) for\n  {}\n"
            "Their totals are exact only if fewer events than the maximum come between two "
            "polls.\n",
            duration_text(shortest_poll), fmt::join(too_fast, "\n  "));
    return text;
}

std::string access_text(const macstats_counter& counter) {
    std::string text = counter.onwrite == MACSTATS_ONWRITE_NONE ? "ro" : "rw";
    if (counter.onread == MACSTATS_ONREAD_RCLR)
        text += ",rclr";
    if (counter.onwrite == MACSTATS_ONWRITE_DECREMENT)
        text += ",decrement";
    return text;
}

std::string address_text(const macstats_model& model, const macstats_counter& counter) {
    if (macstats_is_software_counter(&counter))
        return "descriptor";
    if (macstats__is_windowed(&model, &counter))
        return fmt::format("index {}", macstats__window_index(&model, &counter));
    return range_text(counter.offset, macstats_counter_end(&model, &counter) - 1);
}

std::string map_text(const macstats_model& model) {
    std::multimap<std::uint32_t, std::vector<std::string>> lines; // by offset
    for (const auto& counter : counters_of(model))
        lines.insert(
            {counter.offset,
             {address_text(model, counter), counter.reg, counter.name, access_text(counter),
              std::to_string(counter.bits), std::string(name_of(unit_names, counter.unit)),
              wrap_text(model, counter), counter.help}});
    for (const auto& reg : registers_of(model)) {
        lines.insert(
            {reg.offset,
             {fmt::format("{:#x}", reg.offset), reg.name, "",
              std::string(name_of(access_names, reg.access)), std::to_string(model.bus_bits), "",
              "", fmt::format("{} (reset {:#x})", reg.help, reg.reset)}});
        for (const macstats_field& field : fields_of(reg))
            lines.insert(
                {reg.offset,
                 {bits_text(field), fmt::format("  {}", field.name), "",
                  fmt::format(
                      "{}{}", name_of(access_names, field.access),
                      field.singlepulse ? ",singlepulse" : ""),
                  std::to_string(field.bits), "", "", field.help}});
    }
    for (const auto& range : std::span(model.reserved, model.n_reserved))
        lines.insert(
            {range.first,
             {range_text(range.first, range.last), "(reserved)", "", "ro", "", "", "",
              std::string(content_of(range).text)}});

    Table table(
        {"ADDRESS", "REGISTER", "ETHTOOL -S", "ACCESS", "BITS", "UNIT", "WRAPS IN", "DESCRIPTION"});
    for (auto& [offset, cells] : lines)
        table.add(std::move(cells));
    return table.text();
}

// The families of counters that there is one of for each of these: "each queue from 0 to 7".
std::map<std::string, std::vector<std::string>> families_of(const macstats_model& model) {
    std::map<std::string, const macstats_counter*> last;
    for (const macstats_counter& counter : counters_of(model))
        if (counter.index_of)
            last[family_of(counter.name)] = &counter;
    std::map<std::string, std::vector<std::string>> families;
    for (const auto& [family, counter] : last)
        families[fmt::format(
                     "a counter for each {} from 0 to {}, and frames of the emulation are of 0",
                     name_of(index_names, counter->index_of), counter->index)]
            .push_back(family);
    return families;
}

// The lines of one rule, one for each counter that has it; "PM0_REOCT and 103 others: ..." where
// many have the same.
std::vector<std::string>
shared_lines(const macstats_model& model, const std::vector<Words>& counters, std::size_t rule) {
    constexpr std::size_t few = 4;
    std::vector<std::string> lines;
    std::map<std::string, std::vector<std::size_t>> same; // by what follows the register
    for (std::size_t i = 0; i < counters.size(); i++)
        if (std::string line = line_of(counters[i][rule]); !line.empty()) {
            const std::string reg = std::string(counters_of(model)[i].reg) + ": ";
            if (line.starts_with(reg))
                same[line.substr(reg.size())].push_back(lines.size());
            lines.push_back(std::move(line));
        }
    for (const auto& [text, places] : same)
        if (places.size() > few) {
            const std::string& first = lines[places.front()];
            lines[places.front()] = fmt::format(
                "{} and {} others: {}", first.substr(0, first.size() - text.size() - 2),
                places.size() - 1, text);
            for (const std::size_t place : std::span(places).subspan(1))
                lines[place].clear();
        }
    return lines;
}

// A line for each rule: of blocks, of the whole, of counters (a kind of rule after the other).
std::string rules_text(const macstats_model& model) {
    std::string text;
    const auto add = [&text](const std::string& line) {
        if (!line.empty())
            text += fmt::format("  {}\n", line);
    };
    for (const macstats_block& block : blocks_of(model))
        for (const Word& word : words_of(model, block))
            if (const std::string line = line_of(word); !line.empty())
                add(fmt::format("{}: {}", block.name, line));
    for (const Word& word : words_of(model))
        add(line_of(word));
    std::vector<Words> counters;
    for (const macstats_counter& counter : counters_of(model))
        counters.push_back(words_of(model, counter));
    for (std::size_t i = 0; !counters.empty() && i < counters.front().size(); i++)
        for (const std::string& line : shared_lines(model, counters, i))
            add(line);
    for (const auto& [name, families] : families_of(model))
        add(fmt::format("{}: {}", name, fmt::join(families, ", ")));
    std::map<unsigned int, std::vector<std::string_view>> in_revisions;
    for (const macstats_counter& counter : counters_of(model))
        if (counter.revisions)
            in_revisions[counter.revisions].emplace_back(counter.reg);
    for (const auto& [mask, regs] : in_revisions)
        add(fmt::format(
            "only in {}: {}", fmt::join(revisions_in(model, mask), ", "), fmt::join(regs, ", ")));
    for (const macstats_bit& setting : macstats_find_roles(&model).setting)
        add(line_of({nullptr, bit_json(model, setting), "setting: {}"}));
    for (const nlohmann::ordered_json& identity : identity_json(model)) {
        const nlohmann::ordered_json& reg = identity.at("register");
        const bool whole = !reg.is_null() && identity.at("mask") == macstats_bus_mask(&model);
        add(fmt::format(
            "identity: {} reads {:#x}", text_of(whole ? reg : identity),
            identity.at("value").get<std::uint64_t>()));
    }
    return text;
}

} // namespace

std::string bits_text(const macstats_field& field) {
    return field.bits == 1 ? fmt::format("  [{}]", field.lsb)
                           : fmt::format("  [{}:{}]", field.lsb + field.bits - 1U, field.lsb);
}

std::string model_text(const macstats_model& model, bool unicode) {
    std::string text = fmt::format("{}: {}\n", model.name, model.title);
    const auto fact = [&text](std::string_view name, std::string_view value) {
        if (!value.empty())
            text += fmt::format("{:<16}{}\n", name, value);
    };
    const auto list = [](const auto& words) {
        return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
    };
    std::vector<std::string> regions;
    for (const auto& region : std::span(model.regions, model.n_regions))
        regions.push_back(fmt::format("{} {}", region.name, range_text(region.first, region.last)));
    fact("datasheet", model.datasheet);
    fact("drivers", fmt::format("{}", fmt::join(drivers_of(model), ", ")));
    fact("ports", std::to_string(model.ports));
    fact("line rate", line_rate_text(model.line_rate_bps));
    if (model.block_lines > 1)
        fact("lines", fmt::format("{} feed one block of counters", model.block_lines));
    fact(
        "addresses",
        fmt::format("of {} bits each, {} per access", model.address_unit_bits, model.bus_bits));
    fact("regions", fmt::format("{}", fmt::join(regions, ", ")));
    fact(
        "polled", fmt::format(
                      "every {}, at least every {}",
                      usecs_text(macstats_poll_default_usecs(&model, model.line_rate_bps)),
                      usecs_text(macstats_poll_ceiling_usecs(&model, model.line_rate_bps))));
    fact("options", list(option_texts(model)));
    fact("variant", model.variant ? model.variant : "");
    fact("note", model.note ? model.note : "");
    fact("faults", list(names_in(fault_names, macstats_supported_faults(&model))));
    fact("power-up", name_of(power_up_names, model.power_up));
    text += "\nRules\n" + rules_text(model) + "\nRegister map\n" + map_text(model);
    text += "\nA counter wraps in the given time at line rate, fed with the shortest frames.\n";
    return text + saturation_text(model, unicode);
}

} // namespace macstats
