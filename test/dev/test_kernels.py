#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the kernels for guests: when test/vm/kernel builds one, and the tree of its modules."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import shell  # noqa: E402
from testing import write_programs  # noqa: E402

# Stand-ins, with $STATE as their folder: `archive` is the version that the archive has, `lists`
# that of the package lists, `calls` has a line for each kernel that was built, `downloads` one for
# each package.
PROGRAMS = {
    'sudo': 'exec "$@"',
    'apt-cache': '''
[ -e "$STATE/lists" ] || exit 0
case "$*" in
*depends*) echo "  Depends: linux-source-7.3" ;;
*pkgnames*) for name; do :; done; cat "$STATE/names" 2>/dev/null || echo "$name" ;;
*) sed "s/^/Version: /" "$STATE/lists" ;;
esac''',
    'apt-get': '''
case "$*" in
*indextargets*) echo "http://archive bookworm" ;;
*update) cp "$STATE/archive" "$STATE/lists" ;;
*download*) cmp -s "$STATE/archive" "$STATE/lists" || exit 100
    for package; do :; done
    echo "$*" >>"$STATE/downloads"
    cp "$STATE/archive" "${package}_all.deb" ;;
esac''',
    'patch': 'exit 0',
    'dpkg-deb': 'case $1 in -f | --field) cat "$2" ;; esac',
    'tar': 'cat >/dev/null',
    # make, as test/vm/kernel starts it
    'setpriv': '''
for word; do
    case $word in O=*) folder=${word#O=} ;; esac
done
case "$*" in
*allnoconfig) grep -v "=n$" "$folder/fragments" >"$folder/.config" ;;
*) echo built >>"$STATE/calls"; [ ! -e "$STATE/slow" ] || . "$STATE/slow" ;;
esac''',
}


class Build(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        vm = self.root / 'test/vm'
        vm.mkdir(parents=True)
        shutil.copy(shell.ROOT / 'test/vm/kernel', vm)
        shutil.copytree(shell.ROOT / 'test/vm/kernel-config', vm / 'kernel-config')
        (vm / 'lib').mkdir()
        shutil.copy(shell.ROOT / 'test/vm/lib/foreign-apt.sh', vm / 'lib')
        write_programs(self.root / 'bin', PROGRAMS)

    def state(self, name, value):
        path = self.root / name
        if value is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(f'{value}\n')

    def build(self, kernel, **environment):
        done = subprocess.run([self.root / 'test/vm/kernel', 'build', kernel], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={'PATH': f'{self.root}/bin:/usr/bin:/bin',
                                   'STATE': str(self.root)} | environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def builds(self, kernel='debug'):
        """How many kernels has this call built?"""
        self.state('calls', None)
        self.build(kernel)
        calls = self.root / 'calls'
        return len(calls.read_text().split()) if calls.exists() else 0

    def test_the_first_use_builds_the_kernel_once(self):
        # None: no package lists; 1: they are older than the archive.
        for lists in (None, 1, 2):
            with self.subTest(lists=lists):
                shutil.rmtree(self.root / 'build', ignore_errors=True)
                self.state('archive', 2)
                self.state('lists', lists)
                self.assertEqual([self.builds() for _ in range(3)], [1, 0, 0])
                self.assertEqual((self.root / 'build/kernel/debug-source/layout').read_text(),
                                 '1 2\n')

    def test_a_package_of_a_longer_name_is_another_one(self):
        # apt-get takes a name that it does not know for a pattern.
        self.state('archive', 1)
        self.state('names', 'linux-source-6.12')
        done = subprocess.run([self.root / 'test/vm/kernel', 'fetch', 'drivers-6.1'], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={'PATH': f'{self.root}/bin:/usr/bin:/bin',
                                   'STATE': str(self.root)})
        self.assertIn('cannot download linux-source-6.1', done.stderr)
        self.assertFalse((self.root / 'downloads').exists())

    def test_a_newer_source_builds_the_kernel_again(self):
        self.state('archive', 1)
        self.assertEqual((self.builds(), self.builds('kcsan')), (1, 1))
        self.state('archive', 2)
        self.assertEqual(self.builds(), 0)  # nobody has updated the lists
        self.state('lists', 2)
        self.assertEqual((self.builds(), self.builds('kcsan'), self.builds()), (1, 1, 0))

    def test_lists_that_were_removed_change_nothing(self):
        self.state('archive', 1)
        self.assertEqual(self.builds(), 1)
        self.state('lists', None)
        self.assertEqual((self.builds(), self.builds('kcsan')), (0, 1))

    def test_a_changed_fragment_builds_the_kernel_again(self):
        self.state('archive', 1)
        self.assertEqual(self.builds(), 1)
        with (self.root / 'test/vm/kernel-config/debug.config').open('a') as file:
            file.write('CONFIG_ANOTHER=y\n')
        self.assertEqual((self.builds(), self.builds()), (1, 0))

    def test_user_mode_linux_is_built_from_the_newest_source_and_again_with_another_patch(self):
        self.state('archive', 1)
        self.assertEqual([self.builds('user-mode') for _ in range(2)], [1, 0])
        self.assertRegex((self.root / 'downloads').read_text(),
                         r'^.*Release=trixie-backports .*linux-source-7\.3\n$')
        self.state('archive', 2)
        self.state('lists', 2)
        self.assertEqual(self.builds('user-mode'), 0)
        with (self.root / 'test/vm/kernel-config/user-mode.patch').open('a') as file:
            file.write('+\n')
        self.assertEqual([self.builds('user-mode') for _ in range(2)], [1, 0])

    def test_a_build_prints_each_compiled_file(self):
        self.state('archive', 1)
        self.state('slow', 'echo "  CC init/main.o"; echo "  LD vmlinux"; echo "  AS last.o"; '
                           'seq -f "  CC %.0f.o" 1540')
        lines = [line for line in self.build('debug').stdout.splitlines() if line[0] == '[']
        self.assertEqual(lines[:3], ['[1/1535] init/main.o', '[2/1535] last.o', '[3/1535] 1.o'])
        # Another kernel has more files.
        self.assertEqual(lines[-1], '[1535/1535] 1540.o')

    def test_apt_get_prints_its_progress_where_that_is_wanted(self):
        self.state('archive', 1)
        self.state('lists', 1)
        (self.root / 'bin/apt-get').write_text(
            '#!/bin/sh\ncase "$*" in\n'
            '*Status-Fd=4*download*) echo "dlstatus:1:50:Retrieving file 1 of 1" >&4 ;;\nesac\n'
            'cp "$STATE/archive" linux-source-6.12_all.deb\n')
        for wanted in ('', 'yes'):
            with self.subTest(wanted):
                shutil.rmtree(self.root / 'build', ignore_errors=True)
                self.assertEqual('dlstatus:1:50:Retrieving file 1 of 1\n' in
                                 self.build('debug', APT_PROGRESS=wanted).stdout, bool(wanted))


# Reports which call of it runs, and leaves the list of modules after a while.
DEPMOD = '''
echo begin >>"$STATE/calls"
sleep 0.5
ls "$2/lib/modules/$3/kernel/drivers" >"$2/lib/modules/$3/modules.dep"
echo end >>"$STATE/calls"'''
TREE = '''
import pathlib, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import testing
guest = testing.loaded('test/vm/guest')
guest.REPO = pathlib.Path(sys.argv[2])
tree = guest.module_tree(pathlib.Path(sys.argv[3]), '6.12.1-own')
print((tree / 'modules.dep').read_text().split() == [f'{n}.ko' for n in range(100, 400)],
      {link.readlink().parent for link in (tree / 'kernel/drivers').iterdir()} ==
      {pathlib.Path(sys.argv[3]) / 'drivers'})
'''


class ModuleTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        write_programs(self.root / 'bin', {'depmod': DEPMOD})

    def built(self, name):
        """A folder in which a kernel was built."""
        folder = self.root / name
        folder.mkdir()
        (folder / 'modules.order').write_text(
            ''.join(f'kernel/drivers/{number}.o\n' for number in range(100, 400)))
        return folder

    def start(self, build):
        return subprocess.Popen(
            [sys.executable, '-c', TREE, pathlib.Path(__file__).parent, self.root / 'repo', build],
            stdout=subprocess.PIPE, text=True, env=os.environ | {
                'PATH': f'{self.root}/bin:{os.environ["PATH"]}', 'STATE': str(self.root)})

    def trees_at_once(self, *builds):
        """The lines that depmod wrote; all processes find their tree complete."""
        processes = [self.start(build) for build in builds]
        self.assertEqual([process.communicate()[0] for process in processes],
                         ['True True\n'] * len(builds))
        return (self.root / 'calls').read_text().split()

    def test_two_guests_at_once_share_one_tree(self):
        build = self.built('kernel')
        self.assertEqual(self.trees_at_once(build, build), ['begin', 'end'])
        self.assertEqual(self.trees_at_once(build), ['begin', 'end'])

    def test_a_kernel_that_was_built_again_has_a_new_tree(self):
        build = self.built('kernel')
        self.trees_at_once(build)
        os.utime(build / 'modules.order', (2**32, 2**32))
        self.assertEqual(len(self.trees_at_once(build)), 4)

    def test_two_kernels_of_the_same_release_have_two_trees(self):
        builds = [self.built('debug'), self.built('kcsan')]
        self.trees_at_once(*builds)
        self.assertEqual(len(self.trees_at_once(*builds)), 4)


if __name__ == '__main__':
    unittest.main()
