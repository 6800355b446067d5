// SPDX-License-Identifier: GPL-2.0
//
// `macstats watch`: its keys, the widths of its columns, and the terminal that it leaves behind.
#include "boost_test.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <utmp.h>

#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "counters.hpp"
#include "libmacstats/core/names.hpp"
#include "present/watch.hpp"

BOOST_AUTO_TEST_SUITE(unit_live_view)

using namespace macstats;
using macstats::test::counters_of;

namespace {

const macstats_model& ll40g = *find_model("ll40g");

std::vector<WatchKey> keys_in(std::string_view text) {
    std::vector<WatchKey> keys;
    while (!text.empty())
        keys.push_back(next_key(text));
    return keys;
}

using Keys = std::vector<WatchKey>;

// A port with 30 frames of each counter.
struct Watching {
    std::vector<CounterInfo> counters = counters_of(ll40g);
    WatchHistory history;
    WatchOptions options;

    explicit Watching(std::uint64_t total = 30) {
        PortView view;
        view.name = "mac0";
        view.infos = counters;
        view.statistics.model = "ll40g";
        view.statistics.values.assign(counters.size(), total);
        history.add({view});
        options.colours = false;
    }

    [[nodiscard]] WatchScreen screen() const {
        return render_watch(history, {.columns = 80, .rows = 12}, options);
    }

    // The counter in the first row.
    std::string press(WatchKey key) {
        press_key(options, key, screen().page);
        const WatchScreen now = screen();
        options.scroll = now.scroll;
        return now.lines.at(2).substr(2, now.lines.at(2).find(' ', 2) - 2);
    }
};

bool has(const std::vector<std::string>& lines, std::string_view text) {
    return std::any_of(lines.begin(), lines.end(), [text](const std::string& line) {
        return line.find(text) != std::string::npos;
    });
}

} // namespace

BOOST_AUTO_TEST_CASE(keys_and_their_escape_sequences_are_known) {
    BOOST_CHECK(
        keys_in("qszp ?jk") ==
        (Keys{
            WatchKey::quit, WatchKey::order, WatchKey::zeros, WatchKey::pause, WatchKey::pause,
            WatchKey::help, WatchKey::down, WatchKey::up}));
    BOOST_CHECK(
        keys_in("\033[A\033OA\033[B\033OB") ==
        (Keys{WatchKey::up, WatchKey::up, WatchKey::down, WatchKey::down}));
    BOOST_CHECK(keys_in("\033[5~\033[6~") == (Keys{WatchKey::page_up, WatchKey::page_down}));
    // xterm in two modes, VT220, rxvt
    BOOST_CHECK(keys_in("\033[H\033OH\033[1~\033[7~") == Keys(4, WatchKey::home));
    BOOST_CHECK(keys_in("\033[F\033OF\033[4~\033[8~") == Keys(4, WatchKey::end));
}

BOOST_AUTO_TEST_CASE(unknown_sequences_are_one_key_without_a_meaning) {
    // F5, Ctrl-right, F1, a sequence that would contain q and s, an unfinished one, Escape
    for (const char* text :
         {"\033[15~", "\033[1;5C", "\033OP", "\033[q", "\033[1;", "\033[", "\033O", "\033", "x"})
        BOOST_CHECK(keys_in(text) == Keys{WatchKey::none});
    BOOST_CHECK(keys_in("\033[15~s") == (Keys{WatchKey::none, WatchKey::order}));
}

BOOST_AUTO_TEST_CASE(pages_and_ends_are_reached_by_keys) {
    // 12 rows: heading, names of columns, 9 counters, keys.
    Watching watching;
    const auto name = [](std::size_t i) { return std::string(ll40g.counters[i].name); };
    BOOST_TEST(watching.press(WatchKey::none) == name(0));
    BOOST_TEST(watching.press(WatchKey::page_down) == name(9));
    BOOST_TEST(watching.press(WatchKey::page_down) == name(18));
    BOOST_TEST(watching.press(WatchKey::page_up) == name(9));
    BOOST_TEST(watching.press(WatchKey::up) == name(8));
    BOOST_TEST(watching.press(WatchKey::page_up) == name(0));
    BOOST_TEST(watching.press(WatchKey::up) == name(0));
    BOOST_TEST(watching.press(WatchKey::end) == name(ll40g.n_counters - 9));
    BOOST_TEST(watching.press(WatchKey::down) == name(ll40g.n_counters - 9));
    BOOST_TEST(watching.press(WatchKey::page_down) == name(ll40g.n_counters - 9));
    BOOST_TEST(watching.press(WatchKey::home) == name(0));
}

BOOST_AUTO_TEST_CASE(help_replaces_the_rows_until_the_next_question_mark) {
    Watching watching;
    BOOST_TEST(has(watching.screen().lines, "? help"));
    press_key(watching.options, WatchKey::help, 1);
    for (const char* text : {"PgUp, PgDn", "Home, End", "?  ", "quit"})
        BOOST_TEST(has(watching.screen().lines, text));
    BOOST_TEST(watching.screen().lines.size() == 12U);
    BOOST_TEST(!has(watching.screen().lines, ll40g.counters[0].name));
    press_key(watching.options, WatchKey::help, 1);
    BOOST_TEST(has(watching.screen().lines, ll40g.counters[0].name));
}

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_their_headings) {
    // Nothing counted: no row is shown.
    const auto idle = Watching(0).screen().lines.at(1);
    BOOST_TEST(idle.starts_with("  COUNTER  "));
    BOOST_TEST(has({idle}, " RATE "));
    BOOST_TEST(has({idle}, " TOTAL "));
    const WatchHistory nothing;
    const auto none = render_watch(nothing, {.columns = 80, .rows = 5}, {.colours = false});
    BOOST_TEST(has(none.lines, "  COUNTER  "));
    BOOST_TEST(has(none.lines, " RATE "));
}

namespace {

// A child with a Terminal of its own, and what it writes there.
class Child {
public:
    // The child shows a screen, calls @body, and ends as `macstats watch` does.
    template <typename Body>
    explicit Child(Body body) {
        int slave = -1;
        BOOST_REQUIRE(openpty(&master_, &slave, nullptr, nullptr, nullptr) == 0);
        BOOST_REQUIRE(tcgetattr(slave, &before_) == 0);
        slave_ = slave;
        pid_ = fork();
        BOOST_REQUIRE(pid_ >= 0);
        if (pid_ == 0) {
            const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
            (void)setrlimit(RLIMIT_CORE, &no_core);
            (void)login_tty(slave);
            {
                const cli::Signals signals(cli::awaited_signals());
                cli::Terminal terminal;
                body();
                pollfd source{.fd = signals.fd(), .events = POLLIN, .revents = 0};
                if (poll(&source, 1, 10'000) != 1 || !signals.next())
                    _exit(100);
            }
            _exit(0);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        (void)kill(pid_, SIGKILL);
        (void)waitpid(pid_, nullptr, 0);
        (void)close(slave_);
        (void)close(master_);
    }

    [[nodiscard]] pid_t pid() const { return pid_; }

    // Reads until the text appears.
    bool shows(std::string_view text) {
        while (written_.find(text) == std::string::npos)
            if (!read_some(10'000))
                return false;
        return true;
    }

    // The signal that ends the child, or 0 if it ends by itself as it should, or -1.
    int end() {
        int status = 0;
        // A child that has written to a terminal waits until somebody reads it.
        while (waitpid(pid_, &status, WNOHANG) == 0)
            (void)read_some(10);
        while (read_some(10)) {}
        if (WIFSIGNALED(status))
            return WTERMSIG(status);
        return WEXITSTATUS(status) == 0 ? 0 : -1;
    }

    [[nodiscard]] bool is_restored() const {
        termios now{};
        return tcgetattr(slave_, &now) == 0 && now.c_lflag == before_.c_lflag &&
               written_.ends_with(leave);
    }

    void forget() { written_.clear(); }

    static constexpr std::string_view enter = "\033[?1049h\033[?25l\033[?7l";
    static constexpr std::string_view leave = "\033[?7h\033[?25h\033[?1049l";

private:
    bool read_some(int milliseconds) {
        pollfd source{.fd = master_, .events = POLLIN, .revents = 0};
        std::array<char, 4096> buffer{};
        if (poll(&source, 1, milliseconds) <= 0)
            return false;
        const ssize_t size = read(master_, buffer.data(), buffer.size());
        if (size <= 0)
            return false;
        written_.append(buffer.data(), static_cast<std::size_t>(size));
        return true;
    }

    int master_ = -1;
    int slave_ = -1;
    pid_t pid_ = -1;
    termios before_{};
    std::string written_;
};

} // namespace

BOOST_AUTO_TEST_CASE(the_terminal_is_restored_by_every_signal_that_ends_the_view) {
    std::vector signals{SIGINT,    SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1,  SIGUSR2,
                        SIGVTALRM, SIGPROF, SIGIO,  SIGPWR,  SIGXCPU, SIGXFSZ, SIGRTMIN, SIGRTMAX};
#ifdef SIGSTKFLT // not on MIPS
    signals.push_back(SIGSTKFLT);
#endif
    for (const int signal : signals) {
        BOOST_TEST_CONTEXT("signal " << signal) {
            Child child([] {});
            BOOST_REQUIRE(child.shows(Child::enter));
            BOOST_REQUIRE(kill(child.pid(), signal) == 0);
            BOOST_TEST(child.end() == 0);
            BOOST_TEST(child.is_restored());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_terminal_is_restored_by_every_signal_of_a_fault) {
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP}) {
        BOOST_TEST_CONTEXT("signal " << signal) {
            Child child([] {});
            BOOST_REQUIRE(child.shows(Child::enter));
            BOOST_REQUIRE(kill(child.pid(), signal) == 0);
            BOOST_TEST(child.end() == signal);
            BOOST_TEST(child.is_restored());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_terminal_is_restored_after_a_fault_of_the_program) {
    Child aborted([] { std::abort(); });
    BOOST_TEST(aborted.end() == SIGABRT);
    BOOST_TEST(aborted.is_restored());
}

BOOST_AUTO_TEST_CASE(the_terminal_is_restored_while_the_program_is_stopped) {
    for (const int signal : {SIGTTIN, SIGTTOU}) {
        Child child([] {});
        BOOST_REQUIRE(child.shows(Child::enter));
        BOOST_REQUIRE(kill(child.pid(), signal) == 0);
        BOOST_REQUIRE(child.shows(Child::leave));
        int status = 0;
        BOOST_REQUIRE(waitpid(child.pid(), &status, WUNTRACED) == child.pid());
        BOOST_TEST(WIFSTOPPED(status));
        BOOST_TEST(child.is_restored());
        child.forget();
        BOOST_REQUIRE(kill(child.pid(), SIGCONT) == 0);
        BOOST_TEST(child.shows(Child::enter));
    }
}

BOOST_AUTO_TEST_SUITE_END()
