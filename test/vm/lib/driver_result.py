# SPDX-License-Identifier: GPL-2.0
"""What a driver on the bench shows: the verdicts of `macstats check-driver`, in full and in half
duplex; of registers that are memory, what they hold and what it makes of that."""

import dataclasses
import json
import re
import time

import cli
import schemas
from bench import hardware, macstats, on_bench
from ports import KernelLog
from tap import expect, expect_equal

# In the kernel's log; without places in its code, which each build has elsewhere.
REPORT, PLACE = re.compile(r'\b(BUG|WARNING): .*'), re.compile(r'\+0x\w+/0x\w+')
# Drivers read their registers up to every 2 s.
LATEST = 2.5
HALF_RANGE = 1 << 63    # of an increase of 64 bits; what is above has gone back


@dataclasses.dataclass(frozen=True)
class Finding:
    """A value that differs, in a trial of check-driver. @what: has happened; @macstats: None if it
    was not asked"""
    trial: str
    what: str
    expected: int
    actual: int
    macstats: int | None = None


@dataclasses.dataclass
class Checked:
    """A statistic"""
    verdict: str
    late: bool
    findings: list


@dataclasses.dataclass
class Result:
    """@statistics: {group/name: Checked}; @strings: {string of ethtool -S: the findings}, of those
    that show one register; @reports: of the kernel's log"""
    driver: object
    statistics: dict
    strings: dict
    reports: list


def what(finding):
    """What has happened, in words"""
    frames = finding['frames']
    if frames is None:
        return f'{finding["counter"]} counts alone'
    if finding['more_frames']:
        return f'{frames["count"]} frames of each kind'
    words = [str(frames['count']), {'rx': 'received', 'tx': 'transmitted'}[frames['direction']]]
    if frames['kind'] != 'data':
        words.append(frames['kind'])
    elif frames['destination'] not in (None, 'unicast'):
        words.append(frames['destination'])
    words += [f'frames of {frames["length"]} octets']
    more = {'of the MAC': frames['origin'] == 'mac', 'tagged': frames['vlan_tags'],
            f'error: {", ".join(frames["errors"])}': frames['errors'],
            f'collisions: {frames["collisions"]}': frames['collisions'],
            'deferred': frames['deferred']}
    return ', '.join([' '.join(words), *(text for text, holds in more.items() if holds)])


def signed(value):
    return value - 2 * HALF_RANGE if value >= HALF_RANGE else value


def findings_of(element):
    return [Finding(one['trial'], what(one), one['expected'] or 0, signed(one['actual']),
                    one['macstats']) for one in element['findings']]


def check(nic, *words):
    """The report of check-driver"""
    done = macstats('check-driver', nic.name, '--json', *words)
    expect(done.returncode in (0, 1), done.stderr)
    report = json.loads(done.stdout)
    expect_equal(schemas.problem('check-driver', report), '', str(nic))
    expect_equal(report['failed'], [], str(nic))
    return report


def checked(report):
    """({group/name: Checked}, {string: findings})"""
    return {f'{one["group"]}/{one["name"]}': Checked(
        one['verdict'], one['late_seconds'] is not None, findings_of(one))
        for one in report['statistics']}, \
        {one['name']: findings_of(one) for one in report['strings']}


def add_half_duplex(statistics, strings, report):
    """Adds what half duplex shows beyond that."""
    more, more_strings = checked(report)
    for name, one in more.items():
        known = statistics.setdefault(name, one)
        if known.verdict == 'untried':
            known.verdict = one.verdict
        known.findings += [each for each in one.findings if each not in known.findings]
    for name, found in more_strings.items():
        strings.setdefault(name, found)


def of_model(here, driver):
    """(statistics, strings) of a driver on the registers of a model"""
    statistics, strings = {}, {}
    for half in (False,) if driver.full_duplex else (False, True):
        options = ['statistics', *driver.revision, *(['half_duplex'] if half else [])]
        port = twin = hardware(here, driver.model, options=options, line_rate_bound=1)
        if {'rclr', 'switched'} & set(cli.macstats_json('model', driver.model)['access']):
            twin = hardware(here, driver.model, options=options, line_rate_bound=1)
        with on_bench(here, driver.name, port, module=driver.module or None) as nic:
            words = '--twin', twin.name
            if half:
                add_half_duplex(statistics, strings,
                                check(nic, *words, '--trials', 'frames,counters'))
            else:
                statistics, strings = checked(check(nic, *words))
    return statistics, strings


def of_memory(here, driver):
    """The same on registers of memory, which the datasheet alone tells"""
    statistics, strings = {}, {}

    def shown(nic):
        groups = {f'{group}/{name}': value for group, members in nic.groups().items()
                  if isinstance(members, dict) for name, value in members.items()
                  if isinstance(value, int)}
        return groups | {f'rtnl/{name}': value for name, value in nic.link().items()} | {
            f'-S {name}': value for name, value in nic.strings().items()}
    with on_bench(here, driver.name, module=driver.module or None) as nic:
        grown = set()
        for text, values, datasheet in driver.registers:
            before = shown(nic)
            for address, value in values.items():
                nic.write(address, value)
            at_once = shown(nic)
            time.sleep(LATEST)
            now = shown(nic)
            for name, value in now.items():
                grown |= {name} if value != before[name] else set()
                if name.startswith('-S'):
                    found = strings.setdefault(name[3:], []) if name in datasheet else None
                else:
                    one = statistics.setdefault(name, Checked('unjudged', False, []))
                    one.late |= value != at_once[name]
                    one.verdict = 'right' if name in datasheet else one.verdict
                    found = one.findings
                expected = datasheet.get(name, 0)
                if found is not None and value - before[name] != expected:
                    found.append(Finding('frames', text, expected, value - before[name]))
    for name, one in list(statistics.items()):
        if name not in grown:
            if one.verdict == 'right' and one.findings:
                one.verdict = 'uncounted'
            elif one.verdict == 'unjudged':
                del statistics[name]
    return statistics, strings


def measure(here, driver):
    """The Result of a driver"""
    log = KernelLog()
    if driver.alone:    # One report hides later ones.
        with on_bench(here, driver.name):
            pass
    statistics, strings = (of_model if driver.model else of_memory)(here, driver)
    reports = [PLACE.sub('', found[0]) for line in log.lines() if (found := REPORT.search(line))]
    return Result(driver, statistics, strings, reports)
