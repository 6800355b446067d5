#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The live view of macstats watch: rates, keys, sizes, a restored terminal at every end, and
its output without a terminal."""

# long

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import cli
import schemas
from deadline import Deadline
from ports import Sender, case_in_place
from tap import Failure, expect, expect_equal, main, wait_for

FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(82)
ENTER = '\033[?1049h\033[?25l\033[?7l'
LEAVE = '\033[?7h\033[?25h\033[?1049l'
HOME, LINE, END = '\033[H', '\033[2K', '\033[J'
COLOUR = re.compile(r'\033\[[0-9;]*m')


class Screen:
    """A macstats watch on its own terminal."""

    def __init__(self, here, *words, columns=80, rows=24, locale='C.UTF-8'):
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(slave)
        with here.inside():
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with # see __exit__
                [cli.MACSTATS, 'watch', '--interval', '0.3', *words], stdin=slave, stdout=slave,
                stderr=slave, env={**cli.ENVIRONMENT, 'LANG': locale}, start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.slave, self.text = slave, ''

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.slave)
        os.close(self.master)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def read(self, seconds):
        """Reads the output within the time; False at the end."""
        if select.select([self.master], [], [], seconds)[0]:
            try:
                self.text += os.read(self.master, 1 << 16).decode()
            except OSError:
                return False
        return True

    def frame(self):
        """The lines of the last whole screen, without colours."""
        whole = [part for part in self.text.split(HOME)[1:] if END in part]
        if not whole:
            return []
        lines = whole[-1].split(END)[0].replace('\r', '').split('\n')
        return [COLOUR.sub('', line.removeprefix(LINE)) for line in lines]

    def wait(self, condition, what):
        """Waits for a screen that meets the condition. Returns its lines."""
        deadline = Deadline()
        while not (self.frame() and condition(self.frame())):
            if deadline.left() <= 0 or not self.read(0.5):
                raise Failure(f'{what}:\n' + '\n'.join(self.frame()) + repr(self.text[-200:]))
        return self.frame()

    def key(self, keys):
        self.text = ''
        os.write(self.master, keys.encode())

    def end(self):
        """Waits for the end. Returns the exit code. The terminal must be restored."""
        deadline = Deadline()
        while self.process.poll() is None and deadline.left() > 0:
            self.read(0.1)
        expect(self.process.poll() is not None, 'it does not end')
        while select.select([self.master], [], [], 0)[0] and self.read(0):
            pass
        after = termios.tcgetattr(self.slave)
        expect_equal(after, self.before, 'the settings of the terminal')
        expect(self.text.endswith(LEAVE), repr(self.text[-100:]))
        return self.process.returncode


def is_stopped(pid):
    status = pathlib.Path(f'/proc/{pid}/stat').read_text()
    return status.rpartition(')')[2].split()[0] == 'T'


def has(word):
    return lambda lines: any(word in line for line in lines)


def row(lines, counter):
    found = [line for line in lines if re.search(rf'\b{counter}\b', line)]
    return found[0] if found else ''


def counter_of(line):
    """The counter of a row, without the rate and the graph, which each poll changes."""
    return line.lstrip('! ').split(' ')[0]


@contextlib.contextmanager
def traffic(port):
    sender = Sender(port, FRAME, gap=0.002)
    try:
        yield
    finally:
        sender.stop()


@case_in_place
def watch_draws_rates_and_ends_on_q(here):
    left, right = here.pair()
    with traffic(left):
        with Screen(here, left.name, right.name) as screen:
            rate = re.compile(r'rx_65to127b +[0-9.]+ k?frames/s +[0-9]+ .*[▁▂▃▄▅▆▇█]{2}')
            lines = screen.wait(lambda now: rate.search('\n'.join(now)), 'a rate')
            expect(screen.text.startswith(ENTER), repr(screen.text[:50]))
            expect_equal(len(lines), 24, 'lines')
            expect(max(map(len, lines)) <= 80, lines)
            expect('bit/s' in row(lines, 'tx_octets_ok'), lines)
            expect(left.name in lines[0] and right.name in lines[0], lines[0])
            screen.key('q')
            expect_equal(screen.end(), 0, 'exit code')


@case_in_place
def keys_sort_filter_pause_and_scroll(here):
    port = here.add()
    port.inject(count=7, length=64)
    with Screen(here, port.name) as screen:
        screen.wait(has('rx_64b'), 'the counter')
        screen.key('s')
        screen.wait(lambda lines: 'sort: name' in lines[-1], 'another order')
        screen.key('z')
        lines = screen.wait(lambda lines: 'zeros: shown' in lines[-1], 'zeros')
        expect(row(lines, 'rx_1024to1518b'), lines)
        screen.key('jjj')
        moved = screen.wait(lambda now: counter_of(now[2]) == counter_of(lines[5]), 'three rows on')
        expect_equal(len(moved), 24, 'lines')
        screen.key('\033[A')
        screen.wait(lambda now: counter_of(now[2]) == counter_of(lines[4]), 'one row back')
        screen.key('p')
        screen.wait(lambda lines: 'PAUSED' in lines[0], 'a pause')
        generation = port.stats(cached=True)['generation']
        time.sleep(1)
        expect_equal(port.stats(cached=True)['generation'], generation, 'reads during a pause')
        screen.key('pq')
        expect_equal(screen.end(), 0, 'exit code')


@case_in_place
def watch_fits_any_size_and_follows_its_changes(here):
    port = here.add()
    port.inject(count=7, length=64)
    with Screen(here, port.name, '--all', columns=120, rows=40) as screen:
        screen.wait(lambda lines: len(lines) == 40, '40 rows')
        for columns, rows in ((80, 24), (40, 10), (20, 5), (5, 2), (132, 50)):
            screen.text = ''
            screen.resize(columns, rows)
            lines = screen.wait(lambda now: len(now) == rows, f'{rows} rows')  # noqa: B023
            expect(max(map(len, lines)) <= columns, lines)
        screen.key('q')
        expect_equal(screen.end(), 0, 'exit code')


@case_in_place
def watch_continues_after_a_stop(here):
    port = here.add()
    with Screen(here, port.name) as screen:
        screen.wait(lambda lines: len(lines) == 24, 'a screen')
        screen.key('\x1a')
        deadline = Deadline()
        while LEAVE not in screen.text and deadline.left() > 0:
            screen.read(0.1)
        expect(LEAVE in screen.text, 'the screen was not left')
        wait_for(lambda: is_stopped(screen.process.pid), 'a stop')
        expect_equal(termios.tcgetattr(screen.slave), screen.before, 'settings while it is stopped')
        screen.text = ''
        os.kill(screen.process.pid, signal.SIGCONT)
        screen.wait(lambda lines: len(lines) == 24, 'a screen again')
        screen.key('q')
        expect_equal(screen.end(), 0, 'exit code')


@case_in_place
def graphs_are_ascii_without_utf_8(here):
    left, right = here.pair()
    with traffic(left):
        with Screen(here, right.name, locale='C') as screen:
            rate = re.compile(r'rx_st +[0-9.]+ k?frames/s +[0-9]+ .*[_.:=+*#-]{2}')
            lines = screen.wait(lambda now: rate.search('\n'.join(now)), 'a rate')
            expect('\n'.join(lines).isascii(), lines)
            screen.key('q')
            expect_equal(screen.end(), 0, 'exit code')


@case_in_place
def watch_shows_the_faults_of_a_port(here):
    port = here.add()
    port.inject(count=3, length=100, errors=['fcs'])
    with Screen(here, port.name) as screen:
        screen.wait(has('! rx_fcs'), 'an error that is marked')
        port.fault('snapshot_stuck')
        screen.wait(lambda lines: f'{port.name}: stale (' in lines[1], 'stale')
        port.fault('snapshot_stuck', False)
        screen.wait(lambda lines: 'stale' not in lines[1], 'fresh again')
        port.delete()
        screen.wait(lambda lines: f'{port.name}: gone' in lines[1], 'gone')
        screen.key('q')
        expect_equal(screen.end(), 0, 'exit code')


@case_in_place
def watch_prints_lines_without_a_terminal(here):
    left, right = here.pair()
    with traffic(left), here.inside():
        text = cli.output(cli.MACSTATS, 'watch', right.name, '--interval', '1', '--count', '2')
        found = re.findall(rf'^\d\d:\d\d:\d\d {right.name} rx_65to127b \d+ [0-9.]+ k?frames/s$',
                           text, re.MULTILINE)
        expect_equal((len(found), '\033' in text), (2, False), text)
        objects = cli.output(cli.MACSTATS, 'watch', right.name, '--count', '2', '--json')
    samples = [json.loads(line) for line in objects.splitlines()]
    expect_equal([schemas.problem('watch', sample) for sample in samples], ['', ''], 'schema')
    expect_equal(len(samples), 2, 'samples')
    for sample, in samples:
        expect(sample['rate']['per_second']['rx_65to127b'] > 0, sample['rate'])


main()
