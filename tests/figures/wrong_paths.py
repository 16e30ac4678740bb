#!/usr/bin/env python3
"""Effects of wrong paths: cycles, misses of the right path, prefetching, on kernels with unpredictable branches and others.

    wrong_paths.py [-j JOBS] [-k KEPT] [NAME...]

Records kernels of traces/kernels, kinds.c and paths.c, simulates each without wrong paths, with fetch on them, and with fetch
and loads, and prints a table for each machine. What was recorded stays in the folder KEPT. A NAME is a table's: default,
small, banks. Status 77 without the cross compiler.
"""
import concurrent.futures
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Report, need, output, start  # noqa: E402

CONFIG = os.path.join(TOP, "configs/sparc64v.ini")
KERNELS = [line.split() for line in """quicksort.c 20000; compress.c 64; spmv.c 4000; chase.c; kinds.c merge 12000 1;
    kinds.c heap 10000 1; kinds.c tree 8000 1; kinds.c hash 20000 3; kinds.c insertion 600 2; kinds.c interpret 60000 1;
    paths.c join 65536 1; paths.c bfs 32768 1""".split(";")]
REGIONS = {"quicksort.c": "sort", "compress.c": "compress", "spmv.c": "spmv", "chase.c": "chase"}
MACHINES = {
    "default": ("sparc64v.ini", []),
    "small": ("sparc64v.ini, L2 of 128 KiB and 16 ways, stream prefetcher",
              ["-p", "l2.size=128KiB", "-p", "l2.ways=16", "-p", "prefetch.enabled=yes"]),
    "banks": ("sparc64v.ini, memory/ddr4-3200.ini", ["-c", os.path.join(TOP, "configs/memory/ddr4-3200.ini")]),
}
PATHS = ("none", "fetch", "loads")


def build(folder, source):
    program = folder(source.removesuffix(".c"))
    if not os.path.exists(program):
        place = "tests/figures" if source in ("kinds.c", "paths.c") else "traces/kernels"
        output("sparc64-linux-gnu-gcc", "-std=gnu17", "-O2", "-mcpu=ultrasparc3", "-static", "-I",
               os.path.join(TOP, "traces/kernels"), "-o", program, os.path.join(TOP, place, source), "-lm")
    return program


def record(folder, kernel):
    trace = folder("-".join(kernel) + ".trace.gz")
    if not os.path.exists(trace):
        output("psim-record", "-q", "--warm-up", "0", "--region", REGIONS.get(kernel[0], "kind"), "-o", trace, "--",
               build(folder, kernel[0]), *kernel[1:])
    return trace


def simulate(folder, kernel, machine, path):
    report = folder("-".join([*kernel, "wrong", machine, path]))
    output("psim", "-q", "--no-profile", "-c", CONFIG, "-f", "csv", "-o", report, *MACHINES[machine][1], "-p",
           f"fetch.wrong_path={path}", record(folder, kernel))
    return Report(report)


def figures(report, path):
    """Misses of the right path per thousand instructions, and what wrong paths brought."""
    def wrong(name):
        return report.number("memory.wrong_lines", name) if path != "none" else 0

    def number(group, name):
        return report.number(group, name)

    kilo = number("core", "instructions") / 1000
    ahead = number("memory.hw_prefetch", "prefetches")
    brought = wrong("l1d_lines")
    return {
        "cycles": number("core", "cycles"),
        "mispredicts": number("commit", "mispredicts") / kilo,
        "l1i": (number("memory.l1i", "misses") - wrong("fetch_misses")) / kilo,
        "l1d": (number("memory.l1d", "load_misses") + number("memory.l1d", "store_misses") - wrong("load_misses")) / kilo,
        "l2": (number("memory.l2", "data_misses") + number("memory.l2", "instruction_misses") - wrong("l2_misses")) / kilo,
        "accuracy": (number("memory.hw_prefetch", "prefetches_useful") + number("memory.hw_prefetch", "prefetches_late"))
        / ahead if ahead else None,
        "lines": brought / kilo,
        "used": wrong("l1d_used") / brought if brought else None,
        "harmful": wrong("l1d_harmful") / kilo,
        "l2_lines": wrong("l2_lines") / kilo,
        "l2_used": wrong("l2_used") / wrong("l2_lines") if wrong("l2_lines") else None,
        "energy": number("energy", "total_j"),
    }


def percent(value):
    return f"{100 * value:7.1f}" if value is not None else f"{'-':>7}"


def print_table(folder, machine, jobs):
    """Misses of the right path, lines that wrong paths brought into L1D and L2 and their share that was used, harm in L1D, and
    accuracy of the prefetcher."""
    print(f"-- {MACHINES[machine][0]}: misses, lines and harm for 1000 instructions; shares in percent")
    print(f"{'kernel':22} {'path':6} {'mispr.':>7} {'time':>7} {'energy':>7} {'L1I':>7} {'L1D':>7} {'L2':>7} {'to L1D':>7} "
          f"{'used':>7} {'harm':>7} {'to L2':>7} {'used':>7} {'ahead':>7}")
    for kernel in KERNELS:
        record(folder, kernel)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            rows = list(pool.map(lambda path, k=kernel: figures(simulate(folder, k, machine, path), path), PATHS))
        for path, row in zip(PATHS, rows):
            print(f"{' '.join(kernel).replace('.c', ''):22} {path:6} {row['mispredicts']:7.2f} "
                  f"{row['cycles'] / rows[0]['cycles']:7.4f} {row['energy'] / rows[0]['energy']:7.4f} "
                  f"{row['l1i']:7.3f} {row['l1d']:7.3f} {row['l2']:7.3f} {row['lines']:7.3f} {percent(row['used'])} "
                  f"{row['harmful']:7.3f} {row['l2_lines']:7.3f} {percent(row['l2_used'])} {percent(row['accuracy'])}", flush=True)


def main(arguments):
    options, names = Command("wrong_paths.py", "", __doc__ + "\n", flags=[], values=["--jobs", "--keep"],
                             short={"-j": "--jobs", "-k": "--keep"}).parse(arguments)
    need("sparc64-linux-gnu-gcc")
    with Folder(options["keep"]) as folder:
        for name in names or MACHINES:
            print_table(folder, name, int(options["jobs"] or 1))
    return 0


if __name__ == "__main__":
    start("wrong_paths.py", main)
