# SPDX-License-Identifier: GPL-2.0
"""Tests of the options and words of ./dev."""

import contextlib
import io
import unittest
from unittest import mock

import main
import shell
import testing


class Arguments(unittest.TestCase):
    def test_options_come_before_the_words(self):
        options = main.parse(['test', '--long', '--kernel', '6.1', 'a.py', '--unit'])
        self.assertEqual((options.long, options.unit, options.kernels, options.words),
                         (True, False, ['6.1'], ['a.py', '--unit']))
        self.assertEqual(main.parse(['test', '--yes', '--', '--unit']).words, ['--unit'])
        options = main.parse(['test', '--full'])
        self.assertEqual((options.kernels, options.words, options.long), ([], [], True))

    def test_wrong_options_and_words_are_rejected_before_anything_is_done(self):
        for words in (
                'test --kernel', 'test --kernel 5.10', 'test --kernel-dir',
                'test --kernel-dir /nonexistent', 'test --quick',
                'test --kernel-dir / --debug-kernel', 'test --unit --kernel 6.1',
                'test --unit --kcsan-kernel', 'test --arch sparc',
                'test --arch armhf --kernel 6.1', 'test --arch armhf --unit',
                'test --arch armhf --long', 'test --full --arch armhf', 'vm --timeout soon',
                'vm --icount --arch armhf', 'mutants --seed', 'lint --long', 'demo a', 'build a',
                'modules a', 'docs a', 'package a', 'bench a', 'lint a', 'packages a',
                'mutants a', 'vm --timeout 9', 'vm --arch s390x --hardware', 'tset'):
            with self.subTest(words), mock.patch.object(shell, 'start') as start, \
                    self.assertRaises(shell.Failure):
                options = main.parse(words.split())
                options.run(options)
            start.assert_not_called()

    def test_an_error_names_the_command_and_what_is_accepted(self):
        done = testing.dev('lint', 'layer')
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertRegex(done.stderr, '^./dev: lint: .* layer; there are: .* layers ')

    def test_help_is_shown(self):
        for words, line in (([], 'usage: ./dev '), (['help'], 'usage: ./dev '),
                            (['help', 'lint'], 'usage: ./dev lint '),
                            (['test', '--long', '-h'], 'usage: ./dev test ')):
            with contextlib.redirect_stdout(io.StringIO()) as shown, \
                    self.assertRaises(SystemExit) as ended:
                main.main(words)
            self.assertEqual(ended.exception.code, 0)
            self.assertTrue(shown.getvalue().startswith(line))
