#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Manual pages and shell completion, as they are installed.

documents.py COMMAND FOLDER: the macstats command, and the folder of what was made.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

COMMAND, MADE = '', pathlib.Path()
PAGES = 'libmacstats.3', 'macstats-scenario.5', 'macstats.7'


def output(*words, **options):
    done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, **options)
    if done.returncode or done.stderr:
        raise AssertionError(f'{words}: {done.returncode} {done.stdout}{done.stderr}')
    return done.stdout


def pages():
    return sorted(MADE.glob('man?/*'))


def listed(section, *path):
    """The first words of the lines that a help text lists under a title."""
    text = output(COMMAND, 'help', *path)
    lines = text.partition(f'\n{section}:\n')[2].partition('\n\n')[0].lstrip('\n')
    return re.findall(r'^  (\S+)', lines, re.MULTILINE)


def paths(*path):
    yield path
    for name in listed('Subcommands', *path):
        yield from paths(*path, name)


def plain(page):
    """A page as it is shown, without the lines' ends."""
    text = output('mandoc', '-T', 'ascii', '-O', 'width=1000', page)
    return re.sub(r'\s+', ' ', re.sub('.\b', '', text))


@unittest.skipUnless(shutil.which('mandoc'), 'mandoc is not installed')
class Pages(unittest.TestCase):
    def test_each_page_is_clean(self):
        for page in pages():
            with self.subTest(page.name):
                self.assertEqual(output('mandoc', '-T', 'lint', '-W', 'all', page), '')

    def test_a_page_with_tables_asks_for_their_preprocessor(self):
        # man(7): "Preprocessors"
        for page in pages():
            text = page.read_text()
            with self.subTest(page.name):
                self.assertTrue(text.startswith("'\\\" t\n") or '\n.TS\n' not in text)

    def test_each_command_has_a_page_with_all_its_options(self):
        for path in paths():
            if path == ('help',):
                continue
            page = plain(MADE / 'man1' / f'{"-".join(("macstats", *path[:1]))}.1')
            usage = re.search('^Usage: (.*)$', output(COMMAND, 'help', *path), re.MULTILINE)[1]
            with self.subTest(path):
                if not listed('Subcommands', *path):
                    self.assertIn(usage, page)
                for option in listed('Options', *path):
                    self.assertIn(option.replace(',', ', '), page)
                for argument in listed('Positionals', *path):
                    self.assertIn(argument, page)

    def test_texts_and_exit_codes_of_the_help_are_in_the_page(self):
        page = plain(MADE / 'man1/macstats-watch.1')
        for text in ('Home, End scroll to the first or the last row',
                     'macstats watch --interval 10 --count 6 | tee log',
                     '3 the kernel modules are not loaded, or of another version',
                     'Refresh every SECONDS, 0.1 to 3600; also 500ms, 2m (default 1)'):
            self.assertIn(text, page)
        self.assertIn('1 some failed', plain(MADE / 'man1/macstats-run.1'))

    def test_the_exporter_has_a_page(self):
        self.assertIn('--listen ADDRESS:PORT', plain(MADE / 'man1/macstats-exporter.1'))

    def test_pages_of_other_sections_are_there_and_references_lead_to_pages(self):
        if not shutil.which('lowdown'):
            self.skipTest('lowdown is not installed')
        names = {page.name for page in pages()}
        self.assertLessEqual(set(PAGES), names)
        for page in pages():
            found = re.findall(r'\b((?:lib)?macstats[\w-]*)\((\d)\)', plain(page))
            self.assertGreater(len(found), 1, page.name)
            for name, section in found:
                self.assertIn(f'{name}.{section}', names, page.name)


class Completion(unittest.TestCase):
    """Each shell itself completes."""

    def bash(self, *words):
        script = f'''
            source "{MADE}/bash/macstats"
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            compopt() {{ :; }}
            _macstats && printf '%s\\n' "${{COMPREPLY[@]}}"'''
        return output('bash', '-c', script, 'bash', *words).split()

    def fish(self, *words):
        line = ' '.join(words)
        text = output('fish', '--no-config', '-c',
                      f'source {MADE}/fish/macstats.fish; complete -C "{line}"')
        return [line.split('\t')[0] for line in text.splitlines()]

    def zsh(self, seconds, *words):
        """As on a terminal: two tabulators list what is possible."""
        script = f'''
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'PS1=; fpath=({MADE}/zsh $fpath); autoload -Uz compinit; compinit -D -u'
            zpty -w shell "LISTMAX=1000; zstyle ':completion:*' list-separator '--'"
            zpty -w shell 'unsetopt automenu; stty columns 200; print rea''dy'
            zpty -r shell line '*ready*'
            zpty -n -w shell $'{" ".join(words)}\\t\\t'
            sleep {seconds}
            while zpty -r -t shell line; do print -r -- $line; done
            zpty -d shell'''
        # Without the sequences that move the cursor.
        return re.sub(r'\x1b\[[?\d;]*[A-Za-z]', '', output('zsh', '-f', '-c', script))

    def expect_in_zsh(self, words, *listed_words):
        """A machine under load needs more time."""
        for seconds in 1, 4, 16, 64:
            found = self.zsh(seconds, *words)
            if all(re.search(rf'\b{word}\b', found) for word in listed_words):
                return
        self.fail(f'{words}: {found}')

    def expect(self, complete):
        self.assertEqual(set(complete('macstats', 'emu', '')), set(listed('Subcommands', 'emu')))
        self.assertEqual(sorted(complete('macstats', '')), sorted(listed('Subcommands')))
        self.assertIn('--power-up', complete('macstats', 'emu', 'add', '--p'))
        self.assertEqual(sorted(complete('macstats', 'emu', 'add', '--power-up', '')),
                         ['random', 'zero'])
        self.assertIn('cpsw', complete('macstats', 'model', ''))
        self.assertIn('lo', complete('macstats', 'show', ''))
        # An option of another command is not offered.
        self.assertNotIn('--power-up', complete('macstats', 'emu', 'list', '--'))

    def test_bash(self):
        self.expect(self.bash)
        self.assertEqual(self.bash('macstats', 'count', '--direction', '=', 't'), ['tx'])
        self.assertIn('CMakeLists.txt', self.bash('macstats', 'run', ''))

    @unittest.skipUnless(shutil.which('fish'), 'fish is not installed')
    def test_fish(self):
        self.expect(self.fish)

    @unittest.skipUnless(shutil.which('zsh'), 'zsh is not installed')
    def test_zsh(self):
        self.expect_in_zsh(('macstats', 'emu', ''), *listed('Subcommands', 'emu'))
        self.expect_in_zsh(('macstats', 'emu', 'add', '--p'), 'power-up', 'private-only')
        self.expect_in_zsh(('macstats', 'model', ''), 'cpsw', 'ixf1104')



if __name__ == '__main__':
    COMMAND, MADE = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
