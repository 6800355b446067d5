// SPDX-License-Identifier: GPL-2.0 OR MIT
// An emulated device in this process, with the provider's accumulator on top:
// what the kernel modules do, without a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <macstats/accumulator.h>
#include <macstats/frame.h>
#include <macstats/schema.h>
#include <macstats/standard.h>

#include "names.hpp"
#include "result.hpp"

namespace macstats {

/// How a device is built and switched on.
struct DeviceSetup {
    std::optional<std::uint8_t> options; ///< enum macstats_option; the model's defaults
    bool random_power_up = false;
    std::uint64_t seed = 0;
};

/// A device with all ports of its model, each one with its registers, cells and
/// totals. It is taken into use when it is made, as a driver does.
///
/// Time is what poll() is told; nothing happens by itself, and nothing blocks.
/// One thread at a time. Objects share nothing; a moved-from one may only be
/// destroyed or assigned to.
///
/// Errors have the errno of the kernel's emulator: EIO while the bus fails,
/// ENXIO where no register is, ERANGE for numbers out of their range. A port or
/// counter that does not exist is std::out_of_range.
class Device {
public:
    explicit Device(const macstats_model& model, const DeviceSetup& setup = {});
    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    [[nodiscard]] const macstats_model& model() const { return *model_; }
    [[nodiscard]] unsigned int ports() const;

    /// Frames alike cross the wire, in constant time for any count up to 2^63 - 1.
    Result<void> send(unsigned int port, const macstats_frame& frame, std::uint64_t count = 1);

    /// One bus access, with its side effects, behind the accumulator's back.
    /// Addresses count from the port's base.
    Result<std::uint64_t> read(unsigned int port, std::uint32_t address);
    Result<void> write(unsigned int port, std::uint32_t address, std::uint64_t value);
    /// The same for each word of a place, the lowest first.
    Result<std::uint64_t> read(unsigned int port, const Place& place);
    Result<void> write(unsigned int port, const Place& place, std::uint64_t value);

    /// Let a counter hold @value, as if that had been counted before the device
    /// was taken into use. What it has really counted since the last poll goes into
    /// its total; nothing else changes, and the hardware is not read.
    Result<void> preset(unsigned int port, unsigned int counter, std::uint64_t value);

    /// @faults is a mask of enum macstats_fault; EINVAL if the model has not got them.
    Result<void> fault(unsigned int port, std::uint32_t faults, bool active);

    /// Read the hardware, and take over what descriptors have fed. Returns a mask of
    /// enum macstats_event. On an Error the port is stale and keeps the totals of
    /// its registers; accumulator() says why.
    Result<unsigned int> poll(unsigned int port, std::uint64_t now_ns);

    /// As of the last poll.
    /// As many as the model has counters; none if it is built without them.
    [[nodiscard]] std::vector<std::uint64_t> totals(unsigned int port) const;
    [[nodiscard]] const macstats_standard& standard(unsigned int port) const;
    /// State and times of the port.
    [[nodiscard]] const macstats_accumulator& accumulator(unsigned int port) const;
    /// The maximum frame length that is set now, for received frames.
    [[nodiscard]] std::uint32_t max_frame(unsigned int port) const;

private:
    struct Port;

    [[nodiscard]] Port& at(unsigned int port) const;

    const macstats_model* model_;
    std::vector<std::unique_ptr<Port>> ports_;
};

} // namespace macstats
