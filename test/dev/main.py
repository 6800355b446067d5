#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""./dev demo [--kernel 6.1|6.12]   show emulated ports at work in a guest
./dev test [OPTION...] [NAME...] all tests, or the guest tests of these names
      --long                     also the long ones, fuzzing, a fresh Debian, all of lint
      --full                     --long with ten and more times as much of all that is random
      --unit                     only the tests that need no guest; no names
      --coverage                 the unit tests, and the guest tests on a kernel that counts
                                 (the first time builds it); with --unit, the unit tests
                                 alone; fails if they execute too little of the code
      --kernel 6.1|6.12          only in the guest with this kernel
      --kernel-dir DIR           in a guest with an own kernel, built in DIR
      --debug-kernel             the guest tests on a kernel that checks itself: KASAN,
                                 lockdep, kmemleak; the first use builds it, in about 7
                                 minutes on two idle cores
      --kcsan-kernel             the same with KCSAN, which looks for data races
./dev vm [OPTION] [COMMAND...]   a shell (or one command) in a guest with the modules
      --kernel, --kernel-dir, --debug-kernel, --kcsan-kernel
                                 as above
      --timeout SECONDS          for the command (300)
./dev build                      all that the above need
./dev modules [OPTION]           the kernel modules alone
./dev packages [GROUP...]        install the Debian packages of all parts, or of these:
                                 userspace unit kernel debug-kernel guest test lint proof
                                 fuzz fresh
./dev lint [CHECK...]            compilers' and checkers' warnings, style; or one of:
                                 licences language shellcheck clang-format layers
                                 sparse-6.1 sparse-6.12 checkpatch gcc clang proof
./dev mutants [OPTION...] [HEADER...]
                                 changes single tokens of shared/macstats (or of these
                                 headers of it), and counts the changes that tests notice
./dev mutants [OPTION...] kmod   the same for the modules (or for files of them, as
                                 kmod/provider/port.c) and the tests in a guest
      --seed S, --count N        another sample; N changes (20; 0: all)
      --long-mutants             a sample of 200
./dev clean [all]                remove what was built [and the kernels]

Each command offers to install the Debian packages that it misses; with --yes, or
where $CI is set, it installs them without asking."""

import dataclasses
import os
import sys

sys.dont_write_bytecode = True
import guests  # noqa: E402
import lint  # noqa: E402
import module_mutants  # noqa: E402
import mutants  # noqa: E402
import packages  # noqa: E402
import tests  # noqa: E402
from shell import BUILD, ROOT, Failure, end_on_signals, remove, stop_children  # noqa: E402

KERNELS = ('6.1', '6.12')
KERNEL_OPTIONS = ('--kernel', '--kernel-dir', '--debug-kernel', '--kcsan-kernel')
# At most one of them: each chooses where the tests run.
PLACES = (*KERNEL_OPTIONS, '--unit')


@dataclasses.dataclass
class Options:
    kernels: list = dataclasses.field(default_factory=lambda: list(KERNELS))
    kernel_dir: str = ''
    built_kernel: str = ''  # debug, kcsan or gcov: see test/vm/kernel
    unit: bool = False
    timeout: int = 300
    long: bool = False
    full: bool = False
    coverage: bool = False
    seed: int = mutants.SEED
    count: int = mutants.COUNT
    yes: bool = False


def number(option, words):
    """The value of an option, the first of these words."""
    if not words or not words[0].isdecimal():
        raise Failure(f'{option} needs a number')
    return int(words[0])


def parse(words):
    """(options, the words behind them)"""
    options, words = Options(), list(words)
    choices = set()
    while words:
        if words[0] in PLACES:
            choices.add(words[0])
            if len(choices) > 1:
                raise Failure(f'choose one of {" and ".join(sorted(choices))}')
        match words[0]:
            case '--unit':
                options.unit = True
            case '--long':
                options.long = True
            case '--full':
                options.long = options.full = True
            case '--coverage':
                options.coverage = True
            case '--yes':
                options.yes = True
            case '--kernel':
                words.pop(0)
                if not words or words[0] not in KERNELS:
                    raise Failure('--kernel needs 6.1 or 6.12')
                options.kernels = [words[0]]
            case '--kernel-dir':
                words.pop(0)
                if not words or not os.path.isdir(words[0]):
                    raise Failure('--kernel-dir needs a folder')
                options.kernel_dir = os.path.realpath(words[0])
            case '--debug-kernel' | '--kcsan-kernel':
                options.built_kernel = words[0].removeprefix('--').removesuffix('-kernel')
            case '--seed':
                words.pop(0)
                options.seed = number('--seed', words)
            case '--count':
                words.pop(0)
                options.count = number('--count', words)
            case '--long-mutants':
                options.count = mutants.LONG_COUNT
            case '--timeout':
                words.pop(0)
                options.timeout = number('--timeout', words)
            case '--':
                return options, words[1:]
            case word if word.startswith('-'):
                raise Failure(f'no such option: {word}')
            case _:
                return options, words
        words.pop(0)
    return options, words


def build(options, words):
    if words:
        raise Failure('build takes no argument')
    guests.prepare(options, ['all'])


def run_mutants(options, words):
    kind = module_mutants if any(map(module_mutants.names_modules, words)) else mutants
    kind.mutants(options, words)


def build_modules(options, words):
    if words:
        raise Failure('modules takes no argument but options')
    packages.need(packages.of('kernel'), options.yes)
    guests.modules.build_all_modules(options)


def install_packages(options, words):
    packages.need(packages.of(*(words or packages.GROUPS)), options.yes)


def clean(_options, words):
    if words == ['all']:
        remove(BUILD)
    elif words:
        raise Failure('usage: ./dev clean [all]')
    elif BUILD.is_dir():
        for path in BUILD.iterdir():
            if path.name != 'kernel':
                remove(path)


COMMANDS = {
    'build': build, 'clean': clean, 'demo': guests.demo, 'lint': lint.lint,
    'modules': build_modules, 'mutants': run_mutants, 'packages': install_packages,
    'test': tests.test, 'vm': guests.vm,
}


def main(words):
    name, *rest = words or ['help']
    if name in ('help', '-h', '--help'):
        print(__doc__)
        return 0
    if name not in COMMANDS:
        print(__doc__, file=sys.stderr)
        raise Failure(f'no such command: {name}')
    os.chdir(ROOT)
    options, rest = parse(rest)
    end_on_signals()
    try:
        COMMANDS[name](options, rest)
    finally:
        stop_children()
    return 0


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        print(f'./dev: {failure}', file=sys.stderr)
        sys.exit(1)
