#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of conversions/convert, with a stand-in for spatch."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import shell  # noqa: E402

# Appends a line to a.c, and prints $RULES as spatch --debug does: NAME, or NAME+ for a match.
SPATCH = '''#!/bin/sh
[ -z "$BROKEN" ] || { echo "parse error"; exit 1; }
echo converted >>a.c
for rule in $RULES; do
    echo "${rule%+} = "
    case $rule in *+) echo "     transformation info returned:" ;; esac
done
'''


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name).resolve()
        self.source, self.output = root / 'linux/drivers/net/toy', root / 'output'
        conversion = root / 'conversions/toy'
        for path in (self.source, conversion, root / 'bin'):
            path.mkdir(parents=True)
        shutil.copy(shell.ROOT / 'conversions/convert', root / 'conversions')
        (root / 'bin/spatch').write_text(SPATCH)
        (root / 'bin/spatch').chmod(0o755)
        (self.source / 'a.c').write_text('old\n')
        (self.source / 'same.c').write_text('same\n')
        (self.source / 'Makefile').write_text('obj-y := a.o\n')
        self.patch = conversion / 'toy.cocci'
        self.patch.write_text('')
        (conversion / 'new.c').write_text('one\ntwo\n')
        (conversion / 'Makefile').write_text('obj-m := new.o\n')
        self.root = root

    def convert(self, *words, **environment):
        path = f'{self.root}/bin:{os.environ["PATH"]}'
        return subprocess.run(
            [self.root / 'conversions/convert', *words, 'toy', self.source, self.output],
            env=os.environ | {'PATH': path, 'RULES': ''} | environment, capture_output=True,
            text=True, check=False)

    def test_files_are_copied_changed_and_added(self):
        done = self.convert(RULES='first+ second+')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '', ''))
        self.assertEqual({path.name: path.read_text() for path in self.output.iterdir()}, {
            'a.c': 'old\nconverted\n', 'same.c': 'same\n', 'new.c': 'one\ntwo\n',
            'Makefile': 'obj-y := a.o\nobj-m := new.o\n'})
        self.assertEqual((self.source / 'a.c').read_text(), 'old\n')

    def test_rules_without_a_match_are_named(self):
        self.patch.write_text('@first@\n@@\n@second@\n@@\n@third depends on first@\n@@\n')
        done = self.convert(RULES='first+ second third')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'toy\.cocci: .* match too little .*: second third$')

    def test_rules_are_those_of_the_patch(self):
        """Even if spatch prints another format."""
        self.patch.write_text('@rule@\n@@\n')
        self.assertEqual(self.convert(RULES='').returncode, 1)

    def test_a_match_in_one_file_is_enough(self):
        self.patch.write_text('@rule@\n@@\n')
        self.assertEqual(self.convert(RULES='rule rule+ rule').returncode, 0)

    def test_a_rule_may_need_more_files(self):
        self.patch.write_text('@rule@ // files: 2\n@@\n')
        self.assertEqual(self.convert(RULES='rule rule+ rule').returncode, 1)
        shutil.rmtree(self.output)
        self.assertEqual(self.convert(RULES='rule+ rule+').returncode, 0)

    def test_an_error_of_spatch_is_shown(self):
        done = self.convert(BROKEN='yes')
        self.assertEqual(done.returncode, 1)
        self.assertIn('parse error', done.stderr)

    def test_the_diff_is_a_patch_of_the_kernels_tree(self):
        lines = self.convert('--diff').stdout.splitlines()
        self.assertEqual([line for line in lines if line.startswith(('---', '+++'))], [
            '--- a/drivers/net/toy/Makefile', '+++ b/drivers/net/toy/Makefile',
            '--- a/drivers/net/toy/a.c', '+++ b/drivers/net/toy/a.c',
            '--- /dev/null', '+++ b/drivers/net/toy/new.c'])

    def test_lines_are_counted_before_and_after(self):
        self.assertEqual([line.split() for line in self.convert('--lines').stdout.splitlines()], [
            ['Makefile', '1', '2', '+1'], ['a.c', '1', '2', '+1'], ['new.c', '0', '2', '+2'],
            ['all', '2', '6', '+4']])

    def test_a_folder_that_exists_is_left_alone(self):
        self.output.mkdir()
        done = self.convert()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, 'output exists: remove it')
        self.assertEqual(list(self.output.iterdir()), [])


if __name__ == '__main__':
    unittest.main()
