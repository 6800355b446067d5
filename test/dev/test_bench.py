# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev bench and of the costs that ./dev test compares: none that is too much passes."""

import unittest
from unittest import mock

import bench
import bench_rows
from shell import Failure


class Figures(unittest.TestCase):
    def test_a_row_of_each_model_compares_it_with_its_peer_and_its_goal(self):
        costs = {'count/m': 4, 'walk/m': 100, 'count_few/5': 3, 'count_few/58': 3.3,
                 'rewind/m': 1, 'bare_add/m': 2, 'accumulate/m': 4,
                 'frames by threads/1': 100, 'frames by threads/2': 180,
                 'frame/veth': 100, 'frame/m': 106, 'frame/n': 116}
        rows = bench_rows.rows_of(costs)
        self.assertEqual([round(row.figure, 9) for row in rows],
                         [4, 25, 1.1, 1.8, 3, 0.04, 1.06, 1.16])
        self.assertEqual([row.verdict for row in rows],
                         ['good', '', 'good', 'missed', '', '', 'good', 'missed'])
        self.assertGreater(len(bench_rows.rows_of(bench.baseline()['guest'])), 20)

    def test_two_threads_count_twice_what_one_counts_in_its_time_of_cpu(self):
        report = {'benchmarks': [
            {'aggregate_name': 'median', 'run_name': f'frames by threads/threads:{threads}',
             'cpu_time': 7, 'frames_per_second': 1e8} for threads in (1, 2)]}
        self.assertEqual(bench.native_costs_in(report),
                         {'frames by threads/1': 100, 'frames by threads/2': 200})

    def test_the_exponent_is_that_of_the_larger_half_and_of_three_sizes_at_least(self):
        for costs, line in (
                ({size: size ** 1.2 for size in (1, 10, 100)},
                 'make ports, 1 to 100: exponent 1.20 from 1 on, goal ≤ 1.05, missed'),
                ({1: 100, 2: 100, 4: 7, 8: 14, 16: 28},
                 'make ports, 1 to 16: exponent 1.00 from 4 on, goal ≤ 1.05, good'),
                ({1: 1, 10: 10}, 'make ports: an exponent needs 3 sizes, not 2')):
            self.assertEqual(list(bench_rows.growth(
                {f'make ports/{size}': cost for size, cost in costs.items()})), [line])


class Baseline(unittest.TestCase):
    def grown(self, **costs):
        parts = {name: (name, each) for name, each in costs.items()}
        with mock.patch.object(bench.modules, 'build_userspace'), \
                mock.patch.object(bench, 'baseline',
                                  return_value={name: {'a': 100, 'b': 100} for name in parts}), \
                mock.patch.multiple(bench, IN_CI=list(parts), PARTS=bench.PARTS | parts):
            return bench.grown(mock.Mock())

    def test_a_cost_that_is_too_much_fails_with_its_name_and_so_does_a_part(self):
        self.assertEqual(self.grown(guest=lambda *_: {'a': 200, 'b': 201},
                                    hardware=lambda *_: {'a': 201, 'c': 999}),
                         ['b: 201 instructions, in the baseline 100',
                          'a: 201 instructions, in the baseline 100'])
        with self.assertRaisesRegex(Failure, 'no guest'):
            self.grown(guest=mock.Mock(side_effect=Failure('no guest')))
