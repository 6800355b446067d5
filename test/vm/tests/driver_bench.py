#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree, unmodified, on emulated registers: what they show of injected
frames, by datasheet and kernel documentation, and where they are wrong."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from bench import bench_module, netdevs, on_bench, require_bench  # noqa: E402
from cli import shown  # noqa: E402
from genl import Rejected  # noqa: E402
from ports import KernelLog, with_first_place  # noqa: E402
from tap import Failure, case, expect, expect_equal, main, wait_for  # noqa: E402

require_bench()


def hardware(here, model, **more):
    """An emulated port whose registers a driver reads. Its own net device reads them on request."""
    return here.add(model, held=True, quiet=False, **more)


def inject_frames(*ports):
    """Received: 7 unicast frames of 64 octets, 5 broadcast of 100, 3 multicast of 1518, and 2 of 64
    with a bad FCS; good ones have 448 + 500 + 4554 = 5502 octets. Transmitted: 4 of 200."""
    for port in ports:
        port.inject(count=7, length=64)
        port.inject(count=5, length=100, destination='broadcast')
        port.inject(count=3, length=1518, destination='multicast')
        port.inject(count=2, length=64, errors=['fcs'])
        port.inject(count=4, length=200, direction='tx')


RX_OCTETS, TX_OCTETS = 5502, 800


def shows(read, expected, what):
    """Waits until read() has these members: some drivers read their registers every 2 s."""
    def some():
        now = read()
        return {name: now.get(name) for name in expected}
    with_late = f'{what}: {expected}'
    try:
        wait_for(lambda: some() == expected, with_late)
    finally:
        expect_equal(some(), expected, what)


def provided(port):
    """The statistics of ip that the provider computes from the same registers."""
    port.poll()
    return shown(port)['standard']['rtnl']


@case
@with_first_place
def lan743x_shows_what_its_registers_hold(here):
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        inject_frames(port)
        shows(nic.strings, {'RX FCS Errors': 2, 'RX Unicast Frames': 7, 'RX Broadcast Frames': 5,
                            'RX Multicast Frames': 3, 'RX 64 Byte Frames': 9,
                            'RX 65 - 127 Byte Frames': 5, 'RX 1024 - 1518 Byte Frames': 3,
                            'RX Total Frames': 15, 'TX Unicast Frames': 4,
                            'TX Unicast Byte Count': TX_OCTETS}, 'ethtool -S')
        shows(nic.link, {'rx_packets': 15, 'rx_errors': 2, 'multicast': 3, 'tx_packets': 4}, 'ip')


@case
@with_first_place
def lan743x_counts_the_fcs_as_bytes_and_the_provider_does_not(here):
    """rtnl_link_stats64: rx_bytes and tx_bytes are without the 4 octets of the FCS."""
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        inject_frames(port)
        shows(nic.link, {'rx_bytes': RX_OCTETS, 'tx_bytes': TX_OCTETS}, 'the defect')
        right = provided(port)
        expect_equal((right['rx_bytes'], right['tx_bytes']), (5502 - 15 * 4, 800 - 4 * 4),
                     'the provider')


@case
@with_first_place
def lan743x_adds_octets_in_32_bits_and_the_provider_does_not(here):
    """Three times 2^21 frames of 1024 octets: 3 * 2^31 octets, of which 4 each are the FCS."""
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        for destination in 'unicast', 'broadcast', 'multicast':
            port.inject(count=1 << 21, length=1024, destination=destination)
        shows(nic.link, {'rx_packets': 3 << 21, 'rx_bytes': (3 << 31) % (1 << 32)}, 'the defect')
        expect_equal(provided(port)['rx_bytes'], (3 << 31) - 4 * (3 << 21), 'the provider')


@case
@with_first_place
def lan743x_begins_again_at_a_wrap_and_the_provider_does_not(here):
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        port.preset('rx_total_frames', (1 << 32) - 1)
        shows(nic.link, {'rx_packets': (1 << 32) - 1}, 'before the wrap')
        before = provided(port)['rx_packets']
        port.inject(count=2, length=64)
        shows(nic.link, {'rx_packets': 1}, 'the defect')
        expect_equal(provided(port)['rx_packets'] - before, 2, 'the provider')


@case
@with_first_place
def a_driver_reads_all_ones_while_its_nic_is_unplugged(here):
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        port.inject(count=3, length=64, errors=['fcs'])
        for on, value in (True, (1 << 32) - 1), (False, 3):
            port.fault('unplug', on)
            shows(nic.strings, {'RX FCS Errors': value}, f'unplugged: {on}')


@case
@with_first_place
def lan743x_counts_sent_multicast_frames_as_received_and_leaves_fragments_out_of_errors(here):
    """rtnl_link_stats64: multicast packets are received ones, and rx_errors all bad ones."""
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        port.inject(count=6, length=64, direction='tx', destination='multicast')
        port.inject(count=8, length=40, errors=['fcs'])
        shows(nic.strings, {'TX Multicast Frames': 6, 'Rx Fragment Errors': 8}, 'the registers')
        shows(nic.link, {'multicast': 6, 'rx_errors': 0}, 'the defects')
        right = provided(port)
        expect_equal((right['multicast'], right['rx_errors']), (0, 8), 'the provider')


# The options of their hardware.
INTEL = {'e1000e': ['statistics'], 'igb': ['statistics', 'revision_3'],
         'igc': ['statistics', 'revision_4']}


@case
@with_first_place
def intel_drivers_show_what_their_registers_hold(here):
    for driver, options in INTEL.items():
        port = hardware(here, 'e1000e', options=options)
        with on_bench(here, driver, port) as nic:
            inject_frames(port)
            shows(nic.strings, {'rx_packets': 15, 'rx_bytes': RX_OCTETS, 'rx_broadcast': 5,
                                'rx_multicast': 3, 'rx_crc_errors': 2, 'tx_packets': 4,
                                'tx_bytes': TX_OCTETS, 'collisions': 0, 'rx_errors': 2}, driver)


@case
@with_first_place
def igc_shows_receive_errors_as_collisions_and_the_provider_does_not(here):
    """RERC, 0x402c, is the Receive Error Count; the port is in full duplex."""
    port, twin = (hardware(here, 'e1000e', options=INTEL['igc']) for _ in range(2))
    with on_bench(here, 'igc', port) as nic:
        for each in port, twin:
            each.preset('rx_receive_errors', 5)
        shows(nic.link, {'collisions': 5}, 'the defect')
        expect_equal(provided(twin).get('collisions'), 0, 'the provider')


@case
@with_first_place
def intel_drivers_read_their_counters_before_a_reset_clears_them(here):
    """CTRL.RST, which these set when they stop, clears the counters: 0x4074 is GPRC."""
    for driver, options in INTEL.items():
        port = hardware(here, 'e1000e', options=options)
        with on_bench(here, driver, port) as nic:
            for total in 7, 14:
                port.inject(count=7, length=64)
                nic.down()
                expect_equal(port.peek(0x4074), 0, f'{driver}: GPRC after {total} frames')
                nic.up()
                shows(nic.strings, {'rx_packets': total}, driver)


@case
@with_first_place
def macb_shows_what_its_registers_hold(here):
    """Its packets and octets of ip are those of its descriptors, of which there are none."""
    port = hardware(here, 'gem')
    with on_bench(here, 'macb', port) as nic:
        inject_frames(port)
        shows(nic.strings, {'rx_frames': 15, 'rx_octets': RX_OCTETS, 'rx_broadcast_frames': 5,
                            'rx_multicast_frames': 3, 'rx_frame_check_sequence_errors': 2,
                            'tx_frames': 4, 'tx_octets': TX_OCTETS}, 'ethtool -S')
        shows(nic.link, {'rx_errors': 2, 'rx_crc_errors': 2, 'multicast': 3}, 'ip')


@case
@with_first_place
def macb_loses_at_down_what_nobody_has_read_and_the_provider_does_not(here):
    """Bit 5 of network_control clears the counters, and the driver sets it when it stops."""
    port, twin = hardware(here, 'gem'), hardware(here, 'gem')
    with on_bench(here, 'macb', port) as nic:
        for count, shown_then in (2, 2), (3, 2):
            for each in port, twin:
                each.inject(count=count, length=64, errors=['fcs'])
            if count == 3:
                nic.down()
                nic.up()
            shows(nic.link, {'rx_crc_errors': shown_then}, f'after {count} more')
        expect_equal(provided(twin)['rx_crc_errors'], 5, 'the provider')


@case
@with_first_place
def rtl8139cp_shows_what_its_memory_holds(here):
    port = hardware(here, 'rtl_tally')
    with on_bench(here, '8139cp', port) as nic:
        inject_frames(port)
        shows(nic.strings, {'rx_ok': 15, 'rx_err': 2, 'rx_ok_phys': 7, 'rx_ok_bcast': 5,
                            'rx_ok_mcast': 3, 'tx_ok': 4}, 'ethtool -S')


@case
@with_first_place
def r8169_shows_what_its_memory_holds(here):
    port = hardware(here, 'rtl_tally')
    with on_bench(here, 'r8169', port) as nic:
        inject_frames(port)
        shows(nic.strings, {'rx_packets': 15, 'rx_errors': 2, 'unicast': 7, 'broadcast': 5,
                            'multicast': 3, 'tx_packets': 4}, 'ethtool -S')


@case
@with_first_place
def r8169_shows_a_wrap_of_missed_frames_as_nearly_2_to_the_64(here):
    """16 bits hold missed frames; that they roll over is inferred. At open there were 65534."""
    port = hardware(here, 'rtl_tally')
    port.preset('rx_missed', 65534)
    with on_bench(here, 'r8169', port) as nic:
        before = provided(port)['rx_missed_errors']
        port.inject(count=4, length=64, errors=['overrun'])
        shows(nic.link, {'rx_missed_errors': (1 << 64) + 2 - 65534}, 'the defect')
        expect_equal(provided(port)['rx_missed_errors'] - before, 4, 'the provider')


@case
@with_first_place
def stmmac_adds_octets_in_32_bits_and_the_provider_does_not(here):
    """Three times 2^21 frames of 1024 octets, of which 4 each are the FCS. The driver switches on
    that a read clears its counters."""
    port, twin = hardware(here, 'dwmac_mmc'), hardware(here, 'dwmac_mmc')
    with on_bench(here, 'stmmac', port, module='dwmac-generic') as nic:
        for times in range(1, 4):
            for each in port, twin:
                each.inject(count=1 << 21, length=1024)
            shows(nic.strings, {'mmc_rx_framecount_gb': times << 21,
                                'mmc_rx_octetcount_g': (times << 31) % (1 << 32)}, 'the defect')
            twin.poll()
        expect_equal(provided(twin)['rx_bytes'], (3 << 31) - 4 * (3 << 21), 'the provider')


@case
@with_first_place
def stmmac_begins_again_at_each_open_and_the_provider_does_not(here):
    port, twin = hardware(here, 'dwmac_mmc'), hardware(here, 'dwmac_mmc')
    with on_bench(here, 'stmmac', port, module='dwmac-generic') as nic:
        for count in 7, 0:
            for each in port, twin:
                each.inject(count=7, length=64)
            if not count:
                nic.down()
                nic.up()
            shows(nic.strings, {'mmc_rx_framecount_gb': count}, 'the defect')
        expect_equal(provided(twin)['rx_packets'], 14, 'the provider')


# No model has the registers of these yet: they are memory, which a test writes.


@case
@with_first_place
def alx_and_atl1c_count_bad_frames_as_packets_too(here):
    """0x1700: good frames received; 0x1714: FCS errors. rx_packets of rtnl_link_stats64 are
    good packets."""
    for driver in 'alx', 'atl1c':
        with on_bench(here, driver) as nic:
            nic.write(0x1700, 15)
            nic.write(0x1714, 2)
            shows(nic.link, {'rx_crc_errors': 2, 'rx_errors': 2, 'rx_packets': 17},
                  f'the defect of {driver}')


@case
@with_first_place
def tg3_adds_octets_in_64_bits(here):
    """0x0880: octets received."""
    with on_bench(here, 'tg3') as nic:
        for times in 1, 2:
            nic.write(0x0880, 4000000000)
            shows(nic.strings, {'rx_octets': times * 4000000000}, f'{times} times')


@case
@with_first_place
def altera_tse_shows_frames_and_octets(here):
    """0x006c: aFramesReceivedOK; 0x007c and 0x00f4: the words of aOctetsReceivedOK."""
    with on_bench(here, 'altera_tse') as nic:
        nic.write(0x006c, 15)
        nic.write(0x007c, RX_OCTETS)
        nic.write(0x00f4, 1)
        shows(nic.strings, {'rx_packets': 15, 'rx_bytes': (1 << 32) + RX_OCTETS}, 'ethtool -S')


@with_first_place
def hibmcge_shows_fcs_errors_as_length_errors_too(here):
    """0x100b0: FCS errors. IEEE 802.3 30.3.1.1.23: aInRangeLengthErrors is about the length field."""
    with on_bench(here, 'hibmcge') as nic:
        nic.write(0x100b0, 3)
        shows(lambda: nic.groups()['eth-mac'],
              {'FrameCheckSequenceErrors': 3, 'InRangeLengthErrors': 3}, 'the defect')


# Only by its name: the driver detaches its PHY without RTNL when it is removed, which lockdep reports.
if hibmcge_shows_fcs_errors_as_length_errors_too.__name__ in sys.argv:
    case(hibmcge_shows_fcs_errors_as_length_errors_too)


@case
@with_first_place
def a_nic_that_is_unplugged_while_it_is_up_takes_its_net_device_along(here):
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        port.delete()
        expect(nic.name not in netdevs(), f'{nic.name} is there')


@case
@with_first_place
def what_does_not_fit_is_rejected_with_a_reason(here):
    gem, cabled, other = (here.add('gem') for _ in range(3))
    cabled.link(other)
    for personality, device, reason in (
            ('lan74', None, 'no personality lan74; there are:'),
            ('lan743x', gem.device, 'lan743x needs an emulated device of the model lan743x'),
            ('macb', cabled.device, 'has a cable: unlink it'),
            ('macb', 4711, 'no port 0 of an emulated device 4711'),
            ('tg3', gem.device, 'tg3: no model has its registers')):
        log = KernelLog()
        expect(bench_module().load(personality=personality,
                                   **({} if device is None else {'device': device})),
               f'{personality} is accepted')
        expect(any(reason in line for line in log.lines()), f'{personality}: {reason}')


@case
@with_first_place
def a_port_on_the_bench_takes_no_cable(here):
    port, other = hardware(here, 'lan743x'), hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port):
        try:
            port.link(other)
        except Rejected as rejected:
            expect('lends its registers to another driver' in str(rejected), rejected)
        else:
            raise Failure('it takes a cable')
    port.link(other)


@case
@with_first_place
def what_nothing_answers_is_listed(here):
    """ID_REV is described; a status of interrupts that a read clears, 0x0790, is not."""
    with on_bench(here, 'lan743x') as nic:
        lines = nic.unanswered()
        expect(all(line.endswith('times: nothing answers it') for line in lines), lines)
        expect(not any('0x0000 ' in line for line in lines), lines)
        expect(any(line.startswith('driver read 0x0790 ') for line in lines), lines)
        expect(nic.trace(), 'no access is listed')


main()
