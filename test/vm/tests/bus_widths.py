#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Adjacent counters on a bus of 8 and of 16 bits are read at once and count exactly, across
their wrap too. The models are those of test/models."""

# architectures

from driver import TestDriver
from modules import load_emulator_of_tests
from ports import case_in_place
from tap import case, expect_equal, main, wait_for


@case_in_place
def each_counter_has_its_own_word(here):
    for bits in 8, 16:
        port = here.add(f'narrow{bits}', held=True)
        # More than half a turn, so that the second poll is behind a wrap.
        most = 3 << (bits - 2)
        port.inject(3, length=100)
        port.inject(5, length=100, errors=['fcs'])
        port.inject(most, direction='tx', length=100)
        port.poll()
        expected = {'rx_frames': 8, 'tx_frames': most, 'rx_fcs_errors': 5}
        expect_equal(port.totals(cached=True), expected, f'{bits} bits')
        expect_equal([port.peek(0x10 + i * bits // 8) for i in range(3)], [8, most, 5],
                     f'registers of {bits} bits')
        port.inject(most, direction='tx', length=100)
        port.poll()
        expected['tx_frames'] = 2 * most
        expect_equal(port.totals(cached=True), expected, f'{bits} bits, wrapped')
        port.delete()


@case
def a_regmap_of_each_width_is_read():
    """With regmap's functions: the emulated device has its own for blocks."""
    driver = TestDriver('macstats_test_driver')
    for bits in 8, 16:
        with driver.loaded(model=f'narrow{bits}', width=bits, stride=bits // 8,
                           forced_at=0x10 + bits // 8) as here:
            def values(where=here):
                return where.stats()[0]['values']
            expect_equal(values(), [0, 0, 0], f'{bits} bits, before')
            (driver.parameters / 'forced').write_text('7')
            wait_for(lambda: values() == [0, 7, 0], f'{bits} bits, afterwards')


load_emulator_of_tests()
main()
