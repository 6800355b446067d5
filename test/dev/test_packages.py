#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the questions of ./dev."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import packages  # noqa: E402
import shell  # noqa: E402
import testing  # noqa: E402


class Packages(unittest.TestCase):
    def setUp(self):
        self.in_ci, packages.IN_CI = packages.IN_CI, False

    def tearDown(self):
        packages.IN_CI = self.in_ci

    @staticmethod
    def never(_question):
        raise AssertionError('asked')

    def test_nothing_is_asked_with_yes_or_in_ci(self):
        self.assertTrue(packages.may_install(['a'], True, False, self.never))
        packages.IN_CI = True
        self.assertTrue(packages.may_install(['a'], False, False, self.never))

    def test_without_a_terminal_the_message_names_packages_and_way_out(self):
        with self.assertRaisesRegex(shell.Failure, 'missing: a b.*--yes'):
            packages.may_install(['a', 'b'], False, False, self.never)

    def test_the_answer_decides(self):
        for answer, expected in (('', True), ('y', True), ('YES', True),
                                 ('n', False), ('q', False)):
            self.assertEqual(
                packages.may_install(['a'], False, True, lambda _, a=answer: a), expected)

    def test_the_end_of_input_is_a_no(self):
        def end(_question):
            raise EOFError
        self.assertFalse(packages.may_install(['a'], False, True, end))

    # Those that do without ./dev.
    def test_pages_and_jobs_install_the_packages_of_the_command(self):
        for name in ('README.md', 'docs/site/getting-started.md',
                     'examples/ci/github/scenarios.yml'):
            text = (shell.ROOT / name).read_text()
            words = re.search(r'apt-get install (?:-y )?((?:.+\\\n)*.+)', text)[1].split()
            self.assertEqual([word for word in words if word != '\\'],
                             list(packages.GROUPS['userspace']), name)

    def test_what_a_package_provides_is_not_missing(self):
        """Debian 13 has libelf1t64, which provides libelf1."""
        with testing.programs({'dpkg-query': """echo 'installed libelf1t64, libelf1 (= 0.192-4)'
echo 'installed jq, '; echo 'config-files bc, '"""}):
            self.assertEqual(packages.missing(['libelf1', 'jq', 'bc', 'no']), ['bc', 'no'])

    def test_another_distribution_needs_what_the_packages_contain(self):
        contents = {'x-utils': 'no-x', 'liba-dev': 'a.hpp'}
        with testing.programs({'no-y': 'true'}, only=True), \
                mock.patch.dict(packages.CONTENTS, contents):
            packages.need(['no-y', 'libc6-dev', 'fonts-dejavu-core'])
            with self.assertRaisesRegex(
                    shell.Failure, 'not Debian.*: no-x, <a.hpp>, the module no_such of Python$'):
                packages.need(['x-utils', 'no-y', 'liba-dev', 'python3-no-such'], yes=True)

    def test_the_packages_of_this_system_are_recognised(self):
        wanted = packages.of(*packages.GROUPS)
        missing = packages.missing(wanted) if packages.is_debian() else wanted
        self.assertEqual(packages.absent([name for name in wanted if name not in missing]), [])

    def test_unknown_groups_are_rejected(self):
        with self.assertRaises(shell.Failure):
            packages.of('userspace', 'userspaces')

    def test_maintainer_scripts_have_an_output(self):
        """apt-get closes the descriptor of its status for dpkg and the scripts that it runs."""
        with testing.programs({'dpkg-query': '', 'apt-get': """exec bash -ec '
[[ "$*" =~ APT::Status-Fd=([0-9]+) ]]; status=${BASH_REMATCH[1]}
echo "$*" >>"${0%/*}/calls"
echo "pmstatus:a:50:Configuring a" >&"$status"
eval "exec $status>&-"; echo "Regenerating fonts cache... "' "$0" "$@\""""}) as folder, \
                mock.patch.object(packages, 'as_root', return_value=[]):
            packages.need(['a', 'b'], yes=True)
            calls = (folder / 'calls').read_text().splitlines()
        self.assertEqual([call.split()[2] for call in calls], ['update', 'install'])
        self.assertEqual(calls[1].split()[-2:], ['a', 'b'])

    def test_python_is_asked_for_without_waiting(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / 'dev'
            script.write_text(testing.DEV.read_text().replace('/usr/bin/python3',
                                                              '/nonexistent/python3'))
            done = subprocess.run(['sh', script, 'test'], stdin=subprocess.DEVNULL, check=False,
                                  capture_output=True, text=True,
                                  env={k: v for k, v in os.environ.items() if k != 'CI'})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, 'missing: python3.*--yes')


if __name__ == '__main__':
    unittest.main()
