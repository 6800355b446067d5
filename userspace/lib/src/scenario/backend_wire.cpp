// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend on two ports with a cable between them: pacing, waiting and differences. The
// ports themselves are in wire_port.cpp.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/wire.hpp"

namespace macstats {

namespace {

using Ports = std::array<std::unique_ptr<WirePort>, 2>;

// Frames under way before the sender waits: fewer than any ring has room for.
constexpr std::uint64_t window = 32;

// Statistics that count any good frame; a driver may fetch each group at another time.
constexpr std::string_view frame_counts[] = {"tx_packets",          "rx_packets",
                                             "FramesTransmittedOK", "FramesReceivedOK",
                                             "tx-pktsNtoM",         "rx-pktsNtoM"};

bool counts_probes(const StandardStatistic& statistic) {
    return std::find(std::begin(frame_counts), std::end(frame_counts), statistic.name) !=
               std::end(frame_counts) &&
           statistic.low.value_or(MACSTATS_FRAME_MIN) <= MACSTATS_FRAME_MIN &&
           statistic.high.value_or(MACSTATS_FRAME_MIN) >= MACSTATS_FRAME_MIN;
}

// Whether each of them that is reported has increased.
bool has_counted(const Observation& before, const Observation& after) {
    return std::none_of(
        after.standard.begin(), after.standard.end(), [&before](const StandardStatistic& now) {
            return counts_probes(now) &&
                   std::find(before.standard.begin(), before.standard.end(), now) !=
                       before.standard.end();
        });
}

// Both ends of the cable, and what was captured at them.
class Cable {
public:
    Cable(Ports ports, std::unique_ptr<WireClock> clock, const WireLimits& limits)
        : ports_(std::move(ports)),
          clock_(std::move(clock)),
          limits_(limits) {}

    [[nodiscard]] WirePort& port(std::size_t end) { return *ports_.at(end); }
    [[nodiscard]] WireClock& clock() { return *clock_; }
    [[nodiscard]] const WireLimits& limits() const { return limits_; }
    [[nodiscard]] std::vector<WireEnd> ends() const { return {ports_[0]->end(), ports_[1]->end()}; }

    // Frames of the other end's socket that have arrived at @end since the start.
    Result<std::uint64_t> arrived(std::size_t end) {
        MACSTATS_CHECK(look());
        return arrived_.at(end);
    }

    // From here on, frames of others count.
    Result<void> forget_foreign() {
        MACSTATS_CHECK(look());
        foreign_ = 0;
        first_foreign_.clear();
        return {};
    }

    // A text about frames of others since then; "" if there were none.
    Result<std::string> disturbance() {
        MACSTATS_CHECK(look());
        if (!foreign_)
            return std::string();
        return fmt::format(
            "{} {} of others crossed the wire, first {}; silence both interfaces, for example "
            "with `sysctl -w net.ipv6.conf.{}.disable_ipv6=1`",
            foreign_, foreign_ == 1 ? "frame" : "frames", first_foreign_,
            ports_[0]->end().interface);
    }

    // Send a probe from each end until it arrives at the other one, and until both ports show
    // it, so that no scenario finds it among its own frames.
    Result<void> check() {
        std::array<Observation, 2> before;
        for (const std::size_t end : {0U, 1U}) {
            MACSTATS_TRY(before.at(end), ports_.at(end)->observe());
        }
        for (const std::size_t from : {0U, 1U})
            MACSTATS_CHECK(probe(from));
        for (const std::size_t end : {0U, 1U})
            MACSTATS_CHECK(wait_for_count(end, before.at(end)));
        return {};
    }

private:
    Result<void> look() {
        for (const std::size_t end : {0U, 1U}) {
            MACSTATS_TRY(
                const auto captured, ports_[end]->captured(ports_[1 - end]->end().address));
            arrived_[end] += captured.arrived;
            if (captured.foreign && !foreign_)
                first_foreign_ =
                    fmt::format("{} at {}", captured.first_foreign, ports_[end]->end().interface);
            foreign_ += captured.foreign;
        }
        return {};
    }

    Result<void> probe(std::size_t from) {
        const WireEnd& source = ports_.at(from)->end();
        const WireEnd& receiver = ports_.at(1 - from)->end();
        const macstats_frame frame{
            .direction = MACSTATS_TX,
            .destination = MACSTATS_UNICAST,
            .kind = MACSTATS_DATA,
            .origin = MACSTATS_BY_SOFTWARE,
            .vlan_tags = 0,
            .collisions = 0,
            .deferred = false,
            .errors = 0,
            .length = MACSTATS_FRAME_MIN,
            .descriptors = 0,
            .append_crc = MACSTATS_BY_REGISTER,
            .huge = MACSTATS_BY_REGISTER};
        MACSTATS_TRY(const auto octets, wire_octets(frame, source.address, receiver.address));
        MACSTATS_TRY(const auto before, arrived(1 - from));
        const auto deadline = clock_->now() + limits_.cable;
        auto next = clock_->now();
        for (;;) {
            if (const auto now = clock_->now(); now >= next && now < deadline) {
                MACSTATS_CHECK(in_context(source.interface, ports_.at(from)->send(octets)));
                next = now + limits_.probe;
            }
            MACSTATS_TRY(const auto seen, arrived(1 - from));
            if (seen > before)
                return {};
            if (clock_->now() >= deadline)
                return Error{
                    ENOLINK,
                    fmt::format(
                        "frames that {0} sends do not arrive at {1}: {0} and {1} must be the two "
                        "ends of a cable, in this network namespace",
                        source.interface, receiver.interface)};
            MACSTATS_CHECK(clock_->sleep(std::chrono::milliseconds(1)));
        }
    }

    // A port that never shows the probe gets the blame from the scenarios.
    Result<void> wait_for_count(std::size_t end, const Observation& before) {
        const auto deadline = clock_->now() + limits_.count;
        for (;;) {
            MACSTATS_TRY(const auto seen, ports_.at(end)->observe());
            if (has_counted(before, seen) || clock_->now() >= deadline)
                return {};
            MACSTATS_CHECK(clock_->sleep(limits_.between));
        }
    }

    Ports ports_;
    std::unique_ptr<WireClock> clock_;
    WireLimits limits_;
    std::array<std::uint64_t, 2> arrived_{};
    std::uint64_t foreign_ = 0;
    std::string first_foreign_;
};

bool equal(const Observation& one, const Observation& other) {
    return one.totals == other.totals && one.standard == other.standard;
}

class WireBench final : public Bench {
public:
    explicit WireBench(Cable& cable) : cable_(cable) {}

    // The baseline of the ends that the devices use.
    Result<void> set_up(const std::vector<ScenarioDevice>& devices) {
        const std::vector<WireEnd> ends = cable_.ends();
        for (const ScenarioDevice& device : devices)
            for (std::size_t i = 0; i < ends.size(); i++)
                if (ends[i].name == device.name || ends[i].name.starts_with(device.name + "/"))
                    baseline_.at(i).emplace();
        names_ = &devices;
        MACSTATS_CHECK(cable_.forget_foreign());
        for (const std::size_t end : {0U, 1U})
            if (baseline_.at(end)) {
                MACSTATS_TRY(baseline_.at(end), settled(end));
            }
        return {};
    }

    Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) override {
        const std::size_t subject = end_of(port);
        const std::size_t other = 1 - subject;
        const std::size_t from = frame.direction == MACSTATS_TX ? subject : other;
        MACSTATS_TRY(
            const auto octets,
            wire_octets(
                frame, cable_.port(from).end().address, cable_.port(1 - from).end().address));
        if (!baseline_.at(other))
            return transmit(from, octets, count, is_delivered(frame));

        // The frames do not belong to the device at the other end: its baseline moves.
        MACSTATS_TRY(const auto before, settled(other));
        MACSTATS_CHECK(transmit(from, octets, count, is_delivered(frame)));
        MACSTATS_TRY(const auto after, settled(other));
        MACSTATS_TRY(const auto foreign, observed_difference(before, after));
        add(*baseline_.at(other), foreign);
        return {};
    }

    Result<std::uint64_t> read(ScenarioPort, const Place&) override { return not_possible(); }
    Result<void> write(ScenarioPort, const Place&, std::uint64_t) override {
        return not_possible();
    }
    Result<void> preset(ScenarioPort, CounterIndex, std::uint64_t) override {
        return not_possible();
    }
    Result<void> fault(ScenarioPort, const FaultRequest&) override { return not_possible(); }
    Result<void> advance(std::uint64_t) override { return not_possible(); }
    // Each observation reads the hardware.
    Result<void> poll(ScenarioPort) override { return {}; }

    Result<Observation> observe(ScenarioPort port, bool) override {
        return difference(end_of(port));
    }

    Result<Observation> await(ScenarioPort port, bool, const AsExpected& as_expected) override {
        const std::size_t end = end_of(port);
        const auto deadline = cable_.clock().now() + cable_.limits().count;
        unsigned int readings = 0; // that were as expected
        for (;;) {
            MACSTATS_TRY(auto seen, difference(end));
            const bool expected = as_expected(seen);
            readings += expected;
            if (readings > cable_.limits().settled)
                return seen;
            // Counters never go back: one that exceeds its value never returns to it.
            if (!expected && (readings || cable_.clock().now() >= deadline)) {
                MACSTATS_TRY(const auto disturbance, cable_.disturbance());
                if (!disturbance.empty())
                    return Error{EAGAIN, disturbance};
                return seen;
            }
            MACSTATS_CHECK(cable_.clock().sleep(cable_.limits().between));
        }
    }

private:
    static Error not_possible() { return {EOPNOTSUPP, "no driver supports this step"}; }

    // Control frames end in the MAC.
    static bool is_delivered(const macstats_frame& frame) {
        return macstats_kind_on_wire(&frame) == MACSTATS_DATA;
    }

    [[nodiscard]] std::size_t end_of(ScenarioPort port) {
        const std::string& device = names_->at(port.device).name;
        const std::string name =
            port.index == PortIndex(0) ? device : fmt::format("{}/{}", device, port.index.value());
        return cable_.port(0).end().name == name ? 0 : 1;
    }

    Result<Observation> difference(std::size_t end) {
        const std::string& interface = cable_.port(end).end().interface;
        MACSTATS_TRY(const auto now, in_context(interface, cable_.port(end).observe()));
        return in_context(interface, observed_difference(*baseline_.at(end), now));
    }

    // The statistics once two readings in a row are equal.
    Result<Observation> settled(std::size_t end) {
        WirePort& port = cable_.port(end);
        const auto deadline = cable_.clock().now() + cable_.limits().count;
        MACSTATS_TRY(auto seen, in_context(port.end().interface, port.observe()));
        for (;;) {
            MACSTATS_CHECK(cable_.clock().sleep(cable_.limits().between));
            MACSTATS_TRY(auto next, in_context(port.end().interface, port.observe()));
            if (equal(seen, next))
                return next;
            if (cable_.clock().now() >= deadline) {
                MACSTATS_TRY(const auto disturbance, cable_.disturbance());
                return Error{
                    EAGAIN,
                    fmt::format(
                        "the statistics of {} change although the run sends nothing{}{}",
                        port.end().interface, disturbance.empty() ? "" : ": ", disturbance)};
            }
            seen = std::move(next);
        }
    }

    static void add(Observation& baseline, const Observation& increase) {
        for (std::size_t i = 0; i < std::min(baseline.totals.size(), increase.totals.size()); i++)
            baseline.totals[i] += increase.totals[i];
        for (StandardStatistic& statistic : baseline.standard)
            for (const StandardStatistic& more : increase.standard)
                if (more.group == statistic.group && more.name == statistic.name &&
                    more.low == statistic.low)
                    statistic.value += more.value;
    }

    Result<void> transmit(
        std::size_t from, std::span<const std::byte> octets, std::uint64_t count, bool delivered) {
        WirePort& port = cable_.port(from);
        MACSTATS_TRY(const auto before, cable_.arrived(1 - from));
        std::uint64_t sent = 0;
        bool arriving = delivered;
        while (sent < count) {
            MACSTATS_CHECK(in_context(port.end().interface, port.send(octets)));
            sent++;
            if (sent % window == 0 || sent == count) {
                MACSTATS_TRY(arriving, wait_for_arrival(1 - from, before + sent, arriving));
            }
        }
        return {};
    }

    // Whether all have arrived. Looks once if no more are expected.
    Result<bool> wait_for_arrival(std::size_t end, std::uint64_t wanted, bool arriving) {
        MACSTATS_TRY(auto seen, cable_.arrived(end));
        auto deadline = cable_.clock().now() + cable_.limits().arrival;
        while (arriving && seen < wanted) {
            if (cable_.clock().now() >= deadline)
                return false;
            MACSTATS_CHECK(cable_.clock().sleep(std::chrono::milliseconds(1)));
            MACSTATS_TRY(const auto next, cable_.arrived(end));
            if (next > seen)
                deadline = cable_.clock().now() + cable_.limits().arrival;
            seen = next;
        }
        return arriving;
    }

    Cable& cable_;
    const std::vector<ScenarioDevice>* names_ = nullptr; // of the scenario, which outlives this
    std::array<std::optional<Observation>, 2> baseline_; // of the ends in use
};

class WireBackend final : public Backend {
public:
    explicit WireBackend(Cable cable) : cable_(std::move(cable)) {}

    [[nodiscard]] std::string_view name() const override { return "wire"; }

    Result<AdaptedScenario> adapt(const Scenario& scenario) override {
        return plan_for_wire(scenario, cable_.ends());
    }

    Result<std::unique_ptr<Bench>> set_up(const std::vector<ScenarioDevice>& devices) override {
        auto bench = std::make_unique<WireBench>(cable_);
        MACSTATS_CHECK(bench->set_up(devices));
        return std::unique_ptr<Bench>(std::move(bench));
    }

private:
    Cable cable_;
};

} // namespace

Result<std::unique_ptr<Backend>> wire_backend(
    std::array<std::unique_ptr<WirePort>, 2> ports, std::unique_ptr<WireClock> clock,
    const WireLimits& limits) {
    Cable cable(std::move(ports), std::move(clock), limits);
    MACSTATS_CHECK(cable.check());
    return std::unique_ptr<Backend>(std::make_unique<WireBackend>(std::move(cable)));
}

} // namespace macstats
