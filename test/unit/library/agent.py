#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The agent of docs/library.md: its lines, and what it prints of ports that come and go.

agent.py FOLDER: the folder of the programs with a fake kernel
"""
import pathlib
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'test/fake_kernel'))

from fake_kernel import FakeKernel, wait_for  # noqa: E402

FOLDER = ''
MOST_LINES = 40


class Agent(unittest.TestCase):
    def setUp(self):
        self.kernel = FakeKernel(FOLDER)
        self.addCleanup(self.kernel.close)

    def start(self):
        """The lines that the agent has printed, which become more."""
        process = subprocess.Popen(
            [self.kernel.folder / 'fake-agent'], env=self.kernel.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        lines = []
        reader = threading.Thread(
            target=lambda: lines.extend(line.rstrip('\n') for line in process.stdout))
        reader.start()
        self.addCleanup(process.stdout.close)
        self.addCleanup(reader.join)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return lines

    def test_the_documentation_has_its_lines(self):
        source = (ROOT / 'test/consumer/agent.cpp').read_text(encoding='utf-8')
        code = source[source.index('#include'):]
        self.assertIn(f'```cpp\n{code}```\n',
                      (ROOT / 'docs/library.md').read_text(encoding='utf-8'))
        self.assertLessEqual(code.count('\n'), MOST_LINES)

    def test_ports_come_and_go(self):
        self.kernel.add('mac0', totals={'rx_good_frames': 3, 'tx_good_frames': 2 ** 64 - 1},
                        saturated={'rx_good_frames': 1})
        lines = self.start()
        wait_for(lambda: 'rtnl/tx_packets 18446744073709551615 exact' in lines, 'the first port')
        self.assertEqual(lines[0], 'mac0')
        self.assertIn('rx_good_frames 3 at_least', lines)
        self.assertIn('rtnl/rx_packets 3 at_least', lines)
        self.assertIn('rx_pause_frames 0 exact', lines)
        self.kernel.ports.clear()
        self.kernel.add('mac1', stale_reason='no snapshot')
        wait_for(lambda: 'mac1 stale no snapshot' in lines, 'the second port')
        self.assertNotIn('mac0', lines[lines.index('mac1 stale no snapshot'):])

    def test_a_name_writes_no_control_characters(self):
        self.kernel.add('a\x1b[31m')
        lines = self.start()
        wait_for(lambda: 'a\\x1b[31m' in lines, 'the port')

    def test_without_the_module_it_ends(self):
        self.kernel.unload()
        done = subprocess.run([self.kernel.folder / 'fake-agent'], env=self.kernel.environment,
                              stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn('no netlink family', done.stderr)


if __name__ == '__main__':
    FOLDER = sys.argv.pop(1)
    unittest.main()
