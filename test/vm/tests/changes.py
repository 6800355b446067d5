#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The macstats command shows changes: rates, counts since a tag and events.
It marks unknown values."""

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

TAGS = pathlib.Path('/var/lib/macstats/tags')


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


@case_in_place
def unknown_rates_are_not_0(here):
    port = here.add()

    def reset():
        port.stats()
        port.poke(RX_CONFIG, CLEAR)
    port.inject(count=5)
    rate = rates_while(port, reset)
    expect_equal(rate['continuity'], 'discontinuity', rate['reason'])
    rate = rates_while(port, lambda: port.fault('snapshot_stuck'))
    expect_equal(rate['continuity'], 'not_read', rate['reason'])
    expect_equal(set(rate['per_second'].values()), {None}, 'rates of a port that is stale')


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
    tag(here, 'delete', 'before')
    expect_equal(rejected(here, 'show', '--since', 'before')[0], 2, 'a tag that is gone')


@case_in_place
def a_tag_detects_another_port_of_the_same_name(here):
    port = here.add()
    port.inject(count=1000, length=64)
    tag(here, 'add', 'old')
    name = port.name
    port.delete()
    wait_for(lambda: not here.ports(), 'the port to go')
    port = here.add()
    expect_equal(port.name, name, 'name of the new port')
    for count in (3, 2000):  # less than before, and more
        port.inject(count=count, length=64)
        element = shown(port, '--since', 'old')
        expect_equal(element['since']['continuity'], 'restarted', element['since'])
        expect_equal(element['since']['reason'], 'the port was added again', 'reason')
    expect_equal(element['totals']['rx_64b'], 2003, 'rx_64b')
    expect(min(element['totals'].values()) >= 0, 'a negative number')

    file = TAGS / 'old.json'
    file.write_text(file.read_text().replace('"boot_id": "', '"boot_id": "other-'))
    element = shown(port, '--since', 'old')
    expect_equal(element['since']['reason'], 'the system was booted in between', 'reason')
    file.write_text('{}')
    code, text = rejected(here, 'show', '--since', 'old')
    expect_equal((code, str(file) in text), (1, True), text)
    file.unlink()


@case_in_place
def events_are_printed_in_order_with_their_details(here):
    # A parity error damages a value, which is one discontinuity; the clear is another.
    kinds = ['port_added', 'stale', 'recovered', 'discontinuity', 'parity_error',
             'discontinuity', 'port_removed']
    with Follower(here, '--count', str(len(kinds))) as follower:
        port = here.add(held=True, quiet=False)
        for happening in (lambda: port.fault('bus_error'), lambda: port.fault('bus_error', False),
                          lambda: port.fault('parity_error'),
                          lambda: port.inject(count=999, length=64),
                          lambda: port.poke(RX_CONFIG, CLEAR)):
            happening()
            port.poll()
        port.delete()
        events = follower.rest()
    expect_equal([event['event'] for event in events], kinds, 'events')
    expect_equal(follower.process.returncode, 0, 'exit code')
    expect_equal({event['port'] for event in events}, {port.name}, 'ports')
    times = [event['time_ns'] for event in events]
    expect_equal(times, sorted(times), 'times')
    expect(events[1]['reason'], 'a reason why it is stale')


@case_in_place
def events_of_other_ports_are_omitted_and_the_wait_ends(here):
    port, other = (here.add('ixf1104', held=True, quiet=False) for _ in range(2))
    with Follower(here, port.name, '--count', '1') as follower:
        for one in (other, port):
            one.poll()
            one.advance(4 * 1000 * one.state()['poll_ceiling_usecs'])
            one.poll()
        events = follower.rest()
    expect_equal(follower.process.returncode, 0, 'exit code')
    expect_equal([(event['port'], event['event']) for event in events],
                 [(port.name, 'possible_loss')], 'events')
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
