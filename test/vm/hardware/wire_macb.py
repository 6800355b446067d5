#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The same as wire_capture.py for the driver macb, with the two GEMs of a Versal board of QEMU and
the errata of lib/capture_gem.py. Besides, QEMU's GEMs do not clear a counter that is read, nor by
command, and exchange the words of octets. The driver of the kernel's tree counts all frames once
more with each read; the converted one counts them once, if it is told, and reports it otherwise."""

# nic: cadence_gem
# architectures: arm64

import itertools
import pathlib
import re
import subprocess

import effort
import nics
import readers
from capture_gem import GEM, REGISTERS
from netdev import EthtoolReader, Links
from ports import KernelLog
from tap import case, expect_equal, main, wait_for
from wire_traffic import DATA, LENGTHS, Ports, expect_counted, frame, send_classes, send_control

FRAMES = effort.count('MACSTATS_WIRE_FRAMES', 1_000, 1_000, 50_000, 5_000, 500)
PLATFORM = pathlib.Path('/sys/bus/platform')
# The modules that it uses. The guest has no drivers of Ethernet, for which depmod would know them.
subprocess.run(['modprobe', '-a', 'phylink', 'of_mdio', 'fixed_phy', 'ptp', 'regmap-mmio'],
               check=True)
IPV6_GROUP = bytes.fromhex('333300010203')
SOFTWARE = 'q'      # the first letter of the strings of queues
# Packets and octets are those of the driver: received ones without their header.
SYSFS = {'rx_packets': 'rx_frames', 'tx_packets': 'tx_frames',
         'rx_bytes': 'rx_octets - 14 * rx_frames', 'tx_bytes': 'tx_octets'}
SYSFS_SOFTWARE = {*readers.SYSFS_SOFTWARE, *readers.E1000_SYSFS} - SYSFS.keys()


class Driver(nics.Driver):
    def nics(self):
        functions = sorted(path.name for path in (PLATFORM / 'drivers/macb').glob('*.ethernet'))
        expect_equal(len(functions), 2, 'NICs')
        return [nics.Nic(number, function, PLATFORM) for number, function in enumerate(functions)]


class Registers(readers.EthtoolStatistics):
    """What the registers hold if each read adds them to the totals: the difference of two reads"""

    def values(self):
        before, after = super().values(), super().values()
        return {name: (value - before[name]) % (1 << 64) for name, value in after.items()}


def readers_of(kind, octets):
    """@octets: what the driver makes of them"""
    def make(links, name):
        strings = EthtoolReader(links, name).names
        table = {each: each for each in REGISTERS if each in strings} | {
            each: octets.format(each) for each in ('rx_octets', 'tx_octets')}
        return (kind(links, name, table, [each for each in strings if each.startswith(SOFTWARE)]),
                readers.SysfsStatistics(name, SYSFS, SYSFS_SOFTWARE))
    return make


def restart(found):
    links = Links()
    for nic in found:
        links.down(nic.index())
    links.close()
    nics.bring_up(*found)


def send(ports, frames):
    """With checksums by the hardware, the driver appends the FCS itself. In the end, the counters
    are cleared in vain."""
    times = max(2, frames // 300)
    for state in 'on', 'off':
        for nic in ports.nics:
            subprocess.run(['ethtool', '-K', nic.name, 'tx', state], check=True,
                           stdout=subprocess.DEVNULL)
            ports.wire.set(nic.mac, captured_fcs=state == 'on')
        with ports.group():
            send_classes(ports, LENGTHS[1:], times)
            send_control(ports, times)
        for source, _ in ports.directions():
            ports.send(source, frame(IPV6_GROUP, source, DATA, 60), times)
        ports.settle()
    restart(ports.nics)
    wait_for(lambda: not ports.differences(), 'the counters are what they were')


@case
def the_driver_as_it_is_adds_all_frames_once_more_with_each_read():
    expect_counted(Driver('macb'), readers_of(Registers, '{} << 32'), FRAMES, GEM, send)


@case
def all_counters_of_the_converted_driver_follow_from_the_capture():
    expect_counted(Driver('macb', True, 'emulated=1'),
                   readers_of(readers.EthtoolStatistics, '{}'), FRAMES, GEM, send)


MISFITS = ('once more, at most .* expected: a read does not clear it as the model says',
           'expected: its two words are exchanged',
           'after the command that clears it, at most .* expected: the hardware ignores the command')


@case
def the_converted_driver_reports_that_this_is_no_gem_by_the_manual():
    log = KernelLog()
    with Driver('macb', True).loaded() as found, Ports(found, lambda *_: (), GEM) as ports:
        for source, receiver in ports.directions():
            ports.send(source, frame(receiver.mac, source, DATA, 60), 500)
        ports.drain()
        for nic in found:
            EthtoolReader(ports.links, nic.name).totals()
        restart(found)
        lines = []
        for nic, text in itertools.product(found, MISFITS):
            def seen(nic=nic, text=text):
                lines.extend(log.lines())
                return [line for line in lines
                        if re.search(f'macstats: {re.escape(nic.function)}: .*{text}', line)]
            wait_for(seen, f'{nic.name}: {text}')
            expect_equal(len(seen()), 1, f'lines of {nic.name}: {text}')


main()
