/*
 * Operations of reductions: those of the standard by table, with one function for each (operation, type), and the
 * program's own. Handles are indices into the table, which begins with the standard's operations (constants.def).
 */
#ifndef PSIM_VMPI_OP_H
#define PSIM_VMPI_OP_H

#include <stdbool.h>

#include "../../../psim/base/err.h"
#include "datatype.h"

enum basic_op {
	OP_NONE,
#define OP(name, doc) OP_##name,
#include "../api/constants.def"
#undef OP
	OP_COUNT,
};

/* inout[i] = in[i] op inout[i] */
typedef void op_user_function(void *in, void *inout, int *count, int *datatype);

struct op {
	op_user_function *user; /* NULL: freed, or an operation of the standard */
	bool commutes;
	unsigned tasks; /* nonblocking collectives that use it */
	bool released;  /* the program freed it while collectives used it */
};

struct ops {
	struct op *at; /* by handle */
	int count, room;
};

int ops_create(struct ops *o, struct err *e);
void ops_finish(struct ops *o);

/* Returns the handle of a new operation, 0 with `e`. */
int op_create(struct ops *o, op_user_function *user, bool commutes, struct err *e);
void op_release(struct ops *o, int op);
bool op_exists(const struct ops *o, int op);
bool op_commutes(const struct ops *o, int op);

/* Returns whether the operation is defined for elements of this type. Operations of the program are defined for any. */
bool op_allows(const struct ops *o, int op, const struct type *type);

/* Computes inout = in op inout for `count` elements of `type`, for which op_allows holds. */
void op_apply(const struct ops *o, int op, const struct type *type, int count, const void *in, void *inout);

#endif
