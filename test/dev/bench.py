# SPDX-License-Identifier: GPL-2.0
"""./dev bench: measures the costs of calls, frames and polls, each beside that of something else in
the same run. Native costs are times; those in a guest are instructions, by a clock that repeats to
0.1 %. bench_rows.py has the table, and the growth over sizes."""

import concurrent.futures
import json
import os
import re

import architectures
import bench_rows
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
PINNED = 'taskset', '-c', min(os.sched_getaffinity(0))
GUEST = 'test/bench/guest.py'
HARDWARE = 'test/bench/hardware.py'
GUEST_SECONDS, GUEST_MEMORY = 3600, 2048
REPETITIONS, SECONDS = 5, 0.1     # of each benchmark, and at the least of each repetition
MARK = 'costs: '
# Series over sizes, and benchmarks that need all processors.
GROWTH, THREADS = 'by counters|count frames', 'by threads'
# Figures of the guest that are so many times their baseline are reported by `./dev bench`, or fail
# the part costs of `./dev test`. Native times have no baseline.
WORSE, TOO_MUCH = 1.05, 2
BIG = 1000      # smaller figures have a digit behind the point in the baseline


def native_run(choice, *pinned):
    """{name: nanoseconds of an iteration, or millions of items a second}: medians of those
    benchmarks that the filter chooses."""
    output = FOLDER / 'native.json'
    status, text = shell.output_of([
        *pinned, NATIVE, f'--benchmark_repetitions={REPETITIONS}',
        f'--benchmark_filter={choice}', '--benchmark_report_aggregates_only=true',
        f'--benchmark_min_time={SECONDS}', '--benchmark_format=json',
        f'--benchmark_out={output}'])
    if status:
        raise Failure(f'{NATIVE.name} failed:\n{text}')
    return native_costs_in(json.loads(output.read_text()))


def native_costs_in(report):
    costs = {}
    for one in report['benchmarks']:
        if one['aggregate_name'] != 'median':
            continue
        name, _, threads = one['run_name'].partition('/threads:')
        if 'frames_per_second' in one:
            # The rate is that of a second of CPU, of all threads together.
            costs[f'{name}/{threads}'] = int(threads) * one['frames_per_second'] / 1e6
        elif 'items_per_second' in one:
            costs[name] = 1e9 / one['items_per_second']
        else:
            costs[name] = one['cpu_time']
    return costs


def guest_run(options, preset, program, *more):
    """The costs that a program in a guest prints."""
    status, text = shell.output_of(guests.command(
        options, options.kernels[0], '--quiet', '--timeout', GUEST_SECONDS, '--icount',
        '--smp', '1', '--memory', GUEST_MEMORY, *more,
        '--env', f'MACSTATS={BUILD}/{preset}/userspace/cli/macstats', '--',
        guests.WITH_MODULES, *program))
    found = [line.partition(MARK)[2] for line in text.splitlines() if MARK in line]
    if status or len(found) != 1:
        raise Failure(f'{program[0]} failed, or printed no costs:\n{text}')
    return json.loads(found[0])


def port_costs(options, preset):
    modules.fetch('prometheus')
    return guest_run(options, preset, [GUEST, 'ports' if preset == PRESET else 'few'])


TARGETS = ('bench-calls', 'bench-ports', *modules.COMMAND_TARGETS)
# {part: (its title, what measures it)}
PARTS = {
    # On one processor, but frames are counted by two threads on any.
    'native': ('native code', lambda *_: native_run(f'-{GROWTH}|{THREADS}', *PINNED) |
               native_run(THREADS)),
    'guest': ('calls in a guest whose clock counts instructions',
              lambda *where: guest_run(*where, [GUEST, 'calls'])),
    'ports': ('many ports in such a guest', port_costs),
    'hardware': ('drivers of NICs in such a guest',
                 lambda *where: guest_run(*where, [HARDWARE], *guests.hardware())),
    'growth': ('growth', lambda *where: native_run(GROWTH, *PINNED) |
               guest_run(*where, [GUEST, 'growth'])),
}
# The parts that CI measures, each in a guest of its own, with the preset of its tests.
IN_CI = 'guest', 'ports', 'hardware'
# It does not compare the command, which loads shared libraries in that preset and is hardly
# optimised, and the time that passes in a scenario: the guest may wait for files of a busy host.
NOT_IN_CI = 'macstats models', 'show --json/1000 ports', 'scenario'


def baseline():
    """{part: {name: instructions}}"""
    return json.loads(BASELINE.read_text())


def worse_than(before, costs, times=WORSE, ignored=()):
    """Lines about costs in a guest that have grown."""
    return [f'{name}: {costs[name]:,.0f} instructions, in the baseline {figure:,.0f}'
            for name, figure in before.items()
            if name in costs and name not in ignored and costs[name] > times * figure]


def grown(options):
    """Lines about costs that are too much, in guests with the programs of the tests. These run at
    once: their clocks do not depend on the load."""
    modules.build_userspace(TARGETS, modules.PRESET, 'building the benchmarks')
    with concurrent.futures.ThreadPoolExecutor(len(IN_CI)) as pool:
        measured = [pool.submit(PARTS[name][1], options, modules.PRESET) for name in IN_CI]
    return [line for name, costs in zip(IN_CI, measured)
            for line in worse_than(baseline()[name], costs.result(), TOO_MUCH, NOT_IN_CI)]


def bench(options):
    parts = {name: PARTS[name] for name in options.words or PARTS}
    packages.need(packages.of('userspace', 'kernel', 'guest', 'test', 'bench'), options.yes)
    options.kernels = [architectures.DEFAULT]
    options.hardware = 'hardware' in parts
    modules.build_userspace(['bench-native', *TARGETS], PRESET, 'building the benchmarks')
    if parts.keys() != {'native'}:
        modules.build_all_modules(options)
    measured = {}
    for name, (title, costs) in parts.items():
        say(title)
        measured[name] = costs(options, PRESET)
        save(RESULTS, measured)  # the next part may fail
    report(measured)
    if options.renew:
        save(BASELINE, baseline() | {
            name: {what: round(cost) if cost >= BIG else round(cost, 1)
                   for what, cost in costs.items() if not re.search(GROWTH, what)}
            for name, costs in measured.items() if name != 'native'})
        say(f'renewed: {BASELINE.relative_to(ROOT)}')


def save(path, figures):
    path.write_text(json.dumps(figures, indent=1) + '\n')


def report(measured):
    """Prints the table and the exponents, and compares with the baseline."""
    costs = {name: cost for part in measured.values() for name, cost in part.items()}
    print(*bench_rows.table(bench_rows.rows_of(costs)), sep='\n')
    print(*bench_rows.growth(costs), sep='\n')
    for name, before in baseline().items():
        for line in worse_than(before, measured.get(name, {})):
            say(line)
    say(f'all figures: {RESULTS.relative_to(ROOT)}')
