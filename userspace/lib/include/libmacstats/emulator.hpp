// SPDX-License-Identifier: GPL-2.0 OR MIT
// Control of the kernel's emulated devices, as <macstats/netlink.h> has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "names.hpp"
#include "netlink.hpp"
#include "result.hpp"

namespace macstats {

/// A device to plug in. What is not given is as the kernel has it.
struct DeviceConfig {
    std::string model;
    std::optional<std::string> name_template; ///< of the ports' names, as "mac%d"
    std::optional<std::uint8_t> options;      ///< mask of enum macstats_option that are on
    bool random_power_up = false;
    std::optional<std::uint64_t> seed;
    bool private_only = false; ///< ethtool -S leaves out what has a standard statistic
    bool held = false;         ///< its hardware is read by poll() only
    bool owned = false;        ///< it goes with the Emulator that added it
};

/// An emulated device.
struct DeviceInfo {
    std::uint32_t id = 0;
    std::string model;
    std::uint8_t options = 0;
    /// ifindex of each port; 0: it is not in this network namespace.
    std::vector<std::uint32_t> ports;
};

/// A frame to inject, with numbers of any size: it is the kernel that knows which
/// of them make sense. Masks are those of <macstats/frame.h>.
struct FrameRequest {
    std::uint32_t direction = MACSTATS_RX;
    std::uint32_t length = MACSTATS_FRAME_MIN;
    std::uint32_t destination = MACSTATS_UNICAST;
    std::uint32_t kind = MACSTATS_DATA;
    std::uint32_t origin = MACSTATS_BY_SOFTWARE;
    std::uint32_t vlan_tags = 0;
    std::uint32_t errors = 0;
    std::uint32_t collisions = 0;
    bool deferred = false;
};

/// Makes emulated devices and does things to them.
///
/// All but devices() needs CAP_NET_ADMIN over the network namespace.
/// Ports are named by ifindex; addresses count from the port's base, in the
/// model's unit. A refused call has changed nothing.
///
/// One thread at a time; each thread can have its own. Calls block until the
/// kernel has carried them out. Injecting takes the same time for any count.
///
/// Errors: Error::not_loaded if the kernel has no emulator; EPERM; ENODEV for
/// what is no port or device; EINVAL, ERANGE and the like for values that the
/// kernel's text explains; EIO if the emulated bus fails.
class Emulator {
public:
    static Result<Emulator> open();
    /// With the number of the family known already: see GenericNetlink::family.
    Emulator(GenericNetlink netlink, std::uint16_t family);

    Result<DeviceInfo> add(const DeviceConfig& config);
    Result<void> remove(std::uint32_t id);
    Result<std::vector<DeviceInfo>> devices();

    Result<void> link(std::uint32_t port, std::uint32_t peer);
    Result<void> unlink(std::uint32_t port);

    Result<void> inject(std::uint32_t port, const FrameRequest& frame, std::uint64_t count);

    /// One bus access, with its side effects, behind the provider's back.
    Result<std::uint64_t> read(std::uint32_t port, std::uint32_t address);
    Result<void> write(std::uint32_t port, std::uint32_t address, std::uint64_t value);
    /// All words of a place, the lowest first. Several words are several
    /// accesses: what is counted between them shows, unless there is a snapshot.
    Result<std::uint64_t> read(std::uint32_t port, const macstats_model& model, const Place& place);
    Result<void>
    write(std::uint32_t port, const macstats_model& model, const Place& place, std::uint64_t value);

    /// Let a counter hold this value, as if it had been counted long ago.
    Result<void> preset(std::uint32_t port, std::uint32_t counter, std::uint64_t value);
    /// @faults is a mask of enum macstats_fault.
    Result<void> fault(std::uint32_t port, std::uint32_t faults, bool active);

    /// The provider reads the hardware now, also that of a held device. A port that
    /// cannot be read is stale after it, which is no Error.
    Result<void> poll(std::uint32_t port);
    /// Let so much time have passed since the last poll; up to 2^63 - 1.
    Result<void> advance(std::uint32_t port, std::uint64_t nanoseconds);

private:
    Result<void> control(Message message);

    GenericNetlink netlink_;
    std::uint16_t family_;
};

} // namespace macstats
