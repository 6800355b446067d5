// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand watch: the terminal, the keys and the clock around the live view.
#include <array>
#include <chrono>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/show.hpp"
#include "libmacstats/watch.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct WatchRequest {
    PortSelection selection;
    WatchOptions options;
    std::optional<std::uint64_t> count;
    bool all = false;
    bool json = false;
};

// Signals as something to poll for, so that whatever ends the program does so in
// one place. They are as before when the object goes.
class Signals {
public:
    Signals() {
        sigset_t set;
        sigemptyset(&set);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH})
            sigaddset(&set, signal);
        sigprocmask(SIG_BLOCK, &set, &before_);
        fd_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals() {
        if (fd_ >= 0)
            (void)close(fd_);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
    }

    [[nodiscard]] int fd() const { return fd_; }

    // The next one, or nothing.
    [[nodiscard]] std::optional<int> next() const {
        signalfd_siginfo info{};
        if (read(fd_, &info, sizeof(info)) != sizeof(info))
            return std::nullopt;
        return static_cast<int>(info.ssi_signo);
    }

private:
    sigset_t before_{};
    int fd_ = -1;
};

// A terminal that shows screens instead of lines. It is as before when the object
// goes.
class Terminal {
public:
    Terminal() { enter(); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal() { leave(); }

    void enter() {
        has_keys_ = tcgetattr(STDIN_FILENO, &before_) == 0;
        if (has_keys_) {
            termios raw = before_;
            raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // Ctrl-C stays a signal
            raw.c_cc[VMIN] = 1;
            raw.c_cc[VTIME] = 0;
            (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
        }
        // The other screen, no cursor, no line continued on the next.
        put("\033[?1049h\033[?25l\033[?7l");
    }

    void leave() {
        put("\033[?7h\033[?25h\033[?1049l");
        if (has_keys_)
            (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    }

    [[nodiscard]] bool has_keys() const { return has_keys_; }

    [[nodiscard]] static ScreenSize size() {
        winsize size{};
        if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row)
            return {.columns = 80, .rows = 24};
        return {.columns = size.ws_col, .rows = size.ws_row};
    }

    // False if there is nobody any more to see it.
    static bool draw(const std::vector<std::string>& lines) {
        std::string screen = "\033[H";
        for (std::size_t i = 0; i < lines.size(); i++)
            screen += (i ? "\r\n\033[2K" : "\033[2K") + lines[i];
        return put(screen + "\033[J");
    }

private:
    static bool put(std::string_view text) {
        print(text);
        return std::fflush(stdout) == 0;
    }

    termios before_{};
    bool has_keys_ = false;
};

bool is_utf8() {
    (void)std::setlocale(LC_CTYPE, "");
    return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

std::string clock_text() {
    return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr)));
}

// Ports that are gone are no error: they may come back.
class Sampler {
public:
    Sampler(Client& client, PortSelection selection)
        : client_(client),
          selection_(std::move(selection)) {}

    Result<void> sample(WatchHistory& history) {
        auto views = read_views(client_, selection_);
        if (!views)
            return views.error();
        selection_.skip_missing = true;
        history.add(std::move(*views));
        return {};
    }

private:
    Client& client_;
    PortSelection selection_;
};

ordered_json sample_json(const WatchHistory& history) {
    ordered_json array = ordered_json::array();
    for (const PortView& view : history.ports())
        array.push_back(show_json(view, {}));
    return array;
}

Clock::duration interval_of(const WatchRequest& request) {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(request.options.interval));
}

Result<void> watch_lines(Sampler& sampler, const WatchRequest& request) {
    WatchHistory history;
    if (auto sampled = sampler.sample(history); !sampled)
        return sampled;
    for (std::uint64_t i = 0; !request.count || i < *request.count; i++) {
        struct timespec pause {};
        const auto nanoseconds =
            std::chrono::duration_cast<std::chrono::nanoseconds>(interval_of(request)).count();
        pause.tv_sec = nanoseconds / 1'000'000'000;
        pause.tv_nsec = nanoseconds % 1'000'000'000;
        (void)nanosleep(&pause, nullptr);
        if (auto sampled = sampler.sample(history); !sampled)
            return sampled;
        constexpr auto replace = ordered_json::error_handler_t::replace;
        print(
            request.json ? sample_json(history).dump(-1, ' ', false, replace) + "\n"
                         : watch_text(history, clock_text()));
        if (std::fflush(stdout) != 0)
            return Error{EIO, "cannot write the output"};
    }
    return {};
}

// Between samples: draws, and does what keys and signals say.
class Screen {
public:
    explicit Screen(WatchOptions options) : options_(options) {}

    [[nodiscard]] bool is_paused() const { return options_.paused; }

    // False if there is nobody to see it.
    bool draw(const WatchHistory& history) {
        const WatchScreen screen = render_watch(history, Terminal::size(), options_);
        options_.scroll = screen.scroll;
        return Terminal::draw(screen.lines);
    }

    // Waits for keys and signals until @deadline, or for the first of them. False:
    // the user has seen enough.
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
    bool obey(int signal) {
        if (signal == SIGTSTP) {
            terminal_.leave();
            (void)raise(SIGSTOP);
            terminal_.enter();
        }
        return signal == SIGTSTP || signal == SIGWINCH;
    }

    bool read_keys() {
        std::array<char, 64> keys{};
        const ssize_t size = read(STDIN_FILENO, keys.data(), keys.size());
        if (size <= 0)
            return false; // the terminal is gone
        std::string_view rest(keys.data(), static_cast<std::size_t>(size));
        while (!rest.empty()) {
            if (rest.front() == 'q')
                return false;
            rest.remove_prefix(take_key(rest));
        }
        return true;
    }

    // Returns how many characters it was.
    std::size_t take_key(std::string_view keys) {
        constexpr std::size_t arrow = 3;
        const bool up = keys.starts_with("\033[A") || keys.starts_with("\033OA");
        const bool down = keys.starts_with("\033[B") || keys.starts_with("\033OB");
        if (keys.front() == 's')
            options_.order = next_order(options_.order);
        if (keys.front() == 'z')
            options_.hide_zero = !options_.hide_zero;
        if (keys.front() == 'p' || keys.front() == ' ')
            options_.paused = !options_.paused;
        if (keys.front() == 'j' || down)
            options_.scroll++;
        if ((keys.front() == 'k' || up) && options_.scroll)
            options_.scroll--;
        return up || down ? arrow : 1;
    }

    WatchOptions options_;
    Signals signals_;
    Terminal terminal_;
};

Result<void> watch_screen(Sampler& sampler, const WatchRequest& request) {
    WatchHistory history;
    // What cannot work is said on the screen that stays.
    if (auto sampled = sampler.sample(history); !sampled)
        return sampled;
    Screen screen(request.options);
    auto next = Clock::now() + interval_of(request);
    for (std::uint64_t i = 0; !request.count || i < *request.count;) {
        if (!screen.draw(history))
            return {};
        if (!screen.wait(screen.is_paused() ? std::nullopt : std::optional(next)))
            return {};
        if (screen.is_paused() || Clock::now() < next)
            continue;
        if (auto sampled = sampler.sample(history); !sampled)
            return sampled;
        i++;
        next = std::max(next + interval_of(request), Clock::now());
    }
    return {};
}

Result<void> watch(WatchRequest request) {
    auto client = Client::open();
    if (!client)
        return client.error();
    Sampler sampler(*client, request.selection);
    if (request.json || !isatty(STDOUT_FILENO))
        return watch_lines(sampler, request);
    request.options.hide_zero = !request.all;
    request.options.unicode = is_utf8();
    request.options.colours = !std::getenv("NO_COLOR");
    return watch_screen(sampler, request);
}

} // namespace

void add_watch_command(CLI::App& app, Action& action) {
    constexpr double shortest = 0.1;
    constexpr double longest = 3600;
    auto* command = app.add_subcommand("watch", "Show what ports count per second, live");
    auto request = std::make_shared<WatchRequest>();
    auto* ports = command->add_option(
        "PORT", request->selection.ports, "Names or indices of interfaces; all ports if none");
    command->add_option("--model", request->selection.model, "Only ports of this model")
        ->excludes(ports);
    command->add_option("--interval", request->options.interval, "Seconds between reads (1)")
        ->check(CLI::Range(shortest, longest));
    command->add_option("--count", request->count, "End after so many intervals")
        ->check(CLI::PositiveNumber);
    command->add_flag("--all", request->all, "Begin with totals of 0 shown");
    add_json_flag(*command, request->json);
    command->callback([&action, request] { action = [request] { return watch(*request); }; });
    command->footer(
        "\nExamples:\n"
        "  macstats watch mac0 mac1\n"
        "  macstats watch --interval 10 --count 6 | tee log\n"
        "  macstats watch mac0 --json | jq '.[0].rate.per_second'\n\n"
        "Keys: q quits, s changes the order (registers, name, rate, total), z hides or\n"
        "shows totals of 0, p pauses, j and k (or arrows) scroll. Rows of errors are\n"
        "marked with \"!\", and red while they count. Where the output is no terminal,\n"
        "each interval prints a line for each counter that has counted; with --json,\n"
        "one line with what `macstats show --json --rate` prints.");
}

} // namespace macstats::cli
