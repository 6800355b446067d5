# SPDX-License-Identifier: GPL-2.0
"""Mutants: changes of single tokens in the shared headers or the modules. A sample of them, the
known ones that change nothing (test/mutants/equivalent.txt), and the verdict."""

import dataclasses
import pathlib
import random

import c_tokens
import reasons
from reasons import squeeze
from shell import ROOT, Failure

HEADERS = ('accumulator.h', 'check.h', 'emulator.h', 'frame.h', 'rules.h', 'schema.h',
           'standard.h')
FOLDER = pathlib.Path('shared/macstats')
MODULES = pathlib.Path('kmod')
EQUIVALENT = ROOT / 'test/mutants/equivalent.txt'

COUNT = 20
LONG_COUNT = 200
SEED = 1  # so that the verdict depends on the code alone
NOTICED_PERCENT = 95


@dataclasses.dataclass
class Mutant:
    file: str
    function: c_tokens.Function
    start: int
    end: int
    text: str        # replaces the text from start to end
    before: str      # the line, and the same line of the mutant
    after: str
    line: int
    number: int = 0

    def key(self):
        return self.file, self.function.name, self.before, self.after

    def __str__(self):
        return (f'{path_of(self.file)}:{self.line}: {self.function.name}()\n'
                f'-\t{self.before}\n+\t{self.after}')


def path_of(file):
    """The path of a file in the project: headers go without their folder."""
    return pathlib.Path(file) if '/' in file else FOLDER / file


def mutants_of(file, text):
    """All mutants of a file."""
    head = c_tokens.KERNEL_HEAD if '/' in file else c_tokens.HEAD
    for function in c_tokens.functions(text, head):
        for start, end, new in c_tokens.changes(text, function.body, function.end):
            first = text.rindex('\n', 0, start) + 1
            last = text.index('\n', end)
            yield Mutant(file, function, start, end, new, squeeze(text[first:last]),
                         squeeze(text[first:start] + new + text[end:last]),
                         text.count('\n', 0, start) + 1)


def known_equivalents(text):
    """{key: reason}. An entry: FILE FUNCTION, the line after -, the changed one after +, and
    the reason."""
    known = {}
    for (place, *lines), reason in reasons.entries(text, EQUIVALENT.name):
        if len(place.split()) != 2 or [line[0] for line in lines] != ['-', '+']:
            raise Failure(f'{EQUIVALENT.name}: an entry of {place} is incomplete')
        known[(*place.split(), *(squeeze(line[1:]) for line in lines))] = reason
    return known


def verdict(noticed, survivors):
    """(the line that reports it, is it enough?)"""
    total = noticed + len(survivors)
    percent = 100 * noticed / total if total else 100
    return (f'{noticed} of {total} mutants are noticed: {percent:.1f} %, '
            f'{NOTICED_PERCENT} % are required', percent >= NOTICED_PERCENT)


def pick(all_mutants, known, seed, count):
    """A sample in random order. Known equivalents are no part of it."""
    candidates = [mutant for mutant in all_mutants if mutant.key() not in known]
    random.Random(seed).shuffle(candidates)
    sample = candidates[:count] if count else candidates
    for number, mutant in enumerate(sample, 1):
        mutant.number = number
    return sample


def module_files():
    """The files of the modules, as mutants name them."""
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / MODULES).rglob('*.[ch]')
                  if not path.name.endswith('.mod.c'))


def read_mutants(files):
    result = []
    for file in files:
        result += mutants_of(file, (ROOT / path_of(file)).read_text())
    return result


def stale(all_mutants, known):
    """Entries of known equivalents whose line or change is no more."""
    present = {mutant.key() for mutant in all_mutants}
    return [key for key in known if key not in present]


def read_equivalents():
    known = known_equivalents(EQUIVALENT.read_text())
    old = stale(read_mutants([*HEADERS, *module_files()]), known)
    if old:
        raise Failure(f'{EQUIVALENT.name}: no mutant fits this entry: {" | ".join(old[0])}')
    return known
