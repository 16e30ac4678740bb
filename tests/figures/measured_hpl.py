#!/usr/bin/env python3
"""HPL on machines that were built: measured GFlop/s, and predicted by the skeleton netlink/programs/skeletons/hpl.c.

    measured_hpl.py [-j JOBS] [--keep FOLDER] [--quick] [KEY]...     bsim and bsimcc are found in PATH

measured_hpl.table has the figures and their sources, hpl/KEY.ini the descriptions. With KEY, only these machines; --quick:
only runs of seconds. Rows that a description is calibrated with are shown, and are not counted. A group's MISSED: the
median of its deviations is above 5 %, or its rank correlation below 0.9 where options are compared
(docs/accuracy/measured-hpl.md has why). Status 5 if a figure is more than 30 % off and the table does not say `known`.
"""
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Jobs, Stop, read, start, table_lines  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/measured_hpl.table")
INIS = os.path.join(TOP, "tests/figures/hpl")
SKELETON = os.path.join(TOP, "netlink/programs/skeletons/hpl.c")
MEDIAN, MOST, CORRELATION = 5, 30, 0.9


def machines():
    """{key: (machine, source, [(group, ranks, arguments, GFlop/s, words)])} of the table."""
    found = {}
    for number, head, cells in table_lines(TABLE):
        if head and len(cells) == 3:
            found[cells[0]] = (cells[1], cells[2], [])
        elif len(cells) in (5, 6) and cells[0] in found:
            words = set(cells[5].split()) if len(cells) == 6 else set()
            found[cells[0]][2].append((cells[1], int(cells[2]), cells[3], float(cells[4]), words))
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a machine, or a figure of one above")
    return found


def name_of(key, arguments):
    return f"{key}." + re.sub("[ =:]", "_", arguments)


def ranks_by_value(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    places = [0.0] * len(values)
    at = 0
    while at < len(order):  # equal values share the mean of their places
        to = at
        while to < len(order) and values[order[to]] == values[order[at]]:
            to += 1
        for i in order[at:to]:
            places[i] = (at + to - 1) / 2
        at = to
    return places


def correlation(ours, theirs):
    """Spearman's rank correlation."""
    return statistics.correlation(ranks_by_value(ours), ranks_by_value(theirs))


def show(group, rows):
    """Prints the rows of a group and its summary; returns whether one is too far off."""
    for arguments, ours, theirs, words, note in rows:
        print(f"  {arguments:<58} {theirs:>12.6g} {ours:>12.6g} {100 * (ours / theirs - 1):>+7.1f}"
              + ("  calibrated" if "calibrated" in words else "") + note)
    counted = [(o, t) for _, o, t, words, _ in rows if "calibrated" not in words]
    far = any(abs(100 * (o / t - 1)) > MOST for _, o, t, words, _ in rows if not words & {"calibrated", "known"})
    if len(counted) < 2:
        return far
    offs = [abs(100 * (o / t - 1)) for o, t in counted]
    line = f"  {group}: {len(counted)} predicted, median {statistics.median(offs):.1f} %, most {max(offs):.1f} %"
    missed = statistics.median(offs) > MEDIAN
    if len(counted) > 4:
        rho = correlation(*zip(*counted))
        best = max(rows, key=lambda r: r[1])[0] == max(rows, key=lambda r: r[2])[0]
        line += f", rank correlation {rho:.3f}" + (", the same best" if best else ", another best")
        missed = missed or (group == "options" and rho < CORRELATION)
    print(line + ("  MISSED" if missed else ""))
    return far


def add(jobs, folder, key, ranks, arguments):
    name = name_of(key, arguments)
    command = " ".join(["bsim", "-q", "-c", f"{INIS}/{key}.ini", "-n", str(ranks), "-o", folder(name + ".report"),
                        folder("hpl.so"), arguments, ">", folder(name + ".tmp"), "2>", folder(name + ".err"), "&&", "mv",
                        folder(name + ".tmp"), folder(name)])
    jobs.add([name], [command], [jobs.stamp("bsim", f"{INIS}/{key}.ini"), folder("hpl.so")], name)


def main(arguments):
    options, keys = Command("measured_hpl.py", "", __doc__ + "\n", flags=("--quick",), values=("--jobs", "--keep"),
                            short={"-j": "--jobs"}).parse(arguments)
    known = machines()
    for key in keys:
        if key not in known:
            raise Stop(2, f"{key}: expected one of {', '.join(known)}")
    with Folder(options["keep"]) as folder:
        jobs = Jobs("measured_hpl.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["hpl.so"], [["bsimcc", "-O2", "-o", folder("hpl.so"), SKELETON]], [jobs.stamp("bsimcc", SKELETON)])
        chosen = {key: [r for r in rows if not options["quick"] or "quick" in r[4]]
                  for key, (_, _, rows) in known.items() if not keys or key in keys}
        for key, rows in chosen.items():
            for _, ranks, words, _, _ in rows:
                add(jobs, folder, key, ranks, words)
        jobs.run()
        far = False
        print(f"{'N NB P Q':<60} {'measured':>12} {'predicted':>12}   off, %")
        for key, rows in chosen.items():
            if not rows:
                continue
            print(known[key][0])
            for group in dict.fromkeys(r[0] for r in rows):
                texts = [(r, read(folder(name_of(key, r[2])))) for r in rows if r[0] == group]
                far |= show(group, [(r[2], float(re.search(r"([\d.e+]+) GFlop/s", text)[1]), r[3], r[4],
                              "".join(f"  +- {x}" for x in re.findall(r"s, ([\d.e+-]+ %)", text)))
                             for r, text in texts])
    return MISSED if far else 0


if __name__ == "__main__":
    start("measured_hpl.py", main)
