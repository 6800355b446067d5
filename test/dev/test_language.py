#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ./dev lint language."""

import sys
import unittest

sys.dont_write_bytecode = True
import language  # noqa: E402


class Language(unittest.TestCase):
    def phrases(self, path, text):
        return [(finding.line, finding.phrase) for finding in language.findings(path, text)]

    def test_an_opening_is_found_in_each_kind_of_comment(self):
        self.assertEqual(self.phrases('a.c', 'int a;\n/*\n * Who counts here must wait.\n */\n'),
                         [(3, 'Who counts here')])
        self.assertEqual(self.phrases('a.cpp', 'int a; // What a port holds.\n'),
                         [(1, 'What a port')])
        self.assertEqual(self.phrases('a.py', '"""Which ports are there."""\n'),
                         [(1, 'Which ports are')])
        self.assertEqual(self.phrases('a.sh', 'true\n# Whoever asks waits.\n'),
                         [(2, 'Whoever asks waits')])
        self.assertEqual(self.phrases('a.md', '# A\n\nWhat is not known.\n'), [(3, 'What is not')])

    def test_an_opening_is_found_behind_a_full_stop(self):
        self.assertEqual(self.phrases('a.c', '/* One. What it holds. */\n'), [(1, 'What it holds')])
        self.assertEqual(self.phrases('a.cpp', '// One.\n// What it holds.\n'),
                         [(2, 'What it holds')])

    def test_questions_headings_and_the_middle_of_a_sentence_pass(self):
        for path, text in (('a.c', '/* What did the request change? */'),
                           ('a.md', '## What works\n'), ('a.cpp', '// The port\n// What\n'),
                           ('a.c', '/* A row tells what it is. */')):
            with self.subTest(text):
                self.assertEqual(self.phrases(path, text), [])

    def test_words_are_found_in_texts_and_across_lines(self):
        self.assertEqual(self.phrases('a.cpp', 'f("refused: %s");'), [(1, 'refused')])
        self.assertEqual(self.phrases('a.c', '/* It was told\n * of it. */'), [(1, 'told of')])

    def test_code_in_pages_and_legitimate_uses_pass(self):
        for path, text in (('a.md', 'Run `say refused`.\n\n```\nrefused\n```\n'),
                           ('a.cpp', '// Connection refused'), ('a.c', 'int mind;'),
                           ('a.py', "f'{1 if a is None else 2}'"),
                           ('a.c', '/* The datasheet says 64. */')):
            with self.subTest(text):
                self.assertEqual(self.phrases(path, text), [])

    def test_identifiers_follow_the_glossary(self):
        self.assertEqual(self.phrases('a.c', 'int emu_lane(int plane);'), [(1, 'emu_lane')])
        self.assertEqual(self.phrases('a.cpp', 'bool is_refused();'), [(1, 'is_refused')])

    def test_a_finding_names_place_phrase_and_replacement(self):
        self.assertEqual(str(language.findings('a.md', 'It refuses.\n')[0]),
                         'a.md:1: refuses: use instead: reject, rejection')


if __name__ == '__main__':
    unittest.main()
