"""Programs of the micro-benchmarks, from the rows of micro.table: for micro.py and sensitivity.py.

A program has three regions of a body's repetitions: a warm-up, 1000 ("short") and 2000 ("long").
"""
import os
from collections import namedtuple

from psim_drivers import table_lines, write

HERE = os.path.dirname(os.path.realpath(__file__))
COMPILER = "sparc64-linux-gnu-gcc"
REPETITIONS = {"warm": 200, "short": 1000, "long": 2000}
# Words in capitals that a body may use.
WORDS = {
    "LOADS32": "; ".join(f"ldx [%g1+{32 * i}],%g{2 + i % 2}" for i in range(32)),
    "NOPS71": "; ".join(["nop"] * 71),
    "SAVES8": "; ".join(["save %sp,-176,%sp"] * 8 + ["restore"] * 8),
    "STREAM": "ldx [%g1],%g2; add %g1,64,%g1",
}
# A ring of cells each of which points to the next one, the last to the first.
RING = """\tset ring,%g1
\tset {ahead},%g5
\tset {stride},%g4
3:\tadd %g1,%g4,%g2
\tstx %g2,[%g1]
\tmov %g2,%g1
\tbrgz,pt %g5,3b
\t dec %g5
\tset ring,%g2
\tstx %g2,[%g1]
\tmov %g2,%g1
"""
# Follows the ring once, so that what fits into the caches is there.
WALK = """\tset {lines},%g5
4:\tldx [%g1],%g1
\tbrgz,pt %g5,4b
\t dec %g5
\tset ring,%g1
"""
LOOP = """\tset {times},%g5
\tba,pt %xcc,5f
\tnop
\t.align 32
5:\t{body}
\tsubcc %g5,1,%g5
\tbne,pt %icc,5b
\tnop
"""
DATA = """#include "simd.inc"
\t.register %g2,#scratch
\t.register %g3,#scratch
\t.data
name_warm: .asciz "warm"
name_short: .asciz "short"
name_long: .asciz "long"
\t.bss
\t.align 64
cell: .space 4096
far: .space 800000
\t.align 64
ring: .space {ring}
\t.text
\t.globl _start
_start:
"""

Row = namedtuple("Row", "name kind setup body formula sets")


def cells(name):
    """The rows of a table of this folder, each a list of its cells without blanks around them."""
    return [cells for _, _, cells in table_lines(os.path.join(HERE, name))]


def rows():
    """The rows of micro.table, by their names."""
    return {row[0]: Row(*row, *[""] * (6 - len(row))) for row in cells("micro.table")}


def counted(kind, times, body):
    """The body so often: in a loop, or one behind the other."""
    return LOOP.format(times=times, body=body) if kind == "loop" else f"\t.rept {times}\n\t{body}\n\t.endr\n"


def program(row):
    """The program in assembly."""
    kind, *shape = row.kind.split()
    lines, stride = ([int(n) for n in shape] + [2, 64][len(shape):])
    lines = 4096 if "CHAIN" in row.setup else lines
    body = row.body
    for word, text in WORDS.items():
        body = body.replace(word, text)
    text = DATA.format(ring=lines * stride + 64) + RING.format(ahead=lines - 2, stride=stride)
    text += "\t.globl measured\n\t.type measured,#function\nmeasured:\n"
    text += WALK.format(lines=lines) if kind in ("chase", "stream") else ""
    text += "" if "CHAIN" in row.setup else f"\t{row.setup}\n"
    for name, times in REPETITIONS.items():  # marks: traces/kernels/psim_region.h
        text += f"\tset name_{name},%o0\n\tsethi 0x2b5053,%g0\n" + counted(kind, times, body)
        text += f"\tset name_{name},%o0\n\tsethi 0x2e5053,%g0\n"
    return text + "\tmov 1,%g1\n\tclr %o0\n\tta 0x6d\n"


def record(jobs, row):
    """Adds the job that compiles and records the program; returns the path of the trace."""
    source, binary, trace = (jobs.folder(row.name + end) for end in (".S", ".out", ".trace.gz"))
    if row.kind.startswith("file"):
        source = os.path.join(HERE, "micro", row.kind.split()[1] + ".S")
    else:
        write(source, program(row))
    jobs.add([row.name + ".trace.gz"], [
        [COMPILER, "-mcpu=ultrasparc3", "-Wa,-Av9d", "-I" + os.path.join(HERE, "micro"), "-fno-pic", "-no-pie", "-nostdlib",
         "-static", "-o", binary, source],
        "psim-record -q --warm-up 0 --units divide,select,integer,single,gather --from measured -o " + f"'{trace}' -- '{binary}' >/dev/null"], [source], row.name)
    return trace
