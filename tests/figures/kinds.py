#!/usr/bin/env python3
"""Sampled runs beside whole ones, of small kernels of many kinds: is the exact number of cycles within the interval?

    kinds.py [-j JOBS] [-k KEPT] [--few] [--held-out] [--phases] [NAME...]

Records the kernels of kinds.c, simulates each whole and with psim --sample, and prints a table: instructions, exact cycles,
how far off the estimate is, half the interval, its correction by the long parts, share of the instructions that was
simulated. --phases: psim --simpoints instead, with the number of phases, and how far off the mean of all measured intervals
of each phase is. --held-out: the sizes on which nothing was chosen, alone; --few: one kernel of each kind. Whole runs stay
in the folder KEPT. Status 5 if fewer than 19 of 20 lie within, 77 without the cross compiler.
"""
import concurrent.futures
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Report, need, output, start  # noqa: E402

CONFIG = os.path.join(TOP, "configs/sparc64v.ini")
# A kind in each line: name, size, repetitions, of about 2 million instructions. The method was chosen beside CHOSEN.
CHOSEN = """triad 200000 1; total 300000 1; stride 100000 2; scan 3000 100; gather 200000 1
    histogram 60000 6; wide_histogram 60000 5; weighted 60000 5; pairs 60000 6
    phases 10000 3; two_phases 3000 4; growing 20000 1; bursts 300000 1
    fib 22 3; ack 100 20; queens 8 25; hanoi 14 8
    chase 65536 10; list 1000 150; tree 8000 1; hash 20000 3
    insertion 600 2; heap 10000 1; merge 12000 1; radix 30000 2
    product 64 1; outer 64 1; eliminate 90 1; in_place 150 6
    rare 300000 1; collatz 4000 1; sieve 150000 1; checksum 200000 1; queue 150000 1"""
HELD_OUT = """triad 240000 1; total 4000 80; stride 45000 4; scan 180000 1; gather 20000 8
    histogram 3000 150; histogram 30000 12; wide_histogram 12000 22; weighted 20000 14; pairs 30000 12
    phases 20000 2; two_phases 5000 3; growing 12000 2; bursts 150000 1
    fib 19 12; ack 60 60; queens 6 500; hanoi 16 2
    chase 8000 150; list 20000 8; tree 2000 4; hash 8000 6
    insertion 200 15; heap 3000 3; merge 4000 4; radix 9000 6
    product 40 6; transpose 300 3; eliminate 60 4; five_points 120 10
    coins 90000 2; interpret 60000 2; divisors 5000 8; newton 8000 6; common 250 2"""
WIDTH = 20


def rows_of(text, few):
    """The kernels of a list; with few the first of each line."""
    lines = [[kernel.split() for kernel in line.split(";")] for line in text.splitlines()]
    return [kernel for line in lines for kernel in (line[:1] if few else line)]


def sampled_row(kernel, exact, got):
    """Returns the cells of a kernel's row from its reports, whole and sampled."""
    cycles, phases = exact.number("core", "cycles"), got.text("sample", "phases")
    more = [f"{got.number('estimate', 'correction'):+.2f}"]
    if phases:
        more = [f"{100 * (got.number('sample', 'mean_cycles') / cycles - 1):+.2f}", phases]
    return [" ".join(kernel), f"{exact.number('core', 'instructions') / 1e6:.2f}", f"{cycles:.0f}",
            f"{100 * (got.number('estimate', 'cycles') / cycles - 1):+.2f}", f"{got.number('estimate', 'error'):.2f}", *more,
            f"{got.number('sample', 'simulated_share'):.1f}"]


def row(folder, program, kernel, option):
    """Returns the cells of a kernel's row, and whether the exact cycles are within."""
    name = "-".join(kernel)
    trace, whole, sample = folder(name + ".trace.gz"), folder(name + ".csv"), folder(name + ".sample")
    if not os.path.exists(whole):
        output("psim-record", "-q", "--warm-up", "0", "--region", "kind", "-o", trace, "--", program, *kernel)
        output("psim", "-q", "--no-profile", "-c", CONFIG, "-f", "csv", "-o", whole, trace)
    output("psim", "-q", "-c", CONFIG, "-f", "csv", "-o", sample, option, trace)
    exact, got = Report(whole), Report(sample)
    cycles = exact.number("core", "cycles")
    within = got.number("estimate", "cycles_low") <= cycles <= got.number("estimate", "cycles_high")
    return sampled_row(kernel, exact, got) + ["within" if within else "NOT within"], within


def table(folder, program, kernels, option, jobs):
    """Prints the rows; returns how many are within."""
    inside = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for cells, within in pool.map(lambda kernel: row(folder, program, kernel, option), kernels):
            inside += within
            print("  ".join([f"{cells[0]:{WIDTH}}"] + [f"{cell:>9}" for cell in cells[1:]]), flush=True)
    return inside


def main(arguments):
    options, names = Command("kinds.py", "", __doc__ + "\n", flags=["--few", "--held-out", "--phases"],
                             values=["--jobs", "--keep"], short={"-j": "--jobs", "-k": "--keep"}).parse(arguments)
    need("sparc64-linux-gnu-gcc")
    held_out = rows_of(HELD_OUT, options["few"])
    chosen = [] if options["held-out"] else rows_of(CHOSEN, options["few"])
    with Folder(options["keep"]) as folder:
        program = folder("kinds")
        output("sparc64-linux-gnu-gcc", "-std=gnu17", "-O2", "-mcpu=ultrasparc3", "-static", "-I",
               os.path.join(TOP, "traces/kernels"), "-o", program, os.path.join(TOP, "tests/figures/kinds.c"))
        option = "--simpoints" if options["phases"] else "--sample"
        head = ["kernel", "million", "cycles", "off %", "+- %"]
        head += (["mean off", "phases"] if options["phases"] else ["corrected"]) + ["simul. %"]
        print("  ".join([f"{head[0]:{WIDTH}}"] + [f"{cell:>9}" for cell in head[1:]]))
        count, inside = 0, 0
        # which of equal intervals stands for a phase was chosen after a run on all kernels
        for title, kernels in (("chosen beside these", chosen), ("others" if options["phases"] else "held out", held_out)):
            kernels = [kernel for kernel in kernels if not names or kernel[0] in names]
            if kernels:
                print(f"-- {title}")
            found = table(folder, program, kernels, option, int(options["jobs"] or 1))
            if kernels:
                print(f"{found} of {len(kernels)} within")
            count, inside = count + len(kernels), inside + found
    print(f"{inside} of {count} within")
    return 0 if inside >= 0.95 * count else MISSED


if __name__ == "__main__":
    start("kinds.py", main)
