#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The cost of the converted driver e1000 beside the one of the kernel's tree, in instructions: of a
frame that is sent and received, and of a fresh read of ethtool -S. For a guest with NICs whose clock
counts instructions, as `./dev bench hardware` starts it. Prints one line of JSON, {name:
instructions}, behind `costs: `.
"""

import contextlib
import errno
import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'vm/lib'))

import nics  # noqa: E402
from netdev import EthtoolReader, Links, packet_socket  # noqa: E402

OCTETS, FRAMES, READS, ROUNDS = 100, 200, 20, 10


def instructions(function, times):
    """Of one call, in the best of all rounds: one instruction takes a nanosecond."""
    def measured():
        started = time.perf_counter_ns()
        for _ in range(times):
            function()
        return (time.perf_counter_ns() - started) / times
    measured()
    return min(measured() for _ in range(ROUNDS))


def costs(driver):
    """(a frame, a read)"""
    with driver.loaded() as (first, second), contextlib.closing(Links()) as links, \
            contextlib.closing(packet_socket_of(first, second)) as packets:
        frame = (second.mac + first.mac + b'\x88\xb5').ljust(OCTETS, b'\0')

        def send():
            while True:
                try:
                    return packets.send(frame)
                except OSError as error:
                    if error.errno != errno.ENOBUFS:
                        raise
                    time.sleep(0.0001)

        reader = EthtoolReader(links, first.name)
        return instructions(send, FRAMES), instructions(reader.read, READS)


def packet_socket_of(first, second):
    nics.bring_up(first, second)
    time.sleep(1)       # the watchdog of the driver has run
    return packet_socket(first.name)


def main():
    found = {}
    for title, driver in (('', nics.Driver()), (', converted', nics.Driver(converted=True))):
        frame, read = costs(driver)
        found |= {f'frame of e1000{title}': frame, f'read of e1000{title}': read}
    print('costs:', json.dumps(found), flush=True)


main()
