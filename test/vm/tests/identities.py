#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The sums between the counters of a Low Latency 40-Gbps Ethernet core hold after thousands
of frames of random classes and counts."""

import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

import cli  # noqa: E402
from mac import BINS, CONTROL  # noqa: E402
from ports import MAX_RX_SIZE, MAX_TX_SIZE, with_place  # noqa: E402
from tap import case, expect, expect_equal, main, wait_for  # noqa: E402

INJECTED = 600  # requests, each for up to 2^40 frames, at each port
SENT = 600
ERRORS = ('fcs', 'alignment', 'code', 'payload_length', 'late_collision', 'excessive_collisions',
          'excessive_deferral', 'carrier_loss', 'underrun', 'overrun')
LENGTHS = (1, 8, 9, 18, 63, 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518, 1519, 9600,
           9601, 65535)


def inject_at_random(port, generator, times):
    for _ in range(times):
        errors = generator.sample(ERRORS, generator.choice((0, 0, 0, 1, 1, 2)))
        port.inject(
            count=generator.choice((1, 2, 1000, generator.randrange(1, 1 << 40))),
            direction=generator.choice(('rx', 'tx')),
            destination=generator.choice(('unicast', 'multicast', 'broadcast')),
            kind=generator.choice(('data', 'data', 'control', 'pause')),
            origin=generator.choice(('software', 'software', 'mac')),
            length=generator.choice((generator.randrange(1, 65536), generator.choice(LENGTHS))),
            vlan_tags=generator.choice((0, 0, 1, 2)), errors=errors,
            collisions=generator.choice((0, 0, 0, 1, 2, 16)),
            deferred=generator.choice((False, False, True)))


def send_at_random(port, peer, generator, times):
    """Real frames; returns when the peer has counted them."""
    before = peer.totals()['rx_st']
    packets = port.packets()
    for _ in range(times):
        destination = generator.choice((b'\x02' + bytes(5), b'\x01' + bytes(5), b'\xff' * 6))
        kind = generator.choice((b'\x88\xb5', b'\x81\x00', CONTROL))
        packets.send(destination + bytes(6) + kind +
                     bytes(generator.randrange(2, generator.choice((60, 1500)))))
    packets.close()
    wait_for(lambda: peer.totals()['rx_st'] == before + times, 'all frames')


def check_direction(page, variant):
    """@page: the totals of one direction, without rx_ and tx_."""
    errors = [page[f'{who}cast_{kind}_err'] for who in 'mbu' for kind in ('data', 'ctrl')]
    good = [page[f'{who}cast_{kind}'] for who in 'mbu' for kind in ('data_ok', 'ctrl')]
    jabbers = page['jabbers'] if variant else 0
    expect_equal(page['fcs'], page['fragments'] + page['crcerr'] + jabbers, 'FCS by size')
    expect_equal(page['fcs'], sum(errors), 'FCS by class')
    expect(page['pause_err'] <= sum(page[f'{who}cast_ctrl_err'] for who in 'mbu'), 'PAUSE_ERR')
    expect(page['pause'] <= sum(page[f'{who}cast_ctrl'] for who in 'mbu'), 'PAUSE')
    expect_equal(sum(page[name.lower()] for _, _, name in BINS) + page['1519tomaxb'] +
                 page['oversize'] + page['runt'], page['st'], 'all frames by size')
    expect_equal(sum(good) + page['fcs'], page['st'], 'all frames by class')
    expect(page['fragments'] <= page['runt'], 'FRAGMENTS are RUNTs')
    expect(page['jabbers'] <= page['oversize'], 'JABBERS are OVERSIZE')
    if not variant:
        expect(page['jabbers'] <= page['crcerr'], 'JABBERS are CRCERR')


def direction(totals, prefix):
    return {name.removeprefix(prefix): value for name, value in totals.items()
            if name.startswith(prefix)}


def frames_ok(page):
    good = sum(page[f'{who}cast_{kind}'] for who in 'mbu' for kind in ('data_ok', 'ctrl'))
    return good - (page['oversize'] - page['jabbers']) - (page['runt'] - page['fragments'])


def check_identities(here, variant, seed):
    generator = random.Random(f'{seed} {os.environ.get("MACSTATS_SEED", 1)}')
    options = ['tx_statistics', 'rx_statistics', 'vlan_detection'] + (['variant'] if variant else [])
    left, right = here.pair(options=options)
    for _ in range(3):
        for port, peer in ((left, right), (right, left)):
            inject_at_random(port, generator, INJECTED // 3)
            send_at_random(port, peer, generator, SENT // 3)
        for port in (left, right):
            totals = port.totals()
            for prefix in ('rx_', 'tx_'):
                page = direction(totals, prefix)
                expect(page['st'] > 0 and page['fcs'] > 0, 'nothing was counted')
                check_direction(page, variant)
            page = direction(totals, 'tx_')
            expect_equal((page['fragments'], page['runt']), (0, 0), 'TX pads what is short')
    with left.place.inside():
        shown, = cli.json_output('ethtool', '--json', '-S', left.name, '--groups', 'eth-mac')
    totals = left.totals()
    expect_equal((shown['eth-mac']['FramesReceivedOK'], shown['eth-mac']['FramesTransmittedOK']),
                 (frames_ok(direction(totals, 'rx_')), frames_ok(direction(totals, 'tx_'))),
                 'frames OK')


@case
@with_place
def the_identities_hold_with_crcerr_of_the_datasheet(here):
    check_identities(here, False, 1)


@case
@with_place
def the_identities_hold_with_crcerr_of_the_released_core(here):
    check_identities(here, True, 2)


@case
@with_place
def an_oversize_frame_also_counts_in_its_size_class_with_a_maximum_below_1518(here):
    port = here.add()
    port.poke(MAX_RX_SIZE, 1000)
    port.poke(MAX_TX_SIZE, 1000)
    for prefix in ('rx', 'tx'):
        for length in (999, 1000, 1001, 1518, 1519, 9600):
            port.inject(direction=prefix, length=length)
        page = direction(port.totals(), prefix + '_')
        expect_equal([page[name] for name in ('512to1023b', '1024to1518b', '1519tomaxb',
                                              'oversize', 'st', 'octets_ok')],
                     [3, 1, 0, 4, 6, 999 - 18 + 1000 - 18], prefix)


main()
