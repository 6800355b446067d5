# SPDX-License-Identifier: GPL-2.0
"""The macstats command, for the tests of its command line: their first argument."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMMAND = sys.argv[1]
NOT_LOADED = 3


def run(*words, **environment):
    return subprocess.run([COMMAND, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, 'LANG': 'C.UTF-8', **environment})


class Command(unittest.TestCase):
    maxDiff = None

    def run_scenario(self, scenario):
        return subprocess.run([COMMAND, 'run', '-'], input=json.dumps(scenario), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def rejected(self, *words, code=2, **environment):
        """The message of a command line that is rejected."""
        done = run(*words, **environment)
        self.assertEqual((done.returncode, done.stdout), (code, ''), (words, done.stderr))
        self.assertTrue(done.stderr.startswith('macstats: '), done.stderr)
        return done.stderr.splitlines()[0].removeprefix('macstats: ')

    def reaches_the_kernel(self, *words):
        """The arguments are accepted. Without modules, that is as far as it goes."""
        done = run(*words)
        if done.returncode != NOT_LOADED:
            self.assertNotIn('see `macstats help', done.stderr, words)
