# SPDX-License-Identifier: GPL-2.0
"""./dev mutants: changes one place of a source file at a time, and runs tests on each change. It
prints the survivors, which no test notices, for review: either a test is missing, or the change
makes no difference.

The changes are made in a copy of the project, build/mutants, which keeps its objects."""

import collections
import dataclasses
import difflib
import os
import random
import re
import time

import architectures
import arguments
import modules
import packages
import shell
import tests
from shell import BUILD, ROOT, Failure, say

TREE = BUILD / 'mutants'
# The limit of tests: these seconds, and so many times what they take without a change.
BASE_SECONDS, SLOWER = 60, 5
MEMORY = 4 << 30  # the limit of a program of unit tests

SWAPS = {
    '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '<': '<=', '<=': '<', '>': '>=', '>=': '>',
    '==': '!=', '!=': '==', '&&': '||', '||': '&&', '&': '|', '|': '&', '^': '&', '<<': '>>',
    '>>': '<<', '+=': '-=', '-=': '+=', '|=': '&=', '&=': '|=', '++': '--', '--': '++',
    'true': 'false', 'false': 'true', 'break': 'continue', 'continue': 'break'}
SKIPPED = re.compile(r'''/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+' |
    ^[ \t]*\#(?:\\\n|[^\n])* | \bstatic_assert\b[^;]*''', re.VERBOSE | re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r'''(?P<number>\b(?:0x[0-9a-fA-F]+|0|[1-9]\d*)(?=[uUlL]*\b)) |
    (?P<word>\b(?:true|false|break|continue)\b) | (?P<step>\+\+|--) | (?P<no>!(?=[\w(])) |
    (?<=\s)(?P<binary><<|>>|&&|\|\||[-+*/%|&<>=!]=|[-+*/%|&<>^])(?=\s)''', re.VERBOSE)
# An assignment, or a call whose result is not used; not a declaration.
STATEMENT = re.compile(r'^[ \t]+((?!return\b|goto\b)[^\s=;({}]+'
                       r'(?: [-+*/%|&^<>]*= |\()[^;{}]*);[ \t]*$', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Mutant:
    """@new replaces the text of a file from @start to @end."""
    file: str
    start: int
    end: int
    new: str

    def of(self, text):
        return text[:self.start] + self.new + text[self.end:]

    def describe(self, text):
        """FILE:LINE, and both texts of its lines."""
        _, _, _, *lines = difflib.unified_diff(text.splitlines(), self.of(text).splitlines(), n=0,
                                               lineterm='')
        return [f'{self.file}:{text.count(chr(10), 0, self.start) + 1}', *lines]


def mutants_of(file, text):
    """All mutants of a source file in C or C++."""
    text = SKIPPED.sub(lambda found: re.sub(r'[^\n]', ' ', found[0]), text)
    for found in TOKEN.finditer(text):
        new = '' if found['no'] else str(int(found[0], 0) + 1) if found['number'] else \
            SWAPS.get(found[0])
        if new is not None:
            yield Mutant(file, *found.span(), new)
    for found in STATEMENT.finditer(text):
        yield Mutant(file, *found.span(1), '')


def copy_project():
    names = shell.project_files()
    for path in (path for top in TREE.glob('*') if top.name != 'build' for path in top.rglob('*')):
        if path.is_file() and str(path.relative_to(TREE)) not in names:
            path.unlink()
    shell.copy(names, TREE)
    kernels = TREE / 'build/kernel'  # those of guests are the same
    kernels.parent.mkdir(exist_ok=True)
    if not kernels.is_symlink():
        kernels.symlink_to(BUILD / 'kernel')


def tests_of(words, files):
    """(folders of test/unit, guest programs): those of these names, by default all fast ones."""
    folders = {path.parent.name for path in (ROOT / 'test/unit').glob('*/*.cpp')}
    user_mode = arguments.Options(kernels=[architectures.USER_MODE])
    guests = [word for word in words if word not in folders]
    programs = tests.guest_programs(user_mode, guests)
    tests.reject_unsuitable(user_mode, programs)
    if words:
        return [word for word in words if word in folders], guests
    if any(file.startswith('kmod/') for file in files):
        return [], [program.name for program in programs]
    return sorted(folders - {'long'}), []


def commands_of(folders, guests):
    """(command, does its failure mean that the change does not build?)"""
    if folders:
        made = TREE / 'build' / modules.PRESET
        if not (made / 'build.ninja').exists():
            yield ['cmake', '--preset', modules.PRESET], True
        yield ['ninja', '-C', made, *(f'unit-{name}' for name in folders)], True
        yield from ((['prlimit', f'--as={MEMORY}', made / 'test/unit' / f'unit-{name}'], False)
                    for name in folders)
    if guests:
        yield [TREE / 'dev', 'test', '--kernel-dir', BUILD / 'kernel' / architectures.USER_MODE,
               *guests], False


def verdict_of(commands, seconds=0):
    """`survived`, `invalid` or `killed`, and the output of the last command. @seconds: the limit of
    a command that does not build; 0: none"""
    for command, builds in commands:
        limit = ['timeout', '-k', '60', 0 if builds else seconds]
        status, text = shell.output_of([*limit, *command], cwd=TREE)
        if status:
            # The text is that of ./dev, whose modules do not build.
            return 'invalid' if builds or 'failed: building' in text else 'killed', text
    return 'survived', ''


def seconds_of(commands):
    """The limit, by what the commands take without a change."""
    verdict_of(commands)  # builds
    began = time.monotonic()
    verdict, text = verdict_of(commands)
    if verdict != 'survived':
        raise Failure(f'the tests fail without any change:\n{text}')
    return round(BASE_SECONDS + SLOWER * (time.monotonic() - began))


def try_all(sample, texts, commands, seconds):
    """Prints each verdict, and the change if it survived."""
    counts = collections.Counter()
    for number, mutant in enumerate(sample, 1):
        path, text = TREE / mutant.file, texts[mutant.file]
        path.write_text(mutant.of(text))
        try:
            verdict, _ = verdict_of(commands, seconds)
        finally:
            path.write_text(text)
        counts[verdict] += 1
        place, *change = mutant.describe(text)
        print(f'[{number}/{len(sample)}] {verdict}: {place}',
              *(change if verdict == 'survived' else []), sep='\n', flush=True)
    print(f'{counts["killed"]} killed, {counts["survived"]} survived, '
          f'{counts["invalid"]} do not build')


def mutants(options):
    files = [os.path.relpath(word, ROOT) for word in options.words if (ROOT / word).is_file()]
    folders, guests = tests_of(
        [word for word in options.words if not (ROOT / word).is_file()], files)
    if not files:
        raise Failure('mutants: no file is named')
    packages.need(packages.of('userspace', 'unit'), options.yes)
    if guests:
        packages.need(packages.of('kernel', 'guest', 'test'), options.yes)
        options.kernels = [architectures.USER_MODE]
        options.bench = any(map(tests.needs_bench, tests.guest_programs(options, guests)))
        for command in modules.kernel_builds(options):
            shell.must(command)
    copy_project()
    commands = list(commands_of(folders, guests))
    texts = {file: (ROOT / file).read_text() for file in files}
    found = [mutant for file, text in texts.items() for mutant in mutants_of(file, text)]
    sample = random.Random(options.seed).sample(found, min(options.count or len(found), len(found)))
    say(f'{len(sample)} of {len(found)} mutants; first the tests without a change')
    try_all(sample, texts, commands, seconds_of(commands))
