#!/usr/bin/env python3
"""Form of the manual's prose: a paragraph has at most six lines and 110 words, a sentence at most 35 words, and a cell
of a table at most 15; a table's rows have the cells of its first one. A sentence has its subject first: it does not
begin with "Of", "What" or "Those", unless it asks. Pages other than HISTORY do not say how things were. --count prints
the words of each folder: prose, tables, and blocks of code, commands and their output.

    prose.py [--count] SOURCE-ROOT

Exempt are pages of GENERATED, whose tables programs write."""
import collections
import pathlib
import re
import sys

PARAGRAPH_WORDS = 110
PARAGRAPH_LINES = 6
SENTENCE_WORDS = 35
CELL_WORDS = 15
NO_SUBJECT = re.compile(r"\**(Of|What|Those|Which|Whose)\b")
PAST = re.compile(r"\b(no longer|(?:was|were) tried|used to|formerly|previously|originally|so far|until now|at first)\b")
HISTORY = ("docs/accuracy/", "docs/CHANGELOG.md")
GENERATED = (
    "docs/api/",
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


def of_paragraph(lines, history):
    """Yields what is wrong with a paragraph or an item of a list."""
    text = " ".join(lines)
    words = word_count(text)
    if words > PARAGRAPH_WORDS:
        yield f"a paragraph of {words} words, expected at most {PARAGRAPH_WORDS}"
    if len(lines) > PARAGRAPH_LINES:
        yield f"a paragraph of {len(lines)} lines, expected at most {PARAGRAPH_LINES}"
    text = re.sub(r"^(?:[-*]|\d+\.) ", "", re.sub(r"\]\([^)]*\)", "]", text))
    for sentence in re.split(r"(?<=[.!?])\**\s+(?=[A-Z`*\[(])", text):
        words = word_count(sentence)
        if words > SENTENCE_WORDS:
            yield f"a sentence of {words} words, expected at most {SENTENCE_WORDS}: {sentence[:60]}"
        if NO_SUBJECT.match(sentence) and not sentence.endswith("?"):
            yield f"a sentence whose subject is not first: {sentence[:60]}"
        past = PAST.search(sentence)
        if past and not history:
            yield f"'{past[0]}', expected what is: {sentence[:60]}"


def violations(text, history):
    """Yields (line, message) of a page; `history` says whether it may describe the past."""
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
            for message in of_paragraph(paragraph, history):
                yield begin, message
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
        if stripped and not stripped.startswith(("#", "<")) and not line.startswith("    "):
            if not paragraph:
                begin = number
            paragraph.append(stripped)


def kinds(text):
    """Yields (kind, words) of each line of a page."""
    fenced = False
    for line in text.splitlines():
        kind = "code" if fenced or line.startswith("```") else "tables" if line.startswith("|") else "prose"
        if line.startswith("```"):
            fenced = not fenced
        yield kind, word_count(line)


def count(root):
    """Prints the words of README and of each folder of docs, then those of the folders together."""
    columns = ("pages", "prose", "tables", "code")
    folders = collections.defaultdict(collections.Counter)
    for page in [root / "README.md"] + sorted((root / "docs").rglob("*.md")):
        words = folders["README.md" if page.parent == root else page.parent.relative_to(root).as_posix()]
        words["pages"] += 1
        for kind, number in kinds(page.read_text()):
            words[kind] += number
    folders["all"] = sum(folders.values(), collections.Counter())
    print(f"{'folder':24}" + "".join(f"{column:>9}" for column in columns) + f"{'together':>10}")
    for name, words in folders.items():
        together = sum(words[column] for column in columns[1:])
        print(f"{name:24}" + "".join(f"{words[column]:9}" for column in columns) + f"{together:10}")


def main():
    if sys.argv[1] == "--count":
        count(pathlib.Path(sys.argv[2]))
        return
    root = pathlib.Path(sys.argv[1])
    pages = [root / "README.md"] + sorted((root / "docs").rglob("*.md"))
    bad = False
    for page in pages:
        name = page.relative_to(root).as_posix()
        if name.startswith(GENERATED):
            continue
        for line, message in violations(page.read_text(), name.startswith(HISTORY)):
            print(f"{name}:{line}: {message}", file=sys.stderr)
            bad = True
    sys.exit(bad)


if __name__ == "__main__":
    main()
