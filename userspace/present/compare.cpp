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
    std::optional<CounterLine> first;
    std::optional<CounterLine> second;

    [[nodiscard]] const CounterLine& any() const { return first ? *first : *second; }
    [[nodiscard]] bool differs() const { return first && second && first->value != second->value; }
    // Shown, or worth marking, if one of the values is.
    template <typename Check>
    [[nodiscard]] bool has(Check check) const {
        return (first && check(*first)) || (second && check(*second));
    }
};

struct PairSection {
    std::string title;
    std::vector<Pair> pairs;
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

PairSection& section_called(std::vector<PairSection>& sections, const std::string& title) {
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&title](const PairSection& section) {
            return section.title == title;
        });
    return found != sections.end() ? *found : sections.emplace_back(PairSection{title, {}});
}

std::vector<PairSection> pairs_of(std::vector<Section> first, std::vector<Section> second) {
    std::vector<PairSection> sections;
    for (Section& section : first) {
        PairSection& pairs = section_called(sections, section.title);
        for (CounterLine& line : section.lines)
            pairs.pairs.push_back({.first = std::move(line), .second = {}});
    }
    for (Section& section : second) {
        PairSection& pairs = section_called(sections, section.title);
        const std::size_t of_first = pairs.pairs.size();
        for (CounterLine& line : section.lines) {
            const auto end = pairs.pairs.begin() + static_cast<std::ptrdiff_t>(of_first);
            const auto same = std::find_if(pairs.pairs.begin(), end, [&line](const Pair& pair) {
                return pair.first->name == line.name;
            });
            if (same != end)
                same->second = std::move(line);
            else
                pairs.pairs.push_back({.first = {}, .second = std::move(line)});
        }
    }
    return sections;
}

std::string difference_of(const Pair& pair, bool unicode) {
    if (!pair.first || !pair.second)
        return "-";
    const auto [before, after] = std::pair(pair.first->value, pair.second->value);
    const Bound bound = difference_bound(pair.second->bound, pair.first->bound);
    if (before == after)
        return bound == Bound::exact ? "=" : fmt::format("{}0", bound_mark(bound, unicode));
    return fmt::format(
        "{}{}{}", bound_mark(bound, unicode), after > before ? '+' : '-',
        after > before ? after - before : before - after);
}

Style style_of(const Pair& pair) {
    if (!pair.has([](const CounterLine& line) { return line.value || line.bound != Bound::exact; }))
        return Style::faint;
    if (!pair.differs())
        return Style::plain;
    return pair.any().is_error ? Style::error : Style::warning;
}

Row row_of(const Pair& pair, const ShowOptions& options) {
    const auto text = [&options](const std::optional<CounterLine>& line) {
        return line ? value_text(*line, options.unicode) : "-";
    };
    return {
        .name = pair.any().name,
        .cells = {text(pair.first), text(pair.second), difference_of(pair, options.unicode)},
        .unit = name_of(unit_names(), pair.any().unit),
        .style = style_of(pair),
        .marked = options.terminal &&
                  pair.has([](const CounterLine& line) { return line.is_error && line.value; })};
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
    for (const PairSection& section :
         pairs_of(show_sections(first, options), show_sections(second, options))) {
        bool titled = section.title.empty();
        for (const Pair& pair : section.pairs) {
            if (!pair.has([&options](const CounterLine& line) {
                    return is_shown(line.value, line.bound, options);
                }))
                continue;
            if (!std::exchange(titled, true))
                rows.push_back(
                    {.name = section.title,
                     .cells = {},
                     .unit = "",
                     .style = Style::heading,
                     .marked = false});
            rows.push_back(row_of(pair, options));
        }
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
