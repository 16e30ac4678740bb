#!/usr/bin/env python3
"""Real processors: measured STREAM and Linpack, and predicted by psim with what is public of them.

    measured_processors.py [-j JOBS]     psim, psim-record and sparc64-linux-gnu-gcc are found in PATH

measured_processors.table has the figures and their sources, processors/KEY.ini the descriptions. Rows that a description is
calibrated with are shown, and are not counted. Status 5 if a loop of STREAM is more than 30 % off.
"""
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Jobs, Stop, need, read, start, table_lines  # noqa: E402

FIGURES = os.path.join(TOP, "tests/figures")
TABLE = os.path.join(FIGURES, "measured_processors.table")
KERNELS = os.path.join(TOP, "traces/kernels")
BYTES = {"copy": 16, "scale": 16, "add": 24, "triad": 24}  # of an element, as STREAM counts them
COMPILE = ["sparc64-linux-gnu-gcc", "-O3", "-static", "-mcpu=ultrasparc3", "-fno-tree-loop-distribute-patterns",
           "-I", KERNELS, "-o"]
MOST = 30  # percent


def rows():
    """Yields (key, None, text) of a processor, and (key, kernel, n, measured, unit, calibrated) of a figure."""
    for number, head, cells in table_lines(TABLE):
        if head and len(cells) == 3:
            yield cells[0], None, cells[1]
        elif len(cells) == 5:
            kernel, n = cells[1].split()
            yield cells[0], kernel, int(n), float(cells[2]), cells[3], cells[4] == "calibrated"
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a processor, or a figure")


def add(jobs, folder, key, kernel, n):
    program, region = ("dgemm", "dgemm") if kernel == "dgemm" else ("stream", "stream")
    words = [folder(program), n] if kernel == "dgemm" else [folder(program), kernel, n]
    trace = f"{kernel}-{n}.trace.gz"
    jobs.add([trace], [["psim-record", "-q", "-o", folder(trace), "--region", region, "--", *words]], [folder(program)],
             f"record {kernel}")
    jobs.add([f"{key}-{kernel}.csv"], [["psim", "-q", "-c", f"{FIGURES}/processors/{key}.ini", "-f", "csv", "-o",
                                        folder(f"{key}-{kernel}.csv"), folder(trace)]], [folder(trace)], f"{key}, {kernel}")


def predicted(text, kernel, n):
    """MB/s or MFlop/s of a report."""
    seconds = float(re.search(r"(?m)^core,seconds,,([\d.e+-]+)", text)[1])
    return (BYTES[kernel] * n if kernel in BYTES else 2 * n ** 3) / seconds / 1e6


def main(arguments):
    options, operands = Command("measured_processors.py", "", __doc__ + "\n", values=("--jobs",),
                                short={"-j": "--jobs"}).parse(arguments)
    if operands:
        raise Stop(2, "expected no operand")
    need("sparc64-linux-gnu-gcc")
    table, offs, far = list(rows()), [], False
    with Folder() as folder:
        jobs = Jobs("measured_processors.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["stream"], [[*COMPILE, folder("stream"), f"{FIGURES}/processors/stream.c"]])
        jobs.add(["dgemm"], [[*COMPILE, folder("dgemm"), f"{KERNELS}/dgemm_packed.c"]])
        for row in table:
            if row[1]:
                add(jobs, folder, *row[:3])
        jobs.run()
        print(f"{'':<24} {'measured':>10} {'predicted':>10} {'':<8} off, %")
        for key, kernel, *rest in table:
            if not kernel:
                print(rest[0])
                continue
            n, measured, unit, calibrated = rest
            ours = predicted(read(folder(f"{key}-{kernel}.csv")), kernel, n)
            off = 100 * (ours / measured - 1)
            print(f"  {kernel:<22} {measured:>10.1f} {ours:>10.1f} {unit:<8} {off:>+6.1f}" + ("  calibrated" if calibrated else ""))
            if not calibrated:
                offs.append(abs(off))
                far |= kernel in BYTES and abs(off) > MOST
    print(f"{len(offs)} predicted, median {statistics.median(offs):.1f} %, most {max(offs):.1f} %")
    return MISSED if far else 0


if __name__ == "__main__":
    start("measured_processors.py", main)
