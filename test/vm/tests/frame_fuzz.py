#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Random frames in every layout of memory: both ends of a cable count them as an independent
reading of their octets does, and the receiving host gets the same octets.

MACSTATS_FRAMES sets the number of frames, MACSTATS_SEED repeats a run."""

import collections
import mmap
import random
import socket
import struct

import cli
import effort
from mac import BROADCAST, CONTROL, PAUSE_OPCODE, PFC_OPCODE, VLAN, Mac
from mac import sent_by_software
from netdev import ETH_P_ALL, SOL_PACKET
from ports import case_in_place, place
from tap import expect, expect_equal, main, wait_for

FRAMES = effort.count('MACSTATS_FRAMES', 2_000, 14_000, 1_000_000, checked=100_000)
SEED = effort.seed()
# Frames of the last 382 octets are overlong: the receiver drops them.
MTU, LONGEST, HEADER = 9582, 9218, 14
PAGE = mmap.PAGESIZE
BATCH = 16
TAG_ID = 5

PACKET_VERSION, PACKET_TX_RING, PACKET_VNET_HDR, PACKET_AUXDATA = 10, 13, 15, 8
TPACKET_V2, RING_OFFSET = 1, 32     # the data follows its header of 32 octets
SEND_REQUEST, AVAILABLE = 1, 0
VLAN_VALID, VLAN_TPID_VALID = 0x10, 0x40
AUXDATA = struct.Struct('=IIIHHHH')     # status, length, captured, mac, net, tag, type of tag

ADDRESSES = (bytes.fromhex('020000000002'), bytes.fromhex('01005e010203'), BROADCAST,
             bytes.fromhex('0180c2000001'))
SERVICE_VLAN = b'\x88\xa8'
EXPERIMENTAL = b'\x88\xb5'
TYPES = EXPERIMENTAL, b'\x08\x00', b'\x86\xdd', SERVICE_VLAN, CONTROL, VLAN
SMALLEST_TYPE = 0x600
OPCODES = PAUSE_OPCODE, PFC_OPCODE, b'\x00\x00', b'\x12\x34'
# Without FCS: the edges of the size classes, and of pages.
EDGES = (HEADER, 18, 22, 60, 124, 252, 508, 1020, 1514, PAGE, 2 * PAGE, LONGEST - 4, MTU + HEADER)


def random_frame(choice, most):
    """Octets without FCS, which begin like those of a frame of any kind. Some have a length
    field, which may be wrong by a little or by much."""
    length = choice.choice(EDGES) + choice.randint(-4, 4) if choice.random() < 0.6 \
        else choice.randint(HEADER, most)
    length = min(max(length, HEADER), most)
    frame = choice.choice(ADDRESSES) + b'\x02' + choice.randbytes(5)
    for _ in range(choice.choice((0, 0, 0, 1, 2, 3))):
        frame += VLAN + choice.randbytes(2)
    kind = choice.choice(TYPES) if choice.random() < 0.9 \
        else choice.randrange(SMALLEST_TYPE, 1 << 16).to_bytes(2, 'big')
    frame += kind
    if kind == CONTROL:
        frame += choice.choice(OPCODES)
    elif kind == VLAN:
        frame += choice.randbytes(2) + EXPERIMENTAL
    elif choice.random() < 0.2:
        right = max(length - len(frame), 0)
        field = choice.choice((right, right, right + 1, max(right - 1, 0), choice.randrange(0x600)))
        frame = frame[:-2] + min(field, 0xffff).to_bytes(2, 'big')
    frame += choice.randbytes(max(length - len(frame), 0))
    return frame[:length]


class Plain:
    """All octets are in the linear part, or beyond a page where the kernel likes."""

    def __init__(self, name):
        self.packets = self.open(name)

    def open(self, name):
        packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        packets.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        packets.bind((name, 0))
        return packets

    def send(self, frames, _choice):
        for frame in frames:
            self.packets.send(frame)


class Header(Plain):
    """The linear part has a random length; the rest of a frame beyond a page is in pages."""

    def open(self, name):
        packets = super().open(name)
        packets.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        return packets

    def send(self, frames, choice):
        for frame in frames:
            linear = choice.randint(HEADER, min(len(frame), 200))
            self.packets.send(struct.pack('=BBHHHH', 0, 0, linear, 0, 0, 0) + frame)


class Ring(Plain):
    """Only the Ethernet header is in the linear part; the rest is in the pages of the ring."""

    SLOT = 4 * PAGE

    def open(self, name):
        packets = super().open(name)
        packets.setsockopt(SOL_PACKET, PACKET_VERSION, TPACKET_V2)
        packets.setsockopt(SOL_PACKET, PACKET_TX_RING,
                           struct.pack('=IIII', self.SLOT, BATCH, self.SLOT, BATCH))
        self.ring = mmap.mmap(packets.fileno(), self.SLOT * BATCH)
        self.next = 0
        return packets

    def send(self, frames, _choice):
        for frame in frames:
            at = self.next * self.SLOT
            self.ring[at + RING_OFFSET:at + RING_OFFSET + len(frame)] = frame
            struct.pack_into('=III', self.ring, at, SEND_REQUEST, len(frame), len(frame))
            self.next = (self.next + 1) % BATCH
        self.packets.send(b'')
        wait_for(lambda: all(struct.unpack_from('=I', self.ring, slot * self.SLOT)[0] == AVAILABLE
                             for slot in range(BATCH)), 'the ring is sent')


class Receiver:
    def __init__(self, port):
        with port.place.inside():
            self.packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            self.packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
            self.packets.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
            self.packets.bind((port.name, ETH_P_ALL))

    def receive(self):
        """A frame as it was on the wire, without FCS: the kernel takes one tag off."""
        frame, control, _, _ = self.packets.recvmsg(1 << 16, 256, socket.MSG_DONTWAIT)
        (_, _, data), = control
        status, _, _, _, _, tag, kind = AUXDATA.unpack(data[:AUXDATA.size])
        if status & VLAN_VALID:
            kind = kind if status & VLAN_TPID_VALID else 0x8100
            frame = frame[:12] + struct.pack('>HH', kind, tag) + frame[12:]
        return frame

    def received(self, number):
        frames = []

        def all_are_here():
            try:
                while len(frames) < number:
                    frames.append(self.receive())
            except BlockingIOError:
                return False
            return True

        wait_for(all_are_here, f'{number} frames')
        return frames


def for_host(frame):
    """A MAC consumes flow control frames and drops overlong ones. The kernel drops frames that
    end within their first tag."""
    flow_control = frame[12:14] == CONTROL and frame[14:16] in (PAUSE_OPCODE, PFC_OPCODE)
    cut_off = frame[12:14] in (VLAN, SERVICE_VLAN) and len(frame) < HEADER + 6
    return not flow_control and not cut_off and len(frame) + 4 <= LONGEST


def expect_same(got, sent):
    """Frames shorter than Ethernet's minimum may have padding."""
    def stripped(frames):
        return collections.Counter(frame.ljust(60, b'\0') for frame in frames)

    missing, more = stripped(sent) - stripped(got), stripped(got) - stripped(sent)
    expect(not missing and not more,
           f'missing: {[frame.hex()[:80] for frame in missing][:3]}, '
           f'not sent: {[frame.hex()[:80] for frame in more][:3]}')


@case_in_place
def both_ends_count_the_octets_of_each_frame_in_each_layout(here):
    print(f'# seed {SEED}, {FRAMES} frames', flush=True)
    choice, there = random.Random(SEED), place()
    left, right = here.pair()
    right = right.move(there)
    for port in left, right:
        port.set_mtu(MTU)
        port.set_longest(LONGEST)
        port.up()
    wait_for(left.running, 'the sender')
    left_mac, right_mac = Mac(maximum=LONGEST), Mac(maximum=LONGEST)
    receiver = Receiver(right)
    cli.output('modprobe', '8021q')
    with here.inside():
        tagged = f'{left.name}.{TAG_ID}'
        cli.output('ip', 'link', 'add', 'link', left.name, 'name', tagged, 'type', 'vlan',
                   'id', TAG_ID)
        cli.output('ip', 'link', 'set', tagged, 'up')
        senders = [(layout(name), name == tagged)
                   for layout in (Plain, Header, Ring) for name in (left.name, tagged)]
    used = collections.Counter()
    for _ in range(0, FRAMES, BATCH):
        sender, adds_tag = choice.choice(senders)
        most = MTU + HEADER - (4 if adds_tag else 0)
        frames = [random_frame(choice, most) for _ in range(BATCH)]
        sender.send(frames, choice)
        used[type(sender).__name__, adds_tag] += len(frames)
        if adds_tag:
            tag = VLAN + TAG_ID.to_bytes(2, 'big')
            frames = [frame[:12] + tag + frame[12:] for frame in frames]
        for frame in frames:
            wire = sent_by_software(frame)
            left_mac.transmit(wire)
            right_mac.receive(wire)
        wanted = [frame for frame in frames if for_host(frame)]
        expect_same(receiver.received(len(wanted)), wanted)
    print(f'# {dict(used)}')
    expect_equal(len(used), len(senders), 'layouts')
    expect_equal(left.totals(), left_mac.totals(), 'the sender')
    expect_equal(right.totals(), right_mac.totals(), 'the receiver')


main()
