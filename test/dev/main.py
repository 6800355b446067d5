#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""./dev demo [KERNEL]              show emulated ports at work in a guest
./dev test [OPTION...] [NAME...] the tests that need no guest, then those in guests of user-mode
                                 Linux; or the guest tests and parts of these names
      KERNEL                     the guest tests on this kernel, and no others
      --long                     what CI runs: also some of the parts, which the commit selects
      --full                     all parts, with ten and more times as much of all that is random;
                                 fails if a call held RTNL for longer than 50 ms. Hours
      --unit                     only the tests that need no guest; no names
      --arch ARCH                a sample of the tests, or those of these names, on another
                                 architecture: arm64, armhf, mipsel or s390x
      parts                      lint 6.1 6.12 newest rt architectures wire races packages pages
                                 fuzzers random costs bookworm trixie trixie-builds sid
./dev vm [OPTION...] [COMMAND...]
                                 a shell (or one command) in a guest with the modules
      KERNEL, --arch ARCH        of the guest
      --hardware                 with two NICs on one wire (eth0, eth1), the driver e1000 in
                                 $DRIVERS_DIR, and a capture in /results/wire.pcap
      --icount                   with one CPU, whose clock counts instructions
      --timeout SECONDS          for the command (300)
./dev bench [--renew] [PART...]  the costs of calls, frames and polls beside those of others,
                                 and the goals; parts: native guest ports hardware growth
      --renew                    makes the figures of a guest the baseline of these parts
./dev bench-driver [OPTION...] NAME...
                                 what drivers of the kernel's tree show on emulated registers
      --kernel-dir DIR           the driver of a kernel tree in DIR, of yours
      --renew                    makes docs/drivers, of these drivers or of all
./dev build [KERNEL | --arch ARCH]
                                 all that the above need
./dev modules [KERNEL | --arch ARCH]
                                 the kernel modules alone
./dev docs                       the site with tutorials, the page of each MAC and the reference,
                                 in build/docs/html
./dev package [rpm [check]]      Debian packages, in build/package, checked by lintian; or those
                                 of Fedora, in build/package/rpm; check: only the lists of files
                                 in their spec file, with the last build of Debian packages
./dev packages [GROUP...]        install the Debian packages of all parts, or of these:
                                 userspace unit kernel debug-kernel hardware guest test
                                 lint proof fuzz bench package rpm fresh docs browser
                                 arm64 armhf mipsel s390x
./dev lint [CHECK...]            compilers' and checkers' warnings, style; or one of:
                                 licences language examples shellcheck clang-format series
                                 layers sparse-6.1 sparse-6.12 sparse-newest sparse-rt
                                 netlink checkpatch 8139cp e1000 e1000e igb igc lan743x
                                 macb stmmac gcc clang proof
./dev mutants [OPTION...] FILE... [TEST...]
                                 changes one place of these source files at a time, and prints
                                 the changes that no test notices. TEST is a folder of test/unit
                                 or a guest test (default: all fast ones, of kmod in the guest)
      --seed S                   selects the places (default 1)
      --count N                  N changes (default 20; 0: all)
./dev clean [all]                remove what was built [and the kernels and roots]
./dev help                       show this text

KERNEL is one of                 (default of test: user-mode Linux; for a named test that cannot run
                                 there, or in a long run, 6.1 and 6.12; 6.12 for the other
                                 commands)
      --kernel 6.1|6.12          Debian's kernel
      --kernel newest|rt         the newest kernel in Debian's backports; that with PREEMPT_RT
      --kernel-dir DIR           your own kernel, built in DIR
      --debug-kernel             a kernel that checks itself: KASAN, lockdep, kmemleak; the
                                 first use builds it, in about 7 minutes on two idle cores
      --user-mode-kernel         user-mode Linux with most of these checks: one CPU, no NICs, and
                                 sleeping takes no time; the first use builds it, in about 3
                                 minutes
      --user-mode-smp-kernel     the same with two CPUs, for races: without KASAN, and sleeping
                                 takes its time
      --kcsan-kernel             a kernel with KCSAN, which looks for data races

Each command offers to install the Debian packages that it misses; with --yes, or
where $CI is set, it installs them without asking."""

import itertools
import os
import sys

import architectures
import arguments
import bench
import bench_driver
import docs
import guests
import lint
import mutants
import package
import packages
import parts
from shell import BUILD, ROOT, Failure, end_on_signals, remove, stop_children


def build(options, _words):
    options.hardware = True
    guests.use_one_kernel(options)
    guests.prepare(options, ['all'])


def build_modules(options, _words):
    options.hardware = True
    guests.use_one_kernel(options)
    packages.need(packages.of('kernel', *architectures.among(options.kernels)), options.yes)
    guests.modules.build_all_modules(options)


def install_packages(options, words):
    packages.need(packages.of(*(words or packages.GROUPS)), options.yes)


def show_help(_options, _words):
    print(__doc__)


def clean(_options, words):
    if words not in ([], ['all']):
        raise Failure('usage: ./dev clean [all]')
    for path in BUILD.glob('*'):
        if words or path.name not in ('kernel', 'root'):
            remove(path)


COMMANDS = {
    'bench': bench.bench, 'bench-driver': bench_driver.bench_driver, 'build': build,
    'clean': clean, 'demo': guests.demo, 'docs': docs.docs, 'help': show_help, 'lint': lint.lint, 'modules': build_modules,
    'mutants': mutants.mutants, 'package': package.package,
    'packages': install_packages, 'test': parts.test, 'vm': guests.vm,
}


HELP = '-h', '--help'


def main(words):
    name, *rest = words or ['help']
    options = itertools.takewhile(lambda word: word.startswith('-') and word != '--', rest)
    if name in HELP or name in COMMANDS and any(word in HELP for word in options):
        name, rest = 'help', []
    if name not in COMMANDS:
        print(__doc__, file=sys.stderr)
        raise Failure(f'no such command: {name}')
    os.chdir(ROOT)
    options, rest = arguments.parse(name, rest)
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
    except BrokenPipeError:  # ./dev help | head
        os._exit(1)
