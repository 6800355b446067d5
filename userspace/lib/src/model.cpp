// SPDX-License-Identifier: GPL-2.0 OR MIT
// A model's rows, written out for readers.
#include "libmacstats/model.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "libmacstats/names.hpp"
#include "libmacstats/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

std::span<const macstats_counter> counters_of(const macstats_model& model) {
    return {model.counters, model.n_counters};
}

std::span<const macstats_register> registers_of(const macstats_model& model) {
    return {model.registers, model.n_registers};
}

std::vector<macstats_field> fields_of(const macstats_model& model, std::uint32_t offset) {
    std::vector<macstats_field> fields;
    for (const auto& field : std::span(model.fields, model.n_fields))
        if (field.offset == offset)
            fields.push_back(field);
    return fields;
}

std::vector<std::string> standards_of(const macstats_counter& counter) {
    std::vector<std::string> words;
    for (const macstats_term& term : counter.standard) {
        if (!term.id)
            break;
        words.push_back(standard_word(term));
    }
    return words;
}

bool counts_octets(const macstats_counter& counter) {
    return counter.unit == MACSTATS_OCTETS || counter.unit == MACSTATS_PAYLOAD ||
           counter.unit == MACSTATS_WIRE_OCTETS;
}

ordered_json counter_json(const macstats_model& model, const macstats_counter& counter) {
    ordered_json json = {
        {"name", counter.name},
        {"register", counter.reg},
        {"direction", direction_of(counter)},
        {"unit", name_of(unit_names(), counter.unit)},
        {"offset", counter.offset},
        {"bits", counter.bits},
        {"onread", name_of(onread_names(), counter.onread)},
        {"onwrite", name_of(onwrite_names(), counter.onwrite)},
        {"overflow", name_of(overflow_names(), counter.overflow)},
        {"wrap_seconds", nullptr},
        {"description", counter.help},
        {"standard", standards_of(counter)},
    };
    if (const auto seconds = wrap_seconds(model, counter))
        json["wrap_seconds"] = *seconds;
    if (counts_octets(counter))
        json["octets_of"] = counter.unit == MACSTATS_PAYLOAD       ? "payload"
                            : counter.unit == MACSTATS_WIRE_OCTETS ? "wire"
                                                                   : "frame";
    // Counters that software keeps have no address.
    if (macstats_is_described(&counter))
        json["offset"] = nullptr;
    json["source"] = macstats_is_described(&counter) ? "descriptor" : "register";
    return json;
}

ordered_json register_json(const macstats_model& model, const macstats_register& reg) {
    ordered_json fields = ordered_json::array();
    for (const macstats_field& field : fields_of(model, reg.offset))
        fields.push_back({
            {"name", field.name},
            {"lsb", field.lsb},
            {"bits", field.bits},
            {"access", name_of(access_names(), field.access)},
            {"singlepulse", field.singlepulse},
            {"description", field.help},
        });
    return {
        {"name", reg.name},
        {"offset", reg.offset},
        {"access", name_of(access_names(), reg.access)},
        {"reset", reg.reset},
        {"description", reg.help},
        {"fields", std::move(fields)},
    };
}

// "SOME_REGISTER bit 2", for a bit that a rule is about.
std::string bit_text(const macstats_model& model, const macstats_bit& bit) {
    const int index = macstats_register_at(&model, bit.offset);
    const std::string name =
        index >= 0 ? model.registers[index].name : fmt::format("{:#x}", bit.offset);
    const unsigned int lsb = macstats_bit_shift(bit.mask);
    if (bit.mask >> lsb == 1)
        return fmt::format("{} bit {}", name, lsb);
    return fmt::format("{} mask {:#x}", name, bit.mask);
}

ordered_json bit_json(const macstats_model& model, const macstats_bit& bit) {
    if (!bit.mask)
        return nullptr;
    const int index = macstats_register_at(&model, bit.offset);
    return {
        {"register", index >= 0 ? ordered_json(model.registers[index].name) : ordered_json()},
        {"offset", bit.offset},
        {"mask", bit.mask},
    };
}

ordered_json block_json(const macstats_model& model, const macstats_block& block) {
    return {
        {"name", block.name},
        {"snapshot_request", bit_json(model, block.snapshot_request)},
        {"snapshot_granted", bit_json(model, block.snapshot_granted)},
        {"clear", bit_json(model, block.clear)},
        {"parity_error", bit_json(model, block.parity_error)},
        {"parity_clear", bit_json(model, block.parity_clear)},
        {"clear_clears_parity", block.clear_clears_parity},
    };
}

ordered_json reserved_json(const macstats_model& model) {
    ordered_json json = ordered_json::array();
    for (const auto& range : std::span(model.reserved, model.n_reserved))
        json.push_back({
            {"first", range.first},
            {"last", range.last},
            {"reads", range.content == MACSTATS_READS_RANDOM ? "random" : "zero"},
        });
    return json;
}

ordered_json options_json(const macstats_model& model) {
    ordered_json json = ordered_json::object();
    for (const OptionName& option : option_names())
        if (model.options & option.bit)
            json[std::string(option.name)] =
                model.default_options & option.bit ? option.on : option.off;
    return json;
}

double seconds(std::uint64_t usecs) {
    return static_cast<double>(usecs) / 1e6;
}

// A duration in the largest unit of which there is at least one.
std::string duration_text(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    constexpr double year = 365.25 * day;
    if (seconds < 1)
        return fmt::format("{:.3g} ms", seconds * 1e3);
    if (seconds < 2 * minute)
        return fmt::format("{:.3g} s", seconds);
    if (seconds < hour)
        return fmt::format("{:.3g} min", seconds / minute);
    if (seconds < 2 * day)
        return fmt::format("{:.3g} h", seconds / hour);
    if (seconds < year)
        return fmt::format("{:.3g} days", seconds / day);
    return fmt::format("{:.0f} years", seconds / year);
}

std::string rate_text(std::uint64_t bits_per_second) {
    const auto rate = static_cast<double>(bits_per_second);
    return rate >= 1e9 ? fmt::format("{:g} Gb/s", rate / 1e9)
                       : fmt::format("{:g} Mb/s", rate / 1e6);
}

std::string yes_or_none(const std::string& words) {
    return words.empty() ? "none" : words;
}

struct Line {
    std::uint32_t offset;
    std::vector<std::string> cells;
};

std::string range_text(std::uint32_t first, std::uint32_t last) {
    return first == last ? fmt::format("{:#x}", first) : fmt::format("{:#x}-{:#x}", first, last);
}

std::string wrap_text(const macstats_model& model, const macstats_counter& counter) {
    if (counter.overflow == MACSTATS_SATURATE)
        return "saturates";
    const auto wrap = wrap_seconds(model, counter);
    return wrap ? duration_text(*wrap) : "never";
}

std::string access_text(const macstats_counter& counter) {
    std::string text = counter.onwrite == MACSTATS_ONWRITE_NONE ? "ro" : "rw";
    if (counter.onread == MACSTATS_ONREAD_RCLR)
        text += ",rclr";
    if (counter.onwrite == MACSTATS_ONWRITE_DECREMENT)
        text += ",decrement";
    return text;
}

std::string map_text(const macstats_model& model) {
    std::vector<Line> lines;
    for (const auto& counter : counters_of(model))
        lines.push_back(
            {counter.offset,
             {macstats_is_described(&counter)
                  ? "descriptor"
                  : range_text(counter.offset, macstats_counter_end(&model, &counter) - 1),
              counter.reg, counter.name, access_text(counter), fmt::format("{}", counter.bits),
              std::string(name_of(unit_names(), counter.unit)), wrap_text(model, counter),
              counter.help}});
    for (const auto& reg : registers_of(model)) {
        lines.push_back(
            {reg.offset,
             {range_text(reg.offset, reg.offset), reg.name, "",
              std::string(name_of(access_names(), reg.access)), fmt::format("{}", model.bus_bits),
              "", "", fmt::format("{} (reset {:#x})", reg.help, reg.reset)}});
        for (const macstats_field& field : fields_of(model, reg.offset)) {
            const unsigned int msb = field.lsb + field.bits - 1U;
            const std::string bits = field.bits == 1 ? fmt::format("{}", field.lsb)
                                                     : fmt::format("{}:{}", msb, field.lsb);
            std::string access(name_of(access_names(), field.access));
            if (field.singlepulse)
                access += ",singlepulse";
            lines.push_back(
                {reg.offset,
                 {fmt::format("  [{}]", bits), fmt::format("  {}", field.name), "", access,
                  fmt::format("{}", field.bits), "", "", field.help}});
        }
    }
    for (const auto& range : std::span(model.reserved, model.n_reserved))
        lines.push_back(
            {range.first,
             {range_text(range.first, range.last), "(reserved)", "", "ro", "", "", "",
              range.content == MACSTATS_READS_RANDOM ? "Reads anything" : "Reads 0"}});
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        return a.offset < b.offset;
    });

    Table table(
        {"ADDRESS", "REGISTER", "ETHTOOL -S", "ACCESS", "BITS", "UNIT", "WRAPS IN", "DESCRIPTION"});
    for (Line& line : lines)
        table.add(std::move(line.cells));
    return table.text();
}

std::string rules_text(const macstats_model& model) {
    std::string text;
    for (const auto& block : std::span(model.blocks, model.n_blocks)) {
        std::vector<std::string> rules;
        if (block.snapshot_request.mask)
            rules.push_back(fmt::format(
                "snapshot: set {}, wait for {}, read, clear it again",
                bit_text(model, block.snapshot_request), bit_text(model, block.snapshot_granted)));
        if (block.clear.mask)
            rules.push_back(fmt::format(
                "clear all: write 1 to {}{}", bit_text(model, block.clear),
                block.clear_clears_parity ? "; this clears the parity error, too" : ""));
        if (block.parity_error.mask)
            rules.push_back(fmt::format(
                "parity error: {}, cleared by writing 1 to {}", bit_text(model, block.parity_error),
                bit_text(model, block.parity_clear)));
        for (const std::string& rule : rules)
            text += fmt::format("  {}: {}\n", block.name, rule);
    }
    if (model.gate.mask)
        text +=
            fmt::format("  gate: nothing is counted while {} is 0\n", bit_text(model, model.gate));
    for (const auto& [what, bit] :
         {std::pair("received", model.max_frame_rx), std::pair("transmitted", model.max_frame_tx)})
        if (bit.mask)
            text += fmt::format("  longest frame {}: {}\n", what, bit_text(model, bit));
    for (const auto& identity : std::span(model.identity, model.n_identity)) {
        const int index = macstats_register_at(&model, identity.offset);
        text += fmt::format(
            "  identity: {} reads {:#x}\n",
            index >= 0 ? model.registers[index].name : fmt::format("{:#x}", identity.offset),
            identity.value);
    }
    return text;
}

} // namespace

std::optional<double> wrap_seconds(const macstats_model& model, const macstats_counter& counter) {
    const auto direction = macstats_counter_direction(&counter);
    if (!direction || counter.overflow == MACSTATS_SATURATE)
        return std::nullopt;
    const double octets_per_event =
        counts_octets(counter) ? 1.0
                               : static_cast<double>(macstats_shortest_frame(&model, &counter));
    const double directions = direction == (MACSTATS_RX | MACSTATS_TX) ? 2.0 : 1.0;
    return std::ldexp(8.0 * octets_per_event, counter.bits) /
           (static_cast<double>(model.line_rate_bps) * directions);
}

nlohmann::ordered_json model_json(const macstats_model& model) {
    ordered_json counters = ordered_json::array();
    for (const auto& counter : counters_of(model))
        counters.push_back(counter_json(model, counter));
    ordered_json registers = ordered_json::array();
    for (const auto& reg : registers_of(model))
        registers.push_back(register_json(model, reg));
    ordered_json blocks = ordered_json::array();
    for (const auto& block : std::span(model.blocks, model.n_blocks))
        blocks.push_back(block_json(model, block));

    return {
        {"name", model.name},
        {"title", model.title},
        {"datasheet", model.datasheet},
        {"ports", model.ports},
        {"port_stride", model.port_stride},
        {"address_unit_bits", model.address_unit_bits},
        {"bus_bits", model.bus_bits},
        {"line_rate_bps", model.line_rate_bps},
        {"poll_seconds",
         {{"default", seconds(macstats_poll_default_usecs(&model))},
          {"ceiling", seconds(macstats_poll_ceiling_usecs(&model))}}},
        {"options", options_json(model)},
        {"faults", names_in(fault_names(), model.faults)},
        {"power_up", name_of(power_up_names(), model.power_up)},
        {"counters", std::move(counters)},
        {"registers", std::move(registers)},
        {"reserved", reserved_json(model)},
        {"blocks", std::move(blocks)},
        {"gate", bit_json(model, model.gate)},
        {"max_frame_rx", bit_json(model, model.max_frame_rx)},
        {"max_frame_tx", bit_json(model, model.max_frame_tx)},
    };
}

std::string model_text(const macstats_model& model) {
    std::string text = fmt::format("{}: {}\n", model.name, model.title);
    const auto fact = [&text](std::string_view name, const std::string& value) {
        text += fmt::format("{:<16}{}\n", name, value);
    };
    fact("datasheet", model.datasheet);
    fact("ports", fmt::format("{}", model.ports));
    fact("line rate", rate_text(model.line_rate_bps));
    fact(
        "addresses",
        fmt::format("of {} bits each, {} per access", model.address_unit_bits, model.bus_bits));
    fact(
        "polled", fmt::format(
                      "every {}, at least every {}",
                      duration_text(seconds(macstats_poll_default_usecs(&model))),
                      duration_text(seconds(macstats_poll_ceiling_usecs(&model)))));
    fact(
        "options", yes_or_none(fmt::format(
                       "{}", fmt::join(option_words(model, model.default_options), ", "))));
    if (model.variant)
        fact("variant", model.variant);
    fact(
        "faults",
        yes_or_none(fmt::format("{}", fmt::join(names_in(fault_names(), model.faults), ", "))));
    fact("power-up", std::string(name_of(power_up_names(), model.power_up)));
    text += "\nRules\n" + rules_text(model);
    text += "\nRegister map\n" + map_text(model);
    text += "\nA counter wraps in the given time at line rate, fed with the shortest frames.\n";
    return text;
}

} // namespace macstats
