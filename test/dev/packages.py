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
    'lint': ('clang', 'clang-format', 'sparse', 'shellcheck', 'git'),
    'conversions': ('coccinelle', 'gcc-12-arm-linux-gnueabihf', 'libc6-armhf-cross', 'qemu-user'),
    'proof': ('frama-c-base', 'why3', 'z3', 'gcc', 'libc6-dev', 'python3'),
    'bench': ('libbenchmark-dev', 'gnuplot-nox'),
    'docs': ('python3-sphinx', 'python3-myst-parser', 'python3-breathe', 'furo', 'doxygen', 'perl',
             'git'),
    'browser': ('chromium', 'chromium-driver', 'python3-selenium', 'fonts-dejavu-core'),
    'fuzz': ('clang', 'libclang-rt-14-dev'),
    'package': ('debhelper', 'dh-dkms', 'dpkg-dev', 'lintian', 'lowdown', 'mandoc', 'systemd'),
    'rpm': ('lowdown', 'rpm'),
    'fresh': ('mmdebstrap', 'git'),
    # Modules, library, command and guests for other architectures
    'arm64': ('gcc-12-aarch64-linux-gnu', 'g++-12-aarch64-linux-gnu', 'qemu-system-arm'),
    'armhf': ('gcc-12-arm-linux-gnueabihf', 'g++-12-arm-linux-gnueabihf', 'libc6-armhf-cross',
              'qemu-system-arm', 'qemu-user'),
    'mipsel': ('gcc-12-mipsel-linux-gnu', 'g++-12-mipsel-linux-gnu', 'libc6-mipsel-cross',
               'qemu-system-mips', 'qemu-user'),
    's390x': ('gcc-12-s390x-linux-gnu', 'g++-12-s390x-linux-gnu', 'qemu-system-misc'),
}


def of(*groups):
    """The packages of these groups, each once."""
    for group in groups:
        if group not in GROUPS:
            raise Failure(f'no such group of packages: {group}')
    return list(dict.fromkeys(name for group in groups for name in GROUPS[group]))


def missing(wanted):
    """Those of the wanted packages that are not installed."""
    if not shutil.which('dpkg-query'):
        say('this is not Debian: ./dev cannot check whether its packages are installed')
        return []
    _, text = output_of(['dpkg-query', '-W', '-f', '${db:Status-Status} ${Package}\n', *wanted])
    installed = {line.removeprefix('installed ') for line in text.splitlines()}
    return [name for name in wanted if name not in installed]


def may_install(names, yes, terminal, ask=input):
    """Asks, unless the answer is known. Never waits where nobody can answer."""
    if yes or IN_CI:
        return True
    if not terminal:
        raise Failure(f'these Debian packages are missing: {" ".join(names)}. '
                      'Install them, or repeat the command with --yes')
    try:
        answer = ask(f'Install these Debian packages: {" ".join(names)}? [Y/n] ')
    except EOFError:
        answer = 'n'
    return answer.strip().lower() in ('', 'y', 'yes')


def as_root(terminal):
    """The words that run a command as root."""
    if os.geteuid() == 0:
        return []
    if not shutil.which('sudo'):
        raise Failure('installing packages needs root or sudo')
    return ['sudo'] if terminal else ['sudo', '-n']


def need(wanted, yes=False):
    """Installs those of the wanted packages that are missing."""
    names = missing(wanted)
    if not names:
        return
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not may_install(names, yes, terminal):
        raise Failure(f'these Debian packages are missing: {" ".join(names)}')
    root = as_root(terminal)
    if root == ['sudo']:
        # Asks for the password now: the steps below show no output.
        status, text = output_of(['sudo', '-n', 'true'])
        if status and os.system('sudo -v') != 0:
            raise Failure(f'sudo: {text.strip()}')
    say(f'installing: {" ".join(names)}')
    # apt-get closes the descriptor of its status for dpkg, which needs an output of its own.
    apt = [*root, 'env', 'DEBIAN_FRONTEND=noninteractive', 'sh', '-c',
           'exec apt-get -o APT::Status-Fd=4 "$@" 4>&1', 'apt-get']
    step('updating the package lists', [*apt, 'update'])
    step('downloading and unpacking', [*apt, 'install', '-y', '--no-install-recommends', '-o',
                                       'DPkg::Lock::Timeout=300', *names])
