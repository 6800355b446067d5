#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""`macstats events --threshold` reports a total once when it reaches a value.

thresholds.py FOLDER: the folder of the programs with a fake kernel
"""
import json
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'test/vm/lib'), str(ROOT / 'test/fake_kernel')]

import schemas  # noqa: E402
from fake_kernel import HANG_SECONDS, SECOND, FakeKernel  # noqa: E402

FOLDER = ''
LARGEST = 2 ** 64 - 1


def thresholds(**values):
    return [word for counter, value in values.items()
            for word in ('--threshold', f'{counter}={value}')]


class Thresholds(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.kernel = FakeKernel(FOLDER)
        self.addCleanup(self.kernel.close)
        self.port = self.kernel.add('mac0')

    def start(self, *words):
        process = subprocess.Popen(
            [self.kernel.folder / 'fake-macstats-cli', 'events', *words],
            env=self.kernel.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def run_to_end(self, *words):
        process = self.start(*words)
        out, messages = process.communicate(timeout=HANG_SECONDS)
        return process.returncode, out, messages

    def reached(self, *words):
        """(port, counter, value) of those that are reached already."""
        code, out, messages = self.run_to_end('--json', '--timeout', '0', *words)
        self.assertEqual((code, messages), (0, ''))
        return [self.event(line) for line in out.splitlines()]

    def event(self, line):
        event = json.loads(line)
        self.assertEqual(schemas.problem('event', event), '')
        self.assertEqual(event['event'], 'threshold')
        return event['port'], event['counter'], event['value']

    def rejected(self, *words):
        code, out, message = self.run_to_end(*words)
        self.assertEqual((code, out), (2, ''), message)
        return message.removeprefix('macstats: ').removesuffix('\n')

    def count(self, port, **totals):
        port['totals'].update(totals)
        self.kernel.poll()

    def test_a_total_is_reported_once_when_it_reaches_its_value(self):
        self.count(self.port, rx_good_frames=9)
        process = self.start('--json', *thresholds(rx_good_frames=10, rx_crc_errors=2))
        self.count(self.port, rx_good_frames=10)
        self.assertEqual(self.event(process.stdout.readline()), ('mac0', 'rx_good_frames', 10))
        self.count(self.port, rx_good_frames=500)
        self.count(self.port, rx_crc_errors=3)
        self.assertEqual(self.event(process.stdout.readline()), ('mac0', 'rx_crc_errors', 2))

    def test_a_total_that_has_reached_its_value_is_reported_at_once(self):
        self.count(self.port, rx_good_frames=LARGEST, rx_crc_errors=1)
        for value in (1, '0x10', LARGEST):
            self.assertEqual(self.reached(*thresholds(rx_good_frames=value, rx_crc_errors=2)),
                             [('mac0', 'rx_good_frames', int(str(value), 0))])

    def test_a_port_is_called_by_its_index_too(self):
        self.count(self.port, rx_good_frames=5)
        for name in 'mac0', '5', '0x5':
            code, out, _ = self.run_to_end('--json', '--timeout', '0', name,
                                           *thresholds(rx_good_frames=5))
            self.assertEqual((code, self.event(out)), (0, ('mac0', 'rx_good_frames', 5)))

    def test_the_event_has_the_time_and_the_state_of_the_poll(self):
        self.count(self.port, rx_good_frames=5)
        self.port.update(stale_reason='no clock', possible_loss=True, discontinuities=2,
                         saturated={'rx_crc_errors': 3})
        self.kernel.poll()
        code, out, _ = self.run_to_end('--json', '--timeout', '0', *thresholds(rx_good_frames=5))
        self.assertEqual(code, 0)
        event = json.loads(out)
        self.assertEqual(event, {
            'event': 'threshold', 'time_ns': 1001 * SECOND, 'port': 'mac0', 'ifindex': 5,
            'model': 'cpsw',
            'state': {'stale': True, 'possible_loss': True, 'discontinuities': 2},
            'at_least': {'rx_crc_errors': {'times': 3}}, 'counter': 'rx_good_frames', 'value': 5})

    def test_it_is_a_line_of_text(self):
        self.count(self.port, rx_good_frames=5)
        code, out, _ = self.run_to_end('--timeout', '0', *thresholds(rx_good_frames=4))
        self.assertEqual(code, 0)
        self.assertRegex(out, r'\A[\d-]+ [\d:.]+ mac0 threshold: rx_good_frames has reached 4\n\Z')

    def test_each_port_that_has_the_counter_is_watched(self):
        other = self.kernel.add('mac1')
        third = self.kernel.add('mac2', model='ll40g')
        self.count(self.port, rx_good_frames=5)
        self.count(other, rx_good_frames=6)
        self.count(third, rx_64b=7)
        self.assertEqual(self.reached(*thresholds(rx_good_frames=5, rx_64b=5)),
                         [('mac0', 'rx_good_frames', 5), ('mac1', 'rx_good_frames', 5),
                          ('mac2', 'rx_64b', 5)])

    def test_a_counter_has_its_datasheet_name_too(self):
        self.count(self.port, rx_good_frames=5)
        self.assertEqual(self.reached('--threshold', 'Good Rx Frames=5'),
                         [('mac0', 'rx_good_frames', 5)])

    def test_named_ports_are_watched_alone(self):
        other = self.kernel.add('mac1')
        self.count(self.port, rx_good_frames=5)
        self.count(other, rx_good_frames=5)
        # Once, however often it is named.
        for index in ('6', '6'), ('6',):
            self.assertEqual(self.reached(*index, *thresholds(rx_good_frames=5)),
                             [('mac1', 'rx_good_frames', 5)])

    def test_a_port_that_is_added_later_is_watched(self):
        process = self.start('--json', *thresholds(rx_good_frames=5))
        self.count(self.port, rx_good_frames=5)
        self.event(process.stdout.readline())
        self.count(self.kernel.add('mac1'), rx_good_frames=8)
        self.assertEqual(self.event(process.stdout.readline()), ('mac1', 'rx_good_frames', 5))

    def test_a_port_that_begins_anew_is_reported_again(self):
        self.count(self.port, rx_good_frames=5)
        process = self.start('--json', *thresholds(rx_good_frames=5, rx_crc_errors=1))
        self.event(process.stdout.readline())
        self.count(self.port, rx_good_frames=0, rx_crc_errors=1)
        self.assertEqual(self.event(process.stdout.readline()), ('mac0', 'rx_crc_errors', 1))
        self.count(self.port, rx_good_frames=6)
        self.assertEqual(self.event(process.stdout.readline()), ('mac0', 'rx_good_frames', 5))

    def test_the_last_look_may_find_no_modules(self):
        self.count(self.port, rx_good_frames=5)
        process = self.start('--json', '--timeout', '2', *thresholds(rx_good_frames=5))
        self.event(process.stdout.readline())
        self.kernel.unload()
        out, messages = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual((process.returncode, out, messages), (0, '', ''))

    def test_the_hardware_is_not_read(self):
        self.port['totals']['rx_good_frames'] = 5
        self.kernel.poll(rejects_reads=True)
        self.assertEqual(len(self.reached(*thresholds(rx_good_frames=5))), 1)

    def test_thresholds_count_as_events(self):
        self.count(self.port, rx_good_frames=5, rx_crc_errors=5)
        words = thresholds(rx_good_frames=5, rx_crc_errors=5)
        for count, expected in (1, (0, 1, '')), (2, (0, 2, '')), (
                3, (1, 2, 'macstats: only 2 of 3 events came in time')):
            code, out, messages = self.run_to_end('--count', str(count), '--timeout', '0', *words)
            self.assertEqual((code, len(out.splitlines()), messages.partition(' (')[0].rstrip()),
                             expected)

    def test_words_that_are_no_threshold_are_rejected(self):
        for word in ('rx_good_frames', 'rx_good_frames=', '=5', '=', 'rx_good_frames=0',
                     'rx_good_frames=-1', 'rx_good_frames=0x', 'rx_good_frames=1.5',
                     'rx_good_frames=5 ', f'rx_good_frames={LARGEST + 1}'):
            self.assertEqual(
                self.rejected('--threshold', word),
                f'--threshold: "{word}" is not COUNTER=VALUE with a value from 1 to {LARGEST}, for '
                'example tx_fragments=1000')

    def test_a_counter_may_have_several_values_each_once(self):
        self.count(self.port, rx_good_frames=6)
        words = [*thresholds(rx_good_frames=5), *thresholds(rx_good_frames=6)]
        self.assertEqual(self.reached(*words, *thresholds(rx_good_frames=7)),
                         [('mac0', 'rx_good_frames', 5), ('mac0', 'rx_good_frames', 6)])
        self.assertEqual(self.rejected(*words, '--threshold', 'rx_good_frames=0x5'),
                         '--threshold: rx_good_frames=0x5 is given twice')

    def test_a_counter_that_no_port_has_is_rejected(self):
        for words, message in (
                (thresholds(rx_god_frames=5), '--threshold: no port has a counter "rx_god_frames"; '
                                              'did you mean rx_good_frames or '
                                              'tx_good_frames?'),
                (thresholds(rx_good_frames=5, frobnications=5),
                 '--threshold: no port has a counter "frobnications"'),
                (('5', *thresholds(rx_64b=5)), '--threshold: no port has a counter "rx_64b"'),
                (('5', '5', *thresholds(rx_64b=5)),
                 '--threshold: no port has a counter "rx_64b"')):
            self.assertEqual(self.rejected('--timeout', '0', *words).partition(' (')[0], message)
            self.kernel.add(f'mac{len(self.kernel.ports)}', model='ll40g')

    def test_a_port_that_is_added_later_may_have_the_counter(self):
        code, out, messages = self.run_to_end('--timeout', '0', '5', 'nosuch',
                                              *thresholds(rx_64b=5))
        self.assertEqual((code, out), (0, ''))
        self.assertIn('no port "nosuch" yet', messages)
        self.kernel.ports.clear()
        self.kernel.write()
        self.assertEqual(self.reached(*thresholds(frobnications=5)), [])


if __name__ == '__main__':
    FOLDER = sys.argv.pop()
    unittest.main()
