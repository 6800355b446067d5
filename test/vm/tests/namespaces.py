#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Network namespaces are independent: changes in one do not interrupt dumps of devices in
another, and the end of one takes only as long as its own devices."""


import os
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import uapi  # noqa: E402
from genl import DEVICE, Family, Interrupted  # noqa: E402
from netdev import Namespace  # noqa: E402
from ports import PLATFORM, Place, devices_on_bus, place, with_place  # noqa: E402
from tap import case, expect, expect_equal, main, wait_for  # noqa: E402
from users import Child  # noqa: E402

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


@case
@with_place
def dumps_of_devices_are_not_interrupted_by_other_namespaces(here):
    add(here.emu, DEVICES)
    with here.inside():
        small = Family(uapi.MACSTATS_EMU_GENL_NAME, largest=SMALL)
    elsewhere = place()
    churn = Child(lambda: elsewhere.add(quiet=False).delete())
    interrupted = 0
    try:
        wait_for(lambda: len(devices_on_bus()) > DEVICES, 'devices elsewhere')
        for _ in range(DUMPS):
            try:
                devices = small.dump(uapi.MACSTATS_EMU_CMD_DEVICE_GET)
                expect_equal(len(devices), DEVICES, 'devices')
            except Interrupted:
                interrupted += 1
    finally:
        churn.stop()
        small.close()
    expect_equal(interrupted, 0, f'interrupted dumps of {DUMPS}')


@case
@with_place
def a_device_shows_the_ifindexes_of_the_callers_namespace_alone(here):
    here.add('ixf1104')
    elsewhere = place()
    before, = here.devices()
    expect(len(set(before['port'])) == 4 and all(before['port']), before)
    here.links.move(before['port'][1], elsewhere.namespace)
    after, = here.devices()
    expect_equal(after['port'], [before['port'][0], 0, *before['port'][2:]], 'one is elsewhere')


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
