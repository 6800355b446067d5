# SPDX-License-Identifier: GPL-2.0
"""The seconds that each part of `./dev test` may take, and the seed of its random tests."""

import contextlib
import os
import shutil
import subprocess
import time

from shell import ROOT

FILE = ROOT / 'test/budget.txt'


def parse(text):
    """{part: seconds}, of lines `SECONDS PART`"""
    parts = {}
    for line in text.splitlines():
        words = line.partition('#')[0].split(maxsplit=1)
        if not words:
            continue
        if len(words) != 2 or not words[0].isdigit() or words[1].strip() in parts:
            raise ValueError(f'{FILE.name}: {line}')
        parts[words[1].strip()] = int(words[0])
    return parts


class Clock:
    """The seconds that parts take."""

    def __init__(self):
        self.parts = {}

    @contextlib.contextmanager
    def part(self, name):
        started = time.monotonic()
        try:
            yield
        finally:
            self.parts[name] = time.monotonic() - started

    def report(self, planned):
        """Lines for people: the sum, and each part that took longer than planned."""
        over = [f'{name}: {seconds:.0f} s, {planned[name]} s planned'
                for name, seconds in self.parts.items() if seconds > planned[name]]
        return [f'{sum(self.parts.values()):.0f} s, {sum(map(planned.get, self.parts))} s planned '
                'on two idle cores', *over]


def seed():
    """$MACSTATS_SEED, or a number that changes with each commit; 1 where git knows none."""
    if given := os.environ.get('MACSTATS_SEED'):
        return int(given)
    if not shutil.which('git'):
        return 1
    done = subprocess.run(['git', 'rev-parse', '--short=7', 'HEAD'], cwd=ROOT, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return int(done.stdout[:7], 16) if done.returncode == 0 else 1
