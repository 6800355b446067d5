#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev bench."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import arguments  # noqa: E402
import bench  # noqa: E402
import bench_growth  # noqa: E402
import bench_rows  # noqa: E402
from bench_rows import Row  # noqa: E402
from shell import Failure  # noqa: E402


class Rows(unittest.TestCase):
    def test_a_goal_limits_the_ratio_to_the_peer_or_else_the_cost(self):
        for row, verdict in (
                (Row('a', 'ns', 15, 10, goal=1.5), 'good'),
                (Row('a', 'ns', 15.1, 10, goal=1.5), 'missed'),
                (Row('a', 'ns', 4, goal=4), 'good'),
                (Row('a', 'ns', 4.1, goal=4), 'missed'),
                (Row('a', 'ns', 200, 10, goal=20, at_least=True), 'good'),
                (Row('a', 'ns', 199, 10, goal=20, at_least=True), 'missed'),
                (Row('a', 'ns', 1, 1), '')):
            with self.subTest(row=row):
                self.assertEqual(row.verdict, verdict)

    def test_a_row_of_each_model_compares_it_with_its_peer(self):
        costs = {'count/m': 4, 'walk/m': 100, 'count_few/5': 3, 'count_few/58': 3.3,
                 'rewind/m': 1, 'bare_add/m': 2, 'accumulate/m': 4, 'send_steps': 100}
        rows = bench_rows.rows_of(costs)
        self.assertEqual([round(row.figure, 9) for row in rows], [4, 25, 1.1, 3, 0.04, 10])
        self.assertEqual([row.verdict for row in rows],
                         ['good', 'good', 'good', 'missed', '', 'good'])

    def test_a_peer_is_no_model_and_a_model_may_have_another_goal(self):
        costs = {'frame/veth': 100, 'frame/m': 106, 'frame/rc32438': 106, 'polling/m': 4e7}
        self.assertEqual([(row.what, row.figure, row.verdict) for row in bench_rows.rows_of(costs)],
                         [('a frame through a pair, m', 1.06, 'missed'),
                          ('a frame through a pair, rc32438', 1.06, 'good'),
                          ('polling 1,000 ports, m', 4, 'missed')])


class Natives(unittest.TestCase):
    def test_two_threads_count_twice_what_one_counts_in_its_time_of_cpu(self):
        report = {'benchmarks': [
            {'aggregate_name': 'median', 'run_name': f'frames by threads/threads:{threads}',
             'cpu_time': 7, 'frames_per_second': 1e8} for threads in (1, 2)]}
        self.assertEqual(bench.native_costs_in(report),
                         {'frames by threads/1': 100, 'frames by threads/2': 200})


class Growth(unittest.TestCase):
    def test_the_exponent_is_that_of_the_power_that_the_costs_follow(self):
        for power in 0, 0.5, 1, 2:
            points = [(size, 7 * size ** power) for size in (1, 3, 10, 1000)]
            self.assertAlmostEqual(bench_growth.exponent(points), power)

    def test_a_series_that_grows_faster_than_its_goal_is_missed(self):
        costs = {f'make ports/{size}': size ** 1.2 for size in (1, 10, 100)}
        self.assertEqual(list(bench_growth.lines(costs)),
                         ['make ports, 1 to 100: exponent 1.20 from 1 on, goal ≤ 1.05, missed'])

    def test_the_exponent_is_that_of_the_larger_half_and_of_three_sizes_at_least(self):
        points = [(1, 100), (2, 100), (4, 7), (8, 14), (16, 28)]
        self.assertAlmostEqual(bench_growth.growth(points), 1)
        self.assertEqual(bench_growth.larger_half(points), points[-3:])
        self.assertEqual(bench_growth.larger_half(points[-4:]), points[-3:])

    def test_two_sizes_have_no_exponent_and_no_plot(self):
        costs = {f'make ports/{size}': size for size in (1, 10)}
        self.assertEqual(list(bench_growth.lines(costs)),
                         ['make ports: an exponent needs 3 sizes, not 2'])
        for plot in bench_growth.PLOTS:
            self.assertEqual(bench_growth.script(plot, costs, 'a.svg'), '')

    def test_each_series_in_a_guest_has_sizes_enough_for_an_exponent(self):
        costs = bench.baseline()['growth']
        for plot in bench_growth.PLOTS:
            for series in plot.series:
                if points := series.points(costs):
                    with self.subTest(series.name):
                        self.assertGreaterEqual(len(points), bench_growth.FEWEST)


class Tables(unittest.TestCase):
    def test_columns_are_as_wide_as_their_longest_cell(self):
        self.assertEqual(
            list(bench_rows.table([Row('a frame', 'ns', 4431, 4104, 'veth', 1.05),
                              Row('b', 'ns', 7.126, goal=4)])),
            ['          ours   peer        ratio  goal',
             'a frame  4,431  4,104  veth   1.08  ≤ 1.05  missed',
             'b         7.13         ns           ≤ 4     missed'])


class Baselines(unittest.TestCase):
    def test_a_cost_that_has_grown_by_over_5_percent_is_named(self):
        self.assertEqual(bench.worse_than({'a': 100, 'b': 100, 'gone': 1}, {'a': 105, 'b': 106}),
                         ['b: 106 instructions, in the baseline 100'])

    def test_native_code_that_is_over_25_percent_slower_beside_its_peer_is_named(self):
        before = {'count a frame, all counters of a model': 1, 'gone': 1,
                  'the same, beside a walk over its rows: times faster, m': 20}

        def lines(all_counters, walk):
            return bench.worse_ratios(before, {
                'count_few/58': all_counters, 'count_few/5': 100, 'walk/m': walk, 'count/m': 4,
                'send_steps': 1e9})
        self.assertEqual(lines(125, 64), [])
        self.assertEqual(lines(126, 64), [
            'count a frame, all counters of a model: ratio 1.26, in the baseline 1'])
        self.assertEqual(lines(125, 63.9), [
            'the same, beside a walk over its rows: times faster, m: ratio 16, in the baseline 20'])

    def test_a_ratio_that_does_not_repeat_has_no_baseline(self):
        costs = {'accumulate/m': 5, 'bare_add/m': 1.2, 'rewind/m': 1, 'walk/m': 100}
        self.assertEqual(bench.kept_of('native', costs),
                         {'add a value to its total, beside a walk over the rows, m': 0.05})

    def grown(self, **costs):
        """The lines of CI, where each figure of the baseline is 100."""
        def measured(name):
            def measure(_options, preset):
                self.assertEqual(preset, bench.modules.PRESET)
                return costs[name]
            return measure
        with mock.patch.object(bench.modules, 'build_userspace'), \
                mock.patch.object(bench, 'baseline',
                                  return_value={name: {'a': 100, 'b': 100} for name in costs}), \
                mock.patch.object(bench, 'SHORT', {name: measured(name) for name in costs}):
            return bench.grown(mock.Mock())

    def test_a_cost_that_is_too_much_fails_with_its_name(self):
        self.assertEqual(self.grown(guest={'a': 200, 'b': 201}, ports={'a': 201, 'c': 999}),
                         ['b: 201 instructions, in the baseline 100',
                          'a: 201 instructions, in the baseline 100'])

    def test_ci_measures_all_parts_in_a_guest_except_the_growth(self):
        self.assertEqual(set(bench.SHORT), {name for name, part in bench.PARTS.items()
                                            if part.guest} - {'growth'})

    def test_ci_compares_no_time_in_which_the_guest_waits(self):
        with mock.patch.object(bench.modules, 'fetch'), \
                mock.patch.object(bench, 'guest_run',
                                  return_value={'scenario': 9, 'scenario, CPU': 1}):
            self.assertEqual(bench.few_port_costs(mock.Mock(), ''), {'scenario, CPU': 1})

    def test_ci_does_not_compare_the_start_of_a_command_that_shares_its_libraries(self):
        with mock.patch.object(bench, 'call_costs',
                               return_value={'macstats models': 9, 'ethtool --version': 1}):
            self.assertEqual(bench.SHORT['guest'](mock.Mock(), 'ci'), {'ethtool --version': 1})

    def test_a_part_of_ci_that_fails_is_not_left_out(self):
        def fail(_options, _preset):
            raise Failure('no guest')
        with mock.patch.object(bench.modules, 'build_userspace'), \
                mock.patch.object(bench, 'SHORT', {'ports': fail}), \
                self.assertRaisesRegex(Failure, 'no guest'):
            bench.grown(mock.Mock())

    def test_only_the_parts_that_were_measured_are_renewed_and_without_native_times(self):
        before = {'guest': {'a': 1, 'gone': 2}, 'ports': {'b': 3}}
        native = {'count/m': 4.5, 'walk/m': 100, 'send_steps': 99}
        self.assertEqual(
            bench.renewed(before, {'native': native, 'guest': {'a': 1234.56, 'd': 5.67},
                                   'growth': {'make ports/4': 8, 'poll by counters/5': 9,
                                              'count frames/1000': 10}}),
            {'native': {'the same, beside a walk over its rows: times faster, m': 22.2},
             'guest': {'a': 1235, 'd': 5.7}, 'ports': {'b': 3}, 'growth': {'make ports/4': 8}})

    def run_bench(self, *words, fails=()):
        """Runs ./dev bench with a figure in each part. Returns the baseline after it."""
        def cost(name):
            def measure(_options):
                if name in fails:
                    raise Failure(f'no {name}')
                return {'count_few/5': 10, 'count_few/58': 11} if name == 'native' else {'a': 200}
            return measure
        parts = {name: bench.Part('', cost(name), guest=name != 'native')
                 for name in ('native', 'guest', 'ports')}
        with tempfile.TemporaryDirectory(dir=bench.ROOT / 'build') as folder, \
                mock.patch.multiple(bench, PARTS=parts, BASELINE=pathlib.Path(folder, 'b.json'),
                                    RESULTS=pathlib.Path(folder, 'r.json'),
                                    PLOTS=pathlib.Path(folder)), \
                mock.patch.object(bench.packages, 'need'), \
                mock.patch.object(bench.modules, 'build_userspace'), \
                mock.patch.object(bench.modules, 'build_all_modules'), \
                contextlib.redirect_stdout(io.StringIO()):
            bench.BASELINE.write_text('{"guest": {"a": 100}, "ports": {"a": 100}}')
            try:
                bench.bench(*arguments.parse('bench', words))
            except Failure:
                pass
            return bench.baseline()

    def test_a_run_changes_the_baseline_on_request_and_for_its_parts(self):
        old = {'guest': {'a': 100}, 'ports': {'a': 100}}
        self.assertEqual(self.run_bench('guest'), old)
        self.assertEqual(self.run_bench('--renew', 'guest'), old | {'guest': {'a': 200}})
        native = {'native': {'count a frame, all counters of a model': 1.1}}
        self.assertEqual(self.run_bench('--renew', 'native'), old | native)
        self.assertEqual(self.run_bench('--renew'),
                         {'guest': {'a': 200}, 'ports': {'a': 200}} | native)

    def test_a_run_that_fails_leaves_the_baseline(self):
        self.assertEqual(self.run_bench('--renew', fails=('ports',)),
                         {'guest': {'a': 100}, 'ports': {'a': 100}})

    def test_the_baseline_has_all_figures_of_the_rows(self):
        self.assertGreater(len(bench_rows.rows_of(bench.baseline()['guest'])), 20)

    def test_a_part_that_became_slower_is_named_by_its_own_rule(self):
        before = {'native': {'count a frame, all counters of a model': 1}, 'guest': {'a': 100}}
        results = {'native': {'count_few/5': 100, 'count_few/58': 126}, 'guest': {'a': 106}}
        output = io.StringIO()
        with mock.patch.multiple(bench, baseline=lambda: before, save=mock.Mock()), \
                mock.patch.object(bench.bench_growth, 'draw'), contextlib.redirect_stdout(output):
            bench.report(results)
        self.assertIn('all counters of a model: ratio 1.26, in the baseline 1\n', output.getvalue())
        self.assertIn('a: 106 instructions, in the baseline 100\n', output.getvalue())


class Parts(unittest.TestCase):
    def test_an_unknown_part_is_an_error_before_anything_is_built(self):
        with mock.patch.object(bench.modules, 'build_userspace') as build:
            with self.assertRaisesRegex(Failure, 'native guest'):
                bench.bench(arguments.Options(), ['nothing'])
        build.assert_not_called()

    def test_a_part_that_fails_leaves_the_figures_of_those_before_it(self):
        def fail(_options):
            raise Failure('no guest')
        parts = {'native': bench.Part('', lambda _: {'a': 1}, guest=False),
                 'guest': bench.Part('', fail, guest=False)}
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(bench, 'PARTS', parts), \
                mock.patch.object(bench, 'RESULTS', pathlib.Path(folder, 'new/results.json')), \
                mock.patch.object(bench.packages, 'need'), \
                mock.patch.object(bench.modules, 'build_userspace'):
            with self.assertRaisesRegex(Failure, 'no guest'):
                bench.bench(arguments.Options(), [])
            self.assertEqual(json.loads(bench.RESULTS.read_text())['native'], {'a': 1})


if __name__ == '__main__':
    unittest.main()
