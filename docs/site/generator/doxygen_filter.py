#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Prints a header of the library as Doxygen reads it.

In comments @name is an argument, as in kernel-doc, not a command of Doxygen. The declarations of
a header are a group, so that a page can contain them."""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / 'userspace/lib/include/libmacstats'
SPECIAL = re.compile(r'`[^`]*`|\\|@([A-Za-z_]+)')
BEGIN, END = 'namespace macstats {', '} // namespace macstats'


def group_of(path):
    """device_registers of libmacstats/device/registers.hpp"""
    return '_'.join(path.relative_to(FOLDER).with_suffix('').parts)


def as_text(found):
    """An argument as code; another backslash, so that one is shown; code as it is."""
    if found[1]:
        return f'`{found[1]}`'
    return '\\\\' if found[0] == '\\' else found[0]


def for_doxygen(text, group):
    lines = []
    for line in text.splitlines():
        code, mark, comment = line.partition('///')
        line = code + mark + SPECIAL.sub(as_text, comment)
        if line == BEGIN:
            line += f' /** @addtogroup {group} */ /** @{{ */'
        if line == END:
            line = f'/** @}} */ {line}'
        lines.append(line + '\n')
    return ''.join(lines)


if __name__ == '__main__':
    file = pathlib.Path(sys.argv[1]).resolve()
    print(for_doxygen(file.read_text(encoding='utf-8'), group_of(file)), end='')
