// SPDX-License-Identifier: GPL-2.0 OR MIT
// Looks up names of counters.
#include "present/counter_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace macstats {

std::optional<std::string>
counter_name(Client& client, const std::string& model, CounterIndex index) {
    const auto counters = client.counters(model);
    if (!counters || index.value() >= counters->size())
        return std::nullopt;
    return (*counters)[index.value()].name;
}

std::string counter_text(Client& client, const std::string& model, CounterIndex index) {
    return counter_name(client, model, index).value_or(fmt::format("counter {}", index.value()));
}

nlohmann::ordered_json counter_json(Client& client, const std::string& model, CounterIndex index) {
    const auto name = counter_name(client, model, index);
    return name ? nlohmann::ordered_json(*name) : nlohmann::ordered_json();
}

} // namespace macstats
