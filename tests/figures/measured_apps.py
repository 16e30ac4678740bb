#!/usr/bin/env python3
"""Applications on machines that were built: measured, and predicted by the skeleton netlink/programs/skeletons/stencil.c.

    measured_apps.py [KEY]...     bsim and bsimcc are found in PATH

measured_apps.table has the figures and their sources, apps/KEY.ini the machines. The first figure of a machine gives
stencil_rate, one marked `factor` what memory costs that more ranks of a node share (machine.slowdown), which measured
STREAM gives where a row has it; the others are predicted. Status 5 if one is more than 30 % off and the table does not say `known`.
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


def machines():
    """{key: (title, source, [(ranks, operands, steps, seconds, words)])} of the table."""
    found = {}
    for number, head, cells in table_lines(TABLE):
        if head and len(cells) == 3:
            found[cells[0]] = (cells[1], cells[2], [])
        elif len(cells) == 6 and cells[0] in found:
            found[cells[0]][2].append((int(cells[1]), cells[2], int(cells[3]), float(cells[4]), cells[5].split()))
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a machine, or a figure of one above")
    return found


def simulate(folder, key, row, rate, factor):
    """Seconds of a row."""
    ranks, operands, steps, _, _ = row
    text = output("bsim", "-q", "-c", f"{TOP}/tests/figures/apps/{key}.ini", "-n", str(ranks), "--set",
                  f"stencil_rate={rate}", "-p", f"machine.slowdown={factor}", "-o", folder("report"),
                  folder("stencil.so"), *operands.split())
    return float(re.search(r"([\d.e+]+) us a step", text)[1]) * steps * 1e-6


def solved(folder, key, row, rate, factor, change):
    """Rate and factor with which a row takes its measured time: what is not computation stays."""
    for _ in range(4):
        seconds = simulate(folder, key, row, rate, factor)
        rate, factor = change(rate, factor, row[3] / seconds)
    return rate, factor


def stream_of(row):
    """GB/s that a core has of STREAM; 0 where no row has it."""
    words = row[4]
    return float(words[words.index("stream") + 1]) if "stream" in words else 0


def show(folder, key, rows):
    """Prints a machine's rows; returns the deviations, and whether one is too far off."""
    rate, factor = solved(folder, key, rows[0], 1e9, 1, lambda r, f, x: (r / x, f))
    offs, far = [], False
    first = stream_of(rows[0])
    for row in rows:
        if stream_of(row):
            factor = first / stream_of(row)
        if "factor" in row[4]:
            rate, factor = solved(folder, key, row, rate, factor, lambda r, f, x: (r, f * x))
        ours = simulate(folder, key, row, rate, factor)
        off = 100 * (ours / row[3] - 1)
        note = "calibrated" if {"calibrated", "factor"} & set(row[4]) else ""
        print(f"  {row[0]:>6} ranks, {row[1]:<28} {row[3]:>10.5g} {ours:>10.5g} {off:>+7.1f}  {note}".rstrip())
        if not note:
            offs.append(abs(off))
            far |= abs(off) > MOST and "known" not in row[4]
    print(f"  {len(offs)} predicted, median {statistics.median(offs):.1f} %, most {max(offs):.1f} %"
          + ("  MISSED" if statistics.median(offs) > MEDIAN else ""))
    return far


def main(arguments):
    _, keys = Command("measured_apps.py", "", __doc__ + "\n").parse(arguments)
    known = machines()
    for key in keys:
        if key not in known:
            raise Stop(2, f"{key}: expected one of {', '.join(known)}")
    with Folder() as folder:
        output("bsimcc", "-O2", "-o", folder("stencil.so"), f"{TOP}/netlink/programs/skeletons/stencil.c")
        print(f"{'':<43} {'measured':>10} {'predicted':>10}  off, %")
        far = False
        for key in keys or known:
            print(known[key][0])
            far |= show(folder, key, known[key][2])
    return MISSED if far else 0


if __name__ == "__main__":
    start("measured_apps.py", main)
