#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The tools of tests with NICs: a driver is bound and unbound, a bus reset concerns one NIC, and
one that was removed from the bus is found again."""

# architectures: arm64 armhf

import nics
from tap import case, expect, expect_equal, main

# A register that no driver of this test changes, and its value after a reset.
VET, VET_AFTER_RESET, VET_CHANGED = 0x0038, 0x8100, 0x9100


@case
def driver_is_unbound_and_bound():
    with nics.Driver().loaded() as (first, second):
        first.unbind()
        expect_equal((first.driver(), first.name, second.driver()), ('', '', 'e1000'),
                     'drivers, and the network device of the unbound one')
        first.bind()
        expect_equal(first.driver(), 'e1000', 'driver')


@case
def bus_reset_concerns_one_nic():
    first, second = nics.nics()
    with first.registers() as one, second.registers() as other:
        one[VET] = other[VET] = VET_CHANGED
        expect_equal((one[VET], other[VET]), (VET_CHANGED, VET_CHANGED), 'VET')
    first.reset()
    with first.registers() as one, second.registers() as other:
        expect_equal((one[VET], other[VET]), (VET_AFTER_RESET, VET_CHANGED), 'VET')
    second.reset()


@case
def removed_nic_is_found_again():
    with nics.Driver().loaded() as (first, _):
        first.remove()
        expect(not first.present(), 'it is on the bus')
        first.rescan()
        first.wait_for_name()


main()
