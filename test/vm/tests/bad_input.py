#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every command rejects bad input of every kind. The error names the input and the
accepted range, and the rejected request changes nothing."""

import errno
import struct

import cli
import uapi
from genl import (COUNTER, DEVICE, EMU_PORT, FRAME, MODEL, NLA_F_NESTED, NLM_F_DUMP, PORT, STATS,
                  Attributes, align, attribute)
from ports import case_in_place, devices_on_bus, expect_rejected, rejection, says
from tap import Failure, expect, expect_equal, main

NO_IFINDEX = 999999
NO_MODEL = 999999
SIZES = {'u8': 1, 'u32': 4, 'u64': 8}


def everything(*ports):
    """The state that must not change."""
    here = ports[0].place
    states = []
    for port in ports:
        state = port.state()
        for name in ('poll_time', 'longest_poll', 'longest_wait'):
            del state[name]
        states.append((state, port.totals(), port.peek(0x841), port.peek(0x846), port.carrier(),
                       here.links.get(port.ifindex)[1][4]))
    return devices_on_bus(), here.devices(), states


def two_ports(here):
    """A port with counts, and a port that could be its peer."""
    port, other = here.add(), here.add()
    port.inject(count=10, length=900)
    return port, other


# Values that are out of range

@case_in_place
def a_device_of_an_unknown_model_name_or_option_is_rejected(here):
    two_ports(here)
    before = devices_on_bus(), here.devices()

    def new(**values):
        return lambda: here.emu.do(uapi.MACSTATS_EMU_CMD_DEVICE_NEW, DEVICE.encode(**values))
    invalid = errno.EINVAL, errno.ERANGE
    expect_rejected('no model', new(), invalid, 'MODEL')
    expect_rejected('unknown model', new(model='ll41g'), (errno.ENOENT,), 'MODEL')
    expect_rejected('empty model', new(model=''), (errno.ENOENT, errno.EINVAL), 'MODEL')
    expect_rejected('long model', new(model='x' * 500), invalid, r'\S')
    expect_rejected('unknown option', new(model='ll40g', options=1 << 30), invalid, 'OPTIONS',
                   '0x[0-9a-f]+')
    expect_rejected('option of another model', new(
        model='ll40g', options=uapi.MACSTATS_OPT_HALF_DUPLEX | 1), invalid, 'OPTIONS')
    expect_rejected('two speeds', new(
        model='ixf1104', options=uapi.MACSTATS_OPT_SPEEDS | 1), invalid, 'OPTIONS', 'speed')
    for name in ('a/b', '..', 'a b', '', 'a' * 16, 'x%sx', '%d%d'):
        expect_rejected(f'name {name!r}', new(model='ll40g', name=name), invalid)
    for netdevs in (0, 3):
        expect_rejected(f'{netdevs} net devices', new(model='cpsw', netdevs=netdevs),
                       (errno.ERANGE,), 'NETDEVS')
    expect_rejected('two net devices on one line', new(model='ll40g', netdevs=2),
                   (errno.EOPNOTSUPP,), 'NETDEVS')
    expect_rejected('one name for two net devices', new(model='cpsw', netdevs=2, name='lab'),
                   invalid, 'NAME', '%d')
    expect_rejected('name in use', new(model='ll40g', name='mac0'), (errno.EEXIST,), 'NAME')
    for command in (uapi.MACSTATS_EMU_CMD_DEVICE_DEL, uapi.MACSTATS_EMU_CMD_DEVICE_GET):
        expect_rejected('unknown device', lambda: here.emu.do(command, DEVICE.encode(id=4711)),
                       (errno.ENODEV, errno.ENOENT), '4711')
        expect_rejected('no device', lambda: here.emu.do(command), invalid, 'ID')
    expect_equal((devices_on_bus(), here.devices()), before, 'devices')


@case_in_place
def a_pause_frame_that_the_mac_cannot_make_is_rejected(here):
    switch = here.add('cpsw')
    invalid = errno.EINVAL, errno.ERANGE

    def pause(**frame):
        return lambda: switch.control(uapi.MACSTATS_EMU_CMD_INJECT,
                                      frame=dict(kind=4, origin=2, **frame))
    for wrong in (dict(length=65), dict(length=63), dict(destination=1), dict(destination=4)):
        expect_rejected(f'pause frame with {wrong}', pause(**wrong), invalid, 'FRAME', r'\b64\b',
                       'multicast')
    pause()()
    totals = switch.totals()
    expect_equal((totals['tx_pause_frames'], totals['tx_multicast_frames'], totals['tx_octets']),
                 (1, 1, 64), 'pause frame, multicast frame and its octets')


@case_in_place
def an_impossible_frame_is_rejected(here):
    port, other = two_ports(here)
    before = everything(port, other)

    def inject(count=None, **frame):
        return lambda: port.control(uapi.MACSTATS_EMU_CMD_INJECT, frame=frame, count=count)
    invalid = errno.EINVAL, errno.ERANGE
    for length in (0, 65536, 0xffffffff):
        expect_rejected(f'length {length}', inject(length=length), invalid, 'LENGTH', r'\b1\b',
                       '65535')
    for count in (0, 1 << 63, (1 << 64) - 1):
        expect_rejected(f'count {count}', inject(count, length=64), invalid, 'COUNT', r'\b1\b',
                       '9223372036854775807')
    for tags in (3, 0xffffffff):
        expect_rejected(f'{tags} tags', inject(vlan_tags=tags), invalid, 'VLAN_TAGS', r'\b0\b',
                       r'\b2\b')
    expect_rejected('17 collisions', inject(collisions=17), invalid, 'COLLISIONS', r'\b0\b',
                   r'\b16\b')
    for name, bad in (('direction', (0, 3, 4)), ('destination', (0, 3, 8)), ('kind', (0, 6, 16)),
                      ('origin', (0, 3, 4)), ('errors', (1 << 12, 0xffffffff))):
        for value in bad:
            expect_rejected(f'{name} {value}', inject(**{name: value}), invalid, name.upper(),
                           '0x[0-9a-f]+')
    # The model of these ports has no descriptors.
    for name in ('descriptors', 'append_crc', 'huge'):
        expect_rejected(name, inject(length=64, **{name: 1}), (errno.EOPNOTSUPP,), name.upper(),
                        'no descriptors')
    # A partly wrong request is rejected as a whole.
    expect_rejected('good and bad', inject(5, length=64, errors=1, collisions=99), invalid)
    expect_rejected('no frame', lambda: port.control(uapi.MACSTATS_EMU_CMD_INJECT, count=3), invalid,
                   'FRAME')
    expect_equal(everything(port, other), before, 'what could have changed')


@case_in_place
def impossible_descriptors_are_rejected(here):
    port = here.add('rc32438', quiet=False)
    before = port.totals()

    def inject(**frame):
        return lambda: port.control(uapi.MACSTATS_EMU_CMD_INJECT, frame=frame)
    for descriptors in (0, 65, 0xffffffff):
        expect_rejected(f'{descriptors} descriptors', inject(descriptors=descriptors),
                        (errno.ERANGE,), 'DESCRIPTORS', r'\b1\b', r'\b64\b')
    for name in ('append_crc', 'huge'):
        expect_rejected(f'{name} 2', inject(**{name: 2}), (errno.ERANGE,), name.upper(), r'\b0\b',
                        r'\b1\b')
        expect_rejected(f'{name} of a received frame',
                        inject(direction=uapi.MACSTATS_RX, descriptors=2, **{name: 1}),
                        (errno.EINVAL,), name.upper(), 'transmitted')
    expect_equal(port.totals(), before, 'what could have changed')
    port.control(uapi.MACSTATS_EMU_CMD_INJECT,
                 frame={'length': 2000, 'descriptors': 3, 'append_crc': 0, 'huge': 1}, count=5)
    totals = {name: value for name, value in port.totals().items() if value}
    expect_equal(totals, {'tx_tbc': 10000, 'tx_ok': 5, 'tx_ok_octets': 5 * 1996}, 'after frames')


@case_in_place
def a_link_to_itself_to_a_linked_port_or_to_nothing_is_rejected(here):
    port, other = two_ports(here)
    third = here.add()
    expect_rejected('itself', lambda: port.link(port), (errno.EINVAL, errno.ELOOP), 'itself|PEER')
    expect_rejected('not linked', port.unlink, (errno.ENOTCONN, errno.EINVAL), port.name)
    for ifindex in (NO_IFINDEX, 1, 0, 0xffffffff):  # 1 is the loopback device
        expect_rejected(f'peer {ifindex}', lambda: port.control(
            uapi.MACSTATS_EMU_CMD_LINK, peer=ifindex), (errno.ENODEV,), 'PEER', str(ifindex))
    port.link(other)
    before = everything(port, other, third)
    busy = (errno.EBUSY, errno.EEXIST)
    expect_rejected('to a linked one', lambda: third.link(port), busy, port.name)
    expect_rejected('of a linked one', lambda: port.link(third), busy, port.name)
    expect_rejected('twice', lambda: other.link(port), busy, r'mac\d')
    expect_equal(everything(port, other, third), before, 'what could have changed')


@case_in_place
def an_address_without_a_register_is_rejected_with_those_that_have_one(here):
    """The first and the last address that a MAC has, of those that macstats knows."""
    for model, first, last in (('ll40g', 0x407, 0x961), ('ll40g_agilex5', 0x407, 0x963),
                               ('rc32438', 0x0, 0x248), ('cpsw', 0x0, 0x4a10124c),
                               ('ixf1104', 0xf, 0x622), ('e1000', 0x0, 0x40ff)):
        port = here.add(model)
        expect_rejected(model, lambda: port.peek(0xfffffff0), (errno.ENXIO,),
                        fr'\b{first:#x} to {last:#x}\b')


@case_in_place
def an_unknown_register_counter_value_or_fault_is_rejected(here):
    port, other = two_ports(here)
    before = everything(port, other)

    def control(command, **values):
        number = uapi.number('MACSTATS_EMU_CMD_', command)
        return lambda: port.control(number, **values)
    invalid = errno.EINVAL, errno.ERANGE, errno.ENXIO, errno.ENOENT
    for address in (0, 0x406, 0x847, 0xa00, 0x10000, 0xffffffff):
        expect_rejected(f'peek {address:#x}', control('REG_READ', address=address), invalid,
                       'ADDRESS', f'{address:#x}|{address}', r'\b0x407 to 0x961\b')
        expect_rejected(f'poke {address:#x}', control('REG_WRITE', address=address, value=0),
                       invalid, 'ADDRESS', f'{address:#x}|{address}')
    expect_rejected('a wide value', control('REG_WRITE', address=0x841, value=1 << 32), invalid,
                   'VALUE', '0xffffffff|4294967295')
    for counter in (58, 256, 0xffffffff):
        expect_rejected(f'counter {counter}', control('PRESET', counter=counter, value=1), invalid,
                       'COUNTER', '57')
    for fault in (uapi.MACSTATS_FAULT_CLOCK_STOPPED, 1 << 20, 0xffffffff):
        expect_rejected(f'fault {fault:#x}', control('FAULT', fault=fault), invalid, 'FAULT',
                       '0x[0-9a-f]+')
    expect_equal(everything(port, other), before, 'what could have changed')
    port.fault('bus_error')
    for command, more in ('REG_READ', {}), ('REG_WRITE', {'value': 0}):
        expect_rejected(command, control(command, address=0x841, **more), errno.EIO, 'bus')


@case_in_place
def an_advance_of_more_than_63_bits_is_rejected(here):
    port, other = two_ports(here)
    before = everything(port, other)
    for nsecs in (1 << 63, (1 << 64) - 1):
        expect_rejected(f'{nsecs} ns', lambda: port.control(
            uapi.MACSTATS_EMU_CMD_ADVANCE, nsecs=nsecs), (errno.ERANGE,), 'NSECS', r'\b0\b',
            '9223372036854775807')
    expect_equal(everything(port, other), before, 'what could have changed')


@case_in_place
def an_mtu_beyond_the_hardware_is_rejected(here):
    port, other = two_ports(here)
    before = everything(port, other)
    # A length register has 16 bits, with room for a tag.
    for mtu in (0, 67, 65514, 65518, 65536, 0xffffffff):
        expect_rejected(f'MTU {mtu}', lambda: port.set_mtu(mtu), (errno.EINVAL, errno.ERANGE),
                       'mtu|MTU')
    expect_equal(everything(port, other), before, 'what could have changed')
    for mtu in (68, 65513, 1500):
        port.set_mtu(mtu)
    expect_equal(everything(port, other), before, 'what could have changed')


@case_in_place
def a_poll_interval_below_the_floor_or_above_the_ceiling_is_rejected(here):
    port = here.add(quiet=False)
    before = port.state()
    with here.inside():
        for usecs in (0, 999, 3600000001, 4294967295):
            done = cli.run('ethtool', '-C', port.name, 'stats-block-usecs', usecs)
            expect(done.returncode != 0, f'{usecs} was accepted')
            reason = r', (one hour|\.\.\.)' if usecs > 3600000000 else 'too short'
            for word in ('stats-block-usecs', '1000', '3600000000', reason):
                expect(says(done.stderr, word), f'{usecs}: {done.stderr} does not contain {word}')
        expect_equal(port.state()['poll_usecs'], before['poll_usecs'], 'poll interval')
        for usecs in (1000, 3600000000):
            cli.output('ethtool', '-C', port.name, 'stats-block-usecs', usecs)
            expect_equal(port.state()['poll_usecs'], usecs, 'poll interval')
    expect_equal(before['poll_ceiling_usecs'], 3600000000, 'ceiling')
    # Its counters have 32 bits: those of octets wrap within a minute.
    short = here.add('cpsw', quiet=False)
    ceiling = short.state()['poll_ceiling_usecs']
    expect(ceiling < 30000000, f'ceiling of cpsw: {ceiling}')
    with here.inside():
        done = cli.run('ethtool', '-C', short.name, 'stats-block-usecs', ceiling + 1)
        expect(done.returncode != 0 and says(done.stderr,
                                             rf'{ceiling}, (half the wrap time|\.\.\.)'),
               done.stderr)
        cli.output('ethtool', '-C', short.name, 'stats-block-usecs', ceiling)


# Malformed messages

class Command:
    """A valid request, to be spoilt."""

    def __init__(self, family, command, space, values, flags=0):
        self.family, self.space, self.values, self.flags = family, space, values, flags
        prefix = 'MACSTATS_EMU_CMD_' if family.name == uapi.MACSTATS_EMU_GENL_NAME \
            else 'MACSTATS_CMD_'
        self.number = uapi.number(prefix, command)
        self.name = f'{command} {"dump" if flags else "do"}'

    def send(self, payload):
        return lambda: self.family.do(self.number, payload, self.flags)

    def payload(self, without=None):
        return self.space.encode(**{name: value for name, value in self.values.items()
                                    if name != without})


def commands(port, other):
    """Each command of both families. The tests only send them spoilt."""
    query, emu = port.place.query, port.place.emu
    at = {'ifindex': port.ifindex}
    model_id = port.state()['model_id']
    yield Command(query, 'MODEL_GET', MODEL, {'id': model_id})
    yield Command(query, 'MODEL_GET', MODEL, {}, NLM_F_DUMP)
    yield Command(query, 'COUNTER_GET', COUNTER, {'model_id': model_id}, NLM_F_DUMP)
    yield Command(query, 'PORT_GET', PORT, at)
    yield Command(query, 'PORT_GET', PORT, {}, NLM_F_DUMP)
    yield Command(query, 'STATS_GET', STATS, {**at, 'cached': True, 'counters': [1, 57]})
    yield Command(query, 'STATS_GET', STATS,
                  {'model_id': model_id, 'cached': True, 'counters': [1, 57]}, NLM_F_DUMP)
    yield Command(emu, 'DEVICE_NEW', DEVICE,
                  {'model': 'll40g', 'name': 'new%d', 'options': 1, 'seed': 3,
                   'line_rate_bound': 1, 'netdevs': 1})
    yield Command(emu, 'DEVICE_DEL', DEVICE, {'id': port.device})
    yield Command(emu, 'DEVICE_GET', DEVICE, {'id': port.device})
    yield Command(emu, 'DEVICE_GET', DEVICE, {}, NLM_F_DUMP)
    yield Command(emu, 'LINK', EMU_PORT, {**at, 'peer': other.ifindex})
    yield Command(emu, 'UNLINK', EMU_PORT, at)
    yield Command(emu, 'INJECT', EMU_PORT,
                  {**at, 'frame': {'length': 64, 'errors': 1}, 'count': 3})
    yield Command(emu, 'REG_READ', EMU_PORT, {**at, 'address': 0x841})
    yield Command(emu, 'REG_WRITE', EMU_PORT, {**at, 'address': 0x841, 'value': 1})
    yield Command(emu, 'PRESET', EMU_PORT, {**at, 'counter': 1, 'value': 1})
    yield Command(emu, 'FAULT', EMU_PORT, {**at, 'fault': 1, 'active': 1})
    yield Command(emu, 'FAULT', EMU_PORT,
                  {**at, 'fault': uapi.MACSTATS_FAULT_SLOW_BUS, 'argument': 5})
    yield Command(emu, 'POLL', EMU_PORT, at)
    yield Command(emu, 'ADVANCE', EMU_PORT, {**at, 'nsecs': 1})


# Attributes that the requests above do not use.
OTHERWISE_ALLOWED = (('DEVICE_NEW do', 'power_up_random'), ('DEVICE_NEW do', 'private_only'),
                     ('DEVICE_NEW do', 'held'), ('DEVICE_NEW do', 'owned'),
                     ('FAULT do', 'active'), ('FAULT do', 'argument'),
                     ('FAULT do', 'announced'), ('FAULT do', 'during_read'))


def spoilt_attributes(kind, number):
    """(what, octets) of attributes of a wrong size."""
    good = bytes(SIZES.get(kind, 0))
    if kind in SIZES:
        yield 'one octet short', attribute(number, good[:-1])
        yield 'empty', attribute(number)
        yield 'one octet long', attribute(number, good + b'\1')
        yield 'twice as long', attribute(number, good * 2)
    elif kind == 'flag':
        yield 'a flag with a value', attribute(number, b'\1')
    elif kind == 'u32s':
        for what, octets in (('none', b''), ('half a number', bytes(5)), ('too many', bytes(1028)),
                             ('descending', struct.pack('=II', 2, 1)),
                             ('twice the same', struct.pack('=II', 1, 1)),
                             ('out of range', struct.pack('=II', 1, 58))):
            yield what, attribute(number, octets)
    elif kind == 'string':
        yield 'a string without end', attribute(number, b'll40g')
        yield 'too long a string', attribute(number, b'l' * 300 + b'\0')
        yield 'an empty string', attribute(number)


def spoilt_payloads(command):
    """(what, octets) of attributes that the command does not understand."""
    good = command.payload()
    for number in (max(command.space.numbers.values()) + 2, 200, 0x3fff, 0):
        yield f'unknown attribute {number}', good + attribute(number, bytes(4))
    yield 'longer than the message', good + struct.pack('=HH', 100, 1) + bytes(4)
    yield 'shorter than its header', good + struct.pack('=HH', 2, 1) + bytes(4)
    yield 'the rest of an attribute', good + b'\x08'
    for name in command.values:
        kind, number = command.space.types[name], command.space.numbers[name]
        rest = command.payload(without=name)
        if isinstance(kind, Attributes):
            yield f'{name}: garbage inside', rest + attribute(number | NLA_F_NESTED, b'\xff' * 7)
            yield f'{name}: not nested', rest + attribute(number, FRAME.encode(length=64))
            for inner in kind.types:
                for what, octets in spoilt_attributes(kind.types[inner], kind.numbers[inner]):
                    yield f'{name} {inner}: {what}', rest + attribute(number | NLA_F_NESTED, octets)
            yield f'{name}: unknown inside', rest + attribute(
                number | NLA_F_NESTED, attribute(99, bytes(4)))
        else:
            for what, octets in spoilt_attributes(kind, number):
                yield f'{name}: {what}', rest + octets


@case_in_place
def a_broken_or_unknown_attribute_is_rejected_by_every_command(here):
    port, other = two_ports(here)
    before = everything(port, other)
    accepted, tried = [], 0
    for command in commands(port, other):
        for what, payload in spoilt_payloads(command):
            tried += 1
            if not payload or align(len(payload)) > 4096:
                raise Failure('not a spoilt payload')
            try:
                rejected = rejection(command.send(payload))
            except Failure:
                accepted.append(f'{command.name}: {what}')
                continue
            expect(rejected.errno in (errno.EINVAL, errno.ERANGE, errno.ENOENT),
                   f'{command.name}: {what}: {rejected}')
            expect(rejected.text, f'{command.name}: {what}: no explanation')
    expect(not accepted, f'of {tried} accepted:\n' + '\n'.join(accepted))
    expect_equal(everything(port, other), before, 'what could have changed')


@case_in_place
def an_attribute_that_belongs_to_another_command_is_rejected(here):
    port, other = two_ports(here)
    before = everything(port, other)
    nothing = {'ifindex': NO_IFINDEX, 'id': 4711, 'device': 4711, 'model': 'none',
               'model_id': NO_MODEL}
    accepted = []
    for command in commands(port, other):
        # With unknown objects, so that no accepted request has an effect.
        values = {name: nothing.get(name, value) for name, value in command.values.items()}
        for name, kind in command.space.types.items():
            if name in command.values or (command.name, name) in OTHERWISE_ALLOWED:
                continue
            value = {next(iter(kind.types)): 1} if isinstance(kind, Attributes) else \
                {'string': 'x', 'flag': True, 'u32s': [0], 'u64s': [0]}.get(kind, 0)
            payload = command.space.encode(**values) + command.space.encode(**{name: value})
            try:
                rejected = rejection(command.send(payload))
            except Failure:
                accepted.append(f'{command.name}: {name}')
            else:
                named = rejected.offset or name.upper() in rejected.text
                if rejected.errno != errno.EINVAL or not named:
                    accepted.append(f'{command.name}: {name}, but {rejected}')
    expect(not accepted, 'accepted:\n' + '\n'.join(accepted))
    expect_equal(everything(port, other), before, 'what could have changed')


@case_in_place
def a_missing_attribute_is_rejected_by_name(here):
    port, other = two_ports(here)
    before = everything(port, other)
    optional = {'DEVICE_NEW do': ('name', 'options', 'seed', 'line_rate_bound', 'netdevs'),
                'INJECT do': ('count',),
                'FAULT do': ('active',), 'STATS_GET do': ('cached', 'counters'),
                'STATS_GET dump': ('cached', 'counters')}
    for command in commands(port, other):
        for name in command.values:
            if name in optional.get(command.name, ()):
                continue
            expect_rejected(f'{command.name} without {name}', command.send(command.payload(name)),
                           (errno.EINVAL,), name.upper(), 'missing')
    expect_equal(everything(port, other), before, 'what could have changed')


@case_in_place
def unknown_commands_are_rejected(here):
    port, other = two_ports(here)
    before = everything(port, other)
    for family, numbers in ((here.query, (0, uapi.MACSTATS_CMD_PORT_NEW_NTF,
                                          uapi.MACSTATS_CMD_PORT_EVENT_NTF,
                                          uapi.MACSTATS_CMD_MAX + 1, 255)),
                            (here.emu, (0, uapi.MACSTATS_EMU_CMD_MAX + 1, 255))):
        for number in numbers:
            for flags in (0, NLM_F_DUMP):
                rejected = rejection(lambda: family.do(number, b'', flags))
                expect_equal(rejected.errno, errno.EOPNOTSUPP, f'{family.name} command {number}')
    # Commands without a dump, or only with a dump.
    for family, number, flags in ((here.query, uapi.MACSTATS_CMD_COUNTER_GET, 0),
                                  (here.emu, uapi.MACSTATS_EMU_CMD_DEVICE_NEW, NLM_F_DUMP),
                                  (here.emu, uapi.MACSTATS_EMU_CMD_INJECT, NLM_F_DUMP)):
        rejected = rejection(lambda: family.do(number, MODEL.encode(id=1), flags))
        expect_equal(rejected.errno, errno.EOPNOTSUPP, f'{family.name} command {number}')
    expect_equal(everything(port, other), before, 'what could have changed')


@case_in_place
def a_query_for_an_unknown_port_is_rejected(here):
    port, _ = two_ports(here)
    for space, command in ((PORT, uapi.MACSTATS_CMD_PORT_GET),
                           (STATS, uapi.MACSTATS_CMD_STATS_GET)):
        for ifindex in (0, 1, NO_IFINDEX, 0xffffffff):
            expect_rejected(f'ifindex {ifindex}', lambda: here.query.do(
                command, space.encode(ifindex=ifindex)), (errno.ENODEV,), 'IFINDEX', str(ifindex))
    expect_equal(port.totals()['rx_512to1023b'], 10, 'frames')


# The command line

BAD_COMMAND_LINES = (
    # (command line, regular expressions that the message must match)
    ('emu add ll41g', ('ll41g',)),
    ('emu add ll40g --option nonsense=1', ('nonsense',)),
    ('emu add cpsw --name mac0', ('--name: ',)),
    ('emu delete 4711', ('4711',)),
    ('emu link mac0 mac0', ('itself',)),
    ('emu link mac0 nothere', ('nothere',)),
    ('emu link mac0 lo', (r'\blo\b',)),
    ('emu inject nothere', ('nothere',)),
    ('emu inject mac0 --length 0', ('--length: 0 is out of range: 1 to 65535',)),
    ('emu inject mac0 --length 65536', ('length', r'\b1\b', '65535')),
    ('emu inject mac0 --length 64x', ('length',)),
    ('emu inject mac0 --count 0',
     ('--count: 0 is out of range: 1 to 9223372036854775807',)),
    ('emu inject mac0 --count 18446744073709551615', ('count', '9223372036854775807')),
    ('emu inject mac0 --vlan-tags 3', ('--vlan-tags: 3 is out of range: 0 to 2',)),
    ('emu inject mac0 --collisions 17', ('collisions', r'\b16\b')),
    ('emu inject mac0 --kind odd', ('kind', 'pause')),
    ('count cpsw --kind pause --origin mac --length 65', ('64', 'multicast')),
    ('count cpsw --kind pause --origin mac --destination unicast', ('64', 'multicast')),
    ('emu inject mac0 --errors fcs,odd', ('odd', 'alignment')),
    ('emu peek mac0 CNTR_TX_NOTHING', ('CNTR_TX_NOTHING',)),
    ('emu peek mac0 0x999999', ('0x999999',)),
    ('emu poke mac0 0x841 4294967296', ('4294967295|0xffffffff',)),
    ('emu preset mac0 tx_nothing 1', ('tx_nothing',)),
    ('emu preset mac0 tx_st 18446744073709551616', ('1844674407370955161[56]',)),
    ('emu fault mac0 nonsense', ('nonsense', 'parity_error')),
    ('show nothere', ('nothere',)),
    ('watch nothere', ('nothere',)),
    ('model nothere', ('nothere', 'll40g')),
    ('frobnicate', ('frobnicate',)),
)
# Of the kernel: a message has the words of the command line.
INTERNAL = '(FRAME|PORT|DEVICE)_[A-Z_]+:|Invalid argument|Numerical result'


@case_in_place
def each_bad_command_line_fails_with_its_reason(here):
    port, other = two_ports(here)
    expect_equal(port.name, 'mac0', 'name')
    before = everything(port, other)
    problems = []
    with here.inside():
        for line, words in BAD_COMMAND_LINES:
            done = cli.macstats(*line.split())
            errors = done.stderr.strip()
            if done.returncode not in (1, 2) or done.stdout or not errors or \
                    not all(says(errors, f'(?i){word}') for word in words) or \
                    says(errors, INTERNAL):
                problems.append(f'{line}: exit status {done.returncode}: {done.stdout}{errors} '
                                f'(must match {words})')
    expect(not problems, '\n'.join(problems))
    expect_equal(everything(port, other), before, 'what could have changed')


main()
