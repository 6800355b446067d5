#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The JSON that the command prints about ports and devices matches docs/schema.
test/unit/cli/json_schemas.py validates the outputs that need no kernel module."""

# long

import json

import cli
import schemas
from follower import Follower
from ports import CLEAR, RX_CONFIG, case_in_place, place
from tap import expect, expect_equal, main

MODELS = [model['name'] for model in cli.macstats_json('models')]


def check(here, name, *words):
    """The output of a command, which matches the schema."""
    with here.inside():
        document = json.loads(cli.output(cli.MACSTATS, *words))
    expect_equal(schemas.problem(name, document), '', f'macstats {" ".join(words)}')
    return document


@case_in_place
def ports_and_their_statistics_match(here):
    check(here, 'ports', 'ports', '--json')
    check(here, 'show', 'show', '--json')
    ports = [here.add(model, quiet=False) for model in MODELS]
    for port in ports:
        port.inject(count=5, length=100)
    expect_equal(len(check(here, 'ports', 'ports', '--json')) >= len(MODELS), True, 'ports')
    for words in ((), ('--rate', '0.2s'), ('--rate=100ms', '--group', 'rmon,pause'),
                  ('--nonzero', '--descriptions'), ('--group=eth-mac,rtnl', '--nonzero')):
        check(here, 'show', 'show', '--json', *words)


@case_in_place
def ports_in_trouble_match(here):
    port = here.add(quiet=False)
    port.inject(count=5)
    port.stats()
    port.poke(RX_CONFIG, CLEAR)
    port.fault('parity_error')
    port.stats()
    port.fault('snapshot_stuck')
    port.stats()
    listed, = check(here, 'ports', 'ports', '--json')
    expect(listed['state']['stale'] and listed['state']['discontinuities'], listed)
    shown, = check(here, 'show', 'show', '--json', '--rate', '0.2')
    expect_equal(shown['rate']['continuity'], 'not_read', 'continuity')


@case_in_place
def tags_and_what_was_counted_since_match(here):
    port = here.add()
    check(here, 'tag', 'tag', 'add', 'schemas', port.name, '--json')
    port.inject(count=5)
    expect_equal([tag['tag'] for tag in check(here, 'tags', 'tag', 'list', '--json')],
                 ['schemas'], 'tags')
    check(here, 'show', 'show', port.name, '--since', 'schemas', '--json')
    with here.inside():
        cli.output(cli.MACSTATS, 'tag', 'delete', 'schemas')


@case_in_place
def events_match(here):
    with Follower(here, '--count', '7') as follower:
        port = here.add(held=True, quiet=False)
        for happening in (lambda: port.inject(count=5, length=64), lambda: port.fault('bus_error'),
                          lambda: port.fault('bus_error', False),
                          lambda: port.fault('parity_error'),
                          lambda: port.poke(RX_CONFIG, CLEAR)):
            happening()
            port.poll()
        with here.inside():
            reached = cli.macstats_json('events', '--timeout', '0', '--threshold', 'rx_64b=5')
        port.delete()
        events = [reached, *follower.rest()]
    for event in events:
        expect_equal(schemas.problem('event', event), '', 'events')
    # A parity error damages a value, which is one discontinuity; the clear is another.
    expect_equal([event['event'] for event in events],
                 ['threshold', 'port_added', 'stale', 'recovered', 'discontinuity', 'parity_error',
                  'discontinuity', 'port_removed'], 'events')
    expect(events[2]['reason'], 'a reason why it is stale')


@case_in_place
def devices_and_registers_match(here):
    check(here, 'emu-list', 'emu', 'list', '--json')
    for model in MODELS:
        check(here, 'emu-add', 'emu', 'add', model, '--json')
    devices = check(here, 'emu-list', 'emu', 'list', '--json')
    expect_equal([device['model'] for device in devices], MODELS, 'devices')
    expect(not any(device['held'] for device in devices), devices)
    for device in devices:
        name = device['ports'][0]['name']
        check(here, 'registers', 'registers', name, '--json')
    check(here, 'emu-peek', 'emu', 'peek', here.add().name, '0x506', '--json')
    here.add(held=True, quiet=False)
    expect(check(here, 'emu-list', 'emu', 'list', '--json')[-1]['held'], 'held')
    with here.inside():
        expect(cli.output(cli.MACSTATS, 'emu', 'list').endswith(', held\n'), 'held, for people')
    here.links.move(devices[0]['ports'][0]['ifindex'], place().namespace)
    moved = check(here, 'emu-list', 'emu', 'list', '--json')[0]['ports'][0]
    expect_equal(moved, {'name': None, 'ifindex': None}, 'a port elsewhere')


main()
