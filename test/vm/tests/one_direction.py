#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A core with the counters of one direction reports those, in every interface, and of the
other direction nothing: absent, not 0."""

import errno
import re

import cli
import uapi
from genl import STATS
from ports import case_in_place, expect_rejected
from tap import expect, expect_equal, main

NOT_SET = 2 ** 64 - 1
GROUPS = 'eth-mac', 'eth-ctrl', 'rmon'
# Words of ethtool that only one direction has.
WORDS = {'tx': r'\btx|Transmitted|Xmitted', 'rx': r'\brx|Received|etherStats(?!Pkts)|CheckSequence|TooLong'}


def add(here, model, way):
    """A core with the counters of one direction, which has counted 5 frames received, 3 sent."""
    port = here.add(model, options=[f'{way}_statistics', 'vlan_detection'])
    port.inject(count=5)
    port.inject(direction='tx', count=3)
    return port


def each(here):
    for model in ('ll40g', 'll40g_agilex5'):
        for way, other, counted in (('tx', 'rx', 3), ('rx', 'tx', 5)):
            yield add(here, model, way), way, other, counted


@case_in_place
def one_flag_stands_for_both_directions(here):
    for model in ('ll40g', 'll40g_agilex5'):
        port = here.add(model, options=['statistics', 'vlan_detection'])
        expect_equal(port.stats().get('absent'), None, f'{model}: absent counters')
        expect_equal(len(port.stats()['values']), len(port.counter_names()), f'{model}: totals')


@case_in_place
def netlink_lists_the_absent_counters_and_has_no_total_of_them(here):
    for port, way, other, counted in each(here):
        names = port.counter_names()
        absent = [i for i, name in enumerate(names) if name.startswith(f'{other}_')]
        stats = port.stats()
        expect_equal(stats['absent'], absent, f'{port.model}: absent counters')
        for i, value in enumerate(stats['values']):
            expect_equal(value == NOT_SET, i in absent, f'{port.model}: {names[i]}')
        expect_equal(port.totals()[f'{way}_64b'], counted, f'{way}_64b')
        expect('absent' not in port.state(), port.state())

        wanted = [names.index('tx_64b'), names.index('rx_64b')]
        for counters in (wanted, wanted[:1], wanted[1:]):
            reply, = here.query.do(uapi.MACSTATS_CMD_STATS_GET, STATS.encode(
                ifindex=port.ifindex, counters=counters))
            some = STATS.decode(reply)
            missing = [i for i in counters if i in absent]
            expect_equal(some['values'], [NOT_SET if i in absent else counted for i in counters],
                         'some values')
            expect_equal(some.get('absent', []), missing, 'some are absent')
    for options in (['vlan_detection'], None):
        expect('absent' not in here.add(options=options).stats(), 'all or none are absent')


@case_in_place
def ethtool_and_ip_show_nothing_of_the_other_direction(here):
    for port, way, other, counted in each(here):
        with here.inside():
            shown = cli.ethtool_statistics(port.name)
            groups = cli.output('ethtool', '-S', port.name, '--groups', *GROUPS)
            pause = cli.output('ethtool', '-I', '-a', port.name)
            link, = cli.json_output('ip', '-json', '-s', 'link', 'show', port.name)
        expect(all(name.startswith(f'{way}_') for name in shown), sorted(shown))
        expect_equal(shown[f'{way}_64b'], counted, 'ethtool -S')
        expect(re.search(WORDS[way], groups), groups)
        expect(not re.search(WORDS[other], groups), groups)
        expect(f'{way}_pause_frames' in pause and f'{other}_pause_frames' not in pause, pause)
        link = link['stats64']
        expect_equal((link[way]['packets'], link[way]['bytes'] > 0), (counted, True), 'ip -s')
        expect_equal((link[other]['packets'], link[other]['bytes'], link[other]['errors']),
                     (0, 0, 0), 'ip -s')


@case_in_place
def the_command_shows_nothing_of_the_other_direction(here):
    for port, way, other, counted in each(here):
        with here.inside():
            shown, = cli.macstats_json('show', port.name)
            written = cli.output(cli.MACSTATS, 'export', '--all', '--textfile', '-')
        metrics = '\n'.join(line for line in written.splitlines() if f'"{port.name}"' in line)
        expect(all(name.startswith(f'{way}_') for name in shown['totals']), shown['totals'])
        expect_equal(shown['totals'][f'{way}_64b'], counted, 'macstats show')
        expect(f'_{way}_64b_' in metrics and f'_{other}_64b_' not in metrics, metrics)
        expect(str(NOT_SET) not in metrics, metrics)


@case_in_place
def thresholds_and_presets_of_absent_counters_are_rejected(here):
    for port, way, other, counted in each(here):
        port.stats()
        words = 'events', port.name, '--timeout', '0', '--threshold'
        code, text = cli.rejected(here, *words, f'{other}_64b=1')
        expect_equal((code, f'no port has a counter "{other}_64b"' in text), (2, True), text)
        with here.inside():
            reached = cli.macstats_json(*words, f'{way}_64b={counted}')
        expect_equal((reached['counter'], reached['value']), (f'{way}_64b', counted), 'reached')
        expect_rejected('a preset', lambda: port.preset(f'{other}_64b', 1000),
                        errno.EOPNOTSUPP, f'built without {other}_64b')


@case_in_place
def a_clear_keeps_the_totals(here):
    for port, way, other, counted in each(here):
        page, missing = (0x800, 0x900) if way == 'tx' else (0x900, 0x800)
        for address in (missing + 0x16, missing + 0x45, missing + 0x46, missing + 0x60):
            expect_equal(port.peek(address), 0, f'register {address:#x}')
        port.totals()
        port.poke(missing + 0x45, 1)
        port.totals()
        expect_equal(port.state()['discontinuities'], 0, 'no clear')
        port.poke(page + 0x45, 1)
        expect_equal(port.totals()[f'{way}_64b'], counted, 'after a clear')
        expect_equal(port.state()['discontinuities'], 1, 'a clear')


main()
