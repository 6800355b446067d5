// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend on two ports with a cable between them: pacing, waiting and differences. The
// ports themselves are in wire_port.cpp.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <macstats/schema.h>
#include <macstats/standard.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/wire.hpp"
#include "scenario/lookup.hpp"
#include "scenario/wire_plan.hpp"

namespace macstats {

namespace {

// How long the backend waits, and between two readings.
constexpr struct {
    std::chrono::milliseconds between{10};   // two readings, or two looks at the capture
    std::chrono::milliseconds arrival{1000}; // of the next frame
    std::chrono::milliseconds queue{5000};   // for room in the queue of a port
    std::chrono::milliseconds probe{100};    // until the next probe of the cable
    std::chrono::milliseconds cable{3000};   // for the first probe to arrive
    std::chrono::milliseconds count{5000};   // until a driver shows the expected value
    unsigned int settled = 3;                // further readings, which must not exceed it
} wire_limits;

using Ports = std::array<std::unique_ptr<WirePort>, 2>;

// Frames under way before the sender waits: fewer than any ring has room for.
constexpr std::uint64_t window = 32;

// Statistics that count any good frame; a driver may fetch each group at another time.
struct FrameCount {
    macstats_standard_id id;
    macstats_direction direction;
};

constexpr FrameCount frame_counts[] = {
    {MACSTATS_STD_RTNL_TX_PACKETS, MACSTATS_TX},
    {MACSTATS_STD_FRAMES_TRANSMITTED_OK, MACSTATS_TX},
    {MACSTATS_STD_HIST_TX, MACSTATS_TX},
    {MACSTATS_STD_RTNL_RX_PACKETS, MACSTATS_RX},
    {MACSTATS_STD_FRAMES_RECEIVED_OK, MACSTATS_RX},
    {MACSTATS_STD_HIST_RX, MACSTATS_RX}};

// Frames alike that cross a port.
struct Crossing {
    macstats_direction direction;
    std::uint32_t length;
    std::uint64_t count;
};

bool counts(const StandardValue& statistic, const Crossing& crossing) {
    const bool is_count = std::any_of(
        std::begin(frame_counts), std::end(frame_counts),
        [&statistic, &crossing](const FrameCount& one) {
            return one.id == statistic.id && one.direction == crossing.direction;
        });
    return is_count && (!macstats_is_histogram(statistic.id) ||
                        (statistic.low <= crossing.length && crossing.length <= statistic.high));
}

// Whether each statistic of these frames that is reported has increased by their number.
bool has_counted(const Observation& before, const Observation& after, const Crossing& crossing) {
    return std::all_of(
        after.standard.begin(), after.standard.end(),
        [&before, &crossing](const StandardValue& now) {
            if (!counts(now, crossing))
                return true;
            const StandardValue* old = find_same(before.standard, now);
            return !old || now.value - old->value >= crossing.count;
        });
}

// How a frame may arrive: the kernel may have removed its first tag.
std::vector<std::size_t> sizes_of(const macstats_frame& frame) {
    const std::size_t size = frame.length - MACSTATS_FCS_LEN;
    if (frame.vlan_tags)
        return {size, size - MACSTATS_TAG_LEN};
    return {size};
}

// Both ends of the cable, and what was captured at them.
class Cable {
public:
    Cable(Ports ports, std::unique_ptr<WireClock> clock)
        : ports_(std::move(ports)),
          clock_(std::move(clock)) {}

    [[nodiscard]] WirePort& port(std::size_t end) { return *ports_.at(end); }
    [[nodiscard]] WireClock& clock() { return *clock_; }
    [[nodiscard]] std::vector<WireEnd> ends() const { return {ports_[0]->end(), ports_[1]->end()}; }

    // Frames of these sizes from the other end's socket that have arrived at @end since the
    // start.
    Result<std::uint64_t> arrived(std::size_t end, std::span<const std::size_t> sizes) {
        MACSTATS_CHECK(look());
        std::uint64_t sum = 0;
        for (const std::size_t size : sizes)
            if (const auto found = arrived_.at(end).find(size); found != arrived_.at(end).end())
                sum += found->second;
        return sum;
    }

    // Waits for room in the queue.
    Result<void> send(std::size_t from, std::span<const std::byte> octets) {
        WirePort& port = *ports_.at(from);
        const auto deadline = clock_->now() + wire_limits.queue;
        for (;;) {
            const auto sent = port.send(octets);
            if (sent)
                return {};
            if (sent.error().errnum != EAGAIN)
                return in_context(port.end().interface, sent.error());
            if (clock_->now() >= deadline)
                return failure(
                    ETIMEDOUT, "{}: no room in the send queue for {} ms", port.end().interface,
                    wire_limits.queue.count());
            MACSTATS_CHECK(clock_->sleep(std::chrono::milliseconds(1)));
        }
    }

    // Wait until a port shows frames that crossed it, up to a limit. If it never does, the
    // expectations of the scenarios fail.
    Result<void>
    wait_for_count(std::size_t end, const Observation& before, std::span<const Crossing> crossed) {
        const auto deadline = clock_->now() + wire_limits.count;
        for (;;) {
            MACSTATS_TRY(
                const auto seen,
                in_context(ports_.at(end)->end().interface, ports_.at(end)->observe()));
            const bool all = std::all_of(
                crossed.begin(), crossed.end(), [&before, &seen](const Crossing& crossing) {
                    return has_counted(before, seen, crossing);
                });
            if (all || clock_->now() >= deadline)
                return {};
            MACSTATS_CHECK(clock_->sleep(wire_limits.between));
        }
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
            MACSTATS_CHECK(wait_for_count(
                end, before.at(end),
                std::array{
                    Crossing{MACSTATS_TX, MACSTATS_FRAME_MIN, 1},
                    Crossing{MACSTATS_RX, MACSTATS_FRAME_MIN, 1}}));
        return {};
    }

private:
    Result<void> look() {
        for (const std::size_t end : {0U, 1U}) {
            MACSTATS_TRY(
                const auto captured, ports_[end]->captured(ports_[1 - end]->end().address));
            for (const auto& [size, count] : captured.arrived)
                arrived_[end][size] += count;
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
            .descriptors = 0,
            .length = MACSTATS_FRAME_MIN,
            .errors = 0,
            .append_crc = MACSTATS_BY_REGISTER,
            .huge = MACSTATS_BY_REGISTER};
        MACSTATS_TRY(const auto octets, wire_octets(frame, source.address, receiver.address));
        const auto sizes = sizes_of(frame);
        MACSTATS_TRY(const auto before, arrived(1 - from, sizes));
        const auto deadline = clock_->now() + wire_limits.cable;
        auto next = clock_->now();
        for (;;) {
            if (const auto now = clock_->now(); now >= next && now < deadline) {
                MACSTATS_CHECK(send(from, octets));
                next = now + wire_limits.probe;
            }
            MACSTATS_TRY(const auto seen, arrived(1 - from, sizes));
            if (seen > before)
                return {};
            if (clock_->now() >= deadline)
                return failure(
                    ENOLINK,
                    "frames that {0} sends do not arrive at {1}: {0} and {1} must be the two "
                    "ends of a cable, in this network namespace",
                    source.interface, receiver.interface);
            MACSTATS_CHECK(clock_->sleep(std::chrono::milliseconds(1)));
        }
    }

    Ports ports_;
    std::unique_ptr<WireClock> clock_;
    std::array<std::map<std::size_t, std::uint64_t>, 2> arrived_{}; // by size
    std::uint64_t foreign_ = 0;
    std::string first_foreign_;
};

bool equal(const Observation& one, const Observation& other) {
    return one.totals == other.totals && one.standard == other.standard;
}

class WireDevices final : public DeviceSet {
public:
    explicit WireDevices(Cable& cable) : cable_(cable) {}

    // The baseline of the ends that the devices use.
    Result<void> set_up(const std::vector<ScenarioDevice>& devices) {
        const std::vector<WireEnd> ends = cable_.ends();
        for (const ScenarioDevice& device : devices)
            for (std::size_t i = 0; i < ends.size(); i++)
                if (ends[i].name == device.name || ends[i].name.starts_with(device.name + "/"))
                    baseline_.at(i).emplace();
        devices_ = devices;
        MACSTATS_CHECK(cable_.forget_foreign());
        for (const std::size_t end : {0U, 1U})
            if (baseline_.at(end)) {
                MACSTATS_TRY(baseline_.at(end), settled(end));
            }
        return {};
    }

    Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) override {
        MACSTATS_TRY(const std::size_t subject, end_of(port));
        const std::size_t other = 1 - subject;
        const std::size_t from = frame.direction == MACSTATS_TX ? subject : other;
        if (!baseline_.at(other))
            return transmit(from, subject, frame, count);

        // The frames do not belong to the device at the other end: its baseline moves. Those
        // that a step sends must not show during another one.
        std::array<Observation, 2> before;
        for (const std::size_t end : {0U, 1U}) {
            MACSTATS_TRY(before.at(end), settled(end));
        }
        MACSTATS_CHECK(transmit(from, subject, frame, count));
        for (const std::size_t end : {0U, 1U}) {
            const Crossing crossing{
                end == from ? MACSTATS_TX : MACSTATS_RX, frame.length,
                end == from ? count : last_arrived_};
            MACSTATS_CHECK(cable_.wait_for_count(end, before.at(end), {&crossing, 1}));
        }
        MACSTATS_TRY(const auto after, settled(other));
        MACSTATS_TRY(
            const auto foreign,
            in_context(
                cable_.port(other).end().interface, observed_difference(before.at(other), after)));
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
        MACSTATS_TRY(const std::size_t end, end_of(port));
        return difference(end);
    }

    Result<Observation> await(ScenarioPort port, bool, const AsExpected& as_expected) override {
        MACSTATS_TRY(const std::size_t end, end_of(port));
        const auto deadline = cable_.clock().now() + wire_limits.count;
        unsigned int readings = 0; // that were as expected
        for (;;) {
            MACSTATS_TRY(auto seen, difference(end));
            const bool expected = as_expected(seen);
            readings += expected;
            if (readings > wire_limits.settled)
                return seen;
            // Counters never go back: one that exceeds its value never returns to it.
            if (!expected && (readings || cable_.clock().now() >= deadline)) {
                MACSTATS_TRY(const auto disturbance, cable_.disturbance());
                if (!disturbance.empty())
                    return Error{DeviceSet::disturbed, disturbance};
                seen.remark = remark(end);
                return seen;
            }
            MACSTATS_CHECK(cable_.clock().sleep(wire_limits.between));
        }
    }

private:
    static Error not_possible() { return {unsupported, "no driver supports this step"}; }

    // Control frames end in the MAC.
    static bool is_delivered(const macstats_frame& frame) {
        return macstats_kind_on_wire(&frame) == MACSTATS_DATA;
    }

    // EINVAL for a port that no interface runs; the plan skips scenarios with one.
    [[nodiscard]] Result<std::size_t> end_of(ScenarioPort port) const {
        if (port.device >= devices_.size())
            return invalid("there is no device {}", port.device);
        const std::string name = port_name(devices_[port.device], port.index);
        for (const std::size_t end : {0U, 1U})
            if (cable_.port(end).end().name == name && baseline_.at(end))
                return end;
        return invalid("no interface is given for its port {}", name);
    }

    Result<Observation> difference(std::size_t end) {
        const std::string& interface = cable_.port(end).end().interface;
        MACSTATS_TRY(const auto now, in_context(interface, cable_.port(end).observe()));
        return in_context(interface, observed_difference(*baseline_.at(end), now));
    }

    // The statistics once two readings in a row are equal.
    Result<Observation> settled(std::size_t end) {
        WirePort& port = cable_.port(end);
        const auto deadline = cable_.clock().now() + wire_limits.count;
        MACSTATS_TRY(auto seen, in_context(port.end().interface, port.observe()));
        for (;;) {
            MACSTATS_CHECK(cable_.clock().sleep(wire_limits.between));
            MACSTATS_TRY(auto next, in_context(port.end().interface, port.observe()));
            if (equal(seen, next))
                return next;
            if (cable_.clock().now() >= deadline) {
                MACSTATS_TRY(const auto disturbance, cable_.disturbance());
                return failure(
                    DeviceSet::disturbed,
                    "the statistics of {} change although the run sends nothing{}{}",
                    port.end().interface, disturbance.empty() ? "" : ": ", disturbance);
            }
            seen = std::move(next);
        }
    }

    static void add(Observation& baseline, const Observation& increase) {
        // Those without a total have increased by 0.
        for (std::size_t i = 0; i < std::min(baseline.totals.size(), increase.totals.size()); i++)
            baseline.totals[i] += increase.totals[i];
        for (StandardValue& statistic : baseline.standard)
            if (const StandardValue* more = find_same(increase.standard, statistic))
                statistic.value += more->value;
    }

    // Send the frames of a step, not more than a window of them ahead of those that arrive.
    // Frames that @subject transmits must arrive; of those that it receives, the statistics
    // show whether it is to blame.
    Result<void> transmit(
        std::size_t from, std::size_t subject, const macstats_frame& frame, std::uint64_t count) {
        MACSTATS_TRY(
            const auto octets,
            wire_octets(
                frame, cable_.port(from).end().address, cable_.port(1 - from).end().address));
        const auto sizes = sizes_of(frame);
        const bool delivered = is_delivered(frame);
        MACSTATS_TRY(const auto before, cable_.arrived(1 - from, sizes));
        std::uint64_t sent = 0;
        std::uint64_t seen = 0;
        bool arriving = delivered;
        while (sent < count) {
            MACSTATS_CHECK(cable_.send(from, octets));
            sent++;
            if (sent % window != 0 && sent != count)
                continue;
            // The end of the step is worth another wait, for frames that others delayed.
            const bool waits = arriving || (delivered && sent == count);
            MACSTATS_TRY(
                seen, waits ? wait_for_arrival(1 - from, sizes, before, sent)
                            : look_for_arrival(1 - from, sizes, before));
            arriving = arriving && seen >= sent;
            if (delivered && !arriving && from == subject)
                return lost(frame, sent, seen, 1 - from);
        }
        last_arrived_ = delivered ? seen : count;
        if (delivered && from != subject) {
            received_.at(subject).sent += count;
            received_.at(subject).arrived += seen;
        }
        return {};
    }

    Error
    lost(const macstats_frame& frame, std::uint64_t sent, std::uint64_t seen, std::size_t end) {
        std::string text = fmt::format(
            "{} {} of {} octets sent, {} arrived at {}", sent, sent == 1 ? "frame" : "frames",
            frame.length, seen, cable_.port(end).end().interface);
        const auto disturbance = cable_.disturbance();
        if (!disturbance)
            return disturbance.error();
        if (disturbance->empty())
            return {DeviceSet::frames_lost, std::move(text)};
        return {DeviceSet::disturbed, text + "; " + *disturbance};
    }

    // The sleep lets the user interrupt a long step.
    Result<std::uint64_t>
    look_for_arrival(std::size_t end, std::span<const std::size_t> sizes, std::uint64_t before) {
        MACSTATS_CHECK(cable_.clock().sleep(std::chrono::milliseconds(0)));
        MACSTATS_TRY(const auto now, cable_.arrived(end, sizes));
        return now - before;
    }

    // The number that has arrived once it is @wanted, or once no more arrive for a while.
    Result<std::uint64_t> wait_for_arrival(
        std::size_t end, std::span<const std::size_t> sizes, std::uint64_t before,
        std::uint64_t wanted) {
        MACSTATS_TRY(auto seen, look_for_arrival(end, sizes, before));
        auto deadline = cable_.clock().now() + wire_limits.arrival;
        while (seen < wanted && cable_.clock().now() < deadline) {
            MACSTATS_CHECK(cable_.clock().sleep(std::chrono::milliseconds(1)));
            MACSTATS_TRY(const auto next, look_for_arrival(end, sizes, before));
            if (next > seen)
                deadline = cable_.clock().now() + wire_limits.arrival;
            seen = next;
        }
        return seen;
    }

    // Of the frames that the device at @end should have received.
    [[nodiscard]] std::string remark(std::size_t end) const {
        const Received& received = received_.at(end);
        if (!received.sent)
            return "";
        return fmt::format(
            "{} of {} {} arrived at {}", received.arrived, received.sent,
            received.sent == 1 ? "frame" : "frames", cable_.port(end).end().interface);
    }

    struct Received {
        std::uint64_t sent = 0;
        std::uint64_t arrived = 0;
    };

    Cable& cable_;
    std::vector<ScenarioDevice> devices_;                // of the scenario
    std::array<std::optional<Observation>, 2> baseline_; // of the ends in use
    std::array<Received, 2> received_{};                 // by receive steps
    std::uint64_t last_arrived_ = 0;                     // of the last step
};

class WireBackend final : public Backend {
public:
    explicit WireBackend(Cable cable) : cable_(std::move(cable)) {}

    [[nodiscard]] std::string_view name() const override { return "wire"; }

    // By the statistics that the ports report now.
    Result<AdaptedScenario> adapt(const Scenario& scenario) override {
        std::vector<WireEnd> ends = cable_.ends();
        for (std::size_t i = 0; i < ends.size(); i++) {
            MACSTATS_TRY(ends[i].reported, in_context(ends[i].interface, cable_.port(i).observe()));
        }
        return plan_for_wire(scenario, ends);
    }

    Result<std::unique_ptr<DeviceSet>> set_up(const std::vector<ScenarioDevice>& devices) override {
        auto set = std::make_unique<WireDevices>(cable_);
        MACSTATS_CHECK(set->set_up(devices));
        return std::unique_ptr<DeviceSet>(std::move(set));
    }

private:
    Cable cable_;
};

} // namespace

Result<std::unique_ptr<Backend>>
wire_backend(std::array<std::unique_ptr<WirePort>, 2> ports, std::unique_ptr<WireClock> clock) {
    Cable cable(std::move(ports), std::move(clock));
    MACSTATS_CHECK(cable.check());
    return std::unique_ptr<Backend>(std::make_unique<WireBackend>(std::move(cable)));
}

} // namespace macstats
