// SPDX-License-Identifier: GPL-2.0 OR MIT
//
//     port-load --frame LENGTH:DESTINATION:ADDRESS... --real N --injected N [--seed S]
//               [--priorities] PORT...
//
// Loads emulated ports: four threads send real frames and inject others, four read `ethtool -S`,
// two dump by netlink, one reads rtnl statistics, and one changes the poll intervals. Prints the
// frames that were counted, as JSON:
//
//     {"frames": {PORT: {"tx": [N...], "rx": [N...]}}, "reads": N, "dumps": N, ...}
//
// with one N for each --frame, in their order: its octets with FCS, its destination as a scenario
// has it, and an address of such a destination in 12 hexadecimal digits. Each PORT is linked to
// its neighbour, the first to the second. Fails as soon as a reader sees less than any reader has
// seen before that read began. With --priorities, all threads have real-time priorities
// (SCHED_FIFO): those that send and inject are below and above each of the others.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../unit/support/options.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"

using namespace macstats;
using namespace std::chrono_literals;

namespace {

struct Shape {
    std::uint32_t length; // octets with FCS
    std::uint32_t destination;
    std::array<std::uint8_t, 6> address;
};

constexpr std::size_t rx = 0, tx = 1;
constexpr std::uint64_t writers = 4, readers = 4, dumpers = 2;
constexpr std::uint64_t batch = 64;
constexpr std::uint32_t header = 14;
constexpr std::uint64_t largest_injection = 1000;
// A writer reads a port once it has added so many octets. Together the writers add less than a
// quarter of 2^32 between two reads: no counter of 32 bits wraps unseen.
constexpr std::uint64_t octets_between_reads = (1ULL << 30) / writers;
constexpr int most_stale_reads = 100; // one after the other, each of seconds
constexpr int lowest_priority = 10, priority_step = 20;
constexpr std::uint64_t longest_pause = 1000; // of a writer above others: microseconds
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

// "64:unicast:020000000001"
Shape shape_of(const std::string& text) {
    const std::string what = "--frame " + text;
    const auto first = text.find(':'), second = text.rfind(':');
    if (first == second)
        throw std::runtime_error(what + ": LENGTH:DESTINATION:ADDRESS is accepted");
    const auto length =
        need(parse_number("LENGTH", text.substr(0, first), MACSTATS_FRAME_MAX), what);
    if (length < header + MACSTATS_FCS_LEN)
        throw std::runtime_error(what + ": too short for a header and an FCS");
    const auto word = text.substr(first + 1, second - first - 1);
    Shape shape{
        .length = static_cast<std::uint32_t>(length),
        .destination = need(value_of(destination_names, "DESTINATION", word), what),
        .address = {}};
    const std::string_view digits = std::string_view(text).substr(second + 1);
    for (std::size_t i = 0; i < shape.address.size(); i++) {
        const std::string_view pair = digits.substr(std::min(2 * i, digits.size()), 2);
        const auto end = pair.data() + pair.size();
        const auto [after, error] = std::from_chars(pair.data(), end, shape.address.at(i), 16);
        if (error != std::errc{} || after != end || digits.size() != 12)
            throw std::runtime_error(what + ": ADDRESS has 12 hexadecimal digits");
    }
    return shape;
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
    Port(std::string port_name, IfIndex index, std::size_t counters, std::size_t shapes)
        : name(std::move(port_name)),
          ifindex(index),
          totals(counters),
          rtnl(rtnl_values),
          frames{{std::deque<Total>(shapes), std::deque<Total>(shapes)}} {}

    std::string name;
    IfIndex ifindex;
    Port* peer = nullptr;
    Floor totals, rtnl;
    std::array<std::deque<Total>, 2> frames; // by direction and shape
};

struct Request {
    std::vector<std::string> names, shapes;
    std::uint64_t real = 0, injected = 0, seed = 1;
    bool priorities = false;
};

// The state that the threads share.
struct Load {
    std::vector<Shape> shapes;
    std::deque<Port> ports;
    bool priorities = false;
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

// Of this thread; 0: not a real-time one.
int priority() {
    sched_param parameters{};
    need_call(sched_getparam(0, &parameters), "sched_getparam");
    return parameters.sched_priority;
}

void set_priority(int priority) {
    sched_param parameters{};
    parameters.sched_priority = priority;
    if (const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters))
        throw std::runtime_error("SCHED_FIFO: " + errno_text(error));
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
        std::vector<std::uint8_t> octets(shape.length - MACSTATS_FCS_LEN);
        std::copy(shape.address.begin(), shape.address.end(), octets.begin());
        octets[6] = 2;
        octets[12] = 0x88; // 88-b5: for experiments
        octets[13] = 0xb5;
        iovec part{octets.data(), octets.size()};
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

// Sends and injects frames, and reads a port before a counter of it can wrap.
class Writer {
public:
    Writer(Load& load, std::mt19937_64 random)
        : load_(load),
          random_(random),
          emulator_(need(Emulator::open(), "emulator")),
          client_(need(Client::open(), "client")),
          octets_(load.ports.size()) {
        for (const Port& port : load.ports)
            senders_.emplace_back(port);
    }

    void run() {
        while (!load_.end && (load_.real || load_.injected)) {
            const std::size_t at = random_() % load_.ports.size();
            const std::size_t shape = random_() % load_.shapes.size();
            if (random_() % 2)
                send(at, shape, take(load_.real, 1 + random_() % batch));
            else
                inject(at, shape, take(load_.injected, 1 + random_() % largest_injection));
            if (priority() > lowest_priority)
                std::this_thread::sleep_for(std::chrono::microseconds(random_() % longest_pause));
        }
    }

private:
    void send(std::size_t at, std::size_t shape, std::uint64_t left) {
        Port& port = load_.ports[at];
        while (left && !load_.end) {
            const std::uint64_t sent = senders_[at].send(load_.shapes[shape], left);
            left -= sent;
            port.frames[tx][shape] += sent;
            port.peer->frames[rx][shape] += sent;
            add(at, sent * load_.shapes[shape].length);
            add(at ^ 1, sent * load_.shapes[shape].length);
        }
    }

    void inject(std::size_t at, std::size_t shape, std::uint64_t count) {
        if (!count)
            return;
        Port& port = load_.ports[at];
        const std::size_t direction = random_() % 2;
        const FrameRequest frame{
            .direction = direction == tx ? MACSTATS_TX : MACSTATS_RX,
            .length = load_.shapes[shape].length,
            .destination = load_.shapes[shape].destination};
        need(emulator_.inject(port.ifindex, frame, count), "inject");
        port.frames.at(direction)[shape] += count;
        add(at, count * load_.shapes[shape].length);
    }

    // Reads the port once many octets have been added to it.
    void add(std::size_t at, std::uint64_t added) {
        octets_[at] += added;
        if (octets_[at] < octets_between_reads)
            return;
        octets_[at] = 0;
        const Port& port = load_.ports[at];
        int tries = 0;
        while (!load_.end && need(client_.statistics(port.ifindex), "statistics").stale)
            if (++tries == most_stale_reads)
                throw std::runtime_error(port.name + " stays stale");
    }

    Load& load_;
    std::mt19937_64 random_;
    Emulator emulator_;
    Client client_;
    std::vector<Sender> senders_;
    std::vector<std::uint64_t> octets_;
};

void write_frames(Load& load, std::mt19937_64 random) {
    Writer(load, random).run();
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
    auto client = need(Client::open(), "client");
    while (!load.end) {
        std::vector<std::optional<std::vector<std::uint64_t>>> before; // until a port was read
        for (const Port& port : load.ports)
            before.push_back(port.totals.now());
        const auto freshness = random() % 4 ? Freshness::read_hardware : Freshness::cached;
        const auto all = need(client.statistics(freshness), "dump");
        for (const Statistics& statistics : all) {
            const auto port = std::find_if(load.ports.begin(), load.ports.end(), [&](auto& one) {
                return one.ifindex == statistics.ifindex;
            });
            if (port == load.ports.end())
                throw std::runtime_error("a dump has another port: " + statistics.model);
            auto& own = before.at(static_cast<std::size_t>(port - load.ports.begin()));
            if (!own)
                throw std::runtime_error("a dump has a port twice: " + port->name);
            port->totals.check("netlink " + port->name, statistics.values, *own);
            own.reset();
        }
        if (all.size() != load.ports.size())
            throw std::runtime_error(fmt::format("a dump has only {} ports", all.size()));
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
            name, info.ifindex, need(client.counters(info.model_id), info.model).size(),
            load.shapes.size());
    }
    for (std::size_t i = 0; i < load.ports.size(); i++)
        load.ports[i].peer = &load.ports[i ^ 1];
}

// Runs all threads until the frames are counted or one of them fails.
void run_threads(Load& load, std::uint64_t seed) {
    std::vector<std::thread> writing, reading;
    // @lowest: the priority of the first of these threads; those of the next ones are higher
    const auto start = [&](auto& threads, auto function, std::uint64_t number, int lowest) {
        for (std::uint64_t i = 0; i < number; i++)
            threads.emplace_back([&load, function, own = seed++,
                                  own_priority = lowest + priority_step * static_cast<int>(i)] {
                try {
                    if (load.priorities)
                        set_priority(own_priority);
                    function(load, std::mt19937_64(own));
                } catch (const std::exception& error) {
                    load.fail(error.what());
                }
            });
    };
    start(reading, read_ethtool, readers, 20);
    start(reading, dump_netlink, dumpers, 40);
    start(reading, read_rtnl, 1, 60);
    start(reading, change_interval, 1, 20);
    start(writing, write_frames, writers, lowest_priority);
    for (std::thread& thread : writing)
        thread.join();
    load.end = true;
    for (std::thread& thread : reading)
        thread.join();
}

void print(const Load& load, std::chrono::duration<double> took) {
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
            {"seconds", took.count()}}
            .dump());
}

void run(const Request& request) {
    if (request.names.size() % 2)
        throw std::runtime_error("give pairs of linked ports");
    Load load;
    for (const std::string& text : request.shapes)
        load.shapes.push_back(shape_of(text));
    add_ports(load, request.names);
    load.real = request.real;
    load.injected = request.injected;
    load.priorities = request.priorities;
    const auto began = std::chrono::steady_clock::now();
    constexpr std::uint64_t most_threads = 1000;
    run_threads(load, request.seed * most_threads);
    print(load, std::chrono::steady_clock::now() - began);
    if (!load.failure.empty())
        throw std::runtime_error(load.failure);
}

} // namespace

int main(int argc, char** argv) {
    try {
        Request request;
        request.names = test::read_options(
            argc, argv,
            {{"frame", [&](const std::string& value) { request.shapes.push_back(value); }},
             {"real", test::into(request.real)},
             {"injected", test::into(request.injected)},
             {"seed", test::into(request.seed)},
             {"priorities", [&](const std::string&) { request.priorities = true; }, false}});
        if (request.names.empty() || request.shapes.empty())
            throw std::invalid_argument("no PORT, or no --frame");
        run(request);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "port-load: {}\n", error.what());
        return 1;
    }
}
