// SPDX-License-Identifier: GPL-2.0 OR MIT
// Queries to the kernel's provider: ports, statistics, models and their
// counters, as <macstats/netlink.h> has them. Changes are in emulator.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netlink.hpp"
#include "result.hpp"

namespace macstats {

/// A model as the kernel knows it.
struct ModelInfo {
    std::string name;
    std::string title;
    std::string datasheet;
    std::uint32_t ports = 0;
    std::uint64_t line_rate_bps = 0;
    std::uint32_t counters = 0;
};

/// A counter of a model as the kernel knows it.
struct CounterInfo {
    std::string name; ///< ethtool -S string
    std::string reg;  ///< datasheet name
    std::string description;
    std::uint32_t unit = 0;   ///< enum macstats_unit
    std::uint32_t offset = 0; ///< address units from the port's base
    std::uint32_t bits = 0;
    std::uint32_t onread = 0;    ///< enum macstats_onread
    std::uint32_t onwrite = 0;   ///< enum macstats_onwrite
    std::uint32_t overflow = 0;  ///< enum macstats_overflow
    std::uint32_t direction = 0; ///< mask of enum macstats_direction
    std::vector<std::string> standard;
};

/// A port in this network namespace. Times are nanoseconds since boot.
struct PortInfo {
    std::uint32_t ifindex = 0;
    std::string name;
    std::string model;
    std::uint32_t index = 0; ///< port of the device
    bool absent = false;     ///< built without the counters
    bool stale = false;      ///< the totals are from poll_ns
    std::string stale_reason;
    bool possible_loss = false;
    std::uint32_t discontinuities = 0;
    std::optional<std::uint64_t> discontinuity_ns;
    std::uint32_t parity_errors = 0;
    std::uint32_t poll_usecs = 0;
    std::uint32_t poll_ceiling_usecs = 0;
    std::uint64_t poll_ns = 0; ///< last good poll
};

/// The totals of a port.
struct Statistics {
    std::uint32_t ifindex = 0;
    std::string model;
    std::uint64_t generation = 0; ///< good polls so far
    std::uint64_t time_ns = 0;    ///< last good poll, since boot
    bool stale = false;
    bool possible_loss = false;
    std::uint32_t discontinuities = 0;
    std::optional<std::uint64_t> discontinuity_ns; ///< of the last one
    std::optional<std::uint64_t> start_ns;         ///< the totals count from here on
    std::optional<std::uint32_t> max_frame;        ///< the maximum length now set
    /// In the order of the counters, or of those asked for; empty if absent.
    std::vector<std::uint64_t> values;
};

/// Tell once when a counter's total reaches a value.
struct Threshold {
    std::uint32_t ifindex = 0;
    std::uint32_t counter = 0; ///< index of the counter
    std::uint64_t value = 0;
};

enum class Freshness {
    read_hardware,
    cached, ///< the totals of the last poll
};

/// Asks the provider about the ports of the caller's network namespace.
///
/// Queries need no privilege and change nothing, but reading fresh statistics is a
/// poll, with what that does to the hardware. Lists are consistent: what changes
/// while one is read makes the client read it again (see GenericNetlink).
///
/// Setting thresholds needs CAP_NET_ADMIN in the user namespace that owns the
/// network namespace; it is the only thing here that changes something.
///
/// One thread at a time; each thread can have its own. Calls block until the
/// kernel has answered: with read_hardware, while it reads each port in turn.
/// Counters are asked for once per model and kept. There is no limit to the
/// number of ports but memory: a list is held in it.
///
/// Errors: Error::not_loaded if the kernel has no provider; ENODEV if a port is
/// none (any more); EBADMSG if an answer cannot be read; the kernel's own otherwise.
class Client {
public:
    static Result<Client> open();
    /// With the number of the family known already: see GenericNetlink::family.
    Client(GenericNetlink netlink, std::uint16_t family);

    /// All ports, or those of a model.
    Result<std::vector<PortInfo>> ports(const std::string& model = {});
    Result<PortInfo> port(std::uint32_t ifindex);
    /// By interface name or, if there is none of that name, by ifindex.
    Result<PortInfo> port(const std::string& name_or_ifindex);

    Result<std::vector<Statistics>> statistics(Freshness freshness = Freshness::read_hardware);
    Result<Statistics>
    statistics(std::uint32_t ifindex, Freshness freshness = Freshness::read_hardware);
    /// Those of the ports of a model; only of these counters (ascending indices)
    /// unless @counters is empty.
    Result<std::vector<Statistics>> statistics_of_model(
        const std::string& model, std::span<const std::uint32_t> counters = {},
        Freshness freshness = Freshness::read_hardware);
    /// Of one port, and only of these counters (ascending indices).
    Result<Statistics> statistics_of_counters(
        std::uint32_t ifindex, std::span<const std::uint32_t> counters,
        Freshness freshness = Freshness::read_hardware);

    /// Nothing: tell no more. A value that is reached already is refused.
    Result<void>
    set_threshold(std::uint32_t ifindex, std::uint32_t counter, std::optional<std::uint64_t> value);
    Result<std::vector<Threshold>> thresholds();
    Result<std::vector<Threshold>> thresholds(std::uint32_t ifindex);

    Result<std::vector<ModelInfo>> models();
    /// Valid as long as the client is.
    Result<std::span<const CounterInfo>> counters(const std::string& model);

private:
    GenericNetlink netlink_;
    std::uint16_t family_;
    std::map<std::string, std::vector<CounterInfo>> counters_;
};

} // namespace macstats
