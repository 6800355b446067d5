#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The sessions with ports in docs/site print what their pages show. Each block `text` whose lines
begin with `# ` is given to a shell, those of a page to one shell in a network namespace of its
own."""

import contextlib
import pathlib
import queue
import re
import subprocess
import threading

from cli import ENVIRONMENT
from ports import with_place
from tap import Failure, case, expect, expect_equal, main, wait_for

SITE = pathlib.Path(__file__).resolve().parents[3] / 'docs/site'
BLOCK = re.compile(r'^```text\n(# .*?)^```$', re.MULTILINE | re.DOTALL)
PROMPT = '# '
# They differ each time: the time of an event, and how long ago a tag was saved.
VARIES = re.compile(r'^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}(?= )|(?<=\()\d+\.\d+ s(?=\))')
# Of these, pages show some lines only.
LONG = ('ip -s link',)
ENDED = 'the command has ended'


def sessions(text):
    """[(command, lines that it prints)]"""
    found = []
    for block in BLOCK.finditer(text):
        for line in block[1].splitlines():
            if line.startswith(PROMPT):
                found.append((line.removeprefix(PROMPT), []))
            else:
                found[-1][1].append(VARIES.sub('...', line))
    return found


class Shell:
    """A shell that is given one command after the other. Commands in the background print
    meanwhile."""

    def __init__(self):
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            ['bash', '--norc'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=ENVIRONMENT, text=True, bufsize=1)
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip('\n'))

    def _more(self):
        while not self.lines.empty():
            self.seen.append(VARIES.sub('...', self.lines.get()))
        return self.seen

    def run(self, command, expected):
        """The lines that were printed until the command had ended and as many lines were seen as
        are expected."""
        self.seen = []
        self.process.stdin.write(f'{command}\necho {ENDED}\n')
        wait_for(lambda: ENDED in self._more(), command)
        self.seen.remove(ENDED)
        with contextlib.suppress(Failure):  # the lines tell more
            wait_for(lambda: len(self._more()) >= len(expected), command)
        if command.startswith('macstats events') and command.endswith('&'):
            wait_for(self.listens, 'macstats events to listen')
        return self.seen

    def listens(self):
        """Is a socket of generic netlink in the namespace a member of a group?"""
        table = pathlib.Path(f'/proc/{self.process.pid}/net/netlink').read_text().splitlines()[1:]
        return any(protocol == '16' and int(groups, 16)
                   for _, protocol, _, groups, *_ in map(str.split, table))

    def close(self):
        self.process.stdin.write('kill $(jobs -p)\n')
        self.process.stdin.close()
        wait_for(lambda: self.process.poll() is not None, 'the end of the shell')


def expect_session(page, least):
    """Each command of a page prints what the page shows."""
    found = sessions((SITE / page).read_text())
    expect(len(found) >= least, f'{page}: {len(found)} commands')
    shell = Shell()
    try:
        for command, expected in found:
            printed = shell.run(command, expected)
            if command.startswith(LONG):
                expected = [' '.join(line.split()) for line in expected]
                printed = [line for line in (' '.join(each.split()) for each in printed)
                           if line in expected]
            expect_equal(printed, expected, f'{page}: {command}')
    finally:
        shell.close()


def page_case(name, page, least):
    @with_place
    def run(here):
        with here.inside():
            subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
            expect_session(page, least)
    run.__name__ = name
    case(run)


page_case('ports_are_inspected_as_the_tutorial_shows', 'tutorials/inspect-a-port.md', 20)
page_case('a_machine_is_monitored_as_the_tutorial_shows', 'tutorials/monitor-a-fleet.md', 10)
main()
