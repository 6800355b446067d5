# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The page of a MAC, in Markdown, from what the command prints of its model, from the comments of
its header, and from the open points of docs/fidelity.md."""

import re

import calculator
import drawing
import header_comments
import rule_words

SPECIAL = re.compile(r'([\\`*_{}\[\]<>#|~$])')
GROUPS = {'eth-phy': 'ethtool -S --groups eth-phy', 'eth-mac': 'ethtool -S --groups eth-mac',
          'eth-ctrl': 'ethtool -S --groups eth-ctrl', 'rmon': 'ethtool -S --groups rmon',
          'pause': 'ethtool -I -a', 'rtnl': 'ip -s link', 'mm': 'ethtool -I --show-mm'}


def text(words):
    """Words that Markdown leaves as they are."""
    return SPECIAL.sub(r'\\\1', words)


def code(words):
    return f'`` {words} ``' if '`' in words else f'`{words}`'


def sentence(words):
    words = words[0].upper() + words[1:]
    return words if words.endswith('.') else f'{words}.'


def anchor(name):
    """The anchor that MyST gives a heading."""
    return re.sub(r'[^\w -]', '', name.lower()).replace(' ', '-')


def address(offset, words=1, step=1):
    first = f'{offset:#x}'
    return first if words == 1 else f'{first}, {offset + (words - 1) * step:#x}'


def table(heading, rows):
    def line(cells):
        return f'| {" | ".join(cells)} |'
    return '\n'.join([line(heading), line(['---'] * len(heading)), *map(line, rows), ''])


class Page:
    """@model: the output of `macstats model NAME --json`, @printed: the same without --json,
    @source: the header, @open_points: [(clause, what is open)], @module: of calculator.py"""

    def __init__(self, model, printed, source, open_points, module=''):
        self.model, self.printed, self.module = model, printed, module
        self.opening = header_comments.opening(source)
        self.notes = header_comments.of_rows(source)
        self.remarks = header_comments.others(source)
        self.open_points = open_points

    def section_of(self, heading):
        """The lines under a heading that the command prints."""
        lines = self.printed.splitlines()
        if heading not in lines:
            return []
        rest = lines[lines.index(heading) + 1:]
        return [line.strip() for line in (rest[:rest.index('')] if '' in rest else rest)]

    def facts(self):
        """[(name, value)] of the first lines that the command prints"""
        lines = self.printed[:self.printed.index('\n\n')].splitlines()[1:]
        return [re.split(r'\s{2,}', line, maxsplit=1) for line in lines]

    def words(self, counter):
        return -(-counter['bits'] // self.model['bus_bits'])

    def step(self):
        return max(self.model['bus_bits'] // self.model['address_unit_bits'], 1)

    def place(self, counter):
        if 'index' in counter:
            return f'index {counter["index"]}'
        return address(counter['offset'], self.words(counter), self.step())

    # parts of the page

    def introduction(self):
        first, *rest = self.opening
        return '\n\n'.join([text(first.removesuffix(' Data only.')), *(
            f'- {text(each[2:])}' if each.startswith('- ') else text(each) for each in rest)])

    def overview(self):
        return '\n'.join(['```{list-table}', ':class: facts', ':widths: 25 75', '',
                          *(f'* - {text(sentence(name)[:-1])}\n  - {text(value)}'
                            for name, value in self.facts()), '```', ''])

    def register_map(self):
        """All that has an address, in the order of the addresses."""
        rows = [(counter['offset'], [
            code(self.place(counter)), text(counter['register']),
            f'[{code(counter["name"])}](#{anchor(counter["name"])})', str(counter['bits']),
            self.access(counter)]) for counter in self.model['counters']
            if counter['offset'] is not None]
        rows += [(register['offset'], [
            code(address(register['offset'])), f'[{text(register["name"])}]'
            f'(#{anchor(register["name"])})', '', str(self.model['bus_bits']),
            register['access']]) for register in self.model['registers']]
        rows += [(reserved['first'], [
            code(f'{reserved["first"]:#x}-{reserved["last"]:#x}'), '(reserved)', '', '',
            {'zero': 'reads 0', 'random': 'reads anything',
             'high_word': 'high word of the counter before it'}[reserved['reads']]])
            for reserved in self.model['reserved']]
        return table(['Address', 'Register', 'Counter', 'Bits', 'Access'],
                     [row for _, row in sorted(rows, key=lambda each: each[0])])

    @staticmethod
    def access(counter):
        words = ['rw' if counter['onwrite'] != 'none' else 'ro']
        if counter['onread'] == 'rclr':
            words.append('clear on read')
        if counter['onwrite'] == 'decrement':
            words.append('a write decrements')
        return ', '.join(words)

    def overflow(self, counter):
        if counter['source'] == 'descriptor':
            return 'Kept by the driver in 64 bits: it never wraps in practice.'
        if counter.get('fill_seconds') is not None:
            return f'Stays at its maximum, after {rule_words.duration(counter["fill_seconds"])} ' \
                'at line rate at the earliest.'
        if counter['wrap_seconds'] is None:
            return 'No frame of the emulation reaches it, so it never wraps there.'
        return f'Wraps to 0, after {rule_words.duration(counter["wrap_seconds"])} at line rate ' \
            'at the earliest.'

    def feeds(self, counter):
        """Standard statistics, with the tools that print them."""
        words = []
        for term in counter['standard']:
            statistic, _, factor = term.partition('*')
            group = statistic.partition('/')[0]
            sign = f' × {factor.replace("-", "−")}' if factor else ''
            words.append(f'{code(statistic)}{sign} ({code(GROUPS[group])})')
        return words

    def counter(self, counter):
        alternatives, amount = rule_words.rule(self.model, counter)
        lines = [f'### {text(counter["name"])}', '',
                 sentence(text(counter['description'])), '']
        where = 'counted by the driver from descriptors' if counter['status'] else \
            f'{code(self.place(counter))}, {counter["bits"]} bits, {self.access(counter)}'
        facts = [('Register', f'{text(counter["register"])}, {where}')]
        if alternatives:
            facts += [('Counts' if not i else 'Or', sentence(text(each)))
                      for i, each in enumerate(alternatives)]
            facts.append(('Adds', sentence(text(amount))))
        else:
            facts.append(('Counts', 'Nothing that the emulation knows.'))
        if counter['good_frames']:
            facts.append(('Shows', f'Its counts after {counter["good_frames"]} more good '
                                   f'frame{"s"[:counter["good_frames"] > 1]}.'))
        if 'revisions' in counter:
            facts.append(('Revisions', ', '.join(code(each) for each in counter['revisions'])))
        facts.append(('Overflow', self.overflow(counter)))
        feeds = self.feeds(counter)
        facts.append(('Feeds', ', '.join(feeds) if feeds else
                      f'No standard statistic: only {code("ethtool -S")} shows it.'))
        note = self.notes.get(counter['name'])
        if note:
            facts.append(('Note', text(note)))
        lines += [f'{name}\n: {value}\n' for name, value in facts]
        return '\n'.join(lines)

    def register(self, register):
        lines = [f'### {text(register["name"])}', '',
                 f'{sentence(text(register["description"]))} '
                 f'{code(address(register["offset"]))}, {register["access"]}, '
                 f'{code(hex(register["reset"]))} after a reset.'
                 + (f' Absent without the counters of {code(register["block"])}.'
                    if register['block'] else ''), '']
        if register['fields']:
            lines += [raw(drawing.svg(register, self.model['bus_bits'])), '']
            rows = []
            for field in sorted(register['fields'], key=lambda each: -each['lsb']):
                command = ', command' if field['singlepulse'] else ''
                rows.append([drawing.span(field['lsb'] + field['bits'] - 1, field['lsb']),
                             text(field['name']), f'{field["access"]}{command}',
                             text(field['description'])])
            lines.append(table(['Bits', 'Field', 'Access', 'Meaning'], rows))
        return '\n'.join(lines)

    def status(self, title, fields):
        rows = [[drawing.span(field['lsb'] + field['bits'] - 1, field['lsb']), text(field['name']),
                 text(field['description'])] for field in reversed(fields)]
        register = {'name': title, 'fields': [{**field, 'access': 'ro', 'singlepulse': False}
                                              for field in fields]}
        return '\n'.join([f'### {title}', '', raw(drawing.svg(register, 32)), '',
                          table(['Bits', 'Field', 'Meaning'], rows)])

    def errata(self):
        lines = []
        noted = [(name, note) for name, note in self.notes.items()
                 if re.search('errat', note, re.IGNORECASE)]
        lines += [f'- {code(name)}: {text(note)}' for name, note in noted]
        lines += [f'- {text(clause)}: {text(point)}' for clause, point in self.open_points]
        lines += [f'- {text(remark)}' for remark in self.remarks]
        return '\n'.join(lines) if lines else \
            'The project knows of no difference between the datasheet and the model.'

    def markdown(self):
        model = self.model
        directions = (('Received frames', 'rx'), ('Transmitted frames', 'tx'),
                      ('Both directions', 'rxtx'))
        counters = '\n'.join(
            f'## {title}\n\n' + '\n'.join(self.counter(counter) for counter in counters)
            for title, direction in directions
            if (counters := [each for each in model['counters']
                             if each['direction'] == direction]))
        statuses = [(title, model[member]) for title, member in
                    (('Status of a transmit descriptor', 'tx_status'),
                     ('Status of a receive descriptor', 'rx_status')) if model[member]]
        return '\n\n'.join([
            f'# {code(model["name"])}: {text(model["title"])}',
            self.introduction(),
            self.overview(),
            '## What does this frame count?',
            raw(calculator.form(model)),
            '## A device to try',
            raw(calculator.device(model, self.module)),
            '## Rules\n\n' + '\n'.join(f'- {text(sentence(rule))}'
                                       for rule in self.section_of('Rules')),
            '## Errata and open points\n\n'
            'Differences between the datasheet, real hardware and this model. '
            '[Fidelity](../reference/fidelity.md) has each sentence of the datasheet.\n\n'
            + self.errata(),
            '## Register map\n\n'
            'Addresses are in the unit of the datasheet, from the base of the port.\n\n'
            + self.register_map(),
            counters,
            '## Control registers\n',
            *map(self.register, model['registers']),
            *(['## Descriptors\n\nSoftware counters count these bits.\n'] if statuses else []),
            *(self.status(title, fields) for title, fields in statuses),
        ]) + '\n'


def raw(html_text):
    return f'```{{raw}} html\n{html_text}\n```'


HEADING = re.compile(r'^## `(\w+)`', re.MULTILINE)
OPEN = re.compile(r'\*\*Open\*\*: (.*)')


def open_points(page, name):
    """[(clause, what is open)] of the table of a model in docs/fidelity.md"""
    sections = HEADING.split(page)
    section = dict(zip(sections[1::2], sections[2::2])).get(name, '')
    points, clause = [], ''
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip().strip('|').split(' | ')]
        if not line.startswith('|') or len(cells) < 4:
            continue
        clause = cells[0] or clause
        found = OPEN.search(cells[3])
        if found:
            number = f', sentence {cells[1]}' if cells[1] else ''
            meaning = cells[2].rstrip('.')
            points.append((f'{clause}{number} ("{meaning}")', without_tests(found[1])))
    return points


def without_tests(words):
    """A text without the names of tests and scenarios in brackets."""
    return re.sub(r' \((?:`(?:test|scenario):[^`]*`(?:, )?)+\)', '', words)
