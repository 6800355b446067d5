# SPDX-License-Identifier: GPL-2.0
"""The page of a driver on the bench, from what it has shown: docs/drivers/NAME.md."""

import os
import textwrap

import bench_drivers
from bench_drivers import (ABSENT, AT_MAXIMUM, DIFFERS, FLAGS, OWN, RIGHT, UNJUDGED, WITHOUT_MODEL,
                           WRONG, ZERO, defects_of)
from generic_set import COUNT

LINE = 72
MOST_ALONE = 3
WHAT = {'alone': '{}', 'wrap': '{}, read after each third', 'silence': '{}, read after all of them',
        'reset': 'a reset of the hardware, and {}', 'down': '{}, then down and up',
        'open': '{}, one below the maximum at open'}


def table(head, rows):
    """A table of Markdown, as wide as its cells"""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    lines = [head, ['-' * width for width in widths], *rows]
    return ''.join('| ' + ' | '.join(map(str.ljust, line, widths)) + ' |\n' for line in lines)


def what(step):
    """What has happened, in words"""
    if len(step.frames) > 1:
        frames = f'{COUNT} of each kind'
    else:
        (kind, count), = step.frames.items()
        frames = kind if step.provider is None else f'{count} {kind}'
    return WHAT[step.event].format(frames)


def statistics(shown):
    """The statistics in which a defect shows"""
    return shown['statistic'] if isinstance(shown['statistic'], list) else [shown['statistic']]


class Page:
    """@result: of generic_set.measure()"""

    def __init__(self, result, kernel=None):
        self.result, self.driver = result, result.driver
        self.kernel = kernel or 'Linux ' + os.uname().release.split('-')[0]
        self.defects = defects_of(self.driver.name)
        known = bench_drivers.statistics()
        names = {name for name in result.reported if not name.startswith('-S')} | {
            name for step in result.steps if step.event == 'alone' for name in step.datasheet
            if not name.startswith('-S')}
        self.names = sorted(names, key=lambda name: (
            known.index(name.split(' ')[0]) if name.split(' ')[0] in known else len(known),
            int(name.split(' ')[1]) if ' ' in name else 0, name))

    def shown_by(self, shown):
        """The step that shows a defect, or None"""
        return next((step for step in self.result.deviations(statistics(shown)[0])
                     if step.event == shown['event'] and shown.get('of', '') in what(step)), None)

    def evidence(self, shown):
        """What has shown a defect, or None"""
        if 'log' in shown:
            line = next((line for line in self.result.reports if shown['log'] in line), None)
            return line and f'The kernel reports: {line}'
        step, name = self.shown_by(shown), statistics(shown)[0]
        if step is None:
            return None
        text, (datasheet, driver, provider) = what(step), self.values(name, step)
        right = 'by the datasheet and in macstats' if provider == datasheet else 'by the datasheet'
        return f'{text[0].upper()}{text[1:]}: {name} grows by {driver}; {right}, by {datasheet}.'

    def is_own(self, name):
        """Does the driver count it by its descriptors?"""
        group, _, member = name.partition('/')
        return group == 'rtnl' and member in self.driver.own

    def verdict(self, name):
        """Of a statistic: rows of VERDICTS and FLAGS, none where nothing can be said"""
        fed = self.result.fed(name)
        if name not in self.result.reported:
            return [ABSENT] if fed else []
        if self.is_own(name):
            return [OWN] if fed else []
        if not any(step.driver.get(name) for step in self.result.steps):
            return [ZERO] if fed else []
        claimed = any(defect['shown'].get('event') == 'alone' and
                      name in statistics(defect['shown']) for defect in self.defects)
        if not fed and not claimed:
            return [UNJUDGED]
        events = [step.event for step in self.result.deviations(name)]
        if name in self.result.late:
            events.append('late')
        alone = RIGHT if 'alone' not in events else WRONG if claimed else DIFFERS
        return [alone, *dict.fromkeys(row for event, row in FLAGS.items() if event in events)]

    def verdicts(self):
        return {name: found for name in self.names if (found := self.verdict(name))}

    def values(self, name, step):
        """By the datasheet, of the driver, of the provider"""
        datasheet = step.datasheet.get(name, None if name.startswith('-S') else 0)
        if datasheet is None:
            datasheet = self.result.predicted(name, step)
        same = f'counter {self.result.strings[name]}' if name in self.result.strings else name
        return datasheet, step.driver.get(name, 'absent'), (step.provider or {}).get(same, '')

    def rows(self, name):
        """Of the table of deviations: the first one of each event, up to three of frames alone"""
        by_event = {}
        for step in self.result.deviations(name):
            by_event.setdefault(step.event, []).append(step)
        for event, steps in by_event.items():
            most = MOST_ALONE if event == 'alone' else 1
            for step in steps[:most]:
                yield what(step), *self.values(name, step)

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
        written = {name for step in self.result.steps for name in step.datasheet
                   if name.startswith('-S')}
        names = sorted({*self.result.strings, *written})
        by_event, bad = {}, set()
        for name in names:
            for step in self.result.deviations(name):
                by_event.setdefault(step.event, {}).setdefault(name, step)
                bad.add(name)
        if not names:
            yield 'The bench says nothing of these strings.\n'
            return
        yield f'{len(names)} strings show one register each, {len(names) - len(bad)} of them ' \
            'rightly in all runs.\n'
        if by_event:
            rows = []
            for event, steps in by_event.items():
                (name, step), *others = steps.items()
                rows.append((FLAGS.get(event, WRONG)[0], f'`{name[3:]}`', what(step),
                             *self.values(name, step), len(others)))
            yield table(['', 'string', 'what happens', 'datasheet', 'driver', 'macstats',
                         'others'], rows)

    def statistics(self):
        """The table of verdicts, and in a line what is absent"""
        verdicts = self.verdicts()
        if rows := [(f'`{name}`', ', '.join(word for word, *_ in found))
                    for name, found in verdicts.items() if found != [ABSENT]]:
            yield table(['statistic', 'verdict'], rows)
        if absent := dict.fromkeys(f'`{name.split(" ")[0]}`' for name, found in verdicts.items()
                                   if found == [ABSENT]):
            yield f'Absent, although the MAC counts them: {", ".join(absent)}.\n'

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
        if rows := [(f'`{name}`', *row) for name in judged for row in self.rows(name)]:
            parts += ['## Where they differ\n', table(
                ['statistic', 'what happens', 'datasheet', 'driver', 'macstats'], rows)]
        if any(name.startswith('-S') for name in self.result.reported):
            parts += ['## `ethtool -S`\n', *self.strings()]
        if self.result.reports:
            parts.append("## The kernel's log\n\n" + ''.join(
                f'* `{line}`\n' for line in self.result.reports))
        for defect in self.defects:
            parts.append(f'## Report: {defect["defect"].split(":")[0].rstrip(".")}\n\n```\n'
                         f'{self.report(defect)}```\n')
        return '\n'.join(parts)
