#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev bench."""

import pathlib
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import bench  # noqa: E402
from bench import Row  # noqa: E402
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

    def test_native_rows_compare_each_model_with_its_peer(self):
        costs = {'count/m': 4, 'walk/m': 100, 'count_few/5': 3, 'count_few/58': 3.3,
                 'rewind/m': 1, 'bare/m': 2, 'accumulate/m': 4, 'send_steps': 100}
        rows = list(bench.native_rows(costs))
        self.assertEqual([round(row.figure, 9) for row in rows], [4, 25, 1.1, 3, 10])
        self.assertEqual([row.verdict for row in rows],
                         ['good', 'good', 'good', 'missed', 'good'])

    def test_rows_of_the_guest_compare_each_model_with_veth(self):
        costs = {'frame/veth': 100, 'frame/m': 105, 'frame/rc32438': 111, 'read/veth': 10,
                 'read/m': 30_000, 'read/rc32438': 30_001, 'link/veth': 10, 'link/m': 10,
                 'link/rc32438': 20, 'macstats models': 30, 'ethtool --version': 10,
                 'ioctls/100 ports': 100, 'show --json/100 ports': 150,
                 'ethtool -S/100 ports': 7500, 'export --textfile/100 ports': 300}
        self.assertEqual(
            [(row.what.partition(',')[0], row.verdict) for row in bench.guest_rows(costs)],
            [('a frame through a pair', 'good'), ('a frame through a pair', 'missed'),
             ('ETHTOOL_GSTATS with a poll', 'good'), ('ETHTOOL_GSTATS with a poll', 'missed'),
             ('RTM_GETLINK', ''), ('RTM_GETLINK', ''), ('macstats show --json', 'good'),
             ('macstats show --json', 'good'), ('macstats export --textfile', ''),
             ('start of macstats models', 'missed')])


class Tables(unittest.TestCase):
    def test_columns_are_as_wide_as_their_longest_cell(self):
        self.assertEqual(
            list(bench.table([Row('a frame', 'ns', 4431, 4104, 'veth', 1.05),
                              Row('b', 'ns', 7.126, goal=4)])),
            ['          ours   peer        ratio  goal',
             'a frame  4,431  4,104  veth   1.08  ≤ 1.05  missed',
             'b         7.13         ns           ≤ 4     missed'])


class Baselines(unittest.TestCase):
    def test_a_cost_that_has_grown_by_over_5_percent_is_named(self):
        self.assertEqual(bench.worse_than({'a': 100, 'b': 100, 'gone': 1}, {'a': 105, 'b': 106}),
                         ['b: 106 instructions, in the baseline 100'])


    def test_a_cost_that_is_too_much_fails_with_its_name(self):
        with mock.patch.object(bench.modules, 'build_userspace'), \
                mock.patch.object(bench, 'baseline', return_value={'a': 100, 'b': 100}), \
                mock.patch.object(bench, 'guest_costs', return_value={'a': 200, 'b': 201}):
            self.assertEqual(bench.grown(mock.Mock()),
                             ['b: 201 instructions, in the baseline 100'])

    def test_the_baseline_has_all_figures_of_the_rows(self):
        self.assertGreater(len(list(bench.guest_rows(bench.baseline()))), 20)


class Parts(unittest.TestCase):
    def test_an_unknown_part_is_an_error_before_anything_is_built(self):
        with mock.patch.object(bench.modules, 'build_userspace') as build:
            with self.assertRaisesRegex(Failure, 'native guest'):
                bench.bench(mock.Mock(), ['nothing'])
        build.assert_not_called()


if __name__ == '__main__':
    unittest.main()
