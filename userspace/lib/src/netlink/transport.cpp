// SPDX-License-Identifier: GPL-2.0 OR MIT
// The transport to the kernel, on top of libnl.
#include "libmacstats/netlink/transport.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <linux/netlink.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

struct FreeSocket {
    void operator()(nl_sock* socket) const { nl_socket_free(socket); }
};
using Socket = std::unique_ptr<nl_sock, FreeSocket>;

struct FreeBuffer {
    void operator()(unsigned char* buffer) const { std::free(buffer); }
};

// libnl returns its own error numbers; errno has that of the system call.
Error socket_error(const char* what, int nl_error) {
    int errnum = errno ? errno : EIO;
    if (errnum == EAGAIN)
        errnum = ETIMEDOUT;
    return {errnum, std::string(what) + ": " + nl_geterror(nl_error)};
}

// The next datagram from the kernel.
Result<Datagram> receive_from_kernel(nl_sock* socket) {
    for (;;) {
        sockaddr_nl from{};
        unsigned char* raw = nullptr;
        errno = 0;
        const int size = nl_recv(socket, &from, &raw, nullptr);
        const std::unique_ptr<unsigned char, FreeBuffer> buffer(raw);
        if (size < 0)
            return socket_error("cannot receive from the kernel", size);
        if (size == 0)
            return Error{ETIMEDOUT, "the kernel does not answer"};
        // Any process may send to a netlink socket: drop datagrams of others.
        if (from.nl_pid != 0)
            continue;
        const auto* data = reinterpret_cast<const std::byte*>(raw);
        return Datagram(data, data + size);
    }
}

class LibnlTransport final : public Transport {
public:
    explicit LibnlTransport(Socket socket) : socket_(std::move(socket)) {}

    Result<void> send(std::span<const std::byte> datagram) override {
        // nl_sendto() takes a pointer to non-const, but does not write to it.
        auto* data = const_cast<std::byte*>(datagram.data());
        errno = 0;
        const int sent = nl_sendto(socket_.get(), data, datagram.size());
        if (sent < 0)
            return socket_error("cannot send to the kernel", sent);
        return {};
    }

    Result<Datagram> receive() override { return receive_from_kernel(socket_.get()); }

private:
    Socket socket_;
};

class LibnlListener final : public Listener {
public:
    explicit LibnlListener(Socket socket) : socket_(std::move(socket)) {}

    Result<Datagram> receive(std::optional<std::chrono::milliseconds> timeout) override {
        pollfd ready{.fd = fd(), .events = POLLIN, .revents = 0};
        constexpr std::chrono::milliseconds longest(INT32_MAX);
        const int wait =
            timeout
                ? static_cast<int>(std::min(std::max(*timeout, timeout->zero()), longest).count())
                : -1;
        const int found = poll(&ready, 1, wait);
        if (found < 0)
            return Error{errno, "cannot wait for the kernel"};
        if (found == 0)
            return Error{ETIMEDOUT, "nothing came from the kernel"};
        return receive_from_kernel(socket_.get());
    }

    [[nodiscard]] int fd() const override { return nl_socket_get_fd(socket_.get()); }

private:
    Socket socket_;
};

Result<Socket> open_socket() {
    Socket socket(nl_socket_alloc());
    if (!socket)
        return Error{ENOMEM, "no memory for a netlink socket"};
    errno = 0;
    const int error = nl_connect(socket.get(), NETLINK_GENERIC);
    if (error < 0)
        return socket_error("cannot open a generic netlink socket", error);
    // The length of a reply grows with the number of counters: peek at it first.
    nl_socket_enable_msg_peek(socket.get());
    return socket;
}

} // namespace

Result<std::unique_ptr<Transport>> open_transport(std::chrono::milliseconds timeout) {
    if (timeout <= timeout.zero())
        return invalid(
            fmt::format("the timeout of requests is {} ms, not positive", timeout.count()));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    const std::chrono::microseconds rest = timeout - seconds;
    // time_t may have 32 bits: 68 years are long enough.
    constexpr std::int64_t longest = std::numeric_limits<decltype(timeval::tv_sec)>::max();
    const timeval answer_timeout{
        .tv_sec = static_cast<decltype(timeval::tv_sec)>(
            std::min<std::int64_t>(seconds.count(), longest)),
        .tv_usec = static_cast<decltype(timeval::tv_usec)>(rest.count())};

    MACSTATS_TRY(auto socket, open_socket());

    const int fd = nl_socket_get_fd(socket.get());
    const int one = 1;
    // Request explanations of rejections, without a copy of the request. A kernel that
    // does not support these options answers nevertheless.
    (void)setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
    (void)setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &answer_timeout, sizeof(answer_timeout));
    return std::unique_ptr<Transport>(std::make_unique<LibnlTransport>(std::move(socket)));
}

Result<std::unique_ptr<Listener>> open_listener(std::uint32_t group) {
    MACSTATS_TRY(auto socket, open_socket());
    // Room for bursts: a thousand ports that are added or removed at once. The system may
    // limit it; losses are reported.
    constexpr int room = 1 << 20;
    (void)nl_socket_set_buffer_size(socket.get(), room, 0);
    errno = 0;
    const int error = nl_socket_add_membership(socket.get(), static_cast<int>(group));
    if (error < 0)
        return socket_error("cannot join a multicast group", error);
    return std::unique_ptr<Listener>(std::make_unique<LibnlListener>(std::move(socket)));
}

} // namespace macstats
