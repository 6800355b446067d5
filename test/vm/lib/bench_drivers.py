# SPDX-License-Identifier: GPL-2.0
"""The drivers on the bench, for guests and for ./dev: data only."""

import dataclasses
import difflib
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ROOT / 'docs/drivers'
DEFECTS = PAGES / 'defects.json'


@dataclasses.dataclass(frozen=True)
class Driver:
    """A driver, by the name of its personality. @folder: its sources, below drivers/net/ethernet;
    @revision: of the model: options of a device.
    @own: the members of rtnl that it counts by its descriptors, of which the bench has none.
    @registers: without a model: (what they hold, {address: value}, {statistic or string of ethtool
    -S: what it has to be then, by the manual}). @full_duplex: it reads no register of half duplex,
    as its PHY is in full duplex. @alone: the kernel reports its defects, which would end a run of
    other tests: it has a guest of its own."""
    name: str
    folder: str
    model: str = ''
    revision: tuple = ()
    module: str = ''
    own: tuple = ()
    registers: tuple = ()
    full_duplex: bool = False
    alone: bool = False


PACKETS = 'rx_packets', 'tx_packets', 'rx_bytes', 'tx_bytes'
OF_DESCRIPTORS = (*PACKETS, 'rx_errors', 'tx_errors', 'rx_dropped', 'tx_dropped', 'collisions',
                  'rx_length_errors', 'rx_crc_errors', 'rx_missed_errors', 'tx_carrier_errors')
DRIVERS = {driver.name: driver for driver in (
    Driver('8139cp', 'realtek', 'rtl_tally', own=(
        *OF_DESCRIPTORS, 'rx_frame_errors', 'rx_fifo_errors', 'tx_window_errors',
        'tx_aborted_errors', 'tx_fifo_errors')),
    Driver('alx', 'atheros/alx', 'alx'),
    Driver('altera_tse', 'altera', 'altera_tse', own=(*PACKETS, 'rx_dropped')),
    Driver('atl1c', 'atheros/atl1c', 'alx'),
    Driver('e1000e', 'intel/e1000e', 'e1000e', full_duplex=True),
    Driver('hibmcge', 'hisilicon/hibmcge', alone=True, registers=(
        ('0x100b0 holds 3 frames with a bad FCS', {0x100b0: 3},
         {'eth-mac/FrameCheckSequenceErrors': 3, 'eth-mac/InRangeLengthErrors': 0,
          'rtnl/rx_crc_errors': 3, 'rtnl/rx_errors': 3}),
    )),
    Driver('igb', 'intel/igb', 'e1000e', ('revision_3',), own=PACKETS),
    Driver('igc', 'intel/igc', 'e1000e', ('revision_4',), own=PACKETS),
    Driver('lan743x', 'microchip', 'lan743x'),
    Driver('macb', 'cadence', 'gem', own=PACKETS),
    Driver('r8169', 'realtek', 'rtl_tally', own=(
        *PACKETS, 'rx_errors', 'rx_crc_errors', 'rx_length_errors', 'multicast')),
    Driver('stmmac', 'stmicro/stmmac', 'dwmac_mmc', module='dwmac-generic',
           own=(*OF_DESCRIPTORS, 'rx_over_errors')),
    Driver('tg3', 'broadcom', registers=(
        ('0x088c holds 15 unicast frames', {0x088c: 15}, {'rtnl/rx_packets': 15}),
        ('0x0890 holds 3 multicast frames', {0x0890: 3},
         {'rtnl/rx_packets': 3, 'rtnl/multicast': 3}),
        ('0x0890 holds 3 multicast frames, again', {0x0890: 3},
         {'rtnl/rx_packets': 3, 'rtnl/multicast': 3}),
        ('0x0880 holds 4000000000 octets', {0x0880: 4000000000}, {'-S rx_octets': 4000000000}),
        ('0x0880 holds 4000000000 octets, again', {0x0880: 4000000000},
         {'-S rx_octets': 4000000000}),
    )),
)}
NOT_SAID = 'No manual says whether counters roll over at their maximum or stay there. Here they ' \
    'roll over.'
# At their maximum, counters roll over or stay, and who says so.
AT_MAXIMUM = {
    'alx': NOT_SAID,
    'altera_tse': 'Counters roll over: so says the user guide.',
    'lan743x': 'Counters roll over: the data sheet of the LAN950x says so of the same counters.',
    'e1000e': 'Counters stay at their maximum, and octets roll over: so say the data sheets.',
    'gem': 'Counters stay at their maximum: so says the Zynq manual.',
    'rtl_tally': NOT_SAID,
    'dwmac_mmc': 'Counters roll over unless CNTSTOPRO is set: so say the register pages.',
}
WITHOUT_MODEL = 'Its registers are memory here, which a test writes: what the driver resets, ' \
    'what wraps or stays at its maximum, and what gets lost does not show.'


# Of a statistic of a driver: (word, sign in the table of drivers, meaning). First one for frames
# and counters alone; then what happens in other trials of check-driver.
RIGHT, WRONG, DIFFERS, MISSING, UNCOUNTED, OWN, UNJUDGED = VERDICTS = (
    ('right', '✓', 'as the datasheet says, for frames of each kind'),
    ('wrong', '✗', 'not so: a report says how, and where'),
    ('differs', '≠', 'not so, but not claimed to be wrong: it reads the standard otherwise'),
    ('missing', '–', 'not reported, although the model has it'),
    ('uncounted', '0', 'reported as 0, although the MAC counts it'),
    ('own count', 'd', 'counted by the driver from its descriptors, of which the bench has none'),
    ('unjudged', '?', 'reported, but no counter of the model is that statistic'),
)
WRAPS = 'wraps', 'w', 'wrong once a register or total has gone round'
FLAGS = {
    'open': WRAPS,
    'wrap': WRAPS,
    'silence': ('lost unread', 'u', 'counts are lost while nobody reads for as long as the line '
                'takes to fill 32 bits of octets, or half of a shorter counter'),
    'down-up': ('lost at down and up', 'l', 'counts that nobody has read are lost, or all of them'),
    'reset': ('lost at a reset', 'r', 'counts are lost when the hardware resets its counters'),
    'readers': ('torn', 'n', 'wrong, or gone back, while others read'),
    'late': ('late', 't', 'shown up to 2.5 s later'),
}


def statistics():
    """group/name of each standard statistic, in the order of their numbers, which begin at 1"""
    text = (ROOT / 'shared/macstats/statistics.h').read_text().replace('\\\n', '')
    return [f'{group.lower().replace("_", "-")}/{name or quoted}' for group, name, quoted in
            re.findall(r'\bX\((\w+), \w+, \w+, \w+,\s*(?:N\((\w+)\)|"([^"]+)")', text)]


def family(name):
    """A histogram by the name of its class: rmon/rx-pktsNtoM"""
    return re.sub(r'pkts\d+to\d+$', 'pktsNtoM', name)


def differences(name, page):
    """(lines that only docs/drivers has, -, or only this page, +; are they of the same kernel?)"""
    committed = (PAGES / f'{name}.md').read_text()
    found = difflib.unified_diff(committed.splitlines(), page.splitlines(), n=0)
    kernels = {re.search(r'the driver of (Linux \S+),', text)[1] for text in (committed, page)}
    return [line for line in [*found][2:] if not line.startswith('@@ ')], len(kernels) == 1


def defects_of(name):
    """The defects of a driver that its run shows."""
    return [each for each in json.loads(DEFECTS.read_text())['defects']
            if each['driver'] == name and 'shown' in each]
