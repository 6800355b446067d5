#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the options and words of ./dev."""

import contextlib
import io
import re
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import arguments  # noqa: E402
import guests  # noqa: E402
import lint  # noqa: E402
import main  # noqa: E402
import module_mutants  # noqa: E402
import mutant_sample  # noqa: E402
import packages  # noqa: E402
import parts  # noqa: E402
import shell  # noqa: E402
import testing  # noqa: E402
import tests  # noqa: E402


class Arguments(unittest.TestCase):
    def test_options_come_before_the_words(self):
        options, words = arguments.parse('test', ['--long', '--kernel', '6.1', 'faults.py',
                                                  '--unit'])
        self.assertTrue(options.long)
        self.assertFalse(options.unit)
        self.assertEqual(options.kernels, ['6.1'])
        self.assertEqual(words, ['faults.py', '--unit'])

    def test_each_command_shows_the_help(self):
        for words in (['--help'], ['-h'], *([name, '--help'] for name in main.COMMANDS),
                      ['test', '-h'], ['test', '--long', '--help']):
            with self.subTest(words), \
                    contextlib.redirect_stdout(io.StringIO()) as shown:
                self.assertEqual(main.main(words), 0)
                self.assertEqual(shown.getvalue(), main.__doc__ + '\n')

    def test_both_kernels_are_the_default(self):
        self.assertEqual(arguments.parse('test', [])[0].kernels, ['6.1', '6.12'])

    def test_a_kernel_that_checks_itself_is_chosen_by_its_option(self):
        self.assertEqual(arguments.parse('test', [])[0].built_kernel, '')
        for name in ('debug', 'user-mode', 'user-mode-smp', 'kcsan'):
            options, words = arguments.parse('test', [f'--{name}-kernel', 'faults.py'])
            self.assertEqual((options.built_kernel, words), (name, ['faults.py']))
            self.assertEqual(guests.use_one_kernel(options), name)

    def test_an_architecture_takes_the_place_of_a_kernel(self):
        options = arguments.parse('vm', ['--arch', 's390x'])[0]
        self.assertEqual((options.kernels, guests.use_one_kernel(options)), (['s390x'], 's390x'))
        self.assertEqual(arguments.parse('test', ['--all-arch'])[0].kernels,
                         ['arm64', 'armhf', 'mipsel', 's390x'])
        for words, error in ((['--arch', 'sparc'], '--arch needs arm64 or armhf or mipsel or s390x, '
                                                   'not sparc'),
                             (['--arch'], '--arch needs arm64 or armhf or mipsel or s390x'),
                             (['--arch', 'armhf', '--kernel', '6.1'], 'choose --arch or --kernel'),
                             (['--all-arch', '--unit'], 'choose --all-arch or --unit'),
                             (['--long', '--arch', 'armhf'], 'choose --arch or --long'),
                             (['--coverage', '--all-arch'], 'choose --all-arch or --coverage')):
            with self.subTest(words), self.assertRaisesRegex(shell.Failure, f'^{error}$'):
                arguments.parse('test', words)

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

    # Each command uses these. All take --yes: ./dev itself may have to install Python.
    KERNEL = {'--kernel', '--kernel-dir', '--debug-kernel', '--user-mode-kernel',
              '--user-mode-smp-kernel', '--kcsan-kernel'}
    ALL = KERNEL | {'--arch', '--all-arch'}
    USED = {'demo': KERNEL, 'test': ALL | {'--long', '--full', '--unit', '--coverage'},
            'vm': KERNEL | {'--arch', '--hardware', '--icount', '--timeout'}, 'build': ALL,
            'modules': ALL, 'package': set(), 'packages': set(), 'bench': {'--renew'},
            'docs': set(),
            'lint': set(), 'mutants': {'--seed', '--count', '--long-mutants'}, 'clean': set(),
            'help': set()}
    VALUES = {'--kernel': ['6.1'], '--kernel-dir': ['/'], '--seed': ['3'], '--count': ['5'],
              '--timeout': ['9'], '--arch': ['armhf']}

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
        done = testing.dev('packages', '--long', 'kernel')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, '', './dev: packages has no option --long; it has: --yes\n'))
        done = testing.dev('mutants', '--coverage')
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
                ('test', '--debug-kernel', '--user-mode-kernel'),
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
        text = testing.dev('help').stdout
        self.assertEqual(testing.dev().stdout, text)
        for name in [*main.COMMANDS, *lint.CHECKS, *packages.GROUPS, *parts.PARTS]:
            self.assertIn(name, text)
        for words, known in (('or one of:(.*?)./dev mutants', lint.CHECKS),
                             ('  parts  (.*?)./dev vm', parts.PARTS)):
            self.assertEqual(sorted(re.search(words, text, re.DOTALL)[1].split()), sorted(known))

    def test_a_wrong_command_fails_and_prints_the_help(self):
        done = testing.dev('tset')
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertIn('./dev: no such command: tset', done.stderr)

    def test_a_wrong_test_name_counts_as_a_failure(self):
        done = testing.dev('test', 'no_such_test.py')
        self.assertEqual((done.returncode, done.stdout), (
            1, 'failed: not all tests were run\n0 passed, 1 failed\n'))
        self.assertIn('./dev: no such test: no_such_test.py', done.stderr)

    def test_unit_tests_have_no_names(self):
        done = testing.dev('test', '--unit', 'faults.py')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, '0 passed, 1 failed'))
        self.assertIn('--unit takes no names', done.stderr)

    def test_a_test_that_takes_long_says_so_near_its_head(self):
        self.assertTrue(tests.is_long('#!/bin/sh\n# long\n'))
        self.assertFalse(tests.is_long('#!/bin/sh\n# long ago\n'))
        self.assertFalse(tests.is_long('\n' * 40 + '# long\n'))


if __name__ == '__main__':
    unittest.main()
