// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A scripted kernel for the netlink tests: it returns the exact bytes of a script, and
// keeps the datagrams that it receives.
#ifndef MACSTATS_TEST_NETLINK_FAKE_HPP
#define MACSTATS_TEST_NETLINK_FAKE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <macstats/netlink.h>

#include "libmacstats/netlink/netlink.hpp"
#include "libmacstats/netlink/transport.hpp"
#include "netlink_octets.hpp"

namespace macstats::test {

inline constexpr std::uint16_t family = 0x123;

using octets::append;

inline Datagram joined(std::initializer_list<Datagram> parts) {
    return octets::joined<Datagram>(parts);
}

inline Datagram attribute_of(std::uint16_t type, const Datagram& value) {
    return octets::attribute(type, value);
}

template <typename T>
Datagram number(int type, T value) {
    Datagram bytes;
    append(bytes, value);
    return attribute_of(static_cast<std::uint16_t>(type), bytes);
}

inline Datagram u32(int type, std::uint32_t value) {
    return number(type, value);
}

inline Datagram u64(int type, std::uint64_t value) {
    return number(type, value);
}

inline Datagram flag(int type) {
    return attribute_of(static_cast<std::uint16_t>(type), {});
}

inline Datagram text(int type, std::string_view value) {
    Datagram bytes;
    for (const char c : value)
        append(bytes, c);
    append(bytes, '\0');
    return attribute_of(static_cast<std::uint16_t>(type), bytes);
}

inline Datagram u64s(int type, std::initializer_list<std::uint64_t> values) {
    Datagram bytes;
    for (const std::uint64_t value : values)
        append(bytes, value);
    return attribute_of(static_cast<std::uint16_t>(type), bytes);
}

inline Datagram u32s(int type, std::initializer_list<std::uint32_t> values) {
    Datagram bytes;
    for (const std::uint32_t value : values)
        append(bytes, value);
    return attribute_of(static_cast<std::uint16_t>(type), bytes);
}

// A sequence number of 0 becomes that of the last request, on delivery.
inline Datagram message(int type, int flags, const Datagram& payload, std::uint32_t sequence = 0) {
    return octets::message(
        static_cast<std::uint16_t>(type), static_cast<std::uint16_t>(flags), sequence, 0, payload);
}

inline Datagram
reply(int command, const Datagram& attributes, int flags = 0, std::uint32_t sequence = 0) {
    const Datagram payload = octets::command(static_cast<std::uint8_t>(command), 1, attributes);
    return message(family, flags, payload, sequence);
}

inline Datagram rejected(int errnum, std::string_view why = {}) {
    Datagram payload;
    append(payload, -errnum);
    append(payload, nlmsghdr{});
    int flags = NLM_F_CAPPED;
    if (!why.empty()) {
        flags |= NLM_F_ACK_TLVS;
        payload = joined({payload, text(NLMSGERR_ATTR_MSG, why)});
    }
    return message(NLMSG_ERROR, flags, payload);
}

inline Datagram acknowledged() {
    return rejected(0);
}

inline Datagram done(int flags = 0, int errnum = 0) {
    Datagram payload;
    append(payload, -errnum);
    return message(NLMSG_DONE, NLM_F_MULTI | flags, payload);
}

// The answers of the kernel, and the requests that it received. The script outlives the
// conversation.
struct Script {
    std::deque<Result<Datagram>> answers;
    std::deque<int> send_errors; // errno values, before the first send that works
    std::vector<Datagram> sent;

    void answer(std::initializer_list<Datagram> messages) { answers.push_back(joined(messages)); }
    // To a request, and to a dump of so many messages.
    void reply(int command, const Datagram& attributes) {
        answer({test::reply(command, attributes), acknowledged()});
    }
    void dump(int command, std::initializer_list<Datagram> all) {
        Datagram messages;
        for (const Datagram& attributes : all)
            messages = joined({messages, test::reply(command, attributes, NLM_F_MULTI)});
        answer({messages, done()});
    }
    void fail(int errnum) { answers.push_back(Error{errnum, "receiving failed"}); }
};

class FakeKernel final : public Transport {
public:
    explicit FakeKernel(std::shared_ptr<Script> script) : script_(std::move(script)) {}

    Result<void> send(std::span<const std::byte> datagram) override {
        if (!script_->send_errors.empty()) {
            const int errnum = script_->send_errors.front();
            script_->send_errors.pop_front();
            return Error{errnum, "sending failed"};
        }
        script_->sent.emplace_back(datagram.begin(), datagram.end());
        nlmsghdr header;
        std::memcpy(&header, datagram.data(), sizeof(header));
        sequence_ = header.nlmsg_seq;
        return {};
    }

    Result<Datagram> receive() override {
        // As if the kernel had no more answers.
        if (script_->answers.empty())
            return Error{ETIMEDOUT, "no answer"};
        auto answer = std::move(script_->answers.front());
        script_->answers.pop_front();
        if (answer)
            number_messages(*answer);
        return answer;
    }

private:
    void number_messages(Datagram& datagram) const {
        std::size_t at = 0;
        while (at + sizeof(nlmsghdr) <= datagram.size()) {
            nlmsghdr header;
            std::memcpy(&header, datagram.data() + at, sizeof(header));
            if (header.nlmsg_seq == 0) {
                header.nlmsg_seq = sequence_;
                std::memcpy(datagram.data() + at, &header, sizeof(header));
            }
            at += std::max<std::size_t>(header.nlmsg_len, sizeof(header));
        }
    }

    std::shared_ptr<Script> script_;
    std::uint32_t sequence_ = 0;
};

inline GenericNetlink conversation(const std::shared_ptr<Script>& script) {
    return GenericNetlink(std::make_unique<FakeKernel>(script));
}

inline Datagram nest(int type, const Datagram& attributes) {
    return attribute_of(static_cast<std::uint16_t>(type | NLA_F_NESTED), attributes);
}

// A multicast group in a reply of the controller.
inline Datagram group(int place, const char* name, std::uint32_t id) {
    return nest(
        place, joined({text(CTRL_ATTR_MCAST_GRP_NAME, name), u32(CTRL_ATTR_MCAST_GRP_ID, id)}));
}

// A notification of the controller.
inline Datagram family_change(int command, const char* name, std::uint16_t id) {
    return message(
        GENL_ID_CTRL, 0,
        octets::command(
            static_cast<std::uint8_t>(command), 2,
            joined({text(CTRL_ATTR_FAMILY_NAME, name), number(CTRL_ATTR_FAMILY_ID, id)})));
}

// The controller's answer to a request for a family.
inline void
answer_family(Script& script, std::uint16_t id, std::uint32_t version = MACSTATS_GENL_VERSION) {
    script.answer(
        {reply(
             CTRL_CMD_NEWFAMILY,
             joined(
                 {number(CTRL_ATTR_FAMILY_ID, id), u32(CTRL_ATTR_VERSION, version),
                  nest(CTRL_ATTR_MCAST_GROUPS, group(1, MACSTATS_GENL_EVENTS, 6))})),
         acknowledged()});
}

template <typename T>
T value_in(const std::optional<Datagram>& attribute) {
    if (!attribute || attribute->size() != sizeof(T))
        throw std::runtime_error("an attribute is missing or has the wrong size");
    T value;
    std::memcpy(&value, attribute->data(), sizeof(value));
    return value;
}

// A request as the kernel would see it.
struct Request {
    nlmsghdr header{};
    genlmsghdr generic{};
    std::vector<std::pair<int, Datagram>> attributes;

    [[nodiscard]] std::optional<Datagram> find(int type) const {
        for (const auto& [number, value] : attributes)
            if (number == type)
                return value;
        return std::nullopt;
    }
    [[nodiscard]] bool has(int type) const { return find(type).has_value(); }
    [[nodiscard]] auto u8(int type) const { return value_in<std::uint8_t>(find(type)); }
    [[nodiscard]] auto u32(int type) const { return value_in<std::uint32_t>(find(type)); }
    [[nodiscard]] auto u64(int type) const { return value_in<std::uint64_t>(find(type)); }
};

inline std::vector<std::pair<int, Datagram>> attributes_in(const Datagram& bytes, std::size_t at) {
    std::vector<std::pair<int, Datagram>> attributes;
    while (at + sizeof(nlattr) <= bytes.size()) {
        nlattr header;
        std::memcpy(&header, bytes.data() + at, sizeof(header));
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        attributes.emplace_back(
            header.nla_type & NLA_TYPE_MASK,
            Datagram(begin + sizeof(header), begin + header.nla_len));
        at += static_cast<std::size_t>((header.nla_len + 3) / 4 * 4);
    }
    return attributes;
}

inline Request request_in(const Datagram& bytes) {
    Request request;
    std::memcpy(&request.header, bytes.data(), sizeof(nlmsghdr));
    std::memcpy(&request.generic, bytes.data() + sizeof(nlmsghdr), sizeof(genlmsghdr));
    request.attributes = attributes_in(bytes, sizeof(nlmsghdr) + sizeof(genlmsghdr));
    return request;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_NETLINK_FAKE_HPP
