# SPDX-License-Identifier: GPL-2.0
"""The table of ./dev bench: what is measured, beside what, and the goals. A cost has a name; a `*`
at its end stands for each model. The growth of costs: the exponent of each series `NAME/SIZE`."""

import dataclasses
import math
import statistics

KIBI = 1024
PEERS = ('veth',)     # not models
# The most that an exponent may be. Costs that must not depend on the size have one near 0.
LINEAR, CONSTANT = 1.05, 0.05
SERIES = {
    'frame by counters': CONSTANT, 'poll by counters': LINEAR, 'count frames': LINEAR,
    'make ports': LINEAR, 'delete ports': LINEAR, 'dump of ports': LINEAR,
    'fresh read beside ports': CONSTANT, 'reads by readers': LINEAR,
    'make ports in namespaces': LINEAR, 'dump beside namespaces': CONSTANT,
    'fresh read beside namespaces': CONSTANT}
FEWEST = 3      # sizes that an exponent is fitted to


@dataclasses.dataclass(frozen=True)
class Row:
    """@ours and @peer in @unit. The goal is a limit of their ratio, or without a peer of ours; a
    lower one with @at_least."""
    what: str
    ours: float
    peer: float | None = None
    peer_name: str = ''
    goal: float | None = None
    unit: str = 'instructions'
    at_least: bool = False

    @property
    def figure(self):
        return self.ours if self.peer is None else self.ours / self.peer

    @property
    def verdict(self):
        if self.goal is None:
            return ''
        good = self.figure >= self.goal if self.at_least else self.figure <= self.goal
        return 'good' if good else 'missed'


@dataclasses.dataclass(frozen=True)
class Entry(Row):
    """A row, or one for each model. @ours, @peer and @less are names of costs, of which @less is
    taken off both others and @factor is of both."""
    less: str = ''
    factor: float = 1

    def rows(self, costs):
        """The rows whose costs were measured."""
        start = self.ours.removesuffix('*')
        models = [''] if start == self.ours else \
            [name.removeprefix(start) for name in costs if name.startswith(start)]
        for model in models:
            ours, peer, less = ((name or '').replace('*', model)
                                for name in (self.ours, self.peer, self.less))
            if model in PEERS or not {ours, peer, less} - {''} <= set(costs):
                continue
            off = costs[less] if less else 0
            yield Row(f'{self.what}, {model}' if model else self.what,
                      self.factor * (costs[ours] - off),
                      self.factor * (costs[peer] - off) if peer else None,
                      self.peer_name or self.peer, self.goal,
                      self.unit, self.at_least)


THOUSAND = '/1000 ports'
HUNDRED = '/100 ports'
ENTRIES = (
    # Native code
    Entry('count a frame', 'count/*', goal=8, unit='ns'),
    Entry('the same, beside a walk over its rows: times faster', 'walk/*', 'count/*', 'count',
          unit='ns'),
    Entry('count a frame, all counters of a model', 'count_few/58', 'count_few/5', 'five of them',
          1.1, unit='ns'),
    Entry('frames by two CPUs', 'frames by threads/2', 'frames by threads/1', 'one CPU', 1.9,
          unit='million/s', at_least=True),
    Entry('add a value to its total', 'accumulate/*', 'bare_add/*', 'subtract, mask, add',
          unit='ns', less='rewind/*'),
    Entry('add a value to its total, beside a walk over the rows', 'accumulate/*', 'walk/*', 'walk',
          unit='ns'),
    Entry('a step `send` of a scenario', 'send_steps', goal=500, unit='ns'),
    # A guest: one call
    Entry('a frame through a pair', 'frame/*', 'frame/veth', 'veth', 1.15),
    Entry('a fresh ETHTOOL_GSTATS, beside its bus accesses', 'read/*', 'loop/*', 'bare loop', 1.3),
    Entry('the same, registers in memory', 'ram/*', 'bare/*', 'bare loop', 1.3),
    Entry('the same after new frames', 'read new/*', 'loop new/*', 'bare loop', 1.3),
    Entry('RTM_GETLINK', 'link/*', 'link/veth', 'veth'),
    Entry('ndo_get_stats64', 'stats64/*', 'stats64 of veth/*', 'veth', 1),
    Entry('a dump from memory, a counter', 'dump', 'nla_put', goal=1.3),
    Entry(f'macstats show --json{HUNDRED}', f'show --json{HUNDRED}', f'ioctls{HUNDRED}',
          'ioctls', 1.5),
    Entry(f'macstats show --json{HUNDRED}', f'show --json{HUNDRED}', f'ethtool -S{HUNDRED}',
          'ethtool -S', 1 / 50),
    Entry(f'macstats export --textfile{HUNDRED}', f'export --textfile{HUNDRED}',
          f'ioctls{HUNDRED}', 'ioctls'),
    Entry('start of macstats models', 'macstats models', 'ethtool --version', goal=2),
    # A guest: many ports
    Entry(f'names, cached totals and standard statistics by the library{THOUSAND}',
          f'cached by the library{THOUSAND}', f'ioctls{THOUSAND}', 'ioctls', 0.2),
    Entry(f'macstats show --json{THOUSAND}', f'show --json{THOUSAND}', f'ioctls{THOUSAND}',
          'ioctls', 1.5),
    Entry(f'macstats show --json{THOUSAND}', f'show --json{THOUSAND}', f'ethtool -S{THOUSAND}',
          'ethtool -S', 1 / 50),
    Entry('a sample of macstats export', 'sample by macstats export', 'sample by node_exporter',
          'node_exporter', 1 / 10),
    Entry('polling 1,000 ports', 'polling/*', goal=3, unit='% of a CPU', factor=1e-7),
    Entry('memory of an idle port beyond its cells and an end of a veth',
          'memory of a port beyond veth', goal=24 * KIBI, unit='octets'),
    Entry('make one of 4,096 ports', 'make/ll40g', 'make/veth', 'veth', 1.4),
    Entry('delete one of 4,096 ports', 'delete/ll40g', 'delete/veth', 'veth', 1.2),
    Entry('a scenario on the modules, in a batch', 'scenario', goal=3, unit='ms', factor=1e-6),
    # A guest with NICs
    Entry('a frame of the converted e1000', 'frame of e1000, converted', 'frame of e1000',
          'unconverted', 1),
    Entry('ethtool -S of the converted e1000', 'read of e1000, converted', 'read of e1000',
          'unconverted', 1.2),
)


def rows_of(costs):
    return [row for entry in ENTRIES for row in entry.rows(costs)]


def number(value):
    return f'{value:,.0f}' if value >= 1000 else f'{value:.3g}'


def table(rows):
    """The lines of the table."""
    cells = [('', 'ours', 'peer', '', 'ratio', 'goal', '')]
    for row in rows:
        goal = '' if row.goal is None else f'{"≥" if row.at_least else "≤"} {number(row.goal)}'
        cells.append((row.what, number(row.ours),
                      *(('', row.unit, '') if row.peer is None else
                        (number(row.peer), row.peer_name, number(row.figure))),
                      goal, row.verdict))
    aligned = '<>><><<'
    widths = [max(map(len, column)) for column in zip(*cells)]
    for line in cells:
        yield '  '.join(f'{cell:{side}{width}}' for cell, side, width
                        in zip(line, aligned, widths)).rstrip()


def growth(costs):
    """A line about each series that was measured. The exponent is fitted to the larger half: fixed
    costs hide the growth of the others."""
    for name, most in SERIES.items():
        points = sorted((int(each.rpartition('/')[2]), cost) for each, cost in costs.items()
                        if each.rpartition('/')[0] == name)
        larger = points[-max(FEWEST, (len(points) + 1) // 2):]
        if len(points) >= FEWEST:
            sizes, values = (list(map(math.log, each)) for each in zip(*larger))
            found = statistics.linear_regression(sizes, values).slope
            yield f'{name}, {points[0][0]:,} to {points[-1][0]:,}: exponent {found:.2f} from ' \
                  f'{larger[0][0]:,} on, goal ≤ {most:.2f}, ' \
                  f'{"good" if found <= most else "missed"}'
        elif points:
            yield f'{name}: an exponent needs {FEWEST} sizes, not {len(points)}'
