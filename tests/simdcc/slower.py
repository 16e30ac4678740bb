#!/usr/bin/env python3
"""Directives that make loops slower: what compiler and psim-record say of each beside its cycles.

    slower.py PLUGIN SOURCES KERNELS CONFIGS [--all] [NAME...]

Runs the loops of slower.c, each alone, with the array (configs/simd16.ini), and as the plain compiler makes them
(configs/sparc64v.ini) with data in memory and in caches. A loop that is slower by MARGIN than either has to be told of: without
a condition if it is slower than both, else for data in caches. One that is faster by MARGIN than with data in memory must not be
told of without a condition, and one that is faster than with data in caches not at all. The compiler's messages, where it knows
the sizes, follow the same rule. Without --all, a sample. Prints a table.
"""
import re
import subprocess
import sys
import tempfile

MARGIN = 1.5
LINES = ("copy", "triad", "singles", "dot", "polynomial", "three_points", "strided", "pairs", "bodies", "bodies_worked")
SQUARES = ("five_points", "transposed", "transposed_store", "triangle", "triangle_sums", "rows_to_diagonal", "columns")
CUBES = ("product", "inner_product", "eliminated")
# sizes and repetitions; the first of a group is in the sample
CASES = ([(name, n, times) for name in LINES for n, times in ((1024, 6), (64, 1), (1024, 1), (16384, 1), (16384, 3))],
         [(name, n, times) for name in SQUARES for n, times in ((48, 4), (16, 1), (16, 8), (48, 1), (128, 1), (128, 2))],
         [(name, n, times) for name in CUBES for n, times in ((24, 4), (8, 1), (8, 8), (24, 1), (48, 1))],
         [("butterflies", n, times) for n, times in ((512, 1), (64, 1), (512, 2))])
SAMPLE = (("transposed", 48, 4), ("triangle", 48, 4), ("pairs", 1024, 6), ("butterflies", 512, 1), ("product", 24, 4),
          ("polynomial", 16384, 1), ("bodies", 16384, 1))


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}, expected 0\n{done.stdout}")
    return done.stdout


def meaning(text):
    """0: nothing, 1: slower if data are in caches, 2: slower."""
    return 0 if not text else 1 if "if its data are in caches" in text else 2


# Loops whose message says too little (docs/programs/psim-cc.md): of butterflies the compiler knows no number of
# iterations, and the lines of bodies come from memory faster than NEST_LINE_CYCLES.
MISSED = {("butterflies", 512, 1), ("bodies", 16384, 1)}


class Rule:
    def __init__(self, sources, kernels, configs, work):
        self.source, self.kernels, self.configs, self.work = f"{sources}/slower.c", kernels, configs, work
        self.array, self.plain = f"{work}/array", f"{work}/plain"
        run(["psim-cc", f"-I{kernels}", "-o", self.array, self.source])
        run(["psim-cc", "-fno-psim", f"-I{kernels}", "-o", self.plain, self.source])
        self.said = {}

    def cycles(self, config, pes, program, *arguments, warm=False):
        """Cycles of the region, with what a run before it has left in caches, and what psim-record says."""
        trace, cold = f"{self.work}/slower.trace.gz", [] if warm else ["--warm-up", "0"]
        said = run(["psim-record", "-o", trace, *cold, "--region", "loop", "--pes", str(pes), "--", program, *arguments,
                    *(["warm"] if warm else [])])
        report = run(["psim", "-q", "--no-profile", "-c", f"{self.configs}/{config}.ini", trace])
        return int(re.search(r"^  cycles +(\d+)", report, re.M).group(1)), said

    def compiler_says(self, name, n):
        """Returns the compiler's message on a loop of known size."""
        if n not in self.said:
            self.said[n] = run(["psim-cc", f"-DSIZE={n}", f"-I{self.kernels}", "-c", "-o", f"{self.work}/known.o", self.source])
        with open(self.source, encoding="utf-8") as f:
            function = f.read().split(f"void {name}(")[0].count("\n") + 1
        lines = [(int(line), text) for line, text in re.findall(r"slower\.c:(\d+): (slower on the array.*)", self.said[n])]
        return next((text for line, text in lines if function < line < function + 10), "")

    def holds(self, name, n, times):
        arguments = (name, str(n), str(times))
        array, said = self.cycles("simd16", 16, self.array, *arguments)
        memory, caches = (self.cycles("sparc64v", 0, self.plain, *arguments, warm=warm)[0] for warm in (False, True))
        told = re.search(r"slower with the array.*", said)
        means = [meaning(told and told.group(0))]
        if times == 1:
            means.append(meaning(self.compiler_says(name, n)))
        least = 2 if array > MARGIN * memory else 1 if array > MARGIN * caches else 0
        most = 0 if array * MARGIN < caches else 1 if array * MARGIN < memory else 2
        wrong = [m for m in means if not least <= m <= most]
        print(f"| `{name} {n}`, {times} | {array} | {memory} | {caches} | {caches / array:.2f} | " +
              ", ".join(("-", "in caches", "slower")[m] for m in means) + " |" + (" wrong" if wrong else ""), flush=True)
        return bool(wrong) == ((name, n, times) in MISSED)


def main(plugin, sources, kernels, configs, *more):
    if not plugin:
        print("skipped: the plugin is not built (gcc-12-plugin-dev-sparc64-linux-gnu, g++)")
        sys.exit(77)
    names = [name for name in more if name != "--all"]
    cases = [case for group in CASES for case in group] if more else SAMPLE
    print("| loop, times | array | plain, from memory | plain, in caches | speed | told by psim-record, the compiler |\n|---|---:|---:|---:|---:|---|")
    with tempfile.TemporaryDirectory() as work:
        rule = Rule(sources, kernels, configs, work)
        missed = [case for case in cases if (not names or case[0] in names) and not rule.holds(*case)]
    print(f"{len(missed)} other than expected")
    sys.exit(1 if missed else 0)


main(*sys.argv[1:])
