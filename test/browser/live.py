#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The live page of the exporter in headless Chromium, with traffic: it shows what `macstats show`
does, errors first, and hostile names as text; it survives the exporter; it can be read in light and
dark, on a narrow screen, and used by keyboard.

live.py FOLDER [--pictures FOLDER]: the folder of the programs with a fake kernel
"""
import argparse
import contextlib
import json
import pathlib
import re
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'fake_kernel'))

from selenium.common.exceptions import JavascriptException  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

from browser import SCHEMES, Browser  # noqa: E402
from fake_kernel import FakeKernel, wait_for  # noqa: E402

WIDTHS = 360, 1400
LARGEST = 2 ** 64 - 1
GIVEN = argparse.Namespace()
# {name: as it is shown}. Names of interfaces have 15 octets at most, and no '/', ':' or blank.
HOSTILE = {'<img&src=x>': '<img&src=x>', '<b>bold': '<b>bold', '"onload="': '"onload="',
           "'-->": "'-->", '&lt;b&gt;': '&lt;b&gt;', '\u202egpj.exe': '\\xe2\\x80\\xaegpj.exe',
           '\x1b[31m': '\\x1b[31m', '日本語': '日本語', '<script>hack()': '<script>hack()',
           'javascript\u200b': 'javascript\\xe2\\x80\\x8b', '__proto__': '__proto__'}

# {name of a counter: [total, rate]} in the rows of a port, in their order
ROWS = '''
return [...document.querySelectorAll('.port')].filter(
    port => port.querySelector('.port-name').textContent === arguments[0]).flatMap(
    port => [...port.querySelectorAll('.counters tbody tr')].map(row =>
        [row.querySelector('.name').textContent, row.querySelector('.total').textContent,
         row.querySelector('.rate').textContent]));'''
NAMES = 'return [...document.querySelectorAll(".port-name")].map(it => it.textContent)'
PROBLEMS = '''return [...document.querySelectorAll('#problem-table tbody tr')].map(
    row => [...row.cells].map(cell => cell.textContent))'''


def setUpModule():
    Page.kernel = FakeKernel(GIVEN.folder)
    unittest.addModuleCleanup(Page.kernel.close)
    stack = contextlib.ExitStack()
    unittest.addModuleCleanup(stack.close)
    Page.place = stack.enter_context(Page.kernel.exporter())
    Page.browser = Browser()
    unittest.addModuleCleanup(Page.browser.close)


class Page(unittest.TestCase):
    """One page and one exporter; each test has ports of its own."""
    maxDiff = None

    kernel = browser = place = None

    def setUp(self):
        self.kernel.ports.clear()
        self.kernel.write()
        self.browser.show(WIDTHS[1])

    def tearDown(self):
        """In each test, the page asks no other origin, and the console has no message."""
        requests = list(self.browser.requests())
        self.assertTrue(all(each.startswith(('http://127.0.0.1:', 'about:blank'))
                            for each in requests), requests)
        self.assertEqual(self.browser.complaints(), [])

    def open(self, place=None):
        host, port = place or self.place
        self.browser.open(f'http://{host}:{port}/')
        self.wait_for_state('live')

    def state(self):
        return self.browser.run('return document.getElementById("state").textContent')

    def wait_for_state(self, text):
        wait_for(lambda: text in self.state(), f'"{text}", not "{self.state()}"')

    def ask_now(self, state='live'):
        """The page asks at once after a pause. Returns when it shows the answer."""
        self.browser.run('''document.getElementById('pause').click();
                            document.getElementById('pause').click();''')
        self.wait_for_state(state)

    def poll(self, **options):
        self.kernel.poll(**options)
        self.ask_now()

    def show_zeros(self):
        self.browser.run('document.getElementById("zeros").click()')

    def open_all(self):
        self.browser.run('document.querySelectorAll("details").forEach(it => it.open = true)')
        wait_for(lambda: self.browser.run(
            'return document.querySelectorAll(".registers").length ==='
            ' document.querySelectorAll(".port").length'), 'registers')

    def rows(self, port):
        return self.browser.run(ROWS, port)

    def totals(self, port):
        return {name: total for name, total, _ in self.rows(port)}

    def names(self):
        return self.browser.run(NAMES)


class Values(Page):
    def test_totals_change_without_a_reload_and_are_those_of_show(self):
        mac = self.kernel.add('mac0', totals={'rx_good_frames': LARGEST, 'tx_octets': 2 ** 53 + 1})
        self.kernel.add('mac1', 'll40g')
        self.open()
        self.show_zeros()
        self.browser.run('window.same = true')
        for second in range(2):
            for number, name in enumerate(('rx_octets', 'tx_octets', 'rx_crc_errors')):
                mac['totals'][name] = mac['totals'].get(name, 0) + 10 ** number + second
            self.kernel.poll()
            if second:
                self.ask_now()
            # Otherwise it asks every two seconds, by itself.
            wait_for(lambda: self.totals('mac0').get('rx_crc_errors') ==
                     str(mac['totals']['rx_crc_errors']), 'the new totals')
            for port in json.loads(self.kernel.output('show', '--json')):
                self.assertEqual(self.totals(port['port']), {
                    name: str(value) for name, value in port['totals'].items()})
        self.assertEqual(self.totals('mac0')['rx_good_frames'], str(LARGEST))
        self.assertTrue(self.browser.run('return window.same'))

    def test_rates_are_those_of_the_time_between_polls(self):
        mac = self.kernel.add('mac0', totals={'rx_good_frames': 7})
        self.open()
        self.assertEqual(self.rows('mac0'), [['rx_good_frames', '7', '-']])
        mac['totals'].update(rx_good_frames=7 + 3000, rx_octets=3000 * 100)
        self.poll(seconds=2)
        self.assertEqual(self.rows('mac0'), [['rx_good_frames', '3007', '1.500 kframes/s'],
                                             ['rx_octets', '300000', '1.200 Mbit/s']])
        # A poll that has been shown has no rates of its own.
        self.ask_now()
        self.assertEqual(self.rows('mac0')[0], ['rx_good_frames', '3007', '1.500 kframes/s'])
        self.poll()
        self.assertEqual(self.rows('mac0')[0], ['rx_good_frames', '3007', '0 frames/s'])
        # Totals begin again: nothing is known about now.
        mac.update(generation=0, totals={'rx_good_frames': 4})
        self.poll()
        self.assertEqual(self.rows('mac0')[0], ['rx_good_frames', '4', '-'])

    def test_rates_across_what_was_not_counted_are_lower_bounds(self):
        mac = self.kernel.add('mac0', totals={'rx_good_frames': 7, 'rx_crc_errors': 1})
        self.open()
        for lost, marks in (({'saturated': {'rx_crc_errors': 1}}, {'rx_crc_errors'}),
                            ({}, set()),
                            ({'possible_loss': True}, {'rx_crc_errors', 'rx_good_frames'}),
                            ({}, set()),
                            ({'discontinuities': 1}, {'rx_crc_errors', 'rx_good_frames'})):
            with self.subTest(lost=lost):
                mac.update(lost)
                for name in mac['totals']:
                    mac['totals'][name] += 5
                self.poll()
                self.assertEqual({name: rate for name, _, rate in self.rows('mac0')},
                                 {name: f'{"≥ " if name in marks else ""}5 frames/s'
                                  for name in mac['totals']})

    def test_a_stale_port_has_no_rates(self):
        mac = self.kernel.add('mac0', totals={'rx_good_frames': 7})
        self.open()
        mac['totals']['rx_good_frames'] += 100
        self.poll()
        self.assertEqual(self.rows('mac0'), [['rx_good_frames', '107', '100 frames/s']])
        mac.update(stale_reason='the device is gone', possible_loss=True)
        self.poll()
        self.assertEqual(self.rows('mac0'), [['rx_good_frames', '107', '-']])
        del mac['stale_reason']
        mac['totals']['rx_good_frames'] += 300
        self.poll()
        # Counted over both seconds, less the loss.
        self.assertEqual(self.rows('mac0'), [['rx_good_frames', '407', '≥ 150 frames/s']])
        mac['totals']['rx_good_frames'] += 300
        self.poll()
        self.assertEqual(self.rows('mac0'), [['rx_good_frames', '707', '300 frames/s']])

    def test_octets_and_frames_of_a_port_are_shown_with_a_sparkline(self):
        mac = self.kernel.add('mac0')
        self.open()
        for second in range(1, 6):
            mac['totals'].update(rx_good_frames=100 * second, rx_octets=100 * 104 * second)
            self.poll()
        text, path = self.browser.run('''const line = document.querySelector('.graphs > div');
            return [line.querySelector('p').textContent, line.querySelector('path').getAttribute('d')]''')
        # Without the FCS: 100 octets a frame.
        self.assertEqual(text, 'Received 80.00 kbit/s, 100 frames/s')
        mac['saturated'] = {'rx_good_frames': 1}
        mac['totals'].update(rx_good_frames=600, rx_octets=600 * 104)
        self.poll()
        self.assertEqual(self.browser.run('return document.querySelector(".graphs p").textContent'),
                         'Received ≤ 80.00 kbit/s, ≥ 100 frames/s')
        self.assertEqual(path.count('M') + path.count('L'), 5, path)

    def test_a_lower_bound_and_the_states_are_shown(self):
        self.kernel.add('mac0', stale_reason='no snapshot', possible_loss=True, discontinuities=2,
                        totals={'rx_good_frames': 9}, saturated={'rx_good_frames': 1})
        self.open()
        self.assertEqual(self.totals('mac0'), {'rx_good_frames': '≥ 9'})
        self.assertEqual(self.browser.run('return document.querySelector(".port .badge").textContent'),
                         'stale (no snapshot), possible loss, 2 discontinuities, 1 saturated counter')

    def test_ports_that_come_and_go_are_followed(self):
        self.kernel.add('mac0')
        self.open()
        self.kernel.add('mac1')
        self.poll()
        self.assertEqual(self.names(), ['mac0', 'mac1'])
        self.kernel.ports.pop(0)
        self.poll()
        self.assertEqual(self.names(), ['mac1'])
        self.kernel.ports.clear()
        self.poll()
        self.assertEqual(self.names(), [])
        self.assertIn('no ports', self.browser.run('return document.querySelector("main").innerText'))

    def test_registers_have_their_fields_and_decode_a_value(self):
        self.kernel.add('mac0', totals={'rx_good_frames': 12})
        self.open()
        self.open_all()
        model, = (each for each in json.loads(self.kernel.output('models', '--json'))
                  if each['name'] == 'cpsw')
        shown = self.browser.run('''return [...document.querySelectorAll('.registers tbody tr')].map(
            row => [...row.cells].slice(0, 3).map(cell => cell.textContent))''')
        self.assertIn([hex(model['counters'][0]['offset']), 'Good Rx Frames', '12'], shown)
        register = max(model['registers'], key=lambda each: len(each['fields']))
        self.assertGreater(len(register['fields']), 2)
        field = self.browser.driver.find_element(
            'css selector', f'input[aria-label="value of {register["name"]} to decode"]')
        field.send_keys('0xA5A5A5A5')
        decoded = {row[1]: row[2] for row in self.browser.run('''
            return [...document.querySelectorAll('.registers .field')].map(
                row => [...row.cells].map(cell => cell.textContent))''') if row[2]}
        self.assertEqual(decoded, {each['name']: hex(0xA5A5A5A5 >> each['lsb'] &
                                                     (1 << each['bits']) - 1)
                                   for each in register['fields']})
        field.send_keys('x')
        self.assertEqual(field.get_attribute('aria-invalid'), 'true')


class Errors(Page):
    def test_errors_come_first(self):
        for name in ('mac0', 'mac1', 'mac2', 'mac3'):
            self.kernel.add(name, totals={'rx_good_frames': 5})
        self.kernel.ports[2]['totals']['rx_jabbers'] = 2
        self.kernel.ports[3]['totals'].update(rx_crc_errors=4, rx_fragments=1)
        self.kernel.write()
        self.open()
        self.assertEqual(self.names(), ['mac2', 'mac3', 'mac0', 'mac1'])
        self.kernel.ports[3]['totals']['rx_fragments'] += 10
        self.poll()
        self.assertEqual(self.names(), ['mac3', 'mac2', 'mac0', 'mac1'])
        # Those that count now before those that have counted, and both before the others.
        self.assertEqual(self.rows('mac3'), [['rx_fragments', '11', '10 frames/s'],
                                             ['rx_crc_errors', '4', '0 frames/s'],
                                             ['rx_good_frames', '5', '0 frames/s']])
        self.assertEqual(self.browser.run(PROBLEMS), [
            ['mac3', 'rx_fragments', '11', '10 frames/s'],
            ['mac2', 'rx_jabbers', '2', '0 frames/s'], ['mac3', 'rx_crc_errors', '4', '0 frames/s']])
        self.assertEqual(self.browser.run('''return document.getElementById('problems')
            .compareDocumentPosition(document.getElementById('ports'))'''), 4)
        self.assertEqual(self.browser.run('return document.title'), '(1) macstats: ports')

    def test_stale_ports_are_the_first_errors(self):
        self.kernel.add('mac0', totals={'rx_crc_errors': 4})
        self.kernel.add('mac1', stale_reason='bus error')
        self.open()
        self.assertEqual([row[:2] for row in self.browser.run(PROBLEMS)],
                         [['mac1', 'stale (bus error)'], ['mac0', 'rx_crc_errors']])

    def test_without_errors_there_is_no_list(self):
        self.kernel.add('mac0', totals={'rx_good_frames': 5})
        self.open()
        self.assertEqual(self.browser.run(PROBLEMS), [])
        self.assertTrue(self.browser.run(
            'return document.getElementById("no-problems").checkVisibility()'))

    def test_focus_stays_when_ports_change_their_order(self):
        for name in ('mac0', 'mac1'):
            self.kernel.add(name)
        self.open()
        self.browser.run('document.querySelectorAll(".port summary")[2].focus()')
        self.kernel.ports[1]['totals']['rx_crc_errors'] = 1
        self.poll()
        self.assertEqual(self.names(), ['mac1', 'mac0'])
        self.assertEqual(self.browser.run(
            'return document.activeElement.closest(".port").querySelector(".port-name").textContent'),
            'mac1')


class Hostile(Page):
    def test_hostile_names_are_text(self):
        for name in HOSTILE:
            self.assertLessEqual(len(name.encode()), 15, name)
            self.kernel.add(name, totals={'rx_crc_errors': 1}, stale_reason='<i>&amp;</i>')
        self.open()
        self.open_all()
        self.poll()
        self.assertEqual(set(self.names()), set(HOSTILE.values()))
        self.assertEqual({row[0] for row in self.browser.run(PROBLEMS)}, set(HOSTILE.values()))
        self.assertIn('stale (<i>&amp;</i>)', [row[1] for row in self.browser.run(PROBLEMS)])
        tags = set(self.browser.run('return [...document.querySelectorAll("body *")].map(it => '
                                    'it.localName)'))
        self.assertFalse(tags & {'img', 'script', 'b', 'i', 'iframe'}, tags)

    def test_markup_would_be_rejected(self):
        self.open()
        for script in ('document.body.innerHTML = "<img src=x onerror=\'hacked = 1\'>"',
                       'document.body.setAttribute("onclick", "window.hacked = true")'):
            with self.assertRaisesRegex(JavascriptException, 'Trusted'):
                self.browser.run(script)
        self.assertEqual(len(self.browser.complaints()), 2)


class Lost(Page):
    def test_an_exporter_that_ends_is_reported_and_found_again(self):
        mac = self.kernel.add('mac0', totals={'rx_good_frames': 5})
        with contextlib.ExitStack() as stack:
            host, port = stack.enter_context(self.kernel.exporter())
            self.open((host, port))
            stack.close()
            self.ask_now('not reachable')
            self.assertEqual(self.totals('mac0'), {'rx_good_frames': '5'})
            # It asks less often.
            self.ask_now('not reachable')
            when = self.browser.run('return document.getElementById("when").textContent')
            self.assertGreaterEqual(int(re.search(r'next try in (\d+) s', when)[1]), 4)
            mac['totals']['rx_good_frames'] = 6
            self.kernel.poll()
            with self.kernel.exporter(listen=f'{host}:{port}'):
                self.wait_for_state('live')
                self.assertEqual(self.totals('mac0'), {'rx_good_frames': '6'})
                self.browser.open('about:blank')
        # Chromium itself reports the requests that failed.
        complaints = self.browser.complaints()
        self.assertTrue(complaints and all('net::ERR_' in each for each in complaints), complaints)

    def test_an_answer_that_cannot_be_shown_is_no_lost_exporter(self):
        self.kernel.add('mac0', totals={'rx_good_frames': 5})
        self.open()
        self.browser.run('window.fetch = async () => new Response("{}")')
        self.ask_now('the answer cannot be shown: ')
        self.assertEqual(self.totals('mac0'), {'rx_good_frames': '5'})

    def test_an_error_of_the_kernel_is_shown_until_it_ends(self):
        self.kernel.add('mac0')
        self.open()
        self.kernel.unload()
        self.ask_now('the exporter reports: the kernel has no netlink family')
        for scheme in SCHEMES:
            self.browser.show(WIDTHS[1], scheme)
            self.assertEqual(self.browser.examine('pale'), [], scheme)
        self.kernel.write()
        self.ask_now()
        complaints = self.browser.complaints()
        self.assertTrue(complaints and all('503' in each for each in complaints), complaints)

    def test_a_page_that_is_paused_does_not_ask(self):
        self.kernel.add('mac0')
        self.open()
        self.browser.run('document.getElementById("pause").click()')
        self.assertEqual(self.state(), 'paused')
        for scheme in SCHEMES:
            self.browser.show(WIDTHS[1], scheme)
            self.assertEqual(self.browser.examine('pale'), [], scheme)
        list(self.browser.requests())
        time.sleep(2.5)  # it would have asked after 2 s
        self.assertEqual(list(self.browser.requests()), [])
        self.browser.run('document.getElementById("pause").click()')
        self.wait_for_state('live')
        self.assertTrue(any('/api/ports' in each for each in self.browser.requests()))


class Looks(Page):
    def setUp(self):
        super().setUp()
        self.kernel.add('mac0', totals={'rx_good_frames': LARGEST, 'rx_octets': LARGEST // 2})
        self.kernel.add('uplink', 'll40g', totals={'rx_64b': 5, 'rx_fcs': 3})
        self.kernel.add('W' * 15, 'ixf1104', stale_reason='the registers cannot be reached')
        self.open()
        for name in ('rx_octets', 'rx_jabbers'):
            self.kernel.ports[0]['totals'][name] = self.kernel.ports[0]['totals'].get(name, 0) + 99
        self.poll()

    def test_it_fits_narrow_and_wide_screens(self):
        self.show_zeros()
        self.open_all()
        for width in WIDTHS:
            self.browser.show(width)
            self.assertLessEqual(self.browser.examine('overflow'), 0, width)
            self.assertLessEqual(self.browser.run('''return Math.max(...[...document.querySelectorAll(
                'body *')].map(it => it.getBoundingClientRect().right))'''), width)

    def test_each_text_can_be_read_in_light_and_dark(self):
        self.show_zeros()
        self.open_all()
        backgrounds = set()
        for scheme in SCHEMES:
            self.browser.show(WIDTHS[1], scheme, 'reduce')
            self.assertEqual(self.browser.examine('pale'), [], scheme)
            self.assertGreater(self.browser.examine('seen'), 500)
            backgrounds.add(self.browser.run('return getComputedStyle(document.body).backgroundColor'))
        self.assertEqual(len(backgrounds), 2)

    def test_everything_is_reached_by_keyboard_and_focus_is_seen(self):
        reached = []
        body = self.browser.driver.find_element('tag name', 'body')
        for _ in range(40):
            body.send_keys(Keys.TAB) if not reached else \
                self.browser.driver.switch_to.active_element.send_keys(Keys.TAB)
            found = self.browser.run('''const it = document.activeElement;
                return [it.id || it.localName, getComputedStyle(it).outlineStyle]''')
            if found[0] == 'body':
                break
            self.assertNotEqual(found[1], 'none', found)
            reached.append(found[0])
        self.assertLessEqual({'pause', 'zeros', 'filter', 'a', 'summary'}, set(reached))
        self.assertEqual(reached.count('summary'), 6)
        active = self.browser.driver.find_elements('css selector', '.port summary')[0]
        before = self.browser.run('return document.querySelector(".port details").open')
        active.send_keys(Keys.ENTER)
        self.assertNotEqual(self.browser.run('return document.querySelector(".port details").open'),
                            before)
        self.browser.driver.find_element('id', 'pause').send_keys(Keys.SPACE)
        self.assertEqual(self.state(), 'paused')

    def test_nothing_moves_where_that_is_not_wanted(self):
        moving = 'return document.getAnimations().length'
        for motion, moves in (('no-preference', True), ('reduce', False)):
            self.browser.show(WIDTHS[1], motion=motion)
            self.kernel.ports[0]['totals']['rx_jabbers'] += 1
            self.kernel.poll()
            self.browser.run('''window.moved = 0;
                new MutationObserver(() => { moved = Math.max(moved, document.getAnimations().length); })
                    .observe(document.body, { subtree: true, childList: true, attributes: true });''')
            self.ask_now()
            self.assertEqual(self.browser.run('return moved') > 0, moves, motion)
        self.assertEqual(self.browser.run(moving), 0)

    def test_ports_are_found_by_name(self):
        self.browser.driver.find_element('id', 'filter').send_keys('UPL')
        self.assertEqual(self.names(), ['uplink'])
        self.assertEqual({row[0] for row in self.browser.run(PROBLEMS)}, {'uplink'})

    def test_a_picture_of_it(self):
        if not GIVEN.pictures:
            self.skipTest('no --pictures')
        GIVEN.pictures.mkdir(parents=True, exist_ok=True)
        for width in WIDTHS:
            for scheme in SCHEMES:
                self.browser.show(width, scheme)
                self.browser.driver.save_screenshot(str(GIVEN.pictures / f'{scheme}-{width}.png'))


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--pictures', type=pathlib.Path)
    GIVEN, others = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *others])
