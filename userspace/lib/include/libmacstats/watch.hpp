// SPDX-License-Identifier: GPL-2.0 OR MIT
// The live view of `macstats watch`: samples in, lines out. No clock, no
// terminal: what is drawn depends on the arguments only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <macstats/schema.h>

#include "view.hpp"

namespace macstats {

/// Does the counter count only what went wrong: frames with errors, of a wrong
/// size, lost or given up? Follows from its rules; where it has none, from those of
/// the descriptor's status that feeds it and from its standard statistics.
bool counts_errors(const macstats_model& model, const macstats_counter& counter);

enum class WatchOrder {
    registers, ///< as in the datasheet
    name,
    rate,  ///< the fastest first
    total, ///< the largest first
};

/// "registers", "name", "rate", "total"
std::string_view order_name(WatchOrder order);
WatchOrder next_order(WatchOrder order);

struct WatchOptions {
    WatchOrder order = WatchOrder::registers;
    bool hide_zero = true; ///< leave out totals of 0
    bool paused = false;   ///< only said; the caller stops the samples
    bool unicode = true;   ///< sparklines of blocks; or of ASCII characters
    bool colours = true;
    double interval = 1;    ///< seconds; only said
    std::size_t scroll = 0; ///< rows left out at the top; too many are cut
};

struct ScreenSize {
    std::size_t columns;
    std::size_t rows;
};

/// One counter of one port over time.
struct WatchRow {
    std::string port;
    std::string counter;
    std::uint32_t unit = 0;
    bool is_error = false;
    std::size_t place = 0; ///< in the datasheet's order, over all ports
    std::uint64_t total = 0;
    std::optional<double> rate;              ///< nothing while it is not known
    std::deque<std::optional<double>> rates; ///< the last ones, latest at the end
};

/// What has been seen of the ports that are watched.
class WatchHistory {
public:
    static constexpr std::size_t most_rates = 120;

    /// The next sample. Ports that were there before and are not now are gone.
    void add(std::vector<PortView> views);

    [[nodiscard]] std::vector<WatchRow> rows() const;
    /// What is not as it should be: "mac0: stale (no snapshot)".
    [[nodiscard]] std::vector<std::string> remarks() const;
    /// The ports of the last sample.
    [[nodiscard]] std::span<const PortView> ports() const { return last_; }

private:
    std::vector<PortView> last_;
    std::vector<std::string> gone_;
    std::map<std::pair<std::string, std::string>, std::deque<std::optional<double>>> rates_;
};

struct WatchScreen {
    std::vector<std::string> lines;
    std::size_t scroll; ///< as it was possible
};

/// A screen full of lines: heading, remarks, rows, and the keys at the bottom. No
/// line is wider than the screen; there are as many as it has rows. Colours are
/// ANSI sequences and not counted.
WatchScreen render_watch(const WatchHistory& history, ScreenSize size, const WatchOptions& options);

/// For where there is no screen: a line for each counter that has counted since
/// the last sample, and for each remark, with @time in front.
std::string watch_text(const WatchHistory& history, std::string_view time);

} // namespace macstats
