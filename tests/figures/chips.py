#!/usr/bin/env python3
"""Published chips and units beside ours: docs/accuracy/energy-chips.md.

    chips.py               prints the tables
    chips.py --write       writes the page
    chips.py --check       says whether the page is old: status 1

chips.table has the published figures with their sources, and chips/NAME.ini the descriptions; psim is found in PATH. A chip
runs a matrix product of 48 x 48 on each core; what does not depend on a program is the same with any.
"""
import json
import os
import re
import statistics
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Stop, read, start  # noqa: E402

FIGURES = os.path.join(TOP, "tests/figures")
TABLE = os.path.join(FIGURES, "chips.table")
PAGE = os.path.join(TOP, "docs/accuracy/energy-chips.md")
SAMPLES = os.path.join(TOP, "traces/samples")
NAMES = {"thermal": "thermal design power", "program": "power of a matrix product", "leakage": "leakage", "clock": "clock tree", "area": "area, core and L2",
         "flop": "energy of an operation, the array", "read sbm": "read of RAM", "area sbm": "area of RAM",
         "read l2": "read of L2", "area l2": "area of L2", "operation int_alu": "integer add",
         "operation int_mul": "integer multiply", "operation fp_mul": "FP multiply", "operation fp_fma": "FP multiply-add"}
KINDS = {"thermal": "thermal power", "program": "program's power", "leakage": "leakage, clock", "clock": "leakage, clock",
         "area": "area"}
SIMD = ("simd_control", "simd_fp", "simd_div", "simd_sbm")


def chips():
    """The chips of the table: [(name, what, source, [(figure, published, unit, calibrated)], remark)]."""
    found = []
    for number, line in enumerate(read(TABLE).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.lstrip("=~ ").split("|")]
        if line.startswith("=") and len(cells) == 3:
            found.append([*cells, [], ""])
        elif line.startswith("~") and len(cells) == 1 and found:
            found[-1][4] = cells[0]
        elif len(cells) == 4 and found and cells[0] in NAMES:
            found[-1][3].append((cells[0], float(cells[1]), cells[2], cells[3].removeprefix("calibrated: ").strip("-")))
        else:
            raise Stop(2, f"{TABLE}:{number}: expected a chip, a figure of {', '.join(NAMES)}, or a remark")
    return found


def report(name):
    trace = "simd-dgemm" if name == "csx600" else "dgemm"
    command = ["psim", "-q", "-c", f"{FIGURES}/chips/{name}.ini", "-f", "json", f"{SAMPLES}/{trace}.trace.gz"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise Stop(run.returncode, run.stderr.strip())
    return json.loads(run.stdout)


def row(table, key, value):
    return next(one for one in table if one[key] == value)


def part(result, array):
    return sum(one["area"] for one in result["area"]["parts"] if one["part"] == array)


def ours(result, figure):
    """Our figure in the table's unit."""
    energy = result["energy"]
    kind, _, name = figure.partition(" ")
    if figure == "program":
        return energy["average_w"]
    if figure in ("thermal", "leakage", "clock"):
        return energy[figure + "_w"]
    if figure == "flop":
        joules = sum(one["energy"] for one in energy["units"] if one["unit"] in SIMD)
        return 1e9 * joules / (result["core"]["gflops"] * 1e9 * energy["seconds"])
    if kind == "read":
        return row(energy["arrays"], "array", name)["read"]
    if kind == "operation":
        one = row(energy["operations"], "operation", name)
        return one["each"]
    if figure == "area":
        return result["area"]["total_mm2"]
    return part(result, name) / (int(result["config"]["simd"]["pes"]) if name == "sbm" else 1)


def digits(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def lines():
    """The page's tables."""
    offs, text = {"thermal power": [], "program's power": [], "leakage, clock": [], "area": [], "unit": []}, []
    for name, what, source, figures, remark in chips():
        result = report(name)
        text += ["", f"**{what}** ({source}; `tests/figures/chips/{name}.ini`)", "",
                 "| figure | published | ours | off | calibrated |", "|---|---:|---:|---:|---|"]
        for figure, published, unit, calibrated in figures:
            value = ours(result, figure)
            off = 100 * (value / published - 1)
            text.append(f"| {NAMES[figure]} | {digits(published)} {unit} | {digits(value)} | {off:+.0f} % | "
                        f"{f'`{calibrated}`' if calibrated else ''} |")
            kind = KINDS.get(figure, "unit")
            if not calibrated:
                offs[kind].append(abs(off))
        if remark:
            text += ["", remark]
    said = [f"| {kind} | {len(all_)} | {statistics.median(all_):.0f} % | {max(all_):.0f} % |" for kind, all_ in offs.items()]
    return ["| figures not calibrated | number | median off | most off |", "|---|---:|---:|---:|", *said, *text]


HEAD = """# Accuracy: published chips and units

Nine chips, two memories at three nodes, and arithmetic, as published and by psim with what is public of them. The
descriptions and the published figures were written before the first run. `ninja -C build chips-docs` makes this page from
`tests/figures/chips.table`; `tests/figures/chips.py` prints it.

- **Power** of a chip is published without a load, or as that of the design. Ours is the [thermal design
  power](../models/energy.md#peak-heat-and-yield), two thirds of the peak, and that of a program, which was added after
  the first run. Both have cores and L2: no pads, memory controllers, crossbar or network.
- **Area** is of cores and L2, the published one that of the die.
- A figure that a constant was **calibrated** on confirms nothing, and does not count.

"""


def main(arguments):
    options, operands = Command("chips.py", "", __doc__ + "\n", flags=("--write", "--check")).parse(arguments)
    if operands:
        raise Stop(2, "expected no operand")
    page = HEAD + "\n".join(lines()) + "\n"
    if options["write"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)
    elif options["check"]:
        if page != read(PAGE):
            raise Stop(1, "docs/accuracy/energy-chips.md is old: ninja chips-docs")
    else:
        print(page, end="")
    return 0


if __name__ == "__main__":
    start("chips.py", main)
