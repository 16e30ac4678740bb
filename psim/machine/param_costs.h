/* The energy and area cost of each parameter, or the reason why it has none: param_notes.def. */
#ifndef PSIM_MACHINE_PARAM_COSTS_H
#define PSIM_MACHINE_PARAM_COSTS_H

#include <stddef.h>

struct param_cost {
	const char *section, *key;
	const char *better, *also; /* NULL: it has no cost */
	const char *text;          /* what it costs, or why nothing */
};

/* The row of a parameter, or NULL. */
const struct param_cost *param_cost_find(const char *section, const char *key);

/* The n-th row; NULL after the last. */
const struct param_cost *param_cost_at(size_t n);

#endif
