# SPDX-License-Identifier: GPL-2.0
"""./dev mutants: changes single tokens of the shared headers, and counts the changes that no
test notices.

A shared library contains all mutants of a sample, so that another sample builds no test again.
Each is a copy of its function with one token changed; the original calls the copy whose number
is in $MACSTATS_MUTANT. Constant expressions use the originals. The compiler also
recognises most mutants that change nothing: the optimised code of the copy is that of the
original. test/mutants/equivalent.txt lists the others, each with its reason."""

import concurrent.futures
import dataclasses
import math
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import threading

import modules
import packages
import shell
from shell import BUILD, ROOT, Failure, say

HEADERS = ('accumulator.h', 'check.h', 'emulator.h', 'frame.h', 'schema.h', 'standard.h')
FOLDER = pathlib.Path('shared/macstats')
MODULES = pathlib.Path('kmod')
EQUIVALENT = ROOT / 'test/mutants/equivalent.txt'
TREE = BUILD / 'mutants'

COUNT = 20
LONG_COUNT = 200
SEED = 1  # so that the verdict depends on the code alone
NOTICED_PERCENT = 95
# Of COUNT, in a long test run, whose seed changes with each commit: where 95 % of all mutants are
# noticed, one sample in 63 has more survivors.
MOST_SURVIVORS = 3

# These decide. The order does not matter: the fastest that reaches a mutant is the first.
PROGRAMS = (
    'accumulator', 'foul_weather', 'poll', 'saturation',
    'emulator_counts', 'emulator_registers', 'rare_registers', 'errata_ll40g',
    'model_cpsw', 'model_ixf1104', 'model_ll40g_agilex5', 'model_rc32438', 'schema_ll40g',
    'frame', 'identities', 'schema_checks', 'standard', 'format_model',
    'scenario_rejections')
SCENARIOS = 'test/scenario'
# CPU time, which does not depend on the load of the machine.
BASE_SECONDS = 5    # for a program, beside ...
SLOWER = 10         # ... so many times what it takes without a mutant
HANG_SECONDS = 900  # of the clock: it waits for something that does not come
MEMORY = 4 << 30

# Behaviour that a mutant must not have; these checks need no code in the programs.
UNDEFINED = ('bounds,builtin,shift,signed-integer-overflow,integer-divide-by-zero,bool,return,'
             'unreachable')

FLAGS = ('-std=c++20', '-w', '-fconstexpr-ops-limit=2000000000', '-fconstexpr-loop-limit=10000000')


# Reading the headers

@dataclasses.dataclass
class Function:
    name: str
    start: int       # of the definition in the text
    body: int        # of its '{'
    end: int         # behind its '}'
    arguments: list  # the names of the parameters; none in kernel style


@dataclasses.dataclass
class Mutant:
    file: str
    function: Function
    start: int
    end: int
    text: str        # replaces the text from start to end
    before: str      # the line, and the same line of the mutant
    after: str
    line: int
    number: int = 0

    def key(self):
        return self.file, self.function.name, self.before, self.after

    def __str__(self):
        return (f'{path_of(self.file)}:{self.line}: {self.function.name}()\n'
                f'-\t{self.before}\n+\t{self.after}')


def path_of(file):
    """The path of a file in the project: headers go without their folder."""
    return pathlib.Path(file) if '/' in file else FOLDER / file


HEAD = re.compile(r'^(?:MACSTATS_FN|constexpr)\s[^;{}#]*?\)\s*\{', re.MULTILINE)
# In kernel style. Functions that a macro defines have a backslash before the line's end.
KERNEL_HEAD = re.compile(r'^[a-z_][\w \t*]*?\b\w+\([^;{}#]*?\)\n\{', re.MULTILINE)
TEMPLATE = re.compile(r'template <[^;{}]*>\s*$')


def parameters(head):
    """The names of the parameters in the head of a function."""
    inside = head[head.index('(') + 1:head.rindex(')')]
    depth, words = 0, ['']
    for c in inside:
        depth += (c in '(<[') - (c in ')>]')
        if c == ',' and depth == 0:
            words.append('')
        else:
            words[-1] += c
    return [re.search(r'(\w+)\s*(?:\[\w*\])*\s*$', word.split('=')[0])[1]
            for word in words if word.strip()]


def functions(text, head_of=HEAD):
    """The functions that a file defines at the left margin, templates left out."""
    for head in head_of.finditer(text):
        if TEMPLATE.search(text[:head.start()]):
            continue
        end = text.index('\n}', head.end()) + 2
        name = re.search(r'(\w+)\s*\(', head[0])[1]
        yield Function(name, head.start(), head.end() - 1, end,
                       parameters(head[0]) if head_of is HEAD else [])


SWAPS = {
    '+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<': '<=', '<=': '<', '>': '>=', '>=': '>',
    '==': '!=', '!=': '==', '&&': '||', '||': '&&', '&': '|', '|': '&', '^': '|', '<<': '>>',
    '>>': '<<', '+=': '-=', '-=': '+=', '|=': '&=', '&=': '|=', '*=': '+=', '/=': '*=',
    '<<=': '>>=', '>>=': '<<='}
TOKEN = re.compile(r'''
    (?P<skip>/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | ^\s*\#[^\n]* |
             \b(?:static_assert|case|sizeof)\b[^;:)]*)
  | (?P<number>\b(?:0x[0-9a-fA-F]+|\d+)[uUlL]*\b)
  | (?P<word>\b\w+\b)
  | (?P<sign><<=|>>=|<=>|\+\+|--|->|&&|\|\||<<|>>|[-+*/%|&<>=!^]=|[-+*/%|&<>!^])
''', re.VERBOSE | re.DOTALL | re.MULTILINE)


def is_binary(text, start, end):
    """A pointer, a sign or an angle bracket has no blanks on both sides."""
    return text[start - 1].isspace() and text[end].isspace()


def number_plus(word, more):
    digits = word.rstrip('uUlL')
    return f'{int(digits, 0) + more}{word[len(digits):]}'


def closing(text, opening):
    """The place of the parenthesis that closes the one at @opening."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] == '(') - (text[i] == ')')
        if not depth:
            return i
    raise Failure('mutants: a parenthesis is not closed')


def changes(text, first, last):
    """(start, end, replacement) of each single-token change between two places."""
    for found in TOKEN.finditer(text, first, last):
        start, end = found.span()
        word = found[0]
        if found['number']:
            yield start, end, number_plus(word, 1)
            if int(word.rstrip('uUlL'), 0):
                yield start, end, number_plus(word, -1)
        elif word in ('true', 'false'):
            yield start, end, 'false' if word == 'true' else 'true'
        elif word == 'continue':
            yield start, end, 'break'
        elif word == 'if' and text[end:end + 2] == ' (':
            close = closing(text, end + 1)
            condition = text[end + 2:close]
            if not re.search(r'[=<>!]|&&|\|\|', condition):
                yield end + 2, close, f'!({condition})'
        elif word == '!':
            yield start, end, ''
        elif word in SWAPS and found['sign'] and is_binary(text, start, end):
            yield start, end, SWAPS[word]


def squeeze(text):
    return ' '.join(text.split())


def mutants_of(file, text):
    """All mutants of a file."""
    for function in functions(text, KERNEL_HEAD if '/' in file else HEAD):
        for start, end, new in changes(text, function.body, function.end):
            first = text.rindex('\n', 0, start) + 1
            last = text.index('\n', end)
            yield Mutant(file, function, start, end, new, squeeze(text[first:last]),
                         squeeze(text[first:start] + new + text[end:last]),
                         text.count('\n', 0, start) + 1)


# The build that contains a sample

HOOKS = """
/* The mutant that runs, or 0; the function that it belongs to; the functions that were called. */
extern int macstats_mutant;
extern int macstats_mutant_function;
extern bool macstats_mutant_reached[];
"""

# Calls of these end a constant expression, so the project does not define them.
UNDEFINED_FUNCTIONS = """
void macstats::a_model_breaks_a_rule() { __builtin_trap(); }
"""

RUNTIME = r"""
#include <cstdio>
#include <cstdlib>

int macstats_mutant = 0;
int macstats_mutant_function = -1;
bool macstats_mutant_reached[10000] = {};

static void macstats_mutant_write() {
	FILE *file = fopen(getenv("MACSTATS_MUTANT_REACHED"), "a");

	for (int i = 0; file && i < 10000; i++)
		if (macstats_mutant_reached[i])
			fprintf(file, "%d\n", i);
	if (file)
		fclose(file);
}

__attribute__((constructor)) static void macstats_mutant_choose() {
	const char *number = getenv("MACSTATS_MUTANT");

	macstats_mutant = number ? atoi(number) : 0;
	macstats_mutant_function = macstats_mutant_functions[macstats_mutant];
	if (getenv("MACSTATS_MUTANT_REACHED"))
		atexit(macstats_mutant_write);
}
"""


def without_defaults(head):
    return re.sub(r'=[^,)]*(?=[,)])', '', head)


def renamed(head, name, new):
    return re.sub(rf'\b{name}\b(?=\s*\()', new, head, count=1)


def hooked(text, first=0, mutants=None):
    """A header in which each function asks whether one of its mutants has to run; they count
    from @first. With mutants, the text of the library: it has these copies as well, and calls
    them. Returns the text, and the lines of each mutant."""
    parts, ranges, at, line = [], {}, 0, 1

    def add(part):
        nonlocal line
        parts.append(part)
        line += part.count('\n')

    for index, function in enumerate(functions(text), first):
        head, body = text[function.start:function.body], text[function.body:function.end]
        hook = renamed(re.sub(r'^(MACSTATS_FN|constexpr( inline)?)\s', '', without_defaults(head)),
                       function.name, f'{function.name}__hook').strip()
        arguments = ', '.join(function.arguments)
        add(text[at:function.start])
        add(f'__attribute__((visibility("default"))) {hook};\n{head}')
        add('{ if (!__builtin_is_constant_evaluated() && '
            f'(macstats_mutant_reached[{index}] = true, macstats_mutant_function == {index})) '
            f'return {function.name}__hook({arguments});')
        add(body[1:])
        at = function.end
        if mutants is None:
            continue
        own = [mutant for mutant in mutants if mutant.function.start == function.start]
        for mutant in own:
            ranges[mutant.number] = add_copy(add, lambda: line, text, mutant)
        add(f'\n{hook}\n{{ switch (macstats_mutant) {{ ')
        add(' '.join(f'case {mutant.number}: return {function.name}__{mutant.number}({arguments});'
                     for mutant in own))
        add(' default: __builtin_trap(); } }')
    add(text[at:])
    return ''.join(parts), ranges


def add_copy(add, line, text, mutant, attribute=''):
    """Adds the function of a mutant, with its change. Returns its lines."""
    function = mutant.function
    head = renamed(without_defaults(text[function.start:function.body]), function.name,
                   f'{function.name}__{mutant.number}')
    begin = line()
    add(f'\n{attribute} {head}{text[function.body:mutant.start]}{mutant.text}'
        f'{text[mutant.end:function.end]}')
    return range(begin, line() + 1)


def with_copies(text, mutants, attribute):
    """A header with these mutants, for a look at their code. Number 0 is the function itself."""
    parts, at = [], 0
    for function in functions(text):
        own = [mutant for mutant in mutants if mutant.function.start == function.start]
        if not own:
            continue
        parts.append(text[at:function.end])
        same = Mutant('', function, function.end, function.end, '', '', '', 0)
        for mutant in [same, *own]:
            add_copy(parts.append, lambda: 0, text, mutant, attribute)
        at = function.end
    return ''.join(parts) + text[at:]


def first_functions(texts):
    """{header: the number of its first function}"""
    first, result = 0, {}
    for file, text in texts.items():
        result[file] = first
        first += sum(1 for _ in functions(text))
    return result


def header_texts():
    return {file: (ROOT / FOLDER / file).read_text() for file in HEADERS}


def function_numbers(texts):
    """{(header, start of the function): its number}"""
    return {(file, function.start): index for file, first in first_functions(texts).items()
            for index, function in enumerate(functions(texts[file]), first)}


def write_hooks(folder, sample=None):
    """Writes the headers of the programs, or with a sample those of the library. Returns
    {header: {number: the lines of this mutant}}."""
    lines, texts = {}, header_texts()
    first = first_functions(texts)
    write(folder / 'macstats/mutant.h', '#pragma once\n' + HOOKS)
    for file, text in texts.items():
        own = None if sample is None else [mutant for mutant in sample if mutant.file == file]
        text, lines[file] = hooked(text, first[file], own)
        # Before the first line, without moving it.
        write(folder / 'macstats' / file, '#include <macstats/mutant.h>\n#line 1\n' + text)
    return lines


def write(path, text):
    """Unchanged files keep their time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def link_tree(tree):
    """The userspace part, with headers of its own."""
    tree.mkdir(parents=True, exist_ok=True)
    names = ['CMakeLists.txt', 'userspace', 'test', 'docs']
    shell.must(['cp', '-rsn', *(ROOT / name for name in names), tree])
    shell.must(['find', tree, '-xtype', 'l', '-delete'])
    for folder in (tree / 'shared', tree / 'scratch'):
        folder.mkdir(exist_ok=True)
        for path in (ROOT / FOLDER).rglob('*.h'):
            name = path.relative_to(ROOT / FOLDER)
            if str(name) not in HEADERS:
                write(folder / 'macstats' / name, path.read_text())


def all_includes(folder):
    return ''.join(f'#include <macstats/{file}>\n' for file in HEADERS) + '\n', \
        ['-I', folder, *FLAGS, '-x', 'c++', '-']


def compile_text(options, source):
    child = shell.start(['g++', *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, text=True, errors='replace')
    text, _ = child.communicate(source)
    return shell.finish(child), text


def without_invalid(sample, folder):
    """The mutants that compile."""
    while True:
        lines = write_hooks(folder, sample)
        source, options = all_includes(folder)
        status, text = compile_text(['-fsyntax-only', '-fmax-errors=0', *options], source)
        if status == 0:
            return sample
        bad = set()
        for file, line in re.findall(r'macstats/(\w+\.h):(\d+):\d+: error', text):
            bad |= {number for number, place in lines[file].items() if int(line) in place}
        if not bad:
            print(text)
            raise Failure('mutants: the headers with mutants do not compile')
        sample = [mutant for mutant in sample if mutant.number not in bad]


def build_library(sample, folder, library):
    """Builds the library that has all mutants of a sample. Undefined behaviour ends a program."""
    write_hooks(folder, sample)
    numbers = function_numbers(header_texts())
    last = max((mutant.number for mutant in sample), default=0)
    table = [-1] * (last + 1)
    for mutant in sample:
        table[mutant.number] = numbers[mutant.file, mutant.function.start]
    source, options = all_includes(folder)
    source = f'static const int macstats_mutant_functions[] = {{{", ".join(map(str, table))}}};\n' \
        f'{RUNTIME}{source}{UNDEFINED_FUNCTIONS}'
    status, text = compile_text(['-shared', '-fPIC', '-O0', f'-fsanitize={UNDEFINED}',
                                 '-fsanitize-undefined-trap-on-error', '-o', library, *options],
                                source)
    if status:
        print(text)
        raise Failure('mutants: the library does not build')


def code_of(assembly):
    """{function: its code, with labels in order} of an assembler's source."""
    code, name, labels = {}, '', {}
    for line in assembly.splitlines():
        label = re.match(r'(_Z\w+|\w+):$', line)
        if label:
            name, labels = label[1], {}
            code[name] = []
        elif line.strip().startswith(('.cfi_endproc', '.size')):
            name = ''
        elif name and not re.match(r'\s+\.(loc|cfi|type|globl|weak|section|p2align)', line):
            code[name].append(re.sub(r'\.L\w+', lambda found, each=labels: each.setdefault(
                found[0], f'.{len(each)}'), line))
    return code


def same_code(sample, folder):
    """The numbers of the mutants that the compiler turns into the code of the original."""
    attribute = '__attribute__((noinline, noclone, used))'
    for file, text in header_texts().items():
        write(folder / 'macstats' / file, with_copies(
            text, [mutant for mutant in sample if mutant.file == file], attribute))
    source, options = all_includes(folder)
    status, text = compile_text(['-O2', '-S', '-o', '-', '-fno-ipa-icf', '-fno-ipa-cp',
                                 '-fno-ipa-ra', '-fno-ipa-pure-const', '-fno-ipa-modref',
                                 *options], source)
    if status:
        print(text)
        raise Failure('mutants: the copies do not compile')
    code = {}
    for name, lines in code_of(text).items():
        found = re.search(r'([a-z_]\w*?)__(\d+)(?!\d)', name)
        if found:
            plain = re.sub(r'^_ZN?\d*', '', found[1])
            code[plain.lstrip('0123456789'), int(found[2])] = '\n'.join(lines)
    same = set()
    for mutant in sample:
        name = [key for key in code if key[1] == mutant.number]
        if name and code[name[0]] == code.get((name[0][0], 0)):
            same.add(mutant.number)
    return same


# Running the tests

@dataclasses.dataclass
class Program:
    name: str
    command: list
    seconds: float = 0
    reached: set = dataclasses.field(default_factory=set)


def passes(program, mutant, seconds, **environment):
    """Does a test program pass with this mutant, in so many seconds of CPU time?"""
    def limit():
        most = math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    child = shell.start(program.command, env=os.environ | environment | {
        'MACSTATS_MUTANT': str(mutant)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, preexec_fn=limit, start_new_session=True)
    timer = threading.Timer(HANG_SECONDS, lambda: os.killpg(child.pid, signal.SIGKILL))
    timer.start()
    try:
        return shell.finish(child) == 0
    finally:
        timer.cancel()


def build_programs(tree, library):
    """Builds the test programs; they load the library. A sample does not change them. Returns
    them."""
    made = tree / 'made'
    if not (made / 'build.ninja').exists():
        shell.step('configuring', [
            'cmake', '-G', 'Ninja', '-S', tree, '-B', made, '-D', 'CMAKE_BUILD_TYPE=None',
            '-D', f'CMAKE_CXX_FLAGS={" ".join(FLAGS)} -O0 -D_GLIBCXX_ASSERTIONS',
            '-D', 'CMAKE_C_FLAGS=-w', '-D', 'CMAKE_UNITY_BUILD=ON',
            '-D', 'CMAKE_CXX_COMPILER=g++', '-D', f'CMAKE_CXX_STANDARD_LIBRARIES={library}'])
    targets = [f'unit_{name}' for name in PROGRAMS] + [modules.COMMAND_TARGET, 'random-scenarios']
    if not shell.build('building the tests with the mutants', made, targets):
        raise Failure('mutants: the tests do not build')
    scenarios = sorted((ROOT / SCENARIOS).glob('*/*.json'))
    return [Program(name, [made / 'test/unit' / name]) for name in PROGRAMS] + [
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


# Known equivalents

def known_equivalents(text):
    """{key: reason}. An entry: FILE FUNCTION, the line after -, the changed one after +, and
    the reason on indented lines. Empty lines and lines with # are between the entries."""
    known, key, reason = {}, [], []

    def end():
        if key:
            if len(key) != 4 or not reason:
                raise Failure(f'{EQUIVALENT.name}: an entry of {" ".join(key[:2])} is incomplete')
            known[tuple(key)] = ' '.join(reason)

    for line in text.splitlines():
        if not line.strip() or line.startswith('#'):
            end()
            key, reason = [], []
        elif line.startswith((' ', '\t')):
            reason.append(line.strip())
        elif key:
            if line[0] != {2: '-', 3: '+'}.get(len(key)):
                raise Failure(f'{EQUIVALENT.name}: not expected here: {line}')
            key.append(squeeze(line[1:]))
        else:
            key = line.split()
    end()
    return known


def verdict(noticed, survivors):
    """(the line that reports it, is it enough?)"""
    total = noticed + len(survivors)
    percent = 100 * noticed / total if total else 100
    return (f'{noticed} of {total} mutants are noticed: {percent:.1f} %, '
            f'{NOTICED_PERCENT} % are required', percent >= NOTICED_PERCENT)


def pick(all_mutants, known, seed, count):
    """A sample in random order. Known equivalents are no part of it."""
    candidates = [mutant for mutant in all_mutants if mutant.key() not in known]
    random.Random(seed).shuffle(candidates)
    sample = candidates[:count] if count else candidates
    for number, mutant in enumerate(sample, 1):
        mutant.number = number
    return sample


def module_files():
    """The files of the modules, as mutants name them."""
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / MODULES).rglob('*.[ch]')
                  if not path.name.endswith('.mod.c'))


def read_mutants(files):
    result = []
    for file in files:
        result += mutants_of(file, (ROOT / path_of(file)).read_text())
    return result


def stale(all_mutants, known):
    """Entries of known equivalents whose line or change is no more."""
    present = {mutant.key() for mutant in all_mutants}
    return [key for key in known if key not in present]


def run_sample(sample, programs):
    """Yields (mutant, the program that noticed it), in the order of the sample."""
    numbers = function_numbers(header_texts())
    with concurrent.futures.ThreadPoolExecutor(shell.processors()) as pool:
        yield from zip(sample, pool.map(
            lambda mutant: notices(programs, numbers[mutant.file, mutant.function.start], mutant),
            sample))


def read_equivalents():
    known = known_equivalents(EQUIVALENT.read_text())
    old = stale(read_mutants([*HEADERS, *module_files()]), known)
    if old:
        raise Failure(f'{EQUIVALENT.name}: no mutant fits this entry: {" | ".join(old[0])}')
    return known


def check(files, seed, count):
    """Runs a sample. Returns (noticed, survivors)."""
    known = read_equivalents()
    say(f'mutants: seed {seed}, count {count or "all"}')
    sample = pick(read_mutants(files), known, seed, count)
    link_tree(TREE)
    asked = len(sample)
    sample = without_invalid(sample, TREE / 'scratch')
    same = same_code(sample, TREE / 'scratch')
    invalid = asked - len(sample)
    sample = [mutant for mutant in sample if mutant.number not in same]
    say(f'{invalid} do not compile, {len(same)} change no code, {len(sample)} run')
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
    text, enough = verdict(*check(words or HEADERS, options.seed, options.count))
    print(text)
    if not enough:
        raise Failure('mutants: too few are noticed')
