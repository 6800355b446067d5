#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Random lives of the modules: load, create, link, traffic, namespace moves and deletion, suspend,
reset, unbind and unload at random points, while processes read and send. Totals are exact
wherever the docs promise it, and nothing is left after an unload.

MACSTATS_ROUNDS sets the number of rounds. Round N of a run has the seed SEED + N: MACSTATS_SEED
repeats it as the first one.

    ./dev vm --timeout 7200 env MACSTATS_ROUNDS=1000 test/vm/tests/life_cycles.py"""

# timeout: 9000

import contextlib
import errno
import os
import random
import socket
import threading
import time

import effort
from deadline import HANG_SECONDS
from genl import Interrupted
from modules import Impatience, is_loaded, load_modules, unload_modules
from netdev import CLONE_NEWNET, Namespace, syscall
from ports import PLATFORM, Place, Port, devices_on_bus, reader_wait
from shapes import FACTS, SHAPES, expected, frame_octets
from tap import SLOW, Failure, case, expect, expect_equal, main, wait_for
from users import Child

ROUNDS = effort.count('MACSTATS_ROUNDS', 10, 24, 1000, checked=200)
SEED = effort.seed()
DRIVER = PLATFORM / 'drivers/macstats_emu'

MOST_DEVICES, MOST_PLACES, MOST_STEPS = 5, 4, 30
MOST_SENT, MOST_INJECTED = 20, 1000
SHORTEST_INTERVAL = 1000    # microseconds

WAYS = 'tx', 'rx'
# A counter of each way that increases by one for each frame of 100 octets, to a multicast address.
FRAMES_OF = {'ll40g': '{}_65to127b', 'll40g_agilex5': '{}_65to127b', 'ixf1104': '{}_mc_pkts',
             'rc32438': '{}_multicast_packet', 'cpsw': '{}_multicast_frames',
             'e1000': '{}_multicast', 'k1_emac': '{}_multicast'}
NOISE = 1   # the index of that frame
# Readers and senders see these errors of ports, devices and modules that vanish.
GONE = (errno.ENODEV, errno.ENXIO, errno.ENETDOWN, errno.ENOENT, errno.ENOBUFS, errno.EOPNOTSUPP)


@contextlib.contextmanager
def may_be_gone():
    try:
        yield
    except OSError as error:
        if error.errno not in GONE:
            raise


def send_noise(packets):
    frame = frame_octets(SHAPES[NOISE])
    with may_be_gone():
        while True:
            os.write(packets, frame)
    time.sleep(0.01)


def read_all(*namespaces):
    """Reads all that users may read there."""
    for fd in namespaces:
        syscall('setns', fd, CLONE_NEWNET)
        with may_be_gone(), contextlib.suppress(Interrupted), contextlib.ExitStack() as stack:
            here = Place()
            stack.callback(here.close)
            here.models()
            here.stats()
            here.stats(cached=True)
            for entry in here.ports():
                with may_be_gone():
                    Port(here, entry['ifindex'], None).ethtool().read()
                    here.links.get(entry['ifindex'])
                    here.links.registers(entry['name'])


class End:
    """A port and what it must have counted."""

    def __init__(self, device, port):
        self.device, self.port = device, port
        self.peer = self.sender = None
        self.up = False
        self.start_again()

    def start_again(self):
        """The hardware and the totals start at 0."""
        self.frames = {way: [0] * len(SHAPES) for way in WAYS}
        self.noise = set()      # ways in which an unknown number of frames has been counted
        self.exact = True       # no unknown number was lost
        self.before = None      # the totals of the last check
        self.discontinuities = 0

    def poll_seldom(self):
        """A late poll on a slow machine still comes within the wrap time."""
        self.port.set_poll_interval(self.port.state()['poll_ceiling_usecs'] // 2)

    def can_send(self):
        return bool(self.peer) and all(
            end.up and not end.device.suspended for end in (self, self.peer))

    def is_busy(self):
        """Do frames arrive or leave now?"""
        return bool(self.sender or (self.peer and self.peer.sender))

    def check(self):
        totals, state = self.port.totals(), self.port.state()
        what = f'{self.port.model} {self.port.name}'
        if self.before:
            back = [name for name, value in self.before.items() if totals[name] < value]
            expect_equal(back, [], f'{what}: counters that go back')
        self.before = totals
        expect_equal((state['discontinuities'], 'possible_loss' in state, 'stale' in state),
                     (self.discontinuities, False, self.device.suspended), what)
        if not self.exact or self.is_busy():
            return
        frames = {way: list(numbers) for way, numbers in self.frames.items()}
        for way in self.noise:
            counter = FRAMES_OF[self.port.model].format(way)
            frames[way][NOISE] = totals[counter]
            expect(totals[counter] >= self.frames[way][NOISE], f'{what}: {counter}')
        expect_equal(totals, expected(self.port, FACTS[self.port.model], frames), what)


class Device:
    def __init__(self, home):
        self.home, self.ends, self.id = home, [], None
        self.suspended = False


class World:
    """All that exists in one round. Each step returns what it has done, or None if it is
    impossible now."""

    def __init__(self, choice):
        self.choice = choice
        self.places, self.devices, self.readers = [], [], []
        self.names = 0

    def ends(self):
        return [end for device in self.devices for end in device.ends]

    def any_end(self, condition=lambda end: True):
        found = [end for end in self.ends() if condition(end)]
        return self.choice.choice(found) if found else None

    def any_device(self, condition=lambda device: True):
        found = [device for device in self.devices if condition(device)]
        return self.choice.choice(found) if found else None

    # Places and devices

    def add_place(self):
        if len(self.places) >= MOST_PLACES:
            return None
        self.places.append(Place(Namespace()))
        return 'add_place'

    def delete_place(self):
        if len(self.places) < 2:
            return None
        doomed = self.choice.choice(self.places)
        self.stop_reading()     # a reader keeps its namespaces
        lost = []
        for device in list(self.devices):
            guests = [end for end in device.ends if end.port.place is doomed]
            for end in guests:  # a sender keeps its own namespace
                self.quiet(end)
            # A device goes with its home or with its last port.
            if device.home is doomed or guests == device.ends:
                lost.append(device)
            else:
                self.forget_ends(device, guests)
        # The end of its own devices shows the end of the namespace, also if it has only guests.
        doomed.add(quiet=False)
        self.places.remove(doomed)
        doomed.close()
        for device in lost:
            self.forget_ends(device, list(device.ends))
            self.devices.remove(device)
        wait_for(lambda: len(devices_on_bus()) <= len(self.devices),
                 f'the end of the devices of a namespace: {devices_on_bus()}')
        expect_equal(len(devices_on_bus()), len(self.devices), 'devices')
        return f'delete_place with {len(lost)} devices'

    def create(self):
        if len(self.devices) >= MOST_DEVICES:
            return None
        home, model = self.choice.choice(self.places), self.choice.choice(sorted(FACTS))
        self.names += 1
        device = Device(home)
        first = home.add(model, name=f'd{self.names}p%d', quiet=False,
                         power_up_random=self.choice.random() < 0.5,
                         seed=self.choice.randrange(1 << 32))
        device.id = first.device
        entry, = [each for each in home.devices() if each['id'] == device.id]
        device.ends = [End(device, Port(home, ifindex, device.id)) for ifindex in entry['port']]
        self.devices.append(device)
        # Without a poll meanwhile, only the last read before a suspend or a reset saves counts.
        quiet = self.choice.random() < 0.5
        for end in device.ends if quiet else ():
            end.poll_seldom()
        return f'create {model} {first.name}{", quiet" * quiet}'

    def forget_ends(self, device, ends):
        """These ports are gone, and with them their cables."""
        for end in ends:
            self.quiet(end)
            self.cut(end)
            device.ends.remove(end)

    def delete(self):
        device = self.any_device()
        if not device:
            return None
        device.ends[0].port.delete()
        self.forget_ends(device, list(device.ends))
        self.devices.remove(device)
        return f'delete {device.id}'

    def rebind(self):
        """Unbinds the driver and binds it again: the ports are new ones, but for those whose
        namespace has ended."""
        device = self.any_device(lambda device: not device.suspended)
        if not device:
            return None
        name, = [name for name in devices_on_bus() if name.endswith(f'.{device.id}')]
        (DRIVER / 'unbind').write_text(name)
        for end in device.ends:
            self.quiet(end)
            self.cut(end)
        (DRIVER / 'bind').write_text(name)
        entry, = [each for each in device.home.devices() if each['id'] == device.id]
        device.ends = [End(device, Port(device.home, ifindex, device.id))
                       for ifindex in entry['port'] if ifindex]
        return f'rebind {name}'

    # Cables

    def link(self):
        def free(end):
            return not end.peer

        left = self.any_end(free)
        right = left and self.any_end(lambda end: free(end) and end is not left and
                                      end.port.place is left.port.place)
        if not right:
            return None
        left.port.link(right.port)
        left.peer, right.peer = right, left
        self.note_noise()
        return f'link {left.port.name} {right.port.name}'

    def unlink(self):
        end = self.any_end(lambda end: end.peer)
        if not end:
            return None
        end.port.unlink()
        self.cut(end)
        return f'unlink {end.port.name}'

    def cut(self, end):
        if end.peer:
            end.peer.peer = None
            end.peer = None

    def up_or_down(self):
        end = self.any_end()
        if not end:
            return None
        end.up = not end.up or self.choice.random() < 0.5
        (end.port.up if end.up else end.port.down)()
        return f'{"up" if end.up else "down"} {end.port.name}'

    def move(self):
        end = self.any_end()
        target = self.choice.choice(self.places)
        if not end or end.port.place is target:
            return None
        end.port = end.port.move(target)
        end.up = False
        self.quiet(end)
        return f'move {end.port.name}'

    # Frames

    def send(self):
        end = self.any_end(End.can_send)
        if not end:
            return None
        shape = self.choice.randrange(len(SHAPES))
        frame = frame_octets(SHAPES[shape])
        number = self.choice.randrange(MOST_SENT)
        wait_for(end.port.carrier, f'the carrier of {end.port.name}')
        with end.port.packets() as packets:
            for _ in range(number):
                packets.send(frame)
        end.frames['tx'][shape] += number
        end.peer.frames['rx'][shape] += number
        return f'send {end.port.name} {number} of {shape}'

    def inject(self):
        end = self.any_end()
        return end and self.inject_into(end)

    def inject_into(self, end):
        shape, way = self.choice.randrange(len(SHAPES)), self.choice.choice(WAYS)
        number = self.choice.randrange(1, MOST_INJECTED)
        length, destination = SHAPES[shape]
        end.port.inject(number, way, destination, length=length)
        if not end.device.suspended:    # without power nothing counts
            end.frames[way][shape] += number
        return f'inject {end.port.name} {number} of {shape}, {way}'

    def noise(self):
        """A process sends from now on."""
        end = self.any_end(lambda end: end.up and not end.sender)
        if not end:
            return None
        with end.port.packets(queued=True) as packets:
            end.sender = Child(send_noise, packets.fileno())
        self.note_noise()
        return f'noise {end.port.name}'

    def note_noise(self):
        for end in self.ends():
            if end.sender:
                end.noise.add('tx')
                if end.peer:
                    end.peer.noise.add('rx')

    def quiet(self, end):
        if end.sender:
            end.sender.stop()
            end.sender = None

    def any_quiet(self):
        end = self.any_end(lambda end: end.sender)
        if not end:
            return None
        self.quiet(end)
        return f'quiet {end.port.name}'

    # Power and polls

    def suspend_or_resume(self):
        device = self.any_device()
        if not device:
            return None
        for end in device.ends:
            if not device.suspended:    # only the read of the suspend sees these
                self.inject_into(end)
            end.port.fault('suspend', not device.suspended)
        device.suspended = not device.suspended
        return f'{"suspend" if device.suspended else "resume"} {device.id}'

    def reset(self):
        """A driver resets the hardware: what was counted since the last read is lost."""
        end = self.any_end(lambda end: not end.device.suspended)
        if not end:
            return None
        if end.is_busy():
            end.exact = False
        before = end.port.stats()['generation']
        end.port.fault('reset', announced=True)
        # A poll between the reset and its announcement, which polls, too, notices the reset.
        after = end.port.stats(cached=True)
        noticed = after.get('discontinuities', 0) - end.discontinuities
        expect(1 <= noticed <= min(2, after['generation'] - before),
               f'{end.port.name}: {noticed} discontinuities of a reset: {after}')
        end.discontinuities += noticed
        return f'reset {end.port.name}'

    def poll_interval(self):
        end = self.any_end()
        if not end:
            return None
        seldom = self.choice.random() < 0.5
        if seldom:
            end.poll_seldom()
        else:
            end.port.set_poll_interval(SHORTEST_INTERVAL)
        return f'poll {end.port.name} {"seldom" if seldom else "often"}'

    def check(self):
        for end in self.ends():
            end.check()
        return 'check'

    # Readers

    def read(self):
        if self.readers:
            return self.stop_reading()
        some = self.choice.sample(self.places, self.choice.randint(1, len(self.places)))
        self.readers.append(Child(read_all, *(place.namespace.fd for place in some)))
        return f'read {len(some)} namespaces'

    def stop_reading(self):
        while self.readers:
            self.readers.pop().stop()
        return 'stop_reading'

    # A round

    STEPS = {create: 5, delete: 1, rebind: 1, add_place: 1, delete_place: 1, link: 5, unlink: 1,
             up_or_down: 5, move: 2, send: 5, inject: 4, noise: 2, any_quiet: 2,
             suspend_or_resume: 2, reset: 1, poll_interval: 1, check: 2, read: 1}

    def step(self):
        while True:
            function, = self.choice.choices(list(self.STEPS), self.STEPS.values())
            if done := function(self):
                return done

    def unload(self):
        """A dump that runs keeps its module for a moment."""
        def unloaded():
            try:
                unload_modules()
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EBUSY):
                    raise
            return not is_loaded('macstats')

        wait_for(unloaded, 'the unload')

    def end(self):
        """Ends without any further check."""
        with contextlib.suppress(Failure):
            self.stop_reading()
        for end in self.ends():
            with contextlib.suppress(Failure):
                self.quiet(end)
        for place in self.places:
            place.close()


def print_trail(number, trail, problem=''):
    print(f'# round {number}, MACSTATS_SEED={SEED + number}:{problem}')
    print(*(f'#   {text}' for text in trail), sep='\n', flush=True)


@contextlib.contextmanager
def with_report_of_a_hang(number, trail):
    """A process that waits in the kernel, as for a net device with a reference too many, never
    gets to its own report."""
    timer = threading.Timer(HANG_SECONDS * SLOW, print_trail, (number, trail, ' it hangs'))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def one_round(seed, trail):
    world = World(random.Random(seed))
    try:
        load_modules()
        world.add_place()
        with reader_wait(10_000):
            for _ in range(world.choice.randint(1, MOST_STEPS)):
                trail.append('?')
                trail[-1] = world.step()
            trail.append(world.check())
        world.unload()
        expect_equal(devices_on_bus(), [], 'devices after the unload')
        for place in world.places:
            with place.inside():
                expect_equal(socket.if_nameindex(), [(1, 'lo')], 'net devices after the unload')
    finally:
        world.end()


@case
def lives_of_ports_leave_nothing_and_lose_no_count():
    print(f'# seed {SEED}, {ROUNDS} rounds', flush=True)
    began, steps = time.monotonic(), 0
    unload_modules()
    try:
        with Impatience():
            for number in range(ROUNDS):
                trail = []
                try:
                    with with_report_of_a_hang(number, trail):
                        one_round(SEED + number, trail)
                except BaseException:
                    print_trail(number, trail)
                    raise
                steps += len(trail)
    finally:
        load_modules()
    print(f'# {steps} steps in {time.monotonic() - began:.0f} s')


main()
