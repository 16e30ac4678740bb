/* Operations of reductions: mpi_op.h. */
#include "mpi_op.h"

#include <complex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "../../../psim/base/mem.h"
#include "pairs.h"

typedef void apply_function(int64_t count, const void *in, void *inout);

/* Defines a function for an expression of a (element of `in`) and b (element of `inout`). */
#define APPLY(op, name, ctype, expression) \
	static void apply_##op##_##name(int64_t count, const void *in, void *inout) \
	{ \
		const ctype *p = in; \
		ctype *q = inout; \
\
		for (int64_t i = 0; i < count; i++) { \
			ctype a = p[i], b = q[i]; \
\
			q[i] = (expression); \
		} \
	}
#define APPLY_SUMS(name, ctype) \
	APPLY(SUM, name, ctype, (ctype)(a + b)) \
	APPLY(PROD, name, ctype, (ctype)(a * b))
#define APPLY_ORDER(name, ctype) \
	APPLY(MAX, name, ctype, a > b ? a : b) \
	APPLY(MIN, name, ctype, a < b ? a : b)
#define APPLY_LOGIC(name, ctype) \
	APPLY(LAND, name, ctype, (ctype)((a != 0) && (b != 0))) \
	APPLY(LOR, name, ctype, (ctype)((a != 0) || (b != 0))) \
	APPLY(LXOR, name, ctype, (ctype)((a != 0) != (b != 0)))
#define APPLY_BITS(name, ctype) \
	APPLY(BAND, name, ctype, (ctype)(a & b)) \
	APPLY(BOR, name, ctype, (ctype)(a | b)) \
	APPLY(BXOR, name, ctype, (ctype)(a ^ b))
#define APPLY_I(name, ctype) \
	APPLY_SUMS(name, ctype) \
	APPLY_ORDER(name, ctype) \
	APPLY_LOGIC(name, ctype) \
	APPLY_BITS(name, ctype)
#define APPLY_F(name, ctype) \
	APPLY_SUMS(name, ctype) \
	APPLY_ORDER(name, ctype)
#define APPLY_C(name, ctype) APPLY_SUMS(name, ctype)
#define APPLY_B(name, ctype) APPLY_BITS(name, ctype)
#define APPLY_L(name, ctype) APPLY_LOGIC(name, ctype)
#define APPLY_P(name, ctype) \
	APPLY(MAXLOC, name, ctype, a.value > b.value || (!(a.value < b.value) && a.index < b.index) ? a : b) \
	APPLY(MINLOC, name, ctype, a.value < b.value || (!(a.value > b.value) && a.index < b.index) ? a : b)
#define APPLY_N(name, ctype)
#define TYPE(name, ctype, class) APPLY_##class(name, ctype)
#include "../api/constants.def"
#undef TYPE

#define ROW(op, name) [OP_##op][BASIC_##name] = apply_##op##_##name,
#define ROW_C(name) ROW(SUM, name) ROW(PROD, name)
#define ROW_F(name) ROW_C(name) ROW(MAX, name) ROW(MIN, name)
#define ROW_L(name) ROW(LAND, name) ROW(LOR, name) ROW(LXOR, name)
#define ROW_B(name) ROW(BAND, name) ROW(BOR, name) ROW(BXOR, name)
#define ROW_I(name) ROW_F(name) ROW_L(name) ROW_B(name)
#define ROW_P(name) ROW(MAXLOC, name) ROW(MINLOC, name)
#define ROW_N(name)
static apply_function *const functions[OP_COUNT][BASIC_TYPES] = {
#define TYPE(name, ctype, class) ROW_##class(name)
#include "../api/constants.def"
#undef TYPE
};

int ops_create(struct ops *o, struct err *e)
{
	*o = (struct ops){.count = OP_COUNT, .room = 2 * OP_COUNT};
	o->at = mem_alloc((size_t)o->room, sizeof(*o->at), e);
	return o->at ? 0 : -1;
}

void ops_finish(struct ops *o)
{
	free(o->at);
	o->at = NULL;
}

int op_create(struct ops *o, op_user_function *user, bool commutes, struct err *e)
{
	if (o->count == o->room) {
		struct op *at = mem_resize(o->at, (size_t)o->room * 2, sizeof(*at), e);

		if (!at)
			return 0;
		o->at = at;
		o->room *= 2;
	}
	o->at[o->count] = (struct op){.user = user, .commutes = commutes};
	return o->count++;
}

void op_release(struct ops *o, int op)
{
	if (op < OP_COUNT || op >= o->count)
		return;
	o->at[op].released = true;
	if (!o->at[op].tasks)
		o->at[op].user = NULL;
}

bool op_exists(const struct ops *o, int op)
{
	return op > 0 && op < o->count && (op < OP_COUNT || o->at[op].user);
}

bool op_commutes(const struct ops *o, int op)
{
	return op < OP_COUNT ? op != OP_REPLACE && op != OP_NO_OP : o->at[op].commutes;
}

bool op_allows(const struct ops *o, int op, const struct type *type)
{
	if (op >= OP_COUNT)
		return op_exists(o, op);
	return op == OP_REPLACE || op == OP_NO_OP || (type->handle < BASIC_TYPES && functions[op][type->handle]);
}

void op_apply(const struct ops *o, int op, const struct type *type, int count, const void *in, void *inout)
{
	int handle = type->handle;

	if (op >= OP_COUNT)
		o->at[op].user((void *)(uintptr_t)in, inout, &count, &handle);
	else if (op == OP_NO_OP)
		return;
	else if (op == OP_REPLACE)
		memcpy(inout, in, (size_t)(count * (type->ub - type->lb)));
	else
		functions[op][handle](count, in, inout);
}
