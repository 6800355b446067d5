#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each row of docs/faults.md is what users see of the fault."""

import contextlib

import cli
import uapi
from fault_page import BEFORE, COUNTERS, MORE, expect_seen, names_of, table, unless_late
from ports import DEFAULT_WAIT_MS, KernelLog, reader_wait, with_first_place
from tap import case, expect, expect_equal, main, wait_for

# What the kernel log has of each event but stale, which has its reason there
LINES = {'recovered': 'statistics can be read again', 'possible_loss': 'counts may be lost: ',
         'discontinuity': 'counting restarts from the current register values',
         'parity_error': 'parity error in the statistics counters'}


def rows():
    return table('| `')


def options_of(text):
    """The attributes of a fault request."""
    words = text.split()
    if not words:
        return {}
    return {'word': lambda: {'argument': int(words[1])},
            'announced': lambda: {'announced': True},
            'during': lambda: {'during_read': True}}.get(
                words[0], lambda: {'argument': int(words[0])})()


def check_row(here, row):
    fault, options, model, while_it_lasts, frames, after, lost, events, logged = row
    title = f'{fault} {options} {model}'
    port = here.add(model)
    counter = COUNTERS[model]
    log, listener = KernelLog(), here.listen()

    port.inject(count=BEFORE)
    expect_equal(port.totals()[counter], BEFORE, f'{title}: before')
    port.fault(fault, **options_of(options))
    port.inject(count=MORE)
    with reader_wait(DEFAULT_WAIT_MS) if ' or ' in frames else contextlib.nullcontext():
        expect_seen(port, counter, while_it_lasts, frames, title)
    if fault not in ('reset', 'parity_error'):
        port.fault(fault, False)
    wait_for(lambda: 'stale' not in (port.stats() and port.state()), f'{title}: recovery')

    shown = expect_seen(port, counter, 'good', after, f'{title}: after')
    discontinuities, loss = lost.split(', ')
    expected = int(discontinuities), loss == 'yes'
    state = port.state()
    expect_equal((state['discontinuities'], 'possible_loss' in state), expected, f'{title}: lost')
    expect_equal((shown['discontinuities'], shown['possible_loss']), expected, f'{title}: show')
    expected = [] if events == 'none' else sorted(events.split(', '))
    notified = names_of([event['event'] for _, event in listener.events(len(expected) > 0)
                         if 'event' in event])
    expect_equal(notified, expected, f'{title}: events')
    lines = [line for line in log.lines() if port.name in line]
    texts = {**LINES, 'stale': f'statistics are {while_it_lasts}; '}
    expect_equal(sorted(next((event for event, text in texts.items() if text in line), line)
                        for line in lines), expected if logged else [], f'{title}: kernel log')
    expect(logged in ''.join(lines), f'{title}: kernel log {lines}')
    port.delete()


def make_case(number, row):
    @with_first_place
    def run(here):
        unless_late(lambda: check_row(here, row))
    words = f'{row[0]} {row[1]} {row[2]}'.split()
    run.__name__ = f'row_{number}_{"_".join(words)}'
    return case(run)


for number_, row_ in enumerate(rows(), 1):
    make_case(number_, row_)


@case
def the_table_has_every_fault_of_each_model_in_it():
    models = cli.macstats_json('models')
    listed = {row[2] for row in rows()}
    for model in models:
        if model['name'] not in listed:
            print(f'# left out: {model["name"]}, of which docs/faults.md has no rows')
    supported = {(fault, model['name']) for model in models for fault in model['faults']
                 if model['name'] in listed}
    expect_equal({(row[0], row[2]) for row in rows()}, supported, 'faults and models')
    known = {name.removeprefix('MACSTATS_FAULT_').lower() for name in uapi.NUMBERS
             if name.startswith('MACSTATS_FAULT_') and not name.endswith('_ALL')}
    expect_equal({fault for fault, _ in supported}, known, 'faults')
    expect_equal({model for _, model in supported}, set(COUNTERS), 'models')


if __name__ == '__main__':
    main()
