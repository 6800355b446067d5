#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Pages of the site show what the command prints: each block `console` in docs/site is run, with
the files that the page lets its reader save.

transcripts.py COMMAND: the macstats command
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / 'docs/site'
BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
SAVED = re.compile(r'[Ss]ave this as\s+`([\w.-]+)`:\s*\Z')
TIMES = re.compile(r'time="[\d.]+"|time=\d+ms')
COMMAND = ''


def sessions(text):
    """[(files that are saved before, command line, what it prints)]"""
    files, found = {}, []
    for block in BLOCK.finditer(text):
        saved = SAVED.search(text[:block.start()])
        if saved:
            files[saved[1]] = block[2]
        if block[1] == 'console':
            for session in re.split(r'^\$ ', block[2], flags=re.MULTILINE)[1:]:
                line, _, printed = session.partition('\n')
                found.append((dict(files), line, printed))
    return found


def run(folder, line):
    """The output of a command line there."""
    return subprocess.run(
        ['bash', '-c', f'macstats() {{ "{COMMAND}" "$@"; }}; {line}'], cwd=folder, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True).stdout


class Transcripts(unittest.TestCase):
    maxDiff = None

    def test_each_command_prints_what_its_page_shows(self):
        pages = {path: sessions(path.read_text(encoding='utf-8')) for path in SITE.rglob('*.md')}
        self.assertGreaterEqual(sum(map(len, pages.values())), 6)
        for path, found in pages.items():
            for files, line, printed in found:
                with self.subTest(path.name, line=line), tempfile.TemporaryDirectory() as folder:
                    for name, text in files.items():
                        pathlib.Path(folder, name).write_text(text, encoding='utf-8')
                    self.assertEqual(TIMES.sub('', run(folder, line)), TIMES.sub('', printed))

    def test_a_block_is_its_commands_with_the_files_saved_before(self):
        page = ('Save this as `a.json`:\n\n```json\n{}\n```\n\n```console\n$ x a.json\n1\n'
                '$ y\n```\n\n```sh\n$ no\n```\n')
        self.assertEqual(sessions(page), [({'a.json': '{}\n'}, 'x a.json', '1\n'),
                                          ({'a.json': '{}\n'}, 'y', '')])


if __name__ == '__main__':
    COMMAND = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
