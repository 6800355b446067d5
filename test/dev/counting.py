# SPDX-License-Identifier: GPL-2.0
"""Counts the results that test programs leave: pure functions of text."""

import dataclasses
import re
from xml.etree import ElementTree

# In a report of Boost
CASES = re.compile(r'\btest_cases_(\w+)="(\d+)"')


@dataclasses.dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[str] = dataclasses.field(default_factory=list)  # what failed, for people
    repeats: list[str] = dataclasses.field(default_factory=list)  # commands that do it again

    def __iadd__(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def __str__(self):
        skipped = f', {self.skipped} skipped' if self.skipped else ''
        return f'{self.passed} passed, {self.failed} failed{skipped}'


def unit_tests(report):
    """Counts in a JUnit report of ctest. Programs of Boost count as their cases, which they report
    in XML; other programs count as one."""
    total = Tally()
    for test in ElementTree.fromstring(report).iter('testcase'):
        # The first report: the program may show those of others.
        cases = dict(reversed(CASES.findall(''.join(test.itertext()))))
        counts = Tally(*(sum(int(cases.get(name, 0)) for name in names) for names in (
            ('passed', 'passed_with_warnings'), ('failed', 'timed_out'), ('skipped',))))
        skipped = test.get('status') == 'disabled' or any(
            each.get('message', '').startswith('SKIP_') for each in test.iter('skipped'))
        if test.get('status') != 'run' and not skipped and not counts.failed:
            counts.failed = 1
        if counts == Tally():
            counts = Tally(skipped=1) if skipped else Tally(passed=1)
        if counts.failed:
            counts.failures = [test.get('name')]
            counts.repeats = [f"ctest --test-dir build/default -R '^{test.get('name')}$'"]
        total += counts
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
            if int(failed) and repeat and running:  # not the holds of RTNL
                total.repeats.append(f'{repeat} {running}')
            running = ''
    if running:
        total += Tally(failed=1, failures=[f'{label}{running}: never ended'],
                       repeats=[f'{repeat} {running}'] if repeat else [])
    return total
