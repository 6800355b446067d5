// SPDX-License-Identifier: GPL-2.0
#include "table.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace macstats::test::netlink {

namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 9> types = {"u8",     "u32",  "u64",  "u32s", "u64s",
                                                   "string", "flag", "nest", "pad"};
constexpr std::array<std::string_view, 11> roles = {"any",    "port", "peer",    "device",
                                                    "model",  "name", "address", "fault",
                                                    "active", "flag", "range"};
constexpr std::array<std::string_view, 3> ways = {"do", "dump", "event"};
constexpr std::array<std::string_view, 5> purposes = {"none", "list", "add", "remove", "fault"};

template <class Enumeration, std::size_t n>
void read_word(
    std::istream& in, const std::array<std::string_view, n>& words, Enumeration& result) {
    std::string word;
    in >> word;
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
        in.setstate(std::ios::failbit);
    else
        result = static_cast<Enumeration>(std::distance(words.begin(), found));
}

// "1,2,3"; "-" if empty
void read_list(std::istream& in, std::set<unsigned>& result) {
    std::string text;
    in >> text;
    std::istringstream numbers(text == "-" ? "" : text);
    for (std::string one; std::getline(numbers, one, ',');)
        result.insert(static_cast<unsigned>(std::stoul(one)));
}

void read_family(std::istream& in, Table& table) {
    unsigned id = 0, version = 0;
    Family family;
    in >> family.name >> id >> version >> family.group;
    family.id = static_cast<std::uint16_t>(id);
    family.version = static_cast<std::uint8_t>(version);
    table.families.push_back(family);
}

void read_attribute(std::istream& in, Table& table) {
    std::size_t set = 0;
    unsigned number = 0;
    Attribute attribute;
    in >> set >> number;
    read_word(in, types, attribute.type);
    in >> attribute.nested >> attribute.repeated >> attribute.free;
    read_word(in, roles, attribute.role);
    in >> attribute.low >> attribute.high;
    table.sets.resize(std::max(table.sets.size(), set + 1));
    table.sets[set][number] = attribute;
}

void read_operation(std::istream& in, Table& table) {
    Operation operation;
    in >> operation.name >> operation.family >> operation.command;
    read_word(in, ways, operation.way);
    in >> operation.privileged;
    read_word(in, purposes, operation.purpose);
    in >> operation.set;
    read_list(in, operation.request);
    read_list(in, operation.reply);
    table.operations.push_back(operation);
}

template <class T>
void read_value(std::istream& in, std::vector<T>& values) {
    in >> values.emplace_back();
}

void read_line(std::istream& in, Table& table) {
    std::string kind;
    in >> kind;
    if (kind == "family")
        read_family(in, table);
    else if (kind == "attribute")
        read_attribute(in, table);
    else if (kind == "operation")
        read_operation(in, table);
    else if (kind == "number")
        read_value(in, table.numbers);
    else if (kind == "address")
        read_value(in, table.addresses);
    else if (kind == "model")
        read_value(in, table.models);
    else if (kind == "name")
        read_value(in, table.names);
    else
        in.setstate(std::ios::failbit);
}

} // namespace

const Operation& Table::operation(Purpose purpose) const {
    for (const Operation& one : operations)
        if (one.purpose == purpose)
            return one;
    throw std::runtime_error(
        fmt::format("no operation to {}", purposes[static_cast<std::size_t>(purpose)]));
}

unsigned Table::attribute(std::size_t set, Role role) const {
    for (const auto& [number, attribute] : sets.at(set))
        if (attribute.role == role)
            return number;
    throw std::runtime_error(
        fmt::format("no attribute of set {} is a {}", set, roles[static_cast<std::size_t>(role)]));
}

std::string title(const Operation& operation) {
    return fmt::format("{} {}", operation.name, ways[static_cast<std::size_t>(operation.way)]);
}

Table read_table(std::istream& in) {
    Table table;
    for (std::string text; std::getline(in, text);) {
        std::istringstream line(text);
        read_line(line, table);
        if (line.fail())
            throw std::runtime_error(fmt::format("bad line of the table: {}", text));
    }
    if (table.families.empty() || table.operations.empty() || table.numbers.empty() ||
        table.addresses.empty() || table.models.empty() || table.names.empty())
        throw std::runtime_error("incomplete table");
    for (const Operation& one : table.operations)
        if (one.family >= table.families.size() || one.set >= table.sets.size())
            throw std::runtime_error(fmt::format("{} has no family or no set", one.name));
    return table;
}

} // namespace macstats::test::netlink
