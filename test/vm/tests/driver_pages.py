#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Drivers of the kernel's tree on emulated registers show what docs/drivers says of them."""

# driver bench
# Of the guest's clock, which goes on while it sleeps
# timeout: 36000

from bench import require_bench
from bench_drivers import DRIVERS, differences
from driver_page import Page
from driver_result import measure
from ports import with_first_place
from tap import Failure, expect, main

require_bench()


def case_of(driver):
    def function(here):
        page = Page(measure(here, driver))
        lines, same_kernel = differences(driver.name, page.markdown())
        # A driver of another kernel may differ: its page is that of the one that it names.
        if not same_kernel:
            for line in lines:
                print(f'# {line}')
            return
        for defect in page.defects:
            expect(page.evidence(defect['shown']), f'not shown: {defect["defect"]}')
        if lines:
            raise Failure('\n'.join([*lines, 'if that is right: ./dev bench-driver --renew']))
    function.__name__ = f'the_page_of_{driver.name}_is_what_it_shows'
    return with_first_place(function)


# The others have a guest each: page_test() of test/dev/bench_driver.py.
main(*(case_of(driver) for driver in DRIVERS.values() if not driver.alone))
