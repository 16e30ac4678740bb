#!/usr/bin/env python3
"""PolyBench's kernels on the array, as psim-cc -fpsim-auto compiles them: how many run there, how fast.

    polybench.py [--size SIZE] [--only NAME,…] [--units NAME,…|all] [-j JOBS] PATH CONFIGS

PATH is a folder with the sources of PolyBench/C 4.2.1, CONFIGS the folder of configs. SIZE is MINI, SMALL, MEDIUM … (default
SMALL). Each kernel runs on 16 PEs of 64 KiB, with caches (simd16.ini), and compiled without -fpsim-auto on the scalar core
(sparc64v.ini). Loops begin at multiples of 32 bytes, so that both have the same fetches. Fails if their results differ. Prints a table for docs/accuracy/compiled-loops.md.
With --units the PEs can do more than the paper's (psim-cc -fpsim-units); each has a divider.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# PolyBench's timer becomes the region of interest.
TIMER = """#include "psim_region.h"
void __wrap_polybench_timer_start(void);
void __wrap_polybench_timer_stop(void);
void __wrap_polybench_timer_print(void);
void __wrap_polybench_timer_start(void) { psim_region_begin("kernel"); }
void __wrap_polybench_timer_stop(void) { psim_region_end("kernel"); }
void __wrap_polybench_timer_print(void) { }
"""
# Units of PEs, and the machine that has them.
UNITS = {"divide": "simd.divide=pe", "select": "simd.select=yes", "integer": "simd.integer=yes", "single": "simd.single=yes", "gather": "simd.gather=yes"}
WRAP = "-Wl,--wrap=polybench_timer_start,--wrap=polybench_timer_stop,--wrap=polybench_timer_print"


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}, expected 0\n{done.stdout}{done.stderr}")
    return done.stderr


def microseconds(trace, config, *settings):
    out = subprocess.run(["psim", "-c", config, *settings, trace], stdout=subprocess.PIPE, text=True, check=True).stdout
    number, unit = re.search(r"^  seconds +([0-9.]+) (\w+)", out, re.M).groups()
    return float(number) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit]


def machine(units):
    """The options of psim for PEs that have these units."""
    return [word for unit in units.split(",") if unit for word in ("-p", UNITS[unit])]


class Kernel:
    def __init__(self, options, source, work):
        self.options, self.source, self.work = options, source, work
        self.name = os.path.basename(source)[:-2]

    def compiled(self, *flags):
        program = f"{self.work}/{self.name}{len(flags)}.sparc"
        utilities = f"{self.options.path}/utilities"
        run(["psim-cc", "-w", "-falign-loops=32", *flags, f"-D{self.options.size}_DATASET", "-DPOLYBENCH_TIME", "-DPOLYBENCH_DUMP_ARRAYS", "-I", utilities,
             "-I", os.path.dirname(self.source), WRAP, "-o", program, self.source, f"{utilities}/polybench.c", f"{self.work}/timer.c",
             "-lm"])
        return program

    def units(self, pes):
        return ["--units", self.options.units] if self.options.units and pes else []

    def recorded(self, program, pes):
        """Results and trace."""
        trace = f"{program}.{pes}.trace.gz"
        said = run(["psim-record", "-q", "-o", trace, "--warm-up", "0", "--region", "kernel", "--pes", str(pes), *self.units(pes), "--", program])
        return said, trace

    def row(self):
        more = [f"-fpsim-units={self.options.units}"] if self.options.units else []
        auto, plain = self.compiled("-fpsim-auto", *more), self.compiled()
        report = run(["psim-record", "--no-trace", "--env", "PSIM_NEST_REPORT=1", *self.units(16), "--", auto])
        calls, refused = len(re.findall(r" PEs, ", report)), len(re.findall(r" lanes on the scalar core", report))
        got, trace = self.recorded(auto, 16)
        wanted, scalar_trace = self.recorded(plain, 0)
        if got != wanted:
            return None, 0, f"| `{self.name}` | the results differ | | | |"
        array = microseconds(trace, f"{self.options.configs}/simd16.ini", *machine(self.options.units))
        scalar = microseconds(scalar_trace, f"{self.options.configs}/sparc64v.ini")
        os.remove(trace)
        os.remove(scalar_trace)
        where = f"{calls}" + (f", {refused} not" if refused else "")
        return calls > 0, scalar / array, f"| `{self.name}` | {where} | {array:.1f} us | {scalar:.1f} us | {scalar / array:.2f} |"


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("path")
    p.add_argument("configs")
    p.add_argument("--size", default="SMALL")
    p.add_argument("--only", default="")
    p.add_argument("--units", default="")
    p.add_argument("-j", type=int, default=1)
    options = p.parse_args()
    options.path = os.path.abspath(options.path)
    options.units = ",".join(UNITS) if options.units == "all" else options.units
    with open(f"{options.path}/utilities/benchmark_list", encoding="utf-8") as f:
        sources = [f"{options.path}/{line.strip()}" for line in f if line.strip() and any(only in line for only in options.only.split(","))]
    print("| kernel | nests run on the array | array | scalar core | speed-up |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(options.j) as pool:
        with open(f"{work}/timer.c", "w", encoding="utf-8") as f:
            f.write(TIMER)
        rows = []
        for row in pool.map(lambda source: Kernel(options, source, work).row(), sources):
            rows.append(row)
            print(row[2], flush=True)
    used = [row for row in rows if row[0]]
    print(f"\n{len(used)} of {len(rows)} kernels use the array, {len([r for r in used if r[1] > 1])} are faster with it")
    sys.exit(1 if any(row[0] is None for row in rows) else 0)


main()
