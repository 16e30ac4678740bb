/*
 * How a program made a datatype (MPI 3.1, 4.1.13): the constructor (COMBINER_…) and its arguments, which
 * Type_get_contents returns.
 */
#ifndef PSIM_VMPI_RECIPE_H
#define PSIM_VMPI_RECIPE_H

#include <stdint.h>

#include "../../../psim/base/err.h"

struct type;

struct recipe {
	int combiner;
	int integers, addresses, types;
	int *integer;
	int64_t *address;
	struct type **type; /* held */
};

/* Makes a recipe with room for its arguments, all of them 0. NULL with `e`. */
struct recipe *recipe_create(int combiner, int integers, int addresses, int types, struct err *e);
/* Holds `type` as argument `i`. */
void recipe_set_type(struct recipe *r, int i, struct type *type);
/* Accepts NULL. */
void recipe_free(struct recipe *r);

#endif
