// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend of scenarios on real ports of any driver: the two ends of a cable.
//
// Names. A scenario's port ("mac", or "mac/2") runs on the interface that the user gives for
// that name. Frames that it transmits leave that interface; frames that it receives leave the
// other one. The devices of a scenario are independent, the ends of a cable are not: each
// frame belongs to the device that its step names, and what it adds at the other end is not
// compared.
//
// Traffic. An AF_PACKET socket at each end sends frames without FCS and captures everything.
// Senders wait for frames to arrive, so that no ring overflows; control frames end in the MAC
// and are not waited for. The plan skips a scenario with errored frames or frames that no
// socket can send, before any traffic, and one with steps that no driver can do. A wrong
// length field is such an error: some MACs leave its octets out, and a sum that may not
// decrease then hides later ones. A step whose transmitted frames do not arrive fails.
//
// Values. A baseline is read before the first step, and differences are compared. An
// expectation waits until the difference is reached, up to a limit, and then for some more
// readings, which must not exceed it. An expectation on a statistic that the port does not
// report is left out and listed: not supported is not 0, and no failure either. So is a total
// that no standard statistic shows. A scenario of which nothing remains is skipped.
//
// Ports that macstats serves are compared by totals, standard statistics and state. Other
// ports are compared by the standard statistics that the kernel reports of them: those that
// the scenario names, and those that follow from its totals by the mapping of the model.
//
// Other traffic. The capture finds frames that are not of the run. A failed comparison does not
// count if there were any: the scenario runs again, up to three times, and then fails
// with the foreign frame as the reason. The run changes no setting of the network stack but the
// offloads, which it restores.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

using EthernetAddress = std::array<std::uint8_t, 6>;

/// One end of the cable, or a driver on the bench (see driver.hpp).
struct WireEnd {
    std::string name;                      ///< of a scenario's port: "mac" or "mac/2"
    std::string interface;                 ///< in messages
    const macstats_model* model = nullptr; ///< nullptr if it is unknown
    std::string why_no_model{};            ///< where macstats serves it nevertheless
    bool served = false;                   ///< macstats provides its statistics
    /// On the bench: the options of the emulated hardware, enum macstats_option.
    std::optional<std::uint16_t> emulated{};
    /// On the bench: strings of `ethtool -S` that show a counter each.
    std::map<CounterIndex, std::string> strings{};
    std::string kind; ///< of the link, as "veth"; "" for most hardware
    std::uint32_t mtu = 1500;
    EthernetAddress address{};
    /// The statistics that it reports. A 0 in the group rtnl may be that of a driver that does
    /// not count the member.
    Observation reported{};
};

/// Whether the first octets of a captured frame are those of a frame that a run sends from
/// @source. The kernel may have removed its first tag.
bool is_wire_frame(std::span<const std::byte> octets, const EthernetAddress& source);

/// "EtherType 0x86dd from 02:00:00:00:00:01", or "length 38 from ..."
std::string describe_frame(std::span<const std::byte> octets);

/// Frames that were captured at one end.
struct Captured {
    /// Of the other end's socket, by their octets without FCS. The kernel may have removed the
    /// first tag.
    std::map<std::size_t, std::uint64_t> arrived{};
    std::uint64_t foreign = 0;   ///< sent or received by anything else
    std::string first_foreign{}; ///< describes the first one
};

/// A port at one end of the cable. One thread at a time.
class WirePort {
public:
    WirePort() = default;
    WirePort(const WirePort&) = delete;
    WirePort& operator=(const WirePort&) = delete;
    virtual ~WirePort() = default;

    [[nodiscard]] virtual const WireEnd& end() const = 0;
    /// Send a frame without FCS. EAGAIN if the queue is full; does not block.
    virtual Result<void> send(std::span<const std::byte> octets) = 0;
    /// Captured since the last call, up to a limit. Does not block. @peer: the address of the
    /// other end.
    virtual Result<Captured> captured(const EthernetAddress& peer) = 0;
    /// The present statistics, read from the hardware where the driver can do so.
    virtual Result<Observation> observe() = 0;
};

/// The clock of a backend on ports of the host. Tests replace it.
class WireClock {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    WireClock() = default;
    WireClock(const WireClock&) = delete;
    WireClock& operator=(const WireClock&) = delete;
    virtual ~WireClock() = default;

    virtual TimePoint now() = 0;
    /// EINTR if the run should end.
    virtual Result<void> sleep(std::chrono::milliseconds duration) = 0;
};

/// The backend on two ports. ENOLINK if frames from one do not arrive at the other.
Result<std::unique_ptr<Backend>>
wire_backend(std::array<std::unique_ptr<WirePort>, 2> ports, std::unique_ptr<WireClock> clock);

/// An interface for a port of scenarios.
struct WireMapping {
    std::string name;      ///< "mac" or "mac/2"
    std::string interface; ///< its name or alternative name
};

struct WireRequest {
    std::array<WireMapping, 2> ports;
    const macstats_model* model = nullptr; ///< of ports that macstats does not serve
    std::function<bool()> interrupted{};   ///< whether the run should end early
};

/// Open both interfaces, in the caller's network namespace: promiscuous, with their offloads
/// off. The backend restores the offloads. EINVAL for an interface that is given twice, is
/// no Ethernet interface or no port of the model; EBUSY for one that belongs to a bridge or
/// another master; ENODEV for one that does not exist;
/// ENETDOWN for one that is down or has no carrier; EPERM without CAP_NET_RAW or
/// CAP_NET_ADMIN; ENOLINK if no cable connects them.
Result<std::unique_ptr<Backend>> open_wire(const WireRequest& request);

} // namespace macstats
