#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Drivers that conversions/ converts to the provider, on the bench, with what shows the defects of
the drivers of the kernel's tree in docs/drivers: each of their statistics is right."""

# driver bench
# Of the guest's clock, which goes on while it sleeps
# timeout: 36000

from bench import CONVERTED, require_bench
from bench_drivers import DRIVERS, MISSING, OWN, RIGHT, UNJUDGED
from driver_page import Page, values
from driver_result import measure
from ports import with_first_place
from tap import expect_equal, main

require_bench()

GOOD = [RIGHT], [OWN], [UNJUDGED], [MISSING]
# Half of what a register holds, at once, is faster than the line, which the provider takes for a
# reset.
TRIALS = 'open,frames,counters,down-up,readers,reset'
# Members of `ip -s`, which shows 0 for what is left out: those of stmmac stay counts of its
# descriptors, and an I210, which igb finds here, has no valid TNCRS.
ZEROS = {'stmmac': ('multicast', 'rx_frame_errors', 'tx_aborted_errors', 'tx_fifo_errors',
                    'tx_window_errors'), 'igb': ('tx_carrier_errors',)}


def case_of(name, modules):
    def function(here):
        page = Page(measure(here, DRIVERS[name], converted=modules, words=('--trials', TRIALS)))
        wrong = {statistic: verdict[0][0] for statistic, verdict in page.verdicts().items()
                 if verdict not in GOOD
                 and statistic not in {f'rtnl/{member}' for member in ZEROS.get(name, ())}}
        found = [(each, finding.trial, finding.what, *values(finding))
                 for each in (*wrong, *(f'-S {string}' for string in page.result.strings))
                 for finding in page.findings(each)]
        expect_equal((wrong, found), ({}, []), '(by the datasheet, of the driver, of the provider)')
    function.__name__ = f'all_statistics_of_{name}_are_right_converted'
    return with_first_place(function)


main(*(case_of(*each) for each in CONVERTED.items()))
