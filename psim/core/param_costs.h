/* What each parameter costs where it helps, or why nothing: param_notes.def. */
#ifndef PSIM_CORE_PARAM_COSTS_H
#define PSIM_CORE_PARAM_COSTS_H

#include <stddef.h>

struct param_cost {
	const char *section, *key;
	const char *better, *also; /* NULL: it is free */
	const char *text;          /* where it costs, or why it does not */
};

/* The row of a parameter; NULL if there is none. */
const struct param_cost *param_cost_find(const char *section, const char *key);

/* All rows: the n-th, NULL behind the last. */
const struct param_cost *param_cost_at(size_t n);

#endif
