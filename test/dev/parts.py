# SPDX-License-Identifier: GPL-2.0
"""./dev test: the parts that a run consists of, and their order. tests.py has the tests in guests,
and how they run."""

import dataclasses
import os
import re
import subprocess
import sys
import time
from functools import partial

import architectures
import bench
import counting
import docs
import guests
import lint
import modules
import packages
import tests
from shell import BUILD, ROOT, Failure, output_of, run, say

# Of each fuzzer. A slow one states its own in a comment: `// inputs: 5000`.
FUZZ_INPUTS, FULL_FACTOR = 12_500, 160
STATED_INPUTS = re.compile(r'^// inputs: (\d+)$', re.MULTILINE)
LIVE_SECONDS = 600  # the guest whose live page a browser opens
ALL_GROUPS = 'tests builds parts'  # of the cases of a suite, see test/distribution/inside


def verdict(what, status, command):
    """One test, by the exit code of a command."""
    return tests.failure(what, ' '.join(map(str, command))) if status else \
        counting.Tally(passed=1)


def on_kernels(options, labels, **more):
    """The options of a part with kernels of its own."""
    return dataclasses.replace(options, kernels=labels, kernel_dir=None, **more)


def one_or_all(options, names):
    """The one which the seed selects, all in a full run"""
    return names if options.full else [names[tests.seed() // len(TURNS) % len(names)]]


def fuzzers(options, total):
    """Each fuzzer is a test."""
    packages.need(packages.of('userspace', 'fuzz'), options.yes)
    for source in sorted((ROOT / 'test/fuzz').glob('*.cpp')):
        stated = STATED_INPUTS.search(source.read_text())
        inputs = int(stated[1]) if stated else FUZZ_INPUTS
        command = ['test/fuzz/run', '--inputs', inputs * FULL_FACTOR if options.full else inputs,
                   source.stem]
        status, text = output_of(command, env=os.environ | tests.effort(options))
        if status:
            print(*text.splitlines()[-100:], sep='\n', flush=True)
        total += verdict(f'fuzzer {source.stem}', status, command)


def costs(options, total):
    """In guests whose clocks count instructions. The margin is wide: `./dev bench` has goals."""
    own = on_kernels(options, [architectures.DEFAULT], hardware=True)
    guests.prepare(own, ['all'])
    problems = bench.grown(own)
    total += counting.Tally(not problems, len(problems), 0, problems)


def pages(options, total):
    """The report of a run, the live page of `macstats export`, here and of an exporter in a guest
    with ports of the modules, the pictures of docs/features.md and the site, in a browser."""
    packages.need(packages.of('browser', 'docs'), options.yes)
    own = on_kernels(options, [architectures.DEFAULT])
    guests.prepare(own, ['all', 'random-frames'])
    programs = BUILD / modules.PRESET
    in_browser('the report', ['test/browser/report.py', programs / 'userspace/cli/macstats'], total)
    in_browser('the live page', ['test/browser/live.py', programs / 'test/fake_kernel'], total)
    in_browser('the pictures of docs/features.md', [
        'test/browser/images.py', programs / 'test/fake_kernel', '--check'], total)
    in_browser('the live page of a guest', [
        'test/browser/live_ports.py', *guests.command(own, architectures.DEFAULT, '--quiet',
                                                      '--timeout', LIVE_SECONDS)], total)
    docs.make()
    in_browser('the site', ['test/site/pages.py', '--frames', programs / 'test/site/random-frames',
                            '--command', programs / 'userspace/cli/macstats', '--seed',
                            tests.seed(), docs.FOLDER / 'html'], total,
               env=os.environ | tests.effort(options))


def in_browser(what, command, total, **more):
    total += verdict(f'{what} in a browser', run(command, stdin=subprocess.DEVNULL, **more),
                     command)


def in_fresh_debian(program, needed, options, total, **variables):
    """A test that makes a fresh Debian below build/."""
    packages.need(packages.of(*needed), options.yes)
    counts = tests.RESULTS / f'{program.replace("/", "-")}-counts'
    counts.unlink(missing_ok=True)
    status = run([tests.RUN_ALL, '--counts', counts, program],
                 env=os.environ | tests.effort(options) | variables)
    total += tests.judged(status, tests.programs_in(counts), program)


def on_debian(suite, groups, in_full, options, total):
    """On a machine with nothing but this suite: some groups of cases, and those of a full run."""
    in_fresh_debian(f'test/distribution/{suite}', ['fresh'], options, total,
                    MACSTATS_GROUPS=in_full if options.full else groups)


def guest_tests(own, names, programs, total, **more):
    """Builds what these programs need, and runs them."""
    tests.prepare(own, programs)
    tests.in_guests(own, names, programs, total, **more)


def other_architectures(options, total):
    """Builds the modules and the userspace part, and runs tests in guests: for one architecture or
    all."""
    names = one_or_all(options, list(architectures.ARCHITECTURES))
    others = on_kernels(options, names, long=False, full=False)
    programs = tests.guest_programs(others, [])
    tests.prepare(others, programs)
    total += counting.Tally(passed=1)  # the builds
    others.kernels = [name for name in names if architectures.ARCHITECTURES[name].in_ci]
    if others.kernels:
        tests.in_guests(others, [], programs, total)


def on_kernel(label, options, total, long=False, hardware=False):
    """The guest tests on a kernel of Debian: a third of them, which the seed selects, all in a full
    run. @long: with those that take long; @hardware: with all that need a NIC"""
    own = on_kernels(options, [label], long=long or options.full)
    programs = tests.guest_programs(own, [])
    if not options.full:
        usual = [each for each in programs if not tests.needs_hardware(each)]
        nics = [each for each in programs if hardware and tests.needs_hardware(each)]
        programs = usual[tests.seed() // len(TURNS) % 3::3] + nics
    guest_tests(own, [], programs, total, with_selftest=True)


def wire(options, total):
    """Two NICs of QEMU, their drivers and the capture of their wire: of one kind or all. Those of
    e1000 are in the part 6.1."""
    for name in one_or_all(options, list(WIRES)):
        own = on_kernels(options, [WIRES[name]])
        guest_tests(own, [name], tests.guest_programs(own, [name]), total)


def driver_bench(options, total):
    """Drivers of the kernel's tree, and conversions, on emulated registers"""
    own = on_kernels(options, [architectures.USER_MODE], long=False, full=False)
    programs = list(filter(tests.needs_bench, tests.programs_below(tests.GUEST_TESTS)))
    guest_tests(own, [each.name for each in programs], programs, total)


def two_processors(options, total):
    """The tests of races, on user-mode Linux with two processors."""
    own = on_kernels(options, [architectures.USER_MODE_SMP], long=False, full=False)
    guest_tests(own, RACES, tests.guest_programs(own, RACES), total)


def long_unit(options, total):
    """Two million random frames for each MAC, ten in a full run, and other random tests of this
    system."""
    modules.build_userspace(['all'])
    tests.unit(dataclasses.replace(options, long=True), total)


def all_checks(options, total):
    """Of the kernels with sparse, and of the checks of conversions and the series, the one that the
    seed selects, all in a full run."""
    kinds = [[name for name in lint.CHECKS if name.startswith('sparse-')],
             ['series', *modules.FOLDERS]]
    left_out = set(sum(kinds, [])).difference(*(one_or_all(options, names) for names in kinds))
    total += lint.check_all([name for name in lint.CHECKS if name not in left_out], options.yes)


PARTS = {
    'lint': all_checks,
    'drivers': driver_bench,
    '6.1': partial(on_kernel, '6.1', hardware=True),
    '6.12': partial(on_kernel, '6.12', long=True),
    'newest': partial(on_kernel, 'newest'),
    'rt': partial(on_kernel, 'rt'),
    'architectures': other_architectures,
    'wire': wire,
    'races': two_processors,
    # The Debian packages, installed; those of Fedora, built or checked
    'packages': partial(in_fresh_debian, 'test/packages/run', [
        'userspace', 'kernel', 'guest', 'package', 'rpm', 'fresh']),
    'pages': pages,
    'fuzzers': fuzzers,
    'random': long_unit,
    'costs': costs,
    'bookworm': partial(on_debian, 'bookworm', 'parts', ALL_GROUPS),
    'trixie': partial(on_debian, 'trixie', 'tests', 'tests'),
    'trixie-builds': partial(on_debian, 'trixie', 'builds', 'builds parts'),
    'sid': partial(on_debian, 'sid', ALL_GROUPS, ALL_GROUPS),
}
# A long run has these, and one of the lists, which the commit selects. A full run has all of them.
ALWAYS = ('drivers', 'lint', 'newest', 'trixie', 'wire')
TURNS = (['6.1'], ['6.12'], ['rt'], ['architectures'], ['packages'], ['pages'],
         ['bookworm', 'trixie-builds'], ['fuzzers', 'random'], ['costs'], ['races'])
# Seconds of parts of a long run on two idle processors, where each commit has at most 40 minutes.
PLANS = {'tests': 480, 'drivers': 180, 'lint': 360, 'newest': 360, 'trixie': 270, 'wire': 180}
OTHER_PLAN = 480    # of the others, those of a turn together
RACES = ['driver_races.py', 'load.py', 'torn_reads.py', 'shared_counters.py', 'life_cycles.py']
# {a test of NICs that only some machines have: the kernel of its guest}
WIRES = {'wire_macb.py': 'arm64', 'wire_e1000e.py': '6.12', 'e1000e_resets.py': '6.12',
         'wire_8139cp.py': '6.12'}


def parts_of(options, seed):
    """The parts of a long run after the tests that each run has."""
    return list(PARTS) if options.full else [*ALWAYS, *TURNS[seed % len(TURNS)]]


def duration(name, seconds, options):
    """The line at the end of a part: it says so if that took longer than planned."""
    turn = next((turn for turn in TURNS if name in turn), [name])
    plan = PLANS.get(name, OTHER_PLAN // len(turn))
    late = f', planned: {plan} s' if seconds > plan and not options.full else ''
    return f'{name}: {seconds:.0f} s{late}'


def run_part(name, options, total):
    began = time.monotonic()
    say(name)
    try:
        PARTS[name](options, total)
    except Failure as error:  # the other parts run nevertheless
        print(f'./dev: {error}', file=sys.stderr)
        total += tests.failure(f'{name}: {error}')
    say(duration(name, time.monotonic() - began, options))


def usual(options, total):
    """The tests that need no guest, then the guests of user-mode Linux."""
    with_unit = not options.kernels
    own = on_kernels(options, [architectures.USER_MODE], long=False, full=False) if with_unit \
        else options
    programs = tests.guest_programs(own, [])
    with_selftest = options.long or not set(architectures.BUILT).isdisjoint(options.kernels)
    tests.prepare(own, programs, with_unit)
    if with_unit:
        tests.unit(own, total)
    tests.in_guests(own, [], programs, total, with_selftest)


def named(options, names, total):
    """Parts and guest tests of these names."""
    programs = [name for name in names if name not in PARTS]
    runs = tests.guest_runs(options, programs) if programs else []
    for each, some in runs:
        tests.reject_unsuitable(each, some)
    for each, some in runs:
        guest_tests(each, programs, some, total)
    for name in names:
        if name in PARTS:
            run_part(name, options, total)


def everything(options, total):
    tests.RESULTS.mkdir(parents=True, exist_ok=True)
    if options.words:
        named(options, options.words, total)
    else:
        began = time.monotonic()
        usual(options, total)
        if not options.kernels:
            say(duration('tests', time.monotonic() - began, options))
            for name in parts_of(options, tests.seed()) if options.long else []:
                run_part(name, options, total)


def test(options):
    """Exit status 0 comes only from here: at least one test has passed and none failed."""
    total, complete, variables = counting.Tally(), False, ''
    try:
        variables = tests.variables_of(options)
        everything(options, total)
        complete = True
    except Failure as error:
        print(f'./dev: {error}', file=sys.stderr)
    finally:
        if not complete:
            total += tests.failure('not all tests were run')
        for each in total.failures:
            print(f'failed: {each}')
        for each in total.repeats:
            print(f'repeat with: {"" if each.startswith("MACSTATS_") else f"{variables} "}{each}')
        print(total, flush=True)
    sys.exit(0 if total.passed and not total.failed else 1)
