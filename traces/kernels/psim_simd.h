/*
 * The SIMD extension in C: docs/models/simd-isa.md describes it.
 *
 *     SIMD_FUNCTION static void axpy(double *y, const double *x, const double *a, long n)
 *     {
 *         for (long k = 0; k < n; k++)
 *             y[k] += *a * x[k];                  // every PE, on its own y and x
 *     }
 *     …
 *     simd_deal(simd_all(0), x, n * 8, simd_pes());   // x in blocks: n numbers to each PE
 *     simd_deal(simd_all(8 * n), y, n * 8, simd_pes());
 *     simd_wait(0);
 *     simd_on();
 *     axpy(simd_all(8 * n), simd_all(0), &a, n);
 *     simd_off();
 *
 * The rule: code that runs in SIMD mode is in SIMD_FUNCTIONs, which pass data by
 * pointers only. The compiler does not know the mode; a double kept in a
 * register across simd_on or simd_off would be a different one afterwards.
 * Between the two there are only such calls, integers and transfers, and no
 * other floating point.
 *
 * Operations on doubles and floats in such a function: + - *, multiply-add,
 * negate, absolute value, conversions, loads from anywhere, stores through
 * pointers into simd_all. With psim-record --units (simd_units has them): division and square root (divide),
 * simd_less and the like (select), simd_int_… (integer), simd_pair_… (single), simd_gather and simd_scatter (gather).
 * Other comparisons, calls of library functions, and more than 32 doubles at a time (the compiler then spills some
 * to the stack) end the recording with a message.
 */
#ifndef PSIM_SIMD_H
#define PSIM_SIMD_H

#include <stdint.h>

/* Prevents inlining, and the replacement of loops by calls of memset or memcpy. */
#define SIMD_FUNCTION __attribute__((noipa, optimize("no-tree-loop-distribute-patterns", "no-tree-vectorize")))

/* ---- macros that encode the instructions, which the assembler does not know ---- */

/*
 * psim_d NAME, %fN sets NAME to the five-bit field of a double register, psim_r NAME, %oN to
 * that of an integer register, by comparing texts; the other macros are the instructions, with
 * operands in the assembler's order.
 */
__asm__(".macro psim_d name, reg\n"
	"\t.set \\name, -1\n"
	"\t.irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,"
	"56,58,60,62\n"
	"\t.ifc \\reg, %f\\n\n"
	"\t.set \\name, (\\n & 30) | (\\n >> 5)\n"
	"\t.endif\n"
	"\t.endr\n"
	"\t.if \\name < 0\n"
	"\t.error \"not a double register: \\reg\"\n"
	"\t.endif\n"
	".endm\n"
	".macro psim_r name, reg\n"
	"\t.set \\name, -1\n"
	"\t.set psim_number, 0\n"
	"\t.irp r, %g0,%g1,%g2,%g3,%g4,%g5,%g6,%g7,%o0,%o1,%o2,%o3,%o4,%o5,%sp,%o7,"
	"%l0,%l1,%l2,%l3,%l4,%l5,%l6,%l7,%i0,%i1,%i2,%i3,%i4,%i5,%fp,%i7\n"
	"\t.ifc \\reg, \\r\n"
	"\t.set \\name, psim_number\n"
	"\t.endif\n"
	"\t.set psim_number, psim_number + 1\n"
	"\t.endr\n"
	"\t.if \\name < 0\n"
	"\t.error \"not an integer register: \\reg\"\n"
	"\t.endif\n"
	".endm\n"
	".macro psim_simdon\n\t.word 0x81b03400\n.endm\n"
	".macro psim_simdoff\n\t.word 0x81b03420\n.endm\n"
	".macro psim_rdsimd rd\n"
	"\tpsim_r psim_a, \\rd\n"
	"\t.word 0x81b03440 | psim_a << 25\n"
	".endm\n"
	".macro psim_peid rd\n"
	"\tpsim_d psim_a, \\rd\n"
	"\t.word 0x81b03460 | psim_a << 25\n"
	".endm\n"
	".macro psim_pegetd rs1, rs2, rd\n"
	"\tpsim_r psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rd\n"
	"\t.word 0x81b03480 | psim_c << 25 | psim_a << 14 | psim_b\n"
	".endm\n"
	".macro psim_peputd rs1, rs2, rd\n"
	"\tpsim_r psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rd\n"
	"\t.word 0x81b034a0 | psim_c << 25 | psim_a << 14 | psim_b\n"
	".endm\n"
	".macro psim_pesumd rs2, rd\n"
	"\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rd\n"
	"\t.word 0x81b034c0 | psim_c << 25 | psim_b\n"
	".endm\n"
	".macro psim_pexd rs2, rd\n"
	"\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rd\n"
	"\t.word 0x81b034e0 | psim_c << 25 | psim_b\n"
	".endm\n"
	".macro psim_fx var, rs1, rs2, rs3, rd\n"
	"\tpsim_d psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rs3\n"
	"\tpsim_d psim_e, \\rd\n"
	"\t.word 0x81b80060 | psim_e << 25 | psim_a << 14 | psim_c << 9 | \\var << 7 | psim_b\n"
	".endm\n"
	".macro psim_sx op3, deal, rs1, rs2, rd\n"
	"\tpsim_r psim_a, \\rs1\n\tpsim_r psim_b, \\rs2\n\tpsim_r psim_c, \\rd\n"
	"\t.word 0xc0000000 | psim_c << 25 | \\op3 << 19 | psim_a << 14 | \\deal << 5 | psim_b\n"
	".endm\n"
	".macro psim_sxwait count\n\t.word 0xc1502000 | \\count\n.endm\n"
	/* psim_f NAME, %fN: the field of a single register; psim_low NAME: NAME is the field of a double below %f32 */
	".macro psim_f name, reg\n"
	"\t.set \\name, -1\n"
	"\t.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
	"\t.ifc \\reg, %f\\n\n"
	"\t.set \\name, \\n\n"
	"\t.endif\n"
	"\t.endr\n"
	"\t.if \\name < 0\n"
	"\t.error \"not a single register: \\reg\"\n"
	"\t.endif\n"
	".endm\n"
	".macro psim_low name\n"
	"\t.if \\name & 1\n"
	"\t.error \"its halves have no names\"\n"
	"\t.endif\n"
	".endm\n"
	".macro psim_op2 opf, rs1, rs2, rd\n"
	"\tpsim_d psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rd\n"
	"\t.word 0x81b00000 | psim_c << 25 | psim_a << 14 | \\opf << 5 | psim_b\n"
	".endm\n"
	".macro psim_op3 var, rs1, rs2, rs3, rd\n"
	"\tpsim_d psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rs3\n\tpsim_d psim_e, \\rd\n"
	"\t.word 0x81b80000 | psim_e << 25 | psim_a << 14 | psim_c << 9 | \\var << 7 | psim_b\n"
	".endm\n"
	".macro psim_cmpx rs1, rs2\n"
	"\tpsim_d psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n"
	"\t.word 0x87b03600 | psim_a << 14 | psim_b\n"
	".endm\n"
	/* an operation on singles, of both halves; psim_halves_if: fcmps %fcc3, then fmovs on `cond` of it */
	".macro psim_halves opf, rs1, rs2, rd\n"
	"\tpsim_d psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rd\n"
	"\tpsim_low psim_a\n\tpsim_low psim_b\n\tpsim_low psim_c\n"
	"\t.word 0x81a00000 | psim_c << 25 | psim_a << 14 | \\opf << 5 | psim_b\n"
	"\t.word 0x81a00000 | (psim_c + 1) << 25 | (psim_a + 1) << 14 | \\opf << 5 | (psim_b + 1)\n"
	".endm\n"
	".macro psim_halves_of opf, rs2, rd\n"
	"\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\rd\n\tpsim_low psim_b\n\tpsim_low psim_c\n"
	"\t.word 0x81a00000 | psim_c << 25 | \\opf << 5 | psim_b\n"
	"\t.word 0x81a00000 | (psim_c + 1) << 25 | \\opf << 5 | (psim_b + 1)\n"
	".endm\n"
	".macro psim_halves_if cond, rs1, rs2, from, rd\n"
	"\tpsim_d psim_a, \\rs1\n\tpsim_d psim_b, \\rs2\n\tpsim_d psim_c, \\from\n\tpsim_d psim_e, \\rd\n"
	"\tpsim_low psim_a\n\tpsim_low psim_b\n\tpsim_low psim_c\n\tpsim_low psim_e\n"
	"\t.word 0x87a80a20 | psim_a << 14 | psim_b\n"
	"\t.word 0x81a81820 | psim_e << 25 | \\cond << 14 | psim_c\n"
	"\t.word 0x87a80a20 | (psim_a + 1) << 14 | (psim_b + 1)\n"
	"\t.word 0x81a81820 | (psim_e + 1) << 25 | \\cond << 14 | (psim_c + 1)\n"
	".endm\n"
	/* opf 0x1b8 to 0x1bf; `data` and `index` name the macros that read these operands */
	".macro psim_gather opf, base, index, data, how_index, how_data\n"
	"\tpsim_r psim_a, \\base\n\tpsim_\\how_index psim_b, \\index\n\tpsim_\\how_data psim_c, \\data\n"
	"\t.word 0x81b00000 | psim_c << 25 | psim_a << 14 | \\opf << 5 | psim_b\n"
	".endm\n");

/* ---- the mode ---- */

/* All FP registers: none is live across a change of the mode. */
#define SIMD_FP_REGISTERS \
	"f0", "f2", "f4", "f6", "f8", "f10", "f12", "f14", "f16", "f18", "f20", "f22", "f24", "f26", "f28", "f30", \
		"f32", "f34", "f36", "f38", "f40", "f42", "f44", "f46", "f48", "f50", "f52", "f54", "f56", "f58", \
		"f60", "f62"

/* Sets SIMD mode: floating-point instructions run in every PE. */
static inline void simd_on(void)
{
	__asm__ volatile("psim_simdon" : : : "memory", SIMD_FP_REGISTERS);
}

/* Ends SIMD mode. */
static inline void simd_off(void)
{
	__asm__ volatile("psim_simdoff" : : : "memory", SIMD_FP_REGISTERS);
}

/* The status word of rdsimd: mode bit, number of PEs, bytes of buffer memory, units. */
static inline uint64_t simd_status(void)
{
	uint64_t status;

	__asm__ volatile("psim_rdsimd %0" : "=r"(status));
	return status;
}

/* PEs of the array; 0 without an array. */
static inline unsigned simd_pes(void)
{
	return (unsigned)(simd_status() >> 8) & 0xff;
}

/* Bytes of buffer memory of each PE; 0 without an array. */
static inline uint32_t simd_sbm_bytes(void)
{
	return (uint32_t)(simd_status() >> 16);
}

/*
 * Bits of what PEs can do (psim-record --units): 1 divide and take square roots, 2 compare, 4 integers, 8 pairs of
 * singles, 16 gather and scatter.
 */
static inline unsigned simd_units(void)
{
	return (unsigned)(simd_status() >> 48);
}

/* ---- windows: addresses of the buffer memories ---- */

#define SIMD_ALL_BASE UINT64_C(0x500000000000)
#define SIMD_PE_STRIDE UINT64_C(0x1000000)

/*
 * Address of byte `offset` of every PE's memory: its own in SIMD mode, all of them for a scalar
 * store.
 */
static inline void *simd_all(uint64_t offset)
{
	return (void *)(SIMD_ALL_BASE + offset);
}

/* Address of byte `offset` of the memory of PE `pe`, for the scalar core. */
static inline void *simd_pe(unsigned pe, uint64_t offset)
{
	return (void *)(SIMD_ALL_BASE + (pe + UINT64_C(1)) * SIMD_PE_STRIDE + offset);
}

/* ---- transfers: addresses, bytes and strides are multiples of 8 ---- */

/* The third operand of a transfer: bytes of a piece, pieces, bytes from one piece to the next in memory. */
static inline uint64_t simd_descriptor(uint32_t bytes, uint32_t pieces, int64_t stride)
{
	return (bytes & 0xffffff) | (uint64_t)(pieces & 0xffff) << 24 | (uint64_t)(stride >> 3) << 40;
}

#define SIMD_TRANSFER(op3, deal, memory, window, descriptor) \
	__asm__ volatile("psim_sx %0, %1, %2, %3, %4" \
			 : \
			 : "i"(op3), "i"(deal), "r"(memory), "r"(window), "r"(descriptor) \
			 : "memory")

/*
 * Memory to buffer memory: `pieces` pieces of `bytes` bytes, `stride` bytes apart in memory,
 * contiguous in the buffer memory. `window` is in simd_pe (that PE gets them) or in simd_all
 * (each PE gets all of them).
 */
static inline void simd_get_pieces(void *window, const void *memory, uint32_t bytes, uint32_t pieces, int64_t stride)
{
	SIMD_TRANSFER(0x28, 0, memory, window, simd_descriptor(bytes, pieces, stride));
}

/* The same with one piece. */
static inline void simd_get(void *window, const void *memory, uint32_t bytes)
{
	simd_get_pieces(window, memory, bytes, 1, 0);
}

/* Buffer memory of one PE to memory. */
static inline void simd_put_pieces(const void *window, void *memory, uint32_t bytes, uint32_t pieces, int64_t stride)
{
	SIMD_TRANSFER(0x29, 0, memory, window, simd_descriptor(bytes, pieces, stride));
}

/* The same with one piece. */
static inline void simd_put(const void *window, void *memory, uint32_t bytes)
{
	simd_put_pieces(window, memory, bytes, 1, 0);
}

/*
 * Distributes the pieces over all PEs: piece j goes to PE j mod simd_pes(), after those that it
 * has already. `window` is in simd_all.
 */
static inline void simd_deal_pieces(void *window, const void *memory, uint32_t bytes, uint32_t pieces, int64_t stride)
{
	SIMD_TRANSFER(0x28, 1, memory, window, simd_descriptor(bytes, pieces, stride));
}

/* The same with pieces that are contiguous in memory: with simd_pes() pieces each PE gets a block. */
static inline void simd_deal(void *window, const void *memory, uint32_t bytes, uint32_t pieces)
{
	simd_deal_pieces(window, memory, bytes, pieces, bytes);
}

/* The opposite of simd_deal_pieces: from the buffer memories of all PEs to memory. */
static inline void simd_collect_pieces(const void *window, void *memory, uint32_t bytes, uint32_t pieces,
				       int64_t stride)
{
	SIMD_TRANSFER(0x29, 1, memory, window, simd_descriptor(bytes, pieces, stride));
}

/* The opposite of simd_deal. */
static inline void simd_collect(const void *window, void *memory, uint32_t bytes, uint32_t pieces)
{
	simd_collect_pieces(window, memory, bytes, pieces, bytes);
}

/* Waits until at most `count` transfers, the newest, are outstanding. A constant, 0 to 4095. */
#define simd_wait(count) __asm__ volatile("psim_sxwait %0" : : "i"(count) : "memory")

/* ---- in SIMD_FUNCTIONs, where a double is one in each PE ---- */

/* The PE's number, 0, 1, 2 … */
static inline double simd_number(void)
{
	double d;

	__asm__("psim_peid %0" : "=e"(d));
	return d;
}

/* The partner's value (PEs 0 and 1, 2 and 3 … are partners). */
static inline double simd_exchange(double x)
{
	double d;

	__asm__("psim_pexd %1, %0" : "=e"(d) : "e"(x));
	return d;
}

#define SIMD_CROSS(name, var) \
	static inline double name(double x, double y, double z) \
	{ \
		double d; \
		__asm__("psim_fx " #var ", %1, %2, %3, %0" : "=e"(d) : "e"(x), "e"(y), "e"(z)); \
		return d; \
	}

/*
 * Multiply-add across a pair, for numbers with the real part in the even PE and the imaginary
 * part in the odd one: z + x * y is simd_fxcmaddd(x, y, simd_fxmaddd(x, y, z)); z + x * conj(y)
 * is the same with simd_fxjmaddd outside.
 */
SIMD_CROSS(simd_fxmaddd, 0)  /* even: xy + z; odd: xy + z with the even one's y */
SIMD_CROSS(simd_fxmsubd, 1)  /* the same less z */
SIMD_CROSS(simd_fxcmaddd, 2) /* the partner's x, the odd one's y: even: z - xy, odd: z + xy */
SIMD_CROSS(simd_fxjmaddd, 3) /* even: z + xy, odd: z - xy */
#undef SIMD_CROSS

/*
 * Stores the sum of x over all PEs to *sum. Like simd_read it uses %f0 of the scalar file, which is
 * free there, with the mode off for the store.
 */
static inline void simd_sum(double x, double *sum)
{
	__asm__ volatile("psim_pesumd %0, %%f0\n\tpsim_simdoff\n\tstd %%f0, [%1]\n\tpsim_simdon"
			 :
			 : "e"(x), "r"(sum)
			 : "memory");
}

/* Stores x of one PE to *to. */
static inline void simd_read(double x, uint64_t pe, double *to)
{
	__asm__ volatile("psim_pegetd %0, %1, %%f0\n\tpsim_simdoff\n\tstd %%f0, [%2]\n\tpsim_simdon"
			 :
			 : "r"(pe), "e"(x), "r"(to)
			 : "memory");
}

/* Returns x with that of one PE replaced by *from. */
static inline double simd_write(double x, uint64_t pe, const double *from)
{
	__asm__ volatile("psim_simdoff\n\tldd [%2], %%f0\n\tpsim_simdon\n\tpsim_peputd %1, %%f0, %0"
			 : "+e"(x)
			 : "r"(pe), "r"(from)
			 : "memory");
	return x;
}

/* ---- units beside the paper's: psim-record --units ---- */

/* A double as bits: an integer of 64 bits, or two singles, the first in the high half. In SBM as such a number. */
typedef double __attribute__((may_alias)) simd_bits;
/* A single as bits: an integer of 32 bits. */
typedef float __attribute__((may_alias)) simd_half_bits;

#define SIMD_OPERATION(name, instruction) \
	static inline double name(double x, double y) \
	{ \
		double d; \
		__asm__(instruction ", %1, %2, %0" : "=e"(d) : "e"(x), "e"(y)); \
		return d; \
	}
#define SIMD_OPERATION_ADD(name, instruction) \
	static inline double name(double x, double y, double z) \
	{ \
		double d; \
		__asm__(instruction ", %1, %2, %3, %0" : "=e"(d) : "e"(x), "e"(y), "e"(z)); \
		return d; \
	}
#define SIMD_CHOICE(name, compare, move) \
	static inline double name(double x, double y, double a, double b) \
	{ \
		__asm__(compare " %1, %2\n\t" move " %%fcc3, %3, %0" : "+e"(b) : "e"(x), "e"(y), "e"(a) : "fcc3"); \
		return b; \
	}

SIMD_CHOICE(simd_less, "fcmpd %%fcc3,", "fmovdl")           /* a in each PE where x < y, else b: select */
SIMD_CHOICE(simd_less_or_equal, "fcmpd %%fcc3,", "fmovdle") /* the same for x <= y */
SIMD_CHOICE(simd_equal, "fcmpd %%fcc3,", "fmovde")          /* the same for x == y */

/* integers of 64 bits */
SIMD_OPERATION(simd_int_add, "psim_op2 0x042")                /* x + y of integers: integer, as all of simd_int_… */
SIMD_OPERATION(simd_int_subtract, "psim_op2 0x046")           /* x - y */
SIMD_OPERATION(simd_int_and, "psim_op2 0x070")                /* x & y */
SIMD_OPERATION(simd_int_or, "psim_op2 0x07c")                 /* x | y */
SIMD_OPERATION(simd_int_xor, "psim_op2 0x06c")                /* x ^ y */
SIMD_OPERATION(simd_int_shift_left, "psim_op2 0x106")         /* x << y modulo 64 */
SIMD_OPERATION(simd_int_shift_right, "psim_op2 0x107")        /* x >> y modulo 64, zeros from the left */
SIMD_OPERATION(simd_int_shift_right_signed, "psim_op2 0x10f") /* the same with the sign from the left */
SIMD_OPERATION_ADD(simd_int_multiply_add, "psim_op3 0")       /* the low 64 bits of x y + z */
SIMD_CHOICE(simd_int_less, "psim_cmpx", "fmovdl")             /* a where x < y, signed, else b: select too */
SIMD_CHOICE(simd_int_equal, "psim_cmpx", "fmovde")            /* the same for x == y */

/* integers of 32 bits in both halves */
SIMD_OPERATION(simd_halves_add, "psim_op2 0x052")                /* x + y of both halves, as integers */
SIMD_OPERATION(simd_halves_subtract, "psim_op2 0x056")           /* x - y */
SIMD_OPERATION(simd_halves_shift_left, "psim_op2 0x025")         /* x << y modulo 32 */
SIMD_OPERATION(simd_halves_shift_right, "psim_op2 0x027")        /* x >> y modulo 32, zeros from the left */
SIMD_OPERATION(simd_halves_shift_right_signed, "psim_op2 0x02f") /* the same with the sign from the left */

/* The integer of 64 bits that a double is, truncated: the paper's PEs have that. */
static inline double simd_int_of(double x)
{
	double d;

	__asm__("fdtox %1, %0" : "=e"(d) : "e"(x));
	return d;
}

/* The opposite. */
static inline double simd_double_of_int(double x)
{
	double d;

	__asm__("fxtod %1, %0" : "=e"(d) : "e"(x));
	return d;
}

SIMD_OPERATION(simd_pair_add, "psim_op2 0x1a8")          /* x + y of both singles: single */
SIMD_OPERATION(simd_pair_subtract, "psim_op2 0x1a9")     /* x - y */
SIMD_OPERATION(simd_pair_multiply, "psim_op2 0x1aa")     /* x y */
SIMD_OPERATION_ADD(simd_pair_multiply_add, "psim_op3 2") /* x y + z, the product rounded unless multiply-add is fused */
SIMD_OPERATION_ADD(simd_pair_multiply_from, "psim_op3 3") /* z - x y, likewise */

/* Quotients of the singles of two doubles, one after the other: divide. */
static inline double simd_pair_divide(double x, double y)
{
	double d;

	__asm__("psim_halves 0x04d, %1, %2, %0" : "=f"(d) : "f"(x), "f"(y));
	return d;
}

#define SIMD_HALVES_OF(name, opf) \
	static inline double name(double x) \
	{ \
		double d; \
		__asm__("psim_halves_of " #opf ", %1, %0" : "=f"(d) : "f"(x)); \
		return d; \
	}
SIMD_HALVES_OF(simd_pair_root, 0x029)      /* square roots of both singles: divide */
SIMD_HALVES_OF(simd_pair_absolute, 0x009)  /* absolute values of both singles */
SIMD_HALVES_OF(simd_pair_negate, 0x005)    /* both singles with the other sign */
SIMD_HALVES_OF(simd_halves_of_pair, 0x0d1) /* both singles as integers of 32 bits, truncated */
SIMD_HALVES_OF(simd_pair_of_halves, 0x0c4) /* the opposite */

#define SIMD_HALVES_CHOICE(name, condition) \
	static inline double name(double x, double y, double a, double b) \
	{ \
		__asm__("psim_halves_if " #condition ", %1, %2, %3, %0" : "+f"(b) : "f"(x), "f"(y), "f"(a) : "fcc3"); \
		return b; \
	}
SIMD_HALVES_CHOICE(simd_pair_less, 4)           /* of both singles: a's where x's is less than y's, else b's: select */
SIMD_HALVES_CHOICE(simd_pair_less_or_equal, 13) /* the same for less or equal */

/*
 * gather: each PE loads from or stores to its own buffer memory at `table`, an address of simd_all, plus its index
 * times the size of an element. The index is unsigned, of 32 bits, or with _x of 64 bits, as simd_int_of makes it.
 * One beyond the end of the buffer memory ends the recording.
 */
#define SIMD_GATHER(name, type, index_type, opf, index, data) \
	static inline type name(const type *table, index_type at) \
	{ \
		type d; \
		__asm__("psim_gather " #opf ", %1, %2, %0, " #index ", " #data \
			: SIMD_OUT_##data(d) \
			: "r"(table), SIMD_IN_##index(at), "m"(*(const type(*)[])table)); \
		return d; \
	}
#define SIMD_SCATTER(name, type, index_type, opf, index, data) \
	static inline void name(type *table, index_type at, type value) \
	{ \
		__asm__ volatile("psim_gather " #opf ", %1, %2, %3, " #index ", " #data \
				 : "+m"(*(type(*)[])table) \
				 : "r"(table), SIMD_IN_##index(at), SIMD_IN_##data(value)); \
	}
#define SIMD_IN_d(x) "e"(x)
#define SIMD_OUT_d(x) "=e"(x)
#define SIMD_OUT_f(x) "=f"(x)
#define SIMD_IN_f(x) "f"(x)
SIMD_GATHER(simd_gather, double, float, 0x1b8, f, d) /* the table's number at an index of 32 bits, simd_index: gather */
SIMD_GATHER(simd_gather_single, float, float, 0x1b9, f, f)      /* the same of singles */
SIMD_GATHER(simd_gather_x, double, double, 0x1ba, d, d)         /* the same at an index of 64 bits, simd_int_of */
SIMD_GATHER(simd_gather_single_x, float, double, 0x1bb, d, f)   /* the same of singles */
SIMD_SCATTER(simd_scatter, double, float, 0x1bc, f, d)          /* stores a number at such an index */
SIMD_SCATTER(simd_scatter_single, float, float, 0x1bd, f, f)    /* the same of singles */
SIMD_SCATTER(simd_scatter_x, double, double, 0x1be, d, d)       /* the same at an index of 64 bits */
SIMD_SCATTER(simd_scatter_single_x, float, double, 0x1bf, d, f) /* the same of singles */

/* The index at *p, an int32_t or uint32_t in the buffer memories. */
static inline float simd_index(const void *p)
{
	return *(const simd_half_bits *)p;
}

#undef SIMD_OPERATION
#undef SIMD_OPERATION_ADD
#undef SIMD_CHOICE
#undef SIMD_HALVES_OF
#undef SIMD_HALVES_CHOICE
#undef SIMD_GATHER
#undef SIMD_SCATTER
#undef SIMD_IN_d
#undef SIMD_OUT_d
#undef SIMD_OUT_f
#undef SIMD_IN_f

#endif
