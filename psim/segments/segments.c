#include "segments.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../core/core_state.h"
#include "../bpred/bpred.h"

/* ---- counts ---- */
enum {
	STATS = sizeof(struct core_stats) / sizeof(uint64_t),
	MEMORY = sizeof(struct memsys_stats) / sizeof(uint64_t),
	BRANCH = sizeof(struct bpred_stats) / sizeof(uint64_t),
	HEAD = sizeof(struct segment_record) / sizeof(uint64_t),
	FIXED = HEAD + STATS + MEMORY + BRANCH,
	REGION = 1 + STATS + MEMORY + BRANCH,
	PROFILE = 3, /* of an instruction: its number, commits, lost slots; with core_options.details, DETAIL follow */
	DETAIL = sizeof(struct core_detail) / sizeof(uint64_t),
};
_Static_assert(sizeof(struct segment_record) % sizeof(uint64_t) == 0, "a record is words");

/* Words of an instruction in a record. */
static size_t profile_words(const struct core *c)
{
	return PROFILE + (c->counters.detail ? DETAIL : 0);
}

static int segments_fail(struct core *c)
{
	c->failed = true;
	return err_set(c->error, STATUS_FAILED, "core: out of memory for the counts of a segment");
}

/* Notes the details of instructions. 0, or -1 without memory. */
static int details_begin(struct core *c)
{
	struct segment_counts *k = &c->segment;
	size_t count = c->counters.detail ? c->counters.static_count : 0;
	struct core_detail *detail = count ? realloc(k->detail, count * sizeof(*detail)) : k->detail;

	if (count && !detail)
		return -1;
	k->detail = detail;
	if (count)
		memcpy(detail, c->counters.detail, count * sizeof(*detail));
	return 0;
}

/* Notes all counts, of which the next record has the differences. */
static void counts_begin(struct core *c)
{
	struct segment_counts *k = &c->segment;
	uint64_t *profile = realloc(k->profile, (2 * (size_t)c->counters.static_count + 1) * sizeof(*profile));

	if (profile)
		k->profile = profile;
	if (!profile || details_begin(c) < 0) {
		segments_fail(c);
		return;
	}
	k->profile_count = c->counters.static_count;
	for (uint32_t n = 0; n < k->profile_count; n++) {
		profile[2 * (size_t)n] = c->counters.profile[n].committed;
		profile[2 * (size_t)n + 1] = c->counters.profile[n].lost;
	}
	core_counts(c, &k->before);
	k->warmed = c->front.feed.warmed;
	regions_count_afresh(c);
}

/* Writes the differences of two structs of `words` uint64_t to `to`; returns the end of what was written. */
static uint64_t *put_difference(uint64_t *to, const void *now, const void *then, size_t words)
{
	const uint64_t *a = now, *b = then;

	for (size_t n = 0; n < words; n++)
		*to++ = a[n] - b[n];
	return to;
}

/* Writes the counters since the last record behind `head`; returns the end of what was written. */
static uint64_t *put_counters(const struct core *c, uint64_t *to, const struct segment_record *head)
{
	const struct counts *before = &c->segment.before;

	memcpy(to, head, sizeof(*head));
	to = put_difference(to + HEAD, &c->counters.stats, &before->stats, STATS);
	to = put_difference(to, memsys_stats(c->mem), &before->memory, MEMORY);
	return put_difference(to, bpred_stats(c->bpred), &before->branch, BRANCH);
}

static uint64_t *put_profile(const struct core *c, uint64_t *to)
{
	static const struct core_detail no_detail = {0};
	const struct segment_counts *k = &c->segment;

	for (uint32_t n = 0; n < c->counters.static_count; n++) {
		const struct core_profile *p = &c->counters.profile[n];
		uint64_t committed = p->committed - (n < k->profile_count ? k->profile[2 * (size_t)n] : 0);
		uint64_t lost = p->lost - (n < k->profile_count ? k->profile[2 * (size_t)n + 1] : 0);

		if (!committed && !lost)
			continue;
		*to++ = n;
		*to++ = committed;
		*to++ = lost;
		if (c->counters.detail)
			to = put_difference(to, &c->counters.detail[n],
					    n < k->profile_count ? &k->detail[n] : &no_detail, DETAIL);
	}
	return to;
}

static uint64_t *put_regions(const struct core *c, uint64_t *to)
{
	for (unsigned n = 0; n < c->regions.count; n++) {
		struct core_region r;

		core_region(c, n, &r);
		*to++ = r.entries;
		memcpy(to, &r.stats, sizeof(r.stats));
		memcpy(to + STATS, &r.memory, sizeof(r.memory));
		memcpy(to + STATS + MEMORY, &r.branch, sizeof(r.branch));
		to += STATS + MEMORY + BRANCH;
	}
	return to;
}

/*
 * Returns the units whose mirror image would count otherwise: an instruction that only the first pipe executes is in
 * the window, or has been selected since the last record.
 */
static uint64_t first_pipe_units(const struct core *c)
{
	uint64_t units = 0;

	for (unsigned class = 0; class < CLASS_COUNT; class ++)
		if (uop_class_first_pipe(class) &&
		    c->counters.stats.selected_class[class] != c->segment.before.stats.selected_class[class])
			units |= station_mirror_of(uop_class_unit(class));
	for (unsigned age = 0; age < c->win.rob_count; age++) {
		const struct uop *u = c->win.rob[(c->win.rob_head + age) & c->win.rob_mask].uop;

		if (u->flags & UOP_FIRST_PIPE)
			units |= station_mirror_of(u->unit);
	}
	return units;
}

void segment_sync_point(struct core *c, bool end)
{
	struct segment_counts *k = &c->segment;
	size_t most = FIXED + (size_t)REGION * c->regions.count + profile_words(c) * c->counters.static_count;
	uint64_t *words, *to;
	struct segment_record head = {.regions = c->regions.count};

	if (end && k->made)
		return; /* nothing is simulated: chip_create was at the end before */
	words = to = realloc(k->words, most * sizeof(*words));
	if (!words) {
		segments_fail(c);
		return;
	}
	k->words = words;
	flush_counters(c);
	head.sync = end ? SEGMENT_END : c->front.feed.segment.before;
	head.warmed = c->front.feed.warmed - k->warmed;
	head.first_pipe = first_pipe_units(c);
	head.known =
		!end && segment_compared(&c->front.feed.segment.plan, head.sync) && segment_digests(c, head.mirrored);
	to = put_profile(c, put_regions(c, put_counters(c, to, &head)));
	k->count = (size_t)(to - words);
	assert(k->count >= FIXED && k->count <= most);
	k->made = true;
	counts_begin(c);
}

const struct segment_record *core_segment_row(struct core *c, size_t *ret_words)
{
	const struct segment_record head = {.sync = SEGMENT_ROW};
	struct segment_counts *k = &c->segment;

	if (!k->row)
		k->row = malloc(FIXED * sizeof(*k->row));
	if (!k->row)
		return NULL;
	put_counters(c, k->row, &head);
	*ret_words = FIXED;
	return (const struct segment_record *)(const void *)k->row;
}

uint64_t segment_cycles(const struct segment_record *r)
{
	return ((const struct core_stats *)(const void *)(r + 1))->cycles;
}

const struct segment_record *core_segment_record(struct core *c, size_t *ret_words)
{
	struct segment_counts *k = &c->segment;

	if (!k->made)
		return NULL;
	k->made = false;
	*ret_words = k->count;
	return (const struct segment_record *)(const void *)k->words;
}

/* ---- processes ---- */
void core_segment_enter(struct core *c)
{
	struct feed *f = &c->front.feed;

	f->segment.outside = false;
	segment_place_set(&f->segment, f->segment.number * SEGMENT_SYNCS);
	f->now->outside = false;
	if (segment_place_reach(&f->segment, f->counted - f->now->block->count) && segment_mark(c) < 0)
		c->failed = true;
	f->simulated += f->now->block->count;
}

int core_segment_leave(struct core *c, struct err *e)
{
	struct feed *f = &c->front.feed;
	int more;

	f->segment.outside = true;
	f->segment.number = f->segment.before / SEGMENT_SYNCS;
	f->stopped = true; /* until the last store has been written */
	do
		more = core_run(c, UINT64_MAX, e);
	while (more > 0);
	f->stopped = false;
	return more;
}

int core_segment_next(struct core *c, struct err *e)
{
	struct feed *f = &c->front.feed;
	const struct segment_plan *plan = &f->segment.plan;
	uint64_t number = segment_next_run(plan, f->segment.number), begin = segment_begin(plan, number),
		 from = begin - plan->run_in;

	c->error = e;
	f->segment.number = number;
	f->segment.skims = begin == UINT64_MAX;
	while (f->now->block) {
		uint64_t at = f->counted - f->now->block->count;

		if (begin != UINT64_MAX && !f->now->warm_up && at >= from) {
			while (segment_begin(plan, segment_next_run(plan, f->segment.number)) <= at + plan->run_in)
				f->segment.number = segment_next_run(plan, f->segment.number);
			regions_commit(c, UINT64_MAX);
			return 1;
		}
		/* warming goes by whole blocks: one instruction more warms the rest of this one */
		if (feed_resume(c, at < from ? from - at : 1) < 0)
			return -1;
	}
	regions_commit(c, UINT64_MAX);
	return 0;
}

uint64_t core_segment_number(const struct core *c)
{
	return c->front.feed.segment.number;
}

int core_segment_go(struct core *c, uint64_t number, struct err *e)
{
	assert(number > c->front.feed.segment.number && !c->front.feed.segment.plan.runs);
	c->front.feed.segment.number = number - 1;
	return core_segment_next(c, e);
}

/* ---- the sum ---- */
void core_segment_clear(struct core *c)
{
	const struct memsys_stats no_memory = {0};
	const struct bpred_stats no_branch = {0};

	flush_counters(c);
	c->front.feed.warmed = 0;
	c->counters.stats = (struct core_stats){0};
	memsys_set_stats(c->mem, &no_memory);
	bpred_set_stats(c->bpred, &no_branch);
	for (uint32_t n = 0; n < c->counters.static_count; n++)
		c->counters.profile[n].committed = c->counters.profile[n].lost = 0;
	if (c->counters.detail)
		memset(c->counters.detail, 0, c->counters.static_count * sizeof(*c->counters.detail));
	for (unsigned n = 0; n < c->regions.count; n++)
		c->regions.list[n].r = (struct core_region){.name = c->regions.list[n].r.name};
}

/* Adds `words` words to a struct of as many uint64_t, or takes them away; returns what follows in the record. */
static const uint64_t *change_words(void *into, const uint64_t *from, size_t words, bool minus)
{
	uint64_t *to = into;

	for (size_t n = 0; n < words; n++)
		to[n] += minus ? -from[n] : from[n];
	return from + words;
}

static const uint64_t *add_words(void *into, const uint64_t *from, size_t words)
{
	return change_words(into, from, words, false);
}

/* Adds the counters of a record, or with `minus` takes them away; returns what follows in it. */
static const uint64_t *change_counters(struct core *c, const struct segment_record *r, bool minus)
{
	const uint64_t *from = (const uint64_t *)(const void *)(r + 1);
	struct memsys_stats memory = *memsys_stats(c->mem);
	struct bpred_stats branch = *bpred_stats(c->bpred);

	from = change_words(&c->counters.stats, from, STATS, minus);
	from = change_words(&memory, from, MEMORY, minus);
	from = change_words(&branch, from, BRANCH, minus);
	memsys_set_stats(c->mem, &memory);
	bpred_set_stats(c->bpred, &branch);
	return from;
}

void core_segment_show(struct core *c, const struct segment_record *row)
{
	change_counters(c, row, false);
}

void core_segment_hide(struct core *c, const struct segment_record *row)
{
	change_counters(c, row, true);
}

int core_segment_add(struct core *c, const struct segment_record *r, size_t count, struct err *e)
{
	const uint64_t *words = (const uint64_t *)(const void *)r, *from, *end = words + count;

	if (count < FIXED || r->regions > c->regions.count || count < FIXED + REGION * r->regions)
		return err_set(e, STATUS_FAILED, "core: counts of a segment of another trace");
	c->front.feed.warmed += r->warmed;
	from = change_counters(c, r, false);
	for (uint64_t n = 0; n < r->regions; n++) {
		struct core_region *region = &c->regions.list[n].r;

		region->entries += *from++;
		from = add_words(&region->stats, from, STATS);
		from = add_words(&region->memory, from, MEMORY);
		from = add_words(&region->branch, from, BRANCH);
	}
	while (end - from >= (ptrdiff_t)profile_words(c) && from[0] < c->counters.static_count) {
		uint64_t n = from[0];

		c->counters.profile[n].committed += from[1];
		c->counters.profile[n].lost += from[2];
		from += PROFILE;
		if (c->counters.detail)
			from = add_words(&c->counters.detail[n], from, DETAIL);
	}
	if (c->array)
		array_new_flops(c); /* the statistics have them */
	return from == end ? 0 : err_set(e, STATUS_FAILED, "core: counts of a segment of another trace");
}
