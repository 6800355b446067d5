#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree on emulated registers show what docs/drivers says of them."""
# Of the guest's clock, which goes on while it sleeps
# timeout: 36000

import difflib
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from bench import require_bench  # noqa: E402
from bench_drivers import DRIVERS, PAGES  # noqa: E402
from driver_page import Page  # noqa: E402
from driver_result import measure  # noqa: E402
from ports import with_first_place  # noqa: E402
from tap import Failure, expect, main  # noqa: E402

require_bench()


def case_of(driver):
    def function(here):
        page = Page(measure(here, driver))
        for defect in page.defects:
            expect(page.evidence(defect['shown']), f'not shown: {defect["defect"]}')
        committed = (PAGES / f'{driver.name}.md').read_text()
        differences = list(difflib.unified_diff(
            committed.splitlines(), page.markdown().splitlines(), 'docs/drivers', 'this run',
            lineterm='', n=0))
        # A driver of another kernel may differ: its page is that of the one that it names.
        if differences and page.kernel in committed:
            raise Failure('\n'.join([*differences, 'if that is right: ./dev bench-driver --renew']))
        for line in differences:
            print(f'# {line}')
    function.__name__ = f'the_page_of_{driver.name}_is_what_it_shows'
    return with_first_place(function)


# The kernel's log ends a run of the others: ./dev bench-driver.
main(*(case_of(driver) for driver in DRIVERS.values() if not driver.alone))
