// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/metrics_selection.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <fnmatch.h>

#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "present/error_counters.hpp"

namespace macstats {

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_metric_word(std::string_view text) {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return is_letter(c) || (c >= '0' && c <= '9');
           });
}

} // namespace

MetricsSelection::MetricsSelection() : counters{std::string(error_counters)} {
    for (const std::string_view group : standard_groups())
        groups.emplace_back(group);
}

MetricsSelection MetricsSelection::everything() {
    MetricsSelection selection;
    selection.counters = {"*"};
    return selection;
}

bool selects(std::string_view word, std::string_view name, std::string_view reg) {
    const std::string pattern(word);
    return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0 || word == reg ||
           fnmatch(pattern.c_str(), std::string(reg).c_str(), 0) == 0;
}

std::vector<bool> exported_counters(const MetricsSelection& selection, const PortStatistics& port) {
    const macstats_model* model = port.model();
    std::vector<bool> exported(port.infos.size());
    for (const std::string& word : selection.counters)
        for (std::size_t i = 0; i < exported.size(); i++) {
            const CounterInfo& counter = port.infos[i];
            if (word == error_counters ? !model || counts_errors(*model, model->counters[i])
                                       : selects(word, counter.name, counter.reg))
                exported[i] = true;
        }
    return exported;
}

Result<std::string> metrics_label(std::string_view text, std::span<const std::string_view> others) {
    const auto rejected = [text](std::string_view why) {
        return Error{EINVAL, fmt::format("--label: \"{}\" {}", text, why)};
    };
    const auto sign = text.find('=');
    if (sign == text.npos)
        return rejected("is not NAME=VALUE; for example rack=7");
    const std::string_view name = text.substr(0, sign);
    const std::string_view value = text.substr(sign + 1);
    if (!is_metric_word(name) || name.starts_with("__"))
        return rejected(
            "has no valid name; letters, digits and _ are accepted, without a digit or __ first");
    if (std::find(others.begin(), others.end(), name) != others.end())
        return rejected("names a label that the metrics have already");
    if (printable(value) != value)
        return rejected("has a value that is not printable UTF-8");
    std::string quoted;
    for (const char c : value) {
        if (c == '\\' || c == '"')
            quoted += '\\';
        quoted += c;
    }
    return fmt::format("{}=\"{}\"", name, quoted);
}

Result<void> check_metrics_prefix(std::string_view prefix) {
    if (is_metric_word(prefix))
        return {};
    return Error{
        EINVAL, fmt::format(
                    "--prefix: \"{}\" cannot start the name of a metric; letters, digits and _ are "
                    "accepted, without a digit first",
                    prefix)};
}

} // namespace macstats
