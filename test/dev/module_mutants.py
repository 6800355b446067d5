# SPDX-License-Identifier: GPL-2.0
"""./dev mutants kmod: changes single tokens of the kernel modules, and counts the changes that
no test in a guest notices.

Each mutant is a build of the modules, in which the compiler compiles the changed file again.
A mutant whose objects equal those of the original changes nothing. A guest for each processor of
this machine tries the rest: test/vm/mutant-tests loads the modules of a mutant and runs tests
until one fails. A guest that dies or hangs has noticed its mutant, and the next one goes on.
Before the first mutant, a build whose functions report in the kernel log that they are called
shows which tests reach which functions.

The kernel is user-mode Linux, whose tests take seconds. Its checks notice a read beyond the end
of an array."""

import collections
import concurrent.futures
import dataclasses
import itertools
import json
import pathlib
import queue
import re
import shutil
import sys
import threading
import time

import architectures
import c_tokens
import guests
import modules
import mutant_sample
import shell
from shell import BUILD, ROOT, Failure, output_of, say

sys.path += [str(ROOT / 'test/vm'), str(ROOT / 'test/vm/lib')]
import deadline  # noqa: E402
import klog  # noqa: E402

FOLDER = BUILD / 'mutants/kmod'
GUEST_PROGRAM = 'test/vm/mutant-tests'
WORD = 'kmod'  # stands for all files
KERNEL = architectures.USER_MODE
KERNEL_BUILD = BUILD / 'kernel' / KERNEL
# {program: {place: mutants that it has noticed there}}, of all runs
HISTORY = BUILD / 'mutants-noticed.json'
# A mutant that was noticed in the function tells as much as so many in the rest of the file.
FUNCTION_WEIGHT = 4
REACHED = 'macstats mutant: reached'
# The only object of the modules that the models of test/models change.
MODELS = 'kmod/provider/models.o'

# The compiler and modpost print it about a mutant that is no valid code.
INVALID = re.compile(r'^\S+:\d+:\d+: error: |^ERROR: modpost: ', re.MULTILINE)
SILENT = 'the guest died'  # without a complaint in its log
BOOT = 'boot'  # the guest had not begun a program

# These decide, in the order of chosen(). The others of test/vm/tests take longer, or notice nothing
# that these do not.
PROGRAMS = (
    'all_models.py', 'bad_input.py', 'bus_widths.py', 'driver_faults.py',
    'driver_interface.py', 'dump_parts.py', 'dumps.py', 'ethtool.py', 'events.py',
    'fault_table.py', 'faults.py', 'filters.py', 'freezer.py', 'held.py', 'identities.py',
    'life_cycle.py', 'many_ports.py', 'namespaces.py', 'netlink_queries.py',
    'one_direction.py', 'port_life.py', 'provider_waits.py', 'queue_statistics.py',
    'resets.py', 'saturation.py', 'security.py', 'self_tests.py', 'shared_counters.py',
    'short_frames.py', 'traffic.py', 'unprivileged.py', 'wraps.py')

# They run these programs besides the command.
TARGETS = ('macstats-test-models',)

# In the guest, for a program: beside so many times what it takes without a mutant.
BASE_SECONDS, SLOWER = 20, 4
UNKNOWN_SECONDS = 120
# On the host, beside the limit in the guest: for the unloading of the modules.
HANG_SECONDS = 40
BOOT_SECONDS = 300
GUEST_SECONDS = 24 * 3600
# A warning, a report of a check, a soft lockup and a hung task end the guest, as an oops does. The
# log keeps all reports of calls.
PARAMETERS = ('panic_on_warn=1', 'softlockup_panic=1', 'sysctl.kernel.hung_task_panic=1',
              'log_buf_len=4M')


@dataclasses.dataclass
class Program:
    name: str
    seconds: float = BASE_SECONDS  # on an idle machine
    reached: set = dataclasses.field(default_factory=set)
    # How many mutants it has noticed, by their file, and by `FILE FUNCTION`
    noticed: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    def limit(self):
        return BASE_SECONDS + SLOWER * self.seconds

    def promise(self, mutant):
        """How likely a second of it notices a mutant, by those that it has noticed."""
        file, function = places_of(mutant)
        hits = self.noticed[file] + FUNCTION_WEIGHT * self.noticed[function]
        return hits / max(self.seconds, 0.1)


def places_of(mutant):
    return mutant.file, f'{mutant.file} {mutant.function.name}'


def with_reports(file, text):
    """A file whose functions report their first call in the kernel log."""
    parts, at = [], 0
    for function in c_tokens.functions(text, c_tokens.KERNEL_HEAD):
        parts += [text[at:function.body + 1],
                  f' printk_once(KERN_DEBUG "{REACHED} {file} {function.name}\\n");']
        at = function.body + 1
    head = '#include <linux/printk.h>\n#line 1\n' if parts else ''
    return head + ''.join(parts) + text[at:]


class Builder:
    """Builds the modules of mutants, one after the other, in a tree of links."""

    def __init__(self):
        self.tree = FOLDER / 'tree'
        self.more_models = modules.trees(KERNEL)[1] / MODELS
        self.objects = {}  # what the compiler makes of the original, without debug information

    def make(self):
        return output_of(['make', '-s', '--no-print-directory',
                          f'-j{shell.processors()}', '-C', KERNEL_BUILD, f'M={self.tree}',
                          *architectures.variables_of(KERNEL),
                          'KCFLAGS=-w -g0', 'MACSTATS_EXTRA_DRIVERS=driver/', 'modules'])

    def must_make(self):
        status, text = self.make()
        if status:
            print(text)
            raise Failure('mutants: the modules do not build')

    def compiled(self):
        """The objects that the compiler writes: beside each source."""
        return [path.with_suffix('.o') for path in sorted((self.tree / 'kmod').rglob('*.c'))
                if not path.name.endswith('.mod.c')]

    def stripped(self, path):
        bare = self.tree / 'bare.o'
        shell.must(['objcopy', '--strip-debug', path, bare])
        return bare.read_bytes()

    def save(self, folder):
        """Copies the modules where a guest finds them: as they are, and with more models."""
        self.copy(folder / 'usual')
        shutil.copyfile(self.more_models, self.tree / MODELS)
        self.must_make()
        self.copy(folder / 'extra')

    def copy(self, folder):
        """Small, since a guest loads them often."""
        for path in (self.tree / 'kmod').rglob('*.ko'):
            copy = folder / path.relative_to(self.tree)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shell.must(['objcopy', '--strip-debug', path, copy])

    def prepare(self):
        """Builds the modules that report calls, then the original."""
        shell.remove(self.tree)
        modules.link_sources(self.tree)
        shell.must(['cp', '-rsn', modules.TEST_DRIVER, self.tree / 'kmod'])
        for file in mutant_sample.module_files():
            self.replace(file, with_reports(file, (ROOT / file).read_text()))
        self.must_make()
        self.save(FOLDER / 'reports')
        for file in mutant_sample.module_files():
            self.restore(file)
        for path in self.compiled():
            path.unlink()
        self.must_make()
        for path in self.compiled():
            self.objects[path] = self.stripped(path)
            shutil.copy(path, path.with_suffix('.o.original'))

    def replace(self, file, text):
        path = self.tree / file
        path.unlink()
        path.write_text(text)

    def restore(self, file):
        path = self.tree / file
        path.unlink()
        path.symlink_to(ROOT / file)

    def build(self, mutant, folder):
        """Builds a mutant into a folder. Returns what became of it: invalid, same or built."""
        text = (ROOT / mutant.file).read_text()
        self.replace(mutant.file, text[:mutant.start] + mutant.text + text[mutant.end:])
        try:
            status, output = self.make()
            if status and not INVALID.search(output):
                print(output)
                raise Failure('mutants: the compiler fails, but reports no error in the code')
            changed = [path for path in self.objects if not path.exists() or
                       self.stripped(path) != self.objects[path]]
            if status == 0 and changed:
                self.save(folder)
            return 'invalid' if status else 'built' if changed else 'same'
        finally:
            self.restore(mutant.file)
            for path in self.objects:
                shutil.copyfile(path.with_suffix('.o.original'), path)


class Guest:
    """The guest that runs, and the next one if it ends. Mutants are folders of the shared
    folder: see test/vm/mutant-tests."""

    def __init__(self, options, folder):
        self.options, self.child, self.tried = options, None, 0
        self.numbers = itertools.count()
        self.shared, self.log, self.logs = folder / 'guest', folder / 'guest.log', folder / 'logs'

    def start(self):
        shell.remove(self.shared)
        self.shared.mkdir(parents=True)
        self.numbers, self.tried = itertools.count(), 0
        # It waits for the next mutant.
        command = guests.command(self.options, KERNEL, '--timeout', GUEST_SECONDS, '--real-time',
                                 '--results', self.shared, '--log-dir', self.logs,
                                 *(word for name in PARAMETERS for word in ('--append', name)),
                                 '--', GUEST_PROGRAM)
        with self.log.open('wb') as log:
            self.child = shell.start(command, stdout=log, stderr=log)

    def stop(self):
        if self.child:
            self.child.terminate()
            shell.finish(self.child)
            self.child = None

    def ask(self, folder, programs, whole):
        """Hands the modules in a folder to the guest. Returns its answer, line by line, or how
        it ended. @whole: it runs all programs, whatever fails."""
        if not self.child:
            self.start()
        place = self.shared / str(next(self.numbers))
        new = place.with_suffix('.new')
        shutil.copytree(folder, new)
        (new / 'programs').write_text(''.join(
            f'{tests_path(program.name)} {program.limit():.0f}\n' for program in programs))
        (new / 'whole').write_text('yes' if whole else '')
        new.rename(place)
        self.tried += 1
        answer, running = place / 'answer', place / 'running'
        seen, limit = '', deadline.Deadline(BOOT_SECONDS, 1, 1)
        while not answer.exists():
            if self.child.poll() is not None:
                shell.finish(self.child)
                self.child = None
                return [f'died {self.last_running(running)} {self.complaint()}']
            text = running.read_text() if running.exists() else ''
            if text and text != seen:
                seen = text
                limit = deadline.Deadline(float(text.split()[1]) + HANG_SECONDS, 1, 1)
            if limit.left() <= 0:
                self.stop()
                return [f'hung {self.last_running(running)} the guest hung']
            time.sleep(0.1)
        lines = answer.read_text().splitlines()
        shell.remove(place)
        if 'dirty' in lines:
            self.stop()
        return lines

    def complaint(self):
        """The first line of the guest's log that reports why it died."""
        lines = self.log.read_text(errors='replace').splitlines() if self.log.exists() else []
        return (klog.offending(lines) + [SILENT])[0].strip()

    @staticmethod
    def last_running(running):
        return pathlib.Path(running.read_text().split()[0]).name if running.exists() else BOOT


def tests_path(name):
    return f'test/vm/tests/{name}'


def measured(guest, name):
    """Runs a program on the modules that report calls. Returns None if it fails twice."""
    program = Program(name, UNKNOWN_SECONDS)
    for _ in range(2):
        lines = tried(guest, FOLDER / 'reports', [program], True)
        failed, why = noticed_by(lines)
        if not failed:
            break
    if failed:
        say(f'left out, as it fails without a mutant: {name}: {why}')
        return None
    for line in lines:
        word, _, rest = line.split(' ', 2)
        if word == 'seconds':
            program.seconds = float(rest)
        elif word == 'reached':
            program.reached.add(tuple(rest.split()))
    return program


def taken(items):
    """The items of a queue until None. An exception in it is raised. None and an exception stay in
    the queue, so that each thread ends."""
    while (item := items.get()) is not None:
        if isinstance(item, BaseException):
            items.put(item)
            raise item
        yield item
    items.put(None)


def in_each(all_guests, act, items):
    """The results of act(guest, item) for the items of a queue, in any order. The first exception
    ends all."""
    failed = threading.Event()

    def results(guest):
        found = []
        try:
            for item in taken(items):
                if failed.is_set():
                    break
                found.append(act(guest, item))
        except BaseException:
            failed.set()
            raise
        return found

    with concurrent.futures.ThreadPoolExecutor(len(all_guests)) as pool:
        lists = [pool.submit(results, guest) for guest in all_guests]
        return [result for each in lists for result in each.result()]


def measure(all_guests, names):
    """Runs each program on the modules that report calls. Returns those that pass."""
    waiting = queue.Queue()
    for name in (*names, None):
        waiting.put(name)
    programs = [each for each in in_each(all_guests, measured, waiting) if each]
    if not programs:
        raise Failure('mutants: every test fails without a mutant')
    return programs


def chosen(programs, mutant):
    """The programs that call the changed function: first those that have noticed mutants of this
    function or file, then the fastest."""
    return sorted((program for program in programs
                   if (mutant.file, mutant.function.name) in program.reached),
                  key=lambda program: (-program.promise(mutant), program.seconds))


def read_history(programs):
    known = json.loads(HISTORY.read_text()) if HISTORY.exists() else {}
    for program in programs:
        program.noticed.update(known.get(program.name, {}))


def write_history(programs):
    HISTORY.write_text(json.dumps({program.name: program.noticed for program in programs}))


def noticed_by(lines):
    """(the program that noticed a mutant, or '' if none, how) of an answer"""
    for line in lines:
        word, *rest = line.split(' ', 2)
        if word in ('noticed', 'died', 'hung'):
            return rest[0], rest[1]
    return '', ''


def tried(guest, folder, programs, whole=False):
    """The answer of a guest. If it ends, another one tries again where the cause may be an
    earlier mutant, or the machine: an end without a reason, or before the first program."""
    def ended():
        return lines[0].startswith(('died', 'hung'))

    def had_not_booted():
        return lines[0].split()[1] == BOOT

    lines = guest.ask(folder, programs, whole)
    if ended() and (guest.tried > 1 or had_not_booted() or lines[0].endswith(SILENT)):
        lines = guest.ask(folder, programs, whole)
    if ended() and had_not_booted():
        raise Failure(f'mutants: the guest does not boot: {lines[0]}')
    return lines


def built(builder, sample, results):
    """Builds the sample ahead of the guest. Puts (mutant, what became of it, folder)."""
    try:
        for mutant in sample:
            folder = FOLDER / f'built/{mutant.number}'
            results.put((mutant, builder.build(mutant, folder), folder))
        results.put(None)
    except BaseException as error:  # pylint: disable=broad-except # the other thread reports it
        results.put(error)
        raise


def check(files, options):
    """Runs a sample. Returns (noticed, survivors)."""
    known = mutant_sample.read_equivalents()
    say(f'mutants: seed {options.seed}, count {options.count or "all"}')
    sample = mutant_sample.pick(mutant_sample.read_mutants(files), known, options.seed,
                                options.count)
    shell.remove(FOLDER)
    FOLDER.mkdir(parents=True)
    builder = Builder()
    all_guests = [Guest(options, FOLDER / f'guests/{number}')
                  for number in range(shell.processors())]
    say('building the modules')
    builder.prepare()
    say('running the tests without a mutant')
    try:
        programs = measure(all_guests, PROGRAMS)
        read_history(programs)
        results = queue.Queue(maxsize=4)
        threading.Thread(target=built, args=(builder, sample, results), daemon=True).start()
        verdict = judge(all_guests, programs, results)
        write_history(programs)
        return verdict
    finally:
        for guest in all_guests:
            guest.stop()


def judge(all_guests, programs, results):
    """(noticed, survivors)"""
    started = time.monotonic()

    def try_one(guest, item):
        mutant, became, folder = item
        if became != 'built':
            return mutant, became
        began = time.monotonic()
        wanted = chosen(programs, mutant)
        program, why = noticed_by(tried(guest, folder, wanted)) if wanted else ('', '')
        shell.remove(folder)
        for each in wanted:
            if each.name == program:
                each.noticed.update(places_of(mutant))
        what = f'{program}: {why}' if program else 'not noticed' if wanted else \
            'no test calls the function'
        # One write: threads print.
        print(f'{time.monotonic() - began:.0f} s: {what}: {mutant}\n', end='', flush=True)
        return mutant, 'noticed' if program else 'survived'

    verdicts = in_each(all_guests, try_one, results)
    survivors = sorted((mutant for mutant, became in verdicts if became == 'survived'),
                       key=lambda mutant: mutant.number)
    count = collections.Counter(became for _, became in verdicts)
    say(f'{count["invalid"]} do not compile, {count["same"]} change no code')
    say(f'{(time.monotonic() - started) / max(1, len(verdicts)):.1f} s for a mutant')
    for mutant in survivors:
        print(f'survived: {mutant}', flush=True)
    return count['noticed'], survivors


def names_modules(word):
    return word.split('/')[0] == WORD


def files_of(words):
    """The files that the words name, or all."""
    files = mutant_sample.module_files()
    for word in words:
        if word != WORD and word not in files:
            raise Failure(f'mutants: no such file: {word}; there are: {" ".join(files)}')
    return files if WORD in words else words


def mutants(options, words):
    files = files_of(words)
    options.built_kernel = KERNEL
    guests.prepare(options, [*modules.COMMAND_TARGETS, *TARGETS])
    text, enough = mutant_sample.verdict(*check(files, options))
    print(text)
    if not enough:
        raise Failure('mutants: too few are noticed')
