/*
 * Power over time: the energy of each interval of a run, by the same terms as that of the whole (../../power), so that
 * intervals add up to it. Processors are counted as they run, links by the samples of the log.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/report/svg.h"
#include "power_run.h"

/* Parts of the machine: the terms of the energy that are one column. */
#define POWER_PARTS(P) \
	P(compute, POWER_compute, POWER_compute) \
	P(models, POWER_models, POWER_models) \
	P(wait, POWER_wait, POWER_sleep) \
	P(memory, POWER_memory, POWER_memory_bits) \
	P(nics, POWER_nics, POWER_nic_bits) \
	P(nodes, POWER_nodes, POWER_nodes) \
	P(routers, POWER_routers, POWER_router_bits) \
	P(links, POWER_links, POWER_links_idle)

enum power_part {
#define PART(name, first, second) PART_##name,
	POWER_PARTS(PART)
#undef PART
		PART_supply,
	PART_cooling,
	POWER_PART_COUNT
};

static const char *const part_names[POWER_PART_COUNT] = {
#define PART(name, first, second) #name,
	POWER_PARTS(PART)
#undef PART
		"supply",
	"cooling"};

/* Links of a class in the whole run. */
struct class_whole {
	struct power_links links;
	double nic_bytes, router_bytes;
	double seen;   /* bytes as series have them: a link that shares a bandwidth has those of all of them */
	double before; /* of these up to the last row */
};

struct power_series {
	const struct power_run *p;
	struct power_bins bins; /* of our own */
	struct class_whole *class;
	size_t rows;
	double message_scale; /* bytes of messages in the run over those that were counted as they were sent */
};

static void series_finish(struct power_series *s)
{
	power_bins_finish(&s->bins);
	free(s->class);
}

/* ---- the whole ---- */

/* Copies the bins, so that the ranks' last waits can be added. */
static int copy_bins(struct power_series *s, const struct power_bins *from, struct err *e)
{
	s->bins = *from;
	memset(&s->bins.bin, 0, sizeof(s->bins.bin));
	for (size_t i = 0; i < from->bin.count; i++) {
		struct power_bin *at = vec_push(&s->bins.bin, e);

		if (!at)
			return -1;
		*at = from->bin.at[i];
	}
	return 0;
}

/* A rank that has ended waits for the end of the run; without a program all do from the start. */
static void add_ends(struct power_series *s)
{
	const struct run *run = s->p->run;
	int64_t after = s->p->config->power.sleep_after;

	for (uint32_t i = 0; i < run->machine.ranks; i++) {
		int64_t end = run->vmpi ? vmpi_rank_time(run->vmpi, i) : 0;

		power_bins_add_time(&s->bins, POWER_STATE_WAIT, end, s->p->end_ps);
		if (run->vmpi && after)
			power_bins_add_time(&s->bins, POWER_STATE_ASLEEP, end + after, s->p->end_ps);
	}
}

static void count_classes(struct power_series *s)
{
	const struct power_run *p = s->p;
	const struct topology *t = p->run->machine.topology;

	for (unsigned c = 0; c < t->classes; c++)
		power_count_links(p->config, t, c, p->media, p->a.seconds, p->share, &s->class[c].links);
	for (uint32_t l = 0; p->bytes && l < t->links; l++) {
		struct class_whole *c = &s->class[t->link[l].class];

		c->seen += p->media[p->first[l]];
		if (t->link[l].to >= t->nodes)
			c->router_bytes += p->bytes[l];
		if (t->link[l].to < t->nodes || t->link[l].from < t->nodes)
			c->nic_bytes += p->bytes[l];
	}
}

/* Messages between ranks are counted as they are sent; those of traffic are in proportion to links' bytes. */
static double scale_of_messages(const struct power_series *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->bins.bin.count; i++)
		sum += s->bins.bin.at[i].message_bytes;
	return s->p->run->vmpi && sum > 0 ? (double)vmpi_bytes(s->p->run->vmpi) / sum : 0;
}

/* 0, or -1 with `e`. Finish `s` in both cases. */
static int series_make(struct power_series *s, const struct power_run *p, struct err *e)
{
	*s = (struct power_series){.p = p};
	s->class = mem_alloc(p->run->machine.topology->classes, sizeof(*s->class), e);
	if (!s->class || copy_bins(s, &p->run->power_bins, e) < 0)
		return -1;
	add_ends(s);
	power_bins_widen(&s->bins, net_log_interval(p->run->out.log));
	power_bins_add_bytes(&s->bins, p->end_ps, 0);
	if (s->bins.short_of_memory)
		return err_set(e, STATUS_FAILED, "power over time: out of memory");
	s->rows = (size_t)((p->end_ps + s->bins.interval - 1) / s->bins.interval);
	power_bins_end(&s->bins, s->rows);
	count_classes(s);
	s->message_scale = scale_of_messages(s);
	return 0;
}

/* ---- an interval ---- */

/* Adds the links of a class, whose bytes in the run are `share` in this interval of a->seconds. */
static void add_class(const struct power_series *s, const struct class_whole *c, double share, struct power_activity *a)
{
	double carried = c->links.carried_j * share;

	a->nic_bytes += c->nic_bytes * share;
	a->router_bytes += c->router_bytes * share;
	a->link_j += carried;
	if (c->links.idle_j > 0)
		a->link_idle_j += s->p->config->power.link_idle * (c->links.watts * a->seconds * s->p->share - carried);
}

/* Adds links up to `time`, since the row before; returns the bytes of all of them. */
static double add_links(struct power_series *s, int64_t time, struct power_activity *a)
{
	const struct run *run = s->p->run;
	double sum = 0;

	for (unsigned i = 0; i < run->machine.topology->classes; i++) {
		struct class_whole *c = &s->class[i];
		double until = time < s->p->end_ps ? net_log_carried(run->out.log, i, time) : -1;
		double more = (until < 0 || until > c->seen ? c->seen : until) - c->before;

		add_class(s, c, c->seen > 0 ? more / c->seen : 0, a);
		c->before += more;
		sum += more;
	}
	return sum;
}

/* Counts interval `i`; rows have to be evaluated in order. */
static void evaluate_row(struct power_series *s, size_t i, double *seconds, struct power_result *x)
{
	const struct power_run *p = s->p;
	const struct power_bin *b = &s->bins.bin.at[i];
	int64_t from = (int64_t)i * s->bins.interval, to = from + s->bins.interval;
	struct power_activity a = p->a;
	sum128 all;
	double bytes;

	to = to < p->end_ps ? to : p->end_ps;
	all = (sum128)(to - from) * p->run->machine.ranks;
	a.seconds = 1e-12 * (double)(to - from);
	a.busy_s = 1e-12 * (double)(all - b->ps[POWER_STATE_WAIT] - b->ps[POWER_STATE_MODELLED]);
	a.wait_s = 1e-12 * (double)b->ps[POWER_STATE_WAIT];
	a.sleep_s = 1e-12 * (double)b->ps[POWER_STATE_ASLEEP];
	a.model_j = b->model_j;
	a.nic_bytes = a.router_bytes = a.link_j = a.link_idle_j = 0;
	bytes = add_links(s, to, &a);
	a.memory_bytes = b->model_bytes + 2 * s->message_scale * b->message_bytes;
	if (p->run->result) {
		double whole = 0;

		for (unsigned c = 0; c < p->run->machine.topology->classes; c++)
			whole += s->class[c].seen;
		a.memory_bytes = p->a.memory_bytes * (whole > 0 ? bytes / whole : a.seconds / p->a.seconds);
	}
	*seconds = a.seconds;
	power_evaluate(p->config, &a, x);
}

static double part_of_row(const struct power_result *x, enum power_part part)
{
	switch (part) {
#define PART(name, first, second) \
	case PART_##name: return x->term[first] + ((first) == (second) ? 0 : x->term[second]);
		POWER_PARTS(PART)
#undef PART
	case PART_supply: return x->supply;
	default: return x->cooling;
	}
}

/* ---- table ---- */

int power_series_report(const struct power_run *p, struct report *r, struct err *e)
{
	struct report_column columns[POWER_PART_COUNT + 4] = {{"time", "s"}, {"length", "s"}};
	struct power_series s;
	int ret;

	if (run_interrupted(p->run))
		return 0;
	ret = series_make(&s, p, e);
	for (unsigned i = 0; i < POWER_PART_COUNT; i++)
		columns[2 + i] = (struct report_column){part_names[i], "W"};
	columns[2 + POWER_PART_COUNT] = (struct report_column){"power", "W"};
	columns[3 + POWER_PART_COUNT] = (struct report_column){"energy", "J"};
	if (ret == 0)
		report_table(r, "series_power",
			     "power over time, each interval up to `time`; energies add up to that of the run", columns,
			     POWER_PART_COUNT + 4);
	for (size_t i = 0; ret == 0 && i < s.rows; i++) {
		struct power_result x;
		double seconds;

		evaluate_row(&s, i, &seconds, &x);
		report_cell_f64(r, i + 1 < s.rows ? 1e-12 * (double)s.bins.interval * (double)(i + 1) : p->a.seconds);
		report_cell_f64(r, seconds);
		for (enum power_part k = 0; k < POWER_PART_COUNT; k++)
			report_cell_f64(r, part_of_row(&x, k) / seconds);
		report_cell_f64(r, x.total / seconds);
		report_cell_f64(r, x.total);
	}
	if (ret == 0)
		report_table_end(r);
	series_finish(&s);
	return ret;
}

/* ---- picture ---- */

enum { WIDTH = 900, HEIGHT = 420, LEFT = 78, RIGHT = 735, TOP = 62, BOTTOM = 360 };

/* The powers of rows as a picture stacks them: [row * POWER_PART_COUNT + part] is the sum up to that part. */
struct power_stack {
	double *at, *end; /* end: s, of each row */
	bool has[POWER_PART_COUNT];
	double most;
};

static int stack_make(struct power_series *s, struct power_stack *k, struct err *e)
{
	*k = (struct power_stack){.at = mem_alloc(s->rows * POWER_PART_COUNT + 1, sizeof(*k->at), e),
				  .end = mem_alloc(s->rows + 1, sizeof(*k->end), e)};
	if (!k->at || !k->end)
		return -1;
	for (size_t i = 0; i < s->rows; i++) {
		struct power_result x;
		double seconds, sum = 0;

		evaluate_row(s, i, &seconds, &x);
		for (enum power_part part = 0; part < POWER_PART_COUNT; part++) {
			double watts = part_of_row(&x, part) / seconds;

			k->has[part] = k->has[part] || watts > 0;
			sum += watts;
			k->at[i * POWER_PART_COUNT + part] = sum;
		}
		k->most = sum > k->most ? sum : k->most;
		k->end[i] = (i ? k->end[i - 1] : 0) + seconds;
	}
	return 0;
}

static double stacked(const struct power_stack *k, size_t row, unsigned parts)
{
	return parts ? k->at[row * POWER_PART_COUNT + parts - 1] : 0;
}

/* Writes a part's colour, of those that the run has; categories are too few for all. */
static void colour_of(const struct power_stack *k, enum power_part part, char colour[8])
{
	unsigned count = 0, before = 0;

	for (unsigned i = 0; i < POWER_PART_COUNT; i++) {
		count += k->has[i];
		before += k->has[i] && i < part;
	}
	svg_colour(count > 1 ? before / (count - 1.0) : 0, colour);
}

static void draw_part(const struct power_series *s, const struct power_stack *k, enum power_part part,
		      const struct svg_axis *x, const struct svg_axis *y, FILE *out)
{
	char colour[8];

	colour_of(k, part, colour);
	fprintf(out, "<path fill=\"%s\" d=\"", colour);
	for (size_t i = 0; i < s->rows; i++)
		fprintf(out, "%c%.1f %.1fH%.1f", i ? 'L' : 'M', svg_axis_at(x, i ? k->end[i - 1] : 0),
			svg_axis_at(y, stacked(k, i, part + 1)), svg_axis_at(x, k->end[i]));
	for (size_t i = s->rows; i-- > 0;)
		fprintf(out, "L%.1f %.1fH%.1f", svg_axis_at(x, k->end[i]), svg_axis_at(y, stacked(k, i, part)),
			svg_axis_at(x, i ? k->end[i - 1] : 0));
	fputs("Z\"/>\n", out);
}

static void draw_stack(const struct power_series *s, const struct power_stack *k, FILE *out)
{
	struct svg_axis x = svg_axis_fit(0, s->p->a.seconds, LEFT, RIGHT, 9);
	struct svg_axis y = svg_axis_fit(0, k->most > 0 ? k->most : 1, BOTTOM, TOP, 5);
	double at = TOP + 6;

	x.last = s->p->a.seconds;
	svg_axis_draw_x(out, &x, &y, "time", "s");
	svg_axis_draw_y(out, &x, &y, "power", "W");
	for (enum power_part part = 0; part < POWER_PART_COUNT; part++)
		if (k->has[part])
			draw_part(s, k, part, &x, &y, out);
	for (enum power_part part = POWER_PART_COUNT; part-- > 0;) {
		char colour[8];

		if (!k->has[part])
			continue;
		colour_of(k, part, colour);
		fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"24\" height=\"12\" fill=\"%s\"/>\n", RIGHT + 14, at - 6,
			colour);
		svg_text(out, RIGHT + 44, at + 4, "tick", "start", part_names[part]);
		at += 17;
	}
}

int power_series_draw(const struct power_run *p, FILE *out, struct err *e)
{
	struct power_stack k = {0};
	struct power_series s;
	int ret = series_make(&s, p, e);

	if (ret == 0)
		ret = stack_make(&s, &k, e);
	if (ret == 0) {
		svg_begin(out, WIDTH, HEIGHT, "Power over time",
			  "Power of the machine by part, stacked, over the time of the run");
		svg_text(out, LEFT - 40, 30, "title", "start", "Power over time");
		if (s.rows && !run_interrupted(p->run))
			draw_stack(&s, &k, out);
		else
			svg_text(out, LEFT - 40, 54, "note", "start", "The run was ended early, or took no time.");
		svg_end(out);
	}
	free(k.at);
	free(k.end);
	series_finish(&s);
	return ret;
}
