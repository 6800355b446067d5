#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The live page of the exporter: its data, which hosts it answers, and what its policy allows. The
long test test/browser/live.py opens it.

live.py COMMAND FOLDER: the macstats command, and the folder of the programs with a fake kernel
"""
import contextlib
import html.parser
import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'test/vm/lib'), str(ROOT / 'test/fake_kernel')]

import schemas  # noqa: E402
from fake_kernel import HANG_SECONDS, FakeKernel, get, raw_status  # noqa: E402

COMMAND, FOLDER = '', ''
LARGEST = 2 ** 64 - 1
# As long as names of interfaces may be, or less. No blanks, '/' or ':'.
HOSTILE = ('<script>alert()', '"onload="', "'-->", '&lt;b&gt;', '\\u003c', '\u202egpj.exe',
           '\x1b[31m', '\u65e5\u672c')


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), self.getpos()))


class Served(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.kernel = FakeKernel(FOLDER)
        self.addCleanup(self.kernel.close)

    def serve(self, *words, **options):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        return stack.enter_context(self.kernel.exporter(*words, **options))


class Data(Served):
    def show(self, *words):
        return json.loads(self.kernel.output('show', *words))

    def test_ports_are_those_of_show(self):
        self.kernel.add('mac0', totals={'rx_good_frames': LARGEST, 'rx_crc_errors': 2 ** 53 + 1})
        self.kernel.add('mac1', 'll40g', stale_reason='no snapshot', possible_loss=True,
                        discontinuities=3, totals={'rx_64b': 9}, saturated={'rx_64b': 2})
        place = self.serve()
        answer = get(place, '/api/ports')
        self.assertEqual((answer.status, answer.headers['Content-Type']),
                         (200, 'application/json'))
        self.assertEqual(answer.json(), self.show('--json'))
        self.assertEqual(schemas.problem('show', answer.json()), '')
        self.assertEqual(answer.json()[0]['totals']['rx_good_frames'], LARGEST)
        self.assertEqual(answer.json()[1]['state'], {
            'stale': True, 'possible_loss': True, 'discontinuities': 3,
            'stale_reason': 'no snapshot'})
        strings = get(place, '/api/ports?integers=strings').json()
        self.assertEqual(strings, self.show('--json-strings'))
        self.assertEqual(strings[0]['totals']['rx_good_frames'], str(LARGEST))

    def test_a_model_that_is_given_twice_is_exported_once(self):
        self.kernel.add('mac0')
        once, twice = (self.kernel.output('export', '--textfile', '-', '--model', models)
                       for models in ('cpsw', 'cpsw,cpsw'))
        self.assertEqual(len(twice.splitlines()), len(once.splitlines()))

    def test_a_request_for_a_range_gets_the_whole_text(self):
        self.kernel.add('mac0')
        place = self.serve()

        def ask(version, wanted):
            with socket.create_connection(place, HANG_SECONDS) as client:
                client.sendall(f'GET /metrics HTTP/{version}\r\nHost: localhost\r\nConnection: '
                               f'close\r\nRange: bytes={wanted}\r\n\r\n'.encode())
                answer = http.client.HTTPResponse(client)
                answer.begin()
                return answer.status, answer.read()

        requests = [(version, wanted) for version in ('1.0', '1.1')
                    for wanted in ('2-9', '0-', '-5', '0-99999999', '999999-', '0-1,4-5')]
        for request in requests:
            status, text = ask(*request)
            self.assertEqual(status, 200, request)
            self.assertTrue(text.startswith(b'# HELP macstats_'), request)
            self.assertTrue(text.endswith(b'macstats_export_dropped_series 0\n'), request)
        self.kernel.unload()
        error = get(place, '/metrics').text.encode()
        for request in requests:
            self.assertEqual(ask(*request), (503, error), request)

    def test_a_change_shows_at_the_next_request(self):
        port = self.kernel.add('mac0')
        place = self.serve()
        self.assertEqual(get(place, '/api/ports').json()[0]['totals']['rx_good_frames'], 0)
        port['totals']['rx_good_frames'] = 5
        self.kernel.poll()
        self.assertEqual(get(place, '/api/ports').json()[0]['totals']['rx_good_frames'], 5)
        self.kernel.ports.clear()
        self.kernel.poll()
        self.assertEqual(get(place, '/api/ports').json(), [])

    def test_nothing_of_the_page_reads_the_hardware(self):
        self.kernel.add('mac0')
        place = self.serve()
        self.kernel.write(rejects_reads=True)
        self.assertEqual(get(place, '/metrics').status, 503)
        for path in ('/', '/live.js', '/live.css', '/live.svg', '/api/ports',
                     '/api/ports?integers=strings', '/api/models/cpsw'):
            self.assertEqual(get(place, path).status, 200, path)

    def test_models_are_those_of_the_command(self):
        place = self.serve()
        models = json.loads(self.kernel.output('models', '--json'))
        self.assertGreater(len(models), 5)
        for model in models:
            self.assertEqual(get(place, f'/api/models/{model["name"]}').json(), model)
        for path in ('/api/models/nosuch', '/api/models/', '/api/models/../metrics', '/api/',
                     '/live.html', '/..%2f', '/api/models/%3Cscript%3E',
                     '/api/models/' + 8000 * 'a'):
            answer = get(place, path)
            self.assertEqual(answer.status, 404, path)
            self.assertNotIn('<script', answer.text)

    def test_counters_of_errors_are_marked_in_models(self):
        def errors(name):
            model = json.loads(subprocess.run([COMMAND, 'model', name, '--json'], check=True,
                                              stdout=subprocess.PIPE).stdout)
            return {each['name'] for each in model['counters'] if each['errors']}
        # SPRUH73H, table 14-83
        self.assertEqual({name for name in errors('cpsw') if name.startswith('rx_')}, {
            'rx_crc_errors', 'rx_align_code_errors', 'rx_oversize_frames', 'rx_jabbers',
            'rx_undersize_frames', 'rx_fragments', 'rx_sof_overruns', 'rx_mof_overruns',
            'rx_dma_overruns'})
        self.assertLessEqual({'rx_fcs', 'rx_runt', 'rx_fragments'}, errors('ll40g'))
        self.assertFalse({'rx_64b', 'rx_pause', 'rx_octets_ok'} & errors('ll40g'))

    def test_a_kernel_without_the_module_is_reported_until_it_is_back(self):
        place = self.serve()
        self.kernel.unload()
        answer = get(place, '/api/ports')
        self.assertEqual((answer.status, answer.headers['Content-Type']),
                         (503, 'text/plain; charset=utf-8'))
        self.assertIn('macstats', answer.text)
        self.assertEqual(get(place, '/').status, 200)
        self.kernel.write()
        self.assertEqual(get(place, '/api/ports').status, 200)

    def test_hostile_names_are_strings(self):
        for name in HOSTILE:
            self.assertLessEqual(len(name.encode()), 15, name)
            self.kernel.add(name)
        answer = get(self.serve(), '/api/ports')
        self.assertRegex(answer.text, r'\A[ -~]*\n\Z')
        self.assertEqual([port['port'] for port in answer.json()], list(HOSTILE))
        self.assertEqual(answer.headers['X-Content-Type-Options'], 'nosniff')


class Hosts(Served):
    PATHS = '/', '/live.js', '/api/ports', '/api/models/cpsw', '/metrics', '/nothing'

    ANSWERED = {path: 404 if path == '/nothing' else 200 for path in PATHS}
    REJECTED = dict.fromkeys(PATHS, 403)

    def statuses(self, place, host, *headers):
        return {path: raw_status(place, f'GET {path} HTTP/1.1', f'Host: {host}', *headers)
                for path in self.PATHS}

    def test_names_of_this_machine_are_answered_and_others_are_not(self):
        place = self.serve()
        for host in ('127.0.0.1', f'127.0.0.1:{place[1]}', 'localhost', f'localhost:{place[1]}',
                     'LocalHost', '[::1]', '[::1]:80', '127.8.9.1:1', '[0:0:0:0:0:0:0:1]',
                     '[::ffff:127.0.0.1]'):
            self.assertEqual(self.statuses(place, host), self.ANSWERED, host)
        for host in ('evil.example', f'evil.example:{place[1]}', '192.0.2.1', 'localhost.evil.example',
                     '127.0.0.1.evil.example', 'evil.example:127.0.0.1', '127.0.0.1@evil.example',
                     '[::1', '::1', '[::2]', '[::ffff:192.0.2.1]', '127.1', '2130706433',
                     '0x7f.0.0.1', 'localhost:80:80', 'localhost:x', '[::1].evil.example',
                     '[evil.example]', '""', 'localhost evil.example', '0.0.0.0', 'evil'):
            self.assertEqual(self.statuses(place, host), self.REJECTED, host)

    def test_a_request_without_one_host_is_malformed(self):
        place = self.serve()
        self.assertEqual(raw_status(place, 'GET /api/ports HTTP/1.1'), 400)
        self.assertEqual(raw_status(place, 'GET /api/ports HTTP/1.1', 'Host: '), 400)
        self.assertEqual(raw_status(place, 'GET / HTTP/1.1', 'Host: localhost', 'Host: evil'), 400)
        # Before HTTP/1.1 there was no Host; no browser sends such a request.
        self.assertEqual(raw_status(place, 'GET /metrics HTTP/1.0'), 200)
        self.assertEqual(raw_status(place, 'GET /metrics HTTP/1.0', 'Host: evil.example'), 403)

    def test_more_names_are_answered_on_request(self):
        place = self.serve('--allow-host', 'metrics.example,other.example', '--allow-host',
                           'third.example', '--allow-host', '[2001:db8::7]')
        for host in ('metrics.example', 'OTHER.example:9798', 'third.example', 'localhost',
                     '[2001:db8::7]:9797'):
            self.assertEqual(self.statuses(place, host), self.ANSWERED, host)
        for host in ('evil.example', 'example', 'a.third.example', 'metrics.example,other.example'):
            self.assertEqual(self.statuses(place, host), self.REJECTED, host)

    def test_names_that_no_request_can_have_are_rejected(self):
        for name in ('proxy.example:9798', '::1', 'a:b:1'):
            status, error = self.kernel.rejects('--listen', '127.0.0.1:0', '--allow-host', name)
            self.assertEqual(status, 2, error)
            self.assertIn(f'without a port, not "{name}"', error)

    def test_names_are_rejected_where_no_host_is_checked(self):
        status, error = self.kernel.rejects('--listen', '0.0.0.0:0', '--allow-host', 'a.example')
        self.assertEqual(status, 2, error)
        self.assertIn('only where --listen is a loopback address', error)

    def test_a_page_of_another_site_loads_nothing_but_may_link(self):
        place = self.serve()
        for site, mode, used_as, expected in (
                ('cross-site', 'no-cors', 'image', self.REJECTED),
                ('cross-site', 'cors', 'empty', self.REJECTED),
                ('cross-site', 'navigate', 'iframe', self.REJECTED),
                ('cross-site', 'navigate', 'document', self.ANSWERED),
                ('same-origin', 'cors', 'empty', self.ANSWERED),
                ('none', 'navigate', 'document', self.ANSWERED)):
            self.assertEqual(self.statuses(
                place, 'localhost', f'Sec-Fetch-Site: {site}', f'Sec-Fetch-Mode: {mode}',
                f'Sec-Fetch-Dest: {used_as}'), expected, (site, mode, used_as))

    def test_the_host_that_it_listens_at_is_answered(self):
        for listen, url in (('localhost:0', 'localhost'), ('127.0.0.2:0', '127.0.0.2'),
                            ('[::1]:0', '[::1]'), ('[::1%1]:0', '[::1]')):
            with self.subTest(listen):
                if listen.startswith('[') and not has_ipv6():
                    self.skipTest('this machine has no IPv6')
                place = self.serve(listen=listen)
                self.assertEqual(self.statuses(place, f'{url}:{place[1]}'), self.ANSWERED)
                self.assertEqual(self.statuses(place, 'evil.example'), self.REJECTED)
                self.assertIn('/live.js', get(place, '/').text)

    def test_other_machines_get_metrics_alone(self):
        for listen in '0.0.0.0:0', ':0':
            place = '127.0.0.1', self.serve(listen=listen)[1]
            for host in ('evil.example', 'localhost', '192.0.2.1:9797'):
                statuses = {path: raw_status(place, f'GET {path} HTTP/1.1', f'Host: {host}')
                            for path in self.PATHS}
                self.assertEqual(statuses, {path: 200 if path in ('/', '/metrics') else 404
                                            for path in self.PATHS})
            self.assertIn('loopback', get(place, '/').text)
            self.assertNotIn('script', get(place, '/').text)


def has_ipv6():
    try:
        socket.create_server(('::1', 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


class Policy(Served):
    def test_the_policy_is_strict(self):
        place = self.serve()
        for path in ('/', '/live.js', '/live.css', '/live.svg', '/api/ports', '/api/models/cpsw'):
            headers = get(place, path).headers
            directives = dict(each.strip().partition(' ')[::2]
                              for each in headers['Content-Security-Policy'].split(';'))
            self.assertEqual(directives, {
                'default-src': "'none'", 'script-src': "'self'", 'style-src': "'self'",
                'img-src': "'self'", 'connect-src': "'self'", 'base-uri': "'none'",
                'form-action': "'none'", 'frame-ancestors': "'none'",
                'require-trusted-types-for': "'script'", 'trusted-types': "'none'"})
            self.assertEqual(
                {name: headers[name] for name in (
                    'X-Content-Type-Options', 'Cross-Origin-Resource-Policy', 'Referrer-Policy',
                    'Cache-Control', 'Access-Control-Allow-Origin')},
                {'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin',
                 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store',
                 'Access-Control-Allow-Origin': None})

    def test_the_page_has_nothing_inline_and_all_that_it_names(self):
        place = self.serve()
        answer = get(place, '/')
        self.assertEqual(answer.headers['Content-Type'], 'text/html; charset=utf-8')
        page, types = Page(answer.text), {}
        for tag, attributes, _ in page.elements:
            self.assertNotIn(tag, ('style', 'iframe', 'object', 'embed', 'base'))
            self.assertTrue(tag != 'script' or 'src' in attributes)
            for name, value in attributes.items():
                self.assertFalse(name.startswith('on') or name == 'style', (tag, name))
                if name in ('src', 'href'):
                    self.assertRegex(value, r'^/[\w./]*$')
                    types[value] = get(place, value).headers['Content-Type'].partition(';')[0]
        self.assertEqual(types, {'/live.js': 'text/javascript', '/live.css': 'text/css',
                                 '/live.svg': 'image/svg+xml', '/metrics': 'text/plain'})
        self.assertNotRegex(get(place, '/live.css').text, r'url\(|@import')

    def test_no_text_becomes_markup_or_program(self):
        script = get(self.serve(), '/live.js').text
        self.assertNotRegex(script, r'innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|'
                                    r'new Function|DOMParser|srcdoc|cssText')
        self.assertEqual(set(re.findall(r'https?://[^\'"\s]+', script)),
                         {'http://www.w3.org/2000/svg'})

    def test_files_are_those_of_the_tree(self):
        place = self.serve()
        for path, name in (('/', 'live.html'), ('/live.js', 'live.js'), ('/live.css', 'live.css'),
                           ('/live.svg', 'live.svg')):
            self.assertEqual(get(place, path).text, (
                ROOT / 'userspace/present/live' / name).read_text(encoding='utf-8'))


if __name__ == '__main__':
    COMMAND, FOLDER = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
