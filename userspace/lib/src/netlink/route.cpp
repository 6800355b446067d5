// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "netlink/route.hpp"

#include <cerrno>
#include <cstring>

#include <linux/netlink.h>
#include <sys/socket.h>

#include "netlink/file_descriptor.hpp"

namespace macstats {

namespace {

Error error_of(int errnum) {
    return {errnum, errno_text(errnum)};
}

// Headers and attributes are aligned alike.
void append(Datagram& request, std::span<const std::byte> octets) {
    request.insert(request.end(), octets.begin(), octets.end());
    request.resize(NLMSG_ALIGN(request.size()));
}

Datagram request_of(
    int type, int flags, std::span<const std::byte> header,
    std::span<const RouteAttribute> attributes) {
    Datagram request(NLMSG_HDRLEN);
    append(request, header);
    for (const RouteAttribute& attribute : attributes) {
        const nlattr start{
            .nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + attribute.value.size()),
            .nla_type = attribute.type};
        append(request, as_octets(start));
        append(request, attribute.value);
    }
    nlmsghdr start{};
    start.nlmsg_len = static_cast<std::uint32_t>(request.size());
    start.nlmsg_type = static_cast<std::uint16_t>(type);
    start.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
    std::memcpy(request.data(), &start, sizeof(start));
    return request;
}

// The next datagram from the kernel: other processes may send to a netlink socket, too.
Result<Datagram> receive(int fd) {
    constexpr std::size_t longest = 32768;
    Datagram answer(longest);
    for (;;) {
        sockaddr_nl from{};
        socklen_t from_size = sizeof(from);
        const ssize_t size = recvfrom(
            fd, answer.data(), answer.size(), 0, reinterpret_cast<sockaddr*>(&from), &from_size);
        if (size < 0 && errno != EINTR)
            return error_of(errno);
        if (size < 0 || from.nl_pid != 0)
            continue;
        answer.resize(static_cast<std::size_t>(size));
        return answer;
    }
}

// The answer without its nlmsghdr; nothing if it says that all is done. @flags: also NLM_F_REQUEST
Result<Datagram> exchange(
    int type, int flags, std::span<const std::byte> header,
    std::span<const RouteAttribute> attributes) {
    const FileDescriptor fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    const auto* address = reinterpret_cast<const sockaddr*>(&kernel);
    const Datagram request = request_of(type, flags, header, attributes);
    if (fd.get() < 0 ||
        sendto(fd.get(), request.data(), request.size(), 0, address, sizeof(kernel)) < 0)
        return error_of(errno);

    auto answer = receive(fd.get());
    if (!answer)
        return answer;
    nlmsghdr start{};
    int error = 0; // the start of an nlmsgerr
    if (answer->size() < NLMSG_HDRLEN + sizeof(error))
        return error_of(EBADMSG);
    std::memcpy(&start, answer->data(), sizeof(start));
    answer->erase(answer->begin(), answer->begin() + NLMSG_HDRLEN);
    std::memcpy(&error, answer->data(), sizeof(error));
    if (start.nlmsg_type == NLMSG_ERROR)
        return error ? Result<Datagram>(error_of(-error)) : Datagram();
    return answer;
}

} // namespace

Result<Datagram>
ask_route(int type, std::span<const std::byte> header, std::span<const RouteAttribute> attributes) {
    auto answer = exchange(type, 0, header, attributes);
    if (answer && answer->size() < header.size())
        return error_of(EBADMSG);
    return answer;
}

Result<void> tell_route(int type, std::span<const std::byte> header) {
    const auto answer = exchange(type, NLM_F_ACK, header, {});
    return answer ? Result<void>() : answer.error();
}

} // namespace macstats
