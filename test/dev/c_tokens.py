# SPDX-License-Identifier: GPL-2.0
"""Functions in C and C++, and the changes of single tokens in them, without a parser: this
project's style is enough."""

import dataclasses
import re

from shell import Failure


@dataclasses.dataclass
class Function:
    name: str
    start: int       # of the definition in the text
    body: int        # of its '{'
    end: int         # behind its '}'
    arguments: list  # the names of the parameters; none in kernel style


HEAD = re.compile(r'^(?:MACSTATS_FN|constexpr)\s[^;{}#]*?\)\s*\{', re.MULTILINE)
# In kernel style. Functions that a macro defines have a backslash before the line's end.
KERNEL_HEAD = re.compile(r'^[a-z_][\w \t*]*?\b\w+\([^;{}#]*?\)\n\{', re.MULTILINE)
TEMPLATE = re.compile(r'template <[^;{}]*>\s*$')


def parameters(head):
    """The names of the parameters in the head of a function."""
    inside = head[head.index('(') + 1:head.rindex(')')]
    depth, words = 0, ['']
    for c in inside:
        depth += (c in '(<[') - (c in ')>]')
        if c == ',' and depth == 0:
            words.append('')
        else:
            words[-1] += c
    return [re.search(r'(\w+)\s*(?:\[\w*\])*\s*$', word.split('=')[0])[1]
            for word in words if word.strip()]


def functions(text, head_of=HEAD):
    """The functions that a file defines at the left margin, templates left out."""
    for head in head_of.finditer(text):
        if TEMPLATE.search(text[:head.start()]):
            continue
        end = text.index('\n}', head.end()) + 2
        name = re.search(r'(\w+)\s*\(', head[0])[1]
        yield Function(name, head.start(), head.end() - 1, end,
                       parameters(head[0]) if head_of is HEAD else [])


SWAPS = {
    '+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<': '<=', '<=': '<', '>': '>=', '>=': '>',
    '==': '!=', '!=': '==', '&&': '||', '||': '&&', '&': '|', '|': '&', '^': '|', '<<': '>>',
    '>>': '<<', '+=': '-=', '-=': '+=', '|=': '&=', '&=': '|=', '*=': '+=', '/=': '*=',
    '<<=': '>>=', '>>=': '<<='}
TOKEN = re.compile(r'''
    (?P<skip>/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | ^\s*\#[^\n]* |
             \b(?:static_assert|case|sizeof)\b[^;:)]*)
  | (?P<number>\b(?:0x[0-9a-fA-F]+|\d+)[uUlL]*\b)
  | (?P<word>\b\w+\b)
  | (?P<sign><<=|>>=|<=>|\+\+|--|->|&&|\|\||<<|>>|[-+*/%|&<>=!^]=|[-+*/%|&<>!^])
''', re.VERBOSE | re.DOTALL | re.MULTILINE)


def is_binary(text, start, end):
    """A pointer, a sign or an angle bracket has no blanks on both sides."""
    return text[start - 1].isspace() and text[end].isspace()


def number_plus(word, more):
    digits = word.rstrip('uUlL')
    return f'{int(digits, 0) + more}{word[len(digits):]}'


def closing(text, opening):
    """The place of the parenthesis that closes the one at @opening."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] == '(') - (text[i] == ')')
        if not depth:
            return i
    raise Failure('mutants: a parenthesis is not closed')


def changes(text, first, last):
    """(start, end, replacement) of each single-token change between two places."""
    for found in TOKEN.finditer(text, first, last):
        start, end = found.span()
        word = found[0]
        if found['number']:
            yield start, end, number_plus(word, 1)
            if int(word.rstrip('uUlL'), 0):
                yield start, end, number_plus(word, -1)
        elif word in ('true', 'false'):
            yield start, end, 'false' if word == 'true' else 'true'
        elif word == 'continue':
            yield start, end, 'break'
        elif word == 'if' and text[end:end + 2] == ' (':
            close = closing(text, end + 1)
            condition = text[end + 2:close]
            if not re.search(r'[=<>!]|&&|\|\|', condition):
                yield end + 2, close, f'!({condition})'
        elif word == '!':
            yield start, end, ''
        elif word in SWAPS and found['sign'] and is_binary(text, start, end):
            yield start, end, SWAPS[word]
