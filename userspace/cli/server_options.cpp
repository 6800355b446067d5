// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "server_options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats::cli {

namespace {

struct FreeAddresses {
    void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};

bool is_loopback(const in_addr& address) {
    return ntohl(address.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
}

bool is_loopback(const in6_addr& address) {
    if (!IN6_IS_ADDR_V4MAPPED(&address))
        return IN6_IS_ADDR_LOOPBACK(&address);
    in_addr mapped{};
    std::copy_n(&address.s6_addr[12], sizeof(mapped), reinterpret_cast<std::uint8_t*>(&mapped));
    return is_loopback(mapped);
}

bool is_loopback(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return is_loopback(reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
    return address->sa_family == AF_INET6 &&
           is_loopback(reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

// Of a URI: IPv6 is in brackets.
bool is_loopback_literal(const std::string& host) {
    in_addr v4{};
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1)
        return is_loopback(v4);
    in6_addr v6{};
    return host.size() > 2 && host.front() == '[' && host.back() == ']' &&
           inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6) == 1 &&
           is_loopback(v6);
}

// The host of a Host header (RFC 9110, 7.2) without its port; not set for anything else.
std::optional<std::string> host_of(std::string_view header) {
    const auto bracket = header.rfind(']');
    const auto colon = header.find(':', bracket == std::string_view::npos ? 0 : bracket);
    const std::string_view port =
        colon == std::string_view::npos ? std::string_view{} : header.substr(colon + 1);
    if (port.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    return std::string(header.substr(0, colon));
}

bool is_same_name(const std::string& one, const std::string& other) {
    return strcasecmp(one.c_str(), other.c_str()) == 0;
}

} // namespace

std::vector<CLI::Option*> add_server_options(CLI::App& command, ServerOptions& options) {
    auto* listen = add_option(
        command, "--listen ADDRESS:PORT", options.listen,
        "Serve HTTP at ADDRESS:PORT; port 0 is any free one (default 127.0.0.1:9797)");
    auto* hosts = add_option(
                      command, "--allow-host NAME[,NAME...]", options.hosts,
                      "On a loopback address, also answer requests whose Host is NAME, such as "
                      "those of a proxy; repeatable")
                      ->delimiter(',')
                      ->expected(1)
                      ->take_all();
    return {listen, hosts};
}

Result<void> check_allowed_hosts(const std::vector<std::string>& hosts) {
    for (const std::string& host : hosts)
        if (host.empty() || host_of(host) != host)
            return invalid(
                "--allow-host: expected a name or an address without a port, not \"{}\"",
                printable(host));
    return {};
}

Result<Address> parse_address(const std::string& text) {
    const auto colon = text.rfind(':');
    std::string host = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
    const std::string digits = colon == std::string::npos ? text : text.substr(colon + 1);
    const auto port = parse_number("port", digits, 65535);
    if (!port)
        return invalid(
            "--listen: \"{}\" is not ADDRESS:PORT with a port from 0 to 65535; for example "
            "127.0.0.1:9797",
            printable(text));
    if (host.empty())
        host = "::";
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    return Address{host, static_cast<int>(*port)};
}

bool is_loopback(const std::string& host) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* list = nullptr;
    if (getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0)
        return false;
    const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
    for (const addrinfo* at = list; at; at = at->ai_next)
        if (!is_loopback(at->ai_addr))
            return false;
    return list != nullptr;
}

Error listen_error(const Address& address, const std::string& text) {
    const auto because = [&text](int errnum, std::string_view why) {
        return failure(errnum, "cannot listen at {}: {}", text, why);
    };
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* list = nullptr;
    const int found =
        getaddrinfo(address.host.c_str(), fmt::format("{}", address.port).c_str(), &hints, &list);
    if (found != 0)
        return because(EADDRNOTAVAIL, gai_strerror(found));
    const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
    int errnum = EADDRINUSE; // unless another socket has left the address meanwhile
    for (const addrinfo* at = list; at; at = at->ai_next) {
        const int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        const int yes = 1;
        if (fd >= 0)
            (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
        if (fd < 0 || bind(fd, at->ai_addr, at->ai_addrlen) != 0 || ::listen(fd, 1) != 0)
            errnum = errno;
        if (fd >= 0)
            (void)close(fd);
    }
    if (errnum == EADDRINUSE)
        return because(errnum, errno_text(errnum) + "; give another port with --listen");
    if (errnum == EACCES)
        return because(
            errnum, errno_text(errnum) + "; ports below 1024 require CAP_NET_BIND_SERVICE");
    return because(errnum, errno_text(errnum));
}

bool is_own_host(
    std::string_view header, const std::string& listened, const std::vector<std::string>& others) {
    const auto host = host_of(header);
    if (!host)
        return false;
    return is_same_name(*host, "localhost") || is_loopback_literal(*host) ||
           is_same_name(*host, listened) ||
           std::any_of(others.begin(), others.end(), [&host](const std::string& other) {
               return is_same_name(*host, other);
           });
}

} // namespace macstats::cli
