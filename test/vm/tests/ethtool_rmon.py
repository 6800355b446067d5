#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's own selftest of histograms, drivers/net/hw/ethtool_rmon.sh, passes
unmodified on linked ports of each MAC that has them, and says of the others
that they do not."""

# long
# timeout: 1800

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from ports import bring_up, with_place  # noqa: E402
from tap import Failure, case, expect, expect_equal, main  # noqa: E402

REPO = pathlib.Path(__file__).resolve().parents[3]
SELFTEST = REPO / 'build/kernel/source/tools/testing/selftests/drivers/net/hw/ethtool_rmon.sh'
# Its packet generator sends without pauses between frames, which an emulated
# machine spends most of its time with.
GENERATOR = '#!/bin/bash\nexec mausezahn "${@/10us/0}"\n'
KSFT_PASS = 0
VERDICT = re.compile(r'TEST: (?P<what>.*?) +\[ *(?P<verdict>\w+) *\]')

# The lengths for which the datasheets have a register in each direction. RC32438
# has none, and CPSW counts both directions together.
BUCKETS = ('64to64', '65to127', '128to255', '256to511', '512to1023', '1024to1518', '1519to')
WITH_HISTOGRAMS = ('ll40g', 'll40g_agilex5', 'ixf1104')
WITHOUT = ('rc32438', 'cpsw')


def generator():
    path = pathlib.Path('mausezahn-at-once').resolve()
    path.write_text(GENERATOR)
    path.chmod(0o755)
    return str(path)


class Selftest:
    """It runs on two linked ports of a model, until its verdicts are asked for."""

    def __init__(self, here, model):
        if not SELFTEST.exists():
            raise Failure(f'{SELFTEST} is missing: test/vm/kernel fetch source')
        self.model = model
        left, right = here.add(model, quiet=False), here.add(model, quiet=False)
        left.link(right)
        bring_up(left, right)
        self.ports = left.name, right.name
        # The ports are there already, and have a carrier.
        environment = {**os.environ, 'NETIF_CREATE': 'no', 'WAIT_TIME': '0', 'MZ': generator()}
        with here.inside():
            self.process = subprocess.Popen(
                [SELFTEST, *self.ports], cwd=SELFTEST.parent, env=environment, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def verdicts(self):
        """(text, verdict) of each test."""
        output = self.process.communicate()[0]
        expect_equal(self.process.returncode, KSFT_PASS, f'{self.model}: {output}exit status')
        return [(match['what'], match['verdict']) for match in VERDICT.finditer(output)]


def run_together(here, models):
    return [(test, test.verdicts()) for test in [Selftest(here, model) for model in models]]


@case
@with_place
def it_passes_on_linked_ports_of_macs_with_histograms(here):
    expected = [f'{direction}-pkts{bucket}' for direction in ('rx', 'tx') for _ in range(2)
                for bucket in BUCKETS]
    for test, found in run_together(here, WITH_HISTOGRAMS):
        expect_equal([verdict for _, verdict in found], ['OK'] * len(expected),
                     f'{test.model}: {found}')
        for (what, _), start in zip(found, expected):
            expect(what.startswith(start), f'{test.model}: {what} is not {start}')


@case
@with_place
def it_finds_no_histograms_where_the_mac_has_no_counters_for_them(here):
    for test, found in run_together(here, WITHOUT):
        expect_equal(found, [(f'{port} does not support {direction} histogram counters', 'XFAIL')
                             for direction in ('rx', 'tx') for port in test.ports], test.model)


main()
