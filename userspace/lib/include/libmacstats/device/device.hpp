// SPDX-License-Identifier: GPL-2.0 OR MIT
// An emulated device in this process, with the provider's accumulator on top of it: the
// work of the kernel modules, without a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "libmacstats/core/fault.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/device/setup.hpp"

struct macstats_accumulator; // <macstats/poll.h>

namespace macstats {

/// A rule by which a counter counts frames: one of macstats_counter.when. The descriptor
/// status of a software counter is its rule 0.
struct CounterRule {
    CounterIndex counter;
    unsigned int rule = 0;
    bool operator==(const CounterRule&) const = default;
};

/// A device with all ports of its model, each with its registers, cells and totals. The
/// constructor does the work of a driver's probe.
///
/// poll() and fault() set the time; nothing happens in between, and nothing blocks: a
/// slow bus takes no time. One thread at a time. Objects share nothing; only destruction
/// and assignment are allowed after a move.
///
/// Errors have the errno of the kernel's emulator: EIO while the bus fails, ENXIO for an
/// address without a register, ERANGE for a number out of its range, ENODEV for a port
/// that the model does not have. Functions that return no Result throw
/// std::out_of_range for such a port.
class Device {
public:
    explicit Device(const macstats_model& model, const DeviceSetup& setup = {});
    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    [[nodiscard]] const macstats_model& model() const { return *model_; }
    [[nodiscard]] unsigned int ports() const;

    /// Count @count identical frames (1 to 2^63 - 1), in constant time.
    Result<void> send(PortIndex port, const macstats_frame& frame, std::uint64_t count = 1);

    /// The rules that count such a frame, as the port is set up now. None for a frame that
    /// send() rejects.
    [[nodiscard]] std::vector<CounterRule>
    matching_rules(PortIndex port, const macstats_frame& frame) const;

    /// One bus access, with its side effects; the accumulator does not notice it.
    /// Addresses count from the port's base.
    Result<std::uint64_t> read(PortIndex port, std::uint32_t address);
    Result<void> write(PortIndex port, std::uint32_t address, std::uint64_t value);
    /// The same for each word of a place, the lowest first. ERANGE for a value with more bits
    /// than the place. A write of a counter writes 0 to those that share its word.
    Result<std::uint64_t> read(PortIndex port, const Place& place);
    Result<void> write(PortIndex port, const Place& place, std::uint64_t value);

    /// Set a hardware counter without changing its total. Counts since the last poll are
    /// added to the total; the hardware is not read.
    Result<void> preset(PortIndex port, CounterIndex counter, std::uint64_t value);

    /// Start or end a fault at @now_ns (default: the time of the last call). The driver's
    /// part is included: it reports an announced reset to the accumulator, polls before a
    /// suspend and resumes after it. The events of these calls are dropped; accumulator()
    /// has the state after them. Errors are those of check_fault(); ERANGE for a time
    /// before the last one.
    Result<void> fault(
        PortIndex port, const FaultRequest& request,
        std::optional<std::uint64_t> now_ns = std::nullopt);

    /// Poll the hardware, and add the counts of software counters to their totals.
    /// Returns a mask of enum macstats_event. After an Error the port is stale and keeps
    /// the totals of its registers; accumulator() has the reason. ERANGE for a time before
    /// the last one, which changes nothing.
    Result<unsigned int> poll(PortIndex port, std::uint64_t now_ns);

    /// As of the last poll: one for each counter of the model, all ones for those of
    /// absent(); none if the device is built without any counters.
    [[nodiscard]] std::vector<std::uint64_t> totals(PortIndex port) const;
    /// The counters that the device is built without, ascending; none without any counters.
    [[nodiscard]] std::vector<CounterIndex> absent(PortIndex port) const;
    /// The standard statistics other than histograms, ascending.
    [[nodiscard]] std::vector<StandardValue> standard(PortIndex port) const;
    /// State and times of the port.
    [[nodiscard]] const macstats_accumulator& accumulator(PortIndex port) const;

private:
    struct Port;

    [[nodiscard]] Result<void> check_frame(PortIndex port, const macstats_frame& frame) const;
    [[nodiscard]] Port& at(PortIndex port) const;

    const macstats_model* model_;
    std::vector<std::unique_ptr<Port>> ports_;
};

} // namespace macstats
