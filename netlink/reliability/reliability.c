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

bool reliability_given(const struct reliability_config *c)
{
	return c->reliability.node_mtbf > 0;
}

int reliability_config_check(const struct config *c, const struct reliability_config *r, struct err *e)
{
	if (reliability_given(r) && !(r->reliability.checkpoint > 0) && !(r->reliability.interval > 0))
		return err_set(
			e, STATUS_USAGE,
			"%s: reliability.node_mtbf without reliability.checkpoint: expected the time of a checkpoint, "
			"or reliability.interval",
			config_origin(c, "reliability", "node_mtbf"));
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

double reliability_expected(const struct reliability_work *w)
{
	return w->mtbf * exp(w->restart / w->mtbf) * expm1((w->interval + w->checkpoint) / w->mtbf) * w->work /
	       w->interval;
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
	double u = rng_unit(f->seed, f->trial, f->drawn++);

	f->left = f->scale * pow(-log1p(-u), 1 / f->w->shape);
}

/* Goes on for `need` seconds, or up to the next failure; adds what passes. Returns whether all of it is done. */
static bool go_on(struct failures *f, double need, double *time)
{
	if (f->left >= need) {
		f->left -= need;
		*time += need;
		return true;
	}
	*time += f->left;
	next_failure(f);
	return false;
}

double reliability_trial(const struct reliability_work *w, uint64_t seed, uint64_t trial)
{
	struct failures f = {.w = w, .seed = seed, .trial = trial, .scale = w->mtbf / tgamma(1 + 1 / w->shape)};
	double time = 0, left = w->work;

	next_failure(&f);
	while (left > 0) {
		double step = left < w->interval ? left : w->interval;

		/* a part of an interval has its share of a checkpoint, as in Daly's formula */
		while (!go_on(&f, step + w->checkpoint * (step / w->interval), &time)) {
			while (!go_on(&f, w->restart, &time) && f.drawn < FAILURES_MOST)
				;
			if (f.drawn >= FAILURES_MOST)
				return (double)INFINITY;
		}
		left -= step;
	}
	return time;
}

int reliability_run(const struct reliability_work *w, uint64_t seed, unsigned trials, struct reliability_times *out,
		    struct err *e)
{
	double *time = mem_alloc(trials, sizeof(*time), e);
	struct spread s;

	if (!time)
		return -1;
	*out = (struct reliability_times){0};
	for (unsigned n = 0; n < trials && !out->endless; n++) {
		time[n] = reliability_trial(w, seed, n);
		out->endless = isinf(time[n]);
	}
	if (!out->endless) {
		s = spread_of(time, trials);
		out->mean = s.mean;
		out->error = spread_half(&s);
	}
	free(time);
	return 0;
}
