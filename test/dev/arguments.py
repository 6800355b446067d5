# SPDX-License-Identifier: GPL-2.0
"""The options of ./dev, and how they are parsed. main.py has the commands that take them."""

import argparse
import dataclasses
import os
import pathlib

import architectures
from shell import Failure

KERNELS = ('6.1', '6.12')


@dataclasses.dataclass
class Options:
    kernels: list = dataclasses.field(default_factory=list)  # labels; none: the caller chose none
    kernel_dir: str | None = None   # of the only kernel, if it was not built by ./dev
    hardware: bool = False  # guests with NICs, and their drivers
    bench: bool = False     # drivers on emulated registers, in user-mode Linux
    icount: bool = False
    timeout: int | None = None
    long: bool = False
    full: bool = False
    renew: bool = False     # the baseline of ./dev bench, or docs/drivers
    seed: int = 1           # of ./dev mutants, as the next one
    count: int = 20
    yes: bool = False
    words: list = dataclasses.field(default_factory=list)  # behind the options
    known: tuple = '', ()   # what these are, and all that there are; none: any


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f'{self.prog}: {message}'.removeprefix('./dev').lstrip(': '))

    def flag(self, *names, **more):
        self.add_argument(*names, action='store_true', **more)

    def add_words(self, metavar, text, usage=''):
        self.add_argument('words', metavar=metavar, nargs=argparse.REMAINDER, help=text)
        # Instead of `...`
        self.usage = self.format_usage().removeprefix('usage: ').rstrip().removesuffix('...') + \
            (usage or f'[{metavar}...]')

    def choose_kernel(self, default=architectures.DEFAULT, *, other_architectures=True):
        """Adds the options that choose a kernel, of which one goes."""
        self.set_defaults(kernels=[default] if default else [])
        one = self.add_mutually_exclusive_group()
        one.add_argument('--kernel', dest='kernels', nargs=1,
                         choices=[*KERNELS, *architectures.NEWEST],
                         help=f"Debian's kernel (default {default or 'user-mode Linux'}); "
                         'newest: of its backports; rt: that with PREEMPT_RT')
        one.add_argument('--kernel-dir', metavar='DIR', type=folder,
                         help='your own kernel, built in DIR')
        for name, kernel in architectures.BUILT.items():
            one.add_argument(f'--{name}-kernel', dest='kernels', action='store_const',
                             const=[name], help=kernel.help)
        if other_architectures:
            one.add_argument('--arch', dest='kernels', nargs=1,
                             choices=list(architectures.ARCHITECTURES),
                             help='another architecture, with a sample of the tests')


def folder(path):
    if not os.path.isdir(path):
        raise argparse.ArgumentTypeError(f'no such folder: {path}')
    return os.path.realpath(path)


def completed(options):
    """Options that follow from others, and words that are none of those that the command knows"""
    options.long |= options.full
    if options.words[:1] == ['--']:
        del options.words[0]
    if options.kernel_dir:
        is_program = (pathlib.Path(options.kernel_dir) / 'linux').is_file()
        options.kernels = [architectures.USER_MODE if is_program else 'debug']
    what, names = options.known
    for word in options.words:
        if names and word not in names:
            raise Failure(f'{options.command}: no such {what}: {word}; '
                          f'there are: {" ".join(names)}')
    if architectures.among(options.kernels) and (options.long or options.icount):
        raise Failure(f'{options.command}: another architecture goes without --long, --full and '
                      '--icount')
    return options
