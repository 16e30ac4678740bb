#!/usr/bin/env python3
"""OSU's own latency program on calibrated pairs of nodes, at sizes that the calibration has not seen.

    measured_osu.py OSU       OSU: the folder osu_benchmarks of MVAPICH2 2.3.1, or another with mpi/pt2pt and util

nsim-calibrate, nsim and nsimcc are found in PATH. The pairs and their description are those of measured.py. Every third
size is left out, nsim-calibrate fits the others, and osu_latency, unchanged, prints the sizes that were left out. The
program prints how far they are off, median and most, and counts the sizes of the fit.
"""
import glob
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
sys.dont_write_bytecode = True
import measured  # noqa: E402
from psim_drivers import Command, Folder, Jobs, Stop, read, start  # noqa: E402

FIRST = 2  # of every third size: the first and the last size calibrate


def left_out(latency):
    return [pair for i, pair in enumerate(latency[:-1]) if i % 3 == FIRST]


def add(jobs, folder, key, latency):
    network = measured.describe(latency)
    known = [pair for pair in latency if pair not in left_out(latency)]
    fit = ["nsim-calibrate", "-q", *network, "--latency", measured.csv(folder, f"{key}.latencies", "time_us", known),
           "--protocol", folder(f"{key}.protocol"), "-o", folder(f"{key}.fit")]
    run = ["nsim", "-q", *network, "-p", "mpi.clock_overhead=0", "-p", f"protocol.file={folder(key + '.protocol')}", "-o",
           folder(f"{key}.report"), folder("osu_latency.so"), "-x", "1", "-i", "10", "-m", f"1:{latency[-1][0]}"]
    jobs.add([f"{key}.txt"], [fit, " ".join([*run, ">", folder(f"{key}.txt")])], [folder("osu_latency.so")], key)


def main(arguments):
    _, operands = Command("measured_osu.py", "OSU", __doc__ + "\n").parse(arguments)
    if len(operands) != 1 or not os.path.isfile(os.path.join(operands[0], "mpi/pt2pt/osu_latency.c")):
        raise Stop(2, "expected a folder with OSU's mpi/pt2pt/osu_latency.c")
    sources = [os.path.join(operands[0], "mpi/pt2pt/osu_latency.c"), *sorted(glob.glob(operands[0] + "/util/osu_util*.c"))]
    sources = [path for path in sources if not re.search("pgas|nccl", path)]
    pairs = measured.machines()
    with Folder() as folder:
        jobs = Jobs("measured_osu.py", folder, 1, quiet=True)
        jobs.add(["osu_latency.so"], [["nsimcc", "-O2", '-DPACKAGE_VERSION="OSU"', "-I", os.path.join(operands[0], "util"),
                                       "-o", folder("osu_latency.so"), *sources]])
        for key, (_, _, kinds) in pairs.items():
            add(jobs, folder, key, kinds["latency"])
        jobs.run()
        print(f"{'osu_latency at sizes left out':<66} {'fit':>4} {'left out':>9} {'median':>7} {'most, %':>8}")
        for key, (machine, _, kinds) in pairs.items():
            ours = {int(b): float(us) for b, us in re.findall(r"(?m)^(\d+) +([\d.]+)", read(folder(f"{key}.txt")))}
            rest = [(b, us) for b, us in left_out(kinds["latency"]) if b in ours]
            offs = [abs(100 * (ours[b] / us - 1)) for b, us in rest]
            print(f"{machine:<66} {len(kinds['latency']) - len(rest):>4} {len(rest):>9} {statistics.median(offs):>7.1f} "
                  f"{max(offs):>8.1f}")
    return 0


if __name__ == "__main__":
    start("measured_osu.py", main)
