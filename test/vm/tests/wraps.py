#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every 32-bit counter may wrap at any time, and its total continues. A counter that wraps twice
between two polls is a possible loss."""

# architectures

import itertools

from ports import case_in_place
from tap import expect, expect_equal, main

OPTIONS = {
    'ixf1104': (('statistics',), ('statistics', 'fiber'), ('statistics', 'half_duplex')),
    'rc32438': (('statistics',), ('statistics', 'half_duplex')),
    'cpsw': (('statistics',), ('statistics', 'half_duplex')),
}
# The counter of received octets, and the wrap time of the model in seconds: at 1 Gbit/s,
# 100 Mbit/s, and 1 Gbit/s in both directions of three ports.
WRAP_SECONDS = {'ixf1104': ('rx_octets_total_ok', 34), 'rc32438': ('rx_rbc', 343),
                'cpsw': ('rx_octets', 5)}
BITS = 32
NEAR_END = 2**BITS - 5
# The address and a value of the maximum frame length register, with room for longer and
# shorter frames.
MAX_FRAME = {'ixf1104': (0x0f, 3000)}
TIMES = 7  # of each frame: more than is left to the wrap
LENGTHS = 3, 60, 64, 65, 128, 256, 512, 1024, 1518, 1519, 1600, 5000, 9700

# Other properties of frames, which need no length and no destination.
EVENTS = (
    {}, {'errors': ('fcs',)}, {'errors': ('alignment', 'fcs')}, {'errors': ('code',)},
    {'vlan_tags': 1}, {'kind': 'control'}, {'kind': 'pause'}, {'errors': ('overrun',)},
    {'errors': ('underrun',)}, {'errors': ('late_collision',)},
    {'errors': ('excessive_collisions',)}, {'errors': ('excessive_deferral',)},
    {'errors': ('carrier_loss',)}, {'collisions': 1}, {'collisions': 3}, {'deferred': True},
)


def send_all_sorts(port):
    for direction, destination, length in itertools.product(
            ('rx', 'tx'), ('unicast', 'multicast', 'broadcast'), LENGTHS):
        port.inject(TIMES, direction=direction, destination=destination, length=length)
    for direction, length, event in itertools.product(('rx', 'tx'), (60, 64, 5000), EVENTS):
        port.inject(TIMES, direction=direction, destination='multicast', length=length, **event)
    port.inject(TIMES, direction='tx', destination='multicast', length=64, kind='pause',
                origin='mac')
    # Some counters count only after a good frame.
    port.inject(2 * TIMES, direction='rx', length=64)


def names_of(here, model, **what):
    """The counters with these attributes."""
    return {row['name'] for row in here.counters(model)
            if all(row[key] == value for key, value in what.items())}


def wrap_all(here, model, options):
    """Two devices see the same frames; all counters of one of them are near their
    end before. Returns those which have wrapped."""
    full, empty = (here.add(model, options=options) for _ in range(2))
    for port in (full, empty):
        if model in MAX_FRAME:
            port.poke(*MAX_FRAME[model])
    for name in names_of(here, model, bits=BITS):
        full.preset(name, NEAR_END)
    before = full.totals()
    expect_equal(set(before.values()), {0}, f'{model}: totals after the preset')
    for port in (full, empty):
        send_all_sorts(port)
    totals = empty.totals()
    expect_equal(full.totals(), totals, f'{model} {options}: full and empty')
    expect('possible_loss' not in full.state(), f'{model}: {full.state()}')
    for port in (full, empty):
        port.delete()
    return {name for name, value in totals.items() if value > 5}


@case_in_place
def each_counter_wraps_and_its_total_continues(here):
    for model, sets in OPTIONS.items():
        wrapped = set()
        here.add(model, held=True)  # the kernel knows the models of ports
        for options in sets:
            wrapped |= wrap_all(here, model, options)
        # A counter without a direction never counts.
        all_of_them = names_of(here, model, bits=BITS) - names_of(here, model, direction=0)
        expect_equal(all_of_them - wrapped, set(), f'{model}: did not wrap')


@case_in_place
def two_wraps_between_two_polls_are_a_possible_loss(here):
    for model, (counter, seconds) in WRAP_SECONDS.items():
        port = here.add(model)
        port.totals()
        port.inject(5, length=64)
        port.advance(seconds * 10**9 - 2 * 10**9)  # within the time
        expect_equal(port.totals()[counter], 5 * 64, f'{model}: {counter}')
        expect('possible_loss' not in port.state(), f'{model}: too early: {port.state()}')
        port.inject(2 * 2**BITS // 64 + 3, length=64)
        port.advance(2 * seconds * 10**9)
        # Two wraps are missing in the total, which is reported as a possible loss.
        expect_equal(port.totals()[counter], 8 * 64, f'{model}: {counter}')
        expect('possible_loss' in port.state(), f'{model}: {port.state()}')
        port.delete()


@case_in_place
def more_traffic_than_a_counter_shows_is_a_possible_loss(here):
    """Within any time: injected frames, and those of real traffic, take their time on the line."""
    for model, count in (('e1000', 2**32 // 1024), ('ixf1104', 2**32 + 5), ('rc32438', 3000001)):
        port = here.add(model)
        port.inject(1000, length=1024)
        port.totals()
        expect('possible_loss' not in port.state(), f'{model}: {port.state()}')
        port.inject(count, length=64 if count > 2**32 else 1500)
        port.totals()
        expect('possible_loss' in port.state(), f'{model}: {port.state()}')
        expect('stale' not in port.state(), f'{model}: {port.state()}')
        port.delete()


@case_in_place
def software_counters_stay_at_the_largest_total(here):
    port = here.add('rc32438')
    for _ in range(3):
        port.inject(2**63 - 1, direction='rx', length=64)
    totals = port.totals()
    expect_equal((totals['rx_ok'], totals['rx_ok_octets']), (2**64 - 2, 2**64 - 2), 'totals')


@case_in_place
def what_is_taken_away_of_a_preset_is_never_added(here):
    for model, counter, frames in (('ixf1104', 'rx_uc_pkts', 0x22), ('rc32438', 'rx_rpc', 0x124)):
        port = here.add(model)
        port.preset(counter, 1000)
        expect_equal(port.peek(frames), 1000, f'{model}: the register')
        port.inject(3, length=64)
        expect_equal(port.totals()[counter], 0, f'{model}: {counter}')
        expect_equal(port.state()['discontinuities'], 1, f'{model}: discontinuities')
        port.inject(4, length=64)
        expect_equal(port.totals()[counter], 4, f'{model}: {counter}')
        port.delete()


@case_in_place
def software_counters_count_each_packet_whatever_came_before(here):
    """The status of a packet, and with it what counts it, differs from that of the one before."""
    port = here.add('rc32438')
    for _ in range(3):
        for destination, length in (('unicast', 100), ('unicast', 101), ('multicast', 101),
                                    ('broadcast', 102)):
            port.inject(direction='rx', destination=destination, length=length)
            port.inject(direction='rx', errors=('fcs',), length=length)
            port.inject(direction='tx', destination=destination, length=length)
    totals = port.totals()
    expected = {'rx_ok': 12, 'rx_ok_octets': 3 * 404, 'rx_not_ok': 12, 'rx_crc_error': 12,
                'rx_multicast_packet': 3, 'rx_broadcast_packet': 3, 'tx_ok': 12,
                'tx_ok_octets': 3 * (404 - 4 * 4), 'tx_not_ok': 0, 'tx_multicast_packet': 3,
                'tx_broadcast_packet': 3}
    expect_equal({name: totals[name] for name in expected}, expected, 'totals')


@case_in_place
def software_counters_count_more_packets_than_32_bits_hold(here):
    # As the descriptors of one call of the driver, and in two. Frames of 64 octets with FCS.
    for counts in ((2**33,), (2**32 + 3, 2**32 - 1)):
        port = here.add('rc32438')
        for count in counts:
            port.inject(count, direction='tx', length=64)
            port.inject(count, direction='rx', length=64)
        totals = port.totals()
        expect_equal({name: totals[name] for name in ('tx_ok', 'tx_ok_octets', 'rx_ok',
                                                      'rx_ok_octets')},
                     {'tx_ok': sum(counts), 'tx_ok_octets': sum(counts) * 60,
                      'rx_ok': sum(counts), 'rx_ok_octets': sum(counts) * 64}, str(counts))
        port.delete()


main()
