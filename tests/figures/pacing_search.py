#!/usr/bin/env python3
"""Searches the routers that the pacing paper leaves open for those that fit its statements (docs/accuracy/appendix/pacing.md).

    pacing_search.py [-j JOBS] [--keep FOLDER] [--finalists COUNT] PACING

Every choice of CHOICES is run with messages of 128 KiB, on the two unpaced and the two paced runs of experiments 1 and 2,
whose order of 9 x 9, paced, is first: a choice that jams there is out. The COUNT with the least deviation go on with 1 MiB:
experiments 1 to 4. The choice is made on experiments 1 and 2 alone (ON); what it says of 3 and 4 is predicted. PACING is
tests/figures/pacing of the build; FOLDER keeps results, and a later call goes on. Prints a table of the finalists.
"""
import itertools
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, USAGE, Command, Folder, Stop, read, start, write  # noqa: E402

CONFIG = os.path.join(TOP, "configs/net/pacing.ini")
ORDER = "program.order=printed"
# Choices that the paper leaves open, each with its values; all combinations are tried.
CHOICES = (
    ("router.arbitration=fcfs", "router.arbitration=round_robin"),
    ("router.queues=per_output", "router.queues=per_vc"),
    ("router.input_port=one_packet router.patience=0", "router.input_port=one_packet router.patience=1",
     "router.input_port=one_packet router.patience=4", "router.input_port=one_packet router.patience=255",
     "router.input_port=unlimited"),
    ("router.credits=any", "router.credits=in_order"),
    ("router.credit_delay=0ns", "router.credit_delay=78ns", "router.credit_delay=200ns"),
    ("nic.fifo=64KiB", "nic.fifo=0"),
)
SMALL = 128  # KiB
# n, bias, the paper's ms: in the order in which they are run; a choice that is more than this many percent off is out.
RUNS = ((9, "1.25", 30.7, 15), (9, "none", 84.0, 30), (8, "none", 71.3, 30), (8, "1.25", 42.7, 30))
SLOW = {8, 14, 15, 17, 19}  # sequences that alone leave links unused


class Search:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def text(self, choice, *words, small=False):
        """Returns the output of PACING for this choice; kept in a file of its name."""
        name = self.folder(re.sub(r"[^A-Za-z0-9.]+", "-", " ".join([choice, *words, "small" if small else ""])) + ".txt")
        if not os.path.exists(name):
            options = [word for one in [*choice.split(), ORDER] for word in ("-p", one)]
            run = subprocess.run([self.program, "-s", "0", "-b", "0", *(["-m", str(SMALL)] if small else []), *options, CONFIG, *words],
                                 stdout=subprocess.PIPE, text=True, check=False)
            if run.returncode not in (0, MISSED):
                raise Stop(run.returncode, f"{choice}: {words[0]} failed")
            write(name + ".part", run.stdout)
            os.rename(name + ".part", name)
        return read(name)

    def off(self, choice, n, bias, paper, small):
        """By how much a run is off, as a logarithm."""
        ms = float(re.search(r": ([\d.]+) ms", self.text(choice, "one", str(n), bias, small=small))[1])
        return math.log(ms * (1024 / SMALL if small else 1) / paper)

    def screen(self, choice):
        """The mean square of the logarithms of four runs; infinite where one is far off."""
        total = 0
        for n, bias, paper, far in RUNS:
            off = self.off(choice, n, bias, paper, True)
            if abs(off) > math.log(1 + far / 100):
                return math.inf
            total += off * off / len(RUNS)
        return total


def statements(search, choice):
    """[(name, paper, ours, off as a logarithm)] of a finalist, with messages of 1 MiB."""
    found = []
    for n, bias, paper, _ in RUNS:
        off = search.off(choice, n, bias, paper, False)
        found.append((f"{n}x{n} {bias}", paper, paper * math.exp(off), off))
    knee = float(re.search(r"0 ns later +(\S+)", search.text(choice, "knees"))[1].replace("nan", "4"))
    found.append(("knee", 1.25, knee, math.log(max(knee, 0.1) / 1.25)))
    tuned = search.text(choice, "sequences", "0.25")
    slow = {int(word) for word in re.search(r"19\):(.*)", tuned)[1].split()}
    wrong = len(slow ^ SLOW)
    found.append(("slow sequences wrong", 0, wrong, wrong / 10))
    ends = [float(word) for word in re.search(r"in the run, ms:([\d. ]*)", tuned)[1].split()]
    use = 100 * 5 * (1048576 + 32 * 521) / 4e6 / ends[14]
    found.append(("use in 15, %", 75, use, math.log(use / 75)))
    for name, paper, row in (("exp. 3", 25.8, "3: 9x9, biases tuned alone"), ("barriers", 92.6, "4: biases tuned alone, barriers"),
                             ("tuned at 3 us", 32.8, "4: tuned at 3 us imbalance, barriers"), ("barrier", 11.5, "4: a barrier alone")):
        ours = float(re.search(re.escape(row) + r" +[\d.]+ +([\d.]+)", tuned)[1])
        found.append((name, paper, ours, math.log(ours / paper)))
    largest = float(re.findall(r"largest ([\d.]+)", tuned)[-1])
    found.append(("largest bias", 2.5, largest, math.log(largest / 2.5)))
    return found


ON = 5  # statements, the first, on which the choice is made


def rms(rows):
    return math.sqrt(sum(row[3] ** 2 for row in rows) / len(rows))


def main(arguments):
    options, operands = Command("pacing_search.py", "", __doc__ + "\n", values=("--jobs", "--keep", "--finalists"),
                                short={"-j": "--jobs"}).parse(arguments)
    if len(operands) != 1:
        raise Stop(USAGE, "expected PACING, tests/figures/pacing of the build; --help shows the options")
    choices = [" ".join(words) for words in itertools.product(*CHOICES)]
    with Folder(options["keep"]) as folder, ThreadPoolExecutor(int(options["jobs"] or 1)) as pool:
        search = Search(os.path.realpath(operands[0]), folder)
        ranked = sorted(zip(pool.map(search.screen, choices), choices))
        good = [choice for value, choice in ranked if value < math.inf]
        print(f"{len(choices)} choices with messages of {SMALL} KiB; {len(good)} are near in all four runs")
        for value, choice in ranked[:len(good)]:
            print(f"  {100 * math.sqrt(value):5.1f} % {choice}")
        finalists = good[:int(options["finalists"] or 12)]
        rows = list(pool.map(lambda choice: statements(search, choice), finalists))
    print("\nwith messages of 1 MiB; off: root of the mean square of logarithms over experiments 1 and 2, and over all")
    print(f"{'on':>6} {'all':>6}" + "".join(f" {name[:13]:>13}" for name, *_ in rows[0]) if rows else "")
    print(f"{'':6} {'paper':>6}" + "".join(f" {paper:13.4g}" for _, paper, *_ in rows[0]) if rows else "")
    for one, choice in sorted(zip(rows, finalists), key=lambda pair: rms(pair[0])):
        print(f"{100 * rms(one[:ON]):5.1f}% {100 * rms(one):5.1f}%" + "".join(f" {ours:13.4g}" for _, _, ours, _ in one) + f"  {choice}")
    return 0


if __name__ == "__main__":
    start("pacing_search.py", main)
