# SPDX-License-Identifier: GPL-2.0
"""Tests of test/vm: the library of guest tests, and the kernels that are built. test/vm/selftest
tests the runner."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

TEST = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(TEST / folder) for folder in ('dev', 'vm', 'vm/lib')]
import capture  # noqa: E402
import cli  # noqa: E402
import counting  # noqa: E402
import deadline  # noqa: E402
import ports  # noqa: E402
import readers  # noqa: E402
import rtnl  # noqa: E402
import shell  # noqa: E402
import tap  # noqa: E402
import testing  # noqa: E402
import tests  # noqa: E402


def loaded(name):
    """A program of test/vm"""
    loader = importlib.machinery.SourceFileLoader(name, str(shell.ROOT / 'test/vm' / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Library(unittest.TestCase):
    """Of guest tests"""

    def test_an_old_kernel_leaves_out_numbers_and_names_of_ports_and_nothing_else(self):
        text = 'PORT_NSECS: ... is out of range: 0 to 9223372036854775807'
        for version, text, found, absent in (
                ((6, 1), 'PORT_VALUE: ... is out of range: 0 to ...',
                 ('PORT_VALUE', r'\b0x7\b', '0x[0-9a-f]+', '0 to 0x7|0 to 7', 'out of'), ('PORT_X',)),
                ((6, 12), 'PORT_VALUE: 0x9 is out of range', ('0x9',), ('0x8', '4711')),
                ((6, 1), '... is already linked to ...: unlink it first',
                 ('mac0', r'\bmac0 is already linked to mac1\b'), ('unlink mac',)),
                ((6, 1), text, (), ('PORT_FAULT', r'0 to 7\b', 'PORT_FAULT: 0x8')),
                ((6, 1), 'PORT_FAULT: 0 is no fault', (), ('4711',))):
            with mock.patch.object(ports, 'KERNEL_VERSION', version):
                for words, expected in (found, True), (absent, False):
                    for word in words:
                        self.assertEqual(ports.says(text, word), expected, word)

    def test_a_counter_that_differs_from_the_capture_is_named(self):
        reader = mock.Mock(port='eth0', table={'rx': 'GPRC', 'rx_errors': 'ROC + RUC'},
                           before={'rx': 100, 'rx_errors': 7})
        counts = capture.Counts()
        counts.in_qemu['ROC'] = 3
        for errors, differences in ((10, []),
                                    (15, ['eth0 rx_errors (ROC + RUC): 8, expected 3'])):
            reader.values.return_value = {'rx': 100, 'rx_errors': errors}
            self.assertEqual(list(readers.Reader.differences(reader, counts)), differences)

    def test_a_condition_and_a_process_that_hang_are_failures(self):
        def start(*command):
            return subprocess.Popen(command, stdout=subprocess.PIPE)

        def limits(slow):
            return mock.patch.multiple(deadline, slowness=lambda: slow)
        with mock.patch.object(tap, 'HANG_SECONDS', 1e-9), \
                mock.patch.object(cli, 'HANG_SECONDS', 1e-9):
            with limits(1), self.assertRaisesRegex(tap.Failure, 'not within 1e-09 s: the end'):
                tap.wait_for(lambda: False, 'the end')
            with limits(1), start('sleep', '1000') as process, \
                    self.assertRaises(subprocess.TimeoutExpired):
                cli.finish(process)
            self.assertEqual(process.returncode, -signal.SIGKILL)
            # A slow machine has more time.
            answers = iter([False, False, 'yes'])
            with limits(1e12), start('sh', '-c', 'sleep 0.2; echo end') as process:
                self.assertEqual(tap.wait_for(lambda: next(answers), 'the end'), 'yes')
                self.assertEqual(cli.finish(process), (b'end\n', None))


class Holds(unittest.TestCase):
    def test_a_hold_of_rtnl_beyond_50_ms_is_a_problem_of_its_program(self):
        for usecs, problem in ((50000, '^$'), (50001, 'a.py held RTNL for 50001 us'),
                               (0, 'no call was seen')):
            self.assertRegex(rtnl.beyond_limit(usecs, 'a.py'), problem)

    def test_what_the_tracing_did_not_count_is_a_problem(self):
        # As Linux 6.12 prints them.
        profile = ('  taken                                                   1842               0\n'
                   '  called                                                    36               {}\n')
        histogram = 'Totals:\n    Hits: 645\n    Entries: 78\n    Dropped: {}\n'
        for missed, dropped, problem in (
                (0, 0, ''), (2, 0, '0 tasks had no room, 2 probes were missed'),
                (0, 7, '7 tasks had no room, 0 probes were missed')):
            self.assertEqual(rtnl.losses(profile.format(missed), [histogram.format(dropped)]),
                             problem)


    def test_a_hold_that_is_too_long_fails_the_run_and_is_counted_as_one_failure(self):
        run_all = loaded('run-all')
        for problem, total in (
                ('too long', counting.Tally(1, 1, failures=['6.1 rtnl: too long'])),
                ('', counting.Tally(2))):
            holds = mock.Mock(problem=lambda problem=problem: problem)
            with testing.programs({'a.py': 'echo 1..1; echo ok 1'}) as folder:
                counts = folder / 'counts'
                with mock.patch.multiple(run_all, LongestHold=lambda _, holds=holds: holds,
                                         modules_in_guest=mock.DEFAULT), \
                        mock.patch('signal.signal'), \
                        mock.patch('sys.argv', ['run-all', '--rtnl', '--counts', str(counts),
                                                str(folder / 'a.py')]), \
                        contextlib.redirect_stdout(io.StringIO()):
                    status = run_all.main()
                # A name would not repeat it.
                self.assertEqual(tests.judged(status, tests.programs_in(
                    counts, '6.1 ', './dev test'), '6.1'), total)


class Guest(unittest.TestCase):
    def test_each_guest_has_a_processor_as_long_as_there_are_some(self):
        guest, kept = loaded('guest'), []
        first = 100_000 * os.getpid()   # no machine has so many

        with mock.patch.multiple(
                guest.os, sched_getaffinity=lambda _: {first + 1, first},
                sched_setaffinity=lambda _, wanted: kept.extend(wanted)):
            with guest.take_processor(), guest.take_processor(), guest.take_processor():
                pass
            with guest.take_processor():
                pass
        self.assertEqual(kept, [first, first + 1, first])

    def test_a_guest_whose_machine_ends_during_the_boot_has_not_booted(self):
        guest = loaded('guest')
        for console, started, booted in (
                ('', False, False), ('[    0.1] Linux version 6.12\n', False, False), ('', True, True),
                ('[    0.2] Kernel panic - not syncing: no init\n', False, True)):
            with self.subTest(console=console, started=started), \
                    tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / 'console.log').write_text(console)
                (folder / 'ctl').mkdir()
                if started:
                    (folder / 'ctl/started').touch()
                self.assertEqual(guest.booted(folder), booted)


class Kernels(unittest.TestCase):
    def test_an_option_that_a_kernel_lacks_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            config, fragment = (pathlib.Path(folder, name) for name in ('config', 'fragment'))
            config.write_text('CONFIG_KASAN=y\nCONFIG_NR_CPUS=8\n# CONFIG_SMP is not set\n'
                              'CONFIG_WLAN=y\nCONFIG_KASAN_STACKS=y\n')
            for text, status, missing in (
                    ('# CONFIG_FOO=y is a comment\nCONFIG_KASAN=y\nCONFIG_SMP=n\n', 0, []),
                    ('CONFIG_NR_CPUS=4\nCONFIG_WLAN=n\nCONFIG_KASAN_STACK=y\n', 1, [
                        'CONFIG_NR_CPUS=4 (it is: CONFIG_NR_CPUS=8)',
                        'CONFIG_WLAN=n (it is: CONFIG_WLAN=y)',
                        'CONFIG_KASAN_STACK=y (it is: unknown, or needs others)'])):
                fragment.write_text(text)
                done = subprocess.run(['test/vm/kernel', 'check', config, fragment], check=False,
                                      cwd=shell.ROOT, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr.splitlines()[1:]), (status, missing))
