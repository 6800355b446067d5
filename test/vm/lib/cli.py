# SPDX-License-Identifier: GPL-2.0
"""Other programs, as a user would call them: macstats, ethtool, ip."""

import json
import os
import subprocess

from deadline import HANG_SECONDS, Deadline
from tap import Failure

MACSTATS = os.environ.get('MACSTATS', 'macstats')
ENVIRONMENT = {'PATH': f'{os.path.dirname(MACSTATS)}:/usr/sbin:/usr/bin:/sbin:/bin',
               'LANG': 'C.UTF-8'}


def finish(process):
    """Waits for the end of a process. Returns its stdout and stderr. A slow machine gets more
    time; after it, the process is killed."""
    deadline = Deadline(HANG_SECONDS)
    while True:
        try:
            return process.communicate(timeout=max(deadline.left(), 0))
        except subprocess.TimeoutExpired:
            if deadline.left() <= 0:
                process.kill()
                process.communicate()
                raise


def finished(command, **options):
    """The finished process of a command that reads nothing, whatever its exit status."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          env=ENVIRONMENT, **options) as process:
        out, errors = finish(process)
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


def run(*command, **options):
    """The finished process, whatever its exit status."""
    return finished([str(word) for word in command], stderr=subprocess.PIPE, text=True, **options)


def output(*command, **options):
    """The output of a command, which must succeed."""
    done = run(*command, **options)
    if done.returncode:
        raise Failure(f'{" ".join(map(str, command))}: exit status {done.returncode}\n'
                      f'{done.stdout}{done.stderr}')
    return done.stdout


def octets(*command, **options):
    """The output of a command in octets. The command must succeed."""
    done = finished(command, **options)
    done.check_returncode()
    return done.stdout


def json_output(*command, **options):
    return json.loads(output(*command, **options))


def macstats(*args, **options):
    return run(MACSTATS, *args, **options)


def macstats_json(*args, **options):
    return json_output(MACSTATS, *args, '--json', **options)


def ethtool_statistics(name):
    """The output of ethtool -S, as a dictionary."""
    lines = output('ethtool', '-S', name).splitlines()[1:]
    return {key.strip(): int(value) for key, value in (line.split(':') for line in lines)}


def shown(port, *words):
    """The element that macstats show prints for one port."""
    with port.place.inside():
        element, = macstats_json('show', port.name, *words)
    return element


def rejected(here, *words):
    """The exit code and the error message of a macstats that fails."""
    with here.inside():
        done = macstats(*words)
    if done.returncode == 0:
        raise Failure(f'macstats {words} did not fail: {done.stdout}')
    return done.returncode, done.stderr
