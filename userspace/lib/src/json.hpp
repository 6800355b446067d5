// SPDX-License-Identifier: GPL-2.0 OR MIT
// JSON read strictly: what is ambiguous, too deep or too much is refused, and
// integers keep all their digits. Nothing here knows what the text is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "libmacstats/result.hpp"

namespace macstats::json {

/// Levels of arrays and objects in each other.
inline constexpr std::size_t most_levels = 32;
/// Values of any type, so that a hostile text cannot fill the memory.
inline constexpr std::size_t most_values = std::size_t{8} << 20;

struct Value;
struct Member;

/// A number that is no integer from 0 to 2^64 - 1, as written.
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

/// The one value that @text (UTF-8) consists of. An Error (EINVAL) has the line
/// and the column, or the JSON pointer, of what is wrong.
Result<Value> parse(std::string_view text);

/// One step of a JSON pointer (RFC 6901), such that it may be shown.
std::string pointer_step(std::string_view name);

/// What @value is, for people: "an array", "5", "\"five\"".
std::string described(const Value& value);

} // namespace macstats::json
