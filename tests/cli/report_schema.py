#!/usr/bin/env python3
"""Reports in JSON are what docs/formats/report.schema.json says, and what it cannot say: rows of a table have the same members, and
each unit belongs to a value.

    report_schema.py SCHEMA REPORT...

A line for each report, with the numbers of values and units; status 1 at the first that differs. Status 77, with a message, without the
Python package jsonschema.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("no jsonschema: install python3-jsonschema")
    sys.exit(77)


def names_of(value, name, names):
    """Adds the names of values to `names`, without rows; returns the number of values."""
    if isinstance(value, dict):
        return sum(names_of(member, f"{name}.{key}" if name else key, names) for key, member in value.items())
    if isinstance(value, list):
        if len({tuple(row) for row in value}) > 1:
            raise ValueError(f"{name}: rows have other members")
        for key in value[0] if value else ():
            names.add(f"{name}.{key}")
        return sum(len(row) for row in value)
    names.add(name)
    return 1


def check(schema, path):
    """Returns a line on the report; raises an error if it is none."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    jsonschema.validate(report, schema)
    units = report.pop("units")
    names, tables = set(), {name for name, part in report.items() if part == []}
    count = names_of(report, "", names)
    strange = [unit for unit in units if unit not in names and unit.rpartition(".")[0] not in tables]
    if strange:
        raise ValueError(f"units of {strange[0]}, which is no value")
    return f"{count} values, {len(units)} units"


def main(schema, *reports):
    """Checks all; returns the status."""
    with open(schema, encoding="utf-8") as file:
        described = json.load(file)
    jsonschema.Draft202012Validator.check_schema(described)
    for path in reports:
        try:
            print(f"{path}: {check(described, path)}")
        except (jsonschema.ValidationError, ValueError) as error:
            print(f"{path}: {str(error).splitlines()[0]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
