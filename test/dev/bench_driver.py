# SPDX-License-Identifier: GPL-2.0
"""./dev bench-driver: runs drivers of the kernel's tree on emulated registers, and docs/drivers."""

import pathlib
import re
import shutil
import subprocess

import architectures
import bench_drivers
import counting
import guests
import modules
import shell
from bench_drivers import DRIVERS, FLAGS, PAGES, VERDICTS
from shell import BUILD, Failure, say

PROGRAM = 'test/vm/driver-page'
ETHERNET = 'drivers/net/ethernet'
README = PAGES / 'README.md'
# Behind it the tables begin.
GENERATED = '<!-- made by ./dev bench-driver --renew -->\n'
SECONDS = 300
KERNEL_LOG = 126    # of the guest: it has a warning
# Those lines of it, in what the guest says
REPORTS = re.compile(r"^---- in the guest's kernel log\n(.*?)^---- ", re.MULTILINE | re.DOTALL)


def build_drivers(driver, tree):
    """Builds the modules of a driver as they are in a kernel tree, for the kernel of the bench.
    Returns their folder."""
    source = tree / ETHERNET / driver.folder
    folder = BUILD / 'bench' / driver.name
    shell.must(['rm', '-rf', folder])
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, folder,
                    ignore=shutil.ignore_patterns('*.o', '*.ko', '*.mod*', '.*.cmd'))
    label = architectures.USER_MODE
    say(f'building {driver.name} from {source}')
    status, text = modules.kbuild(BUILD / 'kernel' / label, folder,
                                  *architectures.KERNELS[label].variables)
    if status:
        raise Failure(f'{driver.name} does not build for the kernel of the bench:\n{text}')
    return folder


def unknown_reports(page, errors):
    """The lines of the kernel's log that report something which is not in the page. @errors: what
    the guest says"""
    known = re.findall(r'^\* `(.*)`$', page, re.MULTILINE)
    found = REPORTS.search(errors)
    return [line for line in (found[1].splitlines() if found else ())
            if not any(report in line for report in ('Call Trace:', *known))]


def page_of(options, driver, tree):
    """The page of a driver, by a run in a guest"""
    folder = [] if tree is None else ['--env', f'DRIVER_MODULES={build_drivers(driver, tree)}']
    line = guests.command(options, architectures.USER_MODE, '--quiet', '--timeout', SECONDS,
                          *folder, '--', guests.WITH_MODULES, PROGRAM, driver.name)
    guest = shell.start(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, text=True)
    page, errors = guest.communicate()
    if (status := shell.finish(guest)) not in ((0, KERNEL_LOG) if driver.alone else (0,)) or \
            unknown_reports(page, errors):
        raise Failure(f'{driver.name}: the guest ends with {status}\n{page}{errors}')
    return page


def page_test(options, driver):
    """A test, as driver_pages.py has of the others: the kernel reports what the page of this driver
    says, and nothing else. Returns its counts."""
    name = f'the page of {driver.name}'
    try:
        lines, same_kernel = bench_drivers.differences(driver.name, page_of(options, driver, None))
    except Failure as error:
        lines, same_kernel = [str(error)], True
    for line in lines:
        print(line)
    if not lines or not same_kernel:
        say(f'{name} is what it shows')
        return counting.Tally(passed=1)
    return counting.Tally(failed=1, failures=[f'{name}: {lines[0]}'],
                          repeats=['./dev test driver_pages.py'])


def sign(words):
    """A cell of the table of all drivers, by the words of a page"""
    signs = {word: each for word, each, _ in (*VERDICTS, *FLAGS.values())}
    first, *flags = words.split(', ')
    return ' '.join([signs[first], ''.join(signs[word] for word in flags)]).strip()


def cells_of(page):
    """{statistic: cell} of a page; of a histogram that of its first bucket"""
    found = {}
    rows = re.findall(r'^\| `(\S+)` +\| ([^|]+?) +\|$', page, re.MULTILINE)
    for name, words in rows:
        found.setdefault(bench_drivers.family(name), sign(words))
    if missing := re.search(r'^Missing.*$', page, re.MULTILINE):
        found |= dict.fromkeys(re.findall('`(.*?)`', missing[0]), sign(bench_drivers.MISSING[0]))
    if strings := re.search(r'^(\d+) strings? .* (\d+) of them', page, re.MULTILINE):
        found['`ethtool -S`: strings right, of'] = f'{strings[2]}/{strings[1]}'
    found['reports'] = str(len(re.findall(r'^## Report: ', page, re.MULTILINE)))
    return found


def readme(pages):
    """The text of docs/drivers/README.md. @pages: {driver: its page}"""
    names = bench_drivers.statistics()
    head, _, _ = README.read_text().partition(GENERATED)
    cells = {name: cells_of(page) for name, page in pages.items()}
    known = {name for each in cells.values() for name in each}
    rows = [name for name in names if name in known]
    rows += sorted(known - set(rows), key=lambda name: (name == 'reports', name))
    lines = [['statistic', *(f'[{name}]({name}.md)' for name in pages)],
             ['---'] + [':-:'] * len(pages),
             *([f'`{row}`' if '/' in row and row in names else row,
                *(each.get(row, '') for each in cells.values())] for row in rows)]
    table = ''.join(f'| {" | ".join(line)} |\n' for line in lines)
    words = ''.join(f'| {mark} | {word} | {meaning} |\n' for word, mark, meaning in dict.fromkeys(
        (*VERDICTS, *FLAGS.values())))
    return f'{head}{GENERATED}\n| | | |\n|---|---|---|\n{words}\n{table}'


def pages():
    """{driver: its page in docs/drivers}"""
    return {name: (PAGES / f'{name}.md').read_text() for name in DRIVERS}


def bench_driver(options):
    names = options.words
    tree = pathlib.Path(options.kernel_dir) if options.kernel_dir else None
    if not options.renew and not names:
        raise Failure(f'bench-driver: no driver is named; there are: {" ".join(DRIVERS)}')
    for name in names:
        if tree and not (tree / ETHERNET / DRIVERS[name].folder).is_dir():
            raise Failure(f'bench-driver: {tree} is no kernel tree: it has no '
                          f'{ETHERNET}/{DRIVERS[name].folder}')
    if options.renew and tree:
        raise Failure('bench-driver: --renew is for the drivers of the kernel that is built here')
    options.kernel_dir, options.kernels, options.bench = None, [architectures.USER_MODE], True
    guests.prepare(options, [*modules.COMMAND_TARGETS])
    for name in names or DRIVERS:
        page = page_of(options, DRIVERS[name], tree)
        if options.renew:
            (PAGES / f'{name}.md').write_text(page)
            say(f'made {PAGES / name}.md')
        else:
            print(page, end='', flush=True)
    if options.renew:
        README.write_text(readme(pages()))
