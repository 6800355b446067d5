#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Makes the pictures of docs/features.md: a live page with traffic, the page of a run of scenarios, and a
terminal. The emulator counts the frames.

images.py FOLDER [--into FOLDER]: the folder of the programs with a fake kernel; docs/images gets the
pictures
images.py FOLDER --check: whether those of pages in docs/images show the pages of now; unit.colours
looks at those of a terminal
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

IMAGES = ROOT / 'docs/images'
# Of the pixels: two runs differ by 0.0003, for the clock; a badge is 0.0022, a table 0.003.
MOST_DIFFERENT = 0.0015
# 1 if the sizes differ.
DIFFERENCE = """
const [one, other, done] = arguments;
async function pixels(picture) {
    const image = new Image();
    image.src = 'data:image/webp;base64,' + picture;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.getContext('2d').getImageData(0, 0, image.width, image.height);
}
(async () => {
    const [a, b] = [await pixels(one), await pixels(other)];
    if (a.width !== b.width || a.height !== b.height)
        return 1;
    let different = 0;
    for (let i = 0; i < a.data.length; i += 4)
        different += [0, 1, 2].some(c => Math.abs(a.data[i + c] - b.data[i + c]) > 64);
    return different * 4 / a.data.length;
})().then(done, error => done(String(error)));
"""
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


def on_terminal(kernel, *words, meanwhile=None):
    """The text of the command on a terminal."""
    code, text, messages = terminal.run(
        [kernel.folder / 'fake-macstats-cli', *words],
        {'MACSTATS_FAKE_KERNEL': str(kernel.file), 'LANG': 'C.UTF-8', 'TERM': 'xterm'}, meanwhile)
    if code:
        raise AssertionError(messages)
    return text


def show_picture(folder):
    """SVG of `macstats show`."""
    with contextlib.closing(FakeKernel(folder)) as kernel:
        traffic = Traffic(kernel)
        for at in range(SECONDS):
            traffic.second(at)
        text = on_terminal(kernel, 'show', '--nonzero')
    return terminal.picture(f'$ macstats show --nonzero\n{text}')


def second_screen(folder):
    """Of `macstats watch`, after a second of traffic."""
    with contextlib.closing(FakeKernel(folder)) as kernel:
        traffic = Traffic(kernel)
        for at in range(SECONDS - 1):
            traffic.second(at)
        screens = []

        def meanwhile(text):
            if not screens and b'? help' in text:
                screens.append(text)
                traffic.second(SECONDS - 1)
        return terminal.last_screen(
            on_terminal(kernel, 'watch', '--count', '2', meanwhile=meanwhile))


def watch_picture(folder):
    """SVG of `macstats watch` with rates."""
    for _ in range(5):
        screen = second_screen(folder)
        # On a loaded machine, the traffic may come too late for it.
        if 'frames/s' in screen:
            return terminal.picture(screen)
    raise AssertionError(screen)


DRAWN = {'show.svg': show_picture, 'watch.svg': watch_picture}


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


PAGES = {'live.webp': live_picture, 'report.webp': report_picture}


def draw(folder, into):
    for name, picture in DRAWN.items():
        (into / name).write_text(picture(folder), encoding='utf-8')


def photograph(browser, folder, into):
    browser.show(1000, motion='reduce')
    browser.driver.execute_cdp_cmd('Emulation.setScrollbarsHidden', {'hidden': True})
    for name, picture in PAGES.items():
        picture(browser, folder, into / name)


def difference(browser, one, other):
    """The share of pixels that differ clearly."""
    pictures = [base64.b64encode(file.read_bytes()).decode() for file in (one, other)]
    browser.open('about:blank')  # the pages allow no pictures
    share = browser.driver.execute_async_script(DIFFERENCE, *pictures)
    if isinstance(share, str):
        raise AssertionError(share)
    return share


def outdated(browser, folder):
    """A sentence for each picture of docs/images that does not show its page."""
    with tempfile.TemporaryDirectory() as place:
        new = pathlib.Path(place)
        photograph(browser, folder, new)
        for name in PAGES:
            share = difference(browser, new / name, IMAGES / name)
            if share > MOST_DIFFERENT:
                yield f'docs/images/{name}: {share:.2%} of its pixels differ from the page'


def main():
    from browser import Browser  # the terminal needs none

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', type=pathlib.Path)
    either = parser.add_mutually_exclusive_group()
    either.add_argument('--into', type=pathlib.Path, default=IMAGES)
    either.add_argument('--check', action='store_true')
    given = parser.parse_args()
    with contextlib.closing(Browser()) as browser:
        if not given.check:
            given.into.mkdir(parents=True, exist_ok=True)
            draw(given.folder, given.into)
            photograph(browser, given.folder, given.into)
            return 0
        problems = list(outdated(browser, given.folder))
    for each in problems:
        print(f'{each}; test/browser/images.py makes it', file=sys.stderr)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
