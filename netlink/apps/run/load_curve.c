#include "load_curve.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/message_line.h"
#include "../../curves/curves.h"
#include "load_points.h"

struct load_curve {
	struct load_search search;
	struct load_point point[LOAD_POINTS_MAX];
};

/* Warns of points whose figures depend on the place and length of the window. */
static void warn_of_points(const struct run *run)
{
	char text[160];

	for (unsigned i = 0; i < run->curve->search.count && !run->in.common.quiet; i++) {
		const struct load_point *p = &run->curve->point[i];

		if (!p->head.steady && !p->head.behind)
			message("%s: warning: load %g: steady: %s", run->in.program->name, p->head.load,
				traffic_say_state(&p->measured, text, sizeof(text)));
	}
}

int load_curve_run(struct run *run, struct err *e)
{
	struct load_curve *c = mem_alloc(1, sizeof(*c), e);
	struct progress progress;
	int ret;

	run->curve = c;
	if (!c)
		return -1;
	c->search = (struct load_search){.point = c->point,
					 .size = sizeof(c->point[0]),
					 .processes = (unsigned)run->in.set.processes,
					 .run = load_point_run,
					 .user = run,
					 .progress = &progress,
					 .checkpoint = &run->checkpoint,
					 .valid = load_point_valid};
	if (load_search_read(&c->search, run->in.set.load, DBL_MIN, 16, e) < 0)
		return -1;
	if (run->joined)
		return err_set(e, STATUS_USAGE, "--load: mpirun has started several processes, expected -j");
	progress_start(&progress, run->in.program->name, "loads", c->search.count, run->in.common.quiet);
	ret = load_search_run(&c->search, run->in.set.saturation, e);
	progress_end(&progress);
	if (progress_signal())
		checkpoint_write(&run->checkpoint);
	if (ret >= 0)
		warn_of_points(run);
	return ret;
}

bool load_curve_steady(const struct load_curve *c)
{
	return load_search_unsteady(&c->search) == c->search.count;
}

struct protocol_beyond load_curve_beyond(const struct load_curve *c, enum protocol_where where)
{
	struct protocol_beyond sum = {0};

	for (unsigned i = 0; i < c->search.count; i++) {
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

	report_cell_f64(r, p->head.load);
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
	report_cell_text(r, p->head.steady ? "yes" : p->head.behind ? "behind" : "no");
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
	for (unsigned i = 0; i < c->search.count; i++)
		report_point(&c->point[i], r);
	report_table_end(r);
}

static void report_saturation(const struct load_curve *c, struct report *r)
{
	double most = 0;

	for (unsigned i = 0; i < c->search.count; i++)
		most = c->point[i].measured.accepted.mean > most ? c->point[i].measured.accepted.mean : most;
	load_search_report(&c->search, most, "", r);
}

void load_curve_report(const struct load_curve *c, struct report *r)
{
	report_points(c, r);
	if (load_search_knows(&c->search))
		report_saturation(c, r);
}

/* ---- the picture ---- */

static int make_load_curve(const struct run *run, struct curve *c, struct err *e)
{
	const struct load_curve *from = run->curve;
	const char *name = run->in.set.name ? run->in.set.name : topology_name(run->machine.topology);

	c->name = mem_copy_text(name, e);
	if (!c->name || vec_reserve(&c->points, from->search.count, e) < 0)
		return -1;
	for (unsigned i = 0; i < from->search.count; i++) {
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
