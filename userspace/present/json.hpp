// SPDX-License-Identifier: GPL-2.0 OR MIT
// Values as JSON.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

namespace macstats {

/// null in place of no value: 0, a null pointer, an optional that is not set.
template <typename T>
nlohmann::ordered_json or_null(const T& value) {
    return value ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

} // namespace macstats
