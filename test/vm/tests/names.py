#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Interface names may contain almost any octets. The command escapes them: every text output
is printable UTF-8, one line stays one line, and JSON and metrics are valid."""

import json
import os
import re
import subprocess

import cli
from ports import case_in_place
from tap import expect, expect_equal, main

# A name in the kernel, in text and metrics, and in JSON.
NAMES = (
    (b'\x1b[31mred', r'\x1b[31mred', '\x1b[31mred'),
    (b'\xff\xfe', r'\xff\xfe', r'\xff\xfe'),
    (rb'\xff\xfe', r'\x5cxff\x5cxfe', r'\x5cxff\x5cxfe'),
    ('\u202eport'.encode(), r'\xe2\x80\xaeport', '\u202eport'),
    (b'\xc2\x9b31mred', r'\xc2\x9b31mred', '\x9b31mred'),
    (b'\x7f', r'\x7f', '\x7f'),
    (b'a"b\\c', 'a"b\\c', 'a"b\\c'),
    ('gr\u00fcn'.encode(), 'gr\u00fcn', 'gr\u00fcn'),
)
UNPRINTABLE = re.compile('[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]')


def command(*words, status=0):
    """The output of macstats, stdout and stderr together."""
    done = cli.finished([os.fsencode(cli.MACSTATS), *words], stderr=subprocess.STDOUT)
    text = done.stdout.decode('utf-8')  # strict
    expect_equal(done.returncode, status, f'exit status of {words}: {text}')
    return text


def rename(port, name):
    subprocess.run([b'ip', b'link', b'set', os.fsencode(port.name), b'name', name], check=True)


@case_in_place
def every_text_output_is_printable(here):
    with here.inside():
        for name, shown, _ in NAMES:
            port = here.add('ixf1104')
            rename(port, name)
            index = str(port.ifindex)
            outputs = {
                'ports': command('ports'), 'show': command('show', index),
                'by name': command('show', name), 'rate': command('show', '--rate', '0.01', index),
                'list': command('emu', 'list'),
                'tag': command('tag', 'add', 'odd', index), 'tags': command('tag', 'list'),
                'since': command('show', '--since', 'odd', index),
                'watch': command('watch', '--count', '1', '--interval', '0.1', index),
                'error': command('emu', 'poke', name, '0x20', 'x', status=2),
                'fault': command('emu', 'fault', name, 'clock_stopped', status=2),
            }
            for what, text in outputs.items():
                found = UNPRINTABLE.search(text)
                expect(not found, f'{what} of {name} prints {found!r}: {text!r}')
            for what in ('ports', 'show', 'by name', 'rate', 'list', 'tag', 'tags', 'since'):
                expect(shown in outputs[what], f'{what}: {shown} is not in {outputs[what]!r}')
            command('tag', 'delete', 'odd')
            port.delete()


@case_in_place
def json_preserves_every_name_distinctly(here):
    with here.inside():
        for name, _, _ in NAMES:
            rename(here.add('ixf1104'), name)
        expected = {held for _, _, held in NAMES}
        for words in (('ports',), ('show',), ('emu', 'list')):
            text = command(*words, '--json')
            found = UNPRINTABLE.search(text)
            expect(not found, f'{words} --json prints {found!r}: {text!r}')
            elements = json.loads(text)
            if words[0] == 'emu':
                names = {port['name'] for device in elements for port in device['ports']}
            else:
                names = {element['port'] for element in elements}
            expect(expected <= names, f'{words}: {expected - names} is missing of {names}')


@case_in_place
def events_of_a_port_are_one_printable_line_each(here):
    with here.inside():
        for name, shown, held in NAMES:
            port = here.add('ixf1104')
            rename(port, name)
            for form in ((), ('--json',)):
                stream = subprocess.Popen(
                    [cli.MACSTATS, 'events', str(port.ifindex), '--count', '1', *form],
                    stdout=subprocess.PIPE, env=cli.ENVIRONMENT)
                # The process subscribes some time after its start.
                while stream.poll() is None:
                    port.fault('bus_error')
                    port.poll()
                    port.fault('bus_error', False)
                    port.poll()
                line = stream.communicate()[0].decode('utf-8')
                expect_equal(line.count('\n'), 1, f'lines of {line!r}')
                found = UNPRINTABLE.search(line)
                expect(not found, f'{found!r} in {line!r}')
                if form:
                    expect_equal(json.loads(line)['port'], held, 'name in JSON')
                else:
                    expect(f' {shown} ' in line, f'{shown} is not in {line!r}')
            port.delete()


main()
