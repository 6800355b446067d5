#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""`macstats export` serves and writes metrics that the tools of Prometheus accept. Every
counter arrives with its value, through our exporter and through node_exporter's ethtool
collector."""

# long

import collections
import contextlib
import http.client
import json
import math
import os
import pathlib
import re
import socket
import subprocess
import threading
import time
import urllib.parse

# See test/vm/kernel.
TOOLS = pathlib.Path(__file__).resolve().parents[3] / 'build/kernel/prometheus/usr'

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from cli import MACSTATS, ethtool_statistics, macstats, macstats_json, output, run
from deadline import HANG_SECONDS
from ports import Port, with_place
from tap import SLOW, Failure, case, expect, expect_equal, main, wait_for

PLAIN = 'text/plain; version=0.0.4; charset=utf-8'
OPEN = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
FRAMES = (
    {}, {'length': 500, 'destination': 'multicast'}, {'length': 40, 'errors': ('fcs',)},
    {'length': 1500, 'destination': 'broadcast'}, {'direction': 'tx', 'length': 300},
    {'kind': 'pause', 'destination': 'multicast'}, {'direction': 'tx', 'length': 1000},
)


def with_loopback(function):
    """A case that gets a namespace in which loopback works."""
    def in_place(here):
        with here.inside():
            subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
        function(here)
    in_place.__name__ = function.__name__
    return with_place(in_place)


def all_sorts_of_ports(here):
    """At least one port of each model, with constant statistics."""
    for model in macstats_json('models'):
        here.add(model['name'], quiet=False)
    # Each port of a device gets a different number of frames.
    for number, state in enumerate(here.ports(), 1):
        port = Port(here, state['ifindex'], None)
        for extra, frame in enumerate(FRAMES):
            port.inject(number * 100 + extra, **frame)
    here.stats()


@contextlib.contextmanager
def running(*command):
    """A program in the background; its standard error is a file."""
    with open('stderr', 'w+', encoding='utf-8') as errors, \
            subprocess.Popen([str(word) for word in command], stderr=errors,
                             stdout=subprocess.DEVNULL) as process:
        process.errors = errors
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def said(process):
    process.errors.seek(0)
    return process.errors.read()


@contextlib.contextmanager
def exporter(*options):
    """`macstats export` at a port of its choice: (process, port number)."""
    with running(MACSTATS, 'export', '--listen', '127.0.0.1:0', *options) as process:
        served = wait_for(lambda: re.search(r'http://127\.0\.0\.1:(\d+)/metrics', said(process)),
                          'the exporter')
        yield process, int(served[1])


def get_once(port, path, **headers):
    """(status, type, body); None if the exporter closes the connection: it does so to a client that
    sends nothing for two seconds, as one on a loaded machine."""
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=HANG_SECONDS * SLOW)
    try:
        connection.request('GET', path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader('Content-Type'), answer.read().decode()
    except http.client.RemoteDisconnected:
        return None
    finally:
        connection.close()


def get(port, path, **headers):
    return wait_for(lambda: get_once(port, path, **headers), path)


def wait_for_port(port):
    def connected():
        with contextlib.suppress(OSError):
            socket.create_connection(('127.0.0.1', port), 1).close()
            return True
        return False
    wait_for(connected, f'port {port}')


def index_in(labels):
    """Of a queue or priority, as a string; or None"""
    return labels.get('queue', labels.get('priority'))


def expected_counters():
    """{(family, port, index): value} by `macstats show`, `macstats model` and the rules that
    README states."""
    units = {'frames': 'frames', 'octets': 'bytes', 'collisions': 'collisions'}
    rows = {(model['name'], counter['name']): counter
            for model in macstats_json('models') for counter in model['counters']}
    found = {}
    for port in macstats_json('show', '--cached'):
        for name, value in port['totals'].items():
            row = rows[port['model'], name]
            unit = units[row['unit']]
            index = index_in({word: str(number) for word, number in row.get('labels', {}).items()})
            family = name if index is None else name.replace(index, '', 1)
            suffix = '' if family.endswith('_' + unit) else '_' + unit
            found[f'macstats_{port["model"]}_{family}{suffix}', port['port'], index] = value
    return found


def lint(text):
    """The findings of promtool, without those about names that are right here."""
    done = subprocess.run([TOOLS / 'bin/promtool', 'check', 'metrics'], input=text,
                          capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr + done.stdout)


@case
@with_loopback
def both_formats_are_accepted_and_have_every_counter(here):
    all_sorts_of_ports(here)
    with here.inside(), exporter('--all', '--created') as (_, number):
        status, kind, text = get(number, '/metrics')
        expect_equal((status, kind), (200, PLAIN), 'no Accept')
        lint(text)
        status, kind, text = get(number, '/metrics', Accept='application/openmetrics-text')
        expect_equal((status, kind), (200, OPEN), 'Accept: application/openmetrics-text')
        families = list(text_string_to_metric_families(text))
        samples = {(family.name, sample.labels['port'], index_in(sample.labels)): sample.value
                   for family in families for sample in family.samples
                   if sample.name == family.name + '_total' and 'low' not in sample.labels}
        expected = expected_counters()
        expect(len(expected) > 300, f'{len(expected)} counters')
        expect_equal({key: samples.get(key) for key in expected}, expected, 'counters')
        created = [sample.value for family in families for sample in family.samples
                   if sample.name.endswith('_created')]
        now = time.time()
        expect(created and all(now - 600 < value <= now for value in created),
               f'created {min(created)} to {max(created)}, now {now}')
        for family in families:
            expect(family.documentation, f'{family.name}: no help')
            expect_equal(family.name.startswith('macstats_'), True, family.name)


@case
@with_loopback
def the_exporter_listens_only_on_loopback_by_default(here):
    with here.inside(), running(MACSTATS, 'export') as process:
        wait_for(lambda: '/metrics' in said(process), 'the exporter')
        addresses = re.findall(r'\S+:9797\b', output('ss', '-Hltn'))
    expect_equal(addresses, ['127.0.0.1:9797'], 'where it listens')


@case
@with_loopback
def a_textfile_is_complete_readable_and_replaced_atomically(here):
    port = here.add('ll40g')
    target = pathlib.Path('macstats.prom').resolve()
    with here.inside():
        for count in (1, 2):
            port.inject(1, length=64)
            done = macstats('export', '--all', '--textfile', target)
            expect(done.returncode == 0, done.stderr)
            lint(target.read_text())
            line, = (line for line in target.read_text().splitlines()
                     if line.startswith('macstats_ll40g_rx_64b_frames_total'))
            expect_equal(int(line.split()[-1]), count, line)
            expect_equal(target.stat().st_mode & 0o777, 0o644, 'mode')
        expect_equal(sorted(entry.name for entry in target.parent.glob('macstats.prom*')),
                     ['macstats.prom'], 'files')
        done = macstats('export', '--textfile', '/proc/nowhere/macstats.prom')
        expect_equal(done.returncode, 2, done.stderr)
        expect('/proc/nowhere/macstats.prom' in done.stderr, done.stderr)


def node_exporter_name(counter):
    """The name that node_exporter gives to a string of ethtool -S."""
    name = re.sub(r'[^a-zA-Z0-9_:]', '_', counter).lower().lstrip('_')
    name = re.sub(r'(^|_)rx(_|$)', r'\1received\2', name)
    name = re.sub(r'(^|_)tx(_|$)', r'\1transmitted\2', name)
    # It has names of its own for these.
    suffix = '_total' if re.fullmatch('[rt]x_(bytes|dropped|errors|packets)', counter) else ''
    return 'node_ethtool_' + name + suffix


CONFIGURATION = '''
global: {{scrape_interval: {seconds}s, scrape_timeout: {seconds}s}}
rule_files: [{rules}]
scrape_configs:
  - job_name: macstats
    static_configs: [{{targets: ['127.0.0.1:{ours}']}}]
  - job_name: node
    static_configs: [{{targets: ['127.0.0.1:{theirs}']}}]
'''


class Prometheus:
    """The samples of a Prometheus server."""

    def __init__(self, number):
        self.number = number

    def query(self, expression):
        answer = get(self.number, '/api/v1/query?' + urllib.parse.urlencode({'query': expression}))
        expect_equal(answer[0], 200, answer[2])
        return json.loads(answer[2])['data']['result']

    def values(self, job, label):
        """{(metric, label's value, index): value}"""
        metrics = [(sample['metric'], float(sample['value'][1]))
                   for sample in self.query(f'{{job="{job}"}}')]
        return {(metric['__name__'], metric[label], index_in(metric)): value
                for metric, value in metrics if label in metric and 'low' not in metric}

    def wait_for_values(self, job, label, expected):
        """Waits for a scrape with all of these. A failure names the missing ones."""
        with contextlib.suppress(Failure):
            wait_for(lambda: expected.items() <= self.values(job, label).items(), job)
        found = self.values(job, label)
        expect_equal({key: found.get(key) for key in expected}, expected, f'scraped from {job}')


@case
@with_loopback
def prometheus_and_node_exporter_get_every_counter(here):
    all_sorts_of_ports(here)
    rules = pathlib.Path(__file__).resolve().parents[3] / 'docs/prometheus/macstats.rules.yml'
    with here.inside(), exporter('--cached', '--all') as (_, ours), contextlib.ExitStack() as stack:
        theirs, server = 9100, 9090
        # It reads the interfaces from /sys, which must belong to the namespace.
        stack.enter_context(running(
            'unshare', '--mount', 'sh', '-c', 'mount -t sysfs here /sys && exec "$@"', 'sh',
            TOOLS / 'bin/prometheus-node-exporter', '--collector.disable-defaults',
            '--collector.ethtool',
            f'--web.listen-address=127.0.0.1:{theirs}'))
        wait_for_port(theirs)
        configuration = pathlib.Path('prometheus.yml')
        configuration.write_text(CONFIGURATION.format(
            rules=rules, ours=ours, theirs=theirs, seconds=math.ceil(5 * SLOW)))
        stack.enter_context(running(
            TOOLS / 'bin/prometheus', f'--config.file={configuration}',
            '--storage.tsdb.path=data',
            f'--web.listen-address=127.0.0.1:{server}'))
        wait_for_port(server)
        wait_for(lambda: get(server, '/-/ready')[0] == 200, 'Prometheus')
        prometheus = Prometheus(server)

        expected = {(family + '_total', port, index): float(value)
                    for (family, port, index), value in expected_counters().items()}
        prometheus.wait_for_values('macstats', 'port', expected)

        expected, clashes = {}, collections.Counter()
        for port in macstats_json('ports'):
            for name, value in ethtool_statistics(port['port']).items():
                expected[node_exporter_name(name), port['port'], None] = float(value)
                clashes[node_exporter_name(name), port['port']] += 1
        expect_equal([key for key, times in clashes.items() if times > 1], [], 'clashes')
        prometheus.wait_for_values('node', 'device', expected)
        wait_for(lambda: all(sample['value'][1] == '1' for sample in prometheus.query('up')),
                 'a scrape of each target')


@case
@with_loopback
def the_recording_rules_work_on_our_metrics(here):
    folder = pathlib.Path(__file__).resolve().parents[3] / 'docs/prometheus'
    done = subprocess.run([TOOLS / 'bin/promtool', 'check', 'rules', folder / 'macstats.rules.yml'],
                          capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr + done.stdout)
    all_sorts_of_ports(here)
    with here.inside(), exporter() as (_, number):
        served = {line.split('{')[0].split(' ')[0]
                  for line in get(number, '/metrics')[2].splitlines() if not line.startswith('#')}
    for text in [(folder / 'macstats.rules.yml').read_text(),
                 (folder / 'grafana-dashboard.json').read_text()]:
        used = {name for name in re.findall(r'(?<![:\w])macstats_\w+', text) if '__' not in name}
        expect(len(used) > 5, str(used))
        expect_equal(used - served, set(), 'used and not served')


@case
@with_loopback
def options_reach_the_exporter(here):
    for model in ('ll40g', 'cpsw'):
        here.add(model)
    with here.inside(), exporter('--model', 'cpsw', '--counter', 'rx_*_frames,Net Octets',
                                 '--group', 'pause', '--label', 'rack=7 "a"', '--prefix',
                                 'nic') as (_, number):
        text = get(number, '/metrics')[2]
        lint(text)
    lines = [line for line in text.splitlines() if not line.startswith('#')]
    expect(all(line.startswith('nic_') and r'rack="7 \"a\""' in line for line in lines), text)
    expect_equal([line for line in lines if 'model="ll40g"' in line], [], 'other models')
    names = {line.split('{')[0] for line in lines}
    expect('nic_cpsw_rx_good_frames_total' in names and
           'nic_cpsw_rxtx_net_octets_bytes_total' in names and
           'nic_pause_rx_pause_frames_total' in names, str(names))
    expect(not [name for name in names if 'rmon' in name or 'jabber' in name], str(names))


@case
@with_loopback
def fifty_scrapes_at_once_and_slow_clients_cost_neither_time_nor_memory(here):
    for _ in range(20):
        here.add('ll40g')
    with here.inside(), exporter() as (process, number):
        def resident_kib():
            status = pathlib.Path(f'/proc/{process.pid}/status').read_text()
            return int(re.search(r'VmHWM:\s+(\d+) kB', status)[1])

        def scrape(results):
            begun = time.monotonic()
            answer = get_once(number, '/metrics')
            if answer and answer[0] == 200:
                results.append(time.monotonic() - begun)

        def are_quick():
            results, threads = [], []
            with contextlib.ExitStack() as stack:
                for index in range(60):
                    client = stack.enter_context(socket.create_connection(('127.0.0.1', number)))
                    # Silent, in the middle of a request, or not reading the answer.
                    client.sendall((b'', b'GET /metrics HT',
                                    b'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n' * 20)
                                   [index % 3])
                for _ in range(50):
                    threads.append(threading.Thread(target=scrape, args=(results,)))
                    threads[-1].start()
                for thread in threads:
                    thread.join()
            print(f'# {len(results)} of 50 scrapes, the longest {max(results, default=0):.2f} s')
            # Scrapes share reads: not fifty times as long as one, and within Prometheus' 10 s.
            return len(results) == 50 and max(results) < 10 * SLOW
        text = get(number, '/metrics')[2]
        before = resident_kib()
        # A loaded machine delays some of them, and has its requests dropped.
        wait_for(are_quick, 'fifty quick scrapes')
        grown = resident_kib() - before
        print(f'# {grown} KiB more; {len(text)} octets each')
        expect(grown < 16 * 1024, f'{grown} KiB')
        expect_equal(get(number, '/metrics')[0], 200, 'afterwards')


@case
@with_loopback
def a_folder_that_is_full_or_read_only_is_reported(here):
    here.add('ll40g')
    with here.inside():
        for options, error, code in (('ro', 'Read-only file system', 2),
                                     ('size=4k,nr_inodes=10', 'No space left on device', 1)):
            pathlib.Path('folder').mkdir(exist_ok=True)
            subprocess.run(['mount', '-t', 'tmpfs', '-o', options, 'none', 'folder'], check=True)
            try:
                done = macstats('export', '--textfile', 'folder/macstats.prom')
                expect_equal(done.returncode, code, done.stderr)
                expect('folder' in done.stderr and error in done.stderr, done.stderr)
                expect_equal(os.listdir('folder'), [], 'left behind')
                with contextlib.suppress(OSError):  # a tag is smaller
                    pathlib.Path('folder/rest').write_bytes(bytes(4096))
                done = run('env', f'XDG_STATE_HOME={os.path.abspath("folder")}', MACSTATS,
                           'tag', 'add', 'before')
                expect_equal(done.returncode, code, done.stderr)
                expect('folder' in done.stderr and error in done.stderr, done.stderr)
                expect_equal([file for *_, files in os.walk('folder') for file in files
                              if file != 'rest'], [], 'files left behind')
            finally:
                subprocess.run(['umount', 'folder'], check=True)


@case
def alerts_are_raised_as_documented():
    tests = pathlib.Path(__file__).resolve().parents[3] / 'test/prometheus/macstats.test.yml'
    done = subprocess.run([TOOLS / 'bin/promtool', 'test', 'rules', tests],
                          capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr + done.stdout)


os.environ.setdefault('TZ', 'UTC')
main()
