#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""./dev: the commands, which ../../dev calls, and their options."""

import os
import signal
import sys
from functools import partial

import architectures
import arguments
import bench
import bench_driver
import docs
import guests
import lint
import modules
import mutants
import package
import packages
import parts
import shell
from shell import ROOT, Failure


def build_modules(options):
    options.hardware = options.bench = True
    packages.need(packages.of('kernel', *architectures.among(options.kernels)), options.yes)
    modules.build_all_modules(options)


def install_packages(options):
    packages.need(packages.of(*(options.words or packages.GROUPS)), options.yes)


def add_commands(top):
    commands = top.add_subparsers(dest='command', metavar='COMMAND', required=True)

    def add(name, run, text):
        command = commands.add_parser(name, prog=f'./dev {name}', allow_abbrev=False,
                                      help=text, description=text)
        command.set_defaults(run=run, **vars(arguments.Options()))
        command.flag('--yes', help='install missing Debian packages without asking, as where $CI '
                     'is set')
        return command

    def add_names(command, metavar, names, what):
        command.add_words(metavar, f'any of: {" ".join(names)}')
        command.set_defaults(known=(what, names))

    demo = add('demo', guests.demo, 'show emulated ports at work in a guest')
    demo.choose_kernel(other_architectures=False)

    test = add('test', parts.test, 'run the tests that need no guest, then those in guests of '
               'user-mode Linux; or on the chosen kernel, those in guests alone')
    test.choose_kernel(default=None)
    test.flag('--long', help='what CI runs: also some of the parts, which the commit selects')
    test.flag('--full', help='all parts, with ten and more times as much of all that is random; '
              'fails if a call held RTNL for longer than 50 ms. Hours')
    test.add_words('NAME', 'guest tests (NAME.py), on 6.1 and 6.12 if user-mode Linux cannot run '
                   f'them, and parts: {" ".join(parts.PARTS)}')

    vm = add('vm', guests.vm, 'open a shell, or run one command, in a guest with the modules')
    vm.choose_kernel()
    vm.flag('--hardware', help='two NICs on one wire (eth0, eth1), the driver e1000 in '
            '$DRIVERS_DIR, and a capture in /results/wire.pcap')
    vm.flag('--icount', help='one CPU, whose clock counts instructions')
    vm.add_argument('--timeout', type=int, metavar='SECONDS',
                    help=f'for the command (default {guests.COMMAND_SECONDS})')
    vm.add_words('COMMAND', 'with its arguments')

    each = add('bench', bench.bench, 'measure the costs of calls, frames and polls beside those '
               'of others, and compare them with the goals')
    each.flag('--renew', help='make the figures of a guest the baseline of these parts')
    add_names(each, 'PART', bench.PARTS, 'part')

    each = add('bench-driver', bench_driver.bench_driver,
               "run drivers of the kernel's tree on emulated registers, and print what they show")
    each.flag('--renew', help='make docs/drivers, of these drivers or of all')
    each.add_argument('--kernel-dir', metavar='DIR', type=arguments.folder,
                      help='the driver of a kernel tree in DIR, of yours')
    add_names(each, 'DRIVER', bench_driver.DRIVERS, 'driver')

    add('build', partial(guests.prepare, targets=['all']),
        'build all but drivers of NICs and of the bench').choose_kernel()
    add('modules', build_modules, 'build the kernel modules alone').choose_kernel()
    add('docs', docs.docs, 'make the site with tutorials, the page of each MAC and the reference, '
        'in build/docs/html')
    add('package', package.package, 'build Debian packages in build/package, checked by lintian') \
        .add_words('rpm', 'those of Fedora, in build/package/rpm; rpm check: only the lists of '
                   'files in their spec file, with the last build of Debian packages',
                   '[rpm [check]]')
    add_names(add('packages', install_packages, 'install the Debian packages of all parts, or of '
                  'these groups'), 'GROUP', packages.GROUPS, 'group of packages')
    add_names(add('lint', lint.lint, 'check the style, and build without warnings'),
              'CHECK', lint.CHECKS, 'check')

    each = add('mutants', mutants.mutants, 'change one place of source files at a time, and print '
               'the changes that no test notices')
    each.add_argument('--seed', type=int, metavar='S', help='select the places (default 1)')
    each.add_argument('--count', type=int, metavar='N', help='N changes (default 20; 0: all)')
    each.add_words('FILE... [TEST...]', 'source files, then folders of test/unit or guest tests '
                   '(default: all fast ones, of kmod in the guest)', 'FILE... [TEST...]')


def parse(words):
    """The options, with the function of the command in .run"""
    parser = arguments.Parser(prog='./dev', allow_abbrev=False, description='The tools of this '
                              'project. A command offers to install the Debian packages that it '
                              'misses.', epilog='./dev help COMMAND shows its options.')
    add_commands(parser)
    if words[:1] in ([], ['help']):
        words = [*words[1:2], '--help']
    options, rest = parser.parse_known_args(words, arguments.Options())
    if rest:
        raise Failure(f'{options.command}: unrecognized arguments: {" ".join(rest)}')
    return arguments.completed(options)


def main(words):
    os.chdir(ROOT)
    options = parse(words)
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, shell.end)
    # A signal that comes just before this thread waits is handled behind the wait, which these end.
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        options.run(options)
    finally:  # at the end of the program it would have no handler
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == '__main__':
    try:
        main(sys.argv[1:])
    except Failure as failure:
        print(f'./dev: {failure}', file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # ./dev help | head
        os._exit(1)
