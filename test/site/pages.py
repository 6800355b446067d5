#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The site in headless Chromium: every page, light and dark, on a narrow and a wide screen; and
its MACs beside the emulator of the programs.

pages.py --frames PROGRAM --command COMMAND [--seed S] [--count N] FOLDER: the program random-frames,
the command macstats, frames for each model, and the folder of the site
"""

import argparse
import collections
import functools
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'browser'))

from browser import SCHEMES, Browser  # noqa: E402

WIDTHS = 360, 1400
RESOURCE = re.compile(r'(?:url\(|@import (?!url))\s*["\']?([^"\')\s]+)')
FORM_FRAMES = 25  # of each model that the form is filled with

GIVEN = argparse.Namespace()


def local_path(address):
    return pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(address).path))


class Site:
    """All pages of a folder, each visited once. @problems: {kind: [text]}"""

    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder.resolve()
        self.pages = sorted(self.folder.rglob('*.html'))
        self.facts, self.problems = {}, collections.defaultdict(list)
        for page in self.pages:
            self.visit(page)
        for page in self.pages:
            self.check_links(page)
        for style in self.folder.rglob('*.css'):
            self.check_resources(style, [
                urllib.parse.urljoin(style.as_uri(), found) for found in
                RESOURCE.findall(style.read_text(encoding='utf-8')) if not found.startswith('data:')])

    def report(self, kind, page, what):
        self.problems[kind].append(f'{page.relative_to(self.folder)}: {what}')

    def visit(self, page):
        self.browser.show(WIDTHS[0], SCHEMES[0])
        self.browser.open(page.as_uri())
        for width in WIDTHS:
            self.browser.show(width, SCHEMES[0])
            # A panel that is closed by default is as wide as the page, too.
            self.browser.run('document.querySelectorAll("details").forEach(it => it.open = true)')
            extra = self.browser.examine('overflow')
            if extra > 0:
                self.report('overflow', page, f'{extra} pixels at {width}')
        for width, scheme in itertools.product(WIDTHS, SCHEMES):
            self.browser.show(width, scheme)
            for contrast, element, text in self.browser.examine('pale'):
                self.report('contrast', page,
                            f'{scheme}, {width}: {contrast}: {element}: {text}')
        facts = self.facts[page] = self.browser.examine('facts')
        if not facts['title'] or facts['headings'] > 1:
            self.report('structure', page, f'title {facts["title"]!r}, {facts["headings"]} h1')
        self.check_resources(page, facts['resources'])
        for message in self.browser.complaints():
            self.report('console', page, message)

    def check_resources(self, origin, addresses):
        for address in addresses:
            if address.startswith('data:'):
                continue
            path = local_path(address)
            if not address.startswith('file:') or self.folder not in path.parents or \
                    not path.exists():
                self.report('resources', origin, address)

    def check_links(self, page):
        for address in self.facts[page]['links']:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme in ('http', 'https', 'mailto'):
                continue
            target = local_path(address)
            if parts.scheme != 'file' or self.folder not in target.parents or \
                    not target.is_file():
                self.report('links', page, address)
            elif parts.fragment and target in self.facts and \
                    urllib.parse.unquote(parts.fragment) not in self.facts[target]['ids']:
                self.report('links', page, address)


GOOD = '''<!DOCTYPE html><html lang="en"><head><title>Good</title><style>
body { color: #222; background: #fff; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #111; } a { color: #9cf; } }
</style></head><body><h1 id="top">Good</h1><a href="#top">up</a></body></html>'''
# {kind of problem: a change of the page above that makes it}
BAD = {
    'overflow': ('<h1', '<div style="width: 380px">wide</div><h1'),
    'contrast': ('#111', '#999'),
    'console': ('</body>', '<script>undefined_function()</script></body>'),
    'resources': ('</head>', '<link rel="icon" href="missing.png"></head>'),
    'links': ('"#top"', '"#bottom"'),
    'structure': ('<title>Good</title>', ''),
}


class Examination(unittest.TestCase):
    """The checks notice what they are for."""

    def test_a_good_page_has_no_problem_and_each_kind_is_noticed(self):
        browser = Browser()
        self.addCleanup(browser.close)
        for kind, change in {'': ('Good', 'Good'), **BAD}.items():
            self.assertIn(change[0], GOOD)
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, 'a.html').write_text(GOOD.replace(*change), encoding='utf-8')
                problems = Site(browser, pathlib.Path(folder)).problems
                problems.pop('console' if kind == 'resources' else '', None)  # it reports it too
                self.assertEqual(set(problems), {kind} - {''}, problems)

    def test_links_to_missing_pages_and_outer_resources_are_noticed(self):
        browser = Browser()
        self.addCleanup(browser.close)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'a.html').write_text(GOOD.replace('"#top"', '"b.html"').replace(
                '<style>', '<link rel="stylesheet" href="s.css"><style>'), encoding='utf-8')
            pathlib.Path(folder, 's.css').write_text(
                '@import url(/javascript/other.css);', encoding='utf-8')
            problems = Site(browser, pathlib.Path(folder)).problems
            self.assertEqual(len(problems['links']), 1)
            self.assertIn('s.css: file:///javascript/other.css', problems['resources'])


class Pages(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.site = Site(cls.browser, GIVEN.folder)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def test_there_is_a_page_for_each_mac_tutorial_and_reference(self):
        names = {str(page.relative_to(self.site.folder)) for page in self.site.pages}
        for name in ('index', 'getting-started', 'reference/provider', 'reference/cpp-api',
                     *(f'macs/{model}' for model in frames()),
                     *(f'tutorials/{name}' for name in (
                         'inspect-a-port', 'write-a-scenario', 'test-a-driver',
                         'convert-a-driver', 'add-a-mac', 'monitor-a-fleet'))):
            self.assertIn(f'{name}.html', names)

    def test_the_references_have_functions_and_classes(self):
        for name, wanted in (('provider', 'c.macstats_port_register'), ('provider', 'c.macstats_alias'),
                             ('cpp-api/core', 'c.MACSTATS_TRY'),
                             ('cpp-api/core', 'classmacstats_1_1Result'),
                             ('cpp-api/device', 'classmacstats_1_1Device'),
                             ('cpp-api/netlink', 'classmacstats_1_1Client'),
                             ('cpp-api/scenario', 'classmacstats_1_1TestDevice')):
            page = self.site.folder / f'reference/{name}.html'
            self.assertIn(wanted, self.site.facts[page]['ids'])

    def test_no_page_has_a_console_message(self):
        self.assertEqual(self.site.problems['console'], [])

    def test_no_link_is_broken(self):
        self.assertGreater(sum(len(facts['links']) for facts in self.site.facts.values()), 1000)
        self.assertEqual(self.site.problems['links'], [])

    def test_the_site_needs_nothing_from_elsewhere(self):
        self.assertEqual(self.site.problems['resources'], [])

    def test_no_page_scrolls_sideways(self):
        self.assertEqual(self.site.problems['overflow'], [])

    def test_text_is_readable_light_and_dark(self):
        self.assertEqual(self.site.problems['contrast'], [])

    def test_each_page_has_a_title_and_no_second_one_on_the_page(self):
        self.assertEqual(self.site.problems['structure'], [])

    def test_the_two_schemes_differ(self):
        self.browser.open((GIVEN.folder.resolve() / 'index.html').as_uri())
        colours = []
        for scheme in SCHEMES:
            self.browser.show(WIDTHS[1], scheme)
            colours.append(self.browser.run('return getComputedStyle(document.body).backgroundColor'))
        self.assertEqual(len(set(colours)), 2, colours)

    def test_the_search_finds_a_counter(self):
        self.browser.open(
            (GIVEN.folder.resolve() / 'search.html').as_uri() + '?q=rx_sof_overruns')
        found = self.browser.driver.execute_async_script('''
            const done = arguments[0];
            const look = () => document.querySelector('#search-results .search a') ?
                done(document.querySelector('#search-results .search a').href) :
                setTimeout(look, 50);
            look();''')
        self.assertIn('macs/cpsw.html', found)


MAC = 'const mac = await MacstatsMac.make(document.getElementById("macstats-mac").textContent);'
# [index of a line, what the MAC of the page makes of it] where it differs from the emulator
DIFFERENCES = f'''return (async () => {{
{MAC}
const [lines] = arguments;
const values = (list, member) => Object.fromEntries(list.map(each =>
    [each.name, String(each[member])]));
const orNull = action => {{
    try {{
        return action();
    }} catch (error) {{
        return null;
    }}
}};
const sorted = value => JSON.stringify(value, (_, each) =>
    each && typeof each === 'object' && !Array.isArray(each) ?
    Object.fromEntries(Object.entries(each).sort()) : each);
const state = () => [values(mac.counters(), 'total'), values(mac.standard(), 'value')];
const steps = {{
    send: ([frame, count]) => [frame, count, orNull(() => mac.send(frame, count) ?? 0)],
    write: ([at, value]) => [at, value, orNull(() => mac.write(at, BigInt(value)) ?? 0)],
    read: ([at]) => [at, orNull(() => String(mac.read(at)))],
    poll: ([usecs]) => [usecs, orNull(() => mac.poll(usecs) ?? 0), mac.reason, ...state()],
}};
return lines.flatMap((line, index) => {{
    mac.powerUp(line.model, () => line.options, BigInt(line.seed ?? 0));
    if (line.steps) {{
        for (const [name, ...words] of line.steps) {{
            const got = steps[name](words);
            if (sorted(got) !== sorted(words))
                return [[index, [name, ...got]]];
        }}
        return [];
    }}
    for (const [at, value] of line.writes)
        mac.write(at, BigInt(value));
    const got = orNull(() => (mac.count(line.send, line.frame.count), state()));
    const wanted = line.counted && [line.counted.totals, line.counted.standard];
    if (got)
        got[0] = Object.fromEntries(Object.entries(got[0]).filter(([, value]) => value !== '0'));
    return sorted(got) === sorted(wanted) ? [] : [[index, got]];
}});
}})();'''
# Shown by the form for a frame: {name of a counter or statistic: number}; null: rejected
FORM = '''
const { options, writes, frame } = arguments[0];
const form = document.getElementById('calculator');
const set = (input, value) => {
    if (input.type === 'checkbox')
        input.checked = value;
    else
        input.value = value === null ? '' : String(value);
};
form.reset();
for (const [name, value] of Object.entries(frame))
    if (name === 'errors')
        for (const box of form.elements.errors)
            box.checked = value.includes(box.value);
    else if (form.querySelector(`[name=${name}]`))
        set(form.querySelector(`[name=${name}]`), value);
for (const input of form.querySelectorAll('[name^="option:"]'))
    set(input, options & input.name.split(':')[1]);
for (const input of form.querySelectorAll('[name^="register:"]')) {
    const [, address, mask] = input.name.split(':').map(Number);
    const [, value] = writes.find(([at]) => at === address) ?? [];
    const bits = ((value & mask) >>> 0) / (mask & -mask >>> 0);
    if (value !== undefined)
        set(input, input.type === 'checkbox' ? bits !== 0 : bits);
}
form.dispatchEvent(new Event('input', { bubbles: true }));
const output = document.getElementById('calculated');
if (output.querySelector('.rejected'))
    return null;
return Object.fromEntries([...output.querySelectorAll('tbody tr')].map(row =>
    [row.cells[0].textContent, row.cells[1].textContent.replace(/\\D/g, '')]));'''
OPTIONS = '''return [...document.querySelectorAll('#calculator [name^="option:"]')].reduce(
    (word, input) => word | input.value, 0);'''
# What the device says after a button, and its totals
PRESS = '''
const [button, place, value] = arguments;
const panel = document.getElementById('mac');
if (place !== null)
    panel.elements.place.value = place;
if (value !== null)
    panel.elements.value.value = value;
panel.querySelector(`button[value=${button}]`).click();
const last = document.getElementById('mac-log').lastChild;
return [last.textContent, last.className, Object.fromEntries(
    [...document.querySelectorAll('#mac-totals tbody tr')].map(row =>
        [row.cells[0].textContent, row.cells[1].textContent.replace(/\\D/g, '')]))];'''
READY = '''
const done = arguments[0];
const look = () => document.getElementById('mac')?.dataset.ready ? done(true) : setTimeout(look, 10);
look();'''
# Calls with any numbers: [those that trapped, whether the MAC still counts]
ABUSE = f'''return (async () => {{
{MAC}
const numbers = [-1, 0, 1, 2, 3, 255, 65535, 65536, 2 ** 31, 2 ** 32 - 1, NaN, Infinity];
const trapped = [];
const tried = name => {{
    for (const number of numbers)
        for (const places of [1, 2, 4, 8, 13]) {{
            const call = mac.calls[name];
            const words = Array.from({{ length: call.length }}, (_, i) =>
                i % places ? numbers[(i * 7 + places) % numbers.length] : number);
            const wide = {{ power_up: 2, write: 1 }}[name];
            if (wide !== undefined)
                words[wide] = BigInt(Number.isFinite(words[wide]) ? words[wide] : 2 ** 63);
            try {{
                call(...words);
            }} catch (error) {{
                trapped.push([name, words.map(String), String(error)]);
            }}
        }}
}};
const names = Object.keys(mac.calls).filter(name => name !== 'memory');
names.forEach(tried);
mac.powerUp(arguments[0]);
names.forEach(tried);
mac.powerUp(arguments[0]);
mac.count([1, 1, 1, 1, 0, 64, 0, 0, 0, 0, 0, 0], 5);
return [trapped, mac.standard().some(row => row.value === 5n)];
}})();'''


# Counters of frames that the random ones cannot reach, with the reason
UNREACHED = {
    # The MAC pads what it transmits.
    'll40g': {'tx_fragments', 'tx_runt'},
    # They show a short frame after one or two good ones, and here all frames are alike.
    'ixf1104': {'rx_short_errors', 'rx_runt_errors'},
    # One revision of four counts it, of one error in half duplex: it may be reached or not.
    'e1000e': {'tx_no_carrier_sense'},
}


@functools.cache
def made_lines(seed, count, devices):
    """{model: [line]} of the program, see random_frames.cpp"""
    lines = subprocess.run(
        [GIVEN.frames, '--seed', str(seed), '--count', str(count), '--devices', str(devices)],
        check=True, stdout=subprocess.PIPE).stdout.splitlines()
    made = collections.defaultdict(list)
    for line in map(json.loads, lines):
        if line.get('counted'):
            line['counted'] = flat(line['counted'])
        made[line['model']].append(line)
    return made


def flat(counted):
    """Totals and standard statistics by their names, with values as strings."""
    standard = {}
    for group, members in counted['standard'].items():
        for name, value in members.items():
            for bucket in value if isinstance(value, list) else [{'val': value}]:
                label = name.replace('NtoM', f'{bucket["low"]}to{bucket["high"]}') \
                    if 'low' in bucket else name
                standard[f'{group}/{label}'] = str(bucket['val'])
    return {'totals': {each['name']: str(each['value']) for each in counted['counters']},
            'standard': standard}


def frames():
    return made_lines(GIVEN.seed, GIVEN.count, 0)


def devices():
    return made_lines(GIVEN.seed, 0, GIVEN.count // 10)


def shown(counted):
    """The values that the form should show: see FORM."""
    if counted is None:
        return None
    return {name: value for name, value in (counted['totals'] | counted['standard']).items()
            if value != '0'}


class Macs(unittest.TestCase):
    """The forms of a MAC's page, beside the emulator of the programs."""
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, model):
        self.browser.open((GIVEN.folder.resolve() / f'macs/{model}.html').as_uri())
        self.browser.driver.execute_async_script(READY)

    def press(self, button, place=None, value=None):
        return self.browser.run(PRESS, button, place, value)

    def assert_same(self, made):
        for model, lines in made.items():
            with self.subTest(model):
                self.open(model)
                different = self.browser.run(DIFFERENCES, lines)
                self.assertEqual(
                    [(lines[index], result) for index, result in different[:3]], [])

    def test_random_frames_count_as_in_the_emulator(self):
        self.assert_same(frames())

    def test_random_accesses_and_bad_input_do_as_in_the_emulator(self):
        self.assert_same(devices())
        for lines in devices().values():
            results = [step[-1] if step[0] != 'poll' else step[2]
                       for line in lines for step in line['steps']]
            self.assertIn(None, results)

    def test_a_page_opens_with_what_the_command_counts(self):
        for model in frames():
            counted = json.loads(subprocess.run(
                [GIVEN.command, 'count', model, '--direction', 'rx', '--length', '64', '--json'],
                check=True, stdout=subprocess.PIPE).stdout)['models'][0]
            with self.subTest(model):
                self.open(model)
                self.assertEqual(self.browser.run(FORM, {
                    'options': self.browser.run(OPTIONS), 'writes': [], 'frame': {}}),
                    shown(flat(counted)))

    def test_random_frames_reach_all_counters_that_a_frame_can_reach(self):
        # Of a fixed sample: whether a small one reaches a rare counter is chance.
        described = json.loads(subprocess.run(
            [GIVEN.command, 'models', '--json'], check=True, stdout=subprocess.PIPE).stdout)
        for model in described:
            with self.subTest(model['name']):
                # Frames are of queue or priority 0, and of the express MAC.
                wanted = {counter['name'] for counter in model['counters']
                          if (counter['when'] or counter['status']) and
                          not any(counter.get('labels', {}).values()) and
                          counter.get('mac') != 'preemptible'}
                reached = {name for line in made_lines(1, 3000, 0)[model['name']]
                           if line['counted'] for name in line['counted']['totals']}
                self.assertEqual(wanted - reached - UNREACHED.get(model['name'], set()), set())

    def test_a_difference_is_noticed(self):
        self.open('cpsw')
        lines = json.loads(json.dumps([*(
            line for line in frames()['cpsw'] if line['counted'] and line['counted']['totals']),
            *(line for line in devices()['cpsw'] if line['steps'][-1][4])]))
        for index, values in ((3, lines[3]['counted']['totals']),
                              (len(lines) - 1, lines[-1]['steps'][-1][4])):
            name = next(iter(values))
            values[name] = str(int(values[name]) + 1)
            self.assertEqual([found for found, _ in self.browser.run(DIFFERENCES, lines)], [index])
            values[name] = str(int(values[name]) - 1)

    def test_no_number_stops_a_mac(self):
        self.open('cpsw')
        for model in frames():
            with self.subTest(model):
                self.assertEqual(self.browser.run(ABUSE, model), [[], True])

    def test_its_answers_are_readable_light_and_dark(self):
        self.open('cpsw')
        for length, is_rejected in ((64, False), (0, True)):
            self.assertEqual(self.browser.run(FORM, {
                'options': 1, 'writes': [], 'frame': {'length': length}}) is None, is_rejected)
            self.press('write', None, 'x' if is_rejected else '1')
            self.press('send')
            self.press('poll')
            for scheme in SCHEMES:
                self.browser.show(WIDTHS[1], scheme)
                self.assertEqual(list(self.browser.examine('pale')), [])

    def test_the_form_shows_what_the_emulator_counts(self):
        for model, lines in frames().items():
            self.open(model)
            # The form has no option for hardware without some of its counters.
            for line in [each for each in lines if each['complete']][:FORM_FRAMES]:
                with self.subTest(model, line=line):
                    self.assertEqual(self.browser.run(FORM, line), shown(line['counted']))
        self.assertEqual(self.browser.complaints(), [])

    def test_an_input_out_of_range_is_rejected_with_the_range(self):
        self.open('cpsw')
        text = self.browser.run('''
            const input = document.querySelector('#calculator [name=length]');
            input.value = 0;
            input.dispatchEvent(new Event('input', { bubbles: true }));
            return document.getElementById('calculated').textContent;''')
        self.assertIn('1 to 65535', text)

    def test_a_read_clears_a_register_of_a_device_and_a_poll_keeps_its_total(self):
        """e1000: CRCERRS at 0x4000 clears on read; the poll comes too late for what was read."""
        self.open('e1000')
        self.browser.run(FORM, {'options': 1, 'writes': [], 'frame': {
            'direction': 'rx', 'length': 200, 'errors': ['fcs'], 'count': 3}})
        self.press('send')
        self.assertEqual(self.press('poll')[2]['rx_crc_errors'], '3')
        self.press('send')
        self.assertIn(' reads 0x3', self.press('read', 0x4000)[0])
        self.assertIn(' reads 0x0', self.press('read', 0x4000)[0])
        self.assertEqual(self.press('poll')[2]['rx_crc_errors'], '3')
        self.assertEqual(self.press('power')[2], {})

    def test_a_device_reports_what_it_rejects(self):
        self.open('cpsw')
        for value, reason in (('x', 'a number such as'), ('0x100000000', 'wider than a register')):
            text, kind, _ = self.press('write', None, value)
            self.assertIn(reason, text)
            self.assertEqual(kind, 'rejected')

    def test_only_macs_may_compile_webassembly_and_no_page_runs_other_code(self):
        for name, may in (('macs/cpsw', True), ('macs/index', False), ('index', False)):
            self.browser.open((GIVEN.folder.resolve() / f'{name}.html').as_uri())
            policy = self.browser.run(
                'return document.querySelector("meta[http-equiv]").content').split('; ')
            self.assertEqual(policy[0], "default-src 'none'")
            scripts = policy[1].split()
            self.assertEqual(scripts[:3], ['script-src', "'self'", 'file:'])
            self.assertEqual([word for word in scripts[3:] if not word.startswith("'sha256-")],
                             ["'wasm-unsafe-eval'"] if may else [])
            self.assertFalse(self.browser.run("""
                const script = document.createElement('script');
                script.text = 'window.wasRun = true';
                document.body.append(script);
                return Boolean(window.wasRun);"""))
            self.assertIn('Content Security Policy', ''.join(self.browser.complaints()))


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--frames', required=True)
    parser.add_argument('--command', required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('folder', type=pathlib.Path)
    parser.parse_args(namespace=GIVEN)
    unittest.main(argv=sys.argv[:1])
