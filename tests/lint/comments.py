#!/usr/bin/env python3
"""Comments are statements that begin with their subject or verb, in the field's words.

A comment that begins with "What", "Whether", "Of" or with the verb of a question leaves its subject to be guessed. Some
words have a plainer one: report for tell, request for ask, is for stand and lie, again for anew, reach for come to.

    comments.py SOURCE-ROOT
"""
import os
import re
import sys

FOLDERS = ("psim", "isa", "traces", "energy", "netlink", "configs", "tests", "docs")
C = re.compile(r"\.(c|h|cc|hh|cpp|def|l|y|ndl)$")
SCRIPTS = re.compile(r"(\.(py|sh|t|table|ini)|/meson\.build|\.f90)$")
START = re.compile(r"(Of|What|Whether|Who|Which|Is|Are|Was|Were|Do|Does|Did|Has|Have|Can|May|Must|Should|Will)\b")
WORDS = re.compile(r"\b(tells?|told|asks?|asked|anew|(stands?|stood) (?!for\b)|lies|lie|looked at|looks? at|given up|comes? to)\b", re.I)
# A literal, so that what looks like a comment in it is none; or a comment.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)


def in_c(text):
    for m in TOKEN.finditer(text):
        if m.group()[0] == "/":
            yield text.count("\n", 0, m.start()) + 1, m.group().strip("/*").strip()


def in_script(text, mark):
    """Comments of whole lines, and the first lines of doc strings; lines that follow each other are one comment."""
    before, comment, begin = False, "", 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        line = line.strip()
        is_one = line.startswith(mark) and not line.startswith(("#!", "##"))
        if is_one and before:
            comment += "\n" + line.lstrip(mark).strip()
        else:
            if before:
                yield begin, comment
            comment, begin = line.lstrip(mark).strip(), number
        before = is_one
        if line.startswith('"""'):
            yield number, line.strip('"')


def comments(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    if C.search(path):
        return in_c(text)
    return in_script(text, "!" if path.endswith(".f90") else "#")


def main(root):
    bad, seen = [], 0
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                path = os.path.join(folder, name)
                if not C.search(path) and not SCRIPTS.search(path) or path.endswith("lint/comments.py"):
                    continue
                place = os.path.relpath(path, root)
                for line, text in comments(path):
                    seen += 1
                    if START.match(text):
                        bad.append(f'{place}:{line}: comment begins with "{text.split()[0]}", expected its subject or verb')
                    for m in WORDS.finditer(text):
                        bad.append(f'{place}:{line + text.count(chr(10), 0, m.start())}: "{m.group().strip()}" in a comment, '
                                   "expected a plainer word (tests/lint/comments.py)")
    if seen < 5000:
        bad.append(f"only {seen} comments found: the check sees the wrong folder")
    print("\n".join(bad), file=sys.stderr, end="\n" if bad else "")
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
