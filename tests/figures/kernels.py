#!/usr/bin/env python3
"""The kernels of the SIMD array compute what the scalar ones do.

    kernels.py SOURCES [NAME...]     psim-kernels and psim-record are found in PATH

For several numbers of PEs, sizes of their memories, and sizes that are no multiple of any block: they check
themselves, and what they print is what the scalar kernel prints (kernels.table says which). NAMEs: those alone.
Prints a line for each difference; status 77 if the cross compilers are not there.
"""
import os
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import FAILED, USAGE, Command, Folder, Stop, kernel_rows, need, output, start  # noqa: E402

# PEs and bytes of each memory. The memory of 4 KiB is what makes several blocks of small problems.
ARRAYS = ((1, 4096), (2, 65536), (2, 4096), (3, 4096), (6, 8192), (16, 65536), (16, 4096), (32, 65536))
# A part of the kernel's name, its arguments: the first that fits.
SIZES = (
    ("update", ("1 1 1", "7 5 3", "32 32 32", "140 67 40", "150 20 10")),
    ("dgemm", ("1", "7", "32", "67")),
    ("zgemm", ("1", "6", "32", "45")),
    ("fft", ("1 1", "2 3", "5 2", "8 7", "7 17")),
    ("triad", ("1", "15", "1000", "20011 2")),
    ("stencil", ("3 3 3", "9 5 4", "17 40 6 3", "30 13 5")),
    ("spmv", ("1 1", "33 3", "500 7")),
    ("dot", ("1", "15", "1000", "20011")),
)


def least(name):
    """The smallest memory with which it runs at these sizes; with less it refuses."""
    return 8192 if "simd-update-plain" in name else 4096  # all of K has to have room: 4608 bytes and more


def run(folder, name, pes, sbm, arguments):
    """Returns what it prints, and its status where it is not 0."""
    done = subprocess.run(["psim-record", "-q", "--no-trace", "--pes", str(pes), "--sbm", str(sbm), "--",
                           folder(name + ".sparc"), *arguments.split()], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.strip() + (f" status {done.returncode}" if done.returncode else "")


def values(text):
    """Returns what a kernel prints, without its name."""
    return text[min((text.find(c) for c in " :" if c in text), default=0):]


def differs(folder, name, same, pes, sbm, arguments):
    """None, or what it printed and what was expected."""
    got = run(folder, name, pes, sbm, arguments)
    if same == "-":
        return None if "right" in got else (got, "... right")
    expected = run(folder, same, pes, sbm, arguments)
    wrong = "status" in expected or values(got) != values(expected) # a scalar kernel does not fail
    return (got, expected) if wrong else None


def main(arguments):
    _, operands = Command("kernels.py", "", __doc__ + "\n").parse(arguments)
    if not operands:
        raise Stop(USAGE, "expected the folder of the kernels")
    need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran")
    sources, *names = operands
    runs = wrong = 0
    with Folder() as folder:
        for row in kernel_rows(sources):
            name, same, takes = row["name"], row["same"], row["pes"]
            if takes == "-" or names and name not in names:
                continue
            for program in {name, same} - {"-"}:
                output("psim-kernels", "-q", "--sources", sources, "-o", folder.path, "--build", program)
            for pes, sbm in ARRAYS:
                for size in next(sizes for part, sizes in SIZES if part in name):
                    if takes == "even" and pes % 2:
                        continue
                    room = max(sbm, least(name))
                    difference = differs(folder, name, same, pes, room, size)
                    runs += 1
                    if difference:
                        wrong += 1
                        print(f"{name} {size} with {pes} PEs of {room} bytes: {difference[0]}; expected: {difference[1]}")
    print(f"{runs} runs, {wrong} wrong")
    return FAILED if wrong or not runs else 0


if __name__ == "__main__":
    start("kernels.py", main)
