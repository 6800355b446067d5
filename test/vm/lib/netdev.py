# SPDX-License-Identifier: GPL-2.0
"""Network namespaces without names, and what can be done to a net device, all
in this process: starting programs is slow in an emulated machine."""

import array
import contextlib
import ctypes
import fcntl
import os
import socket
import struct

from genl import (NETLINK_ADD_MEMBERSHIP, NETLINK_ROUTE, NLM_F_CREATE, NLM_F_EXCL, SOL_NETLINK,
                  Socket, attribute, split)
from tap import expect_equal

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
RTM_NEWLINK, RTM_DELLINK, RTM_GETLINK, RTNLGRP_LINK = 16, 17, 18, 1
IFLA_IFNAME, IFLA_MTU, IFLA_LINKINFO, IFLA_STATS64, IFLA_NET_NS_FD, IFLA_INFO_KIND = (
    3, 4, 18, 23, 28, 1)
IFF_UP, IFF_RUNNING, IFF_PROMISC, IFF_LOWER_UP = 1, 0x40, 0x100, 0x10000

SIOCETHTOOL = 0x8946
ETHTOOL_TEST, ETHTOOL_GSTRINGS, ETHTOOL_GSTATS, ETHTOOL_GSSET_INFO = 0x1a, 0x1b, 0x1d, 0x37
ETH_TEST_FL_FAILED = 2
ETHTOOL_GREGS, ETHTOOL_SCOALESCE, ETHTOOL_SPAUSEPARAM = 0x04, 0x0f, 0x13
ETH_SS_TEST, ETH_SS_STATS = 0, 1
SOL_PACKET, PACKET_QDISC_BYPASS, PACKET_IGNORE_OUTGOING = 263, 20, 23
ETH_P_ALL = 3

_libc = ctypes.CDLL(None, use_errno=True)


def syscall(function, *args):
    """Calls a function of the C library. Raises OSError."""
    result = getattr(_libc, function)(*args)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def no_ipv6():
    """In the network namespace of this thread, so that nothing is sent unasked."""
    for scope in ('all', 'default'):
        with contextlib.suppress(FileNotFoundError), \
                open(f'/proc/sys/net/ipv6/conf/{scope}/disable_ipv6', 'w') as file:
            file.write('1')


class Namespace:
    """A network namespace of which only this object knows: it goes when it is
    closed, and with it what is in it. IPv6 is off in it, so that nothing is
    sent unasked. `with namespace:` moves this thread into it."""

    def __init__(self):
        self.before = []
        home = os.open('/proc/thread-self/ns/net', os.O_RDONLY | os.O_CLOEXEC)
        syscall('unshare', CLONE_NEWNET)
        try:
            self.fd = os.open('/proc/thread-self/ns/net', os.O_RDONLY | os.O_CLOEXEC)
            no_ipv6()
        finally:
            syscall('setns', home, CLONE_NEWNET)
            os.close(home)

    def __enter__(self):
        self.before.append(os.open('/proc/thread-self/ns/net', os.O_RDONLY | os.O_CLOEXEC))
        syscall('setns', self.fd, CLONE_NEWNET)
        return self

    def __exit__(self, *_):
        home = self.before.pop()
        syscall('setns', home, CLONE_NEWNET)
        os.close(home)

    def close(self):
        os.close(self.fd)


class Links:
    """Net devices of the network namespace that this thread is in now."""

    def __init__(self):
        self.socket = Socket(NETLINK_ROUTE)
        self.control = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def close(self):
        self.socket.close()
        self.control.close()

    def change(self, ifindex, flags=0, mask=0, attributes=b'', create=0):
        self.socket.request(RTM_NEWLINK, create,
                            struct.pack('=BxHiII', 0, 0, ifindex, flags, mask) + attributes)

    def up(self, ifindex):
        self.change(ifindex, IFF_UP, IFF_UP)

    def down(self, ifindex):
        self.change(ifindex, 0, IFF_UP)

    def mtu(self, ifindex, mtu):
        self.change(ifindex, attributes=attribute(IFLA_MTU, struct.pack('=I', mtu)))

    def move(self, ifindex, namespace):
        self.change(ifindex, attributes=attribute(IFLA_NET_NS_FD, struct.pack('=I', namespace.fd)))

    def rename(self, ifindex, name):
        self.change(ifindex, attributes=attribute(IFLA_IFNAME, name.encode() + b'\0'))

    def add(self, kind):
        self.change(0, attributes=attribute(IFLA_LINKINFO, attribute(
            IFLA_INFO_KIND, kind.encode() + b'\0')), create=NLM_F_CREATE | NLM_F_EXCL)

    def get(self, ifindex):
        """(flags, attributes) of a device. Raises Rejected."""
        reply, = self.socket.request(RTM_GETLINK, 0, struct.pack('=BxHiII', 0, 0, ifindex, 0, 0))
        return struct.unpack_from('=I', reply, 8)[0], dict(split(reply[16:]))

    def running(self, ifindex):
        """Can frames be sent? True a moment after the carrier is on."""
        return bool(self.get(ifindex)[0] & IFF_RUNNING)

    def carrier(self, ifindex):
        return bool(self.get(ifindex)[0] & IFF_LOWER_UP)

    def ethtool(self, name, data):
        """One ioctl; @data is an array that the kernel may change. Raises OSError."""
        request = bytearray(struct.pack('16sP16x', name.encode(), data.buffer_info()[0]))
        expect_equal(fcntl.ioctl(self.control, SIOCETHTOOL, request), 0, 'an ioctl that succeeds')

    def ethtool_test(self, name):
        """(whether the flag reports a failure, the results)"""
        count = len(self.ethtool_strings(name, ETH_SS_TEST))
        data = array.array('Q', struct.pack('=IIII', ETHTOOL_TEST, 0, 0, count) +
                           bytes(8 * count))
        self.ethtool(name, data)
        return bool(data[0] >> 32 & ETH_TEST_FL_FAILED), list(data[2:])

    def ethtool_strings(self, name, string_set=ETH_SS_STATS):
        info = array.array('B', struct.pack('=IIQI', ETHTOOL_GSSET_INFO, 0, 1 << string_set, 0))
        self.ethtool(name, info)
        mask, count = struct.unpack('=8xQI', info)
        if not mask:
            return []
        strings = array.array('B', struct.pack('=III', ETHTOOL_GSTRINGS, string_set, count) +
                              bytes(32 * count))
        self.ethtool(name, strings)
        data = strings.tobytes()
        return [data[at:at + 32].split(b'\0')[0].decode() for at in range(12, len(data), 32)]

    def registers(self, name):
        """The version and the pairs (address, value) of a register dump."""
        size = 1 << 14
        regs = array.array('B', struct.pack('=III', ETHTOOL_GREGS, 0, size) + bytes(size))
        self.ethtool(name, regs)
        _, version, length = struct.unpack_from('=III', regs)
        return version, list(struct.iter_unpack('<II', regs[12:12 + length]))

    def set_poll_interval(self, name, usecs):
        values = [0] * 22
        values[8] = usecs
        self.ethtool(name, array.array('B', struct.pack('=23I', ETHTOOL_SCOALESCE, *values)))

    def set_pause(self, name, rx, tx):
        self.ethtool(name, array.array('I', (ETHTOOL_SPAUSEPARAM, 0, rx, tx)))


class Deletions(Socket):
    """Hears which net devices are deleted in the network namespace that this thread is in now."""

    def __init__(self):
        super().__init__(NETLINK_ROUTE)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, RTNLGRP_LINK)
        self.socket.setblocking(False)

    def heard(self):
        """{ifindex: the received packets that the message reports}"""
        found = {}
        with contextlib.suppress(BlockingIOError):
            while True:
                for kind, _, _, data in self.receive():
                    if kind == RTM_DELLINK:
                        statistics = dict(split(data[16:]))[IFLA_STATS64]
                        found[struct.unpack_from('=i', data, 4)[0]] = \
                            struct.unpack_from('=Q', statistics)[0]
        return found


class EthtoolReader:
    """The values of ethtool -S, again and again, at the cost of one system call."""

    def __init__(self, links, name):
        self.names = links.ethtool_strings(name)
        self.links, self.name = links, name
        # Its first 8 octets are the command and the number of values.
        self.data = array.array('Q', [0] * (len(self.names) + 1))
        self.data[0], = struct.unpack('=Q', struct.pack('=II', ETHTOOL_GSTATS, len(self.names)))
        self.argument = struct.pack('16sP16x', name.encode(), self.data.buffer_info()[0])

    def read(self):
        fcntl.ioctl(self.links.control, SIOCETHTOOL, self.argument)
        return self.data[1:]

    def totals(self):
        return dict(zip(self.names, self.read()))


def packet_socket(ifname, receive=False, queued=False):
    """Sends, or also receives, whole frames without FCS. Unless they are queued,
    a frame that cannot be sent at once is an error: a queue may drop it unheard
    for some moments after the carrier has come. While a net device may vanish, its
    frames must be queued: otherwise the kernel divides by its number of queues, which
    is 0 by then (packet_direct_xmit() of 6.1 and 6.12)."""
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
    if receive:
        packets.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    packets.setsockopt(SOL_PACKET, PACKET_QDISC_BYPASS, int(not queued))
    packets.bind((ifname, ETH_P_ALL if receive else 0))
    return packets


def received(packets):
    """The frames in a packet socket."""
    frames = []
    with contextlib.suppress(BlockingIOError):
        while True:
            frames.append(packets.recv(1 << 17, socket.MSG_DONTWAIT))
    return frames
