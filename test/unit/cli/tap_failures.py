#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A failed comparison of the guest tests prints the differences in short lines, whatever it
compares: reports of scenarios have a hundred thousand characters."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'vm/lib'))

import tap  # noqa: E402


def report(**changes):
    scenarios = [{'name': f'scenario {i}', 'outcome': 'passed'} for i in range(1000)]
    for index, outcome in changes.items():
        scenarios[int(index[1:])]['outcome'] = outcome
    return {'scenarios': scenarios, 'passed': 1000}


class Failures(unittest.TestCase):
    def failure(self, actual, expected, what='reports'):
        with self.assertRaises(tap.Failure) as caught:
            tap.expect_equal(actual, expected, what)
        lines = str(caught.exception).splitlines()
        self.assertLessEqual(max(map(len, lines)), 400, lines)
        self.assertLessEqual(len(lines), 40)
        return lines

    def test_what_is_equal_passes(self):
        tap.expect_equal((0, report(), ''), (0, report(), ''))

    def test_only_the_differences_of_reports_are_printed(self):
        lines = self.failure((1, report(s7='failed'), ''), (0, report(), ''))
        self.assertEqual(lines, [
            'reports: they differ at:', '[0]: 1, expected 0',
            "[1]['scenarios'][7]['outcome']: 'failed', expected 'passed'"])

    def test_a_long_list_that_should_be_empty_is_cut(self):
        lines = self.failure(report()['scenarios'], [])
        self.assertIn('1000 elements, expected 0', lines[1])

    def test_of_many_differences_the_first_are_printed(self):
        lines = self.failure(list(range(5000)), list(range(1, 5001)))
        self.assertEqual(lines[1], '[0]: 0, expected 1')
        self.assertRegex(lines[-1], r'^\.\.\. and \d+ more differences$')

    def test_of_texts_the_first_line_that_differs_is_printed(self):
        lines = self.failure('a\nb\n' + 'c' * 100_000, 'a\nx\n')
        self.assertEqual(lines[1], "line 2: 'b', expected 'x'")

    def test_short_values_stay_on_one_line(self):
        self.assertEqual(self.failure((2, ''), (0, ''), 'exit'),
                         ["exit: (2, ''), expected (0, '')"])

    def test_no_line_of_a_failure_is_long(self):
        self.assertEqual(tap.cut('x' * 1000), 'x' * 1000)
        self.assertEqual(tap.cut('x' * 100_000), 'x' * 1000 + '... (100000 characters)')

    def test_of_dictionaries_only_the_differences_are_printed(self):
        self.assertEqual(self.failure({'a': 1, 'b': 2}, {'a': 1, 'b': 3, 'c': 4}, 'totals'),
                         ['totals', 'b: 2, expected 3', 'c: missing, expected 4'])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
