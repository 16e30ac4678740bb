/* The algorithms of collective operations, by file. Each file cites its sources. */
#ifndef PSIM_VMPI_ALGORITHMS_H
#define PSIM_VMPI_ALGORITHMS_H

#include "collective.h"
#include "collective_cost.h"

/* collective_table.c: collective_run carries these out itself, so they have no function. */
#define COLLECTIVE(NAME, name, calls, measured) extern const struct collective_algorithm table_##name;
#include "../collective_ops.def"
#define ALGORITHM(name) extern const struct collective_algorithm name;
#include "../collective_ops.def"

/* bcast.c: runs an algorithm that cuts the message on basic elements, which are the same for all datatypes of it. */
int bcast_by_elements(struct collective *c, int (*run)(struct collective *c));

/* Conditions that several algorithms share (`can`). */
static inline bool ranks_power_of_two(const struct collective *c)
{
	return !(c->size & (c->size - 1));
}

static inline bool operation_commutes(const struct collective *c)
{
	return op_commutes(&c->v->ops, c->op);
}

#endif
