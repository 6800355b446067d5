#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The query family reports models, counters, ports and statistics, one or all, of the caller's
network namespace only, to every user."""

# architectures

import time

import cli
import uapi
from genl import MODEL
from mac import NAMES
from ports import boot_time_ns, case_in_place
from tap import expect, expect_equal, main

OF_MODEL = 'id', 'name', 'title', 'datasheet', 'ports', 'line_rate', 'counters'
OF_COUNTER = ('model', 'model_id', 'id', 'name', 'register', 'description', 'unit', 'offset', 'bits',
              'onread', 'onwrite', 'overflow', 'direction')
OF_PORT = ('ifindex', 'name', 'model', 'model_id', 'index', 'discontinuities', 'parity_errors',
           'poll_usecs', 'poll_ceiling_usecs', 'poll_time', 'late_polls', 'failed_polls',
           'longest_poll', 'longest_wait')
OF_STATS = ('ifindex', 'model', 'model_id', 'generation', 'time', 'discontinuities', 'start_time',
            'values', 'standard', 'standard_values')


@case_in_place
def a_model_is_found_by_its_number_and_in_a_dump(here):
    port = here.add()
    number = port.state()['model_id']
    reply, = here.query.do(uapi.MACSTATS_CMD_MODEL_GET, MODEL.encode(id=number))
    model = MODEL.decode(reply)
    expect_equal(tuple(model), OF_MODEL, 'attributes')
    expect_equal((model['name'], model['ports'], model['line_rate'], model['counters']),
                 ('ll40g', 1, 40000000000, 58), 'model')
    expect('683745' in model['datasheet'] and model['title'], model)
    expect_equal(model['id'], number, 'number')
    expect_equal(here.models(), [model], 'the models of all ports')


@case_in_place
def the_counters_of_a_model_are_those_of_the_datasheet(here):
    here.add()
    rows = here.counters()
    expect_equal([row['id'] for row in rows], list(range(58)), 'ids')
    for row in rows:
        of_some = 'standard', 'bucket_low', 'bucket_high'
        expect_equal(tuple(name for name in row if name not in of_some), OF_COUNTER, row['name'])
        expect_equal((row['model'], row['bits'], row['onread'], row['onwrite'], row['overflow']),
                     ('ll40g', 64, uapi.MACSTATS_ONREAD_NONE, uapi.MACSTATS_ONWRITE_NONE,
                      uapi.MACSTATS_ROLLOVER), row['name'])
        expect(row['description'], row['name'])
    for base, prefix, number in ((0x800, 'tx', uapi.MACSTATS_TX), (0x900, 'rx', uapi.MACSTATS_RX)):
        page = {row['name']: row for row in rows if row['name'].startswith(prefix)}
        expect_equal([row['direction'] for row in page.values()], [number] * 29, 'directions')
        for index, name in enumerate(NAMES[:-1]):
            row = page[f'{prefix}_{name.lower()}']
            expect_equal((row['register'], row['offset'], row['unit']),
                         (f'CNTR_{prefix.upper()}_{name}', base + 2 * index, uapi.MACSTATS_FRAMES),
                         row['name'])
        octets = page[f'{prefix}_octets_ok']
        expect_equal((octets['register'], octets['offset'], octets['unit']),
                     (f'{prefix.capitalize()}OctetsOK', base + 0x60, uapi.MACSTATS_PAYLOAD),
                     octets['name'])
    standard = {row['name']: row.get('standard', []) for row in rows}
    expect('FramesReceivedOK' in standard['rx_ucast_data_ok'], standard['rx_ucast_data_ok'])
    expect('rx_pause_frames' in standard['rx_pause'], standard['rx_pause'])
    expect_equal(standard['rx_st'], [], 'rx_st feeds no standard statistic')


@case_in_place
def a_port_is_found_by_ifindex_and_in_a_dump(here):
    port, other = here.add(name='lan%d'), here.add(quiet=False)
    state = port.state()
    expect_equal(tuple(state), OF_PORT, 'attributes')
    number, = [model['id'] for model in here.models()]
    expect_equal({key: state[key] for key in OF_PORT[:9]},
                 {'ifindex': port.ifindex, 'name': 'lan0', 'model': 'll40g', 'model_id': number,
                  'index': 0, 'discontinuities': 0, 'parity_errors': 0, 'poll_usecs': 3600000000,
                  'poll_ceiling_usecs': 3600000000}, 'port')
    expect(0 < state['poll_time'] <= boot_time_ns(), state)
    expect_equal(other.state()['poll_usecs'], 1000000, 'default poll interval')
    expect_equal([entry['ifindex'] for entry in here.ports()], [port.ifindex, other.ifindex],
                 'all ports')
    here.links.rename(port.ifindex, 'renamed')
    expect_equal(port.state()['name'], 'renamed', 'name')


@case_in_place
def statistics_are_fresh_unless_the_request_has_cached(here):
    port, other = here.add(), here.add()
    # Nobody else reads it any more.
    port.expect_polls(0, lambda: time.sleep(0.1), 'a rest')
    first = port.stats()
    expect_equal(tuple(first), OF_STATS, 'attributes')
    expect_equal((first['ifindex'], first['model'], len(first['values'])),
                 (port.ifindex, 'll40g', 58), 'statistics')
    port.inject(count=11)
    other.inject(count=22)
    cached = port.stats(cached=True)
    expect_equal(cached, first, 'cached statistics')
    by_dump = {stats['ifindex']: stats for stats in here.stats(cached=True)}
    expect_equal(by_dump[port.ifindex], first, 'cached statistics in a dump')

    before = boot_time_ns()
    place_of_st = port.counter_names().index('rx_st')
    by_dump = {stats['ifindex']: stats for stats in here.stats()}
    expect_equal([by_dump[end.ifindex]['values'][place_of_st] for end in (port, other)], [11, 22],
                 'frames in a dump')
    fresh = port.stats()
    expect_equal(fresh['values'][place_of_st], 11, 'frames')
    expect_equal(fresh['generation'], first['generation'] + 2, 'good polls')
    expect(before <= fresh['time'] <= boot_time_ns(), fresh['time'])
    expect_equal(port.stats(cached=True), fresh, 'cached statistics after a fresh read')


@case_in_place
def the_command_agrees_with_netlink(here):
    port = here.add()
    port.inject(count=(1 << 60) + 1)
    port.inject(count=3, errors=['fcs'], length=1000)
    totals = port.totals()
    with here.inside():
        shown, = cli.macstats_json('show', str(port.ifindex))
        text = cli.output(cli.MACSTATS, 'show', port.name, '--nonzero')
        ports = cli.macstats_json('ports')
        model = cli.macstats_json('model', 'll40g')
    expect_equal(shown['totals'], totals, 'show')
    for name, total in totals.items():
        expect((name in text) == bool(total) and (not total or str(total) in text),
               f'{name} in show --nonzero: {text}')
    expect_equal([entry['ifindex'] for entry in ports], [port.ifindex], 'ports')
    expect_equal([(row['name'], row['register'], row['offset'], row['bits'])
                  for row in model['counters']],
                 [(row['name'], row['register'], row['offset'], row['bits'])
                  for row in here.counters()], 'counters of the model')


main()
