#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Costs in a guest whose clock counts instructions, one in a nanosecond: `./dev bench` runs it.

    test/bench/guest.py GROUP...    prints one line of JSON, {name: instructions}, behind `costs: `
"""

import contextlib
import dataclasses
import functools
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'test/vm/lib'))
import uapi  # noqa: E402

BUILD = pathlib.Path(os.environ['MACSTATS']).parents[2]
CALLS, PORTS_PROGRAM = (BUILD / f'test/bench/bench-{name}' for name in ('calls', 'ports'))
NODE_EXPORTER = ROOT / 'build/kernel/prometheus/usr/bin/prometheus-node-exporter'
COSTS_MODULE = 'macstats_test_costs'
COSTS = pathlib.Path('/sys/module', COSTS_MODULE, 'parameters')
FEW, MANY, MOST = 100, 1000, 4096   # ports
POLL_SECONDS = 10
MEMORY_PORTS = 1000     # what other work allocates and frees hides the memory of fewer
SETTLED_OCTETS = 100_000  # within two seconds
FIRST_PORTS = 2000      # these, and no fewer, use up the memory that others have freed
STARTS = 5
STATS64_CALLS = 1000
KINDS = 'frame', 'read', 'link'
GROWTH_PORTS = 1, 4, 16, 64, 256, 1024, MOST
GROWTH_READERS = 1, 2, 4, 8, 16
GROWTH_NAMESPACES = 1, 10, 100, 1000
READER_CALLS = 50


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Numbers of ports that are polled, that are read, and that are made and deleted; the distance
    of scenarios that run; how often exporters are read."""
    polled: int = 250
    read: int = MANY
    made: int = MOST
    scenarios: int = 1
    scrapes: int = 5


# CI measures with fewer: a port takes about as many instructions.
FEWER = Sizes(polled=50, read=250, made=256, scenarios=4, scrapes=1)


def output_of(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def numbers_of(*words):
    return [int(number) for number in output_of(*words).split()]


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


def busy():
    """Nanoseconds for which the CPU has run tasks, those of the kernel too."""
    time.sleep(0.001)   # the time of this task is added when it stops
    line, = re.findall(r'^cpu0 (.*)$', pathlib.Path('/proc/schedstat').read_text(), re.MULTILINE)
    return int(line.split()[6])


def busy_during(function):
    before = busy()
    function()
    return busy() - before


def bring_up(*names):
    for name in names:
        output_of('ip', 'link', 'set', 'dev', name, 'arp', 'off', 'up')
    time.sleep(1)   # the carrier is known, and the first work done


def calls_of(device, *kinds):
    return {kind: numbers_of(CALLS, kind, device)[0] for kind in kinds}


def read_after_frames(device, *senders):
    """A read of a device, before which each sender has sent a frame."""
    cost, = numbers_of(CALLS, 'read', device, *senders)
    return cost


def dump_of_totals(*start):
    """Of the totals of all ports, without a poll. @start: of the command."""
    return numbers_of(*start, CALLS, 'dump', uapi.MACSTATS_GENL_NAME,
                      uapi.MACSTATS_CMD_STATS_GET, uapi.MACSTATS_A_STATS_CACHED)


def stats64(device):
    (COSTS / 'stats64').write_text(device)
    return int((COSTS / 'stats64').read_text()) / STATS64_CALLS


@contextlib.contextmanager
def costs_module(model, *parameters):
    """A context with the net devices of test/driver/macstats_test_costs.c."""
    output_of('insmod', f'{os.environ["KMOD_EXTRA_DIR"]}/kmod/driver/{COSTS_MODULE}.ko',
              f'model={model}', *parameters)
    try:
        yield
    finally:
        output_of('rmmod', COSTS_MODULE)


@contextlib.contextmanager
def ports(model, number, prefix='p', held=False):
    """A context with ports p0, p1, ... They poll as seldom as they can after be_quiet(), and never
    if they are held."""
    words = ['hold', model, str(number), prefix, *(['held'] if held else [])]
    with subprocess.Popen([PORTS_PROGRAM, *words], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        if program.stdout.readline() != 'made\n':
            raise RuntimeError(f'no {number} ports of {model}')
        devices = [pathlib.Path(f'/sys/class/net/{prefix}{i}/device').resolve()
                   for i in (0, number - 1)]
        yield
        program.stdin.close()
    # The first and the last of them. A look at all would cost as much as their deletion.
    while any(device.exists() for device in devices):
        time.sleep(0.1)


def be_quiet():
    """All ports poll at their longest interval."""
    for port in json.loads(output_of('macstats', 'ports', '--json')):
        output_of('ethtool', '-C', port['port'],
                  'stats-block-usecs', port['poll_ceiling_usecs'])


def models():
    return [model['name'] for model in json.loads(output_of('macstats', 'models', '--json'))]


def veth_costs():
    output_of('modprobe', 'veth')
    output_of('ip', 'link', 'add', 'veth0', 'type', 'veth', 'peer', 'veth1')
    bring_up('veth0', 'veth1')
    return calls_of('veth0', *KINDS)


def pair_costs(model):
    """The costs of a pair of ports, and of the same bus accesses in a bare loop."""
    bus = []
    for template in ('a%d', 'b%d'):
        output_of('macstats', 'emu', 'add', model, '--name', template)
        bus.append(pathlib.Path(f'/sys/class/net/{template[0]}0/device').resolve().name)
    output_of('macstats', 'emu', 'link', 'a0', 'b0')
    bring_up('a0', 'b0')
    found = calls_of('a0', *KINDS)
    found['read new'] = read_after_frames('a0', 'a0', 'b0')
    with costs_module(model, f'emulated={bus[0]}'):
        found |= {name: calls_of(device, 'read')['read'] for name, device in
                  (('ram', 'ram0'), ('bare', 'bare0'), ('loop', 'loop0'))}
        found['loop new'] = read_after_frames('loop0', 'a0', 'b0')
        found['stats64'] = stats64('a0')
        found['stats64 of veth'] = stats64('veth0')
    output_of('macstats', 'emu', 'delete', 'a0', 'b0')
    return found


def dump_costs():
    """A dump from memory, and one of the same attributes."""
    counters = len(json.loads(output_of('macstats', 'model', 'll40g', '--json'))['counters'])
    ours, messages, octets, *sizes = dump_of_totals()
    with costs_module('ll40g'):
        (COSTS / 'messages').write_text(str(messages))
        (COSTS / 'sizes').write_text(','.join(map(str, sizes)))
        peer, *same = numbers_of(CALLS, 'dump', 'macstats_costs', 1)
    if same != [messages, octets, *sizes]:
        raise RuntimeError(f'{same} messages and octets, not {[messages, octets, *sizes]}')
    return {'dump': ours / messages / counters, 'nla_put': peer / messages / counters}


def few_costs():
    names = [f'p{i}' for i in range(FEW)]
    with ports('ll40g', FEW):
        time.sleep(1)
        found = {
            'ioctls': numbers_of(CALLS, 'ports', *names)[0],
            'show --json': took('macstats', 'show', '--json'),
            'export --textfile': took('macstats', 'export', '--textfile', '/tmp/macstats.prom'),
            'ethtool -S': took('ethtool', '-S', names[0]) * FEW,
        }
        found = {f'{name}/{FEW} ports': cost for name, cost in found.items()}
        return found | dump_costs()


def call_costs():
    found = {f'{kind}/veth': cost for kind, cost in veth_costs().items()}
    for model in models():
        found |= {f'{kind}/{model}': cost for kind, cost in pair_costs(model).items()}
    found |= {'macstats models': took('macstats', 'models'),
              'ethtool --version': took('ethtool', '--version')}
    return found | few_costs()


def poll_costs(sizes):
    """Instructions per second of ports that nobody reads, for 1,000 of them."""
    idle = busy_during(lambda: time.sleep(POLL_SECONDS)) / POLL_SECONDS
    found = {}
    for model in models():
        with ports(model, sizes.polled):
            time.sleep(2)
            polls = busy_during(lambda: time.sleep(POLL_SECONDS)) / POLL_SECONDS
        found[f'polling/{model}'] = (polls - idle) / sizes.polled * MANY
    return found


def many_costs(sizes):
    """Of 1,000 ports, whose polls by the interval do not disturb."""
    names = [f'p{i}' for i in range(sizes.read)]
    process = min(busy_during(lambda: output_of('true')) for _ in range(STARTS))

    def all_of(*words):
        return min(busy_during(lambda: subprocess.run(words, check=True,
                                                      stdout=subprocess.DEVNULL))
                   for _ in range(3)) - process
    with ports('ll40g', sizes.read):
        be_quiet()
        found = {
            'ioctls': min(numbers_of(CALLS, 'ports', *names)[0] for _ in range(3)),
            'cached by the library': min(numbers_of(PORTS_PROGRAM, 'cached')[0]
                                         for _ in range(3)),
            'show --json': all_of('macstats', 'show', '--json'),
            'ethtool -S': (all_of('ethtool', '-S', names[0]) + process) * sizes.read,
        }
    return {f'{name}/{MANY} ports': cost / sizes.read * MANY for name, cost in found.items()}


def used_by(pid):
    """Nanoseconds of CPU of all threads of a process."""
    return sum(int((thread / 'schedstat').read_text().split()[0])
               for thread in pathlib.Path(f'/proc/{pid}/task').iterdir())


def scrape(port):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    connection.request('GET', '/metrics')
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def cost_of_samples(scrapes, port, family, *words):
    """Nanoseconds of CPU of a server for one sample of the ports."""
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as server:
        for tries in range(100):
            with contextlib.suppress(OSError):
                scrape(port)
                break
            time.sleep(0.2)
        before = used_by(server.pid)
        for _ in range(scrapes):
            samples = len(re.findall(rf'^{family}\w*{{', scrape(port), re.MULTILINE))
        used = used_by(server.pid) - before
        server.terminate()
    if samples < FEW * 50:
        raise RuntimeError(f'{words[0]} has {samples} samples of {FEW} ports')
    return used / scrapes / samples


def export_costs(sizes):
    output_of('ip', 'link', 'set', 'lo', 'up')
    with ports('ll40g', FEW):
        be_quiet()
        return {
            'sample by macstats export': cost_of_samples(
                sizes.scrapes, 9797, 'macstats_',
                'macstats', 'export', '--listen', '127.0.0.1:9797'),
            'sample by node_exporter': cost_of_samples(
                sizes.scrapes, 9100, 'node_ethtool_',
                NODE_EXPORTER, '--collector.disable-defaults', '--collector.ethtool',
                '--web.listen-address=127.0.0.1:9100'),
        }


def memory_now():
    pathlib.Path('/proc/sys/vm/drop_caches').write_text('3')
    found = {name: 1024 * int(kilo) for name, kilo in re.findall(
        r'^(\w+): +(\d+) kB$', pathlib.Path('/proc/meminfo').read_text(), re.MULTILINE)}
    return found['MemTotal'] - sum(found[name] for name in (
        'MemFree', 'Buffers', 'Cached', 'AnonPages'))


def memory():
    """Octets of the memory that is in use, except caches, when none is freed any more."""
    last, now = None, memory_now()
    while last is None or abs(now - last) > SETTLED_OCTETS:
        time.sleep(2)
        last, now = now, memory_now()
    return now


def make_veths(ends, prefix=''):
    with open('/tmp/add', 'w') as file:
        for i in range(ends // 2):
            file.write(f'link add {prefix}v{i} group 7 type veth '
                       f'peer name {prefix}w{i} group 7\n')
    output_of('ip', '-batch', '/tmp/add')


def delete_veths():
    output_of('ip', 'link', 'del', 'group', '7')


def memory_costs():
    """Of a port with a block of cells for each CPU, beyond these cells and an end of a veth. The
    first ports use memory that others have freed, so only ports added after them are measured."""
    with costs_module('ll40g'):
        cells = int((COSTS / 'cells').read_text()) * os.sysconf('SC_NPROCESSORS_CONF')
    with ports('ll40g', FIRST_PORTS):
        before = memory()
        with ports('ll40g', MEMORY_PORTS, 'q'):
            port = (memory() - before) / MEMORY_PORTS
    make_veths(MEMORY_PORTS)
    before = memory()
    make_veths(MEMORY_PORTS, 'x')
    veth = (memory() - before) / MEMORY_PORTS
    delete_veths()
    return {'memory of a port beyond veth': port - veth - cells}


def life_of_ports(number):
    """Instructions to make and to delete ports. They are held: no poll disturbs."""
    started = busy()
    with ports('ll40g', number, held=True):
        made = busy()
    return made - started, busy() - made


def life_costs(sizes):
    """Instructions to make and to delete a port, and an end of a veth."""
    started = busy()
    make_veths(sizes.made)
    made = busy()
    delete_veths()
    time.sleep(2)
    deleted = busy()
    found = {'make/veth': (made - started) / sizes.made,
             'delete/veth': (deleted - made) / sizes.made}
    make, delete = life_of_ports(sizes.made)
    return found | {'make/ll40g': make / sizes.made, 'delete/ll40g': delete / sizes.made}


def scenario_costs(sizes):
    """Of a scenario on the kernel modules: the time that passes, with all waiting, in a batch. The
    files are in memory, as the clock runs while the processor waits for others."""
    folder = pathlib.Path('/dev/shm/scenarios')
    shutil.copytree(ROOT / 'test/scenario', folder)
    files = sorted(folder.glob('*/*.json'))[::sizes.scenarios]

    def run():
        return subprocess.run(['macstats', 'run', '--backend', 'kernel', *map(str, files)],
                              check=False, stdout=subprocess.PIPE, text=True).stdout
    run()
    started, busy_before = time.monotonic_ns(), busy()
    text = run()
    used, passed = busy() - busy_before, time.monotonic_ns() - started
    shutil.rmtree(folder)
    done = len(re.findall(r'^ok (?!.*# SKIP)', text, re.MULTILINE))
    if done < len(files) / 2:
        raise RuntimeError(f'{done} of {len(files)} scenarios pass:\n{text[-2000:]}')
    return {'scenario': passed / done, 'scenario, CPU': used / done}


def growth_by_ports():
    found = {}
    for number in GROWTH_PORTS:
        found[f'make ports/{number}'], found[f'delete ports/{number}'] = life_of_ports(number)
        with ports('ll40g', number):
            found |= {f'dump of ports/{number}': dump_of_totals()[0],
                      f'fresh read beside ports/{number}': calls_of(
                          f'p{number - 1}', 'read')['read']}
    return found


def growth_by_readers():
    """Of all readers together, each of which reads one port so many times."""
    found = {}
    with ports('ll40g', 1):
        for number in GROWTH_READERS:
            def read(readers=number):
                running = [subprocess.Popen([CALLS, 'read', 'p0'], stdout=subprocess.DEVNULL)
                           for _ in range(readers)]
                for each in running:
                    each.wait()
            found[f'reads by readers/{number}'] = busy_during(read)
    return found


def within(number):
    """The start of a command in a namespace. `ip netns exec` would copy all mounts."""
    return 'nsenter', f'--net=/run/netns/n{number}'


def growth_by_namespaces():
    """Namespaces with a port each; reads are in the last one."""
    found, made, used = {}, 0, 0
    for number in GROWTH_NAMESPACES:
        for i in range(made, number):
            output_of('ip', 'netns', 'add', f'n{i}')
        before = busy()
        for i in range(made, number):
            output_of(*within(i), 'macstats', 'emu', 'add', 'll40g')
        used += busy() - before
        made = number
        found |= {f'make ports in namespaces/{number}': used,
                  f'fresh read beside namespaces/{number}': numbers_of(
                      *within(made - 1), CALLS, 'read', 'mac0')[0],
                  f'dump beside namespaces/{number}': dump_of_totals(*within(made - 1))[0]}
    return found


PORTS = scenario_costs, poll_costs, many_costs, export_costs, life_costs
GROUPS = {
    'calls': (call_costs,),
    'ports': [memory_costs, *(functools.partial(function, Sizes()) for function in PORTS)],
    'few': [functools.partial(function, FEWER) for function in PORTS],
    'growth': (growth_by_readers, growth_by_ports, growth_by_namespaces),
}


def main(groups):
    os.chdir('/')
    for scope in ('all', 'default'):
        pathlib.Path(f'/proc/sys/net/ipv6/conf/{scope}/disable_ipv6').write_text('1')
    output_of('modprobe', 'veth')
    found, failed = {}, False
    for function in [function for group in groups for function in GROUPS[group]]:
        try:
            found |= function()
        except (OSError, RuntimeError, ValueError, subprocess.CalledProcessError):
            failed = True
            traceback.print_exc()
    print('costs:', json.dumps(found), flush=True)
    return failed


sys.exit(main(sys.argv[1:]))
