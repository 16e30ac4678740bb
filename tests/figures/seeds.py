#!/usr/bin/env python3
"""Runs the programs that print our figures of the five papers, and compares them with docs/accuracy/published.table.

    seeds.py [--full] [--write] [-j JOBS] [--keep FOLDER] [--figures FOLDER] [--outputs FOLDER] [KEY...]

seeds.table says which program prints a figure and where. Without --full the programs of two minutes run, else all, in
a night; with KEYs those. --keep: runs are kept in this folder, and a later call makes those that are missing.
--figures: the folder with mfs-figures, pacing, bluegene and seeds-picture. --write: published.table gets figures that
moved, and its pages and their pictures are made anew. --outputs FOLDER: nothing runs; the folder has what the programs printed, a file a key. Status 5 if a figure
moved.
"""
import fnmatch
import os
import re
import shlex
import subprocess
import sys
from collections import namedtuple

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
import seeds_pictures  # noqa: E402
from psim_drivers import MISSED, Command, Folder, Jobs, Stop, need, output, read, start, write  # noqa: E402

TABLE = os.path.join(TOP, "tests/figures/seeds.table")
PUBLISHED = os.path.join(TOP, "docs/accuracy/published.table")
Program = namedtuple("Program", "key long command")
Rule = namedtuple("Rule", "figure key section row")
Figure = namedtuple("Figure", "published ours line host")
NUMBER = r"-?\d+\.?\d*(?:e[+-]?\d+)?"


def rules(path=TABLE):
    """(programs, rules) of a table."""
    programs, found = {}, []
    for number, line in enumerate(read(path).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.lstrip("=").split("|", 2 if line.startswith("=") else 3)]
        if line.startswith("=") and len(cells) == 3 and cells[1] in ("quick", "long"):
            programs[cells[0]] = Program(cells[0], cells[1] == "long", cells[2])
        elif not line.startswith("=") and len(cells) == 4 and fnmatch.filter(programs, cells[1]):
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


def span(text, expression):
    """The least and the most of all numbers that the groups match, as `A to B`; None if there are none."""
    found = [word.lstrip("+") for match in re.finditer(expression, text) for word in match.groups() if word]
    return f"{min(found, key=float)} to {max(found, key=float)}" if found else None


# How a rule's two numbers make a figure.
PAIRS = {
    "over": lambda a, b: a / b,
    "rate": lambda a, b: 20 * a / b,  # of twenty runs, as one is too short for the clock
    "percent": lambda a, b: 100 * (a / b - 1),
    "share": lambda a, b: 100 * a / b,
    "blocks": lambda a, b: 512 * a / b,  # n = 1024 is 512 blocks of n = 128
    "beside": lambda a, b: "less" if a < b else "more",
}


def printed(rule, text, published):
    """Our figure in what a program printed, as a text, or None."""
    if rule.section == "span":
        return span(text, rule.row)
    if rule.section == "holds":
        return published if re.search(rule.row, text) else "no"
    if rule.section == "sum":
        found = re.search(rule.row, text)
        return found and f"{sum(map(float, found[1].split())):.4g}"
    if rule.section in PAIRS:
        found = re.search(rule.row, text)
        if found and float(found["b"]) == 0:
            raise Stop(1, f"{rule.figure}: {rule.key} printed 0, expected a number to divide by")
        result = found and PAIRS[rule.section](float(found["a"]), float(found["b"]))
        return result if result is None or isinstance(result, str) else f"{result:.4g}"
    if rule.section == "/":
        found = re.search(rule.row, text)
        return found and found[1].strip()
    if rule.section.startswith("* "):
        found = re.search(rule.row, text)
        return found and f"{float(rule.section[2:]) * float(found[1]):.4g}"
    return of_table(text, rule.section, rule.row)


def half(text):
    """Half of the unit of the last digit."""
    mantissa, _, exponent = text.partition("e")
    return 0.5 * 10 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def moved(old, new):
    """Returns whether two figures differ in digits that both have, or in their words."""
    theirs, mine = re.findall(NUMBER, old), re.findall(NUMBER, new)
    if len(theirs) != len(mine) or re.sub(NUMBER, "", old) != re.sub(NUMBER, "", new):
        return True
    return any(abs(float(a) - float(b)) > 1.001 * max(half(a), half(b)) for a, b in zip(theirs, mine))


def figures():
    """{figure: Figure} of published.table. `NAME ~ ASSUMPTION` names any row, NAME the first one that counts."""
    found, name = {}, ""
    for number, line in enumerate(read(PUBLISHED).splitlines()):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 7 or line.startswith(("#", "~")):
            continue
        name = name if cells[0] == "the same" else cells[0]
        figure = Figure(cells[1], cells[2], number, cells[4] == "host")
        found.setdefault(f"{name} ~ {cells[3]}", figure)
        if cells[4] != "alternative":
            found.setdefault(name, figure)
    return found


def run(programs, options, folder):
    """Runs the programs, and returns {key: what it printed}. A program that misses a figure has printed it too."""
    jobs = Jobs("seeds.py", folder, options["jobs"] or 1)
    place = {"figures": shlex.quote(os.path.abspath(options["figures"] or ".")), "work": shlex.quote(folder.path)}
    for program in programs:
        out = folder(program.key)
        shell = f"{{ cd {shlex.quote(TOP)} && {program.command.format(**place)}; }} >{shlex.quote(out + '.part')}"
        jobs.add([program.key], [f"{{ {shell} || [ $? -eq {MISSED} ]; }}", ["mv", out + ".part", out]], (), program.key)
    jobs.run()
    return {program.key: read(folder(program.key)) for program in programs}


def replace(changed):
    """Writes figures that moved, {line: new}, into the table."""
    lines = read(PUBLISHED).split("\n")
    for number, new in changed.items():
        cells = lines[number].split(" | ")
        lines[number] = " | ".join([*cells[:2], new, *cells[3:]])
    write(PUBLISHED, "\n".join(lines))


def off(published, new):
    """The deviation, as a text; empty where one is not a number."""
    try:
        return f"{100 * (float(new) / float(published) - 1):+.1f}%"
    except ValueError:
        return ""


def printed_by(key, programs, outputs):
    """The text of all programs of a rule's key, or None if one is missing."""
    keys = fnmatch.filter(programs, key)
    return "\n".join(outputs[each] for each in keys) if set(keys) <= set(outputs) else None


def compare(found, programs, outputs, writes):
    """Prints each figure beside the paper's and the table's; returns the number of those that moved."""
    ours, changed, counted = figures(), {}, set()
    unknown = [rule.figure for rule in found if rule.figure not in ours]
    if unknown:
        raise Stop(1, f"{unknown[0]}: a figure of seeds.table that published.table does not have")
    print(f"{'figure':62} {'published':>10} {'table':>9} {'ours':>9} {'off':>8}")
    for rule in found:
        text = printed_by(rule.key, programs, outputs)
        if text is None:
            continue
        counted.add(ours[rule.figure].line)
        published, old, line, host = ours[rule.figure]
        new = printed(rule, text, published)
        if new is None:
            raise Stop(1, f"{rule.figure}: not in what {rule.key} printed")
        if not host and moved(old, new):  # a host's time is no result
            changed[line] = new
        row = f"{rule.figure:62} {published:>10} {old:>9} {new:>9} {off(published, new):>8}"
        print((row + "  moved" if line in changed else row).rstrip())
    if writes:
        replace(changed)
    rows = len({figure.line for figure in ours.values()})
    print(f"{len(counted)} figures of {rows}, {len(changed)} moved; published.txt has the commands of all")
    return len(changed)


def draw(outputs, program):
    """Draws the pictures whose outputs are there, beside the page that shows them."""
    for name, lines in seeds_pictures.all_of(outputs, figures()).items():
        drawn = subprocess.run([program], input="\n".join(lines) + "\n", stdout=subprocess.PIPE, text=True, check=True)
        write(os.path.join(TOP, "docs/accuracy/appendix", f"published-{name}.svg"), drawn.stdout)


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
    changed = compare(found, programs, outputs, options["write"])
    if options["write"]:
        draw(outputs, os.path.join(options["figures"] or ".", "seeds-picture"))
        output(os.path.join(TOP, "docs/accuracy/published.py"))
    return MISSED if changed else 0


if __name__ == "__main__":
    start("seeds.py", main)
