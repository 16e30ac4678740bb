#!/usr/bin/env python3
"""Writes the rows of tests/figures/more.table into docs/accuracy/processor.md, between <!-- more --> and <!-- end of more -->.

    accuracy.py [--check]

--check writes nothing: status 1 if the page has other rows.
"""
import os
import sys

DOCS = os.path.dirname(os.path.realpath(__file__))
TABLE = os.path.join(DOCS, "../../tests/figures/more.table")
PAGE = os.path.join(DOCS, "processor.md")
sys.path.insert(0, os.path.join(DOCS, "../../psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import FAILED, USAGE, Command, Stop, read, start, write  # noqa: E402


def rows():
    text = "| parameter | kernel | doubled with it | may cost | |\n|---|---|---|---|---|\n"
    for line in read(TABLE).splitlines():
        if line and not line.startswith("#"):
            text += "| " + " | ".join("all" if cell.strip() == "*" else cell.strip() for cell in line.split("|")) + " |\n"
    return text


def main(arguments):
    options, _ = Command("accuracy.py", "", __doc__ + "\n", flags=("--check",)).parse(arguments)
    old = read(PAGE)
    before, begin, rest = old.partition("<!-- more -->\n")
    _, end, after = rest.partition("<!-- end of more -->")
    if not end:
        raise Stop(USAGE, f"{PAGE}: no block more")
    page = before + begin + rows() + end + after
    if not options["check"]:
        write(PAGE, page)
    elif page != old:
        raise Stop(FAILED, f"{PAGE} is old: run ninja accuracy-docs")
    return 0


if __name__ == "__main__":
    start("accuracy.py", main)
