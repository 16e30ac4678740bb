/*
 * The network as a map with the use of its links over time, for a page: places, lines, and a letter for each line and
 * interval, from '(' for no use to 'Z' for all of its bandwidth; '!' where it is down.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../engine/changes.h"
#include "../topology/down.h"
#include "../topology/network_picture.h"
#include "log_parts.h"

enum { MAP_DOWN = '!', MAP_LETTER = '(', MAP_STEPS = 'Z' - '(' };

struct map_text {
	char *text;
	size_t size;
	FILE *out;
};

static int map_text_begin(struct map_text *x, struct err *e)
{
	*x = (struct map_text){0};
	x->out = open_memstream(&x->text, &x->size);
	return x->out ? 0 : mem_short(e);
}

/* Adds the text as a value. */
static int map_text_end(struct map_text *x, const char *name, const char *doc, struct report *r, struct err *e)
{
	int failed = fclose(x->out);

	if (!failed)
		report_text(r, name, x->text, doc);
	free(x->text);
	return failed ? mem_short(e) : 0;
}

static int write_places(const struct network_map *m, const struct topology *t, struct report *r, struct err *e)
{
	struct map_text x;

	if (map_text_begin(&x, e) < 0)
		return -1;
	for (uint32_t i = 0; i < m->routers; i++) {
		char name[ROUTER_NAME_MAX];

		topology_router_name(t, t->nodes + i, name);
		fprintf(x.out, "%s%.0f,%.0f,%s", i ? ";" : "", m->x[i], m->y[i], name);
	}
	return map_text_end(&x, "routers", "place and name of each router", r, e);
}

static int write_lines(const struct network_map *m, struct report *r, struct err *e)
{
	struct map_text x;

	if (map_text_begin(&x, e) < 0)
		return -1;
	for (uint32_t i = 0; i < m->lines; i++)
		fprintf(x.out, "%s%" PRIu32 ",%" PRIu32 ",%g", i ? ";" : "", m->ends[i][0], m->ends[i][1], m->bend[i]);
	return map_text_end(&x, "lines", "routers between which there are links, and how the line is bent", r, e);
}

/* Finds for each line the use of its busiest link in the interval of a row. */
static void find_use(const struct log_series *s, const struct network_map *m, uint32_t row, double *use)
{
	for (uint32_t i = 0; i < m->lines; i++)
		use[i] = 0;
	for (uint32_t l = 0; l < s->links; l++) {
		const struct topology_class *c = &s->t->class[s->t->link[l].class];
		double could = c->bytes_per_s * (double)s->interval / 1e12, share = log_series_link(s, row, l) / could;

		if (m->line[l] != UINT32_MAX && share > use[m->line[l]])
			use[m->line[l]] = share;
	}
}

/* Returns what is down at a time; NULL: nothing. */
static const struct topology_down *down_at(const struct topology *first, const struct net_changes *changes,
					   int64_t time)
{
	const struct topology *t = first;

	for (unsigned i = 0; changes && i < changes->count && changes->at[i].time_ps < time; i++)
		t = changes->at[i].topology;
	return t->down;
}

/* Makes the use of lines negative of which all links are down. */
static void find_down(const struct log_series *s, const struct network_map *m, const struct topology_down *d,
		      double *use)
{
	if (!d)
		return;
	for (uint32_t l = 0; l < s->links; l++)
		if (m->line[l] != UINT32_MAX && d->link[l] && use[m->line[l]] == 0)
			use[m->line[l]] = -1;
	for (uint32_t l = 0; l < s->links; l++)
		if (m->line[l] != UINT32_MAX && !d->link[l] && use[m->line[l]] < 0)
			use[m->line[l]] = 0;
}

static char letter_of(double use)
{
	return (char)(use < 0 ? MAP_DOWN : MAP_LETTER + (int)((use < 1 ? use : 1) * MAP_STEPS + 0.5));
}

static int write_use(const struct log_series *s, const struct network_map *m, const struct net_changes *changes,
		     struct report *r, struct err *e)
{
	double *use = mem_alloc(m->lines, sizeof(*use), e);
	struct map_text x;

	if (!use)
		return -1;
	if (map_text_begin(&x, e) < 0) {
		free(use);
		return -1;
	}
	for (uint32_t row = 0; row < s->rows; row++) {
		find_use(s, m, row, use);
		find_down(s, m, down_at(s->t, changes, (row + 1) * s->interval), use);
		for (uint32_t i = 0; i < m->lines; i++)
			putc(letter_of(use[i]), x.out);
	}
	free(use);
	return map_text_end(&x, "use", "use of the busiest link of each line, interval by interval", r, e);
}

int log_map_report(const struct log_series *s, const struct net_changes *changes, struct report *r, struct err *e)
{
	struct network_map *m = s->rows ? network_map_create(s->t, e) : NULL;
	int ret;

	if (!m)
		return s->rows ? -1 : 0;
	report_group(r, "network_map", "the network, and the use of its links over time");
	report_f64(r, "interval", (double)s->interval / 1e12, "s", "time of an interval");
	report_u64(r, "intervals", s->rows, "", "intervals");
	ret = write_places(m, s->t, r, e) || write_lines(m, r, e) || write_use(s, m, changes, r, e) ? -1 : 0;
	report_end(r);
	network_map_destroy(m);
	return ret;
}
