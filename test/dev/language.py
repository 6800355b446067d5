# SPDX-License-Identifier: GPL-2.0
"""./dev lint language: finds retired openings and words in comments, texts and pages,
and retired identifiers. CONTRIBUTING.md has the rules."""

import bisect
import dataclasses
import fnmatch
import re

from shell import ROOT, project_files

CHECKED = ('*.c', '*.h', '*.cpp', '*.hpp', '*.py', '*.sh', '*.cmake', '*CMakeLists.txt',
           '*Kbuild', '*.md', '*.yaml', '*.yml', 'dev', 'test/vm/*', 'test/distribution/*',
           'test/packages/*', 'test/fuzz/run', '.ci/run', 'userspace/documents/page')
# This page lists the words; these files quote them.
QUOTING = ('test/dev/language.py', 'test/dev/test_language.py')

C_LIKE = ('.c', '.h', '.cpp', '.hpp')
PAGES = ('.md',)


@dataclasses.dataclass
class Rule:
    pattern: str
    instead: str
    allowed: tuple = ()  # patterns of what is legitimate around a match


# The sentence starts: a comment, a text, a paragraph, or what follows a full stop.
START = r'(?:\x01[ \t]{0,60}(?:\n[ \t]{0,60}){0,2}|\n[ \t]{0,60}\n[ \t]{0,60}|(?<=[a-z0-9)`"\'][.:;!?])[ \t]{0,60}(?:\n[ \t]{0,60}|[ \t]))'

OPENINGS = (
    Rule(START + r'(?P<hit>Who(?:ever|se)?\s+(?:\w+\s+)?\w+)', 'name the actor: caller, driver, reader'),
    Rule(START + r'(?P<hit>What(?:ever)?\s+(?:\w+\s+)?\w+)', 'name the subject first'),
    Rule(START + r'(?P<hit>Which(?:ever)?\s+(?:\w+\s+)?\w+)', 'name the subject first'),
    Rule(START + r'(?P<hit>The\s+same\s+for\s+(?:who|what|that|one)\b)', 'Like NAME, but ...'),
)

WORDS = (
    Rule(r'\b(?:tell|tells|told|telling)\s+(?:of|so)\b', 'report, announce'),
    Rule(r'\b(?:hear|hears|heard|hearing)\s+of\b', 'receive, learn'),
    Rule(r'\b(?:say|says|said|saying)\b', 'report, state, print',
         (r'\b(?:datasheet|standard|clause|RFC\s+\d+|page|comment)s?\s+(?:says?|said)\b',)),
    Rule(r'\bsuffer(?:s|ed|ing)?\b', 'support, have'),
    Rule(r'\b(?:let|lets|letting)\s+go\b', 'release, drop'),
    Rule(r'\b(?:take|takes|took|taken|taking)\s+into\s+use\b', 'use, apply'),
    Rule(r'\b(?:give|gives|gave|given|giving)\s+away\b', 'reveal, report'),
    Rule(r'\b(?:take|takes|took|taken)\s+away\b', 'reset, remove'),
    Rule(r'\b(?:begin|begins|began|begun)\s+anew\b', 'restart from a baseline'),
    Rule(r'\bminds?\b', 'check, require', (r'in\s+mind\b', r'\bnever\s+mind\b')),
    Rule(r'\b(?:refuse|refuses|refused|refusing|refusal|refusals)\b', 'reject, rejection',
         (r'[Cc]onnection\s+refused',)),
    # `is None` is Python.
    Rule(r'\b(?:is|are)\s+(?-i:none)\b', 'is rejected', (r'[Tt]here\s+(?:is|are)\s+none\b',)),
    Rule(r'\b(?:has|have|had)\s+got\b', 'has, supports'),
    Rule(r'\bnews\b', 'event, notification'),
    Rule(r'\blanes?\b', 'per-CPU cells, a cell set', (r'\b(?:PCIe?|physical|PCS)\s+lanes?\b',)),
    Rule(r'\b(?:a|the|one|any|each|every|its)\s+sorts?\s+of\b', 'class, kind'),
    Rule(r'\bdescribed\s+counters?\b', 'software counter'),
    Rule(r'\bstandard\s+homes?\b|\bhomes?\s+of\s+(?:a|the|each)\s+counters?\b',
         'standard statistic, standard mapping'),
    Rule(r'\baccounted\s+for,\s+and\s+said\b', 'detected and reported'),
)

IDENTIFIERS = (
    Rule(r'\b\w*refus(?:e|es|ed|al)(?=\b|_)\w*', 'reject, rejected'),
    Rule(r'\b(?:\w+_)?lanes?(?:_\w+)?\b', 'cpu_cells, cell_set'),
    Rule(r'\b(?:\w+_)?news(?:_\w+)?\b', 'event, notification'),
)


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    phrase: str
    instead: str

    def __str__(self):
        return f'{self.path}:{self.line}: {self.phrase}: use instead: {self.instead}'


class Mask:
    """A text of the same length in which all but what was kept is blank, and no space:
    long runs of spaces would make the patterns slow."""

    def __init__(self, text):
        self.text = text
        self.chars = ['\x02'] * len(text)

    def keep(self, start, end):
        self.chars[start:end] = self.text[start:end]

    def blank(self, start, end):
        for i in range(start, end):
            if self.chars[i] != '\n':
                self.chars[i] = ' '

    def mark(self, at):
        self.chars[at] = '\x01'

    def __str__(self):
        return ''.join(self.chars)


TOKEN_C = re.compile(r'''(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)
    |(?P<raw>R"\((?:.|\n)*?\)")|(?P<text>"(?:\\.|[^"\\\n])*")|(?P<char>'(?:\\.|[^'\\\n])+')''',
                     re.DOTALL | re.VERBOSE)
TOKEN_PYTHON = re.compile(r'''(?P<doc>"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\')|(?P<line>\#[^\n]*)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')''', re.VERBOSE)
TOKEN_SHELL = re.compile(r'''(?P<text>"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?P<line>(?:^|(?<=\s))\#[^\n]*)''',
                         re.VERBOSE | re.MULTILINE)


def _masks(text, token):
    """(prose, code) of a source file."""
    prose, code = Mask(text), Mask(text)
    code.keep(0, len(text))
    last_line_comment, last_end = -2, 0
    for found in token.finditer(text):
        start, end = found.span()
        code.blank(start, end)
        kind = found.lastgroup
        if kind == 'char':
            continue
        prose.keep(start, end)
        number = text.count('\n', 0, start)
        alone = not text[text.rfind('\n', 0, start) + 1:start].strip()
        # Quotes and comment signs are no text; a run of line comments is one text.
        width = {'doc': 3, 'block': 2}.get(kind, 1)
        prose.blank(start, start + width)
        if kind in ('doc', 'block', 'text'):
            prose.blank(end - (1 if kind == 'text' else width), end)
        if kind == 'line':
            for i in range(start, end):
                if text[i] not in '/#!':
                    break
                prose.blank(i, i + 1)
        if kind == 'line' and alone and last_line_comment == number - 1:
            prose.keep(last_end, start)
        else:
            prose.mark(start)
        if kind == 'line' and alone:
            last_line_comment, last_end = number, end
        if kind == 'block':
            for star in re.finditer(r'\n[ \t]*\*+', text[start:end - 2]):
                prose.blank(start + star.start() + 1, start + star.end())
    return str(prose), str(code)


def _page(text):
    """The prose of a page: without blocks of code and code in a line. A
    heading is no sentence."""
    mask = Mask(text)
    mask.keep(0, len(text))
    for found in re.finditer(r'^```.*?^```|`[^`\n]*`|\]\([^)\n]*\)', text, re.DOTALL | re.MULTILINE):
        mask.blank(*found.span())
    for found in re.finditer(r'^(?:[-*]|\d+\.|\|)(?=\s)', text, re.MULTILINE):
        mask.mark(found.start())
    return str(mask)


def masks(path, text):
    suffix = path[path.rfind('.'):] if '.' in path.rsplit('/', 1)[-1] else ''
    if suffix in C_LIKE:
        return _masks(text, TOKEN_C)
    if suffix in PAGES:
        return _page(text), ''
    first = text.split('\n', 1)[0]
    if suffix == '.py' or (first.startswith('#!') and 'python' in first):
        return _masks(text, TOKEN_PYTHON)
    return _masks(text, TOKEN_SHELL)


def _is_question(prose, start):
    end = re.compile(r'[.?!](?=[\s\x02]|$)|[\x01\x02]|\n[ \t]{0,60}\n').search(prose, start)
    return bool(end) and end[0] == '?'


def _is_allowed(rule, prose, start, end):
    return any(found.start() <= start and end <= found.end()
               for pattern in rule.allowed
               for found in re.compile(pattern).finditer(prose, max(0, start - 60), end + 60))


def findings(path, text):
    """The findings of one file, in the order of their lines."""
    prose, code = masks(path, text)
    breaks = [found.start() for found in re.finditer('\n', text)]
    result = set()

    def add(found, group, instead):
        start = found.start(group)
        phrase = ' '.join(found[group].split())
        result.add(Finding(path, bisect.bisect_left(breaks, start) + 1, phrase, instead))

    for rule in OPENINGS:
        for found in re.finditer(rule.pattern, prose):
            if not _is_question(prose, found.start('hit')):
                add(found, 'hit', rule.instead)
    for rule in WORDS:
        for found in re.finditer(rule.pattern, prose, re.IGNORECASE):
            if not _is_allowed(rule, prose, *found.span()):
                add(found, 0, rule.instead)
    for rule in IDENTIFIERS:
        for found in re.finditer(rule.pattern, code, re.IGNORECASE):
            add(found, 0, rule.instead)
    return sorted(result)


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
