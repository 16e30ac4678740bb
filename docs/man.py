#!/usr/bin/env python3
"""A manual page from a page of the manual and the options of its program: one source for both.

    man.py PAGE.md PROGRAM...          the page as roff; OPTIONS are those of PROGRAM... --man
    man.py --see NAME PROGRAM...       PROGRAM... --man, which names the manual page NAME

A page of a program has a synopsis, examples, options by task and exit statuses; man.py fails without one of them."""
import os
import re
import subprocess
import sys

SECTIONS = {"examples": r"examples?$", "options by task": r"options by task$", "exit statuses": r"exit status"}
INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*|!?\[([^]]*)\]\(([^)]*)\)")
PROGRAM_PAGE = re.compile(r"^(?:\.\./programs/)?((?:psim|nsim|bsim|mopt)[a-z-]*)\.md(?:#.*)?$")
NO_MANUAL_PAGE = ("psim-over-time", "psim-sample")


def roff(text):
    """Text in which troff finds no command."""
    text = text.replace("&nbsp;", " ").replace("\\|", "|").replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"</?su[bp]>", "", text)
    return "\\&" + text if text.startswith((".", "'")) else text


def styled(text):
    """Text with code and stress in bold, and links as what they lead to."""
    out, at = [], 0
    for found in INLINE.finditer(text):
        out.append(roff(text[at:found.start()]))
        code, strong, stress, link, target = found.groups()
        if link is not None:
            page = PROGRAM_PAGE.match(target)
            if page and page[1] not in NO_MANUAL_PAGE:
                out.append(f"\\fB{roff(page[1])}\\fR(1)")
            else:
                out.append(styled(link))
        elif stress:
            out.append(f"\\fI{roff(stress)}\\fR")
        else:
            out.append(f"\\fB{roff(code or strong)}\\fR")
        at = found.end()
    out.append(roff(text[at:]))
    line = "".join(out)
    return "\\&" + line if line.startswith((".", "'")) else line


def cells(row):
    """Cells of a table's row."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip()[1:-1])]


def table(rows):
    """A table as a list: the first cell is the tag; the third and later ones carry their column's name."""
    head = cells(rows[0])
    for row in map(cells, rows[2:]):
        rest = [cell if at < 2 or not name else f"{name}: {cell}" for at, (name, cell) in enumerate(zip(head, row)) if at and cell]
        yield ".TP"
        yield styled(row[0]) or "\\&"
        yield styled("; ".join(rest)) or "\\&"


def kind_of(line):
    """Kind of a line outside of a fence; None for a blank one."""
    for kind, pattern in (("fence", "```"), ("head", "#"), ("table", r"\|"), ("code", "    "), ("item", r"([-*]|\d+\.) ")):
        if re.match(pattern, line):
            return kind
    return "text" if line.strip() else None


def blocks(lines):
    """Yields (kind, lines) of fences, headings, tables, indented code, items of lists, and paragraphs."""
    kept, kind = [], None
    for line in lines + [""]:
        if kind == "fence":
            if line.startswith("```"):
                yield kind, kept
                kept, kind = [], None
            else:
                kept.append(line)
            continue
        new = kind_of(line)
        if kind == "item" and new in ("text", "code"):
            new = kind
        elif kind and (new != kind or new in ("item", "head")):
            yield kind, kept
            kept = []
        kind = new
        if new and new != "fence":
            kept.append(line)


def body(lines):
    """The page below its title, as (section, roff lines)."""
    section, out = "", []
    for kind, kept in blocks(lines):
        if kind == "head" and kept[0].startswith("## "):
            yield section, out
            section, out = kept[0][3:], []
        elif kind == "head":
            out += [".SS " + styled(kept[0].lstrip("# "))]
        elif kind in ("fence", "code"):
            out += [".PP", ".RS 4", ".nf"] + [roff(line) for line in kept] + [".fi", ".RE"]
        elif kind == "table":
            out += list(table(kept))
        elif kind == "item":
            text = " ".join(line.strip() for line in kept)
            mark, text = text.split(" ", 1)
            out += [".IP " + ("\\(bu" if mark in "-*" else mark) + " 4", styled(text)]
        elif not kept[0].startswith(("![", "<!--")):
            out += [".PP", styled(" ".join(line.strip() for line in kept))]
    yield section, out


def options(text):
    """The section OPTIONS of a program's own manual page, or its text if that has no sections."""
    found = re.search(r"^\.SH OPTIONS\n(.*?)(?=^\.SH|\Z)", text, re.M | re.S) or re.search(
        r"^\.SH DESCRIPTION\n(.*?)(?=^\.SH|\Z)", text, re.M | re.S)
    return [".SH OPTIONS"] + found[1].rstrip("\n").split("\n")


def pages_named(path, text):
    """The other pages that a page names, as paths below the manual's folder."""
    manual = os.path.dirname(os.path.abspath(__file__))
    found = {os.path.join(os.path.dirname(os.path.abspath(path)), target) for target in re.findall(r"\]\(([^)#:]+\.md)", text)}
    inside = (os.path.relpath(os.path.normpath(page), manual) for page in found)
    return sorted(page for page in inside if not page.startswith(".."))


def page_to_roff(path, own):
    """The lines of the manual page."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<!--.*?-->\n?", "", file.read(), flags=re.S)
    title = re.search(r"^# (.*)$", text, re.M)
    synopsis = re.search(r"^Synopsis: (.*?)(?=\n\n)", text, re.M | re.S)
    name = re.search(r'^\.TH "([^"]*)"', own, re.M)[1]
    if not synopsis:
        sys.exit(f"{path}: no line 'Synopsis:', expected one")
    sections = list(body(text[synopsis.end():].split("\n")))
    for what, pattern in SECTIONS.items():
        if not any(re.search(pattern, section, re.I) for section, _ in sections):
            sys.exit(f"{path}: no section with {what}, expected one")
    heading = re.search(r"^\.TH.*$", own, re.M)[0]
    yield from (heading, ".SH NAME", f"{roff(name)} \\- {styled(title[1].split(': ', 1)[-1])}", ".SH SYNOPSIS")
    for form in re.findall(r"`([^`]+)`", synopsis[1].replace("\n", " ")):
        yield from (".PP", f"\\fB{roff(form)}\\fR")
    for section, lines in sections:
        yield ".SH " + (roff(section.upper()) if section else "DESCRIPTION")
        yield from lines
        if re.search(SECTIONS["options by task"], section, re.I):
            yield from options(own)
    named = ", ".join(pages_named(path, text))
    if named:
        yield from (".SH SEE ALSO", roff(f"Pages of the manual, in share/doc/psim: {named}."))


def main():
    see = sys.argv[2] if sys.argv[1] == "--see" else None
    command = sys.argv[3 if see else 2:]
    own = subprocess.run(command + ["--man"], check=True, stdout=subprocess.PIPE).stdout.decode()
    if see:
        sys.stdout.write(f"{own}.SH SEE ALSO\n\\fB{roff(see)}\\fR(1)\n")
    else:
        sys.stdout.write("\n".join(page_to_roff(sys.argv[1], own)) + "\n")


if __name__ == "__main__":
    main()
