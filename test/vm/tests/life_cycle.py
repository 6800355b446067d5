#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Ports are added, moved and deleted at any time, with and without traffic: by the command,
with their namespace, with the binding of the driver and with the module. 200 rounds leak
no memory."""

import errno
import pathlib
import time

import uapi
from modules import Impatience, load_modules, unload_modules
from netdev import Namespace
from ports import (PLATFORM, KernelLog, Place, Port, Sender, bring_up, case_in_place,
                   devices_on_bus, expect_rejected, place, rejection)
from tap import case, expect, expect_equal, main, wait_for

KMEMLEAK = pathlib.Path('/sys/kernel/debug/kmemleak')
DRIVER = PLATFORM / 'drivers/macstats_emu'

ROUNDS, WARM_UP_ROUNDS = 200, 30
# The memory of the kernel itself varies by some dozens of kilobytes, for any number of
# rounds. A leak of one kilobyte in each round, half of the smallest allocation of a port,
# would be 170 kB.
MEMORY_TOLERANCE_KB = 128

FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(286)


def expect_unknown(request):
    expect_rejected('a port or device of another namespace', request, errno.ENODEV)


def memory_kb():
    """Memory in use that cannot be reclaimed, by kind."""
    pathlib.Path('/proc/sys/vm/drop_caches').write_text('3')
    for cache in pathlib.Path('/sys/kernel/slab').glob('*/shrink'):
        cache.write_text('1')
    lines = (line.split() for line in open('/proc/meminfo'))
    values = {words[0].rstrip(':'): int(words[1]) for words in lines}
    return {key: values[key] for key in ('SUnreclaim', 'Percpu', 'VmallocUsed', 'PageTables')}


def one_round(namespace):
    load_modules()
    here = Place(namespace)
    left, right = here.pair(quiet=False)
    left.send(FRAME, 5)
    expect_equal((left.totals()['tx_st'], right.totals()['rx_st']), (5, 5), 'frames')
    left.delete()
    right.delete()
    expect_equal(here.devices(), [], 'devices')
    here.close(namespace=False)
    unload_modules()


@case
def loading_and_unloading_200_times_leaks_no_memory_and_logs_nothing():
    log, namespace = KernelLog(), Namespace()
    unload_modules()
    try:
        with Impatience():
            for _ in range(WARM_UP_ROUNDS):
                one_round(namespace)
            before = settled_memory()
            for _ in range(ROUNDS - WARM_UP_ROUNDS):
                one_round(namespace)

            def is_free():
                now = settled_memory()
                grown = {key: now[key] - before[key] for key in before}
                print(f'# memory: {grown} kB')
                return sum(grown.values()) <= MEMORY_TOLERANCE_KB
            # A debug kernel keeps freed memory for a while, and looks for leaks itself.
            wait_for(lambda: KMEMLEAK.exists() or is_free(), 'the memory')
    finally:
        load_modules()
        namespace.close()
    # Each load of an unsigned module logs one line. No other line is expected.
    logged = [line for line in log.lines() if 'macstats' in line and 'taint' not in line]
    expect_equal(logged, [], 'kernel log')


def settled_memory():
    """Waits until the memory is constant: namespaces and RCU callbacks end in the background."""
    before = memory_kb()
    for _ in range(20):
        time.sleep(0.2)
        now = memory_kb()
        if abs(sum(now.values()) - sum(before.values())) < 16:
            break
        before = now
    return now


@case
def the_module_is_unloaded_under_traffic_in_both_directions():
    here = Place(Namespace())
    left, right = here.pair()
    senders = [Sender(left, FRAME), Sender(right, FRAME)]
    try:
        wait_for(lambda: all(sender.done > 50 for sender in senders), 'traffic')
        unload_modules()
        wait_for(lambda: all(sender.ended() for sender in senders), 'the senders have errors')
    finally:
        ends = [sender.stop() for sender in senders]
        load_modules()
        here.close()
    for end in ends:
        expect(end in (errno.ENXIO, errno.ENETDOWN, errno.ENODEV), f'sending ended with {end}')


@case_in_place
def link_and_unlink_under_traffic_lose_no_count(here):
    left, right = here.pair()
    sender = Sender(left, FRAME)
    wait_for(lambda: sender.done > 20, 'traffic')
    for _ in range(30):
        left.unlink()
        left.link(right)
    sender.stop()
    expect_equal(left.totals()['tx_st'], right.totals()['rx_st'], 'what was sent and received')


@case_in_place
def an_end_that_leaves_under_traffic_leaves_the_other_one_whole(here):
    """It sleeps, loses its driver, or is deleted, while both send."""
    end, stays = here.pair()

    def under_traffic(leave, come_back=lambda: None):
        senders = [Sender(end, FRAME), Sender(stays, FRAME)]
        try:
            wait_for(lambda: all(sender.done > 50 for sender in senders), 'traffic')
            leave()
            expect(not stays.carrier(), 'a carrier without a peer')
            received = stays.totals()['rx_st']
            time.sleep(0.02)
            expect_equal(stays.totals()['rx_st'], received, 'frames from nobody')
            come_back()
        finally:
            for sender in senders:
                sender.stop()
        state = stays.state()
        expect_equal((state['discontinuities'], 'possible_loss' in state), (0, False), 'lost')

    for _ in range(5):
        under_traffic(lambda: end.fault('suspend'), lambda: end.fault('suspend', False))
        wait_for(lambda: end.running() and stays.running(), 'both can send')
        ours, theirs = end.totals(), stays.totals()
        expect_equal((ours['tx_st'], ours['rx_st']), (theirs['rx_st'], theirs['tx_st']),
                     'what was sent and received')

    name, = [entry for entry in devices_on_bus() if entry.endswith(f'.{end.device}')]
    under_traffic(lambda: (DRIVER / 'unbind').write_text(name))
    (DRIVER / 'bind').write_text(name)
    again, = [entry['ifindex'] for entry in here.ports() if entry['ifindex'] != stays.ifindex]
    end, before = Port(here, again, end.device), stays.totals()
    end.link(stays)
    bring_up(stays, end)
    under_traffic(end.delete)
    after = stays.totals()
    expect(all(before[name] + 50 < after[name] for name in ('tx_st', 'rx_st')), 'traffic')
    stays.inject(count=3)
    expect_equal(stays.totals()['rx_st'], after['rx_st'] + 3, 'counting goes on')


@case_in_place
def name_link_and_counting_survive_a_move_to_another_namespace(here):
    left, right = here.pair()
    there = place()
    left.send(FRAME, 30)
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
    left.send(FRAME, 12)
    moved.send(FRAME, 7)
    expect_equal((moved.totals()['rx_st'], left.totals()['rx_st']), (42, 7), 'totals')
    expect_equal((moved.totals()['tx_st'], left.totals()['tx_st']), (7, 42), 'totals')
    expect_unknown(right.state)
    back = moved.move(here)
    expect_equal(back.totals()['rx_st'], 42, 'total after the way back')


@case_in_place
def ports_are_deleted_with_their_namespace_and_do_not_move_to_the_first(here):
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


@case_in_place
def a_port_is_controlled_where_it_is_and_its_device_deleted_at_home(here):
    there, elsewhere = place(), place()
    port = moved = here.add(name='far%d')
    for target in there, elsewhere:
        before, moved = moved, moved.move(target)
        moved.inject(count=2)
        moved.poll()
        expect_unknown(before.poll)
    expect_equal(moved.totals()['rx_st'], 4, 'frames')
    expect_equal([(device['id'], device['port']) for device in here.devices()],
                 [(moved.device, [0])], 'devices of the home')
    expect_equal((there.devices(), elsewhere.devices()), ([], []), 'devices of the others')
    expect_unknown(Port(elsewhere, moved.ifindex, moved.device).delete)
    port.delete()
    expect_equal((here.devices(), elsewhere.ports()), ([], []), 'what is left')
    of_four = here.add('ixf1104', name='four%d')
    first, second, *others = (entry['ifindex'] for entry in here.ports())
    Port(here, second, of_four.device).move(elsewhere)
    device, = here.devices()
    expect_equal(device['port'], [first, 0, *others], 'one of four ports is elsewhere')


@case_in_place
def ports_that_have_moved_are_linked_where_they_meet(here):
    there = place()
    port, peer = here.add(name='far%d'), there.add(name='near%d')
    moved = port.move(there)
    moved.link(peer)
    bring_up(peer, moved)
    moved.send(FRAME, 5)
    expect_equal((moved.totals()['tx_st'], peer.totals()['rx_st']), (5, 5), 'frames')
    back = moved.move(here)
    expect_unknown(lambda: back.link(peer))
    expect_equal([port.carrier() for port in (back, peer)], [False, False], 'down after the move')
    bring_up(peer, back)
    peer.send(FRAME, 7)
    expect_equal((peer.totals()['tx_st'], back.totals()['rx_st']), (7, 7), 'frames')
    back.unlink()
    expect_equal([port.carrier() for port in (back, peer)], [False, False], 'without a cable')


@case_in_place
def unbinding_the_driver_deletes_the_port_and_binding_restores_it(here):
    port, peer = here.pair()
    port.send(FRAME, 5)
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
    fresh.send(FRAME, 4)
    expect_equal((fresh.totals()['tx_st'], peer.totals()['rx_st']), (4, 9), 'frames')

    (DRIVER / 'unbind').write_text(name)
    port.delete()
    expect_equal([device['id'] for device in here.devices()], [peer.device], 'devices')


@case_in_place
def ip_link_add_is_rejected_with_a_hint(here):
    before = here.devices()
    rejected = rejection(lambda: here.links.add('macstats'))
    expect('macstats emu add' in rejected.text, rejected)
    expect_equal(here.devices(), before, 'devices')


main()
