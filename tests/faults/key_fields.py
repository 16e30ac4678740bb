#!/usr/bin/env python3
"""Makes the sources of a core's key that can leave out one of its fields.

    key_fields.py OUT-FOLDER core_key.c array_key.c

A field is a term of what is put into the key, a set of slots, or a wheel of events; it has a number. Writes a copy of each source, in
which values go through the macros of key_faults.h, and key_fields.h: a row for each field, with its function and text.
"""
import os
import re
import sys

PUT = re.compile(r"\b(put_key|put_64|put_time_if|put_near)\(")
NUMBER = re.compile(r"^\s+uint64_t number = ")
SETS = re.compile(r"\[(SET|SBM_SET)_\w+\] = ")
# Values that these functions put belong to the fields of their callers.
SHARED = ("put_slot_sets", "put_near")
FUNCTION = re.compile(r"^(?:\w[\w *]*[ *])?(\w+)\(.*[{,]?$")
BYTES = re.compile(r"^four_bytes\(\w+\)$")


def top_level(text, separator):
    """Splits at a separator that is in no bracket."""
    parts, depth, start = [], 0, 0
    for n, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if not depth and text.startswith(separator, n) and 2 * separator not in text[max(n - 1, 0):n + 2]:
            parts.append(text[start:n])
            start = n + len(separator)
    return [*parts, text[start:]]


def closing(text, start):
    """Returns where the bracket before `start` is closed."""
    depth = 1
    for n in range(start, len(text)):
        depth += (text[n] in "([{") - (text[n] in ")]}")
        if not depth:
            return n
    raise ValueError("a bracket is not closed")


class Source:
    def __init__(self, file, text, fields):
        self.file, self.text, self.fields = file, text, fields
        self.function = ""

    def field(self, value, kind="KEY_FIELD"):
        value = value.strip()
        self.fields.append((self.file, self.function, " ".join(value.split())))
        return f"{kind}({len(self.fields)}, {value})"

    def terms(self, value):
        value = value.strip()
        if self.function in SHARED:
            return value
        if BYTES.match(value):
            return " | ".join(self.field(f"({value} & 0xffu << {8 * n})") for n in range(4))
        names = re.compile(r"(?!number$).*[a-z]", re.S)  # not a constant, nor what has its fields already
        return " | ".join(self.field(term) if names.match(term.strip()) else term.strip() for term in top_level(value, "|"))

    def put(self, name, inside):
        args = top_level(inside, ",")
        if name == "put_time_if":
            args[3] = " " + self.field(args[3], "KEY_CYCLE")
        elif name == "put_near":
            args[3] = " " + self.field(args[3])
        else:
            args[1] = " " + self.terms(args[1])
        return f"{name}({','.join(args)})"

    def line(self, text):
        found = PUT.search(text)
        if found:
            end = closing(text, found.end())
            return text[:found.start()] + self.put(found[1], text[found.end():end]) + self.line(text[end + 1:])
        found = NUMBER.match(text)
        if found:
            end = text.index(";")
            return text[:found.end()] + self.terms(text[found.end():end]) + text[end:]
        found = SETS.search(text)
        if found and not text.rstrip().endswith("{"):
            cells = [c for c in top_level(text.rstrip(), ",") if c.strip()]
            for n, cell in enumerate(cells):
                name, value = cell.split(" = ")
                cells[n] = f"{name} = {self.field(value, 'KEY_SET')}"
            return ",".join(cells) + ",\n"
        return text

    def made(self):
        """Returns the text with its fields numbered; that which reads keys is as it was."""
        written, mark, read = self.text.partition("/* ---- read ---- */")
        out, statement = [], ""
        for line in written.splitlines(keepends=True):
            found = FUNCTION.match(line)
            if found and not line.startswith((" ", "\t", "#", "/")):
                self.function = found[1]
            statement += line
            code = re.sub(r"/\*.*?\*/", "", statement)
            if code.count("(") > code.count(")") and not line.startswith(("/", " ")):
                continue  # a statement goes on
            out.append(self.line(code) if self.writes(code) else statement)
            statement = ""
        return "".join(out) + mark + read

    @staticmethod
    def writes(code):
        """Returns whether a statement is part of a function that writes, not the head of one."""
        return code.startswith("\t") and not re.match(r"\t+(if|for|while|return)\b.*\{$", code)


def main(folder, *files):
    fields = []
    for file in files:
        name = os.path.basename(file)
        with open(file, encoding="utf-8") as f:
            text = f.read()
        made = Source(name, text, fields).made()
        made = re.sub(r'#include "([\w./]+\.h)"',
                      lambda m: f'#include "{os.path.normpath(os.path.join("psim/replay", m[1]))}"', made)
        with open(os.path.join(folder, "without_" + name), "w", encoding="utf-8") as f:
            f.write('#include "tests/faults/key_faults.h"\n' + made)
    with open(os.path.join(folder, "key_fields.h"), "w", encoding="utf-8") as f:
        for file, function, text in fields:
            text = text.replace("\\", "\\\\").replace('"', '\\"')
            f.write(f'{{"{file}", "{function}", "{text}"}},\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
