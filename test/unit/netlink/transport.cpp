// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Sockets of the kernel that runs the tests, and another process that sends to them.
#include "boost_test.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <linux/genetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libmacstats/netlink/transport.hpp"
#include "netlink_fake.hpp"

BOOST_AUTO_TEST_SUITE(unit_transport)

using namespace macstats;
using namespace macstats::test;
using namespace std::chrono_literals;

namespace {

// A sender other than the kernel.
class Stranger {
public:
    Stranger() = default;
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;
    ~Stranger() { (void)close(fd_); }

    [[nodiscard]] bool send(std::uint32_t port) const {
        const Datagram datagram(16);
        sockaddr_nl to{};
        to.nl_family = AF_NETLINK;
        to.nl_pid = port;
        const ssize_t sent = sendto(
            fd_, datagram.data(), datagram.size(), 0, reinterpret_cast<const sockaddr*>(&to),
            sizeof(to));
        return sent == static_cast<ssize_t>(datagram.size());
    }

private:
    int fd_ = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
};

std::uint32_t port_of(int fd) {
    sockaddr_nl address{};
    socklen_t length = sizeof(address);
    BOOST_REQUIRE(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0);
    return address.nl_pid;
}

std::unique_ptr<Listener> listener() {
    auto opened = open_listener(GENL_ID_CTRL); // its only group has the number of its family
    return std::move(*opened);
}

Datagram question() {
    return message(
        GENL_ID_CTRL, NLM_F_REQUEST, octets::command(CTRL_CMD_GETFAMILY, 1, text(2, "nlctrl")), 1);
}

// The kernel sends its answers to the port of the socket that asked.
std::uint32_t port_of(Transport& transport) {
    BOOST_REQUIRE(transport.send(question()).has_value());
    const auto answer = transport.receive();
    nlmsghdr header;
    std::memcpy(&header, answer->data(), sizeof(header));
    return header.nlmsg_pid;
}

// It needs CAP_NET_ADMIN.
boost::test_tools::assertion_result others_may_send(boost::unit_test::test_unit_id /*id*/) {
    return Stranger().send(port_of(listener()->fd()));
}

} // namespace

BOOST_AUTO_TEST_CASE(signals_do_not_prolong_the_timeout_of_a_request) {
    struct sigaction ignoring {};
    ignoring.sa_handler = [](int) {};
    struct sigaction before {};
    BOOST_REQUIRE(sigaction(SIGUSR1, &ignoring, &before) == 0);
    auto transport = open_transport(500ms);
    std::atomic<bool> is_over = false;
    std::atomic<bool> was_over = false;
    std::thread signals([&, receiver = pthread_self()] {
        for (int i = 0; i < 300 && !is_over; i++) {
            (void)pthread_kill(receiver, SIGUSR1);
            std::this_thread::sleep_for(100ms);
        }
        was_over = is_over.load();
    });
    const auto start = std::chrono::steady_clock::now();
    BOOST_TEST((*transport)->receive().error().errnum == ETIMEDOUT);
    BOOST_TEST((std::chrono::steady_clock::now() - start >= 500ms));
    is_over = true;
    signals.join();
    BOOST_TEST(was_over.load());
    BOOST_REQUIRE(sigaction(SIGUSR1, &before, nullptr) == 0);
}

BOOST_AUTO_TEST_SUITE(others, *boost::unit_test::precondition(others_may_send))

BOOST_AUTO_TEST_CASE(a_datagram_of_another_process_is_no_event_to_wait_for) {
    const auto listening = listener();
    const Stranger stranger;
    BOOST_REQUIRE(stranger.send(port_of(listening->fd())));
    BOOST_TEST(listening->receive(0ms).error().errnum == ETIMEDOUT);
    BOOST_REQUIRE(stranger.send(port_of(listening->fd())));
    const auto start = std::chrono::steady_clock::now();
    BOOST_TEST(listening->receive(50ms).error().errnum == ETIMEDOUT);
    BOOST_TEST((std::chrono::steady_clock::now() - start >= 50ms));
}

BOOST_AUTO_TEST_CASE(an_answer_behind_a_datagram_of_another_process_is_received) {
    auto transport = open_transport();
    const std::uint32_t port = port_of(**transport);
    const Stranger stranger;
    BOOST_REQUIRE(stranger.send(port));
    BOOST_TEST(port_of(**transport) == port);
}

BOOST_AUTO_TEST_CASE(datagrams_of_another_process_do_not_prolong_the_timeout_of_a_request) {
    auto transport = open_transport(500ms);
    const std::uint32_t port = port_of(**transport);
    std::atomic<bool> is_over = false;
    std::atomic<bool> was_over = false;
    std::thread others([&] {
        const Stranger stranger;
        for (int i = 0; i < 300 && !is_over; i++) {
            (void)stranger.send(port);
            std::this_thread::sleep_for(100ms);
        }
        was_over = is_over.load();
    });
    BOOST_TEST((*transport)->receive().error().errnum == ETIMEDOUT);
    is_over = true;
    others.join();
    BOOST_TEST(was_over.load());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
