#!/usr/bin/env python3
"""Strong and weak scaling of the stencil skeleton on a torus and on a tapered fat tree: docs/models/skeletons.md's example.

    scaling.py [-j JOBS] [FOLDER]     bsim, bsimcc and psim-fit are found in PATH; FOLDER gets tables and pictures

Flows on links. Links of 4 GB/s; each switch of the tree has 4 links down and 2 up. Held: without messages, weak scaling
takes what one node takes, and strong scaling a p-th of it, so no row may be shorter; the rest is messages. Status 5 if a row is outside its tolerance.
"""
import os
import re
import shutil
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Verdicts, need, output, read, start, write  # noqa: E402

SKELETON = os.path.join(TOP, "netlink/programs/skeletons/stencil.c")
RATE = 4e9  # operations a second of a node
NODES = (4, 16, 64, 256, 1024)
TORI = dict(zip(NODES, ("2x2x1", "4x2x2", "4x4x4", "8x8x4", "16x8x8")))
# Size of the grid: the whole of it, or of each node's part.
SIZES = {"strong": "256 256 256", "weak": "64 64 64"}
FLOPS_PER_POINT = 8
# Longest time beside what computing alone takes, in percent more. The tree's upper links carry the faces of many.
MOST = {"torus": {"strong": 80, "weak": 35}, "tree": {"strong": 120, "weak": 35}}


def machine(topology, nodes):
    """bsim's options for it."""
    if topology == "torus":
        return ["-p", "topology.kind=torus", "-p", f"topology.dims={TORI[nodes]}"]
    levels = NODES.index(nodes) + 1
    if levels == 1:
        return ["-p", "topology.kind=crossbar", "-p", "topology.dims=4"]
    return ["-p", "topology.kind=fat_tree", "-p", f"topology.up={'x'.join('2' * (levels - 1))}", "-p",
            f"topology.dims={'x'.join('4' * levels)}"]


def us_of(path):
    """Microseconds a step, as the skeleton prints them."""
    return float(re.search(r", (\S+) us a step", read(path)).group(1))


def main(arguments):
    options, operands = Command("scaling.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need("ninja")
    names = [(kind, topology) for kind in SIZES for topology in ("torus", "tree")]
    with Folder() as work:
        jobs = Jobs("scaling.py", work, options["jobs"] or 1, quiet=True)
        jobs.add(["stencil.so"], [["bsimcc", "-O2", "-o", work("stencil.so"), SKELETON]])
        for kind, topology in names:
            for nodes in NODES:
                name = f"{topology}-{kind}-{nodes}"
                command = ["bsim", "-q", "-e", "flow", "-o", work(name + ".txt"), *machine(topology, nodes), "--set",
                           f"stencil_rate={RATE:g}", "-n", nodes, work("stencil.so"), kind, *SIZES[kind].split(), 20]
                jobs.add([name], [" ".join(map(str, command)) + f" >{work(name)}"], [work("stencil.so")])
        jobs.run()
        report(work, names, operands)
        table = verdicts(work, names)
    print(table.text(), end="")
    return table.status()


def computing(kind, nodes):
    """Microseconds that a step takes where messages take none."""
    x, y, z = map(int, SIZES[kind].split())
    return 1e6 * FLOPS_PER_POINT * x * y * z / RATE / (nodes if kind == "strong" else 1)


def report(work, names, operands):
    """The table, the fits and their pictures."""
    for folder in operands[:1]:
        os.makedirs(folder, exist_ok=True)
    print("us a step            nodes:       4      16      64     256    1024")
    for kind, topology in names:
        name = f"{topology}-{kind}"
        values = [us_of(work(f"{name}-{nodes}")) for nodes in NODES]
        print(f"{name:26}" + "".join(f"{value:8.0f}" for value in values))
        write(work(name + ".csv"), "p,regions.step.seconds\n" + "".join(f"{p},{us * 1e-6:g}\n" for p, us in zip(NODES, values)))
        terms = "1, log2(p)" if kind == "weak" else "1, p^-1, p^(-2/3)"
        output("psim-fit", "-q", "--value", "regions.step.seconds", "--terms", terms, "--picture", work(name + ".svg"), "-f", "csv", "-o",
               work("fit.csv"), work(name + ".csv"))
        for path in [work(name + ".csv"), work(name + ".svg")] if operands else []:
            shutil.copy(path, operands[0])


def verdicts(work, names):
    table = Verdicts(34, "alone")
    for kind, topology in names:
        table.section(f"{kind} scaling, {topology}: beside what computing alone takes, us a step")
        for nodes in NODES:
            table.row(f"{nodes} nodes", us_of(work(f"{topology}-{kind}-{nodes}")), computing(kind, nodes), MOST[topology][kind], low=0)
    return table


if __name__ == "__main__":
    start("scaling.py", main)
