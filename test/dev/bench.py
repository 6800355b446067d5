# SPDX-License-Identifier: GPL-2.0
"""./dev bench: measures the costs of calls, frames and polls, each beside that of something else in
the same run. Native costs are times; those in a guest are instructions, by a clock that repeats to
0.1 %. bench_rows.py has the table, bench_growth.py the series over sizes."""

import concurrent.futures
import dataclasses
import json
import os
import platform
import re

import bench_growth
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
PLOTS = ROOT / 'docs/performance'
NATIVE = FOLDER / 'test/bench/bench-native'
GUEST = 'test/bench/guest.py'
HARDWARE = 'test/bench/hardware.py'
GUEST_SECONDS, GUEST_MEMORY = 3600, 2048
REPETITIONS, SECONDS = 5, 0.1     # of each benchmark, and at the least of each repetition
MARK = 'costs: '
# Series over sizes, and benchmarks that need all processors.
GROWTH, THREADS = 'by counters|count frames', 'by threads'
# Figures of the guest that are so many times their baseline are reported by `./dev bench`, or fail
# the part costs of `./dev test`. Native times have no baseline, their ratios to those of peers do.
WORSE, TOO_MUCH = 1.05, 2
WORSE_RATIO = 1.25
BIG = 1000      # smaller figures have a digit behind the point in the baseline
RATIO_DIGITS = 3


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
        name, _, options = one['run_name'].partition('/iterations:')
        name, _, threads = (name + options.lstrip('0123456789')).partition('/threads:')
        if 'frames_per_second' in one:
            # The rate is that of a second of CPU, of all threads together.
            costs[f'{name}/{threads}'] = int(threads) * one['frames_per_second'] / 1e6
        elif 'items_per_second' in one:
            costs[name] = 1e9 / one['items_per_second']
        else:
            costs[name] = one['cpu_time']
    return costs


def pinned():
    return 'taskset', '-c', min(os.sched_getaffinity(0))


def native_costs(_options):
    """On one processor, but frames are counted by two threads on any."""
    return native_run(f'-{GROWTH}|{THREADS}', *pinned()) | native_run(THREADS)


def costs_in(text):
    """The costs that a program in a guest prints."""
    found = [line.partition(MARK)[2] for line in text.splitlines() if MARK in line]
    if len(found) != 1:
        raise Failure(f'no costs were measured:\n{text}')
    return json.loads(found[0])


def guest_run(options, preset, program, *more):
    status, text = shell.output_of(guests.command(
        options, guests.DEFAULT_KERNEL, '--quiet', '--timeout', GUEST_SECONDS, '--icount',
        '--smp', '1', '--memory', GUEST_MEMORY, *more,
        '--env', f'MACSTATS={BUILD}/{preset}/userspace/cli/macstats', '--',
        guests.WITH_MODULES, *program))
    if status:
        raise Failure(f'{program[0]} failed:\n{text}')
    return costs_in(text)


def call_costs(options, preset=PRESET):
    return guest_run(options, preset, [GUEST, 'calls'])


def port_costs(options):
    modules.fetch('prometheus')
    return guest_run(options, PRESET, [GUEST, 'ports'])


def few_port_costs(options, preset):
    """Without the time that passes in a scenario: the guest may wait for files of a busy host."""
    modules.fetch('prometheus')
    costs = guest_run(options, preset, [GUEST, 'few'])
    costs.pop('scenario')
    return costs


def short_call_costs(options, preset):
    """Without the start of the command: in the tests' build it loads shared libraries."""
    costs = call_costs(options, preset)
    costs.pop('macstats models')
    return costs


def growth_costs(options):
    return native_run(GROWTH, *pinned()) | guest_run(options, PRESET, [GUEST, 'growth'])


def hardware_costs(options, preset=PRESET):
    return guest_run(options, preset, [HARDWARE], *guests.hardware())


@dataclasses.dataclass(frozen=True)
class Part:
    """@targets: of the userspace part, which it needs. @guest: it needs the modules, too."""
    title: str
    costs: object
    targets: tuple = ()
    guest: bool = True


GUEST_PROGRAMS = ('bench-calls', 'bench-ports', *modules.COMMAND_TARGETS)
PARTS = {
    'native': Part('native code', native_costs, ('bench-native',), False),
    'guest': Part('calls in a guest whose clock counts instructions', call_costs,
                  GUEST_PROGRAMS),
    'ports': Part('many ports in such a guest', port_costs, (*GUEST_PROGRAMS, 'macstats-exporter')),
    'hardware': Part('drivers of NICs in such a guest', hardware_costs, GUEST_PROGRAMS),
    'growth': Part('growth', growth_costs, ('bench-native', *GUEST_PROGRAMS)),
}
# The parts that CI measures, each in a guest of its own, with the presets of its tests.
SHORT = {'guest': short_call_costs, 'ports': few_port_costs, 'hardware': hardware_costs}


def baseline():
    """{part: {name: instructions}}, of native code {name of a row: its ratio}"""
    return json.loads(BASELINE.read_text())


def kept(cost):
    return round(cost) if cost >= BIG else round(cost, 1)


def kept_of(part, costs):
    """The figures of a part that repeat."""
    if not PARTS[part].guest:
        return {row.what: float(f'{row.figure:.{RATIO_DIGITS}g}')
                for row in bench_rows.ratios_of(costs)}
    return {what: kept(cost) for what, cost in costs.items() if not re.search(GROWTH, what)}


def renewed(before, measured):
    """The baseline with the figures of the parts that were measured."""
    return before | {name: kept_of(name, costs) for name, costs in measured.items()}


def worse_ratios(before, costs):
    """Lines about native code that has become slower beside its peers."""
    number = bench_rows.number
    return [f'{row.what}: ratio {number(row.figure)}, in the baseline {number(before[row.what])}'
            for row in bench_rows.ratios_of(costs)
            if row.what in before and row.worse(before[row.what], WORSE_RATIO)]


def worse_than(before, costs, times=WORSE):
    """Lines about costs in a guest that have grown."""
    return [f'{name}: {costs[name]:,.0f} instructions, in the baseline {figure:,.0f}'
            for name, figure in before.items()
            if name in costs and costs[name] > times * figure]


def grown(options):
    """Lines about costs that are too much, in guests with the programs of the tests. These run at
    once: their clocks do not depend on the load."""
    modules.build_userspace(PARTS['ports'].targets, modules.PRESET, 'building the benchmarks')
    with concurrent.futures.ThreadPoolExecutor(len(SHORT)) as pool:
        measured = {name: pool.submit(costs, options, modules.PRESET)
                    for name, costs in SHORT.items()}
        return [line for name, costs in measured.items()
                for line in worse_than(baseline()[name], costs.result(), TOO_MUCH)]


def bench(options, words):
    names = words or list(PARTS)
    if not set(names) <= set(PARTS):
        raise Failure(f'bench has these parts: {" ".join(PARTS)}')
    parts = {name: PARTS[name] for name in names}
    packages.need(packages.of('userspace', 'kernel', 'guest', 'test', 'bench'), options.yes)
    options.kernels = [guests.DEFAULT_KERNEL]
    options.hardware = 'hardware' in parts
    modules.build_userspace(
        list(dict.fromkeys(target for part in parts.values() for target in part.targets)), PRESET,
        'building the benchmarks')
    if any(part.guest for part in parts.values()):
        modules.build_all_modules(options)
    results = {'machine': platform.processor() or platform.machine()}
    for name, part in parts.items():
        say(part.title)
        results[name] = part.costs(options)
        save(results)  # the next part may fail
    report(results)
    if options.renew:
        BASELINE.write_text(json.dumps(renewed(
            baseline(), {name: results[name] for name in parts}), indent=1) + '\n')
        say(f'renewed: {BASELINE.relative_to(ROOT)}')


def save(results):
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + '\n')


def report(results):
    """Prints the table and the exponents, draws the plots, and compares with the baseline."""
    measured = {name: costs for name, costs in results.items() if name in PARTS}
    costs = {name: cost for part in measured.values() for name, cost in part.items()}
    rows = bench_rows.rows_of(costs)
    results['rows'] = [dataclasses.asdict(row) | {'verdict': row.verdict} for row in rows]
    save(results)
    print(*bench_rows.table(rows), sep='\n')
    print(*bench_growth.lines(costs), sep='\n')
    bench_growth.draw(costs, PLOTS)
    for name, before in baseline().items():
        compare = worse_than if PARTS[name].guest else worse_ratios
        for line in compare(before, measured.get(name, {})):
            say(line)
    say(f'all figures: {RESULTS.relative_to(ROOT)}')
