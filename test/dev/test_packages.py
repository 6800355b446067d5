# SPDX-License-Identifier: GPL-2.0
"""Tests of the packages that ./dev installs, and of those that it makes."""

import os
import pathlib
import re
import subprocess
import unittest
from unittest import mock

import package
import packages
import shell
import testing


class Installed(unittest.TestCase):
    def test_nothing_is_installed_without_a_yes_and_nobody_is_waited_for(self):
        with testing.programs({'dpkg-query': '', 'apt-get': ''}), \
                mock.patch.dict(os.environ, CI=''):
            done = testing.dev('packages', 'fuzz')
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertRegex(done.stderr, 'are missing: clang .*--yes')

    def test_python_is_asked_for_without_waiting(self):
        script = testing.DEV.read_text().replace('/usr/bin/python3', '/nonexistent/python3')
        done = subprocess.run(['sh', '-c', script, testing.DEV, 'test'], stdin=subprocess.DEVNULL,
                              check=False, capture_output=True, text=True,
                              env={'PATH': '/usr/sbin:/usr/bin:/sbin:/bin'})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, 'missing: python3.*--yes')

    def test_what_a_package_provides_is_not_missing(self):
        """Debian 13 has libelf1t64, which provides libelf1."""
        with testing.programs({'dpkg-query': """echo 'installed libelf1t64, libelf1 (= 0.192-4)'
echo 'installed jq, '; echo 'config-files bc, '"""}):
            self.assertEqual(packages.missing(['libelf1', 'jq', 'bc', 'no']), ['bc', 'no'])

    # Those that do without ./dev.
    def test_pages_and_jobs_install_the_packages_of_the_command(self):
        for name in ('README.md', 'docs/site/getting-started.md',
                     'examples/ci/github/scenarios.yml'):
            text = (shell.ROOT / name).read_text()
            words = re.search(r'apt-get install (?:-y )?((?:.+\\\n)*.+)', text)[1].split()
            self.assertEqual([word for word in words if word != '\\'],
                             list(packages.GROUPS['userspace']), name)


class Made(unittest.TestCase):
    def test_a_release_has_its_date_in_both_changelogs_and_other_versions_are_unreleased(self):
        text, rpm = (made('1.2.0', '2026-03-01') for made in (package.changelog,
                                                              package.rpm_changelog))
        self.assertRegex(text, r'(?s)^macstats \(1\.2\.0\) unstable; .* 01 Mar 2026 00:00:00 ')
        self.assertRegex(rpm, r'^\* Sun Mar 01 2026 .* - 1\.2\.0-1\n- .')
        self.assertIn(' UNRELEASED; ', package.changelog('1.3.0', 'unreleased'))

    def test_name_and_address_are_in_one_file(self):
        address = re.search('<(.+@.+)>', package.maintainer())[1]
        files = [*(shell.ROOT / 'packaging').rglob('*'), shell.ROOT / 'CMakeLists.txt']
        self.assertEqual([path for path in filter(pathlib.Path.is_file, files)
                          if address in path.read_text()], [package.CONTROL])
