#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Costs in a guest whose clock counts instructions, one in a nanosecond: `./dev bench` runs it.
Prints one line of JSON, {name: instructions}, behind `costs: `."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import time

sys.dont_write_bytecode = True
BUILD = pathlib.Path(os.environ['MACSTATS']).parents[2]
CALLS = BUILD / 'test/bench/bench-calls'
PORTS = 100
PROCESSES = 10      # `ethtool -S`, of so many of the ports
STARTS = 5
KINDS = 'frame', 'read', 'link'


def output_of(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def took(*words):
    """Nanoseconds of CPU of a command, whose output nobody reads, the best of several times. The
    clock also runs while the processor waits for a file."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def once():
        before = used()
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
        return round((used() - before) * 1e9)
    return min(once() for _ in range(STARTS))


def bring_up(*names):
    for name in names:
        output_of('ip', 'link', 'set', 'dev', name, 'arp', 'off', 'up')
    time.sleep(1)   # the carrier is known, and the first work done


def calls_of(device):
    return {kind: int(output_of(CALLS, kind, device)) for kind in KINDS}


def veth_costs():
    output_of('modprobe', 'veth')
    output_of('ip', 'link', 'add', 'veth0', 'type', 'veth', 'peer', 'veth1')
    bring_up('veth0', 'veth1')
    return calls_of('veth0')


def pair_costs(model):
    for template in ('a%d', 'b%d'):
        output_of('macstats', 'emu', 'add', model, '--name', template)
    output_of('macstats', 'emu', 'link', 'a0', 'b0')
    bring_up('a0', 'b0')
    found = calls_of('a0')
    output_of('macstats', 'emu', 'delete', 'a0', 'b0')
    return found


def many_costs():
    names = [f'p{i}' for i in range(PORTS)]
    for _ in names:
        output_of('macstats', 'emu', 'add', 'll40g', '--name', 'p%d')
    time.sleep(1)
    process = took('ethtool', '-S', names[0])
    return {
        'ioctls': int(output_of(CALLS, 'ports', *names)),
        'show --json': took('macstats', 'show', '--json'),
        'export --textfile': took('macstats', 'export', '--textfile', '/tmp/macstats.prom'),
        'ethtool -S': process * PORTS,
    }


def start_costs():
    return {'macstats models': took('macstats', 'models'),
            'ethtool --version': took('ethtool', '--version')}


def main():
    os.chdir('/')
    for scope in ('all', 'default'):
        pathlib.Path(f'/proc/sys/net/ipv6/conf/{scope}/disable_ipv6').write_text('1')
    models = [model['name'] for model in json.loads(output_of('macstats', 'models', '--json'))]
    found = {f'{kind}/veth': cost for kind, cost in veth_costs().items()}
    for model in models:
        found |= {f'{kind}/{model}': cost for kind, cost in pair_costs(model).items()}
    found |= start_costs()
    found |= {f'{name}/{PORTS} ports': cost for name, cost in many_costs().items()}
    print('costs:', json.dumps(found), flush=True)


main()
