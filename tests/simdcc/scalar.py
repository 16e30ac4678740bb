#!/usr/bin/env python3
"""The scalar loops of compiled programs beside those of the plain compiler.

    scalar.py PLUGIN SOURCES KERNELS CONFIGS [--all]

A program of psim-cc runs without an array (--pes 0), and so does the one that the compiler makes without the plugin, from the same
options (-fno-psim). Both are simulated on configs/sparc64v.ini. Fails if the former takes more than 3 % more instructions or
cycles: what a test of whether there is an array takes, and where it moves the code. Loops begin at multiples of 32 bytes, so
that both have the same fetches. --all has all loops of KERNELS/loops that run on the array, without it a sample; at -O3 and -O2.

Then the same program, whose calls the routine refuses (with PSIM_NEST_REPORT and no array, the code for the array runs): the
cycles of the program's own functions, without those of the routine. Fails above 5 % more, or above what LEFT has. Prints two
tables.
"""
import csv
import re
import subprocess
import sys
import tempfile

MOST, REFUSED = 1.03, 1.05
# (program, level): what a refused run takes at most, as docs/models/simd-nest.md says
LEFT = {("jacobi.c", "-O3"): 1.13}
# program, arguments, region
SAMPLE = (
    ("gemm6.c", "500", "gemm6"),
    ("matvec.f90", "100", "matvec"),
    ("jacobi.c", "34", "jacobi"),
    ("dot.f90", "20000", "dot"),
)
OTHERS = (
    ("triad.c", "20000", "triad"),
    ("triad.f90", "20000", "triad"),
    ("striad.c", "20000", "striad"),
    ("dgemm.c", "40", "dgemm"),
    ("dgemm.f90", "40", "dgemm"),
    ("stencil.c", "34 34 34 1", "stencil"),
    ("stencil.f90", "34 34 34 1", "stencil"),
    ("zgemm.c", "32", "zgemm"),
    ("zgemm.f90", "32", "zgemm"),
    ("matvec.f90", "400", "matvec"),
    ("dot.c", "20000", "dot"),
    ("fft.c", "10 8", "fft"),
    ("fft.f90", "10 8", "fft"),
    ("gemm6.f90", "500", "gemm6"),
    ("richardson.c", "120 4", "iterate"),
)


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}, expected 0\n{done.stdout}")
    return done.stdout


class Rule:
    def __init__(self, sources, kernels, configs, work):
        self.sources, self.kernels, self.config, self.work = sources, kernels, f"{configs}/sparc64v.ini", work

    def command(self, name, flags):
        """The compiler with its options, and the sources, the program's own last."""
        source = f"{self.sources if name == 'jacobi.c' else f'{self.kernels}/loops'}/{name}"
        if name.endswith(".c"):
            return ["psim-cc", *flags], [source]
        return ["psim-fc", *flags, f"-J{self.work}"], [f"{self.kernels}/psim_region.f90", f"{self.kernels}/psim_region.c", source]

    def traced(self, row, flags, more=()):
        """Makes the trace of a row's program, and returns its name."""
        name, arguments, region = row
        program, trace = f"{self.work}/{name}.sparc", f"{self.work}/scalar.trace.gz"
        compiler, files = self.command(name, flags)
        run([*compiler, "-o", program, *files, "-lm"])
        run(["psim-record", "-q", "-o", trace, "--warm-up", "0", "--region", region, "--pes", "0", "--name", f"/loops/{name}", *more, "--",
             program, *arguments.split()])
        return trace

    def measured(self, row, *flags):
        """Cycles and instructions."""
        said = run(["psim", "--no-profile", "-c", self.config, self.traced(row, flags)])
        return [int(re.search(rf"^  {what} +(\d+)", said, re.M).group(1)) for what in ("cycles", "instructions")]

    def own(self, row, flags, more=()):
        """Cycles in the functions of the source."""
        report, compiled = f"{self.work}/scalar.csv", f"{self.work}/scalar.o"
        run(["psim", "-q", "-c", self.config, "-f", "csv", "-o", report, self.traced(row, flags, more)])
        compiler, files = self.command(row[0], flags)
        run([*compiler, "-c", "-o", compiled, files[-1]])
        names = set(re.findall(r" [tT] (\S+)", run(["sparc64-linux-gnu-nm", compiled])))
        with open(report, encoding="utf-8") as f:
            rows = [line for line in csv.reader(f) if line and line[0] == "functions"]
        place = {line[2]: line[3] for line in rows if line[1] == "place"}
        return sum(float(line[3]) for line in rows if line[1] == "cycles" and place[line[2]] in names)

    def holds(self, row, level):
        flags = (level, "-falign-loops=32")
        plain, scalar = self.measured(row, "-fno-psim", *flags), self.measured(row, *flags)
        ratios = [s / p for s, p in zip(scalar, plain)]
        ok = max(ratios) <= MOST
        cells = [f"{p} | {s} | {100 * (r - 1):+.1f} %" for p, s, r in zip(plain, scalar, ratios)]
        print(f"| `{row[0]} {row[1]}` {level} | {cells[0]} | {cells[1]} |" + ("" if ok else f" above {100 * (MOST - 1):.0f} %"), flush=True)
        return ok

    def holds_refused(self, row, level):
        flags, most = (level, "-falign-loops=32"), LEFT.get((row[0], level), REFUSED)
        plain = self.own(row, ("-fno-psim", *flags))
        refused = self.own(row, flags, ("--env", "PSIM_NEST_REPORT=1"))
        ok = refused / plain <= most
        print(f"| `{row[0]} {row[1]}` {level} | {plain:.0f} | {refused:.0f} | {100 * (refused / plain - 1):+.1f} % |" +
              ("" if ok else f" above {100 * (most - 1):.0f} %"), flush=True)
        return ok


def main(plugin, sources, kernels, configs, more=""):
    if not plugin:
        print("skipped: the plugin is not built (gcc-12-plugin-dev-sparc64-linux-gnu, g++)")
        sys.exit(77)
    print("| program | cycles, plain | cycles, `--pes 0` | | instructions, plain | instructions, `--pes 0` | |\n|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as work:
        rule = Rule(sources, kernels, configs, work)
        rows = [(row, level) for level in ("-O3", "-O2") for row in SAMPLE + (OTHERS if more else ())]
        missed = [row for row in rows if not rule.holds(*row)]
        print("\n| program | cycles of its functions, plain | refused | |\n|---|---:|---:|---:|")
        missed += [row for row in rows if not rule.holds_refused(*row)]
    sys.exit(1 if missed else 0)


main(*sys.argv[1:])
