#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""QEMU unplugs and plugs a NIC, and its cable, as a test asks for it."""

import nics
from tap import case, expect, expect_equal, main

nics.need_plugging()


@case
def link_follows_the_cable():
    with nics.Machine() as machine, nics.Driver().loaded() as (first, second):
        nics.bring_up(first, second)
        machine.set_link(first, False)
        first.wait_for_link(False)
        expect(second.carrier(), 'the other link is down')
        machine.set_link(first, True)
        first.wait_for_link()


@case
def unplugged_nic_comes_back():
    with nics.Machine() as machine, nics.Driver().loaded() as (first, second):
        nics.bring_up(first, second)
        machine.unplug(first)
        expect_equal((first.present(), second.carrier()), (False, True), 'present, the other link')
        machine.plug(first)
        first.wait_for_name()
        nics.bring_up(first)


main()
