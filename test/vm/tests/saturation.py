#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Counters that saturate, with the models of test/models in the modules and in the command:
both backends agree, and every output marks lower bounds."""

import contextlib
import json
import pathlib
import subprocess
import tempfile

import cli
import uapi
from genl import PORT, STATS, Family
from modules import load_emulator_of_tests
from tap import expect, expect_equal, main

COMMAND = pathlib.Path(cli.MACSTATS).parent / 'macstats-test-models'
cli.MACSTATS = str(COMMAND)


load_emulator_of_tests()

from ports import KERNEL_VERSION, KernelLog, case_in_first_place, case_in_place

# The narrowest counter of the models of the tests that saturates until it is read, and the frames
# that it counts, which the scenarios below check.
MODEL, ROW = min(((model, row) for model in cli.macstats_json('models')
                  for row in model['counters']
                  if model['name'].startswith('saturating') and row['overflow'] == 'saturate' and row['onread'] == 'rclr'),
                 key=lambda found: found[1]['bits'])
MOST = (1 << ROW['bits']) - 1
FRAMES = [{'direction': ROW['direction']},
          {'direction': ROW['direction'], 'errors': ['fcs']}]


def scenario(frame):
    """Saturates the counter twice, with an exact read between them."""
    send = {'port': 'mac', **frame}
    name = ROW['name']

    def expected(total, saturated):
        return {'expect': {'port': 'mac', 'totals': {name: total},
                           'state': {'saturated': saturated, 'stale': False,
                                     'possible_loss': False, 'discontinuities': 0}}}
    return {'name': 'saturation', 'devices': {'mac': {'model': MODEL['name']}}, 'steps': [
        {'send': {**send, 'count': MOST - 1}}, expected(MOST - 1, []),
        {'send': {**send, 'count': 2 * MOST}}, expected(2 * MOST - 1, [name]),
        {'send': {**send, 'count': 2 * MOST}}, expected(3 * MOST - 1, [name]),
        {'send': {**send, 'count': 3}}, expected(3 * MOST + 2, [name])]}


def run(document, backend):
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        json.dump(document, file)
        file.flush()
        done = cli.macstats('run', file.name, '--backend', backend, '--format', 'json')
    report = json.loads(done.stdout)
    del report['seconds']
    for one in report['scenarios']:
        del one['file']
    return report


def counted_frame():
    return next(frame for frame in FRAMES if run(scenario(frame), 'builtin')['passed'])


@case_in_first_place
def both_backends_see_the_same_lower_bounds(here):
    document = scenario(counted_frame())
    with here.inside():
        expect_equal(run(document, 'builtin')['passed'], 1, 'scenarios passed')
        expect_equal(run(document, 'kernel'), run(document, 'builtin'), 'reports')


@case_in_first_place
def every_output_marks_lower_bounds(here):
    frame = counted_frame()
    name = ROW['name']
    port = here.add(MODEL['name'], held=True, quiet=False)
    with here.inside():
        cli.output(cli.MACSTATS, 'tag', 'add', 'before')
        for _ in range(2):
            port.inject(count=2 * MOST, **frame)
            port.poll()
        text = cli.output(cli.MACSTATS, 'show', port.name)
        expect(f'\u2265 {2 * MOST} ' in text, text)
        shown = cli.shown(port)
        expect_equal(shown['at_least'][name], {'times': 2}, 'at_least')
        expect_equal(shown['totals'][name], 2 * MOST, 'total')
        since = cli.shown(port, '--since', 'before')
        expect_equal(since['at_least'][name], {'times': 2}, 'at_least since a tag')
        cli.output(cli.MACSTATS, 'tag', 'delete', 'before')
        ports, = (one for one in cli.macstats_json('ports') if one['port'] == port.name)
        expect_equal(ports['at_least'][name], {'times': 2}, 'at_least of ports')
        cli.output(cli.MACSTATS, 'export', '--textfile', '/tmp/saturation.prom')
        metrics = pathlib.Path('/tmp/saturation.prom').read_text(encoding='utf-8')
        family = f'macstats_{MODEL["name"]}_{name}_saturated_total'
        expect(f'{family}{{port="{port.name}",model="{MODEL["name"]}"}} 2\n' in metrics, metrics)


@case_in_first_place
def a_dump_and_a_reply_have_room_for_many_saturated_counters(here):
    """Also where no read has shown the kernel yet that its reader accepts long messages."""
    log, port = KernelLog(), here.add('saturating256', held=True, quiet=False)
    port.inject(count=1 << 20)
    port.poll()
    expect(any('rx_frames_00 and 255 more were read at their maximum' in line
               for line in log.lines()), 'the kernel log')
    for attributes, command in ((PORT, uapi.MACSTATS_CMD_PORT_GET),
                                (STATS, uapi.MACSTATS_CMD_STATS_GET)):
        with here.inside(), contextlib.closing(
                Family(uapi.MACSTATS_GENL_NAME, largest=4096)) as query:
            query.socket.largest = 1 << 18
            shown, = map(attributes.decode, query.dump(command))
        expect_equal([(one['counter'], one['times']) for one in shown['saturated']],
                     [(counter, 1) for counter in range(256)], f'command {command}')
    expect_equal(shown['values'], [0xffff] * 256, 'totals')
    for shown in port.state(), port.stats(cached=True):
        expect_equal([(one['counter'], one['times']) for one in shown['saturated']],
                     [(counter, 1) for counter in range(256)], 'a reply')


@case_in_place
def a_histogram_of_11_sizes_is_shown_as_far_as_the_kernel_has_room(here):
    port = here.add('sizes11', held=True)
    edges = [64, 65, 128, 256, 512, 1024, 1519, 2048, 4096, 8192, 9217]
    for number, length in enumerate(edges, 1):
        port.inject(number, length=length)
    port.poll()
    with here.inside():
        text = subprocess.run(['ethtool', '--json', '-S', port.name, '--groups', 'rmon'],
                              stdout=subprocess.PIPE, check=True).stdout
    room = 11 if KERNEL_VERSION >= (6, 18) else 10
    found = json.loads(text)[0]['rmon']['rx-pktsNtoM']
    expect_equal([(each['low'], each['val']) for each in found],
                 [(low, number) for number, low in enumerate(edges, 1)][:room])


main()
