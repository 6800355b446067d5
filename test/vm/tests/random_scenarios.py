#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Random scenarios on the kernel modules give what the slow reference of each MAC
says. A failure prints the shortest scenario file that shows it."""

# timeout: 2400
# long

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from cli import MACSTATS  # noqa: E402
from ports import devices_on_bus  # noqa: E402
from tap import case, expect, expect_equal, main, wait_for  # noqa: E402

PROGRAM = pathlib.Path(MACSTATS).parents[2] / 'test/random/random-scenarios'
# The guests of the two kernels, with seeds of their own, share ten thousand.
COUNT = 5000
SEED = {'6.1': 61, '6.12': 612}.get(os.environ.get('KERNEL'), 1)
# Two processes at once, with about the same to do: the last MAC has four ports.
SHARES = ('ll40g', 'll40g_agilex5', 'rc32438'), ('cpsw', 'ixf1104')


@case
def random_scenarios_give_what_the_references_say():
    running = []
    for share in SHARES:
        words = [word for model in share for word in ('--model', model)]
        running.append(subprocess.Popen(
            [PROGRAM, '--backend', 'kernel', '--count', str(COUNT), '--seed', str(SEED), *words],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    for process, share in zip(running, SHARES):
        output = process.communicate()[0]
        print(*(f'# {line}' for line in output.splitlines()), sep='\n')
        expect(process.returncode == 0, f'exit status {process.returncode}')
        expect_equal(output.count('\nok '), len(share), 'models')
    wait_for(lambda: not devices_on_bus(), f'the end of {devices_on_bus()}')


main()
