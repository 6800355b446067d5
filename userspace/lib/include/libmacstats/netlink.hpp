// SPDX-License-Identifier: GPL-2.0 OR MIT
// Generic netlink as a conversation: requests, replies, dumps and the kernel's
// explanations. Nothing here knows what is being talked about.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"
#include "transport.hpp"

struct nl_msg;

namespace macstats {

/// The error number's name in words, as "Operation not permitted".
std::string errno_text(int errnum);

/// A request that is being written. What does not fit any more is noticed when
/// it is sent, as EMSGSIZE.
class Message {
public:
    Message(std::uint8_t command, std::uint8_t version);

    Message& put_flag(int type);
    Message& put_u8(int type, std::uint8_t value);
    Message& put_u32(int type, std::uint32_t value);
    Message& put_u64(int type, std::uint64_t value);
    Message& put_u32s(int type, std::span<const std::uint32_t> values);
    Message& put_string(int type, std::string_view value);

    /// An attribute that holds those which @write puts.
    template <typename Write>
    Message& put_nest(int type, Write write) {
        void* start = begin_nest(type);
        write(*this);
        end_nest(start);
        return *this;
    }

private:
    friend class GenericNetlink;

    struct Free {
        void operator()(nl_msg* message) const;
    };

    void* begin_nest(int type);
    void end_nest(void* start);

    std::unique_ptr<nl_msg, Free> message_;
    bool fits_ = true;
};

/// The attributes of a reply. Unknown ones are ignored, the order does not
/// matter; of repeated ones the getters for one value take the last.
///
/// Getters of values that have to be there note the first one which is missing
/// or has the wrong size and go on with a zero: look at error() at the end.
class Attributes {
public:
    /// EBADMSG if @payload is no list of whole attributes. Keeps no copy.
    static Result<Attributes> parse(std::span<const std::byte> payload);

    [[nodiscard]] bool has(int type) const;

    std::uint16_t u16(int type);
    std::uint32_t u32(int type);
    std::uint64_t u64(int type);
    std::string string(int type);
    std::vector<std::uint64_t> u64_array(int type);

    std::optional<std::uint32_t> optional_u32(int type);
    std::optional<std::uint64_t> optional_u64(int type);
    /// "" if it is not there.
    std::string optional_string(int type);

    std::vector<std::uint32_t> u32s(int type);
    std::vector<std::string> strings(int type);
    /// The attributes in each attribute of this type, or in each of any type.
    std::vector<Attributes> nests(std::optional<int> type = std::nullopt);

    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    struct Attribute {
        int type;
        std::span<const std::byte> value;
    };

    const Attribute* find(int type) const;
    template <typename T>
    T number(int type, const Attribute* attribute);
    std::string text(int type, const Attribute* attribute);
    void fail(int type, const char* why);

    std::vector<Attribute> attributes_;
    std::optional<Error> error_;
};

/// One message of an answer.
struct Reply {
    std::uint8_t command = 0;
    Datagram payload; ///< attributes
};

/// The messages of @family in a datagram; others are left out. EBADMSG if one is
/// cut off.
Result<std::vector<Reply>> messages_in(std::span<const std::byte> datagram, std::uint16_t family);

/// A conversation with the families of generic netlink.
///
/// Sends a request, waits for its answer and turns what the kernel refuses into
/// an Error with its errno and its own words. A dump that the kernel marks as
/// inconsistent is read to its end and asked for again, up to max_dumps times,
/// then it fails with EAGAIN. Answers to earlier requests are skipped.
///
/// One conversation belongs to one thread at a time. Calls block until the
/// kernel has answered, for as long as the transport waits. Interrupted system
/// calls are repeated. ENOBUFS while waiting for one reply is passed on: the
/// request has been carried out or not. No state is shared between objects.
class GenericNetlink {
public:
    /// Ports come and go in bursts; a list that changes this often changes always.
    static constexpr int max_dumps = 10;

    static Result<GenericNetlink> open();
    explicit GenericNetlink(std::unique_ptr<Transport> transport);

    /// The number of a family; the kernel loads its module if it can.
    /// Error::not_loaded if there is no such family.
    Result<std::uint16_t> family(const std::string& name);
    /// The number of one of its multicast groups; ENOENT if it has not got it.
    Result<std::uint32_t> multicast_group(const std::string& family, std::string_view group);

    /// Do one thing. Returns once the kernel has acknowledged it.
    Result<std::vector<Reply>> request(std::uint16_t family, Message message);
    /// The same where exactly one reply has to come.
    Result<Reply> query(std::uint16_t family, Message message);
    /// Read a list.
    Result<std::vector<Reply>> dump(std::uint16_t family, Message message);

private:
    struct Answer;

    Result<std::uint32_t> send(std::uint16_t family, Message& message, int flags);
    Result<Answer> receive(std::uint32_t sequence, bool is_dump);
    Result<Reply> ask_for_family(const std::string& name);

    std::unique_ptr<Transport> transport_;
    std::uint32_t sequence_ = 0;
};

} // namespace macstats
