#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Runs all tests of ./dev: those of the files test_*.py beside this one."""

import os
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent


def load_tests(loader, *_):
    """unittest calls it."""
    return unittest.TestSuite(loader.loadTestsFromName(path.stem)
                              for path in sorted(HERE.glob('test_*.py'))
                              if path.name != pathlib.Path(__file__).name)


if __name__ == '__main__':
    for effort in 'MACSTATS_LONG', 'MACSTATS_FULL':  # that of ./dev which runs it, not of its tests
        os.environ.pop(effort, None)
    unittest.main()
