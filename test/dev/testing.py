# SPDX-License-Identifier: GPL-2.0
"""Shared by the tests of ./dev. With it, they can import the modules of test/vm."""

import contextlib
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
from unittest import mock

from shell import ROOT

DEV = ROOT / 'dev'
sys.path += [str(ROOT / 'test/vm'), str(ROOT / 'test/vm/lib')]


def dev(*words, **environment):
    return subprocess.run([DEV, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, env=os.environ | environment)


def write_programs(folder, texts):
    """Shell scripts {name: text}."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(f'#!/bin/sh\n{text}\n')
        (folder / name).chmod(0o755)


@contextlib.contextmanager
def programs(texts, only=False):
    """The folder of such scripts, which are found first, or are all that is found."""
    with tempfile.TemporaryDirectory() as name:
        write_programs(pathlib.Path(name), texts)
        path = name if only else f'{name}:{os.environ["PATH"]}'
        with mock.patch.dict(os.environ, PATH=path):
            yield pathlib.Path(name)


def loaded(path):
    """A program of the project without .py, as a module."""
    name = path.rpartition('/')[2].replace('-', '_')
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
