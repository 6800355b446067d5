#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The page of `macstats run --report` in headless Chromium: it keeps its own policy, loads nothing,
fits a narrow screen, can be read in light and dark, and its filter works.

report.py COMMAND [--pictures FOLDER]: the macstats command; the folder gets pictures of the page
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST = 4.5  # WCAG 2.1, 1.4.3
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

# The contrast of each text that is shown with the first opaque background behind it.
PALE = '''
const channels = colour => colour.match(/[\\d.]+/g).map(Number);
const luminance = colour => {
    const [r, g, b] = channels(colour).slice(0, 3).map(value => value / 255).map(
        part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = element => {
    for (; element; element = element.parentElement) {
        const colour = getComputedStyle(element).backgroundColor;
        if ((channels(colour)[3] ?? 1) === 1)
            return colour;
    }
    return 'rgb(255, 255, 255)';
};
const found = new Map();
let seen = 0;
for (const element of document.body.querySelectorAll('*')) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
        continue;
    seen++;
    const style = getComputedStyle(element);
    const [low, high] = [luminance(style.color), luminance(behind(element))].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < arguments[0])
        found.set(element.tagName + '.' + element.className, ratio);
}
return [seen, [...found]];
'''


class Browser:
    def __init__(self):
        options = Options()
        options.binary_location = '/usr/bin/chromium'
        for word in ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'):
            options.add_argument(word)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
        self.home = tempfile.mkdtemp()
        self.driver = webdriver.Chrome(
            service=Service('/usr/bin/chromedriver', env=os.environ | {'HOME': self.home}),
            options=options)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.home, ignore_errors=True)

    def show(self, width, scheme='light'):
        self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
            'width': width, 'height': 900, 'deviceScaleFactor': 1, 'mobile': False})
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {
            'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def requests(self):
        for entry in self.driver.get_log('performance'):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                yield message['params']['request']['url']


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
        cls.browser.driver.get(cls.page.as_uri())

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
            for scheme in ('light', 'dark'):
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
        self.assertEqual(self.browser.driver.get_log('browser'), [])
        # Its style sheet is in use: a browser's own has no maximum width.
        self.assertEqual(self.browser.run('return getComputedStyle(document.body).maxWidth'),
                         '1120px')

    def test_it_fits_a_narrow_screen(self):
        self.open_all()
        for width in WIDTHS:
            self.browser.show(width)
            self.assertLessEqual(
                self.browser.run('return document.documentElement.scrollWidth'), width)

    def test_each_text_can_be_read_in_light_and_dark(self):
        self.open_all()
        backgrounds = set()
        for scheme in ('light', 'dark'):
            self.browser.show(WIDTHS[1], scheme)
            seen, pale = self.browser.run(PALE, LEAST)
            self.assertGreater(seen, 1000)
            self.assertEqual(pale, [], scheme)
            backgrounds.add(self.browser.run('return getComputedStyle(document.body).'
                                             'backgroundColor'))
        self.assertEqual(len(backgrounds), 2)

    def test_pale_text_would_be_noticed(self):
        self.browser.show(WIDTHS[1], 'light')
        self.browser.run('document.querySelector("h2").style.color = "#aaa"')
        self.assertEqual([name for name, _ in self.browser.run(PALE, LEAST)[1]], ['H2.'])
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
