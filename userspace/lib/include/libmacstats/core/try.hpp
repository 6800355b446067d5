// SPDX-License-Identifier: GPL-2.0 OR MIT
// Passing Errors on to the caller, in functions that return a Result.
#pragma once

#include <utility>

#include "libmacstats/core/result.hpp"

#define MACSTATS_TRY_JOIN(a, b) a##b
#define MACSTATS_TRY_NAME(line) MACSTATS_TRY_JOIN(macstats_try_, line)
#define MACSTATS_TRY_IN(result, declaration, ...) \
    auto result = (__VA_ARGS__);                  \
    if (!result)                                  \
        return std::move(result).error();         \
    declaration = *std::move(result)

/// Declare a variable with the value of a Result, or return its Error:
///     MACSTATS_TRY(const auto port, client.port(name));
/// These are several statements: braces are required in the body of an if or a loop.
#define MACSTATS_TRY(declaration, ...) \
    MACSTATS_TRY_IN(MACSTATS_TRY_NAME(__LINE__), declaration, __VA_ARGS__)

/// Return the Error of a Result, if it has one; a value is dropped.
#define MACSTATS_CHECK(...)                                           \
    do {                                                              \
        if (auto macstats_checked = (__VA_ARGS__); !macstats_checked) \
            return std::move(macstats_checked).error();               \
    } while (false)
