# SPDX-License-Identifier: GPL-2.0
"""The Debian packages that each part needs, and their installation."""

import os
import shutil
import sys

from shell import IN_CI, Failure, output_of, say, step

GROUPS = {
    'userspace': (
        'g++', 'cmake', 'ninja-build', 'pkg-config', 'libnl-3-dev', 'libnl-genl-3-dev',
        'libboost-test-dev', 'nlohmann-json3-dev', 'libcli11-dev', 'libfmt-dev',
        'libcpp-httplib-dev'),
    'unit': ('python3', 'python3-yaml', 'python3-jsonschema', 'lowdown', 'mandoc', 'zsh', 'fish'),
    'kernel': ('gcc-12', 'make', 'libelf1', 'perl', 'xz-utils', 'zstd', 'kmod'),
    'debug-kernel': ('gcc', 'libc6-dev', 'make', 'flex', 'bison', 'bc', 'libelf-dev', 'perl',
                     'xz-utils', 'kmod', 'patch'),
    'hardware': ('coccinelle',),
    'guest': ('qemu-system-x86', 'busybox-static', 'python3'),
    # For the tests and the demo in the guest, whose root is this system's.
    'test': (
        'ethtool', 'iproute2', 'iputils-ping', 'jq', 'bc', 'netsniff-ng', 'udev', 'libcap2-bin',
        'python3-yaml', 'python3-jsonschema', 'python3-prometheus-client'),
    'lint': ('clang', 'clang-format', 'codespell', 'sparse', 'shellcheck', 'git', 'python3-yaml',
             'python3-jsonschema'),
    'proof': ('frama-c-base', 'why3', 'z3', 'gcc', 'libc6-dev', 'python3'),
    'bench': ('libbenchmark-dev',),
    'docs': ('python3-sphinx', 'python3-myst-parser', 'python3-breathe', 'furo', 'doxygen', 'perl',
             'git', 'clang', 'lld'),
    'browser': ('chromium', 'chromium-driver', 'python3-selenium', 'fonts-dejavu-core'),
    'fuzz': ('clang', 'libclang-rt-dev'),
    'package': ('build-essential', 'debhelper', 'dh-dkms', 'lintian', 'lowdown', 'mandoc',
                'systemd', 'git'),
    'rpm': ('lowdown', 'rpm'),
    'fresh': ('mmdebstrap', 'git'),
    # Modules, library, command and guests for other architectures
    'arm64': ('gcc-12-aarch64-linux-gnu', 'g++-12-aarch64-linux-gnu', 'qemu-system-arm'),
    'armhf': ('gcc-12-arm-linux-gnueabihf', 'g++-12-arm-linux-gnueabihf', 'libc6-armhf-cross',
              'qemu-system-arm', 'qemu-user'),
    'mipsel': ('gcc-12-mipsel-linux-gnu', 'g++-12-mipsel-linux-gnu', 'libc6-mipsel-cross',
               'qemu-system-mips', 'qemu-user'),
    's390x': ('gcc-12-s390x-linux-gnu', 'g++-12-s390x-linux-gnu', 'qemu-system-s390x'),
}


def of(*groups):
    """The packages of these groups, each once."""
    return list(dict.fromkeys(name for group in groups for name in GROUPS[group]))


def missing(wanted):
    """Those of the wanted packages that are not installed, nor what another one provides."""
    _, text = output_of(['dpkg-query', '-W', '-f',
                         '${db:Status-Status} ${Package}, ${Provides}\n'])
    installed = {item.split()[0] for line in text.splitlines() if line.startswith('installed ')
                 for item in line.removeprefix('installed ').split(',') if item.strip()}
    return [name for name in wanted if name not in installed]


def need(wanted, yes=False):
    """Installs those of the wanted packages that are missing. Asks only who can answer."""
    if not (shutil.which('dpkg-query') and shutil.which('apt-get')):
        say(f'not Debian: this needs what these packages contain: {" ".join(wanted)}')
        return
    names = missing(wanted)
    if not names:
        return
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    agreed = yes or IN_CI
    if terminal and not agreed:
        print(f'Install these Debian packages: {" ".join(names)}? [Y/n] ', end='', flush=True)
        agreed = sys.stdin.readline().lower() in ('\n', 'y\n', 'yes\n')
    if not agreed:
        raise Failure(f'these Debian packages are missing: {" ".join(names)}. Install them, or '
                      'repeat the command with --yes')
    sudo = [] if os.geteuid() == 0 else ['sudo'] if terminal else ['sudo', '-n']
    apt = [*sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q']
    step('updating the package lists', [*apt, 'update'])
    step(f'installing: {" ".join(names)}', [*apt, 'install', '-y', '--no-install-recommends', '-o',
                                            'DPkg::Lock::Timeout=300', *names])
