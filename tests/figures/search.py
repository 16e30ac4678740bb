#!/usr/bin/env python3
"""The share of a front that psim-explore --search finds, beside random designs (docs/accuracy/studies.md).

    search.py [-j JOBS] [--keep FOLDER] [--seeds N] [--draw PROGRAM --picture SVG] [STUDY...]

Simulates the whole grid of each study, then searches 2 to 10 % of it with ten seeds, and draws as many designs at random.
Prints the rows of the page: the share of the grid's hypervolume in time, energy and area that a tenth of the designs has.
The reference point is the worst of the grid, and scales are linear. Fronts and volumes are computed here, from the points
that psim-explore writes as CSV. --picture: what is missed over the part of the grid, by --draw, tests/figures/seeds-picture.
Without STUDY those of the page. psim-explore is found in PATH. Grids stay in FOLDER, and a repeated command goes on. Status
5 if a search finds less than 0.98 with a tenth, which is what the page predicts.
"""
import csv
import math
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import FAILED, MISSED, Command, Folder, Stop, start, write  # noqa: E402

STUDIES = [os.path.join(TOP, "configs/explore/design.ini"),
           *(os.path.join(TOP, "tests/figures/search", name + ".ini")
             for name in ("caches", "window", "array", "supply", "front-end"))]
FIGURES = ("seconds", "system_j", "area_mm2")
PERCENTS = (2, 4, 6, 8, 10)
PREDICTED = 0.98  # of each seed


def designs_of(text):
    """The designs of a CSV of points, {settings: figures}: geometric means over the traces; the area is the chip's."""
    lines = list(csv.DictReader(text.splitlines()))
    settings = [name for name in lines[0] if "." in name] if lines else []
    points = {}
    for line in lines:
        points.setdefault(tuple(line[name] for name in settings), []).append([float(line[name]) for name in FIGURES])
    return {key: (*(math.exp(sum(math.log(row[n]) for row in rows) / len(rows)) for n in (0, 1)), rows[0][2])
            for key, rows in points.items()}


class Grid:
    """The designs of a study on the scale from the best (0) to the worst (1) of each figure."""

    def __init__(self, designs):
        columns = list(zip(*designs.values()))
        self.least, self.most = [min(c) for c in columns], [max(c) for c in columns]
        self.designs, self.all = designs, 1
        self.all = self.share(designs.values())

    def share(self, figures):
        """The hypervolume of designs as a part of the grid's."""
        scaled = [tuple((v - a) / (b - a) for v, a, b in zip(row, self.least, self.most)) for row in figures]
        return volume(scaled) / self.all


def area(points, reference=1.0):
    """The area that points of two figures dominate up to the reference, a sum of rectangles."""
    total, height = 0.0, reference
    for x, y in sorted(points):
        if y < height and x < reference:
            total += (reference - x) * (height - y)
            height = y
    return total


def volume(points):
    """The volume that points of three figures dominate up to 1, a sum of slices along the third."""
    total, below = 0.0, sorted(points, key=lambda p: p[2])
    for n, point in enumerate(below):
        top = below[n + 1][2] if n + 1 < len(below) else 1.0
        if top > point[2]:
            total += (top - point[2]) * area([p[:2] for p in below[:n + 1]])
    return total


def explore(study, results, *options, warns=True):
    """The points as CSV; searches repeat the grid's warnings, which are dropped."""
    run = subprocess.run(["psim-explore", "-q", study, "-o", results, *options, "--csv", "-"], stdout=subprocess.PIPE,
                         stderr=None if warns else subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, check=False)
    if run.returncode:
        raise Stop(run.returncode if run.returncode > 0 else FAILED, f"psim-explore {study} failed")
    return run.stdout


def shares_of(study, results, grid, seeds, jobs):
    """{percent: (shares of the search, of random designs)}, a share for each seed."""
    keys, found = sorted(grid.designs), {}
    for percent in PERCENTS:
        count = len(keys) * percent // 100

        def searched(seed, count=count):
            text = explore(study, results, "--no-run", "--search", str(count), "--seed", str(seed), warns=False)
            return grid.share(designs_of(text).values())

        with ThreadPoolExecutor(jobs) as pool:
            by_search = list(pool.map(searched, range(1, seeds + 1)))
        found[percent] = by_search, [grid.share([grid.designs[key] for key in random.Random(seed).sample(keys, count)])
                                     for seed in range(1, seeds + 1)]
    return found


def mean(values):
    return sum(values) / len(values)


def picture(found, seeds):
    """Lines of tests/figures/seeds-picture: means over the studies and seeds, and the worst of all."""
    lines = ["title Search and random designs",
             f"doc {len(found)} studies, {seeds} seeds each; hypervolume in time, energy and area that the whole grid has",
             "axes part of the grid that is simulated, % | hypervolume that is missed | %"]
    for which, name in enumerate(("--search", "random")):
        for worst in (False, True):
            lines.append(f"{'dashed' if worst else 'curve'} {name}, {'worst' if worst else 'mean'}")
            for percent in PERCENTS:
                values = [share for study in found.values() for share in study[percent][which]]
                lines.append(f"at {percent} | {100 - 100 * (min(values) if worst else mean(values)):.2f}")
    return lines


def main(arguments):
    options, studies = Command("search.py", "", __doc__ + "\n", values=("--jobs", "--keep", "--seeds", "--draw", "--picture"),
                               short={"-j": "--jobs"}).parse(arguments)
    seeds, jobs, found = int(options["seeds"] or 10), int(options["jobs"] or 1), {}
    print("| study | designs | random, mean; least | `--search`, mean; least |\n|---|---|---|---|")
    with Folder(options["keep"]) as folder:
        for study in studies or STUDIES:
            name = os.path.basename(study)
            results = folder(name.replace(".ini", ".sqlite"))
            grid = Grid(designs_of(explore(study, results, "-j", str(jobs))))
            found[name] = shares_of(study, results, grid, seeds, jobs)
            by_search, by_chance = found[name][PERCENTS[-1]]
            print(f"| `{name}` | {len(grid.designs)} | {mean(by_chance):.3f}; {min(by_chance):.3f} | "
                  f"{mean(by_search):.3f}; {min(by_search):.3f} |", flush=True)
    if options["picture"]:
        drawn = subprocess.run([options["draw"]], input="\n".join(picture(found, seeds)) + "\n", stdout=subprocess.PIPE,
                               text=True, check=True)
        write(options["picture"], drawn.stdout)
    return 0 if all(min(study[PERCENTS[-1]][0]) >= PREDICTED for study in found.values()) else MISSED


if __name__ == "__main__":
    start("search.py", main)
