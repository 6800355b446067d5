# SPDX-License-Identifier: GPL-2.0
"""The library that has all mutants of a sample of the shared headers, and the headers whose
functions call it: see mutants.py."""

import re
import subprocess

import shell
from c_tokens import functions
from mutant_sample import FOLDER, HEADERS, Mutant
from shell import ROOT, Failure

# Behaviour that a mutant must not have; these checks need no code in the programs.
UNDEFINED = ('bounds,builtin,shift,signed-integer-overflow,integer-divide-by-zero,bool,return,'
             'unreachable')

# The headers get copies with hooks in them; no test reads the other two.
NOT_LINKED = (FOLDER.parts[0], 'build', '.git')

FLAGS = ('-std=c++20', '-w', '-fconstexpr-ops-limit=2000000000', '-fconstexpr-loop-limit=10000000')

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
    """The project, with headers of its own."""
    tree.mkdir(parents=True, exist_ok=True)
    parts = [path for path in ROOT.iterdir() if path.name not in NOT_LINKED]
    shell.must(['cp', '-rsn', *parts, tree])
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
