# SPDX-License-Identifier: GPL-2.0
"""Test programs that print TAP version 13: cases are functions, registered with
@case, whose names are sentences that can be false."""

import os
import sys
import time

_cases = []


def case(function):
    _cases.append(function)
    return function


class Failure(Exception):
    """What was expected did not happen; the message says what did."""


def expect(condition, why=''):
    if not condition:
        raise Failure(why)


def expect_equal(actual, expected, what=''):
    """Compares; of dictionaries only the differences are shown."""
    if actual == expected:
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        keys = [key for key in {**expected, **actual}
                if actual.get(key, 'missing') != expected.get(key, 'missing')]
        lines = [f'{key}: {actual.get(key, "missing")}, expected {expected.get(key, "missing")}'
                 for key in keys]
        raise Failure('\n'.join([what, *lines]))
    raise Failure(f'{what}: {actual!r}, expected {expected!r}')


def wait_for(condition, what, seconds=10):
    """Returns what condition() gives as soon as it is true."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise Failure(f'not within {seconds} s: {what}')
        time.sleep(0.001)
    return result


def _run(function):
    """None if the case passed, else what to print."""
    try:
        function()
    except Failure as failure:
        import traceback  # pylint: disable=import-outside-toplevel # slow, and rarely needed
        frame = traceback.extract_tb(failure.__traceback__)
        where = [f'line {entry.lineno}' for entry in frame if entry.name == function.__name__]
        return f'{failure} ({", ".join(where)})'
    except Exception:  # pylint: disable=broad-except # one bad case must not hide the others
        import traceback  # pylint: disable=import-outside-toplevel
        return traceback.format_exc()
    return None


def main(*extra):
    """Runs the cases of the program, and those in @extra after them. Arguments
    choose cases by name. Exit status 0: all passed, 1: not."""
    wanted = sys.argv[1:]
    cases = [function for function in [*_cases, *extra]
             if not wanted or function.__name__ in wanted]
    print('TAP version 13')
    print(f'1..{len(cases)}', flush=True)
    failed = False
    for number, function in enumerate(cases, 1):
        started = time.monotonic()
        problem = _run(function)
        milliseconds = (time.monotonic() - started) * 1000
        if problem is not None:
            failed = True
            for line in problem.splitlines():
                print(f'# {line}')
        print(f'{"ok" if problem is None else "not ok"} {number} - {function.__name__} '
              f'# time={milliseconds:.0f}ms', flush=True)
    sys.stdout.flush()
    os._exit(1 if failed else 0)  # pylint: disable=protected-access # no wait for children
