#!/usr/bin/env python3
"""Compares the sums of psim's --counters-csv with the counters of the run's report.

  counter_sums.py ROWS.csv REPORT.json

Prints the number of rows and the names of counters that do not add up.
"""
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)


def value(name):
    """The report's counter of that name."""
    at = report
    for part in name.split("."):
        at = at[part]
    return at


names = [n for n in rows[0] if "." in n]
if not names:
    sys.exit("counter_sums.py: no counters, expected columns with a dot in their names")
print(len(rows), [n for n in names if sum(int(r[n]) for r in rows) != value(n)])
