#!/usr/bin/env python3
"""Real processors: measured STREAM and Linpack, and predicted by psim with what is public of them.

    measured_processors.py [-j JOBS]              psim, psim-record, bsim, bsimcc and sparc64-linux-gnu-gcc are found in PATH
    measured_processors.py [-j JOBS] --windows    dgemm on UltraSPARC II with other windows and stations

measured_processors.table has the figures and their sources, processors/KEY.ini the descriptions. HPL is the skeleton hpl
with one rank: dgemm at the rate that psim finds for dgemm_packed 200, panels at a quarter of it, as for all machines of
measured_hpl.table. Rows that a description is calibrated with are shown, and are not counted. Status 5 if a figure is more
than 30 % off.
"""
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Jobs, Stop, need, output, read, start, table_lines  # noqa: E402

FIGURES = os.path.join(TOP, "tests/figures")
TABLE = os.path.join(FIGURES, "measured_processors.table")
KERNELS = os.path.join(TOP, "traces/kernels")
BYTES = {"copy": 16, "scale": 16, "add": 24, "triad": 24}  # of an element, as STREAM counts them
COMPILE = ["sparc64-linux-gnu-gcc", "-O3", "-static", "-mcpu=ultrasparc3", "-fno-tree-loop-distribute-patterns",
           "-I", KERNELS, "-o"]
DGEMM, BLOCK = 200, 256  # order of the product that is recorded; HPL's NB
MOST = 30  # percent
WINDOWS = [(9, 8, "16KiB"), (9, 8, "1MiB"), (16, 8, "16KiB"), (36, 2, "16KiB"), (36, 3, "16KiB"), (36, 4, "16KiB")]


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
    """The runs of a row; all of a processor's rows of HPL have one run of dgemm."""
    if kernel == "hpl":
        kernel, n = "dgemm", DGEMM
    program, region = ("dgemm", "dgemm") if kernel == "dgemm" else ("stream", "stream")
    words = [folder(program), n] if kernel == "dgemm" else [folder(program), kernel, n]
    trace = f"{kernel}-{n}.trace.gz"
    jobs.add([trace], [["psim-record", "-q", "-o", folder(trace), "--region", region, "--", *words]], [folder(program)],
             f"record {kernel}")
    jobs.add([f"{key}-{kernel}.csv"], [["psim", "-q", "-c", f"{FIGURES}/processors/{key}.ini", "-f", "csv", "-o",
                                        folder(f"{key}-{kernel}.csv"), folder(trace)]], [folder(trace)], f"{key}, {kernel}")


def seconds_of(folder, name):
    return float(re.search(r"(?m)^core,seconds,,([\d.e+-]+)", read(folder(name)))[1])


def predicted(folder, key, kernel, n):
    """MB/s or MFlop/s."""
    if kernel != "hpl":
        return BYTES[kernel] * n / seconds_of(folder, f"{key}-{kernel}.csv") / 1e6
    rate = 2 * DGEMM ** 3 / seconds_of(folder, f"{key}-dgemm.csv")
    text = output("bsim", "-q", "-e", "none", "--set", f"dgemm_rate={rate:.0f}", "--set", f"panel_rate={rate / 4:.0f}", "-n", "1",
                  "-o", folder("hpl.report"), folder("hpl.so"), str(n), str(BLOCK), "1", "1")
    return 1000 * float(re.search(r"([\d.e+-]+) GFlop/s", text)[1])


def windows(jobs, folder):
    """dgemm on UltraSPARC II by window and stations."""
    add(jobs, folder, "ultrasparc-ii", "hpl", 0)
    name = "{}-{}-{}.csv".format
    for window, stations, l1d in WINDOWS:
        keys = [f"core.rob_entries={window}", f"l1d.size={l1d}"] + [f"core.rs{x}_entries={stations}" for x in ("e", "f", "a", "br")]
        jobs.add([name(window, stations, l1d)], [["psim", "-q", "-c", f"{FIGURES}/processors/ultrasparc-ii.ini", "-f", "csv", "-o",
                                                  folder(name(window, stations, l1d)), *(w for k in keys for w in ("-p", k)),
                                                  folder(f"dgemm-{DGEMM}.trace.gz")]], [folder(f"dgemm-{DGEMM}.trace.gz")])
    jobs.run()
    print(f"{'window':>6} {'stations':>8} {'L1D':>7} {'MFlop/s':>8}")
    for window, stations, l1d in WINDOWS:
        rate = 2 * DGEMM ** 3 / seconds_of(folder, name(window, stations, l1d)) / 1e6
        print(f"{window:>6} {stations:>8} {l1d:>7} {rate:>8.1f}")
    return 0


def main(arguments):
    options, operands = Command("measured_processors.py", "", __doc__ + "\n", values=("--jobs",), flags=("--windows",),
                                short={"-j": "--jobs"}).parse(arguments)
    if operands:
        raise Stop(2, "expected no operand")
    need("sparc64-linux-gnu-gcc")
    table, offs, far = list(rows()), [], False
    with Folder() as folder:
        jobs = Jobs("measured_processors.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["stream"], [[*COMPILE, folder("stream"), f"{FIGURES}/processors/stream.c"]])
        jobs.add(["dgemm"], [[*COMPILE, folder("dgemm"), f"{KERNELS}/dgemm_packed.c"]])
        jobs.add(["hpl.so"], [["bsimcc", "-O2", "-o", folder("hpl.so"), f"{TOP}/netlink/programs/skeletons/hpl.c"]])
        if options["windows"]:
            return windows(jobs, folder)
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
            ours = predicted(folder, key, kernel, n)
            off = 100 * (ours / measured - 1)
            print(f"  {kernel + (f', N = {n}' if kernel == 'hpl' else ''):<22} {measured:>10.1f} {ours:>10.1f} {unit:<8} {off:>+6.1f}" + ("  calibrated" if calibrated else ""))
            if not calibrated:
                offs.append(abs(off))
                far |= abs(off) > MOST
    print(f"{len(offs)} predicted, median {statistics.median(offs):.1f} %, most {max(offs):.1f} %")
    return MISSED if far else 0


if __name__ == "__main__":
    start("measured_processors.py", main)
