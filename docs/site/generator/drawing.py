# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Drawings of the bits of a register, as SVG with the colours of the page."""

import html

ROW_BITS = 16  # of a 32-bit register, the high half is above the low one
CELL, HEIGHT, TOP, GAP, MARGIN = 40, 104, 24, 16, 2
CHARACTER = 10.5  # of the font, on average
TALL = 8       # characters that fit beside each other when a name stands upright


def parts(register, bits):
    """[(msb, lsb, field or None)] from the highest bit on; None: reserved"""
    result, bit = [], bits - 1
    by_msb = {field['lsb'] + field['bits'] - 1: field for field in register['fields']}
    while bit >= 0:
        field = by_msb.get(bit)
        low = field['lsb'] if field else max([msb for msb in by_msb if msb < bit], default=-1) + 1
        result.append((bit, low, field))
        bit = low - 1
    return result


def rows(register, bits):
    """The parts of each row that has a field; a field may be in two rows."""
    found = []
    for low in range((bits - 1) // ROW_BITS * ROW_BITS, -1, -ROW_BITS):
        high = min(low + ROW_BITS, bits) - 1
        row = [(min(msb, high), max(lsb, low), field)
               for msb, lsb, field in parts(register, bits) if lsb <= high and msb >= low]
        if any(field for _, _, field in row):
            found.append((high, row))
    return found


def kind(field):
    if field is None:
        return 'reserved'
    return 'command' if field['singlepulse'] else field['access']


def label(field, x, y, width):
    """The name of a field: across, upright in a narrow one, or shortened."""
    name = field['name']
    centre, middle = x + width / 2, y + HEIGHT / 2
    if len(name) * CHARACTER <= width - 6:
        return f'<text x="{centre:g}" y="{middle:g}">{html.escape(name)}</text>'
    size = min(1, (HEIGHT - 8) / (len(name) * CHARACTER))
    style = f' style="font-size:{max(size, .6) * 100:.0f}%"' if size < 1 else ''
    return (f'<text x="{centre:g}" y="{middle:g}" transform="rotate(-90 {centre:g} {middle:g})">'
            f'<tspan{style}>{html.escape(name)}</tspan></text>')


def svg(register, bits):
    """The drawing of a register of so many bits."""
    shapes, y = [], TOP
    for high, row in rows(register, bits):
        for msb, lsb, field in row:
            x, width = MARGIN + (high - msb) * CELL, (msb - lsb + 1) * CELL
            shapes.append(f'<rect class="{kind(field)}" x="{x}" y="{y}" width="{width}" '
                          f'height="{HEIGHT}"><title>{title(msb, lsb, field)}</title></rect>')
            if field:
                shapes.append(label(field, x, y, width))
            for bit in {msb, lsb}:
                at = MARGIN + (high - bit) * CELL + CELL / 2
                shapes.append(f'<text class="bit" x="{at:g}" y="{y - 10}">{bit}</text>')
        y += HEIGHT + TOP + GAP
    names = ', '.join(f'{field["name"]} {span(field["lsb"] + field["bits"] - 1, field["lsb"])}'
                      for field in sorted(register['fields'], key=lambda each: -each['lsb']))
    width = ROW_BITS * CELL + 2 * MARGIN
    return (f'<svg class="register" role="img" viewBox="0 0 {width} {y - TOP - GAP + MARGIN}" '
            f'aria-label="Bits of {html.escape(register["name"])}: {html.escape(names)}">'
            f'{"".join(shapes)}</svg>')


def span(msb, lsb):
    return f'{lsb}' if msb == lsb else f'{msb}:{lsb}'


def title(msb, lsb, field):
    return html.escape(f'{span(msb, lsb)} {field["name"]}: {field["description"]}' if field else
                       f'{span(msb, lsb)} reserved')
