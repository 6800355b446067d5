# SPDX-License-Identifier: GPL-2.0
"""The tally counters of a Realtek RTL8139C+, by its datasheet (Dump Tally Counter Command), and in
QEMU's rtl8139: see capture.py."""

import zlib

import capture
from capture import Erratum

REGISTERS = tuple('TxOk RxOk TxErr RxErr MissPkt FAE Tx1Col TxMCol RxOkPhy RxOkBrd RxOkMu TxAbt '
                  'TxUndrn'.split())
# A net device joins it when it comes up.
ALL_HOSTS = bytes.fromhex('01005e000001')


def hash_of(address):
    """Its place in the hash table of 64 bits: the first six bits of the CRC."""
    reversed_crc = zlib.crc32(address) ^ 0xffffffff
    return int(f'{reversed_crc:032b}'[::-1], 2) >> 26


def accepts(frame, settings):
    """Does the frame pass the address filter? That has no VLANs."""
    if frame.broadcast or settings.promiscuous or (frame.group and settings.all_multicast):
        return True
    return frame.destination == settings.mac or (
        frame.group and hash_of(frame.destination) in map(hash_of, settings.hashed))


def sent(_frame, _settings):
    return [('TxOk', 1)]


def by_address(frame, settings):
    return [('RxOkBrd', frame.broadcast), ('RxOkMu', frame.multicast),
            ('RxOkPhy', frame.destination == settings.mac)]


def received(frame, settings):
    """That no counter includes frames that the filter rejects is inferred."""
    if not accepts(frame, settings):
        return []
    return [('RxOk', 1), *by_address(frame, settings)]


def received_in_qemu(frame, settings):
    """By hw/net/rtl8139.c of QEMU 7.2.22."""
    if not accepts(frame, settings):
        return [('RxErr', 1)]
    return [('RxOk', 1), *([] if settings.promiscuous else by_address(frame, settings))]


ERRATA = (
    Erratum('rejected_is_error', 'RxErr',
            'RxErr counts received frames with an error',
            'it counts good frames that the address filter rejects, too',
            received=lambda frame, settings: not accepts(frame, settings)),
    Erratum('promiscuous_has_no_address', 'RxOkPhy RxOkBrd RxOkMu',
            'these count good frames by their address: that of the station, broadcast, multicast',
            'they stay as they are while all frames are accepted',
            received=lambda frame, settings: settings.promiscuous and any(
                number for _, number in by_address(frame, settings))),
)

# The driver has 64 descriptors.
RTL8139 = capture.Controller(REGISTERS, ERRATA, sent, received, sent, received_in_qemu,
                             {'hashed': frozenset([ALL_HOSTS])}, groups='hashed', burst=40)
