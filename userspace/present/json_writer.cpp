// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes the layout, integers and plain strings; nlohmann-json writes the rest.
#include "present/json_writer.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace macstats {

namespace {

bool is_plain(std::string_view text) {
    for (const char c : text)
        if (c < ' ' || c > '~' || c == '"' || c == '\\')
            return false;
    return true;
}

} // namespace

void JsonWriter::begin(char bracket) {
    begin_element();
    text_ += bracket;
    level_++;
    is_first_ = true;
}

void JsonWriter::end(char bracket) {
    level_--;
    if (!std::exchange(is_first_, false))
        new_line();
    text_ += bracket;
}

void JsonWriter::name(std::string_view name) {
    begin_element();
    string(name);
    text_ += indent_ < 0 ? ":" : ": ";
    has_name_ = true;
}

void JsonWriter::value(double value) {
    element(json_text(value));
}

void JsonWriter::value(std::string_view text) {
    begin_element();
    string(text);
}

// Separates a member or element from the one before it. A value after its name needs nothing.
void JsonWriter::begin_element() {
    if (std::exchange(has_name_, false) || !level_)
        return;
    if (!std::exchange(is_first_, false))
        text_ += ',';
    new_line();
}

void JsonWriter::new_line() {
    if (indent_ < 0)
        return;
    text_ += '\n';
    text_.append(level_ * static_cast<std::size_t>(indent_), ' ');
}

void JsonWriter::element(std::string_view text) {
    begin_element();
    text_ += text;
}

void JsonWriter::integer(std::uint64_t value) {
    const fmt::format_int digits(value);
    const std::string_view text(digits.data(), digits.size());
    integers_ == Integers::as_strings ? this->value(text) : element(text);
}

void JsonWriter::string(std::string_view text) {
    if (!is_plain(text)) {
        text_ += json_text(text);
        return;
    }
    text_ += '"';
    text_ += text;
    text_ += '"';
}

} // namespace macstats
