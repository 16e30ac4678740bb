#!/usr/bin/env python3
"""Intervals of predictions beyond the fit, held against simulated times: the points of configs/models.

Fits the smaller sizes of each model with chosen terms, the largest of them held out or not, and predicts larger ones, up to
four times the largest fitted. Prints for each model how many simulated times are in the interval and the largest
error of those that are not. Status 5 if fewer than four of five are inside, or an error outside exceeds 1.5 %.
"""
import glob
import json
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Folder, output, start, write  # noqa: E402

LEAST, FURTHEST = 5, 4  # sizes fitted; factor beyond the largest
SHARE, ERROR = 0.8, 1.5  # of predictions inside; percent of those outside


def points_of(path):
    """(size, seconds) of a model with one size, ascending; [] of others."""
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    if len(model["variables"]) != 1:
        return []
    return sorted((float(p["point"].partition("=")[2]), p["value"]) for p in model["points"])


def predictions(folder, fitted, held, larger):
    """Yields (simulated, model, high) of the larger sizes."""
    write(folder("times.csv"), "n,seconds\n" + "".join(f"{n!r},{seconds!r}\n" for n, seconds in fitted + held))
    options = [word for n, _ in held for word in ("--hold-out", f"n={n!r}")]
    options += [word for n, _ in larger for word in ("--predict", f"n={n!r}")]
    report = json.loads(output("psim-fit", "-q", "--json", *options, "times.csv", cwd=folder.path))
    for (_, seconds), row in zip(larger, report["predictions"]):
        yield seconds, row["model"], row["high"]


def judge(folder, points):
    """Returns the number of predictions, of those inside, and the largest error outside, in percent."""
    count, inside, worst = 0, 0, 0
    for end in range(LEAST, len(points)):
        for held in (0, 1):
            fitted = points[:end - held]
            larger = [p for p in points[end:] if p[0] <= FURTHEST * fitted[-1][0]]
            if len(fitted) < LEAST or not larger:
                continue
            for seconds, model, high in predictions(folder, fitted, points[end - held:end], larger):
                count += 1
                if abs(seconds - model) <= high - model:
                    inside += 1
                else:
                    worst = max(worst, 100 * abs(model / seconds - 1))
    return count, inside, worst


def main(_):
    total = [0, 0, 0]
    with Folder() as folder:
        for path in sorted(glob.glob(os.path.join(TOP, "configs/models/**/*.model"), recursive=True)):
            count, inside, worst = judge(folder, points_of(path))
            if count:
                print(f"{os.path.relpath(path, os.path.join(TOP, 'configs/models')):22} {inside:3} of {count:3} inside, "
                      f"largest error outside {worst:.2f} %")
            total = [total[0] + count, total[1] + inside, max(total[2], worst)]
    print(f"{'all':22} {total[1]:3} of {total[0]:3} inside, largest error outside {total[2]:.2f} %")
    return 0 if total[1] >= SHARE * total[0] and total[2] <= ERROR else MISSED


if __name__ == "__main__":
    start("intervals.py", main)
