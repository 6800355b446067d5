// SPDX-License-Identifier: GPL-2.0 OR MIT
// Generic netlink: requests, replies, dumps and rejections, independent of the family.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/transport.hpp"

struct nl_msg;

namespace macstats {

/// Builds a request. Owns its buffer. A request that is too long fails with EMSGSIZE when
/// it is sent.
class Message {
public:
    Message(std::uint8_t command, std::uint8_t version);

    Message& put_flag(int type, bool is_set = true);
    /// Without a value, no attribute is put.
    Message& put_u8(int type, std::optional<std::uint8_t> value);
    Message& put_u32(int type, std::optional<std::uint32_t> value);
    Message& put_u64(int type, std::optional<std::uint64_t> value);
    Message& put_u32s(int type, std::span<const std::uint32_t> values);
    Message& put_string(int type, std::string_view value);

    /// An attribute that contains those which @write puts.
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

/// The attributes of a reply, in any order. Unknown ones are ignored; a getter for one
/// value returns the last one of a repeated attribute.
///
/// A getter of a mandatory value returns 0 for an attribute that is missing or has the
/// wrong size. error() has the first such failure: check it after the last getter.
/// Refers to the payload, which the caller keeps.
class Attributes {
public:
    /// EBADMSG if @payload is not a list of whole attributes.
    static Result<Attributes> parse(std::span<const std::byte> payload);

    [[nodiscard]] bool has(int type) const;
    /// The content of the attribute; empty if it is missing.
    [[nodiscard]] std::span<const std::byte> octets(int type) const;

    std::uint16_t u16(int type);
    std::uint32_t u32(int type);
    std::uint64_t u64(int type);
    std::string string(int type);
    std::vector<std::uint64_t> u64_array(int type);

    std::optional<std::uint8_t> optional_u8(int type);
    std::optional<std::uint32_t> optional_u32(int type);
    std::optional<std::uint64_t> optional_u64(int type);
    /// "" if the attribute is missing.
    std::string optional_string(int type);
    /// Empty if the attribute is missing.
    std::vector<std::uint32_t> optional_u32_array(int type);

    std::vector<std::uint32_t> u32s(int type);
    std::vector<std::string> strings(int type);
    /// The attributes nested in each attribute of this type, or of any type. Their errors are
    /// those of this object.
    std::vector<Attributes> nests(std::optional<int> type = std::nullopt);

    [[nodiscard]] const std::optional<Error>& error() const { return *error_; }
    /// Note that the attribute "attribute 7 @why", unless there is an error already.
    void fail(int type, const char* why);

private:
    using FirstError = std::shared_ptr<std::optional<Error>>;

    static Result<Attributes> parse(std::span<const std::byte> payload, FirstError error);
    explicit Attributes(FirstError error) : error_(std::move(error)) {}

    struct Attribute {
        int type;
        std::span<const std::byte> value;
    };

    const Attribute* find(int type) const;
    template <typename T>
    T number(int type, const Attribute* attribute);
    template <typename T>
    std::optional<T> optional_number(int type);
    template <typename T>
    std::vector<T> array(int type, const Attribute& attribute);
    std::string text(int type, const Attribute* attribute);

    std::vector<Attribute> attributes_;
    FirstError error_; // of the whole payload
};

/// One message of the kernel's answer.
struct Reply {
    std::uint8_t command = 0;
    Datagram payload; ///< attributes
};

/// The messages of @family in a datagram, without those of others. EBADMSG if one is
/// cut off.
Result<std::vector<Reply>> messages_in(std::span<const std::byte> datagram, std::uint16_t family);

/// The waits before an interrupted dump is requested again. Ports are added and removed
/// in bursts: the first waits are short, and each one is twice as long as the one before.
struct DumpRetry {
    std::chrono::milliseconds first_wait{1};
    std::chrono::milliseconds longest_wait{200};
    /// From the first request. A dump is requested at least once; no wait ends later
    /// than this.
    std::chrono::milliseconds deadline{5000};
};

/// The clock for waits between dumps. Tests replace it.
class DumpClock {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    DumpClock() = default;
    DumpClock(const DumpClock&) = delete;
    DumpClock& operator=(const DumpClock&) = delete;
    virtual ~DumpClock() = default;

    virtual TimePoint now() = 0;
    virtual void sleep(std::chrono::milliseconds duration) = 0;
};

/// Sends requests to the families of generic netlink and receives their answers.
///
/// A rejection becomes an Error with the kernel's errno and text. A dump that the kernel marks
/// as inconsistent is read to its end and requested again after a wait (see DumpRetry); past the
/// deadline it fails with EAGAIN. Answers to earlier requests are skipped.
///
/// One thread at a time; objects share nothing. Calls block until the kernel has
/// answered; if no answer comes, up to the timeout of the transport, which the object owns.
/// Interrupted system calls are repeated. ENOBUFS while waiting for one reply is passed on: the
/// kernel may have carried out the request.
class GenericNetlink {
public:
    static Result<GenericNetlink> open();
    explicit GenericNetlink(std::unique_ptr<Transport> transport);
    /// With other waits, and with another clock for tests.
    GenericNetlink(
        std::unique_ptr<Transport> transport, DumpRetry retry, std::shared_ptr<DumpClock> clock);

    /// The number of a family. Error::not_loaded if there is no such family. The kernel
    /// may load a module for it, but never that of the emulated devices.
    /// @version: that of a family of this project; Error::other_protocol if it has another one.
    /// Later requests to a number that it no longer has fail with Error::not_loaded or
    /// Error::loaded_again.
    Result<std::uint16_t>
    family(const std::string& name, std::optional<std::uint32_t> version = std::nullopt);
    /// The number of a multicast group of a family; ENOENT if the family does not have it.
    Result<std::uint32_t> multicast_group(const std::string& family, std::string_view group);

    /// Send one request. Returns when the kernel has acknowledged it.
    Result<std::vector<Reply>> request(std::uint16_t family, Message message);
    /// The same for a request with exactly one reply; EBADMSG for another number.
    Result<Reply> query(std::uint16_t family, Message message);
    /// Read a list.
    Result<std::vector<Reply>> dump(std::uint16_t family, Message message);

private:
    struct Answer;

    Result<std::uint32_t> send(std::uint16_t family, Message& message, int flags);
    Result<Answer> receive(const Message& request, std::uint32_t sequence, bool is_dump);
    Result<Reply> ask_for_family(const std::string& name);
    Error explained(std::uint16_t family, const Error& error);

    std::unique_ptr<Transport> transport_;
    DumpRetry retry_{};
    std::shared_ptr<DumpClock> clock_;
    std::uint32_t sequence_ = 0;
    std::string name_; ///< of the family of this project that was asked for
};

} // namespace macstats
