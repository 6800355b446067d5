#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Collects the pages of the site in a folder, from which Sphinx makes HTML: those of docs/site,
those of docs/, one for each MAC, the sources that pages link to, and the functions of the
provider by kernel-doc.

stage.py COMMAND KERNEL_DOC FOLDER: the macstats command, and the kernel's script kernel-doc
"""

import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import calculator  # noqa: E402
import doxygen_filter  # noqa: E402
import links  # noqa: E402
import mac_page  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
SITE = ROOT / 'docs/site'
# {file of the project: its page}; those of docs/site have their own places.
PAGES = {
    'docs/adding-a-mac.md': 'tutorials/add-a-mac.md',
    'docs/converting-a-driver.md': 'tutorials/convert-a-driver.md',
    'docs/testing-a-driver.md': 'tutorials/test-a-driver.md',
    'docs/driver-bench.md': 'tutorials/driver-bench.md',
    'examples/minimal/README.md': 'tutorials/minimal-driver.md',
    'docs/command.md': 'reference/command.md',
    'docs/features.md': 'reference/features.md',
    'docs/kernel-modules.md': 'reference/kernel-modules.md',
    'docs/scenarios.md': 'reference/scenarios.md',
    'docs/faults.md': 'reference/faults.md',
    'docs/security.md': 'reference/security.md',
    'docs/fidelity.md': 'reference/fidelity.md',
    'docs/library.md': 'reference/library.md',
    'docs/performance.md': 'reference/performance.md',
    'docs/prometheus/README.md': 'tutorials/fleet-with-prometheus.md',
    'CONTRIBUTING.md': 'contributing.md',
    'test/unit/README.md': 'reference/unit-tests.md',
    'test/scenario/README.md': 'reference/scenario-tests.md',
    'README.md': 'index.md',
}
LANGUAGES = {'.h': 'c', '.hpp': 'cpp', '.cpp': 'cpp', '.c': 'c', '.py': 'python', '.json': 'json',
             '.yaml': 'yaml', '.yml': 'yaml', '.md': 'markdown'}
# In the order of a driver's author.
PROVIDER = 'macstats.h', 'ports.c', 'life.c', 'poll.c', 'software.c', 'bus.c', 'ethtool.c'


def output_of(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')


def fenced(content, language):
    longest = max(map(len, re.findall('`+', content)), default=0)
    fence = '`' * max(longest + 1, 3)
    return f'{fence}{language}\n{content.rstrip()}\n{fence}\n'


def source_page(path):
    """The page of a file, or of a folder, which lists its files."""
    head = f'---\norphan: true\nnosearch: true\n---\n# `{path or "."}`\n\n'
    if (ROOT / path).is_dir():
        listed = output_of('git', '-C', ROOT, 'ls-files', path or '.').splitlines() \
            if shutil.which('git') else []
        names = listed or sorted(str(each.relative_to(ROOT)) for each in (ROOT / path).rglob('*'))
        return head + fenced('\n'.join(names), 'text')
    return head + fenced((ROOT / path).read_text(encoding='utf-8'),
                         LANGUAGES.get(pathlib.Path(path).suffix, 'text'))


def provider_page(kernel_doc):
    """The functions of the provider by kernel-doc, as reStructuredText."""
    title = 'The provider'
    parts = [f'{title}\n{"=" * len(title)}\n', (SITE / 'reference/provider.txt').read_text()]
    for name in PROVIDER:
        text = output_of('perl', kernel_doc, '-rst', '-sphinx-version', '5.3.0',
                         ROOT / 'kmod/provider' / name)
        if text.strip():
            heading = 'Types' if name.endswith('.h') else f'``{name}``'
            parts.append(f'{heading}\n{"-" * len(heading)}\n\n{text}')
    return '\n'.join(parts)


def api_pages():
    """{page: text} of each folder of the library's headers, and of their list"""
    pages, names = {}, []
    for folder in sorted(path for path in doxygen_filter.FOLDER.iterdir() if path.is_dir()):
        title = f'libmacstats/{folder.name}'
        parts = [f'{title}\n{"=" * len(title)}\n']
        for path in sorted(folder.glob('*.hpp')):
            parts.append(f'{path.name}\n{"-" * len(path.name)}\n\n{opening_of(path)}\n\n'
                         f'{contents_of(path)}')
        pages[f'reference/cpp-api/{folder.name}.rst'] = '\n'.join(parts)
        names.append(f'   cpp-api/{folder.name}\n')
    pages['reference/cpp-api.rst'] = (SITE / 'reference/cpp-api.txt').read_text() + ''.join(names)
    return pages


def contents_of(path):
    """Directives for the declarations of a header, or for its macros if it has only these."""
    text = path.read_text(encoding='utf-8')
    if doxygen_filter.BEGIN in text.splitlines():
        return f'.. doxygengroup:: {doxygen_filter.group_of(path)}\n   :content-only:\n   :members:\n' \
            '   :undoc-members:\n'
    return ''.join(f'.. doxygendefine:: {name}\n'
                   for name in re.findall(r'^///.*\n#define (\w+)', text, re.MULTILINE))


def opening_of(path):
    """The comment at the start of a header, behind its licence, as reStructuredText."""
    lines = path.read_text(encoding='utf-8').splitlines()[1:]
    comment = itertools.takewhile(lambda line: line.startswith('//'), lines)
    return re.sub('`([^`]+)`', r'``\1``', '\n'.join(line[2:].strip() for line in comment))


def drivers_page(models):
    """The page that finds the MAC of a driver, and what is wrong with the driver."""
    known = json.loads((ROOT / 'docs/drivers/defects.json').read_text(encoding='utf-8'))
    rows = []
    described = {}
    for model in models:
        for driver in model['drivers']:
            described.setdefault(driver, []).append(f'[`{model["name"]}`]({model["name"]}.md)')
    for driver in sorted({*described, *(each['driver'] for each in known['defects'])}):
        defects = [f'{mac_page.text(each["defect"])} (`{each["source"]}`)'
                   for each in known['defects'] if each['driver'] == driver]
        rows.append([f'`{driver}`', ', '.join(described.get(driver, [])),
                     ' '.join(defects) or 'None recorded.'])
    page = (SITE / 'macs/drivers.md').read_text(encoding='utf-8')
    return page.replace('@KERNEL@', known['kernel']).replace('@TABLE@', mac_page.table(
        ['Driver', 'MAC', 'Defects of its statistics'], rows))


def header_of(name):
    """The text of the header that describes a MAC, or its family."""
    models = (ROOT / 'shared/macstats/model').glob('*.h')
    texts = (path.read_text(encoding='utf-8') for path in models)
    return next(text for text in texts if f'struct macstats_model {name}_model = ' in text)


def mac_pages(command):
    """{page: text} of each MAC, the table of all of them, and that of their drivers"""
    models = json.loads(output_of(command, 'models', '--json'))
    module = calculator.module()
    fidelity = (ROOT / 'docs/fidelity.md').read_text(encoding='utf-8')
    pages, rows = {}, []
    for model in models:
        name = model['name']
        page = mac_page.Page(model, output_of(command, 'model', name), header_of(name),
                             mac_page.open_points(fidelity, name), module)
        pages[f'macs/{name}.md'] = page.markdown()
        rows.append([f'[`{name}`]({name}.md)', mac_page.text(model['title']), str(model['ports']),
                     str(len(model['counters'])), mac_page.text(model['datasheet'])])
    index = (SITE / 'macs/index.md').read_text(encoding='utf-8')
    pages['macs/index.md'] = index.replace('@TABLE@', mac_page.table(
        ['MAC', 'Title', 'Ports', 'Counters', 'Datasheet'], rows)).replace(
            '@NAMES@', '\n'.join(model['name'] for model in models))
    pages['macs/drivers.md'] = drivers_page(models)
    return pages


def stage(command, kernel_doc, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SITE, folder, ignore=shutil.ignore_patterns(
        'generator', 'calculator', '*.txt', 'Doxyfile.in', '__pycache__'))
    moved = links.Links(PAGES, lambda path: (ROOT / path).exists())
    for name, page in PAGES.items():
        if page != 'index.md':
            text = (ROOT / name).read_text(encoding='utf-8')
            write(folder / page, moved.rewrite(text, name, page))
    for path in SITE.rglob('*.md'):
        page = str(path.relative_to(SITE))
        # A link in a page of docs/site to a file of the project begins with a slash.
        text = links.from_root(path.read_text(encoding='utf-8'), page, moved)
        write(folder / page, text)
    for page, text in {**mac_pages(command), **api_pages(),
                       'reference/provider.rst': provider_page(kernel_doc)}.items():
        write(folder / page, links.from_root(text, page, moved) if page.endswith('.md') else text)
    for path, page in moved.sources.items():
        write(folder / page, source_page(path))
    for path, copy in moved.images.items():
        (folder / copy).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / copy)


if __name__ == '__main__':
    try:
        stage(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]))
    except calculator.MissingTools as missing:
        sys.exit(str(missing))
