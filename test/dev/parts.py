# SPDX-License-Identifier: GPL-2.0
"""./dev test: the parts that a run consists of, and their order. tests.py has the tests in guests,
and how they run."""

import dataclasses
import itertools
import os
import re
import subprocess
import sys

import architectures
import arguments
import bench
import budget
import counting
import docs
import guests
import lint
import modules
import mutant_sample
import mutants
import packages
import tests
from shell import BUILD, ROOT, Failure, run, say

# Of each fuzzer. A slow one states its own in a comment: `// inputs: 5000`.
FUZZ_INPUTS, FULL_FACTOR = 12_500, 160
STATED_INPUTS = re.compile(r'^// inputs: (\d+)$', re.MULTILINE)
LIVE_SECONDS = 600  # the guest whose live page a browser opens
ALL_GROUPS = 'tests builds parts'  # of the cases of a suite, see test/distribution/inside


def verdict(what, status, *repeats):
    """One test, by an exit code."""
    return tests.failure(what, *repeats) if status else counting.Tally(passed=1)


def fuzz_inputs(options, text):
    """How many a fuzzer with this source tries."""
    stated = STATED_INPUTS.search(text)
    inputs = int(stated[1]) if stated else FUZZ_INPUTS
    return inputs * FULL_FACTOR if options.full else inputs


def fuzzers(options, total):
    """Each fuzzer is a test."""
    packages.need(packages.of('userspace', 'fuzz'), options.yes)
    for source in sorted((ROOT / 'test/fuzz').glob('*.cpp')):
        log = tests.RESULTS / f'fuzz-{source.stem}.log'
        command = ['test/fuzz/run', '--inputs', str(fuzz_inputs(options, source.read_text())),
                   source.stem]
        with log.open('wb') as output:
            status = run(command, env=os.environ | tests.effort(options), stdin=subprocess.DEVNULL,
                         stdout=output, stderr=subprocess.STDOUT)
        if status:
            print(*log.read_text(errors='replace').splitlines()[-100:], sep='\n', flush=True)
        total += verdict(f'fuzzer {source.stem}', status, ' '.join(command))


def changed_headers(options, total):
    """A sample of changes that tests have to notice, another one for each commit."""
    packages.need(packages.of('userspace', 'unit'), options.yes)
    noticed, survivors = mutants.check(mutant_sample.HEADERS, budget.seed(),
                                       mutant_sample.COUNT)
    print(f'{noticed} of {noticed + len(survivors)} mutants are noticed, '
          f'{mutants.MOST_SURVIVORS} may be missed', flush=True)
    total += verdict('mutants', len(survivors) > mutants.MOST_SURVIVORS)


def costs(options, total):
    """In guests whose clocks count instructions. The margin is wide: `./dev bench` has goals."""
    own = dataclasses.replace(options, hardware=True)
    guests.use_one_kernel(own)
    guests.prepare(own, ['all'])
    problems = bench.grown(own)
    total += counting.Tally(not problems, len(problems), 0, problems)


def pages(options, total):
    """The site, the report of a run, the live page of `macstats export` and the pictures of
    docs/features.md, in a browser."""
    packages.need(packages.of('userspace', 'browser'), options.yes)
    modules.build_userspace(['all'])
    programs = BUILD / modules.PRESET
    in_browser('the report', ['test/browser/report.py', programs / 'userspace/cli/macstats'], total)
    in_browser('the live page', ['test/browser/live.py', programs / 'test/fake_kernel'], total)
    in_browser('the pictures of docs/features.md', [
        'test/browser/images.py', programs / 'test/fake_kernel', '--check'], total)
    live_ports(options, total)
    total += docs.check(options, budget.seed(), os.environ | tests.effort(options))


def live_ports(options, total):
    """The live page of an exporter in a guest, with ports of the modules."""
    own = dataclasses.replace(options)
    label = guests.use_one_kernel(own)
    guests.prepare(own, [*modules.COMMAND_TARGETS])
    in_browser('the live page of a guest', [
        'test/browser/live_ports.py', *guests.command(own, label, '--quiet', '--timeout',
                                                      LIVE_SECONDS)], total)


def in_browser(what, command, total):
    total += verdict(f'{what} in a browser', run(command, stdin=subprocess.DEVNULL),
                     ' '.join(map(str, command)))


def in_fresh_debian(program, needed, options, total, **variables):
    """A test that makes a fresh Debian below build/."""
    packages.need(packages.of(*needed), options.yes)
    counts = tests.RESULTS / f'{program.replace("/", "-")}-counts'
    counts.unlink(missing_ok=True)
    run([tests.RUN_ALL, '--counts', counts, program],
        env=os.environ | tests.effort(options) | variables)
    total += tests.programs_in(counts)


def on_debian(suite, groups=ALL_GROUPS, in_full=ALL_GROUPS):
    """The part for a machine with nothing but this suite: some groups of cases, and those of a full
    run."""
    def part(options, total):
        in_fresh_debian(f'test/distribution/{suite}', ['fresh'], options, total,
                        MACSTATS_GROUPS=in_full if options.full else groups)
    return part


def installed_packages(options, total):
    """The Debian packages, installed; those of Fedora, built or checked."""
    in_fresh_debian('test/packages/run',
                    ['userspace', 'kernel', 'guest', 'package', 'rpm', 'fresh'], options, total)


def other_architectures_of(options, seed):
    """(those for which a run builds, those of which it has a guest): one, which the seed selects;
    all in a full run."""
    every = architectures.ARCHITECTURES
    tested = [name for name in every if every[name].in_ci]
    if options.full:
        return list(every), tested
    name = list(every)[seed % len(every)]
    return [name], [each for each in tested if each == name]


def other_architectures(options, total):
    """Builds the modules and the userspace part, and runs tests in guests."""
    built, tested = other_architectures_of(options, budget.seed() // len(TURNS))
    others = dataclasses.replace(options, kernels=built, kernel_dir='', built_kernel='',
                                 long=False, full=False)
    programs = tests.guest_programs(others, [])
    tests.prepare(others, programs)
    others.kernels = tested
    if tested:
        tests.in_guests(others, [], programs, total)
    else:
        total += counting.Tally(passed=1)


def half(programs, seed):
    """Every second one."""
    return programs[seed % 2::2]


def on_kernel(label, long=False, hardware=False):
    """The part that runs the guest tests on a kernel of Debian: half of them, which the seed selects,
    all in a full run. @long: with those that take long; @hardware: with all that need a NIC"""
    def part(options, total):
        own = dataclasses.replace(options, kernels=[label], kernel_dir='', built_kernel='',
                                  long=long or options.full)
        programs = tests.guest_programs(own, [])
        if not options.full:
            nics = list(filter(tests.needs_hardware, programs)) if hardware else []
            programs = half(list(itertools.filterfalse(tests.needs_hardware, programs)),
                            budget.seed() // len(TURNS)) + nics
        tests.prepare(own, programs)
        tests.in_guests(own, [], programs, total, with_selftest=True)
    return part


def long_unit(options, total):
    """Ten million random frames for each MAC, and other random tests of this system."""
    modules.build_userspace(['all'])
    tests.unit(dataclasses.replace(options, long=True), total)


def lint_check(name):
    def part(options, total):
        total += lint.check_all([name], options.yes)
    return part


LINT = {f'lint {name}': lint_check(name) for name in lint.CHECKS}
PARTS = {
    '6.1': on_kernel('6.1', hardware=True),
    '6.12': on_kernel('6.12', long=True),
    'newest': on_kernel('newest'),
    'rt': on_kernel('rt'),
    'architectures': other_architectures,
    'packages': installed_packages,
    'pages': pages,
    'fuzzers': fuzzers,
    'random': long_unit,
    'mutants': changed_headers,
    'costs': costs,
    'bookworm': on_debian('bookworm', 'parts'),
    'trixie': on_debian('trixie', 'tests', 'tests'),
    'trixie-builds': on_debian('trixie', 'builds', 'builds parts'),
    'sid': on_debian('sid'),
}
# A long run has these, and one of the lists, which the commit selects. A full run has all of them.
ALWAYS = (*LINT, 'newest', 'trixie')
TURNS = (['6.1'], ['6.12'], ['rt'], ['architectures'], ['packages'], ['pages'],
         ['bookworm', 'trixie-builds'], ['fuzzers', 'random'], ['mutants'], ['costs'])


def parts_of(options, seed):
    """The parts of a long run after the tests that each run has."""
    if options.full:
        return [*LINT, *PARTS]
    return [*ALWAYS, *TURNS[seed % len(TURNS)]]


def run_part(name, options, total, clock):
    say(name)
    with clock.part(name):
        {**LINT, **PARTS}[name](options, total)


def usual(options, total, clock):
    """The tests that need no guest, then the guests of user-mode Linux."""
    own = options if tests.chooses_kernel(options) else \
        dataclasses.replace(options, built_kernel=architectures.USER_MODE, long=False, full=False)
    programs = [] if options.unit else tests.guest_programs(own, [])
    if tests.is_user_mode(own):
        programs = list(filter(tests.runs_in_user_mode, programs))
    with_unit = not tests.chooses_kernel(options)
    with_selftest = options.long or bool(options.kernel_dir or options.built_kernel)
    with clock.part('build'):
        tests.prepare(own, programs, with_unit)
    if with_unit:
        with clock.part('unit'):
            tests.unit(own, total)
    if programs:
        with clock.part('guests'):
            tests.in_guests(own, [], programs, total,
                            with_selftest and not architectures.among(options.kernels))


def named(options, names, total, clock):
    """Parts and guest tests of these names."""
    programs = [name for name in names if name not in PARTS]
    runs = tests.guest_runs(options, programs) if programs else []
    for each, some in runs:
        tests.reject_unsuitable(each, some)
    for each, some in runs:
        tests.prepare(each, some)
        tests.in_guests(each, programs, some, total)
    for name in names:
        if name in PARTS:
            run_part(name, options, total, clock)


def everything(options, names, total, clock):
    tests.RESULTS.mkdir(parents=True, exist_ok=True)
    for option in 'coverage', 'unit', 'distribution':
        if getattr(options, option) and names:
            raise Failure(f'--{option} takes no names of tests')
    if options.coverage:
        tests.with_coverage(options, total)
    elif options.distribution:
        on_debian(options.distribution)(options, total)
    elif names:
        named(options, names, total, clock)
    else:
        usual(options, total, clock)
        if options.long and not options.unit and not tests.chooses_kernel(options):
            for name in parts_of(options, budget.seed()):
                run_part(name, options, total, clock)


def test(options, names):
    """Exit status 0 comes only from here: at least one test has passed and none failed."""
    total, clock, complete = counting.Tally(), budget.Clock(), False
    try:
        everything(options, names, total, clock)
        complete = True
        # The plan is that of the usual kernels and of the usual effort.
        if clock.parts and not (options.full or tests.chooses_kernel(options)):
            print(*clock.report(budget.parse(budget.FILE.read_text())), sep='\n')
    except Failure as error:
        print(f'./dev: {error}', file=sys.stderr)
    finally:
        if not complete:
            total += tests.failure('not all tests were run')
        for each in total.failures:
            print(f'failed: {each}')
        for each in total.repeats:
            has_variables = each.startswith('MACSTATS_')
            print(f'repeat with: '
                  f'{each if has_variables else f"{tests.variables_of(options)} {each}"}')
        print(total, flush=True)
    sys.exit(0 if total.passed and not total.failed else 1)
