#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""`macstats run` where no kernel module is needed: which scenarios it takes, what it prints where,
its exit codes, and its other backends as far as no interface is opened.

run.py COMMAND: the macstats command.
"""
import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.dont_write_bytecode = True
from command_line import COMMAND, NOT_LOADED, ROOT, Command, run  # noqa: E402


def scenario(name, total):
    return json.dumps({'name': name, 'devices': {'mac': {'model': 'cpsw'}}, 'steps': [
        {'expect': {'port': 'mac', 'totals': {'Tx Octets': total}, 'others': 'zero'}}]})


class Files(Command):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write('good.json', scenario('good', 0))
        self.write('bad.json', scenario('bad', 1))

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def run_here(self, *words, **options):
        """(exit code, output, complaints)"""
        done = subprocess.run([COMMAND, 'run', *words], cwd=self.folder, text=True, check=False,
                              **{'stdout': subprocess.PIPE, **options}, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, done.stderr

    def test_a_scenario_that_passes(self):
        code, out, complaints = self.run_here('good.json')
        self.assertEqual((code, complaints), (0, ''))
        self.assertTrue(out.startswith('TAP version 13\n1..1\nok 1 - good # time='), out)
        self.assertIn('ok 1 - good', self.run_here('-', input=scenario('good', 0))[1])

    def test_after_one_that_fails_the_others_still_run(self):
        code, out, complaints = self.run_here('bad.json', 'good.json')
        self.assertEqual((code, complaints), (1, 'macstats: 1 of 2 scenarios failed\n'))
        self.assertIn('\nnot ok 1 - bad # ', out)
        self.assertIn('\nok 2 - good # ', out)

    def test_nothing_runs_unless_all_files_are_understood(self):
        self.write('unknown.json', '{"name": "unknown", "devices": {}, "stops": []}')
        code, out, complaints = self.run_here('good.json', 'unknown.json', 'nosuch.json')
        self.assertEqual((code, out), (2, ''))
        for part in ('macstats: unknown.json: ',
                     'macstats: nosuch.json: No such file or directory\n',
                     'as 2 of 3 files cannot be used\n'):
            self.assertIn(part, complaints)

    def test_bad_usage_has_a_complaint(self):
        self.rejected('run')
        for words in ('--backend', 'nosuch'), ('--format', 'yaml'), ('--nosuch',):
            self.assertIn(words[0], self.rejected('run', self.folder / 'good.json', *words))

    def test_a_folder_stands_for_the_scenarios_below_it_in_order(self):
        for path in ('set/b.json', 'set/a/z.json', 'set/a/notes.txt'):
            self.write(path, scenario('good', 0))
        report = json.loads(self.run_here('set', 'good.json', '--format', 'json')[1])
        self.assertEqual([each['file'] for each in report['scenarios']],
                         ['set/a/z.json', 'set/b.json', 'good.json'])
        (self.folder / 'empty').mkdir()
        self.assertEqual(self.run_here('empty'),
                         (2, '', 'macstats: empty: there is no .json file below it\n'))

    def test_the_report_has_the_format_that_is_asked_for(self):
        code, out, _ = self.run_here('good.json', 'bad.json', '--format', 'junit')
        self.assertEqual(code, 1)
        self.assertIn('<testsuite name="macstats.builtin" tests="2"', out)
        code, out, _ = self.run_here('good.json', 'bad.json', '--format', 'json', '--backend',
                                     'builtin')
        self.assertEqual((code, json.loads(out)['failed']), (1, 1))

    def test_scenarios_of_the_same_name_have_their_files_in_tap(self):
        self.write('set/a/z.json', scenario('good', 0))
        self.write('set/bad.json', scenario('bad', 1))
        out = self.run_here('set', 'good.json')[1]
        for line in ('ok 1 - good (a/z.json)', 'not ok 2 - bad', 'ok 3 - good (good.json)'):
            self.assertIn(f'\n{line} # time=', out)
        report = json.loads(self.run_here('set', 'good.json', '--format', 'json')[1])
        self.assertEqual(report['scenarios'][0]['name'], 'good')

    def test_output_that_gets_lost_is_noticed(self):
        with open('/dev/full', 'w', encoding='utf-8') as full:
            self.assertEqual(self.run_here('good.json', stdout=full),
                             (1, None, 'macstats: cannot write the output\n'))

    def test_the_kernel_backend_needs_the_modules(self):
        if run('ports').returncode != NOT_LOADED:
            self.skipTest('the modules are loaded')
        code, out, complaints = self.run_here('good.json', '--backend', 'kernel')
        self.assertEqual((code, out), (NOT_LOADED, ''))
        self.assertIn('the kernel modules are not loaded', complaints)


class Registers(Command):
    # ll40g: a register without side effects, and the words of a counter.
    SCENARIO = {'name': 'hexadecimal', 'devices': {
        'mac': {'model': 'll40g', 'registers': {'TXSTAT_SCRATCH': '0x55'}}}, 'steps': [
            {'read': {'port': 'mac', 'register': 'TXSTAT_SCRATCH', 'expect': 85}},
            {'write': {'port': 'mac', 'register': 'TXSTAT_SCRATCH', 'value': '0XAa'}},
            {'read': {'port': 'mac', 'register': 'TXSTAT_SCRATCH', 'expect': 170}},
            {'preset': {'port': 'mac', 'counters': {'tx_64b': '0x100'}}},
            {'read': {'port': 'mac', 'register': 'CNTR_TX_64B', 'expect': '0x0100'}}]}

    def is_valid(self, scenario):
        schema = json.loads((ROOT / 'docs/scenario.schema.json').read_text(encoding='utf-8'))
        return jsonschema.Draft7Validator(schema).is_valid(scenario)

    def test_scenarios_write_registers_in_hexadecimal(self):
        done = self.run_scenario(self.SCENARIO)
        self.assertEqual((done.returncode, done.stderr), (0, ''), done.stdout)
        self.assertTrue(self.is_valid(self.SCENARIO))

    def test_other_strings_and_values_that_are_too_wide_are_rejected(self):
        for value, is_valid in (('55', False), ('0x', False), ('0x5g', False), ('', False),
                                ('-0x5', False), ('0x 5', False), ('0x100000000', True)):
            scenario = copy.deepcopy(self.SCENARIO)
            scenario['steps'][1]['write']['value'] = value
            done = self.run_scenario(scenario)
            self.assertEqual((done.returncode, done.stdout), (2, ''), value)
            self.assertIn('expected an integer from 0 to 4294967295', done.stderr)
            self.assertEqual(self.is_valid(scenario), is_valid, value)


class Wire(Command):
    """macstats run --backend wire, as far as no interface is opened."""
    SCENARIO = str(ROOT / 'test/scenario/e1000/good_frames_received.json')

    def rejected_run(self, *words):
        return self.rejected('run', self.SCENARIO, *words)

    def test_it_needs_two_ports(self):
        self.assertEqual(
            self.rejected_run('--backend', 'wire', '--port', 'mac=eth0'),
            '--backend wire needs --port twice, once for each end of a cable; it is given once; '
            'for example --port mac=eth0 --port other=eth1')
        self.assertIn('; it is not given; ', self.rejected_run('--backend', 'wire'))

    def test_one_of_its_ports_is_of_a_scenario(self):
        ports = '--port', 'eth0=nosuch0', '--port', 'mac/1=nosuch1', '--backend', 'wire'
        self.assertEqual(self.rejected_run(*ports),
                         '--port: no scenario has a port eth0 or mac/1; the ports of the '
                         'scenarios are mac')
        for name in ('mac', 'mac/0'):
            self.assertEqual(
                self.rejected_run('--port', 'other=nosuch0', '--port', f'{name}=nosuch1',
                                  '--backend', 'wire'),
                'nosuch0: there is no such interface in this network namespace')

    def test_a_port_is_a_name_and_an_interface(self):
        for word in ('eth0', '=eth0', 'mac='):
            self.assertEqual(
                self.rejected_run('--backend', 'wire', '--port', word, '--port', 'other=eth1'),
                f'--port: "{word}" is not NAME=INTERFACE; for example --port mac=eth0')

    def test_its_options_are_for_no_other_backend(self):
        self.assertEqual(self.rejected_run('--port', 'mac=eth0'),
                         '--port is for --backend wire and driver only')
        self.assertEqual(self.rejected_run('--model', 'e1000', '--backend', 'kernel'),
                         '--model is for --backend wire and driver only')

    def test_an_unknown_model_or_interface_is_named(self):
        ports = '--backend', 'wire', '--port', 'mac=nosuch0', '--port', 'other=nosuch1'
        self.assertTrue(self.rejected_run(*ports, '--model', 'e1001').startswith(
            '--model: this macstats has no model "e1001"; its models are '))
        self.assertEqual(self.rejected_run(*ports),
                         'nosuch0: there is no such interface in this network namespace')

    def test_a_driver_on_the_bench_has_one_port_of_a_scenario(self):
        self.assertEqual(
            self.rejected_run('--backend', 'driver'),
            '--backend driver needs --port once; it is not given; for example --port mac=eth0')
        self.assertEqual(
            self.rejected_run('--backend', 'driver', '--port', 'eth0=nosuch0'),
            '--port: no scenario has a port eth0; the ports of the scenarios are mac')
        for words in (('run', self.SCENARIO, '--backend', 'driver', '--port', 'mac=nosuch0'),
                      ('check-driver', 'nosuch0')):
            self.assertEqual(self.rejected(*words),
                             'nosuch0: there is no such interface in this network namespace')

    def test_help_and_page_name_the_options(self):
        text = run('help', 'run').stdout
        page = (ROOT / 'docs/testing-a-driver.md').read_text(encoding='utf-8')
        self.assertIn('builtin|kernel|wire|driver', text)
        for option in ('--port NAME=INTERFACE', '--model MODEL'):
            self.assertIn(option, text)
            self.assertIn(f'`{option}`', page)


class Shard(Command):
    FOLDER = ROOT / 'test/scenario/cpsw'

    def names(self, *words):
        """The names of the scenarios that were run."""
        done = run('run', self.FOLDER, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        found = [line.split(' - ', 1)[1].split(' # ')[0] for line in lines if ' - ' in line]
        self.assertTrue(lines[1].startswith(f'1..{len(found)}'), lines[1])
        return found

    def test_the_shards_are_the_whole_without_overlap(self):
        shards = [self.names('--shard', f'{index}/5') for index in range(1, 6)]
        self.assertEqual(sorted(name for shard in shards for name in shard), sorted(self.names()))
        self.assertGreater(min(map(len, shards)), 3)

    def test_other_scenarios_do_not_move_one(self):
        some = self.names('--shard', '2/3')
        with tempfile.TemporaryDirectory() as folder:
            kept = sorted(self.FOLDER.glob('*.json'))[::2]
            for number, file in enumerate(kept):
                shutil.copy(file, f'{folder}/{len(kept) - number:03}.json')
            texts = {json.loads(file.read_text())['name'] for file in kept}
            done = run('run', folder, '--shard', '2/3')
        found = {line.split(' - ', 1)[1].split(' # ')[0]
                 for line in done.stdout.splitlines() if ' - ' in line}
        self.assertEqual(found, texts & set(some))

    # FNV-1a of 64 bits, whose offset and prime are those of its authors.
    def test_the_name_decides_by_a_hash_that_never_changes(self):
        def shard_of(name):
            value = 0xcbf29ce484222325
            for octet in name.encode():
                value = (value ^ octet) * 0x100000001b3 % 2 ** 64
            return value % 7 + 1
        for index in (1, 4, 7):
            for name in self.names('--shard', f'{index}/7'):
                self.assertEqual(shard_of(name), index, name)

    def test_an_empty_shard_is_a_valid_report(self):
        file = min(self.FOLDER.glob('*.json'))
        reports = [run('run', file, '--shard', f'{index}/2').stdout for index in (1, 2)]
        empty, = (text for text in reports if '1..0' in text)
        self.assertEqual(empty, 'TAP version 13\n1..0 # SKIP no scenario\n')

    def test_bad_shards_name_what_is_accepted(self):
        for word in ('0/8', '9/8', '3', '/8', '3/', 'a/b', '3/8/2', '-1/8', '1/0'):
            self.assertEqual(self.rejected('run', self.FOLDER, f'--shard={word}'),
                             f'--shard: "{word}" is not INDEX/COUNT with INDEX from 1 to COUNT; '
                             'for example 3/8')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
