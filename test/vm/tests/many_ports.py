#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A dump of a thousand ports of different models has each port once, while ports are added and
deleted and frames are sent, for one reader and for eight concurrent ones."""
# long

import collections
import marshal
import os
import pathlib
import time

import cli
import uapi
from genl import DEVICE, EMU_PORT, STATS, Family, Interrupted
from netdev import Namespace
from ports import Place, Port, Sender, bring_up, devices_on_bus
from tap import case, expect, expect_equal, main, wait_for

PORTS = 1000
COMING = 50  # ports a second
COME = 100  # ports, before a case ends
READERS = 8
LENGTH = 100
FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(LENGTH - 18)
PAYLOAD = LENGTH - 18
# A counter of received frames of each model, by its datasheet name.
FRAMES = {'ll40g': 'CNTR_RX_65to127B', 'll40g_agilex5': 'RX 65to127B',
          'ixf1104': 'RxPkts65to127Octets', 'rc32438': 'RPC', 'cpsw': 'Good Rx Frames',
          'e1000': 'PRC127', 'e1000e': 'PRC127', 'gem': 'frames_rxed_65',
          'k1_emac': 'rx_65_127_pkts', 'lan743x': 'RX_65_127_BYTE_FRAMES', 'unimac': 'GR127',
          'am65_cpsw': 'RXGOODFRAMES', 'dwmac_mmc': 'MMC_RX_65_TO_127_OCTETS_GB',
          'dwmac4_mmc': 'MMC_RX_65_TO_127_OCTETS_GB',
          'dwxgmac_mmc': 'MMC_RX_65_TO_127_OCTETS_GB', 'mt7530': 'RX_PKT_SZ_65_TO_127',
          'alx': 'RX_SZ_127B', 'altera_tse': 'etherStatsPkts65to127Octets',
          'netc': 'PM0_R127'}


def add(family, model, **details):
    """The ifindexes of a new device."""
    reply, = family.do(uapi.MACSTATS_EMU_CMD_DEVICE_NEW, DEVICE.encode(model=model, **details))
    return DEVICE.decode(reply)['port']


class World:
    """The ports, each with a different number of received frames."""

    def __init__(self):
        self.place = Place(Namespace())
        registers = dict(self.place.with_facts(FRAMES))
        self.models = list(registers)
        self.counts = {}  # frames by ifindex
        started = time.monotonic()
        while len(self.counts) < PORTS:
            for model in self.models:
                for ifindex in add(self.place.emu, model):
                    self.add(ifindex)
        self.seconds = time.monotonic() - started
        self.values = {}  # by ifindex, after they were read
        self.names = {model: [row['name'] for row in self.place.counters(model)]
                      for model in self.models}
        self.frames = {model: next(row['id'] for row in self.place.counters(model)
                                   if row['register'] == registers[model])
                       for model in self.models}
        self.busy = []  # pairs of ports that send
        # A dump waits two seconds for all of them, then takes the last read.
        wait_for(lambda: not any('stale' in stats for stats in self.place.stats()),
                 'a read of each port')

    def add(self, ifindex):
        self.counts[ifindex] = 1_000_000 + len(self.counts)
        self.place.emu.do(uapi.MACSTATS_EMU_CMD_INJECT, EMU_PORT.encode(
            ifindex=ifindex, frame={'length': LENGTH, 'direction': uapi.MACSTATS_RX},
            count=self.counts[ifindex]))
        # Leave CPU time to the readers.
        state = Port(self.place, ifindex, None).state()
        self.place.links.set_poll_interval(state['name'], state['poll_ceiling_usecs'])

    def start_traffic(self):
        """Real frames between two pairs of ports with snapshots."""
        for _ in range(2):
            ends = self.place.add(quiet=False), self.place.add(quiet=False)
            ends[0].link(ends[1])
            bring_up(*ends)
            self.busy.append((Sender(ends[0], FRAME, gap=0.0005), *ends))

    def stop_traffic(self):
        while self.busy:
            sender, *ends = self.busy.pop()
            sender.stop()
            for end in ends:
                end.delete()

    def close(self):
        self.stop_traffic()
        self.place.close()
        wait_for(lambda: not devices_on_bus(), 'the end of the devices')


WORLD = None


def world():
    global WORLD  # pylint: disable=global-statement # a thousand ports take seconds to make
    WORLD = WORLD or World()
    return WORLD


class Reader:
    """Dumps the statistics and checks each dump."""

    def __init__(self, where):
        with where.place.inside():
            self.family = Family(uapi.MACSTATS_GENL_NAME)
        self.where = where
        self.found = collections.Counter()

    def close(self):
        self.family.close()

    def dump(self, cached):
        """The statistics, and whether the dump was consistent."""
        payload = STATS.encode(cached=cached)
        try:
            return self.family.dump(uapi.MACSTATS_CMD_STATS_GET, payload), True
        except Interrupted as interrupted:
            return interrupted.replies, False

    def read(self, cached, rest=0):
        """@rest: how many other ports there are, if that is known."""
        replies, whole = self.dump(cached)
        stats = {}
        for one in map(STATS.decode, replies):
            expect(one['ifindex'] not in stats, f'{one["ifindex"]} is there twice')
            stats[one['ifindex']] = one
        missing = self.where.counts.keys() - stats.keys()
        expect(not missing, f'{len(missing)} ports are missing')
        for ifindex, count in self.where.counts.items():
            if self.where.values.get(ifindex) != stats[ifindex]['values']:
                self.check_resting(stats[ifindex], count)
                self.where.values[ifindex] = stats[ifindex]['values']
        for _, *ends in self.where.busy:
            for end, direction in zip(ends, ('tx', 'rx')):
                expect(end.ifindex in stats, f'{end.name} is missing')
                self.check_busy(stats[end.ifindex], direction)
        if rest is not None:
            expect_equal(len(stats), len(self.where.counts) + rest, 'ports')
        self.found['whole' if whole else 'interrupted'] += 1

    def check_resting(self, stats, count):
        """Each value is a multiple of the port's number of frames."""
        values = stats['values']
        expect_equal(values[self.where.frames[stats['model']]], count,
                     f'{stats["model"]}: frames of {stats["ifindex"]}')
        absent = set(stats.get('absent') or ())
        values = [value for i, value in enumerate(values) if i not in absent]
        expect(not any(value % count or value > count * LENGTH for value in values),
               f'{stats["model"]}: {values}, not all of {count} frames')
        expect(stats['ifindex'] not in self.where.values, 'an idle port has counted')

    def check_busy(self, stats, direction):
        """The sums within one snapshot agree."""
        values = dict(zip(self.where.names[stats['model']], stats['values']))
        frames = values[f'{direction}_st']
        expect_equal((values[f'{direction}_65to127b'], values[f'{direction}_octets_ok']),
                     (frames, frames * PAYLOAD), f'{direction} of {stats["ifindex"]}')


class Coming:
    """A process in which ports come and go, some at once, COMING of them a second.
    They are plugged in one by one, and go when the socket is closed that owns
    them, as of a test that ends."""

    def __init__(self, where):
        self.reader, writer = os.pipe()
        with where.place.inside():
            self.pid = os.fork()
            if self.pid == 0:
                self._run(where, writer)
        os.close(writer)

    @staticmethod
    def _run(where, writer):
        came, started = 0, time.monotonic()
        while came < COME:
            family = Family(uapi.MACSTATS_EMU_GENL_NAME)
            for model in where.models:
                came += len(add(family, model, owned=True))
                time.sleep(max(0.0, started + came / COMING - time.monotonic()))
            family.close()
        os.write(writer, marshal.dumps((came, time.monotonic() - started)))
        os._exit(0)  # pylint: disable=protected-access

    def running(self):
        """Readers ask, whose child it is not."""
        return pathlib.Path(f'/proc/{self.pid}/fd').exists() and \
            ' Z ' not in pathlib.Path(f'/proc/{self.pid}/stat').read_text()

    def end(self):
        """(ports that have come, seconds)"""
        with open(self.reader, 'rb') as pipe:
            result = marshal.loads(pipe.read())
        os.waitpid(self.pid, 0)
        return result


def read_while(reader, running):
    """At least one dump, and consistent ones at the end."""
    number = 0
    while running() or not reader.found['whole']:
        reader.read(cached=number % 2 == 1, rest=None)
        number += 1


def in_reader(where, running):
    """A process that reads, and a pipe with its results."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    try:
        reader = Reader(where)
        read_while(reader, running)
        answer = dict(reader.found)
    except BaseException as error:  # pylint: disable=broad-except # passed to the parent
        answer = f'{type(error).__name__}: {error}'
    os.write(writing, marshal.dumps(answer))
    os._exit(0)  # pylint: disable=protected-access
    return None


def answer_of(pid, reading):
    with open(reading, 'rb') as pipe:
        answer = marshal.loads(pipe.read())
    os.waitpid(pid, 0)
    expect(isinstance(answer, dict), answer)
    return collections.Counter(answer)


@case
def a_dump_of_a_thousand_ports_has_each_of_them_once():
    where = world()
    print(f'# {len(where.counts)} ports made in {where.seconds:.1f} s')
    reader = Reader(where)
    for cached in False, True:
        started = time.monotonic()
        replies, whole = reader.dump(cached)
        print(f'# a dump {"from memory" if cached else "of the hardware"} takes '
              f'{(time.monotonic() - started) * 1000:.0f} ms')
        expect_equal((len(replies), whole), (len(where.counts), True), 'replies')
        reader.read(cached)
    expect_equal(len(where.place.ports()), len(where.counts), 'ports')
    reader.close()


@case
def the_command_shows_a_thousand_ports_by_their_names():
    where = world()
    Reader(where).read(cached=False)
    with where.place.inside():
        started = time.monotonic()
        shown = cli.macstats_json('show')
        print(f'# macstats show takes {time.monotonic() - started:.1f} s')
    expect_equal([port['ifindex'] for port in shown], list(where.counts), 'ports')
    for port in shown:
        frames = where.names[port['model']][where.frames[port['model']]]
        expect_equal(port['totals'][frames], where.counts[port['ifindex']], port['port'])


@case
def dumps_of_eight_concurrent_readers_miss_and_repeat_no_port_during_changes_and_traffic():
    where = world()
    where.start_traffic()

    def is_interrupted():
        coming = Coming(where)
        readers = [in_reader(where, coming.running) for _ in range(READERS)]
        found = [answer_of(*reader) for reader in readers]
        came, seconds = coming.end()
        total = sum(found, collections.Counter())
        print(f'# {came} ports came and went in {seconds:.1f} s; dumps: {dict(total)}')
        expect(all(one['whole'] for one in found), found)
        return total['interrupted']
    wait_for(is_interrupted, 'a dump that changes interrupt')
    wait_for(lambda: all(sender.done > 100 for sender, *_ in where.busy), 'traffic')
    where.stop_traffic()


def nothing_is_left_of_a_thousand_ports():
    world().stop_traffic()
    started = time.monotonic()
    world().close()
    print(f'# all of them are gone within {time.monotonic() - started:.1f} s')


main(nothing_is_left_of_a_thousand_ports)
