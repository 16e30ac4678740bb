/*
 * The run over time: occupancy of each structure and pipeline stage, commit slots by cause, and energy of each stage,
 * in at most `rows` rows of equal length. docs/programs/psim.md describes the columns.
 *
 * A row is the difference of the core's counters at its two ends, so the rows add up to the run exactly, skipped cycles
 * included. Rows start with a length of one cycle; when all are full, pairs of rows are merged. So the length is the
 * least power of two with which the run fits, and the run's length need not be known.
 */
#ifndef PSIM_PIPE_TRACE_STAGE_SERIES_H
#define PSIM_PIPE_TRACE_STAGE_SERIES_H

#include <stdio.h>

#include "../base/report/report.h"
#include "../core/chip.h"

/* The structures: those of level.def, then the miss buffers. */
enum stage_level {
	STAGE_LEVEL_l1i_buffers = LEVEL_COUNT,
	STAGE_LEVEL_l1d_buffers,
	STAGE_LEVEL_l2_buffers,
	STAGE_LEVEL_COUNT
};

/* One row: sums over its cycles. */
struct stage_row {
	uint64_t from, to;                 /* first cycle, and the cycle after the last */
	struct core_stats stats;           /* differences; valid: instructions, trap_instructions, lost */
	uint64_t level[STAGE_LEVEL_COUNT]; /* entries in use */
	struct activity activity;          /* differences */
	struct energy_result energy;
};

struct stage_series;

enum { STAGE_ROWS_MIN = 2, STAGE_ROWS_MAX = 65536 };

/*
 * Makes the series of core `core` of a chip, in at most `rows` rows (even, STAGE_ROWS_MIN … STAGE_ROWS_MAX). `energy`
 * is the model of one core (chip_core_energy), or of the chip if it has one core; configuration and model are borrowed.
 * NULL and `e` without memory.
 */
struct stage_series *stage_series_create(const struct core_config *cfg, const struct energy_model *energy,
					 unsigned core, unsigned rows, struct err *e);
void stage_series_destroy(struct stage_series *s); /* NULL is allowed */

/* Cycles from `now` to the next call of stage_series_sample; 1 at least. */
uint64_t stage_series_step(const struct stage_series *s, uint64_t now);

/* Takes a sample in the cycle that stage_series_step reports, or at the `end` of the run. Ignored in other cycles. */
void stage_series_sample(struct stage_series *s, const struct chip *chip, bool end);

size_t stage_series_count(const struct stage_series *s);
/* Row `n` < stage_series_count; only the last may be shorter than the others. */
void stage_series_row(const struct stage_series *s, size_t n, struct stage_row *out);

const struct core_config *stage_series_config(const struct stage_series *s);
const struct energy_model *stage_series_energy(const struct stage_series *s);

/* A structure's column name, its label for readers, and its size in entries; 0: the machine has no such structure. */
const char *stage_level_name(unsigned level);
const char *stage_level_label(unsigned level);
uint64_t stage_level_size(const struct core_config *cfg, unsigned level);

/* Writes a header line, then a line for each row. Write errors are left in the stream. */
void stage_series_csv(const struct stage_series *s, FILE *out);

/*
 * Adds the group over_time: tables of commit slots by part, of instructions per cycle, misses, structures and power,
 * each with the series' rows.
 */
void stage_series_report(const struct stage_series *s, struct report *r);

/* Writes the series as a picture (SVG) headed `title`. 0, or -1 with `e` without memory. */
int stage_series_picture(const struct stage_series *s, const char *title, FILE *out, struct err *e);

#endif
