# SPDX-License-Identifier: GPL-2.0
"""Test programs that print TAP version 13: cases are functions, registered with
@case, whose names are sentences that can be false."""

import os
import sys
import time

from deadline import HANG_SECONDS, SLOW, Deadline

EXIT_SKIP = 4
_cases = []


def case(function):
    _cases.append(function)
    return function


class Failure(Exception):
    """An expectation failed; the message has the actual result."""


class Skip(Exception):
    """A case cannot run here; the message is the reason."""


def expect(condition, why=''):
    if not condition:
        raise Failure(why)


def cut(text, most=1000):
    """A text of one line that people read: its start, if it is long."""
    return text if len(text) <= most else f'{text[:most]}... ({len(text)} characters)'


def _short(value):
    return cut(repr(value), 150)


def _differences(actual, expected, path=''):
    """Lines that show where two values differ."""
    where = f'{path}: ' if path else ''
    if actual == expected:
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        for key in {**expected, **actual}:
            if key not in actual or key not in expected:
                yield (f'{path}[{key!r}]: {_short(actual.get(key, "missing"))}, '
                       f'expected {_short(expected.get(key, "missing"))}')
            else:
                yield from _differences(actual[key], expected[key], f'{path}[{key!r}]')
    elif isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(actual) != len(expected):
            yield (f'{where}{len(actual)} elements, expected {len(expected)}: {_short(actual)}, '
                   f'expected {_short(expected)}')
        for i, (one, other) in enumerate(zip(actual, expected)):
            yield from _differences(one, other, f'{path}[{i}]')
    elif isinstance(actual, str) and isinstance(expected, str) and '\n' in actual + expected:
        lines = [text.split('\n') + [''] * (actual + expected).count('\n')
                 for text in (actual, expected)]
        number = next(i for i, (one, other) in enumerate(zip(*lines)) if one != other)
        yield (f'{where}line {number + 1}: {_short(lines[0][number])}, '
               f'expected {_short(lines[1][number])}')
    else:
        yield f'{where}{_short(actual)}, expected {_short(expected)}'


def expect_equal(actual, expected, what=''):
    """Compares. A failure prints short values whole, and of others the differences."""
    if actual == expected:
        return
    most = 30
    if isinstance(actual, dict) and isinstance(expected, dict) and all(
            not isinstance(value, (dict, list, tuple))
            for value in (*actual.values(), *expected.values())):
        keys = [key for key in {**expected, **actual}
                if actual.get(key, 'missing') != expected.get(key, 'missing')]
        lines = [f'{key}: {cut(str(actual.get(key, "missing")))}, '
                 f'expected {cut(str(expected.get(key, "missing")))}' for key in keys]
        raise Failure('\n'.join([str(what), *lines]))
    whole = f'{what}: {actual!r}, expected {expected!r}'
    if len(whole) <= 300 and '\n' not in whole:
        raise Failure(whole)
    lines = list(_differences(actual, expected))
    if len(lines) > most:
        lines[most:] = [f'... and {len(lines) - most} more differences']
    raise Failure('\n'.join([f'{cut(str(what))}: they differ at:', *lines]))


def wait_for(condition, what):
    """Waits until condition() is true and returns it. A slow machine gets more time. The longer it
    waits, the more seldom it looks."""
    deadline = Deadline(HANG_SECONDS)
    while not (result := condition()):
        # The measurement of the machine takes a second, in which it may have become true.
        if deadline.left() <= 0 and not condition():
            raise Failure(f'not within {HANG_SECONDS * deadline.slow:g} s: {what}')
        time.sleep(max(0.001, 0.05 * (time.monotonic() - deadline.started)))
    return result


def skip_all(why):
    """Ends a program none of whose cases can run here."""
    print(f'TAP version 13\n1..0 # SKIP {why}', flush=True)
    sys.exit(EXIT_SKIP)


def _run(function):
    """None if the case passed, else its diagnostics."""
    try:
        function()
    except Failure as failure:
        import traceback  # pylint: disable=import-outside-toplevel # slow, and rarely needed
        frame = traceback.extract_tb(failure.__traceback__)
        where = [f'line {entry.lineno}' for entry in frame if entry.name == function.__name__]
        return f'{failure} ({", ".join(where)})'
    except Skip:
        raise
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
        skip = ''
        try:
            problem = _run(function)
        except Skip as reason:
            problem, skip = None, f'# SKIP {reason} '
        milliseconds = (time.monotonic() - started) * 1000
        if problem is not None:
            failed = True
            for line in problem.splitlines():
                print(f'# {cut(line)}')
        print(f'{"ok" if problem is None else "not ok"} {number} - {function.__name__} '
              f'{skip}# time={milliseconds:.0f}ms', flush=True)
    sys.stdout.flush()
    os._exit(1 if failed else 0)  # pylint: disable=protected-access # no wait for children
