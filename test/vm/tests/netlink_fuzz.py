#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Damaged requests to both netlink families, from several processes with and without
privileges: each answer is well-formed and has only what the specification lists, no
unprivileged request changes anything, and the kernel reports nothing.

    netlink_fuzz.py [--seed S] [--messages N] [--seconds T]

N and T are those of each process."""

# timeout: 40000

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

import uapi
import cli
import effort
from cli import MACSTATS
from ports import Place, all_models, case_in_place, devices_on_bus, place
from tap import SLOW, case, expect, expect_equal, main, wait_for
from users import become_nobody

import yaml

REPO = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(MACSTATS).parents[2] / 'test/random/netlink-fuzz'
# Of each process. A full run sends 5 million, however long it takes.
MESSAGES = effort.count('MACSTATS_MESSAGES', 30_000, 100_000, 1_000_000)
SECONDS = effort.count('MACSTATS_SECONDS', 25, 25, 36_000)
SUB_TYPES = {'u32': 'u32s', 'u64': 'u64s'}
# An administrator chooses these values. The kernel accepts control characters in names.
FREE = {('stats', 'values'), ('stats', 'standard-values'), ('port', 'value'),
        ('port', 'discontinuity-value'), ('port', 'name')}
# Numbers besides the limits and words of the specifications: limits of registers, sizes.
NUMBERS = (0, 1, 2, 3, 4, 63, 64, 65, 255, 256, 1518, 1522, 65535, 65536, 0x7fffffff, 0x80000000,
           0xffffffff, 0x100000000, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
# Addresses of registers that are not counters, of ll40g and e1000.
CONTROL = (0x0, 0x8, 0x100, 0x400, 0x407, 0x506, 0x840, 0x841, 0x845, 0x846, 0x945, 0x946)
# Good values of an attribute, by its name or its set and name: a role and its limits.
ROLES = {'ifindex': 'port 0 0', 'peer': 'peer 0 0', 'device id': 'device 0 0',
         'counter': 'range 0 63', 'address': 'address 0 0', 'argument': 'range 0 100'}
# Roles whose limits are in the specification.
FAULTS = {'fault', 'active'}
# Operations that netlink-fuzz itself uses, see test/random/netlink/table.hpp.
PURPOSES = {'port-get dump': 'list', 'device-get dump': 'list', 'device-new do': 'add',
            'device-del do': 'remove', 'fault do': 'fault'}
# Few requests have such a result: only after so many requests of all privileged processes, it
# has to be there.
RARE, MANY = {'device-new do', 'fault do', 'port-event-ntf event'}, 60_000
LEAST = 1000  # messages of each process
NAMES = 'fuzz%d', 'fuzz%d', 'fuzz%d', 'fuzz', '%d', '%s', 'a/b', '.', 'lo', 'x' * 15, 'x' * 63


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=effort.seed())
    parser.add_argument('--messages', type=int, default=MESSAGES)
    parser.add_argument('--seconds', type=float, default=SECONDS * SLOW)
    options = parser.parse_args()
    del sys.argv[1:]  # main() takes names of cases
    return options


OPTIONS = arguments()


def specification(family):
    return yaml.safe_load((REPO / f'docs/netlink/{family}.yaml').read_text())


class Table:
    """The specifications of both families, as netlink-fuzz reads them."""

    def __init__(self, here):
        self.lines, self.numbers, self.sets = [], set(NUMBERS), 0
        self.privileged = {}  # by operation, 'stats-get dump'
        ids = [model['id'] for model in here.models()]
        good = f'range {min(ids)} {max(ids) + 1}'
        self.roles = {**ROLES, 'model id': good, 'model-id': good}
        for number, user in enumerate((here.query, here.emu)):
            group = next(iter(user.groups.values()), 0)
            spec = specification(user.name)
            self.lines.append(f'family {user.name} {user.id} {spec["version"]} {group}')
            self.add(number, spec)
        models = all_models()
        addresses = {row['offset'] for model in models
                     for row in cli.macstats_json('model', model)['counters']
                     if row['offset'] is not None}
        self.lines += [f'number {value}' for value in sorted(self.numbers)]
        self.lines += [f'address {value}' for value in sorted({*addresses, *CONTROL})]
        self.lines += [f'model {model}' for model in models]
        self.lines += [f'name {name}' for name in NAMES]

    def add(self, family, spec):
        sets, whole = {}, {}
        for entry in spec['attribute-sets']:
            sets[entry['name']] = self.sets
            self.sets += 1
            whole[entry['name']] = entry
        numbers = {}
        for name, entry in whole.items():
            parent = whole[entry.get('subset-of', name)]
            prefix = parent['name-prefix'].replace('-', '_').upper()
            listed = {one['name']: one for one in parent['attributes']}
            numbers[name] = {one: uapi.number(prefix, one.replace('-', '_')) for one in listed}
            for one in entry['attributes']:
                row = listed[one['name']] | one
                role = self.role(spec, parent['name'], row)
                kind = SUB_TYPES[row['sub-type']] if row['type'] == 'binary' else row['type']
                nested = sets[row['nested-attributes']] if kind == 'nest' else -1
                free = (parent['name'], row['name']) in FREE
                self.lines.append(
                    f'attribute {sets[name]} {numbers[name][row["name"]]} {kind} {nested} '
                    f'{int(row.get("multi-attr", False))} {int(free)} {role}')
        prefix = spec['operations']['name-prefix'].replace('-', '_').upper()
        for one in spec['operations']['list']:
            command = uapi.number(prefix, one['name'].replace('-', '_'))
            privileged = int(not {'admin-perm', 'uns-admin-perm'}.isdisjoint(one.get('flags', [])))

            def listed_in(part, name=one['attribute-set']):
                found = [numbers[name][fact] for fact in (part or {}).get('attributes', [])]
                return ','.join(map(str, found)) or '-'
            for way in ('do', 'dump', 'event'):
                if way not in one:
                    continue
                request, reply = ('-', listed_in(one[way])) if way == 'event' else (
                    listed_in(one[way].get('request')), listed_in(one[way].get('reply')))
                title = f'{one["name"]} {way}'
                self.privileged[title] = bool(privileged)
                self.lines.append(
                    f'operation {one["name"]} {family} {command} {way} {privileged} '
                    f'{PURPOSES.get(title, "none")} {sets[one["attribute-set"]]} '
                    f'{request} {reply}')

    def role(self, spec, where, row):
        """Good values of an attribute."""
        checks = {name: (1 << 63) - 1 if limit == 's64-max' else limit
                  for name, limit in row.get('checks', {}).items() if name != 'max-len'}
        for limit in checks.values():
            self.numbers.update((limit - 1, limit, limit + 1))
        for words in spec['definitions']:
            if words['name'] == row.get('enum') and words['type'] == 'flags':
                self.numbers.add((1 << len(words['entries'])) - 1)
                role = row['name'] if row['name'] in FAULTS else 'flag'
                return f'{role} 0 {len(words["entries"]) - 1}'
        if checks:
            role = row['name'] if row['name'] in FAULTS else 'range'
            return f'{role} {checks.get("min", 0)} {min(checks["max"], 1 << 20)}'
        if row['type'] == 'string':
            model = 'model' in (row['name'], where)
            return f'{"model" if model else "name"} 0 0'
        return self.roles.get(f'{where} {row["name"]}', self.roles.get(row['name'], 'any 0 0'))

    def write(self, file):
        file.write('\n'.join(self.lines) + '\n')
        file.flush()


def start(name, where, table, seed, before=lambda: None, privileged=True):
    """A process in a namespace; before() runs in it first."""
    words = [PROGRAM, '--seed', str(seed), '--messages', str(OPTIONS.messages),
             '--seconds', str(OPTIONS.seconds), *([] if privileged else ['--unprivileged']), table]
    with where.inside():
        process = subprocess.Popen(words, preexec_fn=before, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
    return name, process


def results(running):
    """{name: {words: number}} of the outputs of processes that have found nothing wrong."""
    found = {}
    for name, process in running:
        lines = process.communicate()[0].splitlines()
        print(*(f'# {name}: {line}' for line in lines), sep='\n', flush=True)
        if process.returncode == 0:
            found[name] = {words: float(number)
                           for words, number in (line.rsplit(None, 1) for line in lines)}
    expect_equal({name: process.returncode for name, process in running if process.returncode}, {},
                 'exit status')
    return found


def facts(here):
    """The state that no unprivileged process can change."""
    moving = 'poll_time', 'longest_poll', 'longest_wait'
    return (here.devices(),
            [{key: value for key, value in port.items() if key not in moving}
             for port in here.ports()], [stats['values'] for stats in here.stats(cached=True)])


def expect_reached(privileged, done):
    """The requests were good enough: for a process with its privilege, each operation of the
    specification succeeded; each notification came. @privileged: by operation."""
    root, nobody = collections.Counter(), collections.Counter()
    for name, counts in done.items():
        (nobody if name.startswith('nobody') else root).update(counts)
        expect(counts['messages'] >= min(LEAST, OPTIONS.messages),
               f'{name}: {counts["messages"]:.0f} messages')
    missed = []
    for title, needs_privilege in privileged.items():
        event = title.endswith(' event')
        found = f'{"notified" if event else "succeeded"} {title}'
        print(f'# {found}: {root[found]:.0f}, unprivileged {nobody[found]:.0f}')
        if not root[found] and (root['messages'] >= MANY or title not in RARE):
            missed.append(f'root: {title}')
        if not nobody[found] and not needs_privilege and not event:
            missed.append(f'nobody: {title}')
    expect_equal(missed, [], 'operations that no request reached')


@case_in_place
def each_answer_is_as_specified_and_needs_its_privilege(here):
    seed = OPTIONS.seed
    print(f'# seed {seed}', flush=True)
    other, quiet = place(), place()
    for where in (here, quiet):
        for model in ('ll40g', 'ixf1104'):
            where.add(model, held=where is quiet)
    before = facts(quiet)
    with tempfile.NamedTemporaryFile('w') as file:
        table = Table(here)
        table.write(file)
        os.chmod(file.name, 0o644)
        running = [
            start('root', here, file.name, seed),
            start('root elsewhere', other, file.name, seed + 1),
            start('nobody', here, file.name, seed + 2, become_nobody, privileged=False),
            start('nobody alone', quiet, file.name, seed + 3, become_nobody, privileged=False),
        ]
        done = results(running)
    expect_equal(facts(quiet), before, 'what only an administrator changes')
    expect_reached(table.privileged, done)
    for name in ('nobody', 'nobody alone'):
        expect(done[name].get('errno 1'), f'{name}: no EPERM: {done[name]}')
    total = sum(counts['messages'] for counts in done.values())
    print(f'# {total:.0f} messages in all')
    if effort.FULL:
        expect(total >= len(running) * OPTIONS.messages,
               f'{total:.0f} messages of {len(running) * OPTIONS.messages} in this time')


@case
def nothing_is_left():
    wait_for(lambda: not devices_on_bus(), f'the end of {devices_on_bus()}')
    expect_equal(Place().ports(), [], 'ports')


main()
