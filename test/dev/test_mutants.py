# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev mutants."""

import contextlib
import io
import pathlib
import tempfile
import unittest
from unittest import mock

import mutants
from shell import Failure


def lines(text):
    """The lines that change, as they become."""
    return [mutant.of(text).strip() for mutant in mutants.mutants_of('a.c', text)]


class Changes(unittest.TestCase):
    def test_each_operator(self):
        for text, changed in (
                ('if (a < b)', ['if (a <= b)']), ('if (a && !b)', ['if (a || !b)', 'if (a && b)']),
                ('x = a + 0x0f;', ['x = a - 0x0f;', 'x = a + 16;', ';']),
                ('x |= 1u;', ['x &= 1u;', 'x |= 2u;', ';']), ('p->n++;', ['p->n--;']),
                ('return true;', ['return false;']), ('call(p, *q);', [';'])):
            with self.subTest(text):
                self.assertEqual(sorted(lines(f'\t{text}\n')), sorted(changed))

    def test_what_is_no_code_of_a_function_stays(self):
        for text in ('/* a + 1 */', '// 1', '"a + 1"', "'1'", '#if A > 1', '#define A \\\n 1 + 1',
                     'static_assert(A == 1);', 'u8 *p;', 'std::vector<int> v;', 'char *c = a;',
                     'int x1;', 'return 0644;', 'p->a;', 'return f(x);'):
            with self.subTest(text):
                self.assertEqual(lines(f'\t{text}\n'), [])

    def test_a_survivor_is_described_by_its_place_and_both_lines(self):
        text = 'int f(int a)\n{\n\treturn a\n\t\t+ 1;\n}\n'
        self.assertEqual([mutant.describe(text) for mutant in mutants.mutants_of('a.c', text)],
                         [['a.c:4', '-\t\t+ 1;', '+\t\t- 1;'], ['a.c:4', '-\t\t+ 1;', '+\t\t+ 2;']])


class Verdicts(unittest.TestCase):
    def test_the_commands_judge_each_change_and_the_tests_without_one(self):
        text = '\tx = 1;\n'
        sample = [mutants.Mutant('a.c', 5, 6, new) for new in '2345']
        commands = [(['grep', '-qv', '2', 'a.c'], True), (['grep', '-qv', '3', 'a.c'], False),
                    (['sh', '-c', '! grep -q 4 a.c || sleep 60'], False)]
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(mutants, 'TREE', pathlib.Path(folder)), \
                contextlib.redirect_stdout(io.StringIO()) as output:
            mutants.try_all(sample, {'a.c': text}, commands, 1)
            self.assertEqual(pathlib.Path(folder, 'a.c').read_text(), text)
            with self.assertRaisesRegex(Failure, 'without any change'):
                mutants.seconds_of([(['false'], False)])
        self.assertEqual([line.split()[1] for line in output.getvalue().splitlines()
                          if line.startswith('[')],
                         ['invalid:', 'killed:', 'killed:', 'survived:'])
        self.assertIn('2 killed, 1 survived, 1 do not build', output.getvalue())


class Words(unittest.TestCase):
    def test_words_are_folders_of_unit_tests_or_guest_programs(self):
        self.assertIn('wraps.py', mutants.tests_of([], ['kmod/provider/poll.c'])[1])
        self.assertIn('accumulator', mutants.tests_of([], ['shared/macstats/frame.h'])[0])
        for wrong, why in ('acumulator', 'no such'), ('registers.py', 'registers.py cannot run'):
            with self.subTest(wrong), self.assertRaisesRegex(Failure, why):
                mutants.tests_of([wrong], ['a.c'])
