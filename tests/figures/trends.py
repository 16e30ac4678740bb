#!/usr/bin/env python3
"""Published orders of predictors, prefetchers and replacement policies, on small kernels of many kinds.

    trends.py [-j JOBS] [-k KEPT] [NAME...]

Records kernels of kinds.c, simulates each with every choice of a kind, and prints for each choice the mean over the kernels:
mispredictions per thousand instructions; misses of L2 by replacement policy; and the speed that a prefetcher gives, as the
geometric mean. Below each table it says whether the order that a paper reports holds. What was recorded stays in the folder
KEPT. A NAME is a table's: direction, prefetch, replacement. Status 5 if an order does not hold, 77 without the cross compiler.
"""
import concurrent.futures
import math
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Report, need, output, start  # noqa: E402

CONFIG = os.path.join(TOP, "configs/sparc64v.ini")
WIDTH = 20
# A small L2, so that kernels of a few million instructions use memory, and what a policy keeps shows.
SMALL_L2 = ["-p", "l2.size=128KiB", "-p", "l2.ways=16"]


# The papers' prefetch of the next line wants that line alone.
ONE_LINE = ["-p", "prefetch.degree=1"]
# AMPM's maps have half of L2's lines: those that L2 evicts count as accessed while a map has them.
SMALL_MAPS = ["-p", "prefetch.zones=16"]
OWN = {"next_line": ONE_LINE, "ampm": SMALL_MAPS}


def mispredictions(report):
    return 1000 * report.number("commit", "mispredicts") / report.number("core", "instructions")


def l2_misses(report):
    return 1000 * report.number("memory.l2", "data_misses") / report.number("core", "instructions")


def cycles(report):
    return report.number("core", "cycles")


def mean(values, _):
    return sum(values) / len(values)


def speed(values, first):
    return math.exp(sum(math.log(b / a) for a, b in zip(values, first)) / len(values))


class Table:
    """A figure of each choice, its mean over the kernels, and pairs (a, b, source): a is published as better than b."""

    def __init__(self, title, choices, figure, average, better, kernels, orders):
        self.title, self.choices, self.figure, self.average, self.better = title, choices, figure, average, better
        self.kernels, self.orders = [kernel.split() for kernel in kernels.split(";")], orders


TABLES = {
    "direction": Table(
        "mispredictions per 1000 instructions, by bpred.kind",
        {kind: ["-p", f"bpred.kind={kind}"] for kind in ("brhis", "gshare", "perceptron", "tage")}, mispredictions, mean,
        "fewer", """fib 22 3; ack 100 20; queens 8 25; tree 8000 1; insertion 600 2; heap 10000 1; merge 12000 1; rare 300000 1;
        collatz 4000 1; sieve 150000 1; queue 150000 1; phases 20000 2; coins 90000 2; interpret 60000 2; common 250 2""",
        [("gshare", "brhis", "McFarling 1993"), ("perceptron", "gshare", "Jimenez, Lin 2001"),
         ("tage", "perceptron", "Seznec, Michaud 2006")]),
    "prefetch": Table(
        "speed beside no prefetcher, by prefetch.kind",
        {"none": SMALL_L2, **{kind: [*SMALL_L2, "-p", "prefetch.enabled=yes", "-p", f"prefetch.kind={kind}",
                                     *OWN.get(kind, [])]
                              for kind in ("next_line", "stream", "stride", "ampm", "best_offset")}}, cycles, speed,
        "faster", """triad 200000 1; total 300000 1; stride 100000 2; scan 180000 1; gather 20000 8; histogram 60000 6;
        chase 8000 150; list 20000 8; tree 8000 1; hash 20000 3; heap 10000 1; merge 12000 1; radix 30000 2; transpose 300 3;
        in_place 150 6; five_points 120 10; sieve 150000 1; growing 20000 1""",
        [("next_line", "none", "Smith 1982"), ("stream", "none", "Jouppi 1990"), ("stride", "none", "Chen, Baer 1995"),
         ("ampm", "stride", "Ishii and others 2009"), ("best_offset", "next_line", "Michaud 2016")]),
    "replacement": Table(
        "misses of L2 per 1000 instructions, by l2.replacement",
        {kind: [*SMALL_L2, "-p", f"l2.replacement={kind}"] for kind in ("lru", "plru", "random", "srrip", "drrip")}, l2_misses,
        mean, "fewer", """scan 3000 100; gather 20000 8; wide_histogram 12000 22; chase 8000 150; list 20000 8; tree 8000 1;
        hash 8000 6; heap 10000 1; merge 12000 1; radix 30000 2; transpose 300 3; product 64 1; in_place 150 6; sieve 150000 1;
        five_points 120 10; growing 20000 1; phases 20000 2""",
        [("lru", "random", "Smith 1982"), ("srrip", "lru", "Jaleel and others 2010"),
         ("drrip", "srrip", "Jaleel and others 2010")]),
}


def figure_of(folder, program, kernel, table, choice):
    name = "-".join(kernel)
    trace, report = folder(name + ".trace.gz"), folder(f"{name}.trend-{table.figure.__name__}-{choice}")
    if not os.path.exists(trace):
        output("psim-record", "-q", "--warm-up", "0", "--region", "kind", "-o", trace, "--", program, *kernel)
    output("psim", "-q", "--no-profile", "-c", CONFIG, "-f", "csv", "-o", report, *table.choices[choice], trace)
    return table.figure(Report(report))


def print_table(folder, program, table, jobs):
    """Prints a table. Returns how many orders do not hold."""
    print(f"-- {table.title}")
    print("  ".join([f"{'kernel':{WIDTH}}"] + [f"{choice:>11}" for choice in table.choices]))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for kernel in table.kernels:
            figures = list(pool.map(lambda choice, k=kernel: figure_of(folder, program, k, table, choice), table.choices))
            rows.append(figures)
            shown = [figures[0] / x for x in figures] if table.average is speed else figures
            print("  ".join([f"{' '.join(kernel):{WIDTH}}"] + [f"{x:11.3f}" for x in shown]), flush=True)
    columns = list(zip(*rows))
    means = {choice: table.average(columns[n], columns[0]) for n, choice in enumerate(table.choices)}
    print("  ".join([f"{'mean':{WIDTH}}"] + [f"{x:11.3f}" for x in means.values()]))
    missed = 0
    for a, b, source in table.orders:
        holds = means[a] < means[b] if table.better == "fewer" else means[a] > means[b]
        missed += not holds
        print(f"{a} {table.better} than {b} ({source}): {'holds' if holds else 'DOES NOT HOLD'}")
    return missed


def main(arguments):
    options, names = Command("trends.py", "", __doc__ + "\n", flags=[], values=["--jobs", "--keep"],
                             short={"-j": "--jobs", "-k": "--keep"}).parse(arguments)
    need("sparc64-linux-gnu-gcc")
    with Folder(options["keep"]) as folder:
        program = folder("kinds")
        output("sparc64-linux-gnu-gcc", "-std=gnu17", "-O2", "-mcpu=ultrasparc3", "-static", "-I",
               os.path.join(TOP, "traces/kernels"), "-o", program, os.path.join(TOP, "tests/figures/kinds.c"))
        missed = sum(print_table(folder, program, TABLES[name], int(options["jobs"] or 1)) for name in names or TABLES)
    return MISSED if missed else 0


if __name__ == "__main__":
    start("trends.py", main)
