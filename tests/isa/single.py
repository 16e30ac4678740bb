#!/usr/bin/env python3
"""Runs every instruction on interesting operands, here and on qemu-sparc64, and compares.

    single.py [--keep DIR] [--seed N] -- psim-record --no-trace

Differences that the SPARC-V9 manual decides against qemu are listed, with the
reason, in single_known.py; any other is a failure. Exit status: 0 equal, 1 not,
77 if the cross compiler or qemu is not there.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import single_asm
import single_cases
import single_known

CC, QEMU = "sparc64-linux-gnu-gcc", "qemu-sparc64"


def build(folder, seed):
    tables, cases = single_cases.all_cases(seed)
    source, program = os.path.join(folder, "single.s"), os.path.join(folder, "single")
    with open(source, "w") as f:
        f.write(single_asm.program(tables, cases))
    subprocess.run([CC, "-static", "-fno-pie", "-nostdlib", "-Wa,-Av9b", "-o", program, source], check=True)
    return tables, cases, program


def run(command, program):
    done = subprocess.run(command + [program], stdout=subprocess.PIPE, env={})
    if done.returncode:
        sys.exit(f"single.py: {command[0]} ended with status {done.returncode}")
    return done.stdout


def words(data):
    return [data[k:k + 8].hex() for k in range(0, len(data), 8)]


def compare(tables, cases, ours, theirs):
    at, records, known, bad = 0, 0, {}, {}
    for case in cases:
        size = single_asm.KINDS[case.kind][1]
        for row in tables[case.table]:
            a, b = ours[at:at + size], theirs[at:at + size]
            at += size
            records += 1
            if a == b:
                continue
            reason = single_known.reason(case, row, words(a), words(b))
            if reason:
                known[reason] = known.get(reason, 0) + 1
            else:
                bad.setdefault(case.name, []).append((row, words(a), words(b)))
    return records, known, bad


def report(records, known, bad, seed):
    for name, found in bad.items():
        row, a, b = found[0]
        print(f"{name}: {len(found)} differ; operands {' '.join(f'{v:x}' for v in row)}")
        print(f"  here {' '.join(a)}\n  qemu {' '.join(b)}")
    for reason, count in known.items():
        print(f"as the manual says, not as qemu does, {count} times: {reason}")
    print(f"{records} executions compared (seed {seed}), {sum(known.values())} known differences, "
          f"{sum(map(len, bad.values()))} unexpected")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", help="folder for the program and its two outputs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="+", help="the interpreter; the program follows")
    args = parser.parse_args()
    if not shutil.which(CC) or not shutil.which(QEMU):
        print(f"single.py: no {CC} or no {QEMU}")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or temporary
        os.makedirs(folder, exist_ok=True)
        tables, cases, program = build(folder, args.seed)
        theirs, ours = run([QEMU], program), run(args.command, program)
        for name, data in (("qemu", theirs), ("here", ours)) if args.keep else ():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)
    if len(theirs) != len(ours):
        sys.exit(f"single.py: {len(ours)} bytes here, {len(theirs)} bytes from qemu")
    records, known, bad = compare(tables, cases, ours, theirs)
    report(records, known, bad, args.seed)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
