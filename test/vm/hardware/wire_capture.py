#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The statistics of a driver agree with the frames on its wire: two NICs send each other frames of
all classes, and each of their counters has the value that follows from QEMU's capture, by the
manual of the controller. Departures of QEMU from the manual are ERRATA of lib/capture.py; each is
asserted, so that this test reports a QEMU without it."""

# architectures

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import capture  # noqa: E402
import effort  # noqa: E402
import nics  # noqa: E402
import readers  # noqa: E402
from tap import case, expect, main  # noqa: E402
from wire_traffic import Ports, send_everything  # noqa: E402

FRAMES = effort.count('MACSTATS_WIRE_FRAMES', 100_000, 100_000, 1_000_000, 200_000, 20_000)
# Of the driver that is compared with.
FEWER_FRAMES = FRAMES // 5


def report_errata(ports):
    for mac, counts in ports.wire.counts.items():
        for erratum in capture.ERRATA:
            met = {name: value for name, value in counts.errata[erratum.name].items() if value}
            print(f'# {mac.hex(":")} {erratum.name}: {met or "not met"}')


def unconverted(links, name):
    return (readers.EthtoolStatistics(links, name, readers.E1000_ETHTOOL, readers.E1000_SOFTWARE),
            readers.SysfsStatistics(name, readers.E1000_SYSFS, readers.SYSFS_SOFTWARE))


def converted(links, name):
    return (readers.EthtoolStatistics(links, name, readers.CONVERTED_ETHTOOL,
                                      readers.E1000_SOFTWARE),
            readers.SysfsStatistics(name, readers.CONVERTED_SYSFS,
                                    readers.CONVERTED_SYSFS_SOFTWARE),
            readers.StandardStatistics(name, readers.CONVERTED_STANDARD))


def expect_counted(driver, make_readers, frames):
    with nics.one_cpu(), driver.loaded() as found, Ports(found, make_readers) as ports:
        send_everything(ports, frames)
        print(f'# {sum(ports.wire.frames.values())} frames')
        report_errata(ports)
        expect(min(ports.wire.frames[nic.mac] for nic in found) >= frames // 3, 'too few frames')
        for counts in ports.wire.counts.values():
            for erratum in capture.ERRATA:
                expect(any(counts.errata[erratum.name].values()), f'{erratum.name} was not met')


@case
def all_counters_follow_from_the_capture():
    expect_counted(nics.Driver(), unconverted, FEWER_FRAMES)


@case
def all_counters_of_the_converted_driver_follow_from_the_capture():
    expect_counted(nics.Driver(converted=True), converted, FRAMES)


main()
