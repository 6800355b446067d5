// SPDX-License-Identifier: GPL-2.0
//
//     netlink-fuzz [--seed S] [--messages N] [--seconds T] [--unprivileged] TABLE
//
// Sends damaged requests to the netlink families of TABLE, in the network namespace of the
// caller, and checks each answer. test/vm/tests/netlink_fuzz.py writes TABLE from the YAML
// specifications and starts this program as different users. Exit status 1: an answer is wrong;
// 2: another error. The program then prints it and the requests before it. Coverage does not
// guide it: see CONTRIBUTING.md.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "../unit/support/options.hpp"
#include "../unit/support/random.hpp"
#include "netlink/bytes.hpp"
#include "netlink/generator.hpp"
#include "netlink/judge.hpp"
#include "netlink/message.hpp"
#include "netlink/socket.hpp"
#include "netlink/table.hpp"

using namespace macstats::test::netlink;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t largest_answer = 1 << 16;
// Of one process: the plugging and unplugging of a device is slow.
constexpr std::size_t least_devices = 2, most_devices = 4;
constexpr int most_reads = 20000;     // of the answers to one send; a dump ends before
constexpr std::size_t kept_sends = 4; // to print them

struct Options {
    std::uint64_t seed = 0;
    std::uint64_t messages = 100'000;
    double seconds = 60;
    bool privileged = true;
    std::string table;
};

class Fuzzer {
public:
    Fuzzer(const Table& of, const Options& wanted)
        : table(of),
          options(wanted),
          random(wanted.seed),
          generator(of, random),
          judge(of, wanted.privileged),
          socket(new_socket()) {}

    int run() {
        const auto began = Clock::now();
        const std::chrono::duration<double> limit(options.seconds);
        try {
            while (count < options.messages && Clock::now() - began < limit)
                round();
        } catch (const Wrong& wrong) {
            report("wrong answer", wrong);
            return 1;
        } catch (const std::exception& error) {
            report("error", error);
            return 2;
        }
        const std::chrono::duration<double> took = Clock::now() - began;
        summarise(took.count());
        return 0;
    }

private:
    const Table& table;
    const Options& options;
    macstats::test::Random random;
    Generator generator;
    Judge judge;
    Socket socket;
    Judge::Sends sent;
    Bytes buffer = Bytes(largest_answer);
    Bytes answer;
    std::map<int, std::uint64_t> unsent; // by errno
    std::uint64_t count = 0;
    std::uint64_t rounds = 0;
    std::uint32_t sequence = first_own_sequence;

    void report(const char* what, const std::exception& error) const {
        fmt::print("{} after {} messages: {}\n", what, count, error.what());
        fmt::print("answer: {}\n", hex(answer));
        for (const Sent& one : sent)
            fmt::print("sent: {}\n", hex(one.data));
    }

    // Lines of words and a number.
    void summarise(double seconds) const {
        fmt::print("messages {}\nseconds {:.1f}\n", count, seconds);
        fmt::print("rate {:.0f}\n", static_cast<double>(count) / seconds);
        for (const auto& [code, times] : unsent)
            fmt::print("send errno {} {}\n", code, times);
        for (const auto& [code, times] : judge.verdicts)
            fmt::print("errno {} {}\n", code, times);
        for (const auto& [title, times] : judge.succeeded)
            fmt::print("succeeded {} {}\n", title, times);
        for (const auto& [title, times] : judge.notified)
            fmt::print("notified {} {}\n", title, times);
    }

    Socket new_socket() {
        const bool capped = random.one_in(2), explained = !random.one_in(4);
        return {capped, explained, random.one_in(3) ? table.families[0].group : 0};
    }

    void round() {
        if (rounds++ % 32 == 0)
            keep_devices();
        Sent batch(new_batch());
        count += std::max<std::size_t>(batch.messages.size(), 1);
        exchange(std::move(batch));
        if (random.one_in(16))
            end_faults();
        if (random.one_in(100)) { // ends dumps, and deletes what the socket owns
            if (random.one_in(2))
                send(new_batch());
            socket = new_socket();
            sent.clear();
        }
    }

    Bytes new_batch() {
        return generator.batch(generator.devices.size() < most_devices && rounds % 2 == 0);
    }

    // The kernel rejects datagrams without octets, and all if it has no memory.
    void send(View data) {
        const int code = socket.send(data);
        if (code == 0)
            return;
        unsent[code]++;
        if (code != (data.empty() ? ENODATA : ENOBUFS))
            throw Wrong(fmt::format("send: {}", std::strerror(code)));
    }

    void exchange(Sent batch) {
        sent.push_back(std::move(batch));
        if (sent.size() > kept_sends)
            sent.pop_front();
        send(sent.back().data);
        for (int i = 0; i < most_reads; i++) {
            const View found = socket.receive(buffer);
            if (found.empty())
                return;
            answer.assign(found.begin(), found.end());
            judge.read(found, sent, socket.portid());
        }
        throw Wrong("an answer without an end");
    }

    // A request without damage has an answer. Returns its errno.
    int own_request(
        const Operation& operation, const std::vector<std::pair<Role, Value>>& values = {}) {
        judge.own = {};
        judge.own.sequence = sequence++;
        exchange(Sent(request(table, operation, judge.own.sequence, values)));
        if (!judge.own.code && !socket.has_dropped())
            throw Wrong(fmt::format("no answer to {}", title(operation)));
        return judge.own.code.value_or(ENOBUFS);
    }

    // The ids of the ports and devices that are there now.
    void read_ids() {
        std::set<std::uint32_t> ports, devices;
        for (const Operation& operation : table.operations) {
            if (operation.purpose != Purpose::list)
                continue;
            if (const int code = own_request(operation); code && !socket.has_dropped())
                throw Wrong(fmt::format("{}: {}", title(operation), std::strerror(code)));
            ports.merge(judge.own.ports);
            devices.merge(judge.own.devices);
        }
        generator.ports.assign(ports.begin(), ports.end());
        generator.devices.assign(devices.begin(), devices.end());
    }

    void keep_devices() {
        read_ids();
        if (!options.privileged || generator.devices.size() >= least_devices)
            return;
        own_request(table.operation(Purpose::add), {{Role::model, random.of(table.models)}});
        read_ids();
    }

    // Faults make polls slow or useless.
    void end_faults() {
        if (!options.privileged || generator.ports.empty())
            return;
        const Operation& fault = table.operation(Purpose::fault);
        const Attribute& words = table.sets[fault.set].at(table.attribute(fault.set, Role::fault));
        const std::uint64_t port = random.of(generator.ports);
        for (std::uint64_t bit = 0; bit <= words.high; bit++)
            own_request(
                fault, {{Role::port, port},
                        {Role::fault, std::uint64_t{1} << bit},
                        {Role::active, std::uint64_t{0}}});
    }
};

Options options_of(int argc, char** argv) {
    Options options;
    const auto rest = macstats::test::read_options(
        argc, argv,
        {{"seed", macstats::test::into(options.seed)},
         {"messages", macstats::test::into(options.messages)},
         {"seconds", [&](const std::string& value) { options.seconds = std::stod(value); }},
         {"unprivileged", [&](const std::string&) { options.privileged = false; }, false}});
    if (rest.size() != 1)
        throw std::invalid_argument("usage: netlink-fuzz [OPTION...] TABLE");
    options.table = rest[0];
    return options;
}

} // namespace

int main(int argc, char** argv) try {
    const Options options = options_of(argc, argv);
    fmt::print("seed {}\n", options.seed);
    std::fflush(stdout); // a signal may end this program
    std::ifstream file(options.table);
    const Table table = read_table(file);
    return Fuzzer(table, options).run();
} catch (const std::exception& error) {
    fmt::print(stderr, "netlink-fuzz: {}\n", error.what());
    return 2;
}
