#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree, unmodified, on emulated registers: what the bench does, and what it
rejects. driver_pages.py is about what the drivers show."""

# driver bench

from bench import bench_module, hardware, netdevs, on_bench, require_bench, shows
from cli import shown
from ports import KernelLog, case_in_first_place, rejection
from tap import expect, expect_equal, main, wait_for

require_bench()


@case_in_first_place
def atl1c_loses_with_its_link_what_nobody_has_read(here):
    """Without a link the driver reads each register twice (AT_READ_REG), and the first read clears a
    counter. It stops the MAC first: bits 1:0 of 0x1480."""
    port, twin = (hardware(here, 'alx') for _ in range(2))
    with on_bench(here, 'atl1c', port) as nic:
        for count in 5, 3:
            for each in port, twin:
                each.inject(count=count, length=64)
            if count == 3:
                nic.write(0x1600, 1 << 12)  # interrupt status: PHY
                nic.set_link(False)
                wait_for(lambda: not port.peek(0x1480) & 3, 'the driver sees that the link is lost')
            shows(nic.link, {'rx_packets': 5, 'rx_bytes': 5 * 60}, f'{count} more')
        twin.poll()
        expect_equal(shown(twin)['standard']['rtnl']['rx_packets'], 8, 'the provider')


@case_in_first_place
def a_nic_that_is_unplugged_while_it_is_up_takes_its_net_device_along(here):
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        port.delete()
        expect(nic.name not in netdevs(), f'{nic.name} is there')


@case_in_first_place
def what_does_not_fit_is_rejected_with_a_reason(here):
    gem, cabled, other = (here.add('gem') for _ in range(3))
    cabled.link(other)
    for personality, device, reason in (
            ('lan74', None, 'no personality lan74; there are:'),
            ('lan743x', gem.device, 'lan743x needs an emulated device of the model lan743x'),
            ('macb', cabled.device, 'has a cable: unlink it'),
            ('macb', 4711, 'no port 0 of an emulated device 4711'),
            ('tg3', gem.device, 'tg3: no model has its registers')):
        log = KernelLog()
        expect(bench_module().load(personality=personality,
                                   **({} if device is None else {'device': device})),
               f'{personality} is accepted')
        expect(any(reason in line for line in log.lines()), f'{personality}: {reason}')


@case_in_first_place
def a_port_on_the_bench_takes_no_cable(here):
    port, other = hardware(here, 'lan743x'), hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port):
        rejected = rejection(lambda: port.link(other))
    expect('lends its registers to another driver' in str(rejected), rejected)
    port.link(other)


@case_in_first_place
def what_nothing_answers_is_listed(here):
    """ID_REV is described; a status of interrupts that a read clears, 0x0790, is not."""
    with on_bench(here, 'lan743x') as nic:
        lines = nic.unanswered()
        expect(all(line.endswith('times: nothing answers it') for line in lines), lines)
        expect(not any('0x0000 ' in line for line in lines), lines)
        expect(any(line.startswith('driver read 0x0790 ') for line in lines), lines)
        expect(nic.trace(), 'no access is listed')


main()
