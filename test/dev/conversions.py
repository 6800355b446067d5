# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree that conversions/ converts: do they build, with the kernel's style?"""

import re
import subprocess

import modules
import shell
from shell import BUILD, ROOT, Failure, output_of

# A conversion: each series whose driver is converted, with the kernel and the variables of Kbuild for
# which it is built here. ./dev modules builds the others; user-mode Linux has the newest ones.
CONVERSIONS = {
    '8139cp': {'6.1': None, '6.12': None, 'newest': None},
    'e1000': {'6.1': None, '6.12': None, 'newest': None},
    'e1000e': {'6.1': None, '6.12': None, 'newest': None},
    'igb': {'6.12': ('6.12', []), 'newest': None},
    'igc': {'6.12': ('6.12', []), 'newest': None},
    'lan743x': {'6.12': ('6.12', []), 'newest': None},
    'macb': {'6.12': ('6.12', []), 'newest': None},
    'stmmac': {'6.12': ('6.12', []), 'newest': None},
}
# Reports of checkpatch that do not apply: names that IEEE gives, lists that are macros,
# locks whose comment is above the structure, texts longer than a line, headers that are C++ as
# well, and what a patch has that is mailed.
NOT_CHECKED = (
    'CAMELCASE', 'COMPLEX_MACRO', 'MACRO_ARG_REUSE', 'MACRO_ARG_UNUSED', 'BRACKET_SPACE',
    'UNCOMMENTED_DEFINITION', 'SPLIT_STRING', 'NEW_TYPEDEFS', 'PREFER_ETHTOOL_PUTS',
    'PREFER_DEFINED_ATTRIBUTE_MACRO', 'LINE_SPACING', 'COMMIT_MESSAGE', 'MISSING_SIGN_OFF')


def convert(name, series, tree):
    """Converts a driver in the tree of a build. Returns the changes, as a patch."""
    modules.fetch(modules.DRIVERS[series].name)
    status, text = output_of([ROOT / 'conversions/convert', '--diff', name,
                              modules.DRIVERS[series] / modules.FOLDERS[name], tree / 'kmod' / name])
    if status:
        print(text, end='', flush=True)
        raise Failure(f'cannot convert {name}')
    return text


def keeps_style(*words, ignored=NOT_CHECKED, **options):
    """Is checkpatch content? @words: patches, - for one as input, or files behind -f."""
    modules.fetch('source')
    return subprocess.run(
        ['perl', 'build/kernel/source/scripts/checkpatch.pl', '--no-tree', '--strict', '--terse',
         '--no-summary', '-q', '--ignore', ','.join(ignored), *words],
        cwd=ROOT, text=True, check=False, **options).returncode == 0


def is_shorter(name, patch):
    """Does the driver lose more lines than it gets?"""
    added, removed = (len(re.findall(rf'^{sign}(?!{sign}{sign} )', patch, re.MULTILINE))
                      for sign in (r'\+', '-'))
    if added >= removed:
        print(f'the conversion {name} adds {added} lines and removes {removed}')
    return added < removed


def builds(name, kernel, variables, tree):
    """Do the modules and the converted driver build without a warning?"""
    modules.fetch(kernel)
    status, text = modules.make_modules(modules.headers_of(kernel), tree, *variables,
                                        f'MACSTATS_EXTRA_DRIVERS={name}/')
    print(text, end='', flush=True)
    return status == 0


def check(name):
    """True if a driver can be converted, to one that builds and whose changes keep the style."""
    good = []
    for series, target in CONVERSIONS[name].items():
        tree = BUILD / f'conversion-{name}-{series}'
        shell.remove(tree)
        modules.link_sources(tree)
        patch = convert(name, series, tree)
        if target:
            good.append(builds(name, *target, tree))
        good.append(is_shorter(name, patch))
        good.append(keeps_style('-', input=patch))
    return all(good)
