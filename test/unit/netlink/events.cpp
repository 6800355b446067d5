// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Notifications become events, without a kernel: what is told, in which order,
// and that losses are told, too.
#include "boost_test.hpp"

#include <algorithm>

#include <macstats/accumulator.h>
#include <macstats/netlink.h>

#include "libmacstats/netlink/events.hpp"
#include "netlink_attributes.hpp"
#include "netlink_fake.hpp"

BOOST_AUTO_TEST_SUITE(unit_events)

using namespace macstats;
using namespace macstats::test;
using std::chrono::milliseconds;

namespace {

// Returns the datagrams of the script.
class FakeListener final : public Listener {
public:
    explicit FakeListener(std::shared_ptr<Script> script) : script_(std::move(script)) {}

    Result<Datagram> receive(std::optional<milliseconds> timeout) override {
        waited.push_back(timeout);
        if (script_->answers.empty())
            return Error{ETIMEDOUT, "nothing came"};
        auto answer = std::move(script_->answers.front());
        script_->answers.pop_front();
        return answer;
    }

    Result<void> join(std::uint32_t group) override {
        joined_groups.push_back(group);
        return {};
    }

    [[nodiscard]] int fd() const override { return 42; }

    std::vector<std::optional<milliseconds>> waited;
    std::vector<std::uint32_t> joined_groups;

private:
    std::shared_ptr<Script> script_;
};

struct Listening {
    std::shared_ptr<Script> script = std::make_shared<Script>();
    std::shared_ptr<Script> controller = std::make_shared<Script>();
    FakeListener* listener = nullptr;
    EventStream stream = open();

    EventStream open() {
        auto fake = std::make_unique<FakeListener>(script);
        listener = fake.get();
        return {conversation(controller), std::move(fake), family};
    }

    // It asks for the family, then for the group of events.
    void answer_for_stream(std::uint16_t id) const {
        answer_family(*controller, id);
        answer_family(*controller, id);
    }

    Event next() {
        auto event = stream.next(milliseconds(0));
        BOOST_REQUIRE(event->has_value());
        return **event;
    }

    bool is_silent() {
        const auto event = stream.next(milliseconds(0));
        return event.has_value() && !event->has_value();
    }
};

Datagram happened(std::uint32_t events, const Datagram& more = {}) {
    return reply(
        MACSTATS_CMD_PORT_EVENT_NTF,
        joined({port_attributes(), u32(MACSTATS_A_PORT_EVENT, events), more}));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(event_stream, Listening)

BOOST_AUTO_TEST_CASE(added_and_removed_ports_are_reported_with_their_attributes) {
    script->answer({reply(MACSTATS_CMD_PORT_NEW_NTF, port_attributes())});
    script->answer({reply(MACSTATS_CMD_PORT_DEL_NTF, port_attributes(10, "mac1"))});
    const Event added = next();
    BOOST_TEST((added.kind == EventKind::port_added));
    BOOST_TEST(added.port.name == "mac0");
    BOOST_TEST(added.port.ifindex.value() == 9U);
    BOOST_TEST(added.port.model == "some_mac");
    BOOST_TEST(added.port.model_id.value() == 7U);
    BOOST_TEST(added.time_ns.value() == 6'000'000'000U);
    const Event removed = next();
    BOOST_TEST((removed.kind == EventKind::port_removed));
    BOOST_TEST(removed.port.name == "mac1");
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(each_kind_of_event_has_its_name) {
    const std::pair<unsigned int, std::string_view> kinds[] = {
        {MACSTATS_EVENT_STALE, "stale"},
        {MACSTATS_EVENT_RECOVERED, "recovered"},
        {MACSTATS_EVENT_DISCONTINUITY, "discontinuity"},
        {MACSTATS_EVENT_PARITY_ERROR, "parity_error"},
        {MACSTATS_EVENT_POSSIBLE_LOSS, "possible_loss"},
        {MACSTATS_EVENT_SATURATED, "saturated"},
        {MACSTATS_EVENT_MISFIT, "misfit"},
    };
    for (const auto& [bit, name] : kinds) {
        script->answer({happened(bit)});
        BOOST_TEST(event_name(next().kind) == name);
        BOOST_TEST(is_silent());
    }
}

BOOST_AUTO_TEST_CASE(several_events_of_one_poll_are_one_each) {
    script->answer({happened(MACSTATS_EVENT_DISCONTINUITY | MACSTATS_EVENT_PARITY_ERROR)});
    BOOST_TEST((next().kind == EventKind::discontinuity));
    BOOST_TEST((next().kind == EventKind::parity_error));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(unknown_events_of_a_newer_kernel_are_reported) {
    script->answer({happened(1U << 30)});
    script->answer({reply(99, port_attributes())});
    BOOST_TEST((next().kind == EventKind::other));
    BOOST_TEST((next().kind == EventKind::other));
}

BOOST_AUTO_TEST_CASE(unknown_attributes_and_another_order_change_nothing) {
    script->answer({reply(
        MACSTATS_CMD_PORT_EVENT_NTF,
        joined(
            {u32(MACSTATS_A_PORT_EVENT, MACSTATS_EVENT_STALE), u64(200, 1),
             flag(MACSTATS_A_PORT_STALE), text(MACSTATS_A_PORT_STALE_REASON, "no snapshot"),
             port_attributes()}))});
    const Event event = next();
    BOOST_TEST((event.kind == EventKind::stale));
    BOOST_TEST(event.port.stale_reason == "no snapshot");
    BOOST_TEST(event.port.name == "mac0");
}

// Two polls may have ended before the kernel reports: the state tells which came last.
BOOST_AUTO_TEST_CASE(stale_and_recovered_in_one_message_end_with_the_state_of_the_port) {
    constexpr unsigned int both = MACSTATS_EVENT_STALE | MACSTATS_EVENT_RECOVERED;

    script->answer({happened(both)});
    BOOST_TEST((next().kind == EventKind::stale));
    BOOST_TEST((next().kind == EventKind::recovered));
    script->answer({happened(both | MACSTATS_EVENT_POSSIBLE_LOSS, flag(MACSTATS_A_PORT_STALE))});
    BOOST_TEST((next().kind == EventKind::recovered));
    BOOST_TEST((next().kind == EventKind::stale));
    BOOST_TEST((next().kind == EventKind::possible_loss));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(messages_of_one_datagram_come_one_after_the_other) {
    script->answer({happened(MACSTATS_EVENT_STALE), happened(MACSTATS_EVENT_RECOVERED)});
    BOOST_TEST((next().kind == EventKind::stale));
    BOOST_TEST((next().kind == EventKind::recovered));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(messages_of_other_families_are_left_out) {
    script->answer({message(family + 1, 0, Datagram(20)), happened(MACSTATS_EVENT_STALE)});
    BOOST_TEST((next().kind == EventKind::stale));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(lost_events_are_reported_in_their_place) {
    script->answer({happened(MACSTATS_EVENT_STALE)});
    script->fail(ENOBUFS);
    script->answer({happened(MACSTATS_EVENT_RECOVERED)});
    BOOST_TEST((next().kind == EventKind::stale));
    const Event lost = next();
    BOOST_TEST((lost.kind == EventKind::lost));
    BOOST_TEST(!lost.time_ns.has_value());
    answer_family(*controller, family);
    BOOST_TEST((next().kind == EventKind::recovered));
}

BOOST_AUTO_TEST_CASE(a_stream_goes_on_when_the_modules_are_loaded_again) {
    constexpr std::uint16_t other = family + 1;
    script->answer({family_change(CTRL_CMD_DELFAMILY, "macstats", family)});
    script->answer({family_change(CTRL_CMD_NEWFAMILY, "macstats", other)});
    const Event unloaded = next();
    BOOST_TEST((unloaded.kind == EventKind::modules_unloaded));
    BOOST_TEST(!unloaded.has_port());
    BOOST_TEST(controller->sent.empty()); // which would load the modules
    answer_for_stream(other);
    const Event loaded = next();
    BOOST_TEST((loaded.kind == EventKind::modules_loaded));
    BOOST_TEST(!loaded.has_port());
    BOOST_TEST(listener->joined_groups == std::vector{6U}, boost::test_tools::per_element());
    script->answer({happened(MACSTATS_EVENT_STALE)}); // of the old family
    script->answer(
        {message(other, 0, octets::command(MACSTATS_CMD_PORT_DEL_NTF, 1, port_attributes()))});
    BOOST_TEST((next().kind == EventKind::port_removed));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(other_families_come_and_go_unnoticed) {
    script->answer({family_change(CTRL_CMD_DELFAMILY, "macstats_emu", family + 1)});
    script->answer({family_change(CTRL_CMD_NEWFAMILY, "macstats_emu", family + 2)});
    BOOST_TEST(is_silent());
    BOOST_TEST(controller->sent.empty());
}

BOOST_AUTO_TEST_CASE(modules_that_were_loaded_again_among_lost_events_are_reported) {
    script->fail(ENOBUFS);
    BOOST_TEST((next().kind == EventKind::lost));
    answer_for_stream(family + 1);
    BOOST_TEST((next().kind == EventKind::modules_loaded));
    script->fail(ENOBUFS);
    BOOST_TEST((next().kind == EventKind::lost));
    controller->answer({rejected(ENOENT)});
    BOOST_TEST((next().kind == EventKind::modules_unloaded));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(modules_that_are_gone_again_are_waited_for) {
    script->answer({family_change(CTRL_CMD_DELFAMILY, "macstats", family)});
    script->answer({family_change(CTRL_CMD_NEWFAMILY, "macstats", family + 1)});
    BOOST_TEST((next().kind == EventKind::modules_unloaded));
    controller->answer({rejected(ENOENT)});
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(loaded_modules_of_another_protocol_are_an_error_once) {
    script->answer({family_change(CTRL_CMD_NEWFAMILY, "macstats", family + 1)});
    answer_family(*controller, family + 1, MACSTATS_GENL_VERSION + 1);
    BOOST_TEST(stream.next(milliseconds(0)).error().errnum == Error::other_protocol);
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(a_family_that_could_not_be_found_is_looked_for_again) {
    script->answer({family_change(CTRL_CMD_NEWFAMILY, "macstats", family + 1)});
    controller->fail(ENOMEM);
    BOOST_TEST(stream.next(milliseconds(0)).error().errnum == ENOMEM);
    answer_for_stream(family + 1);
    BOOST_TEST((next().kind == EventKind::modules_loaded));
}

BOOST_AUTO_TEST_CASE(interrupted_system_calls_are_repeated_with_what_is_left_of_the_time) {
    script->fail(EINTR);
    script->fail(EINTR);
    script->answer({happened(MACSTATS_EVENT_STALE)});
    const auto event = stream.next(milliseconds(60'000));
    BOOST_TEST(event->has_value());
    BOOST_REQUIRE(listener->waited.size() == 3U);
    BOOST_TEST(listener->waited[2].value().count() <= listener->waited[0].value().count());
    BOOST_TEST(listener->waited[2].value().count() > 0);
}

// Not each time: a millisecond may pass before it waits.
BOOST_AUTO_TEST_CASE(a_millisecond_is_waited_for) {
    for (int i = 0; i < 20; i++)
        BOOST_TEST(stream.next(milliseconds(1)).has_value());
    BOOST_TEST(std::count(listener->waited.begin(), listener->waited.end(), milliseconds(1)) > 0);
}

BOOST_AUTO_TEST_CASE(without_a_timeout_it_is_waited_for_ever) {
    script->answer({happened(MACSTATS_EVENT_STALE)});
    BOOST_TEST(stream.next().has_value());
    BOOST_TEST(!listener->waited.at(0).has_value());
}

BOOST_AUTO_TEST_CASE(nothing_in_time_is_no_error) {
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(a_socket_that_fails_is_an_error) {
    script->fail(ENOMEM);
    BOOST_TEST(stream.next(milliseconds(0)).error().errnum == ENOMEM);
}

BOOST_AUTO_TEST_CASE(a_message_cut_off_anywhere_is_an_error_and_the_next_one_is_read) {
    const Datagram whole = happened(MACSTATS_EVENT_SATURATED, saturated(7, 1));
    for (std::size_t size = 1; size < whole.size(); size++) {
        script->answer(
            {Datagram(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))});
        script->answer({happened(MACSTATS_EVENT_STALE)});
        BOOST_TEST(stream.next(milliseconds(0)).error().errnum == EBADMSG);
        BOOST_TEST((next().kind == EventKind::stale));
    }
}

BOOST_AUTO_TEST_CASE(a_saturated_counter_without_its_times_is_an_error) {
    script->answer({happened(
        MACSTATS_EVENT_SATURATED,
        nest(MACSTATS_A_PORT_SATURATED, u32(MACSTATS_A_SATURATED_COUNTER, 1)))});
    BOOST_TEST(stream.next(milliseconds(0)).error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(the_socket_can_be_polled) {
    BOOST_TEST(stream.fd() == 42);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(multicast_groups)

BOOST_AUTO_TEST_CASE(a_group_is_known_by_the_number_that_the_controller_gives) {
    auto script = std::make_shared<Script>();
    GenericNetlink netlink = conversation(script);
    const Datagram groups =
        nest(CTRL_ATTR_MCAST_GROUPS, joined({group(1, "other", 5), group(2, "events", 6)}));
    for (int i = 0; i < 2; i++)
        script->reply(CTRL_CMD_NEWFAMILY, groups);
    const auto found = netlink.multicast_group("macstats", "events");
    BOOST_TEST(*found == 6U);
    BOOST_TEST(netlink.multicast_group("macstats", "nosuch").error().errnum == ENOENT);
}

BOOST_FIXTURE_TEST_CASE(saturated_counters_come_with_their_event, Listening) {
    script->answer({happened(MACSTATS_EVENT_SATURATED, saturated(4, 2))});
    const Event event = next();
    BOOST_TEST((event.kind == EventKind::saturated));
    BOOST_REQUIRE(event.port.saturated.size() == 1U);
    BOOST_TEST(event.port.saturated[0].counter.value() == 4U);
    BOOST_TEST(event.port.saturated[0].times == 2U);
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(a_saturated_event_is_about_the_counters_of_the_last_read) {
    const std::vector<Saturation> saturated = {
        {.counter = CounterIndex(1), .times = 2, .time_ns = 99},
        {.counter = CounterIndex(4), .times = 7, .time_ns = 50},
        {.counter = CounterIndex(6), .times = 1, .time_ns = 99}};
    const auto latest = latest_of(saturated);
    BOOST_REQUIRE(latest.size() == 2U);
    BOOST_TEST(latest[0].counter.value() == 1U);
    BOOST_TEST(latest[0].times == 2U);
    BOOST_TEST(latest[1].counter.value() == 6U);
    BOOST_TEST(latest_of({}).empty());
}

BOOST_FIXTURE_TEST_CASE(a_discontinuity_comes_with_the_counter_that_showed_it, Listening) {
    const Datagram suspect = joined(
        {u32(MACSTATS_A_PORT_DISCONTINUITY_COUNTER, 6),
         u64(MACSTATS_A_PORT_DISCONTINUITY_VALUE, 1ULL << 32)});
    script->answer({happened(MACSTATS_EVENT_DISCONTINUITY, suspect)});
    const Event event = next();
    BOOST_TEST((event.kind == EventKind::discontinuity));
    BOOST_REQUIRE(event.port.suspect.has_value());
    BOOST_TEST(event.port.suspect->counter.value() == 6U);
    BOOST_TEST(event.port.suspect->value == 1ULL << 32);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
