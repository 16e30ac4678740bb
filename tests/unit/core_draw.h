/* Random machines. */
#ifndef PSIM_TESTS_CORE_DRAW_H
#define PSIM_TESTS_CORE_DRAW_H

#include <stdint.h>

/* Draws a machine: fills `overrides`, which ends with NULL, with texts in `text`. */
enum { CORE_DRAWS = 59, CORE_ARRAY_DRAWS = 38, CORE_TEXTS = CORE_DRAWS + CORE_ARRAY_DRAWS };
struct core_draw {
	char text[CORE_TEXTS][48];
	const char *overrides[CORE_TEXTS + 1];
};
void core_draw_machine(struct core_draw *d, uint64_t *state);

/* Draws the number of PEs: 1, 2, 5, 16 or 32. */
unsigned array_draw_pes(uint64_t *state);
/* As core_draw_machine, with an array of `pes` PEs. */
void array_draw_machine(struct core_draw *d, unsigned pes, uint64_t *state);

#endif
