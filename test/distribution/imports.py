#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Imports what a Python program imports at its top level, in place of the program.

    test/distribution/imports.py PROGRAM

Statements other than imports and changes of sys.path are left out, so that a program
can be checked where it could not run.
"""

import ast
import os
import sys


def is_about_the_path(node):
    """Does a statement change sys.path, or name a folder for that?"""
    return any(isinstance(part, ast.Attribute) and part.attr == 'path'
               and isinstance(part.value, ast.Name) and part.value.id == 'sys'
               for part in ast.walk(node))


def names_a_path(node):
    return isinstance(node, ast.Assign) and 'pathlib' in ast.dump(node) and \
        '__file__' in ast.dump(node)


def main():
    program = os.path.abspath(sys.argv[1])
    with open(program, encoding='utf-8') as file:
        tree = ast.parse(file.read(), program)
    kept = [node for node in tree.body
            if isinstance(node, (ast.Import, ast.ImportFrom))
            or is_about_the_path(node) or names_a_path(node)]
    # Imports below the top level, in functions, come last.
    inner = [node for node in ast.walk(tree)
             if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in kept]
    sys.path[0] = os.path.dirname(program)
    space = {'__file__': program, '__name__': 'imports'}
    try:
        exec(compile(ast.Module(kept + inner, []), program, 'exec'), space)  # pylint: disable=exec-used
    except ImportError as error:
        print(f'{sys.argv[1]}: {error}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
