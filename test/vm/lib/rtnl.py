# SPDX-License-Identifier: GPL-2.0
"""The longest time for which a call of the modules held RTNL, by the tracing of the kernel: from
the moment that a task has RTNL until it releases it, if a function of the modules ran meanwhile. Not
seen are holds by rtnl_trylock() and rtnl_lock_killable(). Each load of the modules takes some
seconds longer."""

import os
import pathlib
import re
import subprocess

TRACING = pathlib.Path('/sys/kernel/tracing')
GROUP = 'macstats_rtnl'
INSTANCE = TRACING / f'instances/{GROUP}'
# Functions that the kernel calls under RTNL, most of them from tables of operations.
CALLED = re.compile(
    r'macstats(_emu|_ethtool)?_'
    r'((get|set|fix|change)_|(open|stop|uninit|begin|complete|self_test|port_(un)?register)$)')
# Each task that waits for RTNL uses one instance of the kretprobe.
RETURNS = 64
TASKS = 16384   # that take RTNL
LIMIT = 50_000  # microseconds, by the clock that counts instructions
PER_TASK = f'keys=common_pid:size={TASKS}'
# A hold begins; the first function of the modules in it marks it; its end is measured if it is
# marked. An expression unsets the variables that it reads.
NOW = 'common_timestamp.usecs'
BEGINS = f'hist:{PER_TASK}:began={NOW}'
MARKS = f'hist:{PER_TASK}:before={NOW}-$began,marked={NOW}'
ENDS = f'hist:{PER_TASK}:hold=$before+{NOW}-$marked:onmax($hold).save(none)'
FORGOTTEN = f'hist:{PER_TASK}:unmarked={NOW}-$began'
LONGEST = re.compile(r'\bmax: +(\d+)\b')
EVENTS = 'taken', 'called', 'released', 'forgotten'
# In a histogram: tasks for which it had no room. In kprobe_profile: an event, hits, misses.
DROPS = re.compile(r'^ *Dropped: (\d+)$', re.MULTILINE)
MISSES = re.compile(rf'^ *(?:{"|".join(EVENTS)}) +\d+ +(\d+)$', re.MULTILINE)


def symbols_of(path):
    """[(address, name)] of the functions in .text, by address."""
    text = subprocess.run(['readelf', '-sW', path], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    index = re.search(r'\[ *(\d+)\] \.text ', subprocess.run(
        ['readelf', '-SW', path], check=True, stdout=subprocess.PIPE, text=True).stdout)[1]
    return sorted((int(value, 16), name) for value, name in re.findall(
        rf'^ *\d+: ([0-9a-f]+) +\w+ FUNC +\w+ +\w+ +{index} (\S+)', text, re.MULTILINE))


def releases_in(path):
    """The offsets in .text of the calls of rtnl_unlock()."""
    text = subprocess.run(['readelf', '-rW', path], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    code = text.partition("section '.rela.text'")[2].partition('Relocation section')[0]
    return [int(offset, 16) - 1
            for offset in re.findall(r'^([0-9a-f]+) .* rtnl_unlock - 4', code, re.MULTILINE)]


def places_in(path):
    """NAME+OFFSET of each place that a hold by the module passes."""
    symbols = symbols_of(path)
    yield from (f'{name}+0' for _, name in symbols if CALLED.match(name))
    for release in releases_in(path):
        address, name = max(symbol for symbol in symbols if symbol[0] <= release)
        yield f'{name}+{release - address}'


def beyond_limit(usecs, program):
    """Why the longest hold is a failure, or nothing. 0: none was seen"""
    if not usecs:
        return 'no call was seen that held RTNL'
    return f'a call in {program} held RTNL for {usecs} us, the limit is {LIMIT} us' \
        if usecs > LIMIT else ''


def losses(profile, histograms):
    """Why the tracing may have missed a hold, or nothing."""
    drops = sum(int(number) for text in histograms for number in DROPS.findall(text))
    misses = sum(map(int, MISSES.findall(profile)))
    return f'{drops} tasks had no room, {misses} probes were missed' if drops + misses else ''


class LongestHold:
    """@modules: their files, which may be loaded later."""

    def __init__(self, modules):
        self.usecs, self.program = 0, ''
        INSTANCE.mkdir(exist_ok=True)
        self._probe(f'r{RETURNS}', 'taken', 'rtnl_lock')
        self._trigger('taken', BEGINS)
        for module in modules:
            for place in places_in(module):
                self._probe('p', 'called', f'{pathlib.Path(module).stem}:{place}')
        self._trigger('called', MARKS)
        # Two events, as one keeps but one of two triggers with the same key.
        for name, trigger in (('released', ENDS), ('forgotten', FORGOTTEN)):
            self._probe('p', name, '__rtnl_unlock none=\\0')
            self._trigger(name, trigger)

    @staticmethod
    def _probe(kind, name, rest):
        # The file cannot seek, as the mode `a` of open() does.
        file = os.open(TRACING / 'kprobe_events', os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, f'{kind}:{GROUP}/{name} {rest}\n'.encode())
        finally:
            os.close(file)

    @staticmethod
    def _events():
        return INSTANCE / 'events' / GROUP

    def _trigger(self, name, text):
        (self._events() / name / 'trigger').write_text(text)

    def problem(self):
        """Why the longest hold is too long, or may be longer than was measured, or nothing."""
        return beyond_limit(self.usecs, self.program) or losses(
            (TRACING / 'kprobe_profile').read_text(),
            [(self._events() / name / 'hist').read_text() for name in EVENTS])

    def __str__(self):
        return f'calls held it for at most {self.usecs} us, in {self.program}'

    def update(self, program):
        """After a program"""
        usecs = max(map(int, LONGEST.findall((self._events() / 'released/hist').read_text())),
                    default=0)
        if usecs > self.usecs:
            self.usecs, self.program = usecs, program
