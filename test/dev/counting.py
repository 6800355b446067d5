# SPDX-License-Identifier: GPL-2.0
"""Counts the results that test programs leave: pure functions of text."""

import dataclasses
import re


@dataclasses.dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[str] = dataclasses.field(default_factory=list)  # what failed, for people
    repeats: list[str] = dataclasses.field(default_factory=list)  # commands that do it again

    def __iadd__(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.failures += other.failures
        self.repeats += other.repeats
        return self

    def __str__(self):
        skipped = f', {self.skipped} skipped' if self.skipped else ''
        return f'{self.passed} passed, {self.failed} failed{skipped}'


def _number(name, line):
    """The value of an attribute of XML, which may lie in text of XML."""
    found = re.search(rf'\b{name}=(?:"|&quot;)(\d+)', line)
    return int(found[1]) if found else 0


def unit_tests(report):
    """Counts in a JUnit report of ctest. Programs of Boost count as their cases, which
    they report; other programs count as one."""
    total = Tally()
    case, verdict = Tally(), ''
    for line in report.splitlines():
        if '<testcase ' in line:
            case = Tally()
            name = re.search(r'\bname="([^"]*)"', line)
            verdict = 'pass' if 'status="run"' in line else \
                'skip' if 'status="disabled"' in line else 'fail'
        if '<skipped message="SKIP_' in line:
            verdict = 'skip'
        if 'test_cases_passed=' in line and not case.passed and not case.failed:
            case = Tally(
                _number('test_cases_passed', line) +
                _number('test_cases_passed_with_warnings', line),
                _number('test_cases_failed', line) + _number('test_cases_timed_out', line),
                _number('test_cases_skipped', line))
        if '</testcase>' in line or ('<testcase ' in line and line.rstrip().endswith('/>')):
            if verdict == 'fail' and not case.failed:
                case.failed = 1
            if case == Tally():
                case = Tally(skipped=1) if verdict == 'skip' else Tally(passed=1)
            if case.failed and name:
                case.failures = [name[1]]
                case.repeats = [f"ctest --test-dir build/default -R '^{name[1]}$'"]
            total += case
    return total


def programs(lines, label='', repeat=''):
    """Counts in what run-all has written. A program that never ended has failed. With its name,
    the command @repeat runs it again."""
    total, running = Tally(), ''
    for line in lines.splitlines():
        word, _, rest = line.partition(' ')
        if word == 'running':
            running = rest
        elif word == 'failed':
            total.failures.append(f'{label}{rest}')
        elif word:
            passed, failed, skipped, *_ = line.split()
            total += Tally(int(passed), int(failed), int(skipped))
            if int(failed) and repeat:
                total.repeats.append(f'{repeat} {running}')
            running = ''
    if running:
        total += Tally(failed=1, failures=[f'{label}{running}: never ended'],
                       repeats=[f'{repeat} {running}'] if repeat else [])
    return total
