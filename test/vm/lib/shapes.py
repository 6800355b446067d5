# SPDX-License-Identifier: GPL-2.0
"""Four frames, and which counters of each model one of them increments, and by how much, by the
datasheets: worked out apart from the code under test."""

# Length with FCS, and destination.
SHAPES = (64, 'unicast'), (100, 'multicast'), (300, 'broadcast'), (1518, 'unicast')
ADDRESSES = {'unicast': '020000000001', 'multicast': '01005e010203', 'broadcast': 'ff' * 6}


def frame_octets(shape):
    """A frame of this shape as software sends it: without FCS."""
    length, destination = shape
    head = bytes.fromhex(ADDRESSES[destination] + '020000000000' + '88b5')
    return head.ljust(length - 4, b'\0')


def ll40g(way, length, destination):
    size = {64: '64b', 100: '65to127b', 300: '256to511b', 1518: '1024to1518b'}[length]
    return {f'{way}_{destination[0]}cast_data_ok': 1, f'{way}_{size}': 1, f'{way}_st': 1,
            f'{way}_octets_ok': length - 18}


def ll40g_agilex5(way, length, destination):
    counts = ll40g(way, length, destination) | {f'{way}_frame_octets_ok': length}
    del counts[f'{way}_st']
    return counts


def ixf1104(way, length, destination):
    size = {64: '64', 100: '65to127', 300: '256to511', 1518: '1024to1518'}[length]
    octets = {'tx': 'tx_octets_transmitted_ok', 'rx': 'rx_octets_total_ok'}[way]
    return {f'{way}_{destination[0]}c_pkts': 1, f'{way}_pkts{size}_octets': 1, octets: length}


def rc32438(way, length, destination):
    # The octets of a packet lack the FCS, which the MAC appends, only on transmit.
    counts = {'tx': {'tx_tbc': length, 'tx_ok': 1, 'tx_ok_octets': length - 4},
              'rx': {'rx_rbc': length, 'rx_rpc': 1, 'rx_ok': 1, 'rx_ok_octets': length}}[way]
    return counts if destination == 'unicast' else counts | {f'{way}_{destination}_packet': 1}


def cpsw(way, length, destination):
    # Both directions share the counters of lengths and of all octets.
    size = {64: '64', 100: '65_127', 300: '256_511', 1518: '1024_up'}[length]
    counts = {f'{way}_good_frames': 1, f'{way}_octets': length,
              f'rxtx_{size}_octet_frames': 1, 'rxtx_net_octets': length}
    return counts if destination == 'unicast' else counts | {f'{way}_{destination}_frames': 1}


def e1000(way, length, destination):
    size = {64: '64', 100: '65_to_127', 300: '256_to_511', 1518: '1024_up'}[length]
    counts = {f'{way}_good_frames': 1, f'{way}_good_octets': length, f'{way}_total_frames': 1,
              f'{way}_total_octets': length, f'{way}_{size}_octets': 1}
    return counts if destination == 'unicast' else counts | {f'{way}_{destination}': 1}


def k1_emac(way, length, destination):
    counts = {f'{way}_frames': 1, f'{way}_octets': length, f'{way}_total_frames': 1,
              f'{way}_{destination}': 1}
    if way == 'tx':
        return counts
    size = {64: '64', 100: '65_to_127', 300: '256_to_511', 1518: '1024_to_1518'}[length]
    return counts | {'rx_total_octets': length, f'rx_{size}_octets': 1}


# Without rtl_tally: its counters of 16 bits wrap in 44 ms, and a busy machine polls later.
FACTS = {function.__name__: function
         for function in (ll40g, ll40g_agilex5, ixf1104, rc32438, cpsw, e1000, k1_emac)}


def expected(port, facts, frames):
    """The totals after so many frames of each shape in each direction."""
    totals = dict.fromkeys(port.counter_names(), 0)
    for way, numbers in frames.items():
        for shape, number in zip(SHAPES, numbers):
            for name, step in facts(way, *shape).items():
                totals[name] += step * number
    return totals
