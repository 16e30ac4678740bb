#!/usr/bin/env python3
"""All published figures beside ours: docs/published.md from docs/published.table.

    published.py           prints the page
    published.py --check   says what is wrong with the table: status 1

A figure that is more than 15 % off needs a remark on what was tried.
"""
import os
import sys

TABLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "published.table")
KINDS = ("calibrated", "predicted", "exact")
FAR = 15  # percent
HEAD = """# Published figures

All figures of the five papers that this suite remakes, beside ours; made from `published.table` by `ninja published-docs`.
`off`: how far ours is from the published one. *calibrated*: a constant or a choice was set by this figure, so it confirms
nothing; *exact*: follows from definitions, and checks the method; *predicted*: all others. Where a text leaves a choice, the
reading says which was taken, and rows beside each other have the others. A figure more than {far} % off has a remark.

{count} rows: {predicted} predicted, of which {near} of the {numbers} with numbers are within {far} %; {calibrated} calibrated; {exact} exact.
"""


class Wrong(Exception):
    """What is wrong with the table."""


def off(published, ours):
    """Percent, or None where one of them is not a number."""
    try:
        return 100 * (float(ours) / float(published) - 1)
    except ValueError:
        return None


def papers():
    """(title, rows) of each paper; a row: figure, published, ours, reading, kind, command, remark."""
    found = []
    with open(TABLE, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if line.startswith("= "):
                found.append((line.partition(": ")[2], []))
            elif line and not line.startswith("#"):
                row = [cell.strip() for cell in line.split("|")]
                fault = fault_of(row) if found else "a row before the first paper"
                if fault:
                    raise Wrong(f"{TABLE}:{number}: {fault}")
                found[-1][1].append(row)
    return found


def fault_of(row):
    """What is wrong with a row; None if nothing is."""
    if len(row) != 7:
        return f"{len(row)} columns, expected 7"
    far = off(row[1], row[2])
    if row[4] not in KINDS:
        return f"'{row[4]}', expected one of {', '.join(KINDS)}"
    if far is not None and abs(far) > FAR and row[6] == "-":
        return f"{far:+.0f} %: expected a remark on what was tried"
    return None


def page(found):
    rows = [row for _, all_rows in found for row in all_rows]
    predicted = [row for row in rows if row[4] == "predicted"]
    offs = [off(row[1], row[2]) for row in predicted]
    numbers = [value for value in offs if value is not None]
    count = {kind: sum(row[4] == kind for row in rows) for kind in KINDS}
    text = HEAD.format(far=FAR, count=len(rows), near=sum(abs(value) <= FAR for value in numbers), numbers=len(numbers), **count)
    for title, all_rows in found:
        text += f"\n## {title}\n\n| figure | published | ours | off | reading | | command | remark |\n"
        text += "|---|---:|---:|---:|---|---|---|---|\n"
        for figure, published, ours, reading, kind, command, remark in all_rows:
            far = off(published, ours)
            cells = (figure, published, ours, "" if far is None else f"{far:+.1f} %", reading, kind, f"`{command}`",
                     "" if remark == "-" else remark)
            text += "| " + " | ".join(cells) + " |\n"
    return text


def main():
    try:
        found = papers()
    except Wrong as wrong:
        print(f"published.py: {wrong}", file=sys.stderr)
        return 1
    if "--check" not in sys.argv:
        sys.stdout.write(page(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
