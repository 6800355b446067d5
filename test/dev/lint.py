# SPDX-License-Identifier: GPL-2.0
"""./dev lint: warnings of compilers and checkers, style, licences, spelling."""

import os
import re
import subprocess
from functools import partial

import architectures
import arguments
import conversions
import counting
import modules
import netlink
import packages
import series
import shell
from shell import BUILD, ROOT, Failure, project_files, say

SOURCES = ('*.c', '*.h', '*.cpp', '*.hpp', '*.py', '*.sh', '*.yaml', '*.cmake',
           '*CMakeLists.txt', '*Kbuild')
# Names, also of registers, and words that tests misspell on purpose.
MISSPELT = ('oen', 'te', 'nd', 'befor', 'lenght', 'shwo', 'valeu', 'synopsys', 'fro')
# {a word: what the project says in its place}
GLOSSARY = {'described counters?': 'software counter', 'lanes?': 'per-CPU cells',
            'news': 'event or notification', 'refuse[sd]?': 'reject',
            'suffer(s|ed)?': 'support', 'took away|began anew': 'reset, baseline'}
CLANG_FORMAT = 14
# A driver's author reads it in some minutes.
MINIMAL_DRIVER, MINIMAL_LINES = 'examples/minimal/macstats_minimal.c', 100
SPDX = re.compile(rb'(.*\n){0,2}.*SPDX-License-Identifier:')
SHELL = re.compile(rb'#!.*[/ ](ba)?sh$', re.MULTILINE)


def report(problems):
    for problem in problems:
        print(problem, flush=True)
    return not problems


def on_files(command, names):
    """Runs a checker on files; none are fine."""
    return not names or shell.run([*command, *names], stdin=subprocess.DEVNULL) == 0


def licences():
    names = set(project_files(*SOURCES)) | \
        {name for name in project_files() if os.access(ROOT / name, os.X_OK)}
    return report([f'{name}: no SPDX line' for name in sorted(names)
                   if not SPDX.match((ROOT / name).read_bytes())])


def language():
    """Spelling, and one word for one thing."""
    names = project_files(':!LICENSES', ':!test/fuzz/corpus', ':!test/dev/lint.py')
    spelt = on_files(['codespell', '-L', ','.join(MISSPELT)], names)
    return report([f'{name}:{number}: {found[0]}: here that is {use}'
                   for name in names for number, line in enumerate(
                       (ROOT / name).read_text(errors='ignore').splitlines(), 1)
                   for word, use in GLOSSARY.items()
                   for found in re.finditer(rf'\b({word})\b', line, re.IGNORECASE)]) and spelt


def examples():
    """The minimal driver is short, comments and empty lines included."""
    lines = len((ROOT / MINIMAL_DRIVER).read_text().splitlines())
    return report([f'{MINIMAL_DRIVER}: {lines} lines, less than {MINIMAL_LINES} are accepted']
                  if lines >= MINIMAL_LINES else [])


def shellcheck():
    """Shell scripts are known by their first line, and those that others read by their name."""
    return on_files(['shellcheck', '--external-sources'],
                    [name for name in project_files()
                     if name.endswith('.sh') or SHELL.match((ROOT / name).read_bytes())])


def clang_format():
    """By the version of Debian 12: each lays code out in its own way."""
    version = shell.output_of(['clang-format', '--version'])[1]
    if f'version {CLANG_FORMAT}.' not in version:
        print(f'not checked: it needs clang-format {CLANG_FORMAT}', flush=True)
        return True
    return on_files(['clang-format', '--dry-run', '-Werror'], project_files(
        *(f'{folder}/*.{suffix}' for folder in ('userspace', 'test')
          for suffix in ('cpp', 'hpp', 'h')), ':!test/models/*', ':!test/driver/*',
        ':!test/driver_bench/*'))


def checkpatch():
    # Without headers that are C++.
    return conversions.keeps_style('-f', *project_files(
        'kmod/*.[ch]', 'examples/*.[ch]', 'test/driver/*.[ch]',
        'test/driver_bench/*.[ch]', 'conversions/*.[ch]', 'shared/*.h',
        ':!shared/macstats/check*.h'))


def sparse(kernel):
    """Of the modules and the examples; with values that may be read before they are set, for which
    the kernel does not ask."""
    tree = BUILD / f'sparse-{kernel}'
    shell.must(['rm', '-rf', tree])
    modules.link_sources(tree)
    return modules.builds(kernel, tree, modules.link_drivers(tree, modules.examples()), 'C=2',
                          f'CHECK={modules.SPARSE}', 'KCFLAGS=-Wmaybe-uninitialized')


def compiler(preset, *more_targets):
    """Of all programs, those that only the site and `./dev bench` run, too."""
    modules.build_userspace(['all', 'bench-calls', 'bench-ports', 'random-frames', *more_targets],
                            preset, f'building with the preset {preset}')
    return True


# {name: (title, the packages that it needs, the function)}
CHECKS = {
    'licences': ('licences', ['git'], licences),
    'language': ('spelling and glossary', ['git', 'codespell'], language),
    'examples': ('length of the example', [], examples),
    'shellcheck': ('shellcheck', ['git', 'shellcheck'], shellcheck),
    'clang-format': ('clang-format', ['git', 'clang-format'], clang_format),
    'layers': ('layers of the modules', ['python3'], partial(on_files, [], ['test/layers.py'])),
    **{f'sparse-{kernel}': (f'modules for {kernel}: W=1, values not set, sparse',
                            [*packages.of('kernel'), 'sparse'], partial(sparse, kernel))
       for kernel in (*arguments.KERNELS, *architectures.NEWEST)},
    'netlink': ('generated code of netlink',
                [*packages.of('kernel'), 'python3-yaml', 'python3-jsonschema'],
                netlink.is_up_to_date),
    'checkpatch': ('checkpatch', [*packages.of('kernel'), 'git'], checkpatch),
    **{name: (f'conversion of {name}: matches, builds, checkpatch',
              [*packages.of('kernel', 'hardware'), 'git'], partial(conversions.check, name))
       for name in modules.FOLDERS},
    'series': ('series of patches: applies, each builds, checkpatch',
               [*packages.of('kernel', 'hardware'), 'git', 'sparse'], series.check),
    'gcc': ('g++ -Werror', packages.of('userspace'), partial(compiler, 'ci')),
    'clang': ('clang++ -Werror', [*packages.of('userspace'), 'clang', 'libbenchmark-dev'],
              partial(compiler, 'ci-clang', 'bench-native')),
    'proof': ('proofs of the accumulator', packages.of('proof'),
              partial(on_files, [], ['test/proof/run'])),
}


def check_all(names, yes):
    """Goes on after a failure, so that all are seen at once. Returns counts."""
    total = counting.Tally()
    packages.need(list(dict.fromkeys(
        package for name in names for package in CHECKS[name][1])), yes)
    for title, _, holds in map(CHECKS.get, names):
        say(title)
        try:
            good = holds()
        except Failure as failure:
            print(failure, flush=True)
            good = False
        if good:
            total.passed += 1
        else:
            total += counting.Tally(failed=1, failures=[f'lint: {title}'])
            say(f'failed: {title}')
    return total


def lint(options):
    if check_all(options.words or CHECKS, options.yes).failed:
        raise Failure('lint failed')
