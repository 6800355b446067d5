// SPDX-License-Identifier: GPL-2.0 OR MIT
// How netlink datagrams get to the kernel and back: the one place where the
// library talks to it, so that tests can put something else there.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "result.hpp"

namespace macstats {

using Datagram = std::vector<std::byte>;

/// Moves datagrams, as they are, one per call. An Error's errnum is that of the
/// system call; EINTR and ENOBUFS are passed on, since what they mean depends
/// on the conversation.
class Transport {
public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    virtual Result<void> send(std::span<const std::byte> datagram) = 0;
    /// Waits for the next datagram, for a bounded time (then: ETIMEDOUT).
    virtual Result<Datagram> receive() = 0;
};

/// Receives what the kernel sends unasked, one datagram per call. EINTR and
/// ENOBUFS (some were lost) are passed on.
class Listener {
public:
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    /// Waits for the next datagram: for ever, or for @timeout (then: ETIMEDOUT).
    virtual Result<Datagram> receive(std::optional<std::chrono::milliseconds> timeout) = 0;
    /// Readable when there is a datagram or an error to receive.
    [[nodiscard]] virtual int fd() const = 0;
};

/// A generic netlink socket of the caller's network namespace.
Result<std::unique_ptr<Transport>> open_transport();
/// One that is a member of a multicast group, by its number.
Result<std::unique_ptr<Listener>> open_listener(std::uint32_t group);

} // namespace macstats
