# SPDX-License-Identifier: GPL-2.0
"""./dev docs: makes the site, which test/site tests in a browser."""

import modules
import packages
import shell
from shell import BUILD, ROOT, step

FOLDER = BUILD / 'docs'
SITE = ROOT / 'docs/site'
# Of Debian's headers for this kernel, which the modules are built with.
KERNEL = '6.12'
KERNEL_DOC = BUILD / f'kernel/{KERNEL}/headers/scripts/kernel-doc'


def make():
    """Makes the site in build/docs/html; a warning of any tool is an error."""
    modules.build_userspace([*modules.COMMAND_TARGETS])
    modules.fetch(KERNEL)
    command = BUILD / modules.PRESET / 'userspace/cli/macstats'
    step('collecting the pages', [SITE / 'generator/stage.py', command, KERNEL_DOC,
                                  FOLDER / 'source'])
    config = (SITE / 'Doxyfile.in').read_text()
    (FOLDER / 'doxygen').mkdir(parents=True, exist_ok=True)
    (FOLDER / 'Doxyfile').write_text(
        config.replace('@ROOT@', str(ROOT)).replace('@OUT@', str(FOLDER / 'doxygen')))
    step('documenting the library', ['doxygen', FOLDER / 'Doxyfile'])
    # -E: all pages anew. To forget the C++ API of the last run takes Sphinx minutes.
    step('making the site', ['/usr/bin/python3', '-m', 'sphinx', '-E', '-W', '--keep-going', '-q',
                             '-j', shell.processors(), '-b', 'html', FOLDER / 'source',
                             FOLDER / 'html'])


def docs(options):
    packages.need(packages.of('userspace', 'kernel', 'docs'), options.yes)
    make()
    print(f'the site begins at {FOLDER / "html/index.html"}')
