#!/usr/bin/env python3
"""The wormhole kernel beside BookSim 2 (N. Jiang et al., ISPASS 2013): docs/accuracy/inspire.md.

    booksim.py [-j JOBS]

64 nodes on a mesh, a torus and a butterfly, links between routers of 1, 2 and 10 clocks, 2 virtual channels, uniform traffic
(the sender itself among the destinations); means of three seeds. BookSim's figures were measured with its default router:
sample_period = 20000, warmup_periods = 1, seeds 1 to 3; channels of another latency than its own were set in kncube.cpp and
fly.cpp. inspire is found in PATH. Status 5 if a latency below the knee differs by more than 2 %, what is accepted far above
it by more than 3 %, or a latency beyond it by more than 15 %. tests/cli/ndl.t has latencies without load, which are equal.
"""
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Report, Verdicts, need, start  # noqa: E402

# Its router, read from its source: from a flit's winning the switch to its entering the link 2 clocks, route 1, VC allocation
# 1; a clock before a node's flit enters its link of 1 clock; a credit takes a clock more than the link.
ROUTER = ("wormhole.route_clocks=1", "wormhole.grant_clocks=1", "wormhole.output_clocks=2", "wormhole.inject_clocks=1",
          "wormhole.node_link_clocks=1", "wormhole.one_per_input=yes", "wormhole.allocation=islip", "run.warmup=3000",
          "run.clocks=20000")
SEEDS = (1, 2, 3)
NETWORKS = {"mesh": ("mesh", ("8", "8", "2")), "torus": ("torus-partition", ("8x8",)), "fly": ("fly", ("2", "6", "2"))}
# network, clocks of a link, flits of a buffer, of a message, {load: BookSim's latency of tails}, the knee
CASES = (
    ("torus", 2, 8, 1, {"0.02": 31.20, "0.05": 31.53, "0.10": 32.31, "0.15": 33.66, "0.20": 36.16, "0.25": 48.62}, 0.22),
    ("torus", 2, 1, 10, {"0.01": 102.4, "0.02": 115.7, "0.04": 195.4}, 0.03),
    ("mesh", 1, 8, 1, {"0.02": 33.28, "0.20": 37.06}, 1),
    ("mesh", 2, 8, 1, {"0.02": 38.52, "0.20": 42.32}, 1),
    ("mesh", 10, 8, 1, {"0.02": 80.39, "0.20": 84.59}, 1),
    ("torus", 1, 8, 1, {"0.02": 27.17, "0.15": 29.63}, 1),
    ("torus", 10, 8, 1, {"0.02": 63.21, "0.15": 65.76}, 1),
    ("fly", 1, 8, 1, {"0.02": 32.08, "0.20": 33.55}, 1),
    ("fly", 2, 8, 1, {"0.02": 37.08, "0.20": 38.55}, 1),
    ("fly", 10, 8, 1, {"0.02": 77.08, "0.20": 78.55}, 1),
)
BELOW, BEYOND = 2, 15  # percent
ACCEPTED, FAR = 0.212, 3  # of a load of 0.6, with buffers of 8 flits


def add(jobs, report, case, load, *options):
    network, link, buffer, flits = CASES[case][:4]
    command = [jobs.folder(network), "-q", "-f", "csv", "-o", jobs.folder(report), "--load", load]
    own = (f"wormhole.link_clocks={link}", f"wormhole.credit_clocks={link + 1}", f"wormhole.buffer_flits={buffer}")
    for one in (*ROUTER, *own, *options):
        command += ["-p", one]
    jobs.add([report], [[*command, "--", *NETWORKS[network][1], str(flits), "self"]], [jobs.folder(network)], report)


def compare(table, folder, case):
    network, link, buffer, flits, theirs, knee = CASES[case]
    title = f"{network}, links of {link}, buffers of {buffer}, messages of {flits}"
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
        for name, (file, _) in NETWORKS.items():
            jobs.add([name], [["inspire", os.path.join(TOP, f"configs/ndl/{file}.ndl"), "-o", folder(name)]])
        for case, row in enumerate(CASES):
            for seed in SEEDS:
                add(jobs, f"{case}-{seed}.csv", case, ",".join(row[4]), f"run.seed={seed}")
        add(jobs, "far.csv", 0, "0.6", "run.drain=0")
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
