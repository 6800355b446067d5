# SPDX-License-Identifier: GPL-2.0
"""The page of a driver on the bench, from what it has shown: docs/drivers/NAME.md."""

import os
import re
import textwrap

import bench_drivers
from bench_drivers import (AT_MAXIMUM, DIFFERS, FLAGS, MISSING, OWN, RIGHT, UNCOUNTED, UNJUDGED,
                           WITHOUT_MODEL, WRONG, defects_of)

LINE = 72
MOST_ALONE = 3
ALONE = 'frames', 'counters'
FEW = '2 frames of each kind'     # of driver_check.cpp
WHAT = {'open': 'registers one below their maximum when the interface comes up, then {}',
        'wrap': '{}, read after each third', 'silence': '{}, read after all of them',
        'reset': f'{FEW}, a read, a reset of the hardware, a read, 3 more',
        'down-up': f'{FEW}, a read, 3 more, then down and up',
        'readers': '{}, while others read'}
NOT_IN_MODEL = 'not in the model'


def table(head, rows):
    """A table of Markdown, as wide as its cells"""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    lines = [head, ['-' * width for width in widths], *rows]
    return ''.join('| ' + ' | '.join(map(str.ljust, line, widths)) + ' |\n' for line in lines)


def what(finding):
    """What has happened, in words"""
    words = WHAT.get(finding.trial, '{}')
    half = ', in half duplex'
    if '{}' not in words and finding.what.endswith(half):
        words += half
    return words.format(finding.what)


def change(finding):
    """What the driver's value does"""
    if finding.actual >= 0:
        return f'grows by {finding.actual}'
    if finding.before is None:
        return f'falls by {-finding.actual}'
    return f'falls from {finding.before} to {finding.before + finding.actual}'


def statistics(shown):
    """The statistics in which a defect shows"""
    return shown['statistic'] if isinstance(shown['statistic'], list) else [shown['statistic']]


def first_rows(findings):
    """Of a table: the first finding of each trial, more of frames alone"""
    for trial in sorted({one.trial: None for one in findings}, key=lambda each: each not in ALONE):
        found = [one for one in findings if one.trial == trial]
        for one in found[:MOST_ALONE if trial in ALONE else 1]:
            yield what(one), *values(one)


def values(finding):
    """By the datasheet, of the driver, of the provider"""
    return NOT_IN_MODEL if finding.expected is None else finding.expected, finding.actual, \
        '' if finding.macstats is None else finding.macstats


class Page:
    """@result: of driver_result.measure()"""

    def __init__(self, result, kernel=None):
        self.result, self.driver = result, result.driver
        self.kernel = kernel or 'Linux ' + os.uname().release.split('-')[0]
        self.defects = defects_of(self.driver.name)
        known = bench_drivers.statistics()

        def place(name):
            """Histograms by their lengths"""
            bucket, row = re.search(r'(\d+)to', name), bench_drivers.family(name)
            return (known.index(row) if row in known else len(known),
                    int(bucket[1]) if bucket else 0, name)
        self.names = sorted(result.statistics, key=place)

    def findings(self, name):
        """Of a statistic, or of a string of ethtool -S: "-S name\""""
        if name.startswith('-S '):
            return self.result.strings.get(name[3:], [])
        one = self.result.statistics.get(name)
        return one.findings if one else []

    def evidence(self, shown):
        """What has shown a defect, or None"""
        if 'log' in shown:
            line = next((line for line in self.result.reports if shown['log'] in line), None)
            return line and f'The kernel reports: {line}'
        name = statistics(shown)[0]
        finding = next((one for one in self.findings(name)
                        if one.trial == shown['trial'] and shown.get('of', '') in what(one)), None)
        if finding is None:
            return None
        happened = what(finding)
        text = f'{happened[0].upper()}{happened[1:]}: {name} {change(finding)}'
        if finding.expected is None:
            return f'{text}.'
        right = 'by the datasheet and in macstats' if finding.macstats == finding.expected else \
            'by the datasheet'
        verb = ', it grows' if finding.actual < 0 else ','
        return f'{text}; {right}{verb} by {finding.expected}.'

    def is_own(self, name):
        """Does the driver count it by its descriptors?"""
        group, _, member = name.partition('/')
        return group == 'rtnl' and member in self.driver.own

    def verdict(self, name):
        """Of a statistic: rows of VERDICTS and FLAGS, none where nothing can be said"""
        one = self.result.statistics[name]
        claimed = any(defect['shown'].get('trial') in ALONE and
                      name in statistics(defect['shown']) for defect in self.defects)
        if one.verdict == 'untried' or (one.verdict == 'unjudged' and self.is_own(name)):
            return []
        if one.verdict == 'missing':
            return [MISSING]
        if self.is_own(name):
            return [OWN]
        if one.verdict == 'uncounted':
            return [UNCOUNTED]
        if one.verdict == 'unjudged' and not claimed:
            return [UNJUDGED]
        trials = {each.trial for each in one.findings}
        alone = RIGHT if not trials & set(ALONE) else WRONG if claimed else DIFFERS
        return [alone, *dict.fromkeys(row for trial, row in FLAGS.items()
                                      if trial in trials or (trial == 'late' and one.late))]

    def verdicts(self):
        return {name: found for name in self.names if (found := self.verdict(name))}

    def report(self, defect):
        """At most ten lines for a maintainer"""
        evidence = self.evidence(defect['shown'])
        if evidence is None:
            return f'{self.driver.name}: {defect["defect"]}\nThis run does not show it.\n'
        lines = [f'{self.driver.name}: {defect["source"]}, {self.kernel}:', f'    {defect["line"]}']
        for words in defect['defect'], evidence, \
                'Seen with the unmodified driver on emulated registers, in user-mode Linux: ' \
                f'./dev bench-driver {self.driver.name}':
            lines += textwrap.wrap(words, LINE)
        return '\n'.join(lines) + '\n'

    def strings(self):
        """About ethtool -S: the strings that grow as one register does, and where they do not"""
        found = self.result.strings
        if not found:
            yield 'The bench says nothing of these strings.\n'
            return
        words = 'string shows' if len(found) == 1 else 'strings show'
        yield f'{len(found)} {words} one register each, ' \
            f'{sum(not each for each in found.values())} of them rightly in all runs.\n'
        by_trial = {}
        for name in sorted(found):
            for finding in found[name]:
                by_trial.setdefault(finding.trial, {}).setdefault(name, finding)
        rows = []
        for trial, findings in by_trial.items():
            (name, finding), *others = findings.items()
            rows.append((FLAGS.get(trial, WRONG)[0], f'`{name}`', what(finding), *values(finding),
                         len(others)))
        if rows:
            yield table(['', 'string', 'what happens', 'datasheet', 'driver', 'macstats',
                         'others'], rows)

    def statistics(self):
        """The table of verdicts, and in a line what is missing"""
        verdicts = self.verdicts()
        if rows := [(f'`{name}`', ', '.join(word for word, *_ in found))
                    for name, found in verdicts.items() if found != [MISSING]]:
            yield table(['statistic', 'verdict'], rows)
        if missing := dict.fromkeys(
                f'`{bench_drivers.family(name)}`' for name, found in verdicts.items()
                if found == [MISSING]):
            yield f'Missing, although the MAC has them: {", ".join(missing)}.\n'

    def markdown(self):
        driver = self.driver
        header = f'../../shared/macstats/model/{driver.model}.h'
        hardware = f'on the registers of an emulated [`{driver.model}`]({header})' if driver.model \
            else 'on registers of memory'
        parts = [
            f'# {driver.name}\n',
            f'`./dev bench-driver {driver.name}` makes this page: the driver of {self.kernel}, '
            f'unmodified, {hardware}. [README.md](README.md) explains the words. '
            f'{AT_MAXIMUM.get(driver.model, WITHOUT_MODEL)}\n',
            '## Standard statistics\n',
            *self.statistics()]
        judged = [name for name, found in self.verdicts().items()
                  if found[0] in (RIGHT, WRONG, DIFFERS)]
        if rows := [(f'`{name}`', *row) for name in judged
                    for row in first_rows(self.findings(name))]:
            parts += ['## Where they differ\n', table(
                ['statistic', 'what happens', 'datasheet', 'driver', 'macstats'], rows)]
        parts += ['## `ethtool -S`\n', *self.strings()]
        if self.result.reports:
            parts.append("## The kernel's log\n\n" + ''.join(
                f'* `{line}`\n' for line in self.result.reports))
        for defect in self.defects:
            parts.append(f'## Report: {defect["defect"].split(":")[0].rstrip(".")}\n\n```\n'
                         f'{self.report(defect)}```\n')
        return '\n'.join(parts)
