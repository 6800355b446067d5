// SPDX-License-Identifier: GPL-2.0 OR MIT
// Failures that are to be expected, as values: a Result is a value or an Error.
// What cannot happen unless the program is wrong is an exception instead.
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace macstats {

/// What went wrong: an errno value to decide by, and a text for people.
struct Error {
    /// The kernel side is not there: its module is not loaded. No answer of the
    /// kernel has this errno.
    static constexpr int not_loaded = EPROTONOSUPPORT;

    int errnum = 0;
    std::string message;
};

/// The same error, with what was being done in front.
inline Error in_context(const std::string& context, Error error) {
    error.message = context + ": " + error.message;
    return error;
}

/// A value of type T, or why there is none.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return content_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    /// The value. Throws std::logic_error if there is none: ask before.
    [[nodiscard]] T& value() & {
        require(has_value());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] const T& value() const& {
        require(has_value());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] T&& value() && { return std::move(value()); }

    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T&& operator*() && { return std::move(value()); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const {
        require(!has_value());
        return *std::get_if<1>(&content_);
    }

private:
    static void require(bool condition) {
        if (!condition)
            throw std::logic_error("a Result was used without looking whether it has a value");
    }

    std::variant<T, Error> content_;
};

/// Success, or why not.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : content_(std::move(error)) {}

    [[nodiscard]] bool has_value() const { return content_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] const Error& error() const {
        if (has_value())
            throw std::logic_error("a Result without an error was asked for it");
        return *std::get_if<1>(&content_);
    }

private:
    std::variant<std::monostate, Error> content_;
};

} // namespace macstats
