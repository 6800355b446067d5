#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The guest of live_ports.py: emulated ports of the kernel's modules, an exporter on loopback, and
a relay that leads to it from the network, as `ssh -L` does. A second server does what the test
asks for."""

import contextlib
import http.server
import json
import os
import pathlib
import signal
import socket
import socketserver
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'vm/lib'))

from cli import MACSTATS, run  # noqa: E402
from netdev import packet_socket  # noqa: E402
from ports import Place  # noqa: E402
from tap import wait_for  # noqa: E402

# The network of QEMU; see --forward of test/vm/guest.
ADDRESS, WEB, CONTROL = '10.0.2.15', 9797, 8000
FRAME = bytes.fromhex('02000000000102000000000288b5') + bytes(86)  # 100 octets without FCS


def network():
    subprocess.run(['modprobe', 'virtio_net'], check=False)
    name, = wait_for(lambda: [link.parents[1].name for link in
                              pathlib.Path('/sys/class/net').glob('*/device/driver')
                              if link.resolve().name == 'virtio_net'], 'the network')
    for words in (['address', 'add', f'{ADDRESS}/24', 'dev', name], ['link', 'set', name, 'up']):
        subprocess.run(['ip', *words], check=True)


class Relay(socketserver.BaseRequestHandler):
    """Connects a client with the exporter."""

    def handle(self):
        with socket.create_connection(('127.0.0.1', WEB)) as exporter:
            back = threading.Thread(target=self.copy, args=(exporter, self.request), daemon=True)
            back.start()
            self.copy(self.request, exporter)
            back.join()

    @staticmethod
    def copy(source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)


class Servers(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


def control(sender, ended):
    """The server for the test: the body of a request for /send is a number of frames, which it
    sends, and that for /run are words for macstats; /end ends this program."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            words = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
            answer = {}
            if self.path == '/send':
                for _ in range(words):
                    sender.send(FRAME)
            elif self.path == '/run':
                done = run(MACSTATS, *words)
                answer = {'status': done.returncode, 'output': done.stdout, 'errors': done.stderr}
            else:
                ended.set()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_):  # pylint: disable=arguments-differ
            pass
    return Servers((ADDRESS, CONTROL), Handler)


def main():
    network()
    # Ports send only what the test asks for.
    pathlib.Path('/proc/sys/net/ipv6/conf/default/disable_ipv6').write_text('1')
    place = Place()
    first, second = place.pair(model='ll40g', quiet=False)
    third = place.add('e1000', quiet=False)
    print(f'# {first.name} and {second.name} are linked, {third.name} is alone', flush=True)
    ended = threading.Event()
    with subprocess.Popen([MACSTATS, 'export', '--listen', f'127.0.0.1:{WEB}'],
                          stdin=subprocess.DEVNULL) as exporter, \
            packet_socket(first.name) as sender, Servers((ADDRESS, WEB), Relay) as relay, \
            control(sender, ended) as other:
        for server in (relay, other):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        ended.wait()
        exporter.send_signal(signal.SIGTERM)
    return exporter.returncode


if __name__ == '__main__':
    os.environ['LANG'] = 'C.UTF-8'
    sys.exit(main())
