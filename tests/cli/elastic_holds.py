#!/usr/bin/env python3
"""Reads the files of psim-trace --elastic and --elastic-fetch, and counts what they hold.

  elastic_holds.py DATA FETCH

Written from the descriptions: protocol buffers' wire format (a varint of field << 3 | type; type 0 a varint, 2 a length and
bytes), gem5's src/proto/inst_dep_record.proto, packet.proto and protoio (the bytes "gem5", then messages, each behind the
varint of its length), all through gzip. Says what breaks a rule: a dependence on itself or a later instruction, one outside
the window, a missing field, two pages in one frame.
"""
import collections
import gzip
import sys

PAGE = 13
counts = collections.Counter()
frames, pages = {}, {}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields (field, value) of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            raise SystemExit(f"wire type {key & 7}")
        yield key >> 3, value


def messages(path):
    with gzip.open(path) as file:
        data = file.read()
    if data[:4] != b"gem5":
        raise SystemExit("no magic number")
    at = 4
    while at < len(data):
        length, at = varint(data, at)
        yield list(fields(data[at:at + length]))
        at += length


def map_page(virtual, physical):
    v, p = virtual >> PAGE, physical >> PAGE
    if frames.setdefault(v, p) != p or pages.setdefault(p, v) != v or (virtual ^ physical) & ((1 << PAGE) - 1):
        counts["wrong pages"] += 1


records = messages(sys.argv[1])
head = dict(next(records))
print("data:", head[1].decode(), "tick", head[3], "window", head[4])
last = 0
for fields_of in records:
    f = dict(fields_of)
    kind = {1: "loads", 2: "stores", 3: "others"}[f[2]]
    counts[kind] += 1
    counts["out of order"] += f[1] != last + 1
    last = f[1]
    for field, value in fields_of:
        if field in (6, 8):
            counts["order" if field == 6 else "register"] += 1
            counts["bad dependences"] += not f[1] - head[4] <= value < f[1]
    counts["bad delays"] += f[7] <= 0 or f[7] % 1000 != 0
    if kind == "others":
        counts["bad fields"] += any(n in f for n in (3, 4, 5, 6, 11))
    else:
        counts["bytes of " + kind] += f[4]
        map_page(f[11], f[3])
packets = messages(sys.argv[2])
head = dict(next(packets))
print("fetch:", head[1].decode(), "tick", head[3])
before = -1
for fields_of in packets:
    f = dict(fields_of)
    counts["fetches"] += 1
    counts["bad packets"] += f[2] != 1 or f[4] != 64 or f[5] != 256 or f[1] < before or f[3] % 64 != 0
    before = f[1]
    map_page(f[7] & ~63, f[3])
counts["pages"] = len(frames)
for name in sorted(counts):
    print(name, counts[name])
