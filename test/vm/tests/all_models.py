#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every MAC counts exactly what crosses the wire, in a real kernel, whatever its
registers do when they are read, written, full, or not to be read at all."""

import os
import pathlib
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import uapi  # noqa: E402
from genl import Family  # noqa: E402
from ports import Sender, bring_up, with_place  # noqa: E402
from tap import case, expect, expect_equal, main, wait_for  # noqa: E402

WIRE = 100  # octets of a frame with FCS
FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(WIRE - 4 - 14)
SENT = 2000
# Injected at a time, and how often: octets of 32 bits go round three times.
CHUNK, CHUNKS = 10_000_000, 14
FASTEST = 1000  # microseconds between polls
IXF1104_MAX_FRAME_SIZE = 0x0f

# What frames of WIRE octets, unicast and untagged, add to which counters: to
# those of the sender and those of the receiver. From the datasheets.
COUNTS = {
    'll40g': ({'tx_ucast_data_ok': 1, 'tx_65to127b': 1, 'tx_st': 1, 'tx_octets_ok': WIRE - 18},
              {'rx_ucast_data_ok': 1, 'rx_65to127b': 1, 'rx_st': 1, 'rx_octets_ok': WIRE - 18}),
    'll40g_agilex5': (
        {'tx_ucast_data_ok': 1, 'tx_65to127b': 1, 'tx_octets_ok': WIRE - 18,
         'tx_frame_octets_ok': WIRE},
        {'rx_ucast_data_ok': 1, 'rx_65to127b': 1, 'rx_octets_ok': WIRE - 18,
         'rx_frame_octets_ok': WIRE}),
    'ixf1104': ({'tx_uc_pkts': 1, 'tx_pkts65to127_octets': 1, 'tx_octets_transmitted_ok': WIRE},
                {'rx_uc_pkts': 1, 'rx_pkts65to127_octets': 1, 'rx_octets_total_ok': WIRE}),
    'rc32438': ({'tx_tbc': WIRE, 'tx_ok': 1}, {'rx_rpc': 1, 'rx_rbc': WIRE}),
    'cpsw': ({'tx_good_frames': 1, 'tx_octets': WIRE, 'rxtx_65_127_octet_frames': 1,
              'rxtx_net_octets': WIRE},
             {'rx_good_frames': 1, 'rx_octets': WIRE, 'rxtx_65_127_octet_frames': 1,
              'rxtx_net_octets': WIRE}),
}
# A register that anybody may read.
HARMLESS = {'ll40g': 0x506, 'll40g_agilex5': 0x506, 'ixf1104': 0x0f, 'rc32438': 0x214,
            'cpsw': 0x30}
PORTS = {'ll40g': 1, 'll40g_agilex5': 1, 'ixf1104': 4, 'rc32438': 2, 'cpsw': 1}
SPEED = {'ll40g': 40000, 'll40g_agilex5': 40000, 'ixf1104': 1000, 'rc32438': 100, 'cpsw': 1000}


class Reader:
    """A process that reads ethtool -S over and over."""

    def __init__(self, port):
        self.pid = os.fork()
        if self.pid == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            reader = port.ethtool()
            while True:
                reader.read()

    def stop(self):
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)


class Onlooker:
    """A process that reads a register over and over, behind the provider's back; one
    whose reading changes nothing."""

    def __init__(self, port, address):
        self.pid = os.fork()
        if self.pid == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            with port.place.inside():
                port.place.emu = Family(uapi.MACSTATS_EMU_GENL_NAME)
            while True:
                port.peek(address)

    def stop(self):
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)


def check_counts(port, counts, frames):
    """These counters, and no other."""
    totals = {name: value for name, value in port.totals().items() if value}
    expect_equal(totals, {name: step * frames for name, step in counts.items()},
                 f'{port.model}: {port.name}')


def model_pair(here, model, **details):
    left = here.add(model, quiet=False, **details)
    right = here.add(model, quiet=False, **details)
    left.link(right)
    bring_up(left, right)
    return left, right


@case
@with_place
def all_models_are_there_with_their_ports_and_speeds(here):
    expect_equal({model['name']: model['ports'] for model in here.models()}, PORTS, 'ports')
    for model, speed in SPEED.items():
        left, _ = model_pair(here, model)
        with here.inside():
            shown = subprocess.run(['ethtool', left.name], capture_output=True, text=True,
                                   check=True).stdout
        expect(f'Speed: {speed}Mb/s' in shown, f'{model}: {shown}')


@case
@with_place
def nothing_is_lost_between_two_readers_a_poller_and_traffic(here):
    for model, (sent, received) in COUNTS.items():
        left, right = model_pair(here, model)
        for port in (left, right):
            port.set_poll_interval(FASTEST)
        users = [Reader(left), Reader(right), Sender(left, FRAME, SENT),
                 Onlooker(right, HARMLESS[model])]
        try:
            for _ in range(CHUNKS):
                right.inject(CHUNK, length=WIRE)
                right.totals()  # 10^9 octets: read before the next 3 of these
            wait_for(lambda: users[2].done == SENT, 'all frames to be sent')  # noqa: B023
        finally:
            for user in users:
                user.stop()
        check_counts(left, sent, SENT)
        check_counts(right, received, SENT + CHUNK * CHUNKS)
        left.delete()
        right.delete()


@case
@with_place
def each_port_of_a_device_counts_for_itself(here):
    for model, ports in PORTS.items():
        if ports == 1:
            continue
        here.add(model, quiet=False)
        reply = here.devices()[-1]
        names = [port['name'] for port in here.ports()]
        expect_equal(len(reply['port']), ports, f'{model}: ports')
        expect_equal(len(set(names)), len(names), 'names')


@case
@with_place
def a_longer_mtu_raises_the_longest_frame_that_is_legal_and_a_shorter_one_leaves_it(here):
    port = here.add('ixf1104', quiet=False)
    expect_equal(port.peek(IXF1104_MAX_FRAME_SIZE), 1518, 'at first')
    for mtu, longest in (1400, 1518), (1501, 1519), (9000, 9018), (1500, 9018), (16365, 16383):
        port.set_mtu(mtu)
        expect_equal(port.peek(IXF1104_MAX_FRAME_SIZE), longest, f'with an MTU of {mtu}')
    port.inject(length=16383)
    port.inject(length=16384)
    expect_equal(port.totals()['rx_long_errors'], 1, 'frames that are too long')


@case
@with_place
def a_raw_read_takes_counts_away_and_a_register_dump_does_not(here):
    port = here.add('ixf1104', quiet=False)
    port.set_poll_interval(15_000_000)
    port.inject(5, length=WIRE)
    with here.inside():
        subprocess.run(['ethtool', '-d', port.name], capture_output=True, check=True)
    expect_equal(port.totals()['rx_uc_pkts'], 5, 'after a dump')
    port.inject(7, length=WIRE)
    expect_equal(port.peek(0x22), 7, 'RxUCPkts read raw')
    expect_equal(port.peek(0x22), 0, 'RxUCPkts read raw again')
    totals = port.totals()
    expect_equal(totals['rx_uc_pkts'], 5, 'what was taken away')
    expect_equal(totals['rx_pkts65to127_octets'], 12, 'what was not')


@case
@with_place
def counters_that_must_not_be_read_keep_their_totals_and_say_so(here):
    port = here.add('rc32438', quiet=False)
    for fault in ('reset_in_progress', 'clock_stopped'):
        before = port.totals()['rx_rpc']
        port.fault(fault)
        port.inject(3, length=WIRE)
        expect_equal(port.totals()['rx_rpc'], before, f'{fault}: rx_rpc')
        expect('stale' in port.state(), f'{fault}: {port.state()}')
        port.fault(fault, False)
        expect_equal(port.totals()['rx_rpc'], before + 3, f'after {fault}: rx_rpc')
        expect('stale' not in port.state(), f'after {fault}: {port.state()}')


@case
@with_place
def a_closed_gate_makes_the_port_stale_and_loses_nothing(here):
    port, gate = here.add('cpsw', quiet=False), 0x4a10000c
    port.inject(4, length=WIRE)
    expect_equal(port.peek(gate), 7, 'STAT_PORT_EN')
    port.totals()
    port.poke(gate, 0)
    expect_equal(port.totals()['rx_good_frames'], 4, 'gate closed')
    expect('stale' in port.state(), str(port.state()))
    port.poke(gate, 7)
    port.inject(2, length=WIRE)
    expect_equal(port.totals()['rx_good_frames'], 6, 'gate open again')


@case
@with_place
def a_half_full_counter_is_read_at_once_and_emptied(here):
    port = here.add('cpsw', quiet=False)
    port.set_poll_interval(8_000_000)
    port.totals()
    port.preset('rx_octets', 0x7fffffff)
    port.inject(1, length=WIRE)
    deadline = time.monotonic() + 5
    while port.peek(0x30) >= 0x80000000 and time.monotonic() < deadline:
        time.sleep(0.05)
    expect_equal(port.peek(0x30), 0, 'Rx Octets')
    expect_equal(port.totals()['rx_octets'], WIRE, 'total')


@case
@with_place
def what_a_mac_cannot_give_is_absent(here):
    port = here.add('cpsw', quiet=False)
    with here.inside():
        shown = subprocess.run(['ethtool', '-S', port.name, '--groups', 'rmon', 'eth-mac'],
                               capture_output=True, text=True, check=True).stdout
    expect('etherStatsPkts' not in shown, shown)
    expect('OctetsTransmittedOK' not in shown, shown)
    expect('eth-mac-FramesReceivedOK: 0' in shown, shown)


main()
