#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The statistics of a driver agree with the frames on its wire: two NICs send each other frames of
all classes, and each of their counters has the value that follows from QEMU's capture, by the
manual of the controller. Departures of QEMU from the manual are ERRATA of lib/capture.py; each is
asserted, so that this test reports a QEMU without it."""

# architectures

import effort
import nics
import readers
from tap import case, main
from wire_traffic import expect_counted

FRAMES = effort.count('MACSTATS_WIRE_FRAMES', 100_000, 100_000, 1_000_000, 200_000, 20_000)
# Of the driver that is compared with.
FEWER_FRAMES = FRAMES // 5


def unconverted(links, name):
    return (readers.EthtoolStatistics(links, name, readers.E1000_ETHTOOL, readers.E1000_SOFTWARE),
            readers.SysfsStatistics(name, readers.E1000_SYSFS, readers.SYSFS_SOFTWARE))


def converted(links, name):
    return (readers.EthtoolStatistics(links, name, readers.CONVERTED_ETHTOOL,
                                      readers.E1000_SOFTWARE),
            readers.SysfsStatistics(name, readers.CONVERTED_SYSFS,
                                    readers.CONVERTED_SYSFS_SOFTWARE),
            readers.StandardStatistics(name, readers.CONVERTED_STANDARD))


@case
def all_counters_follow_from_the_capture():
    expect_counted(nics.Driver(), unconverted, FEWER_FRAMES)


@case
def all_counters_of_the_converted_driver_follow_from_the_capture():
    expect_counted(nics.Driver(converted=True), converted, FRAMES)


main()
