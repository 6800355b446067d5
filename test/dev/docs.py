# SPDX-License-Identifier: GPL-2.0
"""./dev docs: makes the site, and test/site tests it in a browser."""

import counting
import modules
import packages
import shell
from shell import BUILD, ROOT, Failure, say, step

FOLDER = BUILD / 'docs'
SITE = ROOT / 'docs/site'
# Of Debian's headers for this kernel, which the modules are built with.
KERNEL = '6.12'
KERNEL_DOC = BUILD / f'kernel/{KERNEL}/headers/scripts/kernel-doc'
FRAMES_TARGET = 'random-frames'


def make(targets=()):
    """Makes the site in build/docs/html; a warning of any tool is an error."""
    modules.build_userspace([*modules.COMMAND_TARGETS, *targets])
    modules.fetch(KERNEL)
    command = BUILD / modules.PRESET / 'userspace/cli/macstats'
    step('collecting the pages', [SITE / 'generator/stage.py', command, KERNEL_DOC,
                                  FOLDER / 'source'], usual=5)
    config = (SITE / 'Doxyfile.in').read_text()
    (FOLDER / 'doxygen').mkdir(parents=True, exist_ok=True)
    (FOLDER / 'Doxyfile').write_text(
        config.replace('@ROOT@', str(ROOT)).replace('@OUT@', str(FOLDER / 'doxygen')))
    step('documenting the library', ['doxygen', FOLDER / 'Doxyfile'], usual=10)
    # -E: all pages anew. To forget the C++ API of the last run takes Sphinx minutes.
    step('making the site', ['/usr/bin/python3', '-m', 'sphinx', '-E', '-W', '--keep-going', '-q',
                             '-j', shell.processors(), '-b', 'html', FOLDER / 'source',
                             FOLDER / 'html'], usual=60)


def docs(options, words):
    if words:
        raise Failure('docs takes no argument')
    packages.need(packages.of('userspace', 'kernel', 'docs'), options.yes)
    make()
    print(f'the site begins at {FOLDER / "html/index.html"}')


def check(options, seed, environment):
    """Makes the site and tests it in a browser. Returns counts."""
    say('the site')
    packages.need(packages.of('userspace', 'kernel', 'docs', 'browser'), options.yes)
    try:
        make([FRAMES_TARGET])
    except Failure as failure:
        print(failure)
        return counting.Tally(failed=1, failures=[f'the site: {failure}'])
    status = shell.run(['test/site/pages.py', '--frames',
                        BUILD / modules.PRESET / 'test/site/random-frames', '--seed', seed,
                        FOLDER / 'html'], env=environment)
    return counting.Tally(failed=1, failures=['the site in a browser']) if status else \
        counting.Tally(passed=1)
