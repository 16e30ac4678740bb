#!/usr/bin/env python3
"""Pages of the programming interface, docs/api, from the headers that programs include.

    api.py FOLDER...           writes the pages; the folders have the headers
    api.py --check FOLDER...   says which page is old, or which function of a header has no comment: status 1

A page has the comment at the top of its header, and a row for each function: its declaration and the comment above it.
`/* ---- WORDS ---- */` begins a section. Headers of MPI calls are made of rows without sections; those are the comments of
the files named `*.def`, which one of the folders has.
"""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
# header: title, text, what a program needs. The first paragraph of `lmpi.h` holds for `mgen.h` too.
PAGES = {
    "psim_region.h": ("regions of a kernel", """
The header is in `traces/kernels`, installed in `share/psim/guest`. [psim-record](../programs/psim-record.md) compiles and
records programs with regions; Fortran has them with `psim_region.f90` and `psim_region.c`."""),
    "psim_simd.h": ("the SIMD extension in C", """
The header is in `traces/kernels`, installed in `share/psim/guest`. [The SIMD extension](../models/simd-isa.md) has the
instructions; [psim-cc](../programs/psim-cc.md) uses them without any of these calls."""),
    "bsim.h": ("skeletons", """
`bsimcc` finds the header. [bsim](../programs/bsim.md#what-a-skeleton-calls) shows a skeleton; messages are sent with
`mpi.h`, which includes this header, [lmpi.h](lmpi.md) or [mgen.h](mgen.md). In Fortran the module `bsim` has the same
calls."""),
    "lmpi.h": ("MPI calls of virtual ranks, prefix LMPI_", """
`nsimcc` and `bsimcc` find the header. The program begins with `LMPI_Main`, without `LMPI_Init`. `mpi.h` has the same calls
with the prefixes `MPI_`, `PMPI_` and, for arguments of MPI's types, `LMPI_`; there the program begins with `main`. [Virtual ranks](../models/vmpi.md) has the rules,
and what is missing."""),
    "mgen.h": ("MPI calls of virtual ranks, prefix MGEN_", """
`nsimcc` and `bsimcc` find the header. It is [lmpi.h](lmpi.md) with the prefix `MGEN_` in place of `LMPI_`: each name of
that page exists. The program begins with `MGEN_Main`, without `MGEN_Init`."""),
}
SECTION = re.compile(r"/\* ---- (.*) ---- \*/")
# a declaration, the head of an inline function, a macro with arguments that is meant for programs, an instance of INSTANCES
FUNCTION = re.compile(r"(?:static inline )?((?:const )?[\w ]+?[ *]+)(\w+)(\([^;{]*\))(?:;|$)")
MACRO = re.compile(r"#define (simd_\w+|SIMD_FUNCTION\b)(\([\w, ]*\))?")
INSTANCE = re.compile(r"SIMD_([A-Z_]+)\((\w+), (.*)\) +/\* (.*) \*/")
INSTANCES = {
    "CROSS": "double {0}(double x, double y, double z)",
    "OPERATION": "double {0}(double x, double y)",
    "OPERATION_ADD": "double {0}(double x, double y, double z)",
    "OPERATION_ONE": "double {0}(double x)",
    "HALVES_OF": "double {0}(double x)",
    "CHOICE": "double {0}(double x, double y, double a, double b)",
    "HALVES_CHOICE": "double {0}(double x, double y, double a, double b)",
    "GATHER": "{1} {0}(const {1} *table, {2} at)",
    "SCATTER": "void {0}({1} *table, {2} at, {1} value)",
}


class Wrong(Exception):
    """Returns what is wrong with a header or page."""


def linked(text):
    """Pages that a comment names, as links; functions in code stay."""
    return re.sub(r"docs/([\w/.-]+/([\w-]+))\.md", r"[\2](../\1.md)", text)


def introduction(comment):
    """A comment of several lines as Markdown: indented lines are code."""
    lines = [re.sub(r"^ \* ?", "", line) for line in comment.split("\n")]
    out, code = [], False
    for line in lines:
        if line.startswith("    ") != code and line:
            out.append("```" if code else "```c")
            code = not code
        out.append(line[4:] if code and line else linked(line))
    text = "\n".join(out + ["```"] * code)
    return re.sub(r"\n+```\n(?=\S)", "\n```\n\n", re.sub(r"(?<=\S)\n```c", "\n\n```c", text)).strip()


def words(lines):
    """The comment that ends in `lines`, as one line; empty if there is none."""
    if not lines or not lines[-1].endswith("*/"):
        return ""
    first = max(i for i, line in enumerate(lines) if line.startswith("/*"))
    text = " ".join(re.sub(r"^(/\*| \*(?!/))", "", line).removesuffix("*/").strip() for line in lines[first:])
    return linked(re.sub(r" +", " ", text).strip())


def functions(text):
    """Yields (section, declaration, name, meaning) of a header."""
    lines, section, number = text.split("\n"), "", 0
    while number < len(lines):
        line = lines[number]
        above = lines[:number]
        number += 1
        found = SECTION.fullmatch(line)
        if found:
            section = found[1]
            continue
        if line.startswith("/* with large counts */"):
            section = "large counts"
            continue
        found = INSTANCE.match(line)
        if found and found[1] in INSTANCES:
            yield section, INSTANCES[found[1]].format(found[2], *found[3].split(", ")), found[2], found[4]
            continue
        found = MACRO.match(line)
        if found:
            yield section, found[1] + (found[2] or ""), found[1], words(above)
            continue
        if not line or not (line[0].isalpha()) or line.startswith(("typedef", "extern", "enum", "struct", "static __inline__")):
            continue
        while line.count("(") > line.count(")"):
            line += " " + lines[number].strip()
            number += 1
        found = FUNCTION.match(line)
        if found and not found[2].startswith("PSIM_"):
            yield section, re.sub(r"^static inline ", "", found[0]).rstrip(";"), found[2], words(above)


def of_rows(path, line):
    """The calls that a macro makes of the rows of a table: #define ROW(name, begin, …) EVENT(begin, …"""
    made = re.match(r"#define (\w+)\(([^)]*)\) (?:CALL\(\w+, |[A-Z_]+\()(\w+),", line)
    if not made or made[3] not in (parameters := made[2].split(", ")):
        return []
    return [row.split(", ")[parameters.index(made[3])] for table in sorted(glob.glob(os.path.join(os.path.dirname(path), "*_calls.def")) + [path])
            for row in re.findall(rf"^{made[1]}\(([^\n]*)", read(table), re.M)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def groups(folders):
    """{name: section} of calls, from the comments of the files that have a row for each."""
    found, collective = {}, "collective operations"
    for path in sorted(path for folder in folders for path in glob.glob(os.path.join(folder, "calls*.def"))):
        fixed = {"calls_window.def": "windows and one-sided communication", "calls_file.def": "files"}.get(os.path.basename(path))
        section = fixed or ""
        with open(path, encoding="utf-8") as file:
            for line in file:
                mark = re.fullmatch(r"/\* (.*) \*/\n?", line)
                section = mark[1] if mark and not fixed else section
                row = re.match(r"(?:CALL\([^,]*, |(?!LARGE)[A-Z_]+\()(\w+),", line)
                names = [row[1]] if row else of_rows(path, line)
                for name in names:
                    found[name] = collective if section.startswith(("collectives", "nonblocking coll", "persistent coll")) else section
    return found, collective


def cell(text):
    return text.replace("|", "\\|")


def rows(header, text, folders):
    """The tables of a page."""
    prefix = {"lmpi.h": "LMPI_", "mgen.h": "MGEN_"}.get(header)
    known, collective = groups(folders) if prefix else ({}, "")
    large, sections, missing = [], {}, []
    for section, declaration, name, meaning in functions(text):
        short = name.removeprefix(prefix or "")
        if section == "large counts" and not short.endswith("_Main"):
            large.append(short)
            continue
        if not meaning:
            missing.append(name)
        if prefix and re.fullmatch(r"(begins|persistent) [A-Z]\w*", meaning):
            continue  # forms of a collective operation, which the page names once
        if prefix:
            section = "the program" if short == "Main" else known.get(short, collective)
        sections.setdefault(section, []).append(f"| `{cell(declaration)}` | {cell(meaning)} |")
    if missing:
        raise Wrong(f"{header}: no comment above {', '.join(missing)}, expected what it does")
    out = ""
    for section, lines in sections.items():
        out += (f"\n## {section[0].upper() + section[1:]}\n" if section else "") + "\n| call | meaning |\n|---|---|\n" + "\n".join(lines) + "\n"
        if prefix and section == collective:
            out += f"\nEach of these has a nonblocking form (`{prefix}Ibcast` …) and a persistent one (`{prefix}Bcast_init` …).\n"
    if large:
        out += f"\n## Large counts\n\nThese calls also exist with `_c` behind the name and `{prefix}Count` for counts: `" + \
            "`, `".join(name.removesuffix("_c") for name in large) + "`.\n"
    return out


def page(header, folders):
    path = next((path for path in (os.path.join(folder, header) for folder in folders) if os.path.exists(path)), None)
    if not path:
        raise Wrong(f"{header}: not in {', '.join(folders)}")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    title, about = PAGES[header]
    out = f"# {header}: {title}\n{about}\n"
    top = re.match(r"/\*\n(.*?)\n \*/", text, re.S)
    out += f"\n{introduction(top[1])}\n" if top else ""
    if header == "mgen.h":
        with open(os.path.join(os.path.dirname(path), "lmpi.h"), encoding="utf-8") as file:
            if file.read().replace("LMPI", "MGEN") != text:
                raise Wrong("mgen.h: other calls than lmpi.h, expected the same but for the prefix")
        return out
    return out + rows(header, text, folders)


def main():
    folders = [word for word in sys.argv[1:] if word != "--check"]
    status = 0
    try:
        for header in PAGES:
            name = os.path.join(HERE, "api", header.removesuffix(".h") + ".md")
            text = page(header, folders)
            if "--check" not in sys.argv:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
                continue
            with open(name, encoding="utf-8") as file:
                if file.read() != text:
                    print(f"api.py: {name} is old: run ninja api-docs", file=sys.stderr)
                    status = 1
    except (Wrong, OSError) as wrong:
        print(f"api.py: {wrong}", file=sys.stderr)
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
