// SPDX-License-Identifier: GPL-2.0
//
// Checks the kernel's answers to requests, damaged or not, against the specifications of the
// netlink families.
#ifndef MACSTATS_TEST_NETLINK_JUDGE_HPP
#define MACSTATS_TEST_NETLINK_JUDGE_HPP

#include <linux/netlink.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "bytes.hpp"
#include "message.hpp"
#include "table.hpp"

namespace macstats::test::netlink {

class Judge {
public:
    Judge(const Table& of, bool admin) : table(of), privileged(admin) {}

    using Sends = std::deque<Sent>;
    using Counts = std::map<std::string, std::uint64_t>; // by title of the operation

    std::map<int, std::uint64_t> verdicts; // by errno

    // Requests of the generator that succeeded: messages of a reply, or an acknowledgement of an
    // operation that has no reply.
    Counts succeeded;
    Counts notified;

    // Answers to the fuzzer's own request with this sequence number.
    struct Own {
        std::uint32_t sequence = 0;
        std::optional<int> code; // its errno, once it has ended
        std::set<std::uint32_t> ports, devices;
    };
    Own own;

    // Reads one datagram. @sends: the requests that the kernel may answer. Throws Wrong.
    void read(View data, const Sends& sends, std::uint32_t portid);

private:
    const Table& table;
    bool privileged;

    // The sent messages that have the header in an acknowledgement.
    struct Acknowledged {
        nlmsghdr header{};
        std::set<int> commands;
        bool echoed = false;
    };

    void message(const nlmsghdr& header, View payload, const Sends& sends, std::uint32_t portid);
    void acknowledgement(const nlmsghdr& header, View payload, const Sends& sends);
    static Acknowledged acknowledged(bool capped, View payload, const Sends& sends);
    void success(const Acknowledged& request);
    const Operation* privileged_operation(int type, int command) const;
    void done(const nlmsghdr& header, View payload, const Sends& sends);
    void reply(const nlmsghdr& header, View payload, Way way);
    void count(const nlmsghdr& header, const Operation& operation);
    void content(
        View data, std::size_t set, const std::set<unsigned>* expected, const std::string& name);
    void collect(View data, const Operation& operation);
};

} // namespace macstats::test::netlink

#endif // MACSTATS_TEST_NETLINK_JUDGE_HPP
