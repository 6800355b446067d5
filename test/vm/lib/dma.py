# SPDX-License-Identifier: GPL-2.0
"""The transmitter and the receiver of a NIC in the hands of a test: their rings and frames are in
pages of this process. For a NIC of nics.py whose driver, if it has one, moves no frames."""

import contextlib
import ctypes
import mmap
import pathlib
import struct

from netdev import syscall
from tap import expect, expect_equal, wait_for

# Registers and their bits: Intel, PCI/PCI-X Family of Gigabit Ethernet Controllers Software
# Developer's Manual, chapter 13.
CTRL, STATUS, ICR, ICS = 0x0000, 0x0008, 0x00c0, 0x00c8
RCTL, TCTL, RX_RING, TX_RING = 0x0100, 0x0400, 0x2800, 0x3800
CRCERRS, TPT = 0x4000, 0x40d4
# Between the counters, up to the last of them
RESERVED = 0x4024, 0x402c, 0x4044, 0x4084, 0x4098, 0x409c
# From the first register of a ring
LOW, HIGH, LENGTH, HEAD, TAIL = 0x00, 0x04, 0x08, 0x10, 0x18
SET_LINK_UP, LINK_UP = 1 << 6, 1 << 1
# Enabled; short frames are padded; the collision threshold and distance of full duplex.
TRANSMIT = 1 << 1 | 1 << 3 | 0xf << 4 | 0x40 << 12
# Enabled; all unicast, multicast and broadcast frames; the CRC is not stored.
RECEIVE = 1 << 1 | 1 << 3 | 1 << 4 | 1 << 15 | 1 << 26
# Of a legacy transmit descriptor: end of packet, insert the CRC, report the status.
EOP_IFCS_RS = 1 << 0 | 1 << 1 | 1 << 3
DONE = 1 << 0
STATUS_OCTET = 12

# The command register of the configuration space
COMMAND, MASTER = 4, 1 << 2

MOVES_LOCKED = pathlib.Path('/proc/sys/vm/compact_unevictable_allowed')
# An entry of /proc/self/pagemap
PRESENT, FRAME_NUMBER = 1 << 63, (1 << 55) - 1


@contextlib.contextmanager
def without_driver(nic):
    """A NIC without a driver answers, and its bridge lets it reach the memory."""
    (nic.device / 'enable').write_text('1')
    try:
        yield
    finally:
        (nic.device / 'enable').write_text('0')


def become_master(nic):
    """Lets a NIC read and write the memory. A driver that moves no frames does not."""
    with open(nic.device / 'config', 'r+b', buffering=0) as config:
        config.seek(COMMAND)
        command, = struct.unpack('<H', config.read(2))
        config.seek(COMMAND)
        config.write(struct.pack('<H', command | MASTER))


class Pages:
    """Pages that stay in memory, of zeros at first."""

    def __init__(self, count):
        # A kernel that moves pages, to make room for larger blocks, leaves these alone.
        if MOVES_LOCKED.exists():
            MOVES_LOCKED.write_text('0')
        self.memory = mmap.mmap(-1, count * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.memory[:] = bytes(len(self.memory))
        syscall('mlock', ctypes.c_void_p(self.start), ctypes.c_size_t(len(self.memory)))

    def physical(self, index):
        """The physical address of a page."""
        with open('/proc/self/pagemap', 'rb', buffering=0) as file:
            file.seek((self.start // mmap.PAGESIZE + index) * 8)
            entry, = struct.unpack('<Q', file.read(8))
        expect(entry & PRESENT, f'page {index} is not in memory')
        return (entry & FRAME_NUMBER) * mmap.PAGESIZE


class Ring:
    """A ring of descriptors in one page, and another page as the buffer of all of them."""

    SIZE = mmap.PAGESIZE // 16

    def __init__(self, registers, first):
        self.registers, self.pages = registers, Pages(2)
        registers[CTRL] |= SET_LINK_UP
        wait_for(lambda: registers[STATUS] & LINK_UP, 'a link')
        ring, self.buffer = self.pages.physical(0), self.pages.physical(1)
        for register, value in ((LOW, ring & 0xffffffff), (HIGH, ring >> 32),
                                (LENGTH, mmap.PAGESIZE), (HEAD, 0), (TAIL, 0)):
            registers[first + register] = value

    def describe(self, index, length=0, command=0):
        """Writes a descriptor."""
        struct.pack_into('<QHBBBBH', self.pages.memory, index * 16, self.buffer, length, 0, command,
                         0, 0, 0)


class Transmitter(Ring):
    """Transmits frames."""

    def __init__(self, registers):
        super().__init__(registers, TX_RING)
        registers[TCTL] = TRANSMIT

    def stop(self):
        self.registers[TCTL] = 0

    def prepare(self, frame, count):
        """Returns a function that transmits a frame, given without its CRC, so many times."""
        expect(count < self.SIZE, f'{count} frames do not fit into the ring')
        expect(len(frame) <= mmap.PAGESIZE, f'{len(frame)} octets do not fit into the buffer')
        self.pages.memory[mmap.PAGESIZE:mmap.PAGESIZE + len(frame)] = frame
        tail = self.registers[TX_RING + TAIL]
        for i in range(count):
            self.describe((tail + i) % self.SIZE, len(frame), EOP_IFCS_RS)
        end, last = (tail + count) % self.SIZE, (tail + count - 1) % self.SIZE

        def transmit():
            self.registers[TX_RING + TAIL] = end
            wait_for(lambda: self.registers[TX_RING + HEAD] == end, 'the end of the transmission')
            status = self.pages.memory[last * 16 + STATUS_OCTET]
            expect_equal(status & DONE, DONE, 'the status of the last descriptor')
        return transmit

    def send(self, frame, count=1):
        self.prepare(frame, count)()


class Receiver(Ring):
    """Receives any frame, as many as the ring has descriptors."""

    def __init__(self, registers):
        super().__init__(registers, RX_RING)
        for i in range(self.SIZE):
            self.describe(i)
        registers[RX_RING + TAIL] = self.SIZE - 1
        registers[RCTL] = RECEIVE

    def stop(self):
        self.registers[RCTL] = 0

    def received(self):
        return self.registers[RX_RING + HEAD]


@contextlib.contextmanager
def running(kind, nic):
    """A Transmitter or a Receiver of a NIC, which uses the memory as long as this lasts."""
    become_master(nic)
    with nic.registers() as registers:
        ring = kind(registers)
        try:
            yield ring
        finally:
            ring.stop()


def send(nic, frame, count=1):
    """Lets a NIC transmit a frame, given without its CRC, so many times."""
    with running(Transmitter, nic) as transmitter:
        transmitter.send(frame, count)
