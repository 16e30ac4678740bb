#!/usr/bin/env python3
"""psim-table2: the paper's Table 2 beside this processor's figures."""
import os
import re
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
# Paths in the build or the installation; in the source tree they are relative to this file.
PLACES = {"drivers": "@drivers@", "sources": "@sources@", "configs": "@configs@"}
if PLACES["drivers"].startswith("@"):
    PLACES = {"drivers": "../../psim/base/drivers", "sources": ".", "configs": "../../configs"}
PLACES = {name: os.path.normpath(os.path.join(HERE, path)) for name, path in PLACES.items()}
sys.path.insert(0, PLACES["drivers"])
sys.dont_write_bytecode = True
from psim_drivers import (USAGE, Command, Folder, Jobs, Kernels, Report, Stop, Verdicts, output,  # noqa: E402
                          setting, start, write)

USAGE_TEXT = """usage: psim-table2 [OPTION]...
Compiles, records and simulates the kernels of the paper's Table 2, on the scalar core and on the
one with 16 SIMD-PEs, and compares the figures with the paper's.

Time and energy models fitted to small n predict the matrix products of n = 1024; the error at a larger n is
reported. --full-simd simulates those of the array (half an hour), --full all (an hour). Energies are those of
the configurations, and those of the paper's reading in table2.ini, whose energy.latch_pj is calibrated on the power of
the scalar fft.

options:
      --full-simd                   simulate n = 1024 on the array
      --full                        simulate n = 1024 on both
      --only KERNEL                 dgemm, zgemm or fft alone
      --config FILE                 processor with SIMD-PEs (default simd16-prefetched.ini)
      --scalar-config FILE          processor without SIMD-PEs (default sparc64v-prefetched.ini)
      --reading KEY=VALUE,...       settings of section [energy] instead of those of table2.ini
      --sources FOLDER              directory of the kernels' sources
  -j, --jobs N                      runs in parallel (default 1)
  -o, --output FILE                 write the table to FILE ("-": standard output)
      --keep FOLDER                 keep programs, traces, reports and models in FOLDER
      --resume                      reuse the reports of an earlier run in FOLDER if nothing has changed
  -q, --quiet                       no progress

common options:
  -h, --help                        show this help
      --man                         print the manual page: pipe it to man -l -
  -V, --version                     show the version

examples:
    psim-table2
    psim-table2 --full --keep table2
    psim-table2 --only fft

exit status: 0 done, 1 run failed, 2 usage or configuration, 3 bad input file,
4 simulated program stuck, 5 an expected figure missed
"""
COMMAND = Command("psim-table2", "the Table 2 of the PSIM paper beside this processor", USAGE_TEXT,
                  flags=("--full-simd", "--full", "--resume", "--quiet"),
                  values=("--only", "--config", "--scalar-config", "--reading", "--sources", "--jobs", "--output", "--keep"),
                  short={"-j": "--jobs", "-o": "--output", "-q": "--quiet"})

# Table 2: ms, ms, mJ, mJ as printed. The products' mJ cannot be those of n = 1024 (0.08 W). Read as one of the
# product's 512 blocks of n = 128, they are powers of 38.7 to 126 W, similar to the fft's.
PAPER = {
    "dgemm": (368.9, 53.12, 27.9, 13.1),
    "zgemm": (1114.6, 185.82, 93.3, 34.4),
    "fft": (0.1764, 0.0668, 7.59, 4.13),
}
BLOCKS = 512
# The paper's reading of the energy, in table2.ini, and the kernel on whose power energy.latch_pj is calibrated.
READING = ("energy.latch_pj", "energy.clock_tree", "energy.latches")
CALIBRATED_ON = "fft-stockham"
FLOPS = {"dgemm": 2 * 1024**3, "zgemm": 8 * 1024**3, "fft": 409600}
TOLERANCE = 10  # percent

SMALL = (32, 48, 64, 80, 96, 112, 128, 160, 192, 256)
SMALL_COMPLEX = (12, 24, 36, 48, 60, 72, 96, 120, 180)
TILES = (64, 128, 192, 256, 320, 384)
# kernel, form, scalar kernel, sizes for its model, kernel of the array, sizes for its model
PRODUCTS = (
    ("dgemm", "plain", "dgemm", SMALL, "simd-dgemm-plain", (128, 256, 384, 512, 640)),
    ("dgemm", "tuned", "dgemm-packed", SMALL, "simd-dgemm", TILES + (512,)),
    ("dgemm", "blocked", "dgemm-packed", SMALL, "simd-dgemm-blocked", (128, 256, 384, 512)),
    ("zgemm", "plain", "zgemm", SMALL_COMPLEX, "simd-zgemm-plain", TILES),
    ("zgemm", "tuned", "zgemm", SMALL_COMPLEX, "simd-zgemm", TILES),
    ("zgemm", "blocked", "zgemm", SMALL_COMPLEX, "simd-zgemm-blocked", (128, 256, 384, 512)),
)
# kernel, form, scalar kernel, kernel of the array, its arguments, its number of transforms / 8
TRANSFORMS = (
    ("fft", "plain", "fft-stockham", "simd-fft-plain", (), 1),
    ("fft", "tuned", "fft-radix4", "simd-fft-copy", (), 1),
    ("fft", "transfers", "fft-stockham", "simd-fft", (), 1),
    ("fft", "reversed", "fft-stockham", "simd-fft-reversed", (), 1),
    ("fft", "stream", "fft-stockham", "simd-fft", ("10", "64"), 8),
)


def instead(text):
    """{key: value} of --reading."""
    pairs = dict(pair.partition("=")[::2] for pair in (text or "").split(",") if pair)
    for key, value in pairs.items():
        good = {"latch_pj": r"\d*\.?\d+", "clock_tree": "always|gated", "latches": "chip|unit"}.get(key)
        if not good or not re.fullmatch(good, value):
            raise Stop(USAGE, f"--reading {text}: expected {', '.join(key.split('.')[1] + '=VALUE' for key in READING)}")
    return {"energy." + key: value for key, value in pairs.items()}


class Table2:
    """The runs of the table as jobs, and their results."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.full = "all" if options["full"] else "simd" if options["full-simd"] else ""
        self.configs = {False: options["scalar-config"], True: options["config"]}
        pes = setting(options["config"], "simd.pes")
        if int(pes) == 0:
            raise Stop(USAGE, f"{options['config']}: a processor without SIMD-PEs")
        self.pes = int(pes)
        self.array = ("--pes", pes, "--sbm", setting(options["config"], "simd.sbm_bytes"))
        self.paper = {key: setting(os.path.join(PLACES["configs"], "table2.ini"), key) for key in READING}
        self.paper |= instead(options["reading"])
        self.jobs = Jobs("psim-table2", folder, options["jobs"] or 1, options["quiet"])
        self.kernels = Kernels(self.jobs, options["sources"], keep=folder.kept)

    def file(self, kernel, arguments, calibrated=False):
        return "-".join([kernel, *map(str, arguments)]) + ("-table2" if calibrated else "") + ".csv"

    def reading(self, **instead):
        """Options of the paper's reading of the energy."""
        return [word for key in READING for word in ("-p", f"{key}={instead.get(key.split('.')[1], self.paper[key])}")]

    def simulate(self, kernel, *arguments, calibrated=False):
        """Adds a run; `calibrated`: a second one with the paper's reading of the energy."""
        reports = {self.file(kernel, arguments): []}
        if calibrated:
            reports[self.file(kernel, arguments, True)] = self.reading()
        if kernel == CALIBRATED_ON:
            reports[self.file(kernel + "-twice", arguments)] = self.reading(latch_pj=2 * float(self.paper["energy.latch_pj"]))
        array = kernel.startswith("simd-")
        self.kernels.simulate(kernel, arguments, self.configs[array], reports, self.array)

    def result(self, kernel, *arguments, calibrated=False):
        """Seconds and joules of the region."""
        report = Report(self.folder(self.file(kernel, arguments, calibrated)))
        return report.number("regions", "seconds"), report.number("regions", "energy")

    def whole(self, kernel):
        """Returns whether n = 1024 is simulated."""
        return self.full == "all" or self.full == "simd" and kernel.startswith("simd-")

    def product_jobs(self, kernel, sizes):
        for n in sizes:
            if n == 128 or not self.whole(kernel):
                self.simulate(kernel, n, calibrated=n == 128)
        self.simulate(kernel, 128, calibrated=True)
        if self.whole(kernel):
            self.simulate(kernel, 1024)

    def product(self, kernel, sizes):
        """Seconds and joules of n = 1024, and their method."""
        if self.whole(kernel):
            return (*self.result(kernel, 1024), "simulated")
        points = [(n, *self.result(kernel, n)) for n in sizes]
        seconds, time_off = self.predict(kernel, "seconds", [(n, s) for n, s, _ in points])
        joules, energy_off = self.predict(kernel, "joules", [(n, e) for n, _, e in points])
        return seconds, joules, f"model; at n = {sizes[-1]}: time {time_off:+.2f} %, energy {energy_off:+.2f} %"

    def predict(self, kernel, name, points):
        """The value at n = 1024, and the error in percent at the largest n, which is held out of the fit."""
        table = self.folder(f"{kernel}-{name}.points")
        write(table, f"n,{name}\n" + "".join(f"{n},{value!r}\n" for n, value in points))
        terms = "1, n, n^2, n^3" if len(points) > 5 else "n, n^2, n^3" if len(points) > 4 else "n^2, n^3"
        output("psim-fit", "-q", "--terms", terms, "--hold-out", f"n>={points[-1][0]}", "--predict", "n=1024",
               "-f", "csv", "-o", table + ".fit", table)
        fit = Report(table + ".fit")
        return fit.number("predictions", "model"), fit.number("points", "error")

    def wanted(self, rows):
        return [row for row in rows if self.options["only"] in (None, row[0])]

    def run(self):
        for _, _, scalar, sizes, simd, blocks in self.wanted(PRODUCTS):
            self.product_jobs(scalar, sizes)
            self.product_jobs(simd, blocks)
        for _, _, scalar, simd, arguments, _ in self.wanted(TRANSFORMS):
            self.simulate(scalar, calibrated=True)
            self.simulate(simd, *arguments, calibrated=True)
        self.simulate(CALIBRATED_ON, calibrated=True)
        self.simulate("simd-fft", calibrated=True)
        self.jobs.run(rebuild=not self.options["resume"])


def opposite(seconds, joules, paper_seconds, paper_joules):
    """A note on an energy that is within because time and power are off by as much in opposite directions; or ""."""
    time, energy = 100 * (seconds / paper_seconds - 1), 100 * (joules / paper_joules - 1)
    power = 100 * (joules / seconds / (paper_joules / paper_seconds) - 1)
    if abs(energy) > TOLERANCE or min(abs(time), abs(power)) <= TOLERANCE:
        return ""
    return f"by opposite errors: time {time:+.1f}%, power {power:+.1f}%; does not count"


def energies(table, kernel, scalar, simd, calibrated):
    """Compares energies and powers of a form with the paper's; scalar and simd are seconds and joules.

    A tolerance applies to calibrated ones, unless an energy is met by opposite errors of time and power.
    """
    parts = 1 if kernel == "fft" else BLOCKS
    tag, judged = ("calibrated ", TOLERANCE) if calibrated else ("", None)
    ours = dict(zip(("scalar", "SIMD"), (scalar, simd)))
    paper = dict(zip(("scalar", "SIMD"), zip((ms / 1e3 / parts for ms in PAPER[kernel][:2]), PAPER[kernel][2:])))
    for name, (seconds, joules) in ours.items():
        note = opposite(seconds, joules, paper[name][0], paper[name][1] / 1e3) if calibrated else ""
        table.row(f"{tag}energy {name} (mJ)", 1e3 * joules, paper[name][1], None if note else judged, note)
    table.row(f"{tag}energy ratio", simd[1] / scalar[1], paper["SIMD"][1] / paper["scalar"][1], TOLERANCE)
    for name, (seconds, joules) in ours.items():
        table.row(f"{tag}power {name} (W)", joules / seconds, paper[name][1] / 1e3 / paper[name][0], judged)


def times(table, kernel, scalar, simd, notes, parts=1):
    """Compares times and speed-up of a form with a `parts`-th of the paper's times."""
    ps, ps2 = (ms / 1e3 / parts for ms in PAPER[kernel][:2])
    unit, factor = ("us", 1e6) if parts > 1 else ("ms", 1e3)
    table.row(f"time scalar ({unit})", factor * scalar[0], factor * ps, TOLERANCE, notes[0])
    table.row(f"time SIMD ({unit})", factor * simd[0], factor * ps2, TOLERANCE, notes[1])
    table.row("speed-up", scalar[0] / simd[0], ps / ps2, TOLERANCE)


def shares(table, kernel, scalar, simd, pes):
    """Shares of the peaks, in percent."""
    for name, seconds, paper, peak in (("scalar", scalar[0], PAPER[kernel][0], 8),
                                       ("SIMD", simd[0], PAPER[kernel][1], 4 * pes)):
        table.row(f"share of peak {name} (%)", FLOPS[kernel] / seconds / peak / 1e7, FLOPS[kernel] / paper / peak / 1e4,
                  note=f"of {peak} GFlop/s")


def products(table, run):
    for kernel, form, scalar, sizes, simd, blocks in run.wanted(PRODUCTS):
        table.section(f"{kernel}, {form}", f"{kernel}, {form}: n = 1024 ({scalar}, {simd})")
        *one, how = run.product(scalar, sizes)
        *other, how2 = run.product(simd, blocks)
        times(table, kernel, one, other, (how, how2))
        shares(table, kernel, one, other, run.pes)
        table.row("energy scalar, a 512th (mJ)", 1e3 * one[1] / BLOCKS, PAPER[kernel][2])
        table.row("energy SIMD, a 512th (mJ)", 1e3 * other[1] / BLOCKS, PAPER[kernel][3])
        table.row("energy ratio", other[1] / one[1], PAPER[kernel][3] / PAPER[kernel][2], TOLERANCE)
        table.section(f"{kernel}, {form}, n = 128", f"{kernel}, {form}: one block of n = 128 beside a 512th of the paper's time")
        one, other = run.result(scalar, 128), run.result(simd, 128)
        times(table, kernel, one, other, ("", ""), BLOCKS)
        energies(table, kernel, one, other, False)
        energies(table, kernel, run.result(scalar, 128, calibrated=True), run.result(simd, 128, calibrated=True), True)


def transforms(table, run):
    for kernel, form, scalar, simd, arguments, part in run.wanted(TRANSFORMS):
        table.section(f"fft, {form}", f"fft, {form}: eight transforms of 1024 points ({scalar}, {simd})")
        plain, latch = ((run.result(scalar, calibrated=calibrated),
                         [value / part for value in run.result(simd, *arguments, calibrated=calibrated)])
                        for calibrated in (False, True))
        times(table, kernel, *plain, ("", f"{8 * part} transforms, an eighth of it" if part > 1 else ""))
        shares(table, kernel, *plain, run.pes)
        energies(table, kernel, *plain, False)
        energies(table, kernel, *latch, True)


def calibration(run):
    """The energy.latch_pj that gives the scalar fft's power in the paper: power is linear in it."""
    latch, paper = float(run.paper["energy.latch_pj"]), PAPER["fft"][2] / PAPER["fft"][0]
    watts, twice = (joules / seconds for seconds, joules in
                    (run.result(CALIBRATED_ON, calibrated=True), run.result(CALIBRATED_ON + "-twice")))
    exact = latch * (1 + (paper - watts) / (twice - watts))
    reading = ", ".join(f"{key} = {run.paper[key]}" for key in READING)
    where = "--reading" if run.options["reading"] else "table2.ini"
    return (f"calibrated: {reading} ({where}).\nThe scalar fft ({CALIBRATED_ON}) draws {watts:.2f} W; the paper's {paper:.2f} W "
            f"are at {exact:.4f} pJ. All other calibrated figures are predicted.\n")


def area(table, run):
    # the paper names the scalar core, which counts
    table.section("processor", "area of the processor with SIMD-PEs, in areas of the one without")
    scalar, simd = (Report(run.folder(run.file(name, ()))) for name in ("fft-stockham", "simd-fft"))
    for name, note, tolerance in (("core_mm2", "core alone", TOLERANCE), ("total_mm2", "core and L2", None)):
        ours, theirs = simd.number("area", name), scalar.number("area", name)
        table.row(f"area ratio, {note}", ours / theirs, 1.5, tolerance, f"{ours:.1f} and {theirs:.1f} mm2")


def main(arguments):
    if os.path.exists(os.path.join(HERE, "psim")):
        os.environ["PATH"] = HERE + os.pathsep + os.environ["PATH"]
    options, operands = COMMAND.parse(arguments)
    if operands:
        raise Stop(USAGE, f"{operands[0]}: takes no operands; --help shows the options")
    if options["only"] not in (None, *PAPER):
        raise Stop(USAGE, f"--only {options['only']}: expected dgemm, zgemm or fft")
    if options["jobs"] and not (options["jobs"].isdigit() and int(options["jobs"]) > 0):
        raise Stop(USAGE, f"--jobs {options['jobs']}: expected a number from 1")
    for key, name in (("config", "simd16-prefetched.ini"), ("scalar-config", "sparc64v-prefetched.ini")):
        options[key] = os.path.realpath(options[key] or os.path.join(PLACES["configs"], name))
    options["sources"] = os.path.realpath(options["sources"] or PLACES["sources"])
    if options["resume"] and not options["keep"]:
        raise Stop(USAGE, "--resume: --keep FOLDER says from where")
    with Folder(options["keep"]) as folder:
        run = Table2(options, folder)
        to = open(options["output"], "w", encoding="utf-8") if options["output"] not in (None, "-") else sys.stdout
        run.run()
        table = Verdicts()
        products(table, run)
        transforms(table, run)
        area(table, run)
        to.write(table.text() + "\n" + calibration(run) + "\nWithin 10 % of the paper's:\n" + table.summary())
        to.flush()
        return table.status()


if __name__ == "__main__":
    start("psim-table2", main)
