#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Ports come, move and go at any time, with traffic and without: by the command,
with their namespace, with the driver's binding and with the module; and after
200 rounds the memory is back."""

# timeout: 300

import ctypes
import errno
import os
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import uapi  # noqa: E402
from genl import Refused  # noqa: E402
from netdev import Namespace  # noqa: E402
from ports import (PLATFORM, KernelLog, Place, Port, Sender, bring_up,  # noqa: E402
                   devices_on_bus, place, with_place)
from tap import Failure, case, expect, expect_equal, main, wait_for  # noqa: E402

KMOD_DIR = pathlib.Path(os.environ.get('KMOD_DIR', '.'))
MODULES = ('macstats', KMOD_DIR / 'kmod/provider/macstats.ko'), \
    ('macstats_emu', KMOD_DIR / 'kmod/emulator/macstats_emu.ko')
KMEMLEAK = pathlib.Path('/sys/kernel/debug/kmemleak')
DRIVER = PLATFORM / 'drivers/macstats_emu'

SYS_DELETE_MODULE, SYS_FINIT_MODULE = 176, 313
ROUNDS, WARM_UP_ROUNDS = 200, 30
# What the kernel itself takes and gives back between two looks is some dozens of
# kilobytes, however many rounds there are. A leak of one kilobyte in each, half
# of the smallest thing that a port has, would be 170 kB.
MEMORY_TOLERANCE_KB = 128

FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(286)

libc = ctypes.CDLL(None, use_errno=True)


def system_call(number, *args):
    if libc.syscall(number, *args) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def is_loaded(module):
    return pathlib.Path('/sys/module', module).exists()


def load_modules():
    for name, path in MODULES:
        if not is_loaded(name):
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            system_call(SYS_FINIT_MODULE, fd, b'', 0)
            os.close(fd)


def unload_modules():
    for name, _ in reversed(MODULES):
        if is_loaded(name):
            system_call(SYS_DELETE_MODULE, name.encode(), os.O_NONBLOCK)


def send(port, count):
    packets = port.packets()
    for _ in range(count):
        packets.send(FRAME)
    packets.close()


def memory_kb():
    """What is in use and does not go away when it is asked to, by kind."""
    pathlib.Path('/proc/sys/vm/drop_caches').write_text('3')
    for cache in pathlib.Path('/sys/kernel/slab').glob('*/shrink'):
        cache.write_text('1')
    lines = (line.split() for line in open('/proc/meminfo'))
    values = {words[0].rstrip(':'): int(words[1]) for words in lines}
    return {key: values[key] for key in ('SUnreclaim', 'Percpu', 'VmallocUsed', 'PageTables')}


class Impatience:
    """While this lasts the kernel does not wait in comfort for the ends of its
    grace periods, so that 200 rounds take seconds."""

    VALUES = {pathlib.Path('/sys/kernel/rcu_expedited'): '1',
              **{pathlib.Path(f'/sys/module/rcutree/parameters/jiffies_till_{which}_fqs'): '0'
                 for which in ('first', 'next')}}

    def __enter__(self):
        self.before = {path: path.read_text() for path in self.VALUES if path.exists()}
        for path in self.before:
            path.write_text(self.VALUES[path])

    def __exit__(self, *_):
        for path, value in self.before.items():
            path.write_text(value)


def one_round(namespace):
    load_modules()
    here = Place(namespace)
    left, right = here.pair(quiet=False)
    send(left, 5)
    expect_equal((left.totals()['tx_st'], right.totals()['rx_st']), (5, 5), 'frames')
    left.delete()
    right.delete()
    expect_equal(here.devices(), [], 'devices')
    here.close(namespace=False)
    unload_modules()


@case
def after_200_rounds_from_load_to_unload_the_memory_is_back_and_the_log_is_clean():
    log, namespace = KernelLog(), Namespace()
    unload_modules()
    try:
        with Impatience():
            for _ in range(WARM_UP_ROUNDS):
                one_round(namespace)
            before = settled_memory()
            for _ in range(ROUNDS - WARM_UP_ROUNDS):
                one_round(namespace)
            after = settled_memory()
    finally:
        load_modules()
        namespace.close()
    grown = {key: after[key] - before[key] for key in before}
    print(f'# memory: {grown} kB')
    # A debug kernel keeps freed memory for a while, and looks for leaks itself.
    expect(KMEMLEAK.exists() or sum(grown.values()) <= MEMORY_TOLERANCE_KB, f'grown by {grown}')
    # Each load of a module without a signature says so once; nothing else may be said.
    told = [line for line in log.lines() if 'macstats' in line and 'taint' not in line]
    expect_equal(told, [], 'kernel log')


def settled_memory():
    """Namespaces and RCU callbacks end in the background: waits until nothing changes."""
    before = memory_kb()
    for _ in range(20):
        time.sleep(0.2)
        now = memory_kb()
        if abs(sum(now.values()) - sum(before.values())) < 16:
            break
        before = now
    return now


@case
def the_module_can_be_unloaded_with_devices_present_and_up():
    namespace = Namespace()
    here = Place(namespace)
    left, right = here.pair()
    with here.inside():
        links = type(here.links)()
    right.set_poll_interval(1000)
    expect_equal(len(devices_on_bus()), 2, 'devices')
    try:
        unload_modules()
        for port in (left, right):
            try:
                links.get(port.ifindex)
            except Refused as refused:
                expect_equal(refused.errno, errno.ENODEV, 'the net device')
            else:
                raise Failure(f'{port.name} is still there')
    finally:
        load_modules()
        here.close()
    expect_equal(devices_on_bus(), [], 'devices after the next load')


@case
def the_module_can_be_unloaded_under_traffic_in_both_directions():
    here = Place(Namespace())
    left, right = here.pair()
    senders = [Sender(left, FRAME), Sender(right, FRAME)]
    try:
        wait_for(lambda: all(sender.done > 50 for sender in senders), 'traffic')
        unload_modules()
    finally:
        ends = [sender.stop() for sender in senders]
        load_modules()
        here.close()
    for end in ends:
        expect(end in (errno.ENXIO, errno.ENETDOWN, errno.ENODEV), f'sending ended with {end}')


@case
@with_place
def a_port_can_be_deleted_under_traffic_and_its_peer_goes_on(here):
    survivor = here.add()
    survivor.up()
    for _ in range(10):
        doomed = here.add()
        doomed.link(survivor)
        bring_up(doomed)
        wait_for(survivor.running, 'the peer can send')
        senders = [Sender(doomed, FRAME), Sender(survivor, FRAME)]
        wait_for(lambda: all(sender.done > 20 for sender in senders), 'traffic')
        doomed.delete()
        expect(not survivor.carrier(), 'the peer has a carrier without a cable')
        sent = senders[1].done
        ends = [sender.stop() for sender in senders]
        expect(ends[0] in (errno.ENXIO, errno.ENETDOWN, errno.ENODEV), f'sending ended: {ends}')
        expect(sent > 20, 'the peer has not sent')
    totals = survivor.totals()
    expect_equal(totals['tx_st'], totals['tx_256to511b'], 'frames of the peer')
    expect(totals['rx_st'] > 200, 'the peer has not received')


@case
@with_place
def link_and_unlink_under_traffic_lose_no_count(here):
    left, right = here.pair()
    sender = Sender(left, FRAME)
    wait_for(lambda: sender.done > 20, 'traffic')
    for _ in range(30):
        left.unlink()
        left.link(right)
    sender.stop()
    expect_equal(left.totals()['tx_st'], right.totals()['rx_st'], 'what was sent and received')


@case
@with_place
def name_link_and_counting_survive_a_move_to_another_namespace(here):
    left, right = here.pair()
    there = place()
    send(left, 30)
    listener, arrival = here.listen(), there.listen()
    moved = right.move(there)
    expect_equal((moved.name, here.ports()[0]['name'], len(here.ports())),
                 (right.name, left.name, 1), 'ports')
    expect_equal([event[0] for event in listener.events(1)], [uapi.MACSTATS_CMD_PORT_DEL_NTF],
                 'events at the old place')
    expect_equal([(event[0], event[1]['ifindex']) for event in arrival.events(1)],
                 [(uapi.MACSTATS_CMD_PORT_NEW_NTF, moved.ifindex)], 'events at the new place')
    expect_equal(moved.totals()['rx_st'], 30, 'total after the move')
    bring_up(left, moved)
    send(left, 12)
    send(moved, 7)
    expect_equal((moved.totals()['rx_st'], left.totals()['rx_st']), (42, 7), 'totals')
    expect_equal((moved.totals()['tx_st'], left.totals()['tx_st']), (7, 42), 'totals')
    try:
        right.state()
    except Refused as refused:
        expect_equal(refused.errno, errno.ENODEV, 'the port at its old place')
    else:
        raise Failure('the port is still known at its old place')
    # Only who sees the port may control it.
    try:
        Port.control(right, uapi.MACSTATS_EMU_CMD_UNLINK)
    except Refused as refused:
        expect_equal(refused.errno, errno.ENODEV, 'control from the old place')
    back = moved.move(here)
    expect_equal(back.totals()['rx_st'], 42, 'total after the way back')


@case
@with_place
def ports_die_with_their_namespace_and_do_not_come_to_the_first(here):
    first = Place()
    before = [port['name'] for port in first.ports()]
    doomed = Place(Namespace())
    left, right = here.pair(name='stays%d')
    moved = right.move(doomed)
    others = doomed.pair(name='goes%d')
    bring_up(left, moved)
    sender = Sender(others[0], FRAME, gap=0.001)
    wait_for(lambda: sender.done > 5, 'traffic')
    expect_equal(len(devices_on_bus()), 4, 'devices')
    sender.stop()
    doomed.close()
    wait_for(lambda: len(devices_on_bus()) == 1, 'the end of the ports')
    expect_equal([port['name'] for port in first.ports()], before, 'ports of the first namespace')
    expect_equal([port['name'] for port in here.ports()], [left.name], 'the port that stays')
    expect(not left.carrier(), 'a carrier without a peer')
    left.up()
    left.inject(count=3)
    expect_equal(left.totals()['rx_st'], 3, 'counting goes on')


@case
@with_place
def a_device_can_be_deleted_from_where_its_port_has_gone(here):
    there = place()
    moved = here.add(name='far%d').move(there)
    expect(moved.device in [device['id'] for device in there.devices()], there.devices())
    moved.delete()
    expect_equal((there.devices(), there.ports()), ([], []), 'what is left')


@case
@with_place
def an_unbound_driver_takes_the_port_along_and_a_bound_one_brings_it_back(here):
    port, peer = here.pair()
    send(port, 5)
    name, = [entry for entry in devices_on_bus() if entry.endswith(f'.{port.device}')]
    listener = here.listen()
    (DRIVER / 'unbind').write_text(name)
    expect_equal([entry['name'] for entry in here.ports()], [peer.name], 'ports')
    expect_equal(sorted(device['id'] for device in here.devices()),
                 sorted((port.device, peer.device)), 'devices')
    expect(not peer.carrier(), 'the peer has a carrier without a cable')
    expect_equal([event[0] for event in listener.events(1)], [uapi.MACSTATS_CMD_PORT_DEL_NTF],
                 'events')
    (DRIVER / 'bind').write_text(name)
    again = [entry for entry in here.ports() if entry['ifindex'] != peer.ifindex]
    expect_equal(len(again), 1, f'ports {here.ports()}')
    fresh = Port(here, again[0]['ifindex'], port.device)
    expect_equal(set(fresh.totals().values()), {0}, 'totals of the new port')
    fresh.link(peer)
    bring_up(peer, fresh)
    send(fresh, 4)
    expect_equal((fresh.totals()['tx_st'], peer.totals()['rx_st']), (4, 9), 'frames')

    (DRIVER / 'unbind').write_text(name)
    port.delete()
    expect_equal([device['id'] for device in here.devices()], [peer.device], 'devices')


@case
@with_place
def a_driver_can_be_unbound_and_bound_under_traffic(here):
    peer = here.add()
    for _ in range(5):
        port = here.add()
        port.link(peer)
        bring_up(peer, port)
        sender = Sender(peer, FRAME)
        wait_for(lambda: sender.done > 20, 'traffic')
        name, = [entry for entry in devices_on_bus() if entry.endswith(f'.{port.device}')]
        (DRIVER / 'unbind').write_text(name)
        (DRIVER / 'bind').write_text(name)
        sender.stop()
        port.delete()


@case
@with_place
def ip_link_add_is_refused_with_a_hint(here):
    before = here.devices()
    try:
        here.links.add('macstats')
    except Refused as refused:
        expect('macstats emu add' in refused.text, refused)
    else:
        raise Failure('not refused')
    expect_equal(here.devices(), before, 'devices')


main()
