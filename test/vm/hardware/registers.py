#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The statistics registers of QEMU's e1000 themselves, those that no driver shows included: each
has the value that follows from the capture, and reads have the effects that the manual states, but
for the departures that are asserted here."""

import contextlib
import itertools
import time

import nics
from netdev import IFF_PROMISC
from tap import Failure, case, expect, expect_equal, main, wait_for
from wire_traffic import DATA, LONG_MTU, PACKET_MR_ALLMULTI, Ports, frame, send_each_class_once

# The octet counters are two registers.
OCTETS = {'GORC': 0x4088, 'GOTC': 0x4090, 'TOR': 0x40c0, 'TOT': 0x40c8}
ADDRESSES = {
    'CRCERRS': 0x4000, 'ALGNERRC': 0x4004, 'SYMERRS': 0x4008, 'RXERRC': 0x400c, 'MPC': 0x4010,
    'SCC': 0x4014, 'ECOL': 0x4018, 'MCC': 0x401c, 'LATECOL': 0x4020, 'COLC': 0x4028, 'DC': 0x4030,
    'TNCRS': 0x4034, 'SEC': 0x4038, 'CEXTERR': 0x403c, 'RLEC': 0x4040, 'XONRXC': 0x4048,
    'XONTXC': 0x404c, 'XOFFRXC': 0x4050, 'XOFFTXC': 0x4054, 'FCRUC': 0x4058, 'PRC64': 0x405c,
    'PRC127': 0x4060, 'PRC255': 0x4064, 'PRC511': 0x4068, 'PRC1023': 0x406c, 'PRC1522': 0x4070,
    'BPRC': 0x4078, 'MPRC': 0x407c, 'RNBC': 0x40a0, 'RUC': 0x40a4, 'RFC': 0x40a8, 'ROC': 0x40ac,
    'RJC': 0x40b0, 'MGTPRC': 0x40b4, 'MGTPDC': 0x40b8, 'MGTPTC': 0x40bc, 'TPR': 0x40d0,
    'TPT': 0x40d4, 'PTC64': 0x40d8, 'PTC127': 0x40dc, 'PTC255': 0x40e0, 'PTC511': 0x40e4,
    'PTC1023': 0x40e8, 'PTC1522': 0x40ec, 'MPTC': 0x40f0, 'BPTC': 0x40f4, 'TSCTC': 0x40f8,
    'TSCTFC': 0x40fc,
    # They show whether the driver has read the registers meanwhile.
    'GPRC': 0x4074, 'GPTC': 0x4080,
}
BUFFERS = 255
# The driver reads all registers every two seconds.
ATTEMPTS = 30


def read_all(registers):
    values = {name: registers[low] | registers[low + 4] << 32 for name, low in OCTETS.items()}
    return values | {name: registers[address] for name, address in ADDRESSES.items()}


class Disturbed(Failure):
    """The driver seems to have read the registers."""


def undisturbed(attempt):
    """The result of the first attempt() that the driver does not disturb."""
    for remaining in reversed(range(ATTEMPTS)):
        try:
            return attempt()
        except Disturbed:
            if not remaining:
                raise
        time.sleep(0.1)


@contextlib.contextmanager
def ports_and_registers():
    """With registers by the address of their port."""
    with nics.one_cpu(), nics.Driver().loaded() as found, \
            Ports(found, lambda *_: ()) as ports, contextlib.ExitStack() as stack:
        yield ports, {nic.mac: stack.enter_context(nic.registers()) for nic in found}


@case
def all_registers_follow_from_the_capture_and_are_cleared_by_a_read():
    with ports_and_registers() as (ports, registers), \
            ports.group():
        source, receiver = ports.nics
        ports.set_mtu(source, LONG_MTU)

        def attempt():
            for each in registers.values():
                read_all(each)
            ports.wire.restart()
            send_each_class_once(ports, source, receiver)
            ports.wire.read()
            values = {mac: [read_all(each), read_all(each)] for mac, each in registers.items()}
            expected = {mac: counts.in_qemu for mac, counts in ports.wire.counts.items()}
            for mac, name in itertools.product(values, ('GPRC', 'GPTC')):
                if values[mac][0][name] != expected[mac][name]:
                    raise Disturbed(f'{mac.hex(":")} {name}: {values[mac][0][name]}, '
                                    f'expected {expected[mac][name]}')
            return values, expected

        values, expected = undisturbed(attempt)
        for mac, (first, second) in values.items():
            expect_equal(first, expected[mac], f'registers of {mac.hex(":")}')
            expect_equal(second, dict.fromkeys(second, 0), f'registers of {mac.hex(":")}, again')
        expect(expected[receiver.mac]['PRC1522'] and expected[receiver.mac]['ROC'], 'no long frame')


@case
def octets_that_arrive_between_the_reads_of_both_words_are_lost():
    with ports_and_registers() as (ports, registers):
        source, receiver = ports.nics
        words = registers[receiver.mac]

        def attempt():
            read_all(words)
            low = words[OCTETS['GORC']]
            ports.send(source, frame(receiver.mac, source, DATA, 1000))
            ports.drain()
            high = words[OCTETS['GORC'] + 4]
            rest = read_all(words)
            if rest['GPRC'] != 2:
                raise Disturbed(f'GPRC: {rest["GPRC"]}, expected 2')
            return low, high, rest['GORC']

        expect_equal(undisturbed(attempt), (0, 0, 0), 'low, high, both again')


@case
def missed_frames_are_counted_and_stay():
    with ports_and_registers() as (ports, registers), \
            ports.membership(PACKET_MR_ALLMULTI, all_multicast=True):
        source, receiver = ports.nics
        words = registers[receiver.mac]
        read_all(words)
        before = ports.wire.frames[source.mac]

        def miss(turns=itertools.cycle((IFF_PROMISC, 0))):
            # A change of the filter stops reception for a second: QEMU keeps the frames.
            ports.links.change(receiver.index(), next(turns), IFF_PROMISC)
            ports.send_at_once(source, frame(receiver.mac, source, DATA, 60), 2 * BUFFERS)
            time.sleep(1.5)
            return words[ADDRESSES['MPC']]
        missed = wait_for(miss, 'a frame is missed')
        expect_equal([words[ADDRESSES[name]] for name in ('MPC', 'MPC', 'RNBC', 'RNBC')],
                     [missed] * 4, 'MPC and RNBC, each read twice')
        ports.wire.read()
        sent = ports.wire.frames[source.mac] - before
        print(f'# {missed} of {sent} frames were missed')
        # All buffers were free. The driver may refill some in the meantime.
        expect(0 < missed <= sent - BUFFERS, f'{missed} of {sent}')


main()
