# SPDX-License-Identifier: GPL-2.0
"""Other architectures, by Debian's names, and kernels of a newer Debian: how the modules and the
userspace part are built for them. Machines are in test/vm/lib/machines.py, kernels in
test/vm/kernel."""

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


# Of a PC
NICS = 'e1000', 'e1000e', 'rtl8139'


@dataclasses.dataclass(frozen=True)
class Architecture:
    """@triplet: the prefix of its compilers; @kbuild: the kernel's name of it; @series: of Debian's
    kernel that is used; @nics: of a guest; @in_ci: its guest runs in ./dev test --long."""
    triplet: str
    kbuild: str
    series: str
    nics: tuple = ('e1000',)
    in_ci: bool = False


# Kernels of a newer Debian than 12, what builds modules for them, and what their selftests call.
NEWEST = ('newest', 'rt')
SUITE = 'trixie'
SUITE_PACKAGES = ('bash', 'coreutils', 'dash', 'diffutils', 'ethtool', 'findutils', 'gcc', 'grep',
                  'make', 'mawk', 'pahole', 'perl-base', 'sed', 'sparse')

# Kernels that are programs of this system: see test/vm/guest.
USER_MODE, USER_MODE_SMP = 'user-mode', 'user-mode-smp'
# Kernels that test/vm/kernel builds, and what is special about them
BUILT = {
    'debug': 'a kernel that checks itself: KASAN, lockdep, kmemleak; the first use builds it, in '
             'about 7 minutes on two idle cores',
    USER_MODE: 'user-mode Linux with most of these checks: one CPU, no NICs, and sleeping takes no '
               'time; the first use builds it, in about 4 minutes',
    USER_MODE_SMP: 'the same with two CPUs, for races: without KASAN, and sleeping takes its time',
    'kcsan': 'a kernel with KCSAN, which looks for data races',
}

ARCHITECTURES = {
    'arm64': Architecture('aarch64-linux-gnu', 'arm64', '6.12',
                          nics=('e1000', 'cadence_gem')),
    'armhf': Architecture('arm-linux-gnueabihf', 'arm', '6.1', in_ci=True),
    'mipsel': Architecture('mipsel-linux-gnu', 'mips', '6.1'),
    's390x': Architecture('s390x-linux-gnu', 's390', '6.1', nics=(), in_ci=True),
}


def among(labels):
    """The architectures among labels of kernels."""
    return [label for label in labels if label in ARCHITECTURES]


def is_program(label):
    """Is this kernel user-mode Linux?"""
    return label in (USER_MODE, USER_MODE_SMP)


def nics_of(label):
    """The kinds of NICs that a guest with this kernel can have, by their names in QEMU."""
    if is_program(label):
        return ()
    return ARCHITECTURES[label].nics if label in ARCHITECTURES else NICS


def has_nics(label):
    """Can a guest with this kernel have NICs?"""
    return bool(nics_of(label))


def series_of(label):
    """The series of a kernel of Debian, by its label."""
    if label in NEWEST:
        return 'newest'
    return ARCHITECTURES[label].series if label in ARCHITECTURES else label


def variables_of(label):
    """The variables of Kbuild that the modules for a kernel need."""
    if is_program(label):
        return ['ARCH=um']
    if label not in ARCHITECTURES:
        return []
    each = ARCHITECTURES[label]
    return [f'ARCH={each.kbuild}', f'CROSS_COMPILE={each.triplet}-']


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


def command_of(label, preset):
    """The command macstats for a guest with this kernel. @preset: CMake's for this system."""
    return BUILD / (label if label in ARCHITECTURES else preset) / 'userspace/cli/macstats'
