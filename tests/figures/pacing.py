#!/usr/bin/env python3
"""Every figure of the pacing paper beside ours (docs/accuracy/pacing.md).

    pacing.py [--full] [--kept FILE] [--picture PICTURE.svg] PACING    the four experiments; draws their curves
    pacing.py --pictures FOLDER [--kept FILE] [--step STEP] PACING     figures 5 to 19 of the paper from our runs, as SVG

PACING is tests/figures/pacing of the build. A choice of runs takes a few minutes; --full takes all of them, in hours, of which
those of 16 x 16 and of 4096 nodes are the longest. Results are kept in FILE (pacing.results): what was ended goes on where it
was. Delete it when the engine has changed. STEP of the biases in pictures: 0.25; the paper's is 0.125. Status 5 if a
figure is missed.
"""
import os
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, USAGE, Command, Stop, read, start  # noqa: E402

CONFIG = os.path.join(TOP, "configs/net/pacing.ini")
# title, the part of PACING with its words; the last of each list prints what is drawn
CHOICE = (("whole runs, 1 MiB, ms; least and most of 2 jitter seeds", "whole"),
          ("experiments 3 and 4, coarse", "sequences 1"),
          ("experiment 1: algorithms", "algorithms 64"),
          ("experiment 2: over the gap bias: n, bias, ms, links used %", "curve 8 9"))
ALL = (("whole runs, 1 MiB, ms; least and most of 5 jitter seeds", "whole"),
       ("experiments 3 and 4", "sequences 0.125"),
       ("choices that the paper leaves open", "alternatives"),
       ("the knee, where nodes begin apart", "knees"),
       ("experiment 1: algorithms", "algorithms 64 256 1024"),
       ("experiment 2: over the gap bias: n, bias, ms, links used %", "curve 8 9 10 11 12 13 14 15 16"),
       ("experiment 1: algorithms on 4096 nodes", "algorithms 4096"))
# Links and buffers over time: figure, nodes along a side, bias
OVER_TIME = (("07-08", 8, "none"), ("09", 9, "none"), ("13", 8, "1.25"), ("14", 9, "1.25"))
# A part's output, and the pictures that are drawn from it: figure, kind
DRAWN = (("algorithms 64 256 1024", (("05", "algorithms"), ("06", "algorithms-use"))),
         ("curve 8 9 10 11", (("10-11", "time"), ("12", "use"), ("15", "bars"))),
         ("phases {step}", (("16", "phases"),)))


class Pacing:
    """The program PACING with the file of its results."""

    def __init__(self, program, kept, seeds):
        self.command, self.missed = [program, "-k", kept, "-s", str(seeds), CONFIG], False

    def part(self, words, output=None, source=None):
        """Runs a part; its output goes into the file `output`, or where ours goes."""
        with open(output or os.devnull, "w", encoding="utf-8") as out, open(source or os.devnull, encoding="utf-8") as lines:
            run = subprocess.run([*self.command, *words], stdin=lines, stdout=out if output else None, check=False)
        if run.returncode not in (0, MISSED):
            raise Stop(run.returncode if run.returncode > 0 else 1, f"{words[0]} failed")
        self.missed |= run.returncode == MISSED


def report(pacing, parts, picture):
    for title, words in parts:
        print(f"== {title}", flush=True)
        if words.startswith("curve") and picture:
            pacing.part(words.split(), picture + ".lines")
            print(read(picture + ".lines"), end="")
            pacing.part(["picture", "time"], picture, picture + ".lines")
            os.remove(picture + ".lines")
        else:
            pacing.part(words.split())
        print(flush=True)


def pictures(pacing, folder, step):
    os.makedirs(folder, exist_ok=True)
    for figure, n, bias in OVER_TIME:
        pacing.part(["draw", os.path.join(folder, f"figure-{figure}.svg"), str(n), bias])
    for words, drawn in DRAWN:
        lines = os.path.join(folder, words.split()[0] + ".txt")
        pacing.part(words.format(step=step).split(), lines)
        for figure, kind in drawn:
            pacing.part(["picture", kind], os.path.join(folder, f"figure-{figure}.svg"), lines)
    tuned = os.path.join(folder, "tuned.txt")
    pacing.part(["draw-tuned", folder, step], tuned)  # 17 to 19
    print("\n".join(read(tuned).splitlines()[-3:]))


def main(arguments):
    command = Command("pacing.py", "", __doc__ + "\n", flags=("--full",), values=("--kept", "--picture", "--pictures", "--step"),
                      short={"-k": "--kept"})
    options, operands = command.parse(arguments)
    if len(operands) != 1:
        raise Stop(USAGE, "expected PACING, tests/figures/pacing of the build; --help shows the options")
    pacing = Pacing(os.path.realpath(operands[0]), options["kept"] or "pacing.results", 5 if options["full"] else 2)
    if options["pictures"]:
        pictures(pacing, options["pictures"], options["step"] or "0.25")
        return 0
    report(pacing, ALL if options["full"] else CHOICE, options["picture"])
    return MISSED if pacing.missed else 0


if __name__ == "__main__":
    start("pacing.py", main)
