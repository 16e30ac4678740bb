#!/usr/bin/env python3
"""Collective operations of machines that were built: measured, and predicted from what was measured between two ranks.

    measured_collectives.py [-j JOBS] [--nodes MOST] [KEY...]     nsim-calibrate, nsim and nsimcc are found in PATH

measured_collectives.table has the figures and their sources, docs/accuracy/measured.md the rule that describes all machines.
Each row has, for nodes and bytes, what was measured, what the library's selection predicts, and the least and most of the
selections mpich, openmpi and auto (the interval if the library were not known).
"""
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Stop, read, start, write  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/measured_collectives.table")
SELECTIONS = ("mpich", "openmpi", "auto")


def machines():
    """{key: (machine, description, within, [(operation, nodes, ranks, [(bytes, us)])], between)} of the table."""
    found = {}
    for number, line in enumerate(read(TABLE).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.lstrip("= ").split("|")]
        if line.startswith("=") and len(cells) == 3:
            found[cells[0]] = (cells[1], [], [], [], [])
        elif len(cells) == 3 and cells[0] in found and cells[1] == "machine":
            found[cells[0]][1].extend(cells[2].split())
        elif len(cells) in (3, 4) and cells[0] in found:
            pairs = [(int(b), float(v)) for b, v in (pair.split(":") for pair in cells[-1].split())]
            if cells[1] in ("within", "between"):
                found[cells[0]][2 if cells[1] == "within" else 4].extend(pairs)
            else:
                found[cells[0]][3].append((cells[1], *map(int, cells[2].split()), pairs))
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a machine, or figures of one above")
    return found


def describe(machine, within):
    """Options of the network and the ranks, by the rule."""
    latency, rate, nics, memory, combine = map(float, machine[1:])
    overhead = min(value for _, value in within) / 2
    values = {"topology.kind": "crossbar", "topology.dims": 8, "linear.latency": f"{(latency - overhead) * 1000:.0f}ns",
              "linear.bandwidth": f"{rate}GB/s", "linear.local_latency": "0", "linear.local_bandwidth": "1TB/s",
              "node.injection": f"{rate * nics}GB/s",
              "node.memory": f"{memory}GB/s", "mpi.overhead": f"{overhead * 1000:.0f}ns", "mpi.eager": "16KiB",
              "mpi.combine": f"{combine}GB/s", "mpi.payload": "no", "mpi.clock_overhead": "0"}
    return ["-e", "linear", *(word for key, value in values.items() for word in ("-p", f"{key}={value}"))]


def protocol(folder, key, network, within, between):
    """The protocol. Within a node what remains of latencies is the receiver's processor, which copies."""
    more = []
    for way, pairs in (("within-latency", within), ("latency", between)):
        write(folder(f"{key}.{way}"), "bytes,time_us\n" + "".join(f"{b},{v:g}\n" for b, v in pairs))
        more += [f"--{way}", folder(f"{key}.{way}")] if pairs else []
    swap = "awk '/^within/ { w = 1 } w && /^[0-9]/ { x = $4; $4 = $5; $5 = x } { print }'"
    return [["nsim-calibrate", "-q", *network, *more, "--protocol", folder(f"{key}.delays"), "-o", folder(f"{key}.txt")],
            f"{swap} {folder(key + '.delays')} > {folder(key + '.protocol')}"]


def add(jobs, folder, key, entry):
    _, machine, within, rows, between = entry
    network = describe(machine, within)
    jobs.add([f"{key}.protocol"], protocol(folder, key, network, within, between), (), key)
    for op, nodes, ranks, pairs in rows:
        for selection in SELECTIONS:
            name = f"{key}.{op}.{nodes}.{selection}"
            run = ["nsim", "-q", *network, "-p", f"protocol.file={folder(key + '.protocol')}", "-p",
                   f"ranks.per_node={ranks // nodes}", "-p", f"mpi.collectives={selection}", "-n", str(ranks), "-o",
                   folder(name + ".report"), folder("coll.so"), op, *(str(b) for b, _ in pairs)]
            jobs.add([name + ".us"], [" ".join([*run, ">", folder(name + ".us")])],
                     [folder("coll.so"), folder(f"{key}.protocol")], name)


def predicted(folder, key, op, nodes, selection):
    return [float(x) for x in re.findall(r"bytes: ([\d.]+) us", read(folder(f"{key}.{op}.{nodes}.{selection}.us")))]


def tell(folder, key, entry):
    """Prints a machine's rows; returns [(operation, deviations)]."""
    offs, inside, count = {}, 0, 0
    print(f"{key}: {entry[0]}")
    for op, nodes, ranks, pairs in entry[3]:
        every = {s: predicted(folder, key, op, nodes, s) for s in SELECTIONS}
        for i, (size, value) in enumerate(pairs):
            ours, all_of = every[entry[1][0]][i], [every[s][i] for s in SELECTIONS]
            off = 100 * (ours / value - 1)
            offs.setdefault(op, []).append(off)
            inside += min(all_of) <= value <= max(all_of)
            count += 1
            print(f"  {op:<10} {nodes:>2} x {ranks // nodes:<4} {size:>8} {value:>10.1f} {ours:>10.1f} {off:>+8.1f} %"
                  f"   {min(all_of):.1f} to {max(all_of):.1f}")
    for op, all_of in offs.items():
        print(f"  {op:<10} median |off| {statistics.median(map(abs, all_of)):.1f} %")
    print(f"  within the interval: {inside} of {count}")
    return offs


def main(arguments):
    options, keys = Command("measured_collectives.py", "[KEY...]", __doc__ + "\n", values=("--jobs", "--nodes"),
                            short={"-j": "--jobs"}).parse(arguments)
    table = machines()
    for key in keys:
        if key not in table:
            raise Stop(2, f"{key}: no such machine, expected one of {', '.join(table)}")
    table = {key: entry for key, entry in table.items() if not keys or key in keys}
    for entry in table.values():
        entry[3][:] = [row for row in entry[3] if row[1] <= int(options["nodes"] or row[1])]
    with Folder() as folder:
        jobs = Jobs("measured_collectives.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["coll.so"], [["nsimcc", "-O2", "-o", folder("coll.so"), f"{TOP}/tests/figures/measured_collectives.c"]])
        for key, entry in table.items():
            add(jobs, folder, key, entry)
        jobs.run()
        offs = {}
        for key, entry in table.items():
            for op, some in tell(folder, key, entry).items():
                offs.setdefault(op, []).extend(some)
        for op, some in offs.items():
            print(f"{op}: median |off| {statistics.median(map(abs, some)):.1f} % of {len(some)}")
    return 0


if __name__ == "__main__":
    start("measured_collectives.py", main)
