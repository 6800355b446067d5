// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/compare.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"
#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "present/show_lines.hpp"
#include "present/style.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

// A counter or statistic of both ports, or of one.
struct Pair {
    std::optional<ShownRow> first;
    std::optional<ShownRow> second;

    [[nodiscard]] const ShownRow& any() const { return first ? *first : *second; }
    [[nodiscard]] bool differs() const {
        return first && second && first->value.value != second->value.value;
    }
    // Shown, or worth marking, if one of the values is.
    template <typename Check>
    [[nodiscard]] bool has(Check check) const {
        return (first && check(*first)) || (second && check(*second));
    }
};

// The columns between name and unit.
using Cells = std::array<std::string, 3>;

struct Row {
    std::string name;
    Cells cells;
    std::string_view unit;
    Style style;
    bool marked;
};

// What only the second port has follows what the first one has of the same group.
std::vector<Pair>
pairs_of(const std::vector<ShownRow>& first, const std::vector<ShownRow>& second) {
    std::vector<Pair> pairs;
    for (const ShownRow& row : first)
        pairs.push_back({row, {}});
    for (const ShownRow& row : second) {
        const auto same_group = [&row](const Pair& pair) {
            return pair.any().value.group() == row.value.group();
        };
        const auto same = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
            return pair.first && same_group(pair) && pair.first->name() == row.name();
        });
        const auto last = std::find_if(pairs.rbegin(), pairs.rend(), same_group);
        if (same != pairs.end())
            same->second = row;
        else
            pairs.insert(last == pairs.rend() ? pairs.end() : last.base(), {{}, row});
    }
    return pairs;
}

std::string difference_of(const Pair& pair, bool unicode) {
    if (!pair.first || !pair.second)
        return "-";
    const auto [before, after] = std::pair(pair.first->value.value, pair.second->value.value);
    const Bound bound = difference_bound(pair.second->value.bound, pair.first->value.bound);
    if (before == after)
        return bound == Bound::exact ? "=" : fmt::format("{}0", bound_mark(bound, unicode));
    return fmt::format(
        "{}{}{}", bound_mark(bound, unicode), after > before ? '+' : '-',
        after > before ? after - before : before - after);
}

Style style_of(const Pair& pair, bool is_error) {
    if (!pair.has(
            [](const ShownRow& row) { return row.value.value || row.value.bound != Bound::exact; }))
        return Style::faint;
    if (!pair.differs())
        return Style::plain;
    return is_error ? Style::error : Style::warning;
}

} // namespace

std::string
compare_text(const PortView& first, const PortView& second, const ShowOptions& options) {
    // A row with an empty unit is the heading of a group.
    std::vector<Row> rows{
        {.name = options.groups.empty() ? "COUNTER" : "STATISTIC",
         .cells = {escaped(first.name), escaped(second.name), "DIFFERENCE"},
         .unit = "UNIT",
         .style = Style::heading,
         .marked = false}};
    const macstats_model* models[] = {first.model(), second.model()};
    std::string_view group;
    for (const Pair& pair : pairs_of(primary_rows(first, options), primary_rows(second, options))) {
        if (!pair.has([&options](const ShownRow& row) { return row.is_shown(options); }))
            continue;
        const ShownRow& any = pair.any();
        if (std::exchange(group, any.value.group()) != any.value.group())
            rows.push_back(
                {.name = std::string(group),
                 .cells = {},
                 .unit = "",
                 .style = Style::heading,
                 .marked = false});
        const auto text = [&options](const std::optional<ShownRow>& row) {
            return row ? value_text(row->value, options.unicode) : "-";
        };
        const auto is_marked = [&options](const auto& row, const macstats_model* model) {
            return options.terminal && row && row->value.value && row->counts_errors(model);
        };
        rows.push_back(
            {.name = any.name(),
             .cells = {text(pair.first), text(pair.second), difference_of(pair, options.unicode)},
             .unit = name_of(unit_names, any.unit()),
             .style = style_of(pair, any.counts_errors(models[pair.first ? 0 : 1])),
             .marked = is_marked(pair.first, models[0]) || is_marked(pair.second, models[1])});
    }

    std::size_t name_width = 0;
    std::array<std::size_t, 3> widths{};
    for (const Row& row : rows) {
        name_width = std::max(name_width, row.name.size());
        for (std::size_t i = 0; i < widths.size(); i++)
            widths[i] = std::max(widths[i], cells_of(row.cells[i]));
    }
    std::string text = show_heading(first, options) + show_heading(second, options);
    for (const Row& row : rows) {
        std::string line = fmt::format("{} {:<{}}", row.marked ? '!' : ' ', row.name, name_width);
        for (std::size_t i = 0; i < widths.size(); i++)
            line += "  " + right_aligned(row.cells[i], widths[i]);
        line += fmt::format("  {}", row.unit);
        line.erase(line.find_last_not_of(' ') + 1);
        text += styled(line, row.style, options.colours) + "\n";
    }
    return text;
}

} // namespace macstats
