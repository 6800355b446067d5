#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A dump reports each object once and whole, wherever one of its parts ends: in the middle of
any attribute of any object."""

import uapi
from genl import COUNTER, DEVICE, PORT, STATS, Family
from ports import case_in_place
from tap import expect, expect_equal, main

# The kernel makes no smaller parts; with ports whose counters saturate, none below the second
# number. Attributes begin at multiples of 4 octets.
SMALLEST, SMALLEST_SATURATING = 4096, 8192
STEP, HEADERS = 4, 20


def expect_all_in_any_parts(here, name, command, kind, payload=b'', smallest=SMALLEST):
    """Parts that are larger by 4 octets each time, until the first part has one object more.
    @kind: the attributes of an object. Where they are in a part decides which are padded, unless
    the processor can access a word at any address."""
    def dump(largest=1 << 15):
        with here.inside():
            family = Family(name, largest=largest)
        replies = family.dump(command, payload)
        family.close()
        return replies

    expected = dump()
    longest = HEADERS + max(map(len, expected))
    octets = sum(HEADERS + len(reply) for reply in expected)
    expect(octets > smallest + longest, f'{name} {command}: {octets} octets fit into one part')
    for largest in range(smallest, smallest + longest + STEP, STEP):
        replies = dump(largest)
        if replies != expected:
            expect_equal([kind.decode(reply) for reply in replies],
                         [kind.decode(reply) for reply in expected],
                         f'{name} {command}: parts of {largest} octets')


def add_worst(here):
    """A port whose state has all facts that a state may have, except saturated counters."""
    port = here.add('ll40g_agilex5', held=True, options=['tx_statistics'])
    port.inject(10, direction='tx', length=100)
    port.poll()
    port.fault('reset')
    port.poll()
    port.fault('bus_error')
    port.fault('suspend')
    state = port.state()
    for fact in 'stale', 'stale_reason', 'possible_loss', 'discontinuity_counter':
        expect(fact in state, f'{fact} is missing in {state}')
    return port


def add_saturated(here):
    port = here.add('e1000', held=True)
    for row in port.registers()[:4]:
        port.preset(row['name'], (1 << row['bits']) - 1)
    port.poll()
    expect(len(port.state()['saturated']) == 4, 'four counters are at their maximum')
    return port


@case_in_place
def every_port_is_reported_whole(here):
    for _ in range(24):
        add_worst(here)
    expect_all_in_any_parts(here, uapi.MACSTATS_GENL_NAME, uapi.MACSTATS_CMD_PORT_GET, PORT)


@case_in_place
def the_statistics_of_every_port_are_reported_whole(here):
    for _ in range(24):
        add_worst(here)
    expect_all_in_any_parts(here, uapi.MACSTATS_GENL_NAME, uapi.MACSTATS_CMD_STATS_GET,
                            STATS, STATS.encode(cached=True))


@case_in_place
def saturated_counters_are_reported_whole(here):
    for _ in range(36):
        add_saturated(here)
    expect_all_in_any_parts(here, uapi.MACSTATS_GENL_NAME, uapi.MACSTATS_CMD_PORT_GET, PORT,
                            smallest=SMALLEST_SATURATING)
    expect_all_in_any_parts(here, uapi.MACSTATS_GENL_NAME, uapi.MACSTATS_CMD_STATS_GET,
                            STATS, STATS.encode(cached=True), SMALLEST_SATURATING)


@case_in_place
def every_counter_is_reported_whole(here):
    for model in 'e1000', 'cpsw':
        number = here.add(model, held=True).state()['model_id']
        expect_all_in_any_parts(here, uapi.MACSTATS_GENL_NAME, uapi.MACSTATS_CMD_COUNTER_GET,
                                COUNTER, COUNTER.encode(model_id=number))


@case_in_place
def every_device_is_reported_whole(here):
    for _ in range(50):
        here.add('cpsw', held=True, netdevs=2, owned=True, private_only=True)
    expect_all_in_any_parts(here, uapi.MACSTATS_EMU_GENL_NAME, uapi.MACSTATS_EMU_CMD_DEVICE_GET,
                            DEVICE)


main()
