#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each alert in docs/prometheus has a case for promtool that raises it and one that does not;
promtool agrees with all of them, if it is here. The guest test export.py runs it in any case."""

import pathlib
import shutil
import subprocess
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
RULES = ROOT / 'docs/prometheus/macstats.rules.yml'
CASES = ROOT / 'test/prometheus/macstats.test.yml'
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


if __name__ == '__main__':
    unittest.main()
