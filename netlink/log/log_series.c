/* Series: cumulative rows at sample times, thinned out as the run grows. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../engine/engine.h"
#include "log_parts.h"

/* Automatic intervals: the first; and that up to which twice ROWS_FEW rows are thinned out at the end. */
enum { ROWS_MAX = 256, ROWS_FEW = 32, FIRST_INTERVAL_PS = 31250, COARSE_INTERVAL_PS = 1000000 };

/* In a row: this class and virtual channel has no buffers. */
#define NO_BUFFER (~(sum128)0)

/* Offsets of the parts of a row. */
static unsigned fill_at(const struct log_series *s)
{
	return 2 * s->t->classes;
}
static unsigned filled_at(const struct log_series *s)
{
	return fill_at(s) + NET_LOG_FILL_CLASSES;
}
static unsigned weight_at(const struct log_series *s)
{
	return filled_at(s) + s->t->classes * s->t->vcs;
}

/* Behind them: bytes of each link. */
static unsigned links_at(const struct log_series *s)
{
	return weight_at(s) + 1;
}

void log_series_init(struct log_series *s, const struct net_log_setup *setup)
{
	*s = (struct log_series){.t = setup->topology, .interval = setup->interval_ps, .next = NET_TIME_NEVER};
	s->width = links_at(s);
	if (!setup->series)
		return;
	s->links = setup->links ? setup->topology->links : 0;
	s->width += s->links;
	s->widening = !s->interval;
	if (s->widening)
		s->interval = FIRST_INTERVAL_PS;
	s->next = s->interval;
}

void log_series_finish(struct log_series *s)
{
	for (size_t i = 0; i < s->thinned.count; i++)
		free(s->thinned.at[i].at);
	vec_finish(&s->thinned);
	free(s->at);
	s->at = NULL;
}

/* Time of the row after these. */
static int64_t row_after(uint32_t rows, int64_t interval)
{
	return (rows + INT64_C(1)) * interval;
}

/*
 * Keeps a copy of the rows, and forgets copies that are out of date: a message has arrived after the row that was too
 * many.
 */
static int keep_thinned(struct log_series *s, int64_t last)
{
	struct log_thinned *t = vec_push(&s->thinned, NULL);
	size_t kept = 0;

	if (!t)
		return -1;
	*t = (struct log_thinned){s->interval, s->rows, mem_alloc((size_t)s->rows * s->width, sizeof(*t->at), NULL)};
	if (!t->at) {
		s->thinned.count--;
		return -1;
	}
	memcpy(t->at, s->at, (size_t)s->rows * s->width * sizeof(*t->at));
	for (size_t i = 0; i < s->thinned.count; i++) {
		t = &s->thinned.at[i];
		if (row_after(t->rows, t->interval) < last)
			free(t->at);
		else
			s->thinned.at[kept++] = *t;
	}
	s->thinned.count = kept;
	return 0;
}

/* Removes every second row and adds its buffer counts to the row that remains. */
static void thin_out(struct log_series *s)
{
	for (uint32_t i = 0; i < s->rows / 2; i++) {
		sum128 *to = s->at + (size_t)i * s->width, *one = s->at + (size_t)(2 * i) * s->width,
		       *two = s->at + (size_t)(2 * i + 1) * s->width;

		for (unsigned k = 0; k < s->width; k++)
			to[k] = k < fill_at(s) || k >= links_at(s) ? two[k]
				: one[k] == NO_BUFFER              ? NO_BUFFER
								   : one[k] + two[k];
	}
	s->rows /= 2;
	s->interval *= 2;
}

void log_series_end(struct log_series *s, int64_t last)
{
	for (size_t i = 0; i < s->thinned.count; i++) {
		struct log_thinned *t = &s->thinned.at[i];

		if (row_after(t->rows, t->interval) < last)
			continue;
		memcpy(s->at, t->at, (size_t)t->rows * s->width * sizeof(*t->at));
		s->rows = t->rows;
		s->interval = t->interval;
		break;
	}
	while (s->rows && s->rows * s->interval >= last)
		s->rows--;
	while (s->widening && s->interval < COARSE_INTERVAL_PS && s->rows >= 2 * ROWS_FEW)
		thin_out(s);
}

/* ---- several processes ---- */
/* The header of rows in the results. */
struct block {
	int64_t interval;
	uint64_t rows;
};

static size_t put_rows(const struct log_series *s, struct log_thinned t, char *out)
{
	const struct block block = {t.interval, t.rows};
	size_t bytes = (size_t)t.rows * s->width * sizeof(*t.at);

	if (out) {
		memcpy(out, &block, sizeof(block));
		if (bytes)
			memcpy(out + sizeof(block), t.at, bytes);
	}
	return sizeof(block) + bytes;
}

/* The rows, then those that were thinned out, then a block of interval 0. */
size_t log_series_results(const struct log_series *s, void *out)
{
	char *to = out;
	size_t bytes = put_rows(s, (struct log_thinned){s->interval, s->rows, s->at}, to);

	for (size_t i = 0; i < s->thinned.count; i++)
		bytes += put_rows(s, s->thinned.at[i], out ? to + bytes : NULL);
	return bytes + put_rows(s, (struct log_thinned){0}, out ? to + bytes : NULL);
}

/* The rows here of this interval; NULL: they are out of date. */
static sum128 *log_series_rows_of(const struct log_series *s, int64_t interval)
{
	if (interval == s->interval)
		return s->at;
	for (size_t i = 0; i < s->thinned.count; i++)
		if (s->thinned.at[i].interval == interval)
			return s->thinned.at[i].at;
	return NULL;
}

static void log_series_add_rows(const struct log_series *s, sum128 *to, const char *from, uint64_t rows)
{
	for (size_t i = 0; i < rows * s->width; i++) {
		sum128 more;

		memcpy(&more, from + i * sizeof(more), sizeof(more));
		if (i % s->width != weight_at(s)) /* the number of samples, which is the same */
			to[i] = to[i] == NO_BUFFER || more == NO_BUFFER ? NO_BUFFER : to[i] + more;
	}
}

void log_series_add_results(struct log_series *s, const void *results)
{
	const char *from = results;
	struct block block;

	for (memcpy(&block, from, sizeof(block)); block.interval; memcpy(&block, from, sizeof(block))) {
		sum128 *to = log_series_rows_of(s, block.interval);

		from += sizeof(block);
		if (to)
			log_series_add_rows(s, to, from, block.rows);
		from += block.rows * s->width * sizeof(*to);
	}
}

int log_series_add(struct log_series *s, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		   const uint64_t *filled, const uint64_t *links, int64_t last)
{
	sum128 *row;

	if (s->widening && s->rows == ROWS_MAX) {
		if (keep_thinned(s, last) < 0)
			return -1;
		thin_out(s);
	}
	if (s->rows == s->room) {
		uint32_t room = s->room ? 2 * s->room : 64;
		sum128 *at = mem_resize(s->at, (size_t)room * s->width, sizeof(*at), NULL);

		if (!at) {
			s->next = NET_TIME_NEVER;
			return -1;
		}
		s->at = at;
		s->room = room;
	}
	/* after thinning out, a sample that is due now may be between two points: it is skipped */
	if (s->next % s->interval == 0) {
		row = s->at + (size_t)s->rows++ * s->width;
		memset(row, 0, s->width * sizeof(*row));
		for (unsigned c = 0; c < s->t->classes; c++) {
			row[2 * c] = classes[c].bytes;
			row[2 * c + 1] = classes[c].busy_ps;
		}
		for (unsigned k = 0; fill && k < NET_LOG_FILL_CLASSES; k++)
			row[fill_at(s) + k] = fill[k];
		for (unsigned k = 0; filled && k < s->t->classes * s->t->vcs; k++)
			row[filled_at(s) + k] = filled[k] == NET_LOG_NO_BUFFER ? NO_BUFFER : filled[k];
		row[weight_at(s)] = fill ? 1 : 0;
		for (uint32_t k = 0; links && k < s->links; k++)
			row[links_at(s) + k] = links[k];
	}
	s->next = (s->next / s->interval + 1) * s->interval;
	return 0;
}

static sum128 row_value(const struct log_series *s, uint32_t row, unsigned k)
{
	return s->at[(size_t)row * s->width + k];
}

double log_series_link(const struct log_series *s, uint32_t row, uint32_t link)
{
	sum128 before = row ? row_value(s, row - 1, links_at(s) + link) : 0;

	return (double)(row_value(s, row, links_at(s) + link) - before);
}

/* Increase of class `c` from the previous row, a link: bytes (`which` 0) or busy time (1). */
static double row_part(const struct log_series *s, uint32_t row, unsigned c, unsigned which)
{
	sum128 before = row ? row_value(s, row - 1, 2 * c + which) : 0;
	double more = (double)(row_value(s, row, 2 * c + which) - before);

	return (which ? more : more / (double)NET_LOG_BYTE) / s->t->class[c].links;
}

double log_series_throughput(const struct log_series *s, uint32_t row, unsigned class)
{
	return row_part(s, row, class, 0) / ((double)s->interval / 1e12);
}

double log_series_carried(const struct log_series *s, int64_t time, unsigned class)
{
	int64_t rows = time / s->interval;

	if (rows > s->rows)
		return -1;
	return rows ? (double)row_value(s, (uint32_t)rows - 1, 2 * class) / (double)NET_LOG_BYTE : 0;
}

bool log_series_weighed(const struct log_series *s)
{
	/* an engine says how full buffers are in each sample, or in none */
	return s->rows && row_value(s, 0, weight_at(s)) > 0;
}

bool log_series_has_buffers(const struct log_series *s, unsigned pair)
{
	return log_series_weighed(s) && row_value(s, 0, filled_at(s) + pair) != NO_BUFFER;
}

double log_series_filled(const struct log_series *s, uint32_t row, unsigned pair)
{
	double weight = (double)row_value(s, row, weight_at(s)) * s->t->class[pair / s->t->vcs].links;
	double filled = (double)row_value(s, row, filled_at(s) + pair) / (double)NET_LOG_FULL;

	return weight > 0 ? 100 * filled / weight : 0;
}

double log_series_below(const struct log_series *s, uint32_t row, unsigned classes)
{
	double all = 0, below = 0;

	for (unsigned k = 0; k < NET_LOG_FILL_CLASSES; k++) {
		all += (double)row_value(s, row, fill_at(s) + k);
		below += k < classes ? (double)row_value(s, row, fill_at(s) + k) : 0;
	}
	return all > 0 ? 100 * below / all : 0;
}

/* Reports a table of row_part for each class, divided by `per`. */
static void log_series_report_classes(const struct log_series *s, unsigned which, double per, const char *name,
				      const char *unit, const char *text, struct report *r)
{
	struct report_column *columns = mem_alloc(s->t->classes + 2, sizeof(*columns), NULL);

	if (!columns)
		return;
	columns[0] = (struct report_column){"time", "s"};
	for (unsigned c = 0; c < s->t->classes; c++)
		columns[1 + c] = (struct report_column){s->t->class[c].name, unit};
	report_table(r, name, text, columns, s->t->classes + 1);
	for (uint32_t i = 0; i < s->rows; i++) {
		report_cell_f64(r, (i + 1) * (double)s->interval / 1e12);
		for (unsigned c = 0; c < s->t->classes; c++)
			report_cell_f64(r, row_part(s, i, c, which) / per);
	}
	report_table_end(r);
	free(columns);
}

/* Names of the filled-share columns: "+x_vc0" … */
struct column_name {
	char text[TOPOLOGY_NAME_MAX + 16];
};

static void report_buffer_rows(const struct log_series *s, struct report *r)
{
	for (uint32_t i = 0; i < s->rows; i++) {
		double all = 0;

		for (unsigned k = 0; k < NET_LOG_FILL_CLASSES; k++)
			all += (double)row_value(s, i, fill_at(s) + k);
		report_cell_f64(r, (i + 1) * (double)s->interval / 1e12);
		for (unsigned k = 0; k < NET_LOG_FILL_CLASSES; k++)
			report_cell_f64(r, all > 0 ? 100 * (double)row_value(s, i, fill_at(s) + k) / all : 0);
		for (unsigned k = 0; k < s->t->classes * s->t->vcs; k++)
			if (log_series_has_buffers(s, k))
				report_cell_f64(r, log_series_filled(s, i, k));
	}
}

static void report_buffers(const struct log_series *s, struct report *r)
{
	unsigned pairs = s->t->classes * s->t->vcs, count = 1 + NET_LOG_FILL_CLASSES + pairs;
	struct report_column *columns = mem_alloc(count, sizeof(*columns), NULL);
	struct column_name *names = mem_alloc(count, sizeof(*names), NULL);

	if (columns && names) {
		columns[0] = (struct report_column){"time", "s"};
		for (unsigned k = 0; k < NET_LOG_FILL_CLASSES; k++) {
			snprintf(names[1 + k].text, sizeof(names->text), "below_%u", 10 * (k + 1));
			columns[1 + k] = (struct report_column){names[1 + k].text, "%"};
		}
		count = 1 + NET_LOG_FILL_CLASSES;
		for (unsigned k = 0; k < pairs; k++) {
			struct column_name *name = &names[count];

			if (!log_series_has_buffers(s, k))
				continue;
			snprintf(name->text, sizeof(name->text), "%s_vc%u", s->t->class[k / s->t->vcs].name,
				 k % s->t->vcs);
			columns[count++] = (struct report_column){name->text, "%"};
		}
		report_table(r, "series_buffers",
			     "buffers of links between routers: share of them filled to below 10 %, 20 % …; mean fill "
			     "by class and virtual channel, including NICs",
			     columns, count);
		report_buffer_rows(s, r);
		report_table_end(r);
	}
	free(columns);
	free(names);
}

void log_series_report(const struct log_series *s, struct report *r)
{
	if (!s->rows)
		return;
	log_series_report_classes(s, 0, (double)s->interval / 1e12, "series_throughput", "bytes/s",
				  "mean throughput of a link of each class, in the interval that ends at this time", r);
	log_series_report_classes(
		s, 1, (double)s->interval / 100, "series_busy", "%",
		"share of time in which a link of each class is busy, in the interval that ends at this time", r);
	if (log_series_weighed(s))
		report_buffers(s, r);
}
