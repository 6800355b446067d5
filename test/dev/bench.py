# SPDX-License-Identifier: GPL-2.0
"""The costs of calls, frames and polls, each beside that of something else in the same run, as
`./dev bench` prints them. Native costs are times; those in a guest are instructions, by a clock
that repeats to 0.1 %."""

import dataclasses
import json
import os
import platform

import guests
import modules
import packages
import shell
from shell import BUILD, ROOT, Failure, say

PRESET = 'bench'
FOLDER = BUILD / PRESET
RESULTS = FOLDER / 'results.json'
BASELINE = ROOT / 'test/bench/baseline.json'
NATIVE = FOLDER / 'test/bench/bench-native'
GUEST = 'test/bench/guest.py'
GUEST_SECONDS = 900
REPETITIONS = 5
PORTS = 100         # as in GUEST
MARK = 'costs: '
# Figures of the guest that are so many times their baseline are reported by `./dev bench`, or fail
# `./dev test --long`.
WORSE, TOO_MUCH = 1.05, 2


@dataclasses.dataclass
class Row:
    """@ours and @peer in @unit. The goal is a limit of their ratio, or without a peer of ours."""
    what: str
    unit: str
    ours: float
    peer: float | None = None
    peer_name: str = ''
    goal: float | None = None
    at_least: bool = False      # the goal is a lower limit

    @property
    def figure(self):
        return self.ours if self.peer is None else self.ours / self.peer

    @property
    def verdict(self):
        if self.goal is None:
            return ''
        good = self.figure >= self.goal if self.at_least else self.figure <= self.goal
        return 'good' if good else 'missed'


def native_costs():
    """{name: nanoseconds of an iteration, or of an item where there are some}: medians."""
    processor = min(os.sched_getaffinity(0))
    status, text = shell.output_of([
        'taskset', '-c', processor, NATIVE, f'--benchmark_repetitions={REPETITIONS}',
        '--benchmark_report_aggregates_only=true', '--benchmark_format=json',
        f'--benchmark_out={FOLDER}/native.json'])
    if status:
        raise Failure(f'{NATIVE.name} failed:\n{text}')
    report = json.loads((FOLDER / 'native.json').read_text())
    return {one['run_name']: 1e9 / one['items_per_second'] if 'items_per_second' in one
            else one['cpu_time'] for one in report['benchmarks']
            if one['aggregate_name'] == 'median'}


def guest_costs(options, preset):
    """{name: instructions}"""
    status, text = shell.output_of(guests.command(
        options, guests.DEFAULT_KERNEL, '--quiet', '--timeout', GUEST_SECONDS, '--icount',
        '--smp', '1', '--env', f'MACSTATS={BUILD}/{preset}/userspace/cli/macstats', '--',
        guests.WITH_MODULES, GUEST))
    costs = [line.partition(MARK)[2] for line in text.splitlines() if MARK in line]
    if status or len(costs) != 1:
        raise Failure(f'{GUEST} failed:\n{text}')
    return json.loads(costs[0])


def models_in(costs, kind):
    return [name.partition('/')[2] for name in costs if name.startswith(f'{kind}/')]


def native_rows(costs):
    for model in models_in(costs, 'count'):
        yield Row(f'count a frame, {model}', 'ns', costs[f'count/{model}'], goal=4)
        yield Row(f'the same, beside a walk over its rows: times faster, {model}', 'ns',
                  costs[f'walk/{model}'], costs[f'count/{model}'], 'count', 20, at_least=True)
    few, *_, many = sorted((name for name in costs if name.startswith('count_few/')),
                           key=lambda name: int(name.partition('/')[2]))
    yield Row('count a frame, all counters of a model', 'ns', costs[many], costs[few],
              'five of them', 1.1)
    for model in models_in(costs, 'accumulate'):
        idle = costs[f'rewind/{model}']
        yield Row(f'add a value to its total, {model}', 'ns', costs[f'accumulate/{model}'] - idle,
                  costs[f'bare/{model}'] - idle, 'subtract, mask, add', 1.5)
    yield Row('a step `send` of a scenario: million a second', 'million',
              1e3 / costs['send_steps'], goal=2, at_least=True)


def guest_rows(costs):
    models = [model for model in models_in(costs, 'frame') if model != 'veth']
    for model in models:
        yield Row(f'a frame through a pair, {model}', 'instructions', costs[f'frame/{model}'],
                  costs['frame/veth'], 'veth', 1.10 if model == 'rc32438' else 1.05)
    for model in models:
        yield Row(f'ETHTOOL_GSTATS with a poll, {model}', 'instructions', costs[f'read/{model}'],
                  goal=30_000)
    for model in models:
        yield Row(f'RTM_GETLINK, {model}', 'instructions', costs[f'link/{model}'],
                  costs['link/veth'], 'veth')
    many = f'/{PORTS} ports'
    for name, peer, goal in (('show --json', 'ioctls', 1.5), ('show --json', 'ethtool -S', 1 / 50),
                             ('export --textfile', 'ioctls', None)):
        yield Row(f'macstats {name}, {PORTS} ports', 'instructions', costs[name + many],
                  costs[peer + many], peer, goal)
    yield Row('start of macstats models', 'instructions', costs['macstats models'],
              costs['ethtool --version'], 'ethtool --version', 2)


def number(value):
    return f'{value:,.0f}' if value >= 1000 else f'{value:.3g}'


def table(rows):
    """The lines of the table."""
    cells = [('', 'ours', 'peer', '', 'ratio', 'goal', '')]
    cells += [(row.what, number(row.ours), '' if row.peer is None else number(row.peer),
               row.peer_name or row.unit, '' if row.peer is None else number(row.figure),
               '' if row.goal is None else f'{"≥" if row.at_least else "≤"} {number(row.goal)}',
               row.verdict) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for what, *rest in cells:
        yield '  '.join([what.ljust(widths[0])] + [
            cell.ljust(width) if place in (2, 4, 5) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(rest, widths[1:]))]).rstrip()


def baseline():
    return json.loads(BASELINE.read_text())['guest']


def worse_than(before, costs, times=WORSE):
    """Lines about costs in the guest that have grown."""
    return [f'{name}: {costs[name]:,.0f} instructions, in the baseline {figure:,.0f}'
            for name, figure in before.items()
            if name in costs and costs[name] > times * figure]


def grown(options):
    """Lines about costs that are too much, in a guest with the programs of the tests."""
    modules.build_userspace(PARTS['guest'], modules.PRESET, 'building the benchmarks')
    return worse_than(baseline(), guest_costs(options, modules.PRESET), TOO_MUCH)


PARTS = {'native': ('bench-native',), 'guest': ('bench-calls', modules.COMMAND_TARGET)}


def bench(options, words):
    parts = words or list(PARTS)
    if not set(parts) <= set(PARTS):
        raise Failure(f'bench has these parts: {" ".join(PARTS)}')
    packages.need(packages.of('userspace', 'kernel', 'guest', 'test', 'bench'), options.yes)
    options.kernels = [guests.DEFAULT_KERNEL]
    modules.build_userspace([target for part in parts for target in PARTS[part]], PRESET,
                            'building the benchmarks')
    results = {'machine': platform.processor() or platform.machine()}
    rows = []
    if 'native' in parts:
        say('native code')
        results['native'] = native_costs()
        rows += native_rows(results['native'])
    if 'guest' in parts:
        modules.build_all_modules(options)
        say('a guest whose clock counts instructions')
        results['guest'] = guest_costs(options, PRESET)
        rows += guest_rows(results['guest'])
    results['rows'] = [dataclasses.asdict(row) | {'verdict': row.verdict} for row in rows]
    RESULTS.write_text(json.dumps(results, indent=1) + '\n')
    print(*table(rows), sep='\n')
    if 'guest' in results:
        for line in worse_than(baseline(), results['guest']):
            say(line)
    say(f'all figures: {RESULTS.relative_to(ROOT)}')
