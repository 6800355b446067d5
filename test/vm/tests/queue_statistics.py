#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Statistics by queue: the selftest drivers/net/stats.py of the kernel, unmodified, on a port of
each model. It passes, but for what a datasheet has not."""

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from ports import KERNEL_VERSION, bring_up, with_place  # noqa: E402
from tap import Failure, case, expect_equal, main, skip_all  # noqa: E402

SELFTEST = (pathlib.Path(__file__).resolve().parents[3] /
            'build/kernel/source/tools/testing/selftests/drivers/net/stats.py')
RESULT = re.compile(r'^(?P<verdict>ok|not ok) \d+ stats\.(?P<name>\w+)(?: # (?P<mark>\w+))?', re.M)
PASS, FAIL = ('ok', None), ('not ok', None)
# The MACs have no forward error correction.
EXPECTED = {'check_pause': PASS, 'check_fec': ('ok', 'XFAIL'), 'pkt_byte_sum': PASS,
            'qstat_by_ifindex': PASS, 'check_down': PASS}
# Its datasheet has no counter of pause frames, and the selftest requires one.
NO_PAUSE_STATISTICS = 'rc32438'

if KERNEL_VERSION < (6, 9):
    skip_all('this kernel has no statistics by queue')
if not SELFTEST.exists():
    raise Failure(f'{SELFTEST} is missing: test/vm/kernel fetch source')


@case
@with_place
def the_selftest_passes_but_for_counters_that_a_mac_lacks(here):
    for model in (model['name'] for model in here.models()):
        left, right = here.add(model), here.add(model)
        left.link(right)
        bring_up(left, right)
        with here.inside():
            done = subprocess.run(
                ['/usr/bin/python3', '-B', SELFTEST], env={**os.environ, 'NETIF': left.name},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, check=False)
        found = {match['name']: (match['verdict'], match['mark'])
                 for match in RESULT.finditer(done.stdout)}
        expected = EXPECTED | ({'check_pause': FAIL} if model == NO_PAUSE_STATISTICS else {})
        expect_equal(found, expected, f'{model}: {done.stdout}')
        expect_equal(done.returncode, int(FAIL in expected.values()), f'{model}: exit status')


main()
