/*
 * What a program's loops on the SIMD array take, by place, beside their scalar loops: estimates from what the routine
 * of psim-cc passes on of each run (isa/compiler/psim_nest.h, enum nest_told).
 */
#ifndef PSIM_RECORD_NEST_RUNS_H
#define PSIM_RECORD_NEST_RUNS_H

#include "address_space.h"

enum { NEST_PLACES = 256, NEST_PLACE_NAME = 200, NEST_LINE = 512 };

struct nest_place {
	uint64_t address;           /* of its name in the program */
	char name[NEST_PLACE_NAME]; /* file:line */
	uint64_t runs, refused;     /* refused: runs that the scalar loop did after the call */
	char why[NEST_PLACE_NAME];  /* of the first of these */
	double core, array;         /* cycles, about: of the scalar loops; of the calls with what they ran */
	double memory;              /* of the scalar loops more, if their data come from memory */
	double around, inside; /* of these scalar cycles: a refused nest with the loops around it, and runs in it */
};

/* Begins as all zero. Of more than NEST_PLACES places, the first ones. */
struct nest_runs {
	struct nest_place at[NEST_PLACES];
	unsigned count;
};

/* Notes the run whose words are at address `words`, if they are such words. */
void nest_runs_note(struct nest_runs *r, struct address_space *memory, uint64_t words);

/*
 * Writes a message on place `n` if it took longer than its scalar loops would, by NEST_TOO_SLOW, or if it did so only
 * where these find their data in caches. Else false.
 */
bool nest_runs_line(const struct nest_runs *r, unsigned n, char line[NEST_LINE]);

#endif
