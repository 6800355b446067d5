# SPDX-License-Identifier: GPL-2.0
"""Computes the statistics registers of controllers from a capture of their wire, by the rules of a
manual, and by those of QEMU, which departs from it. E1000 has those of Intel 8254x controllers
(PCI/PCI-X Family of Gigabit Ethernet Controllers Software Developer's Manual, "Statistics
Registers") and of QEMU's e1000. It shares nothing with the code under test, and reads the format
pcap itself.

Lengths are those on the wire: a capture has no FCS, and no padding of short frames."""

import collections
import dataclasses
import functools
import struct
from typing import Callable

FCS, MINIMUM = 4, 64
LONGEST, LONGEST_LONG = 1522, 16384     # without and with RCTL.LPE
BROADCAST, FLOW_CONTROL = b'\xff' * 6, bytes.fromhex('0180c2000001')
VLAN, CONTROL, PAUSE_OPCODE = b'\x81\x00', b'\x88\x08', b'\x00\x01'
SIZES = ((64, '64'), (127, '127'), (255, '255'), (511, '511'), (1023, '1023'))

REGISTERS = tuple('''
    CRCERRS ALGNERRC SYMERRS RXERRC MPC SCC ECOL MCC LATECOL COLC DC TNCRS SEC CEXTERR RLEC XONRXC
    XONTXC XOFFRXC XOFFTXC FCRUC PRC64 PRC127 PRC255 PRC511 PRC1023 PRC1522 GPRC BPRC MPRC GPTC
    GORC GOTC RNBC RUC RFC ROC RJC MGTPRC MGTPDC MGTPTC TOR TOT TPR TPT PTC64 PTC127 PTC255 PTC511
    PTC1023 PTC1522 MPTC BPTC TSCTC TSCTFC'''.split())

# Of a file, of a frame in it.
FILE_HEADER, FRAME_HEADER = struct.Struct('<IHHiIII'), struct.Struct('<IIII')
MAGIC, ETHERNET = 0xa1b2c3d4, 1
# Both addresses, type, opcode of MAC control or the tag, pause time.
HEAD = 18


class Capture:
    """A file that grows while it is read."""

    def __init__(self, path):
        self.path, self.position = path, FILE_HEADER.size
        with open(path, 'rb') as file:
            magic, *_, kind = FILE_HEADER.unpack(file.read(FILE_HEADER.size))
        if (magic, kind) != (MAGIC, ETHERNET):
            raise ValueError(f'{path} is no capture of Ethernet frames')

    def read(self):
        """Counts the new frames: {(their first octets, octets without FCS): number}"""
        with open(self.path, 'rb') as file:
            file.seek(self.position)
            data = file.read()
        frames, at = collections.Counter(), 0
        while len(data) - at >= FRAME_HEADER.size:
            _, _, kept, length = FRAME_HEADER.unpack_from(data, at)
            end = at + FRAME_HEADER.size + kept
            if end > len(data):
                break
            start = at + FRAME_HEADER.size
            frames[data[start:min(start + HEAD, end)], length] += 1
            at = end
        self.position += at
        return frames


class Frame:
    """A frame on the wire."""

    def __init__(self, head, octets):
        self.octets = octets
        self.length = max(octets + FCS, MINIMUM)
        self.destination, self.source = head[:6], head[6:12]
        self.tagged, self.control = head[12:14] == VLAN, head[12:14] == CONTROL
        head = head.ljust(HEAD, b'\0')
        self.opcode, self.pause_time = head[14:16], head[16:18]
        self.vlan = int.from_bytes(head[14:16], 'big') & 0xfff
        self.broadcast = self.destination == BROADCAST
        self.group = bool(self.destination[0] & 1)
        self.multicast = self.group and not self.broadcast


@dataclasses.dataclass(frozen=True)
class Settings:
    """A controller: its address and the settings on which its counters depend."""
    mac: bytes
    joined: frozenset = frozenset()     # multicast groups, in receive address registers
    hashed: frozenset = frozenset()     # those in the hash table
    promiscuous: bool = False           # RCTL.UPE and MPE
    all_multicast: bool = False         # RCTL.MPE
    long_packets: bool = False          # RCTL.LPE
    vlans: frozenset | None = None      # RCTL.VFE
    removes_tags: bool = False          # CTRL.VME: of frames that it receives
    inserts_tags: bool = False          # into all tagged frames that it sends
    captured_fcs: bool = False          # frames have their FCS in the capture, too

    def longest(self):
        return LONGEST_LONG if self.long_packets else LONGEST

    def accepts(self, frame):
        """Does the frame pass the address filter?"""
        if frame.tagged and self.vlans is not None and frame.vlan not in self.vlans:
            return False
        if frame.broadcast or self.promiscuous or (frame.group and self.all_multicast):
            return True
        return frame.destination == self.mac or frame.destination in self.joined or (
            frame.group and hash_of(frame.destination) in map(hash_of, self.hashed))

    def is_flow_control(self, frame):
        return frame.control and frame.destination in (FLOW_CONTROL, self.mac)


def hash_of(address):
    """Its place in the hash table, of 12 bits, which it shares with others."""
    return int.from_bytes(address[4:], 'little') >> 4


def size_class(length):
    return next((name for edge, name in SIZES if length <= edge), '1522')


def sent(frame, _settings):
    """By the manual. A pause frame of software is a frame as any other."""
    return (('GPTC', 1), ('TPT', 1), ('GOTC', frame.length), ('TOT', frame.length),
            (f'PTC{size_class(frame.length)}', 1), ('BPTC', frame.broadcast),
            ('MPTC', frame.multicast))


def sent_in_qemu(frame, settings):
    octets = frame.length - 4 * (frame.tagged and settings.inserts_tags)
    return [(name, octets if name in ('GOTC', 'TOT') else value)
            for name, value in sent(frame, settings)]


def counted_with_size(length):
    return ('GPRC', 1), ('GORC', length), (f'PRC{size_class(length)}', 1)


def received(frame, settings):
    """By the manual. That no counter includes frames that the filter rejects is inferred."""
    flow_control = settings.is_flow_control(frame)
    if not (flow_control or settings.accepts(frame)):
        return []
    total = [('TPR', 1), ('TOR', frame.length)]
    if frame.length > settings.longest():
        return [*total, ('ROC', 1), ('RLEC', 1)]
    if flow_control:
        if frame.opcode != PAUSE_OPCODE:
            return [*total, ('FCRUC', 1)]
        return [*total, ('XOFFRXC' if any(frame.pause_time) else 'XONRXC', 1)]
    return [*total, *counted_with_size(frame.length), ('BPRC', frame.broadcast),
            ('MPRC', frame.multicast)]


def received_in_qemu(frame, settings):
    """By hw/net/e1000.c and e1000x_common.c of QEMU 7.2.22."""
    if frame.length - FCS > settings.longest():
        return [('ROC', 1)]
    if not settings.accepts(frame):
        return []
    length = frame.length - 4 * (frame.tagged and settings.removes_tags)
    counted = [('TPR', 1), ('TOR', length), *counted_with_size(length)]
    if frame.group and (settings.promiscuous or settings.all_multicast):
        return [*counted, ('MPRC', 1)]
    return [*counted, ('BPRC', frame.broadcast)]


@dataclasses.dataclass(frozen=True)
class Erratum:
    """A departure of QEMU from the manual: of these registers, for these frames."""
    name: str
    registers: str
    documented: str
    observed: str
    sent: Callable = lambda frame, settings: False
    received: Callable = lambda frame, settings: False


def is_oversize(frame, settings):
    return frame.length > settings.longest()


def is_within_fcs(frame, settings):
    """Longer than the maximum by no more than the FCS."""
    return settings.longest() < frame.length <= settings.longest() + FCS


SIZED = ' '.join(f'PRC{name}' for name in ('64', '127', '255', '511', '1023', '1522'))
# Of both e1000 and e1000e.
ERRATA = (
    Erratum('maximum_without_fcs', 'ROC RLEC GPRC GORC PRC1522 BPRC MPRC',
            'frames longer than 1522 octets (16384 with RCTL.LPE), FCS included, are oversize',
            'the maximum excludes the FCS, so frames of up to 1526 octets are good',
            received=lambda frame, settings: is_within_fcs(frame, settings)),
    Erratum('oversize_before_filter', 'ROC',
            'ROC counts oversize frames that pass the address filter',
            'it counts those that do not, too',
            received=lambda frame, settings: is_oversize(frame, settings) and not
            settings.accepts(frame)),
    Erratum('no_length_errors', 'RLEC', 'RLEC counts undersize and oversize frames', 'it stays 0',
            received=is_oversize),
    Erratum('totals_without_oversize', 'TPR TOR',
            'TPR and TOR count all received frames, whatever their length',
            'they do not count oversize frames',
            received=is_oversize),
    Erratum('no_flow_control', f'XONRXC XOFFRXC FCRUC TPR TOR GPRC GORC MPRC BPRC {SIZED}',
            'XONRXC, XOFFRXC and FCRUC count the MAC control frames to 01-80-C2-00-00-01 and to '
            'the station, which are no good frames; TPR and TOR count them, too',
            'the three stay 0; those that pass the address filter count as other frames do, and '
            'no register counts those that do not',
            received=lambda frame, settings: settings.is_flow_control(frame)),
    Erratum('octets_without_removed_tag', f'GORC TOR {SIZED}',
            'octets and lengths are those on the wire',
            'they lack the VLAN tag that the controller removes from a received frame',
            received=lambda frame, settings: frame.tagged and settings.removes_tags),
)
ERRATA_OF_E1000 = (
    Erratum('joined_multicast', 'MPRC',
            'MPRC counts the good multicast frames that pass the address filter',
            'not those to an address in a receive address register, only those that pass by the '
            'hash table or because all multicast frames do',
            received=lambda frame, settings: frame.multicast and settings.accepts(frame) and not (
                settings.promiscuous or settings.all_multicast)),
    Erratum('broadcast_as_multicast', 'BPRC MPRC',
            'BPRC counts broadcast frames',
            'MPRC counts them while RCTL.MPE lets all multicast frames pass',
            received=lambda frame, settings: frame.broadcast and (
                settings.promiscuous or settings.all_multicast)),
    Erratum('octets_without_inserted_tag', 'GOTC TOT',
            'octets are those on the wire',
            'they lack the VLAN tag that the controller inserts',
            sent=lambda frame, settings: frame.tagged and settings.inserts_tags),
    *ERRATA,
)

# Departures that depend on times, not on frames: hardware/registers.py asserts them.
ERRATA_OF_READS = (
    Erratum('missed_frames_stay', 'MPC RNBC', 'a read clears a counter',
            'a read of MPC and RNBC leaves their values, so a driver that adds them up counts '
            'each missed frame again with each read'),
    Erratum('totals_without_missed', 'TPR TOR', 'TPR and TOR count missed frames, too',
            'they do not'),
    Erratum('no_buffer_is_missed', 'RNBC',
            'RNBC counts the frames that found no buffer, and that the FIFO kept',
            'it counts those that were missed, as MPC does'),
)


@dataclasses.dataclass(frozen=True)
class Controller:
    """A kind of controller: its registers, and what a frame that it has sent or received adds to
    them, by its manual and in QEMU: functions of a Frame and Settings, which return pairs of a
    register and a number."""
    registers: tuple
    errata: tuple
    sent: Callable
    received: Callable
    sent_in_qemu: Callable
    received_in_qemu: Callable
    settings: dict = dataclasses.field(default_factory=dict)    # at first, if not as in Settings
    groups: str = 'joined'      # the setting with the groups that the driver has joined
    filters_vlans: bool = True  # does the driver, once there is a VLAN device?
    burst: int = 100            # frames that the driver has buffers for, with a margin

    def effects(self, frame, settings, direction):
        """The additions of a frame at a port: (by the manual, in QEMU, the errata that it meets)"""
        met = [erratum for erratum in self.errata if getattr(erratum, direction)(frame, settings)]
        return (getattr(self, direction)(frame, settings),
                getattr(self, f'{direction}_in_qemu')(frame, settings), met)


E1000 = Controller(REGISTERS, ERRATA_OF_E1000, sent, received, sent_in_qemu, received_in_qemu)


class Counts:
    """Values of the registers of a port: by the manual, and in QEMU, with the errata that the
    frames have met: {name: {register: difference}}"""

    def __init__(self, controller=E1000):
        self.documented, self.in_qemu = (dict.fromkeys(controller.registers, 0) for _ in range(2))
        self.errata = {erratum.name: collections.Counter() for erratum in controller.errata}

    def add(self, documented, in_qemu, errata, number):
        """Counts the effects of a frame that has crossed the wire so many times."""
        difference = collections.Counter()
        for values, counts, sign in ((documented, self.documented, -1), (in_qemu, self.in_qemu, 1)):
            for register, value in values:
                counts[register] += value * number
                difference[register] += sign * value * number
        for register, value in difference.items():
            names = [erratum.name for erratum in errata if register in erratum.registers.split()]
            if value and not names:
                raise ValueError(f'no erratum explains {value} more of {register}')
            for name in names:
                self.errata[name][register] += value


class Wire:
    """The expected registers of the ports on a wire, from now on. A frame may reach all of them but
    the one that sends it."""

    def __init__(self, path, *macs, controller=E1000):
        self.capture, self.controller = Capture(path), controller
        self.capture.read()
        self.settings = {mac: Settings(mac, **controller.settings) for mac in macs}
        self.counts = {mac: Counts(controller) for mac in macs}
        self.effects = functools.lru_cache(maxsize=None)(
            lambda frame, settings, direction:
            controller.effects(Frame(*frame), settings, direction))
        self.frames = collections.Counter()     # {address of the sender: number}

    def set(self, mac, **changes):
        """A port has other settings from now on: all frames that were captured have reached it."""
        self.read()
        self.settings[mac] = dataclasses.replace(self.settings[mac], **changes)

    def restart(self):
        """All counts are 0 again."""
        self.read()
        self.counts = {mac: Counts(self.controller) for mac in self.counts}

    def read(self):
        """Counts the frames that are new in the capture."""
        for frame, number in self.capture.read().items():
            source = frame[0][6:12]
            self.frames[source] += number
            for mac, settings in self.settings.items():
                direction = 'sent' if mac == source else 'received'
                self.counts[mac].add(*self.effects(frame, settings, direction), number)
