# SPDX-License-Identifier: GPL-2.0
"""Messages and child processes of ./dev. They end with ./dev, even if it is killed."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / 'build'
IN_CI = bool(os.environ.get('CI'))
sys.path.append(str(ROOT / 'test/vm/lib'))  # which has modules that guests use, too


class Failure(Exception):
    """./dev cannot go on; the message is the reason."""


def say(text):
    print(f'==> {text}', flush=True)


def processors():
    return len(os.sched_getaffinity(0))


def start(command, **options):
    """A child in ROOT that ends with the thread which starts it."""
    return subprocess.Popen(['setpriv', '--pdeathsig', 'TERM', *map(str, command)],
                            **{'cwd': ROOT} | options)


def finish(child):
    """Waits for a child. Returns its exit code, as a shell would."""
    status = child.wait()
    return status if status >= 0 else 128 - status


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


def remove(path):
    """Removes a file, a link or a folder, and nothing behind a link."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
