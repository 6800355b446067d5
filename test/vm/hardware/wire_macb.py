#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The statistics of macb agree with the frames on its wire, apart from QEMU's ERRATA (lib/gems.py):
two GEMs send each other frames of all classes. QEMU's do not clear a counter that is read, nor by
command, and exchange the words of octets. The driver of the kernel's tree counts all frames once
more with each read; the converted one counts them once, if it is told, and reports it otherwise."""

# nic: cadence_gem
# architectures: arm64

import itertools
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import capture  # noqa: E402
import effort  # noqa: E402
import gems  # noqa: E402
import wire_traffic  # noqa: E402
from netdev import EthtoolReader, Links, packet_socket  # noqa: E402
from ports import KernelLog  # noqa: E402
from tap import case, expect, expect_equal, main, wait_for  # noqa: E402

# Of each class
TIMES = effort.count('MACSTATS_WIRE_FRAMES', 4, 4, 200, 20, 2)
IPV6_GROUP = bytes.fromhex('333300010203')
SOFTWARE = 'q'      # the first letter of the strings of queues
WORD = 1 << 32


class Port:
    """A NIC, and the readers of its counters."""

    def __init__(self, links, nic):
        self.nic, self.ethtool = nic, EthtoolReader(links, nic.name)
        self.socket, self.arrivals = packet_socket(nic.name), wire_traffic.arrivals(nic)

    def totals(self):
        """ethtool -S, without the strings of queues"""
        return {name: value for name, value in self.ethtool.totals().items()
                if not name.startswith(SOFTWARE)}

    def link(self):
        """Packets and octets of ip -s link"""
        folder = pathlib.Path('/sys/class/net', self.nic.name, 'statistics')
        return {name: int((folder / name).read_text())
                for name in ('rx_packets', 'tx_packets', 'rx_bytes', 'tx_bytes')}

    def send(self, octets, times):
        for _ in range(times):
            self.socket.send(octets)


def difference(now, before, modulus=1 << 64):
    return {name: (value - before[name]) % modulus for name, value in now.items()}


def drain(ports):
    """Returns when all frames have reached their receivers."""
    for source, receiver in (ports, ports[::-1]):
        source.send(wire_traffic.frame(receiver.nic.mac, source.nic, wire_traffic.LAST, 60), 1)
        receiver.arrivals.recv(1)


def send_everything(ports):
    for source, receiver in (ports, ports[::-1]):
        destinations = (receiver.nic.mac, wire_traffic.STRANGER, capture.BROADCAST,
                        wire_traffic.OTHER_GROUP, IPV6_GROUP, *receiver.nic.groups())
        for destination, octets in itertools.product(destinations, wire_traffic.LENGTHS[1:]):
            source.send(wire_traffic.frame(destination, source.nic, wire_traffic.DATA, octets),
                        TIMES)
            drain(ports)
        for destination, kind in itertools.product(
                (capture.FLOW_CONTROL, receiver.nic.mac), wire_traffic.CONTROL):
            source.send(wire_traffic.frame(destination, source.nic, kind, 60), TIMES)
            drain(ports)


def offload(ports, state):
    """With checksums by the hardware, the driver appends the FCS itself."""
    for port in ports:
        subprocess.run(['ethtool', '-K', port.nic.name, 'tx', state], check=True,
                       stdout=subprocess.DEVNULL)


def send_and_capture(ports):
    """All frames, with the FCS and without it. Returns the Wire."""
    wire = gems.Wire([port.nic for port in ports])
    send_everything(ports)
    wire.read()
    offload(ports, 'off')
    send_everything(ports)
    wire.read(fcs=capture.FCS)
    offload(ports, 'on')
    print(f'# {wire.frames} frames, errata: {dict(wire.met)}')
    expect_equal(set(wire.met), set(gems.ERRATA), 'errata that were met')
    return wire


def expect_software_counts(port, before, counts):
    """Packets and octets of ip are those of the driver: received ones without their header."""
    expect_equal(difference(port.link(), before), {
        'rx_packets': counts['rx_frames'], 'tx_packets': counts['tx_frames'],
        'rx_bytes': counts['rx_octets'] - 14 * counts['rx_frames'],
        'tx_bytes': counts['tx_octets']}, f'ip -s of {port.nic.name}')


@case
def the_driver_as_it_is_adds_all_frames_once_more_with_each_read():
    """A read adds what the registers hold: so they are the difference of two reads."""
    def held(port):
        before = port.totals()
        return difference(port.totals(), before)
    with gems.driver() as found:
        links = Links()
        ports = [Port(links, nic) for nic in found]
        drain(ports)
        begin, software = [held(port) for port in ports], [port.link() for port in ports]
        wire = send_and_capture(ports)
        for port, before, before_link in zip(ports, begin, software):
            expected = wire.counts[port.nic.mac]
            expect_software_counts(port, before_link, expected)
            expected = expected | {f'{way}_octets': expected[f'{way}_octets'] * WORD
                                   for way in ('rx', 'tx')}
            registers = held(port)
            expect_equal(difference(registers, before),
                         {name: expected.get(name, 0) for name in registers}, port.nic.name)
            total = port.totals()['rx_frames']
            expect(total >= 3 * registers['rx_frames'], f'{total} frames in three reads')
        # Nor does the command that clears them.
        before = [held(port) for port in ports]
        gems.restart(*found)
        expect_equal([held(port) for port in ports], before, 'down and up')
        links.close()


@case
def all_counters_of_the_converted_driver_follow_from_the_capture():
    with gems.driver('emulated=1', converted=True) as found:
        links = Links()
        ports = [Port(links, nic) for nic in found]
        drain(ports)
        begin, software = [port.totals() for port in ports], [port.link() for port in ports]
        wire = send_and_capture(ports)
        for times in range(2):      # once more after the counters were cleared in vain
            for port, before, before_link in zip(ports, begin, software):
                expected = wire.counts[port.nic.mac]
                gems.settle(lambda port=port, before=before: difference(port.totals(), before),
                            expected, f'the counters of {port.nic.name} follow from the capture')
                expect_software_counts(port, before_link, expected)
            if not times:
                gems.restart(*found)
        links.close()


MISFITS = ('once more, at most .* expected: a read does not clear it as the model says',
           'expected: its two words are exchanged',
           'after the command that clears it, at most .* expected: the hardware ignores the command')


@case
def the_converted_driver_reports_that_this_is_no_gem_by_the_manual():
    log = KernelLog()
    with gems.driver(converted=True) as found:
        links = Links()
        ports = [Port(links, nic) for nic in found]
        for source, receiver in (ports, ports[::-1]):
            source.send(wire_traffic.frame(receiver.nic.mac, source.nic, wire_traffic.DATA, 60), 500)
            drain(ports)
        for port in ports:
            port.totals()
        gems.restart(*found)
        lines = []
        for nic, text in itertools.product(found, MISFITS):
            def seen(nic=nic, text=text):
                lines.extend(log.lines())
                return [line for line in lines
                        if re.search(f'macstats: {re.escape(nic.device.name)}: .*{text}', line)]
            wait_for(seen, f'{nic.name}: {text}')
            expect_equal(len(seen()), 1, f'lines of {nic.name}: {text}')
        links.close()


main()
