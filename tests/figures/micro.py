#!/usr/bin/env python3
"""Micro-benchmarks: cycles measured against cycles derived from the parameters.

    micro.py [-j JOBS] [NAME...]    all rows of micro.table, or those named

Each row becomes an assembly program with three regions: warm-up, 1000 and 2000 repetitions; the difference of the last
two is free of start and end. Prints a line for each row and set of parameters. psim and psim-record are found in PATH.
Status 5 if a measured figure differs from the derived one by more than 0.2 % and two cycles, 77 without the cross
compiler.
"""
import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Jobs, Report, need, start  # noqa: E402
from micro_programs import COMPILER, record, rows  # noqa: E402

PERFECT = ("l1i.perfect=yes", "l1d.perfect=yes", "tlb.perfect=yes", "memory.latency=120cycles", "memory.bandwidth=4B/cycle")
LINE = 64                # bytes, which a bandwidth in bytes a cycle is an interval of
TOLERANCE, CYCLES = 500, 2  # a 500th of the derived figure, and two cycles


def quotient(a, b):
    """Division as C has it: towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


class Formula:
    """A formula of the table, an expression of C with integers: + - * / < > ?: and parentheses."""

    OPERATORS = ({"<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b)},
                 {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
                 {"*": lambda a, b: a * b, "/": quotient})

    def __init__(self, text, values):
        self.words, self.values = re.findall(r"\w+|\S", text), values

    def value(self):
        condition = self.binary(0)
        if self.words[:1] != ["?"]:
            return condition
        self.words.pop(0)
        chosen = self.value()
        self.words.pop(0)
        other = self.value()
        return chosen if condition else other

    def binary(self, level):
        if level == len(self.OPERATORS):
            return self.operand()
        left = self.binary(level + 1)
        while self.words and self.words[0] in self.OPERATORS[level]:
            operator = self.OPERATORS[level][self.words.pop(0)]
            left = operator(left, self.binary(level + 1))
        return left

    def operand(self):
        word = self.words.pop(0)
        if word == "(":
            value = self.value()
            self.words.pop(0)
            return value
        return int(word) if word.isdigit() else self.values[word]


def parameters(report):
    """The names that a formula may use: the configuration as section_key, o = operand_stages, s = commit_stages."""
    values = {}
    for group, name, _, text in (row[:4] for row in report.rows):
        section = group.removeprefix("config.")
        if section == group:
            continue
        if re.fullmatch(r"[0-9.]+ B/cycle", text):
            values[section + "_interval"] = int(LINE / float(text.split()[0]) + 0.5)
        elif re.fullmatch(r"yes|no|[0-9]+( cycles)?", text):
            values[f"{section}_{name}"] = {"yes": 1, "no": 0}.get(text) if text in ("yes", "no") else int(text.split()[0])
    return {**values, "o": values["core_operand_stages"], "s": values["core_commit_stages"]}


def variations(row):
    """Sets of overrides of a row. The defaults are the first one, but for differences and where `=` begins the row's."""
    sets = row.sets.removeprefix("=").split(";")
    return ([] if row.kind == "delta" or row.sets.startswith("=") else [""]) + [" ".join(one.split()) for one in sets]


class Runs:
    """Simulations of the rows' programs."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, Jobs("micro.py", folder, jobs, quiet=True)
        self.number = {}

    def add(self, row, overrides):
        """Adds the simulation with these overrides."""
        name = self.number.setdefault((row.name, overrides), f"{len(self.number)}.csv")
        machine = ["simd.pes=16"] if row.name.startswith("simd-") else []
        command = ["psim", "-q", "--check", "-f", "csv", "--no-profile"]
        for one in [*PERFECT, *machine, *overrides.split()]:
            command += ["-p", one]
        trace = record(self.jobs, row)
        self.jobs.add([name], [[*command, "-o", self.folder(name), trace]], [trace], f"{row.name} {overrides}")

    def of(self, row, overrides):
        """(cycles of the 1000 repetitions more, its report)"""
        report = Report(self.folder(self.number[row.name, overrides]))
        cycles = dict(zip(report.column("regions", "name"), map(int, report.column("regions", "cycles"))))
        return cycles["long"] - cycles["short"], report


def main(arguments):
    options, names = Command("micro.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need(COMPILER, "ninja")
    wanted = [row for name, row in rows().items() if name in names or not names]
    equal = different = 0
    with Folder() as folder:
        runs = Runs(folder, options["jobs"] or 1)
        for row in wanted:
            for overrides in ([""] if row.kind == "delta" else []) + variations(row):
                runs.add(row, overrides)
        runs.jobs.run()
        print(f"{'benchmark':18} {'parameters':62} {'derived':>9} {'measured':>9}")
        for row in wanted:
            base = runs.of(row, "")[0] if row.kind == "delta" else 0
            for overrides in variations(row):
                measured, report = runs.of(row, overrides)
                measured -= base
                derived = Formula(row.formula, parameters(report)).value()
                within = abs(measured - derived) <= abs(derived) // TOLERANCE + CYCLES
                equal, different = equal + within, different + (not within)
                print(f"{row.name:18} {overrides or 'defaults':62} {derived:9} {measured:9}  {'equal' if within else 'DIFFERENT'}")
    print(f"micro-benchmarks: {equal} equal, {different} different")
    return MISSED if different else 0


if __name__ == "__main__":
    start("micro.py", main)
