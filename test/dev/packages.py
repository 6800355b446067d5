# SPDX-License-Identifier: GPL-2.0
"""The Debian packages that each part needs, and their installation. On another distribution: what
of them is there."""

import importlib.util
import os
import pathlib
import re
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
    'fuzz': ('clang', 'libclang-rt-dev'),
    'package': ('build-essential', 'debhelper', 'dh-dkms', 'lintian', 'lowdown', 'mandoc', 'systemd',
                'git'),
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

# By what a package is recognised on another distribution: a header, or a program. One that is not
# here has a program of its name, python3-a-b the module a_b, and gcc-12-TRIPLET TRIPLET-gcc-12.
CONTENTS = {
    'build-essential': 'dpkg-buildpackage',
    'busybox-static': 'busybox',
    'chromium-driver': 'chromedriver',
    'coccinelle': 'spatch',
    'debhelper': 'dh',
    'dh-dkms': 'dh_dkms',
    'fonts-dejavu-core': '',
    'frama-c-base': 'frama-c',
    'furo': 'python3-furo',
    'gnuplot-nox': 'gnuplot',
    'iproute2': 'ip',
    'iputils-ping': 'ping',
    'libbenchmark-dev': 'benchmark/benchmark.h',
    'libboost-test-dev': 'boost/test/unit_test.hpp',
    'libc6-armhf-cross': '',
    'libc6-dev': 'stdlib.h',
    'libc6-mipsel-cross': '',
    'libcap2-bin': 'capsh',
    'libclang-rt-dev': '',
    'libcli11-dev': 'CLI/CLI.hpp',
    'libcpp-httplib-dev': 'httplib.h',
    'libelf-dev': 'libelf.h',
    'libelf1': '',
    'libfmt-dev': 'fmt/format.h',
    'libnl-3-dev': 'netlink/netlink.h',
    'libnl-genl-3-dev': 'netlink/genl/genl.h',
    'netsniff-ng': 'mausezahn',
    'ninja-build': 'ninja',
    'nlohmann-json3-dev': 'nlohmann/json.hpp',
    'qemu-system-x86': 'qemu-system-x86_64',
    'qemu-user': 'qemu-arm',
    'rpm': 'rpmbuild',
    'systemd': 'systemctl',
    'udev': 'udevadm',
    'xz-utils': 'xz',
}
CROSS_COMPILER = re.compile(r'(g..-\d+)-(.+)')
INCLUDE = [pathlib.Path(each) for each in ('/usr/include', '/usr/include/libnl3',
                                           '/usr/local/include', '/usr/local/include/libnl3')]


def of(*groups):
    """The packages of these groups, each once."""
    for group in groups:
        if group not in GROUPS:
            raise Failure(f'no such group of packages: {group}')
    return list(dict.fromkeys(name for group in groups for name in GROUPS[group]))


def is_debian():
    return bool(shutil.which('dpkg-query') and shutil.which('apt-get'))


def missing(wanted):
    """Those of the wanted packages that are not installed, nor what another one provides."""
    _, text = output_of(['dpkg-query', '-W', '-f',
                         '${db:Status-Status} ${Package}, ${Provides}\n'])
    installed = {item.split()[0] for line in text.splitlines() if line.startswith('installed ')
                 for item in line.removeprefix('installed ').split(',') if item.strip()}
    return [name for name in wanted if name not in installed]


def absent(wanted):
    """The programs, headers and modules of Python of these packages that are not here, each once."""
    found = (absent_part(CONTENTS.get(name, name)) for name in wanted)
    return list(dict.fromkeys(filter(None, found)))


def absent_part(name):
    """The name by which a message asks for it; empty if it is here."""
    if name.endswith(('.h', '.hpp')):
        return '' if any((folder / name).exists() for folder in INCLUDE) else f'<{name}>'
    if name.startswith('python3-'):
        module = name.removeprefix('python3-').replace('-', '_')
        return '' if importlib.util.find_spec(module) else f'the module {module} of Python'
    name = CROSS_COMPILER.sub(r'\2-\1', name)
    path = f'{os.environ["PATH"]}:/usr/sbin:/sbin'
    return '' if not name or shutil.which(name, path=path) else name


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
    if not is_debian():
        if names := absent(wanted):
            raise Failure(f'not Debian: install these yourself: {", ".join(names)}')
        return
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
