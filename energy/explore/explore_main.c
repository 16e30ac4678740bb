/* psim-explore: simulates parameters times traces and reports the best designs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/cores.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/version.h"
#include "../../psim/base/message_line.h"
#include "../../psim/base/cli/opt.h"
#include "../../psim/base/report/out.h"
#include "../../psim/base/cli/progress.h"
#include "convergence.h"
#include "estimates.h"
#include "front_within.h"
#include "picture.h"
#include "explore_run.h"
#include "isoefficiency.h"
#include "scaling.h"
#include "point_kind.h"
#include "subset.h"
#include "store.h"
#include "tables.h"
#include "tornado.h"
#include "warnings.h"
#include "where.h"

/* The values of --over, in their order. */
enum { CHOSEN_GEOMEAN, CHOSEN_SUM, CHOSEN_TRACE };

/* The values of --scaling, in their order. */
enum scaling_chosen { SCALING_NONE, SCALING_STRONG, SCALING_WEAK };

enum { DEFAULT_SEED = 1 };
#define ALL UINT64_MAX /* --sample or --search is not given */

struct settings {
	const char *output, *csv, *svg, *tornado, *html, *colour, *share;
	uint64_t jobs, share_number, share_count; /* count 0: no shares */
	uint64_t sample, search, seed;            /* combinations; after the check 0: all of them */
	const char *front, *axes, *columns, *scaling_svg, *isoefficiency;
	unsigned scaling; /* enum scaling_chosen */
	unsigned format, over;
	bool json;
	bool pareto, sensitivity, no_run, no_memo, list, list_figures, strict, merge;
	struct opt_list where;
};

struct view;

struct explore {
	struct settings set;
	struct opt_common common;
	struct study *study;
	struct plan *plan;
	struct sample sample;
	struct store *store;
	struct scaling scaling;
	struct isoefficiency isoefficiency;
	struct objectives front, axes; /* of --front and --axes */
	char by[256];                  /* names of the first */
	char *results;                 /* name of the results file */
	struct view *views;
	struct conditions conditions;   /* of the study and --where */
	struct convergence convergence; /* of --search */
	struct tables_columns columns;  /* of the text */
	int colour;                     /* of the picture: a parameter, or -1 for area */
	struct progress progress;
	struct err failed; /* of the first point that could not be simulated */
};

/* "configs/explore/window.ini" -> "window.sqlite" in the current directory; of share 2 of 4 "window-2-of-4.sqlite". */
static char *default_results(const struct settings *set, const char *study, struct err *e)
{
	const char *slash = strrchr(study, '/'), *base = slash ? slash + 1 : study;
	const char *dot = strrchr(base, '.');
	int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
	size_t room = (size_t)length + 64;
	char *name = mem_alloc(room, 1, e);

	if (name && set->share_count)
		snprintf(name, room, "%.*s-%" PRIu64 "-of-%" PRIu64 ".sqlite", length, base, set->share_number,
			 set->share_count);
	else if (name)
		snprintf(name, room, "%.*s.sqlite", length, base);
	return name;
}

/* ---- running ---- */
static bool explore_step(void *user, uint64_t instructions, const char *note)
{
	return progress_step(user, instructions, note);
}

static int run_missing(struct explore *x, struct err *e)
{
	struct run_options o = {
		.jobs = (unsigned)x->set.jobs,
		.check = x->common.check,
		.no_memo = x->set.no_memo,
		.step = explore_step,
		.user = &x->progress,
	};
	size_t missing = plan_missing_count(x->plan);
	struct run_outcome outcome;
	int ret;

	if (x->common.verbose)
		message("psim-explore: %zu of %zu points are in %s", plan_known(x->plan), x->plan->live, x->results);
	if (!missing || x->set.no_run)
		return 0;
	progress_start(&x->progress, "psim-explore", x->study->kind->unit, plan_work(x->plan), x->common.quiet);
	ret = run_points(x->plan, x->store, &o, &outcome, e);
	progress_end(&x->progress);
	if (ret < 0)
		return -1;
	if (outcome.stopped)
		return err_set(e, STATUS_FAILED, "interrupted: %zu of %zu points are in %s; the same command continues",
			       plan_known(x->plan), x->plan->live, x->results);
	if (!outcome.failed)
		return 0;
	if (!x->failed.status) {
		x->failed = outcome.first;
		err_prefix(&x->failed, "%zu of %zu points failed, the first", outcome.failed, missing);
	}
	plan_give_up(x->plan);
	return 0;
}

/* The reports have the designs whose points did not fail. Returns 0, or -1 with `e` if there are none. */
static int check_failed(struct explore *x, struct err *e)
{
	struct designs designs = {0};
	size_t count;

	if (!x->failed.status)
		return 0;
	if (designs_make(x->plan, NULL, OVER_SUM, &designs, e) < 0)
		return -1;
	count = designs.count;
	designs_finish(&designs);
	if (count)
		return 0;
	*e = x->failed;
	return -1;
}

/* Chooses the combinations of --sample, or those with which --search begins. */
static int begin_sample(struct explore *x, struct err *e)
{
	const uint64_t first = x->set.search ? sample_first(x->set.search) : x->set.sample;

	if (!first)
		return 0;
	if (sample_begin(x->plan, &x->conditions, x->set.seed, &x->sample, e) < 0)
		return -1;
	if (!x->sample.valid)
		return err_set(e, STATUS_USAGE,
			       "no valid combination satisfies the conditions on parameters (--where)");
	if (sample_latin(&x->sample, first, e) < 0)
		return -1;
	plan_choose(x->plan, x->sample.chosen);
	return 0;
}

/* Chooses the next combinations of --search from the results so far; their number, or -1. */
static int choose_next(struct explore *x, struct err *e)
{
	const size_t left = x->set.search - x->sample.count, step = sample_step(x->set.search);
	struct designs designs = {0};
	int chosen = designs_make(x->plan, NULL, x->set.over == CHOSEN_SUM ? OVER_SUM : OVER_GEOMEAN, &designs, e);

	if (chosen == 0)
		chosen = sample_toward_front(&x->sample, &designs, &x->front, left < step ? left : step, e);
	designs_finish(&designs);
	if (chosen > 0)
		plan_choose(x->plan, x->sample.chosen);
	return chosen;
}

/* Takes out the combinations whose runs say that they are no designs. 0, or -1 with `e`. */
static int skip_runaways(struct explore *x, struct err *e)
{
	struct plan_skip first;
	const int found = plan_skip_runaways(x->plan, &first, e);
	char label[STUDY_LABEL_MAX];

	if (found <= 0)
		return found;
	study_label(x->study, first.combination, label);
	message("psim-explore: warning: %d of %zu combinations are skipped after their runs (table "
		"study.skipped_reasons), the "
		"first: %s (%s)",
		found, x->study->combinations, first.why, label);
	return 0;
}

/* Simulates what is missing, and whole what a sample leaves too wide. */
static int run_round(struct explore *x, struct err *e)
{
	int wide;

	do {
		if (run_missing(x, e) < 0)
			return -1;
		wide = estimates_make(x->plan, e);
	} while (wide > 0 && !x->set.no_run);
	return wide < 0 ? -1 : skip_runaways(x, e);
}

/* Simulates what is missing, in rounds if the study is searched. */
static int run_rounds(struct explore *x, struct err *e)
{
	int chosen = 1;

	if (run_round(x, e) < 0)
		return -1;
	while (chosen > 0 && x->sample.count < x->set.search && !plan_missing_count(x->plan)) {
		chosen = choose_next(x, e);
		if (chosen < 0 || (chosen > 0 && run_round(x, e) < 0))
			return -1;
	}
	return 0;
}

/* ---- results ---- */
static int write_csv(const struct explore *x, struct err *e)
{
	struct out *out = out_create(x->set.csv, e);

	if (!out)
		return -1;
	if (tables_csv(x->plan, out_file(out), e) < 0)
		return out_fail(out, e);
	return out_close(out, e);
}

/* The designs over all traces, or (--over trace) of each trace. */
struct view {
	struct designs designs;
	struct sensitivity sensitivity; /* made for --sensitivity and --tornado */
	struct err none;                /* of the condition that leaves no design, if one does */
	size_t known;                   /* designs before the conditions */
	char prefix[200], over[200];
};

static unsigned view_count(const struct explore *x)
{
	return x->set.over == CHOSEN_TRACE ? (unsigned)x->study->traces.count : 1;
}

static int make_view(const struct explore *x, size_t n, struct view *v, struct err *e)
{
	const struct study *s = x->study;
	const size_t *trace = x->set.over == CHOSEN_TRACE ? &n : NULL;

	if (trace) {
		snprintf(v->prefix, sizeof(v->prefix), "%s_", s->traces.at[n].name);
		snprintf(v->over, sizeof(v->over), "%s %s", s->kind->input, s->traces.at[n].name);
	} else if (s->traces.count == 1 && x->set.over != CHOSEN_SUM) {
		snprintf(v->over, sizeof(v->over), "%s %s", s->kind->input, s->traces.at[0].name);
	} else {
		snprintf(v->over, sizeof(v->over), "%s of %zu %s%s",
			 x->set.over == CHOSEN_SUM ? "sum" : "geometric mean", s->traces.count, s->kind->input,
			 s->traces.count == 1 ? "" : "s");
	}
	if (designs_make(x->plan, trace, x->set.over == CHOSEN_SUM ? OVER_SUM : OVER_GEOMEAN, &v->designs, e) < 0)
		return -1;
	v->known = v->designs.count;
	for (unsigned k = 0; k < x->conditions.count; k++) {
		where_check(&x->conditions.at[k], s, &v->designs, &v->none);
		where_apply(&x->conditions.at[k], s, &v->designs);
	}
	if (designs_mark_front_by(&v->designs, &x->front, e) < 0)
		return -1;
	front_mark_within(x->plan, trace, x->set.over == CHOSEN_SUM ? OVER_SUM : OVER_GEOMEAN, &x->front, &v->designs);
	return x->set.sensitivity || x->set.tornado ? sensitivity_find(s, &v->designs, &v->sensitivity, e) : 0;
}

/* Makes all views. Conditions that no view satisfies are an error. */
static int make_views(struct explore *x, struct err *e)
{
	size_t left = 0;

	x->views = mem_alloc(view_count(x), sizeof(*x->views), e);
	if (!x->views)
		return -1;
	for (unsigned n = 0; n < view_count(x); n++) {
		if (make_view(x, n, &x->views[n], e) < 0)
			return -1;
		left += x->views[n].designs.count;
	}
	for (unsigned n = 0; !left && n < view_count(x); n++)
		if (x->views[n].none.status) {
			*e = x->views[n].none;
			return -1;
		}
	return 0;
}

/* Makes the steps of --search. */
static int trace_search(struct explore *x, struct err *e)
{
	if (!x->set.search)
		return 0;
	return convergence_make(&x->sample, x->set.search, &x->views[0].designs, &x->front, &x->convergence, e);
}

static int explore_draw(const struct explore *x, FILE *out, struct err *e)
{
	struct picture_panel *panels = mem_alloc(view_count(x), sizeof(*panels), e);
	struct picture picture = {
		.plan = x->plan,
		.panels = panels,
		.panel_count = view_count(x),
		.colour = x->colour,
		.x = x->axes.column[0],
		.y = x->axes.column[1],
		.by = x->by,
	};
	int ret;

	if (!panels)
		return -1;
	for (unsigned n = 0; n < view_count(x); n++)
		panels[n] = (struct picture_panel){&x->views[n].designs, x->views[n].over};
	ret = picture_write(&picture, out, e);
	free(panels);
	return ret;
}

static int draw_tornado(const struct explore *x, FILE *out, struct err *e)
{
	struct tornado_block *blocks = mem_alloc(view_count(x), sizeof(*blocks), e);
	int ret;

	if (!blocks)
		return -1;
	for (unsigned n = 0; n < view_count(x); n++)
		blocks[n] = (struct tornado_block){&x->views[n].sensitivity, x->views[n].over};
	ret = tornado_write(x->study, blocks, view_count(x), out, e);
	free(blocks);
	return ret;
}

static int draw_scaling(const struct explore *x, FILE *out, struct err *e)
{
	return scaling_draw(&x->scaling, &x->views[0].designs, x->views[0].over, out, e);
}

/* Writes a picture to `file`, if there is one. */
static int write_picture(const struct explore *x, const char *file,
			 int (*draw)(const struct explore *x, FILE *out, struct err *e), struct err *e)
{
	struct out *out = file ? out_create(file, e) : NULL;

	if (!out)
		return file ? -1 : 0;
	if (draw(x, out_file(out), e) < 0)
		return out_fail(out, e);
	return out_close(out, e);
}

/* Fills the report with some columns of designs; `all`: with every design. */
static int explore_fill_report(const struct explore *x, int argc, char *argv[], const struct tables_columns *c,
			       bool all, struct report *r, struct err *e)
{
	report_identity(r, "psim-explore", argc, argv);
	tables_study(x->plan, r);
	tables_sample(x->plan, r);
	if (x->conditions.count && view_count(x) == 1)
		tables_conditions(x->views[0].known, x->views[0].designs.count, r);
	if (x->set.search)
		tables_search(&x->convergence, x->by, r);
	for (unsigned n = 0; n < view_count(x); n++) {
		const struct view *v = &x->views[n];

		if ((all && tables_designs(x->plan, &v->designs, c, v->prefix, v->over, x->by, r, e) < 0) ||
		    tables_best(x->plan, &v->designs, c, v->prefix, v->over, r, e) < 0 ||
		    (x->set.pareto && tables_pareto(x->plan, &v->designs, c, v->prefix, v->over, x->by, r, e) < 0))
			return -1;
		if (x->set.scaling && scaling_report(&x->scaling, &v->designs, v->prefix, v->over, r, e) < 0)
			return -1;
		if (x->set.isoefficiency &&
		    isoefficiency_report(&x->isoefficiency, &v->designs, v->prefix, v->over, r, e) < 0)
			return -1;
		if (x->set.sensitivity)
			tables_sensitivity(x->study, &v->sensitivity, v->prefix, v->over, r);
	}
	return 0;
}

/* Writes the report to a file; as a page it has all designs. */
static int explore_write_report(const struct explore *x, int argc, char *argv[], const char *file,
				enum report_format format, struct err *e)
{
	struct report *r = report_create();
	struct tables_columns all = {.param = NULL};
	struct out *out = NULL;
	int ret = -1;

	if (!r)
		return mem_short(e);
	if (tables_columns_all(x->study, &all, e) == 0 &&
	    explore_fill_report(x, argc, argv, format == REPORT_TEXT ? &x->columns : &all, format == REPORT_HTML, r,
				e) == 0)
		out = out_create(file, e);
	tables_columns_finish(&all);
	if (out && report_write(r, format, out_file(out), e) == 0)
		ret = out_close(out, e);
	else if (out)
		out_fail(out, e);
	report_destroy(r);
	return ret;
}

/* Prints one line per point, in the order in which they run. */
static int list_points(const struct explore *x, struct err *e)
{
	for (size_t n = 0; n < x->plan->count; n++) {
		const struct plan_point *point = &x->plan->points[n];
		const struct plan_file *file = &x->plan->files.at[point->file];
		char label[STUDY_LABEL_MAX];

		if (point->skipped || point->elsewhere || point->left_out)
			continue;
		study_label(x->study, point->combination, label);
		printf("%016" PRIx64 " %08" PRIx32 " %s %s\n", x->plan->hash[point->combination], file->checksum,
		       x->study->traces.at[point->trace].name, label);
	}
	return out_check(stdout, "standard output", e);
}

static bool to_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* "2/4" */
static int read_share(struct settings *set, struct err *e)
{
	char rest;

	if (!set->share)
		return 0;
	if (strspn(set->share, "0123456789/") != strlen(set->share) ||
	    sscanf(set->share, "%7" SCNu64 "/%7" SCNu64 "%c", &set->share_number, &set->share_count, &rest) != 2 ||
	    !set->share_number || set->share_number > set->share_count)
		return err_set(e, STATUS_USAGE, "--share %s: expected K/N, the share K of N, from 1/N to N/N",
			       set->share);
	return 0;
}

/* An output, for a config_input_fn. */
struct not_input {
	const char *output;
	struct err *err;
};

static int explore_is_no_output(void *user, const char *input)
{
	const struct not_input *n = user;

	return out_is_not(n->output, input, n->err);
}

/* Checks that an output is no trace of the study, and no configuration that it begins with. */
static int plan_is_not(const struct plan *p, const char *output, struct err *e)
{
	for (size_t n = 0; n < p->files.count; n++)
		if (out_is_not(output, p->files.at[n].path, e) < 0)
			return -1;
	return config_each_input(p->study->config, explore_is_no_output, &(struct not_input){output, e});
}

/* Checks that no output replaces an input, or the results file, which may have hours of simulation. */
static int explore_keep_files(const struct explore *x, const char *study, struct err *e)
{
	const char *const files[] = {x->set.csv, x->set.svg, x->set.tornado, x->set.html, x->set.scaling_svg};

	for (unsigned n = 0; n < sizeof(files) / sizeof(files[0]); n++) {
		if (files[n] && out_same(files[n], x->results))
			return err_set(e, STATUS_USAGE, "%s: the file of the results, expected another", files[n]);
		if (plan_is_not(x->plan, files[n], e) < 0)
			return -1;
	}
	return out_is_not(x->results, study, e) < 0 ? -1 : plan_is_not(x->plan, x->results, e);
}

/* Checks --sample, --search and --seed. */
static int check_subset(struct settings *set, struct err *e)
{
	if (!set->sample || !set->search)
		return err_set(e, STATUS_USAGE, "--%s 0: expected 1 or more combinations",
			       set->sample ? "search" : "sample");
	set->sample = set->sample == ALL ? 0 : set->sample;
	set->search = set->search == ALL ? 0 : set->search;
	if (set->sample && set->search)
		return err_set(e, STATUS_USAGE, "--sample and --search: expected one of them");
	if (set->search && (set->share || set->list || set->over == CHOSEN_TRACE))
		return err_set(e, STATUS_USAGE,
			       "--search with %s: expected neither, since each step needs all results so far",
			       set->share  ? "--share"
			       : set->list ? "--list"
					   : "--over trace");
	if (set->seed != DEFAULT_SEED && !set->sample && !set->search)
		return err_set(e, STATUS_USAGE, "--seed without --sample or --search: nothing is random");
	return 0;
}

/* Checks the settings that do not depend on the results, before anything runs. */
static int explore_check_settings(struct explore *x, struct err *e)
{
	if (!x->set.jobs || x->set.jobs > 1024)
		return err_set(e, STATUS_USAGE, "--jobs %" PRIu64 ": expected 1 to 1024", x->set.jobs);
	if (check_subset(&x->set, e) < 0)
		return -1;
	if (x->set.scaling_svg && (!x->set.scaling || x->set.over == CHOSEN_TRACE))
		return err_set(e, STATUS_USAGE, "--scaling-svg: expected --scaling too, and not --over trace");
	if (x->set.isoefficiency && x->set.scaling != SCALING_STRONG)
		return err_set(e, STATUS_USAGE, "--isoefficiency: expected --scaling strong too");
	return read_share(&x->set, e);
}

/* Reads the figures that --front and --axes name. */
static int read_objectives(struct explore *x, struct err *e)
{
	const struct point_kind *kind = x->study->kind;
	const char *usual = kind->cost ? "time,energy,cost" : "time,energy,area";

	if (objectives_read(kind, x->set.front ? x->set.front : usual, &x->front, e) < 0)
		return err_prefix(e, "--front");
	if (objectives_read(kind, x->set.axes, &x->axes, e) < 0)
		return err_prefix(e, "--axes");
	if (x->axes.count != 2)
		return err_set(e, STATUS_USAGE, "--axes %s: %u figures, expected two, as area,energy", x->set.axes,
			       x->axes.count);
	objectives_text(&x->front, x->study, x->by, sizeof(x->by));
	return 0;
}

/* Reads the limits of the study, and the conditions of --where. */
static int read_conditions(struct explore *x, struct err *e)
{
	if (conditions_limits(&x->conditions, x->study, e) < 0)
		return -1;
	for (unsigned n = 0; n < x->set.where.count; n++)
		if (conditions_add(&x->conditions, x->study, x->set.where.item[n], e) < 0)
			return -1;
	return 0;
}

/* Sets the columns of the text. */
static int choose_columns(struct explore *x, struct err *e)
{
	const int ret = x->set.columns ? tables_columns_read(x->study, x->set.columns, &x->columns, e)
				       : tables_columns_usual(x->study, &x->front, &x->columns, e);

	if (ret < 0)
		return x->set.columns ? err_prefix(e, "--columns") : -1;
	if (x->set.format == REPORT_TEXT && tables_columns_check(x->study, &x->columns, e) < 0)
		return err_prefix(e, "%s", x->set.columns ? "--columns" : x->study->path);
	return 0;
}

/* A study of strong scaling has no efficiency of weak scaling. */
static void warn_not_weak(const struct explore *x)
{
	double ranks, times;

	if (!x->set.scaling || !scaling_is_not_weak(&x->scaling, &x->views[0].designs, &ranks, &times))
		return;
	message("psim-explore: warning: --scaling weak: with %.4g times the ranks the time falls %.4g times, expected "
		"work that grows with the ranks, or --scaling strong",
		ranks, times);
}

/* An output that fails costs no other one, and no report: the first error counts. */
static void note_output(struct explore *x, int ret, const struct err *why)
{
	if (ret < 0 && x->failed.status)
		message("psim-explore: %s", why->text);
	else if (ret < 0)
		x->failed = *why;
}

static void write_files(struct explore *x, int argc, char *argv[])
{
	struct err why;

	note_output(x, x->set.csv ? write_csv(x, &why) : 0, &why);
	note_output(x, write_picture(x, x->set.svg, explore_draw, &why), &why);
	note_output(x, write_picture(x, x->set.tornado, draw_tornado, &why), &why);
	note_output(x, write_picture(x, x->set.scaling_svg, draw_scaling, &why), &why);
	note_output(x, x->set.html ? explore_write_report(x, argc, argv, x->set.html, REPORT_HTML, &why) : 0, &why);
}

/* Writes the files of the options, and the report unless one of them is standard output. */
static int write_outputs(struct explore *x, int argc, char *argv[], struct err *e)
{
	const char *const files[] = {x->set.csv, x->set.svg, x->set.scaling_svg, x->set.tornado, x->set.html};
	bool report = true;
	struct err why;

	for (unsigned n = 0; n < sizeof(files) / sizeof(files[0]); n++)
		report &= !to_stdout(files[n]);
	write_files(x, argc, argv);
	note_output(x, report ? explore_write_report(x, argc, argv, "-", x->set.format, &why) : 0, &why);
	return err_of_first(e, &x->failed);
}

static int explore(struct explore *x, const char *path, int argc, char *argv[], struct err *e)
{
	if (explore_check_settings(x, e) < 0)
		return -1;
	x->study = study_open(path, e);
	if (x->study && read_objectives(x, e) < 0)
		return -1;
	if (x->study && x->set.scaling && scaling_find(&x->scaling, x->study, x->set.scaling == SCALING_WEAK, e) < 0)
		return -1;
	if (x->study && x->set.isoefficiency &&
	    isoefficiency_find(&x->isoefficiency, &x->scaling, x->set.isoefficiency, e) < 0)
		return -1;
	x->colour = x->study ? picture_colour(x->study, x->set.colour, e) : -2;
	x->plan = x->colour >= -1 && read_conditions(x, e) == 0 && choose_columns(x, e) == 0 ? plan_create(x->study, e)
											     : NULL;
	if (!x->plan || opt_unused("psim-explore", x->study->config, x->study->kind->uses, x->set.strict, e) < 0)
		return -1;
	if (begin_sample(x, e) < 0 || anchors_choose(x->plan, 0, e) < 0)
		return -1;
	if (x->set.share_count)
		plan_share(x->plan, x->set.share_number, x->set.share_count);
	if (x->set.list)
		return list_points(x, e);
	warn_skipped(x->plan);
	warn_doubted(x->plan);
	x->results = x->set.output ? mem_copy_text(x->set.output, e) : default_results(&x->set, path, e);
	if (!x->results || explore_keep_files(x, path, e) < 0)
		return -1;
	x->store = store_open(x->results, !x->set.no_run, e);
	if (!x->store || store_load(x->store, x->plan, e) < 0)
		return -1;
	warn_missing(x->plan, x->results, x->set.no_run);
	if (run_rounds(x, e) < 0 || check_failed(x, e) < 0)
		return -1;
	warn_no_energy(x->plan);
	warn_unestimated(x->plan);
	if (make_views(x, e) < 0 || trace_search(x, e) < 0)
		return -1;
	warn_not_weak(x);
	return write_outputs(x, argc, argv, e);
}

/* Checks that all files are there, before one is made. */
static int are_results(char *files[], int count, struct err *e)
{
	for (int i = 0; i < count; i++) {
		struct store *s = store_open(files[i], false, e);

		if (!s || store_close(s, e) < 0)
			return -1;
	}
	return 0;
}

/* Copies the results of other files into one. */
static int merge(struct explore *x, char *files[], int count, struct err *e)
{
	if (!x->set.output || !count)
		return err_set(e, STATUS_USAGE, "--merge: expected results files, and -o FILE, which gets all results");
	if (x->set.share || x->set.list || x->set.no_run || x->set.csv || x->set.svg || x->set.tornado || x->set.html ||
	    x->set.scaling || x->set.isoefficiency || x->set.pareto || x->set.sensitivity || x->set.sample != ALL ||
	    x->set.search != ALL)
		return err_set(e, STATUS_USAGE, "--merge: expected results files and -o alone");
	x->results = mem_copy_text(x->set.output, e);
	x->store = x->results && are_results(files, count, e) == 0 ? store_open(x->results, true, e) : NULL;
	if (!x->store)
		return -1;
	for (int i = 0; i < count; i++)
		if (store_merge(x->store, files[i], e) < 0)
			return -1;
	return 0;
}

static int one_study(int count, struct err *e)
{
	if (count)
		return count == 1 ? 0
				  : err_set(e, STATUS_USAGE, "%d operands, expected STUDY.ini: see psim-explore --help",
					    count);
	return err_set(e, STATUS_USAGE, "no operand, expected STUDY.ini: see psim-explore --help");
}

static int list_figures(const struct explore *x, int count, struct err *e)
{
	struct report *r;
	struct out *out;
	int ret = -1;

	if (count)
		return err_set(e, STATUS_USAGE, "--list-figures: expected no study");
	r = report_create();
	out = r ? out_create("-", e) : NULL;
	if (!r)
		return mem_short(e);
	tables_figures(r);
	if (out && report_write(r, x->set.format, out_file(out), e) == 0)
		ret = out_close(out, e);
	else if (out)
		out_fail(out, e);
	report_destroy(r);
	return ret;
}

static int explore_release(struct explore *x, struct err *e)
{
	int ret = store_close(x->store, e);

	for (unsigned n = 0; x->views && n < view_count(x); n++) {
		designs_finish(&x->views[n].designs);
		sensitivity_finish(&x->views[n].sensitivity);
	}
	free(x->views);
	vec_finish(&x->convergence);
	tables_columns_finish(&x->columns);
	sample_end(&x->sample);
	plan_destroy(x->plan);
	study_close(x->study);
	free(x->results);
	return ret;
}

/* Merges, or explores the one study; returns the exit status. */
static int explore_or_merge(struct explore *x, const struct opt_program *program, int first, int argc, char *argv[])
{
	struct err e;
	int status;

	if (x->set.list_figures)
		status = list_figures(x, argc - first, &e);
	else if (x->set.merge)
		status = merge(x, argv + first, argc - first, &e);
	else
		status = one_study(argc - first, &e) < 0 ? -1 : explore(x, argv[first], argc, argv, &e);
	status = status < 0 ? opt_fail(program, &e) : STATUS_DONE;
	if (explore_release(x, &e) < 0 && status == STATUS_DONE)
		status = opt_fail(program, &e);
	return status;
}

static const char examples[] = "psim-explore configs/explore/window.ini -o window.sqlite --pareto\n"
			       "psim-explore configs/explore/window.ini --no-run --csv window.csv\n"
			       "psim-explore configs/explore/window.ini --pareto --where 'area_mm2<=205'\n"
			       "psim-explore configs/explore/window.ini --svg window.svg --colour core.rob_entries\n"
			       "psim-explore configs/explore/design.ini --sensitivity --tornado design.svg\n"
			       "psim-explore configs/explore/design.ini --search 60 --pareto\n"
			       "psim-explore configs/explore/window.ini --share 2/8\n"
			       "psim-explore --merge window-*-of-8.sqlite -o window.sqlite\n"
			       "psim-explore --list configs/explore/window.ini";

/* Reads the options of `rows`, and explores or merges. Returns the exit status. */
static int explore_start(struct explore *x, const struct opt *rows, unsigned count, int argc, char *argv[])
{
	const struct opt_program program = {
		.name = "psim-explore",
		.operands = "STUDY.ini",
		.summary = "Simulates every combination of a study's parameter values with each of its traces, keeps\n"
			   "the results, and reports the best designs in time, energy and area.",
		.examples = examples,
		.rows = rows,
		.row_count = count,
		.groups = OPT_RUN,
		.common = &x->common,
		.max_operands = 100000,
	};
	int status, first = opt_start(&program, argc, argv, &status);

	if (x->set.json)
		x->set.format = REPORT_JSON;
	return first < 0 ? status : explore_or_merge(x, &program, first, argc, argv);
}

int main(int argc, char *argv[])
{
	struct explore x = {.set = {.jobs = cores_allowed(),
				    .colour = "area",
				    .axes = "time,energy",
				    .seed = DEFAULT_SEED,
				    .sample = ALL,
				    .search = ALL}};
	const struct opt rows[] = {
		{"output", 'o', "FILE",
		 "keep results in FILE (SQLite) and do not simulate them again (default STUDY.sqlite)", OPT_WRITES,
		 &x.set.output},
		{"jobs", 'j', "N", "points simulated in parallel (default all cores that it may use)", OPT_COUNT,
		 &x.set.jobs},
		{"share", 0, "K/N", "simulate only the K-th of N shares of the points (default STUDY-K-of-N.sqlite)",
		 OPT_TEXT, &x.set.share},
		{"sample", 0, "N", "simulate N combinations only, a Latin hypercube", OPT_COUNT, &x.set.sample},
		{"search", 0, "N", "simulate N combinations only, chosen step by step toward the front", OPT_COUNT,
		 &x.set.search},
		{"seed", 0, "N", "seed of --sample and --search (default 1)", OPT_COUNT, &x.set.seed},
		{"merge", 0, NULL, "copy the results of the operands, results files, into that of -o; run nothing",
		 OPT_FLAG, &x.set.merge},
		{"pareto", 0, NULL, "report the designs of the front, which no other one dominates", OPT_FLAG,
		 &x.set.pareto},
		{"front", 0, "FIGURES", "figures of the front, up to 8 (default time,energy, and area or cost)",
		 OPT_TEXT, &x.set.front},
		{"sensitivity", 0, NULL, "report how much each parameter changes time, energy and area", OPT_FLAG,
		 &x.set.sensitivity},
		{"scaling", 0, "none|strong|weak", "report times and efficiency over run.ranks, of a study of systems",
		 OPT_CHOICE, &x.set.scaling},
		{"scaling-svg", 0, "FILE", "draw them", OPT_WRITES, &x.set.scaling_svg},
		{"isoefficiency", 0, "PARAM=PERCENT", "report the PARAM that so much efficiency needs, over run.ranks",
		 OPT_TEXT, &x.set.isoefficiency},
		{"over", 0, "geomean|sum|trace",
		 "compare by the traces' geometric mean, by their sum, or trace by trace", OPT_CHOICE, &x.set.over},
		{"where", 0, "CONDITION",
		 "compare and search only designs with CONDITION (area_mm2<=250); may be repeated", OPT_LIST,
		 &x.set.where},
		{"columns", 0, "NAMES", "figures and parameters of the text (seconds,l1d.size), or all of them",
		 OPT_TEXT, &x.set.columns},
		{"csv", 0, "FILE", "write one line per point", OPT_WRITES, &x.set.csv},
		{"svg", 0, "FILE", "draw the designs, with the front", OPT_WRITES, &x.set.svg},
		{"axes", 0, "X,Y", "figures along the axes of --svg (default time,energy)", OPT_TEXT, &x.set.axes},
		{"tornado", 0, "FILE", "draw the sensitivity to each parameter", OPT_WRITES, &x.set.tornado},
		{"html", 0, "FILE", "write all designs, with the front, as a page for a browser", OPT_WRITES,
		 &x.set.html},
		{"colour", 0, "KEY", "colour the dots of --svg by area or a parameter that varies (default area)",
		 OPT_TEXT, &x.set.colour},
		{"format", 'f', "text|json|csv", "format of the report on standard output", OPT_CHOICE, &x.set.format},
		{"json", 0, NULL, "the same as --format json", OPT_FLAG, &x.set.json},
		{"strict", 0, NULL, "report a given parameter that no point reads as an error", OPT_FLAG,
		 &x.set.strict},
		{"list", 0, NULL, "list the points and run none", OPT_FLAG, &x.set.list},
		{"list-figures", 0, NULL, "list the figures of designs, with unit and meaning, and exit", OPT_FLAG,
		 &x.set.list_figures},
		{"no-run", 0, NULL, "report the results file and run nothing", OPT_FLAG, &x.set.no_run},
		{"no-memo", 0, NULL, "simulate transitions that were simulated before again (same results, slower)",
		 OPT_FLAG, &x.set.no_memo},
	};

	return explore_start(&x, rows, sizeof(rows) / sizeof(rows[0]), argc, argv);
}
