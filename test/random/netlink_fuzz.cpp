// SPDX-License-Identifier: GPL-2.0
//
//     netlink-fuzz [--seed S] [--messages N] [--seconds T] [--unprivileged] TABLE
//
// Sends damaged requests to the netlink families of TABLE, in the network namespace of the
// caller, and checks each answer. test/vm/tests/netlink_fuzz.py writes TABLE from the YAML
// specifications and starts this program as different users. Exit status 1: an answer is wrong;
// the program then prints it and the requests before it.
#include <getopt.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <macstats/netlink.h>
#include <macstats/schema.h>

namespace {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t largest_answer = 1 << 16;
constexpr std::size_t largest_request = 1 << 14;
// Of one process: the plugging and unplugging of a device is slow.
constexpr std::size_t least_devices = 2, most_devices = 4;
constexpr int most_reads = 20000; // of the answers to one send; a dump ends before

// The specification of the families.

struct Attribute {
    std::string type; // that of the specification, or u32s, u64s
    int nested = -1;  // the set of a nest
    bool repeated = false;
    bool free = false; // an administrator chooses the value: it may look like anything
    // Good values: "port", "device", "model", "name", "address"; "flag": one of the bits from 0
    // to high; "range": low to high; "any".
    std::string role;
    std::uint64_t low = 0, high = 0;
};

using Set = std::map<unsigned, Attribute>;

struct Operation {
    std::string name;
    unsigned family = 0;
    unsigned command = 0;
    bool dump = false;
    bool privileged = false;
    int set = 0;
    std::set<unsigned> request;
    std::set<unsigned> reply;
};

struct Family {
    std::string name;
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint32_t group = 0;
};

struct Table {
    std::vector<Family> families;
    std::vector<Set> sets;
    std::vector<Operation> operations;
    std::vector<std::uint64_t> numbers, addresses;
    std::vector<std::string> models, names;
};

std::set<unsigned> list_of(const std::string& text) {
    std::set<unsigned> numbers;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ',');)
        if (one != "-")
            numbers.insert(static_cast<unsigned>(std::stoul(one)));
    return numbers;
}

Table read_table(const std::string& path) {
    Table table;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream in(line);
        std::string kind, request, reply, word;
        in >> kind;
        if (kind == "family") {
            unsigned id = 0, version = 0;
            Family family;
            in >> family.name >> id >> version >> family.group;
            family.id = static_cast<std::uint16_t>(id);
            family.version = static_cast<std::uint8_t>(version);
            table.families.push_back(family);
        } else if (kind == "attribute") {
            std::size_t set = 0;
            unsigned number = 0;
            Attribute attribute;
            in >> set >> number >> attribute.type >> attribute.nested >> attribute.repeated >>
                attribute.free >> attribute.role >> attribute.low >> attribute.high;
            table.sets.resize(std::max(table.sets.size(), set + 1));
            table.sets[set][number] = attribute;
        } else if (kind == "operation") {
            Operation operation;
            in >> operation.name >> operation.family >> operation.command >> operation.dump >>
                operation.privileged >> operation.set >> request >> reply;
            operation.request = list_of(request);
            operation.reply = list_of(reply);
            table.operations.push_back(operation);
        } else if (kind == "number") {
            std::uint64_t number = 0;
            in >> number;
            table.numbers.push_back(number);
        } else if (kind == "address") {
            std::uint64_t address = 0;
            in >> address;
            table.addresses.push_back(address);
        } else if (kind == "model" || kind == "name") {
            in >> word;
            (kind == "model" ? table.models : table.names).push_back(word);
        }
        if (in.fail())
            throw std::runtime_error(fmt::format("{}: bad line: {}", path, line));
    }
    if (table.families.empty() || table.operations.empty() || table.numbers.empty() ||
        table.addresses.empty() || table.models.empty() || table.names.empty())
        throw std::runtime_error(path + ": incomplete");
    return table;
}

class Wrong : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

template <class T>
T get(View data, std::size_t at = 0) {
    T value;
    if (at + sizeof value > data.size())
        throw Wrong("an answer that ends too early");
    std::memcpy(&value, data.data() + at, sizeof value);
    return value;
}

template <class T>
void put(Bytes& to, T value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
}

template <class T>
void put_at(Bytes& to, std::size_t at, T value) {
    std::memcpy(to.data() + at, &value, sizeof value);
}

void put_bytes(Bytes& to, View bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

std::size_t align(std::size_t length) {
    return (length + 3) & ~std::size_t{3};
}

std::string hex(View data) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(data.size(), 4096); i++)
        text += fmt::format("{}{:02x}", i && i % 4 == 0 ? " " : "", data[i]);
    return data.size() > 4096 ? text + fmt::format(" ... ({} octets)", data.size()) : text;
}

class Random {
public:
    explicit Random(std::uint64_t seed) : engine(seed) {}
    std::uint64_t any() { return engine(); }
    std::size_t below(std::size_t limit) { return engine() % limit; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class T>
    const T& of(const std::vector<T>& values) {
        return values[below(values.size())];
    }

private:
    std::mt19937_64 engine;
};

// The requests.

class Generator {
public:
    Generator(const Table& of, std::uint64_t seed) : table(of), random(seed) {}

    std::vector<std::uint32_t> ports, devices; // the last known ones
    Random& dice() { return random; }

    // Requests for one send.
    Bytes batch() {
        Bytes out;
        const std::size_t count = random.one_in(4) ? 1 : 1 + random.below(16);
        for (std::size_t i = 0; i < count; i++)
            message(out);
        while (random.one_in(6))
            damage(out);
        if (out.size() > largest_request)
            out.resize(largest_request);
        return out;
    }

private:
    const Table& table;
    Random random;
    std::uint32_t sequence = 1;

    const Operation& choose() {
        const Operation& operation = random.of(table.operations);
        const bool slow = operation.name.starts_with("device-") || operation.name == "fault";
        return slow && !random.one_in(8) ? random.of(table.operations) : operation;
    }

    void message(Bytes& out) {
        const Operation& operation = choose();
        const Family& family = table.families[operation.family];
        const std::size_t start = out.size();
        std::uint16_t flags = NLM_F_REQUEST;
        if (!random.one_in(30))
            flags |= NLM_F_ACK;
        if (operation.dump)
            flags |= NLM_F_DUMP;
        if (random.one_in(15))
            flags ^= static_cast<std::uint16_t>(1u << random.below(16));
        std::uint16_t type = family.id;
        if (random.one_in(60)) // others would reach foreign families
            type = random.one_in(2) ? static_cast<std::uint16_t>(random.below(4))
                                    : random.of(table.families).id;
        put<std::uint32_t>(out, 0);
        put(out, type);
        put(out, flags);
        put(out, random.one_in(50) ? static_cast<std::uint32_t>(random.any()) : sequence);
        sequence++;
        put(out, random.one_in(50) ? static_cast<std::uint32_t>(random.any()) : 0);
        put(out, static_cast<std::uint8_t>(random.one_in(40) ? random.any() : operation.command));
        put(out, static_cast<std::uint8_t>(random.one_in(40) ? random.any() : family.version));
        put(out, static_cast<std::uint16_t>(random.one_in(40) ? random.any() : 0));
        attributes(out, operation.set, operation.request, 0);
        std::size_t length = out.size() - start;
        if (random.one_in(40))
            length = random.one_in(2) ? length + random.below(9) - 4 : random.below(64);
        else if (random.one_in(200))
            length = number();
        put_at(out, start, static_cast<std::uint32_t>(length));
        out.resize(start + align(out.size() - start));
    }

    void attributes(Bytes& out, int set, const std::set<unsigned>& wanted, int depth) {
        const std::size_t quarters = 2 + random.below(4);
        std::vector<unsigned> chosen;
        for (unsigned number : wanted)
            if (random.below(4) < quarters)
                chosen.push_back(number);
        if (!random.one_in(4))
            name_once(chosen, set);
        if (random.one_in(8))
            std::shuffle(chosen.begin(), chosen.end(), std::minstd_rand(random.any()));
        if (random.one_in(12)) // one that the operation does not accept, or that does not exist
            chosen.push_back(
                static_cast<unsigned>(random.one_in(3) ? random.any() & 0xffff : random.below(40)));
        if (!chosen.empty() && random.one_in(15))
            chosen.insert(chosen.end(), 1 + random.below(4), random.of(chosen));
        for (unsigned number : chosen)
            attribute(out, set, number, depth);
    }

    // A request names a port by its ifindex, or by its device and index.
    void name_once(std::vector<unsigned>& chosen, int set) {
        const Set& known = table.sets[static_cast<std::size_t>(set)];
        if (!known.contains(MACSTATS_EMU_A_PORT_DEVICE) ||
            known.at(MACSTATS_EMU_A_PORT_DEVICE).role != "device")
            return;
        const bool by_device = random.one_in(6);
        std::erase_if(chosen, [&](unsigned number) {
            const bool names_device =
                number == MACSTATS_EMU_A_PORT_DEVICE || number == MACSTATS_EMU_A_PORT_INDEX;
            return by_device ? number == MACSTATS_EMU_A_PORT_IFINDEX : names_device;
        });
    }

    void attribute(Bytes& out, int set, unsigned type, int depth) {
        const Set& known = table.sets[static_cast<std::size_t>(set)];
        const auto found = known.find(type);
        const std::size_t start = out.size();
        const bool nest = found != known.end() && found->second.type == "nest";
        put<std::uint16_t>(out, 0);
        unsigned marked = nest ? type | NLA_F_NESTED : type;
        if (random.one_in(25))
            marked ^= random.one_in(2) ? NLA_F_NESTED : NLA_F_NET_BYTEORDER;
        put(out, static_cast<std::uint16_t>(marked));
        if (nest && depth < 3 && !random.one_in(20)) {
            std::set<unsigned> inner;
            for (const auto& [one, _] : table.sets[static_cast<std::size_t>(found->second.nested)])
                if (random.one_in(3))
                    inner.insert(one);
            attributes(out, found->second.nested, inner, depth + 1);
        } else if (nest && random.one_in(4)) { // deep
            for (std::size_t i = 0; i < 60; i++) {
                put(out, static_cast<std::uint16_t>(4 + 4 * (59 - i)));
                put(out, static_cast<std::uint16_t>(type | NLA_F_NESTED));
            }
        } else {
            value(out, found == known.end() ? Attribute{} : found->second);
        }
        std::size_t length = out.size() - start;
        if (random.one_in(30)) { // a payload of another length
            const std::size_t other = 4 + (random.one_in(3) ? random.below(300) : random.below(12));
            out.resize(start + other, static_cast<std::uint8_t>(random.any()));
            length = other;
        }
        if (random.one_in(50)) // a length that is not that of the payload
            length = random.one_in(2) ? length + random.below(9) - 4 : random.any();
        put_at(out, start, static_cast<std::uint16_t>(length));
        out.resize(
            start + align(out.size() - start),
            random.one_in(10) ? std::uint8_t{0xff} : std::uint8_t{0});
    }

    std::uint64_t number() {
        switch (random.below(8)) {
        case 0:
            return random.below(70);
        case 1:
            return std::uint64_t{1} << random.below(64);
        case 2:
            return (std::uint64_t{1} << random.below(64)) - 1;
        case 3:
            return random.any() >> (1 + random.below(63));
        case 4:
        case 5:
            return known_id();
        default:
            return random.of(table.numbers);
        }
    }

    std::uint64_t good(const Attribute& attribute) {
        if (random.one_in(4))
            return number();
        if (attribute.role == "port")
            return ports.empty() ? number() : random.of(ports);
        if (attribute.role == "device")
            return devices.empty() ? number() : random.of(devices);
        if (attribute.role == "address")
            return random.of(table.addresses);
        if (attribute.role == "flag")
            return std::uint64_t{1} << random.below(attribute.high + 1);
        if (attribute.role == "range")
            return attribute.low + random.below(attribute.high - attribute.low + 1);
        return number();
    }

    std::uint64_t known_id() {
        const auto& ids = devices.empty() || !random.one_in(3) ? ports : devices;
        return ids.empty() ? random.below(8) : random.of(ids);
    }

    void value(Bytes& out, const Attribute& attribute) {
        const std::string_view type = random.one_in(40) ? std::string_view() : attribute.type;
        if (type == "u8") {
            put(out, static_cast<std::uint8_t>(good(attribute)));
        } else if (type == "u32") {
            put(out, static_cast<std::uint32_t>(good(attribute)));
        } else if (type == "u64") {
            put(out, good(attribute));
        } else if (type == "string") {
            const bool model = (attribute.role == "model") != random.one_in(10);
            std::string text = random.of(model ? table.models : table.names);
            if (random.one_in(10))
                text.insert(random.below(text.size() + 1), 1, static_cast<char>(random.any()));
            if (random.one_in(30))
                text.append(random.below(300), '%');
            if (!random.one_in(20))
                text.push_back('\0');
            put_bytes(out, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        } else if (type == "u32s") {
            std::uint32_t id = 0;
            for (std::size_t i = random.below(random.one_in(10) ? 400 : 20); i; i--) {
                put(out, random.one_in(30) ? static_cast<std::uint32_t>(number()) : id);
                id += static_cast<std::uint32_t>(1 + random.below(3));
            }
        } else if (type != "flag") {
            for (std::size_t i = random.below(40); i; i--)
                put(out, static_cast<std::uint8_t>(random.any()));
        }
    }

    void damage(Bytes& out) {
        if (out.empty())
            return;
        const std::size_t at = random.below(out.size());
        const auto where = out.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t length = std::min(out.size() - at, 1 + random.below(32));
        const auto end = where + static_cast<std::ptrdiff_t>(length);
        switch (random.below(5)) {
        case 0:
            *where ^= static_cast<std::uint8_t>(1u << random.below(8));
            break;
        case 1:
            *where = static_cast<std::uint8_t>(random.any());
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
};

// The view of the kernel: the messages of a send, until one has an impossible length.

struct Message {
    std::size_t at;
    nlmsghdr header;
    int command; // -1: none
};

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

// The answers.

class Judge {
public:
    Judge(const Table& of, bool admin) : table(of), privileged(admin) {}

    std::map<int, std::uint64_t> verdicts;            // by errno
    std::map<std::string, std::uint64_t> answered;    // by operation
    std::vector<std::pair<bool, std::uint32_t>> seen; // (is it a device, id) of answers

    // One datagram. @sent: the sends whose answers can come; the last one is the newest.
    void read(View data, const std::vector<Bytes>& sent, std::uint32_t portid) {
        std::size_t at = 0;
        while (at < data.size()) {
            if (data.size() - at < sizeof(nlmsghdr))
                throw Wrong("an incomplete header");
            const auto header = get<nlmsghdr>(data, at);
            if (header.nlmsg_len < sizeof header || header.nlmsg_len > data.size() - at)
                throw Wrong(fmt::format("nlmsg_len is {}", header.nlmsg_len));
            const View payload = data.subspan(at + sizeof header, header.nlmsg_len - sizeof header);
            const bool notification = header.nlmsg_seq == 0 && header.nlmsg_pid == 0;
            if (header.nlmsg_pid != portid && !notification)
                throw Wrong(fmt::format("nlmsg_pid is {}", header.nlmsg_pid));
            if (header.nlmsg_type == NLMSG_ERROR)
                error(header, payload, sent);
            else if (header.nlmsg_type == NLMSG_DONE)
                done(header, payload);
            else
                reply(header, payload);
            at += align(header.nlmsg_len);
        }
    }

    bool privileged_command(int type, int command) const {
        return std::any_of(
            table.operations.begin(), table.operations.end(), [&](const Operation& operation) {
                return operation.privileged && operation.command == unsigned(command) &&
                       table.families[operation.family].id == type;
            });
    }

private:
    const Table& table;
    bool privileged;

    void error(const nlmsghdr& header, View payload, const std::vector<Bytes>& sent) {
        const auto code = get<std::int32_t>(payload);
        if (code > 0 || code < -EHWPOISON)
            throw Wrong(fmt::format("errno {}", code));
        verdicts[-code]++;
        const auto original = get<nlmsghdr>(payload, 4);
        std::size_t end = 4 + sizeof original;
        bool echoed = false, all_privileged = true, any = false;
        for (const Bytes& data : sent) {
            for (const Message& message : messages_in(data)) {
                if (std::memcmp(&message.header, &original, sizeof original) != 0)
                    continue;
                any = true;
                // Without NLM_F_REQUEST, the kernel acknowledges and ignores it.
                all_privileged = all_privileged && original.nlmsg_flags & NLM_F_REQUEST &&
                                 privileged_command(original.nlmsg_type, message.command);
                const View request = View(data).subspan(message.at, original.nlmsg_len);
                if (header.nlmsg_flags & NLM_F_CAPPED ||
                    (payload.size() >= 4 + request.size() &&
                     std::equal(request.begin(), request.end(), payload.begin() + 4)))
                    echoed = true;
            }
        }
        if (!any || !echoed)
            throw Wrong("an acknowledgement of a request that was not sent");
        if (code == 0 && !privileged && all_privileged)
            throw Wrong("a privileged command of an unprivileged process succeeded");
        if (!(header.nlmsg_flags & NLM_F_CAPPED))
            end = 4 + align(original.nlmsg_len);
        if (header.nlmsg_flags & NLM_F_ACK_TLVS)
            explanation(payload, end, original.nlmsg_len);
        else if (align(payload.size()) != align(end))
            throw Wrong("octets behind an acknowledgement");
    }

    void done(const nlmsghdr& header, View payload) {
        const auto code = get<std::int32_t>(payload);
        if (code > 0 || code < -EHWPOISON)
            throw Wrong(fmt::format("the result of a dump is {}", code));
        if (code < 0)
            verdicts[-code]++;
        if (header.nlmsg_flags & NLM_F_ACK_TLVS)
            explanation(payload, 4, largest_request);
        else if (payload.size() != 4)
            throw Wrong("octets behind the end of a dump");
    }

    void explanation(View payload, std::size_t at, std::size_t request) const {
        each(payload.subspan(std::min(at, payload.size())), [&](unsigned number, View value) {
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
                each(value, [](unsigned, View) {});
                break;
            case NLMSGERR_ATTR_MISS_TYPE:
            case NLMSGERR_ATTR_MISS_NEST:
                if (value.size() != 4)
                    throw Wrong("a missing attribute without a number");
                break;
            default:
                throw Wrong(fmt::format("an unknown part {} of an explanation", number));
            }
        });
    }

    void reply(const nlmsghdr& header, View payload) {
        if (payload.size() < GENL_HDRLEN)
            throw Wrong("no command");
        const auto genl = get<genlmsghdr>(payload);
        const bool dump = header.nlmsg_flags & NLM_F_MULTI;
        for (const Operation& operation : table.operations) {
            const Family& family = table.families[operation.family];
            if (family.id != header.nlmsg_type || operation.command != genl.cmd ||
                operation.dump != dump)
                continue;
            if (genl.version != family.version || genl.reserved)
                throw Wrong("a version or a reserved field");
            if (operation.privileged && !privileged)
                throw Wrong(operation.name + " answered an unprivileged process");
            answered[operation.name + (dump ? " dump" : "")]++;
            content(payload.subspan(GENL_HDRLEN), operation.set, &operation.reply, operation.name);
            return;
        }
        throw Wrong(
            fmt::format("an unknown reply: type {}, command {}", header.nlmsg_type, genl.cmd));
    }

    template <class Function>
    static void each(View data, Function function) {
        std::size_t at = 0;
        while (at < data.size()) {
            if (data.size() - at < 4)
                throw Wrong("an incomplete attribute");
            const auto length = get<std::uint16_t>(data, at);
            if (length < 4 || length > data.size() - at)
                throw Wrong(fmt::format("nla_len is {}", length));
            function(
                get<std::uint16_t>(data, at + 2) & NLA_TYPE_MASK,
                data.subspan(at + 4, length - 4u));
            const std::size_t end = std::min(at + align(length), data.size());
            for (std::size_t i = at + length; i < end; i++)
                if (data[i])
                    throw Wrong("padding that is not 0");
            at += align(length);
        }
    }

    void content(View data, int set, const std::set<unsigned>* expected, const std::string& name) {
        const Set& known = table.sets[static_cast<std::size_t>(set)];
        std::set<unsigned> met;
        each(data, [&](unsigned number, View value) {
            const auto found = known.find(number);
            const std::string where = fmt::format("{}: attribute {}", name, number);
            if (found == known.end())
                throw Wrong(where + " is unknown");
            const Attribute& attribute = found->second;
            if (expected && attribute.type != "pad" && !expected->contains(number))
                throw Wrong(where + " is not specified");
            if (!met.insert(number).second && !attribute.repeated && attribute.type != "pad")
                throw Wrong(where + " comes twice");
            if (attribute.type == "nest")
                return content(value, attribute.nested, nullptr, where);
            check(attribute, value, where);
            if (attribute.type == "u32" && number == 1 && expected)
                seen.emplace_back(name.starts_with("device"), get<std::uint32_t>(value));
        });
    }

    static void check(const Attribute& attribute, View value, const std::string& where) {
        static const std::map<std::string, std::size_t> sizes = {
            {"u8", 1}, {"u32", 4}, {"u64", 8}, {"flag", 0}, {"pad", 0}};
        const auto size = sizes.find(attribute.type);
        if (size != sizes.end() && value.size() != size->second)
            throw Wrong(fmt::format("{} has {} octets", where, value.size()));
        if ((attribute.type == "u32s" && value.size() % 4) ||
            (attribute.type == "u64s" && value.size() % 8))
            throw Wrong(fmt::format("{} has {} octets", where, value.size()));
        if (attribute.type == "string") {
            if (value.empty() || value.back())
                throw Wrong(where + " does not end with 0");
            for (std::uint8_t octet : value.first(value.size() - 1))
                if (octet < 0x20 || octet == 0x7f)
                    throw Wrong(where + " is no text");
        }
        if (!attribute.free)
            poison(value, where);
    }

    // No memory that was freed or never written, and no address of the kernel.
    static void poison(View value, const std::string& where) {
        if (value.size() == 4) {
            const auto word = get<std::uint32_t>(value);
            if (word == 0x6b6b6b6b || word == 0x5a5a5a5a)
                throw Wrong(fmt::format("{} contains {:#x}", where, word));
        }
        for (std::size_t at = 0; at + 8 <= value.size(); at += 4) {
            const auto word = get<std::uint64_t>(value, at);
            if (word == 0x6b6b6b6b6b6b6b6b || word == 0x5a5a5a5a5a5a5a5a ||
                (word >= 0xffff800000000000 && word != ~std::uint64_t{0}))
                throw Wrong(fmt::format("{} contains {:#x}", where, word));
        }
    }
};

class Descriptor {
public:
    explicit Descriptor(int number) : fd(number) {}
    Descriptor(Descriptor&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd, other.fd);
        return *this;
    }
    ~Descriptor() {
        if (fd >= 0)
            close(fd);
    }

    operator int() const { return fd; }

private:
    int fd;
};

class Socket {
public:
    Socket(bool capped, bool explained, std::uint32_t group)
        : fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)) {
        sockaddr_nl address{};
        socklen_t size = sizeof address;
        address.nl_family = AF_NETLINK;
        if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), size) < 0 ||
            getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) < 0)
            throw system_error("socket");
        portid = address.nl_pid;
        if (capped)
            set(NETLINK_CAP_ACK, 1);
        if (explained)
            set(NETLINK_EXT_ACK, 1);
        if (group)
            set(NETLINK_ADD_MEMBERSHIP, group);
    }

    // Returns 0, or the errno of a datagram that the kernel rejected as a whole.
    int send(View data) const {
        const ssize_t length = ::send(fd, data.data(), data.size(), 0);
        if (length < 0)
            return errno;
        if (length != static_cast<ssize_t>(data.size()))
            throw Wrong(fmt::format("the kernel took {} octets of {}", length, data.size()));
        return 0;
    }

    // Empty: nothing is there.
    View receive(Bytes& buffer) const {
        while (true) {
            const ssize_t length = recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
            if (length > static_cast<ssize_t>(buffer.size()))
                throw Wrong("a datagram that is too long");
            if (length >= 0)
                return View(buffer).first(static_cast<std::size_t>(length));
            if (errno == EAGAIN)
                return {};
            if (errno != ENOBUFS && errno != EINTR)
                throw system_error("recv");
        }
    }

    std::uint32_t portid = 0;

private:
    Descriptor fd;

    static std::system_error system_error(const char* what) {
        return {errno, std::generic_category(), what};
    }

    void set(int what, std::uint32_t value) const {
        if (setsockopt(fd, SOL_NETLINK, what, &value, sizeof value))
            throw system_error("setsockopt");
    }
};

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
          generator(of, wanted.seed),
          judge(of, wanted.privileged),
          socket(new_socket()) {}

    int run() {
        const auto began = Clock::now();
        const std::chrono::duration<double> limit(options.seconds);
        try {
            while (count < options.messages && Clock::now() - began < limit)
                round();
        } catch (const std::exception& error) {
            const bool wrong = dynamic_cast<const Wrong*>(&error);
            fmt::print(
                "{} after {} messages: {}\n", wrong ? "wrong answer" : "error", count,
                error.what());
            fmt::print("answer: {}\n", hex(answer));
            for (const Bytes& data : sent)
                fmt::print("sent: {}\n", hex(data));
            return wrong ? 1 : 2;
        }
        const std::chrono::duration<double> took = Clock::now() - began;
        fmt::print(
            "messages {}\nseconds {:.1f}\nrate {:.0f}\n", count, took.count(),
            static_cast<double>(count) / took.count());
        for (const auto& [code, times] : unsent)
            fmt::print("send errno {} {}\n", code, times);
        for (const auto& [code, times] : judge.verdicts)
            fmt::print("errno {} {}\n", code, times);
        for (const auto& [name, times] : judge.answered)
            fmt::print("answered {} {}\n", times, name);
        return 0;
    }

private:
    const Table& table;
    const Options& options;
    Generator generator;
    Judge judge;
    Socket socket;
    std::vector<Bytes> sent;
    Bytes buffer = Bytes(largest_answer);
    Bytes answer;
    std::map<int, std::uint64_t> unsent; // by errno
    std::uint64_t count = 0;
    std::uint64_t rounds = 0;
    std::uint32_t sequence = 0x40000000;

    Socket new_socket() {
        Random& dice = generator.dice();
        return Socket(
            dice.one_in(2), !dice.one_in(4), dice.one_in(3) ? table.families[0].group : 0);
    }

    void round() {
        if (rounds++ % 32 == 0)
            look();
        Bytes data = generator.batch();
        tame(data);
        count += std::max<std::size_t>(messages_in(data).size(), 1);
        exchange(std::move(data));
        if (generator.dice().one_in(16))
            end_faults();
        if (generator.dice().one_in(100)) { // ends dumps, and deletes what the socket owns
            if (generator.dice().one_in(2)) {
                Bytes last = generator.batch();
                tame(last);
                send(last);
            }
            socket = new_socket();
            sent.clear();
        }
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

    void exchange(Bytes data) {
        sent.push_back(std::move(data));
        if (sent.size() > 4)
            sent.erase(sent.begin());
        send(sent.back());
        for (int i = 0; i < most_reads; i++) {
            const View found = socket.receive(buffer);
            if (found.empty())
                return;
            answer.assign(found.begin(), found.end());
            judge.read(found, sent, socket.portid);
        }
        throw Wrong("an answer without an end");
    }

    const Operation* operation(std::string_view name, bool dump) const {
        for (const Operation& one : table.operations)
            if (one.name == name && one.dump == dump)
                return &one;
        throw std::runtime_error(fmt::format("no operation {}", name));
    }

    Bytes request(std::string_view name, bool dump, View attributes = {}) {
        const Operation& wanted = *operation(name, dump);
        const Family& family = table.families[wanted.family];
        const unsigned flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK);
        Bytes out;
        put(out, static_cast<std::uint32_t>(sizeof(nlmsghdr) + GENL_HDRLEN + attributes.size()));
        put(out, family.id);
        put(out, static_cast<std::uint16_t>(flags));
        put(out, sequence++);
        put(out, std::uint32_t{0});
        put(out, static_cast<std::uint8_t>(wanted.command));
        put(out, family.version);
        put(out, std::uint16_t{0});
        put_bytes(out, attributes);
        return out;
    }

    // Which ports and devices are there? Each dump is valid: it has to be answered.
    void look() {
        generator.ports = ids("port-get");
        generator.devices = ids("device-get");
        if (options.privileged && generator.devices.size() < least_devices) {
            add_device();
            generator.ports = ids("port-get");
            generator.devices = ids("device-get");
        }
        const std::uint64_t before = judge.answered["model-get dump"];
        exchange(request("model-get", true));
        if (judge.answered["model-get dump"] == before)
            throw Wrong("no answer to a valid request");
    }

    void add_device() {
        const std::string model = generator.dice().of(table.models) + '\0';
        Bytes attributes;
        put(attributes, static_cast<std::uint16_t>(4 + model.size()));
        put(attributes, std::uint16_t{MACSTATS_EMU_A_DEVICE_MODEL});
        put_bytes(attributes, {reinterpret_cast<const std::uint8_t*>(model.data()), model.size()});
        attributes.resize(align(attributes.size()));
        exchange(request("device-new", false, attributes));
    }

    std::vector<std::uint32_t> ids(std::string_view name) {
        judge.seen.clear();
        exchange(request(name, true));
        std::set<std::uint32_t> found;
        for (const auto& [device, id] : judge.seen)
            if (device == name.starts_with("device"))
                found.insert(id);
        return {found.begin(), found.end()};
    }

    // No request reaches another family, or adds a device where there are enough.
    void tame(Bytes& data) {
        const Operation& add = *operation("device-new", false);
        const auto end = static_cast<std::uint8_t>(operation("device-del", false)->command);
        bool first = generator.devices.size() < most_devices && rounds % 4 == 0;
        for (const Message& message : messages_in(data)) {
            std::uint16_t type = message.header.nlmsg_type;
            if (type >= NLMSG_MIN_TYPE &&
                std::none_of(
                    table.families.begin(), table.families.end(),
                    [&](const Family& family) { return family.id == type; })) {
                type = table.families[0].id;
                put_at(data, message.at + offsetof(nlmsghdr, nlmsg_type), type);
            }
            if (type != table.families[add.family].id ||
                message.command != static_cast<int>(add.command))
                continue;
            if (!first)
                data[message.at + sizeof(nlmsghdr)] = end;
            first = false;
        }
    }

    // Faults make polls slow or useless.
    void end_faults() {
        if (!options.privileged || generator.ports.empty())
            return;
        const std::uint32_t port = generator.dice().of(generator.ports);
        for (std::uint32_t fault = 1; fault <= MACSTATS_FAULT_ALL; fault <<= 1) {
            Bytes attributes;
            for (const std::uint32_t word :
                 {8 | std::uint32_t{MACSTATS_EMU_A_PORT_IFINDEX} << 16, port,
                  8 | std::uint32_t{MACSTATS_EMU_A_PORT_FAULT} << 16, fault,
                  5 | std::uint32_t{MACSTATS_EMU_A_PORT_ACTIVE} << 16, 0u})
                put(attributes, word); // nla_type is the upper half
            exchange(request("fault", false, attributes));
        }
    }
};

} // namespace

int main(int argc, char** argv) try {
    Options options;
    static const std::array<option, 5> known = {{
        {"seed", required_argument, nullptr, 's'},
        {"messages", required_argument, nullptr, 'm'},
        {"seconds", required_argument, nullptr, 't'},
        {"unprivileged", no_argument, nullptr, 'u'},
        {nullptr, 0, nullptr, 0},
    }};
    for (int found; (found = getopt_long(argc, argv, "", known.data(), nullptr)) != -1;) {
        if (found == 's')
            options.seed = std::stoull(optarg);
        else if (found == 'm')
            options.messages = std::stoull(optarg);
        else if (found == 't')
            options.seconds = std::stod(optarg);
        else if (found == 'u')
            options.privileged = false;
        else
            return 2;
    }
    if (optind + 1 != argc) {
        fmt::print(stderr, "usage: netlink-fuzz [OPTION...] TABLE\n");
        return 2;
    }
    fmt::print("seed {}\n", options.seed);
    std::fflush(stdout); // a signal may end this program
    const Table table = read_table(argv[optind]);
    return Fuzzer(table, options).run();
} catch (const std::exception& error) {
    fmt::print(stderr, "netlink-fuzz: {}\n", error.what());
    return 2;
}
