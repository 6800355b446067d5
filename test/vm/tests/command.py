#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The macstats command on real ports: alternative names, verbs, lists, metrics; rates, counts since
a tag and events. It marks unknown values."""

# long

import json
import os
import pathlib
import signal
import subprocess
import time

import cli
from cli import rejected, shown
from follower import Follower
from ports import CLEAR, RX_CONFIG, case_in_place
from tap import expect, expect_equal, main, wait_for

SHORT = 'uplink'
LONG = 'the-uplink-to-the-rack-on-the-left'  # longer than the name of an interface may be
TAGS = pathlib.Path('/var/lib/macstats/tags')


def output(here, *words):
    with here.inside():
        return cli.output(cli.MACSTATS, *words)


def name_port(here, port, *names):
    with here.inside():
        for name in names:
            cli.output('ip', 'link', 'property', 'add', 'dev', port.name, 'altname', name)


def with_alternative_names(here):
    port = here.add()
    name_port(here, port, SHORT, LONG)
    return port


@case_in_place
def alternative_names_are_accepted_everywhere(here):
    port = with_alternative_names(here)
    for name in (SHORT, LONG):
        for words in (('show', name), ('show', '--group', 'pause', name), ('show', '--rate', name),
                      ('watch', name, '--count', '1', '--interval', '0.1', '--json'),
                      ('registers', name), ('tag', 'add', 'command', name),
                      ('events', name, '--timeout', '0', '--threshold', 'rx_64b=1000000'),
                      ('emu', 'inject', name), ('emu', 'peek', name, '0x506'),
                      ('emu', 'fault', name, 'bus_error', '--off')):
            output(here, *words)
    shown, = json.loads(output(here, 'show', LONG, '--json'))
    expect_equal((shown['port'], shown['totals']['tx_64b']), (port.name, 2), 'show: transmit is the default')
    expect_equal(rejected(here, 'show', LONG + 's')[0], 2, 'a name of no port')
    output(here, 'tag', 'delete', 'command')
    output(here, 'emu', 'delete', LONG)
    expect_equal(here.ports(), [], 'ports')


def names_of(events):
    return [event['event'] for event in events]


@case_in_place
def events_of_a_port_are_found_by_each_of_its_names(here):
    other, port = (here.add(held=True, quiet=False) for _ in range(2))
    name_port(here, port, SHORT, LONG)
    for name in (port.name, str(port.ifindex), SHORT, LONG):
        with Follower(here, name, '--count', '2') as follower:
            for one in (other, port):
                one.fault('bus_error')
                one.poll()
                one.fault('bus_error', False)
                one.poll()
            events = follower.rest()
        expect_equal([(event['port'], event['event']) for event in events],
                     [(port.name, 'stale'), (port.name, 'recovered')], name)


@case_in_place
def an_alternative_name_that_comes_later_is_noticed(here):
    with Follower(here, LONG, '--count', '1') as follower:
        port = here.add(held=True, quiet=False)
        wait_for(lambda: port.name in here.ports()[0]['name'], 'the port')
        wait_for(follower.has_read_all, 'port_added is read before the port has the name')
        name_port(here, port, LONG)
        port.fault('bus_error')
        port.poll()
        expect_equal(names_of(follower.rest()), ['stale'], 'events')




@case_in_place
def a_number_of_no_device_deletes_nothing(here):
    port = here.add()
    code, text = rejected(here, 'emu', 'delete', str(port.device), '4711')
    expect_equal((code, 'there is no device 4711 ' in text, '`macstats emu list`' in text),
                 (2, True, True), text)
    expect_equal([entry['ifindex'] for entry in here.ports()], [port.ifindex], 'ports')


@case_in_place
def empty_lists_say_so_in_one_style(here):
    for words, things in ((('ports',), 'ports'), (('show',), 'ports'), (('emu', 'list'), 'devices'),
                          (('tag', 'list'), 'tags')):
        with here.inside():
            done = cli.macstats(*words)
            as_json = cli.macstats(*words, '--json')
        expect_equal((done.returncode, done.stdout), (0, ''), words)
        expect(done.stderr.startswith(f'macstats: no {things}; `macstats '), done.stderr)
        expect_equal((as_json.stdout, as_json.stderr), ('[]\n', ''), words)


@case_in_place
def json_of_any_number_of_ports_is_indented_as_a_whole(here):
    for model in (None, 'll40g', 'rc32438'):
        if model:
            here.add(model)
        text = output(here, 'show', '--json', '--descriptions')
        ports = json.loads(text)
        expect_equal(len(ports), len(here.ports()), 'ports')
        expect_equal(text, json.dumps(ports, indent=2) + '\n', f'JSON after adding {model}')


@case_in_place
def metrics_are_written_to_standard_output(here):
    port = here.add()
    port.inject(count=5)
    text = output(here, 'export', '--textfile', '-')
    expect('# TYPE ' in text and f'"{port.name}"' in text, text[:500])
    expect(output(here, 'export', '--textfile', '-', '--format', 'openmetrics').endswith('# EOF\n'),
           'the end of OpenMetrics')


# Changes: rates, counts since a tag, events

def between_reads(port):
    """A show --rate that is stopped between its two reads; None if it was stopped too late."""
    def polls():
        return port.stats(cached=True)['generation']
    before = polls()
    with port.place.inside():
        process = subprocess.Popen(  # pylint: disable=consider-using-with # the caller waits
            [cli.MACSTATS, 'show', port.name, '--rate', '2', '--json'],
            stdout=subprocess.PIPE, env=cli.ENVIRONMENT)
    wait_for(lambda: polls() > before, 'the first read')
    process.send_signal(signal.SIGSTOP)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    if os.WIFSTOPPED(status) and polls() == before + 1:
        return process
    process.kill()
    process.communicate()
    return None


def rates_while(port, happens):
    """The output of show --rate, with an action between its two reads."""
    process = wait_for(lambda: between_reads(port), 'a stop between two reads')
    happens()
    process.send_signal(signal.SIGCONT)
    element, = json.loads(process.communicate()[0])
    expect_equal(process.returncode, 0, 'exit code')
    return element['rate']


@case_in_place
def rates_are_the_counts_between_two_reads(here):
    port = here.add()
    started = time.monotonic()
    rate = rates_while(port, lambda: port.inject(count=1000, length=64))
    taken = time.monotonic() - started
    expect_equal((rate['continuity'], rate['reason']), ('whole', None), 'continuity')
    expect(2 <= rate['seconds'] < taken, rate['seconds'])
    for counter, count in (('rx_64b', 1000), ('rx_octets_ok', 46000), ('tx_64b', 0)):
        per_second = rate['per_second'][counter]
        expect(abs(per_second * rate['seconds'] - count) < 1e-6 * (count + 1), f'{counter}: {rate}')


def tag(here, *words):
    with here.inside():
        return cli.output(cli.MACSTATS, 'tag', *words)


@case_in_place
def a_tag_shows_the_counts_since_it_was_set(here):
    port, other = here.add(), here.add()
    port.inject(count=5, length=64)
    expect_equal(tag(here, 'add', 'before', port.name), f'tag before: {port.name}\n', 'tag')
    expect((TAGS / 'before.json').exists(), 'the file is not where it should be')
    port.inject(count=7, length=64)
    element = shown(port, '--since', 'before')
    expect_equal(element['totals']['rx_64b'], 7, 'rx_64b')
    expect_equal(element['standard']['eth-mac']['FramesReceivedOK'], 7, 'FramesReceivedOK')
    expect_equal((element['since']['tag'], element['since']['continuity']), ('before', 'whole'), '')
    expect_equal(shown(port)['totals']['rx_64b'], 12, 'without the tag')

    port.poke(RX_CONFIG, CLEAR)
    port.inject(count=1, length=64)
    element = shown(port, '--since', 'before')
    expect_equal(element['since']['continuity'], 'discontinuity', element['since'])
    code, text = rejected(here, 'show', other.name, '--since', 'before')
    expect_equal((code, f'does not have {other.name}' in text), (2, True), text)
    with here.inside():
        listed, = cli.macstats_json('tag', 'list')
        expect_equal((listed['tag'], listed['this_boot'], listed['ports']),
                     ('before', True, [port.name]), 'list')
    name = port.name
    port.delete()
    port = here.add()
    expect_equal(port.name, name, 'the name of the one that is added again')
    element = shown(port, '--since', 'before')
    expect_equal((element['since']['continuity'], element['since']['reason'],
                  element['totals']['rx_64b']), ('restarted', 'the port was added again', 0), 'tag')
    tag(here, 'delete', 'before')
    expect_equal(rejected(here, 'show', '--since', 'before')[0], 2, 'a tag that is gone')


@case_in_place
def the_wait_for_events_ends(here):
    with here.inside():
        expect_equal(cli.output(cli.MACSTATS, 'events', '--timeout', '0.2'), '', 'no event')
    code, text = rejected(here, 'events', '--count', '1', '--timeout', '0.5')
    expect_equal((code, '0 of 1 events came in time' in text), (1, True), text)


@case_in_place
def lost_events_are_reported(here):
    port = here.add(held=True, quiet=False)
    with Follower(here) as follower:
        os.kill(follower.process.pid, signal.SIGSTOP)
        for active in [True, False] * 2000:
            port.fault('bus_error', active)
            port.poll()
        os.kill(follower.process.pid, signal.SIGCONT)
        kinds = []
        while 'lost' not in kinds or kinds.count('stale') <= 5:
            expect(len(kinds) < 4000, 'none is lost')
            kinds.append(json.loads(follower.process.stdout.readline())['event'])


main()
