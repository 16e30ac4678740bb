/*
 * FP operations by softfp: those whose result on the host may differ (NaNs, the border of
 * underflow, enabled exceptions, quads), and the current exceptions of an operation of the fast
 * path.
 */
#include "fp_slow.h"

#include "softfp.h"

enum fp_kind { FP_COMPUTE = 1, FP_COMPARE, FP_COMPARE_SIGNAL };

/* The operation of an opcode; a single operand is rs2. */
struct fp_row {
	uint8_t kind;      /* enum fp_kind; 0: no FP operation */
	uint8_t operation; /* enum sf_operation */
	uint8_t from, to;  /* enum sf_format */
};

#define ROW(op, operation, from, to) [OP_##op] = {FP_COMPUTE, SF_##operation, SF_##from, SF_##to}
#define SAME(op, operation, format) ROW(op, operation, format, format)
#define CMP(op, format) \
	[OP_FCMP##op] = {FP_COMPARE, 0, SF_##format, 0}, [OP_FCMPE##op] = {FP_COMPARE_SIGNAL, 0, SF_##format, 0}

static const struct fp_row rows[OP_COUNT] = {
	SAME(FADDS, ADD, SINGLE),
	SAME(FADDD, ADD, DOUBLE),
	SAME(FADDQ, ADD, QUAD),
	SAME(FSUBS, SUB, SINGLE),
	SAME(FSUBD, SUB, DOUBLE),
	SAME(FSUBQ, SUB, QUAD),
	SAME(FMULS, MUL, SINGLE),
	SAME(FMULD, MUL, DOUBLE),
	SAME(FMULQ, MUL, QUAD),
	SAME(FDIVS, DIV, SINGLE),
	SAME(FDIVD, DIV, DOUBLE),
	SAME(FDIVQ, DIV, QUAD),
	SAME(FSQRTS, SQRT, SINGLE),
	SAME(FSQRTD, SQRT, DOUBLE),
	SAME(FSQRTQ, SQRT, QUAD),
	ROW(FSMULD, MUL, SINGLE, DOUBLE),
	ROW(FDMULQ, MUL, DOUBLE, QUAD),
	ROW(FSTOX, CONVERT, SINGLE, INT64),
	ROW(FDTOX, CONVERT, DOUBLE, INT64),
	ROW(FQTOX, CONVERT, QUAD, INT64),
	ROW(FSTOI, CONVERT, SINGLE, INT32),
	ROW(FDTOI, CONVERT, DOUBLE, INT32),
	ROW(FQTOI, CONVERT, QUAD, INT32),
	ROW(FXTOS, CONVERT, INT64, SINGLE),
	ROW(FXTOD, CONVERT, INT64, DOUBLE),
	ROW(FXTOQ, CONVERT, INT64, QUAD),
	ROW(FITOS, CONVERT, INT32, SINGLE),
	ROW(FITOD, CONVERT, INT32, DOUBLE),
	ROW(FITOQ, CONVERT, INT32, QUAD),
	ROW(FSTOD, CONVERT, SINGLE, DOUBLE),
	ROW(FSTOQ, CONVERT, SINGLE, QUAD),
	ROW(FDTOS, CONVERT, DOUBLE, SINGLE),
	ROW(FDTOQ, CONVERT, DOUBLE, QUAD),
	ROW(FQTOS, CONVERT, QUAD, SINGLE),
	ROW(FQTOD, CONVERT, QUAD, DOUBLE),
	CMP(S, SINGLE),
	CMP(D, DOUBLE),
	CMP(Q, QUAD),
	SAME(FMADDS, MADD, SINGLE),
	SAME(FMADDD, MADD, DOUBLE),
	SAME(FMSUBS, MSUB, SINGLE),
	SAME(FMSUBD, MSUB, DOUBLE),
	SAME(FNMSUBS, NMSUB, SINGLE),
	SAME(FNMSUBD, NMSUB, DOUBLE),
	SAME(FNMADDS, NMADD, SINGLE),
	SAME(FNMADDD, NMADD, DOUBLE),
};

static unsigned operation(const struct cpu *c, const struct fp_row *row)
{
	if (row->operation >= SF_MADD && c->fma_fused)
		return row->operation - SF_MADD + SF_FUSED_MADD;
	return row->operation;
}

static bool two_operands(const struct fp_row *row)
{
	return row->kind != FP_COMPUTE || (row->operation != SF_SQRT && row->operation != SF_CONVERT);
}

static u128 get_operand(const struct cpu *c, unsigned n, unsigned format)
{
	switch ((enum sf_format)format) {
	case SF_SINGLE:
	case SF_INT32: return get_f(c, n);
	case SF_QUAD: return (u128)get_d(c, n) << 64 | get_d(c, n + 2);
	case SF_DOUBLE:
	case SF_INT64: break;
	}
	return get_d(c, n);
}

static void set_result(struct cpu *c, unsigned n, unsigned format, u128 value)
{
	switch ((enum sf_format)format) {
	case SF_SINGLE:
	case SF_INT32: set_f(c, n, (uint32_t)value); break;
	case SF_QUAD:
		set_d(c, n, (uint64_t)(value >> 64));
		set_d(c, n + 2, (uint64_t)value);
		break;
	case SF_DOUBLE:
	case SF_INT64: set_d(c, n, (uint64_t)value); break;
	}
}

/*
 * Returns the cexc of several exceptions (V9 manual 5.1.7.9, table of cexc settings): a
 * trapping one alone; overflow and underflow have priority over the inexact exception that
 * accompanies them.
 */
static unsigned trapping(unsigned flags, unsigned tem)
{
	static const uint8_t order[] = {FP_NV, FP_DZ, FP_OF, FP_UF, FP_NX};

	for (unsigned k = 0; k < sizeof(order); k++) {
		if (flags & tem & order[k])
			return order[k];
	}
	return 0;
}

static enum cpu_trap raise(struct cpu *c, unsigned flags)
{
	unsigned trap = trapping(flags, (unsigned)(c->fsr >> 23) & 31);

	fp_no_exception(c);
	if (trap) {
		c->fsr |= FSR_FTT_IEEE | trap;
		return TRAP_FP_IEEE;
	}
	c->fsr |= (uint64_t)flags << 5 | flags;
	return TRAP_NONE;
}

enum cpu_trap fp_slow(struct cpu *c, const struct insn *i)
{
	const struct fp_row *row = &rows[i->opcode];
	struct sf_env env = {fp_rounding(c), (unsigned)(c->fsr >> 23) & 31, 0};
	u128 a, b, result;
	enum cpu_trap trap;

	b = get_operand(c, i->rs2, row->from);
	a = two_operands(row) ? get_operand(c, i->rs1, row->from) : b;
	if (row->kind != FP_COMPUTE) {
		unsigned shift = fcc_shift(i->cc);
		uint64_t fcc = sf_compare(row->from, a, b, row->kind == FP_COMPARE_SIGNAL, &env);

		trap = raise(c, env.flags);
		if (trap == TRAP_NONE)
			c->fsr = (c->fsr & ~(3ull << shift)) | fcc << shift;
		return trap;
	}
	result = sf_compute(operation(c, row), row->from, row->to, a, b, get_operand(c, i->rs3, row->from), &env);
	trap = raise(c, env.flags);
	if (trap == TRAP_NONE)
		set_result(c, i->rd, row->to, result);
	return trap;
}

uint64_t fp_slow_value(const struct cpu *c, enum opcode op, uint64_t a, uint64_t b, uint64_t s, unsigned *flags)
{
	const struct fp_row *row = &rows[op];
	struct sf_env env = {fp_rounding(c), 0, *flags};
	uint64_t value =
		(uint64_t)sf_compute(operation(c, row), row->from, row->to, two_operands(row) ? a : b, b, s, &env);

	*flags = env.flags;
	return value;
}

static bool single(unsigned format)
{
	return format == SF_SINGLE || format == SF_INT32;
}

bool fp_slow_single_operands(enum opcode op)
{
	return single(rows[op].from);
}

bool fp_slow_single_result(enum opcode op)
{
	return single(rows[op].to);
}

/* Repeats the operation for its exceptions. Only operations that cannot trap are ever pending. */
void fp_settle(struct cpu *c)
{
	const struct fp_row *row = &rows[c->fp_pending];
	struct sf_env env = {fp_rounding(c), 0, 0};

	if (c->fp_pending == OP_ILLEGAL)
		return;
	sf_compute(operation(c, row), row->from, row->to, c->fp_operand[0], c->fp_operand[1], c->fp_operand[2], &env);
	raise(c, env.flags);
}
