#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A listener receives every event of a port once, in order, with its time, and only in the
namespace of the port."""

import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import uapi  # noqa: E402
from genl import Listener  # noqa: E402
from ports import CLEAR, RX_CONFIG, TX_CONFIG, place, with_place  # noqa: E402
from tap import case, expect, expect_equal, main, wait_for  # noqa: E402

NEW, DEL, EVENT = (uapi.MACSTATS_CMD_PORT_NEW_NTF, uapi.MACSTATS_CMD_PORT_DEL_NTF,
                   uapi.MACSTATS_CMD_PORT_EVENT_NTF)
(STALE, RECOVERED, DISCONTINUITY, PARITY_ERROR, POSSIBLE_LOSS, THRESHOLD) = (
    uapi.number('MACSTATS_EVENT_', name) for name in (
        'stale', 'recovered', 'discontinuity', 'parity_error', 'possible_loss', 'threshold'))


def held(where, model='ll40g'):
    """A held port, which has no events by itself."""
    return where.add(model=model, held=True, quiet=False)


def kinds(heard):
    """The kind of each notification. Checks that it has no other content."""
    for command, said in heard:
        expect_equal('event' in said, command == EVENT, said)
        expect_equal('threshold' in said, bool(said.get('event', 0) & THRESHOLD), said)
    return [said['event'] if command == EVENT else command for command, said in heard]


def boot_time_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def lose(port):
    port.advance(4 * 1000 * port.state()['poll_ceiling_usecs'])


@case
@with_place
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


@case
@with_place
def events_of_one_poll_are_one_notification(here):
    port = held(here)
    port.inject(count=5)
    port.poll()
    port.fault('bus_error')
    port.poll()
    port.set_threshold('tx_st', 3)
    listener = here.listen()
    port.fault('bus_error', False)
    port.fault('parity_error')
    port.poke(RX_CONFIG, CLEAR)
    port.inject(count=3, direction='tx')
    port.poll()
    heard = listener.events()
    expect_equal(kinds(heard), [RECOVERED | PARITY_ERROR | DISCONTINUITY | THRESHOLD], 'events')
    (_, event), = heard
    expect_equal((event['ifindex'], event['name'], event['parity_errors'], event['discontinuities'],
                  'stale' in event), (port.ifindex, port.name, 1, 1, False), 'attributes')


@case
@with_place
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


@case
@with_place
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


@case
@with_place
def a_moved_port_notifies_its_present_namespace(here):
    there, nowhere = place(), place()
    listeners = [where.listen() for where in (here, there, nowhere)]

    def heard(*counts):
        return [[(kind, said['ifindex']) for kind, (_, said) in zip(kinds(events), events)]
                for events in map(Listener.events, listeners, counts)]
    port = held(here)
    other = held(there)
    expect_equal(heard(1, 1, 0), [[(NEW, port.ifindex)], [(NEW, other.ifindex)], []], 'at first')
    port.set_threshold('rx_st', 100)
    here.links.rename(port.ifindex, 'mover')  # as its name is in use there
    port.name = 'mover'
    moved = port.move(there)
    expect_equal(heard(1, 1, 0), [[(DEL, port.ifindex)], [(NEW, moved.ifindex)], []], 'the move')
    expect_equal(moved.thresholds(), {'rx_st': 100}, 'thresholds')
    moved.inject(count=100)
    moved.fault('parity_error')
    moved.poll()
    expect_equal(heard(0, 1, 0),
                 [[], [(PARITY_ERROR | DISCONTINUITY | THRESHOLD, moved.ifindex)], []], 'an event')
    moved.delete()
    other.delete()
    expect_equal(heard(0, 2, 0), [[], [(DEL, moved.ifindex), (DEL, other.ifindex)], []], 'at last')


@case
@with_place
def a_reached_threshold_is_notified_once_and_dropped(here):
    port = held(here)
    names = port.counter_names()
    port.set_threshold('rx_st', 10)
    port.set_threshold('rx_octets_ok', 470)  # of frames of 64 octets with 46 of payload
    listener = here.listen()
    for count, reached, left in (
            (9, {}, {'rx_st': 10, 'rx_octets_ok': 470}), (0, {}, {'rx_st': 10, 'rx_octets_ok': 470}),
            (1, {'rx_st': 10}, {'rx_octets_ok': 470}), (0, {}, {'rx_octets_ok': 470}),
            (5, {'rx_octets_ok': 470}, {}), (100, {}, {})):
        if count:
            port.inject(count=count)
        expect_equal(kinds(listener.events()), [], 'before the poll')
        port.poll()
        heard = listener.events()
        expect_equal(kinds(heard), [THRESHOLD] * bool(reached), 'events')
        for _, said in heard:
            expect_equal({names[one['counter']]: one['value'] for one in said['threshold']},
                         reached, 'reported thresholds')
            expect_equal({one['ifindex'] for one in said['threshold']}, {port.ifindex}, 'ports')
        expect_equal(port.thresholds(), left, 'thresholds left')
    port.set_threshold('rx_st', 116)  # one more
    port.inject()
    port.poll()
    expect_equal(kinds(listener.events()), [THRESHOLD], 'the next one')


@case
@with_place
def a_replaced_or_dropped_threshold_is_not_notified(here):
    port = held(here)
    listener = here.listen()
    port.set_threshold('rx_st', 5)
    port.set_threshold('rx_st', 50)
    port.set_threshold('rx_64b', 5)
    port.set_threshold('rx_64b', None)
    port.inject(count=49)
    port.poll()
    expect_equal(kinds(listener.events()), [], 'events')
    port.inject()
    port.poll()
    (_, said), = listener.events()
    expect_equal([one['value'] for one in said['threshold']], [50], 'thresholds')


@case
@with_place
def all_thresholds_of_a_port_are_reached_by_one_poll(here):
    port = held(here)
    names = port.counter_names()
    for number, name in enumerate(names):
        port.preset(name, 0)
        port.set_threshold(name, number + 1)
    listener = here.listen()
    for direction in 'rx', 'tx':
        for length in (64, 100, 200, 300, 600, 1500, 9000, 9601):
            for destination in ('unicast', 'multicast', 'broadcast'):
                port.inject(count=1000, direction=direction, length=length,
                            destination=destination)
    port.poll()
    reached = {number for number, total in enumerate(port.totals().values()) if total > number}
    (_, said), = listener.events()
    expect_equal({one['counter'] for one in said['threshold']}, reached, 'thresholds')
    expect(len(reached) > 20, f'only {len(reached)} were reached')


@case
@with_place
def counts_that_a_preset_reads_reach_a_threshold(here):
    port = held(here)
    port.set_threshold('rx_st', 10)
    listener = here.listen()
    port.inject(count=10)
    port.preset('rx_st', 1000)
    expect_equal(kinds(listener.events()), [], 'before the poll')
    port.poll()
    expect_equal(kinds(listener.events()), [THRESHOLD], 'events')


@case
@with_place
def thresholds_of_software_counters_are_notified(here):
    port = held(here, 'rc32438')
    name = next(row['name'] for row in here.counters('rc32438')
                if row not in port.registers() and
                'FramesTransmittedOK' in row.get('standard', []))
    port.set_threshold(name, 4)
    listener = here.listen()
    port.inject(count=3, direction='tx', length=100)
    port.poll()
    expect_equal(kinds(listener.events()), [], 'below')
    port.inject(count=1, direction='tx', length=100)
    port.poll()
    expect_equal(kinds(listener.events()), [THRESHOLD], 'reached')


@case
@with_place
def the_poller_reports_a_threshold_without_a_reader(here):
    port = here.add(quiet=False)
    port.set_threshold('rx_st', 7)
    listener = here.listen()
    port.set_poll_interval(10000)
    port.inject(count=7)
    heard = wait_for(listener.events, 'the threshold')
    expect_equal(kinds(heard), [THRESHOLD], 'events')


@case
@with_place
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


main()
