# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev bench-driver and docs/drivers; those in guests: test/vm/tests/driver_pages.py."""

import contextlib
import io
import json
import unittest
from unittest import mock

import bench_driver
import bench_drivers
from bench_drivers import DRIVERS, defects_of
from shell import BUILD

DEFECTS = json.loads(bench_drivers.DEFECTS.read_text())['defects']
SOURCE = BUILD / 'kernel/user-mode-source'
REPORT_LINES = 10


class DriverOfItsOwnGuest(unittest.TestCase):
    """hibmcge, whose reports by the kernel are in its page"""
    PAGE = bench_driver.pages()['hibmcge']
    KASAN = 'BUG: KASAN: global-out-of-bounds in stats_put_rmon_hist'
    REPORTS = ('[    3.1] WARNING: suspicious RCU usage', '[    3.1] Call Trace:',
               f'[    4.0] {KASAN}+0x12/0x34')

    def failures(self, page, reports, status):
        """Of a guest that ends so"""
        text = '\n'.join(["---- in the guest's kernel log", *reports, '---- the first of them', ''])
        guest = mock.Mock()
        guest.communicate.return_value = page, text if reports else ''
        with mock.patch.multiple(bench_driver.shell, start=lambda *_, **__: guest,
                                 finish=lambda _: status), \
                mock.patch.object(bench_driver.guests, 'command'), \
                contextlib.redirect_stdout(io.StringIO()):
            counts = bench_driver.page_test(None, DRIVERS['hibmcge'])
        self.assertEqual(counts.passed + counts.failed, 1)
        return ' '.join(counts.failures)

    def test_the_reports_of_its_page_are_what_the_kernel_reports(self):
        self.assertEqual(self.failures(self.PAGE, self.REPORTS, 126), '')

    def test_a_report_that_is_missing_is_a_failure(self):
        without = self.PAGE.replace(f'* `{self.KASAN}`\n', '')
        self.assertIn(f'-* `{self.KASAN}`', self.failures(without, self.REPORTS[:2], 126))
        self.assertIn(f'-* `{self.KASAN}`', self.failures(without, (), 0))

    def test_another_report_is_a_failure(self):
        self.assertIn('Oops', self.failures(self.PAGE, [*self.REPORTS, '[    5.0] Oops: 0'], 126))

    def test_a_guest_that_ends_otherwise_is_a_failure(self):
        self.assertIn('ends with 125', self.failures(self.PAGE, self.REPORTS, 125))


class Pages(unittest.TestCase):
    def test_the_table_of_all_drivers_is_that_of_their_pages(self):
        self.assertEqual(bench_driver.README.read_text(), bench_driver.readme(bench_driver.pages()))

    def test_a_report_of_each_defect_is_short(self):
        for name, page in bench_driver.pages().items():
            reports = [part.split('```\n')[1] for part in page.split('## Report: ')[1:]]
            self.assertEqual(len(reports), len(defects_of(name)), name)
            for report in reports:
                self.assertLessEqual(len(report.splitlines()), REPORT_LINES, report)
                self.assertNotIn('does not show it', report)

    @unittest.skipUnless(SOURCE.exists(), 'no source of the kernel is here')
    def test_source_lines_are_those_of_the_kernel_that_the_pages_name(self):
        version = (SOURCE / 'version').read_text().split('-')[0]
        for name in DRIVERS:
            page = (bench_driver.PAGES / f'{name}.md').read_text()
            if f'Linux {version},' not in page:
                self.skipTest(f'the pages are those of another kernel than {version}')
            for defect in DEFECTS:
                if defect['driver'] != name or 'line' not in defect:
                    continue
                path, number = defect['source'].split(':')
                lines = (SOURCE / path).read_text().splitlines()
                self.assertEqual(lines[int(number) - 1].strip(), defect['line'], defect)
