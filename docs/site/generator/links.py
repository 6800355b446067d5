# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Links of pages: one to a file of the project becomes one to its page on the site."""

import posixpath
import re

FENCE = re.compile(r'^(```+|~~~+)', re.MULTILINE)
LINK = re.compile(r'(!?\[[^\]]*\])\(([^()\s]+)\)')
OUTSIDE = re.compile(r'[a-z]+:|#')


def outside_of_code(text):
    """[(is code, part)]: fenced blocks, and what is between them"""
    parts, fence = [[]], ''
    for line in text.splitlines(keepends=True):
        found = FENCE.match(line)
        if found and not fence:
            fence = found[1]
            parts.append([line])
        elif found and fence and found[1].startswith(fence):
            parts[-1].append(line)
            parts.append([])
            fence = ''
        else:
            parts[-1].append(line)
    return [(i % 2 == 1, ''.join(part)) for i, part in enumerate(parts)]


class Links:
    """Where the files of the project are on the site. @pages: {file: page}. Files that a link
    names and that are no page become sources: see @sources, {file: page}. @images: the same of
    images, {file: copy}"""

    def __init__(self, pages, exists):
        self.pages, self.exists = pages, exists
        self.sources, self.images = {}, {}

    def page_of(self, path, is_image):
        if path in self.pages:
            return self.pages[path]
        if self.pages.get(f'{path}/README.md'):
            return self.pages[f'{path}/README.md']
        if not self.exists(path):
            raise ValueError(f'no such file in the project: {path}')
        if is_image:
            return self.images.setdefault(path, f'images/{path}')
        return self.sources.setdefault(path, f'source/{path or "project"}.md')

    def moved(self, target, origin, page, is_image=False):
        """The target of a link in the file @origin, for its page."""
        if OUTSIDE.match(target):
            return target
        path, _, anchor = target.partition('#')
        start = '' if path.startswith('/') else posixpath.dirname(origin)
        path = posixpath.normpath(posixpath.join(start, path.lstrip('/')))
        there = posixpath.relpath(self.page_of(path, is_image), posixpath.dirname(page) or '.')
        return f'{there}#{anchor}' if anchor else there

    def rewrite(self, text, origin, page, only=lambda target: True):
        """A page in Markdown whose links lead to pages of the site."""
        def change(found):
            if not only(found[2]):
                return found[0]
            return f'{found[1]}({self.moved(found[2], origin, page, found[1][0] == "!")})'
        return ''.join(part if code else LINK.sub(change, part)
                       for code, part in outside_of_code(text))


def from_root(text, page, links):
    """A page that was written for the site: only its links that begin with a slash are to files
    of the project."""
    return links.rewrite(text, page, page, lambda target: target.startswith('/'))
