#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "point_kind.h"

/* ---- identity of a configuration ---- */
static void plan_hash_text(uint64_t *h, const char *text)
{
	*h = hash_bytes(*h, text, strlen(text));
}

/*
 * FNV-1a, 64 bits, over the lines "section.key=value" of all parameters, the runs if there are several, and what else
 * determines results.
 */
static uint64_t plan_hash(const struct config *c, uint64_t runs, const char *identity)
{
	uint64_t h = config_hash(c);
	char text[32];

	if (runs > 1) {
		snprintf(text, sizeof(text), "runs=%" PRIu64 "\n", runs);
		plan_hash_text(&h, text);
	}
	plan_hash_text(&h, identity);
	return h;
}

/* ---- traces ---- */
/*
 * Returns the number of the file at `path` and takes ownership of it; opens a file that is not
 * in the plan yet.
 */
static int64_t find_or_open_file(struct plan *p, char *path, struct err *e)
{
	struct plan_file *f;

	for (size_t n = 0; n < p->files.count; n++) {
		if (strcmp(p->files.at[n].path, path) != 0)
			continue;
		free(path);
		return (int64_t)n;
	}
	f = vec_push(&p->files, e);
	if (!f) {
		free(path);
		return -1;
	}
	*f = (struct plan_file){.path = path};
	return p->study->kind->open(f, e) < 0 ? -1 : (int64_t)p->files.count - 1;
}

static int same_content(const struct plan *p, const struct plan_point *points, size_t trace, struct err *e)
{
	const struct study *s = p->study;

	for (size_t n = 0; n < trace; n++)
		if (p->files.at[points[n].file].checksum == p->files.at[points[trace].file].checksum)
			return err_set(e, STATUS_USAGE, "%s:%u: %s %s has the content of %s, expected another %s",
				       s->path, s->traces.at[trace].line, s->kind->input, s->traces.at[trace].name,
				       s->traces.at[n].name, s->kind->input);
	return 0;
}

/* ---- points ---- */
/* Removes the values at the end of a message of study_configure, so that equal reasons are equal. */
static void strip_label(const struct study *s, size_t combination, char *why)
{
	char label[STUDY_LABEL_MAX], end[STUDY_LABEL_MAX + 4];
	size_t length = strlen(why), cut;

	study_label(s, combination, label);
	cut = (size_t)snprintf(end, sizeof(end), " (%s)", label);
	if (length > cut && !strcmp(why + length - cut, end))
		why[length - cut] = '\0';
}

/* Skips the combination for the reason `why`, except if memory is exhausted. */
static int skip(struct plan *p, size_t combination, const struct err *why, struct err *e)
{
	const size_t traces = p->study->traces.count;
	struct plan_skip *s;

	if (why->status != STATUS_USAGE) {
		*e = *why;
		return -1;
	}
	s = vec_push(&p->skips, e);
	if (!s)
		return -1;
	*s = (struct plan_skip){combination, mem_copy_text(why->text, e)};
	if (s->why)
		strip_label(p->study, combination, s->why);
	for (size_t t = 0; t < traces; t++) {
		struct plan_point *point = &p->points[combination * traces + t];

		point_units_finish(&point->units);
		*point = (struct plan_point){
			.combination = (uint32_t)combination,
			.trace = (uint32_t)t,
			.skipped = true,
		};
	}
	return s->why ? 0 : -1;
}

/* Counts a combination of which the models' laws are not said to hold. */
static int note_doubt(struct plan *p, size_t combination, struct err *e)
{
	char text[POINT_DOUBT_MAX];
	int found = p->study->kind->doubts ? p->study->kind->doubts(p->study, text, e) : 0;

	if (found > 0 && !p->doubted++) {
		p->first_doubted = combination;
		memcpy(p->doubt, text, sizeof(p->doubt));
	}
	return found < 0 ? -1 : 0;
}

static int plan_combination(struct plan *p, size_t combination, struct err *e)
{
	struct study *s = p->study;
	struct plan_point *points = &p->points[combination * s->traces.count];
	char identity[POINT_IDENTITY_MAX] = "";
	struct err why;

	if (study_configure(s, combination, &why) < 0 || (s->kind->allowed && s->kind->allowed(s, &why) < 0))
		return skip(p, combination, &why, e);
	config_note_used(s->config, s->kind->uses);
	if (s->kind->identity && s->kind->identity(s, identity, e) < 0)
		return err_prefix(e, "%s", s->path);
	p->hash[combination] = plan_hash(s->config, s->runs, identity);
	for (size_t t = 0; t < s->traces.count; t++) {
		char *path = study_trace_path(s, &s->traces.at[t], e);
		int64_t file = path ? find_or_open_file(p, path, e) : -1;

		if (file < 0)
			return err_prefix(e, "%s:%u: %s %s", s->path, s->traces.at[t].line, s->kind->input,
					  s->traces.at[t].name);
		if (s->kind->fits && s->kind->fits(s, &p->files.at[file], &why) < 0) {
			err_prefix(&why, "%s:%u: %s %s", s->path, s->traces.at[t].line, s->kind->input,
				   s->traces.at[t].name);
			why.status = STATUS_USAGE;
			p->hash[combination] = 0;
			return skip(p, combination, &why, e);
		}
		points[t] = (struct plan_point){
			.combination = (uint32_t)combination,
			.trace = (uint32_t)t,
			.file = (uint32_t)file,
			.cores = s->core.chip.cores ? s->core.chip.cores : 1,
			.idle_array = s->core.simd.pes && !p->files.at[file].pes,
		};
		if (same_content(p, points, t, e) < 0)
			return -1;
	}
	p->live += s->traces.count;
	return note_doubt(p, combination, e);
}

/* Fails if nothing is left of the study, with the reason of its first combination. */
static int check_not_empty(const struct plan *p, struct err *e)
{
	char label[STUDY_LABEL_MAX];

	if (p->live)
		return 0;
	study_label(p->study, p->skips.at[0].combination, label);
	return err_set(e, STATUS_USAGE, "%s (%s)", p->skips.at[0].why, label);
}

/* Orders skips by their combinations: results that come one by one do not change the tables. */
static int by_skipped(const void *a, const void *b)
{
	const struct plan_skip *x = a, *y = b;

	return x->combination < y->combination ? -1 : x->combination > y->combination;
}

/* The first point of a combination whose run is a runaway; NULL: none is. */
static const struct plan_point *runaway_of(const struct plan *p, size_t combination)
{
	const size_t traces = p->study->traces.count;
	const struct plan_point *points = &p->points[combination * traces];

	for (size_t t = 0; t < traces; t++)
		if (!points[t].skipped && plan_has(&points[t]) && figures_runaway(&points[t].figures))
			return &points[t];
	return NULL;
}

int plan_skip_runaways(struct plan *p, struct plan_skip *first, struct err *e)
{
	int found = 0;

	for (size_t n = 0; p->study->kind->runaway && n < p->study->combinations; n++) {
		const struct plan_point *point = runaway_of(p, n);
		struct err why;

		if (!point)
			continue;
		if (study_configure(p->study, n, e) < 0)
			return -1;
		p->study->kind->runaway(p->study, p->study->traces.at[point->trace].name, &why);
		p->hash[n] = 0;
		if (skip(p, n, &why, e) < 0)
			return -1;
		p->live -= p->study->traces.count;
		if (!found++)
			*first = p->skips.at[p->skips.count - 1];
	}
	if (found)
		qsort(p->skips.at, p->skips.count, sizeof(*p->skips.at), by_skipped);
	return found && check_not_empty(p, e) < 0 ? -1 : found;
}

struct plan *plan_create(struct study *study, struct err *e)
{
	struct plan *p = mem_alloc(1, sizeof(*p), e);

	if (!p)
		return NULL;
	p->study = study;
	p->count = study->combinations * study->traces.count;
	p->hash = mem_alloc(study->combinations, sizeof(*p->hash), e);
	p->points = p->hash ? mem_alloc(p->count, sizeof(*p->points), e) : NULL;
	for (size_t n = 0; p->points && n < study->combinations; n++) {
		if (plan_combination(p, n, e) < 0) {
			plan_destroy(p);
			return NULL;
		}
	}
	if (!p->points || check_not_empty(p, e) < 0) {
		plan_destroy(p);
		return NULL;
	}
	return p;
}

void plan_destroy(struct plan *p)
{
	if (!p)
		return;
	for (size_t n = 0; n < p->files.count; n++) {
		free(p->files.at[n].path);
		free(p->files.at[n].program);
		free((void *)(uintptr_t)p->files.at[n].units.chosen);
	}
	for (size_t n = 0; p->points && n < p->count; n++)
		point_units_finish(&p->points[n].units);
	vec_finish(&p->files);
	for (size_t n = 0; n < p->skips.count; n++)
		free(p->skips.at[n].why);
	vec_finish(&p->skips);
	free(p->points);
	free(p->hash);
	free(p);
}

size_t plan_known(const struct plan *p)
{
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++)
		count += plan_has(&p->points[n]) ||
			 (p->points[n].units.count && !plan_missing(&p->points[n]) && !p->points[n].left_out);
	return count;
}

size_t plan_idle_arrays(const struct plan *p)
{
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++)
		count += p->points[n].idle_array && !p->points[n].left_out;
	return count;
}

bool plan_has(const struct plan_point *point)
{
	return (point->known || point->estimated) && !point->left_out;
}

bool plan_lacks_units(const struct plan_point *point)
{
	return point->sampled && !point->units.count && (point->anchor || !point->known);
}

bool plan_lacks_whole(const struct plan_point *point)
{
	return !point->known && (!point->sampled || point->anchor || point->wide);
}

bool plan_missing(const struct plan_point *point)
{
	return (plan_lacks_units(point) || plan_lacks_whole(point)) && !point->failed && !point->skipped &&
	       !point->elsewhere && !point->left_out;
}

void plan_choose(struct plan *p, const bool *chosen)
{
	p->live = 0;
	for (size_t n = 0; n < p->count; n++) {
		p->points[n].left_out = !chosen[n / p->study->traces.count];
		p->live += !p->points[n].skipped && !p->points[n].left_out;
	}
}

void plan_give_up(struct plan *p)
{
	for (size_t n = 0; n < p->count; n++)
		p->points[n].failed |= plan_missing(&p->points[n]);
}

size_t plan_missing_count(const struct plan *p)
{
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++)
		count += plan_missing(&p->points[n]);
	return count;
}

size_t plan_other_version_count(const struct plan *p)
{
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++)
		count += plan_missing(&p->points[n]) && p->points[n].of_other_version;
	return count;
}

void plan_share(struct plan *p, uint64_t number, uint64_t count)
{
	for (size_t n = 0; n < p->count; n++) {
		struct plan_point *point = &p->points[n];
		uint32_t trace = point->skipped ? 0 : p->files.at[point->file].checksum;

		point->elsewhere = rng_below(p->hash[point->combination], trace, 0, count) + 1 != number;
	}
}

uint64_t plan_work(const struct plan *p)
{
	uint64_t insns = 0;

	for (size_t n = 0; n < p->count; n++)
		if (plan_missing(&p->points[n]))
			insns += p->files.at[p->points[n].file].length * p->points[n].cores;
	return insns;
}
