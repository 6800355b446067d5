// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand watch: the terminal, the keys and the clock around the live view.
#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "present/show.hpp"
#include "present/watch.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace macstats::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct WatchRequest {
    PortSelection selection;
    WatchOptions options;
    std::string interval_word = "1";
    std::optional<std::string> count_word;
    std::optional<std::uint64_t> count;
    bool all = false;
    bool json = false;
};

// False if nobody is left to see it.
bool draw(const std::vector<std::string>& lines) {
    std::string screen = "\033[H";
    for (std::size_t i = 0; i < lines.size(); i++)
        screen += (i ? "\r\n\033[2K" : "\033[2K") + lines[i];
    return Terminal::put(screen + "\033[J");
}

std::string clock_text() {
    return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr)));
}

// A removed port is not an error: it may return.
class Sampler {
public:
    Sampler(Client& client, PortSelection selection)
        : client_(client),
          selection_(std::move(selection)) {}

    Result<void> sample(WatchHistory& history) {
        MACSTATS_TRY(auto ports, read_ports(client_, selection_));
        selection_.skip_missing = true;
        history.add(views_of(std::move(ports)));
        return {};
    }

private:
    Client& client_;
    PortSelection selection_;
};

Clock::duration interval_of(const WatchRequest& request) {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(request.options.interval));
}

Result<void> watch_lines(Sampler& sampler, const WatchRequest& request) {
    WatchHistory history;
    MACSTATS_CHECK(sampler.sample(history));
    for (std::uint64_t i = 0; !request.count || i < *request.count; i++) {
        std::this_thread::sleep_for(interval_of(request));
        MACSTATS_CHECK(sampler.sample(history));
        print(request.json ? ports_json_text(history.ports()) : watch_text(history, clock_text()));
        if (std::fflush(stdout) != 0)
            return Error{EIO, "cannot write the output"};
    }
    return {};
}

// Between samples: draws, and obeys keys and signals.
class Screen {
public:
    explicit Screen(WatchOptions options) : options_(options) {}

    [[nodiscard]] bool is_paused() const { return options_.paused; }

    // False if nobody is left to see it.
    bool draw(const WatchHistory& history) {
        const WatchScreen screen = render_watch(history, Terminal::size(), options_);
        options_.scroll = screen.scroll;
        page_ = screen.page;
        return cli::draw(screen.lines);
    }

    // Waits for keys and signals until @deadline, or for the first of them. False: the user
    // or a signal ends the view.
    bool wait(std::optional<Clock::time_point> deadline) {
        std::array<pollfd, 2> sources{{
            {.fd = signals_.fd(), .events = POLLIN, .revents = 0},
            {.fd = terminal_.has_keys() ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0},
        }};
        int timeout = -1;
        if (deadline) {
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
            timeout = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
        }
        if (poll(sources.data(), sources.size(), timeout) <= 0)
            return true;
        while (const auto signal = signals_.next())
            if (!obey(*signal))
                return false;
        return !sources[1].revents || read_keys();
    }

private:
    // All signals but these two end the view.
    bool obey(int signal) {
        if (signal == SIGTSTP)
            terminal_.stop();
        return signal == SIGTSTP || signal == SIGWINCH;
    }

    bool read_keys() {
        std::array<char, 64> keys{};
        const ssize_t size = read(STDIN_FILENO, keys.data(), keys.size());
        if (size <= 0)
            return false; // the terminal is gone
        std::string_view rest(keys.data(), static_cast<std::size_t>(size));
        while (!rest.empty()) {
            const WatchKey key = next_key(rest);
            if (key == WatchKey::quit)
                return false;
            press_key(options_, key, page_);
        }
        return true;
    }

    WatchOptions options_;
    std::size_t page_ = 1;
    Signals signals_{awaited_signals()};
    Terminal terminal_;
};

Result<void> watch_screen(Sampler& sampler, const WatchRequest& request) {
    WatchHistory history;
    // An error of the first sample belongs on the screen that stays.
    MACSTATS_CHECK(sampler.sample(history));
    Screen screen(request.options);
    auto next = Clock::now() + interval_of(request);
    for (std::uint64_t i = 0; !request.count || i < *request.count;) {
        if (!screen.draw(history))
            return {};
        if (!screen.wait(screen.is_paused() ? std::nullopt : std::optional(next)))
            return {};
        if (screen.is_paused() || Clock::now() < next)
            continue;
        MACSTATS_CHECK(sampler.sample(history));
        i++;
        next = std::max(next + interval_of(request), Clock::now());
    }
    return {};
}

Result<void> watch(WatchRequest request) {
    MACSTATS_TRY(
        request.options.interval,
        parse_seconds("--interval", request.interval_word, {.least = 0.1, .most = 3600}));
    if (request.count_word) {
        MACSTATS_TRY(request.count, parse_count("--count", "intervals", *request.count_word));
    }

    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_CHECK(in_context("--model", check_model(client, request.selection.model)));
    Sampler sampler(client, request.selection);
    if (request.json || !shows_screens(STDOUT_FILENO))
        return watch_lines(sampler, request);
    request.options.hide_zero = !request.all;
    request.options.unicode = is_utf8();
    request.options.colours = wants_colours(STDOUT_FILENO);
    return watch_screen(sampler, request);
}

} // namespace

void describe_watch(CLI::App& command, Action& action) {
    auto& request = request_of<WatchRequest>(command, action, watch);
    auto* ports = command.add_option("PORT", request.selection.ports, ports_help);
    add_option(command, "--model NAME", request.selection.model, "Show only ports of model NAME")
        ->excludes(ports);
    add_option(
        command, "--interval SECONDS", request.interval_word,
        "Refresh every SECONDS, 0.1 to 3600; also 500ms, 2m (default 1)");
    add_option(command, "--count N", request.count_word, "End after N intervals (default: never)");
    command.add_flag("--all", request.all, "Start with totals of 0 shown");
    add_json_flag(command, request.json);
    command.footer(fmt::format(
        "\nExamples:\n"
        "  macstats watch mac0 mac1\n"
        "  macstats watch --interval 10 --count 6 | tee log\n"
        "  macstats watch mac0 --json | jq '.[0].rate.per_second'\n\n"
        "Keys:\n"
        "  {}\n\n"
        "\"!\" marks counters of errors. They are red while they count. \"≥\" (\">=\" unless\n"
        "the locale is UTF-8) marks what some counts are missing from: those of a counter\n"
        "at its maximum, or those that its port has lost. Without a terminal, or if TERM\n"
        "is dumb, each interval prints a line for each counter that has counted.\n"
        "With --json, it prints the array of `macstats show --json --rate` on one line.",
        fmt::join(watch_keys, "\n  ")));
}

} // namespace macstats::cli
