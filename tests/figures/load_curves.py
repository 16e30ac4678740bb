#!/usr/bin/env python3
"""Where networks saturate, by load curves of nsim, beside the bound of their busiest link (docs/accuracy/accuracy-packet.md).

    load_curves.py [-j JOBS]

The bound is what dimension order, Valiant's way or the dragonfly's minimal way leaves to the links that most messages
cross, without headers. Patterns and bounds: W. Dally, B. Towles, "Principles and Practices of Interconnection Networks"
(2004), 3.2 and 23.1; of the 8 x 8 mesh and torus each is worked out below. nsim is found in PATH. Status 5 if a load is
outside its tolerance.
"""
import os
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Report, Verdicts, need, start  # noqa: E402

HEADERS = 2016 / 2048  # the part of a packet that is not its header
BELOW, ABOVE = 10, 3   # percent of the bound
MESH = ("topology.kind=mesh", "topology.dims=8x8")
TORUS = ("topology.dims=8x8",)
EQUAL = ("topology.dims=8x8", "topology.ties=random")
FLAT = ("topology.kind=hyperx", "topology.dims=8", "topology.concentration=8")
PLUS = ("topology.kind=dragonfly_plus", "topology.dims=2x2x2x2")
HYPERX = ("topology.kind=hyperx", "topology.dims=4x4", "topology.concentration=4")
# name, pattern, bound, parameters. Mesh: half of uniform traffic crosses the middle, 4 of 8 nodes of a row to 4: 4/8. The
# transpose sends 7 nodes of row 0 to its end. Bit complement sends 4 nodes over a row's middle; tornado 3, neighbor 1. Torus:
# those ways round the ring are half as long. Of nodes half way round, `parity` sends both that share a link the same way, so
# 4 of the transpose and 3 of the shuffle share one; equal parts both ways leave 3.5. Slim Fly: each node sends 196 of 199
# messages to other routers, 13/7 links on; four nodes share the seven links of a router, which all carry the same. HyperX: of
# the four messages between two opposite routers of a line one goes straight, one by the two others. An 8-ary 2-flat is the
# flattened butterfly of Kim, Dally and Abts (2007, figure 4) with 64 nodes in place of 1024: theirs saturate at 1/32 minimal, 1/2
# else, near 1 with uniform traffic. Trees of 64 nodes with half of the links up: 48 or 60 of 63 messages leave a subtree.
# Dragonfly plus: of five groups drawn two are the source's and the destination's, so 8 of 5 global links a message; if the direct link
# is full and all other messages take two, they have as many. Rails: 24
# of 31 messages leave an island, over NICs of a ninth of its bandwidth.
ROWS = (
    ("mesh, uniform", "uniform", 1 / 2, MESH),
    ("mesh, transpose", "transpose", 1 / 7, MESH),
    ("mesh, bit complement", "bit_complement", 1 / 4, MESH),
    ("mesh, shuffle", "shuffle", 1 / 4, MESH),
    ("mesh, tornado", "tornado", 1 / 3, MESH),
    ("mesh, neighbor", "neighbor", 1, MESH),
    ("torus, uniform, equal ties", "uniform", 1, EQUAL),
    ("torus, transpose", "transpose", 1 / 4, TORUS),
    ("torus, transpose, equal ties", "transpose", 2 / 7, EQUAL),
    ("torus, bit complement", "bit_complement", 1 / 2, TORUS),
    ("torus, shuffle", "shuffle", 1 / 3, TORUS),
    ("torus, shuffle, equal ties", "shuffle", 2 / 7, EQUAL),
    ("torus, tornado", "tornado", 1 / 3, TORUS),
    ("torus, neighbor", "neighbor", 1, TORUS),
    ("hypercube, bit complement", "bit_complement", 1, ("topology.kind=hypercube", "topology.dims=2^6")),
    ("hyperx, bit complement", "bit_complement", 1 / 4, HYPERX),
    ("hyperx, bit complement, valiant", "bit_complement", 1 / 2, (*HYPERX, "topology.routing=valiant")),
    ("hyperx, uniform, valiant", "uniform", 1 / 2, (*HYPERX, "topology.routing=valiant")),
    ("hyperx, two links each, bit complement", "bit_complement", 1 / 2, (*HYPERX, "topology.trunk=2")),
    ("hyperx, bit complement, omni_war", "bit_complement", 1 / 2, (*HYPERX, "topology.routing=omni_war")),
    ("hyperx, bit complement, dim_war", "bit_complement", 1 / 2, (*HYPERX, "topology.routing=dim_war")),
    ("2-flat, uniform", "uniform", 63 / 64, FLAT),
    ("2-flat, next router", "next_group", 1 / 8, FLAT),
    ("2-flat, next router, valiant", "next_group", 1 / 2, (*FLAT, "topology.routing=valiant")),
    ("2-flat, next router, ugal", "next_group", 1 / 2, (*FLAT, "topology.routing=ugal")),
    ("2-flat, next router, dim_war", "next_group", 1 / 2, (*FLAT, "topology.routing=dim_war")),
    ("slim fly q = 5, uniform", "uniform", 7 / (4 * 196 / 199 * 13 / 7),
     ("topology.kind=slim_fly", "topology.dims=5", "topology.concentration=4")),
    ("fat tree, bit complement", "bit_complement", 1, ("topology.kind=fat_tree", "topology.dims=4x4x4")),
    ("fat tree, half of the roots, uniform", "uniform", 63 / 96,
     ("topology.kind=fat_tree", "topology.dims=4x4x4", "topology.up=4x2")),
    ("fat tree, half of the links of leaves, uniform", "uniform", 63 / 120,
     ("topology.kind=fat_tree", "topology.dims=4x4x4", "topology.up=2x4")),
    ("fat tree, half of the roots, shift", "shift", 1 / 2,
     ("topology.kind=fat_tree", "topology.dims=4x4x4", "topology.up=4x2")),
    ("dragonfly plus, next group", "next_group", 1 / 4, PLUS),
    ("dragonfly plus, next group, valiant", "next_group", 5 / 8, (*PLUS, "topology.routing=valiant")),
    ("dragonfly plus, next group, progressive", "next_group", 5 / 8, (*PLUS, "topology.routing=progressive")),
    ("rails, uniform", "uniform", 31 / 24 / 9,
     ("topology.kind=rails", "topology.dims=4", "link.bandwidth=1GB/s", "link.island_bandwidth=9GB/s")),
    ("dragonfly, next group", "next_group", 1 / 8, ("topology.kind=dragonfly", "topology.dims=2x4x2")),
)


def add(jobs, number, pattern, bound, parameters):
    """Adds the curve whose report is NUMBER.csv."""
    report = f"{number}.csv"
    command = ["nsim", "-q", "-f", "csv", "-o", jobs.folder(report), "--pattern", f"{pattern}:size=2016", "--saturation",
               "--load", f"{0.6 * bound:.6f}:{1.2 * bound:.6f}:4"]
    for one in parameters:
        command += ["-p", one]
    jobs.add([report], [command], (), f"{pattern} {number}")


def main(arguments):
    options, _ = Command("load_curves.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need("ninja")
    table = Verdicts(34, "bound")
    with Folder() as folder:
        jobs = Jobs("load_curves.py", folder, options["jobs"] or 1, quiet=True)
        for number, (_, pattern, bound, parameters) in enumerate(ROWS):
            add(jobs, number, pattern, bound, parameters)
        jobs.run()
        table.section("load at which queues begin to grow")
        for number, (name, _, bound, _) in enumerate(ROWS):
            found = {row[1]: float(row[3]) for row in Report(folder(f"{number}.csv")).rows if row[0] == "saturation"}
            middle = (found["below"] + found["above"]) / 2
            table.row(name, middle, bound * HEADERS, ABOVE, f"{found['below']:.4f} to {found['above']:.4f}", low=-BELOW)
    print(table.text())
    return table.status()


if __name__ == "__main__":
    start("load_curves.py", main)
