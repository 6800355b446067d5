# SPDX-License-Identifier: GPL-2.0
"""The options of ./dev: which command uses which, and the values that they accept. The
commands read the words behind them."""

import dataclasses
import os

import architectures
import mutant_sample
from shell import Failure

KERNELS = ('6.1', '6.12')
# Of Debian, each a program in test/distribution.
SUITES = ('bookworm', 'trixie', 'sid')
KERNEL_OPTIONS = ('--kernel', '--kernel-dir', '--debug-kernel', '--user-mode-kernel',
                  '--user-mode-smp-kernel', '--kcsan-kernel')
GUEST_OPTIONS = (*KERNEL_OPTIONS, '--arch')
ALL_OPTIONS = (*GUEST_OPTIONS, '--all-arch')

# A command rejects all options that are not here.
USED = {
    'demo': KERNEL_OPTIONS,
    'test': ('--long', '--full', '--unit', '--coverage', '--distribution', *ALL_OPTIONS),
    'vm': (*GUEST_OPTIONS, '--hardware', '--icount', '--timeout'),
    'bench': ('--renew',),
    'build': ALL_OPTIONS,
    'docs': (),
    'modules': ALL_OPTIONS,
    'package': (),
    'packages': (),
    'lint': (),
    'mutants': ('--seed', '--count', '--long-mutants'),
    'clean': (),
    'help': (),
}
# ../../dev reads it as well, since each command needs Python.
ALWAYS_USED = ('--yes',)
# Of each group, a command accepts one.
ALTERNATIVES = ((*ALL_OPTIONS, '--unit', '--distribution'), ('--count', '--long-mutants'),
                *((option, other) for option in ('--arch', '--all-arch')
                  for other in ('--coverage', '--long', '--full', '--icount')))


@dataclasses.dataclass
class Options:
    kernels: list = dataclasses.field(default_factory=lambda: list(KERNELS))
    kernel_dir: str = ''
    built_kernel: str = ''  # see test/vm/kernel
    distribution: str = ''  # a suite of Debian
    unit: bool = False
    hardware: bool = False  # guests with NICs, and their drivers
    icount: bool = False
    timeout: int | None = None
    long: bool = False
    full: bool = False
    coverage: bool = False
    renew: bool = False     # the baseline of ./dev bench
    seed: int = mutant_sample.SEED
    count: int = mutant_sample.COUNT
    yes: bool = False


def needs(option, what, value):
    return Failure(f'{option} needs {what}' + (f', not {value}' if value else ''))


def number(option, value):
    if not value.isdecimal():
        raise needs(option, 'a number', value)
    return int(value)


def architecture(option, value):
    if value not in architectures.ARCHITECTURES:
        raise needs(option, ' or '.join(architectures.ARCHITECTURES), value)
    return [value]


def kernels(option, value):
    accepted = *KERNELS, *architectures.NEWEST
    if value not in accepted:
        raise needs(option, ' or '.join(accepted), value)
    return [value]


def suite(option, value):
    if value not in SUITES:
        raise needs(option, ' or '.join(SUITES), value)
    return value


def folder(option, value):
    if not value:
        raise needs(option, 'a folder', value)
    if not os.path.isdir(value):
        raise Failure(f'{option}: no such folder: {value}')
    return os.path.realpath(value)


# {option: the fields that it sets}. A function makes the field of the option's value.
FIELDS = {
    '--kernel': {'kernels': kernels},
    '--kernel-dir': {'kernel_dir': folder},
    '--debug-kernel': {'built_kernel': 'debug'},
    '--user-mode-kernel': {'built_kernel': architectures.USER_MODE},
    '--user-mode-smp-kernel': {'built_kernel': architectures.USER_MODE_SMP},
    '--kcsan-kernel': {'built_kernel': 'kcsan'},
    '--arch': {'kernels': architecture},
    '--all-arch': {'kernels': list(architectures.ARCHITECTURES)},
    '--unit': {'unit': True},
    '--distribution': {'distribution': suite},
    '--hardware': {'hardware': True},
    '--icount': {'icount': True},
    '--timeout': {'timeout': number},
    '--long': {'long': True},
    '--full': {'long': True, 'full': True},
    '--coverage': {'coverage': True},
    '--renew': {'renew': True},
    '--seed': {'seed': number},
    '--count': {'count': number},
    '--long-mutants': {'count': mutant_sample.LONG_COUNT},
    '--yes': {'yes': True},
}


def check_choice(command, option, given):
    """May this option follow those that were given?"""
    used = (*USED[command], *ALWAYS_USED)
    if option not in used:
        raise Failure(f'{command} has no option {option}; it has: {" ".join(used)}')
    for group in ALTERNATIVES:
        both = {option, *given}.intersection(group)
        if option in group and len(both) > 1:
            raise Failure(f'choose {" or ".join(sorted(both))}')
    if option in given and any(map(callable, FIELDS[option].values())):
        raise Failure(f'{option} was given twice')


def parse(command, words):
    """(options, the words behind them)"""
    options, words, given = Options(), list(words), []
    while words and words[0].startswith('-'):
        option = words.pop(0)
        if option == '--':
            break
        check_choice(command, option, given)
        given.append(option)
        for field, value in FIELDS[option].items():
            if callable(value):
                value = value(option, words.pop(0) if words else '')
            setattr(options, field, value)
    return options, words
