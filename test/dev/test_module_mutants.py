#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev mutants kmod."""

import os
import pathlib
import queue
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import arguments  # noqa: E402
import module_mutants  # noqa: E402
import mutant_sample  # noqa: E402
import shell  # noqa: E402
import testing  # noqa: E402

import deadline  # noqa: E402


MODULE = """
#define TWO(x)								\\
static int two_##x(void)						\\
{									\\
	return 1 + 1;							\\
}

static const int table[] = { 1, 2, 4 };

int sum(const int *list, int n);

static int __init sum_of(int (*get)(int i, int j),
			 int n)
{
	return get(n, n) < 3;
}

struct device *first(void)
{
	return NULL;
}
"""


class ModuleMutants(unittest.TestCase):
    def mutant(self, number=1):
        made = next(mutant_sample.mutants_of('kmod/a.c', MODULE))
        made.number = number
        return made

    def program(self, name, seconds, *functions):
        return module_mutants.Program(name, seconds, {('kmod/a.c', each) for each in functions})

    def test_functions_in_kernel_style_change(self):
        found = list(mutant_sample.mutants_of('kmod/a.c', MODULE))
        self.assertEqual([(each.function.name, each.line, each.after) for each in found], [
            ('sum_of', 15, 'return get(n, n) <= 3;'), ('sum_of', 15, 'return get(n, n) < 4;'),
            ('sum_of', 15, 'return get(n, n) < 2;')])

    def test_each_source_of_the_modules_has_mutants(self):
        found = {mutant.file for mutant in mutant_sample.read_mutants(mutant_sample.module_files())}
        sources = {name for name in mutant_sample.module_files() if name.endswith('.c')}
        self.assertEqual(sources - found, set())
        self.assertIn('kmod/genl.h', found)

    def test_a_function_reports_its_call_and_keeps_its_lines(self):
        text = module_mutants.with_reports('kmod/a.c', MODULE).split('#line 1\n')[1]
        lines = text.splitlines()
        self.assertEqual(len(lines), len(MODULE.splitlines()))
        self.assertEqual(lines[13], '{ printk_once(KERN_DEBUG "macstats mutant: reached kmod/a.c '
                                    'sum_of\\n");')
        self.assertEqual(text.count('printk_once'), 2)

    def test_the_fastest_test_that_calls_the_function_is_the_first(self):
        programs = [self.program('slow', 9, 'sum_of'), self.program('other', 1, 'first'),
                    self.program('fast', 2, 'first', 'sum_of')]
        self.assertEqual([each.name for each in module_mutants.chosen(programs, self.mutant())],
                         ['fast', 'slow'])

    def test_a_test_that_has_noticed_mutants_of_the_function_or_file_is_earlier(self):
        mutant = self.mutant()
        fast, file, function = programs = [
            self.program(name, seconds, 'sum_of')
            for name, seconds in (('fast', 1), ('file', 5), ('function', 9))]
        file.noticed['kmod/a.c'] = 1
        function.noticed.update(module_mutants.places_of(mutant))
        self.assertEqual(module_mutants.chosen(programs, mutant), [function, file, fast])
        # Fewer hits in much less time are worth more.
        function.seconds, file.noticed['kmod/a.c'] = 300, 2
        self.assertEqual(module_mutants.chosen(programs, mutant), [file, function, fast])

    def test_what_was_noticed_is_known_in_the_next_run(self):
        mutant = self.mutant()
        kinds = queue.Queue()
        for each in ((mutant, 'built', pathlib.Path('/nonexistent')), None):
            kinds.put(each)
        guest = mock.Mock(tried=1)
        guest.ask.return_value = ['seconds b.py 1', 'noticed a.py b']
        programs = [self.program(name, 1, 'sum_of') for name in ('a.py', 'b.py')]
        with tempfile.TemporaryDirectory() as folder, mock.patch('builtins.print'), \
                mock.patch.object(module_mutants, 'HISTORY', pathlib.Path(folder, 'history')):
            module_mutants.judge([guest], programs, kinds)
            module_mutants.write_history(programs)
            later = [self.program(name, 1, 'sum_of') for name in ('b.py', 'a.py', 'new.py')]
            module_mutants.read_history(later)
        self.assertEqual([each.name for each in module_mutants.chosen(later, mutant)],
                         ['a.py', 'b.py', 'new.py'])
        self.assertEqual(later[1].noticed, {'kmod/a.c': 1, 'kmod/a.c sum_of': 1})

    def test_an_answer_tells_who_noticed_a_mutant(self):
        for lines, noticed in (
                (['seconds a.py 2.0', 'noticed b.py not ok 3 - c'], ('b.py', 'not ok 3 - c')),
                (['noticed b.py kernel: WARNING: x', 'dirty'], ('b.py', 'kernel: WARNING: x')),
                (['died a.py BUG: unable'], ('a.py', 'BUG: unable')),
                (['hung boot the guest hung'], ('boot', 'the guest hung')),
                (['seconds a.py 2.0', 'reached a.py kmod/a.c first'], ('', ''))):
            with self.subTest(lines):
                self.assertEqual(module_mutants.noticed_by(lines), noticed)

    def test_a_guest_that_ends_counts_only_for_its_own_mutant(self):
        oops, silent = ['died a.py BUG: x'], ['died a.py the guest died']
        unbooted, passed = ['hung boot the guest hung'], ['seconds a.py 1']
        for before, answers, expected in (
                (1, [oops], oops), (2, [oops, passed], passed),
                (2, [['hung a.py the guest hung'], oops], oops),
                (2, [['noticed a.py b']], ['noticed a.py b']),
                # The system may have ended QEMU, or it may hang.
                (1, [silent, passed], passed), (1, [silent, silent], silent),
                (1, [unbooted, passed], passed), (1, [unbooted, oops], oops)):
            with self.subTest(answers):
                guest = mock.Mock(tried=before)
                guest.ask.side_effect = answers
                self.assertEqual(module_mutants.tried(guest, 'folder', ['a']), expected)
                self.assertEqual(guest.ask.call_count, len(answers))

    def test_a_guest_that_does_not_boot_is_no_verdict(self):
        for answer in ('hung boot the guest hung', 'died boot the guest died'):
            guest = mock.Mock(tried=1)
            guest.ask.side_effect = [['seconds a.py 1', 'x'], [answer], [answer]]
            self.assertEqual(module_mutants.tried(guest, 'folder', ['a']), ['seconds a.py 1', 'x'])
            with self.subTest(answer), self.assertRaisesRegex(shell.Failure, 'does not boot'):
                module_mutants.tried(guest, 'folder', ['a'])

    def test_a_compiler_that_the_system_ends_is_no_verdict(self):
        builder = mock.Mock(objects={}, tree=pathlib.Path('/nonexistent'))
        mutant = mutant_sample.Mutant('Kbuild', None, 0, 0, '', '', '', 1)
        for output, verdict in (
                ('In file included from a.c:1:\na.h:2:3: error: x\nmake: *** 1\n', 'invalid'),
                ('ERROR: modpost: "__bad" [a.ko] undefined!\n', 'invalid'),
                ('gcc: fatal error: Killed signal terminated program cc1\n', None),
                ('a.c:7: fatal error: error writing to /tmp/a.s: No space left\n', None)):
            builder.make.return_value = (2, output)
            with self.subTest(output), mock.patch('builtins.print'):
                if verdict:
                    self.assertEqual(module_mutants.Builder.build(builder, mutant, 'a'), verdict)
                else:
                    with self.assertRaisesRegex(shell.Failure, 'reports no error'):
                        module_mutants.Builder.build(builder, mutant, 'a')
                builder.restore.assert_called_with('Kbuild')

    def ask(self, folder, *scripts):
        """The answers of a guest that is a shell script, in which $R is its shared folder."""
        (folder / 'modules').mkdir()
        guest = module_mutants.Guest(arguments.Options(), folder)
        commands = [['sh', '-c', f'R={folder}/guest; until [ -d $R/0 ]; do sleep 0.01; done; '
                                 + script] for script in scripts]
        with mock.patch.object(module_mutants.guests, 'command', side_effect=commands), \
                mock.patch.object(module_mutants, 'HANG_SECONDS', 0):
            for _ in scripts:
                yield guest.ask(folder / 'modules', [self.program('a.py', 1)], False)
        guest.stop()

    def test_a_guest_answers_dies_or_hangs(self):
        answer = 'printf "noticed a.py it failed\\ndirty\\n" >$R/0/answer; sleep 60'
        dies = 'echo "test/vm/tests/a.py 9" >$R/0/running; echo "BUG: unable"; exit 1'
        hangs = 'echo "test/vm/tests/a.py 0" >$R/0/running; exec sleep 60'
        with tempfile.TemporaryDirectory() as name:
            self.assertEqual(list(self.ask(pathlib.Path(name), answer, dies, hangs)), [
                ['noticed a.py it failed', 'dirty'], ['died a.py BUG: unable'],
                ['hung a.py the guest hung']])

    def test_only_mutants_that_change_code_count(self):
        kinds = queue.Queue()
        for number, became in enumerate(('same', 'built', 'invalid', 'built', 'built')):
            kinds.put((self.mutant(number), became, pathlib.Path('/nonexistent')))
        kinds.put(None)
        guest = mock.Mock(tried=1)
        guest.ask.side_effect = [['noticed a.py b'], ['seconds a.py 1'], ['died a.py BUG:']]
        with mock.patch('builtins.print'):
            noticed, survivors = module_mutants.judge(
                [guest], [self.program('a.py', 1, 'sum_of')], kinds)
        self.assertEqual((noticed, [each.number for each in survivors]), (2, [3]))

    def test_a_function_that_no_test_calls_survives_without_a_guest(self):
        kinds = queue.Queue()
        kinds.put((self.mutant(), 'built', pathlib.Path('/nonexistent')))
        kinds.put(None)
        with mock.patch('builtins.print'):
            noticed, survivors = module_mutants.judge(
                [mock.Mock()], [self.program('a.py', 1, 'first')], kinds)
        self.assertEqual((noticed, len(survivors)), (0, 1))

    def test_guests_share_the_mutants(self):
        kinds = queue.Queue(maxsize=1)
        both = threading.Barrier(2)

        def build():
            for number in range(4):
                kinds.put((self.mutant(number), 'built', pathlib.Path('/nonexistent')))
            kinds.put(None)

        def answer(*_):
            both.wait()  # one alone would wait for ever
            return ['noticed a.py b']

        guest = mock.Mock(tried=1)
        guest.ask.side_effect = answer
        threading.Thread(target=build, daemon=True).start()
        with mock.patch('builtins.print'):
            self.assertEqual(module_mutants.judge(
                [guest, guest], [self.program('a.py', 1, 'sum_of')], kinds), (4, []))

    def test_a_failure_in_a_guest_ends_the_others(self):
        kinds = queue.Queue()
        for number in range(1000):
            kinds.put((self.mutant(number), 'built', pathlib.Path('/nonexistent')))
        kinds.put(None)
        failed = threading.Event()

        def fail(*_):
            failed.set()
            raise shell.Failure('no space left')

        def answer(*_):
            failed.wait(60)
            time.sleep(0.01)
            return ['noticed a.py b']

        bad, good = mock.Mock(tried=1), mock.Mock(tried=1)
        bad.ask.side_effect, good.ask.side_effect = fail, answer
        with mock.patch('builtins.print'), self.assertRaisesRegex(shell.Failure, 'no space'):
            module_mutants.judge([good, bad], [self.program('a.py', 1, 'sum_of')], kinds)
        self.assertLess(good.ask.call_count, 100)

    def test_a_failure_of_the_builder_ends_all_guests(self):
        kinds = queue.Queue()
        kinds.put(shell.Failure('the compiler is gone'))
        with self.assertRaisesRegex(shell.Failure, 'compiler is gone'):
            module_mutants.judge([mock.Mock(), mock.Mock()], [], kinds)

    def test_calls_without_a_mutant_decide_the_tests(self):
        guest = mock.Mock(tried=1)
        guest.ask.side_effect = [
            ['seconds a.py 2.5', 'reached a.py kmod/a.c sum_of'],
            ['noticed b.py late'], ['noticed b.py not ok 1', 'dirty'], ['died c.py x'],
            ['died c.py x'], ['noticed d.py late'], ['seconds d.py 1.0']]
        with mock.patch('builtins.print') as printed:
            programs = module_mutants.measure([guest], ['a.py', 'b.py', 'c.py', 'd.py'])
        self.assertEqual([(each.name, each.seconds, each.reached) for each in programs], [
            ('a.py', 2.5, {('kmod/a.c', 'sum_of')}), ('d.py', 1.0, set())])
        said = ' '.join(call.args[0] for call in printed.call_args_list)
        self.assertIn('b.py: not ok 1', said)
        self.assertIn('c.py: x', said)

    def test_each_program_exists(self):
        for name in module_mutants.PROGRAMS:
            self.assertTrue((shell.ROOT / module_mutants.tests_path(name)).exists(), name)

    def test_no_test_passes_without_a_mutant(self):
        guest = mock.Mock()
        guest.ask.return_value = ['noticed a.py not ok 1']
        with mock.patch('builtins.print'), self.assertRaises(shell.Failure):
            module_mutants.measure([guest], ['a.py'])

    def test_a_guest_stops_a_test_at_its_first_failure(self):
        inside = testing.loaded('test/vm/mutant-tests')
        for script, why in (
                ('echo 1..1; echo ok 1 - a', ''),
                ('echo 1..3; echo "# b"; echo ok 1 - b; echo "# too few"; echo "# more"; '
                 'echo not ok 2 - a; sleep 60', 'not ok 2 - a: more'),
                ('echo 1..1; echo ok 1 - a; exit 3', 'exit status 3 without a failed test'),
                ('exit 1', 'no plan'),
                ('echo 1..1; sleep 60', 'not within the time limit')):
            with self.subTest(script), tempfile.TemporaryDirectory() as folder, \
                    mock.patch('builtins.print'):
                deadline_ = deadline.Deadline(1 if 'limit' in why else deadline.HANG_SECONDS, 1, 1)
                self.assertEqual(inside.failure_of(['sh', '-c', script], deadline_,
                                                   dict(os.environ), folder), why)


if __name__ == '__main__':
    unittest.main()
