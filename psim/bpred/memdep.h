/*
 * Memory-dependence prediction: which loads wait for older stores whose addresses are not known yet.
 *
 * A load that does not wait may read bytes which such a store writes. That is found when the store's address arrives,
 * and the load and all younger instructions are squashed (squash.c). The predictor learns from it.
 *
 * wait_table: that of the Alpha 21264 (Compaq, "Alpha 21264/EV67 Hardware Reference Manual"; Kessler, IEEE Micro 19(2),
 *   1999): a bit for each load, by its address; a load whose bit is set waits for all older stores. An order violation
 *   sets the load's bit.
 * store_sets: Chrysos and Emer, "Memory dependence prediction using store sets", ISCA 1998: a table by the address of
 *   loads and stores (SSIT) has the number of their store set. A load waits for the older stores of its set. An order
 *   violation puts load and store into one set, by the paper's rules of merging. The table of last fetched stores
 *   (LFST) and the order of stores within a set have the effect that a load waits for all older stores of its set. The
 *   window knows these, so the LFST determines the number of sets and the energy, and stores wait for no other.
 *
 * Both are cleared again and again, so that a dependence that is over is forgotten. Machines count cycles up to that;
 * here it is instructions of the trace, so that the contents of a table depend on the place in the program alone.
 */
#ifndef PSIM_BPRED_MEMDEP_H
#define PSIM_BPRED_MEMDEP_H

#include <stdint.h>

#include "../machine/core_config.h"

struct memdep;
struct digest;

/* Store sets of an instruction. Others than these are numbers of sets. */
enum { MEMDEP_NONE = 0, MEMDEP_ALL = UINT16_MAX };

/*
 * *ret: the predictor of lsu.disambiguation; NULL if that has none. `p` is borrowed. 0, or -1 and `e` where memory is
 * short. destroy accepts NULL.
 */
int memdep_create(const struct lsu_params *p, struct memdep **ret, struct err *e);
void memdep_destroy(struct memdep *d);

/*
 * The set of the load or store at `pc`: a load with MEMDEP_ALL waits for all older stores, one with another set for
 * those of the same set. `place`: instructions of the trace read so far, which decide when the tables are cleared.
 */
unsigned memdep_set(struct memdep *d, uint64_t place, uint64_t pc);
/* The order was violated by the load at `load_pc`, which read too early what the store at `store_pc` writes. */
void memdep_violation(struct memdep *d, uint64_t place, uint64_t load_pc, uint64_t store_pc);
/* Instructions from `place` until the tables are cleared, at least 1; UINT64_MAX: never. */
uint64_t memdep_clear_in(const struct memdep *d, uint64_t place);
/* Adds to `g` what later predictions depend on, but `place`. */
void memdep_digest(const struct memdep *d, uint64_t place, struct digest *g);

/* Bits of storage of each table of a machine; 0: it has none. For energy and area. */
struct memdep_storage {
	uint64_t set_entries, set_bits;   /* by the addresses of instructions */
	uint64_t last_entries, last_bits; /* LFST */
	bool stores;                      /* stores read it too */
};
void memdep_storage(const struct core_config *cfg, struct memdep_storage *out);

#endif
