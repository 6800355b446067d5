// SPDX-License-Identifier: GPL-2.0 OR MIT
// Queries to the kernel's provider: ports, statistics, models and counters. The
// attributes are those of <macstats/netlink.h>. Control of emulated devices is in
// emulator.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/netlink/netlink.hpp"

namespace macstats {

/// A model that ports have.
struct ModelInfo {
    ModelId id;
    std::string name;
    std::string title;
    std::string datasheet;
    std::uint32_t ports = 0;
    std::uint64_t line_rate_bps = 0;
    std::uint32_t counters = 0;
};

/// A counter of a model that ports have. An enumerator that only a newer kernel
/// knows is not set.
struct CounterInfo {
    std::string name{}; ///< ethtool -S string
    std::string reg{};  ///< datasheet name
    std::string description{};
    std::optional<macstats_unit> unit{};
    std::uint32_t offset = 0; ///< address units from the port's base
    std::uint32_t bits = 0;
    std::optional<macstats_onread> onread{};
    std::optional<macstats_onwrite> onwrite{};
    std::optional<macstats_overflow> overflow{};
    std::uint32_t direction = 0; ///< mask of enum macstats_direction
    std::vector<std::string> standard{};
    /// The lengths of its frames if it is a bucket of a histogram, in octets with FCS.
    std::optional<std::uint32_t> bucket_low{};
    std::optional<std::uint32_t> bucket_high{};
    /// There is one for each queue or priority, with this number; otherwise not set.
    std::optional<macstats_index_of> index_of{};
    std::uint32_t index = 0;

    /// The name without the number of the queue or priority.
    [[nodiscard]] std::string family() const;
};

/// The buckets of a model's histograms, in the order of the counters.
std::vector<Bucket> buckets_of(std::span<const CounterInfo> counters);

/// The counters of a model in its order, shared by all that refers to them.
class CounterInfos {
public:
    CounterInfos() = default;
    CounterInfos(std::vector<CounterInfo> infos)
        : buckets_(std::make_shared<const std::vector<Bucket>>(buckets_of(infos))),
          infos_(std::make_shared<const std::vector<CounterInfo>>(std::move(infos))) {}

    [[nodiscard]] const CounterInfo* begin() const { return infos_ ? infos_->data() : nullptr; }
    [[nodiscard]] const CounterInfo* end() const { return begin() + size(); }
    [[nodiscard]] std::size_t size() const { return infos_ ? infos_->size() : 0; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Throws std::out_of_range, as share() does.
    const CounterInfo& operator[](std::size_t index) const {
        if (index >= size())
            throw std::out_of_range("no counter has this index");
        return (*infos_)[index];
    }
    /// As buckets_of().
    [[nodiscard]] std::span<const Bucket> buckets() const {
        return buckets_ ? *buckets_ : std::span<const Bucket>();
    }
    /// Whether they are the counters of a model of this library.
    [[nodiscard]] bool are_of(const macstats_model& model) const;
    /// The counter at @index, which lives on without this object.
    [[nodiscard]] std::shared_ptr<const CounterInfo> share(std::size_t index) const {
        return {infos_, &(*this)[index]};
    }

private:
    std::shared_ptr<const std::vector<Bucket>> buckets_; // both may be null
    std::shared_ptr<const std::vector<CounterInfo>> infos_;
};

/// The counter that revealed the last discontinuity, and the value that was read from
/// it and not added to its total.
struct Suspect {
    CounterIndex counter;
    std::uint64_t value = 0;
};

/// Statistics of the provider's own polls of a port.
struct PortWork {
    std::uint32_t late_polls = 0; ///< later than the wrap time allows
    std::uint32_t failed_polls = 0;
    std::uint64_t longest_poll_ns = 0;
    std::uint64_t longest_wait_ns = 0; ///< of a reader, for a poll to end
};

/// A port in the caller's network namespace. Times are nanoseconds since boot.
struct PortInfo {
    IfIndex ifindex;
    std::string name;
    std::string model;
    ModelId model_id;
    PortIndex index;
    bool without_counters = false; ///< of the hardware: it is built without them
    bool stale = false;            ///< the last poll failed: the totals are from poll_ns
    std::string stale_reason;
    bool possible_loss = false;
    std::uint32_t discontinuities = 0;
    std::optional<std::uint64_t> discontinuity_ns;
    std::uint32_t parity_errors = 0;
    std::uint32_t poll_usecs = 0;
    std::uint32_t poll_ceiling_usecs = 0;
    std::uint64_t poll_ns = 0;        ///< last good poll
    std::optional<Suspect> suspect{}; ///< not set if the driver reported the discontinuity
    std::vector<Saturation> saturated{};
    std::optional<PortWork> work{}; ///< not set if the kernel does not report it
};

/// The total of one counter of a port.
struct CounterTotal {
    std::uint64_t total = 0;
    bool stale = false;    ///< the hardware could not be read: an older total
    bool at_least = false; ///< a lower bound: the counter was read at its maximum
};

enum class Freshness {
    read_hardware,
    cached, ///< the totals of the last poll
};

/// Queries the provider for the ports of the caller's network namespace.
///
/// Queries need no privilege and change nothing, but reading fresh statistics polls the
/// hardware, with the side effects of that. Lists are consistent: a list that changes
/// while it is read is read again (see GenericNetlink).
///
/// One thread at a time; each thread can have its own client. Calls block until the
/// kernel has answered: with read_hardware, while it reads each port in turn. A client
/// owns its socket, and caches the counters of each model by its number.
///
/// Errors: Error::not_loaded if the kernel has no provider (any more), Error::other_protocol if it
/// has that of another version, Error::loaded_again until reopen(); ENODEV for a port that does not
/// exist (any more), ENOENT for a model that no port has (any more); EBADMSG if an answer is
/// malformed; ETIMEDOUT if none comes; otherwise those of the kernel.
class Client {
public:
    static Result<Client> open();
    /// With the number of the family, see GenericNetlink::family().
    Client(GenericNetlink netlink, std::uint16_t family);

    /// Find the provider, whose modules were loaded again. Models may have other numbers: what
    /// this client knows of them is forgotten.
    Result<void> reopen();

    Result<std::vector<PortInfo>> ports();
    Result<PortInfo> port(IfIndex ifindex);
    /// By name or alternative name of the interface or, if no interface has it, by ifindex.
    Result<PortInfo> port(const std::string& name_or_ifindex);

    Result<std::vector<Statistics>> statistics(Freshness freshness = Freshness::read_hardware);
    Result<Statistics> statistics(IfIndex ifindex, Freshness freshness = Freshness::read_hardware);
    /// Of the ports of a model.
    Result<std::vector<Statistics>>
    statistics_of_model(ModelId model, Freshness freshness = Freshness::read_hardware);

    /// One counter of a port. @port: see port(); @counter: its name in ethtool -S or in
    /// the datasheet. EINVAL for a name that the model does not have; EOPNOTSUPP if the
    /// port is built without the counters.
    Result<CounterTotal> counter(
        const std::string& port, std::string_view counter,
        Freshness freshness = Freshness::read_hardware);

    /// Those that ports have.
    Result<std::vector<ModelInfo>> models();
    Result<CounterInfos> counters(ModelId model);

private:
    GenericNetlink netlink_;
    std::uint16_t family_;
    std::map<ModelId, CounterInfos> counters_;
};

} // namespace macstats
