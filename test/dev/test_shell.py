# SPDX-License-Identifier: GPL-2.0
"""Tests of the output and the child processes of ./dev."""

import contextlib
import io
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import lint
import main
import modules
import shell
import testing

from deadline import HANG_SECONDS


class Output(unittest.TestCase):
    def test_a_failed_step_shows_its_output(self):
        with contextlib.redirect_stdout(io.StringIO()) as output, \
                self.assertRaisesRegex(shell.Failure, '^failed: work$'):
            shell.step('work', ['sh', '-c', 'echo why >&2; exit 3'])
        self.assertEqual(output.getvalue(), '==> work\nwhy\n')

    def test_a_warning_of_kbuild_fails_and_is_repeated_the_next_time(self):
        for text, status in (('', 0), ('kmod/a.c:1: warning: x', 1),
                             ('Skipping BTF generation for a.ko', 0)):
            with tempfile.TemporaryDirectory() as name, \
                    testing.programs({'make': f'echo "{text}" | grep . >&2; exit 0'}):
                tree = pathlib.Path(name)
                (tree / 'a.o').touch()
                self.assertEqual(modules.make_modules('headers', tree)[0], status)
                self.assertEqual((tree / 'a.o').exists(), not status)


class Signals(unittest.TestCase):
    def started(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        return process

    def ended(self, process, number, status, output=''):
        """A signal ends the process and its child, which has printed a line."""
        self.assertRegex(process.stdout.readline(), r'\d+')
        process.send_signal(number)
        self.assertEqual(process.wait(HANG_SECONDS), status)
        self.assertEqual(process.stdout.read(), output)  # to its end: nobody has it open

    def test_a_signal_ends_the_children_and_no_other_starts_and_a_run_prints_its_counts(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL:
            killed = number == signal.SIGKILL
            self.ended(self.started(sys.executable, '-B', '-c', '''
import concurrent.futures, sys; sys.path.insert(0, sys.argv[1]); import main, parts, shell
def everything(_, total):
    total.passed += 1
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        pool.map(shell.run, [["sh", "-c", "echo $$; exec sleep 1000"], ["echo", "another"]])
parts.everything = everything
shell.STOP_SECONDS = 1000  # it does not wait for this time
main.main(["test"])
''', pathlib.Path(__file__).parent), number, -number if killed else 128 + number, '' if killed else
                       'failed: not all tests were run\n1 passed, 1 failed\n')

    def test_no_signal_of_a_timer_comes_when_the_program_ends(self):
        with mock.patch.object(lint, 'lint') as run:  # its default action would end it
            main.main(['lint'])
        run.assert_called_once()
        self.assertEqual(signal.getitimer(signal.ITIMER_REAL), (0, 0))

    def test_a_program_that_is_missing_is_named(self):
        with self.assertRaisesRegex(shell.Failure, '^no-such-program: '):
            shell.run(['no-such-program'])

    def test_a_signal_ends_the_program_that_run_all_runs(self):
        with testing.programs({'program': 'echo $$\nexec sleep 60'}) as folder:
            process = self.started(shell.ROOT / 'test/vm/run-all', folder / 'program')
            self.assertEqual(process.stdout.readline(), '==> program\n')
            self.ended(process, signal.SIGTERM, 128 + signal.SIGTERM)
