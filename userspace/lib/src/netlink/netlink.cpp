// SPDX-License-Identifier: GPL-2.0 OR MIT
// Requests, replies and dumps of generic netlink. Each length in an answer is checked
// here, since libnl skips truncated parts.
#include "libmacstats/netlink/netlink.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

#include <fmt/format.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

// The longest request contains a frame and some strings.
constexpr std::size_t request_size = 4096;

Error malformed(std::string_view what) {
    return {EBADMSG, fmt::format("the kernel's answer cannot be read: {}", what)};
}

template <typename T>
T read_as(std::span<const std::byte> bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

class SteadyClock final : public DumpClock {
public:
    TimePoint now() override { return std::chrono::steady_clock::now(); }
    void sleep(std::chrono::milliseconds duration) override {
        std::this_thread::sleep_for(duration);
    }
};

// One netlink message of a datagram.
struct Part {
    nlmsghdr header;
    std::span<const std::byte> payload;
};

// Removes the first message from @rest.
Result<Part> next_part(std::span<const std::byte>& rest) {
    if (rest.size() < NLMSG_HDRLEN)
        return malformed("a message header is cut off");
    const auto header = read_as<nlmsghdr>(rest);
    if (header.nlmsg_len < NLMSG_HDRLEN || header.nlmsg_len > rest.size())
        return malformed("a message is cut off");
    const auto payload = rest.subspan(NLMSG_HDRLEN, header.nlmsg_len - NLMSG_HDRLEN);
    rest = rest.subspan(std::min<std::size_t>(NLMSG_ALIGN(header.nlmsg_len), rest.size()));
    return Part{header, payload};
}

Result<Reply> generic_message(const Part& part) {
    if (part.payload.size() < GENL_HDRLEN)
        return malformed("a generic netlink header is cut off");
    const auto attributes = part.payload.subspan(GENL_HDRLEN);
    return Reply{
        read_as<genlmsghdr>(part.payload).cmd, Datagram(attributes.begin(), attributes.end())};
}

std::span<const std::byte> octets_of(nl_msg* message) {
    const nlmsghdr* header = nlmsg_hdr(message);
    return std::as_bytes(std::span(reinterpret_cast<const char*>(header), header->nlmsg_len));
}

// An Error from an error of the kernel (-errno) and the attributes that explain it.
Error rejection(
    int error, std::span<const std::byte> explanation, std::span<const std::byte> request) {
    constexpr int most_errno = 4095; // MAX_ERRNO in linux/err.h
    if (error > 0 || error < -most_errno)
        return malformed("an error number is out of range");
    const int errnum = -error;
    const std::string name = errno_text(errnum);
    auto attributes = Attributes::parse(explanation);
    const std::string text =
        attributes ? attributes->optional_string(NLMSGERR_ATTR_MSG) : std::string();
    // Generic netlink itself explains nothing, and each rejection by a family has a text.
    if (errnum == ENOENT && text.empty() && read_as<nlmsghdr>(request).nlmsg_type != GENL_ID_CTRL)
        return {Error::not_loaded, "the kernel modules were unloaded"};
    return {errnum, text.empty() ? name : fmt::format("{} ({})", text, name)};
}

// The kernel's answer in NLMSG_ERROR; success is an acknowledgement.
Result<void> verdict(const Part& part, std::span<const std::byte> request) {
    if (part.payload.size() < sizeof(nlmsgerr))
        return malformed("an acknowledgement is cut off");
    const auto ack = read_as<nlmsgerr>(part.payload);
    if (ack.error == 0)
        return {};

    // The request follows, unless NETLINK_CAP_ACK is set.
    std::size_t skip = sizeof(nlmsgerr);
    if (!(part.header.nlmsg_flags & NLM_F_CAPPED) && ack.msg.nlmsg_len > NLMSG_HDRLEN)
        skip += NLMSG_ALIGN(ack.msg.nlmsg_len) - NLMSG_HDRLEN;
    const bool explained = (part.header.nlmsg_flags & NLM_F_ACK_TLVS) && skip < part.payload.size();
    return rejection(
        ack.error, explained ? part.payload.subspan(skip) : std::span<const std::byte>(), request);
}

// The end of a dump, in NLMSG_DONE.
Result<void> end_of_dump(const Part& part, std::span<const std::byte> request) {
    if (part.payload.size() < sizeof(int))
        return malformed("the end of a list is cut off");
    const int error = read_as<int>(part.payload);
    if (error >= 0)
        return {};
    const bool explained = part.header.nlmsg_flags & NLM_F_ACK_TLVS;
    return rejection(
        error,
        explained ? part.payload.subspan(NLMSG_ALIGN(sizeof(int))) : std::span<const std::byte>(),
        request);
}

} // namespace

void Message::Free::operator()(nl_msg* message) const {
    nlmsg_free(message);
}

Message::Message(std::uint8_t command, std::uint8_t version)
    : message_(nlmsg_alloc_size(request_size)) {
    // send() fills in port, sequence, family and flags.
    if (!message_ || !genlmsg_put(message_.get(), 0, 0, 0, 0, 0, command, version))
        throw std::bad_alloc();
}

Message& Message::put_flag(int type, bool is_set) {
    fits_ = (!is_set || nla_put_flag(message_.get(), type) == 0) && fits_;
    return *this;
}

Message& Message::put_u8(int type, std::optional<std::uint8_t> value) {
    fits_ = (!value || nla_put_u8(message_.get(), type, *value) == 0) && fits_;
    return *this;
}

Message& Message::put_u32(int type, std::optional<std::uint32_t> value) {
    fits_ = (!value || nla_put_u32(message_.get(), type, *value) == 0) && fits_;
    return *this;
}

Message& Message::put_u64(int type, std::optional<std::uint64_t> value) {
    fits_ = (!value || nla_put_u64(message_.get(), type, *value) == 0) && fits_;
    return *this;
}

Message& Message::put_u32s(int type, std::span<const std::uint32_t> values) {
    fits_ =
        values.size_bytes() < request_size &&
        nla_put(message_.get(), type, static_cast<int>(values.size_bytes()), values.data()) == 0 &&
        fits_;
    return *this;
}

Message& Message::put_string(int type, std::string_view value) {
    fits_ = value.size() < request_size &&
            nla_put_string(message_.get(), type, std::string(value).c_str()) == 0 && fits_;
    return *this;
}

void* Message::begin_nest(int type) {
    nlattr* start = nla_nest_start(message_.get(), type | NLA_F_NESTED);
    fits_ = start && fits_;
    return start;
}

void Message::end_nest(void* start) {
    if (start)
        nla_nest_end(message_.get(), static_cast<nlattr*>(start));
}

Result<Attributes> Attributes::parse(std::span<const std::byte> payload) {
    return parse(payload, std::make_shared<std::optional<Error>>());
}

Result<Attributes> Attributes::parse(std::span<const std::byte> payload, FirstError error) {
    Attributes attributes(std::move(error));
    while (!payload.empty()) {
        if (payload.size() < NLA_HDRLEN)
            return malformed("an attribute header is cut off");
        const auto header = read_as<nlattr>(payload);
        if (header.nla_len < NLA_HDRLEN || header.nla_len > payload.size())
            return malformed("an attribute is cut off");
        attributes.attributes_.push_back(
            {header.nla_type & NLA_TYPE_MASK,
             payload.subspan(NLA_HDRLEN, header.nla_len - NLA_HDRLEN)});
        payload = payload.subspan(std::min<std::size_t>(NLA_ALIGN(header.nla_len), payload.size()));
    }
    return attributes;
}

bool Attributes::has(int type) const {
    return find(type);
}

std::span<const std::byte> Attributes::octets(int type) const {
    const Attribute* attribute = find(type);
    return attribute ? attribute->value : std::span<const std::byte>();
}

std::uint16_t Attributes::u16(int type) {
    return number<std::uint16_t>(type, find(type));
}

std::uint32_t Attributes::u32(int type) {
    return number<std::uint32_t>(type, find(type));
}

std::uint64_t Attributes::u64(int type) {
    return number<std::uint64_t>(type, find(type));
}

std::string Attributes::string(int type) {
    const Attribute* attribute = find(type);
    if (!attribute)
        fail(type, "is missing");
    return text(type, attribute);
}

template <typename T>
std::vector<T> Attributes::array(int type, const Attribute& attribute) {
    if (attribute.value.size() % sizeof(T)) {
        fail(
            type, sizeof(T) == sizeof(std::uint64_t) ? "is not an array of 64-bit numbers"
                                                     : "is not an array of 32-bit numbers");
        return {};
    }
    std::vector<T> values(attribute.value.size() / sizeof(T));
    if (!values.empty())
        std::memcpy(values.data(), attribute.value.data(), attribute.value.size());
    return values;
}

std::vector<std::uint64_t> Attributes::u64_array(int type) {
    const Attribute* attribute = find(type);
    if (attribute)
        return array<std::uint64_t>(type, *attribute);
    fail(type, "is missing");
    return {};
}

template <typename T>
std::optional<T> Attributes::optional_number(int type) {
    const Attribute* attribute = find(type);
    return attribute ? std::optional(number<T>(type, attribute)) : std::nullopt;
}

std::optional<std::uint8_t> Attributes::optional_u8(int type) {
    return optional_number<std::uint8_t>(type);
}

std::optional<std::uint32_t> Attributes::optional_u32(int type) {
    return optional_number<std::uint32_t>(type);
}

std::optional<std::uint64_t> Attributes::optional_u64(int type) {
    return optional_number<std::uint64_t>(type);
}

std::string Attributes::optional_string(int type) {
    return text(type, find(type));
}

std::vector<std::uint32_t> Attributes::optional_u32_array(int type) {
    const Attribute* attribute = find(type);
    if (!attribute)
        return {};
    return array<std::uint32_t>(type, *attribute);
}

std::vector<std::uint32_t> Attributes::u32s(int type) {
    std::vector<std::uint32_t> values;
    for (const Attribute& attribute : attributes_)
        if (attribute.type == type)
            values.push_back(number<std::uint32_t>(type, &attribute));
    return values;
}

std::vector<std::string> Attributes::strings(int type) {
    std::vector<std::string> values;
    for (const Attribute& attribute : attributes_)
        if (attribute.type == type)
            values.push_back(text(type, &attribute));
    return values;
}

std::vector<Attributes> Attributes::nests(std::optional<int> type) {
    std::vector<Attributes> nests;
    for (const Attribute& attribute : attributes_) {
        if (type && attribute.type != *type)
            continue;
        auto nest = parse(attribute.value, error_);
        if (nest)
            nests.push_back(std::move(*nest));
        else
            fail(attribute.type, "holds no whole attributes");
    }
    return nests;
}

const Attributes::Attribute* Attributes::find(int type) const {
    const auto last =
        std::find_if(attributes_.rbegin(), attributes_.rend(), [type](const Attribute& attribute) {
            return attribute.type == type;
        });
    return last == attributes_.rend() ? nullptr : &*last;
}

template <typename T>
T Attributes::number(int type, const Attribute* attribute) {
    if (attribute && attribute->value.size() == sizeof(T))
        return read_as<T>(attribute->value);
    fail(type, attribute ? "has the wrong size" : "is missing");
    return 0;
}

std::string Attributes::text(int type, const Attribute* attribute) {
    if (!attribute)
        return {};
    const auto& value = attribute->value;
    const auto end = std::find(value.begin(), value.end(), std::byte(0));
    if (end == value.end()) {
        fail(type, "is a string without an end");
        return {};
    }
    const auto* data = reinterpret_cast<const char*>(value.data());
    return {data, static_cast<std::size_t>(end - value.begin())};
}

void Attributes::fail(int type, const char* why) {
    if (!*error_)
        *error_ = malformed(fmt::format("attribute {} {}", type, why));
}

Result<std::vector<Reply>> messages_in(std::span<const std::byte> datagram, std::uint16_t family) {
    std::vector<Reply> messages;
    while (!datagram.empty()) {
        MACSTATS_TRY(const auto part, next_part(datagram));
        if (part.header.nlmsg_type != family)
            continue;
        MACSTATS_TRY(auto message, generic_message(part));
        messages.push_back(std::move(message));
    }
    return messages;
}

struct GenericNetlink::Answer {
    std::vector<Reply> replies;
    bool interrupted = false; // a dump that is not consistent
};

Result<GenericNetlink> GenericNetlink::open() {
    auto transport = open_transport();
    if (!transport) {
        Error error = transport.error();
        // A kernel without generic netlink has no family, either.
        if (error.errnum == EPROTONOSUPPORT || error.errnum == EAFNOSUPPORT)
            error.errnum = Error::not_loaded;
        return error;
    }
    return GenericNetlink(std::move(*transport));
}

GenericNetlink::GenericNetlink(std::unique_ptr<Transport> transport)
    : GenericNetlink(std::move(transport), {}, std::make_shared<SteadyClock>()) {}

GenericNetlink::GenericNetlink(
    std::unique_ptr<Transport> transport, DumpRetry retry, std::shared_ptr<DumpClock> clock)
    : transport_(std::move(transport)),
      retry_(retry),
      clock_(std::move(clock)) {}

Result<Reply> GenericNetlink::ask_for_family(const std::string& name) {
    Message message(CTRL_CMD_GETFAMILY, 1);
    message.put_string(CTRL_ATTR_FAMILY_NAME, name);
    auto reply = query(GENL_ID_CTRL, std::move(message));
    if (!reply && reply.error().errnum == ENOENT)
        return failure(Error::not_loaded, "the kernel has no netlink family \"{}\"", name);
    return reply;
}

Result<std::uint16_t>
GenericNetlink::family(const std::string& name, std::optional<std::uint32_t> version) {
    MACSTATS_TRY(const auto reply, ask_for_family(name));
    MACSTATS_TRY(auto attributes, Attributes::parse(reply.payload));
    const std::uint16_t id = attributes.u16(CTRL_ATTR_FAMILY_ID);
    const auto spoken = version ? attributes.u32(CTRL_ATTR_VERSION) : version;
    if (attributes.error())
        return *attributes.error();
    if (spoken != version)
        return failure(
            Error::other_protocol,
            "the kernel's family \"{}\" speaks version {} of its protocol; version {} is accepted",
            name, *spoken, *version);
    if (version)
        name_ = name;
    return id;
}

Result<std::uint32_t>
GenericNetlink::multicast_group(const std::string& family, std::string_view group) {
    MACSTATS_TRY(const auto reply, ask_for_family(family));
    MACSTATS_TRY(auto attributes, Attributes::parse(reply.payload));
    for (Attributes& list : attributes.nests(CTRL_ATTR_MCAST_GROUPS))
        for (Attributes& entry : list.nests()) {
            const std::string name = entry.string(CTRL_ATTR_MCAST_GRP_NAME);
            const std::uint32_t id = entry.u32(CTRL_ATTR_MCAST_GRP_ID);
            if (name == group && !attributes.error())
                return id;
        }
    if (attributes.error())
        return *attributes.error();
    return failure(ENOENT, "the netlink family \"{}\" has no group \"{}\"", family, group);
}

Result<std::vector<Reply>> GenericNetlink::request(std::uint16_t family, Message message) {
    MACSTATS_TRY(const auto sequence, send(family, message, NLM_F_REQUEST | NLM_F_ACK));
    auto answer = receive(message, sequence, false);
    if (!answer)
        return explained(family, answer.error());
    return std::move(answer->replies);
}

Result<Reply> GenericNetlink::query(std::uint16_t family, Message message) {
    MACSTATS_TRY(auto replies, request(family, std::move(message)));
    if (replies.size() != 1)
        return malformed(fmt::format("{} replies where one was expected", replies.size()));
    return std::move(replies.front());
}

Result<std::vector<Reply>> GenericNetlink::dump(std::uint16_t family, Message message) {
    const auto deadline = clock_->now() + retry_.deadline;
    auto wait = retry_.first_wait;
    for (int dumps = 1;; dumps++) {
        MACSTATS_TRY(const auto sequence, send(family, message, NLM_F_REQUEST | NLM_F_DUMP));
        auto answer = receive(message, sequence, true);
        if (!answer)
            return explained(family, answer.error());
        if (!answer->interrupted)
            return std::move(answer->replies);
        if (clock_->now() + wait > deadline)
            return failure(
                EAGAIN,
                "the list changed each of the {} times it was read within {} ms; try "
                "again",
                dumps, retry_.deadline.count());
        clock_->sleep(wait);
        wait = std::min(2 * wait, retry_.longest_wait);
    }
}

// Modules that were loaded again have another family of the same name.
Error GenericNetlink::explained(std::uint16_t family, const Error& error) {
    if (error.errnum != Error::not_loaded || family == GENL_ID_CTRL || name_.empty() ||
        !ask_for_family(name_))
        return error;
    return {
        Error::loaded_again,
        "the kernel modules were loaded again, their totals start anew; try again"};
}

Result<std::uint32_t> GenericNetlink::send(std::uint16_t family, Message& message, int flags) {
    if (!message.fits_)
        return Error{EMSGSIZE, "the request is too long"};

    nlmsghdr* header = nlmsg_hdr(message.message_.get());
    header->nlmsg_type = family;
    header->nlmsg_flags = static_cast<std::uint16_t>(flags);
    header->nlmsg_seq = ++sequence_;
    const auto datagram = octets_of(message.message_.get());
    for (;;) {
        auto sent = transport_->send(datagram);
        if (sent)
            return sequence_;
        if (sent.error().errnum != EINTR)
            return sent.error();
    }
}

Result<GenericNetlink::Answer>
GenericNetlink::receive(const Message& request, std::uint32_t sequence, bool is_dump) {
    const std::span<const std::byte> asked = octets_of(request.message_.get());
    Answer answer;
    for (;;) {
        auto datagram = transport_->receive();
        if (!datagram) {
            if (datagram.error().errnum == EINTR)
                continue;
            // The kernel pauses a dump while the socket's buffer is full, so that
            // something else was lost. The dump is repeated nevertheless.
            if (datagram.error().errnum == ENOBUFS && is_dump) {
                answer.interrupted = true;
                continue;
            }
            return datagram.error();
        }

        std::span<const std::byte> rest(*datagram);
        while (!rest.empty()) {
            MACSTATS_TRY(const auto part, next_part(rest));
            if (part.header.nlmsg_seq != sequence)
                continue;
            if (part.header.nlmsg_flags & NLM_F_DUMP_INTR)
                answer.interrupted = true;

            if (part.header.nlmsg_type == NLMSG_ERROR) {
                MACSTATS_CHECK(verdict(part, asked));
                return answer;
            }
            if (part.header.nlmsg_type == NLMSG_DONE) {
                MACSTATS_CHECK(end_of_dump(part, asked));
                return answer;
            }
            if (part.header.nlmsg_type < NLMSG_MIN_TYPE)
                continue;
            MACSTATS_TRY(auto message, generic_message(part));
            answer.replies.push_back(std::move(message));
        }
    }
}

} // namespace macstats
