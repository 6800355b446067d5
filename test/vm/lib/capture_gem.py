# SPDX-License-Identifier: GPL-2.0
"""The statistics registers of a Cadence GEM, by its manual (AMD UG1087, module GEM), and in QEMU's
cadence_gem: see capture.py. Their names are those of ethtool -S."""

import itertools

import capture
from capture import FCS, Erratum

SIZES = ((64, '64'), (127, '65_127'), (255, '128_255'), (511, '256_511'), (1023, '512_1023'),
         (1518, '1024_1518'))
WAYS = 'tx', 'rx'
KINDS = ('octets', 'frames', 'broadcast_frames', 'multicast_frames', 'pause_frames',
         *(f'{name}_byte_frames' for _, name in SIZES), 'greater_than_1518_byte_frames',
         'lpi_transitions', 'lpi_time')
REGISTERS = (
    *('_'.join(words) for words in itertools.product(WAYS, KINDS)), 'tx_underrun',
    'tx_single_collision_frames', 'tx_multiple_collision_frames', 'tx_excessive_collisions',
    'tx_late_collisions', 'tx_deferred_frames', 'tx_carrier_sense_errors', 'rx_undersized_frames',
    'rx_oversize_frames', 'rx_jabbers', 'rx_frame_check_sequence_errors',
    'rx_length_field_frame_errors', 'rx_symbol_errors', 'rx_alignment_errors',
    'rx_resource_errors', 'rx_overruns', 'rx_ip_header_checksum_errors',
    'rx_tcp_checksum_errors', 'rx_udp_checksum_errors')
FIRST_OCTET = 0x01
# A net device joins it when it comes up.
ALL_HOSTS = bytes.fromhex('01005e000001')


def hash_of(address):
    """Its place in the hash table of 64 bits: the exclusive or of every sixth bit."""
    rest, found = int.from_bytes(address, 'little'), 0
    while rest:
        found ^= rest & 63
        rest >>= 6
    return found


def accepts(frame, settings):
    """Does the frame pass the address filter?"""
    return frame.broadcast or frame.destination == settings.mac or (
        frame.multicast and hash_of(frame.destination) in map(hash_of, settings.hashed))


def is_pause(frame):
    return frame.control and frame.destination == capture.FLOW_CONTROL and \
        frame.opcode == capture.PAUSE_OPCODE


def size_class(length):
    return next((name for edge, name in SIZES if length <= edge), 'greater_than_1518')


def counted(way, frame, length, multicast):
    return [(f'{way}_{name}', value) for name, value in (
        ('frames', 1), ('octets', length), (f'{size_class(length)}_byte_frames', 1),
        ('broadcast_frames', frame.broadcast), ('multicast_frames', multicast))]


def by_manual(way, frame, settings):
    return counted(way, frame, frame.octets + FCS * (not settings.captured_fcs), frame.multicast)


def is_multicast_in_qemu(frame):
    return frame.destination[0] == FIRST_OCTET


def in_qemu(way, frame):
    """By hw/net/cadence_gem.c of QEMU 7.2.22."""
    return counted(way, frame, frame.octets, is_multicast_in_qemu(frame))


def sent(frame, settings):
    return by_manual('tx', frame, settings)


def sent_in_qemu(frame, _settings):
    return in_qemu('tx', frame)


def received(frame, settings):
    if is_pause(frame):
        return [('rx_pause_frames', 1)]
    return by_manual('rx', frame, settings) if accepts(frame, settings) else []


def received_in_qemu(frame, settings):
    return in_qemu('rx', frame) if accepts(frame, settings) else []


def registers(*kinds):
    """Names of these registers of both ways."""
    return ' '.join('_'.join(words) for words in itertools.product(WAYS, kinds))


SIZED = tuple(kind for kind in KINDS if kind.endswith('_byte_frames'))
ERRATA = (
    Erratum('first_octet', registers('multicast_frames'),
            'a frame to a group is a multicast frame', 'only one whose first octet is 0x01',
            *[lambda frame, settings: frame.multicast != is_multicast_in_qemu(frame)] * 2),
    Erratum('no_pause', registers('pause_frames', 'frames', 'octets', 'multicast_frames', *SIZED),
            'received pause frames count as such only', 'they count as other frames do',
            received=lambda frame, settings: is_pause(frame)),
    Erratum('lengths_as_handed_over', registers('octets', *SIZED),
            'octets and lengths have the FCS',
            'they are what the driver hands over: the FCS only where the driver appends it',
            *[lambda frame, settings: not settings.captured_fcs] * 2),
)

GEM = capture.Controller(REGISTERS, ERRATA, sent, received, sent_in_qemu, received_in_qemu,
                         {'hashed': frozenset([ALL_HOSTS])}, groups='hashed')
