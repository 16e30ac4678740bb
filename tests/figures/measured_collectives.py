#!/usr/bin/env python3
"""Collective operations of machines that were built: measured, and predicted from what was measured between ranks.

    measured_collectives.py [-j JOBS] [--nodes MOST] [--keep FOLDER] [--no-interval] [KEY...]

nsim and nsimcc are found in PATH.

measured_collectives.table has the figures and their sources, docs/accuracy/measured.md the rules that describe all machines.
Each row has, for nodes and bytes, what was measured, what is predicted with hosts under load and the library's selection,
its deviation, and an interval: the least and most over selections, hosts idle or under load, buffers in caches or in memory;
last, the deviation of a prediction from two ranks alone. --no-interval leaves these out.
"""
import math
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Stop, read, start, write  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/measured_collectives.table")
PROGRAM = os.path.join(TOP, "tests/figures/measured_collectives.c")
# {name: configuration}. `doubling`, of allgather: MVAPICH2's tables have it up to 128 KiB a rank on some machines (2.3.3,
# src/mpi/coll/tuning/allgather, E5-2670 with FDR); Bruck's algorithm where the ranks are no power of two.
SELECTIONS = {"mpich": ["mpi.collectives=mpich"], "openmpi": ["mpi.collectives=openmpi"], "auto": ["mpi.collectives=auto"],
              "doubling": ["mpi.collectives=mpich", "mpi.collective_allgather="]}
EAGER = 16384  # bytes: assumed
# Hosts, and where the buffers are: those of the interval.
INTERVAL = [("idle", "cache"), ("load", "cache"), ("load", "memory"), ("across", "memory")]
OPERATIONS = ("sendrecv", "alltoall", "allgather", "allreduce")


def machines():
    """{key: {"name": …, "machine": [word], "within" …: [(bytes, us)], "rows": [(operation, …)]}}."""
    found = {}
    for number, line in enumerate(read(TABLE).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.lstrip("= ").split("|")]
        entry = found.get(cells[0])
        if line.startswith("=") and len(cells) == 3:
            found[cells[0]] = {"name": cells[1], "within": [], "exchange": [], "across": [], "load": [], "rows": []}
        elif entry and len(cells) == 3 and cells[1] == "machine":
            entry["machine"] = cells[2].split()
        elif entry and len(cells) == 3 and cells[1] in ("within", "exchange", "across", "load"):
            entry[cells[1]] += pairs_of(cells[2])
        elif entry and len(cells) == 4 and cells[1] in OPERATIONS:
            entry["rows"].append((cells[1], *map(int, cells[2].split()), pairs_of(cells[3])))
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a machine, or figures of one above")
    return found


def pairs_of(text):
    return [(int(b), float(v)) for b, v in (pair.split(":") for pair in text.split())]


# ---- the description ----

def overhead_ns(entry, hosts):
    """A call's: half of an empty exchange, which has two; of an empty message's latency it is one of two as well."""
    return 500 * min(us for _, us in entry["exchange" if hosts in ("load", "across") else "within"])


def describe(entry, hosts, buffers):
    """Options of the network and the ranks, by the rule."""
    latency, rate, nics, memory, combine = map(float, entry["machine"][1:6])
    overhead = overhead_ns(entry, hosts)
    values = {"topology.kind": "crossbar", "topology.dims": 8,
              "linear.latency": f"{latency * 1000 - overhead:.0f}ns", "linear.bandwidth": f"{rate}GB/s",
              "linear.local_latency": "0", "linear.local_bandwidth": "1TB/s", "node.injection": f"{rate * nics}GB/s",
              "node.memory": f"{memory}GB/s" if buffers == "memory" else "1TB/s", "mpi.overhead": f"{overhead:.0f}ns",
              "mpi.eager": EAGER, "mpi.combine": f"{combine}GB/s", "mpi.payload": "no", "mpi.clock_overhead": "0"}
    return ["-e", "linear", *(word for key, value in values.items() for word in ("-p", f"{key}={value}"))]


def pieces(samples):
    """[(bytes, TIME)]: times of a protocol file that pass through samples of (bytes, ns), none falling with the size."""
    rising, most = [], 0
    for size, ns in samples:
        most = max(most, ns)
        rising.append((size, most))
    lines = []
    for (size, ns), (after, later) in zip(rising, rising[1:] + [(2 * size, 2 * ns) for size, ns in rising[-1:]]):
        slope = (later - ns) / (after - size)
        lines.append((size, f"{ns:.3f}ns" + (f"+{1 / slope:.6g}GB/s" if slope > 1e-9 else "")))
    return lines


def sends(size):
    return "buffered" if size <= EAGER else "rendezvous"


def processors(entry, hosts):
    """[(bytes, ns)] of the receiver within a node, and between nodes: what calls, or calls and network, do not take."""
    calls, rate = overhead_ns(entry, hosts), float(entry["machine"][2])
    between = [(b, max(0, 1000 * us - 2 * calls - b / rate) if hosts == "across" else 0) for b, us in entry["across"]]
    if hosts in ("load", "across"):
        return [(b, max(0, 1000 * us - 2 * calls)) for b, us in entry["exchange"]], between
    return [(b, max(0, 1000 * us - calls)) for b, us in entry["within"]], between


def gap(entry, size):
    """ns between two messages of a node that all its ranks send: constant below the sizes of `load`, proportional above."""
    ranks = next(r // n for _, n, r, _ in entry["rows"])
    below = [us for b, us in entry["load"] if b <= size] or [entry["load"][0][1]]
    return 1000 * below[-1] / ranks ** 2 * max(1, size / entry["load"][-1][0])


def protocol(entry, hosts):
    within, between = processors(entry, hosts)
    gaps = pieces([(b, gap(entry, b) if hosts != "pair" else 0) for b, _ in between])
    lines = ["message-protocol 1", "between"]
    lines += [f"{b} {sends(b)} 0 {time} 0 {gap_time}" for (b, time), (_, gap_time) in zip(pieces(between), gaps)]
    return "\n".join([*lines, "within", *(f"{b} {sends(b)} 0 {time} 0 0" for b, time in pieces(within))]) + "\n"


def in_caches(entry, op, nodes, ranks, size):
    """Returns whether the node's buffers, counted where data come from and where they go, fit its caches (10^6 bytes)."""
    blocks = ranks if op in ("alltoall", "allgather") else 1
    return 2 * ranks // nodes * blocks * size <= 1e6 * float(entry["machine"][6])


# ---- runs ----

def name_of(key, op, nodes, selection, hosts, buffers):
    return f"{key}.{op}.{nodes}.{selection}.{hosts}.{buffers}"


def selections(op):
    return [s for s in SELECTIONS if s != "doubling" or op == "allgather"]


def selects(selection, ranks):
    """Options of a selection."""
    power = "bruck" if ranks & (ranks - 1) else "recursive_doubling"
    keys = [key + power if key.endswith("=") else key for key in SELECTIONS[selection]]
    return [word for key in keys for word in ("-p", key)]


def add(jobs, folder, key, entry, interval):
    for hosts in ("idle", "load", "across", "pair"):
        write(folder(f"{key}.{hosts}.protocol"), protocol(entry, hosts))
    for op, nodes, ranks, pairs in entry["rows"]:
        own = entry["machine"][0]
        cases = [(own, "load", "cache"), (own, "load", "memory")]
        if interval:
            cases = [(s, *case) for s in selections(op) for case in INTERVAL] + [(own, "pair", "memory")]
        for selection, hosts, buffers in cases:
            name = name_of(key, op, nodes, selection, hosts, buffers)
            rules = folder(f"{key}.{hosts}.protocol")
            run = ["nsim", "-q", *describe(entry, hosts, buffers), "-p", f"protocol.file={rules}", "-p",
                   f"ranks.per_node={ranks // nodes}", *selects(selection, ranks), "-n", str(ranks), "-o",
                   folder(name + ".report"), folder("coll.so"), op, *(str(b) for b, _ in pairs)]
            jobs.add([name], [" ".join([*run, ">", folder(name + ".tmp"), "&&", "mv", folder(name + ".tmp"), folder(name)])],
                     [folder("coll.so"), jobs.stamp("nsim"), jobs.stamp(rules)], name)


def predicted(folder, key, row, selection, hosts, buffers):
    """[us] of a row's sizes."""
    text = read(folder(name_of(key, row[0], row[1], selection, hosts, buffers)))
    return [float(x) for x in re.findall(r"bytes: ([\d.]+) us", text)]


def row_figures(folder, key, row, entry, interval=True):
    """[(bytes, measured, predicted, least, most, from pairs, calibrated)] of a row; without interval NaN."""
    own = entry["machine"][0]
    cases = [(s, *case) for s in selections(row[0]) for case in INTERVAL if interval or (s == own and case[0] == "load")]
    every = {case: predicted(folder, key, row, *case) for case in cases}
    pair = predicted(folder, key, row, own, "pair", "memory") if interval else [math.nan] * len(row[3])
    known = {size for size, _ in entry["load"]} if row[:2] == ("alltoall", 2) else set()
    figures = []
    for i, (size, value) in enumerate(row[3]):
        buffers = "cache" if in_caches(entry, *row[:3], size) else "memory"
        all_of = [times[i] for times in every.values()] if interval else [math.nan]
        figures.append((size, value, every[own, "load", buffers][i], min(all_of), max(all_of), pair[i],
                        size in known))
    return figures


# ---- the table ----

class Summary:
    """Deviations by operation, and how many figures the intervals have."""

    def __init__(self):
        self.load, self.pair, self.inside, self.count = {}, {}, {}, {}

    def add(self, op, figure):
        _, value, ours, least, most, pair, calibrated = figure
        if calibrated:
            return
        self.load.setdefault(op, []).append(100 * (ours / value - 1))
        self.pair.setdefault(op, []).append(100 * (pair / value - 1))
        self.inside[op] = self.inside.get(op, 0) + (least <= value <= most)
        self.count[op] = self.count.get(op, 0) + 1

    def tell(self, indent):
        for op, offs in self.load.items():
            pair = statistics.median(map(abs, self.pair[op]))
            more = f", from pairs {pair:.1f} %, within the interval {self.inside[op]} of {self.count[op]}"
            print(f"{indent}{op:<10} median |off| {statistics.median(map(abs, offs)):.1f} %{'' if math.isnan(pair) else more}")


def tell(folder, key, entry, whole, interval=True):
    print(f"{key}: {entry['name']}")
    own = Summary()
    for row in entry["rows"]:
        for figure in row_figures(folder, key, row, entry, interval):
            size, value, ours, least, most, pair, calibrated = figure
            span = f"   {least:.1f} to {most:.1f}, from pairs {100 * (pair / value - 1):+.1f} %" if interval else ""
            print(f"  {row[0]:<10} {row[1]:>2} x {row[2] // row[1]:<4} {size:>8} {value:>10.1f} {ours:>10.1f} "
                  f"{100 * (ours / value - 1):>+8.1f} %{span}" + (" calibrated" if calibrated else ""))
            own.add(row[0], figure)
            whole.add(row[0], figure)
    own.tell("  ")


def main(arguments):
    options, keys = Command("measured_collectives.py", "[KEY...]", __doc__ + "\n",
                            flags=("--no-interval",), values=("--jobs", "--nodes", "--keep"),
                            short={"-j": "--jobs"}).parse(arguments)
    table = machines()
    for key in keys:
        if key not in table:
            raise Stop(2, f"{key}: no such machine, expected one of {', '.join(table)}")
    table = {key: entry for key, entry in table.items() if not keys or key in keys}
    for entry in table.values():
        entry["rows"] = [row for row in entry["rows"] if row[1] <= int(options["nodes"] or row[1])]
    with Folder(options["keep"]) as folder:
        jobs = Jobs("measured_collectives.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["coll.so"], [["nsimcc", "-O2", "-o", folder("coll.so"), PROGRAM]], [jobs.stamp("nsimcc", PROGRAM)])
        for key, entry in table.items():
            add(jobs, folder, key, entry, not options["no-interval"])
        jobs.run()
        whole = Summary()
        for key, entry in table.items():
            tell(folder, key, entry, whole, not options["no-interval"])
        whole.tell("")
    return 0


if __name__ == "__main__":
    start("measured_collectives.py", main)
