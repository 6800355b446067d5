#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""docs/faults.md, "In the middle of an action": a device is unplugged during a poll, a register
dump or a namespace move, at several moments of each."""

import errno
import itertools
import os
import statistics
import threading
import time

import uapi
from deadline import Deadline
from fault_page import BEFORE, COUNTERS, MORE, expect_seen, names_of, table
from genl import EMU_PORT, Family, Rejected
from ports import (DEFAULT_WAIT_MS, KernelLog, Port, place, reader_wait,
                   with_first_place)
from tap import SLOW, Skip, case, expect, expect_equal, main, wait_for

LIMIT_SECONDS = 0.05  # of a call that has RTNL
WAIT_MS = DEFAULT_WAIT_MS * int(SLOW)  # of a reader, during the action
MOMENTS, MOMENT_TO_SHOW = 12, 6
ROUNDS = 3  # after which a move may be skipped
ALL_ONES = 0xffffffff
# Microseconds of an access, so that the action takes some tens of milliseconds, but less
# than the 40 after which it gives up.
USECS = {('a poll', 'rc32438'): 8000, ('a poll', 'cpsw'): 2000, ('a poll', 'ixf1104'): 1000,
         ('a poll', 'll40g'): 500, ('a poll', 'll40g_agilex5'): 500,
         ('a register dump', 'll40g'): 100, ('a register dump', 'cpsw'): 200,
         ('a register dump', 'rc32438'): 300, ('a register dump', 'ixf1104'): 4000}
MOVE_USECS = 1000


class Action(threading.Thread):
    """An action on the device in another thread."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.result, self.seconds, self.error = None, 0.0, None

    def run(self):
        started = time.monotonic()
        try:
            self.result = self.function()
        except Exception as error:  # pylint: disable=broad-except # for the other thread
            self.error = error
        self.seconds = time.monotonic() - started

    def end(self):
        wait_for(lambda: not self.is_alive(), 'the end of the action')
        expect(self.error is None, f'it failed: {self.error}')
        return self.result


def function_of(action, port, here, there):
    """The thread of the action, with its own sockets."""
    if action == 'a poll':
        with here.inside():
            family = Family(uapi.MACSTATS_EMU_GENL_NAME)
        here.others.append(family)
        request = EMU_PORT.encode(ifindex=port.ifindex)
        return lambda: family.do(uapi.MACSTATS_EMU_CMD_POLL, request)
    return {'a register dump': lambda: [value for _, value in here.links.registers(port.name)[1]],
            'a namespace move': lambda: here.links.move(port.ifindex, there.namespace)}[action]


def unplug(port, there):
    """Unplugs a port that may be moving: on its way, it is in neither namespace. Its ifindex is
    free where it goes."""
    request = EMU_PORT.encode(ifindex=port.ifindex, fault=uapi.MACSTATS_FAULT_UNPLUG)

    def done():
        for where in port.place, there:
            try:
                where.emu.do(uapi.MACSTATS_EMU_CMD_FAULT, request)
                return True
            except Rejected as rejected:
                expect_equal(rejected.errno, errno.ENODEV, rejected)
        return False
    wait_for(done, f'{port.name}, to unplug it')


def check_result(action, result, whole, title):
    """Returns whether the result shows an unplug in the middle."""
    if action == 'a register dump':
        first = result.index(ALL_ONES) if ALL_ONES in result else len(result)
        expect_equal(result[:first], whole[:first], f'{title}: what was read before')
        expect_equal(set(result[first:]) - {ALL_ONES}, set(), f'{title}: from there on')
        return 0 < first < len(result)
    return True


def try_moment(here, there, listeners, row, part, whole_seconds, seconds):
    """(was it in the middle, is a loss reported) of an unplug after so much of the action."""
    action, model, _, state, frames, after, events, logged = row
    title, counter = f'{action} {model} {part}/{MOMENTS}', COUNTERS[model]
    show = part == MOMENT_TO_SHOW
    for listener in listeners:
        listener.events()
    port, log = here.add(model), KernelLog()
    port.inject(count=BEFORE)
    expect_equal(port.totals()[counter], BEFORE, f'{title}: before')
    totals = port.totals()
    port.inject(count=MORE)
    whole = [value for _, value in here.links.registers(port.name)[1]]
    thread = Action(function_of(action, port, here, there))
    port.fault('slow_bus', argument=USECS.get((action, model), MOVE_USECS))
    with reader_wait(WAIT_MS):
        thread.start()
        time.sleep(whole_seconds * part / MOMENTS)
        running = thread.is_alive()
        unplug(port, there)
        running = running and thread.is_alive()
        result = thread.end()
    seconds.append(thread.seconds)
    if action == 'a namespace move':
        port = port_in(there, port)
    port.fault('slow_bus', False)
    middle = check_result(action, result, whole, title) and running

    expect_seen(port, counter, state, frames, title, show)
    port.fault('unplug', False)
    wait_for(lambda: 'stale' not in (port.stats() and port.state()), f'{title}: recovery')
    seen = port.state()
    lost = 'possible_loss' in seen
    expect(not lost or 'possible loss' in after, f'{title}: a loss')
    frames = f'{BEFORE} or {BEFORE + MORE}' if lost else str(BEFORE + MORE)
    shown = expect_seen(port, counter, 'good', frames, f'{title}: after', show)
    every = {name: (total, total // BEFORE * (BEFORE + MORE)) for name, total in totals.items()}
    for name, total in port.totals().items():
        expect(every[name][0] <= total <= every[name][1], f'{title}: {name}: {total}')
        expect(lost or total == every[name][1], f'{title}: {name}: {total}, and no loss')
    expect_equal(seen['discontinuities'], 0, f'{title}: discontinuities')
    if show:
        expect_equal((shown['discontinuities'], shown['possible_loss']), (0, lost), title)
    heard = [event['event'] for listener in listeners for _, event in listener.events()
             if 'event' in event]
    expected = set(events.split('; ')[0].split(', ')) | ({'possible_loss'} if lost else set())
    expect_equal(set(names_of(heard)), expected, f'{title}: events')
    lines = [line for line in log.lines() if port.name in line and 'statistics' in line]
    text, unless, _ = logged.partition(', unless ')
    expect(unless or any(text in line for line in lines), f'{title}: kernel log {lines}')
    port.delete()
    return middle, lost


def port_in(there, port):
    """A moved port, as seen from its new namespace."""
    state, = there.ports()
    return Port(there, state['ifindex'], port.device, port.home)


def time_of(here, there, action, model):
    """Duration of the whole action on the slow bus, without an unplug."""
    port = here.add(model)
    port.inject(count=MORE)
    function = function_of(action, port, here, there)
    port.fault('slow_bus', argument=USECS.get((action, model), MOVE_USECS))
    thread = Action(function)
    with reader_wait(WAIT_MS):
        thread.start()
        thread.end()
    port.delete()
    return thread.seconds


def check_row(here, row):
    action, model, *_ = row
    there, deadline = place(), Deadline()
    listeners = [here.listen(), there.listen()]
    whole = min(time_of(here, place(), action, model) for _ in range(3))
    parts = list(range(MOMENTS))
    for number in itertools.count(1):  # a loaded machine may be late in all of a round
        middles, losses, seconds = 0, 0, []
        for part in parts:
            middle, lost = try_moment(here, there, listeners, row, part, whole, seconds)
            middles, losses = middles + middle, losses + lost
        median = statistics.median(seconds)
        print(f'# {action} of {model}: {whole * 1000:.0f} ms, with an unplug '
              f'{median * 1000:.0f} ms, {middles} of {len(parts)} in the middle, {losses} losses')
        # A poll does not have RTNL.
        quick = action == 'a poll' or median < LIMIT_SECONDS * SLOW
        if middles and quick and (losses or 'less' not in row[5]):
            break
        if number == ROUNDS and not middles and action == 'a namespace move' and \
                os.environ.get('KERNEL') == 'user-mode':
            raise Skip('a move is seldom interrupted on one CPU without preemption')
        expect(deadline.left() > 0, 'no round in which an unplug comes in the middle, between a '
               'read that clears and the end of the poll, and calls take 50 ms')


def make_case(row):
    @with_first_place
    def run(here):
        check_row(here, row)
    run.__name__ = '_'.join(f'unplug_in_the_middle_of {row[0]} {row[1]}'.split())
    return case(run)


for each in table('| a '):
    make_case(each)


@case
def the_table_has_each_action():
    expect_equal({row[0] for row in table('| a ')},
                 {'a poll', 'a register dump', 'a namespace move'}, 'actions')
    expect_equal({row[1] for row in table('| a poll')}, set(COUNTERS), 'models of a poll')


if __name__ == '__main__':
    main()
