#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the lists of exceptions."""

import sys
import unittest

sys.dont_write_bytecode = True
import reasons  # noqa: E402
import shell  # noqa: E402


class Reasons(unittest.TestCase):
    def read(self, text):
        return list(reasons.entries(text, 'list.txt'))

    def test_an_entry_ends_with_the_next_one_an_empty_line_or_a_comment(self):
        self.assertEqual(self.read('# a comment\n\na\nb\n  why,\n\tin two lines\nc\n  so\n# d\n'), [
            (['a', 'b'], 'why, in two lines'), (['c'], 'so')])
        self.assertEqual(self.read('\n# nothing\n   \n'), [])

    def test_an_entry_has_lines_and_a_reason(self):
        for text in ('a\n', 'a\n\n  why\n', '  why\n', 'a\n# b\n  why\n', 'a\n  why\nb\n'):
            with self.subTest(text), self.assertRaisesRegex(shell.Failure, 'list.txt'):
                self.read(text)

    def test_lines_are_compared_without_their_indentation(self):
        self.assertEqual(reasons.squeeze('\ta =  1;\n'), 'a = 1;')


if __name__ == '__main__':
    unittest.main()
