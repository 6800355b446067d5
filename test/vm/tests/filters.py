#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Queries for the statistics of one model and for some counters. Statistics report since when
they count, and their last discontinuity."""

import errno
import struct

import cli
import uapi
from genl import MODEL, STATS, attribute
from ports import (CLEAR, MAX_TX_SIZE, RX_CONFIG, all_models, boot_time_ns, case_in_place,
                   expect_rejected, place)
from tap import expect, expect_equal, main, wait_for


def stats_of(here, **filters):
    replies = here.query.dump(uapi.MACSTATS_CMD_STATS_GET, STATS.encode(**filters))
    return [STATS.decode(reply) for reply in replies]


def some_of(port, counters, **options):
    reply, = port.place.query.do(uapi.MACSTATS_CMD_STATS_GET, STATS.encode(
        ifindex=port.ifindex, counters=counters, **options))
    return STATS.decode(reply)


def one_of_each(here):
    """Two devices of each model; their first ports. The clock polls none of them."""
    return {model: [here.add(model=model, held=True) for _ in range(2)] for model in all_models()}


# Of one model

@case_in_place
def a_dump_of_a_model_has_exactly_its_ports(here):
    added = one_of_each(here)
    everything, number = here.stats(cached=True), 0
    expect_equal(sorted(model['name'] for model in here.models()), sorted(added), 'models')
    for model, ports in added.items():
        found = stats_of(here, model_id=here.model_id(model), cached=True)
        expect_equal(found, [entry for entry in everything if entry['model'] == model], model)
        expect({port.ifindex for port in ports} <= {entry['ifindex'] for entry in found}, model)
        number += len(found)
    expect_equal(number, len(everything), 'ports')


@case_in_place
def a_number_stands_for_a_model_wherever_its_ports_are(here):
    there = place()
    ports = here.add(), here.add(), here.add('cpsw'), there.add()
    first, same, other, elsewhere = (port.state()['model_id'] for port in ports)
    expect(first != other, first)
    expect_equal((same, elsewhere), (first, first), 'of one model')
    expect_equal([(model['id'], model['name']) for model in sorted(
        here.models(), key=lambda model: model['name'])], [(other, 'cpsw'), (first, 'll40g')])
    expect_equal([(stats['model'], stats['model_id']) for stats in here.stats()],
                 [('ll40g', first)] * 2 + [('cpsw', other)], 'statistics')
    moved = ports[2].move(there)
    expect_equal([model['name'] for model in here.models()], ['ll40g'], 'after a move')
    expect_equal(sorted(model['name'] for model in there.models()), ['cpsw', 'll40g'], 'there')
    expect_equal(moved.state()['model_id'], other, 'after a move')


@case_in_place
def a_model_without_ports_here_is_rejected(here):
    number = place().add('cpsw').state()['model_id']
    here.add()
    for model in 0, number, 0xffffffff:
        expect_rejected('statistics', lambda: stats_of(here, model_id=model), errno.ENOENT,
                        'STATS_MODEL_ID', str(model))
        expect_rejected('counters', lambda: here.counters_of(model), errno.ENOENT,
                        'COUNTER_MODEL_ID', str(model))
        expect_rejected('the model', lambda: here.query.do(
            uapi.MACSTATS_CMD_MODEL_GET, MODEL.encode(id=model)), errno.ENOENT, 'MODEL_ID',
            str(model))


@case_in_place
def a_dump_of_a_model_polls_no_other_port(here):
    # The clock polls neither: their counters wrap after years.
    ports = here.add(), here.add(model='ll40g_agilex5')

    def generations():
        return [port.stats(cached=True)['generation'] for port in ports]

    def polls():
        before = generations()
        stats_of(here, model_id=here.model_id())
        return [now - then for then, now in zip(before, generations())]
    # The kernel and the work may poll either, too, but not each time.
    wait_for(lambda: polls() == [1, 0], 'one of them is polled')


@case_in_place
def a_list_of_ports_polls_none(here):
    port = here.add()
    expect_equal(len(here.ports()), 1, 'ports')
    port.expect_polls(0, here.ports)


@case_in_place
def a_model_is_accepted_only_in_a_dump(here):
    port = here.add()
    expect_rejected('a port and a model', lambda: here.query.do(
        uapi.MACSTATS_CMD_STATS_GET, STATS.encode(
            ifindex=port.ifindex, model_id=here.model_id())), errno.EINVAL, 'MODEL', 'dump')


# Of some counters

@case_in_place
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
        lacking = whole.pop('absent', [])
        for wanted in ([0], [last], [0, last], list(range(last + 1)), list(range(1, last, 3))):
            some = some_of(port, wanted, cached=True)
            expect_equal(some.pop('absent', []), [i for i in wanted if i in lacking],
                         f'{model} {wanted}: absent')
            expect_equal(some, {**whole, 'values': [whole['values'][index] for index in wanted]},
                         f'{model} {wanted}')
            values = {stats['ifindex']: stats['values']
                      for stats in stats_of(here, model_id=here.model_id(model), counters=wanted,
                                            cached=True)}
            for end, stats in ((port, whole), (other, second)):
                expect_equal(values[end.ifindex], [stats['values'][index] for index in wanted],
                             f'{model} {wanted} in a dump')


@case_in_place
def a_request_for_one_counter_polls(here):
    port = here.add()
    port.inject(count=5, length=200)
    port.expect_polls(1, lambda: some_of(port, [0]))


@case_in_place
def a_port_without_counters_has_no_requested_values(here):
    port = here.add(options=[])
    stats = some_of(port, [0, 5])
    expect_equal((stats['values'], 'start_time' in stats), ([], False), 'statistics')


@case_in_place
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
                                                STATS.encode(model_id=here.model_id()) +
                                                counters)):
            expect_rejected(what, request, number, 'STATS_COUNTERS', *words)
    expect_rejected('of no model', lambda: stats_of(here, counters=[0]), errno.EINVAL,
                   'STATS_MODEL_ID', 'missing')
    expect_equal(port.stats(cached=True), before, 'statistics')


# Times and lengths

@case_in_place
def statistics_report_the_time_from_which_they_count(here):
    before = boot_time_ns()
    port = here.add()
    start = port.stats()['start_time']
    expect(before < start < boot_time_ns(), start)
    port.inject()
    expect_equal(port.stats()['start_time'], start, 'after a poll')
    there = place()
    expect_equal(port.move(there).stats()['start_time'], start, 'elsewhere')


@case_in_place
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


@case_in_place
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


main()
