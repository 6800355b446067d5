#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The patches that conversions/series writes: the KUnit tests of the core, the converted driver on
emulated registers, and the selftest with that driver. See build/series."""

# driver bench

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

from bench import on_bench, require_bench
from cli import output
from driver import asleep
from ports import KernelLog, case_in_first_place
from tap import case, expect, expect_equal, main

require_bench()

ROOT = pathlib.Path(__file__).resolve().parents[3]
TREE = ROOT / 'build/series/tree'
SOURCE = ROOT / 'build/kernel/user-mode-source'
SELFTESTS = 'tools/testing/selftests/drivers/net'
# Cases of stats.py
ADDED = 'check_error_sums', 'check_rmon_hist', 'check_down_mac'
CORE, TESTS = TREE / 'net/core/eth_hw_stats.ko', TREE / 'net/core/eth_hw_stats_test.ko'
DRIVER = TREE / 'drivers/net/ethernet/cadence/macb.ko'


@contextlib.contextmanager
def loaded(*modules):
    for module in modules:
        output('insmod', module)
    try:
        yield
    finally:
        for module in reversed(modules):
            subprocess.run(['rmmod', module.stem], check=False, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def converted(here):
    """A GEM and its Nic, of the converted driver."""
    port = here.add('gem', held=True, quiet=False)
    output('modprobe', 'macb')  # what it needs stays
    output('rmmod', 'macb')
    with loaded(CORE, DRIVER), on_bench(here, 'macb', port) as nic:
        yield port, nic


@case
def the_core_passes_its_kunit_tests():
    log = KernelLog()
    with loaded(CORE, TESTS):
        lines = [line.split('] ', 1)[-1] for line in log.lines()]
    results = [line.strip() for line in lines if 'ok ' in line]
    expect(any(line.startswith('ok ') and line.endswith(' eth_hw_stats') for line in results), lines)
    expect(not any(line.startswith('not ok') for line in results), lines)
    expect(len(results) > 10, results)


@case_in_first_place
def the_converted_driver_has_the_strings_of_the_unconverted_one(here):
    names = []
    with on_bench(here, 'macb', here.add('gem', held=True)) as nic:
        names.append(list(nic.strings()))
    with converted(here) as (_, nic):
        names.append(list(nic.strings()))
    expect_equal(names[1], names[0], 'ethtool -S')


@case_in_first_place
def the_converted_driver_shows_what_its_registers_hold(here):
    """Received: 7 unicast frames of 64 octets, 5 broadcast of 100, 3 multicast of 1518, with 448 + 500
    + 4554 octets, 2 of 64 with a bad FCS, and a pause frame. Transmitted: 4 of 200."""
    with converted(here) as (port, nic):
        port.inject(count=7, length=64)
        port.inject(count=5, length=100, destination='broadcast')
        port.inject(count=3, length=1518, destination='multicast')
        port.inject(count=2, length=64, errors=['fcs'])
        port.inject(count=1, length=64, kind='pause', destination='multicast')
        port.inject(count=4, length=200, direction='tx')
        for _ in range(2):  # a read clears the registers
            strings, link, groups = nic.strings(), nic.link(), nic.groups()
            for shown, expected in (
                    (strings, {'rx_frames': 15, 'rx_octets': 5502, 'rx_broadcast_frames': 5,
                               'rx_frame_check_sequence_errors': 2, 'tx_octets': 800,
                               'q0_rx_packets': 0}),
                    (link, {'rx_errors': 2, 'rx_crc_errors': 2, 'multicast': 3, 'rx_packets': 0,
                            'tx_errors': 0}),
                    (groups['eth-mac'], {'FramesReceivedOK': 15, 'OctetsTransmittedOK': 800,
                                         'FrameCheckSequenceErrors': 2}),
                    (groups['eth-phy'], {'SymbolErrorDuringCarrier': 0}),
                    (groups['rmon'], {'etherStatsJabbers': 0})):
                expect_equal({name: shown.get(name) for name in expected}, expected, 'shown')
            expect('OutOfRangeLengthField' not in groups['eth-mac'], groups)
            expect('etherStatsFragments' not in groups['rmon'], groups)
            buckets = groups['rmon']['rx-pktsNtoM']
            expect_equal([(each['low'], each['high'], each['val']) for each in buckets],
                         [(64, 64, 7), (65, 127, 5), (128, 255, 0), (256, 511, 0), (512, 1023, 0),
                          (1024, 1518, 3), (1519, 16384, 0)], 'buckets')


@case_in_first_place
def the_converted_driver_keeps_its_counts_at_down(here):
    """Bit 5 of network_control clears the counters, and the driver sets it when it stops."""
    with converted(here) as (port, nic):
        for count, total in (2, 2), (3, 5):
            port.inject(count=count, length=64, errors=['fcs'])
            nic.down()
            expect_equal(nic.link()['rx_crc_errors'], total, 'down')
            nic.up()
            expect_equal(nic.link()['rx_crc_errors'], total, 'up')


@case_in_first_place
def the_converted_driver_keeps_its_counts_in_a_sleep(here):
    """It resets the MAC before it sleeps or, if the MAC waits for Wake-on-LAN, when it wakes up: what
    is received until then does not count."""
    for wol in 'd', 'g':
        with converted(here) as (port, nic):
            output('ethtool', '-s', nic.name, 'wol', wol)
            port.inject(count=3, length=64, errors=['fcs'])
            with asleep('macb'):
                before = nic.trace()
                port.inject(count=4, length=64, errors=['fcs'])
                expect_equal(nic.link()['rx_crc_errors'], 3, f'asleep, Wake-on-LAN {wol}')
                expect_equal(nic.trace(), before, 'no access')
            port.inject(count=1, length=64, errors=['fcs'])
            expect_equal(nic.link()['rx_crc_errors'], 4, f'awake, Wake-on-LAN {wol}')


@case_in_first_place
def the_converted_driver_reads_without_a_request(here):
    """rx_udp_ck_errors has 8 bits: it is full after 255."""
    with converted(here) as (port, nic):
        for _ in range(3):
            port.preset('rx_udp_checksum_errors', 200)
            subprocess.run(['sleep', '3'], check=True)
        expect_equal(nic.strings()['rx_udp_checksum_errors'], 600, '3 times 200')


@case_in_first_place
def the_converted_driver_counts_nothing_of_a_mac_that_is_gone(here):
    """Reads give all ones then, also of the identity register at 0xfc. A counter that holds all
    ones in a MAC that is there counts."""
    with converted(here) as (port, nic):
        port.preset('rx_frames', 0xffffffff)
        before = nic.strings()
        expect_equal(before['rx_frames'], 0xffffffff, 'a full counter')
        port.fault('unplug')
        nic.write(0xfc, 0xffffffff)
        expect_equal(nic.strings(), before, 'unplugged')


@case_in_first_place
def the_selftest_passes_with_the_converted_driver(here):
    """The cases that the series adds. The test finds its library beside it."""
    with converted(here) as (port, nic), tempfile.TemporaryDirectory() as folder:
        port.inject(count=2, length=64, errors=['fcs'])
        test = pathlib.Path(folder, 'stats.py')
        test.write_text((TREE / SELFTESTS / 'stats.py').read_text())
        pathlib.Path(folder, 'lib').symlink_to(SOURCE / SELFTESTS / 'lib')
        cases = [word for name in ADDED for word in ('-t', name)]
        done = subprocess.run([sys.executable, '-B', test, *cases],
                              env=os.environ | {'NETIF': nic.name},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        expect(done.returncode == 0 and f'pass:{len(ADDED)}' in done.stdout, done.stdout)


main()
