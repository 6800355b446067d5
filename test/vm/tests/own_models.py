#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Models that only a driver has: they are shown as any other, whatever their name is, and nothing
refers to them once their driver is unloaded. The drivers are those of test/driver."""

import collections
import contextlib
import errno
import itertools
import pathlib
import struct
import subprocess
import threading
import time

import cli
import uapi
from driver import TestDriver
from genl import (COUNTER, MODEL, NLM_F_DUMP, NLMSG_DONE, Family, Interrupted, Rejected,
                  reject_if_error)
from netdev import EthtoolReader
from ports import DEFAULT_WAIT_MS, Place, reader_wait
from tap import Failure, case, expect, expect_equal, main, wait_for

DRIVER, LIFE = TestDriver('macstats_test_driver'), TestDriver('macstats_test_life')
TABLE = 'a table has no rows, or more than MACSTATS_MAX_*'
TEXT = 'a text is missing or too long'
# The counters of own_model.
NAMES = ['rx_frames', 'rx_fcs_errors', 'tx_frames', 'tx_own_events', 'rx_64', 'rx_65_to_127',
         'rx_128_to_255', 'rx_256_to_511', 'rx_512_to_1023', 'rx_1024_to_1518', 'rx_1519_up']


@contextlib.contextmanager
def loaded(**parameters):
    """The ports of the driver, and a place."""
    with DRIVER.loaded(**parameters) as here:
        yield here.ports(), here


@case
def a_model_with_which_the_provider_would_read_beyond_an_array_is_rejected():
    for broken, message in (
            ('no_name', TEXT), ('long_name', TEXT), ('no_title', TEXT), ('long_datasheet', TEXT),
            ('no_counters', TABLE), ('counters', TABLE), ('registers', TABLE),
            ('no_blocks', TABLE), ('blocks', TABLE), ('reserved', TABLE), ('regions', TABLE),
            ('no_counter_table', 'a table is missing'),
            ('no_register_table', 'a table is missing'),
            ('no_tx_status_table', 'a table is missing'),
            ('no_rx_status_table', 'a table is missing'),
            ('wide_bus', 'bus_bits is not 8, 16 or 32'), ('no_unit', 'address_unit_bits is 0'),
            ('no_rate', 'line_rate_bps is not possible'),
            ('register_block', 'block of a register is no block of the model'),
            ('no_help', f'counters[1]: {TEXT}'), ('no_reg', f'counters[1]: {TEXT}'),
            ('long_help', f'counters[1]: {TEXT}'),
            ('no_bits', 'counters[1]: bits is not 1 to 64'),
            ('many_bits', 'counters[1]: bits is not 1 to 64'),
            ('block', 'counters[1]: block is no block of the model'),
            ('stride', 'counters[1]: port_stride needs that of the model'),
            ('size', 'counters[1]: size is no size class'),
            ('standard', 'counters[1]: standard is no standard statistic')):
        name = {'no_name': '(null)', 'long_name': 'x' * 63}.get(broken, 'own')
        DRIVER.expect_rejected(({'broken': broken}, f'model: {name}: {message}'))
    with contextlib.closing(Place()) as here:
        expect_equal((here.models(), here.ports()), ([], []), 'what was rejected')


@case
def a_model_of_the_driver_is_shown_as_any_other():
    with loaded(model='own', counting=1) as (ports, here):
        expect_equal([port['model'] for port in ports], ['own'] * 2)
        model, = here.models()
        expect_equal({key: model[key] for key in ('name', 'title', 'datasheet', 'ports',
                                                  'line_rate', 'counters')},
                     {'name': 'own', 'title': 'A MAC of the test driver', 'datasheet': 'None',
                      'ports': 1, 'line_rate': 10**9, 'counters': len(NAMES)})
        expect_equal([port['model_id'] for port in ports], [model['id']] * 2)
        reply, = here.query.do(uapi.MACSTATS_CMD_MODEL_GET, MODEL.encode(id=model['id']))
        expect_equal(MODEL.decode(reply), model)
        rows = here.counters('own')
        expect_equal([row['name'] for row in rows], NAMES)
        expect_equal((rows[3]['register'], rows[3]['description'], rows[3]['offset']),
                     ('TxOwnEvents', 'Sent frames that no other model counts', 12))

        before = here.stats()[0]['values']
        seen = cli.ethtool_statistics(ports[0]['name'])
        after = here.stats()[0]['values']
        expect_equal(list(seen), NAMES)
        for name, low, value, high in zip(NAMES, before, seen.values(), after):
            expect(low < value < high, f'{name}: {low}, {value}, {high}')


@case
def the_command_shows_a_port_of_a_model_that_it_lacks_with_the_kernels_statistics():
    with loaded(model='own', counting=1, alone=1) as (ports, _):
        name = ports[0]['name']
        for words, wanted in ((('show', name), 'own'), (('ports',), 'own'),
                              (('show', '--model', 'own'), 'tx_own_events'),
                              (('watch', name, '--interval', '1', '--count', '2'), NAMES[0])):
            text = cli.output(cli.MACSTATS, *words)
            expect(wanted in text and name in text, f'{words}: {text}')
        shown, = cli.macstats_json('show', name)
        expect_equal(list(shown['totals']), NAMES)
        groups = 'eth-mac', 'eth-ctrl', 'rmon'
        ethtool, = cli.json_output('ethtool', '--json', '-S', name, '--groups', *groups)
        for group in groups:
            statistics = shown['standard'].get(group, {})
            expect_equal(list(statistics), list(ethtool[group]), group)
            for statistic, value in statistics.items():
                later = ethtool[group][statistic]
                if isinstance(value, int):
                    expect(0 < value <= later, f'{group}: {statistic}: {value}, {later}')
                else:
                    expect_equal([(one['low'], one['high']) for one in value],
                                 [(one['low'], one['high']) for one in later], statistic)
        expect(shown['standard']['rmon'], 'a histogram')
        cli.output(cli.MACSTATS, 'tag', 'add', 'now')
        since, = cli.macstats_json('show', name, '--since', 'now')
        later, = cli.macstats_json('show', name)
        expect(0 < since['standard']['rtnl']['rx_packets'] <
               later['standard']['rtnl']['rx_packets'], since['standard'])
        text = cli.output(cli.MACSTATS, 'export', '--textfile', '-')
        expect(f'macstats_rtnl_rx_packets_total{{port="{name}",model="own"}}' in text, text)
        for counter in NAMES:
            expect(f'macstats_own_{counter}' in text, f'{counter}: {text}')
        reached = cli.macstats_json('events', '--timeout', '0', '--threshold', f'{NAMES[0]}=1')
        expect_equal((reached['port'], reached['counter']), (name, NAMES[0]), 'the threshold')
        for words, named in ((('registers', name), 'own'), (('model', 'own'), 'own'),
                             (('emu', 'add', 'own'), 'own'),
                             (('events', '--threshold', 'nosuch=1'), 'nosuch'),
                             (('show', '--model', 'nosuch'), 'nosuch')):
            done = cli.macstats(*words)
            expect(done.returncode == 2 and named in done.stderr,
                   f'{words}: {done.returncode}, {done.stderr}')


@case
def a_model_of_the_driver_may_be_registered_again():
    numbers = set()
    for _ in range(2):
        with loaded(model='own', again=1) as (ports, here):
            expect_equal([port['model'] for port in ports], ['own'] * 2)
            model, = here.models()
            numbers.add(model['id'])
    expect_equal(len(numbers), 2, f'the second module has a model of its own: {numbers}')


def samples(text, family):
    """{port: value} of a family."""
    found = {}
    for line in text.splitlines():
        if line.startswith(f'{family}{{'):
            found[line.split('port="')[1].split('"')[0]] = int(line.split()[-1])
    return found


@case
def two_models_of_one_name_are_shown_each_with_its_own_counters():
    """The other one is that of an emulated switch."""
    with loaded(model='namesake', counting=1, alone=1) as (ports, here):
        switch = here.add('cpsw', quiet=False)
        listener = here.listen()
        try:
            switch.inject(5, length=100)
            mine, names = ports[0]['name'], switch.counter_names()
            numbers = {port['name']: port['model_id'] for port in here.ports()}
            expect(numbers[mine] != numbers[switch.name], numbers)
            expect_equal(sorted((model['name'], model['id'], model['counters'])
                                for model in here.models()),
                         sorted([('cpsw', numbers[mine], len(NAMES)),
                                 ('cpsw', numbers[switch.name], 34)]))
            expect_equal([row['name'] for row in here.counters_of(numbers[mine])], NAMES)
            wanted = {mine: NAMES, switch.name: names}
            for words in ('show',), ('show', '--model', 'cpsw'):
                shown = {port['port']: port for port in cli.macstats_json(*words)}
                expect_equal({name: list(port['totals']) for name, port in shown.items()}, wanted,
                             words)
                expect_equal(shown[switch.name]['totals']['rx_good_frames'], 5, words)
                expect(shown[mine]['totals']['tx_own_events'] > 0, words)
            expect_equal({port['port'] for port in cli.macstats_json('ports', '--model', 'cpsw')},
                         set(wanted), 'ports')
            text = cli.output(cli.MACSTATS, 'export', '--textfile', '-', '--all')
            expect_equal(set(samples(text, 'macstats_cpsw_tx_own_events_frames_total')), {mine})
            expect_equal(samples(text, 'macstats_cpsw_rx_good_frames_total'), {switch.name: 5})
            expect_equal(set(samples(text, 'macstats_rtnl_rx_packets_total')), set(wanted))
            watched = cli.output(cli.MACSTATS, 'watch', '--interval', '1', '--count', '2')
            expect('tx_own_events' in watched and mine in watched, watched)
            expect(cli.macstats_json('registers', switch.name)['counters'], 'registers')
            done = cli.macstats('registers', mine)
            expect(done.returncode == 2 and 'other counters' in done.stderr, done.stderr)
        finally:
            switch.delete()
        events = [said['name'] for _, said in listener.events(1)]
        expect_equal(events[-1], switch.name, 'the last event')


@case
def events_have_the_names_of_counters_of_a_model_of_the_driver():
    """A counter of a model of the same name with that number is another one."""
    with loaded(model='namesake', forced_at=0, alone=1) as (ports, here):
        name = ports[0]['name']

        def counted(value):
            (DRIVER.parameters / 'forced').write_text(str(value))
            before = here.stats()[0]['generation']
            wait_for(lambda: here.stats()[0]['generation'] > before, 'a poll')
        with subprocess.Popen([cli.MACSTATS, 'events', '--count', '1', '--json'],
                              stdout=subprocess.PIPE, text=True, env=cli.ENVIRONMENT) as process:
            # More than the line can carry: a discontinuity.
            values = itertools.cycle(range(1 << 28, 1 << 32, 1 << 28))

            def heard():
                counted(next(values))
                return process.poll() is not None
            wait_for(heard, 'an event')
            said = process.stdout.read()
        expect('"discontinuity"' in said and '"rx_frames"' in said and f'"{name}"' in said, said)


def parts_of(family):
    """The counters in each part of the dump that was requested. Raises Rejected."""
    while True:
        messages = family.socket.receive()
        yield [COUNTER.decode(data[4:]) for kind, _, _, data in messages if kind == family.id]
        for kind, flags, _, data in messages:
            if kind == NLMSG_DONE:
                reject_if_error(kind, flags, data)
                return


@case
def a_dump_of_counters_ends_with_the_driver_of_their_model():
    with loaded() as (ports, here):
        rows = here.counters('cpsw')
        family = Family(uapi.MACSTATS_GENL_NAME, largest=4096)
        family.socket.send(family.id, NLM_F_DUMP,
                           struct.pack('=BBH', uapi.MACSTATS_CMD_COUNTER_GET, 1, 0) +
                           COUNTER.encode(model_id=ports[0]['model_id']))
        found = parts_of(family)
        first = next(found)
    try:
        for part in found:
            first += part
    except Rejected as rejected:
        expect_equal(rejected.errno, errno.ENOENT, 'the end')
    else:
        raise Failure('the dump did not notice')
    family.close()
    expect(0 < len(first) < len(rows), f'{len(first)} of {len(rows)} counters')
    expect_equal(first, rows[:len(first)])


class Readers:
    """Threads that read all ports in every way, over and over. `seen` counts the reads that
    found the port of a driver."""

    def __init__(self):
        self.stop, self.failures = threading.Event(), []
        self.seen = collections.Counter()
        self.ways = (self.dump_ports, self.dump_stats, self.dump_models, self.read_strings,
                     self.read_groups, self.read_registers, self.read_proc, self.listen)
        self.threads = [threading.Thread(target=self.run, args=(way,)) for way in self.ways]

    def run(self, way):
        try:
            with contextlib.closing(Place()) as here:
                while not self.stop.is_set():
                    # A port ends at any time.
                    with contextlib.suppress(OSError, Interrupted):
                        self.seen[way.__name__] += way(here)
        except Exception as failure:  # pylint: disable=broad-except
            self.failures.append(failure)

    def dump_ports(self, here):
        return len(here.ports())

    def dump_stats(self, here):
        return len(here.stats())

    def dump_models(self, here):
        return sum(bool(here.counters_of(model['id'])) for model in here.models())

    def names(self, here):
        return [port['name'] for port in here.ports()]

    def read_strings(self, here):
        return sum(len(EthtoolReader(here.links, name).read()) > 0 for name in self.names(here))

    def read_groups(self, here):
        return sum(cli.run('ethtool', '-S', name, '--all-groups').returncode == 0
                   for name in self.names(here))

    def read_registers(self, here):
        return sum(cli.run('ethtool', '-d', name).returncode == 0 for name in self.names(here))

    def read_proc(self, here):
        lines = pathlib.Path('/proc/net/dev').read_text().splitlines()[2:]
        names = {line.split(':')[0].strip() for line in lines}
        return len(names & set(self.names(here)))

    def listen(self, here):
        if not here.others:
            here.listen()
        time.sleep(0.01)
        return len(here.others[0].events())

    def wait(self, speak):
        """Until each way has found a port; speak() makes an event."""
        self.seen.clear()

        def all_have_read():
            speak()
            return self.failures or all(self.seen[way.__name__] for way in self.ways)
        wait_for(all_have_read, f'a read in each way: {self.seen}')


@contextlib.contextmanager
def readers():
    one = Readers()
    for thread in one.threads:
        thread.start()
    try:
        yield one
    finally:
        one.stop.set()
        for thread in one.threads:
            thread.join()
    expect_equal(one.failures, [])


@case
def a_driver_is_unloaded_with_its_model_while_everybody_reads_it():
    """One has slow hardware, whose readers wait for a poll when it ends."""
    with readers() as some, reader_wait(DEFAULT_WAIT_MS):
        for order, access_ms in (('early', 0), ('init', 0), ('devm', 0), ('early', 1)):
            expect_equal(LIFE.load(order=order, access_ms=access_ms), '', order)
            do = LIFE.parameters / 'do'
            some.wait(lambda: do.write_text('reset'))    # noqa: B023 # an event
            LIFE.unload()
        for parameters in ({}, {'ends': 0}, {'ends': 1}) * 4:
            expect_equal(DRIVER.load(model='own', forced_at=0x80, **parameters), '',
                         parameters)
            DRIVER.unload()


main()
