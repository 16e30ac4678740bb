"""Assembly of the cases of single_cases.py: one program without a C library, whose
output is one record after the other."""

# The FADDD before each load of FSR makes qemu 7.2 forget what an operation whose
# exceptions it does not check (FSTOD and its like) has left behind.
# %i0 operand row, %i1 record, %i2 rows left. kind: row bytes, record bytes, asm before and after.
KINDS = {
    # a, b, Y << 32 | CCR -> rd, Y << 32 | CCR
    "int": (24, 16, """
	ldx [%i0], %o0
	ldx [%i0 + 8], %o1
	ldx [%i0 + 16], %o2
	srlx %o2, 32, %o3
	setx 0x5555aaaa5555aaaa, %o4, %l0
	wr %o3, 0, %y
	wr %o2, 0, %ccr
""", """
	rd %ccr, %o3
	rd %y, %o4
	stx %l0, [%i1]
	sllx %o4, 32, %o4
	or %o3, %o4, %o3
	stx %o3, [%i1 + 8]
"""),
    # which of the instructions behind the branch ran
    "branch": (24, 8, """
	ldx [%i0], %o0
	ldx [%i0 + 16], %o2
	mov 0, %l0
	wr %o2, 0, %ccr
""", """
	add %l0, 1, %l0
	add %l0, 2, %l0
	add %l0, 4, %l0
2:	add %l0, 8, %l0
	stx %l0, [%i1]
"""),
    "fbranch": (16, 8, """
	ldd [%i0], %f0
	ldd [%i0 + 8], %f2
	mov 0, %l0
""", """
	add %l0, 1, %l0
	add %l0, 2, %l0
	add %l0, 4, %l0
2:	add %l0, 8, %l0
	stx %l0, [%i1]
"""),
    # %f0, %f2 -> %f4, FSR, and room for an integer register
    "fp": (16, 24, """
	ldx [%i0], %l1
	ldd [%i0], %f0
	ldd [%i0 + 8], %f2
	ldd [%i5], %f4
	ldx [%i5 + 24], %l0
	stx %g0, [%i1 + 16]
	ldd [%i5 + 16], %f60
	faddd %f60, %f60, %f60
	ldx [%i4], %fsr
""", """
	std %f4, [%i1]
	stx %fsr, [%i1 + 8]
"""),
    # quads %f0, %f4 -> %f8, FSR
    "fpq": (32, 24, """
	ldd [%i0], %f0
	ldd [%i0 + 8], %f2
	ldd [%i0 + 16], %f4
	ldd [%i0 + 24], %f6
	ldd [%i5], %f8
	ldd [%i5 + 8], %f10
	ldd [%i5 + 16], %f60
	faddd %f60, %f60, %f60
	ldx [%i4], %fsr
""", """
	std %f8, [%i1]
	std %f10, [%i1 + 8]
	stx %fsr, [%i1 + 16]
"""),
    # doubles %f0, %f2 -> quad %f8, FSR
    "fpdq": (16, 24, """
	ldd [%i0], %f0
	ldd [%i0 + 8], %f2
	ldd [%i5], %f8
	ldd [%i5 + 8], %f10
	ldd [%i5 + 16], %f60
	faddd %f60, %f60, %f60
	ldx [%i4], %fsr
""", """
	std %f8, [%i1]
	std %f10, [%i1 + 8]
	stx %fsr, [%i1 + 16]
"""),
    # a, b -> rd, CCR, GSR
    "gsr": (16, 24, """
	ldx [%i0], %o0
	ldx [%i0 + 8], %o1
	setx 0x89abcdef000000f3, %o4, %l1
	wr %l1, 0, %gsr
	wr %g0, 0x5a, %ccr
	mov -1, %l0
""", """
	rd %ccr, %o3
	rd %gsr, %o4
	stx %l0, [%i1]
	stx %o3, [%i1 + 8]
	stx %o4, [%i1 + 16]
"""),
    # %l6 points to 64 bytes of a pattern, 64 before and 64 behind them; row: offset, datum
    "mem": (16, 208, """
	call fill
	nop
	ldx [%i0], %l3
	add %l7, %l3, %l6
	ldx [%i0 + 8], %l1
	ldx [%i5 + 8], %l0
	mov 0, %l2
""", """
	stx %l0, [%i1]
	stx %l1, [%i1 + 8]
	call dump
	nop
"""),
}

HEAD = """
	.register %g2, #scratch
	.register %g3, #scratch
	.text
	.globl _start, workspace, constants, rounding, results
_start:
	setx results, %g3, %i1
	setx workspace, %g3, %l7
	setx constants, %g3, %i5
"""

TAIL = """
	setx results, %g3, %o1
	sub %i1, %o1, %l1
	mov %o1, %l0
1:	mov 1, %o0
	mov %l0, %o1
	mov %l1, %o2
	mov 4, %g1
	ta 0x6d
	bcs,pn %xcc, 2f
	nop
	add %l0, %o0, %l0
	subcc %l1, %o0, %l1
	bg,pt %xcc, 1b
	nop
	mov 0, %o0
	mov 1, %g1
	ta 0x6d
2:	mov 1, %o0
	mov 1, %g1
	ta 0x6d

! a pattern in the 192 bytes around workspace
fill:
	sub %l7, 64, %o1
	setx 0x0102030405060708, %o3, %o2
	setx 0x1f3d5b7997b5d3f1, %o3, %o4
	mov 24, %o3
1:	stx %o2, [%o1]
	add %o2, %o4, %o2
	subcc %o3, 1, %o3
	bne,pt %xcc, 1b
	add %o1, 8, %o1
	retl
	nop

dump:
	sub %l7, 64, %o1
	add %i1, 16, %o4
	mov 24, %o3
1:	ldx [%o1], %o2
	stx %o2, [%o4]
	add %o4, 8, %o4
	subcc %o3, 1, %o3
	bne,pt %xcc, 1b
	add %o1, 8, %o1
	retl
	nop

	.data
	.align 64
	.skip 64
workspace:
	.skip 192
	.align 8
constants:
	.xword 0xdeadbeef0badcafe, 0x0123456789abcdef, 0, 0x5555aaaa5555aaaa
rounding:
	.xword 0, 0x40000000, 0x80000000, 0xc0000000
"""


def row_words(kind, row):
    if kind == "fpq":
        return [w for v in row for w in (v >> 64, v & (1 << 64) - 1)]
    return list(row)


def program(tables, cases):
    out, total, used = [HEAD], 0, set()
    for n, case in enumerate(cases):
        rows, (row_size, record, before, after) = tables[case.table], KINDS[case.kind]
        table = f"table_{case.table}"
        used.add((case.table, case.kind == "fpq"))
        mode = int(case.setup) if case.setup.isdigit() else 0
        setup = "" if case.setup.isdigit() else case.setup
        stride = 24 if case.table in ("int", "div32", "div64", "ccr") else row_size
        out.append(f"""
! {case.name}
	setx {table}, %g3, %i0
	setx rounding + {8 * mode}, %g3, %i4
	set {len(rows)}, %i2
1:{before}	{setup}
	{case.text}
{after}
	add %i0, {stride}, %i0
	subcc %i2, 1, %i2
	bne,pt %xcc, 1b
	add %i1, {record}, %i1
""")
        total += record * len(rows)
    out.append(TAIL)
    for name, quad in sorted(used):
        words = [w for row in tables[name] for w in row_words("fpq" if quad else "", row)]
        out.append(f"\t.align 8\n\t.globl table_{name}\ntable_{name}:\n")
        out += [f"\t.xword {', '.join(hex(w) for w in words[k:k + 4])}\n" for k in range(0, len(words), 4)]
    out.append(f"\t.bss\n\t.align 64\nresults:\n\t.skip {total}\n")
    return "".join(out)
