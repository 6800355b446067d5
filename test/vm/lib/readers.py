# SPDX-License-Identifier: GPL-2.0
"""Readers of a port's statistics, and the comparison with the expected values of registers. A table
{counter: expression of registers} states how a driver makes its counters:

    {'rx_length_errors': 'RUC + ROC', ...}
"""

import json
import pathlib
import subprocess

from netdev import EthtoolReader
from tap import expect_equal


def evaluate(expression, registers):
    return eval(expression, {}, registers)  # pylint: disable=eval-used # of a table in a test


def names_in(expression):
    """The registers in an expression."""
    return set(compile(expression, 'expression', 'eval').co_names)


class Reader:
    """A way to read the statistics of a port, and their table. @software: counters that are not of
    registers, or not of the wire. All counters of the port must be in one of both."""

    def __init__(self, port, table, software=()):
        self.port, self.table = port, table
        self.before = self.values()
        expect_equal(sorted(set(self.before) - set(software)), sorted(table),
                     f'{port}: the counters of {type(self).__name__}')

    def values(self):
        """{counter: value}"""
        raise NotImplementedError

    def differences(self, counts):
        """Lines that show the counters whose values are not those of these Counts."""
        values = self.values()
        for name, expression in self.table.items():
            actual = values[name] - self.before[name]
            expected = evaluate(expression, counts.in_qemu)
            if actual == expected:
                continue
            line = f'{self.port} {name} ({expression}): {actual}, expected {expected}'
            if actual == evaluate(expression, counts.documented):
                line += ', the documented value: QEMU has lost the erratum ' + ' or '.join(
                    name for name, registers in counts.errata.items()
                    if any(registers[each] for each in names_in(expression)))
            yield line


class EthtoolStatistics(Reader):
    """ethtool -S"""

    def __init__(self, links, port, table, software=()):
        self.reader = EthtoolReader(links, port)
        super().__init__(port, table, software)

    def values(self):
        return self.reader.totals()


class SysfsStatistics(Reader):
    """The statistics of rtnetlink, as `ip -s -s link` shows them. Some drivers update them only now
    and then, or when ethtool reads."""

    def values(self):
        folder = pathlib.Path('/sys/class/net', self.port, 'statistics')
        return {path.name: int(path.read_text()) for path in folder.iterdir()}


class StandardStatistics(Reader):
    """The standard groups, as eth-mac/FramesReceivedOK; of histograms, each range by its first
    length, as rmon/rx-pkts65; pause frames as pause/rx_pause_frames"""

    GROUPS = 'eth-phy', 'eth-mac', 'eth-ctrl', 'rmon'

    def _json(self, *words):
        done = subprocess.run(['ethtool', '--json', *words], stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)[0]

    def values(self):
        groups = self._json('-S', self.port, '--groups', *self.GROUPS)
        found = {}
        for group in self.GROUPS:
            for name, value in groups.get(group, {}).items():
                if isinstance(value, list):
                    found.update({f'{group}/{name.removesuffix("NtoM")}{each["low"]}': each['val']
                                  for each in value})
                else:
                    found[f'{group}/{name}'] = value
        pause = self._json('--include-statistics', '-a', self.port).get('statistics', {})
        return found | {f'pause/{name}': value for name, value in pause.items()}


# The tables of the driver e1000 as the kernel has it.
E1000_ETHTOOL = {
    'rx_packets': 'GPRC', 'tx_packets': 'GPTC', 'rx_bytes': 'GORC', 'tx_bytes': 'GOTC',
    'rx_broadcast': 'BPRC', 'tx_broadcast': 'BPTC', 'rx_multicast': 'MPRC', 'tx_multicast': 'MPTC',
    'rx_errors': 'RXERRC', 'tx_errors': 'ECOL + LATECOL', 'multicast': 'MPRC',
    'collisions': 'COLC', 'rx_length_errors': 'RUC + ROC', 'rx_crc_errors': 'CRCERRS',
    'rx_frame_errors': 'ALGNERRC', 'rx_no_buffer_count': 'RNBC', 'rx_missed_errors': 'MPC',
    'tx_aborted_errors': 'ECOL', 'tx_carrier_errors': 'TNCRS', 'tx_window_errors': 'LATECOL',
    'tx_abort_late_coll': 'LATECOL', 'tx_deferred_ok': 'DC', 'tx_single_coll_ok': 'SCC',
    'tx_multi_coll_ok': 'MCC', 'rx_long_length_errors': 'ROC', 'rx_short_length_errors': 'RUC',
    'rx_align_errors': 'ALGNERRC', 'tx_tcp_seg_good': 'TSCTC', 'tx_tcp_seg_failed': 'TSCTFC',
    'rx_flow_control_xon': 'XONRXC', 'rx_flow_control_xoff': 'XOFFRXC',
    'tx_flow_control_xon': 'XONTXC', 'tx_flow_control_xoff': 'XOFFTXC',
    'rx_long_byte_count': 'GORC', 'tx_smbus': 'MGTPTC', 'rx_smbus': 'MGTPRC',
    'dropped_smbus': 'MGTPDC',
}
E1000_SOFTWARE = (
    'tx_dropped', 'rx_over_errors', 'tx_fifo_errors', 'tx_heartbeat_errors', 'tx_timeout_count',
    'tx_restart_queue', 'rx_csum_offload_good', 'rx_csum_offload_errors', 'alloc_rx_buff_failed',
)
E1000_SYSFS = {
    'multicast': 'MPRC', 'collisions': 'COLC', 'rx_length_errors': 'RUC + ROC',
    'rx_errors': 'RXERRC + CRCERRS + ALGNERRC + RUC + ROC + CEXTERR', 'rx_crc_errors': 'CRCERRS',
    'rx_frame_errors': 'ALGNERRC', 'rx_missed_errors': 'MPC', 'tx_errors': 'ECOL + LATECOL',
    'tx_aborted_errors': 'ECOL', 'tx_window_errors': 'LATECOL', 'tx_carrier_errors': 'TNCRS',
}
SYSFS_SOFTWARE = (
    'rx_packets', 'tx_packets', 'rx_bytes', 'tx_bytes', 'rx_dropped', 'tx_dropped',
    'rx_over_errors', 'rx_fifo_errors', 'tx_fifo_errors', 'tx_heartbeat_errors', 'rx_compressed',
    'tx_compressed', 'rx_nohandler',
)

# Those of the converted driver. Its strings of ethtool -S are the same and more.
SIZES = (('64', '64'), ('65', '127'), ('128', '255'), ('256', '511'), ('512', '1023'),
         ('1024', '1522'))
CONVERTED_ETHTOOL = E1000_ETHTOOL | {
    'rx_symbol_errors': 'SYMERRS', 'rx_sequence_errors': 'SEC',
    'rx_carrier_extension_errors': 'CEXTERR', 'rx_unsupported_flow_control': 'FCRUC',
    'rx_fragments': 'RFC', 'rx_jabbers': 'RJC', 'rx_total_octets': 'TOR', 'tx_total_octets': 'TOT',
    'rx_total_frames': 'TPR', 'tx_total_frames': 'TPT',
} | {f'{way}_{low}_to_{high}_octets': f'P{way[0].upper()}C{high}' for way in ('rx', 'tx')
     for low, high in SIZES[1:-1]} | {
    'rx_64_octets': 'PRC64', 'tx_64_octets': 'PTC64', 'rx_1024_up_octets': 'PRC1522',
    'tx_1024_up_octets': 'PTC1522',
}
# Octets in Linux have no FCS. A frame counts under one cause.
CONVERTED_SYSFS = {
    'rx_packets': 'GPRC', 'tx_packets': 'GPTC', 'rx_bytes': 'GORC - 4 * GPRC',
    'tx_bytes': 'GOTC - 4 * GPTC', 'multicast': 'MPRC', 'collisions': 'COLC',
    'rx_errors': 'CRCERRS + RUC + RFC + ROC', 'rx_length_errors': 'ROC + RJC',
    'rx_crc_errors': 'CRCERRS - ALGNERRC - RJC', 'rx_frame_errors': 'ALGNERRC',
    'rx_missed_errors': 'MPC', 'tx_errors': 'ECOL + LATECOL + TNCRS', 'tx_aborted_errors': 'ECOL',
    'tx_window_errors': 'LATECOL', 'tx_carrier_errors': 'TNCRS',
}
CONVERTED_SYSFS_SOFTWARE = tuple(name for name in SYSFS_SOFTWARE if name not in CONVERTED_SYSFS)
RX_CONTROL, TX_CONTROL = 'XONRXC + XOFFRXC', 'XONTXC + XOFFTXC'
CONVERTED_STANDARD = {
    'eth-mac/FramesTransmittedOK': f'GPTC + {TX_CONTROL}',
    'eth-mac/SingleCollisionFrames': 'SCC', 'eth-mac/MultipleCollisionFrames': 'MCC',
    'eth-mac/FramesReceivedOK': f'GPRC + {RX_CONTROL} + FCRUC',
    'eth-mac/FrameCheckSequenceErrors': 'CRCERRS - ALGNERRC - RJC',
    'eth-mac/AlignmentErrors': 'ALGNERRC', 'eth-mac/LateCollisions': 'LATECOL',
    'eth-mac/FramesAbortedDueToXSColls': 'ECOL', 'eth-mac/CarrierSenseErrors': 'TNCRS',
    'eth-mac/MulticastFramesXmittedOK': f'MPTC + {TX_CONTROL}',
    'eth-mac/BroadcastFramesXmittedOK': 'BPTC', 'eth-mac/BroadcastFramesReceivedOK': 'BPRC',
    'eth-mac/FrameTooLongErrors': 'ROC + RJC',
    'eth-ctrl/MACControlFramesReceived': f'{RX_CONTROL} + FCRUC',
    'eth-ctrl/UnsupportedOpcodesReceived': 'FCRUC',
    'rmon/etherStatsUndersizePkts': 'RUC', 'rmon/etherStatsOversizePkts': 'ROC',
    'rmon/etherStatsFragments': 'RFC', 'rmon/etherStatsJabbers': 'RJC',
    'pause/rx_pause_frames': RX_CONTROL, 'pause/tx_pause_frames': TX_CONTROL,
}

# The same of e1000e, whose statistics are all of registers.
E1000E_SYSFS = E1000_SYSFS | {
    'rx_packets': 'GPRC', 'tx_packets': 'GPTC', 'rx_bytes': 'GORC', 'tx_bytes': 'GOTC',
}
E1000E_ETHTOOL = E1000_ETHTOOL | {'rx_errors': E1000_SYSFS['rx_errors']}
del E1000E_ETHTOOL['rx_long_byte_count']
E1000E_SOFTWARE = E1000_SOFTWARE + (
    'rx_header_split', 'rx_dma_failed', 'tx_dma_failed', 'rx_hwtstamp_cleared', 'corr_ecc_errors',
    'uncorr_ecc_errors', 'tx_hwtstamp_timeouts', 'tx_hwtstamp_skipped',
)
# An 82574 has no TNCRS.
CONVERTED_E1000E_SYSFS = CONVERTED_SYSFS | {'tx_errors': 'ECOL + LATECOL'}
del CONVERTED_E1000E_SYSFS['tx_carrier_errors']
CONVERTED_E1000E_ETHTOOL = CONVERTED_ETHTOOL | {
    'rx_data_errors': 'RXERRC', 'rx_errors': CONVERTED_SYSFS['rx_errors'],
    'rx_frame_errors': CONVERTED_SYSFS['rx_frame_errors'],
}
del CONVERTED_E1000E_ETHTOOL['rx_long_byte_count']
CONVERTED_E1000E_SOFTWARE = E1000E_SOFTWARE + ('rxtx_interrupts', *(
    f'{name}_interrupts' for name in (
        'rx_packet_timer', 'rx_absolute_timer', 'tx_packet_timer', 'tx_absolute_timer',
        'tx_queue_empty', 'tx_queue_minimum', 'rx_minimum', 'rx_overrun')))
CONVERTED_E1000E_STANDARD = dict(CONVERTED_STANDARD)
del CONVERTED_E1000E_STANDARD['eth-mac/CarrierSenseErrors']
