# SPDX-License-Identifier: GPL-2.0
"""Emulated ports as the tests use them, through both netlink families."""

import contextlib
import functools
import mmap
import os
import pathlib
import re
import signal
import time

import cli
import kmsg
import uapi
from genl import (COUNTER, DEVICE, EMU_PORT, MODEL, PORT, STATS, Family, Listener, Rejected)
from netdev import EthtoolReader, Links, Namespace, no_ipv6, packet_socket
from tap import Failure, case, expect, expect_equal, wait_for

KERNEL_VERSION = tuple(map(int, os.uname().release.split('.')[:2]))
PLATFORM = pathlib.Path('/sys/bus/platform')
UNLIMITED = pathlib.Path('/proc/sys/net/core/message_cost')  # 0: no limit of messages
READER_WAIT = pathlib.Path('/sys/module/macstats/parameters/reader_wait_ms')
LONGEST_WAIT_MS = 10_000
DEFAULT_WAIT_MS = 40    # with-modules sets the longest

# Registers of ll40g, by their datasheet addresses.
MAX_TX_SIZE, MAX_RX_SIZE = 0x407, 0x506
TX_CONFIG, TX_STATUS, RX_CONFIG, RX_STATUS = 0x845, 0x846, 0x945, 0x946
CLEAR, PARITY_CLEAR, SHADOW_REQUEST = 1, 2, 4
PARITY_ERROR, PAUSED = 1, 2


def says(text, pattern):
    """Does a message of the kernel match? In older ones, "..." stands for a number or the name of a
    port or model: what has a digit in @pattern."""
    if KERNEL_VERSION < (6, 3):
        part = r'(?:\w|\\d|\[[^]]*\]\+?)*'
        pattern = re.sub(rf'(?:\\b)?{part}(?:\d|\\d){part}(?:\\b)?',
                         lambda left_out: rf'(?:{left_out[0]}|\.\.\.)', pattern)
    return bool(re.search(pattern, text))


def rejection(request):
    """The kernel's answer to a request that must fail."""
    try:
        answer = request()
    except Rejected as rejected:
        return rejected
    raise Failure(f'not rejected, but answered with {answer!r}')


def expect_rejected(what, request, errors, *words):
    """@errors: one or several; @words: regular expressions, each of which the message must match."""
    try:
        rejected = rejection(request)
    except Failure as failure:
        raise Failure(f'{what}: {failure}') from None
    expect(rejected.errno in (errors if isinstance(errors, tuple) else (errors,)),
           f'{what}: {rejected}')
    for word in words:
        expect(says(f'{rejected.text} {rejected.policy}', word),
               f'{what}: {rejected} does not match {word!r}')


def boot_time_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


@contextlib.contextmanager
def reader_wait(milliseconds):
    """Readers wait so long for the hardware."""
    usual = READER_WAIT.read_text()
    READER_WAIT.write_text(str(min(milliseconds, LONGEST_WAIT_MS)))
    try:
        yield
    finally:
        READER_WAIT.write_text(usual)


def devices_on_bus():
    """The emulated devices of all network namespaces."""
    return sorted(entry.name for entry in (PLATFORM / 'devices').glob('macstats_emu*'))


@functools.cache
def all_models():
    """The names of the models of emulated devices."""
    return [model['name'] for model in cli.macstats_json('models')]


class Place:
    """A network namespace (that of the caller if None) and the sockets to use it."""

    def __init__(self, namespace=None):
        self.namespace = namespace
        self.others = []  # places that are closed with this one
        with namespace or contextlib.nullcontext():
            self.query = Family(uapi.MACSTATS_GENL_NAME)
            self.emu = Family(uapi.MACSTATS_EMU_GENL_NAME)
            self.links = Links()

    def close(self, namespace=True):
        for user in (self.query, self.emu, self.links, *self.others):
            user.close()
        if self.namespace and namespace:
            self.namespace.close()

    def inside(self):
        """A context in which this thread is in the namespace."""
        return self.namespace or contextlib.nullcontext()

    def listen(self):
        """Subscribes to events."""
        with self.inside():
            self.others.append(Listener(uapi.MACSTATS_GENL_NAME, uapi.MACSTATS_GENL_EVENTS))
        return self.others[-1]

    def add(self, model='ll40g', options=None, quiet=True, **details):
        """Plugs a device in and returns its first port. @options: the names of
        those that are on. @quiet: the port is hardly polled unless asked to."""
        mask = None if options is None else uapi.mask('MACSTATS_OPT_', options)
        reply, = self.emu.do(uapi.MACSTATS_EMU_CMD_DEVICE_NEW,
                             DEVICE.encode(model=model, options=mask, **details))
        device = DEVICE.decode(reply)
        port = Port(self, device['port'][0], device['id'])
        if quiet:
            port.poll_rarely()
        return port

    def pair(self, **details):
        """Two linked ports that are up and can send."""
        first, second = self.add(**details), self.add(**details)
        first.link(second)
        bring_up(first, second)
        return first, second

    def devices(self):
        return [DEVICE.decode(reply) for reply in self.emu.dump(uapi.MACSTATS_EMU_CMD_DEVICE_GET)]

    def ports(self):
        return [PORT.decode(reply) for reply in self.query.dump(uapi.MACSTATS_CMD_PORT_GET)]

    def models(self):
        """Those that ports have."""
        return [MODEL.decode(reply) for reply in self.query.dump(uapi.MACSTATS_CMD_MODEL_GET)]

    def with_facts(self, facts):
        """[(model, facts)] of a table of facts by model. A model without facts is left out, and
        its name is printed."""
        names = all_models()
        expect_equal(sorted(facts.keys() - set(names)), [], 'facts of unknown models')
        for name in names:
            if name not in facts:
                print(f'# left out: {name}, of which this test has no facts')
        return [(name, facts[name]) for name in names if name in facts]

    def model_id(self, name='ll40g'):
        """The number of the only model of that name that a port has."""
        number, = [model['id'] for model in self.models() if model['name'] == name]
        return number

    def counters(self, model='ll40g'):
        return self.counters_of(self.model_id(model))

    def counters_of(self, model_id):
        reply = self.query.dump(uapi.MACSTATS_CMD_COUNTER_GET, COUNTER.encode(model_id=model_id))
        return [COUNTER.decode(counter) for counter in reply]

    def stats(self, cached=False):
        reply = self.query.dump(uapi.MACSTATS_CMD_STATS_GET, STATS.encode(cached=cached))
        return [STATS.decode(stats) for stats in reply]


_places = []


def place():
    """A new namespace; it is deleted when the case ends."""
    new = Place(Namespace())
    _places.append(new)
    return new


def first_place():
    """The first network namespace, which has the kernel log; the devices that it makes are deleted
    when the case ends."""
    no_ipv6()
    new = Place()
    _places.append(new)
    return new


def leave_places():
    """Closes all places of place() and waits until their devices are deleted."""
    while _places:
        one = _places.pop()
        if not one.namespace:
            for device in one.devices():
                one.emu.do(uapi.MACSTATS_EMU_CMD_DEVICE_DEL, DEVICE.encode(id=device['id']))
        one.close()
    wait_for(lambda: not devices_on_bus(), f'the end of {devices_on_bus()}')


def with_place(function, make=place):
    """The function in a place that it makes and leaves."""
    def run():
        try:
            function(make())
        except BaseException:
            with contextlib.suppress(Failure):  # the first failure explains more
                leave_places()
            raise
        leave_places()
    run.__name__ = function.__name__
    return run


def with_first_place(function):
    return with_place(function, first_place)


def case_in_place(function):
    """A case with its own namespace."""
    return case(with_place(function))


def case_in_first_place(function):
    """A case in the first namespace, about whose ports the kernel log has lines."""
    return case(with_first_place(function))


# By model: they never change.
_counter_names, _register_names = {}, {}


class Port:
    """A port, known by its ifindex in a place. Its home is the place that made its
    device, and deletes it."""

    def __init__(self, where, ifindex, device, home=None):
        self.place, self.ifindex, self.device = where, ifindex, device
        self.home = home or where
        state = self.state()
        self.name, self.model, self.index = state['name'], state['model'], state['index']

    def state(self):
        reply, = self.place.query.do(uapi.MACSTATS_CMD_PORT_GET, PORT.encode(ifindex=self.ifindex))
        return PORT.decode(reply)

    def stats(self, cached=False):
        reply, = self.place.query.do(uapi.MACSTATS_CMD_STATS_GET,
                                     STATS.encode(ifindex=self.ifindex, cached=cached))
        return STATS.decode(reply)

    def expect_polls(self, number, call, what='a call'):
        """A call makes this number of good polls. Others may poll meanwhile: the kernel for its own
        messages of a link, and the work after a read that took long. So it is called until none
        does."""
        def polls():
            before = self.stats(cached=True)['generation']
            call()
            return self.stats(cached=True)['generation'] - before
        wait_for(lambda: polls() == number, f'{what} makes {number} polls')

    def counter_names(self):
        if self.model not in _counter_names:
            rows = self.place.counters_of(self.state()['model_id'])
            _counter_names[self.model] = [row['name'] for row in rows]
        return _counter_names[self.model]

    def absent(self):
        """The indices of the counters that the hardware lacks."""
        return set(self.stats(cached=True).get('absent') or ())

    def registers(self):
        """The counters in registers that there are; the others are software counters."""
        if self.model not in _register_names:
            rows = cli.macstats_json('model', self.model)['counters']
            _register_names[self.model] = {row['register'] for row in rows
                                           if row['source'] == 'register'}
        absent = self.absent()
        return [row for i, row in enumerate(self.place.counters_of(self.state()['model_id']))
                if row['register'] in _register_names[self.model] and i not in absent]

    def totals(self, cached=False):
        """{name: total} of the counters that there are, from a fresh read of the hardware unless
        @cached."""
        stats = self.stats(cached)
        absent = set(stats.get('absent') or ())
        return {name: value for i, (name, value) in enumerate(
            zip(self.counter_names(), stats['values'])) if i not in absent}

    def control(self, command, **values):
        return self.place.emu.do(command, EMU_PORT.encode(ifindex=self.ifindex, **values))

    def delete(self):
        self.home.emu.do(uapi.MACSTATS_EMU_CMD_DEVICE_DEL, DEVICE.encode(id=self.device))

    def link(self, peer):
        self.control(uapi.MACSTATS_EMU_CMD_LINK, peer=peer.ifindex)

    def unlink(self):
        self.control(uapi.MACSTATS_EMU_CMD_UNLINK)

    def inject(self, count=1, direction='rx', destination='unicast', kind='data',
               origin='software', errors=(), **frame):
        frame.update(direction=uapi.number('MACSTATS_', direction),
                     destination=uapi.number('MACSTATS_', destination),
                     kind=uapi.number('MACSTATS_', kind),
                     origin=uapi.number('MACSTATS_BY_', origin),
                     errors=uapi.mask('MACSTATS_ERR_', errors))
        self.control(uapi.MACSTATS_EMU_CMD_INJECT, frame=frame, count=count)

    def peek(self, address):
        reply, = self.control(uapi.MACSTATS_EMU_CMD_REG_READ, address=address)
        return EMU_PORT.decode(reply)['value']

    def poke(self, address, value):
        self.control(uapi.MACSTATS_EMU_CMD_REG_WRITE, address=address, value=value)

    def preset(self, counter, value):
        self.control(uapi.MACSTATS_EMU_CMD_PRESET, counter=self.counter_names().index(counter),
                     value=value)

    def fault(self, name, active=True, **details):
        self.control(uapi.MACSTATS_EMU_CMD_FAULT, fault=uapi.number('MACSTATS_FAULT_', name),
                     active=int(active), **details)

    def advance(self, nsecs):
        """Pretends that time has passed since the last poll."""
        self.control(uapi.MACSTATS_EMU_CMD_ADVANCE, nsecs=nsecs)

    def poll(self):
        """Lets the provider poll the port, also a held one."""
        self.control(uapi.MACSTATS_EMU_CMD_POLL)

    def up(self):
        self.place.links.up(self.ifindex)

    def down(self):
        self.place.links.down(self.ifindex)

    def running(self):
        return self.place.links.running(self.ifindex)

    def carrier(self):
        return self.place.links.carrier(self.ifindex)

    def set_mtu(self, mtu):
        self.place.links.mtu(self.ifindex, mtu)

    def set_longest(self, octets):
        """The maximum frame lengths of an ll40g, which follow its MTU, to another value."""
        self.poke(MAX_TX_SIZE, octets)
        self.poke(MAX_RX_SIZE, octets)

    def set_poll_interval(self, usecs):
        self.place.links.set_poll_interval(self.name, usecs)

    def poll_rarely(self):
        """Sets the longest interval."""
        self.set_poll_interval(self.state()['poll_ceiling_usecs'])

    def move(self, target):
        """Moves to another place; returns the port as seen from there."""
        self.place.links.move(self.ifindex, target.namespace)
        there = [port for port in target.ports() if port['name'] == self.name]
        expect(len(there) == 1, f'{self.name} has not arrived: {target.ports()}')
        return Port(target, there[0]['ifindex'], self.device, self.home)

    def packets(self, **options):
        with self.place.inside():
            return packet_socket(self.name, **options)

    def send(self, frame, count):
        with self.packets() as packets:
            for _ in range(count):
                packets.send(frame)

    def ethtool(self):
        """For many reads of ethtool -S."""
        return EthtoolReader(self.place.links, self.name)


def bring_up(*ports):
    """Returns when all of them can send. The last one does as soon as it has a
    carrier: that came with its own up, which the kernel does not think about."""
    for port in ports:
        port.up()
    for port in ports[:-1]:
        wait_for(port.running, f'{port.name} can send')
    wait_for(ports[-1].carrier, f'{ports[-1].name} has a carrier')


class Sender:
    """A process that sends one frame over and over, until it is stopped, cannot
    send any more, or has sent all. `started` and `done` count frames."""

    def __init__(self, port, frame, limit=1 << 62, gap=0.0):
        self.words = memoryview(mmap.mmap(-1, 4096)).cast('Q')  # started, done, stop
        packets = port.packets(queued=True)
        self.pid = os.fork()
        if self.pid == 0:
            self._send(packets, frame, limit, gap)
        packets.close()

    def _send(self, packets, frame, limit, gap):
        status = 0
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for number in range(1, limit + 1):
                self.words[0] = number
                packets.send(frame)
                self.words[1] = number
                if self.words[2]:
                    break
                if gap:
                    time.sleep(gap)
        except OSError as error:
            status = error.errno
        finally:
            os._exit(status)  # pylint: disable=protected-access

    @property
    def started(self):
        return self.words[0]

    @property
    def done(self):
        return self.words[1]

    def ended(self):
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def stop(self):
        """Returns the errno with which sending has ended, 0 if it was stopped."""
        self.words[2] = 1
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class KernelLog(kmsg.KernelLog):
    """Without the lines for debugging; the kernel leaves no message out."""

    def __init__(self):
        UNLIMITED.write_text('0')
        super().__init__(kmsg.DEBUG - 1)
