# SPDX-License-Identifier: GPL-2.0
"""The options of ./dev: which command uses which, and the values that they accept. The
commands read the words behind them."""

import argparse
import dataclasses
import os

import architectures
from shell import Failure

KERNELS = ('6.1', '6.12')
# Kernels that are built here: see test/vm/kernel
BUILT = ('debug', architectures.USER_MODE, architectures.USER_MODE_SMP, 'kcsan')
# Commands whose options choose kernels, and those that also know other architectures.
ON_KERNELS = ('demo', 'test', 'vm', 'build', 'modules')
ON_ARCHITECTURES = ('test', 'vm', 'build', 'modules')
WITHOUT_WORDS = ('demo', 'build', 'modules', 'docs')


@dataclasses.dataclass
class Options:
    kernels: list = dataclasses.field(default_factory=lambda: list(KERNELS))
    kernel_dir: str = ''
    built_kernel: str = ''
    unit: bool = False
    hardware: bool = False  # guests with NICs, and their drivers
    icount: bool = False
    timeout: int | None = None
    long: bool = False
    full: bool = False
    renew: bool = False     # the baseline of ./dev bench, or docs/drivers
    seed: int = 1           # of ./dev mutants, as the next one
    count: int = 20
    yes: bool = False


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f'{self.prog}: {message}')


def folder(path):
    if not os.path.isdir(path):
        raise argparse.ArgumentTypeError(f'no such folder: {path}')
    return os.path.realpath(path)


def parser_of(command):
    parser = Parser(prog=command, add_help=False, allow_abbrev=False)
    one = parser.add_mutually_exclusive_group()

    def flags(*names):
        for name in names:
            parser.add_argument(name, action='store_true')

    flags('--yes')  # ../../dev reads it as well, since each command needs Python
    if command in ON_KERNELS:
        one.add_argument('--kernel', dest='kernels', nargs=1,
                         choices=[*KERNELS, *architectures.NEWEST])
        one.add_argument('--kernel-dir', type=folder)
        for name in BUILT:
            one.add_argument(f'--{name}-kernel', dest='built_kernel', action='store_const',
                             const=name)
    if command in ON_ARCHITECTURES:
        one.add_argument('--arch', dest='kernels', nargs=1,
                         choices=list(architectures.ARCHITECTURES))
    if command == 'test':
        flags('--long', '--full')
        one.add_argument('--unit', action='store_true')
    elif command == 'vm':
        flags('--hardware', '--icount')
        parser.add_argument('--timeout', type=int)
    elif command == 'bench':
        flags('--renew')
    elif command == 'bench-driver':
        flags('--renew')
        parser.add_argument('--kernel-dir', type=folder)
    elif command == 'mutants':
        parser.add_argument('--seed', type=int)
        parser.add_argument('--count', type=int)
    parser.add_argument('words', nargs=argparse.REMAINDER)
    return parser


def parse(command, words):
    """(options, the words behind them)"""
    options = parser_of(command).parse_args(words, Options())
    options.long |= options.full
    if architectures.among(options.kernels) and (options.long or options.icount):
        raise Failure(f'{command}: another architecture goes without --long, --full and --icount')
    words = options.words[1:] if options.words[:1] == ['--'] else options.words
    if words and command in WITHOUT_WORDS:
        raise Failure(f'{command} takes no argument')
    return options, words
