#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Statistics of the express and the preemptible MAC of a port, as `ethtool -S --src` shows them,
and of the MAC Merge sublayer above them, as `ethtool -I --show-mm` does. The ethtool of Debian 12
does neither."""

import contextlib
import errno
import sys

import cli
from genl import CODECS, NLA_F_NESTED, Family, attribute, split
from tap import expect_equal, main, skip_all

from ports import KERNEL_VERSION, case_in_place, expect_rejected

if KERNEL_VERSION < (6, 3):
    skip_all('this kernel knows one MAC only')

# include/uapi/linux/ethtool_netlink.h
STATS_GET, MM_GET = 32, 42
STATS_HEADER, STATS_GROUPS, STATS_GRP, STATS_SRC = 2, 3, 4, 5
GRP_ID, GRP_STAT, GRP_HIST_RX, HIST_LOW, HIST_VAL = 2, 4, 5, 7, 9
MM_HEADER, MM_STATS, MM_STAT_TX_FRAG_COUNT = 1, 11, 6
HEADER_DEV_INDEX, HEADER_FLAGS, FLAG_STATS = 1, 3, 1 << 2
BITSET_NOMASK, BITSET_BITS, BITSET_BIT, BIT_NAME = 1, 3, 1, 2
ETH_MAC, TX_PKT, RX_PKT = 1, 0, 3  # the group, and two statistics of it
AGGREGATE, EMAC, PMAC = 0, 1, 2
# Of netc: the bit that lets writes be stored, octets, frames, and those of 64 and 65 to 127 octets.
PM1_STATN_CONFIG, WEN, PM1_COUNTERS = 0x4e0, 1 << 3, (0x500, 0x508, 0x520, 0x570, 0x578)
STAT_PORT_EN, IET_TX_FRAG = 0x20014, 0x3a354  # of am65_cpsw


def u32(value):
    return CODECS['u32'][0](value)


def number(data):
    return int.from_bytes(data, sys.byteorder)


def nest(kind, *attributes):
    return attribute(kind | NLA_F_NESTED, b''.join(attributes))


def ask(port, command, header, *attributes, flags=0):
    """The attributes of the answer."""
    with port.place.inside(), contextlib.closing(Family('ethtool')) as family:
        reply, = family.do(command, nest(
            header, attribute(HEADER_DEV_INDEX, u32(port.ifindex)),
            attribute(HEADER_FLAGS, u32(flags))) + b''.join(attributes))
    return split(reply)


def statistics(port, mac):
    """({statistic of eth-mac: value}, {lowest length: frames})"""
    groups = nest(STATS_GROUPS, attribute(BITSET_NOMASK), nest(BITSET_BITS, *(
        nest(BITSET_BIT, attribute(BIT_NAME, name.encode() + b'\0'))
        for name in ('eth-mac', 'rmon'))))
    found, sizes = {}, {}
    for kind, group in ask(port, STATS_GET, STATS_HEADER, groups,
                           attribute(STATS_SRC, u32(mac))):
        if kind != STATS_GRP:
            continue
        is_mac = number(dict(split(group))[GRP_ID]) == ETH_MAC
        for part, data in split(group):
            if part not in (GRP_STAT, GRP_HIST_RX):
                continue
            values = {inner: number(value) for inner, value in split(data)}
            if part == GRP_HIST_RX:
                sizes[values[HIST_LOW]] = values[HIST_VAL]
            elif is_mac:
                found.update(values)
    return found, sizes


def merged(port):
    """{statistic of the sublayer: value}"""
    found = dict(ask(port, MM_GET, MM_HEADER, flags=FLAG_STATS))
    return {kind: number(data) for kind, data in split(found[MM_STATS]) if len(data) == 8}


@case_in_place
def each_mac_has_its_statistics_and_the_port_has_their_sum(here):
    port = here.add('netc', held=True)  # nobody polls between the writes
    port.poll()
    port.inject(3, length=64)
    port.inject(5, length=100)
    port.inject(7, direction='tx')
    port.poke(PM1_STATN_CONFIG, WEN)
    for address, value in zip(PM1_COUNTERS, (2640, 2640, 30, 10, 20)):
        port.poke(address, value)
    port.poke(PM1_STATN_CONFIG, 0)
    port.poll()
    for mac, sent, received, sizes in ((EMAC, 7, 8, (3, 5)), (PMAC, 0, 30, (10, 20)),
                                       (AGGREGATE, 7, 38, (13, 25))):
        found, histogram = statistics(port, mac)
        expect_equal((found[TX_PKT], found[RX_PKT]), (sent, received), f'MAC {mac}: frames')
        expect_equal({low: frames for low, frames in histogram.items() if frames},
                     dict(zip((64, 65), sizes)), f'MAC {mac}: sizes')
    expect_equal(set(merged(port).values()), {0}, 'the sublayer')
    state = port.state()
    expect_equal((state['discontinuities'], 'stale' in state), (0, False), 'the port')


@case_in_place
def a_mac_without_counters_of_its_own_has_no_statistics(here):
    port = here.add('am65_cpsw')
    port.stats()
    port.inject(3, length=64)
    for mac in EMAC, PMAC:
        expect_equal(statistics(port, mac), ({}, {}), f'MAC {mac}')
    expect_equal(statistics(port, AGGREGATE)[0][RX_PKT], 3, 'both')
    port.poke(STAT_PORT_EN, 0)  # a write to a counter is stored
    port.poke(IET_TX_FRAG, 9)
    port.poke(STAT_PORT_EN, 1)
    port.stats()
    expect_equal({kind: value for kind, value in merged(port).items() if value},
                 {MM_STAT_TX_FRAG_COUNT: 9}, 'the sublayer')
    with here.inside():
        shown, = cli.macstats_json('show', port.name)
    expect_equal(len(shown['standard']['mm']), 6, 'the group mm')


@case_in_place
def a_port_without_the_sublayer_knows_neither(here):
    port = here.add('cpsw')
    for what, call in (('--show-mm', lambda: merged(port)),
                       ('--src emac', lambda: statistics(port, EMAC))):
        expect_rejected(what, call, errno.EOPNOTSUPP)


main()
