# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The forms of a MAC's page, with inputs for what its model has, and the module that they need."""

import base64
import functools
import gzip
import html
import operator
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).parent
MODULE = ROOT / 'docs/site/calculator'
# In the order of enum macstats_option
OPTION = re.compile(r'MACSTATS_OPT_(\w+)\s*= 1 << (\d+),')
# Options that change what frames count, beside those that leave counters out: {name: (title, {word:
# enumerator})}; other words are 0
OPTIONS = {
    'duplex': ('Duplex', {'half': 'HALF_DUPLEX'}),
    'speed': ('Speed, Mb/s', {'10': '10M', '100': '100M'}),
    'medium': ('Medium', {'fiber': 'FIBER'}),
    'vlan_detection': ('VLAN detection', {'on': 'VLAN_DETECTION'}),
    'variant': ('Variant', {'on': 'VARIANT'}),
    'revision': ('Revision', {}),
}
# Members of a model with the bits of registers that change what frames count
KNOBS = ('max_frame_rx', 'max_frame_tx', 'any_length_tx', 'max_frame_switch', 'max_frame_enable',
         'flow_control', 'retry_limit')


class MissingTools(Exception):
    pass


def module():
    """The emulator as WebAssembly, in gzip and base64."""
    missing = [name for name in ('clang', 'wasm-ld') if not shutil.which(name)]
    if missing:
        raise MissingTools(f'the site needs {" and ".join(missing)}: install the packages clang and lld')
    made = subprocess.run([
        'clang', '--target=wasm32', '-std=c11', '-ffreestanding', '-nostdlib', '-Oz',
        '-mbulk-memory', '-Wall', '-Wextra', '-Wpedantic', '-Werror', f'-I{MODULE}/include',
        f'-I{ROOT}/shared', '-idirafter', '/usr/include', '-Wl,--no-entry,--gc-sections,--strip-all',
        '-o', '/dev/stdout', MODULE / 'mac.c'], check=True, stdout=subprocess.PIPE).stdout
    return base64.b64encode(gzip.compress(made, mtime=0)).decode()


def option_bits():
    """{enumerator: bit} of enum macstats_option"""
    schema = (ROOT / 'shared/macstats/schema.h').read_text(encoding='utf-8')
    return {name: 1 << int(shift) for name, shift in OPTION.findall(schema)}


def label(words, inner, title='', after=''):
    attributes = f' title="{html.escape(title)}"' if title else ''
    if after:
        return f'<label class="check"{attributes}>{inner} {html.escape(words)}</label>'
    return f'<label{attributes}>{html.escape(words)} {inner}</label>'


def option(name, words, variant):
    """A select whose values are bits, and whose name has the mask of all of them."""
    title, enumerators = OPTIONS[name]
    known = option_bits()
    values = {word: known[enumerators[word]] if word in enumerators else 0 for word in words}
    if name == 'revision':
        values = {word: known[f'REVISION_{i + 1}'] if i else 0 for i, word in enumerate(words)}
    if name == 'speed':
        values[words[0]] = 0  # the line rate
    mask = functools.reduce(operator.or_, values.values())
    items = ''.join(f'<option value="{value}">{html.escape(word)}</option>'
                    for word, value in values.items())
    return label(title, f'<select name="option:{mask}">{items}</select>',
                 variant if name == 'variant' else '')


def knob(model, bit):
    """An input for bits of a register."""
    register = next(each for each in model['registers'] if each['offset'] == bit['offset'])
    mask = bit['mask']
    lsb = (mask & -mask).bit_length() - 1
    field = next((each for each in register['fields'] if each['lsb'] == lsb), None)
    words = f'{register["name"]}.{field["name"]}' if field else register['name']
    value = (register['reset'] & mask) >> lsb
    name = f'name="register:{bit["offset"]}:{mask}"'
    title = (field or register)['description']
    if mask >> lsb == 1:
        return label(words, f'<input {name} type="checkbox"{" checked" * value}>', title, 'check')
    return label(words, f'<input {name} type="number" min="0" max="{mask >> lsb}" value="{value}" '
                        'required>', title)


def settings(model):
    """Inputs for the options of a device, and for bits of its registers, that frames depend on"""
    bits = [*model['settings'], *(model[each] for each in KNOBS),
            *(field['copy'] for field in model['tx_status'])]
    writable = {each['offset'] for each in model['registers'] if each['access'] != 'ro'}
    found = {(bit['offset'], bit['mask']): bit for bit in bits if bit and bit['offset'] in writable}
    inputs = [option(name, words, model['variant']) for name, words in model['option_values'].items()
              if name in OPTIONS and len(words) > 1]
    inputs += [knob(model, bit) for bit in found.values()]
    return '<fieldset class="setup"><legend>Settings of the device</legend><div class="fields">' \
        f'{"".join(inputs)}</div></fieldset>' if inputs else ''


def places(model):
    """Options for each word on the bus that has a name"""
    step = max(model['bus_bits'] // model['address_unit_bits'], 1)
    words = {register['offset']: [register['name']] for register in model['registers']}
    for counter in model['counters']:
        if counter['offset'] is None:
            continue
        count = -(-(counter['bits'] + counter.get('lsb', 0)) // model['bus_bits'])
        for i in range(count):
            place = f' ({i + 1} of {count})' if count > 1 else ''
            words.setdefault(counter['offset'] + i * step, []).append(counter['name'] + place)
    return ''.join(f'<option value="{at}">{at:#x} {html.escape(", ".join(names))}</option>'
                   for at, names in sorted(words.items()))


def without_unused(page, model):
    """The lines of a page but those about descriptors that the model lacks"""
    bits = model['descriptor'] or {}
    lacks = [name for name, has in (('descriptors', bits), ('append_crc', bits.get('append_crc')),
                                    ('huge', bits.get('huge'))) if not has]
    return '\n'.join(line for line in page.splitlines()
                     if not any(f'name="{name}"' in line for name in lacks))


def filled(template, **values):
    text = (HERE / template).read_text(encoding='utf-8')
    for name, value in values.items():
        text = text.replace(f'@{name.upper()}@', value)
    return text


def form(model):
    """The calculator: what a frame counts on a new device"""
    page = filled('calculator.html', model=html.escape(model['name']), settings=settings(model))
    return without_unused(page, model)


def device(model, packed):
    """The device that keeps its state, and the scripts of both forms. @packed: of module()"""
    return '\n'.join([
        filled('device.html', model=html.escape(model['name']), places=places(model)).rstrip('\n'),
        f'<script type="text/plain" id="macstats-mac">{packed}</script>',
        '<script src="../_static/mac.js"></script>',
        '<script src="../_static/calculator.js"></script>'])
