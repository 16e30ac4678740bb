#!/usr/bin/env python3
"""Figures of the paper's Table 2 with the array, held: what is met stays met, and a miss does not grow.

    table2-simd.py [-j JOBS]     psim-table2 is found in PATH

The rows are those of the forms that stand nearest to the paper's figures (docs/accuracy/table2.md), each with the span
of percent in which it has to be. Prints psim-table2's table and the verdicts; status 5 if a figure leaves its span,
77 without the cross compilers.
"""
import os
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Stop, Verdicts, need, read, start  # noqa: E402

# section of psim-table2's table (how its heading begins), figure, lowest and highest percent off the paper's
HELD = (
    ("dgemm, plain: n = 1024", "time scalar (ms)", -10, 10),
    ("dgemm, plain: n = 1024", "time SIMD (ms)", -10, 10),
    ("dgemm, plain: n = 1024", "speed-up", -10, 10),
    ("dgemm, plain: one block", "calibrated energy scalar (mJ)", -15, 15),
    ("dgemm, plain: one block", "calibrated energy SIMD (mJ)", -10, 10),
    ("dgemm, plain: one block", "calibrated energy ratio", -20, 10),
    ("dgemm, blocked: n = 1024", "time SIMD (ms)", -10, 20),
    ("zgemm, blocked: n = 1024", "time scalar (ms)", -10, 10),
    ("zgemm, blocked: n = 1024", "time SIMD (ms)", -10, 10),
    ("zgemm, blocked: n = 1024", "speed-up", -10, 10),
    ("zgemm, blocked: one block", "time SIMD (us)", -10, 10),
    ("zgemm, blocked: one block", "calibrated energy scalar (mJ)", -10, 10),
    ("zgemm, blocked: one block", "calibrated energy SIMD (mJ)", -10, 10),
    ("zgemm, blocked: one block", "calibrated energy ratio", -15, 15),
    ("fft, reversed:", "time scalar (ms)", -15, 15),
    ("fft, reversed:", "time SIMD (ms)", -15, 15),
    ("fft, reversed:", "speed-up", -15, 15),
    ("fft, reversed:", "calibrated energy scalar (mJ)", -15, 15),
    ("fft, reversed:", "calibrated energy SIMD (mJ)", -15, 15),
    ("fft, reversed:", "calibrated energy ratio", -15, 15),
    ("area", "area ratio, core and L2", -10, 10),
)


def rows_of(text):
    """{(heading, figure): (ours, paper)} of psim-table2's table."""
    found, heading, fresh = {}, "", False
    for line in text.splitlines():
        words = line[34:].split()
        if fresh and line:
            heading = line
        elif len(words) > 1 and words[0][:1].isdigit() and words[1][:1].isdigit():
            found[heading, line[:34].strip()] = float(words[0]), float(words[1])
        fresh = not line
    return found


def main(arguments):
    options, _ = Command("table2-simd.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran", "ninja")
    with Folder() as folder:
        run = subprocess.run(["psim-table2", "-q", "-j", options["jobs"] or "1", "-o", folder("table")], check=False)
        if run.returncode not in (0, 5):
            raise Stop(run.returncode)
        text = read(folder("table"))
    print(text)
    rows, table = rows_of(text), Verdicts(60)
    table.section("held")
    for section, figure, low, high in HELD:
        (ours, paper), = [value for (heading, name), value in rows.items()
                          if heading.startswith(section) and name == figure]
        table.row(f"{section.strip(':')}, {figure}", ours, paper, high, low=low)
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("table2-simd.py", main)
