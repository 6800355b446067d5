# SPDX-License-Identifier: GPL-2.0
"""Tests of conversions/convert, with a stand-in for spatch. ./dev lint converts the real drivers."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import shell
import testing

# Appends a line to a.c, and prints $RULES as spatch --debug does: NAME, or NAME+ for a match.
SPATCH = '''[ "$RULES" != broken ] || { echo "parse error"; exit 1; }
[ "$RULES" != cannot ] || echo 'EXN: Failure("already tagged token") in a.c'
echo converted >>a.c
for rule in $RULES; do
    echo "${rule%+} = "
    case $rule in *+) echo "     transformation info returned:" ;; esac
done'''


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.output = self.root / 'converted/toy'
        for name, text in (('linux/drivers/net/toy/a.c', 'old\n'),
                           ('conversions/toy/Makefile', 'obj-m := a.o\n')):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        shutil.copy(shell.ROOT / 'conversions/convert', self.root / 'conversions')

    def convert(self, rules, patch=''):
        (self.root / 'conversions/toy/toy.cocci').write_text(patch)
        shutil.rmtree(self.output.parent, ignore_errors=True)
        with testing.programs({'spatch': f'RULES="{rules}"\n{SPATCH}'}):
            return subprocess.run(
                [self.root / 'conversions/convert', 'toy', self.root / 'linux/drivers/net/toy',
                 self.output], capture_output=True, text=True, check=False)

    def test_a_rule_without_enough_matches_and_an_error_of_spatch_fail_and_leave_nothing(self):
        for rules, patch, error in (
                ('rule rule+ rule', '@rule@\n@@\n', '^$'),
                ('rule rule+ rule', '@rule@ // files: 2\n@@\n', 'match too little .*: rule$'),
                ('rule', '@rule@ // files: 0\n@@\n', '^$'),
                ('', '@rule@\n@@\n', 'rule$'),  # it prints another format
                ('first+ second third', '@first@\n@@\n@second@\n@@\n@third depends on first@\n@@\n',
                 r'toy\.cocci: .* match too little .*: second third$'),
                ('broken', '', 'parse error'), ('cannot', '', 'already tagged')):
            with self.subTest(rules=rules, patch=patch):
                done = self.convert(rules, patch)
                self.assertEqual(done.returncode, 0 if error == '^$' else 1)
                self.assertRegex(done.stderr, error)
                self.assertEqual(self.output.parent.exists(), error == '^$')

    def test_a_script_of_sed_changes_its_file_or_fails(self):
        for script, error in ('s/old/new/', '^$'), ('s/older/new/', r'a\.c\.sed changes nothing'):
            with self.subTest(script=script):
                (self.root / 'conversions/toy/a.c.sed').write_text(script)
                done = self.convert('')
                self.assertEqual(done.returncode, 0 if error == '^$' else 1)
                self.assertRegex(done.stderr, error)
                if not done.returncode:
                    self.assertEqual((self.output / 'a.c').read_text(), 'new\nconverted\n')
