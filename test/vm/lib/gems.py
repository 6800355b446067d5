# SPDX-License-Identifier: GPL-2.0
"""The two GEMs of a Versal board, their driver, and what their counters hold by a capture of their
wire: by the manual (AMD UG1087, module GEM), and by cadence_gem.c of QEMU 7.2, which departs from it:
ERRATA. Names are those of ethtool -S."""

import collections
import contextlib
import dataclasses
import os
import pathlib
import socket
import subprocess

import capture
import nics
from netdev import Links
from tap import Failure, expect_equal, skip_all, wait_for

DRIVER = pathlib.Path('/sys/bus/platform/drivers/macb')
# The guest has no drivers of Ethernet, for which depmod would know these.
NEEDED = 'phylink', 'of_mdio', 'fixed_phy', 'ptp', 'regmap-mmio'
SIZES = ((64, '64'), (127, '65_127'), (255, '128_255'), (511, '256_511'), (1023, '512_1023'),
         (1518, '1024_1518'))
FIRST_OCTET = 0x01


class Gem:
    """A NIC: see nics.Nic."""

    def __init__(self, number, device):
        self.number, self.device = number, device
        self.mac = bytes((0x52, 0x54, 0, 0, 0, number + 1))

    @property
    def name(self):
        return next((self.device / 'net').iterdir()).name

    def index(self):
        return socket.if_nametoindex(self.name)

    def groups(self):
        """The multicast addresses that its filter lets pass, before they become bits of a hash."""
        lines = pathlib.Path('/proc/net/dev_mcast').read_text().splitlines()
        return {bytes.fromhex(line.split()[4]) for line in lines if line.split()[1] == self.name}

    carrier, wait_for_link = nics.Nic.carrier, nics.Nic.wait_for_link


@contextlib.contextmanager
def driver(*parameters, converted=False):
    """A context with both NICs, up."""
    folder = ('KMOD_EXTRA_DIR', 'kmod/macb') if converted else ('DRIVERS_DIR', 'macb_unconverted')
    module = pathlib.Path(os.environ.get(folder[0], '.'), folder[1], 'macb.ko')
    if not module.exists():
        skip_all(f'no {module} was built')
    subprocess.run(['modprobe', '-a', *NEEDED], check=True)
    subprocess.run(['insmod', module, *parameters], check=True)
    try:
        devices = sorted(DRIVER.glob('*.ethernet'))
        expect_equal(len(devices), 2, 'NICs')
        found = [Gem(number, device) for number, device in enumerate(devices)]
        for nic in found:
            expect_equal((nics.NETS / nic.name / 'address').read_text().strip(), nic.mac.hex(':'),
                         nic.name)
        nics.bring_up(*found)
        yield found
    finally:
        subprocess.run(['rmmod', 'macb'], check=True)


def hash_of(address):
    """The bit of the filter: the exclusive or of every sixth bit of the address."""
    rest, found = int.from_bytes(address, 'little'), 0
    while rest:
        found ^= rest & 63
        rest >>= 6
    return found


@dataclasses.dataclass(frozen=True)
class Filter:
    """What a port receives."""
    mac: bytes
    groups: frozenset = frozenset()
    promiscuous: bool = False

    def accepts(self, frame):
        if frame.broadcast or self.promiscuous or frame.destination == self.mac:
            return True
        return frame.multicast and hash_of(frame.destination) in map(hash_of, self.groups)


def size_class(length):
    return next((name for edge, name in SIZES if length <= edge), 'greater_than_1518')


def counted(way, length, broadcast, multicast):
    return collections.Counter({
        f'{way}_frames': 1, f'{way}_octets': length,
        f'{way}_{size_class(length)}_byte_frames': 1,
        **({f'{way}_broadcast_frames': 1} if broadcast else {}),
        **({f'{way}_multicast_frames': 1} if multicast else {})})


def by_manual(way, frame, accepted, fcs):
    """@fcs: octets that are not in the capture."""
    if way == 'rx' and is_pause(frame):
        return collections.Counter(rx_pause_frames=1)
    if not accepted:
        return collections.Counter()
    return counted(way, frame.octets + fcs, frame.broadcast, frame.multicast)


def in_qemu(way, frame, accepted):
    if not accepted:
        return collections.Counter()
    return counted(way, frame.octets, frame.broadcast, frame.destination[0] == FIRST_OCTET)


def is_pause(frame):
    return frame.control and frame.destination == capture.FLOW_CONTROL and \
        frame.opcode == capture.PAUSE_OPCODE


# Departures that depend on frames: what the manual says, what QEMU does, which frames.
ERRATA = {
    'multicast': ('a frame to a group is a multicast frame',
                  'only one whose first octet is 0x01',
                  lambda way, frame, fcs: frame.multicast and frame.destination[0] != FIRST_OCTET),
    'pause': ('received pause frames count as such only', 'they count as other frames do',
              lambda way, frame, fcs: way == 'rx' and is_pause(frame)),
    'lengths': ('octets and lengths have the FCS',
                'they are what the driver hands over: the FCS only where the driver appends it',
                lambda way, frame, fcs: fcs),
}


class Frame(capture.Frame):
    """A frame with the octets that were captured."""

    def __init__(self, head, octets):
        super().__init__(head, octets)
        self.octets = octets


class Wire:
    """What the counters of both ports have to hold, from now on."""

    def __init__(self, found):
        self.capture = capture.Capture(nics.CAPTURE)
        self.capture.read()
        self.filters = {nic.mac: Filter(nic.mac, frozenset(nic.groups())) for nic in found}
        self.counts = {nic.mac: collections.Counter() for nic in found}
        self.met = collections.Counter()    # errata
        self.frames = 0

    def read(self, fcs=0):
        """Counts the frames that are new. @fcs: octets that they lack."""
        for (head, octets), number in self.capture.read().items():
            frame = Frame(head, octets)
            self.frames += number
            for mac, accept in self.filters.items():
                way = 'tx' if mac == frame.source else 'rx'
                self.add(mac, way, frame, number, way == 'tx' or accept.accepts(frame), fcs)

    def add(self, mac, way, frame, number, accepted, fcs):
        expected, found = by_manual(way, frame, accepted, fcs), in_qemu(way, frame, accepted)
        names = [name for name, erratum in ERRATA.items() if erratum[-1](way, frame, fcs)]
        if expected != found:
            if not names:
                raise Failure(f'no erratum explains {found}, by the manual {expected}')
            self.met.update(names)
        for name, value in found.items():
            self.counts[mac][name] += number * value


def settle(read, expected, what):
    """Waits until read() has these counters, and 0 in the others."""
    def differences():
        return {name: (value, expected[name]) for name, value in read().items()
                if value != expected[name]}
    try:
        wait_for(lambda: not differences(), what)
    except Failure as failure:
        raise Failure(f'{failure}: (value, expected): {differences()}') from failure


def restart(*found):
    """ip link set down and up"""
    links = Links()
    for nic in found:
        links.down(nic.index())
    links.close()
    nics.bring_up(*found)
