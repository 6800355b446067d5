#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Drivers that conversions/ converts to the provider, on the bench: each case runs the driver as
the kernel has it, and converted, on the same registers. What they must show follows from the
datasheet and from what was injected. converted_set.py and driver_pages.py have what `macstats
check-driver` finds."""

# driver bench

import itertools
import struct

from bench import CONVERTED, hardware, on_bench, require_bench, shows
from cli import octets, output
from driver import asleep
from ports import case_in_first_place
from tap import expect_equal, main

require_bench()

UNCONVERTED = ()
LAN743X, MACB, RTL8139CP, STMMAC = (
    CONVERTED[name] for name in ('lan743x', 'macb', '8139cp', 'stmmac'))
# The options of their hardware.
INTEL = {'e1000e': ['statistics'], 'igb': ['statistics', 'revision_3'],
         'igc': ['statistics', 'revision_4']}
INTEL_MODULES = [(driver, modules) for driver in INTEL for modules in (UNCONVERTED, (driver,))]


def inject_frames(port):
    """Received: 7 unicast frames of 64 octets, 5 broadcast of 100, 3 multicast of 1518, and 2 of 64
    with a bad FCS; good ones have 448 + 500 + 4554 = 5502 octets. Transmitted: 4 of 200."""
    port.inject(count=7, length=64)
    port.inject(count=5, length=100, destination='broadcast')
    port.inject(count=3, length=1518, destination='multicast')
    port.inject(count=2, length=64, errors=['fcs'])
    port.inject(count=4, length=200, direction='tx')


# The octets of the good ones
RX_OCTETS = 5502


def lan743x(here, port, modules):
    return on_bench(here, 'lan743x', port, converted=modules)


# {model of a MAC of stmmac: its personality}
STMMAC_MACS = {'dwmac_mmc': 'stmmac', 'dwmac4_mmc': 'stmmac4', 'dwxgmac_mmc': 'stmmac_xgmac'}


def stmmac(here, port, modules):
    return on_bench(here, STMMAC_MACS[port.model], port, module='dwmac-generic',
                    converted=modules)


def rtl8139cp(here, port, modules):
    return on_bench(here, '8139cp', port, converted=modules)


@case_in_first_place
def no_driver_loses_a_string(here):
    """A new one of an Intel driver is a counter that it has not shown. Those of lan743x that are of
    its rings come last."""
    for name, model in (('lan743x', 'lan743x'), ('8139cp', 'rtl_tally'), ('macb', 'gem'),
                        *((driver, 'e1000e') for driver in INTEL)):
        strings = []
        for modules in UNCONVERTED, (name,):
            port = hardware(here, model, options=INTEL.get(name))
            with on_bench(here, name, port, converted=modules) as nic:
                strings.append(list(nic.strings()))
        if name in INTEL:
            expect_equal(set(strings[0]) - set(strings[1]), set(), f'what {name} has lost')
        else:
            order = sorted if name == 'lan743x' else list
            expect_equal(order(strings[1]), order(strings[0]), f'ethtool -S of {name}')


@case_in_first_place
def packets_of_ip_stay_those_of_rings(here):
    """There are none: only the registers count."""
    for name, model, frames in (('igb', 'e1000e', 'rx_packets'), ('igc', 'e1000e', 'rx_packets'),
                                ('macb', 'gem', 'rx_frames'), ('8139cp', 'rtl_tally', 'rx_ok')):
        for modules in UNCONVERTED, (name,):
            port = hardware(here, model, options=INTEL.get(name))
            with on_bench(here, name, port, converted=modules) as nic:
                inject_frames(port)
                shows(nic.strings, {frames: 15}, f'{name} {modules}')
                shows(nic.link, {'rx_packets': 0, 'rx_bytes': 0, 'tx_packets': 0, 'tx_bytes': 0},
                      f'ip: {name} {modules}')


@case_in_first_place
def lan743x_adds_octets_in_64_bits_only_if_it_is_converted(here):
    """Two counters hold 2^31 and 2^31 - 1000 octets: their sum exceeds 32 bits before they do."""
    for modules, more in (UNCONVERTED, 2000 - (1 << 32)), (LAN743X, 2000 - 2 * 4):
        port = hardware(here, 'lan743x')
        with lan743x(here, port, modules) as nic:
            port.preset('rx_unicast_octets', 1 << 31)
            port.preset('rx_broadcast_octets', (1 << 31) - 1000)
            before = nic.link()['rx_bytes']
            port.inject(count=2, length=1000)
            shows(nic.link, {'rx_bytes': before + more}, f'ip {modules}')


@case_in_first_place
def lan743x_goes_on_at_a_wrap_only_if_it_is_converted(here):
    for modules, more in (UNCONVERTED, 2 - (1 << 32)), (LAN743X, 2):
        port = hardware(here, 'lan743x')
        with lan743x(here, port, modules) as nic:
            port.preset('rx_total_frames', (1 << 32) - 1)
            before = nic.link()['rx_packets']
            port.inject(count=2, length=64)
            shows(nic.link, {'rx_packets': before + more}, f'ip {modules}')


@case_in_first_place
def lan743x_keeps_its_totals_while_it_is_unplugged_if_it_is_converted(here):
    for modules, value in (UNCONVERTED, (1 << 32) - 1), (LAN743X, 3):
        port = hardware(here, 'lan743x')
        with lan743x(here, port, modules) as nic:
            port.inject(count=3, length=64, errors=['fcs'])
            shows(nic.strings, {'RX FCS Errors': 3}, 'before')
            port.fault('unplug', True)
            shows(nic.strings, {'RX FCS Errors': value}, f'unplugged: {modules}')
            port.fault('unplug', False)
            shows(nic.strings, {'RX FCS Errors': 3}, f'plugged in again: {modules}')


@case_in_first_place
def stmmac_shows_what_its_registers_hold(here):
    """Packets and octets of ip are those of its descriptors, of which there are none."""
    for model, modules in itertools.product(STMMAC_MACS, (UNCONVERTED, STMMAC)):
        port = hardware(here, model)
        with stmmac(here, port, modules) as nic:
            inject_frames(port)
            shows(nic.strings, {'mmc_rx_framecount_gb': 17, 'mmc_rx_octetcount_g': 5502,
                                'mmc_rx_broadcastframe_g': 5, 'mmc_rx_multicastframe_g': 3,
                                'mmc_rx_unicast_g': 7, 'mmc_rx_crc_error': 2,
                                'mmc_rx_64_octets_gb': 9, 'mmc_tx_framecount_g': 4,
                                'mmc_tx_octetcount_g': 800, 'tx_deferred': 0, 'q0_rx_pkt_n': 0},
                  f'ethtool -S of {model} {modules}')
            shows(nic.link, {'rx_packets': 0, 'rx_bytes': 0, 'rx_errors': 0}, f'ip {modules}')
            if modules:
                shows(lambda: nic.groups()['eth-mac'],
                      {'FramesReceivedOK': 15, 'FramesTransmittedOK': 4,
                       'FrameCheckSequenceErrors': 2}, 'groups')


@case_in_first_place
def stmmac_has_the_strings_of_the_counters_that_its_mac_has(here):
    """A GMAC has none of low power idle, frame preemption and gates, nor what an XGMAC adds."""
    strings = []
    for modules in UNCONVERTED, STMMAC:
        with stmmac(here, hardware(here, 'dwmac_mmc'), modules) as nic:
            strings.append(set(nic.strings()))
    expect_equal(strings[1] - strings[0], set(), 'new strings')
    expect_equal(strings[0] - strings[1], {
        'mmc_tx_lpi_usec', 'mmc_tx_lpi_tran', 'mmc_rx_lpi_usec', 'mmc_rx_lpi_tran',
        'mmc_rx_discard_frames_gb', 'mmc_rx_discard_octets_gb', 'mmc_rx_align_err_frames',
        'mmc_sgf_pass_fragment_cntr', 'mmc_sgf_fail_fragment_cntr', 'mmc_tx_fpe_fragment_cntr',
        'mmc_tx_hold_req_cntr', 'mmc_tx_gate_overrun_cntr', 'mmc_rx_packet_assembly_err_cntr',
        'mmc_rx_packet_smd_err_cntr', 'mmc_rx_packet_assembly_ok_cntr',
        'mmc_rx_fpe_fragment_cntr'}, 'strings that go')


@case_in_first_place
def stmmac_goes_on_beyond_32_bits_only_if_it_is_converted(here):
    for model, (modules, more) in itertools.product(
            STMMAC_MACS, ((UNCONVERTED, 2000 - (1 << 32)), (STMMAC, 2000))):
        port = hardware(here, model)
        with stmmac(here, port, modules) as nic:
            port.preset('rx_octetcount_g', (1 << 32) - 1000)
            before = nic.strings()['mmc_rx_octetcount_g']
            port.inject(count=2, length=1000)
            shows(nic.strings, {'mmc_rx_octetcount_g': before + more},
                  f'ethtool -S of {model} {modules}')


@case_in_first_place
def stmmac_keeps_its_totals_at_open_only_if_it_is_converted(here):
    """The reset of the DMA resets the MAC, too: 2 FCS errors are read before, 3 are not."""
    for model, (modules, after) in itertools.product(
            STMMAC_MACS, ((UNCONVERTED, 0), (STMMAC, 5))):
        port = hardware(here, model)
        with stmmac(here, port, modules) as nic:
            port.inject(count=2, length=64, errors=['fcs'])
            shows(nic.strings, {'mmc_rx_crc_error': 2}, f'before {modules}')
            port.inject(count=3, length=64, errors=['fcs'])
            nic.down()
            nic.up()
            shows(nic.strings, {'mmc_rx_crc_error': after},
                  f'after down and up of {model} {modules}')
            port.inject(count=1, length=64, errors=['fcs'])
            shows(nic.strings, {'mmc_rx_crc_error': after + 1}, f'one more {modules}')


@case_in_first_place
def rtl8139cp_goes_on_beyond_16_bits_only_if_it_is_converted(here):
    """16 bits hold missed frames; that they roll over is inferred."""
    for modules, more in (UNCONVERTED, 4 - (1 << 16)), (RTL8139CP, 4):
        port = hardware(here, 'rtl_tally')
        port.preset('rx_missed', 65534)
        with rtl8139cp(here, port, modules) as nic:
            before = nic.strings()['rx_fifo']
            port.inject(count=4, length=64, errors=['overrun'])
            shows(nic.strings, {'rx_fifo': before + more}, f'ethtool -S {modules}')


@case_in_first_place
def rtl8139cp_has_no_address_for_a_dump_when_it_is_closed(here):
    """The memory behind its rings is freed. The address is in 0x10 and 0x14."""
    for modules in UNCONVERTED, RTL8139CP:
        port = hardware(here, 'rtl_tally')
        with rtl8139cp(here, port, modules) as nic:
            port.inject(count=2, length=64)
            shows(nic.strings, {'rx_ok': 2}, f'ethtool -S {modules}')
            nic.down()
            expect_equal(nic.read(0x10, 8), 0, f'the address of {modules}')


@case_in_first_place
def intel_drivers_read_their_counters_before_a_reset_clears_them(here):
    """CTRL.RST, which these set when they stop, clears the counters: 0x4074 is GPRC."""
    for driver, modules in INTEL_MODULES:
        port = hardware(here, 'e1000e', options=INTEL[driver])
        with on_bench(here, driver, port, converted=modules) as nic:
            for total in 7, 14:
                port.inject(count=7, length=64)
                nic.down()
                expect_equal(port.peek(0x4074), 0, f'{driver}: GPRC after {total} frames')
                nic.up()
                shows(nic.strings, {'rx_packets': total}, f'{driver} {modules}')


@case_in_first_place
def igb_counts_receive_errors_of_its_internal_phy_alone(here):
    """RXERRC. LINK_MODE, bits 23:22 of CTRL_EXT, 0x18, is 0 with this PHY, and 3 with a SerDes."""
    for modules, string in (UNCONVERTED, 'rx_errors'), (('igb',), 'rx_data_errors'):
        port = hardware(here, 'e1000e', options=INTEL['igb'])
        with on_bench(here, 'igb', port, converted=modules) as nic:
            for mode, errors in (3, 0), (0, 5):
                nic.write(0x18, mode << 22)
                port.preset('rx_data_errors', 5)
                shows(nic.strings, {string: errors}, f'{modules} mode {mode}')


@case_in_first_place
def igb_and_igc_have_their_counters_in_a_register_dump(here):
    """CRCERRS, GPRC and GORC are the words 54, 80 and 84 of igb, and 30, 56 and 60 of igc."""
    for driver, places in ('igb', (54, 80, 84)), ('igc', (30, 56, 60)):
        for modules in UNCONVERTED, (driver,):
            port = hardware(here, 'e1000e', options=INTEL[driver])
            with on_bench(here, driver, port, converted=modules) as nic:
                inject_frames(port)
                shows(nic.strings, {'rx_packets': 15}, f'{driver} {modules}')
                dump = octets('ethtool', '-d', nic.name, 'raw', 'on')
                words = struct.unpack(f'<{len(dump) // 4}I', dump)
                expect_equal([words[place] for place in places], [2, 15, RX_OCTETS],
                             f'the dump of {driver} {modules}')


@case_in_first_place
def macb_loses_in_a_sleep_what_nobody_has_read_and_converted_it_does_not(here):
    """Without Wake-on-LAN, it resets the MAC when it falls asleep; with it, when it wakes up, and the
    MAC receives meanwhile. A MAC that sleeps without it has no clocks."""
    for wol, received, modules, total in (('d', 0, UNCONVERTED, 2), ('d', 0, MACB, 5),
                                          ('g', 4, UNCONVERTED, 2), ('g', 4, MACB, 9)):
        port = hardware(here, 'gem')
        with on_bench(here, 'macb', port, converted=modules) as nic:
            output('ethtool', '-s', nic.name, 'wol', wol)
            port.inject(count=2, length=64, errors=['fcs'])
            shows(nic.link, {'rx_crc_errors': 2}, f'before {modules}')
            port.inject(count=3, length=64, errors=['fcs'])
            with asleep('macb'):
                if received:
                    port.inject(count=received, length=64, errors=['fcs'])
                else:
                    before = nic.trace()
                    nic.link()
                    expect_equal(nic.trace() == before, modules == MACB, f'no access {modules}')
            shows(nic.link, {'rx_crc_errors': total}, f'Wake-on-LAN {wol} {modules}')


@case_in_first_place
def macb_counts_an_overrun_twice_and_converted_it_does_not(here):
    """Bit 10 of int_status, 0x0024: a frame was lost, which rx_overruns counts, too."""
    for modules, overruns in (UNCONVERTED, 2), (MACB, 1):
        port = hardware(here, 'gem')
        with on_bench(here, 'macb', port, converted=modules) as nic:
            port.inject(count=1, length=64, errors=['overrun'])
            nic.write(0x0024, 1 << 10)
            nic.interrupt()
            shows(nic.link, {'rx_fifo_errors': overruns}, f'ip {modules}')


@case_in_first_place
def macb_reads_the_registers_of_a_closed_mac_and_converted_it_does_not(here):
    """Its clocks run only while it is open."""
    for modules in UNCONVERTED, MACB:
        port = hardware(here, 'gem')
        with on_bench(here, 'macb', port, converted=modules) as nic:
            port.inject(count=3, length=64)
            shows(nic.strings, {'rx_frames': 3}, f'ethtool -S {modules}')
            nic.down()
            before = nic.trace()
            shows(nic.strings, {'rx_frames': 3}, f'ethtool -S of a closed one {modules}')
            nic.link()
            expect_equal(nic.trace() == before, modules == MACB, 'no access')


main()
