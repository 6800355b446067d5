#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Statistics by queue are those of the link."""

import sys

from genl import CODECS, Family, attribute, split
from ports import KERNEL_VERSION, all_models, case_in_place
from tap import expect_equal, main, skip_all

# Each has a register of frames that found no room in the FIFO or no buffer.
COUNT_MISSED = ('altera_tse', 'alx', 'am65_cpsw', 'cpsw', 'dwmac_mmc', 'dwmac4_mmc', 'dwxgmac_mmc',
                'e1000', 'e1000e', 'ixf1104', 'k1_emac', 'lan743x', 'mt7530', 'netc', 'rtl_tally')
COUNT_NO_BUFFER = 'gem',

# include/uapi/linux/netdev.h
CMD_QSTATS_GET = 12
IFINDEX, QUEUE_TYPE, QUEUE_ID, SCOPE = 1, 2, 3, 4
RX_PACKETS, RX_BYTES, TX_PACKETS, TX_BYTES = 8, 9, 10, 11
RX_HW_DROP_OVERRUNS = 14
SCOPE_QUEUE = 1
TYPE_RX, TYPE_TX = 0, 1

if KERNEL_VERSION < (6, 10):
    skip_all('this kernel has no statistics by queue')


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


@case_in_place
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


@case_in_place
def a_missed_frame_is_a_drop_of_the_queue_where_a_register_counts_it(here):
    for model in all_models():
        port, _ = here.pair(model=model)
        missed = {'overrun': model in COUNT_MISSED, 'no_buffer': model in COUNT_NO_BUFFER}
        for error in (name for name in missed if missed[name]):
            port.inject(3, length=100, errors=(error,))
        port.stats()  # as above
        expected = 3 if any(missed.values()) else None
        for queue, scope in ((None, None), None), ((TYPE_RX, 0), SCOPE_QUEUE):
            found = queue_statistics(port, scope)[queue]
            expect_equal(found.get(RX_HW_DROP_OVERRUNS), expected, model)


main()
