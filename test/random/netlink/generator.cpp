// SPDX-License-Identifier: GPL-2.0
#include "generator.hpp"

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <algorithm>
#include <string>

#include "message.hpp"

namespace macstats::test::netlink {

Bytes Generator::batch(bool add) {
    Bytes out;
    const std::size_t count = random.one_in(4) ? 1 : 1 + random.below(16);
    for (std::size_t i = 0; i < count; i++)
        message(out);
    while (random.one_in(6))
        damage(out);
    if (out.size() > largest_request)
        out.resize(largest_request);
    restrict_to_families(out, add);
    return out;
}

// Rarely one that is slow, makes polls slow, or has a long answer.
const Operation& Generator::choose() {
    const auto slow = [](const Operation& one) {
        return one.purpose == Purpose::add || one.purpose == Purpose::remove ||
               one.purpose == Purpose::fault || one.way == Way::dump;
    };
    for (;;) {
        const Operation& operation = random.of(table.operations);
        if (!slow(operation) || random.one_in(8))
            return operation;
    }
}

std::uint16_t Generator::flags(const Operation& operation) {
    unsigned bits = NLM_F_REQUEST;
    if (!random.one_in(30))
        bits |= NLM_F_ACK;
    if (operation.way == Way::dump)
        bits |= NLM_F_DUMP;
    if (random.one_in(15))
        bits ^= 1u << random.below(16);
    return static_cast<std::uint16_t>(bits);
}

std::uint16_t Generator::type(const Family& family) {
    if (!random.one_in(60))
        return family.id;
    return random.one_in(2) ? static_cast<std::uint16_t>(random.below(NLMSG_OVERRUN))
                            : random.of(table.families).id;
}

std::uint32_t Generator::length(std::size_t right) {
    if (random.one_in(40))
        right = random.one_in(2) ? right + random.below(9) - 4 : random.below(64);
    else if (random.one_in(200))
        right = static_cast<std::size_t>(number());
    return static_cast<std::uint32_t>(right);
}

void Generator::message(Bytes& out) {
    const Operation& operation = choose();
    const Family& family = table.families[operation.family];
    const std::size_t start = out.size();
    const auto rarely = [&](unsigned one_in, std::uint64_t right) {
        return random.one_in(one_in) ? random.next() : right;
    };
    put(out, std::uint32_t{0});
    put(out, type(family));
    put(out, flags(operation));
    put(out, static_cast<std::uint32_t>(rarely(50, sequence++)));
    put(out, static_cast<std::uint32_t>(rarely(50, 0)));
    put(out, static_cast<std::uint8_t>(rarely(40, operation.command)));
    put(out, static_cast<std::uint8_t>(rarely(40, family.version)));
    put(out, static_cast<std::uint16_t>(rarely(40, 0)));
    attributes(out, operation.set, operation.request, 0);
    put_at(out, start, length(out.size() - start));
}

// Most of them; or those that name an object or a fault, and few others: many exclude each other.
std::vector<unsigned> Generator::some_of(const std::set<unsigned>& wanted, const Set& known) {
    const bool few = random.one_in(3);
    const std::size_t quarters = 2 + random.below(4);
    std::vector<unsigned> chosen;
    for (const unsigned number : wanted) {
        const Role role = known.at(number).role;
        const bool essential = role == Role::port || role == Role::device || role == Role::model ||
                               role == Role::fault;
        if (few ? essential || random.one_in(6) : random.below(4) < quarters)
            chosen.push_back(number);
    }
    return chosen;
}

void Generator::attributes(
    Bytes& out, std::size_t set, const std::set<unsigned>& wanted, int depth) {
    std::vector<unsigned> chosen = some_of(wanted, table.sets[set]);
    if (random.one_in(8))
        std::shuffle(
            chosen.begin(), chosen.end(),
            std::minstd_rand(static_cast<std::uint32_t>(random.next())));
    if (random.one_in(12)) // one that the operation does not accept, or that does not exist
        chosen.push_back(
            static_cast<unsigned>(random.one_in(3) ? random.next() & 0xffff : random.below(40)));
    if (!chosen.empty() && random.one_in(15))
        chosen.insert(chosen.end(), 1 + random.below(4), random.of(chosen));
    for (const unsigned number : chosen)
        attribute(out, set, number, depth);
}

void Generator::attribute(Bytes& out, std::size_t set, unsigned number, int depth) {
    const Set& known = table.sets[set];
    const auto found = known.find(number);
    const Attribute* attribute = found == known.end() ? nullptr : &found->second;
    const std::size_t start = out.size();
    unsigned marked = number;
    if (attribute && attribute->type == Type::nest)
        marked |= NLA_F_NESTED;
    if (random.one_in(25))
        marked ^= random.one_in(2) ? NLA_F_NESTED : NLA_F_NET_BYTEORDER;
    put(out, std::uint16_t{0});
    put(out, static_cast<std::uint16_t>(marked));
    content(out, attribute, number, depth);
    end_attribute(out, start);
}

void Generator::content(Bytes& out, const Attribute* known, unsigned number, int depth) {
    const bool nest = known && known->type == Type::nest;
    if (nest && depth < 3 && !random.one_in(20)) {
        const auto set = static_cast<std::size_t>(known->nested);
        std::set<unsigned> inner;
        for (const auto& [one, _] : table.sets[set])
            if (random.one_in(3))
                inner.insert(one);
        attributes(out, set, inner, depth + 1);
    } else if (nest && random.one_in(4)) { // deep
        for (std::size_t i = 0; i < 60; i++) {
            put(out, static_cast<std::uint16_t>(4 + 4 * (59 - i)));
            put(out, static_cast<std::uint16_t>(number | NLA_F_NESTED));
        }
    } else if (known && !random.one_in(40)) {
        value(out, *known);
    } else {
        octets(out);
    }
}

void Generator::end_attribute(Bytes& out, std::size_t start) {
    std::size_t length = out.size() - start;
    if (random.one_in(30)) { // a payload of another length
        length = 4 + (random.one_in(3) ? random.below(300) : random.below(12));
        out.resize(start + length, static_cast<std::uint8_t>(random.next()));
    }
    if (random.one_in(50)) // a length that is not that of the payload
        length = random.one_in(2) ? length + random.below(9) - 4
                                  : static_cast<std::size_t>(random.next());
    put_at(out, start, static_cast<std::uint16_t>(length));
    const std::uint8_t padding = random.one_in(10) ? 0xff : 0;
    out.resize(start + align(out.size() - start), padding);
}

std::uint64_t Generator::number() {
    switch (random.below(8)) {
    case 0:
        return random.below(70);
    case 1:
        return std::uint64_t{1} << random.below(64);
    case 2:
        return (std::uint64_t{1} << random.below(64)) - 1;
    case 3:
        return random.next() >> (1 + random.below(63));
    case 4:
    case 5:
        return known_id();
    default:
        return random.of(table.numbers);
    }
}

std::uint64_t Generator::known_id() {
    const auto& ids = devices.empty() || !random.one_in(3) ? ports : devices;
    return ids.empty() ? random.below(8) : random.of(ids);
}

std::uint64_t Generator::good(const Attribute& attribute) {
    if (random.one_in(4))
        return number();
    switch (attribute.role) {
    case Role::port:
    case Role::peer:
        return ports.empty() ? number() : random.of(ports);
    case Role::device:
        return devices.empty() ? number() : random.of(devices);
    case Role::address:
        return random.of(table.addresses);
    case Role::fault:
    case Role::flag:
        return std::uint64_t{1} << random.below(attribute.high + 1);
    case Role::active:
    case Role::range:
        return attribute.low + random.next() % (attribute.high - attribute.low + 1);
    default:
        return number();
    }
}

void Generator::value(Bytes& out, const Attribute& attribute) {
    switch (attribute.type) {
    case Type::u8:
        return put(out, static_cast<std::uint8_t>(good(attribute)));
    case Type::u32:
        return put(out, static_cast<std::uint32_t>(good(attribute)));
    case Type::u64:
        return put(out, good(attribute));
    case Type::string:
        return text(out, attribute.role);
    case Type::u32s:
        return list(out);
    case Type::flag:
        return;
    default:
        return octets(out);
    }
}

void Generator::text(Bytes& out, Role role) {
    const bool model = (role == Role::model) != random.one_in(10);
    std::string words = random.of(model ? table.models : table.names);
    if (random.one_in(10))
        words.insert(random.below(words.size() + 1), 1, static_cast<char>(random.next()));
    if (random.one_in(30))
        words.append(random.below(300), '%');
    if (!random.one_in(20))
        words.push_back('\0');
    put_text(out, words);
}

// Mostly ascending.
void Generator::list(Bytes& out) {
    std::uint32_t id = 0;
    for (std::size_t i = random.below(random.one_in(10) ? 400 : 20); i; i--) {
        put(out, random.one_in(30) ? static_cast<std::uint32_t>(number()) : id);
        id += static_cast<std::uint32_t>(1 + random.below(3));
    }
}

void Generator::octets(Bytes& out) {
    for (std::size_t i = random.below(40); i; i--)
        put(out, static_cast<std::uint8_t>(random.next()));
}

void Generator::damage(Bytes& out) {
    if (out.empty())
        return;
    const std::size_t at = random.below(out.size());
    const auto where = out.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t length = std::min<std::size_t>(out.size() - at, 1 + random.below(32));
    const auto end = where + static_cast<std::ptrdiff_t>(length);
    switch (random.below(5)) {
    case 0:
        *where ^= static_cast<std::uint8_t>(1u << random.below(8));
        break;
    case 1:
        *where = static_cast<std::uint8_t>(random.next());
        break;
    case 2:
        out.erase(where, end);
        break;
    case 3: {
        const Bytes copy(where, end);
        const std::size_t to = random.below(out.size() + 1);
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(to), copy.begin(), copy.end());
        break;
    }
    default:
        out.resize(at);
    }
}

// Requests to other families become requests to the first one; those that add a device and must
// not become requests that delete one.
void Generator::restrict_to_families(Bytes& data, bool add) const {
    const Operation& adds = table.operation(Purpose::add);
    const Operation& removes = table.operation(Purpose::remove);
    for (const Message& message : messages_in(data)) {
        std::uint16_t type = message.header.nlmsg_type;
        const bool known =
            std::any_of(table.families.begin(), table.families.end(), [&](const Family& family) {
                return family.id == type;
            });
        if (type >= NLMSG_MIN_TYPE && !known) {
            type = table.families[0].id;
            put_at(data, message.at + offsetof(nlmsghdr, nlmsg_type), type);
        }
        if (type != table.families[adds.family].id ||
            message.command != static_cast<int>(adds.command))
            continue;
        if (!add)
            data[message.at + sizeof(nlmsghdr)] = static_cast<std::uint8_t>(removes.command);
        add = false;
    }
}

} // namespace macstats::test::netlink
