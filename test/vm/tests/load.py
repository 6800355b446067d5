#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Ports of all models count under load what was sent, and no reader sees a total go back: four
threads send real frames and inject others while seven read, the ports are polled, and the poll
intervals change. Once more with real-time priorities: a thread preempts others in the middle of what
they count or read, and no lower one gets this CPU before it has ended.

MACSTATS_LOAD_FRAMES sets the number of real frames; nine times as many are injected.
MACSTATS_SEED repeats a run.

    ./dev vm --timeout 7200 env MACSTATS_LOAD_FRAMES=10000000 test/vm/tests/load.py"""

# timeout: 9000

import contextlib
import json
import os
import pathlib
import subprocess

import cli
import effort
from ports import Port, bring_up, case_in_place, reader_wait
from shapes import ADDRESSES, FACTS, SHAPES, expected
from tap import expect, expect_equal, main

PROGRAM = pathlib.Path(cli.MACSTATS).parents[2] / 'test/load/port-load'
REAL = effort.count('MACSTATS_LOAD_FRAMES', 50_000, 200_000, 10_000_000, checked=1_000_000)
INJECTED = 9 * REAL
SEED = effort.seed()
POLL_PRIORITY = 45      # between those of port-load


def linked_ports(here, model):
    """All ports of two devices of a model, each behind the one that it is linked to."""
    ends = []
    for _ in range(2):
        first = here.add(model, quiet=False)
        device, = [each for each in here.devices() if each['id'] == first.device]
        ends.append([Port(here, ifindex, first.device) for ifindex in device['port']])
    for left, right in zip(*ends):
        left.link(right)
        bring_up(left, right)
    return [port for both in zip(*ends) for port in both]


def prioritise_workers():
    """The workers that poll are among the threads with priorities."""
    for comm in pathlib.Path('/proc').glob('[0-9]*/comm'):
        with contextlib.suppress(OSError):  # it has ended
            if comm.read_text().startswith('kworker/u'):
                os.sched_setscheduler(int(comm.parent.name), os.SCHED_FIFO,
                                      os.sched_param(POLL_PRIORITY))


def check_load(here, *options):
    print(f'# seed {SEED}, {REAL} real frames, {INJECTED} injected', flush=True)
    facts_of = {}
    for model, facts in here.with_facts(FACTS):
        facts_of.update((port, facts) for port in linked_ports(here, model))
    # A reader that is served older totals could not tell when a counter wraps.
    with here.inside(), reader_wait(10_000):
        frames = [word for length, destination in SHAPES
                  for word in ('--frame', f'{length}:{destination}:{ADDRESSES[destination]}')]
        # It may take hours.
        done = subprocess.run(
            [str(word) for word in (PROGRAM, *frames, '--real', REAL, '--injected', INJECTED,
                                    '--seed', SEED, *options, *(port.name for port in facts_of))],
            capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f'{done.stdout}\n{done.stderr}')
        result = json.loads(done.stdout)
        frames = result.pop('frames')
        print(f'# {result}')
        sent = sum(sum(each['tx']) + sum(each['rx']) for each in frames.values())
        expect_equal(sent, 2 * REAL + INJECTED, 'frames that port-load counts')
        for port, facts in facts_of.items():
            expect_equal(port.totals(), expected(port, facts, frames[port.name]),
                         f'{port.model}: {port.name}')
            state = port.state()
            expect_equal((state['discontinuities'], 'stale' in state, 'possible_loss' in state,
                          state.get('saturated', [])), (0, False, False, []), port.name)
    # On one CPU, threads of a low priority do little.
    least = 1 if options else 10
    for what in ('reads', 'dumps', 'rtnl_reads', 'changes'):
        expect(result[what] >= least, f'{what}: {result[what]}')


@case_in_place
def every_total_is_what_was_sent_and_none_goes_back(here):
    check_load(here)


@case_in_place
def neither_is_lost_where_threads_and_poll_workers_have_real_time_priorities(here):
    prioritise_workers()
    check_load(here, '--priorities')


main()
