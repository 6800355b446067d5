# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree that conversions/ converts: do they build in the kernel's style?"""

import subprocess

import architectures
import modules
from shell import BUILD, ROOT, Failure, must, output_of

# Reports of checkpatch that do not apply: names that IEEE gives, lists that are macros,
# locks whose comment is above the structure, texts longer than a line, headers that are C++ as
# well, and what a patch has that is mailed.
NOT_CHECKED = (
    'CAMELCASE', 'COMPLEX_MACRO', 'MACRO_ARG_REUSE', 'MACRO_ARG_UNUSED', 'BRACKET_SPACE',
    'UNCOMMENTED_DEFINITION', 'SPLIT_STRING', 'NEW_TYPEDEFS', 'PREFER_ETHTOOL_PUTS',
    'PREFER_DEFINED_ATTRIBUTE_MACRO', 'LINE_SPACING', 'COMMIT_MESSAGE', 'MISSING_SIGN_OFF')


def keeps_style(*words, ignored=NOT_CHECKED, **options):
    """Is checkpatch content? @words: patches, - for one as input, or files behind -f."""
    modules.fetch('source')
    return subprocess.run(
        ['perl', 'build/kernel/source/scripts/checkpatch.pl', '--no-tree', '--strict', '--terse',
         '--no-summary', '-q', '--ignore', ','.join(ignored), *words],
        cwd=ROOT, text=True, check=False, **options).returncode == 0


def check(name):
    """True if a driver can be converted, to one that is shorter and builds, and whose changes keep
    the style."""
    # ./dev modules builds the drivers of these NICs, and those of user-mode Linux the newest ones.
    of_nic = name in [modules.OF_NICS[kind][0] for kind in architectures.KERNELS['6.12'].nics]
    good = True
    for series in ('6.1', '6.12', 'newest') if of_nic else ('6.12', 'newest'):
        tree, source = BUILD / f'conversion-{name}-{series}', modules.DRIVERS[series]
        modules.fetch(source.name)
        must(['rm', '-rf', tree])
        modules.link_sources(tree)
        status, patch = output_of([modules.CONVERSIONS / 'convert', '--diff', name,
                                   source / modules.FOLDERS[name], tree / 'kmod' / name])
        if status:
            raise Failure(f'cannot convert {name}:\n{patch}')
        if series == '6.12' and not of_nic:
            good &= modules.builds(series, tree, f'MACSTATS_EXTRA_DRIVERS={name}/')
        added, removed = (patch.count(f'\n{sign}') - patch.count(f'\n{sign * 3} ') for sign in '+-')
        if added >= removed:
            print(f'the conversion {name} adds {added} lines and removes {removed}')
        good &= keeps_style('-', input=patch) and added < removed
    return good
