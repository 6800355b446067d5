// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Events and reads of ports behind one file descriptor, without a kernel.
#include "boost_test.hpp"

#include <thread>

#include <macstats/accumulator.h>
#include <macstats/netlink.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "libmacstats/netlink/watch.hpp"
#include "netlink_attributes.hpp"
#include "netlink_fake.hpp"

BOOST_AUTO_TEST_SUITE(unit_watch)

using namespace macstats;
using namespace macstats::test;
using std::chrono::milliseconds;

namespace {

// Readable while there are notifications.
class EventListener final : public Listener {
public:
    EventListener() = default;
    ~EventListener() override { (void)close(fd_); }

    void notify(const Datagram& datagram) {
        waiting_.push_back(datagram);
        BOOST_REQUIRE(eventfd_write(fd_, 1) == 0);
    }

    Result<Datagram> receive(std::optional<milliseconds> /*timeout*/) override {
        if (waiting_.empty())
            return Error{ETIMEDOUT, "nothing came"};
        eventfd_t one = 0;
        BOOST_REQUIRE(eventfd_read(fd_, &one) == 0);
        Datagram datagram = std::move(waiting_.front());
        waiting_.pop_front();
        return datagram;
    }

    Result<void> join(std::uint32_t /*group*/) override { return {}; }

    [[nodiscard]] int fd() const override { return fd_; }

private:
    int fd_ = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
    std::deque<Datagram> waiting_;
};

// Takes time for each answer, and rejects requests to a family that does not exist.
class Provider final : public Transport {
public:
    struct State {
        std::shared_ptr<Script> script = std::make_shared<Script>();
        std::uint16_t family = test::family; // 0: unloaded
        milliseconds answer_time{0};
    };

    explicit Provider(State& state) : state_(state) {}

    Result<void> send(std::span<const std::byte> datagram) override {
        const int asked = request_in({datagram.begin(), datagram.end()}).header.nlmsg_type;
        if (asked != GENL_ID_CTRL && asked != state_.family)
            state_.script->answers.push_front(rejected(ENOENT));
        return kernel_.send(datagram);
    }

    Result<Datagram> receive() override {
        std::this_thread::sleep_for(state_.answer_time);
        return kernel_.receive();
    }

private:
    State& state_;
    FakeKernel kernel_{state_.script};
};

struct Watching {
    Provider::State kernel;
    std::shared_ptr<Script> script = kernel.script;
    std::shared_ptr<Script> controller = std::make_shared<Script>();
    EventListener* listener = nullptr;
    std::optional<Watch> watch;

    void answer_counters() const {
        script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a")});
    }

    // A port and its counter are known.
    void answer_opening() const {
        script->dump(MACSTATS_CMD_PORT_GET, {port_attributes()});
        answer_counters();
    }

    void open(Watch::Settings settings) {
        answer_opening();
        auto owned = std::make_unique<EventListener>();
        listener = owned.get();
        auto opened = Watch::open(
            std::move(settings), Client(GenericNetlink(std::make_unique<Provider>(kernel)), family),
            EventStream(conversation(controller), std::move(owned), family));
        watch.emplace(std::move(*opened));
    }

    void answer_read(std::uint64_t total) {
        script->dump(MACSTATS_CMD_STATS_GET, {statistics_attributes({total})});
        script->dump(MACSTATS_CMD_PORT_GET, {port_attributes()});
    }

    void notify(std::uint32_t events, std::uint32_t model = 7, std::uint16_t sender = family) {
        listener->notify(message(
            sender, 0,
            octets::command(
                MACSTATS_CMD_PORT_EVENT_NTF, 1,
                joined({port_attributes(9, "mac0", model), u32(MACSTATS_A_PORT_EVENT, events)}))));
    }

    void unload() {
        kernel.family = 0;
        listener->notify(family_change(CTRL_CMD_DELFAMILY, "macstats", family));
    }

    // The stream and the client find the family again.
    void load() {
        kernel.family = family + 1;
        listener->notify(family_change(CTRL_CMD_NEWFAMILY, "macstats", family + 1));
        for (Script* asked : {controller.get(), controller.get(), script.get()})
            answer_family(*asked, family + 1);
        answer_opening();
    }

    [[nodiscard]] bool is_readable(int timeout = 0) const {
        pollfd source{.fd = watch->fd(), .events = POLLIN, .revents = 0};
        return poll(&source, 1, timeout) == 1;
    }

    Watch::Update next() {
        auto update = watch->next(std::chrono::seconds(60));
        BOOST_REQUIRE(update->has_value());
        return std::move(**update);
    }

    bool is_silent() {
        const auto update = watch->next(milliseconds(0));
        return update.has_value() && !update->has_value();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(watching, Watching)

BOOST_AUTO_TEST_CASE(without_an_interval_there_are_only_events) {
    open({});
    BOOST_TEST(!is_readable());
    BOOST_TEST(is_silent());
    notify(MACSTATS_EVENT_STALE | MACSTATS_EVENT_PARITY_ERROR);
    BOOST_TEST(is_readable());
    for (const EventKind kind : {EventKind::stale, EventKind::parity_error}) {
        const auto update = next();
        BOOST_REQUIRE(update.event.has_value());
        BOOST_TEST((update.event->kind == kind));
        BOOST_REQUIRE(update.event->infos.size() == 1U);
        BOOST_TEST(update.event->infos[0].name == "tx_a");
    }
    BOOST_TEST(is_silent());
    BOOST_TEST(!is_readable());
}

BOOST_AUTO_TEST_CASE(an_event_of_an_unknown_model_has_no_names) {
    open({});
    notify(MACSTATS_EVENT_STALE, 8);
    script->answer({rejected(ENOENT)});
    BOOST_TEST(next().event->infos.empty());
}

BOOST_AUTO_TEST_CASE(the_first_read_is_due_at_once_and_others_after_the_interval) {
    open({.interval = milliseconds(200)});
    BOOST_TEST(is_readable(60'000));
    answer_read(5);
    const auto first = next();
    const auto start = std::chrono::steady_clock::now();
    BOOST_TEST(!first.event.has_value());
    BOOST_REQUIRE(first.ports.size() == 1U);
    BOOST_TEST((first.ports[0].counters().at(0).value == 5U));
    answer_read(6);
    BOOST_TEST((next().ports.at(0).counters().at(0).value == 6U));
    BOOST_TEST((std::chrono::steady_clock::now() - start >= milliseconds(100)));
}

BOOST_AUTO_TEST_CASE(reads_that_are_always_due_leave_room_for_events) {
    open({.interval = milliseconds(1)});
    for (int i = 0; i < 2; i++)
        notify(MACSTATS_EVENT_STALE);
    for (const bool is_event : {false, true, false, true}) {
        std::this_thread::sleep_for(milliseconds(5));
        if (!is_event)
            answer_read(5);
        BOOST_TEST(next().event.has_value() == is_event);
    }
}

// The loop of an event loop's callback: see Watch::fd().
BOOST_AUTO_TEST_CASE(after_a_read_that_takes_longer_than_the_interval_no_read_is_due) {
    open({.interval = milliseconds(1000)});
    answer_read(5);
    kernel.answer_time = milliseconds(600); // for each of the two answers
    BOOST_TEST(next().ports.size() == 1U);
    BOOST_TEST(is_silent());
    answer_read(6);
    BOOST_TEST(next().ports.size() == 1U);
}

BOOST_AUTO_TEST_CASE(reads_that_are_always_due_end_the_loop_nevertheless) {
    open({.interval = milliseconds(1)});
    for (int i = 0; i < 2; i++) {
        answer_read(5);
        BOOST_TEST(next().ports.size() == 1U);
        std::this_thread::sleep_for(milliseconds(5));
        BOOST_TEST(is_silent());
    }
}

BOOST_AUTO_TEST_CASE(a_named_port_that_does_not_exist_is_left_out) {
    open({.interval = std::chrono::hours(1), .selection = {.ports = {"2000000000"}}});
    script->answer({rejected(ENODEV)});
    const auto update = next();
    BOOST_TEST((!update.event && update.ports.empty()));
}

BOOST_AUTO_TEST_CASE(a_watch_goes_on_after_an_error) {
    open({.interval = milliseconds(1)});
    script->answer({rejected(EPERM)});
    BOOST_TEST(watch->next().error().errnum == EPERM);
    answer_read(5);
    BOOST_TEST(next().ports.size() == 1U);
}

BOOST_AUTO_TEST_CASE(without_an_interval_it_goes_on_when_the_modules_are_loaded_again) {
    open({});
    unload();
    BOOST_TEST(is_readable());
    BOOST_TEST((next().event->kind == EventKind::modules_unloaded));
    load();
    BOOST_TEST((next().event->kind == EventKind::modules_loaded));
    BOOST_TEST(is_silent());
    const auto before = script->sent.size();
    notify(MACSTATS_EVENT_STALE, 7, family + 1);
    const auto update = next();
    BOOST_TEST((update.event->kind == EventKind::stale));
    BOOST_TEST(update.event->infos.size() == 1U);
    BOOST_TEST(script->sent.size() == before); // the counter was known before its port could end
}

BOOST_AUTO_TEST_CASE(reads_go_on_when_the_modules_are_loaded_again) {
    open({.interval = milliseconds(1)});
    unload();
    BOOST_TEST((next().event->kind == EventKind::modules_unloaded));
    for (int i = 0; i < 4; i++) {
        BOOST_TEST(is_silent());
        std::this_thread::sleep_for(milliseconds(5));
    }
    load();
    BOOST_TEST((next().event->kind == EventKind::modules_loaded));
    answer_read(5);
    BOOST_TEST(next().ports.size() == 1U);
}

// The notifications of that, and events before it, wait until after the read.
BOOST_AUTO_TEST_CASE(a_read_that_finds_the_modules_loaded_again_overtakes_no_event) {
    open({.interval = std::chrono::hours(1)});
    answer_family(*script, family);
    BOOST_REQUIRE(watch->client().reopen().has_value());
    answer_counters();
    BOOST_REQUIRE(watch->client().counters(ModelId(7)).has_value());
    notify(MACSTATS_EVENT_STALE);
    unload();
    load();
    script->answers.clear();
    answer_family(*script, family + 1); // which tells that they are loaded
    const auto before = next();
    BOOST_REQUIRE(before.event.has_value());
    BOOST_TEST((before.event->kind == EventKind::stale));
    BOOST_TEST(before.event->infos.size() == 1U); // of the old modules
    BOOST_TEST((next().event->kind == EventKind::modules_unloaded));
    answer_family(*script, family + 1);
    answer_opening();
    BOOST_TEST((next().event->kind == EventKind::modules_loaded));
    BOOST_TEST(script->answers.empty());
    BOOST_TEST(is_silent());
}

// Models of the new modules have the numbers of others.
BOOST_AUTO_TEST_CASE(modules_that_are_loaded_again_and_cannot_be_found_yet_are_an_error) {
    open({});
    unload();
    BOOST_TEST((next().event->kind == EventKind::modules_unloaded));
    load();
    script->answers.clear();
    script->fail(ENOMEM);
    BOOST_TEST((next().event->kind == EventKind::modules_loaded));
    notify(MACSTATS_EVENT_STALE, 7, family + 1);
    script->answer({rejected(ENOENT)}); // to the question whether they are loaded
    BOOST_TEST(next().event->infos.empty());
    script->answers.clear();
    script->fail(ENOMEM);
    BOOST_TEST(watch->next(milliseconds(0)).error().errnum == ENOMEM);
    answer_family(*script, family + 1);
    answer_opening();
    BOOST_TEST(is_silent());
    notify(MACSTATS_EVENT_STALE, 7, family + 1);
    BOOST_TEST(next().event->infos.size() == 1U);
}

BOOST_AUTO_TEST_CASE(modules_that_are_gone_again_are_no_error) {
    open({});
    unload();
    BOOST_TEST((next().event->kind == EventKind::modules_unloaded));
    load();
    script->answers.clear();
    script->answer({rejected(ENOENT)});
    BOOST_TEST((next().event->kind == EventKind::modules_loaded));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(without_the_modules_there_is_no_read_of_a_named_port_either) {
    open({.interval = std::chrono::hours(1), .selection = {.ports = {"no-such-port"}}});
    unload();
    const auto update = next();
    BOOST_REQUIRE(update.event.has_value());
    BOOST_TEST((update.event->kind == EventKind::modules_unloaded));
    BOOST_TEST(is_silent());
}

BOOST_AUTO_TEST_CASE(a_negative_interval_is_rejected) {
    BOOST_TEST(
        Watch::open(
            {.interval = milliseconds(-1)}, Client(conversation(script), family),
            EventStream(conversation(controller), std::make_unique<EventListener>(), family))
            .error()
            .errnum == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
