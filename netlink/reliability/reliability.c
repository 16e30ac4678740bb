#include "reliability.h"

#include <math.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "../../psim/base/spread.h"

#include "../../psim/base/config/config_sections.h" /* after the structs of the same rows */

void reliability_config_add(struct config *c, struct reliability_config *target)
{
#include "reliability_params.def"
}

static bool is_drawn(const struct reliability_config *c)
{
	return c->reliability.node_mtbf > 0 || c->reliability.link_mtbf > 0;
}

bool reliability_given(const struct reliability_config *c)
{
	return is_drawn(c) || *c->reliability.failures;
}

int reliability_config_check(const struct config *c, const struct reliability_config *r, struct err *e)
{
	const struct reliability_reliability_params *p = &r->reliability;
	bool added = p->checkpoint > 0 || p->interval > 0;

	if (!reliability_given(r))
		return 0;
	if (is_drawn(r) && *p->failures)
		return err_set(e, STATUS_USAGE,
			       "%s: reliability.failures and reliability.%s: expected times of failures, or their mean",
			       config_origin(c, "reliability", "failures"),
			       p->node_mtbf > 0 ? "node_mtbf" : "link_mtbf");
	if (p->work > 0 && !added)
		return err_set(
			e, STATUS_USAGE,
			"%s: reliability.work without reliability.checkpoint: expected the time of a checkpoint, or "
			"reliability.interval, or the work of the run, in which the program marks checkpoints",
			config_origin(c, "reliability", "work"));
	if (*p->failures && added && !(p->interval > 0))
		return err_set(e, STATUS_USAGE,
			       "%s: reliability.checkpoint without reliability.interval: expected both with a file of "
			       "failures, which has no mean time",
			       config_origin(c, "reliability", "checkpoint"));
	return 0;
}

double reliability_young(double mtbf, double checkpoint)
{
	return sqrt(2 * checkpoint * mtbf);
}

double reliability_daly(double mtbf, double checkpoint)
{
	double x = checkpoint / (2 * mtbf);

	return x < 1 ? sqrt(2 * checkpoint * mtbf) * (1 + sqrt(x) / 3 + x / 9) - checkpoint : mtbf;
}

/* ---- parts of the work, each of which ends with its state saved ---- */

struct part {
	double work, saving; /* s; saving: an added checkpoint */
};

/* Gets part `i`, of a work of which `left` is to be done. False: all is done. */
static bool part_of(const struct reliability_work *w, size_t i, double left, struct part *p)
{
	if (w->marked) {
		if (i > w->marks)
			return false;
		*p = (struct part){(i < w->marks ? w->mark[i] : w->work) - (i ? w->mark[i - 1] : 0), 0};
		return true;
	}
	p->work = left < w->interval ? left : w->interval;
	/* a part of an interval has its share of a checkpoint, as in Daly's formula */
	p->saving = w->checkpoint * (p->work / w->interval);
	return left > 0;
}

/* Time of a part that takes `seconds` without failures. */
static double expected_part(const struct reliability_work *w, double seconds)
{
	return w->mtbf * exp(w->restart / w->mtbf) * expm1(seconds / w->mtbf);
}

double reliability_expected(const struct reliability_work *w)
{
	struct part p;
	double sum = 0;

	if (!w->marked)
		return expected_part(w, w->interval + w->checkpoint) * w->work / w->interval;
	for (size_t i = 0; part_of(w, i, 0, &p); i++)
		sum += expected_part(w, p.work);
	return sum;
}

/* ---- trials ---- */

enum { FAILURES_MOST = 100000 }; /* of a trial, behind which it ends without a result */

/* Failures of a trial, one after the other. */
struct failures {
	const struct reliability_work *w;
	uint64_t seed, trial, drawn;
	double scale, left; /* left: until the next one */
};

static void next_failure(struct failures *f)
{
	uint64_t i = f->drawn++;

	if (!f->w->listed)
		f->left = f->scale * pow(-log1p(-rng_unit(f->seed, f->trial, i)), 1 / f->w->shape);
	else if (i < f->w->failures)
		f->left = f->w->failure[i] - (i ? f->w->failure[i - 1] : 0);
	else
		f->left = (double)INFINITY;
}

/* Goes on for `need` seconds, or up to the next failure; *passed is how long. Returns whether all of it is done. */
static bool go_on(struct failures *f, double need, double *passed)
{
	bool done = f->left >= need;

	*passed = done ? need : f->left;
	if (done)
		f->left -= need;
	else
		next_failure(f);
	return done;
}

/* Restarts after a failure, until no other one comes in between. False: too many come. */
static bool restart(struct failures *f, struct reliability_trial *t)
{
	bool done = false;

	while (!done && f->drawn < FAILURES_MOST) {
		double passed;

		done = go_on(f, f->w->restart, &passed);
		t->failures += !done;
		t->restarting += passed;
	}
	return f->drawn < FAILURES_MOST;
}

struct reliability_trial reliability_trial(const struct reliability_work *w, uint64_t seed, uint64_t trial)
{
	struct failures f = {.w = w, .seed = seed, .trial = trial, .scale = w->mtbf / tgamma(1 + 1 / w->shape)};
	struct reliability_trial t = {0};
	double left = w->work;
	struct part p;

	next_failure(&f);
	for (size_t i = 0; part_of(w, i, left, &p); i++) {
		double passed;

		while (!go_on(&f, p.work + p.saving, &passed)) {
			t.failures++;
			t.repeated += passed;
			if (!restart(&f, &t))
				return (struct reliability_trial){.seconds = (double)INFINITY};
		}
		t.saving += p.saving;
		left -= p.work;
	}
	t.seconds = w->work + t.saving + t.repeated + t.restarting;
	return t;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_trial(struct reliability_trial *to, const struct reliability_trial *t, double share)
{
	to->saving += share * t->saving;
	to->repeated += share * t->repeated;
	to->restarting += share * t->restarting;
	to->failures += share * t->failures;
}

/* Sorts the times. */
static void summarize(double *time, unsigned trials, struct reliability_times *out)
{
	struct spread s = spread_of(time, trials);

	out->mean.seconds = s.mean;
	out->error = spread_half(&s);
	qsort(time, trials, sizeof(*time), by_size);
	out->low = time[trials / 20];
	out->high = time[trials - 1 - trials / 20];
}

int reliability_run(const struct reliability_work *w, uint64_t seed, unsigned trials, struct reliability_times *out,
		    struct err *e)
{
	double *time = mem_alloc(trials, sizeof(*time), e);

	if (!time)
		return -1;
	*out = (struct reliability_times){0};
	for (unsigned n = 0; n < trials && !out->endless; n++) {
		struct reliability_trial t = reliability_trial(w, seed, n);

		time[n] = t.seconds;
		out->endless = isinf(time[n]);
		add_trial(&out->mean, &t, 1.0 / trials);
	}
	if (!out->endless)
		summarize(time, trials, out);
	free(time);
	return 0;
}
