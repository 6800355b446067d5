# SPDX-License-Identifier: GPL-2.0
"""Tests of what ./dev test runs, on which kernels, and how it is divided among guests."""

import contextlib
import io
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import architectures
import arguments
import counting
import main
import parts
import shell
import tests


class Selection(unittest.TestCase):
    def of_run(self, *words):
        """[(label, names of programs, MACSTATS_LONG, with tests of the runner)] of the guests that
        a run starts, and the other parts that it has"""
        calls, others = [], []

        def in_guests(options, _names, programs, _total, with_selftest=False):
            calls.extend((label, [program.name for program in programs], options.long,
                          with_selftest) for label in options.kernels)
        with mock.patch.multiple(tests, prepare=mock.DEFAULT, in_guests=in_guests,
                                 unit=lambda *_: others.append('unit'), seed=lambda: 0), \
                mock.patch.object(parts, 'run_part', lambda name, *_: others.append(name)), \
                contextlib.redirect_stdout(io.StringIO()):
            parts.everything(main.parse(['test', *words]), counting.Tally())
        return calls, others

    def test_a_run_has_the_unit_tests_and_user_mode_linux_and_a_long_run_its_parts(self):
        for words, long in ([], False), (['--long'], True):
            ((label, names, effort, selftest),), others = self.of_run(*words)
            self.assertEqual((label, effort, selftest), ('user-mode', False, long))
            self.assertIn('faults.py', names)
            # It needs a NIC; it is long; it has drivers of its own
            for absent in 'registers.py', 'fleet.py', 'driver_bench.py':
                self.assertNotIn(absent, names)
            more = parts.parts_of(arguments.Options(long=True), 0) if long else []
            self.assertEqual(others, ['unit', *more])

    def test_a_kernel_that_was_chosen_runs_guest_tests_alone(self):
        for words, label, selftest in (
                (['--kernel', '6.1'], '6.1', False), (['--kernel-dir', '/'], 'debug', True),
                (['--debug-kernel', '--long'], 'debug', True),
                (['--arch', 'armhf'], 'armhf', False), (['--user-mode-kernel'], 'user-mode', True)):
            with self.subTest(words):
                ((found, names, _, runner),), others = self.of_run(*words)
                self.assertEqual((found, runner, others), (label, selftest, []))
                self.assertEqual('fleet.py' in names, '--long' in words)
                self.assertEqual([call[:2] for call in self.of_run(*words, 'faults.py')[0]],
                                 [(label, ['faults.py'])])

    def test_a_named_test_runs_where_it_can_and_a_part_by_its_name(self):
        for words, labels in ((['faults.py'], ['user-mode']), (['registers.py'], ['6.1', '6.12']),
                              (['ynl.py'], ['6.1', '6.12']),
                              (['--long', 'driver_bench.py'], ['user-mode']),
                              (['--long', 'faults.py'], ['user-mode', '6.1', '6.12'])):
            self.assertEqual([call[0] for call in self.of_run(*words)[0]], labels)
        self.assertEqual(self.of_run('fuzzers'), ([], ['fuzzers']))
        for words, error in ((['--user-mode-kernel', 'ynl.py'], 'ynl.py cannot run: YNL'),
                             (['--user-mode-kernel', 'registers.py'], 'machine of user-mode has'),
                             (['--kernel', '6.12', 'driver_bench.py'], 'emulated I/O memory'),
                             (['--arch', 's390x', 'registers.py'], 'machine of s390x has none')):
            with self.subTest(words), self.assertRaisesRegex(shell.Failure, error):
                self.of_run(*words)

    def test_each_part_is_in_a_turn_of_a_long_run(self):
        turns = [parts.parts_of(arguments.Options(long=True), seed)
                 for seed in range(len(parts.TURNS))]
        self.assertEqual(set(parts.PARTS), {'sid'}.union(*turns))
        self.assertLessEqual(sum(parts.PLANS.values()) + parts.OTHER_PLAN, 40 * 60)

    def test_a_part_that_takes_longer_than_planned_says_so(self):
        for name, seconds, full, line in (
                ('lint', 360, False, 'lint: 360 s'), ('rt', 481, True, 'rt: 481 s'),
                ('rt', 481, False, 'rt: 481 s, planned: 480 s'),
                ('random', 241, False, 'random: 241 s, planned: 240 s')):
            self.assertEqual(parts.duration(name, seconds, arguments.Options(full=full)), line)

    def test_a_part_that_cannot_go_on_has_failed_and_the_next_one_runs(self):
        def cannot(*_):
            raise shell.Failure('no network')

        total = counting.Tally()
        with mock.patch.dict(parts.PARTS, sid=cannot), contextlib.redirect_stdout(io.StringIO()), \
                contextlib.redirect_stderr(io.StringIO()):
            parts.everything(arguments.Options(words=['sid', 'sid']), total)
        self.assertEqual(total.failures, ['sid: no network'] * 2)

    def test_a_long_run_builds_for_one_other_architecture_and_a_full_run_for_all(self):
        every = list(architectures.ARCHITECTURES)
        for seed, full, built, tested in (
                (0, False, ['arm64'], []), (1, False, ['armhf'], ['armhf']),
                (1, True, every, ['armhf', 's390x'])):
            with mock.patch.object(tests, 'prepare') as prepare, \
                    mock.patch.object(tests, 'in_guests') as in_guests, \
                    mock.patch.object(tests, 'seed', lambda seed=seed: seed * len(parts.TURNS)):
                prepare.side_effect = lambda options, _: self.assertEqual(options.kernels, built)
                parts.PARTS['architectures'](arguments.Options(full=full), counting.Tally())
            self.assertEqual([call.args[0].kernels for call in in_guests.mock_calls],
                             [tested] if tested else [])

    def test_each_guest_test_can_be_executed_and_its_marks_are_read(self):
        for folder in tests.GUEST_TESTS, tests.HARDWARE_TESTS:
            for path in (shell.ROOT / folder).glob('*.py'):
                with self.subTest(path.name):
                    # Or else no run would have it.
                    self.assertIn(folder / path.name, tests.programs_below(folder))
                    tests.foreign(tests.marks_of(folder / path.name))
        for text, names in ((': arm64 armhf', ['arm64', 'armhf']), (' of the world', []),
                            ('', list(architectures.ARCHITECTURES))):
            marks = dict(tests.MARK.findall(f'# architectures{text}\n'))
            self.assertEqual(tests.foreign(marks), names)
        for text in ': armfh', ':', ': ':
            with self.subTest(text), self.assertRaisesRegex(shell.Failure, 'names of arch'):
                tests.foreign(dict(tests.MARK.findall(f'# architectures{text}\n')))

    def test_tests_know_their_effort_and_the_seed_of_the_environment_or_the_commit(self):
        with mock.patch.dict(os.environ, MACSTATS_SEED='77'):
            self.assertEqual(tests.effort(main.parse(['test', '--full'])), {
                'MACSTATS_LONG': 'yes', 'MACSTATS_FULL': 'yes', 'MACSTATS_SEED': '77'})
        for output, seed in ((0, '00000ff\n'), 255), ((128, 'fatal\n'), 1):
            with mock.patch.dict(os.environ, MACSTATS_SEED=''), \
                    mock.patch.object(shell, 'output_of', return_value=output):
                self.assertEqual(tests.seed(), seed)


class Division(unittest.TestCase):
    """Of the tests of a kernel among guests."""

    def guests(self, options, programs):
        """{name: (its programs, its command)} of the guests"""
        found = {}

        def counts(run):
            line = ' '.join(map(str, run.command))
            found[run.name] = {each.name for each in programs if each.name in line}, line
            return counting.Tally()
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(tests, 'RESULTS', pathlib.Path(name)), \
                mock.patch.object(tests.Run, 'counts', counts), \
                contextlib.redirect_stdout(io.StringIO()):
            earlier = [pathlib.Path(name, label, 'claims') for label in options.kernels]
            for folder in earlier:
                (folder / 'faults.py').mkdir(parents=True)
            total = counting.Tally()
            tests.in_guests(options, [], programs, total)
            self.assertIn(f'{options.kernels[0]}: no test has passed', total.failures)
            self.assertFalse([claim for folder in earlier for claim in folder.iterdir()])
        return found

    FAULTS, DUMPS = (tests.GUEST_TESTS / name for name in ('faults.py', 'dumps.py'))
    NIC, SLEEPS = (tests.HARDWARE_TESTS / name for name in ('registers.py', 'e1000_resets.py'))

    def test_two_guests_share_the_tests_and_hardware_is_in_a_guest_of_its_own(self):
        both = {'faults.py', 'dumps.py'}
        for kernels, expected in (
                (['6.12'], {'6.12': both, '6.12-2': both, '6.12-hardware': {'registers.py'}}),
                (arguments.KERNELS, {'6.1': both, '6.1-hardware': {'registers.py'},
                                     '6.12': both, '6.12-hardware': {'registers.py'}})):
            found = self.guests(arguments.Options(kernels=kernels),
                                [self.FAULTS, self.DUMPS, self.NIC])
            self.assertEqual({name: some for name, (some, _) in found.items()}, expected)
            for name, (_, line) in found.items():
                hardware = name.endswith('hardware')
                self.assertEqual(line.count('--nic'), 2 if hardware else 0)
                self.assertEqual('--claims' in line, not hardware)
                self.assertIn(f'/{name.removesuffix("-2")} ', line.split('--results')[1])

    def test_tests_of_each_kind_of_nic_have_a_guest_of_their_own(self):
        usual, gem = (tests.HARDWARE_TESTS / name for name in ('wire_capture.py', 'wire_macb.py'))
        found = self.guests(arguments.Options(kernels=['arm64']),
                            [usual, gem, tests.GUEST_TESTS / 'traffic.py'])
        for name, program, kind in (('arm64-hardware', usual, 'e1000'),
                                    ('arm64-cadence_gem', gem, 'cadence_gem')):
            programs, line = found.pop(name)
            self.assertEqual(programs, {program.name})
            self.assertEqual(line.count(f'--nic {kind}'), 2)
        self.assertEqual(list(found), ['arm64'])
        self.assertIn('cadence_gem', tests.obstacle('6.12', gem))
        # No other part of CI has these.
        self.assertEqual(set(parts.WIRES), {
            program.name for program in tests.programs_below(tests.HARDWARE_TESTS)
            if tests.nic_of(program) != tests.USUAL_NIC})
        for name, label in parts.WIRES.items():
            self.assertEqual(tests.obstacle(label, tests.HARDWARE_TESTS / name), '')

    def test_an_architecture_runs_the_tests_that_are_marked_for_it(self):
        for name, hardware in ('mipsel', {'wire_capture.py'}), ('s390x', set()):
            options = arguments.Options(kernels=[name])
            found = self.guests(options, tests.guest_programs(options, []))
            self.assertEqual(found.pop(f'{name}-hardware', (set(), ''))[0], hardware)
            usual = set.union(*(some for some, _ in found.values()))
            self.assertLessEqual({'traffic.py', 'wraps.py', 'torn_reads.py'}, usual)
            self.assertNotIn('faults.py', usual)
            self.assertIn(f'MACSTATS={shell.BUILD}/{name}/userspace/cli/macstats', found[name][1])

    def test_a_full_run_measures_rtnl_by_the_instruction_clock(self):
        found = self.guests(arguments.Options(full=True, kernels=['6.1']),
                            [self.FAULTS, self.NIC, self.SLEEPS])
        self.assertEqual({name: some for name, (some, _) in found.items()}, {
            '6.1': {'faults.py'}, '6.1-hardware': {'registers.py', 'e1000_resets.py'},
            '6.1-rtnl': {'faults.py'}, '6.1-hardware-rtnl': {'registers.py'}})
        for name, (_, line) in found.items():
            for word in '--icount', '--rtnl', 'preempt=none':
                self.assertEqual(word in line, name.endswith('rtnl'), name)
            self.assertEqual('MACSTATS_FULL=yes' in line, not name.endswith('rtnl'))
