#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The macstats command on real ports: alternative names, verbs, groups, units, messages."""

# long

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import termios

import cli
from cli import rejected
from follower import Follower
from ports import CLEAR, RX_CONFIG, case_in_place
from tap import expect, expect_equal, main, wait_for

SHORT = 'uplink'
LONG = 'the-uplink-to-the-rack-on-the-left'  # longer than the name of an interface may be


def output(here, *words):
    with here.inside():
        return cli.output(cli.MACSTATS, *words)


def name_port(here, port, *names):
    with here.inside():
        for name in names:
            cli.output('ip', 'link', 'property', 'add', 'dev', port.name, 'altname', name)


def with_alternative_names(here):
    port = here.add()
    name_port(here, port, SHORT, LONG)
    return port


@case_in_place
def alternative_names_are_accepted_everywhere(here):
    port = with_alternative_names(here)
    for name in (SHORT, LONG):
        for words in (('show', name), ('show', '--group', 'pause', name), ('show', '--rate', name),
                      ('watch', name, '--count', '1', '--interval', '0.1', '--json'),
                      ('registers', name), ('tag', 'add', 'command', name),
                      ('events', name, '--timeout', '0', '--threshold', 'rx_64b=1000000'),
                      ('emu', 'inject', name), ('emu', 'peek', name, '0x506'),
                      ('emu', 'fault', name, 'bus_error', 'off')):
            output(here, *words)
    shown, = json.loads(output(here, 'show', LONG, '--json'))
    expect_equal((shown['port'], shown['totals']['tx_64b']), (port.name, 2), 'show: transmit is the default')
    expect_equal(rejected(here, 'show', LONG + 's')[0], 2, 'a name of no port')
    output(here, 'tag', 'delete', 'command')
    output(here, 'emu', 'delete', LONG)
    expect_equal(here.ports(), [], 'ports')


def names_of(events):
    return [event['event'] for event in events]


@case_in_place
def events_of_a_port_are_found_by_its_alternative_names(here):
    for name in (SHORT, LONG):
        other, port = (here.add(held=True, quiet=False) for _ in range(2))
        name_port(here, port, name)
        with Follower(here, name, '--count', '3') as follower:
            for one in (other, port):
                one.fault('bus_error')
                one.poll()
                one.fault('bus_error', False)
                one.poll()
            other.delete()
            port.delete()
            events = follower.rest()
        expect_equal(names_of(events), ['stale', 'recovered', 'port_removed'], name)
        expect_equal({event['port'] for event in events}, {port.name}, name)
        wait_for(lambda: not here.ports(), 'the end of the ports')


@case_in_place
def an_alternative_name_that_comes_later_is_noticed(here):
    with Follower(here, LONG, '--count', '1') as follower:
        port = here.add(held=True, quiet=False)
        wait_for(lambda: port.name in here.ports()[0]['name'], 'the port')
        wait_for(follower.has_read_all, 'port_added is read before the port has the name')
        name_port(here, port, LONG)
        port.fault('bus_error')
        port.poll()
        expect_equal(names_of(follower.rest()), ['stale'], 'events')


class Terminal:
    """A macstats watch on a terminal."""

    def __init__(self, here, *words):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 12, 80, 0, 0))
        with here.inside():
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with # see __exit__
                [cli.MACSTATS, 'watch', '--all', *words], stdin=slave, stdout=slave, stderr=slave,
                env=cli.ENVIRONMENT, start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.slave, self.text = slave, ''

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.slave)
        os.close(self.master)

    def key(self, keys):
        self.text = ''
        os.write(self.master, keys.encode())

    def shows(self, text):
        """Waits until it is drawn."""
        def is_drawn():
            if select.select([self.master], [], [], 0.1)[0]:
                self.text += os.read(self.master, 1 << 16).decode(errors='replace')
            return text in self.text
        wait_for(is_drawn, text)


LEAVE = '\033[?7h\033[?25h\033[?1049l'


@case_in_place
def keys_of_the_live_view_scroll_by_pages_and_show_help(here):
    port = here.add()
    names = port.counter_names()
    # 12 rows: heading, names of columns, 9 counters, keys.
    with Terminal(here, port.name) as terminal:
        terminal.shows(f' {names[0]} ')
        for keys, first in (('\033[6~', names[9]), ('\033[5~', names[0]), ('\033[F', names[-1]),
                            ('\033[H', names[0])):
            terminal.key(keys)
            terminal.shows(f' {first} ')
        terminal.key('?')
        terminal.shows('PgDn, PgUp')
        terminal.key('\x1c')  # Ctrl-\\: SIGQUIT
        terminal.shows(LEAVE)
        expect_equal(terminal.process.wait(30), 0, 'exit code')


@case_in_place
def empty_lists_say_so_in_one_style(here):
    for words, things in ((('ports',), 'ports'), (('show',), 'ports'), (('emu', 'list'), 'devices'),
                          (('tag', 'list'), 'tags')):
        with here.inside():
            done = cli.macstats(*words)
            as_json = cli.macstats(*words, '--json')
        expect_equal((done.returncode, done.stdout), (0, ''), words)
        expect(done.stderr.startswith(f'macstats: no {things}; `macstats '), done.stderr)
        expect_equal((as_json.stdout, as_json.stderr), ('[]\n', ''), words)


@case_in_place
def groups_rates_and_nonzero_apply_to_json(here):
    port = here.add()
    port.inject(count=5, length=64)
    port.inject(count=3, kind='pause', destination='multicast')
    element, = json.loads(output(here, 'show', port.name, '--group', 'pause,rmon', '--rate', '0.1s',
                                 '--nonzero', '--json'))
    expect_equal(element['standard']['pause'], {'rx_pause_frames': 3}, 'pause')
    expect_equal(element['totals'], {}, 'totals')
    rates = element['rate']['per_second']
    expect('pause-rx_pause_frames' in rates, rates)
    expect('pause-tx_pause_frames' not in rates and 'rx_64b' not in rates, rates)


@case_in_place
def json_of_any_number_of_ports_is_indented_as_a_whole(here):
    for model in (None, 'll40g', 'rc32438'):
        if model:
            here.add(model)
        text = output(here, 'show', '--json', '--descriptions')
        ports = json.loads(text)
        expect_equal(len(ports), len(here.ports()), 'ports')
        expect_equal(text, json.dumps(ports, indent=2) + '\n', f'JSON after adding {model}')


@case_in_place
def metrics_are_written_to_standard_output(here):
    port = here.add()
    port.inject(count=5)
    text = output(here, 'export', '--textfile', '-')
    expect('# TYPE ' in text and f'"{port.name}"' in text, text[:500])
    expect(output(here, 'export', '--textfile', '-', '--format', 'openmetrics').endswith('# EOF\n'),
           'the end of OpenMetrics')


@case_in_place
def a_device_is_deleted_by_the_name_of_a_port(here):
    port = here.add(quiet=False)
    output(here, 'emu', 'delete', port.name)
    expect_equal(here.ports(), [], 'ports')


@case_in_place
def messages_of_the_kernel_use_the_words_of_the_command_line(here):
    port = here.add()
    port.inject(count=5, length=64)
    port.stats()
    inject = 'emu', 'inject', port.name
    for words, message in (
            ((*inject, '--length', '0'), '--length: 0 is out of range: 1 to 65535'),
            ((*inject, '--vlan-tags', '3'), '--vlan-tags: 3 is out of range: 0 to 2'),
            ((*inject, '--count', '0'), '--count: 0 is out of range: 1 to 9223372036854775807'),
            (('emu', 'add', 'cpsw', '--name', port.name), '--name: ')):
        code, text = rejected(here, *words)
        expect_equal((code, message in text), (2, True), text)
        for internal in ('FRAME_', 'PORT_', 'DEVICE_', 'Invalid argument', 'Numerical result'):
            expect(internal not in text, text)


@case_in_place
def events_are_found_by_name_and_by_index(here):
    port = here.add(held=True, quiet=False)
    for name in (port.name, str(port.ifindex)):
        with Follower(here, name, '--count', '1') as follower:
            port.poke(RX_CONFIG, CLEAR)
            port.poll()
            port.inject(count=1)
            port.poll()
            port.poke(RX_CONFIG, CLEAR)
            port.poll()
            expect_equal(names_of(follower.rest()), ['discontinuity'], name)


main()
