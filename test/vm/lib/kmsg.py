# SPDX-License-Identifier: GPL-2.0
"""The log of the kernel that this process runs on."""

import os

DEBUG = 7


class KernelLog:
    """The lines from now on, of the levels up to @last."""

    def __init__(self, last=DEBUG):
        self.last = last
        self.fd = os.open('/dev/kmsg', os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        os.lseek(self.fd, 0, os.SEEK_END)

    def __del__(self):
        os.close(self.fd)

    def lines(self):
        found = []
        while True:
            try:
                record = os.read(self.fd, 8192).decode(errors='replace')
            except BlockingIOError:
                return found
            except BrokenPipeError:  # records were overwritten before they were read
                continue
            head, line = record.split('\n')[0].split(';', 1)
            if int(head.split(',')[0]) % 8 <= self.last:
                found.append(line)
