#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""`macstats show` on a terminal has colours and marks; NO_COLOR, TERM=dumb and a pipe have none.

colours.py FOLDER: the folder of the programs with a fake kernel
"""
import contextlib
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'fake_kernel'))

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

    def start(self, output, **environment):
        known = {name: value for name, value in self.kernel.environment.items()
                 if name != 'NO_COLOR'} | {'TERM': 'xterm-256color'}
        return subprocess.Popen([self.kernel.folder / 'fake-macstats-cli', 'show'],
                                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
                                env=known | environment)

    def on_terminal(self, **environment):
        master, slave = pty.openpty()
        with open(master, 'rb', buffering=0) as terminal, \
                self.start(slave, **environment) as process:
            os.close(slave)
            text = b''
            with contextlib.suppress(OSError):  # EIO: the last writer has ended
                while octets := terminal.read(4096):
                    text += octets
            self.assertEqual((process.wait(60), process.stderr.read()), (0, b''))
        return text.decode().replace('\r\n', '\n')

    def in_pipe(self, **environment):
        with self.start(subprocess.PIPE, **environment) as process:
            return process.communicate(timeout=60)[0].decode()

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

    def test_a_pipe_and_a_file_have_neither_colours_nor_marks(self):
        piped = self.in_pipe()
        self.assertIn('\n  rx_crc_errors ', piped)
        self.assertNotRegex(piped, '[\x1b!]')
        self.assertNotIn('kframes', piped)
        self.assertEqual(self.in_pipe(NO_COLOR='1'), piped)
        with tempfile.TemporaryFile() as file:
            with self.start(file) as process:
                self.assertEqual(process.wait(60), 0)
            file.seek(0)
            self.assertEqual(file.read().decode(), piped)


if __name__ == '__main__':
    FOLDER = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
