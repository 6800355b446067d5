# SPDX-License-Identifier: GPL-2.0
"""What a driver on the bench shows of frames of each kind, one kind after the other, and at wraps,
while nobody reads, at a reset of the hardware, and at down and up; what the datasheet says of the
same frames, and what the provider shows."""

import dataclasses
import functools
import re
import struct
import time

import cli
from bench_drivers import statistics
from netdev import IFLA_STATS64, EthtoolReader
from ports import KernelLog
from tap import expect_equal

# In this order, a frame that shows a statistic alone comes first.
FRAMES = (
    ('received frames of 1024 octets', {'direction': 'rx', 'length': 1024}),
    ('received broadcast frames of 100 octets',
     {'direction': 'rx', 'length': 100, 'destination': 'broadcast'}),
    ('received multicast frames of 1518 octets',
     {'direction': 'rx', 'length': 1518, 'destination': 'multicast'}),
    ('received frames with a bad FCS', {'direction': 'rx', 'errors': ['fcs']}),
    ('received frames with an alignment error', {'direction': 'rx', 'errors': ['alignment']}),
    ('received frames with a code error', {'direction': 'rx', 'errors': ['code']}),
    ('received frames with a wrong length field',
     {'direction': 'rx', 'errors': ['payload_length']}),
    ('received frames for which the FIFO had no room', {'direction': 'rx', 'errors': ['overrun']}),
    ('received frames for which memory had no room', {'direction': 'rx', 'errors': ['no_buffer']}),
    ('received frames of 40 octets', {'direction': 'rx', 'length': 40}),
    ('received frames of 40 octets with a bad FCS',
     {'direction': 'rx', 'length': 40, 'errors': ['fcs']}),
    ('received frames of 20000 octets', {'direction': 'rx', 'length': 20000}),
    ('received frames of 20000 octets with a bad FCS',
     {'direction': 'rx', 'length': 20000, 'errors': ['fcs']}),
    ('received pause frames', {'direction': 'rx', 'kind': 'pause', 'destination': 'multicast'}),
    ('received control frames', {'direction': 'rx', 'kind': 'control'}),
    ('transmitted frames of 1024 octets', {'direction': 'tx', 'length': 1024}),
    ('transmitted broadcast frames', {'direction': 'tx', 'destination': 'broadcast'}),
    ('transmitted multicast frames', {'direction': 'tx', 'destination': 'multicast'}),
    ('pause frames of the MAC',
     {'direction': 'tx', 'kind': 'pause', 'destination': 'multicast', 'origin': 'mac'}),
    ('transmitted frames with an underrun', {'direction': 'tx', 'errors': ['underrun']}),
)
HALF_DUPLEX = (
    ('transmitted frames with a collision', {'direction': 'tx', 'collisions': 1}),
    ('transmitted frames with two collisions', {'direction': 'tx', 'collisions': 2}),
    ('transmitted frames with a late collision', {'direction': 'tx', 'errors': ['late_collision']}),
    ('transmitted frames with 16 collisions',
     {'direction': 'tx', 'errors': ['excessive_collisions'], 'collisions': 16}),
    ('transmitted frames that were deferred', {'direction': 'tx', 'deferred': True}),
    ('transmitted frames that were deferred for too long',
     {'direction': 'tx', 'errors': ['excessive_deferral']}),
    ('transmitted frames without a carrier', {'direction': 'tx', 'errors': ['carrier_loss']}),
)
KINDS = dict(FRAMES + HALF_DUPLEX)
OCTETS = FRAMES[0][0], FRAMES[15][0]
COUNT = 5
# In the kernel's log; without places in its code, which each build has elsewhere.
REPORT, PLACE = re.compile(r'\b(BUG|WARNING): .*'), re.compile(r'\+0x\w+/0x\w+')
IEEE_OCTETS = {'rx': 'eth-mac/OctetsReceivedOK', 'tx': 'eth-mac/OctetsTransmittedOK'}
HEADER_AND_FCS = 18
# Drivers read their registers up to every 2 s.
LATEST = 2.5

_MEMBERS = ('rx_packets tx_packets rx_bytes tx_bytes rx_errors tx_errors rx_dropped tx_dropped '
            'multicast collisions rx_length_errors rx_over_errors rx_crc_errors rx_frame_errors '
            'rx_fifo_errors rx_missed_errors tx_aborted_errors tx_carrier_errors tx_fifo_errors '
            'tx_heartbeat_errors tx_window_errors').split()


def flat(groups):
    """{group/name: value} of the groups of JSON, {group: {name: value or a list of buckets}}"""
    found = {}
    for group, members in groups.items():
        for name, value in members.items() if isinstance(members, dict) else ():
            if isinstance(value, list):
                found |= {f'{group}/{name} {bucket["low"]} to {bucket["high"]}': bucket['val']
                          for bucket in value}
            elif value is not None:
                found[f'{group}/{name}'] = value
    return found


@functools.cache
def model_of(name):
    return cli.macstats_json('model', name)


def octets_ok(length, kind='data', errors=(), **_):
    """IEEE 802.3 30.3.1.1.8 and .14: octets of data and padding, without tags here. None: that
    depends on what is in the frame, or on what the MAC takes for good."""
    if kind != 'data' or not 64 <= length <= 1518 or set(errors) - {'fcs', 'alignment', 'code'}:
        return None
    return 0 if errors else length - HEADER_AND_FCS


@functools.cache
def counted(model, setup, kind):
    """What the datasheet says of one frame: ({statistic: value}, {counter: value}). @setup: words
    of the command, the options and registers of the hardware"""
    frame = KINDS[kind]
    words = [word for key, value in frame.items() for word in
             (f'--{key}', ','.join(value) if isinstance(value, list) else value)
             if word is not True]
    found, = cli.macstats_json('count', model, *words, *setup)['models']
    standard = flat(found['standard'])
    standard[IEEE_OCTETS[frame['direction']]] = octets_ok(**{'length': 64} | frame)
    return standard, {counter['name']: counter['value'] for counter in found['counters']}


@dataclasses.dataclass
class Step:
    """@event: alone, wrap, silence, down, reset or open. @frames: how many of each kind; or what a
    register holds. The others: by how much each statistic has grown; @provider: None: it was not
    asked."""
    event: str
    frames: dict
    datasheet: dict
    driver: dict
    provider: dict | None
    judged: set | None = None   # the counters of which the step says something; None: all


class Bench:
    """A driver on its hardware. @twin: another device, of which the provider reads the same: on the
    driver's, reads would clear what it counts. @option: words of the command"""

    def __init__(self, here, nic, driver, port=None, twin=None, option=()):
        self.here, self.nic, self.driver = here, nic, driver
        self.port, self.twin, self.setup = port, twin, option
        if twin is not port:
            self.setup += tuple(self.copy_settings())
        self.ethtool = EthtoolReader(here.links, nic.name)
        self.has_groups = bool(flat(nic.groups()))
        self.wait = 0
        self.late = set()
        self.buckets = {} if twin is None else {
            i: f'rmon/{way}-pktsNtoM {row["bucket_low"]} to {row["bucket_high"]}'
            for i, row in enumerate(here.counters(driver.model)) if 'bucket_low' in row
            for way in ('rx' if row['name'].startswith('rx') else 'tx',)}

    def copy_settings(self):
        """Yields words of the command: the registers that the driver has written. The twin gets the
        same."""
        for register in model_of(self.driver.model)['registers']:
            value = self.port.peek(register['offset'])
            if register['access'] == 'rw' and value != register['reset']:
                self.twin.poke(register['offset'], value)
                yield from ('--register', f'{register["name"]}={value:#x}')

    def reset(self):
        """The hardware resets its counters, behind the driver; its settings are as before."""
        settings = [register['offset'] for register in model_of(self.driver.model)['registers']
                    if register['access'] == 'rw']
        for port in {self.port, self.twin}:
            values = {offset: port.peek(offset) for offset in settings}
            port.fault('reset')
            for offset, value in values.items():
                port.poke(offset, value)

    def shown(self, groups=True):
        """What the driver shows. The groups are read by a program, which takes long."""
        link = self.here.links.get(self.nic.ifindex)[1][IFLA_STATS64]
        found = {f'rtnl/{name}': value for name, value in zip(
            _MEMBERS, struct.unpack_from(f'={len(_MEMBERS)}Q', link))}
        if groups and self.has_groups:
            found |= flat(self.nic.groups()) | flat({'pause': self.nic.pause()})
        strings = self.ethtool.totals() if self.ethtool.names else {}
        return found | {f'-S {name}': value for name, value in strings.items()}

    def provided(self):
        if self.twin is None:
            return None
        self.twin.poll()
        stats = self.twin.stats()
        names = statistics()
        found = {names[number - 1]: value for number, value
                 in zip(stats['standard'], stats['standard_values'])}
        found |= {name: stats['values'][i] for i, name in self.buckets.items()}
        return found | {f'counter {name}': value for name, value
                        in zip(self.twin.counter_names(), stats['values'])}

    def settle(self):
        if self.wait:
            time.sleep(self.wait)

    def inject(self, frames):
        for port in {self.port, self.twin}:
            for kind, count in frames.items():
                port.inject(count=count, **{'length': 64} | KINDS[kind])

    def datasheet(self, frames):
        sums = {}
        for kind, count in frames.items():
            for name, value in counted(self.driver.model, self.setup, kind)[0].items():
                sums[name] = None if value is None or sums.get(name, 0) is None else \
                    sums.get(name, 0) + count * value
        return sums

    def step(self, event, frames, action, times=1, since=None, **more):
        """@frames are injected @times by @action"""
        before, before_provider = since or (self.shown(), self.provided())
        for _ in range(times):
            action(frames)
        self.settle()
        now, provider = self.shown(), self.provided()
        all_frames = {kind: times * count for kind, count in frames.items()}
        return Step(event, all_frames, self.datasheet(all_frames), grown(before, now),
                    None if provider is None else grown(before_provider, provider), **more)


def grown(before, now):
    return {name: value - before.get(name, 0) for name, value in now.items()}


def find_late(bench, action):
    """What the driver does not show at once"""
    action()
    at_once = bench.shown()
    time.sleep(LATEST)
    later = bench.shown()
    bench.late |= {name for name, value in later.items() if value != at_once.get(name)}
    bench.wait = LATEST if bench.late else 0


def narrow(model, counters):
    """{bits: the counters of these that do not go round when as many frames as half of their range
    come at a time} of each width that can wrap"""
    bits = {row['name']: row['bits'] for row in model_of(model)['counters']}
    widths = sorted({bits[name] for name, value in counters.items() if value == 1})
    return {width: {name for name, value in counters.items()
                    if value << width - 1 < 1 << bits[name]} for width in widths if width <= 32}


def at_wrap(bench, frames, **more):
    """Three times these frames, which fill half of a counter, read each time"""
    def read_between(frames):
        bench.inject(frames)
        bench.settle()
        bench.shown(groups=False)
        bench.provided()
    return bench.step('wrap', frames, read_between, times=3, **more)


def unread(bench, frames, seconds, **more):
    """The same, while only the provider reads"""
    def unread_for_seconds(frames):
        bench.inject(frames)
        time.sleep(seconds)
        bench.provided()
    return bench.step('silence', frames, unread_for_seconds, times=3, **more)


def of_octets(bench):
    for kind in OCTETS:
        frames = {kind: 1 << 21}    # 2^31 octets, 17 s at 1 Gb/s
        yield at_wrap(bench, frames)
        yield unread(bench, frames, 18)


def of_registers(bench):
    """Of counters that no kind of frame counts, each set alone"""
    seen = {name for kind in of_kinds(bench, FRAMES + HALF_DUPLEX)
            for name in counted(bench.driver.model, bench.setup, kind)[1]}
    for row in rows_of(bench.port):
        if row['name'] not in seen and not row['standard']:
            before = bench.shown()
            bench.port.preset(row['name'], COUNT)
            bench.settle()
            yield Step('alone', {f'{row["register"]} is {COUNT}': 1}, {},
                       grown(before, bench.shown()), None)


def of_frames(bench, kinds):
    for kind in kinds:
        counters = counted(bench.driver.model, bench.setup, kind)[1]
        for width, judged in narrow(bench.driver.model, counters).items():
            if judged:
                frames = {kind: 1 << width - 1}
                yield at_wrap(bench, frames, judged=judged)
                if width < 32:
                    yield unread(bench, frames, 1, judged=judged)


def of_kinds(bench, kinds):
    """The kinds of frames that some counter of the model counts"""
    return [kind for kind, _ in kinds if counted(bench.driver.model, bench.setup, kind)[1]]


def near_the_end(bench):
    """The hardware has counted for long when the driver comes up."""
    every = dict.fromkeys(of_kinds(bench, FRAMES), COUNT)
    bench.wait = LATEST
    yield bench.step('open', every, bench.inject)


def run_full(bench):
    """Yields the steps of a MAC with a model."""
    kinds = of_kinds(bench, FRAMES)
    every = dict.fromkeys(kinds, COUNT)
    find_late(bench, lambda: bench.inject(every))
    bench.provided()
    for kind in kinds:
        yield bench.step('alone', {kind: COUNT}, bench.inject)
    yield from of_registers(bench)
    yield from of_octets(bench)

    def down_and_up(frames):
        bench.inject(frames)
        bench.provided()    # before the driver resets what both read
        bench.nic.down()
        bench.nic.up()
    yield bench.step('down', every, down_and_up)
    before = bench.shown(), bench.provided()
    bench.reset()
    bench.settle()
    bench.shown(), bench.provided()
    yield bench.step('reset', every, bench.inject, since=before)
    # Octets wrap unseen meanwhile: nothing can be said of them any more.
    yield from of_frames(bench, kinds)


def run_half(bench):
    """Of a MAC in half duplex"""
    bench.wait = LATEST
    for kind in of_kinds(bench, HALF_DUPLEX):
        yield bench.step('alone', {kind: COUNT}, bench.inject)


def run_memory(bench):
    """Yields the steps of a MAC whose registers are memory."""
    def write(values):
        for address, value in values.items():
            bench.nic.write(address, value)
    for what, values, datasheet in bench.driver.registers:
        before = bench.shown()
        find_late(bench, lambda: write(values))
        yield Step('alone', {what: 1}, datasheet, grown(before, bench.shown()), None)


@dataclasses.dataclass
class Result:
    """What a driver has shown. @setups: words of the command, {kind of frames: of the hardware};
    @strings: {string of ethtool -S: the counter that it shows}"""
    driver: object
    setups: dict
    steps: list
    late: set
    reported: set
    strings: dict
    rates: dict     # {statistic: {kind: by how much one frame makes it grow}}
    reports: list   # of the kernel's log

    def predicted(self, name, step):
        """By how much a statistic has to grow, if the driver counts frames of each kind alone."""
        return sum(count * self.rates[name].get(kind, 0) for kind, count in step.frames.items())

    def fed(self, name):
        """Does the MAC count it? IEEE's octets follow from what a driver reports only."""
        if name in IEEE_OCTETS.values() and name not in self.reported:
            return False
        return any(step.datasheet.get(name) for step in self.steps if step.event == 'alone') or \
            any(name in values for _, _, values in self.driver.registers)

    def judges(self, name, step):
        """Does the step say something of the statistic or string?"""
        if step.judged is None:
            return True
        if name.startswith('-S'):
            return self.strings.get(name) in step.judged
        moved = {counter for kind in step.frames
                 for counter in counted(self.driver.model, self.setups[kind], kind)[1]}
        feeding = {row['name'] for row in model_of(self.driver.model)['counters']
                   for fed in row['standard'] if name.split(' ')[0] == fed.split('*')[0]}
        return feeding & moved <= step.judged

    def deviations(self, name):
        """The steps in which a statistic is not as it has to be: for frames of each kind, by the
        datasheet; for others, by what the driver counts of each kind."""
        for step in self.steps:
            if step.event == 'alone':
                # Of a string, only what a row of registers says.
                expected = step.datasheet.get(name, None if name.startswith('-S') else 0)
                if expected is not None and name in step.driver and step.driver[name] != expected:
                    yield step
            elif name in step.driver and self.judges(name, step) and \
                    step.driver[name] != self.predicted(name, step):
                yield step


def matched(driver, rates, setups):
    """{string: counter} of the strings of ethtool -S that grow as one counter does"""
    vectors = {row['name']: {f'{row["register"]} is {COUNT}': COUNT}
               for row in model_of(driver.model)['counters']}
    seen = {}
    for kind, setup in setups.items():
        for counter, value in counted(driver.model, setup, kind)[1].items():
            seen.setdefault(counter, {})[kind] = value
    vectors |= seen
    found = {tuple(sorted(vector.items())): counter for counter, vector in vectors.items()}
    return {name: counter for name, rate in rates.items() if name.startswith('-S') and
            (counter := found.get(tuple(sorted((k, v) for k, v in rate.items() if v))))}


def rows_of(port):
    """The counters that the hardware has"""
    absent = port.absent()
    return [row for i, row in enumerate(model_of(port.model)['counters']) if i not in absent]


def preset_all(port):
    """Counters that can wrap are one below their maximum."""
    for row in rows_of(port):
        if row['bits'] <= 32 and row['unit'] == 'frames':
            port.preset(row['name'], (1 << row['bits']) - 2)


# (steps, what is done to the hardware before the driver has it, in half duplex)
RUNS = (run_full, None, False), (near_the_end, preset_all, False), (run_half, None, True)


def steps_of(here, driver, on_bench, hardware):
    """(steps, statistics that are reported, those that are late, words of the command by kind of
    frames)"""
    if not driver.model:
        with on_bench(here, driver.name, module=driver.module or None) as nic:
            bench = Bench(here, nic, driver)
            return list(run_memory(bench)), set(bench.shown()), bench.late, {}
    steps, late, setups = [], set(), {}
    for run, prepare, half in RUNS if not driver.full_duplex else RUNS[:2]:
        options = ['statistics', *driver.revision[1:], *(['half_duplex'] if half else [])]
        words = [f'revision={driver.revision[0]}'] if driver.revision else []
        words += ['duplex=half'] if half else []
        port = twin = hardware(here, driver.model, options=options, line_rate_bound=1)
        if {'rclr', 'switched'} & set(model_of(driver.model)['access']):
            twin = hardware(here, driver.model, options=options, line_rate_bound=1)
        if prepare:
            prepare(port)
        with on_bench(here, driver.name, port, module=driver.module or None) as nic:
            bench = Bench(here, nic, driver, port, twin, tuple(
                word for each in words for word in ('--option', each)))
            made = list(run(bench))
            reported = set(bench.shown())
        steps += made
        late |= bench.late
        setups |= {kind: bench.setup for step in made if step.event == 'alone'
                   for kind in step.frames if kind in KINDS}
    return steps, reported, late, setups


def measure(here, driver, on_bench, hardware):
    """The Result of a driver. @on_bench: a context with its Nic; @hardware: makes a device"""
    log = KernelLog()
    if driver.alone:    # One report hides later ones.
        with on_bench(here, driver.name):
            pass
    steps, reported, late, setups = steps_of(here, driver, on_bench, hardware)
    rates = {name: {} for name in reported}
    for step in steps:
        for name, value in step.driver.items() if step.event == 'alone' else ():
            (kind, count), = step.frames.items()
            rates[name][kind] = value / count if value % count else value // count
    strings = matched(driver, rates, setups) if driver.model else {}
    reports = [PLACE.sub('', found[0]) for line in log.lines() if (found := REPORT.search(line))]
    result = Result(driver, setups, steps, late, reported, strings, rates, reports)
    for step in steps:
        for name, value in step.datasheet.items() if step.provider else ():
            if value is not None and name in step.provider and result.judges(name, step):
                expect_equal(step.provider[name], value,
                             f'the provider: {step.event} of {step.frames}: {name}')
    return result
