#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The selftest drivers/net/hw/ethtool_rmon.sh of the kernel passes unmodified on linked
ports of each MAC with histograms, and skips the other MACs."""

# long
# timeout: 1800

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import effort  # noqa: E402
from cli import macstats_json  # noqa: E402
from ports import bring_up, with_place  # noqa: E402
from tap import Failure, case, expect, expect_equal, main  # noqa: E402

REPO = pathlib.Path(__file__).resolve().parents[3]
SELFTEST = REPO / 'build/kernel/source/tools/testing/selftests/drivers/net/hw/ethtool_rmon.sh'
# Its packet generator sends without pauses, which takes most of the time of an emulated
# machine.
GENERATOR = '#!/bin/bash\nexec mausezahn "${@/10us/0}"\n'
KSFT_PASS = 0
SEED = effort.seed()
VERDICT = re.compile(r'TEST: (?P<what>.*?) +\[ *(?P<verdict>\w+) *\]')

# The size classes with a register in each direction; the last one of e1000 starts at 1024.
BUCKETS = ('64to64', '65to127', '128to255', '256to511', '512to1023', '1024to1518', '1519to')
BUCKETS_OF = {'e1000': (*BUCKETS[:5], '1024to')}
# The directions of which a MAC has them, by the datasheets: RC32438 has none, and CPSW counts
# both directions together.
DIRECTIONS = {'ll40g': ['rx', 'tx'], 'll40g_agilex5': ['rx', 'tx'], 'ixf1104': ['rx', 'tx'],
              'rc32438': [], 'cpsw': [], 'e1000': ['rx', 'tx']}


def directions_of_models():
    """{model: directions}, of the models in DIRECTIONS and of all others."""
    found = {model['name']: [direction for direction in ('rx', 'tx')
                             if any(f'rmon/{direction}-pktsNtoM' in row['standard']
                                    for row in model['counters'])]
             for model in macstats_json('models')}
    expect_equal({model: found.get(model) for model in DIRECTIONS}, DIRECTIONS, 'histograms')
    return found


def generator():
    path = pathlib.Path('mausezahn-at-once').resolve()
    path.write_text(GENERATOR)
    path.chmod(0o755)
    return str(path)


class Selftest:
    """The selftest on two linked ports of a model. It runs until its verdicts are read."""

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


def without(test, direction):
    """The verdicts about a direction without histogram."""
    return [(f'{port} does not support {direction} histogram counters', 'XFAIL')
            for port in test.ports]


def chosen(models):
    """One of them by the seed; all in a full run."""
    count = len(models) if effort.FULL else 1
    names = sorted(models)
    first = SEED % len(names)
    names = (names[first:] + names[:first])[:count]
    print(f'# of {len(models)} models: {" ".join(names)}')
    return {name: models[name] for name in names}


def run_together(here, models):
    return [(test, test.verdicts()) for test in [Selftest(here, model) for model in models]]


@case
@with_place
def the_selftest_passes_on_linked_ports_of_macs_with_histograms(here):
    models = chosen({model: has for model, has in directions_of_models().items() if has})
    for test, found in run_together(here, models):
        expected = []
        for direction in 'rx', 'tx':
            if direction in models[test.model]:
                expected += [(f'{direction}-pkts{bucket}', 'OK') for _ in test.ports
                             for bucket in BUCKETS_OF.get(test.model, BUCKETS)]
            else:
                expected += without(test, direction)
        expect_equal([verdict for _, verdict in found], [verdict for _, verdict in expected],
                     f'{test.model}: {found}')
        for (what, _), (start, _) in zip(found, expected):
            expect(what.startswith(start), f'{test.model}: {what} is not {start}')


@case
@with_place
def the_selftest_finds_no_histograms_on_macs_without_their_counters(here):
    models = chosen({model: has for model, has in directions_of_models().items() if not has})
    for test, found in run_together(here, models):
        expect_equal(found, without(test, 'rx') + without(test, 'tx'), test.model)


main()
