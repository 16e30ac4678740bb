#!/usr/bin/env python3
"""Time models of the petascale machine's node, from the kernels' sources.

    node-models.py [-j JOBS] [-k KEPT] FOLDER [NAME...]

Kernels are compiled, recorded, simulated on eight cores (configs/petascale-chip*.ini) at small sizes, fitted, and held
against sizes that the fit has not seen. psim-kernels, psim-record, psim and psim-fit are found in PATH. What was
simulated stays in the folder KEPT, and is simulated again only when programs, kernels or configurations have changed.
FOLDER gets NAME.model of the rows of MODELS below. Each core of a node works on a part of its own, so the sizes are those
of a core. Status 5 if a model is off by more than 5 % at a size held out, 77 without the cross compiler.
"""
import os
import shutil
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import USAGE, Command, Folder, Jobs, Kernels, Stop, Verdicts, fit, need, start  # noqa: E402

LIMIT = 5  # percent
PREFETCHED, CACHES = "petascale-chip-prefetched", "petascale-chip"


def sizes(text):
    return [tuple(map(int, word.split(","))) for word in text.split()]


UPDATES = sizes("""128,32,32 128,128,32 256,64,32 128,32,64 128,128,64 256,64,64 128,32,128 128,128,128 256,64,128
    128,256,128 128,32,256 128,128,256 256,64,256 256,256,256 384,320,128 512,128,192""")
# Small shapes and deep ones, as Gram-Schmidt has them; held out are such as need several blocks of rows.
COMPLEX = sizes("""64,64,64 256,64,64 512,64,64 64,128,64 64,64,128 128,64,128 256,64,128 256,128,128 512,64,128
    64,64,256 128,64,256 256,64,256 128,128,256 64,64,512 128,64,512 128,192,512 256,64,512 512,64,512 128,128,1024
    512,128,1024 1024,64,128 768,64,384 1024,128,256 896,128,768""")
# Whole blocks of 128 in m and k; a part of one is moved like a whole one.
BLOCKED = sizes("""128,64,128 128,128,128 128,128,256 256,128,128 128,256,128 256,128,256 128,128,384 256,256,128
    384,128,128 128,384,128 256,256,256 512,128,256 640,128,384""")

# name: (kernel, configuration, variables, sizes, lists of terms, what is held out). Two lists: the larger of both sums.
MODELS = {
    # C += A B, m x n, k deep, each core; the form nearest to the paper's Table 2.
    "dgemm": ("simd-update-plain", PREFETCHED, "mnk", UPDATES, ["m, m*n, m*k, m*n*k"], "m>256"),
    # The same, transfers ahead. For each block of rows the array works (m, m n, m n k) while the next block of A and C
    # comes (m n, m k), then C goes (m n). Where the array takes longer, the first A and C (n, k) come before; where
    # memory does, the last work (n, n k) follows. A block is 64 rows, all alike, so the sum of the larger times is the
    # larger of two sums. Sizes on both sides.
    "dgemm-tuned": ("simd-update", PREFETCHED, "mnk", UPDATES + sizes("""192,32,64 256,32,32 192,64,32 256,32,128
        256,128,32 192,64,128 192,128,64 256,128,128 192,96,96 384,64,32 512,32,128"""),
                    ["n, k, m, m*n, m*n*k", "n, m, n*k, m*n, m*k"], "m>256"),
    # As dgemm without the assumption that everything is prefetched: B comes from memory once (n k). Rows of B are an odd
    # number of lines long, as programs pad them for caches: else the elements of a column, with which the array works,
    # fall on few sets of L1 and each broadcast goes to L2.
    "dgemm-caches": ("simd-update-plain", CACHES, "mnk", sizes("""128,40,32 128,136,32 256,72,32 128,40,64 128,136,64
        256,72,64 128,40,128 128,136,128 256,72,128 128,264,128 128,40,256 128,136,256 256,72,256 256,264,256 384,328,128
        512,136,192"""), ["m, m*n, m*k, n*k, m*n*k"], "m>256"),
    # LU of a tall panel, m x w, each core.
    "panel": ("panel", PREFETCHED, "mw", sizes("""64,4 128,4 512,4 64,8 128,8 512,8 128,16 256,16 512,16 128,32 256,32
        512,32 256,64 512,64 1024,16 1024,32"""), ["w, m*w, w^2, w^3, m*w^2"], "m>512"),
    # k rows of n columns copied out of a matrix, each core; with caches, as memory is all there is to it.
    "rows": ("rows", CACHES, "kn", sizes("""64,64 64,128 96,64 96,128 128,64 128,128 192,64 192,128 256,64 256,128 256,256
        128,256"""), ["n, k*n"], "n>128"),
    # Complex C += A B, each core; n a multiple of 64, the columns that the array takes at once.
    "zgemm": ("simd-zupdate-plain", PREFETCHED, "mnk", COMPLEX, ["m*n, n*k, m*n*k"], "m>512"),
    "zgemm-tuned": ("simd-zupdate", PREFETCHED, "mnk", COMPLEX, ["m*n, n*k, m*n*k"], "m>512"),
    # The same as a sum of products of blocks of 128, transfers waited for: for each product of blocks, B and C come and C
    # goes, so moving them is a part of m n k, and nothing else is left.
    "zgemm-blocked": ("simd-zupdate-blocked", PREFETCHED, "mnk", BLOCKED, ["m*n*k"], "m>256"),
    # Transforms of n points, 16 at a time, each core; side by side, as in two of a cube's three directions.
    "fft": ("simd-fft", PREFETCHED, "n", [(n, 16) for n in range(4, 10)], ["1, log2(n), n, n*log2(n)"], "n>256"),
    "fft-lines": ("simd-fft-lines", PREFETCHED, "n", [(n, 16) for n in range(4, 10)], ["1, log2(n), n, n*log2(n)"], "n>256"),
}


def report(name, size):
    return "-".join([name, *map(str, size)]) + ".json"


def point(variables, size):
    """m=…,n=…,k=…; transforms are given by the logarithm of n."""
    if variables == "n":
        return f"n={1 << size[0]}"
    return ",".join(f"{variable}={value}" for variable, value in zip(variables, size))


def make_models(names, folder, jobs):
    """Simulates what is not up to date, fits, and returns the verdicts; models are in the folder."""
    kernels = Kernels(jobs, os.path.join(TOP, "traces/kernels"))
    table = Verdicts(40, "limit")
    for name in names:
        kernel, config, _, points, _, _ = MODELS[name]
        for size in points:
            kernels.simulate(kernel, size, os.path.join(TOP, f"configs/{config}.ini"), {report(name, size): []})
    jobs.run()
    for name in names:
        _, _, variables, points, terms, held = MODELS[name]
        fitted = fit(folder, name, [(point(variables, size), report(name, size)) for size in points], terms, held, LIMIT,
                     ["--value", "chip.seconds"])
        table.section(name, f"{name}: {fitted.text('model', 'formula')}")
        table.row(f"{name}: fitted points, % off", fitted.number("model", "max_error"))
        table.row(f"{name}: held out, % off", fitted.number("model", "held_out_error"), LIMIT, 0, low=-100)
    return table


def main(arguments):
    options, operands = Command("node-models.py", "", __doc__ + "\n", values=("--jobs", "--keep"),
                                short={"-j": "--jobs", "-k": "--keep"}).parse(arguments)
    if not operands:
        raise Stop(USAGE, "expected FOLDER [NAME...]")
    for name in operands[1:]:
        if name not in MODELS:
            raise Stop(USAGE, f"{name}: no such model, expected one of {', '.join(MODELS)}")
    need("sparc64-linux-gnu-gcc", "ninja")
    names = operands[1:] or list(MODELS)
    os.makedirs(operands[0], exist_ok=True)
    with Folder(options["keep"]) as folder:
        table = make_models(names, folder, Jobs("node-models.py", folder, options["jobs"] or 1))
        for name in names:
            shutil.copy(folder(f"{name}.model"), operands[0])
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("node-models.py", main)
