# SPDX-License-Identifier: GPL-2.0
"""The tests of this system and those in guests: which there are, how they run, and their counts."""

import contextlib
import dataclasses
import itertools
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import architectures
import arguments
import budget
import counting
import coverage
import guests
import modules
import packages
import shell
from shell import BUILD, ROOT, Failure, finish, run, say, start

RESULTS = BUILD / 'test'
GUEST_TESTS = pathlib.Path('test/vm/tests')
# These run in a guest of their own, which has NICs.
HARDWARE_TESTS = pathlib.Path('test/vm/hardware')
RUN_ALL = 'test/vm/run-all'
# Programs that some guest tests run besides the command: such a test names them.
GUEST_TARGETS = ('macstats-test-models', 'netlink-fuzz', 'port-load', 'random-scenarios')
TEST_SECONDS = 3600  # one guest with all tests in it
LONG_TEST_SECONDS = 5400
FULL_TEST_SECONDS = 6 * 3600
RTNL_SECONDS = 0.05  # the longest that a call may hold RTNL, by the instruction clock
RTNL_SLOWNESS = 2    # of a guest that measures it
# Their driver sleeps with RTNL held, as the one of the kernel's tree does: e1000 for 9 s while it
# tests itself, and for 50 ms in scenarios. That is no time of the modules.
SLEEPING_DRIVERS = 'e1000_resets.py', 'wire_capture.py', 'wire_scenarios.py'
FULL_TEST_MEMORY = 6144  # MB: fleet.py has Prometheus keep 300,000 series
LONG = re.compile(r'^(#|//) long$', re.MULTILINE)
BEGUN = re.compile(rb'==> (\S+\.py)\s*$')  # see RUN_ALL
# Guests of other architectures run these: all of them, or those of these names.
FOREIGN = re.compile(r'^# architectures(:.*)?$', re.MULTILINE)
NOT_USER_MODE = re.compile(r'^# not in user-mode Linux: (.+)', re.MULTILINE)
HEAD_LINES = 40
# Debian's kernels skip these: what they take beside the plan of the others on a kernel that
# lets allocations fail.
FAILURE_SECONDS = {'allocation_failures.py': 200, 'load_failures.py': 30}


def mark(pattern, text):
    """The match of a mark, which is a line near the head of a test."""
    return pattern.search('\n'.join(text.splitlines()[:HEAD_LINES]))


def is_long(text):
    """Is it marked as a test that takes long?"""
    return bool(mark(LONG, text))


def foreign(text):
    """The architectures for which a test is marked."""
    found = mark(FOREIGN, text)
    if not found:
        return []
    if found[1] is None:
        return list(architectures.ARCHITECTURES)
    names = found[1][1:].split()
    if not names or not set(names) <= set(architectures.ARCHITECTURES):
        raise Failure(f'not the names of architectures: {found[0]}')
    return names


def is_program(path):
    return path.is_file() and os.access(path, os.X_OK)


def programs_below(folder):
    return [folder / path.name for path in sorted((ROOT / folder).iterdir()) if is_program(path)]


def guest_programs(options, names):
    """The tests of these names, or all that are wanted."""
    programs = programs_below(GUEST_TESTS) + programs_below(HARDWARE_TESTS)
    if not names and architectures.among(options.kernels):
        return [program for program in programs
                if set(foreign((ROOT / program).read_text())) & set(options.kernels)]
    if not names:
        return [program for program in programs
                if options.long or not is_long((ROOT / program).read_text())]
    by_name = {program.name: program for program in programs}
    for name in names:
        if name not in by_name:
            raise Failure(f'no such test: {name}')
    return [by_name[name] for name in names]


def needs_hardware(program):
    return program.parent == HARDWARE_TESTS


def runs_in_user_mode(program):
    return not needs_hardware(program) and \
        not mark(NOT_USER_MODE, (ROOT / program).read_text())


def is_user_mode(options):
    return bool(options.kernel_dir or options.built_kernel) and \
        architectures.is_program(modules.own_label(options))


def chooses_kernel(options):
    """Did the caller choose the kernel of the guests?"""
    return bool(options.kernel_dir or options.built_kernel
                or options.kernels != list(arguments.KERNELS))


def guest_runs(options, names):
    """[(options, programs)]: where the tests of these names run. User-mode Linux takes a fraction of
    the time of QEMU; tests that it cannot run, and with --long all, run on Debian's kernels."""
    programs = guest_programs(options, names)
    if chooses_kernel(options):
        return [(options, programs)]
    own = dataclasses.replace(options, built_kernel=architectures.USER_MODE)
    others = programs if options.long else itertools.filterfalse(runs_in_user_mode, programs)
    runs = [(own, list(filter(runs_in_user_mode, programs))), (options, list(others))]
    return [(each, some) for each, some in runs if some]


def labels_of(options):
    """Of the kernels whose guests run."""
    own = options.kernel_dir or options.built_kernel
    return [modules.own_label(options)] if own else options.kernels


def reject_unsuitable(options, programs):
    """Each test needs a machine that can run it."""
    for program in programs if is_user_mode(options) else []:
        reason = mark(NOT_USER_MODE, (ROOT / program).read_text())
        if reason:
            raise Failure(f'{program.name} cannot run in user-mode Linux: {reason[1]}')
    labels = labels_of(options)
    lacking = [label for label in labels if not architectures.has_nics(label)]
    hardware = [program.name for program in programs if needs_hardware(program)]
    if hardware and lacking == labels:
        raise Failure(f'{hardware[0]} needs a NIC; the machine of {lacking[0]} has none')


def effort(options):
    """The variables by which tests know how much they have to do, and with which seed."""
    return {'MACSTATS_LONG': 'yes' if options.long or os.environ.get('MACSTATS_LONG') else '',
            'MACSTATS_FULL': 'yes' if options.full or os.environ.get('MACSTATS_FULL') else '',
            'MACSTATS_SEED': str(budget.seed())}


def variables_of(options):
    """The same for a shell, before a command that repeats a test."""
    return ' '.join(f'{name}={value}' for name, value in effort(options).items() if value)


def prepare(options, programs, everything=False):
    """For these programs in guests; @everything: and for the unit tests."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    if options.long:
        modules.fetch('kselftest')
    if options.unit:
        packages.need(packages.of('userspace', 'unit'), options.yes)
        modules.build_userspace(['all'])
        return
    options.hardware = any(map(needs_hardware, programs))
    texts = [(ROOT / program).read_text() for program in programs]
    guests.prepare(options, ['all'] if everything else [*modules.COMMAND_TARGETS] + [
        target for target in GUEST_TARGETS if any(target in text for text in texts)])
    on_newest = not set(architectures.NEWEST).isdisjoint(options.kernels)
    for tools in ('source', 'prometheus', 'fleet', *(['newest-source'] if on_newest else [])):
        if any(f'build/kernel/{tools}' in text for text in texts):
            modules.fetch(tools)


def unit(options, total, preset=modules.PRESET, excluded=()):
    say('unit tests')
    report, log = RESULTS / 'unit.xml', RESULTS / 'unit.log'
    report.unlink(missing_ok=True)
    environment = os.environ | {
        'BOOST_TEST_REPORT_LEVEL': 'short', 'BOOST_TEST_REPORT_FORMAT': 'XML',
        **effort(options)}
    with log.open('wb') as output:
        status = run(['ctest', '--test-dir', BUILD / preset, '-LE', 'vm',
                      *(['-E', f'^({"|".join(excluded)})$'] if excluded else []),
                      f'-j{shell.processors()}', '--timeout', '2400', '--no-tests=error',
                      '--output-on-failure', '--test-output-size-passed', '100000000',
                      '--test-output-size-failed', '100000000', '--output-junit', report],
                     env=environment, stdin=subprocess.DEVNULL, stdout=output,
                     stderr=subprocess.STDOUT)
    counts = counting.Tally()
    if report.exists():
        counts = counting.unit_tests(report.read_text(errors='replace'))
    if status and not counts.failed:
        counts += failure('ctest')
    if counts.failed:
        print(log.read_text(errors='replace'), end='', flush=True)
    total += counts


def run_labelled(label, command, environment=None, hear=lambda line: None):
    """Runs a command; each line that it prints shows the label. Returns its exit code. @hear: is
    called with each line."""
    child = start(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with child.stdout:
        for line in child.stdout:
            sys.stdout.buffer.write(f'{label} | '.encode() + line)
            sys.stdout.buffer.flush()
            hear(line)
    return finish(child)


class KernelTests(threading.Thread):
    """The tests of one kernel: those in a guest, then those of the runner itself. They begin
    when those of @after have ended. With @rtnl, the guest's clock counts instructions, so that
    it does not advance while the host does other work, and measures how long calls of the
    modules hold RTNL."""

    def __init__(self, options, label, folder, programs, with_selftest=False, after=None,
                 rtnl=False):
        super().__init__(name=folder.name, daemon=True)
        self.options, self.label, self.programs = options, label, programs
        self.with_selftest = with_selftest
        self.folder, self.after, self.rtnl = folder, after, rtnl
        self.began, self.ended = {}, 0  # {program: when}, by the clock of this system
        # Unless they end well:
        self.status, self.runner_status = 1, 1 if with_selftest else 0
        self.folder.mkdir(parents=True)

    def run(self):
        if self.after:
            self.after.join()
        with contextlib.suppress(Failure):  # no child starts any more when ./dev is ending
            self.status = self._run_guest() if self.programs else 0
            self.ended = time.monotonic()
            if self.with_selftest and self.status < 128:
                self.runner_status = run_labelled(
                    self.name, [RUN_ALL, '--counts', self.folder / 'runner-counts',
                                'test/vm/selftest'], os.environ | self._tested())

    def _tested(self):
        """The environment that tells the tests of the runner their kernel."""
        return {'KERNEL': self.label, 'MACSTATS_KERNEL_DIR': self.options.kernel_dir,
                'KMOD_EXTRA_DIR': str(modules.trees(self.label)[1])}

    def _run_guest(self):
        slow = guests.slowness_of(self.options, self.label) * (RTNL_SLOWNESS if self.rtnl else 1)
        seconds = FULL_TEST_SECONDS if self.options.full else \
            LONG_TEST_SECONDS if self.options.long else TEST_SECONDS
        # A hold of RTNL does not depend on how much of all that is random is tried.
        variables = [word for name, value in effort(self.options).items()
                     if not self.rtnl or name == 'MACSTATS_SEED'
                     for word in ('--env', f'{name}={value}')]
        return run_labelled(self.name, guests.command(
            self.options, self.label, '--timeout', seconds * slow, '--results', self.folder,
            *(guests.HARDWARE if any(map(needs_hardware, self.programs)) else []),
            *(['--memory', FULL_TEST_MEMORY] if self.options.full else []),
            # Without preemption: otherwise a hold lasts until all others have had their turns.
            *(['--icount', '--smp', '1', '--append', 'preempt=none'] if self.rtnl else []),
            *variables, '--',
            RUN_ALL, '--in-guest', '--slow', slow, '--counts', '/results/counts',
            # A guest of another architecture has programs of its own.
            *([] if self.label in architectures.ARCHITECTURES else
              ['--executed', '/results/executed']),
            *(['--rtnl', '/results/rtnl'] if self.rtnl else []),
            *(['--gcov', f'/results/{coverage.GUEST_FOLDER}'] if self.options.coverage else []),
            *self.programs), hear=self._hear)

    def _hear(self, line):
        """RUN_ALL prints a line before each program."""
        if BEGUN.match(line):
            self.began[BEGUN.match(line)[1].decode()] = time.monotonic()

    def seconds_here(self):
        """{name: seconds} of programs that have passed, by the clock of this system"""
        if self.status or self.rtnl:  # the clock of its guest is another
            return {}
        times = [*self.began.values(), self.ended]
        return {name: end - begin for name, begin, end in zip(self.began, times, times[1:])}

    def _kernel(self):
        """The options that choose this kernel, and no other."""
        if self.label in architectures.ARCHITECTURES:
            return ['--arch', self.label]
        option = f'--{self.options.built_kernel}-kernel'
        if option in arguments.KERNEL_OPTIONS:
            return [option]
        return ['--kernel-dir', self.options.kernel_dir] if self.options.kernel_dir else \
            ['--kernel', self.label]

    def rtnl_holds(self):
        """[(seconds, name)]: how long calls held RTNL, and in which program. The last is the
        longest."""
        path = self.folder / 'rtnl'
        lines = path.read_text().splitlines() if path.exists() else []
        return [(int(usecs) / 1e6, name) for usecs, name in map(str.split, lines)]

    def counts(self):
        label = f'{self.name} '
        repeat = f'{variables_of(self.options)} ./dev test {" ".join(self._kernel())}'
        total = judged(self.status, programs_in(self.folder / 'counts', label, repeat),
                       f'{label}the guest')
        total += judged(self.runner_status, programs_in(self.folder / 'runner-counts', label),
                        f'{label}the tests of the runner')
        return total


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


def history(label, name):
    """The name of what a program in guests of a kernel takes, among the seconds of steps."""
    return f'{name} on {label}'


def planned_seconds(program, label):
    """The seconds of the last run; before that, those of the budget."""
    return shell.seconds_of_steps().get(history(label, program.name)) or \
        FAILURE_SECONDS.get(program.name) or \
        budget.parse(budget.FILE.read_text()).get(f'guest {program.name}', 0)


def rtnl_line(holds):
    """@holds: (seconds, name of the program)"""
    if not holds:
        return 'how long calls held RTNL is not known'
    seconds, name = max(holds)
    return f'calls held RTNL for at most {1000 * seconds:.1f} ms, in {name}'


def rtnl_verdict(holds):
    """A test: no call holds RTNL for longer than the limit."""
    if holds and max(holds)[0] <= RTNL_SECONDS:
        return counting.Tally(passed=1)
    return failure(f'{rtnl_line(holds)}, the limit is {1000 * RTNL_SECONDS:.0f} ms')


def shares(programs, count, label, of_last=0):
    """Lists of programs that take about as long as each other on a kernel; none is empty. The
    guest of the last list has so many seconds to do besides."""
    lists = [[] for _ in range(min(count, len(programs)))]
    seconds = [*[0] * (len(lists) - 1), of_last]
    expected = {program: planned_seconds(program, label) for program in programs}
    for program in sorted(programs, key=lambda each: -expected[each]):
        shortest = lists.index([]) if [] in lists else seconds.index(min(seconds))
        lists[shortest].append(program)
        seconds[shortest] += expected[program]
    return [sorted(each) for each in lists]


def result_folders(label):
    """Of the guests with this kernel, in their order."""
    return [RESULTS / label, *sorted(RESULTS.glob(f'{label}-*'))]


def runs_of(options, label, programs, guests_of_kernel, with_selftest, after=None):
    """The tests of a kernel, divided among guests. The first also tests the runner. Behind the
    last one, those that need hardware run, and in a full run those that measure RTNL. All of
    them begin when the tests of @after have ended."""
    for folder in result_folders(label):
        shell.remove(folder)
    usual = [program for program in programs if not needs_hardware(program)]
    hardware = [program for program in programs
                if needs_hardware(program) and architectures.has_nics(label)]
    lists = shares(usual, guests_of_kernel, label,
                   sum(planned_seconds(each, label) for each in hardware)) or [[]]
    runs = [KernelTests(options, label, RESULTS / (f'{label}-{number}' if number > 1 else label),
                        share, with_selftest and number == 1, after)
            for number, share in enumerate(lists, 1)]
    if hardware:
        runs.append(KernelTests(options, label, RESULTS / f'{label}-hardware', hardware,
                                after=runs[-1]))
    if options.full and label in arguments.KERNELS and not options.kernel_dir:
        awake = [program for program in hardware if program.name not in SLEEPING_DRIVERS]
        for name, share in ('rtnl', usual), ('hardware-rtnl', awake):
            if share:
                runs.append(KernelTests(options, label, RESULTS / f'{label}-{name}', share,
                                        after=runs[-1], rtnl=True))
    return runs


def in_guests(options, names, programs, total, with_selftest=False):
    """Two guests at once: a test program seldom uses more than one CPU. @with_selftest: the
    runner's tests, too."""
    labels = labels_of(options)
    runs, last = [], []
    for number, label in enumerate(labels):
        suitable = [program for program in programs
                    if names or label not in architectures.ARCHITECTURES
                    or label in foreign((ROOT / program).read_text())]
        runs += runs_of(options, label, suitable, max(1, 2 // len(labels)), with_selftest,
                        last[number - 2] if number >= 2 else None)
        last.append(runs[-1])
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    for each in runs:
        total += each.counts()
        for name, seconds in each.seconds_here().items():
            shell.keep_seconds(history(each.label, name), seconds)
    if any(each.rtnl for each in runs):
        holds = [hold for each in runs for hold in each.rtnl_holds()]
        say(rtnl_line(holds))
        total += rtnl_verdict(holds)


def with_coverage(options, total):
    """The unit tests, then those in the guest of a kernel that counts."""
    if options.built_kernel or len(options.kernels) == 1:
        raise Failure('--coverage has a kernel of its own; --kernel-dir selects another')
    programs = [] if options.unit else guest_programs(options, [])
    if not options.kernel_dir:
        options.built_kernel = coverage.KERNEL
    RESULTS.mkdir(parents=True, exist_ok=True)
    packages.need(packages.of('userspace', 'unit'), options.yes)
    modules.build_userspace(coverage.targets(), coverage.PRESET, 'building for coverage')
    folder = BUILD / coverage.PRESET
    coverage.forget(folder)
    unit(options, total, coverage.PRESET, coverage.EXCLUDED)
    covered = {}
    coverage.add_unused(covered)
    coverage.collect(folder, covered)
    if programs:
        prepare(options, programs)
        label = modules.own_label(options)
        in_guests(options, [], programs, total)
        for folder in result_folders(label):
            coverage.add_modules(folder / coverage.GUEST_FOLDER, modules.trees(label), covered)
    problems = coverage.judge(covered)
    total += counting.Tally(not problems, len(problems), 0, problems)
