#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The live page of an exporter in a guest, with ports of the kernel's modules and frames that net
devices send, in headless Chromium on the host: it shows what `macstats show` prints in the guest.

live_ports.py GUEST [OPTION...]: the command that starts a guest, without the words behind --
"""
import contextlib
import http.client
import json
import pathlib
import socket
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'fake_kernel'))

from browser import Browser  # noqa: E402
from fake_kernel import HANG_SECONDS, get, wait_for  # noqa: E402
from live_ports_guest import CONTROL, WEB  # noqa: E402
from live import NAMES, PROBLEMS, ROWS  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
GUEST = []


def free_ports(count):
    """Ports of loopback that nobody listens at."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(('127.0.0.1', 0))
        return [each.getsockname()[1] for each in sockets]


class Guest:
    """A guest with an exporter, whose ports `web` and `control` of this system lead to."""

    def __init__(self):
        self.web, self.control = free_ports(2)
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [*GUEST, '--forward', f'{self.web}:{WEB}', '--forward', f'{self.control}:{CONTROL}',
             '--', 'test/vm/with-modules', HERE / 'live_ports_guest.py'],
            stdin=subprocess.DEVNULL, cwd=HERE.parents[1])

    def ready(self):
        if self.process.poll() is not None:
            raise AssertionError(f'the guest ended with {self.process.returncode}')
        with contextlib.suppress(OSError, http.client.HTTPException):
            return get(('127.0.0.1', self.web), '/').status == 200
        return False

    def ask(self, path, words):
        connection = http.client.HTTPConnection('127.0.0.1', self.control, timeout=HANG_SECONDS)
        with contextlib.closing(connection):
            connection.request('POST', path, json.dumps(words))
            return json.loads(connection.getresponse().read())

    def macstats(self, *words):
        done = self.ask('/run', words)
        if done['status']:
            raise AssertionError(f'macstats {words}: {done}')
        return done['output']

    def end(self):
        """The exit code of the guest: that of its exporter, if the kernel's log is clean."""
        with contextlib.suppress(OSError):
            self.ask('/end', [])
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(HANG_SECONDS)
        self.process.terminate()
        return self.process.wait()


def setUpModule():
    RealPorts.guest = Guest()
    unittest.addModuleCleanup(RealPorts.guest.end)
    RealPorts.browser = Browser()
    unittest.addModuleCleanup(RealPorts.browser.close)
    wait_for(RealPorts.guest.ready, 'the page')


class RealPorts(unittest.TestCase):
    """mac0 and mac1 are linked models ll40g, and frames go from mac0 to mac1; mac2 is an e1000."""
    maxDiff = None
    guest = browser = None

    def setUp(self):
        self.browser.show(1400)
        self.browser.open(f'http://127.0.0.1:{self.guest.web}/')
        wait_for(lambda: self.names(), 'ports')
        # Also counters that are 0.
        self.browser.run('document.getElementById("zeros").click(); window.same = true')

    def tearDown(self):
        """In each test, the page is not loaded again, asks nobody else, and has no complaint."""
        self.assertTrue(self.browser.run('return window.same'))
        own = f'http://127.0.0.1:{self.guest.web}/'
        requests = list(self.browser.requests())
        self.assertTrue(all(each.startswith(own) for each in requests), requests)
        self.assertEqual(self.browser.complaints(), [])

    def names(self):
        return self.browser.run(NAMES)

    def rows(self, port):
        """{counter: (total, rate)}"""
        return {name: (total, rate) for name, total, rate in self.browser.run(ROWS, port)}

    def badge(self, port):
        return self.browser.run('''return [...document.querySelectorAll('.port')].filter(
            port => port.querySelector('.port-name').textContent === arguments[0]).map(
            port => port.querySelector('.badge').textContent)[0]''', port)

    def test_totals_and_rates_of_sent_frames_are_shown(self):
        counted = int(self.rows('mac1')['rx_ucast_data_ok'][0])
        sent = 0

        def has_rate():
            nonlocal sent
            self.guest.ask('/send', 50)
            sent += 50
            return self.rows('mac1')['rx_ucast_data_ok'][1] not in ('-', '0 frames/s')
        wait_for(has_rate, 'a rate')
        # The read of the hardware is a poll, which the page shows at its next request.
        shown = {port['port']: port['totals'] for port in
                 json.loads(self.guest.macstats('show', '--json'))}
        self.assertEqual(set(shown), {'mac0', 'mac1', 'mac2'})
        self.assertEqual(shown['mac1']['rx_ucast_data_ok'], counted + sent)
        for port, totals in shown.items():
            expected = {name: str(total) for name, total in totals.items()}
            with contextlib.suppress(AssertionError):  # the difference tells more
                wait_for(lambda port=port, expected=expected: expected == {
                    name: total for name, (total, _) in self.rows(port).items()}, port)
            self.assertEqual({name: total for name, (total, _) in self.rows(port).items()},
                             expected)

    def test_errors_come_first(self):
        self.guest.macstats('emu', 'inject', 'mac2', '--direction', 'rx', '--length', '100',
                            '--count', '7', '--errors', 'fcs')
        wait_for(lambda: self.rows('mac2')['rx_crc_errors'][0] == '7', 'errors')
        self.assertEqual(self.names()[0], 'mac2')
        self.assertEqual([row[:3] for row in self.browser.run(PROBLEMS)
                          if row[1] == 'rx_crc_errors'], [['mac2', 'rx_crc_errors', '7']])

    def test_a_port_whose_registers_fail_is_stale_until_they_answer(self):
        self.guest.macstats('emu', 'fault', 'mac1', 'bus_error')
        wait_for(lambda: 'the registers cannot be reached' in self.badge('mac1'), 'stale')
        self.assertEqual(self.browser.run(PROBLEMS)[0][0], 'mac1')
        self.guest.macstats('emu', 'fault', 'mac1', 'bus_error', '--off')
        wait_for(lambda: 'stale' not in self.badge('mac1'), 'a fresh port')

    def test_a_device_comes_and_goes(self):
        device = json.loads(self.guest.macstats('emu', 'add', 'cpsw', '--json'))
        wait_for(lambda: 'mac3' in self.names(), 'a new port')
        self.guest.macstats('emu', 'delete', str(device['id']))
        wait_for(lambda: 'mac3' not in self.names(), 'the end of a port')

    def test_other_hosts_are_rejected_behind_the_relay(self):
        place = '127.0.0.1', self.guest.web
        self.assertEqual(get(place, '/api/ports', Host='localhost').status, 200)
        self.assertEqual(get(place, '/api/ports', Host='evil.example').status, 403)


class ZEnd(unittest.TestCase):
    """Runs last."""

    def test_the_exporter_and_the_kernel_end_well(self):
        self.assertEqual(RealPorts.guest.end(), 0)


if __name__ == '__main__':
    GUEST += sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
