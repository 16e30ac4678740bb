#!/usr/bin/env python3
"""Programs of psim-cc and psim-fc on arrays of several sizes.

    compile.py PLUGIN SOURCES [NAME]

PLUGIN is the built plugin, or nothing: then the test is skipped. Each program compares its results with loops
without a directive. The table has how many nests run on the array and how many are left to the scalar core at run time, on
16 PEs of 64 KiB; refused.c and MESSAGES have the messages.
"""
import os
import re
import subprocess
import sys
import tempfile

# program, calls of nests on the array, calls that are left to the scalar core
PROGRAMS = (
    ("nests.c", 15, 5),  # every_other leaves its copy at the first refusal: once a call, not once an iteration
    ("nests.f90", 8, 0),
    ("blocks.c", 24, 0),
    ("singles.c", 232, 8),
    ("singles.f90", 6, 0),
    ("structures.c", 48, 7),
    ("pointers.c", 44, 0),
    ("own.c", 28, 8),
    ("growing.c", 13, 5),
    ("ends.c", 32, 23),  # rows, columns, turned, mirrored of 6 sizes, beyond of 1, and 7; no lanes 6, changed 6, beyond 5, and 6
    ("versions.c", 18, 0),
    ("units.c", 95, 19),  # 19 nests of five sizes, and of none
    ("integers.c", 76, 15),  # 15 nests likewise, and sums
    ("gathers.c", 65, 13),
    ("pairs.c", 35, 7),
)
# Units of the PEs that a program needs.
UNITS = {"units.c": "divide,select", "integers.c": "select,integer", "gathers.c": "select,integer,gather", "pairs.c": "single"}
OTHERS = {"pairs.c"}  # other PEs run these too
MESSAGES = (("automatic.c", ["-fpsim-auto"]), ("kept.c", []), ("kept.f90", []), ("ignored.f90", []))
FLAGS = ("-O0", "-O1", "-fpsim-auto", "-fpsim-auto=all", "-fpsim-auto -fno-openmp-simd", "-O2 -g -fpsim-regroup", "-Os", "-flto", "-fopenmp", "-fwrapv", "-ffast-math", "-funroll-loops -fprefetch-loop-arrays",
         "-fstack-protector-all")
ARRAYS = [(pes, sbm) for pes in (0, 1, 2, 5, 16, 32) for sbm in ("4KiB", "64KiB")]


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def compiled(source, work, *flags):
    """The program, or nothing; and what the compiler says."""
    program = f"{work}/{os.path.basename(source)}.sparc"
    compiler = "psim-cc" if source.endswith(".c") else "psim-fc"
    made = run([compiler, "-Wall", *flags, f"-J{work}" if compiler == "psim-fc" else f"-I{work}", "-o", program, source, "-lm"])
    return (program if made.returncode == 0 else None), made.stdout


def check_program(source, on_array, on_core, work, units=""):
    program, said = compiled(source, work, "-fpsim-report", *([f"-fpsim-units={units}"] if units else []))
    if not program or "not on the array" in said:
        return [f"{source}: expected a program with every nest on the array, got\n{said}"]
    bad = []
    for pes, sbm in ARRAYS:
        out = run(["psim-record", "--no-trace", "--pes", str(pes), "--sbm", sbm, "--env", "PSIM_NEST_REPORT=1",
                   *(["--units", units] if units and pes else []), "--", program])
        if out.returncode or "nests: 0 wrong" not in out.stdout:
            bad.append(f"{source}: {pes} PEs of {sbm}: expected 0 wrong, got\n{out.stdout}")
        if (pes, sbm) == (16, "64KiB"):
            said = re.sub(r"^psim-record: .*", "", out.stdout, flags=re.M) # the nests' own report is counted
            got = len(re.findall(r" lanes on 16 PEs", said)), len(re.findall(r"scalar core", said))
            if got != (on_array, on_core):
                bad.append(f"{source}: expected {on_array} nests on the array and {on_core} on the core, got {got}\n{out.stdout}")
    if units:
        bad += check_lack(source, program, os.path.basename(source) in OTHERS)
    return bad


def check_lack(source, program, others):
    """PEs that cannot do what the kernels need leave these out: all, but with `others`."""
    out = run(["psim-record", "--no-trace", "--env", "PSIM_NEST_REPORT=1", "--", program]).stdout
    if "nests: 0 wrong" in out and (" lanes on 16 PEs" in out) == others and "kernels need what the PEs cannot do" in out:
        return []
    return [f"{source}: expected no nest on PEs without units, got\n{out}"]


def check_flags(source, work):
    """Options of the compiler change where loops run, and no result."""
    bad = []
    for flags in FLAGS:
        program, said = compiled(source, work, *flags.split())
        out = run(["psim-record", "--no-trace", "--", program]).stdout if program else said
        if "nests: 0 wrong" not in out:
            bad.append(f"{source} with {flags}: expected 0 wrong, got\n{out}")
    return bad


def check_refusals(source, work, *flags):
    """Each comment is the message of its line."""
    name = os.path.basename(source)
    said = run(["psim-cc", *flags, "-c", "-o", f"{work}/refused.o", source]).stdout
    bad = []
    with open(source, encoding="utf-8") as f:
        wanted = [(number, line.split(" // ")[1].strip()) for number, line in enumerate(f, 1) if " // " in line]
    for number, text in wanted:
        if not re.search(rf"{re.escape(name)}:{number}: not on the array: .*{re.escape(text)}", said):
            bad.append(f"{source}:{number}: expected '{text}', got\n{said}")
    if said.count("not on the array") != len(wanted):
        bad.append(f"{source}: expected {len(wanted)} refusals, got\n{said}")
    return bad


def check_ignored(source, work):
    """Each comment is the message of its line. With -fopenmp, threads share two of the loops;
    with -fno-openmp-simd all directives are skipped: those of these lines that are in functions which GCC keeps, all but two, and five more."""
    name, bad = os.path.basename(source), []
    with open(source, encoding="utf-8") as f:
        wanted = {number: line.split(" // ")[1].strip() for number, line in enumerate(f, 1) if " // " in line}
    of_threads = {number for number, text in wanted.items() if text.startswith(("'for'", "'taskloop'"))}
    for flags, lines in (("", wanted), ("-fopenmp", {number: text for number, text in wanted.items() if number not in of_threads})):
        said = run(["psim-cc", *flags.split(), "-c", "-o", f"{work}/ignored.o", source]).stdout
        got = dict(re.findall(rf"{re.escape(name)}:(\d+): not on the array: (.*)", said))
        if [number for number, text in lines.items() if not got.get(str(number), "").startswith(text)] or said.count("not on") != len(lines):
            bad.append(f"{source} {flags}: expected {lines}, got\n{said}")
    said = run(["psim-cc", "-fno-openmp-simd", "-c", "-o", f"{work}/ignored.o", source]).stdout
    if said.count("not on the array") != said.count("with -fno-openmp-simd, which skips directives") or said.count("not on the array") != len(wanted) - 2 + 5:
        bad.append(f"{source} -fno-openmp-simd: expected {len(wanted) - 2 + 5} lines, got\n{said}")
    said = run(["psim-cc", "-fpsim-report", "-fno-psim", "-c", "-o", f"{work}/ignored.o", source]).stdout
    if said != "psim-cc: -fpsim-report: no loop runs on the array with -fno-psim\n":
        bad.append(f"{source} -fno-psim -fpsim-report: expected a line on -fno-psim, got\n{said}")
    return bad


def check_blocks(source, work):
    """Bytes that move, and that need not, in each run of a nest; bytes that go back to memory at a line."""
    program, said = compiled(source, work)
    out = run(["psim-record", "--no-trace", "--env", "PSIM_NEST_REPORT=1", "--", program]).stdout if program else said
    bad = []
    with open(source, encoding="utf-8") as f:
        lines = [(number, line.split(" // ")[1].split()) for number, line in enumerate(f, 1) if " // " in line]
    for number, wanted in lines:
        back = wanted[0] == "back"
        form = r"(\d+) bytes back" if back else r".*; (\d+) bytes in \d+ transfers; (\d+) bytes not moved"
        got = re.findall(rf"blocks\.c:{number}: {form}", out)
        got = got if back else [figure for pair in got for figure in pair]
        if got != wanted[back:]:
            bad.append(f"{source}:{number}: expected {wanted[back:]} bytes, got {got}\n{out}")
    return bad


def check_messages(source, work, *flags):
    """Each comment is the line's message, and there are no others."""
    name, comment = os.path.basename(source), " // " if source.endswith(".c") else " ! "
    said = run(["psim-cc" if source.endswith(".c") else "psim-fc", *flags, "-fpsim-report", "-c", "-o", f"{work}/messages.o", source]).stdout
    with open(source, encoding="utf-8") as f:
        wanted = [(number, line.split(comment)[1].strip()) for number, line in enumerate(f, 1) if comment in line]
    bad = [f"{source}:{number}: expected '{text}', got\n{said}" for number, text in wanted
           if not re.search(rf"{re.escape(name)}:{number}: {re.escape(text)}", said)]
    if len(said.splitlines()) != len(wanted):
        bad.append(f"{source}: expected {len(wanted)} messages, got\n{said}")
    return bad


def check_directives(sources, work):
    """psim-record --check-simd: the lines are worked out in directives.c and permitted.c, `shift` and `pass_on` of nests.c depend on the lane
    before; the result stays that of the scalar order."""
    bad = []
    for name, flags, wanted in (("../bad/simd/directives.c", (), 4), ("../bad/simd/directives.c", ("-ffast-math",), 4), ("../bad/simd/permitted.c", (), 6), ("../bad/simd/permitted.c", ("-fopenmp",), 6), ("nests.c", (), 2), ("nests.f90", (), 0)):
        source = f"{sources}/{name}"
        program, _ = compiled(source, work, *flags)
        out = run(["psim-record", "--no-trace", "--check-simd", "--", program])
        with open(source, encoding="utf-8") as f:
            lines = [f"{os.path.basename(name)}:{number}: {line.split(' // ')[1].strip()}" for number, line in enumerate(f, 1) if " // " in line]
        missing = [line for line in lines if not re.search(re.escape(line).replace(r"\.\.\.", ".*"), out.stdout)]
        if missing or ": 0 wrong" not in out.stdout or out.stdout.count("the directive is wrong") != wanted \
                or "mistake" in out.stdout or out.returncode != (1 if wanted else 0):
            bad.append(f"{source} {flags}: expected {wanted} wrong directives, status {int(wanted > 0)} and {missing}, got status {out.returncode}\n{out.stdout}")
    return bad


def check_reported(source, work):
    """The lines that the compiler reports on the array are those of the SIMD instructions in the trace."""
    program, said = compiled(source, work, "-g", "-fpsim-auto=all", "-fpsim-report")
    trace = f"{work}/reported.trace.gz"
    recorded = run(["psim-record", "-q", "--warm-up", "0", "-o", trace, "--", program]) if program else None
    if not recorded or recorded.returncode:
        return [f"{source}: expected a trace, got\n{recorded.stdout if recorded else said}"]
    reported = {int(line) for line in re.findall(r"reported\.c:(\d+): on the array", said)}
    ran, line = set(), None
    for text in run(["psim-trace", "--insns", trace]).stdout.splitlines():
        if text.startswith("# "):
            line = int(text.split(":")[1]) if "reported.c:" in text else None
        elif re.search(r"%s\d", text):
            ran.add(line)
    if not reported or reported != ran:
        return [f"{source}: expected SIMD instructions of lines {sorted(reported)}, got {sorted(ran, key=str)}\n{said}"]
    return []


def check_slow(source, work):
    """Directives that make loops slower: messages of the compiler where it knows the bounds, and of psim-record."""
    program, said = compiled(source, work)
    out = run(["psim-record", "--no-trace", "--", program]).stdout if program else ""
    with open(source, encoding="utf-8") as f:
        wanted = [(number, line.split(" // ")[1].strip()) for number, line in enumerate(f, 1) if " // " in line]
    lines = [f"slow.c:{number}: slower with the array{' ' if text.startswith('if ') else ': '}{text}" for number, text in wanted]
    missing = [line for line in lines if not re.search(re.escape(line).replace(r"\.\.\.", ".*"), out)]
    bad = [f"{source}: expected {missing} of {len(lines)} lines, got\n{out}"] if missing or out.count("slower") != len(lines) else []
    told = re.findall(r"slow\.c:\d+: slower on the array(.*): about (\d+) cycles with the most iterations, the scalar loop (\d+)(.*)\n", said)
    if told != [("", "23160", "120", ""), (" if its data are in caches before", "63000", "30000", ", with data from memory 142500")]:
        bad.append(f"{source}: expected the compiler to tell of 23000 + 640 / 4 and 3 * 40 cycles, 23000 + 16 * 10000 / 4, 3 * 10000 and 45 more for each of 2500 lines, got\n{said}")
    for without in (["-q"], ["--pes", "0"], ["--check-simd"]):
        if "slower" in run(["psim-record", "--no-trace", *without, "--", program]).stdout:
            bad.append(f"{source}: expected nothing with {without}")
    return bad


def main(plugin, sources, only=""):
    if not plugin:
        print("skipped: the plugin is not built (gcc-12-plugin-dev-sparc64-linux-gnu, g++)")
        sys.exit(77)
    bad = []
    with tempfile.TemporaryDirectory() as work:
        for name, on_array, on_core in PROGRAMS:
            if only in ("", name):
                bad += check_program(f"{sources}/{name}", on_array, on_core, work, UNITS.get(name, ""))
        if only in ("", "flags"):
            bad += check_flags(f"{sources}/nests.c", work)
        if only in ("", "directives.c"):
            bad += check_directives(sources, work)
        if only in ("", "blocks.c"):
            bad += check_blocks(f"{sources}/blocks.c", work)
        if only in ("", "refused.c"):
            bad += check_refusals(f"{sources}/refused.c", work)
        if only in ("", "refused_units.c"):
            bad += check_refusals(f"{sources}/refused_units.c", work, "-fpsim-units=divide,select,integer,single,gather")
        if only in ("", "ignored.c"):
            bad += check_ignored(f"{sources}/ignored.c", work)
        if only in ("", "slow.c"):
            bad += check_slow(f"{sources}/slow.c", work)
        if only in ("", "reported.c"):
            bad += check_reported(f"{sources}/reported.c", work)
        for name, flags in MESSAGES:
            if only in ("", name):
                bad += check_messages(f"{sources}/{name}", work, *flags)
    print("\n".join(bad), file=sys.stderr, end="\n" if bad else "")
    sys.exit(1 if bad else 0)


main(*sys.argv[1:])
