#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the output and the child processes of ./dev, and of these tests' runner."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import shell  # noqa: E402


class Output(unittest.TestCase):
    def test_progress_is_thinned_and_estimated_and_all_else_is_shown(self):
        now = [0.0]
        progress = shell.Progress(clock=lambda: now[0])
        shown = []
        for now[0], line in enumerate(['ninja: Entering directory', '[1/99] a.o', 'x.c:1: warning',
                                       *[f'[{n}/99] b.o' for n in range(2, 20)], 'FAILED: c.o',
                                       'ninja: build stopped: subcommand failed.']):
            shown.append(progress.shown(line))
        # 9 of 99 steps in 10 s: the other 90 take 100 s; 19 in 20 s: 80 in 84 s.
        self.assertEqual(list(filter(None, shown)), [
            'x.c:1: warning', '[9/99, about 100 s left] b.o', '[19/99, about 84 s left] b.o',
            'FAILED: c.o', 'ninja: build stopped: subcommand failed.'])

    def test_progress_stays_on_one_line_of_a_terminal(self):
        now = [0.0]
        progress = shell.Progress(30, lambda: now[0])
        self.assertEqual(progress.shown('[1/9] a.o\n'), f'{shell.CLEAR}[1/9] a.o')
        now[0] = 4
        self.assertEqual(progress.shown('[4/9] some/long/name.o\n'),
                         f'{shell.CLEAR}[4/9, about 5 s left] some/lo')
        self.assertEqual(progress.shown('x.c:1: warning\n'), f'{shell.CLEAR}x.c:1: warning\n')
        self.assertEqual(progress.end(), shell.CLEAR)

    def test_a_signal_ends_the_children(self):
        program = ('import sys; sys.path.insert(0, sys.argv[1]); import shell; '
                   'shell.end_on_signals(); child = shell.start(["sleep", "60"]); '
                   'print(child.pid, flush=True); shell.finish(child)')
        with subprocess.Popen([sys.executable, '-B', '-c', program,
                               pathlib.Path(__file__).parent], stdout=subprocess.PIPE) as process:
            child = int(process.stdout.readline())
            time.sleep(0.3)  # ./dev waits for the child now
            started = time.monotonic()
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(20), 128 + signal.SIGTERM)
        with self.assertRaises(ProcessLookupError):
            os.kill(child, 0)
        self.assertLess(time.monotonic() - started, shell.STOP_SECONDS)


    def test_no_child_starts_once_a_signal_ends_them(self):
        program = ('import sys, threading; sys.path.insert(0, sys.argv[1]); import shell\n'
                   'shell.end_on_signals()\n'
                   'told = threading.Event()\n'
                   'def more():\n'
                   '    shell.run(["sleep", "60"])\n'
                   '    try: shell.run(["echo", "another"])\n'
                   '    except shell.Failure as error: print(error, flush=True)\n'
                   '    told.set()\n'
                   # A join() that a signal interrupts takes the thread for ended, so that
                   # the interpreter does not wait for it (CPython, bpo-45274).
                   'try:\n'
                   '    thread = threading.Thread(target=more); thread.start()\n'
                   '    print("ready", flush=True); thread.join()\n'
                   'finally: told.wait(20)')
        with subprocess.Popen([sys.executable, '-B', '-c', program,
                               pathlib.Path(__file__).parent], stdout=subprocess.PIPE,
                              text=True) as process:
            self.assertEqual(process.stdout.readline(), 'ready\n')
            while not subprocess.run(['pgrep', '-P', str(process.pid)], check=False,
                                     capture_output=True).stdout:
                pass
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.stdout.read(), 'echo: not started, ./dev is ending\n')
            self.assertEqual(process.wait(20), 128 + signal.SIGTERM)

    def test_a_signal_ends_the_program_that_run_all_runs(self):
        with tempfile.TemporaryDirectory() as name:
            program = pathlib.Path(name) / 'program'
            program.write_text('#!/bin/sh\necho $$\nexec sleep 60\n')
            program.chmod(0o755)
            with subprocess.Popen([shell.ROOT / 'test/vm/run-all', program], text=True,
                                  stdout=subprocess.PIPE) as process:
                self.assertEqual(process.stdout.readline(), '==> program\n')
                child = int(process.stdout.readline())
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(20), 128 + signal.SIGTERM)
            with self.assertRaises(ProcessLookupError):
                os.kill(child, 0)


class Runner(unittest.TestCase):
    def test_a_new_file_of_tests_is_run_without_being_named(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = shutil.copy(pathlib.Path(__file__).parent / 'test_dev.py', folder)
            for name, body in (('test_a', 'pass'), ('test_new', 'self.fail()')):
                pathlib.Path(folder, f'{name}.py').write_text(
                    f'import unittest\nclass Case(unittest.TestCase):\n'
                    f'    def test_it(self):\n        {body}\n')
            done = subprocess.run([sys.executable, '-B', runner], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn('Ran 2 tests', done.stderr)
            self.assertIn('FAIL: test_it (test_new.Case', done.stderr)
            pathlib.Path(folder, 'test_new.py').write_text('import nonexistent\n')
            self.assertNotEqual(subprocess.run([sys.executable, '-B', runner], check=False,
                                               capture_output=True).returncode, 0)


if __name__ == '__main__':
    unittest.main()
