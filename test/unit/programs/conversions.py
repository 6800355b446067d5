# SPDX-License-Identifier: GPL-2.0
"""Tests of conversions/convert and conversions/series, with a stand-in for spatch and a source of a
few lines. ./dev lint converts the real drivers, and builds the real patches."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TEST = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TEST / 'dev'))
import shell  # noqa: E402
import testing  # noqa: E402

# Changes the source, and prints $RULES as spatch --debug does: NAME, or NAME+ for a match.
SPATCH = '''[ "$RULES" != broken ] || { echo "parse error"; exit 1; }
[ "$RULES" != cannot ] || echo 'EXN: Failure("already tagged token") in a.c'
sed -i s/old/converted/ a.c
for rule in $RULES; do
    echo "${rule%+} = "
    case $rule in *+) echo "     transformation info returned:" ;; esac
done'''
AUTHOR = 'Jane Doe <jane@example.org>'
DIFF = '''--- a/Makefile
+++ b/Makefile
@@ -1 +1,2 @@
 obj-y := driver/
+obj-y += core.o
'''


class Sources(unittest.TestCase):
    """A folder with the programs and the source."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.source, self.output = self.root / 'linux', self.root / 'made/output'
        for name in 'convert', 'series':
            self.put(f'conversions/{name}', (shell.ROOT / 'conversions' / name).read_text())
            (self.root / 'conversions' / name).chmod(0o755)
        self.put('linux/driver/a.c', 'int old;\n')

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_program(self, name, *words, rules=''):
        """In an empty folder"""
        shutil.rmtree(self.output.parent, ignore_errors=True)
        with testing.programs({'spatch': f'RULES="{rules}"\n{SPATCH}'}):
            return subprocess.run([self.root / 'conversions' / name, *words],
                                  capture_output=True, text=True, check=False)


class Convert(Sources):
    def convert(self, rules, patch, error):
        self.put('conversions/toy/Makefile', 'obj-m := a.o\n')
        self.put('conversions/toy/toy.cocci', patch)
        done = self.run_program('convert', 'toy', self.source / 'driver', self.output, rules=rules)
        self.assertEqual(done.returncode, 0 if error == '^$' else 1)
        self.assertRegex(done.stderr, error)
        self.assertEqual(self.output.parent.exists(), error == '^$')

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
                self.convert(rules, patch, error)

    def test_a_script_of_sed_changes_its_file_or_fails(self):
        for script, error in ('s/int/long/', '^$'), ('s/short/long/', r'a\.c\.sed changes nothing'):
            self.put('conversions/toy/a.c.sed', script)
            self.convert('', '', error)
            if error == '^$':
                self.assertEqual((self.output / 'a.c').read_text(), 'long converted;\n')


class Series(Sources):
    def setUp(self):
        super().setUp()
        self.put('shared/macstats/account.h',
                 (shell.ROOT / 'shared/macstats/account.h').read_text())
        for name, text in (('cover', 'A subject\n\nA reason.\n'),
                           ('1-core/message', 'Add a core\n'), ('1-core/tree.diff', DIFF),
                           ('1-core/lib/core.c', 'int x;\n\n/* account.h */\n'),
                           ('2-driver/message', 'Convert a driver\n'),
                           ('2-driver/driver/driver.cocci', '@rule@\n@@\n')):
            self.put(f'conversions/series.d/{name}', text)
        self.put('linux/Makefile', 'obj-y := driver/\n')

    def write(self, *options, rules='rule+'):
        return self.run_program('series', *options, self.source, self.output, rules=rules)

    def rejects(self, reason, **more):
        done = self.write('--author', AUTHOR, **more)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, re.compile(reason, re.DOTALL))
        self.assertNotIn('Traceback', done.stderr)
        self.assertFalse(self.output.parent.exists())

    def test_each_folder_is_a_patch_in_its_order_and_applies(self):
        done = self.write('--author', AUTHOR)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(sorted(path.name for path in self.output.iterdir()), [
            '0000-cover-letter.patch', '0001-Add-a-core.patch', '0002-Convert-a-driver.patch',
            'tree'])
        cover, core, driver = (path.read_text() for path in sorted(self.output.glob('*.patch')))
        self.assertIn(' 0/2] A subject\n\nA reason.\n', cover)
        self.assertIn('+obj-y += core.o', core)
        self.assertIn('+static u64 eth_hw_stats_events_between(', core)
        self.assertIn(f'Signed-off-by: {AUTHOR}', core)
        self.assertIn('-int old;\n+int converted;', driver)
        subprocess.run(['git', 'init', '--quiet', self.source], check=True)
        for patch in sorted(self.output.glob('000[12]*.patch')):
            subprocess.run(['git', 'apply', patch], cwd=self.source, check=True)

    def test_what_does_not_fit_is_rejected_with_the_number_of_the_patch(self):
        self.rejects('patch 2 of 2, 2-driver, does not apply to .*/linux:.*'
                     'rules of driver.cocci match too little: rule$', rules='rule')
        account = self.root / 'shared/macstats/account.h'
        account.write_text(account.read_text().replace('MACSTATS_ROLLOVER_64', 'ROLLOVER'))
        self.rejects('patch 1 of 2, 1-core, .*account.h has nothing like .*ROLLOVER_64')
        self.put('linux/Makefile', 'obj-y := drivers/\n')
        self.rejects('patch 1 of 2, 1-core, .*Makefile')
        (self.source / 'Makefile').unlink()
        self.rejects('patch 1 of 2, 1-core, .*/linux has no Makefile$')

    def test_an_output_that_exists_and_an_author_without_an_address_are_rejected(self):
        done = self.run_program('series', '--author', AUTHOR, self.source, self.root)
        self.assertEqual(done.returncode, 1)
        self.assertIn('exists', done.stderr)
        for options in [], ['--author', 'Jane Doe'], ['--author', '<jane@example.org>'], \
                ['--author', 'Jane Doe <jane>']:
            done = self.write(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn('--author', done.stderr)
            self.assertNotIn('Traceback', done.stderr)
