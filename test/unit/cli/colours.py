#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""`macstats show` and `watch` on a terminal have colours and marks; NO_COLOR, TERM=dumb and a pipe
have none.

colours.py FOLDER: the folder of the programs with a fake kernel
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'test/browser'), str(ROOT / 'test/fake_kernel')]

import images  # noqa: E402
import terminal  # noqa: E402
from fake_kernel import FakeKernel  # noqa: E402

FOLDER = ''
# ECMA-48, 8.3.117: bold, faint, red; 0 ends all of them.
BOLD, FAINT, RED, END = '\x1b[1m', '\x1b[2m', '\x1b[1;31m', '\x1b[0m'


class Colours(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.kernel = FakeKernel(FOLDER)
        self.addCleanup(self.kernel.close)
        self.kernel.add('mac0', totals={'rx_good_frames': 20000, 'rx_crc_errors': 3})

    def environment(self, **changes):
        known = {name: value for name, value in self.kernel.environment.items()
                 if name != 'NO_COLOR'}
        return known | {'TERM': 'xterm-256color'} | changes

    def on_terminal(self, **changes):
        code, text, messages = terminal.run([self.kernel.folder / 'fake-macstats-cli', 'show'],
                                            self.environment(**changes))
        self.assertEqual((code, messages), (0, ''))
        return text

    def elsewhere(self, output, **changes):
        return subprocess.run([self.kernel.folder / 'fake-macstats-cli', 'show'], check=True,
                              stdin=subprocess.DEVNULL, stdout=output,
                              env=self.environment(**changes)).stdout

    def test_a_terminal_gets_colours(self):
        lines = self.on_terminal().splitlines()
        self.assertTrue(lines[0].startswith(f'{BOLD}mac0{END}: cpsw, '), lines[0])
        found = {re.sub('\x1b.*?m', '', line).lstrip(' !').split()[0]: line for line in lines[1:]}
        self.assertRegex(found['rx_crc_errors'], '^' + re.escape(RED) + r'! rx_crc_errors .*'
                         + re.escape(END) + '$')
        self.assertTrue(found['rx_octets'].startswith(f'{FAINT}  rx_octets '), found['rx_octets'])
        self.assertTrue(found['rx_good_frames'].startswith('  rx_good_frames '),
                        found['rx_good_frames'])
        self.assertIn('20.00 kframes', found['rx_good_frames'])

    def test_no_color_and_a_dumb_terminal_have_none(self):
        coloured = self.on_terminal()
        self.assertEqual(self.on_terminal(NO_COLOR=''), coloured)
        for environment in ({'NO_COLOR': '1'}, {'NO_COLOR': '0'}, {'TERM': 'dumb'}):
            with self.subTest(environment):
                plain = self.on_terminal(**environment)
                self.assertNotIn('\x1b', plain)
                # Colours are all that it lacks.
                self.assertEqual(plain, re.sub(r'\x1b\[[\d;]*m', '', coloured))
                self.assertIn('\n! rx_crc_errors ', plain)

    def watch(self, environment):
        code, text, messages = terminal.run(
            [self.kernel.folder / 'fake-macstats-cli', 'watch', '--interval', '1', '--count', '1'],
            self.environment(**environment))
        self.assertEqual((code, messages), (0, ''))
        return text

    def test_so_does_watch(self):
        for environment, coloured in (({}, True), ({'NO_COLOR': '1'}, False)):
            text = self.watch(environment)
            self.assertIn('! rx_crc_errors ', text)
            self.assertEqual(bool(re.search(r'\x1b\[[\d;]*m', text)), coloured, environment)

    def test_watch_draws_no_screen_on_a_dumb_terminal(self):
        self.assertNotIn('\x1b', self.watch({'TERM': 'dumb'}))

    def test_a_pipe_and_a_file_have_neither_colours_nor_marks(self):
        piped = self.elsewhere(subprocess.PIPE).decode()
        self.assertIn('\n  rx_crc_errors ', piped)
        self.assertNotRegex(piped, '[\x1b!]')
        self.assertNotIn('kframes', piped)
        self.assertEqual(self.elsewhere(subprocess.PIPE, NO_COLOR='1').decode(), piped)
        with tempfile.TemporaryFile() as file:
            self.elsewhere(file)
            file.seek(0)
            self.assertEqual(file.read().decode(), piped)

    def test_the_pictures_are_up_to_date(self):
        """test/browser/images.py makes them again."""
        for name, picture in images.DRAWN.items():
            self.assertEqual(picture(self.kernel.folder),
                             (ROOT / 'docs/images' / name).read_text(encoding='utf-8'), name)


if __name__ == '__main__':
    FOLDER = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
