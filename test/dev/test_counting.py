# SPDX-License-Identifier: GPL-2.0
"""Tests of the counts and the verdict of ./dev test: nothing that fails counts as passed."""

import unittest

import counting
import testing
import tests
from counting import Tally


class Counting(unittest.TestCase):
    def test_a_report_of_ctest(self):
        for text, counts in (
                # A program of Boost counts as its cases, another one as one.
                ('status="run">&lt;TestSuite\ntest_cases_passed=&quot;7&quot; '
                 'test_cases_passed_with_warnings=&quot;1&quot; test_cases_failed=&quot;2&quot; '
                 'test_cases_skipped=&quot;3&quot;\n', (8, 2, 3)),
                ('status="run">', (1, 0, 0)),
                ('status="fail"><failure message="x"/>', (0, 1, 0)),
                ('status="notrun">\n<skipped message="SKIP_RETURN_CODE=77"/>', (0, 0, 1)),
                ('status="disabled">', (0, 0, 1)),
                # It died after its report.
                ('status="fail">\ntest_cases_passed="5" test_cases_failed="0"\n', (5, 1, 0)),
                # It did not start.
                ('status="notrun">\n', (0, 1, 0))):
            with self.subTest(text):
                total = counting.unit_tests(f'<testcase name="unit.a" {text}</testcase>')
                self.assertEqual((total.passed, total.failed, total.skipped), counts)
                self.assertEqual(total.failures, ['unit.a'] if counts[1] else [])

    def test_guest_programs_add_up_and_one_that_never_ends_has_failed(self):
        total = counting.programs(
            'running a.py\n3 0 1 a.py\nrunning b.py\nfailed b.py: x\n2 1 0 b.py\nrunning c.py\n',
            '6.1 ', './dev test --kernel 6.1')
        self.assertEqual(total, Tally(5, 2, 1, ['6.1 b.py: x', '6.1 c.py: never ended'],
                                      [f'./dev test --kernel 6.1 {name}.py' for name in 'bc']))
        self.assertEqual(counting.programs(''), Tally())

    def test_a_guest_that_crashes_after_failures_is_one_more(self):
        for status, failed in ((0, 0), (1, 2), (1, 0), (126, 0), (126, 2), (139, 2)):
            with self.subTest(status=status, failed=failed):
                total = tests.judged(status, Tally(5, failed), 'the guest')
                self.assertEqual(total.failed,
                                 failed + (status > 1 or bool(status and not failed)))

    def test_the_last_line_is_exact_and_a_run_without_a_test_fails(self):
        self.assertEqual(str(Tally(12, 3, 1)), '12 passed, 3 failed, 1 skipped')
        done = testing.dev('test', 'no_such_test.py')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, '0 passed, 1 failed'))
        self.assertIn('no such test', done.stderr)
