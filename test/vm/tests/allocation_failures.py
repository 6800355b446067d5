#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each allocation of a call fails once: of the commands of both netlink families, of ethtool,
ip, and of the binding of the driver. A call that reports an error has changed nothing, one that
succeeds has its full effect. The guest looks for leaks after it. Skipped if the kernel cannot
inject failures; Debian's kernels cannot."""

import array
import collections
import errno
import itertools
import pathlib
import socket
import struct
import sys

import effort
import ports
import uapi
import yaml
from deadline import HANG_SECONDS
from genl import (COUNTER, DEVICE, EMU_PORT, MODEL, NETLINK_GENERIC, NETLINK_ROUTE, NLM_F_DUMP,
                  PORT, STATS, Family, Rejected, Socket, attribute, split)
from injection import Injection, can_inject, prepare_injection
from netdev import IFF_UP, RTM_GETLINK
from ports import CLEAR, MAX_TX_SIZE, PLATFORM, RX_CONFIG, case_in_place, devices_on_bus
from tap import SLOW, Failure, case, expect, expect_equal, main, skip_all

REPO = pathlib.Path(__file__).resolve().parents[3]
DRIVER = PLATFORM / 'drivers/macstats_emu'
# The errors of a call without memory. ENODEV: the driver core did not get to the driver.
NO_MEMORY = {errno.ENOMEM, errno.ENOBUFS, errno.ENODEV}
# The driver core reports a device without memory for its name so.
NO_NAME = {errno.EINVAL}
# The kernel cannot copy the answer into new memory of the process.
NO_COPY = {errno.EFAULT}
MOST = 5000  # allocations of a call: a loop over more never ends

ETHTOOL_GDRVINFO, ETHTOOL_GCOALESCE = 0x03, 0x0e
ETHTOOL_MSG_LINKMODES_GET, ETHTOOL_MSG_STATS_GET = 4, 32
ETHTOOL_MSG_COALESCE_GET, ETHTOOL_MSG_COALESCE_SET = 19, 20
ETHTOOL_MSG_PAUSE_GET, ETHTOOL_MSG_PAUSE_SET = 21, 22
ETHTOOL_A_COALESCE_STATS_BLOCK_USECS, ETHTOOL_A_PAUSE_RX = 10, 3
ETHTOOL_A_STATS_HEADER, ETHTOOL_A_STATS_GROUPS, ETHTOOL_FLAG_STATS = 2, 3, 4
RTM_GETSTATS, IFLA_STATS_LINK_64 = 94, 1
IFLA_STATS64, IFLA_CARRIER = 23, 33
IFLA_IFNAME, IFLA_MTU = 3, 4


def wait_for_hardware():
    """Readers do: the states before and after a call are compared."""
    ports.READER_WAIT.write_text(str(ports.LONGEST_WAIT_MS))


def as_os_error(error):
    """The allocation may be one of this process."""
    return error if isinstance(error, OSError) else OSError(errno.ENOMEM, str(error))


class NotedInjection(Injection):
    """`failed_in` has the commands (family, number, is it a dump) of all that happened."""

    under_way, failed_in = None, set()

    def __init__(self, number):
        super().__init__(number)
        self.commands = set()

    def __enter__(self):
        NotedInjection.under_way = self
        return super().__enter__()

    def __exit__(self, *problem):
        super().__exit__(*problem)
        NotedInjection.under_way = None
        if self.happened:
            NotedInjection.failed_in |= self.commands


def failures(name):
    """For each allocation of a call, from the first, an injection in which it fails; at last one
    in which the call has no more allocations."""
    for number in range(1, MOST):
        injection = NotedInjection(number)
        yield injection
        if not injection.happened:
            return
    raise Failure(f'{name}: more than {MOST} allocations')


class NotedFamily(Family):
    """Notes its commands that are sent while an allocation fails."""

    def do(self, command, payload=b'', flags=0):
        if NotedInjection.under_way:
            NotedInjection.under_way.commands.add(
                (self.name, command, flags & NLM_F_DUMP == NLM_F_DUMP))
        return super().do(command, payload, flags)


ports.Family = NotedFamily


class World:
    """The devices of a namespace, and all that calls may change in it."""

    def __init__(self, here):
        self.here, self.listener = here, here.listen()
        with here.inside():
            self.ethtool = Family('ethtool')
        here.others.append(self.ethtool)
        self.limit_waits()

    def sockets(self):
        return self.here.query, self.here.emu, self.here.links, self.ethtool

    def limit_waits(self):
        """An answer that never comes is a failure, not the end of the time limit."""
        wait = struct.pack('=qq', int(HANG_SECONDS * SLOW), 0)
        for user in self.sockets():
            user.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, wait)

    def renew_sockets(self):
        """A dump that failed stays under way in its socket."""
        with self.here.inside():
            for user in self.sockets():
                user.socket.close()
                user.socket = Socket(NETLINK_ROUTE if user is self.here.links else NETLINK_GENERIC)
        self.limit_waits()

    def links(self):
        """{ifindex: facts} of all net devices of the namespace."""
        replies = self.here.links.socket.request(RTM_GETLINK, NLM_F_DUMP,
                                                 struct.pack('=BxHiII', 0, 0, 0, 0, 0))
        found = {}
        for reply in replies:
            ifindex, flags = struct.unpack_from('=iI', reply, 4)
            facts = dict(split(reply[16:]))
            found[ifindex] = (facts[IFLA_IFNAME].rstrip(b'\0').decode(), bool(flags & IFF_UP),
                              int.from_bytes(facts[IFLA_MTU], sys.byteorder), facts[IFLA_CARRIER])
        return found

    def settings(self, name):
        """The registers, the poll interval and the pause parameters of a port."""
        try:
            registers = self.here.links.registers(name)
        except OSError as error:
            registers = error.errno
        usecs = array.array('B', struct.pack('=I', ETHTOOL_GCOALESCE) + bytes(22 * 4))
        self.here.links.ethtool(name, usecs)
        return registers, usecs.tobytes(), self.pause(name)

    def pause(self, name):
        reply, = self.ethtool.do(ETHTOOL_MSG_PAUSE_GET, header(name))
        return [fact for fact in split(reply) if fact[0] != 1]

    def state(self):
        """All that calls may change. An ifindex is never used again, so ports have their
        order as a number."""
        order = collections.defaultdict(itertools.count().__next__)
        order[0] = 0
        links = self.links()
        stable = 'name', 'model', 'index', 'absent', 'stale', 'discontinuities', 'poll_usecs'
        found = self.here.ports()
        for ifindex in sorted(links):
            order[ifindex]  # pylint: disable=pointless-statement
        devices = [{**device, 'port': [order[one] for one in device['port']]}
                   for device in self.here.devices()]
        return {
            'bus': devices_on_bus(),
            'bound': sorted(entry.name for entry in DRIVER.glob('macstats_emu.*')),
            'devices': devices,
            'links': {order[ifindex]: facts for ifindex, facts in links.items()},
            'ports': [{'order': order[port['ifindex']], **{key: port.get(key) for key in stable}}
                      for port in found],
            'totals': {order[stats['ifindex']]: stats['values']
                       for stats in self.here.stats(cached=True)},
            'settings': {order[port['ifindex']]: self.settings(port['name']) for port in found},
        }

    def heard(self):
        """The notifications since the last call, and whether some were lost."""
        lost, events = False, []
        while True:
            try:
                events += self.listener.events()
                return [(command, port['name']) for command, port in events], lost
            except OSError as error:
                expect_equal(error.errno, errno.ENOBUFS, 'an error of the listener')
                lost = True


def header(name, flags=0, number=1):
    facts = attribute(2, name.encode() + b'\0')
    if flags:
        facts += attribute(3, struct.pack('=I', flags))
    return attribute(number | 0x8000, facts)


class Call:
    """A call of which each allocation fails once. `act` does it, `undo` what makes the next
    one possible. The answers of a query are compared."""

    def __init__(self, world, name, act, undo=None, query=False, errors=frozenset(),
                 answer_without_memory=None):
        """@errors: what a call without memory may report besides NO_MEMORY.
        @answer_without_memory: returns the answer of a query that cannot report errors, given
        its normal answer."""
        self.world, self.name, self.act, self.query = world, name, act, query
        self.errors = NO_MEMORY | errors
        self.answer_without_memory = answer_without_memory
        self.undo = undo or (lambda: None)

    def reference(self):
        """The call without failures."""
        self.before = self.world.state()
        self.world.heard()
        self.answer = self.act()
        if self.answer_without_memory:
            expect(self.answer != self.answer_without_memory(self.answer), 'no register was read')
        self.events, _ = self.world.heard()
        self.after = self.world.state()
        self.revert()
        expect_equal(self.world.state(), self.before, f'{self.name}: undone')

    def revert(self):
        """The state after the next attempt shows whether all is undone."""
        self.undo()
        self.world.heard()

    def attempt(self, injection):
        """The verdict in words."""
        number, problem, answer = injection.number, None, None
        what = f'{self.name}: allocation {number}'
        with injection:
            try:
                answer = self.act()
            except (OSError, MemoryError) as error:
                problem = as_os_error(error)
        if problem and not isinstance(problem, Rejected):
            self.world.renew_sockets()
        events, lost = self.world.heard()
        # After a query, run() compares the state once.
        state = self.before if self.query else self.world.state()
        if problem is None:
            expect_equal(state, self.after, f'{what}: succeeded')
            if not lost:
                expect_equal(events, self.events, f'{what}: notifications')
            verdict = 'passed'
            if self.answer_without_memory and injection.happened and \
                    answer == self.answer_without_memory(self.answer):
                verdict = 'answered without memory'
            elif self.query:
                expect_equal(answer, self.answer, f'{what}: answer')
        else:
            expect(injection.happened, f'{what}: {problem}, without a failed allocation')
            accepted = self.errors if isinstance(problem, Rejected) else self.errors | NO_COPY
            if problem.errno not in accepted:
                self.strange.append(f'allocation {number}: {problem!r}')
            verdict = 'rejected'
            # The answer may be lost after all is done.
            if isinstance(problem, Rejected) or state != self.after:
                expect_equal(state, self.before, f'{what}: {problem}')
            else:
                verdict = 'answer lost'
        if not self.query and (state != self.before or problem is None):
            self.revert()
        return verdict

    def run(self):
        self.reference()
        verdicts, self.strange = collections.Counter(), []
        for injection in failures(self.name):
            verdict = self.attempt(injection)
            verdicts[verdict] += injection.happened
        expect_equal(self.world.state(), self.before, f'{self.name}: after the last attempt')
        text = ', '.join(f'{count} {verdict}' for verdict, count in sorted((+verdicts).items()))
        print(f'# {self.name}: {verdicts.total()} allocations: {text or "-"}', flush=True)
        if self.answer_without_memory:
            expect(verdicts['answered without memory'], f'{self.name}: it always had memory')
        expect_equal(self.strange, [], f'{self.name}: errors that name no lack of memory')
        return verdicts


def run_all(calls):
    """Runs all calls; then fails if some had no allocation that failed."""
    total = collections.Counter()
    for call in calls:
        total += call.run()
    expect(total['rejected'], f'no call was rejected: {total}')


def answers(attributes, replies, *leave_out):
    """The replies of a query without what differs from one to the next."""
    return [{key: value for key, value in attributes.decode(reply).items()
             if key not in leave_out} for reply in replies]


TIMES = 'poll_time', 'longest_poll', 'longest_wait', 'time', 'start_time', 'generation'


@case_in_place
def queries_report_all_or_an_error(here):
    world, port = World(here), here.add(held=True)
    here.add('ixf1104', held=True)
    query, emu, cmd = here.query, here.emu, uapi
    chosen = [0, 3, 7]

    def ask(name, family, attributes, command, payload=b'', dump=False):
        def act():
            replies = family.dump(command, payload) if dump else family.do(command, payload)
            return answers(attributes, replies, *TIMES)
        return Call(world, name, act, query=True)

    run_all([
        ask('MODEL_GET', query, MODEL, cmd.MACSTATS_CMD_MODEL_GET, MODEL.encode(id=port.state()['model_id'])),
        ask('MODEL_GET dump', query, MODEL, cmd.MACSTATS_CMD_MODEL_GET, dump=True),
        ask('COUNTER_GET dump', query, COUNTER, cmd.MACSTATS_CMD_COUNTER_GET,
            COUNTER.encode(model_id=port.state()['model_id']), dump=True),
        ask('PORT_GET', query, PORT, cmd.MACSTATS_CMD_PORT_GET,
            PORT.encode(ifindex=port.ifindex)),
        ask('PORT_GET dump', query, PORT, cmd.MACSTATS_CMD_PORT_GET, dump=True),
        ask('STATS_GET', query, STATS, cmd.MACSTATS_CMD_STATS_GET,
            STATS.encode(ifindex=port.ifindex, counters=chosen)),
        ask('STATS_GET dump', query, STATS, cmd.MACSTATS_CMD_STATS_GET, dump=True),
        ask('DEVICE_GET', emu, DEVICE, cmd.MACSTATS_EMU_CMD_DEVICE_GET,
            DEVICE.encode(id=port.device)),
        ask('DEVICE_GET dump', emu, DEVICE, cmd.MACSTATS_EMU_CMD_DEVICE_GET, dump=True),
        ask('REG_READ', emu, EMU_PORT, cmd.MACSTATS_EMU_CMD_REG_READ,
            EMU_PORT.encode(ifindex=port.ifindex, address=0x945)),
    ])


@case_in_place
def a_command_has_its_full_effect_or_none(here):
    world = World(here)
    port, peer = here.add(held=True), here.add(held=True)
    for each in port, peer:
        each.up()   # so that the carrier shows whether they are linked
    counters = port.counter_names()

    def control(name, undo, command, **values):
        request = EMU_PORT.encode(ifindex=port.ifindex, **values)
        return Call(world, name, lambda: here.emu.do(command, request), undo)

    def bus_works():
        port.fault('bus_error', active=False)

    cmd = uapi
    longest = port.peek(MAX_TX_SIZE)
    run_all([
        control('LINK', port.unlink, cmd.MACSTATS_EMU_CMD_LINK, peer=peer.ifindex),
        control('FAULT', bus_works, cmd.MACSTATS_EMU_CMD_FAULT,
                fault=uapi.MACSTATS_FAULT_BUS_ERROR, active=1),
        control('REG_WRITE', lambda: port.poke(MAX_TX_SIZE, longest),
                cmd.MACSTATS_EMU_CMD_REG_WRITE, address=MAX_TX_SIZE, value=2000),
        control('PRESET', lambda: port.preset('rx_fcs', 0), cmd.MACSTATS_EMU_CMD_PRESET,
                counter=counters.index('rx_fcs'), value=1 << 20),
    ])
    port.link(peer)
    run_all([control('UNLINK', lambda: port.link(peer), cmd.MACSTATS_EMU_CMD_UNLINK)])


@case_in_place
def time_passes_once_or_not_at_all(here):
    world, port = World(here), here.add(held=True)
    moved, rejected = 1_000_000, 0
    port.poll()
    for injection in failures('ADVANCE'):
        number = injection.number
        before, accepted = port.state()['poll_time'], {moved}
        with injection:
            try:
                port.advance(moved)
            except Rejected as error:
                expect(error.errno in NO_MEMORY, f'allocation {number}: {error!r}')
                accepted, rejected = {0}, rejected + 1
            except (OSError, MemoryError):
                accepted = {0, moved}
        world.renew_sockets()
        passed = before - port.state()['poll_time']
        expect(passed in accepted, f'allocation {number}: {passed} ns, expected {accepted}')
    expect(rejected, 'no call was rejected')


# Each call adds a frame, reports an event or lets time pass: a repetition differs.
@case_in_place
def a_frame_is_counted_once_or_not_at_all(here):
    world, port = World(here), here.add(held=True)
    frame = {'direction': uapi.MACSTATS_RX, 'length': 100}
    expected, rejected = 0, 0
    for injection in failures('INJECT'):
        number = injection.number
        reached = None
        with injection:
            try:
                here.emu.do(uapi.MACSTATS_EMU_CMD_INJECT, EMU_PORT.encode(
                    ifindex=port.ifindex, frame=frame, count=3))
                reached = True
            except Rejected:
                reached = False
            except (OSError, MemoryError):
                pass
        world.renew_sockets()
        port.poll()
        total = port.totals(cached=True)['rx_st']
        if reached is None:
            expect(total in (expected, expected + 3), f'{total} frames after {expected}')
        else:
            expect_equal(total, expected + 3 * reached, f'frames, allocation {number}')
        expected, rejected = total, rejected + (reached is not True)
    expect(rejected, 'no call was rejected')


@case_in_place
def a_poll_reports_an_event_or_the_loss_of_the_report(here):
    world, port = World(here), here.add(held=True)
    lost_ever = False
    for injection in failures('a poll'):
        number = injection.number
        port.inject()
        port.poll()
        port.poke(RX_CONFIG, CLEAR)
        world.heard()
        problem = None
        with injection:
            try:
                port.poll()
            except (OSError, MemoryError) as error:
                problem = as_os_error(error)
        world.renew_sockets()
        if problem:
            port.poll()
        events, lost = world.heard()
        expect_equal(port.totals(cached=True)['rx_st'], number, 'frames')
        expect_equal(port.state()['discontinuities'], number, 'discontinuities')
        expected = [] if lost else [(uapi.MACSTATS_CMD_PORT_EVENT_NTF, port.name)]
        expect_equal(events, expected, f'notifications, allocation {number}')
        lost_ever = lost_ever or lost
    expect(lost_ever, 'the notification has no allocation')


def devices_to_add():
    """A model with one port, one whose net devices share a port, and in long runs all."""
    some = {'ll40g': {}, 'cpsw': {'netdevs': 2}}
    return some | {'ixf1104': {}, 'rc32438': {}, 'e1000': {}} if effort.LONG else some


@case_in_place
def a_device_is_there_or_not(here):
    world = World(here)
    for model, details in devices_to_add().items():
        request = DEVICE.encode(model=model, held=True, name='new%d', **details)

        def add():
            here.emu.do(uapi.MACSTATS_EMU_CMD_DEVICE_NEW, request)

        def delete():
            device, = here.devices()
            here.emu.do(uapi.MACSTATS_EMU_CMD_DEVICE_DEL, DEVICE.encode(id=device['id']))

        run_all([Call(world, f'DEVICE_NEW {model}', add, delete, errors=NO_NAME)])
        # A request without an answer deletes, too.
        add()
        Call(world, f'DEVICE_DEL {model}', delete, add).run()
        delete()


@case_in_place
def a_driver_binds_completely_or_not_at_all(here):
    world = World(here)
    here.add('cpsw', held=True, netdevs=2)
    name, = devices_on_bus()

    def write(file):
        (DRIVER / file).write_text(name)

    write('unbind')
    run_all([Call(world, 'bind', lambda: write('bind'), lambda: write('unbind'),
                  errors=NO_NAME)])
    write('bind')
    Call(world, 'unbind', lambda: write('unbind'), lambda: write('bind')).run()


@case_in_place
def ethtool_and_ip_have_their_full_effect_or_none(here):
    world, port = World(here), here.add(held=True)
    name, links = port.name, here.links

    def ioctl(title, command, size, count=0):
        def act():
            data = array.array('B', struct.pack('=II', command, count) + bytes(size))
            links.ethtool(name, data)
            return data.tobytes()
        return Call(world, title, act, query=True)

    def query(title, message, payload):
        return Call(world, title, lambda: world.ethtool.do(message, payload), query=True)

    def change(title, message, number, size, new, old):
        def change_to(value):
            world.ethtool.do(message, header(name) + attribute(number, struct.pack(size, value)))
        return Call(world, title, lambda: change_to(new), lambda: change_to(old))

    def all_ones(answer):
        version, registers = answer
        return version, [(address, 0xffffffff) for address, _ in registers]

    groups = attribute(ETHTOOL_A_STATS_GROUPS | 0x8000, attribute(1) + attribute(
        2, struct.pack('=I', 4)) + attribute(4, struct.pack('=I', 15)))
    usecs = port.state()['poll_usecs']
    stats = struct.pack('=BxxxiI', 0, port.ifindex, IFLA_STATS_LINK_64)
    run_all([
        ioctl('ethtool -i', ETHTOOL_GDRVINFO, 188),
        ioctl('ethtool -S', 0x1d, 58 * 8, 58),
        Call(world, 'ethtool -d', lambda: links.registers(name), query=True,
             answer_without_memory=all_ones),
        Call(world, 'ethtool -S, its names', lambda: links.ethtool_strings(name), query=True),
        query('ethtool -S --groups', ETHTOOL_MSG_STATS_GET,
              header(name, number=ETHTOOL_A_STATS_HEADER) + groups),
        query('ethtool -c', ETHTOOL_MSG_COALESCE_GET, header(name)),
        query('ethtool -I -a', ETHTOOL_MSG_PAUSE_GET, header(name, ETHTOOL_FLAG_STATS)),
        query('ethtool', ETHTOOL_MSG_LINKMODES_GET, header(name)),
        change('ethtool -C', ETHTOOL_MSG_COALESCE_SET, ETHTOOL_A_COALESCE_STATS_BLOCK_USECS,
               '=I', 5000, usecs),
        change('ethtool -A', ETHTOOL_MSG_PAUSE_SET, ETHTOOL_A_PAUSE_RX, '=B', 0, 1),
        Call(world, 'ip -s link', lambda: links.get(port.ifindex)[1][IFLA_STATS64], query=True),
        Call(world, 'ip stats', lambda: links.socket.request(RTM_GETSTATS, 0, stats), query=True),
        Call(world, 'ip link set mtu', lambda: port.set_mtu(1400), lambda: port.set_mtu(1500)),
        Call(world, 'ip link set up', port.up, port.down),
        Call(world, 'ip link set name', lambda: links.rename(port.ifindex, 'another'),
             lambda: links.rename(port.ifindex, name)),
    ])


@case
def each_command_of_the_specifications_has_had_a_failure():
    expected = set()
    for family in uapi.MACSTATS_GENL_NAME, uapi.MACSTATS_EMU_GENL_NAME:
        spec = yaml.safe_load((REPO / f'docs/netlink/{family}.yaml').read_text())
        prefix = spec['operations']['name-prefix'].replace('-', '_').upper()
        for one in spec['operations']['list']:
            number = uapi.number(prefix, one['name'].replace('-', '_'))
            expected |= {(family, number, way == 'dump') for way in ('do', 'dump') if way in one}
    expect_equal(sorted(expected - NotedInjection.failed_in), [], 'commands without a failure')


if not can_inject():
    skip_all('this kernel injects no failures of allocations')
prepare_injection()
wait_for_hardware()
main()
