#include "load_curve.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/message_line.h"
#include "../../curves/curves.h"
#include "../../curves/loads.h"
#include "load_points.h"

enum { HALVINGS = 16, POINTS_MAX = LOADS_MAX + HALVINGS };
static const double WITHIN = 0.01; /* of the load at saturation */

struct load_curve {
	unsigned count;
	struct load_point point[POINTS_MAX]; /* by load */
};

/* ---- the points ---- */

static int by_load(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Reads --load: loads above 0, by size. */
static int read_loads(struct load_curve *c, const char *text, struct err *e)
{
	double load[LOADS_MAX];
	int count = loads_read(text, load, e);

	if (count < 0)
		return err_prefix(e, "--load");
	qsort(load, (size_t)count, sizeof(load[0]), by_load);
	for (int i = 0; i < count; i++) {
		if (load[i] <= 0 || load[i] > 16)
			return err_set(e, STATUS_USAGE, "--load: %g is no load, expected above 0 to 16", load[i]);
		if (i && load[i] == load[i - 1])
			return err_set(e, STATUS_USAGE, "--load: %g is there twice", load[i]);
		c->point[c->count++] = (struct load_point){.load = load[i], .longer = 1};
	}
	return 0;
}

/* Returns the first point that is not steady; `count` of the curve if all are. */
static unsigned first_unsteady(const struct load_curve *c)
{
	unsigned i = 0;

	while (i < c->count && c->point[i].measured.state == TRAFFIC_STEADY)
		i++;
	return i;
}

/* Returns whether each window is inside the time in which ranks send: else nothing is known of saturation. */
static bool has_windows(const struct load_curve *c)
{
	for (unsigned i = 0; i < c->count; i++)
		if (c->point[i].measured.state == TRAFFIC_CEASES)
			return false;
	return c->count > 0;
}

/* Makes room for a point before the one of number `at`, or, if `again`, takes that one. */
static void place_point(struct load_curve *c, unsigned at, double load, bool again)
{
	if (!again)
		memmove(&c->point[at + 1], &c->point[at], (c->count++ - at) * sizeof(c->point[0]));
	c->point[at] = (struct load_point){.load = load, .longer = LOAD_LONGEST};
}

/* A run that is interrupted or fails leaves no point. */
static void remove_point(struct load_curve *c, unsigned at)
{
	memmove(&c->point[at], &c->point[at + 1], (--c->count - at) * sizeof(c->point[0]));
}

/*
 * Bisects between the last load that is steady and the first that is not, in long runs: queues that grow slowly seem
 * steady in a short one. 0, or -1 with `e`.
 */
static int bisect_loads(struct run *run, struct load_curve *c, struct progress *progress, struct err *e)
{
	for (unsigned i = 0; i < HALVINGS; i++) {
		unsigned unsteady = first_unsteady(c), at = unsteady;
		double below = unsteady ? c->point[unsteady - 1].load : 0, above;
		bool again = unsteady && c->point[unsteady - 1].longer < LOAD_LONGEST;
		int ret;

		if (unsteady == c->count || !has_windows(c))
			return 0;
		above = c->point[unsteady].load;
		if (!again && above - below <= WITHIN * above)
			return 0;
		at -= again;
		place_point(c, at, again ? below : (below + above) / 2, again);
		ret = load_points_run(run, &c->point[at], 1, progress, e);
		if (ret < 1) {
			remove_point(c, at);
			return ret;
		}
	}
	return 0;
}

/* Warns of points whose figures depend on the place and length of the window. */
static void warn_of_points(const struct run *run)
{
	char text[160];

	for (unsigned i = 0; i < run->curve->count && !run->in.common.quiet; i++) {
		const struct load_point *p = &run->curve->point[i];

		if (p->measured.state != TRAFFIC_STEADY && !load_point_falls_behind(p))
			message("%s: warning: load %g: steady: %s", run->in.program->name, p->load,
				traffic_say_state(&p->measured, text, sizeof(text)));
	}
}

int load_curve_run(struct run *run, struct err *e)
{
	struct load_curve *c = mem_alloc(1, sizeof(*c), e);
	struct progress progress;
	int done;

	run->curve = c;
	if (!c || read_loads(c, run->in.set.load, e) < 0)
		return -1;
	if (run->joined)
		return err_set(e, STATUS_USAGE, "--load: mpirun has started several processes, expected -j");
	progress_start(&progress, run->in.program->name, "loads", c->count, run->in.common.quiet);
	done = load_points_run(run, c->point, c->count, &progress, e);
	c->count = done < 0 ? 0 : (unsigned)done;
	if (done > 0 && run->in.set.saturation && !progress_signal())
		done = bisect_loads(run, c, &progress, e);
	progress_end(&progress);
	if (progress_signal())
		checkpoint_write(&run->checkpoint);
	if (done >= 0)
		warn_of_points(run);
	return done < 0 ? -1 : 0;
}

bool load_curve_steady(const struct load_curve *c)
{
	return first_unsteady(c) == c->count;
}

struct protocol_beyond load_curve_beyond(const struct load_curve *c, enum protocol_where where)
{
	struct protocol_beyond sum = {0};

	for (unsigned i = 0; i < c->count; i++) {
		const struct protocol_beyond *b = &c->point[i].beyond[where];

		sum.count += b->count;
		sum.longest = b->longest > sum.longest ? b->longest : sum.longest;
	}
	return sum;
}

void load_curve_destroy(struct load_curve *c)
{
	free(c);
}

/* ---- the report ---- */

static void report_point(const struct load_point *p, struct report *r)
{
	const struct traffic_measured *m = &p->measured;

	report_cell_f64(r, p->load);
	report_cell_f64(r, m->offered.mean);
	report_cell_f64(r, m->accepted.mean);
	report_cell_f64(r, m->accepted.error);
	report_cell_f64(r, m->latency_ps.mean * 1e-12);
	report_cell_f64(r, m->latency_ps.error * 1e-12);
	report_cell_f64(r, m->latency_p50_ps * 1e-12);
	report_cell_f64(r, m->latency_p99_ps * 1e-12);
	report_cell_f64(r, (double)m->latency_max_ps * 1e-12);
	report_cell_f64(r, m->accepted_min);
	report_cell_f64(r, m->fairness);
	report_cell_u64(r, m->messages);
	report_cell_text(r, m->state == TRAFFIC_STEADY ? "yes" : load_point_falls_behind(p) ? "behind" : "no");
}

static void report_points(const struct load_curve *c, struct report *r)
{
	static const struct report_column columns[] = {
		{"load", ""},         {"offered", ""},      {"accepted", ""},     {"accepted_error", ""},
		{"latency", "s"},     {"error", "s"},       {"latency_p50", "s"}, {"latency_p99", "s"},
		{"latency_max", "s"}, {"accepted_min", ""}, {"fairness", ""},     {"messages", "messages"},
		{"steady", ""},
	};

	report_table(r, "points",
		     "an open loop at each load, in shares of the injection bandwidth (docs/formats/traffic.md); "
		     "error: half "
		     "of the 95 % interval of the mean latency; steady: behind, less is accepted than offered",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < c->count; i++)
		report_point(&c->point[i], r);
	report_table_end(r);
}

static void report_saturation(const struct load_curve *c, struct report *r)
{
	unsigned unsteady = first_unsteady(c);
	double most = 0;

	for (unsigned i = 0; i < c->count; i++)
		most = c->point[i].measured.accepted.mean > most ? c->point[i].measured.accepted.mean : most;
	report_group(r, "saturation", "load up to which queues do not grow");
	report_f64(r, "below", unsteady ? c->point[unsteady - 1].load : 0, "", "largest load at which it is steady");
	if (unsteady < c->count)
		report_f64(r, "above", c->point[unsteady].load, "", "smallest load at which it is not");
	report_f64(r, "accepted", most, "", "largest accepted load");
	report_end(r);
}

void load_curve_report(const struct load_curve *c, struct report *r)
{
	report_points(c, r);
	if (has_windows(c))
		report_saturation(c, r);
}

/* ---- the picture ---- */

static int make_load_curve(const struct run *run, struct curve *c, struct err *e)
{
	const struct load_curve *from = run->curve;
	const char *name = run->in.set.name ? run->in.set.name : topology_name(run->machine.topology);

	c->name = mem_copy_text(name, e);
	if (!c->name || vec_reserve(&c->points, from->count, e) < 0)
		return -1;
	for (unsigned i = 0; i < from->count; i++) {
		const struct traffic_measured *m = &from->point[i].measured;

		c->points.at[c->points.count++] = (struct curve_point){.accepted = m->accepted.mean,
								       .latency = m->latency_ps.mean * 1e-12,
								       .error = m->latency_ps.error * 1e-12,
								       .p99 = m->latency_p99_ps * 1e-12};
	}
	return 0;
}

int load_curve_draw(struct run *run, struct err *e)
{
	static const struct curve_axes axes = {
		.doc = "mean latency over the accepted load, with 95 % intervals; dashed: the 99th percentile",
		.accepted = "the injection bandwidth",
		.unit = "s",
	};
	const struct opt_list *beside = &run->in.set.beside;
	struct curve own = {0};
	int ret;

	if (!run->out.file.curve)
		return 0;
	ret = make_load_curve(run, &own, e);
	if (!ret)
		ret = curves_write(out_file(run->out.file.curve), &axes, &own, beside->item, beside->count, e);
	curve_finish(&own);
	return ret;
}
