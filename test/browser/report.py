#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The page of `macstats run --report` in headless Chromium: it keeps its own policy, loads nothing,
fits a narrow screen, can be read in light and dark, and its filter works.

report.py COMMAND [--pictures FOLDER]: the macstats command; the folder gets pictures of the page
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from browser import SCHEMES, Browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTHS = 360, 1200
GIVEN = argparse.Namespace()

FAILS = {
    'name': 'a failure <b>with</b> marks & "signs"', 'reference': 'SPRUH73H 14.3.2.20, table 14-1',
    'devices': {'mac': {'model': 'cpsw'}},
    'steps': [
        {'send': {'port': 'mac', 'direction': 'rx', 'kind': 'pause', 'destination': 'multicast',
                  'count': 3}},
        {'advance': {'seconds': 1.5}},
        {'expect': {'port': 'mac', 'totals': {'rx_pause_frames': 3, 'rx_good_frames': 2}}},
        {'expect': {'port': 'mac', 'totals': {'rx_multicast_frames': 3}}}]}


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        scenario = pathlib.Path(cls.folder.name) / 'fails.json'
        scenario.write_text(json.dumps(FAILS))
        cls.page = pathlib.Path(cls.folder.name) / 'report.html'
        subprocess.run([GIVEN.command, 'run', ROOT / 'test/scenario/rc32438', scenario, '--report',
                        cls.page], check=False, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        cls.browser = Browser()
        cls.browser.show(WIDTHS[1])
        cls.browser.open(cls.page.as_uri())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def open_all(self, is_open=True):
        self.browser.run('document.querySelectorAll("details").forEach(it => it.open = '
                         f'{json.dumps(is_open)})')

    def test_a_picture_of_it(self):
        """First, by its name: the page as it opens."""
        self.assertTrue(self.browser.run('return document.title').startswith(
            'macstats run: 1 of '))
        if not GIVEN.pictures:
            return
        GIVEN.pictures.mkdir(parents=True, exist_ok=True)
        for width in WIDTHS:
            for scheme in SCHEMES:
                self.browser.show(width, scheme)
                self.browser.driver.save_screenshot(
                    str(GIVEN.pictures / f'{scheme}-{width}.png'))
        self.browser.run('document.querySelector(".scenario.failed details").open = true;'
                         'document.querySelector(".scenario.failed").scrollIntoView()')
        for width in WIDTHS:
            self.browser.show(width)
            self.browser.driver.save_screenshot(str(GIVEN.pictures / f'line-{width}.png'))

    def test_it_asks_for_nothing_and_breaks_no_rule_of_its_policy(self):
        self.assertEqual(set(self.browser.requests()) - {self.page.as_uri()}, set())
        self.assertEqual(self.browser.complaints(), [])
        # Its style sheet is in use: a browser's own has no maximum width.
        self.assertEqual(self.browser.run('return getComputedStyle(document.body).maxWidth'),
                         '1120px')

    def test_it_fits_a_narrow_screen(self):
        self.open_all()
        for width in WIDTHS:
            self.browser.show(width)
            self.assertLessEqual(self.browser.examine('overflow'), 0)

    def test_each_text_can_be_read_in_light_and_dark(self):
        self.open_all()
        backgrounds = set()
        for scheme in SCHEMES:
            self.browser.show(WIDTHS[1], scheme)
            self.assertEqual(self.browser.examine('pale'), [], scheme)
            self.assertGreater(self.browser.examine('seen'), 1000)
            backgrounds.add(self.browser.run('return getComputedStyle(document.body).'
                                             'backgroundColor'))
        self.assertEqual(len(backgrounds), 2)

    def test_pale_text_would_be_noticed(self):
        self.browser.show(WIDTHS[1], 'light')
        self.browser.run('document.querySelector("h2").style.color = "#aaa"')
        self.assertEqual([name for _, name, _ in self.browser.examine('pale')], ['h2.'])
        self.browser.run('document.querySelector("h2").style.color = ""')

    def test_the_filter_shows_the_scenarios_that_failed(self):
        shown = ('return [...document.querySelectorAll(".scenario")].filter('
                 'it => it.offsetParent).length')
        everything = self.browser.run(shown)
        self.assertGreater(everything, 50)
        self.browser.run('document.querySelector("label[for=only-failed]").click()')
        self.assertEqual(self.browser.run(shown), 1)
        self.browser.run('document.querySelector("label[for=only-passed]").click()')
        self.assertEqual(self.browser.run(shown), everything - 1)
        self.browser.run('document.querySelector("label[for=only-all]").click()')
        self.assertEqual(self.browser.run(shown), everything)

    def test_a_time_line_opens_and_ends_at_the_failure(self):
        self.open_all(False)
        self.browser.run('document.querySelector(".scenario.failed summary").click()')
        self.assertEqual(self.browser.run(
            'return [...document.querySelectorAll(".time li")].filter(it => it.checkVisibility())'
            '.map(it => it.className)'), ['ran', 'ran', 'failed', 'left'])


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('command', type=pathlib.Path)
    parser.add_argument('--pictures', type=pathlib.Path)
    GIVEN, others = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *others])
