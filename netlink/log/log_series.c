/* Series: cumulative rows at sample times, thinned out as the run grows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../engine/engine.h"
#include "log_parts.h"

enum { ROWS_MAX = 256, FIRST_INTERVAL_PS = 1000000 };

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

void log_series_init(struct log_series *s, const struct net_log_setup *setup)
{
	*s = (struct log_series){.t = setup->topology, .interval = setup->interval_ps, .next = NET_TIME_NEVER};
	s->width = weight_at(s) + 1;
	if (!setup->series)
		return;
	s->widening = !s->interval;
	if (s->widening)
		s->interval = FIRST_INTERVAL_PS;
	s->next = s->interval;
}

void log_series_finish(struct log_series *s)
{
	free(s->at);
	s->at = NULL;
}

/* Removes every second row and adds its buffer counts to the row that remains. */
static void thin_out(struct log_series *s)
{
	for (uint32_t i = 0; i < s->rows / 2; i++) {
		double *to = s->at + (size_t)i * s->width, *one = s->at + (size_t)(2 * i) * s->width,
		       *two = s->at + (size_t)(2 * i + 1) * s->width;

		for (unsigned k = 0; k < s->width; k++)
			to[k] = k < fill_at(s) ? two[k] : one[k] + two[k];
	}
	s->rows /= 2;
	s->interval *= 2;
}

int log_series_add(struct log_series *s, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		   const double *filled)
{
	double *row;

	if (s->widening && s->rows == ROWS_MAX)
		thin_out(s);
	if (s->rows == s->room) {
		uint32_t room = s->room ? 2 * s->room : 64;
		double *at = mem_resize(s->at, (size_t)room * s->width, sizeof(*at), NULL);

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
			row[filled_at(s) + k] = filled[k];
		row[weight_at(s)] = fill ? 1 : 0;
	}
	s->next = (s->next / s->interval + 1) * s->interval;
	return 0;
}

static double row_value(const struct log_series *s, uint32_t row, unsigned k)
{
	return s->at[(size_t)row * s->width + k];
}

/* Increase of class `c` from the previous row, a link: bytes (`which` 0) or busy time (1). */
static double row_part(const struct log_series *s, uint32_t row, unsigned c, unsigned which)
{
	double before = row ? row_value(s, row - 1, 2 * c + which) : 0;

	return (row_value(s, row, 2 * c + which) - before) / s->t->class[c].links;
}

double log_series_throughput(const struct log_series *s, uint32_t row, unsigned class)
{
	return row_part(s, row, class, 0) / ((double)s->interval * 1e-12);
}

double log_series_weight(const struct log_series *s)
{
	double weight = 0;

	for (uint32_t i = 0; i < s->rows; i++)
		weight += row_value(s, i, weight_at(s));
	return weight;
}

bool log_series_has_buffers(const struct log_series *s, unsigned pair)
{
	return s->rows && log_series_weight(s) > 0 && !isnan(row_value(s, 0, filled_at(s) + pair));
}

double log_series_filled(const struct log_series *s, uint32_t row, unsigned pair)
{
	double weight = row_value(s, row, weight_at(s));

	return weight > 0 ? 100 * row_value(s, row, filled_at(s) + pair) / weight : 0;
}

double log_series_below(const struct log_series *s, uint32_t row, unsigned classes)
{
	double all = 0, below = 0;

	for (unsigned k = 0; k < NET_LOG_FILL_CLASSES; k++) {
		all += row_value(s, row, fill_at(s) + k);
		below += k < classes ? row_value(s, row, fill_at(s) + k) : 0;
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
		report_cell_f64(r, (i + 1) * (double)s->interval * 1e-12);
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
			all += row_value(s, i, fill_at(s) + k);
		report_cell_f64(r, (i + 1) * (double)s->interval * 1e-12);
		for (unsigned k = 0; k < NET_LOG_FILL_CLASSES; k++)
			report_cell_f64(r, all > 0 ? 100 * row_value(s, i, fill_at(s) + k) / all : 0);
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
	log_series_report_classes(s, 0, (double)s->interval * 1e-12, "series_throughput", "bytes/s",
				  "mean throughput of a link of each class, in the interval that ends at this time", r);
	log_series_report_classes(
		s, 1, (double)s->interval / 100, "series_busy", "%",
		"share of time in which a link of each class is busy, in the interval that ends at this time", r);
	if (log_series_weight(s) > 0)
		report_buffers(s, r);
}
