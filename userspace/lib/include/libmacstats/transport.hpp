// SPDX-License-Identifier: GPL-2.0 OR MIT
// How netlink datagrams get to the kernel and back: the one place where the
// library makes system calls, so that tests can put something else there.
#pragma once

#include <cstddef>
#include <memory>
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

/// A generic netlink socket of the caller's network namespace.
Result<std::unique_ptr<Transport>> open_transport();

} // namespace macstats
