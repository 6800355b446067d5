# SPDX-License-Identifier: GPL-2.0
"""Tests of the options and words of ./dev."""

import contextlib
import io
import re
import unittest
from unittest import mock

import arguments
import lint
import main
import packages
import parts
import shell
import testing


class Arguments(unittest.TestCase):
    def test_options_come_before_the_words(self):
        options, words = arguments.parse('test', ['--long', '--kernel', '6.1', 'a.py', '--unit'])
        self.assertEqual((options.long, options.unit, options.kernels, words),
                         (True, False, ['6.1'], ['a.py', '--unit']))
        self.assertEqual(arguments.parse('test', ['--yes', '--', '--unit'])[1], ['--unit'])
        options, words = arguments.parse('test', [])
        self.assertEqual((options.kernels, options.built_kernel, words), (['6.1', '6.12'], '', []))
        self.assertTrue(arguments.parse('test', ['--full'])[0].long)

    def test_wrong_options_are_rejected_by_their_names(self):
        for command, *words in (
                ('test', '--kernel'), ('test', '--kernel', '5.10'), ('test', '--kernel-dir'),
                ('test', '--kernel-dir', '/nonexistent'), ('test', '--quick'),
                ('test', '--kernel-dir', '/', '--debug-kernel'), ('test', '--unit', '--kernel', '6.1'),
                ('test', '--unit', '--kcsan-kernel'), ('test', '--arch', 'sparc'),
                ('test', '--arch', 'armhf', '--kernel', '6.1'), ('test', '--arch', 'armhf', '--unit'),
                ('test', '--arch', 'armhf', '--long'), ('test', '--full', '--arch', 'armhf'),
                ('vm', '--timeout', 'soon'), ('vm', '--icount', '--arch', 'armhf'),
                ('mutants', '--seed'), ('lint', '--long')):
            with self.subTest(command=command, words=words), \
                    self.assertRaisesRegex(shell.Failure, f'^{command}: '):
                arguments.parse(command, words)

    def test_wrong_words_are_rejected_before_anything_is_done(self):
        for command, *words in (('demo', 'a'), ('build', 'a'), ('modules', 'a'), ('clean', 'a'),
                                ('docs', 'a'), ('package', 'a'), ('bench', 'a'), ('lint', 'a'),
                                ('packages', 'a'), ('mutants', 'a'), ('vm', '--timeout', '9'),
                                ('vm', '--arch', 's390x', '--hardware')):
            with self.subTest(command), mock.patch.object(shell, 'start') as start, \
                    self.assertRaises(shell.Failure):
                main.COMMANDS[command](*arguments.parse(command, words))
            start.assert_not_called()

    def test_the_help_of_a_command_has_the_options_that_it_accepts(self):
        text, kernel = main.__doc__.split('\nKERNEL is one of')
        kernel = kernel.partition('\n\n')[0]
        named = {'help': set()}
        for section in re.split(r'^\./dev ', text, flags=re.MULTILINE)[1:]:
            found = named.setdefault(section.split()[0], set())
            found.update(re.findall(r'--[a-z-]+', section))
            if re.search(r'\bKERNEL\b', section):
                found.update(re.findall(r'--[a-z-]+', kernel))
        self.assertEqual(named, {
            command: {each for action in arguments.parser_of(command)._actions
                      for each in action.option_strings} - {'--yes'} for command in main.COMMANDS})

    def test_help_is_shown_and_lists_everything(self):
        for words in ['--help'], ['help'], ['test', '--long', '-h']:
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                self.assertEqual(main.main(words), 0)
                self.assertEqual(shown.getvalue(), main.__doc__ + '\n')
        for words, known in (('or one of:(.*?)./dev mutants', lint.CHECKS),
                             ('  parts  (.*?)./dev vm', parts.PARTS),
                             ('or of these:(.*?)./dev lint', packages.GROUPS)):
            self.assertEqual(sorted(re.search(words, main.__doc__, re.DOTALL)[1].split()),
                             sorted(known))
        done = testing.dev('tset')
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertIn('./dev: no such command: tset', done.stderr)
