#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The JSON schema of scenario files, their manual and the command's own parser agree.

scenario_schema.py COMMAND SWEEPS: the macstats command, and the folder of the
scenarios that the build makes. The command's messages about wrong keys and
words list the accepted ones, which the test compares with the schema. Both judge
the project's scenarios and the documents of the fuzzers' corpus.
"""
import copy
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / 'docs/scenario.schema.json').read_text())
MANUAL = (ROOT / 'docs/scenarios.md').read_text()
CORPUS = sorted((ROOT / 'test/fuzz/corpus/scenario').glob('*.json'))
SCENARIOS = sorted((ROOT / 'test/scenario').rglob('*.json'))
COMMAND = ''
SWEEPS = Path()

# Every object of a scenario, with all the members it may have.
WHOLE = {
    'name': 'n', 'reference': 'r',
    'devices': {
        'core': {'model': 'll40g', 'power_up': 'zero', 'seed': 1, 'options': {}, 'registers': {}},
        'pair': {'model': 'rc32438'},
        'mac': {'model': 'cpsw'},
    },
    'steps': [
        {'send': {'port': 'core', 'direction': 'tx', 'destination': 'unicast', 'kind': 'data',
                  'origin': 'mac', 'errors': ['fcs']}},
        {'read': {'port': 'core', 'register': 'CNTR_TX_64B'}},
        {'write': {'port': 'core', 'register': 'CNTR_TX_64B', 'value': 0}},
        {'preset': {'port': 'core', 'counters': {}}},
        {'fault': {'port': 'core', 'name': 'bus_error'}},
        {'fault': {'port': 'mac', 'name': 'bus_error'}},
        {'poll': {'port': 'core'}},
        {'advance': {'seconds': 0}},
        {'expect': {'port': 'core', 'others': 'any', 'state': {}, 'standard': {
            'eth-phy': {}, 'eth-mac': {}, 'eth-ctrl': {}, 'pause': {}, 'rtnl': {}, 'mm': {},
            'rmon': {'rx-pktsNtoM': [{'low': 0, 'val': 0}]}}}},
    ],
}

# Where keys are listed by the command, and the schema's object for it.
OBJECTS = {
    '': '',
    '/devices/core': '/definitions/device',
    '/steps/0': '/definitions/step',
    '/steps/0/send': '/definitions/send',
    '/steps/1/read': '/definitions/read',
    '/steps/2/write': '/definitions/write',
    '/steps/3/preset': '/definitions/preset',
    '/steps/4/fault': '/definitions/fault',
    '/steps/6/poll': '/definitions/poll',
    '/steps/7/advance': '/definitions/advance',
    '/steps/8/expect': '/definitions/expect',
    '/steps/8/expect/state': '/definitions/state',
    '/steps/8/expect/standard': '/definitions/standard',
    '/steps/8/expect/standard/eth-mac': '/definitions/standard/properties/eth-mac',
    '/steps/8/expect/standard/eth-phy': '/definitions/standard/properties/eth-phy',
    '/steps/8/expect/standard/eth-ctrl': '/definitions/standard/properties/eth-ctrl',
    '/steps/8/expect/standard/rmon': '/definitions/standard/properties/rmon',
    '/steps/8/expect/standard/pause': '/definitions/standard/properties/pause',
    '/steps/8/expect/standard/rtnl': '/definitions/standard/properties/rtnl',
    '/steps/8/expect/standard/mm': '/definitions/standard/properties/mm',
    '/steps/8/expect/standard/rmon/rx-pktsNtoM/0': '/definitions/histogram/anyOf/1/items',
}

# Where words are, and the schema's place for them.
WORDS = {
    '/devices/core/power_up': '/definitions/device/properties/power_up',
    '/steps/0/send/direction': '/definitions/send/properties/direction',
    '/steps/0/send/destination': '/definitions/send/properties/destination',
    '/steps/0/send/kind': '/definitions/send/properties/kind',
    '/steps/0/send/origin': '/definitions/send/properties/origin',
    '/steps/0/send/errors/0': '/definitions/send/properties/errors/items',
    '/steps/8/expect/others': '/definitions/expect/properties/others',
}


def value_at(document, pointer):
    for step in pointer.split('/')[1:]:
        document = document[int(step) if isinstance(document, list) else step]
    return document


def complaint(text):
    """The command's message about a document; '' if it accepts the document."""
    with tempfile.NamedTemporaryFile('wb', suffix='.json') as file:
        file.write(text if isinstance(text, bytes) else text.encode())
        file.flush()
        result = subprocess.run([COMMAND, 'run', file.name], capture_output=True, text=True,
                                check=False)
        if result.returncode not in (0, 1, 2):
            raise AssertionError(f'the command ended with {result.returncode}: {result.stderr}')
        return result.stderr.replace(file.name, 'FILE') if result.returncode == 2 else ''


def listed(text, pointer):
    """The words that are listed for what is wrong at a place."""
    found = re.search(r'FILE: (\S*): expected one of (?:the keys |the groups |the statistics )?'
                      r'(.*), not "', complaint(text))
    if not found or found[1] != pointer:
        raise AssertionError(f'{pointer}: {complaint(text) or "accepted"}')
    return set(found[2].split(', '))


class SchemaTest(unittest.TestCase):
    maxDiff = None

    def test_the_schema_is_one(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)

    def test_the_whole_document_is_good(self):
        jsonschema.validate(WHOLE, SCHEMA)
        self.assertEqual(complaint(json.dumps(WHOLE)), '')

    def test_every_object_of_the_schema_is_held_against_the_parser(self):
        def objects(schema, pointer):
            if isinstance(schema, dict):
                if 'properties' in schema and schema.get('additionalProperties') is False:
                    yield pointer
                for key, value in schema.items():
                    yield from objects(value, f'{pointer}/{key}')
            elif isinstance(schema, list):
                for i, value in enumerate(schema):
                    yield from objects(value, f'{pointer}/{i}')
        # Options are those of a model: see below.
        self.assertEqual(set(objects(SCHEMA, '')),
                         set(OBJECTS.values()) | {'/definitions/options'})

    def test_keys_are_those_of_the_parser(self):
        for place, definition in OBJECTS.items():
            with self.subTest(place):
                document = copy.deepcopy(WHOLE)
                target = value_at(document, place)
                if definition == '/definitions/step':
                    target.clear()
                target['?'] = 0
                self.assertEqual(listed(json.dumps(document), f'{place}/?'),
                                 set(value_at(SCHEMA, definition)['properties']))

    def test_members_that_must_be_there_are_those_of_the_parser(self):
        for place, definition in OBJECTS.items():
            schema = value_at(SCHEMA, definition)
            for key in value_at(WHOLE, place):
                document = copy.deepcopy(WHOLE)
                del value_at(document, place)[key]
                with self.subTest(f'{place}/{key}'):
                    missing = f'expected a member "{key}"' in complaint(json.dumps(document))
                    self.assertEqual(missing, key in schema.get('required', []))

    def test_words_are_those_of_the_parser(self):
        for place, definition in WORDS.items():
            with self.subTest(place):
                document = copy.deepcopy(WHOLE)
                parent, key = place.rsplit('/', 1)
                target = value_at(document, parent)
                target[int(key) if isinstance(target, list) else key] = '?'
                self.assertEqual(listed(json.dumps(document), place),
                                 set(value_at(SCHEMA, definition)['enum']))

    def test_faults_are_all_that_some_model_supports(self):
        words = set()
        for port in ('core', 'pair', 'mac'):
            document = copy.deepcopy(WHOLE)
            document['steps'][4]['fault'] = {'port': port, 'name': '?'}
            words |= set(re.search(r'supports only the faults (.*), not "',
                                   complaint(json.dumps(document)))[1].split(', '))
        self.assertEqual(words, set(SCHEMA['definitions']['fault']['properties']['name']['enum']))

    def test_options_are_all_that_some_model_has(self):
        models = json.loads(subprocess.run([COMMAND, 'models', '--json'], capture_output=True,
                                           check=True).stdout)
        words = set()
        for model in models:
            document = {'name': 'n', 'steps': [], 'devices': {
                'mac': {'model': model['name'], 'options': {'?': True}}}}
            words |= set(re.search(r'it has (.*)', complaint(json.dumps(document)))[1].split(', '))
        self.assertEqual(words, set(SCHEMA['definitions']['options']['properties']))

    def test_documents_are_judged_alike(self):
        self.assertGreater(len(CORPUS), 50)
        validator = jsonschema.Draft7Validator(SCHEMA)
        for file in CORPUS:
            with self.subTest(file.name):
                text = file.read_bytes()
                sort = file.name.split('_')[0]
                self.assertEqual(complaint(text) == '', sort == 'good')
                # A schema judges only valid JSON, and only its form.
                if sort != 'syntax':
                    self.assertEqual(validator.is_valid(json.loads(text)),
                                     sort in ('good', 'meaning'))

    def test_the_projects_scenarios_are_good(self):
        sweeps = sorted(SWEEPS.rglob('*.json'))
        self.assertGreater(len(SCENARIOS), 100)
        self.assertGreater(len(sweeps), 100)
        validator = jsonschema.Draft7Validator(SCHEMA)
        for file in SCENARIOS + sweeps:
            with self.subTest(file.name):
                validator.validate(json.loads(file.read_bytes()))

    def test_the_examples_of_the_manual_pass(self):
        examples = re.findall(r'```json\n(.*?)```', MANUAL, re.DOTALL)
        self.assertGreaterEqual(len(examples), 4)
        for example in examples:
            result = subprocess.run([COMMAND, 'run', '-'], input=example, capture_output=True,
                                    text=True, check=False)
            with self.subTest(json.loads(example)['name']):
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_messages_in_the_manual_are_what_the_command_says(self):
        example = json.loads(re.search(r'```json\n(.*?)```', MANUAL, re.DOTALL)[1])
        short = copy.deepcopy(example)
        short['steps'][0]['send']['length'] = 0
        misprinted = copy.deepcopy(example)
        totals = misprinted['steps'][1]['expect']['totals']
        totals['Good Tx Frame'] = totals.pop('Good Tx Frames')
        for document in (short, misprinted):
            message = complaint(json.dumps(document)).splitlines()[0]
            message = message.removeprefix('macstats: ').replace('FILE', 'pause.json')
            self.assertTrue(message in MANUAL.splitlines(), message)

    def test_the_manual_has_every_key_and_word(self):
        def words(schema):
            if isinstance(schema, dict):
                yield from schema.get('properties', {})
                yield from (word for word in schema.get('enum', []) if isinstance(word, str))
                for key, value in schema.items():
                    # The names of statistics are ethtool's.
                    if key not in ('eth-phy', 'eth-mac', 'eth-ctrl', 'rmon', 'pause', 'rtnl',
                                   'mm'):
                        yield from words(value)
            elif isinstance(schema, list):
                for value in schema:
                    yield from words(value)
        for word in set(words(SCHEMA)):
            with self.subTest(word):
                self.assertRegex(MANUAL, rf'`{re.escape(word)}`')


if __name__ == '__main__':
    COMMAND, SWEEPS = sys.argv[1], Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
