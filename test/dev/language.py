# SPDX-License-Identifier: GPL-2.0
"""./dev lint language: one word for one thing. Finds words and names in place of which the
glossary below has another one."""

import fnmatch
import re

from shell import ROOT, project_files

CHECKED = ('*.c', '*.h', '*.cpp', '*.hpp', '*.py', '*.sh', '*.cmake', '*CMakeLists.txt',
           '*Kbuild', '*.md', '*.yaml', '*.yml', 'dev', 'test/vm/*', 'test/distribution/*',
           'test/packages/*', 'test/fuzz/run', '.ci/run', 'userspace/documents/page')
# They quote the words.
QUOTING = ('test/dev/language.py', 'test/dev/test_language.py')

GLOSSARY = (
    (r'(?<!connection\x20)(?<![a-z])refus(?:e|es|ed|ing|als?)(?![a-z])', 'reject, rejection'),
    (r'(?<!pcie\x20)(?<!pci\x20)(?<!physical\x20)(?<!pcs\x20)(?<![a-z])lanes?(?![a-z])',
     'per-CPU cells, a cell set'),
    (r'(?<![a-z])news(?![a-z])', 'event, notification'),
    (r'described counters?', 'software counter'),
    (r'standard homes?|homes? of (?:a|the|each) counters?', 'standard statistic'),
    (r'(?:a|the|one|any|each|every|its) sorts? of', 'class, kind'),
)


def findings(path, text):
    """The findings of one file, as text."""
    found = []
    for pattern, instead in GLOSSARY:
        for match in re.finditer(pattern.replace(' ', r'[\s/*#]+'), text, re.IGNORECASE):
            line = text.count('\n', 0, match.start()) + 1
            found.append((line, f'{path}:{line}: {" ".join(match[0].split())}: '
                                f'use instead: {instead}'))
    return [finding for _, finding in sorted(found)]


def check():
    """Prints `file:line: phrase: use instead: ...`. True if there are no findings."""
    clean = True
    for path in project_files():
        if path in QUOTING or path.startswith('LICENSES/') or \
                not any(fnmatch.fnmatch(path, pattern) for pattern in CHECKED):
            continue
        try:
            text = (ROOT / path).read_text(encoding='utf-8')
        except UnicodeDecodeError:
            continue
        for finding in findings(path, text):
            clean = False
            print(finding)
    return clean
