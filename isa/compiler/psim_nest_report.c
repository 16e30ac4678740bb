/*
 * Lines on stderr about each run of a nest, with PSIM_NEST_REPORT in the environment: 1: what has moved, and what it
 * takes; 2: also where the arrays are in the buffer memories.
 */
#include <stdio.h>
#include <stdlib.h>

#include "psim_nest_run.h"

static int report;

/* Before main, as in psim_nest_check.c. */
__attribute__((constructor)) static void look_for_report(void)
{
	const char *level = getenv("PSIM_NEST_REPORT");

	report = !level ? 0 : level[0] == '2' ? 2 : 1;
}

bool nest_report_wanted(void)
{
	return report > 0;
}

/* A dealt array of the first share: rows that transfers move, and its buffers. */
static void report_slice(const struct slice *s, const char *place)
{
	long rows = 1;

	if (slice_moves(s) && s->private_copy) {
		fprintf(stderr, "%s: array %d: of each lane, from byte %ld on\n", place, s->array, s->at);
		return;
	}
	if (!slice_moves(s)) {
		fprintf(stderr, "%s: array %d: %s\n", place, s->array,
			s->empty     ? "not accessed"
			: s->copied  ? "a copy in each PE"
			: s->of_rows ? "the elements of its rows in each PE"
				     : "broadcast");
		return;
	}
	for (int d = 0; d < s->dims; d++)
		if (s->dim[d].row && s->dim[d].loop != 0 && &s->dim[d] != s->plane)
			rows *= s->dim[d].count + s->dim[d].high - s->dim[d].low;
	fprintf(stderr, "%s: array %d: %s", place, s->array,
		!s->get    ? "stored"
		: s->write ? "fetched and stored"
			   : "fetched");
	fprintf(stderr, ", %ld row%s of %ld bytes in a PE; ", rows, rows == 1 ? "" : "s", s->run);
	if (s->resident)
		fprintf(stderr, "stays, from byte %ld on\n", s->at);
	else
		fprintf(stderr, "%d buffer%s of %ld bytes from byte %ld on\n", s->buffers, s->buffers == 1 ? "" : "s",
			s->pitch, s->at);
}

static void report_layout(struct nest *n, const char *place)
{
	struct phase p = {0};
	long phases = 0;

	while (nest_next_phase(n, &p))
		phases++;
	fprintf(stderr, "%s: kernel of %ld lanes at a time; %ld phase%s\n", place, n->variant[NEST_UNIT], phases,
		phases == 1 ? "" : "s");
	for (int k = 0; k < n->slices; k++) {
		if (n->slice[k].lanes)
			slice_lay_out(&n->slice[k], n->share);
		report_slice(&n->slice[k], place);
	}
}

void nest_report(struct nest *n, bool array, const char *place)
{
	if (!array) {
		fprintf(stderr, "%s: %ld lanes on the scalar core: %s\n", place, n->lanes, n->why);
		return;
	}
	fprintf(stderr, "%s: %ld lanes on %ld PEs, %ld at a time each, ", place, n->lanes, n->pes, n->share);
	fprintf(stderr, "transfers %s%s; ", n->overlapped ? "overlapped" : "waited for", n->stream ? ", a stream" : "");
	fprintf(stderr, "%ld bytes in %ld transfers; ", n->moved, n->transfers);
	if (n->resident)
		fprintf(stderr, "%ld bytes not moved; ", n->not_moved);
	if (n->table[NEST_SURVEY])
		fprintf(stderr, "from memory at least %ld cycles of transfers\n", n->moved / MEMORY_RATE);
	else
		fprintf(stderr, "from memory at least %ld cycles of transfers, %ld of arithmetic\n",
			n->moved / MEMORY_RATE, nest_arithmetic_cycles(n));
	if (report > 1)
		report_layout(n, place);
}
