# SPDX-License-Identifier: GPL-2.0
"""The kernels of guests, by their labels: how modules and the userspace part are built for them.
Debian's names are the labels of other architectures. Machines are in test/vm/lib/machines.py, and
test/vm/kernel gets the kernels."""

import dataclasses
import os

import shell
from shell import BUILD, ROOT

# Of the root of a guest (test/vm/root): what the userspace part is built against, and what guest
# tests call.
ROOT_PACKAGES = (
    'libc6-dev', 'libstdc++-12-dev', 'libnl-3-dev', 'libnl-genl-3-dev', 'libboost-test-dev',
    'nlohmann-json3-dev', 'libcli11-dev', 'libfmt-dev', 'libcpp-httplib-dev',
    'bash', 'busybox-static', 'coreutils', 'dash', 'ethtool', 'grep', 'iproute2', 'kmod',
    'procps', 'python3', 'sed', 'util-linux')


@dataclasses.dataclass(frozen=True)
class Kernel:
    """@series: of Debian's kernels whose drivers of NICs fit; @nics: the kinds of NICs that a guest
    can have, by their names in QEMU; @variables: of Kbuild, for the modules; @help: of the option
    for a kernel that test/vm/kernel builds; @in_ci: its guest runs in ./dev test --long."""
    series: str = '6.12'
    nics: tuple = ('e1000', 'e1000e', 'rtl8139')
    variables: tuple = ()
    help: str = ''
    in_ci: bool = False


def foreign(kbuild, triplet, series='6.1', nics=('e1000',), in_ci=False):
    """That of another architecture, by the kernel's name of it and the prefix of compilers."""
    return Kernel(series, nics, (f'ARCH={kbuild}', f'CROSS_COMPILE={triplet}-'), in_ci=in_ci)


# Kernels of a newer Debian than 12, what builds modules for them, and what their selftests call.
NEWEST = ('newest', 'rt')
SUITE = 'trixie'
SUITE_PACKAGES = ('bash', 'coreutils', 'dash', 'diffutils', 'ethtool', 'findutils', 'gcc', 'grep',
                  'make', 'mawk', 'pahole', 'perl-base', 'sed', 'sparse')

# Kernels that are programs of this system: see test/vm/guest.
USER_MODE, USER_MODE_SMP = 'user-mode', 'user-mode-smp'

BUILT = {
    'debug': Kernel(help='a kernel that checks itself: KASAN, lockdep, kmemleak; the first use '
                    'builds it, in about 7 minutes on two idle cores'),
    USER_MODE: Kernel(nics=(), variables=('ARCH=um',), help='user-mode Linux with most of these '
                      'checks: one CPU, no NICs, and sleeping takes no time; the first use builds '
                      'it, in about 3 minutes'),
    USER_MODE_SMP: Kernel(nics=(), variables=('ARCH=um',), help='the same with two CPUs, for '
                          'races: without KASAN, and sleeping takes its time'),
    'kcsan': Kernel(help='a kernel with KCSAN, which looks for data races'),
}
ARCHITECTURES = {
    'arm64': foreign('arm64', 'aarch64-linux-gnu', '6.12', nics=('e1000', 'cadence_gem')),
    'armhf': foreign('arm', 'arm-linux-gnueabihf', in_ci=True),
    'mipsel': foreign('mips', 'mipsel-linux-gnu'),
    's390x': foreign('s390', 's390x-linux-gnu', nics=(), in_ci=True),
}
# {label: the kernel}
KERNELS = {'6.1': Kernel('6.1'), '6.12': Kernel(), **dict.fromkeys(NEWEST, Kernel('newest')),
           **BUILT, **ARCHITECTURES}
DEFAULT = '6.12'    # of guests, where no other is chosen


def among(labels):
    """The architectures among labels of kernels."""
    return [label for label in labels if label in ARCHITECTURES]


def is_program(label):
    """Is this kernel user-mode Linux?"""
    return label in (USER_MODE, USER_MODE_SMP)


def make_root(name, packages=ROOT_PACKAGES):
    """The root of a guest, and the sysroot of what runs there; or that of a newer Debian."""
    shell.must([ROOT / 'test/vm/root', name, *packages])


def builder(label):
    """The words before a command that builds modules for a kernel. That of a newer Debian has tools
    which need its libraries: they see its /usr."""
    if label not in NEWEST:
        return []
    return ['unshare', *([] if os.geteuid() == 0 else ['--map-root-user']), '--mount',
            'sh', '-c', 'mount --bind "$0/usr" /usr && exec "$@"', BUILD / 'root' / SUITE]
