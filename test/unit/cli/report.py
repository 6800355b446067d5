#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The page that `macstats run --report` writes: what it has, and that it loads and runs nothing.
The long test test/browser/report.py opens it.

report.py COMMAND: the macstats command.
"""
import base64
import contextlib
import hashlib
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

COMMAND = ''
HOSTILE = '<script>alert("1")</script> & \'x\' \x1b[31m'
EMPTY = {'area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'rect', 'wbr'}


class Page(html.parser.HTMLParser):
    """The elements of a page: (name, attributes, text) in their order. Each end belongs to the
    last start."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found, self.open = [], []
        self.feed(text)
        self.close()
        if self.open:
            raise ValueError(f'not ended: {self.open}')

    def handle_starttag(self, tag, attrs):
        self.found.append([tag, dict(attrs), ''])
        if tag not in EMPTY:
            self.open.append(self.found[-1])

    def handle_endtag(self, tag):
        if tag in EMPTY:
            return
        if self.open.pop()[0] != tag:
            raise ValueError(f'</{tag}> in the wrong place')

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def elements(self, tag, **wanted):
        return [(attributes, text) for name, attributes, text in self.found
                if name == tag and wanted.items() <= attributes.items()]

    def text_of(self, tag, **wanted):
        (_, text), = self.elements(tag, **wanted)
        return ' '.join(text.split())


def scenario(name, *steps, reference='TRM, table 14-83', **device):
    return {'name': name, 'reference': reference,
            'devices': {'mac': {'model': 'cpsw', **device}}, 'steps': list(steps)}


def send(**frame):
    return {'send': {'port': 'mac', 'direction': 'rx', **frame}}


def expect(**totals):
    return {'expect': {'port': 'mac', 'totals': totals}}


def run(*scenarios):
    """(the page, exit code, TAP)"""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, each in enumerate(scenarios):
            files.append(pathlib.Path(folder) / f'{number}.json')
            files[-1].write_text(json.dumps(each))
        page = pathlib.Path(folder) / 'report.html'
        done = subprocess.run([COMMAND, 'run', *files, '--report', page], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return page.read_text(), done.returncode, done.stdout


PASSES = scenario('passes', send(length=64, count=3), expect(rx_good_frames=3))
FAILS = scenario('fails', send(length=64), {'advance': {'seconds': 2}}, expect(rx_good_frames=4),
                 expect(rx_good_frames=1))


class Report(unittest.TestCase):
    def test_failures_have_the_help_of_the_row_and_the_clause(self):
        text, code, tap = run(PASSES, FAILS)
        self.assertEqual(code, 1)
        self.assertIn('not ok 2', tap)
        page = Page(text)
        self.assertEqual(page.text_of('title'), 'macstats run: 1 of 2 scenarios failed')
        failures = page.text_of('section', id='failures')
        for words in ('fails', 'clauseTRM, table 14-83', 'counterrx_good_frames', 'expected4',
                      'actual1', 'step 2 (expect)',
                      'datasheetGood Rx Frames: Received frames of 64 octets up to RX_MAXLEN'):
            self.assertIn(words, failures)
        self.assertNotIn('passes', failures)

    def test_a_run_without_failures_has_no_section_of_them(self):
        text, code, _ = run(PASSES)
        page = Page(text)
        self.assertEqual((code, page.elements('section', id='failures')), (0, []))
        self.assertIn('passed', page.text_of('h1'))

    def test_a_time_line_has_the_clock_of_each_step_and_where_it_ended(self):
        steps = [(attributes['class'], ' '.join(text.split()))
                 for attributes, text in Page(run(FAILS)[0]).elements('li')
                 if attributes.get('class') in ('ran', 'failed', 'left')]
        self.assertEqual([kind for kind, _ in steps], ['ran', 'ran', 'failed', 'left'])
        self.assertEqual([re.match(r'([\d.]+) (µs|s)', text).groups() for _, text in steps],
                         [('0', 'µs'), ('0', 'µs'), ('2.000', 's'), ('2.000', 's')])
        self.assertIn('"advance"', steps[1][1])
        self.assertTrue(steps[3][1].endswith('not run'), steps[3])

    def test_coverage_names_what_is_reached(self):
        page = Page(run(scenario('all', send(length=64), expect(rx_good_frames=1),
                                 registers={'RX_MAXLEN': 1518}))[0])
        cells = {' '.join(text.split()[1:]): attributes['class']
                 for attributes, text in page.elements('li') if 'title' in attributes}
        self.assertEqual(cells['rx_good_frames'], 'full')
        self.assertEqual(cells['rxtx_64_octet_frames'], 'part')
        self.assertEqual(cells['rx_broadcast_frames'], 'none')
        self.assertEqual(cells['RX_MAXLEN'], 'full')
        self.assertEqual(cells['MACCONTROL'], 'none')
        self.assertIn('rx_crc_errors: rx frames of 64 octets and more, with fcs',
                      page.text_of('section', id='coverage'))

    def test_texts_are_escaped(self):
        text, code, _ = run(scenario(HOSTILE, reference=HOSTILE))
        self.assertEqual(code, 0)
        self.assertNotIn('<script', text)
        self.assertNotIn('\x1b', text)
        page = Page(text)
        self.assertEqual(page.text_of('span', **{'class': 'name'}),
                         '<script>alert("1")</script> & \'x\' \\x1b[31m')

    def test_the_policy_allows_the_style_sheet_alone(self):
        text = run(PASSES)[0]
        page = Page(text)
        style = text.partition('<style>')[2].partition('</style>')[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        (policy, _), = page.elements('meta', **{'http-equiv': 'Content-Security-Policy'})
        self.assertEqual(policy['content'],
                         f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
                         "form-action 'none'")
        for tag, attributes, _ in page.found:
            self.assertNotIn(tag, ('script', 'link', 'img', 'iframe', 'object', 'embed', 'base'))
            for name in attributes:
                self.assertFalse(name.startswith('on') or name in ('style', 'src', 'href'), name)
        self.assertNotRegex(style, r'url\(|@import')

    def test_a_file_that_cannot_be_written_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / 'a.json'
            source.write_text(json.dumps(PASSES))
            done = subprocess.run([COMMAND, 'run', source, '--report', '/nowhere/a.html'],
                                  check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('--report: /nowhere/a.html: No such file or directory\n', done.stderr)

    def test_pipes_are_written_to_and_links_stay(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / 'a.json').write_text(json.dumps(PASSES))
            os.mkfifo(folder / 'pipe')
            (folder / 'file').write_text('old')
            for link, target in (('link', 'file'), ('output', '/dev/stdout')):
                (folder / link).symlink_to(target)
            with subprocess.Popen(['cat', folder / 'pipe'], stdout=subprocess.PIPE,
                                  text=True) as reader, contextlib.ExitStack() as stack:
                # It waits for a writer, which a pipe that was replaced never gets.
                stack.callback(reader.kill)
                texts = []
                for path in ('pipe', 'link', 'output'):
                    done = subprocess.run(
                        [COMMAND, 'run', folder / 'a.json', '--report', folder / path],
                        check=False, stdin=subprocess.DEVNULL, text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    self.assertEqual((done.returncode, done.stderr), (0, ''), path)
                    texts.append(done.stdout)
                self.assertTrue((folder / 'pipe').is_fifo())
                texts[0] = reader.communicate()[0]
            texts[1] = (folder / 'file').read_text()
            links = [os.readlink(folder / link) for link in ('link', 'output')]
        self.assertEqual(links, ['file', '/dev/stdout'])
        for text in texts:
            self.assertIn('</html>', text)


if __name__ == '__main__':
    COMMAND = sys.argv.pop(1)
    unittest.main()
