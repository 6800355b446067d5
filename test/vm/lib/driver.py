# SPDX-License-Identifier: GPL-2.0
"""Drivers that tests load, from test/driver. They are built with more models only."""

import contextlib
import os
import pathlib
import subprocess

from ports import KernelLog, Place
from tap import expect, expect_equal, skip_all

EXTRA = os.environ.get('KMOD_EXTRA_DIR')


class TestDriver:
    """The module of a driver."""

    def __init__(self, name):
        if not EXTRA:
            skip_all('no test driver was built')
        self.name = name
        self.module = pathlib.Path(EXTRA, f'kmod/driver/{name}.ko')
        self.parameters = pathlib.Path('/sys/module', name, 'parameters')

    def load(self, **parameters):
        """The error message of insmod, '' if the driver is loaded."""
        done = subprocess.run(['insmod', self.module, *(f'{key}={value}' for key, value
                                                        in parameters.items())],
                              stderr=subprocess.PIPE, text=True, check=False)
        return done.stderr.strip()

    def unload(self):
        subprocess.run(['rmmod', self.name], check=True)

    def expect_rejected(self, *configs):
        """@configs: (parameters, why the provider rejects the port)"""
        for parameters, why in configs:
            log = KernelLog()
            error = self.load(**parameters)
            expect('Invalid' in error, f'{parameters}: {error!r}')
            expect_equal(reasons(log), [why], parameters)

    @contextlib.contextmanager
    def loaded(self, **parameters):
        """A Place, while the driver is loaded."""
        expect_equal(self.load(**parameters), '', parameters)
        here = Place()
        try:
            yield here
        finally:
            here.close()
            self.unload()


@contextlib.contextmanager
def asleep(device):
    """A context in which a device on the platform or PCI bus sleeps, as in a suspended system, but
    the programs go on."""
    sleeper = TestDriver('macstats_test_sleep')
    expect_equal(sleeper.load(name=device), '', f'insmod, to put {device} to sleep')
    try:
        yield
    finally:
        sleeper.unload()


def reasons(log):
    """Why the provider rejected a config, by the lines of a KernelLog."""
    return [line.split('no statistics: ')[1] for line in log.lines() if 'no statistics' in line]
