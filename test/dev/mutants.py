# SPDX-License-Identifier: GPL-2.0
"""./dev mutants: changes single tokens of the shared headers, and counts the changes that no
test notices.

A shared library contains all mutants of a sample, so that another sample builds no test again.
Each is a copy of its function with one token changed; the original calls the copy whose number
is in $MACSTATS_MUTANT. Constant expressions use the originals. The compiler also
recognises most mutants that change nothing: the optimised code of the copy is that of the
original. test/mutants/equivalent.txt lists the others, each with its reason."""

import concurrent.futures
import contextlib
import dataclasses
import math
import os
import resource
import signal
import subprocess
import threading

import modules
import mutant_sample
import packages
import shell
from mutant_library import (
    FLAGS, build_library, function_numbers, header_texts, link_tree, same_code, without_invalid,
    write_hooks)
from mutant_sample import HEADERS
from shell import BUILD, ROOT, Failure, say

TREE = BUILD / 'mutants'
# Of COUNT, in a long test run, whose seed changes with each commit. 382 of 398 were noticed: one
# sample in 130 has more survivors then. Where 95 % are, one in 60 has.
MOST_SURVIVORS = 3

# These decide. The order does not matter: the fastest that reaches a mutant is the first.
PROGRAMS = (
    'accumulator', 'foul_weather', 'poll', 'saturation', 'each_access', 'every_state',
    'emulator_counts', 'emulator_registers', 'rare_registers', 'table_ends', 'errata_ll40g',
    'model_cpsw', 'model_ixf1104', 'model_ll40g_agilex5', 'model_rc32438', 'schema_ll40g',
    'frame', 'identities', 'schema_checks', 'standard', 'format_model',
    'scenario_rejections')
SCENARIOS = 'test/scenario'
# CPU time, which does not depend on the load of the machine.
BASE_SECONDS = 5    # for a program, beside ...
SLOWER = 10         # ... so many times what it takes without a mutant
HANG_SECONDS = 900  # of the clock: it waits for something that does not come
# Those that run at once leave half of the machine's memory.
MEMORY = min(4 << 30, os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') //
             (2 * shell.processors()))
# Faults of a program, and its limit. Other signals come from outside: the kernel sends SIGKILL
# where memory is short.
OWN_SIGNALS = (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV,
               signal.SIGSYS, signal.SIGTRAP, signal.SIGXCPU)
# A shell and the loader report so that a program, or a library of it, is missing.
NOT_STARTED = (126, 127)


@dataclasses.dataclass
class Program:
    name: str
    command: list
    seconds: float = 0
    reached: set = dataclasses.field(default_factory=set)


def limit(pid, seconds):
    """Limits what a process uses. The program has begun, but it has used next to nothing."""
    most = math.ceil(seconds)
    for what, soft, hard in ((resource.RLIMIT_CPU, most, most + 1),  # SIGXCPU, then SIGKILL
                             (resource.RLIMIT_AS, MEMORY, MEMORY), (resource.RLIMIT_CORE, 0, 0)):
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, what, (soft, hard))


def is_pass(program, status):
    """Does this exit status mean that the test passes? Raises Failure if it is no verdict."""
    ended_by = status - 128 if 128 < status <= 128 + signal.SIGRTMAX else 0
    if status in NOT_STARTED or ended_by and ended_by not in OWN_SIGNALS:
        raise Failure(f'mutants: {program.name} ended with status {status}, which no test does: '
                      'look for other reasons, as too little memory, and try again')
    return status == 0


def passes(program, mutant, seconds, **environment):
    """Does a test program pass with this mutant, in so many seconds of CPU time?"""
    child = shell.start(program.command, env=os.environ | environment | {
        'MACSTATS_MUTANT': str(mutant)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, process_group=0)
    limit(child.pid, seconds)
    hangs = threading.Event()

    def end():
        hangs.set()
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(HANG_SECONDS, end)
    timer.start()
    try:
        status = shell.finish(child)
    finally:
        timer.cancel()
    return not hangs.is_set() and is_pass(program, status)


def build_programs(tree, library):
    """Builds the test programs; they load the library. A sample does not change them. Returns
    them."""
    made = tree / 'made'
    if not (made / 'build.ninja').exists():
        shell.step('configuring', [
            'cmake', '-G', 'Ninja', '-S', tree, '-B', made, '-D', 'CMAKE_BUILD_TYPE=None',
            '-D', f'CMAKE_CXX_FLAGS={" ".join(FLAGS)} -O0 -D_GLIBCXX_ASSERTIONS',
            '-D', 'MACSTATS_LONG_TEST_OPTIONS=-O1',
            '-D', 'CMAKE_C_FLAGS=-w', '-D', 'CMAKE_UNITY_BUILD=ON',
            '-D', 'CMAKE_CXX_COMPILER=g++', '-D', f'CMAKE_CXX_STANDARD_LIBRARIES={library}'])
    of_suite = {path.stem: f'unit-{path.parent.name}'
                for path in (ROOT / 'test/unit').glob('*/*.cpp')}
    targets = sorted({of_suite[name] for name in PROGRAMS}) + [
        *modules.COMMAND_TARGETS, 'random-scenarios']
    if not shell.build('building the tests with the mutants', made, targets):
        raise Failure('mutants: the tests do not build')
    scenarios = sorted((ROOT / SCENARIOS).glob('*/*.json'))
    return [Program(name, [made / 'test/unit' / of_suite[name], '--', f'unit_{name}'])
            for name in PROGRAMS] + [
        Program('scenarios', [made / 'userspace/cli/macstats', 'run', *scenarios]),
        Program('random.scenarios', [made / 'test/random/random-scenarios', '--count', '300'])]


def cpu_seconds():
    """Of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(programs, tree):
    """Runs each program without a mutant: how long it takes, and which functions it calls."""
    for program in programs:
        reached = tree / 'reached'
        reached.unlink(missing_ok=True)
        start = cpu_seconds()
        if not passes(program, 0, HANG_SECONDS, MACSTATS_MUTANT_REACHED=str(reached)):
            raise Failure(f'mutants: {program.name} fails without a mutant')
        program.seconds = cpu_seconds() - start
        program.reached = {int(line) for line in reached.read_text().split()} \
            if reached.exists() else set()


def notices(programs, function, mutant):
    """The name of the program that notices a mutant of function number @function, or ''."""
    for program in sorted(programs, key=lambda each: each.seconds):
        if function in program.reached and \
           not passes(program, mutant.number, BASE_SECONDS + SLOWER * program.seconds):
            return program.name
    return ''


def run_sample(sample, programs):
    """Yields (mutant, the program that noticed it), in the order of the sample."""
    numbers = function_numbers(header_texts())
    with concurrent.futures.ThreadPoolExecutor(shell.processors()) as pool:
        yield from zip(sample, pool.map(
            lambda mutant: notices(programs, numbers[mutant.file, mutant.function.start], mutant),
            sample))


def check(files, seed, count):
    """Runs a sample. Returns (noticed, survivors)."""
    known = mutant_sample.read_equivalents()
    say(f'mutants: seed {seed}, count {count or "all"}')
    sample = mutant_sample.pick(mutant_sample.read_mutants(files), known, seed, count)
    link_tree(TREE)
    asked = len(sample)
    sample = without_invalid(sample, TREE / 'scratch')
    same = same_code(sample, TREE / 'scratch')
    invalid = asked - len(sample)
    sample = [mutant for mutant in sample if mutant.number not in same]
    say(f'{invalid} do not compile, {len(same)} change no code, {len(sample)} run')
    if 2 * len(sample) < asked:
        raise Failure('mutants: too few of the sample can be run')
    write_hooks(TREE / 'shared')
    build_library(sample, TREE / 'scratch', TREE / 'libmutants.so')
    programs = build_programs(TREE, TREE / 'libmutants.so')
    measure(programs, TREE)
    survivors = []
    for mutant, program in run_sample(sample, programs):
        if not program:
            survivors.append(mutant)
            print(f'not noticed: {mutant}', flush=True)
    return len(sample) - len(survivors), survivors


def mutants(options, words):
    for word in words:
        if word not in HEADERS:
            raise Failure(f'mutants: no such header: {word}; there are: {" ".join(HEADERS)}')
    packages.need(packages.of('userspace', 'unit'), options.yes)
    text, enough = mutant_sample.verdict(*check(words or HEADERS, options.seed, options.count))
    print(text)
    if not enough:
        raise Failure('mutants: too few are noticed')
