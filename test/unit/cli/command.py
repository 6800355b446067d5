#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The command line where no kernel module is needed: output, exit codes, verbs, suggestions, help,
numbers and durations, empty lists, and addresses that cannot be listened at. That of `macstats run`
is in run.py.

command.py COMMAND: the macstats command.
"""
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from command_line import COMMAND, NOT_LOADED, ROOT, Command, run  # noqa: E402


def commands(*path):
    """The commands that a help text lists, with their descriptions."""
    listed = run('help', *path).stdout.partition('Subcommands:\n')[2].partition('\n\n')[0]
    return dict(re.findall(r'^  (\S+) +(\S.*)$', listed, re.MULTILINE))


def every_command():
    for name in commands():
        yield (name,)
        for verb in commands(name):
            yield (name, verb)


class Help(Command):
    def test_help_of_a_command_is_that_of_its_option(self):
        for words in ((), ('show',), ('emu',), ('emu', 'add'), ('tag', 'list')):
            asked, option = run('help', *words), run(*words, '--help')
            self.assertEqual((asked.returncode, asked.stderr), (0, ''))
            self.assertEqual(asked.stdout, option.stdout)
            self.assertTrue(asked.stdout)

    def test_help_of_an_unknown_command_suggests_one(self):
        self.assertEqual(self.rejected('help', 'shwo'),
                         'macstats has no command "shwo"; did you mean show?')
        self.assertEqual(self.rejected('help', 'emu', 'ad'),
                         '`macstats emu` has no command "ad"; did you mean add?')

    def test_each_command_has_a_line_that_fits_the_screen(self):
        found = list(every_command())
        self.assertGreater(len(found), 25)
        for path in found:
            text = run('help', *path).stdout
            with self.subTest(path):
                self.assertRegex(text.splitlines()[0], r'^[A-Z][^.]*$')
                self.assertIn('Usage: macstats ' + ' '.join(path), text)
            self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        for path in ((), ('emu',), ('tag',)):
            for name, description in commands(*path).items():
                self.assertLessEqual(len(description), 50, name)

    def test_examples_are_indented(self):
        self.assertIn('\n\nExample:\n  macstats emu link mac0 mac1\n',
                      run('help', 'emu', 'link').stdout)
        for path in ((), ('emu', 'add'), ('emu', 'inject'), ('emu', 'peek'), ('show',), ('watch',),
                     ('tag',), ('events',), ('registers',)):
            self.assertIn('\n\nExample', run('help', *path).stdout, path)

    def test_each_option_with_a_value_names_it_and_its_default(self):
        for path in every_command():
            options = run('help', *path).stdout.partition('\nOptions:\n')[2].partition('\n\n')[0]
            with self.subTest(path):
                self.assertNotIn(' VALUE', options)
                self.assertNotRegex(options, r'\((\d|\w+)\)$')

    def test_options_name_their_values(self):
        # Newer versions of CLI11 give a long one a line of its own.
        for path, option in ((('emu', 'fault'), r'--word N\s'),
                             (('emu', 'fault'), r'--microseconds N\s'),
                             (('emu', 'add'), r'--line-rate-bound on\|off\s')):
            self.assertRegex(run('help', *path).stdout, option)

    def test_the_page_names_each_command_and_schema(self):
        page = (ROOT / 'docs/command.md').read_text(encoding='utf-8')
        for path in every_command():
            if path != ('help',):
                self.assertRegex(page, rf'[` ]{path[-1]}[` ]', path)
        for schema in (ROOT / 'docs/schema').glob('*.schema.json'):
            self.assertIn(f'](schema/{schema.name})', page)


class Output(Command):
    def test_models_are_listed_and_described(self):
        text = run('models')
        self.assertEqual((text.returncode, text.stderr), (0, ''))
        for line in ('MODEL          PORTS  COUNTERS  BUS  ACCESS',
                     'ixf1104        4      53        32   rclr             -       ',
                     'rtl_tally      1      13        32   dump             r8169,8139cp'):
            self.assertIn(line, text.stdout)
        models = json.loads(run('models', '--json').stdout)
        self.assertEqual(len(models), len(text.stdout.splitlines()) - 1)
        self.assertEqual(models[0], json.loads(run('model', models[0]['name'], '--json').stdout))
        self.assertIn('CNTR_TX_CONFIG', run('model', 'll40g').stdout)

    def test_the_version_is_printed(self):
        done = run('--version')
        self.assertEqual((done.returncode, done.stdout[:9]), (0, 'macstats '))

    # Addresses 0x0f (Max Frame Size) and 0x19, and their values 9600 and 0, as x86 and ARM store
    # them.
    def test_a_saved_register_dump_is_decoded(self):
        def decode(model):
            return subprocess.run(
                [COMMAND, 'registers', '--file', '-', '--model', model, '--json'], check=False,
                input=struct.pack('<4I', 0x0f, 9600, 0x19, 0), capture_output=True)
        done = decode('ixf1104')
        self.assertEqual(done.returncode, 0, done.stderr)
        register = json.loads(done.stdout)['registers'][0]
        self.assertEqual((register['name'], register['value']), ('Max Frame Size', 9600))
        self.assertEqual(decode('ll40g').returncode, 2)

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open('/dev/full', 'w', encoding='utf-8') as full:
            done = subprocess.run([COMMAND, 'models'], stdout=full, stderr=subprocess.DEVNULL,
                                  check=False)
        self.assertEqual(done.returncode, 1)

    def test_a_complaint_is_one_line_of_printable_utf8(self):
        done = subprocess.run([COMMAND, 'model', b'no\x1b[31m\xff\nsuch'], capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(rb'"no\x1b[31m\xff\x0asuch"', done.stderr)
        self.assertEqual(done.stderr.count(b'\n'), 1)


class Usage(Command):
    def test_bad_usage_has_a_complaint(self):
        for line in (
                '', 'emu', 'tag', 'emu nosuch',
                'model', 'show mac0 --model ll40g', 'show --rate=100000', 'tag name',
                'tag list name', 'tag delete no/name', 'tag delete name mac0', 'events --timeout x',
                'events --threshold tx_64b', 'events --threshold tx_64b=many', 'threshold',
                'registers', 'registers mac0 --model ll40g', 'registers --model ll40g',
                'registers --file /dev/null', 'registers mac0 --model ll40g --file /dev/null',
                'registers --model nosuch --file /dev/null',
                'registers --model ll40g --file /dev/null',
                'registers --model ll40g --file /nosuch', 'emu add nosuch',
                'emu add ll40g --power-up maybe', 'emu add ll40g --seed x',
                'emu add cpsw --netdevs x', 'emu add cpsw --netdevs 2 --name lab',
                'emu add ll40g --option medium=fiber', 'emu add ll40g --option',
                'emu add ll40g --name 0123456789abcdef', 'emu add ll40g --line-rate-bound maybe',
                'emu delete', 'emu link mac0', 'emu inject mac0 --direction up',
                'emu inject mac0 --length -1', 'emu inject mac0 --length 65536',
                'emu inject mac0 --length 4294967296', 'emu inject mac0 --errors fcs,nosuch',
                'emu inject mac0 --count 0', 'emu inject mac0 --count 18446744073709551616',
                'emu inject mac0 --count 1.5', 'emu inject mac0 --kind jumbo', 'emu peek mac0',
                'emu poke mac0 CNTR_TX_CONFIG', 'emu fault mac0', 'emu fault mac0 nosuch',
                'emu fault mac0 bus_error off',
                'emu fault mac0 bus_error_at --word'):
            self.rejected(*line.split())
        self.assertTrue(self.rejected('model', 'nosuch', '--json').startswith(
            'this macstats has no model "nosuch"; its models are ll40g, '))

    def test_without_the_kernel_modules_there_is_a_hint(self):
        if run('ports').returncode != NOT_LOADED:
            self.skipTest('the modules are loaded')
        for line in (
                'ports', 'ports --json', 'ports --model ll40g', 'show', 'show mac0 --json',
                'show mac0 --rate', 'show --rate 2 mac0 --json', 'show mac0 --group rmon pause',
                'watch', 'watch mac0 --json', 'tag add name mac0', 'events --timeout 1',
                'events --threshold tx_64b=1 mac0', 'registers mac0', 'emu add ll40g', 'emu list',
                'emu delete 0', 'emu inject mac0', 'emu link mac0 mac1', 'emu unlink mac0',
                'emu peek mac0 0x800', 'emu poke mac0 CNTR_TX_CONFIG 1',
                'emu preset mac0 tx_64b 0xffffffff', 'emu fault mac0 bus_error',
                'emu fault mac0 bus_error --off', 'emu fault mac0 reset --announced',
                'emu fault mac0 bus_error_at --word 3',
                'emu fault mac0 slow_bus --microseconds 10',
                'emu fault mac0 clock_stopped --during-read',
                'emu add ll40g --line-rate-bound off', 'emu add cpsw --netdevs 2 --name lab%d',
                'emu add ll40g --option vlan_detection=off --option variant=on --power-up random '
                '--seed 0x7'):
            done = run(*line.split())
            self.assertEqual((done.returncode, done.stdout), (NOT_LOADED, ''), line)
            self.assertTrue(done.stderr.startswith('macstats: '), line)
            self.assertIn('sudo modprobe macstats_emu', done.stderr, line)


class Words(Command):
    def test_mistyped_commands_get_a_suggestion(self):
        for words, message in (
                (('shwo', 'mac0'), 'macstats has no command "shwo"; did you mean show?'),
                (('emu', 'ad', 'cpsw'), '`macstats emu` has no command "ad"; did you mean add?'),
                (('emu', 'remove', '0'), '`macstats emu` has no command "remove"; see '
                                         '`macstats help emu`'),
                (('frobnicate',), 'macstats has no command "frobnicate"; see `macstats help`'),
                ((), '`macstats` needs a command; see `macstats help`'),
                (('emu',), '`macstats emu` needs a command; see `macstats help emu`'),
                (('tag',), '`macstats tag` needs a command; see `macstats help tag`')):
            self.assertEqual(self.rejected(*words), message)

    def test_mistyped_options_get_a_suggestion(self):
        for words, message in (
                (('show', '--nonzeros'), '`macstats show` has no option --nonzeros; did you mean '
                                         '--nonzero?'),
                (('watch', '--intervall=2'), '`macstats watch` has no option --intervall; did you '
                                             'mean --interval?'),
                (('emu', 'inject', 'mac0', '--lenght', '5'),
                 '`macstats emu inject` has no option --lenght; did you mean --length?'),
                (('models', '--frobnicate'), '`macstats models` has no option --frobnicate; see '
                                             '`macstats help models`')):
            self.assertEqual(self.rejected(*words), message)

    def test_words_before_the_command_get_the_same_messages(self):
        for words, message in (
                (('--modle', 'cpsw', 'show'), '`macstats show` has no option --modle; did you mean '
                                              '--model?'),
                (('bogus', 'tag', 'list'), '`macstats tag list` does not take "bogus"; see '
                                           '`macstats help tag list`'),
                (('1', 'emu', 'link'), '`macstats emu link` does not take "1"; see `macstats help '
                                       'emu link`')):
            self.assertEqual(self.rejected(*words), message)
        self.assertEqual(run('bogus', 'show', '--help').stdout, run('help', 'show').stdout)

    def test_a_word_too_many_and_a_missing_one_are_named(self):
        self.assertEqual(self.rejected('model', 'cpsw', 'more'),
                         '`macstats model` does not take "more"; see `macstats help model`')
        self.assertEqual(self.rejected('emu', 'add'),
                         'MODEL is required; see `macstats help emu add`')
        self.assertEqual(self.rejected('emu', 'add', 'cpsw', '--seed'),
                         '--seed needs a value; see `macstats help emu add`')

    def test_verbs_are_accepted(self):
        for words in (('emu', 'delete', '0'), ('tag', 'add', 'before', 'mac0')):
            self.reaches_the_kernel(*words)

    def test_tags_are_deleted(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, 'macstats/tags/before.json')
            file.parent.mkdir(parents=True)
            file.write_text('{}', encoding='utf-8')
            done = run('tag', 'delete', 'before', XDG_STATE_HOME=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.assertFalse(file.exists())

    def test_an_empty_list_says_so_and_what_to_do(self):
        done = run('tag', 'list', XDG_STATE_HOME='/nosuch')
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, '', 'macstats: no tags; `macstats tag add NAME` saves one\n'))
        self.assertEqual(json.loads(run('tag', 'list', '--json', XDG_STATE_HOME='/nosuch').stdout),
                         [])
        self.rejected('tag', 'list', XDG_STATE_HOME='/dev/null')

    def test_messages_use_the_words_of_the_command_line(self):
        self.assertEqual(self.rejected('emu', 'add', 'ixf1104', '--name', 'mac'),
                         '--name must contain `%d`: ixf1104 gets 4 net devices, for example '
                         '`--name mac%d`')


class Numbers(Command):
    def test_a_bad_count_gets_a_short_message(self):
        for words, things in ((('watch',), 'intervals'), (('events',), 'events')):
            for count in ('0', '-1', 'x', '1.5', '18446744073709551616'):
                self.assertEqual(
                    self.rejected(*words, '--count', count),
                    f'--count: "{count}" is not a number of {things}; give 1 or more')

    def test_durations_have_units(self):
        for words in (('show', '--rate', '0.5s'), ('show', '--rate=500ms'),
                      ('show', 'mac0', '--rate', '2m'), ('show', '--rate', '10'),
                      ('show', '--rate', '1e1'), ('show', '--rate', 'mac0'),
                      ('watch', '--interval', '500ms'), ('watch', '--interval', '1h'),
                      ('events', '--timeout', '0.5s')):
            self.reaches_the_kernel(*words)

    def test_durations_out_of_range_are_rejected(self):
        for words, message in (
                (('show', '--rate', '0'), '--rate: 0 is not in 0.01 to 86400 seconds'),
                (('show', '--rate', '1ms'), '--rate: 1ms is not in 0.01 to 86400 seconds'),
                (('show', '--rate', '25h'), '--rate: 25h is not in 0.01 to 86400 seconds'),
                (('show', '--rate', 'nan(1)'), '--rate: nan(1) is not in 0.01 to 86400 seconds'),
                (('watch', '--interval', '50ms'), '--interval: 50ms is not in 0.1 to 3600 seconds'),
                (('events', '--timeout', '-1'),
                 '--timeout: -1 is not in 0 to 1000000000 seconds')):
            self.assertEqual(self.rejected(*words), message)
        for duration in ('x', '1x', 's', '1 s', '1,5'):
            self.assertEqual(self.rejected('watch', '--interval', duration),
                             f'--interval: "{duration}" is not a duration; give seconds, for '
                             'example 10, 0.5s, 200ms or 2m')

    def test_an_empty_value_is_no_missing_option(self):
        for words in (('show', '--since'), ('show', '--model'), ('watch', '--interval'),
                      ('events', '--threshold'), ('export', '--allow-host'), ('run', 'x', '--shard')):
            self.assertEqual(self.rejected(*words, ''),
                             f'{words[-1]} needs a value; see `macstats help {words[0]}`')
        self.assertIn('--label needs', self.rejected('export', '--label', '', '--label', 'a=b'))
        self.assertEqual(self.rejected('export', '--textfile=', '--all'),
                         '--textfile needs a value')

    def test_a_list_of_an_option_ends_with_its_word(self):
        self.reaches_the_kernel('check-driver', '--trials', 'silence', 'eth0', '--twin', 'mac0')

    def test_a_comparison_needs_two_ports_and_excludes_what_it_does_not_print(self):
        self.assertEqual(self.rejected('show', '--diff', 'mac0'),
                         '--diff compares two ports, and 1 is given; for example '
                         '`macstats show --diff mac0 mac1`')
        self.assertIn('and 0 are given', self.rejected('show', '--diff'))
        self.assertIn('and 3 are given', self.rejected('show', 'a', 'b', 'c', '--diff'))
        for option in ('--rate', '--descriptions', '--json', '--json-strings'):
            message = self.rejected('show', '--diff', 'mac0', 'mac1', option)
            self.assertIn('--diff', message)
            self.assertIn(option, message)
        self.reaches_the_kernel('show', '--diff', 'mac0', 'mac1', '--group', 'rmon', '--since', 'x')

    def test_groups_are_a_list_with_commas_or_words(self):
        self.reaches_the_kernel('show', '--group', 'pause,rmon')
        self.reaches_the_kernel('show', '--group', 'pause', 'rmon')
        self.assertRegex(self.rejected('show', '--group', 'pause,rmonn'), '"rmonn" is not a group')
        # What is neither is a port.
        for option in '--group', '--rate':
            self.assertEqual(self.rejected('show', '--model', 'cpsw', option, 'lo'),
                             '--model excludes PORT')


class Count(Command):
    def counted(self, *words):
        """The counters that moved on one model, and its standard statistics."""
        done = run('count', *words, '--json')
        self.assertEqual(done.returncode, 0, done.stderr)
        model, = json.loads(done.stdout)['models']
        return ({row['name']: row['value'] for row in model['counters']}, model['standard'])

    # SPRUH73H 14.3.2.20: RX_MAXLEN is 1518 after a reset, and tags add no room.
    def test_a_tagged_frame_of_1522_octets_is_oversize_for_cpsw(self):
        counters, standard = self.counted('cpsw', '--direction', 'rx', '--length', '1522',
                                          '--vlan-tags', '1')
        self.assertEqual(counters, {'rx_oversize_frames': 1, 'rxtx_net_octets': 1522})
        self.assertEqual(standard['rmon']['etherStatsOversizePkts'], 1)
        self.assertEqual(standard['eth-mac']['FramesReceivedOK'], 0)

    def test_registers_are_written_before_frames_are_counted(self):
        counters, _ = self.counted('cpsw', '--direction', 'rx', '--length', '1522', '--vlan-tags',
                                   '1', '--count', '65536', '--register', 'RX_MAXLEN=1522')
        self.assertEqual(counters, {
            'rx_good_frames': 65536, 'rx_octets': 65536 * 1522, 'rxtx_net_octets': 65536 * 1522,
            'rxtx_1024_up_octet_frames': 65536})

    def test_options_of_a_device_hold_while_frames_are_counted(self):
        self.assertEqual(self.counted('ll40g', '--option', 'statistics=off'), ({}, {}))
        self.assertEqual(run('count', 'll40g', '--option', 'statistics=off').stdout,
                         'll40g: 1 tx data frame of 64 octets, unicast\n\n'
                         'no counter of ll40g counts these frames\n')

    def test_models_are_compared_and_none_shows_0_for_what_it_does_not_support(self):
        words = ('count', '--all-models', '--direction', 'rx', '--length', '40', '--errors', 'fcs')
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = [line.split() for line in done.stdout.splitlines()[2:]]
        fragments, = [line for line in table if line[0] == 'rmon/etherStatsFragments']
        shown = dict(zip(table[0][2:], fragments[1:]))
        self.assertEqual(shown['cpsw'], '1')
        for model in json.loads(run(*words, '--json').stdout)['models']:
            value = model['standard'].get('rmon', {}).get('etherStatsFragments', '-')
            self.assertEqual(shown[model['model']], str(value))

    def test_models_without_the_register_are_left_out_with_a_reason(self):
        done = run('count', '--all-models', '--register', 'RX_MAXLEN=1522')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('\nll40g is left out: --register: ll40g has no counter or register '
                      '"RX_MAXLEN"', done.stdout)
        self.assertNotIn('\ncpsw is left out', done.stdout)

    def test_bad_arguments_are_rejected(self):
        self.assertEqual(self.rejected('count'), 'give either MODEL or --all-models')
        self.assertEqual(self.rejected('count', 'cpsw', '--all-models'),
                         'give either MODEL or --all-models')
        self.assertIn('its models are', self.rejected('count', 'cpws'))
        self.assertEqual(self.rejected('count', 'cpsw', '--length', '65536'),
                         '--length: 65536 is out of range: 1 to 65535 are accepted')
        self.assertIn('--length', self.rejected('count', '--all-models', '--length', '0'))
        for count in ('0', '65537', '-1', 'x'):
            self.assertIn('--count', self.rejected('count', 'cpsw', '--count', count))
        self.assertIn('--register', self.rejected('count', 'cpsw', '--register', 'RX_MAXLEN'))
        self.assertIn('4294967295', self.rejected('count', 'cpsw', '--register',
                                                 'RX_MAXLEN=0x100000000'))
        self.assertIn('nothing', self.rejected('count', 'cpsw', '--option', 'nothing=on'))
        self.assertIn('no model can count these frames; ll40g is left out: ',
                      self.rejected('count', '--all-models', '--option', 'nothing=on'))
        for name in ('rx_good_frames', 'ID_VER', '0x28'):
            self.assertEqual(self.rejected('count', 'cpsw', '--register', f'{name}=1'),
                             f'--register: {name} of cpsw is not writable')

    def test_frames_have_the_destination_that_scenarios_give_them(self):
        for model in json.loads(run('models', '--json').stdout):
            for direction in ('tx', 'rx'):
                frame = {'direction': direction, 'kind': 'pause', 'origin': 'mac'}
                words = [word for key, value in frame.items() for word in (f'--{key}', value)]
                done = run('count', model['name'], *words, '--json')
                self.assertEqual(done.returncode, 0, done.stderr)
                destination = json.loads(done.stdout)['frames']['destination']
                self.assertIn(f', {destination}\n', run('count', model['name'], *words).stdout)
                totals = {row['name']: row['value']
                          for row in json.loads(done.stdout)['models'][0]['counters']}
                scenario = {
                    'name': 'as counted', 'devices': {'mac': {'model': model['name']}},
                    'steps': [{'send': {'port': 'mac', **frame}},
                              {'expect': {'port': 'mac', 'totals': totals, 'others': 'zero'}}]}
                done = self.run_scenario(scenario)
                self.assertEqual(done.returncode, 0, (model['name'], direction, done.stdout))

    def test_models_are_compared_by_pause_frames_that_all_of_them_make(self):
        done = run('count', '--all-models', '--kind', 'pause', '--origin', 'mac')
        self.assertIn('1 tx mac pause frame of 64 octets, multicast\n', done.stdout)
        self.assertNotIn(' is left out', done.stdout)

    def test_a_comparison_without_a_count_says_so(self):
        done = run('count', '--all-models', '--option', 'statistics=off')
        self.assertEqual(done.stdout, '1 tx data frame of 64 octets, unicast\n\nno standard '
                         'statistic of these models counts these frames\n')


class Export(Command):
    def test_an_address_that_cannot_be_listened_at_is_reported_with_the_reason(self):
        with socket.create_server(('127.0.0.1', 0)) as server:
            port = server.getsockname()[1]
            self.assertEqual(
                self.rejected('export', '--listen', f'127.0.0.1:{port}', code=1),
                f'cannot listen at 127.0.0.1:{port}: Address already in use; give another port '
                'with --listen')
        self.assertEqual(self.rejected('export', '--listen', '192.0.2.1:9797', code=1),
                         'cannot listen at 192.0.2.1:9797: Cannot assign requested address')
        # There may be no name server.
        done = run('export', '--listen', 'nosuch.invalid:9797')
        self.assertRegex((done.returncode, done.stderr).__repr__(),
                         r"^\((2, 'macstats: cannot listen at nosuch.invalid:9797: .*not known|"
                         r"1, 'macstats: cannot listen at nosuch.invalid:9797: .*resolution)")

    def test_a_port_that_needs_a_privilege_is_reported_with_it(self):
        if int(pathlib.Path('/proc/sys/net/ipv4/ip_unprivileged_port_start').read_text()) < 2:
            self.skipTest('no port needs a privilege here')
        without = ('setpriv', '--inh-caps=-net_bind_service', '--bounding-set=-net_bind_service')
        done = subprocess.run(
            [*(without if os.geteuid() == 0 else ()), COMMAND, 'export', '--listen', '127.0.0.1:1'],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (2, 'macstats: cannot listen at 127.0.0.1:1: Permission denied; ports '
                             'below 1024 require CAP_NET_BIND_SERVICE\n'))

    def test_bad_arguments_name_the_option(self):
        for address in ('localhost:x', '192.0.2.1', '9797', '127.0.0.1:65536', '[::1]'):
            self.assertEqual(self.rejected('export', '--listen', address),
                             f'--listen: "{address}" is not ADDRESS:PORT with a port from 0 to '
                             '65535; for example 127.0.0.1:9797')
        self.assertRegex(self.rejected('export', '--listen', '--cached'), '^--listen: ')
        self.assertEqual(self.rejected('export', '--textfile', '-', '--format', 'xml'),
                         '--format: "xml" is not a format; give prometheus or openmetrics')

    def test_a_file_takes_no_options_of_the_server(self):
        for option in ('--listen', '--allow-host'):
            message = self.rejected('export', '--textfile', '-', option, '127.0.0.1:0')
            self.assertIn('--textfile', message)
            self.assertIn(option, message)

    def test_an_unknown_filter_names_what_is_accepted(self):
        for words, message in (
                (('--group', 'rmom'), '--group: "rmom" is not a group; give none, or one or more '
                                      'of eth-phy,eth-mac,eth-ctrl,rmon,pause,rtnl,mm'),
                (('--max-series', '16'), '--max-series: 16 is too few; the state of a port alone '
                                         'has up to 17 series'),
                (('--max-series', 'many'), '--max-series: "many" is not a number of series; '),
                (('--label', 'port=x'), '--label: "port=x" names a label that the metrics have '
                                        'already'),
                (('--label', 'queue=1'), '--label: "queue=1" names a label that the metrics '),
                (('--label', 'a=1', '--label', 'a=2'), '--label: "a=2" names a label that '),
                (('--label', 'rack'), '--label: "rack" is not NAME=VALUE; for example rack=7'),
                (('--prefix', '1a'), '--prefix: "1a" cannot start the name of a metric; ')):
            for target in (('--textfile', '-'), ()):
                with self.subTest(words=words, target=target):
                    self.assertTrue(self.rejected('export', *target, *words).startswith(message),
                                    self.rejected('export', *target, *words))
        self.assertIn('--all', self.rejected('export', '--all', '--counter', 'rx_64b'))

    def test_a_word_that_is_unknown_here_may_be_known_once_there_are_modules(self):
        loaded = run('ports').returncode != NOT_LOADED
        for words, message in (
                (('--model', 'cpws'), '--model: "cpws" is not a model; give one or more of ll40g, '),
                (('--counter', 'rx_jabbrs'), '--counter: no model has a counter "rx_jabbrs"; did '
                                             'you mean rx_jabbers'),
                (('--counter', 'rx_64b,zz*'), '--counter: no model has a counter "zz*"; `macstats '
                                              'model NAME` lists them'),
                (('--counter', '[zy]*[s]'), '--counter: no model has a counter "[zy]*[s]"; ')):
            for target in (('--textfile', '-'), ()):
                with self.subTest(words=words, target=target):
                    found = self.rejected('export', *target, *words, code=2 if loaded else NOT_LOADED)
                    self.assertTrue(found.startswith(message), found)
                    self.assertEqual('netlink family' in found, not loaded, found)

    def test_known_filters_are_accepted(self):
        for words in (('--model', 'cpsw,e1000'), ('--group', 'rmon,pause'), ('--group', 'none'),
                      ('--counter', 'rx_*', '--counter', 'CNTR_RX_64B,errors'), ('--all',),
                      ('--counter', 'none'), ('--max-series', '17'), ('--label', 'a=1,2'),
                      ('--prefix', 'nic'), ('--created',)):
            with self.subTest(words=words):
                self.reaches_the_kernel('export', '--textfile', '-', *words)

    def test_the_exporter_is_a_program_of_its_own(self):
        exporter = pathlib.Path(COMMAND).parent / 'macstats-exporter'

        def rejected(*words):
            done = subprocess.run([exporter, *words], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ''), done.stderr)
            return done.stderr

        text = subprocess.run([exporter, '--help'], capture_output=True, text=True,
                              check=True).stdout
        self.assertTrue(text.startswith('Serve the statistics'), text)
        for option in ('--listen ADDRESS:PORT', '--allow-host NAME[,NAME...]', '--cached',
                       '--version'):
            self.assertIn(option, text)
        self.assertEqual(rejected('--cache'), 'macstats: `macstats-exporter` has no option '
                         '--cache; did you mean --cached?\n')
        self.assertEqual(rejected('now'), 'macstats: `macstats-exporter` does not take "now"; '
                         'see `macstats-exporter --help`\n')
        self.assertIn('see `macstats-exporter --help`', rejected('--listen'))

    def test_without_the_exporter_the_command_works_and_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(COMMAND, folder)
            done = subprocess.run([alone, 'export'], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (2, f'macstats: cannot serve metrics: {folder}/macstats-exporter: '
                                 'No such file or directory\n'))
            loaded = subprocess.run(['ldd', alone], capture_output=True, text=True, check=True)
            self.assertNotRegex(loaded.stdout, 'httplib|libssl|libcrypto')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
