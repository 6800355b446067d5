#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Makes the pictures of README: a live page with traffic, the page of a run of scenarios, and a
terminal. The emulator counts the frames.

images.py FOLDER [--into FOLDER]: the folder of the programs with a fake kernel; docs/images gets the
pictures
"""
import argparse
import base64
import contextlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'test/fake_kernel'))

import terminal  # noqa: E402
from fake_kernel import FakeKernel, wait_for  # noqa: E402

SECONDS = 40
QUALITY = 85  # of WebP
# {port: (model, [(frames of each second, their kind)])}
PORTS = {
    'eth0': ('cpsw', [
        (lambda at: 9000 + 4000 * math.sin(at / 5), ('--direction', 'rx', '--length', '1000')),
        (lambda at: 700 + 300 * math.sin(at / 9), ('--direction', 'tx', '--length', '66')),
        (lambda at: 3, ('--direction', 'rx', '--kind', 'pause', '--destination', 'multicast')),
        (lambda at: 40 if at % 13 == 5 else 2, ('--direction', 'rx', '--errors', 'fcs'))]),
    'uplink0': ('ll40g', [
        (lambda at: 900000 + 300000 * math.sin(at / 4), ('--direction', 'rx', '--length', '1400')),
        (lambda at: 500000 + 200000 * math.cos(at / 7), ('--direction', 'tx', '--length', '900'))]),
    'eth1': ('ixf1104', [
        (lambda at: 100, ('--direction', 'rx', '--length', '512'))]),
}
STALE = {'eth1': (SECONDS - 10, 'the registers cannot be reached')}  # from that second on
SCENARIO = {
    'name': 'a pause frame is a multicast frame too', 'reference': 'SPRUH73H 14.3.2.20.1.3',
    'devices': {'mac': {'model': 'cpsw'}}, 'steps': [
        {'send': {'port': 'mac', 'direction': 'rx', 'kind': 'pause', 'destination': 'multicast',
                  'count': 3}},
        {'expect': {'port': 'mac', 'totals': {'Pause Rx Frames': 3, 'Multicast Rx Frames': 3,
                                              'rx_good_frames': 2}}}]}


class Traffic:
    """Counts the frames of PORTS, by what the emulator counts of one."""

    def __init__(self, kernel):
        self.kernel, self.sources = kernel, []
        for name, (model, sources) in PORTS.items():
            port = kernel.add(name, model)
            for frames, words in sources:
                counted = json.loads(kernel.output('count', model, *words, '--json'))
                self.sources.append((port, frames, {
                    each['name']: each['value'] for each in counted['models'][0]['counters']}))

    def second(self, at):
        for port, frames, counted in self.sources:
            begins, reason = STALE.get(port['name'], (SECONDS, ''))
            if at >= begins:
                port['stale_reason'] = reason
                continue
            for name, value in counted.items():
                port['totals'][name] = port['totals'].get(name, 0) + value * round(frames(at))
        self.kernel.poll()


def terminal_picture(folder):
    """SVG of `macstats show`."""
    with contextlib.closing(FakeKernel(folder)) as kernel:
        traffic = Traffic(kernel)
        for at in range(SECONDS):
            traffic.second(at)
        code, text, messages = terminal.run(
            [kernel.folder / 'fake-macstats-cli', 'show', '--nonzero'],
            {'MACSTATS_FAKE_KERNEL': str(kernel.file), 'LANG': 'C.UTF-8', 'TERM': 'xterm'})
    if code:
        raise AssertionError(messages)
    return terminal.picture(f'$ macstats show --nonzero\n{text}')


def save(browser, file):
    shot = browser.driver.execute_cdp_cmd('Page.captureScreenshot',
                                          {'format': 'webp', 'quality': QUALITY})
    file.write_bytes(base64.b64decode(shot['data']))


def live_picture(browser, folder, file):
    with contextlib.closing(FakeKernel(folder)) as kernel:
        traffic = Traffic(kernel)
        with kernel.exporter() as (host, port):
            browser.open(f'http://{host}:{port}/')
            for at in range(SECONDS):
                traffic.second(at)
                browser.run('document.getElementById("pause").click();'
                            'document.getElementById("pause").click()')
                wait_for(lambda: browser.run('return document.getElementById("state").textContent')
                         == 'live', 'the page')
            save(browser, file)


def report_picture(browser, folder, file):
    command = (folder / 'fake-macstats-cli').resolve()
    with tempfile.TemporaryDirectory() as place:
        scenario, page = pathlib.Path(place, 'pause.json'), pathlib.Path(place, 'report.html')
        scenario.write_text(json.dumps(SCENARIO), encoding='utf-8')
        subprocess.run([command, 'run', scenario.name, ROOT / 'test/scenario/cpsw', '--report', page],
                       check=False, cwd=place, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        browser.open(page.as_uri())
        save(browser, file)


def main():
    from browser import Browser  # the terminal needs none

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--into', type=pathlib.Path, default=ROOT / 'docs/images')
    given = parser.parse_args()
    given.into.mkdir(parents=True, exist_ok=True)
    (given.into / 'show.svg').write_text(terminal_picture(given.folder), encoding='utf-8')
    with contextlib.closing(Browser()) as browser:
        browser.show(1000, motion='reduce')
        browser.driver.execute_cdp_cmd('Emulation.setScrollbarsHidden', {'hidden': True})
        live_picture(browser, given.folder, given.into / 'live.webp')
        report_picture(browser, given.folder, given.into / 'report.webp')


if __name__ == '__main__':
    main()
