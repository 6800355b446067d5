// SPDX-License-Identifier: GPL-2.0 OR MIT
// JSON written member by member, without a document in memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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
    explicit JsonWriter(int indent = -1, Integers integers = Integers::as_numbers)
        : integers_(integers),
          indent_(indent) {}

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

    void value(std::same_as<bool> auto value) { element(value ? "true" : "false"); }
    template <std::unsigned_integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>) void value(T value) {
        integer(value);
    }
    /// null unless it is finite
    void value(double value);
    /// Text of any octets.
    void value(std::string_view text);
    void null() { element("null"); }

    template <typename T>
    void member(std::string_view name, const T& value) {
        this->name(name);
        this->value(value);
    }

    /// The text since the last clear(). Valid until more is written.
    [[nodiscard]] std::string_view text() const { return text_; }
    /// Forgets the text. More may follow.
    void clear() { text_.clear(); }

private:
    void begin(char bracket);
    void end(char bracket);
    void begin_element();
    void new_line();
    void element(std::string_view text);
    void integer(std::uint64_t value);
    void string(std::string_view text);

    Integers integers_;
    int indent_;
    std::string text_;
    std::size_t level_ = 0;
    bool is_first_ = true;  // the container has no element yet
    bool has_name_ = false; // name() was called, its value is to follow
};

} // namespace macstats
