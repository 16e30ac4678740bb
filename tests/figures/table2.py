#!/usr/bin/env python3
"""The scalar column of the paper's Table 2: shares of the 8 GFlop/s peak.

    table2.py [--full|--bounds] [-j JOBS] [--keep FOLDER]

dgemm and zgemm (n = 1024) and eight transforms of 1024 points, every access a hit. The products are run at four small n:
a n^3 + b n^2 + c n through the cycles at the first three must foretell the fourth, and through the first, third and
fourth it gives n = 1024. --full runs n = 1024 itself (1.7 to 6.2 thousand million instructions). --bounds instead
shows what bounds the kernels: the share with one parameter changed. Every kernel checks its result.
psim, psim-record and psim-kernels are found in PATH. Status 5 if a figure is outside its tolerance, 77 without the
cross compilers.
"""
import os
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Kernels, Report, Verdicts, need, start  # noqa: E402

CONFIG = os.path.realpath(os.path.join(TOP, "configs/sparc64v-prefetched.ini"))
SIZES = (24, 48, 72, 96)
# kernel, operations / n^3, the paper's share in percent, tolerance
PRODUCTS = (("dgemm", 2, 72.8, 10), ("dgemm-packed", 2, 72.8, 10), ("zgemm", 8, 96.3, 10))
# Three forms of the transform; the paper's is not known, and one has to come near.
TRANSFORMS = (("fft", 29.0, 60), ("fft-stockham", 29.0, 10), ("fft-radix4", 29.0, 60))
FFT_FLOPS = 409600  # 8 x 5 N log2 N, as the paper counts
FORETOLD = 2        # percent: how far the fourth size may be from what the first three say
BOUNDS = (("dgemm", 96, 2 * 96**3), ("dgemm-packed", 192, 2 * 192**3), ("zgemm", 96, 8 * 96**3),
          ("fft-stockham", "", FFT_FLOPS), ("fft-radix4", "", FFT_FLOPS))
CHANGES = ("chip.frequency=2 GHz", "core.rob_entries=128", "decode.fub_entries=40", "decode.fub_entries=64",
           "core.rsf_entries=16", "latency.fp_fma=6", "latency.fp_load_use=3", "decode.width=6", "core.address_pipes=3")


def through(points, n):
    """Cycles at n by a n^3 + b n^2 + c n through three points: divided differences of cycles / n."""
    (x0, y0), (x1, y1), (x2, y2) = ((x, y / x) for x, y in points)
    d1 = (y1 - y0) / (x1 - x0)
    d2 = ((y2 - y1) / (x2 - x1) - d1) / (x2 - x0)
    return n * (y0 + d1 * (n - x0) + d2 * (n - x0) * (n - x1))


def share(flops, cycles):
    """Percent of four operations a cycle."""
    return 100 * flops / cycles / 4


class Runs:
    """Simulations of kernels, as jobs and as results."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, Jobs("table2.py", folder, jobs)
        self.kernels = Kernels(self.jobs, os.path.realpath(os.path.join(TOP, "traces/kernels")))

    def add(self, kernel, size, changes=("",)):
        self.kernels.simulate(kernel, [size] if size else [], CONFIG, {
            self.name(kernel, size, change): ["-p", change] if change else [] for change in changes})

    def name(self, kernel, size, change=""):
        return f"{kernel}-{size}-{change.replace(' ', '')}.csv"

    def of(self, kernel, size, change=""):
        """Cycles and watts of the region."""
        report = Report(self.folder(self.name(kernel, size, change)))
        return report.number("regions", "cycles"), report.number("regions", "power")


def product(table, runs, kernel, each, paper, tolerance, full):
    if full:
        cycles, watts = runs.of(kernel, 1024)
        table.row(f"{kernel}, n = 1024", share(each * 1024**3, cycles), paper, tolerance,
                  f"{cycles:.0f} cycles, {watts:.1f} W, simulated")
        return
    points = []
    for n in SIZES:
        cycles, watts = runs.of(kernel, n)
        points.append((n, cycles))
        table.row(f"{kernel}, n = {n}", share(each * n**3, cycles), paper, note=f"{cycles:.0f} cycles, {watts:.1f} W")
    foretold = through(points[:3], SIZES[3])
    table.row(f"{kernel}, cycles at n = {SIZES[3]} foretold", foretold, points[3][1], FORETOLD, "by the first three")
    cycles = through([points[0], points[2], points[3]], 1024)
    table.row(f"{kernel}, n = 1024", share(each * 1024**3, cycles), paper, tolerance, f"{cycles:.0f} cycles, extrapolated")


def figures(runs, full):
    for kernel, *_ in PRODUCTS:
        for n in (1024,) if full else SIZES:
            runs.add(kernel, n)
    for kernel, *_ in TRANSFORMS:
        runs.add(kernel, "")
    runs.jobs.run()
    table = Verdicts(44)
    table.section("scalar core", "share of the peak, %")
    for kernel, each, paper, tolerance in PRODUCTS:
        product(table, runs, kernel, each, paper, tolerance, full)
    for kernel, paper, tolerance in TRANSFORMS:
        cycles, watts = runs.of(kernel, "")
        table.row(f"{kernel}, 1024 x 8", share(FFT_FLOPS, cycles), paper, tolerance, f"{cycles:.0f} cycles, {watts:.1f} W")
    print(table.text(), end="")
    return table.status()


def bounds(runs):
    for kernel, size, _ in BOUNDS:
        runs.add(kernel, size, CHANGES)
    runs.jobs.run()
    print(f"{'kernel':14} {'n':9} {'parameter':26} {'of peak %':>10}")
    for kernel, size, flops in BOUNDS:
        for change in CHANGES:
            label = "defaults" if change.startswith("chip.") else change
            print(f"{kernel:14} {size or '1024 x 8':<9} {label:26} {share(flops, runs.of(kernel, size, change)[0]):10.1f}")


def main(arguments):
    options, _ = Command("table2.py", "", __doc__ + "\n", flags=("--full", "--bounds"), values=("--jobs", "--keep"),
                         short={"-j": "--jobs"}).parse(arguments)
    need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran", "ninja")
    with Folder(options["keep"]) as folder:
        runs = Runs(folder, options["jobs"] or 1)
        return bounds(runs) if options["bounds"] else figures(runs, options["full"])


if __name__ == "__main__":
    start("table2.py", main)
