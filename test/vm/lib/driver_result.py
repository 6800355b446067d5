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
COUNTERS = 1 << 64
# Of frames with an error
ERRORS = {
    'fcs': 'with a bad FCS', 'alignment': 'with an alignment error', 'code': 'with a code error',
    'payload_length': 'with a wrong length field', 'overrun': 'for which the FIFO had no room',
    'no_buffer': 'for which memory had no room', 'underrun': 'with an underrun',
    'late_collision': 'with a late collision', 'carrier_loss': 'without a carrier',
    'excessive_collisions': 'given up after too many collisions',
    'excessive_deferral': 'deferred for too long', 'checksum': 'with a bad checksum'}


@dataclasses.dataclass(frozen=True)
class Finding:
    """A value that differs, in a trial of check-driver. @what: has happened; @expected: None if the
    model does not have it; @macstats: None if it was not asked; @before: the driver's value then"""
    trial: str
    what: str
    expected: int | None
    actual: int
    macstats: int | None = None
    before: int | None = dataclasses.field(default=None, compare=False)


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


def what(finding, registers):
    """What has happened, in words. @registers: {counter: its register}"""
    frames = finding['frames']
    if frames is None:
        return f'only {registers[finding["counter"]]} counts'
    if finding['more_frames']:
        return f'{frames["count"]} frames of each kind'
    words = [str(frames['count']), {'rx': 'received', 'tx': 'transmitted'}[frames['direction']]]
    if frames['kind'] != 'data':
        words.append(frames['kind'])
    elif frames['destination'] not in (None, 'unicast'):
        words.append(frames['destination'])
    words += [f'frames of {frames["length"]} octets', *(ERRORS[one] for one in frames['errors'])]
    if frames['origin'] == 'mac':
        words.append('made by the MAC')
    if frames['vlan_tags']:
        words.append('with a tag')
    if frames['collisions']:
        words.append(f'after {frames["collisions"]} collision{"s"[:frames["collisions"] > 1]}')
    return ' '.join([*words, *(['that were deferred'] if frames['deferred'] else [])])


def increase(finding):
    """A value that has fallen is negative, not one that has leaped up to nearly 2^64."""
    actual, before = finding['actual'], finding['before']
    return actual - COUNTERS if before is not None and before + actual >= COUNTERS else actual


def findings_of(element, registers):
    return [Finding(one['trial'], what(one, registers), one['expected'], increase(one),
                    one['macstats'], one['before']) for one in element['findings']]


def check(nic, *words):
    """The report of check-driver"""
    done = macstats('check-driver', nic.name, '--json', *words)
    expect(done.returncode in (0, 1), done.stderr)
    report = json.loads(done.stdout)
    expect_equal(schemas.problem('check-driver', report), '', str(nic))
    expect_equal(report['failed'], [], str(nic))
    return report


def checked(report):
    """({group/name: Checked}, {string: (counter, findings)}, counters of the other duplex only)"""
    registers = {row['name']: row['register']
                 for row in cli.macstats_json('model', report['model'])['counters']}
    apart = {name for line in report['not_tried']
             if (found := re.fullmatch('counters: (.*): in (?:half|full) duplex only', line))
             for name in found[1].split(', ')}
    return {f'{one["group"]}/{one["name"]}': Checked(
        one['verdict'], one['late_seconds'] is not None, findings_of(one, registers))
        for one in report['statistics']}, \
        {one['name']: (one['counter'], findings_of(one, registers)) for one in report['strings']}, \
        apart


def in_half_duplex(findings, known):
    """Those that full duplex does not show"""
    for one in findings:
        if one not in known:
            yield dataclasses.replace(one, what=f'{one.what}, in half duplex')


def merged(full, half):
    """(statistics, strings) of both, of checked()"""
    (statistics, strings, half_only), (more, more_strings, full_only) = full, half
    for name, one in more.items():
        known = statistics.setdefault(name, Checked(one.verdict, False, []))
        if known.verdict in ('untried', 'uncounted') and one.verdict != 'untried':
            known.verdict = one.verdict
        known.late |= one.late
        known.findings += in_half_duplex(one.findings, known.findings)
    found = {}
    for name in (*strings, *(name for name in more_strings if name not in strings)):
        counter, findings = strings.get(name, (None, []))
        other, other_findings = more_strings.get(name, (None, []))
        # One that shows a counter in full duplex, and not in half duplex, shows more than that.
        if counter == other or (other is None and counter in full_only) or \
                (counter is None and other in half_only):
            found[name] = findings + [*in_half_duplex(other_findings, findings)]
    return statistics, found


def nearly_fill(port):
    """Registers of frames are one below their maximum when the driver is bound, as in the trial
    open."""
    absent = port.absent()
    for i, row in enumerate(cli.macstats_json('model', port.model)['counters']):
        if i not in absent and row['source'] == 'register' and row['bits'] <= 32 and \
                row['unit'] == 'frames':
            port.preset(row['name'], (1 << row['bits']) - 2)


def of_model(here, driver, converted=(), words=()):
    """(statistics, strings) of a driver on the registers of a model"""
    done = []
    for half in (False,) if driver.full_duplex else (False, True):
        options = ['statistics', *driver.revision, *(['half_duplex'] if half else [])]
        port = twin = hardware(here, driver.model, options=options, line_rate_bound=1)
        if {'rclr', 'switched'} & set(cli.macstats_json('model', driver.model)['access']):
            twin = hardware(here, driver.model, options=options, line_rate_bound=1)
        nearly_fill(port)
        with on_bench(here, driver.name, port, driver.module or None, converted) as nic:
            done.append(checked(check(nic, '--twin', twin.name, *words)))
    return merged(*done) if len(done) > 1 else \
        (done[0][0], {name: found for name, (_, found) in done[0][1].items()})


def of_memory(here, driver):
    """The same on registers of memory, which the datasheet alone tells"""
    statistics, strings = {}, {}

    def shown(nic):
        link = nic.link()   # first, before the timer of the driver runs
        groups = {f'{group}/{name}': value for group, members in nic.groups().items()
                  if isinstance(members, dict) for name, value in members.items()
                  if isinstance(value, int)}
        return groups | {f'rtnl/{name}': value for name, value in link.items()} | {
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
                    found.append(Finding('frames', text, expected, value - before[name],
                                         before=before[name]))
    for name, one in list(statistics.items()):
        if name not in grown:
            if one.verdict == 'right' and one.findings:
                one.verdict = 'uncounted'
            elif one.verdict == 'unjudged':
                del statistics[name]
    return statistics, strings


def measure(here, driver, **more):
    """The Result of a driver. @more: of one on a model: the modules that are converted, and words for
    the command"""
    log = KernelLog()
    if driver.alone:    # One report hides later ones.
        with on_bench(here, driver.name):
            pass
    statistics, strings = (of_model if driver.model else of_memory)(here, driver, **more)
    reports = [PLACE.sub('', found[0]) for line in log.lines() if (found := REPORT.search(line))]
    return Result(driver, statistics, strings, reports)
