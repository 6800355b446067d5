// SPDX-License-Identifier: GPL-2.0 OR MIT
// Notifications of the kernel's provider: ports that are added and removed, and events
// of their statistics.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/transport.hpp"

namespace macstats {

enum class EventKind {
    port_added,
    port_removed,
    stale,         ///< the counters cannot be read
    recovered,     ///< the counters can be read again
    discontinuity, ///< the counters were cleared or reset, or contained an impossible
                   ///< value: PortInfo::suspect
    parity_error,
    possible_loss, ///< counts may be lost: a poll came later than the wrap time or the traffic
                   ///< allows, or a read was unusable
    saturated,     ///< counters were read at their maximum: see PortInfo::saturated
    misfit,        ///< the hardware does not do what its model says: the kernel log names it
    other,         ///< an event that this library does not know
    lost,          ///< the reader was too slow: the kernel dropped events
};

/// "port_added", "stale", ...
std::string_view event_name(EventKind kind);

/// One event of one port.
struct Event {
    EventKind kind = EventKind::other;
    std::optional<std::uint64_t> time_ns; ///< since boot; not set for lost
    PortInfo port;                        ///< at the time of the event; empty for lost
    /// The counters of its model, if a Watch reports the event and the kernel still has them.
    CounterInfos infos{};
};

/// The entries of PortInfo::saturated that a saturated event reports: the counters that
/// the last read found at their maximum.
std::vector<Saturation> latest_of(std::span<const Saturation> saturated);

/// Receives the events of the ports of the caller's network namespace.
///
/// Events arrive in the order in which they happened, starting when the stream is
/// opened. The kernel queues them up to the size of the socket's buffer and drops the
/// rest; EventKind::lost reports that. Needs no privilege.
///
/// One thread at a time; next() blocks. Interrupted system calls are repeated. A stream
/// owns its socket. Errors are those of Client.
class EventStream {
public:
    static Result<EventStream> open();
    /// With a listener that has joined the group, see GenericNetlink::multicast_group().
    EventStream(std::unique_ptr<Listener> listener, std::uint16_t family);

    /// The next event; no event if none arrives within @timeout. Without a timeout,
    /// waits without a limit. EBADMSG if a message is malformed: the rest of its
    /// datagram is dropped, and reading can continue.
    Result<std::optional<Event>>
    next(std::optional<std::chrono::milliseconds> timeout = std::nullopt);

    /// For poll() and similar calls: readable when there may be an event. Then call
    /// next() with a timeout of 0 until it returns no event.
    [[nodiscard]] int fd() const { return listener_->fd(); }

private:
    Result<void> take(const Datagram& datagram);

    std::unique_ptr<Listener> listener_;
    std::uint16_t family_;
    std::deque<Event> waiting_;
};

} // namespace macstats
