# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The rules of a model's rows in words, from the output of `macstats model NAME --json`."""

KINDS = {'data': 'data', 'pause': 'pause', 'pfc': 'PFC', 'control': 'other MAC control'}
ERRORS = {'fcs': 'FCS', 'alignment': 'alignment', 'code': 'code', 'payload_length': 'payload length',
          'late_collision': 'late collision', 'excessive_collisions': 'excessive collisions',
          'excessive_deferral': 'excessive deferral', 'carrier_loss': 'carrier loss',
          'underrun': 'underrun', 'overrun': 'overrun', 'checksum': 'checksum',
          'no_buffer': 'no buffer'}
ORIGINS = {'software': 'from software', 'mac': 'made by the MAC',
           'forced_collision': 'for which the MAC forces a collision'}
TAGS = {'untagged': 'without a VLAN tag', 'tagged': 'with one VLAN tag',
        'double_tagged': 'with two VLAN tags'}
EXCESS = {'within_max': 'up to the maximum frame length',
          'over_max': 'over the maximum frame length', 'very_long': 'very long'}
COLLISIONS = {'none': 'without a collision', 'one': 'after one collision',
              'several': 'after several collisions',
              'attempt_limit': 'that collided at every attempt'}
AMOUNTS = {'one': '1 for each frame', 'length': 'the octets of each frame, FCS included',
           'payload': 'the octets of payload and padding of each frame',
           'wire': 'the octets on the wire, those of attempts that collided included',
           'collisions': 'the collisions of each frame',
           'early_collisions': 'the collisions of each frame, except late ones'}
OPTIONS = {('duplex', 'half'): ('in half duplex', 'in full duplex'),
           ('speed', '10'): ('at 10 Mb/s', 'not at 10 Mb/s'),
           ('speed', '100'): ('at 100 Mb/s', 'not at 100 Mb/s'),
           ('medium', 'fiber'): ('on fibre', 'on copper'),
           ('vlan_detection', 'on'): ('with VLAN detection', 'without VLAN detection'),
           ('variant', 'on'): ('in the variant', 'not in the variant')}


def joined(words, last='or'):
    """a, b or c"""
    words = list(words)
    return words[0] if len(words) == 1 else f'{", ".join(words[:-1])} {last} {words[-1]}'


def field_name(model, bit):
    """The register and field of bits: MACCONTROL.tx_flow_en."""
    register = next((each for each in model['registers'] if each['offset'] == bit['offset']), None)
    if not register:
        return f'{bit["offset"]:#x}'
    lsb = (bit['mask'] & -bit['mask']).bit_length() - 1
    field = next((each for each in register['fields'] if each['lsb'] == lsb), None)
    return f'{register["name"]}.{field["name"]}' if field else register['name']


def conditions(model, when):
    words = []
    for member, index in (('with', 0), ('without', 1)):
        for condition in when.get(member, []):
            if condition.get('option') == 'revision':
                words.append(f'{("on", "not on")[index]} {condition["value"]}')
            elif 'option' in condition:
                words.append(OPTIONS[condition['option'], condition['value']][index])
            else:
                words.append(f'while {field_name(model, condition)} is {("set", "clear")[index]}')
    return words


def size_range(model, classes):
    """(shortest, longest or None) of adjacent size classes"""
    edges = model['sizes']['edges']
    low = edges[classes[0] - 1] if classes[0] else 1
    return low, edges[classes[-1]] - 1 if classes[-1] < len(edges) else None


def sizes(model, classes):
    low, high = size_range(model, classes)
    raised = model['sizes']['tagged_edges']
    tag = ' (4 more with a tag)' if classes[-1] in raised or classes[0] - 1 in raised else ''
    if high is None:
        return f'of {low} octets or more{tag}'
    if low == 1:
        return f'of less than {high + 1} octets{tag}'
    return f'of {low} octets{tag}' if low == high else f'of {low} to {high} octets{tag}'


def frames(model, when):
    """One class of frames: received multicast data frames of 64 octets without FCS error."""
    directions = [{'rx': 'received', 'tx': 'transmitted'}[each] for each in when['direction']]
    kinds = [KINDS[each] for each in when.get('kind', [])]
    if {'control', 'pause', 'pfc'} == set(when.get('kind', [])):
        kinds = ['MAC control']
    subject = ' '.join([joined(directions, 'and'), *([joined(kinds)] if kinds else []), 'frames'])
    clauses = []
    if 'destination' in when:
        clauses.append(f'to a {joined(when["destination"])} address')
    for member, words in (('origin', ORIGINS), ('tags', TAGS)):
        if member in when and set(when[member]) != set(words):
            clauses.append(joined(words[each] for each in when[member]))
    if 'sizes' in when:
        clauses.append(sizes(model, when['sizes']))
    if 'excess' in when:
        clauses.append(joined(EXCESS[each] for each in when['excess']))
    if 'collisions' in when:
        clauses.append(joined(COLLISIONS[each] for each in when['collisions']))
    if when.get('deferred'):
        clauses.append('deferred at the first attempt')
    if 'errors' in when:
        clauses.append(f'with one of these errors: {joined(ERRORS[each] for each in when["errors"])}'
                       if len(when['errors']) > 1 else
                       f'with this error: {ERRORS[when["errors"][0]]}')
    if 'no_errors' in when:
        clauses.append('without any error' if set(when['no_errors']) == set(ERRORS) else
                       f'without these errors: {joined(ERRORS[each] for each in when["no_errors"])}'
                       if len(when['no_errors']) > 1 else
                       f'without this error: {ERRORS[when["no_errors"][0]]}')
    return ', '.join([f'{subject} {clauses[0]}' if clauses else subject, *clauses[1:],
                      *conditions(model, when)])


def status_bits(fields, mask):
    """The names of the fields in a mask."""
    return [field['name'] for field in fields
            if mask >> field['lsb'] & ((1 << field['bits']) - 1)]


def status(model, rule):
    """The descriptors that a software counter counts."""
    fields = model['tx_status' if rule['descriptor'] == 'transmit' else 'rx_status']
    is_set = status_bits(fields, rule['value'])
    is_clear = status_bits(fields, rule['mask'] & ~rule['value'])
    words = f'{rule["descriptor"]} descriptors with {joined(is_set, "and")} set'
    if is_clear:
        words += f' and {joined(is_clear, "and")} clear'
    low, high = rule['least_collisions'], rule['most_collisions']
    if low or high:
        words += f', of frames with {low}' + (
            '' if high == low else ' or more' if high is None else f' to {high}') + \
            (' collision' if low == high == 1 else ' collisions')
    return words


STATUS_AMOUNTS = {'one': '1 for each frame', 'octets': 'the octets of each frame',
                  'collisions': 'the collisions of each frame',
                  'attempts': 'the attempts after which the MAC gives up, for each frame'}


def rule(model, counter):
    """(the alternatives that the counter counts, what each frame adds); no alternatives: nothing
    reaches it"""
    if counter['status']:
        return [status(model, counter['status'])], STATUS_AMOUNTS[counter['status']['adds']]
    return [frames(model, when) for when in counter['when']], AMOUNTS[counter['amount']]


def duration(seconds):
    """A duration in the largest unit that it reaches."""
    units = ((1, 1e-3, 'ms'), (120, 1, 's'), (3600, 60, 'min'), (172800, 3600, 'h'),
             (31557600, 86400, 'days'))
    for below, unit, name in units:
        if seconds < below:
            return f'{seconds / unit:.3g} {name}'
    return f'{seconds / 31557600:.0f} years'
