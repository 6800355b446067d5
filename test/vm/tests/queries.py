#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The macstats command shows the same counters as ethtool and ip for every MAC, and the
registers of its dump."""

# long

import contextlib
import json
import pathlib
import struct
import subprocess

import cli
from cli import rejected, shown
from ports import all_models, case_in_place
from tap import expect, expect_equal, main

GROUPS = 'eth-mac', 'eth-ctrl', 'rmon'

# One frame class of each kind, each with a different count. A MAC counts only what it sees.
TRAFFIC = (
    {'length': 64}, {'length': 65, 'destination': 'multicast'}, {'length': 127}, {'length': 128},
    {'length': 255, 'destination': 'broadcast'}, {'length': 256}, {'length': 511},
    {'length': 512}, {'length': 1023}, {'length': 1024}, {'length': 1518}, {'length': 1519},
    {'length': 9000}, {'length': 9601}, {'length': 40}, {'length': 40, 'errors': ['fcs']},
    {'length': 100, 'errors': ['fcs']}, {'length': 9700, 'errors': ['fcs']},
    {'length': 64, 'kind': 'pause', 'origin': 'mac', 'destination': 'multicast'},
    {'length': 100, 'errors': ['alignment', 'fcs']}, {'length': 200, 'errors': ['overrun']},
    {'length': 200, 'errors': ['underrun']}, {'length': 300, 'errors': ['late_collision'],
                                              'collisions': 1},
)


def send_all_sorts(port):
    count = 1000
    for direction in ('rx', 'tx'):
        for frame in TRAFFIC:
            count += 1
            port.inject(count=count, direction=direction, **frame)


def ip_statistics(port):
    """The members of rtnl_link_stats64 which `ip -s -s -j link` prints."""
    with port.place.inside():
        link, = cli.json_output('ip', '-s', '-s', '-j', 'link', 'show', 'dev', port.name)
    found = {}
    for direction, values in link['stats64'].items():
        for name, value in values.items():
            whole = name if name in ('multicast', 'collisions') else f'{direction}_{name}'
            found[whole] = value
    return found


def compare_with_ethtool_and_ip(port):
    element = shown(port)
    with port.place.inside():
        totals = cli.ethtool_statistics(port.name)
        groups, = cli.json_output('ethtool', '--json', '-S', port.name, '--groups', *GROUPS)
        pause, = cli.json_output('ethtool', '--json', '-I', '--show-pause', port.name)
    standard = element['standard']
    expect_equal(element['totals'], totals, f'{port.model}: ethtool -S')
    for group in GROUPS:
        expect_equal(standard.get(group, {}), groups.get(group, {}), f'{port.model}: {group}')
    expect_equal(standard.get('pause', {}), pause.get('statistics', {}), f'{port.model}: pause')
    link = ip_statistics(port)
    expect_equal({name: link[name] for name in standard['rtnl']}, standard['rtnl'],
                 f'{port.model}: ip -s link')
    others = {name: value for name, value in link.items()
              if name not in standard['rtnl'] and not name.endswith('_carrier_changes')}
    expect_equal(set(others.values()) - {0}, set(), f'{port.model}: not given, but in ip: {others}')
    expect_equal(standard, shown(port, '--cached')['standard'], f'{port.model}: --cached')
    return element


@case_in_place
def show_agrees_with_ethtool_and_ip_for_every_model(here):
    for model in all_models():
        # A poll in the middle of an injection may read the octets of frames that other counters do
        # not have yet. rx_bytes never goes back, so it would stay ahead.
        port = here.add(model)
        compare_with_ethtool_and_ip(port)
        send_all_sorts(port)
        element = compare_with_ethtool_and_ip(port)
        counted = [name for name, value in element['totals'].items() if value]
        expect(len(counted) > len(element['totals']) // 4, f'{model}: only {counted}')
        expect(any(element['standard']['rtnl'].values()), f'{model}: {element["standard"]}')
        port.delete()


@case_in_place
def the_last_bucket_ends_at_the_longest_maximum_whatever_the_present_one_is(here):
    port = here.add()
    for maximum in (9600, 2000, 16000):
        port.poke(0x506, maximum)
        rmon = compare_with_ethtool_and_ip(port)['standard']['rmon']
        for histogram in rmon['rx-pktsNtoM'], rmon['tx-pktsNtoM']:
            expect_equal(histogram[-1]['high'], 0xffff, 'of a register of 16 bits')


@case_in_place
def ports_are_selected_by_name_index_or_model(here):
    first, second = here.add(), here.add()
    other = here.add('cpsw', quiet=False)
    with here.inside():
        def names(*words):
            return [element['port'] for element in cli.macstats_json('show', *words)]
        expect_equal(names(), [first.name, second.name, other.name], 'all')
        expect_equal(names(second.name, str(first.ifindex)), [second.name, first.name], 'two')
        expect_equal(names('--model', 'cpsw'), [other.name], 'of a model')
        expect_equal(names('--model', 'rc32438'), [], 'of a model without ports')
        expect_equal(names('--rate=0.1', first.name, second.name), [first.name, second.name],
                     'with rates')
    code, text = rejected(here, 'show', first.name, 'nosuch')
    expect_equal(code, 2, text)
    expect(f'the ports here are {first.name}, {second.name}, {other.name}' in text, text)
    expect_equal(rejected(here, 'show', '--model', 'nosuch')[0], 2, 'no such model')
    expect_equal(rejected(here, 'show', first.name, '--group', 'nosuch')[0], 2, 'no such group')


@case_in_place
def registers_are_shown_with_their_names_for_every_model(here):
    for model in all_models():
        port = here.add(model, held=True, quiet=False)  # a poll would empty counters
        port.inject(count=9, length=64)
        with here.inside():
            decoded = cli.macstats_json('registers', port.name)
            described = cli.macstats_json('model', model)
            dump = cli.octets('ethtool', '-d', port.name, 'raw', 'on')
            words = dict(struct.iter_unpack('<II', dump))
            path = pathlib.Path('/tmp/dump')
            path.write_bytes(dump)
            saved = cli.macstats_json('registers', '--model', model, '--file', path)
            text = cli.output(cli.MACSTATS, 'registers', port.name, '--descriptions')
        expect_equal([register['name'] for register in decoded['registers']],
                     [register['name'] for register in described['registers']], model)
        # A file does not tell which counters the hardware lacks.
        there = set(port.totals(cached=True))
        saved['counters'] = {name: value for name, value in saved['counters'].items()
                             if name in there}
        saved['skipped'] = [name for name in saved['skipped'] if name in there]
        expect_equal(saved, decoded, f'{model}: from a file')
        for register in decoded['registers']:
            expect_equal(register['value'], words[register['offset']], register['name'])
            for field in register['fields']:
                mask = (1 << field['bits']) - 1
                expect_equal(field['value'], register['value'] >> field['lsb'] & mask, field)
            expect(register['name'] in text, f'{register["name"]} is missing in {text}')
        for name in {'rx_64b', 'rx_good_frames'} & set(decoded['counters']):
            expect_equal(decoded['counters'][name], 9, f'{model}: {name}')
        kept = {counter['name'] for counter in described['counters']
                if counter['onread'] == 'none' and counter['source'] == 'register'}
        cleared = {counter['name'] for counter in described['counters']
                   if counter['onread'] == 'rclr'}
        expect(set(decoded['counters']) <= kept, f'{model}: {set(decoded["counters"]) - kept}')
        expect(cleared & there <= set(decoded['skipped']), f'{model}: not skipped')
        expect_equal(set(decoded['skipped']) & set(decoded['counters']), set(), model)
        port.delete()


@case_in_place
def all_ports_are_shown_while_ports_are_added_and_deleted(here):
    stay = here.add()
    with contextlib.ExitStack() as stack:
        with here.inside():
            processes = [stack.enter_context(subprocess.Popen(
                [cli.MACSTATS, 'show', '--json'], stdout=subprocess.PIPE, env=cli.ENVIRONMENT))
                for _ in range(4)]
        for _ in range(10):
            here.add('rc32438', quiet=False).delete()
        for process in processes:
            out = cli.finish(process)[0]
            expect_equal(process.returncode, 0, 'exit code')
            names = [element['port'] for element in json.loads(out)]
            expect(stay.name in names and len(set(names)) == len(names), names)


@case_in_place
def a_comparison_has_the_ports_in_their_order(here):
    port, other = here.add('cpsw'), here.add('cpsw')
    port.inject(count=20)
    other.inject(count=5)
    with here.inside():
        for ports, line in (((port, other), ['20', '5', '-15', 'frames']),
                            ((other, port), ['5', '20', '+15', 'frames'])):
            text = cli.output(cli.MACSTATS, 'show', '--diff', *(each.name for each in ports))
            rows = {row[0]: row[1:] for row in map(str.split, text.splitlines()) if row}
            expect_equal(rows['rx_good_frames'], line, text)
            expect_equal(rows['rx_crc_errors'][:2], ['0', '0'], text)


main()
