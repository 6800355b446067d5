# SPDX-License-Identifier: GPL-2.0
"""The tables of docs/faults.md, and checks that users see what they state."""

import pathlib

import cli
import uapi
from ports import KernelLog
from tap import Failure, expect, wait_for

REPO = pathlib.Path(__file__).resolve().parents[3]

# The counter of each model that counts each good frame received.
COUNTERS = {'ll40g': 'rx_st', 'll40g_agilex5': 'rx_64b', 'ixf1104': 'rx_pkts64_octets',
            'rc32438': 'rx_rpc', 'cpsw': 'rx_good_frames', 'e1000': 'rx_good_frames',
            'e1000e': 'rx_good_frames', 'gem': 'rx_frames', 'k1_emac': 'rx_frames',
            'lan743x': 'rx_total_frames', 'unimac': 'rx_pkts', 'am65_cpsw': 'rx_good_frames',
            'mt7530': 'rx_unicast', 'dwmac_mmc': 'rx_framecount_good_bad',
            'dwmac4_mmc': 'rx_framecount_good_bad', 'dwxgmac_mmc': 'rx_framecount_good_bad',
            'alx': 'rx_sz_64', 'altera_tse': 'rx_pkts', 'netc': 'rx_emac_packets'}
BEFORE, MORE = 1000, 7
NOT_POLLED = 'not polled within the wrap time'
ATTEMPTS = 10


def table(start):
    """The cells of the rows of the page that begin with @start."""
    lines = (REPO / 'docs/faults.md').read_text().splitlines()
    return [[cell.strip().strip('`') for cell in line.strip('|').split('|')]
            for line in lines if line.startswith(start)]


def names_of(events):
    """The names of the events in notifications, in alphabetical order"""
    bits = {uapi.NUMBERS[name]: name.removeprefix('MACSTATS_EVENT_').lower()
            for name in uapi.NUMBERS if name.startswith('MACSTATS_EVENT_')}
    return sorted(bits[bit] for mask in events for bit in bits if mask & bit)


def seen_by_all(port, counter, shown):
    """[(total, stale)] of each interface; None if it does not report staleness."""
    stats = port.stats()
    seen = [(dict(zip(port.counter_names(), stats['values']))[counter], 'stale' in stats),
            (port.ethtool().totals()[counter], None)]
    if shown:
        seen.append((shown['totals'][counter], shown['state']['stale']))
    return seen


def expect_seen(port, counter, state, frames, title, show=True):
    """Netlink, ethtool -S and macstats show (which is slow) agree with the page."""
    def state_now():
        now = port.state()
        return f"stale: {now['stale_reason']}" if 'stale' in now else 'good'
    shown = cli.shown(port) if show else None
    seen = seen_by_all(port, counter, shown)
    for total, stale in seen:
        expect(str(total) in frames.split(' or '), f'{title}: {total} frames, not {frames}: {seen}')
        expect(stale in (None, state != 'good'), f'{title}: {state}: {seen}')
    wait_for(lambda: state_now() == state, f'{title}: {state}')
    return shown and shown['state']


def unless_late(function):
    """Calls it; again if it fails and a read came later than the wrap time, as it does now and then
    where the machine has other work."""
    for attempt in range(1, ATTEMPTS + 1):
        log = KernelLog()
        try:
            return function()
        except Failure:
            late = any(NOT_POLLED in line for line in log.lines())
            if not late or attempt == ATTEMPTS:
                raise
            print('# again, as the machine was too slow')
    return None
