// SPDX-License-Identifier: GPL-2.0 OR MIT
// An emulated device for test programs.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "libmacstats/core/fault.hpp"
#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/device/setup.hpp"
#include "libmacstats/scenario/observation.hpp"

namespace macstats {

/// A line of a source file. As std::source_location, which clang++ 14 does not have.
class SourceLocation {
public:
    static constexpr SourceLocation current(
        const char* file_name = __builtin_FILE(),
        std::uint32_t line = static_cast<std::uint32_t>(__builtin_LINE())) {
        return {file_name, line};
    }

    [[nodiscard]] constexpr const char* file_name() const { return file_name_; }
    [[nodiscard]] constexpr std::uint32_t line() const { return line_; }

private:
    constexpr SourceLocation(const char* file_name, std::uint32_t line)
        : file_name_(file_name),
          line_(line) {}

    const char* file_name_;
    std::uint32_t line_;
};

/// A step of a TestDevice failed. what() starts with the caller's "FILE:LINE: ".
class TestFailure : public std::runtime_error {
public:
    TestFailure(const std::string& text, SourceLocation where);

    /// The call in the test program that failed.
    [[nodiscard]] SourceLocation where() const { return where_; }

private:
    SourceLocation where_;
};

/// One emulated device of a test program, for a reader or a tool that goes through the library, and
/// for scenarios in C++. It owns the device, which disappears with it.
///
/// Each call that fails throws a TestFailure, so that a test program without a handler
/// ends with the file and the line of the call: this class is for test programs, where
/// the rest of the library returns a Result. Calls block until they are carried out.
/// Objects share nothing; one thread at a time uses an object. Only destruction and assignment
/// are allowed after a move.
class TestDevice {
public:
    /// @backend: a name that open_backend() accepts.
    TestDevice(
        std::string_view backend, std::string_view model, const DeviceSetup& setup = {},
        SourceLocation where = SourceLocation::current());
    TestDevice(TestDevice&&) noexcept;
    TestDevice& operator=(TestDevice&&) noexcept;
    ~TestDevice();

    /// Count @count frames. The default is a frame that the port transmits, as in a
    /// scenario's step `send`.
    void send(
        const FrameRequest& frame, std::uint64_t count = 1, PortIndex port = PortIndex(0),
        SourceLocation where = SourceLocation::current());

    /// Read or write a register, with the side effects of the access, as the steps `read` and
    /// `write` do. @place: a name or an address, see find_place().
    std::uint64_t read(
        std::string_view place, PortIndex port = PortIndex(0),
        SourceLocation where = SourceLocation::current());
    void write(
        std::string_view place, std::uint64_t value, PortIndex port = PortIndex(0),
        SourceLocation where = SourceLocation::current());

    /// A hardware counter holds @value now; its total does not change.
    void preset(
        std::string_view counter, std::uint64_t value, PortIndex port = PortIndex(0),
        SourceLocation where = SourceLocation::current());

    /// The hardware fails, or recovers.
    void fault(
        const FaultRequest& request, PortIndex port = PortIndex(0),
        SourceLocation where = SourceLocation::current());

    /// The provider polls the hardware. A failed poll makes the port stale and is no failure.
    void poll(PortIndex port = PortIndex(0), SourceLocation where = SourceLocation::current());

    /// Let time pass for all ports, without a poll.
    void advance(std::uint64_t nanoseconds, SourceLocation where = SourceLocation::current());

    /// Poll the hardware, then compare the total that users see with @value.
    /// @statistic: a counter's name in ethtool -S or in the datasheet, a standard
    /// statistic as "rmon/etherStatsFragments", or a bucket of a histogram as
    /// "rmon/rx-pkts65to127".
    void expect(
        std::string_view statistic, std::uint64_t value, PortIndex port = PortIndex(0),
        SourceLocation where = SourceLocation::current());

    /// All that users see, as of the last poll: input of a reader that is tested.
    Observation
    observe(PortIndex port = PortIndex(0), SourceLocation where = SourceLocation::current());

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace macstats
