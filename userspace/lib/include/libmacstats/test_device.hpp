// SPDX-License-Identifier: GPL-2.0 OR MIT
// An emulated device in a test program of one's own.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "backend.hpp"
#include "emulator.hpp"
#include "scenario.hpp"

namespace macstats {

/// Something could not be done with a TestDevice, or was not as expected.
class TestFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One device, gone with the object. Whatever goes wrong is a TestFailure, so that
/// a test program which does not catch it fails and prints why.
class TestDevice {
public:
    /// @backend: see open_backend().
    TestDevice(std::string_view backend, std::string_view model);

    void send(const FrameRequest& frame, std::uint64_t count = 1, unsigned int port = 0);

    /// Let the hardware be read, then see whether this is what users are shown.
    /// @statistic: a counter's name in ethtool -S or in the datasheet, or a standard
    /// statistic as "rmon/etherStatsFragments".
    void expect(std::string_view statistic, std::uint64_t value, unsigned int port = 0);

private:
    void run(Step step);
    [[nodiscard]] ScenarioPort at(unsigned int port) const;

    Scenario scenario_; ///< the device; steps are run one by one
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<Bench> bench_;
};

} // namespace macstats
