# SPDX-License-Identifier: GPL-2.0
"""A generic netlink client for both families, on bare sockets: it can also send
what a well-behaved client never would."""

import os
import select
import socket
import struct
import sys

import uapi
from tap import expect, expect_equal, wait_for

NETLINK_ROUTE, NETLINK_GENERIC = 0, 16
SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, NETLINK_CAP_ACK, NETLINK_EXT_ACK = 270, 1, 10, 11
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP_INTR = 1, 4, 0x10
NLM_F_DUMP, NLM_F_CREATE, NLM_F_EXCL = 0x300, 0x400, 0x200
NLM_F_CAPPED, NLM_F_ACK_TLVS = 0x100, 0x200
NLMSG_ERROR, NLMSG_DONE = 2, 3
NLMSGERR_MSG, NLMSGERR_OFFSET, NLMSGERR_POLICY, NLMSGERR_MISS_TYPE = 1, 2, 4, 5
NLA_F_NESTED = 0x8000
GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 0x10, 3
CTRL_ID, CTRL_NAME, CTRL_GROUPS, CTRL_GROUP_NAME, CTRL_GROUP_ID = 1, 2, 7, 1, 2


class Rejected(OSError):
    """The kernel answered with an error; with its explanation."""

    def __init__(self, errno, text, offset, policy, missing):
        super().__init__(errno, os.strerror(errno))
        self.text, self.offset, self.policy, self.missing = text, offset, policy, missing

    def __str__(self):
        return f'{super().__str__()}: {self.text} {self.policy or ""}'


class Interrupted(Exception):
    """The dump was interrupted by changes; with its replies."""

    def __init__(self, replies):
        super().__init__('the dump was interrupted by changes')
        self.replies = replies


def align(length):
    return (length + 3) & ~3


def attribute(number, payload=b''):
    return struct.pack('=HH', 4 + len(payload), number) + payload + \
        bytes(align(len(payload)) - len(payload))


def split(data):
    """(number, payload) of each attribute."""
    found, at = [], 0
    while at + 4 <= len(data):
        length, number = struct.unpack_from('=HH', data, at)
        if length < 4 or at + length > len(data):
            raise ValueError(f'broken attribute in a reply: {data!r}')
        found.append((number & 0x3fff, data[at + 4:at + length]))
        at += align(length)
    return found


def _integer(size):
    return (lambda value: struct.pack('=' + size, value),
            lambda data: struct.unpack('=' + size, data)[0])


CODECS = {
    'u8': _integer('B'), 'u32': _integer('I'), 'u64': _integer('Q'),
    'string': (lambda text: text.encode() + b'\0', lambda data: data.rstrip(b'\0').decode()),
    'flag': (lambda value: b'', lambda data: True),
    'u32s': (lambda values: struct.pack(f'={len(values)}I', *values),
             lambda data: list(struct.unpack(f'={len(data) // 4}I', data))),
    'u64s': (lambda values: struct.pack(f'={len(values)}Q', *values),
             lambda data: list(struct.unpack(f'={len(data) // 8}Q', data))),
}


class Attributes:
    """One attribute space: names (as in the header behind the prefix, in lower
    case) and types; those in @repeated become lists."""

    def __init__(self, prefix, types, repeated=()):
        self.types, self.repeated = types, repeated
        self.numbers = {name: uapi.number(prefix, name) for name in types}
        self.names = {number: name for name, number in self.numbers.items()}
        self.pad = uapi.NUMBERS.get(prefix + 'PAD')

    def encode(self, **values):
        """None and False: the attribute is absent."""
        parts = []
        for name, value in values.items():
            if value is None or value is False:
                continue
            kind, number = self.types[name], self.numbers[name]
            if isinstance(kind, Attributes):
                parts.append(attribute(number | NLA_F_NESTED, kind.encode(**value)))
            else:
                parts.append(attribute(number, CODECS[kind][0](value)))
        return b''.join(parts)

    def decode(self, data):
        """A dictionary. Unknown attributes are an error."""
        values = {}
        for number, payload in split(data):
            if number == self.pad:
                continue
            name = self.names[number]
            kind = self.types[name]
            value = kind.decode(payload) if isinstance(kind, Attributes) else \
                CODECS[kind][1](payload)
            if name in self.repeated:
                values.setdefault(name, []).append(value)
            elif name in values:
                raise ValueError(f'{name} twice in one message')
            else:
                values[name] = value
        return values


MODEL = Attributes('MACSTATS_A_MODEL_', {
    'name': 'string', 'title': 'string', 'datasheet': 'string', 'ports': 'u32',
    'line_rate': 'u64', 'counters': 'u32', 'id': 'u32'})
COUNTER = Attributes('MACSTATS_A_COUNTER_', {
    'model': 'string', 'id': 'u32', 'name': 'string', 'register': 'string',
    'description': 'string', 'unit': 'u32', 'offset': 'u32', 'bits': 'u32', 'onread': 'u32',
    'onwrite': 'u32', 'overflow': 'u32', 'direction': 'u32', 'standard': 'string',
    'port_stride': 'u32', 'bucket_low': 'u32', 'bucket_high': 'u32', 'model_id': 'u32',
    'index_of': 'u32', 'index': 'u32'},
    repeated=('standard',))
SATURATED = Attributes('MACSTATS_A_SATURATED_', {
    'counter': 'u32', 'times': 'u64', 'time': 'u64'})
INEXACT = Attributes('MACSTATS_A_INEXACT_', {
    'standard': 'u32', 'bound': 'u32', 'times': 'u64', 'stale': 'flag'})
PORT = Attributes('MACSTATS_A_PORT_', {
    'ifindex': 'u32', 'name': 'string', 'model': 'string', 'index': 'u32', 'absent': 'flag',
    'stale': 'flag', 'stale_reason': 'string', 'possible_loss': 'flag', 'discontinuities': 'u32',
    'discontinuity_time': 'u64', 'parity_errors': 'u32', 'poll_usecs': 'u32',
    'poll_ceiling_usecs': 'u32', 'poll_time': 'u64', 'event': 'u32', 'time': 'u64',
    'discontinuity_counter': 'u32', 'discontinuity_value': 'u64', 'saturated': SATURATED,
    'late_polls': 'u32', 'failed_polls': 'u32', 'longest_poll': 'u64', 'longest_wait': 'u64',
    'model_id': 'u32'}, repeated=('saturated',))
STATS = Attributes('MACSTATS_A_STATS_', {
    'ifindex': 'u32', 'cached': 'flag', 'model': 'string', 'generation': 'u64', 'time': 'u64',
    'stale': 'flag', 'possible_loss': 'flag', 'discontinuities': 'u32', 'values': 'u64s',
    'counters': 'u32s', 'discontinuity_time': 'u64', 'start_time': 'u64',
    'saturated': SATURATED, 'absent': 'u32s', 'standard': 'u32s', 'standard_values': 'u64s',
    'inexact': INEXACT, 'model_id': 'u32'}, repeated=('saturated', 'inexact'))
DEVICE = Attributes('MACSTATS_EMU_A_DEVICE_', {
    'id': 'u32', 'model': 'string', 'name': 'string', 'options': 'u32',
    'power_up_random': 'flag', 'seed': 'u64', 'private_only': 'flag', 'port': 'u32',
    'held': 'flag', 'owned': 'flag', 'line_rate_bound': 'u8', 'netdevs': 'u32'},
    repeated=('port',))
FRAME = Attributes('MACSTATS_EMU_A_FRAME_', {
    'direction': 'u32', 'length': 'u32', 'destination': 'u32', 'kind': 'u32', 'origin': 'u32',
    'vlan_tags': 'u32', 'errors': 'u32', 'collisions': 'u32', 'deferred': 'flag',
    'descriptors': 'u32', 'append_crc': 'u8', 'huge': 'u8'})
EMU_PORT = Attributes('MACSTATS_EMU_A_PORT_', {
    'ifindex': 'u32', 'peer': 'u32', 'frame': FRAME, 'count': 'u64', 'address': 'u32',
    'value': 'u64', 'counter': 'u32', 'fault': 'u32', 'active': 'u8', 'nsecs': 'u64',
    'argument': 'u32', 'announced': 'flag', 'during_read': 'flag'})


class Socket:
    """A netlink socket in the network namespace that this thread is in now. The
    kernel makes the parts of a dump no larger than @largest, if that is possible."""

    def __init__(self, protocol, largest=1 << 18):
        self.largest = largest
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC,
                                    protocol)
        self.socket.bind((0, 0))
        self.socket.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        self.sequence = 0

    def close(self):
        self.socket.close()

    def send(self, kind, flags, payload):
        self.sequence += 1
        self.socket.send(struct.pack('=IHHII', 16 + len(payload), kind, flags | NLM_F_REQUEST,
                                     self.sequence, 0) + payload)

    def receive(self):
        """(kind, flags, sequence, payload) of each message of a packet."""
        data, at, messages = self.socket.recv(self.largest), 0, []
        while at + 16 <= len(data):
            length, kind, flags, sequence, owner = struct.unpack_from('=IHHII', data, at)
            # Both are 0 in a notification: it answers no request, of no socket.
            expect(sequence or not owner, f'a notification to socket {owner}')
            messages.append((kind, flags, sequence, data[at + 16:at + length]))
            at += align(length)
        return messages

    def request(self, kind, flags, payload):
        """The payloads of the replies. Raises Rejected."""
        dump = flags & NLM_F_DUMP == NLM_F_DUMP
        self.send(kind, flags | (0 if dump else NLM_F_ACK), payload)
        replies, interrupted = [], False
        while True:
            for kind_, flags_, sequence, data in self.receive():
                if sequence != self.sequence:
                    continue
                interrupted = interrupted or bool(flags_ & NLM_F_DUMP_INTR)
                if kind_ in (NLMSG_ERROR, NLMSG_DONE):
                    reject_if_error(kind_, flags_, data)
                    if interrupted:
                        raise Interrupted(replies)
                    return replies
                expect(not flags_ & NLM_F_REQUEST, f'a reply with the flags {flags_:#x}')
                replies.append(data)


def reject_if_error(kind, flags, data):
    """Raises Rejected unless the message acknowledges the request."""
    error = struct.unpack_from('=i', data)[0] if len(data) >= 4 else 0
    if error > 0:
        raise ValueError(f'message {kind} has the error {error}: it is 0 or negative')
    if not error:
        return
    details = {}
    if flags & NLM_F_ACK_TLVS:
        start = 4 if kind == NLMSG_DONE else 20
        if kind == NLMSG_ERROR and not flags & NLM_F_CAPPED:
            start = 4 + struct.unpack_from('=I', data, 4)[0]
        details = dict(split(data[start:]))
    policy = {number: int.from_bytes(value, sys.byteorder)
              for number, value in split(details.get(NLMSGERR_POLICY, b''))}
    offset = details.get(NLMSGERR_OFFSET)
    missing = details.get(NLMSGERR_MISS_TYPE)
    raise Rejected(-error, details.get(NLMSGERR_MSG, b'').rstrip(b'\0').decode(),
                  offset and int.from_bytes(offset, sys.byteorder), policy,
                  missing and int.from_bytes(missing, sys.byteorder))


class Family:
    """One of the families, with its own socket."""

    def __init__(self, name, **options):
        self.socket = Socket(NETLINK_GENERIC, **options)
        self.name = name
        request = struct.pack('=BBH', CTRL_CMD_GETFAMILY, 2, 0)
        request += attribute(CTRL_NAME, name.encode() + b'\0')
        reply, = self.socket.request(GENL_ID_CTRL, 0, request)
        found = dict(split(reply[4:]))
        self.id = int.from_bytes(found[CTRL_ID], sys.byteorder)
        groups = [dict(split(group)) for _, group in split(found.get(CTRL_GROUPS, b''))]
        self.groups = {group[CTRL_GROUP_NAME].rstrip(b'\0').decode():
                       int.from_bytes(group[CTRL_GROUP_ID], sys.byteorder) for group in groups}

    def close(self):
        self.socket.close()

    def do(self, command, payload=b'', flags=0):
        """The attributes of the replies, still encoded. Raises Rejected, Interrupted."""
        request = struct.pack('=BBH', command, 1, 0) + payload
        try:
            return [reply[4:] for reply in self.socket.request(self.id, flags, request)]
        except Interrupted as interrupted:
            raise Interrupted([reply[4:] for reply in interrupted.replies]) from None

    def dump(self, command, payload=b''):
        return self.do(command, payload, NLM_F_DUMP)


class Listener(Family):
    """A socket that only receives the notifications of a group."""

    def __init__(self, name, group):
        super().__init__(name)
        self.socket.socket.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, self.groups[group])

    def events(self, count=0):
        """(command, attributes) of the notifications that are there, once there are @count."""
        found = []

        def are_there():
            while select.select([self.socket.socket], [], [], 0)[0]:
                for kind, _, sequence, data in self.socket.receive():
                    if kind == self.id:
                        expect_equal(sequence, 0, 'sequence number of what answers no request')
                        found.append((data[0], PORT.decode(data[4:])))
            return len(found) >= count
        wait_for(are_there, f'{count} notifications')
        return found
