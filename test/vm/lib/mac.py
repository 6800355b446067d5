# SPDX-License-Identifier: GPL-2.0
"""Computes the expected statistics of a Low Latency 40-Gbps Ethernet core from the
octets of given frames. It applies the rules of the datasheet (Intel 683745, 3.4.1.6),
and shares nothing with the code under test.

A frame on the wire is its octets from the destination address to the FCS."""

import functools
import zlib

NAMES = (
    'FRAGMENTS', 'JABBERS', 'FCS', 'CRCERR', 'MCAST_DATA_ERR', 'BCAST_DATA_ERR',
    'UCAST_DATA_ERR', 'MCAST_CTRL_ERR', 'BCAST_CTRL_ERR', 'UCAST_CTRL_ERR', 'PAUSE_ERR', '64B',
    '65to127B', '128to255B', '256to511B', '512to1023B', '1024to1518B', '1519toMAXB', 'OVERSIZE',
    'MCAST_DATA_OK', 'BCAST_DATA_OK', 'UCAST_DATA_OK', 'MCAST_CTRL', 'BCAST_CTRL', 'UCAST_CTRL',
    'PAUSE', 'RUNT', 'ST', 'OCTETS_OK',
)
BINS = ((64, 64, '64B'), (65, 127, '65to127B'), (128, 255, '128to255B'),
        (256, 511, '256to511B'), (512, 1023, '512to1023B'), (1024, 1518, '1024to1518B'))

VLAN, CONTROL = b'\x81\x00', b'\x88\x08'
PAUSE_OPCODE, PFC_OPCODE = b'\x00\x01', b'\x01\x01'
BROADCAST = b'\xff' * 6
LONGEST_LENGTH_FIELD = 0x5ff
MINIMUM = 64


def with_fcs(octets, good=True):
    """Appends a good or a bad FCS."""
    fcs = zlib.crc32(octets)
    return octets + (fcs if good else fcs ^ 1).to_bytes(4, 'little')


def sent_by_software(octets):
    """The frame on the wire for a frame of software without FCS."""
    return with_fcs(octets.ljust(MINIMUM - 4, b'\0'))


class Frame:
    """The properties of a frame, by its octets."""

    def __init__(self, wire):
        self.length = len(wire)
        self.fcs_ok = zlib.crc32(wire[:-4]) == int.from_bytes(wire[-4:], 'little')
        if wire[:6] == BROADCAST:
            self.destination = 'BCAST'
        else:
            self.destination = 'MCAST' if wire[0] & 1 else 'UCAST'
        # Only at octets 13 and 14, and 17 and 18, and no other tag than 81-00.
        self.tags = 0
        if wire[12:14] == VLAN:
            self.tags = 2 if wire[16:18] == VLAN else 1
        self.control = wire[12:14] == CONTROL
        self.pause = self.control and wire[14:16] == PAUSE_OPCODE
        self.pfc = self.control and wire[14:16] == PFC_OPCODE
        self.payload_ok = self._payload_ok(wire[12 + 4 * self.tags:][:2])

    def payload(self, vlan_detection=True, opcode_is_payload=True):
        """With VLAN detection the octets of tags are not payload."""
        if self.control:
            return self.length - (18 if opcode_is_payload else 20)
        return self.length - 18 - 4 * self.tags * vlan_detection

    def _payload_ok(self, length_or_type):
        field = int.from_bytes(length_or_type, 'big')
        if field > LONGEST_LENGTH_FIELD:
            return True
        if field <= 46 - 4 * self.tags:
            return self.length == MINIMUM
        return field == self.payload()


@functools.lru_cache(maxsize=None)
def frame(wire):
    return Frame(wire)


class Page:
    """The statistics of one direction, of a core with the given maximum frame
    length. @variant: as the released core, whose CRCERR has an upper limit, whose
    PAUSE takes in PFC, and whose octets of control frames lack the opcode; the
    datasheet mentions none of them."""

    def __init__(self, maximum=9600, variant=False, vlan_detection=True):
        self.maximum, self.variant, self.vlan_detection = maximum, variant, vlan_detection
        self.counters = dict.fromkeys(NAMES, 0)
        # The frames and octets of the kernel's statistics.
        self.packets = self.wrong_size = self.bad_fcs_of_right_size = self.octets = 0
        self.multicast = 0

    def count(self, wire, times=1):
        seen = frame(wire)
        for name in self._names(seen):
            self.counters[name] += times
        right_size = MINIMUM <= seen.length <= self.maximum
        if right_size and seen.fcs_ok and seen.payload_ok:
            self.counters['OCTETS_OK'] += times * self._payload(seen)
        self._count_for_kernel(seen, right_size, times)

    def _names(self, seen):
        oversize, undersize = seen.length > self.maximum, seen.length < MINIMUM
        kind = 'CTRL' if seen.control else 'DATA'
        yield 'ST'
        yield from (name for low, high, name in BINS if low <= seen.length <= high)
        if 1519 <= seen.length <= self.maximum:
            yield '1519toMAXB'
        if oversize:
            yield 'OVERSIZE'
        if undersize:
            yield 'RUNT'
        if seen.fcs_ok:
            yield f'{seen.destination}_CTRL' if seen.control else f'{seen.destination}_DATA_OK'
            if seen.pause or (seen.pfc and self.variant):
                yield 'PAUSE'
            return
        yield 'FCS'
        yield f'{seen.destination}_{kind}_ERR'
        if seen.pause or (seen.pfc and self.variant):
            yield 'PAUSE_ERR'
        if undersize:
            yield 'FRAGMENTS'
        elif not (oversize and self.variant):
            yield 'CRCERR'
        if oversize:
            yield 'JABBERS'

    def _count_for_kernel(self, seen, right_size, times):
        if not seen.fcs_ok:
            self.bad_fcs_of_right_size += times * right_size
            return
        # The core ignores the size here.
        self.multicast += times * (seen.destination == 'MCAST')
        if not right_size:
            self.wrong_size += times
            return
        self.packets += times
        # Without FCS. The core counts neither the octets of tags nor the payload
        # of a frame whose length field is wrong.
        self.octets += times * 14
        if seen.payload_ok:
            self.octets += times * self._payload(seen)

    def _payload(self, seen):
        return seen.payload(self.vlan_detection, not self.variant)


class Mac:
    """A port: both directions, and their sums in the kernel's groups."""

    def __init__(self, **details):
        self.tx, self.rx = Page(**details), Page(**details)

    def transmit(self, wire, times=1):
        """Frames shorter than nine octets are not sent; the others are padded
        to 64. @wire: as the client of the core meant it, FCS included."""
        if len(wire) < 9:
            return
        if len(wire) < MINIMUM:
            good = frame(wire).fcs_ok
            wire = with_fcs(wire[:-4].ljust(MINIMUM - 4, b'\0'), good)
        self.tx.count(wire, times)

    def receive(self, wire, times=1):
        self.rx.count(wire, times)

    def totals(self):
        """As in ethtool -S."""
        return {f'{prefix}_{name.lower()}': value
                for prefix, page in (('tx', self.tx), ('rx', self.rx))
                for name, value in page.counters.items()}

    def groups(self):
        """As in ethtool -S --groups."""
        tx, rx = self.tx.counters, self.rx.counters
        return {
            'eth-mac': {
                'FramesTransmittedOK': self.tx.packets,
                'FramesReceivedOK': self.rx.packets,
                'FrameCheckSequenceErrors': self.rx.bad_fcs_of_right_size,
                'OctetsTransmittedOK': tx['OCTETS_OK'],
                'OctetsReceivedOK': rx['OCTETS_OK'],
                'FrameTooLongErrors': rx['OVERSIZE'],
            },
            'eth-ctrl': {
                'MACControlFramesTransmitted': sum(tx[f'{who}CAST_CTRL'] for who in 'MBU'),
                'MACControlFramesReceived': sum(rx[f'{who}CAST_CTRL'] for who in 'MBU'),
            },
            'rmon': {
                'etherStatsUndersizePkts': rx['RUNT'] - rx['FRAGMENTS'],
                'etherStatsOversizePkts': rx['OVERSIZE'] - rx['JABBERS'],
                'etherStatsFragments': rx['FRAGMENTS'],
                'etherStatsJabbers': rx['JABBERS'],
                **{f'{prefix}-pktsNtoM': self._histogram(page)
                   for prefix, page in (('rx', self.rx), ('tx', self.tx))},
            },
        }

    @staticmethod
    def _histogram(page):
        bins = (*BINS, (1519, 0xffff, '1519toMAXB'))    # the longest maximum of the register
        return [{'low': low, 'high': high, 'val': page.counters[name]} for low, high, name in bins]

    def pause(self):
        """As in ethtool -I -a."""
        return {'tx_pause_frames': self.tx.counters['PAUSE'],
                'rx_pause_frames': self.rx.counters['PAUSE']}

    def link(self):
        """As in ip -s -s link."""
        rx = self.rx
        return {
            'rx': {'packets': rx.packets, 'bytes': rx.octets,
                   'errors': rx.counters['FCS'] + rx.wrong_size,
                   'length_errors': rx.counters['OVERSIZE'],
                   'crc_errors': rx.bad_fcs_of_right_size, 'frame_errors': 0, 'fifo_errors': 0,
                   'over_errors': 0, 'missed_errors': 0, 'multicast': rx.multicast},
            'tx': {'packets': self.tx.packets, 'bytes': self.tx.octets,
                   'errors': self.tx.counters['FCS'] + self.tx.wrong_size, 'collisions': 0,
                   'aborted_errors': 0, 'carrier_errors': 0, 'fifo_errors': 0,
                   'heartbeat_errors': 0, 'window_errors': 0},
        }
