# SPDX-License-Identifier: GPL-2.0
"""The programs of test/fake_kernel, and the file that is their kernel."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time

SECOND = 10 ** 9
HANG_SECONDS = 300  # Nothing that a test waits for takes so long, also on a loaded machine.


class FakeKernel:
    """@folder: that of the programs. The kernel has no ports at first."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.temporary = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.temporary.name) / 'kernel.json'
        self.environment = os.environ | {'MACSTATS_FAKE_KERNEL': str(self.file),
                                         'LANG': 'C.UTF-8'}
        self.time_ns = 1000 * SECOND
        self.ports = []
        self.write()

    def close(self):
        self.temporary.cleanup()

    def add(self, name, model='cpsw', **members):
        self.ports.append({'ifindex': 5 + len(self.ports), 'name': name, 'model': model,
                           'time_ns': self.time_ns, 'generation': 1, 'totals': {}, **members})
        self.write()
        return self.ports[-1]

    def poll(self, seconds=1, **members):
        """As if the provider had polled all ports again, after so many seconds. Those that are stale
        keep what they have."""
        self.time_ns += seconds * SECOND
        for port in self.ports:
            if 'stale_reason' not in port:
                port['time_ns'] = self.time_ns
                port['generation'] += 1
        self.write(**members)

    def write(self, **members):
        """A reader sees this file or the one before."""
        new = self.file.with_suffix('.new')
        new.write_text(json.dumps({'ports': self.ports, **members}), encoding='utf-8')
        new.rename(self.file)

    def unload(self):
        """As if the module were not loaded. write() loads it."""
        self.file.unlink()

    def output(self, *words):
        return subprocess.run([self.folder / 'fake-macstats-cli', *words], env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                              check=True, timeout=HANG_SECONDS).stdout

    def rejects(self, *words):
        """An exporter that ends at once: its status, and what it reports."""
        done = subprocess.run([self.folder / 'fake-macstats-exporter', *words],
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=HANG_SECONDS)
        return done.returncode, done.stderr

    @contextlib.contextmanager
    def exporter(self, *words, listen='127.0.0.1:0'):
        """Runs an exporter; yields where it serves: (host, port)."""
        with subprocess.Popen([self.folder / 'fake-macstats-exporter', '--listen', listen, *words],
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            try:
                line = process.stderr.readline()
                place = re.search(r'serving http://(\S+):(\d+)/metrics', line)
                if not place:
                    raise AssertionError(f'the exporter reports: {line}')
                yield place[1].strip('[]'), int(place[2])
            finally:
                process.terminate()


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.text = response.read().decode()

    def json(self):
        return json.loads(self.text)


def get(place, path, method='GET', **headers):
    connection = http.client.HTTPConnection(*place, timeout=HANG_SECONDS)
    with contextlib.closing(connection):
        connection.request(method, path, headers=headers)
        return Answer(connection.getresponse())


def raw_status(place, *lines):
    """The status of the answer to a request of these lines."""
    with socket.create_connection(place, HANG_SECONDS) as client:
        client.sendall('\r\n'.join([*lines, 'Connection: close', '', '']).encode())
        return int(client.makefile('rb').readline().split()[1])


def wait_for(condition, what):
    end = time.monotonic() + HANG_SECONDS
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f'not within {HANG_SECONDS} s: {what}')
        time.sleep(0.1)
    return found
