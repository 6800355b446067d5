# SPDX-License-Identifier: GPL-2.0
"""Shared by tests of programs."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
from unittest import mock

from shell import ROOT

DEV = ROOT / 'dev'


def dev(*words):
    return subprocess.run([DEV, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)


@contextlib.contextmanager
def programs(texts):
    """The folder of shell scripts {name: text}, which are found before other programs."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program, text in texts.items():
            (folder / program).write_text(f'#!/bin/sh\n{text}\n')
            (folder / program).chmod(0o755)
        with mock.patch.dict(os.environ, PATH=f'{name}:{os.environ["PATH"]}'):
            yield folder
