// SPDX-License-Identifier: GPL-2.0 OR MIT
// The live view of `macstats watch`: samples become lines. It uses neither a clock nor a
// terminal; the lines depend on the arguments only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>

#include "present/view.hpp"

namespace macstats {

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
    bool hide_zero = true; ///< omit totals of 0
    bool paused = false;   ///< shown only; the caller stops the samples
    bool help = false;     ///< show the keys in place of the rows
    bool unicode = true;   ///< sparklines of blocks; or of ASCII characters
    bool colours = true;
    double interval = 1;    ///< seconds; shown only
    std::size_t scroll = 0; ///< rows to skip at the top; limited to the rows there are
};

struct ScreenSize {
    std::size_t columns;
    std::size_t rows;
};

/// One counter of one port over time.
struct WatchRow {
    std::string port;
    std::string counter;
    std::optional<macstats_unit> unit{};
    bool is_error = false;
    std::size_t place = 0; ///< position in the datasheet's order, over all ports
    std::uint64_t total = 0;
    bool at_least = false;                   ///< the counter was saturated
    std::optional<double> rate;              ///< not set while it is unknown
    bool rate_at_least = false;              ///< the rate is a lower bound
    std::deque<std::optional<double>> rates; ///< the last ones, the latest at the end
};

/// The samples of the watched ports.
class WatchHistory {
public:
    static constexpr std::size_t most_rates = 120;

    /// Add a sample. Ports of the sample before that are missing now are gone.
    void add(std::vector<PortView> views);

    [[nodiscard]] std::vector<WatchRow> rows() const;
    /// Problems of the ports: "mac0: stale (no snapshot)".
    [[nodiscard]] std::vector<std::string> remarks() const;
    /// The ports of the last sample.
    [[nodiscard]] std::span<const PortView> ports() const { return last_; }

private:
    std::vector<PortView> last_;
    // Of each of its ports, the first sample after the last read, by which the next rate is known.
    std::vector<PortView> read_;
    std::vector<std::string> gone_;
    // By port and counter.
    std::map<std::string, std::map<std::string, std::deque<std::optional<double>>>> rates_;
};

/// The action of a key in the live view.
enum class WatchKey {
    none, ///< a key without a meaning
    quit,
    order,
    zeros,
    pause,
    help,
    down,
    up,
    page_down,
    page_up,
    home,
    end,
};

/// The keys, for people.
inline constexpr std::string_view watch_keys[] = {
    "q             quit",
    "s             change the order: registers, name, rate, total",
    "z             hide or show totals of 0",
    "p, Space      pause, or continue",
    "j, k, arrows  scroll by a row",
    "PgUp, PgDn    scroll by a page",
    "Home, End     scroll to the first or the last row",
    "?             show or hide the keys",
};

/// Removes the first key from @keys, which is not empty: one character, or one escape
/// sequence of a terminal. A sequence that is unknown or cut off is one key, too.
WatchKey next_key(std::string_view& keys);

/// Apply a key other than quit. @page: the rows that the screen shows at once. The next
/// render_watch() limits the scroll position.
void press_key(WatchOptions& options, WatchKey key, std::size_t page);

struct WatchScreen {
    std::vector<std::string> lines;
    std::size_t scroll; ///< the rows skipped
    std::size_t page;   ///< rows that the screen shows at once, at least 1
};

/// The lines of a screen: heading, remarks, rows, and the keys at the bottom. There are as
/// many lines as the screen has rows, and no line is wider than the screen. Colours are
/// ANSI sequences, which take no width.
WatchScreen render_watch(const WatchHistory& history, ScreenSize size, const WatchOptions& options);

/// The same without a screen: a line for each counter that changed since the last sample
/// and for each remark, with @time in front.
std::string watch_text(const WatchHistory& history, std::string_view time);

} // namespace macstats
