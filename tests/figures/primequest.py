#!/usr/bin/env python3
"""HPL, PHASE and integrals on the PRIMEQUEST 580: the PSI-SIM paper's Tables 6, 5, 7, beside what it predicted and measured.

    primequest.py [-j JOBS] [HPL-OPTION...]     bsim, bsimcc and bsimf90 are found in PATH

The skeletons (netlink/programs/skeletons) run on configs/machines/primequest-580.ini. Computation was calibrated on one row
of each, HPL's first, PHASE's last and the integrals' only one; docs/accuracy/accuracy-primequest.md says how. HPL-OPTIONs instead of swap=binary. Figures are
held against the measured ones: computation within 7 %, totals of HPL as the paper's own were, -8 to +6 % in whole percent,
totals of PHASE and of the integrals no further off than the paper's of the same row. Status 5 if one is outside.
"""
import os
import re
import shutil
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Jobs, Report, Verdicts, need, read, start  # noqa: E402

MACHINE = os.path.join(TOP, "configs/machines/primequest-580.ini")
SKELETONS = os.path.join(TOP, "netlink/programs/skeletons")
COMPUTATION = 7  # percent
# N, grid of ranks, NB; seconds: the paper's computation, measured; its total, measured
HPL = (
    (160000, 32, 32, 120, 468, 481, 707, 770),
    (240000, 32, 32, 120, 1548, 1580, 2047, 2155),
    (320000, 32, 32, 120, 3630, 3624, 4484, 4348),
    (160000, 16, 16, 120, 1814, 1780, 2168, 2043),
    (160000, 16, 32, 120, 915, 905, 1156, 1119),
    (320000, 32, 32, 180, 3684, 3764, 4543, 4562),
)
# bands, on 32 x 32 ranks, 377 500 waves, 256 projectors, a grid of 145^3; seconds as above
PHASE = (
    (4096, 11.6, 12.3, 23.5, 28.8),
    (8192, 39.8, 39.2, 84.0, 97.8),
    (16384, 146, 148, 301, 336),
)
# Lysozyme on 1024 ranks (assumed; the paper does not say): units a second, calibrated on the computation; seconds as above
ERI = (1.649e8, 880.6, 889.7, 889.6, 926.6)


def add(jobs, work, name, engine, ranks, program):
    command = ["bsim", "-q", "-e", engine, "-c", MACHINE, "-n", ranks, "-f", "csv", "-o", work(name + ".csv"), *program]
    jobs.add([name + ".line", name + ".csv"], [" ".join(map(str, command)) + f" >{work(name + '.line')}"],
             [jobs.stamp("bsim", MACHINE), next(word for word in program if str(word).endswith(".so"))], name)


def hpl(table, work):
    table.section("HPL")
    for n, p, q, nb, paper_compute, compute, paper_total, total in HPL:
        name, title = f"hpl-{n}-{p * q}-{nb}", f"N = {n}, {p * q} ranks, NB = {nb}"
        for kind, engine, measured, paper in (("computation", "none", compute, paper_compute),
                                              ("total", "linear", total, paper_total)):
            seconds = float(re.search(r"(?m)^hpl .*: *(\S+) s,", read(work(f"{name}-{engine}.line"))).group(1))
            most, least = (COMPUTATION, -COMPUTATION) if kind == "computation" else (6.5, -8.5)
            table.row(f"{title}: {kind}, s", seconds, measured, most, note(work(f"{name}-{engine}.csv"), paper, measured),
                      low=least)


def phase_seconds(work, name):
    return float(re.search(r"(?m)^phase .*: *(\S+) s,", read(work(name + ".line"))).group(1))


def phase(table, work):
    table.section("PHASE")
    for bands, paper_compute, compute, paper_total, total in PHASE:
        report, seconds = work(f"phase-{bands}.csv"), phase_seconds(work, f"phase-{bands}")
        ours = Report(report).number("program", "compute")
        table.row(f"{bands} bands: computation, s", ours, compute, COMPUTATION, note(report, paper_compute, compute))
        table.row(f"{bands} bands: total, s", seconds, total, 100 * abs(paper_total / total - 1),
                  note(report, paper_total, total))
    table.section("PHASE, Gram-Schmidt over half of a rank's bands at once, as the petascale machine's time asks for")
    for bands, _, _, paper_total, total in PHASE:
        table.row(f"{bands} bands: total, s", phase_seconds(work, f"phase-half-{bands}"), total, 11,
                  note(work(f"phase-half-{bands}.csv"), paper_total, total))


def integrals(table, work):
    _, paper_compute, compute, paper_total, total = ERI
    table.section("integrals of lysozyme")
    for kind, engine, measured, paper in (("computation", "none", compute, paper_compute),
                                          ("total", "linear", total, paper_total)):
        report = work(f"eri-{engine}.csv")
        table.row(f"{kind}, s", Report(report).number("program", "seconds"), measured, 100 * abs(paper_total / total - 1),
                  note(report, paper, measured))


def note(report, paper, measured):
    return f"the paper's {paper:g}: {100 * (paper / measured - 1):+.1f}%; host {Report(report).number('host', 'processor'):.1f} s"


def main(arguments):
    options, operands = Command("primequest.py", "", __doc__ + "\n", values=("--jobs",),
                                short={"-j": "--jobs"}).parse(arguments)
    need("ninja")
    fortran = shutil.which("gfortran")
    table = Verdicts(50, "measured")
    with Folder() as work:
        jobs = Jobs("primequest.py", work, options["jobs"] or 1)
        jobs.add(["hpl.so"], [["bsimcc", "-O2", "-o", work("hpl.so"), f"{SKELETONS}/hpl.c"]])
        for n, p, q, nb, *_ in HPL:
            for engine in ("none", "linear"):
                add(jobs, work, f"hpl-{n}-{p * q}-{nb}-{engine}", engine, p * q,
                    [work("hpl.so"), n, nb, p, q, *(operands or ["swap=binary"])])
        if fortran:
            jobs.add(["phase.so"], [["cd", work.path], ["bsimf90", "-O2", "-o", "phase.so", f"{SKELETONS}/phase.f90"]])
            for bands, *_ in PHASE:
                program = [work("phase.so"), bands, 377500, 256, 145, 32, 32, "block", "layouts=three"]
                add(jobs, work, f"phase-{bands}", "linear", 1024, program)
                add(jobs, work, f"phase-half-{bands}", "linear", 1024, ["--set", f"block={bands // 32 // 2}", *program])
        jobs.add(["eri.so"], [["bsimcc", "-O2", "-o", work("eri.so"), f"{SKELETONS}/eri.c"]])
        for engine in ("none", "linear"):
            add(jobs, work, f"eri-{engine}", engine, 1024, ["--set", f"eri_rate={ERI[0]:g}", work("eri.so"), "lysozyme"])
        jobs.run()
        hpl(table, work)
        if fortran:
            phase(table, work)
        integrals(table, work)
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("primequest.py", main)
