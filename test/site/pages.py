#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The site in headless Chromium: every page, light and dark, on a narrow and a wide screen; and
its calculators beside the emulator.

pages.py --frames PROGRAM [--seed S] [--count N] FOLDER: the program random-frames, frames for
each model, and the folder of the site
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


MODEL = 'const model = JSON.parse(document.getElementById("macstats-model").textContent);'
# [index of a frame, what the calculator makes of it] where it differs from the emulator
DIFFERENCES = MODEL + '''
const sorted = value => Array.isArray(value) ? value.map(sorted) :
    value && typeof value === 'object' ?
    Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])])) : value;
return arguments[0].flatMap((line, index) => {
    const result = macstatsCount.count(model, line.setup, line.frame);
    const got = result.rejected ? null : { counters: result.counters, standard: result.standard };
    const wanted = line.counted && { standard: line.counted.standard, counters:
        Object.fromEntries(line.counted.counters.map(each => [each.name, each.value])) };
    return JSON.stringify(sorted(got)) === JSON.stringify(sorted(wanted)) ? [] : [[index, result]];
});'''
# Shown by the form for a frame: {name of a counter or statistic: number}; null: rejected
FORM = MODEL + '''
const { setup, frame } = arguments[0];
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
    else
        set(form.querySelector(`[name="${name}"]`), value);
for (const [name, word] of Object.entries(setup.options))
    if (form.elements[`option:${name}`])
        set(form.elements[`option:${name}`], word);
for (const input of form.querySelectorAll('[name^="register:"]')) {
    const [, name, lsb, mask] = input.name.split(':');
    const value = setup.registers[name];
    if (value !== undefined)
        set(input, input.type === 'checkbox' ? (value & mask) !== 0 : (value & mask) >>> lsb);
}
form.dispatchEvent(new Event('input', { bubbles: true }));
const output = document.getElementById('calculated');
if (output.querySelector('.rejected'))
    return null;
return Object.fromEntries([...output.querySelectorAll('tbody tr')].map(row =>
    [row.cells[0].textContent, Number(row.cells[1].textContent.replace(/\\D/g, ''))]));'''


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
def made_frames(seed, count):
    """{model: [{"setup", "frame", "counted"}]} of the emulator"""
    lines = subprocess.run(
        [GIVEN.frames, '--seed', str(seed), '--count', str(count)], check=True,
        stdout=subprocess.PIPE).stdout.splitlines()
    made = collections.defaultdict(list)
    for line in map(json.loads, lines):
        made[line['model']].append(line)
    return made


def frames():
    """made_frames() of the seed and number that were asked for"""
    return made_frames(GIVEN.seed, GIVEN.count)


def shown(counted):
    """The values that the form should show: see FORM."""
    if counted is None:
        return None
    values = {each['name']: each['value'] for each in counted['counters']}
    for group, members in counted['standard'].items():
        for name, value in members.items():
            buckets = value if isinstance(value, list) else [{'val': value}]
            for bucket in buckets:
                if bucket['val']:
                    label = name.replace('NtoM', f'{bucket["low"]}to{bucket["high"]}') \
                        if 'low' in bucket else name
                    values[f'{group}/{label}'] = bucket['val']
    return values


class Calculator(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, model):
        self.browser.open((GIVEN.folder.resolve() / f'macs/{model}.html').as_uri())

    def test_random_frames_count_as_in_the_emulator(self):
        for model, lines in frames().items():
            with self.subTest(model):
                self.open(model)
                different = self.browser.run(DIFFERENCES, lines)
                self.assertEqual(
                    [(lines[index], result) for index, result in different[:3]], [])

    def test_random_frames_reach_all_counters_that_a_frame_can_reach(self):
        # Of a fixed sample: whether a small one reaches a rare counter is chance.
        for model, lines in made_frames(seed=1, count=3000).items():
            with self.subTest(model):
                self.open(model)
                wanted = set(self.browser.run(MODEL + """
                    return model.counters.filter(counter => counter.when.length || counter.status)
                        .map(counter => counter.name)"""))
                reached = {each['name'] for line in lines if line['counted']
                           for each in line['counted']['counters']}
                self.assertEqual(wanted - reached - UNREACHED.get(model, set()), set())

    def test_a_difference_is_noticed(self):
        self.open('cpsw')
        lines = json.loads(json.dumps(
            [line for line in frames()['cpsw'] if line['counted'] and line['counted']['counters']]))
        lines[0]['counted']['counters'][0]['value'] += 1
        self.assertEqual([index for index, _ in self.browser.run(DIFFERENCES, lines)], [0])

    def test_its_answers_are_readable_light_and_dark(self):
        self.open('cpsw')
        for length, is_rejected in ((64, False), (0, True)):
            self.assertEqual(self.browser.run(FORM, {
                'setup': {'options': {}, 'registers': {}}, 'frame': {'length': length}}) is None,
                is_rejected)
            for scheme in SCHEMES:
                self.browser.show(WIDTHS[1], scheme)
                self.assertEqual(list(self.browser.examine('pale')), [])

    def test_the_form_shows_what_the_emulator_counts(self):
        for model, lines in frames().items():
            self.open(model)
            # The form has no option for hardware without some of its counters.
            for line in [each for each in lines if not any(
                    'statistics' in name for name in each['setup']['options'])][:FORM_FRAMES]:
                with self.subTest(model, frame=line['frame'], setup=line['setup']):
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


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--frames', required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('folder', type=pathlib.Path)
    parser.parse_args(namespace=GIVEN)
    unittest.main(argv=sys.argv[:1])
