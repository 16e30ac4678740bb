#!/usr/bin/env python3
"""Random nests: what psim-cc and psim-fc put on the array gives, to the bit, what the same loops give without the directive.

    random_nests.py PLUGIN [--count N] [--seed S] [--keep FOLDER] [--blocks] [--in-place] [--singles] [--parts] [--own] [--growing] [--auto]

A program has 20 nests, each as two functions, one with the directive; both run on the same data, and all arrays and sums are
compared. Data are small integers, so that sums are exact in any order. Bounds, steps, directions, strides,
offsets, overlaps, imperfect and triangular nests, sums, arrays that are members of a structure, real and complex numbers of 4 and 8 bytes, also side by side, are random; so are inner loops that are not affine, and
regions of target data, which keep arrays in the buffer memories; what their clauses leave undefined is not compared. Some directives lie: iterations
depend on each other, and the result must be that of the scalar order all the same. Each program runs on 0 to 32 PEs with
buffer memories of 4 to 64 KiB. Every third program has its nests in Fortran.

Prints how many nests the compiler accepted, how many runs were on the array, and how many accepted ones no array was
called for: those whose loops have no iterations. The first failing nest is printed.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

NESTS = 20
ARRAYS = ((0, "64KiB"), (1, "64KiB"), (2, "4KiB"), (5, "8KiB"), (16, "4KiB"), (16, "64KiB"), (32, "16KiB"))

HEAD = """#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LEAF __attribute__((noipa)) static
static unsigned state = 1;
static double small(void)
{
	state = state * 1664525u + 1013904223u;
	return (double)(state >> 24) - 128 > 0 ? (double)(state >> 29) : -(double)(state >> 30);
}
/* Of a NaN, the sign depends on the order of operands, which is the compiler's. */
static double number(const char *x, int size)
{
	return size == 4 ? *(const float *)x : *(const double *)x;
}
static int same(const char *x, const char *y, int size, long n)
{
	for (long k = 0; k < n; k++, x += size, y += size)
		if (memcmp(x, y, size) && (number(x, size) == number(x, size) || number(y, size) == number(y, size)))
			return 0;
	return 1;
}
/* Lanes' loops may go over pointers into these. */
static const float origin_float[200];
static const double origin_double[200];
static void fill(char *x, int size, long n)
{
	for (long k = 0; k < n; k++, x += size)
		if (size == 4)
			*(float *)x = small();
		else
			*(double *)x = small();
}
"""


class Nest:
    """A nest's source, by random choices. Loops are (variable, first, count, step); values of bounds are known here."""

    only_blocks = only_singles = only_in_place = only_parts = only_own = only_growing = automatic = False

    def __init__(self, number, seed):
        self.random = random.Random(f"{seed}/{number}")
        self.number = number
        self.complex = self.random.random() < 0.25
        self.single = self.only_singles or self.random.random() < 0.3
        self.type = self.type_of(self.single)
        self.arrays = self.random.randint(1, 4)
        self.size = [0] * self.arrays
        self.parameters = []  # name, value: integers that the function gets
        self.sums = 0
        self.lines = []
        self.scalars = 0
        self.names = 0
        self.forgotten = set()
        self.index = self.random.choice(("int", "long"))
        self.factor = self.type_of(self.single and self.random.random() < 0.7, False)
        self.same_types = 0  # arrays that have one type
        self.over_pointers = False
        self.make()
        if self.over_pointers:
            self.lines = [line if "*ip" in line else re.sub(r"\bi\b", f"(ip - origin_{self.factor})", line) for line in self.lines]
        mixes = self.random.random() < 0.2
        others = [self.single ^ (mixes and k >= self.same_types and self.random.random() < 0.5) for k in range(self.arrays)]
        self.types = [self.type_of(single) for single in others]
        self.sizes = [4 if single else 8 for single in others]

    def type_of(self, single, parts=None):
        return ("float" if single else "double") + (" complex" if (self.complex if parts is None else parts) else "")

    def choose(self, *of):
        return self.random.choice(of)

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def parameter(self, value):
        """The value as text: a constant or a parameter."""
        if self.random.random() < 0.4:
            return str(value) if value >= 0 else f"({value})"
        name = f"p{len(self.parameters)}"
        self.parameters.append((name, value))
        return name

    def subscript(self, array, loops, needs_lane):
        """An affine subscript with all values from 0 on; the array grows to fit."""
        terms, low, high, wide = [], 0, 0, 1
        order = list(loops)
        self.random.shuffle(order)
        tidy = self.random.random() < (0.8 if needs_lane else 0.4)  # different indices are different elements
        for variable, first, last, is_lane in order:
            if not (is_lane and needs_lane) and self.random.random() < 0.35:
                continue
            coefficient = self.choose(wide, wide, wide + 1, -wide) if tidy else self.choose(1, 1, 1, wide, wide + 1, 2, 3, -1)
            if abs(coefficient) * (last - first + 1) * wide > 40000:
                coefficient = 1
            terms.append((coefficient, variable))
            ends = sorted((coefficient * first, coefficient * last))
            low, high = low + ends[0], high + ends[1]
            wide = max(wide, high - low + 1)
        offset = -low + self.choose(0, 0, 0, 1, 2, 5)
        self.size[array] = max(self.size[array], high + offset + 1)
        text = " + ".join(f"{self.parameter(c)} * {v}" if c != 1 else v for c, v in terms)
        return f"{text} + {self.parameter(offset)}" if text else self.parameter(offset)

    def reference(self, loops, needs_lane=False):
        if self.used and self.random.random() < 0.4:  # a neighbour of one that there is
            array, text = self.random.choice(self.used)
            names = re.findall(r"\b[iok]\w*|\bj\d+", text)
            known = all(name in [loop[0] for loop in loops] for name in names)
            fits = (array == self.arrays - 1) == needs_lane or self.mixed
            if known and fits and (not needs_lane or "i" in names):
                shift = self.choose(0, 0, 1, 1, 2)
                self.size[array] += shift
                return f"a{array}[{text} + {shift}]" if shift else f"a{array}[{text}]"
        array = self.arrays - 1  # the array of stores, unless the nest mixes
        if self.mixed or (not needs_lane and self.arrays > 1):
            array = self.random.randrange(self.arrays if self.mixed else self.arrays - 1)
        text = self.subscript(array, loops, needs_lane)
        self.used.append((array, text))
        return f"a{array}[{text}]"

    def operand(self, loops):
        return self.choose(self.reference(loops), self.reference(loops), self.reference(loops), "f", "2", "-3")

    def expression(self, loops):
        parts = [self.operand(loops)]
        for _ in range(self.random.randint(0, 3)):
            parts.append(f" {self.choose('+', '-', '*', '+')} {self.operand(loops)}")
        return "".join(parts)

    def store(self, loops, indent):
        to = self.reference(loops, True)
        self.lines.append(f"{indent}{to} {self.choose('=', '=', '+=', '-=')} {self.expression(loops)};")

    def loop_head(self, variable, indent, outer, mark=""):
        """Returns (variable, lowest, highest) of a loop whose head it writes."""
        count, first, step = self.choose(0, 1, 2, 3, 5, 8, 17, 33, 50), self.choose(0, 0, 0, 1, 3), self.choose(1, 1, 1, 1, 2, 3)
        if outer and mark == "":
            count = min(count, 12)
        last = first + max(count - 1, 0) * step
        down = self.random.random() < 0.15
        declared = f"{self.index} {variable}"
        if mark:
            self.lines.append(mark)
        lanes = [v for v in outer if v[3] and v[0]]
        if lanes and not down and not mark and self.random.random() < 0.15:  # as often as the lane's number, and some times more
            more = self.choose(0, 1, 1, 2)
            self.lines.append(f"{indent}for ({declared} = 0; {variable} < {lanes[0][0]} + {self.parameter(more)}; {variable}++)")
            return variable, 0, max(lanes[0][2] + more - 1, 0)
        triangle = [v for v in outer if not v[3]]
        if triangle and not down and not mark and self.random.random() < 0.2:
            of = self.random.choice(triangle)
            self.lines.append(f"{indent}for ({declared} = {of[0]}; {variable} < {self.parameter(max(last, of[2]) + 1)}; {variable}++)")
            return variable, of[1], max(last, of[2])
        if down:
            self.lines.append(f"{indent}for ({declared} = {self.parameter(first + (count - 1) * step)}; {variable} >= {self.parameter(first)}; {variable} -= {step})")
        elif mark and self.index == "long" and not isinstance(self, FortranNest) and self.random.random() < 0.3:
            self.over_pointers = True
            first_at, end, by = self.parameter(first), self.parameter(first + count * step), self.choose(step, self.parameter(step))
            how = self.choose("<", "<", "!=") if by == 1 else "<"
            self.lines.append(f"{indent}for (const {self.factor} *ip = origin_{self.factor} + {first_at}; ip {how} origin_{self.factor} + {end}; ip += {by})")
        else:
            self.lines.append(f"{indent}for ({declared} = {self.parameter(first)}; {variable} < {self.parameter(first + (count - 1) * step + 1)}; {variable} += {step})")
        return variable, first, last

    def accumulate(self, loops, indent, depth):
        """A scalar summed over an inner loop, then stored."""
        s = f"s{self.scalars}"
        self.scalars += 1
        self.lines.append(f"{indent}{self.type} {s} = {self.choose('0', 'f', '1')};")
        inner = self.loop_head(self.name("j"), indent, loops)
        self.lines.append(f"{indent}\t{s} += {self.expression(loops + [inner + (False,)])};")
        self.lines.append(f"{indent}{self.reference(loops, True)} {self.choose('=', '+=')} {s};")

    def body(self, loops, indent, depth):
        for k in range(self.random.randint(1, 2)):
            kind = self.random.random()
            if depth < 2 and kind < 0.35:
                inner = self.loop_head(self.name("k"), indent, loops)
                self.lines.append(f"{indent}{{")
                self.body(loops + [inner + (False,)], indent + "\t", depth + 1)
                self.lines.append(f"{indent}}}")
            elif kind < 0.5:
                self.accumulate(loops, indent, depth)
            else:
                self.store(loops, indent)

    def make_planes(self):
        """Points from their neighbours in three directions, the directive on the middle loop; sometimes in place."""
        nx, ny, nz = (self.random.randint(1, most) for most in (20, 40, 6))
        row = nx + 2 + self.choose(0, 0, 1)
        plane = row * (ny + 2) + self.choose(0, 0, 7)
        self.arrays = 3
        self.size = [plane * (nz + 3)] * 3
        row, plane = self.parameter(row), self.parameter(plane)
        to = f"a{self.choose(1, 1, 1, 1, 0)}[{plane} * o + {row} * i + k]"
        points = " + ".join(f"{self.choose('f * ', '')}a{self.choose(0, 0, 0, 2)}[{plane} * (o + {self.random.randint(0, 2)}) + {row} * (i + "
                            f"{self.random.randint(0, 2)}) + k + {self.random.randint(0, 2)}]" for _ in range(self.random.randint(1, 7)))
        self.lines = [f"\tfor ({self.index} o = 0; o < {self.parameter(nz)}; o++)", "MARK(omp simd)",
                      f"\tfor ({self.index} i = 0; i < {self.parameter(ny)}; i++)",
                      f"\tfor ({self.index} k = 0; k < {self.parameter(nx)}; k++)",
                      f"\t\t{to} {self.choose('=', '=', '+=')} {points};"]

    def make_around(self):
        """One or two loops around the directive's loop, and one in it now and then: products by columns, and what must stay in order."""
        lanes, turns, depth = self.random.randint(0, 60), self.random.randint(0, 9), self.random.randint(0, 6)
        self.arrays, wide = 3, lanes + self.choose(1, 1, 1, 2)
        self.size = [wide * (turns + 10) + 8, wide * (turns + 10) + 8, (turns + 1) * 12]
        w, loops = self.parameter(wide), ["o"]
        self.lines = [f"\tfor ({self.index} o = 0; o < {self.parameter(turns)}; o++)"]
        if self.random.random() < 0.4:
            loops.append("q")
            self.lines += [f"\tfor ({self.index} q = 0; q < {self.choose('o', self.parameter(depth))}; q++)"]
        self.lines += ["MARK(omp simd)", f"\tfor ({self.index} i = 0; i < {self.parameter(lanes)}; i++)"]
        if self.random.random() < 0.4:
            loops.append("k")
            self.lines += [f"\tfor ({self.index} k = {self.choose('0', '0', '1')}; k < {self.choose('o', self.parameter(depth))}; k++)"]

        def column(array, *more):
            of = self.choose(*loops, *more)
            shift = self.choose(0, 0, 0, 0, 1)
            return f"a{array}[{f'{w} * {of} + ' if of else ''}i{f' + {shift}' if shift else ''}]"
        terms = [self.choose(column(1), column(1), column(1, ""), column(0, "")) for _ in range(self.random.randint(1, 3))]
        factor = self.choose("f", "a2[o]", f"a2[{self.parameter(turns + 1)} * {self.choose(*loops)}]", "2")
        self.lines += [f"\t\t{column(0, '', '', '')} {self.choose('=', '+=', '+=', '-=')} {factor} * {' + '.join(terms)};"]

    def make_rows(self):
        """Several inner loops on rows of one array, as a product that scales its result first; sometimes rows overlap."""
        lanes, columns, sums = self.random.randint(0, 40), self.random.randint(0, 20), self.random.randint(0, 9)
        wide = max(1, columns + 3 + self.choose(0, 0, 0, 1, 4, -2))
        self.arrays = 3
        self.size = [wide * (lanes + 2) + 8, 9 * (lanes + 2), 30 * 10]
        wide, long_row, loops = self.parameter(wide), self.parameter(9), []
        for k in range(self.random.randint(2, 3)):
            more, j = self.choose(0, 0, 0, 1, 2), f"j{k}"
            count = self.parameter(max(columns - self.choose(0, 0, 0, 1, 3), 0))
            head, to = f"for ({self.index} {j} = 0; {j} < {count}; {j}++)", f"a0[{wide} * i + {j} + {more}]"
            if self.random.random() < 0.5:
                loops += [f"\t\t{head}", f"\t\t\t{to} {self.choose('=', '+=')} {self.choose('f', '2', f'f * {to}', f'a2[{j}]')};"]
            else:
                loops += [f"\t\tfor ({self.index} k{k} = 0; k{k} < {self.parameter(sums)}; k{k}++)", f"\t\t{head}",
                          f"\t\t\t{to} {self.choose('+=', '+=', '-=', '=')} {self.choose('', 'f * ')}a1[{long_row} * i + k{k}] * a2[30 * k{k} + {j}];"]
        self.lines = ["MARK(omp simd)", f"\tfor ({self.index} i = 0; i < {self.parameter(lanes)}; i++)", "\t{"] + loops + ["\t}"]

    def block_line(self, lanes, wide, variable):
        """A statement of a nest in a block of target data. Array 3 has small values, which can be summed in any order."""
        i, j = variable, "k"
        return self.choose(f"a1[{i}] = a0[{wide} * {i} + 1] + f * a1[{i}];", f"a1[{i}] {self.choose('+=', '=', '-=')} a2[{i}] + 2 * a1[{i}];",
                           f"a2[{i}] = a1[{i} + 1] + a1[{i}] * f;", f"a3[{i}] = {self.choose('f', '2', f'a3[{i}]')};",
                           f"a1[{lanes} - {i}] = a2[{i}] - a3[{i}];",
                           f"for ({self.index} {j} = 0; {j} < {self.parameter(self.random.randint(1, self.widths[wide]))}; {j}++)|a0[{wide} * {i} + {j}] {self.choose('=', '+=')} a2[{j}] + f;",
                           f"for ({self.index} {j} = 0; {j} < {self.parameter(self.random.randint(1, self.widths[wide]))}; {j}++)|a1[{i}] {self.choose('+=', '-=')} a0[{wide} * {i} + {j}] * a3[{j}];")

    def region(self):
        """The lines that begin a region of target data, update memory in it, and end it; arrays that memory need not get are forgotten."""
        types = [self.choose("tofrom", "tofrom", "from", "to", "alloc", "") for _ in range(self.arrays)]
        types[0] = types[0] or "tofrom"
        self.forgotten = {k for k, t in enumerate(types) if t in ("to", "alloc")}
        updated = [k for k in self.forgotten if self.random.random() < 0.2]
        self.forgotten -= set(updated)
        update = [f"MARK(omp target update from({', '.join(f'a{k}[0:1]' for k in updated)}))"] if updated else []

        def clauses(name):
            return " ".join(f"map({name(t)}: a{k}[0:1])" for k, t in enumerate(types) if t)
        if self.random.random() < 0.6:
            return [f"MARK(omp target data {clauses(lambda t: t)})", "\t{"], update, ["\t}"]
        return ([f"MARK(omp target enter data {clauses(lambda t: 'alloc' if t == 'from' else t[:2] if t == 'tofrom' else t)})"], update,
                [f"MARK(omp target exit data {clauses(lambda t: 'from' if 'from' in t else 'release')})"])

    def make_block(self):
        """Nests on common arrays in a block of target data, repeated; the scalar core stores to some arrays in between."""
        self.complex, self.type = False, self.type_of(self.single, False)
        lanes, wide = self.random.randint(1, 70), self.random.randint(3, 12)
        self.arrays = 4
        self.size = [wide * (lanes + 2) + 8, lanes + 8, lanes + 16, lanes + 16]
        columns = self.parameter(wide)
        self.widths = {columns: wide}
        begin, update, end = self.region()
        self.lines = begin + [f"\tfor ({self.index} t = 0; t < {self.parameter(self.random.randint(1, 4))}; t++)", "\t{"]
        most = self.parameter(lanes)
        for _ in range(self.random.randint(2, 5)):
            kind, first = self.random.random(), self.choose("0", "0", "0", "0", "1")
            head = f"\t\tfor ({self.index} i = {first}; i < {most}; i++)"
            if kind < 0.15:
                self.lines += ["MARK(omp simd reduction(+:sum))", head, f"\t\t\tsum += a3[i]{self.choose('', ' * a3[i + 1]')};"]
            elif kind < 0.9:
                self.lines += ["MARK(omp simd)", head] + [f"\t\t\t{x}" for x in self.block_line(most, columns, "i").split("|")]
            elif kind < 0.95:
                self.lines += [f"\t\t{self.choose('a1[t]', 'a2[t + 1]', 'a0[3]')} = {self.choose('f', 'a1[2]', 'a0[t]')};"]
            else:
                self.lines += [head] + [f"\t\t\t{x}" for x in self.block_line(most, columns, "i").split("|")]
        self.lines += update + ["\t}"] + end
        if self.random.random() < 0.5 and 3 not in self.forgotten:
            self.lines += [f"\tsum += {self.choose('a3[0]', 'a3[2]')};"]

    def place(self, limit):
        """An index from 0 to limit - 1 of the numbers in scope, affine or not."""
        k = self.choose(*self.scope) if self.scope else self.parameter(self.random.randint(0, 40))
        form = self.choose("{k} % {n}", "{k} * {k} % {n}", "({k} ^ {c}) % {n}", "({k} + {c}) % {n}", "({k} << 1) % {n}", "({k} & {m})")
        mask = 1
        while 2 * mask + 1 < limit:
            mask = 2 * mask + 1
        if limit < 2:
            return "0"
        return form.format(k=k, n=limit, c=self.parameter(self.random.randint(1, 9)), m=mask)

    def uniform_term(self):
        return self.choose(f"p[{self.place(self.extent)}]", f"p[{self.place(self.extent)}]", f"q[{self.place(self.extent)}]",
                           f"a2[{self.place(40)}]", "f", f"({self.type})({self.choose(*self.scope)})" if self.scope else "2")

    def uniform_loop(self):
        """The head of a loop that every lane runs alike."""
        k, n = self.name("k"), self.random.randint(0, 20)
        limit = self.parameter(n)
        scope = self.choose(*self.scope) if self.scope else "3"
        head = self.choose(f"{k} = 1; {k} < {limit}; {k} *= 2", f"{k} = {limit}; {k} > 0; {k} /= 2", f"{k} = 0; {k} < {limit}; {k}++",
                           f"{k} = 0; {k} < {limit}; {k} += 3", f"{k} = 0; {k} < {scope}; {k}++", f"{k} = {limit}; {k} > 0; {k} -= 2",
                           f"{k} = {scope}; {k} < {limit}; {k} += {scope} + 1")
        return k, f"for ({self.index} {head})"

    def uniform_body(self, indent, depth):
        for _ in range(self.random.randint(1, 2)):
            kind = self.random.random()
            if depth < 3 and kind < 0.5:
                k, head = self.uniform_loop()
                self.lines.append(f"{indent}{head} {{")
                self.scope.append(k)
                self.uniform_body(indent + "\t", depth + 1)
                if depth == 0 and self.swaps:
                    self.lines.append(f"{indent}\t{self.type} *t = p; p = q; q = t;")
                self.scope.pop()
                self.lines.append(f"{indent}}}")
            elif kind < 0.6 and self.scope:
                self.lines.append(f"{indent}if ({self.place(8)} {self.choose('<', '!=', '==')} {self.parameter(self.random.randint(0, 5))}) {{")
                self.uniform_body(indent + "\t", depth + 1)
                self.lines.append(f"{indent}}}")
            elif kind < 0.75:
                s = self.name("s")
                k, head = self.uniform_loop()
                self.lines.append(f"{indent}{self.type} {s} = {self.choose('0', 'f')};")
                self.scope.append(k)
                self.lines.append(f"{indent}{head}")
                self.lines.append(f"{indent}\t{s} {self.choose('+=', '-=')} {self.uniform_term()};")
                self.scope.pop()
                self.lines.append(f"{indent}{self.choose('p', 'q')}[{self.place(self.extent)}] = {s};")
            else:
                to = f"{self.choose('p', 'q')}[{self.place(self.extent)}]"
                self.lines.append(f"{indent}{to} = {self.uniform_term()} {self.choose('+', '-')} {self.uniform_term()};")

    def make_uniform(self):
        """Inner loops that are not affine, but the same for all lanes; pointers that change places."""
        lanes, self.extent = self.random.randint(0, 40), self.random.randint(1, 30)
        apart = max(1, self.extent + self.choose(0, 0, 0, 1, 4, -1))  # -1: lanes may overlap
        self.arrays, self.scope, self.same_types = 3, [], 2
        self.swaps = self.random.random() < 0.4
        self.size = [apart * lanes + self.extent + 4, apart * lanes + self.extent + 4, 48]
        by = self.parameter(apart)
        first, step = self.choose((0, 1), (0, 1), (1, 1), (0, 2))
        self.lines = ["MARK(omp simd)", f"\tfor ({self.index} i = {first}; i < {self.parameter(lanes)}; i += {step}) {{",
                      f"\t\t{self.type} *p = a0 + {by} * i, *q = a{self.choose(1, 1, 1, 0) if not self.swaps else 1} + {by} * i;"]
        self.uniform_body("\t\t", 0)
        if self.random.random() < 0.5:
            self.lines.append(f"\t\tp[{self.place(self.extent)}] = q[{self.place(self.extent)}];")
        self.lines.append("\t}")

    def make_in_place(self):
        """Columns from themselves, as a product with a triangular matrix: two loops go through the rows of one array."""
        lanes, rows, more = self.random.randint(0, 60), self.random.randint(0, 12), self.choose(0, 1, 1, 2)
        self.arrays, wide = 2, lanes + self.choose(0, 0, 1, 3)
        self.size = [(wide + 1) * (rows + 4) + 8, (rows + 4) * (rows + 4)]
        w, m = self.parameter(wide), self.parameter(rows + 3)
        below = f"{self.parameter(rows)} - i - {more}"
        count = self.choose(below, below, f"{self.parameter(rows)} - {more}", "i")
        if count == below or count == "i":
            k = "i + k" if count == below else "k"
        else:  # the array grows to fit
            self.size[0] += wide * (rows + 2)
            self.size[1] += (rows + 3) * (rows + 2)
            k = "i + k"
        self.lines = [f"\tfor ({self.index} i = 0; i < {self.parameter(rows)}; i++)", "MARK(omp simd)",
                      f"\tfor ({self.index} j = 0; j < {self.parameter(lanes)}; j++)", "\t{",
                      f"\t\tfor ({self.index} k = 0; k < {count}; k++)",
                      f"\t\t\ta0[{w} * i + j] {self.choose('+=', '-=')} a1[{m} * ({k} + {more}) + i] * a0[{w} * ({k} + {more}) + j];",
                      f"\t\ta0[{w} * i + j] = f * a0[{w} * i + j];", "\t}"]

    def make_own(self):
        """A row's results in an array that all iterations fill and read; it may be declared in the loop, or read too early, too far."""
        lanes, wide, around = self.random.randint(0, 60), self.random.randint(0, 14), self.random.randint(0, 3)
        self.arrays, local = 3, self.random.random() < 0.4
        self.size = [(around + 1) * wide * lanes + 40, 16 * 16, 40]
        m, deep = self.parameter(wide), self.random.random() < 0.5
        t = "own" if local else "a2"
        row = f"a0[{m} * ({self.parameter(around)} * i + q)" if deep else f"a0[{m} * i"
        declared = f"{self.type} own[16];"
        fill = [f"for ({self.index} p = 0; p < {m}; p++)", "{", f"\t{t}[p] = {self.choose('0', 'f', 'a1[p]')};",
                f"\tfor ({self.index} s = 0; s < {m}; s++)", f"\t\t{t}[p] {self.choose('+=', '-=')} {row} + s] * a1[15 * s + p];", "}"]
        end = self.choose(m, m, m, m, self.parameter(max(wide - 1, 0)), self.parameter(wide + 1) if not local else m)
        use = [f"for ({self.index} p = 0; p < {end}; p++)", f"\t{row} + p] {self.choose('=', '+=')} {t}[p{self.choose('', '', '', '', ' + 1')}];"]
        between = self.choose([], [], [f"{t}[{self.random.randint(0, 3)}] = f;"])
        body = fill + between + use if local or self.random.random() < 0.9 else use + fill
        if local and any("+ 1]" in line or "own[0]" in line or "own[1]" in line or "own[2]" in line or "own[3]" in line for line in body):
            body = fill + [f"for ({self.index} p = 0; p < {m}; p++)", f"\t{row} + p] = own[p];"]
        self.lines = ["MARK(omp simd)", f"\tfor ({self.index} i = 0; i < {self.parameter(lanes)}; i++) {{"]
        self.lines += [f"\t\tfor ({self.index} q = 0; q < {self.parameter(around)}; q++) {{"] if deep else []
        self.lines += [f"\t\t{line}" for line in ([declared] if local else []) + body] + (["\t\t}"] if deep else []) + ["\t}"]

    def make_growing(self):
        """A symmetric product's lower half: rows that grow; sometimes rows overlap, fall, or are read beyond their end."""
        lanes, deep, more = self.random.randint(0, 50), self.random.randint(0, 8), self.choose(0, 1, 1, 2)
        wide, self.arrays = max(1, lanes + more + self.choose(0, 0, 0, 1, 5, -2)), 3
        self.size = [(wide + 2) * (lanes + 2) + 60, 9 * 60, 9 * 60]
        count, w, m = f"i + {self.parameter(more)}", self.parameter(wide), "9"
        loop = f"for ({self.index} j = 0; j < {count}; j++)"
        row = f"{w} * {self.choose('i', 'i', 'i', 'i', f'({self.parameter(lanes)} - i)')}"
        row2 = self.choose(row, row, row, row, f"1 + {row}")
        term = self.choose(f"a1[{m} * i + k] * a1[{m} * j + k]", f"a1[{m} * i + k] * a2[{m} * j + k] - a2[{m} * i + k] * a1[{m} * j + k]", "a2[j] * a1[i]", "a2[k]")
        self.lines = ["MARK(omp simd)", f"\tfor ({self.index} i = 0; i < {self.parameter(lanes)}; i++) {{"]
        if self.random.random() < 0.6:
            self.lines += [f"\t\t{loop}", f"\t\t\ta0[{row} + j] {self.choose('=', '+=')} {self.choose('f', f'f * a0[{row2} + j]', 'a2[j]')};"]
        self.lines += [f"\t\tfor ({self.index} k = 0; k < {self.choose(*[self.parameter(deep)] * 5, 'i' if lanes < 9 else '3')}; k++)", f"\t\t{loop}",
                       f"\t\t\ta0[{row2} + j] {self.choose('+=', '+=', '-=', '=')} {term};"]
        if self.random.random() < 0.15:
            self.lines.append(f"\t\ta0[{row} + i + {more}] = f;")
        self.lines.append("\t}")

    def part_line(self, i, j):
        """A statement of a loop in rows, or a wrong one: it needs what a later or an earlier row stores."""
        row = f"a0[{self.wide} * {i} + {j}]"
        return self.choose(f"a1[{i}] += {row} * a2[{j}];", f"a3[{j}] += {row} * a1[{i}];", f"a3[{j}] += {row} * a4[{i}];", f"a4[{i}] += {row} * a2[{j}];",
                           f"a5[{j}] -= {row} * a4[{i}];", f"a1[{i}] += {row};", f"a3[{j}] += {row};", f"a3[{j}] = a3[{j}] * f + {row};",
                           self.choose(f"a3[{j}] += {row} * a1[{i} + 1];", f"a3[{j}] += {row} * a1[2];", f"a3[{j}] += a5[{j}];", f"a5[{j}] += a3[{j}] * a4[{i}];",
                                       f"a1[{i}] += a3[{j}];", f"a3[{j} + 1] += {row} * a3[{j}];", f"a3[{j}] += {row} * a3[{i}];", f"{row} += a1[{i}];"))

    def make_parts(self):
        """Rows of a matrix whose products are added to their own elements and to columns: several nests, if that is the same."""
        rows, columns = self.random.randint(20, 140), self.random.randint(20, 140)
        wide = columns + self.choose(0, 0, 0, 1, 3)
        self.arrays, self.wide, more = 6, self.parameter(wide), max(rows, columns) + 8
        self.size = [wide * rows + 8] + [more] * 5
        self.lines = [f"\tfor ({self.index} i = 0; i < {self.parameter(rows)}; i++)", "\t{"]
        for _ in range(self.random.randint(1, 3)):
            if self.random.random() < 0.5:
                self.lines.append(f"\t\t{self.choose('a1[i] = 0;', 'a4[i] = f;', 'a4[i] = a1[i] * f;', 'a4[i] = a1[i] - f;', 'a1[i + 1] = 2;')}")
            self.lines += [f"\t\tfor ({self.index} j = {self.choose('0', '0', '0', '1')}; j < {self.parameter(columns)}; j++)", "\t\t{"]
            self.lines += [f"\t\t\t{self.part_line('i', 'j')}" for _ in range(self.random.randint(1, 2))] + ["\t\t}"]
        self.lines.append("\t}")

    def make(self):
        kind = self.random.random()
        if self.only_parts:
            self.make_parts()
            return
        if self.only_growing or (0.63 <= kind < 0.67 and not isinstance(self, FortranNest)):
            self.make_growing()
            return
        if self.only_own or (0.6 <= kind < 0.63 and not isinstance(self, FortranNest)):
            self.make_own()
            return
        if self.only_in_place:
            self.make_in_place()
            return
        if self.only_blocks:
            self.make_block()
            return
        if kind < 0.2:
            self.make_uniform()
            return
        if kind < 0.35:
            self.make_planes()
            return
        if kind < 0.37:
            self.make_in_place()
            return
        if kind < 0.4:
            self.make_rows()
            return
        if kind < 0.48:
            self.make_around()
            return
        if kind < 0.6:
            self.make_block()
            return
        self.used, loops, indent = [], [], "\t"
        self.mixed = self.random.random() < 0.35
        if self.random.random() < 0.3:
            loops.append(self.loop_head("o", indent, [("", 0, 0, True)]) + (False,))
        self.summing = not loops and self.random.random() < 0.25
        mark = "MARK(omp simd reduction(+:sum))" if self.summing else "MARK(omp simd)"
        loops = loops + [self.loop_head("i", indent, [], mark) + (True,)]
        self.lines.append(f"{indent}{{")
        if self.summing:
            self.lines.append(f"{indent}\tsum += {self.expression(loops)};")
        if not self.summing or self.random.random() < 0.3:
            self.body(loops, indent + "\t", 0)
        self.lines.append(f"{indent}}}")

    def functions(self):
        overlap = self.random.random() < 0.1 and self.arrays > 1 and not isinstance(self, FortranNest) and not self.forgotten
        arguments = ", ".join([f"{of} *a{k}" for k, of in enumerate(self.types)] + [f"{self.index} {p}" for p, _ in self.parameters] + [f"{self.factor} f"])
        text, members = "", self.random.random() < 0.2 and not isinstance(self, FortranNest) and not any("target" in line for line in self.lines)
        if members:  # arrays are members of a structure, so that the loops load their addresses
            arguments = ", ".join([f"struct of_{self.number} *arrays"] + [f"{self.index} {p}" for p, _ in self.parameters] + [f"{self.factor} f"])
            text = f"struct of_{self.number} {{ {' '.join(f'{of} *a{k};' for k, of in enumerate(self.types))} }};\n"
            text += "".join(f"#define a{k} arrays->a{k}\n" for k in range(self.arrays))
        pragma = "#define MARK(x)" if self.automatic else "#define MARK(x) _Pragma(#x)"
        for name, mark in (("array", pragma), ("scalar", "#define MARK(x)")):
            region = "#pragma omp" if name == "array" and not self.automatic else "//"  # the plugin finds it in the source
            body = "\n".join(re.sub(r"^MARK\(omp (target .*)\)$", rf"{region} \1", line) for line in self.lines)
            plain = "__attribute__((optimize(\"O0\"))) " if self.automatic and name == "scalar" else ""  # the plugin leaves it alone
            text += f"#undef MARK\n{mark}\n{plain}LEAF {self.type} {name}_{self.number}({arguments})\n{{\n\t{self.type} sum = 0;\n{body}\n\treturn sum;\n}}\n"
        wide = 2 if self.complex else 1
        counts, begins, total = [wide * (s + 8) for s in self.size], [], 0
        for size, count in zip(self.sizes, counts):  # every other array of singles begins in the middle of 8 bytes
            begins.append(total + self.choose(0, size % 8))
            total = (begins[-1] + size * count + 7) // 8 * 8
        if overlap and self.sizes[0] == self.sizes[1]:
            begins[1] = begins[0] + self.sizes[0] * wide * min(self.size[0] // 2, 3)
        arrays = [f"+ {b}, {size}, {count}" for b, size, count in zip(begins, self.sizes, counts)]
        fills = "".join(f"\tfill(x {a});\n" for a in arrays)
        differ = " || ".join(f"!same(x + {b}, y {a})" for k, (b, a) in enumerate(zip(begins, arrays)) if k not in self.forgotten)
        values = "".join(f", {v}" for _, v in self.parameters)
        given = [", ".join(f"({of} *)({to} + {b})" for of, b in zip(self.types, begins)) for to in ("x", "y")]
        if members:
            given = [f"&(struct of_{self.number}){{{of}}}" for of in given]
            text += "".join(f"#undef a{k}\n" for k in range(self.arrays))
        calls = [f"{name}_{self.number}({of}{values}, 3)" for name, of in zip(("array", "scalar"), given)]
        text += f"""static int try_{self.number}(void)
{{
	char *x = calloc(1, {total}), *y = malloc({total});
{fills}	memcpy(y, x, {total});
	{self.type} s = {calls[0]}, t = {calls[1]};
	int bad = {differ or 0} || (s != t && (s == s || t == t));
	if (bad)
		printf("nest {self.number} differs\\n");
	free(x);
	free(y);
	return bad;
}}
"""
        return text


class FortranNest(Nest):
    """The same in Fortran: loops and statements of C in its form, called from C. Its arrays do not overlap."""

    def __init__(self, number, seed):
        super().__init__(number, seed)
        self.index = "long"

    def place(self, limit):
        k = self.choose(*self.scope) if self.scope else f"int({self.parameter(self.random.randint(0, 40))}, 8)"
        form = self.choose("mod({k}, {n}_8)", "mod({k} * {k}, {n}_8)", "mod(ieor({k}, int({c}, 8)), {n}_8)", "mod({k} + {c}, {n}_8)",
                           "mod({k} * 2, {n}_8)", "iand({k}, {m}_8)")
        mask = 1
        while 2 * mask + 1 < limit:
            mask = 2 * mask + 1
        return form.format(k=k, n=limit, c=self.parameter(self.random.randint(1, 9)), m=mask) if limit >= 2 else "0"

    def make_uniform(self):
        """Elements of the arrays for those of the pointers, which keep their places."""
        super().make_uniform()
        self.swaps, kind = False, 4 if self.single else 8
        by, of_q = re.search(r"\*p = a0 \+ (.*?) \* i, \*q = a(\d)", self.lines[2]).groups()
        lines, self.lines = [line for line in self.lines if f"{self.type} *" not in line], []
        for line in lines:
            line = re.sub(r"\bp\[", f"a0[{by} * i + ", re.sub(r"\bq\[", f"a{of_q}[{by} * i + ", line))
            line = re.sub(r"\((?:float|double)( complex)?\)\((\w+)\)", lambda m: f"cmplx({m[2]}, 0, {kind})" if m[1] else f"real({m[2]}, {kind})", line)
            self.lines += [line[:-2], "{"] if line.endswith(" {") else [line]

    @staticmethod
    def expression_of(text):
        return re.sub(r"([-+*]) (-\d)", r"\1 (\2)", re.sub(r"\ba(\d)\[([^]]*)\]", r"a\1(\2)", text)).replace("+ -", "- ")

    def statement_of(self, line):
        declared = re.match(r"(?:float|double)(?: complex)? (s\d+) = (.*);", line)
        if declared:
            self.locals.add(declared.group(1))
            return f"{declared.group(1)} = {declared.group(2)}"
        to, how, what = re.match(r"(.*?) (=|\+=|-=) (.*);", line).groups()
        to, what = self.expression_of(to), self.expression_of(what)
        return f"{to} = {what}" if how == "=" else f"{to} = {to} {how[0]} ({what})"

    @staticmethod
    def counted(line):
        """Loops that do not double or halve, with a constant step."""
        return re.search(r"(<|>=) .*; \w+ ?(\+\+|[-+]= \d+)\)$", line)

    def translate(self, lines, out, mark):
        """One statement, with what belongs to it, from the front of `lines`."""
        line = lines.pop(0).strip()
        if line.startswith("MARK(omp target data"):
            out.append("!$" + line[5:-1].translate(str.maketrans("[]", "()")) if mark else "")
            self.translate(lines, out, mark)
            out.append("!$omp end target data" if mark else "")
        elif line.startswith("MARK(omp target"):
            out.append("!$" + line[5:-1].translate(str.maketrans("[]", "()")) if mark else "")
        elif line.startswith("MARK("):
            if mark:
                out.append("!$" + line[5:-1])
            self.translate(lines, out, mark)
        elif line.startswith("if ("):
            out.append(line.replace("!=", "/=") + " then")
            self.translate(lines, out, mark)
            out.append("end if")
        elif line.startswith("for (") and not self.counted(line):
            variable, first, test, how, by = re.match(r"for \(\w+ (\w+) = (.*); (\w+ [<>] .*); \w+ ?(\+\+|[-+*/]=) ?(.*)\)$", line).groups()
            self.locals_int.add(variable)
            out += [f"{variable} = {first}", f"do while ({test})"]
            self.translate(lines, out, mark)
            out += [f"{variable} = {variable} + 1" if how == "++" else f"{variable} = {variable} {how[0]} ({by})", "end do"]
        elif line.startswith("for ("):
            _, variable, first, test, limit, step = re.match(
                r"for \((\w+) (\w+) = (.*); \w+ (<|>=) (.*); \w+ ?(\+\+|[-+]= \d+)\)$", line).groups()
            self.locals_int.add(variable)
            by = "1" if step == "++" else step[3:]
            bounds = f"{first}, ({limit}) - 1, {by}" if test == "<" else f"{first}, {limit}, -{by}"
            out.append(f"do {variable} = {bounds}")
            self.translate(lines, out, mark)
            out.append("end do")
        elif line == "{":
            while lines[0].strip() != "}":
                self.translate(lines, out, mark)
            lines.pop(0)
        else:
            out.append(self.statement_of(line))

    def fortran(self):
        kinds = [f"{'complex' if self.complex else 'real'}({size})" for size in self.sizes + [4 if self.single else 8]]
        kind = kinds[-1]
        arrays, numbers = [f"a{k}" for k in range(self.arrays)], [p for p, _ in self.parameters]
        text = ""
        for name, mark in (("array", True), ("scalar", False)):
            body, self.locals, self.locals_int, lines = [], {"sum"}, set(), list(self.lines)
            while lines:
                self.translate(lines, body, mark)
            listed = ", &\n    ".join(arrays + numbers + ["f", "total"])
            text += f"subroutine {name}_{self.number}(&\n    {listed}) bind(c)\n  implicit none\n"
            text += "".join(f"  {of} :: {a}(0:*)\n" for a, of in zip(arrays, kinds)) + "".join(f"  integer(8), value :: {p}\n" for p in numbers)
            text += f"  real({4 if self.factor == 'float' else 8}), value :: f\n  {kind} :: total\n" + "".join(f"  {kind} :: {v}\n" for v in sorted(self.locals))
            text += "".join(f"  integer(8) :: {v}\n" for v in sorted(self.locals_int)) + "  sum = 0\n"
            text += "".join(f"  {line}\n" for line in body) + "  total = sum\nend subroutine\n"
        return text

    def functions(self):
        text = super().functions()
        text = text[text.index(f"static int try_{self.number}"):]
        arguments = "".join(f"{of} *a{k}, " for k, of in enumerate(self.types)) + "".join(f"long {p}, " for p, _ in self.parameters) + f"{self.factor} f"
        given = "".join(f"a{k}, " for k in range(self.arrays)) + "".join(f"{p}, " for p, _ in self.parameters) + "f, &total"
        for name in ("array", "scalar"):
            text = text.replace(f"{name}_{self.number}(", f"call_{name}_{self.number}(")
            text = (f"void {name}_{self.number}({arguments}, {self.type} *total);\nstatic {self.type} call_{name}_{self.number}({arguments})\n"
                    f"{{\n\t{self.type} total;\n\t{name}_{self.number}({given});\n\treturn total;\n}}\n") + text
        return text


def source(nests):
    calls = "".join(f"\tbad += try_{n.number}();\n" for n in nests)
    return HEAD + "".join(n.functions() for n in nests) + f"int main(void)\n{{\n\tint bad = 0;\n{calls}\treturn bad != 0;\n}}\n"


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def fail(text, said, nests):
    number = re.search(r"nest (\d+) differs", said)
    print(f"{text}\n{said[-2000:]}", file=sys.stderr)
    for n in nests:
        if number and n.number == int(number.group(1)):
            print(n.functions(), file=sys.stderr)
    sys.exit(1)


def compiled(nests, path, fortran):
    with open(path, "w", encoding="utf-8") as f:
        f.write(source(nests))
    if not fortran:
        return run(["psim-cc", "-w", "-fpsim-report", *(["-fpsim-auto=all"] if Nest.automatic else []), "-o", f"{path}.sparc", path])
    with open(f"{path}.f90", "w", encoding="utf-8") as f:
        f.write("".join(n.fortran() for n in nests))
    return run(["psim-fc", "-w", "-ffree-line-length-none", "-fpsim-report", "-o", f"{path}.sparc", f"{path}.f90", path])


def try_program(first, seed, folder, totals):
    fortran = first // NESTS % 3 == 2 and not Nest.automatic and not Nest.only_own and not Nest.only_growing
    nests = [(FortranNest if fortran else Nest)(n, seed) for n in range(first, first + NESTS)]
    path = f"{folder}/nests-{first}.c"
    made = compiled(nests, path, fortran)
    totals["in Fortran"] += NESTS if fortran else 0
    if made.returncode:
        fail(f"{path}: expected a program", made.stdout, [])
    totals["accepted"] += len(re.findall(r": on the array", made.stdout))
    totals["not affine"] += len(re.findall(r"inner loops of any kind", made.stdout))
    totals["unfit"] += len(re.findall(r"array has registers|integer register", made.stdout))
    totals["nests"] += NESTS
    called = set()
    for pes, sbm in ARRAYS:
        out = run(["psim-record", "--no-trace", "--pes", str(pes), "--sbm", sbm, "--env", "PSIM_NEST_REPORT=1", "--",
                   f"{path}.sparc"])
        if out.returncode:
            fail(f"{path}: {pes} PEs of {sbm}: expected equal results", out.stdout, nests)
        totals["runs"] += len(re.findall(r" lanes on ", out.stdout))
        totals["streams"] += len(re.findall(r", a stream", out.stdout))
        totals["kept"] += len(re.findall(r" [1-9]\d* bytes not moved", out.stdout))
        totals["on the array"] += len(re.findall(r" PEs, ", out.stdout))
        called |= set(re.findall(r":(\d+): -?\d+ lanes on ", out.stdout))
    totals["never called"] += len(set(re.findall(r":(\d+): on the array", made.stdout)) - called)
    os.remove(f"{path}.sparc")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("plugin", nargs="?", default="")
    p.add_argument("--count", type=int, default=100)
    p.add_argument("--seed", default="1")
    p.add_argument("--keep", help="a folder for the programs' sources")
    p.add_argument("--blocks", action="store_true", help="only nests in blocks of target data")
    p.add_argument("--in-place", action="store_true", help="only columns from themselves")
    p.add_argument("--auto", action="store_true", help="without directives")
    p.add_argument("--parts", action="store_true", help="only loops without a directive that may become several nests")
    p.add_argument("--own", action="store_true", help="only nests with arrays that each iteration fills and reads")
    p.add_argument("--growing", action="store_true", help="only nests with rows that grow")
    p.add_argument("--singles", action="store_true", help="only nests with arrays of 4-byte numbers")
    options = p.parse_args()
    Nest.only_blocks, Nest.only_singles, Nest.only_in_place = options.blocks, options.singles, options.in_place
    Nest.automatic = options.auto or options.parts
    Nest.only_parts, Nest.only_own, Nest.only_growing = options.parts, options.own, options.growing
    if not options.plugin:
        print("skipped: the plugin is not built (gcc-12-plugin-dev-sparc64-linux-gnu, g++)")
        sys.exit(77)
    totals = {"nests": 0, "in Fortran": 0, "accepted": 0, "not affine": 0, "unfit": 0, "runs": 0, "on the array": 0, "never called": 0, "streams": 0, "kept": 0}
    with tempfile.TemporaryDirectory() as work:
        for first in range(0, options.count, NESTS):
            try_program(first, options.seed, options.keep or work, totals)
    print(", ".join(f"{value} {name}" for name, value in totals.items()))


main()
