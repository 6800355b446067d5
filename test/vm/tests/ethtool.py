#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of ethtool and ip, which show and set: driver, registers, poll interval, pause,
self test, loopback, speed and carrier. None of these requests changes a counter, and
unsupported statistics are absent, not 0."""

# architectures

import re
import struct

import cli
import uapi
from ports import PAUSED, RX_STATUS, TX_STATUS, all_models, bring_up, case_in_place, rejection
from tap import expect, expect_equal, main, wait_for

FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(286)
GROUPS = 'eth-mac', 'eth-ctrl', 'rmon'
# Of ethtool -t: whether it exits with 0, and the results.
PASSES, FAILS = (True, {'counters (online)': '0'}), (False, {'counters (online)': '1'})


def ethtool(port, *words):
    """The output of ethtool, which must succeed."""
    with port.place.inside():
        return cli.output('ethtool', *words)


def failed_ethtool(port, *words):
    with port.place.inside():
        done = cli.run('ethtool', *words)
    expect(done.returncode != 0, f'ethtool {words} did not fail: {done.stdout}')
    return done.stdout + done.stderr


def value(text, key):
    """The value of a key in a listing."""
    found = re.search(rf'^\s*{re.escape(key)}:[ \t]*(.*?)[ \t]*$', text, re.MULTILINE)
    expect(found, f'no {key!r} in {text!r}')
    return found[1]


@case_in_place
def the_driver_and_the_bus_are_named(here):
    port = here.add()
    text = ethtool(port, '-i', port.name)
    expect_equal((value(text, 'driver'), value(text, 'bus-info')),
                 ('macstats_emu', f'macstats_emu.{port.device}'), 'driver and bus')
    for what in ('statistics', 'test', 'register-dump'):
        expect_equal(value(text, f'supports-{what}'), 'yes', what)


@case_in_place
def a_register_dump_shows_the_counters_and_changes_nothing(here):
    port = here.add()
    port.inject(count=0x123456789, length=100)
    port.inject(count=5, length=100, direction='tx', errors=['fcs'])
    before = port.totals()
    registers = (0x407, 0x506, 0x841, 0x845, 0x846, 0x941, 0x945, 0x946)
    values = [port.peek(address) for address in registers]
    with here.inside():
        dump = cli.octets('ethtool', '-d', port.name, 'raw', 'on')
    shown = dict(struct.iter_unpack('<II', dump))
    expect_equal(len(shown) * 8, len(dump), 'an address was dumped twice')
    expect_equal([shown[address] for address in registers], values, 'registers')
    expect_equal((shown[0x918], shown[0x919], shown[0x806]), (0x23456789, 1, 5), 'counters')
    expect_equal(shown[0x842], int.from_bytes(b'040g', 'big'), 'the name')
    expect_equal(len(shown), 58 * 2 + 16, 'addresses')
    expect_equal([port.peek(address) for address in registers], values, 'registers afterwards')
    expect_equal(port.totals(), before, 'totals')
    expect_equal(port.state()['discontinuities'], 0, 'discontinuities')


@case_in_place
def a_register_dump_of_each_model_has_exactly_the_registers_that_a_read_does_not_change(here):
    for model in all_models():
        port = here.add(model=model)
        version, dump = here.links.registers(port.name)
        expect_equal(version, 2, f'{model}: version of the format')
        addresses = [address for address, _ in dump]
        expect_equal(addresses, sorted(set(addresses)), f'{model}: addresses')
        described = cli.macstats_json('model', model)
        # Without an address, or a bit lets reads clear them.
        clearing = {block['name'] for block in described['blocks'] if block['clear_on_read']}
        without = {row['name'] for row in described['counters']
                   if row['offset'] is None or row['block'] in clearing}
        for row in port.registers():
            alone = row['onread'] == uapi.MACSTATS_ONREAD_NONE and row['name'] not in without
            expect_equal(row['offset'] in addresses, alone, f'{model} {row["name"]}')
        # Those that the hardware lacks are not read.
        absent = port.absent()
        lacking = {row['offset'] for i, row in enumerate(here.counters_of(
            port.state()['model_id'])) if i in absent}
        for address, value_ in dump:
            if address not in lacking:
                expect_equal(value_, port.peek(address), f'{model} {address:#x}')
        port.delete()


@case_in_place
def the_groups_of_one_request_share_one_fresh_poll(here):
    port = here.add()
    for number in range(1, 4):
        port.inject(count=1)
        text = ethtool(port, '-S', port.name, '--groups', *GROUPS)
        expect_equal((value(text, 'eth-mac-FramesReceivedOK'),
                      value(text, 'rx-rmon-etherStatsPkts64to64Octets')), (str(number),) * 2,
                     'frames')
    port.expect_polls(1, lambda: ethtool(port, '-S', port.name, '--groups', *GROUPS))
    port.fault('snapshot_stuck')
    before = port.stats(cached=True)
    ethtool(port, '-S', port.name, '--groups', *GROUPS)
    expect_equal(port.stats(cached=True), {**before, 'stale': True}, 'statistics')


@case_in_place
def the_poll_interval_is_shown_set_and_kept(here):
    port = here.add(quiet=False)
    expect_equal(value(ethtool(port, '-c', port.name), 'stats-block-usecs'), '1000000', 'default')
    ethtool(port, '-C', port.name, 'stats-block-usecs', '2000')
    expect_equal(value(ethtool(port, '-c', port.name), 'stats-block-usecs'), '2000', 'interval')
    expect_equal(port.state()['poll_usecs'], 2000, 'interval by netlink')
    before = port.stats(cached=True)['generation']
    wait_for(lambda: port.stats(cached=True)['generation'] >= before + 5, 'five polls')
    port.inject(count=9)
    wait_for(lambda: port.totals(cached=True)['rx_st'] == 9, 'a poll that sees the frames')


@case_in_place
def pause_is_shown_and_set(here):
    port = here.add()
    text = ethtool(port, '-a', port.name)
    expect_equal([value(text, key) for key in ('Autonegotiate', 'RX', 'TX')], ['off', 'on', 'on'],
                 'default')
    ethtool(port, '-A', port.name, 'rx', 'off', 'tx', 'on')
    text = ethtool(port, '-a', port.name)
    expect_equal([value(text, key) for key in ('RX', 'TX')], ['off', 'on'], 'what was set')
    # The older form of the request
    here.links.set_pause(port.name, rx=1, tx=0)
    text = ethtool(port, '-a', port.name)
    expect_equal([value(text, key) for key in ('RX', 'TX')], ['on', 'off'], 'what was set by ioctl')
    failed_ethtool(port, '-A', port.name, 'autoneg', 'on')
    text = ethtool(port, '-a', port.name)
    expect_equal([value(text, key) for key in ('Autonegotiate', 'RX', 'TX')], ['off', 'on', 'off'],
                 'after a rejection')


def self_test(port, *words):
    """(whether it passes, {test: result})"""
    with port.place.inside():
        done = cli.run('ethtool', '-t', port.name, *words)
    return done.returncode == 0, dict(re.findall(r'^(.+?)\s+(\d+)$', done.stdout, re.MULTILINE))


@case_in_place
def the_self_test_reads_the_counters_once(here):
    port = here.add()
    port.up()
    for number, words in enumerate(((), ('online',), ('offline',)), 1):
        port.inject(count=1)
        expect_equal(self_test(port, *words), PASSES, words)
        expect_equal(port.totals(cached=True)['rx_st'], number, f'{words}: frames')
        port.expect_polls(1, lambda: self_test(port, *words), words)  # pylint: disable=cell-var-from-loop
    expect_equal((port.peek(TX_STATUS) & PAUSED, port.peek(RX_STATUS) & PAUSED), (0, 0),
                 'snapshots')
    expect_equal(port.state()['discontinuities'], 0, 'discontinuities')


@case_in_place
def the_self_test_fails_while_the_counters_cannot_be_read(here):
    for model, fault in (('ll40g', 'bus_error'), ('ll40g', 'unplug'), ('ll40g', 'snapshot_stuck'),
                         ('ll40g', 'suspend'), ('ll40g_agilex5', 'clock_stopped'),
                         ('cpsw', 'gate_closes')):
        what, port = f'{model}, {fault}', here.add(model)
        port.up()
        expect_equal(self_test(port), PASSES, f'{what}: before')
        port.fault(fault)
        expect_equal(self_test(port), FAILS, what)
        port.fault(fault, False)
        expect_equal(self_test(port), PASSES, f'{what}: afterwards')
        port.delete()


@case_in_place
def the_self_test_of_a_slow_bus_fails_without_a_read(here):
    port = here.add()
    port.fault('slow_bus', argument=10000)
    before = port.stats(cached=True)
    expect_equal(self_test(port), FAILS, 'on a slow bus')
    expect_equal((port.stats(cached=True), 'stale' in port.state()), (before, False), 'afterwards')
    port.fault('slow_bus', False)
    expect_equal(self_test(port), PASSES, 'on a fast bus')


@case_in_place
def an_unlinked_port_in_loopback_receives_its_own_frames(here):
    port, other = here.add(), here.add()
    port.up()
    expect(not port.carrier(), 'a carrier without cable and loopback')
    ethtool(port, '-K', port.name, 'loopback', 'on')
    wait_for(port.running, 'the port can send')
    port.send(FRAME, 25)
    totals = port.totals()
    expect_equal((totals['tx_st'], totals['rx_st'], totals['rx_256to511b']), (25, 25, 25), 'frames')
    for end, peer in ((port, other), (other, port)):
        rejected = rejection(lambda: end.link(peer))  # noqa: B023
        expect('loopback' in rejected.text, rejected)
    ethtool(port, '-K', port.name, 'loopback', 'off')
    expect(not port.carrier(), 'a carrier after the end of the loopback')
    port.link(other)
    failed_ethtool(port, '-K', port.name, 'loopback', 'on')
    bring_up(port, other)
    port.send(FRAME, 5)
    expect_equal((port.totals()['rx_st'], other.totals()['rx_st']), (25, 5), 'frames when linked')


@case_in_place
def the_offloads_that_save_copies_and_checksums_are_on(here):
    port = here.add()
    features = dict(line.strip().split(': ', 1)
                    for line in ethtool(port, '-k', port.name).splitlines() if ': ' in line)
    for name, state in (('tx-scatter-gather', 'on'), ('tx-scatter-gather-fraglist', 'on'),
                        ('tx-checksum-ip-generic', 'on'), ('highdma', 'on [fixed]'),
                        ('loopback', 'off')):
        expect_equal(features[name], state, name)


@case_in_place
def speed_and_carrier_follow_the_cable_and_the_peer(here):
    left, right = here.pair()
    text = ethtool(left, left.name)
    expect_equal([value(text, key) for key in ('Speed', 'Duplex', 'Link detected')],
                 ['40000Mb/s', 'Full', 'yes'], 'a linked port')
    right.down()
    expect_equal((left.carrier(), right.carrier()), (False, False), 'with the peer down')
    right.up()
    expect_equal((left.carrier(), right.carrier()), (True, True), 'with the peer up again')
    right.unlink()
    expect_equal((left.carrier(), right.carrier()), (False, False), 'without the cable')
    expect_equal(value(ethtool(left, left.name), 'Link detected'), 'no', 'without the cable')
    left.link(right)
    expect_equal((left.carrier(), right.carrier()), (True, True), 'with the cable')
    right.delete()
    expect_equal(left.carrier(), False, 'without the peer')


@case_in_place
def statistics_survive_down_and_up(here):
    left, right = here.pair()
    left.send(FRAME, 20)
    before = left.totals(), right.totals()
    for port in (left, right):
        port.down()
    expect_equal((left.totals(), right.totals()), before, 'totals when down')
    with here.inside():
        shown = cli.json_output('ip', '-s', '-j', 'link', 'show', 'dev', right.name)
    expect_equal(shown[0]['stats64']['rx']['packets'], 20, 'ip -s link when down')
    bring_up(left, right)
    left.send(FRAME, 3)
    expect_equal(right.totals()['rx_st'], 23, 'frames after up')


@case_in_place
def a_port_runs_at_the_speed_of_its_option(here):
    """2^32 octets at 100 Mb/s take 343.6 s: half of that is the ceiling of the poll interval."""
    for options, speed, ceiling in (([], '1000Mb/s', 17179869), (['100m'], '100Mb/s', 171798691),
                                    (['10m'], '10Mb/s', 1717986918)):
        port = here.add('ixf1104', options=['statistics', *options])
        expect(f'Speed: {speed}' in ethtool(port, port.name), ethtool(port, port.name))
        expect_equal(port.state()['poll_ceiling_usecs'], ceiling, f'ceiling at {speed}')


@case_in_place
def the_poll_interval_follows_the_speed(here):
    """2^32 octets at 1 Gb/s take 34.4 s. A longer interval is shortened, and comes back."""
    port = here.add('ixf1104', options=['statistics', '10m', 'fiber'], quiet=False)

    def interval_at(speed):
        ethtool(port, '-s', port.name, 'speed', speed)
        expect(f'Speed: {speed}Mb/s' in ethtool(port, port.name), ethtool(port, port.name))
        state = port.state()
        return state['poll_ceiling_usecs'], state['poll_usecs']
    expect_equal(interval_at(1000), (17179869, 1000000), 'the default at 1 Gb/s')
    expect_equal(interval_at(100), (171798691, 1000000), 'the default at 100 Mb/s')
    ethtool(port, '-C', port.name, 'stats-block-usecs', 100000000)
    expect_equal(interval_at(1000), (17179869, 17179869), '100 s at 1 Gb/s')
    expect_equal(interval_at(10), (1717986918, 100000000), '100 s at 10 Mb/s')
    said = failed_ethtool(port, '-s', port.name, 'speed', '2500')
    expect('Invalid argument' in said, said)
    said = failed_ethtool(port, '-s', port.name, 'duplex', 'half')
    expect('not supported' in said, said)


@case_in_place
def statistics_are_absent_and_not_0_without_the_synthesis_option(here):
    port = here.add(options=['vlan_detection'])
    port.inject(count=5)
    said = failed_ethtool(port, '-S', port.name)
    expect('no stats available' in said, said)
    with here.inside():
        done = cli.run('ethtool', '--json', '-S', port.name, '--groups', *GROUPS)
        pause = cli.run('ethtool', '--json', '-I', '-a', port.name)
        shown = cli.macstats_json('show', port.name)
    for text in (done.stdout, pause.stdout):
        expect(not re.search(r'etherStats|Frames|_frames|pkts\d*to', text), f'shown: {text}')
    expect_equal(shown[0]['totals'], {}, 'macstats show')
    for address in (0x900, 0x916, 0x936, 0x937, 0x960, 0x840, 0x842, 0x845):
        expect_equal(port.peek(address), 0, f'register {address:#x}')
    expect_equal(port.peek(0x407), 1522, 'MAX_TX_SIZE_CONFIG')
    state = port.state()
    expect('absent' in state and 'stale' not in state, state)
    expect_equal(port.stats()['values'], [], 'values by netlink')
    expect_equal(self_test(port), PASSES, 'self test')


@case_in_place
def the_same_of_every_mac_also_if_no_register_tells(here):
    models = all_models()
    expect(len(models) > 4, models)
    for model in sorted(models):
        port = here.add(model, options=[])
        port.inject(count=5)
        expect('no stats available' in failed_ethtool(port, '-S', port.name), model)
        expect_equal(('absent' in port.state(), port.stats()['values']), (True, []), model)


@case_in_place
def a_private_only_port_omits_counters_with_a_standard_statistic(here):
    port, whole = here.add(private_only=True), here.add()
    everything = whole.ethtool().names
    with here.inside():
        names = list(cli.ethtool_statistics(port.name))
    expect(names and set(names) < set(everything), names)
    with_home = {row['name'] for row in here.counters() if 'standard' in row}
    # A counter that alone is a standard statistic is not repeated here.
    for name in ('tx_64b', 'rx_1519tomaxb', 'rx_pause', 'tx_pause', 'rx_octets_ok'):
        expect(name in with_home and name not in names, f'{name} is repeated')
    for name in set(everything) - with_home:
        expect(name in names, f'{name} is shown nowhere')


main()
