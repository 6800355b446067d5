#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What the kernel's generator takes from docs/netlink as it is: the values that headers of
shared/macstats define, attributes that no message has, and the documentation."""

import pathlib
import sys
import unittest

import yaml

REPO = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPO / 'test/vm/lib'))

import uapi  # noqa: E402

SPECS = ('macstats', 'macstats_emu')


def values_in(definition):
    """The names and numbers of a definition."""
    found, number = {}, definition.get('value-start', 0) - 1
    for entry in definition['entries']:
        number = entry.get('value', number + 1)
        name = (definition['name-prefix'] + entry['name']).replace('-', '_').upper()
        found[name] = 1 << number if definition['type'] == 'flags' else number
    return found


def values_of(entries, flags):
    """Those of an enum in a header. Of flags, only the single ones that may be chosen."""
    if not flags:
        return entries
    chosen = [number for name, number in entries.items() if name.endswith('_ALL')] or [~0]
    return {name: number for name, number in entries.items()
            if number & (number - 1) == 0 and number & chosen[0]}


def differences(definition, enums):
    entries = enums[definition['enum-name'].replace('-', '_')]
    return values_in(definition).items() ^ values_of(entries, definition['type'] == 'flags').items()


def messages(spec):
    """(operation, attributes) of each kind of message."""
    for operation in spec['operations']['list']:
        found = [operation['event']] if 'event' in operation else \
            [message for mode in ('do', 'dump') for message in operation.get(mode, {}).values()]
        for message in found:
            yield operation, message['attributes']


def loose_ends(spec):
    """Missing attributes that messages name, attributes that no message has, and groups
    that no message is sent to."""
    there = {(space['name'], entry['name'])
             for space in spec['attribute-sets'] for entry in space['attributes']}
    named = {(operation['attribute-set'], name)
             for operation, names in messages(spec) for name in names}
    nested = {entry['nested-attributes'] for space in spec['attribute-sets']
              for entry in space['attributes'] if 'nested-attributes' in entry}
    for space in spec['attribute-sets']:
        if space['name'] in nested:
            named |= {(space['name'], entry['name']) for entry in space['attributes']}
    unused = {(space, name) for space, name in there - named if name != 'pad'}
    groups = {group['name'] for group in spec.get('mcast-groups', {'list': []})['list']}
    heard = {operation['mcgrp'] for operation in spec['operations']['list']
             if 'event' in operation}
    return (named - there) | unused | (groups ^ heard)


def undocumented(spec):
    entries = [spec, *spec['definitions'], *spec['attribute-sets'], *spec['operations']['list']]
    entries += [entry for definition in spec['definitions'] for entry in definition['entries']]
    entries += [entry for space in spec['attribute-sets'] for entry in space['attributes']]
    return [entry['name'] for entry in entries if not entry.get('doc', '').strip().endswith('.')]


class Specification(unittest.TestCase):
    def setUp(self):
        self.specs = [yaml.safe_load((REPO / f'docs/netlink/{name}.yaml').read_text())
                      for name in SPECS]
        self.definitions = [entry for spec in self.specs for entry in spec['definitions']]

    def test_is_of_the_family_that_its_file_is_named_after(self):
        self.assertEqual(tuple(spec['name'] for spec in self.specs), SPECS)

    def test_has_the_values_of_the_headers(self):
        for definition in self.definitions:
            self.assertEqual(differences(definition, uapi.ENUMS), set(), definition['name'])

    def test_sees_a_value_that_is_only_in_a_header(self):
        for definition in self.definitions:
            tag = definition['enum-name'].replace('-', '_')
            added = {**uapi.ENUMS[tag], 'X': max(uapi.ENUMS[tag].values()) + 1}
            if definition['type'] == 'flags':
                added = {**uapi.ENUMS[tag], 'X': min(uapi.ENUMS[tag].values())}
            self.assertTrue(differences(definition, {tag: added}), definition['name'])

    def test_has_each_attribute_in_a_message_and_no_other(self):
        for spec in self.specs:
            self.assertEqual(loose_ends(spec), set(), spec['name'])

    def test_explains_everything_in_sentences(self):
        for spec in self.specs:
            self.assertEqual(undocumented(spec), [], spec['name'])


if __name__ == '__main__':
    unittest.main()
