#!/usr/bin/env python3
"""Says for each study that runs traces how wide the tables of its text are.

    study_widths.py CONFIGS DOCS SAMPLES

Studies are those of a folder, but for simd.ini, whose traces are recorded first, and the files that pages show. Each runs three
points. Prints its name, and 120 and 160 where no row is wider with the usual and with all columns, or the width.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def files_of_page(path):
    blocks = re.findall(r"<!-- file: (\S+) -->\n```\n(.*?)^```", open(path, encoding="utf-8").read(), re.M | re.S)
    return [(name, text) for name, text in blocks if name.endswith((".ini", ".constants"))]


def collect(configs, docs):
    found = []
    for name in sorted(os.listdir(configs), key=lambda name: (name.startswith("v"), name)):
        if name.endswith(".ini") and name != "simd.ini":
            found.append((name, open(os.path.join(configs, name), encoding="utf-8").read()))
    for folder, _, names in sorted(os.walk(docs)):
        for name in sorted(names):
            if name.endswith(".md"):
                found.append((None, files_of_page(os.path.join(folder, name))))
    return found


def width(study, *options):
    """The widest line of a table: a line that is no heading, and not a value of a group (its second column is not in line)."""
    text = subprocess.run(["psim-explore", "-q", study, "--sample", "3", "--pareto", "--sensitivity", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", check=True).stdout
    widest, in_table = 0, False
    for line in text.splitlines():
        if line and not line.startswith(" "):
            in_table = not re.match(r"(run|study|conditions)(:|$)", line)
        elif in_table:
            widest = max(widest, len(line))
    return widest


def measure(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(re.sub(r"= (\.\./)+samples/", "= ", re.sub(r"^base = .*/", "base = ", text, flags=re.M)))
    if not re.search(r"^\[traces\]", text, re.M):
        return
    most = [width(path), width(path, "--columns", "all", "--over", "trace")]
    print(name, *[limit if w <= limit else f"{w} of {limit}" for w, limit in zip(most, (120, 160))], flush=True)


def main(configs, docs, samples):
    studies = collect(configs, docs)
    with tempfile.TemporaryDirectory() as folder:
        for source in (samples, os.path.dirname(configs)):
            for name in os.listdir(source):
                if name.endswith((".trace.gz", ".ini")):
                    shutil.copy(os.path.join(source, name), folder)
        os.chdir(folder)
        for name, content in studies:
            for name, text in content if name is None else [(name, content)]:
                measure(folder, name, text)


main(*map(os.path.abspath, sys.argv[1:]))
