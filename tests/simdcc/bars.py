#!/usr/bin/env python3
"""The speed of the textbook's loops of traces/kernels/loops on the array, as psim-cc and psim-fc compile them.

    bars.py PLUGIN SOURCES KERNELS CONFIGS [--all|--units]

16 PEs of 64 KiB, with caches (configs/simd16.ini). Compares with the hand-written kernel of the array, and with the same
program on the scalar core (configs/sparc64v.ini): as the compiler makes it without the plugin, from the same options (-fno-psim), which
speed-ups are against, and as it runs without an array (--pes 0). Prints a table for docs/accuracy/compiled-loops.md. Fails if a row is below
its bar, a share of the hand-written kernel's speed, or if the time is not between once and twice what PSIM_NEST_REPORT
predicts from transfers and arithmetic; with subscripts that are data, which the scalar core looks at before, if it is less. --all also runs what the compiler refuses. --units runs only what needs PEs that do
more than the paper's (psim-cc -fpsim-units): each PE divides (simd.divide=pe).
"""
import re
import subprocess
import sys
import tempfile

# program, flags, arguments, region, hand-written kernel, bar
ROWS = (
    ("triad.c", "", "100000", "triad", "simd-triad", 0.95),
    ("triad.f90", "", "100000", "triad", "simd-triad", 0.95),
    ("striad.c", "", "100000", "striad", "", 0),
    ("dgemm.c", "", "128", "dgemm", "simd-dgemm", 1.2),
    ("dgemm.f90", "", "128", "dgemm", "simd-dgemm", 1.2),
    ("stencil.c", "", "66 66 34 1", "stencil", "simd-stencil", 0.8),
    ("stencil.f90", "", "66 66 34 1", "stencil", "simd-stencil", 0.8),
    ("zgemm.c", "", "96", "zgemm", "simd-zgemm", 0.8),
    ("zgemm.c", "-fpsim-regroup", "96", "zgemm", "simd-zgemm", 1.0),
    ("zgemm.f90", "", "96", "zgemm", "simd-zgemm", 0.8),
    ("zgemm.f90", "-fpsim-regroup", "96", "zgemm", "simd-zgemm", 1.0),
    ("matvec.f90", "", "400", "matvec", "", 0),
    ("dot.c", "", "100000", "dot", "simd-dot", 0.8),
    ("dot.f90", "", "100000", "dot", "simd-dot", 0.8),
    ("fft.c", "", "10 64", "fft", "simd-fft", 1.0),
    ("fft.f90", "", "10 64", "fft", "simd-fft", 1.0),
    ("gemm6.c", "", "4000", "gemm6", "", 0),
    ("gemm6.f90", "", "4000", "gemm6", "", 0),
)
REFUSED = (
    ("ellpack.c", "", "4000", "ellpack", "", 0),
    ("nbody.c", "", "64", "nbody", "", 0),
    ("mandelbrot.c", "", "60", "mandelbrot", "", 0),
    ("ellpack.f90", "", "4000", "ellpack", "", 0),
    ("nbody.f90", "", "64", "nbody", "", 0),
    ("mandelbrot.f90", "", "60", "mandelbrot", "", 0),
)
UNITS = (
    ("nbody.c", "-fpsim-units=divide", "256", "nbody", "", 0),
    ("nbody.c", "-fpsim-units=divide", "1024", "nbody", "", 0),
    ("nbody.f90", "-fpsim-units=divide", "256", "nbody", "", 0),
    ("mandelbrot.c", "-fpsim-units=divide,select", "6000", "mandelbrot", "", 0),
    ("mandelbrot.f90", "-fpsim-units=divide,select", "6000", "mandelbrot", "", 0),
    ("blackscholes.c", "-fpsim-units=divide,select", "2000", "blackscholes", "", 0),
    ("spmv.c", "-fpsim-units=select,integer,gather", "2000 7", "spmv", "", 0),
    ("ellpack.c", "-fpsim-units=gather", "4000", "ellpack", "", 0),
    ("sgemm.c", "", "256", "sgemm", "", 0),
    ("sgemm.c", "-fpsim-units=single", "256", "sgemm", "", 0),
)
# Units of PEs, and the machine that has them.
SETTINGS = {"divide": "simd.divide=pe", "select": "simd.select=yes", "integer": "simd.integer=yes", "single": "simd.single=yes", "gather": "simd.gather=yes"}


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}, expected 0\n{done.stdout}")
    return done.stdout


def units(row, pes):
    """The option of psim-record for what a row's program needs of the PEs."""
    needed = re.search(r"-fpsim-units=(\S+)", row[1])
    return ["--units", needed.group(1)] if needed and pes else []


def microseconds(trace, config, *settings):
    number, unit = re.search(r"^  seconds +([0-9.]+) (\w+)", run(["psim", "-c", config, *settings, trace]), re.M).groups()
    return float(number) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit]


def compiled(row, sources, kernels, work, *more):
    name, flags = row[0], [*row[1].split(), *more]
    program = f"{work}/{name}{''.join(more)}.sparc"
    if name.endswith(".c"):
        run(["psim-cc", *flags, "-o", program, f"{sources}/{name}", "-lm"])
    else:
        run(["psim-fc", *flags, f"-J{work}", "-o", program, f"{kernels}/psim_region.f90", f"{kernels}/psim_region.c",
             f"{sources}/{name}"])
    return program


def recorded(row, program, pes, work):
    trace = f"{work}/loop.trace.gz"
    run(["psim-record", "-q", "-o", trace, "--warm-up", "0", "--region", row[3], "--pes", str(pes), *units(row, pes), "--name",
         f"/loops/{row[0]}", "--", program, *row[2].split()])
    return trace


def predicted(row, program):
    """The longer one of transfers and arithmetic of the first nest, in microseconds at 2 GHz; None without a prediction."""
    said = run(["psim-record", "--no-trace", "--env", "PSIM_NEST_REPORT=1", *units(row, 16), "--", program, *row[2].split()])
    found = re.search(r"at least (\d+) cycles of transfers, (\d+) of arithmetic", said)
    return max(map(int, found.groups())) / 2000 if found else None


def by_hand(row, work, known):
    if row[4] and row[4] not in known:
        run(["psim-kernels", "-q", "-o", work, row[4], *row[2].split()])
        known[row[4]] = microseconds(f"{work}/{row[4]}.trace.gz", known["config"])
    return known.get(row[4])


def main(plugin, sources, kernels, configs, more=""):
    if not plugin:
        print("skipped: the plugin is not built (gcc-12-plugin-dev-sparc64-linux-gnu, g++)")
        sys.exit(77)
    known = {"config": f"{configs}/simd16.ini"}
    bad = 0
    print("| program | array | predicted | hand-written | share | plain compiler | `--pes 0` | speed-up |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as work:
        for row in UNITS if more == "--units" else ROWS + (REFUSED if more else ()):
            program = compiled(row, sources, kernels, work)
            have = [word for unit, setting in SETTINGS.items() if unit in "".join(units(row, 16)) for word in ("-p", setting)]
            array = microseconds(recorded(row, program, 16, work), known["config"], *have)
            scalar = microseconds(recorded(row, program, 0, work), f"{configs}/sparc64v.ini")
            plain = microseconds(recorded(row, compiled(row, sources, kernels, work, "-fno-psim"), 0, work), f"{configs}/sparc64v.ini")
            hand = by_hand(row, work, known)
            share = f"{hand:.1f} us | {100 * hand / array:.0f} %" if hand else "- | -"
            least = predicted(row, program)
            bound = f"{least:.1f} us" if least else "-"
            most = 2 * least if least and "gather" not in row[1] else array  # what looks at subscripts is not predicted
            if least and not least <= array <= most:
                bad += 1
                bound += f" (expected {least:.1f} to {2 * least:.1f})"
            low = hand and hand / array < row[5]
            bad += bool(low)
            print(f"| `{' '.join(filter(None, row[:3]))}` | {array:.1f} us | {bound} | {share} | {plain:.1f} us | {scalar:.1f} us | {plain / array:.1f} |"
                  + (f" below {row[5]}" if low else ""), flush=True)
    sys.exit(1 if bad else 0)


main(*sys.argv[1:])
