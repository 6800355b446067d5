// SPDX-License-Identifier: GPL-2.0 OR MIT
// From addresses and values back to the rows of the schema.
#include "libmacstats/registers.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/accumulator.h>

#include "libmacstats/names.hpp"
#include "libmacstats/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

using Words = std::map<std::uint32_t, std::uint32_t>; // value by offset

Error invalid(std::string message) {
    return {EINVAL, std::move(message)};
}

DecodedRegister
decode_register(const macstats_model& model, const macstats_register& reg, std::uint32_t value) {
    DecodedRegister decoded{
        .offset = reg.offset, .value = value, .reg = &reg, .counter = nullptr, .fields = {}};
    for (const auto& field : std::span(model.fields, model.n_fields))
        if (field.offset == reg.offset)
            decoded.fields.push_back(
                {&field,
                 static_cast<std::uint32_t>(value >> field.lsb & macstats_bits_mask(field.bits))});
    return decoded;
}

Result<DecodedRegister>
decode_counter(const macstats_model& model, const macstats_counter& counter, const Words& words) {
    std::vector<__u64> values;
    for (unsigned int i = 0; i < macstats_words(&model, &counter); i++) {
        const auto word = words.find(counter.offset + i * macstats_word_step(&model));
        if (word == words.end())
            return invalid(fmt::format("a part of {} is missing", counter.reg));
        values.push_back(word->second);
    }
    return DecodedRegister{
        .offset = counter.offset,
        .value = macstats_assemble(&model, &counter, values.data()),
        .reg = nullptr,
        .counter = &counter,
        .fields = {}};
}

unsigned int port_of(const macstats_model& model, std::uint32_t address) {
    return model.port_stride ? address / model.port_stride : 0;
}

// The words by their offsets; all of them belong to one port.
Result<Words> words_of_port(const macstats_model& model, std::span<const DumpedWord> words) {
    Words by_offset;
    for (const DumpedWord& word : words) {
        const unsigned int port = port_of(model, word.address);
        if (port != port_of(model, words.front().address) || port >= model.ports)
            return invalid(fmt::format("{:#x} is no address of this port", word.address));
        const std::uint32_t offset = word.address - port * model.port_stride;
        if (!by_offset.emplace(offset, word.value).second)
            return invalid(fmt::format("{:#x} is there twice", word.address));
    }
    return by_offset;
}

std::string digits(std::uint64_t value, unsigned int bits) {
    return fmt::format("{:#0{}x}", value, 2 + (bits + 3) / 4);
}

} // namespace

Result<std::vector<DumpedWord>> parse_dump(std::span<const std::byte> octets) {
    if (octets.empty() || octets.size() % sizeof(DumpedWord))
        return invalid(fmt::format(
            "a register dump is a list of {} octets each, this has {} (`ethtool -d PORT raw on` "
            "makes one)",
            sizeof(DumpedWord), octets.size()));
    std::vector<DumpedWord> words(octets.size() / sizeof(DumpedWord));
    std::memcpy(words.data(), octets.data(), octets.size());
    return words;
}

Result<DecodedDump> decode_dump(const macstats_model& model, std::span<const DumpedWord> words) {
    const auto by_offset = words_of_port(model, words);
    if (!by_offset)
        return in_context(fmt::format("no dump of {}", model.name), by_offset.error());

    DecodedDump dump{
        .port = words.empty() ? 0 : port_of(model, words.front().address),
        .registers = {},
        .skipped = {}};
    for (const auto& [offset, value] : *by_offset) {
        unsigned int word = 0;
        if (const int i = macstats_register_at(&model, offset); i >= 0) {
            dump.registers.push_back(decode_register(model, model.registers[i], value));
        } else if (const int c = macstats_counter_at(&model, offset, &word); c < 0) {
            return invalid(
                fmt::format("no dump of {}: it has no register at {:#x}", model.name, offset));
        } else if (word == 0 || !by_offset->contains(model.counters[c].offset)) {
            auto counter = decode_counter(model, model.counters[c], *by_offset);
            if (!counter)
                return in_context(fmt::format("no dump of {}", model.name), counter.error());
            dump.registers.push_back(std::move(*counter));
        }
    }
    for (const auto& counter : std::span(model.counters, macstats_register_counters(&model)))
        if (macstats_read_is_destructive(&model, counter.offset))
            dump.skipped.push_back(&counter);
    return dump;
}

nlohmann::ordered_json dump_json(const macstats_model& model, const DecodedDump& dump) {
    ordered_json registers = ordered_json::array();
    ordered_json counters = ordered_json::object();
    ordered_json skipped = ordered_json::array();
    for (const DecodedRegister& decoded : dump.registers) {
        if (decoded.counter) {
            counters[decoded.counter->name] = decoded.value;
            continue;
        }
        ordered_json fields = ordered_json::array();
        for (const DecodedField& field : decoded.fields)
            fields.push_back(
                {{"name", field.field->name},
                 {"lsb", field.field->lsb},
                 {"bits", field.field->bits},
                 {"value", field.value},
                 {"description", field.field->help}});
        registers.push_back(
            {{"name", decoded.reg->name},
             {"offset", decoded.offset},
             {"value", decoded.value},
             {"description", decoded.reg->help},
             {"fields", std::move(fields)}});
    }
    for (const macstats_counter* counter : dump.skipped)
        skipped.push_back(counter->name);
    return {
        {"model", model.name},
        {"port_index", dump.port},
        {"registers", std::move(registers)},
        {"counters", std::move(counters)},
        {"skipped", std::move(skipped)},
    };
}

std::string dump_text(const macstats_model& model, const DecodedDump& dump, bool descriptions) {
    Table table({"ADDRESS", "REGISTER", "VALUE", "", descriptions ? "DESCRIPTION" : ""});
    const auto help = [descriptions](const char* text) { return descriptions && text ? text : ""; };
    for (const DecodedRegister& decoded : dump.registers) {
        const std::string address = fmt::format("{:#x}", decoded.offset);
        if (decoded.counter) {
            const macstats_counter& counter = *decoded.counter;
            table.add(
                {address, counter.reg, digits(decoded.value, counter.bits),
                 fmt::format("{} {}", decoded.value, name_of(unit_names(), counter.unit)),
                 help(counter.help)});
            continue;
        }
        table.add(
            {address, decoded.reg->name, digits(decoded.value, model.bus_bits), "",
             help(decoded.reg->help)});
        for (const DecodedField& field : decoded.fields) {
            const unsigned int top = field.field->lsb + field.field->bits - 1U;
            const std::string bits = field.field->bits == 1
                                         ? fmt::format("  [{}]", field.field->lsb)
                                         : fmt::format("  [{}:{}]", top, field.field->lsb);
            table.add(
                {bits, fmt::format("  {}", field.field->name),
                 "  " + digits(field.value, field.field->bits), fmt::format("{}", field.value),
                 help(field.field->help)});
        }
    }
    std::string text =
        fmt::format("{}, port {} of its device\n", model.name, dump.port) + table.text();
    std::vector<std::string_view> skipped;
    for (const macstats_counter* counter : dump.skipped)
        skipped.emplace_back(counter->reg);
    if (!skipped.empty())
        text += fmt::format(
            "Not in a dump, since reading them changes something: {}\n", fmt::join(skipped, ", "));
    return text;
}

} // namespace macstats
