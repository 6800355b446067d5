# SPDX-License-Identifier: GPL-2.0
"""The tests of this system and those in guests: which there are, how they run, and their counts."""

import concurrent.futures
import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import sys

import architectures
import arguments
import bench_driver
import counting
import guests
import modules
import packages
import series
import shell
from shell import BUILD, ROOT, Failure, finish, say, start

RESULTS = BUILD / 'test'
GUEST_TESTS = pathlib.Path('test/vm/tests')
# These run in a guest of their own, which has NICs: those of one kind in one guest.
HARDWARE_TESTS = pathlib.Path('test/vm/hardware')
# Drivers whose page needs a guest of its own run beside it.
DRIVER_PAGES = GUEST_TESTS / 'driver_pages.py'
RUN_ALL = 'test/vm/run-all'
# Programs that some guest tests run besides the command, and scenarios: such a test names them.
GUEST_TARGETS = ('macstats-test-models', 'netlink-fuzz', 'port-load', 'random-scenarios', 'sweeps')
# They take longest, and begin first: two guests share the programs, and one would wait at the end.
LONGEST = ('driver_check.py', 'driver_pages.py', 'scenarios.py', 'unplug_in_the_middle.py',
           'versions.py', 'wire.py')
TEST_SECONDS, FULL_TEST_SECONDS = 5400, 6 * 3600  # one guest with all tests in it
RTNL_SLOWNESS = 2    # of a guest that measures how long calls hold it
# Their driver sleeps with RTNL held, as the one of the kernel's tree does: e1000 for 9 s while it
# tests itself, and for 50 ms in scenarios. That is no time of the modules.
SLEEPING_DRIVERS = 'e1000_resets.py', 'wire_capture.py', 'wire_scenarios.py'
FULL_TEST_MEMORY = 6144  # MB: fleet.py has Prometheus keep 300,000 series
USUAL_NIC = 'e1000'
# The comments of a test that say where it runs. A colon alone is its own name, which is wrong.
MARK = re.compile(r'^(?:#|//) (long|driver bench|nic|architectures|not in user-mode Linux)'
                  r'(?:: *(?=\S)|(?=: *$)|$)(.*)$', re.MULTILINE)


def marks_of(program):
    return dict(MARK.findall((ROOT / program).read_text()))


def foreign(marks):
    """The architectures for which a test is marked."""
    if 'architectures' not in marks:
        return []
    names = marks['architectures'].split() or list(architectures.ARCHITECTURES)
    if not set(names) <= set(architectures.ARCHITECTURES):
        raise Failure(f'not the names of architectures: {marks["architectures"]}')
    return names


def programs_below(folder):
    found = [folder / path.name for path in (ROOT / folder).iterdir()
             if path.is_file() and os.access(path, os.X_OK)]
    return sorted(found, key=lambda program: (program.name not in LONGEST, program))


def obstacle(label, program):
    """Why a guest with this kernel cannot run a program; empty if it can."""
    if needs_hardware(program) and nic_of(program) not in architectures.KERNELS[label].nics:
        return f'it needs the NIC {nic_of(program)}; the machine of {label} has none'
    marks = marks_of(program)
    if architectures.is_program(label):
        return marks.get('not in user-mode Linux', '')
    return 'only user-mode Linux has emulated I/O memory and PCI' if 'driver bench' in marks else ''


def is_wanted(options, label, program):
    """Does a run without names have this program on this kernel?"""
    marks = marks_of(program)
    wanted = label in foreign(marks) if label in architectures.ARCHITECTURES else \
        options.long or marks.keys().isdisjoint(('long', 'driver bench'))
    return wanted and not obstacle(label, program)


def guest_programs(options, names):
    """The tests of these names, or all that are wanted on any of the kernels."""
    programs = programs_below(GUEST_TESTS) + programs_below(HARDWARE_TESTS)
    if not names:
        return [program for program in programs
                if any(is_wanted(options, label, program) for label in options.kernels)]
    by_name = {program.name: program for program in programs}
    for name in names:
        if name not in by_name:
            raise Failure(f'no such test: {name}')
    return [by_name[name] for name in names]


def needs_hardware(program):
    return program.parent == HARDWARE_TESTS


def needs_bench(program):
    return 'driver bench' in marks_of(program)


def nic_of(program):
    """The kind of NIC that a test needs."""
    return marks_of(program).get('nic', USUAL_NIC)


def guest_runs(options, names):
    """[(options, programs)]: where the tests of these names run. User-mode Linux takes a fraction
    of the time of QEMU; tests that it cannot run, and with --long all, run on Debian's kernels."""
    programs = guest_programs(options, names)
    if options.kernels:
        return [(options, programs)]
    own, debian = (dataclasses.replace(options, kernels=list(labels))
                   for labels in ([architectures.USER_MODE], arguments.KERNELS))
    fast = [program for program in programs if not obstacle(architectures.USER_MODE, program)]
    left_out = list(filter(needs_bench, programs)) if options.long else fast
    runs = [(own, fast), (debian, [each for each in programs if each not in left_out])]
    return [(each, some) for each, some in runs if some]


def reject_unsuitable(options, programs):
    """Each test needs a machine that can run it."""
    for program in programs:
        reasons = [obstacle(label, program) for label in options.kernels]
        if all(reasons):
            raise Failure(f'{program.name} cannot run: {reasons[0]}')


def seed():
    """$MACSTATS_SEED, or a number that changes with each commit; 1 where git knows none."""
    if given := os.environ.get('MACSTATS_SEED'):
        return int(given)
    status, text = shell.output_of(['git', 'rev-parse', '--short=7', 'HEAD'])
    return 1 if status else int(text[:7], 16)


def effort(options):
    """The variables by which tests know how much they have to do, and with which seed."""
    return {'MACSTATS_LONG': 'yes' if options.long or os.environ.get('MACSTATS_LONG') else '',
            'MACSTATS_FULL': 'yes' if options.full or os.environ.get('MACSTATS_FULL') else '',
            'MACSTATS_SEED': str(seed())}


def variables_of(options):
    """The same for a shell, before a command that repeats a test."""
    return ' '.join(f'{name}={value}' for name, value in effort(options).items() if value)


def prepare(options, programs, everything=False):
    """For these programs in guests; @everything: and for the unit tests."""
    if options.long:
        modules.fetch('kselftest')
    options.hardware = any(map(needs_hardware, programs))
    options.bench = any(map(needs_bench, programs))
    texts = [(ROOT / program).read_text() for program in programs]
    guests.prepare(options, ['all'] if everything else [*modules.COMMAND_TARGETS] + [
        target for target in GUEST_TARGETS if any(target in text for text in texts)])
    if any('build/series' in text for text in texts) and \
            any(map(architectures.is_program, options.kernels)):
        packages.need([*packages.of('hardware'), 'git'], options.yes)
        series.build_for_guests(options)
    on_newest = not set(architectures.NEWEST).isdisjoint(options.kernels)
    for tools in ('source', 'prometheus', 'fleet', *(['newest-source'] if on_newest else [])):
        if any(f'build/kernel/{tools}' in text for text in texts):
            modules.fetch(tools)


def unit(options, total):
    say('unit tests')
    report = RESULTS / 'unit.xml'
    report.unlink(missing_ok=True)
    # One more than there are processors: some wait for terminals and clocks.
    status, text = shell.output_of(
        ['ctest', '--preset', modules.PRESET, f'-j{shell.processors() + 1}', '--output-junit', report],
        env=os.environ | effort(options) | {'BOOST_TEST_REPORT_LEVEL': 'short',
                                            'BOOST_TEST_REPORT_FORMAT': 'XML'})
    counts = counting.Tally()
    if report.exists():
        counts = counting.unit_tests(report.read_text(errors='replace'))
    if status and not counts.failed:
        counts += failure('ctest')
    if counts.failed:
        print(text, end='', flush=True)
    total += counts


@dataclasses.dataclass
class Run:
    """A run of run-all: in a guest, or here for the tests of the runner."""
    name: str
    folder: pathlib.Path
    command: list
    repeat: str = ''
    environment: dict | None = None

    def counts(self):
        """Runs it; each line that it prints shows its name."""
        with start(self.command, env=self.environment, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT) as child:
            for line in child.stdout:
                sys.stdout.buffer.write(f'{self.name} | '.encode() + line)
                sys.stdout.buffer.flush()
        return judged(finish(child), programs_in(self.folder / f'{self.name}-counts',
                                                 f'{self.name} ', self.repeat), self.name)


def kernel_words(options, label):
    """The options that choose this kernel, and no other."""
    if options.kernel_dir:
        return f'--kernel-dir {options.kernel_dir}'
    if label in architectures.BUILT:
        return f'--{label}-kernel'
    return f'--arch {label}' if label in architectures.ARCHITECTURES else f'--kernel {label}'


def guest_run(options, label, name, programs, folder='', rtnl=False):
    """Programs in a guest. Guests with the same @folder, below RESULTS, share them. With @rtnl, the
    guest's clock counts instructions, so that it does not advance while the host does other work,
    and run-all measures how long calls of the modules hold RTNL."""
    slow = guests.slowness_of(label) * (RTNL_SLOWNESS if rtnl else 1)
    seconds = FULL_TEST_SECONDS if options.full else TEST_SECONDS
    results = RESULTS / (folder or name)
    results.mkdir(parents=True, exist_ok=True)
    # A hold of RTNL does not depend on how much of all that is random is tried.
    variables = [word for variable, value in effort(options).items()
                 if not rtnl or variable == 'MACSTATS_SEED'
                 for word in ('--env', f'{variable}={value}')]
    return Run(name, results, guests.command(
        options, label, '--timeout', seconds * slow, '--results', results,
        *(guests.with_nics(nic_of(programs[0])) if needs_hardware(programs[0]) else []),
        *(['--memory', FULL_TEST_MEMORY] if options.full else []),
        # Without preemption: otherwise a hold lasts until all others have had their turns.
        *(['--icount', '--smp', '1', '--append', 'preempt=none'] if rtnl else []),
        *variables, '--',
        RUN_ALL, '--in-guest', '--slow', slow, '--counts', f'/results/{name}-counts',
        # A guest of another architecture has programs of its own.
        *([] if label in architectures.ARCHITECTURES else
          ['--executed', f'/results/{name}-executed']),
        *(['--claims', '/results/claims'] if folder else []),
        *(['--rtnl'] if rtnl else []), *programs),
        f'{variables_of(options)} ./dev test {kernel_words(options, label)}')


def selftest_run(options, label):
    """The tests of the runner."""
    name, folder = f'{label}-runner', RESULTS / f'{label}-runner'
    folder.mkdir(parents=True)
    built = modules.build_folder(options, label) if label in architectures.BUILT else ''
    return Run(name, folder, [RUN_ALL, '--counts', folder / f'{name}-counts', 'test/vm/selftest'],
               environment=os.environ | {'KERNEL': label, 'MACSTATS_KERNEL_DIR': str(built),
                                         'KMOD_EXTRA_DIR': f'{BUILD}/kmod-{label}-extra'})


def judged(status, total, what):
    """The counts of a guest or of another run. It may end badly after the last test, or before
    the first: only status 1 is explained by a test that has failed."""
    if status and (status != 1 or not total.failed):
        total += failure(f'{what} ended with status {status}')
    return total


def programs_in(path, label='', repeat=''):
    return counting.programs(path.read_text() if path.exists() else '', label, repeat)


def failure(what, *repeats):
    return counting.Tally(failed=1, failures=[what], repeats=list(repeats))


def runs_of(options, label, programs, count, with_selftest):
    """The tests of a kernel: those that need hardware have a guest of their own, @count guests
    share the others. In a full run, more guests measure RTNL."""
    shell.must(['rm', '-rf', RESULTS / label, *RESULTS.glob(f'{label}-*')])
    (RESULTS / label / 'claims').mkdir(parents=True)  # fails if there are those of an earlier run
    usual = [program for program in programs if not needs_hardware(program)]
    hardware = list(filter(needs_hardware, programs))
    runs = [guest_run(options, label, f'{label}-{"hardware" if kind == USUAL_NIC else kind}',
                      [program for program in hardware if nic_of(program) == kind])
            for kind in dict.fromkeys(map(nic_of, hardware))]
    runs += [guest_run(options, label, f'{label}-{number}' if number > 1 else label, usual, label)
             for number in range(1, min(count, len(usual)) + 1)]
    if with_selftest:
        runs.append(selftest_run(options, label))
    if options.full and label in arguments.KERNELS:
        awake = [program for program in hardware if program.name not in SLEEPING_DRIVERS
                 and nic_of(program) == USUAL_NIC]
        runs += [guest_run(options, label, f'{label}-{name}', share, rtnl=True)
                 for name, share in (('rtnl', usual), ('hardware-rtnl', awake)) if share]
    return runs


def in_guests(options, names, programs, total, with_selftest=False):
    """Two guests at once: a test program seldom uses more than one CPU. @with_selftest: the
    runner's tests, too."""
    runs = []
    for label in options.kernels:
        suitable = [program for program in programs
                    if is_wanted(options, label, program)
                    or names and not obstacle(label, program)]
        runs += runs_of(options, label, suitable, 2 if len(options.kernels) == 1 else 1,
                        with_selftest)
    alone = [driver for driver in bench_driver.DRIVERS.values() if driver.alone] \
        if options.kernels == [architectures.USER_MODE] and DRIVER_PAGES in programs else []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pages = pool.map(functools.partial(bench_driver.page_test, options), alone)
        results = pool.map(Run.counts, runs)
    for counts in pages:
        total += counts
    shared = {each.folder: counting.Tally() for each in runs}  # by guests with the same programs
    for each, counts in zip(runs, results):
        shared[each.folder] += counts
    for folder, counts in shared.items():
        total += counts
        if not counts.passed and not counts.failed:
            total += failure(f'{folder.name}: no test has passed')
