// SPDX-License-Identifier: GPL-2.0 OR MIT
// Splits notifications into events: one message may report several.
#include "libmacstats/netlink/events.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>

#include <linux/genetlink.h>
#include <macstats/accumulator.h>
#include <macstats/netlink.h>

#include "libmacstats/core/try.hpp"
#include "netlink/messages.hpp"

namespace macstats {

namespace {

// The kernel's bits are in the order of enum EventKind. Higher ones are those of a newer kernel.
static_assert(
    MACSTATS_EVENT_MISFIT ==
    1 << (static_cast<int>(EventKind::misfit) - static_cast<int>(EventKind::stale)));

EventKind kind_of_bit(int bit) {
    return static_cast<EventKind>(
        std::min(static_cast<int>(EventKind::stale) + bit, static_cast<int>(EventKind::other)));
}

struct Notification {
    PortInfo port;
    std::optional<std::uint64_t> time_ns;
    std::uint32_t events = 0;
};

Notification read_notification(Attributes& from) {
    return {
        .port = read_port(from),
        .time_ns = from.optional_u64(MACSTATS_A_PORT_TIME),
        .events = from.optional_u32(MACSTATS_A_PORT_EVENT).value_or(0),
    };
}

std::vector<Event> events_of(std::uint8_t command, const Notification& from) {
    const auto event = [&from](EventKind kind) {
        return Event{.kind = kind, .time_ns = from.time_ns, .port = from.port};
    };
    if (command == MACSTATS_CMD_PORT_NEW_NTF)
        return {event(EventKind::port_added)};
    if (command == MACSTATS_CMD_PORT_DEL_NTF)
        return {event(EventKind::port_removed)};
    if (command != MACSTATS_CMD_PORT_EVENT_NTF)
        return {event(EventKind::other)};

    std::vector<Event> events;
    for (unsigned int rest = from.events; rest; rest &= rest - 1)
        events.push_back(event(kind_of_bit(std::countr_zero(rest))));
    // The state tells which of both came last.
    const auto recovered = std::find_if(events.begin(), events.end(), [](const Event& one) {
        return one.kind == EventKind::recovered;
    });
    if (from.port.stale && recovered != events.end())
        std::rotate(events.begin(), recovered, recovered + 1);
    return events;
}

} // namespace

std::string_view event_name(EventKind kind) {
    constexpr auto names = std::to_array<std::string_view>(
        // in the order of enum EventKind
        {"port_added", "port_removed", "stale", "recovered", "discontinuity", "parity_error",
         "possible_loss", "saturated", "misfit", "other", "lost", "modules_unloaded",
         "modules_loaded"});
    return names.at(static_cast<std::size_t>(kind));
}

std::vector<Saturation> latest_of(std::span<const Saturation> saturated) {
    std::uint64_t latest = 0;
    for (const Saturation& one : saturated)
        latest = std::max(latest, one.time_ns);
    std::vector<Saturation> found;
    std::copy_if(
        saturated.begin(), saturated.end(), std::back_inserter(found),
        [latest](const Saturation& one) { return one.time_ns == latest; });
    return found;
}

Result<EventStream> EventStream::open() {
    MACSTATS_TRY(auto netlink, GenericNetlink::open());
    // First, so that no change is missed. The only group of the controller has its number.
    MACSTATS_TRY(auto listener, open_listener(GENL_ID_CTRL));
    EventStream stream(std::move(netlink), std::move(listener), 0);
    MACSTATS_TRY(stream.family_, stream.join());
    return stream;
}

EventStream::EventStream(
    GenericNetlink netlink, std::unique_ptr<Listener> listener, std::uint16_t family)
    : netlink_(std::move(netlink)),
      listener_(std::move(listener)),
      family_(family) {}

// Joins the group of events, unless the family has the number that is known. Returns it.
Result<std::uint16_t> EventStream::join() {
    MACSTATS_TRY(const auto family, netlink_.family(MACSTATS_GENL_NAME, MACSTATS_GENL_VERSION));
    if (family != family_) {
        MACSTATS_TRY(
            const auto group, netlink_.multicast_group(MACSTATS_GENL_NAME, MACSTATS_GENL_EVENTS));
        MACSTATS_CHECK(listener_->join(group));
    }
    return family;
}

Result<void> EventStream::find_family() {
    const auto family = join();
    must_find_ = false;
    if (family || family.error().errnum == Error::not_loaded) {
        set_family(family ? *family : std::uint16_t{0});
        return {};
    }
    must_find_ = family.error().errnum != Error::other_protocol; // until other modules are loaded
    return family.error();
}

void EventStream::set_family(std::uint16_t family) {
    if (std::exchange(family_, family) != family)
        waiting_.push_back(Event{
            .kind = family ? EventKind::modules_loaded : EventKind::modules_unloaded,
            .time_ns = {},
            .port = {}});
}

Result<std::optional<Event>> EventStream::next(std::optional<std::chrono::milliseconds> timeout) {
    using Clock = std::chrono::steady_clock;
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    const auto start = Clock::now();

    while (waiting_.empty()) {
        if (must_find_) {
            MACSTATS_CHECK(find_family());
            continue;
        }
        std::optional<milliseconds> left;
        if (timeout)
            left = std::max(
                milliseconds(0), *timeout - duration_cast<milliseconds>(Clock::now() - start));
        auto datagram = listener_->receive(left);
        if (datagram) {
            MACSTATS_CHECK(take(*datagram));
        } else if (datagram.error().errnum == ENOBUFS) {
            must_find_ = true; // a notification of the controller may be lost, too
            waiting_.push_back(Event{.kind = EventKind::lost, .time_ns = {}, .port = {}});
        } else if (datagram.error().errnum == ETIMEDOUT) {
            return std::optional<Event>();
        } else if (datagram.error().errnum != EINTR) {
            return datagram.error();
        }
    }
    Event event = std::move(waiting_.front());
    waiting_.pop_front();
    return std::optional<Event>(std::move(event));
}

Result<void> EventStream::take(const Datagram& datagram) {
    MACSTATS_TRY(const auto changes, messages_in(datagram, GENL_ID_CTRL));
    for (const Reply& message : changes) {
        MACSTATS_TRY(auto attributes, Attributes::parse(message.payload));
        if (message.command == CTRL_CMD_NEWFAMILY)
            must_find_ |= attributes.string(CTRL_ATTR_FAMILY_NAME) == MACSTATS_GENL_NAME;
        else if (
            message.command == CTRL_CMD_DELFAMILY && attributes.u16(CTRL_ATTR_FAMILY_ID) == family_)
            set_family(0);
    }
    MACSTATS_TRY(const auto messages, messages_in(datagram, family_));
    for (const Reply& message : messages) {
        MACSTATS_TRY(const auto notification, decode(message, read_notification));
        for (Event& event : events_of(message.command, notification))
            waiting_.push_back(std::move(event));
    }
    return {};
}

} // namespace macstats
