#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each alert in docs/prometheus has a case for promtool that raises it and one that does not;
promtool agrees with all of them, if it is here. The guest test export.py runs it in any case. The
arithmetic of its page is right."""

import pathlib
import re
import shutil
import subprocess
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
RULES = ROOT / 'docs/prometheus/macstats.rules.yml'
CASES = ROOT / 'test/prometheus/macstats.test.yml'
README = ROOT / 'docs/prometheus/README.md'
PROMTOOL = shutil.which('promtool') or shutil.which(
    ROOT / 'build/kernel/prometheus/usr/bin/promtool')


class Alerts(unittest.TestCase):
    def test_each_alert_has_a_case_that_raises_it_and_one_that_does_not(self):
        rules = yaml.safe_load(RULES.read_text())
        alerts = {rule['alert'] for group in rules['groups'] for rule in group['rules']
                  if 'alert' in rule}
        raised, silent = set(), set()
        for test in yaml.safe_load(CASES.read_text())['tests']:
            series = len(test['input_series'])
            for case in test.get('alert_rule_test', ()):
                if case['exp_alerts']:
                    raised.add(case['alertname'])
                # Another port or host of the same case raises none.
                if not case['exp_alerts'] or len(case['exp_alerts']) < series:
                    silent.add(case['alertname'])
        self.assertGreater(len(alerts), 8)
        self.assertEqual(raised, alerts)
        self.assertEqual(silent, alerts)

    def test_each_recording_rule_has_a_case(self):
        rules = yaml.safe_load(RULES.read_text())
        self.assertEqual(
            {rule['record'] for group in rules['groups'] for rule in group['rules']
             if 'record' in rule},
            {case['expr'] for test in yaml.safe_load(CASES.read_text())['tests']
             for case in test.get('promql_expr_test', ())})

    @unittest.skipUnless(PROMTOOL, 'promtool is not here: install prometheus')
    def test_promtool_agrees(self):
        done = subprocess.run([PROMTOOL, 'test', 'rules', CASES], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(PROMTOOL, 'promtool is not here: install prometheus')
    def test_promtool_accepts_the_configurations(self):
        for name in ('agent.yml', 'central.yml'):
            done = subprocess.run([PROMTOOL, 'check', 'config', '--syntax-only',
                                   ROOT / 'docs/prometheus' / name],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Costs(unittest.TestCase):
    """docs/prometheus has the costs of a port, which the guest test fleet.py prints."""

    def test_the_arithmetic_of_a_large_fleet_follows_from_the_costs_of_a_port(self):
        text = ' '.join(README.read_text().split())
        costs = {name.split(',')[-1].strip(): (float(large.replace(',', '')),
                                               float(small.replace(',', '')))
                 for name, large, small in re.findall(
                     r'(?m)^\| ([^|]+) \| ([\d,.]+) \| ([\d,.]+) \|$', README.read_text())}
        self.assertEqual(list(costs), [
            'series', 'octets of a scrape', 'compressed', 'CPU of the exporter for a scrape',
            'CPU of an agent for a scrape', 'CPU of the central server for a scrape'])
        series, octets, compressed, exporter, agent, central = (
            small for _, small in costs.values())
        for name in ('CPU of an agent for a scrape', 'CPU of the central server for a scrape'):
            large, small = costs[name]
            self.assertAlmostEqual(small / (large * series / costs['series'][0]), 1, 3)
        samples = 200_000 * series / 15
        for expected in (
                f'200,000 ports × {series} = {200_000 * series / 1e6:.1f} million series',
                f'= {samples / 1e6:.2f} million samples a second',
                f'= {200_000 * octets / 15e6:.0f} MB of text a second, and '
                f'{200_000 * compressed / 15e6:.0f} MB compressed',
                f'= {100 * 2 * exporter / 15 / 100e6:.3f} % of one on each host',
                f'= {200_000 * agent / 15 / 100e6:.1f} for all agents',
                f'= {200_000 * central / 15 / 100e6:.1f} for the central servers',
                f'{samples * 86400 / 1e9:.0f} to {2 * samples * 86400 / 1e9:.0f} GB a day'):
            self.assertIn(expected, text)


if __name__ == '__main__':
    unittest.main()
