# SPDX-License-Identifier: GPL-2.0
"""Messages and child processes of ./dev. A signal that ends ./dev ends its children."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / 'build'
IN_CI = bool(os.environ.get('CI'))

STOP_SECONDS = 10      # for a child to end after SIGTERM

_children = set()
_stopping = threading.Event()
_lock = threading.RLock()  # a signal may come while it is held


class Failure(Exception):
    """./dev cannot go on; the message is the reason."""


def say(text):
    print(f'==> {text}', flush=True)


def processors():
    return len(os.sched_getaffinity(0))


def start(command, **options):
    """A child in ROOT that a signal to ./dev will end."""
    with _lock:
        if _stopping.is_set():
            raise Failure(f'{command[0]}: not started, ./dev is ending')
        try:
            child = subprocess.Popen([str(word) for word in command], **{'cwd': ROOT} | options)
        except OSError as error:
            raise Failure(f'{command[0]}: {error.strerror}') from None
        _children.add(child)
    return child


def finish(child):
    """Waits for a child. Returns its exit code, as a shell would."""
    status = child.wait()
    with _lock:
        _children.discard(child)
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


def has_ended(child):
    """Popen.poll() cannot tell in the handler of a signal that interrupted Popen.wait()."""
    try:
        return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def stop_children():
    """Ends all children, and waits for them: a guest needs time to end QEMU."""
    with _lock:
        children = list(_children)
    for child in children:
        if child.poll() is None:
            child.terminate()
    end = time.monotonic() + STOP_SECONDS
    while (alive := [child for child in children if not has_ended(child)]) and \
            time.monotonic() < end:
        time.sleep(0.05)
    for child in alive:
        child.kill()


def end_on_signals():
    def end(number, _frame):
        for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # A child that is just being started would inherit SIG_IGN.
            signal.signal(other, lambda *_: None)
        _stopping.set()  # other threads start no more
        stop_children()
        sys.exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


def project_files(*patterns):
    """Files of the project, committed or about to be, that match git's patterns."""
    status, text = output_of(['git', 'ls-files', '-coz', '--exclude-standard', '--deduplicate',
                              '--', *patterns])
    if status:
        raise Failure(f'git ls-files: {text.strip()}')
    return [name for name in text.split('\0') if name and (ROOT / name).is_file()]


def copy(names, tree):
    """Copies files of the project. Those whose content is the same keep their time, so that a second
    build compiles only what has changed."""
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
