# SPDX-License-Identifier: GPL-2.0
"""./dev package: Debian packages of the project as it is, in build/package, or with the word rpm
those of Fedora, in build/package/rpm. With the words rpm check, the spec file installs and lists
the files of the last build of Debian packages."""

import calendar
import email.utils
import re
import shutil
import tarfile
import textwrap
import time

import packages
import shell
from shell import BUILD, ROOT, Failure, step

FOLDER = BUILD / 'package'
CONTROL = ROOT / 'packaging/debian/control'
MAINTAINER = re.compile(r'^Maintainer: (.*)$', re.MULTILINE)
LIBRARIES = re.compile(r'^CMAKE_INSTALL_LIBDIR:\w+=(.*)$', re.MULTILINE)
RELEASE = re.compile(r'^## (\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d|unreleased)$', re.MULTILINE)


def version():
    return (ROOT / 'VERSION').read_text().strip()


def package_maintainer():
    """Name and address: the changelogs and the packages of Fedora have those of CONTROL."""
    return MAINTAINER.search(CONTROL.read_text())[1]


def releases(text):
    """[(version, date, entries)] of CHANGELOG.md, the newest first. An entry is a paragraph; the
    date is in seconds, or None if it is not released."""
    parts = RELEASE.split(text)[1:]
    found = []
    for number, date, body in zip(parts[::3], parts[1::3], parts[2::3]):
        entries = [' '.join(entry.split()).removeprefix('* ')
                   for entry in re.split(r'\n\n|\n(?=\* )', body) if entry.strip()]
        seconds = None if date == 'unreleased' else \
            calendar.timegm(time.strptime(date, '%Y-%m-%d'))
        found.append((number, seconds,
                      entries))
    return found


def changelog(text, maintainer, today):
    """CHANGELOG.md in the form of debian/changelog. @today: seconds, of what is not released."""
    stanzas = []
    for number, date, entries in releases(text):
        seconds = today if date is None else date
        lines = ''.join(textwrap.fill(entry, 78, initial_indent='  * ',
                                      subsequent_indent='    ') + '\n' for entry in entries)
        stanzas.append(f'macstats ({number}) {"unstable" if date else "UNRELEASED"}; '
                       f'urgency=medium\n\n{lines}\n'
                       f' -- {maintainer}  {email.utils.formatdate(seconds)}\n')
    return '\n'.join(stanzas)


def packed_files():
    """Of the tests, only the scenarios are for users."""
    return shell.project_files(':/', ':!test') + shell.project_files('test/scenario')


def copy_project(tree):
    """Files keep their times, so that a second build compiles only what has changed."""
    for name in packed_files():
        source, copy = ROOT / name, tree / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not copy.exists() or copy.stat().st_mtime != source.stat().st_mtime:
            shutil.copy2(source, copy)


def newest_change():
    """When the version last changed."""
    return max(path.stat().st_mtime for path in (ROOT / 'CHANGELOG.md', ROOT / 'VERSION'))


def write_debian(tree, log_text):
    debian = tree / 'debian'
    shutil.copytree(ROOT / 'packaging/debian', debian, dirs_exist_ok=True)
    shutil.copy2(ROOT / 'packaging/dkms.conf', debian / 'macstats-dkms.dkms')
    shutil.copy2(ROOT / 'packaging/macstats-exporter.service', debian)
    (debian / 'changelog').write_text(changelog(log_text, package_maintainer(), newest_change()))


def build_packages(tree):
    """The packages lie beside the tree."""
    # Debhelper would skip what it has done once; ninja knows better.
    for stamp in (tree / 'debian').glob('*debhelper*'):
        stamp.unlink() if stamp.is_file() else shutil.rmtree(stamp)
    step('building the Debian packages', ['env', '-C', tree, 'dpkg-buildpackage', '-us', '-uc',
                                          '-b', '-nc', f'-j{shell.processors()}'])


def lintian(folder, number):
    changes = sorted(folder.glob(f'macstats_{number}_*.changes'))
    if not changes:
        raise Failure('no packages were built')
    step('lintian', ['lintian', '--allow-root', '--fail-on', 'error,warning,info', *changes])


def rpm_changelog(text, maintainer, today):
    """CHANGELOG.md in the form of a spec file's section. @today: as above."""
    stanzas = []
    for number, date, entries in releases(text):
        day = time.strftime('%a %b %d %Y', time.gmtime(today if date is None else date))
        lines = ''.join(textwrap.fill(entry.replace('%', '%%'), 78, initial_indent='- ',
                                      subsequent_indent='  ') + '\n' for entry in entries)
        stanzas.append(f'* {day} {maintainer} - {number}-1\n{lines}')
    return '\n'.join(stanzas)


def spec(number, log_text, newest):
    """The text of the spec file with its version and changelog."""
    text = (ROOT / 'packaging/rpm/macstats.spec').read_text()
    return text.replace('@VERSION@', number) + rpm_changelog(log_text, package_maintainer(), newest)


def write_spec(folder, number, log_text):
    path = folder / 'SPECS/macstats.spec'
    path.parent.mkdir(parents=True)
    path.write_text(spec(number, log_text, newest_change()))
    return path


def rpm_packages(number, log_text):
    folder = FOLDER / 'rpm'
    shell.remove(folder)
    (folder / 'SOURCES').mkdir(parents=True)
    with tarfile.open(folder / f'SOURCES/macstats-{number}.tar.gz', 'w:gz') as archive:
        for name in packed_files():
            archive.add(ROOT / name, f'macstats-{number}/{name}')
    path = write_spec(folder, number, log_text)
    # The packages that the build needs are installed, with Debian's names.
    step('building the packages of Fedora',
         ['rpmbuild', '--nodeps', '--define', f'_topdir {folder}', '-ba', path])
    for made in sorted(folder.glob('*RPMS/**/*.rpm')):
        print(made.relative_to(ROOT))


def built_by_debian(source):
    """The build folder of the Debian packages, and where it installs libraries, below /usr."""
    for cache in source.glob('obj-*/CMakeCache.txt'):
        if found := LIBRARIES.search(cache.read_text()):
            return cache.parent, found[1]
    raise Failure('no Debian packages were built: ./dev package builds them')


def rpm_check(number, log_text):
    """%install and %files without %build, which compiles for minutes. rpmbuild fails if a file is
    in no list, or a list has a file that is not installed."""
    source, folder = FOLDER / 'source', FOLDER / 'rpm-check'
    build, libraries = built_by_debian(source)
    shell.remove(folder)
    path = write_spec(folder, number, log_text)
    tree = folder / f'BUILD/macstats-{number}'
    tree.mkdir(parents=True)
    for name in ('CHANGELOG.md', 'Kbuild', 'LICENSE', 'LICENSES', 'README.md', 'VERSION', 'kmod',
                 'packaging', 'shared'):
        (shutil.copytree if (source / name).is_dir() else shutil.copy2)(source / name, tree / name)
    (tree / 'build').symlink_to(build)
    step('installing the files of the packages of Fedora',
         ['rpmbuild', '--nodeps', '--define', f'_topdir {folder}', '--define',
          f'_libdir %{{_prefix}}/{libraries}', '-bi', '--short-circuit', path])


def debian_packages(number, log_text):
    tree = FOLDER / 'source'
    tree.mkdir(parents=True, exist_ok=True)
    for made in FOLDER.glob(f'*_{number}_*'):
        made.unlink()
    copy_project(tree)
    write_debian(tree, log_text)
    build_packages(tree)
    lintian(FOLDER, number)
    for made in sorted(FOLDER.glob(f'*_{number}_*.deb')):
        print(made.relative_to(ROOT))


BUILDS = {'': debian_packages, 'rpm': rpm_packages, 'rpm check': rpm_check}


def package(options, words):
    build = BUILDS.get(' '.join(words))
    if not build:
        raise Failure('package takes no arguments but rpm, or rpm check')
    packages.need(packages.of('userspace', *(['rpm'] if words else ['package'])), options.yes)
    number, log_text = version(), (ROOT / 'CHANGELOG.md').read_text()
    if releases(log_text)[0][0] != number:
        raise Failure(f'VERSION is {number}, which is not the first one of CHANGELOG.md')
    build(number, log_text)
