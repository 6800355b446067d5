// SPDX-License-Identifier: GPL-2.0 OR MIT
// Control of the kernel's emulated devices. The attributes are those of
// <macstats/netlink_emu.h>.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/fault.hpp"
#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/netlink.hpp"

namespace macstats {

/// A device to add. The kernel has a default for each member that is not set.
struct DeviceConfig {
    std::string model{};
    /// Of the names of the ports, as "mac%d".
    std::optional<std::string> name_template = std::nullopt;
    std::optional<std::uint16_t> options = std::nullopt; ///< enum macstats_option that are on
    bool random_power_up = false;
    std::optional<std::uint64_t> seed = std::nullopt;
    bool private_only = false; ///< ethtool -S omits counters with a standard statistic
    bool held = false;         ///< only poll() reads its hardware
    bool owned = false;        ///< it is removed with the Emulator that added it
    /// No total advances by more than the line carries. Default: on, off for a held device.
    std::optional<bool> line_rate_bound = std::nullopt;
    /// Net devices that share the counters of a port: 1 (default), or 2 for a model with
    /// several lines. Each is a port to users.
    std::optional<std::uint32_t> netdevs = std::nullopt;
};

/// An emulated device.
struct DeviceInfo {
    DeviceId id;
    std::string model;
    std::uint16_t options = 0;
    /// Not set if the kernel does not report it.
    std::optional<bool> line_rate_bound = std::nullopt;
    bool held = false; ///< DeviceConfig::held
    /// One for each net device; not set for one in another network namespace.
    std::vector<std::optional<IfIndex>> ports;
};

/// Adds, lists and removes the emulated devices of the caller's network namespace, and controls
/// the emulated ports in it, whichever namespace added them.
///
/// All calls except devices() require CAP_NET_ADMIN in the first user namespace. Addresses
/// count from the port's base, in the model's unit. A rejected call has changed nothing.
///
/// One thread at a time; each thread can have its own emulator. Calls block until the
/// kernel has carried them out. Injecting takes the same time for any count. An Emulator
/// owns its socket, and with it the devices that it added with DeviceConfig::owned.
///
/// Errors: Error::not_loaded if the kernel has no emulator, Error::other_protocol if it has
/// that of another version, Error::loaded_again since open(); EPERM; ENODEV for a port or
/// device that does not exist; EINVAL or ERANGE for a value that the kernel's text
/// explains; EIO if the emulated bus fails; ETIMEDOUT if no answer comes.
class Emulator {
public:
    static Result<Emulator> open();
    /// With the number of the family, see GenericNetlink::family().
    Emulator(GenericNetlink netlink, std::uint16_t family);

    Result<DeviceInfo> add(const DeviceConfig& config);
    Result<void> remove(DeviceId id);
    Result<std::vector<DeviceInfo>> devices();

    Result<void> link(IfIndex port, IfIndex peer);
    Result<void> unlink(IfIndex port);

    Result<void> inject(IfIndex port, const FrameRequest& frame, std::uint64_t count);

    /// One bus access, with its side effects; the provider does not notice it.
    Result<std::uint64_t> read(IfIndex port, std::uint32_t address);
    Result<void> write(IfIndex port, std::uint32_t address, std::uint64_t value);
    /// All words of a place, the lowest first. Several words are several accesses:
    /// counts between them are visible, unless a snapshot is active. ERANGE for a value with
    /// more bits than the place. A write of a counter writes 0 to those that share its word.
    Result<std::uint64_t> read(IfIndex port, const macstats_model& model, const Place& place);
    Result<void>
    write(IfIndex port, const macstats_model& model, const Place& place, std::uint64_t value);

    /// Set a hardware counter without changing its total.
    Result<void> preset(IfIndex port, CounterIndex counter, std::uint64_t value);
    Result<void> fault(IfIndex port, const FaultRequest& request);

    /// The provider polls the hardware now, even of a held device. A failed poll makes
    /// the port stale and is not an Error.
    Result<void> poll(IfIndex port);
    /// Pretend that @nanoseconds (up to 2^63 - 1) have passed since the last poll.
    Result<void> advance(IfIndex port, std::uint64_t nanoseconds);

private:
    Result<void> control(Message message);

    GenericNetlink netlink_;
    std::uint16_t family_;
};

} // namespace macstats
