#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The JSON output of commands that need no kernel module matches docs/schema.

json_schemas.py COMMAND: the macstats command. The other outputs are validated by
test/vm/tests/json_schemas.py.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import jsonschema

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'test/vm/lib'))

import schemas  # noqa: E402

COMMAND = ''
SCENARIO = {'name': 'five frames', 'devices': {'mac': {'model': 'cpsw'}}, 'steps': [
    {'send': {'port': 'mac', 'direction': 'rx', 'length': 100, 'count': 5}},
    {'expect': {'port': 'mac', 'totals': {'Good Rx Frames': 5}, 'others': 'any'}}]}
TAG = {'macstats_tag': 1, 'saved': '2026-01-31T12:00:00Z', 'boot_id': 'x', 'ports': [
    {'port': 'mac0', 'ifindex': 3, 'model': 'cpsw', 'start_ns': 1, 'time_ns': 2, 'generation': 3,
     'discontinuities': 0, 'discontinuity_ns': None, 'possible_loss': False,
     'totals': {'rx_good_frames': 5}, 'saturated': {}, 'standard': {}}]}


def run(*words, stdin=b'', **environment):
    return subprocess.run([COMMAND, *words], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False,
                          env={**os.environ, **environment})


def references(schema):
    if isinstance(schema, list):
        return [found for part in schema for found in references(part)]
    if not isinstance(schema, dict):
        return []
    return ([schema['$ref']] if isinstance(schema.get('$ref'), str) else []) + [
        found for part in schema.values() for found in references(part)]


class Schemas(unittest.TestCase):
    maxDiff = None

    def check(self, name, *words, code=0, **options):
        done = run(*words, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(schemas.problem(name, document), '')
        return document

    def test_each_schema_is_valid_and_has_a_versioned_id(self):
        self.assertGreaterEqual(len(schemas.names()), 14)
        for name in schemas.names():
            with self.subTest(name):
                schema = schemas.load(name)
                jsonschema.Draft7Validator.check_schema(schema)
                self.assertEqual(schema['$id'], f'https://macstats.invalid/schema/1/{name}.schema.json')
                self.assertTrue(schema['description'])

    def test_each_reference_leads_to_a_schema(self):
        store = {schema['$id']: schema for schema in map(schemas.load, schemas.names())}
        for base, schema in store.items():
            resolver = jsonschema.RefResolver(base, schema)
            for reference in references(schema):
                target, place = urllib.parse.urldefrag(urllib.parse.urljoin(base, reference))
                with self.subTest(base, reference=reference):
                    self.assertIn(target, store)
                    self.assertTrue(resolver.resolve_fragment(store[target], place))

    def test_models_match_their_schema(self):
        names = [model['name'] for model in self.check('models', 'models', '--json')]
        self.assertGreaterEqual(len(names), 5)
        for name in names:
            self.check('model', 'model', name, '--json')

    def test_counts_match_their_schema(self):
        for words in (('cpsw',), ('--all-models',), ('--all-models', '--register', 'RX_MAXLEN=99'),
                      ('ll40g', '--kind', 'pause', '--errors', 'fcs', '--direction', 'rx')):
            self.check('count', 'count', *words, '--json')

    def test_unknown_and_missing_members_and_wrong_types_are_detected(self):
        model = json.loads(run('model', 'cpsw', '--json').stdout)
        for change in (lambda copied: copied.update(more=1), lambda copied: copied.pop('blocks'),
                       lambda copied: copied.update(ports='2'),
                       lambda copied: copied['counters'][0].update(unit='bytes')):
            changed = copy.deepcopy(model)
            change(changed)
            self.assertNotEqual(schemas.problem('model', changed), '')
            self.assertNotEqual(schemas.problem('models', [changed]), '')

    def test_reports_of_passed_and_failed_scenarios_match_their_schema(self):
        wrong = copy.deepcopy(SCENARIO)
        wrong['steps'][1]['expect']['totals']['Good Rx Frames'] = 6
        with tempfile.TemporaryDirectory() as folder:
            for name, scenario in (('a.json', SCENARIO), ('b.json', wrong)):
                pathlib.Path(folder, name).write_text(json.dumps(scenario), encoding='utf-8')
            report = self.check('run', 'run', folder, '--format', 'json', code=1)
        self.assertEqual((report['passed'], report['failed']), (1, 1))

    def test_a_decoded_register_dump_matches_its_schema(self):
        model = self.check('model', 'model', 'll40g', '--json')
        # A counter has two words.
        addresses = [register['offset'] for register in model['registers']] + [
            counter['offset'] + word for counter in model['counters'] for word in (0, 1)]
        words = b''.join(value.to_bytes(4, sys.byteorder)
                         for address in (*addresses, 0x700) for value in (address, 1))
        dump = self.check('registers', 'registers', '--model', 'll40g', '--file', '-', '--json',
                          stdin=words)
        self.assertEqual(len(dump['registers']), len(model['registers']))
        self.assertEqual(len(dump['counters']), len(model['counters']))
        self.assertEqual(dump['unknown'], [{'offset': 0x700, 'value': 1}])

    def test_lists_of_tags_match_their_schema(self):
        with tempfile.TemporaryDirectory() as folder:
            tags = pathlib.Path(folder, 'macstats/tags')
            tags.mkdir(parents=True)
            self.assertEqual(self.check('tags', 'tag', 'list', '--json', XDG_STATE_HOME=folder), [])
            (tags / 'before.json').write_text(json.dumps(TAG), encoding='utf-8')
            listed = self.check('tags', 'tag', 'list', '--json', XDG_STATE_HOME=folder)
        self.assertEqual(listed, [{'tag': 'before', 'saved': TAG['saved'], 'this_boot': False,
                                   'ports': ['mac0']}])


if __name__ == '__main__':
    COMMAND = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
