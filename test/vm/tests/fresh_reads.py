#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Registers whose accesses do not sleep are read where somebody asks for the statistics: also below
a bond, which asks with a spinlock held, and beside all that happens to a port."""

import contextlib
import itertools
import pathlib
import socket
import struct
import threading
import time
from fcntl import ioctl

import cli
from genl import Interrupted
from ports import KernelLog, Place, case_in_first_place, place, reader_wait
from tap import SLOW, expect, expect_equal, main, wait_for

# A reader leaves hardware that took longer to the poll work, until a poll is fast again.
LONGEST_POLL_NS = 200_000
SIOCSIFMTU = 0x8922
REPEATS = 20
SECONDS = 2
FRAMES = 7


def rx_packets(name):
    """As ip -s shows it."""
    return int(pathlib.Path(f'/sys/class/net/{name}/statistics/rx_packets').read_text())


def faces(port):
    """{what shows the received frames: number}"""
    groups, = cli.json_output('ethtool', '--json', '-S', port.name, '--groups', 'eth-mac')
    return {'ip -s': rx_packets(port.name), 'ethtool -S': port.ethtool().totals()['rx_st'],
            'eth-mac': groups['eth-mac']['FramesReceivedOK'], 'netlink': port.totals()['rx_st']}


def expect_at_once(port, read, what):
    """Each read shows the frames that have come before it."""
    misses = 0
    for count in range(1, REPEATS + 1):
        port.inject(count=FRAMES, length=500)
        if read() != count * FRAMES:
            misses += 1
    print(f'# {what}: {misses} of {REPEATS} later, longest poll '
          f'{port.state()["longest_poll"] / 1000:.0f} us')
    expect(not misses or port.state()['longest_poll'] > LONGEST_POLL_NS, f'{what}: {misses} misses')
    wait_for(lambda: read() == REPEATS * FRAMES, f'{what} shows all frames')


@contextlib.contextmanager
def loops(*functions):
    """Calls each function in a thread of its own, again and again."""
    running, errors = True, []

    def loop(function):
        while running:
            try:
                with contextlib.suppress(Interrupted):
                    function()
            except OSError as error:
                errors.append(error)
                return
    threads = [threading.Thread(target=loop, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        running = False
        for thread in threads:
            thread.join()
    expect_equal(errors, [], 'errors of the loops')


def expect_median(function, limit, what):
    """Repeats the calls until most of them take less than @limit seconds, as load delays any."""
    def is_quick():
        found = median(function)
        print(f'# {what}: {found * 1000:.2f} ms')
        return found < limit
    wait_for(is_quick, f'{what} is quick')


def median(function):
    """Of the seconds that calls take."""
    taken = []
    for _ in range(REPEATS):
        began = time.monotonic()
        function()
        taken.append(time.monotonic() - began)
    return sorted(taken)[REPEATS // 2]


def read_all():
    """All statistics of this namespace."""
    return pathlib.Path('/proc/net/dev').read_text()


@case_in_first_place
def each_face_shows_at_once_what_was_counted(here):
    """The poll interval is an hour."""
    for what in 'ip -s', 'ethtool -S', 'eth-mac', 'netlink':
        port = here.add()
        expect_at_once(port, lambda: faces(port)[what], what)


@case_in_first_place
def no_face_is_behind_another(here):
    """In any order, with frames between them."""
    port = here.add()
    read = {'ip -s': lambda: rx_packets(port.name), 'netlink': lambda: port.totals()['rx_st'],
            'ethtool -S': lambda: port.ethtool().totals()['rx_st']}
    latest = 0
    for pair in itertools.islice(itertools.cycle(itertools.permutations(read, 2)), 60):
        port.inject(count=FRAMES, length=500)
        for what in pair:
            value = read[what]()
            expect(value >= latest, f'{what} shows {value} after {latest}, in {pair}')
            latest = value


@contextlib.contextmanager
def upper(kind, port):
    """A net device above the port."""
    cli.output('ip', 'link', 'add', 'upper0', 'type', kind)
    try:
        cli.output('ip', 'link', 'set', port.name, 'master', 'upper0')
        yield 'upper0'
    finally:
        cli.output('ip', 'link', 'del', 'upper0')


@case_in_first_place
def a_bond_shows_at_once_what_its_port_counts(here):
    """It asks its ports for statistics with a spinlock held and bottom halves off."""
    port = here.add()
    cli.output('modprobe', 'bonding', 'max_bonds=0')
    with upper('bond', port) as bond:
        expect_at_once(port, lambda: rx_packets(bond), 'bond')


@case_in_first_place
def a_port_of_a_bridge_shows_at_once_what_it_counts(here):
    port = here.add()
    cli.output('modprobe', 'bridge')
    with upper('bridge', port):
        expect_at_once(port, lambda: rx_packets(port.name), 'bridge')


@case_in_first_place
def reads_beside_all_that_happens_to_a_port_lose_nothing(here):
    """Suspends, a slow bus, resets of the driver, moves, and the end of the port."""
    port, other, reader = here.add(), place(), Place()
    here.others.append(reader)
    sent = 0
    with reader_wait(1), loops(read_all, read_all, reader.stats):
        until = time.monotonic() + SECONDS * SLOW
        while time.monotonic() < until:
            for begin, end in ((lambda: port.fault('suspend'), lambda: port.fault('suspend', False)),
                               (lambda: port.fault('slow_bus', argument=100),
                                lambda: port.fault('slow_bus', False)),
                               (lambda: port.fault('bus_error'),
                                lambda: port.fault('bus_error', False))):
                begin()
                end()
                port.inject(count=FRAMES, length=500)
                sent += FRAMES
            passing = here.add()
            passing.move(other)
            passing.delete()
    wait_for(lambda: port.totals()['rx_st'] == sent, f'{sent} frames')
    state = port.state()
    expect_equal((state['discontinuities'], 'possible_loss' in state), (0, False), 'losses')
    print(f'# {sent // FRAMES} rounds')


@case_in_first_place
def a_snapshot_that_is_stuck_delays_no_reader(here):
    """The poll work, which may sleep, finds out, and reports it once."""
    port = here.add()
    port.inject(count=FRAMES, length=500)
    wait_for(lambda: port.totals()['rx_st'] == FRAMES, 'a good read')
    listener = here.listen()
    port.fault('snapshot_stuck')
    port.inject(count=FRAMES, length=500)
    with loops(*[read_all] * 3):
        wait_for(lambda: 'stale' in port.state(), 'a stale port')
        expect_median(lambda: rx_packets(port.name), 0.02 * SLOW, 'ip -s')
        port.fault('snapshot_stuck', False)
        wait_for(lambda: port.totals()['rx_st'] == 2 * FRAMES, 'the port to recover')
    events = [said['event'] for _, said in listener.events(2)]
    expect_equal(len(events), 2, 'events')


@case_in_first_place
def ten_readers_of_a_slow_bus_cause_no_event_and_no_line_in_the_log(here):
    port, log = here.add(), KernelLog()
    port.inject(count=FRAMES, length=500)
    wait_for(lambda: port.totals()['rx_st'] == FRAMES, 'a good read')
    listener = here.listen()
    port.fault('slow_bus', argument=2000)
    with reader_wait(1), loops(*[port.ethtool().read for _ in range(10)]):
        time.sleep(1)
    expect('stale' not in port.state(), 'the port is stale')
    port.fault('slow_bus', False)
    expect_equal(listener.events(), [], 'events')
    expect_equal([line for line in log.lines() if port.name in line], [], 'the kernel log')


def expect_no_reader_waits(port, what):
    """Each read that waits has a poll of its own, which fails."""
    read = port.ethtool().read

    def are_more_than_polls():
        before = port.state()['failed_polls']
        for _ in range(REPEATS):
            read()
        return port.state()['failed_polls'] - before < REPEATS // 4
    wait_for(lambda: 'stale' in port.stats(), f'{what}: a stale port')
    with reader_wait(10000):
        wait_for(are_more_than_polls, f'{what}: more reads than polls')


@case_in_first_place
def readers_of_a_port_that_does_not_answer_leave_other_calls_under_rtnl_alone(here):
    """Three loops of ethtool -S, and changes of the MTU of lo."""
    mtus = itertools.cycle(range(60000, 60000 + REPEATS))

    def set_mtu():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            ioctl(control, SIOCSIFMTU, struct.pack('16si', b'lo', next(mtus)))
    port = here.add()
    alone = median(set_mtu)
    print(f'# alone: {alone * 1000:.2f} ms')
    for faults in ('bus_error', 'slow_bus'), ('snapshot_stuck',):
        for fault in faults:
            port.fault(fault, **({'argument': 10000} if fault == 'slow_bus' else {}))
        expect_no_reader_waits(port, faults)
        with reader_wait(40), loops(*[port.ethtool().read for _ in range(3)]):
            expect_median(set_mtu, alone + 0.006 * SLOW, f'beside them, {faults}')
        for fault in reversed(faults):
            port.fault(fault, False)
        port.inject(count=FRAMES)
        wait_for(lambda: 'stale' not in port.stats(), f'the end of {faults}')
    wait_for(lambda: port.totals()['rx_st'] == 2 * FRAMES, 'the frames')


main()
