// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes the layout, integers and plain strings; nlohmann-json writes the rest.
#include "present/json_writer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/escape.hpp"

namespace macstats {

namespace {

// Octets that need no escape in a string of JSON.
constexpr auto plain = [] {
    std::array<bool, 256> octets{};
    for (std::size_t c = ' '; c <= '~'; c++)
        octets[c] = c != '"' && c != '\\';
    return octets;
}();

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char c) { return plain[c]; });
}

} // namespace

JsonWriter::JsonWriter(int indent, Integers integers)
    : integers_(integers),
      indent_(indent < 0 ? 0 : static_cast<std::size_t>(indent)),
      colon_(indent < 0 ? ":" : ": "),
      new_line_(indent < 0 ? "" : "\n") {}

void JsonWriter::begin(char bracket) {
    before_value();
    text_ += bracket;
    level_++;
    new_line_.append(indent_, ' ');
    is_first_ = true;
}

void JsonWriter::end(char bracket) {
    level_--;
    new_line_.resize(new_line_.size() - indent_);
    if (!is_first_)
        text_ += new_line_;
    text_ += bracket;
    is_first_ = false;
}

void JsonWriter::name(std::string_view name) {
    next_element();
    write_string(name);
    text_ += colon_;
    has_name_ = true;
}

void JsonWriter::value(double value) {
    before_value();
    text_ += json_text(value);
}

void JsonWriter::value(std::string_view text) {
    before_value();
    write_string(text);
}

void JsonWriter::null() {
    before_value();
    text_ += "null";
}

void JsonWriter::before_value() {
    if (!has_name_ && level_)
        next_element();
    has_name_ = false;
}

void JsonWriter::next_element() {
    if (!is_first_)
        text_ += ',';
    is_first_ = false;
    text_ += new_line_;
}

void JsonWriter::write_integer(std::uint64_t value) {
    const fmt::format_int digits(value);
    const std::string_view text(digits.data(), digits.size());
    if (integers_ == Integers::as_strings)
        write_string(text);
    else
        text_ += text;
}

void JsonWriter::write_string(std::string_view text) {
    if (!is_plain(text)) {
        text_ += json_text(text);
        return;
    }
    text_ += '"';
    text_ += text;
    text_ += '"';
}

} // namespace macstats
