// SPDX-License-Identifier: GPL-2.0 OR MIT
// Text in columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace macstats {

/// @text with blanks before it; characters of UTF-8 take one cell each.
inline std::string right_aligned(const std::string& text, std::size_t width) {
    const std::size_t cells = cells_of(text);
    return std::string(cells < width ? width - cells : 0, ' ') + text;
}

/// Collects rows and aligns them in columns, two blanks apart.
class Table {
public:
    explicit Table(std::vector<std::string> heading) { add(std::move(heading)); }

    void add(std::vector<std::string> row) {
        widths_.resize(std::max(widths_.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); i++)
            widths_[i] = std::max(widths_[i], cells_of(row[i]));
        rows_.push_back(std::move(row));
    }

    /// Below the heading.
    [[nodiscard]] bool has_rows() const { return rows_.size() > 1; }

    [[nodiscard]] std::string text() const {
        std::string text;
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); i++) {
                line += row[i];
                line.append(widths_[i] - cells_of(row[i]) + 2, ' ');
            }
            line.erase(line.find_last_not_of(' ') + 1);
            text += line + "\n";
        }
        return text;
    }

private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> widths_;
};

} // namespace macstats
