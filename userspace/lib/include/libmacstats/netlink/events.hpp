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
    // Not of a port:
    lost,             ///< the reader was too slow: the kernel dropped events
    modules_unloaded, ///< there are no ports until the modules are loaded again
    modules_loaded,   ///< again: totals start anew. Events before may be missing: of ports that
                      ///< were added as soon as the modules were loaded
};

/// "port_added", "stale", ...
std::string_view event_name(EventKind kind);

/// One event of one port.
struct Event {
    EventKind kind = EventKind::other;
    std::optional<std::uint64_t> time_ns; ///< since boot; not set unless has_port()
    PortInfo port;                        ///< at the time of the event; empty unless has_port()
    /// The counters of its model, if a Watch reports the event and the kernel still has them.
    CounterInfos infos{};

    [[nodiscard]] bool has_port() const { return kind < EventKind::lost; }
};

/// The entries of PortInfo::saturated that a saturated event reports: the counters that
/// the last read found at their maximum.
std::vector<Saturation> latest_of(std::span<const Saturation> saturated);

/// Receives the events of the ports of the caller's network namespace.
///
/// Events arrive in the order in which they happened, starting when the stream is
/// opened. The kernel queues them up to the size of the socket's buffer and drops the
/// rest; EventKind::lost reports that. A stream goes on when the modules are loaded again.
/// Needs no privilege.
///
/// One thread at a time; next() blocks. Interrupted system calls are repeated. A stream
/// owns its sockets. Errors are those of Client.
class EventStream {
public:
    static Result<EventStream> open();
    /// With the number of the family, and a listener that has joined its group and that of the
    /// controller, which tells when a family comes and goes. @netlink finds the family again.
    EventStream(GenericNetlink netlink, std::unique_ptr<Listener> listener, std::uint16_t family);

    /// The next event; no event if none arrives within @timeout. Without a timeout,
    /// waits without a limit. EBADMSG if a message is malformed: the rest of its
    /// datagram is dropped, and reading can continue.
    Result<std::optional<Event>>
    next(std::optional<std::chrono::milliseconds> timeout = std::nullopt);

    /// For poll() and similar calls: readable when there may be an event. Then call
    /// next() with a timeout of 0 until it returns no event. After an Error there may be more
    /// events, but the Error may last, too: go on after a while.
    [[nodiscard]] int fd() const { return listener_->fd(); }

private:
    Result<void> take(const Datagram& datagram);
    Result<std::uint16_t> join();
    Result<void> find_family();
    void set_family(std::uint16_t family);

    GenericNetlink netlink_;
    std::unique_ptr<Listener> listener_;
    std::uint16_t family_;   // 0: unloaded
    bool must_find_ = false; // the family may have another number
    std::deque<Event> waiting_;
};

} // namespace macstats
