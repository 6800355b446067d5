#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""An emulated port gets frames of any length, with any part in the linear area of their
buffer, through tc. It drops and counts those without a whole Ethernet header and those
that are too long for any MAC. An unprivileged user in its own namespaces sends them."""

import fcntl
import itertools
import mmap
import os
import socket
import struct
import subprocess

import cli
from netdev import CLONE_NEWNET, ETH_P_ALL, SOL_PACKET, Links, no_ipv6, syscall
from ports import Place, Port, bring_up, case_in_place
from tap import case, expect_equal, main, wait_for
from users import become_root_of_new_namespaces, in_child

HEADER, FCS, LONGEST = 14, 4, 65535
# Below a header, at it, and around the shortest frame.
SHORT = 0, 1, 2, 13, 14, 15, 42, 60, 61, 100
# tun puts all of a packet that fits in a page into the linear area.
PAGED = 4096, 4097, 5000
LONG = LONGEST - FCS - 1, LONGEST - FCS, LONGEST - FCS + 1, LONGEST
MTU = 65513

TUNSETIFF, IFLA_STATS64 = 0x400454ca, 23
IFF_TUN, IFF_NO_PI, IFF_VNET_HDR = 0x1, 0x1000, 0x4000
PACKET_TX_RING, PACKET_VNET_HDR, PACKET_VERSION, PACKET_LOSS = 13, 15, 10, 14
TPACKET_V2, TP_STATUS_SEND_REQUEST, TP_STATUS_AVAILABLE = 1, 1, 0
TPACKET2_HEADER = 32  # aligned; what is sent follows it
SLOT = 1 << 17


def load_what_the_kernel_would_load_for_tc():
    subprocess.run(['modprobe', '-a', 'tun', 'act_mirred', 'cls_matchall', 'sch_ingress'],
                   check=True)
    os.chmod('/dev/net/tun', 0o666)  # as udev does


class Tunnel:
    """A tun interface, which has no link-layer header. All that it receives, and all
    that it sends, goes out of @port as well."""

    def __init__(self, port):
        self.file = os.open('/dev/net/tun', os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        fcntl.ioctl(self.file, TUNSETIFF, struct.pack(
            '16sH22x', b'tun0', IFF_TUN | IFF_NO_PI | IFF_VNET_HDR))
        links = Links()
        self.ifindex = socket.if_nametoindex('tun0')
        links.mtu(self.ifindex, 65535)
        links.up(self.ifindex)
        cli.output('tc', 'qdisc', 'add', 'dev', 'tun0', 'clsact')
        for direction in ('ingress', 'egress'):
            cli.output('tc', 'filter', 'add', 'dev', 'tun0', direction, 'matchall', 'action',
                       'mirred', 'egress', 'mirror', 'dev', port)
        self.ring = None

    def receive(self, length, linear):
        """The kernel receives a packet from it with so many linear octets."""
        header = struct.pack('=BBHHHH', 0, 0, linear, 0, 0, 0)
        os.write(self.file, header + packet(length))

    def send(self, length, linear):
        """The kernel sends a packet to it, the rest of which is in pages."""
        if self.ring is None:
            self.open_ring()
        header = struct.pack('=BBHHHH', 0, 0, linear, 0, 0, 0)
        data = header + packet(length)
        self.ring[TPACKET2_HEADER:TPACKET2_HEADER + len(data)] = data
        self.ring[0:8] = struct.pack('=II', TP_STATUS_SEND_REQUEST, len(data))
        self.packets.send(b'')
        wait_for(lambda: struct.unpack_from('=I', self.ring)[0] == TP_STATUS_AVAILABLE,
                 f'{length} octets, {linear} of them linear, are sent')

    def open_ring(self):
        self.packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        for option, value in ((PACKET_VERSION, TPACKET_V2), (PACKET_VNET_HDR, 1),
                              (PACKET_LOSS, 1)):
            self.packets.setsockopt(SOL_PACKET, option, value)
        self.packets.setsockopt(SOL_PACKET, PACKET_TX_RING, struct.pack('=IIII', SLOT, 1, SLOT, 1))
        self.packets.bind(('tun0', ETH_P_ALL))
        self.ring = mmap.mmap(self.packets.fileno(), SLOT)


def packet(length):
    """Of IPv4 by its first octet, as tun wants it; as an Ethernet frame it is data."""
    return (b'E' + bytes(11) + b'\x88\xb5').ljust(length, b'\0')[:length]


def dropped_at(port):
    """Frames that the port did not send, by its interface statistics."""
    stats = port.place.links.get(port.ifindex)[1][IFLA_STATS64]
    return struct.unpack_from('=8Q', stats)[7]


def make_devices(pid):
    """Two linked ports in the network namespace of a process, as only root of this one may."""
    syscall('setns', os.open(f'/proc/{pid}/ns/net', os.O_RDONLY | os.O_CLOEXEC), CLONE_NEWNET)
    here = Place()
    here.add(quiet=False).link(here.add(quiet=False))


def unprivileged(function):
    """A case that a user without privileges runs in a network namespace of its own."""
    def run():
        load_what_the_kernel_would_load_for_tc()
        ours, theirs = socket.socketpair()

        def inside():
            become_root_of_new_namespaces()
            ours.send(str(os.getpid()).encode())
            ours.recv(1)
            function()
        maker = os.fork()
        if not maker:
            make_devices(int(theirs.recv(16)))
            theirs.send(b'!')
            os._exit(0)  # pylint: disable=protected-access
        in_child(inside)
        os.waitpid(maker, 0)
    run.__name__ = function.__name__
    return run


def two_ends():
    """The linked ports without other traffic, and a tunnel to the first of them."""
    no_ipv6()
    here = Place()
    first, second = (Port(here, port['ifindex'], None) for port in here.ports())
    for port in (first, second):
        port.set_mtu(MTU)
    bring_up(first, second)
    return first, second, Tunnel(first.name)


def check(hand_over, combinations):
    first, second, tunnel = two_ends()
    sent = dropped = 0
    for length, linear in combinations:
        hand_over(tunnel, length, linear)
        if HEADER <= length <= LONGEST - FCS:
            sent += 1
        else:
            dropped += 1
        what = f'after {length} octets, {linear} of them linear'
        wait_for(lambda: first.totals()['tx_st'] + dropped_at(first) >= sent + dropped,
                 f'the end {what}')
        expect_equal((first.totals()['tx_st'], second.totals()['rx_st'], dropped_at(first)),
                     (sent, sent, dropped), f'sent, received and dropped {what}')


@case
@unprivileged
def received_packets_with_short_linear_parts_are_handled():
    lengths = [length for length in SHORT if length] + list(PAGED) + list(LONG)
    check(Tunnel.receive, [(length, linear) for length, linear
                           in itertools.product(lengths, SHORT) if 0 < linear <= length])


@case
@unprivileged
def sent_packets_with_short_linear_parts_are_handled():
    lengths = [length for length in SHORT if length] + list(PAGED)
    check(Tunnel.send, [(length, linear) for length, linear
                        in itertools.product(lengths, SHORT) if linear <= length])


@case_in_place
def the_padding_of_a_short_frame_is_zeros(here):
    """The tag's type is all of its payload: the length field behind the tag is padding. 0 is no
    wrong length, so that a frame of 64 octets has 64 - 18 - 4 octets of payload."""
    first, second = here.pair()
    first.send(bytes(12) + b'\x81\x00', 3)
    expect_equal((first.totals()['tx_octets_ok'], second.totals()['rx_octets_ok']), (126, 126),
                 'octets of payload')


main()
