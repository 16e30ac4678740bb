#!/usr/bin/env python3
"""All published figures beside ours: docs/accuracy/appendix/published.md from docs/accuracy/published.table.

    published.py [TABLE]           prints the page
    published.py --check [TABLE]   says what is wrong with the table: status 1

A figure that is more than 15 % off needs a remark on what was tried; so does a range ("A to B", "less than B", "A and more")
with an end that far outside the published one, and words that differ from the published ones. Lines that begin with ~ are
the papers' figures that show data, and what draws or prints ours.
"""
import math
import os
import re
import sys

TABLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "published.table")
KINDS = ("calibrated", "predicted", "exact")
FAR = 15  # percent
HEAD = """# Published figures

All figures of the five papers that this suite remakes, beside ours; made from `published.table` by `ninja published-docs`.
`off`: how far ours is from the published one. *calibrated*: a constant or a choice was set by this figure, so it confirms
nothing; *exact*: follows from definitions, and checks the method; all others are predicted. Where a text leaves a choice,
the reading says which was taken, and rows beside each other have the others. A figure more than {far} % off has a remark. A
row without a command has that of the row above.

{count} rows: {predicted} predicted, of which {near} of the {numbers} with numbers are within {far} %; {calibrated} calibrated; {exact} exact.
"""


PICTURES = """
## Figures that show data

What draws, or prints, the counterpart of each of the papers' figures with data. Other figures show structures, code or pictures of method.

| figure | what it shows | ours | command |
|---|---|---|---|
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
    """(title, rows) of each paper; a row: figure, published, ours, reading, kind, command, remark."""
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
    if is_far(row[1], row[2]) and row[6] == "-":
        return f"{row[2]} for {row[1]}, more than {FAR} % off: expected a remark on what was tried"
    return None


def page(found, drawn):
    rows = [row for _, all_rows in found for row in all_rows]
    predicted = [row for row in rows if row[4] == "predicted"]
    offs = [off(row[1], row[2]) for row in predicted]
    numbers = [value for value in offs if value is not None]
    count = {kind: sum(row[4] == kind for row in rows) for kind in KINDS}
    text = HEAD.format(far=FAR, count=len(rows), near=sum(abs(value) <= FAR for value in numbers), numbers=len(numbers), **count)
    for title, all_rows in found:
        text += f"\n## {title}\n\n| figure | published | ours | off | reading | | command | remark |\n"
        text += "|---|---:|---:|---:|---|---|---|---|\n"
        above = None
        for figure, published, ours, reading, kind, command, remark in all_rows:
            far = off(published, ours)
            cells = (figure, published, ours, "" if far is None else f"{far:+.1f} %", reading,
                     "" if kind == "predicted" else kind, "" if command == above else f"`{command}`",
                     "" if remark == "-" else remark)
            above = command
            text += "| " + " | ".join(cells) + " |\n"
    return text + PICTURES + "".join(f"| {name} | {what} | {ours} | `{command}` |\n" for name, what, ours, command in drawn)


def main():
    tables = [word for word in sys.argv[1:] if word != "--check"] or [TABLE]
    try:
        found, drawn = papers(tables[0]), pictures(tables[0])
    except (Wrong, OSError) as wrong:
        print(f"published.py: {wrong}", file=sys.stderr)
        return 1
    if "--check" not in sys.argv:
        sys.stdout.write(page(found, drawn))
    return 0


if __name__ == "__main__":
    sys.exit(main())
