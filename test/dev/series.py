# SPDX-License-Identifier: GPL-2.0
"""The patches for the kernel's tree that conversions/series writes: do they apply, build one after
another, and keep the kernel's style?"""

import re

import architectures
import conversions
import modules
from shell import BUILD, ROOT, must, output_of, step

SERIES = ROOT / 'conversions/series'
AUTHOR = 'A Tester <tester@example.org>'
# The core of the series: its lines, at most.
CORE, CORE_LINES = ('include/net/eth_hw_stats.h', 'net/core/eth_hw_stats.c'), 1000
# MAINTAINERS has the new files, IEEE gives the names, and the kernel's history has the commits:
# checkpatch alone does not see that.
NOT_CHECKED = 'FILE_PATH_CHANGES', 'CAMELCASE', 'UNKNOWN_COMMIT_ID'
# Modules of the files that a patch changes. Debian's kernels have no KUnit.
KBUILD = '''\
subdir-ccflags-y += -I$(src)/include
ccflags-y += -I$(src)/include
obj-m += $(patsubst $(src)/%.c,%.o,$(wildcard $(src)/net/core/eth_hw_stats.c \\
	$(if $(CONFIG_KUNIT),$(src)/net/core/eth_hw_stats_test.c)))
obj-m += drivers/net/ethernet/cadence/
'''
DRIVER_IS_BUILT = 'CONFIG_MACB=m'
# Rows of the driver, the registers that they name, and rows of the model with their offsets
ROW = re.compile(r'\bGEM_STAT\((\w+), (\d+), "')
REGISTER = re.compile(r'^#define GEM_(\w+)\s+0x([0-9a-f]+)', re.MULTILINE)
MODEL = ROOT / 'shared/macstats/model/gem.h'
MODEL_ROW = re.compile(r'\bGEM_ROW\("\w+", "\w+", 0x([0-9a-f]+), (\d+),')
MODEL_OCTETS = re.compile(r'\bGEM_OCTETS\("\w+", "\w+", 0x([0-9a-f]+),')
OCTETS_BITS = 48
# Rows that do not compile, and one that does
WRONG_ROWS = ('0, 0, 0, 0', '0, 65, 0, 0', '0, 32, 0, ETH_HW_RTNL(rx_packets)',
              '0, 32, 0, ETH_HW_MAC(NoSuchStatistic)', '0, 32, 0, ETH_HW_RMON(hist_tx)')
RIGHT_ROW = '0, 64, 0, ETH_HW_RTNL(rx_errors)'
ROW_SOURCE = '''\
#include <net/eth_hw_stats.h>

extern const struct eth_hw_stats_row row;
const struct eth_hw_stats_row row = ETH_HW_ROW({}, "name");
'''


def write(source, output):
    must(['rm', '-rf', output])
    step('writing the series of patches', [SERIES, '--author', AUTHOR, source, output])
    (output / 'tree/Kbuild').write_text(KBUILD)


def build_for_guests(options):
    """The modules of the whole series, for the kernel of the guests."""
    output = BUILD / 'series'
    if not modules.is_newer(output / 'tree/Kbuild', SERIES.parent,
                            ROOT / 'shared/macstats/account.h'):
        write(BUILD / 'kernel/user-mode-source', output)
    step('building the modules of the series', lambda: modules.make_modules(
        modules.build_folder(options, options.kernels[0]), output / 'tree', 'ARCH=um',
        DRIVER_IS_BUILT))


def is_short(tree):
    lines = sum(len((tree / name).read_text().splitlines()) for name in CORE)
    if lines > CORE_LINES:
        print(f'the core of the series has {lines} lines, up to {CORE_LINES} are accepted')
    return lines <= CORE_LINES


def fits_model(tree):
    """Do the rows of the driver have the widths of the model? A read clears all of a register, so
    that one without a width in the model may have all bits."""
    driver = tree / 'drivers/net/ethernet/cadence'
    model = {int(offset, 16): int(bits) for offset, bits in MODEL_ROW.findall(MODEL.read_text())}
    model |= {int(offset, 16): OCTETS_BITS for offset in MODEL_OCTETS.findall(MODEL.read_text())}
    offsets = {name: int(offset, 16)
               for name, offset in REGISTER.findall((driver / 'macb.h').read_text())}
    rows = {offsets[name]: int(bits)
            for name, bits in ROW.findall((driver / 'macb_stats.c').read_text())}
    wrong = [f'register {offset:#x}: {rows.get(offset)} bits, in {MODEL.name} {bits}'
             for offset, bits in model.items() if rows.get(offset) != bits]
    print(*wrong, sep='\n', end='\n' if wrong else '')
    return not wrong and len(model) > len(rows) / 2


def compiles(tree, row):
    (tree / 'row.c').write_text(ROW_SOURCE.format(row))
    status, _ = output_of([*architectures.builder('newest'), 'make', '-s', '-C',
                           modules.headers_of('newest'), f'M={tree}', 'row.o'])
    return status == 0


def rejects_wrong_rows(tree):
    modules.fetch('newest')
    wrong = [row for row in WRONG_ROWS if compiles(tree, row)]
    wrong += [] if compiles(tree, RIGHT_ROW) else [RIGHT_ROW]
    print(*(f'the compiler is wrong about the row {row}\n' for row in wrong), sep='', end='')
    return not wrong


def warnings_of(tree, commit):
    """(exit code, {warning without its line: the same with it}) of a build after a patch, by W=1
    and sparse."""
    must(['git', '-C', tree, 'checkout', '--quiet', commit])
    status, text = modules.kbuild(modules.headers_of('newest'), tree, DRIVER_IS_BUILT, 'W=1', 'C=2',
                                  f'CHECK={modules.SPARSE}')
    lines = modules.warnings_in(text, tree).splitlines()
    return status, {re.sub(r':\d+:\d+:', ':', line): line for line in lines}


def each_builds(tree):
    """Does the driver build after each patch, without a warning that the source does not have?"""
    modules.fetch('newest')
    _, commits = output_of(['git', '-C', tree, 'rev-list', '--reverse', 'HEAD'])
    source, *patches = commits.split()
    _, old = warnings_of(tree, source)
    for commit in patches:
        status, found = warnings_of(tree, commit)
        if status or found.keys() - old.keys():
            must(['git', '-C', tree, 'log', '-1', '--format=it does not build after: %s'])
            print(*(line for warning, line in found.items() if warning not in old), sep='\n')
            return False
    return True


def check():
    modules.fetch('newest-source')
    output = BUILD / 'series-newest'
    write(modules.DRIVERS['newest'], output)
    tree, patches = output / 'tree', sorted(output.glob('*.patch'))
    return all([is_short(tree), fits_model(tree), rejects_wrong_rows(tree), each_builds(tree),
                conversions.keeps_style(*patches, ignored=NOT_CHECKED)])
