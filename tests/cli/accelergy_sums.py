#!/usr/bin/env python3
"""Sums of Accelergy's tables that psim wrote, beside the JSON report of the same run: each energy times its count, each area.

    accelergy_sums.py TABLES REPORT     prints ours and the report's; block-style YAML, as Accelergy writes it
"""
import json
import sys


def tables(path):
    """{(component, action): pJ}, {component: um2}."""
    energy, area, component, action, table = {}, {}, "", "", ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            key, _, value = line.strip().lstrip("- ").partition(":")
            value = value.strip()
            if not line.startswith(" "):
                table = key
            elif key == "name" and line.startswith("  -"):
                component = value
            elif key == "name":
                action = value
            elif key == "energy" and table == "ERT":
                energy[component, action] = float(value)
            elif key == "area" and table == "ART":
                area[component] = float(value)
    return energy, area


def main(path, report):
    energy, area = tables(path)
    with open(report, encoding="utf-8") as file:
        result = json.load(file)
    told, cycles = result["energy"], result["core"]["cycles"]
    sum_pj = sum(row["reads"] * energy[f"chip.array.{row['array']}", "read"] +
                 row["writes"] * energy[f"chip.array.{row['array']}", "write"] for row in told["arrays"])
    sum_pj += sum(row["count"] * (energy[f"chip.operation.{row['operation']}", "compute"] +
                                  energy.get((f"chip.operation.{row['operation']}", "in_stage"), 0)) for row in told["operations"])
    sum_pj += cycles * (energy["chip.whole.cycle", "clock"] + energy["chip.whole.cycle", "leak"])
    stages = [name for name, action in energy if action == "move"]
    for name, row in zip(stages, told["stages"], strict=True):
        sum_pj += row["slots_moved"] * energy[name, "move"] + row["slots_held"] * energy[name, "hold"]
    print(f"{1e-12 * sum_pj / told['total_j']:.5f} of the energy, {1e-6 * sum(area.values()) / result['area']['total_mm2']:.5f} of the area")


if __name__ == "__main__":
    main(*sys.argv[1:])
