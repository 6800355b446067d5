#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""No poll runs while the system is frozen. Skipped if the kernel cannot test its freezer,
which is a failure in CI."""

import os
import pathlib
import time

from ports import case_in_place
from tap import Failure, expect, expect_equal, main, skip_all, wait_for

PM_TEST, PM_STATE = pathlib.Path('/sys/power/pm_test'), pathlib.Path('/sys/power/state')
# How long the kernel keeps the system frozen, in seconds of a loop that counts instructions. In an
# emulated guest one such second lasts 0.15 to 2.5 s of its clock, and may last longer the next time.
PM_TEST_DELAY = pathlib.Path('/sys/module/suspend/parameters/pm_test_delay')
LONG_ENOUGH_S = 3


def can_freeze():
    return PM_TEST.exists() and 'freezer' in PM_TEST.read_text()


def freeze():
    """Freezes the system. Returns how long that took, in seconds of the monotonic clock."""
    started = time.monotonic()
    PM_STATE.write_text('freeze')
    return time.monotonic() - started


@case_in_place
def polls_stop_while_the_system_is_frozen(here):
    if not can_freeze():
        raise Failure('this kernel cannot test its freezer')
    port = here.add(quiet=False)
    port.set_poll_interval(10000)
    before = port.stats(cached=True)['generation']
    wait_for(lambda: port.stats(cached=True)['generation'] > before + 10, 'polls before the freeze')
    PM_TEST.write_text('freezer')
    delay, taken = 5, 0
    try:
        while taken < LONG_ENOUGH_S:
            expect(delay < 1000, f'a delay of {delay / 2} s freezes the system for {taken:.2f} s')
            PM_TEST_DELAY.write_text(str(delay))
            before = port.stats(cached=True)['generation']
            taken = freeze()
            polls = port.stats(cached=True)['generation'] - before
            print(f'# {polls} polls in {taken:.1f} s, with a delay of {delay} s')
            delay *= 2
    finally:
        PM_TEST.write_text('none')
    # A hundred polls a second are due.
    expect(polls < 25 * taken, f'{polls} polls in {taken} s, most of which the system was frozen')
    port.inject(count=2)
    expect_equal(port.totals()['rx_st'], 2, 'a total afterwards')


if not can_freeze() and not os.environ.get('CI'):
    skip_all('this kernel cannot test its freezer')
main()
