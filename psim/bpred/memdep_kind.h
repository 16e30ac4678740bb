/* A kind of memory-dependence predictor as a row of functions: memdep.c calls them, a file for each kind has them. */
#ifndef PSIM_BPRED_MEMDEP_KIND_H
#define PSIM_BPRED_MEMDEP_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "memdep.h"

/* All functions are NULL where nothing predicts. */
struct memdep_kind {
	/* Entries of the table that instructions index, a power of two; instructions of the trace between clears. */
	uint64_t (*entries)(const struct lsu_params *p);
	uint64_t (*clear_each)(const struct lsu_params *p); /* 0: it is never cleared */
	/* The set of an entry; see memdep_set. */
	unsigned (*set)(uint16_t entry);
	/* Learns from a violation between the instructions of two entries. `sets`: those made since the last clear. */
	void (*learn)(const struct lsu_params *p, uint16_t *load, uint16_t *store, uint64_t *sets);
	void (*storage)(const struct core_config *cfg, struct memdep_storage *out);
};

/* The choice DISAMBIGUATION_X of core_config.h has the row DISAMBIGUATION_X_kind. */
#define DISAMBIGUATION_ROW(id, name) extern const struct memdep_kind id##_kind;
DISAMBIGUATIONS(DISAMBIGUATION_ROW)
#undef DISAMBIGUATION_ROW

#endif
