/*
 * Writes a timeline as texts of a report, which page_ranks.js reads. A text has the characters of timeline_symbols,
 * which stand for themselves in JSON and in HTML, or numbers in decimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "timeline_state.h"

/* A cell has the shares of its states in steps of 1 / TIMELINE_SHARE: 37! / (34! 3!) = 7770 < 89 * 89 cells differ. */
enum { TIMELINE_SHARE = 34, TIMELINE_SYMBOLS = 89 };

static void timeline_symbols(FILE *out, uint32_t value)
{
	static const char symbols[] = "#$%&'()*+,-.0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`"
				      "abcdefghijklmnopqrstuvwxyz{|}~";

	putc(symbols[value / TIMELINE_SYMBOLS], out);
	putc(symbols[value % TIMELINE_SYMBOLS], out);
}

/* A text that is being written. */
struct timeline_text {
	char *text;
	size_t size;
	FILE *out;
};

static int timeline_text_begin(struct timeline_text *x, struct err *e)
{
	x->out = open_memstream(&x->text, &x->size);
	return x->out ? 0 : mem_short(e);
}

/* Ends the text, which `x->text` has; the caller frees it. 0, or -1 with `e`. */
static int timeline_text_end(struct timeline_text *x, struct err *e)
{
	if (fclose(x->out) == 0)
		return 0;
	free(x->text);
	return mem_short(e);
}

/* ---- cells ---- */
static uint32_t timeline_columns(const struct cells *c, int64_t end)
{
	int64_t columns = (end + c->interval - 1) / c->interval;

	return columns < c->columns ? (uint32_t)columns : c->columns;
}

static uint32_t timeline_row_ranks(const struct timeline *t, const struct timeline_level *l, uint32_t row)
{
	uint32_t left = t->ranks - row * l->group;

	return left < l->group ? left : l->group;
}

/* Numbers of the shares (compute, late, network), in the order in which three loops count them. */
struct timeline_numbers {
	uint16_t at[TIMELINE_SHARE + 1][TIMELINE_SHARE + 1][TIMELINE_SHARE + 1];
};

static void timeline_number(struct timeline_numbers *n)
{
	uint16_t next = 0;

	for (int a = 0; a <= TIMELINE_SHARE; a++)
		for (int b = 0; a + b <= TIMELINE_SHARE; b++)
			for (int c = 0; a + b + c <= TIMELINE_SHARE; c++)
				n->at[a][b][c] = next++;
}

static void timeline_cell(FILE *out, const struct timeline_numbers *n, const struct cells *c, uint32_t row,
			  uint32_t column, double whole)
{
	int share[TIMELINE_KINDS], left = TIMELINE_SHARE;

	for (uint32_t k = 0; k < TIMELINE_KINDS; k++) {
		share[k] = (int)((double)cells_at(c, row, column, k) / whole * TIMELINE_SHARE + 0.5);
		share[k] = share[k] < left ? share[k] : left;
		left -= share[k];
	}
	timeline_symbols(out, n->at[share[TIMELINE_COMPUTE]][share[TIMELINE_LATE]][share[TIMELINE_NETWORK]]);
}

static int timeline_level_cells(const struct timeline *t, const struct timeline_level *l, int64_t end, struct report *r,
				struct err *e)
{
	const uint32_t columns = timeline_columns(&l->cells, end);
	struct timeline_numbers *n = mem_alloc(1, sizeof(*n), e);
	struct timeline_text x;

	if (!n || timeline_text_begin(&x, e) < 0) {
		free(n);
		return -1;
	}
	timeline_number(n);
	for (uint32_t row = 0; row < l->cells.rows; row++)
		for (uint32_t column = 0; column < columns; column++)
			timeline_cell(x.out, n, &l->cells, row, column,
				      (double)l->cells.interval * timeline_row_ranks(t, l, row));
	free(n);
	if (timeline_text_end(&x, e) < 0)
		return -1;
	report_cell_text(r, x.text);
	free(x.text);
	return 0;
}

/* Adds the mean of the times at which the ranks of each row have ended, as shares of the run's time. */
static int timeline_level_ends(const struct timeline *t, const struct vmpi *v, const struct timeline_level *l,
			       int64_t end, struct report *r, struct err *e)
{
	struct timeline_text x;

	if (timeline_text_begin(&x, e) < 0)
		return -1;
	for (uint32_t row = 0; row < l->cells.rows; row++) {
		uint32_t ranks = timeline_row_ranks(t, l, row);
		double sum = 0;

		for (uint32_t i = 0; i < ranks; i++)
			sum += (double)vmpi_rank_time(v, row * l->group + i);
		timeline_symbols(x.out, (uint32_t)(sum / ranks / (double)(end ? end : 1) *
						   (TIMELINE_SYMBOLS * TIMELINE_SYMBOLS - 1)));
	}
	if (timeline_text_end(&x, e) < 0)
		return -1;
	report_cell_text(r, x.text);
	free(x.text);
	return 0;
}

static int timeline_levels(const struct timeline *t, const struct vmpi *v, int64_t end, struct report *r, struct err *e)
{
	static const struct report_column columns[] = {{"group", "ranks"}, {"rows", ""},  {"columns", ""},
						       {"interval", "s"},  {"cells", ""}, {"ends", ""}};
	int ret = 0;

	report_table(r, "levels", "shares of computation and waits", columns, 6);
	for (uint32_t i = 0; i < t->levels && ret == 0; i++) {
		const struct timeline_level *l = &t->level[i];

		report_cell_u64(r, l->group);
		report_cell_u64(r, l->cells.rows);
		report_cell_u64(r, timeline_columns(&l->cells, end));
		report_cell_f64(r, (double)l->cells.interval / 1e12);
		ret = timeline_level_cells(t, l, end, r, e) || timeline_level_ends(t, v, l, end, r, e) ? -1 : 0;
	}
	report_table_end(r);
	return ret;
}

/* ---- names, whose order in the page does not depend on who came first ---- */
struct timeline_order {
	const char *name;
	uint32_t number; /* in the timeline */
};

static int timeline_by_name(const void *a, const void *b)
{
	const struct timeline_order *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Sorts all names but the first one; place[number] is the place of a name. */
static void timeline_sort_names(const char **names, uint32_t count, struct timeline_order order[TIMELINE_NAMES],
				uint8_t place[TIMELINE_NAMES])
{
	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct timeline_order){names[i], i};
	if (count > 2)
		qsort(order + 1, count - 1, sizeof(*order), timeline_by_name);
	for (uint32_t i = 0; i < count; i++)
		place[order[i].number] = (uint8_t)i;
}

/* ---- phases ---- */
static int timeline_phase_cells(const struct timeline *t, uint32_t phase, int64_t end, struct report *r, struct err *e)
{
	const struct cells *c = &t->phases;
	const uint32_t columns = timeline_columns(c, end);
	struct timeline_text x;

	if (timeline_text_begin(&x, e) < 0)
		return -1;
	for (uint32_t column = 0; column < columns; column++) {
		double share = (double)cells_at(c, phase, column, 0) / ((double)c->interval * t->ranks);

		timeline_symbols(x.out, (uint32_t)(share * (TIMELINE_SYMBOLS * TIMELINE_SYMBOLS - 1)));
	}
	if (timeline_text_end(&x, e) < 0)
		return -1;
	report_cell_text(r, x.text);
	free(x.text);
	return 0;
}

static int timeline_phases(struct timeline *t, const struct vmpi *v, int64_t end, struct report *r, struct err *e)
{
	static const struct report_column columns[] = {{"phase", ""}, {"interval", "s"}, {"ranks", ""}};
	struct timeline_order order[TIMELINE_NAMES];
	uint8_t place[TIMELINE_NAMES];
	int ret = 0;

	if (t->phase_count < 2)
		return 0;
	for (uint32_t i = 0; i < t->ranks; i++)
		timeline_phase(t, i, vmpi_rank_time(v, i), t->phase[t->phase_of[i]]);
	timeline_sort_names(t->phase, t->phase_count, order, place);
	report_table(r, "phases", "share of the ranks in each phase", columns, 3);
	for (uint32_t i = 0; i < t->phase_count && ret == 0; i++) {
		if (order[i].number >= t->phases.rows)
			continue;
		report_cell_text(r, order[i].name);
		report_cell_f64(r, (double)t->phases.interval / 1e12);
		ret = timeline_phase_cells(t, order[i].number, end, r, e);
	}
	report_table_end(r);
	return ret;
}

/* ---- numbers as text ---- */
/* Adds the value `name` with what `write` writes. 0, or -1 with `e`. */
static int timeline_value(struct timeline *t, const char *name, const char *doc,
			  void (*write)(struct timeline *t, const void *user, FILE *out), const void *user,
			  struct report *r, struct err *e)
{
	struct timeline_text x;

	if (timeline_text_begin(&x, e) < 0)
		return -1;
	write(t, user, x.out);
	if (timeline_text_end(&x, e) < 0)
		return -1;
	report_text(r, name, x.text, doc);
	free(x.text);
	return 0;
}

/* ---- single states ---- */
static int timeline_by_rank(const void *a, const void *b)
{
	const struct timeline_bar *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* RANK:BAR;BAR;… for each rank. BAR: time after the bar before, length, and of a wait call, late part, peer. */
static void timeline_write_bars(struct timeline *t, const void *user, FILE *out)
{
	const uint8_t *place = user;
	int64_t last = 0;

	if (t->bars.count)
		qsort(t->bars.at, t->bars.count, sizeof(*t->bars.at), timeline_by_rank);
	for (size_t i = 0; i < t->bars.count; i++) {
		const struct timeline_bar *b = &t->bars.at[i];

		if (!i || b[-1].rank != b->rank) {
			fprintf(out, "%s%" PRIu32 ":", i ? " " : "", b->rank);
			last = 0;
		}
		fprintf(out, "%" PRId64 ",%" PRId64, b->from - last, b->to - b->from);
		if (b->call)
			fprintf(out, ",%u,%" PRId64 ",%" PRIu32, place[b->call], b->late - b->from, b->peer);
		putc(';', out);
		last = b->to;
	}
}

static int timeline_bars(struct timeline *t, struct report *r, struct err *e)
{
	static const struct report_column columns[] = {{"call", ""}};
	struct timeline_order order[TIMELINE_NAMES];
	uint8_t place[TIMELINE_NAMES];

	timeline_sort_names(t->call, t->calls, order, place);
	report_table(r, "calls", "names", columns, 1);
	for (uint32_t i = 0; i < t->calls; i++)
		report_cell_text(r, order[i].name);
	report_table_end(r);
	return timeline_value(t, "bars", "single states", timeline_write_bars, place, r, e);
}

/* ---- messages ---- */
static int timeline_by_serial(const void *a, const void *b)
{
	const struct timeline_arrow *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->serial > y->serial) - (x->serial < y->serial);
}

/* SRC,DST,BYTES,SENT,TIME; of each message that was sent in the window and has been received. */
static void timeline_write_arrows(struct timeline *t, const void *user, FILE *out)
{
	size_t k = 0;

	(void)user;
	if (t->sent.count)
		qsort(t->sent.at, t->sent.count, sizeof(*t->sent.at), timeline_by_serial);
	if (t->received.count)
		qsort(t->received.at, t->received.count, sizeof(*t->received.at), timeline_by_serial);
	for (size_t i = 0; i < t->sent.count; i++) {
		const struct timeline_arrow *s = &t->sent.at[i];

		while (k < t->received.count && timeline_by_serial(&t->received.at[k], s) < 0)
			k++;
		if (k < t->received.count && timeline_by_serial(&t->received.at[k], s) == 0)
			fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRId64 ",%" PRId64 ";", s->src, s->dst,
				s->bytes, s->time, t->received.at[k].time - s->time);
	}
}

/* ---- blocks of ranks ---- */
/* Numbers, row by row; 0 is empty. */
static void timeline_write_blocks(struct timeline *t, const void *user, FILE *out)
{
	const uint64_t *at = user;

	for (size_t i = 0; i < (size_t)t->blocks * t->blocks; i++) {
		if (i)
			putc(',', out);
		if (at[i])
			fprintf(out, "%" PRIu64, at[i]);
	}
}

/* ---- the critical path ---- */
/*
 * LENGTH,RANK;  a stretch on a rank.  LENGTH,RANK,ORIGIN;  from one rank to another. Each begins where the one before
 * ends; steps too short to be seen are one with those behind them.
 */
static void timeline_write_path(struct timeline *t, const void *user, FILE *out)
{
	const struct path *p = user;
	int64_t least = p->steps > TIMELINE_STEPS ? 2 * p->step[p->steps - 1].to / TIMELINE_STEPS : 0, from = 0;
	uint32_t origin = p->steps ? p->step[0].origin : 0;

	(void)t;
	for (size_t i = 0; i < p->steps; i++) {
		const struct path_step *s = &p->step[i];

		if (i + 1 < p->steps && s->to - from < least)
			continue;
		fprintf(out, "%" PRId64 ",%" PRIu32, s->to - from, s->rank);
		if (origin != s->rank)
			fprintf(out, ",%" PRIu32, origin);
		putc(';', out);
		from = s->to;
		origin = s->rank;
	}
}

int timeline_report(struct timeline *t, const struct vmpi *v, const struct path *path, struct report *r, struct err *e)
{
	int64_t end = vmpi_end_time(v);
	int ret;

	if (t->short_of_memory)
		return mem_short(e);
	report_group(r, "timeline", "ranks over time");
	report_u64(r, "ranks", t->ranks, "", "ranks");
	report_f64(r, "seconds", (double)end / 1e12, "s", "time of the run");
	report_f64(r, "window_from", (double)t->window.from_ps / 1e12, "s",
		   "states and messages are those from then on");
	report_f64(r, "window_to", (double)(t->window.to_ps < end ? t->window.to_ps : end) / 1e12, "s",
		   "and up to then");
	report_u64(r, "states", t->bar_count, "", "states of ranks in the window");
	report_u64(r, "messages", t->message_count, "", "messages in the window");
	report_u64(r, "block", t->group, "ranks", "ranks of a block");
	ret = timeline_levels(t, v, end, r, e) || timeline_phases(t, v, end, r, e) || timeline_bars(t, r, e) ||
			      timeline_value(t, "arrows", "messages", timeline_write_arrows, NULL, r, e) ||
			      timeline_value(t, "waited", "ps that a block waits for another", timeline_write_blocks,
					     t->block_waited, r, e) ||
			      timeline_value(t, "sent", "bytes to a block from another", timeline_write_blocks,
					     t->block_bytes, r, e) ||
			      timeline_value(t, "path", "critical path", timeline_write_path, path, r, e)
		      ? -1
		      : 0;
	report_end(r);
	return ret;
}
