#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Totals start at 0 and never go back, for any power-up values, foreign clears and parity
errors, and the provider reports these."""

# architectures

import uapi
from ports import (CLEAR, PARITY_CLEAR, PARITY_ERROR, PAUSED, RX_CONFIG, RX_STATUS, SHADOW_REQUEST,
                   TX_CONFIG, TX_STATUS, KernelLog, Sender, case_in_first_place)
from tap import expect, expect_equal, main, wait_for

FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(86)
PAGES = {'tx': (TX_CONFIG, TX_STATUS), 'rx': (RX_CONFIG, RX_STATUS)}


def inject_both(port, count):
    for direction in PAGES:
        port.inject(count=count, direction=direction, length=100)


def expect_counted(port, tx, rx, discontinuities=0):
    totals = port.totals()
    expect_equal([totals[name] for name in ('tx_st', 'tx_65to127b', 'tx_ucast_data_ok',
                                            'tx_octets_ok')], [tx, tx, tx, tx * 82], 'tx')
    expect_equal([totals[name] for name in ('rx_st', 'rx_65to127b', 'rx_ucast_data_ok',
                                            'rx_octets_ok')], [rx, rx, rx, rx * 82], 'rx')
    expect_equal(port.state()['discontinuities'], discontinuities, 'discontinuities')


def expect_fragments(port, received):
    """The first counters of both pages."""
    totals = port.totals()
    expect_equal((totals['tx_fragments'], totals['rx_fragments']), (0, received), 'fragments')


@case_in_first_place
def totals_start_at_0_for_all_power_up_values(here):
    for seed in range(1, 9):
        port = here.add(power_up_random=True, seed=seed)
        expect_equal(set(port.totals(cached=True).values()), {0}, f'seed {seed}, first totals')
        expect_equal(set(port.totals().values()), {0}, f'seed {seed}')
        inject_both(port, 1000)
        expect_counted(port, 1000, 1000)
        state = port.state()
        expect_equal((state['parity_errors'], 'stale' in state), (0, False), f'seed {seed}')
        expect_equal((port.peek(TX_STATUS), port.peek(RX_STATUS)), (0, 0), 'parity bits')
        port.delete()


@case_in_first_place
def a_foreign_clear_is_a_discontinuity_and_keeps_the_totals(here):
    log, port = KernelLog(), here.add()
    listener = here.listen()
    inject_both(port, 500)
    expect_counted(port, 500, 500)
    port.poke(TX_CONFIG, CLEAR)
    expect_equal(port.peek(TX_CONFIG) & CLEAR, 0, 'the clear bit')
    expect_counted(port, 500, 500, discontinuities=1)
    inject_both(port, 20)
    expect_counted(port, 520, 520, discontinuities=1)
    port.poke(RX_CONFIG, CLEAR)
    expect_counted(port, 520, 520, discontinuities=2)
    inject_both(port, 3)
    expect_counted(port, 523, 523, discontinuities=2)

    state = port.state()
    expect('discontinuity_time' in state and state['discontinuity_time'] <= state['poll_time'],
           state)
    # A counter of received frames had counted 520, and was 0.
    suspect = port.counter_names()[state['discontinuity_counter']]
    expect(suspect.startswith('rx_') and port.totals()[suspect], suspect)
    expect_equal(state['discontinuity_value'], 0, f'the value of {suspect} at the discontinuity')
    events = [event['event'] for _, event in listener.events(2) if 'event' in event]
    expect_equal(events, [uapi.MACSTATS_EVENT_DISCONTINUITY] * 2, 'events')
    logged = [line for line in log.lines() if port.name in line and 'clear' in line]
    expect(logged and f'{suspect} read 0' in logged[-1], f'kernel log: {logged}')


@case_in_first_place
def a_parity_error_is_counted_reported_and_cleared_and_damages_no_total(here):
    log, port = KernelLog(), here.add()
    listener = here.listen()
    inject_both(port, 500)
    expect_counted(port, 500, 500)
    port.fault('parity_error')
    expect_equal((port.peek(TX_STATUS) & PARITY_ERROR, port.peek(RX_STATUS) & PARITY_ERROR),
                 (PARITY_ERROR, PARITY_ERROR), 'the fault')
    # The top bit of the first counter of each page has changed: one discontinuity for both.
    expect_counted(port, 500, 500, discontinuities=1)
    expect_fragments(port, 0)
    expect_equal(port.state()['parity_errors'], 1, 'parity errors')
    expect_equal((port.peek(TX_STATUS), port.peek(RX_STATUS)), (0, 0), 'parity bits')
    inject_both(port, 1)
    expect_counted(port, 501, 501, discontinuities=1)
    expect_equal(port.state()['parity_errors'], 1, 'parity errors after the next read')
    port.inject(count=3, length=40, errors=('fcs',))  # a MAC pads frames that it sends
    expect_fragments(port, 3)  # counting continues from the damaged value
    events = [event for _, event in listener.events(1) if 'event' in event]
    expect_equal([(event['event'], event['ifindex'], event['parity_errors']) for event in events],
                 [(uapi.MACSTATS_EVENT_PARITY_ERROR | uapi.MACSTATS_EVENT_DISCONTINUITY,
                   port.ifindex, 1)], 'events')
    logged = [line for line in log.lines() if port.name in line and 'parity' in line]
    expect_equal(len(logged), 1, f'lines about it in the kernel log: {logged}')


@case_in_first_place
def a_foreign_snapshot_does_not_show_old_values(here):
    port = here.add()
    for config, status in PAGES.values():
        port.poke(config, SHADOW_REQUEST)
        expect_equal(port.peek(status) & PAUSED, PAUSED, 'the snapshot')
    inject_both(port, 70)
    expect_counted(port, 70, 70)
    for config, status in PAGES.values():
        expect_equal(port.peek(status) & PAUSED, 0, 'the snapshot after a read')
        expect_equal(port.peek(config) & SHADOW_REQUEST, 0, 'the request after a read')


@case_in_first_place
def a_read_preserves_the_other_configuration_bits(here):
    port = here.add()
    for config, _ in PAGES.values():
        port.poke(config, 0x1238)
    port.fault('parity_error')
    port.totals()
    for config, _ in PAGES.values():
        expect_equal(port.peek(config), 0x1238, 'the configuration')
    port.poke(TX_CONFIG, SHADOW_REQUEST | PARITY_CLEAR)
    expect_equal(port.peek(TX_CONFIG), SHADOW_REQUEST, 'the configuration')


# The last case, as its many discontinuities exhaust the rate limit of the kernel log.
@case_in_first_place
def totals_never_go_back_during_foreign_clears_under_traffic(here):
    left, right = here.pair()
    reader = left.ethtool()
    sender = Sender(left, FRAME)
    try:
        wait_for(lambda: sender.done > 10, 'traffic')
        before, cleared = reader.read(), 0
        for number in range(600):
            if number % 30 == 15:
                left.poke(TX_CONFIG, CLEAR)
                cleared += 1
            values = reader.read()
            started = sender.started + 1
            expect(all(old <= new for old, new in zip(before, values)), 'a total went back')
            expect(values[reader.names.index('tx_st')] <= started, 'more than what was sent')
            before = values
    finally:
        sender.stop()
    discontinuities = left.state()['discontinuities']
    expect(0 < discontinuities <= cleared, f'{discontinuities} of {cleared} clears were noticed')
    # The counts between the last read and a clear are unknown.
    totals = left.totals()
    expect(totals['tx_st'] <= sender.done, totals['tx_st'])
    at_rest = right.totals()['rx_st']
    expect_equal(at_rest, sender.done, 'the end that was not cleared')


main()
