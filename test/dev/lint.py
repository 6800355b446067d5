# SPDX-License-Identifier: GPL-2.0
"""./dev lint: warnings of compilers and checkers, style, licences, language."""

import os
import re
import subprocess

import architectures
import arguments
import conversions
import counting
import language
import modules
import packages
import shell
from shell import ROOT, Failure, project_files, say

# Reports of checkpatch that do not apply: names that IEEE gives, lists that are macros,
# locks whose comment is above the structure, texts longer than a line, and headers that
# are C++ as well.
NOT_CHECKED = (
    'CAMELCASE', 'COMPLEX_MACRO', 'MACRO_ARG_REUSE', 'MACRO_ARG_UNUSED', 'BRACKET_SPACE',
    'UNCOMMENTED_DEFINITION', 'SPLIT_STRING', 'NEW_TYPEDEFS', 'PREFER_ETHTOOL_PUTS',
    'PREFER_DEFINED_ATTRIBUTE_MACRO', 'LINE_SPACING')
SOURCES = ('*.c', '*.h', '*.cpp', '*.hpp', '*.py', '*.sh', '*.yaml', '*.cmake',
           '*CMakeLists.txt', '*Kbuild')
SPDX_LINES = 3
CLANG_FORMAT = 14
# A driver's author reads it in some minutes.
MINIMAL_DRIVER, MINIMAL_LINES = 'examples/minimal/macstats_minimal.c', 120
SHELL = re.compile(rb'#!.*[/ ](ba)?sh$')


def report(problems):
    for problem in problems:
        print(problem, flush=True)
    return not problems


def on_files(command, names):
    """Runs a checker on files; none are fine."""
    return not names or shell.run([*command, *names], stdin=subprocess.DEVNULL) == 0


def head(name, lines):
    with (ROOT / name).open('rb') as file:
        return [file.readline().rstrip(b'\n') for _ in range(lines)]


def licences():
    names = set(project_files(*SOURCES)) | \
        {name for name in project_files() if os.access(ROOT / name, os.X_OK)}
    return report([f'{name}: no SPDX line' for name in sorted(names)
                   if not any(b'SPDX-License-Identifier:' in line
                              for line in head(name, SPDX_LINES))])


def examples():
    """The minimal driver is short, comments and empty lines included."""
    lines = len((ROOT / MINIMAL_DRIVER).read_text().splitlines())
    return report([f'{MINIMAL_DRIVER}: {lines} lines, less than {MINIMAL_LINES} are accepted']
                  if lines >= MINIMAL_LINES else [])


def shellcheck():
    """Shell scripts are known by their first line, and those that others read by their name."""
    return on_files(['shellcheck', '--external-sources'],
                    [name for name in project_files()
                     if name.endswith('.sh') or SHELL.match(head(name, 1)[0])])


def clang_format():
    """By the version of Debian 12: each lays code out in its own way."""
    version = shell.output_of(['clang-format', '--version'])[1]
    if f'version {CLANG_FORMAT}.' not in version:
        print(f'not checked: it needs clang-format {CLANG_FORMAT}', flush=True)
        return True
    return on_files(['clang-format', '--dry-run', '-Werror'], project_files(
        *(f'{folder}/*.{suffix}' for folder in ('userspace', 'test')
          for suffix in ('cpp', 'hpp', 'h')), ':!test/models/*', ':!test/driver/*'))


def layers():
    """Calls from a file of the kernel modules to one of a higher layer."""
    return shell.run([ROOT / 'test/layers.py'], stdin=subprocess.DEVNULL) == 0


def proof():
    """The contracts in test/proof, and mutants that they must reject."""
    return shell.run([ROOT / 'test/proof/run'], stdin=subprocess.DEVNULL) == 0


def checkpatch():
    modules.fetch('source')
    # These are C++.
    return on_files(['perl', 'build/kernel/source/scripts/checkpatch.pl', '--no-tree', '--strict',
                     '--terse', '--ignore', ','.join(NOT_CHECKED), '--no-summary', '-q', '-f'],
                    project_files('kmod/*.[ch]', 'examples/*.[ch]', 'test/driver/*.[ch]',
                                  'conversions/*.[ch]', 'shared/*.h',
                                  ':!shared/macstats/check*.h'))


def conversion(name):
    try:
        return conversions.check(name, NOT_CHECKED)
    except Failure as failure:
        print(failure)
        return False


def sparse(kernel):
    modules.fetch(kernel)
    return modules.sparse(kernel)


def compiler(preset):
    try:
        modules.build_userspace(['all'], preset, f'building with the preset {preset}')
    except Failure as failure:
        print(failure)
        return False
    return True


class Check:
    """A check of lint: its title, the packages that it needs, and what it does."""

    def __init__(self, title, needs, function, *arguments):
        self.title, self.needs = title, needs
        self.holds = lambda: function(*arguments)


CHECKS = {
    'licences': Check('licences', ['git'], licences),
    'language': Check('language', ['git'], language.check),
    'examples': Check('length of the example', [], examples),
    'shellcheck': Check('shellcheck', ['git', 'shellcheck'], shellcheck),
    'clang-format': Check('clang-format', ['git', 'clang-format'], clang_format),
    'layers': Check('layers of the modules', ['python3'], layers),
    **{f'sparse-{kernel}': Check(f'modules for {kernel}: W=1, values not set, sparse',
                                 [*packages.of('kernel'), 'sparse'], sparse, kernel)
       for kernel in (*arguments.KERNELS, *architectures.NEWEST)},
    'checkpatch': Check('checkpatch', [*packages.of('kernel'), 'git'], checkpatch),
    **{name: Check(f'conversion of {name}: matches, builds, checkpatch',
                   [*packages.of('kernel', 'conversions'), 'git'], conversion, name)
       for name in conversions.CONVERSIONS},
    'gcc': Check('g++ -Werror', packages.of('userspace'), compiler, 'ci'),
    'clang': Check('clang++ -Werror', [*packages.of('userspace'), 'clang'], compiler, 'ci-clang'),
    'proof': Check('proofs of the accumulator', packages.of('proof'), proof),
}


def check_all(names, yes):
    """Counts; goes on after a failure, so that all are seen at once."""
    for name in names:
        if name not in CHECKS:
            raise Failure(f'no such check: {name}')
    total = counting.Tally()
    packages.need(list(dict.fromkeys(
        package for name in names for package in CHECKS[name].needs)), yes)
    for name in names:
        title = CHECKS[name].title
        say(title)
        if CHECKS[name].holds():
            total.passed += 1
        else:
            total += counting.Tally(failed=1, failures=[f'lint: {title}'])
            say(f'failed: {title}')
    return total


def lint(options, names):
    if check_all(names or CHECKS, options.yes).failed:
        raise Failure('lint failed')
