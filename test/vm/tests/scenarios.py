#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""macstats run: both backends report the same for every scenario, written by hand or made by the
build (its target sweeps), of these those of half of the MACs if the run is not long. A run uses
only its own devices, and deletes them however it ends."""

import json
import os
import pathlib
import pty
import signal
import subprocess
import tempfile

import cli
import effort
from modules import insmod
from ports import case_in_place, devices_on_bus
from tap import case, expect, expect_equal, main, wait_for

COLLECTION = pathlib.Path(__file__).resolve().parents[2] / 'scenario'
SWEEPS = pathlib.Path(cli.MACSTATS).parents[2] / 'test/scenario'
KMOD = pathlib.Path(os.environ.get('KMOD_DIR', '.'), 'kmod')
NOBODY = 65534


def start(*paths, backend='kernel', report='json', **options):
    """A run under way, with its output in pipes."""
    return subprocess.Popen(
        [cli.MACSTATS, 'run', *paths, '--backend', backend, '--format', report],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=cli.ENVIRONMENT, **options)


def outcome(process):
    """(exit status, what is the same in every run of the report, complaints)."""
    output, complaints = cli.finish(process)
    report = json.loads(output) if output else {}
    report.pop('seconds', None)
    return process.returncode, report, complaints


def write(folder, name, steps, model='ixf1104'):
    path = pathlib.Path(folder, name)
    path.write_text(json.dumps(
        {'name': name, 'devices': {'mac': {'model': model}}, 'steps': steps}), encoding='utf-8')
    return path


def expecting(**members):
    return {'expect': {'port': 'mac', **members}}


@case_in_place
def scenarios_agree_on_both_backends(here):
    sweeps = sorted(SWEEPS.iterdir())
    if not effort.LONG:
        sweeps = sweeps[effort.seed() % 2::2]
    with here.inside():
        on_kernel = outcome(start(COLLECTION, *sweeps))
        on_builtin = outcome(start(COLLECTION, *sweeps, backend='builtin'))
    failed = [entry for entry in on_kernel[1]['scenarios'] if entry['outcome'] != 'passed']
    expect_equal(failed, [], 'in the kernel')
    expect_equal(on_kernel, on_builtin, 'reports')
    for folder in COLLECTION, SWEEPS:
        passed = sum(entry['file'].startswith(f'{folder}/')
                     for entry in on_kernel[1]['scenarios'])
        expect(passed > 100, f'only {passed} of {folder} have passed')
    # Seconds in a pipe: only the report is printed.
    expect_equal((on_kernel[0], on_kernel[2]), (0, ''), 'exit status and complaints')


# IXF1104: five good frames of 100 octets, unicast, received.
@case_in_place
def failing_scenarios_agree_on_both_backends(here):
    send = {'send': {'port': 'mac', 'direction': 'rx', 'length': 100, 'count': 5}}
    with tempfile.TemporaryDirectory() as folder, here.inside():
        paths = [
            write(folder, 'totals.json', [send, expecting(totals={'RxUCPkts': 6}, others='zero')]),
            write(folder, 'standard.json', [send, expecting(standard={
                'eth-mac': {'FramesReceivedOK': None, 'LateCollisions': 1},
                'rmon': {'rx-pktsNtoM': None, 'etherStatsFragments': 7},
                'pause': {'rx_pause_frames': 2}, 'rtnl': {'rx_packets': 4, 'tx_bytes': None}})]),
            write(folder, 'state.json', [send, expecting(
                state={'stale': True, 'possible_loss': True, 'discontinuities': 3})]),
            write(folder, 'read.json', [send, {'read': {'port': 'mac', 'register': 'RxUCPkts',
                                                        'expect': 4}}]),
            write(folder, 'bus.json', [{'fault': {'port': 'mac', 'name': 'bus_error'}}, send,
                                       {'write': {'port': 'mac', 'register': 'RxUCPkts',
                                                  'value': 1}}]),
            write(folder, 'absent.json', [send, expecting(totals={'RxUCPkts': 5}),
                                          expecting(totals={}, others='zero', fresh=False)]),
        ]
        on_kernel = outcome(start(*paths))
        on_builtin = outcome(start(*paths, backend='builtin'))
    expect_equal(on_kernel, on_builtin, 'reports')
    status, report, complaints = on_kernel
    expect_equal((status, report['failed'], complaints),
                 (1, 6, 'macstats: 6 of 6 scenarios failed\n'), 'kernel')
    said = [[failure['subject'] for failure in entry['failures']]
            for entry in report['scenarios']]
    expect_equal(said[1], [
        'eth-mac/FramesReceivedOK', 'eth-mac/LateCollisions', 'rmon/rx-pktsNtoM',
        'rmon/etherStatsFragments', 'pause/rx_pause_frames', 'rtnl/rx_packets',
        'rtnl/tx_bytes'], 'standard statistics')
    expect_equal(said[2], ['state/stale', 'state/possible_loss', 'state/discontinuities'], 'state')
    bus, = report['scenarios'][4]['failures']
    expect_equal((bus['step'], bus['kind'], bus['actual']), (2, 'write', 'Input/output error'),
                 'a write while the bus fails')


@case_in_place
def a_run_leaves_no_device(here):
    with tempfile.TemporaryDirectory() as folder, here.inside():
        for last in (expecting(totals={}), expecting(totals={'RxUCPkts': 1})):
            outcome(start(write(folder, 'a.json', [last])))
            expect_equal((here.devices(), devices_on_bus()), ([], []), 'devices')


def long_run(folder):
    """A long run under way."""
    process = start(*[write(folder, 'a.json', [expecting(totals={})])] * 200, report='tap')
    wait_for(devices_on_bus, 'a device of the run')
    expect(process.poll() is None, 'the run has ended')
    return process


@case_in_place
def a_killed_run_leaves_no_device(here):
    with tempfile.TemporaryDirectory() as folder, here.inside():
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            process = long_run(folder)
            process.send_signal(number)
            cli.finish(process)
            expect_equal(process.returncode, -number, 'exit status')
            wait_for(lambda: not devices_on_bus(), f'the end of its devices, {number.name}')


@case_in_place
def concurrent_runs_do_not_affect_each_other(here):
    with here.inside():
        alone = outcome(start(COLLECTION / 'cpsw'))
        at_once = [start(COLLECTION / 'cpsw') for _ in range(2)]
        expect_equal([outcome(process) for process in at_once], [alone, alone], 'reports')


@case_in_place
def a_run_does_not_touch_other_devices(here):
    port = here.add(model='cpsw')
    port.inject(count=3, length=64)
    before = port.totals(), port.state()['discontinuities'], here.devices()
    with here.inside():
        status, _, _ = outcome(start(COLLECTION / 'cpsw'))
    expect_equal(status, 0, 'exit status')
    expect_equal((port.totals(), port.state()['discontinuities'], here.devices()), before,
                 'a device that was there before')
    expect_equal(port.totals()['rx_good_frames'], 3, 'frames')


@case_in_place
def an_unprivileged_run_names_the_missing_capability(here):
    with tempfile.TemporaryDirectory() as folder, here.inside():
        os.chmod(folder, 0o755)
        path = write(folder, 'a.json', [expecting(totals={})])
        status, report, complaints = outcome(
            start(path, user=NOBODY, group=NOBODY, extra_groups=[]))
        expect_equal((status, report), (2, {}), 'on the kernel')
        expect('kernel backend: needs CAP_NET_ADMIN' in complaints, complaints)
        status, _, _ = outcome(
            start(path, backend='builtin', user=NOBODY, group=NOBODY, extra_groups=[]))
        expect_equal(status, 0, 'builtin')


@case_in_place
def a_run_shows_its_progress_on_a_terminal(here):
    terminal, end = pty.openpty()
    with tempfile.TemporaryDirectory() as folder, here.inside():
        paths = [write(folder, 'a.json', [expecting(totals={})])] * 1000
        command = [cli.MACSTATS, 'run', *paths, '--backend', 'kernel', '--format', 'json']
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=end, env=cli.ENVIRONMENT) as process:
            os.close(end)
            shown = b''
            while b' of 1000 scenarios, 0 failed' not in shown:
                shown += os.read(terminal, 4096)
            process.kill()
        os.close(terminal)


# The last case, as the others need the modules.
@case
def without_the_modules_the_exit_status_is_3():
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, 'a.json', [expecting(totals={})])
        subprocess.run(['rmmod', 'macstats_emu', 'macstats'], check=True)
        try:
            status, report, complaints = outcome(start(path))
            expect_equal(outcome(start(path, backend='builtin'))[0], 0, 'builtin')
        finally:
            for module in 'provider/macstats.ko', 'emulator/macstats_emu.ko':
                insmod(KMOD / module)
    expect_equal((status, report), (3, {}), 'on the kernel')
    expect('the kernel modules are not loaded' in complaints, complaints)


main()
