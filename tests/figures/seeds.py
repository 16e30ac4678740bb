#!/usr/bin/env python3
"""Runs the programs that print our figures of the five papers, and compares them with docs/accuracy/published.table.

    seeds.py [--full] [--write] [-j JOBS] [--keep FOLDER] [--figures FOLDER] [--outputs FOLDER] [KEY...]

seeds.table says which program prints a figure and where. Without --full the programs of two minutes run, else all, in
an hour; with KEYs those. --keep: runs are kept in this folder, and a later call makes those that are missing.
--figures: the folder with mfs-figures and pacing. --write: published.table gets figures that moved, and its pages are
made anew. --outputs FOLDER: nothing runs; the folder has what the programs printed, a file a key. Status 5 if a figure
moved.
"""
import importlib.util
import os
import re
import shlex
import sys
from collections import namedtuple

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Jobs, Stop, need, read, start, write  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/seeds.table")
PUBLISHED = os.path.join(TOP, "docs/accuracy/published.table")
Program = namedtuple("Program", "key long command")
Rule = namedtuple("Rule", "figure key section row")


def rules(path=TABLE):
    """(programs, rules) of a table."""
    programs, found = {}, []
    for number, line in enumerate(read(path).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.lstrip("=").split("|", 2 if line.startswith("=") else 3)]
        if line.startswith("=") and len(cells) == 3 and cells[1] in ("quick", "long"):
            programs[cells[0]] = Program(cells[0], cells[1] == "long", cells[2])
        elif not line.startswith("=") and len(cells) == 4 and cells[1] in programs:
            found.append(Rule(*cells))
        else:
            raise Stop(2, f"{path}:{number}: expected a program, or a figure of a program above")
    return programs, found


def of_table(text, section, row):
    """The first number of a row below a heading, or None."""
    text = "\n" + text
    below = re.search(rf"(?ms)^{re.escape(section)}[^\n]*\n(.*?)(?:^$|\Z)", text[text.rfind("\nfigure "):])
    found = below and re.search(rf"(?m)^{re.escape(row)} +(-?[\d.]+(?:e[+-]?\d+)?)\b", below[1])
    return found and found[1]


def printed(rule, text):
    """Our figure in what a program printed."""
    if rule.section != "/":
        return of_table(text, rule.section, rule.row)
    found = re.search(rule.row, text)
    return found and found[1]


def half(text):
    """Half of the unit of the last digit."""
    mantissa, _, exponent = text.partition("e")
    return 0.5 * 10 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def moved(old, new):
    """Returns whether two figures differ in digits that both have."""
    return abs(float(old) - float(new)) > 1.001 * max(half(old), half(new))


def figures():
    """{figure: (published, ours)} of the rows that count, the first of each name."""
    spec = importlib.util.spec_from_file_location("published", os.path.join(TOP, "docs/accuracy/published.py"))
    published = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(published)
    found = {}
    for _, rows in published.papers():
        for row in rows:
            if row[4] != "alternative":
                found.setdefault(row[0], (row[1], row[2]))
    return found


def run(programs, options, folder):
    """Runs the programs, and returns {key: what it printed}. A program that misses a figure has printed it too."""
    jobs = Jobs("seeds.py", folder, options["jobs"] or 1)
    place = {"figures": shlex.quote(os.path.abspath(options["figures"] or "."))}
    for program in programs:
        out = folder(program.key)
        shell = f"{{ cd {shlex.quote(TOP)} && {program.command.format(**place)}; }} >{shlex.quote(out + '.part')}"
        jobs.add([program.key], [f"{{ {shell} || [ $? -eq {MISSED} ]; }}", ["mv", out + ".part", out]], (), program.key)
    jobs.run()
    return {program.key: read(folder(program.key)) for program in programs}


def replace(figure, old, new):
    """Writes a figure that moved into the table."""
    lines = read(PUBLISHED).split("\n")
    for number, line in enumerate(lines):
        cells = line.split(" | ")
        if len(cells) == 7 and cells[0] == figure and cells[2] == old and cells[4] != "alternative":
            lines[number] = " | ".join([*cells[:2], new, *cells[3:]])
            break
    write(PUBLISHED, "\n".join(lines))


def compare(found, outputs, writes):
    """Prints each figure beside the paper's and the table's; returns the number of those that moved."""
    ours, changed = figures(), 0
    unknown = [rule.figure for rule in found if rule.figure not in ours]
    if unknown:
        raise Stop(1, f"{unknown[0]}: a figure of seeds.table that published.table does not have")
    print(f"{'figure':62} {'published':>10} {'table':>9} {'ours':>9} {'off':>8}")
    for rule in found:
        if rule.key not in outputs:
            continue
        new = printed(rule, outputs[rule.key])
        if new is None:
            raise Stop(1, f"{rule.figure}: not in what {rule.key} printed")
        published, old = ours[rule.figure]
        off = 100 * (float(new) / float(published) - 1)
        changed += moved(old, new)
        print(f"{rule.figure:62} {published:>10} {old:>9} {new:>9} {off:+7.1f}%{'  moved' if moved(old, new) else ''}")
        if writes and moved(old, new):
            replace(rule.figure, old, new)
    print(f"{sum(rule.key in outputs for rule in found)} figures of {len(ours)}, {changed} moved; published.txt has the commands of all")
    return changed


def main(arguments):
    options, keys = Command("seeds.py", "", __doc__ + "\n", flags=("--full", "--write"), short={"-j": "--jobs"},
                         values=("--jobs", "--keep", "--figures", "--outputs")).parse(arguments)
    programs, found = rules()
    if not set(keys) <= set(programs):
        raise Stop(2, f"{' '.join(keys)}: expected some of {', '.join(programs)}")
    wanted = [program for program in programs.values() if program.key in keys or not keys and (options["full"] or not program.long)]
    if options["outputs"]:
        there = [key for key in programs if os.path.exists(os.path.join(options["outputs"], key))]
        outputs = {key: read(os.path.join(options["outputs"], key)) for key in there}
    else:
        need("ninja")
        with Folder(options["keep"]) as folder:
            outputs = run(wanted, options, folder)
    changed = compare(found, outputs, options["write"])
    if options["write"] and changed:
        os.execv(os.path.join(TOP, "docs/accuracy/published.py"), ["published.py"])
    return MISSED if changed else 0


if __name__ == "__main__":
    start("seeds.py", main)
