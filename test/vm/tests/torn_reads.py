#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""No read of a 64-bit counter is torn. With counters preset to just below 2^32 and 2^63 under
traffic, totals of thousands of reads only grow, and never exceed what was sent."""

# architectures

import operator

import effort
from ports import Sender, case_in_place
from tap import Failure, expect, expect_equal, main, wait_for

READS = 4000 if effort.FOREIGN else 10000
READS_PER_PRESET = 25
PAYLOAD = 1500
FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(PAYLOAD)
# Counters of each frame, and the amount that it adds.
STEPS = {'st': 1, 'ucast_data_ok': 1, '1024to1518b': 1, 'octets_ok': PAYLOAD}


def preset_below(port, prefix, edge, number):
    """So near that the frames of the next reads cross the edge, at changing places."""
    for index, (name, step) in enumerate(STEPS.items()):
        port.preset(prefix + name, edge - step * ((61 * number + 7 * index) % 400 + 1))


def check_reads(here, edge):
    left, right = here.pair()
    counted = [(port.ethtool(), prefix) for port, prefix in ((left, 'tx_'), (right, 'rx_'))]
    watched = [[(reader.names.index(prefix + name), step) for name, step in STEPS.items()]
               for reader, prefix in counted]
    before = [[0] * len(reader.names) for reader, _ in counted]
    sender = Sender(left, FRAME)
    try:
        wait_for(lambda: sender.done > 10, 'traffic')
        for number in range(READS):
            if number % READS_PER_PRESET == 0:
                preset_below(left, 'tx_', edge, number // READS_PER_PRESET)
                preset_below(right, 'rx_', edge, number // READS_PER_PRESET)
            which = number % 2
            reader = counted[which][0]
            done = sender.done if which == 0 else 0
            values = reader.read()
            # One more, as the sender counts a frame after sending it.
            started = sender.started + 1
            if any(map(operator.lt, values, before[which])):
                raise Failure(f'read {number}: a total went back: {before[which]} to {values}')
            before[which] = values
            for index, step in watched[which]:
                if not done * step <= values[index] <= started * step:
                    raise Failure(f'read {number}: {reader.names[index]} is {values[index]}, '
                                  f'{done} to {started} frames were sent')
    finally:
        sender.stop()
    check_end(left, right, sender.done)


def check_end(left, right, sent):
    expect(sent > READS_PER_PRESET, f'only {sent} frames were sent')
    wait_for(lambda: right.totals()['rx_st'] >= sent, 'all frames')
    for port, prefix in ((left, 'tx'), (right, 'rx')):
        totals, state = port.totals(), port.state()
        for name, step in STEPS.items():
            expect_equal(totals[f'{prefix}_{name}'], sent * step, f'{port.name} {prefix}_{name}')
        expect_equal((state['discontinuities'], 'stale' in state), (0, False), port.name)


@case_in_place
def no_read_is_torn_where_the_low_word_wraps(here):
    check_reads(here, 1 << 32)


@case_in_place
def no_read_is_torn_where_the_highest_bit_is_set(here):
    check_reads(here, 1 << 63)


# Frames and octets of a class are two sums, which a sender on another CPU moves on.
@case_in_place
def a_snapshot_has_the_octets_of_exactly_its_frames(here):
    left, right = here.pair()
    watched = []
    for port, prefix in ((left, 'tx_'), (right, 'rx_')):
        reader = port.ethtool()
        watched.append((reader, *(reader.names.index(prefix + name)
                                  for name in ('st', 'octets_ok'))))
    sender = Sender(left, FRAME)
    try:
        wait_for(lambda: sender.done > 10, 'traffic')
        for number in range(READS):
            reader, frames, octets = watched[number % 2]
            values = reader.read()
            expect_equal(values[octets], values[frames] * PAYLOAD,
                         f'read {number}: octets of {values[frames]} frames')
    finally:
        sender.stop()


@case_in_place
def injected_frames_carry_every_counter_over_2_to_the_32_without_a_jump(here):
    port = here.add()
    names = [name for name in port.counter_names() if name.startswith('rx_')]
    for name in names:
        port.preset(name, (1 << 32) - 1000)
    expect_equal(sum(port.totals().values()), 0, 'totals after a preset')
    reader, before = port.ethtool(), None
    for number in range(300):
        port.inject(count=7, errors=['fcs'] if number % 2 else [],
                    length=(64, 200, 9601)[number % 3])
        totals = reader.totals()
        if before:
            for name in names:
                expect(0 <= totals[name] - before[name] <= 7 * 9583, f'{name} jumped')
        before = totals
    expect_equal(before['rx_st'], 2100, 'frames')


main()
