#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Two net devices that share one block of counters, as those of an AM335x in dual-EMAC mode,
both show the totals of the block. The block has one reader, which lives as long as one of
them."""

import json

import cli
import uapi
from netdev import Namespace
from ports import (PLATFORM, KernelLog, Place, Port, Sender, bring_up, case_in_first_place,
                   case_in_place, devices_on_bus, place)
from tap import expect, expect_equal, main, wait_for
from users import Child

EVENT = uapi.MACSTATS_CMD_PORT_EVENT_NTF
DEL = uapi.MACSTATS_CMD_PORT_DEL_NTF
DISCONTINUITY, STALE, RECOVERED = (
    uapi.number('MACSTATS_EVENT_', name) for name in ('discontinuity', 'stale', 'recovered'))
WIRE = 100  # octets of a frame with FCS
FRAME = b'\x02' + bytes(11) + b'\x88\xb5' + bytes(WIRE - 4 - 14)
RX_MAXLEN = 0x4a100d90
FASTEST = 1000  # microseconds between polls
GROUPS = ('eth-mac', 'rmon')
GOOD = ('tx_good_frames', 'rx_good_frames', 'tx_octets', 'rx_octets', 'rxtx_net_octets')


def pair(here, **details):
    """The two net devices of one device."""
    first = here.add(model='cpsw', netdevs=2, **details)
    device, = (one for one in here.devices() if one['id'] == first.device)
    expect_equal((device['netdevs'], len(device['port'])), (2, 2), 'net devices')
    return first, second_of(here, first, device)


def second_of(here, first, device):
    return Port(here, device['port'][1], first.device)


def peers(here, *ports):
    """A port of another device at the other end of each of them; all are up."""
    others = []
    for port in ports:
        other = here.add()
        other.link(port)
        bring_up(port, other)
        others.append(other)
    return others


def reader(port):
    """A process that reads the totals of a port over and over, with sockets of its own."""
    with port.place.inside():
        own = Place()
    child = Child(Port(own, port.ifindex, port.device).totals)
    own.close()
    return child


def good(totals):
    return tuple(totals[name] for name in GOOD)


def counts(sent, received):
    """good() of so many frames of FRAME."""
    return sent, received, WIRE * sent, WIRE * received, WIRE * (sent + received)


def ip_traffic(port):
    """The statistics of either direction, as ip prints them."""
    with port.place.inside():
        link, = json.loads(cli.output('ip', '-s', '-j', 'link', 'show', port.name))
    return {direction: link['stats64'][direction] for direction in ('tx', 'rx')}


def ip_statistics(port):
    """(transmitted, received) packets, as ip prints them."""
    return tuple(direction['packets'] for direction in ip_traffic(port).values())


def generations(*ports):
    return [port.stats(cached=True)['generation'] for port in ports]


def expect_counts(ports, sent, received, what, own=()):
    """All ways to read the counters of each port give so many frames, and ip those of its @own:
    (sent, received)."""
    for port, packets in zip(ports, own):
        expect_equal(ip_statistics(port), packets, f'{what}: ip -s link {port.name}')
    for port in ports:
        expect_equal(good(port.totals()), counts(sent, received), f'{what}: {port.name}')
        with port.place.inside():
            expect_equal(good(cli.ethtool_statistics(port.name)), counts(sent, received),
                         f'{what}: ethtool -S {port.name}')
        cli.shown(port)


@case_in_place
def both_net_devices_show_the_counters_of_both_and_packets_of_their_own(here):
    both = first, second = pair(here)
    _, other = peers(here, first, second)
    first.send(FRAME, 30)
    expect_counts(both, 30, 0, 'sent by the first', ((30, 0), (0, 0)))
    second.send(FRAME, 12)
    expect_counts(both, 42, 0, 'sent by the second, too', ((30, 0), (12, 0)))
    other.send(FRAME, 7)
    expect_counts(both, 42, 7, 'received by the second', ((30, 0), (12, 7)))
    for port, count in ((first, 5), (second, 6)):
        port.inject(count=count, direction='rx', length=WIRE)
    expect_counts(both, 42, 18, 'injected at both', ((30, 5), (12, 13)))


@case_in_place
def octets_of_a_net_device_neither_go_below_zero_nor_back(here):
    """A packet has no FCS, and a fragment may be shorter than one."""
    first, second = pair(here)

    def octets(port):
        return {key: value['bytes'] for key, value in ip_traffic(port).items()}
    for length in range(1, 7):
        for direction in 'tx', 'rx':
            first.inject(direction=direction, length=length)
    expect_equal(octets(first), {'tx': 3, 'rx': 3}, 'of 1 to 6 octets with FCS')
    for count in 2**57, 1:
        for direction in 'tx', 'rx':
            second.inject(count=count, direction=direction, length=WIRE * 10)
        expect_equal(octets(second), {'tx': 2**64 - 2, 'rx': 2**64 - 2}, 'more than 2^64')


@case_in_place
def neither_of_two_net_devices_has_standard_statistics(here):
    """Those are of one interface: a container would see the traffic of the host."""
    for port in pair(here, private_only=True):
        port.inject(count=5)
        with here.inside():
            groups, = cli.json_output('ethtool', '--json', '-S', port.name, '--all-groups')
            pause, = cli.json_output('ethtool', '--json', '-I', '-a', port.name)
            counters = cli.ethtool_statistics(port.name)
        expect_equal([(name, group) for name, group in groups.items() if group != {}],
                     [('ifname', port.name)], 'groups')
        expect_equal(pause.get('statistics', {}), {}, 'pause')
        expect_equal(len(counters), 34, 'counters of ethtool -S')


@case_in_place
def two_net_devices_of_one_block_can_be_linked(here):
    first, second = pair(here)
    first.link(second)
    bring_up(first, second)
    first.send(FRAME, 9)
    expect_counts((first, second), 9, 9, 'from the first to the second', ((9, 0), (0, 9)))


@case_in_place
def each_is_listed_with_its_own_name(here):
    first, second = pair(here, name='emac%d')
    expect_equal([(port['ifindex'], port['name']) for port in here.ports()],
                 [(first.ifindex, 'emac0'), (second.ifindex, 'emac1')], 'ports')
    here.links.rename(second.ifindex, 'other')
    expect_equal([port['name'] for port in here.ports()], ['emac0', 'other'], 'renamed')
    with here.inside():
        shown = cli.macstats_json('show')
    expect_equal([element['port'] for element in shown], ['emac0', 'other'], 'macstats show')
    with here.inside():
        added = cli.macstats_json('emu', 'add', 'cpsw', '--netdevs', '2')
        listed = cli.macstats_json('emu', 'list')
    expect_equal(listed[-1]['ports'], added['ports'], 'macstats emu list')
    expect_equal(len(added['ports']), 2, 'macstats emu add')


@case_in_place
def a_request_reads_the_hardware_once(here):
    first, second = pair(here)
    reads = (('a request for the first', first.totals), ('for the second', second.totals),
             ('a dump', here.stats),
             ('ethtool -S', lambda: cli.ethtool_statistics(second.name)),
             ('groups of ethtool', lambda: cli.output(
                 'ethtool', '-S', first.name, '--groups', *GROUPS)),
             ('macstats show', lambda: cli.macstats_json('show')))
    def polls(read):
        before = generations(first, second)
        with here.inside():
            read()
        return [after - start for start, after in zip(before, generations(first, second))]

    for what, read in reads:
        # A poll by the clock may come between, but not each time.
        found = [polls(read) for _ in range(5)]
        expect([1, 1] in found and min(found) == [1, 1], f'{what}: {found}')


@case_in_place
def both_have_one_poll_interval(here):
    first, second = pair(here)
    second.set_poll_interval(5000)
    expect_equal([port.state()['poll_usecs'] for port in (first, second)], [5000, 5000], 'interval')


@case_in_place
def no_count_is_lost_or_read_twice_by_readers_of_both(here):
    first, second = pair(here, quiet=False)
    peers(here, first, second)
    second.set_poll_interval(FASTEST)
    readers = [reader(port) for port in (first, second)]
    senders = [Sender(port, FRAME, limit=1500) for port in (first, second)]
    try:
        wait_for(lambda: all(sender.done == 1500 for sender in senders), 'all frames')
    finally:
        for user in senders + readers:
            user.stop()
    expect_counts((first, second), 3000, 0, 'frames')
    expect_equal([port.state()['discontinuities'] for port in (first, second)], [0, 0],
                 'discontinuities')


@case_in_first_place
def an_event_of_the_hardware_is_notified_for_each_and_logged_once(here):
    first, second = pair(here, held=True, quiet=False)
    elsewhere = place()
    second = second.move(elsewhere)
    listeners = here.listen(), elsewhere.listen()
    for happening, event, text in (
            (lambda: second.fault('bus_error'), STALE, 'stale'),
            (lambda: first.fault('bus_error', False), RECOVERED, 'can be read again'),
            (lambda: second.fault('reset', announced=True), DISCONTINUITY, 'was reset')):
        log = KernelLog()
        happening()
        first.poll()
        heard = [[(command, said['ifindex'], said['event'])
                  for command, said in listener.events(1)] for listener in listeners]
        expect_equal(heard, [[(EVENT, port.ifindex, event)] for port in (first, second)], text)
        lines = [line for line in log.lines() if text in line]
        expect_equal(len(lines), 1, f'lines with {text!r}')
        expect(first.name in lines[0], lines)


def end_of(elsewhere):
    """Returns when a namespace has ended: its own device ends after the net devices that have
    moved there."""
    elsewhere.add(quiet=False)
    before = devices_on_bus()
    elsewhere.close()
    wait_for(lambda: len(devices_on_bus()) < len(before), 'the end of the namespace')


def expect_one_survives(here, survivor, goes):
    """@goes of two net devices ends with its namespace; @survivor is still served."""
    listener = here.listen()
    elsewhere = Place(Namespace())
    moved = goes.move(elsewhere)
    expect_equal([(command, said['ifindex']) for command, said in listener.events(1)],
                 [(DEL, goes.ifindex)], 'notifications')
    moved.inject(count=10, length=WIRE)
    survivor.inject(count=5, length=WIRE)
    expect_counts((moved, survivor), 0, 15, 'in two namespaces')
    end_of(elsewhere)
    expect_equal([port['name'] for port in here.ports()], [survivor.name], 'ports')
    survivor.inject(count=10, length=WIRE)
    expect_counts((survivor,), 0, 25, 'after the end of the other')
    for active, event in ((True, STALE), (False, RECOVERED)):
        survivor.fault('bus_error', active)
        survivor.stats()
        expect_equal([said['event'] for _, said in listener.events(1)], [event], 'events')
    survivor.set_poll_interval(FASTEST)
    before, = generations(survivor)
    wait_for(lambda: generations(survivor)[0] > before + 5, 'polls')
    expect_equal(survivor.state()['discontinuities'], 0, 'discontinuities')


@case_in_place
def the_second_goes_with_its_namespace_and_the_first_stays(here):
    first, second = pair(here)
    expect_one_survives(here, first, second)
    first.delete()
    expect_equal(devices_on_bus(), [], 'devices')


@case_in_place
def the_first_goes_with_its_namespace_and_the_second_stays(here):
    first, second = pair(here)
    expect_one_survives(here, second, first)
    second.delete()
    expect_equal(devices_on_bus(), [], 'devices')


@case_in_place
def a_device_is_deleted_with_the_last_of_its_net_devices(here):
    first, second = pair(here)
    for port in (first, second):
        elsewhere = Place(Namespace())
        port.move(elsewhere)
        expect_equal(len(devices_on_bus()), 1, 'devices')
        elsewhere.close()
    wait_for(lambda: not devices_on_bus(), 'the end of the device')


def more_frames(sender):
    before = sender.done
    wait_for(lambda: sender.done > before + 100, 'traffic')


@case_in_place
def one_goes_under_traffic_of_the_other(here):
    for survives in (0, 1):
        ports = pair(here, quiet=False)
        survivor = ports[survives]
        survivor.set_poll_interval(FASTEST)
        peers(here, survivor)
        reads = reader(survivor)
        sender = Sender(survivor, FRAME)
        # Not before the children, which would keep it.
        elsewhere = Place(Namespace())
        ports[1 - survives].move(elsewhere)
        try:
            more_frames(sender)
            end_of(elsewhere)
            more_frames(sender)
        finally:
            expect_equal(sender.stop(), 0, 'sending')
            reads.stop()
        expect_counts((survivor,), sender.done, 0, f'net device {survives} stays')
        survivor.delete()


@case_in_place
def a_binding_makes_those_whose_namespace_has_not_ended(here):
    first, second = pair(here)
    device = f'macstats_emu.{first.device}'
    driver = PLATFORM / 'drivers/macstats_emu'
    for port in (first, second):
        port.inject(count=3, length=WIRE)
    (driver / 'unbind').write_text(device)
    expect_equal(here.ports(), [], 'ports without a driver')
    (driver / 'bind').write_text(device)
    expect_equal(len(here.ports()), 2, 'ports')
    entry, = here.devices()
    first = Port(here, entry['port'][0], first.device)
    second = second_of(here, first, entry)
    second.inject(count=4, length=WIRE)
    expect_counts((first, second), 0, 4, 'after the binding')

    elsewhere = Place(Namespace())
    second.move(elsewhere)
    end_of(elsewhere)
    (driver / 'unbind').write_text(device)
    (driver / 'bind').write_text(device)
    port, = here.ports()
    first = Port(here, port['ifindex'], first.device)
    first.inject(count=6, length=WIRE)
    expect_counts((first,), 0, 6, 'after the second binding')


@case_in_place
def a_suspend_stops_both(here):
    first, second = pair(here)
    peers(here, first, second)
    first.send(FRAME, 2)
    second.send(FRAME, 3)
    second.fault('suspend')
    expect_equal([(port.carrier(), 'stale' in port.state()) for port in (first, second)],
                 [(False, True)] * 2, 'carrier, stale')
    second.fault('suspend', False)
    for port in (first, second):
        wait_for(port.running, f'{port.name} can send')
        port.send(FRAME, 4)
    expect_counts((first, second), 13, 0, 'after the resume')
    expect_equal([port.state()['discontinuities'] for port in (first, second)], [0, 0],
                 'discontinuities')


# One register holds the longest frame of both: header, tag and FCS are 22 octets.
@case_in_place
def the_larger_mtu_sets_the_longest_frame(here):
    first, second = pair(here)
    for port, mtu, expected in ((first, 3000, 3022), (second, 9000, 9022), (first, 1500, 9022),
                                (second, 2000, 2022), (second, 1500, 1522)):
        port.set_mtu(mtu)
        expect_equal(first.peek(RX_MAXLEN), expected, f'{port.name} with an MTU of {mtu}')


@case_in_place
def the_longest_frame_follows_the_mtu_of_the_one_that_stays(here):
    first, second = pair(here)
    elsewhere = Place(Namespace())
    second.move(elsewhere).set_mtu(9000)
    expect_equal(first.peek(RX_MAXLEN), 9022, 'with both')
    end_of(elsewhere)
    expect_equal(first.peek(RX_MAXLEN), 1522, 'the longest frame of the one that stays')


main()
