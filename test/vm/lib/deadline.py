# SPDX-License-Identifier: GPL-2.0
"""Time limits in seconds of an idle machine. They follow the speed of this one."""

import os
import time

# Nothing that a test waits for takes so long, also on a loaded machine: it hangs.
HANG_SECONDS = 300
# This number of rounds of a loop takes twice as long in an idle guest. An emulated CPU that
# shares a CPU of the host sometimes has it alone for a tenth of a second.
ROUNDS, ROUNDS_SECONDS = 400_000, 0.08
# A machine that is slow now and then is measured so often, with pauses, before a limit counts.
SAMPLES, PAUSE_SECONDS = 4, 0.25

# run-all passes these to the tests: the slowness of its kernel, and that of the machine with
# this kernel, measured before the program started.
FACTOR = float(os.environ.get('MACSTATS_SLOW_FACTOR', '1'))
SLOW = float(os.environ.get('MACSTATS_SLOW', '1'))


def slowness():
    """How many times slower than expected this machine is now."""
    work = ROUNDS
    started = time.monotonic()
    while work:
        work -= 1
    return max(1, (time.monotonic() - started) / ROUNDS_SECONDS)


def slowest():
    """The slowness in the worst of some moments from now on."""
    worst = slowness()
    for _ in range(SAMPLES - 1):
        time.sleep(PAUSE_SECONDS)
        worst = max(worst, slowness())
    return worst


class Deadline:
    """A deadline, which moves if the machine has become slower."""

    def __init__(self, seconds=HANG_SECONDS, slow=SLOW, factor=FACTOR):
        self.started, self.seconds, self.slow, self.factor = time.monotonic(), seconds, slow, factor

    def left(self):
        """The seconds that are left; 0 or less when the time is over."""
        ended = self.started + self.seconds * self.slow
        if time.monotonic() >= ended:
            self.slow = max(self.slow, self.factor * slowest())
            ended = self.started + self.seconds * self.slow
        return ended - time.monotonic()
