#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A dump reports the ports of one network namespace. Changes in other namespaces neither
interrupt nor delay it; changes in its own namespace interrupt it."""

import struct
import threading
import time

import uapi
from genl import NLM_F_DUMP, NLM_F_DUMP_INTR, NLMSG_DONE, STATS, Family, Interrupted
from ports import LONGEST_WAIT_MS, case_in_place, place, reader_wait
from tap import expect, expect_equal, main
from users import Child

DEVICES = 10  # of four ports each


def add_ports(here):
    """Many ports, whose dump has several parts."""
    ports = [here.add('ixf1104', quiet=False) for _ in range(DEVICES)]
    expect_equal(len(here.ports()), 4 * DEVICES, 'ports')
    return ports


def dump_while(here, happens):
    """(ports, was the dump interrupted) of a dump behind whose first part something happens."""
    with here.inside():
        family = Family(uapi.MACSTATS_GENL_NAME, largest=4096)
    family.socket.send(family.id, NLM_F_DUMP,
                       struct.pack('=BBH', uapi.MACSTATS_CMD_STATS_GET, 1, 0) +
                       STATS.encode(cached=True))
    ports, interrupted, parts, done = [], False, 0, False
    while not done:
        for kind, flags, _, data in family.socket.receive():
            interrupted = interrupted or bool(flags & NLM_F_DUMP_INTR)
            done = kind == NLMSG_DONE
            if kind == family.id:
                ports.append(STATS.decode(data[4:]))
        parts += 1
        if parts == 1:  # the kernel has made the second one by now
            happens()
    family.close()
    expect(parts > 2, f'{parts} parts')
    return ports, interrupted


@case_in_place
def changes_in_another_namespace_do_not_interrupt_a_dump(here):
    add_ports(here)
    there = place()

    def change():
        port = there.add('ixf1104', quiet=False)
        there.links.rename(port.ifindex, 'other')
        port.delete()
    ports, interrupted = dump_while(here, change)
    expect_equal((len(ports), interrupted), (4 * DEVICES, False), 'ports, interrupted')
    expect_equal(dump_while(here, lambda: None)[1], False, 'nothing happens')


@case_in_place
def changes_in_the_same_namespace_interrupt_a_dump(here):
    ports = add_ports(here)
    last = ports.pop()
    for what, change in (
            ('a port came', lambda: here.add('cpsw', quiet=False)),
            ('a port went', last.delete),
            ('a port got another name', lambda: here.links.rename(ports[0].ifindex, 'renamed'))):
        expect_equal(dump_while(here, change)[1], True, what)


@case_in_place
def a_moved_port_interrupts_dumps_in_both_namespaces(here):
    there = place()
    ports, others = add_ports(here), add_ports(there)
    here.links.rename(ports[1].ifindex, 'one')
    there.links.rename(others[1].ifindex, 'two')
    port, = [state for state in here.ports() if state['name'] == 'one']
    other, = [state for state in there.ports() if state['name'] == 'two']
    expect_equal(dump_while(here, lambda: here.links.move(port['ifindex'], there.namespace))[1],
                 True, 'where it was')
    expect_equal(dump_while(here, lambda: there.links.move(other['ifindex'], here.namespace))[1],
                 True, 'where another one comes')
    expect_equal((len(here.ports()), len(there.ports())), (4 * DEVICES, 4 * DEVICES), 'ports')


@case_in_place
def a_name_is_never_torn(here):
    port = here.add()
    names = {'a' * 15, 'bbb'}
    here.links.rename(port.ifindex, 'bbb')
    child = Child(lambda: [here.links.rename(port.ifindex, name) for name in names])
    seen = set()
    try:
        for _ in range(500):
            try:
                seen.update(state['name'] for state in here.ports())
            except Interrupted:
                pass
            seen.add(port.state()['name'])
    finally:
        child.stop()
    expect_equal(seen, names, 'names')
    here.links.rename(port.ifindex, 'final')
    expect_equal(port.state()['name'], 'final', 'the name at last')


@case_in_place
def a_slow_port_does_not_delay_dumps_of_another_namespace(here):
    there = place()
    port, other = here.add(), there.add()
    other.inject(count=3)
    port.fault('slow_bus', argument=10000)    # us for each of more than 100 words
    thread = threading.Thread(target=here.stats)
    with reader_wait(LONGEST_WAIT_MS):
        thread.start()
        time.sleep(0.1)
        stats, = there.stats()
        waits = thread.is_alive()
        thread.join()
    expect(waits, 'the dump of the slow port ended first')
    expect(3 in stats['values'], 'the other dump is fresh')
    port.fault('slow_bus', False)


main()
