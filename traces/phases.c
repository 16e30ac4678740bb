/* From vectors to phases: how many there are, and which intervals stand for them. */
#include "phases.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../psim/base/kmeans.h"
#include "../psim/base/mem.h"
#include "../psim/base/rng.h"
#include "phase_vectors.h"

enum { SEED = 1 };

/* Reads a number of 1 to `limit` at *text, and moves it behind. 0: there is none. */
static uint64_t number_at(const char **text, uint64_t limit)
{
	char *end;
	uint64_t value = **text >= '0' && **text <= '9' ? strtoull(*text, &end, 10) : 0;

	if (!value || value > limit)
		return 0;
	*text = end;
	return value;
}

static int read_plan(struct phase_plan *p, const char *option, const char *text, struct err *e)
{
	const char *at = text;

	p->interval = number_at(&at, UINT32_MAX);
	if (p->interval && *at == '/') {
		at++;
		p->most = (unsigned)number_at(&at, PHASES_LIMIT);
	}
	if (*at || p->interval < PHASE_INTERVAL_LEAST || !p->most)
		return err_set(
			e, STATUS_USAGE,
			"%s=%s: expected LENGTH or LENGTH/PHASES, intervals of %d instructions or more and 1 to %d "
			"phases, as in 100000/10",
			option, text, PHASE_INTERVAL_LEAST, PHASES_LIMIT);
	return 0;
}

int phase_plan_parse(struct phase_plan *p, const char *option, const char *text, uint64_t length, struct err *e)
{
	const char *set = *text ? "=" : "";

	*p = (struct phase_plan){.interval = PHASE_INTERVAL_USUAL, .most = PHASES_MOST};
	if (*text && read_plan(p, option, text, e) < 0)
		return -1;
	if (!length)
		return err_set(e, STATUS_USAGE, "%s%s%s: the length of the trace is unknown, expected a file", option,
			       set, text);
	if (!*text && length / PHASE_INTERVALS_USUAL > p->interval)
		p->interval = length / PHASE_INTERVALS_USUAL;
	if (length / p->interval < PHASE_INTERVALS_LEAST)
		return err_set(e, STATUS_USAGE,
			       "%s%s%s: %" PRIu64 " instructions are %" PRIu64 " intervals of %" PRIu64
			       ", expected at least %d: simulate the trace whole, or choose shorter intervals",
			       option, set, text, length, length / p->interval, p->interval, PHASE_INTERVALS_LEAST);
	if (length / p->interval >= PHASE_INTERVALS_LIMIT)
		return err_set(e, STATUS_USAGE,
			       "%s%s%s: more than %d intervals of %" PRIu64 " instructions, expected "
			       "longer ones",
			       option, set, text, PHASE_INTERVALS_LIMIT, p->interval);
	return 0;
}

/* ---- how many ---- */
/* The best of PHASE_SEEDS divisions into `groups`. 0, or -1 with `e`. */
static int divide(struct kmeans *best, const struct kmeans_points *p, unsigned groups, struct err *e)
{
	*best = (struct kmeans){.groups = 0};
	for (uint64_t seed = 1; seed <= PHASE_SEEDS; seed++) {
		struct kmeans k;

		if (kmeans_create(&k, p, groups, seed, e) < 0) {
			kmeans_finish(best);
			return -1;
		}
		if (best->groups && k.bic <= best->bic) {
			kmeans_finish(&k);
			continue;
		}
		kmeans_finish(best);
		*best = k;
	}
	return 0;
}

/* The smallest number of groups with a good score: all[n] has n + 1, or fewer. */
static unsigned choose_number(const struct kmeans *all, unsigned count)
{
	double least = all[0].bic, most = all[0].bic;
	unsigned n = 0;

	for (unsigned k = 1; k < count; k++) {
		least = fmin(least, all[k].bic);
		most = fmax(most, all[k].bic);
	}
	while (all[n].bic < least + PHASE_SCORE / 100.0 * (most - least))
		n++;
	return n;
}

/* ---- which ---- */
static bool has_check(const struct phase *phase, uint64_t interval)
{
	for (unsigned n = 0; n < phase->checks; n++)
		if (phase->check[n] == interval)
			return true;
	return false;
}

/* Draws the checks of a phase among its intervals but for the chosen one, each at most once. */
static void draw_checks(struct phase *phase, const struct kmeans *k, uint64_t points, unsigned group)
{
	uint64_t wanted = 1 + (PHASE_CHECKS - 1) * phase->intervals / points;

	if (wanted > phase->intervals - 1)
		wanted = phase->intervals - 1;
	while (phase->checks < wanted) {
		/* of those that are left */
		uint64_t left = rng_below(SEED, group, phase->checks, phase->intervals - 1 - phase->checks), n = 0;

		while (k->of[n] != group || n == phase->chosen || has_check(phase, n) || left--)
			n++;
		phase->check[phase->checks++] = n;
	}
}

/*
 * Distances up to this are as near to the centre as `least`: an interval may be a block longer, and loops that repeat
 * themselves have many intervals of one vector.
 */
static double as_near(double least)
{
	return least * (1 + 1e-9) + 1e-12;
}

/* The middle one, in the order of the trace, of the intervals of `group` next to its centre: the first may be cold. */
static uint64_t middle_nearest(const struct kmeans *k, const struct kmeans_points *p, unsigned group)
{
	double least = HUGE_VAL;
	uint64_t near = 0, n = 0, left;

	for (size_t i = 0; i < p->count; i++)
		if (k->of[i] == group)
			least = fmin(least, kmeans_distance(k, p, i, group));
	for (size_t i = 0; i < p->count; i++)
		near += k->of[i] == group && kmeans_distance(k, p, i, group) <= as_near(least);
	left = near / 2;
	while (k->of[n] != group || kmeans_distance(k, p, n, group) > as_near(least) || left--)
		n++;
	return n;
}

static void choose_interval(struct phase *phase, const struct kmeans *k, const struct kmeans_points *p, unsigned group,
			    const uint64_t *instructions)
{
	*phase = (struct phase){.chosen = middle_nearest(k, p, group)};
	for (uint64_t n = 0; n < p->count; n++) {
		if (k->of[n] != group)
			continue;
		phase->intervals++;
		phase->instructions += instructions[n];
	}
	draw_checks(phase, k, p->count, group);
}

/* The part of an interval's length below which it stands for nothing: the last one may be short. */
static bool is_short(const struct phase_vectors *v, size_t n)
{
	return n + 1 == v->rows.count && v->rows.at[n].instructions < v->interval;
}

/* Numbers of the groups in the order of their first intervals. */
static void order_groups(const struct kmeans *k, size_t points, uint32_t *number)
{
	uint32_t next = 0;

	memset(number, 0xff, k->groups * sizeof(*number));
	for (size_t n = 0; n < points; n++)
		if (number[k->of[n]] == UINT32_MAX)
			number[k->of[n]] = next++;
}

/* The group of the short last interval, which is no point: that with the nearest centre. */
static uint32_t nearest_group(const struct kmeans *k, const double *row)
{
	const struct kmeans_points last = {row, 1, PHASE_DIMENSIONS};
	uint32_t best = 0;

	for (uint32_t g = 1; g < k->groups; g++)
		if (kmeans_distance(k, &last, 0, g) < kmeans_distance(k, &last, 0, best))
			best = g;
	return best;
}

/* Fills the phases from a division of the points. 0, or -1 with `e` without memory. */
static int fill_phases(struct phases *out, const struct phase_vectors *v, const struct kmeans_points *p,
		       const uint64_t *instructions, const struct kmeans *k, double squares, struct err *e)
{
	uint32_t *number = mem_alloc(k->groups, sizeof(*number), e);

	out->count = k->groups;
	out->phase = number ? mem_alloc(k->groups, sizeof(*out->phase), e) : NULL;
	out->of = out->phase ? mem_alloc(v->rows.count, sizeof(*out->of), e) : NULL;
	if (!out->of) {
		free(number);
		return -1;
	}
	order_groups(k, p->count, number);
	for (unsigned g = 0; g < k->groups; g++)
		choose_interval(&out->phase[number[g]], k, p, g, instructions);
	for (size_t n = 0; n < v->rows.count; n++)
		out->of[n] = number[n < p->count ? k->of[n] : nearest_group(k, v->rows.at[n].at)];
	for (size_t n = p->count; n < v->rows.count; n++) {
		out->phase[out->of[n]].intervals++;
		out->phase[out->of[n]].instructions += v->rows.at[n].instructions;
	}
	out->explained = squares > 0 ? 1 - k->squares / squares : 1;
	free(number);
	return 0;
}

/* Divides the points for each number of groups, and fills the phases from the choice. 0, or -1 with `e`. */
static int group_points(struct phases *out, const struct phase_vectors *v, const struct kmeans_points *p,
			const uint64_t *instructions, unsigned most, struct err *e)
{
	struct kmeans *all = mem_alloc(most, sizeof(*all), e);
	unsigned count = 0;
	int ret = all ? 0 : -1;

	while (ret == 0 && count < most && count < p->count) {
		ret = divide(&all[count], p, count + 1, e);
		count += ret == 0;
	}
	if (ret == 0)
		ret = fill_phases(out, v, p, instructions, &all[choose_number(all, count)], all[0].squares, e);
	while (count)
		kmeans_finish(&all[--count]);
	free(all);
	return ret;
}

int phases_choose(struct phases *out, struct phase_vectors *v, unsigned most, struct err *e)
{
	struct kmeans_points p = {.dims = PHASE_DIMENSIONS};
	uint64_t *instructions;
	double *at;
	int ret;

	*out = (struct phases){.interval = v->interval};
	if (phase_vectors_end(v, e) < 0)
		return -1;
	out->intervals = v->rows.count;
	if (out->intervals < PHASE_INTERVALS_LEAST)
		return err_set(e, STATUS_USAGE,
			       "%" PRIu64 " intervals of %" PRIu64 " instructions, expected at least %d",
			       out->intervals, v->interval, PHASE_INTERVALS_LEAST);
	at = mem_alloc(v->rows.count * PHASE_DIMENSIONS, sizeof(*at), e);
	instructions = at ? mem_alloc(v->rows.count, sizeof(*instructions), e) : NULL;
	if (!instructions) {
		free(at);
		return -1;
	}
	for (size_t n = 0; n < v->rows.count; n++) {
		out->instructions += instructions[n] = v->rows.at[n].instructions;
		memcpy(at + n * PHASE_DIMENSIONS, v->rows.at[n].at, sizeof(v->rows.at[n].at));
		p.count += !is_short(v, n);
	}
	p.at = at;
	ret = group_points(out, v, &p, instructions, most, e);
	free(at);
	free(instructions);
	if (ret < 0)
		phases_finish(out);
	return ret;
}

void phases_finish(struct phases *p)
{
	free(p->phase);
	free(p->of);
	*p = (struct phases){.interval = 0};
}
