#!/usr/bin/env python3
"""The petascale machine of the PSI-SIM paper (section 4, Tables 8 and 9), from the sources of kernels to seconds.

    petascale.py [-j JOBS] [--quick] [--models FOLDER] [--keep FOLDER] [--only TITLE;TITLE...]

Kernels are compiled, recorded, simulated on the node's eight cores and fitted (node-models.py); the models drive the
skeletons of HPL and PHASE on 4096 ranks (configs/machines/petascale.ini). All programs are found in PATH. JOBS runs at a
time. --models takes models that are there already (configs/models/node); rows of forms without one are left out. --keep:
what is done stays in FOLDER, and is done again only when a program, a skeleton, a model or the machine has changed.
--quick: no runs of 4096 nodes, only of 64 with the same share of a node. --only: rows whose titles begin so. `ninja
petascale` is all of it, kept in the build folder: an hour of a core.

Each row has the figure that it is held against: the paper's seconds or share of the peak, or another engine. Status 5 if
one is outside its tolerance, or a model is off at sizes held out.
"""
import os
import re
import shutil
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import (MISSED, Command, Folder, Jobs, Report, Verdicts, need, output, read, start)  # noqa: E402

MACHINE = os.path.join(TOP, "configs/machines/petascale.ini")
SKELETONS = os.path.join(TOP, "netlink/programs/skeletons")
NODE_PEAK = 512  # GFlop/s
HPL = {"dgemm": "dgemm", "panel": "panel", "rows": "rows"}
FFTS = {"fft": "fft", "fft_lines": "fft-lines", "panel": "panel", "rows": "rows"}
PHASE = {"zgemm": "zgemm", **FFTS}
BLOCKED = {"zgemm": "zgemm-blocked", **FFTS}
SMALL = ["-p", "topology.dims=4x4x4", "-p", "topology.cabinet=none", "-p", "linear.hop=105ns"]
TABLE = SMALL + ["-p", "table.file=packet.times"]
PAPER_SHARE = 100 * 0.65 / 2.1  # of the peak, PHASE


class Run:
    """A row: a run of a skeleton, and what it is held against.

    paper: seconds that it is held against, or the title of another run; tolerance in percent, with `low` from low on."""

    def __init__(self, title, engine, nodes, models, program, options=(), paper=None, tolerance=None, low=None, share=None):
        self.title, self.engine, self.nodes, self.models = title, engine, nodes, models
        self.program, self.options = program.split(), list(options)
        self.paper, self.tolerance, self.low, self.share = paper, tolerance, low, share
        self.name = re.sub(r"[^a-z0-9]+", "-", " ".join([title, engine, *self.program]).lower())


def engines(program, models, options, quick):
    """Engines beside each other: the table is held against the linear engine, flows against packets."""
    runs = [Run("no network delay", "none", 64, models, program, SMALL), Run("linear", "linear", 64, models, program, SMALL)]
    flow = Run("flow", "flow", 64, models, program, SMALL)
    if "table" in options:
        runs.append(Run("table", "table", 64, models, program, TABLE + options["table"], "linear", 3))
    if not quick or "packet" in options:
        flow.paper, flow.tolerance = "packet", 5
        return runs + [Run("packet", "packet", 64, models, program, SMALL), flow]
    return runs + [flow]


def one_cabinet(quick, fortran):
    yield "64 nodes, 4 x 4 x 4, HPL with N = 40 960, NB = 128: the share of a node is that of N = 327 680 on 4096", engines(
        "hpl.so 40960 128 8 8 swap=binary", HPL, {"table": []}, quick)
    yield "64 nodes, HPL with N = 10 240, NB = 64", engines("hpl.so 10240 64 8 8 swap=binary", HPL, {"packet": []}, quick)
    if fortran:
        phase = "phase.so 8192 345000 512 140 8 8 block layouts=three"
        yield "64 nodes, PHASE with 8192 bands, 345 000 waves, 512 projectors, 140^3: the share of a node is that below", (
            engines(phase, PHASE, {"table": ["-p", "mpi.collectives=table"]}, quick) +
            [Run("zgemm-blocked, 8 x 8", "none", 64, BLOCKED, phase, SMALL, share=PAPER_SHARE, tolerance=20),
             Run("zgemm-blocked, 16 x 4", "none", 64, BLOCKED, phase.replace("8 8", "16 4"), SMALL, share=PAPER_SHARE,
                 tolerance=20),
             Run("the same, 8 x 8, half of a rank's bands at once", "none", 64, BLOCKED, phase, [*SMALL, "--set", "block=512"],
                 share=PAPER_SHARE, tolerance=5)])


def all_nodes(fortran):
    runs = []
    for nb in (120, 180, 256):
        runs += [Run(f"NB = {nb}, no network delay", "none", 4096, HPL, f"hpl.so 1310720 {nb} 64 64 swap=long", (), 1397, 10),
                 Run(f"NB = {nb}, linear", "linear", 4096, HPL, f"hpl.so 1310720 {nb} 64 64 swap=binary", (), 1477, 10)]
    runs.append(Run("NB = 256, flow", "flow", 4096, HPL, "hpl.so 1310720 256 64 64 swap=binary", (), 1477, 10))
    yield "4096 nodes, HPL with N = 1 310 720", runs
    # Without perfect prefetching, and with transfers ahead: no form of the paper's, so far from it as they were found.
    yield "the same, other forms of dgemm", [
        Run(f"NB = 256, dgemm-{form}, no network delay", "none", 4096, {**HPL, "dgemm": f"dgemm-{form}"},
            "hpl.so 1310720 256 64 64 swap=long", (), 1397, most, low=least)
        for form, least, most in (("tuned", -45, 0), ("caches", -10, 10))]
    if not fortran:
        return
    phase = "phase.so 65536 2760000 4096 280"
    runs = [Run(f"{form}, bands {deal}, {grid.replace(' ', ' x ')}", "none", 4096, {"zgemm": form, **FFTS},
                f"{phase} {grid} {deal} layouts=three", (), 165, most, low=least)
            for form, deal, grid, least, most in (
                ("zgemm", "cyclic", "64 64", -60, 10), ("zgemm", "block", "64 64", -40, 10),
                ("zgemm-tuned", "cyclic", "64 64", -60, 10), ("zgemm-tuned", "block", "64 64", -45, 10),
                ("zgemm-blocked", "cyclic", "64 64", -45, 10), ("zgemm-blocked", "block", "64 64", -20, 10),
                ("zgemm-blocked", "cyclic", "128 32", -45, 10), ("zgemm-blocked", "block", "128 32", -20, 10))]
    runs.append(Run("zgemm-blocked, block, 64 x 64, half of the bands at once", "none", 4096, {"zgemm": "zgemm-blocked", **FFTS},
                    phase + " 64 64 block layouts=three", ("--set", "block=512"), 165, 5))
    runs.append(Run("zgemm, bands block, linear", "linear", 4096, PHASE, phase + " 64 64 block layouts=three"))
    yield "4096 nodes, PHASE with 65 536 bands of 2 760 000 waves, 4096 projectors, a grid of 280^3; no network delay", runs


def models_in(options, work):
    """The folder of the models, and whether one of them is off."""
    if options["models"]:
        return os.path.realpath(options["models"]), False
    driver = os.path.join(TOP, "tests/figures/node-models.py")
    statuses = (0, MISSED)
    text = output(sys.executable, driver, "-j", options["jobs"] or "1", "-k", work("simulated"), work("models"),
                  statuses=statuses)
    print(text, flush=True)
    return work("models"), "NOT within" in text


def prepare(jobs, work, fortran):
    """Jobs that make the skeletons and the times of messages alone on 64 nodes, by packets, in sizes as PHASE has them."""
    jobs.add(["hpl.so"], [["bsimcc", "-O2", "-o", work("hpl.so"), f"{SKELETONS}/hpl.c"]],
             [jobs.stamp("bsimcc", f"{SKELETONS}/hpl.c")], "hpl.so")
    if fortran:
        jobs.add(["phase.so"], [["cd", work.path], ["bsimf90", "-O2", "-o", "phase.so", f"{SKELETONS}/phase.f90"]],
                 [jobs.stamp("bsimf90", f"{SKELETONS}/phase.f90")], "phase.so")
    jobs.add(["packet.times"], [["bsim-table", "-q", "-e", "packet", "-c", MACHINE, *SMALL[:4], "--ranks", "8", "--tables",
                                 "p2p,bcast,allreduce,alltoall", "--sizes", "0,4KiB,256KiB,4MiB,64MiB,128MiB", "-o",
                                 work("packet.times")]], [jobs.stamp("bsim-table", MACHINE)], "packet.times")


def modelled(groups, models):
    """The groups with the rows whose models are there."""
    for title, runs in groups:
        there = [run for run in runs if all(os.path.exists(f"{models}/{model}.model") for model in run.models.values())]
        if there:
            yield title, there


def only(groups, titles):
    """The groups with the rows whose titles begin so."""
    for title, runs in groups:
        wanted = [run for run in runs if run.title.startswith(tuple(titles))]
        if wanted:
            yield title, wanted


def add(jobs, work, models, run):
    chosen = [f"--model={name}={models}/{model}.model" for name, model in run.models.items()]
    command = ["bsim", "-q", "-e", run.engine, "-c", MACHINE, "-n", run.nodes, "-f", "csv", "-o", work(run.name + ".csv"),
               *chosen, *run.options, *run.program]
    line = " ".join(map(quoted, command)) + f" >{quoted(work(run.name + '.line'))} 2>/dev/null"
    inputs = [jobs.stamp("bsim", MACHINE), work(run.program[0])]
    inputs += [jobs.stamp(f"{models}/{model}.model") for model in run.models.values()]
    inputs += [work("packet.times")] if run.engine == "table" else []
    jobs.add([run.name + ".line", run.name + ".csv"], [["cd", work.path], line], inputs, f"{run.title}: {' '.join(run.program)}")


def quoted(word):
    return "'" + str(word).replace("'", "'\\''") + "'"


def result(work, run):
    """Seconds, GFlop/s, seconds of the host."""
    seconds, rate = re.search(r": *(\S+) s, *(\S+) GFlop", read(work(run.name + ".line"))).groups()
    return float(seconds), float(rate), Report(work(run.name + ".csv")).number("host", "processor")


def judge(table, work, runs):
    found = {run.title: result(work, run) for run in runs}
    for run in runs:
        seconds, rate, host = found[run.title]
        share = 100 * rate / NODE_PEAK / run.nodes
        note = f"{rate / 1e3:.4g} TFlop/s, {share:.1f} % of the peak, host {host:.0f} s"
        if run.share:
            table.row(run.title + ", s", seconds, note=note)
            table.row(run.title + ", % of the peak", share, run.share, run.tolerance, low=run.low)
            continue
        paper = found[run.paper][0] if isinstance(run.paper, str) else run.paper
        table.row(run.title + ", s", seconds, paper, run.tolerance, note + (f"; beside {run.paper}" if isinstance(
            run.paper, str) else ""), low=run.low)


def main(arguments):
    options, _ = Command("petascale.py", "", __doc__ + "\n", flags=("--quick",), values=("--jobs", "--models", "--keep", "--only"),
                         short={"-j": "--jobs"}).parse(arguments)
    need("ninja", *([] if options["models"] else ["sparc64-linux-gnu-gcc"]))
    fortran = shutil.which("gfortran") is not None
    with Folder(options["keep"]) as work:
        models, off = models_in(options, work)
        jobs = Jobs("petascale.py", work, options["jobs"] or 1)
        prepare(jobs, work, fortran)
        groups = list(one_cabinet(options["quick"], fortran)) + ([] if options["quick"] else list(all_nodes(fortran)))
        groups = list(modelled(groups, models)) if options["models"] else groups
        groups = list(only(groups, options["only"].split(";"))) if options["only"] else groups
        for _, runs in groups:
            for run in runs:
                add(jobs, work, models, run)
        jobs.run()
        table = Verdicts(52)
        for title, runs in groups:
            table.section(title)
            judge(table, work, runs)
    print(table.text(), end="")
    return MISSED if off else table.status()


if __name__ == "__main__":
    start("petascale.py", main)
