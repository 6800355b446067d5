#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The example driver of examples/minimal counts what its NIC sends and receives. The driver moves
no frames: the test itself uses the NIC's transmitter and receiver, so it knows every frame.
own_models.py unloads drivers that register as this one does while everybody reads their ports."""

# architectures: arm64 armhf

import contextlib
import errno
import os
import pathlib
import subprocess
from itertools import combinations

import cli
import dma
import nics
from netdev import EthtoolReader, Links, packet_socket
from ports import KernelLog
from tap import case, expect, expect_equal, main, skip_all, wait_for

EXTRA = os.environ.get('KMOD_EXTRA_DIR')
DRIVER = 'macstats_minimal'
# Does a driver that is loaded get the devices that it lists?
AUTOPROBE = nics.PCI / 'drivers_autoprobe'

UNICAST, BROADCAST = bytes.fromhex('020000000001'), bytes.fromhex('ffffffffffff')
MULTICAST = bytes.fromhex('01005e000001')
SOURCE, TYPE = bytes.fromhex('525400000001'), b'\x88\xb5'
CRC = 4
SHORTEST = 64
# The size classes of the manual, CRC included, and how their counters are named.
CLASSES = {(64, 64): '64', (65, 127): '65_to_127', (128, 255): '128_to_255',
           (256, 511): '256_to_511', (512, 1023): '512_to_1023', (1024, 1522): '1024_up'}

# (destination, octets without CRC, frames): both ends of each size class.
FRAMES = (
    (UNICAST, 60, 3), (UNICAST, 61, 5), (UNICAST, 123, 7), (UNICAST, 124, 11), (UNICAST, 251, 13),
    (UNICAST, 252, 2), (UNICAST, 507, 4), (UNICAST, 508, 6), (UNICAST, 1019, 8),
    (UNICAST, 1020, 9), (UNICAST, 1514, 10), (UNICAST, 1518, 1),
    (MULTICAST, 60, 2), (MULTICAST, 300, 17), (BROADCAST, 60, 1), (BROADCAST, 1514, 19),
)

# Errata of the NIC as QEMU 7.2 emulates it, by direction. A later QEMU may have fewer.
ERRATA = {
    'rx': {
        'classes without CRC': 'PRC64 to PRC1522. The manual: lengths with the CRC. Observed: '
                               'without it, and none of less than 64 octets.',
        'broadcast is multicast': 'MPRC and BPRC with RCTL.MPE set. The manual: BPRC counts '
                                  'broadcast frames, MPRC does not. Observed: the other way round.',
    },
    'tx': {
        'no padding': 'TCTL.PSP set, a frame of less than 60 octets without CRC. The manual: the '
                      'MAC pads it to 64. Observed: GOTC and TOT count it as it is, no PTC does.',
    },
}


def frame(destination, octets):
    return (destination + SOURCE + TYPE).ljust(octets, b'x')


def rows(frames, errata):
    """The counters of one direction, as the manual states them but for these errata, and what the
    frames add to them."""
    for destination, octets, count in frames:
        length = octets + CRC
        if 'no padding' not in errata:
            length = max(length, SHORTEST)
        for name in 'good_frames', 'total_frames':
            yield name, count
        for name in 'good_octets', 'total_octets':
            yield name, count * length
        for (low, high), name in CLASSES.items():
            if low <= length - CRC * ('classes without CRC' in errata) <= high:
                yield f'{name}_octets', count
        if destination == BROADCAST and 'broadcast is multicast' not in errata:
            yield 'broadcast', count
        elif destination[0] & 1:
            yield 'multicast', count


def counted(direction, frames, errata):
    """The counters above 0."""
    result = {}
    for name, value in rows(frames, errata):
        result[f'{direction}_{name}'] = result.get(f'{direction}_{name}', 0) + value
    return result


class Port:
    """The port of a NIC with the driver, by the name of its net device."""

    def __init__(self, nic):
        self.name = nic.name

    def totals(self):
        return cli.ethtool_statistics(self.name)

    def nonzero(self):
        return {name: value for name, value in self.totals().items() if value}

    def groups(self):
        shown, = cli.json_output('ethtool', '--json', '-S', self.name, '--groups', 'eth-mac',
                                 'eth-ctrl', 'rmon')
        return shown

    def link(self):
        shown, = cli.json_output('ip', '-s', '-s', '-j', 'link', 'show', 'dev', self.name)
        return shown['stats64']


def load():
    subprocess.run(['insmod', pathlib.Path(EXTRA, 'kmod/minimal', f'{DRIVER}.ko')], check=True)


def unload():
    subprocess.run(['rmmod', DRIVER], check=True)


@contextlib.contextmanager
def bound(nic):
    """The NIC is the driver's, whatever identities the driver lists."""
    (nic.device / 'driver_override').write_text(DRIVER)
    (nics.PCI / 'drivers' / DRIVER / 'bind').write_text(nic.function)
    try:
        yield Port(nic)
    finally:
        nic.unbind()
        (nic.device / 'driver_override').write_text('\n')


def fill_registers(nic):
    """Leaves 7 frames of 100 octets in all registers but TPT, which this reads."""
    with dma.without_driver(nic), dma.running(dma.Transmitter, nic) as transmitter:
        before = transmitter.registers[dma.TPT]
        transmitter.send(frame(UNICAST, 96), 7)
        expect_equal(transmitter.registers[dma.TPT], 7, f'TPT after {before} was read')


def flat(value):
    """All numbers in a structure."""
    if isinstance(value, dict):
        return [number for each in value.values() for number in flat(each)]
    if isinstance(value, list):
        return [number for each in value for number in flat(each)]
    return [value] if isinstance(value, int) else []


@case
def a_fresh_port_starts_at_0_whatever_the_registers_held():
    for _ in range(2):
        fill_registers(FIRST)
        with bound(FIRST) as port:
            expect_equal(port.nonzero(), {}, 'totals')
            expect_equal(sum(flat(port.link())), 0, port.link())
            groups = port.groups()
            expect_equal(sum(sum(flat(groups[name])) for name in ('eth-mac', 'eth-ctrl')), 0,
                         groups)


@case
def the_strings_and_groups_of_the_mac_exist():
    with bound(FIRST) as port:
        # The statistics registers of the manual, of which a 64-bit one counts once.
        expect_equal(len(port.totals()), 54, 'strings')
        groups = port.groups()
        for name in ('FramesTransmittedOK', 'FramesReceivedOK', 'FrameCheckSequenceErrors',
                     'AlignmentErrors', 'MulticastFramesXmittedOK', 'BroadcastFramesXmittedOK',
                     'BroadcastFramesReceivedOK', 'SingleCollisionFrames', 'LateCollisions'):
            expect(name in groups['eth-mac'], f'{name}: {groups}')
        text = cli.output('ethtool', '-i', port.name)
        for line in (f'driver: {DRIVER}', f'bus-info: {FIRST.function}',
                     'supports-statistics: yes', 'supports-register-dump: yes'):
            expect(line in text.splitlines(), text)


def check(port, direction, frames):
    """Compares the counters of a port that has had these frames only, and what the standard
    statistics make of the counters. Returns the group eth-mac."""
    totals, known = port.nonzero(), list(ERRATA[direction])
    for errata in (some for n in range(len(known) + 1) for some in combinations(known, n)):
        if totals == counted(direction, frames, errata):
            print(f'# {direction}, errata: {", ".join(errata) or "none"}')
            break
    else:
        expect_equal(totals, counted(direction, frames, known), f'with all errata of {direction}')
    packets, octets = totals[f'{direction}_good_frames'], totals[f'{direction}_good_octets']
    link = port.link()[direction]
    expect_equal((link['packets'], link['bytes'], link['errors']),
                 (packets, octets - CRC * packets, 0), link)
    return port.groups()['eth-mac']


@case
def each_transmitted_frame_counts_once():
    with bound(FIRST) as port, dma.running(dma.Transmitter, FIRST) as transmitter:
        for destination, octets, count in FRAMES:
            transmitter.send(frame(destination, octets), count)
        mac = check(port, 'tx', FRAMES)
        expect_equal((mac['FramesTransmittedOK'], mac['MulticastFramesXmittedOK'],
                      mac['BroadcastFramesXmittedOK']), (118, 19, 20), 'eth-mac')
        # By hand: 118 frames of 80,061 octets with their CRC.
        link = port.link()['tx']
        expect_equal((link['packets'], link['bytes']), (118, 80_061 - 4 * 118), link)


@case
def each_received_frame_counts_once():
    with bound(FIRST) as port, dma.running(dma.Receiver, FIRST) as receiver, \
            dma.without_driver(SECOND), dma.running(dma.Transmitter, SECOND) as transmitter:
        for destination, octets, count in FRAMES:
            transmitter.send(frame(destination, octets), count)
        wait_for(lambda: receiver.received() == 118, 'the frames')
        mac = check(port, 'rx', FRAMES)
        expect_equal(mac['FramesReceivedOK'], 118, 'eth-mac')


@case
def a_short_frame_counts_as_the_mac_sends_it():
    with bound(FIRST) as port:
        dma.send(FIRST, frame(UNICAST, 30), 5)
        check(port, 'tx', [(UNICAST, 30, 5)])


@case
def a_burst_faster_than_the_line_counts():
    """255 frames of 4,100 octets take 8.4 ms at 1 Gb/s; QEMU sends them in less."""
    with bound(FIRST) as port, contextlib.closing(Links()) as links, \
            dma.running(dma.Transmitter, FIRST) as transmitter:
        reader = EthtoolReader(links, port.name)
        for number in range(1, 21):
            transmit = transmitter.prepare(frame(UNICAST, 4096), 255)
            reader.read()
            transmit()
            expect_equal(reader.totals()['tx_good_octets'], number * 255 * 4100, 'octets')


@case
def totals_continue_after_sleep():
    """The registers lose their values while the NIC sleeps."""
    def change_registers():
        dma.send(FIRST, frame(UNICAST, 1000), 9)

    log = KernelLog()
    with bound(FIRST) as port:
        sent = 0
        for lose in change_registers, FIRST.reset:
            dma.send(FIRST, frame(UNICAST, 96), 5)
            sent += 5
            with FIRST.asleep():
                expect_equal(port.totals()['tx_good_frames'], sent, 'frames before the sleep')
                lose()
                expect_equal(port.totals()['tx_good_frames'], sent, 'frames while asleep')
            expect_equal(port.totals()['tx_good_frames'], sent, 'frames after the sleep')
            dma.send(FIRST, frame(UNICAST, 96), 3)
            sent += 3
            expect_equal((port.totals()['tx_good_frames'], port.link()['tx']['packets']),
                         (sent, sent), 'frames since')
        expect_equal([line for line in log.lines() if port.name in line], [], 'kernel log')


@case
def a_device_without_its_registers_is_rejected():
    """Every machine has a bridge without BAR 0 that no driver uses."""
    bridge = next(device for device in sorted((nics.PCI / 'devices').iterdir())
                  if not (device / 'driver').exists() and
                  not int((device / 'resource').read_text().split()[0], 16))
    (bridge / 'driver_override').write_text(DRIVER)
    try:
        (nics.PCI / 'drivers' / DRIVER / 'bind').write_text(bridge.name)
    except OSError as error:
        expect_equal(error.errno, errno.EINVAL, error)
    finally:
        (bridge / 'driver_override').write_text('\n')
    expect_equal(((bridge / 'driver').exists(), (bridge / 'net').exists()), (False, False))


@case
def a_frame_of_the_kernel_is_dropped_and_counted():
    with bound(FIRST) as port, contextlib.closing(Links()) as links:
        pathlib.Path('/proc/sys/net/ipv6/conf', port.name, 'disable_ipv6').write_text('1')
        links.up(FIRST.index())
        with packet_socket(port.name) as packets:
            for _ in range(3):
                packets.send(frame(UNICAST, 96))
        link = port.link()['tx']
        expect_equal((link['packets'], link['dropped'], link['errors']), (0, 3, 0), link)
        expect_equal(port.nonzero(), {}, 'totals')


@case
def the_driver_lists_the_nic_of_this_machine():
    unload()
    load()
    expect_equal([nic.driver() for nic in (FIRST, SECOND)], [DRIVER] * 2)
    unload()
    expect_equal([nic.driver() for nic in (FIRST, SECOND)], [''] * 2)


if not EXTRA:
    skip_all('no example was built')
FIRST, SECOND = nics.nics()
AUTOPROBE.write_text('0')
load()
AUTOPROBE.write_text('1')
main()
