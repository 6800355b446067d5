#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of what guests need on the host: time limits, kernels."""

import contextlib
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import architectures  # noqa: E402
import arguments  # noqa: E402
import budget  # noqa: E402
import counting  # noqa: E402
import guests  # noqa: E402
import packages  # noqa: E402
import parts  # noqa: E402
import shell  # noqa: E402
import testing  # noqa: E402
import tests  # noqa: E402

import cli  # noqa: E402
import deadline  # noqa: E402
import ports  # noqa: E402
import rtnl  # noqa: E402
import tap  # noqa: E402


class Messages(unittest.TestCase):
    OLD, NEW = (6, 1), (6, 12)

    def says(self, version, text, pattern):
        with mock.patch.object(ports, 'KERNEL_VERSION', version):
            return ports.says(text, pattern)

    def test_an_old_kernel_leaves_out_numbers_and_the_names_of_ports(self):
        old = 'PORT_VALUE: ... is out of range: 0 to ...'
        new = 'PORT_VALUE: 0x9 is out of range: 0 to 0x7'
        for word in 'PORT_VALUE', r'\b0x7\b', '0x[0-9a-f]+', r'\b0\b', '0 to 0x7|0 to 7', 'out of':
            self.assertTrue(self.says(self.OLD, old, word), word)
            self.assertTrue(self.says(self.NEW, new, word), word)
        for word in 'mac0', r'mac\d', r'\bmac0 is already linked to mac1\b':
            text = '... is already linked to ...: unlink it first'
            self.assertTrue(self.says(self.OLD, text, word), word)

    def test_words_and_the_numbers_of_the_text_itself_are_never_left_out(self):
        text = 'PORT_NSECS: ... is out of range: 0 to 9223372036854775807'
        for word in 'PORT_FAULT', 'FAULT', 'missing', r'0 to 7\b', 'PORT_FAULT: 0x8':
            self.assertFalse(self.says(self.OLD, text, word), word)
        self.assertFalse(self.says(self.OLD, 'PORT_FAULT: 0 is no fault', '4711'))
        self.assertFalse(self.says(self.NEW, text, '4711'))


class TimeLimits(unittest.TestCase):
    MOMENT = 1e-9  # over at once

    def slowness_is(self, slow):
        patch = mock.patch.object(deadline, 'slowness', lambda: slow)
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_machine_that_became_slower_has_more_time(self):
        self.slowness_is(3)
        for seconds, slow, factor, passed, left in (
                (10, 2, 1, 19, 1),    # in time: nothing is measured
                (10, 2, 1, 20, 10),   # three times as slow as an idle one
                (10, 2, 1, 31, -1),
                (10, 5, 1, 51, -1),   # it was slower before
                (10, 8, 8, 80, 160),  # a slow kernel on a slow machine
                (10, 8, 8, 241, -1)):
            with self.subTest(slow=slow, passed=passed), \
                    mock.patch.object(deadline.time, 'monotonic',
                                      side_effect=[1000] + [1000 + passed] * 2):
                self.assertEqual(deadline.Deadline(seconds, slow, factor).left(), left)

    def test_a_slow_host_is_no_deadlock(self):
        guest = testing.loaded('test/vm/guest')
        names = ('sysctl.kernel.hung_task_timeout_secs', 'watchdog_thresh',
                 'rcupdate.rcu_cpu_stall_timeout', 'workqueue.watchdog_thresh')
        # An idle host keeps the kernel's own limits but that of tasks; the kernel accepts no
        # more than 60 s and 300 s.
        for host, folder, expected in ((1, None, (30, 10, 21, 30)), (3, None, (90, 30, 63, 90)),
                                       (1, 'debug', (180, 60, 126, 180)),
                                       (25, None, (750, 60, 300, 750))):
            with self.subTest(host=host, folder=folder):
                self.slowness_is(host)
                args = mock.Mock(kernel_dir=folder, append=[], memory=1024, icount=False, smp=2,
                                 nic=[], forward=[], capture=False, results='/results', arch=None,
                                 machine=guest.machines.MACHINES['amd64'])
                words = guest.guest_command(args, mock.Mock(image='image', user_mode=False),
                                            pathlib.Path('/run'), 'tcg')
                parameters = words[words.index('-append') + 1].split()
                for name, seconds in zip(names, expected):
                    self.assertIn(f'{name}={seconds}', parameters)

    def test_user_mode_linux_is_a_program_that_mounts_folders_by_their_paths(self):
        guest = testing.loaded('test/vm/guest')
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, 'with space')
            folder.mkdir()
            # Prints its current folder and its words; its standard error is the console.
            kernel = guest.Kernel('a', folder / 'linux', None)
            kernel.image.write_text('#!/bin/sh\npwd\nprintf "%s\\n" "$@"\necho log >&2\n')
            kernel.image.chmod(0o755)
            args = mock.Mock(kernel_dir=folder, append=['panic_on_warn=1'], memory=512,
                             icount=False, arch=None, smp=2)
            words = guest.guest_command(args, kernel, folder, 'tcg')
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            where, *words = done.stdout.splitlines()
            self.assertEqual(where, str(folder))
            for word in ('mem=512M', 'initrd=initramfs.img', 'panic_on_warn=1', 'con0=fd:0,fd:1'):
                self.assertIn(word, words)
            self.assertEqual((folder / 'console.log').read_text(), 'log\n')
            guest.write_initramfs(folder / 'initramfs.img', kernel, {'ctl': folder / 'ctl'})
            archive = (folder / 'initramfs.img').read_bytes()
            self.assertIn(b'folders/ctl\0', archive)
            self.assertIn(f'{folder}/ctl'.encode(), archive)

    def test_user_mode_linux_has_no_hardware(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / 'linux').touch()
            for words in (['--nic', 'e1000'], ['--icount'], ['--forward', '80:80'], ['--qmp']):
                done = subprocess.run(
                    ['test/vm/guest', '--kernel-dir', folder, '--log-dir', folder / 'logs', *words,
                     '--', 'true'], cwd=shell.ROOT, check=False, capture_output=True, text=True)
                with self.subTest(words):
                    self.assertEqual(done.returncode, 125)
                    self.assertIn('user-mode Linux has no --', done.stderr)

    def test_a_guest_has_more_time_on_a_slow_host(self):
        guest = testing.loaded('test/vm/guest')
        self.slowness_is(3)
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(guest, 'waited') as waited, \
                mock.patch.object(guest.time, 'monotonic') as now:
            started = pathlib.Path(folder, 'started')
            now.return_value, waited.return_value = 1000, 7
            limit = guest.TimeLimit(1, started, 300)
            for booted, passed, more, left in (
                    (False, 59, 0, 1), (False, 60, 0, 120), (False, 181, 0, -1),
                    (False, 181, 2, 1), (True, 200, 2, 300), (True, 499, 2, 1),
                    (True, 500, 2, 600), (True, 1101, 2, -1)):
                if booted:
                    started.touch()
                with self.subTest(booted=booted, passed=passed):
                    now.return_value, waited.return_value = 1000 + passed, 7 + more
                    self.assertEqual(limit.left(), left)
            now.return_value = 1000
            started.unlink()
            limit = guest.TimeLimit(1, started, 300, guest.OWN_KERNEL_BOOT_SECONDS)
            now.return_value += 18 * 8  # 18 s on an idle host
            self.assertGreater(limit.left(), 0)

    def hangs_after_a_moment(self, module):
        patch = mock.patch.object(module, 'HANG_SECONDS', self.MOMENT)
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_condition_has_more_time_on_a_slow_machine(self):
        self.hangs_after_a_moment(tap)
        self.slowness_is(1)
        with self.assertRaisesRegex(tap.Failure, 'not within 1e-09 s: the end'):
            tap.wait_for(lambda: False, 'the end')
        self.slowness_is(1e12)
        answers = iter([False, False, 'yes'])
        self.assertEqual(tap.wait_for(lambda: next(answers), 'the end'), 'yes')

    def test_a_process_has_more_time_on_a_slow_machine(self):
        def start(*command):
            return subprocess.Popen(command, stdout=subprocess.PIPE)
        self.hangs_after_a_moment(cli)
        self.slowness_is(1)
        with start('sleep', '1000') as process, self.assertRaises(subprocess.TimeoutExpired):
            cli.finish(process)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.slowness_is(1e12)
        with start('sh', '-c', 'sleep 0.2; echo end') as process:
            self.assertEqual(cli.finish(process), (b'end\n', None))


class Holds(unittest.TestCase):
    def test_the_longest_hold_of_rtnl_of_all_guests_is_printed_with_its_program(self):
        self.assertEqual(tests.rtnl_line([(0.0012, 'a.py'), (0.0314, 'b.py'), (0.002, 'c.py')]),
                         'calls held RTNL for at most 31.4 ms, in b.py')
        self.assertEqual(tests.rtnl_line([]), 'how long calls held RTNL is not known')

    def test_a_hold_of_rtnl_beyond_50_ms_fails_the_run_with_its_program(self):
        for holds, failures in (
                ([(0.049, 'a.py')], []),
                ([(0.05, 'a.py')], []),
                ([(0.049, 'a.py'), (0.051, 'b.py')],
                 ['calls held RTNL for at most 51.0 ms, in b.py, the limit is 50 ms']),
                ([], ['how long calls held RTNL is not known, the limit is 50 ms'])):
            with self.subTest(holds=holds):
                self.assertEqual(self.total_with(holds).failures, failures)

    def total_with(self, holds):
        """The counts of a run whose guests print these holds."""
        def ended(seconds, name):
            run = mock.Mock(rtnl=True, counts=counting.Tally)
            run.name, run.seconds_here.return_value = name, {}
            run.rtnl_holds.return_value = [(seconds, name)] if name else []
            return run
        options = arguments.parse('test', ['--full', '--kernel', '6.12'])[0]
        total, output = counting.Tally(), io.StringIO()
        with mock.patch.object(tests, 'runs_of', return_value=[
                ended(*hold) for hold in holds or [(0, '')]]), \
                contextlib.redirect_stdout(output):
            tests.in_guests(options, [], [], total)
        self.assertEqual(total.passed + total.failed, 1)
        self.assertIn(tests.rtnl_line(holds), output.getvalue())
        return total

    def test_what_the_tracing_did_not_count_is_a_problem(self):
        # As Linux 6.12 prints them.
        profile = ('  taken                                                   1842               0\n'
                   '  called                                                    36               {}\n')
        histogram = 'Totals:\n    Hits: 645\n    Entries: 78\n    Dropped: {}\n'
        for missed, dropped, problem in (
                (0, 0, ''), (2, 0, '0 tasks had no room, 2 probes were missed'),
                (0, 7, '7 tasks had no room, 0 probes were missed')):
            self.assertEqual(rtnl.losses(profile.format(missed), [histogram.format(dropped)]),
                             problem)

    def test_the_holds_of_a_guest_are_read_from_its_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            run = tests.KernelTests(mock.Mock(), '6.12', pathlib.Path(folder, '6.12'), [])
            self.assertEqual(run.rtnl_holds(), [])
            pathlib.Path(folder, '6.12/rtnl').write_text('1200 a.py\n31400 b.py\n')
            self.assertEqual(run.rtnl_holds(), [(0.0012, 'a.py'), (0.0314, 'b.py')])


class Division(unittest.TestCase):
    """Of the tests of a kernel among guests."""

    def shared(self, seconds, count, last=None):
        """@last: {step: seconds} of the last run"""
        plan = ''.join(f'{number} guest {name}\n' for name, number in seconds.items())
        with tempfile.NamedTemporaryFile('w') as file, \
                mock.patch.object(budget, 'FILE', pathlib.Path(file.name)), \
                mock.patch.object(shell, 'seconds_of_steps', lambda: last or {}):
            file.write(plan)
            file.flush()
            return [[program.name for program in each] for each in
                    tests.shares([pathlib.Path('tests', name) for name in seconds], count, '6.12')]

    def test_the_guests_take_about_as_long_as_each_other(self):
        self.assertEqual(self.shared({'a': 10, 'b': 70, 'c': 30, 'd': 20}, 2),
                         [['b'], ['a', 'c', 'd']])
        self.assertEqual(self.shared({'a': 10, 'b': 70}, 1), [['a', 'b']])

    def test_the_last_run_on_the_same_kernel_is_better_than_a_plan(self):
        plan = {'a.py': 10, 'b.py': 10, 'c.py': 15}
        self.assertEqual(self.shared(plan, 2), [['c.py'], ['a.py', 'b.py']])
        for label, lists in (('6.12', [['a.py'], ['b.py', 'c.py']]),
                             ('6.1', [['c.py'], ['a.py', 'b.py']])):
            self.assertEqual(self.shared(plan, 2, {tests.history(label, 'a.py'): 40}), lists)

    def test_the_seconds_of_a_program_are_those_of_this_system(self):
        lines = b'==> a.py\r\n', b'ok 1 - b # time=5000ms\n', b'==> b.py\n'
        for rtnl, status, expected in ((False, 0, {'a.py': 2, 'b.py': 3}), (True, 0, {}),
                                       (False, 1, {})):
            def run(*_, hear, status=status):
                for line in lines:
                    hear(line)
                return status

            with tempfile.TemporaryDirectory() as name, \
                    mock.patch.object(tests, 'run_labelled', run), \
                    mock.patch.object(tests.time, 'monotonic', side_effect=[7, 9, 12]):
                each = tests.KernelTests(arguments.Options(), '6.12', pathlib.Path(name, 'a'),
                                         [pathlib.Path('a.py')], rtnl=rtnl)
                each.run()
                self.assertEqual(each.seconds_here(), expected)

    def test_no_guest_is_without_a_test(self):
        self.assertEqual(self.shared({'a': 10}, 2), [['a']])
        self.assertEqual(self.shared({}, 2), [])

    def test_a_guest_has_less_to_do_if_it_runs_others_later(self):
        seconds = {'a': 10, 'b': 70, 'c': 30, 'd': 20}
        programs = [pathlib.Path('tests', name) for name in seconds]
        with mock.patch.object(tests, 'planned_seconds', lambda each, _: seconds[each.name]):
            for of_last, lists in ((0, ['b', 'acd']), (40, ['bd', 'ac']), (900, ['abd', 'c'])):
                with self.subTest(of_last):
                    self.assertEqual([''.join(program.name for program in each) for each in
                                      tests.shares(programs, 2, '6.12', of_last)], lists)

    def runs(self, words, programs):
        """(title, tests, does it test the runner) of each guest"""
        started = []
        options = arguments.parse('test', words)[0]
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.multiple(tests, RESULTS=pathlib.Path(name)), \
                mock.patch.object(tests.KernelTests, 'start', lambda each: started.append(each)), \
                mock.patch.object(tests.KernelTests, 'join'), \
                mock.patch.object(tests.KernelTests, 'counts', lambda _: counting.Tally()):
            pathlib.Path(name, 'debug-3').mkdir()  # of an earlier run
            pathlib.Path(name, '6.12-2').mkdir()
            tests.in_guests(options, [], [pathlib.Path(each) for each in programs],
                            counting.Tally(), with_selftest=True)
            left = sorted(each.name for each in pathlib.Path(name).iterdir())
        return [(each.name, [str(one) for one in each.programs], each.with_selftest)
                for each in started], left

    def test_two_guests_run_at_once(self):
        both, left = self.runs(['--long'], ['load.py', 'ynl.py'])
        self.assertEqual(both, [('6.1', ['load.py', 'ynl.py'], True),
                                ('6.12', ['load.py', 'ynl.py'], True)])
        self.assertEqual(left, ['6.1', '6.12', 'debug-3'])
        one, left = self.runs(['--kernel', '6.12'], ['load.py', 'ynl.py'])
        self.assertEqual(one, [('6.12', ['ynl.py'], True), ('6.12-2', ['load.py'], False)])
        self.assertEqual(left, ['6.12', '6.12-2', 'debug-3'])
        own, left = self.runs(['--kernel-dir', '/'], ['load.py', 'ynl.py'])
        self.assertEqual(own, [('debug', ['ynl.py'], True), ('debug-2', ['load.py'], False)])
        self.assertEqual(left, ['6.12-2', 'debug', 'debug-2'])

    def test_two_architectures_run_at_once(self):
        options = arguments.parse('test', ['--all-arch'])[0]
        runs = {}

        programs = {}

        def record(run):
            runs[run.name] = run.after.name if run.after else None
            programs[run.name] = [program.name for program in run.programs]

        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(tests, 'RESULTS', pathlib.Path(name)), \
                mock.patch.object(tests.KernelTests, 'run', record), \
                mock.patch.object(tests.KernelTests, 'counts', lambda _: counting.Tally()):
            tests.in_guests(options, [], tests.guest_programs(options, []), counting.Tally())
        self.assertEqual(runs, {
            'arm64': None, 'arm64-hardware': 'arm64', 'armhf': None, 'armhf-hardware': 'armhf',
            'mipsel': 'arm64-hardware', 'mipsel-hardware': 'mipsel', 's390x': 'armhf-hardware'})
        self.assertEqual(programs['mipsel-hardware'], ['wire_capture.py'])
        self.assertEqual(programs['armhf-hardware'],
                         ['minimal.py', 'nic_tools.py', 'wire_capture.py'])

    def test_hardware_is_in_a_guest_of_its_own(self):
        both, _ = self.runs(['--long'], ['load.py', 'test/vm/hardware/a.py'])
        self.assertEqual(both, [('6.1', ['load.py'], True),
                                ('6.1-hardware', ['test/vm/hardware/a.py'], False),
                                ('6.12', ['load.py'], True),
                                ('6.12-hardware', ['test/vm/hardware/a.py'], False)])
        options = arguments.parse('test', ['--kernel', '6.12'])[0]
        programs = [pathlib.Path(each) for each in
                    ('tests/a.py', 'tests/b.py', 'test/vm/hardware/c.py')]
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(tests, 'RESULTS', pathlib.Path(name)), \
                mock.patch.object(tests, 'run_labelled') as run:
            ended = []

            def run_guest(name, *_, hear=None):
                time.sleep(0 if name.endswith('-hardware') else 0.1)
                ended.append(name)
                return 0

            run.side_effect = run_guest
            runs = tests.runs_of(options, '6.12', programs, 2, False)
            self.assertEqual([each.after for each in runs], [None, None, runs[1]])
            for each in runs:
                each.start()
            for each in runs:
                each.join()
        self.assertGreater(ended.index('6.12-hardware'), ended.index('6.12-2'))
        commands = [call.args[1] for call in run.call_args_list]
        self.assertEqual({command[-1]: command.count('--nic') for command in commands},
                         dict(zip(programs, (0, 0, 2))))

    def test_a_full_run_measures_rtnl_by_the_instruction_clock(self):
        options = arguments.parse('test', ['--full', '--kernel', '6.1'])[0]
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(tests, 'RESULTS', pathlib.Path(name)), \
                mock.patch.object(tests, 'run_labelled', return_value=0) as run:
            runs = tests.runs_of(options, '6.1', [
                pathlib.Path(path) for path in (
                    'tests/a.py', 'test/vm/hardware/b.py', 'test/vm/hardware/e1000_resets.py')],
                                 1, False)
            for each in runs:
                each.start()
            for each in runs:
                each.join()
        self.assertEqual([each.name for each in runs],
                         ['6.1', '6.1-hardware', '6.1-rtnl', '6.1-hardware-rtnl'])
        # One after the other: each has the machine to itself.
        self.assertEqual([each.after for each in runs], [None, *runs[:-1]])
        *usual, rtnl, hardware = [[str(word) for word in call.args[1]]
                                  for call in run.call_args_list]
        for measures, nics in (rtnl, 0), (hardware, 2):
            for word in ('--icount', '--rtnl', 'preempt=none'):
                self.assertFalse(any(word in words for words in usual))
                self.assertIn(word, measures)
            for word, value in ('--smp', '1'), ('--slow', '2'):
                self.assertEqual(measures[len(measures) - measures[::-1].index(word)], value)
            self.assertFalse(any('MACSTATS_FULL' in word for word in measures))
            self.assertEqual(measures.count('--nic'), nics)
        self.assertEqual(hardware[-1], 'test/vm/hardware/b.py')

    def test_the_programs_whose_driver_sleeps_exist(self):
        for name in tests.SLEEPING_DRIVERS:
            self.assertTrue((tests.ROOT / tests.HARDWARE_TESTS / name).exists(), name)

    def test_a_test_is_found_by_its_name_wherever_it_is(self):
        options = arguments.parse('test', [])[0]
        names = ['nic_tools.py', 'faults.py']
        found = tests.guest_programs(options, names)
        self.assertEqual([str(path) for path in found],
                         ['test/vm/hardware/nic_tools.py', 'test/vm/tests/faults.py'])
        self.assertLessEqual(set(found), set(tests.guest_programs(options, [])))


class Kernels(unittest.TestCase):
    """On which of them a test runs."""

    def chosen(self, *words):
        """[(label, names of programs, MACSTATS_LONG)] of the guests"""
        options, names = arguments.parse('test', words)
        return [(label, [program.name for program in programs], each.long)
                for each, programs in tests.guest_runs(options, names)
                for label in tests.labels_of(each)]

    def of_run(self, *words):
        """[(label, names of programs, MACSTATS_LONG, with tests of the runner)] of the guests that
        a run starts, and the other parts that it has"""
        calls, others = [], []

        def in_guests(options, _names, programs, _total, with_selftest=False):
            calls.extend((label, [program.name for program in programs], options.long,
                          with_selftest) for label in tests.labels_of(options))
        with mock.patch.multiple(tests, prepare=mock.DEFAULT, in_guests=in_guests,
                                 unit=lambda *_: others.append('unit')), \
                mock.patch.object(parts, 'run_part', lambda name, *_: others.append(name)), \
                mock.patch.object(budget, 'seed', lambda: 0):
            options, names = arguments.parse('test', words)
            parts.everything(options, names, counting.Tally(), budget.Clock())
        return calls, others

    def test_a_run_has_the_unit_tests_and_user_mode_linux(self):
        ((label, names, long, selftest),), others = self.of_run()
        self.assertEqual((label, long, selftest, others), ('user-mode', False, False, ['unit']))
        self.assertIn('faults.py', names)
        for absent in 'nic_tools.py', 'fleet.py':  # it needs a NIC; it is long
            self.assertNotIn(absent, names)

    def test_a_long_run_has_that_too_and_its_parts(self):
        ((label, names, long, selftest),), others = self.of_run('--long')
        self.assertEqual((label, long, selftest), ('user-mode', False, True))
        self.assertEqual(names, self.of_run()[0][0][1])
        self.assertEqual(others, ['unit', *parts.parts_of(arguments.Options(long=True), 0)])

    def test_unit_tests_need_no_guest(self):
        for words in ['--unit'], ['--long', '--unit']:
            self.assertEqual(self.of_run(*words), ([], ['unit']))

    def test_a_kernel_that_was_chosen_runs_guest_tests_alone(self):
        for words, label, long in ((['--kernel', '6.1'], '6.1', False),
                                   (['--debug-kernel', '--long'], 'debug', True)):
            ((found, names, effort, _),), others = self.of_run(*words)
            self.assertEqual((found, effort, others), (label, long, []))
            self.assertEqual('fleet.py' in names, long)

    def test_the_runner_is_tested_in_a_long_run_and_on_a_kernel_that_checks_itself(self):
        for words, expected in (([], False), (['--long'], True), (['--kernel', '6.1'], False),
                                (['--debug-kernel'], True), (['--user-mode-kernel'], True),
                                (['--arch', 'armhf'], False)):
            with self.subTest(words):
                (*_, selftest), = self.of_run(*words)[0]
                self.assertEqual(selftest, expected)

    def test_the_part_of_random_tests_has_the_effort_of_a_long_run(self):
        with mock.patch.object(parts.modules, 'build_userspace'), \
                mock.patch.object(tests, 'unit') as unit:
            parts.PARTS['random'](arguments.Options(), counting.Tally())
        self.assertTrue(unit.call_args.args[0].long)

    def test_parts_have_names_as_tests_have(self):
        calls, others = self.of_run('fuzzers', 'faults.py')
        self.assertEqual([(label, names) for label, names, *_ in calls],
                         [('user-mode', ['faults.py'])])
        self.assertEqual(others, ['fuzzers'])

    def test_a_test_that_user_mode_linux_cannot_run_is_left_out_or_rejected_there(self):
        ((label, names, *_),), _ = self.of_run('--user-mode-kernel', '--long')
        self.assertEqual(label, 'user-mode')
        self.assertIn('many_ports.py', names)
        for absent in 'ynl.py', 'fleet.py', 'nic_tools.py':
            self.assertNotIn(absent, names)
        with self.assertRaisesRegex(shell.Failure, 'ynl.py cannot run in user-mode Linux: YNL'):
            self.of_run('--user-mode-kernel', 'ynl.py')

    def test_a_command_that_repeats_a_test_has_the_effort_of_that_test(self):
        for words, option in (['--kernel', '6.1'], '--kernel 6.1'), \
                             (['--user-mode-kernel', '--long'], '--user-mode-kernel'):
            options = arguments.parse('test', words)[0]
            with tempfile.TemporaryDirectory() as name, \
                    mock.patch.dict('os.environ', {'MACSTATS_SEED': '7'}):
                run = tests.KernelTests(options, tests.labels_of(options)[0],
                                        pathlib.Path(name, 'a'), [])
                (run.folder / 'counts').write_text('running a.py\n3 1 0 a.py 5.0\n')
                self.assertEqual(run.counts().repeats, [
                    f'{"MACSTATS_LONG=yes " if options.long else ""}MACSTATS_SEED=7 ./dev test '
                    f'{option} a.py'])

    def test_a_test_that_user_mode_linux_cannot_run_is_on_both_kernels_of_debian(self):
        self.assertEqual(self.chosen('faults.py', 'nic_tools.py'), [
            ('user-mode', ['faults.py'], False), ('6.1', ['nic_tools.py'], False),
            ('6.12', ['nic_tools.py'], False)])
        self.assertEqual([each[0] for each in self.chosen('nic_tools.py')], ['6.1', '6.12'])
        self.assertEqual([each[0] for each in self.chosen('ynl.py')], ['6.1', '6.12'])
        self.assertEqual([each[0] for each in self.chosen('--long', 'faults.py')],
                         ['user-mode', '6.1', '6.12'])

    def test_a_kernel_that_was_chosen_is_the_only_one(self):
        for words, label in ((['--kernel', '6.1'], '6.1'), (['--debug-kernel'], 'debug'),
                             (['--kernel-dir', '/'], 'debug'), (['--arch', 'armhf'], 'armhf')):
            for names in [], ['faults.py']:
                with self.subTest((words, names)):
                    self.assertEqual([each[0] for each in self.chosen(*words, *names)], [label])


class Architectures(unittest.TestCase):
    def test_a_guest_has_the_kernel_and_the_command_of_its_architecture(self):
        options = arguments.parse('vm', ['--arch', 'armhf'])[0]
        line = [str(word) for word in guests.command(options, 'armhf')]
        self.assertEqual(line[line.index('--arch') + 1], 'armhf')
        self.assertNotIn('--kernel', line)
        self.assertIn(f'MACSTATS={shell.BUILD}/armhf/userspace/cli/macstats', line)
        self.assertIn(f'KMOD_DIR={shell.BUILD}/kmod-armhf', line)

    def test_a_sample_of_tests_runs_unless_they_are_named(self):
        options = arguments.parse('test', ['--arch', 's390x'])[0]
        names = {program.name for program in tests.guest_programs(options, [])}
        self.assertLessEqual({'traffic.py', 'wraps.py', 'torn_reads.py', 'random_scenarios.py'},
                             names)
        self.assertNotIn('faults.py', names)
        self.assertEqual([program.name for program in tests.guest_programs(options, ['faults.py'])],
                         ['faults.py'])

    def test_a_test_may_be_for_some_of_them(self):
        every = list(architectures.ARCHITECTURES)
        self.assertEqual(tests.foreign('# architectures\n'), every)
        self.assertEqual(tests.foreign('# architectures: arm64 armhf\n'), ['arm64', 'armhf'])
        self.assertEqual(tests.foreign('# for architectures\n'), [])
        for names in ('', ' ', ' armfh', ' arm64, armhf'):
            with self.subTest(names), self.assertRaisesRegex(shell.Failure, 'names of arch'):
                tests.foreign(f'# architectures:{names}\n')
        for program in tests.guest_programs(arguments.Options(long=True), []):
            tests.foreign((shell.ROOT / program).read_text())
        options = arguments.parse('test', ['--arch', 'mipsel'])[0]
        names = {program.name for program in tests.guest_programs(options, [])}
        self.assertIn('wire_capture.py', names)
        self.assertNotIn('minimal.py', names)

    def test_a_test_that_needs_a_nic_is_rejected_without_one(self):
        for name, words in (('s390x', ['--arch', 's390x']),
                            ('user-mode', ['--user-mode-kernel'])):
            for call in (lambda words=words: parts.everything(
                    arguments.parse('test', words)[0], ['nic_tools.py'], counting.Tally(),
                    budget.Clock()),
                         lambda words=words: guests.vm(
                             *arguments.parse('vm', [*words, '--hardware']))):
                with mock.patch.object(guests, 'prepare') as prepare, self.assertRaisesRegex(
                        shell.Failure, f'machine of {name} has (none|no NIC)'):
                    call()
                prepare.assert_not_called()
        # The others of all run it.
        tests.reject_unsuitable(arguments.parse('test', ['--all-arch'])[0],
                                  [pathlib.Path('test/vm/hardware/nic_tools.py')])

    def test_ci_runs_one_of_32_bits_and_the_one_with_big_endian(self):
        self.assertEqual([name for name, each in architectures.ARCHITECTURES.items()
                          if each.in_ci], ['armhf', 's390x'])

    def test_each_has_a_machine_a_kernel_packages_and_a_preset(self):
        machines = testing.loaded('test/vm/guest').machines.MACHINES
        presets = {each['name']: each for each in json.loads(
            (shell.ROOT / 'CMakePresets.json').read_text())['configurePresets']}
        kernel = (shell.ROOT / 'test/vm/kernel').read_text()
        self.assertEqual({name for name, each in machines.items() if not each.native},
                         set(architectures.ARCHITECTURES))
        for name, each in architectures.ARCHITECTURES.items():
            with self.subTest(name):
                self.assertEqual(presets[name]['cacheVariables']['MACSTATS_TRIPLET'], each.triplet)
                self.assertIn(f"[{name}]='{each.series} ", kernel)
                self.assertIn(f'gcc-12-{each.triplet}', packages.GROUPS[name])
                self.assertEqual(machines[name].has_nics, each.has_nics)

    def test_one_without_nics_has_no_guest_with_hardware(self):
        options = arguments.parse('test', ['--arch', 's390x'])[0]
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(tests, 'RESULTS', pathlib.Path(name)):
            runs = tests.runs_of(options, 's390x', [pathlib.Path('test/vm/hardware/a.py'),
                                                    pathlib.Path('a.py')], 1, False)
        self.assertEqual([each.name for each in runs], ['s390x'])
        guest = testing.loaded('test/vm/guest')
        with mock.patch.object(sys, 'argv', ['guest', '--arch', 's390x', '--nic', 'e1000', '--',
                                             'true']), \
                mock.patch('sys.stderr'), self.assertRaises(SystemExit):
            guest.parse_arguments()


class Hardware(unittest.TestCase):
    def command(self, *words, monitor=()):
        """QEMU's, for a guest with these options"""
        guest = testing.loaded('test/vm/guest')
        with mock.patch.object(sys, 'argv', ['guest', *words, '--', 'true']):
            args = guest.parse_arguments()
        return [str(word) for word in guest.guest_command(
            args, mock.Mock(image='image', user_mode=False), pathlib.Path('/run'), 'tcg', monitor)]

    def test_each_nic_is_alone_behind_its_bridge_on_one_wire(self):
        devices = [dict(part.partition('=')[::2] for part in word.split(','))
                   for word in self.command('--nic', 'e1000', '--nic', 'e1000')
                   if word.startswith(('e1000', 'pcie-root-port', 'hubport'))]
        nics = [each for each in devices if 'e1000' in each]
        self.assertEqual([each['mac'] for each in nics], ['52:54:00:00:00:01', '52:54:00:00:00:02'])
        bridges = [each['id'] for each in devices if 'pcie-root-port' in each]
        self.assertEqual([each['bus'] for each in nics], bridges)
        self.assertEqual(len(set(bridges)), 2)
        ports = {each['id']: each['hubid'] for each in devices if 'hubport' in each}
        self.assertEqual([ports[each['netdev']] for each in nics], ['0', '0'])

    def test_ports_of_the_host_lead_to_the_guest_and_to_nothing_else(self):
        words = self.command('--forward', '4000:80', '--forward', '4001:81')
        self.assertIn('user,id=host,restrict=on,hostfwd=tcp:127.0.0.1:4000-10.0.2.15:80,'
                      'hostfwd=tcp:127.0.0.1:4001-10.0.2.15:81', words)
        self.assertIn('virtio-net-pci,netdev=host,romfile=', words)
        for wrong in ('80', 'a:80', '1:2:3', '0:80', '80:65536'):
            with self.subTest(wrong), mock.patch('sys.stderr'), self.assertRaises(SystemExit):
                self.command('--forward', wrong)

    def test_other_guests_have_no_nic(self):
        words = ' '.join(self.command())
        for word in ('e1000', 'pcie-root-port', 'hubport', 'filter-dump', 'qmp', 'hostfwd'):
            self.assertNotIn(word, words)

    def test_a_capture_is_among_the_results(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, 'a,b')
            words = self.command('--nic', 'e1000', '--capture', '--results', str(folder))
            self.assertIn('a,,b/wire.pcap', words[words.index('-object') + 1])
            for lacking in (['--nic', 'e1000'], ['--results', name]):
                with self.subTest(lacking), mock.patch('sys.stderr'), \
                        self.assertRaises(SystemExit):
                    self.command('--capture', *lacking)

    def test_the_machine_answers_at_a_serial_line_of_the_guest(self):
        pair = [mock.Mock(**{'fileno.return_value': number}) for number in (70, 71)]
        words = self.command('--qmp', monitor=pair)
        serial = [words[i + 1] for i, word in enumerate(words) if word == '-serial']
        self.assertEqual(serial, ['chardev:console', 'chardev:terminal', 'chardev:qmp-serial'])
        self.assertIn('socket,id=qmp,fd=70', words)
        self.assertIn('socket,id=qmp-serial,fd=71', words)

    def test_a_shell_may_count_instructions(self):
        with mock.patch.object(guests, 'prepare'), mock.patch.object(guests.shell, 'must') as must:
            guests.vm(*arguments.parse('vm', ['--icount', 'uname']))
        line = [str(word) for word in must.call_args.args[0]]
        self.assertIn('--icount', line)
        # The last one holds: such a guest has one CPU.
        self.assertEqual(line[len(line) - line[::-1].index('--smp')], '1')

    def test_a_shell_may_have_hardware(self):
        for words, count in (([], 0), (['--hardware'], 2)):
            for command in ([], ['uname']):
                with self.subTest(words=words, command=command), \
                        mock.patch.object(guests, 'prepare'), \
                        mock.patch.object(guests.shell, 'must') as must:
                    guests.vm(*arguments.parse('vm', [*words, *command]))
                    line = [str(word) for word in must.call_args.args[0]]
                    self.assertEqual(line[:line.index('--')].count('--nic'), count)


class GuestFiles(unittest.TestCase):
    def test_each_test_can_be_executed(self):
        """Or else no run would have it."""
        for folder in tests.GUEST_TESTS, tests.HARDWARE_TESTS:
            for path in (shell.ROOT / folder).glob('*.py'):
                with self.subTest(path.name):
                    self.assertTrue(tests.is_program(path))

    def test_readers_wait_longer_in_tests(self):
        for slow, expected in ('', ''), ('1.00', 'reader_wait_ms=10000'):
            with self.subTest(slow), tempfile.TemporaryDirectory() as folder:
                for name, action in (('insmod', 'echo "${1##*/}" "$2"'), ('rmmod', '')):
                    program = pathlib.Path(folder, name)
                    program.write_text(f'#!/bin/sh\n{action}\n')
                    program.chmod(0o755)
                done = subprocess.run(
                    ['test/vm/with-modules', 'echo', 'end'], cwd=shell.ROOT, check=True, text=True,
                    stdout=subprocess.PIPE, env={'PATH': f'{folder}:/usr/bin:/bin', 'KMOD_DIR': '.',
                                                 'MACSTATS': 'macstats', 'MACSTATS_SLOW': slow})
                self.assertEqual(done.stdout, f'macstats.ko {expected}\nmacstats_emu.ko \nend\n')

    def test_each_kernel_that_is_built_has_its_own_checks_and_the_one_that_counts_has_none(self):
        options = {}
        for kernel in ('debug', 'user-mode', 'user-mode-smp', 'kcsan', 'gcov'):
            files = shell.output_of(['test/vm/kernel', 'fragments', kernel])[1].split()
            options[kernel] = {line for file in files
                               for line in pathlib.Path(file).read_text().splitlines()
                               if line.startswith('CONFIG_')}
        for option, kernels in (('VIRTIO_PCI', 'debug kcsan gcov'),
                                ('HOSTFS', 'user-mode user-mode-smp'),
                                ('PROVE_LOCKING', 'debug user-mode user-mode-smp kcsan'),
                                ('UBSAN', 'debug user-mode user-mode-smp kcsan'),
                                ('KASAN', 'debug user-mode'), ('KCSAN', 'kcsan'),
                                ('DEBUG_KMEMLEAK', 'debug'),
                                ('FAILSLAB', 'debug user-mode gcov'), ('GCOV_KERNEL', 'gcov')):
            with self.subTest(option):
                self.assertEqual([kernel for kernel, lines in options.items()
                                  if f'CONFIG_{option}=y' in lines], kernels.split())

    def test_an_option_that_a_kernel_lacks_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            config, *fragments = (pathlib.Path(folder, name) for name in ('config', 'a', 'b'))
            config.write_text('CONFIG_KASAN=y\nCONFIG_NR_CPUS=8\n# CONFIG_SMP is not set\n'
                              'CONFIG_WLAN=y\nCONFIG_KASAN_STACKS=y\n')
            fragments[0].write_text('# CONFIG_FOO=y is a comment\nCONFIG_KASAN=y\nCONFIG_SMP=n\n'
                                    'CONFIG_GONE=n\nCONFIG_WLAN=n\n')

            def check(*words):
                return subprocess.run(['test/vm/kernel', 'check', *words], cwd=shell.ROOT,
                                      capture_output=True, text=True, check=False)
            self.assertEqual(check(config, fragments[0]).returncode, 1)
            # A later line counts.
            fragments[1].write_text('CONFIG_WLAN=y\n')
            self.assertEqual(check(config, *fragments).returncode, 0)
            fragments[1].write_text('CONFIG_NR_CPUS=4\nCONFIG_WLAN=n\nCONFIG_KASAN_STACK=y\n')
            done = check(config, *fragments)
            self.assertEqual((done.returncode, done.stderr.splitlines()[1:]), (1, [
                'CONFIG_NR_CPUS=4 (it is: CONFIG_NR_CPUS=8)',
                'CONFIG_WLAN=n (it is: CONFIG_WLAN=y)',
                'CONFIG_KASAN_STACK=y (it is: unknown, or needs others)']))
            self.assertNotEqual(check(config, pathlib.Path(folder, 'absent')).returncode, 0)


if __name__ == '__main__':
    unittest.main()
