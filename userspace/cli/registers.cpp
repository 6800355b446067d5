// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand registers: what `ethtool -d` delivers, in the datasheet's words.
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/names.hpp"
#include "libmacstats/registers.hpp"

namespace macstats::cli {

namespace {

struct RegistersRequest {
    std::string port;
    std::string model;
    std::string file;
    bool descriptions = false;
    bool json = false;
};

using Octets = std::vector<std::byte>;

class EthtoolSocket {
public:
    EthtoolSocket() : fd_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
    EthtoolSocket(const EthtoolSocket&) = delete;
    EthtoolSocket& operator=(const EthtoolSocket&) = delete;
    ~EthtoolSocket() {
        if (fd_ >= 0)
            (void)close(fd_);
    }

    // @command: one of the structs of <linux/ethtool.h>, as octets.
    Result<void> ask(const std::string& ifname, void* command) const {
        ifreq request{};
        ifname.copy(request.ifr_name, IFNAMSIZ - 1);
        request.ifr_data = static_cast<char*>(command);
        if (ioctl(fd_, SIOCETHTOOL, &request) == 0)
            return {};
        const int errnum = errno;
        return Error{
            errnum, fmt::format(
                        "{}: cannot read the registers: {}{}", ifname, errno_text(errnum),
                        errnum == EPERM ? "; it needs CAP_NET_ADMIN" : "")};
    }

private:
    int fd_;
};

Result<Octets> read_registers(const std::string& ifname) {
    const EthtoolSocket ethtool;
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    if (auto answer = ethtool.ask(ifname, &info); !answer)
        return answer.error();

    ethtool_regs header{};
    header.cmd = ETHTOOL_GREGS;
    header.len = info.regdump_len;
    Octets buffer(sizeof(header) + header.len);
    std::memcpy(buffer.data(), &header, sizeof(header));
    if (auto answer = ethtool.ask(ifname, buffer.data()); !answer)
        return answer.error();
    std::memcpy(&header, buffer.data(), sizeof(header));
    if (header.version != dump_version)
        return Error{
            EBADMSG, fmt::format(
                         "{}: the register dump has version {}, only {} is known", ifname,
                         header.version, dump_version)};
    buffer.erase(buffer.begin(), buffer.begin() + sizeof(header));
    buffer.resize(std::min<std::size_t>(buffer.size(), header.len));
    return buffer;
}

Result<Octets> read_file(const std::string& name) {
    std::ifstream file;
    if (name != "-") {
        errno = 0;
        file.open(name, std::ios::binary);
        if (!file)
            return Error{errno ? errno : EIO, fmt::format("{}: {}", name, errno_text(errno))};
    }
    std::istream& stream = name == "-" ? std::cin : file;
    const std::string text{
        std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (stream.bad())
        return Error{EIO, fmt::format("{}: cannot be read", name)};
    const auto octets = std::as_bytes(std::span(text));
    return Octets(octets.begin(), octets.end());
}

Result<void>
print_dump(const std::string& model_name, const Octets& octets, const RegistersRequest& request) {
    const auto model = model_called(model_name);
    if (!model)
        return model.error();
    const auto words = parse_dump(octets);
    if (!words)
        return words.error();
    const auto dump = decode_dump(**model, *words);
    if (!dump)
        return dump.error();
    if (request.json)
        print_json(dump_json(**model, *dump));
    else
        print(dump_text(**model, *dump, request.descriptions));
    return {};
}

Result<void> registers(const RegistersRequest& request) {
    if (request.port.empty() == request.file.empty() ||
        request.file.empty() != request.model.empty())
        return Error{EINVAL, "PORT is needed, or --model and --file (try --help)"};
    if (!request.file.empty()) {
        const auto octets = read_file(request.file);
        if (!octets)
            return octets.error();
        auto printed = print_dump(request.model, *octets, request);
        return printed ? printed : in_context(request.file, printed.error());
    }

    auto client = Client::open();
    if (!client)
        return client.error();
    const auto port = client->port(request.port);
    if (!port)
        return port.error();
    const auto octets = read_registers(port->name);
    if (!octets)
        return octets.error();
    auto printed = print_dump(port->model, *octets, request);
    return printed ? printed : in_context(request.port, printed.error());
}

} // namespace

void add_registers_command(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "registers", "Print the registers of a port, or of a saved dump, with names and fields");
    auto request = std::make_shared<RegistersRequest>();
    command->add_option("PORT", request->port, "Name or index of an interface");
    command->add_option("--model", request->model, "The model that the dump is of");
    command->add_option(
        "--file", request->file, "What `ethtool -d PORT raw on` has written; - reads stdin");
    command->add_flag("--descriptions", request->descriptions, "Say what each register is");
    add_json_flag(*command, request->json);
    command->callback([&action, request] { action = [request] { return registers(*request); }; });
    command->footer(fmt::format(
        "\nExamples:\n"
        "  macstats registers mac0 --descriptions\n"
        "  ethtool -d mac0 raw on | macstats registers --model {} --file -\n\n"
        "Counters that reading would change are not in a dump; it says which. The others\n"
        "are read one word after the other, so that a value of two words may be torn.\n"
        "Addresses are from the port's base. Reading them needs CAP_NET_ADMIN.",
        example().model));
}

} // namespace macstats::cli
