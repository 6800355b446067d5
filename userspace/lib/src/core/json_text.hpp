// SPDX-License-Identifier: GPL-2.0 OR MIT
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace macstats {

/// @json as ASCII text, which contains no control sequence of a terminal. Octets of
/// invalid UTF-8, which JSON does not support, become `\xNN` in strings and names as in
/// escaped(); other characters outside ASCII become JSON's `\uNNNN`.
/// @indent: spaces for each level; -1 for one line.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

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
