// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes decoded register dumps as JSON and as text.
#include "present/registers.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"
#include "present/model.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

std::string digits(std::uint64_t value, unsigned int bits) {
    return fmt::format("{:#0{}x}", value, 2 + (bits + 3) / 4);
}

} // namespace

nlohmann::ordered_json dump_json(const macstats_model& model, const DecodedDump& dump) {
    ordered_json registers = ordered_json::array();
    ordered_json counters = ordered_json::object();
    ordered_json skipped = ordered_json::array();
    ordered_json unknown = ordered_json::array();
    for (const DecodedRegister& decoded : dump.registers) {
        if (decoded.counter) {
            counters[decoded.counter->name] = decoded.value;
            continue;
        }
        if (!decoded.reg) {
            unknown.push_back({{"offset", decoded.offset}, {"value", decoded.value}});
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
        {"port_index", dump.port.value()},
        {"registers", std::move(registers)},
        {"counters", std::move(counters)},
        {"skipped", std::move(skipped)},
        {"unknown", std::move(unknown)},
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
                 fmt::format("{} {}", decoded.value, name_of(unit_names, counter.unit)),
                 help(counter.help)});
            continue;
        }
        table.add(
            {address, decoded.reg ? decoded.reg->name : "", digits(decoded.value, model.bus_bits),
             "", help(decoded.reg ? decoded.reg->help : nullptr)});
        for (const DecodedField& field : decoded.fields) {
            table.add(
                {bits_text(*field.field), fmt::format("  {}", field.field->name),
                 "  " + digits(field.value, field.field->bits), fmt::format("{}", field.value),
                 help(field.field->help)});
        }
    }
    std::string text =
        fmt::format("{}, port {} of its device\n", model.name, dump.port.value()) + table.text();
    std::vector<std::string_view> skipped;
    for (const macstats_counter* counter : dump.skipped)
        skipped.emplace_back(counter->reg);
    if (!skipped.empty())
        text +=
            fmt::format("Not in a dump, since a read changes them: {}\n", fmt::join(skipped, ", "));
    return text;
}

} // namespace macstats
