#!/usr/bin/env python3
"""The same communication as a trace of calls, t.txt, and as events of an OTF2 archive, t.events, which otf2-writer makes
one of: otf2_calls.py RANKS. The bytes of collective operations are those that Score-P counts.
"""
import sys

N = int(sys.argv[1])
HALF = N // 2
OPS = {name: number for number, name in enumerate(
    "barrier bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw allreduce reduce"
    " reduce_scatter scan exscan reduce_scatter_block create".split())}
NO_ROOT = 0xffffffff
calls, events = [f"ranks {N}"], [f"ranks {N} 1000000000", "comm 0 " + " ".join(map(str, range(N))),
                                 "comm 1 " + " ".join(map(str, range(HALF))),
                                 "comm 2 " + " ".join(map(str, reversed(range(HALF, N)))), "comm 3 self", "locals"]


class Rank:
    """Writes both forms of a rank; a call of the archive takes 5 ns or more, which a simulation replaces."""

    def __init__(self, number):
        self.number = number
        self.now = 1000 + 10 * number

    def event(self, *words):
        """An event of the archive now."""
        events.append(" ".join(map(str, [self.number, self.now, *words])))

    def call(self, line, *inside):
        """A call of our trace, and what the archive has within its region."""
        calls.append(f"{self.number} {line}")
        self.event("enter")
        for words in inside:
            self.now += 1
            self.event(*words)
        self.now += 5
        self.event("leave")

    def compute(self, nanoseconds):
        """Computation, half of which is in a function of the program."""
        calls.append(f"{self.number} compute 0.{nanoseconds:09d}")
        self.event("enter_own")
        self.now += nanoseconds // 2
        self.event("leave_own")
        self.now += nanoseconds - nanoseconds // 2

    def collective(self, name, line, sent, received, root=NO_ROOT, comm=0, text=""):
        """A blocking collective operation."""
        self.call(f"{line}{text}", ["begin"], ["end", OPS[name], comm, root, sent, received])


for me in range(N):
    r = Rank(me)
    after, before = (me + 1) % N, (me - 1) % N
    r.event("enter_own")
    color = int(me >= HALF)
    r.collective("create", f"split {color} {N - me if color else me} new={color + 1}", 0, 0)
    r.compute(100 + me)
    r.call(f"recv {before} 5 {100 + before} req=0", ["irecv_request", 77])
    r.call(f"recv {before} 6 300000 req=1", ["irecv_request", 70])
    r.call(f"send {after} 6 300000 req=2", ["isend", after, 0, 6, 300000, 99])
    r.compute(1000)
    r.call(f"send {after} 5 {100 + me}", ["send", after, 0, 5, 100 + me])
    r.call("wait 1 0 2", ["irecv", before, 0, 6, 300000, 70], ["test", 77],
           ["irecv", before, 0, 5, 100 + before, 77], ["isend_complete", 99])
    r.event("leave_own")
    r.compute(50 * me + 1)
    root = me == 1
    r.collective("barrier", "barrier", 0, 0)
    r.collective("bcast", "bcast 1000 root=1", N * 1000 if root else 0, 1000, 1)
    r.compute(17)
    r.collective("reduce", "reduce 125x8 root=1", 1000, N * 1000 if root else 0, 1)
    r.collective("gather", "gather 24 24 root=1", 24, N * 24 if root else 0, 1)
    r.collective("scatter", "scatter 52 52 root=1", N * 52 if root else 0, 52, 1)
    r.collective("allgather", "allgather 40 40", N * 40, N * 40)
    r.collective("alltoall", "alltoall 2000 2000", N * 2000, N * 2000)
    r.collective("allreduce", "allreduce 1x8", N * 8, N * 8)
    r.collective("scan", "scan 3x4", (N - me) * 12, (me + 1) * 12)
    r.collective("exscan", "exscan 1x8", (N - me - 1) * 8, me * 8)
    r.collective("reduce_scatter_block", "reduce_scatter_block 5x8", N * 40, N * 40)
    parts = ",".join(["30"] * N)
    r.collective("allgatherv", f"allgatherv 30 {parts}", N * 30, N * 30)
    r.collective("alltoallv", f"alltoallv {parts} {parts}", N * 30, N * 30)
    r.collective("gatherv", f"gatherv {me + 1} " + ",".join(str(i + 1) for i in range(N)) + " root=1", me + 1,
                 N * (N + 1) // 2 if root else 0, 1)
    r.collective("scatterv", f"scatterv {parts} 30 root=1", N * 30 if root else 0, 30, 1)
    r.collective("reduce_scatter", f"reduce_scatter {parts}", N * 30, N * 30)
    r.compute(1)
    # nonblocking, with its parameters at the end alone
    r.call("allreduce 100x8 req=4", ["request", 5])
    r.compute(700)
    r.call("wait 4", ["complete", OPS["allreduce"], 0, NO_ROOT, N * 800, N * 800, 5])
    r.compute(3)
    # on halves; the second one's ranks are in reverse order
    half, own = (1, me) if me < HALF else (2, N - 1 - me)
    r.collective("bcast", "bcast 777 root=1", (HALF if me < HALF else N - HALF) * 777 if own == 1 else 0, 777, 1, half,
                 f" comm={half}")
    if own < 2:
        r.call(f"send {1 - own} 9 64 req=0 comm={half}", ["isend", 1 - own, half, 9, 64, 1])
        r.call(f"recv {1 - own} 9 64 comm={half}", ["recv", 1 - own, half, 9, 64])
        r.call("wait 0", ["isend_complete", 1])
    r.call("send 0 1 8 req=0 comm=self", ["isend", 0, 3, 1, 8, 1])
    r.call("recv 0 1 8 comm=self", ["recv", 0, 3, 1, 8])
    r.call("wait 0", ["isend_complete", 1])
    # a receive that is cancelled, one that never ends
    r.event("irecv_request", 11)
    r.event("irecv_request", 12)
    r.compute(5)
    r.event("cancelled", 11)
    r.compute(500)
    r.event("enter_own")

for name, lines in ("t.txt", calls), ("t.events", events):
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
