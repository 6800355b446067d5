// SPDX-License-Identifier: GPL-2.0 OR MIT
// A strict reader of JSON: it rejects ambiguous, deep and huge texts, and integers keep
// all their digits. Independent of the content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "libmacstats/core/result.hpp"

namespace macstats::json {

/// The limit of nested arrays and objects.
inline constexpr std::size_t most_levels = 32;
/// The limit of values of any type, so that a hostile text cannot exhaust the memory.
inline constexpr std::size_t most_values = std::size_t{8} << 20;

struct Value;
struct Member;

/// A number other than an integer from 0 to 2^64 - 1, as written.
struct Number {
    std::string text;
};

using Array = std::vector<Value>;
using Object = std::vector<Member>; ///< in the order of the text, no name twice

struct Value {
    std::variant<std::nullptr_t, bool, std::uint64_t, Number, std::string, Array, Object> content;

    template <typename T>
    [[nodiscard]] const T* get() const {
        return std::get_if<T>(&content);
    }
};

struct Member {
    std::string name;
    Value value;
};

/// The value of @text (UTF-8). An Error (EINVAL) has the line and the column, or the JSON
/// pointer, of the place.
Result<Value> parse(std::string_view text);

/// One step of a JSON pointer (RFC 6901), safe to print.
std::string pointer_step(std::string_view name);

/// A description of @value for messages: "an array", "5", "\"five\"".
std::string described(const Value& value);

} // namespace macstats::json
