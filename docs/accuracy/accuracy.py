#!/usr/bin/env python3
"""Fills the blocks of the pages on accuracy with what the figures' tests print.

    accuracy.py [--check] [--mfs MFS-FIGURES --flow FLOW-PACKET] [BLOCK...]

A block is what stands between <!-- NAME --> and <!-- end of NAME --> of its page; the rest is written by hand. Without
BLOCK all of them are filled, which takes half an hour. The programs are found in PATH; the block flows needs the two
programs named. table2-full.txt and table2-simd.txt are what `table2.py --full` and `psim-table2 --full-simd` printed when
they were last run. --check writes nothing: status 1 if a block in the page is another one. Status 5 if a figure is
missed: it is in the page then, marked.
"""
import os
import re
import subprocess
import sys

DOCS = os.path.dirname(os.path.realpath(__file__))
FIGURES = os.path.join(DOCS, "../../tests/figures")
sys.path.insert(0, os.path.join(DOCS, "../../psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import FAILED, MISSED, USAGE, Command, Stop, read, start, write  # noqa: E402

# The page of each block.
BLOCKS = {"micro": "appendix/micro.md", "sensitivity": "appendix/sensitivity.md", "more": "appendix/sensitivity.md",
          "table2": "appendix/table2.md", "table2-full": "appendix/table2.md", "bounds": "appendix/table2.md",
          "table2-simd": "appendix/table2.md", "flows": "appendix/flows.md"}


class Filler:
    """Makes the blocks; `missed` when a test reported a figure outside its tolerance."""

    def __init__(self, options):
        self.options, self.missed = options, False

    def printed(self, *command):
        """Returns what a test prints, whether or not it misses a figure."""
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, check=False)
        if run.returncode not in (0, MISSED):
            raise Stop(run.returncode, f"{command[0]} failed")
        self.missed |= run.returncode == MISSED
        return run.stdout

    def micro(self):
        printed = self.printed(os.path.join(FIGURES, "micro.py")).splitlines()
        runs = {}
        for line in printed:
            words = line.split()
            if words and words[-1] in ("equal", "DIFFERENT"):
                runs.setdefault(words[0], []).append(f"{' '.join(words[1:-3])}: {words[-3]}, {words[-2]}" + (
                    "" if words[-1] == "equal" else " **different**"))
        text = printed[-1].replace("micro-benchmarks: ", "Figures: ") + " (`tests/figures/micro.py`).\n"
        for line in read(os.path.join(FIGURES, "micro.table")).splitlines():
            title = re.match(r"# ---- \d+\. (.)(.*)", line)
            if title:
                text += (f"\n### {title.group(1).upper()}{title.group(2)}\n\n| benchmark | repeated | cycles of 1000 repetitions | "
                         "parameters: derived, measured |\n|---|---|---|---|\n")
            elif line and not line.startswith("#"):
                name, kind, _, body, formula = (cell.strip() for cell in (line.split("|") + [""])[:5])
                body = f"micro/{kind[5:]}.S" if kind.startswith("file") else body
                text += f"| {name} | `{body}` | `{formula}` | {'<br>'.join(runs.get(name, []))} |\n"
        return text

    def sensitivity(self):
        printed = self.printed(os.path.join(FIGURES, "sensitivity.py")).splitlines()
        text = printed[-1].replace("sensitivity: ", "Figures: ") + " (`tests/figures/sensitivity.py`).\n\n"
        text += ("| parameter | from | to | workload | figure | before | after | must go | |\n"
                 "|---|---|---|---|---|---:|---:|---|---|\n")
        for line in printed:
            row = re.match(r"(.*?) +(as it must|NOT SO)$", line)
            if row:
                # Values with a unit are two words, with one blank between them: make them one.
                cells = re.sub(r"(\d) (KiB|MiB|GHz)", "\\1\001\\2", row.group(1)).split()
                text += "| " + " | ".join(cell.replace("\001", " ") for cell in cells) + (
                    " | yes |\n" if row.group(2) == "as it must" else " | **not so** |\n")
        return text

    def more(self):
        text = "| parameter | kernel | doubled with it | may cost | |\n|---|---|---|---|---|\n"
        for line in read(os.path.join(FIGURES, "more.table")).splitlines():
            if line and not line.startswith("#"):
                text += "| " + " | ".join("all" if cell.strip() == "*" else cell.strip() for cell in line.split("|")) + " |\n"
        return text

    def table2(self):
        return quoted(self.printed(os.path.join(FIGURES, "table2.py")))

    def bounds(self):
        return quoted(self.printed(os.path.join(FIGURES, "table2.py"), "--bounds"))

    def kept(self, name, words):
        """A table that was printed before: its first line, a comment, says when and by which command."""
        first, _, rest = read(os.path.join(DOCS, name)).partition("\n")
        command, _, when = first.lstrip("# ").partition(", ")
        return f"{words} (`{command}`, {when}):\n\n" + quoted(rest)

    def table2_full(self):
        return self.kept("table2-full.txt", "The products with n = 1024 simulated in full")

    def table2_simd(self):
        return self.kept("table2-simd.txt",
                         "The products with n = 1024 are simulated on the array, and come from models on the scalar core")

    def flows(self):
        if not self.options["mfs"] or not self.options["flow"]:
            raise Stop(USAGE, "flows: --mfs and --flow say where mfs-figures and flow-packet are")
        return self.printed("sh", os.path.join(DOCS, "accuracy-flow.sh"), self.options["mfs"], self.options["flow"])


def quoted(text):
    """As it was printed."""
    return "```\n" + "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n```\n"



def main(arguments):
    options, names = Command("accuracy.py", "", __doc__ + "\n", flags=("--check",), values=("--mfs", "--flow")).parse(arguments)
    filler, old = Filler(options), []
    for name in names or BLOCKS:
        if name not in BLOCKS:
            raise Stop(USAGE, f"{name}: no such block, expected {', '.join(BLOCKS)}")
        text = getattr(filler, name.replace("-", "_"))()
        path = os.path.join(DOCS, BLOCKS[name])
        before, begin, rest = read(path).partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- end of {name} -->")
        if not end:
            raise Stop(USAGE, f"{path}: no block {name}")
        page = before + begin + text.rstrip("\n") + "\n" + end + after
        if not options["check"]:
            write(path, page)
        elif page != before + begin + rest:
            old.append(name)
    if old:
        raise Stop(FAILED, f"old: {', '.join(old)}: run ninja accuracy-docs")
    return MISSED if filler.missed else 0


if __name__ == "__main__":
    start("accuracy.py", main)
