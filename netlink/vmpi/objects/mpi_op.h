/*
 * Operations of reductions: the standard's by table, one function for each (operation, type), and the
 * program's own. Handles are places in the table, the standard's first (constants.def).
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
	op_user_function *user; /* NULL: freed, or one of the standard's */
	bool commutes;
	unsigned tasks; /* nonblocking collectives that use it */
	bool released;  /* the program has given it up while some do */
};

struct ops {
	struct op *at; /* by handle */
	int count, room;
};

int ops_create(struct ops *o, struct err *e);
void ops_finish(struct ops *o);

/* Handle of a new one, 0 with `e`. */
int op_create(struct ops *o, op_user_function *user, bool commutes, struct err *e);
void op_release(struct ops *o, int op);
bool op_exists(const struct ops *o, int op);
bool op_commutes(const struct ops *o, int op);

/* Is it defined for elements of this type? The program's own are, for any. */
bool op_allows(const struct ops *o, int op, const struct type *type);

/* inout = in op inout, `count` elements of `type`, which op_allows. */
void op_apply(const struct ops *o, int op, const struct type *type, int count, const void *in, void *inout);

#endif
