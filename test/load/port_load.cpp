// SPDX-License-Identifier: GPL-2.0 OR MIT
//
//     port-load --real N --injected N [--seed S] PORT...
//
// Loads emulated ports: four threads send real frames and inject others, four read `ethtool -S`,
// two dump by netlink, one reads rtnl statistics, and one changes the poll intervals. Prints the
// frames that were counted, as JSON:
//
//     {"frames": {PORT: {"tx": [N...], "rx": [N...]}}, "reads": N, "dumps": N, ...}
//
// with one N for each frame of `shapes`, in their order. Each PORT is linked to its neighbour,
// the first to the second. Fails as soon as a reader sees less than any reader has seen before
// that read began.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"

using namespace macstats;
using namespace std::chrono_literals;

namespace {

struct Shape {
    std::uint32_t length; // octets with FCS
    macstats_destination destination;
    std::array<std::uint8_t, 6> address;
};

// Those of test/vm/lib/shapes.py.
constexpr std::array<Shape, 4> shapes = {{
    {64, MACSTATS_UNICAST, {2, 0, 0, 0, 0, 1}},
    {100, MACSTATS_MULTICAST, {1, 0, 0x5e, 1, 2, 3}},
    {300, MACSTATS_BROADCAST, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
    {1518, MACSTATS_UNICAST, {2, 0, 0, 0, 0, 1}},
}};
constexpr std::size_t rx = 0, tx = 1;
constexpr std::uint64_t writers = 4, readers = 4, dumpers = 2;
constexpr std::uint64_t batch = 64;
constexpr std::uint64_t largest_injection = 1000;
// A writer reads a port once it has added so many octets. Together the writers add less than a
// quarter of 2^32 between two reads: no counter of 32 bits wraps unseen.
constexpr std::uint64_t octets_between_reads = (1ULL << 30) / writers;
constexpr int most_stale_reads = 100; // one after the other, each of seconds
constexpr std::uint32_t shortest_interval = 1000, longest_interval = 100'000; // microseconds

using Total = std::atomic<std::uint64_t>;

template <typename T>
T need(Result<T> result, const std::string& what) {
    if (!result)
        throw std::runtime_error(what + ": " + result.error().message);
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}

int need_call(int result, const std::string& what) {
    if (result < 0)
        throw std::runtime_error(what + ": " + errno_text(errno));
    return result;
}

class Socket {
public:
    Socket(int family, int type, int protocol)
        : fd_(need_call(socket(family, type | SOCK_CLOEXEC, protocol), "socket")) {}
    Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Socket& operator=(Socket&&) = delete;
    ~Socket() {
        if (fd_ >= 0)
            close(fd_);
    }
    [[nodiscard]] int fd() const { return fd_; }

private:
    int fd_;
};

// The largest values that any reader has seen.
class Floor {
public:
    explicit Floor(std::size_t size) : values_(size) {}

    [[nodiscard]] std::vector<std::uint64_t> now() const {
        return {values_.begin(), values_.end()};
    }

    // @before: now() of the time before the read of @values began.
    void check(
        const std::string& who, std::span<const std::uint64_t> values,
        std::span<const std::uint64_t> before) {
        if (values.size() != before.size())
            throw std::runtime_error(who + ": another number of values");
        for (std::size_t i = 0; i < values.size(); i++) {
            if (values[i] < before[i])
                throw std::runtime_error(fmt::format(
                    "{}: value {} went back from {} to {}", who, i, before[i], values[i]));
            std::uint64_t seen = values_[i];
            while (seen < values[i] && !values_[i].compare_exchange_weak(seen, values[i])) {}
        }
    }

private:
    std::deque<Total> values_;
};

constexpr std::size_t rtnl_values = offsetof(rtnl_link_stats64, rx_nohandler) / 8 + 1;

struct Port {
    Port(std::string port_name, IfIndex index, std::size_t counters)
        : name(std::move(port_name)),
          ifindex(index),
          totals(counters),
          rtnl(rtnl_values) {}

    std::string name;
    IfIndex ifindex;
    Port* peer = nullptr;
    Floor totals, rtnl;
    std::array<std::array<Total, shapes.size()>, 2> frames{};
};

struct Request {
    std::vector<std::string> names;
    std::uint64_t real = 0, injected = 0, seed = 1;
};

// The state that the threads share.
struct Load {
    std::deque<Port> ports;
    Total real{0}, injected{0}; // frames that nobody has taken yet
    Total reads{0}, dumps{0}, rtnl_reads{0}, changes{0};
    std::atomic<bool> end{false};
    std::mutex lock;
    std::string failure; // the first one

    Port& any(std::mt19937_64& random) { return ports[random() % ports.size()]; }

    void fail(const std::string& text) {
        const std::scoped_lock held(lock);
        if (failure.empty())
            failure = text;
        end = true;
    }
};

// Takes up to @most from what is left.
std::uint64_t take(Total& left, std::uint64_t most) {
    std::uint64_t now = left;
    while (now && !left.compare_exchange_weak(now, now - std::min(now, most))) {}
    return std::min(now, most);
}

ifreq request_for(const Port& port, void* data) {
    ifreq request{};
    port.name.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_data = static_cast<char*>(data);
    return request;
}

// Sends frames from one port.
class Sender {
public:
    explicit Sender(const Port& port) : socket_(AF_PACKET, SOCK_RAW, 0) {
        const int on = 1;
        need_call(
            setsockopt(socket_.fd(), SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof(on)), "bypass");
        sockaddr_ll address{};
        address.sll_family = AF_PACKET;
        address.sll_ifindex = static_cast<int>(port.ifindex.value());
        need_call(
            bind(socket_.fd(), reinterpret_cast<sockaddr*>(&address), sizeof(address)),
            "bind " + port.name);
    }

    // Returns the number of frames that were sent.
    std::uint64_t send(const Shape& shape, std::uint64_t count) {
        std::array<std::uint8_t, 1518> octets{};
        std::copy(shape.address.begin(), shape.address.end(), octets.begin());
        octets[6] = 2;
        octets[12] = 0x88; // 88-b5: for experiments
        octets[13] = 0xb5;
        iovec part{octets.data(), shape.length - MACSTATS_FCS_LEN};
        std::array<mmsghdr, batch> messages{};
        for (mmsghdr& message : messages) {
            message.msg_hdr.msg_iov = &part;
            message.msg_hdr.msg_iovlen = 1;
        }
        return static_cast<std::uint64_t>(need_call(
            sendmmsg(socket_.fd(), messages.data(), static_cast<unsigned>(count), 0), "sendmmsg"));
    }

private:
    Socket socket_;
};

void write_frames(Load& load, std::mt19937_64 random) {
    auto emulator = need(Emulator::open(), "emulator");
    auto client = need(Client::open(60s), "client");
    std::vector<Sender> senders;
    for (const Port& port : load.ports)
        senders.emplace_back(port);
    std::vector<std::uint64_t> octets(load.ports.size());

    const auto add = [&](std::size_t at, std::uint64_t added) {
        octets[at] += added;
        if (octets[at] < octets_between_reads)
            return;
        octets[at] = 0;
        int tries = 0;
        while (!load.end && need(client.statistics(load.ports[at].ifindex), "statistics").stale)
            if (++tries == most_stale_reads)
                throw std::runtime_error(load.ports[at].name + " stays stale");
    };
    while (!load.end && (load.real || load.injected)) {
        const std::size_t at = random() % load.ports.size(), which = random() % shapes.size();
        Port& port = load.ports[at];
        const Shape& shape = shapes[which];
        if (random() % 2) {
            std::uint64_t left = take(load.real, 1 + random() % batch);
            while (left && !load.end) {
                const std::uint64_t sent = senders[at].send(shape, left);
                left -= sent;
                port.frames[tx][which] += sent;
                port.peer->frames[rx][which] += sent;
                add(at, sent * shape.length);
                add(at ^ 1, sent * shape.length);
            }
        } else if (
            const std::uint64_t count = take(load.injected, 1 + random() % largest_injection)) {
            const std::size_t direction = random() % 2;
            const FrameRequest frame{
                .direction = direction == tx ? MACSTATS_TX : MACSTATS_RX,
                .length = shape.length,
                .destination = shape.destination};
            need(emulator.inject(port.ifindex, frame, count), "inject");
            port.frames[direction][which] += count;
            add(at, count * shape.length);
        }
    }
}

void read_ethtool(Load& load, std::mt19937_64 random) {
    const Socket control(AF_INET, SOCK_DGRAM, 0);
    while (!load.end) {
        Port& port = load.any(random);
        const auto before = port.totals.now();
        std::vector<std::uint64_t> data(1 + before.size());
        const ethtool_stats head{ETHTOOL_GSTATS, static_cast<std::uint32_t>(before.size())};
        std::memcpy(data.data(), &head, sizeof(head));
        ifreq request = request_for(port, data.data());
        need_call(ioctl(control.fd(), SIOCETHTOOL, &request), "ETHTOOL_GSTATS");
        port.totals.check("ethtool -S " + port.name, std::span(data).subspan(1), before);
        load.reads++;
        std::this_thread::sleep_for(1ms);
    }
}

void dump_netlink(Load& load, std::mt19937_64 random) {
    auto client = need(Client::open(60s), "client");
    while (!load.end) {
        std::vector<std::vector<std::uint64_t>> before;
        for (const Port& port : load.ports)
            before.push_back(port.totals.now());
        const auto freshness = random() % 4 ? Freshness::read_hardware : Freshness::cached;
        const auto all = need(client.statistics(freshness), "dump");
        if (all.size() != load.ports.size())
            throw std::runtime_error(fmt::format("a dump has {} ports", all.size()));
        for (std::size_t i = 0; i < all.size(); i++) {
            const auto port = std::find_if(load.ports.begin(), load.ports.end(), [&](auto& one) {
                return one.ifindex == all[i].ifindex;
            });
            const auto at = static_cast<std::size_t>(port - load.ports.begin());
            port->totals.check("netlink " + port->name, all[i].values, before.at(at));
        }
        load.dumps++;
        std::this_thread::sleep_for(2ms);
    }
}

// The statistics of `ip -s link`.
std::vector<std::uint64_t> rtnl_statistics(const Socket& socket, const Port& port) {
    struct {
        nlmsghdr head;
        ifinfomsg info;
    } request{};
    request.head.nlmsg_len = sizeof(request);
    request.head.nlmsg_type = RTM_GETLINK;
    request.head.nlmsg_flags = NLM_F_REQUEST;
    request.info.ifi_index = static_cast<int>(port.ifindex.value());
    need_call(static_cast<int>(send(socket.fd(), &request, sizeof(request), 0)), "RTM_GETLINK");
    alignas(nlmsghdr) std::array<char, 16384> reply{};
    const int length =
        need_call(static_cast<int>(recv(socket.fd(), reply.data(), reply.size(), 0)), "recv");
    const auto* head = reinterpret_cast<const nlmsghdr*>(reply.data());
    if (length < static_cast<int>(NLMSG_LENGTH(sizeof(ifinfomsg))) ||
        head->nlmsg_type != RTM_NEWLINK)
        throw std::runtime_error("RTM_GETLINK was rejected");
    std::size_t at = NLMSG_LENGTH(NLMSG_ALIGN(sizeof(ifinfomsg)));
    while (at + sizeof(rtattr) <= static_cast<std::size_t>(length)) {
        rtattr attribute{};
        std::memcpy(&attribute, &reply.at(at), sizeof(attribute));
        if (attribute.rta_type == IFLA_STATS64) {
            std::vector<std::uint64_t> values(rtnl_values);
            std::memcpy(values.data(), &reply.at(at + sizeof(attribute)), values.size() * 8);
            return values;
        }
        at += RTA_ALIGN(attribute.rta_len);
    }
    throw std::runtime_error("RTM_NEWLINK without statistics");
}

void read_rtnl(Load& load, std::mt19937_64 random) {
    const Socket socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    while (!load.end) {
        Port& port = load.any(random);
        const auto before = port.rtnl.now();
        port.rtnl.check("rtnl " + port.name, rtnl_statistics(socket, port), before);
        load.rtnl_reads++;
        std::this_thread::sleep_for(1ms);
    }
}

void change_interval(Load& load, std::mt19937_64 random) {
    const Socket control(AF_INET, SOCK_DGRAM, 0);
    std::uniform_real_distribution<double> exponent(
        std::log(shortest_interval), std::log(longest_interval));
    while (!load.end) {
        const Port& port = load.any(random);
        ethtool_coalesce coalesce{};
        coalesce.cmd = ETHTOOL_SCOALESCE;
        coalesce.stats_block_coalesce_usecs =
            static_cast<std::uint32_t>(std::exp(exponent(random)));
        ifreq request = request_for(port, &coalesce);
        need_call(ioctl(control.fd(), SIOCETHTOOL, &request), "ETHTOOL_SCOALESCE");
        load.changes++;
        std::this_thread::sleep_for(5ms);
    }
}

void add_ports(Load& load, const std::vector<std::string>& names) {
    auto client = need(Client::open(), "client");
    for (const std::string& name : names) {
        const PortInfo info = need(client.port(name), name);
        load.ports.emplace_back(
            name, info.ifindex, need(client.counters(info.model), info.model).size());
    }
    for (std::size_t i = 0; i < load.ports.size(); i++)
        load.ports[i].peer = &load.ports[i ^ 1];
}

int run(const Request& request) {
    if (request.names.size() % 2)
        throw std::runtime_error("give pairs of linked ports");
    Load load;
    add_ports(load, request.names);
    load.real = request.real;
    load.injected = request.injected;

    const auto began = std::chrono::steady_clock::now();
    std::vector<std::thread> writing, reading;
    std::uint64_t seed = request.seed * 1000;
    const auto start = [&](auto& threads, auto function, std::uint64_t number) {
        for (std::uint64_t i = 0; i < number; i++)
            threads.emplace_back([&load, function, own = seed++] {
                try {
                    function(load, std::mt19937_64(own));
                } catch (const std::exception& error) {
                    load.fail(error.what());
                }
            });
    };
    start(reading, read_ethtool, readers);
    start(reading, dump_netlink, dumpers);
    start(reading, read_rtnl, 1);
    start(reading, change_interval, 1);
    start(writing, write_frames, writers);
    for (std::thread& thread : writing)
        thread.join();
    load.end = true;
    for (std::thread& thread : reading)
        thread.join();

    nlohmann::json frames;
    for (const Port& port : load.ports) {
        for (const std::size_t direction : {rx, tx}) {
            for (const Total& number : port.frames.at(direction))
                frames[port.name][direction == tx ? "tx" : "rx"].push_back(number.load());
        }
    }
    fmt::print(
        "{}\n",
        nlohmann::json{
            {"frames", frames},
            {"reads", load.reads.load()},
            {"dumps", load.dumps.load()},
            {"rtnl_reads", load.rtnl_reads.load()},
            {"changes", load.changes.load()},
            {"seconds",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()}}
            .dump());
    if (!load.failure.empty())
        throw std::runtime_error(load.failure);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    Request request;
    CLI::App app("Load on emulated ports");
    app.add_option("--real", request.real, "Frames to send")->required();
    app.add_option("--injected", request.injected, "Frames to inject")->required();
    app.add_option("--seed", request.seed);
    app.add_option("PORT", request.names)->required();
    try {
        app.parse(argc, argv);
        return run(request);
    } catch (const CLI::ParseError& error) {
        return app.exit(error);
    } catch (const std::exception& error) {
        fmt::print(stderr, "port-load: {}\n", error.what());
        return 1;
    }
}
