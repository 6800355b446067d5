# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev package: the changelog of Debian, from that of the project."""

import pathlib
import re
import tempfile
import unittest

import package
from shell import ROOT, Failure

TEXT = '''# Changelog

Text before the first version.

## 1.3.0 - unreleased

* An entry that is so long that it has two lines in
  the source.
* Another one.

## 1.2.0 - 2026-03-01

The first version.
'''


class Changelog(unittest.TestCase):
    def test_versions_entries_and_dates_are_those_of_the_page(self):
        self.assertEqual(package.changelog(TEXT, 'A <a@example.org>', 0), '\n'.join((
            'macstats (1.3.0) UNRELEASED; urgency=medium', '',
            '  * An entry that is so long that it has two lines in the source.',
            '  * Another one.', '',
            ' -- A <a@example.org>  Thu, 01 Jan 1970 00:00:00 -0000', '',
            'macstats (1.2.0) unstable; urgency=medium', '',
            '  * The first version.', '',
            ' -- A <a@example.org>  Sun, 01 Mar 2026 00:00:00 -0000', '')))

    def test_long_entries_are_wrapped(self):
        text = package.changelog(f'## 1.0.0 - unreleased\n\n* {"word " * 60}\n', 'A', 0)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_that_of_fedora_has_them_as_well(self):
        text = TEXT.replace('Another one.', 'Another 5 %.')
        self.assertEqual(package.rpm_changelog(text, 'A <a@example.org>', 0), '\n'.join((
            '* Thu Jan 01 1970 A <a@example.org> - 1.3.0-1',
            '- An entry that is so long that it has two lines in the source.',
            '- Another 5 %%.', '',
            '* Sun Mar 01 2026 A <a@example.org> - 1.2.0-1',
            '- The first version.', '')))

    def test_the_newest_version_of_the_changelog_is_that_of_the_project(self):
        self.assertEqual(package.releases((ROOT / 'CHANGELOG.md').read_text())[0][0],
                         package.version())


class Maintainer(unittest.TestCase):
    def test_name_and_address_are_in_one_file(self):
        maintainer = package.package_maintainer()
        address = re.fullmatch('.+ <(.+@.+)>', maintainer)[1]
        for part in (address, address.partition('@')[2]):
            found = [path for path in (*(ROOT / 'packaging').rglob('*'), ROOT / 'CMakeLists.txt')
                     if path.is_file() and part in path.read_text()]
            self.assertEqual(found, [package.CONTROL])
        for text in (package.changelog(TEXT, maintainer, 0), package.spec('1.3.0', TEXT, 0)):
            self.assertIn(f' {maintainer} ', text)


class CheckOfTheSpecFile(unittest.TestCase):
    def test_it_finds_the_build_of_the_debian_packages(self):
        with tempfile.TemporaryDirectory() as name:
            source = pathlib.Path(name)
            build = source / 'obj-x86_64-linux-gnu'
            for text in (None, '', 'CMAKE_INSTALL_LIBDIR:PATH=lib/here\n'):
                with self.subTest(text):
                    if text is not None:
                        build.mkdir(exist_ok=True)
                        (build / 'CMakeCache.txt').write_text(text)
                    if text:
                        self.assertEqual(package.built_by_debian(source), (build, 'lib/here'))
                        continue
                    with self.assertRaisesRegex(Failure, './dev package builds them'):
                        package.built_by_debian(source)
