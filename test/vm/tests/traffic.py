#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Known traffic between two linked ports in two network namespaces gives the expected value in
every counter and every standard statistic of both ends. The expectation comes from an
independent reading of the octets."""

# architectures

import collections
import errno
import pathlib
import random

import cli
import effort
from mac import CONTROL, NAMES, VLAN, Mac, sent_by_software, with_fcs
from ports import KernelLog, bring_up, leave_places, place
from netdev import received
from tap import Failure, Skip, case, expect, expect_equal, main, wait_for

FRAMES_EACH_WAY = 6000
REJECTED = 524, errno.EOPNOTSUPP  # ENOTSUPP, which only the kernel has, before Linux 7.3
MTU, LONGEST = 9582, 9600
SOURCE = bytes.fromhex('020000000001')
DESTINATIONS = {
    'unicast': bytes.fromhex('020000000002'),
    'multicast': bytes.fromhex('01005e010203'),
    'broadcast': b'\xff' * 6,
}
PAUSE_ADDRESS = bytes.fromhex('0180c2000001')
# Frame lengths without FCS: both sides of each edge of a size class.
LENGTHS = (14, 15, 30, 42, 59, 60, 61, 100, 123, 124, 200, 251, 252, 400, 507, 508, 800, 1019,
           1020, 1300, 1514, 1515, 1518, 2000, 4095, 4096, 9000, 9595, 9596)
TAGGED_LENGTHS = (18, 60, 61, 124, 1514, 1515, 4200, 9596, 9597, 9600)
EXPERIMENTAL, SERVICE_VLAN = b'\x88\xb5', b'\x88\xa8'
TAG = VLAN + b'\x00\x05'
OPCODES = (b'\x00\x01', b'\x01\x01', b'\x00\x02', b'\x12\x34')
LONG_OPCODE_LENGTHS = (60, 61, 100, 1514, 5000)

SEED = effort.seed()
print(f'# seed {SEED}', flush=True)
generator = random.Random(SEED)


def octets(destination, header, length):
    start = destination + SOURCE + header
    return start + generator.randbytes(max(length - len(start), 0))


def length_field(destination, tags, length):
    """A frame with a correct length field."""
    data = length - 14 - 4 * tags
    return octets(destination, TAG * tags + data.to_bytes(2, 'big'), length)


def real_frames():
    """One frame of each kind, without FCS."""
    for destination in DESTINATIONS.values():
        for length in LENGTHS:
            yield octets(destination, EXPERIMENTAL, length)
        for length in TAGGED_LENGTHS:
            yield octets(destination, TAG + EXPERIMENTAL, length)
            yield octets(destination, TAG + TAG + EXPERIMENTAL, max(length, 22))
        for length in (61, 200, 1514):
            yield length_field(destination, 0, length)
            yield length_field(destination, 1, length)
        yield destination + SOURCE + (20).to_bytes(2, 'big') + bytes(20)
        for opcode in OPCODES:
            for length in LONG_OPCODE_LENGTHS:
                yield octets(destination, CONTROL + opcode, length)
            # For a MAC, a control frame with a tag is data.
            yield octets(destination, TAG + CONTROL + opcode, 64)
        # No other tag than 81-00 is one, at no other place than the first two.
        yield octets(destination, SERVICE_VLAN + b'\x00\x05' + TAG + EXPERIMENTAL, 300)
        yield octets(destination, TAG + SERVICE_VLAN + b'\x00\x05' + EXPERIMENTAL, 300)
        yield octets(destination, TAG * 3 + EXPERIMENTAL, 300)
    yield octets(PAUSE_ADDRESS, CONTROL + b'\x00\x01', 60)


def injected_frames():
    """(arguments of inject, the frame on the wire) for what no driver can send."""
    for where, address in DESTINATIONS.items():
        for length, good in ((18, False), (63, False), (18, True), (63, True), (64, False),
                             (65, False), (1518, False), (1519, False), (9600, False),
                             (9601, False), (9601, True), (65535, False), (65535, True)):
            wire = with_fcs(octets(address, EXPERIMENTAL, length - 4), good)
            yield {'destination': where, 'length': length, 'errors': [] if good else ['fcs']}, wire
        for kind, opcode in (('control', b'\x12\x34'), ('pause', b'\x00\x01'),
                             ('pfc', b'\x01\x01')):
            header = CONTROL + opcode
            for length in (63, 64, 1519, 9601):
                wire = with_fcs(octets(address, header, length - 4), False)
                yield {'destination': where, 'kind': kind, 'length': length,
                       'errors': ['fcs']}, wire
            wire = with_fcs(octets(address, header, 60))
            yield {'destination': where, 'kind': kind, 'origin': 'mac'}, wire
        for tags in (0, 1, 2):
            wire = with_fcs(octets(address, TAG * tags + b'\x00\x64', 996))
            yield {'destination': where, 'length': 1000, 'vlan_tags': tags,
                   'errors': ['payload_length']}, wire
            wire = with_fcs(octets(address, TAG * tags + b'\x00\x64', 996), False)
            yield {'destination': where, 'length': 1000, 'vlan_tags': tags,
                   'errors': ['payload_length', 'fcs']}, wire


class End:
    """A port in its namespace, and its expected counts."""

    def __init__(self, port, **details):
        self.port, self.mac = port, Mac(**details)
        port.set_mtu(MTU)
        port.set_longest(LONGEST)

    def check_totals(self):
        expect_equal(self.port.totals(), self.mac.totals(), self.port.name)


def send(sender, receiver, number=FRAMES_EACH_WAY):
    frames = list(real_frames())
    chosen = frames + generator.choices(frames, k=number - len(frames))
    generator.shuffle(chosen)
    packets = sender.port.packets()
    for frame in chosen:
        packets.send(frame)
    packets.close()
    for frame, times in collections.Counter(chosen).items():
        wire = sent_by_software(frame)
        sender.mac.transmit(wire, times)
        receiver.mac.receive(wire, times)


def inject(end):
    for arguments, wire in injected_frames():
        for direction, count in (('rx', end.mac.receive), ('tx', end.mac.transmit)):
            times = generator.randrange(1, 100)
            end.port.inject(count=times, direction=direction, **arguments)
            count(wire, times)


def two_ends():
    here, there = place(), place()
    left, right = here.pair()
    right = right.move(there)
    bring_up(left, right)
    return End(left), End(right)


left, right = two_ends()


@case
def each_of_the_58_counters_is_exact_after_real_traffic_from_left_to_right():
    expect_equal(len(NAMES) * 2, 58, 'counters that the datasheet has')
    send(left, right)
    wait_for(lambda: right.port.totals()['rx_st'] == right.mac.rx.counters['ST'], 'all frames')
    left.check_totals()
    right.check_totals()


@case
def each_of_the_58_counters_is_exact_after_real_traffic_from_right_to_left():
    send(right, left)
    wait_for(lambda: left.port.totals()['rx_st'] == left.mac.rx.counters['ST'], 'all frames')
    left.check_totals()
    right.check_totals()


@case
def each_of_the_58_counters_is_exact_after_faulty_frames_were_injected_at_both_ends():
    inject(left)
    inject(right)
    left.check_totals()
    right.check_totals()


@case
def frames_injected_by_the_command_are_counted_exactly():
    with left.port.place.inside():
        done = cli.macstats('emu', 'inject', left.port.name, '--direction', 'rx', '--length', 1500,
                            '--destination', 'multicast', '--errors', 'fcs', '--count', 12345678901)
        expect_equal(done.returncode, 0, done.stderr)
        done = cli.macstats('emu', 'inject', left.port.name, '--direction', 'tx', '--kind', 'pause',
                            '--destination', 'multicast', '--origin', 'mac', '--count', 3)
        expect_equal(done.returncode, 0, done.stderr)
    left.mac.receive(with_fcs(octets(DESTINATIONS['multicast'], EXPERIMENTAL, 1496), False),
                     12345678901)
    left.mac.transmit(with_fcs(octets(DESTINATIONS['multicast'], CONTROL + b'\x00\x01', 60)), 3)
    left.check_totals()


def check_tools(end):
    name = end.port.name
    groups = end.mac.groups()
    with end.port.place.inside():
        expect_equal(cli.ethtool_statistics(name), end.mac.totals(), 'ethtool -S')
        shown, = cli.json_output('ethtool', '--json', '-S', name, '--groups', *groups)
        for group, expected in groups.items():
            expect_equal(shown[group], expected, f'ethtool -S --groups {group}')
        shown, = cli.json_output('ethtool', '--json', '-I', '--show-pause', name)
        expect_equal(shown['statistics'], end.mac.pause(), 'ethtool -I -a')
        shown, = cli.json_output('ip', '-s', '-s', '-j', 'link', 'show', 'dev', name)
        for direction, expected in end.mac.link().items():
            # Drops of the stack are no drops of the MAC.
            actual = {key: value for key, value in shown['stats64'][direction].items()
                      if key in expected}
            expect_equal(actual, expected, f'ip -s -s link: {direction}')
        shown, = cli.macstats_json('show', name)
        expect_equal(shown['totals'], end.mac.totals(), 'macstats show: totals')
        check_standard(shown['standard'], end.mac)
        expect_equal((shown['port'], shown['ifindex'], shown['model']),
                     (name, end.port.ifindex, 'll40g'), 'macstats show')
        expect_equal(shown['state'], {**shown['state'], 'stale': False, 'possible_loss': False,
                                      'discontinuities': 0}, 'macstats show: state')


def check_standard(shown, mac):
    for group, expected in mac.groups().items():
        plain = {key: value for key, value in expected.items() if not key.endswith('NtoM')}
        actual = {key: value for key, value in shown[group].items() if not key.endswith('NtoM')}
        expect_equal(actual, plain, f'macstats show: {group}')
    expect_equal(shown['pause'], mac.pause(), 'macstats show: pause')


@case
def ethtool_ip_and_macstats_agree_with_the_frames_at_the_left_end():
    check_tools(left)


@case
def ethtool_ip_and_macstats_agree_with_the_frames_at_the_right_end():
    check_tools(right)


@case
def each_of_the_58_counters_is_exact_on_a_core_as_released_without_vlan_detection():
    ends = [End(port, variant=True, vlan_detection=False)
            for port in place().pair(options=['tx_statistics', 'rx_statistics', 'variant'])]
    send(*ends, number=1000)
    for kind, header, length in (('data', EXPERIMENTAL, 9601), ('pfc', CONTROL + b'\x01\x01', 64)):
        ends[0].port.inject(count=9, kind=kind, length=length, errors=['fcs'])
        wire = octets(DESTINATIONS['unicast'], header, length - 4)
        ends[0].mac.receive(with_fcs(wire, False), 9)
    for end in ends:
        end.check_totals()


@case
def only_data_frames_of_legal_length_reach_the_host():
    packets = right.port.packets(receive=True)
    sender = left.port.packets()
    data = octets(DESTINATIONS['unicast'], EXPERIMENTAL, 100)
    pause = octets(PAUSE_ADDRESS, CONTROL + b'\x00\x01', 60)
    oversize = octets(DESTINATIONS['broadcast'], TAG + EXPERIMENTAL, 9600)
    for frame in (data, pause, oversize, data):
        sender.send(frame)
        left.mac.transmit(sent_by_software(frame))
        right.mac.receive(sent_by_software(frame))
    wait_for(lambda: right.port.totals()['rx_st'] == right.mac.rx.counters['ST'], 'all frames')
    arrived = []
    wait_for(lambda: arrived.extend(received(packets)) or len(arrived) >= 2, 'the data')
    expect(arrived == [data, data], [frame[:20].hex() for frame in arrived])
    left.check_totals()
    right.check_totals()


@case
def no_sender_may_share_the_buffer_of_its_frames():
    """They are handed over to the peer. pktgen would send one buffer many times."""
    folder = pathlib.Path('/proc/thread-self/net/pktgen')
    cli.output('modprobe', 'pktgen')
    try:
        with left.port.place.inside():
            thread, device = folder / 'kpktgend_0', folder / left.port.name
            thread.write_text(f'add_device {left.port.name}')
            try:
                device.write_text('clone_skb 1')
            except OSError as error:
                expect(error.errno in REJECTED, error)
            else:
                raise Failure('it may share them')
            finally:
                thread.write_text('rem_device_all')
    finally:
        cli.output('rmmod', 'pktgen')


@case
def netconsole_which_sends_in_interrupts_takes_no_port():
    """It would count a message in the middle of a frame."""
    log = KernelLog()
    with left.port.place.inside():
        cli.output('ip', 'address', 'add', '192.0.2.1/24', 'dev', left.port.name)
        done = cli.run('modprobe', 'netconsole',
                       f'netconsole=@192.0.2.1/{left.port.name},@192.0.2.2/')
    if 'not found' in done.stderr:
        raise Skip('this kernel has no netconsole')
    cli.run('modprobe', '-r', 'netconsole')
    lines = log.lines()
    expect(any(left.port.name in line and "doesn't support polling" in line for line in lines),
           f'{done.stderr} {lines}')


@case
def the_tests_leave_no_device():
    leave_places()


main()
