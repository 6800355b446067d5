// SPDX-License-Identifier: GPL-2.0 OR MIT
// Real ports: AF_PACKET sockets, offloads, and the statistics that the kernel reports.
#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/socket.h>

#include "core/error.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/scenario/wire.hpp"
#include "netlink/file_descriptor.hpp"
#include "netlink/kernel_view.hpp"
#include "netlink/link.hpp"
#include "netlink/offloads.hpp"
#include "scenario/host_port.hpp"

namespace macstats {

namespace {

// Frames that one look at the capture takes at most.
constexpr unsigned int most_captured = 4096;

Error system_error(std::string_view what) {
    const int errnum = errno;
    return {errnum, fmt::format("{}: {}", what, errno_text(errnum))};
}

// Sends at an interface and captures everything there. The kernel ends the promiscuous mode
// with the socket, however the process ends.
class PacketSocket {
public:
    static Result<PacketSocket> open(IfIndex ifindex) {
        FileDescriptor fd(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (fd.get() < 0 && errno == EPERM)
            return Error{EPERM, "a packet socket requires CAP_NET_RAW; run it as root"};
        if (fd.get() < 0)
            return system_error("cannot open a packet socket");
        // Room for a window of the longest frames; the system may limit it.
        const int room = 8 << 20;
        if (setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) < 0)
            (void)setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
        packet_mreq promiscuous{};
        promiscuous.mr_ifindex = static_cast<int>(ifindex.value());
        promiscuous.mr_type = PACKET_MR_PROMISC;
        if (setsockopt(
                fd.get(), SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous, sizeof(promiscuous)) < 0)
            return system_error("cannot make the interface promiscuous");
        sockaddr_ll address{};
        address.sll_family = AF_PACKET;
        address.sll_protocol = htons(ETH_P_ALL);
        address.sll_ifindex = static_cast<int>(ifindex.value());
        if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) < 0)
            return system_error("cannot bind a packet socket");
        return PacketSocket(std::move(fd));
    }

    [[nodiscard]] Result<void> send(std::span<const std::byte> octets) const {
        if (::send(fd_.get(), octets.data(), octets.size(), 0) >= 0)
            return {};
        if (errno == EAGAIN || errno == ENOBUFS || errno == EINTR)
            return Error{EAGAIN, "the queue is full"};
        return system_error("cannot send a frame");
    }

    // The kernel does not show a socket the frames that it sent itself.
    [[nodiscard]] Result<Captured> captured(const EthernetAddress& peer) const {
        Captured captured;
        for (unsigned int i = 0; i < most_captured; i++) {
            std::array<std::byte, 64> head{};
            sockaddr_ll from{};
            socklen_t from_size = sizeof(from);
            const ssize_t size = recvfrom(
                fd_.get(), head.data(), head.size(), MSG_TRUNC, reinterpret_cast<sockaddr*>(&from),
                &from_size);
            if (size < 0 && errno == EAGAIN)
                return captured;
            if (size < 0 && errno == EINTR)
                continue;
            if (size < 0)
                return system_error("cannot capture frames");
            const auto octets =
                std::span(head).first(std::min(static_cast<std::size_t>(size), head.size()));
            if (from.sll_pkttype != PACKET_OUTGOING && is_wire_frame(octets, peer)) {
                captured.arrived[static_cast<std::size_t>(size)]++;
                continue;
            }
            if (!captured.foreign++)
                captured.first_foreign = describe_frame(octets);
        }
        return captured;
    }

private:
    explicit PacketSocket(FileDescriptor fd) : fd_(std::move(fd)) {}

    FileDescriptor fd_;
};

class RealPort final : public WirePort {
public:
    RealPort(
        WireEnd end, LinkInfo link, PacketSocket packets, OffloadsOff offloads, KernelView view,
        std::optional<Client> client)
        : end_(std::move(end)),
          link_(std::move(link)),
          packets_(std::move(packets)),
          offloads_(std::move(offloads)),
          view_(std::move(view)),
          client_(std::move(client)) {}

    [[nodiscard]] const WireEnd& end() const override { return end_; }
    Result<void> send(std::span<const std::byte> octets) override { return packets_.send(octets); }
    Result<Captured> captured(const EthernetAddress& peer) override {
        return packets_.captured(peer);
    }

    Result<Observation> observe() override {
        if (client_)
            return observe_served_port(*client_, &view_, link_.ifindex, Freshness::read_hardware);
        (void)read_strings(link_.ifindex);
        Observation seen;
        MACSTATS_TRY(seen.standard, view_.standard(link_.ifindex));
        return seen;
    }

private:
    WireEnd end_;
    LinkInfo link_;
    PacketSocket packets_;
    OffloadsOff offloads_;
    KernelView view_;
    std::optional<Client> client_; // of ports that macstats serves
};

// The client of a port that macstats serves, and its model.
struct Served {
    std::optional<Client> client{};
    const macstats_model* model = nullptr;
    std::string why_no_model{};
};

// A model that is unknown, or another one than this library's, only skips its scenarios.
Result<Served> served_by_macstats(IfIndex ifindex, const std::string& interface) {
    auto client = Client::open();
    if (!client && client.error().errnum == Error::not_loaded)
        return Served{};
    if (!client)
        return client.error();
    const auto port = client->port(ifindex);
    if (!port && port.error().errnum == ENODEV)
        return Served{};
    if (!port)
        return port.error();
    const macstats_model* model = find_model(port->model);
    if (!model)
        return Served{
            .why_no_model = fmt::format(
                "macstats serves {} as {}, a model that this macstats does not have", interface,
                port->model)};
    if (const auto same = check_kernel_model(*client, port->model_id, *model); !same) {
        if (same.error().errnum != EBADMSG)
            return same.error();
        return Served{.why_no_model = fmt::format("{}: {}", interface, same.error().message)};
    }
    return Served{.client = std::move(*client), .model = model};
}

Result<std::unique_ptr<RealPort>> open_port(
    const WireMapping& mapping, const LinkInfo& link, PacketSocket packets,
    const macstats_model* model, WireClock& clock) {
    auto offloads = OffloadsOff::of(link.ifindex);
    if (!offloads && offloads.error().errnum == EPERM)
        return Error{EPERM, "switching offloads off requires CAP_NET_ADMIN; run it as root"};
    if (!offloads)
        return in_context("cannot switch offloads off", offloads.error());
    // A driver may have reset its hardware to switch offloads: the carrier comes back.
    MACSTATS_CHECK(wait_for_carrier(link.ifindex, clock));
    MACSTATS_TRY(auto served, served_by_macstats(link.ifindex, mapping.interface));
    const bool is_unknown = !served.why_no_model.empty();
    MACSTATS_TRY(auto view, KernelView::open());
    WireEnd end{
        .name = mapping.name,
        .interface = mapping.interface,
        .model = served.client || is_unknown ? served.model : model,
        .why_no_model = std::move(served.why_no_model),
        .served = served.client || is_unknown,
        .kind = link.kind,
        .mtu = link.mtu,
        .address = link.address,
    };
    return std::make_unique<RealPort>(
        std::move(end), link, std::move(packets), std::move(*offloads), std::move(view),
        std::move(served.client));
}

std::string model_text(const WireEnd& end) {
    return end.model ? end.model->name : "unknown";
}

// --model contradicts what macstats reports of both ports.
Result<void>
check_model(const std::array<std::unique_ptr<RealPort>, 2>& ports, const macstats_model* model) {
    const bool fits = std::any_of(ports.begin(), ports.end(), [model](const auto& port) {
        return !model || port->end().model == model;
    });
    if (fits)
        return {};
    return invalid(
        "--model {0}: neither port is a {0}: {1} is {2}, and {3} is {4}", model->name,
        ports[0]->end().interface, model_text(ports[0]->end()), ports[1]->end().interface,
        model_text(ports[1]->end()));
}

} // namespace

Result<std::unique_ptr<Backend>> open_wire(const WireRequest& request) {
    auto clock = steady_clock(request.interrupted);
    const auto& mappings = request.ports;

    std::vector<LinkInfo> links;
    for (const WireMapping& mapping : mappings) {
        MACSTATS_TRY(auto link, in_context(mapping.interface, usable_link(mapping.interface)));
        links.push_back(std::move(link));
    }
    if (mappings[0].name == mappings[1].name || links[0].ifindex == links[1].ifindex)
        return invalid(
            "{}={} and {}={}: the two ports need different names and interfaces", mappings[0].name,
            mappings[0].interface, mappings[1].name, mappings[1].interface);

    std::vector<PacketSocket> sockets;
    for (const std::size_t i : {0U, 1U}) {
        MACSTATS_TRY(
            auto packets, in_context(mappings[i].interface, PacketSocket::open(links[i].ifindex)));
        sockets.push_back(std::move(packets));
    }
    std::array<std::unique_ptr<RealPort>, 2> ports;
    for (const std::size_t i : {0U, 1U}) {
        MACSTATS_TRY(
            ports[i],
            in_context(
                mappings[i].interface,
                open_port(mappings[i], links[i], std::move(sockets[i]), request.model, *clock)));
    }
    MACSTATS_CHECK(check_model(ports, request.model));
    return wire_backend({std::move(ports[0]), std::move(ports[1])}, std::move(clock));
}

} // namespace macstats
