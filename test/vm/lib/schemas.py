# SPDX-License-Identifier: GPL-2.0
"""The JSON Schemas of the command's output in docs/schema."""

import json
import pathlib

import jsonschema

FOLDER = pathlib.Path(__file__).resolve().parents[3] / 'docs/schema'
SUFFIX = '.schema.json'


def names():
    return sorted(file.name.removesuffix(SUFFIX) for file in FOLDER.glob(f'*{SUFFIX}'))


def load(name):
    return json.loads((FOLDER / (name + SUFFIX)).read_text(encoding='utf-8'))


def closed(schema):
    """The schema, such that it rejects members that it does not list. A published schema
    accepts them, since a later version of the command may add members."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get('properties'), dict):
        result.setdefault('additionalProperties', False)
    return result


def problem(name, document):
    """Where a document does not match its schema, or ''."""
    store = {load(other)['$id']: closed(load(other)) for other in names()}
    schema = closed(load(name))
    resolver = jsonschema.RefResolver(schema['$id'], schema, store=store)
    validator = jsonschema.Draft7Validator(schema, resolver=resolver)
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    if error is None:
        return ''
    return f'{name}: {"/".join(map(str, error.absolute_path))}: {error.message[:200]}'
