# SPDX-License-Identifier: GPL-2.0
"""Builds: the userspace part with CMake, the kernel modules with Kbuild."""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

import architectures
import bench_drivers
import packages
import shell
from shell import BUILD, IN_CI, ROOT, Failure, must, output_of, run, say, step

# The preset ci makes each warning an error.
PRESET = 'ci' if IN_CI else 'default'
# Its subcommand export runs the second one.
COMMAND_TARGETS = 'macstats-cli', 'macstats-exporter'
# {series of kernels: of which drivers of NICs are tested with it}
DRIVERS = {'newest': BUILD / 'kernel/newest-source',
           **{series: BUILD / f'kernel/drivers-{series}' for series in ('6.1', '6.12')}}
# Emulated registers of drivers of the kernel's tree
BENCH = ROOT / 'test/driver_bench'
# Drivers of the bench that conversions/ converts
ON_BENCH = '8139cp', 'e1000e', 'igb', 'igc', 'lan743x', 'macb', 'stmmac'
# {driver that is converted: its folder in the kernel's tree}
FOLDERS = {name: f'drivers/net/ethernet/{folder}' for name, folder in (
    ('e1000', 'intel/e1000'), *((name, bench_drivers.DRIVERS[name].folder) for name in ON_BENCH))}
# {NIC of QEMU: its driver, and the variable of Kbuild that builds it}
OF_NICS = {'e1000': ('e1000', 'CONFIG_E1000=m'), 'e1000e': ('e1000e', 'CONFIG_E1000E=m'),
           'rtl8139': ('8139cp', 'CONFIG_8139CP=m'), 'cadence_gem': ('macb', 'CONFIG_MACB=m')}
CONVERSIONS = ROOT / 'conversions'
KERNEL = ROOT / 'test/vm/kernel'
# Headers of newer kernels use both words, which sparse does not know yet.
SPARSE = "sparse -D__typeof_unqual__=__typeof__ '-D__builtin_strlen(x)=(sizeof(x)-1)'"


def is_newer(made, *sources):
    """Is a file newer than these files, and than those of these folders?"""
    files = [path for source in sources for path in (source, *source.rglob('*')) if path.is_file()]
    return made.exists() and \
        made.stat().st_mtime >= max(path.stat().st_mtime for path in files)


def build_userspace(targets, preset=PRESET, title='building the userspace part'):
    """For another architecture, @preset is its name, and there must be a root: see make_root()."""
    if not is_newer(BUILD / preset / 'build.ninja', ROOT / 'CMakePresets.json'):
        step('configuring', ['cmake', '--preset', preset])
    say(title)
    quiet = [] if sys.stdout.isatty() else ['--quiet']
    if run(['ninja', '-C', BUILD / preset, *quiet, *targets], stdin=subprocess.DEVNULL):
        raise Failure(f'failed: {title}')


def link_sources(tree):
    """Kbuild leaves its objects beside the sources: each kernel gets a tree of links."""
    tree.mkdir(parents=True, exist_ok=True)
    must(['cp', '-rsn', *(ROOT / name for name in ('Kbuild', 'VERSION', 'kmod', 'shared')), tree])
    must(['find', tree, '-xtype', 'l', '-delete'])


def link_drivers(tree, folders):
    """Adds drivers to a tree of links. Returns the variable for Kbuild that names them."""
    must(['cp', '-rsn', *folders, tree / 'kmod'])
    return f'MACSTATS_EXTRA_DRIVERS={" ".join(f"{folder.name}/" for folder in folders)}'


def examples():
    """The folders of the example drivers."""
    return sorted(path.parent for path in ROOT.glob('examples/*/Kbuild'))


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
    """(exit code, warnings and errors): 0 only without any. Debug info, which no test reads, takes a
    fifth of the time."""
    status, text = kbuild(headers, tree, 'W=1', 'KCFLAGS=-g0', *variables)
    text = warnings_in(text, tree)
    if status == 0 and not text.strip():
        return 0, ''
    # A file with a warning must be compiled again next time.
    for made in tree.rglob('*.o'):
        made.unlink()
    return 1, text


def convert(name, source, tree):
    """Converts a driver to the provider, unless that is done already."""
    made = tree.with_suffix('.converted')
    if not is_newer(made, source, CONVERSIONS / name, CONVERSIONS / 'convert'):
        must(['rm', '-rf', tree])
        must([CONVERSIONS / 'convert', name, source, tree])
        made.touch()


def build_modules(label, headers, more, converted, *variables):
    """As they are, and for the provider once more the emulator with more models, the examples and
    the drivers of the tests.
    @more: folders of drivers; @converted: {name: folder} of drivers to convert."""
    tree, extra = BUILD / f'kmod-{label}', BUILD / f'kmod-{label}-extra'
    link_sources(tree)
    step(f'building the modules for {label}',
         lambda: make_modules(headers, tree, *variables))
    link_sources(extra)
    # A machine without NICs may have a kernel without what their drivers use.
    drivers = link_drivers(extra, [ROOT / 'test/models', ROOT / 'test/driver', *more, *(
        examples() if architectures.KERNELS[label].nics else [])])
    with concurrent.futures.ThreadPoolExecutor(shell.processors()) as pool:
        list(pool.map(lambda name: convert(name, converted[name], extra / 'kmod' / name),
                      converted))
    drivers += ''.join(f' {name}/' for name in converted)
    # Kbuild does not notice that what KBUILD_EXTRA_SYMBOLS names has changed.
    if not is_newer(extra / 'Module.symvers', tree / 'Module.symvers'):
        (extra / 'Module.symvers').unlink(missing_ok=True)
    step(f'building the emulator with more models, and drivers, for {label}',
         lambda: make_modules(headers, extra, *variables, 'MACSTATS_PARTS=',
                              f'KBUILD_EXTRA_SYMBOLS={tree}/Module.symvers',
                              f'MACSTATS_EXTRA_MODELS={ROOT}/test/models/saturating.h', drivers))


def fetch(what):
    """Downloads what is not there: see test/vm/kernel. For a kernel of a newer Debian, what builds
    modules for it, too."""
    must([KERNEL, 'fetch', what])
    if what in architectures.NEWEST:
        architectures.make_root(architectures.SUITE, architectures.SUITE_PACKAGES)


def has_bench(options, label):
    """Does a guest with this kernel have the bench of test/driver_bench, and its drivers?"""
    return options.bench and architectures.is_program(label)


def kernel_builds(options):
    """The commands that build the kernels which check themselves, if any are wanted."""
    wanted = [] if options.kernel_dir else filter(architectures.BUILT.get, options.kernels)
    commands = [[KERNEL, 'build', label, *(['drivers'] if has_bench(options, label) else [])]
                for label in wanted]
    if commands:
        packages.need(packages.of('debug-kernel'), options.yes)
    return commands


def headers_of(kernel):
    return BUILD / 'kernel' / kernel / 'headers'


def build_folder(options, label):
    """Of a kernel that was built from its source"""
    return pathlib.Path(options.kernel_dir or BUILD / 'kernel' / label)


def source_of(build):
    """The source of a kernel that was built here: its build folder, or what its Makefile names."""
    named = re.search(r'^include (.*)/Makefile$', (build / 'Makefile').read_text(), re.MULTILINE)
    return pathlib.Path(named[1]) if named else build


def build_for(options, label):
    """The modules, and for guests with hardware the drivers of the NICs, as the kernel has them and
    converted; for user-mode Linux, the converted drivers of the bench."""
    kernel = architectures.KERNELS[label]
    if label in architectures.BUILT:
        headers = build_folder(options, label)
        release = headers / 'include/config/kernel.release'
        # Of Debian's kernels whose drivers fit this one
        series = '6.1' if release.exists() and release.read_text().startswith('6.1.') else '6.12'
    else:
        fetch(label)
        headers, series = headers_of(label), kernel.series
    names, source = [], DRIVERS[series]
    nics = [OF_NICS[kind] for kind in kernel.nics if options.hardware]
    if nics:
        fetch(source.name)
        names = [name for name, _ in nics]
    elif has_bench(options, label):
        if not re.search('^drivers/net/ethernet/', (headers / 'modules.order').read_text(),
                         re.MULTILINE):
            raise Failure(f'{headers} was built without drivers: see test/vm/kernel')
        names, source = ON_BENCH, source_of(headers)
    if names:
        packages.need(packages.of('hardware'), options.yes)
    build_modules(label, headers, [BENCH] if has_bench(options, label) else [],
                  {name: source / FOLDERS[name] for name in names}, *kernel.variables)
    for name, config in nics:
        tree = BUILD / f'drivers-{label}/{name}_unconverted'
        tree.mkdir(parents=True, exist_ok=True)
        must(['cp', '-ru', '--no-preserve=mode', f'{source / FOLDERS[name]}/.', tree])
        step(f'building the driver {name} for {label}',
             lambda tree=tree, config=config: kbuild(headers, tree, config, *kernel.variables))


def build_all_modules(options):
    for command in kernel_builds(options):
        must(command)
    for label in options.kernels:
        build_for(options, label)


def builds(kernel, tree, *variables):
    """Do the modules of a tree build for Debian's kernel without a warning?"""
    fetch(kernel)
    status, text = make_modules(headers_of(kernel), tree, *variables)
    print(text, end='', flush=True)
    return status == 0
