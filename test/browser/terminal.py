# SPDX-License-Identifier: GPL-2.0
"""The output of a program on a terminal, and a picture of it."""

import html
import os
import pty
import re
import select
import subprocess

# The colours of a terminal with a dark background; contrast of 4.5 and more.
BACK, TEXT = '#0d1117', '#e6edf3'
STYLES = {'1': {'font-weight': 'bold'}, '2': {'fill': '#8b949e'}, '7': {'font-weight': 'bold'},
          '31': {'fill': '#ff8f87'}, '33': {'fill': '#e3b341'}}
CELL, LINE, MARGIN = 8.4, 18, 14  # of a monospaced font of 14 pixels


def run(command, environment, meanwhile=None):
    """(exit code, the text, messages) of a command whose standard output is a terminal.
    @meanwhile: gets the octets so far after each read."""
    master, slave = pty.openpty()
    with open(master, 'rb', buffering=0) as terminal, open(slave, 'wb', buffering=0) as writer, \
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave,
                             stderr=subprocess.PIPE, env=environment) as process:
        # The end of the last writer could come before what it has written: an end of our own.
        text, end, has_ended = b'', b'\0', False
        while not text.endswith(end):
            if select.select([terminal], [], [], 0.02)[0]:
                text += terminal.read(4096)
                if meanwhile:
                    meanwhile(text)
            elif not has_ended and process.poll() is not None:
                writer.write(end)
                has_ended = True
        return (process.wait(60), text.removesuffix(end).decode().replace('\r\n', '\n'),
                process.stderr.read().decode())


def last_screen(text):
    """The lines of a full-screen program, without the empty ones, when it has drawn its last
    screen."""
    screen = re.sub(r'\x1b\[\?\d+[hl]|\x1b\[[\d;]*[JK]', '', text.rsplit('\x1b[H', 1)[1])
    return '\n'.join(line for line in screen.splitlines() if line.strip())


def spans(line):
    """[(text, attributes)] of a line with the sequences of ECMA-48, 8.3.117."""
    attributes = {}
    for part in re.split(r'(\x1b\[[\d;]*m)', line):
        codes = re.fullmatch(r'\x1b\[([\d;]*)m', part)
        if not codes:
            if part:
                yield part, attributes
            continue
        for code in codes[1].split(';'):
            attributes = {} if code in ('', '0') else attributes | STYLES[code]


def shown(text):
    """Programs that show SVG drop blanks, but not this one."""
    return html.escape(text, False).replace(' ', '\u00a0')


def picture(text):
    """SVG of a terminal with this text."""
    lines = text.splitlines()
    columns = max(len(re.sub(r'\x1b\[[\d;]*m', '', line)) for line in lines)
    width, height = round(columns * CELL + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    rows = []
    for number, line in enumerate(lines):
        parts = ''.join('<tspan' + ''.join(f' {name}="{value}"' for name, value in
                                           attributes.items()) + f'>{shown(part)}</tspan>'
                        for part, attributes in spans(line))
        rows.append(f'<text x="{MARGIN}" y="{MARGIN + number * LINE + 13}">{parts}</text>\n')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">\n'
            f'<rect width="{width}" height="{height}" rx="8" fill="{BACK}"/>\n'
            f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" '
            f'fill="{TEXT}">\n{"".join(rows)}</g>\n</svg>\n')
