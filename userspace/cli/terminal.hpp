// SPDX-License-Identifier: GPL-2.0 OR MIT
// A terminal that shows screens instead of lines, and gets its state back however the
// program ends or stops.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "present/watch.hpp"
#include "signals.hpp"

namespace macstats::cli {

/// The signals which a program with a Terminal waits for through Signals: all that end a
/// program from outside, SIGTSTP and SIGWINCH. Terminal itself handles the others: those
/// that a fault of the program raises, and those that stop a background process.
inline sigset_t awaited_signals() {
    sigset_t set = ending_signals();
    sigaddset(&set, SIGTSTP);
    sigaddset(&set, SIGWINCH);
    return set;
}

/// The other screen and unbuffered keys for as long as the object lives. There is one at a
/// time. It writes to standard output directly; flush stdio before.
class Terminal {
public:
    Terminal() {
        there_is_one() = this;
        set_handlers();
        enter();
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal() {
        leave();
        for (std::size_t i = 0; i < handled.size(); i++)
            (void)sigaction(handled[i], &before_handlers_[i], nullptr);
        there_is_one() = nullptr;
    }

    void enter() {
        has_keys_ = tcgetattr(STDIN_FILENO, &before_) == 0;
        if (has_keys_) {
            termios raw = before_;
            raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // Ctrl-C stays a signal
            raw.c_cc[VMIN] = 1;
            raw.c_cc[VTIME] = 0;
            (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
        }
        entered_ = 1;
        // The other screen, no cursor, no line continued on the next.
        (void)put("\033[?1049h\033[?25l\033[?7l");
    }

    /// Async-signal-safe.
    void leave() {
        if (!entered_)
            return;
        entered_ = 0;
        (void)put("\033[?7h\033[?25h\033[?1049l");
        if (has_keys_)
            (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    }

    /// Stops the process, as Ctrl-Z does, with the terminal as it was before.
    void stop() {
        leave();
        (void)raise(SIGSTOP);
        enter();
    }

    [[nodiscard]] bool has_keys() const { return has_keys_; }

    [[nodiscard]] static ScreenSize size() {
        winsize size{};
        if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row)
            return {.columns = 80, .rows = 24};
        return {.columns = size.ws_col, .rows = size.ws_row};
    }

    /// False if the terminal is gone.
    static bool put(std::string_view text) {
        while (!text.empty()) {
            const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return false;
            text.remove_prefix(static_cast<std::size_t>(written));
        }
        return true;
    }

private:
    static constexpr std::array handled{SIGABRT, SIGBUS,  SIGFPE,  SIGILL, SIGSEGV,
                                        SIGSYS,  SIGTRAP, SIGTTIN, SIGTTOU};

    static Terminal*& there_is_one() {
        static Terminal* terminal = nullptr;
        return terminal;
    }

    void set_handlers() {
        struct sigaction action {};
        sigemptyset(&action.sa_mask);
        for (std::size_t i = 0; i < handled.size(); i++) {
            const bool stops = handled[i] == SIGTTIN || handled[i] == SIGTTOU;
            action.sa_handler = stops ? stop_for_signal : end_for_signal;
            action.sa_flags = stops ? SA_RESTART : static_cast<int>(SA_RESETHAND);
            (void)sigaction(handled[i], &action, &before_handlers_[i]);
        }
    }

    // The default action follows when the handler returns or, for a signal that was sent,
    // when it is raised again.
    static void end_for_signal(int signal) {
        if (there_is_one())
            there_is_one()->leave();
        (void)raise(signal);
    }

    // In the background, the terminal belongs to another process group: leave it alone.
    static void stop_for_signal(int) {
        const int before = errno;
        Terminal* terminal = there_is_one();
        const bool is_shown =
            terminal && terminal->entered_ && tcgetpgrp(STDOUT_FILENO) == getpgrp();
        if (is_shown)
            terminal->stop();
        else
            (void)raise(SIGSTOP);
        errno = before;
    }

    termios before_{};
    std::array<struct sigaction, handled.size()> before_handlers_{};
    volatile sig_atomic_t entered_ = 0;
    bool has_keys_ = false;
};

} // namespace macstats::cli
