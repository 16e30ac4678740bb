#!/usr/bin/env python3
"""HPL's options on Dahu: which decide, by analyses of variance of measured and predicted figures, and how well any model can rank.

    measured_options.py [--keep FOLDER] [--key KEY]

measured_options.table has eight measured runs of 72 combinations, and what SimGrid predicted of each. FOLDER is that of
measured_hpl.py, whose group `options` of KEY, dahu-panel unless given, has our predictions; `mix` is `long` where it has
none. Printed are the shares of the sum of squares that each option and each pair of options has, the rank correlations,
and the ceiling of these: the correlation of one half of the repeats with the other half, over all 35 halves
(docs/accuracy/measured-options.md). Status 5 unless SimGrid is within 5 % in 61 combinations, as the thesis says.
"""
import itertools
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.path.insert(0, os.path.join(TOP, "tests/figures"))
sys.dont_write_bytecode = True
from measured_hpl import correlation, machines, name_of  # noqa: E402
from psim_drivers import MISSED, Command, Folder, Stop, read, start, table_lines  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/measured_options.table")
OPTIONS = ("NB", "depth", "bcast", "swap")
KEY, REPEATS = "dahu-panel", 8
NEAR, PUBLISHED = 5, 61  # percent; combinations of which the thesis says that SimGrid is nearer


def measured():
    """{combination: (GFlop/s of SimGrid, those of the repeats)}."""
    found = {}
    for number, head, cells in table_lines(TABLE):
        if head or len(cells) != 3 or len(cells[0].split()) != len(OPTIONS) or len(cells[2].split()) != REPEATS:
            raise Stop(2, f"{TABLE}:{number}: expected NB DEPTH BCAST SWAP | SimGrid | {REPEATS} figures")
        found[tuple(cells[0].split())] = (float(cells[1]), [float(x) for x in cells[2].split()])
    return found


def predicted(folder, key, combinations):
    """Our GFlop/s of each combination, in the order given."""
    found = {}
    for group, _, arguments, _, _ in machines()[key][2]:
        if group == "options":
            words = arguments.split()
            values = dict(w.split("=") for w in words[4:])
            text = read(folder(name_of(key, arguments)))
            found[(words[1], values["depth"], values["bcast"], values["swap"])] = float(
                re.search(r"([\d.e+]+) GFlop/s", text)[1])
    return [found[c if c in found or c[3] != "mix" else (*c[:3], "long")] for c in combinations]


def shares(combinations, figures):
    """{options: share of the sum of squares, in percent} of each option, each pair, and what is left."""
    mean = statistics.fmean(figures)
    total = sum((f - mean) ** 2 for f in figures)
    found, effects = {}, {}
    for many in (1, 2):
        for which in itertools.combinations(range(len(OPTIONS)), many):
            cells = {}
            for c, f in zip(combinations, figures):
                cells.setdefault(tuple(c[i] for i in which), []).append(f)
            effect = {k: statistics.fmean(v) - mean - sum(effects[(i,)][(x,)] for i, x in zip(which, k) if many == 2)
                      for k, v in cells.items()}
            effects[which] = effect
            found[" x ".join(OPTIONS[i] for i in which)] = 100 * sum(len(cells[k]) * e ** 2 for k, e in effect.items()) / total
    found["all else"] = 100 - sum(found.values())
    return found


def ceiling(repeats):
    """Least and mean rank correlation of the means of one half of the repeats and of the other."""
    halves = [h for h in itertools.combinations(range(REPEATS), REPEATS // 2) if 0 in h]
    values = [correlation([statistics.fmean(r[i] for i in half) for r in repeats],
                          [statistics.fmean(r[i] for i in range(REPEATS) if i not in half) for r in repeats])
              for half in halves]
    return min(values), statistics.fmean(values)


def main(arguments):
    options, operands = Command("measured_options.py", "", __doc__ + "\n", values=("--keep", "--key")).parse(arguments)
    if operands:
        raise Stop(2, "expected no operand")
    table = measured()
    combinations = list(table)
    repeats = [table[c][1] for c in combinations]
    means = [statistics.fmean(r) for r in repeats]
    columns = {"measured": means, "SimGrid": [table[c][0] for c in combinations]}
    if options["keep"]:
        with Folder(options["keep"]) as folder:
            columns["ours"] = predicted(folder, options["key"] or KEY, combinations)
    parts = {name: shares(combinations, figures) for name, figures in columns.items()}
    print(f"{'share of the sum of squares, %':<32}" + "".join(f"{name:>10}" for name in columns))
    for part in parts["measured"]:
        print(f"  {part:<30}" + "".join(f"{parts[name][part]:>10.1f}" for name in columns))
    near = {}
    for name in list(columns)[1:]:
        offs = [abs(100 * (o / m - 1)) for o, m in zip(columns[name], means)]
        near[name] = sum(off < NEAR for off in offs)
        print(f"{name}: rank correlation {correlation(columns[name], means):.3f}, {near[name]} of {len(offs)} within {NEAR} %, "
              f"median off {statistics.median(offs):.1f} %, most {max(offs):.1f} %")
    print("repeats: rank correlation of one half with the other %.3f at least, %.3f in the mean" % ceiling(repeats))
    print(f"repeats: deviation {statistics.median(100 * statistics.stdev(r) / statistics.fmean(r) for r in repeats):.2f} % in the median")
    return 0 if near["SimGrid"] == PUBLISHED else MISSED


if __name__ == "__main__":
    start("measured_options.py", main)
