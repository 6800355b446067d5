#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Scenarios and the check of statistics on drivers of the kernel's tree, unmodified. Expected values
are those of driver_bench.py and docs/driver-bench.md."""

# driver bench
# The clock of user-mode Linux runs ahead while the command sleeps.
# timeout: 36000

import json
import pathlib
import subprocess
import tempfile

import cli
import schemas
from bench import hardware, macstats, on_bench, require_bench
from netdev import Namespace
from ports import Place, case_in_first_place
from tap import Failure, expect, expect_equal, main, wait_for

require_bench()

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / 'scenario'


class Checked:
    """The verdicts about a driver."""

    def __init__(self, nic, *words):
        done = macstats('check-driver', nic.name, '--json', *words)
        expect_equal(done.returncode, 1, done.stderr)
        report = json.loads(done.stdout)
        expect_equal(schemas.problem('check-driver', report), '', str(nic))
        expect_equal(report['failed'], [], str(nic))
        self.statistics = {f'{one["group"]}/{one["name"]}': one for one in report['statistics']}
        self.not_tried = report['not_tried']

    def are(self, verdict, *names):
        expect_equal({name: self.statistics[name]['verdict'] for name in names},
                     dict.fromkeys(names, verdict), verdict)

    def finding(self, name, trial):
        """(expected, actual, ...) of the first finding of a trial."""
        return next((one['expected'], one['actual'], one['counter'] or one['frames'])
                    for one in self.statistics[name]['findings'] if one['trial'] == trial)


@case_in_first_place
def the_defects_of_lan743x_are_found(here):
    with on_bench(here, 'lan743x', hardware(here, 'lan743x')) as nic:
        checked = Checked(nic)
    checked.are('wrong', 'rtnl/rx_packets', 'rtnl/rx_bytes', 'rtnl/tx_bytes', 'rtnl/rx_errors',
                'rtnl/multicast')
    checked.are('uncounted', 'rtnl/rx_crc_errors')
    checked.are('missing', 'rmon/etherStatsFragments', 'rmon/rx-pkts65to127')
    # 3 frames of 1024 octets: without the FCS they have 1020 each.
    expect_equal(checked.finding('rtnl/rx_bytes', 'frames')[:2], (3060, 3072), 'the FCS')
    # 3 times 2^21 frames of 1024 octets, less their FCS; the sum of the driver has 32 bits.
    expect_equal(checked.finding('rtnl/rx_bytes', 'wrap')[:2],
                 ((3 << 31) - (3 << 23), (3 << 31) % (1 << 32)), '32 bits')
    # 3 times 2^31 frames
    expect_equal(checked.finding('rtnl/rx_packets', 'wrap')[:2], (3 << 31, 1 << 31), 'a wrap')
    expected, actual, frames = checked.finding('rtnl/multicast', 'frames')
    expect_equal((expected, actual, frames['direction'], frames['destination']),
                 (0, 3, 'tx', 'multicast'), 'sent multicast frames')
    expected, actual, frames = checked.finding('rtnl/rx_errors', 'frames')
    expect_equal((expected, actual, frames['length'], frames['errors']), (3, 0, 40, ['fcs']),
                 'fragments')


@case_in_first_place
def the_receive_errors_of_igc_are_no_collisions(here):
    port = hardware(here, 'e1000e', options=['statistics', 'revision_4'])
    with on_bench(here, 'igc', port) as nic:
        checked = Checked(nic)
    checked.are('wrong', 'rtnl/collisions')
    checked.are('right', 'rtnl/multicast', 'rtnl/rx_missed_errors', 'rtnl/rx_frame_errors')
    expect_equal(checked.finding('rtnl/collisions', 'counters'), (0, 5, 'rx_receive_errors'),
                 'RERC')


@case_in_first_place
def macb_loses_counts_at_down(here):
    """2 frames of each class that are read, and 3 more."""
    of_half_duplex = 'eth-mac/SingleCollisionFrames', 'eth-mac/LateCollisions'
    with on_bench(here, 'macb', hardware(here, 'gem')) as nic:
        checked = Checked(nic)
    checked.are('lost', 'eth-mac/AlignmentErrors', 'rtnl/rx_fifo_errors')
    for name in 'eth-mac/AlignmentErrors', 'rtnl/rx_fifo_errors':
        expected, actual, _ = checked.finding(name, 'down-up')
        expect_equal((expected % 5, actual), (0, expected // 5 * 2), name)
    checked.are('untried', *of_half_duplex)
    why, = (line for line in checked.not_tried if line.startswith('counters: '))
    expect('late_collisions' in why and why.endswith(': in half duplex only'), why)
    port = hardware(here, 'gem', options=['statistics', 'half_duplex'])
    with on_bench(here, 'macb', port) as nic:
        Checked(nic, '--trials', 'frames').are('right', *of_half_duplex)


@case_in_first_place
def r8169_counts_missed_frames_in_16_bits(here):
    with on_bench(here, 'r8169', hardware(here, 'rtl_tally')) as nic:
        checked = Checked(nic)
    checked.are('wrong', 'rtnl/rx_missed_errors')
    # It shows what the hardware has counted since its last reset.
    checked.are('lost', 'eth-mac/FramesReceivedOK', 'eth-mac/FramesTransmittedOK')
    for name in 'eth-mac/FramesReceivedOK', 'eth-mac/FramesTransmittedOK':
        expect_equal([one['trial'] for one in checked.statistics[name]['findings']], ['reset'],
                     name)
    # 3 times 2^15
    expect_equal(checked.finding('rtnl/rx_missed_errors', 'wrap')[:2], (3 << 15, 1 << 15), 'a wrap')


@case_in_first_place
def the_check_is_a_table_for_people(here):
    with on_bench(here, '8139cp', hardware(here, 'rtl_tally')) as nic:
        done = macstats('check-driver', nic.name, '--model', 'rtl_tally')
    expect_equal(done.returncode, 0, done.stderr)
    lines = done.stdout.splitlines()
    expect_equal(lines[0], f'{nic.name}: the driver on registers of rtl_tally', 'title')
    expect(any(line.split()[:2] == ['rtnl/rx_missed_errors', 'uncounted'] for line in lines),
           done.stdout)


def run(nic, *files):
    done = macstats('run', '--backend', 'driver', '--port', f'mac={nic.name}', '--format', 'json',
                    *map(str, files))
    report = json.loads(done.stdout)
    expect_equal(schemas.problem('run', report), '', 'the report')
    return {pathlib.Path(one['file']).stem: one for one in report['scenarios']}


@case_in_first_place
def scenarios_run_on_a_driver(here):
    with on_bench(here, 'macb', hardware(here, 'gem')) as nic:
        done = run(nic, *(SCENARIOS / 'gem' / f'{name}.json' for name in (
            'good_frames_received', 'received_pause_frames', 'registers', 'late_collisions_at_100',
            'maximum_of_1518_octets')))
        expect_equal({name: one['outcome'] for name, one in done.items()},
                     {'good_frames_received': 'passed', 'received_pause_frames': 'failed',
                      'registers': 'skipped', 'late_collisions_at_100': 'skipped',
                      'maximum_of_1518_octets': 'skipped'}, 'outcomes')
        for name, reason in (('registers', 'reads a register'),
                             ('late_collisions_at_100', 'than the hardware of'),
                             # bit 8 of network_config
                             ('maximum_of_1518_octets', 'set registers with which it does not')):
            expect(reason in done[name]['reason'], done[name])
        expect(any('frames in memory: rtnl/rx_bytes, rtnl/rx_packets' in text
                   for text in done['good_frames_received']['not_compared']), done)
        # 10 pause frames, which IEEE 802.3 30.3.1.1.5 counts, are in a register of their own.
        failures = {one['subject']: (one['expected'], one['actual'])
                    for one in done['received_pause_frames']['failures']}
        expect_equal(failures, {'eth-mac/FramesReceivedOK': (58, 48)}, 'pause frames')


@case_in_first_place
def scenarios_compare_strings_that_show_a_counter(here):
    """altera_tse has no others that count frames."""
    with on_bench(here, 'altera_tse', hardware(here, 'altera_tse')) as nic, \
            tempfile.NamedTemporaryFile('w') as file:
        file.write(macstats('check-driver', nic.name, '--trials', 'frames', '--json').stdout)
        file.flush()
        # Down and up clears them.
        suspend = [{'fault': {'port': 'mac', 'name': 'suspend', 'active': active}}
                   for active in (True, False)]
        for more, outcome in ([], 'passed'), (suspend, 'failed'):
            text = json.dumps({
                'name': 'a string', 'devices': {'mac': {'model': 'altera_tse'}}, 'steps': [
                    {'send': {'port': 'mac', 'direction': 'rx', 'errors': ['fcs'], 'count': 3}},
                    *more,
                    {'expect': {'port': 'mac', 'totals': {'rx_frame_check_sequence_errors': 3}}}]})
            done = macstats('run', '--backend', 'driver', '--port', f'mac={nic.name}', '--format',
                            'json', '--strings', file.name, '-', input=text)
            one, = json.loads(done.stdout)['scenarios']
            expect_equal(one['outcome'], outcome, done.stdout)


@case_in_first_place
def a_loss_at_down_is_a_scenario(here):
    """The fault suspend is down and up. Nothing counts in between."""
    def scenario(model):
        def errors(count):
            return {'send': {'port': 'mac', 'direction': 'rx', 'errors': ['fcs'], 'count': count}}

        def suspend(active):
            return {'fault': {'port': 'mac', 'name': 'suspend', 'active': active}}
        return {'name': 'errors are not lost', 'devices': {'mac': {'model': model}}, 'steps': [
            errors(2), {'poll': {'port': 'mac'}}, errors(3), suspend(True), errors(7),
            suspend(False),
            {'expect': {'port': 'mac', 'standard': {'rtnl': {'rx_crc_errors': 5}}}}]}

    with on_bench(here, 'macb', hardware(here, 'gem')) as nic:
        text = json.dumps(scenario('gem'))
        done = macstats('run', '--backend', 'driver', '--port', f'mac={nic.name}', '--format', 'json',
                        '-', input=text)
        failure, = json.loads(done.stdout)['scenarios'][0]['failures']
        expect_equal((failure['subject'], failure['expected'], failure['actual']),
                     ('rtnl/rx_crc_errors', 5, 2), 'the defect')
        for backend in 'builtin', 'kernel':
            done = macstats('run', '--backend', backend, '-', input=text)
            expect_equal(done.returncode, 0, f'{backend}: {done.stdout}')


@case_in_first_place
def what_does_not_fit_is_rejected_with_a_reason(here):
    port, polled = hardware(here, 'lan743x'), here.add('gem')
    scenario = str(SCENARIOS / 'lan743x/good_frames_received.json')

    def rejects(name, reason, *words):
        for command in (('check-driver', name),
                        ('run', '--backend', 'driver', '--port', f'mac={name}', scenario)):
            done = macstats(*command, *words)
            expect_equal(done.returncode, 2, command)
            expect(f'{name}: {reason}' in done.stderr, done.stderr)

    rejects('eth7', 'there is no such interface in this network namespace')
    here.links.up(port.ifindex)
    rejects(port.name, 'no emulated port is behind it')
    with on_bench(here, 'lan743x', port) as nic:
        rejects(nic.name, 'it is no gem: the registers behind it are those of lan743x',
                '--model', 'gem')
        nic.down()
        rejects(nic.name, 'the interface is down')
        nic.up()
    with on_bench(here, 'macb', polled) as nic:
        rejects(nic.name, 'reads clear the counters of gem, and macstats polls them, too')
    # A bit of the MAC clears on read.
    with on_bench(here, 'stmmac', here.add('dwmac_mmc'), module='dwmac-generic') as nic:
        rejects(nic.name, 'reads clear the counters of dwmac_mmc, and macstats polls them, too')


@case_in_first_place
def a_port_in_another_network_namespace_is_rejected_with_a_reason(here):
    elsewhere = Place(Namespace())
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        port.move(elsewhere)
        done = macstats('check-driver', nic.name)
        expect_equal(done.returncode, 2, done.stderr)
        expect('which is behind it, is in another network namespace' in done.stderr, done.stderr)
        index = nic.ifindex
        here.links.move(index, elsewhere.namespace)
        with elsewhere.inside():
            elsewhere.links.up(index)
            done = macstats('check-driver', nic.name)
        expect_equal(done.returncode, 2, done.stderr)
        expect(f'{nic.name}: /sys shows another network namespace' in done.stderr, done.stderr)
        with elsewhere.inside():    # back to the first namespace
            cli.output('ip', 'link', 'set', port.name, 'netns', '1')
    elsewhere.close()


@case_in_first_place
def a_twin_has_the_same_registers(here):
    gem, unbounded, lan743x = (hardware(here, model) for model in ('gem', 'gem', 'lan743x'))
    other = hardware(here, 'gem', line_rate_bound=1)
    with on_bench(here, 'macb', gem) as nic:
        for twin, reason in (('lo', 'lo: '), (lan743x.name, 'it is no emulated gem'),
                             (unbounded.name, 'add it with `--line-rate-bound on`'),
                             (gem.name, 'reads clear its counters: it takes another gem')):
            done = macstats('check-driver', nic.name, '--twin', twin)
            expect_equal(done.returncode, 2, done.stderr)
            expect(reason in done.stderr, done.stderr)
        done = macstats('check-driver', nic.name, '--trials', 'frame')
        expect_equal(done.returncode, 2, done.stderr)
        expect('no trial `frame`; there are: open, frames, counters' in done.stderr, done.stderr)
        checked = Checked(nic, '--trials', 'down-up', '--twin', other.name)
        finding, = checked.statistics['rtnl/rx_crc_errors']['findings']
        expect_equal(finding['macstats'], finding['expected'], 'macstats')


def await_frames(port):
    """Until a check is under way"""
    wait_for(lambda: any(port.poll() or port.stats()['values']), 'frames of the check')


@case_in_first_place
def a_net_device_that_is_renamed_is_checked(here):
    """By its index, whatever it is called by now"""
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        with subprocess.Popen(
                [cli.MACSTATS, 'check-driver', nic.name, '--trials', 'down-up', '--json'],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                env=cli.ENVIRONMENT) as process:
            await_frames(port)
            cli.output('ip', 'link', 'set', nic.name, 'name', 'other')
            out, _ = process.communicate()
        expect_equal(json.loads(out)['failed'], [], 'failed')


@case_in_first_place
def a_nic_that_goes_ends_the_check_with_a_reason(here):
    port = hardware(here, 'lan743x')
    with on_bench(here, 'lan743x', port) as nic:
        with subprocess.Popen([cli.MACSTATS, 'check-driver', nic.name], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=cli.ENVIRONMENT) as process:
            await_frames(port)
            port.delete()
            out, errors = process.communicate()
        expect_equal((process.returncode, out), (2, ''), errors)
        expect(f'{nic.name}: ' in errors and 'No such device' in errors, errors)


@case_in_first_place
def a_driver_that_does_not_probe_is_explained(here):
    """The driver of another NIC"""
    try:
        with on_bench(here, 'lan743x', hardware(here, 'lan743x'), module='igc'):
            pass
    except Failure as failure:
        for part in ('lan743x: ', 'the driver makes a net device', 'the log:',
                     'the last accesses:'):
            expect(part in str(failure), f'{part}: {failure}')
    else:
        raise Failure('it probes')


main()
