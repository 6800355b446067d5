# SPDX-License-Identifier: GPL-2.0
"""./dev package: Debian packages of the project as it is, in build/package, or with the word rpm
those of Fedora, in build/package/rpm. With the words rpm check, the spec file installs and lists
the files of the last build of Debian packages."""

import calendar
import email.utils
import re
import shutil
import tarfile
import time

import packages
import shell
from shell import BUILD, ROOT, Failure, step

FOLDER = BUILD / 'package'
CONTROL = ROOT / 'packaging/debian/control'
RELEASE = re.compile(r'^## (\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d|unreleased)$', re.MULTILINE)
CHANGES = 'CHANGELOG.md of the package macstats has the changes.'


def packed_files():
    """Of the tests, only the scenarios are for users."""
    return shell.project_files(':/', ':!test') + shell.project_files('test/scenario')


def maintainer():
    return re.search(r'^Maintainer: (.*)$', CONTROL.read_text(), re.MULTILINE)[1]


def seconds_of(date):
    """The time of a release, or that at which the unreleased version last changed"""
    if date == 'unreleased':
        return max((ROOT / name).stat().st_mtime for name in ('CHANGELOG.md', 'VERSION'))
    return calendar.timegm(time.strptime(date, '%Y-%m-%d'))


def changelog(number, date):
    """debian/changelog"""
    suite = 'UNRELEASED' if date == 'unreleased' else 'unstable'
    return (f'macstats ({number}) {suite}; urgency=medium\n\n  * {CHANGES}\n\n'
            f' -- {maintainer()}  {email.utils.formatdate(seconds_of(date))}\n')


def rpm_changelog(number, date):
    """The section of a spec file"""
    day = time.strftime('%a %b %d %Y', time.gmtime(seconds_of(date)))
    return f'* {day} {maintainer()} - {number}-1\n- {CHANGES}\n'


def write_spec(folder, number, date):
    """The spec file with its version and changelog."""
    path = folder / 'SPECS/macstats.spec'
    path.parent.mkdir(parents=True)
    text = (ROOT / 'packaging/rpm/macstats.spec').read_text()
    path.write_text(text.replace('@VERSION@', number) + rpm_changelog(number, date))
    return path


def rpm_packages(number, date):
    folder = FOLDER / 'rpm'
    shell.must(['rm', '-rf', folder])
    (folder / 'SOURCES').mkdir(parents=True)
    with tarfile.open(folder / f'SOURCES/macstats-{number}.tar.gz', 'w:gz') as archive:
        for name in packed_files():
            archive.add(ROOT / name, f'macstats-{number}/{name}')
    path = write_spec(folder, number, date)
    # The packages that the build needs are installed, with Debian's names.
    step('building the packages of Fedora',
         ['rpmbuild', '--nodeps', '--define', f'_topdir {folder}', '-ba', path])
    for made in sorted(folder.glob('*RPMS/**/*.rpm')):
        print(made.relative_to(ROOT))


def rpm_check(number, date):
    """%install and %files without %build, which compiles for minutes. rpmbuild fails if a file is
    in no list, or a list has a file that is not installed."""
    source, folder = FOLDER / 'source', FOLDER / 'rpm-check'
    build = next((cache.parent for cache in source.glob('obj-*/CMakeCache.txt')), None)
    if not build:
        raise Failure('no Debian packages were built: ./dev package builds them')
    shell.must(['rm', '-rf', folder])
    path = write_spec(folder, number, date)
    tree = folder / f'BUILD/macstats-{number}'
    shutil.copytree(source, tree, ignore=shutil.ignore_patterns(build.name, 'debian'))
    (tree / 'build').symlink_to(build)
    step('installing the files of the packages of Fedora',
         ['rpmbuild', '--nodeps', '--define', f'_topdir {folder}', '--define',
          f'_libdir %{{_prefix}}/lib/{build.name.removeprefix("obj-")}', '-bi', '--short-circuit',
          path])


def debian_packages(number, date):
    tree, debian = FOLDER / 'source', FOLDER / 'source/debian'
    tree.mkdir(parents=True, exist_ok=True)
    shell.must(['rm', '-f', *FOLDER.glob(f'*_{number}_*')])
    shell.copy(packed_files(), tree)
    shutil.copytree(ROOT / 'packaging/debian', debian, dirs_exist_ok=True)
    shutil.copy2(ROOT / 'packaging/dkms.conf', debian / 'macstats-dkms.dkms')
    shutil.copy2(ROOT / 'packaging/macstats-exporter.service', debian)
    (debian / 'changelog').write_text(changelog(number, date))
    # Debhelper would skip what it has done once; ninja knows better.
    shell.must(['rm', '-rf', *debian.glob('*debhelper*')])
    # The packages lie beside the tree.
    step('building the Debian packages', ['env', '-C', tree, 'dpkg-buildpackage', '-us', '-uc',
                                          '-b', '-nc', f'-j{shell.processors()}'])
    step('lintian', ['lintian', '--allow-root', '--fail-on', 'error,warning,info',
                     *FOLDER.glob(f'macstats_{number}_*.changes')])
    for made in sorted(FOLDER.glob(f'*_{number}_*.deb')):
        print(made.relative_to(ROOT))


BUILDS = {'': debian_packages, 'rpm': rpm_packages, 'rpm check': rpm_check}


def package(options):
    words = options.words
    build = BUILDS.get(' '.join(words))
    if not build:
        raise Failure('package: no arguments but rpm, or rpm check')
    packages.need(packages.of('userspace', *(['rpm'] if words else ['package'])), options.yes)
    number = (ROOT / 'VERSION').read_text().strip()
    newest, date = RELEASE.search((ROOT / 'CHANGELOG.md').read_text()).groups()
    if newest != number:
        raise Failure(f'VERSION is {number}, which is not the first one of CHANGELOG.md')
    build(number, date)
