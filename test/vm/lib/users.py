# SPDX-License-Identifier: GPL-2.0
"""Child processes that repeat a function, or run as another user."""

import marshal
import os
import pathlib
import signal
import traceback

from netdev import CLONE_NEWNET, CLONE_NEWUSER, syscall
from tap import Failure

NOBODY, PR_SET_DUMPABLE = 65534, 4


def become(user):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def become_nobody():
    become(NOBODY)


def become_root_of_new_namespaces(user=NOBODY):
    """Of user and network namespaces that belong to @user: this process, and whatever
    it starts, has no privileges outside."""
    become(user)
    syscall('unshare', CLONE_NEWUSER | CLONE_NEWNET)
    syscall('prctl', PR_SET_DUMPABLE, 1, 0, 0, 0)
    pathlib.Path('/proc/self/uid_map').write_text(f'0 {user} 1')


class Child:
    """A process that repeats a function until it is stopped. With @fds, which it gets, the process
    has no other open file of its parent: it keeps alive only what they do."""

    def __init__(self, function, *fds):
        self.pid = os.fork()
        if self.pid == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                kept = [0, 1, 2, *sorted(fds), os.sysconf('SC_OPEN_MAX')] if fds else []
                for low, high in zip(kept, kept[1:]):
                    os.closerange(low + 1, high)
                while os.getppid() != 1:
                    function(*fds)
            except BaseException:  # pylint: disable=broad-except # reported to the parent
                for line in traceback.format_exc().splitlines():
                    print(f'# {line}', flush=True)
            finally:
                os._exit(1)  # pylint: disable=protected-access

    def stop(self):
        """Raises Failure if the process ended by itself, which makes the test void."""
        os.kill(self.pid, signal.SIGTERM)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if status != -signal.SIGTERM:
            raise Failure(f'the process has ended by itself, with {status}')


def in_child(function):
    """The result of the function, or a Failure with its exception."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            answer = function(), None
        except BaseException as error:  # pylint: disable=broad-except # passed to the parent
            answer = None, f'{type(error).__name__}: {error}'
        os.write(writer, marshal.dumps(answer))
        os._exit(0)  # pylint: disable=protected-access
    os.close(writer)
    with open(reader, 'rb') as pipe:
        answer, problem = marshal.loads(pipe.read())
    os.waitpid(pid, 0)
    if problem:
        raise Failure(problem)
    return answer
