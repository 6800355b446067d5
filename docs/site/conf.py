# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The site, by Sphinx. `./dev docs` stages this folder with the other pages and runs it."""

import base64
import hashlib
import pathlib
import re
import shutil

project = 'macstats'
author = 'the macstats authors'
html_title = 'macstats'
extensions = ['myst_parser', 'breathe']
source_suffix = {'.md': 'markdown', '.rst': 'restructuredtext'}
exclude_patterns = ['_static']
templates_path = []
nitpicky = False  # kernel-doc and Doxygen name types of the kernel and of the standard library

myst_enable_extensions = ['colon_fence', 'deflist']
myst_heading_anchors = 4

html_theme = 'furo'
html_static_path = ['_static']
html_css_files = ['site.css']
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
# Text has a contrast of at least 4.5 on each background of the theme.
html_theme_options = {
    'light_css_variables': {
        'color-foreground-muted': '#55575f',
        'color-foreground-secondary': '#4a4c52',
        'color-link': '#0a4ebd',
        'color-brand-primary': '#0a4ebd',
        'color-brand-content': '#0a4ebd',
        'color-rejected': '#a3142a',
        'color-bits-rw': '#dceafc',
        'color-bits-ro': '#eceef1',
        'color-bits-command': '#fdeccb',
    },
    'dark_css_variables': {
        'color-foreground-muted': '#a3a7b3',
        'color-foreground-secondary': '#b6bac4',
        'color-link': '#8cb8ff',
        'color-brand-primary': '#8cb8ff',
        'color-brand-content': '#8cb8ff',
        'color-rejected': '#ff9a9a',
        'color-bits-rw': '#17345c',
        'color-bits-ro': '#2a2c31',
        'color-bits-command': '#4d3810',
    },
}
# Both have a contrast of at least 4.5 on the theme's background.
pygments_style = 'default'
pygments_dark_style = 'github-dark'
highlight_language = 'none'

breathe_projects = {'macstats': str(pathlib.Path(__file__).parent.parent / 'doxygen/xml')}
breathe_default_project = 'macstats'
breathe_domain_by_extension = {'hpp': 'cpp'}
cpp_index_common_prefix = ['macstats::']

NORMALIZE = '/javascript/normalize.css/normalize.css'


DARK = re.compile(r'body\[data-theme="dark"\] (\{.*?\})', re.DOTALL)


def make_self_contained(app, exception):
    """Debian's furo expects a web server that has a style sheet of another package, loads its
    script as two modules, which no browser does from files, and has lost the rule that follows
    the dark scheme of the system."""
    if exception or app.builder.format != 'html':
        return
    static = pathlib.Path(app.outdir) / '_static'
    style = static / 'styles/furo.css'
    rules = style.read_text(encoding='utf-8')
    if NORMALIZE in rules:
        shutil.copyfile(f'/usr/share{NORMALIZE}', static / 'styles/normalize.css')
        rules = rules.replace(NORMALIZE, 'normalize.css')
    if 'prefers-color-scheme' not in rules:
        rules += '@media not print { @media (prefers-color-scheme: dark) ' \
            f'{{ body:not([data-theme="light"]) {DARK.search(rules)[1]} }} }}\n'
    style.write_text(rules, encoding='utf-8')
    script, module = static / 'scripts/furo.js', static / 'scripts/gumshoe-patched.js'
    statement = 'import Gumshoe from "./gumshoe-patched.js";'
    text = script.read_text(encoding='utf-8')
    if statement in text:
        defined = module.read_text(encoding='utf-8')
        script.write_text(f'(() => {{\n{defined}\n{text.replace(statement, "")}\n}})();\n',
                          encoding='utf-8')


# What a page may load and run: files of the site, for which browsers that open it from a disk need
# the word "file:", and the scripts that the theme has in its pages.
POLICY = "default-src 'none'; script-src 'self' file:{}; style-src 'self' file: 'unsafe-inline'; " \
    "img-src 'self' file: data:; font-src 'self' file:; connect-src 'self'; base-uri 'none'; " \
    "form-action 'self' file:"
INLINE = re.compile(r'<script>(.*?)</script>', re.DOTALL)
CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>', re.IGNORECASE)


def add_policy(app, exception):
    """Content-Security-Policy in each page; only that of a MAC may compile WebAssembly."""
    if exception or app.builder.format != 'html':
        return
    for path in pathlib.Path(app.outdir).rglob('*.html'):
        page = path.read_text(encoding='utf-8')
        digests = {hashlib.sha256(script.encode()).digest() for script in INLINE.findall(page)}
        words = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in sorted(digests)]
        if 'id="macstats-mac"' in page:
            words.append("'wasm-unsafe-eval'")
        policy = POLICY.format(''.join(f' {word}' for word in words))
        page, count = CHARSET.subn(
            lambda found: f'{found[0]}<meta http-equiv="Content-Security-Policy" '
            f'content="{policy}">', page, count=1)
        if not count:
            raise ValueError(f'{path}: no place for a policy')
        path.write_text(page, encoding='utf-8')


def setup(app):
    app.connect('build-finished', make_self_contained)
    app.connect('build-finished', add_policy)
