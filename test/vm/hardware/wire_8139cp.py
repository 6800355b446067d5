#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The same as wire_capture.py for the driver 8139cp, with QEMU's RTL8139C+, which dumps its
counters to memory, and the errata of lib/capture_rtl8139.py."""

# nic: rtl8139

import subprocess

import effort
import nics
import readers
from capture_rtl8139 import RTL8139
from netdev import EthtoolReader
from tap import case, expect, expect_equal, main
from wire_traffic import (LENGTHS, MTU, PACKET_MR_ALLMULTI, PACKET_MR_PROMISC, TAGGED,
                          TAGGED_LENGTHS, Ports, expect_counted, send_classes, send_control)

FRAMES = effort.count('MACSTATS_WIRE_FRAMES', 20_000, 20_000, 200_000, 40_000, 4_000)
# Of the driver that is compared with.
FEWER_FRAMES = FRAMES // 5
# The modules that it uses.
subprocess.run(['modprobe', 'mii'], check=True)

ETHTOOL = {
    'tx_ok': 'TxOk', 'rx_ok': 'RxOk', 'tx_err': 'TxErr', 'rx_err': 'RxErr', 'rx_fifo': 'MissPkt',
    'frame_align': 'FAE', 'tx_ok_1col': 'Tx1Col', 'tx_ok_mcol': 'TxMCol', 'rx_ok_phys': 'RxOkPhy',
    'rx_ok_bcast': 'RxOkBrd', 'rx_ok_mcast': 'RxOkMu', 'tx_abort': 'TxAbt',
    'tx_underrun': 'TxUndrn',
}
# Packets are those of the descriptors, in both drivers.
SYSFS = {'rx_packets': 'RxOk', 'tx_packets': 'TxOk', 'rx_missed_errors': 'MissPkt'}
CONVERTED_SYSFS = SYSFS | {'multicast': 'RxOkMu'}
STANDARD = {
    'eth-mac/FramesTransmittedOK': 'TxOk', 'eth-mac/FramesReceivedOK': 'RxOk',
    'eth-mac/SingleCollisionFrames': 'Tx1Col', 'eth-mac/MultipleCollisionFrames': 'TxMCol',
    'eth-mac/AlignmentErrors': 'FAE', 'eth-mac/FramesAbortedDueToXSColls': 'TxAbt',
    'eth-mac/FramesLostDueToIntMACXmitError': 'TxUndrn',
    'eth-mac/FramesLostDueToIntMACRcvError': 'MissPkt',
    'eth-mac/MulticastFramesReceivedOK': 'RxOkMu',
    'eth-mac/BroadcastFramesReceivedOK': 'RxOkBrd',
}


class GroupStatistics(readers.StandardStatistics):
    """The driver has no pause parameters, and so no statistics of pause frames."""

    def _json(self, *words):
        return {} if '-a' in words else super()._json(*words)


def unconverted(links, name, sysfs=SYSFS):
    software = {*readers.SYSFS_SOFTWARE, *readers.E1000_SYSFS} - sysfs.keys()
    return (readers.EthtoolStatistics(links, name, ETHTOOL, ['rx_frags']),
            readers.SysfsStatistics(name, sysfs, software))


def converted(links, name):
    return (*unconverted(links, name, CONVERTED_SYSFS), GroupStatistics(name, STANDARD))


def send(ports, frames):
    times = max(2, frames // 300)
    with ports.group():
        send_classes(ports, LENGTHS, times)
        send_classes(ports, TAGGED_LENGTHS, times, (TAGGED,))
        send_control(ports, times)
        for kind, setting in ((PACKET_MR_ALLMULTI, 'all_multicast'),
                              (PACKET_MR_PROMISC, 'promiscuous')):
            with ports.membership(kind, **{setting: True}):
                send_classes(ports, LENGTHS, times)


def send_with_resets(ports, frames):
    """Each change of the MTU resets the MAC, which clears its counters."""
    first, second = ports.nics
    for nic, mtu in (first, 2000), (second, 2000), (first, MTU), (second, MTU):
        send(ports, frames // 4)
        ports.set_mtu(nic, mtu)


@case
def all_counters_follow_from_the_capture():
    expect_counted(nics.Driver('8139cp'), unconverted, FEWER_FRAMES, RTL8139, send)


@case
def all_counters_of_the_converted_driver_follow_from_the_capture():
    """Through resets of the MAC."""
    expect_counted(nics.Driver('8139cp', converted=True), converted, FRAMES, RTL8139,
                   send_with_resets)


@case
def the_unconverted_driver_begins_again_at_a_reset():
    with nics.Driver('8139cp').loaded() as found, Ports(found, unconverted, RTL8139) as ports:
        nic = found[0]
        ports.drain()
        reader = EthtoolReader(ports.links, nic.name)
        expect(reader.totals()['tx_ok'], 'nothing was sent')
        ports.links.down(nic.index())
        nics.bring_up(nic)
        expect_equal(reader.totals()['tx_ok'], 0, 'sent frames after a reset')


main()
