# SPDX-License-Identifier: GPL-2.0
"""Lists of exceptions, each with its reason."""

from shell import Failure


def squeeze(text):
    """As people compare lines: any blanks are one."""
    return ' '.join(text.split())


def entries(text, name):
    """(lines, reason) of each entry in a list of this name: lines at the left margin, and the
    reason on indented ones behind them. Empty lines and lines with # end an entry."""
    lines, reason = [], []
    for line in [*text.splitlines(), '']:
        ends = not line.strip() or line.startswith('#')
        if not ends and line[0].isspace():
            reason.append(line.strip())
            continue
        if (ends and lines) or reason:
            if not lines or not reason:
                raise Failure(f'{name}: an entry needs a reason: {" ".join(lines + reason)}')
            yield lines, ' '.join(reason)
            lines, reason = [], []
        if not ends:
            lines.append(line)
