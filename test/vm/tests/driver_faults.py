#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Faults that involve the driver of an emulated port: requests are checked, a suspended
port carries no frames, a slow bus is slow, and a port can be deleted during any fault."""

import errno
import os
import pathlib
import socket
import subprocess
import time

import uapi
from genl import Rejected
from modules import insmod
from netdev import Namespace
from ports import (PLATFORM, RX_CONFIG, TX_CONFIG, Place, Port, all_models, case_in_place,
                   devices_on_bus, expect_rejected)
from tap import SLOW, Failure, expect, expect_equal, main, wait_for

DRIVER = PLATFORM / 'drivers/macstats_emu'
FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(86)
ARGUMENTS = {'slow_bus': 500, 'bus_error_at': 0}


def number(name):
    return uapi.number('MACSTATS_FAULT_', name)


def faults_of(port):
    """The faults that its model supports: it does not reject their end."""
    def rejection(name):
        try:
            port.fault(name, active=False)
        except Rejected as rejected:
            return rejected.text
        return ''
    names = [name.removeprefix('MACSTATS_FAULT_').lower() for name in uapi.NUMBERS
             if name.startswith('MACSTATS_FAULT_') and not name.endswith('_ALL')]
    return [name for name in names if not rejection(name).startswith('PORT_FAULT')]


def begin(port, name):
    argument = ARGUMENTS.get(name)
    port.fault(name, **({} if argument is None else {'argument': argument}))


def expect_rejected_fault(port, error, attribute, **values):
    expect_rejected(values, lambda: port.control(uapi.MACSTATS_EMU_CMD_FAULT, **values), error,
                    attribute)


@case_in_place
def an_inconsistent_fault_request_is_rejected_with_its_attribute(here):
    port = here.add(held=True, quiet=False)
    words = 2 * 58  # of 64-bit counters, each of two words
    slow, at = number('slow_bus'), number('bus_error_at')
    clock, reset, bus = number('clock_stopped'), number('reset'), number('bus_error')
    for error, attribute, values in (
            (errno.EINVAL, 'PORT_FAULT', {}),
            (errno.EINVAL, 'PORT_FAULT', {'fault': 0}),
            (errno.EINVAL, 'PORT_FAULT', {'fault': 1 << 31}),
            (errno.EINVAL, 'PORT_FAULT', {'fault': number('gate_closes')}),
            (errno.EINVAL, 'PORT_FAULT', {'fault': slow | at, 'argument': 5}),
            (errno.ERANGE, 'PORT_ACTIVE', {'fault': bus, 'active': 2}),
            (errno.EINVAL, 'PORT_ACTIVE', {'fault': reset, 'active': 0}),
            (errno.EINVAL, 'PORT_ARGUMENT', {'fault': slow}),
            (errno.ERANGE, 'PORT_ARGUMENT', {'fault': slow, 'argument': 0}),
            (errno.ERANGE, 'PORT_ARGUMENT', {'fault': slow, 'argument': 10001}),
            (errno.EINVAL, 'PORT_ARGUMENT', {'fault': slow, 'argument': 5, 'active': 0}),
            (errno.EINVAL, 'PORT_ARGUMENT', {'fault': at}),
            (errno.ERANGE, 'PORT_ARGUMENT', {'fault': at, 'argument': words}),
            (errno.EINVAL, 'PORT_ARGUMENT', {'fault': bus, 'argument': 1}),
            (errno.EINVAL, 'PORT_ANNOUNCED', {'fault': bus, 'announced': True}),
            (errno.EINVAL, 'PORT_ANNOUNCED', {'fault': bus | reset, 'announced': True}),
            (errno.EINVAL, 'PORT_DURING_READ', {'fault': bus, 'during_read': True})):
        expect_rejected_fault(port, error, attribute, **values)
    clocked = here.add('ll40g_agilex5', held=True, quiet=False)
    expect_rejected_fault(clocked, errno.EINVAL, 'PORT_DURING_READ', fault=clock, during_read=True,
                    active=0)
    expect_rejected_fault(clocked, errno.EINVAL, 'PORT_DURING_READ', fault=clock | bus,
                    during_read=True)
    port.inject(count=3)
    port.poll()
    expect('stale' not in port.state(), 'a rejected fault has begun')
    for values in ({'fault': slow, 'argument': 1}, {'fault': slow, 'argument': 10000},
                   {'fault': slow, 'active': 0}, {'fault': at, 'argument': 0},
                   {'fault': at, 'argument': words - 1}, {'fault': at, 'active': 0}):
        port.control(uapi.MACSTATS_EMU_CMD_FAULT, **values)


@case_in_place
def a_suspended_port_carries_no_frames_and_keeps_its_totals(here):
    left, right = here.pair()
    right.inject(count=1000)
    left.send(FRAME, 7)
    wait_for(lambda: right.totals()['rx_st'] == 1007, 'frames before')
    right.inject(count=5)  # counted by the last read
    right.fault('suspend')
    expect('suspended' in right.state()['stale_reason'], right.state())
    expect_equal(right.totals()['rx_st'], 1012, 'total while it is suspended')
    expect(not left.carrier() and not right.carrier(), 'a carrier')
    expect_equal(right.peek(RX_CONFIG), 0xffffffff, 'a register without power')
    expect_equal({value for _, value in here.links.registers(right.name)[1]}, {0xffffffff},
                 'a register dump')
    right.inject(count=9)
    expect_equal(right.ethtool().totals()['rx_st'], 1012, 'ethtool')
    right.fault('suspend', False)
    expect('stale' not in right.state(), right.state())
    expect_equal((right.totals()['rx_st'], right.state()['discontinuities']), (1012, 0), 'after')
    wait_for(left.running, 'the peer can send')
    wait_for(right.running, 'it can send')
    left.send(FRAME, 11)
    wait_for(lambda: right.totals()['rx_st'] == 1023, 'frames after')


@case_in_place
def each_access_of_a_slow_bus_takes_its_time(here):
    port = here.add(held=True, quiet=False)
    for usecs in 1000, 10000:
        port.fault('slow_bus', argument=usecs)
        for access in (lambda: port.peek(TX_CONFIG), lambda: port.poke(TX_CONFIG, 0)):
            started = time.monotonic()
            access()
            taken = time.monotonic() - started
            expect(taken >= usecs / 1e6, f'{taken} s instead of {usecs} us')
    port.fault('slow_bus', False)
    port.inject(count=3)
    port.poll()
    expect_equal(port.totals()['rx_st'], 3, 'frames')


@case_in_place
def a_port_is_deleted_during_each_fault(here):
    for model in all_models():
        probe = here.add(model, quiet=False)
        names = faults_of(probe)
        probe.delete()
        expect({'reset', 'unplug', 'suspend', 'slow_bus'} <= set(names), names)
        for name in names:
            port = here.add(model, quiet=False)
            port.inject(count=2)
            begin(port, name)
            port.poll()
            port.delete()
    expect_equal(here.devices(), [], 'devices')


@case_in_place
def a_driver_is_unbound_and_bound_during_each_lasting_fault(here):
    for name in 'unplug', 'suspend', 'bus_error', 'slow_bus', 'clock_stopped':
        port = here.add('ll40g_agilex5', quiet=False)
        begin(port, name)
        device, = devices_on_bus()
        (DRIVER / 'unbind').write_text(device)
        try:
            (DRIVER / 'bind').write_text(device)
        except OSError:  # a driver cannot bind without registers
            expect(name in ('unplug', 'suspend', 'bus_error', 'clock_stopped'), name)
        port.delete()
    expect_equal(here.devices(), [], 'devices')


@case_in_place
def the_end_of_a_net_device_leaves_the_bus_of_the_others_slow(here):
    # With a port of its own, and on the same port.
    for model, netdevs, address in ('ixf1104', 1, 0xf), ('cpsw', 2, 0x4a100000):
        doomed, after = Place(Namespace()), Place(Namespace())
        after.add(held=True, quiet=False)
        port = here.add(model, held=True, quiet=False, netdevs=netdevs)
        Port(here, here.devices()[0]['port'][1], port.device).move(doomed)
        port.fault('slow_bus', argument=10000)
        # Namespaces end in this order.
        doomed.close()
        after.close()
        wait_for(lambda: len(devices_on_bus()) == 1, 'the end of the namespaces')
        time.sleep(0.2 * SLOW)
        started = time.monotonic()
        port.peek(address)
        taken = time.monotonic() - started
        expect(taken >= 0.01, f'{model}: {taken} s instead of 10 ms')
        port.delete()


@case_in_place
def a_bind_that_fails_at_a_later_port_leaves_none_of_the_device(here):
    here.add('ixf1104', quiet=False)
    ports = [Port(here, ifindex, here.devices()[0]['id']) for ifindex in here.devices()[0]['port']]
    ports[2].fault('bus_error')
    device, = devices_on_bus()
    (DRIVER / 'unbind').write_text(device)
    for _ in range(2):
        try:
            (DRIVER / 'bind').write_text(device)
        except OSError as error:
            expect_equal(error.errno, errno.EIO, 'error')
        else:
            raise Failure('it is bound')
        with here.inside():
            names = [name for _, name in socket.if_nameindex()]
        expect_equal((here.ports(), names), ([], ['lo']), 'ports, net devices')
    ports[0].delete()
    expect_equal(here.devices(), [], 'devices')


@case_in_place
def a_new_device_has_its_ports_also_with_async_probe(here):
    module = pathlib.Path(os.environ['KMOD_DIR'], 'kmod/emulator/macstats_emu.ko')
    here.close(namespace=False)
    subprocess.run(['rmmod', 'macstats_emu'], check=True)
    try:
        insmod(module, 'async_probe=1')
        with here.inside():
            here.__init__(here.namespace)
        for _ in range(5):
            port = here.add('ixf1104', quiet=False)
            expect_equal(len(here.ports()), 4, 'ports')
            port.delete()
    finally:
        subprocess.run(['rmmod', 'macstats_emu'], check=True)
        insmod(module)
        here.__init__(here.namespace)


main()
