#!/usr/bin/env python3
"""Messages between two nodes of machines that were built: measured, and predicted by a calibrated protocol.

    measured.py [-j JOBS]     nsim-calibrate, nsim and nsimcc are found in PATH

measured.table has the figures and their sources. One rule describes all pairs: the engine linear with half of the least
latency and 1.05 times the largest bandwidth that is known; no overhead of calls; every size eager. Predicted are:
every third latency, by a fit of the others; rates one way, by the latencies alone; rates both ways, by latencies and
rates one way. MISSED: the median of a row's deviations is above 10 % (docs/accuracy/measured.md has why). Status 5 if a
latency is more than 30 % off.
"""
import os
import re
import statistics
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Stop, read, start, table_lines, write  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/measured.table")
EXAMPLES = os.path.join(TOP, "netlink/programs/examples")
MEDIAN, MOST = 10, 30  # percent
WAYS = {"rate": ("one", "latency"), "both_ways": ("both", "latency, rate")}


def machines():
    """{key: (machine, source, {kind: [(bytes, value)]})} of the table."""
    found = {}
    for number, head, cells in table_lines(TABLE):
        if head and len(cells) == 3:
            found[cells[0]] = (cells[1], cells[2], {})
        elif len(cells) == 3 and cells[0] in found:
            pairs = [pair.split(":") for pair in cells[2].split()]
            found[cells[0]][2].setdefault(cells[1], []).extend((int(b), float(v)) for b, v in pairs)
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a machine, or figures of one above")
    return found


def describe(latency, rates=()):
    """Options of the network, by the rule."""
    size, longest = latency[-1]
    least = min(value for _, value in latency)
    most = max([size / longest, *(rate for _, rate in rates)])
    return ["-e", "linear", "-p", "topology.kind=crossbar", "-p", "topology.dims=2", "-p", "mpi.overhead=0", "-p",
            f"linear.latency={least * 500:.0f}ns", "-p", f"linear.bandwidth={1.05 * most * 1e6:.0f}B/s", "-p",
            "mpi.eager=1GiB"]


def csv(folder, name, column, pairs):
    write(folder(name), f"bytes,{column}\n" + "".join(f"{b},{v:g}\n" for b, v in pairs))
    return folder(name)


def add(jobs, folder, key, kinds):
    """The runs of a pair."""
    latency = csv(folder, f"{key}.latencies", "time_us", kinds["latency"])
    rates = kinds.get("rate", ())
    known = {key: (describe(kinds["latency"]), [])}
    if rates:
        known[key + ".rate"] = (describe(kinds["latency"], rates),
                                ["--rate", csv(folder, f"{key}.rates", "MB_per_s", rates)])
    for name, (network, more) in known.items():
        jobs.add([f"{name}.csv"], [["nsim-calibrate", "-q", *network, "-f", "csv", "--latency", latency, *more, "--protocol",
                                    folder(f"{name}.protocol"), "-o", folder(f"{name}.csv")]], (), name)
    for kind, (way, by) in WAYS.items():
        if kind not in kinds:
            continue
        name = f"{key}.rate" if "rate" in by else key
        sizes = " ".join(str(b) for b, _ in kinds[kind])
        jobs.add([f"{key}.{kind}.txt"],
                 [" ".join(["nsim", "-q", *known[name][0], "-p", f"protocol.file={folder(name + '.protocol')}", "-o",
                            folder(f"{key}.{kind}.report"), folder("bandwidth.so"), way, sizes, ">",
                            folder(f"{key}.{kind}.txt")])],
                 [folder("bandwidth.so"), folder(f"{name}.csv")], f"{key}, {kind}")


def held_out(path):
    """Deviations of held-out sizes, and the number of segments."""
    text = read(path)
    offs = [float(x) for x in re.findall(r"(?m)^between_sizes,held_out,\d+,(-?[\d.e+-]+),", text)]
    return offs, int(re.search(r"(?m)^between,segments,,(\d+),", text)[1])


def row(what, count, offs, bad=None):
    """Prints a row; with `bad`, adds it there if a prediction is too far off."""
    middle, far = statistics.median(map(abs, offs)), max(map(abs, offs))
    mean = statistics.fmean(map(abs, offs))
    if bad is not None and far > MOST:
        bad.append(what)
    print(f"{what:<66} {count:>8} {len(offs):>9} {middle:>7.1f} {mean:>7.1f} {far:>7.1f}"
          + ("  MISSED" if middle > MEDIAN else ""))


def main(arguments):
    options, operands = Command("measured.py", "", __doc__ + "\n", values=("--jobs",),
                                short={"-j": "--jobs"}).parse(arguments)
    if operands:
        raise Stop(2, "expected no operand")
    pairs, bad = machines(), []
    with Folder() as folder:
        jobs = Jobs("measured.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["bandwidth.so"], [["nsimcc", "-O2", "-o", folder("bandwidth.so"), f"{EXAMPLES}/bandwidth.c"]])
        for key, (_, _, kinds) in pairs.items():
            add(jobs, folder, key, kinds)
        jobs.run()
        print(f"{'predicted':<66} {'segments':>8} {'predicted':>9} {'median':>7} {'mean':>7} {'most, %':>7}")
        for key, (machine, _, kinds) in pairs.items():
            offs, segments = held_out(folder(f"{key}.csv"))
            row(machine, segments, offs, bad)
            for kind, (_, by) in WAYS.items():
                if kind in kinds:
                    ours = [float(x) for x in re.findall(r"bytes: ([\d.]+) MB/s", read(folder(f"{key}.{kind}.txt")))]
                    row(f"  {kind}, by {by}", "", [100 * (o / v - 1) for o, (_, v) in zip(ours, kinds[kind], strict=True)])
    return 5 if bad else 0


if __name__ == "__main__":
    start("measured.py", main)
