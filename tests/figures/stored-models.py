#!/usr/bin/env python3
"""Models of configs/models beside what psim-fit says of their points.

    stored-models.py [--write] [MODEL...]

Fits each model again, with its terms, to the points that it has in its file, and holds out what its command did. Prints a
row for each. Status 5 if a coefficient is another one by more than a millionth, or if the expected errors are not those of
this psim-fit; --write puts these into the files.
"""
import glob
import json
import os
import re
import shlex
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, output, read, start, write  # noqa: E402

PLACE = os.path.join(TOP, "configs/models")
ERRORS = ("errors", "error_inside", "error_outside")


def same(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-6)  # below a millionth of a percent is rounding


def fitted(folder, stored):
    """The report of a fit to the points of a stored model of one sum."""
    points = [[word.partition("=")[2] for word in point["point"].split(",")] + [repr(point["value"])]
              for point in stored["points"]]
    names = [row["variable"] for row in stored["variables"]]
    write(folder("times.csv"), "\n".join(",".join(row) for row in [names + ["seconds"]] + points) + "\n")
    command = shlex.split(stored["run"]["command"])
    held = [word for k, word in enumerate(command) if "--hold-out" in (word, command[k - 1])]
    terms = ", ".join(row["term"] for row in stored["terms"])
    weights = ["--weights", stored["model"]["weights"]]
    return json.loads(output("psim-fit", "-q", "--json", *weights, "--terms", terms, *held, "times.csv", cwd=folder.path))


def renew(text, model):
    """The text of a model file with the expected errors of this report."""
    text = re.sub(r'\n *"errors": [^\n]*', "", text)
    rows = ",\n".join(f'  "{name}": {json.dumps(model[name])}' for name in ERRORS)
    return re.sub(r'  "error_inside": [^\n]*,\n  "error_outside": [^\n]*', lambda _: rows, text)


def main(arguments):
    options, names = Command("stored-models.py", "", __doc__ + "\n", flags=["--write"]).parse(arguments)
    paths = names or sorted(glob.glob(os.path.join(PLACE, "**/*.model"), recursive=True))
    missed = False
    with Folder(None) as folder:
        for path in paths:
            text = read(path)
            stored = json.loads(text)
            again = fitted(folder, stored)
            old, new = ([model["model"].get(name) for name in ERRORS] for model in (stored, again))
            terms = all(same(a["coefficient"], b["coefficient"]) for a, b in zip(stored["terms"], again["terms"]))
            errors = None not in old and all(map(same, old, new))
            told = [] if terms else ["other coefficients"]
            told += [] if errors else [f"rules {old[0]}, errors {old[1]} and {old[2]}, expected {new[0]}, {new[1]:.6g}, {new[2]:.6g}"]
            print(f"{os.path.relpath(path, PLACE):24} {'; '.join(told) or 'as fitted'}")
            if options["write"] and not errors:
                write(path, renew(text, again["model"]))
            missed |= not terms or (not errors and not options["write"])
    return MISSED if missed else 0


if __name__ == "__main__":
    start("stored-models.py", main)
