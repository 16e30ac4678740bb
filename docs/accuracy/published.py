#!/usr/bin/env python3
"""All published figures beside ours, from docs/accuracy/published.table: published.txt has every figure, appendix/published.md
counts, and the figures that are missed, appendix/alternatives.md those of other assumptions.

    published.py                   writes the three
    published.py --check           says what is wrong with the table, or old in the three: status 1
    published.py --check TABLE     says what is wrong with this table

A figure that is more than 15 % off needs a remark on what was tried; so does a range ("A to B", "less than B", "A and more")
with an end that far outside the published one, and words that differ from the published ones. Lines that begin with ~ are
the papers' figures that show data, and what draws or prints ours.
"""
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
TABLE = os.path.join(HERE, "published.table")
KINDS = ("calibrated", "predicted", "exact", "host", "alternative")
FAR = 15  # percent
PAGE = """# Published figures

[published.txt](../published.txt) has {count} figures of the five papers beside ours, each with its assumption and its
command, and what draws the papers' figures. All figures of a kernel are of one form of it, and all of a paper of one
set of assumptions; [other forms and assumptions](alternatives.md) do not count here. `ninja published-docs` makes the three
from `published.table`.
`ninja seeds` runs the programs of two minutes again and compares; `ninja seeds-full` runs all, in a night, writes what moved
into the table, and makes this page.

| kind | figures | meaning |
|---|---:|---|
| exact | {exact} | follows from definitions: checks the method |
| calibrated | {calibrated} | a constant or a choice was set by it: confirms nothing |
| host | {host} | time of the host ([ours](../speed-network.md)): no figure of the model |
| predicted | {predicted} | all others: {near} of {numbers} numbers are within {far} %, {held} of {words} words, bounds and ranges hold; {hits} in all |

## Pictures

Curves of ours with the points that the papers' texts give, and bars of single runs; `ninja seeds-full` draws them.

{pictures}## Missed

Predicted figures more than {far} % off. Where a paper omits a parameter, a row has the value assumed.
"""
MISSED = """
### {}

| figure | published | ours | deviation, % | assumption | remark |
|---|---:|---:|---:|---|---|
"""
PICTURES = (  # published-NAME.svg, and what it shows; tests/figures/seeds.py draws those whose programs have run
    ("hpl", "HPL on the PRIMEQUEST 580: seconds measured, predicted by BSIM, and by psim"),
    ("placements", "CG and SP in four placements: milliseconds of the paper and of psim"),
    ("pacing", "all-to-alls of the pacing paper: milliseconds of the paper and of psim"),
    ("trees", "random ranks on fat trees: psim over the number of nodes, and two points of the paper"),
    ("bias", "run time over the gap bias: psim on 8 x 8 and 9 x 9 nodes, and two points of the paper"),
)
OTHERS = """# Results with other assumptions

Other forms of kernels and other assumptions, which [published figures](published.md) do not count. Of each, the table has
all figures that differ. `ninja published-docs` makes this page from `published.table`.
"""
TEXT = """# All figures of the five papers beside ours; `ninja published-docs` makes this file from published.table.
# Columns: figure, published, ours, deviation in %, kind (predicted if empty), assumption.
"""
DRAWN = """
Figures that show data: what they show, ours, command. Other figures show structures, code or pictures of method.

"""


class Wrong(Exception):
    """Returns what is wrong with the table."""


def off(published, ours):
    """Percent, or None where one of them is not a number."""
    try:
        return 100 * (float(ours) / float(published) - 1)
    except ValueError:
        return None


def span(text):
    """The least and most that a figure says, or None: it is in words."""
    number = r"(-?[0-9.]+)"
    for form, ends in ((f"{number}", (0, 0)), (f"{number} to {number}", (0, 1)), (f"less than {number}", (None, 0)),
                       (f"{number} and more", (0, None))):
        match = re.fullmatch(form, text)
        if match:
            values = [float(value) for value in match.groups()]
            return (-math.inf if ends[0] is None else values[ends[0]], math.inf if ends[1] is None else values[ends[1]])
    return None


def is_far(published, ours):
    """Returns whether ours is outside of what is published by more than FAR percent of the end that it is behind."""
    theirs, mine = span(published), span(ours)
    if theirs is None or mine is None:
        return theirs is None and mine is None and published != ours
    return mine[0] < theirs[0] - abs(theirs[0]) * FAR / 100 or mine[1] > theirs[1] + abs(theirs[1]) * FAR / 100


def papers(table=TABLE):
    """(title, rows) of each paper; a row: figure, published, ours, assumption, kind, command, remark."""
    found = []
    with open(table, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if line.startswith("~"):
                continue
            if line.startswith("= "):
                found.append((line.partition(": ")[2], []))
            elif line and not line.startswith("#"):
                row = [cell.strip() for cell in line.split("|")]
                fault = fault_of(row) if found else "a row before the first paper"
                if fault:
                    raise Wrong(f"{table}:{number}: {fault}")
                found[-1][1].append(row)
    return found


def pictures(table=TABLE):
    """(figure, what it shows, ours, command) of each figure that shows data."""
    with open(table, encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line[1:].split("|")] for line in file if line.startswith("~")]
    for row in rows:
        if len(row) != 4:
            raise Wrong(f"{table}: ~ {row[0]}: {len(row)} columns, expected 4")
    return rows


def fault_of(row):
    """Returns what is wrong with a row; None if nothing is."""
    if len(row) != 7:
        return f"{len(row)} columns, expected 7"
    if not all(row[:3] + row[4:]):
        return "an empty column, expected words, or -"
    if row[4] not in KINDS:
        return f"'{row[4]}', expected one of {', '.join(KINDS)}"
    if row[4] not in ("alternative", "host") and is_far(row[1], row[2]) and row[6] == "-":
        return f"{row[2]} for {row[1]}, more than {FAR} % off: expected a remark on what was tried"
    return None


def percent(published, ours):
    far = off(published, ours)
    return "" if far is None else f"{far:+.1f}"


def page(found):
    rows = [row for _, all_rows in found for row in all_rows]
    predicted = [row for row in rows if row[4] == "predicted"]
    offs = [off(row[1], row[2]) for row in predicted]
    numbers = [value for value in offs if value is not None]
    words = [row for row in predicted if off(row[1], row[2]) is None]
    near, held = sum(abs(value) <= FAR for value in numbers), sum(not is_far(row[1], row[2]) for row in words)
    count = {kind: sum(row[4] == kind for row in rows) for kind in KINDS}
    there = [(name, shows) for name, shows in PICTURES if os.path.exists(os.path.join(HERE, f"appendix/published-{name}.svg"))]
    pictures = "".join(f"![{shows}](published-{name}.svg)\n\n" for name, shows in there)
    text = PAGE.format(far=FAR, pictures=pictures, count=len(rows) - count["alternative"], near=near, numbers=len(numbers), held=held,
                       words=len(words), hits=near + held, **count)
    for title, all_rows in found:
        name, missed = "", ""
        for figure, published, ours, assumption, kind, _, remark in all_rows:
            name = name if figure == "the same" else figure
            if kind == "predicted" and is_far(published, ours):
                missed += f"| {name} | {published} | {ours} | {percent(published, ours)} | {assumption} | {remark} |\n"
        text += MISSED.format(title[0].upper() + title[1:]) + missed if missed else ""
    return text


def alternatives(found):
    """The page of other assumptions, a table a paper."""
    text = OTHERS
    for title, all_rows in found:
        name, lines = "", ""
        for figure, published, ours, assumption, kind, command, remark in all_rows:
            name = name if figure == "the same" else figure
            if kind == "alternative":
                note = "" if remark == "-" else remark
                lines += f"| {name} | {published} | {ours} | {percent(published, ours)} | {assumption} | {note} |\n"
        text += MISSED.format(title[0].upper() + title[1:]).replace("###", "##") + lines if lines else ""
    return text


def plain(found, drawn):
    """Every figure, below the command that makes it."""
    text = TEXT
    for title, all_rows in found:
        text += f"\n{title}\n"
        above, name = "", ""
        for figure, published, ours, assumption, kind, command, remark in all_rows:
            name = name if figure == "the same" else figure
            text += "" if command == above else f"\n  {command}\n"
            above = command
            kind = "" if kind == "predicted" else kind
            line = f"    {name:62} {published:>12} {ours:>12} {percent(published, ours):>7}  {kind:10}  {assumption}"
            text += line.rstrip() + "\n" + ("" if remark == "-" else f"      {remark}\n")
    return text + DRAWN + "".join(f"  {name}: {what}; {ours}; {command}\n" for name, what, ours, command in drawn)


def finish(path, text, check):
    """Writes a file, or raises Wrong if it has another text."""
    if not check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(path, encoding="utf-8") as file:
        if file.read() != text:
            raise Wrong(f"{path} is old: run ninja published-docs")


def main():
    check, tables = "--check" in sys.argv, [word for word in sys.argv[1:] if word != "--check"]
    try:
        found, drawn = papers(*tables), pictures(*tables)
        if not tables:
            finish(os.path.join(HERE, "published.txt"), plain(found, drawn), check)
            finish(os.path.join(HERE, "appendix/published.md"), page(found), check)
            finish(os.path.join(HERE, "appendix/alternatives.md"), alternatives(found), check)
    except (Wrong, OSError) as wrong:
        print(f"published.py: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
