// SPDX-License-Identifier: GPL-2.0 OR MIT
// JSON written member by member, without a document in memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace macstats {

/// Writes the text that json_text() returns for the same document. The caller closes what it
/// opens, and gives each member of an object a name before its value.
class JsonWriter {
public:
    enum class Integers {
        as_numbers,
        as_strings, ///< for readers that round large numbers
    };

    /// @indent: spaces for each level; -1 for one line.
    explicit JsonWriter(int indent = -1, Integers integers = Integers::as_numbers);

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }
    void begin_object(std::string_view member) {
        name(member);
        begin_object();
    }

    /// The name of the member that follows.
    void name(std::string_view name);

    void value(std::same_as<bool> auto value) {
        before_value();
        write(value ? "true" : "false");
    }
    template <std::unsigned_integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>) void value(T value) {
        before_value();
        write_integer(value);
    }
    /// null unless it is finite
    void value(double value);
    /// Text of any octets.
    void value(std::string_view text);
    void null();

    template <typename T>
    void member(std::string_view name, const T& value) {
        this->name(name);
        this->value(value);
    }

    /// The text since the last clear(). Valid until more is written.
    [[nodiscard]] std::string_view text() const { return {text_.data(), text_.size()}; }
    /// Forgets the text. More may follow.
    void clear() { text_.clear(); }

private:
    void begin(char bracket);
    void end(char bracket);
    void before_value() {
        if (!has_name_ && level_)
            next_element();
        has_name_ = false;
    }
    void next_element();
    char* begin_write(std::size_t size);
    void end_write(const char* end);
    std::size_t separator_room() const;
    char* put_separator(char* at);
    char* put_new_line(char* at) const;
    char* put_string(std::string_view text, char* at, std::size_t more);
    void write(std::string_view text);
    void write_integer(std::uint64_t value);
    void write_string(std::string_view text);

    Integers integers_;
    std::size_t indent_;
    bool has_lines_;
    fmt::memory_buffer text_;
    std::size_t level_ = 0;
    bool is_first_ = true;  // the container has no element yet
    bool has_name_ = false; // name() was called, its value is to follow
};

} // namespace macstats
