#!/usr/bin/env python3
"""Counts what ChampSim would see in a trace of psim-trace --champsim.

  champsim_kinds.py FILE

The kind of a branch is inferred from registers as in ChampSim's inc/instruction.h: 6 is the stack pointer, 25 the flags,
26 the instruction pointer.
"""
import collections
import struct
import sys

RECORD = struct.Struct('<QBB2B4B2Q4Q')  # struct input_instr of inc/trace_instruction.h


def kind(written, read):
    """Returns the kind of branch that an instruction with these registers is."""
    sp, ip = 6 in written, 26 in written
    other = any(r not in (0, 6, 25, 26) for r in read)
    if not ip:
        return None
    if 6 in read:
        if not sp:
            return 'unknown'
        return 'return' if 26 not in read else 'indirect call' if other else 'call'
    if 26 in read:
        return 'conditional' if 25 in read or other else 'unknown'
    return 'indirect' if other else 'jump'


counts = collections.Counter()
with open(sys.argv[1], 'rb') as file:
    for r in RECORD.iter_unpack(file.read()):
        what = kind(r[3:5], r[5:9])
        counts['instructions'] += 1
        counts['taken'] += r[2]
        counts['writes'] += r[9] != 0
        counts['reads'] += r[11] != 0
        counts[what] += what is not None
        counts['marked wrong'] += r[1] != (what is not None)
for name in sorted(n for n in counts if n):
    print(name, counts[name])
