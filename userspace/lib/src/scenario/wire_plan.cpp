// SPDX-License-Identifier: GPL-2.0 OR MIT
// The part of a scenario that the wire, or a driver on the bench, can run. No input or output is
// here.
#include "scenario/wire_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/standard.h>

#include "core/error.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/device/standard.hpp"
#include "scenario/lookup.hpp"

namespace macstats {

namespace {

// The most frames that a scenario may send on the wire.
constexpr std::uint64_t most_wire_frames = 100'000;

Error unsupported(std::string reason) {
    return {DeviceSet::unsupported, std::move(reason)};
}

// "1 frame of 64 octets"
std::string frames_text(const SendStep& step) {
    return fmt::format(
        "{} {} of {} octets", step.count, step.count == 1 ? "frame" : "frames", step.frame.length);
}

// The MTU that a socket needs to send the frame. The kernel allows for one tag.
std::uint32_t needed_mtu(const macstats_frame& frame) {
    const std::uint32_t overhead = MACSTATS_HEADER_LEN + MACSTATS_FCS_LEN +
                                   (frame.vlan_tags ? std::uint32_t{MACSTATS_TAG_LEN} : 0U);
    return frame.length > overhead ? frame.length - overhead : 0;
}

// Kinds of links that software implements. Other kinds have hardware: a port of a switch is of
// the kind "dsa".
constexpr std::string_view virtual_kinds[] = {
    "bareudp",   "batadv",    "bond",   "bridge",      "dummy",   "erspan",
    "geneve",    "gretap",    "gtp",    "hsr",         "ifb",     "ip6erspan",
    "ip6gretap", "ipvlan",    "ipvtap", "macsec",      "macvlan", "macvtap",
    "netdevsim", "netkit",    "nlmon",  "openvswitch", "team",    "tun",
    "veth",      "virt_wifi", "vlan",   "vrf",         "vxlan"};

bool is_virtual_kind(std::string_view kind) {
    return std::find(std::begin(virtual_kinds), std::end(virtual_kinds), kind) !=
           std::end(virtual_kinds);
}

// The members of the rtnl group that every driver counts.
constexpr std::string_view always_counted[] = {"rx_packets", "tx_packets", "rx_bytes", "tx_bytes"};

bool is_always_counted(std::string_view name) {
    return std::find(std::begin(always_counted), std::end(always_counted), name) !=
           std::end(always_counted);
}

// Nanoseconds that a scenario may let pass.
constexpr std::uint64_t most_slept = 86'400'000'000'000;

Result<void> check_frame(const macstats_frame& frame) {
    if (frame.errors)
        return unsupported(fmt::format(
            "the wire carries good frames only; this one has the errors {}",
            fmt::join(names_in(error_names, frame.errors), ", ")));
    if (frame.collisions || frame.deferred)
        return unsupported("no socket causes collisions or deferral");
    if (macstats_descriptors(&frame) > 1 || macstats_names_controls(&frame))
        return unsupported("no socket chooses the descriptors of a packet");
    if (frame.direction == MACSTATS_TX && frame.origin == MACSTATS_BY_MAC)
        return unsupported("software cannot make a MAC send its own pause frames");
    if (frame.length < MACSTATS_FRAME_MIN)
        return unsupported(fmt::format(
            "a frame of {} octets never crosses the wire: ports pad it to {}", frame.length,
            MACSTATS_FRAME_MIN));
    return {};
}

class Plan {
public:
    Plan(const Scenario& scenario, std::span<const WireEnd> ends)
        : ends_(ends),
          adapted_{scenario, {}} {}

    Result<AdaptedScenario> make() {
        Scenario& scenario = *adapted_.scenario;
        for (std::size_t i = 0; i < scenario.steps.size(); i++) {
            step_ = i;
            MACSTATS_CHECK(
                std::visit([this](auto& step) { return this->adapt(step); }, scenario.steps[i]));
        }
        for (const auto& [why, left_out] : left_out_)
            adapted_.not_compared.push_back(fmt::format("{}: {}", why, fmt::join(left_out, ", ")));
        if (wanted_ && !kept_)
            return unsupported(fmt::format(
                "nothing of what it expects can be compared: {}",
                fmt::join(adapted_.not_compared, "; ")));
        return std::move(adapted_);
    }

private:
    [[nodiscard]] const ScenarioDevice& device(ScenarioPort port) const {
        return adapted_.scenario->devices.at(port.device);
    }

    // The end that runs a port, if it can.
    Result<const WireEnd*> end_of(ScenarioPort port) {
        const std::string name = port_name(device(port), port.index);
        const auto found = std::find_if(
            ends_.begin(), ends_.end(), [&name](const WireEnd& end) { return end.name == name; });
        if (found == ends_.end())
            return unsupported(fmt::format("no interface is given for its port {}", name));
        if (!found->served && is_virtual_kind(found->kind))
            return unsupported(fmt::format(
                "{} is a virtual interface ({}), which has no MAC", found->interface, found->kind));
        if (!found->model && !found->why_no_model.empty())
            return unsupported(found->why_no_model);
        if (!found->model)
            return unsupported(fmt::format(
                "the model of {} is unknown, as macstats does not serve it: --model names it",
                found->interface));
        const ScenarioDevice& wanted = device(port);
        const bool on_bench = found->emulated.has_value();
        if (wanted.model != found->model)
            return unsupported(fmt::format(
                "it is about {}, and {} is {}", wanted.model->name, found->interface,
                found->model->name));
        const std::uint16_t usual = found->emulated.value_or(wanted.model->default_options);
        if (wanted.options != usual)
            return unsupported(fmt::format(
                "{} has other options than {}: {}", wanted.name,
                on_bench ? "the hardware of " + found->interface : "a driver's default",
                options_text(wanted, usual)));
        if (wanted.line_rate_bound && on_bench)
            return unsupported(
                fmt::format("{} has a bound that no driver has: line_rate_bound", wanted.name));
        // On the bench, the backend looks whether the scenario holds with those of the driver.
        if (!wanted.registers.empty() && !on_bench)
            return unsupported(fmt::format(
                "{} sets register {}, which this backend cannot write", wanted.name,
                wanted.registers.front().name));
        return &*found;
    }

    static std::string options_text(const ScenarioDevice& wanted, std::uint16_t than) {
        const auto usual = option_settings(*wanted.model, than);
        std::vector<std::string> differ;
        for (const OptionSetting& setting : option_settings(*wanted.model, wanted.options)) {
            const auto same =
                std::find_if(usual.begin(), usual.end(), [&setting](const OptionSetting& other) {
                    return other.name == setting.name && other.word == setting.word;
                });
            if (same == usual.end())
                differ.push_back(fmt::format("{}={}", setting.name, setting.word));
        }
        return fmt::format("{}", fmt::join(differ, ", "));
    }

    Result<void> adapt(SendStep& step) {
        MACSTATS_TRY(const WireEnd* port, end_of(step.port));
        if (port->emulated)
            return {};
        MACSTATS_CHECK(check_frame(step.frame));
        for (const WireEnd& end : ends_)
            if (needed_mtu(step.frame) > end.mtu)
                return unsupported(fmt::format(
                    "a frame of {} octets requires an MTU of {}, and {} has {}", step.frame.length,
                    needed_mtu(step.frame), end.interface, end.mtu));
        if (step.count > most_wire_frames - frames_)
            return unsupported(fmt::format(
                "{} take too long on a wire: a scenario may send {}", frames_text(step),
                most_wire_frames));
        frames_ += step.count;
        return {};
    }

    Result<void> cannot(std::string_view kind, std::string_view why) const {
        return unsupported(fmt::format("its step {} ({}) {}", step_, kind, why));
    }

    Result<void> adapt(ReadStep&) const { return cannot("read", "reads a register"); }
    Result<void> adapt(WriteStep&) const { return cannot("write", "writes a register"); }

    Result<void> adapt(PresetStep& step) {
        MACSTATS_TRY(const WireEnd* end, end_of(step.port));
        return end->emulated ? Result<void>() : cannot("preset", "sets hardware counters");
    }

    Result<void> adapt(FaultStep& step) {
        MACSTATS_TRY(const WireEnd* end, end_of(step.port));
        if (!end->emulated)
            return cannot("fault", "requires an emulated fault");
        if (step.request.announced)
            return cannot("fault", "has the driver announce a reset");
        return {};
    }

    Result<void> adapt(AdvanceStep& step) {
        if (!ends_.front().emulated)
            return cannot("advance", "lets time pass");
        if (step.nanoseconds > most_slept - slept_)
            return cannot("advance", "lets more than a day pass");
        slept_ += step.nanoseconds;
        return {};
    }

    Result<void> adapt(PollStep& step) {
        MACSTATS_CHECK(end_of(step.port));
        return {};
    }

    Result<void> adapt(ExpectStep& step) {
        MACSTATS_TRY(const WireEnd* end, end_of(step.port));
        for (const ExpectStep::Total& total : step.totals)
            if (total.counter.value() >= end->model->n_counters)
                return invalid(
                    "counter {}: {} has {} counters", total.counter.value(), end->model->name,
                    end->model->n_counters);
        if (!step.fresh)
            return cannot("expect", "expects the totals of an earlier poll; a driver polls itself");
        const bool has_state = step.state.stale || step.state.possible_loss ||
                               step.state.discontinuities || step.state.saturated;
        wanted_ |= !step.totals.empty() || !step.standard.empty() || step.others == Others::zero ||
                   has_state;
        if (!end->served) {
            derive_standard(*end, step);
            if (has_state)
                leave_out(*end, "state");
            step.state = {};
        }
        std::erase_if(step.totals, [this, end](const ExpectStep::Total& total) {
            return total.value && lacks(*end, total.counter);
        });
        std::erase_if(step.standard, [this, end](const ExpectedStandard& wanted) {
            return cannot_compare(*end, wanted);
        });
        for (ExpectedStandard& wanted : step.standard)
            if (end->emulated && wanted.if_uncounted.empty() && wanted.group == "rtnl" &&
                is_always_counted(wanted.name))
                // On the bench there are no frames in memory, which many drivers count themselves.
                wanted.if_uncounted =
                    fmt::format("{} reports 0 and may count frames in memory", end->interface);
        kept_ |= !step.totals.empty() || !step.standard.empty() || step.others == Others::zero ||
                 (end->served && has_state);
        return {};
    }

    // The expected standard statistics in place of the expected totals. Totals that no such
    // statistic shows are listed.
    void derive_standard(const WireEnd& end, ExpectStep& step) {
        const macstats_model& model = *end.model;
        std::vector<std::uint64_t> totals(model.n_counters);
        std::vector<bool> known(model.n_counters, step.others == Others::zero);
        for (const auto& [counter, value] : step.totals) {
            known.at(counter.value()) = value.has_value();
            totals.at(counter.value()) = value.value_or(0);
        }
        std::set<unsigned int> unknown; // the statistics that an unknown counter feeds
        for (std::size_t i = 0; i < known.size(); i++)
            for (const macstats_term& term : model.counters[i].standard)
                if (!known[i] && !macstats_is_histogram(term.id))
                    unknown.insert(term.id);

        const auto values =
            standard_values(standard_of_totals(model, totals), buckets_of(model), totals);
        std::vector<bool> shown(model.n_counters);
        for (const StandardValue& value : values) {
            const bool is_known = std::all_of(
                value.counters.begin(), value.counters.end(),
                [&known](CounterIndex counter) { return known.at(counter.value()); });
            if (!is_known || unknown.contains(value.id))
                continue;
            if (value.counters.empty())
                add_addends(model, value.id, shown);
            for (const CounterIndex counter : value.counters)
                shown.at(counter.value()) = true;
            const auto [group, name] = standard_name(value.id);
            const bool is_bucket = macstats_is_histogram(value.id);
            const bool expected = std::any_of(
                step.standard.begin(), step.standard.end(), [&](const ExpectedStandard& wanted) {
                    return find_expected({&value, 1}, wanted) != nullptr;
                });
            if (!expected && !may_be_uncounted(end, value))
                step.standard.push_back(
                    {.group = std::string(group),
                     .name = std::string(name),
                     .low = is_bucket ? std::optional(value.low) : std::nullopt,
                     .value = value.value,
                     .if_uncounted =
                         end.emulated && group == "rtnl" ? why_uncounted(end) : std::string()});
        }
        std::vector<ExpectStep::Total> of_strings;
        for (const auto& [counter, name] : end.strings)
            if (known.at(counter.value())) {
                shown.at(counter.value()) = true;
                of_strings.push_back({counter, totals.at(counter.value())});
            }
        list_not_shown(end, step, shown);
        step.totals = std::move(of_strings);
        step.others = Others::any;
    }

    // The counters of which a statistic is the sum.
    static void
    add_addends(const macstats_model& model, unsigned int id, std::vector<bool>& addends) {
        for (std::size_t i = 0; i < addends.size(); i++)
            for (const macstats_term& term : model.counters[i].standard)
                if (term.id == id)
                    addends[i] = true;
    }

    void
    list_not_shown(const WireEnd& end, const ExpectStep& step, const std::vector<bool>& shown) {
        const std::string why = fmt::format("no standard statistic of {} shows", end.interface);
        std::vector<bool> unnamed(shown.size(), step.others == Others::zero);
        for (const ExpectStep::Total& total : step.totals) {
            const std::size_t counter = total.counter.value();
            unnamed.at(counter) = false;
            if (!shown.at(counter))
                leave_out(why, end.model->counters[counter].name);
        }
        std::size_t others = 0;
        for (std::size_t i = 0; i < shown.size(); i++)
            others += unnamed[i] && !shown[i];
        if (others)
            leave_out(why, fmt::format("{} others", others));
    }

    static std::string why_uncounted(const WireEnd& end) {
        return fmt::format("{} reports 0 and may not count", end.interface);
    }

    // The kernel reports all members of the rtnl group. One that was never anything but 0 may
    // be one that the driver never counts. On the bench, what it is after the frames decides.
    bool may_be_uncounted(const WireEnd& end, const StandardValue& derived) {
        const auto [group, name] = standard_name(derived.id);
        if (group != "rtnl" || end.emulated || is_always_counted(name))
            return false;
        const StandardValue* reported = find_same(end.reported.standard, derived);
        if (!reported || reported->value)
            return false;
        leave_out(why_uncounted(end), fmt::format("{}/{}", group, name));
        return true;
    }

    bool lacks(const WireEnd& end, CounterIndex counter) {
        if (counter.value() < end.reported.totals.size() &&
            !is_absent(end.reported.absent, counter))
            return false;
        leave_out(end, end.model->counters[counter.value()].name);
        return true;
    }

    // Without a value, the statistic must not be reported. The kernel reports all members of
    // the rtnl group, whatever the driver counts, and nothing asks it for the group mm.
    bool cannot_compare(const WireEnd& end, const ExpectedStandard& wanted) {
        const bool comparable =
            wanted.value ? find_expected(end.reported.standard, wanted) != nullptr
                         : end.served || (wanted.group != "rtnl" && wanted.group != "mm");
        if (comparable)
            return false;
        leave_out(
            end, fmt::format(
                     "{}/{}{}", wanted.group, wanted.name,
                     wanted.low ? fmt::format(" from {}", *wanted.low) : ""));
        return true;
    }

    void leave_out(const WireEnd& end, std::string what) {
        leave_out(fmt::format("{} does not report", end.interface), std::move(what));
    }

    void leave_out(const std::string& why, std::string what) {
        auto& list = left_out_[why];
        if (std::find(list.begin(), list.end(), what) == list.end())
            list.push_back(std::move(what));
    }

    std::span<const WireEnd> ends_;
    AdaptedScenario adapted_;
    std::map<std::string, std::vector<std::string>> left_out_;
    std::size_t step_ = 0;
    std::uint64_t frames_ = 0;
    std::uint64_t slept_ = 0;
    bool wanted_ = false; // the scenario expects something, ...
    bool kept_ = false;   // ... and some of it is compared
};

// IEEE 802, Local Experimental EtherType 1: what protocols of the stack never send.
constexpr std::uint16_t experimental = 0x88b5;
constexpr std::uint16_t first_ethertype = 0x0600; // smaller values are lengths
constexpr std::uint16_t vlan_tag = 0x8100;
constexpr std::uint16_t mac_control = 0x8808;
constexpr EthernetAddress control_group = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
constexpr EthernetAddress data_group = {0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
constexpr EthernetAddress everybody = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

const EthernetAddress&
destination_of(const macstats_frame& frame, const EthernetAddress& receiver) {
    if (frame.destination == MACSTATS_BROADCAST)
        return everybody;
    if (frame.destination == MACSTATS_UNICAST)
        return receiver;
    return frame.kind == MACSTATS_DATA ? data_group : control_group;
}

std::uint16_t type_at(std::span<const std::byte> octets, std::size_t at) {
    if (octets.size() < at + 2)
        return 0;
    return static_cast<std::uint16_t>(
        std::to_integer<unsigned int>(octets[at]) << 8 |
        std::to_integer<unsigned int>(octets[at + 1]));
}

constexpr std::size_t source_at = 6;
constexpr std::size_t type_offset = 12;

} // namespace

Result<AdaptedScenario> plan_for_wire(const Scenario& scenario, std::span<const WireEnd> ends) {
    return Plan(scenario, ends).make();
}

Result<std::vector<std::byte>> wire_octets(
    const macstats_frame& frame, const EthernetAddress& source, const EthernetAddress& receiver) {
    if (frame.vlan_tags > 2)
        return Error{ERANGE, "vlan_tags is not in 0 to 2"};
    MACSTATS_CHECK(check_frame(frame));
    std::vector<std::byte> octets;
    const auto put = [&octets](unsigned int value) {
        octets.push_back(std::byte(value >> 8));
        octets.push_back(std::byte(value & 0xff));
    };
    for (const EthernetAddress& address : {destination_of(frame, receiver), source})
        for (const std::uint8_t octet : address)
            octets.push_back(std::byte(octet));
    for (unsigned int i = 0; i < frame.vlan_tags; i++) {
        put(vlan_tag);
        put(0); // priority 0, no VLAN
    }
    switch (frame.kind) {
    case MACSTATS_DATA:
        put(experimental);
        break;
    case MACSTATS_PAUSE:
        put(mac_control);
        put(0x0001);
        put(1); // for one quantum: 512 bit times
        break;
    case MACSTATS_PFC:
        put(mac_control);
        put(0x0101);
        put(1); // priority 0, ...
        put(1); // ... for one quantum
        break;
    default:
        put(mac_control);
        put(0x1234); // an opcode that nobody has
        break;
    }
    octets.resize(frame.length - MACSTATS_FCS_LEN);
    return octets;
}

bool is_wire_frame(std::span<const std::byte> octets, const EthernetAddress& source) {
    if (octets.size() < type_offset + 2 ||
        !std::equal(
            source.begin(), source.end(), octets.begin() + source_at,
            [](std::uint8_t wanted, std::byte octet) { return std::byte(wanted) == octet; }))
        return false;
    std::size_t at = type_offset;
    while (type_at(octets, at) == vlan_tag)
        at += MACSTATS_TAG_LEN;
    const std::uint16_t type = type_at(octets, at);
    return type == experimental || type == mac_control;
}

std::string describe_frame(std::span<const std::byte> octets) {
    if (octets.size() < type_offset + 2)
        return "a frame without a header";
    std::vector<unsigned int> source;
    for (const std::byte octet : octets.subspan(source_at, std::tuple_size_v<EthernetAddress>))
        source.push_back(std::to_integer<unsigned int>(octet));
    const std::uint16_t type = type_at(octets, type_offset);
    return fmt::format(
        "{} from {:02x}",
        type < first_ethertype ? fmt::format("length {}", type)
                               : fmt::format("EtherType 0x{:04x}", type),
        fmt::join(source, ":"));
}

namespace {

Error went_back(const std::string& what, std::uint64_t before, std::uint64_t after) {
    return {EBADMSG, fmt::format("{} went back from {} to {}", what, before, after)};
}

// Many drivers count in 32 bits.
Result<std::uint64_t>
increase(const StandardValue& statistic, std::uint64_t before, std::uint64_t after) {
    if (after >= before)
        return after - before;
    if (before <= UINT32_MAX)
        return std::uint64_t{static_cast<std::uint32_t>(after - before)};
    const auto [group, name] = standard_name(statistic.id);
    return went_back(fmt::format("{}/{}", group, name), before, after);
}

} // namespace

Result<Observation> observed_difference(const Observation& before, const Observation& after) {
    Observation difference = after;
    difference.absent.clear();
    for (std::size_t i = 0; i < after.totals.size(); i++) {
        const CounterIndex index(static_cast<std::uint32_t>(i));
        if (i >= before.totals.size() || is_absent(before.absent, index) ||
            is_absent(after.absent, index)) {
            difference.absent.push_back(index);
            difference.totals[i] = 0;
        } else if (after.totals[i] < before.totals[i]) {
            return went_back(fmt::format("counter {}", i), before.totals[i], after.totals[i]);
        } else {
            difference.totals[i] = after.totals[i] - before.totals[i];
        }
    }
    difference.standard.clear();
    for (const StandardValue& statistic : after.standard)
        if (const StandardValue* old = find_same(before.standard, statistic)) {
            StandardValue& increased = difference.standard.emplace_back(statistic);
            MACSTATS_TRY(increased.value, increase(statistic, old->value, statistic.value));
        }
    difference.possible_loss = after.possible_loss && !before.possible_loss;
    difference.discontinuities = after.discontinuities - before.discontinuities;
    std::erase_if(difference.saturated, [&before](CounterIndex counter) {
        return std::find(before.saturated.begin(), before.saturated.end(), counter) !=
               before.saturated.end();
    });
    return difference;
}

} // namespace macstats
