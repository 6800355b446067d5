#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The versions that the parts report, and modules whose protocol has another version than the
command: each subcommand that needs them rejects them with its own message and exit code 3."""
# architectures

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess

import cli
import modules
from follower import Follower
from ports import Place, case_in_place
from tap import case, expect, expect_equal, main, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
VERSION = (ROOT / 'VERSION').read_text().strip()
EXPORTER = pathlib.Path(cli.MACSTATS).parent / 'macstats-exporter'
OTHER = pathlib.Path(os.environ['KMOD_EXTRA_DIR']) / 'kmod/driver/macstats_test_version.ko'
# One of each way to the kernel.
PROVIDER = (('ports',), ('show',), ('show', 'mac0', '--json'), ('watch', '--count', '1'),
            ('events',), ('tag', 'add', 'before'),
            ('registers', 'mac0'), ('export', '--textfile', '-'),
            ('export', '--listen', '127.0.0.1:0'))
EMULATOR = (('emu', 'list'), ('emu', 'add', 'cpsw'), ('emu', 'inject', 'mac0'),
            ('run', '--backend', 'kernel', ROOT / 'test/scenario/cpsw/good_frames_received.json'))


@contextlib.contextmanager
def other_version():
    """Instead of the modules, those of another version of the protocol are loaded."""
    modules.unload_modules()
    modules.insmod(OTHER)
    try:
        yield
    finally:
        subprocess.run(['rmmod', OTHER.stem], check=True)
        modules.load_modules()


def unloaded():
    try:
        modules.unload_modules()
    except BlockingIOError:     # a dump is under way
        return False
    return True


def advice(done):
    """The last line of a message."""
    return done.stderr.splitlines()[-1]


@case
def all_parts_report_the_version_of_the_file():
    for name, path in modules.MODULES:
        expect_equal(cli.output('modinfo', '-F', 'version', path), f'{VERSION}\n', name)
    expected = '\n'.join(('{} ' + VERSION, f'libmacstats {VERSION}',
                          f'kernel module macstats: {VERSION}',
                          f'kernel module macstats_emu: {VERSION}', ''))
    expect_equal(cli.output(cli.MACSTATS, '--version'), expected.format('macstats'), 'macstats')
    expect_equal(cli.output(EXPORTER, '--version'), expected.format('macstats-exporter'),
                 'macstats-exporter')


@case
def modules_that_are_not_loaded_have_no_version_and_exit_code_3():
    modules.unload_modules()
    try:
        lines = cli.output(cli.MACSTATS, '--version').splitlines()
        done = cli.macstats('emu', 'list')
    finally:
        modules.load_modules()
    expect_equal(lines[2:], ['kernel module macstats: not loaded',
                             'kernel module macstats_emu: not loaded'], 'modules')
    expect_equal(done.returncode, 3, done.stderr)
    expect('the kernel modules are not loaded' in advice(done), done.stderr)


@case
def modules_of_another_protocol_are_rejected_by_each_command():
    with other_version():
        answers = [(words, family, cli.macstats(*words))
                   for family, commands in (('macstats', PROVIDER), ('macstats_emu', EMULATOR))
                   for words in commands]
    for words, family, done in answers:
        expect_equal((done.returncode, done.stdout), (3, ''), f'{words}: {done.stderr}')
        expect(re.search(rf'"{family}" speaks version \d+ of its protocol; version \d+ is '
                         'accepted', done.stderr), f'{words}: {done.stderr}')
        expect('not loaded' not in done.stderr, f'{words}: {done.stderr}')
        expect('modprobe -r macstats_emu macstats' in advice(done), f'{words}: {done.stderr}')


@contextlib.contextmanager
def reader(*words):
    """A command that reads twice. At the end, the modules are loaded."""
    with subprocess.Popen([cli.MACSTATS, *words], env=cli.ENVIRONMENT, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()
            modules.load_modules()


def expect_missing_modules(process):
    _, errors = cli.finish(process)
    expect_equal(process.returncode, 3, errors)
    expect('the kernel modules were unloaded' in errors, errors)
    expect('the kernel modules are not loaded' in errors.splitlines()[-1], errors)


@case
def modules_unloaded_under_watch_are_missing_modules():
    with reader('watch', '--json') as watch:
        watch.stdout.readline()
        wait_for(unloaded, 'the modules are not in use')
        expect_missing_modules(watch)


@case_in_place
def modules_unloaded_under_show_rate_are_missing_modules(here):
    port = here.add()
    before = port.stats(cached=True)['generation']
    with here.inside(), reader('show', '--rate', '10') as show:
        wait_for(lambda: port.stats(cached=True)['generation'] > before, 'the first read')
        port.delete()
        wait_for(unloaded, 'the modules are not in use')
        expect_missing_modules(show)


@case
def modules_loaded_again_between_two_reads_are_not_missing():
    with reader('watch', '--json', '--interval', '5') as watch:
        watch.stdout.readline()
        watch.send_signal(signal.SIGSTOP)
        modules.unload_modules()
        modules.load_modules()
        watch.send_signal(signal.SIGCONT)
        _, errors = cli.finish(watch)
    expect_equal(watch.returncode, 1, errors)
    expect('the kernel modules were loaded again' in errors, errors)


def expect_events(followers, *kinds):
    for follower in followers:
        expect_equal([json.loads(follower.process.stdout.readline())['event'] for _ in kinds],
                     list(kinds), follower.process.args)


@case_in_place
def events_and_thresholds_go_on_when_the_modules_are_loaded_again(here):
    with Follower(here) as events, Follower(here, '--threshold', 'rx_st=3') as totals:
        for follower in events, totals:
            wait_for(follower.has_read_all, 'the command waits')
        try:
            wait_for(unloaded, 'the modules are not in use')
            expect_events((events, totals), 'modules_unloaded')
        finally:
            modules.load_modules()
        expect_events((events, totals), 'modules_loaded')
        again = Place(here.namespace)  # the families have other numbers
        again.add(quiet=False).inject(count=3)
        expect_events((events, totals), 'port_added')
        expect_events([totals], 'threshold')
        again.close(namespace=False)


main()
