#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Sends real frames from an interface: every size class and destination, tagged frames
and pause frames. Prints the frames that it has sent.

    send_frames.py INTERFACE [COUNT]
"""

import socket
import sys

SOURCE = b'\x02' + bytes(5)
DESTINATIONS = {'unicast': b'\x02' + bytes(4) + b'\x01', 'multicast': b'\x01\x00\x5e\x01\x02\x03',
                'broadcast': b'\xff' * 6}
LENGTHS = (64, 100, 200, 400, 800, 1500, 9000)  # with the FCS, which the port adds
DATA, VLAN, PAUSE = b'\x88\xb5', b'\x81\x00\x00\x05\x88\xb5', b'\x88\x08\x00\x01'


def main():
    interface, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as packets:
        packets.bind((interface, 0))

        def send(destination, header, *lengths):
            for length in lengths:
                frame = (destination + SOURCE + header).ljust(length - 4, b'\0')
                for _ in range(count):
                    packets.send(frame)

        for name, destination in DESTINATIONS.items():
            send(destination, DATA, *LENGTHS)
            print(f'{name}: {count} frames of each of {", ".join(map(str, LENGTHS))} octets')
        send(DESTINATIONS['multicast'], VLAN, 1522)
        print(f'multicast with a VLAN tag: {count} frames of 1522 octets')
        send(bytes.fromhex('0180c2000001'), PAUSE, 64)
        print(f'pause: {count} frames of 64 octets')


main()
