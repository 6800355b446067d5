#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""No poll runs while the system is frozen. Skipped if the kernel cannot test its freezer,
which is a failure in CI."""

import os
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from ports import with_place  # noqa: E402
from tap import Failure, case, expect, expect_equal, main  # noqa: E402

PM_TEST, PM_STATE = pathlib.Path('/sys/power/pm_test'), pathlib.Path('/sys/power/state')
EXIT_SKIP = 4


def can_freeze():
    return PM_TEST.exists() and 'freezer' in PM_TEST.read_text()


@case
@with_place
def polls_stop_while_the_system_is_frozen(here):
    if not can_freeze():
        raise Failure('this kernel cannot test its freezer')
    port = here.add(quiet=False)
    port.set_poll_interval(10000)
    PM_TEST.write_text('freezer')
    before = port.stats(cached=True)['generation']
    started = time.monotonic()
    try:
        fd = os.open(PM_STATE, os.O_WRONLY)
        os.write(fd, b'freeze')
        os.close(fd)
    finally:
        PM_TEST.write_text('none')
    taken = time.monotonic() - started
    polls = port.stats(cached=True)['generation'] - before
    print(f'# {polls} polls in {taken:.1f} s')
    # The kernel keeps it frozen for 5 seconds. A hundred polls a second are due.
    expect(taken > 1, f'it was not frozen: {taken} s')
    expect(polls < 25 * taken, f'{polls} polls in {taken} s, most of which the system was frozen')
    port.inject(count=2)
    expect_equal(port.totals()['rx_st'], 2, 'a total afterwards')


if not can_freeze() and not os.environ.get('CI'):
    print('TAP version 13\n1..0 # SKIP this kernel cannot test its freezer')
    sys.exit(EXIT_SKIP)
main()
