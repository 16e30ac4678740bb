"""A sampled study beside the same study simulated whole.

    sampled_study.py points WHOLE.csv SAMPLED.csv    what is exact is so; how many intervals hold
    sampled_study.py front WHOLE.json SAMPLED.json   what the front of exact figures is to the sampled one
"""

import csv
import json
import sys


def points(whole_file: str, sampled_file: str) -> str:
    with open(whole_file, newline="") as f, open(sampled_file, newline="") as g:
        whole, sampled = list(csv.DictReader(f)), list(csv.DictReader(g))
    held = intervals = wide = 0
    for exact, row in zip(whole, sampled, strict=True):
        if row["simulated"] == "whole":
            assert all(row[name] == exact[name] for name in exact), row
            continue
        for figure, error in (("seconds", "seconds_error"), ("system_j", "system_error_j")):
            value, half = float(row[figure]), float(row[error])
            intervals += 1
            held += abs(value - float(exact[figure])) <= half
            wide += half > 0.05 * value
        assert all(row[name] == exact[name] for name in ("area_mm2", "instructions", "thermal_w")), row
        assert abs(float(row["ipc"]) * float(row["cycles"]) / float(row["instructions"]) - 1) < 1e-12, row
    return f"{held} of {intervals} intervals hold; {wide} are wide"


def front(whole_file: str, sampled_file: str) -> str:
    with open(whole_file) as f, open(sampled_file) as g:
        whole, sampled = json.load(f), json.load(g)
    names = [row["name"] for row in whole["study"]["parameters"]]

    def designs(rows: list[dict]) -> set[tuple]:
        return {tuple(row[name] for name in names) for row in rows}

    exact = designs(whole["pareto"])
    sure = designs([row for row in sampled["pareto"] if row["within"] == "yes"])
    possible = designs(sampled["pareto"] + sampled["pareto_within"])
    assert all(row["within"] == "maybe" for row in sampled["pareto_within"])
    return f"missed: {len(exact - possible)}; wrong: {len(sure - exact)}"


if __name__ == "__main__":
    print({"points": points, "front": front}[sys.argv[1]](*sys.argv[2:]))
