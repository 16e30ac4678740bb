#!/usr/bin/env python3
"""psim-model: from a kernel to a time model: compiles, records, simulates sizes of it, and fits."""
import itertools
import math
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
# Paths in the build or the installation; in the source tree they are relative to this file.
PLACES = {"drivers": "@drivers@", "sources": "@sources@"}
if PLACES["drivers"].startswith("@"):
    PLACES = {"drivers": "../../psim/base/drivers", "sources": "."}
PLACES = {name: os.path.normpath(os.path.join(HERE, path)) for name, path in PLACES.items()}
sys.path.insert(0, PLACES["drivers"])
sys.dont_write_bytecode = True
from psim_drivers import (FAILED, USAGE, Command, Folder, Jobs, Report, Stop, kernel_rows, read, start,  # noqa: E402
                          write)

USAGE_TEXT = """usage: psim-model KERNEL --sizes A:B:STEP -o MODEL [OPTION]...
Makes a time model of a kernel: compiles it, records and simulates each size, and fits. KERNEL is a kernel
of psim-kernels, a source (.c, .f90), or a static SPARC-V9 program.

Simulations run in parallel. Their reports stay in the folder MODEL.runs: the same command again, after an
interruption or with more sizes, simulates only what is missing or changed. The largest size is held out.

options:
      --sizes [NAME=]LIST           sizes: 32:512:32 (steps), 64:4096:x2 (factors) or 16,24,48; repeated: of the next
                                    variable, all combinations (first without NAME: n)
  -o, --output FILE                 write the model to FILE, its picture beside it (.svg)
      --arguments 'WORD...'         program's arguments, {n} or {log2(n)} for a size; default: kernel's own, or {n}
      --region NAME                 model this region (default: the kernel's; of a program all from main)
      --warm-up N                   instructions before the region that warm up caches (default 0: caches begin cold)
      --flags 'FLAG...'             compiler flags instead of all default ones, -static too
      --name PATH                   path that the program sees as its own (default /kernels/KERNEL)
  -c, --config FILE                 processor: parameters from an INI file; may be repeated, later ones win
  -p, --param SECTION.KEY=VALUE     set one parameter, after all files; may be repeated
  -j, --jobs N                      simulations in parallel (default: one for each processor of the host)
      --work FOLDER                 folder of programs and reports (default MODEL.runs)
      --keep-traces                 keep the traces there
      --sources FOLDER              directory of the kernels' sources
  -q, --quiet                       no progress

options of psim-fit, which fits:
  -t, --terms LIST                  use these terms, '1, n^(3/2)*log2(m)'; repeated: maximum of the sums
  -k, --kernel NAME                 choose from the theoretical terms of gemm, fft, stencil, stream or spmv
      --value NAME                  fit this value of the reports (default: seconds)
      --energy NAME                 also fit the processor's energy: energy of a region, or core.energy_j
      --memory NAME                 also fit the bytes read from memory and written to it
      --signs positive|any          choose terms with positive coefficients (default), or with any
      --max-terms K                 choose at most K terms (4)
      --weights relative|equal      minimise errors in percent (default), or in the value's unit
  -i, --interpolate                 use a table of the points instead of terms
      --hold-out CONDITION          exclude these sizes from the fit, n=512 or n>400 (default: the largest)
      --predict VALUES              predict the value for these sizes, n=1024; may be repeated
      --expect FIGURE               status 5 unless FIGURE holds (model.held_out_error<=3); may be repeated
  -f, --format text|json|csv|html   format of the result
      --json                        the same as --format json
  -v, --verbose                     print a full report instead of a short one

common options:
  -h, --help                        show this help
      --man                         print the manual page: pipe it to man -l -
  -V, --version                     show the version

examples:
    psim-model zgemm --sizes 12:96:12 -c simd16.ini -o zgemm.model
    psim-model simd-fft --sizes 16:1024:x2 -c simd16-prefetched.ini -o fft.model
    psim-model mine.c --region solve --sizes 100:1000:100 --arguments '{n} 3' -o solve.model
    psim-model simd-update --sizes m=64,128 --sizes n=64,128 --sizes k=64,128 -c simd16.ini -o update.model

exit status: 0 done, 1 run failed, 2 usage or configuration, 3 bad input file,
4 simulated program stuck, 5 an expected figure missed
"""
TO_FIT = ("--terms", "--predict", "--expect")  # handed on to psim-fit: each time it is given,
TO_FIT_ONCE = ("--kernel", "--value", "--energy", "--memory", "--signs", "--max-terms", "--weights", "--format")  # the last one,
TO_FIT_FLAGS = ("--interpolate", "--json", "--verbose")  # and without a value
COMMAND = Command("psim-model", "a time model of a kernel, from its source", USAGE_TEXT,
                  flags=("--keep-traces", "--quiet", *TO_FIT_FLAGS),
                  values=("--output", "--arguments", "--region", "--warm-up", "--flags", "--name", "--jobs", "--work",
                          "--sources", *TO_FIT_ONCE),
                  lists=("--sizes", "--config", "--param", "--hold-out", *TO_FIT),
                  short={"-o": "--output", "-c": "--config", "-p": "--param", "-j": "--jobs", "-q": "--quiet",
                         "-t": "--terms", "-k": "--kernel", "-i": "--interpolate", "-f": "--format", "-v": "--verbose"},
                  anywhere=True)
LARGEST, MOST = 2**53, 10000  # size; runs
RESERVED = ("file", "data_kib")  # columns of the table for psim-fit
FEWEST = 5  # sizes from which psim-fit chooses terms; one more is held out
FLAGS = "-O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static"


def whole(text, what):
    """A size as a number from 1."""
    if not re.fullmatch(r"[0-9]{1,16}", text) or not 1 <= int(text) <= LARGEST:
        raise Stop(USAGE, f"--sizes {what}: '{text}', expected a whole number from 1 to {LARGEST}")
    return int(text)


def sizes_of(text):
    """(name or "", sizes) of an argument of --sizes."""
    name, equals, values = text.rpartition("=")
    if equals and not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name):
        raise Stop(USAGE, f"--sizes {text}: '{name}' is no name of a variable")
    if name in RESERVED:
        raise Stop(USAGE, f"--sizes {text}: '{name}' names a column of psim-fit's tables, expected another name")
    parts = values.split(":")
    if len(parts) == 1:
        found = [whole(word, text) for word in values.split(",")]
    elif len(parts) == 3:
        factor = parts[2].startswith("x")
        first, last, step = whole(parts[0], text), whole(parts[1], text), whole(parts[2].removeprefix("x"), text)
        if last < first or (factor and step < 2):
            raise Stop(USAGE, f"--sizes {text}: expected FIRST:LAST:STEP or FIRST:LAST:xFACTOR, ascending")
        found = []
        while first <= last and len(found) <= MOST:
            found.append(first)
            first = first * step if factor else first + step
    else:
        raise Stop(USAGE, f"--sizes {text}: expected FIRST:LAST:STEP, FIRST:LAST:xFACTOR or a list")
    return name, sorted(set(found))


def variables(options):
    """{name: sizes} of all --sizes, in their order."""
    if not options["sizes"]:
        raise Stop(USAGE, "--sizes is missing: which sizes? For instance --sizes 32:256:32")
    found = {}
    for text in options["sizes"]:
        name, sizes = sizes_of(text)
        name = name or "n"
        if name in found:
            raise Stop(USAGE, f"--sizes {text}: '{name}' has sizes already; NAME=LIST gives another variable's")
        found[name] = sizes
    if math.prod(map(len, found.values())) > MOST:
        raise Stop(USAGE, f"--sizes: more than {MOST} runs")
    return found


class Program:
    """The modelled program: a kernel of the table, a source or a program.

    `stem` names its files, `inputs` are what it is made of, `command` makes the file `made` in the work folder,
    `arguments` has {n} for sizes."""

    def __init__(self, operand, options):
        row = next((row for row in kernel_rows(options["sources"]) if row["name"] == operand), None)
        self.options, self.row = options, row
        self.stem = re.sub(r"\.[A-Za-z0-9]*$", "", os.path.basename(operand)) or "program"
        self.region, self.arguments = options["region"], options["arguments"]
        if row:
            self.stem, self.made, self.inputs = operand, operand + ".sparc", [options["sources"]]
            self.region = self.region or row["region"]
            self.arguments = self.arguments or (row["sizes"] if row["sizes"] != "-" else None)
            if not self.arguments:
                raise Stop(USAGE, f"{operand}: takes no size; --arguments says where else one goes")
        elif not os.path.isfile(operand):
            raise Stop(USAGE, f"{operand}: neither a kernel (psim-kernels --list) nor a source nor a program")
        else:
            self.made, self.inputs = self.stem + ".sparc", [os.path.realpath(operand)]
        self.arguments = self.arguments or "{n}"
        self.array = row is not None and row["pes"] != "-"
        self.source = None if row or not operand.endswith((".c", ".f90")) else self.inputs[0]
        if self.source and self.source.endswith(".c"):
            self.inputs += self.headers()

    def headers(self):
        """Returns the headers of a C source that are not the compiler's own, whose changes make another program."""
        command = ["sparc64-linux-gnu-gcc", "-MM", *(self.options["flags"] or FLAGS).split(), "-I", self.options["sources"],
                   self.source]
        if not shutil.which(command[0]):
            return []
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        names = shlex.split(run.stdout.replace("\\\n", " ")) if not run.returncode else []  # the compilation will say why
        return [os.path.realpath(name) for name in names[2:]]

    def commands(self, folder):
        """Commands that make the program in the work folder, from anywhere."""
        flags = self.options["flags"]
        at, out = self.options["sources"], folder(self.made)
        if self.row:
            more = ["--flags", flags] if flags else []
            return [["psim-kernels", "-q", "--build", "--sources", at, *more, "-o", folder.path, self.row["name"]]]
        if not self.source:
            return [["cp", self.inputs[0], out]]
        if self.source.endswith(".c"):
            return [["sparc64-linux-gnu-gcc", "-std=gnu17", *(flags or FLAGS).split(), "-I", at, self.source, "-o", out,
                     "-lm"]]
        return [["sparc64-linux-gnu-gfortran", *(flags or FLAGS).split(), "-J", folder.path, f"{at}/psim_region.f90",
                 f"{at}/psim_region.c", self.source, "-o", out]]

    def words(self, point):
        """The program's arguments for the sizes {name: size}."""
        for name in point:
            if not re.search(rf"\{{(log2\()?{name}\)?\}}", self.arguments):
                raise Stop(USAGE, f"--sizes {name}=...: no {{{name}}} among the program's arguments, {self.arguments}")
        try:
            words = shlex.split(self.arguments)
        except ValueError as error:
            raise Stop(USAGE, f"--arguments {self.arguments}: {error}") from None
        return [re.sub(r"\{([^{}]*)\}", lambda found: value_of(found.group(1), point), word) for word in words]


def value_of(text, point):
    """A size or its logarithm, as named between braces in --arguments."""
    inner = re.fullmatch(r"log2\((.*)\)", text)
    name = inner.group(1) if inner else text
    if name not in point:
        raise Stop(USAGE, f"--arguments: {{{text}}}: expected one of "
                          + ", ".join(f"{{{name}}} or {{log2({name})}}" for name in point))
    size = point[name]
    if not inner:
        return str(size)
    if size & (size - 1):
        raise Stop(USAGE, f"{name}={size}: {{{text}}} is no whole number: sizes are powers of two, as 64:4096:x2")
    return str(size.bit_length() - 1)


def processor(options):
    """The configuration with all its values, as a text and as {key: value}."""
    given = [word for key in ("config", "param") for value in options[key] for word in (f"--{key}", value)]
    run = subprocess.run(["psim", *given, "--dump-config"], stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode:
        raise Stop(run.returncode if run.returncode > 0 else FAILED)  # psim has said why
    found, section = {}, ""
    for line in run.stdout.splitlines():
        section = line.strip("[] ") if line.startswith("[") else section
        key, equals, value = line.partition("=")
        if equals:
            found[f"{section}.{key.strip()}"] = re.sub(r"\s*;.*", "", value).strip()
    return run.stdout, found


def add_runs(jobs, program, points, config, options):
    """Adds a job for each point; returns the points as psim-fit takes them, with the reports' names, in their order."""
    folder = jobs.folder
    pes = config["simd.pes"]
    array = ["--pes", pes] + (["--sbm", config["simd.sbm_bytes"]] if pes != "0" else [])
    what = ["--region", program.region] if program.region else ["--from", "main"]
    jobs.add([program.made], program.commands(folder), [jobs.stamp(*program.inputs)], f"{program.stem}: compile")
    inputs = [folder(program.made), folder("processor.ini"), jobs.stamp("psim", "psim-record")]
    reports = []
    for point in reversed(points):  # the longest first
        label = ",".join(f"{name}={size}" for name, size in point.items())
        name = folder("-".join([program.stem, *label.split(",")]))  # without commas: a cell of points.csv
        report, trace = f"{name}.json", f"{name}.trace.gz"
        record = ["psim-record", "-q", "-o", trace, "--warm-up", options["warm-up"] or "0", *what, *array,
                  "--name", options["name"] or f"/kernels/{program.stem}.sparc", "--", folder(program.made),
                  *program.words(point)]
        data = ["psim-trace", "-q", "--working-set", *(["-R", program.region] if program.region else []), "-f", "csv",
                "-o", folder(data_name(report)), trace]
        simulate = ["psim", "-q", "--no-profile", "-c", folder("processor.ini"), "--json", "-o", report, trace]
        # The program's output goes to stderr, which is shown if the job fails.
        steps = [["cd", os.getcwd()], shlex.join(record) + " 1>&2 </dev/null", data, simulate]
        steps += [] if options["keep-traces"] else [["rm", trace]]
        jobs.add([data_name(report), os.path.basename(report)], steps, inputs, f"{program.stem} {label}")
        reports.append((label, os.path.relpath(report)))
    return reports[::-1]


def data_name(report):
    """Name of the file with the data that a run touches."""
    return re.sub(r"json$", "data.csv", os.path.basename(report))


def data_kib(folder, report):
    """KiB of the lines of data that a run touches."""
    kib = Report(folder(data_name(report))).number("working_set.data", "line_kib")
    return 0 if math.isnan(kib) else kib


def write_points(folder, points, reports):
    """Writes the table of sizes, reports and KiB of data, which psim-fit reads; returns its path."""
    rows = [",".join([*points[0], "file", "data_kib"])]
    for point, (_, report) in zip(points, reports):
        rows.append(",".join(map(str, [*point.values(), os.path.basename(report), data_kib(folder, report)])))
    write(folder("points.csv"), "\n".join(rows) + "\n")
    return os.path.relpath(folder("points.csv"))


def check_predictions(options, names):
    """Refuses sizes of --predict that are not above 0."""
    for text in options["predict"]:
        for pair in text.split(","):
            name, equals, value = pair.partition("=")
            if equals and name in names and re.fullmatch(r"-?[0-9.]+(e[0-9]+)?", value) and not float(value) > 0:
                raise Stop(USAGE, f"--predict {text}: expected sizes above 0")


def fit_command(program, table, sizes, options):
    last = list(sizes)[-1]
    held = options["hold-out"] or [f"{last}={sizes[last][-1]}"]
    command = ["psim-fit"]
    if program.region and not (options["value"] or "").count("."):
        command += ["--region", program.region]
    for key in TO_FIT:
        command += [word for value in options[key[2:]] for word in (key, value)]
    for key in TO_FIT_ONCE:
        command += [key, options[key[2:]]] if options[key[2:]] else []
    command += [key for key in TO_FIT_FLAGS if options[key[2:]]]
    command += [word for value in held for word in ("--hold-out", value)]
    model = options["output"]
    return command + ["--model", model, "--picture", re.sub(r"\.model$", "", model) + ".svg", table]


def main(arguments):
    if os.path.exists(os.path.join(HERE, "psim-record")):
        os.environ["PATH"] = HERE + os.pathsep + os.environ["PATH"]
    options, operands = COMMAND.parse(arguments)
    if len(operands) != 1:
        raise Stop(USAGE, "expected one KERNEL; --help shows the options" if not operands else
                   f"one KERNEL at a time, not also '{operands[1]}'")
    if not options["output"]:
        raise Stop(USAGE, "-o MODEL is missing: where does the model go?")
    jobs_at_once = options["jobs"] or str(len(os.sched_getaffinity(0)))
    if not re.fullmatch(r"[1-9][0-9]{0,3}", jobs_at_once):
        raise Stop(USAGE, f"--jobs {jobs_at_once}: expected a number from 1")
    options["sources"] = os.path.realpath(options["sources"] or PLACES["sources"])
    sizes = variables(options)
    program = Program(operands[0], options)
    points = [dict(zip(sizes, values)) for values in itertools.product(*sizes.values())]
    for point in points:
        program.words(point)  # refuses before anything runs
    place = os.path.dirname(options["output"]) or "."
    if not os.path.isdir(place):
        raise Stop(FAILED, f"{place}: not a folder, expected one for the model")
    if len(points) < FEWEST + 1 and not (options["terms"] or options["interpolate"]):
        raise Stop(USAGE, f"--sizes: {len(points)} runs, expected at least {FEWEST + 1} to choose terms, "
                    "or --terms, or --interpolate")
    check_predictions(options, sizes)
    text, config = processor(options)
    if program.array and config["simd.pes"] == "0":
        given = options["config"][-1] if options["config"] else "the processor"
        raise Stop(USAGE, f"{operands[0]}: this kernel needs an array, and {given} has none (simd.pes = 0): expected "
                   "another, as -c simd16.ini")
    with Folder(options["work"] or options["output"] + ".runs") as folder:
        jobs = Jobs("psim-model", folder, jobs_at_once, options["quiet"])
        if not os.path.exists(folder("processor.ini")) or read(folder("processor.ini")) != text:
            write(folder("processor.ini"), text)
        reports = add_runs(jobs, program, points, config, options)
        jobs.run(brief=True)
        table = write_points(folder, points, reports)
        return subprocess.run(fit_command(program, table, sizes, options), check=False).returncode


if __name__ == "__main__":
    start("psim-model", main)
