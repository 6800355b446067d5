// SPDX-License-Identifier: GPL-2.0 OR MIT
// The transport to the kernel, on top of libnl.
#include "libmacstats/netlink/transport.hpp"

#include <algorithm>
#include <cstdlib>

#include <linux/netlink.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

using std::chrono::milliseconds;

struct FreeSocket {
    void operator()(nl_sock* socket) const { nl_socket_free(socket); }
};
using Socket = std::unique_ptr<nl_sock, FreeSocket>;

struct FreeBuffer {
    void operator()(unsigned char* buffer) const { std::free(buffer); }
};

// libnl returns its own error numbers; errno has that of the system call.
Error socket_error(const char* what, int nl_error) {
    return {errno ? errno : EIO, std::string(what) + ": " + nl_geterror(nl_error)};
}

// The next datagram from the kernel. A process with CAP_NET_ADMIN may send to a netlink socket,
// too: its datagrams are dropped, and do not prolong the wait.
Result<Datagram> receive_from_kernel(nl_sock* socket, std::optional<milliseconds> timeout) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (;;) {
        sockaddr_nl from{};
        unsigned char* raw = nullptr;
        errno = 0;
        const int size = nl_recv(socket, &from, &raw, nullptr);
        const std::unique_ptr<unsigned char, FreeBuffer> buffer(raw);
        if (size > 0 && from.nl_pid == 0) {
            const auto* data = reinterpret_cast<const std::byte*>(raw);
            return Datagram(data, data + size);
        }
        if (size < 0 && errno != EAGAIN)
            return socket_error("cannot receive from the kernel", size);
        std::int64_t wait = -1;
        if (timeout) {
            const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
            wait = std::min<std::int64_t>((*timeout - passed).count(), INT32_MAX);
            if (wait <= 0)
                return Error{ETIMEDOUT, "the kernel does not answer"};
        }
        pollfd ready{.fd = nl_socket_get_fd(socket), .events = POLLIN, .revents = 0};
        if (poll(&ready, 1, static_cast<int>(wait)) < 0 && errno != EINTR)
            return Error{errno, "cannot wait for the kernel"};
    }
}

class LibnlTransport final : public Transport {
public:
    LibnlTransport(Socket socket, milliseconds timeout)
        : socket_(std::move(socket)),
          timeout_(timeout) {}

    Result<void> send(std::span<const std::byte> datagram) override {
        // nl_sendto() takes a pointer to non-const, but does not write to it.
        auto* data = const_cast<std::byte*>(datagram.data());
        errno = 0;
        const int sent = nl_sendto(socket_.get(), data, datagram.size());
        if (sent < 0)
            return socket_error("cannot send to the kernel", sent);
        return {};
    }

    Result<Datagram> receive() override { return receive_from_kernel(socket_.get(), timeout_); }

private:
    Socket socket_;
    milliseconds timeout_;
};

class LibnlListener final : public Listener {
public:
    explicit LibnlListener(Socket socket) : socket_(std::move(socket)) {}

    Result<Datagram> receive(std::optional<milliseconds> timeout) override {
        return receive_from_kernel(socket_.get(), timeout);
    }

    Result<void> join(std::uint32_t group) override {
        errno = 0;
        const int error = nl_socket_add_membership(socket_.get(), static_cast<int>(group));
        if (error < 0)
            return socket_error("cannot join a multicast group", error);
        return {};
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
    // Only poll() waits.
    (void)nl_socket_set_nonblocking(socket.get());
    // As much as the kernel packs into a part of a dump. A longer reply, of a port with hundreds of
    // counters, is peeked at first.
    constexpr std::size_t part = 32768;
    nl_socket_set_msg_buf_size(socket.get(), part);
    nl_socket_enable_msg_peek(socket.get());
    return socket;
}

} // namespace

Result<std::unique_ptr<Transport>> open_transport(milliseconds timeout) {
    if (timeout <= timeout.zero())
        return invalid("the timeout of requests is {} ms, not positive", timeout.count());
    MACSTATS_TRY(auto socket, open_socket());

    const int fd = nl_socket_get_fd(socket.get());
    const int one = 1;
    // Request explanations of rejections, without a copy of the request. A kernel that
    // does not support these options answers nevertheless.
    (void)setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
    (void)setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
    return std::unique_ptr<Transport>(std::make_unique<LibnlTransport>(std::move(socket), timeout));
}

Result<std::unique_ptr<Listener>> open_listener(std::uint32_t group) {
    MACSTATS_TRY(auto socket, open_socket());
    // Room for bursts: a thousand ports that are added or removed at once. The system may
    // limit it; losses are reported.
    constexpr int room = 1 << 20;
    (void)nl_socket_set_buffer_size(socket.get(), room, 0);
    std::unique_ptr<Listener> listener = std::make_unique<LibnlListener>(std::move(socket));
    MACSTATS_CHECK(listener->join(group));
    return listener;
}

} // namespace macstats
