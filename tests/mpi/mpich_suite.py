#!/usr/bin/env python3
"""Compiles and runs the MPICH test suite's programs on virtual ranks, and prints a table of what compiles and passes.

    mpich_suite.py BIN [SUITE] [--only WORD] [--out FILE] [--keep FILE] [--work DIRECTORY] [--failures]

BIN is the folder of nsim, nsimcc and nsimf90. SUITE is a folder with the suite's C, F77, F90 and F08 directories, as in MPICH's
test/mpi or SimGrid's teshsuite/smpi/mpich3-test; without it, or the variable MPICH_SUITE, the test is skipped. A program passes
if it compiles, ends with status 0, and prints "No Errors", as the suite defines it. Every source is counted, also those that the
suite's lists leave out; lists give the number of ranks and the arguments. --keep FILE writes a line to FILE as each source ends, and takes the lines that
FILE already has as done: an interrupted run continues where it was. BIN and SUITE have to be the same in both.
"""
import argparse
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

DIRECTORIES = ["attr", "coll", "comm", "datatype", "errhan", "group", "info", "init", "io", "perf", "pt2pt", "rma", "threads",
               "topo", "f77", "f90", "f08"]
SOURCES = (".c", ".f", ".f90")
SECONDS = 60
LIMIT_SIGNALS = (-signal.SIGXCPU, -signal.SIGKILL)
RANKS = (4, 2, 3)  # of what no list names: the next one if it fails

# Sources that the suite's build compiles once for each macro: all of the programs have to pass.
MACROS = {"rma/overlap_wins_rma": ["TEST_PUT", "TEST_ACC", "TEST_GACC", "TEST_FOP", "TEST_CAS"],
          "rma/win_shared_rma_flush_load": ["TEST_PUT", "TEST_ACC", "TEST_GACC", "TEST_FOP", "TEST_CAS"],
          "rma/wrma_flush_get": ["TEST_PUT", "TEST_ACC", "TEST_GACC", "TEST_FOP"]}

# Where SimGrid's copy has its files: a directory of SimGrid's simulated disk. Here it is the program's own.
SCRATCH = "/scratch/"

# Headers that SimGrid's copy takes from SimGrid, whose mpi.h includes other headers.
HEADERS = {"xbt/log.h": "#define xbt_log_control_set(text)\n",
           "of_simgrid.h": "#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                           "#define XBT_ATTRIB_UNUSED __attribute__((unused))\n"}


def listed(folder):
    """The lines of a testlist, also those that are commented out: program -> (ranks, arguments, how it ends, seconds)."""
    rows = {}
    path = os.path.join(folder, "testlist")
    for name in (path, path + ".in"):
        if not os.path.exists(name):
            continue
        for line in open(name, errors="replace"):
            out = line.startswith("#")
            words = line.lstrip("#").split()
            if len(words) < 2 or not words[1].isdigit() or (out and words[0] in rows):
                continue
            arguments = [w[4:].strip('"').replace(SCRATCH, "") for w in words[2:] if w.startswith("arg=")]
            # a test whose point is that it fails, or that it does not end
            ends = "passes"
            for w in words[2:]:
                ends = {"resultTest=TestStatus": "fails", "resultTest=TestErrFatal": "fails", "resultTest=TestTimeout": "loops"}.get(w, ends)
            seconds = [int(w[10:]) for w in words[2:] if w.startswith("timeLimit=")]
            rows.setdefault(words[0], ([int(words[1])], arguments, ends, (seconds + [SECONDS])[0]))
    return rows


def sources(suite, only):
    found = []
    for top in DIRECTORIES:
        for folder, inner, files in os.walk(os.path.join(suite, top)):
            inner.sort()
            if os.path.basename(folder) == "util":
                continue
            rows = listed(folder)
            for name in sorted(files):
                if name.endswith(SOURCES) and only in os.path.join(folder, name):
                    row = rows.get(os.path.splitext(name)[0], (RANKS, [], "passes", SECONDS))
                    found.append((top, os.path.join(folder, name), *row))
    return found


def is_part(source):
    """Returns whether a file is no program of its own: it has no main, and no main program of Fortran."""
    text = open(source, errors="replace").read()
    if source.endswith(".c"):
        return not re.search(r"\bmain\s*\(", text)
    return not re.search(r"^\s*program\b", text, re.I | re.M)


def part_of(work, part):
    return os.path.join(work, os.path.basename(part) + ".o")


class Suite:
    def __init__(self, bin_, suite, work):
        self.bin, self.suite, self.work = bin_, suite, work
        # strict: what the standard defines, without MPICH's extensions of operations to other types
        self.flags = ["-w", "-O0", "-DHAVE_MPI_WIN_CREATE=1", "-DUSE_STRICT_MPI=1", "-DHAVE_MPI_INTEGER16=1",
                      "-DF77_NAME_LOWER_USCORE=1",
                      "-I" + os.path.join(suite, "include"), "-I" + os.path.join(suite, "util"),
                      "-I" + os.path.join(bin_, "../include"), "-I" + os.path.join(work, "headers")]
        for name, text in HEADERS.items():
            at = os.path.join(work, "headers", name)
            os.makedirs(os.path.dirname(at), exist_ok=True)
            with open(at, "w") as f:
                f.write(text)
        self.support, self.support_f77, self.support_f90, self.support_f08 = [], [], [], []
        self.why = ""

    def run(self, command, seconds=SECONDS, cwd=None):
        """(status, output) of a command, which may take so many seconds of a processor; 124: it took more."""
        try:
            done = subprocess.run(["sh", "-c", "ulimit -t %d; exec \"$@\"" % seconds, "sh"] + command, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=20 * seconds, cwd=cwd, stdin=subprocess.DEVNULL)
            return 124 if done.returncode in LIMIT_SIGNALS else done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as e:
            return 124, (e.stdout or b"").decode(errors="replace") + "\ntime limit\n"

    def make_support(self):
        """The library that the suite's programs share; without it, nothing of the language links."""
        for kind, folder, names in (("c", "util", ("mtest.c", "mtest_common.c", "mtest_thread.c", "mtest_datatype.c", "mtest_datatype_gen.c", "dtypes.c")),
                                    ("f77", "f77/util", ("mtestf.f",)), ("f90", "f90/util", ("mtestf90.f90",)), ("f08", "util", ("mtest_f08.f90",))):
            for name in names:
                source = os.path.join(self.suite, folder, name)
                if not os.path.exists(source):
                    continue
                result = os.path.join(self.work, name + ".o")
                compiler = "nsimcc" if kind == "c" else "nsimf90"
                status, text = self.run([os.path.join(self.bin, compiler)] + self.flags + ["-c", source, "-o", result],
                                        cwd=self.work)
                if status:
                    self.why += "support library %s does not compile: %s\n" % (name, text[:2000])
                elif kind == "c":
                    self.support.append(result)
                elif kind == "f77":
                    self.support_f77.append(result)
                elif kind == "f90":
                    self.support_f90.append(result)
                else:
                    self.support_f08.append(result)

    def make_headers(self, folder, work):
        """Writes the headers that the suite's configuration makes of a folder's templates."""
        for name in os.listdir(folder):
            if name.endswith(".h.in"):
                text = open(os.path.join(folder, name)).read()
                text = text.replace("@CMAKE_SIZEOF_VOID_P@", "8").replace("@F77_MPI_ADDRESS@", "integer*8")
                with open(os.path.join(work, name[:-3]), "w") as f:
                    f.write(text)

    def compiler(self, source):
        fortran = not source.endswith(".c")
        return [os.path.join(self.bin, "nsimf90" if fortran else "nsimcc")] + self.flags + \
            (["-std=legacy", "-fcray-pointer"] if fortran else ["-include", "of_simgrid.h"])

    def compile(self, source, work, macro):
        """(status, text, program); status None: the source is part of another program, which compiles."""
        folder, fortran = os.path.dirname(source), not source.endswith(".c")
        program = os.path.join(work, "program%s.so" % (macro or ""))
        f08 = os.path.relpath(source, self.suite).startswith("f08")
        of_f90 = self.support_f08 if f08 else self.support_f90
        extra = (of_f90 if source.endswith(".f90") else self.support_f77) if fortran else []
        if fortran or SCRATCH not in open(source, errors="replace").read():
            compiled = source
        else:
            compiled = os.path.join(work, os.path.basename(source))
            with open(compiled, "w") as out:
                out.write(open(source, errors="replace").read().replace(SCRATCH, ""))
        command = self.compiler(source) + ["-I" + work, "-I" + folder, "-I" + self.work] + (["-D" + macro] if macro else [])
        end = extra + ([] if fortran else self.support) + ["-o", program, "-lm"]
        status, text = self.run(command + [compiled] + end, 120, cwd=work)
        # parts whose name begins as the source's come first
        parts = [os.path.join(folder, f) for f in sorted(os.listdir(folder), key=lambda f: -len(os.path.commonprefix([f, os.path.basename(source)])))
                 if f.endswith(SOURCES) and is_part(os.path.join(folder, f))]
        for part in parts if status and "undefined reference" in text and not is_part(source) else []:
            # a program of several files: one of them, with the functions of the others
            self.run(self.compiler(part) + ["-I" + work, "-c", part, "-o", part_of(work, part)], cwd=work)
            status, text = self.run(command + [source, part_of(work, part)] + end, 120, cwd=work)
            if not status:
                break
        return status, text, program

    def passes(self, program, work, row):
        """Returns the reason why a program does not pass, empty if it does."""
        top, source, ranks, arguments, ends, seconds = row
        for number in ranks:
            status, text = self.run([os.path.join(self.bin, "nsim"), "-q", "-e", "linear", "-p", "ranks.per_node=64", "-n",
                                     str(max(number, 1)), "-o", "report", program] + arguments, seconds, cwd=work)
            if ends == "passes" and status == 0 and re.search(r"no\s+errors", text, re.I):
                return ""
            if (ends == "fails" and status not in (0, 124)) or (ends == "loops" and status == 124):
                return ""
        # what does not say so has failed too
        lines = [l for l in text.splitlines() if l.strip()]
        return "status %d: %s" % (status, next((l for l in lines if l.startswith("nsim:")), lines[-1] if lines else "no output")[:150])

    def one(self, row):
        """(top, path, compiles, passes, reason)"""
        top, source = row[:2]
        name = os.path.relpath(source, self.suite)
        work = os.path.join(self.work, name + ".d")
        os.makedirs(work, exist_ok=True)
        self.make_headers(os.path.dirname(source), work)
        for macro in MACROS.get(os.path.splitext(name)[0], [None]):
            status, text, program = self.compile(source, work, macro)
            if is_part(source):
                return top, name, status == 0 or "undefined reference" in text, status == 0, "part of another program"
            if status:
                match = re.search(r"undefined reference to .(\w+)|unknown type name .(\w+)|.(MPI_\w+). undeclared|Error: (.*)", text)
                found = next((g for g in match.groups() if g), "") if match else ""
                return top, name, False, False, found or (text.strip().splitlines() or ["?"])[-1][:100]
            reason = self.passes(program, work, row)
            if reason:
                return top, name, True, False, (macro + ": " if macro else "") + reason
        return top, name, True, True, ""


class Kept:
    """Results in a file, a line a source."""

    def __init__(self, path):
        self.done = {}
        self.file = open(path, "a+") if path else None
        if not self.file:
            return
        self.file.seek(0)
        lines = self.file.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):  # the run was interrupted within this line
            self.file.truncate(sum(len(line.encode()) for line in lines[:-1]))
            lines.pop()
        for line in lines:
            result = json.loads(line)
            self.done[result[1]] = tuple(result)

    def add(self, result):
        if self.file:
            self.file.write(json.dumps(result) + "\n")
            self.file.flush()
        return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("suite", nargs="?", default=os.environ.get("MPICH_SUITE", ""))
    parser.add_argument("--only", default="")
    parser.add_argument("--out")
    parser.add_argument("--keep")
    parser.add_argument("--work")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--failures", action="store_true")
    a = parser.parse_args()
    if not a.suite:
        print("skipped: no path of the MPICH test suite, expected an argument or MPICH_SUITE")
        return 77
    kept = Kept(a.keep)
    with tempfile.TemporaryDirectory() as temporary:
        work = os.path.abspath(a.work or temporary)
        os.makedirs(work, exist_ok=True)
        suite = Suite(os.path.abspath(a.bin), os.path.abspath(a.suite), work)
        suite.make_support()
        if suite.why:
            print(suite.why, file=sys.stderr)
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            rows = sources(suite.suite, a.only)
            results = list(pool.map(lambda row: kept.done.get(os.path.relpath(row[1], suite.suite)) or kept.add(suite.one(row)), rows))
    lines = ["| directory | sources | compile | pass |", "|---|---|---|---|"]
    total = [0, 0, 0]
    for top in DIRECTORIES:
        of = [r for r in results if r[0] == top]
        counts = [len(of), sum(r[2] for r in of), sum(r[3] for r in of)]
        total = [x + y for x, y in zip(total, counts)]
        if of:
            lines.append("| %s | %d | %d | %d |" % (top, *counts))
    lines.append("| all | %d | %d | %d |" % tuple(total))
    print("\n".join(lines))
    failures = ["%s\t%s\t%s" % (r[1], "runs" if r[2] else "compile", r[4]) for r in results if not r[3]]
    if a.out:
        with open(a.out, "w") as f:
            f.write("\n".join(lines + failures) + "\n")
    if a.failures:
        print("\n".join(failures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
