#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""examples/ci: its kselftest is a target of kselftest: `make run_tests` runs the scenarios, and the
kernel's kunit.py parses their report. `test/vm/kernel fetch kselftest` gets both. Its jobs for LAVA
and GitHub run, and its matrix has one summary for several kernels."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
KERNEL = pathlib.Path(os.environ.get('KERNEL_SOURCE', ROOT / 'build/kernel/kselftest'))
COMMAND = pathlib.Path(sys.argv.pop(1)).resolve()
TARGET = 'tools/testing/selftests/drivers/net/macstats'
WRONG = ('{"name": "a; wrong", "devices": {"mac": {"model": "cpsw"}}, "steps": ['
         '{"expect": {"port": "mac", "totals": {"rx_good_frames": 3}}}]}')
RIGHT = '{"name": "right", "devices": {"mac": {"model": "cpsw"}}, "steps": []}'


@unittest.skipUnless((KERNEL / 'tools/testing/kunit').exists(),
                     'test/vm/kernel fetch kselftest gets the parser')
class Kselftest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for path in ('tools/testing/kunit', 'tools/testing/selftests/kselftest',
                     'tools/testing/selftests/lib.mk', 'scripts/subarch.include'):
            copy = shutil.copytree if (KERNEL / path).is_dir() else shutil.copy
            (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
            copy(KERNEL / path, self.tree / path)
        shutil.copytree(ROOT / 'examples/ci/kselftest', self.tree / TARGET)

    def run_tests(self, scenarios, **environment):
        """(text, kunit.py's status and summary)"""
        done = subprocess.run(
            ['make', '-s', '-C', self.tree / TARGET, 'run_tests'], capture_output=True, text=True,
            check=False, stdin=subprocess.DEVNULL,
            env={**os.environ, 'MACSTATS': str(COMMAND), 'BACKEND': 'builtin',
                 'SCENARIOS': str(scenarios), **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, *self.parsed(done.stdout)

    def parsed(self, text):
        """kunit.py's status and summary of a report"""
        done = subprocess.run(
            [sys.executable, '-B', self.tree / 'tools/testing/kunit/kunit.py', 'parse'],
            input=text, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_the_scenarios_pass_and_are_counted(self):
        folder = ROOT / 'test/scenario/cpsw'
        text, status, summary = self.run_tests(folder)
        self.assertIn('ok 1 selftests: drivers/net/macstats: scenarios.sh', text)
        self.assertEqual(status, 0, summary)
        self.assertIn('Ran 1 tests: passed: 1', summary)
        # The report of the scenarios, which kselftest indents.
        status, summary = self.parsed(re.sub('(?m)^# ', '', text.split('scenarios.sh\n', 1)[1]))
        self.assertEqual(status, 0, summary)
        count = len(list(folder.rglob('*.json')))
        self.assertIn(f'passed: {count}', summary)

    def test_a_shard_is_a_part(self):
        text, status, summary = self.run_tests(ROOT / 'test/scenario/cpsw', SHARD='1/4')
        self.assertEqual(status, 0, summary)
        self.assertGreater(text.count('# ok '), 3)
        self.assertLess(text.count('# ok '), len(list((ROOT / 'test/scenario/cpsw').iterdir())))

    def test_a_failed_scenario_fails_the_target(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'wrong.json').write_text(WRONG)
            text, status, summary = self.run_tests(folder)
        self.assertIn('not ok 1 selftests: drivers/net/macstats: scenarios.sh', text)
        self.assertNotEqual(status, 0, summary)

    def test_without_scenarios_it_is_skipped(self):
        text, _, _ = self.run_tests('/nonexistent')
        self.assertIn('ok 1 selftests: drivers/net/macstats: scenarios.sh # SKIP', text)


class Lava(unittest.TestCase):
    def results(self, command=None, **parameters):
        """The report of the steps of the job: [(test case, result)]"""
        job = yaml.safe_load((ROOT / 'examples/ci/lava/macstats.yaml').read_text())
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            for name, script in (('macstats', command or f'exec {COMMAND} "$@"'),
                                 ('lava-test-case', 'echo "$1 $3" >> results'),
                                 ('modprobe', 'exit 1')):
                (here / name).write_text(f'#!/bin/sh\n{script}\n')
                (here / name).chmod(0o755)
            (here / 'scenarios').mkdir()
            (here / 'scenarios/wrong.json').write_text(WRONG)
            (here / 'scenarios/right.json').write_text(RIGHT)
            done = subprocess.run(
                ['sh', '-e', '-c', '\n'.join(job['run']['steps'])], cwd=here, text=True,
                capture_output=True, check=False, stdin=subprocess.DEVNULL,
                env={**os.environ, **job['params'], 'SCENARIOS': 'scenarios', 'BACKEND': 'builtin',
                     'PATH': f'{here}:{os.environ["PATH"]}', **parameters})
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = (here / 'results').read_text().splitlines()
        return [tuple(line.split()) for line in lines]

    def test_each_scenario_has_its_result(self):
        found = self.results()
        self.assertEqual(found[0], ('macstats-run', 'pass'))
        self.assertEqual(sorted(found[1:]), [('a__wrong', 'fail'), ('right', 'pass')])

    def test_a_scenario_that_is_skipped_is_no_success(self):
        report = r"printf 'TAP version 13\n1..2\nok 1 - one # SKIP no reason\nok 2 - two # time=1ms\n'"
        self.assertEqual(self.results(report), [
            ('macstats-run', 'pass'), ('one', 'skip'), ('two', 'pass')])

    def test_a_run_without_results_fails(self):
        self.assertEqual(self.results(SCENARIOS='nonexistent'), [('macstats-run', 'fail')])


class Github(unittest.TestCase):
    def test_its_shards_are_all_scenarios(self):
        job = yaml.safe_load((ROOT / 'examples/ci/github/scenarios.yml').read_text())['jobs']['run']
        shards = job['strategy']['matrix']['shard']
        run, = (step['run'] for step in job['steps'] if 'macstats run' in step.get('run', ''))
        preset = next(step['run'] for step in job['steps'] if 'preset' in step.get('run', ''))
        self.assertIn(f'--build --preset {run.split("/")[1]} --target macstats-cli', preset)
        names = []
        for shard in shards:
            words = run.replace('${{ matrix.shard }}', str(shard)).replace(
                'build/release/userspace/cli/macstats', str(COMMAND))
            with tempfile.TemporaryDirectory() as folder:
                words = words.replace('> report.xml', f'> {folder}/report.xml')
                subprocess.run(['sh', '-e', '-c', words], cwd=ROOT, check=True)
                names += re.findall('<testcase [^>]*name="([^"]*)"',
                                    pathlib.Path(folder, 'report.xml').read_text())
        self.assertEqual(len(names), len(list((ROOT / 'test/scenario').rglob('*.json'))))
        self.assertEqual(len(set(names)), len(names))


class Matrix(unittest.TestCase):
    def matrix(self, script, *words, cwd=None):
        """examples/ci/matrix with a shell script in place of ./dev."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, 'dev')
            program.write_text(f'#!/bin/sh\n{script}\n')
            program.chmod(0o755)
            done = subprocess.run([ROOT / 'examples/ci/matrix', *words], text=True, check=False,
                                  capture_output=True, cwd=cwd,
                                  env={**os.environ, 'DEV': str(program)})
        return done.returncode, re.sub(r'time=\d+ms', 'time', done.stdout), done.stderr

    def test_each_kernel_runs_and_one_failure_fails_the_summary(self):
        status, text, _ = self.matrix('echo "$@"; [ "$3" != 6.12 ]', '-t', 'load.py',
                                      '-t', 'ynl.py', '6.1', '6.12', '/')
        self.assertEqual((status, text), (
            1, 'TAP version 13\n1..3\nok 1 - 6.1 # time\n'
               '# test --kernel 6.12 load.py ynl.py\nnot ok 2 - 6.12 # time\n'
               'ok 3 - / # time\n'))
        self.assertEqual((ROOT / 'build/matrix/3.log').read_text(),
                         'test --kernel-dir / load.py ynl.py\n')
        self.assertEqual(self.matrix('true', '6.1')[0], 0)

    def test_a_folder_is_that_of_the_caller(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'tree').mkdir()
            status, text, _ = self.matrix('echo "$@"; exit 1', 'tree', cwd=folder)
            path = os.path.realpath(pathlib.Path(folder, 'tree'))
        self.assertEqual((status, text), (
            1, f'TAP version 13\n1..1\n# test --kernel-dir {path}\nnot ok 1 - tree # time\n'))

    def test_bad_kernels_are_rejected_before_any_runs(self):
        for words in ((), ('6.1', '5.10'), ('-x',)):
            status, text, errors = self.matrix('exit 7', *words)
            self.assertEqual((status, text), (2, ''), words)
            self.assertIn('matrix:', errors)


if __name__ == '__main__':
    unittest.main()
