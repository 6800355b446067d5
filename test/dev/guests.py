# SPDX-License-Identifier: GPL-2.0
"""Guests: what they need, and how they are started."""

import os

import architectures
import modules
import packages
import shell
from shell import BUILD, IN_CI, ROOT, Failure, say

GUEST = ROOT / 'test/vm/guest'
WITH_MODULES = 'test/vm/with-modules'
DEMO_SECONDS = 1800
COMMAND_SECONDS = 300
DEBUG_KERNEL_SLOWNESS = 8
HINTS = '''
A shell in such a guest: ./dev vm
To try there:
    macstats emu add ll40g
    ethtool -S mac0
    macstats show
'''


def prepare(options, targets):
    """Builds these targets of the userspace part, and the modules."""
    foreign = architectures.among(options.kernels)
    packages.need(packages.of('userspace', 'unit', 'kernel', 'guest', 'test', *foreign),
                  options.yes)
    # Beside the userspace part: to unpack a kernel's source and to link it takes one processor.
    kernels = [shell.start(line) for line in modules.kernel_builds(options)]
    try:
        for name in foreign:
            architectures.make_root(name)
            modules.build_userspace(targets, name, f'building the userspace part for {name}')
        if not foreign:
            modules.build_userspace(targets)
    finally:  # the next part of a run needs them, too
        statuses = [shell.finish(child) for child in kernels]
    if any(statuses):
        raise Failure('failed: building the kernel')
    modules.build_all_modules(options)


def command(options, label, *words):
    """The command line that runs a guest. Its words end with: -- COMMAND..."""
    line, preset = [GUEST], modules.PRESET
    if label in architectures.BUILT:
        line += ['--kernel-dir', modules.build_folder(options, label), '--leak-scan']
    elif label in architectures.ARCHITECTURES:
        line, preset = [*line, '--arch', label], label
    else:
        line += ['--kernel', label]
    if IN_CI:  # some tests may not be skipped there
        line += ['--env', f'CI={os.environ["CI"]}']
    return [*line, '--smp', '2', '--env', f'KERNEL={label}',
            '--env', f'MACSTATS={BUILD / preset}/userspace/cli/macstats',
            '--env', f'KMOD_DIR={BUILD}/kmod-{label}',
            '--env', f'KMOD_EXTRA_DIR={BUILD}/kmod-{label}-extra',
            '--env', f'DRIVERS_DIR={BUILD}/drivers-{label}', *words]


def slowness_of(label):
    """How many times slower tests may be in a guest with this kernel."""
    checks_itself = label in architectures.BUILT and not architectures.is_program(label)
    return DEBUG_KERNEL_SLOWNESS if checks_itself else 1


def demo(options):
    prepare(options, [*modules.COMMAND_TARGETS])
    # A loaded machine shows the same values, later: see with-modules.
    shell.must(command(options, options.kernels[0], '--timeout', DEMO_SECONDS, '--env',
                       'MACSTATS_PARAMETERS=reader_wait_ms=5000', '--', WITH_MODULES,
                       'test/vm/demo.sh'))
    print(HINTS, end='')


def with_nics(kind='e1000'):
    """The options of a guest with two NICs on one wire, which it can unplug and plug, and whose
    registers it can read although a driver has them."""
    return '--nic', kind, '--nic', kind, '--capture', '--qmp', '--append', 'iomem=relaxed'


def hardware():
    """The options of a guest with NICs, whose capture is in build/vm/hardware."""
    return [*with_nics(), '--results', BUILD / 'vm/hardware']


def vm(options):
    if options.timeout is not None and not options.words:
        raise Failure('vm: --timeout needs a command')
    label = options.kernels[0]
    options.bench = True
    prepare(options, [*modules.COMMAND_TARGETS])
    more = hardware() if options.hardware else []
    if options.icount:
        more += ['--icount', '--smp', '1']
    if options.words:
        slow = slowness_of(label)
        # The limits of tests follow these, as under run-all.
        shell.must(command(options, label, '--quiet', '--timeout',
                           (options.timeout or COMMAND_SECONDS) * slow, *more,
                           '--env', f'MACSTATS_SLOW={slow}', '--env',
                           f'MACSTATS_SLOW_FACTOR={slow}', '--', WITH_MODULES, *options.words))
    else:
        say('the guest ends with: exit')
        shell.must(command(options, label, '--interactive', *more, '--env', r'PS1=\h:\w\$ ',
                           '--', WITH_MODULES, 'bash', '--norc'))
