#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""docs/fidelity.md names only rows, registers, scenarios and tests that exist.

fidelity.py COMMAND SWEEPS: the macstats command, which prints the models, and the folder of the
scenarios that the build makes.
"""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / 'docs/fidelity.md').read_text()
COMMAND = ''
SWEEPS = Path()

HEADER = '| Clause | # | Meaning | Held by |'
MARKS = ('**Open**', 'Inferred', 'Not emulated')


def printed_model(name):
    """The names that a model has, as references to them; none if there is no such model."""
    done = subprocess.run([COMMAND, 'model', name, '--json'], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return set()
    model = json.loads(done.stdout)
    return {
        *(counter['name'] for counter in model['counters']),
        *(f'option:{option}' for option in model['options']),
        *(f'register:{register["name"]}' for register in model['registers']),
        *(f'field:{register["name"]}.{field["name"]}'
          for register in model['registers'] for field in register['fields'])}


def test_cases():
    """The test cases of test/unit, as references."""
    case = re.compile(r'BOOST_\w*TEST_CASE\(\s*(\w+)')
    return {f'test:{name}' for file in (ROOT / 'test/unit').rglob('*.cpp')
            for name in case.findall(file.read_text())}


def scenarios(model):
    return {f'scenario:{file.stem}' for folder in (ROOT / 'test/scenario', SWEEPS)
            for file in (folder / model).glob('*.json')}


def sections(page):
    """(model, text) of each section: its heading opens with the name of the model."""
    for part in re.split(r'^## ', page, flags=re.MULTILINE)[1:]:
        found = re.match(r'`(\w+)`: ', part)
        yield found[1] if found else '', part


def table(text):
    """The rows of a section's table, as lists of cells."""
    lines = text.partition(HEADER + '\n')[2].partition('\n\n')[0].splitlines()
    return [[cell.strip() for cell in line.strip().strip('|').split('|')] for line in lines[1:]]


def unknown(references, known):
    return [f'{reference} does not exist' for reference in references if reference not in known]


def wrong_numbers(rows):
    """Sentences are counted from 1 in each clause. A row without a clause continues the last."""
    clauses, following = set(), 0
    for clause, number, *_ in rows:
        if clause:
            if clause in clauses:
                yield f'{clause} appears again'
            clauses.add(clause)
            following = 1
        first, _, last = number.partition('-')
        if not re.fullmatch(r'\d+(-\d+)?', number) or int(first) != following:
            yield f'{clause or "row"}: {number} instead of {following}'
            return
        following = int(last or first) + 1


def problems(page):
    """Everything that is wrong with a page, as texts."""
    cases = test_cases()
    found = []
    for model, text in sections(page):
        rows = table(text)
        if not rows or any(len(row) != 4 for row in rows):
            found.append(f'{model}: no table, or not of four columns')
            continue
        known = NAMES.setdefault(model, printed_model(model)) | scenarios(model) | cases
        # Lists and introductions may quote other words, but no reference that is wrong.
        prefixed = re.findall(r'`((?:register|field|option|scenario|test):[^`]+)`', text)
        inside = [name for row in rows for cell in row for name in re.findall('`([^`]+)`', cell)]
        wrong = unknown(dict.fromkeys(prefixed + inside), known) + list(wrong_numbers(rows))
        wrong += [f'{row[2]} has no meaning or no holder' for row in rows
                  if not row[2] or not any(mark in row[3] for mark in (*MARKS, '`'))]
        found += [f'{model}: {problem}' for problem in wrong]
    return found


# The names of each model, printed once.
NAMES = {}


class Fidelity(unittest.TestCase):
    maxDiff = None

    def test_the_page_names_only_what_exists(self):
        self.assertEqual(problems(PAGE), [])

    def test_each_model_of_the_page_has_one_table(self):
        models = [model for model, _ in sections(PAGE)]
        self.assertEqual(len(models), len(set(models)))
        self.assertGreaterEqual(len(models), 5)
        self.assertEqual(PAGE.count(HEADER), len(models))

    def check_notices(self, old, new, problem):
        self.assertIn(old, PAGE)
        self.assertEqual(problems(PAGE.replace(old, new, 1)), [problem])

    def test_notices_a_row_that_does_not_exist(self):
        self.check_notices('`tx_st`', '`tx_stx`', 'll40g: tx_stx does not exist')

    def test_notices_a_row_of_another_model(self):
        self.check_notices('`tx_st`', '`tx_tbc`', 'll40g: tx_tbc does not exist')

    def test_notices_a_wrong_register_field_or_option(self):
        for old in ('register:TXSTAT_REVID', 'field:CNTR_TX_STATUS.paused', 'option:tx_statistics'):
            self.check_notices(f'`{old}`', f'`{old}x`', f'll40g: {old}x does not exist')

    def test_notices_a_scenario_that_does_not_exist(self):
        self.check_notices('`scenario:huge_frames`', '`scenario:huge`',
                           'rc32438: scenario:huge does not exist')

    def test_notices_a_sweep_that_is_not_made(self):
        name = 'scenario:sweep_tagged_frames'
        self.check_notices(f'`{name}`', f'`{name}x`', f'ixf1104: {name}x does not exist')

    def test_notices_a_scenario_of_another_model(self):
        self.assertIn('scenario:half_full', scenarios('cpsw'))
        self.check_notices('`scenario:huge_frames`', '`scenario:half_full`',
                           'rc32438: scenario:half_full does not exist')

    def test_notices_a_test_that_does_not_exist(self):
        name = 'test:a_pause_frame_that_a_mac_cannot_make_is_rejected'
        self.check_notices(f'`{name}`', f'`{name}x`', f'cpsw: {name}x does not exist')

    def test_notices_a_model_that_does_not_exist(self):
        self.assertNotEqual(problems(PAGE.replace('## `cpsw`', '## `cpswx`')), [])

    def test_notices_a_sentence_left_out_or_repeated(self):
        self.check_notices('|  | 16 |', '|  | 17 |', 'll40g: row: 17 instead of 16')
        self.check_notices('|  | 16 |', '|  | 15 |', 'll40g: row: 15 instead of 16')
        self.check_notices('| 4-6 |', '| 5-6 |', 'll40g: row: 5-6 instead of 4')

    def test_notices_a_clause_that_appears_again(self):
        self.check_notices('| LE | 1 |', '| CRC | 1 |', 'rc32438: CRC appears again')

    def test_notices_a_sentence_without_a_holder(self):
        text = ('## `cpsw`: page\n\n' + HEADER + '\n|---|---|---|---|\n| 1 | 1 | Meaning. | |\n\n')
        self.assertEqual(problems(text), ['cpsw: Meaning. has no meaning or no holder'])

    def test_notices_a_section_without_a_table(self):
        self.assertEqual(problems('## `cpsw`: page\n\ntext\n'),
                         ['cpsw: no table, or not of four columns'])


if __name__ == '__main__':
    COMMAND, SWEEPS = sys.argv[1], Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
