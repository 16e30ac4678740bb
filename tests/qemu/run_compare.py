#!/usr/bin/env python3
"""Runs SPARC-V9 programs under psim-record and qemu-sparc64 and compares.

    run_compare.py --record build/bin/psim-record [--torture FOLDER]
                   [--levels O0,O2,O3] [--only PATTERN] [--sample N] [--cache FOLDER]
                   [--jobs N]

Each program is compiled statically at each level; output (stdout) and exit
status have to be equal. The bar is every program that qemu passes: one that
does not compile, that qemu does not finish, or that exits there with a failure
is skipped and counted. stderr is not compared (qemu writes its own there).

Programs: tests/guest and traces/kernels, *.c and *.f90; with --torture also the
self-checking ones of GCC's test-suite (gcc.c-torture/execute, with its ieee
folder), or --torture auto: taken from Debian's gcc-12-source.

What was compiled and what qemu said of it is kept in the cache folder, so an
interrupted run goes on where it was; psim-record is always run. The last line
is `N programs, N equal, N skipped`; status 0 if all were equal, 1 if not, 77
if the compiler or qemu is not there.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Against programs that never end only: what a busy machine needs must not decide.
TIME_LIMIT = 3600
SKIP = 77
STDIN = b"abc 12\n"
# Programs about traps that qemu-user 7.2 does not raise, and about what the recorder keeps from a guest.
NOT_FOR_QEMU = {"traps", "doors", "fence"}


def find_tools():
    need = ["sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran", "qemu-sparc64"]
    missing = [tool for tool in need if not shutil.which(tool)]
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        sys.exit(SKIP)


def torture_folder(wish, cache):
    """The folder gcc.c-torture/execute, unpacked from Debian's source package on demand."""
    if wish != "auto":
        return wish
    unpacked = glob.glob(cache + "/torture/*/gcc/testsuite/gcc.c-torture/execute")
    if unpacked:
        return unpacked[0]
    tarballs = glob.glob("/usr/src/gcc-12/gcc-12*.tar.xz")
    if not tarballs:
        print("skipped: Debian's gcc-12-source is not installed")
        sys.exit(SKIP)
    os.makedirs(cache + "/torture", exist_ok=True)
    subprocess.run(["tar", "-xJf", tarballs[0], "-C", cache + "/torture", "--wildcards",
                    "*/gcc/testsuite/gcc.c-torture/execute/*"], check=True)
    return torture_folder(wish, cache)


def torture_flags(source):
    """dg-options and the .x files' additional flags that matter here."""
    with open(source, encoding="latin-1") as f:
        text = f.read()
    flags = []
    for m in re.finditer(r'dg-(?:additional-)?options\s+"([^"]*)"([^\n]*)', text):
        if "target" not in m.group(2) or "sparc" in m.group(2): # of other machines: no
            flags += m.group(1).split()
    control = source[:-2] + ".x"
    if os.path.exists(control):
        with open(control, encoding="latin-1") as f:
            for m in re.finditer(r'additional_flags\s+"([^"]*)"', f.read()):
                flags += m.group(1).split()
    return [f for f in flags if f.startswith("-") and not f.startswith("-O")]


def programs(args):
    """(name, compiler, sources and flags) of every program."""
    out = []
    for source in sorted(glob.glob(ROOT + "/tests/guest/*.c")):
        name = os.path.basename(source)[:-2]
        if name not in NOT_FOR_QEMU:
            out.append((name, "gcc", ["-std=c17", "-D_DEFAULT_SOURCE", "-frounding-math", source,
                                      "-lm"]))
    for source in sorted(glob.glob(ROOT + "/traces/kernels/*.c")):
        if os.path.basename(source) not in ("psim_region.c", "psim_simd.c"):
            out.append(("kernel-" + os.path.basename(source)[:-2], "gcc",
                        ["-std=c17", "-D_DEFAULT_SOURCE", source, "-lm"]))
    kernels = ROOT + "/traces/kernels/"
    for source in sorted(glob.glob(ROOT + "/tests/guest/*.f90")):
        name = os.path.basename(source)[:-4]
        out.append((name, "gfortran", [kernels + "psim_region.f90", source,
                                       kernels + "psim_region.c"]))
    for source in sorted(glob.glob(ROOT + "/traces/kernels/*.f90")):
        name = os.path.basename(source)[:-4]
        if name not in ("psim_region", "psim_simd"):
            out.append(("kernel-fortran-" + name, "gfortran", [kernels + "psim_region.f90", source,
                                                               kernels + "psim_region.c"]))
    if args.torture:
        folder = torture_folder(args.torture, args.cache)
        sources = glob.glob(folder + "/*.c") + glob.glob(folder + "/ieee/*.c")
        for source in sorted(sources):
            name = "torture-" + os.path.relpath(source, folder)[:-2].replace("/", "-")
            flags = ["-w", "-std=gnu17", "-fno-diagnostics-color"] + torture_flags(source)
            out.append((name, "gcc", flags + [source, "-lm"]))
    return out


def sample(items, count):
    """`count` of them, spread evenly and always the same ones."""
    if not count or count >= len(items):
        return items
    return [items[i * len(items) // count] for i in range(count)]


def execute(command, folder):
    """(status, stdout) as bytes in hex, or None where it does not end."""
    try:
        p = subprocess.run(command, cwd=folder, input=STDIN, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, timeout=TIME_LIMIT, env={})
    except subprocess.TimeoutExpired:
        return None
    status = p.returncode if p.returncode >= 0 else 128 - p.returncode
    return [status, p.stdout.hex()]


class Case:
    def __init__(self, args, program, level):
        self.args = args
        self.name, self.compiler, self.flags = program
        self.level = level
        self.folder = os.path.join(args.cache, level, self.name)
        self.binary = os.path.join(self.folder, self.name)

    def key(self):
        h = hashlib.sha256(repr((self.compiler, self.flags, self.level)).encode())
        for flag in self.flags:
            if os.path.exists(flag):
                with open(flag, "rb") as f:
                    h.update(f.read())
        return h.hexdigest()

    def compile(self):
        os.makedirs(self.folder, exist_ok=True)
        command = ["sparc64-linux-gnu-" + self.compiler, "-" + self.level,
                   "-mcpu=ultrasparc3", "-static", "-o", self.binary]
        try:
            p = subprocess.run(command + self.flags, cwd=self.folder, timeout=TIME_LIMIT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return False
        return p.returncode == 0

    def reference(self):
        """Returns qemu's output, from the cache if the program has not changed."""
        note = self.binary + ".json"
        key = self.key()
        if os.path.exists(note):
            with open(note) as f:
                known = json.load(f)
            if known["key"] == key and (os.path.exists(self.binary) or not known["qemu"]):
                return known["qemu"]
        result = None
        if self.compile():
            result = execute(["qemu-sparc64", "./" + self.name], self.folder)
        with open(note + ".new", "w") as f:
            json.dump({"key": key, "qemu": result}, f)
        os.rename(note + ".new", note)
        return result

    def passes_in_qemu(self, result):
        if result is None:
            return False
        return not (self.name.startswith("torture-") and result[0] != 0)

    def run(self):
        expected = self.reference()
        if not self.passes_in_qemu(expected):
            return self, "skipped", ""
        got = execute([self.args.record, "--no-trace", "-q", "--", "./" + self.name], self.folder)
        if got == expected:
            return self, "equal", ""
        if got is None:
            return self, "different", f"does not end in {TIME_LIMIT} s"
        what = f"status {got[0]}, qemu {expected[0]}"
        if got[1] != expected[1]:
            what += "; output differs"
        return self, "different", what


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--record", required=True)
    parser.add_argument("--torture")
    parser.add_argument("--levels", default="O0,O2,O3")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--only", default="", help="names that match this pattern")
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/psim-compare"))
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    find_tools()
    args.record = os.path.abspath(args.record)
    args.cache = os.path.abspath(args.cache)
    cases = [Case(args, p, level) for p in programs(args) if re.search(args.only, p[0])
             for level in args.levels.split(",")]
    cases = sample(cases, args.sample)
    counts = {"equal": 0, "skipped": 0, "different": 0}
    told = time.time()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for done, (case, verdict, what) in enumerate(pool.map(Case.run, cases), 1):
            counts[verdict] += 1
            if verdict == "different":
                print(f"{case.name} at -{case.level}: {what}: {case.binary}", flush=True)
            if sys.stderr.isatty() and time.time() - told > 5:
                told = time.time()
                print(f"{done} of {len(cases)}", file=sys.stderr)
    print(f"{len(cases)} programs, {counts['equal']} equal, {counts['skipped']} skipped")
    sys.exit(1 if counts["different"] else 0)


main()
