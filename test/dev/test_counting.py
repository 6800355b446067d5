#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the counts of ./dev test."""

import sys
import unittest

sys.dont_write_bytecode = True
import counting  # noqa: E402
import tests  # noqa: E402


def again(name):
    return f"ctest --test-dir build/default -R '^{name}$'"


class Counting(unittest.TestCase):
    def test_boost_programs_count_as_their_cases(self):
        self.assertEqual(counting.unit_tests('''
            <testcase name="unit.a" status="run">
              <system-out>&lt;TestSuite
              test_cases_passed=&quot;7&quot; test_cases_passed_with_warnings=&quot;1&quot; \
              test_cases_failed=&quot;2&quot; test_cases_skipped=&quot;3&quot;
              </system-out>
            </testcase>
        '''),
                         counting.Tally(8, 2, 3, ['unit.a'], [again('unit.a')]))

    def test_other_programs_count_as_one(self):
        self.assertEqual(counting.unit_tests('''
            <testcase name="a" status="run"></testcase>
            <testcase name="b" status="fail"><failure message="x"/></testcase>
            <testcase name="c" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
            <testcase name="d" status="disabled"></testcase>
        '''), counting.Tally(1, 1, 2, ['b'], [again('b')]))

    def test_a_program_that_dies_after_its_report_has_failed(self):
        self.assertEqual(counting.unit_tests('''
            <testcase name="a" status="fail">
              test_cases_passed="5" test_cases_failed="0"
            </testcase>'''), counting.Tally(5, 1, 0, ['a'], [again('a')]))

    def test_a_test_that_did_not_start_has_failed(self):
        self.assertEqual(counting.unit_tests(
            '<testcase name="a" status="notrun">\n</testcase>'),
                         counting.Tally(0, 1, 0, ['a'], [again('a')]))

    def test_counts_of_guest_programs_add_up(self):
        self.assertEqual(counting.programs('running a.py\n3 0 1 a.py\nrunning b.py\n'
                                           'failed b.py: not ok 3 - x\n2 1 0 b.py\n', '6.1 '),
                         counting.Tally(5, 1, 1, ['6.1 b.py: not ok 3 - x']))

    def test_a_guest_program_that_never_ends_has_failed(self):
        self.assertEqual(counting.programs('3 0 0 a.py\nrunning b.py\n'),
                         counting.Tally(3, 1, 0, ['b.py: never ended']))

    def test_a_guest_program_that_fails_shows_how_to_repeat_it(self):
        total = counting.programs(
            'running a.py\n3 0 1 a.py\nrunning b.py\nfailed b.py: x\n2 1 0 b.py\nrunning c.py\n',
            '6.1 ', './dev test --kernel 6.1')
        self.assertEqual(total.repeats, ['./dev test --kernel 6.1 b.py',
                                         './dev test --kernel 6.1 c.py'])

    def test_a_guest_that_crashes_after_failures_is_one_more(self):
        for status, failed in ((0, 0), (1, 2), (1, 0), (126, 0), (126, 2), (139, 2)):
            with self.subTest(status=status, failed=failed):
                total = tests.judged(status, counting.Tally(5, failed), '6.1 the guest')
                crashed = status > 1 or bool(status and not failed)
                self.assertEqual((total.failed, total.failures), (
                    failed + crashed, [f'6.1 the guest ended with status {status}'] * crashed))

    def test_no_counts_are_zero(self):
        self.assertEqual(counting.programs(''), counting.Tally())

    def test_the_last_line_is_exact(self):
        self.assertEqual(str(counting.Tally(12, 0)), '12 passed, 0 failed')
        self.assertEqual(str(counting.Tally(12, 3, 1)), '12 passed, 3 failed, 1 skipped')


if __name__ == '__main__':
    unittest.main()
