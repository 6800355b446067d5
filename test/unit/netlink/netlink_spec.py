#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the netlink specifications in docs/netlink with the headers in
shared/macstats, in both directions: each side must state all facts of the other.
Comments in the headers count too: they give the types and ranges of attributes."""

import copy
import dataclasses
import pathlib
import re
import unittest

import yaml

REPO = pathlib.Path(__file__).resolve().parents[3]
SPECS = ('macstats', 'macstats_emu')
UAPI = 'macstats/netlink.h'
HEADERS = (UAPI, 'macstats/frame.h', 'macstats/schema.h', 'macstats/accumulator.h',
           'macstats/standard.h')
LIMITS = {'s64-max': 2 ** 63 - 1, '2^63 - 1': 2 ** 63 - 1}

TOKEN = re.compile(r'(?P<comment>/\*.*?\*/)|(?P<end>\n)|(?P<comma>,)|(?P<code>[^,/\n]+)', re.DOTALL)
ENUM = re.compile(r'\benum\s+(\w+)\s*\{(.*?)\};', re.DOTALL)
DEFINE = re.compile(r'^#define[ \t]+(MACSTATS_\w+)[ \t]+("[^"]*"|\d+)', re.MULTILINE)
TYPE = re.compile(r'(?:(?P<array>array) of )?(?P<type>string|flag|nest|u8|u32|u64)\b')
NEST = re.compile(r'nest of (?:enum )?(\w+)')
RANGE = re.compile(r'(\d+) (?:to|or) (2\^63 - 1|\d+)')


def limit(text):
    return LIMITS[text] if text in LIMITS else int(text)


# Facts that both sides must state. The families are kept apart, as both may
# use the same enum.

@dataclasses.dataclass(frozen=True)
class Define:
    name: str
    value: object


@dataclasses.dataclass(frozen=True)
class Command:
    enum: str
    name: str
    number: int


@dataclasses.dataclass(frozen=True)
class Attribute:
    enum: str
    name: str
    number: int
    type: str
    values: str = None      # enum
    space: str = None       # of the attributes of a nest
    repeated: bool = False
    range: tuple = None


@dataclasses.dataclass(frozen=True)
class Value:
    family: str
    header: str
    enum: str
    flags: bool
    name: str
    number: int


@dataclasses.dataclass
class Entry:
    """An enumerator: `expression` is what the text gives it, if anything."""
    name: str
    expression: str
    number: int
    comment: str


def plain(comment):
    """A comment's text without its marks."""
    return ' '.join(re.sub(r'^/\*|\*/$|^\s*\*', '', comment, flags=re.MULTILINE).split())


def enumerators(body):
    """A comment is about the enumerator before it on the line, else the next one."""
    # A value may go on in the next line.
    body = re.sub(r'\|\s*\n\s*', '| ', body)
    entries, before, on_line, known, last = [], '', False, {}, -1
    for token in TOKEN.finditer(body):
        if token['end']:
            on_line = False
        elif token['comment']:
            if on_line:
                entries[-1].comment = plain(token['comment'])
            else:
                before = plain(token['comment'])
        elif token['code'] and token['code'].strip():
            name, _, expression = (part.strip() for part in token['code'].partition('='))
            last = eval(expression, {}, known) if expression else last + 1
            known[name] = last
            entries.append(Entry(name, expression, last, before))
            before, on_line = '', True
    return entries


def bound(entry):
    """Does the enumerator only mark the end of its enum?"""
    return re.search(r'^__|_MAX$', entry.name)


class Header:
    """One of the C headers."""

    def __init__(self, name, text):
        self.name = name
        self.enums = {tag: enumerators(body) for tag, body in ENUM.findall(text)}
        self.defines = [Define(name, eval(value)) for name, value in DEFINE.findall(text)]


def spaces_by_prefix(header):
    """{'THRESHOLD_': 'macstats_threshold_attr'}: comments may use the short form."""
    return {tag.removeprefix('macstats_').removesuffix('attr').upper(): tag
            for tag in header.enums if tag.endswith('_attr')}


def attribute_from_comment(tag, entry, spaces):
    if entry.name.endswith('_PAD'):
        return Attribute(tag, entry.name, entry.number, 'pad')
    kind = TYPE.match(entry.comment)
    if not kind:
        return Attribute(tag, entry.name, entry.number, f'no type in {entry.comment!r}')
    nest = NEST.match(entry.comment)
    values = re.search(r'\benum (macstats_\w+)', entry.comment) if not nest else None
    found = RANGE.search(entry.comment)
    return Attribute(tag, entry.name, entry.number,
                     'binary ' + kind['type'] if kind['array'] else kind['type'],
                     values=values and values[1],
                     space=nest and spaces.get(nest[1], nest[1]),
                     repeated='multi-attr' in entry.comment,
                     range=found and (int(found[1]), limit(found[2])))


def values_of(family, header, tag):
    """The enumerators of an enum. Of flags, only the single ones that may be chosen."""
    entries = [entry for entry in header.enums[tag] if not bound(entry)]
    flags = any('<<' in entry.expression for entry in entries)
    everything = [entry.number for entry in entries if entry.name.endswith('_ALL')]
    for entry in entries:
        single = entry.number & (entry.number - 1) == 0 and not entry.name.endswith('_ALL')
        if not flags or single and (not everything or entry.number & everything[0]):
            yield Value(family, header.name, tag, flags, entry.name, entry.number)


def family_of(tag):
    return 'macstats_emu' if tag.startswith('macstats_emu_') else 'macstats'


def facts_of_headers(texts):
    headers = [Header(name, text) for name, text in texts.items()]
    uapi = headers[HEADERS.index(UAPI)]
    facts = set(uapi.defines)
    for tag, entries in uapi.enums.items():
        entries = [entry for entry in entries if not bound(entry)]
        if tag.endswith('_cmd'):
            facts |= {Command(tag, entry.name, entry.number) for entry in entries}
            continue
        attributes = {attribute_from_comment(tag, entry, spaces_by_prefix(uapi))
                      for entry in entries}
        facts |= attributes
        for values in {attribute.values for attribute in attributes} - {None}:
            header = next(header for header in headers if values in header.enums)
            facts |= set(values_of(family_of(tag), header, values))
    return facts


def c_name(text):
    return text.replace('-', '_').upper()


def c_tag(text):
    return text.replace('-', '_')


def numbered(entries, first):
    """(entry, number): each is one more than the last, unless it has a value."""
    number = first - 1
    for entry in entries:
        number = entry.get('value', number + 1)
        yield entry, number


def attribute_from_spec(space, entry, number, enums, spaces):
    checks = entry.get('checks', {})
    bounded = 'min' in checks or 'max' in checks
    kind = ' '.join(filter(None, (entry['type'], entry.get('sub-type'))))
    nested = entry.get('nested-attributes')
    return Attribute(c_tag(space['enum-name']), c_name(space['name-prefix'] + entry['name']),
                     number, kind, values=enums.get(entry.get('enum')),
                     space=spaces.get(nested), repeated=entry.get('multi-attr', False),
                     range=(checks.get('min', 0), limit(checks['max'])) if bounded else None)


def spaces_of(spec):
    """Those with attributes of their own."""
    return [space for space in spec['attribute-sets'] if 'subset-of' not in space]


def tags_of_spaces(spec):
    tags = {space['name']: c_tag(space['enum-name']) for space in spaces_of(spec)}
    return {space['name']: tags[space.get('subset-of', space['name'])]
            for space in spec['attribute-sets']}


def facts_of_spec(spec):
    family, operations = spec['name'], spec['operations']
    facts = {Define(c_name(spec['c-family-name']), family),
             Define(c_name(spec['c-version-name']), spec['version'])}
    facts |= {Define(c_name(group['c-define-name']), group['name'])
              for group in spec.get('mcast-groups', {'list': []})['list']}
    facts |= {Command(c_tag(operations['enum-name']),
                      c_name(operations['name-prefix'] + entry['name']), number)
              for entry, number in numbered(operations['list'], 1)}
    enums = {entry['name']: c_tag(entry['enum-name']) for entry in spec['definitions']}
    spaces = tags_of_spaces(spec)
    for space in spaces_of(spec):
        facts |= {attribute_from_spec(space, entry, number, enums, spaces)
                  for entry, number in numbered(space['attributes'], 1)}
    for definition in spec['definitions']:
        flags = definition['type'] == 'flags'
        facts |= {Value(family, definition['header'], enums[definition['name']], flags,
                        c_name(definition['name-prefix'] + entry['name']),
                        1 << number if flags else number)
                  for entry, number in numbered(definition['entries'],
                                                definition.get('value-start', 0))}
    return facts


def facts_of_specs(specs):
    return set().union(*map(facts_of_spec, specs))


def differences(by_specs, by_headers):
    return sorted([f'only in the specification: {fact}' for fact in by_specs - by_headers] +
                  [f'only in the header: {fact}' for fact in by_headers - by_specs])


def messages(spec):
    """(operation, attributes) of each kind of message."""
    for operation in spec['operations']['list']:
        found = [operation['event']] if 'event' in operation else \
            [message for mode in ('do', 'dump') for message in operation.get(mode, {}).values()]
        for message in found:
            yield operation, message['attributes']


def loose_ends(spec):
    """Missing attributes that messages or subsets name, attributes that no message
    has, and groups that no message is sent to."""
    subsets = {space['name']: space['subset-of'] for space in spec['attribute-sets']
               if 'subset-of' in space}
    there = {(space['name'], entry['name'])
             for space in spaces_of(spec) for entry in space['attributes']}
    named = {(operation['attribute-set'], name)
             for operation, names in messages(spec) for name in names}
    nested = {entry['nested-attributes'] for space in spaces_of(spec)
              for entry in space['attributes'] if 'nested-attributes' in entry}
    for space in spec['attribute-sets']:
        if space['name'] in subsets or space['name'] in nested:
            named |= {(subsets.get(space['name'], space['name']), entry['name'])
                      for entry in space['attributes']}
    unused = {(space, name) for space, name in there - named if name != 'pad'}
    groups = {group['name'] for group in spec.get('mcast-groups', {'list': []})['list']}
    heard = {operation['mcgrp'] for operation in spec['operations']['list']
             if 'event' in operation}
    return (named - there) | unused | (groups ^ heard)


def undocumented(spec):
    entries = [spec, *spec['definitions'], *spec['attribute-sets'], *spec['operations']['list']]
    entries += [entry for definition in spec['definitions'] for entry in definition['entries']]
    entries += [entry for space in spaces_of(spec) for entry in space['attributes']]
    return [entry['name'] for entry in entries if not entry.get('doc', '').strip().endswith('.')]


def lists(spec):
    """Where the entries are, as paths into the specification."""
    yield 'operations', 'list'
    for number in range(len(spec['definitions'])):
        yield 'definitions', number, 'entries'
    for number, space in enumerate(spec['attribute-sets']):
        if 'subset-of' not in space:
            yield 'attribute-sets', number, 'attributes'


def at(spec, path):
    for step in path:
        spec = spec[step]
    return spec


def load():
    specs = [yaml.safe_load((REPO / f'docs/netlink/{name}.yaml').read_text()) for name in SPECS]
    texts = {name: (REPO / 'shared' / name).read_text() for name in HEADERS}
    return specs, texts


class Specification(unittest.TestCase):
    def setUp(self):
        self.specs, self.texts = load()

    def test_says_what_the_headers_say(self):
        self.assertEqual(differences(facts_of_specs(self.specs), facts_of_headers(self.texts)), [])

    def test_is_of_the_family_that_its_file_is_named_after(self):
        self.assertEqual(tuple(spec['name'] for spec in self.specs), SPECS)

    def test_has_each_attribute_in_a_message_and_no_other(self):
        for spec in self.specs:
            self.assertEqual(loose_ends(spec), set(), spec['name'])

    def test_explains_everything_in_sentences(self):
        for spec in self.specs:
            self.assertEqual(undocumented(spec), [], spec['name'])


class Comparison(unittest.TestCase):
    """It notices each thing that is changed."""

    def setUp(self):
        self.specs, self.texts = load()
        self.by_specs, self.by_headers = facts_of_specs(self.specs), facts_of_headers(self.texts)

    def check_spec(self, what, specs):
        self.assertTrue(differences(facts_of_specs(specs), self.by_headers), what)

    def check_header(self, name, changed):
        facts = facts_of_headers({**self.texts, name: changed})
        self.assertTrue(differences(self.by_specs, facts), changed)

    def changed_specs(self, change):
        """One specification after the other with one entry changed: (what, specs)."""
        for number, spec in enumerate(self.specs):
            for path in lists(spec):
                for place in range(len(at(spec, path))):
                    specs = list(self.specs)
                    specs[number] = copy.deepcopy(spec)
                    entries = at(specs[number], path)
                    what = f'{spec["name"]}: {path}: {entries[place]["name"]}'
                    if change(entries, place):
                        yield what, specs

    def check_specs(self, change):
        count = 0
        for what, specs in self.changed_specs(change):
            self.check_spec(what, specs)
            count += 1
        self.assertGreater(count, 0)

    def check_uapi(self, pattern, replacement):
        """With one match after the other replaced."""
        text, count = self.texts[UAPI], 0
        for match in re.finditer(pattern, text, re.MULTILINE):
            self.check_header(UAPI, text[:match.start()] + match.expand(replacement) +
                              text[match.end():])
            count += 1
        self.assertGreater(count, 0)

    def test_sees_an_entry_that_the_specification_lacks(self):
        def remove(entries, place):
            del entries[place]
            return True
        self.check_specs(remove)

    def test_sees_an_entry_of_another_name(self):
        def rename(entries, place):
            entries[place]['name'] += '-x'
            return True
        self.check_specs(rename)

    def test_sees_an_entry_of_another_number(self):
        def renumber(entries, place):
            entries[place]['value'] = 100
            return True
        self.check_specs(renumber)

    def test_sees_entries_in_another_order(self):
        def swap(entries, place):
            # Entries with values of their own have no order.
            if place == 0 or all('value' in entry for entry in entries[place - 1:place + 1]):
                return False
            entries[place - 1:place + 1] = reversed(entries[place - 1:place + 1])
            return True
        self.check_specs(swap)

    def test_sees_an_attribute_of_another_type(self):
        def retype(entries, place):
            if 'type' not in entries[place]:
                return False
            entries[place]['type'] = 'u16'
            return True
        self.check_specs(retype)

    def test_sees_an_attribute_that_repeats_or_does_not(self):
        def repeat(entries, place):
            if 'type' not in entries[place]:
                return False
            entries[place]['multi-attr'] = not entries[place].get('multi-attr', False)
            return True
        self.check_specs(repeat)

    def test_sees_what_an_attribute_refers_to(self):
        for key in ('enum', 'nested-attributes', 'sub-type'):
            def forget(entries, place, key=key):
                return entries[place].pop(key, None)
            self.check_specs(forget)

    def test_sees_another_range(self):
        def widen(entries, place):
            if 'max' not in entries[place].get('checks', {}):
                return False
            entries[place]['checks']['max'] = 77
            return True
        self.check_specs(widen)

    def test_sees_another_family(self):
        for key, value in (('name', 'other'), ('version', 99), ('c-family-name', 'other'),
                           ('c-version-name', 'other')):
            for number in range(len(self.specs)):
                specs = copy.deepcopy(self.specs)
                specs[number][key] = value
                self.check_spec(key, specs)

    def test_sees_another_group(self):
        for key in ('name', 'c-define-name'):
            specs = copy.deepcopy(self.specs)
            specs[0]['mcast-groups']['list'][0][key] = 'other'
            self.check_spec(key, specs)

    def test_sees_an_entry_that_the_uapi_lacks(self):
        self.check_uapi(r'^\tMACSTATS_\w+(?<!_MAX)( = 1)?,', '')

    def test_sees_an_entry_that_the_uapi_adds(self):
        self.check_uapi(r'^\t__MACSTATS_(\w+)_MAX,', r'\tMACSTATS_\1_X,\t/* u32 */\n\g<0>')

    def test_sees_an_entry_of_another_name_in_the_uapi(self):
        self.check_uapi(r'^\tMACSTATS_\w+(?<!_MAX)(?= = 1,|,)', r'\g<0>_X')

    def test_sees_another_name_version_or_group_in_the_uapi(self):
        self.check_uapi(r'^(#define MACSTATS_\w+[ \t]+)("\w+"|\d+)', r'\g<1>"x"')

    def test_sees_a_value_of_another_name_in_the_headers(self):
        for spec in self.specs:
            for definition in spec['definitions']:
                text = self.texts[definition['header']]
                for entry in definition['entries']:
                    name = c_name(definition['name-prefix'] + entry['name'])
                    changed, count = re.subn(rf'\b{name}\b', name + '_X', text)
                    self.assertGreater(count, 0, name)
                    self.check_header(definition['header'], changed)

    def test_sees_a_value_that_the_headers_add(self):
        for name, pattern, added in (
                ('macstats/schema.h', r'^\tMACSTATS_ONREAD_RCLR,.*\n', '\tMACSTATS_ONREAD_X,\n'),
                ('macstats/accumulator.h', r'^\tMACSTATS_EVENT_THRESHOLD .*\n',
                 '\tMACSTATS_EVENT_X = 1 << 6,\n')):
            changed, count = re.subn(pattern, r'\g<0>' + added, self.texts[name],
                                     flags=re.MULTILINE)
            self.assertEqual(count, 1)
            self.check_header(name, changed)


if __name__ == '__main__':
    unittest.main()
