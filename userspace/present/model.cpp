// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes the rows of a model as JSON and as text.
#include "present/model.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"
#include "present/error_counters.hpp"
#include "present/frame_rules.hpp"
#include "present/table.hpp"

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

// The shortest time between two counts at line rate, in seconds.
double seconds_per_count(const macstats_model& model, const macstats_counter& counter) {
    return 8.0 * macstats_shortest_event(&model, &counter) /
           (static_cast<double>(model.line_rate_bps) * macstats_feeding_lines(&model, &counter));
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
    if (const auto seconds = fill_seconds(model, counter))
        json["fill_seconds"] = *seconds;
    if (counts_octets(counter))
        json["octets_of"] = counter.unit == MACSTATS_PAYLOAD       ? "payload"
                            : counter.unit == MACSTATS_WIRE_OCTETS ? "wire"
                                                                   : "frame";
    json["high_first"] = counter.high_first;
    json["latch"] = counter.latch;
    json["good_frames"] = counter.good_frames;
    json["port_stride"] = counter.port_stride ? ordered_json(counter.port_stride) : ordered_json();
    json["frame_limit"] = counter.frame_limit ? ordered_json(counter.frame_limit) : ordered_json();
    // Software counters have no address.
    if (macstats_is_software_counter(&counter))
        json["offset"] = nullptr;
    json["source"] = macstats_is_software_counter(&counter) ? "descriptor" : "register";
    json["block"] = model.blocks[counter.block].name;
    json["present"] = bit_json(model, counter.present);
    json["when"] = when_json(model, counter.when);
    json["amount"] = amount_of(counter);
    json["status"] = from_status_json(counter);
    json["errors"] = counts_errors(model, counter);
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
        {"block",
         reg.statistics_only ? ordered_json(model.blocks[reg.block].name) : ordered_json()},
    };
}

// "SOME_REGISTER bit 2", for a bit of a rule.
std::string bit_text(const macstats_model& model, const macstats_bit& bit) {
    const int index = macstats_register_at(&model, bit.offset);
    const std::string name =
        index >= 0 ? model.registers[index].name : fmt::format("{:#x}", bit.offset);
    const unsigned int lsb = macstats_bit_shift(bit.mask);
    if (bit.mask >> lsb == 1)
        return fmt::format("{} bit {}", name, lsb);
    return fmt::format("{} mask {:#x}", name, bit.mask);
}

// The name of the option that builds a block.
std::string_view option_of(const macstats_model& model, unsigned int block) {
    for (const DeviceOption& option : options_of(model))
        if (option.mask == macstats_block_option(&model, block))
            return option.name;
    return "";
}

ordered_json block_json(const macstats_model& model, unsigned int index) {
    const macstats_block& block = model.blocks[index];
    return {
        {"name", block.name},
        {"snapshot_request", bit_json(model, block.snapshot_request)},
        {"snapshot_granted", bit_json(model, block.snapshot_granted)},
        {"grant_leads", block.grant_leads},
        {"clear", bit_json(model, block.clear)},
        {"increment", bit_json(model, block.increment)},
        {"parity_error", bit_json(model, block.parity_error)},
        {"parity_clear", bit_json(model, block.parity_clear)},
        {"clear_clears_parity", block.clear_clears_parity},
        {"option", option_of(model, index)},
    };
}

ordered_json settings_json(const macstats_model& model) {
    ordered_json json = ordered_json::array();
    for (const macstats_bit& setting : model.setting)
        if (setting.mask)
            json.push_back(bit_json(model, setting));
    return json;
}

ordered_json half_full_json(const macstats_model& model) {
    if (!model.half_full)
        return nullptr;
    return {
        {"level", model.half_full},
        {"pending", bit_json(model, model.half_full_pending)},
        {"enable", bit_json(model, model.half_full_enable)},
    };
}

ordered_json max_frame_switch_json(const macstats_model& model) {
    ordered_json json = bit_json(model, model.max_frame_switch.bit);
    if (!json.is_null()) {
        json["off"] = model.max_frame_switch.off;
        json["on"] = model.max_frame_switch.on;
    }
    return json;
}

ordered_json very_long_json(const macstats_model& model) {
    if (!model.very_long_least)
        return nullptr;
    return {
        {"least", model.very_long_least},
        {"limit", model.very_long_limit ? ordered_json(model.very_long_limit) : ordered_json()},
    };
}

ordered_json status_json(const macstats_model& model, std::span<const macstats_status> fields) {
    ordered_json json = ordered_json::array();
    for (const macstats_status& field : fields)
        json.push_back({
            {"name", field.name},
            {"lsb", field.lsb},
            {"bits", field.bits},
            {"description", field.help},
            {"when", when_json(model, field.when)},
            {"unless", field.unless},
            {"copy", bit_json(model, field.copy)},
            {"collisions", field.collisions},
            {"octets", field.octets},
        });
    return json;
}

ordered_json descriptor_json(const macstats_model& model) {
    const macstats_descriptor& bits = model.descriptor;
    if (!bits.last)
        return nullptr;
    return {
        {"first", bits.first},           {"last", bits.last}, {"override", bits.override},
        {"append_crc", bits.append_crc}, {"huge", bits.huge},
    };
}

// How reserved addresses answer a read: in JSON, and for people.
struct Content {
    std::string_view name;
    std::string_view text;
};

Content content_of(const macstats_reserved& range) {
    switch (range.content) {
    case MACSTATS_READS_RANDOM:
        return {"random", "Reads anything"};
    case MACSTATS_READS_HIGH_WORD:
        return {"high_word", "High word of the counter before it; a read clears both"};
    default:
        return {"zero", "Reads 0"};
    }
}

ordered_json reserved_json(const macstats_model& model) {
    ordered_json json = ordered_json::array();
    for (const auto& range : std::span(model.reserved, model.n_reserved))
        json.push_back({
            {"first", range.first},
            {"last", range.last},
            {"reads", content_of(range).name},
        });
    return json;
}

ordered_json regions_json(const macstats_model& model) {
    ordered_json json = ordered_json::array();
    for (const auto& region : std::span(model.regions, model.n_regions))
        json.push_back({{"name", region.name}, {"first", region.first}, {"last", region.last}});
    return json;
}

ordered_json options_json(const macstats_model& model) {
    ordered_json json = ordered_json::object();
    for (const OptionSetting& option : option_settings(model, model.default_options))
        json[std::string(option.name)] = option.word;
    return json;
}

// The values of an option; the default comes first.
std::vector<std::string> default_first(const macstats_model& model, const DeviceOption& option) {
    std::vector<std::string> words;
    for (const OptionValue& value : option.values)
        if (value.bits == (model.default_options & option.mask))
            words.insert(words.begin(), value.word);
        else
            words.push_back(value.word);
    return words;
}

ordered_json option_values_json(const macstats_model& model) {
    ordered_json json = ordered_json::object();
    for (const DeviceOption& option : options_of(model))
        json[std::string(option.name)] = default_first(model, option);
    return json;
}

ordered_json identity_json(const macstats_model& model) {
    ordered_json json = ordered_json::array();
    for (const auto& identity : std::span(model.identity, model.n_identity)) {
        const int index = macstats_register_at(&model, identity.offset);
        json.push_back({
            {"register", index >= 0 ? ordered_json(model.registers[index].name) : ordered_json()},
            {"offset", identity.offset},
            {"value", identity.value},
        });
    }
    return json;
}

double seconds(std::uint64_t usecs) {
    return static_cast<double>(usecs) / 1e6;
}

// A duration in the largest unit that it reaches.
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

std::string yes_or_none(const std::string& words) {
    return words.empty() ? "none" : words;
}

struct MapLine {
    std::uint32_t offset;
    std::vector<std::string> cells;
};

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
    std::string text;
    for (const auto& counter : counters_of(model)) {
        const auto fill = fill_seconds(model, counter);
        if (!fill)
            continue;
        if (text.empty())
            text = fmt::format(
                "\nA counter that \"fills\" stays at its maximum. A poll that finds it there adds "
                "the\n"
                "maximum and marks the total as a lower bound, shown as \"{}\" and \"at_least\".\n",
                unicode ? "≥" : ">=");
        if (*fill < shortest_poll)
            text += fmt::format(
                "{} fills in {}, less than the shortest poll interval ({}): at line rate no\n"
                "poll interval is short enough. Its total is exact only if fewer than {} {}\n"
                "come {}.\n",
                counter.name, duration_text(*fill), duration_text(shortest_poll),
                macstats_bits_mask(counter.bits), name_of(unit_names(), counter.unit),
                counter.onread == MACSTATS_ONREAD_RCLR ? "between two polls"
                                                       : "before it is cleared");
    }
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

std::string regions_text(const macstats_model& model) {
    std::vector<std::string> texts;
    for (const auto& region : std::span(model.regions, model.n_regions))
        texts.push_back(fmt::format("{} {}", region.name, range_text(region.first, region.last)));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string map_text(const macstats_model& model) {
    std::vector<MapLine> lines;
    for (const auto& counter : counters_of(model))
        lines.push_back(
            {counter.offset,
             {macstats_is_software_counter(&counter)
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
              std::string(content_of(range).text)}});
    std::stable_sort(lines.begin(), lines.end(), [](const MapLine& a, const MapLine& b) {
        return a.offset < b.offset;
    });

    Table table(
        {"ADDRESS", "REGISTER", "ETHTOOL -S", "ACCESS", "BITS", "UNIT", "WRAPS IN", "DESCRIPTION"});
    for (MapLine& line : lines)
        table.add(std::move(line.cells));
    return table.text();
}

std::string blocks_text(const macstats_model& model) {
    std::string text;
    for (unsigned int i = 0; i < model.n_blocks; i++) {
        const macstats_block& block = model.blocks[i];
        std::vector<std::string> rules;
        if (block.option)
            rules.push_back(fmt::format(
                "option: {}=off leaves out these counters and their registers",
                option_of(model, i)));
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
                "parity error: {}, cleared by writing 1 to {}; a poll that finds it adds only "
                "what the line can have carried",
                bit_text(model, block.parity_error), bit_text(model, block.parity_clear)));
        if (block.increment.mask)
            rules.push_back(fmt::format(
                "increment: write 1 to {} to add 1 to each counter",
                bit_text(model, block.increment)));
        for (const std::string& rule : rules)
            text += fmt::format("  {}: {}\n", block.name, rule);
    }
    return text;
}

// When the counters can be read and written.
std::string access_rules_text(const macstats_model& model) {
    std::string text;
    if (model.gate.mask)
        text += fmt::format(
            "  gate: nothing is counted while {} is 0, and a write stores its value\n",
            bit_text(model, model.gate));
    if (model.write_enable.mask)
        text += fmt::format(
            "  write enable: a write to a counter is stored while {} is set\n",
            bit_text(model, model.write_enable));
    if (model.busy.mask)
        text += fmt::format(
            "  busy: the counters must not be read while {} is set\n", bit_text(model, model.busy));
    if (model.needs_clocks)
        text += "  clocks: the counters must not be read while a clock of the port stands still\n";
    if (model.half_full)
        text += fmt::format(
            "  half full: a counter at {:#x} or more sets {}, which interrupts while {} is set\n",
            model.half_full, bit_text(model, model.half_full_pending),
            bit_text(model, model.half_full_enable));
    return text;
}

// Frames that are too long, cut, padded, not sent, or good in spite of an error.
std::string frames_text(const macstats_model& model) {
    std::string text;
    for (const auto& [what, bit] :
         {std::pair("received", model.max_frame_rx), std::pair("transmitted", model.max_frame_tx)})
        if (bit.mask)
            text += fmt::format("  longest frame {}: {}\n", what, bit_text(model, bit));
    if (model.any_length_tx.mask)
        text += fmt::format(
            "  longest frame transmitted: any while {} is set\n",
            bit_text(model, model.any_length_tx));
    if (model.max_frame_switch.bit.mask)
        text += fmt::format(
            "  longest frame: {} octets, or {} while {} is set\n", model.max_frame_switch.off,
            model.max_frame_switch.on, bit_text(model, model.max_frame_switch.bit));
    if (model.default_max_frame)
        text += fmt::format(
            "  longest frame: {} octets where no register sets it\n", model.default_max_frame);
    if (model.tag_over_max)
        text += "  longest frame: 4 octets more with a VLAN tag\n";
    if (model.cut_at_max)
        text += "  longer frames are cut there on transmit\n";
    if (model.very_long_least)
        text += fmt::format(
            "  very long: over twice the longest frame and over {} octets{}\n",
            model.very_long_least,
            model.very_long_limit
                ? fmt::format(", none while the longest is over {}", model.very_long_limit)
                : "");
    if (model.tx_shortest)
        text += fmt::format("  frames of less than {} octets are not sent\n", model.tx_shortest);
    if (model.tx_pad_to)
        text +=
            fmt::format("  shorter frames are padded to {} octets on transmit\n", model.tx_pad_to);
    if (model.deferral_aborts)
        text += "  a frame deferred for too long is not sent\n";
    if (model.options & MACSTATS_OPT_HALF_DUPLEX)
        text += "  transmitted frames collide in half duplex only\n";
    if (model.ieee_own_pause)
        text += "  pause frames of the MAC have 64 octets, a multicast destination and no errors\n";
    if (model.flow_control.mask)
        text += fmt::format(
            "  the MAC exerts flow control while {} is set\n", bit_text(model, model.flow_control));
    if (model.retry_limit.mask)
        text += fmt::format(
            "  retransmissions before a frame is given up: {}\n",
            bit_text(model, model.retry_limit));
    if (model.descriptor.override)
        text += "  a transmitted frame's first descriptor may override registers\n";
    if (model.good_despite)
        text += fmt::format(
            "  received frames are good in spite of: {}\n",
            fmt::join(names_in(error_names(), model.good_despite), ", "));
    for (const auto& counter : counters_of(model))
        if (counter.good_frames)
            text += fmt::format(
                "  {} is updated after {} good frame{}\n", counter.reg, counter.good_frames,
                counter.good_frames == 1 ? "" : "s");
    for (const auto& counter : counters_of(model))
        if (counter.frame_limit)
            text += fmt::format(
                "  {} counts at most {} octets of a frame\n", counter.reg, counter.frame_limit);
    for (const auto& counter : counters_of(model))
        if (counter.present.mask)
            text += fmt::format(
                "  {} is there if {} is set\n", counter.reg, bit_text(model, counter.present));
    for (const auto& counter : counters_of(model))
        if (counter.port_stride)
            text += fmt::format(
                "  {}: that of the next port is {:#x} addresses behind\n", counter.reg,
                counter.port_stride);
    return text;
}

std::string rules_text(const macstats_model& model) {
    std::string text = blocks_text(model) + access_rules_text(model) + frames_text(model);
    for (const macstats_bit& setting : model.setting)
        if (setting.mask)
            text += fmt::format("  setting: {}\n", bit_text(model, setting));
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
    if (!macstats_counter_direction(&counter) || counter.overflow == MACSTATS_SATURATE)
        return std::nullopt;
    return std::ldexp(seconds_per_count(model, counter), counter.bits);
}

std::optional<double> fill_seconds(const macstats_model& model, const macstats_counter& counter) {
    if (!macstats_counter_direction(&counter) || counter.overflow != MACSTATS_SATURATE)
        return std::nullopt;
    return (std::ldexp(1.0, counter.bits) - 1) * seconds_per_count(model, counter);
}

nlohmann::ordered_json model_json(const macstats_model& model) {
    ordered_json counters = ordered_json::array();
    for (const auto& counter : counters_of(model))
        counters.push_back(counter_json(model, counter));
    ordered_json registers = ordered_json::array();
    for (const auto& reg : registers_of(model))
        registers.push_back(register_json(model, reg));
    ordered_json blocks = ordered_json::array();
    for (unsigned int i = 0; i < model.n_blocks; i++)
        blocks.push_back(block_json(model, i));

    return {
        {"name", model.name},
        {"title", model.title},
        {"datasheet", model.datasheet},
        {"ports", model.ports},
        {"port_stride", model.port_stride},
        {"address_unit_bits", model.address_unit_bits},
        {"bus_bits", model.bus_bits},
        {"line_rate_bps", model.line_rate_bps},
        {"block_lines", std::max<unsigned int>(model.block_lines, 1)},
        {"poll_seconds",
         {{"default", seconds(macstats_poll_default_usecs(&model, model.line_rate_bps))},
          {"ceiling", seconds(macstats_poll_ceiling_usecs(&model, model.line_rate_bps))}}},
        {"options", options_json(model)},
        {"faults", names_in(fault_names(), macstats_supported_faults(&model))},
        {"power_up", name_of(power_up_names(), model.power_up)},
        {"note", model.note ? ordered_json(model.note) : ordered_json()},
        {"counters", std::move(counters)},
        {"registers", std::move(registers)},
        {"reserved", reserved_json(model)},
        {"regions", regions_json(model)},
        {"blocks", std::move(blocks)},
        {"gate", bit_json(model, model.gate)},
        {"write_enable", bit_json(model, model.write_enable)},
        {"busy", bit_json(model, model.busy)},
        {"needs_clocks", model.needs_clocks},
        {"half_full", half_full_json(model)},
        {"settings", settings_json(model)},
        {"max_frame_rx", bit_json(model, model.max_frame_rx)},
        {"max_frame_tx", bit_json(model, model.max_frame_tx)},
        {"any_length_tx", bit_json(model, model.any_length_tx)},
        {"max_frame_switch", max_frame_switch_json(model)},
        {"default_max_frame",
         model.default_max_frame ? ordered_json(model.default_max_frame) : ordered_json()},
        {"tag_over_max", model.tag_over_max},
        {"cut_at_max", model.cut_at_max},
        {"very_long", very_long_json(model)},
        {"deferral_aborts", model.deferral_aborts},
        {"ieee_own_pause", model.ieee_own_pause},
        {"flow_control", bit_json(model, model.flow_control)},
        {"retry_limit", bit_json(model, model.retry_limit)},
        {"good_despite", names_in(error_names(), model.good_despite)},
        {"min_frame_rx", model.min_frame_rx},
        {"min_frame_tx", model.min_frame_tx},
        {"tx_shortest", model.tx_shortest},
        {"tx_pad_to", model.tx_pad_to},
        {"tx_status", status_json(model, {model.tx_status, model.n_tx_status})},
        {"rx_status", status_json(model, {model.rx_status, model.n_rx_status})},
        {"descriptor", descriptor_json(model)},
        {"rx_described", when_json(model, model.rx_described)},
        {"option_values", option_values_json(model)},
        {"variant", model.variant ? ordered_json(model.variant) : ordered_json()},
        {"identity", identity_json(model)},
        {"sizes", sizes_json(model)},
        {"overhead", overhead_json(model)},
    };
}

std::string model_text(const macstats_model& model, bool unicode) {
    std::string text = fmt::format("{}: {}\n", model.name, model.title);
    const auto fact = [&text](std::string_view name, const std::string& value) {
        text += fmt::format("{:<16}{}\n", name, value);
    };
    fact("datasheet", model.datasheet);
    fact("ports", fmt::format("{}", model.ports));
    fact("line rate", line_rate_text(model.line_rate_bps));
    if (model.block_lines > 1)
        fact("lines", fmt::format("{} feed one block of counters", model.block_lines));
    fact(
        "addresses",
        fmt::format("of {} bits each, {} per access", model.address_unit_bits, model.bus_bits));
    if (model.n_regions)
        fact("regions", regions_text(model));
    fact(
        "polled",
        fmt::format(
            "every {}, at least every {}",
            duration_text(seconds(macstats_poll_default_usecs(&model, model.line_rate_bps))),
            duration_text(seconds(macstats_poll_ceiling_usecs(&model, model.line_rate_bps)))));
    fact("options", yes_or_none(fmt::format("{}", fmt::join(option_texts(model), ", "))));
    if (model.variant)
        fact("variant", model.variant);
    if (model.note)
        fact("note", model.note);
    fact(
        "faults",
        yes_or_none(fmt::format(
            "{}", fmt::join(names_in(fault_names(), macstats_supported_faults(&model)), ", "))));
    fact("power-up", std::string(name_of(power_up_names(), model.power_up)));
    text += "\nRules\n" + rules_text(model);
    text += "\nRegister map\n" + map_text(model);
    text += "\nA counter wraps in the given time at line rate, fed with the shortest frames.\n";
    text += saturation_text(model, unicode);
    return text;
}

} // namespace macstats
