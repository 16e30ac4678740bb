#!/usr/bin/env python3
"""Intervals of predictions, held against simulated times.

    intervals.py [-j JOBS] [-k KEPT] [--held-out] [KERNEL...]

Without KERNEL: the points of configs/models. The smaller sizes of each model of one size are fitted with chosen terms, the
largest of them held out or not, and larger ones predicted, up to four times the largest fitted. With it: kernels of
KERNELS below, or "all" of them, on two processors each, which makes 40, or --held-out: of other kernels and sizes, beside
which no rule of an interval was chosen. They are simulated, the largest value of each size
(a third of them, where there is one size) is predicted from the others, and each point within the others from the rest.
What was simulated stays in the folder KEPT. Prints how many simulated times are in the interval and the largest error of
those that are not. Status 5 if fewer than 95 of 100 are inside within the range, less two standard deviations of so many,
or fewer than four of five beyond it, where no share is promised; 77 without the cross compiler.
"""
import glob
import itertools
import json
import math
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import (MISSED, USAGE, Command, Folder, Jobs, Kernels, Stop, need, output, read, start,  # noqa: E402
                          write)

LEAST, FURTHEST = 5, 4  # sizes fitted; factor beyond the largest
SHARE = 0.8  # of predictions beyond the range
NAMES = "abcd"  # of the sizes: none that a theory is named by
SQUARES = [(n,) for n in (16, 32, 48, 64, 80, 96, 112, 128, 160, 192)]
POWERS = [(n, 8) for n in range(4, 12)]
LINES = [(n,) for n in (500, 1000, 2000, 3000, 4000, 6000, 8000, 12000, 16000, 24000)]
LONG = [(n,) for n in (2048, 4096, 8192, 12288, 16384, 24576, 32768, 49152)]


def grid(*sizes):
    return list(itertools.product(*sizes))


# processor: {kernel: arguments}; of transforms the logarithm of the size, and how many
KERNELS = {
    "sparc64v": {
        "dgemm": SQUARES, "dgemm-packed": SQUARES, "dgemm-fortran": SQUARES, "fft": POWERS, "fft-radix4": POWERS,
        "zgemm": [(n,) for n in (12, 24, 36, 48, 60, 72, 96, 120)], "triad": LINES, "spmv": LINES,
        "stencil": grid((10, 18, 34, 66), (10, 18, 34, 50), (6, 10, 14, 18)),
        "panel": grid((64, 128, 256, 512), (4, 8, 16, 32)), "rows": grid((64, 128, 256, 512), (64, 128, 192, 256)),
    },
    "simd16": {
        "simd-dgemm": [(n,) for n in range(64, 512, 64)], "simd-dgemm-plain": [(n,) for n in range(64, 512, 64)],
        "simd-zgemm": [(n,) for n in (32, 64, 96, 128, 160, 192, 256)], "simd-fft": POWERS, "simd-fft-plain": POWERS,
        "simd-triad": LONG, "simd-dot": LONG, "simd-spmv": LINES[:8],
        "simd-update": grid((64, 128, 192, 256), (32, 64, 96, 128), (32, 64, 96, 128)),
    },
}
# The same of kernels and sizes beside which nothing was chosen.
EIGHTHS = [(n,) for n in (20, 28, 44, 56, 76, 100, 120, 144, 168)]
HELD_OUT = {
    "sparc64v": {
        "dgemm": EIGHTHS, "dgemm-packed": EIGHTHS, "zgemm": [(n,) for n in (18, 30, 42, 54, 66, 84, 108)],
        "triad": [(n,) for n in (700, 1500, 2600, 5000, 7000, 10000, 14000, 20000)],
        "quicksort": [(n,) for n in (300, 600, 1000, 1700, 2500, 4000, 6000, 9000)],
        "compress": [(n,) for n in (8, 12, 20, 32, 48, 64, 96, 128)],
        "spmv": [(n,) for n in (700, 1200, 2500, 3500, 5000, 7000, 10000)],
        "panel": grid((48, 96, 192, 384), (6, 12, 24)),
    },
    "simd16": {
        "simd-dgemm-blocked": [(n,) for n in range(128, 640, 64)], "simd-zgemm-plain": [(n,) for n in (32, 64, 96, 128, 160, 192)],
        "simd-fft-copy": POWERS, "simd-fft-reversed": POWERS, "simd-fft-lines": POWERS,
        "simd-dot": [(n,) for n in (3072, 6144, 10240, 14336, 20480, 28672, 40960)],
        "simd-update-plain": grid((64, 128, 192), (32, 64, 96), (32, 64, 96)),
    },
}


class Count:
    """Predictions, those in their interval, and the largest error of the others, in percent."""

    def __init__(self):
        self.all = self.held = 0
        self.worst = 0.0

    def add(self, seconds, row):
        if row["low"] is None:
            return  # psim-fit gives no interval
        self.all += 1
        if row["low"] <= seconds <= row["high"]:
            self.held += 1
        else:
            self.worst = max(self.worst, 100 * abs(row["model"] / seconds - 1))

    def join(self, other):
        self.all, self.held, self.worst = self.all + other.all, self.held + other.held, max(self.worst, other.worst)

    def text(self):
        return f"{self.held:3} of {self.all:3}" + (f" (others up to {self.worst:.2g} % off)" if self.held < self.all else "")

    def enough(self, share):
        return not self.all or self.held >= self.all * share


def label(point):
    return ",".join(f"{name}={value!r}" for name, value in zip(NAMES, point[:-1]))


def predictions(folder, fitted, held, predicted):
    """Yields (simulated, row of the report) of the predicted points, each (size..., seconds)."""
    columns = ",".join(NAMES[:len(fitted[0]) - 1])
    write(folder("times.csv"), f"{columns},seconds\n" + "".join(",".join(map(repr, p)) + "\n" for p in fitted + held))
    options = [word for p in held for word in ("--hold-out", label(p))]
    options += [word for p in predicted for word in ("--predict", label(p))]
    report = json.loads(output("psim-fit", "-q", "--json", *options, "times.csv", cwd=folder.path))
    return list(zip((p[-1] for p in predicted), report["predictions"]))


def stored(path):
    """(size, seconds) of a model with one size, ascending; [] of others."""
    model = json.loads(read(path))
    if len(model["variables"]) != 1:
        return []
    return sorted((float(p["point"].partition("=")[2]), p["value"]) for p in model["points"])


def judge_stored(folder, points):
    """Counts predictions beyond the range from all beginnings of the points."""
    beyond = Count()
    for end in range(LEAST, len(points)):
        for held in (0, 1):
            fitted = points[:end - held]
            larger = [p for p in points[end:] if p[0] <= FURTHEST * fitted[-1][0]]
            if len(fitted) >= LEAST and larger:
                for seconds, row in predictions(folder, fitted, points[end - held:end], larger):
                    beyond.add(seconds, row)
    return Count(), beyond


def smaller(points):
    """The points that are fitted: without the largest value of each size, or a third of the values of one size."""
    columns = list(zip(*(p[:-1] for p in points)))
    if len(columns) == 1:
        return points[:max(LEAST, (2 * len(points) + 2) // 3)]
    limits = [sorted(set(column))[-2] for column in columns]
    return [p for p in points if all(value <= limit for value, limit in zip(p, limits))]


def judge(folder, points):
    """Counts predictions within the fitted range, each fitted without the point, and beyond it."""
    within, beyond = Count(), Count()
    fitted = smaller(points)
    columns = list(zip(*(p[:-1] for p in fitted)))
    inner = [p for p in fitted if all(min(column) < value < max(column) for value, column in zip(p, columns))]
    for seconds, row in predictions(folder, fitted, [], [p for p in points if p not in fitted]):
        beyond.add(seconds, row)
    for point in inner if len(fitted) > LEAST else []:
        for seconds, row in predictions(folder, [p for p in fitted if p != point], [], [point]):
            within.add(seconds, row)
    return within, beyond


def simulate(folder, names, jobs):
    """Yields (kernel and configuration, points) of these kernels."""
    runs = {}
    kernels = Kernels(jobs, os.path.join(TOP, "traces/kernels"))
    for processor, kernel, sizes in names:
        for words in sizes:
            reports = {}
            for config in (processor, f"{processor}-prefetched"):
                report = "-".join([kernel, config, *map(str, words)]) + ".json"
                reports[report] = ["-c", os.path.join(TOP, f"configs/{config}.ini")]
                size = (1 << words[0],) if "fft" in kernel else words
                runs.setdefault(f"{kernel}, {config}", []).append((size, report))
            kernels.simulate(kernel, words, os.path.join(TOP, f"configs/{processor}.ini"), reports)
    jobs.run()
    for name, reports in runs.items():
        yield name, sorted((*map(float, size), json.loads(read(folder(report)))["regions"][0]["seconds"])
                           for size, report in reports)


def chosen(kernels, operands):
    """(processor, kernel, sizes) of the kernels named."""
    known = [(processor, kernel, sizes) for processor, rows in kernels.items() for kernel, sizes in rows.items()]
    for name in operands:
        if name not in ("all", *(kernel for _, kernel, _ in known)):
            raise Stop(USAGE, f"{name}: no such kernel, expected all or some of {', '.join(row[1] for row in known)}")
    return [row for row in known if row[1] in operands or "all" in operands]


def main(arguments):
    options, operands = Command("intervals.py", "", __doc__ + "\n", flags=["--held-out"], values=("--jobs", "--keep"),
                                short={"-j": "--jobs", "-k": "--keep"}).parse(arguments)
    within, beyond = Count(), Count()
    with Folder(options["keep"]) as folder:
        if operands:
            need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran", "ninja")
            rows = simulate(folder, chosen(HELD_OUT if options["held-out"] else KERNELS, operands), Jobs("intervals.py", folder, options["jobs"] or 1))
        else:
            place = os.path.join(TOP, "configs/models")
            rows = [(os.path.relpath(path, place), stored(path))
                    for path in sorted(glob.glob(os.path.join(place, "**/*.model"), recursive=True))]
        for name, points in rows:
            counts = (judge if operands else judge_stored)(folder, points)
            for total, count in zip((within, beyond), counts):
                total.join(count)
            if any(count.all for count in counts):
                print(f"{name:36} within {counts[0].text():10}  beyond {counts[1].text()}")
    print(f"{'all':36} within {within.text():10}  beyond {beyond.text()}")
    deviations = 2 * math.sqrt(0.95 * 0.05 / max(within.all, 1))
    return 0 if within.enough(0.95 - deviations) and beyond.enough(SHARE) else MISSED


if __name__ == "__main__":
    start("intervals.py", main)
