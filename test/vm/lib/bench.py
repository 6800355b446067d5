# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree on the bench: see docs/driver-bench.md."""

import contextlib
import json
import os
import pathlib
import subprocess

import cli
from driver import EXTRA, TestDriver
from ports import KernelLog
from tap import Failure, expect_equal, skip_all, wait_for

DEBUGFS = pathlib.Path('/sys/kernel/debug/macstats_bench')
NETDEVS = pathlib.Path('/sys/class/net')
ADDRESS = '02:00:00:00:00:01'
SHOWN_ACCESSES = 20
# {driver that conversions/ converts: its modules in the order of their loading}
CONVERTED = {'stmmac': ('stmmac', 'stmmac-platform', 'dwmac-generic'), **{
    name: (name,) for name in ('8139cp', 'e1000e', 'igb', 'igc', 'lan743x', 'macb')}}


def netdevs():
    return {path.name for path in NETDEVS.iterdir()}


def bench_module():
    bench = TestDriver('macstats_bench')
    bench.module = bench.module.parents[1] / 'driver_bench/macstats_bench.ko'
    return bench


def require_bench():
    """Ends the program on a kernel without the bench."""
    if 'user-mode' not in os.uname().release:
        skip_all('only user-mode Linux has emulated I/O memory and PCI')


def hardware(here, model, **more):
    """An emulated port whose registers a driver reads. Its own net device reads them on request."""
    return here.add(model, held=True, quiet=False, **more)


def macstats(*words, **options):
    """The finished command, however long it sleeps."""
    return subprocess.run([cli.MACSTATS, *words], capture_output=True, text=True, check=False,
                          env=cli.ENVIRONMENT, **options)


def shows(read, expected, what):
    """Waits until read() has these members: some drivers read their registers every 2 s."""
    def some():
        now = read()
        return {name: now.get(name) for name in expected}
    with_late = f'{what}: {expected}'
    try:
        wait_for(lambda: some() == expected, with_late)
    finally:
        expect_equal(some(), expected, what)


class Nic:
    """A NIC with a driver of the kernel's tree. @port: the emulated port that has its statistics
    registers; None: they are memory."""

    def __init__(self, here, personality, port=None):
        self.here, self.personality, self.port = here, personality, port
        self.name = None

    def __str__(self):
        return self.personality

    def trace(self):
        return (DEBUGFS / 'trace').read_text().splitlines()

    def unanswered(self):
        return (DEBUGFS / 'unanswered').read_text().splitlines()

    def write(self, offset, value, octets=4):
        """Sets a register that is memory."""
        with open(DEBUGFS / 'registers', 'r+b', 0) as file:
            file.seek(offset)
            file.write(value.to_bytes(octets, 'little'))

    def read(self, offset, octets=4):
        """What a register that is memory holds."""
        with open(DEBUGFS / 'registers', 'rb', 0) as file:
            file.seek(offset)
            return int.from_bytes(file.read(octets), 'little')

    def interrupt(self, number=0):
        """Fires an interrupt."""
        (DEBUGFS / 'interrupt').write_text(str(number))

    def set_link(self, up):
        """Gives the PHY a link, or none, and interrupts the driver."""
        (DEBUGFS / 'link').write_text(str(int(up)))

    @property
    def ifindex(self):
        return int((NETDEVS / self.name / 'ifindex').read_text())

    def up(self):
        # Of an EEPROM that is read bit by bit
        if (NETDEVS / self.name / 'address').read_text().strip() == '00:00:00:00:00:00':
            cli.output('ip', 'link', 'set', self.name, 'address', ADDRESS)
        self.here.links.up(self.ifindex)
        wait_for(lambda: self.here.links.carrier(self.ifindex), f'{self}: a carrier')

    def down(self):
        self.here.links.down(self.ifindex)

    def strings(self):
        """ethtool -S"""
        return cli.ethtool_statistics(self.name)

    def groups(self):
        """ethtool -S --all-groups, {group: {statistic: ...}}"""
        return cli.json_output('ethtool', '--json', '-S', self.name, '--all-groups')[0]

    def pause(self):
        """ethtool -I -a, {statistic: ...}: none without pause parameters"""
        done = cli.run('ethtool', '--json', '-I', '-a', self.name)
        return {} if done.returncode else json.loads(done.stdout)[0].get('statistics', {})

    def link(self):
        """The statistics of ip -s -s link, {rx_packets: ...}"""
        link, = cli.json_output('ip', '-s', '-s', '-j', 'link', 'show', 'dev', self.name)
        return {name if name in ('collisions', 'multicast') else f'{way}_{name}': value
                for way, values in link['stats64'].items() for name, value in values.items()}

    def explained(self, log, what):
        """A Failure with what the driver has said and done."""
        return Failure('\n'.join([f'{self}: {what}', 'the log:', *log.lines()[-SHOWN_ACCESSES:],
                                  'the last accesses:', *self.trace()[-SHOWN_ACCESSES:],
                                  *self.unanswered()[:SHOWN_ACCESSES]]))


def load_converted(*names):
    """Loads the modules of a driver that is converted, in this order, in place of the kernel's,
    which are loaded and have no device."""
    subprocess.run(['rmmod', *reversed(names)], check=True)
    for name in names:
        subprocess.run(['insmod', pathlib.Path(EXTRA, 'kmod', names[0], f'{name}.ko')], check=True)


@contextlib.contextmanager
def on_bench(here, personality, port=None, module=None, converted=()):
    """A Nic, while its driver is bound; its net device is up and has a carrier. @converted: the
    modules to load from conversions/, of which the first one has the name of the conversion."""
    nic, log, bench = Nic(here, personality, port), KernelLog(), bench_module()
    more = {} if port is None else {'device': port.device}
    cli.output('modprobe', module or personality)
    if converted:
        load_converted(*converted)
    before = netdevs()
    try:
        expect_equal(bench.load(personality=personality, **more), '', personality)
        try:
            try:
                # Some drivers probe in a thread of the kernel.
                nic.name, = wait_for(lambda: netdevs() - before, 'the driver makes a net device')
                nic.up()
            except (Failure, OSError) as error:
                raise nic.explained(log, error) from error
            yield nic
        finally:
            bench.unload()
    finally:
        # A module that replaced one stays if only another one used it.
        if converted:
            subprocess.run(['rmmod', *reversed(converted)], check=True)
        else:
            cli.output('modprobe', '-r', module or personality)
