#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A self test of ethtool fails while the registers do not answer, passes again afterwards, and
passes where only the counters stand still or are not built."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from ports import Sender, reader_wait, with_place  # noqa: E402
from tap import case, expect, expect_equal, main  # noqa: E402


PASSED, FAILED, NO_ANSWER = range(3)


def failing(port, offline=False):
    """The first words of the tests that fail."""
    flag, results = port.place.links.ethtool_test(port.name, offline)
    expect(set(results.values()) <= {PASSED, FAILED, NO_ANSWER}, results)
    found = {name for name, result in results.items() if result}
    expect_equal(flag, bool(found), f'the flag FAILED, {found}')
    return found


@case
@with_place
def every_test_of_registers_fails_while_they_do_not_answer(here):
    # The Agilex 5 core has no scratch and no identity registers.
    everything = {'scratch', 'identity', 'snapshot'}
    for model, fault, online in (('ll40g', 'bus_error', everything),
                                 ('ll40g', 'unplug', everything),
                                 ('ll40g_agilex5', 'clock_stopped', {'snapshot'})):
        what, port = f'{model}, {fault}', here.add(model)
        port.up()
        expect_equal(failing(port, offline=True), set(), f'{what}: before')
        port.fault(fault)
        expect_equal(failing(port), online, what)
        expect_equal(failing(port, offline=True), online | {'loopback'}, f'{what}: offline')
        port.fault(fault, active=False)
        expect_equal(failing(port), set(), f'{what}: afterwards')
        port.delete()


@case
@with_place
def a_result_tells_a_failure_from_hardware_that_does_not_answer(here):
    for fault, argument, identity in (('bus_error', None, FAILED),
                                      ('slow_bus', 10000, NO_ANSWER)):
        port = here.add('ll40g')
        port.fault(fault, argument=argument)
        with reader_wait(1):  # shorter than an access
            results = port.place.links.ethtool_test(port.name)[1]
        expect_equal(results['identity'], identity, fault)
        port.delete()


@case
@with_place
def traffic_does_not_take_part_in_a_loopback_test(here):
    port, peer = here.pair()
    sender = Sender(peer, bytes(60))
    try:
        for _ in range(20):
            expect_equal(failing(port, offline=True), set(), 'under traffic')
    finally:
        expect_equal(sender.stop(), 0, 'sending')


@case
@with_place
def a_closed_gate_stops_the_counters_and_no_register(here):
    port = here.add('cpsw')
    port.up()
    port.fault('gate_closes')
    expect_equal(failing(port), set(), 'online')
    expect_equal(failing(port, offline=True), {'loopback'}, 'offline')


@case
@with_place
def an_offline_self_test_counts_one_frame_of_64_octets_in_each_direction(here):
    port = here.add('ll40g')
    port.up()
    expect_equal(failing(port), set(), 'online')
    expect_equal({name: total for name, total in port.totals().items() if total}, {}, 'online')
    expect_equal(failing(port, offline=True), set(), 'offline')
    # A unicast data frame without an error, by the datasheet: octets are those of the payload.
    expected = {f'{way}_{name}': total for way in ('rx', 'tx') for name, total in
                (('64b', 1), ('ucast_data_ok', 1), ('st', 1), ('octets_ok', 64 - 18))}
    expect_equal({name: total for name, total in port.totals().items() if total}, expected,
                 'offline')


@case
@with_place
def what_is_not_built_does_not_fail(here):
    for model, options in (('ll40g', []), ('ll40g_agilex5', []),
                           ('ll40g_agilex5', ['tx_statistics']),
                           ('ll40g_agilex5', ['rx_statistics'])):
        port = here.add(model, options=options)
        expect_equal(failing(port), set(), f'{model} with {options}')
        port.delete()


main()
