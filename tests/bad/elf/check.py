#!/usr/bin/env python3
"""Runs psim-record on each wrong program of cases.txt: one line, the right status, no trace.

    check.py PSIM-RECORD

A case is `file | status | message`, where the message follows `psim-record: file: `. Lines
with `-` for the file name a whole command instead: `- ARGUMENTS | status | message`, the
message then follows `psim-record: `.
"""
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def read_cases():
    with open(os.path.join(HERE, "cases.txt")) as f:
        for number, line in enumerate(f, 1):
            if line.strip() and not line.startswith("#"):
                name, status, message = (part.strip() for part in line.split("|", 2))
                yield number, name, int(status), message


def run(record, name, trace):
    if name.startswith("- "):
        arguments = shlex.split(name[2:].replace("@TRACE@", trace))
        return subprocess.run([record] + arguments, cwd=HERE, capture_output=True, text=True,
                              timeout=20), "psim-record: "
    command = [record, "-o", trace, "--", name + ".elf"]
    p = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=20)
    return p, f"psim-record: {name}.elf: "


def main():
    record = os.path.abspath(sys.argv[1])
    failed = count = 0
    for number, name, status, message in read_cases():
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "x.trace.gz")
            p, prefix = run(record, name, trace)
            expected = prefix + message + "\n" if message else ""
            wrong = []
            if p.returncode != status:
                wrong.append(f"status {p.returncode}, expected {status}")
            if p.stderr != expected:
                wrong.append(f"said {p.stderr!r}, expected {expected!r}")
            left = os.listdir(folder)
            if status < 6 and left:
                wrong.append(f"left behind: {left}")
            count += 1
            failed += bool(wrong)
            for w in wrong:
                print(f"cases.txt:{number}: {name}: {w}", file=sys.stderr)
    print(f"{count} cases, {failed} failed")
    sys.exit(1 if failed else 0)


main()
