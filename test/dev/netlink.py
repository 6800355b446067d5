# SPDX-License-Identifier: GPL-2.0
"""The code that the kernel's ynl-gen-c makes from docs/netlink: the headers of the uAPI, the
policies of requests, and a table of operations. It is committed; ./dev lint netlink makes it again
and compares."""

import re
import shutil
import sys

import modules
import shell
from shell import BUILD, ROOT, Failure

# The family, its header and the folder of its policies.
FAMILIES = {'macstats': ('shared/macstats/netlink.h', 'kmod/provider'),
            'macstats_emu': ('shared/macstats/netlink_emu.h', 'kmod/emulator')}
SOURCE = BUILD / 'kernel/source'
GENERATOR = SOURCE / 'tools/net/ynl/ynl-gen-c.py'
TREE = BUILD / 'netlink/tree'   # what the generator reads
MADE = BUILD / 'netlink/made'   # what it makes, in the folders of the repository
# The only licence that it accepts.
LICENCE = '((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)'

# What is another way here than in the kernel's tree.
DIFFERENT = (
    (re.escape(LICENCE), 'GPL-2.0 OR MIT'),
    (r'(/\* YNL-GEN .*\n)(/\* To regenerate .*\n)?',
     r'\1/* To regenerate run: ./dev lint netlink */\n'),
    ('<uapi/macstats/', '<macstats/'),
    # One policy for do and dump, see only_types().
    (r' - do \*/', ' */'),
)
# The table has no place for the function that starts a dump, and requires that each operation has
# a do.
TABLE_BY_HAND = {'macstats'}
TABLE = re.compile(r'/\* Ops table .*?(?=#endif|\Z)', re.DOTALL)


def only_types(spec):
    """A specification whose policies check types and lengths alone. A rejection of the kernel's
    policies does not name what is accepted, so that the operations check values and privileges.
    struct genl_ops, the only one before Linux 6.2, has one policy for do and dump, which the
    generator takes from do."""
    del spec['definitions']
    for space in spec['attribute-sets']:
        for attribute in space['attributes']:
            attribute.pop('enum', None)
            attribute['checks'] = {check: limit for check, limit
                                   in attribute.get('checks', {}).items() if check == 'max-len'}
    for operation in spec['operations']['list']:
        operation.pop('flags', None)
        requests = [operation[mode].pop('request', {}).get('attributes', [])
                    for mode in ('do', 'dump') if mode in operation]
        if requests:
            names = list(dict.fromkeys(sum(requests, [])))
            operation.setdefault('do', {})['request'] = {'attributes': names}
    return spec


def make(family, mode, kind, name):
    """Makes the file @name."""
    path = MADE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    code, text = shell.output_of([
        sys.executable, '-B', GENERATOR, '--mode', mode, f'--{kind}',
        '--spec', TREE / f'docs/netlink/{family}.yaml', '-o', path])
    if code:
        raise Failure(f'{GENERATOR.name}: {text}')
    text = path.read_text()
    for pattern, replacement in DIFFERENT:
        text = re.sub(pattern, replacement, text)
    if mode == 'kernel' and family in TABLE_BY_HAND:
        text = TABLE.sub('', text)
    path.write_text(text.rstrip('\n') + '\n')
    return name


def make_all():
    """The names of all files that the generator makes."""
    import yaml  # the rest of ./dev does without
    modules.fetch('source')
    shell.must(['rm', '-rf', TREE, MADE])
    specs = TREE / 'docs/netlink'
    specs.mkdir(parents=True)
    # It looks for this file above the specification, without an end.
    (TREE / 'MAINTAINERS').touch()
    shutil.copy(SOURCE / 'Documentation/netlink/genetlink-legacy.yaml', TREE / 'docs')
    for family, (header, folder) in FAMILIES.items():
        spec = yaml.safe_load((ROOT / f'docs/netlink/{family}.yaml').read_text())
        (specs / f'{family}.yaml').write_text(
            f'# SPDX-License-Identifier: {LICENCE}\n' + yaml.safe_dump(only_types(spec)))
        yield make(family, 'uapi', 'header', header)
        yield make(family, 'kernel', 'header', f'{folder}/netlink_gen.h')
        yield make(family, 'kernel', 'source', f'{folder}/netlink_gen.c')


def is_up_to_date():
    """Prints what differs."""
    differs = False
    for name in make_all():
        differs |= bool(shell.run(['diff', '-uN', name, MADE / name]))
    if differs:
        print(f'to accept it: cp -r {MADE.relative_to(ROOT)}/. .', flush=True)
    return not differs
