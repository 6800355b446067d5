# SPDX-License-Identifier: GPL-2.0
"""A macstats events that runs while a test acts."""

import json
import pathlib
import subprocess

import cli
from tap import wait_for


class Follower:
    """Runs `macstats events --json` with more words in a place; it listens when the context
    begins."""

    def __init__(self, here, *words):
        with here.inside():
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with # see __exit__
                [cli.MACSTATS, 'events', '--json', *words],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=cli.ENVIRONMENT)

    def __enter__(self):
        wait_for(self.is_member, 'the follower to listen')
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def is_member(self):
        """Has a socket of the process joined a group other than that of the controller, 16?"""
        table = pathlib.Path(f'/proc/{self.process.pid}/net/netlink').read_text(encoding='ascii')
        sockets = [line.split() for line in table.splitlines()[1:]]
        return any(proto == '16' and int(groups, 16) & ~(1 << 15) for _, proto, _, groups, *_ in sockets)

    def has_read_all(self):
        """Has it read all notifications, and sleeps until there are more?"""
        table = pathlib.Path(f'/proc/{self.process.pid}/net/netlink').read_text(encoding='ascii')
        members = [line.split() for line in table.splitlines()[1:] if int(line.split()[3], 16)]
        state = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text(encoding='ascii')
        return all(member[4] == '0' for member in members) and state.rpartition(')')[2][1] == 'S'

    def rest(self):
        """The events, once the command has ended by itself."""
        text, _ = cli.finish(self.process)
        return [json.loads(line) for line in text.splitlines()]
