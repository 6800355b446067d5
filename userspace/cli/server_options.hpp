// SPDX-License-Identifier: GPL-2.0 OR MIT
// The options of the HTTP server, and the clients that it answers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "libmacstats/core/result.hpp"

namespace macstats::cli {

/// As typed.
struct ServerOptions {
    std::string listen = "127.0.0.1:9797";
    std::vector<std::string> hosts;
};

/// Add all of them, and return them.
std::vector<CLI::Option*> add_server_options(CLI::App& command, ServerOptions& options);

/// Rejects a host that no Host header can match: one with a port, or without a name.
Result<void> check_allowed_hosts(const std::vector<std::string>& hosts);

struct Address {
    std::string host;
    int port = 0;
};

/// "127.0.0.1:9797", "[::1]:9797", ":9797" (all addresses) or "9797" (loopback).
Result<Address> parse_address(const std::string& text);

/// Why the system does not let a server listen at @address, which was typed as @text.
Error listen_error(const Address& address, const std::string& text);

/// Whether only this machine reaches a server that listens at @host: a name or an address, all of
/// whose addresses are loopback. An Error for one that has none.
Result<bool> is_loopback(const std::string& host);

/// Whether a server on loopback answers a request with this Host header: one of localhost, a
/// loopback address, the host that it listens at, or one of @others. A page of another site can
/// have its own name resolve to 127.0.0.1 (DNS rebinding), and would read the answers. The port has
/// no part in that, and a tunnel changes it.
bool is_own_host(
    std::string_view header, const std::string& listened, const std::vector<std::string>& others);

} // namespace macstats::cli
