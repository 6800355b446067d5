// SPDX-License-Identifier: GPL-2.0 OR MIT
// JSON written member by member, without a document in memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

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

    /// A boolean, a number, or text of any octets.
    template <typename T>
    void value(const T& value) {
        before_value();
        if constexpr (std::same_as<T, bool>)
            text_ += value ? "true" : "false";
        else if constexpr (std::unsigned_integral<T>)
            write_integer(value);
        else if constexpr (std::floating_point<T>)
            write_number(value);
        else
            write_string(value);
    }
    void null();

    template <typename T>
    void member(std::string_view name, const T& value) {
        this->name(name);
        this->value(value);
    }

    /// The text since the last call. More may follow.
    std::string take() { return std::exchange(text_, {}); }

private:
    void begin(char bracket);
    void end(char bracket);
    void before_value();
    void next_element();
    void write_integer(std::uint64_t value);
    void write_number(double value);
    void write_string(std::string_view text);

    Integers integers_;
    std::size_t indent_;
    std::string_view colon_;
    std::string new_line_; // in front of what is on the current level
    std::string text_;
    std::size_t level_ = 0;
    bool is_first_ = true;  // nothing is before the next element of its container
    bool has_name_ = false; // the next value
};

} // namespace macstats
