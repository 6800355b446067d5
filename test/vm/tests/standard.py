#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Standard statistics: each face shows what the kernel has computed, which never goes back and
takes its counters from one read."""

import cli
import uapi
from cli import shown
from genl import STATS
from ports import Sender, case_in_place, reader_wait
from tap import expect, expect_equal, main

FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(86)
READS = 20
ACCESS_USECS = 300
ALL_READ_MS = 1000      # more than the registers of a port take on that bus


def rtnl_of_ip(port):
    """The members of rtnl_link_stats64 that `ip -s -s -j link` prints for both directions."""
    with port.place.inside():
        link, = cli.json_output('ip', '-s', '-s', '-j', 'link', 'show', 'dev', port.name)
    return {f'{direction}_{name}': value for direction, values in link['stats64'].items()
            for name, value in values.items()}


def metrics_of(port):
    """{name: value} of the metrics that have no other labels than those of a port."""
    with port.place.inside():
        text = cli.output(cli.MACSTATS, 'export', '--textfile', '-')
    labels = f'{{port="{port.name}",model="{port.model}"}}'
    return {line.split('{')[0]: float(line.split()[-1]) for line in text.splitlines()
            if labels in line}


def standard_of(port):
    """{number: value} of the kernel's message, and the nests of those that are bounds."""
    reply, = port.place.query.do(uapi.MACSTATS_CMD_STATS_GET,
                                 STATS.encode(ifindex=port.ifindex, cached=True))
    statistics = STATS.decode(reply)
    return (dict(zip(statistics['standard'], statistics['standard_values'])),
            statistics.get('inexact', []))


@case_in_place
def no_statistic_goes_back_while_frames_arrive_during_reads_of_a_slow_bus(here):
    for model in 'e1000', 'ixf1104':
        far, port = here.pair(model=model)
        sender = Sender(far, FRAME)
        try:
            with reader_wait(ALL_READ_MS):
                port.fault('slow_bus', argument=ACCESS_USECS)
                before = shown(port)['standard']['rtnl']
                for _ in range(READS):
                    after = shown(port)['standard']['rtnl']
                    back = {name: (before[name], value) for name, value in after.items()
                            if value < before[name]}
                    expect(not back, f'{model}: {back}')
                    before = after
        finally:
            sender.stop()
        with reader_wait(ALL_READ_MS):
            last = shown(port)['standard']['rtnl']
        ip = rtnl_of_ip(port)
        expect(last['rx_packets'] > READS, f'{model}: {last}')
        expect_equal({name: value for name, value in last.items() if name in ip},
                     {name: ip[name] for name in last if name in ip}, f'{model}: ip')
        far.delete()
        port.delete()


@case_in_place
def a_read_that_misses_a_counter_leaves_its_sums_as_they_were_on_each_face(here):
    """A frame with an alignment error has a CRC error, too: 8254x SDM 13.7.1, 13.7.2."""
    port = here.add('e1000')
    name = 'rtnl-rx_crc_errors'

    def check(crc_errors, stale):
        element = shown(port)
        expect_equal(element['standard']['rtnl']['rx_crc_errors'], crc_errors, 'show')
        expect_equal(element['state']['stale'], stale, 'the port')
        expect_equal(element.get('at_least', {}).get(name),
                     {'times': 0, 'stale': True} if stale else None, 'at_least')
        expect_equal(metrics_of(port)['macstats_rtnl_rx_crc_errors_total'], crc_errors, 'metrics')
        expect_equal(rtnl_of_ip(port)['rx_crc_errors'], crc_errors, 'ip')
        numbers, inexact = standard_of(port)
        number = uapi.number('MACSTATS_STD_', 'rtnl_rx_crc_errors')
        expect_equal(numbers[number], crc_errors, 'netlink')
        expect_equal([nest for nest in inexact if nest['standard'] == number],
                     [{'standard': number, 'bound': uapi.MACSTATS_BOUND_AT_LEAST, 'times': 0,
                       'stale': True}] if stale else [], 'netlink')

    check(0, False)
    # The next word that fails is that of ALGNERRC, behind CRCERRS.
    port.fault('bus_error_at', argument=1)
    port.inject(count=5, length=64, errors=['alignment'])
    check(0, True)
    port.fault('bus_error_at', False)
    check(0, False)
    port.inject(count=3, length=64, errors=['fcs'])
    check(3, False)


main()
