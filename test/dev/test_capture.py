#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the statistics that test/vm/lib/capture.py computes from a capture. The values are
worked out by hand from the manual of the controllers."""

import pathlib
import struct
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import testing  # noqa: E402, F401 # pylint: disable=unused-import # the path of test/vm/lib

import capture  # noqa: E402
import readers  # noqa: E402
import tap  # noqa: E402

FIRST, SECOND = bytes.fromhex('525400000001'), bytes.fromhex('525400000002')
STRANGER, GROUP = bytes.fromhex('525400000009'), bytes.fromhex('01005e010203')
DATA, PAUSE, OTHER_OPCODE = b'\x88\xb5', b'\x88\x08\x00\x01', b'\x88\x08\x00\x02'


def record(octets, kept=256):
    return struct.pack('<IIII', 0, 0, min(len(octets), kept), len(octets)) + octets[:kept]


class Counted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, 'wire.pcap')
        self.path.write_bytes(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 256, 1))
        self.append(record((FIRST + SECOND + DATA).ljust(100)))     # before the beginning
        self.wire = capture.Wire(self.path, FIRST, SECOND)

    def append(self, octets):
        with self.path.open('ab') as file:
            file.write(octets)

    def send(self, destination, octets=60, kind=DATA, source=FIRST):
        self.append(record((destination + source + kind).ljust(octets, b'\0')))

    def counted(self, mac=SECOND, which='documented'):
        self.wire.read()
        values = getattr(self.wire.counts[mac], which)
        return {name: value for name, value in values.items() if value}

    def met(self, mac=SECOND):
        self.wire.read()
        return [name for name, values in self.wire.counts[mac].errata.items()
                if any(values.values())]

    def test_a_short_frame_is_padded_and_has_an_fcs(self):
        self.send(SECOND, 20)
        self.assertEqual(self.counted(FIRST), {'GPTC': 1, 'TPT': 1, 'GOTC': 64, 'TOT': 64,
                                               'PTC64': 1})
        self.assertEqual(self.counted(), {'GPRC': 1, 'TPR': 1, 'GORC': 64, 'TOR': 64, 'PRC64': 1})
        self.assertEqual(self.counted(which='in_qemu'), self.counted())

    def test_a_frame_that_is_only_partly_in_the_file_counts_later(self):
        whole = record((SECOND + FIRST + DATA).ljust(60))
        self.append(whole[:40])
        self.assertEqual(self.counted(), {})
        self.append(whole[40:])
        self.assertEqual(self.counted()['GPRC'], 1)
        self.assertEqual(self.counted()['GPRC'], 1)

    def test_each_size_class_has_its_edges(self):
        for octets in (60, 61, 123, 124, 251, 252, 507, 508, 1019, 1020, 1518):
            self.send(SECOND, octets)
        expected = {'PRC64': 1, 'PRC127': 2, 'PRC255': 2, 'PRC511': 2, 'PRC1023': 2, 'PRC1522': 2}
        for which in ('documented', 'in_qemu'):
            found = self.counted(which=which)
            self.assertEqual({name: found[name] for name in expected}, expected)
            self.assertEqual(found['GORC'], 64 + 65 + 127 + 128 + 255 + 256 + 511 + 512 + 1023 +
                             1024 + 1522)

    def test_the_filter_rejects_strangers_and_other_groups(self):
        self.send(STRANGER)
        self.send(GROUP)
        self.assertEqual((self.counted(), self.met()), ({}, []))
        self.wire.set(SECOND, promiscuous=True)
        self.send(STRANGER)
        self.send(GROUP)
        self.assertEqual((self.counted()['GPRC'], self.counted()['MPRC'], self.met()), (2, 1, []))

    def test_qemu_does_not_count_multicast_frames_to_an_exact_address(self):
        self.wire.set(SECOND, joined=frozenset([GROUP]))
        self.send(GROUP)
        self.assertEqual(self.counted()['MPRC'], 1)
        self.assertNotIn('MPRC', self.counted(which='in_qemu'))
        self.assertEqual(self.met(), ['joined_multicast'])

    def test_qemu_counts_broadcast_frames_as_multicast_if_all_multicast_frames_pass(self):
        self.send(capture.BROADCAST)
        self.assertEqual(self.counted(which='in_qemu')['BPRC'], 1)
        self.wire.set(SECOND, all_multicast=True)
        self.send(capture.BROADCAST)
        self.assertEqual(self.counted()['BPRC'], 2)
        self.assertEqual([self.counted(which='in_qemu')[name] for name in ('BPRC', 'MPRC')], [1, 1])
        self.assertEqual(self.met(), ['broadcast_as_multicast'])

    def test_the_fcs_belongs_to_the_length_that_is_limited(self):
        for long_packets, longest in ((False, 1522), (True, 16384)):
            with self.subTest(long_packets):
                self.wire.counts[SECOND] = capture.Counts()
                self.wire.set(SECOND, long_packets=long_packets)
                for length in (longest, longest + 1, longest + 4, longest + 5):
                    self.send(SECOND, length - 4)
                found = self.counted()
                self.assertEqual([found[name] for name in ('GPRC', 'ROC', 'RLEC', 'TPR')],
                                 [1, 3, 3, 4])
                found = self.counted(which='in_qemu')
                self.assertEqual([found[name] for name in ('GPRC', 'ROC', 'TPR')], [3, 1, 3])
                self.assertNotIn('RLEC', found)

    def test_qemu_counts_oversize_frames_to_strangers(self):
        self.send(STRANGER, 2000)
        self.assertEqual((self.counted(), self.counted(which='in_qemu')), ({}, {'ROC': 1}))
        self.assertEqual(self.met(), ['oversize_before_filter'])

    def test_flow_control_frames_are_no_good_frames(self):
        for destination in (capture.FLOW_CONTROL, SECOND):
            self.send(destination, kind=PAUSE)
            self.send(destination, kind=PAUSE + b'\0\1')
            self.send(destination, kind=OTHER_OPCODE)
        self.assertEqual(self.counted(), {'TPR': 6, 'TOR': 384, 'XONRXC': 2, 'XOFFRXC': 2,
                                          'FCRUC': 2})
        self.assertEqual(self.counted(which='in_qemu'), {'TPR': 3, 'TOR': 192, 'GPRC': 3,
                                                         'GORC': 192, 'PRC64': 3})
        self.assertEqual(self.met(), ['no_flow_control'])
        self.assertEqual(self.counted(FIRST)['GPTC'], 6)

    def test_octets_of_tags_are_on_the_wire(self):
        for mac in (FIRST, SECOND):
            self.wire.set(mac, removes_tags=True, inserts_tags=True, vlans=frozenset([5]))
        for vlan in (5, 6):
            self.send(SECOND, 64, b'\x81\0' + vlan.to_bytes(2, 'big'))
        self.assertEqual([self.counted()[name] for name in ('GPRC', 'GORC', 'PRC127')], [1, 68, 1])
        self.assertEqual(self.counted(which='in_qemu'), {'GPRC': 1, 'TPR': 1, 'GORC': 64,
                                                         'TOR': 64, 'PRC64': 1})
        self.assertEqual((self.counted(FIRST)['TOT'], self.counted(FIRST, 'in_qemu')['TOT']),
                         (136, 128))
        self.assertEqual([self.met(mac) for mac in (FIRST, SECOND)],
                         [['octets_without_inserted_tag'], ['octets_without_removed_tag']])

    def test_a_departure_that_no_erratum_explains_is_an_error(self):
        with mock.patch.object(capture, 'ERRATA', capture.ERRATA[1:]):
            self.wire.set(SECOND, joined=frozenset([GROUP]))
            self.send(GROUP)
            with self.assertRaisesRegex(ValueError, 'MPRC'):
                self.wire.read()


class Comparison(unittest.TestCase):
    class Reader(readers.Reader):
        now = {'rx': 100, 'rx_errors': 7, 'restarts': 1}

        def values(self):
            return dict(self.now)

    def reader(self):
        return self.Reader('eth0', {'rx': 'GPRC', 'rx_errors': 'ROC + RUC'}, ['restarts'])

    def test_a_difference_names_the_counter_its_registers_and_both_values(self):
        reader, counts = self.reader(), capture.Counts()
        self.assertEqual(list(reader.differences(counts)), [])
        counts.in_qemu['ROC'] = 3
        counts.documented['ROC'] = 2
        counts.errata['oversize_before_filter']['ROC'] = 1
        for actual, expected in ((9, ', the documented value: QEMU has lost the erratum '
                                  'oversize_before_filter'), (8, '')):
            with mock.patch.dict(reader.now, rx_errors=actual):
                self.assertEqual(list(reader.differences(counts)), [
                    f'eth0 rx_errors (ROC + RUC): {actual - 7}, expected 3{expected}'])
        with mock.patch.dict(reader.now, rx_errors=10, restarts=9):
            self.assertEqual(list(reader.differences(counts)), [])

    def test_a_counter_without_registers_is_an_error(self):
        with self.assertRaisesRegex(tap.Failure, 'restarts'):
            self.Reader('eth0', {'rx': 'GPRC', 'rx_errors': 'ROC'})


if __name__ == '__main__':
    unittest.main()
