#!/usr/bin/env python3
"""psim-kernels: compiles and records the kernels of traces/kernels (kernels.table)."""
import difflib
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
# Paths in the build or the installation; in the source tree they are relative to this file.
PLACES = {"drivers": "@drivers@", "sources": "@sources@"}
if PLACES["drivers"].startswith("@"):
    PLACES = {"drivers": "../../psim/base/drivers", "sources": "."}
PLACES = {name: os.path.normpath(os.path.join(HERE, path)) for name, path in PLACES.items()}
sys.path.insert(0, PLACES["drivers"])
sys.dont_write_bytecode = True
from psim_drivers import FAILED, USAGE, Command, Stop, kernel_rows, start  # noqa: E402

USAGE_TEXT = """usage: psim-kernels [OPTION]... [NAME [ARGUMENT]...]
Compiles kernels for SPARC-V9 and records their region of interest, without warm-up: caches begin cold.

Without NAME, processes all kernels at their default sizes.

options:
  -l, --list                        list the kernels
  -o, --output FOLDER               directory of programs (NAME.sparc) and traces (NAME.trace.gz) (default ".")
      --pes N                       PEs of the SIMD array (default 16)
      --sbm SIZE                    memory of each PE (default "64 KiB")
      --no-trace                    only run the programs
      --build                       only compile them
      --sources FOLDER              directory of the kernels' sources
      --flags 'FLAG...'             compiler flags instead of the default ones
  -q, --quiet                       no progress; drop the programs' output

common options:
  -h, --help                        show this help
      --man                         print the manual page: pipe it to man -l -
  -V, --version                     show the version

examples:
    psim-kernels -o traces
    psim-kernels --pes 8 simd-dgemm 256
    psim -c configs/simd16.ini simd-dgemm.trace.gz

exit status: 0 done, 1 run failed, 2 usage or configuration, 3 bad input file,
4 simulated program stuck, 5 an expected figure missed
"""
COMMAND = Command("psim-kernels", "compile and record the kernels of psim", USAGE_TEXT,
                  flags=("--list", "--no-trace", "--build", "--quiet"),
                  values=("--output", "--pes", "--sbm", "--sources", "--flags"),
                  short={"-l": "--list", "-o": "--output", "-q": "--quiet"})


def compile_command(row, options, modules):
    """The compiler and its arguments, without flags and output."""
    at = options["sources"]
    source = os.path.join(at, row["source"])
    if source.endswith(".c"):
        return ["sparc64-linux-gnu-gcc", "-std=gnu17", source, "-lm"]
    array = []
    if row["source"].startswith("simd/"):
        array = ["-fno-tree-loop-distribute-patterns", f"{at}/psim_simd.f90", f"{at}/psim_simd.c"]
    return ["sparc64-linux-gnu-gfortran", "-J", modules, f"{at}/psim_region.f90", f"{at}/psim_region.c", *array, source]


def compile_kernel(row, options, program):
    flags = (options["flags"] or "-O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static").split()
    with tempfile.TemporaryDirectory() as modules:
        compiler, *arguments = compile_command(row, options, modules)
        if not shutil.which(compiler):
            kind = compiler.rsplit("-", 1)[1]
            raise Stop(FAILED, f"{compiler}: not found; Debian's package is {kind}-sparc64-linux-gnu")
        if subprocess.run([compiler, *flags, *arguments, "-o", program], check=False).returncode:
            raise Stop(FAILED, f"{program}: {compiler} failed")


def kernel(row, arguments, options):
    """Compiles and records one kernel; psim-record has reported a failure already."""
    name, folder = row["name"], options["output"] or "."
    program = f"{folder}/{name}.sparc"
    if not options["quiet"]:
        print(" ".join([name, *arguments]), flush=True)
    compile_kernel(row, options, program)
    if options["build"]:
        return
    # Caches begin empty, as in the published measurements of these kernels.
    to = ["--no-trace"] if options["no-trace"] else [
        f"-o{folder}/{name}.trace.gz", "--warm-up", "0", "--region", row["region"]]
    array = [word for key in ("pes", "sbm") if options[key] for word in (f"--{key}", options[key])]
    # A fixed name: the path is on the stack, and the time must not depend on the directory.
    run = subprocess.run(["psim-record", "-q", *to, "--name", f"/kernels/{name}.sparc", *array, "--", program, *arguments],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL if options["quiet"] else None, check=False)
    if run.returncode:
        raise Stop(run.returncode if run.returncode > 0 else FAILED)


def main(arguments):
    if os.path.exists(os.path.join(HERE, "psim-record")):
        os.environ["PATH"] = HERE + os.pathsep + os.environ["PATH"]
    options, operands = COMMAND.parse(arguments)
    options["sources"] = options["sources"] or PLACES["sources"]
    rows = kernel_rows(options["sources"])
    if options["list"]:
        widths = [max(len(row[key]) for row in rows) for key in ("name", "source", "arguments")]
        for row in rows:
            print("{name:<{0}} {source:<{1}} {arguments:<{2}} {what}".format(*widths, **row))
        return
    chosen = [row for row in rows if not operands or row["name"] == operands[0]]
    if not chosen:
        near = difflib.get_close_matches(operands[0], [row["name"] for row in rows], 1)
        raise Stop(USAGE, f"unknown kernel '{operands[0]}', " + (f"did you mean {near[0]}?" if near else "expected one of --list"))
    try:
        os.makedirs(options["output"] or ".", exist_ok=True)
    except OSError:
        raise Stop(FAILED, f"{options['output']}: cannot create") from None
    for row in chosen:
        kernel(row, operands[1:] or row["arguments"].split(), options)


if __name__ == "__main__":
    start("psim-kernels", main)
