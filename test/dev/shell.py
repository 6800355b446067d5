# SPDX-License-Identifier: GPL-2.0
"""Messages and child processes of ./dev. A signal that ends ./dev ends its children. A command that
takes a while shows its progress: see Progress."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / 'build'
IN_CI = bool(os.environ.get('CI'))

QUIET_SECONDS = 1      # a step that takes longer announces itself
TICK_SECONDS = 1       # between two lines of progress on a terminal, if nothing happens
PROGRESS_SECONDS = 10  # between two lines of progress, where there is no terminal
MOST_COLUMNS = 100     # of such a line
STOP_SECONDS = 10      # for a child to end after SIGTERM
STEPS = re.compile(r'\[(\d+)/(\d+)\] ')                   # ninja's, and those of test/vm/kernel
PERCENT = re.compile(r'(?:dl|pm)status:[^:]*:([\d.]+):')  # apt-get's, with APT::Status-Fd
ESTIMATE_SECONDS = 2   # before it, too little is known
CLEAR = '\r\x1b[K'       # the line of a terminal
SECONDS_FILE = 'seconds.json'  # in BUILD

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


def output_of(command, hear=lambda line: None, **options):
    """(exit code, stdout and stderr) of a command. @hear: called with each line at once."""
    child = start(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                  stderr=subprocess.STDOUT, text=True, errors='replace', **options)
    lines = []
    with child.stdout:
        for line in child.stdout:
            lines.append(line)
            hear(line)
    return finish(child), ''.join(lines)


class Progress:
    """Selects what is shown of a command's output: everything except the progress. Of that, a
    terminal shows the last line, and a pipe gets one line in PROGRESS_SECONDS. An estimate
    follows from the share of the work that is done or, where the command does not print it, from
    the time that the last run took."""

    def __init__(self, title='', columns=0, usual=0, clock=time.monotonic):
        """@columns: of the terminal, 0 without one; @usual: seconds of a run, 0 if unknown"""
        self.title, self.columns, self.clock = title, columns, clock
        self.began = self.last = self.part_began = clock()
        self.end_expected = self.began + usual
        self.share, self.doing = 0, None

    @staticmethod
    def mark(line):
        """(share, its text, what is done) of a line of progress; None for other lines."""
        if found := STEPS.match(line):
            return int(found[1]) / int(found[2]), f'{found[1]}/{found[2]}', line[found.end():]
        if found := PERCENT.match(line):
            return float(found[1]) / 100, f'{float(found[1]):.0f} %', line[found.end():]
        return None

    def shown(self, line):
        """The text to print for a line, which may be empty."""
        clear = CLEAR if self.columns else ''
        if line.startswith('ninja: '):
            return clear + line if 'error' in line or 'stopped' in line else ''
        mark = self.mark(line)
        if not mark:
            return clear + line
        now = self.clock()
        if mark[0] < self.share:  # another part of the work
            self.part_began = now
        self.share, *self.doing = mark
        seconds = now - self.part_began
        self.end_expected = self.part_began + seconds / self.share \
            if seconds >= ESTIMATE_SECONDS and self.share else 0
        return self.line(now, 0)

    def tick(self):
        """The text to print if nothing was printed for a while; it may be empty."""
        return self.line(self.clock(), TICK_SECONDS)

    def line(self, now, seconds):
        """The line of progress, if the last one is old enough. @seconds: on a terminal"""
        if now - self.last < (seconds if self.columns else PROGRESS_SECONDS):
            return ''
        self.last = now
        done, what = self.doing if 0 < self.share < 1 else (f'{now - self.began:.0f} s', self.title)
        left = self.end_expected - now
        text = f'[{done}{f", about {left:.0f} s left" if left > 0 else ""}] {what}'.rstrip('\n')
        # Some builds print whole commands.
        return CLEAR + text[:self.columns - 1] if self.columns else text[:MOST_COLUMNS] + '\n'

    def end(self):
        return CLEAR if self.columns else ''


class Display:
    """Prints the progress of a command in a context, also while the command prints nothing."""

    def __init__(self, title, usual=0, quiet=False):
        """@quiet: print nothing before QUIET_SECONDS have passed, then the title."""
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        self.title, self.quiet = title, quiet
        self.progress = Progress(title, columns, usual)
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        if not self.quiet:
            print(self.progress.end(), end='', flush=True)

    def _tick(self):
        if self.quiet:
            if self.ended.wait(QUIET_SECONDS):
                return
            say(self.title)
            self.quiet = False
        while not self.ended.wait(TICK_SECONDS):
            with self.lock:
                print(self.progress.tick(), end='', flush=True)

    def hear(self, line):
        """Prints a line of the command, or its progress."""
        with self.lock:
            print(self.progress.shown(line), end='', flush=True)

    def hear_progress(self, line):
        """The same for lines of progress only."""
        if not self.quiet and self.progress.mark(line):
            self.hear(line)


def seconds_of_steps():
    """{title: seconds that the last run of a step took}"""
    try:
        return json.loads((BUILD / SECONDS_FILE).read_text())
    except (OSError, ValueError):
        return {}


def keep_seconds(title, seconds):
    """For the estimate of the next run."""
    BUILD.mkdir(exist_ok=True)
    new = BUILD / f'{SECONDS_FILE}.{os.getpid()}'
    new.write_text(json.dumps(seconds_of_steps() | {title: round(seconds, 1)}))
    new.replace(BUILD / SECONDS_FILE)


def step(title, command, usual=0):
    """Runs a command, or calls a function that takes a function for lines of progress and returns
    (exit code, output). Shows the output only if it fails, and the title and the progress only if
    it takes a while. @usual: the seconds of a first run, if the command prints no progress."""
    began = time.monotonic()
    with Display(title, seconds_of_steps().get(title, usual), quiet=True) as display:
        status, text = command(display.hear_progress) if callable(command) else \
            output_of(command, display.hear_progress)
    if status:
        print(''.join(line for line in text.splitlines(keepends=True) if not PERCENT.match(line)),
              end='', flush=True)
        raise Failure(f'failed: {title}')
    if not display.progress.share:
        keep_seconds(title, time.monotonic() - began)


def follow(title, command, **options):
    """Runs a command with its output and its progress visible. Returns its exit code."""
    child = start(command, stdout=subprocess.PIPE, text=True, errors='replace', **options)
    with Display(title) as display, child.stdout:
        for line in child.stdout:
            display.hear(line)
    return finish(child)


def must_follow(title, command):
    """The same for a command that reports its own errors, and the progress of apt-get where
    $APT_PROGRESS is set; ./dev ends with it if it fails."""
    status = follow(title, command, env=os.environ | {'APT_PROGRESS': 'yes'})
    if status:
        sys.exit(status)


def build(title, folder, targets):
    """Runs ninja with its progress visible. Returns False if the build fails."""
    ninja = ['ninja', '-C', folder, *targets]
    status, text = output_of([*ninja, '-n'])
    if status == 0 and 'no work to do' in text:
        return True
    say(title)
    return follow(title, ninja, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT) == 0


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


def remove(path):
    """Removes a file, a link or a folder, and nothing behind a link."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
