#!/usr/bin/env python3
"""The wormhole kernel beside BookSim 2 (N. Jiang et al., ISPASS 2013): docs/formats/ndl.md.

    booksim.py [-j JOBS]

An 8x8 torus, dimension order, uniform traffic (the sender itself among the destinations), 2 virtual channels; means of three
seeds. BookSim's figures were measured with its default router. inspire is found in PATH. Status 5 if a latency below the
knee differs by more than 2 %, what is accepted far above it by more than 3 %, or a latency beyond it by more than 15 %.
"""
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Report, Verdicts, need, start  # noqa: E402

# Its router, read from its source (docs/formats/ndl.md): from a flit's winning the switch to its standing in the next router 4
# clocks, route 1, VC allocation 1; 3 clocks later the place that it left is known to be free.
ROUTER = ("wormhole.route_clocks=1", "wormhole.grant_clocks=1", "wormhole.output_clocks=3", "wormhole.credit_clocks=3",
          "wormhole.one_per_input=yes", "wormhole.allocation=islip", "run.warmup=3000", "run.clocks=20000")
SEEDS = (1, 2, 3)
# title, flits of a buffer, of a message, {load: BookSim's latency of tails}, the knee
CASES = (
    ("8-flit buffers, messages of 1 flit", 8, 1,
     {"0.02": 31.00, "0.05": 31.44, "0.10": 32.20, "0.15": 33.38, "0.20": 35.92, "0.25": 51.26}, 0.22),
    ("1-flit buffers, messages of 10 flits", 1, 10, {"0.01": 102.8, "0.02": 113.6, "0.04": 204.5}, 0.03),
)
BELOW, BEYOND = 2, 15  # percent
ACCEPTED, FAR = 0.212, 3  # of a load of 0.6, with buffers of 8 flits


def add(jobs, report, load, buffer, flits, *options):
    command = [jobs.folder("torus"), "-q", "-f", "csv", "-o", jobs.folder(report), "--load", load]
    for one in (*ROUTER, f"wormhole.buffer_flits={buffer}", *options):
        command += ["-p", one]
    jobs.add([report], [[*command, "8x8", flits, "self"]], [jobs.folder("torus")], report)


def compare(table, folder, case):
    title, _, _, theirs, knee = CASES[case]
    table.section(title)
    print(f"{title}\n  flits/node/clock  BookSim 2      ours  of seeds        off")
    reports = [Report(folder(f"{case}-{seed}.csv")) for seed in SEEDS]
    latencies = zip(*(map(float, report.column("points", "tail_latency")) for report in reports))
    for (load, latency), ours in zip(theirs.items(), latencies):
        mean = sum(ours) / len(ours)
        table.row(f"latency at {load}", mean, latency, BELOW if float(load) < knee else BEYOND)
        print(f"  {float(load):16.2f} {latency:10.2f} {mean:9.2f}  {min(ours):.1f}-{max(ours):.1f} {100 * (mean / latency - 1):+7.1f} %")


def main(arguments):
    options, _ = Command("booksim.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need("ninja")
    table = Verdicts(36, "BookSim 2")
    with Folder() as folder:
        jobs = Jobs("booksim.py", folder, options["jobs"] or 1, quiet=True)
        jobs.add(["torus"], [["inspire", os.path.join(TOP, "configs/ndl/torus-partition.ndl"), "-o", folder("torus")]])
        for case, (_, buffer, flits, theirs, _) in enumerate(CASES):
            for seed in SEEDS:
                add(jobs, f"{case}-{seed}.csv", ",".join(theirs), buffer, flits, f"run.seed={seed}")
        add(jobs, "far.csv", "0.6", 8, 1, "run.drain=0")
        jobs.run()
        for case in range(len(CASES)):
            compare(table, folder, case)
        ours = Report(folder("far.csv")).number("result", "accepted")
    table.section("far above the knee")
    table.row("accepted", ours, ACCEPTED, FAR)
    print(f"accepted far above the knee: BookSim 2 {ACCEPTED}, ours {ours:.3f} ({100 * (ours / ACCEPTED - 1):+.1f} %)")
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("booksim.py", main)
