/*
 * How a program made a datatype (MPI 3.1, 4.1.13): the constructor (COMBINER_…) and its arguments, which
 * Type_get_contents returns.
 */
#ifndef PSIM_VMPI_TYPE_ENVELOPE_H
#define PSIM_VMPI_TYPE_ENVELOPE_H

#include <stdint.h>

#include "../../../psim/base/err.h"

struct type;

struct type_envelope {
	int combiner;
	int integers, addresses, types;
	int *integer;
	int64_t *address;
	struct type **type; /* held */
};

/* Makes an envelope with room for its arguments, all of them 0. NULL with `e`. */
struct type_envelope *type_envelope_create(int combiner, int integers, int addresses, int types, struct err *e);
/* Holds `type` as argument `i`. */
void type_envelope_set_type(struct type_envelope *r, int i, struct type *type);
/* Accepts NULL. */
void type_envelope_free(struct type_envelope *r);

#endif
