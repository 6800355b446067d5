#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Selftests of the newest kernel pass unmodified on two linked ports of a MAC, but for what
CONTRIBUTING.md lists: drivers/net/stats.py, hw/ethtool_rmon.sh and hw/ethtool_std_stats.sh."""

# timeout: 3600

import os
import pathlib
import re
import shutil
import subprocess

import effort
from cli import macstats_json
from ports import bring_up, case_in_place
from tap import Failure, expect, expect_equal, main, skip_all

REPO = pathlib.Path(__file__).resolve().parents[3]
FOLDER = REPO / 'build/kernel/newest-source/tools/testing/selftests/drivers/net'
# Of Debian 13, which these kernels are made for.
SUITE = REPO / 'build/root/trixie'
PROGRAMS = {
    # Without pauses, which take most of the time of an emulated machine.
    'mausezahn': f'{shutil.which("mausezahn")} "${{@/10us*/0}}"',
    # That of Debian 12 has no --src with --groups.
    'ethtool': f'{SUITE}/lib64/ld-linux-x86-64.so.2 '
               f'--library-path {SUITE}/usr/lib/x86_64-linux-gnu {SUITE}/usr/sbin/ethtool "$@"'}
# /sys shows the net devices of the namespace in which it was mounted.
IN_NAMESPACE = 'unshare', '--mount', 'sh', '-c', 'mount -t sysfs sysfs /sys && exec "$@"', 'sh'
VERDICT = re.compile(
    r'^(?P<verdict>(not )?ok) \d+ \w+\.(?P<what>[\w-]+)(?: # (?P<word>\w+))?', re.MULTILINE)

# Where the size classes with a register start; some MACs have more of them, or fewer.
SIZES = 64, 65, 128, 256, 512, 1024, 1519
OTHER_SIZES = {'unimac': (*SIZES, 2048, 4096), 'mt7530': SIZES[:-1], 'dwmac_mmc': SIZES[:-1],
               'dwmac4_mmc': SIZES[:-1], 'dwxgmac_mmc': SIZES[:-1], 'netc': (*SIZES[:-1], 1523)}
# The directions of which a MAC has them, by the datasheets: RC32438 and Realtek have none, CPSW
# counts both directions together, and e1000, e1000e and gem good frames alone.
DIRECTIONS = {'ll40g': ['rx', 'tx'], 'll40g_agilex5': ['rx', 'tx'], 'ixf1104': ['rx', 'tx'],
              'rc32438': [], 'cpsw': [], 'e1000': [], 'e1000e': [], 'gem': [],
              'k1_emac': ['rx'], 'rtl_tally': [], 'lan743x': ['rx', 'tx'],
              'unimac': ['rx', 'tx'], 'am65_cpsw': [], 'mt7530': ['rx', 'tx'],
              'dwmac_mmc': ['rx', 'tx'], 'dwmac4_mmc': ['rx', 'tx'],
              'dwxgmac_mmc': ['rx', 'tx'], 'alx': ['rx', 'tx'],
              'altera_tse': ['rx'], 'netc': ['rx', 'tx']}

if os.environ.get('KERNEL') not in ('newest', 'rt'):
    skip_all('./dev test --kernel newest selftests.py runs them')


def rows_by_statistic(model):
    """{standard statistic, as GROUP-NAME: rows that are added to it}, of the first revision"""
    found, lacking = {}, set()
    for row in model['counters']:
        for term in row['standard']:
            name = term.partition('*')[0].replace('/', '-')
            found.setdefault(name, []).append(row)
            if 'revisions' in row and model['options']['revision'] not in row['revisions']:
                lacking.add(name)
    return {name: rows for name, rows in found.items() if name not in lacking}


def chosen(names):
    """One of them by the seed; all in a full run."""
    names = sorted(names)
    some = names if effort.FULL else [names[effort.seed() % len(names)]]
    print(f'# of {len(names)} models: {" ".join(some)}')
    return some


ALL = macstats_json('models')
HAVE = {model['name']: rows_by_statistic(model) for model in ALL}
OPTIONS = {model['name']: model['options'] for model in ALL}
RESET = {model['name']: {register['name']: register['reset'] for register in model['registers']}
         for model in ALL}
MODELS = chosen(HAVE)


def make_programs():
    """The folder of programs that the selftests call."""
    folder = pathlib.Path('programs').resolve()
    folder.mkdir(exist_ok=True)
    for name, command in PROGRAMS.items():
        (folder / name).write_text(f'#!/bin/bash\nexec {command}\n')
        (folder / name).chmod(0o755)
    return folder


def verdicts(here, model, name):
    """{test: ok, not ok, SKIP or XFAIL} of a selftest on two linked ports."""
    left, right = here.add(model, quiet=False), here.add(model, quiet=False)
    left.link(right)
    bring_up(left, right)
    # The ports are there already, and have a carrier.
    environment = {'PATH': f'{make_programs()}:{os.environ["PATH"]}', 'NETIF_CREATE': 'no',
                   'WAIT_TIME': '0', 'DRIVER_TEST_CONFORMANT': 'no', 'NETIF': left.name,
                   'PYTHONDONTWRITEBYTECODE': '1'}
    path = FOLDER / name
    words = [left.name, right.name] if path.suffix == '.sh' else []
    with here.inside():
        done = subprocess.run(
            [*IN_NAMESPACE, path, *words], cwd=path.parent, env=os.environ | environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False)
    found = {match['what']: match['word'] or match['verdict']
             for match in VERDICT.finditer(done.stdout)}
    # Its status tells whether it has made all tests that it planned.
    if done.returncode != int('not ok' in found.values()):
        raise Failure(f'{model}: exit status {done.returncode}: {done.stdout}')
    return found


@case_in_place
def ethtool_rmon_passes_for_the_size_classes_of_a_mac(here):
    for model in MODELS:
        directions = [direction for direction in ('rx', 'tx')
                      if f'rmon-{direction}-pktsNtoM' in HAVE[model]]
        expect_equal(directions, DIRECTIONS.get(model, directions), f'{model}: histograms')
        found = verdicts(here, model, 'hw/ethtool_rmon.sh')
        expect_equal({what.rpartition('to')[0]: verdict for what, verdict in found.items()},
                     {f'{direction}-pkts{size}': 'ok' for direction in directions
                      for size in OTHER_SIZES.get(model, SIZES)}, model)


def counts_wrong_length(model, way):
    """Whether frames whose length field is wrong, and no others of its errors, count this way
    after power-up."""
    def holds(gate):
        if 'option' in gate:
            return OPTIONS[model][gate['option']] == gate['value']
        return bool(RESET[model][gate['register']] & gate['mask'])
    return ('payload_length' in way.get('errors', ['payload_length']) and
            'payload_length' not in way.get('no_errors', []) and
            all(map(holds, way.get('with', []))) and not any(map(holds, way.get('without', []))))


def expected_verdict(model, what):
    """Of a test of ethtool_std_stats.sh, by the name of its statistic. The frames of eth-mac have
    86 octets of data and a length field of 0."""
    if what not in HAVE[model]:
        return 'SKIP'
    if what.startswith('eth-mac-Octets'):
        return 'not ok'
    ways = [way for row in HAVE[model][what] for way in row['when']]
    wrong_counts = any(counts_wrong_length(model, way) for way in ways)
    if (what == 'eth-mac-InRangeLengthErrors' and wrong_counts or
            what.endswith('ReceivedOK') and not wrong_counts):
        return 'not ok'
    if what == 'pause-tx_pause_frames' and all(way.get('origin') == ['mac'] for way in ways):
        return 'XFAIL'
    return 'ok'


@case_in_place
def ethtool_std_stats_passes_for_what_a_mac_has_and_skips_the_rest(here):
    for model in MODELS:
        found = verdicts(here, model, 'hw/ethtool_std_stats.sh')
        expect(found, f'{model}: no verdict')
        expect_equal(found, {what: expected_verdict(model, what) for what in found}, model)


@case_in_place
def stats_passes_but_for_what_a_mac_lacks(here):
    for model in MODELS:
        has_pauses = any(what.startswith('pause-') for what in HAVE[model])
        has_bytes = 'rtnl-rx_bytes' in HAVE[model]
        expect_equal(verdicts(here, model, 'stats.py'), {
            'check_pause': 'ok' if has_pauses else 'not ok', 'check_fec': 'SKIP',
            'check_fec_hist': 'SKIP', 'pkt_byte_sum': 'ok' if has_bytes else 'not ok',
            'qstat_by_ifindex': 'ok',
            'check_down': 'ok', 'procfs_hammer': 'ok', 'procfs_downup_hammer': 'not ok'}, model)


main()
