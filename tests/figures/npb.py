#!/usr/bin/env python3
"""The NAS Parallel Benchmarks CG and SP themselves beside their skeletons and the task mapping paper (docs/programs/mopt.md).

    npb.py [--matrices] [-j JOBS] [FOLDER]      FOLDER: $NPB unless named

FOLDER has cg-0, cg-1, sp-0 and sp-1: in each of them `program.so`, the benchmark of class B as an MPI program for nsim (CG on
512 ranks, SP on 484) that makes no iteration (-0) or one (-1), and what it reads. What the two do differently is one iteration:
its matrix of communication is held against that of npb_cg.c or npb_sp.c pair by pair, mopt places it, and the times of
both programs with each placement are beside the paper's. --matrices: no times but in order. The ranks' variables take 2 GB.
nsim, nsimcc and mopt are found in PATH. Skipped (status 77) without the folder; status 5 if a figure is outside its tolerance.
"""
import os
import shlex
import sys
from collections import namedtuple

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import SKIPPED, Command, Folder, Jobs, Report, Stop, Verdicts, need, start, write  # noqa: E402

MACHINE = ["-q", "-c", os.path.join(TOP, "configs/net/mapping.ini"), "-p", "topology.dims=8x8x8"]
SIMULATOR = ["-p", "mpi.overhead=760ns"]    # as mapping.py
EXAMPLES = os.path.join(TOP, "netlink/programs/examples")
OPTIMISER = ["-p", "topology.ties=direct"]  # as mapping.py
ALIKE = 5         # percent: ranks begin the iteration at different times, those of the skeleton together

# title, options of mopt (None: ranks in order), the paper's hop GB, MB on the busiest link, ms
Row = namedtuple("Row", "title options cost link ms")
Benchmark = namedtuple("Benchmark", "key ranks rows")
BENCHMARKS = (
    Benchmark("cg", 512, (Row("in order", None, 4.43, 3.90, 2.75), Row("none", "--method none", 3.64, 4.84, 2.71),
                          Row("mincost, open", "--method mincost --open", 3.36, 2.44, 1.81),
                          Row("minlink, open", "--method minlink --orders 1 --open", 3.38, 2.93, 1.85))),
    Benchmark("sp", 484, (Row("in order", None, 1.504, 1.066, 0.606), Row("none", "--method none", 0.968, 1.117, 0.519),
                          Row("mincost, open", "--method mincost --open", 0.726, 1.384, 0.511),
                          Row("minlink, open", "--method minlink --orders 1 --open", 0.886, 0.968, 0.475))),
)


def read_matrix(path):
    """{(source, destination): (bytes, messages)} of a communication matrix."""
    with open(path, encoding="ascii") as file:
        rows = [list(map(int, line.split())) for line in file if line[0].isdigit()]
    return {(row[0], row[1]): (row[2], row[3]) for row in rows}


def difference(one, none):
    """Returns what `one` has and `none` has not."""
    less = {pair: none.get(pair, (0, 0)) for pair in one}
    found = {pair: (one[pair][0] - less[pair][0], one[pair][1] - less[pair][1]) for pair in one}
    return {pair: entry for pair, entry in found.items() if entry != (0, 0)}


class Runs:
    """Simulations and placements of the benchmarks, as jobs and as results."""

    def __init__(self, folder, programs, jobs):
        self.folder, self.programs = folder, os.path.realpath(programs)
        self.jobs = Jobs("npb.py", folder, jobs, quiet=True)

    def simulate(self, name, benchmark, place, program, options, inputs):
        """Adds a run in the folder `place`, whose report is NAME.csv."""
        command = ["nsim", *MACHINE, *SIMULATOR, "-n", benchmark.ranks, *options, "-f", "csv", "-o", self.folder(name + ".csv"), program]
        shell = f"cd {shlex.quote(place)} && {shlex.join(map(str, command))} >{shlex.quote(self.folder(name + '.out'))}"
        self.jobs.add([name + ".csv"], [shell], inputs, name)

    def record(self, benchmark):
        """The matrices of the benchmark's two forms and of its skeleton; then that of one iteration."""
        key, skeleton = benchmark.key, self.folder(f"npb_{benchmark.key}.so")
        self.jobs.add([f"npb_{key}.so"], [["nsimcc", "-O2", "-o", skeleton, f"{EXAMPLES}/npb_{key}.c"]])
        matrix = ["--matrix", self.folder(f"{key}-skeleton.matrix")]
        self.simulate(f"{key}-skeleton", benchmark, self.folder.path, skeleton, matrix, [skeleton])
        for form in (0, 1):
            place = os.path.join(self.programs, f"{key}-{form}")
            program = os.path.join(place, "program.so")
            matrix = ["--matrix", self.folder(f"{key}-{form}.matrix")]
            self.simulate(f"{key}-{form}", benchmark, place, program, matrix, [program])

    def iteration(self, benchmark):
        """Writes the matrix of one iteration and returns it."""
        found = difference(*(read_matrix(self.folder(f"{benchmark.key}-{form}.matrix")) for form in (1, 0)))
        lines = [f"ranks {benchmark.ranks}"] + [f"{a} {b} {x} {y}" for (a, b), (x, y) in sorted(found.items())]
        write(self.folder(f"{benchmark.key}.matrix"), "\n".join(lines) + "\n")
        return found

    def place(self, benchmark, row, times):
        """Adds the placement of a row and, with `times`, the runs with it."""
        name = name_of(benchmark, row)
        matrix, mapping = self.folder(f"{benchmark.key}.matrix"), self.folder(name + ".map")
        how = row.options or "--method keep"
        self.jobs.add([name + ".map.csv"], [["mopt", *MACHINE, *OPTIMISER, *how.split(), matrix, "-o", mapping, "-f", "csv", "-r",
                                            self.folder(name + ".map.csv")]], [matrix], name)
        if not times or not row.options:
            return
        skeleton = self.folder(f"npb_{benchmark.key}.so")
        placed, inputs = ["--mapping", mapping], [self.folder(name + ".map.csv")]
        self.simulate(f"{name}-skeleton", benchmark, self.folder.path, skeleton, placed, inputs)
        for form in (0, 1):
            place = os.path.join(self.programs, f"{benchmark.key}-{form}")
            self.simulate(f"{name}-{form}", benchmark, place, os.path.join(place, "program.so"), placed, inputs)

    def ms(self, name):
        """(ms of an iteration of the benchmark, of the skeleton), or None where they were not run."""
        if not os.path.exists(self.folder(name + "-1.csv")):
            return None
        one, none, skeleton = (1000 * Report(self.folder(f"{name}-{form}.csv")).number("program", "seconds")
                               for form in (1, 0, "skeleton"))
        return one - none, skeleton


def name_of(benchmark, row):
    return f"{benchmark.key}-{row.title}".replace(" ", "-").replace(",", "")


def show(runs, benchmark, found, verdicts):
    skeleton = read_matrix(runs.folder(f"{benchmark.key}-skeleton.matrix"))
    verdicts.section(f"{benchmark.key.upper()}, class B, {benchmark.ranks} ranks: an iteration beside its skeleton")
    for unit, place in (("MB", 0), ("thousand messages", 1)):
        sums = [sum(entry[place] for entry in matrix.values()) / (1e6, 1e3)[place] for matrix in (found, skeleton)]
        verdicts.row(unit, sums[0], sums[1], 0)
    alike = sum(found.get(pair) == skeleton.get(pair) for pair in {**found, **skeleton})
    verdicts.row("pairs of ranks that are alike", alike, len({**found, **skeleton}), 0)
    verdicts.section(f"{benchmark.key.upper()}: placements of that matrix beside the paper's")
    for row in benchmark.rows:
        report = Report(runs.folder(name_of(benchmark, row) + ".map.csv"))
        group = "placed" if row.options else "xyz"
        verdicts.row(f"{row.title}: hop GB", report.number(group, "mesh_cost"), row.cost, 5)
        verdicts.row(f"{row.title}: MB on a link", report.number(group, "max_link"), row.link, note="judged by mapping.py")
        ms = runs.ms(name_of(benchmark, row) if row.options else benchmark.key)
        if ms:
            verdicts.row(f"{row.title}: ms", ms[0], row.ms, note="judged by mapping.py")
            verdicts.row(f"{row.title}: ms, beside the skeleton", ms[0], ms[1], ALIKE)


def main(arguments):
    command = Command("npb.py", "", __doc__ + "\n", flags=("--matrices",), values=("--jobs",), short={"-j": "--jobs"})
    options, operands = command.parse(arguments)
    programs = operands[0] if operands else os.environ.get("NPB", "")
    if not os.path.isdir(programs):
        print("skipped: no folder with programs of the NAS Parallel Benchmarks (operand, or NPB); --help says which")
        raise Stop(SKIPPED)
    need("ninja")
    verdicts = Verdicts(42, "expected")
    with Folder() as folder:
        runs = Runs(folder, programs, options["jobs"] or 1)
        for benchmark in BENCHMARKS:
            runs.record(benchmark)
        runs.jobs.run()
        found = {benchmark.key: runs.iteration(benchmark) for benchmark in BENCHMARKS}
        for benchmark in BENCHMARKS:
            for row in benchmark.rows:
                runs.place(benchmark, row, not options["matrices"])
        runs.jobs.run()
        for benchmark in BENCHMARKS:
            show(runs, benchmark, found[benchmark.key], verdicts)
    print(verdicts.text(), end="")
    return verdicts.status()


if __name__ == "__main__":
    start("npb.py", main)
