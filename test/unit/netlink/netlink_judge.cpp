// SPDX-License-Identifier: GPL-2.0
//
// The judge of the fuzzer of netlink requests: it accepts answers that are as specified, and
// rejects one with each mistake. The messages are laid out by hand from the kernel's headers.
#include "boost_test.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "../../random/netlink/judge.hpp"
#include "netlink_octets.hpp"
#include "netlink_table.hpp"

BOOST_AUTO_TEST_SUITE(unit_netlink_judge)

using namespace macstats::test::netlink;
namespace octets = macstats::test::octets;

namespace {

constexpr std::uint16_t family = specified_family;
constexpr std::uint32_t portid = 77, sequence = 5, dump_sequence = 6, del_sequence = 7;
constexpr std::uint8_t get_command = 1, del_command = 2, event_command = 3;

Bytes joined(const std::vector<Bytes>& parts) {
    return octets::joined<Bytes>(parts);
}

template <class T>
Bytes value(T number) {
    Bytes out;
    octets::append(out, number);
    return out;
}

Bytes text(const std::string& words) {
    return {words.begin(), words.end()};
}

Bytes attribute(unsigned number, const Bytes& content, std::uint8_t padding = 0) {
    return octets::attribute(static_cast<std::uint16_t>(number), content, padding);
}

Bytes message(
    std::uint16_t type, unsigned flags, std::uint32_t seq, const Bytes& payload,
    std::uint32_t pid = portid) {
    return octets::message(type, static_cast<std::uint16_t>(flags), seq, pid, payload);
}

Bytes command(std::uint8_t number, const Bytes& attributes, std::uint8_t version = 1) {
    return octets::command(number, version, attributes);
}

// The requests that were sent.
Bytes get_request() {
    return message(family, NLM_F_REQUEST | NLM_F_ACK, sequence, command(get_command, {}), 0);
}
Bytes dump_request() {
    return message(family, NLM_F_REQUEST | NLM_F_DUMP, dump_sequence, command(get_command, {}), 0);
}
Bytes del_request(std::uint32_t seq = del_sequence) {
    return message(family, NLM_F_REQUEST | NLM_F_ACK, seq, command(del_command, {}), 0);
}

Bytes reply(const Bytes& attributes) {
    return message(family, 0, sequence, command(get_command, attributes));
}

Bytes acknowledgement(
    int code, const Bytes& request, unsigned flags = 0, const Bytes& explanation = {}) {
    return message(
        NLMSG_ERROR, flags, get<nlmsghdr>(request).nlmsg_seq,
        joined({value(-code), request, explanation}));
}

Bytes done(int code, const Bytes& rest = {}) {
    return message(NLMSG_DONE, NLM_F_MULTI, dump_sequence, joined({value(-code), rest}));
}

Bytes explained(const Bytes& explanation) {
    return acknowledgement(EINVAL, get_request(), NLM_F_ACK_TLVS, explanation);
}

const Bytes ifindex = attribute(1, value<std::uint32_t>(4));
const Bytes cut(const Bytes& data, std::size_t length) {
    return {data.begin(), data.begin() + static_cast<std::ptrdiff_t>(length)};
}

// With an impossible length of the message, or of its first attribute.
Bytes with_message_length(Bytes data, std::uint32_t length) {
    put_at(data, 0, length);
    return data;
}
Bytes with_attribute_length(Bytes data, std::uint16_t length) {
    put_at(data, sizeof(nlmsghdr) + GENL_HDRLEN, length);
    return data;
}

// A judge that knows the requests above.
struct Trial {
    explicit Trial(bool privileged = true) : judge(specified(), privileged) {
        for (const Bytes& data : {get_request(), dump_request(), del_request()})
            sends.emplace_back(data);
    }

    void read(const Bytes& answer) { judge.read(answer, sends, portid); }

    // The reason of the judge to reject the answer; empty if it accepts it.
    std::string verdict(const Bytes& answer) {
        try {
            read(answer);
        } catch (const Wrong& wrong) {
            return wrong.what();
        }
        return {};
    }

    Judge judge;
    Judge::Sends sends;
};

struct Case {
    std::string_view name;
    Bytes answer;
    std::string_view reason;
};

void each_is_rejected(const std::vector<Case>& cases, bool privileged = true) {
    for (const Case& one : cases) {
        const std::string verdict = Trial(privileged).verdict(one.answer);
        BOOST_TEST(
            verdict.find(one.reason) != std::string::npos, one.name << ": '" << verdict << "'");
        BOOST_TEST(!verdict.empty(), one.name);
    }
}

Bytes all_attributes() {
    return joined({
        ifindex,
        attribute(2, text(std::string("eth0\0", 5))),
        attribute(3, value(~std::uint64_t{0})),
        attribute(4, {}),
        attribute(4, {}),
        attribute(5, joined({value<std::uint64_t>(1), value<std::uint64_t>(2)})),
        attribute(6, value<std::uint64_t>(0x6b6b6b6b6b6b6b6b)),
        attribute(7 | NLA_F_NESTED, attribute(1, value<std::uint64_t>(9))),
        attribute(9, {1}),
        attribute(10, value<std::uint32_t>(1)),
        attribute(10, value<std::uint32_t>(2)),
        attribute(11, {}),
        attribute(12, joined({value<std::uint32_t>(1), value<std::uint32_t>(2)})),
        // As the kernel accepts the name of a net device.
        attribute(13, text(std::string("e\x18\x7f\xff\0", 5))),
    });
}

} // namespace

BOOST_AUTO_TEST_CASE(answers_as_specified_are_accepted) {
    const std::vector<Case> cases = {
        {"reply", reply(all_attributes()), {}},
        {"acknowledgement", acknowledgement(0, get_request()), {}},
        {"rejection", acknowledgement(EINVAL, get_request()), {}},
        {"capped", acknowledgement(EPERM, cut(del_request(), 16), NLM_F_CAPPED), {}},
        {"explanation",
         explained(joined(
             {attribute(NLMSGERR_ATTR_MSG, text(std::string("no\0", 3))),
              attribute(NLMSGERR_ATTR_OFFS, value<std::uint32_t>(16)),
              attribute(NLMSGERR_ATTR_POLICY, attribute(1, {})),
              attribute(NLMSGERR_ATTR_MISS_TYPE, value<std::uint32_t>(1)),
              attribute(NLMSGERR_ATTR_MISS_NEST, value<std::uint32_t>(0))})),
         {}},
        {"dump",
         joined(
             {message(family, NLM_F_MULTI, dump_sequence, command(get_command, ifindex)), done(0)}),
         {}},
        {"failed dump", done(EAGAIN), {}},
        {"notification", message(family, 0, 0, command(event_command, ifindex), 0), {}},
        {"nothing", {}, {}},
    };
    for (const bool privileged : {true, false})
        for (const Case& one : cases)
            BOOST_TEST(Trial(privileged).verdict(one.answer) == "", one.name);
    BOOST_TEST(Trial().verdict(acknowledgement(0, del_request())) == "");
}

BOOST_AUTO_TEST_CASE(malformed_messages_are_rejected) {
    const Bytes good = reply(ifindex);
    each_is_rejected({
        {"incomplete header", cut(good, 12), "incomplete header"},
        {"message longer than its datagram", with_message_length(good, 99), "nlmsg_len is 99"},
        {"message shorter than its header", with_message_length(good, 15), "nlmsg_len is 15"},
        {"foreign process", message(family, 0, sequence, command(1, ifindex), 78), "nlmsg_pid"},
        {"no process", message(family, 0, sequence, command(1, ifindex), 0), "nlmsg_pid is 0"},
        {"no command", message(family, 0, sequence, {1, 1}), "no command"},
        {"version", message(family, 0, sequence, command(1, ifindex, 2)), "version"},
        {"reserved", message(family, 0, sequence, joined({{1, 1, 1, 0}, ifindex})), "reserved"},
        {"unknown command", message(family, 0, sequence, command(9, {})), "unknown reply"},
        {"unknown family", message(33, 0, sequence, command(1, ifindex)), "unknown reply"},
        {"reply of no request", message(family, 0, 99, command(1, ifindex)), "not sent"},
        {"end of no dump", message(NLMSG_DONE, 0, 99, value(0)), "not sent"},
        {"notification as a reply", message(family, 0, sequence, command(3, ifindex)), "unknown"},
        {"reply as a notification", message(family, 0, 0, command(1, ifindex), 0), "unknown"},
    });
}

BOOST_AUTO_TEST_CASE(malformed_attributes_are_rejected) {
    const Bytes big = attribute(3, value<std::uint64_t>(1));
    each_is_rejected({
        {"incomplete", reply({8, 0}), "incomplete attribute"},
        {"too long", with_attribute_length(reply(ifindex), 9), "nla_len is 9"},
        {"too short", with_attribute_length(reply(ifindex), 3), "nla_len is 3"},
        {"padding", reply(attribute(9, {1}, 0xff)), "padding"},
        {"unknown", reply(attribute(99, {})), "attribute 99 is unknown"},
        {"unknown in a nest", reply(attribute(7, attribute(2, {}))), "attribute 2 is unknown"},
        {"of no reply", reply(attribute(8, value<std::uint32_t>(1))), "not specified"},
        {"twice", reply(joined({ifindex, ifindex})), "comes twice"},
        {"twice in a nest",
         reply(attribute(
             7,
             joined(
                 {attribute(1, value<std::uint64_t>(1)), attribute(1, value<std::uint64_t>(1))}))),
         "comes twice"},
        {"u8", reply(attribute(9, {1, 0})), "attribute 9 has 2 octets"},
        {"u32", reply(attribute(1, {1, 0, 0})), "attribute 1 has 3 octets"},
        {"u64", reply(attribute(3, value<std::uint32_t>(1))), "attribute 3 has 4 octets"},
        {"u32s", reply(attribute(12, {1, 0, 0, 0, 1, 0})), "attribute 12 has 6 octets"},
        {"u64s", reply(attribute(5, Bytes(12))), "attribute 5 has 12 octets"},
        {"flag", reply(attribute(11, {0})), "attribute 11 has 1 octets"},
        {"pad", reply(attribute(4, {0})), "attribute 4 has 1 octets"},
        {"no terminator", reply(attribute(2, text("eth0"))), "does not end with 0"},
        {"empty string", reply(attribute(2, {})), "does not end with 0"},
        {"control octet", reply(attribute(2, text(std::string("e\n\0", 3)))), "is no text"},
        {"two strings", reply(attribute(2, text(std::string("e\0e\0", 4)))), "is no text"},
        {"two names", reply(attribute(13, text(std::string("e\0e\0", 4)))), "is no text"},
        {"no end of a name", reply(attribute(13, text("e"))), "does not end with 0"},
    });
}

BOOST_AUTO_TEST_CASE(memory_of_the_kernel_is_rejected) {
    const auto list = [](std::uint64_t second) {
        return reply(attribute(5, joined({value<std::uint64_t>(1), value(second)})));
    };
    const auto nested = [](std::uint64_t number) {
        return reply(attribute(7, attribute(1, value(number))));
    };
    std::vector<Case> cases = {
        {"address", reply(attribute(3, value<std::uint64_t>(0xffff888001234560))), "the address"},
        {"first address", reply(attribute(3, value<std::uint64_t>(0xffff800000000000))),
         "the address"},
        {"address in a list", list(0xffffffffc0001234), "the address"},
        {"address in a nest", nested(0xffff888001234560), "the address"},
        {"poison in a list", list(0x6b6b6b6b6b6b6b6b), "0x6b6b6b6b6b6b6b6b"},
        {"poison in a nest", nested(0x5a5a5a5a5a5a5a5a), "0x5a5a5a5a5a5a5a5a"},
        {"poison across values",
         reply(attribute(
             5, joined(
                    {value<std::uint32_t>(0), value<std::uint64_t>(0x6b6b6b6b6b6b6b6b),
                     value<std::uint32_t>(0)}))),
         "0x6b6b6b6b6b6b6b6b"},
    };
    // Freed, not yet written, a free page, and the zones around free objects and others.
    for (const std::uint64_t word :
         {0x6b6b6b6b6b6b6b6bu, 0x5a5a5a5a5a5a5a5au, 0xaaaaaaaaaaaaaaaau, 0xbbbbbbbbbbbbbbbbu,
          0xccccccccccccccccu}) {
        const Bytes half = value(static_cast<std::uint32_t>(word));
        cases.push_back({"64 bits", reply(attribute(3, value(word))), "contains 0x"});
        cases.push_back({"32 bits", reply(attribute(1, half)), "contains 0x"});
    }
    each_is_rejected(cases);
    BOOST_TEST(
        Trial().verdict(reply(attribute(3, value(std::uint64_t{0xffff7fffffffffff})))) == "");
}

BOOST_AUTO_TEST_CASE(wrong_acknowledgements_are_rejected) {
    const Bytes request = get_request();
    Bytes changed = request;
    changed.back() = 1; // only an octet behind the header differs
    each_is_rejected({
        {"a positive number", acknowledgement(-1, request), "errno 1"},
        {"errno 134", acknowledgement(134, request), "errno -134"},
        {"not sent", acknowledgement(0, del_request(99)), "not sent"},
        {"other octets", acknowledgement(0, changed), "not sent"},
        {"too short", message(NLMSG_ERROR, 0, sequence, value(0)), "ends too early"},
        {"octets behind it", acknowledgement(0, request, 0, Bytes(4)), "octets behind"},
        {"octets behind a capped one", acknowledgement(0, request, NLM_F_CAPPED), "octets behind"},
        {"end of a dump", done(134), "errno -134"},
        {"octets behind the end", done(0, Bytes(4)), "behind the end of a dump"},
    });
}

BOOST_AUTO_TEST_CASE(wrong_explanations_are_rejected) {
    const auto offset = static_cast<std::uint32_t>(get_request().size());
    each_is_rejected({
        {"no terminator", explained(attribute(NLMSGERR_ATTR_MSG, text("no"))), "no string"},
        {"two strings", explained(attribute(NLMSGERR_ATTR_MSG, text(std::string("a\0b\0", 4)))),
         "no string"},
        {"empty", explained(attribute(NLMSGERR_ATTR_MSG, {})), "no string"},
        {"offset", explained(attribute(NLMSGERR_ATTR_OFFS, value(offset))), "offset outside"},
        {"offset of 8 octets", explained(attribute(NLMSGERR_ATTR_OFFS, value<std::uint64_t>(0))),
         "offset outside"},
        {"missing type", explained(attribute(NLMSGERR_ATTR_MISS_TYPE, {})), "without a number"},
        {"missing nest", explained(attribute(NLMSGERR_ATTR_MISS_NEST, {})), "without a number"},
        {"policy", explained(attribute(NLMSGERR_ATTR_POLICY, {1, 0, 0, 0})), "nla_len is 1"},
        {"unknown part", explained(attribute(40, {})), "unknown part 40"},
        {"of a dump",
         message(
             NLMSG_DONE, NLM_F_MULTI | NLM_F_ACK_TLVS, dump_sequence,
             joined({value(-EINVAL), attribute(40, {})})),
         "unknown part 40"},
    });
}

BOOST_AUTO_TEST_CASE(privileged_success_of_an_unprivileged_process_is_rejected) {
    const std::vector<Case> cases = {
        {"acknowledgement", acknowledgement(0, del_request()), "unprivileged process succeeded"},
        {"reply", message(family, 0, sequence, command(4, ifindex)), "an unprivileged process"},
    };
    each_is_rejected(cases, false);
    for (const Case& one : cases)
        BOOST_TEST(Trial(true).verdict(one.answer) == "", one.name);
}

// Without NLM_F_REQUEST, the kernel acknowledges a message and ignores it.
BOOST_AUTO_TEST_CASE(an_ignored_message_is_no_success) {
    Trial trial(false);
    const Bytes ignored = message(family, NLM_F_ACK, 8, command(del_command, {}), 0);
    trial.sends.emplace_back(ignored);
    BOOST_TEST(trial.verdict(acknowledgement(0, ignored)) == "");
    BOOST_TEST(trial.judge.succeeded.empty());
}

// Damaged requests may share a header: which of them the kernel acknowledges is unclear.
BOOST_AUTO_TEST_CASE(an_acknowledgement_of_one_of_two_commands_is_no_success) {
    Trial trial(false);
    Bytes other = del_request();
    other[sizeof(nlmsghdr)] = 9;
    trial.sends.emplace_back(other);
    BOOST_TEST(trial.verdict(acknowledgement(0, del_request())) == "");
    BOOST_TEST(trial.judge.succeeded.empty());
}

BOOST_AUTO_TEST_CASE(only_successes_of_the_generators_requests_count) {
    Trial trial;
    trial.read(acknowledgement(EINVAL, get_request()));
    trial.read(acknowledgement(0, get_request())); // counts by its reply
    trial.read(acknowledgement(EPERM, del_request()));
    const Bytes own = del_request(first_own_sequence);
    trial.sends.emplace_back(own);
    trial.read(acknowledgement(0, own));
    BOOST_TEST(trial.judge.succeeded.empty());

    trial.read(reply(ifindex));
    trial.read(acknowledgement(0, del_request()));
    trial.read(message(family, NLM_F_MULTI, dump_sequence, command(get_command, ifindex)));
    trial.read(message(family, 0, 0, command(event_command, ifindex), 0));
    const Judge::Counts succeeded = {{"get do", 1}, {"del do", 1}, {"get dump", 1}};
    const Judge::Counts notified = {{"ntf event", 1}};
    BOOST_TEST((trial.judge.succeeded == succeeded));
    BOOST_TEST((trial.judge.notified == notified));
}

BOOST_AUTO_TEST_CASE(ids_and_the_end_of_an_own_request_are_kept) {
    Trial trial;
    trial.judge.own.sequence = dump_sequence;
    trial.read(reply(attribute(1, value<std::uint32_t>(9)))); // of another request
    trial.read(message(family, NLM_F_MULTI, dump_sequence, command(get_command, ifindex)));
    BOOST_TEST(!trial.judge.own.code.has_value());
    trial.read(done(EAGAIN));
    BOOST_TEST((trial.judge.own.ports == std::set<std::uint32_t>{4}));
    BOOST_TEST(trial.judge.own.devices.empty());
    BOOST_TEST(trial.judge.own.code.value_or(0) == EAGAIN);
}

BOOST_AUTO_TEST_SUITE_END()
