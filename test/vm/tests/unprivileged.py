#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A user without CAP_NET_ADMIN reads everything and changes nothing: each control command fails
with EPERM and an explanation. The owner of a user namespace makes and controls no device."""

import errno

import cli
import uapi
from genl import DEVICE, EMU_PORT, Rejected
from netdev import CLONE_NEWNET, CLONE_NEWUSER, syscall
from ports import Place, all_models, case_in_place, devices_on_bus
from tap import expect, expect_equal, main
from users import become_nobody, in_child

WHY = ('CAP_NET_ADMIN', 'ermission', 'rivilege')


def control_requests(port, peer):
    """Each control command, with arguments that have an effect."""
    yield 'DEVICE_NEW', DEVICE.encode(model='ll40g')
    yield 'DEVICE_DEL', DEVICE.encode(id=port.device)
    for command, values in (
            ('LINK', {'peer': peer.ifindex}), ('UNLINK', {}), ('INJECT', {'frame': {'length': 64}}),
            ('REG_READ', {'address': 0x845}), ('REG_WRITE', {'address': 0x841, 'value': 1}),
            ('PRESET', {'counter': 0, 'value': 5}), ('FAULT', {'fault': 1}), ('POLL', {}),
            ('ADVANCE', {'nsecs': 1})):
        yield command, EMU_PORT.encode(ifindex=port.ifindex, **values)


def control_command_lines(port, peer, device):
    yield 'add', 'll40g'
    yield 'delete', device
    yield 'link', port, peer
    yield 'unlink', port
    yield 'inject', port, '--length', 64
    yield 'peek', port, '0x845'
    yield 'poke', port, '0x841', 1
    yield 'preset', port, 'tx_st', 5
    yield 'fault', port, 'parity_error'


def try_all(port, peer):
    """{command: (errno, text)} of the rejections."""
    rejections = {}
    for command, payload in control_requests(port, peer):
        try:
            port.place.emu.do(uapi.number('MACSTATS_EMU_CMD_', command), payload)
            rejections[command] = None
        except Rejected as rejected:
            rejections[command] = rejected.errno, rejected.text
    return rejections


def expect_all_rejected(rejections):
    commands = [name.removeprefix('MACSTATS_EMU_CMD_') for name in uapi.NUMBERS
                if name.startswith('MACSTATS_EMU_CMD_')]
    expect_equal(set(rejections), set(commands) - {'MAX', 'DEVICE_GET'}, 'commands tried')
    for command, rejection in rejections.items():
        expect(rejection and rejection[0] == errno.EPERM, f'{command}: {rejection}')
        expect(any(word in rejection[1] for word in WHY), f'{command}: {rejection}')


def everything(port):
    """All state that a control command can change."""
    place = port.place
    return (devices_on_bus(), place.devices(), port.totals(), port.state()['parity_errors'],
            port.carrier(), port.peek(0x841), port.peek(0x846))


@case_in_place
def an_unprivileged_user_reads_all_statistics(here):
    port, peer = here.pair()
    port.inject(count=12, length=700)

    def read():
        become_nobody()
        lines = [cli.macstats_json(*words) for words in (
            ('show', port.name), ('ports',), ('models',), ('model', 'll40g'), ('emu', 'list'))]
        lines.append(cli.ethtool_statistics(port.name))
        fresh = [port.totals(), port.stats(cached=True)['values'], len(here.ports()),
                 len(here.counters()), len(here.models()), len(here.devices())]
        return lines, fresh
    with here.inside():
        (shown, ports, models, model, _, statistics), fresh = in_child(read)
    totals = port.totals()
    expect_equal(totals['rx_512to1023b'], 12, 'frames')
    expect_equal([shown[0]['totals'], statistics, fresh[0]], [totals] * 3, 'totals')
    expect_equal([entry['port'] if 'port' in entry else entry['name'] for entry in ports],
                 [port.name, peer.name], 'macstats ports')
    expect_equal((len(models), model['name']), (len(all_models()), 'll40g'), 'models')
    expect_equal(fresh[1:], [list(totals.values()), 2, 58, 1, 2], 'by netlink')


@case_in_place
def each_control_command_of_an_unprivileged_user_is_rejected_with_the_reason(here):
    port, peer = here.add(), here.add()
    before = everything(port)

    def attempt():
        become_nobody()
        inherited = try_all(port, peer)  # on a socket that root opened
        port.place = Place()
        return inherited, try_all(port, peer)
    with here.inside():
        answers = in_child(attempt)
    for rejections in answers:
        expect_all_rejected(rejections)
    expect_equal(everything(port), before, 'what could have changed')


@case_in_place
def each_control_command_line_of_an_unprivileged_user_fails_with_the_reason(here):
    port, peer = here.add(), here.add()
    before = everything(port)

    def attempt():
        become_nobody()
        answers = {}
        for words in control_command_lines(port.name, peer.name, port.device):
            done = cli.macstats('emu', *words)
            answers[' '.join(map(str, words))] = done.returncode, done.stdout, done.stderr
        return answers
    with here.inside():
        answers = in_child(attempt)
    for line, (status, output, errors) in answers.items():
        expect(status == 1 or status == 2, f'{line}: exit status {status}')
        expect(not output and any(word in errors for word in WHY), f'{line}: {output}{errors}')
    expect_equal(everything(port), before, 'what could have changed')


@case_in_place
def the_owner_of_a_user_namespace_makes_no_device_in_it(here):
    before = devices_on_bus()

    def attempt():
        become_nobody()
        syscall('unshare', CLONE_NEWUSER | CLONE_NEWNET)
        try:
            Place().add(quiet=False)
        except Rejected as rejected:
            return rejected.errno, rejected.text
        return None
    number, text = in_child(attempt)
    expect_equal(number, errno.EPERM, 'error')
    expect('first user namespace' in text, text)
    expect_equal(devices_on_bus(), before, 'devices')
    expect_equal(here.devices(), [], 'devices elsewhere')


@case_in_place
def the_owner_of_a_user_namespace_controls_nothing_outside(here):
    port, peer = here.add(), here.add()
    before = everything(port)

    def attempt():
        become_nobody()
        port.place = Place()
        syscall('unshare', CLONE_NEWUSER | CLONE_NEWNET)
        own = Place()
        return try_all(port, peer), own.devices(), own.ports()
    with here.inside():
        rejections, devices, ports = in_child(attempt)
    expect_all_rejected(rejections)
    expect_equal((devices, ports), ([], []), 'what is seen from inside')
    expect_equal(everything(port), before, 'what could have changed')


main()
