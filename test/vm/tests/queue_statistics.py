#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Statistics by queue: they are those of the link, and the selftest drivers/net/stats.py of the
kernel passes, unmodified, on a port of each model, but for what a datasheet has not."""

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'lib'))

from genl import CODECS, Family, attribute, split  # noqa: E402
from ports import KERNEL_VERSION, bring_up, with_place  # noqa: E402
from tap import Failure, Skip, case, expect_equal, main, skip_all  # noqa: E402

SELFTEST = (pathlib.Path(__file__).resolve().parents[3] /
            'build/kernel/source/tools/testing/selftests/drivers/net/stats.py')
RESULT = re.compile(r'^(?P<verdict>ok|not ok) \d+ stats\.(?P<name>\w+)(?: # (?P<mark>\w+))?', re.M)
PASS, FAIL = ('ok', None), ('not ok', None)
# The MACs have no forward error correction.
EXPECTED = {'check_pause': PASS, 'check_fec': ('ok', 'XFAIL'), 'pkt_byte_sum': PASS,
            'qstat_by_ifindex': PASS, 'check_down': PASS}
# Its datasheet has no counter of pause frames, and the selftest requires one.
NO_PAUSE_STATISTICS = 'rc32438'

# include/uapi/linux/netdev.h
CMD_QSTATS_GET = 12
IFINDEX, QUEUE_TYPE, QUEUE_ID, SCOPE = 1, 2, 3, 4
RX_PACKETS, RX_BYTES, TX_PACKETS, TX_BYTES = 8, 9, 10, 11
SCOPE_QUEUE = 1
TYPE_RX, TYPE_TX = 0, 1

if KERNEL_VERSION < (6, 9):
    skip_all('this kernel has no statistics by queue')
if not SELFTEST.exists():
    raise Failure(f'{SELFTEST} is missing: test/vm/kernel fetch source')


def queue_statistics(port, scope=None):
    """{(type of the queue, its number): {statistic: value}}, or {(None, None): ...} of the device."""
    with port.place.inside():
        family = Family('netdev')
    encode, _ = CODECS['u32']
    request = attribute(IFINDEX, encode(port.ifindex))
    if scope:
        request += attribute(SCOPE, encode(scope))
    found = {}
    for reply in family.dump(CMD_QSTATS_GET, request):
        values = {kind: int.from_bytes(data, sys.byteorder) for kind, data in split(reply)}
        expect_equal(values.pop(IFINDEX), port.ifindex, 'ifindex')
        queue = values.pop(QUEUE_TYPE, None), values.pop(QUEUE_ID, None)
        expect_equal(queue in found, False, f'queue {queue} twice')
        found[queue] = values
    family.close()
    return found


@case
@with_place
def the_one_queue_each_way_has_the_packets_of_the_link(here):
    for model in 'll40g', 'rc32438':
        left, right = here.pair(model=model)
        packets = left.packets()
        for _ in range(7):
            packets.send(bytes.fromhex('ffffffffffff 020000000001 88b5') + bytes(86))
        packets.close()
        for port in left, right:
            port.stats()  # the statistics of the link are those of the last poll
        sent, none = {TX_PACKETS: 7, TX_BYTES: 700}, {RX_PACKETS: 0, RX_BYTES: 0}
        received, nothing = {RX_PACKETS: 7, RX_BYTES: 700}, {TX_PACKETS: 0, TX_BYTES: 0}
        for port, rx, tx in (left, none, sent), (right, received, nothing):
            expect_equal(queue_statistics(port), {(None, None): rx | tx}, f'{model}: the device')
            expect_equal(queue_statistics(port, SCOPE_QUEUE),
                         {(TYPE_RX, 0): rx, (TYPE_TX, 0): tx}, f'{model}: its queues')


@case
@with_place
def the_selftest_passes_but_for_counters_that_a_mac_lacks(here):
    if os.environ.get('KERNEL') == 'user-mode':
        raise Skip('this kernel pads attributes, which the netlink tool YNL of 6.12 cannot read')
    for model in (model['name'] for model in here.models()):
        left, right = here.add(model), here.add(model)
        left.link(right)
        bring_up(left, right)
        with here.inside():
            done = subprocess.run(
                ['/usr/bin/python3', '-B', SELFTEST], env={**os.environ, 'NETIF': left.name},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, check=False)
        found = {match['name']: (match['verdict'], match['mark'])
                 for match in RESULT.finditer(done.stdout)}
        expected = EXPECTED | ({'check_pause': FAIL} if model == NO_PAUSE_STATISTICS else {})
        expect_equal(found, expected, f'{model}: {done.stdout}')
        expect_equal(done.returncode, int(FAIL in expected.values()), f'{model}: exit status')


main()
