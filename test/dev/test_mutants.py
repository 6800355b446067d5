#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev mutants."""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import arguments  # noqa: E402
import c_tokens  # noqa: E402
import counting  # noqa: E402
import mutant_library  # noqa: E402
import mutant_sample  # noqa: E402
import mutants  # noqa: E402
import shell  # noqa: E402
import parts  # noqa: E402


HEADER = """
/* a + b */
MACSTATS_FN int sum(const int *list, int n)
{
	int all = 0;
	int i;

	for (i = 0; i < n; i++)
		all += list[i];
	return all;
}

MACSTATS_FN int other(int a,
		      const struct pair *b)
{
	switch (a) {
	case 3:
		return a - 0x10u;
	}
	if (a)
		return true;
	return *"1 + 1" & ~a + 2;
}
"""


PROGRAM = """
#include <cstdio>
#define MACSTATS_FN constexpr inline
#include "header.h"

static constexpr int list[] = {1, 2, 4};
static_assert(sum(list, 3) == 7);

int main()
{
	printf("%d\\n", sum(list, 3));
}
"""


class Mutants(unittest.TestCase):
    def changes_of(self, name):
        """{changed line}, by the line that was changed."""
        result = {}
        for mutant in mutant_sample.mutants_of('header.h', HEADER):
            if mutant.function.name == name:
                result.setdefault(mutant.before, set()).add(mutant.after)
        return result

    def sample_of(self, after):
        sample = [mutant for mutant in mutant_sample.mutants_of('header.h', HEADER)
                  if mutant.after in after]
        for number, mutant in enumerate(sample, 1):
            mutant.number = number
        return sample

    def test_operators_comparisons_and_constants_change(self):
        self.assertEqual(self.changes_of('sum'), {
            'int all = 0;': {'int all = 1;'},
            'for (i = 0; i < n; i++)': {'for (i = 1; i < n; i++)', 'for (i = 0; i <= n; i++)'},
            'all += list[i];': {'all -= list[i];'}})

    def test_labels_texts_and_pointers_stay(self):
        self.assertEqual(self.changes_of('other'), {
            'return a - 0x10u;': {'return a + 0x10u;', 'return a - 17u;', 'return a - 15u;'},
            'if (a)': {'if (!(a))'},
            'return true;': {'return false;'},
            'return *"1 + 1" & ~a + 2;': {
                'return *"1 + 1" | ~a + 2;', 'return *"1 + 1" & ~a - 2;',
                'return *"1 + 1" & ~a + 3;', 'return *"1 + 1" & ~a + 1;'}})

    def test_parameters_are_known_by_their_names(self):
        self.assertEqual([each.arguments for each in c_tokens.functions(HEADER)][0], ['list', 'n'])
        head = 'f(const struct a *const b[], __u32 c = 3, T<x, y> d)'
        self.assertEqual(c_tokens.parameters(head), ['b', 'c', 'd'])

    def test_each_header_of_the_project_has_mutants(self):
        found = {mutant.file for mutant in mutant_sample.read_mutants(mutant_sample.HEADERS)}
        self.assertEqual(found, set(mutant_sample.HEADERS))

    def test_the_tree_of_mutants_has_every_file_that_gets_no_hooks(self):
        with tempfile.TemporaryDirectory() as name:
            tree = pathlib.Path(name, 'tree')
            mutant_library.link_tree(tree)
            for path in (*shell.ROOT.iterdir(), *(shell.ROOT / 'shared').rglob('*.h')):
                path = path.relative_to(shell.ROOT)
                hooked = str(path.name) in mutant_sample.HEADERS
                built = path.name in ('build', '.git')
                self.assertEqual((tree / path).exists(), not (hooked or built), path)

    def build(self, folder, sample):
        """The program, with headers and a library of its own."""
        text = HEADER[:HEADER.index('MACSTATS_FN int other')]
        before = mutant_library.HOOKS
        library, _ = mutant_library.hooked(text, 0, sample)
        numbers = ', '.join(['-1', *['0'] * len(sample)])
        (folder / 'header.h').write_text(before + mutant_library.hooked(text)[0])
        (folder / 'library.cpp').write_text(
            f'static const int macstats_mutant_functions[] = {{{numbers}}};\n'
            f'#define MACSTATS_FN constexpr inline\n{mutant_library.RUNTIME}{before}{library}')
        (folder / 'program.cpp').write_text(PROGRAM)
        subprocess.run(['g++', '-std=c++20', '-O0', '-shared', '-fPIC',
                        f'-fsanitize={mutant_library.UNDEFINED}',
                        '-fsanitize-undefined-trap-on-error',
                        '-o', folder / 'library.so', folder / 'library.cpp'], check=True)
        if not (folder / 'program').exists():
            subprocess.run(['g++', '-std=c++20', '-O0', '-o', folder / 'program',
                            folder / 'program.cpp', folder / 'library.so'], check=True)

    def run_with(self, folder, number, **more):
        return subprocess.run([folder / 'program'], capture_output=True, text=True, check=False,
                              env=os.environ | {'MACSTATS_MUTANT': str(number)} | more)

    def test_one_program_has_all_mutants_and_runs_one(self):
        sample = self.sample_of(('all -= list[i];', 'for (i = 1; i < n; i++)'))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.build(folder, sample)
            reached = self.run_with(folder, 0, MACSTATS_MUTANT_REACHED=str(folder / 'reached'))
            printed = [self.run_with(folder, mutant.number).stdout.strip() for mutant in sample]
            self.assertEqual(reached.stdout.strip(), '7')
            self.assertEqual(sorted(printed), ['-7', '6'])
            self.assertEqual((folder / 'reached').read_text(), '0\n')

            # Another sample, and the same program.
            self.build(folder, self.sample_of(('int all = 1;',)))
            self.assertEqual(self.run_with(folder, 1).stdout.strip(), '8')

    def passes(self, *command, seconds=1):
        return mutants.passes(mutants.Program('a', command), 5, seconds)

    def test_a_program_that_fails_or_never_ends_notices_a_mutant(self):
        for script, passes in (
                ('exit 0', True), ('exit 1', False), ('exit 201', False),  # Boost's failed tests
                ('while :; do :; done', False), ('kill -SEGV $$', False), ('kill -ILL $$', False),
                ('kill -ABRT $$', False), ('[ "$MACSTATS_MUTANT" = 5 ]', True)):
            with self.subTest(script):
                self.assertEqual(self.passes('sh', '-c', script), passes)
        with mock.patch.object(mutants, 'HANG_SECONDS', 0.1):
            self.assertFalse(self.passes('sh', '-c', 'sleep 60; exit 0'))

    def test_a_program_that_takes_all_memory_notices_a_mutant(self):
        program = ('import mmap, resource, time\n'
                   'for _ in range(1000):\n'
                   '    if resource.getrlimit(resource.RLIMIT_AS)[0] >= 0: break\n'
                   '    time.sleep(0.01)\n'
                   'mmap.mmap(-1, {})')
        for octets, passes in ((1 << 20, True), (5 << 30, False)):
            self.assertEqual(self.passes(sys.executable, '-c', program.format(octets), seconds=60),
                             passes)

    def test_a_program_that_something_else_ends_is_no_verdict(self):
        for script in ('kill -KILL $$', 'kill -TERM $$', 'kill -HUP $$', '/nonexistent',
                       'exec /etc/passwd', 'sh -c "kill -KILL \\$\\$"; exit $?'):
            with self.subTest(script), self.assertRaisesRegex(shell.Failure, 'a ended with status'):
                self.passes('sh', '-c', script)

    def test_a_seed_repeats_its_sample(self):
        def picked(seed, count):
            everything = list(mutant_sample.mutants_of('header.h', HEADER))
            return [mutant.key() for mutant in mutant_sample.pick(everything, {}, seed, count)]
        self.assertEqual(picked(1, 3), picked(1, 3))
        self.assertEqual(len(picked(1, 3)), 3)
        self.assertGreater(len({tuple(picked(seed, 3)) for seed in range(20)}), 10)
        self.assertEqual(len(picked(1, 0)), len(list(mutant_sample.mutants_of('header.h', HEADER))))

    def test_known_equivalents_are_in_no_sample(self):
        known = mutant_sample.known_equivalents("""
# a comment
header.h sum
-	int all = 0;
+	int all =  1;
  the reason,
  in two lines
""")
        key = ('header.h', 'sum', 'int all = 0;', 'int all = 1;')
        self.assertEqual(known, {key: 'the reason, in two lines'})
        everything = list(mutant_sample.mutants_of('header.h', HEADER))
        sample = mutant_sample.pick(everything, known, 1, 0)
        self.assertNotIn(key, [mutant.key() for mutant in sample])
        self.assertEqual(mutant_sample.stale(everything, known), [])
        gone = ('header.h', 'sum', 'int all = 2;', 'int all = 3;')
        self.assertEqual(mutant_sample.stale(everything, {gone: 'why'}), [gone])

    def test_a_known_equivalent_needs_a_reason(self):
        for text in ('a.h f\n- a\n+ b\n', 'a.h f\n- a\n  why\n', 'a.h\n- a\n+ b\n  why\n',
                     'a.h f\n+ b\n- a\n  why\n', 'a.h f\n- a\n  why\n+ b\n  why\n'):
            with self.subTest(text), self.assertRaises(shell.Failure):
                mutant_sample.known_equivalents(text)

    def test_the_known_equivalents_of_the_project_fit_its_headers(self):
        known = mutant_sample.known_equivalents(mutant_sample.EQUIVALENT.read_text())
        files = [*mutant_sample.HEADERS, *mutant_sample.module_files()]
        self.assertEqual(mutant_sample.stale(mutant_sample.read_mutants(files), known), [])

    def test_a_long_run_misses_three_mutants_at_the_most(self):
        for survivors, failed in ((0, 0), (3, 0), (4, 1)):
            total = counting.Tally()
            with mock.patch.object(parts.packages, 'need'), \
                    mock.patch.object(parts.mutants, 'check', return_value=(
                        20 - survivors, ['a'] * survivors)) as check, \
                    mock.patch.dict(os.environ, {'MACSTATS_SEED': '77'}), \
                    contextlib.redirect_stdout(io.StringIO()):
                parts.changed_headers(arguments.Options(), total)
            check.assert_called_once_with(mutant_sample.HEADERS, 77, 20)
            self.assertEqual((total.passed, total.failed), (1 - failed, failed))

    def test_19_of_20_are_enough(self):
        self.assertEqual(mutant_sample.verdict(19, ['a']),
                         ('19 of 20 mutants are noticed: 95.0 %, 95 % are required', True))
        self.assertFalse(mutant_sample.verdict(18, ['a', 'b'])[1])


if __name__ == '__main__':
    unittest.main()
