#!/usr/bin/env python3
"""The array's column of the paper's Table 2 with kernels that psim-cc has compiled, beside those written by hand.

    table2-compiled.py [--full] [-j JOBS] [PLUGIN]     psim, psim-record, psim-kernels and psim-cc are found in PATH

The loops are the textbook's (traces/kernels/loops): dgemm and zgemm, a block of n = 128 beside a 512th of the paper's time, and
eight transforms of 1024 points, alone and as an eighth of 64. The processor is that of psim-table2's calibrated rows
(table2-simd16.ini). Shares are of the kernels by hand at the same size. --full simulates the products of n = 1024. Prints a
table; status 5 if a share is below its bar, 77 without PLUGIN, the built plugin, or the cross compilers.
"""
import os
import re
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Kernels, Report, Verdicts, need, start  # noqa: E402

CONFIG = os.path.join(TOP, "configs/table2-simd16.ini")
LOOPS = os.path.join(TOP, "traces/kernels/loops")
# Figures of psim-table2: ms on 16 PEs, mJ (of a product's 512th).
PAPER = {"dgemm": (53.12, 13.1), "zgemm": (185.82, 34.4), "fft": (0.0668, 4.13)}
# kernel, flags, arguments, parts of the paper's figure, times the paper's work, by hand, least share of its speed in percent
ROWS = (
    ("dgemm", (), (128,), 512, 1, ("simd-dgemm-plain", "simd-dgemm", "simd-dgemm-blocked"), 75),
    ("zgemm", (), (128,), 512, 1, ("simd-zgemm-plain", "simd-zgemm", "simd-zgemm-blocked"), 50),
    ("zgemm", ("-ffast-math",), (128,), 512, 1, ("simd-zgemm",), 75),
    ("fft", (), (10, 8), 1, 1, ("simd-fft-plain", "simd-fft-copy", "simd-fft", "simd-fft-reversed"), 0),
    ("fft", (), (10, 64), 1, 8, ("simd-fft",), 100),
)
FULL = (("dgemm", (), (1024,), 1, 1, ("simd-dgemm",), 75), ("zgemm", ("-ffast-math",), (1024,), 1, 1, ("simd-zgemm",), 75))


def name_of(kernel, flags, arguments):
    return "-".join([kernel, *flags, *map(str, arguments)]) + ".csv"


def add(jobs, kernels, row):
    kernel, flags, arguments, _, _, hands, _ = row
    report = name_of(kernel, flags, arguments)
    program, trace = jobs.folder(report + ".sparc"), jobs.folder(report + ".trace.gz")
    steps = [["psim-cc", *flags, "-o", program, f"{LOOPS}/{kernel}.c", "-lm"],
             ["psim-record", "-q", "-o", trace, "--warm-up", "0", "--region", kernel, "--name", f"/loops/{kernel}", "--", program,
              *arguments],
             ["psim", "-q", "--no-profile", "-c", CONFIG, "-f", "csv", "-o", jobs.folder(report), trace], ["rm", trace]]
    jobs.add([report], steps, [jobs.stamp("psim", "psim-record"), jobs.stamp(LOOPS)], " ".join(["psim-cc", kernel, *map(str, arguments)]))
    for hand in hands:
        kernels.simulate(hand, arguments, CONFIG, {name_of(hand, (), arguments): []})


def rows(table, folder, row):
    kernel, flags, arguments, parts, times, hands, least = row

    def result(*of):
        report = Report(folder(name_of(*of)))
        return report.number("regions", "seconds") / times, report.number("regions", "energy") / times

    size = f"n = {arguments[0]}" if kernel != "fft" else f"{arguments[1]} transforms of 1024 points"
    of = "" if parts == 1 and times == 1 else f" beside a {parts}th of the paper's figures" if parts > 1 else f", an {times}th of it"
    table.section(" ".join([f"{kernel}, {size}", *flags]), f"{' '.join([kernel, *flags])}: {size}{of}")
    seconds, joules = result(kernel, flags, arguments)
    table.row("time, compiled (us)", 1e6 * seconds, 1e3 * PAPER[kernel][0] / parts)
    best = None
    for hand in hands:
        theirs = result(hand, (), arguments)
        table.row(f"time, {hand} (us)", 1e6 * theirs[0], 1e3 * PAPER[kernel][0] / parts)
        best = min(best or theirs[0], theirs[0])
    table.row("energy, compiled (mJ)", 1e3 * joules, PAPER[kernel][1] * (512 / parts if kernel != "fft" else 1))
    table.row("speed, % of the fastest by hand", 100 * best / seconds, least or None, float("inf") if least else None, low=0 if least else None)


def main(arguments):
    options, plugin = Command("table2-compiled.py", "", __doc__ + "\n", flags=("--full",), values=("--jobs",),
                              short={"-j": "--jobs"}).parse(arguments)
    need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran", "ninja")
    if not plugin or not re.search(r"\.so$", plugin[0]):
        print("skipped: the plugin is not built (gcc-12-plugin-dev-sparc64-linux-gnu, g++)")
        return 77
    table = Verdicts(44)
    with Folder() as folder:
        jobs = Jobs("table2-compiled.py", folder, options["jobs"] or 1)
        kernels = Kernels(jobs, os.path.join(TOP, "traces/kernels"))
        wanted = ROWS + (FULL if options["full"] else ())
        for row in wanted:
            add(jobs, kernels, row)
        jobs.run()
        for row in wanted:
            rows(table, folder, row)
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("table2-compiled.py", main)
