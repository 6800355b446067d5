// SPDX-License-Identifier: GPL-2.0 OR MIT
// Signals as something to poll for, shared by the subcommands that wait.
#pragma once

#include <initializer_list>
#include <optional>

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace macstats::cli {

/// All signals that end a program from outside, except SIGKILL.
inline sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF,
          SIGIO, SIGPWR, SIGXCPU, SIGXFSZ})
        sigaddset(&set, signal);
#ifdef SIGSTKFLT // not on MIPS
    sigaddset(&set, SIGSTKFLT);
#endif
#ifdef SIGEMT // only there
    sigaddset(&set, SIGEMT);
#endif
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
        sigaddset(&set, signal);
    return set;
}

/// Blocks signals and delivers them through a file descriptor, so that the program ends in
/// one place. The destructor restores the previous mask. Construct it before other threads:
/// they inherit the mask, which keeps these signals away from them.
class Signals {
public:
    Signals(std::initializer_list<int> signals) : Signals(set_of(signals)) {}
    explicit Signals(const sigset_t& set) {
        pthread_sigmask(SIG_BLOCK, &set, &before_);
        fd_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals() {
        if (fd_ >= 0)
            (void)close(fd_);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    [[nodiscard]] int fd() const { return fd_; }

    /// The next pending signal, or nothing.
    [[nodiscard]] std::optional<int> next() const {
        signalfd_siginfo info{};
        if (read(fd_, &info, sizeof(info)) != sizeof(info))
            return std::nullopt;
        return static_cast<int>(info.ssi_signo);
    }

private:
    static sigset_t set_of(std::initializer_list<int> signals) {
        sigset_t set;
        sigemptyset(&set);
        for (const int signal : signals)
            sigaddset(&set, signal);
        return set;
    }

    sigset_t before_{};
    int fd_ = -1;
};

/// Whether a signal should end the program: it does so at its next wait, so that what it has
/// changed is restored.
class Interruption {
public:
    bool operator()() {
        seen_ = seen_ || signals_.next().has_value();
        return seen_;
    }

private:
    Signals signals_{ending_signals()};
    bool seen_ = false;
};

} // namespace macstats::cli
