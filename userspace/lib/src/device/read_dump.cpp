// SPDX-License-Identifier: GPL-2.0 OR MIT
// Reads register dumps from the kernel, as `ethtool -d` does.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/device/registers.hpp"
#include "netlink/file_descriptor.hpp"

namespace macstats {

namespace {

class EthtoolSocket {
public:
    // @command: one of the structs of <linux/ethtool.h>, as octets.
    Result<void> ask(const std::string& ifname, void* command) const {
        const int errnum = fd_.get() < 0 ? not_opened_ : ioctl_errno(ifname, command);
        if (errnum == 0)
            return {};
        return failure(
            errnum, "{}: cannot read the registers: {}{}", shown(ifname), errno_text(errnum),
            errnum == EPERM ? "; this requires CAP_NET_ADMIN" : "");
    }

private:
    // The ioctl would find another interface by a part of a name.
    [[nodiscard]] int ioctl_errno(const std::string& ifname, void* command) const {
        ifreq request{};
        if (ifname.size() >= IFNAMSIZ ||
            ifname.find_first_of(std::string_view(":\0", 2)) != ifname.npos)
            return ENODEV;
        ifname.copy(request.ifr_name, IFNAMSIZ - 1);
        request.ifr_data = static_cast<char*>(command);
        return ioctl(fd_.get(), SIOCETHTOOL, &request) == 0 ? 0 : errno;
    }

    FileDescriptor fd_{socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    int not_opened_ = errno;
};

} // namespace

Result<std::vector<std::byte>> read_dump(const std::string& ifname) {
    const EthtoolSocket ethtool;
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    MACSTATS_CHECK(ethtool.ask(ifname, &info));

    ethtool_regs header{};
    header.cmd = ETHTOOL_GREGS;
    header.len = info.regdump_len;
    std::vector<std::byte> buffer(sizeof(header) + header.len);
    std::memcpy(buffer.data(), &header, sizeof(header));
    MACSTATS_CHECK(ethtool.ask(ifname, buffer.data()));
    std::memcpy(&header, buffer.data(), sizeof(header));
    if (header.version != dump_version)
        return failure(
            EBADMSG, "{}: the register dump has version {}; this library supports version {}",
            ifname, header.version, dump_version);
    buffer.erase(buffer.begin(), buffer.begin() + sizeof(header));
    buffer.resize(std::min<std::size_t>(buffer.size(), header.len));
    return buffer;
}

} // namespace macstats
