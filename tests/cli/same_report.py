#!/usr/bin/env python3
"""Runs `nsim …` or `bsim …` on one process and on 2 and 3, and compares.

same_report.py PROGRAM ARGUMENT...

Prints for each number of processes `windows` (it was simulated by them) or `alone` (it was repeated on one process), and what differs
from one process: exit status, standard error, groups of the report, the files of FILES in the environment. The command and the host's cost
may differ.
"""
import json
import os
import subprocess
import sys

OTHER = ("run", "host", "units", "parallel", "parallel_estimate")


def outcome(processes):
    files = os.environ.get("FILES", "").split()
    for name in files + ["same.json"]:
        if os.path.exists(name):
            os.remove(name)
    several = ["-j", str(processes), "--parallel-report"] if processes > 1 else []
    command = [sys.argv[1], "-q", "--json", "--each-rank", "-o", "same.json", *several, *sys.argv[2:]]
    done = subprocess.run(command, capture_output=True, check=False)
    result = {"status": done.returncode, "output": done.stdout, "errors": done.stderr, "groups": []}
    if os.path.exists("same.json"):
        with open("same.json", encoding="utf-8") as file:
            report = json.load(file)
        result["windows"] = "parallel" in report
        result["groups"] = [key for key in report if key not in OTHER]
        result.update((key, value) for key, value in report.items() if key not in OTHER)
    for name in files:
        with open(name, "rb") as file:
            result[name] = file.read()
    return result


def main():
    one = outcome(1)
    one.pop("windows", None)
    for processes in 2, 3:
        many = outcome(processes)
        print("windows" if many.pop("windows", False) else "alone", end=" ")
        differ = [key for key in sorted({*one, *many}) if one.get(key) != many.get(key)]
        if differ:
            print("differ in", ", ".join(differ), end="; ")
    print()


main()
