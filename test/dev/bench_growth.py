# SPDX-License-Identifier: GPL-2.0
"""How costs grow: the exponent of each series `NAME/SIZE` of costs."""

import math
import statistics

# The most that an exponent may be. Costs that must not depend on the size have one near 0.
LINEAR, CONSTANT = 1.05, 0.05
SERIES = {
    'frame by counters': CONSTANT, 'poll by counters': LINEAR, 'count frames': LINEAR,
    'make ports': LINEAR, 'delete ports': LINEAR, 'dump of ports': LINEAR,
    'fresh read beside ports': CONSTANT, 'reads by readers': LINEAR,
    'make ports in namespaces': LINEAR, 'dump beside namespaces': CONSTANT,
    'fresh read beside namespaces': CONSTANT}
FEWEST = 3      # sizes that an exponent is fitted to


def points_of(name, costs):
    """(size, cost) of a series, by size"""
    return sorted((int(each.rpartition('/')[2]), cost) for each, cost in costs.items()
                  if each.rpartition('/')[0] == name)


def lines(costs):
    """A line about each series that was measured. The exponent is fitted to the larger half: fixed
    costs hide the growth of the others."""
    for name, most in SERIES.items():
        points = points_of(name, costs)
        larger = points[-max(FEWEST, (len(points) + 1) // 2):]
        if len(points) >= FEWEST:
            sizes, values = (list(map(math.log, each)) for each in zip(*larger))
            found = statistics.linear_regression(sizes, values).slope
            yield f'{name}, {points[0][0]:,} to {points[-1][0]:,}: exponent {found:.2f} from ' \
                  f'{larger[0][0]:,} on, goal ≤ {most:.2f}, ' \
                  f'{"good" if found <= most else "missed"}'
        elif points:
            yield f'{name}: an exponent needs {FEWEST} sizes, not {len(points)}'
