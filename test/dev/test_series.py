# SPDX-License-Identifier: GPL-2.0
"""Tests of conversions/series, with a stand-in for spatch and a source of a few lines. ./dev lint
series writes the real patches."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import shell
import testing

# Renames the driver's function, or reports that a rule has not matched.
SPATCH = '''[ -z "$MISSING" ] || { echo "rule = "; exit 0; }
sed -i s/old/new/ driver.c
echo "rule = "
echo "     transformation info returned:"'''
AUTHOR = 'Jane Doe <jane@example.org>'
DIFF = '''--- a/Makefile
+++ b/Makefile
@@ -1 +1,2 @@
 obj-y := driver/
+obj-y += core.o
'''


class Series(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.source, self.output = self.root / 'linux', self.root / 'made/series'
        for name in 'series', 'convert':
            self.put(f'conversions/{name}', (shell.ROOT / 'conversions' / name).read_text())
            (self.root / 'conversions' / name).chmod(0o755)
        self.put('shared/macstats/account.h',
                 (shell.ROOT / 'shared/macstats/account.h').read_text())
        self.put('conversions/series.d/cover', 'A subject\n\nA reason.\n')
        self.put('conversions/series.d/1-core/message', 'Add a core\n')
        self.put('conversions/series.d/1-core/tree.diff', DIFF)
        self.put('conversions/series.d/1-core/lib/core.c', 'int x;\n\n/* account.h */\n')
        self.put('conversions/series.d/2-driver/message', 'Convert a driver\n')
        self.put('conversions/series.d/2-driver/driver/driver.cocci', '@rule@\n@@\n')
        self.put('linux/Makefile', 'obj-y := driver/\n')
        self.put('linux/driver/driver.c', 'int old;\n')
        self.put('linux/other.c', 'int other;\n')

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_series(self, *options):
        return subprocess.run([self.root / 'conversions/series', *options, self.source, self.output],
                              capture_output=True, text=True, check=False)

    def write(self, missing=''):
        shutil.rmtree(self.output.parent, ignore_errors=True)
        with testing.programs({'spatch': f'MISSING="{missing}"\n{SPATCH}'}):
            return self.run_series('--author', AUTHOR)

    def rejects(self, reason, missing=''):
        done = self.write(missing)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, re.compile(reason, re.DOTALL))
        self.assertNotIn('Traceback', done.stderr)
        self.assertFalse(self.output.parent.exists())

    def test_each_folder_is_a_patch_in_its_order(self):
        done = self.write()
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(sorted(path.name for path in self.output.iterdir()), [
            '0000-cover-letter.patch', '0001-Add-a-core.patch', '0002-Convert-a-driver.patch',
            'tree'])
        cover, core, driver = (path.read_text() for path in sorted(self.output.glob('*.patch')))
        self.assertIn(' 0/2] A subject\n\nA reason.\n', cover)
        self.assertIn('+obj-y += core.o', core)
        self.assertIn('+static u64 eth_hw_stats_events_between(', core)
        self.assertIn(f'Signed-off-by: {AUTHOR}', core)
        self.assertIn('-int old;\n+int new;', driver)

    def test_the_patches_apply_to_the_source(self):
        self.write()
        subprocess.run(['git', 'init', '--quiet', self.source], check=True)
        for patch in sorted(self.output.glob('000[12]*.patch')):
            subprocess.run(['git', 'apply', patch], cwd=self.source, check=True)
        self.assertEqual((self.source / 'driver/driver.c').read_text(), 'int new;\n')
        self.assertTrue((self.source / 'lib/core.c').exists())

    def test_a_source_that_a_patch_does_not_fit_is_rejected_with_its_number(self):
        self.rejects('patch 2 of 2, 2-driver, does not apply to .*/linux:.*'
                     'rules of driver.cocci match too little: rule$', missing='yes')
        self.put('linux/Makefile', 'obj-y := drivers/\n')
        self.rejects('patch 1 of 2, 1-core, .*Makefile')
        (self.source / 'Makefile').unlink()
        self.rejects('patch 1 of 2, 1-core, .*/linux has no Makefile$')

    def test_arithmetic_that_has_changed_is_rejected(self):
        path = self.root / 'shared/macstats/account.h'
        path.write_text(path.read_text().replace('MACSTATS_ROLLOVER_64', 'ROLLOVER'))
        self.rejects('patch 1 of 2, 1-core, .*account.h has nothing like .*ROLLOVER_64')

    def test_an_output_that_exists_is_rejected(self):
        self.write()
        done = self.run_series('--author', AUTHOR)
        self.assertEqual(done.returncode, 1)
        self.assertIn('exists', done.stderr)

    def test_an_author_is_required_with_an_address(self):
        for options in [], ['--author', 'Jane Doe'], ['--author', '<jane@example.org>'], \
                ['--author', 'Jane Doe <jane>']:
            done = self.run_series(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn('--author', done.stderr)
            self.assertNotIn('Traceback', done.stderr)
        self.assertFalse(self.output.parent.exists())
