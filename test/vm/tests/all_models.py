#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every MAC counts exactly the frames that cross the wire, in a real kernel, with
clear-on-read, full and unreadable counters."""

# architectures

import errno
import subprocess

import cli
import uapi
from genl import EMU_PORT, STATS, Family
from netdev import packet_socket, received
from ports import (Sender, bring_up, case_in_place, expect_rejected, reader_wait,
                   rejection)
from tap import expect, expect_equal, main, wait_for
from users import Child

WIRE = 100  # octets of a frame with FCS
FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(WIRE - 4 - 14)
SENT = 2000
# Frames of an injection, and number of injections: 32-bit octet counters wrap three times.
CHUNK, CHUNKS = 10_000_000, 14
FASTEST = 1000  # microseconds between polls

# The amounts that unicast, untagged frames of WIRE octets add to the counters of the sender
# and of the receiver, by the datasheets.
COUNTS = {
    'll40g': ({'tx_ucast_data_ok': 1, 'tx_65to127b': 1, 'tx_st': 1, 'tx_octets_ok': WIRE - 18},
              {'rx_ucast_data_ok': 1, 'rx_65to127b': 1, 'rx_st': 1, 'rx_octets_ok': WIRE - 18}),
    'll40g_agilex5': (
        {'tx_ucast_data_ok': 1, 'tx_65to127b': 1, 'tx_octets_ok': WIRE - 18,
         'tx_frame_octets_ok': WIRE},
        {'rx_ucast_data_ok': 1, 'rx_65to127b': 1, 'rx_octets_ok': WIRE - 18,
         'rx_frame_octets_ok': WIRE}),
    'ixf1104': ({'tx_uc_pkts': 1, 'tx_pkts65to127_octets': 1, 'tx_octets_transmitted_ok': WIRE},
                {'rx_uc_pkts': 1, 'rx_pkts65to127_octets': 1, 'rx_octets_total_ok': WIRE}),
    'rc32438': ({'tx_tbc': WIRE, 'tx_ok': 1, 'tx_ok_octets': WIRE - 4},
                {'rx_rpc': 1, 'rx_rbc': WIRE, 'rx_ok': 1, 'rx_ok_octets': WIRE}),
    'cpsw': ({'tx_good_frames': 1, 'tx_octets': WIRE, 'rxtx_65_127_octet_frames': 1,
              'rxtx_net_octets': WIRE},
             {'rx_good_frames': 1, 'rx_octets': WIRE, 'rxtx_65_127_octet_frames': 1,
              'rxtx_net_octets': WIRE}),
    'e1000': ({'tx_good_frames': 1, 'tx_65_to_127_octets': 1, 'tx_good_octets': WIRE,
               'tx_total_frames': 1, 'tx_total_octets': WIRE},
              {'rx_good_frames': 1, 'rx_65_to_127_octets': 1, 'rx_good_octets': WIRE,
               'rx_total_frames': 1, 'rx_total_octets': WIRE}),
    # As an 82574, by default.
    'e1000e': ({'tx_good_frames': 1, 'tx_65_to_127_octets': 1, 'tx_good_octets': WIRE,
                'tx_total_frames': 1, 'tx_total_octets': WIRE},
               {'rx_good_frames': 1, 'rx_65_to_127_octets': 1, 'rx_good_octets': WIRE,
                'rx_total_frames': 1, 'rx_total_octets': WIRE}),
    'gem': ({'tx_frames': 1, 'tx_65_to_127_octets': 1, 'tx_octets': WIRE},
            {'rx_frames': 1, 'rx_65_to_127_octets': 1, 'rx_octets': WIRE}),
    'k1_emac': ({'tx_frames': 1, 'tx_total_frames': 1, 'tx_octets': WIRE, 'tx_unicast': 1},
                {'rx_frames': 1, 'rx_total_frames': 1, 'rx_octets': WIRE, 'rx_total_octets': WIRE,
                 'rx_unicast': 1, 'rx_65_to_127_octets': 1}),
    'rtl_tally': ({'tx_frames': 1}, {'rx_frames': 1, 'rx_unicast': 1}),
    'lan743x': ({'tx_unicast_frames': 1, 'tx_unicast_octets': WIRE, 'tx_65_to_127_octets': 1,
                 'tx_total_frames': 1},
                {'rx_unicast_frames': 1, 'rx_unicast_octets': WIRE, 'rx_65_to_127_octets': 1,
                 'rx_total_frames': 1}),
    'mt7530': ({'tx_unicast': 1, 'tx_pkt_sz_65_to_127': 1, 'tx_bytes': WIRE},
               {'rx_unicast': 1, 'rx_pkt_sz_65_to_127': 1, 'rx_bytes': WIRE}),
    'unimac': ({'tx_pkts': 1, 'tx_65_127_oct': 1, 'tx_bytes': WIRE, 'tx_good_pkts': 1,
                'tx_unicast': 1},
               {'rx_pkts': 1, 'rx_65_127_oct': 1, 'rx_bytes': WIRE, 'rx_good_pkts': 1,
                'rx_unicast': 1}),
    'alx': ({'tx_ok': 1, 'tx_byte_cnt': WIRE - 4, 'tx_sz_65_127': 1},
            {'rx_ok': 1, 'rx_byte_cnt': WIRE - 4, 'rx_sz_65_127': 1}),
    'altera_tse': ({'tx_frames_transmitted_ok': 1, 'tx_octets_transmitted_ok': WIRE - 18,
                    'tx_if_out_ucast_pkts': 1},
                   {'rx_frames_received_ok': 1, 'rx_octets_received_ok': WIRE - 18,
                    'rx_if_in_ucast_pkts': 1, 'rx_octets': WIRE, 'rx_pkts': 1,
                    'rx_pkts_65_to_127_octets': 1}),
    'netc': ({'tx_emac_ethernet_octets': WIRE, 'tx_emac_octets': WIRE, 'tx_emac_frames': 1,
              'tx_emac_unicast_frames': 1, 'tx_emac_packets': 1, 'tx_emac_65_to_127_octets': 1},
             {'rx_emac_ethernet_octets': WIRE, 'rx_emac_octets': WIRE, 'rx_emac_frames': 1,
              'rx_emac_unicast_frames': 1, 'rx_emac_packets': 1, 'rx_emac_65_to_127_octets': 1}),
    'am65_cpsw': ({'tx_good_frames': 1, 'tx_octets': WIRE, 'rxtx_65_127_octet_frames': 1,
                   'rxtx_net_octets': WIRE, 'tx_pri0_frames': 1, 'tx_pri0_octets': WIRE},
                  {'rx_good_frames': 1, 'rx_octets': WIRE, 'rxtx_65_127_octet_frames': 1,
                   'rxtx_net_octets': WIRE}),
}
# The maps of Synopsys differ in addresses and widths.
COUNTS |= dict.fromkeys(
    ('dwmac_mmc', 'dwmac4_mmc', 'dwxgmac_mmc'),
    ({'tx_octetcount_good_bad': WIRE, 'tx_framecount_good_bad': 1, 'tx_65_to_127_octets_good_bad': 1,
      'tx_unicast_good_bad': 1, 'tx_octetcount_g': WIRE, 'tx_framecount_g': 1},
     {'rx_framecount_good_bad': 1, 'rx_octetcount_good_bad': WIRE, 'rx_octetcount_g': WIRE,
      'rx_65_to_127_octets_good_bad': 1, 'rx_unicast_g': 1}))
# A register without side effects of a read.
HARMLESS = {'ll40g': 0x506, 'll40g_agilex5': 0x506, 'ixf1104': 0x0f, 'rc32438': 0x214,
            'cpsw': 0x30, 'e1000': 0x08, 'e1000e': 0x08, 'gem': 0xfc, 'k1_emac': 0x10c,
            'rtl_tally': 0x14, 'lan743x': 0x00, 'unimac': 0x14, 'am65_cpsw': 0x3a230,
            'mt7530': 0x4fe0, 'dwmac_mmc': 0x100, 'dwmac4_mmc': 0x700, 'dwxgmac_mmc': 0x800,
            'alx': 0x1480, 'altera_tse': 0x14, 'netc': 0x14}
PORTS = {'ll40g': 1, 'll40g_agilex5': 1, 'ixf1104': 4, 'rc32438': 2, 'cpsw': 1, 'e1000': 1,
         'e1000e': 1, 'gem': 1, 'k1_emac': 1, 'rtl_tally': 1, 'lan743x': 1, 'unimac': 1,
         'am65_cpsw': 1, 'mt7530': 1, 'dwmac_mmc': 1, 'dwmac4_mmc': 1, 'dwxgmac_mmc': 1,
         'alx': 1, 'altera_tse': 1, 'netc': 1}
LINE_RATE = {'ll40g': 40 * 10**9, 'll40g_agilex5': 40 * 10**9, 'ixf1104': 10**9,
             'rc32438': 10**8, 'cpsw': 10**9, 'e1000': 10**9, 'e1000e': 2500 * 10**6,
             'gem': 10**9, 'k1_emac': 10**9, 'rtl_tally': 10**9, 'lan743x': 10**9,
             'unimac': 10**9, 'am65_cpsw': 10**9, 'mt7530': 10**9, 'dwmac_mmc': 10**9,
             'dwmac4_mmc': 2500 * 10**6, 'dwxgmac_mmc': 10**10, 'alx': 10**9,
             'altera_tse': 10**9, 'netc': 10**10}


def look_on(port, address):
    """Reads a register without side effects, not through the provider."""
    with port.place.inside():
        family = Family(uapi.MACSTATS_EMU_GENL_NAME)
    request = EMU_PORT.encode(ifindex=port.ifindex, address=address)
    return Child(lambda: family.do(uapi.MACSTATS_EMU_CMD_REG_READ, request))


def check_counts(port, counts, frames):
    """Exactly these counters."""
    totals = {name: value for name, value in port.totals().items() if value}
    expect_equal(totals, {name: step * frames for name, step in counts.items()},
                 f'{port.model}: {port.name}')


def model_pair(here, model, **details):
    left = here.add(model, quiet=False, **details)
    right = here.add(model, quiet=False, **details)
    left.link(right)
    bring_up(left, right)
    return left, right


@case_in_place
def all_models_are_there_with_their_ports_and_speeds(here):
    models = cli.macstats_json('models')
    for facts, member in (PORTS, 'ports'), (LINE_RATE, 'line_rate_bps'):
        known = {model['name']: model[member] for model in models if model['name'] in facts}
        expect_equal(known, facts, member)
    expect_equal(here.models(), [], 'models without a port')
    for model in models:
        left, _ = model_pair(here, model['name'])
        with here.inside():
            shown = subprocess.run(['ethtool', left.name], capture_output=True, text=True,
                                   check=True).stdout
        expect(f'Speed: {model["line_rate_bps"] // 10**6}Mb/s' in shown, f'{model}: {shown}')
    expect_equal({model['name']: model['ports'] for model in here.models()},
                 {model['name']: model['ports'] for model in models}, 'ports in the modules')


@case_in_place
def two_readers_a_poller_and_traffic_lose_no_count(here):
    for model, (sent, received) in here.with_facts(COUNTS):
        left, right = model_pair(here, model)
        for port in (left, right):
            port.set_poll_interval(FASTEST)
        users = [Child(left.ethtool().read), Child(right.ethtool().read),
                 Sender(left, FRAME, SENT), look_on(right, HARMLESS[model])]
        try:
            for _ in range(CHUNKS):
                right.inject(CHUNK, length=WIRE)
                right.totals()  # 10^9 octets: read before the next 3 of these
            wait_for(lambda: users[2].done == SENT, 'all frames to be sent')  # noqa: B023
        finally:
            for user in users:
                user.stop()
        check_counts(left, sent, SENT)
        check_counts(right, received, SENT + CHUNK * CHUNKS)
        left.delete()
        right.delete()


@case_in_place
def a_frame_of_the_longest_length_crosses_the_wire_whole(here):
    """The IXF1104 cuts longer ones, which it then sends with a bad FCS."""
    left, right = here.pair(model='ixf1104')
    left.send(bytes.fromhex('ffffffffffff 020000000001 88b5') + bytes(1500), 1)
    totals = right.totals()
    expect_equal([totals[name] for name in ('rx_octets_total_ok', 'rx_octets_bad',
                                            'rx_fcs_errors')], [1518, 0, 0], 'received')
    totals = left.totals()
    expect_equal((totals['tx_octets_transmitted_ok'], totals['tx_octets_transmitted_bad']),
                 (1518, 0), 'sent')


# The registers of the maximum frame lengths and their values for an MTU of 1,500: with an
# Ethernet header, an FCS and, unless the MAC allows it in addition, a tag. A bit of e1000
# chooses between two lengths, and one of gem; another one of gem enables the register.
MAX_FRAME = {'ll40g': {0x407: 1522, 0x506: 1522}, 'll40g_agilex5': {0x407: 1522, 0x506: 1522},
             'rc32438': {0x214: 1522}, 'cpsw': {0x4a100d90: 1522}, 'ixf1104': {0x0f: 1518},
             'gem': {0x48: 1522}, 'k1_emac': {0x10c: 1522}, 'unimac': {0x14: 1522},
             'am65_cpsw': {0x22024: 1522}, 'dwmac4_mmc': {0x04: 1518},
             'alx': {0x149c: 1522}, 'altera_tse': {0x14: 1518}, 'netc': {0x14: 1522}}
RESET_VALUES = {'ll40g': 9600, 'll40g_agilex5': 9600, 'rc32438': 1536, 'cpsw': 1518,
                'ixf1104': 1518, 'gem': 10240, 'k1_emac': 1518, 'unimac': 1518,
                'am65_cpsw': 1518, 'dwmac4_mmc': 0, 'alx': 1522,
                'altera_tse': 1518, 'netc': 1536}


def max_frames(port):
    return {address: port.peek(address) for address in MAX_FRAME[port.model]}


@case_in_place
def every_mac_is_set_up_for_the_mtu_also_after_a_restart_by_its_driver(here):
    for model, registers in here.with_facts(MAX_FRAME):
        port = here.add(model, quiet=False)
        expect_equal(max_frames(port), registers, f'{model}: at first')
        longer = {address: value + 500 for address, value in registers.items()}
        port.set_mtu(2000)
        expect_equal(max_frames(port), longer, f'{model}: with a longer MTU')
        port.fault('reset', announced=True)
        expect('discontinuity_counter' not in port.state(), f'{port.state()}: no counter told it')
        expect_equal(max_frames(port), longer, f'{model}: after a reset')
        port.fault('suspend')
        port.fault('suspend', False)
        expect_equal(max_frames(port), longer, f'{model}: after a suspend')
        port.set_mtu(1500)
        expect_equal(max_frames(port), registers, f'{model}: with the usual MTU')
        port.delete()


@case_in_place
def an_mtu_over_1500_enables_long_packets(here):
    port, rctl, long_packets = here.add('e1000', quiet=False), 0x100, 1 << 5
    for mtu, expected in (1500, 0), (1501, long_packets), (16362, long_packets), (1400, 0):
        port.set_mtu(mtu)
        expect_equal(port.peek(rctl) & long_packets, expected, f'with an MTU of {mtu}')


@case_in_place
def an_mtu_chooses_1518_or_1536_octets_or_a_register(here):
    port, network_config, is_1536, is_jumbo = here.add('gem', quiet=False), 0x4, 1 << 8, 1 << 3
    for mtu, expected in (1496, 0), (1497, is_1536), (1514, is_1536), (1515, is_1536 | is_jumbo):
        port.set_mtu(mtu)
        expect_equal(port.peek(network_config) & (is_1536 | is_jumbo), expected,
                     f'with an MTU of {mtu}')


@case_in_place
def a_held_mac_keeps_its_registers_at_every_mtu(here):
    for model, value in here.with_facts(RESET_VALUES):
        port = here.add(model, held=True, quiet=False)
        values = dict.fromkeys(MAX_FRAME[model], value)
        for mtu in (1400, 2000, 1500):
            port.set_mtu(mtu)
            expect_equal(max_frames(port), values, f'{model}: with an MTU of {mtu}')
        port.delete()


@case_in_place
def the_longest_mtu_leaves_room_for_a_tag(here):
    limits = {'ll40g': 65513, 'll40g_agilex5': 65513, 'rc32438': 65513, 'cpsw': 16361,
              'ixf1104': 16365, 'e1000': 16362, 'e1000e': 16362, 'gem': 16361,
              'k1_emac': 16361, 'rtl_tally': 65513, 'lan743x': 16365, 'unimac': 16361,
              'am65_cpsw': 16361, 'mt7530': 1500, 'dwmac_mmc': 9000, 'dwmac4_mmc': 16365,
              'dwxgmac_mmc': 16365, 'alx': 65513, 'altera_tse': 16365, 'netc': 65513}
    for model, limit in here.with_facts(limits):
        port = here.add(model, quiet=False)
        port.set_mtu(limit)
        rejection(lambda: port.set_mtu(limit + 1))  # noqa: B023


@case_in_place
def a_tagged_frame_with_a_full_payload_arrives_without_error(here):
    tagged = b'\x02' + bytes(11) + b'\x81\x00\x00\x05\x88\xb5' + bytes(1500)  # 1522 with FCS
    for model, counter in (('cpsw', 'rx_good_frames'), ('ll40g', 'rx_ucast_data_ok')):
        left, right = here.pair(model=model)
        with here.inside():
            listener = packet_socket(right.name, receive=True)
        left.send(tagged, 3)
        wait_for(lambda: right.totals()[counter] == 3, f'{model}: good frames')
        expect_equal([len(frame) for frame in received(listener)], [len(tagged) - 4] * 3,
                     f'{model}: frames that the host got, less the tag')
        listener.close()


@case_in_place
def a_gate_that_closes_right_after_a_read_is_no_reset(here):
    port, gate = here.add('cpsw'), 0x4a10000c
    with reader_wait(10_000):
        port.inject(4, length=WIRE)
        port.fault('slow_bus', argument=10_000)
        read = STATS.encode(ifindex=port.ifindex)
        close = EMU_PORT.encode(ifindex=port.ifindex, address=gate, value=0)
        here.query.do(uapi.MACSTATS_CMD_STATS_GET, read)
        here.emu.do(uapi.MACSTATS_EMU_CMD_REG_WRITE, close)
        port.fault('slow_bus', False)
        expect_equal(port.totals()['rx_good_frames'], 4, 'gate closed')
    expect('stale' in port.state(), str(port.state()))
    expect_equal(port.state()['discontinuities'], 0, 'discontinuities')


# By a place in the list of revisions: a counter that it has, one that it lacks and a statistic.
REVISIONS = {
    'revision_2': ('rx_overrun_interrupts', 'tx_collisions', 'rtnl/tx_errors'),
    'revision_3': ('tx_host_discarded', 'rx_carrier_extension_errors', None),
    'revision_4': ('tx_low_power_idle', 'tx_no_carrier_sense', 'eth-mac/CarrierSenseErrors')}


@case_in_place
def counters_of_other_revisions_are_shown_nowhere(here):
    counters = {row['name']: row for row in cli.macstats_json('model', 'e1000e')['counters']}
    for revision, (has, lacks, statistic) in REVISIONS.items():
        port = here.add('e1000e', options=['statistics', revision], quiet=False)
        port.inject(3, length=WIRE)
        with here.inside():
            shown, = cli.macstats_json('show', port.name)
            strings = cli.ethtool_statistics(port.name)
        for seen in shown['totals'], strings, port.totals():
            expect_equal(seen.get('rx_good_frames'), 3, f'{revision}: frames')
            expect_equal((has in seen, lacks in seen), (True, False), f'{revision}: counters')
        expect_equal(port.peek(counters[lacks]['offset']), 0, f'{revision}: {lacks}')
        if statistic:
            group, name = statistic.split('/')
            expect(name not in shown['standard'].get(group, {}), f'{revision}: {shown}')
        expect_rejected(revision, lambda: port.preset(lacks, 1),  # noqa: B023
                        errno.EOPNOTSUPP, rf'without (?:{lacks}|\.\.\.)')  # as in says()
        port.delete()
    rejected = rejection(
        lambda: here.add('e1000e', options=['statistics', 'revision_2', 'revision_4']))
    expect('one revision of' in str(rejected), rejected)


@case_in_place
def unsupported_statistics_are_absent(here):
    port = here.add('cpsw', quiet=False)
    with here.inside():
        shown = subprocess.run(['ethtool', '-S', port.name, '--groups', 'rmon', 'eth-mac'],
                               capture_output=True, text=True, check=True).stdout
    expect('etherStatsPkts' not in shown, shown)
    expect('OctetsTransmittedOK' not in shown, shown)
    expect('eth-mac-FramesReceivedOK: 0' in shown, shown)


main()
