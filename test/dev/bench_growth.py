# SPDX-License-Identifier: GPL-2.0
"""How costs grow: the exponent of each series `NAME/SIZE` of costs, and its plot."""

import dataclasses
import math

import shell
from shell import Failure

# A series may grow so fast. Those that must not depend on the size have an exponent near 0.
LINEAR, CONSTANT = 1.05, 0.05
FEWEST = 3      # sizes that an exponent is fitted to
PLOT = '''set terminal svg size 640,420 dynamic background '#ffffff' name '{name}'
set output '{output}'
set logscale xy
set key left top
set xlabel '{size}'
set ylabel '{unit}'
set grid
set format y '10^{{%L}}'
plot {lines}
'''


@dataclasses.dataclass(frozen=True)
class Series:
    """Costs named @name/SIZE. @most: the limit of the exponent."""
    name: str
    most: float = LINEAR

    def points(self, costs):
        """(size, cost), by size"""
        return sorted((int(name.rpartition('/')[2]), cost) for name, cost in costs.items()
                      if name.rpartition('/')[0] == self.name)


@dataclasses.dataclass(frozen=True)
class Plot:
    """A file of docs/performance/ with some series over the same sizes."""
    file: str
    size: str
    unit: str
    series: tuple


PLOTS = (
    Plot('counters.svg', 'counters of a model', 'ns', (
        Series('frame by counters', CONSTANT), Series('poll by counters'))),
    Plot('frames.svg', 'frames', 'ns', (Series('count frames'),)),
    Plot('ports.svg', 'ports', 'instructions', (
        Series('make ports'), Series('delete ports'), Series('dump of ports'),
        Series('fresh read beside ports', CONSTANT))),
    Plot('readers.svg', 'readers of a port', 'instructions', (Series('reads by readers'),)),
    Plot('namespaces.svg', 'namespaces with a port each', 'instructions', (
        Series('make ports in namespaces'), Series('dump beside namespaces', CONSTANT),
        Series('fresh read beside namespaces', CONSTANT))),
)


def exponent(points):
    """Of the power of the size that fits the costs best: the slope of the line through their
    logarithms."""
    logs = [(math.log(size), math.log(cost)) for size, cost in points]
    middle = [sum(column) / len(logs) for column in zip(*logs)]
    return sum((x - middle[0]) * (y - middle[1]) for x, y in logs) / \
        sum((x - middle[0]) ** 2 for x, _ in logs)


def larger_half(points):
    """Those that an exponent is fitted to: fixed costs hide the growth of the others."""
    return points[-max(FEWEST, (len(points) + 1) // 2):]


def growth(points):
    return exponent(larger_half(points))


def lines(costs):
    """A line about each series that was measured."""
    for plot in PLOTS:
        for series in plot.series:
            points = series.points(costs)
            if len(points) >= FEWEST:
                found = growth(points)
                yield f'{series.name}, {points[0][0]:,} to {points[-1][0]:,}: exponent ' \
                      f'{found:.2f} from {larger_half(points)[0][0]:,} on, ' \
                      f'goal ≤ {series.most:.2f}, ' \
                      f'{"good" if found <= series.most else "missed"}'
            elif points:
                yield f'{series.name}: an exponent needs {FEWEST} sizes, not {len(points)}'


def script(plot, costs, output):
    """The input of gnuplot, '' if nothing of the plot was measured."""
    data = [(series, points) for series in plot.series
            if len(points := series.points(costs)) >= FEWEST]
    if not data:
        return ''
    blocks = ''.join(f'$data{i} << EOD\n' + ''.join(f'{size} {cost}\n' for size, cost in points) +
                     'EOD\n' for i, (_, points) in enumerate(data))
    return blocks + PLOT.format(
        name=plot.file.partition('.')[0], output=output, size=plot.size, unit=plot.unit,
        lines=', '.join(f"$data{i} with linespoints title '{series.name}: "
                        f"exponent {growth(points):.2f}'"
                        for i, (series, points) in enumerate(data)))


def draw(costs, folder):
    """Writes the plots of what was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    for plot in PLOTS:
        text = script(plot, costs, folder / plot.file)
        if not text:
            continue
        path = folder / f'{plot.file}.gnuplot'
        path.write_text(text)
        status, output = shell.output_of(['gnuplot', path])
        path.unlink()
        if status:
            raise Failure(f'gnuplot: {plot.file}:\n{output}')
