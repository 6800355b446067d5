# SPDX-License-Identifier: GPL-2.0
"""How much the random tests and those under load do. ./dev test sets the variables."""

import os
import platform
import random

from deadline import FACTOR

LONG, FULL = (bool(os.environ.get(f'MACSTATS_{word}')) for word in ('LONG', 'FULL'))
# A kernel that checks itself takes several times as long, and finds what others cannot.
CHECKED = FACTOR > 1 or os.environ.get('KERNEL', '').startswith('user-mode')
# A guest of another architecture runs a sample.
FOREIGN = platform.machine() != 'x86_64'


def count(variable, short, long, full, checked=None, foreign=None):
    """The number of rounds, frames or messages: that of the environment, or by the kind of
    the run. @checked: of a full run on a kernel that checks itself. @foreign: on another
    architecture."""
    if given := int(os.environ.get(variable, 0)):
        return given
    if FOREIGN and foreign:
        return foreign
    if FULL:
        return checked if CHECKED and checked else full
    return long if LONG else short


def seed():
    """$MACSTATS_SEED, or another one each time."""
    return int(os.environ.get('MACSTATS_SEED', 0)) or random.randrange(1, 1 << 32)
