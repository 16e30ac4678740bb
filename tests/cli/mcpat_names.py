#!/usr/bin/env python3
"""Reads the XML of psim --mcpat as McPAT 1.3 does: by names, components in their order.

    mcpat_names.py NAMES FILE [COMPONENT.NAME...]     prints what is wrong, or the values of these names

NAMES is mcpat.names. Each param and stat has a value, and is known to McPAT in its component.
"""
import sys
import xml.etree.ElementTree as ElementTree


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [tuple(line.split()) for line in file if line.strip() and not line.startswith("#")]


def walk(component, found):
    for child in component:
        if child.tag == "component":
            found.append(("component", child.get("id")))
            walk(child, found)
        else:
            found.append((child.tag, component.get("id"), child.get("name"), child.get("value")))


def main(names, path, *wanted):
    known, found = rows_of(names), []
    root = ElementTree.parse(path).getroot()
    if (root.tag, root.get("id")) != ("component", "root"):
        print("the first component is not root")
    walk(root, found)
    if [row for row in found if row[0] == "component"] != [row for row in known if row[0] == "component"]:
        print("components differ from those of McPAT's sample, or have another order")
    for row in found:
        if row[0] != "component" and (row[:3] not in known or not row[3] or "nan" in row[3] or "inf" in row[3]):
            print("unknown to McPAT, or without a value:", *row)
    values = {f"{row[1]}.{row[2]}": row[3] for row in found if row[0] != "component"}
    for name in wanted:
        print(name, values.get(name))
    if not wanted:
        print(sum(row[0] == "param" for row in found), "parameters,", sum(row[0] == "stat" for row in found), "counts")


if __name__ == "__main__":
    main(*sys.argv[1:])
