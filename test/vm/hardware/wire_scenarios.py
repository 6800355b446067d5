#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The scenarios of e1000 on the wire of two NICs, with the driver of the kernel's tree and with the
converted one: those that good frames can express pass, apart from two that meet errata of QEMU."""

import json
import pathlib

import cli
import nics
from tap import case, expect, expect_equal, main

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / 'scenario/e1000'
PASS = {'ethtool_names', 'good_frames_transmitted', 'random_power_up'}
# {scenario: counters that QEMU's errata change, see lib/capture.py}. The command receives all
# multicast frames.
ERRATA = {
    # broadcast_as_multicast
    'good_frames_received': {'rx_multicast', 'rx_broadcast', 'rtnl/multicast',
                             'eth-mac/BroadcastFramesReceivedOK'},
    # no_flow_control
    'good_control_frames_received': {
        'rx_xoff', 'rx_unsupported_flow_control', 'rx_good_frames', 'rx_good_octets',
        'rx_64_octets', 'rx_multicast', 'pause/rx_pause_frames', 'rtnl/rx_packets',
        'rtnl/rx_bytes', 'rtnl/multicast', 'eth-ctrl/MACControlFramesReceived',
        'eth-ctrl/UnsupportedOpcodesReceived'},
}


def check(driver, *more):
    with driver.loaded() as found:
        nics.bring_up(*found)
        done = cli.run(cli.MACSTATS, 'run', str(SCENARIOS), '--backend', 'wire', '--format', 'json',
                       '--port', f'mac={found[0].name}', '--port', f'other={found[1].name}', *more)
        expect(done.stdout, done.stderr)
    by_outcome = {}
    for scenario in json.loads(done.stdout)['scenarios']:
        name = pathlib.Path(scenario['file']).stem
        by_outcome.setdefault(scenario['outcome'], set()).add(name)
        for failure in scenario.get('failures', []):
            expect(failure['subject'] in ERRATA.get(name, ()), f'{name}: {failure}')
    print(f'# {({outcome: len(names) for outcome, names in by_outcome.items()})}')
    expect_equal(by_outcome.get('passed'), PASS, 'scenarios that pass')
    expect_equal(by_outcome.get('failed'), set(ERRATA), 'scenarios that meet an erratum')


@case
def scenarios_run_on_ports_that_macstats_does_not_serve():
    check(nics.Driver(), '--model', 'e1000')


@case
def scenarios_run_on_the_converted_driver():
    check(nics.Driver(converted=True))


main()
