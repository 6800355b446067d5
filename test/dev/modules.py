# SPDX-License-Identifier: GPL-2.0
"""Builds: the userspace part with CMake, the kernel modules with Kbuild."""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

import architectures
import packages
import shell
from shell import BUILD, IN_CI, ROOT, Failure, must, output_of, run, say, step

# The preset ci makes each warning an error.
PRESET = 'ci' if IN_CI else 'default'
# Its subcommand export runs the second one.
COMMAND_TARGETS = 'macstats-cli', 'macstats-exporter'
# All that the modules are built from.
MODULE_SOURCES = 'Kbuild', 'VERSION', 'kmod', 'shared'
# See kmod/Kbuild. A guest finds the modules with these models in $KMOD_EXTRA_DIR.
EXTRA_MODELS = ROOT / 'test/models/saturating.h'
# {series of kernels: of which drivers of NICs are tested with it}
DRIVERS = {'newest': BUILD / 'kernel/newest-source',
           **{series: BUILD / f'kernel/drivers-{series}' for series in ('6.1', '6.12')}}
# {driver that conversions/ converts: its folder in the kernel's tree}
FOLDERS = {'8139cp': 'drivers/net/ethernet/realtek',
           'e1000': 'drivers/net/ethernet/intel/e1000',
           'e1000e': 'drivers/net/ethernet/intel/e1000e', 'igb': 'drivers/net/ethernet/intel/igb',
           'igc': 'drivers/net/ethernet/intel/igc', 'lan743x': 'drivers/net/ethernet/microchip',
           'macb': 'drivers/net/ethernet/cadence',
           'stmmac': 'drivers/net/ethernet/stmicro/stmmac'}
# {NIC of QEMU: its driver, and the variable of Kbuild that builds it}
OF_NICS = {'e1000': ('e1000', 'CONFIG_E1000=m'), 'e1000e': ('e1000e', 'CONFIG_E1000E=m'),
           'rtl8139': ('8139cp', 'CONFIG_8139CP=m'), 'cadence_gem': ('macb', 'CONFIG_MACB=m')}
# Drivers that are converted on the bench, too
ON_BENCH = '8139cp', 'e1000e', 'igb', 'igc', 'lan743x', 'macb', 'stmmac'
# Drivers that only tests load are built with these models.
TEST_DRIVER = ROOT / 'test/driver'
# Made for kernels that can emulate registers: user-mode Linux
BENCH = ROOT / 'test/driver_bench'
CONVERSIONS = ROOT / 'conversions'
EXAMPLES = ROOT / 'examples'
KERNEL = ROOT / 'test/vm/kernel'
# Headers of newer kernels use both words, which sparse does not know yet.
SPARSE = "sparse -D__typeof_unqual__=__typeof__ '-D__builtin_strlen(x)=(sizeof(x)-1)'"


def is_configured(folder):
    """Has CMake run there with the present presets?"""
    made = folder / 'build.ninja'
    return made.exists() and \
        made.stat().st_mtime >= (ROOT / 'CMakePresets.json').stat().st_mtime


def build_userspace(targets, preset=PRESET, title='building the userspace part'):
    """For another architecture, @preset is its name, and there must be a root: see make_root()."""
    if not is_configured(BUILD / preset):
        step('configuring', ['cmake', '--preset', preset])
    say(title)
    quiet = [] if sys.stdout.isatty() else ['--quiet']
    if run(['ninja', '-C', BUILD / preset, *quiet, *targets], stdin=subprocess.DEVNULL):
        raise Failure(f'failed: {title}')


def link_sources(tree):
    """Kbuild leaves its objects beside the sources: each kernel gets a tree of links."""
    tree.mkdir(parents=True, exist_ok=True)
    must(['cp', '-rsn', *(ROOT / name for name in MODULE_SOURCES), tree])
    must(['find', tree, '-xtype', 'l', '-delete'])


def link_drivers(tree, folders):
    """Adds drivers to a tree of links. Returns the variable for Kbuild that names them."""
    must(['cp', '-rsn', *folders, tree / 'kmod'])
    return f'MACSTATS_EXTRA_DRIVERS={" ".join(f"{folder.name}/" for folder in folders)}'


def examples():
    """The folders of the example drivers."""
    return sorted(path.parent for path in EXAMPLES.glob('*/Kbuild'))


def warnings_in(text, tree):
    """The messages of Kbuild, with short paths, without the notice of a missing vmlinux and what a
    newer perl says of a script of the kernel."""
    return re.sub(rf'{re.escape(str(tree))}/', '', ''.join(
        line for line in text.splitlines(keepends=True)
        if not re.search(r'Skipping BTF generation|scripts/kernel-doc line \d', line)))


def kbuild(headers, tree, *variables):
    """(exit code, messages) of Kbuild."""
    builder = architectures.builder(pathlib.Path(headers).parent.name)
    return output_of([*builder, 'make', '-s', '--no-print-directory', f'-j{shell.processors()}',
                      '-C', headers, f'M={tree}', *variables, 'modules'])


def make_modules(headers, tree, *variables):
    """(exit code, warnings and errors): 0 only without any."""
    status, text = kbuild(headers, tree, 'W=1', *variables)
    text = warnings_in(text, tree)
    if status == 0 and not text.strip():
        return 0, ''
    # A file with a warning must be compiled again next time.
    for made in tree.rglob('*.o'):
        made.unlink()
    return 1, text


def trees(label):
    return [BUILD / f'kmod-{label}', BUILD / f'kmod-{label}-extra']


def newest(*folders):
    """The time of the last change of a file there."""
    return max(path.stat().st_mtime for folder in folders for path in folder.rglob('*')
               if path.is_file())


def convert(name, source, tree):
    """Converts a driver to the provider, unless that is done already."""
    made = tree.with_suffix('.converted')
    inputs = newest(source, CONVERSIONS / name), (CONVERSIONS / 'convert').stat().st_mtime
    if not made.exists() or made.stat().st_mtime < max(inputs):
        shell.remove(tree)
        must([CONVERSIONS / 'convert', name, source, tree])
        made.touch()


def build_modules(label, headers, converted, *variables):
    """As they are, and for the provider once more the emulator with the models that only tests know,
    the examples and the drivers of the tests.
    @converted: {name: folder} of drivers to convert."""
    tree, extra = trees(label)
    link_sources(tree)
    step(f'building the modules for {label}',
         lambda: make_modules(headers, tree, *variables))
    link_sources(extra)
    # A machine without NICs may have a kernel without what their drivers use.
    drivers = link_drivers(
        extra, [TEST_DRIVER, BENCH, *(examples() if architectures.has_nics(label) else [])])
    with concurrent.futures.ThreadPoolExecutor(shell.processors()) as pool:
        list(pool.map(lambda name: convert(name, converted[name], extra / 'kmod' / name),
                      converted))
    drivers += ''.join(f' {name}/' for name in converted)
    step(f'building the emulator with more models, and drivers, for {label}',
         lambda: make_modules(headers, extra, *variables, 'MACSTATS_PARTS=emulator/',
                              f'KBUILD_EXTRA_SYMBOLS={tree}/Module.symvers',
                              f'MACSTATS_EXTRA_MODELS={EXTRA_MODELS}', drivers))


def drivers_folder(label):
    """Of the drivers of NICs that are built for a kernel."""
    return BUILD / f'drivers-{label}'


def series_of(kernel):
    """The series of Debian's kernels whose drivers fit a kernel that was built here."""
    release = pathlib.Path(kernel) / 'include/config/kernel.release'
    return '6.1' if release.exists() and release.read_text().startswith('6.1.') else '6.12'


def build_drivers(label, headers, series, *variables):
    """The drivers of the NICs in guests, as the kernel has them."""
    for name, config in map(OF_NICS.get, architectures.nics_of(label)):
        tree = drivers_folder(label) / f'{name}_unconverted'
        tree.mkdir(parents=True, exist_ok=True)
        must(['cp', '-ru', '--no-preserve=mode', f'{DRIVERS[series] / FOLDERS[name]}/.', tree])
        step(f'building the driver {name} for {label}',
             lambda tree=tree, config=config: kbuild(headers, tree, config, *variables))


def fetch(what):
    """Downloads what is not there: see test/vm/kernel. For a kernel of a newer Debian, what builds
    modules for it, too."""
    must([KERNEL, 'fetch', what])
    if what in architectures.NEWEST:
        architectures.make_root(architectures.SUITE, architectures.SUITE_PACKAGES)


def kernel_builds(options):
    """The commands that build the kernels which check themselves, if any are wanted."""
    wanted = [] if options.kernel_dir else filter(architectures.BUILT.get, options.kernels)
    commands = [[KERNEL, 'build', label] for label in wanted]
    if commands:
        packages.need(packages.of('debug-kernel'), options.yes)
    return commands


def headers_of(kernel):
    return BUILD / 'kernel' / kernel / 'headers'


def build_folder(options, label):
    """Of a kernel that was built from its source"""
    return pathlib.Path(options.kernel_dir or BUILD / 'kernel' / label)


def source_of(build):
    """The source of a kernel that was built here: its build folder, or what the Makefile there names."""
    named = re.search(r'^include (.*)/Makefile$', (build / 'Makefile').read_text(), re.MULTILINE)
    return pathlib.Path(named[1]) if named else build


def build_for(options, label, headers, series, *variables):
    """The modules, and for guests with hardware the drivers of the NICs, which are converted, too;
    for user-mode Linux, the converted drivers of the bench."""
    hardware = options.hardware and architectures.has_nics(label)
    converted = {}
    if hardware:
        fetch(DRIVERS[series].name)
        names = [OF_NICS[kind][0] for kind in architectures.nics_of(label)]
        converted = {name: DRIVERS[series] / FOLDERS[name] for name in names}
    elif architectures.is_program(label):
        converted = {name: source_of(headers) / FOLDERS[name] for name in ON_BENCH}
    if converted:
        packages.need(packages.of('hardware'), options.yes)
    build_modules(label, headers, converted, *variables)
    if hardware:
        build_drivers(label, headers, series, *variables)


def build_all_modules(options):
    for command in kernel_builds(options):
        must(command)
    for label in options.kernels:
        if label in architectures.BUILT:
            headers = build_folder(options, label)
            series = series_of(headers)
        else:
            fetch(label)
            headers, series = headers_of(label), architectures.series_of(label)
        build_for(options, label, headers, series, *architectures.variables_of(label))


def sparse(kernel):
    """True if the modules and examples compile without a warning of sparse, of W=1 or of values
    that may be read before they are set, which the kernel does not ask for."""
    tree = BUILD / f'sparse-{kernel}'
    shell.remove(tree)
    link_sources(tree)
    status, text = make_modules(headers_of(kernel), tree, link_drivers(tree, examples()), 'C=2',
                                f'CHECK={SPARSE}', 'KCFLAGS=-Wmaybe-uninitialized')
    print(text, end='', flush=True)
    return status == 0
