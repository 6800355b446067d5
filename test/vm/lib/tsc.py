# SPDX-License-Identifier: GPL-2.0
"""The frequency of the time stamp counter. An emulated guest shares the host's counter, and
measures it at its boot: on a loaded host that may be wrong by a factor of 20."""

import ctypes
import mmap
import platform
import time

# rdtsc; shl $32, %rdx; or %rdx, %rax; ret
CODE = bytes.fromhex('0f31 48c1e220 4809d0 c3')
SAMPLES, SECONDS = 100, 0.05


def _moment(read):
    """(nanoseconds, counter): of several pairs, the one that took the least time."""
    pairs = []
    for _ in range(SAMPLES):
        before, counter, after = time.monotonic_ns(), read(), time.monotonic_ns()
        pairs.append((after - before, (before + after) / 2, counter))
    return min(pairs)[1:]


def khz():
    """The frequency in kHz, or None where it cannot be measured."""
    if platform.machine() != 'x86_64':
        return None
    try:
        page = mmap.mmap(-1, mmap.PAGESIZE,
                         prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        return None
    page.write(CODE)
    read = ctypes.CFUNCTYPE(ctypes.c_uint64)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    began, first = _moment(read)
    time.sleep(SECONDS)
    ended, last = _moment(read)
    return round((last - first) / (ended - began) * 1e6)
