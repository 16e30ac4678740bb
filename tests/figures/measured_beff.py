#!/usr/bin/env python3
"""Rings of b_eff on machines that were built: latency and bandwidth when all ranks send, measured and predicted.

    measured_beff.py [-j JOBS] [--ranks MOST] [--network MOST] [--keep FOLDER] [KEY...]

nsim and nsimcc are found in PATH.

measured_beff.table has the figures and their sources, docs/accuracy/measured.md the rule. Each row has
what was measured, a prediction from two ranks, and one from two nodes: that times measured over predicted there. Bandwidths of at
most --network ranks (default 576) have two more, by the links of the machine's network: on its first nodes, and on nodes at random.
"""
import math
import os
import random
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Stop, read, start, write  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/measured_beff.table")
PROGRAM = os.path.join(TOP, "tests/figures/measured_beff.c")
# HPCC's rounds and random rings, by bytes.
PLACES = ("first", "random")
SIZES = {8: ("5", "30"), 2000000: ("2", "10")}


def machines():
    """{key: {"name": …, "machine": [word], "rows": [(nodes, ranks, {(ring, bytes): value})]}}."""
    found = {}
    for number, line in enumerate(read(TABLE).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.lstrip("= ").split("|")]
        entry = found.get(cells[0])
        if line.startswith("=") and len(cells) == 3:
            found[cells[0]] = {"name": cells[1], "rows": []}
        elif entry and len(cells) == 3 and cells[1] == "machine":
            entry["machine"] = cells[2].split()
        elif entry and len(cells) == 4 and cells[1] == "network":
            entry["network"] = (int(cells[2]), cells[3].split())
        elif entry and len(cells) == 5 and cells[1] == "ring":
            values = {(ring, size): float(value) for size, cell in zip(SIZES, cells[3:])
                      for ring, value in (pair.split(":") for pair in cell.split())}
            entry["rows"].append((*map(int, cells[2].split()), values))
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a machine, or figures of one above")
    return found


def describe(entry, nodes, ranks):
    """Options of the network and the ranks, by the rule."""
    latency, rate, _, _, memory = map(float, entry["machine"][1:])
    overhead = 1000 * float(entry["machine"][3]) / 2
    values = {"topology.kind": "crossbar", "topology.dims": nodes, "ranks.per_node": ranks // nodes,
              "ranks.placement": entry["machine"][0], "linear.latency": f"{1000 * latency - 2 * overhead:.0f}ns",
              "linear.bandwidth": f"{rate}GB/s", "node.injection": f"{rate}GB/s", "linear.local_latency": "0",
              "linear.local_bandwidth": "1TB/s", "node.memory": f"{memory}GB/s", "mpi.overhead": f"{overhead:.0f}ns",
              "mpi.eager": 16384, "mpi.clock_overhead": "0"}
    return ["-e", "linear", *(word for key, value in values.items() for word in ("-p", f"{key}={value}"))]


def protocol(entry):
    """Within a node the receiver's processor copies, at the rate of a ping-pong."""
    copies = f"0ns+{entry['machine'][4]}GB/s"
    return (f"message-protocol 1\nbetween\n0 buffered 0 0 0 0\n16385 rendezvous 0 0 0 0\n"
            f"within\n0 buffered 0 {copies} 0 0\n16385 rendezvous 0 {copies} 0 0\n")


def add(jobs, folder, key, entry, nodes, ranks):
    rules = folder(f"{key}.protocol")
    for size, (rounds, rings) in SIZES.items():
        name = f"{key}.{nodes}.{ranks}.{size}"
        run = ["nsim", "-q", *describe(entry, nodes, ranks), "-p", f"protocol.file={rules}", "-n", str(ranks), "-o",
               folder(name + ".report"), folder("beff.so"), str(size), rounds, rings]
        jobs.add([name], [" ".join([*run, ">", folder(name + ".tmp"), "&&", "mv", folder(name + ".tmp"), folder(name)])],
                 [folder("beff.so"), jobs.stamp("nsim"), jobs.stamp(rules)], name)


def place(entry, nodes, ranks, where):
    """A mapping of ranks to the machine's first nodes, or to some at random."""
    total, local = entry["network"][0], ranks // nodes
    chosen = list(range(nodes)) if where == "first" else random.Random(1).sample(range(total), nodes)
    order = [r // local if entry["machine"][0] == "block" else r % nodes for r in range(ranks)]
    return f"ranks {ranks}\n" + "".join(f"{rank} {chosen[n]}\n" for rank, n in enumerate(order))


def add_network(jobs, folder, key, entry, nodes, ranks):
    """Adds runs of long messages on the links of the network."""
    overhead = 1000 * float(entry["machine"][3]) / 2
    values = {"ranks.per_node": ranks // nodes, "link.nic_bandwidth": entry["machine"][2] + "GB/s",
              "nic.memory": entry["machine"][5] + "GB/s", "mpi.overhead": f"{overhead:.0f}ns", "mpi.eager": 16384,
              "mpi.clock_overhead": "0", "protocol.file": folder(f"{key}.protocol")}
    words = [*entry["network"][1], *(f"{k}={v}" for k, v in values.items())]
    for where in PLACES:
        name = f"{key}.{nodes}.{ranks}.{where}"
        write(folder(name + ".map"), place(entry, nodes, ranks, where))
        run = ["nsim", "-q", "-e", "flow", *(x for word in words for x in ("-p", word)), "-n", str(ranks), "--mapping",
               folder(name + ".map"), "-o", folder(name + ".report"), folder("beff.so"), "2000000", *SIZES[2000000]]
        jobs.add([name], [" ".join([*run, ">", folder(name + ".tmp"), "&&", "mv", folder(name + ".tmp"), folder(name)])],
                 [folder("beff.so"), jobs.stamp("nsim"), jobs.stamp(folder(name + ".map"))], name)


def by_network(folder, key, nodes, ranks, ring):
    """[GB/s] of a ring by the links, first nodes and at random; [] without such runs."""
    names = [folder(f"{key}.{nodes}.{ranks}.{where}") for where in PLACES]
    return [2000 / float(dict(re.findall(r"(\w+): ([\d.e+-]+) us", read(name)))[ring])
            for name in names if os.path.exists(name)]


def predicted(folder, key, nodes, ranks):
    """{(ring, bytes): us or GB/s}, as HPCC reports them."""
    found = {}
    for size in SIZES:
        for ring, us in re.findall(r"(\w+): ([\d.e+-]+) us", read(folder(f"{key}.{nodes}.{ranks}.{size}"))):
            found[ring, size] = float(us) if size == 8 else size / float(us) / 1000
    return found


def tell(folder, key, entry, offs):
    print(f"{key}: {entry['name']}")
    for nodes, ranks, measured in entry["rows"]:
        ours, local = predicted(folder, key, nodes, ranks), ranks // nodes
        two = next(row for row in entry["rows"] if row[0] == 2 and row[1] == 2 * local)
        there = predicted(folder, key, *two[:2])
        for what, value in measured.items():
            # The natural ring of two ranks, which calibrates the rate, is no prediction.
            pair = math.nan if (nodes, local, what) == (2, 1, ("natural", 2000000)) else 100 * (ours[what] / value - 1)
            scaled = ours[what] * two[2][what] / there[what]
            by_two = 100 * (scaled / value - 1) if nodes > 2 else math.nan
            kind = (f"{what[0]} ring", "latency" if what[1] == 8 else "bandwidth", "one rank" if local == 1 else "all ranks",
                    "to 16 nodes" if nodes <= 16 else "on more nodes")
            links = by_network(folder, key, nodes, ranks, what[0]) if what[1] != 8 and nodes > 2 else []
            links = [100 * (rate / value - 1) for rate in links] or [math.nan, math.nan]
            offs.setdefault(kind, []).append((pair, by_two, *links))
            print(f"  {kind[0]:<12} {kind[1]:<9} {nodes:>3} x {local:<3} {value:>9.4g} {ours[what]:>9.4g} {shown(pair):>9} "
                  f"{shown(by_two):>9} {shown(links[0]):>9} {shown(links[1]):>9}".rstrip())


def shown(off):
    return "" if math.isnan(off) else f"{off:+.1f} %"


def summary(offs):
    for kind, pairs in sorted(offs.items()):
        parts = []
        for column, name in enumerate(("from two ranks", "from two nodes", "by links, first nodes", "by links, nodes at random")):
            known = [abs(pair[column]) for pair in pairs if not math.isnan(pair[column])]
            if known:
                parts.append(f"{name} {statistics.median(known):.1f} % ({len(known)})")
        print(f"{', '.join(kind)}: median |off| {', '.join(parts)}")


def main(arguments):
    options, keys = Command("measured_beff.py", "[KEY...]", __doc__ + "\n", values=("--jobs", "--ranks", "--network", "--keep"),
                            short={"-j": "--jobs"}).parse(arguments)
    table = machines()
    for key in keys:
        if key not in table:
            raise Stop(2, f"{key}: no such machine, expected one of {', '.join(table)}")
    table = {key: entry for key, entry in table.items() if not keys or key in keys}
    with Folder(options["keep"]) as folder:
        jobs = Jobs("measured_beff.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["beff.so"], [["nsimcc", "-O2", "-o", folder("beff.so"), PROGRAM]], [jobs.stamp("nsimcc", PROGRAM)])
        for key, entry in table.items():
            write(folder(f"{key}.protocol"), protocol(entry))
            entry["rows"] = [row for row in entry["rows"] if row[1] <= int(options["ranks"] or row[1])]
            for nodes, ranks, _ in entry["rows"]:
                add(jobs, folder, key, entry, nodes, ranks)
                if "network" in entry and nodes > 2 and ranks <= int(options["network"] or 576):
                    add_network(jobs, folder, key, entry, nodes, ranks)
        jobs.run()
        offs = {}
        for key, entry in table.items():
            tell(folder, key, entry, offs)
        summary(offs)
    return 0


if __name__ == "__main__":
    start("measured_beff.py", main)
