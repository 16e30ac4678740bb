#!/usr/bin/env python3
"""Private L2s and a shared L3 beside an independent simulator of their contents: docs/models/memory.md.

    levels_peer.py PROGRAM

PROGRAM is tests/figures/levels-peer of the build. Both have the same random loads and stores of cores that share all lines;
the level of each access and the counters of each core are equal. Status 5 if one is not.

The simulator here has lists of lines and sets of holders, and no time. It writes each rule of the page once, by cores instead
of by levels: which lines a core has, where the dirty copy is.
"""
import random
import subprocess
import sys

MISSED = 5
LINE = 64
ACCESSES = 6000
L1, L2, L3, MEMORY = range(4)
KINDS = ("inclusive", "exclusive", "neither")
COUNTERS = ("l1d_writebacks", "l3_accesses", "l3_hits", "l3_misses", "l3_victims", "l3_invalidated", "l3_writebacks",
            "transfers", "invalidations", "upgrades", "displaced", "messages",
            "victim_hits")
# cores, lines of the program, sets and ways of L1D, L2, L3, and of a sparse directory
SHAPES = (
    (1, 40, (2, 1), (2, 2), (2, 6)),
    (1, 400, (4, 2), (8, 4), (16, 8)),
    (2, 60, (4, 2), (4, 4), (8, 6)),
    (4, 100, (2, 2), (4, 3), (6, 8)),
    (8, 300, (4, 2), (8, 2), (32, 4)),
    (4, 100, (2, 2), (4, 3), (6, 8), (4, 4)),
    (16, 300, (2, 2), (4, 2), (32, 4), (8, 4)),
)
VICTIMS = (0, 1, 3, 16)  # lines of the victim cache of L1D, of a machine of one core


class Cache:
    """Sets of lines, the most recently used first; the dirty ones are in `dirty`."""

    def __init__(self, shape):
        self.sets, self.ways = shape
        self.lines = [[] for _ in range(self.sets)]
        self.dirty = set()

    def has(self, line):
        return line in self.lines[line % self.sets]

    def use(self, line):
        """Makes it the most recently used; returns whether it is there."""
        row = self.lines[line % self.sets]
        if line not in row:
            return False
        row.remove(line)
        row.insert(0, line)
        return True

    def put(self, line, dirty=False):
        """Inserts it; returns the line that it replaces and whether that is dirty, or None."""
        row = self.lines[line % self.sets]
        row.insert(0, line)
        if dirty:
            self.dirty.add(line)
        if len(row) <= self.ways:
            return None
        old = row.pop()
        return old, self.clean(old)

    def drop(self, line):
        """Removes it; returns whether it was dirty."""
        if self.has(line):
            self.lines[line % self.sets].remove(line)
        return self.clean(line)

    def clean(self, line):
        was = line in self.dirty
        self.dirty.discard(line)
        return was


class Core:
    def __init__(self, shape, victims):
        self.l1, self.l2 = Cache(shape[2]), Cache(shape[3])
        self.victims = Cache((1, victims))
        self.count = dict.fromkeys(COUNTERS, 0)

    def is_dirty(self, line):
        return line in self.l1.dirty or line in self.l2.dirty

    def drop_l1(self, line):
        return self.l1.drop(line) or self.victims.drop(line)

    def put_l1(self, line, dirty):
        """Inserts it into L1D, and L1D's victim into the victim cache; dirty data leaves that."""
        victim = self.l1.put(line, dirty)
        victim = victim and self.victims.put(*victim)
        if victim and victim[1]:
            self.count["l1d_writebacks"] += 1
            self.l2.dirty.add(victim[0])

    def drop(self, line):
        """Removes it from both; dirty data of L1D goes through L2 where the line is evicted."""
        first, second = self.drop_l1(line), self.l2.drop(line)
        return first, first or second


class Chip:
    def __init__(self, shape, kind, victims):
        self.cores, self.l3, self.kind = [Core(shape, victims) for _ in range(shape[0])], Cache(shape[4]), kind
        self.directory = Cache(shape[5]) if len(shape) > 5 else None

    def others(self, core, line):
        return [c for c in self.cores if c is not core and c.l2.has(line)]

    def memory(self, core, dirty):
        core.count["l3_writebacks"] += dirty

    def evicted(self, core, victim):
        """L3 has evicted a line for one of `core`."""
        if not victim:
            return
        line, dirty = victim
        if self.kind == "inclusive":
            dirty = self.clear(line, "l3_invalidated") or dirty
            self.leave(line)
        self.memory(core, dirty)

    def clear(self, line, counter):
        """All cores lose the line; returns whether it was dirty."""
        dirty = False
        for c in self.cores:
            if c.l2.has(line):
                c.count[counter] += 1
                c.count["messages"] += 2
                first, was = c.drop(line)
                c.count["l1d_writebacks"] += first
                dirty = dirty or was
        return dirty

    def enter(self, core, line):
        """The directory has an entry of the line that `core` gets."""
        if not self.directory or self.directory.use(line):
            return
        victim = self.directory.put(line)
        if not victim:
            return
        dirty = self.clear(victim[0], "displaced")
        if self.kind == "exclusive":
            self.evicted(core, self.l3.put(victim[0], dirty))
        elif dirty:
            self.written(core, victim[0])

    def leave(self, line):
        if self.directory and not any(c.l2.has(line) for c in self.cores):
            self.directory.drop(line)

    def written(self, core, line):
        """Dirty data leaves a core."""
        if self.l3.has(line):
            self.l3.dirty.add(line)
        elif self.kind == "neither":
            self.evicted(core, self.l3.put(line, True))
        else:
            assert self.kind == "exclusive"
            self.memory(core, True)

    def left_l2(self, core, victim):
        if not victim:
            return
        line, dirty = victim
        first = core.drop_l1(line)
        core.count["l1d_writebacks"] += first
        dirty = dirty or first
        core.count["messages"] += bool(dirty or self.directory or self.kind == "exclusive")
        self.leave(line)
        if self.kind == "exclusive":
            if dirty or not self.others(core, line):
                core.count["l3_victims"] += 1
                self.evicted(core, self.l3.put(line, dirty))
        elif dirty:
            core.count["l3_victims"] += 1
            self.written(core, line)

    def take(self, core, line, write):
        """Other cores' copies when `core` requests the line from L3; returns whether one had it, and whether it was dirty."""
        had = self.others(core, line)
        dirty = any(c.is_dirty(line) for c in had)
        if write or dirty or not self.l3.has(line):
            core.count["messages"] += 2 * (len(had) if write else min(len(had), 1))
        if dirty:
            assert len(had) == 1
            had[0].l1.clean(line)
            had[0].l2.clean(line)
            core.count["transfers"] += 1
        if write:
            for c in had:
                c.drop(line)
                core.count["invalidations"] += 1
        if dirty and not (write and self.kind == "exclusive"):
            self.written(core, line)
        return bool(had), dirty

    def from_l3(self, core, line, write):
        """L2 of `core` lacks the line: where it comes from, and whether it is dirty."""
        core.count["l3_accesses"] += 1
        core.count["messages"] += 2
        had, dirty = self.take(core, line, write)
        if self.kind == "exclusive" and self.l3.has(line):
            core.count["l3_hits"] += 1
            return L3, self.l3.drop(line)
        if self.l3.use(line) or had:
            core.count["l3_hits"] += 1
            return L3, dirty and write and self.kind == "exclusive"
        core.count["l3_misses"] += 1
        if self.kind != "exclusive":
            self.evicted(core, self.l3.put(line))
        return MEMORY, False

    def access(self, number, write, line):
        core = self.cores[number]
        if core.l1.use(line):
            level = L1
            if write and line not in core.l1.dirty and self.others(core, line):
                core.count["upgrades"] += 1
                core.count["messages"] += 2
                self.take(core, line, True)
                level = L2
            if write:
                core.l1.dirty.add(line)
            return level
        if core.victims.has(line):
            core.count["victim_hits"] += 1
            core.put_l1(line, core.victims.drop(line) or write)
            return L1
        if core.l2.use(line):
            level = L2
            if write and self.others(core, line):
                core.count["messages"] += 2
                self.take(core, line, True)
        else:
            level, dirty = self.from_l3(core, line, write)
            self.enter(core, line)
            self.left_l2(core, core.l2.put(line, dirty))
        core.put_l1(line, write)
        return level


def settings(shape, kind, victims):
    cores, _, *levels = shape
    sparse = {"coherence.entries": levels[3][0] * levels[3][1], "coherence.ways": levels[3][1]} if len(levels) > 3 else {}
    sizes = {f"{name}.{key}": value for name, (sets, ways) in zip(("l1d", "l2", "l3"), levels)
             for key, value in (("size", sets * ways * LINE), ("ways", ways))}
    return [f"{key}={value}" for key, value in {
        **sizes, **sparse, "l1i.size": 128, "l1i.ways": 1, "l1d.victim_lines": victims, "chip.cores": cores, "l3.inclusion": kind, "tlb.perfect": "yes"}.items()]


def accesses(shape, seed):
    """Lines near a place that moves, some of them of all cores."""
    draw = random.Random(seed)
    places = [draw.randrange(shape[1]) for _ in range(shape[0])]
    for _ in range(ACCESSES):
        core = draw.randrange(shape[0])
        if draw.random() < 0.02:
            places[core] = draw.randrange(shape[1])
        near = (places[core] + int(draw.expovariate(0.15))) % shape[1]
        line = draw.randrange(shape[1]) if draw.random() < 0.2 else near
        yield core, draw.random() < 0.3, line


def compare(program, shape, kind, victims, seed):
    chip, levels, text = Chip(shape, kind, victims), [], []
    for core, write, line in accesses(shape, seed):
        levels.append(chip.access(core, write, line))
        text.append(f"{core} {'S' if write else 'L'} {line * LINE}\n")
    expected = [str(n) for n in levels]
    for n, c in enumerate(chip.cores):
        expected.append(f"core {n} " + " ".join(f"{k} {int(v)}" for k, v in c.count.items()))
    got = subprocess.run([program, *settings(shape, kind, victims)], input="".join(text), capture_output=True, text=True, check=True)
    name = f"{shape[0]} cores, {kind}, L3 of {shape[4][0] * shape[4][1]} lines"
    name += f", directory of {shape[5][0] * shape[5][1]}" if len(shape) > 5 else ""
    name += f", victim cache of {victims}" if victims else ""
    for n, (mine, theirs) in enumerate(zip(expected, got.stdout.splitlines(), strict=True)):
        if mine != theirs:
            print(f"levels_peer.py: {name}: row {n}: {theirs}, expected {mine}")
            return False
    print(f"{name}: " + ", ".join(f"{at} {levels.count(k)}" for k, at in enumerate(("L1D", "L2", "L3", "memory"))))
    return True


def main():
    if len(sys.argv) != 2:
        sys.exit("levels_peer.py: expected the program levels-peer")
    good = [compare(sys.argv[1], shape, kind, victims, n) for n, shape in enumerate(SHAPES) for kind in KINDS
            for victims in (VICTIMS if shape[0] == 1 else (0,))]
    return 0 if all(good) else MISSED


if __name__ == "__main__":
    sys.exit(main())
