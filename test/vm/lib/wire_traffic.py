# SPDX-License-Identifier: GPL-2.0
"""Traffic of all classes between the two NICs of a guest with hardware, whose counters have the
values that follow from the capture of their wire."""

import contextlib
import errno
import itertools
import socket
import struct
import subprocess
import time

import capture
import nics
from deadline import HANG_SECONDS, SLOW
from netdev import SOL_PACKET, Links, packet_socket
from tap import Failure, expect, wait_for

# An Intel controller has 255 buffers, and a long frame needs three. QEMU keeps frames for a receiver
# without a buffer, and for one whose filter has changed less than a second ago. But then it
# delivers all of them at once, and those without a buffer are missed.
LONG_BURST = 30
JOINED, OTHER_GROUP = bytes.fromhex('01005e010203'), bytes.fromhex('01005e7f0001')
STRANGER = bytes.fromhex('525400999999')
DATA, LAST = b'\x88\xb5', b'\x88\xb6'
VLAN = 5
TAGGED, OTHER_TAGGED = (b'\x81\x00' + vlan.to_bytes(2, 'big') + DATA for vlan in (VLAN, VLAN + 1))
CONTROL = [b'\x88\x08' + bytes.fromhex(opcode_and_time) for opcode_and_time in (
    '0001ffff', '00010000', '0101ffff', '00ff0000')]
# Octets without FCS: the first is padded, then both edges of each size class.
LENGTHS = (30, 60, 61, 123, 124, 251, 252, 507, 508, 1019, 1020, 1514)
TAGGED_LENGTHS = (64, 1518)
LONG_LENGTHS = (1515, 2000, 4000, 9014)
# With FCS: 1522 is legal, QEMU takes 1523 and 1526 for legal, the others are oversize.
NEAR_MAXIMUM = (1518, 1519, 1522, 1523, 9014)
PACKET_ADD_MEMBERSHIP, PACKET_MR_MULTICAST, PACKET_MR_PROMISC, PACKET_MR_ALLMULTI = 1, 0, 1, 2
MTU, LONG_MTU = 1500, 9000


class Ports:
    """Both NICs, the wire between them, and the readers of their counters. @make_readers(links,
    name) makes those of a port."""

    def __init__(self, found, make_readers, controller=capture.E1000):
        self.nics, self.links, self.controller = found, Links(), controller
        nics.bring_up(*found)
        self.wire = capture.Wire(nics.CAPTURE, *(nic.mac for nic in found), controller=controller)
        for nic in found:   # unless ethtool -K changes it
            self.wire.set(nic.mac, removes_tags=True)
        self.sockets = {nic.mac: packet_socket(nic.name) for nic in found}
        self.arrivals = {nic.mac: arrivals(nic) for nic in found}
        self.in_flight = 0
        self.readers = [(nic.mac, reader) for nic in found
                        for reader in make_readers(self.links, nic.name)]

    def close(self):
        for each in (*self.sockets.values(), *self.arrivals.values(), self.links):
            each.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @contextlib.contextmanager
    def membership(self, kind, group=bytes(6), **settings):
        """Both NICs also receive the frames of this group, or those of all."""
        before = {mac: {name: getattr(self.wire.settings[mac], name) for name in settings}
                  for mac in self.sockets}
        with contextlib.ExitStack() as stack:
            for nic in self.nics:
                member = stack.enter_context(socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
                member.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, struct.pack(
                    'iHH8s', nic.index(), kind, len(group), group))
                self.wire.set(nic.mac, **settings)
            self.drain()
            yield
            self.settle()
        for mac, values in before.items():
            self.wire.set(mac, **values)
        self.drain()

    def group(self):
        """Both NICs also receive the frames to JOINED."""
        name = self.controller.groups
        before = getattr(self.wire.settings[self.nics[0].mac], name)
        return self.membership(PACKET_MR_MULTICAST, JOINED, **{name: before | {JOINED}})

    def set_vlans(self, nic, *vlans):
        if self.controller.filters_vlans:
            self.wire.set(nic.mac, vlans=frozenset(vlans))

    def set_mtu(self, nic, mtu):
        """The link goes down and up. The driver drops what its controller has counted meanwhile."""
        self.settle()
        self.links.mtu(nic.index(), mtu)
        nics.bring_up(*self.nics)
        self.wire.set(nic.mac, long_packets=mtu > MTU)
        self.drain()

    def send(self, source, octets, times=1):
        """Sends a frame so many times, in bursts that the receiver has buffers for."""
        burst = LONG_BURST if len(octets) > LENGTHS[-1] else self.controller.burst
        while times:
            now = min(times, burst - self.in_flight)
            if now <= 0:
                self.drain()
                continue
            self.send_at_once(source, octets, now)
            self.in_flight += now
            times -= now

    def send_at_once(self, source, octets, times):
        """Without a free descriptor it tries again."""
        send = self.sockets[source.mac].send
        for _ in itertools.repeat(None, times):
            while True:
                try:
                    send(octets)
                    break
                except OSError as error:
                    if error.errno != errno.ENOBUFS:
                        raise
                    time.sleep(0.001)

    def drain(self):
        """Returns when all frames have reached their receivers: they arrive in their order, and
        each filter accepts the last one."""
        for source, receiver in self.directions():
            self.send_at_once(source, frame(receiver.mac, source, LAST, LENGTHS[1]), 1)
        for nic in self.nics:
            try:
                self.arrivals[nic.mac].recv(1)
            except TimeoutError as error:
                lines = self.differences()
                raise Failure('\n'.join([f'{nic.name} receives nothing', *lines])) from error
        self.in_flight = 0

    def directions(self):
        """(source, receiver) both ways"""
        first, second = self.nics
        return (first, second), (second, first)

    def differences(self):
        """Lines that show the counters whose values do not follow from the capture."""
        self.wire.read()
        return [line for mac, reader in self.readers
                for line in reader.differences(self.wire.counts[mac])]

    def settle(self):
        """Returns when all frames have reached their receivers, and all counters their values."""
        self.drain()
        try:
            wait_for(lambda: not self.differences(), 'the counters follow from the capture')
        except Failure as failure:
            if lines := self.differences():
                raise Failure('\n'.join([str(failure), *lines])) from failure


def arrivals(nic):
    """A socket with the last frame of each burst that the NIC has received."""
    found = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    found.bind((nic.name, int.from_bytes(LAST, 'big')))
    found.settimeout(HANG_SECONDS * SLOW)
    return found


def frame(destination, source, kind, octets):
    return (destination + source.mac + kind).ljust(octets, b'\0')


def destinations(receiver):
    return receiver.mac, STRANGER, capture.BROADCAST, JOINED, OTHER_GROUP


def send_classes(ports, lengths, times, kinds=(DATA,)):
    """Sends each class so many times, in both directions."""
    for source, receiver in ports.directions():
        for destination, kind, octets in itertools.product(destinations(receiver), kinds, lengths):
            ports.send(source, frame(destination, source, kind, octets), times)
        ports.settle()


def send_control(ports, times):
    for source, receiver in ports.directions():
        for destination, kind in itertools.product((capture.FLOW_CONTROL, receiver.mac), CONTROL):
            ports.send(source, frame(destination, source, kind, 60), times)
    ports.settle()


def send_near_maximum(ports, source, receiver, times):
    for destination, octets in itertools.product(destinations(receiver), NEAR_MAXIMUM):
        ports.send(source, frame(destination, source, DATA, octets), times)
    ports.settle()


def send_long(ports, times):
    """First one port has a longer maximum than the other, then both, then the other."""
    first, second = ports.nics
    for long, usual, other in ((first, second, second), (second, first, None)):
        if other:
            ports.set_mtu(long, LONG_MTU)
        send_near_maximum(ports, long, usual, times)
        with ports.membership(PACKET_MR_PROMISC, promiscuous=True):
            send_near_maximum(ports, long, usual, times)
        if other:
            ports.set_mtu(other, LONG_MTU)
            send_classes(ports, LONG_LENGTHS, times)
            ports.set_mtu(long, MTU)
    ports.set_mtu(second, MTU)


def send_by_vlan(ports, times):
    """The kernel hands over the tags of a VLAN device, and the controllers filter VLANs. A tag of
    the VLAN 0 always passes."""
    subprocess.run(['modprobe', '8021q'], check=True)
    names = [f'{nic.name}.{VLAN}' for nic in ports.nics]
    for nic, name in zip(ports.nics, names):
        subprocess.run(['ip', 'link', 'add', 'link', nic.name, 'name', name, 'up',
                        'type', 'vlan', 'id', str(VLAN)], check=True)
        ports.set_vlans(nic, 0, VLAN)
    ports.drain()
    for source, receiver in ports.directions():
        for kind in TAGGED, OTHER_TAGGED:
            ports.send(source, frame(receiver.mac, source, kind, 200), times)
    ports.settle()
    for nic in ports.nics:
        ports.wire.set(nic.mac, inserts_tags=True)
    for (source, receiver), name in zip(ports.directions(), names):
        with packet_socket(name) as packets:
            for octets in (60, 500, 1514):
                for _ in range(times):
                    packets.send(frame(receiver.mac, source, DATA, octets))
        ports.settle()
    for nic, name in zip(ports.nics, names):
        ports.wire.set(nic.mac, inserts_tags=False)
        subprocess.run(['ip', 'link', 'delete', name], check=True)
        ports.set_vlans(nic, 0)
    # Otherwise each port that comes up later would filter VLANs.
    subprocess.run(['modprobe', '-r', '8021q'], check=True)


def send_each_class_once(ports, source, receiver):
    for destination, octets in itertools.product(destinations(receiver), LENGTHS):
        ports.send(source, frame(destination, source, DATA, octets))
    for destination, kind in itertools.product((capture.FLOW_CONTROL, receiver.mac), CONTROL):
        ports.send(source, frame(destination, source, kind, 60))
    ports.send(source, frame(receiver.mac, source, TAGGED, LENGTHS[-1]))
    send_near_maximum(ports, source, receiver, 1)


def send_everything(ports, frames):
    times = max(2, frames // (2 * len(destinations(ports.nics[0])) * 3 * len(LENGTHS)))
    few = max(2, times // 20)
    with ports.group():
        send_classes(ports, LENGTHS, times)
        send_classes(ports, TAGGED_LENGTHS, times, (TAGGED,))
        send_control(ports, few)
        send_long(ports, few)
        with ports.membership(PACKET_MR_ALLMULTI, all_multicast=True):
            send_classes(ports, LENGTHS, times)
            send_control(ports, few)
        with ports.membership(PACKET_MR_PROMISC, promiscuous=True):
            send_classes(ports, LENGTHS, times)
            send_classes(ports, TAGGED_LENGTHS, times, (TAGGED,))
            send_control(ports, few)
        send_by_vlan(ports, few)


def report_errata(ports):
    for mac, counts in ports.wire.counts.items():
        for erratum in ports.controller.errata:
            met = {name: value for name, value in counts.errata[erratum.name].items() if value}
            print(f'# {mac.hex(":")} {erratum.name}: {met or "not met"}')


def expect_counted(driver, make_readers, frames, controller=capture.E1000, send=send_everything):
    """All counters of a driver have the values that follow from the capture of so many frames of
    all classes, which send(ports, frames) sends and which meet each erratum."""
    with nics.one_cpu(), driver.loaded() as found, Ports(found, make_readers, controller) as ports:
        send(ports, frames)
        print(f'# {sum(ports.wire.frames.values())} frames')
        report_errata(ports)
        expect(min(ports.wire.frames[nic.mac] for nic in found) >= frames // 3, 'too few frames')
        for counts in ports.wire.counts.values():
            for erratum in controller.errata:
                expect(any(counts.errata[erratum.name].values()), f'{erratum.name} was not met')
