// SPDX-License-Identifier: GPL-2.0 OR MIT
// Numbers that identify interfaces, devices, models, ports and counters. Each kind is a type of its
// own: a counter's index is no port's.
#pragma once

#include <compare>
#include <cstdint>

namespace macstats {

/// A number that identifies a @Tag. No conversion is implicit; the default is 0.
template <typename Tag>
class Index {
public:
    constexpr Index() = default;
    constexpr explicit Index(std::uint32_t value) : value_(value) {}

    [[nodiscard]] constexpr std::uint32_t value() const { return value_; }

    constexpr auto operator<=>(const Index&) const = default;

private:
    std::uint32_t value_ = 0;
};

/// Of a network interface; the kernel counts from 1 on, in each network namespace.
using IfIndex = Index<struct InterfaceTag>;
/// Of an emulated device; the kernel assigns it.
using DeviceId = Index<struct DeviceTag>;
/// Of a model that ports have; the kernel assigns it. Two models may have the same name.
using ModelId = Index<struct ModelTag>;
/// Of a port within its device, from 0 on.
using PortIndex = Index<struct PortTag>;
/// Of a counter in the order of its model, from 0 on.
using CounterIndex = Index<struct CounterTag>;

} // namespace macstats
