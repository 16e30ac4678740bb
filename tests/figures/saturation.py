#!/usr/bin/env python3
"""Networks beyond saturation, with defaults: what is accepted of what is offered (docs/accuracy/accuracy-packet.md).

    saturation.py [-j JOBS]

Packets of 2 KiB at random times. The rule: beyond its peak a network accepts at least 0.9 of it, and the peak is near the
bound of its links. Then the dragonfly of J. Kim, W. Dally, S. Scott, D. Abts, ISCA 2008, figure 8: p = h = 4, a = 8,
33 groups. nsim is found in PATH. Status 5 if a figure is outside its tolerance.
"""
import os
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Report, Verdicts, need, start  # noqa: E402

LOADS = ("0.3", "0.5", "0.7", "0.9", "1.0", "1.3")
HEADERS = 2016 / 2048  # the part of a packet that is not its header
COLLAPSE = 10          # percent of the peak that may be lost beyond it
NINE = ("topology.kind=dragonfly", "topology.dims=4x8x4", "topology.groups=9")
# name, pattern, bound of the links, percent of the bound that may be missing, parameters. Uniform on a k x k torus: 8/k of the
# injection bandwidth; on a mesh 4/k, times 63/64 as nobody sends to himself. Tornado: 3 links on in each of both dimensions,
# in one direction: 3 ways share a link. The nine groups' worst case: all of them between neighbouring groups, over 4 links
# for 32 nodes; by way of another group in 7 of 9 draws, two links each: 9/16 for the 4 links to each other group.
CURVES = (
    ("torus 8x8", "uniform", 1.0159, 15, ("topology.dims=8x8",)),
    ("torus 8x8 adaptive", "uniform", 1.0159, 15, ("topology.dims=8x8", "topology.routing=adaptive")),
    ("torus 8x8 tornado", "tornado", 0.3333, 10, ("topology.dims=8x8",)),
    ("mesh 8x8", "uniform", 0.4922, 10, ("topology.kind=mesh", "topology.dims=8x8")),
    ("fat tree 4x4x4", "uniform", 1, 10, ("topology.kind=fat_tree", "topology.dims=4x4x4")),
    ("fat tree 4x4x4 adaptive", "uniform", 1, 10,
     ("topology.kind=fat_tree", "topology.dims=4x4x4", "topology.routing=adaptive")),
    ("crossbar 64", "uniform", 1, 10, ("topology.kind=crossbar", "topology.dims=64")),
    ("dragonfly 9", "uniform", 1, 15, NINE),
    ("dragonfly 9 worst", "next_group", 0.125, 5, NINE),
    ("dragonfly 9 Valiant worst", "next_group", 0.5625, 10, (*NINE, "topology.routing=valiant")),
    ("dragonfly 9 UGAL worst", "next_group", 0.5625, 25, (*NINE, "topology.routing=ugal")),
    ("dragonfly 9 UGAL VC worst", "next_group", 0.5625, 15, (*NINE, "topology.routing=ugal_vc")),
    ("dragonfly 9 global worst", "next_group", 0.5625, 10, (*NINE, "topology.routing=ugal_global")),
)
ABOVE = 2  # percent that a peak may be above its bound
# name, pattern, load, least and most that is accepted, routing. The paper's figure 8, read off: at worst-case traffic minimal
# ways accept 1/32, Valiant's and UGAL-G's slightly less than 0.5, UGAL-L gets there with a longer latency; at uniform traffic
# Valiant accepts half, the others what minimal ways do.
PUBLISHED = (
    ("33 groups, worst case, minimal", "next_group", "0.2", 0.027, 0.032, "minimal"),
    ("33 groups, worst case, Valiant", "next_group", "0.7", 0.45, 0.51, "valiant"),
    ("33 groups, worst case, UGAL-G", "next_group", "0.7", 0.45, 0.51, "ugal_global"),
    ("33 groups, worst case, UGAL-L", "next_group", "0.7", 0.40, 0.51, "ugal"),
    ("33 groups, worst case, UGAL-L VC", "next_group", "0.7", 0.45, 0.51, "ugal_vc"),
    ("33 groups, uniform, Valiant", "uniform", "0.8", 0.45, 0.52, "valiant"),
    ("33 groups, uniform, UGAL-L", "uniform", "0.7", 0.68, 0.71, "ugal"),
    ("33 groups, uniform, UGAL-G", "uniform", "0.8", 0.75, 0.81, "ugal_global"),
)


def add(jobs, name, pattern, load, messages, parameters):
    """Adds the run whose report is NAME-LOAD.csv."""
    report = f"{name}-{load}.csv"
    command = ["nsim", "-q", "-f", "csv", "--check", "-o", jobs.folder(report)]
    for one in parameters:
        command += ["-p", one]
    jobs.add([report], [[*command, "--pattern", f"{pattern}:size=2016,messages={messages},load={load}"]], (), f"{name} {load}")


def accepted(folder, name, load):
    return next(float(row[3]) for row in Report(folder(f"{name}-{load}.csv")).rows if row[1] == "accepted")


def curve(table, name, values, bound, missing):
    """Judges what is accepted at each load: the peak beside the bound, and what is left beyond the peak."""
    peak = max(values)
    after = min(values[values.index(peak):])
    near = table.row(f"{name}, peak", peak, bound * HEADERS, ABOVE, low=-missing)
    kept = table.row(f"{name}, beyond it", after, peak, 0, low=-COLLAPSE)
    verdict = "ok" if near and kept else "collapses" if near else "above its bound" if peak > bound else "below the aim"
    print(f"{name:26}  {' '.join(f'{v:.3f}' for v in values)}   peak {peak:.3f} of {bound * HEADERS:.3f}, "
          f"beyond it {after / peak:.2f}: {verdict}")


def main(arguments):
    options, _ = Command("saturation.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need("ninja")
    table = Verdicts(36, "expected")
    with Folder() as folder:
        jobs = Jobs("saturation.py", folder, options["jobs"] or 1, quiet=True)
        for name, pattern, _, _, parameters in CURVES:
            for load in LOADS:
                add(jobs, name, pattern, load, 300, parameters)
        for name, pattern, load, _, _, routing in PUBLISHED:
            add(jobs, name, pattern, load, 100, ("topology.kind=dragonfly", "topology.dims=4x8x4", f"topology.routing={routing}"))
        jobs.run()
        print("accepted at a load of      " + "".join(f" {load:5}" for load in LOADS).rstrip())
        table.section("curves")
        for name, _, bound, missing, _ in CURVES:
            curve(table, name, [accepted(folder, name, load) for load in LOADS], bound, missing)
        table.section("dragonfly")
        for name, _, load, least, most, _ in PUBLISHED:
            middle, ours = (least + most) / 2, accepted(folder, name, load)
            within = table.row(name, ours, middle, 100 * (most / middle - 1))
            print(f"{name:36} {ours:.3f}, expected {least:g} to {most:g}: {'ok' if within else 'missed'}")
    return table.status()


if __name__ == "__main__":
    start("saturation.py", main)
