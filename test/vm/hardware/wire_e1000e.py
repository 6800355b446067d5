#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The same as wire_capture.py for the driver e1000e, with QEMU's 82574 and the errata of
lib/capture_e1000e.py."""

# nic: e1000e

import effort
import nics
import readers
from capture_e1000e import E1000E
from tap import case, main
from wire_traffic import expect_counted

FRAMES = effort.count('MACSTATS_WIRE_FRAMES', 20_000, 20_000, 200_000, 40_000)
# Of the driver that is compared with.
FEWER_FRAMES = FRAMES // 5


def unconverted(links, name):
    return (readers.EthtoolStatistics(links, name, readers.E1000E_ETHTOOL, readers.E1000E_SOFTWARE),
            readers.SysfsStatistics(name, readers.E1000E_SYSFS, readers.CONVERTED_SYSFS_SOFTWARE))


def converted(links, name):
    return (readers.EthtoolStatistics(links, name, readers.CONVERTED_E1000E_ETHTOOL,
                                      readers.CONVERTED_E1000E_SOFTWARE),
            readers.SysfsStatistics(name, readers.CONVERTED_E1000E_SYSFS,
                                    (*readers.CONVERTED_SYSFS_SOFTWARE, 'tx_carrier_errors')),
            readers.StandardStatistics(name, readers.CONVERTED_E1000E_STANDARD))


@case
def all_counters_follow_from_the_capture():
    expect_counted(nics.Driver('e1000e'), unconverted, FEWER_FRAMES, E1000E)


@case
def all_counters_of_the_converted_driver_follow_from_the_capture():
    expect_counted(nics.Driver('e1000e', converted=True), converted, FRAMES, E1000E)


main()
