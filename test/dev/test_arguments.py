# SPDX-License-Identifier: GPL-2.0
"""Tests of the options and words of ./dev."""

import unittest
from unittest import mock

import main
import shell
import testing


class Arguments(unittest.TestCase):
    def test_options_come_before_the_words(self):
        options = main.parse(['test', '--long', '--kernel', '6.1', 'a.py', '--full'])
        self.assertEqual((options.long, options.full, options.kernels, options.words),
                         (True, False, ['6.1'], ['a.py', '--full']))
        self.assertEqual(main.parse(['test', '--yes', '--', '--full']).words, ['--full'])
        self.assertEqual(main.parse(['lint', '--', 'layers']).words, ['layers'])
        options = main.parse(['test', '--full'])
        self.assertEqual((options.kernels, options.words, options.long), ([], [], True))
        self.assertEqual(main.parse(['vm', 'ls']).kernels, ['6.12'])

    def test_wrong_options_and_words_are_rejected_before_anything_is_done(self):
        for words in (
                'test --kernel', 'test --kernel 5.10: .*6.1', 'test --kernel-dir',
                'test --kernel-dir /no: .*no such folder: /no', 'test --quick: .* --quick$',
                'test --kernel-dir / --debug-kernel', 'test --arch sparc',
                'test --arch armhf --kernel 6.1', 'vm --timeout 9: .* a command',
                'test --arch armhf --long: another architecture goes without --long',
                'test --full --arch armhf: ano', 'vm --timeout soon', 'vm --icount --arch armhf',
                'mutants --seed', 'lint --long', 'demo a', 'build a', 'modules a',
                'docs a: unrecognized .* a$', 'package a: .* but rpm',
                'bench a: no such part: a; there are: native ', 'packages a: .* group .* there are',
                'lint -- a: no such check: a; .* layers ', 'mutants: no file is named',
                'bench-driver: .* there are: 8139cp alx', 'bench-driver a: .* there are: 8139cp',
                'bench-driver --kernel-dir /usr igc: /usr is no kernel tree',
                'bench-driver --renew --kernel-dir /: --renew is for'):
            words, _, why = words.partition(': ')
            with self.subTest(words), mock.patch.object(shell, 'start') as start, \
                    self.assertRaisesRegex(shell.Failure, f'^{words.split()[0]}: {why}'):
                options = main.parse(words.split())
                options.run(options)
            start.assert_not_called()

    def test_an_error_names_the_command(self):
        for words, why in ((['tset'], ".*'tset'"), (['lint', 'layer'], 'lint: no such check: ')):
            done = testing.dev(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ''))
            self.assertRegex(done.stderr, f'^./dev: {why}')
