#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev lint language."""

import sys
import unittest

sys.dont_write_bytecode = True
import language  # noqa: E402


class Language(unittest.TestCase):
    def test_a_finding_names_place_phrase_and_replacement(self):
        self.assertEqual(language.findings('a.md', 'One.\nIt refuses.\n'),
                         ['a.md:2: refuses: use instead: reject, rejection'])

    def test_names_and_words_across_lines_are_found(self):
        for text in ('int emu_lane(int plane);', 'bool is_refused();',
                     '/* A described\n * counter. */', '# each sort of frame'):
            with self.subTest(text):
                self.assertEqual(len(language.findings('a.c', text)), 1)

    def test_other_meanings_pass(self):
        for text in ('Connection refused', 'int plane;', 'ECONNREFUSED', 'a PCIe lane'):
            with self.subTest(text):
                self.assertEqual(language.findings('a.c', text), [])


if __name__ == '__main__':
    unittest.main()
