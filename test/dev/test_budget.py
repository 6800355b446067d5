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
import parts  # noqa: E402
import shell  # noqa: E402
import tests  # noqa: E402


class Budget(unittest.TestCase):
    PLAN = budget.parse(budget.FILE.read_text())

    def test_each_part_is_planned_and_no_other(self):
        guests = tests.guest_programs(arguments.Options(long=True), [])
        self.assertEqual(set(self.PLAN), {'build', 'unit', 'guests', *parts.LINT, *parts.PARTS,
                                          *(f'guest {program.name}' for program in guests)})

    def test_a_long_run_of_any_commit_fits_in_40_minutes(self):
        for seed in range(len(parts.TURNS)):
            names = parts.parts_of(arguments.Options(long=True), seed)
            self.assertLess(sum(map(self.PLAN.get, ['build', 'unit', 'guests', *names])), 40 * 60)

    def test_a_plan_that_cannot_be_read_is_rejected(self):
        self.assertEqual(budget.parse('# minutes\n\n  12  fuzz tags # slow\n3 fresh\n'),
                         {'fuzz tags': 12, 'fresh': 3})
        for text in ('12', 'fresh 12', '-1 fresh', '1.5 fresh', '1 fresh\n2 fresh'):
            with self.subTest(text), self.assertRaises(ValueError):
                budget.parse(text)

    def test_parts_that_take_longer_are_reported(self):
        clock = budget.Clock()
        clock.parts = {'unit': 12, 'fresh': 7}
        self.assertEqual(clock.report({'unit': 12, 'fresh': 5, 'costs': 1}), [
            '19 s, 17 s planned on two idle cores', 'fresh: 7 s, 5 s planned'])

    def test_the_time_of_a_part_that_fails_counts(self):
        clock = budget.Clock()
        with self.assertRaises(shell.Failure), clock.part('unit'):
            raise shell.Failure('ctest')
        self.assertIn('unit', clock.parts)


class Seed(unittest.TestCase):
    def test_the_environment_decides_before_the_commit(self):
        with mock.patch.dict(os.environ, {'MACSTATS_SEED': '77'}):
            self.assertEqual(budget.seed(), 77)
            self.assertEqual(tests.effort(arguments.Options())['MACSTATS_SEED'], '77')

    def test_without_git_there_is_one_seed(self):
        with mock.patch.dict(os.environ, {'MACSTATS_SEED': '', 'PATH': ''}):
            self.assertEqual(budget.seed(), 1)

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
            self.assertEqual(parts.fuzz_inputs(arguments.Options(full=full), text), inputs)

    def test_a_long_run_has_the_parts_of_one_turn_and_a_full_run_all(self):
        options = arguments.Options(long=True)
        self.assertEqual([parts.parts_of(options, seed)[len(parts.ALWAYS):]
                          for seed in range(len(parts.TURNS))], list(parts.TURNS))
        full = parts.parts_of(arguments.Options(long=True, full=True), 5)
        self.assertEqual(full, [*parts.LINT, *parts.PARTS])
        self.assertLessEqual(set(parts.ALWAYS), set(full))

    def test_a_long_run_builds_for_one_other_architecture_and_a_full_run_for_all(self):
        def found(seed, full=False):
            return parts.other_architectures_of(arguments.Options(full=full), seed)
        self.assertEqual([found(seed) for seed in range(8, 12)], [
            (['arm64'], []), (['armhf'], ['armhf']), (['mipsel'], []), (['s390x'], ['s390x'])])
        self.assertEqual(found(8, full=True),
                         (['arm64', 'armhf', 'mipsel', 's390x'], ['armhf', 's390x']))

    def test_a_full_run_is_a_long_run(self):
        options, _ = arguments.parse('test', ['--full'])
        self.assertEqual(tests.effort(options) | {'MACSTATS_SEED': ''}, {
            'MACSTATS_LONG': 'yes', 'MACSTATS_FULL': 'yes', 'MACSTATS_SEED': ''})

    def test_packages_are_tested_with_the_effort_of_the_run(self):
        for word, full in (('--long', ''), ('--full', 'yes')):
            options, _ = arguments.parse('test', [word])
            with self.subTest(word), mock.patch.object(parts.packages, 'need'), \
                    mock.patch.object(parts, 'run') as run:
                parts.installed_packages(options, counting.Tally())
                self.assertEqual(run.call_args.args[0][-1], 'test/packages/run')
                environment = run.call_args.kwargs['env']
                self.assertEqual((environment['MACSTATS_LONG'], environment['MACSTATS_FULL']),
                                 ('yes', full))


if __name__ == '__main__':
    unittest.main()
