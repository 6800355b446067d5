#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""examples/ci: its kselftest is a target of kselftest: `make run_tests` runs the scenarios, and the
kernel's kunit.py parses their report. `test/vm/kernel fetch kselftest` gets both. The commands of
NIPA's executor run it, too. Its jobs for LAVA and GitHub run, and its matrix has one summary for
several kernels."""

import collections
import configparser
import itertools
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


class Tree(unittest.TestCase):
    """A kernel tree with what a target of kselftest needs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for path in ('tools/testing/kunit', 'tools/testing/selftests', 'scripts/subarch.include'):
            copy = shutil.copytree if (KERNEL / path).is_dir() else shutil.copy
            (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
            copy(KERNEL / path, self.tree / path)
        shutil.copytree(ROOT / 'examples/ci/kselftest', self.tree / TARGET)


WITH_KERNEL = unittest.skipUnless((KERNEL / 'tools/testing/selftests/Makefile').exists(),
                                  'test/vm/kernel fetch kselftest gets the runner')


@WITH_KERNEL
class Kselftest(Tree):
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

    def test_the_scenarios_are_those_that_are_installed_with_the_command(self):
        prefix = self.tree / 'prefix'
        (prefix / 'share/macstats').mkdir(parents=True)
        (prefix / 'share/macstats/scenario').symlink_to(ROOT / 'test/scenario/cpsw')
        (prefix / 'bin').mkdir()
        program = prefix / 'bin/macstats'
        program.write_text(f'#!/bin/sh\nexec {COMMAND} "$@"\n')
        program.chmod(0o755)
        # As /bin leads to /usr/bin.
        (self.tree / 'bin').symlink_to(prefix / 'bin')
        text, status, summary = self.run_tests('', MACSTATS=str(self.tree / 'bin/macstats'))
        self.assertEqual(status, 0, summary)
        self.assertEqual(text.count('# ok '), len(list((ROOT / 'test/scenario/cpsw').iterdir())))

    def test_a_failed_scenario_fails_the_target(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'wrong.json').write_text(WRONG)
            text, status, summary = self.run_tests(folder)
        self.assertIn('not ok 1 selftests: drivers/net/macstats: scenarios.sh', text)
        self.assertNotEqual(status, 0, summary)

    def test_without_scenarios_it_is_skipped(self):
        text, _, _ = self.run_tests('/nonexistent')
        self.assertIn('ok 1 selftests: drivers/net/macstats: scenarios.sh # SKIP', text)


# In place of a kernel tree that is built: its modules are empty.
STUB = """modules:
\tfor each in provider/macstats emulator/macstats_emu; do \\
\t\tmkdir -p $(M)/kmod/$${each%/*} && touch $(M)/kmod/$$each.ko; done
"""


@WITH_KERNEL
class Nipa(Tree):
    """NIPA's executor vmksft-p.py builds the kernel with the target's file config, asks `make
    install` for the programs, runs each, and parses the report."""

    def setUp(self):
        super().setUp()
        config = configparser.ConfigParser()
        # The site's own files, which it reads before, and without which it does not start.
        config.read_string('[cfg]\nthread_cnt=1\n[executor]\nname=site\n[ksft]\ntarget=net\n')
        config.read(ROOT / 'examples/ci/nipa/macstats.config')
        self.config = config
        self.target = config['ksft']['target']
        for name in ('Kbuild', 'VERSION'):
            shutil.copy(ROOT / name, self.tree / TARGET / 'modules')
        (self.tree / 'Makefile').write_text(STUB)
        self.bin = self.tree / 'bin'
        self.bin.mkdir()
        self.program('insmod', f'echo "$1" >>{self.tree}/loaded')
        self.program('rsync', 'shift 2; exec cp -r "$@"')  # -a --copy-unsafe-links
        # Here, no modules are loaded that would make the kernel the backend.
        self.program('macstats', f'[ "$1 $2" != "emu list" ] || exit 3\nexec {COMMAND} "$@"')

    def program(self, name, text):
        (self.bin / name).write_text(f'#!/bin/sh\n{text}\n')
        (self.bin / name).chmod(0o755)

    def make(self, *words, **environment):
        done = subprocess.run(['make', '-C', 'tools/testing/selftests', *words], cwd=self.tree,
                              capture_output=True, text=True, check=False, env={
                                  **os.environ, 'PATH': f'{self.bin}:{os.environ["PATH"]}',
                                  'SCENARIOS': str(ROOT / 'test/scenario/cpsw'), **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def run_program(self, **environment):
        return self.make(f'TARGETS={self.target}', 'TEST_PROGS=scenarios.sh', 'TEST_GEN_PROGS=',
                         'run_tests', **environment)

    def nested(self, text):
        """[(test, result, time)] of the lines behind '# TAP version' and a '#'"""
        report = text.split('# TAP version ', 1)[1].split('\n', 1)[1]
        lines = itertools.takewhile(lambda line: line.startswith('# '), report.splitlines())
        return [(found[2], 'fail' if found[1] else 'pass', found[3]) for line in lines
                if (found := re.fullmatch(r'# (not )?ok \d+ - ([^#]*[^ #])(?: +# time=(\d+)ms)?',
                                          line))]

    def test_the_job_names_the_folder_and_its_group(self):
        self.assertEqual(TARGET, f'tools/testing/selftests/{self.target}')
        self.assertTrue((self.tree / TARGET).is_dir())
        self.assertEqual(self.config['executor']['group'],
                         'selftests-' + re.sub('[^0-9a-zA-Z]+', '-', self.target))
        self.assertIn(self.config['executor']['init'], ('force', 'continue', 'next'))
        self.assertTrue(self.config.getboolean('ksft', 'nested_tests'))
        self.assertGreater(self.config.getint('vm', 'cpus'), 1)
        # Each section and key is one that it reads.
        self.assertEqual({section: set(self.config[section]) for section in self.config.sections()},
                         {'cfg': {'thread_cnt'}, 'executor': {'name', 'group', 'init'},
                          'ksft': {'target', 'nested_tests'}, 'vm': {'cpus', 'paths'}})
        # A limit for the program: that of the runner, 45 s, is short for an emulated machine.
        self.assertRegex((self.tree / TARGET / 'settings').read_text(), r'(?m)^timeout=[1-9]\d\d$')

    def test_its_programs_are_listed(self):
        self.make(f'TARGETS={self.target}', f'INSTALL_PATH={self.tree}/installed', 'install')
        self.assertEqual((self.tree / 'installed/kselftest-list.txt').read_text(),
                         f'{self.target}:scenarios.sh\n')
        self.assertEqual(sorted(path.name for path in (
            self.tree / 'installed' / self.target / 'modules').iterdir()),
            ['macstats.ko', 'macstats_emu.ko'])

    def test_modules_are_built_and_loaded_and_each_scenario_has_a_result(self):
        text = self.run_program()
        self.assertIn('\nok 1 selftests: drivers/net/macstats: scenarios.sh\n', text)
        self.assertEqual([pathlib.Path(path).name for path in
                          (self.tree / 'loaded').read_text().split()],
                         ['macstats.ko', 'macstats_emu.ko'])
        found = self.nested(text)
        self.assertEqual(len(found), len(list((ROOT / 'test/scenario/cpsw').rglob('*.json'))))
        self.assertEqual({result for _, result, _ in found}, {'pass'})
        self.assertTrue(all(time for _, _, time in found), found)
        # It reads these anywhere in the output as skipped or failed.
        for word in ('[FAIL]', '[fail]', ' FAIL:', '# not ok 1', '[SKIP]', '[skip]', ' # SKIP',
                     'SKIP:'):
            self.assertNotIn(word, text)

    def test_no_two_scenarios_have_the_same_result(self):
        found = self.nested(self.run_program(SCENARIOS=str(ROOT / 'test/scenario')))
        self.assertEqual(len(found), len(list((ROOT / 'test/scenario').rglob('*.json'))))
        # Its names of results, and those of LAVA, have letters and digits only.
        names = collections.Counter(re.sub('[^0-9a-zA-Z]+', '-', test) for test, _, _ in found)
        self.assertEqual([name for name, times in names.items() if times > 1], [])

    def test_a_failed_scenario_is_a_failed_result(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (('a.json', WRONG), ('b.json', RIGHT)):
                pathlib.Path(folder, name).write_text(text)
            text = self.run_program(SCENARIOS=folder)
        self.assertIn('\nnot ok 1 selftests: drivers/net/macstats: scenarios.sh # exit=1\n', text)
        self.assertEqual([result for _, result, _ in self.nested(text)], ['fail', 'pass'])

    def test_a_module_that_cannot_be_loaded_fails(self):
        self.program('insmod', 'exit 1')
        text = self.run_program()
        self.assertIn('\nnot ok 1 selftests: drivers/net/macstats: scenarios.sh # exit=1\n', text)
        self.assertIn('# not ok 1 - insmod ', text)

    def test_the_options_of_the_kernel_exist_and_select_register_maps(self):
        kconfig = ''.join(path.read_text() for path in KERNEL.rglob('Kconfig'))
        blocks = {name: text for name, text in re.findall(
            r'(?ms)^(?:menu)?config (\w+)$(.*?)(?=^\w|\Z)', kconfig)}
        wanted = re.findall(r'(?m)^CONFIG_(\w+)=y$', (self.tree / TARGET / 'config').read_text())
        self.assertEqual(set(wanted) - set(blocks), set())
        # It cannot be chosen itself.
        self.assertNotRegex(blocks['REGMAP'], r'\bbool "')
        self.assertTrue(any(f'\tselect {selected}\n' in blocks[name] for name in wanted
                            for selected in re.findall(r'REGMAP_\w+', blocks['REGMAP'])))
        # Both modules: families of netlink, net devices, register maps.
        self.assertLessEqual({'MODULES', 'NET', 'ETHTOOL_NETLINK'}, set(wanted))


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
