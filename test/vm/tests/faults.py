#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A snapshot that is never granted or late, and a failing bus, block no caller. The port is
stale and keeps its totals; afterwards the totals are exact."""

import time

import driver
import uapi
from ports import (PAUSED, RX_STATUS, SHADOW_REQUEST, TX_CONFIG, TX_STATUS, UNLIMITED, KernelLog,
                   Port, bring_up, case_in_first_place, case_in_place, devices_on_bus)
from tap import SLOW, expect, expect_equal, main, wait_for

# Longest duration of a read during a fault. Only one of several reads must meet it, as an
# emulated machine is slow and has other work.
LIMIT_SECONDS = 0.05 * SLOW
# The kernel's default limit of a message: so many lines in so many seconds.
BURST, BURST_SECONDS = 10, 5


def seconds(function):
    started = time.monotonic()
    function()
    return time.monotonic() - started


@case_in_first_place
def a_port_that_stays_unreadable_after_a_suspend_is_reported(here):
    """The suspend itself is no fault, and has no line in the log."""
    reason = 'the registers cannot be reached'
    log, port = KernelLog(), here.add('e1000')
    listener = here.listen()
    port.inject(count=5, length=500)
    port.fault('suspend')
    port.fault('bus_error')
    expect_equal(log.lines(), [], 'kernel log of the suspend')
    port.fault('suspend', False)
    wait_for(lambda: port.state().get('stale_reason') == reason, f'the reason: {port.state()}')
    port.fault('bus_error', False)
    wait_for(lambda: 'stale' not in port.stats(), 'a good poll')
    expect_equal(port.totals()['rx_good_frames'], 5, 'total')
    # Counts that came between the suspend and the failed read may be lost.
    events = [event['event'] & ~uapi.MACSTATS_EVENT_POSSIBLE_LOSS
              for _, event in listener.events(3)]
    expect_equal(events,
                 [uapi.MACSTATS_EVENT_STALE, uapi.MACSTATS_EVENT_STALE,
                  uapi.MACSTATS_EVENT_RECOVERED], 'events')
    logged = [line for line in log.lines() if port.name in line]
    expect(any(f'statistics are stale: {reason}' in line for line in logged), logged)
    expect(any('statistics can be read again' in line for line in logged), logged)
    # This one is no end of the fault.
    port.fault('suspend')
    port.fault('suspend', False)
    expect('stale' not in port.stats(), 'stale after the second suspend')
    expect_equal(log.lines(), [], 'kernel log of the second suspend')


@case_in_first_place
def a_suspend_of_the_system_lets_each_port_sleep_and_loses_nothing(here):
    log, peer = KernelLog(), here.add('ixf1104')
    first = here.add('ixf1104')
    ports = [Port(here, ifindex, first.device) for ifindex in here.devices()[-1]['port']]
    others = [Port(here, ifindex, peer.device) for ifindex in here.devices()[0]['port']]
    expect_equal(len(ports), 4, 'ports of the device')
    for port, other in zip(ports, others):
        port.poll_rarely()
        port.link(other)
        port.inject(count=5, length=500)
    bring_up(*ports, *others)
    *awake, sleeper = ports
    sleeper.fault('suspend')
    with driver.asleep(devices_on_bus()[-1]):
        for port, other in zip(ports, others):
            expect(not port.carrier() and not other.carrier(), f'{port.name} has a carrier')
            expect('stale' in port.stats(), f'{port.name} is read')
            # Nothing counts while the power is off.
            port.inject(count=3, length=500)
    for port in awake:
        wait_for(port.carrier, f'{port.name} has a carrier again')
        expect_equal(port.totals()['rx_uc_pkts'], 5, f'{port.name}: total')
        state = port.state()
        expect_equal(('stale' in state, state['discontinuities'], 'possible_loss' in state),
                     (False, 0, False), f'{port.name}: state')
    # It slept before the system did, and does so after it.
    expect('stale' in sleeper.stats() and not sleeper.carrier(), f'{sleeper.name} is awake')
    sleeper.fault('suspend', False)
    expect_equal((sleeper.totals()['rx_uc_pkts'], 'stale' in sleeper.state()), (5, False),
                 f'{sleeper.name}: total')
    expect_equal(log.lines(), [], 'kernel log')


@case_in_first_place
def a_snapshot_request_that_is_never_granted_is_withdrawn(here):
    port = here.add()
    port.fault('snapshot_stuck')
    port.totals()
    port.fault('snapshot_stuck', False)
    # On a slow machine the poll may not have ended yet.
    wait_for(lambda: not (port.peek(TX_CONFIG) & SHADOW_REQUEST or
                          port.peek(TX_STATUS) & PAUSED or port.peek(RX_STATUS) & PAUSED),
             'no request and no grants')


@case_in_first_place
def a_late_snapshot_is_awaited_and_read_exactly(here):
    log, port = KernelLog(), here.add()
    port.fault('snapshot_slow')
    reader = port.ethtool()
    for number in range(1, 51):
        port.inject(count=3, length=500)
        values = reader.totals()
        expect_equal((values['rx_st'], values['rx_octets_ok']), (3 * number, 3 * number * 482),
                     'totals')
    expect('stale' not in port.state(), port.state())
    wait_for(lambda: seconds(reader.read) < LIMIT_SECONDS, 'a quick read')
    expect_equal([line for line in log.lines() if port.name in line], [], 'kernel log')


@case_in_first_place
def the_poller_detects_a_fault_and_its_end_without_a_reader(here):
    port = here.add()
    port.inject(count=5)
    port.totals()
    port.set_poll_interval(20000)
    port.fault('snapshot_stuck')
    wait_for(lambda: 'stale' in port.state(), 'the port is stale')
    port.inject(count=4)
    port.fault('snapshot_stuck', False)
    wait_for(lambda: 'stale' not in port.state(), 'the port has recovered')
    expect_equal(port.totals(cached=True)['rx_st'], 9, 'cached total')


@case_in_first_place
def all_ports_log_within_one_limit(here):
    log, ports = KernelLog(), [here.add() for _ in range(5)]
    UNLIMITED.write_text(str(BURST_SECONDS))
    started = time.monotonic()
    for _ in range(BURST):
        for port in ports:
            for fault, active in (('bus_error', True), ('bus_error', False), ('reset', True)):
                port.fault(fault, active)
                port.stats()
    intervals = 2 + int((time.monotonic() - started) // BURST_SECONDS)
    logged = len([line for line in log.lines() if ': ' in line and 'mac' in line])
    expect(0 < logged <= BURST * intervals, f'{logged} lines in {intervals} intervals')


@case_in_place
def a_port_in_another_namespace_logs_nothing(there):
    """Nor under a name that a user there chooses."""
    log, port = KernelLog(), there.add(name='panic')
    for fault in 'bus_error', 'parity_error', 'reset':
        port.fault(fault)
        port.stats()
    expect('stale' in port.state(), 'the port is not stale')
    expect_equal([line for line in log.lines() if 'panic' in line], [], 'lines')


main()
