#!/usr/bin/env python3
"""Two traces of one program (docs/formats/replay-format.md) have the same calls, rank by rank.

    same_calls.py ONE TWO

Computation is left out. Requests, communicators and windows count by the order in which a rank made them; of a split, who has the new
communicator; a wait counts once for each request, wherever it is, since tests find requests complete in any order. Prints the
numbers of ranks and events, or the first difference (status 1).
"""
import sys


def rank_events(path):
    """Returns, by rank, the list of events, and the set of requests that were waited for."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    ranks = [{"events": [], "waited": [], "made": 0, "request": {}, "comm": {}, "win": {}} for _ in range(int(lines[0][1]))]
    for words in lines[1:]:
        rank, event, rest = ranks[int(words[0])], words[1], words[2:]
        if event == "compute":
            continue
        if event == "wait":
            rank["waited"] += [rank["request"].pop(number) for number in rest]
            continue
        kept = []
        for word in rest[2:] if event == "split" else rest:
            name, _, value = word.partition("=")
            if name == "req":
                rank["request"][value] = rank["made"]
                rank["made"] += 1
                word = "req"
            elif name == "comm" and value != "self":
                word = f"comm={rank['comm'][value]}"
            elif name == "win":
                word = f"win={rank['win'][value]}"
            elif name == "new":
                numbers = rank["win" if event == "window" else "comm"]
                numbers[value] = len(numbers)
                word = "new"
            kept.append(word)
        rank["events"].append(" ".join([event, *sorted(kept, key=lambda word: "=" in word)]))
    return ranks


def main(one, two):
    """Compares the traces; returns the status."""
    a, b = rank_events(one), rank_events(two)
    if len(a) != len(b):
        print(f"{len(a)} and {len(b)} ranks")
        return 1
    for number, (x, y) in enumerate(zip(a, b)):
        for n, (p, q) in enumerate(zip(x["events"], y["events"])):
            if p != q:
                print(f"rank {number}, event {n}: {p} | {q}")
                return 1
        for what in ("events", "made"):
            if x[what] != y[what]:
                print(f"rank {number}: other {what}")
                return 1
        if sorted(x["waited"]) != list(range(x["made"])) or sorted(y["waited"]) != list(range(y["made"])):
            print(f"rank {number}: a request that no wait ends, or that two end")
            return 1
    print(f"{len(a)} ranks, {sum(len(rank['events']) for rank in a)} events, the same")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
