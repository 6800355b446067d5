#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the output and the child processes of ./dev, and of these tests' runner."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import modules  # noqa: E402
import shell  # noqa: E402
import testing  # noqa: E402, F401 # pylint: disable=unused-import # the path of test/vm/lib

from deadline import HANG_SECONDS  # noqa: E402


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
            'x.c:1: warning', '[9/99, about 100 s left] b.o\n', '[19/99, about 84 s left] b.o\n',
            'FAILED: c.o', 'ninja: build stopped: subcommand failed.'])

    def test_a_line_of_progress_is_short_where_there_is_no_terminal(self):
        now = [0.0]
        progress = shell.Progress(clock=lambda: now[0])
        now[0] = 10
        self.assertEqual(progress.shown(f'[1/2] c++ {"x" * 900}\n'),
                         f'[1/2, about 10 s left] c++ {"x" * 73}\n')

    def test_progress_stays_on_one_line_of_a_terminal(self):
        now = [0.0]
        progress = shell.Progress('', 30, clock=lambda: now[0])
        self.assertEqual(progress.shown('[1/9] a.o\n'), f'{shell.CLEAR}[1/9] a.o')
        now[0] = 4
        self.assertEqual(progress.shown('[4/9] some/long/name.o\n'),
                         f'{shell.CLEAR}[4/9, about 5 s left] some/lo')
        self.assertEqual(progress.shown('x.c:1: warning\n'), f'{shell.CLEAR}x.c:1: warning\n')
        self.assertEqual(progress.end(), shell.CLEAR)

    def test_progress_of_apt_get_is_estimated_for_each_part(self):
        now = [0.0]
        progress = shell.Progress('all', 60, clock=lambda: now[0])
        shown = []
        for now[0], line in ((0, 'dlstatus:1:0.0:Retrieving file 1 of 2\n'),
                             (4, 'dlstatus:2:40.4:Retrieving file 2 of 2\n'),
                             (10, 'dlstatus:2:100:Retrieving file 2 of 2\n'),
                             (20, 'pmstatus:hello:10:Unpacking hello\n'),
                             (24, 'pmstatus:hello:50:Configuring hello\n')):
            shown.append(progress.shown(line).removeprefix(shell.CLEAR))
        self.assertEqual(shown[1:], [
            '[40 %, about 6 s left] Retrieving file 2 of 2', '[10 s] all',
            '[10 %] Unpacking hello', '[50 %, about 4 s left] Configuring hello'])

    def test_time_that_passes_is_progress(self):
        """Without a share, an estimate follows from the last run; a late one has none."""
        for columns, expected in (
                (0, {10: '[10 s, about 15 s left] site\n', 20: '[20 s, about 5 s left] site\n',
                     30: '[30 s] site\n'}),
                (80, {second: shell.CLEAR + f'[{second} s' +
                      (f', about {25 - second} s left' if second < 25 else '') + '] site'
                      for second in range(1, 31)})):
            now = [0.0]
            progress = shell.Progress('site', columns, 25, lambda: now[0])
            shown = {}
            for now[0] in range(31):
                shown[now[0]] = progress.tick()
            self.assertEqual({second: text for second, text in shown.items() if text}, expected)

    def test_a_share_is_shown_again_while_nothing_happens(self):
        now = [0.0]
        progress = shell.Progress('all', clock=lambda: now[0])
        now[0] = 10
        self.assertEqual(progress.shown('[1/3] a.o\n'), '[1/3, about 20 s left] a.o\n')
        now[0] = 19
        self.assertEqual(progress.tick(), '')
        now[0] = 20
        self.assertEqual(progress.tick(), '[1/3, about 10 s left] a.o\n')
        now[0] = 31
        progress.shown('[3/3] c.o\n')
        now[0] = 41
        self.assertEqual(progress.tick(), '[41 s] all\n')

    def test_a_signal_ends_the_children(self):
        program = ('import sys; sys.path.insert(0, sys.argv[1]); import shell; '
                   'shell.STOP_SECONDS = 1000; '  # it does not wait for this time
                   'shell.end_on_signals(); child = shell.start(["sleep", "1000"]); '
                   'print(child.pid, flush=True); shell.finish(child)')
        with subprocess.Popen([sys.executable, '-B', '-c', program,
                               pathlib.Path(__file__).parent], stdout=subprocess.PIPE) as process:
            child = int(process.stdout.readline())
            status = pathlib.Path(f'/proc/{process.pid}/stat')
            while status.read_text().rpartition(')')[2].split()[0] != 'S':
                pass  # it does not wait for its child yet
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(HANG_SECONDS), 128 + signal.SIGTERM)
        with self.assertRaises(ProcessLookupError):
            os.kill(child, 0)

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
                   f'finally: told.wait({HANG_SECONDS})')
        with subprocess.Popen([sys.executable, '-B', '-c', program,
                               pathlib.Path(__file__).parent], stdout=subprocess.PIPE,
                              text=True) as process:
            self.assertEqual(process.stdout.readline(), 'ready\n')
            while not subprocess.run(['pgrep', '-P', str(process.pid)], check=False,
                                     capture_output=True).stdout:
                pass
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.stdout.read(), 'echo: not started, ./dev is ending\n')
            self.assertEqual(process.wait(HANG_SECONDS), 128 + signal.SIGTERM)

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
                self.assertEqual(process.wait(HANG_SECONDS), 128 + signal.SIGTERM)
            with self.assertRaises(ProcessLookupError):
                os.kill(child, 0)


class Steps(unittest.TestCase):
    """Steps with a build folder of their own, and a short time until they announce themselves."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, value in (('BUILD', self.folder / 'build'), ('QUIET_SECONDS', 0.2),
                            ('TICK_SECONDS', 0.1), ('PROGRESS_SECONDS', 0.5),
                            ('ESTIMATE_SECONDS', 0.5)):
            patch = mock.patch.object(shell, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def output(self, function, *arguments, **options):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            function(*arguments, **options)
        return output.getvalue()

    def step(self, text, **options):
        return self.output(shell.step, 'work', ['sh', '-c', text], **options)

    def step_until(self, pattern, *lines, **options):
        """The output of a step that prints lines again and again, and ends when it matches."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            def command(hear):
                end = time.monotonic() + HANG_SECONDS
                while not re.search(pattern, output.getvalue()) and time.monotonic() < end:
                    for line in lines:
                        hear(line)
                    time.sleep(0.01)
                return 0, ''
            shell.step('work', command, **options)
        return output.getvalue()

    def test_a_short_step_prints_nothing(self):
        with mock.patch.object(shell, 'QUIET_SECONDS', 60):
            self.assertEqual(self.step('echo "[1/2] a.o"'), '')

    def test_a_step_that_prints_no_progress_prints_its_seconds(self):
        text = self.step_until(r'(\[\d+ s\] work\n){2}')
        self.assertRegex(text, r'^==> work\n(\[\d+ s\] work\n){2,}$')
        self.assertGreater(shell.seconds_of_steps()['work'], 0.5)

    def test_the_last_run_estimates_the_next_one(self):
        shell.keep_seconds('work', 1000)
        # The expectation of the caller counts for the first run only.
        text = self.step_until(' left', usual=5000)
        self.assertRegex(text, r'^==> work\n\[\d+ s, about 9\d\d s left\] work\n')

    def test_a_step_that_prints_its_share_keeps_no_time(self):
        text = self.step_until(' left', 'other\n', '[4/9] 4.o\n')
        self.assertRegex(text, r'^==> work\n(\[\d+ s\] work\n)*(\[4/9\] 4.o\n)*'
                               r'(\[4/9, about \d+ s left\] 4.o\n)+$')
        self.assertEqual(shell.seconds_of_steps(), {})

    def test_a_failed_step_prints_its_output_and_keeps_no_time(self):
        with contextlib.redirect_stdout(io.StringIO()) as output, \
                mock.patch.object(shell, 'QUIET_SECONDS', 60), \
                self.assertRaisesRegex(shell.Failure, '^failed: work$'):
            shell.step('work', ['sh', '-c', 'echo dlstatus:1:5:x; echo why >&2; exit 3'])
        self.assertEqual(output.getvalue(), 'why\n')
        self.assertEqual(shell.seconds_of_steps(), {})

    def test_a_command_is_followed_with_all_other_lines(self):
        text = self.output(shell.must_follow, 'kernel', [
            'sh', '-c', 'echo "==> $APT_PROGRESS"; '
                        'for n in $(seq 20); do sleep 0.1; echo dlstatus:1:30:file; done'])
        self.assertRegex(text, r'^==> yes\n(\[\d+ s\] kernel\n)*'
                               r'(\[30 %(, about \d+ s left)?\] file\n)+$')

    def test_files_that_kbuild_compiles_are_counted_and_its_messages_are_kept(self):
        tree = self.folder / 'tree'
        tree.mkdir()
        for name in ('a.c', 'b.c', 'a.mod.c', 'c.h'):
            (tree / name).touch()
        made = self.folder / 'make'
        made.write_text('#!/bin/sh\necho "  CC [M]  /tree/a.o"\n'
                        'echo "a.c:1:2: warning: x" >&2\necho "    1 |   CC = 1;" >&2\n'
                        'echo "  CC [M]  /tree/b.o"\necho "  LD [M]  /tree/m.o"\n'
                        'echo "  MODPOST Module.symvers"\necho "  CC [M]  /tree/m.mod.o"\n')
        made.chmod(0o755)
        heard = []
        with mock.patch.dict(os.environ, {'PATH': f'{self.folder}:{os.environ["PATH"]}'}):
            self.assertEqual(modules.kbuild('headers', tree, hear=heard.append),
                             (0, 'a.c:1:2: warning: x\n    1 |   CC = 1;\n'))
        self.assertEqual(heard, ['[1/2] a.o\n', '[2/2] b.o\n'])


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
