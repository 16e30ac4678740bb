/* psim-fit: fits a time model to simulated runs of several sizes. */
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/cli/opt.h"
#include "../../psim/base/report/out.h"
#include "../model/fit/fit_report.h"

struct settings {
	struct points_choice choice;
	const char *model, *picture;
	uint64_t max_terms;
	unsigned weights; /* 0: relative, 1: equal */
	unsigned signs;   /* signs of chosen terms; 0: positive, 1: any */
	const char *kernel;
	bool interpolate;
	struct opt_list terms, hold_out, predict, expect;
	const char *quantity[MODEL_QUANTITIES]; /* values of what the model says besides its own; NULL: none */
};

/* The fit of a quantity besides the value. */
struct quantity_fit {
	struct points points;
	struct fit fit;
	bool done;
};

/* Everything that the program creates and frees. */
struct work {
	const struct settings *set;
	const struct opt_common *common;
	struct points points;
	struct fit fit;
	struct doubts doubts;
	struct prediction predictions[OPT_LIST_MAX];
	struct quantity_fit quantity[MODEL_QUANTITIES];
	int argc;
	char **argv;
};

/* Reads the points of all operands. */
static int fit_read_values(const struct work *w, struct points *p, const struct points_choice *choice, int first,
			   struct err *e)
{
	for (int i = first; i < w->argc; i++) {
		int ret = points_is_assignment(w->argv[i]) ? points_add_report(p, choice, w->argv[i], e)
							   : points_add_table(p, choice, w->argv[i], e);

		if (ret < 0)
			return -1;
	}
	for (unsigned i = 0; i < w->set->hold_out.count; i++)
		if (points_hold_out(p, w->set->hold_out.item[i], e) < 0)
			return -1;
	return 0;
}

static int read_points(struct work *w, int first, struct err *e)
{
	if (fit_read_values(w, &w->points, &w->set->choice, first, e) < 0)
		return -1;
	for (unsigned i = 0; i < w->set->predict.count; i++) {
		const char *text = w->set->predict.item[i];

		if (points_read_values(&w->points, text, strlen(text), w->predictions[i].values, e) < 0)
			return err_prefix(e, "--predict");
	}
	return 0;
}

static int fit_points(const struct work *w, const struct points *points, struct fit *f, struct err *e)
{
	const struct opt_list *sums = &w->set->terms;
	bool relative = w->set->weights == 0;
	struct term terms[MODEL_ROWS_MAX];
	unsigned first[MODEL_SUMS_MAX + 1] = {0};

	struct fit_choice choice = {(unsigned)w->set->max_terms, relative, w->set->signs == 1, w->set->kernel};

	if (w->set->interpolate) {
		if (sums->count || w->set->kernel)
			return err_set(e, STATUS_USAGE, "--interpolate: excludes --terms and --kernel");
		return fit_interpolate(points, f, e);
	}
	if (!sums->count)
		return fit_choose(points, &choice, f, e);
	if (w->set->kernel)
		return err_set(e, STATUS_USAGE, "--kernel %s: excludes --terms", w->set->kernel);
	if (sums->count > MODEL_SUMS_MAX)
		return err_set(e, STATUS_USAGE, "--terms: %u times, expected at most %d", sums->count, MODEL_SUMS_MAX);
	for (unsigned s = 0; s < sums->count; s++) {
		int count = terms_read(terms + first[s], sums->item[s], &points->variables, e);

		if (count < 0)
			return err_prefix(e, "--terms");
		first[s + 1] = first[s] + (unsigned)count;
	}
	if (sums->count == 1)
		return fit_terms(points, terms, first[1], relative, f, e);
	return fit_largest(points, terms, first, sums->count, relative, f, e);
}

/* Fits a quantity besides the value, by the same rules. */
static int fit_quantity(struct work *w, enum model_quantity q, int first, struct err *e)
{
	struct quantity_fit *x = &w->quantity[q];
	const char *unit = model_quantity_unit(q);
	struct points_choice choice = w->set->choice;

	choice.value = w->set->quantity[q];
	choice.others[q] = NULL;
	x->done = true;
	if (fit_read_values(w, &x->points, &choice, first, e) < 0)
		return err_prefix(e, "--%s", model_quantity_name(q));
	if (*x->points.unit && strcmp(x->points.unit, unit) != 0)
		return err_set(e, STATUS_BAD_INPUT, "--%s %s: a value in %s, expected %s", model_quantity_name(q),
			       choice.value, x->points.unit, unit);
	if (fit_points(w, &x->points, &x->fit, e) < 0)
		return err_prefix(e, "--%s", model_quantity_name(q));
	return 0;
}

static int fit(struct work *w, int first, struct err *e)
{
	if (fit_points(w, &w->points, &w->fit, e) < 0)
		return -1;
	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++)
		if (w->set->quantity[q] && fit_quantity(w, q, first, e) < 0)
			return -1;
	return 0;
}

static int fit_write_report(const struct report *r, const char *path, enum report_format format, bool brief,
			    struct err *e)
{
	static const struct report_pick picks[] = {
		{"model", "value formula weights points r2 rms_error max_error cross_validation "
			  "beyond_error held_out held_out_error"},
		{"sums", NULL},
		{"terms", NULL},
		{"quantity_fits", NULL},
		{"points", "point use value model error sum file"},
		{"predictions", NULL},
		{"caches", NULL},
		{"warnings", NULL},
	};
	struct out *out = out_create(path, e);
	int ret;

	if (!out)
		return -1;
	ret = brief ? report_write_picks(r, picks, sizeof(picks) / sizeof(picks[0]), out_file(out), e)
		    : report_write(r, format, out_file(out), e);
	if (ret < 0)
		return out_fail(out, e);
	return out_close(out, e);
}

/* Makes the report; without `whole` only the contents of a model file. */
static struct report *fit_make_report(const struct work *w, bool whole)
{
	struct report *r = report_create();
	unsigned count = w->set->predict.count;
	const struct fit *quantity[MODEL_QUANTITIES];

	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++)
		quantity[q] = w->quantity[q].done ? &w->quantity[q].fit : NULL;
	report_identity(r, "psim-fit", w->argc, w->argv);
	fit_report_model(r, &w->fit, &w->points);
	fit_report_quantities(r, quantity);
	fit_report_points(r, &w->fit, &w->points);
	if (whole && count)
		fit_report_predictions(r, &w->fit, w->predictions, count);
	fit_report_caches(r, &w->fit, &w->doubts);
	fit_report_warnings(r, &w->fit, &w->points, &w->doubts, w->predictions, whole ? count : 0);
	fit_report_config(r, &w->points);
	return r;
}

static int write_model(const struct work *w, struct err *e)
{
	struct report *r = fit_make_report(w, false);
	int ret = fit_write_report(r, w->set->model, REPORT_JSON, false, e);

	report_destroy(r);
	return ret;
}

static int fit_write_picture(const struct work *w, struct err *e)
{
	struct out *out = out_create(w->set->picture, e);

	if (!out)
		return -1;
	fit_picture(&w->fit, &w->points, out_file(out));
	return out_close(out, e);
}

static int fit_write_all(const struct work *w, struct err *e)
{
	const struct opt_common *common = w->common;
	bool brief = common->format == REPORT_TEXT && !common->verbose;
	struct report *r = fit_make_report(w, true);
	struct err why, first = {0};
	int ret;

	/* a file that fails costs no other one */
	if (fit_write_report(r, common->output, common->format, brief, &why) < 0)
		err_keep_first(&first, &why);
	if (w->set->model && write_model(w, &why) < 0)
		err_keep_first(&first, &why);
	if (w->set->picture && fit_write_picture(w, &why) < 0)
		err_keep_first(&first, &why);
	ret = err_of_first(e, &first);
	if (ret == 0)
		ret = opt_expect("psim-fit", &w->set->expect, r, e);
	report_destroy(r);
	return ret;
}

/* Quantities are single sums. */
static int check_quantities(const struct settings *set, struct err *e)
{
	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++)
		if (set->quantity[q] && (set->interpolate || set->terms.count > 1))
			return err_set(e, STATUS_USAGE, "--%s: expected one sum of terms, not %s",
				       model_quantity_name(q), set->interpolate ? "--interpolate" : "several --terms");
	return 0;
}

static int fit_run(struct work *w, int first, struct err *e)
{
	const struct settings *set = w->set;

	if (set->max_terms < 1 || set->max_terms > MODEL_TERMS_MAX)
		return err_set(e, STATUS_USAGE, "--max-terms %llu: expected 1 to %d",
			       (unsigned long long)set->max_terms, MODEL_TERMS_MAX);
	if (opt_expect_check(&set->expect, e) < 0 || check_quantities(set, e) < 0 || read_points(w, first, e) < 0 ||
	    fit(w, first, e) < 0 || fit_doubts(&w->doubts, &w->fit, &w->points, e) < 0)
		return -1;
	fit_expect_errors(&w->fit, &w->points);
	return fit_write_all(w, e);
}

/* Names the columns of tables that are values, and no sizes. */
static void note_others(struct settings *set)
{
	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++)
		set->choice.others[q] = set->quantity[q];
	set->choice.others[MODEL_QUANTITIES] = set->choice.value ? set->choice.value : "seconds";
}

static void work_finish(struct work *w)
{
	fit_doubts_finish(&w->doubts);
	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++) {
		fit_finish(&w->quantity[q].fit);
		points_finish(&w->quantity[q].points);
	}
	fit_finish(&w->fit);
	points_finish(&w->points);
}

static const char examples[] = "psim-fit --region dgemm --terms '1, n, n^2, n^3' n=32:a.json "
			       "n=64:b.json n=96:c.json n=128:d.json n=160:e.json\n"
			       "psim-fit --region dgemm --hold-out 'n>=256' --predict n=1024 "
			       "--model dgemm.model --picture dgemm.svg sizes.csv\n"
			       "psim-fit --value seconds --terms 'n*m, n*log2(m)' times.csv\n"
			       "psim-fit --value seconds --terms '1, n^3' --terms 'n^2' times.csv";

int main(int argc, char *argv[])
{
	struct settings set = {.max_terms = 4};
	struct opt_common common;
	const struct opt rows[] = {
		{"region", 0, "NAME", "take the value from this region of the reports, not from the whole run",
		 OPT_TEXT, &set.choice.region},
		{"value", 0, "NAME",
		 "fit this value: name in the report (core.seconds), or column of a region or table", OPT_TEXT,
		 &set.choice.value},
		{"energy", 0, "NAME",
		 "also fit the processor's energy: this value, as energy of a region or core.energy_j", OPT_TEXT,
		 &set.quantity[MODEL_energy]},
		{"memory", 0, "NAME", "also fit the bytes read from memory and written to it: this value", OPT_TEXT,
		 &set.quantity[MODEL_memory]},
		{"terms", 't', "LIST", "use these terms, '1, n^(3/2)*log2(m)'; repeated: maximum of the sums", OPT_LIST,
		 &set.terms},
		{"kernel", 'k', "NAME", "choose from the theoretical terms of gemm, fft, stencil, stream or spmv",
		 OPT_TEXT, &set.kernel},
		{"interpolate", 'i', NULL, "use a table of the points, with power laws between them, instead of terms",
		 OPT_FLAG, &set.interpolate},
		{"signs", 0, "positive|any", "choose terms with positive coefficients (default), or with any",
		 OPT_CHOICE, &set.signs},
		{"max-terms", 0, "K", "choose at most K terms (4)", OPT_COUNT, &set.max_terms},
		{"weights", 0, "relative|equal", "minimise errors in percent (default), or in the value's unit",
		 OPT_CHOICE, &set.weights},
		{"hold-out", 0, "CONDITION", "exclude these points from the fit, n=512 or n>400; may be repeated",
		 OPT_LIST, &set.hold_out},
		{"predict", 0, "VALUES", "predict the value for these sizes, n=1024 or n=8,m=2; may be repeated",
		 OPT_LIST, &set.predict},
		{"mixed-config", 0, NULL, "accept reports of different configurations", OPT_FLAG,
		 &set.choice.mixed_config},
		{"model", 'm', "FILE", "write the model, for bsim --model (docs/formats/model-format.md)", OPT_WRITES,
		 &set.model},
		{"picture", 0, "FILE", "write a picture (SVG): data, model, errors", OPT_WRITES, &set.picture},
		{"expect", 0, "FIGURE",
		 "exit with status 5 unless FIGURE holds (model.held_out_error<=3); may be repeated", OPT_LIST,
		 &set.expect},
	};
	const struct opt_program program = {
		.name = "psim-fit",
		.operands = "VALUES:REPORT.json|TABLE.csv...",
		.summary = "Fits a time model to psim's reports of several sizes (n=64:FILE for "
			   "each), or to a table.",
		.examples = examples,
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_OUTPUT | OPT_RUN,
		.common = &common,
		.min_operands = 1,
		.max_operands = 10000,
	};
	struct work work = {.set = &set, .common = &common, .argc = argc, .argv = argv};
	int status, first = opt_start(&program, argc, argv, &status);
	struct err e;

	if (first < 0)
		return status;
	note_others(&set);
	status = fit_run(&work, first, &e) < 0 ? opt_fail(&program, &e) : STATUS_DONE;
	work_finish(&work);
	return status;
}
