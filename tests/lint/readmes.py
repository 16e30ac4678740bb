#!/usr/bin/env python3
"""The README of a folder names all of its sources: with or without the ending, or by a pattern as `memo*.[ch]`.

Every folder of a room that has sources or a meson.build has one, and so has tests/figures.

    readmes.py SOURCE-ROOT
"""
import fnmatch
import os
import re
import sys

ROOMS = ("psim", "isa", "traces", "energy", "netlink", "tests/figures")
INPUTS = ("tests/figures/",)  # folders in these have inputs: the row of the folder is enough
PUBLIC = "netlink/ndl/public"  # the installed name of a header: its folder's README is netlink/ndl/README.md
SOURCE = re.compile(r"\.(c|h|cc|hh|def|l|y|py|sh|f90)$")


def words(text):
    """The words in backquotes."""
    return {os.path.basename(word) for code in re.findall(r"`([^`\n]+)`", text) for word in re.split(r"[,\s]+", code) if word}


def main(root):
    bad, seen = [], 0
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            place = os.path.relpath(folder, root)
            sources = [name for name in names if SOURCE.search(name)]
            if not sources and "meson.build" not in names or place.startswith((PUBLIC, *INPUTS)) or "__pycache__" in place:
                continue
            readme = os.path.join(folder, "README.md")
            if not os.path.exists(readme):
                bad.append(f"{place}: no README.md, expected one with a row a file")
                continue
            with open(readme, encoding="utf-8") as f:
                patterns = words(f.read())
            for name in sorted(sources):
                seen += 1
                if not any(fnmatch.fnmatchcase(n, p) for p in patterns for n in (name, name.rsplit(".", 1)[0])):
                    bad.append(f"{place}/README.md: no word on {name}, expected a row")
    if seen < 500:
        bad.append(f"only {seen} sources found: the check sees the wrong folder")
    print("\n".join(bad), file=sys.stderr, end="\n" if bad else "")
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
