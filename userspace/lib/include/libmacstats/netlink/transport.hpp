// SPDX-License-Identifier: GPL-2.0 OR MIT
// The transport of netlink datagrams to the kernel and back. All requests of the
// library go through it, so that tests can replace the kernel.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "libmacstats/core/result.hpp"

namespace macstats {

using Datagram = std::vector<std::byte>;

/// Sends and receives datagrams unchanged, one per call.
///
/// One thread at a time. send() and receive() block. Errors have the errno of the
/// system call; ENOBUFS is passed on, since its meaning depends on the conversation.
class Transport {
public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    virtual Result<void> send(std::span<const std::byte> datagram) = 0;
    /// Wait for the next datagram, for a bounded time (then: ETIMEDOUT), whatever signals come.
    virtual Result<Datagram> receive() = 0;
};

/// Receives the notifications of multicast groups, one datagram per call.
///
/// One thread at a time. Errors have the errno of the system call; ENOBUFS (some datagrams
/// were lost) is passed on.
class Listener {
public:
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    /// Wait for the next datagram: without a limit, or for @timeout (then: ETIMEDOUT).
    virtual Result<Datagram> receive(std::optional<std::chrono::milliseconds> timeout) = 0;
    /// Receive those of the multicast group with this number, too.
    virtual Result<void> join(std::uint32_t group) = 0;
    /// Readable when there is a datagram or an error to receive.
    [[nodiscard]] virtual int fd() const = 0;
};

/// How long receive() waits for an answer that does not come. It limits no request: the kernel
/// handles one, and reads hardware port by port, inside of send() and receive().
inline constexpr std::chrono::milliseconds default_timeout = std::chrono::seconds(60);

/// A generic netlink socket of the caller's network namespace, whose receive() waits up
/// to @timeout. EINVAL for a timeout that is not positive.
Result<std::unique_ptr<Transport>>
open_transport(std::chrono::milliseconds timeout = default_timeout);
/// A generic netlink socket that has joined the multicast group with this number.
Result<std::unique_ptr<Listener>> open_listener(std::uint32_t group);

} // namespace macstats
