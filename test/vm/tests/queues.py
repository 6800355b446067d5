#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Counters of each of 64 queues: the index is a number in the string of ethtool -S, and a label in
JSON and metrics. The model is one of test/models."""

import pathlib

import cli
import uapi
from modules import load_emulator_of_tests
from tap import case, expect, expect_equal, main

cli.MACSTATS = str(pathlib.Path(cli.MACSTATS).parent / 'macstats-test-models')
load_emulator_of_tests()

from driver import TestDriver
from ports import case_in_first_place, case_in_place

NAMES = [f'{direction}_queue_{queue}_{what}' for queue in range(64)
         for direction, what in (('rx', 'frames'), ('rx', 'octets'), ('rx', 'drops'),
                                 ('tx', 'frames'))]


def index_of(name):
    return int(name.split('_')[2])


@case_in_place
def each_counter_has_a_string_with_its_index_and_tells_it(here):
    port = here.add('queues')
    with here.inside():
        expect_equal(list(cli.ethtool_statistics(port.name)), NAMES, 'ethtool -S')
    rows = here.counters('queues')
    expect_equal([(row['name'], row['index_of'], row['index']) for row in rows],
                 [(name, uapi.MACSTATS_INDEX_OF_QUEUE, index_of(name)) for name in NAMES], 'netlink')
    model = cli.macstats_json('model', 'queues')
    expect_equal([(row['name'], row['labels']) for row in model['counters']],
                 [(name, {'queue': index_of(name)}) for name in NAMES], 'the model')
    text = cli.output(cli.MACSTATS, 'model', 'queues')
    expect('a counter for each queue from 0 to 63' in text, text)


@case
def of_the_queues_that_the_hardware_lacks_there_are_no_strings():
    with TestDriver('macstats_test_driver').loaded(model='queues', indices=3, counting=1,
                                                   alone=1) as here:
        name = here.ports()[0]['name']
        expect_equal(list(cli.ethtool_statistics(name)), NAMES[:12], 'ethtool -S')
        metrics = cli.output(cli.MACSTATS, 'export', '--textfile', '-', '--all')
    samples = [line.split('{')[1].split('}')[0] for line in metrics.splitlines()
               if line.startswith('macstats_queues_rx_queue_frames_total{')]
    expect_equal(samples, [f'port="{name}",model="queues",queue="{queue}"'
                           for queue in range(3)], 'export')


@case_in_first_place
def the_family_of_a_counter_has_a_sample_for_each_queue(here):
    port = here.add('queues', held=True)
    with here.inside():
        port.inject(3, length=100)
        port.inject(2, direction='tx', length=64)
        port.poll()
        port.preset('rx_queue_63_frames', 7)
        shown = cli.shown(port)
        wanted = {'rx_queue_0_frames': 3, 'rx_queue_0_octets': 300, 'tx_queue_0_frames': 2}
        expect_equal({name: value for name, value in shown['totals'].items() if value},
                     wanted, 'totals')
        expect_equal(shown['standard']['rtnl']['rx_packets'], 3, 'the sum of the queues')
        metrics = cli.output(cli.MACSTATS, 'export', '--textfile', '-', '--all')
    family = 'macstats_queues_rx_queue_frames_total'
    samples = [line for line in metrics.splitlines() if line.startswith(f'{family}{{')]
    expect_equal(samples, [f'{family}{{port="{port.name}",model="queues",queue="{queue}"}} '
                           f'{0 if queue else 3}' for queue in range(64)], 'export')
    expect_equal(metrics.count(f'# TYPE {family} counter'), 1, 'its head')


main()
