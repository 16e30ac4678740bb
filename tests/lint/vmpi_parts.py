#!/usr/bin/env python3
"""Each part of struct vmpi (netlink/vmpi/host/world.h) is used by the folders that netlink/vmpi/README.md lists.

    vmpi_parts.py SOURCE-ROOT

A row of the README is "| part | fields | folders |". A field in no row, a folder that uses a part and is not listed, and a
listed one that does not use it, are errors."""
import os
import re
import sys


def fields_of(text):
    """The names of the fields of struct vmpi."""
    body = text[text.index("\nstruct vmpi {"):]
    body = re.sub(r"/\*.*?\*/", "", body[body.index("{") + 1:body.index("\n};")], flags=re.S)
    names = []
    for line in filter(str.strip, body.split(";")):
        line = re.sub(r"struct vec_of\([^)]*\)|\[\w+\]|\(void\)", "", line)
        pointer = re.search(r"\(\*(\w+)\)", line)
        names += [pointer.group(1)] if pointer else re.findall(r"(\w+)\s*(?:,|$)", line)
    return names


def main(root):
    room, bad = os.path.join(root, "netlink/vmpi"), []
    with open(os.path.join(room, "README.md"), encoding="utf-8") as f:
        rows = re.findall(r"^\| (\w[\w ]*) \| ((?:`\w+`,? ?)+) \| ([\w, ]+) \|$", f.read(), re.M)
    with open(os.path.join(room, "host/world.h"), encoding="utf-8") as f:
        fields = fields_of(f.read())
    folders = [d for d in sorted(os.listdir(room)) if os.path.isdir(os.path.join(room, d)) and d not in ("api", "libc")]
    texts = {}
    for d in folders:
        names = [n for n in os.listdir(os.path.join(room, d)) if n.endswith((".c", ".h"))]
        texts[d] = "".join(open(os.path.join(room, d, n), encoding="utf-8").read() for n in names)
    listed = [f for _, part, _ in rows for f in re.findall(r"`(\w+)`", part)]
    for name in fields:
        if listed.count(name) != 1:
            bad.append(f"netlink/vmpi/README.md: {listed.count(name)} rows for {name} of struct vmpi, expected one")
    for name in sorted(set(listed) - set(fields)):
        bad.append(f"netlink/vmpi/README.md: {name} is no field of struct vmpi")
    for part, names, users in rows:
        use = re.compile(r"\bv->(?:" + "|".join(re.findall(r"`(\w+)`", names)) + r")\b")
        found = [d for d in folders if use.search(texts[d])]
        if found != sorted(users.split(", ")):
            bad.append(f"netlink/vmpi/README.md: {part}: used by {', '.join(found)}, expected those in its row: {users}")
    if len(fields) < 30:
        bad.append(f"only {len(fields)} fields of struct vmpi found: the check looks in the wrong place")
    print("\n".join(bad), file=sys.stderr, end="\n" if bad else "")
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
