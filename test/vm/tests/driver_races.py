#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree on two processors: while frames come, a process reads ip -s, another
one ethtool -S, and the provider reads the same registers. ./dev test --user-mode-smp-kernel"""

# driver bench

import contextlib
import json
import mmap
import os
import re
import textwrap
import time

from bench import hardware, on_bench, require_bench
from bench_drivers import DEFECTS, DRIVERS
from driver_result import LATEST
from netdev import EthtoolReader, Links
from ports import Place, Port, case_in_first_place, with_first_place
from tap import expect, expect_equal, main, skip_all, wait_for

require_bench()
if os.cpu_count() < 2:
    skip_all('readers meet on two processors only: ./dev test --user-mode-smp-kernel')

FRAMES = ({'direction': 'rx', 'length': 1024}, {'direction': 'tx', 'length': 1024},
          {'direction': 'rx', 'length': 64, 'errors': ['fcs']})
ROUND, ROUNDS = 500, 40
# Those whose registers a read clears. hibmcge is another one: its reports would end this run.
CLEARED = 'alx', 'atl1c', 'e1000e', 'igb', 'igc', 'macb', 'stmmac'
# Octets that come between the reads of two words are lost: no manual says that the MAC keeps them.
LOSE_OCTETS = 'e1000e', 'igb', 'igc'
TEAR_SECONDS = 30
GOINGS = 3


class Process:
    """Calls again and again what make() returns, until it is stopped; `calls` counts."""

    def __init__(self, make, *args):
        self.words = memoryview(mmap.mmap(-1, 4096)).cast('Q')
        self.pid = os.fork()
        if self.pid == 0:
            try:
                call = make(*args)
                while not self.words[1]:
                    call()
                    self.words[0] += 1
            finally:
                os._exit(0)  # pylint: disable=protected-access

    @property
    def calls(self):
        return self.words[0]

    def stop(self):
        self.words[1] = 1
        os.waitpid(self.pid, 0)


@contextlib.contextmanager
def beside(*processes):
    """Each of these has called something at least once."""
    try:
        yield processes
    finally:
        for process in processes:
            process.stop()
    expect(all(process.calls for process in processes), [each.calls for each in processes])


def link_reader(name):
    """Through a file of sysfs, for which the kernel takes no lock of its own"""
    fd = os.open(f'/sys/class/net/{name}/statistics/rx_bytes', os.O_RDONLY)
    return lambda: os.pread(fd, 32, 0)


def strings_reader(name):
    reader = EthtoolReader(Links(), name)
    return reader.read if reader.names else link_reader(name)


def provider_reader(port):
    return Port(Place(), port.ifindex, port.device).poll


def report(driver, evidence):
    """Prints the defect as its maintainers could get it."""
    defect, = (each for each in json.loads(DEFECTS.read_text())['defects']
               if each['driver'] == driver.name and each.get('test') == 'driver_races.py')
    kernel = 'Linux ' + os.uname().release.split('-')[0]
    for words in (f'{driver.name}: {defect["source"]}, {kernel}:', f'    {defect["line"]}',
                  *(line for text in (
                      defect['defect'], evidence,
                      'Seen with the unmodified driver on emulated registers, in user-mode Linux '
                      'with two processors: ./dev test --user-mode-smp-kernel driver_races.py')
                    for line in textwrap.wrap(text, 72))):
        print(f'# {words}')


def grown(nic, ports, rounds):
    """By what the driver's values and the totals of the twin grow in these rounds of frames"""
    reader = EthtoolReader(Links(), nic.name)

    def values():
        ports[1].poll()
        strings = zip(reader.names, reader.read()) if reader.names else ()
        return nic.link() | dict(strings), ports[1].totals()

    before = values()
    for _ in range(rounds):
        for frame in FRAMES:
            for port in ports:
                port.inject(**frame)
    # A driver may read its registers every 2 s.
    time.sleep(LATEST)
    return [{name: value - old[name] for name, value in new.items()}
            for new, old in zip(values(), before)]


def case_of(driver):
    def function(here):
        options = ['statistics', *driver.revision]
        port, twin = (hardware(here, driver.model, options=options, line_rate_bound=1)
                      for _ in range(2))
        with on_bench(here, driver.name, port, module=driver.module or None) as nic:
            once, provided = grown(nic, (port, twin), 1)
            for _ in range(ROUNDS):
                with beside(Process(link_reader, nic.name), Process(strings_reader, nic.name),
                            Process(provider_reader, twin)):
                    many, shown = grown(nic, (port, twin), ROUND)
                wrong = {name: (value, ROUND * once[name]) for name, value in many.items()
                         if value != ROUND * once[name]}
                expect_equal(shown, {name: ROUND * value for name, value in provided.items()},
                             'the provider')
                if wrong or driver.name not in LOSE_OCTETS:
                    break
            expect_equal([name for name in wrong if not re.search('byte|octet', name)], [],
                         f'wrong: {wrong}')
            expect_equal(bool(wrong), driver.name in LOSE_OCTETS, 'octets are wrong')
            for name, (value, right) in [*wrong.items()][-1:]:
                report(driver, f'{ROUND} frames of 1024 octets received, and as many sent, while '
                               f'others read: {name} grows by {value}; by the datasheet and in '
                               f'macstats, by {right}.')
                expect(value < right, wrong)
    lost = 'loses_octets' if driver.name in LOSE_OCTETS else 'counts_each_frame_once'
    function.__name__ = f'{driver.name}_{lost}_while_others_read'
    return with_first_place(function)


@case_in_first_place
def altera_tse_shows_torn_octets_and_the_provider_does_not(here):
    """The driver reads the high word, then the low one: a carry between them makes the value 2^32
    too small."""
    driver, octets = DRIVERS['altera_tse'], (1024 - 18) << 21
    port = hardware(here, driver.model, line_rate_bound=1)

    def injector():
        own = Port(Place(), port.ifindex, port.device)
        return lambda: own.inject(direction='rx', length=1024, count=1 << 21)

    with on_bench(here, driver.name, port) as nic:
        ethtool = EthtoolReader(here.links, nic.name)
        column, missing, reads = ethtool.names.index('rx_bytes'), 0, 0
        end = time.monotonic() + TEAR_SECONDS
        with beside(Process(injector)) as (process,):
            while missing <= 0 and time.monotonic() < end:
                least = process.calls * octets
                missing, reads = least - ethtool.read()[column], reads + 1
                port.poll()
                expect(port.totals()['rx_octets_received_ok'] >= least, 'the provider')
        expect(missing > 0, f'none of {reads} values is torn')
        report(driver, f'Frames of 1024 octets, received while somebody reads: after {least} '
                       f'octets -S rx_bytes is {least - missing}; macstats shows all.')
        expect_equal(ethtool.read()[column], process.calls * octets, 'the driver, afterwards')
        port.poll()
        expect_equal(port.totals()['rx_octets_received_ok'], process.calls * octets, 'the provider')


@case_in_first_place
def a_nic_goes_while_it_is_read(here):
    for driver in map(DRIVERS.get, (*CLEARED, 'lan743x', 'r8169')):
        for _ in range(GOINGS):
            with contextlib.ExitStack() as readers:
                with on_bench(here, driver.name, hardware(here, driver.model),
                              driver.module or None) as nic:
                    processes = readers.enter_context(beside(
                        Process(link_reader, nic.name), Process(strings_reader, nic.name)))
                    wait_for(lambda: all(each.calls for each in processes), 'it is read')


main(*(case_of(DRIVERS[name]) for name in CLEARED))
