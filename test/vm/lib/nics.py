# SPDX-License-Identifier: GPL-2.0
"""The NICs of a guest with hardware (--nic): their driver, their place on the PCI bus, resets,
unplugging through QEMU, link, and a look at their registers."""

import contextlib
import ctypes
import itertools
import json
import mmap
import os
import pathlib
import select
import socket
import subprocess
import tty

import driver
from deadline import Deadline
from netdev import Links, no_ipv6
from tap import Failure, expect, expect_equal, skip_all, wait_for

PCI = pathlib.Path('/sys/bus/pci')
SLOTS = PCI / 'slots'
NETS = pathlib.Path('/sys/class/net')
QMP = pathlib.Path(os.environ.get('QMP_DEVICE', '/dev/no-qmp'))
CAPTURE = pathlib.Path('/results/wire.pcap')
CPUS = pathlib.Path('/sys/devices/system/cpu')
# {driver: vendor and device of its NICs}
VENDOR_AND_DEVICE = {'8139cp': ('0x10ec', '0x8139'), 'e1000': ('0x8086', '0x100e'),
                     'e1000e': ('0x8086', '0x10d3')}


class Driver:
    """The module of a driver, as the kernel has it, or converted to the provider."""

    def __init__(self, name='e1000', converted=False, *parameters):
        folder = ('KMOD_EXTRA_DIR', f'kmod/{name}') if converted else \
            ('DRIVERS_DIR', f'{name}_unconverted')
        self.name, self.parameters = name, parameters
        self.module = pathlib.Path(os.environ.get(folder[0], '.'), folder[1], f'{name}.ko')
        if not self.module.exists():
            skip_all(f'no {self.module} was built')

    def load(self):
        """All registers have their initial values."""
        self.unload()
        # Linux does not see the link of an e1000e again after a bus reset. Its driver resets it.
        for nic in nics() if self.name == 'e1000' else ():
            nic.reset()
        subprocess.run(['insmod', self.module, *self.parameters], check=True)

    def nics(self):
        return nics()

    def unload(self):
        if pathlib.Path('/sys/module', self.name).exists():
            subprocess.run(['rmmod', self.name], check=True)

    @contextlib.contextmanager
    def loaded(self):
        """A context with the NICs of the driver that is freshly loaded, each with a name."""
        self.load()
        try:
            found = self.nics()
            for nic in found:
                nic.wait_for_name()
            yield found
        finally:
            self.unload()


class Registers:
    """32-bit registers, by their addresses. A read has its effects; a driver reads them, too."""

    def __init__(self, memory):
        self.words = (ctypes.c_uint32 * (len(memory) // 4)).from_buffer(memory)

    def close(self):
        self.words = None

    def __getitem__(self, address):
        return self.words[address // 4]

    def __setitem__(self, address, value):
        self.words[address // 4] = value


class Nic:
    """A NIC, by its number and its address on the PCI bus, or another one. Its network device is in
    the first network namespace, and has the MAC address of --nic."""

    def __init__(self, number, function, bus=PCI):
        self.number, self.function = number, function
        self.mac = bytes((0x52, 0x54, 0, 0, 0, number + 1))
        self.device = bus / 'devices' / function

    @property
    def name(self):
        """Of its network device, '' without one."""
        folder = self.device / 'net'
        names = [each.name for each in folder.iterdir()] if folder.exists() else []
        # It is there a moment before it is complete.
        return next((name for name in names if (NETS / name / 'address').exists()), '')

    def wait_for_name(self):
        wait_for(lambda: self.name, f'{self.function} has a network device')
        expect_equal((NETS / self.name / 'address').read_text().strip(), self.mac.hex(':'),
                     f'address of {self.name}')
        return self.name

    def index(self):
        return socket.if_nametoindex(self.name)

    def present(self):
        return self.device.exists()

    def driver(self):
        """Its name, '' without one."""
        link = self.device / 'driver'
        return link.resolve().name if link.exists() else ''

    def unbind(self):
        (self.device / 'driver/unbind').write_text(self.function)

    def bind(self, driver='e1000'):
        """Raises OSError if the probe fails."""
        (PCI / 'drivers' / driver / 'bind').write_text(self.function)
        return self.wait_for_name()

    def reset(self):
        """Resets the bus behind its bridge, where it is alone: QEMU sets all registers to their
        initial values. The driver is not told, unless it has handlers of a reset."""
        (self.device / 'reset_method').write_text('bus')
        (self.device / 'reset').write_text('1')

    def asleep(self):
        """A context in which it sleeps, as in a suspended system, but the programs go on."""
        return driver.asleep(self.function)

    @contextlib.contextmanager
    def registers(self):
        """A context with the registers. Debian's kernels need the parameter iomem=relaxed."""
        with open(self.device / 'resource0', 'r+b', buffering=0) as file, \
                mmap.mmap(file.fileno(), 0) as memory:
            registers = Registers(memory)
            try:
                yield registers
            finally:
                registers.close()

    def carrier(self):
        """Is the link up? False while the network device is down."""
        try:
            return (NETS / self.name / 'carrier').read_text() == '1\n'
        except OSError:
            return False

    def wait_for_link(self, up=True):
        wait_for(lambda: self.carrier() == up,
                 f'the link of {self.name} is {"up" if up else "down"}')


def nics():
    """All of them, in the order of their numbers."""
    def word(function, name):
        return (function / name).read_text().strip()
    functions = sorted(entry.name for entry in (PCI / 'devices').iterdir()
                       if (word(entry, 'vendor'), word(entry, 'device'))
                       in VENDOR_AND_DEVICE.values())
    if not functions:
        skip_all('this guest has no NIC')
    return [Nic(number, function) for number, function in enumerate(functions)]


def bring_up(*several):
    """Returns when they can send. Nothing is sent unasked."""
    no_ipv6()
    links = Links()
    for nic in several:
        links.up(nic.index())
    for nic in several:
        nic.wait_for_link()
        wait_for(lambda each=nic: links.running(each.index()), f'{nic.name} can send')
    links.close()


@contextlib.contextmanager
def one_cpu():
    """Meanwhile the guest has one CPU: nothing runs while a driver reads with interrupts off."""
    files = [path for path in sorted(CPUS.glob('cpu[0-9]*/online')) if path.read_text() == '1\n']
    others = [path for path in files if path.parent.name != 'cpu0']
    for path in others:
        path.write_text('0')
    try:
        yield
    finally:
        for path in others:
            path.write_text('1')


def can_plug():
    """Does the kernel open the serial line, which shares an interrupt with the console, and does it
    have slots?"""
    try:
        Machine().close()
    except OSError as error:
        print(f'# no serial line for QMP: {error}')
        return False
    return SLOTS.exists() and any(SLOTS.iterdir())


class Machine:
    """The machine, through the QEMU Machine Protocol: see --qmp of test/vm/guest."""

    def __init__(self):
        self.fd = os.open(QMP, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.fd)
        self.rest, self.events = b'', []
        self.numbers = itertools.count(1)
        # The line echoed what came before. This octet makes QEMU drop it.
        os.write(self.fd, b'\xff')
        # It answers an error if another program has done this before.
        self._send('qmp_capabilities')

    def close(self):
        os.close(self.fd)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _messages(self, deadline):
        """Yields what arrives. Lines that were cut or echoed before this began are no JSON."""
        while (left := deadline.left()) > 0:
            if not select.select([self.fd], [], [], min(left, 0.1))[0]:
                continue
            *lines, self.rest = (self.rest + os.read(self.fd, 4096)).split(b'\n')
            for line in lines:
                with contextlib.suppress(ValueError):
                    message = json.loads(line)
                    if 'event' in message:
                        self.events.append(message)
                    yield message

    def _send(self, command, **arguments):
        """The answer: {'return': ...} or {'error': ...}"""
        number = f'{os.getpid()}-{next(self.numbers)}'
        request = {'execute': command, 'arguments': arguments, 'id': number}
        os.write(self.fd, json.dumps(request).encode() + b'\n')
        for message in self._messages(Deadline()):
            if message.get('id') == number:
                return message
        raise Failure(f'QEMU does not answer {command}')

    def command(self, command, **arguments):
        answer = self._send(command, **arguments)
        expect('return' in answer, f'{command}: {answer.get("error")}')
        return answer['return']

    def wait_for_event(self, name, **data):
        """Waits for an event with this data, which may have come before."""
        def match(message):
            return message.get('event') == name and \
                data.items() <= message.get('data', {}).items()
        for message in self.events:
            if match(message):
                self.events.remove(message)
                return message
        for message in self._messages(Deadline()):
            if match(message):
                self.events.remove(message)
                return message
        raise Failure(f'QEMU reports no event {name} {data}')

    def unplug(self, nic):
        """Returns when the guest has let the slot go and QEMU has removed the device."""
        self.command('device_del', id=f'nic{nic.number}')
        self.wait_for_event('DEVICE_DELETED', device=f'nic{nic.number}')
        wait_for(lambda: not nic.present(), f'{nic.function} has left the bus')

    def plug(self, nic):
        """Returns when the guest has found the device, which has its old address."""
        self.command('device_add', driver='e1000', id=f'nic{nic.number}',
                     bus=f'bridge{nic.number}', netdev=f'h{nic.number}', romfile='',
                     mac=nic.mac.hex(':'))
        wait_for(nic.present, f'{nic.function} is on the bus')
