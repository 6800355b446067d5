# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The comments of a model's header: the one that opens it, and those in front of rows."""

import re

COMMENT = re.compile(r'/\*(?!\s*SPDX)(.*?)\*/', re.DOTALL)
ROW = re.compile(r'\s*[A-Z0-9_]+\(\s*(?:[A-Z]+,\s*)?"([^"]+)"')
REMARKABLE = re.compile(r'\berratum|\berrata|\binferred|\bmisprint|\bmanual\b|\bguide\b|\bdatasheet\b',
                        re.IGNORECASE)


def plain(comment):
    """The lines of a comment without its stars."""
    return '\n'.join(re.sub(r'^\s*\* ?', '', line).rstrip()
                     for line in comment.strip().splitlines()).strip()


def paragraphs(text):
    """Paragraphs and lists, each in one line; an item of a list begins with '- '."""
    result = []
    for block in re.split(r'\n\s*\n', plain(text)):
        for part in re.split(r'\n(?=- )', block):
            result.append(' '.join(part.split()))
    return result


def opening(source):
    """The paragraphs of the comment that opens a header."""
    return paragraphs(COMMENT.search(source)[1])


def of_rows(source):
    """{name of a row, as in ethtool -S or a register: its comment}"""
    notes = {}
    for found in COMMENT.finditer(source):
        row = ROW.match(source, found.end())
        if row:
            notes[row[1]] = ' '.join(paragraphs(found[1]))
    return notes


def others(source):
    """Comments elsewhere that are about what a datasheet states or leaves open."""
    comments = list(COMMENT.finditer(source))[1:]
    return [' '.join(paragraphs(found[1])) for found in comments
            if REMARKABLE.search(found[1]) and not ROW.match(source, found.end())]
