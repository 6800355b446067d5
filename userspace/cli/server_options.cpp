// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "server_options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include <arpa/inet.h>
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

using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

// What @host stands for; the Error of getaddrinfo(): EINVAL if no host has this name.
Result<Addresses>
addresses_of(const std::string& host, const addrinfo& hints, const char* port = nullptr) {
    addrinfo* list = nullptr;
    if (const int error = getaddrinfo(host.c_str(), port, &hints, &list); error != 0)
        return Error{error == EAI_NONAME ? EINVAL : EADDRNOTAVAIL, gai_strerror(error)};
    return Addresses(list);
}

// Does the kernel have it?
bool has_ipv6() {
    const int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        (void)close(fd);
    return fd >= 0 || errno != EAFNOSUPPORT;
}

addrinfo to_listen() {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    return hints;
}

// Whatever the scope of an IPv6 address: "::1%1" is one, too.
bool is_loopback(const sockaddr* address) {
    in_addr v4{};
    if (address->sa_family == AF_INET) {
        v4 = reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
    } else if (address->sa_family == AF_INET6) {
        const in6_addr& v6 = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
        if (!IN6_IS_ADDR_V4MAPPED(&v6))
            return IN6_IS_ADDR_LOOPBACK(&v6);
        std::memcpy(&v4, &v6.s6_addr[12], sizeof(v4));
    }
    return ntohl(v4.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
}

bool are_loopback(const addrinfo* addresses) {
    for (const addrinfo* at = addresses; at; at = at->ai_next)
        if (!is_loopback(at->ai_addr))
            return false;
    return true;
}

bool is_in_brackets(const std::string& host) {
    return host.size() > 2 && host.front() == '[' && host.back() == ']';
}

// Of a URI: IPv4 has four numbers, and IPv6 is in brackets.
bool is_loopback_literal(const std::string& host) {
    in_addr v4{};
    if (!is_in_brackets(host))
        return inet_pton(AF_INET, host.c_str(), &v4) == 1 && host.starts_with("127.");
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST;
    hints.ai_family = AF_INET6;
    const auto addresses = addresses_of(host.substr(1, host.size() - 2), hints);
    return addresses && are_loopback(addresses->get());
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
    const auto colon = std::min(text.rfind(':'), text.size());
    std::string host = text.substr(0, colon);
    const auto port = parse_number("port", text.substr(colon).erase(0, 1), 65535);
    if (!port)
        return invalid(
            "--listen: \"{}\" is not ADDRESS:PORT with a port from 0 to 65535; for example "
            "127.0.0.1:9797",
            printable(text));
    if (host.empty())
        host = has_ipv6() ? "::" : "0.0.0.0";
    if (is_in_brackets(host))
        host = host.substr(1, host.size() - 2);
    return Address{host, static_cast<int>(*port)};
}

Result<bool> is_loopback(const std::string& host) {
    MACSTATS_TRY(const auto addresses, addresses_of(host, to_listen()));
    return are_loopback(addresses.get());
}

Error listen_error(const Address& address, const std::string& text) {
    const std::string context = "cannot listen at " + text;
    const auto addresses =
        addresses_of(address.host, to_listen(), std::to_string(address.port).c_str());
    if (!addresses)
        return in_context(context, addresses.error());
    int errnum = EADDRINUSE; // unless another socket has left the address meanwhile
    for (const addrinfo* at = addresses->get(); at; at = at->ai_next) {
        const int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        const int yes = 1;
        // The other addresses tell more than one that the kernel does not know.
        if (fd < 0 && errno == EAFNOSUPPORT && at != addresses->get())
            continue;
        if (fd >= 0)
            (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
        if (fd < 0 || bind(fd, at->ai_addr, at->ai_addrlen) != 0 || ::listen(fd, 1) != 0)
            errnum = errno;
        if (fd >= 0)
            (void)close(fd);
    }
    const std::string_view advice = errnum == EADDRINUSE ? "; give another port with --listen"
                                    : errnum == EACCES
                                        ? "; ports below 1024 require CAP_NET_BIND_SERVICE"
                                        : "";
    return failure(errnum, "{}: {}{}", context, errno_text(errnum), advice);
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
