# SPDX-License-Identifier: GPL-2.0
"""Messages and child processes of ./dev. Its direct children end with it, even if it is killed."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / 'build'
IN_CI = bool(os.environ.get('CI'))
sys.path.append(str(ROOT / 'test/vm/lib'))  # which has modules that guests use, too
STOP_SECONDS = 10   # for a child to end after SIGTERM

_children = set()
_ending = []    # by this signal


class Failure(Exception):
    """./dev cannot go on; the message is the reason."""


def say(text):
    print(f'==> {text}', flush=True)


def processors():
    return len(os.sched_getaffinity(0))


def start(command, **options):
    """A child in ROOT that ends with the thread which starts it."""
    line = ['setpriv', '--pdeathsig', 'TERM', *map(str, command)]
    if _ending:
        raise Failure(f'{command[0]}: not started, ./dev is ending')
    for program in line[0], line[3]:
        if '/' not in program and not shutil.which(program):
            raise Failure(f'{program}: no such program')
    child = subprocess.Popen(line, **{'cwd': ROOT} | options)
    _children.add(child)
    if _ending:  # since, and end() may not have seen it
        child.terminate()
    return child


def finish(child):
    """Waits for a child. Returns its exit code, as a shell would."""
    status = child.wait()
    _children.discard(child)
    return status if status >= 0 else 128 - status


def has_ended(child):
    """Popen.poll() cannot tell in the handler of a signal that interrupted Popen.wait()."""
    try:
        return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def end(number, _frame):
    """The handler of a signal: ends the children, and waits, since a guest has to end QEMU."""
    if _ending:
        return
    _ending.append(number)
    alive = list(_children)
    for child in alive:
        child.terminate()
    limit = time.monotonic() + STOP_SECONDS
    while (alive := [each for each in alive if not has_ended(each)]) and time.monotonic() < limit:
        time.sleep(0.05)
    for child in alive:
        child.kill()
    sys.exit(128 + number)


def run(command, **options):
    """Runs a command with the terminal of ./dev. Returns its exit code."""
    return finish(start(command, **options))


def must(command, **options):
    """Runs a command that reports its own errors; ./dev ends with it if it fails."""
    status = run(command, **options)
    if status:
        sys.exit(status)


def output_of(command, **options):
    """(exit code, stdout and stderr) of a command."""
    child = start(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                  stderr=subprocess.STDOUT, text=True, errors='replace', **options)
    with child.stdout:
        text = child.stdout.read()
    return finish(child), text


def step(title, command):
    """Runs a command, or calls a function that returns (exit code, output). Shows the output only
    if it fails."""
    say(title)
    status, text = command() if callable(command) else output_of(command)
    if status:
        print(text, end='', flush=True)
        raise Failure(f'failed: {title}')


def project_files(*patterns):
    """Files of the project, committed or about to be, that match git's patterns."""
    status, text = output_of(['git', 'ls-files', '-coz', '--exclude-standard', '--deduplicate',
                              '--', *patterns])
    if status:
        raise Failure(f'git ls-files: {text.strip()}')
    return [name for name in text.split('\0') if name and (ROOT / name).is_file()]


def copy(names, tree):
    """Copies files of the project. Those whose content is the same keep their time, so that a
    second build compiles only what has changed."""
    for name in names:
        source, made = ROOT / name, tree / name
        if not made.exists() or made.read_bytes() != source.read_bytes():
            made.parent.mkdir(parents=True, exist_ok=True)
            made.unlink(missing_ok=True)
            shutil.copy(source, made, follow_symlinks=False)
