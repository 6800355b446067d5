// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/model_words.hpp"

#include <algorithm>
#include <cmath>
#include <macstats/fault.h>
#include <macstats/feature/descriptors.h>
#include <macstats/interval.h>
#include <macstats/option.h>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/json_text.hpp"
#include "present/error_counters.hpp"
#include "present/frame_rules.hpp"
#include "present/model.hpp"

namespace macstats {

using nlohmann::ordered_json;

namespace {

// The value of a member that only some rows have.
const ordered_json no_member = ordered_json::value_t::discarded;

ordered_json json_of(const Words& words) {
    ordered_json json = ordered_json::object();
    for (const Word& word : words)
        if (word.member && !word.value.is_discarded())
            json[word.member] = word.value;
    return json;
}

ordered_json json_if(bool has_it, const Words& words) {
    return has_it ? json_of(words) : ordered_json();
}

// "SOME_REGISTER bit 2", for what bit_json() returns.
std::string bit_text(const ordered_json& bit) {
    const auto mask = bit.at("mask").get<std::uint32_t>();
    const unsigned int lsb = macstats_bit_shift(mask);
    return fmt::format(
        "{} {}",
        bit.at("register").is_null() ? fmt::format("{:#x}", bit.at("offset").get<std::uint32_t>())
                                     : bit.at("register").get<std::string>(),
        mask >> lsb == 1 ? fmt::format("bit {}", lsb) : fmt::format("mask {:#x}", mask));
}

// The shortest time between two counts at line rate, in seconds.
double seconds_per_count(const macstats_model& model, const macstats_counter& counter) {
    return 8.0 * macstats_shortest_event(&model, &counter) /
           (static_cast<double>(model.line_rate_bps) * macstats_feeding_lines(&model, &counter));
}

} // namespace

std::string text_of(const ordered_json& value) {
    if (value.is_object())
        return bit_text(value);
    if (value.is_array())
        return fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), ", "));
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string line_of(const Word& word) {
    const ordered_json& value = word.value;
    if (word.line.empty() || value.is_discarded() || value.empty() || value == 0 ||
        value == false || value == "")
        return "";
    std::string line = word.line;
    if (const auto place = line.find("{}"); place != line.npos)
        line.replace(place, 2, text_of(value));
    return line;
}

std::vector<std::string> revisions_in(const macstats_model& model, unsigned int mask) {
    std::vector<std::string> names;
    for (const unsigned int i : bits_of(mask))
        names.emplace_back(model.revisions[i]);
    return names;
}

std::vector<std::string> default_first(const macstats_model& model, const DeviceOption& option) {
    std::vector<std::string> words;
    for (const OptionValue& value : option.values)
        if (value.bits == (model.default_options & option.mask))
            words.insert(words.begin(), value.word);
        else
            words.push_back(value.word);
    return words;
}

ordered_json identity_json(const macstats_model& model) {
    ordered_json json = ordered_json::array();
    const macstats_roles roles = macstats_find_roles(&model);
    for (const macstats_bit& identity : std::span(roles.identity).first(roles.n_identity)) {
        json.push_back(bit_json(model, identity));
        json.back()["value"] = macstats_reset_bits(&model, &identity);
    }
    return json;
}

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

std::vector<std::string_view> drivers_of(const macstats_model& model) {
    std::vector<std::string_view> names;
    for (const char* name : model.drivers)
        if (name)
            names.emplace_back(name);
    return names;
}

std::vector<std::string_view> accesses_of(const macstats_model& model) {
    const macstats_roles roles = macstats_find_roles(&model);
    const auto any_block = [&roles](macstats_bit macstats_block_roles::*bit) {
        return std::ranges::any_of(
            roles.blocks, [bit](const macstats_block_roles& block) { return (block.*bit).mask; });
    };
    const auto any = [&model](const auto& has_it) {
        return std::ranges::any_of(counters_of(model), has_it);
    };
    using Counter = const macstats_counter&;
    const std::pair<std::string_view, bool> known[] = {
        {"snapshot", any_block(&macstats_block_roles::snapshot_request)},
        {"dump", any_block(&macstats_block_roles::dump)},
        {"window", any_block(&macstats_block_roles::window_start)},
        {"latch", any([](Counter row) { return row.latch; })},
        {"read64", model.read64},
        {"reread", !model.read64 && any([](Counter row) { return row.reread; })},
        {"switched", any_block(&macstats_block_roles::clear_on_read)},
        {"rclr", any([](Counter row) { return row.onread == MACSTATS_ONREAD_RCLR; })},
        {"decrement", any([](Counter row) { return row.onwrite == MACSTATS_ONWRITE_DECREMENT; })},
        {"descriptor", any([](Counter row) { return macstats_is_software_counter(&row); })},
    };
    std::vector<std::string_view> words;
    for (const auto& [word, has_it] : known)
        if (has_it)
            words.push_back(word);
    return words;
}

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

namespace {

using macstats::words_of;

std::vector<std::string> standards_of(const macstats_counter& counter) {
    std::vector<std::string> words;
    for (const macstats_term& term : counter.standard) {
        if (!term.id)
            break;
        words.push_back(standard_word(term));
    }
    return words;
}

// What a counter of octets counts of a frame, and what one frame adds to a counter.
struct Amount {
    ordered_json octets_of = no_member;
    std::string_view name;
};

Amount amount_of(const macstats_counter& counter) {
    switch (counter.unit) {
    case MACSTATS_OCTETS:
        return {"frame", "length"};
    case MACSTATS_PAYLOAD:
        return {"payload", "payload"};
    case MACSTATS_WIRE_OCTETS:
        return {"wire", "wire"};
    case MACSTATS_COLLISIONS:
        return {.name = "collisions"};
    case MACSTATS_EARLY_COLLISIONS:
        return {.name = "early_collisions"};
    default:
        return {.name = "one"};
    }
}

// The name of the option that builds a block.
std::string_view option_of(const macstats_model& model, unsigned int block) {
    for (const DeviceOption& option : options_of(model))
        if (option.mask == macstats_block_option(&model, block))
            return option.name;
    return "";
}

double seconds(std::uint64_t usecs) {
    return static_cast<double>(usecs) / 1e6;
}

Words words_of(const macstats_model&, const macstats_field& field) {
    return {
        {"name", field.name},
        {"lsb", field.lsb},
        {"bits", field.bits},
        {"access", name_of(access_names, field.access)},
        {"singlepulse", field.singlepulse},
        {"description", field.help},
    };
}

Words words_of(const macstats_model&, const macstats_reserved& range) {
    return {{"first", range.first}, {"last", range.last}, {"reads", content_of(range).name}};
}

Words words_of(const macstats_model&, const macstats_region& region) {
    return {{"name", region.name}, {"first", region.first}, {"last", region.last}};
}

Words words_of(const macstats_model& model, const macstats_status& field) {
    return {
        {"name", field.name},
        {"lsb", field.lsb},
        {"bits", field.bits},
        {"description", field.help},
        {"when", when_json(model, field.when)},
        {"unless", field.unless},
        {"copy", bit_json(model, field.copy)},
        {"collisions", field.collisions},
        {"octets", field.octets},
    };
}

Words words_of(const macstats_model& model, const macstats_register& reg);

// Rows, with a member for each of their words.
template <typename Row>
ordered_json rows_json(const macstats_model& model, std::span<const Row> rows) {
    ordered_json json = ordered_json::array();
    for (const Row& row : rows)
        json.push_back(json_of(words_of(model, row)));
    return json;
}

Words words_of(const macstats_model& model, const macstats_register& reg) {
    return {
        {"name", reg.name},
        {"offset", reg.offset},
        {"access", name_of(access_names, reg.access)},
        {"reset", reg.reset},
        {"description", reg.help},
        {"fields", rows_json<macstats_field>(model, fields_of(reg))},
        {"block", or_null(reg.statistics_only ? model.blocks[reg.block].name : nullptr)},
    };
}

} // namespace

Words words_of(const macstats_model& model, const macstats_counter& counter) {
    const bool by_software = macstats_is_software_counter(&counter);
    const bool windowed = macstats__is_windowed(&model, &counter);
    const bool has_address = !by_software && !windowed;
    const auto fill = fill_seconds(model, counter);
    const std::string reg = counter.reg;
    const macstats_from_status& status = counter.status;
    return {
        {"name", counter.name},
        {"register", counter.reg},
        {"direction", direction_of(counter)},
        {"unit", name_of(unit_names, counter.unit)},
        {"offset", has_address ? ordered_json(counter.offset) : ordered_json()},
        {"index", windowed ? ordered_json(macstats__window_index(&model, &counter)) : no_member},
        {"lsb", counter.lsb ? ordered_json(counter.lsb) : no_member,
         reg + " begins at bit {} of its bus word"},
        {"bits", counter.bits},
        {"labels", counter.index_of
                       ? ordered_json{{name_of(index_names, counter.index_of), counter.index}}
                       : no_member},
        {"onread", name_of(onread_names, counter.onread)},
        {"onwrite", name_of(onwrite_names, counter.onwrite)},
        {"overflow", name_of(overflow_names, counter.overflow)},
        {"wrap_seconds", or_null(wrap_seconds(model, counter))},
        {"description", counter.help},
        {"standard", standards_of(counter)},
        {"fill_seconds", fill ? ordered_json(*fill) : no_member},
        {"octets_of", amount_of(counter).octets_of},
        {"high_first", false}, // a member of the schema: no model has it
        {"latch", counter.latch},
        {"reread", counter.reread ? ordered_json(true) : no_member,
         reg + (model.read64 ? ": one access reads its 64 bits; otherwise its" : ": its") +
             " high word is read before and after the low one, until it is the same twice"},
        {"word_stride", counter.word_stride ? ordered_json(counter.word_stride) : no_member},
        {nullptr, counter.word_stride,
         fmt::format(
             "{}: its high word is at {:#x}", reg, macstats_word_offset(&model, &counter, 1))},
        {"good_frames", counter.good_frames,
         reg + " is updated after {} good frame" + (counter.good_frames == 1 ? "" : "s")},
        {"mac",
         counter.mac ? ordered_json(counter.mac == MACSTATS_MAC_EXPRESS ? "express" : "preemptible")
                     : no_member,
         reg + ": counts frames of the {} MAC"},
        {"port_stride", or_null(counter.port_stride)},
        {"frame_limit", or_null(counter.frame_limit), reg + " counts at most {} octets of a frame"},
        {"source", by_software ? "descriptor" : "register"},
        {"block", model.blocks[counter.block].name},
        {"present", bit_json(model, counter.present), reg + " is there if {} is set"},
        {"revisions",
         counter.revisions ? ordered_json(revisions_in(model, counter.revisions)) : no_member},
        {nullptr, counter.port_stride,
         fmt::format(
             "{}: that of the next port is {:#x} addresses higher", reg, counter.port_stride)},
        {"when", when_json(model, counter.when)},
        {"amount", amount_of(counter).name},
        {"status", json_if(
                       status.mask, {{"descriptor", status.received ? "receive" : "transmit"},
                                     {"mask", status.mask},
                                     {"value", status.value},
                                     {"least_collisions", status.low},
                                     {"most_collisions", or_null(status.high)},
                                     {"adds", status.adds_octets       ? "octets"
                                              : status.adds_attempts   ? "attempts"
                                              : status.adds_collisions ? "collisions"
                                                                       : "one"}})},
        {"errors", counts_errors(model, counter)},
    };
}

Words words_of(const macstats_model& model, const macstats_block& block) {
    const auto bit = [&model](const macstats_bit& one) { return bit_json(model, one); };
    const auto text = [&model](const macstats_bit& one) { return text_of(bit_json(model, one)); };
    const auto index = static_cast<unsigned int>(&block - model.blocks);
    const macstats_block_roles roles = macstats_find_roles(&model).blocks[index];
    const auto option = option_of(model, index);
    return {
        {nullptr, block.option,
         fmt::format("option: {}=off leaves out these counters and their registers", option)},
        {"name", block.name},
        {"snapshot_request", bit(roles.snapshot_request),
         "snapshot: set {}, wait for " + text(roles.snapshot_granted) + ", read, clear it again"},
        {"snapshot_granted", bit(roles.snapshot_granted)},
        {"dump", bit(roles.dump), "dump: set {}, wait until it is clear, read the copy in memory"},
        {"window",
         json_if(
             block.window, {{"index", bit(roles.window_index)},
                            {"start", bit(roles.window_start)},
                            {"low", bit(roles.window_low)},
                            {"high", bit(roles.window_high)}}),
         fmt::format(
             "window: write an index to {} and set {}, wait until it is clear, read the value in "
             "{} and {}",
             text(roles.window_index), text(roles.window_start), text(roles.window_high),
             text(roles.window_low))},
        {"write_enable", bit(roles.write_enable),
         "write enable: a write to a counter is stored while {} is set"},
        {"grant_leads", block.grant_leads},
        {"clear", bit(roles.clear),
         std::string("clear all: write 1 to {}") +
             (block.clear_clears_parity ? "; this clears the parity error, too" : "")},
        {"increment", bit(roles.increment)},
        {"clear_on_read", bit(roles.clear_on_read),
         "clear on read: while {} is set, a read of a counter clears it"},
        {"saturate", bit(roles.saturate),
         "saturate: while {} is set, counters stay at their maximum"},
        {"freeze", bit(roles.freeze),
         "freeze: while {} is set, counters stay as they are, and the port is stale"},
        {"parity_error", bit(roles.parity_error),
         "parity error: {}, cleared by writing 1 to " + text(roles.parity_clear) +
             "; a poll that finds it adds only what the line can have carried"},
        {nullptr, bit(roles.increment), "increment: write 1 to {} to add 1 to each counter"},
        {"parity_clear", bit(roles.parity_clear)},
        {"clear_clears_parity", block.clear_clears_parity},
        {"option", option},
    };
}

Words words_of(const macstats_model& model) {
    const auto bit = [&model](const macstats_bit& one) { return bit_json(model, one); };
    const macstats_roles roles = macstats_find_roles(&model);
    const macstats_descriptor& bits = *macstats_descriptor_of(&model);
    ordered_json max_frame_switch = bit(roles.max_frame_switch);
    if (!max_frame_switch.is_null()) {
        max_frame_switch["off"] = model.max_frame_switch.off;
        max_frame_switch["on"] = model.max_frame_switch.on;
    }
    ordered_json options = ordered_json::object();
    for (const OptionSetting& option : option_settings(model, model.default_options))
        options[std::string(option.name)] = option.word;
    ordered_json option_values = ordered_json::object();
    for (const DeviceOption& option : options_of(model))
        option_values[std::string(option.name)] = default_first(model, option);
    ordered_json settings = ordered_json::array();
    for (const macstats_bit& setting : roles.setting)
        if (setting.mask)
            settings.push_back(bit(setting));
    const bool decrements = std::ranges::any_of(counters_of(model), [](const auto& counter) {
        return counter.onwrite == MACSTATS_ONWRITE_DECREMENT;
    });

    return {
        {"name", model.name},
        {"title", model.title},
        {"datasheet", model.datasheet},
        {"drivers", drivers_of(model)},
        {"access", accesses_of(model)},
        {"ports", model.ports},
        {"port_stride", model.port_stride},
        {"address_unit_bits", model.address_unit_bits},
        {"bus_bits", model.bus_bits},
        {"read64", model.read64 ? ordered_json(true) : no_member},
        {"line_rate_bps", model.line_rate_bps},
        {"block_lines", std::max<unsigned int>(model.block_lines, 1)},
        {"poll_seconds",
         {{"default", seconds(macstats_poll_default_usecs(&model, model.line_rate_bps))},
          {"ceiling", seconds(macstats_poll_ceiling_usecs(&model, model.line_rate_bps))}}},
        {"options", options},
        {"faults", names_in(fault_names, macstats_supported_faults(&model))},
        {"power_up", name_of(power_up_names, model.power_up)},
        {"note", or_null(model.note)},
        {"counters", rows_json(model, counters_of(model))},
        {"registers", rows_json(model, registers_of(model))},
        {"reserved", rows_json<macstats_reserved>(model, {model.reserved, model.n_reserved})},
        {"regions", rows_json<macstats_region>(model, {model.regions, model.n_regions})},
        {"blocks", rows_json(model, blocks_of(model))},
        {"gate", bit(roles.gate),
         decrements ? "gate: nothing is counted while {} is 0, and a write stores its value"
                    : "gate: nothing is counted while {} is 0"},
        {"busy", bit(roles.busy), "busy: the counters must not be read while {} is set"},
        {"needs_clocks", model.needs_clocks,
         "clocks: the counters must not be read while a clock of the port stands still"},
        {"half_full",
         json_if(
             model.half_full, {{"level", model.half_full},
                               {"pending", bit(roles.half_full)},
                               {"enable", bit(roles.half_full_enable)}}),
         fmt::format(
             "half full: a counter at {:#x} or more sets {}, which interrupts while {} is set",
             model.half_full, text_of(bit(roles.half_full)), text_of(bit(roles.half_full_enable)))},
        {"settings", settings},
        {"max_frame_rx", bit(roles.max_frame_rx), "longest frame received: {}"},
        {"max_frame_tx", bit(roles.max_frame_tx), "longest frame transmitted: {}"},
        {"any_length_tx", bit(roles.any_length_tx),
         "longest frame transmitted: any while {} is set"},
        {"max_frame_enable", bit(roles.max_frame_enable), "these lengths hold while {} is set"},
        {"max_frame_switch", max_frame_switch,
         fmt::format(
             "longest frame: {} octets, or {} while {{}} is set", model.max_frame_switch.off,
             model.max_frame_switch.on)},
        {"default_max_frame", or_null(model.default_max_frame),
         "longest frame: {} octets where no register sets it"},
        {"tag_over_max", model.tag_over_max, "longest frame: 4 octets more with a VLAN tag"},
        {"cut_at_max", model.cut_at_max, "longer frames are cut there on transmit"},
        {"very_long",
         json_if(
             model.very_long_least,
             {{"least", model.very_long_least}, {"limit", or_null(model.very_long_limit)}}),
         fmt::format(
             "very long: over twice the longest frame and over {} octets{}", model.very_long_least,
             model.very_long_limit
                 ? fmt::format(", none while the longest is over {}", model.very_long_limit)
                 : "")},
        {nullptr, model.tx_shortest, "frames of less than {} octets are not sent"},
        {nullptr, model.tx_pad_to, "shorter frames are padded to {} octets on transmit"},
        {"deferral_aborts", model.deferral_aborts, "a frame deferred for too long is not sent"},
        {nullptr, (model.options & MACSTATS_OPT_HALF_DUPLEX) != 0,
         "transmitted frames collide in half duplex only"},
        {"ieee_own_pause", model.ieee_own_pause,
         "pause frames of the MAC have 64 octets, a multicast destination and no errors"},
        {"flow_control", bit(roles.flow_control), "the MAC exerts flow control while {} is set"},
        {"retry_limit", bit(roles.retry_limit), "retransmissions before a frame is given up: {}"},
        {nullptr, bits.override, "a transmitted frame's first descriptor may override registers"},
        {"good_despite", names_in(error_names, model.good_despite),
         "received frames are good in spite of: {}"},
        {"min_frame_rx", model.min_frame_rx},
        {"min_frame_tx", model.min_frame_tx},
        {"tx_shortest", model.tx_shortest},
        {"tx_pad_to", model.tx_pad_to},
        {"tx_status", rows_json<macstats_status>(model, {bits.tx_status, bits.n_tx_status})},
        {"rx_status", rows_json<macstats_status>(model, {bits.rx_status, bits.n_rx_status})},
        {"descriptor", json_if(
                           bits.last, {{"first", bits.first},
                                       {"last", bits.last},
                                       {"override", bits.override},
                                       {"append_crc", bits.append_crc},
                                       {"huge", bits.huge}})},
        {"rx_described", when_json(model, bits.rx_described)},
        {"option_values", option_values},
        {"variant", or_null(model.variant)},
        {"identity", identity_json(model)},
        {"sizes",
         json_of(
             {{"edges", std::span(model.sizes.edge).first(macstats_size_classes(&model.sizes) - 1)},
              {"tagged_edges", bits_of(model.sizes.tagged_edges)}})},
        {"overhead", json_of(
                         {{"data", model.data_overhead},
                          {"control", model.control_overhead},
                          {"variant_control", or_null(model.variant_control_overhead)}})},
    };
}

nlohmann::ordered_json model_json(const macstats_model& model) {
    return json_of(words_of(model));
}

} // namespace macstats
