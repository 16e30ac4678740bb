#!/usr/bin/env python3
"""Time models of the kernels on the scalar core and on the one with 16 PEs, held against larger sizes.

    time-models.py [--full] [--only scalar|simd] [-j JOBS] [--keep FOLDER] [FOLDER]

Records, simulates (configs/sparc64v-prefetched.ini, simd16-prefetched.ini) and fits small sizes; larger ones are
simulated too, and the model has to say their times. --full adds the largest (dgemm of n = 1024 alone takes minutes).
Where FOLDER is given, the models and pictures go there: configs/models is made by `time-models.py --full configs/models`.
psim, psim-record, psim-kernels and psim-fit are found in PATH. Status 5 if a size held out is off by more than 3 %,
77 without the cross compiler.
"""
import os
import shutil
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import USAGE, Command, Folder, Jobs, Kernels, Stop, Verdicts, fit, need, start  # noqa: E402

LIMIT = 3  # percent
PRODUCT, TRANSFORM = "1, n, n^2, n^3", "1, log2(n), n, n*log2(n)"
# kernel, terms, smallest n held out, sizes, those of --full; sizes of transforms are the logarithms of n, 8 of each
MODELS = {
    # 4 x 4 results at a time: multiples of 16. 4 x 3 and copies of A and B: multiples of 12.
    "scalar": (
        ("dgemm", PRODUCT, 200, (32, 48, 64, 80, 96, 112, 128, 160, 192, 256), (384, 512, 1024)),
        ("zgemm", PRODUCT, 100, (12, 24, 36, 48, 60, 72, 96, 120), (240, 384, 516)),
        ("fft", TRANSFORM, 2000, (6, 7, 8, 9, 10, 11, 12), (13, 14, 16)),
    ),
    # 4 rows in each of 16 PEs: multiples of 64. 4 columns in each of 8 pairs: multiples of 32.
    "simd": (
        ("simd-dgemm", PRODUCT, 400, (64, 128, 192, 256, 320, 384, 512), (1024,)),
        ("simd-zgemm", PRODUCT, 300, (32, 64, 96, 128, 160, 192, 256, 320), (512, 1024)),
        ("simd-fft", TRANSFORM, 400, (4, 5, 6, 7, 8, 9, 10, 11), ()),
    ),
}


def points_of(kernel, sizes):
    """n, arguments and report of each size."""
    for size in sizes:
        n = 1 << size if "fft" in kernel else size
        yield n, [size, 8] if "fft" in kernel else [size], f"{kernel}-{n}.json"


def models_of(options):
    for processor, models in MODELS.items():
        for kernel, terms, held, sizes, large in models:
            if options["only"] in (None, processor):
                yield processor, kernel, terms, held, list(points_of(kernel, sizes + (large if options["full"] else ())))


def main(arguments):
    options, operands = Command("time-models.py", "", __doc__ + "\n", flags=("--full",), values=("--only", "--jobs", "--keep"),
                                short={"-j": "--jobs"}).parse(arguments)
    if options["only"] not in (None, *MODELS):
        raise Stop(USAGE, f"--only {options['only']}: expected scalar or simd")
    need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran", "ninja")
    table = Verdicts(40, "simulated")
    with Folder(options["keep"]) as folder:
        jobs = Jobs("time-models.py", folder, options["jobs"] or 1)
        kernels = Kernels(jobs, os.path.join(TOP, "traces/kernels"))
        for processor, kernel, _, _, points in models_of(options):
            config = "simd16" if processor == "simd" else "sparc64v"
            for _, words, report in points:
                kernels.simulate(kernel, words, os.path.join(TOP, f"configs/{config}-prefetched.ini"), {report: []})
        jobs.run()
        for _, kernel, terms, held, points in models_of(options):
            fitted = fit(folder, kernel, [(f"n={n}", report) for n, _, report in points], [terms], f"n>={held}", LIMIT,
                         ["--region", kernel.removeprefix("simd-")])
            table.section(kernel, f"{kernel}: {fitted.text('model', 'formula')}")
            for point, use, value, model in zip(*(fitted.column("points", name)
                                                  for name in ("point", "use", "value", "model"))):
                if use == "held out":
                    table.row(f"{kernel}, {point}, us", 1e6 * float(model), 1e6 * float(value), LIMIT, "held out")
            for name in [f"{kernel}.model", f"{kernel}.svg"] if operands else []:
                shutil.copy(folder(name), operands[0])
    print(table.text(), end="")
    return table.status()


if __name__ == "__main__":
    start("time-models.py", main)
