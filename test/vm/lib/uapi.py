# SPDX-License-Identifier: GPL-2.0
"""The numbers and names of the netlink families, read from the headers that
define them. `uapi.MACSTATS_CMD_PORT_GET` is such a number."""

import pathlib
import re

HEADERS = pathlib.Path(__file__).resolve().parents[3] / 'shared/macstats'

_COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)
_ENUM = re.compile(r'\benum\s+(\w+)\s*\{(.*?)\}', re.DOTALL)
_DEFINE = re.compile(r'^#define[ \t]+(MACSTATS_\w+)[ \t]+("[^"]*"|0x[0-9a-f]+|\d+)(?:ull)?[ \t]*$',
                     re.MULTILINE)

_STANDARD = re.compile(r'\bX\([A-Z_]+, (\w+),')     # the rows of MACSTATS_STANDARD_LIST


def _read(header, names, enums):
    text = _COMMENT.sub('', (HEADERS / header).read_text())
    names.update((name, eval(value)) for name, value in _DEFINE.findall(text))
    for tag, body in _ENUM.findall(text):
        value = -1
        enums[tag] = {}
        for item in body.split(','):
            name, _, expression = (part.strip() for part in item.partition('='))
            if not name or not name.isidentifier():
                continue
            value = eval(f'({expression})', {}, names) if expression else value + 1
            names[name] = enums[tag][name] = value


def _read_all():
    names, enums = {}, {}
    for header in ('frame.h', 'schema.h', 'fault.h', 'netlink.h', 'netlink_emu.h', 'accumulator.h',
                   'standard.h'):
        _read(header, names, enums)
    standard = _STANDARD.findall((HEADERS / 'statistics.h').read_text())
    names.update(('MACSTATS_STD_' + name, place + 1) for place, name in enumerate(standard))
    return names, enums


NUMBERS, ENUMS = _read_all()    # by name; by the tag of the enum and name
globals().update(NUMBERS)


def number(prefix, word):
    """number('MACSTATS_FAULT_', 'parity_error') is MACSTATS_FAULT_PARITY_ERROR."""
    return NUMBERS[prefix + word.upper()]


def mask(prefix, words):
    return sum(number(prefix, word) for word in words)
