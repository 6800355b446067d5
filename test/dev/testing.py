# SPDX-License-Identifier: GPL-2.0
"""Shared by the tests of ./dev. With it, they can import the modules of test/vm."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys

from shell import ROOT

DEV = ROOT / 'dev'
sys.path += [str(ROOT / 'test/vm'), str(ROOT / 'test/vm/lib')]


def dev(*words, **environment):
    return subprocess.run([DEV, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, env=os.environ | environment)


def loaded(path):
    """A program of the project without .py, as a module."""
    name = path.rpartition('/')[2].replace('-', '_')
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
