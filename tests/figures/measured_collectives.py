#!/usr/bin/env python3
"""Collective operations of machines that were built: measured, and predicted from what was measured between ranks.

    measured_collectives.py [-j JOBS] [--nodes MOST] [--keep FOLDER] [--no-interval] [KEY...]

nsim and nsimcc are found in PATH.

measured_collectives.table has the figures and their sources, docs/accuracy/measured-collectives.md the rules that describe all machines.
Each row has, for nodes and bytes, what was measured, and predictions with their deviations: with hosts under load and the
library's selection; from two nodes; by the library's table, from two and from four nodes. Then an interval: the least and
most over selections, hosts idle or under load, buffers in caches or in memory; last, the deviation of a prediction from
two ranks alone. --no-interval leaves these out.
"""
import collections
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
# By name on two nodes: each that a selection may take on more.
ALGORITHMS = {"alltoall": ["bruck", "scattered", "spread", "pairwise"],
              "allgather": ["recursive_doubling", "bruck", "ring", "neighbor_exchange"]}
# Hosts, and where the buffers are: those of the interval.
INTERVAL = [("idle", "cache"), ("load", "cache"), ("load", "memory"), ("across", "memory")]
# Hosts whose ranks all exchange; `one`: each with one partner at a time, whose messages have no gap.
LOADED = ("load", "across", "one")
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
            found[cells[0]] = {"name": cells[1], "within": [], "exchange": [], "across": [], "load": [], "node": [],
                                "rules": "", "rows": []}
        elif entry and len(cells) == 3 and cells[1] == "machine":
            entry["machine"] = cells[2].split()
        elif entry and len(cells) == 3 and cells[1] == "rules":
            entry["rules"] = os.path.join(TOP, cells[2])
        elif entry and len(cells) == 3 and cells[1] in ("within", "exchange", "across", "load", "node"):
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
    return 500 * min(us for _, us in entry["exchange" if hosts in LOADED else "within"])


def describe(entry, hosts, buffers):
    """Options of the network and the ranks, by the rule."""
    latency, rate, nics, memory, combine = map(float, entry["machine"][1:6])
    overhead = overhead_ns(entry, hosts)
    values = {"topology.kind": "crossbar",
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
    if hosts in LOADED:
        return [(b, max(0, 1000 * us - 2 * calls)) for b, us in entry["exchange"]], between
    return [(b, max(0, 1000 * us - calls)) for b, us in entry["within"]], between


def gap(entry, size):
    """ns between two messages of a node that all its ranks send: constant below the sizes of `load`, proportional above."""
    ranks = next(r // n for _, n, r, _ in entry["rows"])
    below = [us for b, us in entry["load"] if b <= size] or [entry["load"][0][1]]
    return 1000 * below[-1] / ranks ** 2 * max(1, size / entry["load"][-1][0])


def protocol(entry, hosts):
    within, between = processors(entry, hosts)
    gaps = pieces([(b, gap(entry, b) if hosts not in ("pair", "one") else 0) for b, _ in between])
    lines = ["message-protocol 1", "between"]
    lines += [f"{b} {sends(b)} 0 {time} 0 {gap_time}" for (b, time), (_, gap_time) in zip(pieces(between), gaps)]
    return "\n".join([*lines, "within", *(f"{b} {sends(b)} 0 {time} 0 0" for b, time in pieces(within))]) + "\n"


def in_caches(entry, op, nodes, ranks, size):
    """Where the node's buffers are, counted where data come from and where they go: `cache` if its caches have room."""
    blocks = ranks if op in ("alltoall", "allgather") else 1
    return "cache" if 2 * ranks // nodes * blocks * size <= 1e6 * float(entry["machine"][6]) else "memory"


def places(entry, row):
    """Where the buffers of a row's sizes are."""
    return sorted({in_caches(entry, *row[:3], size) for size, _ in row[3]})


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


def add_run(jobs, folder, key, entry, row, case, more):
    """Adds the run of a row: `case` names selection, hosts and buffers; `more` are the options that select."""
    op, nodes, ranks, pairs = row
    name = name_of(key, op, nodes, *case)
    rules = folder(f"{key}.{case[1]}.protocol")
    run = ["nsim", "-q", *describe(entry, *case[1:]), "-p", f"topology.dims={max(8, nodes)}", "-p",
           f"protocol.file={rules}", "-p", f"ranks.per_node={ranks // nodes}", *more, "-n", str(ranks), "-f", "csv", "-o",
           folder(name + ".report"), folder("coll.so"), op, *(str(b) for b, _ in pairs)]
    jobs.add([name], [" ".join([*run, ">", folder(name + ".tmp"), "&&", "mv", folder(name + ".tmp"), folder(name)])],
             [folder("coll.so"), jobs.stamp("nsim"), jobs.stamp(rules)], name)


def add(jobs, folder, key, entry, interval):
    own = entry["machine"][0]
    for hosts in ("idle", "load", "across", "pair", "one"):
        write(folder(f"{key}.{hosts}.protocol"), protocol(entry, hosts))
    for row in entry["rows"]:
        cases = [(own, "load", buffers) for buffers in places(entry, row)]
        if interval:
            cases = [(s, *case) for s in selections(row[0]) for case in INTERVAL] + [(own, "pair", "memory")]
        for case in cases:
            add_run(jobs, folder, key, entry, row, case, selects(case[0], row[2]))
        add_two(jobs, folder, key, entry, row)
        add_rules(jobs, folder, key, entry, row)


# ---- from two nodes ----

def add_two(jobs, folder, key, entry, row):
    """Adds the runs from which a row is predicted from two nodes, or its reduction from one."""
    op, nodes, ranks, pairs = row
    two = (op, 2, ranks // nodes * 2, pairs)
    if op == "allreduce":
        times = folder(f"{key}.node.times")
        write(times, f"message-times 1\ntable allreduce\nbytes {' '.join(str(b) for b, _ in entry['node'])}\n"
                     f"{ranks // nodes} {' '.join(f'{us}us' for _, us in entry['node'])}\n")
        add_run(jobs, folder, key, entry, row, ("node", "idle", "memory"),
                [*selects(entry["machine"][0], ranks), "-p", f"mpi.node_times={times}"])
    for algorithm in ALGORITHMS.get(op, [entry["machine"][0]] if op == "sendrecv" else []):
        for buffers in ("cache", "memory"):
            more = ["-p", f"mpi.collective_{op}={algorithm}"] if op in ALGORITHMS else []
            add_run(jobs, folder, key, entry, two, (algorithm, "load", buffers), more)


def algorithm_of(report, op, size):
    """The algorithm that ran for a size, from a report as CSV; sendrecv has none."""
    rows = {}
    for line in report.splitlines():
        cells = line.split(",")
        if cells[0] == "collective_algorithms":
            rows.setdefault(cells[2], {})[cells[1]] = cells[3]
    for row in rows.values():
        if row["operation"] == op and int(row["least_bytes"]) <= size <= int(row["most_bytes"]):
            return row["algorithm"]
    return None


def from_two(folder, key, entry, row, ours):
    """[us] of a row's sizes, NaN where two nodes are what is predicted; `ours`: the predictions under load."""
    op, nodes, ranks, pairs = row
    own = entry["machine"][0]
    if op == "allreduce":
        return predicted(folder, key, row, "node", "idle", "memory")
    if nodes <= 2:
        return [math.nan] * len(pairs)
    measured = dict(entry["across"] if op == "sendrecv" else next(r[3] for r in entry["rows"] if r[:2] == (op, 2)))
    two = (op, 2, ranks // nodes * 2, pairs)
    times = []
    for i, (size, _) in enumerate(pairs):
        report = read(folder(name_of(key, op, nodes, own, "load", in_caches(entry, *row[:3], size)) + ".report"))
        algorithm = algorithm_of(report, op, size) or own
        there = predicted(folder, key, two, algorithm, "load", in_caches(entry, *two[:3], size))[i]
        times.append(ours[i] * measured[size] / there)
    return times


# ---- by tables ----

def choices(op, selection, ranks):
    """[(algorithm, hosts)] of a library, from short messages to long ones."""
    mpich = selection == "mpich"
    if op == "alltoall":
        return [("bruck", "one"), ("scattered" if mpich else "spread", "load"), ("pairwise", "load")]
    power = "bruck" if ranks & (ranks - 1) else "recursive_doubling"
    return [(power, "one"), ("ring" if mpich else "neighbor_exchange", "one")]


def leaves_node(algorithm, op, nodes, ranks, size):
    """Bytes that the ranks of the first node send to others; ranks are in the order of the nodes."""
    local, total, distance = ranks // nodes, 0, 1
    if algorithm in ("ring", "neighbor_exchange"):
        return (ranks - 1) * size
    if algorithm not in ("recursive_doubling", "bruck"):
        return local * (ranks - local) * size
    while distance < ranks:
        if algorithm == "recursive_doubling":
            total += local * distance * size if distance >= local else 0
        else:
            leave = sum((rank + distance) % ranks >= local for rank in range(local))
            parts = sum(1 for part in range(ranks) if part & distance) if op == "alltoall" else min(distance, ranks - distance)
            total += leave * parts * size
        distance *= 2
    return total


def possible(entry, algorithm, op, ranks, size, measured):
    """Answers whether links carry what leaves a node in the time, us, that two nodes took."""
    rate = float(entry["machine"][2]) * float(entry["machine"][3])
    return leaves_node(algorithm, op, 2, ranks, size) <= 1000 * rate * measured


def chosen(folder, key, entry, row):
    """[(size, algorithm, hosts)] of a row's sizes: the library's table, without algorithms that two nodes exclude."""
    op, nodes, ranks, pairs = row
    measured = dict(next(r[3] for r in entry["rows"] if r[:2] == (op, 2)))
    found = []
    for size, _ in pairs:
        first = loaded(folder, key, entry, row, size)[0]
        if entry["rules"]:
            first = algorithm_of(read(folder(name_of(key, op, nodes, "rules", "load", "cache") + ".report")), op, size)
        rest = choices(op, entry["machine"][0], ranks)
        rest = rest[next(n for n, (algorithm, _) in enumerate(rest) if algorithm == first):]
        found.append((size, *next((c for c in rest if possible(entry, c[0], op, ranks // nodes * 2, size, measured[size])),
                                  rest[0])))
    return found


def loaded(folder, key, entry, row, size):
    """(algorithm, us) of the run under load, or (None, NaN) if the row has not the size."""
    case = (entry["machine"][0], "load", in_caches(entry, *row[:3], size))
    index = next((i for i, (b, _) in enumerate(row[3]) if b == size), None)
    if index is None:
        return None, math.nan
    report = read(folder(name_of(key, *row[:2], *case) + ".report"))
    return algorithm_of(report, row[0], size), predicted(folder, key, row, *case)[index]


def by_tables(row, base=2):
    return row[0] in ALGORITHMS and row[1] > base


def add_rules(jobs, folder, key, entry, row):
    """Adds a run whose report has what the library's table selects."""
    if by_tables(row) and entry["rules"]:
        add_run(jobs, folder, key, entry, row, ("rules", "load", "cache"),
                [*selects(entry["machine"][0], row[2]), "-p", f"mpi.rules={entry['rules']}"])


def row_on(entry, row, nodes):
    return next(r for r in entry["rows"] if r[:2] == (row[0], nodes))


def add_tables(jobs, folder, key, entry, row):
    """Adds runs of what is selected, size by size, when the runs under load are there."""
    for size, algorithm, hosts in chosen(folder, key, entry, row) if by_tables(row) else ():
        for nodes in (2, 4, row[1]):
            there = row_on(entry, row, nodes)
            if hosts == "load" and loaded(folder, key, entry, there, size)[0] == algorithm:
                continue
            case = (f"{algorithm}-{size}", hosts, in_caches(entry, *there[:3], size))
            add_run(jobs, folder, key, entry, (*there[:3], [(size, 0)]), case, ["-p", f"mpi.collective_{row[0]}={algorithm}"])


def named(folder, key, entry, row, size, algorithm, hosts):
    """us of an algorithm, by its own run or the one under load."""
    known, us = loaded(folder, key, entry, row, size) if hosts == "load" else (None, 0)
    buffers = in_caches(entry, *row[:3], size)
    return us if known == algorithm else predicted(folder, key, row, f"{algorithm}-{size}", hosts, buffers)[0]


def from_tables(folder, key, entry, row, base):
    """[us] of a row's sizes: measured on `base` nodes, times the growth of what the library's table selects."""
    if not by_tables(row, base):
        return [math.nan] * len(row[3])
    there = row_on(entry, row, base)
    measured = dict(there[3])
    return [measured[size] * named(folder, key, entry, row, size, algorithm, hosts)
            / named(folder, key, entry, there, size, algorithm, hosts)
            for size, algorithm, hosts in chosen(folder, key, entry, row)]


# ---- figures ----



def predicted(folder, key, row, selection, hosts, buffers):
    """[us] of a row's sizes."""
    text = read(folder(name_of(key, row[0], row[1], selection, hosts, buffers)))
    return [float(x) for x in re.findall(r"bytes: ([\d.]+) us", text)]


def row_figures(folder, key, row, entry, interval=True):
    """[Figure] of a row's sizes; without interval, some are NaN."""
    own = entry["machine"][0]
    cases = [(own, "load", buffers) for buffers in places(entry, row)]
    if interval:
        cases = [(s, *case) for s in selections(row[0]) for case in INTERVAL]
    every = {case: predicted(folder, key, row, *case) for case in cases}
    pair = predicted(folder, key, row, own, "pair", "memory") if interval else [math.nan] * len(row[3])
    load = [every[own, "load", in_caches(entry, *row[:3], size)][i] for i, (size, _) in enumerate(row[3])]
    by = {"load": load, "two": from_two(folder, key, entry, row, load), "tables": from_tables(folder, key, entry, row, 2),
          "four": from_tables(folder, key, entry, row, 4), "pair": pair}
    known = {size for size, _ in entry["load"]} if row[:2] == ("alltoall", 2) else set()
    figures = []
    for i, (size, value) in enumerate(row[3]):
        all_of = [times[i] for times in every.values()] if interval else [math.nan]
        figures.append(Figure(size, value, size in known, min(all_of), max(all_of), {rule: us[i] for rule, us in by.items()}))
    return figures


# ---- the table ----

Figure = collections.namedtuple("Figure", "size measured calibrated least most by")
RULES = {"load": "under load", "two": "from two nodes", "tables": "by tables", "four": "from four nodes", "pair": "from pairs"}


def off(figure, rule):
    """Percent; NaN: there is no prediction by this rule, or it is calibrated on the figure."""
    return math.nan if figure.calibrated and rule == "load" else 100 * (figure.by[rule] / figure.measured - 1)


class Summary:
    """Deviations by operation, and how many figures the intervals have."""

    def __init__(self):
        self.offs, self.inside = {}, {}

    def add(self, op, figure):
        for rule in RULES:
            self.offs.setdefault(op, {}).setdefault(rule, []).append(off(figure, rule))
        if not figure.calibrated and not math.isnan(figure.least):
            self.inside.setdefault(op, []).append(figure.least <= figure.measured <= figure.most)

    def tell(self, indent):
        every = {}
        for op, rules in self.offs.items():
            parts = []
            for rule, offs in rules.items():
                known = [abs(x) for x in offs if not math.isnan(x)]
                every.setdefault(rule, []).extend(known)
                if known:
                    parts.append(f"{RULES[rule]} {statistics.median(known):.1f} % ({len(known)})")
            if op in self.inside:
                parts.append(f"within the interval {sum(self.inside[op])} of {len(self.inside[op])}")
            print(f"{indent}{op:<10} median |off| {', '.join(parts)}")
        print(f"{indent}{'all':<10} median |off| " + ", ".join(
            f"{RULES[rule]} {statistics.median(known):.1f} % ({len(known)})" for rule, known in every.items() if known))


def printed(us):
    return "" if math.isnan(us) else f"{us:.1f}"


def percent(figure, rule):
    return "" if math.isnan(off(figure, rule)) else f"{off(figure, rule):+.1f} %"


def tell(folder, key, entry, few, many, interval=True):
    """Prints a machine's rows, and the summary of those to 8 nodes, which `few` has of all machines, `many` the others."""
    print(f"{key}: {entry['name']}")
    own = Summary()
    for row in entry["rows"]:
        for figure in row_figures(folder, key, row, entry, interval):
            span = f"   {figure.least:.1f} to {figure.most:.1f}, from pairs {percent(figure, 'pair')}" if interval else ""
            print(f"  {row[0]:<10} {row[1]:>2} x {row[2] // row[1]:<4} {figure.size:>8} {figure.measured:>10.1f} "
                  f"{figure.by['load']:>10.1f} {percent(figure, 'load'):>9} {printed(figure.by['two']):>10} "
                  f"{percent(figure, 'two'):>9} {percent(figure, 'tables'):>9} {percent(figure, 'four'):>9}{span}" + (" calibrated" if figure.calibrated else ""))
            for summary in (own, few) if row[1] <= 8 else (many,):
                summary.add(row[0], figure)
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
        for key, entry in table.items():
            for row in entry["rows"]:
                add_tables(jobs, folder, key, entry, row)
        jobs.run()
        few, many = Summary(), Summary()
        for key, entry in table.items():
            tell(folder, key, entry, few, many, not options["no-interval"])
        print("to 8 nodes")
        few.tell("  ")
        if many.offs:
            print("on more nodes")
            many.tell("  ")
    return 0


if __name__ == "__main__":
    start("measured_collectives.py", main)
