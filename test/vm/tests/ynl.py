#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""YNL, the kernel's own netlink tool, uses both families by the specifications in docs/netlink,
and shows what the macstats command shows."""

# long
# not in user-mode Linux: YNL of 6.12 does not know the padding that its alignment needs

import json
import pathlib
import signal
import struct
import subprocess
import time

import cli
from ports import MAX_TX_SIZE, case_in_place, says
from tap import expect, expect_equal, main, wait_for

import yaml

REPO = pathlib.Path(__file__).resolve().parents[3]
KERNEL_SOURCE = REPO / 'build/kernel/source'
DOCUMENTATION = KERNEL_SOURCE / 'Documentation/netlink'
YNL = KERNEL_SOURCE / 'tools/net/ynl/cli.py'
SPECS = {name: REPO / f'docs/netlink/{name}.yaml' for name in ('macstats', 'macstats_emu')}
SPECS['nlctrl'] = DOCUMENTATION / 'specs/nlctrl.yaml'
NETLINK_GENERIC = 16
RX_FRAGMENTS_LO = 0x900  # of ll40g

# The types of the specifications, by their names in the policies of the kernel.
POLICY_TYPES = {'string': 'nul-string', 'nest': 'nested'}
# Units for which macstats has a coarser word than netlink.
UNITS = {'early-collisions': 'collisions', 'wire-octets': 'octets'}


def command(family, *args, schema=False):
    checked = ['--schema', DOCUMENTATION / 'genetlink-legacy.yaml'] if schema else ['--no-schema']
    return ['/usr/bin/python3', '-B', YNL, '--spec', SPECS[family], *checked, '--output-json',
            *args]


def ynl(here, family, *args):
    """The output of YNL: one JSON document a line."""
    with here.inside():
        return [json.loads(line) for line in cli.output(*command(family, *args)).splitlines()]


def do(here, family, operation, **attributes):
    reply, = ynl(here, family, '--do', operation, '--json', json.dumps(keys(attributes)))
    return reply


def dump(here, family, operation, **attributes):
    replies, = ynl(here, family, '--dump', operation, '--json', json.dumps(keys(attributes)))
    return replies


def multi(here, family, *requests):
    """Several requests, (operation, attributes) each, in one call."""
    args = [word for operation, attributes in requests
            for word in ('--multi', operation, json.dumps(keys(attributes)))]
    replies, = ynl(here, family, *args)
    return replies


def rejected(here, family, operation, **attributes):
    with here.inside():
        done = cli.run(*command(family, '--do', operation, '--json',
                                json.dumps(keys(attributes))))
    expect_equal(done.returncode, 1, f'exit status: {done.stdout}{done.stderr}')
    return done.stdout


def keys(attributes):
    return {name.replace('_', '-'): keys(value) if isinstance(value, dict) else value
            for name, value in attributes.items()}


def ids(*numbers):
    """An array of u32, as YNL takes it."""
    return struct.pack(f'={len(numbers)}I', *numbers).hex()


def macstats(here, *args):
    with here.inside():
        return cli.macstats_json(*args)


def totals(here, port):
    shown, = macstats(here, 'show', port.name, '--cached')
    return list(shown['totals'].values())


def spec(family):
    return yaml.safe_load(SPECS[family].read_text())


@case_in_place
def the_specifications_are_valid_by_the_schema_of_the_kernel(here):
    for family in ('macstats', 'macstats_emu'):
        with here.inside():
            listed = cli.output(*command(family, '--list-ops', schema=True))
        expect_equal([line.split()[0] for line in listed.splitlines()],
                     [entry['name'] for entry in spec(family)['operations']['list']
                      if 'event' not in entry], f'operations of {family}')


def policies(here, family):
    """{number of the operation: {number of the attribute: type}}, as the kernel reports."""
    operations, attributes = {}, {}
    for message in dump(here, 'nlctrl', 'getpolicy', family_name=family):
        if 'op-policy' in message:
            policy = message['op-policy']
            expect_equal(policy.get('do', policy.get('dump')), policy.get('dump', policy.get('do')),
                         f'one policy for do and dump of {policy}')
            operations[policy['op-id']] = policy.get('do', policy.get('dump'))
        else:
            policy = message['policy']
            attributes.setdefault(policy['policy-id'], {})[policy['attr-id']] = policy['type']
    return {operation: attributes[policy] for operation, policy in operations.items()}


def requests_in(family):
    """The operations and attributes of the specification, likewise."""
    found, specification = {}, spec(family)
    spaces = {space['name']: {entry['name']: (number, entry['type'])
                              for number, entry in enumerate(space['attributes'], 1)}
              for space in specification['attribute-sets'] if 'subset-of' not in space}
    for number, entry in enumerate(specification['operations']['list'], 1):
        if 'event' in entry:
            continue
        names = {name for mode in ('do', 'dump')
                 for name in entry.get(mode, {}).get('request', {}).get('attributes', [])}
        space = spaces[entry['attribute-set']]
        found[number] = {space[name][0]: POLICY_TYPES.get(space[name][1], space[name][1])
                         for name in names}
    return found


@case_in_place
def the_kernel_accepts_exactly_the_specified_attributes(here):
    for family in ('macstats', 'macstats_emu'):
        expect_equal(policies(here, family), requests_in(family), f'requests of {family}')


@case_in_place
def the_kernel_has_exactly_the_specified_operations(here):
    for family in ('macstats', 'macstats_emu'):
        said = do(here, 'nlctrl', 'getfamily', family_name=family)
        specification = spec(family)
        expect_equal((said['version'], [group['name'] for entry in said.get('mcast-groups', [])
                                        for group in entry.values()]),
                     (specification['version'],
                      [group['name'] for group in
                       specification.get('mcast-groups', {'list': []})['list']]), family)
        modes = {}
        for entry in said['ops']:
            for operation in entry.values():
                modes[operation['id']] = {mode for mode in ('do', 'dump')
                                          if f'cmd-cap-{mode}' in operation['flags']}
        expect_equal(modes, {number: {'do', 'dump'} & entry.keys() for number, entry
                             in enumerate(specification['operations']['list'], 1)
                             if 'event' not in entry}, f'operations of {family}')


@case_in_place
def models_equal_those_of_macstats(here):
    expect_equal(dump(here, 'macstats', 'model-get'), [], 'without a port')
    known = macstats(here, 'models')
    numbers = {model['name']: here.add(model['name'], held=True).state()['model_id']
               for model in known}
    expected = sorted(
        ({'name': model['name'], 'title': model['title'], 'datasheet': model['datasheet'],
          'ports': model['ports'], 'line-rate': model['line_rate_bps'],
          'counters': len(model['counters']), 'id': numbers[model['name']]} for model in known),
        key=lambda model: model['id'])
    expect_equal(dump(here, 'macstats', 'model-get'), expected, 'all models')
    one = expected[-1]
    expect_equal(do(here, 'macstats', 'model-get', id=one['id']), one, 'a model')


@case_in_place
def counters_equal_those_of_macstats(here):
    for name in ('ixf1104', 'cpsw'):
        number = here.add(name, held=True).state()['model_id']
        dumped = dump(here, 'macstats', 'counter-get', **{'model-id': number})
        rows = macstats(here, 'model', name)['counters']
        expect_equal([counter['id'] for counter in dumped], list(range(len(rows))), 'ids')
        for counter, row in zip(dumped, rows):
            same = {key: counter[key] for key in ('name', 'register', 'description', 'offset',
                                                  'bits', 'onread', 'onwrite', 'overflow')}
            expect_equal(same, {key: row[key] for key in same}, row['name'])
            expect_equal((counter['model'], counter['model-id'],
                          UNITS.get(counter['unit'], counter['unit'])),
                         (name, number, row['unit']), row['name'])
            never_counts = row['wrap_seconds'] is None
            expect_equal(''.join(sorted(counter['direction'])),
                         '' if never_counts else row['direction'], row['name'])
            # The command adds the group, and the factor where it is not 1.
            expect_equal(counter.get('standard', []),
                         [word.split('/')[1].split('*')[0] for word in row['standard']],
                         row['name'])


def as_macstats_has_it(port):
    """A port of YNL's in the words of `macstats ports --json`."""
    return {'port': port['name'], 'ifindex': port['ifindex'], 'model': port['model'],
            'index': port['index'], 'absent': port.get('absent', False),
            'state': {'stale': port.get('stale', False),
                      'possible_loss': port.get('possible-loss', False),
                      'discontinuities': port['discontinuities']},
            'stale_reason': port.get('stale-reason'),
            'discontinuity_time_ns': port.get('discontinuity-time'),
            'discontinuity_counter': port.get('discontinuity-counter'),
            'discontinuity_value': port.get('discontinuity-value'),
            'parity_errors': port['parity-errors'], 'poll_usecs': port['poll-usecs'],
            'poll_ceiling_usecs': port['poll-ceiling-usecs'], 'poll_time_ns': port['poll-time'],
            'late_polls': port['late-polls'], 'failed_polls': port['failed-polls'],
            'longest_poll_ns': port['longest-poll'], 'longest_wait_ns': port['longest-wait']}


@case_in_place
def ports_equal_those_of_macstats(here):
    port, other = here.add('ll40g_agilex5'), here.add('ll40g')
    other.fault('bus_error')
    other.totals()
    expected = macstats(here, 'ports')
    expect_equal([as_macstats_has_it(entry) for entry in dump(here, 'macstats', 'port-get')],
                 expected, 'all ports')
    expect(expected[-1]['stale_reason'], f'not stale: {expected[-1]}')
    expect_equal(as_macstats_has_it(do(here, 'macstats', 'port-get', ifindex=port.ifindex)),
                 expected[0], 'a port')


@case_in_place
def statistics_equal_those_of_macstats(here):
    port, other = here.add('ll40g'), here.add('ll40g_agilex5')
    before = totals(here, port)
    port.inject(count=11, length=1000)
    other.inject(count=22)
    cached, fresh = multi(here, 'macstats',
                          ('stats-get', {'ifindex': port.ifindex, 'cached': True}),
                          ('stats-get', {'ifindex': port.ifindex}))
    expect_equal(cached['values'], before, 'cached values')
    expect_equal(fresh['generation'], cached['generation'] + 1, 'good polls')
    expect_equal(fresh['values'], totals(here, port), 'values')
    expect_equal(fresh['values'][port.counter_names().index('rx_st')], 11, 'frames')
    expect_equal([(entry['ifindex'], entry['values'])
                  for entry in dump(here, 'macstats', 'stats-get')],
                 [(end.ifindex, totals(here, end)) for end in (port, other)], 'all statistics')


@case_in_place
def requested_counters_are_those_of_the_request(here):
    port, other, last = here.add('ll40g'), here.add('ll40g_agilex5'), here.add('ll40g')
    for end, count in (port, 5), (other, 6), (last, 7):
        end.inject(count=count, length=1000, destination='broadcast')
    names = port.counter_names()
    wanted = ids(names.index('rx_512to1023b'), names.index('rx_bcast_data_ok'))
    reply = do(here, 'macstats', 'stats-get', ifindex=port.ifindex, counters=wanted)
    expect_equal(reply['values'], [5, 5], 'values of a port')
    found = dump(here, 'macstats', 'stats-get', counters=wanted,
                 **{'model-id': port.state()['model_id']})
    expect_equal([(entry['ifindex'], entry['values']) for entry in found],
                 [(port.ifindex, [5, 5]), (last.ifindex, [7, 7])], 'values of a model')


@case_in_place
def a_device_is_made_found_and_deleted(here):
    made, again = multi(here, 'macstats_emu',
                        ('device-new', {'model': 'ixf1104', 'name': 'lan%d', 'seed': 5,
                                        'options': ['statistics', 'fiber'], 'held': True}),
                        ('device-new', {'model': 'll40g'}))
    expect_equal((made['model'], sorted(made['options']), made['held'], len(made['port'])),
                 ('ixf1104', ['fiber', 'statistics'], True, 4), 'a device')
    expect_equal([port['port'] for port in macstats(here, 'ports')],
                 ['lan0', 'lan1', 'lan2', 'lan3', 'mac0'], 'ports')
    found = dump(here, 'macstats_emu', 'device-get')
    expect_equal([{**device, 'options': sorted(device['options'])} for device in found],
                 [{**device, 'options': sorted(device['options'])} for device in (made, again)],
                 'devices')
    answer = multi(here, 'macstats_emu', ('device-get', {'id': again['id']}),
                   ('device-del', {'id': made['id']}))
    expect_equal((answer[0]['port'], answer[1]), (again['port'], None), 'answers')
    expect_equal([port['port'] for port in macstats(here, 'ports')], ['mac0'], 'ports')


@case_in_place
def ynl_controls_hardware_as_macstats_does(here):
    port, peer = here.add('ll40g'), here.add('ll40g')
    counter = port.counter_names().index('rx_fragments')
    at = {'ifindex': port.ifindex}
    frame = {'length': 40, 'errors': ['fcs'], 'destination': 'multicast', 'direction': 'rx',
             'kind': 'data', 'origin': 'software', 'vlan-tags': 0}
    multi(here, 'macstats_emu',
          ('link', {**at, 'peer': peer.ifindex}),
          ('inject', {**at, 'frame': frame, 'count': (1 << 40) + 1}),
          ('reg-write', {**at, 'address': MAX_TX_SIZE, 'value': 1600}))
    expect_equal(port.totals()['rx_fragments'], (1 << 40) + 1, 'frames')
    read, *_ = multi(here, 'macstats_emu', ('reg-read', {**at, 'address': MAX_TX_SIZE}),
                     ('preset', {**at, 'counter': counter, 'value': 0xfffffffe}),
                     ('fault', {**at, 'fault': ['parity-error']}), ('unlink', at))
    with here.inside():
        peeked = cli.macstats_json('emu', 'peek', port.name, hex(MAX_TX_SIZE))
    expect_equal(read, {**at, 'address': MAX_TX_SIZE, 'value': 1600}, 'register')
    expect_equal(peeked['value'], 1600, 'register by macstats')
    expect_equal(port.peek(RX_FRAGMENTS_LO), 0xfffffffe, 'preset register')
    expect_equal(port.totals()['rx_fragments'], (1 << 40) + 1, 'frames after the preset')
    expect_equal(port.state()['parity_errors'], 1, 'parity errors')

    held = here.add('cpsw', held=True, quiet=False)
    at = {'ifindex': held.ifindex}
    multi(here, 'macstats_emu', ('inject', {**at, 'frame': {**frame, 'length': 100}, 'count': 3}),
          ('poll', at))
    expect_equal(held.totals(cached=True)['rx_crc_errors'], 3, 'a poll')
    polled = held.state()['poll_time']
    multi(here, 'macstats_emu', ('advance', {**at, 'nsecs': 5_000_000}))
    expect_equal(held.state()['poll_time'], polled - 5_000_000, 'the time of the last poll')


def listens(pid):
    """Is a generic netlink socket of this process in a group?"""
    rows = pathlib.Path(f'/proc/{pid}/net/netlink').read_text().splitlines()[1:]
    return any(int(row[1]) == NETLINK_GENERIC and int(row[2]) == pid and int(row[3], 16)
               for row in map(str.split, rows))


def heard_during(here, action):
    """(name, attributes) of the notifications that YNL shows after the action. It is
    stopped meanwhile, so that it does not look for them too early."""
    def stopped():
        with here.inside():
            process = subprocess.Popen(
                [str(word) for word in command('macstats', '--subscribe', 'events',
                                               '--sleep', '2')],
                stdout=subprocess.PIPE, text=True, env=cli.ENVIRONMENT)
        wait_for(lambda: process.poll() is not None or listens(process.pid), 'YNL listens')
        process.send_signal(signal.SIGSTOP)
        return process if process.poll() is None else None
    process = wait_for(stopped, 'YNL is stopped before it looks for them')
    action()
    process.send_signal(signal.SIGCONT)
    return [(message['name'], message['msg'])
            for message in json.loads(process.communicate()[0])]


@case_in_place
def a_subscriber_receives_events_and_added_and_deleted_ports(here):
    ports = []

    def come_and_go():
        ports.append(here.add())
        ports[0].fault('parity_error')
        ports[0].totals()
        ports[0].delete()
    before = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    heard = heard_during(here, come_and_go)
    after = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    expect_equal({(message['ifindex'], message['name']) for _, message in heard},
                 {(ports[0].ifindex, ports[0].name)}, 'ports')
    (first, _), *events, (last, _) = heard
    expect_equal((first, {name for name, _ in events}, last),
                 ('port-new-ntf', {'port-event-ntf'}, 'port-del-ntf'), 'notifications')
    expect_equal(sorted(word for _, message in events for word in message['event']),
                 ['discontinuity', 'parity-error'], 'events')
    times = [message['time'] for _, message in heard]
    expect(before < times[0] and times == sorted(times) and times[-1] < after, f'times: {heard}')


@case_in_place
def a_rejection_is_explained_and_names_the_attribute(here):
    port = here.add('ll40g')
    for family, operation, attributes, *words in (
            ('macstats', 'model-get', {'id': 999999}, "'bad-attr': '.id'", 'MODEL_ID'),
            ('macstats', 'port-get', {'ifindex': 999999}, "'bad-attr': '.ifindex'", '999999'),
            ('macstats', 'stats-get', {}, 'STATS_IFINDEX: missing'),
            ('macstats_emu', 'inject', {'ifindex': port.ifindex, 'frame': {'length': 0}},
             "'bad-attr': '.frame.length'", '1 to 65535'),
            ('macstats_emu', 'device-new', {'model': 'll40g', 'id': 1}, "'bad-attr': '.id'")):
        text = rejected(here, family, operation, **attributes)
        for word in words:
            expect(says(text, word), f'{operation} {attributes}: {word} is not in {text}')


main()
