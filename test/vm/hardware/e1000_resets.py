#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Resets of the converted driver e1000 under traffic: no total goes back, each transmitted frame is
counted once, and the received ones lie between those that the driver delivered and those that
crossed the wire. A reset that nobody announces is reported."""

import nics
from nic_resets import SENT, bench, lose_nothing, renegotiate, state, totals, unload_and_load
from tap import case, expect, expect_equal, main, wait_for


@case
def resets_of_the_driver_lose_nothing():
    lose_nothing('e1000')


@case
def reset_that_nobody_announces_is_reported():
    """A reset of the bus: the driver notices it when its next frame is not sent in time."""
    with bench() as here:
        first, second = here.nics
        here.run()
        octets = 'tx_good_octets', 'tx_total_octets', 'rx_good_octets', 'rx_total_octets'
        before = totals(here.place, first, *octets)
        first.reset()
        wait_for(lambda: state(here.place, first)['discontinuities'] > 0, 'a discontinuity')
        # The registers of octets were 0 then: the difference of their values was nearly 2^32.
        added = [new - old for old, new in zip(before, totals(here.place, first, *octets))]
        expect(max(added) < 1 << 30, f'octets have jumped: {added}')
        expect_equal(state(here.place, second), {'loss': False, 'discontinuities': 0}, 'the other')
        renegotiate(first, here.links)
        first.wait_for_link()
        here.run()


def expect_new_port(here, nic):
    """It counts from 0."""
    nics.bring_up(nic)
    expect_equal(totals(here.place, nic, 'rx_jabbers', 'tx_total_frames')[0], 0, 'jabbers')
    expect(totals(here.place, nic, SENT)[0] < here.wire.read()[nic.mac],
           'the new port has the total of the old one')
    expect_equal(state(here.place, nic), {'loss': False, 'discontinuities': 0}, nic.name)


def comes_back_as_new_port(here, leave, come):
    first, second = here.nics
    here.run()
    leave(first)
    expect_equal([port['name'] for port in here.place.ports()], [second.name], 'ports')
    come(first)
    first.wait_for_name()
    expect_new_port(here, first)
    expect_equal(state(here.place, second), {'loss': False, 'discontinuities': 0}, 'the other')


@case
def unbound_driver_leaves_and_starts_anew():
    with bench() as here:
        comes_back_as_new_port(here, nics.Nic.unbind, nics.Nic.bind)


@case
def unplugged_nic_leaves_and_starts_anew():
    if not nics.can_plug():
        print('# left out: the kernel cannot unplug devices')
        return
    with nics.Machine() as machine, bench() as here:
        comes_back_as_new_port(here, machine.unplug, machine.plug)


@case
def driver_is_unloaded_and_loaded_under_traffic():
    unload_and_load('e1000')


main()
