// SPDX-License-Identifier: GPL-2.0
#include "message.hpp"

#include <linux/genetlink.h>

namespace macstats::test::netlink {

namespace {

void put_attribute(Bytes& out, unsigned number, Type type, const Value& value) {
    const std::size_t start = out.size();
    put(out, std::uint16_t{0});
    put(out, static_cast<std::uint16_t>(number));
    if (const auto* text = std::get_if<std::string>(&value))
        put_text(out, *text + '\0');
    else if (const auto amount = std::get<std::uint64_t>(value); type == Type::u8)
        put(out, static_cast<std::uint8_t>(amount));
    else if (type == Type::u32)
        put(out, static_cast<std::uint32_t>(amount));
    else
        put(out, amount);
    put_at(out, start, static_cast<std::uint16_t>(out.size() - start));
    out.resize(start + align(out.size() - start));
}

} // namespace

std::vector<Message> messages_in(View data) {
    std::vector<Message> found;
    std::size_t at = 0;
    while (at + sizeof(nlmsghdr) <= data.size()) {
        const auto header = get<nlmsghdr>(data, at);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > data.size() - at)
            break;
        const bool has_command = header.nlmsg_len >= sizeof header + GENL_HDRLEN;
        found.push_back({at, header, has_command ? data[at + sizeof header] : -1});
        at += align(header.nlmsg_len);
    }
    return found;
}

Bytes request(
    const Table& table, const Operation& operation, std::uint32_t sequence,
    const std::vector<std::pair<Role, Value>>& values) {
    const Family& family = table.families[operation.family];
    const bool dump = operation.way == Way::dump;
    Bytes out;
    put(out, std::uint32_t{0});
    put(out, family.id);
    put(out, static_cast<std::uint16_t>(NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK)));
    put(out, sequence);
    put(out, std::uint32_t{0});
    put(out, static_cast<std::uint8_t>(operation.command));
    put(out, family.version);
    put(out, std::uint16_t{0});
    for (const auto& [role, value] : values) {
        const unsigned number = table.attribute(operation.set, role);
        put_attribute(out, number, table.sets[operation.set].at(number).type, value);
    }
    put_at(out, 0, static_cast<std::uint32_t>(out.size()));
    return out;
}

} // namespace macstats::test::netlink
