// SPDX-License-Identifier: GPL-2.0 OR MIT
// Events and repeated reads of ports, with one file descriptor for event loops.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/events.hpp"
#include "libmacstats/netlink/ports.hpp"

namespace macstats {

/// Follows the ports of the caller's network namespace, which come and go: their events as they
/// happen, with the names of counters, and all their statistics at an interval.
///
/// One thread at a time. next() blocks while it reads the ports, see Client. A Watch owns its
/// sockets and its timer; only destruction and assignment are allowed after a move. Errors are
/// those of Client and of EventStream.
class Watch {
public:
    struct Settings {
        /// The time between two reads, the first of which is due at once. 0: events only. Reads
        /// that are late are not made up for.
        std::chrono::milliseconds interval{0};
        /// The ports to read; named ones that do not exist are omitted. Events are those of all
        /// ports.
        PortSelection selection{};
    };

    /// An event, or else the ports at a read.
    struct Update {
        std::optional<Event> event{};
        std::vector<PortStatistics> ports{};
    };

    static Result<Watch> open(Settings settings);
    /// With this client, and the events from this stream.
    static Result<Watch> open(Settings settings, Client client, EventStream events);

    Watch(Watch&&) noexcept;
    Watch& operator=(Watch&&) noexcept;
    ~Watch();

    /// For poll() and similar calls: readable when there may be an update. Then call next() with
    /// a timeout of 0 until it returns no update. After an Error there may be more updates, but
    /// the Error may last, too: go on at the next read, or after a while.
    [[nodiscard]] int fd() const;

    /// The next update; no update if there is none within @timeout. Without a timeout, waits
    /// without a limit. After an Error, the Watch can go on. It also goes on when the modules
    /// are loaded again: EventKind::modules_unloaded, followed by no reads, and modules_loaded.
    Result<std::optional<Update>>
    next(std::optional<std::chrono::milliseconds> timeout = std::nullopt);

    /// For other queries.
    [[nodiscard]] Client& client();

private:
    struct State;

    explicit Watch(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

} // namespace macstats
