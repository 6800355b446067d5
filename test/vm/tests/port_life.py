#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A port begins before its net device and ends after it; its driver wakes the hardware for each
access, and has functions in place of a regmap. The driver is that of
test/driver/macstats_test_life.c."""

import contextlib
import errno
import os
import pathlib
import threading
import time

import cli
import uapi
from deadline import Deadline
from driver import TestDriver, reasons
from netdev import Deletions
from ports import LONGEST_WAIT_MS, KernelLog, Place, Port, reader_wait
from tap import SLOW, Failure, case, expect, expect_equal, main, wait_for

DRIVER = TestDriver('macstats_test_life')
load, unload = DRIVER.load, DRIVER.unload
PARAMETERS = DRIVER.parameters
DEL = uapi.MACSTATS_CMD_PORT_DEL_NTF
ALL_ONES = 0xffffffff
FIRST = 'rx_good_frames'    # the first counter of cpsw


def do(what):
    (PARAMETERS / 'do').write_text(what)


def expect_rejected(what, error):
    try:
        do(what)
    except OSError as rejected:
        expect_equal(rejected.errno, error, what)
    else:
        raise Failure(f'{what} succeeds')


def fall_asleep():
    """Not in the middle of a poll."""
    def asleep():
        with contextlib.suppress(OSError):
            do('sleep')
            return True
        return False
    wait_for(asleep, 'the hardware sleeps')


class Driver:
    """The one port of the loaded driver."""

    def __init__(self, here):
        self.place = here

    @property
    def name(self):
        with self.place.inside():
            name, = (entry.name for entry in pathlib.Path('/sys/class/net').iterdir()
                     if (entry / 'device').exists()
                     and 'macstats_test_life' in os.readlink(entry / 'device'))
        return name

    def port(self):
        found = [port for port in self.place.ports() if port['name'] == self.name]
        return Port(self.place, found[0]['ifindex'], None) if found else None

    def total(self):
        return self.port().totals()[FIRST]

    def pause_statistics(self):
        with self.place.inside():
            parameters, = cli.json_output('ethtool', '--json', '-I', '-a', self.name)
        return parameters.get('statistics', {})

    def seen(self):
        """{how it is read: the first total}"""
        fresh = self.total()    # ip shows the last poll
        with self.place.inside():
            link = cli.json_output('ip', '-j', '-s', 'link', 'show', self.name)[0]['stats64']
            groups = cli.json_output('ethtool', '--json', '-S', self.name, '--groups', 'eth-mac')
            return {'ethtool': cli.ethtool_statistics(self.name)[FIRST],
                    'netlink': fresh, 'ip': link['rx']['packets'],
                    'eth-mac': groups[0]['eth-mac']['FramesReceivedOK']}


@contextlib.contextmanager
def loaded(**parameters):
    with DRIVER.loaded(**parameters) as here:
        yield Driver(here)


def everywhere(total):
    return dict.fromkeys(('ethtool', 'netlink', 'ip', 'eth-mac'), total)


@case
def a_port_is_registered_before_its_net_device_or_shared_with_it():
    for order in ('early', 'devm', 'init', 'alone'):
        with loaded(order=order) as driver:
            if order == 'alone':
                do('count 4')
                do('share')
                expect_equal(driver.place.ports(), [], 'a port whose net device is not registered')
                do('register')
            do('count 5')
            expect_equal(driver.seen(), everywhere(9 if order == 'alone' else 5), order)
            with driver.place.inside():
                lines = cli.output('ethtool', '-S', driver.name).splitlines()
            expect_equal(len(lines) - 1, 34, f'{order}: the datasheet has 34 counters')


def expect_no_statistics(driver):
    with driver.place.inside():
        statistics = cli.run('ethtool', '-S', driver.name)
        groups = cli.json_output('ethtool', '--json', '-S', driver.name, '--groups',
                                 'eth-phy', 'eth-mac', 'eth-ctrl', 'rmon')
        interval = [cli.run('ethtool', '-c', driver.name),
                    cli.run('ethtool', '-C', driver.name, 'stats-block-usecs', '1000000')]
        registers = cli.octets('ethtool', '-d', driver.name, 'raw', 'on')
    expect('no stats available' in statistics.stderr, statistics.stderr)
    expect_equal(groups, [{'ifname': driver.name, 'eth-phy': {}, 'eth-mac': {}, 'eth-ctrl': {},
                           'rmon': {}}], 'groups')
    expect_equal(driver.pause_statistics(), {}, 'pause')
    expect(all(done.returncode for done in interval), interval)
    expect_equal(registers, b'', 'registers')


@case
def a_net_device_that_is_registered_gets_no_port():
    """The number of its strings must not change."""
    log = KernelLog()
    error = load(order='late')
    expect('Invalid' in error, error)
    with loaded(order='alone') as driver:
        do('register')
        expect_rejected('share', errno.EINVAL)
        expect_no_statistics(driver)
    # A write that fails is made twice.
    expect_equal(set(reasons(log)), {'the net device was registered before its port'})


@case
def a_net_device_ends_before_its_port():
    with loaded() as driver:
        do('count 5')
        expect_equal(driver.total(), 5)
        events = driver.place.listen()
        do('unregister')
        expect_equal([command for command, _ in events.events(1)], [DEL])
        expect_equal(driver.place.ports(), [])
        do('count 5')
        do('reset')


@case
def a_port_that_ends_too_early_leaves_no_statistics():
    log = KernelLog()
    with loaded() as driver:
        do('count 5')
        expect_equal(driver.total(), 5)
        events = driver.place.listen()
        do('end')
        expect_equal([command for command, _ in events.events(1)], [DEL])
        expect_no_statistics(driver)
        with driver.place.inside():
            cli.output('ip', 'link', 'set', driver.name, 'name', 'ended')
    expect_equal(sum('the port ends before its net device' in line for line in log.lines()), 1)


# 2^32 octets of both directions of three ports take 5.7 s at 1 Gb/s, the highest speed of cpsw.
@case
def a_link_that_is_down_may_come_up_at_any_speed():
    with loaded(rate=10_000_000) as driver:
        def ceiling():
            return driver.port().state()['poll_ceiling_usecs']
        expect_equal(ceiling(), 286331153, 'at 10 Mb/s')
        do('speed 0')
        expect_equal(ceiling(), 2863311, 'down')
        do('speed 100000000')
        expect_equal(ceiling(), 28633115, 'at 100 Mb/s')
        for speed in 999999, 10**13 + 1:
            expect_rejected(f'speed {speed}', errno.ERANGE)
        expect_equal(ceiling(), 28633115, 'still')


@case
def the_last_message_about_a_net_device_has_its_statistics():
    """Programs that account for interfaces use it."""
    for order in 'early', 'init':
        expect_equal(load(order=order), '')
        with contextlib.closing(Place()) as here:
            port = Driver(here).port()
            do('count 6')
            expect_equal(port.totals()[FIRST], 6)
        with contextlib.closing(Deletions()) as deletions:
            unload()
            expect_equal(deletions.heard().get(port.ifindex), 6, f'{order}: received packets')


@case
def a_net_device_has_one_port():
    log = KernelLog()
    error = load(order='twice')
    # Newer kernels have EBUSY for EEXIST of a module's init: that would mean that it is loaded.
    expect('File exists' in error or 'busy' in error, error)
    expect_equal(sum('the net device has a port already' in line for line in log.lines()), 1)


@case
def hardware_that_is_not_shared_serves_one_net_device():
    log = KernelLog()
    with loaded(order='alone') as driver:
        do('share')
        expect_rejected('share', errno.EINVAL)
        do('register')
        do('count 2')
        expect_equal(driver.total(), 2)
    expect_equal(set(reasons(log)), {'the hardware is not registered as shared'})


@case
def neither_polls_nor_readers_nor_the_end_of_its_port_wake_sleeping_hardware():
    with loaded() as driver:
        driver.port().set_poll_interval(100_000)
        do('count 1')
        wait_for(lambda: driver.port().stats(cached=True)['values'][0] == 1, 'a poll')

        def sleeps_on():
            with contextlib.suppress(OSError):    # it is in use
                do('sleep')
            time.sleep(1)    # ten poll intervals
            return (PARAMETERS / 'sleeps').read_text() == 'Y\n'
        # A poll that has begun before the hardware sleeps may wake it, once.
        wait_for(sleeps_on, 'hardware that sleeps on')
        expect_equal(driver.port().stats(cached=True)['values'][0], 1)
        expect_equal((PARAMETERS / 'sleeps').read_text(), 'Y\n', 'after a cached read')
        for _ in range(2):
            stats = driver.port().stats()
            expect_equal((stats['values'][0], 'stale' in stats), (1, True), 'a fresh read')
        with driver.place.inside():
            expect_equal(cli.ethtool_statistics(driver.name)[FIRST], 1)
            cli.output('ethtool', '-d', driver.name)
        time.sleep(1)    # polls that these have asked for would have begun
        expect_equal((PARAMETERS / 'sleeps').read_text(), 'Y\n', 'after fresh reads')
        do('unregister')
        do('end')
        expect_equal((PARAMETERS / 'sleeps').read_text(), 'Y\n', 'after the end')


@case
def polls_go_on_after_a_sleep_that_came_before_the_poll_of_a_new_speed():
    with loaded(queue=1) as driver:
        driver.port().set_poll_interval(100_000)
        do(f'delay {1000 * SLOW:.0f}')
        do('speed 100000000')
        fall_asleep()
        time.sleep(1.5 * SLOW)    # the poll is due, and must not come
        expect_equal((PARAMETERS / 'sleeps').read_text(), 'Y\n')
        do('resume')
        do('count 1')
        wait_for(lambda: driver.port().stats(cached=True)['values'][0] == 1,
                 'a poll, without a reader that asks for it')


@contextlib.contextmanager
def dump_behind_other_work(driver, seconds):
    """A register dump, while work of the driver occupies its workqueue so long. Yields the thread,
    and a list for the values."""
    values = []

    def read():
        values.extend(value for _, value in driver.place.links.registers(name)[1])
    name = driver.name
    reader = threading.Thread(target=read)
    with reader_wait(LONGEST_WAIT_MS):
        do(f'delay {1000 * seconds:.0f}')
        reader.start()
        time.sleep(seconds / 4)
        try:
            yield reader, values
        finally:
            reader.join()


@case
def register_dumps_at_the_same_time_are_all_whole():
    """One of ethtool, and one of the driver itself, without RTNL."""
    with (loaded(queue=1) as driver,
          dump_behind_other_work(driver, 0.5 * SLOW) as (reader, values)):
        do('dump')
        reader.join()
        expect(values and ALL_ONES not in values, values)


@case
def a_register_dump_does_not_wake_hardware_that_has_fallen_asleep_before_it():
    with loaded(queue=1) as driver:
        with dump_behind_other_work(driver, SLOW):
            fall_asleep()
        time.sleep(1.5 * SLOW)    # the work would have begun
        expect_equal((PARAMETERS / 'sleeps').read_text(), 'Y\n')


@case
def the_end_of_a_port_does_not_wait_for_a_register_dump():
    with (loaded(queue=1) as driver,
          dump_behind_other_work(driver, LONGEST_WAIT_MS / 1000)):
        began = time.monotonic()
        do('end')
        taken = time.monotonic() - began
        expect(taken < LONGEST_WAIT_MS / 4000, f'{taken} s')


@case
def the_driver_makes_the_registers_accessible_for_each_access():
    """The driver warns of an access outside of get() and put()."""
    with loaded() as driver:
        do('count 2')
        expect_equal(driver.total(), 2)
        fall_asleep()
        expect_equal(driver.total(), 2, 'asleep')
        do('resume')
        do('count 3')
        with driver.place.inside():
            cli.output('ethtool', '-d', driver.name)
            expect_equal(cli.ethtool_statistics(driver.name)[FIRST], 5)


@case
def a_port_whose_driver_gives_no_access_is_stale_and_loses_nothing():
    with loaded() as driver:
        do('count 2')
        expect_equal(driver.total(), 2)
        (PARAMETERS / 'get_error').write_text(str(-errno.EBUSY))
        do('count 4')
        stats = driver.port().stats()
        expect_equal((stats['values'][0], 'stale' in stats), (2, True))
        (PARAMETERS / 'get_error').write_text('0')
        # No reader waits for a port that is stale.
        wait_for(lambda: driver.port().stats()['values'][0] == 6, 'a good poll')
        state = driver.port().state()
        expect_equal(('stale' in state, 'possible_loss' in state), (False, False))
    log = KernelLog()
    error = load(get_error=-errno.EBUSY)
    expect('busy' in error, error)
    expect_equal(reasons(log), [f'get() failed, error {-errno.EBUSY}'])


@case
def a_first_read_that_fails_is_logged():
    log = KernelLog()
    error = load(read_error=-errno.EIO)
    expect('Input/output error' in error, error)
    expect_equal(reasons(log),
                 ['the first read of the counters failed: the registers cannot be reached'])


@case
def no_register_is_read_while_the_clocks_stand_still():
    """The driver of any model may say so, and warns of an access."""
    with loaded(stopped=1) as driver:
        stats = driver.port().stats()
        expect_equal((stats['values'][0], 'stale' in stats), (0, True), 'from the beginning')
        (PARAMETERS / 'stopped').write_text('0')
        wait_for(lambda: 'stale' not in driver.port().stats(), 'a good poll')
        do('count 3')
        expect_equal(driver.total(), 3, 'with clocks')
        (PARAMETERS / 'stopped').write_text('1')
        do('count 4')
        stats = driver.port().stats()
        expect_equal((stats['values'][0], 'stale' in stats), (3, True), 'without them again')


@case
def a_port_may_be_registered_as_suspended():
    """What the hardware counts before the driver resumes it is part of the baseline."""
    with loaded(order='init', suspended=1) as driver:
        do('count 2')
        stats = driver.port().stats()
        expect_equal((stats['values'][0], 'stale' in stats), (0, True), 'suspended')
        do('resume')
        do('count 3')
        expect_equal(driver.seen(), everywhere(3), 'resumed')


@case
def packets_of_ip_may_stay_those_of_the_driver():
    """It counts none."""
    with loaded(own_packets=1) as driver:
        do('count 5')
        expect_equal(driver.seen(), everywhere(5) | {'ip': 0}, 'the first counter of cpsw')
        rtnl = cli.shown(driver.port())['standard']['rtnl']
        expect_equal([name for name in rtnl if name.endswith(('packets', 'bytes'))], [],
                     'those that ip shows otherwise')


@case
def a_resume_of_what_is_not_suspended_delays_no_poll():
    with loaded() as driver:
        port = driver.port()
        before = port.stats(cached=True)['generation']
        # Far more often than its interval, of a second, whatever wait_for() would do.
        deadline = Deadline()
        while port.stats(cached=True)['generation'] == before:
            expect(deadline.left() > 0, 'no poll')
            do('resume')
            time.sleep(0.01)


@case
def a_reset_that_the_driver_reports_keeps_the_totals():
    with loaded() as driver:
        do('count 5')
        expect_equal(driver.total(), 5, 'before')
        do('reset')
        stats = driver.port().stats()
        expect_equal((stats['values'][0], stats['discontinuities'], 'stale' in stats),
                     (5, 1, False), 'after the reset')
        do('count 3')
        expect_equal(driver.total(), 8, 'three more')


@case
def a_poll_of_hardware_that_is_gone_stops_at_its_next_access():
    with loaded() as driver:
        def accesses():
            return int((PARAMETERS / 'accesses').read_text())
        (PARAMETERS / 'access_ms').write_text('300')    # time for the unplug
        before = accesses()
        reader = threading.Thread(target=driver.port().stats)
        reader.start()
        wait_for(lambda: accesses() > before, 'the first access')
        do('unplug')
        reader.join()
        expect(accesses() - before < 30, f'{accesses() - before} accesses, 34 read all counters')
        expect('stale' in driver.port().stats(cached=True), 'the last totals are marked')


@case
def hardware_that_is_gone_is_accessed_by_no_reset_and_no_resume():
    with loaded() as driver:
        do('count 5')
        expect_equal(driver.total(), 5, 'before')
        do('unplug')
        for what in 'reset', 'resume':
            do('count 2')    # a read would see it
            expect_rejected(what, errno.ENODEV)
            stats = driver.port().stats()
            expect_equal((stats['values'][0], 'stale' in stats), (5, True), what)


@case
def hardware_that_falls_asleep_between_polls_never_deadlocks_them():
    with loaded() as driver:
        until, stop = time.monotonic() + 2, threading.Event()
        reads = []

        def read():
            with contextlib.closing(Place()) as here:
                while not stop.is_set():
                    reads.append(here.stats()[0]['values'][0])

        readers = [threading.Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        slept = 0
        while time.monotonic() < until or not (slept and reads):
            do('count 1')
            with contextlib.suppress(OSError):    # it is in use
                do('sleep')
                slept += 1
                do('resume')
        stop.set()
        for reader in readers:
            reader.join()
        # Counts of the time between the last read of a suspend and the resume are not there.
        expect(driver.total() >= max(reads), f'{driver.total()} after {max(reads)}')


@case
def a_config_that_is_not_accepted_is_rejected_by_the_name_of_its_field():
    DRIVER.expect_rejected(
        ({'bus': 'read'}, 'ops: reg_update_bits is missing'),
        ({'bus': 'update'}, 'ops: reg_read is missing'),
        ({'bus': 'put'}, 'ops: get is missing'),
        ({'bus': 'none'}, 'the driver gives neither regmap nor reg_read'),
        ({'bus': 'error'}, 'the driver gives neither regmap nor reg_read'),
        ({'bus': 'regmap'}, 'the driver gives regmap and reg_read, one is accepted'),
        ({'bus': 'fast'}, 'MACSTATS_PORT_FAST_IO: not with ops.get, which may sleep'),
        ({'rate': 999_999},
         'line_rate_bps: 999999 is not possible, 1000000 to 10000000000000 are'),
        ({'rate': 10**13 + 1},
         'line_rate_bps: 10000000000001 is not possible, 1000000 to 10000000000000 are'),
        ({'model': 'none'}, 'model is missing'))


main()
