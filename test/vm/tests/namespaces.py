#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Network namespaces are independent: changes in one do not interrupt dumps of devices in
another, and the end of one does not depend on how many devices there are elsewhere."""

import os
import time

import uapi
from genl import DEVICE, Family
from netdev import Namespace
from ports import PLATFORM, Place, case_in_place, devices_on_bus, place
from tap import case, expect, expect_equal, main, wait_for
from users import Child

DUMPS, DEVICES, ELSEWHERE = 30, 20, 400
# With parts of this size, a dump has several parts.
SMALL = 4096
ENDS = 7  # the fastest is compared
ROUNDS = 10


def add(family, count):
    """The ids of that number of new devices."""
    replies = [family.do(uapi.MACSTATS_EMU_CMD_DEVICE_NEW,
                         DEVICE.encode(model='ll40g', held=True))[0] for _ in range(count)]
    return [DEVICE.decode(reply)['id'] for reply in replies]


def expect_steady_dumps(here, churned, others):
    """Dumps list each device once and in order, and @others at most, while a device comes and
    goes in the place @churned."""
    steady = sorted(add(here.emu, DEVICES))
    with here.inside():
        small = Family(uapi.MACSTATS_EMU_GENL_NAME, largest=SMALL)
    churn = Child(lambda: churned.add(quiet=False).delete())
    try:
        wait_for(lambda: len(devices_on_bus()) > DEVICES, 'another device')
        for _ in range(DUMPS):
            found = [DEVICE.decode(device)['id']
                     for device in small.dump(uapi.MACSTATS_EMU_CMD_DEVICE_GET)]
            expect_equal([number for number in found if number in steady], steady, 'devices')
            expect(len(found) <= DEVICES + others, found)
    finally:
        churn.stop()
        small.close()


@case_in_place
def dumps_of_devices_are_not_interrupted_by_other_namespaces(here):
    expect_steady_dumps(here, place(), others=0)


@case_in_place
def a_dump_of_devices_neither_misses_nor_repeats_one_while_others_come_and_go(here):
    expect_steady_dumps(here, here, others=1)


def end_of_a_namespace():
    """The shortest time from its last reference to the end of its two devices."""
    taken = []
    for _ in range(ENDS):
        doomed = Place(Namespace())
        entries = [str(PLATFORM / f'devices/macstats_emu.{number}')
                   for number in add(doomed.emu, 2)]
        started = time.monotonic()
        doomed.close()
        wait_for(lambda: not any(map(os.path.exists, entries)), 'the end of the devices')
        taken.append(time.monotonic() - started)
    return min(taken)


def depends_on_devices_elsewhere():
    """Is it fast enough? Allows for other work of the machine."""
    where = Place(Namespace())
    alone = end_of_a_namespace()
    add(where.emu, ELSEWHERE)
    among_others = end_of_a_namespace()
    where.close()
    wait_for(lambda: not devices_on_bus(), 'the end of the devices elsewhere')
    print(f'# {alone * 1000:.1f} ms alone, {among_others * 1000:.1f} ms with {ELSEWHERE} devices '
          'elsewhere')
    return among_others > 1.3 * alone + 0.005


@case
def the_end_of_a_namespace_does_not_depend_on_devices_elsewhere():
    expect(not all(depends_on_devices_elsewhere() for _ in range(ROUNDS)), 'it does')


main()
