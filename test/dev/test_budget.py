#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the time and the seeds of ./dev test."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import arguments  # noqa: E402
import budget  # noqa: E402
import counting  # noqa: E402
import guests  # noqa: E402
import lint  # noqa: E402
import shell  # noqa: E402
import tests  # noqa: E402


class Budget(unittest.TestCase):
    def test_each_part_of_a_long_run_is_planned_and_no_other(self):
        guests = tests.guest_programs(arguments.Options(long=True), [])
        fuzzers = (shell.ROOT / 'test/fuzz').glob('*.cpp')
        self.assertEqual(set(budget.parse(budget.FILE.read_text())), {
            'build', 'unit', 'guests', 'user-mode guests', 'other architectures', 'mutants', 'costs', 'fresh',
            'packages', 'site', 'report page', 'live page', 'live ports',
            *(f'guest {program.name}' for program in guests),
            *(f'fuzz {source.stem}' for source in fuzzers),
            *(f'lint {name}' for name in lint.CHECKS)})

    def test_all_parts_together_fit(self):
        self.assertLess(sum(budget.parse(budget.FILE.read_text()).values()), 80 * 60)

    def test_a_plan_that_cannot_be_read_is_rejected(self):
        self.assertEqual(budget.parse('# minutes\n\n  12  fuzz tags # slow\n3 fresh\n'),
                         {'fuzz tags': 12, 'fresh': 3})
        for text in ('12', 'fresh 12', '-1 fresh', '1.5 fresh', '1 fresh\n2 fresh'):
            with self.subTest(text), self.assertRaises(ValueError):
                budget.parse(text)

    def test_parts_that_take_longer_are_reported(self):
        clock = budget.Clock()
        for name, seconds in (('unit', 12), ('guest a.py', 7), ('guest a.py', 3), ('new', 2)):
            clock.add(name, seconds)
        self.assertEqual(clock.report({'unit': 12, 'guest a.py': 5, 'fresh': 1}), [
            '21 s, 18 s planned on two idle cores', 'guest a.py: 7 s, 5 s planned',
            'new: 2 s, not planned'])

    def test_the_time_of_a_part_that_fails_counts(self):
        clock = budget.Clock()
        with self.assertRaises(shell.Failure), clock.part('unit'):
            raise shell.Failure('ctest')
        self.assertIn('unit', clock.parts)

    def test_programs_of_guests_have_their_seconds(self):
        self.assertEqual(counting.seconds('running a.py\nfailed a.py: not ok 1\n1 1 0 a.py 12.5\n'
                                          'running b.py\n'), {'a.py': 12.5})


class Seed(unittest.TestCase):
    def test_the_environment_decides_before_the_commit(self):
        with mock.patch.dict(os.environ, {'MACSTATS_SEED': '77'}):
            self.assertEqual(budget.seed(), 77)
            self.assertEqual(tests.effort(arguments.Options())['MACSTATS_SEED'], '77')

    @unittest.skipUnless(shutil.which('git'), 'git is not installed')
    def test_the_commit_decides_otherwise(self):
        def git(*words):
            return subprocess.run(['git', '-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b',
                                   *words], check=True, capture_output=True, text=True).stdout

        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.dict(os.environ, {'MACSTATS_SEED': ''}), \
                mock.patch.object(budget, 'ROOT', folder):
            self.assertEqual(budget.seed(), 1)
            git('init', '-q')
            self.assertEqual(budget.seed(), 1)
            for message in ('one', 'two'):
                git('commit', '-q', '--allow-empty', '-m', message)
                self.assertEqual(budget.seed(), int(git('rev-parse', 'HEAD')[:7], 16))

    def test_a_slow_fuzzer_states_its_inputs(self):
        for full, text, inputs in ((False, '// A fuzzer\n', 12_500), (True, '', 2_000_000),
                                   (False, '// A\n// inputs: 5000\n', 5000),
                                   (True, '// A\n// inputs: 5000\n', 800_000)):
            self.assertEqual(tests.fuzz_inputs(arguments.Options(full=full), text), inputs)

    def test_a_long_run_builds_for_two_other_architectures_and_has_a_guest_of_one(self):
        def found(seed, full=False):
            return tests.other_architectures_of(arguments.Options(full=full), seed)
        self.assertEqual([found(seed) for seed in range(8, 13)], [
            (['armhf', 'arm64'], ['armhf']), (['s390x', 'arm64'], ['s390x']),
            (['armhf', 'mipsel'], ['armhf']), (['s390x', 'mipsel'], ['s390x']),
            (['armhf', 'arm64'], ['armhf'])])
        self.assertEqual(found(8, full=True),
                         (['arm64', 'armhf', 'mipsel', 's390x'], ['armhf', 's390x']))

    def test_a_full_run_is_a_long_run(self):
        options, _ = arguments.parse('test', ['--full'])
        self.assertEqual(tests.effort(options) | {'MACSTATS_SEED': ''}, {
            'MACSTATS_LONG': 'yes', 'MACSTATS_FULL': 'yes', 'MACSTATS_SEED': ''})

    def test_packages_are_tested_with_the_effort_of_the_run(self):
        for word, full in (('--long', ''), ('--full', 'yes')):
            options, _ = arguments.parse('test', [word])
            with self.subTest(word), mock.patch.object(tests.packages, 'need'), \
                    mock.patch.object(tests, 'run') as run:
                tests.installed_packages(options, counting.Tally())
                self.assertEqual(run.call_args.args[0][-1], 'test/packages/run')
                environment = run.call_args.kwargs['env']
                self.assertEqual((environment['MACSTATS_LONG'], environment['MACSTATS_FULL']),
                                 ('yes', full))


if __name__ == '__main__':
    unittest.main()
