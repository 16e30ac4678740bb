#!/usr/bin/env python3
"""Form of the manual's prose: a paragraph has at most 110 words, which are six lines, and a cell of a table at most 15;
a table's rows have the cells of its first one.

    prose.py SOURCE-ROOT

Exempt are pages of GENERATED, whose tables programs write."""
import pathlib
import re
import sys

PARAGRAPH_WORDS = 110
CELL_WORDS = 15
GENERATED = (
    "docs/formats/isa-table.md",
    "docs/formats/parameters.md",
    "docs/accuracy/appendix/",
)


def word_count(text):
    """Words as a reader counts them: a link is its text, a sign alone is none."""
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return sum(1 for word in text.split() if re.search(r"\w", word))


def cells(row):
    """Cells of a row. A bar in code is written with a backslash."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().removeprefix("|").removesuffix("|"))]


def violations(text):
    """Yields (line, message) of a page."""
    fenced = False
    paragraph, begin, columns = [], 0, 0
    for number, line in enumerate(text.splitlines() + [""], 1):
        if line.startswith("```"):
            fenced = not fenced
            line = ""
        if fenced:
            continue
        stripped = line.strip()
        item = re.match(r"([-*]|\d+\.) ", stripped)
        if not stripped or item or stripped.startswith(("|", "#", "<")):
            words = word_count(" ".join(paragraph))
            if words > PARAGRAPH_WORDS:
                yield begin, f"a paragraph of {words} words, expected at most {PARAGRAPH_WORDS}"
            paragraph = []
        if stripped.startswith("|"):
            found = cells(stripped)
            columns = columns or len(found)
            if len(found) != columns:
                yield number, f"a row of {len(found)} cells, expected {columns} as in the table's first row"
            for cell in found:
                words = 0 if re.fullmatch(r"`[^`]*`", cell) else word_count(cell)  # a command is one cell
                if words > CELL_WORDS:
                    yield number, f"a cell of {words} words, expected at most {CELL_WORDS}"
            continue
        columns = 0
        if stripped and not stripped.startswith(("#", "<")):
            if not paragraph:
                begin = number
            paragraph.append(stripped)


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [root / "README.md"] + sorted((root / "docs").rglob("*.md"))
    bad = False
    for page in pages:
        name = page.relative_to(root).as_posix()
        if name.startswith(GENERATED):
            continue
        for line, message in violations(page.read_text()):
            print(f"{name}:{line}: {message}", file=sys.stderr)
            bad = True
    sys.exit(bad)


if __name__ == "__main__":
    main()
