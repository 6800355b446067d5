#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev itself: arguments, counting, questions, language, time limits, mutants,
coverage."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import arguments  # noqa: E402
import budget  # noqa: E402
import c_tokens  # noqa: E402
import counting  # noqa: E402
import coverage  # noqa: E402
import guests  # noqa: E402
import language  # noqa: E402
import main  # noqa: E402
import module_mutants  # noqa: E402
import modules  # noqa: E402
import mutant_library  # noqa: E402
import mutant_sample  # noqa: E402
import mutants  # noqa: E402
import packages  # noqa: E402
import reasons  # noqa: E402
import shell  # noqa: E402
import tests  # noqa: E402
from counting import Tally  # noqa: E402

sys.path += [str(shell.ROOT / 'test/vm'), str(shell.ROOT / 'test/vm/lib')]
import cli  # noqa: E402
import deadline  # noqa: E402
import tap  # noqa: E402

DEV = shell.ROOT / 'dev'


def dev(*words, **environment):
    return subprocess.run([DEV, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, env=os.environ | environment)


class Arguments(unittest.TestCase):
    def test_options_come_before_the_words(self):
        options, words = arguments.parse('test', ['--long', '--kernel', '6.1', 'faults.py',
                                                  '--unit'])
        self.assertTrue(options.long)
        self.assertFalse(options.unit)
        self.assertEqual(options.kernels, ['6.1'])
        self.assertEqual(words, ['faults.py', '--unit'])

    def test_both_kernels_are_the_default(self):
        self.assertEqual(arguments.parse('test', [])[0].kernels, ['6.1', '6.12'])

    def test_a_kernel_that_checks_itself_is_chosen_by_its_option(self):
        self.assertEqual(arguments.parse('test', [])[0].built_kernel, '')
        for name in ('debug', 'kcsan'):
            options, words = arguments.parse('test', [f'--{name}-kernel', 'faults.py'])
            self.assertEqual((options.built_kernel, words), (name, ['faults.py']))
            self.assertEqual(guests.use_one_kernel(options), name)

    def test_a_sample_of_mutants_has_a_seed_and_a_count(self):
        options, words = arguments.parse('mutants', ['--seed', '7', '--count', '0', 'frame.h'])
        self.assertEqual((options.seed, options.count, words), (7, 0, ['frame.h']))
        self.assertEqual(arguments.parse('mutants', [])[0].count, 20)
        self.assertEqual(arguments.parse('mutants', ['--long-mutants'])[0].count, 200)

    def test_mutants_are_of_the_headers_or_of_the_modules(self):
        for words, kind in (([], 'mutants'), (['frame.h'], 'mutants'),
                            (['kmod'], 'module_mutants'),
                            (['kmod/provider/port.c'], 'module_mutants')):
            with self.subTest(words), mock.patch.object(getattr(main, kind), 'mutants') as ran:
                main.run_mutants('options', words)
                ran.assert_called_once_with('options', words)

    def test_files_of_the_modules_that_do_not_exist_are_rejected(self):
        files = mutant_sample.module_files()
        self.assertEqual(module_mutants.files_of(['kmod']), files)
        self.assertEqual(module_mutants.files_of([files[0]]), [files[0]])
        for words in (['kmod', 'frame.h'], ['kmod/port.c']):
            with self.subTest(words), self.assertRaises(shell.Failure):
                module_mutants.files_of(words)

    def test_a_command_in_a_guest_has_a_time_limit(self):
        for words, limit, command in (
                (['uname'], '300', ['uname']),
                (['--timeout', '7200', 'uname', '--timeout'], '7200', ['uname', '--timeout']),
                (['--kernel-dir', '/', '--timeout', '10', 'uname'], '80', ['uname'])):
            with self.subTest(words), mock.patch.object(guests, 'prepare'), \
                    mock.patch.object(guests.shell, 'must') as must:
                guests.vm(*arguments.parse('vm', words))
                line = [str(word) for word in must.call_args.args[0]]
                self.assertEqual(line[line.index('--timeout') + 1], limit)
                self.assertEqual(line[line.index(guests.WITH_MODULES) + 1:], command)

    def test_a_shell_in_a_guest_has_no_time_limit(self):
        with mock.patch.object(guests, 'prepare') as prepare, \
                self.assertRaisesRegex(shell.Failure, '--timeout needs a command'):
            guests.vm(*arguments.parse('vm', ['--timeout', '9']))
        prepare.assert_not_called()

    def test_commands_without_words_reject_them(self):
        for command in ('demo', 'build', 'modules', 'clean'):
            with self.subTest(command), mock.patch.object(shell, 'start') as start:
                with self.assertRaisesRegex(shell.Failure, f'{command} takes no|usage'):
                    main.COMMANDS[command](arguments.Options(), ['word'])
                start.assert_not_called()

    # What each command uses. All take --yes: ./dev itself may have to install Python.
    KERNEL = {'--kernel', '--kernel-dir', '--debug-kernel', '--kcsan-kernel'}
    USED = {'demo': KERNEL, 'test': KERNEL | {'--long', '--full', '--unit', '--coverage'},
            'vm': KERNEL | {'--timeout'}, 'build': KERNEL, 'modules': KERNEL, 'packages': set(),
            'lint': set(), 'mutants': {'--seed', '--count', '--long-mutants'}, 'clean': set(),
            'help': set()}
    VALUES = {'--kernel': ['6.1'], '--kernel-dir': ['/'], '--seed': ['3'], '--count': ['5'],
              '--timeout': ['9']}

    def run_main(self, *words):
        """Runs a command that does nothing. Returns (was it called?, the error)."""
        command = mock.Mock()
        with mock.patch.dict(main.COMMANDS, {name: command for name in main.COMMANDS}), \
                mock.patch.object(main, 'end_on_signals'), \
                contextlib.redirect_stdout(io.StringIO()):
            try:
                main.main([*words])
                return command.called, ''
            except shell.Failure as failure:
                return command.called, str(failure)

    def test_a_command_rejects_the_options_that_it_does_not_use(self):
        self.assertEqual(set(self.USED), set(main.COMMANDS))
        for command, used in self.USED.items():
            for option in {'--yes', '--quick', '-x', *set().union(*self.USED.values())}:
                with self.subTest(command=command, option=option):
                    called, error = self.run_main(command, option, *self.VALUES.get(option, []))
                    if option in used | {'--yes'}:
                        self.assertEqual((called, error), (True, ''))
                    else:
                        self.assertFalse(called)
                        self.assertTrue(error.startswith(f'{command} has no option {option}'))
                        self.assertNotIn('\n', error)

    def test_a_wrong_option_names_those_that_there_are(self):
        done = dev('packages', '--long', 'kernel')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, '', './dev: packages has no option --long; it has: --yes\n'))
        done = dev('mutants', '--coverage')
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertEqual(done.stderr, './dev: mutants has no option --coverage; it has: --seed '
                                      '--count --long-mutants --yes\n')

    def test_the_help_of_a_command_has_the_options_that_it_accepts(self):
        text, kernel = main.__doc__.split('\nKERNEL is one of')
        kernel, always = kernel.split('\n\n')
        named = {}
        for section in re.split(r'^\./dev ', text, flags=re.MULTILINE)[1:]:
            found = named.setdefault(section.split()[0], set())
            found.update(re.findall(r'--[a-z-]+', section))
            if re.search(r'\bKERNEL\b', section):
                found.update(re.findall(r'--[a-z-]+', kernel))
        accepted = {command: set(used) for command, used in arguments.USED.items()}
        self.assertEqual(named, accepted)
        self.assertEqual(tuple(re.findall(r'--[a-z-]+', always)), arguments.ALWAYS_USED)

    def test_each_command_has_its_options_and_each_option_a_meaning(self):
        self.assertEqual(set(arguments.USED), set(main.COMMANDS))
        self.assertEqual(set().union(arguments.ALWAYS_USED, *arguments.USED.values()),
                         set(arguments.FIELDS))

    def test_two_dashes_end_the_options(self):
        self.assertEqual(arguments.parse('test', ['--yes', '--', '--unit'])[1], ['--unit'])

    def test_wrong_options_are_rejected(self):
        for command, *words in (
                ('test', '--kernel'), ('test', '--kernel', '5.10'), ('test', '--kernel-dir'),
                ('test', '--kernel-dir', '/nonexistent'), ('test', '--quick'), ('test', '-'),
                ('test', '--debug-kernel', '--kcsan-kernel'),
                ('vm', '--kernel', '6.1', '--debug-kernel'),
                ('vm', '--debug-kernel', '--kernel-dir', '/'),
                ('test', '--debug-kernel', '--unit'), ('test', '--unit', '--kcsan-kernel'),
                ('test', '--unit', '--kernel', '6.1'), ('mutants', '--seed'),
                ('mutants', '--count', 'x'), ('mutants', '--count', '5', '--long-mutants'),
                ('mutants', '--seed', '1', '--seed', '2'), ('vm', '--timeout'),
                ('test', '--kernel', '6.1', '--kernel', '6.12'), ('vm', '--timeout', 'soon')):
            with self.subTest(command=command, words=words), self.assertRaises(shell.Failure):
                arguments.parse(command, words)
        self.assertTrue(arguments.parse('test', ['--yes', '--yes'])[0].yes)

    def test_help_lists_each_command_and_each_check(self):
        text = dev('help').stdout
        self.assertEqual(dev().stdout, text)
        for name in [*main.COMMANDS, *main.lint.CHECKS, *packages.GROUPS]:
            self.assertIn(name, text)

    def test_a_wrong_command_fails_and_prints_the_help(self):
        done = dev('tset')
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertIn('./dev: no such command: tset', done.stderr)

    def test_a_wrong_test_name_counts_as_a_failure(self):
        done = dev('test', 'no_such_test.py')
        self.assertEqual((done.returncode, done.stdout), (
            1, 'failed: not all tests were run\n0 passed, 1 failed\n'))
        self.assertIn('./dev: no such test: no_such_test.py', done.stderr)

    def test_unit_tests_have_no_names(self):
        done = dev('test', '--unit', 'faults.py')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, '0 passed, 1 failed'))
        self.assertIn('--unit takes no names', done.stderr)

    def test_a_test_that_takes_long_says_so_near_its_head(self):
        self.assertTrue(tests.is_long('#!/bin/sh\n# long\n'))
        self.assertFalse(tests.is_long('#!/bin/sh\n# long ago\n'))
        self.assertFalse(tests.is_long('\n' * 40 + '# long\n'))


class Reasons(unittest.TestCase):
    def read(self, text):
        return list(reasons.entries(text, 'list.txt'))

    def test_an_entry_ends_with_the_next_one_an_empty_line_or_a_comment(self):
        self.assertEqual(self.read('# a comment\n\na\nb\n  why,\n\tin two lines\nc\n  so\n# d\n'), [
            (['a', 'b'], 'why, in two lines'), (['c'], 'so')])
        self.assertEqual(self.read('\n# nothing\n   \n'), [])

    def test_an_entry_has_lines_and_a_reason(self):
        for text in ('a\n', 'a\n\n  why\n', '  why\n', 'a\n# b\n  why\n', 'a\n  why\nb\n'):
            with self.subTest(text), self.assertRaisesRegex(shell.Failure, 'list.txt'):
                self.read(text)

    def test_lines_are_compared_without_their_indentation(self):
        self.assertEqual(reasons.squeeze('\ta =  1;\n'), 'a = 1;')


class Budget(unittest.TestCase):
    def test_each_part_of_a_long_run_is_planned_and_no_other(self):
        guests = tests.guest_programs(arguments.Options(long=True), [])
        fuzzers = (shell.ROOT / 'test/fuzz').glob('*.cpp')
        self.assertEqual(set(budget.parse(budget.FILE.read_text())), {
            'build', 'unit', 'guests', 'mutants', 'fresh',
            *(f'guest {program.name}' for program in guests),
            *(f'fuzz {source.stem}' for source in fuzzers),
            *(f'lint {name}' for name in main.lint.CHECKS)})

    def test_all_parts_together_fit(self):
        self.assertLess(sum(budget.parse(budget.FILE.read_text()).values()), 75 * 60)

    def test_a_plan_that_cannot_be_read_is_rejected(self):
        self.assertEqual(budget.parse('# minutes\n\n  12  fuzz tags # slow\n3 fresh\n'),
                         {'fuzz tags': 12, 'fresh': 3})
        for text in ('12', 'fresh 12', '-1 fresh', '1.5 fresh', '1 fresh\n2 fresh'):
            with self.subTest(text), self.assertRaises(ValueError):
                budget.parse(text)

    def test_parts_that_take_longer_are_reported(self):
        clock = budget.Clock()
        for name, seconds in (('unit', 12), ('guest a.py', 7), ('guest a.py', 3), ('new', 2)):
            clock.add(name, seconds)
        self.assertEqual(clock.report({'unit': 12, 'guest a.py': 5, 'fresh': 1}), [
            '21 s, 18 s planned on two idle cores', 'guest a.py: 7 s, 5 s planned',
            'new: 2 s, not planned'])

    def test_the_time_of_a_part_that_fails_counts(self):
        clock = budget.Clock()
        with self.assertRaises(shell.Failure), clock.part('unit'):
            raise shell.Failure('ctest')
        self.assertIn('unit', clock.parts)

    def test_programs_of_guests_have_their_seconds(self):
        self.assertEqual(counting.seconds('running a.py\nfailed a.py: not ok 1\n1 1 0 a.py 12.5\n'
                                          'running b.py\n'), {'a.py': 12.5})


class Seed(unittest.TestCase):
    def test_the_environment_decides_before_the_commit(self):
        with mock.patch.dict(os.environ, {'MACSTATS_SEED': '77'}):
            self.assertEqual(budget.seed(), 77)
            self.assertEqual(tests.effort(arguments.Options())['MACSTATS_SEED'], '77')

    @unittest.skipUnless(shutil.which('git'), 'git is not installed')
    def test_the_commit_decides_otherwise(self):
        def git(*words):
            return subprocess.run(['git', '-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b',
                                   *words], check=True, capture_output=True, text=True).stdout

        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.dict(os.environ, {'MACSTATS_SEED': ''}), \
                mock.patch.object(budget, 'ROOT', folder):
            self.assertEqual(budget.seed(), 1)
            git('init', '-q')
            self.assertEqual(budget.seed(), 1)
            for message in ('one', 'two'):
                git('commit', '-q', '--allow-empty', '-m', message)
                self.assertEqual(budget.seed(), int(git('rev-parse', 'HEAD')[:7], 16))

    def test_a_slow_fuzzer_states_its_inputs(self):
        for full, text, inputs in ((False, '// A fuzzer\n', 70_000), (True, '', 2_100_000),
                                   (False, '// A\n// inputs: 5000\n', 5000),
                                   (True, '// A\n// inputs: 5000\n', 150_000)):
            self.assertEqual(tests.fuzz_inputs(arguments.Options(full=full), text), inputs)

    def test_a_full_run_is_a_long_run(self):
        options, _ = arguments.parse('test', ['--full'])
        self.assertEqual(tests.effort(options) | {'MACSTATS_SEED': ''}, {
            'MACSTATS_LONG': 'yes', 'MACSTATS_FULL': 'yes', 'MACSTATS_SEED': ''})


def again(name):
    return f"ctest --test-dir build/default -R '^{name}$'"


class Counting(unittest.TestCase):
    def test_boost_programs_count_as_their_cases(self):
        self.assertEqual(counting.unit_tests('''
            <testcase name="unit.a" status="run">
              <system-out>&lt;TestSuite test_cases_passed=&quot;7&quot;
              test_cases_passed=&quot;7&quot; test_cases_passed_with_warnings=&quot;1&quot; test_cases_failed=&quot;2&quot; test_cases_skipped=&quot;3&quot;
              </system-out>
            </testcase>
        '''.replace('TestSuite test_cases_passed=&quot;7&quot;', 'TestSuite')), Tally(8, 2, 3, ['unit.a'], [again('unit.a')]))

    def test_other_programs_count_as_one(self):
        self.assertEqual(counting.unit_tests('''
            <testcase name="a" status="run"></testcase>
            <testcase name="b" status="fail"><failure message="x"/></testcase>
            <testcase name="c" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
            <testcase name="d" status="disabled"></testcase>
        '''), Tally(1, 1, 2, ['b'], [again('b')]))

    def test_a_program_that_dies_after_its_report_has_failed(self):
        self.assertEqual(counting.unit_tests('''
            <testcase name="a" status="fail">
              test_cases_passed="5" test_cases_failed="0"
            </testcase>'''), Tally(5, 1, 0, ['a'], [again('a')]))

    def test_a_test_that_did_not_start_has_failed(self):
        self.assertEqual(counting.unit_tests(
            '<testcase name="a" status="notrun">\n</testcase>'), Tally(0, 1, 0, ['a'], [again('a')]))

    def test_counts_of_guest_programs_add_up(self):
        self.assertEqual(counting.programs('running a.py\n3 0 1 a.py\nrunning b.py\n'
                                           'failed b.py: not ok 3 - x\n2 1 0 b.py\n', '6.1 '),
                         Tally(5, 1, 1, ['6.1 b.py: not ok 3 - x']))

    def test_a_guest_program_that_never_ends_has_failed(self):
        self.assertEqual(counting.programs('3 0 0 a.py\nrunning b.py\n'), Tally(3, 1, 0, ['b.py: never ended']))

    def test_a_guest_program_that_fails_shows_how_to_repeat_it(self):
        total = counting.programs(
            'running a.py\n3 0 1 a.py\nrunning b.py\nfailed b.py: x\n2 1 0 b.py\nrunning c.py\n',
            '6.1 ', './dev test --kernel 6.1')
        self.assertEqual(total.repeats, ['./dev test --kernel 6.1 b.py',
                                         './dev test --kernel 6.1 c.py'])

    def test_a_guest_that_crashes_after_failures_is_one_more(self):
        for status, failed in ((0, 0), (1, 2), (1, 0), (126, 0), (126, 2), (139, 2)):
            with self.subTest(status=status, failed=failed):
                total = tests.judged(status, Tally(5, failed), '6.1 ')
                crashed = status > 1 or bool(status and not failed)
                self.assertEqual((total.failed, total.failures), (
                    failed + crashed, [f'6.1 the guest ended with status {status}'] * crashed))

    def test_no_counts_are_zero(self):
        self.assertEqual(counting.programs(''), Tally())

    def test_the_last_line_is_exact(self):
        self.assertEqual(str(Tally(12, 0)), '12 passed, 0 failed')
        self.assertEqual(str(Tally(12, 3, 1)), '12 passed, 3 failed, 1 skipped')


class Packages(unittest.TestCase):
    def setUp(self):
        self.in_ci, packages.IN_CI = packages.IN_CI, False

    def tearDown(self):
        packages.IN_CI = self.in_ci

    @staticmethod
    def never(_question):
        raise AssertionError('asked')

    def test_nothing_is_asked_with_yes_or_in_ci(self):
        self.assertTrue(packages.may_install(['a'], True, False, self.never))
        packages.IN_CI = True
        self.assertTrue(packages.may_install(['a'], False, False, self.never))

    def test_without_a_terminal_the_message_names_packages_and_way_out(self):
        with self.assertRaisesRegex(shell.Failure, 'missing: a b.*--yes'):
            packages.may_install(['a', 'b'], False, False, self.never)

    def test_the_answer_decides(self):
        for answer, expected in (('', True), ('y', True), ('YES', True), ('n', False), ('q', False)):
            self.assertEqual(packages.may_install(['a'], False, True, lambda _, a=answer: a), expected)

    def test_the_end_of_input_is_a_no(self):
        def end(_question):
            raise EOFError
        self.assertFalse(packages.may_install(['a'], False, True, end))

    def test_unknown_groups_are_rejected(self):
        with self.assertRaises(shell.Failure):
            packages.of('userspace', 'userspaces')

    def test_python_is_asked_for_without_waiting(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / 'dev'
            script.write_text(DEV.read_text().replace('/usr/bin/python3', '/nonexistent/python3'))
            done = subprocess.run(['sh', script, 'test'], stdin=subprocess.DEVNULL, check=False,
                                  capture_output=True, text=True, timeout=10,
                                  env={k: v for k, v in os.environ.items() if k != 'CI'})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, 'missing: python3.*--yes')


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
                    mock.patch.object(deadline.time, 'monotonic', side_effect=[1000] + [1000 + passed] * 2):
                self.assertEqual(deadline.Deadline(seconds, slow, factor).left(), left)

    def guest(self):
        loader = importlib.machinery.SourceFileLoader('guest', str(shell.ROOT / 'test/vm/guest'))
        guest = importlib.util.module_from_spec(importlib.util.spec_from_loader('guest', loader))
        loader.exec_module(guest)
        return guest

    def test_a_slow_host_is_no_deadlock(self):
        guest = self.guest()
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
                                 results='/results')
                words = guest.guest_command(args, mock.Mock(image='image'),
                                            pathlib.Path('/run'), 'tcg')
                parameters = words[words.index('-append') + 1].split()
                for name, seconds in zip(names, expected):
                    self.assertIn(f'{name}={seconds}', parameters)

    def test_a_guest_has_more_time_on_a_slow_host(self):
        guest = self.guest()
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

    def test_a_condition_has_more_time_on_a_slow_machine(self):
        self.slowness_is(1)
        with self.assertRaisesRegex(tap.Failure, 'not within 1e-09 s: the end'):
            tap.wait_for(lambda: False, 'the end', self.MOMENT)
        self.slowness_is(1e12)
        answers = iter([False, False, 'yes'])
        self.assertEqual(tap.wait_for(lambda: next(answers), 'the end', self.MOMENT), 'yes')

    def test_a_process_has_more_time_on_a_slow_machine(self):
        def start(*command):
            return subprocess.Popen(command, stdout=subprocess.PIPE)
        self.slowness_is(1)
        with start('sleep', '1000') as process, self.assertRaises(subprocess.TimeoutExpired):
            cli.finish(process, self.MOMENT)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.slowness_is(1e12)
        with start('sh', '-c', 'sleep 0.2; echo end') as process:
            self.assertEqual(cli.finish(process, self.MOMENT), (b'end\n', None))


class GuestFiles(unittest.TestCase):
    def test_readers_wait_at_most_as_long_as_the_module_accepts(self):
        for slow, expected in (('', ''), ('1.00', 'reader_wait_ms=200'),
                               ('7.93', 'reader_wait_ms=1400'), ('50.99', 'reader_wait_ms=10000'),
                               ('51.00', 'reader_wait_ms=10000'),
                               ('1234.56', 'reader_wait_ms=10000')):
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
        for kernel in ('debug', 'kcsan', 'gcov'):
            files = shell.output_of(['test/vm/kernel', 'fragments', kernel])[1].split()
            options[kernel] = {line for file in files
                               for line in pathlib.Path(file).read_text().splitlines()
                               if line.startswith('CONFIG_')}
        for option, kernels in (('VIRTIO_PCI', 'debug kcsan gcov'), ('PROVE_LOCKING', 'debug kcsan'),
                                ('UBSAN', 'debug kcsan'), ('KASAN', 'debug'), ('KCSAN', 'kcsan'),
                                ('FAILSLAB', 'debug gcov'), ('GCOV_KERNEL', 'gcov')):
            with self.subTest(option):
                self.assertEqual([kernel for kernel, lines in options.items()
                                  if f'CONFIG_{option}=y' in lines], kernels.split())

    def test_an_option_that_a_kernel_lacks_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            config, *fragments = (pathlib.Path(folder, name) for name in ('config', 'a', 'b'))
            config.write_text('CONFIG_KASAN=y\nCONFIG_NR_CPUS=8\n# CONFIG_SMP is not set\n'
                              'CONFIG_WLAN=y\nCONFIG_KASAN_STACKS=y\n')
            fragments[0].write_text('# CONFIG_FOO=y is a comment\nCONFIG_KASAN=y\nCONFIG_SMP=n\n'
                                    'CONFIG_GONE=n\n')

            def check(*words):
                return subprocess.run(['test/vm/kernel', 'check', *words], cwd=shell.ROOT,
                                      capture_output=True, text=True, check=False)
            self.assertEqual(check(config, fragments[0]).returncode, 0)
            fragments[1].write_text('CONFIG_NR_CPUS=4\nCONFIG_WLAN=n\nCONFIG_KASAN_STACK=y\n')
            done = check(config, *fragments)
            self.assertEqual((done.returncode, done.stderr.splitlines()[1:]), (1, [
                'CONFIG_NR_CPUS=4 (it is: CONFIG_NR_CPUS=8)', 'CONFIG_WLAN=n (it is: CONFIG_WLAN=y)',
                'CONFIG_KASAN_STACK=y (it is: unknown, or needs others)']))
            self.assertNotEqual(check(config, pathlib.Path(folder, 'absent')).returncode, 0)


class Output(unittest.TestCase):
    def test_progress_is_thinned_and_all_else_is_shown(self):
        now = [0.0]
        progress = shell.Progress(lambda: now[0])
        shown = []
        for now[0], line in enumerate(['ninja: Entering directory', '[1/99] a.o', 'x.c:1: warning',
                                       *[f'[{n}/99] b.o' for n in range(2, 20)], 'FAILED: c.o',
                                       'ninja: build stopped: subcommand failed.']):
            if progress.shows(line):
                shown.append(line)
        self.assertEqual(shown, ['x.c:1: warning', '[9/99] b.o', '[19/99] b.o', 'FAILED: c.o',
                                 'ninja: build stopped: subcommand failed.'])

    def test_a_signal_ends_the_children(self):
        program = ('import sys; sys.path.insert(0, sys.argv[1]); import shell; '
                   'shell.end_on_signals(); child = shell.start(["sleep", "60"]); '
                   'print(child.pid, flush=True); shell.finish(child)')
        with subprocess.Popen([sys.executable, '-B', '-c', program,
                               pathlib.Path(__file__).parent], stdout=subprocess.PIPE) as process:
            child = int(process.stdout.readline())
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(20), 128 + signal.SIGTERM)
        with self.assertRaises(ProcessLookupError):
            os.kill(child, 0)


class Language(unittest.TestCase):
    def phrases(self, path, text):
        return [(finding.line, finding.phrase) for finding in language.findings(path, text)]

    def test_an_opening_is_found_in_each_kind_of_comment(self):
        self.assertEqual(self.phrases('a.c', 'int a;\n/*\n * Who counts here must wait.\n */\n'),
                         [(3, 'Who counts here')])
        self.assertEqual(self.phrases('a.cpp', 'int a; // What a port holds.\n'), [(1, 'What a port')])
        self.assertEqual(self.phrases('a.py', '"""Which ports are there."""\n'), [(1, 'Which ports are')])
        self.assertEqual(self.phrases('a.sh', 'true\n# Whoever asks waits.\n'), [(2, 'Whoever asks waits')])
        self.assertEqual(self.phrases('a.md', '# A\n\nWhat is not known.\n'), [(3, 'What is not')])

    def test_an_opening_is_found_behind_a_full_stop(self):
        self.assertEqual(self.phrases('a.c', '/* One. What it holds. */\n'), [(1, 'What it holds')])
        self.assertEqual(self.phrases('a.cpp', '// One.\n// What it holds.\n'), [(2, 'What it holds')])

    def test_questions_headings_and_the_middle_of_a_sentence_pass(self):
        for path, text in (('a.c', '/* What did the request change? */'), ('a.md', '## What works\n'),
                           ('a.cpp', '// The port\n// What\n'), ('a.c', '/* A row tells what it is. */')):
            with self.subTest(text):
                self.assertEqual(self.phrases(path, text), [])

    def test_words_are_found_in_texts_and_across_lines(self):
        self.assertEqual(self.phrases('a.cpp', 'f("refused: %s");'), [(1, 'refused')])
        self.assertEqual(self.phrases('a.c', '/* It was told\n * of it. */'), [(1, 'told of')])

    def test_code_in_pages_and_legitimate_uses_pass(self):
        for path, text in (('a.md', 'Run `say refused`.\n\n```\nrefused\n```\n'),
                           ('a.cpp', '// Connection refused'), ('a.c', 'int mind;'),
                           ('a.py', "f'{1 if a is None else 2}'"),
                           ('a.c', '/* The datasheet says 64. */')):
            with self.subTest(text):
                self.assertEqual(self.phrases(path, text), [])

    def test_identifiers_follow_the_glossary(self):
        self.assertEqual(self.phrases('a.c', 'int emu_lane(int plane);'), [(1, 'emu_lane')])
        self.assertEqual(self.phrases('a.cpp', 'bool is_refused();'), [(1, 'is_refused')])

    def test_a_finding_names_place_phrase_and_replacement(self):
        self.assertEqual(str(language.findings('a.md', 'It refuses.\n')[0]),
                         'a.md:1: refuses: use instead: reject, rejection')


HEADER = """
/* a + b */
MACSTATS_FN int sum(const int *list, int n)
{
	int all = 0;
	int i;

	for (i = 0; i < n; i++)
		all += list[i];
	return all;
}

MACSTATS_FN int other(int a,
		      const struct pair *b)
{
	switch (a) {
	case 3:
		return a - 0x10u;
	}
	if (a)
		return true;
	return *"1 + 1" & ~a + 2;
}
"""

PROGRAM = """
#include <cstdio>
#define MACSTATS_FN constexpr inline
#include "header.h"

static constexpr int list[] = {1, 2, 4};
static_assert(sum(list, 3) == 7);

int main()
{
	printf("%d\\n", sum(list, 3));
}
"""


class Mutants(unittest.TestCase):
    def changes_of(self, name):
        """{changed line}, by the line that was changed."""
        result = {}
        for mutant in mutant_sample.mutants_of('header.h', HEADER):
            if mutant.function.name == name:
                result.setdefault(mutant.before, set()).add(mutant.after)
        return result

    def sample_of(self, after):
        sample = [mutant for mutant in mutant_sample.mutants_of('header.h', HEADER)
                  if mutant.after in after]
        for number, mutant in enumerate(sample, 1):
            mutant.number = number
        return sample

    def test_operators_comparisons_and_constants_change(self):
        self.assertEqual(self.changes_of('sum'), {
            'int all = 0;': {'int all = 1;'},
            'for (i = 0; i < n; i++)': {'for (i = 1; i < n; i++)', 'for (i = 0; i <= n; i++)'},
            'all += list[i];': {'all -= list[i];'}})

    def test_labels_texts_and_pointers_stay(self):
        self.assertEqual(self.changes_of('other'), {
            'return a - 0x10u;': {'return a + 0x10u;', 'return a - 17u;', 'return a - 15u;'},
            'if (a)': {'if (!(a))'},
            'return true;': {'return false;'},
            'return *"1 + 1" & ~a + 2;': {
                'return *"1 + 1" | ~a + 2;', 'return *"1 + 1" & ~a - 2;',
                'return *"1 + 1" & ~a + 3;', 'return *"1 + 1" & ~a + 1;'}})

    def test_parameters_are_known_by_their_names(self):
        self.assertEqual([each.arguments for each in c_tokens.functions(HEADER)][0], ['list', 'n'])
        self.assertEqual(c_tokens.parameters('f(const struct a *const b[], __u32 c = 3, T<x, y> d)'),
                         ['b', 'c', 'd'])

    def test_each_header_of_the_project_has_mutants(self):
        found = {mutant.file for mutant in mutant_sample.read_mutants(mutant_sample.HEADERS)}
        self.assertEqual(found, set(mutant_sample.HEADERS))

    def build(self, folder, sample):
        """The program, with headers and a library of its own."""
        text = HEADER[:HEADER.index('MACSTATS_FN int other')]
        before = mutant_library.HOOKS
        library, _ = mutant_library.hooked(text, 0, sample)
        numbers = ', '.join(['-1', *['0'] * len(sample)])
        (folder / 'header.h').write_text(before + mutant_library.hooked(text)[0])
        (folder / 'library.cpp').write_text(
            f'static const int macstats_mutant_functions[] = {{{numbers}}};\n'
            f'#define MACSTATS_FN constexpr inline\n{mutant_library.RUNTIME}{before}{library}')
        (folder / 'program.cpp').write_text(PROGRAM)
        subprocess.run(['g++', '-std=c++20', '-O0', '-shared', '-fPIC',
                        f'-fsanitize={mutant_library.UNDEFINED}', '-fsanitize-undefined-trap-on-error',
                        '-o', folder / 'library.so', folder / 'library.cpp'], check=True)
        if not (folder / 'program').exists():
            subprocess.run(['g++', '-std=c++20', '-O0', '-o', folder / 'program',
                            folder / 'program.cpp', folder / 'library.so'], check=True)

    def run_with(self, folder, number, **more):
        return subprocess.run([folder / 'program'], capture_output=True, text=True, check=False,
                              env=os.environ | {'MACSTATS_MUTANT': str(number)} | more)

    def test_one_program_has_all_mutants_and_runs_one(self):
        sample = self.sample_of(('all -= list[i];', 'for (i = 1; i < n; i++)'))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.build(folder, sample)
            reached = self.run_with(folder, 0, MACSTATS_MUTANT_REACHED=str(folder / 'reached'))
            printed = [self.run_with(folder, mutant.number).stdout.strip() for mutant in sample]
            self.assertEqual(reached.stdout.strip(), '7')
            self.assertEqual(sorted(printed), ['-7', '6'])
            self.assertEqual((folder / 'reached').read_text(), '0\n')

            # Another sample, and the same program.
            self.build(folder, self.sample_of(('int all = 1;',)))
            self.assertEqual(self.run_with(folder, 1).stdout.strip(), '8')

    def passes(self, *command, seconds=1):
        return mutants.passes(mutants.Program('a', command), 5, seconds)

    def test_a_program_that_fails_or_never_ends_notices_a_mutant(self):
        for script, passes in (
                ('exit 0', True), ('exit 1', False), ('exit 201', False),  # Boost's failed tests
                ('while :; do :; done', False), ('kill -SEGV $$', False), ('kill -ILL $$', False),
                ('kill -ABRT $$', False), ('[ "$MACSTATS_MUTANT" = 5 ]', True)):
            with self.subTest(script):
                self.assertEqual(self.passes('sh', '-c', script), passes)
        with mock.patch.object(mutants, 'HANG_SECONDS', 0.1):
            self.assertFalse(self.passes('sh', '-c', 'sleep 60; exit 0'))

    def test_a_program_that_takes_all_memory_notices_a_mutant(self):
        program = ('import mmap, resource, time\n'
                   'for _ in range(1000):\n'
                   '    if resource.getrlimit(resource.RLIMIT_AS)[0] >= 0: break\n'
                   '    time.sleep(0.01)\n'
                   'mmap.mmap(-1, {})')
        for octets, passes in ((1 << 20, True), (5 << 30, False)):
            self.assertEqual(self.passes(sys.executable, '-c', program.format(octets), seconds=60),
                             passes)

    def test_a_program_that_something_else_ends_is_no_verdict(self):
        for script in ('kill -KILL $$', 'kill -TERM $$', 'kill -HUP $$', '/nonexistent',
                       'exec /etc/passwd', 'sh -c "kill -KILL \\$\\$"; exit $?'):
            with self.subTest(script), self.assertRaisesRegex(shell.Failure, 'a ended with status'):
                self.passes('sh', '-c', script)

    def test_a_seed_repeats_its_sample(self):
        def picked(seed, count):
            everything = list(mutant_sample.mutants_of('header.h', HEADER))
            return [mutant.key() for mutant in mutant_sample.pick(everything, {}, seed, count)]
        self.assertEqual(picked(1, 3), picked(1, 3))
        self.assertEqual(len(picked(1, 3)), 3)
        self.assertGreater(len({tuple(picked(seed, 3)) for seed in range(20)}), 10)
        self.assertEqual(len(picked(1, 0)), len(list(mutant_sample.mutants_of('header.h', HEADER))))

    def test_known_equivalents_are_in_no_sample(self):
        known = mutant_sample.known_equivalents("""
# a comment
header.h sum
-	int all = 0;
+	int all =  1;
  the reason,
  in two lines
""")
        key = ('header.h', 'sum', 'int all = 0;', 'int all = 1;')
        self.assertEqual(known, {key: 'the reason, in two lines'})
        everything = list(mutant_sample.mutants_of('header.h', HEADER))
        self.assertNotIn(key, [mutant.key() for mutant in mutant_sample.pick(everything, known, 1, 0)])
        self.assertEqual(mutant_sample.stale(everything, known), [])
        gone = ('header.h', 'sum', 'int all = 2;', 'int all = 3;')
        self.assertEqual(mutant_sample.stale(everything, {gone: 'why'}), [gone])

    def test_a_known_equivalent_needs_a_reason(self):
        for text in ('a.h f\n- a\n+ b\n', 'a.h f\n- a\n  why\n', 'a.h\n- a\n+ b\n  why\n',
                     'a.h f\n+ b\n- a\n  why\n', 'a.h f\n- a\n  why\n+ b\n  why\n'):
            with self.subTest(text), self.assertRaises(shell.Failure):
                mutant_sample.known_equivalents(text)

    def test_the_known_equivalents_of_the_project_fit_its_headers(self):
        known = mutant_sample.known_equivalents(mutant_sample.EQUIVALENT.read_text())
        files = [*mutant_sample.HEADERS, *mutant_sample.module_files()]
        self.assertEqual(mutant_sample.stale(mutant_sample.read_mutants(files), known), [])

    def test_a_long_run_misses_three_mutants_at_the_most(self):
        for survivors, failed in ((0, 0), (3, 0), (4, 1)):
            total = counting.Tally()
            with mock.patch.object(tests.packages, 'need'), \
                    mock.patch.object(tests.mutants, 'check', return_value=(
                        20 - survivors, ['a'] * survivors)) as check, \
                    mock.patch.dict(os.environ, {'MACSTATS_SEED': '77'}), \
                    contextlib.redirect_stdout(io.StringIO()):
                tests.changed_headers(arguments.Options(), total)
            check.assert_called_once_with(mutant_sample.HEADERS, 77, 20)
            self.assertEqual((total.passed, total.failed), (1 - failed, failed))

    def test_19_of_20_are_enough(self):
        self.assertEqual(mutant_sample.verdict(19, ['a']),
                         ('19 of 20 mutants are noticed: 95.0 %, 95 % are required', True))
        self.assertFalse(mutant_sample.verdict(18, ['a', 'b'])[1])


MODULE = """
#define TWO(x)								\\
static int two_##x(void)						\\
{									\\
	return 1 + 1;							\\
}

static const int table[] = { 1, 2, 4 };

int sum(const int *list, int n);

static int __init sum_of(int (*get)(int i, int j),
			 int n)
{
	return get(n, n) < 3;
}

struct device *first(void)
{
	return NULL;
}
"""


class ModuleMutants(unittest.TestCase):
    def mutant(self, number=1):
        made = next(mutant_sample.mutants_of('kmod/a.c', MODULE))
        made.number = number
        return made

    def program(self, name, seconds, *functions):
        return module_mutants.Program(name, seconds, {('kmod/a.c', each) for each in functions})

    def test_functions_in_kernel_style_change(self):
        found = list(mutant_sample.mutants_of('kmod/a.c', MODULE))
        self.assertEqual([(each.function.name, each.line, each.after) for each in found], [
            ('sum_of', 15, 'return get(n, n) <= 3;'), ('sum_of', 15, 'return get(n, n) < 4;'),
            ('sum_of', 15, 'return get(n, n) < 2;')])

    def test_each_source_of_the_modules_has_mutants(self):
        found = {mutant.file for mutant in mutant_sample.read_mutants(mutant_sample.module_files())}
        sources = {name for name in mutant_sample.module_files() if name.endswith('.c')}
        self.assertEqual(sources - found, set())
        self.assertIn('kmod/genl.h', found)

    def test_a_function_reports_its_call_and_keeps_its_lines(self):
        text = module_mutants.with_reports('kmod/a.c', MODULE).split('#line 1\n')[1]
        lines = text.splitlines()
        self.assertEqual(len(lines), len(MODULE.splitlines()))
        self.assertEqual(lines[13], '{ printk_once(KERN_DEBUG "macstats mutant: reached kmod/a.c '
                                    'sum_of\\n");')
        self.assertEqual(text.count('printk_once'), 2)

    def test_the_fastest_test_that_calls_the_function_is_the_first(self):
        programs = [self.program('slow', 9, 'sum_of'), self.program('other', 1, 'first'),
                    self.program('fast', 2, 'first', 'sum_of')]
        self.assertEqual([each.name for each in module_mutants.chosen(programs, self.mutant())],
                         ['fast', 'slow'])

    def test_an_answer_tells_who_noticed_a_mutant(self):
        for lines, noticed in (
                (['seconds a.py 2.0', 'noticed b.py not ok 3 - c'], ('b.py', 'not ok 3 - c')),
                (['noticed b.py kernel: WARNING: x', 'dirty'], ('b.py', 'kernel: WARNING: x')),
                (['died a.py BUG: unable'], ('a.py', 'BUG: unable')),
                (['hung boot the guest hung'], ('boot', 'the guest hung')),
                (['seconds a.py 2.0', 'reached a.py kmod/a.c first'], ('', ''))):
            with self.subTest(lines):
                self.assertEqual(module_mutants.noticed_by(lines), noticed)

    def test_a_guest_that_ends_counts_only_for_its_own_mutant(self):
        oops, silent = ['died a.py BUG: x'], ['died a.py the guest died']
        unbooted, passed = ['hung boot the guest hung'], ['seconds a.py 1']
        for before, answers, expected in (
                (1, [oops], oops), (2, [oops, passed], passed),
                (2, [['hung a.py the guest hung'], oops], oops),
                (2, [['noticed a.py b']], ['noticed a.py b']),
                # The system may have ended QEMU, or it may hang.
                (1, [silent, passed], passed), (1, [silent, silent], silent),
                (1, [unbooted, passed], passed), (1, [unbooted, oops], oops)):
            with self.subTest(answers):
                guest = mock.Mock(tried=before)
                guest.ask.side_effect = answers
                self.assertEqual(module_mutants.tried(guest, 'folder', ['a']), expected)
                self.assertEqual(guest.ask.call_count, len(answers))

    def test_a_guest_that_does_not_boot_is_no_verdict(self):
        for answer in ('hung boot the guest hung', 'died boot the guest died'):
            guest = mock.Mock(tried=1)
            guest.ask.side_effect = [['seconds a.py 1', 'x'], [answer], [answer]]
            self.assertEqual(module_mutants.tried(guest, 'folder', ['a']), ['seconds a.py 1', 'x'])
            with self.subTest(answer), self.assertRaisesRegex(shell.Failure, 'does not boot'):
                module_mutants.tried(guest, 'folder', ['a'])

    def test_a_compiler_that_the_system_ends_is_no_verdict(self):
        builder = mock.Mock(objects={}, tree=pathlib.Path('/nonexistent'))
        mutant = mutant_sample.Mutant('Kbuild', None, 0, 0, '', '', '', 1)
        for output, verdict in (
                ('In file included from a.c:1:\na.h:2:3: error: x\nmake: *** 1\n', 'invalid'),
                ('ERROR: modpost: "__bad" [a.ko] undefined!\n', 'invalid'),
                ('gcc: fatal error: Killed signal terminated program cc1\n', None),
                ('a.c:7: fatal error: error writing to /tmp/a.s: No space left\n', None)):
            builder.make.return_value = (2, output)
            with self.subTest(output), mock.patch('builtins.print'):
                if verdict:
                    self.assertEqual(module_mutants.Builder.build(builder, mutant, 'a'), verdict)
                else:
                    with self.assertRaisesRegex(shell.Failure, 'reports no error'):
                        module_mutants.Builder.build(builder, mutant, 'a')
                builder.restore.assert_called_with('Kbuild')

    def ask(self, folder, *scripts):
        """The answers of a guest that is a shell script, in which $R is its shared folder."""
        (folder / 'modules').mkdir()
        guest = module_mutants.Guest(arguments.Options(), folder)
        commands = [['sh', '-c', f'R={folder}/guest; until [ -d $R/0 ]; do sleep 0.01; done; '
                                 + script] for script in scripts]
        with mock.patch.object(module_mutants.guests, 'command', side_effect=commands), \
                mock.patch.object(module_mutants, 'HANG_SECONDS', 0):
            for _ in scripts:
                yield guest.ask(folder / 'modules', [self.program('a.py', 1)], False)
        guest.stop()

    def test_a_guest_answers_dies_or_hangs(self):
        answer = 'printf "noticed a.py it failed\\ndirty\\n" >$R/0/answer; sleep 60'
        dies = 'echo "test/vm/tests/a.py 9" >$R/0/running; echo "BUG: unable"; exit 1'
        hangs = 'echo "test/vm/tests/a.py 0" >$R/0/running; exec sleep 60'
        with tempfile.TemporaryDirectory() as name:
            self.assertEqual(list(self.ask(pathlib.Path(name), answer, dies, hangs)), [
                ['noticed a.py it failed', 'dirty'], ['died a.py BUG: unable'],
                ['hung a.py the guest hung']])

    def test_only_mutants_that_change_code_count(self):
        kinds = queue.Queue()
        for number, became in enumerate(('same', 'built', 'invalid', 'built', 'built')):
            kinds.put((self.mutant(number), became, pathlib.Path('/nonexistent')))
        kinds.put(None)
        guest = mock.Mock(tried=1)
        guest.ask.side_effect = [['noticed a.py b'], ['seconds a.py 1'], ['died a.py BUG:']]
        with mock.patch('builtins.print'):
            noticed, survivors = module_mutants.judge(
                guest, [self.program('a.py', 1, 'sum_of')], kinds)
        self.assertEqual((noticed, [each.number for each in survivors]), (2, [3]))

    def test_a_function_that_no_test_calls_survives_without_a_guest(self):
        kinds = queue.Queue()
        kinds.put((self.mutant(), 'built', pathlib.Path('/nonexistent')))
        kinds.put(None)
        with mock.patch('builtins.print'):
            noticed, survivors = module_mutants.judge(
                mock.Mock(), [self.program('a.py', 1, 'first')], kinds)
        self.assertEqual((noticed, len(survivors)), (0, 1))

    def test_calls_without_a_mutant_decide_the_tests(self):
        guest = mock.Mock(tried=1)
        guest.ask.side_effect = [
            ['seconds a.py 2.5', 'reached a.py kmod/a.c sum_of'],
            ['noticed b.py not ok 1', 'dirty'], ['died c.py x'], ['seconds d.py 1.0']]
        with mock.patch('builtins.print') as printed:
            programs = module_mutants.measure(guest, ['a.py', 'b.py', 'c.py', 'd.py'])
        self.assertEqual([(each.name, each.seconds, each.reached) for each in programs], [
            ('a.py', 2.5, {('kmod/a.c', 'sum_of')}), ('d.py', 1.0, set())])
        said = ' '.join(call.args[0] for call in printed.call_args_list)
        self.assertIn('b.py: not ok 1', said)
        self.assertIn('c.py: x', said)

    def test_no_test_passes_without_a_mutant(self):
        guest = mock.Mock()
        guest.ask.return_value = ['noticed a.py not ok 1']
        with mock.patch('builtins.print'), self.assertRaises(shell.Failure):
            module_mutants.measure(guest, ['a.py'])

    def test_a_guest_stops_a_test_at_its_first_failure(self):
        path = shell.ROOT / 'test/vm/mutant-tests'
        loader = importlib.machinery.SourceFileLoader('mutant_tests', str(path))
        spec = importlib.util.spec_from_loader('mutant_tests', loader)
        inside = importlib.util.module_from_spec(spec)
        loader.exec_module(inside)
        for script, why in (
                ('echo 1..1; echo ok 1 - a', ''),
                ('echo 1..3; echo "# b"; echo ok 1 - b; echo "# too few"; echo "# more"; '
                 'echo not ok 2 - a; sleep 60', 'not ok 2 - a: # too few'),
                ('echo 1..1; echo ok 1 - a; exit 3', 'exit status 3 without a failed test'),
                ('exit 1', 'no plan'),
                ('echo 1..1; sleep 60', 'not within the time limit')):
            with self.subTest(script), tempfile.TemporaryDirectory() as folder, \
                    mock.patch('builtins.print'):
                deadline_ = deadline.Deadline(1 if 'limit' in why else 30, 1, 1)
                self.assertEqual(inside.failure_of(['sh', '-c', script], deadline_,
                                                   dict(os.environ), folder), why)


class Coverage(unittest.TestCase):
    FILE = 'shared/macstats/a.h'

    def covered(self, *lines):
        """Lines from 1 on: (count, branches)."""
        result = {}
        for number, (count, branches) in enumerate(lines, 1):
            result[number] = coverage.Line()
            result[number].add(count, branches)
        return {self.FILE: result}

    def test_copies_of_a_line_add_up(self):
        line = coverage.Line()
        line.add(3, [3, 0])
        line.add(2, [1, 2])
        line.add(1, [1, 0, 0])
        self.assertEqual((line.count, line.all_branches()), (6, [4, 2, 1, 0, 0]))
        self.assertFalse(line.is_covered())

    def test_each_file_belongs_to_one_group(self):
        for file, group in (('shared/macstats/frame.h', 'shared'), ('kmod/provider/port.c', 'kmod'),
                            ('shared/macstats/model/cpsw.h', ''), ('test/unit/main.cpp', ''),
                            ('userspace/cli/main.cpp', 'userspace')):
            self.assertEqual(coverage.group_of(file), group, file)

    def test_the_table_shows_lines_and_branches(self):
        rows, groups = coverage.table(self.covered((1, [1, 0]), (0, []), (4, [])))
        self.assertEqual(groups['shared'], coverage.Counts(2, 3, 1, 2))
        self.assertRegex(rows[1], r'^shared/macstats/a\.h +2/3 +66\.7 % +1/2 +50\.0 %$')
        self.assertRegex(rows[2], r'^all of shared ')

    def test_too_little_of_a_required_group_fails(self):
        shortfalls = coverage.shortfalls
        self.assertEqual(shortfalls({'shared': coverage.Counts(95, 100, 90, 100)}), [])
        self.assertEqual(shortfalls({'shared': coverage.Counts(94, 100, 90, 100)}), [
            'shared: 94.0 % of the lines are executed, 95 % are required'])
        self.assertEqual(shortfalls({'kmod': coverage.Counts(95, 100, 89, 100)}), [
            'kmod: 89.0 % of the branches are executed, 90 % are required'])
        self.assertEqual(shortfalls({'userspace': coverage.Counts(0, 100, 0, 100)}), [])

    def test_an_exception_leaves_its_line_out(self):
        covered = self.covered((1, []), (0, []))
        known = coverage.exceptions_in(f'# a comment\n\n{self.FILE}: b  = 2;\n  nobody comes here\n')
        self.assertEqual(known, {(self.FILE, 'b = 2;'): 'nobody comes here'})
        self.assertEqual(coverage.leave_out(covered, known, lambda _: 'a = 1;\n\tb = 2;\n'), [])
        self.assertEqual(list(covered[self.FILE]), [1])

    def test_an_exception_that_is_executed_or_gone_is_reported(self):
        for code, lines in (('a = 1;', [(1, [])]), ('a = 1;', [(1, [1, 1])]), ('c', [(0, [])])):
            known = {(self.FILE, code): 'why'}
            self.assertEqual(coverage.leave_out(self.covered(*lines), known, lambda _: 'a = 1;'),
                             [f'{self.FILE}: {code}'])
        half = self.covered((1, [1, 0]))
        self.assertEqual(coverage.leave_out(half, {(self.FILE, 'a'): 'why'}, lambda _: 'a'), [])

    def test_an_exception_of_branches_leaves_only_them_out(self):
        known = coverage.exceptions_in('shared/*.h: branches: MACRO(*);\n  of the kernel\n')
        text = 'MACRO(a[1]);\nMACRO(b);\nif (MACRO(c);\n'
        covered = self.covered((3, [3, 0]), (0, [0, 0]), (1, [1, 0]))
        self.assertEqual(coverage.leave_out(covered, known, lambda _: text), [])
        lines = covered[self.FILE]
        self.assertEqual([lines[number].count for number in (1, 2, 3)], [3, 0, 1])
        self.assertEqual([lines[number].all_branches() for number in (1, 2, 3)], [[], [], [1, 0]])
        self.assertEqual(coverage.leave_out(self.covered((1, [1, 2])), known, lambda _: text),
                         ['shared/*.h: branches: MACRO(*);'])
        self.assertEqual(coverage.leave_out({'kmod/a.c': {}}, known, lambda _: text), [])

    def test_an_exception_of_a_file_that_was_not_measured_stays(self):
        self.assertEqual(coverage.leave_out({}, {('kmod/a.c', 'x'): 'why'}, None), [])

    def test_an_exception_needs_a_reason(self):
        for text in ('a.h: b\n', 'a.h: b\n\n  why\n', 'nothing\n  why\n'):
            with self.subTest(text), self.assertRaises(shell.Failure):
                coverage.exceptions_in(text)

    def test_ranges_are_short(self):
        self.assertEqual(coverage.ranges([7, 1, 2, 3, 9, 10]), '1-3 7 9-10')

    # A stand-in for a tree of the project and a guest's results: gcc makes them alike.
    def test_numbers_are_found_beside_the_notes_of_another_folder(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            tree, results = folder / 'tree', folder / 'results'
            source = tree / 'kmod/a.c'
            source.parent.mkdir(parents=True)
            source.write_text('int main(int n, char **v)\n{\n\tif (n > 1)\n\t\treturn 1;\n'
                              '\treturn 0;\n}\n')
            built = ['gcc-12', '--coverage', '-O0', '-o', tree / 'kmod/a.o', '-c', source]
            subprocess.run(built, check=True)
            subprocess.run(['gcc-12', '--coverage', '-o', folder / 'program', tree / 'kmod/a.o'],
                           check=True)
            subprocess.run([folder / 'program'], check=True)
            copy = results / str(tree / 'kmod/a.gcda')[1:]
            copy.parent.mkdir(parents=True)
            (tree / 'kmod/a.gcda').rename(copy)
            covered = {}
            coverage.add_modules(results, [tree], covered)
            lines = covered['kmod/a.c']
            self.assertEqual([lines[number].count for number in (3, 4, 5)], [1, 0, 1])
            self.assertEqual(sorted(lines[3].all_branches()), [0, 1])
            with self.assertRaises(shell.Failure):
                coverage.add_modules(results / 'nothing', [tree], {})

    def test_a_guest_copies_the_numbers_of_its_modules(self):
        path = shell.ROOT / 'test/vm/run-all'
        sys.path.insert(0, str(path.parent))
        loader = importlib.machinery.SourceFileLoader('run_all', str(path))
        run_all = importlib.util.module_from_spec(
            importlib.util.spec_from_loader('run_all', loader))
        loader.exec_module(run_all)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source = folder / 'gcov/tree/kmod'
            source.mkdir(parents=True)
            (source / 'a.gcda').write_bytes(b'numbers')
            (source / 'a.gcno').symlink_to('/nonexistent')
            (folder / 'gcov/reset').write_text('')
            run_all.copy_gcov(folder / 'copy', folder / 'gcov')
            copies = [path for path in (folder / 'copy').rglob('*') if not path.is_dir()]
            self.assertEqual(copies, [folder / 'copy/tree/kmod/a.gcda'])
            self.assertEqual(copies[0].read_bytes(), b'numbers')

    def test_coverage_takes_no_names(self):
        done = dev('test', '--coverage', 'faults.py')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, '0 passed, 1 failed'))
        self.assertIn('--coverage takes no names', done.stderr)

    def test_coverage_counts_on_its_own_kernel(self):
        done = dev('test', '--coverage', '--kcsan-kernel')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, '0 passed, 1 failed'))
        self.assertIn('--coverage has a kernel of its own', done.stderr)
        for words, kernel, runs in (((), 'gcov', ['a.py']), (('--unit',), 'gcov', []),
                                    (('--kernel-dir', '/'), '', ['a.py'])):
            options = arguments.parse('test', ['--coverage', *words])[0]
            with self.subTest(words), mock.patch.multiple(
                    tests, guest_programs=lambda *_: ['a.py'], unit=mock.DEFAULT,
                    prepare=mock.DEFAULT, in_guests=mock.DEFAULT, coverage=mock.DEFAULT,
                    packages=mock.DEFAULT, modules=mock.DEFAULT) as fakes:
                fakes['coverage'].KERNEL = coverage.KERNEL
                fakes['coverage'].judge.return_value = []
                tests.with_coverage(options, counting.Tally(), None)
                self.assertEqual(options.built_kernel, kernel)
                self.assertEqual([call.args[2] for call in fakes['in_guests'].mock_calls],
                                 [runs] if runs else [])
                self.assertEqual(fakes['coverage'].add_modules.called, bool(runs))

    def test_a_kernel_must_be_able_to_count(self):
        with tempfile.TemporaryDirectory() as name:
            config = pathlib.Path(name) / '.config'
            for text in ('', '# CONFIG_GCOV_KERNEL is not set\n'):
                config.write_text(text)
                with self.assertRaisesRegex(shell.Failure, 'CONFIG_GCOV_KERNEL'):
                    modules.counting_variables(name)
            config.write_text('CONFIG_GCOV_KERNEL=y\n')
            self.assertEqual(modules.counting_variables(name),
                             ['GCOV_PROFILE=y', 'KCFLAGS=-fno-early-inlining'])


if __name__ == '__main__':
    unittest.main()
