// SPDX-License-Identifier: GPL-2.0
#include "judge.hpp"

#include <linux/genetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>

namespace macstats::test::netlink {

namespace {

template <class Function>
void each_attribute(View data, Function function) {
    std::size_t at = 0;
    while (at < data.size()) {
        if (data.size() - at < NLA_HDRLEN)
            throw Wrong("an incomplete attribute");
        const auto length = get<std::uint16_t>(data, at);
        if (length < NLA_HDRLEN || length > data.size() - at)
            throw Wrong(fmt::format("nla_len is {}", length));
        function(
            get<std::uint16_t>(data, at + 2) & NLA_TYPE_MASK,
            data.subspan(at + NLA_HDRLEN, std::size_t{length} - NLA_HDRLEN));
        const std::size_t end = std::min(at + align(length), data.size());
        for (std::size_t i = at + length; i < end; i++)
            if (data[i])
                throw Wrong("padding that is not 0");
        at += align(length);
    }
}

int error_code(View payload) {
    const auto code = get<std::int32_t>(payload);
    if (code > 0 || code < -EHWPOISON)
        throw Wrong(fmt::format("errno {}", code));
    return -code;
}

void explanation_part(unsigned number, View value, std::size_t request) {
    switch (number) {
    case NLMSGERR_ATTR_MSG:
        if (value.empty() || value.back() || std::count(value.begin(), value.end(), 0) != 1)
            throw Wrong("an explanation that is no string");
        break;
    case NLMSGERR_ATTR_OFFS:
        if (value.size() != 4 || get<std::uint32_t>(value) >= request)
            throw Wrong("an offset outside the request");
        break;
    case NLMSGERR_ATTR_POLICY:
        each_attribute(value, [](unsigned, View) {});
        break;
    case NLMSGERR_ATTR_MISS_TYPE:
    case NLMSGERR_ATTR_MISS_NEST:
        if (value.size() != 4)
            throw Wrong("a missing attribute without a number");
        break;
    default:
        throw Wrong(fmt::format("an unknown part {} of an explanation", number));
    }
}

void check_explanation(View payload, std::size_t at, std::size_t request) {
    each_attribute(payload.subspan(std::min(at, payload.size())), [&](unsigned number, View value) {
        explanation_part(number, value, request);
    });
}

// Octets with which the kernel fills memory that was freed, allocated but not written, poisoned as
// a page, or lies around an object.
constexpr std::array<std::uint64_t, 5> fills = {0x6b, 0x5a, 0xaa, 0xbb, 0xcc};

void check_poison(View value, const std::string& where) {
    for (const std::uint64_t fill : fills) {
        const std::uint64_t wide = fill * 0x0101010101010101;
        if (value.size() == 4 && get<std::uint32_t>(value) == static_cast<std::uint32_t>(wide))
            throw Wrong(fmt::format("{} contains {:#x}", where, static_cast<std::uint32_t>(wide)));
        for (std::size_t at = 0; at + 8 <= value.size(); at += 4)
            if (get<std::uint64_t>(value, at) == wide)
                throw Wrong(fmt::format("{} contains {:#x}", where, wide));
    }
    for (std::size_t at = 0; at + 8 <= value.size(); at += 4) {
        const auto word = get<std::uint64_t>(value, at);
        if (word >= 0xffff800000000000 && word != ~std::uint64_t{0})
            throw Wrong(fmt::format("{} contains the address {:#x}", where, word));
    }
}

bool has_right_size(Type type, std::size_t size) {
    switch (type) {
    case Type::u8:
        return size == 1;
    case Type::u32:
        return size == 4;
    case Type::u64:
        return size == 8;
    case Type::u32s:
        return size % 4 == 0;
    case Type::u64s:
        return size % 8 == 0;
    case Type::flag:
    case Type::pad:
        return size == 0;
    default:
        return true;
    }
}

void check_value(const Attribute& attribute, View value, const std::string& where) {
    if (!has_right_size(attribute.type, value.size()))
        throw Wrong(fmt::format("{} has {} octets", where, value.size()));
    if (attribute.type == Type::string) {
        if (value.empty() || value.back())
            throw Wrong(where + " does not end with 0");
        for (const std::uint8_t octet : value.first(value.size() - 1))
            if (octet == 0 || (!attribute.free && (octet < 0x20 || octet == 0x7f)))
                throw Wrong(where + " is no text");
    }
    if (!attribute.free)
        check_poison(value, where);
}

// 0: no message has this sequence number.
std::size_t longest_message(const Judge::Sends& sends, std::uint32_t sequence) {
    std::size_t longest = 0;
    for (const Sent& sent : sends)
        for (const Message& message : sent.messages)
            if (message.header.nlmsg_seq == sequence)
                longest = std::max<std::size_t>(longest, message.header.nlmsg_len);
    return longest;
}

} // namespace

void Judge::read(View data, const Sends& sends, std::uint32_t portid) {
    std::size_t at = 0;
    while (at < data.size()) {
        if (data.size() - at < sizeof(nlmsghdr))
            throw Wrong("an incomplete header");
        const auto header = get<nlmsghdr>(data, at);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > data.size() - at)
            throw Wrong(fmt::format("nlmsg_len is {}", header.nlmsg_len));
        message(
            header, data.subspan(at + sizeof header, header.nlmsg_len - sizeof header), sends,
            portid);
        at += align(header.nlmsg_len);
    }
}

void Judge::message(
    const nlmsghdr& header, View payload, const Sends& sends, std::uint32_t portid) {
    if (header.nlmsg_seq == 0 && header.nlmsg_pid == 0)
        return reply(header, payload, Way::event);
    if (header.nlmsg_pid != portid)
        throw Wrong(fmt::format("nlmsg_pid is {}", header.nlmsg_pid));
    if (header.nlmsg_type == NLMSG_ERROR)
        return acknowledgement(header, payload, sends);
    if (!longest_message(sends, header.nlmsg_seq))
        throw Wrong("an answer to a request that was not sent");
    if (header.nlmsg_type == NLMSG_DONE)
        return done(header, payload, sends);
    reply(header, payload, header.nlmsg_flags & NLM_F_MULTI ? Way::dump : Way::request);
}

Judge::Acknowledged Judge::acknowledged(bool capped, View payload, const Sends& sends) {
    Acknowledged found;
    found.header = get<nlmsghdr>(payload, 4);
    for (const Sent& sent : sends) {
        for (const Message& message : sent.messages) {
            if (std::memcmp(&message.header, &found.header, sizeof found.header) != 0)
                continue;
            found.commands.insert(message.command);
            const View request = View(sent.data).subspan(message.at, found.header.nlmsg_len);
            if (capped || (payload.size() >= 4 + request.size() &&
                           std::equal(request.begin(), request.end(), payload.begin() + 4)))
                found.echoed = true;
        }
    }
    return found;
}

void Judge::acknowledgement(const nlmsghdr& header, View payload, const Sends& sends) {
    const int code = error_code(payload);
    verdicts[code]++;
    const bool capped = header.nlmsg_flags & NLM_F_CAPPED;
    const Acknowledged request = acknowledged(capped, payload, sends);
    if (request.commands.empty() || !request.echoed)
        throw Wrong("an acknowledgement of a request that was not sent");
    const std::size_t length = request.header.nlmsg_len;
    const std::size_t end = 4 + (capped ? sizeof request.header : align(length));
    if (header.nlmsg_flags & NLM_F_ACK_TLVS)
        check_explanation(payload, end, length);
    else if (align(payload.size()) != align(end))
        throw Wrong("octets behind an acknowledgement");
    if (own.sequence == header.nlmsg_seq)
        own.code = code;
    // Without NLM_F_REQUEST, the kernel acknowledges and ignores it.
    if (code == 0 && request.header.nlmsg_flags & NLM_F_REQUEST)
        success(request);
}

// Requests with the same header may have different commands: the unclear ones do not count.
void Judge::success(const Acknowledged& request) {
    const auto is_privileged = [&](int command) {
        return privileged_operation(request.header.nlmsg_type, command) != nullptr;
    };
    if (!privileged && std::all_of(request.commands.begin(), request.commands.end(), is_privileged))
        throw Wrong("a privileged command of an unprivileged process succeeded");
    if (request.commands.size() != 1)
        return;
    for (const Operation& operation : table.operations)
        if (operation.way == Way::request && operation.reply.empty() &&
            table.families[operation.family].id == request.header.nlmsg_type &&
            static_cast<int>(operation.command) == *request.commands.begin())
            count(request.header, operation);
}

const Operation* Judge::privileged_operation(int type, int command) const {
    for (const Operation& operation : table.operations)
        if (operation.privileged && static_cast<int>(operation.command) == command &&
            table.families[operation.family].id == type)
            return &operation;
    return nullptr;
}

void Judge::done(const nlmsghdr& header, View payload, const Sends& sends) {
    const int code = error_code(payload);
    if (code)
        verdicts[code]++;
    if (header.nlmsg_flags & NLM_F_ACK_TLVS)
        check_explanation(payload, 4, longest_message(sends, header.nlmsg_seq));
    else if (payload.size() != 4)
        throw Wrong("octets behind the end of a dump");
    if (own.sequence == header.nlmsg_seq)
        own.code = code;
}

void Judge::reply(const nlmsghdr& header, View payload, Way way) {
    if (payload.size() < GENL_HDRLEN)
        throw Wrong("no command");
    const auto genl = get<genlmsghdr>(payload);
    for (const Operation& operation : table.operations) {
        const Family& family = table.families[operation.family];
        if (family.id != header.nlmsg_type || operation.command != genl.cmd || operation.way != way)
            continue;
        if (genl.version != family.version || genl.reserved)
            throw Wrong("a version or a reserved field");
        if (operation.privileged && !privileged)
            throw Wrong(operation.name + " answered an unprivileged process");
        const View attributes = payload.subspan(GENL_HDRLEN);
        content(attributes, operation.set, &operation.reply, operation.name);
        count(header, operation);
        if (own.sequence == header.nlmsg_seq)
            collect(attributes, operation);
        return;
    }
    throw Wrong(fmt::format("an unknown reply: type {}, command {}", header.nlmsg_type, genl.cmd));
}

void Judge::count(const nlmsghdr& header, const Operation& operation) {
    if (operation.way == Way::event)
        notified[title(operation)]++;
    else if (!is_own(header.nlmsg_seq))
        succeeded[title(operation)]++;
}

void Judge::content(
    View data, std::size_t set, const std::set<unsigned>* expected, const std::string& name) {
    const Set& known = table.sets[set];
    std::set<unsigned> met;
    each_attribute(data, [&](unsigned number, View value) {
        const auto found = known.find(number);
        const std::string where = fmt::format("{}: attribute {}", name, number);
        if (found == known.end())
            throw Wrong(where + " is unknown");
        const Attribute& attribute = found->second;
        if (expected && attribute.type != Type::pad && !expected->contains(number))
            throw Wrong(where + " is not specified");
        if (!met.insert(number).second && !attribute.repeated && attribute.type != Type::pad)
            throw Wrong(where + " comes twice");
        if (attribute.type == Type::nest)
            return content(value, static_cast<std::size_t>(attribute.nested), nullptr, where);
        check_value(attribute, value, where);
    });
}

void Judge::collect(View data, const Operation& operation) {
    each_attribute(data, [&](unsigned number, View value) {
        const Role role = table.sets[operation.set].at(number).role;
        if (role == Role::port)
            own.ports.insert(get<std::uint32_t>(value));
        else if (role == Role::device)
            own.devices.insert(get<std::uint32_t>(value));
    });
}

} // namespace macstats::test::netlink
