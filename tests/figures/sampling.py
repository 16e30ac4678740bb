#!/usr/bin/env python3
"""Sampled runs beside whole ones: is the exact number of cycles within the interval?

    sampling.py [-j JOBS] [-k KEPT] [--plan U/W] [--chosen] [--host] [NAME...]

Records kernels, simulates each whole and with psim --sample, and prints a table: instructions, exact cycles, estimate,
how far off it is, half the interval, the part of it that is the sampling's, units, share of the instructions that was
simulated. With --host also the host instructions of the sampled run as a share of the whole one's, counted by callgrind, in
an hour. What was recorded and simulated whole stays in the folder KEPT. A NAME is a kernel's: only these; --chosen: the sizes
on which the interval's allowance was chosen, instead of the others. Status 5 if fewer than 19 of 20 lie within, 77 without
the cross compiler.
"""
import os
import re
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import (FAILED, MISSED, Command, Folder, Jobs, Kernels, Report, Stop, need, output, short,  # noqa: E402
                          start)

CONFIG = os.path.join(TOP, "configs/sparc64v.ini")
# The scalar kernels of traces/kernels at sizes that a default plan takes: those on which warm-up and allowance were
# chosen, and those that were predicted then.
CHOSEN = """dgemm 128; dgemm 200; dgemm-packed 128; dgemm-packed 200; dgemm-fortran 128; zgemm 64; zgemm 100; fft 10 32;
    fft 13 4; fft-radix4 10 64; fft-radix4 12 8; triad 200000; stencil 66 66 18; stencil-fortran 66 66 34; spmv 30000;
    quicksort 50000; compress 128; panel 512 64; rows 512 1024; dot 600; dot8 1500; chase 16384 1000000"""
PREDICTED = """dgemm 152; dgemm 248; dgemm-packed 144; dgemm-packed 232; dgemm-fortran 168; zgemm 72; zgemm 120; fft 8 128;
    fft 14 4; fft-radix4 10 128; fft-radix4 14 4; triad 300000 2; stencil 34 50 66; stencil-fortran 130 66 18; spmv 50000;
    spmv 16000 10; quicksort 20000; quicksort 200000; compress 256; compress 768; panel 1024 32; panel 256 128; rows 1024 600;
    dot 1000; dot8 3000; chase 1024 1000000; chase 65536 600000"""


def host(command):
    """Returns the host instructions of a command."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                         capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not found:
        raise Stop(FAILED, "valgrind failed")
    return int(found.group(1))


def row(folder, kernel, plan, counted):
    """Returns the cells of a kernel's row, and whether the exact cycles are within."""
    name = "-".join(kernel)
    trace = os.path.join(folder.path, "-".join(["run", *kernel]) + "-" + short(CONFIG), kernel[0] + ".trace.gz")
    psim = ["psim", "-q", "--no-memo", "-c", CONFIG, "-f", "csv", "-o"]
    sampled = [*psim, folder(name + ".sample"), f"--sample={plan}" if plan else "--sample", trace]
    output(*sampled)
    exact, got = Report(folder(name + ".csv")), Report(folder(name + ".sample"))
    cycles, estimate = exact.number("core", "cycles"), got.number("estimate", "cycles")
    off, error = 100 * (estimate / cycles - 1), got.number("estimate", "error")
    within = abs(estimate - cycles) <= error / 100 * estimate
    cells = [" ".join(kernel), f"{exact.number('core', 'instructions') / 1e6:.2f}", f"{cycles:.0f}", f"{estimate:.0f}",
             f"{off:+.2f}", f"{error:.2f}", f"{got.number('estimate', 'sampling_error'):.2f}", got.text("sample", "units"),
             f"{got.number('sample', 'simulated_share'):.1f}"]
    if counted:
        cells.append(f"{100 * host(sampled) / host([*psim, folder('whole'), '--no-profile', trace]):.1f}")
    return cells + ["within" if within else "NOT within"], within


def main(arguments):
    options, names = Command("sampling.py", "", __doc__ + "\n", flags=["--host", "--chosen"],
                             values=["--jobs", "--keep", "--plan"],
                             short={"-j": "--jobs", "-k": "--keep"}).parse(arguments)
    need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran", *(["valgrind"] if options["host"] else []))
    chosen = [kernel.split() for kernel in (CHOSEN if options["chosen"] else PREDICTED).split(";")]
    chosen = [kernel for kernel in chosen if not names or kernel[0] in names]
    with Folder(options["keep"]) as folder:
        jobs = Jobs("sampling.py", folder, options["jobs"] or 1, quiet=True)
        kernels = Kernels(jobs, os.path.join(TOP, "traces/kernels"), keep=True)
        for kernel in chosen:
            kernels.simulate(kernel[0], kernel[1:], CONFIG, {"-".join(kernel) + ".csv": []})
        jobs.run()
        head = ["kernel", "million", "cycles", "estimate", "off %", "+- %", "sampling", "units", "simul. %"]
        head += ["host %"] if options["host"] else []
        print("  ".join([f"{head[0]:20}"] + [f"{cell:>9}" for cell in head[1:]]))
        inside = 0
        for kernel in chosen:
            cells, within = row(folder, kernel, options["plan"], options["host"])
            inside += within
            print("  ".join([f"{cells[0]:20}"] + [f"{cell:>9}" for cell in cells[1:]]), flush=True)
    print(f"{inside} of {len(chosen)} within")
    return 0 if inside >= 0.95 * len(chosen) else MISSED


if __name__ == "__main__":
    start("sampling.py", main)
