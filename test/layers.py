#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Checks that each file of a kernel module calls only files of the layers below it.

    test/layers.py

Reads the layers from the comments in kmod/provider/internal.h and kmod/emulator/emu.h.
Prints the calls that break them, and exits with 1 if there are any."""

import pathlib
import re
import sys

KMOD = pathlib.Path(__file__).resolve().parents[1] / 'kmod'


def layers_of(header):
    """The names of the files, lowest layer first."""
    comment = re.search(r'Layers, lowest first\.(.*?)\*/', header.read_text(), re.DOTALL)[1]
    return [name for line in re.findall(r'^ \*\t(\w+\.c(?: \w+\.c)*)\t', comment, re.MULTILINE)
            for name in line.split()]


def broken_calls(header):
    """(file, symbol, file of a higher layer) of each."""
    order = layers_of(header)
    known = sorted(path.name for path in header.parent.glob('*.c'))
    if sorted(order) != known:
        yield header.name, 'the layers', f'{known}'
        return
    sources = {name: re.sub(r'/\*.*?\*/', '', (header.parent / name).read_text(), flags=re.DOTALL)
               for name in order}
    owners = {}
    for name, source in sources.items():
        for symbol in re.findall(r'^(?!static|EXPORT)\w[\w *]*?\b(macstats_\w+)(?:\(|(?: __\w+)* =)',
                                 source, re.MULTILINE):
            owners.setdefault(symbol, name)
    for name, source in sources.items():
        for symbol in sorted(set(re.findall(r'\bmacstats_\w+', source))):
            owner = owners.get(symbol, name)
            if order.index(owner) > order.index(name):
                yield name, symbol, owner


def main():
    broken = 0
    for header in (KMOD / 'provider/internal.h', KMOD / 'emulator/emu.h'):
        for name, symbol, owner in broken_calls(header):
            print(f'{header.parent.name}/{name}: uses {symbol} of {owner}')
            broken = 1
    return broken


sys.exit(main())
