#!/usr/bin/env python3
"""Counts what the kit of CVP-1 would see in a trace of psim-trace --cvp.

  cvp_kinds.py FILE

Written from the description in the kit's cvp_trace_reader.h: see `records`. Says what breaks a rule: an instruction that
does not follow the one before it, a register without a name, a value that is not zero.
"""
import collections
import struct
import sys

CLASSES = ["alu", "load", "store", "conditional", "direct", "indirect", "fp", "slow alu"]


def records(data):
    """Yields (address, class, bytes of access, taken, target, inputs, outputs, values)."""
    at = 0

    def take(form):
        nonlocal at
        value = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return value

    while at < len(data):
        pc, kind = take("QB")
        size = taken = target = None
        if kind in (1, 2):
            _, size = take("QB")
        if kind in (3, 4, 5):
            (taken,) = take("B")
            if taken:
                (target,) = take("Q")
        inputs = take(f"{take('B')[0]}B")
        outputs = take(f"{take('B')[0]}B")
        values = [take("QQ" if 32 <= register < 64 else "Q") for register in outputs]
        yield pc, kind, size, taken, target, inputs, outputs, values


counts = collections.Counter()
with open(sys.argv[1], "rb") as file:
    for pc, kind, size, taken, target, inputs, outputs, values in records(file.read()):
        counts["instructions"] += 1
        counts[CLASSES[kind]] += 1
        counts["taken"] += taken or 0
        counts["bad registers"] += any(r > 64 for r in inputs + outputs)
        counts["bad values"] += any(any(v) for v in values)
        counts["bad sizes"] += size is not None and size not in (1, 2, 4, 8)
        counts["bad targets"] += target is not None and (target % 4 != 0 or target == 0)
for name in sorted(counts):
    print(name, counts[name])
