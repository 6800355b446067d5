# SPDX-License-Identifier: GPL-2.0
"""Resets of a converted driver under traffic between its two NICs: no total goes back, each
transmitted frame is counted once, and the received ones lie between those that the driver delivered
and those that crossed the wire."""

import contextlib
import errno
import struct
import subprocess
import threading
import time

import capture
import nics
from genl import Interrupted, Rejected
from netdev import SOL_PACKET, Links, packet_socket
from ports import Place
from tap import expect, expect_equal, wait_for

DATA = b'\x88\xb5'
OCTETS = 100                    # without FCS
BURST, GAP = 20, 0.02
PACKET_STATISTICS = 6
SENT, GOOD = 'tx_good_frames', 'rx_good_frames'
# The net device is down, its queue is full, or it is not there.
HINDERED = errno.ENETDOWN, errno.ENOBUFS, errno.ENXIO, errno.ENODEV, errno.EAGAIN


class Thread(threading.Thread):
    """Repeats a function until it is stopped. A failure of it is raised by stop()."""

    def __init__(self, function, pause):
        super().__init__(daemon=True)
        self.function, self.pause = function, pause
        self.ended, self.failure = threading.Event(), None
        self.start()

    def run(self):
        try:
            while not self.ended.wait(self.pause):
                self.function()
        except Exception as failure:  # pylint: disable=broad-exception-caught
            self.failure = failure

    def stop(self):
        self.ended.set()
        self.join()
        if self.failure:
            raise self.failure


class Traffic:
    """A NIC sends frames to another one, and the other counts those that its driver delivers."""

    def __init__(self, source, receiver):
        self.frame = (receiver.mac + source.mac + DATA).ljust(OCTETS, b'\0')
        # A NIC that is gone takes nothing from its queue.
        self.sender = packet_socket(source.name, queued=True)
        self.sender.setblocking(False)
        self.receiver = packet_socket(receiver.name, receive=True)
        self.thread = Thread(self.burst, GAP)

    def burst(self):
        for _ in range(BURST):
            try:
                self.sender.send(self.frame)
            except OSError as error:
                if error.errno not in HINDERED:
                    raise
                return

    def stop(self):
        self.thread.stop()
        self.sender.close()

    def delivered(self):
        """Frames since the last call, those for which the socket had no room included."""
        return struct.unpack('II', self.receiver.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))[0]

    def close(self):
        self.receiver.close()


class Watcher:
    """Reads the totals of all ports over and over: none goes back."""

    def __init__(self):
        self.place, self.last, self.reads = Place(), {}, 0
        self.thread = Thread(self.look, 0.01)

    def look(self):
        # A dump during which ports come or go is repeated.
        with contextlib.suppress(Interrupted):
            for stats in self.place.stats():
                before = self.last.get(stats['ifindex'], [0] * len(stats['values']))
                pairs = list(zip(before, stats['values']))
                expect(all(old <= new for old, new in pairs), f'totals have gone back: {pairs}')
                self.last[stats['ifindex']] = stats['values']
            self.reads += 1

    def stop(self):
        self.thread.stop()
        self.place.close()
        expect(self.reads > 0, 'nothing was read')


class Wire:
    """Frames on the wire by the address that sent them, from now on."""

    def __init__(self, *addresses):
        self.capture = capture.Capture(nics.CAPTURE)
        self.capture.read()
        self.frames = dict.fromkeys(addresses, 0)

    def read(self):
        for (head, _), number in self.capture.read().items():
            if head[12:14] == DATA:
                self.frames[head[6:12]] += number
        return self.frames


def totals(place, nic, *names):
    model, = [port['model'] for port in place.ports() if port['name'] == nic.name]
    names_of_all = [row['name'] for row in place.counters(model)]
    stats, = [each for each in place.stats() if each['ifindex'] == nic.index()]
    found = dict(zip(names_of_all, stats['values']))
    return [found[name] for name in names]


def state(place, nic):
    found, = [port for port in place.ports() if port['name'] == nic.name]
    return {'loss': bool(found.get('possible_loss')),
            'discontinuities': found.get('discontinuities', 0)}


def ethtool(*words):
    return subprocess.run(['ethtool', *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)


def renegotiate(nic, links):
    expect_equal(ethtool('-r', nic.name).returncode, 0, 'ethtool -r')


def go_down_and_up(nic, links):
    links.down(nic.index())
    links.up(nic.index())


def change_mtu(nic, links):
    for mtu in 9000, 1500:
        links.mtu(nic.index(), mtu)


def change_rings(nic, links):
    for size in '128', '256':
        expect_equal(ethtool('-G', nic.name, 'rx', size, 'tx', size).returncode, 0, 'ethtool -G')


def test_itself(nic, links):
    """QEMU fails the register test, and loops frames back, which cross no wire."""
    found = ethtool('-t', nic.name, 'offline').stdout
    expect('Loopback test' in found, found)


def sleep(nic, links):
    """As in a suspended system."""
    with nic.asleep():
        pass


ANNOUNCED = renegotiate, go_down_and_up, change_mtu, change_rings, test_itself, sleep


class DeviceSet:
    """Two NICs of the converted driver that send each other frames."""

    def __init__(self, found):
        self.nics, self.links, self.place = found, Links(), Place()
        nics.bring_up(*found)
        self.wire = Wire(*(nic.mac for nic in found))
        self.before = {nic.mac: totals(self.place, nic, SENT, GOOD) for nic in found}
        self.watcher = Watcher()
        first, second = found
        self.traffic = {second.mac: Traffic(first, second), first.mac: Traffic(second, first)}

    def run(self, seconds=0.5):
        """Lets frames cross the wire."""
        start = sum(self.wire.read().values())
        wait_for(lambda: sum(self.wire.read().values()) > start + 2 * BURST, 'frames on the wire')
        time.sleep(seconds)

    def stop(self):
        for each in self.traffic.values():
            each.stop()

    def close(self):
        self.watcher.stop()
        for each in (*self.traffic.values(), self.links, self.place):
            each.close()

    def since(self, nic):
        """(transmitted, received) frames"""
        now = totals(self.place, nic, SENT, GOOD)
        return [new - old for new, old in zip(now, self.before[nic.mac])]

    def expect_all_counted(self):
        """No frame is on its way any more."""
        first, second = self.nics
        for nic, other in ((first, second), (second, first)):
            wait_for(lambda: self.since(nic)[0] == self.wire.read()[nic.mac],
                     f'{nic.name} has counted what it sent: {self.since(nic)}, '
                     f'{self.wire.frames}')
            delivered, counted = self.traffic[nic.mac].delivered(), self.since(nic)[1]
            expect(delivered <= counted <= self.wire.frames[other.mac],
                   f'{nic.name}: delivered {delivered}, counted {counted}, on the wire '
                   f'{self.wire.frames[other.mac]}')
            expect(delivered > 0, f'{nic.name} has delivered nothing')


@contextlib.contextmanager
def bench(driver='e1000'):
    with nics.Driver(driver, converted=True).loaded() as found:
        here = DeviceSet(found)
        try:
            yield here
        finally:
            here.stop()
            here.close()


def lose_nothing(driver):
    """Resets that the driver announces"""
    with bench(driver) as here:
        for number, reset in enumerate(ANNOUNCED):
            here.run()
            reset(here.nics[number % 2], here.links)
            for nic in here.nics:
                nic.wait_for_link()
            print(f'# {reset.__name__}: {here.wire.read()}')
        here.run()
        here.stop()
        here.expect_all_counted()
        for nic in here.nics:
            expect_equal(state(here.place, nic), {'loss': False, 'discontinuities': 0}, nic.name)


def unload_and_load(driver):
    for _ in range(2):
        with bench(driver) as here:
            here.run()
            subprocess.run(['rmmod', driver], check=True)
            with contextlib.suppress(Rejected):
                expect_equal(here.place.ports(), [], 'ports')
