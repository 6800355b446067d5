// SPDX-License-Identifier: GPL-2.0 OR MIT
// What the kernel's provider tells of unasked: ports that come and go, and what
// happens to their statistics.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client.hpp"
#include "result.hpp"
#include "transport.hpp"

namespace macstats {

enum class EventKind {
    port_added,
    port_removed,
    stale,         ///< the counters cannot be read
    recovered,     ///< they can, again
    discontinuity, ///< somebody cleared or reset them
    parity_error,
    possible_loss, ///< not read within a wrap time
    threshold,     ///< a total has reached a value
    other,         ///< something that this library does not know
    lost,          ///< the reader was too slow: there were events that nobody will see
};

/// "port_added", "stale", ...
std::string_view event_name(EventKind kind);

/// One thing that happened to one port.
struct Event {
    EventKind kind = EventKind::other;
    std::optional<std::uint64_t> time_ns; ///< since boot; none for lost
    PortInfo port;                        ///< as it was then; empty for lost
    std::optional<Threshold> threshold;   ///< for threshold
};

/// Hears of the ports of the caller's network namespace.
///
/// Events come in the order in which they happened, from the moment on in which
/// the stream was opened; the kernel keeps those that are not read yet, up to
/// the size of the socket's buffer. What does not fit is lost, and that is an
/// event of its own (EventKind::lost). Needs no privilege.
///
/// One thread at a time. Interrupted system calls are repeated.
class EventStream {
public:
    static Result<EventStream> open();
    /// With a listener that has joined the group: see GenericNetlink.
    EventStream(std::unique_ptr<Listener> listener, std::uint16_t family);

    /// The next event; nothing if there is none within @timeout. Without a
    /// timeout, waits for ever. EBADMSG if a message cannot be read: what else
    /// was in its datagram is gone, and reading can go on.
    Result<std::optional<Event>>
    next(std::optional<std::chrono::milliseconds> timeout = std::nullopt);

    /// For poll() and the like: readable when there may be an event. next() has
    /// to be called with a timeout of 0 until it returns nothing.
    [[nodiscard]] int fd() const { return listener_->fd(); }

private:
    Result<void> take(const Datagram& datagram);

    std::unique_ptr<Listener> listener_;
    std::uint16_t family_;
    std::deque<Event> waiting_;
};

} // namespace macstats
