#!/usr/bin/env python3
"""Writes one communication as a trace of calls and as a GOAL schedule.

    goal_calls.py KIND RANKS

KIND is pingpong, ring or allreduce (by recursive doubling); the files are t.txt and t.goal.
"""
import sys

kind, ranks = sys.argv[1], int(sys.argv[2])
# by rank: steps of ("calc", ns), ("send" or "recv", peer, tag, bytes) and ("both", to, from, tag, bytes)
steps = [[] for _ in range(ranks)]

if kind == "pingpong":
    for k in range(5):
        size = 1 << 4 * k + 2
        steps[0] += [("calc", 100 + k), ("send", 1, k, size), ("recv", 1, k, size)]
        steps[1] += [("recv", 0, k, size), ("calc", 50), ("send", 0, k, size)]
elif kind == "ring":
    for k in range(3):
        for r in range(ranks):
            steps[r] += [("calc", 10 * r + k), ("both", (r + 1) % ranks, (r - 1) % ranks, k, 5000)]
elif kind == "allreduce":
    for bit in range(ranks.bit_length() - 1):
        for r in range(ranks):
            steps[r] += [("both", r ^ 1 << bit, r ^ 1 << bit, bit, 1000), ("calc", 250)]


def calls(rank, step):
    if step[0] == "calc":
        return [f"{rank} compute {step[1] * 1e-9:.9f}"]
    if step[0] == "both":
        to, source, tag, size = step[1:]
        return [f"{rank} send {to} {tag} {size} req=0", f"{rank} recv {source} {tag} {size} req=1", f"{rank} wait 0 1"]
    return [f"{rank} {step[0]} {step[1]} {step[2]} {step[3]}"]


def operations(step):
    if step[0] == "calc":
        return [f"calc {step[1]}"]
    if step[0] == "both":
        to, source, tag, size = step[1:]
        return [f"send {size}b to {to} tag {tag}", f"recv {size}b from {source} tag {tag}"]
    return [f"{step[0]} {step[3]}b {'to' if step[0] == 'send' else 'from'} {step[1]} tag {step[2]}"]


with open("t.txt", "w") as trace, open("t.goal", "w") as goal:
    print("ranks", ranks, file=trace)
    print("num_ranks", ranks, file=goal)
    for r in range(ranks):
        print(f"rank {r} {{", file=goal)
        before, count = [], 0
        for step in steps[r]:
            print(*calls(r, step), sep="\n", file=trace)
            now = []
            for operation in operations(step):
                now.append(f"l{count}")
                count += 1
                print(f"{now[-1]}: {operation}", file=goal)
            for label in now:
                for other in before:
                    print(f"{label} requires {other}", file=goal)
            before = now
        print("}", file=goal)
