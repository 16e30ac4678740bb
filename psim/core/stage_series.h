/*
 * The whole run over time: what is in each structure and pipeline stage, the commit slots by cause, and the energy of
 * each stage, as at most `rows` rows of equal length. docs/psim.md has the columns.
 *
 * A row is the difference of the core's counters at its two ends, so that rows add up to the run exactly, whatever was
 * skipped. A row begins as one cycle; when all are full, two make one. So the length is the least power of two with
 * which the run fits, and nobody has to know the run's length.
 */
#ifndef PSIM_CORE_STAGE_SERIES_H
#define PSIM_CORE_STAGE_SERIES_H

#include <stdio.h>

#include "chip.h"

/* Structures of a row: those of level.def, then the miss buffers. */
enum stage_level {
	STAGE_LEVEL_l1i_buffers = LEVEL_COUNT,
	STAGE_LEVEL_l1d_buffers,
	STAGE_LEVEL_l2_buffers,
	STAGE_LEVEL_COUNT
};

/* One row: sums over its cycles. */
struct stage_row {
	uint64_t from, to;                 /* first cycle, and the first cycle behind it */
	struct core_stats stats;           /* as differences: instructions, trap_instructions, lost */
	uint64_t level[STAGE_LEVEL_COUNT]; /* entries in use */
	struct activity activity;          /* as differences */
	struct energy_result energy;
};

struct stage_series;

enum { STAGE_ROWS_MIN = 2, STAGE_ROWS_MAX = 65536 };

/*
 * Of core `core` of a chip, in at most `rows` rows (even, STAGE_ROWS_MIN … STAGE_ROWS_MAX). `energy` is the model of
 * one core (chip_core_energy), or of the chip if that is all there is; configuration and model are borrowed. NULL and
 * `e` without memory.
 */
struct stage_series *stage_series_create(const struct core_config *cfg, const struct energy_model *energy,
					 unsigned core, unsigned rows, struct err *e);
void stage_series_destroy(struct stage_series *s); /* NULL is allowed */

/* From cycle `now` on: the cycles that the chip may run until stage_series_sample is to be called; 1 at least. */
uint64_t stage_series_step(const struct stage_series *s, uint64_t now);

/* The chip has run up to the cycle that stage_series_step told of, or the run ends. Other calls change nothing. */
void stage_series_sample(struct stage_series *s, const struct chip *chip, bool end);

size_t stage_series_count(const struct stage_series *s);
/* Row `n` < stage_series_count; only the last may be shorter than the others. */
void stage_series_row(const struct stage_series *s, size_t n, struct stage_row *out);

const struct core_config *stage_series_config(const struct stage_series *s);
const struct energy_model *stage_series_energy(const struct stage_series *s);

/* Name of a structure, as a column and for a reader, and its entries; 0: this machine has none. */
const char *stage_level_name(unsigned level);
const char *stage_level_label(unsigned level);
uint64_t stage_level_size(const struct core_config *cfg, unsigned level);

/* A header line, then a line for each row. Errors of writing show in the stream. */
void stage_series_csv(const struct stage_series *s, FILE *out);

/* The same as a picture (SVG), with `title` above. 0, or -1 with `e` without memory. */
int stage_series_picture(const struct stage_series *s, const char *title, FILE *out, struct err *e);

#endif
