// SPDX-License-Identifier: GPL-2.0
#include "socket.hpp"

#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace macstats::test::netlink {

namespace {

std::system_error system_error(const char* what) {
    return {errno, std::generic_category(), what};
}

} // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : fd(std::exchange(other.fd, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(fd, other.fd);
    return *this;
}

Descriptor::~Descriptor() {
    if (fd >= 0)
        close(fd);
}

Socket::Socket(bool capped, bool explained, std::uint32_t group)
    : fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)) {
    sockaddr_nl address{};
    socklen_t size = sizeof address;
    address.nl_family = AF_NETLINK;
    if (fd.get() < 0 || bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) < 0 ||
        getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) < 0)
        throw system_error("socket");
    id = address.nl_pid;
    if (capped)
        set(NETLINK_CAP_ACK, 1);
    if (explained)
        set(NETLINK_EXT_ACK, 1);
    if (group)
        set(NETLINK_ADD_MEMBERSHIP, group);
}

int Socket::send(View data) const {
    const ssize_t length = ::send(fd.get(), data.data(), data.size(), 0);
    if (length < 0)
        return errno;
    if (length != static_cast<ssize_t>(data.size()))
        throw Wrong(fmt::format("the kernel took {} octets of {}", length, data.size()));
    return 0;
}

View Socket::receive(Bytes& buffer) {
    while (true) {
        const ssize_t length =
            recv(fd.get(), buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
        if (length > static_cast<ssize_t>(buffer.size()))
            throw Wrong("a datagram that is too long");
        if (length >= 0)
            return View(buffer).first(static_cast<std::size_t>(length));
        if (errno == EAGAIN)
            return {};
        if (errno != ENOBUFS && errno != EINTR)
            throw system_error("recv");
        dropped = dropped || errno == ENOBUFS;
    }
}

void Socket::set(int option, std::uint32_t value) const {
    if (setsockopt(fd.get(), SOL_NETLINK, option, &value, sizeof value))
        throw system_error("setsockopt");
}

} // namespace macstats::test::netlink
