// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes the layout, integers and plain strings; nlohmann-json writes the rest.
#include "present/json_writer.hpp"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/escape.hpp"

namespace macstats {

namespace {

constexpr std::string_view spaces = "        ";

// Whether an octet needs no escape in a string of JSON.
constexpr bool is_plain_octet(char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

// The same for eight octets at once. A subtraction sets the highest bit of each octet that is too
// small, and may set those above it only if there is one.
constexpr bool are_plain_octets(std::uint64_t octets) {
    constexpr std::uint64_t each = 0x0101010101010101;
    const auto marks_of = [octets](std::uint64_t octet) { return (octets ^ each * octet) - each; };
    const std::uint64_t found =
        octets | (octets - each * ' ') | marks_of('"') | marks_of('\\') | marks_of(0x7f);
    return !(found & each << 7);
}

// Whether the eight octets need no escape; copies them.
bool copy_plain_octets(const char* from, char* to) {
    std::uint64_t octets;
    std::memcpy(&octets, from, sizeof(octets));
    std::memcpy(to, &octets, sizeof(octets));
    return are_plain_octets(octets);
}

// Whether the text needs no escape; copies it, or a part of it if not.
bool copy_plain(std::string_view text, char* to) {
    const char* const from = text.data();
    const std::size_t size = text.size();
    if (size < 8) {
        for (std::size_t i = 0; i < size; i++) {
            if (!is_plain_octet(from[i]))
                return false;
            to[i] = from[i];
        }
        return true;
    }
    // The last eight octets overlap those before them.
    for (std::size_t i = 0; i < size - 8; i += 8)
        if (!copy_plain_octets(from + i, to + i))
            return false;
    return copy_plain_octets(from + size - 8, to + size - 8);
}

} // namespace

JsonWriter::JsonWriter(int indent, Integers integers)
    : integers_(integers),
      indent_(indent < 0 ? 0 : static_cast<std::size_t>(indent)),
      has_lines_(indent >= 0) {}

// Where at most @size octets may be written, until end_write().
char* JsonWriter::begin_write(std::size_t size) {
    text_.reserve(text_.size() + size);
    return text_.data() + text_.size();
}

void JsonWriter::end_write(const char* end) {
    text_.resize(static_cast<std::size_t>(end - text_.data()));
}

void JsonWriter::write(std::string_view text) {
    text_.append(text);
}

void JsonWriter::begin(char bracket) {
    before_value();
    text_.push_back(bracket);
    level_++;
    is_first_ = true;
}

void JsonWriter::end(char bracket) {
    level_--;
    char* at = begin_write(separator_room());
    if (!is_first_ && has_lines_)
        at = put_new_line(at);
    *at++ = bracket;
    end_write(at);
    is_first_ = false;
}

void JsonWriter::name(std::string_view name) {
    constexpr std::string_view colon = ": ";
    char* at = begin_write(separator_room() + name.size() + 2 + colon.size());
    at = put_string(name, put_separator(at), colon.size());
    *at++ = ':';
    if (has_lines_)
        *at++ = ' ';
    end_write(at);
    has_name_ = true;
}

void JsonWriter::value(double value) {
    before_value();
    write(json_text(value));
}

void JsonWriter::value(std::string_view text) {
    before_value();
    write_string(text);
}

void JsonWriter::null() {
    before_value();
    write("null");
}

void JsonWriter::next_element() {
    end_write(put_separator(begin_write(separator_room())));
}

// The most octets that put_separator() writes.
std::size_t JsonWriter::separator_room() const {
    return 2 + level_ * indent_ + spaces.size();
}

// Writes the comma and the line break before an element of a container.
char* JsonWriter::put_separator(char* at) {
    if (!is_first_)
        *at++ = ',';
    is_first_ = false;
    return has_lines_ ? put_new_line(at) : at;
}

char* JsonWriter::put_new_line(char* at) const {
    *at++ = '\n';
    const std::size_t size = level_ * indent_;
    for (std::size_t i = 0; i < size; i += spaces.size())
        std::memcpy(at + i, spaces.data(), spaces.size());
    return at + size;
}

void JsonWriter::write_integer(std::uint64_t value) {
    const fmt::format_int digits(value);
    const std::string_view text(digits.data(), digits.size());
    integers_ == Integers::as_strings ? write_string(text) : write(text);
}

void JsonWriter::write_string(std::string_view text) {
    end_write(put_string(text, begin_write(text.size() + 2), 0));
}

// There is room for the text and its quotes. Returns its end, with room for @more octets.
char* JsonWriter::put_string(std::string_view text, char* at, std::size_t more) {
    if (!copy_plain(text, at + 1)) {
        end_write(at);
        write(json_text(text));
        return begin_write(more);
    }
    *at++ = '"';
    at += text.size();
    *at++ = '"';
    return at;
}

} // namespace macstats
