#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The demonstration works, shows its results and leaves nothing behind."""

import pathlib

import cli
from ports import devices_on_bus
from tap import case, expect, expect_equal, main, wait_for

DEMO = pathlib.Path(__file__).resolve().parents[1] / 'demo.sh'
PROMISED = ('ethtool -S right0', '--groups eth-mac eth-ctrl rmon', 'ethtool -I -a', 'ip -s -s link',
            'ethtool -i', 'macstats show', '0% packet loss', 'rx_jabbers: 6', 'rx_pause_frames: 10',
            'etherStatsFragments: 3')


@case
def the_demonstration_shows_its_commands_and_results():
    done = cli.run(DEMO)
    expect_equal((done.returncode, done.stderr), (0, ''), 'exit status and errors')
    for text in PROMISED:
        expect(text in done.stdout, f'{text!r} is not in {done.stdout}')


@case
def the_demonstration_leaves_nothing_behind():
    wait_for(lambda: not devices_on_bus(), 'the end of the devices')
    expect_equal(cli.output('ip', 'netns', 'list'), '', 'network namespaces')


main()
