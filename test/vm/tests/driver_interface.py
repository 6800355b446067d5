#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A driver passes one regmap, or one for each region of the model; any other form is rejected
with a text that names the field. Ports of net devices that share counters end in any order.
The driver is that of test/driver."""

import contextlib
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from ports import KERNEL_VERSION, KernelLog, Place  # noqa: E402
from tap import case, expect, expect_equal, main, skip_all  # noqa: E402

EXTRA = os.environ.get('KMOD_EXTRA_DIR')
if not EXTRA:
    skip_all('no test driver was built')
MODULE = pathlib.Path(EXTRA, 'kmod/driver/macstats_test_driver.ko')


def load(**parameters):
    """The error message of insmod, '' if the driver is loaded."""
    done = subprocess.run(['insmod', MODULE, *(f'{key}={value}' for key, value
                                               in parameters.items())],
                          stderr=subprocess.PIPE, text=True, check=False)
    return done.stderr.strip()


@contextlib.contextmanager
def loaded(**parameters):
    """The ports of the driver."""
    expect_equal(load(**parameters), '', parameters)
    here = Place()
    try:
        yield here.ports()
    finally:
        here.close()
        subprocess.run(['rmmod', MODULE.stem], check=True)


@case
def a_config_that_is_not_accepted_is_rejected_by_the_name_of_its_field():
    for parameters, message in (
            ({'form': 'both'}, 'the driver gives regmap and regmaps, one is accepted'),
            ({'form': 'neither'}, 'the driver gives neither regmap nor regmaps nor reg_read'),
            ({'form': 'missing'}, 'regmaps[3] is missing, of wr'),
            ({'width': 16}, 'regmap of stats: val_bits is 16, cpsw requires 32'),
            ({'width': 16, 'form': 'regmap'},
             'regmap of the device: val_bits is 16, cpsw requires 32'),
            ({'stride': 1}, 'regmap of stats: reg_stride is 1, cpsw requires 4'),
            ({'stride': 8}, 'regmap of stats: reg_stride is 8, cpsw requires 4'),
            # The last register of the first region is Rx DMA Overruns.
            ({'last': 0x88}, 'regmap of stats: max_register is 0x88, cpsw requires 0x8c'),
            ({'index': 1}, 'index: 1 is no port of cpsw, which has 1')):
        log = KernelLog()
        error = load(**parameters)
        expect('Invalid' in error, f'{parameters}: {error!r}')
        expect_equal([line.split('no statistics: ')[1] for line in log.lines()
                      if 'no statistics' in line], [message], parameters)


@case
def a_port_is_registered_once():
    for form in ('regmap', 'regmaps'):
        log = KernelLog()
        error = load(form=form, twice=1)
        expect('File exists' in error, f'{form}: {error!r}')
        expect_equal(['port 0 of the regmap is registered already' in line
                      for line in log.lines() if 'no statistics' in line], [True], form)
        with loaded(form=form, again=1) as ports:
            expect_equal(len(ports), 2, f'{form}, again')


@case
def a_regmap_with_a_cache_is_rejected():
    """Where the kernel can tell: from 6.6 on."""
    accepted = KERNEL_VERSION < (6, 6)
    for form in ('regmap', 'regmaps'):
        log = KernelLog()
        error = load(form=form, cached=1)
        if accepted:
            expect_equal(error, '', form)
            subprocess.run(['rmmod', MODULE.stem], check=True)
            continue
        expect('Invalid' in error, f'{form}: {error!r}')
        expect_equal(['regmap: ' in line and 'is cached' in line for line in log.lines()
                      if 'no statistics' in line], [True], form)


@case
def one_regmap_and_one_for_each_region_are_accepted():
    for form, last in (('regmap', 0), ('regmaps', 0), ('regmaps', 0x8c)):
        with loaded(form=form, last=last) as ports:
            expect_equal([port['model'] for port in ports], ['cpsw'] * 2, form)
            expect_equal(['stale' in port for port in ports], [False] * 2, form)


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


main()
