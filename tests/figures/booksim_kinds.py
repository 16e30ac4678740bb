#!/usr/bin/env python3
"""Kinds of networks on packets beside BookSim 2 (N. Jiang et al., ISPASS 2013): docs/accuracy/accuracy-packet.md.

    booksim_kinds.py [-j JOBS]

Packets of a flit, a clock of 1 ns. BookSim's figures are of commit 28f4329 with routing_delay, vc_alloc_delay,
sw_alloc_delay, st_final_delay and credit_delay of 1, internal_speedup 2, allocators islip, 8 channels of 8 flits, channels of a
clock (use_noc_latency = 0), sample_period 1000, warmup_periods 2, at most 6 samples, seed 1. Its router then takes 2 clocks, and a
packet over H links between routers 3 H + 5. nsim is found in PATH. Status 5 if a latency at half of saturation differs by more
than 5 %, one at 0.8 of it by more than 10 %, or the load at which latency is three times that without load by more than 10 %.
Its dragonfly has links of 10 and 100 clocks, 2 channels of 256 flits, sample_period 4000, warmup_periods 3, at most 8 samples.
BookSim's uniform traffic has the sender among the destinations, ours has not.
"""
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Report, Verdicts, need, start  # noqa: E402

ROUTER = ("router.route=500ps", "router.vc_allocation=500ps", "router.switch_allocation=500ps", "router.flit_transfer=500ps",
          "router.switch_delay=0", "link.cable=1ns", "link.nic_cable=1ns", "link.bandwidth=16GB/s", "nic.mtu=16", "nic.header=0",
          "router.vc_buffer=1KiB")
FLAT = ("topology.kind=hyperx", "topology.dims=4x4", "topology.concentration=4")
TREE = ("topology.kind=fat_tree", "topology.dims=4x4x4", "topology.routing=random")
SLIM = ("topology.kind=slim_fly", "topology.dims=5", "topology.concentration=4")
DRAGONFLY = ("topology.kind=dragonfly", "topology.dims=2x4x2", "link.cable=10ns,100ns", "router.vc_buffer=4KiB")
# name, pattern, parameters, BookSim's latencies at loads, the first of them low, and the loads between which it saturates
CASES = (
    ("HyperX 4x4, minimal", "uniform", FLAT, {0.05: 9.564, 0.47: 10.760, 0.75: 13.414}, (0.9406, 0.9555)),
    ("HyperX 4x4, minimal", "bit_complement", FLAT, {0.05: 11.162, 0.12: 11.497, 0.19: 12.534}, (0.2430, 0.2578)),
    ("HyperX 4x4, minimal", "shuffle", FLAT, {0.05: 9.597, 0.24: 9.938, 0.38: 10.727}, (0.4766, 0.4969)),
    ("HyperX 4x4, `valiant`", "bit_complement", (*FLAT, "topology.routing=valiant"),
     {0.05: 14.203, 0.23: 15.463, 0.37: 18.354}, (0.4656, 0.4805)),
    ("fat tree 4x4x4, `random`", "uniform", TREE, {0.05: 15.254, 0.48: 17.091, 0.76: 20.350}, (0.9555, 0.9703)),
    ("Slim Fly, q = 5, `minimal`", "uniform", SLIM, {0.05: 10.606, 0.3: 11.372, 0.5: 12.451}, ()),
    ("fat tree 4x4x4, `random`", "bit_complement", TREE, {0.05: 17.124, 0.3: 17.994, 0.5: 19.116}, ()),
    ("dragonfly 2x4x2, minimal", "uniform", DRAGONFLY, {0.1: 112.833, 0.3: 114.144, 0.5: 116.786}, ()),
    ("dragonfly 2x4x2, minimal", "next_group", DRAGONFLY, {0.03: 125.600, 0.06: 127.109}, ()),
)
POINTS = 8


def loads_of(case):
    """The loads of BookSim's latencies, then those among which ours saturates."""
    if not case[4]:
        return list(case[3])
    low, high = 0.85 * case[4][0], min(1.12 * case[4][1], 1)
    return [*case[3], *(low + (high - low) * i / (POINTS - 1) for i in range(POINTS))]


def add(jobs, number, case):
    report = f"{number}.csv"
    command = ["nsim", "-q", "-f", "csv", "-o", jobs.folder(report), "--pattern", f"{case[1]}:size=16", "--load",
               ",".join(f"{load:.4f}" for load in loads_of(case))]
    for one in (*ROUTER, *case[2]):
        command += ["-p", one]
    jobs.add([report], [command], (), f"{case[0]} {case[1]}")


def crossing(loads, latencies, limit):
    """The load at which latency passes the limit, between two points."""
    for i in range(1, len(loads)):
        if latencies[i] > limit:
            return loads[i - 1] + (loads[i] - loads[i - 1]) * (limit - latencies[i - 1]) / (latencies[i] - latencies[i - 1])
    return loads[-1]


def compare(table, folder, number, case):
    latencies = [1e9 * float(x) for x in Report(folder(f"{number}.csv")).column("points", "latency")]
    theirs, count = case[3], len(case[3])
    loads = loads_of(case)[:len(latencies)]
    name = f"{case[0]}, {case[1]}"
    for i, (load, latency) in enumerate(theirs.items()):
        table.row(f"{name}: latency at {load}", latencies[i], latency, 5 if i < 2 else 10)
    last = ""
    if case[4]:
        sat, ours = sum(case[4]) / 2, crossing(loads[count:], latencies[count:], 3 * latencies[0])
        table.row(f"{name}: saturation", ours, sat, 10)
        last = f"{sat:.3f}, {ours:.3f}"
    cells = " | ".join(f"{latency:.2f}, {latencies[i]:.2f}" for i, latency in enumerate(theirs.values()))
    print(f"| {case[0]} | {case[1].replace('_', ' ')} | {cells} | {last} |")


def main(arguments):
    options, _ = Command("booksim_kinds.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need("ninja")
    table = Verdicts(60, "BookSim 2")
    with Folder() as folder:
        jobs = Jobs("booksim_kinds.py", folder, options["jobs"] or 1, quiet=True)
        for number, case in enumerate(CASES):
            add(jobs, number, case)
        jobs.run()
        for number, case in enumerate(CASES):
            compare(table, folder, number, case)
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("booksim_kinds.py", main)
