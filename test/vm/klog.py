# SPDX-License-Identifier: GPL-2.0
"""Finds forbidden lines in a kernel log: warnings, oopses, reports of the kernel's
own checkers, and processes that crashed."""

import re

# Regular expressions, case-sensitive, matched anywhere in a line.
BAD = (
    # The kernel's general words for a bug
    r'\bWARNING:',
    r'-\[ cut here \]-',
    r'\bBUG:',
    r'\bkernel BUG at\b',
    r'\bOops\b',
    r'\bKernel panic\b',
    r'\bCall [Tt]race:',
    r'\bgeneral protection\b',
    r'\b[Uu]nable to handle\b',
    r'\binvalid opcode:',
    r'\bdivide error:',
    r'\bstack segment:',
    r'\bdouble fault:',
    r'\bunchecked MSR access error\b',
    r'\bexited with (preempt_count|irqs disabled)\b',
    # Processes: with print-fatal-signals, each that dumps core or would; lack of memory
    r'\bpotentially unexpected fatal signal\b',
    r': segfault at\b',
    r'\btraps: .* trap \w+',
    r'\bOut of memory\b',
    # Memory checkers
    r'\bK(ASAN|CSAN|MSAN|FENCE):',
    r'\bUBSAN:',
    r'\bunreferenced object\b',
    r'\bnew suspected memory leaks\b',
    r'\bkmemleak: .*(disabled|Cannot allocate|pool empty|no scan)\b',
    r'\bODEBUG:',
    r'\bObjects remaining\b',
    r'\bstill has objects\b',
    r'\blist_(add|del)\b.*\bcorruption\b',
    r'\bpage allocation failure\b',
    r'\bSLUB: Unable to allocate\b',
    r'\bDMA-API:',
    r'\brefcount_t:',
    # Locking
    r'\bpossible (circular|recursive) locking\b',
    r'\bpossible irq lock inversion\b',
    r'\bpossible deadlock\b',
    r'\binconsistent lock state\b',
    r'\block order detected\b',
    r'\bbad unlock balance\b',
    r'\bheld lock freed\b',
    r'\block held when returning\b',
    r'\bstill held\b',
    r'\bNested lock was not taken\b',
    r'\bInvalid wait context\b',
    r'\bsuspicious RCU\b',
    r'\bsleeping function called\b',
    r'\bscheduling while atomic\b',
    r'\btrying to register non-static key\b',
    r'\bturning off the locking correctness validator\b',
    # Stalls
    r'\brcu:.*\b(stall|stalls|stalled|starved)\b',
    r'\bINFO: task\b',
    r'\bINFO: rcu\w* (self-)?detected\b',
    r'\b([Ss]oft|[Hh]ard) (lockup|LOCKUP)\b',
    r'\bworkqueue lockup\b',
    # Network
    r'\bunregister_netdevice: waiting\b',
    # Except a tracker without memory: a test let this allocation fail.
    r'\bref_tracker:(?! memory allocation failure\b)',
    r'\bNETDEV WATCHDOG\b',
    r'\bhw csum failure\b',
    r'\bDead loop on virtual device\b',
    # Modules
    r'\bUnknown symbol\b',
    r'\bdisagrees about version of symbol\b',
    r'\bsysfs: cannot create duplicate\b',
    r'\bdebugfs: .* already present\b',
    # Not -ENOMEM, from an allocation that a test let fail: any other one is reported as a page
    # allocation failure.
    r'\bkobject(_add_internal)?\b(?!.*\berror: -12\b).*\b(failed|initialized|uninitialized)\b',
)

# Linux's e1000 writes the index of its transmit ring without WRITE_ONCE(), and reads it in NAPI.
FOREIGN = r'BUG: KCSAN: data-race in e1000_clean \[e1000\] / e1000_xmit_frame \[e1000\]$'

_bad = re.compile(f'^(?!.*{FOREIGN}).*({"|".join(BAD)})')


def offending(lines):
    """The lines that report a kernel bug, in their order, without repetitions."""
    found = {}
    for line in lines:
        line = line.rstrip()
        if _bad.search(line):
            found[line] = None
    return list(found)


def excerpt(lines, count=40):
    """The lines from the first offending one, which show its circumstances."""
    lines = [line.rstrip() for line in lines]
    first = next((n for n, line in enumerate(lines) if _bad.search(line)), len(lines))
    return lines[first:first + count]
