# SPDX-License-Identifier: GPL-2.0
"""Loads the kernel modules as with-modules does, and unloads them."""

import ctypes
import os
import pathlib
import subprocess

import tap

KMOD_DIR = pathlib.Path(os.environ.get('KMOD_DIR', '.'))
MODULES = ('macstats', KMOD_DIR / 'kmod/provider/macstats.ko'), \
    ('macstats_emu', KMOD_DIR / 'kmod/emulator/macstats_emu.ko')

_libc = ctypes.CDLL(None, use_errno=True)


def parameters(module):
    """The parameters with which with-modules loads a module of this file name."""
    usual = os.environ.get('MACSTATS_PARAMETERS', '')
    return usual.split() if pathlib.Path(module).name == 'macstats.ko' else []


def insmod(module, *more):
    subprocess.run(['insmod', module, *parameters(module), *more], check=True)


def _system_call(function, *args):
    if function(*args) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def is_loaded(module):
    return pathlib.Path('/sys/module', module).exists()


def load_image(path, image):
    """Loads a module, whose file has this content."""
    _system_call(_libc.init_module, image, len(image), ' '.join(parameters(path)).encode())


def load_modules():
    for name, path in MODULES:
        if not is_loaded(name):
            load_image(path, path.read_bytes())


def load_emulator_of_tests():
    """The emulator with the models that only tests know, in place of the loaded one; unless it was
    built, the program ends here."""
    folder = os.environ.get('KMOD_EXTRA_DIR')
    if not folder:
        tap.skip_all('no emulator with the models of test/models was built')
    subprocess.run(['rmmod', 'macstats_emu'], check=True)
    insmod(f'{folder}/kmod/models/macstats_emu.ko')


def unload_modules():
    for name, _ in reversed(MODULES):
        if is_loaded(name):
            _system_call(_libc.delete_module, name.encode(), os.O_NONBLOCK)


class Impatience:
    """While this lasts the kernel expedites its grace periods, so that hundreds of loads and
    unloads take seconds."""

    VALUES = {pathlib.Path('/sys/kernel/rcu_expedited'): '1',
              **{pathlib.Path(f'/sys/module/rcutree/parameters/jiffies_till_{which}_fqs'): '0'
                 for which in ('first', 'next')}}

    def __enter__(self):
        self.before = {path: path.read_text() for path in self.VALUES if path.exists()}
        for path in self.before:
            path.write_text(self.VALUES[path])

    def __exit__(self, *_):
        for path, value in self.before.items():
            path.write_text(value)
