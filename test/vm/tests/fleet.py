#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A fleet as docs/prometheus describes it: exporters in network namespaces of their own, two
Prometheus agents that share them, a central server and an Alertmanager. `./dev test --full` has
20 exporters with 2000 ports and prints what a port costs."""
# long
# not in user-mode Linux: the CPU time of programs that wait for each other means nothing there

import base64
import contextlib
import datetime
import functools
import gzip
import hashlib
import http.client
import http.server
import json
import math
import os
import pathlib
import re
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time
import urllib.parse
import zlib

from cli import MACSTATS, macstats_json
from deadline import HANG_SECONDS
from effort import FULL
from netdev import Namespace
from ports import Place, devices_on_bus
from tap import SLOW, Failure, case, expect, expect_equal, main, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCS = ROOT / 'docs/prometheus'
# See test/vm/kernel.
PROMETHEUS = ROOT / 'build/kernel/prometheus/usr/bin/prometheus'
FLEET = ROOT / 'build/kernel/fleet/usr'

HOSTS, PORTS = (20, 100) if FULL else (4, 3)
# Of each host: a MAC with parity, one that saturates, and others.
MODELS = 'll40g', 'e1000', 'cpsw'
INTERVAL = math.ceil((15 if FULL else 4) * SLOW)
AGENTS = 9091, 9092
# docs/prometheus/agent.yml sends after a third of it.
SEND_MILLISECONDS = 1000 * INTERVAL // 3
SCRAPES = 4 if FULL else 1  # during which CPU time is counted
# The fleet of docs: hosts, ports of each, seconds between scrapes.
DOCS_HOSTS, DOCS_PORTS, DOCS_INTERVAL = 100_000, 2, 15
DOCS_SPEED = 100e6  # octets that zlib compresses in a second there
CENTRAL, ALERTMANAGER, EXPORTER, PROXY, PAGER, DNS = 9090, 9093, 9797, 9798, 8080, 53
# docs/prometheus/agent.yml asks for it.
SERVICE = '_macstats._tcp.example.net'


class Program:
    """A program in the background, whose output is a file."""

    def __init__(self, name, *words, place=None):
        self.log = pathlib.Path(f'{name}.log')
        self.words, self.place = [str(word) for word in words], place
        self.start()

    def start(self):
        with self.place.inside() if self.place else contextlib.nullcontext():
            with self.log.open('ab') as log:
                self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                    self.words, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def stop(self, sign=signal.SIGTERM):
        self.process.send_signal(sign)
        self.process.wait(HANG_SECONDS * SLOW)

    def cpu_seconds(self):
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().split(') ')[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def ask(address, number, path, headers=None, context=None):
    """(status, body)"""
    kind = http.client.HTTPSConnection if context else http.client.HTTPConnection
    connection = kind(address, number, timeout=HANG_SECONDS * SLOW,
                      **({'context': context} if context else {}))
    try:
        connection.request('GET', path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


class Pager:
    """A server for the Alertmanager's notifications: the alerts that arrive at each path."""

    def __init__(self):
        arrived = self.arrived = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                arrived.extend((self.path, alert['labels']) for alert in body['alerts'])
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass
        self.server = http.server.HTTPServer(('127.0.0.1', PAGER), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def dns_name(name):
    return b''.join(bytes([len(part)]) + part.encode() for part in name.split('.')) + b'\0'


class NameServer:
    """Answers for SERVICE with the name of one host, and for that with its address."""

    def __init__(self, name, address):
        question = dns_name(SERVICE)
        srv = struct.pack('>HHH', 0, 0, EXPORTER) + dns_name(name)
        self.records = {(question, 33): srv, (dns_name(name), 1): socket.inet_aton(address)}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.1', DNS))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):  # closed
            while True:
                query, client = self.socket.recvfrom(4096)
                end = query.index(0, 12) + 1
                kind, = struct.unpack_from('>H', query, end)
                data = self.records.get((query[12:end], kind))
                # A name that is a pointer to that of the question.
                answer = b'' if data is None else struct.pack(
                    '>HHHIH', 0xc00c, kind, 1, 60, len(data)) + data
                self.socket.sendto(query[:2] + struct.pack(
                    '>HHHHH', 0x8180, 1, 1 if answer else 0, 0, 0) +
                    query[12:end + 4] + answer, client)

    def stop(self):
        self.socket.close()


class Host:
    """A namespace with an exporter, reached by a pair of virtual links."""

    def __init__(self, number, central, ports=PORTS):
        self.place = Place(Namespace())
        self.address = f'10.0.{number}.2'
        self.instance = self.listen = f'{self.address}:{EXPORTER}'
        with central.inside():
            run('ip', 'link', 'add', f'host{number}', 'type', 'veth', 'peer', 'name', 'uplink')
            central.links.move(socket.if_nametoindex('uplink'), self.place.namespace)
            run('ip', 'address', 'add', f'10.0.{number}.1/30', 'dev', f'host{number}')
            run('ip', 'link', 'set', f'host{number}', 'up')
        with self.place.inside():
            run('ip', 'address', 'add', f'{self.address}/30', 'dev', 'uplink')
            run('ip', 'link', 'set', 'uplink', 'up')
            run('ip', 'link', 'set', 'lo', 'up')
        self.ports = [self.place.add(MODELS[i % len(MODELS)]) for i in range(ports)]
        for i, port in enumerate(self.ports, 1):
            port.inject(1000 * number + i, length=100)
        self.exporter = Program(f'exporter{number}', MACSTATS, 'export', '--listen',
                                self.listen, place=self.place)

    def scrape(self):
        """The text of a scrape."""
        with self.place.inside():
            status, text = ask(self.address, EXPORTER, '/metrics')
        expect_equal(status, 200, 'scrape')
        return text

    def costs(self):
        """Of a port at the exporter: its samples, octets, compressed ones, seconds of CPU."""
        wait_for_answer(self.scrape)
        before, scrapes = self.exporter.cpu_seconds(), 5
        for _ in range(scrapes):
            text = self.scrape()
        used = (self.exporter.cpu_seconds() - before) / scrapes
        return [each / len(self.ports) for each in (
            len(re.findall(rb'^[^#\n]', text, re.M)), len(text), len(gzip.compress(text)), used)]

    def packets(self):
        """{(instance, port): received packets}, which IEEE and RFC count alike."""
        with self.place.inside():
            return {(self.instance, port['port']): float(port['standard']['rtnl']['rx_packets'])
                    for port in macstats_json('show')}


def wait_for_answer(function):
    """Until a program listens."""
    def answers():
        with contextlib.suppress(OSError):
            function()
            return True
        return False
    wait_for(answers, 'an answer')


def run(*words):
    subprocess.run(words, check=True)


def documented(name, **changes):
    """A file of docs/prometheus with the addresses and intervals of this test."""
    text = (DOCS / name).read_text()
    for old, new in {'scrape_interval: 15s': f'scrape_interval: {INTERVAL}s',
                     'scrape_timeout: 10s': f'scrape_timeout: {INTERVAL}s',
                     'evaluation_interval: 15s': f'evaluation_interval: {INTERVAL}s',
                     'batch_send_deadline: 5s': f'batch_send_deadline: {SEND_MILLISECONDS}ms',
                     'central.example.net': '127.0.0.1',
                     'pager.example.net': '127.0.0.1',
                     'alertmanager.example.net': '127.0.0.1',
                     'agent0.example.net:9090': f'127.0.0.1:{AGENTS[0]}',
                     'agent1.example.net:9090': f'127.0.0.1:{AGENTS[1]}',
                     **changes}.items():
        text = text.replace(old, new)
    return text


class Fleet:
    """Everything, in the folder of the test."""

    def __init__(self):
        subprocess.run(['modprobe', 'veth'], check=False)
        self.central_place = Place(Namespace())
        with self.central_place.inside():
            run('ip', 'link', 'set', 'lo', 'up')
        self.hosts = [Host(number, self.central_place) for number in range(1, HOSTS + 1)]
        pathlib.Path('targets').mkdir()
        # DNS names the last host, a file the others.
        named = self.hosts[-1]
        pathlib.Path('targets/hosts.yml').write_text(
            json.dumps([{'targets': [host.instance for host in self.hosts[:-1]]}]))
        named.instance = f'last.example.net:{EXPORTER}'
        # The guest's root is a copy.
        pathlib.Path('/etc/resolv.conf').write_text('nameserver 127.0.0.1\n')
        with self.central_place.inside():
            self.pager = Pager()
            self.names = NameServer('last.example.net', named.address)
        for name in ('central.yml', 'alertmanager.yml', 'macstats.rules.yml'):
            pathlib.Path(name).write_text(documented(name))
        self.agents = []
        for number, listen in enumerate(AGENTS):
            name = f'agent{number}'
            pathlib.Path(f'{name}.yml').write_text(
                documented('agent.yml', **{'regex: "0"': f'regex: "{number}"'}))
            self.agents.append(Program(
                name, PROMETHEUS, '--enable-feature=agent', f'--config.file={name}.yml',
                f'--storage.agent.path={name}', f'--web.listen-address=127.0.0.1:{listen}',
                place=self.central_place))
        # Its path is compiled in. The guest's root is a copy.
        templates = pathlib.Path('/usr/share/prometheus/alertmanager')
        if not templates.exists():
            templates.parent.mkdir(exist_ok=True)
            templates.symlink_to(FLEET / 'share/prometheus/alertmanager')
        self.alertmanager = Program(
            'alertmanager', FLEET / 'bin/prometheus-alertmanager',
            '--config.file=alertmanager.yml', '--storage.path=alertmanager',
            f'--web.listen-address=127.0.0.1:{ALERTMANAGER}', '--cluster.listen-address=',
            place=self.central_place)
        self.central = Program(
            'central', PROMETHEUS, '--web.enable-remote-write-receiver',
            '--config.file=central.yml', '--storage.tsdb.path=central',
            f'--web.listen-address=127.0.0.1:{CENTRAL}', place=self.central_place)
        self.everything = [*(host.exporter for host in self.hosts), *self.agents,
                           self.alertmanager, self.central]

    def api(self, number, path):
        no_answer = OSError, ValueError, http.client.HTTPException
        with self.central_place.inside(), contextlib.suppress(*no_answer):
            status, body = ask('127.0.0.1', number, path)
            return json.loads(body) if status == 200 else None
        return None

    def scraped_by(self, agent):
        """The exporters that an agent scrapes."""
        answer = self.api(AGENTS[agent], '/api/v1/targets?state=active')
        return {target['labels']['instance'] for target in answer['data']['activeTargets']
                } if answer else set()

    def query(self, expression):
        answer = self.api(CENTRAL, '/api/v1/query?' + urllib.parse.urlencode(
            {'query': expression}))
        return answer['data']['result'] if answer else []

    def packets(self):
        return {(sample['metric']['instance'], sample['metric']['port']):
                float(sample['value'][1])
                for sample in self.query('macstats_rtnl_rx_packets_total')}

    def wait_for_packets(self):
        expected = {}
        for host in self.hosts:
            if host.exporter.process.poll() is None:
                expected.update(host.packets())

        def have_arrived():
            time.sleep(INTERVAL / 20)  # the question costs the central server time, too
            return expected.items() <= self.packets().items()
        with contextlib.suppress(Failure):  # the difference tells more
            wait_for(have_arrived, 'totals')
        found = self.packets()
        expect_equal({key: found.get(key) for key in expected}, expected, 'central totals')

    def seen_since(self, series, since):
        """The time of the first scrape that shows another value of a series than before @since."""
        def seen():
            time.sleep(INTERVAL / 20)  # the question costs the central server time, too
            # A range has the samples as they were scraped.
            values = [(float(when), value) for found in self.query(f'{series}[10m]')
                      for when, value in found['values']]
            # A scrape may have begun before the fault and read the hardware after it.
            old = [value for when, value in values if when <= since - INTERVAL]
            return [when for when, value in values
                    if old and when > since - INTERVAL and value != old[-1]]
        return wait_for(seen, f'a scrape that shows {series}')[0]

    def expect_alert(self, name, since, series, **labels):
        """The alert fires within two evaluation intervals after the central server shows the fault,
        by a changed value of @series, and reaches the Alertmanager. @since: the time of the fault"""
        def firing():
            answer = self.api(CENTRAL, '/api/v1/alerts') or {'data': {'alerts': []}}
            for alert in answer['data']['alerts']:
                if (alert['state'] == 'firing' and alert['labels']['alertname'] == name and
                        labels.items() <= alert['labels'].items()):
                    return alert
            return None
        selector = ','.join(f'{label}="{value}"' for label, value in labels.items())
        seen = self.seen_since(f'{series}{{{selector}}}', since)
        arrived = time.time()
        alert = wait_for(firing, f'{name} for {labels}')
        # It has nine digits of a second, Python reads six.
        active = datetime.datetime.fromisoformat(
            re.sub(r'(\.\d{6})\d*Z?$|Z$', r'\1', alert['activeAt']) + '+00:00').timestamp()
        print(f'# {name}: {active - seen:.1f} s after the scrape, which was {seen - since:.1f} s '
              f'after the fault; intervals of {INTERVAL} s')
        # The time of an evaluation is that for which it was due. A loaded machine delays what
        # comes before.
        expect(seen <= active <= arrived + 2 * INTERVAL,
               f'{name}: {active - arrived} s after its sample, at the most {2 * INTERVAL} s')
        wait_for(lambda: [one for one in self.api(ALERTMANAGER, '/api/v2/alerts') or ()
                          if one['labels']['alertname'] == name],
                 f'{name} at the Alertmanager')


@functools.cache
def started():
    """(the fleet, None) or (None, why it did not start)"""
    try:
        return Fleet(), None
    except Exception as error:  # pylint: disable=broad-except # each case reports it
        return None, error


def fleet():
    found, error = started()
    if error:
        raise error
    return found


@case
def each_port_arrives_at_the_central_server_once():
    all_of_it = fleet()
    all_of_it.wait_for_packets()
    expect_equal(len(all_of_it.packets()), HOSTS * PORTS, 'ports')

    def agents():
        return {int(agent['metric']['instance'].split(':')[1]): float(agent['value'][1])
                for agent in all_of_it.query('up{job="agent"}')}
    wait_for(lambda: agents() == dict.fromkeys(AGENTS, 1.0), 'a scrape of each agent')


@case
def each_agent_scrapes_its_share():
    """Prometheus' hashmod: the last eight octets of the MD5 sum, modulo the number of agents."""
    shares = [set(), set()]
    for host in fleet().hosts:
        digest = hashlib.md5(host.instance.encode()).digest()
        shares[int.from_bytes(digest[8:], 'big') % 2].add(host.instance)
    for agent, share in enumerate(shares):
        with contextlib.suppress(Failure):  # the difference tells more
            wait_for(lambda agent=agent, share=share: fleet().scraped_by(agent) == share,
                     f'agent {agent}')
        expect_equal(fleet().scraped_by(agent), share, f'agent {agent}')


@case
def an_agent_that_restarts_loses_no_total():
    all_of_it = fleet()
    for agent in all_of_it.agents:
        agent.stop()
    for number, host in enumerate(all_of_it.hosts):
        host.ports[0].inject(7 + number, length=100)
    for agent in all_of_it.agents:
        agent.start()
    all_of_it.wait_for_packets()


@case
def every_query_of_the_dashboard_has_data():
    dashboard = json.loads((DOCS / 'grafana-dashboard.json').read_text())
    queries = [target['expr'] for panel in dashboard['panels']
               for target in panel.get('targets', ())]
    expect(len(queries) > 15, f'{len(queries)} queries')
    # label_values(SERIES, LABEL)
    queries += [re.fullmatch(r'label_values\((.*), port\)', variable['query']['query'])[1]
                for variable in dashboard['templating']['list'] if variable['type'] == 'query']
    # It has data only while there is a reset.
    queries += [annotation['expr'].removesuffix(' > 0')
                for annotation in dashboard['annotations']['list']]
    for query in queries:
        query = query.replace('$port', '.*')
        query = re.sub(r'\$__(rate_interval|range)', f'{8 * INTERVAL}s', query)
        wait_for(lambda query=query: fleet().query(query), f'data of {query}')


def compressed_in_a_second():
    """Octets of this file that zlib compresses in a second of CPU time. Costs in such octets do not
    depend on how fast the machine is, or how busy its host."""
    text = pathlib.Path(__file__).read_bytes() * 50
    began = time.process_time()
    zlib.compress(text)
    return len(text) / (time.process_time() - began)


def measured(function):
    """(what a function returns, the speed of the machine meanwhile)"""
    before = compressed_in_a_second()
    result = function()
    return result, (before + compressed_in_a_second()) / 2


def cpu_of_programs():
    """Seconds of CPU for a port and a scrape: {exporters, agents, central server}. The latter
    evaluates its rules meanwhile."""
    programs = {'exporters': [host.exporter for host in fleet().hosts], 'agents': fleet().agents,
                'central server': [fleet().central]}

    def used():
        return {name: sum(map(Program.cpu_seconds, group)) for name, group in programs.items()}
    began, before = time.monotonic(), used()
    time.sleep(SCRAPES * INTERVAL)
    scrapes = (time.monotonic() - began) / INTERVAL * HOSTS * PORTS
    return {name: (after - before[name]) / scrapes for name, after in used().items()}


def documented_costs(name):
    """The columns of a row of the table in docs: of a host with 100 ports, and with DOCS_PORTS."""
    row, = re.findall(rf'(?m)^\| {name} \| ([\d,.]+) \| ([\d,.]+) \|$',
                      (DOCS / 'README.md').read_text())
    return [float(cell.replace(',', '')) for cell in row]


@case
def a_port_costs_what_docs_state():
    """Its series and octets do; they depend on the ports of its host only. CPU is printed for docs,
    which take it from a run with --full."""
    cpu, speed = measured(cpu_of_programs)
    expect(all(program.cpu_seconds() for program in fleet().everything), 'CPU of the programs')
    large, large_speed = measured(fleet().hosts[0].costs)
    expect(large[0] <= 100, f'{large[0]} series of a port')
    host = Host(HOSTS + 1, fleet().central_place, DOCS_PORTS)
    small, small_speed = measured(host.costs)
    with host.place.inside():
        few = subprocess.run([MACSTATS, 'export', '--textfile', '-', '--group', 'rtnl', '--counter',
                              'none'], check=True, capture_output=True, text=True).stdout
    host.exporter.stop()
    host.place.close()
    few = len(re.findall('^[^#\n]', few, re.M)) / DOCS_PORTS
    print('# CPU is the time in which zlib compresses so many octets')
    for ports, (samples, octets, compressed, used), rate in (
            (PORTS, large, large_speed), (DOCS_PORTS, small, small_speed)):
        print(f'# of a port of a host with {ports}: {samples:.1f} series, {octets:.0f} octets, '
              f'{compressed:.0f} compressed; CPU of the exporter for a scrape {used * rate:.0f} '
              f'({1e6 * used:.0f} us here)')
    print(f'# with --group rtnl --counter none: {few:.1f} series')
    for name, used in cpu.items():
        print(f'# CPU of the {name} for a port and a scrape: {used * speed:.0f} '
              f'({1e6 * used:.0f} us here)')
    # Agents and the central server work for each sample.
    ports = DOCS_HOSTS * DOCS_PORTS
    rate = ports / DOCS_INTERVAL
    cpus = rate * small[0] / large[0] * speed / DOCS_SPEED
    print(f'# {DOCS_HOSTS} hosts with {DOCS_PORTS} ports, every {DOCS_INTERVAL} s: '
          f'{ports * small[0] / 1e6:.1f} million series, {rate * small[0] / 1e6:.2f} million '
          f'samples a second, {rate * small[1] / 1e6:.0f} MB a second, {rate * small[2] / 1e6:.0f} '
          f'compressed')
    print(f'# of CPUs that compress {DOCS_SPEED / 1e6:.0f} MB a second: each exporter '
          f'{100 * DOCS_PORTS * small[3] * small_speed / DOCS_INTERVAL / DOCS_SPEED:.3f} %, all '
          f'agents {cpus * cpu["agents"]:.1f}, central servers {cpus * cpu["central server"]:.1f}')
    hosts = [(1, small)] + ([(0, large)] if PORTS == 100 else [])
    for column, costs in hosts:
        for i, name in enumerate(('series', 'octets of a scrape', 'octets, compressed')):
            stated = documented_costs(name)[column]
            expect(abs(costs[i] / stated - 1) < 0.02, f'{name}: {costs[i]}, docs state {stated}')
    head = fleet().api(CENTRAL, '/api/v1/status/tsdb')['data']['headStats']['numSeries']
    print(f'# {HOSTS} exporters with {HOSTS * PORTS} ports, {head} series of the central server')


@case
def a_parity_error_raises_its_alert():
    host = fleet().hosts[0]
    since = time.time()
    host.ports[0].fault('PARITY_ERROR')
    fleet().expect_alert('MacParityError', since, 'macstats_port_parity_errors_total',
                         instance=host.instance, port=host.ports[0].name)


@case
def a_saturated_counter_raises_its_alert():
    host = fleet().hosts[-1]
    port = host.ports[1]
    since = time.time()
    port.preset('rx_crc_errors', 2 ** 32 - 10)
    port.inject(20, length=100, errors=('fcs',))
    fleet().expect_alert('MacTotalIsALowerBound', since, 'macstats_port_saturated_reads_total',
                         instance=host.instance, port=port.name)


@case
def a_dead_host_raises_its_alert():
    host = fleet().hosts[1]
    since = time.time()
    host.exporter.stop(signal.SIGKILL)
    fleet().expect_alert('MacHostDown', since, 'up', job='macstats', instance=host.instance)


@case
def alerts_reach_their_receivers():
    """Those of the severity info a log, all others the operators."""
    expected = {'MacHostDown': '/alerts', 'MacParityError': '/alerts',
                'MacTotalIsALowerBound': '/log'}

    def paths():
        return {(labels['alertname'], path) for path, labels in fleet().pager.arrived
                if labels['alertname'] in expected}
    wait_for(lambda: paths() >= set(expected.items()), 'notifications')
    expect_equal(sorted(paths()), sorted(expected.items()), 'receivers')


@case
def the_reverse_proxy_requires_tls_and_a_password():
    host = fleet().hosts[0]
    for name in ('tls', 'other'):
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1',
                        '-subj', '/CN=macstats', '-addext', f'subjectAltName=IP:{host.address}',
                        '-keyout', f'{name}.key', '-out', f'{name}.crt'],
                       check=True, capture_output=True)
    here = pathlib.Path.cwd()
    hashed = subprocess.run(['openssl', 'passwd', '-6', 'secret'], check=True, capture_output=True,
                            text=True).stdout
    pathlib.Path('users').write_text(f'operator:{hashed}')
    site = (DOCS / 'nginx.conf').read_text().replace('/etc/macstats', str(here)).replace(
        '127.0.0.1:9797', host.listen)
    frame = ('daemon off; user root; pid {0}/nginx.pid; error_log {0}/nginx.log; '
             'events {{}} http {{ access_log off; {1} include {0}/site.conf; }}\n')
    paths = ' '.join(f'{kind}_temp_path {here}/{kind};' for kind in
                     ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))
    pathlib.Path('site.conf').write_text(site)
    pathlib.Path('nginx.conf').write_text(frame.format(here, paths))
    nginx = FLEET / 'sbin/nginx', '-p', here, '-c', 'nginx.conf', '-e', 'nginx.log'
    proxy = Program('proxy', *nginx, place=host.place)
    fleet().everything.append(proxy)
    good = {'Authorization': 'Basic ' + base64.b64encode(b'operator:secret').decode()}
    bad = {'Authorization': 'Basic ' + base64.b64encode(b'operator:Secret').decode()}
    trusted = ssl.create_default_context(cafile='tls.crt')
    with host.place.inside():
        def answer(headers=None, context=trusted, path='/metrics'):
            try:
                return ask(host.address, PROXY, path, headers, context)[0]
            except ConnectionRefusedError:
                return None
        wait_for(answer, 'the proxy')
        expect_equal(answer(), 401, 'no password')
        expect_equal(answer(bad), 401, 'another password')
        expect_equal(answer(good), 200, 'the password')
        expect_equal(answer(good, path='/'), 404, 'another path')
        expect_equal(ask(host.address, PROXY, '/metrics', good)[0], 400, 'without TLS')
        with contextlib.suppress(ssl.SSLCertVerificationError):
            answer(good, ssl.create_default_context(cafile='other.crt'))
            expect(False, 'another certificate was trusted')
        proxy.stop()
        # A certificate that cannot be read, and one of another key.
        for name, text in (('none.crt', 'none.crt'), ('other.crt', 'key values mismatch')):
            pathlib.Path('site.conf').write_text(site.replace('tls.crt', name))
            done = subprocess.run([str(word) for word in (*nginx, '-t')], capture_output=True,
                                  text=True, check=False)
            expect_equal(done.returncode, 1, done.stderr)
            expect(text in done.stderr, done.stderr)


@case
def every_program_ends_on_request():
    all_of_it = fleet()
    for program in all_of_it.everything:
        if program.process.poll() is None:
            program.stop()
    for host in (host for host in all_of_it.hosts if host is not all_of_it.hosts[1]):
        expect_equal(host.exporter.process.returncode, 0, host.exporter.log.read_text())
    all_of_it.pager.stop()
    all_of_it.names.stop()
    for host in all_of_it.hosts:
        host.place.close()
    all_of_it.central_place.close()
    wait_for(lambda: not devices_on_bus(), f'the end of {devices_on_bus()}')


os.environ.setdefault('TZ', 'UTC')
main()
