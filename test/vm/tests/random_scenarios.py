#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Random scenarios on the kernel modules agree with the slow reference of each MAC. A failure
prints the shortest scenario file that shows it."""

# architectures
# timeout: 2400
# long

import os
import pathlib
import subprocess
import zlib

import effort
from cli import MACSTATS, macstats_json
from ports import devices_on_bus
from tap import case, expect, expect_equal, main, wait_for

PROGRAM = pathlib.Path(MACSTATS).parents[2] / 'test/random/random-scenarios'
# Of each MAC.
COUNT = 100 if effort.FOREIGN else 10_000 if effort.FULL else 100 if effort.CHECKED else 240
# Each kernel has a seed of its own.
SEED = effort.seed() * 1000 + zlib.crc32(os.environ.get('KERNEL', '').encode()) % 1000
REFERENCES = pathlib.Path(__file__).resolve().parents[2] / 'reference'


def shares():
    """The models that have a reference, for two concurrent processes with about the same number
    of ports."""
    models = [model for model in macstats_json('models')
              if (REFERENCES / f'{model["name"]}_reference.hpp').exists()]
    both = [], []
    for model in sorted(models, key=lambda model: -model['ports']):
        min(both, key=lambda share: sum(one['ports'] for one in share)).append(model)
    return [[model['name'] for model in share] for share in both]


@case
def random_scenarios_agree_with_the_references():
    running, both = [], shares()
    for share in both:
        words = [word for model in share for word in ('--model', model)]
        running.append(subprocess.Popen(
            [PROGRAM, '--backend', 'kernel', '--count', str(COUNT), '--seed', str(SEED), *words],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    for process, share in zip(running, both):
        output = process.communicate()[0]
        print(*(f'# {line}' for line in output.splitlines()), sep='\n')
        expect(process.returncode == 0, f'exit status {process.returncode}')
        expect_equal(output.count('\nok '), len(share), 'models')
    wait_for(lambda: not devices_on_bus(), f'the end of {devices_on_bus()}')


main()
