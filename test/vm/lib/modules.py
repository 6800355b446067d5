# SPDX-License-Identifier: GPL-2.0
"""Loads the kernel modules as with-modules does."""

import os
import pathlib
import subprocess


def parameters(module):
    """The parameters with which with-modules loads a module of this file name."""
    usual = os.environ.get('MACSTATS_PARAMETERS', '')
    return usual.split() if pathlib.Path(module).name == 'macstats.ko' else []


def insmod(module, *more):
    subprocess.run(['insmod', module, *parameters(module), *more], check=True)
