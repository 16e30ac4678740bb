#!/usr/bin/env python3
"""Puts into a session what its commands print now, where a figure of it is old.

    refresh.py SOURCE-ROOT BUILD-ROOT SESSION...      .t or .md, as for run.sh

Output that still matches stays as it is. Without a line of `...` the new output replaces the
old; with one, each line that is quoted is replaced by the line that now resembles it most, in the
same order. A block of only `...` stays. Statuses are not touched. Pictures that a page shows and its commands draw are copied
to where it shows them. Read the difference before you
commit it: a figure that should not have changed is a mistake somewhere else.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile


def like(text, pattern):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("..."))), text) is not None


def matches(actual, expected):
    parts = ["(?:.*\n)*" if e == "..." else ".*".join(map(re.escape, e.split("..."))) + "\n"
             for e in expected]
    return re.fullmatch("".join(parts), "".join(a + "\n" for a in actual)) is not None


def words(line):
    return re.sub(r"[0-9.]+", "0", line).split()


def resembling(actual, start, line):
    best, where = 0.5, None
    for n in range(start, len(actual)):
        ratio = difflib.SequenceMatcher(None, words(actual[n]), words(line)).ratio()
        if ratio > best:
            best, where = ratio, n
    return where


def renewed(actual, expected, place):
    if matches(actual, expected):
        return expected
    if "..." not in expected:
        if len(actual) != len(expected):
            return actual
        return [e if like(a, e) else a for a, e in zip(actual, expected)]
    out, at = [], 0
    for line in expected:
        if line == "...":
            out.append(line)
            continue
        found = next((n for n in range(at, len(actual)) if like(actual[n], line)), None)
        if found is None:
            found = resembling(actual, at, line)
            if found is None:
                print(f"{place}: nothing resembles: {line}", file=sys.stderr)
                out.append(line)
                continue
            line = actual[found]
        out.append(line)
        at = found + 1
    return out


def run(command, folder):
    done = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode == 127:
        sys.exit(f"{command}: {done.stdout.decode()}")
    return done.stdout.decode().rstrip("\n").split("\n") if done.stdout.strip() else []


def refresh(source, build, name):
    lines = open(name, encoding="utf-8").read().split("\n")
    page, inside, out, n = name.endswith(".md"), not name.endswith(".md"), [], 0
    with tempfile.TemporaryDirectory() as folder:
        for link in ("configs", "traces", "tests/bad", "tests/mpi", "netlink", "netlink/programs/examples",
                     "netlink/programs/skeletons"):
            os.symlink(os.path.join(source, link), os.path.join(folder, os.path.basename(link)))
        if page:
            os.symlink(build, os.path.join(folder, "build"))
            for file, text in re.findall(r"^<!-- file: ([\w.-]+) -->\n```\w*\n(.*?)^```$", "\n".join(lines), re.M | re.S):
                with open(os.path.join(folder, file), "w", encoding="utf-8") as saved:
                    saved.write(text)
        while n < len(lines):
            line = lines[n]
            out.append(line)
            n += 1
            if page and line.startswith("```"):
                inside = not inside and lines[n].startswith("$ ")
            if not inside or not line.startswith("$ "):
                continue
            first = n
            while n < len(lines) and not re.match(r"\$ |```|\[\d+\]$", lines[n]) and \
                    not (lines[n] == "" and re.match(r"#|\$ |$", (lines + ["", ""])[n + 1])):
                n += 1
            out += renewed(run(line[2:], folder), lines[first:n], f"{name}:{first}")
        for picture in re.findall(r"^!\[.*\]\(([\w.-]+\.svg)\)$", "\n".join(lines), re.M):
            if os.path.isfile(os.path.join(folder, picture)):
                shutil.copyfile(os.path.join(folder, picture), os.path.join(os.path.dirname(name), picture))
    with open(name, "w", encoding="utf-8") as f:
        f.write("\n".join(out))


source_root, build_root = map(os.path.abspath, sys.argv[1:3])
os.environ["PATH"] = f"{build_root}/bin:" + os.environ["PATH"]
os.environ["LC_ALL"] = "C"
os.environ["BUILD"] = build_root
os.environ["PSIM"] = source_root
for session in sys.argv[3:]:
    refresh(source_root, build_root, session)
