# SPDX-License-Identifier: GPL-2.0
"""Allocations of this thread that fail on demand, on a kernel that injects failures."""

import os
import pathlib

DEBUG = pathlib.Path('/sys/kernel/debug')
FAIL_NTH = pathlib.Path('/proc/thread-self/fail-nth')
NEVER = 1 << 20  # more allocations than any call has
# The kernel reports each failure of this function with a stack, which tests reject. The modules
# get to it only behind another allocation that failed. Its second name is that before 6.10.
NEVER_FAILS = '__vmalloc_node_range_noprof', '__vmalloc_node_range'

# Not the pages of a process: their failure is repeated, or is an EFAULT.
SETTINGS = {
    'failslab': {'ignore-gfp-wait': 'N', 'cache-filter': 'N', 'verbose': '0'},
    'fail_page_alloc': {'ignore-gfp-wait': 'N', 'ignore-gfp-highmem': 'Y', 'min-order': '0',
                        'verbose': '0'},
}


def can_inject():
    return FAIL_NTH.exists() and all((DEBUG / name / 'reject-start').exists() for name in SETTINGS)


def address_range(*names):
    """Of the kernel's function with one of these names: its start, and that of the next one."""
    addresses = {}
    for line in pathlib.Path('/proc/kallsyms').read_text().splitlines():
        address, _, name, *module = line.split()
        if not module:
            addresses[name] = int(address, 16)
    start = next(addresses[name] for name in names if name in addresses)
    return start, min(address for address in addresses.values() if address > start)


def prepare_injection():
    """Any allocation may fail except those of NEVER_FAILS, and the kernel log has no stack of
    it."""
    start, end = address_range(*NEVER_FAILS)
    reject = {'reject-start': f'{start:#x}', 'reject-end': f'{end:#x}', 'stacktrace-depth': '32'}
    for folder, values in SETTINGS.items():
        for name, value in (values | reject).items():
            (DEBUG / folder / name).write_text(value)


class Injection:
    """The allocation with a number, from 1, fails in `with`; `allocations` are those of the
    `with`, and up to the one that failed."""

    def __init__(self, number):
        self.number, self.allocations = number, 0

    def __enter__(self):
        self.fd = os.open(FAIL_NTH, os.O_RDWR | os.O_CLOEXEC)
        os.pwrite(self.fd, str(self.number).encode(), 0)
        return self

    def __exit__(self, *_):
        self.allocations = self.number - int(os.pread(self.fd, 16, 0))
        os.pwrite(self.fd, b'0', 0)
        os.close(self.fd)

    @property
    def happened(self):
        return self.allocations == self.number
