#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The generator of the site: rules in words, drawings of registers, links, comments of headers.

generator.py COMMAND: the macstats command
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'docs/site/generator'))

import calculator  # noqa: E402
import doxygen_filter  # noqa: E402
import drawing  # noqa: E402
import header_comments  # noqa: E402
import links  # noqa: E402
import mac_page  # noqa: E402
import rule_words  # noqa: E402
import stage  # noqa: E402

COMMAND = ''


def printed(*words):
    return subprocess.run([COMMAND, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def models():
    return {model['name']: model for model in json.loads(printed('models', '--json'))}


def named(rows, name):
    return next(row for row in rows if row['name'] == name)


class Words(unittest.TestCase):
    def rule(self, model, counter):
        return rule_words.rule(models()[model], named(models()[model]['counters'], counter))

    def test_a_rule_names_all_that_it_asks_of_a_frame(self):
        # RFC 2819: etherStatsFragments.
        self.assertEqual(self.rule('ll40g', 'rx_fragments'), (
            ['received frames of less than 64 octets, with this error: FCS'], '1 for each frame'))
        self.assertEqual(self.rule('cpsw', 'rx_pause_frames')[0], [
            'received pause frames of 64 octets or more, up to the maximum frame length, without '
            'these errors: FCS, alignment or code, while MACCONTROL.tx_flow_en is set'])

    def test_alternatives_stand_one_after_the_other(self):
        self.assertEqual(self.rule('ll40g', 'rx_pause_err')[0], [
            'received pause frames with this error: FCS',
            'received PFC frames with this error: FCS, in the variant'])

    def test_a_counter_that_nothing_reaches_has_no_rule(self):
        self.assertEqual(self.rule('ixf1104', 'rx_carrier_extend_error')[0], [])

    def test_a_software_counter_names_the_bits_of_its_descriptor(self):
        self.assertEqual(self.rule('rc32438', 'tx_single_collision')[0], [
            'transmit descriptors with LD and TOK set and EC clear, of frames with 1 collision'])
        self.assertEqual(self.rule('rc32438', 'tx_multiple_collision')[0], [
            'transmit descriptors with LD and TOK set and EC clear, of frames with 2 or more '
            'collisions'])

    def test_a_condition_names_a_revision(self):
        revision = {'option': 'revision', 'value': 'i350'}
        for member, words in (('with', 'on i350'), ('without', 'not on i350')):
            self.assertEqual(rule_words.conditions({}, {member: [revision]}), [words])

    def test_the_amount_is_named(self):
        self.assertEqual(self.rule('ll40g', 'rx_octets_ok')[1],
                         'the octets of payload and padding of each frame')

    def test_durations_have_the_largest_unit_that_they_reach(self):
        for seconds, words in ((.0005, '0.5 ms'), (11.45, '11.4 s'), (960, '16 min'),
                               (5983, '1.66 h'), (864000, '10 days'), (3.1557600e9, '100 years')):
            self.assertEqual(rule_words.duration(seconds), words)

    def test_every_rule_of_every_model_has_words(self):
        for name, model in models().items():
            for counter in model['counters']:
                with self.subTest(name, counter=counter['name']):
                    alternatives, amount = rule_words.rule(model, counter)
                    self.assertEqual(len(alternatives),
                                     1 if counter['status'] else len(counter['when']))
                    self.assertTrue(amount)


class Drawings(unittest.TestCase):
    @staticmethod
    def fields(*fields):
        return {'name': 'R', 'fields': [
            {'name': name, 'lsb': lsb, 'bits': bits, 'access': 'rw', 'singlepulse': False,
             'description': ''} for name, lsb, bits in fields]}

    def test_parts_cover_each_bit_once(self):
        register = self.fields(('low', 0, 4), ('high', 8, 8))
        parts = drawing.parts(register, 32)
        self.assertEqual([(msb, lsb, field and field['name']) for msb, lsb, field in parts], [
            (31, 16, None), (15, 8, 'high'), (7, 4, None), (3, 0, 'low')])
        for model in models().values():
            for each in model['registers']:
                bits = [bit for msb, lsb, _ in drawing.parts(each, model['bus_bits'])
                        for bit in range(msb, lsb - 1, -1)]
                self.assertEqual(bits, list(range(model['bus_bits'] - 1, -1, -1)), each['name'])

    def test_a_row_without_a_field_is_left_out_and_a_field_may_be_in_two(self):
        self.assertEqual([high for high, _ in drawing.rows(self.fields(('a', 2, 1)), 32)], [15])
        rows = drawing.rows(self.fields(('a', 12, 8)), 32)
        self.assertEqual([[(msb, lsb) for msb, lsb, field in row if field] for _, row in rows],
                         [[(19, 16)], [(15, 12)]])

    def test_a_drawing_is_xml_and_shows_each_field(self):
        for model in models().values():
            for register in model['registers']:
                if not register['fields']:
                    continue
                root = xml.etree.ElementTree.fromstring(drawing.svg(register, model['bus_bits']))
                texts = {''.join(text.itertext()) for text in root.iter('text')}
                self.assertLessEqual({field['name'] for field in register['fields']}, texts)


class Forms(unittest.TestCase):
    def settings(self, model):
        return calculator.settings(models()[model])

    def test_an_option_has_the_bits_of_the_schema(self):
        """MACSTATS_OPT_HALF_DUPLEX is bit 1, _10M bit 8, _VLAN_DETECTION bit 2, revisions are bits
        12 to 14."""
        for model, select in (
                ('cpsw', '<select name="option:2"><option value="0">full</option>'
                         '<option value="2">half</option></select>'),
                ('rc32438', '<select name="option:256"><option value="0">100</option>'
                            '<option value="256">10</option></select>'),
                ('ll40g', '<select name="option:4"><option value="4">on</option>'
                          '<option value="0">off</option></select>'),
                ('e1000e', '<select name="option:28672"><option value="0">82574</option>'
                           '<option value="4096">pch</option><option value="8192">i350</option>'
                           '<option value="16384">i225</option></select>')):
            self.assertIn(select, self.settings(model))
        self.assertNotIn('Duplex', self.settings('ll40g'))

    def test_bits_of_registers_that_frames_depend_on_have_inputs(self):
        """RX_MAXLEN of cpsw has 14 bits at 0x4a100d90; ETHMAC2.HFE of rc32438 is bit 2 of 0x204."""
        self.assertRegex(self.settings('cpsw'), 'name="register:1242566032:16383" type="number" min="0" '
                                                'max="16383" value="1518"')
        self.assertIn('<input name="register:516:4" type="checkbox"> ETHMAC2.HFE',
                      self.settings('rc32438'))

    def test_each_word_on_the_bus_has_a_place(self):
        places = dict(re.findall('<option value="(\\d+)">0x[0-9a-f]+ ([^<]+)<',
                                 calculator.places(models()['gem'])))
        self.assertEqual([places[str(at)] for at in (0, 0x100, 0x104, 0x108)],
                         ['network_control', 'tx_octets (1 of 2)', 'tx_octets (2 of 2)',
                          'tx_frames'])
        # Its counters are behind a window.
        self.assertNotIn('rx_', calculator.places(models()['k1_emac']))

    def test_inputs_for_descriptors_are_those_that_the_mac_has(self):
        for name, wanted in (('rc32438', {'descriptors', 'append_crc', 'huge'}), ('cpsw', set())):
            form = calculator.form(models()[name])
            self.assertEqual({each for each in ('descriptors', 'append_crc', 'huge')
                              if f'name="{each}"' in form}, wanted)

    def test_a_machine_without_clang_or_its_linker_is_told_what_to_install(self):
        with unittest.mock.patch('shutil.which', lambda name: name == 'clang'), \
                self.assertRaisesRegex(calculator.MissingTools, 'needs wasm-ld: .* lld'):
            calculator.module()


class Drivers(unittest.TestCase):
    PAGE = ''

    @classmethod
    def setUpClass(cls):
        cls.PAGE = stage.drivers_page(models().values())

    def row(self, driver):
        (row,) = re.findall(rf'^\| `{driver}` \|.*$', self.PAGE, re.MULTILINE)
        return row

    def test_each_driver_of_a_model_has_a_row_with_a_link(self):
        for name, model in models().items():
            for driver in model['drivers']:
                self.assertIn(f'[`{name}`]({name}.md)', self.row(driver))

    def test_each_defect_has_its_source_line(self):
        known = json.loads((ROOT / 'docs/drivers/defects.json').read_text(encoding='utf-8'))
        for each in known['defects']:
            self.assertRegex(each['source'], r'^drivers/net/[\w/.-]+\.[ch]:\d+$')
            self.assertIn(f'(`{each["source"]}`)', self.row(each['driver']))
        self.assertIn(f'Linux {known["kernel"]}', self.PAGE)

    def test_a_driver_whose_mac_is_not_described_has_a_row(self):
        self.assertIn('| `sky2` |  | 32-bit counters', self.row('sky2'))

    def test_its_links_to_files_of_the_project_lead_to_their_pages(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.multiple(
                stage, mac_pages=lambda command: {'macs/drivers.md': self.PAGE},
                api_pages=dict, provider_page=str):
            stage.stage(COMMAND, '', pathlib.Path(folder))
            page = pathlib.Path(folder, 'macs/drivers.md').read_text(encoding='utf-8')
            targets = [target for _, target in links.LINK.findall(page)]
            self.assertEqual([target for target in targets if target.startswith('/')], [])
            self.assertIn('../source/docs/drivers/README.md.md', targets)
            self.assertTrue(pathlib.Path(folder, 'source/docs/drivers/README.md.md').exists())


class Links(unittest.TestCase):
    def moved(self, target, origin='docs/a.md', page='reference/a.md'):
        there = links.Links({'docs/a.md': 'reference/a.md', 'docs/b.md': 'tutorials/b.md'},
                            lambda path: path.startswith('shared'))
        return there.moved(target, origin, page), there.sources

    def test_a_link_leads_to_the_page_of_its_file(self):
        self.assertEqual(self.moved('b.md#part')[0], '../tutorials/b.md#part')
        self.assertEqual(self.moved('/docs/b.md')[0], '../tutorials/b.md')
        self.assertEqual(self.moved('#part')[0], '#part')
        self.assertEqual(self.moved('https://json-schema.org')[0], 'https://json-schema.org')

    def test_a_file_without_a_page_gets_one(self):
        self.assertEqual(self.moved('../shared/x.h'), (
            '../source/shared/x.h.md', {'shared/x.h': 'source/shared/x.h.md'}))

    def test_an_image_is_copied(self):
        there = links.Links({}, lambda path: path == 'docs/images/a.webp')
        self.assertEqual(there.rewrite('![A page](images/a.webp)', 'docs/a.md', 'reference/a.md'),
                         '![A page](../images/docs/images/a.webp)')
        self.assertEqual((there.images, there.sources),
                         ({'docs/images/a.webp': 'images/docs/images/a.webp'}, {}))
        with self.assertRaisesRegex(ValueError, 'docs/images/b.webp'):
            there.rewrite('![A page](images/b.webp)', 'docs/a.md', 'reference/a.md')

    def test_a_link_to_a_missing_file_is_rejected(self):
        with self.assertRaisesRegex(ValueError, 'docs/c.md'):
            self.moved('c.md')

    def test_code_is_left_alone(self):
        there = links.Links({'b.md': 'b.md'}, lambda path: True)
        text = '[b](b.md)\n```\n[](const auto& it) [b](b.md)\n```\n[b](b.md)\n'
        self.assertEqual(there.rewrite(text, 'a.md', 'x/a.md'),
                         text.replace('[b](b.md)\n', '[b](../b.md)\n').replace(
                             'it) [b](../b.md)', 'it) [b](b.md)'))


class Api(unittest.TestCase):
    def test_doxygen_reads_arguments_and_code_as_they_are_written(self):
        text = '/// The @port, as `\\xNN` or `a@b`, and \\ too.\nint a; // @b\n"\\n" /// @c\n'
        self.assertEqual(doxygen_filter.for_doxygen(text, 'group'),
                         '/// The `port`, as `\\xNN` or `a@b`, and \\\\ too.\nint a; // @b\n"\\n" /// `c`\n')

    def test_lines_keep_their_numbers_in_a_group(self):
        text = 'namespace macstats {\nint f();\n} // namespace macstats\n'
        self.assertEqual(doxygen_filter.for_doxygen(text, 'core_f').splitlines(), [
            'namespace macstats { /** @addtogroup core_f */ /** @{ */', 'int f();',
            '/** @} */ } // namespace macstats'])

    def test_each_header_is_on_the_page_of_its_folder(self):
        pages = stage.api_pages()
        headers = sorted(doxygen_filter.FOLDER.rglob('*.hpp'))
        self.assertGreater(len(headers), 20)
        for path in headers:
            page = pages[f'reference/cpp-api/{path.parent.name}.rst']
            self.assertIn(f'\n{path.name}\n---', page)
            self.assertTrue(stage.contents_of(path), path)
        self.assertIn('.. doxygendefine:: MACSTATS_TRY\n', pages['reference/cpp-api/core.rst'])


class Comments(unittest.TestCase):
    HEADER = '''/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A MAC. Data only.
 *
 * Limits:
 * - one
 *   line
 */
/* Inferred from another manual. */
#define X_ROW
	/* An erratum: the manual prints
	 * "had no". */
	X_ROW("rx_bad", "Bad", 4, FRAMES),
'''

    def test_comments_go_to_the_page_to_a_row_or_to_the_open_points(self):
        self.assertEqual(header_comments.opening(self.HEADER),
                         ['A MAC. Data only.', 'Limits:', '- one line'])
        self.assertEqual(header_comments.of_rows(self.HEADER),
                         {'rx_bad': 'An erratum: the manual prints "had no".'})
        self.assertEqual(header_comments.others(self.HEADER), ['Inferred from another manual.'])

    def test_open_points_are_those_of_the_model(self):
        page = ('## `a`: x\n\n| 1.2 | 3 | A sum. | `row`. **Open**: wrong (`test:t`, '
                '`scenario:s`) |\n|  | 4 | Fine. | `row` |\n\n## `b`: y\n\n| 9 | 1 | Z. | '
                '**Open**: z |\n')
        self.assertEqual(mac_page.open_points(page, 'a'), [('1.2, sentence 3 ("A sum")', 'wrong')])


class Pages(unittest.TestCase):
    def test_a_page_has_each_counter_register_rule_and_erratum(self):
        for name, model in models().items():
            text = printed('model', name)
            page = mac_page.Page(model, text, stage.header_of(name), [('1', 'unknown')]).markdown()
            for row in model['counters'] + model['registers']:
                self.assertEqual(page.count(f'\n### {mac_page.text(row["name"])}\n'), 1)
            rules = re.search(r'\nRules\n(.*?)\n\n', text, re.DOTALL)[1].splitlines()
            for rule in rules:
                self.assertIn(mac_page.text(mac_page.sentence(rule.strip())), page)
            self.assertIn('- 1: unknown', page)
            sections = dict(re.findall(r'^### (.*)\n((?:(?!#).*\n)*)', page, re.MULTILINE))
            for counter in model['counters']:
                section = sections[mac_page.text(counter['name'])]
                for fact in 'Register', 'Counts', 'Overflow', 'Feeds':
                    self.assertEqual(section.count(f'\n{fact}\n: '), 1, counter['name'])
                for term in counter['standard']:
                    self.assertIn(f'`{term.partition("*")[0]}`', section)
            for register in model['registers']:
                self.assertEqual(sections[mac_page.text(register['name'])].count('<svg'),
                                 bool(register['fields']), register['name'])

    def test_a_counter_has_its_rule_in_words_and_its_time_to_the_maximum(self):
        """2^32 frames of 64 octets, which need 672 ns each at 1 Gb/s, are 48.1 minutes. The
        counters of cpsw are fed by three lines."""
        for name, counter, overflow in (
                ('cpsw', 'rx_crc_errors', 'Wraps to 0, after 16 min at line rate at the earliest.'),
                ('e1000', 'rx_crc_errors',
                 'Stays at its maximum, after 48.1 min at line rate at the earliest.'),
                ('rc32438', 'tx_ok',
                 'Kept by the driver in 64 bits: it never wraps in practice.')):
            page = mac_page.Page(models()[name], printed('model', name), '/* A MAC. */', []).markdown()
            section = re.search(rf'^### {re.escape(mac_page.text(counter))}\n((?:(?!#).*\n)*)', page,
                                re.MULTILINE)[1]
            self.assertIn(f'\nOverflow\n: {overflow}\n', section)


if __name__ == '__main__':
    COMMAND = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
