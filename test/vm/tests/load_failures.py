#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each of the last allocations with which a module is loaded fails once, which are those of its
start: loading reports the error and leaves nothing, and the next load works. Skipped if the
kernel cannot inject failures; Debian's kernels cannot."""

import collections
import errno
import struct

import effort
import modules
from genl import (CTRL_CMD_GETFAMILY, CTRL_NAME, GENL_ID_CTRL, NETLINK_GENERIC, NLM_F_DUMP, Socket,
                  split)
from injection import NEVER, Injection, can_inject, prepare_injection
from ports import PLATFORM, with_place
from tap import case, expect, expect_equal, main, skip_all

DRIVER = PLATFORM / 'drivers/macstats_emu'
LAST = 1000 if effort.LONG else 100
# Of a module with a driver also EINVAL: the driver core had no memory for its folder.
NO_MEMORY = {'macstats': {errno.ENOMEM}, 'macstats_emu': {errno.ENOMEM, errno.EINVAL}}


def families():
    """Those of the modules that the kernel has. (A lookup by name would start modprobe.)"""
    socket = Socket(NETLINK_GENERIC)
    replies = socket.request(GENL_ID_CTRL, NLM_F_DUMP,
                             struct.pack('=BBH', CTRL_CMD_GETFAMILY, 2, 0))
    socket.close()
    found = {dict(split(reply[4:]))[CTRL_NAME].rstrip(b'\0').decode() for reply in replies}
    return [name for name, _ in modules.MODULES if name in found]


def present():
    """The modules, their families and their drivers that the kernel has, by module name."""
    return [[name for name, _ in modules.MODULES if modules.is_loaded(name)], families(),
            ['macstats_emu'] if DRIVER.exists() else []]


def expected(names):
    return [names, names, [name for name in names if name == 'macstats_emu']]


@with_place
def use(here):
    here.add('ixf1104', held=True).poll()


def load_with_failure(module, before, number):
    """Loads a module, whose allocation of this number fails. Returns what happened."""
    name, path = module
    image = path.read_bytes()  # outside: 9p, the guest's file system, survives no failure
    with Injection(number) as injection:
        try:
            modules.load_image(path, image)
            problem = None
        except OSError as error:
            problem = error
    what = f'{name}: allocation {number}'
    if problem:
        expect(injection.happened, f'{what}: {problem}, without a failed allocation')
        expect(problem.errno in NO_MEMORY[name], f'{what}: {problem}')
        expect_equal(present(), expected(before), f'{what}: {problem}')
    else:
        expect_equal(present(), expected([*before, name]), f'{what}: loaded')
    return injection, 'rejected' if problem else 'loaded'


def fail_each_of(module, before):
    """@before: the names of the modules that are loaded when this one is."""
    def load_before():
        modules.unload_modules()
        for name, path in modules.MODULES:
            if name in before:
                modules.load_image(path, path.read_bytes())

    verdicts, name = collections.Counter(), module[0]
    load_before()
    count = load_with_failure(module, before, NEVER)[0].allocations
    for number in range(max(1, count - LAST), count + 1):
        load_before()
        verdicts[load_with_failure(module, before, number)[1]] += 1
    print(f'# {name}: {count} allocations, of the last ones: {dict(verdicts)}')
    expect(verdicts['rejected'], f'{name}: no load was rejected')
    modules.unload_modules()
    modules.load_modules()
    use()


@case
def a_module_without_memory_for_its_start_leaves_nothing():
    before = []
    with modules.Impatience():
        for module in modules.MODULES:
            fail_each_of(module, before)
            before.append(module[0])


if not can_inject():
    skip_all('this kernel injects no failures of allocations')
prepare_injection()
main()
