# SPDX-License-Identifier: GPL-2.0
"""./dev test --coverage: counts the lines and branches that the tests execute, and fails where
they are too few.

gcov's numbers of all objects that contain a header are added up. Branches that only an
exception takes do not count. A function that no test program contains counts as not executed.
test/coverage-exceptions.txt lists lines that no test can execute, each with its reason."""

import concurrent.futures
import dataclasses
import fnmatch
import json
import pathlib
import re
import subprocess

import modules
import reasons
import shell
from reasons import squeeze
from shell import BUILD, ROOT, Failure

PRESET = 'coverage'
KERNEL = 'gcov'  # see test/vm/kernel
EXCEPTIONS = ROOT / 'test/coverage-exceptions.txt'
LINES_PERCENT, BRANCHES_PERCENT = 95, 90

# The first one that fits. Files of the first two must reach the percentages together.
GROUPS = {'shared': ('shared/macstats/*.h',), 'kmod': ('kmod/*',), 'userspace': ('userspace/*',)}
REQUIRED = ('shared', 'kmod')
LEFT_OUT = ('shared/macstats/model/*', 'shared/macstats/models.h')

# Tests that take minutes without the optimiser, and those that look at no code of these.
EXCLUDED = ('unit.reference', 'unit.scenario_mutations', 'unit.compiler_messages',
            'unit.netlink_spec', 'unit.library_rooms', 'unit.dev', 'install.consume')
# Where the guest copies the numbers of its modules, below its results.
GUEST_FOLDER = 'gcov'


@dataclasses.dataclass
class Line:
    count: int = 0
    # Times that each branch was taken. Copies of a line with another number of branches
    # (templates, other compilers) count on their own.
    branches: dict = dataclasses.field(default_factory=dict)

    def add(self, count, taken):
        self.count += count
        if taken:
            old = self.branches.get(len(taken), [0] * len(taken))
            self.branches[len(taken)] = [a + b for a, b in zip(old, taken)]

    def all_branches(self):
        return [count for taken in self.branches.values() for count in taken]

    def is_covered(self):
        return self.count > 0 and all(self.all_branches())


@dataclasses.dataclass
class Counts:
    """Of lines and branches: those that were executed, and all."""
    lines: int = 0
    all_lines: int = 0
    branches: int = 0
    all_branches: int = 0

    def __iadd__(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name,
                    getattr(self, field.name) + getattr(other, field.name))
        return self

    def add(self, line):
        taken = line.all_branches()
        self.lines += line.count > 0
        self.all_lines += 1
        self.branches += sum(count > 0 for count in taken)
        self.all_branches += len(taken)


def percent(part, whole):
    return 100 * part / whole if whole else 100


# Reading what gcov prints

def name_of(path):
    """A source's path in the project, or '' if it is not part of it. Kbuild's trees have links,
    also to drivers that are not part of kmod/."""
    real = path.resolve()
    return str(real.relative_to(ROOT)) if real.is_relative_to(ROOT) else ''


def add_report(report, covered, groups=None):
    """Adds one report of gcov (JSON) to {file: {number: Line}}. @groups: only these."""
    for file in report['files']:
        name = name_of(pathlib.Path(report['current_working_directory'], file['file']))
        if group_of(name) in (groups or GROUPS):
            lines = covered.setdefault(name, {})
            for line in file['lines']:
                lines.setdefault(line['line_number'], Line()).add(
                    line['count'], [branch['count'] for branch in line['branches']
                                    if not branch['throw']])


def gcov(data):
    """gcov's reports about an object: of its .gcda, or without one of its .gcno."""
    child = shell.start(['gcov', '--json-format', '--stdout', '--branch-probabilities', data],
                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL, cwd=data.parent)
    text = child.stdout.read()
    child.stdout.close()
    if shell.finish(child):
        raise Failure(f'gcov fails: {data}')
    return [json.loads(line) for line in text.splitlines() if line.startswith(b'{')]


def collect(folder, covered):
    """Adds the numbers of all objects below a folder that were executed."""
    data = sorted(folder.rglob('*.gcda'))
    if not data:
        raise Failure(f'{folder}: no program has left numbers there')
    with concurrent.futures.ThreadPoolExecutor(shell.processors()) as pool:
        for reports in pool.map(gcov, data):
            for report in reports:
                add_report(report, covered)


def add_unused(covered):
    """Adds all functions of the shared headers, without executing them."""
    folder = BUILD / PRESET / 'unused'
    folder.mkdir(parents=True, exist_ok=True)
    headers = sorted((ROOT / 'shared/macstats').glob('*.h'))
    (folder / 'all.cpp').write_text(''.join(f'#include <macstats/{path.name}>\n'
                                            for path in headers))
    shell.step('compiling all shared headers', [
        'g++', '-std=c++20', '-O0', '-g1', '--coverage', '-fkeep-inline-functions', '-I',
        ROOT / 'shared', '-c', '-o', folder / 'all.o', folder / 'all.cpp'])
    for report in gcov(folder / 'all.gcno'):
        add_report(report, covered)


# Exceptions

BRANCHES = 'branches: '


def exceptions_in(text):
    """{(file, text of a line): reason}. An entry: FILE: LINE, then the reason. Or FILE:
    branches: LINE, where only the branches of the line do not count, and both may contain *."""
    known = {}
    for lines, reason in reasons.entries(text, EXCEPTIONS.name):
        file, colon, code = lines[-1].partition(': ')
        if not colon or len(lines) > 1:
            raise Failure(f'{EXCEPTIONS.name}: not an entry: {" ".join(lines)}')
        known[file, squeeze(code)] = reason
    return known


def fits(text, pattern):
    """Only * is special in the pattern."""
    return bool(re.fullmatch('.*'.join(map(re.escape, pattern.split('*'))), text))


def exception_of(file, code, known):
    """The exception that a line has, or None."""
    if (file, code) in known:
        return file, code
    for name, pattern in known:
        if pattern.startswith(BRANCHES) and fits(file, name) and \
                fits(code, pattern.removeprefix(BRANCHES)):
            return name, pattern
    return None


def leave_out(covered, known, read):
    """Removes the lines of the exceptions, or their branches. Returns the needless exceptions:
    [text]. @read returns the text of a file."""
    needed, measured = set(), set()
    for file, lines in covered.items():
        mine = {key for key in known if fits(file, key[0])}
        if not mine:
            continue
        measured |= mine
        text = read(file).splitlines()
        for number in list(lines):
            key = exception_of(file, squeeze(text[number - 1]), known)
            if not key:
                continue
            if key[1].startswith(BRANCHES):
                if not all(lines[number].all_branches()):
                    needed.add(key)
                lines[number].branches.clear()
            else:
                if not lines[number].is_covered():
                    needed.add(key)
                del lines[number]
    # This run may not have measured the file of an exception.
    return [': '.join(key) for key in known if key in measured - needed]


# The report

def group_of(file):
    if any(fnmatch.fnmatch(file, pattern) for pattern in LEFT_OUT):
        return ''
    for name, patterns in GROUPS.items():
        if any(fnmatch.fnmatch(file, pattern) for pattern in patterns):
            return name
    return ''


def row(name, counts):
    return (f'{name:<50} {counts.lines:>5}/{counts.all_lines:<5} '
            f'{percent(counts.lines, counts.all_lines):5.1f} %  '
            f'{counts.branches:>5}/{counts.all_branches:<5} '
            f'{percent(counts.branches, counts.all_branches):5.1f} %')


def counts_of(lines):
    counts = Counts()
    for line in lines.values():
        counts.add(line)
    return counts


def table(covered):
    """(the lines of the table, {group: Counts})"""
    groups, rows = {}, [f'{"file":<50} {"lines":<20} branches']
    for file in sorted(covered):
        counts = counts_of(covered[file])
        rows.append(row(file, counts))
        total = groups.setdefault(group_of(file), Counts())
        total += counts
    rows += [row(f'all of {name}', groups[name]) for name in GROUPS if name in groups]
    return rows, groups


def shortfalls(groups):
    """Why the numbers are not enough: [text]."""
    problems = []
    for name in REQUIRED:
        counts = groups.get(name)
        if not counts:
            continue
        for what, part, whole, least in (
                ('lines', counts.lines, counts.all_lines, LINES_PERCENT),
                ('branches', counts.branches, counts.all_branches, BRANCHES_PERCENT)):
            if percent(part, whole) < least:
                problems.append(f'{name}: {percent(part, whole):.1f} % of the {what} are '
                                f'executed, {least} % are required')
    return problems


def ranges(numbers):
    """1-3 5"""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ' '.join(f'{a}-{b}' if a < b else str(a) for a, b in parts)


def missing(covered):
    """A line of text for each file of the required groups with code that is not executed."""
    for file in sorted(covered):
        if group_of(file) not in REQUIRED:
            continue
        lines = covered[file]
        dead = [number for number, line in lines.items() if not line.count]
        half = [number for number, line in lines.items()
                if line.count and not line.is_covered()]
        if dead or half:
            yield f'{file}: not executed: {ranges(dead) or "-"}; in part: {ranges(half) or "-"}'


def judge(covered):
    """Prints the table. Returns the problems: [text]."""
    known = exceptions_in(EXCEPTIONS.read_text())
    needless = leave_out(covered, known, lambda file: (ROOT / file).read_text())
    rows, groups = table(covered)
    print(*rows, *missing(covered), sep='\n', flush=True)
    return shortfalls(groups) + [
        f'{EXCEPTIONS.name}: the line is executed completely, or it does not exist any more: {text}'
        for text in needless]


# The userspace part

def targets():
    """All that the tests need."""
    folders = sorted({path.parent.name for path in (ROOT / 'test/unit').glob('*/*.cpp')})
    return [*modules.COMMAND_TARGETS, 'fake-macstats-cli', 'fake-macstats-exporter',
            'random-scenarios'] + [f'unit-{folder}' for folder in folders]


def forget(folder):
    """Removes the numbers of earlier runs."""
    for path in folder.rglob('*.gcda'):
        path.unlink()


# The modules in a guest

def add_modules(folder, trees, covered):
    """Adds the numbers that a guest copied into a folder, which names each object by its
    path. Each tree has links to the project's files, and the objects that Kbuild made of them;
    what a link in its kmod/ leads to elsewhere, as a driver of a test, does not count. The shared
    headers count by the userspace part only: the kernel's compiler makes other branches of
    them."""
    for path in sorted(folder.rglob('*.gcda')):
        made = '/' / path.relative_to(folder)
        tree = next((tree for tree in trees if made.is_relative_to(tree)), None)
        if tree:
            note = made.with_suffix('.gcno')
            link = path.with_suffix('.gcno')
            link.unlink(missing_ok=True)
            link.symlink_to(note)
            for report in gcov(path):
                add_report(report, covered, ('kmod',))
    if not any(group_of(file) == 'kmod' for file in covered):
        raise Failure('the guest has left no numbers of the modules')
