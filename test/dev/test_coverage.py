#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev test --coverage."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import arguments  # noqa: E402
import counting  # noqa: E402
import coverage  # noqa: E402
import modules  # noqa: E402
import shell  # noqa: E402
import testing  # noqa: E402
import tests  # noqa: E402


class Coverage(unittest.TestCase):
    FILE = 'shared/macstats/a.h'

    def covered(self, *lines):
        """Lines from 1 on: (count, branches)."""
        result = {}
        for number, (count, branches) in enumerate(lines, 1):
            result[number] = coverage.Line()
            result[number].add(count, branches)
        return {self.FILE: result}

    def test_copies_of_a_line_add_up(self):
        line = coverage.Line()
        line.add(3, [3, 0])
        line.add(2, [1, 2])
        line.add(1, [1, 0, 0])
        self.assertEqual((line.count, line.all_branches()), (6, [4, 2, 1, 0, 0]))
        self.assertFalse(line.is_covered())

    def test_each_file_belongs_to_one_group(self):
        for file, group in (('shared/macstats/frame.h', 'shared'), ('kmod/provider/port.c', 'kmod'),
                            ('shared/macstats/model/cpsw.h', ''), ('test/unit/main.cpp', ''),
                            ('userspace/cli/main.cpp', 'userspace')):
            self.assertEqual(coverage.group_of(file), group, file)

    def test_the_table_shows_lines_and_branches(self):
        rows, groups = coverage.table(self.covered((1, [1, 0]), (0, []), (4, [])))
        self.assertEqual(groups['shared'], coverage.Counts(2, 3, 1, 2))
        self.assertRegex(rows[1], r'^shared/macstats/a\.h +2/3 +66\.7 % +1/2 +50\.0 %$')
        self.assertRegex(rows[2], r'^all of shared ')

    def test_too_little_of_a_required_group_fails(self):
        shortfalls = coverage.shortfalls
        self.assertEqual(shortfalls({'shared': coverage.Counts(95, 100, 90, 100)}), [])
        self.assertEqual(shortfalls({'shared': coverage.Counts(94, 100, 90, 100)}), [
            'shared: 94.0 % of the lines are executed, 95 % are required'])
        self.assertEqual(shortfalls({'kmod': coverage.Counts(95, 100, 89, 100)}), [
            'kmod: 89.0 % of the branches are executed, 90 % are required'])
        self.assertEqual(shortfalls({'userspace': coverage.Counts(0, 100, 0, 100)}), [])

    def test_an_exception_leaves_its_line_out(self):
        covered = self.covered((1, []), (0, []))
        known = coverage.exceptions_in(
            f'# a comment\n\n{self.FILE}: b  = 2;\n  nobody comes here\n')
        self.assertEqual(known, {(self.FILE, 'b = 2;'): 'nobody comes here'})
        self.assertEqual(coverage.leave_out(covered, known, lambda _: 'a = 1;\n\tb = 2;\n'), [])
        self.assertEqual(list(covered[self.FILE]), [1])

    def test_an_exception_that_is_executed_or_gone_is_reported(self):
        for code, lines in (('a = 1;', [(1, [])]), ('a = 1;', [(1, [1, 1])]), ('c', [(0, [])])):
            known = {(self.FILE, code): 'why'}
            self.assertEqual(coverage.leave_out(self.covered(*lines), known, lambda _: 'a = 1;'),
                             [f'{self.FILE}: {code}'])
        half = self.covered((1, [1, 0]))
        self.assertEqual(coverage.leave_out(half, {(self.FILE, 'a'): 'why'}, lambda _: 'a'), [])

    def test_an_exception_of_branches_leaves_only_them_out(self):
        known = coverage.exceptions_in('shared/*.h: branches: MACRO(*);\n  of the kernel\n')
        text = 'MACRO(a[1]);\nMACRO(b);\nif (MACRO(c);\n'
        covered = self.covered((3, [3, 0]), (0, [0, 0]), (1, [1, 0]))
        self.assertEqual(coverage.leave_out(covered, known, lambda _: text), [])
        lines = covered[self.FILE]
        self.assertEqual([lines[number].count for number in (1, 2, 3)], [3, 0, 1])
        self.assertEqual([lines[number].all_branches() for number in (1, 2, 3)], [[], [], [1, 0]])
        self.assertEqual(coverage.leave_out(self.covered((1, [1, 2])), known, lambda _: text),
                         ['shared/*.h: branches: MACRO(*);'])
        self.assertEqual(coverage.leave_out({'kmod/a.c': {}}, known, lambda _: text), [])

    def test_an_exception_of_a_file_that_was_not_measured_stays(self):
        self.assertEqual(coverage.leave_out({}, {('kmod/a.c', 'x'): 'why'}, None), [])

    def test_an_exception_needs_a_reason(self):
        for text in ('a.h: b\n', 'a.h: b\n\n  why\n', 'nothing\n  why\n'):
            with self.subTest(text), self.assertRaises(shell.Failure):
                coverage.exceptions_in(text)

    def test_ranges_are_short(self):
        self.assertEqual(coverage.ranges([7, 1, 2, 3, 9, 10]), '1-3 7 9-10')

    # A stand-in for a tree of links to the project and a guest's results: gcc makes them alike.
    def test_numbers_are_found_beside_the_notes_of_another_folder(self):
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(coverage, 'ROOT', pathlib.Path(name).resolve() / 'project'):
            folder = pathlib.Path(name).resolve()
            tree, results = folder / 'tree', folder / 'results'
            main = ('int main(int n, char **v)\n{\n\tif (n > 1)\n\t\treturn 1;\n'
                    '\treturn 0;\n}\n')
            # The driver of a test is not part of kmod/, wherever it is built.
            for file, link in (('kmod/a.c', 'kmod/a.c'), ('test/b.c', 'kmod/driver/b.c')):
                source, linked = folder / 'project' / file, tree / link
                for each in (source, linked):
                    each.parent.mkdir(parents=True)
                source.write_text(main)
                linked.symlink_to(source)
                program, numbers = folder / 'program', linked.with_suffix('.gcda')
                subprocess.run(['gcc', '--coverage', '-O0', '-o', linked.with_suffix('.o'), '-c',
                                linked], check=True)
                subprocess.run(['gcc', '--coverage', '-o', program, linked.with_suffix('.o')],
                               check=True)
                subprocess.run([program], check=True)
                copy = results / str(numbers)[1:]
                copy.parent.mkdir(parents=True)
                numbers.rename(copy)
            covered = {}
            coverage.add_modules(results, [tree], covered)
            self.assertEqual([*covered], ['kmod/a.c'])
            lines = covered['kmod/a.c']
            self.assertEqual([lines[number].count for number in (3, 4, 5)], [1, 0, 1])
            self.assertEqual(sorted(lines[3].all_branches()), [0, 1])
            with self.assertRaises(shell.Failure):
                coverage.add_modules(results / 'nothing', [tree], {})

    def test_a_guest_copies_the_numbers_of_its_modules(self):
        run_all = testing.loaded('test/vm/run-all')
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source = folder / 'gcov/tree/kmod'
            source.mkdir(parents=True)
            (source / 'a.gcda').write_bytes(b'numbers')
            (source / 'a.gcno').symlink_to('/nonexistent')
            (folder / 'gcov/reset').write_text('')
            run_all.copy_gcov(folder / 'copy', folder / 'gcov')
            copies = [path for path in (folder / 'copy').rglob('*') if not path.is_dir()]
            self.assertEqual(copies, [folder / 'copy/tree/kmod/a.gcda'])
            self.assertEqual(copies[0].read_bytes(), b'numbers')

    def test_coverage_takes_no_names(self):
        done = testing.dev('test', '--coverage', 'faults.py')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, '0 passed, 1 failed'))
        self.assertIn('--coverage takes no names', done.stderr)

    def test_coverage_counts_on_its_own_kernel(self):
        done = testing.dev('test', '--coverage', '--kcsan-kernel')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, '0 passed, 1 failed'))
        self.assertIn('--coverage has a kernel of its own', done.stderr)
        for words, kernel, runs in (((), 'gcov', ['a.py']), (('--unit',), 'gcov', []),
                                    (('--kernel-dir', '/'), '', ['a.py'])):
            options = arguments.parse('test', ['--coverage', *words])[0]
            with self.subTest(words), mock.patch.multiple(
                    tests, guest_programs=lambda *_: ['a.py'], unit=mock.DEFAULT,
                    prepare=mock.DEFAULT, in_guests=mock.DEFAULT, coverage=mock.DEFAULT,
                    packages=mock.DEFAULT, modules=mock.DEFAULT) as fakes:
                fakes['coverage'].KERNEL = coverage.KERNEL
                fakes['coverage'].judge.return_value = []
                fakes['modules'].own_label.return_value = 'gcov'
                tests.with_coverage(options, counting.Tally())
                self.assertEqual(options.built_kernel, kernel)
                self.assertEqual([call.args[2] for call in fakes['in_guests'].mock_calls],
                                 [runs] if runs else [])
                self.assertEqual(fakes['coverage'].add_modules.called, bool(runs))

    def test_a_kernel_must_be_able_to_count(self):
        with tempfile.TemporaryDirectory() as name:
            config = pathlib.Path(name) / '.config'
            for text in ('', '# CONFIG_GCOV_KERNEL is not set\n'):
                config.write_text(text)
                with self.assertRaisesRegex(shell.Failure, 'CONFIG_GCOV_KERNEL'):
                    modules.counting_variables(name)
            config.write_text('CONFIG_GCOV_KERNEL=y\n')
            self.assertEqual(modules.counting_variables(name),
                             ['GCOV_PROFILE=y', 'KCFLAGS=-fno-early-inlining'])


if __name__ == '__main__':
    unittest.main()
