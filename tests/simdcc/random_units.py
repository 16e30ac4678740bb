#!/usr/bin/env python3
"""Random loops for PEs that can do more than the paper's: integers, singles, subscripts that are data, rows of a sparse matrix.

    random_units.py PLUGIN [--count N] [--seed S] [--keep FOLDER]

A program has 16 loops, each as two functions, one with the directive; both run on the same data and are compared element by
element. A hash of all results is compared with that of the same program on the host, whose compiler knows nothing of
arrays. Signed numbers stay small, so that nothing overflows; unsigned ones wrap. Real numbers are small integers, so that
results are exact. Each program runs on 0 to 32 PEs with buffer memories of 4 to 64 KiB, and on PEs without these units, where
every loop has to run on the scalar core.

Prints how many loops the compiler accepted and how many runs were on the array. The first loop that differs is printed.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

LOOPS = 16
UNITS = "divide,select,integer,single,gather"
ARRAYS = ((0, "64KiB"), (1, "64KiB"), (2, "8KiB"), (5, "8KiB"), (16, "4KiB"), (16, "64KiB"), (32, "16KiB"))
TYPES = ("int", "unsigned", "long", "ulong", "float", "double")

HEAD = """#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define LEAF __attribute__((noipa)) static
typedef uint64_t ulong_bits;
#define long int64_t
#define ulong ulong_bits
enum { ROOM = 1400, SUBSCRIPTS = 120 };
static uint64_t state = 88172645463325252u, hash;
static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}
static void note(const char *x, size_t size, long n)
{
	for (long k = 0; k < n; k++, x += size) {
		uint32_t half;
		uint64_t whole;
		memcpy(&half, x, 4);
		memcpy(&whole, x, size);
		hash = (hash ^ (size == 4 ? half : whole)) * 1099511628211u;
	}
}
"""


class Loop:
    """A loop's source, by random choices."""

    def __init__(self, number, seed):
        self.random = random.Random(f"{seed}/{number}")
        self.number = number
        self.type = self.choose(*TYPES)
        self.real = self.type in ("float", "double")
        self.wraps = self.type in ("unsigned", "ulong")
        self.subscript = self.choose("int", "int", "unsigned", "long")
        self.index = self.choose("int", "long")
        self.products = self.names = 0
        self.lanes = self.choose(0, 1, 2, 7, 16, 17, 33, 45, 45, 60)
        self.wide = self.choose(1, 3, 4, 12)
        self.first = self.choose(0, 0, 1)
        self.sum = ""
        self.lines = []
        kind = self.random.random()
        (self.make_rows if kind < 0.2 else self.make_sum if kind < 0.3 else self.make_plain)()

    def choose(self, *of):
        return self.random.choice(of)

    def constant(self):
        return str(self.choose(0, 1, 2, 3, 5, 7, 9) if self.real or not self.wraps else self.choose(1, 3, 5, 255, 1664525, 0x80000000))

    def place(self, loops):
        """A subscript that is affine: below 13 * 60 + 16."""
        terms = ["i" if self.random.random() < 0.6 or not loops else f"{self.wide} * i + {loops[-1]}"]
        if self.random.random() < 0.4:
            terms.append(str(self.choose(1, 2, 3, 8)))
        return " + ".join(terms)

    def load(self, loops):
        """An element, or one that a subscript selects, which is below SUBSCRIPTS."""
        kind = self.random.random()
        if kind < 0.55:
            return f"{self.choose('x', 'y')}[{self.place(loops)}]"
        if kind < 0.65 and loops:
            return f"x[{loops[-1]}]"
        at = f"at[{self.place(loops)}]"
        if kind < 0.9:
            return f"z[{at}{self.choose('', '', ' + 1', f' + {loops[-1]}' if loops else ' + 2')}]"
        if kind < 0.95:
            return f"z[({at} * {self.choose(3, 5)} + 1) & 63]"
        return f"z[at[{at}]]"

    def leaf(self, loops):
        kind = self.random.random()
        if kind < 0.65:
            return self.load(loops)
        if kind < 0.75:
            return f"({self.type}){self.choose('i', *loops)}"
        if kind < 0.85 and self.real:
            return f"({self.type})at[{self.place(loops)}]"
        return self.constant()

    def expression(self, loops, depth=0):
        if depth > 2 or self.random.random() < 0.25:
            return self.leaf(loops)
        a, b = self.expression(loops, depth + 1), self.expression(loops, depth + 1)
        kind = self.random.random()
        if kind < 0.35:
            return f"({a} {self.choose('+', '-')} {b})"
        if kind < 0.5:
            if not self.wraps and self.products >= 1:
                return f"({a} - {b})"
            self.products += 1
            return f"({self.leaf(loops)} * {self.leaf(loops)})"
        if kind < 0.62:
            return f"({a} {self.choose('<', '>', '<=', '==', '!=')} {b} ? {self.leaf(loops)} : {self.leaf(loops)})"
        if self.real:
            return f"({a} + {b})"
        if kind < 0.85:
            return f"({a} {self.choose('&', '|', '^')} {b})"
        if kind < 0.93:
            return f"({a} >> {self.choose(1, 3, 5, 11, f'({b} & 15)')})"
        return f"(~{a})" if kind < 0.96 else f"({a} << {self.choose(1, 3)})" if self.wraps else f"(-{a})"

    def statement(self, loops, indent):
        to = f"to[{self.wide} * i + {loops[-1]}]" if loops else f"to[{self.choose('i', 'i', f'{self.wide} * i')}]"
        if self.random.random() < 0.25:
            self.names += 1
            v, w = f"v{self.names}", f"w{self.names}"
            self.lines += [f"{indent}{self.type} {v} = {self.load(loops)}, {w} = {self.load(loops)};",
                           f"{indent}if ({v} {self.choose('<', '>=', '!=')} {w}) {{", f"{indent}\t{v} = {w} - {v};"]
            self.lines += [f"{indent}}} else {{", f"{indent}\t{w} = {v} + {w};"] if self.random.random() < 0.5 else []
            self.lines += [f"{indent}}}", f"{indent}{to} = {v} + {w};"]
        else:
            self.lines.append(f"{indent}{to} = {self.expression(loops)};")
        self.to = to

    def accumulate(self, indent):
        """A value that an inner loop hands on."""
        self.names += 1
        s, k = f"s{self.names}", f"k{self.names}"
        self.products = 1
        how = [f"{s} += {self.expression([k], 2)};", f"{s} = {s} > {self.load([k])} ? {s} : {self.load([k])};"]
        if not self.real:
            how.append(f"{s} ^= {self.expression([k], 2)};")
        if self.wraps:
            how += [f"{s} = {s} * 1664525u + {self.leaf([k])};", f"{s} ^= {s} << 13; {s} ^= {s} >> 7;"]
        self.lines += [f"{indent}{self.type} {s} = {self.load([])};", f"{indent}for (int {k} = 0; {k} < {self.wide}; {k}++) {{",
                       f"{indent}\t{self.choose(*how)}", f"{indent}}}", f"{indent}to[i] = {s};"]

    def make_plain(self):
        kind = self.random.random()
        if kind < 0.3:
            self.accumulate("\t\t")
        elif kind < 0.5:
            self.lines.append(f"\t\tfor (int k = 0; k < {self.wide}; k++) {{")
            self.statement(["k"], "\t\t\t")
            self.lines.append("\t\t}")
        else:
            self.statement([], "\t\t")

    def make_sum(self):
        how = "+" if self.real else self.choose("+", "^", "|")
        self.sum = f" reduction({how}:sum)"
        self.products = 1
        self.lines.append(f"\t\tsum {how}= {self.expression([], 1)};")

    def make_rows(self):
        k = self.choose("int", "long") if self.subscript == "int" else self.subscript
        term = self.choose("y[k] * z[at[k]]", "y[k] * z[at[k]]", "y[k]", "z[at[k]]", f"y[k] * {self.constant()}")
        also = self.choose("", "", f"\t\t\tt = t > y[k] ? t : y[k];\n")
        self.lines = [f"\t\t{self.type} s = {self.choose('0', 'to[i]', 'x[i]')}, t = 0;",
                      f"\t\tfor ({k} k = start[i]; k < start[i + 1]; k++) {{", f"{also}\t\t\ts += {term};", "\t\t}", "\t\tto[i] = s + t;"]

    def functions(self):
        arguments = f"long n, {self.type} *to, const {self.type} *x, const {self.type} *y, const {self.type} *z, " \
                    f"const {self.subscript} *at, const {self.subscript} *start"
        body = "\n".join(self.lines)
        text = ""
        for name, pragma in (("array", f"#pragma omp simd{self.sum}\n"), ("scalar", "")):
            text += f"LEAF {self.type} {name}_{self.number}({arguments})\n{{\n\t{self.type} sum = 0;\n{pragma}" \
                    f"\tfor ({self.index} i = {self.first}; i < n; i++) {{\n{body}\n\t}}\n\treturn sum;\n}}\n"
        shift = self.choose(0, 0, 1)
        value = f"({self.type})(draw() >> draw() % 40)" if self.wraps else f"({self.type})(int)(draw() % 64) - 20"
        return text + f"""static int try_{self.number}(void)
{{
	static {self.type} a[4][ROOM], expected[ROOM];
	static {self.subscript} at[ROOM], start[100];
	{self.type} *to = a[0] + {shift}, s, t;
	long n = {self.lanes}, row = 1;
	for (long k = 0; k < ROOM; k++) {{
		for (int j = 0; j < 4; j++)
			a[j][k] = {value};
		at[k] = ({self.subscript})(draw() % SUBSCRIPTS);
	}}
	for (long k = 0; k < 100; k++, row += (long)(draw() % {self.choose(2, 9, 13)}))
		start[k] = ({self.subscript})row;
	memcpy(expected, a[0], sizeof expected);
	s = array_{self.number}(n, to, a[1] + {self.choose(0, 1)}, a[2], a[3], at, start);
	t = scalar_{self.number}(n, expected + {shift}, a[1] + 0, a[2], a[3], at, start);
	note((const char *)a[0], sizeof expected[0], ROOM);
	note((const char *)&s, sizeof s, 1);
	int bad = memcmp(a[0], expected, sizeof expected) || s != t;
	if (bad)
		printf("loop {self.number} differs\\n");
	return bad;
}}
"""


def source(loops):
    calls = "".join(f"\tbad += try_{loop.number}();\n" for loop in loops)
    text = HEAD + "".join(loop.functions() for loop in loops)
    # both calls of a loop have the same x
    text = re.sub(r"(array_\d+\(n, to, a\[1\] \+ )(\d)(.*\n.*scalar_\d+\(n, expected \+ \d, a\[1\] \+ )\d", r"\g<1>\2\g<3>\2", text)
    return text + f'int main(void)\n{{\n\tint bad = 0;\n{calls}\tprintf("hash %016jx\\n", (uintmax_t)hash);\n\treturn bad != 0;\n}}\n'


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def fail(text, said, loops):
    number = re.search(r"loop (\d+) differs", said)
    print(f"{text}\n{said[-2000:]}", file=sys.stderr)
    for loop in loops:
        if number and loop.number == int(number.group(1)):
            print(loop.functions(), file=sys.stderr)
    sys.exit(1)


def host_hash(path):
    """The host's hash; nothing without a compiler."""
    made = run(["cc", "-w", "-O1", "-ffp-contract=off", "-o", f"{path}.host", path, "-lm"])
    return re.search(r"hash \w+", run([f"{path}.host"]).stdout).group() if made.returncode == 0 else ""


def try_program(first, seed, folder, totals):
    loops = [Loop(n, seed) for n in range(first, first + LOOPS)]
    path = f"{folder}/loops-{first}.c"
    with open(path, "w", encoding="utf-8") as f:
        f.write(source(loops))
    made = run(["psim-cc", "-w", "-ffp-contract=off", "-fpsim-report", f"-fpsim-units={UNITS}", "-o", f"{path}.sparc", path, "-lm"])
    if made.returncode:
        fail(f"{path}: expected a program", made.stdout, [])
    totals["loops"] += LOOPS
    totals["accepted"] += len(re.findall(r": on the array", made.stdout))
    totals["unfit"] += len(re.findall(r"array has registers|integer register", made.stdout))
    wanted = host_hash(path)
    for pes, sbm in ARRAYS + ((16, ""),):
        units = ["--sbm", sbm, "--units", UNITS] if pes and sbm else []
        out = run(["psim-record", "--no-trace", "--pes", str(pes), *units, "--env", "PSIM_NEST_REPORT=1", "--", f"{path}.sparc"])
        if out.returncode or wanted not in out.stdout:
            fail(f"{path}: {pes} PEs of {sbm}: expected equal results, {wanted}", out.stdout, loops)
        totals["runs"] += len(re.findall(r" lanes on ", out.stdout))
        totals["on the array"] += len(re.findall(r" PEs, ", out.stdout))
        if pes and not sbm and " lanes on 16 PEs, " in out.stdout and made.stdout.count("on the array") == 0:
            fail(f"{path}: expected the scalar core on PEs without units", out.stdout, [])
    os.remove(f"{path}.sparc")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("plugin", nargs="?", default="")
    p.add_argument("--count", type=int, default=160)
    p.add_argument("--seed", default="1")
    p.add_argument("--keep", help="a folder for the programs' sources")
    options = p.parse_args()
    if not options.plugin:
        print("skipped: the plugin is not built (gcc-12-plugin-dev-sparc64-linux-gnu, g++)")
        sys.exit(77)
    totals = {"loops": 0, "accepted": 0, "unfit": 0, "runs": 0, "on the array": 0}
    with tempfile.TemporaryDirectory() as work:
        for first in range(0, options.count, LOOPS):
            try_program(first, options.seed, options.keep or work, totals)
    print(", ".join(f"{value} {name}" for name, value in totals.items()))


main()
