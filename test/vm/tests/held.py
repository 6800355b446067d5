#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tools for tests: a held device is read only on request, an advance moves the time of the
last poll, a preset changes one counter, and an owned device is deleted with its socket."""

# long

import errno
import os
import pathlib
import re
import signal
import subprocess
import time

import cli
import uapi
from genl import DEVICE, Family
from netdev import CLONE_NEWNET, syscall
from ports import (Place, Port, all_models, case_in_place, devices_on_bus, expect_rejected,
                   place)
from tap import case, expect, expect_equal, main, wait_for

MILLISECOND, SECOND = 1_000_000, 1_000_000_000
LONGEST = (1 << 63) - 1
MODULES = pathlib.Path('/sys/module')


def rows(port):
    """The counters of a port that are registers, by name."""
    return {row['name']: row for row in port.registers()}


def direct(port, model):
    """Those whose address shows them at once: neither a window nor a copy in memory."""
    description = cli.macstats_json('model', model)
    behind = {block['name'] for block in description['blocks'] if block['window'] or block['dump']}
    names = {counter['name'] for counter in description['counters']
             if counter['block'] not in behind}
    return {name: row for name, row in rows(port).items() if name in names}


def inject_some(port):
    port.inject(count=7, length=100)
    port.inject(count=3, direction='tx', length=1000)
    port.inject(count=2, length=300, destination='broadcast')


def seen(port):
    """All that users read of a port, without the times of the reads."""
    with port.place.inside():
        link = cli.json_output('ip', '-j', '-s', 'link', 'show', port.name)
        return (cli.ethtool_statistics(port.name), link[0]['stats64'],
                cli.output('ethtool', '-S', port.name, '--groups', 'eth-mac', 'eth-ctrl', 'rmon'),
                cli.output('ethtool', '-I', '-a', port.name), port.stats(), port.state(),
                [stats for stats in port.place.stats() if stats['ifindex'] == port.ifindex])


# Held

@case_in_place
def a_held_port_of_each_model_is_read_only_by_a_poll(here):
    for model in all_models():
        port = here.add(model=model, held=True, quiet=False)
        port.set_poll_interval(1000)
        before = seen(port)
        registers = {name: row['offset'] for name, row in direct(port, model).items()
                     if row['onread'] == uapi.MACSTATS_ONREAD_NONE}
        inject_some(port)
        held = {name: port.peek(address) for name, address in registers.items()}
        time.sleep(0.05)  # many poll intervals
        after = seen(port)
        expect_equal(after, before, f'{model}: what is seen before a poll')
        expect_equal({name: port.peek(address) for name, address in registers.items()}, held,
                     f'{model}: registers')
        port.poll()
        stats = port.stats()
        expect_equal(stats['generation'], before[4]['generation'] + 1, f'{model}: good polls')
        with here.inside():
            strings = cli.ethtool_statistics(port.name)
        totals = port.totals(cached=True)
        expect_equal(strings, totals, model)
        expect(any(totals.values()), f'{model}: a poll that reads nothing')
        port.delete()


@case_in_place
def a_failed_poll_makes_the_port_stale_and_is_no_error(here):
    port = here.add(held=True, quiet=False)
    inject_some(port)
    port.fault('bus_error')
    expect('stale' not in port.state(), 'it is stale before it is read')
    port.poll()
    expect('stale' in port.state(), 'it is not stale')
    expect_equal(set(port.totals().values()), {0}, 'totals')
    port.fault('bus_error', False)
    expect('stale' in port.state(), 'it has recovered before it is read')
    port.poll()
    expect('stale' not in port.state(), 'it is stale')
    expect_equal(port.totals()['rx_st'], 9, 'frames')


@case_in_place
def the_self_test_of_a_held_port_fails_without_a_read(here):
    port = here.add(held=True, quiet=False)
    inject_some(port)
    before = port.stats()
    with here.inside():
        done = cli.run('ethtool', '-t', port.name)
    expect(done.returncode != 0 and re.search(r'^counters \(online\)\s+1$', done.stdout,
                                              re.MULTILINE), done.stdout)
    expect_equal(port.stats(), before, 'statistics')


@case_in_place
def devices_report_how_they_were_made(here):
    for given, bound in (({}, 1), ({'held': True}, 0), ({'owned': True}, 1),
                         ({'held': True, 'owned': True}, 0), ({'line_rate_bound': 0}, 0),
                         ({'held': True, 'line_rate_bound': 1}, 1)):
        port = here.add(quiet=False, **given)
        device, = here.devices()
        expect_equal({name: device[name] for name in ('held', 'owned', 'line_rate_bound')
                      if name in device}, given | {'line_rate_bound': bound}, 'device')
        port.delete()
    expect_rejected(2, lambda: here.add(line_rate_bound=2, quiet=False), errno.ERANGE,
                    'DEVICE_LINE_RATE_BOUND')


# Time

@case_in_place
def an_advance_changes_only_the_time_of_the_last_poll(here):
    port = here.add(held=True, quiet=False)
    inject_some(port)
    port.poll()
    state, stats = port.state(), port.stats()
    moved = 5 * MILLISECOND
    port.advance(moved)
    port.advance(0)
    expect_equal(port.state(), {**state, 'poll_time': state['poll_time'] - moved}, 'state')
    expect_equal(port.stats(), {**stats, 'time': stats['time'] - moved}, 'statistics')
    port.advance(LONGEST)
    port.advance(LONGEST)
    expect_equal(port.state(), {**state, 'poll_time': 0}, 'state at the beginning of time')
    port.poll()
    expect(port.state()['poll_time'] > state['poll_time'], 'the time of a new poll')


@case_in_place
def an_advance_beyond_the_wrap_time_is_a_possible_loss_and_a_shorter_one_is_not(here):
    for model in all_models():
        port = here.add(model=model, held=True, quiet=False)
        # The ceiling of the poll interval is half of the wrap time.
        wrap = 2 * 1000 * port.state()['poll_ceiling_usecs']
        if wrap < 10 * SECOND:
            continue  # the time of the test would count
        # A counter that saturates shows it: it needs no clock.
        wraps = any(row['bits'] < 64 and row['overflow'] == uapi.MACSTATS_ROLLOVER
                    for row in rows(port).values())
        port.poll()
        port.advance(wrap - 5 * SECOND)
        port.poll()
        expect('possible_loss' not in port.state(), f'{model}: too early')
        port.advance(wrap // 2)
        port.advance(wrap - wrap // 2 + 2000)
        port.poll()
        expect_equal('possible_loss' in port.state(), wraps, f'{model}: possible loss')
        port.advance(LONGEST)
        port.advance(LONGEST)
        port.advance(LONGEST)  # more than fits into 64 bits
        listener = here.listen()
        port.poll()
        expect_equal([event['event'] for _, event in listener.events()],
                     [uapi.MACSTATS_EVENT_POSSIBLE_LOSS] * wraps, f'{model}: events')
        port.delete()


# Presets

@case_in_place
def a_preset_changes_only_its_counter_for_each_counter_of_each_model(here):
    for model in all_models():
        port, twin = here.add(model=model), here.add(model=model)
        registers = list(direct(port, model).items())
        for number, (name, row) in enumerate(registers):
            for end in port, twin:
                inject_some(end)
            value = (1 << row['bits'] - 2) + number
            port.expect_polls(0, lambda: port.preset(name, value))  # noqa: B023
            if row['onread'] == uapi.MACSTATS_ONREAD_NONE:  # a peek clears the others
                expect_equal(port.peek(row['offset']), value & 0xffffffff,
                             f'{model} {name}: the register')
            # A peek may clear octets, without which their frames would be taken for damage.
            for end in port, twin:
                end.stats()
            for other, beside in registers[number + 1:number + 2]:
                expect_equal(port.peek(beside['offset']), twin.peek(beside['offset']),
                             f'{model} {name}: {other}')
            expect_equal(port.totals(), twin.totals(), f'{model} {name}: totals')
        expect_equal(port.state()['discontinuities'], 0, f'{model}: discontinuities')
        port.delete()
        twin.delete()


@case_in_place
def an_unreadable_port_can_be_preset(here):
    port = here.add(model='rc32438', held=True, quiet=False)
    name, row = next(iter(rows(port).items()))
    port.inject(count=4, length=100)
    port.fault('clock_stopped')
    port.poll()
    expect('stale' in port.state(), 'it is not stale')
    port.preset(name, 1000)
    port.fault('clock_stopped', False)
    port.inject(count=2, length=100)
    port.poll()
    twin = here.add(model='rc32438')
    twin.inject(count=6, length=100)
    expect_equal(port.totals()[name], twin.totals()[name], f'{name} ({row["register"]})')


# Owners

def add_owned(family, **details):
    reply, = family.do(uapi.MACSTATS_EMU_CMD_DEVICE_NEW, DEVICE.encode(
        model='ll40g', owned=True, **details))
    return DEVICE.decode(reply)


def own_family(here):
    with here.inside():
        return Family(uapi.MACSTATS_EMU_GENL_NAME)


def ids(here):
    return [device['id'] for device in here.devices()]


@case_in_place
def closing_a_socket_deletes_exactly_its_owned_devices(here):
    free = here.add()
    owner, other = own_family(here), own_family(here)
    mine = [add_owned(owner) for _ in range(3)]
    yours = add_owned(other)
    free.link(Port(here, mine[1]['port'][0], mine[1]['id']))
    there = place()
    elsewhere = own_family(there)
    add_owned(elsewhere)
    expect_equal(ids(here), sorted([free.device, yours['id'], *(one['id'] for one in mine)]),
                 'devices')
    own_family(here).close()  # a socket without devices
    owner.close()
    wait_for(lambda: ids(here) == sorted([free.device, yours['id']]), 'the end of the owned ones')
    expect_equal(len(ids(there)), 1, 'devices in another namespace')
    here.emu.do(uapi.MACSTATS_EMU_CMD_DEVICE_DEL, DEVICE.encode(id=yours['id']))
    other.close()
    elsewhere.close()
    wait_for(lambda: not ids(there), 'the end of the owned one elsewhere')
    expect_equal(ids(here), [free.device], 'devices')


@case_in_place
def killing_a_process_deletes_its_devices_also_during_a_request(here):
    free = here.add()
    for delay in (0, 1, 2, 5, 10, 20):
        with here.inside():
            pid = os.fork()
            if pid == 0:
                family = Family(uapi.MACSTATS_EMU_GENL_NAME)
                while True:
                    add_owned(family)
        wait_for(lambda: len(ids(here)) > 1, 'its first device')
        time.sleep(delay / 1000)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        wait_for(lambda: ids(here) == [free.device], f'the end of its devices, {ids(here)}')


@case_in_place
def owned_devices_are_deleted_with_their_namespace_and_their_socket_at_once(here):
    before = devices_on_bus()
    for _ in range(15):
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            syscall('unshare', CLONE_NEWNET)
            inside = Place()
            for _ in range(3):
                add_owned(inside.emu)
            os.write(writer, b'.')
            signal.pause()
        os.read(reader, 1)
        os.close(reader)
        os.close(writer)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    wait_for(lambda: devices_on_bus() == before, f'the end of {devices_on_bus()}')
    expect_equal(ids(here), [], 'devices')


@case_in_place
def an_owned_device_with_moved_ports_is_deleted_with_its_socket(here):
    there = place()
    owner = own_family(here)
    device = add_owned(owner)
    here.links.move(device['port'][0], there.namespace)
    expect_equal((ids(here), ids(there)), ([device['id']], []), 'devices')
    expect_equal(len(there.ports()), 1, 'ports that have moved')
    owner.close()
    wait_for(lambda: not ids(here) and not there.ports(), 'the end of the device')


# The last case, as the others need the module.
@case
def the_module_is_unloaded_during_the_deletion_of_owned_devices():
    for _ in range(3):
        owners = [Family(uapi.MACSTATS_EMU_GENL_NAME) for _ in range(4)]
        for owner in owners:
            add_owned(owner)
            add_owned(owner)
        for owner in owners[1:]:
            owner.close()
        subprocess.run(['rmmod', 'macstats_emu'], check=True)
        owners[0].close()
        expect_equal(devices_on_bus(), [], 'devices')
        subprocess.run(['insmod', f'{os.environ["KMOD_DIR"]}/kmod/emulator/macstats_emu.ko'],
                       check=True)
        expect((MODULES / 'macstats_emu').is_dir(), 'the module is not there')


main()
