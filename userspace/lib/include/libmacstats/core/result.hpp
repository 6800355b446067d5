// SPDX-License-Identifier: GPL-2.0 OR MIT
// Expected failures as values: a Result is a value or an Error.
//
// One rule for bad arguments: a function that returns a Result reports each of them as
// an Error and has changed nothing. A function that returns no Result requires valid
// arguments and throws std::logic_error (or a class derived from it) otherwise: the
// caller's program is wrong. TestDevice is the exception to the rule, see there.
#pragma once

#include <cerrno>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

namespace macstats {

/// The text of an errno value, as "Operation not permitted".
inline std::string errno_text(int errnum) {
    return std::generic_category().message(errnum);
}

/// Why something failed: an errno value for programs, a text for people.
struct Error {
    /// The module of the kernel side is not loaded. The kernel never answers with this
    /// errno.
    static constexpr int not_loaded = EPROTONOSUPPORT;
    /// The modules of the kernel side speak another version of the protocol than this
    /// library. The kernel never answers with this errno.
    static constexpr int other_protocol = EPROTOTYPE;
    /// The modules of the kernel side were loaded again since they were found: ports and totals
    /// start anew. The kernel never answers with this errno.
    static constexpr int loaded_again = ESTALE;

    int errnum = 0;
    std::string message{};
};

/// The same error, with what was being done in front of its text.
inline Error in_context(const std::string& context, Error error) {
    error.message = context + ": " + error.message;
    return error;
}

/// A value of type T, or the Error that explains why there is none.
///
/// Owns its content. Asking for the value of an Error, or for the Error of a value,
/// throws std::logic_error: look first.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return content_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() & {
        require(has_value());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] const T& value() const& {
        require(has_value());
        return *std::get_if<0>(&content_);
    }
    /// A temporary Result returns by value: a loop over a reference into it would dangle.
    [[nodiscard]] T value() && { return std::move(value()); }

    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T operator*() && { return std::move(value()); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const& {
        require(!has_value());
        return *std::get_if<1>(&content_);
    }
    [[nodiscard]] Error error() && {
        require(!has_value());
        return std::move(*std::get_if<1>(&content_));
    }

    /// The Result that @next(value) returns, or this Error.
    template <typename Next>
    auto and_then(Next&& next) && {
        using Returned = std::invoke_result_t<Next, T>;
        if (!has_value())
            return Returned(std::move(*this).error());
        return std::forward<Next>(next)(std::move(*this).value());
    }

private:
    static void require(bool condition) {
        if (!condition)
            throw std::logic_error("a Result was used without looking whether it has a value");
    }

    std::variant<T, Error> content_;
};

/// Success, or the Error that explains the failure.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool has_value() const { return !error_; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] const Error& error() const& {
        require_error();
        return *error_;
    }
    [[nodiscard]] Error error() && {
        require_error();
        return std::move(*error_);
    }

private:
    void require_error() const {
        if (has_value())
            throw std::logic_error("a Result without an error was asked for it");
    }

    std::optional<Error> error_;
};

/// The same Result; an Error has what was being done in front of its text.
template <typename T>
Result<T> in_context(const std::string& context, Result<T> result) {
    if (result)
        return result;
    return in_context(context, std::move(result).error());
}

} // namespace macstats
