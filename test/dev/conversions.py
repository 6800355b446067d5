# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree that conversions/ converts: do they build, with the kernel's style?"""

import subprocess

import architectures
import modules
import shell
from shell import BUILD, ROOT, Failure, output_of

# A conversion: the driver's folder in the tree, and each series whose driver is converted, with the
# kernel and the variables of Kbuild for which it is built here. ./dev modules builds the others.
CONVERSIONS = {
    'cpsw': ('drivers/net/ethernet/ti',
             {'6.1': ('armhf', architectures.variables_of('armhf'))}),
    'e1000': (modules.E1000, {'6.1': None, '6.12': None, 'newest': None}),
}
# A patch that is mailed has these, too.
NOT_CHECKED = ('COMMIT_MESSAGE', 'MISSING_SIGN_OFF')


def convert(name, series, tree):
    """Converts a driver in the tree of a build. Returns the changes, as a patch."""
    folder, _ = CONVERSIONS[name]
    modules.fetch(modules.DRIVERS[series].name)
    status, text = output_of([ROOT / 'conversions/convert', '--diff', name,
                              modules.DRIVERS[series] / folder, tree / 'kmod' / name])
    if status:
        print(text, end='', flush=True)
        raise Failure(f'cannot convert {name}')
    return text


def keeps_style(patch, not_checked):
    """Is checkpatch content with a patch?"""
    modules.fetch('source')
    ignored = ','.join([*not_checked, *NOT_CHECKED])
    return subprocess.run(
        ['perl', ROOT / 'build/kernel/source/scripts/checkpatch.pl', '--no-tree', '--strict',
         '--terse', '--no-summary', '-q', '--ignore', ignored, '-'],
        input=patch, text=True, check=False).returncode == 0


def builds(name, kernel, variables, tree):
    """Do the modules and the converted driver build without a warning?"""
    modules.fetch(kernel)
    status, text = modules.make_modules(modules.headers_of(kernel), tree, *variables,
                                        f'MACSTATS_EXTRA_DRIVERS={name}/')
    print(text, end='', flush=True)
    return status == 0


def check(name, not_checked):
    """True if a driver can be converted, to one that builds and whose changes keep the style.
    @not_checked: reports of checkpatch that do not apply."""
    good = []
    for series, target in CONVERSIONS[name][1].items():
        tree = BUILD / f'conversion-{name}-{series}'
        shell.remove(tree)
        modules.link_sources(tree)
        patch = convert(name, series, tree)
        if target:
            good.append(builds(name, *target, tree))
        good.append(keeps_style(patch, not_checked))
    return all(good)
