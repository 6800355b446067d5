#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Queries for the ports of one model and for some counters. Statistics report since when
they count, and their last discontinuity."""

import errno
import pathlib
import struct
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import cli  # noqa: E402
import uapi  # noqa: E402
from genl import NLM_F_DUMP, PORT, STATS, THRESHOLD, Family, Rejected, attribute  # noqa: E402
from ports import CLEAR, MAX_TX_SIZE, RX_CONFIG, place, says, with_place  # noqa: E402
from tap import Failure, case, expect, expect_equal, main  # noqa: E402


def boot_time_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def ports_of(here, model):
    replies = here.query.dump(uapi.MACSTATS_CMD_PORT_GET, PORT.encode(model=model))
    return [PORT.decode(reply) for reply in replies]


def stats_of(here, **filters):
    replies = here.query.dump(uapi.MACSTATS_CMD_STATS_GET, STATS.encode(**filters))
    return [STATS.decode(reply) for reply in replies]


def some_of(port, counters, **options):
    reply, = port.place.query.do(uapi.MACSTATS_CMD_STATS_GET, STATS.encode(
        ifindex=port.ifindex, counters=counters, **options))
    return STATS.decode(reply)


def one_of_each(here):
    """Two devices of each model; their first ports. The clock polls none of them."""
    models = [model['name'] for model in here.models()]
    return {model: [here.add(model=model, held=True) for _ in range(2)] for model in models}


def expect_rejected(what, request, number, *words):
    try:
        request()
    except Rejected as rejected:
        expect_equal(rejected.errno, number, f'{what}: {rejected}')
        for word in words:
            expect(says(rejected.text, word), f'{what}: {rejected} does not contain {word}')
    else:
        raise Failure(f'{what} was not rejected')


# Of one model

@case
@with_place
def a_dump_of_a_model_has_exactly_its_ports(here):
    added = one_of_each(here)
    everything = here.ports(), here.stats(cached=True)
    for model, ports in added.items():
        for found, whole in ((ports_of(here, model), everything[0]),
                             (stats_of(here, model=model, cached=True), everything[1])):
            expect_equal(found, [entry for entry in whole if entry['model'] == model], model)
            expect({port.ifindex for port in ports} <= {entry['ifindex'] for entry in found}, model)
    expect_equal(sum(len(ports_of(here, model)) for model in added), len(everything[0]), 'ports')


@case
@with_place
def a_dump_of_a_model_without_ports_is_empty_and_of_an_unknown_model_rejected(here):
    here.add()
    expect_equal((ports_of(here, 'cpsw'), stats_of(here, model='cpsw')), ([], []), 'cpsw')
    expect_rejected('ports', lambda: ports_of(here, 'll41g'), errno.ENOENT, 'PORT_MODEL')
    expect_rejected('statistics', lambda: stats_of(here, model='ll41g'), errno.ENOENT, 'STATS_MODEL')


@case
@with_place
def a_dump_of_a_model_polls_no_other_port(here):
    # The clock polls neither: their counters wrap after years.
    port, other = here.add(), here.add(model='ll40g_agilex5')
    stats_of(here, model='ll40g')
    expect_equal((port.stats(cached=True)['generation'], other.stats(cached=True)['generation']),
                 (1, 0), 'polls')


@case
@with_place
def a_list_of_ports_or_thresholds_polls_none(here):
    port = here.add()
    port.set_threshold('rx_st', 5)
    before = port.stats(cached=True)['generation']
    expect_equal(len(here.ports()), 1, 'ports')
    expect_equal(len(here.query.dump(uapi.MACSTATS_CMD_THRESHOLD_GET)), 1, 'thresholds')
    expect_equal(port.stats(cached=True)['generation'], before, 'polls')


@case
@with_place
def a_model_is_accepted_only_in_a_dump(here):
    port = here.add()
    for command, space in ((uapi.MACSTATS_CMD_PORT_GET, PORT),
                           (uapi.MACSTATS_CMD_STATS_GET, STATS)):
        expect_rejected('a port and a model', lambda: here.query.do(
            command, space.encode(ifindex=port.ifindex, model='ll40g')), errno.EINVAL, 'MODEL',
            'dump')


# Of some counters

@case
@with_place
def requested_counters_equal_those_of_all(here):
    for model, (port, other) in one_of_each(here).items():
        for number, end in enumerate((port, other)):
            end.inject(count=100 + number, length=200)
            end.inject(count=10 + number, length=1500, direction='tx')
            end.poll()
        whole, second = port.stats(cached=True), other.stats(cached=True)
        for name in 'standard', 'standard_values':  # only with all counters
            whole.pop(name)
        last = len(whole['values']) - 1
        for wanted in ([0], [last], [0, last], list(range(last + 1)), list(range(1, last, 3))):
            expect_equal(some_of(port, wanted, cached=True),
                         {**whole, 'values': [whole['values'][index] for index in wanted]},
                         f'{model} {wanted}')
            values = {stats['ifindex']: stats['values']
                      for stats in stats_of(here, model=model, counters=wanted, cached=True)}
            for end, stats in ((port, whole), (other, second)):
                expect_equal(values[end.ifindex], [stats['values'][index] for index in wanted],
                             f'{model} {wanted} in a dump')


@case
@with_place
def a_request_for_one_counter_polls(here):
    port = here.add()
    before = port.stats(cached=True)['generation']
    port.inject(count=5, length=200)
    expect_equal(some_of(port, [0])['generation'], before + 1, 'polls')


@case
@with_place
def a_port_without_counters_has_no_requested_values(here):
    port = here.add(options=[])
    stats = some_of(port, [0, 5])
    expect_equal((stats['values'], 'start_time' in stats), ([], False), 'statistics')


@case
@with_place
def counters_that_are_not_ascending_ids_are_rejected(here):
    port = here.add(held=True)
    before = port.stats(cached=True)
    for what, octets, number, words in (
            ('none', b'', errno.EINVAL, ('58',)),
            ('half a number', bytes(6), errno.EINVAL, ('58', '4')),
            ('descending', struct.pack('=II', 7, 3), errno.EINVAL, ('7', '3', 'ascending')),
            ('twice the same', struct.pack('=III', 1, 2, 2), errno.EINVAL, ('2', 'ascending')),
            ('out of range', struct.pack('=II', 1, 58), errno.ERANGE, ('58', '57')),
            ('far out of range', struct.pack('=I', 0xffffffff), errno.ERANGE, ('57',))):
        counters = attribute(uapi.MACSTATS_A_STATS_COUNTERS, octets)
        for request in (lambda: here.query.do(
                            uapi.MACSTATS_CMD_STATS_GET,
                            STATS.encode(ifindex=port.ifindex) + counters),
                        lambda: here.query.dump(uapi.MACSTATS_CMD_STATS_GET,
                                                STATS.encode(model='ll40g') + counters)):
            expect_rejected(what, request, number, 'STATS_COUNTERS', *words)
    expect_rejected('of no model', lambda: stats_of(here, counters=[0]), errno.EINVAL,
                   'STATS_MODEL', 'missing')
    expect_equal(port.stats(cached=True), before, 'statistics')


# Times and lengths

@case
@with_place
def statistics_report_the_time_from_which_they_count(here):
    before = boot_time_ns()
    port = here.add()
    start = port.stats()['start_time']
    expect(before < start < boot_time_ns(), start)
    port.inject()
    expect_equal(port.stats()['start_time'], start, 'after a poll')
    there = place()
    expect_equal(port.move(there).stats()['start_time'], start, 'elsewhere')


@case
@with_place
def statistics_report_the_time_of_the_last_discontinuity(here):
    port = here.add()
    port.inject(count=5)
    expect('discontinuity_time' not in port.stats(), 'one that has not been')
    before = boot_time_ns()
    port.poke(RX_CONFIG, CLEAR)
    stats = port.stats()
    expect(before < stats['discontinuity_time'] < boot_time_ns(), stats)
    expect_equal(stats['discontinuity_time'], port.state()['discontinuity_time'], 'of the port')
    expect_equal(port.stats()['discontinuity_time'], stats['discontinuity_time'], 'later')


@case
@with_place
def the_ranges_of_a_histogram_are_those_of_the_model(here):
    """A user who changes the maximum leaves nothing in the kernel."""
    port = here.add()
    port.poke(MAX_TX_SIZE, 0)
    for mtu in 1500, 9000, 2000:
        port.set_mtu(mtu)
        with here.inside():
            groups, = cli.json_output('ethtool', '--json', '-S', port.name, '--groups', 'rmon')
        last = groups['rmon']['rx-pktsNtoM'][-1]
        expect_equal((last['low'], last['high']), (1519, 65535), 'the last bucket')


# Thresholds

@case
@with_place
def thresholds_are_listed_for_a_port_and_for_all(here):
    there = place()
    ports = [here.add() for _ in range(3)]
    there.add().set_threshold('rx_st', 99)
    some = [each for each in enumerate(ports[0].counter_names()) if each[0] % 8]
    for number, port in enumerate(ports[:2]):
        for index, name in some:
            port.set_threshold(name, 1000 * number + index + 1)
    for number, port in enumerate(ports[:2]):
        expect_equal(port.thresholds(), {name: 1000 * number + index + 1 for index, name in some},
                     'thresholds')
    expect_equal(ports[2].thresholds(), {}, 'thresholds of a port without')
    with here.inside():
        here.others.append(Family(uapi.MACSTATS_GENL_NAME, largest=4096))
    for family in (here.query, here.others[-1]):  # in one part, and in several
        dump = [THRESHOLD.decode(reply) for reply in family.dump(uapi.MACSTATS_CMD_THRESHOLD_GET)]
        expect_equal([(one['ifindex'], one['counter'], one['value']) for one in dump],
                     [(port.ifindex, index, 1000 * number + index + 1)
                      for number, port in enumerate(ports[:2]) for index, _ in some],
                     'all thresholds')


@case
@with_place
def a_dump_reports_all_thresholds_of_a_port_that_follows_one_that_left(here):
    ports = [here.add(held=True, quiet=False) for _ in range(4)]
    for port in ports:
        for name in port.counter_names():
            port.set_threshold(name, 1000)
    with here.inside():
        here.others.append(Family(uapi.MACSTATS_GENL_NAME, largest=8192))
    family = here.others[-1]
    family.socket.send(family.id, NLM_F_DUMP,
                       struct.pack('=BBH', uapi.MACSTATS_CMD_THRESHOLD_GET, 1, 0))
    found = []

    def more():
        for kind, _, _, data in family.socket.receive():
            if kind != family.id:
                return False
            one = THRESHOLD.decode(data[4:])
            found.append((one['ifindex'], one['counter']))
        return True
    # The first part has been made, and ends among those of the third port.
    ports[2].delete()
    while more():
        pass
    expect(0 < len([one for one in found if one[0] == ports[2].ifindex]) < 58, found)
    expect_equal([counter for ifindex, counter in found if ifindex == ports[3].ifindex],
                 list(range(58)), 'thresholds of the last')


@case
@with_place
def a_threshold_is_replaced_and_removed(here):
    port = here.add()
    port.set_threshold('rx_st', None)  # none, which is no error
    port.set_threshold('rx_st', 5)
    port.set_threshold('rx_64b', 7)
    port.set_threshold('rx_st', (1 << 64) - 1)
    expect_equal(port.thresholds(), {'rx_64b': 7, 'rx_st': (1 << 64) - 1}, 'thresholds')
    port.set_threshold('rx_64b', None)
    expect_equal(port.thresholds(), {'rx_st': (1 << 64) - 1}, 'thresholds')


main()
