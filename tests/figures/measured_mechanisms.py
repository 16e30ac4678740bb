#!/usr/bin/env python3
"""Collective operations of machines that were built, by a rule with what libraries do besides sending; with intervals.

    measured_mechanisms.py [-j JOBS] [--nodes MOST] [--ranks MOST] [--keep FOLDER] [--have] [--without PART] [KEY...]

nsim and nsimcc are found in PATH.

The rule is on docs/accuracy/measured-collectives.md, figures are those of measured_collectives.table. Rows have nodes, bytes, what
was measured, and deviations in percent of predictions from two and from four nodes, with intervals of 80 percent: the deviations
of all other machines. --have tells of the runs that are in the folder, and runs nothing. --without leaves out `steady`, `copies`
or `search`.
"""
import collections
import math
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path[:0] = [os.path.dirname(os.path.realpath(__file__)), os.path.join(TOP, "psim/base/drivers")]
sys.dont_write_bytecode = True
import measured_collectives as known  # noqa: E402
from psim_drivers import Command, Folder, Jobs, Stop, read, start, write  # noqa: E402

# MPICH 4.0.2 packed separate parts of 8 bytes in 5.1 ns each, and unpacked them in 2.7 ns, on a Xeon of 2026.
COPY_PART = "4ns"
# Calibrated on the all-to-all of 1 KiB on 8 nodes of Athena, 916 us.
SEARCH = "60ns"
PARTS = ("steady", "copies", "search")
Row = collections.namedtuple("Row", "key machine op nodes ranks size measured two four")


# ---- the rule ----

def by_file(path, op, ranks, size):
    """Returns the algorithm of a file of rules; None: it has no rule."""
    rules = [line.split()[:4] for line in read(path).splitlines()[1:] if line.strip() and not line.startswith("#")]
    fit = [(int(r), int(b), name) for o, r, b, name in rules if o == op and int(r) <= ranks and int(b) <= size]
    return max(fit)[2] if fit else None


def library_rows():
    """[(library, operation, algorithm, condition)] of the libraries' choices, with conditions as Python's."""
    text = read(os.path.join(TOP, "netlink/vmpi/collectives/selection.def"))
    rows = re.findall(r"^SELECT\((\w+), (\w+), (\w+), [^,]+, (.+)\)$", text, re.M)
    return [(library.lower(), operation.lower(), algorithm,
             re.sub("!(?!=)", " not ", condition.replace("&&", " and ").replace("||", " or ").replace("true", "True")).strip())
            for library, operation, algorithm, condition in rows]


def selected(entry, op, ranks, size):
    """The algorithm of the file of rules, if it has one, or the library's choice (selection.def)."""
    if entry["rules"] and by_file(entry["rules"], op, ranks, size):
        return by_file(entry["rules"], op, ranks, size)
    case = {"bytes": size, "total": ranks * size, "ranks": ranks, "power": not ranks & (ranks - 1)}
    return next(algorithm for library, operation, algorithm, condition in library_rows()
                if (library, operation) == (entry["machine"][0], op) and eval(condition, {}, case))


def ways(entry, op, ranks):
    """[(algorithm, hosts)] of a library. Intel's documented ones post all sends and receives at once (I_MPI_ADJUST_ALLTOALL 2)."""
    found = known.choices(op, entry["machine"][0], ranks)
    return [("spread" if a == "scattered" and "Intel" in entry["name"] else a, hosts) for a, hosts in found]


def way(entry, op, ranks, size):
    """(algorithm, hosts): the library's choice, or the next one that links allow, by what two nodes took."""
    if op == "sendrecv":
        return "", "load"
    names = [a for a, _ in known.choices(op, entry["machine"][0], ranks)]
    rest = ways(entry, op, ranks)[names.index(selected(entry, op, ranks, size)):]
    there = known.row_on(entry, (op,), 2)
    took = dict(there[3])[size]
    return next((w for w in rest if known.possible(entry, w[0], op, there[2], size, took)), rest[0])


def options(entry, algorithm, without):
    """Options of what a processor does besides calls. Searches are those of InfiniBand's libraries."""
    words = []
    if "copies" not in without:
        words += ["-p", f"mpi.copy={1.5 * float(entry['machine'][5]):g}GB/s", "-p", f"mpi.copy_part={COPY_PART}"]
    if algorithm == "spread" and "search" not in without and any(x in entry["name"] for x in ("EDR", "FDR")):
        words += ["-p", f"mpi.search={SEARCH}"]
    return words


# ---- runs ----

def cases(entry, most_nodes, most_ranks):
    """[(op, nodes, ranks, size, measured)] that are predicted."""
    return [(op, nodes, ranks, size, us) for op, nodes, ranks, pairs in entry["rows"] for size, us in pairs
            if op != "allreduce" and 2 < nodes <= most_nodes and ranks <= most_ranks]


def name_of(key, case, run_ranks, algorithm):
    return f"{key}.{case[0]}.{run_ranks}.{case[3]}.{algorithm or 'own'}"


def add_run(jobs, folder, key, entry, case, nodes, without):
    """Adds the run of an operation on `nodes`, by the algorithm of the case; returns its name."""
    op, there, ranks, size, _ = case
    algorithm, hosts = way(entry, op, ranks, size)
    ranks = ranks // there * nodes
    name = name_of(key, case, ranks, algorithm)
    steady = ["steady"] if op != "sendrecv" and "steady" not in without else []
    rules = folder(f"{key}.{hosts}.protocol")
    run = ["nsim", "-q", *known.describe(entry, hosts, known.in_caches(entry, op, nodes, ranks, size)), "-p",
           f"topology.dims={max(8, nodes)}", "-p", f"protocol.file={rules}", "-p", f"ranks.per_node={ranks // nodes}",
           *([] if op == "sendrecv" else ["-p", f"mpi.collective_{op}={algorithm}"]), *options(entry, algorithm, without),
           "-n", str(ranks), "-o", "/dev/null", folder("coll.so"), *steady, op, str(size)]
    jobs.add([name], [" ".join([*run, ">", folder(name + ".tmp"), "&&", "mv", folder(name + ".tmp"), folder(name)])],
             [folder("coll.so"), jobs.stamp("nsim"), jobs.stamp(rules)], name)


def add(jobs, folder, table, options_of, without):
    """Adds all runs, short ones first."""
    runs = {}
    for key, entry in table.items():
        for hosts in ("load", "one"):
            write(folder(f"{key}.{hosts}.protocol"), known.protocol(entry, hosts))
        for case in cases(entry, *options_of):
            for nodes in {2, case[1]} | ({4} if case[1] > 4 else set()):
                ranks = case[2] // case[1] * nodes
                runs[name_of(key, case, ranks, way(entry, case[0], case[2], case[3])[0])] = (ranks, key, entry, case, nodes)
    for ranks, key, entry, case, nodes in sorted(runs.values(), key=lambda run: run[0]):
        add_run(jobs, folder, key, entry, case, nodes, without)


# ---- figures ----

def us_of(folder, key, case, nodes, entry):
    """us of a run; NaN: it is not there."""
    ranks = case[2] // case[1] * nodes
    path = folder(name_of(key, case, ranks, way(entry, case[0], case[2], case[3])[0]))
    return float(read(path).split()[-2]) if os.path.exists(path) else math.nan


def measured_on(entry, op, nodes, size):
    if op == "sendrecv" and nodes == 2:
        return dict(entry["across"])[size]
    return next((dict(r[3]).get(size, math.nan) for r in entry["rows"] if r[:2] == (op, nodes)), math.nan)


def rows_of(folder, key, entry, options_of):
    """[Row] of figures on more than two nodes; `two`, `four`: predictions over measured, NaN: none."""
    found = []
    for case in cases(entry, *options_of):
        op, nodes, ranks, size, us = case
        ours = us_of(folder, key, case, nodes, entry)
        off = [measured_on(entry, op, base, size) * ours / us_of(folder, key, case, base, entry) / us if nodes > base
               else math.nan for base in (2, 4)]
        found.append(Row(key, entry["name"].split(":")[0].split(",")[0], op, nodes, ranks, size, us, *off))
    return found


def interval(ratios, promised=0.8):
    """Least and most of a new one of such ratios, with that probability if all are alike; None: there are too few."""
    n, rest = len(ratios), (1 - promised) / 2
    low = math.floor(rest * (n + 1))
    return (sorted(ratios)[low - 1], sorted(ratios)[n - low]) if low else None


def inside(rows, rule):
    """[(Row, bool)]: whether what was measured is within the interval by the rows of other machines, of operation and nodes."""
    found = []
    for row in rows:
        others = [getattr(r, rule) for r in rows if (r.op, r.nodes) == (row.op, row.nodes) and r.machine != row.machine]
        span = interval([1 / x for x in others if not math.isnan(x)])
        mine = getattr(row, rule)
        if span and not math.isnan(mine):
            found.append((row, span[0] <= 1 / mine <= span[1]))
    return found


def median_of(rows, rule):
    known_ones = [abs(100 * (getattr(r, rule) - 1)) for r in rows if not math.isnan(getattr(r, rule))]
    return f"{statistics.median(known_ones):.1f} % ({len(known_ones)})" if known_ones else "-"


def percent(ratio):
    return "" if math.isnan(ratio) else f"{100 * (ratio - 1):+.1f} %"


def tell(rows):
    for r in rows:
        print(f"  {r.key:<20} {r.op:<10} {r.nodes:>2} x {r.ranks // r.nodes:<4} {r.size:>8} {r.measured:>10.1f} "
              f"{percent(r.two):>9} {percent(r.four):>9}")
    for key in dict.fromkeys(r.key for r in rows):
        own = [r for r in rows if r.key == key and r.nodes <= 8]
        print(f"{key:<20} to 8 nodes, median |off| from two, from four: " + "; ".join(
            f"{op} {median_of([r for r in own if r.op == op], 'two')}, {median_of([r for r in own if r.op == op], 'four')}"
            for op in dict.fromkeys(r.op for r in own)))
    for op in ("alltoall", "allgather", "sendrecv"):
        few = [r for r in rows if r.op == op and r.nodes <= 8]
        print(f"{op}, to 8 nodes: from two {median_of(few, 'two')}, from four {median_of(few, 'four')}")
        for nodes in sorted({r.nodes for r in rows if r.op == op}):
            there = [r for r in rows if (r.op, r.nodes) == (op, nodes)]
            for rule in ("two", "four"):
                span = interval([1 / getattr(r, rule) for r in there if not math.isnan(getattr(r, rule))])
                hits = [hit for _, hit in inside(there, rule)]
                if span and hits:
                    print(f"  {nodes} nodes, from {rule}: {median_of(there, rule)}, measured {span[0]:.2f} to {span[1]:.2f} "
                          f"times predicted; by other machines within: {sum(hits)} of {len(hits)}")


def main(arguments):
    options_of, keys = Command("measured_mechanisms.py", "[KEY...]", __doc__ + "\n", flags=("--have",),
                               values=("--jobs", "--nodes", "--ranks", "--keep", "--without"),
                               short={"-j": "--jobs"}).parse(arguments)
    table = known.machines()
    without = options_of["without"] or ""
    for key in keys:
        if key not in table:
            raise Stop(2, f"{key}: no such machine, expected one of {', '.join(table)}")
    if without and without not in PARTS:
        raise Stop(2, f"{without}: no such part, expected one of {', '.join(PARTS)}")
    table = {key: entry for key, entry in table.items() if not keys or key in keys}
    most = int(options_of["nodes"] or 16), int(options_of["ranks"] or 1024)
    with Folder(options_of["keep"]) as folder:
        jobs = Jobs("measured_mechanisms.py", folder, options_of["jobs"] or 1, quiet=True)
        jobs.add(["coll.so"], [["nsimcc", "-O2", "-o", folder("coll.so"), known.PROGRAM]],
                 [jobs.stamp("nsimcc", known.PROGRAM)])
        add(jobs, folder, table, most, without)
        if not options_of["have"]:
            jobs.run()
        tell([row for key, entry in table.items() for row in rows_of(folder, key, entry, most)])
    return 0


if __name__ == "__main__":
    start("measured_mechanisms.py", main)
