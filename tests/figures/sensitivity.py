#!/usr/bin/env python3
"""Sensitivity: each parameter moved from its default shows its effect.

    sensitivity.py [-j JOBS] [PARAMETER...]    all rows of sensitivity.table, or those named

Prints the figure at both values. psim and psim-record are found in PATH. Status 5 if a figure does not move in the
direction that it must, or if a parameter has no row; 77 without the cross compiler.
"""
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Jobs, Report, need, output, start  # noqa: E402
from micro_programs import COMPILER, cells, record, rows  # noqa: E402

# Straight code that runs once would show little but instruction misses.
STRAIGHT = "l1i.perfect=yes tlb.perfect=yes "
MOVES = {"up": lambda a, b: b > a, "down": lambda a, b: b < a, "none": lambda a, b: b == a}


class Runs:
    """Simulations of the rows' workloads: sample traces, and programs of micro.table."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, Jobs("sensitivity.py", folder, jobs, quiet=True)
        self.programs, self.names = rows(), {}

    def trace(self, workload):
        if workload.startswith("micro:"):
            return record(self.jobs, self.programs[workload.removeprefix("micro:")])
        return os.path.join(TOP, f"traces/samples/{workload}.trace.gz")

    def add(self, workload, context, setting):
        """Adds the simulation with the context's settings and this one."""
        name = self.names.setdefault((workload, context, setting), f"{len(self.names)}.csv")
        command = ["psim", "-q", "-f", "csv", "--no-profile"]
        for one in [*context.split(), setting]:
            command += ["-p", one.replace("=TOP/", f"={TOP}/")]
        trace = self.trace(workload)
        self.jobs.add([name], [[*command, "-o", self.folder(name), trace]], [trace], f"{workload} {setting}")

    def of(self, workload, context, setting, figure):
        """The figure, group.name, as the report has it; "" if it has none."""
        group, _, name = figure.rpartition(".")
        report = Report(self.folder(self.names[workload, context, setting]))
        return next((row[3] for row in report.rows if row[:3] == [group, name, ""]), "")


def parameters():
    """All parameters of psim."""
    section, found = "", []
    for line in output("psim", "--dump-config").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section and line[:1].islower():
            found.append(f"{section}.{line.split()[0]}")
    return found


def moves(before, after, direction):
    """Returns whether the figure moves in this direction."""
    return before != "" and after != "" and MOVES[direction](float(before), float(after))


def main(arguments):
    options, names = Command("sensitivity.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need(COMPILER, "ninja")
    table = cells("sensitivity.table")
    good = bad = 0
    with Folder() as folder:
        runs = Runs(folder, options["jobs"] or 1)
        wanted = []
        for parameter, before, after, workload, figure, direction, context in table:
            if not names or parameter in names:
                context = (STRAIGHT if workload.startswith("micro:") else "") + context
                wanted.append((parameter, before, after, workload, context, figure, direction))
                for value in (before, after):
                    runs.add(workload, context, f"{parameter}={value}")
        runs.jobs.run()
        print(f"{'parameter':24} {'from':>14} {'to':>14}  {'workload':20} {'metric':26} {'before':>14} {'after':>14}")
        for parameter, before, after, workload, context, figure, direction in wanted:
            a, b = (runs.of(workload, context, f"{parameter}={value}", figure) for value in (before, after))
            moved = moves(a, b, direction)
            good, bad = good + moved, bad + (not moved)
            print(f"{parameter:24} {before:>14} {after:>14}  {workload:20} {figure:26} {a:>14} {b:>14}  {direction:4} "
                  + ("as it must" if moved else "NOT SO"))
    missing = [parameter for parameter in parameters() if parameter not in {row[0] for row in table}]
    if missing:
        bad += 1
        print(f"NOT SO: no row for {' '.join(missing)}")
    print(f"sensitivity: {good} as they must, {bad} not")
    return MISSED if bad else 0


if __name__ == "__main__":
    start("sensitivity.py", main)
