#!/usr/bin/env python3
"""The largest cycle of object files in each library: they need each other's functions or data, directly or through others.

    cycles.py [--all] LIBRARY...

A cycle is within one library or between several. Up to SMALL objects are parts of one idea. The bounds below only fall:
a cycle that has grown is a fault, one that has shrunk wants its bound lowered. --all prints every cycle with its files.
"""
import collections
import subprocess
import sys

SMALL = 5
# Objects of the largest cycle; docs/develop/design.md says why.
BOUNDS = {
    "array/libarray.a+core/libcore.a": 16,
    "energy/libenergy.a": 7,
    "record/librecord.a": 11,
    "replay/libreplay.a": 6,
}


def symbols(libraries):
    """Finds who defines and who needs each symbol: {symbol: object}, {object: symbols}. Weak definitions count."""
    defined, needed = {}, collections.defaultdict(set)
    listing = subprocess.run(["nm", "-A", "-P", *libraries], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        place, _, rest = line.partition(": ")
        fields = rest.split()
        if len(fields) < 2:
            continue
        library, _, member = place.rstrip("]").partition("[")
        name = (library, member)
        if fields[1] in "TDBRVW" and len(fields) > 2:
            defined.setdefault(fields[0], name)
        elif fields[1] == "U":
            needed[name].add(fields[0])
    return defined, needed


def components(edges):
    """Strongly connected components of more than one object (Tarjan 1972, without recursion)."""
    index, low, stack, on, found, count = {}, {}, [], set(), [], 0
    for root in sorted(edges):
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        on.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = count
                    count += 1
                    stack.append(target)
                    on.add(target)
                    work.append((target, iter(sorted(edges.get(target, ())))))
                    break
                if target in on:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    if len(component) > 1:
                        found.append(sorted(component))
    return found


def main(arguments):
    everything = "--all" in arguments
    libraries = [a for a in arguments if a != "--all"]
    defined, needed = symbols(libraries)
    edges = {o: {defined[s] for s in names if s in defined} - {o} for o, names in needed.items()}
    largest = collections.Counter()
    for component in components(edges):
        room = "+".join(sorted({"/".join(library.split("/")[-2:]) for library, _ in component}))
        largest[room] = max(largest[room], len(component))
        if everything:
            print(room, len(component), *(member for _, member in component))
    bad = 0
    for room in sorted(set(largest) | set(BOUNDS)):
        size, bound = largest[room], BOUNDS.get(room, 0)
        if size != bound and max(size, bound) > SMALL:
            bad += 1
            print(f"{room}: a cycle of {size} objects, expected {bound}"
                  + (": lower the bound in tests/lint/cycles.py" if size < bound else ""), file=sys.stderr)
    return 1 if bad else 0


sys.exit(main(sys.argv[1:]))
