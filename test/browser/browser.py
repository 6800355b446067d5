# SPDX-License-Identifier: GPL-2.0
"""Headless Chromium, and what the tests of pages ask a page in it."""

import json
import os
import pathlib
import shutil
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

EXAMINE = pathlib.Path(__file__).with_name('examine.js').read_text(encoding='utf-8')
SCHEMES = 'light', 'dark'
HEIGHT = 900


class Browser:
    def __init__(self):
        options = Options()
        options.binary_location = '/usr/bin/chromium'
        for word in ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                     '--disable-extensions', '--disable-background-networking'):
            options.add_argument(word)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
        self.home = tempfile.mkdtemp()
        self.driver = webdriver.Chrome(
            service=Service('/usr/bin/chromedriver', env=os.environ | {'HOME': self.home}),
            options=options)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.home, ignore_errors=True)

    def open(self, address):
        self.driver.get(address)

    def show(self, width, scheme=SCHEMES[0], motion='no-preference'):
        self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
            'width': width, 'height': HEIGHT, 'deviceScaleFactor': 1, 'mobile': False})
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': [
            {'name': 'prefers-color-scheme', 'value': scheme},
            {'name': 'prefers-reduced-motion', 'value': motion}]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def examine(self, question):
        """The answer of a function of examine.js: 'pale', 'overflow', ..."""
        if not self.run('return Boolean(window.examine)'):
            self.run(EXAMINE)
        return self.run(f'return examine.{question}()')

    def complaints(self):
        """The messages on the console since the last call."""
        return [entry['message'] for entry in self.driver.get_log('browser')]

    def requests(self):
        """The addresses of the requests since the last call."""
        for entry in self.driver.get_log('performance'):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                yield message['params']['request']['url']
