// SPDX-License-Identifier: GPL-2.0 OR MIT
// Waits for a socket and a timer at once.
#include "libmacstats/netlink/watch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"
#include "netlink/file_descriptor.hpp"

namespace macstats {

namespace {

using std::chrono::milliseconds;

Error watch_error() {
    return {errno, fmt::format("cannot wait for ports: {}", errno_text(errno))};
}

timespec timespec_of(milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    return {
        .tv_sec = static_cast<decltype(timespec::tv_sec)>(seconds.count()),
        .tv_nsec = static_cast<decltype(timespec::tv_nsec)>(
            std::chrono::nanoseconds(time - seconds).count())};
}

} // namespace

struct Watch::State {
    PortSelection selection;
    Client client;
    EventStream events;
    FileDescriptor epoll;
    FileDescriptor timer;     // readable when a read is due
    bool was_read = false;    // the last update was a read: events are first
    bool must_reopen = false; // other modules are loaded than the client knows

    // The names of its counters cannot be asked for after a port has ended.
    Result<void> learn_counters() {
        MACSTATS_TRY(const auto known, client.ports());
        for (const PortInfo& port : known)
            (void)client.counters(port.model_id);
        return {};
    }

    [[nodiscard]] bool is_due() const {
        std::uint64_t times = 0;
        return read(timer.get(), &times, sizeof(times)) == sizeof(times);
    }

    // Finds the modules that are loaded now. If later ones have replaced them, events report it.
    Result<void> reopen() {
        const auto reopened = client.reopen();
        must_reopen = !reopened && reopened.error().errnum != Error::not_loaded &&
                      reopened.error().errnum != Error::other_protocol;
        if (reopened)
            (void)learn_counters();
        return must_reopen ? reopened : Result<void>();
    }

    Result<std::optional<Event>> next_event() {
        MACSTATS_TRY(auto event, events.next(milliseconds(0)));
        if (event && event->kind == EventKind::modules_loaded)
            (void)reopen(); // or else after the events
        if (!event && must_reopen)
            MACSTATS_CHECK(reopen());
        if (event && event->has_port())
            if (const auto infos = client.counters(event->port.model_id))
                event->infos = *infos;
        return event;
    }
};

Watch::Watch(std::unique_ptr<State> state) : state_(std::move(state)) {}
Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;
Watch::~Watch() = default;

int Watch::fd() const {
    return state_->epoll.get();
}

Client& Watch::client() {
    return state_->client;
}

Result<Watch> Watch::open(Settings settings) {
    // First, so that no port is missed.
    MACSTATS_TRY(auto events, EventStream::open());
    MACSTATS_TRY(auto client, Client::open());
    return open(std::move(settings), std::move(client), std::move(events));
}

Result<Watch> Watch::open(Settings settings, Client client, EventStream events) {
    if (settings.interval < settings.interval.zero())
        return invalid("the interval of reads is {} ms, negative", settings.interval.count());
    FileDescriptor epoll(epoll_create1(EPOLL_CLOEXEC));
    FileDescriptor timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    itimerspec times{};
    if (settings.interval > settings.interval.zero())
        times = {
            .it_interval = timespec_of(settings.interval), .it_value = {.tv_sec = 0, .tv_nsec = 1}};
    if (epoll.get() < 0 || timer.get() < 0 || timerfd_settime(timer.get(), 0, &times, nullptr) != 0)
        return watch_error();
    for (const int fd : {timer.get(), events.fd()}) {
        epoll_event readable{.events = EPOLLIN, .data = {.fd = fd}};
        if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd, &readable) != 0)
            return watch_error();
    }
    settings.selection.skip_missing = true;
    auto state = std::make_unique<State>(State{
        .selection = std::move(settings.selection),
        .client = std::move(client),
        .events = std::move(events),
        .epoll = std::move(epoll),
        .timer = std::move(timer)});
    MACSTATS_CHECK(state->learn_counters());
    return Watch(std::move(state));
}

Result<std::optional<Watch::Update>> Watch::next(std::optional<milliseconds> timeout) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (;;) {
        if (!std::exchange(state_->was_read, false) && state_->is_due()) {
            state_->was_read = true;
            auto ports = read_ports(state_->client, state_->selection);
            (void)state_->is_due(); // reads that fell due meanwhile are not made up for
            if (ports)
                return std::optional(Update{.ports = std::move(*ports)});
            // Events report that, too, after those of the modules that were loaded before.
            if (ports.error().errnum != Error::not_loaded &&
                ports.error().errnum != Error::loaded_again)
                return ports.error();
        }
        MACSTATS_TRY(auto event, state_->next_event());
        if (event)
            return std::optional(Update{.event = std::move(event)});

        int wait = -1;
        if (timeout) {
            const auto left =
                *timeout - std::chrono::duration_cast<milliseconds>(Clock::now() - start);
            if (left <= left.zero())
                return std::optional<Update>();
            wait = static_cast<int>(std::min<std::int64_t>(left.count(), INT32_MAX));
        }
        pollfd ready{.fd = fd(), .events = POLLIN, .revents = 0};
        if (poll(&ready, 1, wait) < 0 && errno != EINTR)
            return watch_error();
    }
}

} // namespace macstats
