#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""macstats run --backend wire: scenarios on the two ends of a cable, with real frames. Emulated
ports, which macstats serves, run them; a veth pair has no MAC. Bad input is an error before any
scenario, and the offloads are restored."""

import json
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading

import cli
from netdev import packet_socket, syscall
from ports import all_models, case_in_place
from tap import expect, expect_equal, main, wait_for

COLLECTION = pathlib.Path(__file__).resolve().parents[2] / 'scenario'
PR_CAPBSET_DROP, CAP_NET_ADMIN, CAP_NET_RAW = 24, 12, 13
NAME = 'a name'


def words(paths, ends, *more):
    names = zip(('mac', 'other'), ends)
    return [cli.MACSTATS, 'run', *map(str, paths), '--backend', 'wire',
            *(word for name, end in names for word in ('--port', f'{name}={end}')), *more]


def run(paths, ends, *more, **options):
    return cli.run(*words(paths, ends, *more), **options)


def report(paths, ends, *more):
    """(exit status, the report) of a run."""
    done = run(paths, ends, '--format', 'json', *more)
    expect(done.stdout, done.stderr)
    return done.returncode, json.loads(done.stdout)


def write(folder, steps, model='e1000', name='a.json'):
    path = pathlib.Path(folder, name)
    path.write_text(json.dumps(
        {'name': NAME, 'devices': {'mac': {'model': model}}, 'steps': steps}), encoding='utf-8')
    return path


def sent_and_expected(count, expected):
    """Steps: frames of 64 octets, and the total that is expected then."""
    return [{'send': {'port': 'mac', 'count': count}},
            {'expect': {'port': 'mac', 'totals': {'GPTC': expected}}}]


def offloads(name):
    """{feature: state} of those that ethtool can change."""
    lines = cli.output('ethtool', '-k', name).splitlines()[1:]
    return dict(line.strip().split(': ') for line in lines if '[' not in line)


def veth_pair(here):
    """The names of a pair that is up."""
    subprocess.run(['modprobe', 'veth'], check=False)
    with here.inside():
        before = {name for _, name in socket.if_nameindex()}
        here.links.add('veth')
        names = sorted({name for _, name in socket.if_nameindex()} - before)
        expect_equal(len(names), 2, 'ends of a veth pair')
        for name in names:
            here.links.up(socket.if_nametoindex(name))
    return names


@case_in_place
def good_frames_count_as_on_emulated_devices_for_each_model(here):
    for model in all_models():
        left, right = here.pair(model=model)
        with here.inside():
            status, found = report([COLLECTION / model], (left.name, right.name))
        for entry in found['scenarios']:
            for failure in entry.get('failures', []):
                print(f'# {entry["file"]}: {failure}')
        expect_equal(found['failed'], 0, f'{model}: failed scenarios')
        outcomes = {pathlib.Path(entry['file']).stem: entry['outcome']
                    for entry in found['scenarios']}
        # Control frames end in the MAC that receives them.
        for name in ('good_frames_transmitted', 'good_frames_received',
                     *(['good_control_frames_received'] if model == 'e1000' else [])):
            expect_equal(outcomes[name], 'passed', f'{model}: {name}')
        expect_equal(status, 0, 'exit status')
        skipped = [entry for entry in found['scenarios'] if entry['outcome'] == 'skipped']
        expect(all(entry['reason'] for entry in skipped), f'{model}: a skip without its reason')
        print(f'# {model}: {found["passed"]} passed, {found["skipped"]} skipped')
        left.delete()
        right.delete()


# 14 frames of 64 octets: 896 octets, and 840 without FCS.
@case_in_place
def tap_and_junit_report_a_difference(here):
    left, right = here.pair(model='e1000')
    with tempfile.TemporaryDirectory() as folder, here.inside():
        path = write(folder, [
            {'send': {'port': 'mac', 'count': 14}},
            {'expect': {'port': 'mac', 'totals': {'GPTC': 14, 'GOTC': 896},
                        'standard': {'rtnl': {'tx_bytes': 839}}}}])
        tap = run([path], (left.name, right.name))
        junit = run([path], (left.name, right.name), '--format', 'junit')
    expect_equal((tap.returncode, junit.returncode), (1, 1), 'exit statuses')
    for line in ('not ok 1 - a name', '      counter: "rtnl/tx_bytes"', '      expected: 839',
                 '      actual: 840'):
        expect(line in tap.stdout, f'{line!r} is not in {tap.stdout}')
    expect('rtnl/tx_bytes: expected 839, actual 840' in junit.stdout, junit.stdout)


@case_in_place
def two_devices_of_a_scenario_are_the_two_ends(here):
    left, right = here.pair(model='e1000')
    scenario = {
        'name': NAME, 'devices': {'mac': {'model': 'e1000'}, 'other': {'model': 'e1000'}},
        'steps': [
            {'send': {'port': 'mac', 'count': 5}},
            {'send': {'port': 'other', 'direction': 'rx', 'length': 100, 'count': 3}},
            {'expect': {'port': 'mac', 'totals': {
                'GPTC': 5, 'GOTC': 320, 'TPT': 5, 'TOT': 320, 'PTC64': 5}, 'others': 'zero'}},
            {'expect': {'port': 'other', 'totals': {
                'GPRC': 3, 'GORC': 300, 'TPR': 3, 'TOR': 300, 'PRC127': 3}, 'others': 'zero'}}]}
    with tempfile.TemporaryDirectory() as folder, here.inside():
        path = pathlib.Path(folder, 'two.json')
        path.write_text(json.dumps(scenario), encoding='utf-8')
        status, found = report([path], (left.name, right.name))
    expect_equal((status, found['scenarios'][0].get('failures')), (0, None), 'two devices')


@case_in_place
def offloads_are_off_during_the_run_and_restored_after_an_interrupt(here):
    left, right = here.pair(model='e1000')
    with tempfile.TemporaryDirectory() as folder, here.inside():
        usual = offloads(left.name)
        expect_equal(usual['generic-segmentation-offload'], 'on', 'before the run')
        # It expects a frame more, and waits for it.
        with subprocess.Popen(
                words([write(folder, sent_and_expected(3, 4))], (left.name, right.name)),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, env=cli.ENVIRONMENT) as process:
            wait_for(lambda: left.totals()['tx_good_frames'] >= 4, 'a probe and the frames')
            now = offloads(left.name)
            process.send_signal(signal.SIGINT)
            _, complaints = cli.finish(process)
        expect_equal((now['generic-segmentation-offload'], now['tx-checksumming']),
                     ('off', 'off'), 'during the run')
        expect_equal((process.returncode, complaints),
                     (1, 'macstats: interrupted; 1 of 1 scenarios did not end\n'), 'interrupted')
        expect_equal(offloads(left.name), usual, 'after the run')
        expect_equal(run([write(folder, sent_and_expected(3, 3))],
                         (left.name, right.name)).returncode, 0, 'exit status')
        expect_equal(offloads(left.name), usual, 'after another run')
        expect_equal(offloads(right.name), usual, 'at the other end')


@case_in_place
def offloads_are_restored_when_the_reader_of_the_report_ends_or_the_user_quits(here):
    left, right = here.pair(model='e1000')
    with tempfile.TemporaryDirectory() as folder, here.inside():
        usual = offloads(left.name)
        with subprocess.Popen(
                words([COLLECTION / 'e1000'], (left.name, right.name)), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                env=cli.ENVIRONMENT) as process:
            expect_equal(process.stdout.readline(), 'TAP version 13\n', 'the report')
            process.stdout.close()
            wait_for(lambda: process.poll() is not None, 'its end')
        expect(process.returncode != 0, 'success without a reader')
        expect_equal((offloads(left.name), offloads(right.name)), (usual, usual), 'no reader')
        with subprocess.Popen(
                words([write(folder, sent_and_expected(3, 4))], (left.name, right.name)),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=cli.ENVIRONMENT) as process:
            wait_for(lambda: offloads(left.name) != usual, 'the offloads to be off')
            process.send_signal(signal.SIGQUIT)
            wait_for(lambda: process.poll() is not None, 'its end')
        expect_equal(process.returncode, 1, 'exit status')
        expect_equal((offloads(left.name), offloads(right.name)), (usual, usual), 'SIGQUIT')


@case_in_place
def frames_of_others_are_named_where_the_comparison_fails(here):
    left, right = here.pair(model='e1000')
    arp = b'\xff' * 6 + b'\x02\0\0\0\0\x0c' + b'\x08\x06' + bytes(46)
    with tempfile.TemporaryDirectory() as folder, here.inside():
        packets = packet_socket(right.name)
        done = threading.Event()

        def disturb():
            while not done.wait(0.01):
                packets.send(arp)

        path = write(folder, [
            {'send': {'port': 'mac', 'direction': 'rx', 'count': 100}},
            {'expect': {'port': 'mac', 'totals': {'GPRC': 100}, 'others': 'zero'}}])
        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            status, found = report([path], (left.name, right.name))
        finally:
            done.set()
            thread.join()
            packets.close()
    expect_equal((status, found['failed']), (1, 1), 'a disturbed run')
    failure, = found['scenarios'][0]['failures']
    expect('EtherType 0x0806 from 02:00:00:00:00:0c' in failure['actual'], failure)


@case_in_place
def a_veth_pair_skips_every_scenario_with_the_reason(here):
    ends = veth_pair(here)
    with here.inside():
        status, found = report([COLLECTION / 'e1000'], ends, '--model', 'e1000')
    expect_equal((status, found['passed'], found['failed']), (0, 0, 0), 'a veth pair')
    outcomes = {pathlib.Path(entry['file']).stem: entry['reason'] for entry in found['scenarios']}
    expect_equal(outcomes['good_frames_received'],
                 f'{ends[0]} is a virtual interface (veth), which has no MAC', 'reason')


def rejected(here, ends, expected, *more, **options):
    with here.inside():
        done = run([COLLECTION / 'e1000/good_frames_received.json'], ends, *more, **options)
    expect_equal((done.returncode, done.stdout), (2, ''), done.stderr)
    expect(re.search(expected, done.stderr), f'{done.stderr!r} does not match {expected!r}')


def without(capability):
    return lambda: syscall('prctl', PR_CAPBSET_DROP, capability, 0, 0, 0)


@case_in_place
def bad_input_is_an_error_before_any_scenario(here):
    left, right = here.pair(model='e1000')
    ends = left.name, right.name
    rejected(here, (left.name, 'nosuch'), 'nosuch: there is no such interface')
    rejected(here, (left.name, left.name), 'two ports need different names and interfaces')
    rejected(here, (left.name, 'lo'), 'lo: not an Ethernet interface')
    rejected(here, (left.name,), 'needs --port twice')
    rejected(here, ends, 'this macstats has no model "nosuch"', '--model', 'nosuch')
    rejected(here, ends, f'--model cpsw: neither port is a cpsw: {left.name} is e1000, and '
             f'{right.name} is e1000', '--model', 'cpsw')
    rejected(here, ends, f'{left.name}: a packet socket requires CAP_NET_RAW',
             preexec_fn=without(CAP_NET_RAW))
    rejected(here, ends, f'{left.name}: switching offloads off requires CAP_NET_ADMIN',
             preexec_fn=without(CAP_NET_ADMIN))
    before = left.totals(), right.totals()
    right.down()
    rejected(here, ends, f'{right.name}: the interface is down; `ip link set {right.name} up`')
    right.up()
    expect_equal((left.totals(), right.totals()), before, 'totals')


@case_in_place
def two_interfaces_that_no_cable_connects_are_an_error(here):
    ends = veth_pair(here)
    others = veth_pair(here)
    rejected(here, (ends[0], others[0]),
             f'frames that {ends[0]} sends do not arrive at {others[0]}')
    lonely, left = here.add(model='e1000'), here.add(model='e1000')
    lonely.up()
    left.up()
    rejected(here, (lonely.name, left.name), f'{lonely.name}: the interface has no carrier')


main()
