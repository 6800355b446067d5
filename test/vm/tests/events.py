#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A listener receives every event of a port once, in order, with its time, and only in the
namespace of the port. The command also reports totals that reach a threshold."""

import json

import uapi
from follower import Follower
from genl import Listener
from ports import CLEAR, RX_CONFIG, TX_CONFIG, boot_time_ns, case_in_place, place
from tap import expect, expect_equal, main, wait_for

NEW, DEL, EVENT = (uapi.MACSTATS_CMD_PORT_NEW_NTF, uapi.MACSTATS_CMD_PORT_DEL_NTF,
                   uapi.MACSTATS_CMD_PORT_EVENT_NTF)
(STALE, RECOVERED, DISCONTINUITY, PARITY_ERROR, POSSIBLE_LOSS) = (
    uapi.number('MACSTATS_EVENT_', name) for name in (
        'stale', 'recovered', 'discontinuity', 'parity_error', 'possible_loss'))


def held(where, model='ll40g'):
    """A held port, which has no events by itself."""
    return where.add(model=model, held=True, quiet=False)


def kinds(heard):
    """The kind of each notification. Checks that it has no other content."""
    for command, said in heard:
        expect_equal('event' in said, command == EVENT, said)
    return [said['event'] if command == EVENT else command for command, said in heard]


def lose(port):
    port.advance(4 * 1000 * port.state()['poll_ceiling_usecs'])


@case_in_place
def each_event_is_notified_once(here):
    port = held(here, 'ixf1104')  # no parity bits, nor a clear bit
    listener = here.listen()
    for happening, expected in (
            (lambda: None, []), (lambda: port.fault('bus_error'), [STALE]),
            (lambda: None, []), (lambda: port.fault('bus_error', False), [RECOVERED]),
            (lambda: lose(port), [POSSIBLE_LOSS]), (lambda: lose(port), [POSSIBLE_LOSS]),
            (port.inject, []),
            (lambda: port.fault('suspend'), [STALE]), (lambda: None, []),
            (lambda: port.fault('suspend', False), [RECOVERED])):
        happening()
        port.poll()
        port.stats()
        expect_equal(kinds(listener.events()), expected, 'events')

    port = held(here)
    listener.events()
    for happening, expected in (
            (lambda: port.fault('parity_error'), [PARITY_ERROR | DISCONTINUITY]),
            (lambda: port.inject(count=5), []),
            (lambda: port.poke(RX_CONFIG, CLEAR), [DISCONTINUITY]),
            (lambda: port.fault('snapshot_stuck'), [STALE]),
            (lambda: port.fault('bus_error'), []),  # still stale, for another reason
            (lambda: port.fault('snapshot_stuck', False), []),
            (lambda: port.fault('bus_error', False), [RECOVERED])):
        happening()
        port.poll()
        expect_equal(kinds(listener.events()), expected, 'events')
        port.poll()
        expect_equal(kinds(listener.events()), [], 'events of the next poll')


@case_in_place
def events_of_one_poll_are_one_notification(here):
    port = held(here)
    port.inject(count=5)
    port.poll()
    port.fault('bus_error')
    port.poll()
    listener = here.listen()
    port.fault('bus_error', False)
    port.fault('parity_error')
    port.poke(RX_CONFIG, CLEAR)
    port.inject(count=3, direction='tx')
    port.poll()
    heard = listener.events()
    expect_equal(kinds(heard), [RECOVERED | PARITY_ERROR | DISCONTINUITY], 'events')
    (_, event), = heard
    expect_equal((event['ifindex'], event['name'], event['parity_errors'], event['discontinuities'],
                  'stale' in event), (port.ifindex, port.name, 1, 1, False), 'attributes')


@case_in_place
def notifications_have_the_order_and_the_times_of_their_events(here):
    listener = here.listen()
    before = boot_time_ns()
    port = held(here)
    port.inject(count=5)
    port.poll()
    expected = [NEW]
    for number in range(20):
        port.fault('bus_error')
        port.poll()
        port.fault('bus_error', False)
        port.poll()
        port.poke(RX_CONFIG, CLEAR)
        port.inject(count=1)
        port.poll()
        port.inject(count=9)
        port.poll()
        expected += [STALE, RECOVERED, DISCONTINUITY]
        if number == 10:
            other = held(here)
            expected.append(NEW)
    port.delete()
    other.delete()
    expected += [DEL, DEL]
    heard = listener.events(len(expected))
    expect_equal(kinds(heard), expected, 'events')
    times = [said['time'] for _, said in heard]
    expect_equal(times, sorted(times), 'times')
    expect(before < times[0] and times[-1] < boot_time_ns(), times)
    found = [event for command, event in heard
             if command == EVENT and event['event'] == DISCONTINUITY]
    expect_equal([event['discontinuities'] for event in found], list(range(1, 21)),
                 'discontinuities')
    for said in found:
        expect(said['discontinuity_time'] <= said['time'], said)


@case_in_place
def every_port_of_a_device_is_announced(here):
    listener = here.listen()
    device = held(here, 'ixf1104')
    ports = here.ports()
    expect_equal([(command, said['ifindex'], said['index'], said['model'])
                  for command, said in listener.events()],
                 [(NEW, port['ifindex'], number, 'ixf1104') for number, port in enumerate(ports)],
                 'the new ones')
    device.delete()
    heard = listener.events(4)
    expect_equal(kinds(heard), [DEL] * 4, 'events')
    expect_equal(sorted(said['ifindex'] for _, said in heard),
                 sorted(port['ifindex'] for port in ports), 'the ones that went')


@case_in_place
def a_moved_port_notifies_its_present_namespace(here):
    there, nowhere = place(), place()
    listeners = [where.listen() for where in (here, there, nowhere)]

    def heard(*counts):
        return [[(kind, said['ifindex']) for kind, (_, said) in zip(kinds(events), events)]
                for events in map(Listener.events, listeners, counts)]
    port = held(here)
    other = held(there)
    expect_equal(heard(1, 1, 0), [[(NEW, port.ifindex)], [(NEW, other.ifindex)], []], 'at first')
    here.links.rename(port.ifindex, 'mover')  # as its name is in use there
    port.name = 'mover'
    count(port, 3)
    with Follower(there, *thresholds(rx_st=3)) as follower:
        wait_for(follower.has_read_all, 'the first look')
        moved = port.move(there)
        expect_equal({next_event(follower)['event'] for _ in range(2)},
                     {'port_added', 'threshold'}, 'events of the command')
    expect_equal(heard(1, 1, 0), [[(DEL, port.ifindex)], [(NEW, moved.ifindex)], []], 'the move')
    moved.fault('parity_error')
    moved.poll()
    expect_equal(heard(0, 1, 0),
                 [[], [(PARITY_ERROR | DISCONTINUITY, moved.ifindex)], []], 'an event')
    moved.delete()
    other.delete()
    expect_equal(heard(0, 2, 0), [[], [(DEL, moved.ifindex), (DEL, other.ifindex)], []], 'at last')


@case_in_place
def a_clear_of_both_pages_is_one_discontinuity(here):
    port = held(here)
    port.inject(count=5)
    port.inject(count=5, direction='tx')
    port.poll()
    listener = here.listen()
    port.poke(RX_CONFIG, CLEAR)
    port.poke(TX_CONFIG, CLEAR)
    port.poll()
    expect_equal(kinds(listener.events()), [DISCONTINUITY], 'events')


# Thresholds of the command

def thresholds(**values):
    return [word for counter, value in values.items()
            for word in ('--threshold', f'{counter}={value}')]


def expect_reached(event, port, counter, value):
    expect_equal([event.get(key) for key in ('event', 'port', 'ifindex', 'counter', 'value')],
                 ['threshold', port.name, port.ifindex, counter, value], 'event')


def count(port, frames, **details):
    port.inject(count=frames, **details)
    port.poll()


def next_event(follower):
    return json.loads(follower.process.stdout.readline())


@case_in_place
def a_total_is_reported_once_when_it_reaches_a_threshold(here):
    port = held(here)
    # Of frames of 64 octets with 46 of payload.
    with Follower(here, *thresholds(rx_st=10, rx_octets_ok=470, tx_st=1)) as follower:
        count(port, 9)
        count(port, 1)
        event = next_event(follower)
        expect_reached(event, port, 'rx_st', 10)
        expect_equal(event['time_ns'], port.state()['poll_time'], 'time')
        count(port, 1)
        expect_reached(next_event(follower), port, 'rx_octets_ok', 470)
        count(port, 1000)
        count(port, 1, direction='tx')
        expect_reached(next_event(follower), port, 'tx_st', 1)


@case_in_place
def a_threshold_needs_no_reader_of_the_port(here):
    with Follower(here, *thresholds(rx_st=7)) as follower:
        port = here.add(quiet=False)
        expect_equal(next_event(follower)['event'], 'port_added', 'event')
        port.inject(count=7)
        expect_reached(next_event(follower), port, 'rx_st', 7)


@case_in_place
def a_software_counter_reaches_a_threshold(here):
    port = held(here, 'rc32438')
    name = next(row['name'] for row in here.counters('rc32438')
                if row not in port.registers() and
                'FramesTransmittedOK' in row.get('standard', []))
    with Follower(here, *thresholds(**{name: 4})) as follower:
        count(port, 3, direction='tx', length=100)
        count(port, 1, direction='tx', length=100)
        expect_reached(next_event(follower), port, name, 4)


main()
