#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The first frames of a class may come on several processors at once, and there may be more classes
than cells: a port counts them all. What two processes inject at a port, at the same time, is twice
what one of them injects at another one."""

import itertools
import mmap
import os

import effort
from ports import Place, Port, all_models, case_in_place
from tap import expect_equal, main

ROUNDS = effort.count('MACSTATS_ROUNDS', 3, 30, 1000, checked=30)
# 72 classes without an error, and 72 with one: more than the 128 cells of a port, and than the half
# of them that frames with errors may take.
FRAMES = [{'direction': direction, 'destination': destination, 'length': length, 'errors': errors,
           'vlan_tags': tags}
          for errors, tags, length, direction, destination in itertools.product(
              ((), ('fcs',)), (0, 1), (64, 100, 200, 300, 600, 1200), ('rx', 'tx'),
              ('unicast', 'multicast', 'broadcast'))]
PROCESSES = 2


def inject_all(port, wait=lambda number: None):
    for number, frame in enumerate(FRAMES, 1):
        wait(number)
        port.inject(**frame)


def child(here, port, reached, me):
    """Injects each frame when the others do."""
    def wait(number):
        reached[me] = number
        while min(reached[:PROCESSES]) < number:
            os.sched_yield()

    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cpus[me % len(cpus)]})
    own = Place(here.namespace)
    inject_all(Port(own, port.ifindex, port.device), wait)


def inject_at_once(here, port):
    reached = mmap.mmap(-1, mmap.PAGESIZE)
    pids = []
    for me in range(PROCESSES):
        pid = os.fork()
        if not pid:
            status = 1
            try:
                child(here, port, reached, me)
                status = 0
            finally:
                reached[me] = len(FRAMES)   # nobody waits for this one any more
                os._exit(status)  # pylint: disable=protected-access
        pids.append(pid)
    for pid in pids:
        expect_equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0, 'the end of a child')


@case_in_place
def frames_that_are_the_first_of_their_class_on_two_processors_count_on_both(here):
    for model in all_models():
        alone = here.add(model)
        inject_all(alone)
        expected = {name: PROCESSES * total for name, total in alone.totals().items()}
        alone.delete()
        for _ in range(ROUNDS):
            port = here.add(model)
            inject_at_once(here, port)
            expect_equal(port.totals(), expected, model)
            port.delete()


main()
