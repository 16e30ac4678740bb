#!/usr/bin/env python3
"""The gallery: twelve entries, each with a picture, a link to the page that shows this picture, and the command that draws it,
as that page has it.

    gallery.py SOURCE-ROOT
"""
import os
import re
import sys

ENTRIES = 12


def wrong_with(title, text, docs):
    """Yields what is wrong with an entry."""
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", text)
    pages = [page.partition("#")[0] for page in re.findall(r"(?<!!)\[[^\]]*\]\(([^)]+\.md[^)]*)\)", re.sub(r"!\[.*?\)", "", text))]
    commands = re.findall(r"^`([^`]+)`$", text, re.M)
    if [len(pictures), len(pages), len(commands)] != [1, 1, 1]:
        yield f"{title}: {len(pictures)} pictures, {len(pages)} pages, {len(commands)} commands, expected one of each"
        return
    with open(os.path.join(docs, pages[0]), encoding="utf-8") as file:
        page = file.read()
    if f"]({os.path.relpath(pictures[0], os.path.dirname(pages[0]))})" not in page:
        yield f"{title}: {pages[0]} does not show {pictures[0]}, expected the page that does"
    if os.path.basename(pictures[0]) not in commands[0] and f"{os.path.basename(pictures[0])[:-4]}.model" not in commands[0]:
        yield f"{title}: the command does not write {os.path.basename(pictures[0])}, expected the one that does"
    if commands[0] not in page:
        yield f"{title}: {pages[0]} has no command {commands[0]}, expected the same in both"


def main(root):
    docs = os.path.join(root, "docs")
    with open(os.path.join(docs, "gallery.md"), encoding="utf-8") as file:
        entries = re.split(r"^## ", file.read(), flags=re.M)[1:]
    bad = [message for entry in entries for message in wrong_with(*entry.split("\n", 1), docs)]
    if len(entries) != ENTRIES:
        bad.append(f"{len(entries)} entries, expected {ENTRIES}")
    print("\n".join(f"docs/gallery.md: {message}" for message in bad), file=sys.stderr, end="\n" if bad else "")
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
