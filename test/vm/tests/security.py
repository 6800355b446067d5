#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of permissions: each cell of the table in docs/security.md, in network namespaces
of different owners. A rejected request changes nothing. An unprivileged user cannot load the
modules."""

import contextlib
import errno
import marshal
import os
import pathlib
import re
import socket
import struct
import subprocess
import tempfile

import cli
import uapi
from driver import TestDriver
from genl import (COUNTER, CTRL_CMD_GETFAMILY, CTRL_NAME, DEVICE, EMU_PORT, GENL_ID_CTRL,
                  NETLINK_GENERIC, PORT, STATS, Rejected, Socket, attribute)
from modules import insmod
from netdev import CLONE_NEWNET, CLONE_NEWUSER, syscall
from ports import (KERNEL_VERSION, READER_WAIT, Place, Port, case_in_place, devices_on_bus,
                   reader_wait, rejection)
from tap import SLOW, Failure, case, expect, expect_equal, main, wait_for
from users import become, become_root_of_new_namespaces, in_child

REPO = pathlib.Path(__file__).resolve().parents[3]
COLUMNS = 'root', 'visitor', 'owner', 'guest', 'other', 'nobody'
# The owner of a user namespace has all privileges in it, so that "nobody" is another user.
OWNER, GUEST, OTHER, NOBODY = 65530, 65531, 65532, 65533
MODEL, PORTS = 'ixf1104', 4
STAYS, MOVES, PEER, PEER_MOVES = range(PORTS)
COMMANDS = {'macstats': 'MACSTATS_CMD_', 'macstats_emu': 'MACSTATS_EMU_CMD_'}


def table():
    """{(family, command): {column: cell}} of the documentation."""
    cells = {}
    for line in (REPO / 'docs/security.md').read_text().splitlines():
        row = re.fullmatch(r'\| `(macstats\w*)` (\w+) \|(.*)\|', line)
        if row:
            cells[row[1], row[2]] = dict(zip(COLUMNS, (cell.strip() for cell in row[3].split('|')),
                                             strict=True))
    return cells


class Actor:
    """A process of a user in a network namespace, which executes requests."""

    def __init__(self, become_somebody):
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            self.ours.close()
            self._serve(theirs, become_somebody)
        theirs.close()
        expect_equal(self._answer(), 'ready', 'an actor')

    @staticmethod
    def _serve(theirs, become_somebody):
        try:
            become_somebody()
            place = Place()
            listener = place.listen()
            theirs.send(marshal.dumps('ready'))
            while request := theirs.recv(1 << 16):
                family, command, payload, dump = marshal.loads(request)
                if family == 'events':
                    answer = len(listener.events())
                else:
                    answer = Actor._do(place, family, command, payload, dump)
                theirs.send(marshal.dumps(answer))
        except BaseException as error:  # pylint: disable=broad-except # reported to the parent
            theirs.send(marshal.dumps(f'{type(error).__name__}: {error}'))
        os._exit(0)  # pylint: disable=protected-access

    @staticmethod
    def _do(place, family, command, payload, dump):
        user = place.query if family == 'macstats' else place.emu
        try:
            return user.dump(command, payload) if dump else user.do(command, payload)
        except Rejected as rejected:
            return rejected.errno, rejected.text

    def _answer(self):
        return marshal.loads(self.ours.recv(1 << 18))

    def ask(self, family, command, payload=b'', dump=False):
        """The replies, or (errno, text)."""
        number = uapi.number(COMMANDS[family], command)
        self.ours.send(marshal.dumps((family, number, payload, dump)))
        return self._answer()

    def events(self):
        """The number of notifications since the last call."""
        self.ours.send(marshal.dumps(('events', 0, b'', False)))
        return self._answer()

    def net(self):
        return os.open(f'/proc/{self.pid}/ns/net', os.O_RDONLY | os.O_CLOEXEC)

    def stop(self):
        self.ours.shutdown(socket.SHUT_RDWR)  # later actors have copies of it
        self.ours.close()
        os.waitpid(self.pid, 0)


def enter_net(fd):
    syscall('setns', fd, CLONE_NEWNET)


class NamespaceOf:
    """A network namespace by its file, for Links.move()."""

    def __init__(self, fd):
        self.fd = fd

    def close(self):
        os.close(self.fd)


class World:
    """A device that root has made in the owner's namespace, two ports of which have moved to the
    guest's, in which root is a visitor."""

    def __init__(self):
        self.actors = {'owner': Actor(lambda: become_root_of_new_namespaces(OWNER)),
                       'guest': Actor(lambda: become_root_of_new_namespaces(GUEST)),
                       'other': Actor(lambda: become_root_of_new_namespaces(OTHER))}
        home, target = self.actors['owner'].net(), self.actors['guest'].net()
        self.actors['root'] = Actor(lambda: enter_net(home))

        def nobody():
            enter_net(home)
            become(NOBODY)
        self.actors['nobody'] = Actor(nobody)

        def visitor():
            os.close(home)  # which ends without it
            enter_net(target)
        self.actors['visitor'] = Actor(visitor)
        self.device, self.ports = self.new_device()
        in_child(lambda: self.move(home, target))
        moved = [PORT.decode(port) for port in
                 self.actors['guest'].ask('macstats', 'PORT_GET', dump=True)]
        self.moved = {port['index']: port['ifindex'] for port in moved}
        self.model_id = moved[0]['model_id']
        os.close(home)
        os.close(target)

    def move(self, home, target):
        """Only root may do that."""
        enter_net(home)
        for index in MOVES, PEER_MOVES:
            Place().links.move(self.ports[index], NamespaceOf(target))

    def new_device(self):
        """(id, ifindexes)"""
        answer = self.actors['root'].ask('macstats_emu', 'DEVICE_NEW', DEVICE.encode(model=MODEL))
        expect(isinstance(answer, list), answer)
        device = DEVICE.decode(answer[0])
        return device['id'], device['port']

    def delete_device(self, column, device):
        answer = self.actors[column].ask('macstats_emu', 'DEVICE_DEL', DEVICE.encode(id=device))
        expect_equal(answer, [], 'deletion of an own device')

    def ports_of(self, column):
        """The ifindexes of the port that it tries to use, and of another one to link it to."""
        if column in ('visitor', 'guest'):
            return self.moved[MOVES], self.moved[PEER_MOVES]
        return self.ports[STAYS], self.ports[PEER]

    def port_of(self, column):
        return self.ports_of(column)[0]

    def control(self, column, command, **values):
        return self.actors[column].ask('macstats_emu', command, EMU_PORT.encode(
            ifindex=self.port_of(column), **values))

    def state(self):
        """The state that an attempt can change."""
        owner = self.actors['owner']
        device = owner.ask('macstats_emu', 'DEVICE_GET', DEVICE.encode(id=self.device))
        registers = [self.control(column, 'REG_READ', address=0x0f)
                     for column in ('root', 'visitor')]
        stats = [self.actors[column].ask('macstats', 'STATS_GET', STATS.encode(
            ifindex=self.port_of(column))) for column in ('owner', 'guest')]
        values = [STATS.decode(reply)['values'] for reply, in stats]
        return devices_on_bus(), device, registers, values

    def close(self):
        for actor in self.actors.values():
            actor.stop()
        wait_for(lambda: not devices_on_bus(), 'the end of the devices')


WORLD = None


def world():
    global WORLD  # pylint: disable=global-statement # it is made once for all cells
    WORLD = WORLD or World()
    return WORLD


def outcome(answer):
    return errno.errorcode[answer[0]] if isinstance(answer, tuple) else 'yes'


def port_values(command):
    """The attributes of a control command besides the port."""
    return {'INJECT': {'frame': {'length': 64}}, 'REG_READ': {'address': 0x0f},
            'REG_WRITE': {'address': 0x0f, 'value': 1518}, 'PRESET': {'counter': 0, 'value': 5},
            'FAULT': {'fault': uapi.MACSTATS_FAULT_BUS_ERROR, 'active': 0},
            'ADVANCE': {'nsecs': 1}}.get(command, {})


def try_query(column, command):
    """A command of macstats: (outcome of do, objects of its dump or None)."""
    here, actor = world(), world().actors[column]
    ifindex = here.port_of(column)
    number = here.model_id
    payload = {'MODEL_GET': attribute(uapi.MACSTATS_A_MODEL_ID, struct.pack('=I', number)),
               'COUNTER_GET': COUNTER.encode(model_id=number)}.get(
                   command, PORT.encode(ifindex=ifindex))
    return outcome(actor.ask('macstats', command, payload, dump=command == 'COUNTER_GET'))


def try_events(column):
    """Causes an event of both ports."""
    here = world()
    here.actors[column].events()
    for active in 1, 0:
        for root in 'root', 'visitor':
            for command, values in (('FAULT', {'fault': uapi.MACSTATS_FAULT_BUS_ERROR,
                                               'active': active}), ('POLL', {})):
                expect_equal(here.control(root, command, **values), [], command)
    return 'yes' if here.actors[column].events() else 'nothing'


def try_device(column, command):
    here = world()
    if command == 'DEVICE_NEW':
        before = devices_on_bus()
        answer = here.actors[column].ask('macstats_emu', command, DEVICE.encode(model=MODEL))
        if isinstance(answer, list):
            here.delete_device(column, DEVICE.decode(answer[0])['id'])
        expect_equal(devices_on_bus(), before, 'devices')
        return outcome(answer)
    device = here.device
    if command == 'DEVICE_DEL' and column == 'root':
        device, _ = here.new_device()
    return outcome(here.actors[column].ask('macstats_emu', command, DEVICE.encode(id=device)))


def try_link(column, command):
    """Links and unlinks with its port as either end."""
    here = world()
    allowed = column in ('root', 'visitor')
    ifindex, peer = here.ports_of(column)
    if command == 'UNLINK' and allowed:
        expect_equal(outcome(here.control(column, 'LINK', peer=peer)), 'yes',
                     'a link for UNLINK to remove')
    if command == 'UNLINK':
        return outcome(here.control(column, command))
    outcomes = set()
    for one, two in ((ifindex, peer), (peer, ifindex)):
        outcomes.add(outcome(here.actors[column].ask('macstats_emu', 'LINK', EMU_PORT.encode(
            ifindex=one, peer=two))))
        if allowed:
            here.actors[column].ask('macstats_emu', 'UNLINK', EMU_PORT.encode(ifindex=one))
    expect_equal(len(outcomes), 1, f'outcomes {outcomes}')
    return outcomes.pop()


def try_port(column, command):
    answer = world().control(column, command, **port_values(command))
    if isinstance(answer, tuple):
        expect('first user namespace' in answer[1], answer)
    return outcome(answer)


def attempt(family, command, column):
    if command == 'events':
        return try_events(column)
    if family == 'macstats':
        return try_query(column, command)
    if command.startswith('DEVICE'):
        return try_device(column, command)
    return try_link(column, command) if 'LINK' in command else try_port(column, command)


def add_cases():
    for (family, command), row in table().items():
        for column, cell in row.items():
            add_case(family, command, column, cell)


def add_case(family, command, column, cell):
    def run():
        before = world().state()
        expect_equal(attempt(family, command, column), cell, f'{family} {command} by {column}')
        if cell in ('EPERM', 'ENODEV', 'ENOENT'):
            expect_equal(world().state(), before, 'what could have changed')
    run.__name__ = f'{family}_{command}_by_{column}_is_{cell}'.lower()
    case(run)


@case
def the_table_has_every_command():
    listed = {(family, command) for family, command in table() if command != 'events'}
    known = {(family, name.removeprefix(prefix)) for family, prefix in COMMANDS.items()
             for name in uapi.NUMBERS if name.startswith(prefix)
             and not name.endswith(('_NTF', '_MAX'))}
    expect_equal(listed, known, 'commands')


@case
def a_dump_lists_devices_only_in_their_home():
    here = world()
    counts = {column: len(actor.ask('macstats_emu', 'DEVICE_GET', dump=True))
              for column, actor in here.actors.items()}
    expect_equal(counts, {'root': 1, 'owner': 1, 'nobody': 1, 'visitor': 0, 'guest': 0, 'other': 0},
                 'devices')
    counts = {column: len(actor.ask('macstats', 'PORT_GET', dump=True))
              for column, actor in here.actors.items()}
    expect_equal(counts, {'root': 2, 'owner': 2, 'nobody': 2, 'visitor': 2, 'guest': 2, 'other': 0},
                 'ports')


add_cases()


@case
def the_end_of_the_home_deletes_the_device_and_its_moved_ports():
    here = world()
    for column in ('root', 'nobody', 'owner'):
        here.actors.pop(column).stop()
    wait_for(lambda: not devices_on_bus(), 'the end of the device')
    expect_equal(here.actors['guest'].ask('macstats', 'PORT_GET', dump=True), [], 'ports')
    here.close()


# Command lines, and requests on a socket of root, of users without privileges

PRIVILEGE = 'CAP_NET_ADMIN', 'ermission', 'rivilege'


def rejections(port, peer):
    """{control command: (errno, text)}"""
    found = {}
    for family, command in table():
        if family != 'macstats_emu' or command == 'DEVICE_GET':
            continue
        values = {'peer': peer.ifindex} if command == 'LINK' else port_values(command)
        payload = {'DEVICE_NEW': DEVICE.encode(model=MODEL),
                   'DEVICE_DEL': DEVICE.encode(id=port.device)}.get(
                       command, EMU_PORT.encode(ifindex=port.ifindex, **values))
        try:
            found[command] = 0, port.place.emu.do(uapi.number(COMMANDS[family], command), payload)
        except Rejected as rejected:
            found[command] = rejected.errno, rejected.text
    return found


@case_in_place
def a_socket_of_root_and_a_user_namespace_give_no_privileges(here):
    port, peer = here.add(), here.add()
    before = devices_on_bus(), port.totals(), port.peek(0x841)

    def attempt():
        become(NOBODY)
        found = [rejections(port, peer)]    # on a socket that root opened
        port.place = Place()
        syscall('unshare', CLONE_NEWUSER | CLONE_NEWNET)
        found.append(rejections(port, peer))
        own = Place()
        return found, own.devices(), own.ports()
    with here.inside():
        found, *inside = in_child(attempt)
    for each in found:
        for command, (number, text) in each.items():
            expect_equal(number, errno.EPERM, f'{command}: {text}')
            expect(any(word in text for word in PRIVILEGE), f'{command}: {text}')
    expect_equal(inside, [[], []], 'devices and ports that are seen from inside')
    expect_equal((devices_on_bus(), port.totals(), port.peek(0x841)), before, 'what could change')


@case_in_place
def commands_of_an_unprivileged_user_show_everything_and_control_nothing(here):
    port, peer = here.add(), here.add()
    port.inject(count=12, length=700)
    control = (('add', 'll40g'), ('delete', port.device), ('link', port.name, peer.name),
               ('unlink', port.name), ('inject', port.name, '--length', 64),
               ('peek', port.name, '0x845'), ('poke', port.name, '0x841', 1),
               ('preset', port.name, 'tx_st', 5), ('fault', port.name, 'parity_error'))

    def attempt():
        become(NOBODY)
        shown = [cli.macstats_json(*words) for words in (
            ('show', port.name), ('ports',), ('model', 'll40g'), ('emu', 'list'))]
        done = [cli.macstats('emu', *words) for words in control]
        return (shown, cli.ethtool_statistics(port.name),
                [(each.returncode, each.stdout, each.stderr) for each in done])
    with here.inside():
        (shown, ports, model, devices), strings, answers = in_child(attempt)
    totals = port.totals()
    expect_equal(totals['rx_512to1023b'], 12, 'frames')
    expect_equal([shown[0]['totals'], strings], [totals] * 2, 'totals')
    expect_equal(([each['port'] for each in ports], model['name'], len(devices)),
                 ([port.name, peer.name], 'll40g', 2), 'what is shown')
    for words, (status, output, errors) in zip(control, answers):
        expect(status in (1, 2) and not output, f'{words}: {status}, {output}')
        expect(any(word in errors for word in PRIVILEGE), f'{words}: {errors}')


@case_in_place
def a_rejection_has_no_text_that_another_request_can_change(here):
    """Before Linux 6.3, the kernel copies the text after the request, from memory of the module."""
    texts = [rejection(lambda: here.emu.do(  # noqa: B023
        uapi.MACSTATS_EMU_CMD_DEVICE_NEW, DEVICE.encode(model=name))).text  # noqa: B023
        for name in ('secret', 'another')]
    expect('unknown model' in texts[0], texts)
    if KERNEL_VERSION < (6, 3):
        expect_equal(texts, texts[:1] * 2, 'texts of two requests')
        expect('%' not in texts[0], texts)
    else:
        expect_equal(['secret' in text for text in texts], [True, False], f'secret in {texts}')


def look_up(name):
    """Looks a family up, as any program does; None if there is none."""
    request = bytes([CTRL_CMD_GETFAMILY, 2, 0, 0]) + attribute(CTRL_NAME, name.encode() + b'\0')
    connection = Socket(NETLINK_GENERIC)
    try:
        return connection.request(GENL_ID_CTRL, 0, request)
    except Rejected as rejected:
        return errno.errorcode[rejected.errno]
    finally:
        connection.close()


def is_loaded(module):
    return pathlib.Path('/sys/module', module).exists()


# A name of the tests: each other program that a guest executes must belong to a package.
HELPER = pathlib.Path('/tmp/modprobe')
HELPER_PATH = pathlib.Path('/proc/sys/kernel/modprobe')


@case
def no_lookup_by_an_unprivileged_user_loads_a_module():
    """The modules are where modprobe finds them, with their aliases."""
    kmod = pathlib.Path(os.environ['KMOD_DIR'], 'kmod')
    files = {'macstats': kmod / 'provider/macstats.ko', 'macstats_emu': kmod /
             'emulator/macstats_emu.ko'}
    release = os.uname().release
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder, 'lib/modules', release)
        (tree / 'extra').mkdir(parents=True)
        for name, file in files.items():
            (tree / 'extra' / f'{name}.ko').write_bytes(file.read_bytes())
        for name in ('order', 'builtin', 'builtin.modinfo'):
            (tree / f'modules.{name}').touch()
        subprocess.run(['depmod', '-b', folder, release], check=True)
        aliases = (tree / 'modules.alias').read_text()
        real = pathlib.Path('/lib/modules', release)
        subprocess.run(['mount', '--bind', tree, real], check=True)
        # Programs that the kernel starts have the root of process 1, below that of the tests.
        helper = pathlib.Path(f'/proc/1/root{HELPER}')
        helper.parent.mkdir(exist_ok=True)
        helper.write_text('#!/bin/busybox sh\nexec /bin/busybox chroot /.. /sbin/modprobe "$@"\n')
        helper.chmod(0o755)
        usual = HELPER_PATH.read_text()
        HELPER_PATH.write_text(str(HELPER))
        try:
            wait = READER_WAIT.read_text()
            subprocess.run(['rmmod', 'macstats_emu', 'macstats'], check=True)

            def by_nobody():
                become_root_of_new_namespaces(NOBODY)
                found = [look_up(name) for name in files]
                subprocess.run(['ip', 'link', 'add', 'type', 'macstats'], check=False,
                               stderr=subprocess.DEVNULL)
                return found, [is_loaded(name) for name in files]
            answer = in_child(by_nobody)
            done = cli.macstats('ports')
            subprocess.run(['modprobe', 'macstats_emu'], check=True)
            READER_WAIT.write_text(wait)
        finally:
            HELPER_PATH.write_text(usual)
            subprocess.run(['umount', real], check=True)
            for name, file in files.items():
                if not is_loaded(name):
                    insmod(file)
    expect('macstats' not in aliases, aliases)
    expect_equal(answer, (['ENOENT'] * 2, [False] * 2), 'lookups, loaded')
    expect_equal(done.returncode, 3, 'exit code of the command')
    expect('modprobe macstats' in done.stderr, done.stderr)


CGROUP = pathlib.Path('/sys/fs/cgroup/macstats-test')
HANGING_DRIVER = TestDriver('macstats_test_life')


def has_cgroup():
    """Makes the control group, unless the kernel is built without the memory controller."""
    controllers = CGROUP.parent / 'cgroup.controllers'
    if not controllers.exists():
        raise Failure('no cgroup2 at /sys/fs/cgroup')
    if os.environ['KERNEL'] == 'debug' and 'memory' not in controllers.read_text().split():
        print('# this kernel is built without the memory controller')
        return False
    (CGROUP.parent / 'cgroup.subtree_control').write_text('+memory')
    CGROUP.mkdir(exist_ok=True)
    return True


def octets_in_slabs():
    """Of the kernel's objects that are charged to the control group."""
    values = dict(line.split() for line in (CGROUP / 'memory.stat').read_text().splitlines())
    return int(values['slab_unreclaimable'])


@case
def register_dumps_of_a_driver_that_hangs_use_the_memory_of_one():
    """Each reader gives up, but its dump waits: any number may come. Of so many, the memory shows
    beside that of other work."""
    if not has_cgroup():
        return
    dumps = 200

    def dump():
        (CGROUP / 'cgroup.procs').write_text('0')
        before = octets_in_slabs()
        for _ in range(dumps):
            words = here.links.registers(name)[1]
        # Does it still hang?
        return octets_in_slabs() - before, {value for _, value in words} == {0xffffffff}

    def use_little():
        (HANGING_DRIVER.parameters / 'do').write_text(f'delay {5000 * SLOW:.0f}')
        used, hangs = in_child(dump)
        print(f'# {dumps} dumps of {octets} octets use {used} octets')
        return hangs and used < dumps * octets / 2

    with HANGING_DRIVER.loaded(queue=1, order='early') as here:
        name = here.ports()[0]['name']
        octets = 8 * len(here.links.registers(name)[1])
        with reader_wait(1):
            wait_for(use_little, 'dumps that use little memory')


@case_in_place
def a_poll_interval_under_100_ms_needs_privileges_in_the_first_user_namespace(here):
    ports = [here.add('cpsw', quiet=False, name=f'{name}%d', netdevs=2) for name in ('own', 'both')]
    others = [Port(here, device['port'][1], device['id']) for device in here.devices()]
    owner = Actor(lambda: become_root_of_new_namespaces(OWNER))
    with contextlib.closing(NamespaceOf(owner.net())) as there:
        for port in (ports[0], others[0], ports[1]):  # of the second device, one stays
            here.links.move(port.ifindex, there)

        def set_as_owner():
            syscall('setns', os.open(f'/proc/{owner.pid}/ns/user', os.O_RDONLY), CLONE_NEWUSER)
            enter_net(there.fd)
            os.setresuid(0, 0, 0)  # of that namespace: its programs have capabilities
            place = Place()
            answers = []
            for name, usecs in ((ports[0].name, 99999), (ports[0].name, 100000),
                                (ports[1].name, 200000)):
                done = cli.run('ethtool', '-C', name, 'stats-block-usecs', usecs)
                answers.append((done.returncode, done.stderr.strip()))
            return answers, {port['name']: port['poll_usecs'] for port in place.ports()}
        before = others[1].state()['poll_usecs']
        answers, intervals = in_child(set_as_owner)
    owner.stop()
    expect_equal([status == 0 for status, _ in answers], [False, True, False], answers)
    expect('first user namespace' in answers[0][1], answers)
    expect('elsewhere' in answers[2][1], answers)
    expect_equal(intervals[ports[0].name], 100000, 'interval of a device that is all there')
    expect_equal((intervals[ports[1].name], others[1].state()['poll_usecs']), (before, before),
                 'interval of a device with a part here')


main()
