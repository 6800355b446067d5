// SPDX-License-Identifier: GPL-2.0
//
// A generic netlink socket of the fuzzer of netlink requests, which waits for nothing.
#ifndef MACSTATS_TEST_NETLINK_SOCKET_HPP
#define MACSTATS_TEST_NETLINK_SOCKET_HPP

#include <cstdint>

#include "bytes.hpp"

namespace macstats::test::netlink {

class Descriptor {
public:
    explicit Descriptor(int number) : fd(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    [[nodiscard]] int get() const { return fd; }

private:
    int fd;
};

class Socket {
public:
    // @group: the multicast group that it joins, 0 for none. Throws std::system_error.
    Socket(bool capped, bool explained, std::uint32_t group);

    // Returns 0, or the errno of a datagram that the kernel rejected as a whole.
    int send(View data) const;

    // Empty: nothing is there. Throws std::system_error; Wrong if the buffer is too small.
    View receive(Bytes& buffer);

    [[nodiscard]] std::uint32_t portid() const { return id; }
    // Whether the kernel dropped an answer because too many were waiting.
    [[nodiscard]] bool has_dropped() const { return dropped; }

private:
    Descriptor fd;
    std::uint32_t id = 0;
    bool dropped = false;

    void set(int option, std::uint32_t value) const;
};

} // namespace macstats::test::netlink

#endif // MACSTATS_TEST_NETLINK_SOCKET_HPP
