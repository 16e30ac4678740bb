#!/usr/bin/env python3
"""The INSPIRE paper's figures beside ours: networks of 1024 PUs, 10-byte messages, 1 byte a clock, 2000 clocks, uniform.

    inspire.py [-j JOBS]                          mean distances, saturation, what virtual channels gain
    inspire.py --curves PICTURE.svg [--loads LIST]    the paper's figure 6, and saturation in three readings
    inspire.py --readings                         the gain in every reading of what the text leaves open, in minutes

Saturation in three readings: what is accepted far above it; the most that is accepted at any load; the throughput at which
the latency is three times that without load (the paper: where it rises steeply). What the text leaves open: when a channel
that a tail has left can be taken again, whether a flit may move into a place that is left in the same clock, what
swt_phys_free asks, how the torus uses two channels. inspire is found in PATH. Status 5 if a figure is outside its tolerance.
"""
import os
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Report, Verdicts, need, start  # noqa: E402

NDL = os.path.join(TOP, "configs/ndl")
# A network: the description's program and its operands.
NETWORKS = {
    "hc": ("hypercube", "10"),
    "hxb": ("hyper-crossbar", "8 8 16 1"),
    "tr3": ("torus", "8 8 16"),
    "tr2": ("torus", "32 32 1"),
    "tr2p": ("torus-partition", "32x32"),
    "tr2v": ("torus", "32 32 1 16"),
    "hxbv": ("hyper-crossbar", "8 8 16 2"),
}
PAPER_TORUS, PAPER_CROSSBARS = 113, 40  # percent: 16 virtual channels for 2, 2 for 1
# How far off a gain may be, as percent of the ratio: the text leaves the kernel's arbitration open (docs/formats/ndl.md).
GAIN = {"torus": 45, "crossbars": 15}
IDLE, LATER, EMPTY = "wormhole.phys_free=idle_link", "wormhole.release_clocks=1", "wormhole.credit_clocks=1"
LOAD = "0.65"  # far above saturation
# name, title, the paper's mean distance, options
DISTANCES = (
    ("hc", "10-D hypercube", "7", ()),
    ("hxb", "8x8x16 hyper-crossbar", "7.38", ()),
    ("tr3", "8x8x16 torus, 2 VCs", "10", ()),
    ("tr2", "32x32 torus, 2 VCs", "18", ()),
    ("tr2v", "32x32 torus, 16 VCs (one a step)", "", ()),
    ("hxbv", "8x8x16 hyper-crossbar, 2 VCs", "", ()),
    ("hxbi", "  the same, only an idle link free", "", (IDLE,)),
)
ORDER = (("hc", "hypercube"), ("hxb", "hyper-crossbar"), ("tr3", "3-D torus"), ("tr2", "2-D torus"))
CURVE_LOADS = "0.02,0.05,0.08,0.1,0.12,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.65"
# In the picture: name, legend
CURVES = (("hc", "10-D hypercube"), ("hxb", "8x8x16 crossbars"), ("hxbv", "the same, 2 VCs"), ("tr3", "8x8x16 torus"),
          ("tr2", "32x32 torus"), ("tr2v", "the same, 16 VCs"))
# Loads of --readings: closer together about each network's knee.
TORUS_LOADS = "0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.09,0.12,0.65"
READING_LOADS = {
    "tr2": TORUS_LOADS, "tr2p": TORUS_LOADS, "tr2v": "0.01,0.04,0.07,0.1,0.13,0.16,0.2,0.65",
    "hxb": "0.01,0.1,0.15,0.2,0.25,0.3,0.35,0.45,0.65", "hxbv": "0.01,0.1,0.2,0.25,0.3,0.35,0.4,0.5,0.65",
}
READINGS = (
    ("as the defaults", ()),
    ("an idle link is free", (IDLE,)),
    ("a channel is free a clock later", (LATER,)),
    ("  and an idle link is free", (LATER, IDLE)),
    ("a flit needs an empty place", (EMPTY,)),
    ("  and a channel is free a clock later", (EMPTY, LATER)),
    ("  and an idle link is free", (EMPTY, LATER, IDLE)),
)
ABOVE = {"tolerance": float("inf"), "low": 0}  # of a ratio: 1 or more


class Runs:
    """Simulators of the networks, and their runs."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, Jobs("inspire.py", folder, jobs, quiet=True)

    def add(self, report, network, loads, options=(), further=(), inputs=()):
        """Adds the run of a network at these loads; None: its description is checked only."""
        program, operands = NETWORKS[network]
        simulator = self.folder(program)
        self.jobs.add([program], [["inspire", os.path.join(NDL, program + ".ndl"), "-o", simulator]])
        command = [simulator, "-q", "-f", "csv", "-o", self.folder(report)]
        command += ["--load", loads, "-p", "run.drain=0"] if loads else ["--check-only"]
        for one in options:
            command += ["-p", one]
        self.jobs.add([report], [[*command, *further, *operands.split()]], [simulator, *map(self.folder, inputs)], report)

    def of(self, report):
        return Report(self.folder(report))


def last(report, name):
    """The last row of this name, in any group."""
    return float(next(row[3] for row in reversed(report.rows) if row[1] == name))


def saturation(report):
    """The three readings: far above, most at any load, latency three times (None where the sweep ends before)."""
    accepted, latency = (list(map(float, report.column("points", name))) for name in ("accepted", "latency"))
    limit, knee = 3 * latency[0], None
    for i in range(1, len(latency)):
        if knee is None and latency[i] > limit:
            part = (limit - latency[i - 1]) / (latency[i] - latency[i - 1])
            knee = accepted[i - 1] + (accepted[i] - accepted[i - 1]) * part
    return accepted[-1], max(accepted), knee


def gain(new, old):
    """In percent, as a text."""
    return f"{100 * (new / old - 1):+.0f} %" if new and old else "-"


def judge_gain(table, figure, new, old, paper, tolerance):
    table.row(figure, new / old, 1 + paper / 100, tolerance)


def judge_order(table, values, reading=""):
    """The paper's order of saturation, each network beside the next one; returns whether it is ours."""
    return all([table.row(f"{left[1]} over {right[1]}{reading}", values[left[0]] / values[right[0]], 1, **ABOVE)
                for left, right in zip(ORDER, ORDER[1:])])


def distances(runs, table):
    for name, _, _, options in DISTANCES:
        network = name.replace("hxbi", "hxbv")
        runs.add(name + ".check", network, None)
        runs.add(name + ".run", network, LOAD, options)
    runs.jobs.run()
    print("network of 1024 PUs                distance   paper  saturation")
    print("                                      links           bytes/clock/PU")
    table.section("mean distance, links")
    accepted = {}
    for name, title, paper, _ in DISTANCES:
        distance = last(runs.of(name + ".check"), "mean_links")
        accepted[name] = last(runs.of(name + ".run"), "accepted")
        within = not paper or table.row(title, distance, float(paper), 2 / float(paper))
        print(f"{title:34} {distance:8.3f}  {paper:>6} {accepted[name]:9.3f}" + ("" if within else "  DIFFERENT"))
    print()
    table.section("gain of virtual channels, as a ratio of saturation")
    for title, new, old, paper, kind in (
            ("32x32 torus: 16 virtual channels for 2", "tr2v", "tr2", PAPER_TORUS, "torus"),
            ("hyper-crossbar: 2 virtual channels for 1", "hxbv", "hxb", PAPER_CROSSBARS, "crossbars"),
            ("  the same, only an idle link free", "hxbi", "hxb", PAPER_CROSSBARS, "")):
        print(f"{title:58} {100 * (accepted[new] / accepted[old] - 1):+6.0f} %   paper +{paper} %")
        judge_gain(table, title.strip(), accepted[new], accepted[old], paper, GAIN.get(kind, 25))
    table.section("saturation, the first over the second")
    order = judge_order(table, accepted)
    above = table.row("crossbars with 2 VCs over the hypercube", accepted["hxbv"] / accepted["hc"], 1, **ABOVE)
    print(f"\nhypercube > hyper-crossbar > 3-D torus > 2-D torus: {'yes' if order else 'NO'} (paper: yes)")
    print(f"hyper-crossbar with 2 VCs above the hypercube: {'yes' if above else 'NO'} (paper: yes)")


def curves(runs, table, picture, loads):
    beside = []
    for name, legend in CURVES[1:]:
        runs.add(name + ".csv", name, loads)
        beside += ["--beside", f"{legend}={runs.folder(name + '.csv')}"]
    runs.add("tr2p.csv", "tr2p", loads)
    runs.add("hc.csv", "hc", loads, further=["--svg", os.path.realpath(picture), "--name", CURVES[0][1], *beside],
             inputs=[name + ".csv" for name, _ in CURVES[1:]])
    runs.jobs.run()
    print("saturation, bytes a clock and PU:  far above  most at any load  latency three times")
    values = {name: saturation(runs.of(name + ".csv")) for name in ("hc", "hxb", "tr3", "tr2", "tr2p", "tr2v", "hxbv")}
    for name, (far, most, knee) in values.items():
        print(f"{name:33} {far:11.3f} {most:17.3f} {knee or 0:20.3f}")
    table.section("gain of virtual channels where latency is three times, as a ratio")
    for title, new, old, paper, kind in (
            ("32x32 torus, 16 VCs for 2 (paper +113 %)", "tr2v", "tr2", PAPER_TORUS, "torus"),
            ("  for one VC throughout a dimension", "tr2v", "tr2p", PAPER_TORUS, "torus"),
            ("crossbars, 2 VCs for 1 (paper +40 %)", "hxbv", "hxb", PAPER_CROSSBARS, "crossbars")):
        gains = [gain(*pair) for pair in zip(values[new], values[old])]
        print(f"{title:40} {gains[0]}" + "".join(f"{one:>16}" for one in gains[1:]))
        if values[new][2] and values[old][2]:
            judge_gain(table, title.strip(), values[new][2], values[old][2], paper, GAIN[kind])
    table.section("saturation, the first over the second")
    order = all([judge_order(table, {name: (values[name][i] or values[name][1]) for name, _ in ORDER}, f", {reading}")
                 for i, reading in enumerate(("far above", "most", "latency three times"))])
    print(f"hypercube > hyper-crossbar > 3-D torus > 2-D torus in all readings: {'yes' if order else 'NO'} (paper: yes)")


def readings(runs, table):
    for i, (_, options) in enumerate(READINGS):
        for name, loads in READING_LOADS.items():
            runs.add(f"{name}-{i}", name, loads, options)
    runs.jobs.run()
    print("                                        torus        16 channels for 2 (+113 %)      crossbars    2 channels for 1 (+40 %)")
    print("reading                                 2      16    far above   most   knee         1      2     far above   most   knee")
    table.section("more channels over fewer, saturation far above")
    for i, (title, _) in enumerate(READINGS):
        value = {name: saturation(runs.of(f"{name}-{i}")) for name in READING_LOADS}
        for text, two in ((title, "tr2"), ("    torus: one a dimension", "tr2p")):
            torus = [gain(*pair) for pair in zip(value["tr2v"], value[two])]
            crossbars = [gain(*pair) for pair in zip(value["hxbv"], value["hxb"])]
            print(f"{text:36} {value[two][0]:.3f}  {value['tr2v'][0]:.3f} {torus[0]:>10} {torus[1]:>8} {torus[2]:>7}"
                  f"      {value['hxb'][0]:.3f}  {value['hxbv'][0]:.3f} {crossbars[0]:>9} {crossbars[1]:>8} {crossbars[2]:>7}")
            table.row(f"{text.strip()}, torus", value["tr2v"][0] / value[two][0], 1, **ABOVE)
            table.row(f"{text.strip()}, crossbars", value["hxbv"][0] / value["hxb"][0], 1, **ABOVE)


def main(arguments):
    command = Command("inspire.py", "", __doc__ + "\n", flags=("--readings",), values=("--jobs", "--curves", "--loads"),
                      short={"-j": "--jobs"})
    options, _ = command.parse(arguments)
    need("ninja")
    table = Verdicts(50, "expected")
    with Folder() as folder:
        runs = Runs(folder, options["jobs"] or 1)
        if options["curves"]:
            curves(runs, table, options["curves"], options["loads"] or CURVE_LOADS)
        elif options["readings"]:
            readings(runs, table)
        else:
            distances(runs, table)
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("inspire.py", main)
