#!/usr/bin/env python3
"""Checks what holds of the timelines of any run: timeline_holds.py CHROME.json PAJE.

Times are in order. Slices of a rank follow each other, each arrow begins and ends once, within a slice, each state is pushed and
popped, and counters end at 0. Prints whether there are many slices and arrows, and the number of gaps between slices of ranks.
"""
import collections, json, sys
now, depth, arrows, counters, slices, gaps = 0, collections.Counter(), collections.Counter(), {}, 0, 0
last = {}
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    if "ts" not in e:
        continue
    row = e["pid"], e.get("tid")
    assert e["ts"] >= now, e
    now = e["ts"]
    if e["ph"] == "B":
        assert depth[row] == 0, e
        gaps += row in last and last[row] != now and row[1] == 0
        depth[row] += 1
        slices += 1
    elif e["ph"] == "E":
        depth[row] -= 1
        last[row] = now
        assert depth[row] == 0, e
    elif e["ph"] in "sf":
        arrows[e["id"]] += 1 if e["ph"] == "s" else 10
        assert depth[row] == 1, e
    elif e["ph"] == "C":
        assert min(e["args"].values()) >= 0, e
        counters[e["name"]] = max(e["args"].values())
assert not any(depth.values()) and not any(counters.values()) and set(arrows.values()) == {11}
now, depth, links = 0.0, collections.Counter(), collections.Counter()
for line in open(sys.argv[2]):
    w = line.split()
    if w[0] not in ("4", "6", "7", "8", "9", "11", "13") or "." not in w[1]:
        continue
    assert float(w[1]) >= now, line
    now = float(w[1])
    depth[w[2], w[3]] += (w[0] == "8") - (w[0] == "9")
    assert depth[w[2], w[3]] in (0, 1), line
    links[w[3], w[-1]] += {"6": 1, "7": 10}.get(w[0], 0) if w[3] in "AM" else 0
assert not any(depth.values()) and set(links.values()) <= {0, 11}
print("holds", slices > 20, len(arrows) > 20, gaps)
