#!/usr/bin/env python3
"""More is never slower: no capacity and no width of the processor model, doubled, costs a kernel more than 0.5 %.

    more.py [--long] [-j JOBS] MORE    MORE: the program of more.c; exceptions are in more.table

--long: each parameter from a quarter of its value to eight times it, step by step, of which none may cost more than 5 %.
psim-kernels and psim-record are found in PATH. Status 5 if something costs more, 77 without the cross compiler.
"""
import os
import shutil
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import USAGE, Command, Folder, Jobs, Stop, need, start  # noqa: E402

HERE = os.path.join(TOP, "tests/figures")
COMPILER = "sparc64-linux-gnu-gcc"
STREAMS = ("loads", "stores", "fill", "copy", "gather", "scatter")
KERNELS = ("triad 4000", "dgemm 20", "zgemm 12", "fft 8 2", "fft-radix4 8 2", "stencil 10 10 10", "spmv 400", "dot8 8",
           "quicksort 400", "panel 24 8", "rows 32 32", "chase 1024 2000", "simd-dgemm 64", "simd-dgemm-plain 48",
           "simd-zgemm 32", "simd-fft 6 64", "simd-fft-copy 5 32", "simd-triad 6000", "simd-stencil 34 34 6", "simd-spmv 400")
MACHINES = ("prefetch.enabled=yes", "bpred.kind=tage", "l1i.perfect=yes l1d.perfect=yes tlb.perfect=yes")
# The array's kernels are made for its size: also for twice the PEs, and twice the memory.
ARRAYS = {"pes2": ("--pes", "32"), "sbm_bytes2": ("--sbm", "128KiB")}


def streams(jobs):
    """Programs of one loop over memory each."""
    program = jobs.folder("streams")
    jobs.add(["streams"], [[COMPILER, "-std=gnu17", "-O2", "-fno-tree-loop-distribute-patterns", "-mcpu=ultrasparc3", "-Wa,-Av9d",
                            "-static", "-o", program, os.path.join(HERE, "micro/streams.c")]])
    for name in STREAMS:
        jobs.add([name + ".trace.gz"], [["psim-record", "-q", "--warm-up", "0", "--region", "stream", "-o",
                                         jobs.folder(name + ".trace.gz"), "--", program, name]], [program], name)
    return list(STREAMS)


def kernels(jobs):
    """Kernels of traces/kernels."""
    for text in KERNELS:
        name, *arguments = text.split()
        for size, options in {"": (), **(ARRAYS if name.startswith("simd-") else {})}.items():
            place = jobs.folder(f"{name}-{size}")
            trace = f"{name}.{size}.trace.gz" if size else f"{name}.trace.gz"
            jobs.add([trace], [["psim-kernels", "-q", "-o", place, *options, name, *arguments],
                               ["mv", f"{place}/{name}.trace.gz", jobs.folder(trace)], ["rm", "-r", place]], (), text)
    return [text.split()[0] for text in KERNELS]


def main(arguments):
    options, operands = Command("more.py", "", __doc__ + "\n", flags=("--long",), values=("--jobs",),
                                short={"-j": "--jobs"}).parse(arguments)
    if len(operands) != 1:
        raise Stop(USAGE, "expected one operand, the program of more.c")
    need(COMPILER, "ninja")
    with Folder() as folder:
        jobs = Jobs("more.py", folder, options["jobs"] or 1, quiet=True)
        names = streams(jobs) + kernels(jobs)
        jobs.run()
        shutil.copy(os.path.join(TOP, "traces/samples/hello.trace.gz"), folder("hello.trace.gz"))
        command = [os.path.realpath(operands[0]), *(["--steps"] if options["long"] else [])]
        for machine in MACHINES:
            command += ["--machine", machine]
        traces = [folder(name + ".trace.gz") for name in sorted([*names, "hello"])]
        return subprocess.run([*command, os.path.join(HERE, "more.table"), *traces], check=False).returncode


if __name__ == "__main__":
    start("more.py", main)
