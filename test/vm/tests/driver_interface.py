#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A driver passes a regmap; one that does not fit is rejected with a text that names the field.
Ports of net devices that share counters end in any order. The driver is that of test/driver."""

import contextlib
import pathlib

import cli
import uapi
from driver import TestDriver, reasons
from ports import KernelLog, Place
from tap import case, expect, expect_equal, main, wait_for

DRIVER = TestDriver('macstats_test_driver')
MISFIT = uapi.number('MACSTATS_EVENT_', 'misfit')
load = DRIVER.load


@contextlib.contextmanager
def loaded(**parameters):
    """The ports of the driver."""
    with DRIVER.loaded(**parameters) as here:
        yield here.ports()


@case
def a_config_that_is_not_accepted_is_rejected_by_the_name_of_its_field():
    DRIVER.expect_rejected(
        ({'width': 16}, 'regmap: val_bits is 16, cpsw requires 32'),
        ({'stride': 1}, 'regmap: reg_stride is 1, cpsw requires 4'),
        ({'stride': 8}, 'regmap: reg_stride is 8, cpsw requires 4'),
        ({'index': 1}, 'index: 1 is no port of cpsw, which has 1'))


@case
def a_port_is_registered_once():
    log = KernelLog()
    error = load(twice=1)
    # Newer kernels have EBUSY for EEXIST of a module's init: that would mean that it is loaded.
    expect('File exists' in error or 'busy' in error, error)
    expect_equal(reasons(log), ['port 0 of the regmap is registered already'])
    with loaded(again=1) as ports:
        expect_equal(len(ports), 2, 'again')


@case
def a_regmap_with_and_without_an_end_is_accepted():
    for last in 0, 0x4a10124c:
        with loaded(last=last) as ports:
            expect_equal([port['model'] for port in ports], ['cpsw'] * 2, last)
            expect_equal(['stale' in port for port in ports], [False] * 2, last)


@case
def packets_that_interrupts_count_in_the_middle_of_others_all_count():
    """In a round, a unicast frame of 64 octets is received, and two frames are given up, after 16
    and after 4 attempts. An interrupt receives a multicast frame of 100, and sends one of 96, FCS
    not included, after two collisions."""
    with DRIVER.loaded(model='rc32438', stride=4, interrupts=500) as here:
        interrupts, rounds = (int((DRIVER.parameters / name).read_text())
                              for name in ('interrupted', 'rounds'))
        totals = dict(zip([row['name'] for row in here.counters('rc32438')],
                          here.stats()[0]['values'], strict=True))
    print(f'# {interrupts} interrupts of {rounds} rounds')
    expect(rounds > 0, 'nothing was interrupted')
    expected = {
        'rx_ok': rounds + interrupts, 'rx_ok_octets': 64 * rounds + 100 * interrupts,
        'rx_multicast_packet': interrupts,
        'tx_not_ok': 2 * rounds, 'tx_excessive_collisions': 2 * rounds,
        'tx_excessive_collision_attempts': 20 * rounds,
        'tx_ok': interrupts, 'tx_ok_octets': 96 * interrupts,
        'tx_multiple_collision': interrupts, 'tx_collision_count': 2 * interrupts}
    for name, total in totals.items():
        expect_equal(total, expected.get(name, 0), name)


@case
def hardware_of_another_identity_is_rejected_by_its_register():
    log = KernelLog()
    error = load(forced_at=0x4a100000, forced=0x001a010d)
    expect('No such device' in error, error)
    expect_equal(reasons(log), ['ID_VER reads 0x1a010d, 0x19010d expected: this is no cpsw'],
                 'the log')


@case
def each_version_of_the_switch_is_one():
    for version in 0x0019010a, 0x0019010c, 0x0019010f, 0x00190112:
        with loaded(forced_at=0x4a100000, forced=version) as ports:
            expect_equal(['stale' in port for port in ports], [False] * 2, hex(version))


@case
def counters_that_a_read_does_not_clear_are_reported_once():
    """The registers of the driver add 2^30 at each read, and a read clears none. The registration
    reads them once, and the first poll twice."""
    log = KernelLog()
    seen = []

    def misfits():
        seen.extend(line for line in log.lines() if 'a read does not clear it' in line)
        return seen
    with contextlib.closing(Place()) as here:
        listener = here.listen()
        with loaded(model='ixf1104', stride=1, counting=1, alone=1):
            wait_for(misfits, 'the report')
            for _ in range(3):
                here.stats()
            expect_equal(len(misfits()), 1, seen)
        events = [said.get('event', 0) for _, said in listener.events(3)]
        expect_equal(sum(bool(event & MISFIT) for event in events), 1, events)
    expect('RxOctetsTotalOK reads 3221225472 once more, at most ' in seen[0], seen)


@case
def a_block_of_two_words_is_read_whole():
    """ll40g has a counter of 64 bits whose neighbours are no counters."""
    with (loaded(model='ll40g', stride=1, forced_at=0x861),
          contextlib.closing(Place()) as here):
        index = [row['name'] for row in here.counters('ll40g')].index('tx_octets_ok')

        def polled():
            return here.stats(cached=True)[0]
        before = polled()
        expect_equal(before['values'][index], 0, 'octets')
        # 40 Gb/s take 0.9 s for the octets that follow, and the next poll comes in a second.
        wait_for(lambda: polled()['generation'] > before['generation'], 'a poll')
        (DRIVER.parameters / 'forced').write_text('1')
        wait_for(lambda: polled()['values'][index] == 1 << 32, 'the high word')


@case
def a_register_dump_reads_both_words_of_a_counter_at_once():
    """The driver warns of an access to one of them. Each reads as the address of the other."""
    with loaded(model='wide', alone=1) as ports, contextlib.closing(Place()) as here:
        expect_equal(here.links.registers(ports[0]['name'])[1],
                     [(0x00, 0x04), (0x04, 0x00), (0x08, 0), (0x10, 0x14), (0x14, 0x10),
                      (0x80, 0)])


@case
def either_of_two_ports_that_share_counters_ends_first():
    for ends in (0, 1):
        with loaded(ends=ends) as ports:
            expect_equal(['stale' in port for port in ports], [False], f'after the end of {ends}')


@case
def a_total_can_be_read_in_a_hard_interrupt():
    """A timer of the driver reads it, and warns if it goes back. Each poll adds 2^30."""
    with loaded(counting=1), contextlib.closing(Place()) as here:
        totals = [here.stats()[0]['values'][0] for _ in range(200)]
        added = totals[-1] - totals[0]
        expect(added >= 199 << 30 and added % (1 << 30) == 0, f'{added} were added')


@case
def a_counter_that_the_hardware_lacks_is_nowhere():
    """Rx CRC Errors. The driver warns if it is read."""
    with loaded(lacks=0x10, counting=1, alone=1) as ports, contextlib.closing(Place()) as here:
        name = ports[0]['name']
        here.stats()    # a fresh read
        expect('rx_crc_errors' not in cli.ethtool_statistics(name), 'ethtool -S')
        group = cli.json_output('ethtool', '--json', '-S', name, '--groups', 'eth-mac')[0]['eth-mac']
        expect('FramesReceivedOK' in group, f'{group}')
        expect('FrameCheckSequenceErrors' not in group, f'{group}')
        shown = next(port for port in cli.macstats_json('show') if port['port'] == name)
        expect('rx_good_frames' in shown['totals'], f'{shown}')
        expect('rx_crc_errors' not in shown['totals'], f'{shown}')
        expect('FrameCheckSequenceErrors' not in shown['standard']['eth-mac'], f'{shown}')
        metrics = cli.output(cli.MACSTATS, 'export', '--textfile', '-')
        expect('_rx_sof_overruns_frames_total{' in metrics, metrics)
        expect('rx_crc_errors' not in metrics and 'frame_check' not in metrics, metrics)
        dumped = cli.macstats_json('registers', name)['counters']
        expect('rx_good_frames' in dumped and 'rx_crc_errors' not in dumped, f'{dumped}')


@case
def an_alias_that_is_not_accepted_is_rejected_by_its_index():
    for aliases, message in (
            ('nameless', 'aliases[1]: string is missing'),
            ('bare', 'aliases[0]: octets names no counter'),
            ('long', 'aliases[0]: string has 33 characters, at most 32 are supported'),
            ('unknown', 'aliases[0]: octets: cpsw has no counter Octets of nobody')):
        log = KernelLog()
        error = load(aliases=aliases)
        expect('Invalid' in error, f'{aliases}: {error!r}')
        expect_equal(reasons(log), [message], aliases)


@case
def aliases_come_first_and_replace_counters_of_their_own_or_of_their_name():
    sums = {'Good Rx Frames': ['rx_good_frames'],
            'good frames': ['rx_good_frames', 'tx_good_frames'],
            'a_string_of_thirty_two_letters__': ['rx_octets', 'tx_octets', 'rxtx_net_octets',
                                                'rxtx_collisions'],
            'tx_octets': ['rx_octets', 'tx_octets']}
    with loaded(aliases='good', counting=1) as ports, contextlib.closing(Place()) as here:
        names = [row['name'] for row in here.counters('cpsw')]
        others = [name for name in names if name not in ('rx_good_frames', 'tx_octets')]
        for port in ports:
            before = dict(zip(names, here.stats()[0]['values']))
            seen = cli.ethtool_statistics(port['name'])
            after = dict(zip(names, here.stats()[0]['values']))
            expect_equal(list(seen), [*sums, *others])
            for string, counters in sums.items():
                low = sum(before[counter] for counter in counters)
                high = sum(after[counter] for counter in counters)
                expect(low < seen[string] < high, f'{string}: {low}, {seen[string]}, {high}')
            # Each poll adds as much to each counter, in any case.
            once = seen['Good Rx Frames']
            expect_equal([seen[string] for string in sums], [once, 2 * once, 4 * once, 2 * once])


@case
def the_regmap_core_knows_which_registers_a_read_clears():
    """Those of all ports: the counters of the IXF1104's MACs, and of its FIFOs behind them. It has
    one region."""
    expected = {0x80 * port + register for port in range(4)
                for register in (*range(0x20, 0x3a), *range(0x40, 0x59))}
    expected |= {base + port for port in range(4) for base in (0x594, 0x622)}
    with loaded(model='ixf1104', stride=1, last=0x7ff):
        text = pathlib.Path('/sys/kernel/debug/regmap/macstats_test_driver/access').read_text()
    # Address, readable, writable, volatile, precious.
    found = {int(line.split(':')[0], 16) for line in text.splitlines()
             if line.split()[-1] == 'y'}
    expect_equal(sorted(found), sorted(expected), 'precious registers')


main()
