#!/usr/bin/env python3
"""Recomputes the tables of reports in JSON, and of pages, from their own columns: tables.rules says what each table's columns imply.

    tables.py RULES REPORT...

A line for each report: the numbers of tables and of relations that hold. Each relation that does not hold, and each table
that the rules do not know, is a line too, with status 1.

A row of the rules is `PROGRAM:TABLE KIND EXPRESSION`. PROGRAM is psim, psim-trace, psim-diff, psim-explore, or net for nsim
and bsim; of several cores' tables, the name begins behind "coreN.". KIND is

    each   the expression holds in each row; names are the row's columns
    whole  it holds once
    group  the name is a group, whose values the expression names
    none   nothing follows from the columns, for the reason that is given

An expression is Python. A == B holds if both are equal but for the rounding of doubles; A <= B likewise. Behind ` when ` is
the condition of a row. Beside columns there are: v(PATH...), the first of these values that the report has, of the same
core if there are several; has(PATH); config(KEY) as text; total(COLUMN[, TABLE[, COLUMN=VALUE]]), the sum over rows;
rows(TABLE); parts(COLUMN), total without the last row; last(COLUMN); numbers, all numbers of the row; ratio(A, B), 0 if B is.
"""
import json
import math
import re
import sys

# of doubles; of a page's numbers of twelve digits, and their differences
ROUNDING, ROUNDING_OF_PAGES = 1e-9, 1e-6
# psim-explore --over trace: the trace's name before that of the table
OF_A_TRACE = r"^\w+_(?=(best|pareto|designs|sensitivity)$)"


class Missing(Exception):
    """A name that the report does not have."""


class Place:
    """The part of a report that an expression sees: the report, a core's part of it, a table."""

    def __init__(self, report, core, table, rounding):
        self.report, self.core, self.table, self.rounding = report, core, table, rounding

    def at(self, path):
        """The value, group or table at a path, of this core if it has that."""
        for start in ([self.report[self.core]] if self.core else []) + [self.report]:
            value = start
            for part in path.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if value is not None:
                return value
        return None

    def v(self, *paths):
        for path in paths:
            value = self.at(path)
            if value is not None:
                return value
        raise Missing(paths[0])

    def has(self, path):
        return self.at(path) is not None

    def config(self, key):
        return self.v("config." + key)

    def rows(self, table=None):
        return self.at(table or self.table) or []

    def total(self, column, table=None, **where):
        return math.fsum(row[column] for row in self.rows(table) if all(row[key] == value for key, value in where.items()))

    def parts(self, column):
        return math.fsum(row[column] for row in self.rows()[:-1])

    def last(self, column):
        return self.rows()[-1][column]

    def names(self, row):
        known = {name: getattr(self, name) for name in ("v", "has", "config", "rows", "total", "parts", "last")}
        known.update(sum=math.fsum, abs=abs, max=max, min=min, sqrt=math.sqrt, log=math.log, len=len, range=range, str=str, int=int, float=float, isnumber=isnumber)
        known.update(ratio=lambda a, b: a / b if b else 0, numbers=[value for value in row.values() if isnumber(value)], row=row)
        return {**known, **row}


def isnumber(value):
    """Returns whether a cell is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def holds(expression, names, rounding):
    """Returns whether the relation holds, and its sides."""
    code, _, condition = expression.partition(" when ")
    names = {"__builtins__": {}, **names}
    if condition and not eval(condition, names):
        return True, None, None
    left, sign, right = re.fullmatch(r"(.+?) (==|<=) (.+)", code).groups()
    a, b = (eval(side, names) for side in (left, right))
    if not isnumber(a) or not isnumber(b):
        return a == b, a, b
    near = abs(a - b) <= rounding * max(abs(a), abs(b), 1e-30)
    return near or (sign == "<=" and a < b), a, b


def tables_of(report):
    """All tables and groups with values: core's name or "", path, rows (a group is a row)."""
    def walk(value, core, path):
        if isinstance(value, list) and all(isinstance(row, dict) for row in value):
            yield core, path, value, True
        elif isinstance(value, dict):
            yield core, path, [{key: x for key, x in value.items() if not isinstance(x, (dict, list))}], False
            for key, inner in value.items():
                yield from walk(inner, core, f"{path}.{key}" if path else key)
    for key, part in report.items():
        if re.fullmatch(r"core\d+", key):
            for name, inner in part.items():
                yield from walk(inner, key, name)
        elif key not in ("units", "config"):
            yield from walk(part, "", key)


def of_items(items):
    """The items of a page as the report in JSON has them."""
    report = {}
    for item in items:
        if "c" in item:
            report[item["n"]] = [dict(zip((name for name, _ in item["c"]), row)) for row in item["r"]]
        else:
            report[item["n"]] = item["v"] if "v" in item else of_items(item["i"])
    return report


def read_report(path):
    """The report of a file in JSON, or of a page, and how it is rounded."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = re.search(r"^const report = (\[.*\]);?$", text, re.MULTILINE)
    return (of_items(json.loads(page[1])), ROUNDING_OF_PAGES) if page else (json.loads(text), ROUNDING)


def read_rules(path):
    """The rules by table: lists of kind and expression."""
    rules = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                table, kind, expression = line.strip().split(None, 2)
                rules.setdefault(table, []).append((kind, expression))
    return rules


def program_of(report):
    """The program's name in the rules."""
    name = report["run"]["program"] if "run" in report else "psim-diff"
    return {"nsim": "net", "bsim": "net"}.get(name, name)


def check_table(place, rows, rules, is_table):
    """Yields None for each relation that holds, else a text."""
    for kind, expression in rules:
        if kind == "none" or (kind == "group") == is_table:
            continue
        wrong = 0
        for number, row in enumerate(rows if kind != "whole" else [{}]):
            try:
                good, a, b = holds(expression, place.names(row), place.rounding)
            except (Missing, KeyError, TypeError, NameError, ZeroDivisionError, AttributeError) as error:
                good, a, b = False, type(error).__name__, error
            wrong += not good
            if good or wrong == 1:
                yield None if good else f"{place.core}{' ' if place.core else ''}{place.table} row {number}: {expression}: {a}, {b}"


def check(path, rules):
    """Returns the numbers of tables and of relations, and the texts of what does not hold."""
    report, rounding = read_report(path)
    tables, held, wrong, program = 0, 0, [], program_of(report)
    for core, name, rows, is_table in tables_of(report):
        of_table = rules.get(f"{program}:{re.sub(OF_A_TRACE, 'TRACE_', name)}")
        if is_table and not of_table:
            wrong.append(f"{name}: not in the rules: {' '.join(rows[0]) if rows else ''}")
        for text in check_table(Place(report, core, name, rounding), rows, of_table or [], is_table):
            held += text is None
            wrong += [text] if text else []
        tables += is_table
    return tables, held, wrong


def main(rules_path, *reports):
    """Checks all; returns the status."""
    rules, status = read_rules(rules_path), 0
    for path in reports:
        tables, held, wrong = check(path, rules)
        print(f"{path}: {tables} tables, {held} relations hold, {len(wrong)} do not")
        for text in wrong:
            print(f"{path}: {text}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
