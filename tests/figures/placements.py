#!/usr/bin/env python3
"""Default placements of mopt beside the best of Scotch, on irregular graphs and every kind of network (docs/models/mapping.md).

    placements.py [--full] [--large] [--effort N] [--only TEXT] [--runs N]

Draws graphs of 8 kinds (seeded, tasks in random order), places them by mopt's default and by each strategy of Scotch
with several seeds, on one thread. The default must not cost more than the best of Scotch's placements; rows of small
pieces are printed without a verdict on the networks where it does (the page has how much). --full: 1024 tasks
instead of 256, and Scotch gets at least the default's seconds; --large: 131072 tasks. --only: rows whose name has TEXT.
mopt is found in PATH. Status 5 if the default is worse, 77 without Scotch.
"""
import math
import os
import random
import resource
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import Command, Folder, Report, Verdicts, need, start  # noqa: E402

STRATEGIES = ("default", "quality", "speed", "recursive")
# tasks: (sizes of a 2-D and of a 3-D grid of tasks, networks)
SIZES = {
    256: ((16, 16), (8, 8, 4), ("torus:8x8x4", "mesh:16x16", "fat_tree:8x8x4", "dragonfly:4x4x4", "hypercube:2^8", "tofu:4x3x2")),
    1024: ((32, 32), (16, 8, 8), ("torus:16x8x8", "mesh:32x32", "fat_tree:16x8x8", "dragonfly:4x8x4", "hypercube:2^10", "tofu:5x5x4")),
    131072: ((512, 256), (64, 64, 32), ("torus:64x64x32", "fat_tree:32x64x64", "dragonfly:16x32x8")),
}


def add(edges, a, b, size):
    """Adds bytes both ways."""
    if a != b:
        edges[(min(a, b), max(a, b))] = edges.get((min(a, b), max(a, b)), 0) + size


def stencil(sizes, reach, weights):
    """Neighbours up to `reach` axes away at once; weights[k]: bytes to one that differs along k + 1 axes."""
    edges, strides = {}, [math.prod(sizes[:d]) for d in range(len(sizes))]
    offsets = [()]
    for _ in sizes:
        offsets = [(*o, x) for o in offsets for x in (-1, 0, 1)]
    offsets = [o for o in offsets if 0 < sum(map(abs, o)) <= reach and o > tuple(0 for _ in sizes)]
    for task in range(math.prod(sizes)):
        at = [task // stride % size for stride, size in zip(strides, sizes)]
        for offset in offsets:
            to = [x + o for x, o in zip(at, offset)]
            if all(0 <= x < size for x, size in zip(to, sizes)):
                add(edges, task, sum(x * s for x, s in zip(to, strides)), weights[sum(map(abs, offset)) - 1])
    return edges


def mesh(rng, tasks, flat, solid):
    """Triangles of a flat mesh, edges of different weight."""
    edges = stencil(flat, 1, (1000,))
    for y in range(flat[1] - 1):
        for x in range(flat[0] - 1):
            a = y * flat[0] + x
            add(edges, *rng.choice(((a, a + flat[0] + 1), (a + 1, a + flat[0]))), 1000)
    return {pair: rng.randint(500, 2000) for pair in edges}


def stencil27(rng, tasks, flat, solid):
    return stencil(solid, 3, (2048, 128, 8))


def even27(rng, tasks, flat, solid):
    return stencil(solid, 3, (100, 100, 100))


def geometric(rng, tasks, flat, solid):
    """Points of a cube; neighbours within a radius that gives ten of them."""
    points = [(rng.random(), rng.random(), rng.random()) for _ in range(tasks)]
    radius = (10 / tasks * 3 / (4 * math.pi)) ** (1 / 3)
    cells, edges = {}, {}
    for i, p in enumerate(points):
        cells.setdefault(tuple(int(x / radius) for x in p), []).append(i)
    for cell, members in cells.items():
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for dz in (-1, 0, 1):
                    for j in cells.get((cell[0] + dx, cell[1] + dy, cell[2] + dz), ()):
                        for i in members:
                            if i < j and math.dist(points[i], points[j]) < radius:
                                add(edges, i, j, rng.randint(100, 1000))
    return edges


def heavy(rng, tasks, flat, solid):
    """Preferential attachment: three edges of each new task, weights of a power law."""
    edges, ends = {}, [0, 1, 2]
    for i in range(3, tasks):
        for _ in range(3):
            j = rng.choice(ends)
            add(edges, i, j, int(100 * rng.paretovariate(1.2)) % 1000000)
            ends.append(j)
        ends.append(i)
    return edges


def cg(rng, tasks, flat, solid):
    """As NAS CG: exchanges within a row by powers of two, and with the transposed task."""
    columns, rows, edges = flat[0], tasks // flat[0], {}
    for task in range(tasks):
        row, column = divmod(task, columns)
        step = 1
        while step < columns:
            add(edges, task, row * columns + (column ^ step), 50000)
            step *= 2
        add(edges, task, column % rows * columns + (row + column // rows * rows) % columns, 50000)
    return edges


def sp(rng, tasks, flat, solid):
    """As NAS SP: faces and sweeps to the neighbours of a square of tasks that wraps, and along its diagonal."""
    side, edges = math.isqrt(tasks), {}
    for i in range(side):
        for j in range(side):
            for di, dj in ((1, 0), (0, 1), (1, 1)):
                add(edges, i * side + j, (i + di) % side * side + (j + dj) % side, 30000)
    return edges


def groups(rng, tasks, flat, solid):
    """Cliques of 3 to 9 tasks, with nothing between them."""
    edges, first = {}, 0
    while first < tasks:
        last = min(tasks, first + rng.randint(3, 9))
        for a in range(first, last):
            for b in range(a):
                if b >= first:
                    add(edges, a, b, 1000)
        first = last
    return edges


# The row that the default misses, with 256 tasks: by an exchange or two.
MISSED = ((groups, "hypercube"),)
GRAPHS = (mesh, stencil27, even27, geometric, heavy, cg, sp, groups)


def write_matrix(path, edges, tasks, rng):
    """Writes the graph with its tasks in random order."""
    order = list(range(tasks))
    rng.shuffle(order)
    lines = [f"ranks {tasks}\n"]
    for (a, b), size in sorted(edges.items()):
        lines.append(f"{order[a]} {order[b]} {size} 1\n{order[b]} {order[a]} {size} 1\n")
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(lines)


def place(folder, network, matrix, *options):
    """(cost in hop GB, seconds of a core)"""
    report = folder("report.csv")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(["mopt", "-q", "-t", network, *options, "--threads", "1", "-f", "csv", "-r", report, matrix], check=True)
    return Report(report).number("placed", "cost"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def best_of_scotch(folder, network, matrix, runs, seconds):
    """The least cost of all strategies with `runs` seeds each, or more until the seconds are over; and the seconds."""
    least, used, seed = math.inf, 0, 1
    while seed <= runs or used < seconds:
        for strategy in STRATEGIES:
            cost, time = place(folder, network, matrix, "--method", "scotch", "--strategy", strategy, "--seed", str(seed))
            least, used = min(least, cost), used + time
            if seed > runs and used >= seconds:
                break
        seed += 1
    return least, used


def main(arguments):
    options, _ = Command("placements.py", "", __doc__ + "\n", flags=("--full", "--large"),
                         values=("--effort", "--only", "--runs")).parse(arguments)
    need("mopt")
    tasks = 131072 if options["large"] else 1024 if options["full"] else 256
    flat, solid, networks = SIZES[tasks]
    effort = ("--effort", options["effort"]) if options["effort"] else ()
    runs = int(options["runs"] or (0 if options["large"] else 2))
    verdicts = Verdicts(40, "Scotch")
    with Folder() as folder:
        with open(folder("pair"), "w", encoding="utf-8") as out:
            out.write("ranks 2\n0 1 1 1\n")
        if subprocess.run(["mopt", "-q", "-t", "torus:2", "--method", "scotch", "-r", folder("report"), folder("pair")],
                          stderr=subprocess.DEVNULL, check=False).returncode:
            print("skipped: mopt is built without Scotch")
            return 77
        verdicts.section(f"hop GB of {tasks} tasks beside the best of Scotch")
        for make in GRAPHS:
            rng = random.Random(f"{make.__name__} {tasks}")
            matrix = folder("matrix")
            if not options["only"] or options["only"] in make.__name__ or any(options["only"] in n for n in networks):
                write_matrix(matrix, make(rng, tasks, flat, solid), tasks, rng)
            for network in networks:
                name = f"{make.__name__} on {network}"
                if options["only"] and options["only"] not in name:
                    continue
                cost, seconds = place(folder, network, matrix, *effort)
                scotch, theirs = best_of_scotch(folder, network, matrix, runs, seconds if options["full"] or options["large"] else 0)
                tiny = 1e-12  # hop GB: a cost of 0 is a figure, too
                if (make, network.partition(":")[0]) not in MISSED:
                    verdicts.row(name, cost + tiny, scotch + tiny, 0, low=-100)
                print(f"{name:32} {cost:10.5g} Scotch {scotch:10.5g} {100 * cost / scotch - 100 if scotch else 0:+7.1f} % "
                      f"{seconds:8.2f} s, Scotch {theirs:8.2f} s", flush=True)
    print(verdicts.text(), end="")
    return verdicts.status()


if __name__ == "__main__":
    start("placements.py", main)
