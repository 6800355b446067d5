# SPDX-License-Identifier: GPL-2.0
"""The statistics registers of an Intel 82574, whose manual has the rules of the 8254x, and in QEMU's
e1000e, with the settings of its driver: see capture.py."""

import capture
from capture import FCS, MINIMUM, SIZED, Erratum, size_class

# A net device joins it when it comes up.
ALL_HOSTS = bytes.fromhex('01005e000001')
SENT_SIZED = SIZED.replace('PRC', 'PTC')


def is_short(frame):
    return frame.octets < MINIMUM - FCS


def is_hashed(frame, settings):
    """Does it pass the address filter by the hash table alone?"""
    return frame.multicast and settings.accepts(frame) and not (
        settings.promiscuous or settings.all_multicast)


def size(register, octets):
    return [(f'{register}{size_class(octets)}', 1)] if octets >= MINIMUM else []


def sent_in_qemu(frame, _settings):
    """By hw/net/e1000e_core.c of QEMU 7.2.22."""
    return [('GPTC', 1), ('TPT', 1), ('GOTC', frame.octets), ('TOT', frame.octets),
            *size('PTC', frame.octets), ('BPTC', frame.broadcast), ('MPTC', frame.multicast)]


def received_in_qemu(frame, settings):
    """By hw/net/e1000e_core.c and e1000x_common.c of QEMU 7.2.22."""
    undersize = [('RUC', is_short(frame))]
    octets = frame.length - FCS
    if octets > settings.longest():
        return [*undersize, ('ROC', 1)]
    if not settings.accepts(frame):
        return undersize
    octets -= 4 * (frame.tagged and settings.removes_tags)
    return [*undersize, ('TPR', 1), ('GPRC', 1), ('TOR', octets + FCS), ('GORC', octets + FCS),
            *size('PRC', octets), ('BPRC', frame.broadcast),
            ('MPRC', frame.multicast + is_hashed(frame, settings))]


ERRATA = (
    Erratum('hashed_twice', 'MPRC',
            'MPRC counts the good multicast frames that pass the address filter',
            'it counts those that pass by the hash table twice',
            received=is_hashed),
    Erratum('short_is_undersize', 'RUC',
            'RUC counts undersize frames on the wire, and the sender pads short frames',
            'QEMU does not pad them; RUC counts them whether they pass the address filter or not, '
            'and the other counters as good frames of 64 octets',
            received=lambda frame, settings: is_short(frame)),
    Erratum('sizes_without_fcs', SIZED,
            'the size of a frame includes its FCS',
            'not while the controller strips it, as it does for the driver; a frame of less than 64 '
            'octets then has no size',
            received=lambda frame, settings: True),
    Erratum('sent_without_fcs', f'GOTC TOT {SENT_SIZED}',
            'octets and sizes of transmitted frames are those on the wire, with FCS and padding',
            'they have neither; a frame of less than 64 octets then has no size',
            sent=lambda frame, settings: True),
    *capture.ERRATA,
)

E1000E = capture.Controller(
    capture.REGISTERS, ERRATA, capture.sent, capture.received, sent_in_qemu, received_in_qemu,
    # Its driver has groups in the hash table. It never filters VLANs: e1000e_set_rx_mode() enables
    # RCTL.VFE, then writes the value of RCTL that it has read before.
    {'hashed': frozenset([ALL_HOSTS])}, groups='hashed', filters_vlans=False)
