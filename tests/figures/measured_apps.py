#!/usr/bin/env python3
"""Applications on machines that were built: measured, and predicted by skeletons (netlink/programs/skeletons).

    measured_apps.py [--most RANKS] [KEY]...     bsim and bsimcc are found in PATH

measured_apps.table has the figures and their sources, apps/KEY.ini the machines. The first figure of a machine gives the
skeleton's rate, one marked `factor` what memory costs that more ranks of a node share (machine.slowdown), which measured
STREAM gives where a row has it, one with `change` what a block takes when the mesh changes (amr's own_time); the others are
predicted. --most: only rows of so many ranks. Status 5 if one is more than 30 % off and the table does not say `known`.
"""
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Stop, output, start, table_lines  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/measured_apps.table")
MEDIAN, MOST = 15, 30  # percent


RATES = {"stencil": "stencil_rate", "amr": "zone_rate"}


def machines():
    """{key: (title, source, skeleton, [(ranks, operands, steps, seconds, words)])} of the table."""
    found = {}
    for number, head, cells in table_lines(TABLE):
        if head and len(cells) in (3, 4) and (cells + ["stencil"])[3] in RATES:
            found[cells[0]] = (cells[1], cells[2], (cells + ["stencil"])[3], [])
        elif len(cells) == 6 and cells[0] in found:
            found[cells[0]][3].append((int(cells[1]), cells[2], int(cells[3]), float(cells[4]), cells[5].split()))
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a machine, or a figure of one above")
    return found


def simulate(folder, key, skeleton, row, values):
    """Seconds of a row, and those of them in which a mesh changes."""
    ranks, operands, steps, _, _ = row
    text = output("bsim", "-q", "-c", f"{TOP}/tests/figures/apps/{key}.ini", "-n", str(ranks), "--set",
                  f"{RATES[skeleton]}={values['rate']}", "--set", f"own_time={values['own']}", "-p",
                  f"machine.slowdown={values['factor']}", "-o", folder("report"), folder(skeleton + ".so"),
                  *operands.split())
    each = float(re.search(r"([\d.e+]+) us a (?:step|cycle)", text)[1])
    change = re.search(r"([\d.e+]+) us of it to change", text)
    return each * steps * 1e-6, float(change[1]) * steps * 1e-6 if change else 0


def solved(folder, key, skeleton, row, values, change):
    """Values with which a row takes its measured time: `change` gets how much too slow they make the rest, and the change."""
    for _ in range(4):
        values = change(values, *simulate(folder, key, skeleton, row, values))
    return values


def change_of(row):
    """Measured seconds of a row in which the mesh changes; 0 where none are given."""
    words = row[4]
    return float(words[words.index("change") + 1]) * row[2] if "change" in words else 0


def calibrate(folder, key, skeleton, row):
    """Values that give the first figure of a machine."""
    blocks = re.search(r"blocks=(\d+)", row[1])
    change = change_of(row)

    def better(values, seconds, changing):
        rest = row[3] - change
        own = values["own"]
        if change:
            own = max(own + (change - changing) * row[0] / float(blocks[1]) / row[2], 0)
        return {**values, "rate": values["rate"] * (seconds - changing * bool(change)) / rest, "own": own}

    return solved(folder, key, skeleton, row, {"rate": 1e9 if skeleton == "stencil" else 1e7, "factor": 1, "own": 0}, better)


def stream_of(row):
    """GB/s that a core has of STREAM; 0 where no row has it."""
    words = row[4]
    return float(words[words.index("stream") + 1]) if "stream" in words else 0


def show(folder, key, skeleton, rows, most):
    """Prints a machine's rows; returns the deviations, and whether one is too far off."""
    values = calibrate(folder, key, skeleton, rows[0])
    offs, far = [], False
    first = stream_of(rows[0])
    for row in [r for r in rows if r[0] <= most]:
        if stream_of(row):
            values["factor"] = first / stream_of(row)
        if "factor" in row[4]:
            values = solved(folder, key, skeleton, row, values, lambda v, s, _: {**v, "factor": v["factor"] * row[3] / s})
        ours, changing = simulate(folder, key, skeleton, row, values)
        off = 100 * (ours / row[3] - 1)
        note = "calibrated" if {"calibrated", "factor"} & set(row[4]) else ""
        note += f"  change {changing:.3g} s" if changing else ""
        print(f"  {row[0]:>6} ranks, {' '.join(row[1].split()[:8]):<28} {row[3]:>10.5g} {ours:>10.5g} {off:>+7.1f}  {note}".rstrip())
        if "calibrated" not in note:
            offs.append(abs(off))
            far |= abs(off) > MOST and "known" not in row[4]
    print(f"  {len(offs)} predicted, median {statistics.median(offs):.1f} %, most {max(offs):.1f} %"
          + ("  MISSED" if statistics.median(offs) > MEDIAN else ""))
    return far


def main(arguments):
    options, keys = Command("measured_apps.py", "", __doc__ + "\n", values=("--most",)).parse(arguments)
    known = machines()
    for key in keys:
        if key not in known:
            raise Stop(2, f"{key}: expected one of {', '.join(known)}")
    with Folder() as folder:
        for name in RATES:
            output("bsimcc", "-O2", "-o", folder(name + ".so"), f"{TOP}/netlink/programs/skeletons/{name}.c")
        print(f"{'':<43} {'measured':>10} {'predicted':>10}  off, %")
        far = False
        for key in keys or known:
            print(known[key][0])
            far |= show(folder, key, *known[key][2:], int(options["most"] or 10**9))
    return MISSED if far else 0


if __name__ == "__main__":
    start("measured_apps.py", main)
